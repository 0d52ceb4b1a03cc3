#include <dalembert/statics/buckling.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/continuation.hpp>

#include "support/catch.hpp"

namespace buckling_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Welded = assembly::Weld<double>;
using Held = rod::Boundary<double>;
using Bodies = Kinds<Rod>;
using Free = std::tuple<>;
using X = assembly::State<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double pi_ = static_cast<double>(pi);

Rod make_rod(int elements, double length, double shear, double stretch, const Held& start,
             const Held& finish) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {1.0, V(0.1, 0.1, 0.2)};
  p.start = start;
  p.finish = finish;
  Vec<double, 6> k;
  k << shear, shear, stretch, 1, 4, 2;
  return Rod(rod::LinearElastic<double>(k), p);
}

void push(double p, Bodies& list, Free&, X&) {
  std::get<0>(list).back().set_loads({.finish = {.force = V(0, 0, -p)}});
}

struct Column {
  Bodies bodies;
  Free none;
  X x;

  Column(int elements, const Held& foot, const Held& top, double shear = 1e7, double stretch = 1e7)
      : bodies(assembly::bodies(std::vector{make_rod(elements, 1.0, shear, stretch, foot, top)})) {
    x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), SO3<double>::identity())};
  }
};

TEST_CASE("the stiffness of a column without load tells Euler's load and its mode", "[assembly][buckling]") {
  const Held pinned = Held::degrees({true, true, true, false, false, true});
  const Held guided = Held::degrees({true, true, false, false, false, false});
  const Held turned = Held::degrees({true, true, false, true, true, true});
  struct Case {
    Held foot, top;
    double k;
  };
  for (const Case& c : {Case{Held::clamped(), Held::free(), pi_ / 2}, Case{pinned, guided, pi_},
                        Case{Held::clamped(), turned, 2 * pi_}}) {
    const auto load = [&](int n) {
      Column column(n, c.foot, c.top);
      return linear_buckling(column.bodies, column.none, column.x, 0.0, push);
    };
    const auto coarse = load(32), fine = load(64);
    CAPTURE(c.k, coarse.parameter, fine.parameter);
    CHECK_THAT((4 * fine.parameter - coarse.parameter) / 3, WithinRel(c.k * c.k, 2e-5));
    // of its largest numbers the first is positive
    const double largest = fine.mode.lpNorm<Eigen::Infinity>();
    CHECK(*std::find_if(fine.mode.begin(), fine.mode.end(),
                        [&](double q) { return std::abs(q) > 0.9 * largest; }) > 0);
    // bent in the weak plane, by 1 − cos ks or sin ks
    const auto shape = [&](double s) { return c.k == pi_ ? std::sin(c.k * s) : 1 - std::cos(c.k * s); };
    const double most = fine.mode[6 * 32 + 1] / shape(0.5);
    for (Eigen::Index k = 0; k <= 64; k += 8) {
      CHECK_THAT(fine.mode[6 * k + 1],
                 WithinAbs(most * shape(static_cast<double>(k) / 64), 2e-3 * std::abs(most)));
      CHECK(std::abs(fine.mode[6 * k]) < 1e-6 * std::abs(most));
    }
  }
}

TEST_CASE("the estimate of a buckling load becomes exact where it is near", "[assembly][buckling]") {
  // soft against compression and shear, so that the column is another one when it buckles
  Column column(24, Held::clamped(), Held::free(), 40, 25);
  const auto branch = continue_equilibria(
      column.bodies, column.none, column.x, 0.0, push, {.first_step = 0.3, .parameter_scale = 3, .most = 4},
      [](const BranchPoint<double>& p) { return p.kind == BranchEvent::bifurcation; });
  const double exact = branch.points.back().parameter;
  double before = 0;
  for (const double part : {0.0, 0.5, 0.75}) {
    const double load = linear_buckling(column.bodies, column.none, column.x, part * exact, push).parameter;
    const double error = std::abs(load / exact - 1);
    CAPTURE(part, load, exact);
    CHECK(error < 0.1);
    CHECK(error > 1e-6);
    if (before > 0) CHECK_THAT(error / before, WithinAbs(0.25, 0.05));
    before = error;
  }
}

TEST_CASE("a buckling load and its mode do not depend on the unit of the parameter", "[assembly][buckling]") {
  const auto in_units_of = [](double unit) {
    Column column(8, Held::clamped(), Held::free());
    const auto load = [unit](double p, Bodies& list, Free& none, X& x) { push(p / unit, list, none, x); };
    return linear_buckling(column.bodies, column.none, column.x, 0.0, load, {.step = 0.05 * unit});
  };
  const auto one = in_units_of(1);
  REQUIRE(one.mode.size() == 6 * 9);
  for (const double unit : {1e-12, 1e-6, 1e6, 1e12}) {
    CAPTURE(unit);
    const auto other = in_units_of(unit);
    CHECK_THAT(other.parameter, WithinRel(unit * one.parameter, 1e-7));
    CHECK((other.mode - one.mode).norm() < 1e-5 * one.mode.norm());
  }
  // of length 1: the mean over nodes of squares, lengths in units of that of the column
  CHECK_THAT(one.mode.squaredNorm(), WithinRel(9.0, 1e-9));
}

/// A weight p on top of a bar of length l, and springs against turning at its foot.
struct Top {
  double p, length = 0.8, spring_x = 3, spring_y = 5;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    const V force(0, 0, -p), arm(0, 0, length / 2), turned = at.rotation(0).log();
    const V torque = arm.cross(at.rotation(0).inverse().act(force));
    for (int i = 0; i < 3; ++i) {
      f(0, i) += force[i];
      f(0, 3 + i) += torque[i] - (i == 0 ? spring_x : spring_y) * turned[i];
    }
  }
};

TEST_CASE("a bar that stands on a joint buckles where the weight on it outweighs its springs",
          "[assembly][buckling]") {
  // half of the moment p l of a small turn is that of the joint's force, which turns with its arm
  using Bar = WithLoad<RigidBody<double>, Top>;
  const RigidBody<double> plain{{.mass = 1, .inertia = {0.1, 0.1, 0.02}}};
  for (const V& at : {V(0, 0, 0), V(3, -2, 5)}) {
    Kinds<Bar> bars = assembly::bodies(std::vector{Bar(plain, Top{0})});
    Kinds<SphericalJoint<double>> joints = assembly::constraints(
        std::vector{SphericalJoint<double>{{0, 0, V(0, 0, -0.4)}, FrameMarker<double>::in_space(at)}});
    X x;
    x.chains = {plain.at(at + V(0, 0, 0.4))};
    const auto load = [&](double p, Kinds<Bar>& list, auto&, X&) {
      std::get<0>(list)[0] = Bar(plain, Top{p});
    };
    const auto found = linear_buckling(bars, joints, x, 1.0, load);
    CHECK_THAT(found.parameter, WithinRel(3 / 0.8, 1e-7));
    CHECK(std::abs(found.mode[3]) > 0.5);
    CHECK(std::abs(found.mode[4]) < 1e-6);
  }
}

TEST_CASE("two halves that are welded buckle as one column", "[assembly][buckling]") {
  Column whole(32, Held::clamped(), Held::free(), 1e5, 1e5);
  Bodies halves = assembly::bodies(std::vector{make_rod(16, 0.5, 1e5, 1e5, Held::clamped(), Held::free()),
                                               make_rod(16, 0.5, 1e5, 1e5, Held::free(), Held::free())});
  Kinds<Welded> weld = assembly::constraints(std::vector{Welded{{0, 16}, {1, 0}}});
  X x;
  x.chains = {std::get<0>(halves)[0].straight(V::Zero(), SO3<double>::identity()),
              std::get<0>(halves)[1].straight(V(0, 0, 0.5), SO3<double>::identity())};
  const auto push_upper = [](double p, Bodies& list, Kinds<Welded>&, X&) {
    std::get<0>(list)[1].set_loads({.finish = {.force = V(0, 0, -p)}});
  };
  CHECK_THAT(linear_buckling(halves, weld, x, 0.0, push_upper).parameter,
             WithinRel(linear_buckling(whole.bodies, whole.none, whole.x, 0.0, push).parameter, 1e-7));
}

TEST_CASE("a rod that is pulled does not buckle, and says so", "[assembly][buckling]") {
  Column column(8, Held::clamped(), Held::free());
  const auto pull = [](double p, Bodies& list, Free& none, X& x) { push(-p, list, none, x); };
  CHECK_THROWS_AS(linear_buckling(column.bodies, column.none, column.x, 0.0, pull, {.iterations = 500}),
                  NoConvergence);
}

TEST_CASE("a path that turns frames, where the estimate is none, is refused", "[assembly][buckling]") {
  const auto refused = [](auto& bodies, auto& constraints, X& x, double from, const auto& path) {
    CHECK_THROWS_WITH(linear_buckling(bodies, constraints, x, from, path),
                      ContainsSubstring("was not confirmed") && ContainsSubstring("continue_equilibria"));
  };
  const rod::CircularSection<double> section({.radius = 0.01, .young = 2e7, .poisson = 0.3, .density = 1100});
  const int n = 20;
  const Rod rod(section, {.elements = n, .length = 1, .start = Held::clamped(), .finish = Held::clamped()});
  const auto turned = [&](double angle) { return rod.straight(V::Zero(), SO3<double>::exp({0, 0, angle})); };
  Free none;
  for (const double from : {0.0, 5.0}) {
    Bodies one = assembly::bodies(std::vector{rod});
    X x;
    x.chains = {turned(from)};
    // a round rod turned about its axis does not buckle; twisted, by ML/EI = 8.987, A. Greenhill 1883
    refused(one, none, x, from, [&](double p, Bodies&, Free&, X& y) {
      for (const int k : {0, n}) y[0].set_frame(k, turned(p).rotation(k), turned(p).position(k));
    });
    x.chains = {turned(0)};
    for (int k = 0; k <= n; ++k) x[0].set_frame(k, turned(from * k / n).rotation(k), turned(0).position(k));
    refused(one, none, x, from, [&](double p, Bodies&, Free&, X& y) {
      y[0].set_frame(n, turned(p).rotation(n), turned(p).position(n));
    });
  }
  // the same by welds to space
  Bodies loose =
      assembly::bodies(std::vector{Rod(section, {.elements = n, .length = 1, .start = Held::clamped()})});
  const auto weld = [](double p) {
    return Welded{{0, n}, FrameMarker<double>::in_space(V(0, 0, 1), SO3<double>::exp({0, 0, p}))};
  };
  Kinds<Welded> welds = assembly::constraints(std::vector{weld(0)});
  X x;
  x.chains = {turned(0)};
  refused(loose, welds, x, 0.0,
          [&](double p, Bodies&, Kinds<Welded>& list, X&) { std::get<0>(list)[0] = weld(p); });
}

TEST_CASE("of a column that is unstable the next load is told", "[assembly][buckling]") {
  Column column(64, Held::clamped(), Held::free());
  const double second = 4 * std::pow(pi_ / 2, 2);  // Euler's in the stiff plane
  const auto found = linear_buckling(column.bodies, column.none, column.x, 1.3 * second / 4, push);
  CHECK_THAT(found.parameter, WithinRel(std::min(second, 9 * second / 4), 1e-3));
}

TEST_CASE("wrong options of a search for a buckling load are refused by name", "[assembly][buckling]") {
  Column column(4, Held::clamped(), Held::free());
  const auto with = [&](const BucklingOptions<double>& options) {
    (void)linear_buckling(column.bodies, column.none, column.x, 0.0, push, options);
  };
  CHECK_THROWS_WITH(with({.step = 0}), ContainsSubstring("step = 0, but"));
  CHECK_THROWS_WITH(with({.step = -1}), ContainsSubstring("step = -1, but"));
  CHECK_THROWS_WITH(with({.tolerance = 0}), ContainsSubstring("tolerance = 0, but"));
  CHECK_THROWS_WITH(with({.tolerance = 1}), ContainsSubstring("tolerance = 1, but"));
  CHECK_THROWS_WITH(with({.iterations = 0}), ContainsSubstring("iterations = 0, but"));
  CHECK_THROWS_WITH(with({.newton = {.iterations = 0}}),
                    ContainsSubstring("StaticOptions") && ContainsSubstring("iterations = 0"));
}

}  // namespace buckling_test
