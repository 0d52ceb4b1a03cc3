#include <dalembert/rod/loads.hpp>

#include <cmath>
#include <functional>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace loads_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Load = rod::EndLoad<double>;
using Point = rod::PointLoad<double, Load>;
using InTime = rod::PointLoad<double, std::function<Load(double)>>;
using Along = rod::DistributedLoad<double, std::function<Load(double, double)>>;
using Even = rod::DistributedLoad<double, Load>;
/// Every kind of load: few types are few instantiations.
using All = assembly::LoadSum<Point, InTime, Along, Even>;
using Body = assembly::WithLoad<Rod, All>;
using rod::Chain;
using rod::Columns;

const Load none{};
InTime never(0, [](double) { return none; });
Along nowhere([](double, double) { return none; });

All only(const Point& load) { return All(load, never, nowhere, Even(none)); }
All only(const Along& load) { return All(Point(0, none), never, load, Even(none)); }

constexpr double EI = 2.0, GA = 3e4, EA = 5e4;

/// Along z, one metre long.
Rod beam(int elements, const rod::Boundary<double>& start, const Load& at_end = {}) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = 1;
  p.inertia = {0.3, V(1e-3, 1e-3, 2e-3)};
  p.start = start;
  p.loads.finish = at_end;
  Vec<double, 6> k;
  k << GA, GA, EA, EI, EI, 1.5;
  return Rod(rod::LinearElastic<double>(k), p);
}
const auto clamped = rod::Boundary<double>::clamped();

/// In equilibrium under these loads, and in how many steps of Newton's method.
std::pair<Chain<double>, int> bent(int elements, const All& loads, const Load& at_end = {}) {
  const Body body(beam(elements, clamped, at_end), loads);
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  auto x = problem.state({body.straight(V::Zero(), SO3<double>::identity())});
  const auto found = assembly::static_equilibrium(problem, x);
  return {x[0], found.search.iterations};
}

/// The limit of the tip's displacement along x in the number of elements.
double tip(const All& loads) {
  const double coarse = bent(32, loads).first.position(32)[0], fine = bent(64, loads).first.position(64)[0];
  CHECK(std::abs(fine / coarse - 1) < 2e-3);
  return (4 * fine - coarse) / 3;
}

TEST_CASE("a force at a place of a cantilever bends it as beam theory says", "[rod][load]") {
  const double F = 1e-3;
  for (const double a : {0.31, 0.5, 1.0}) {
    CAPTURE(a);
    CHECK(tip(only(Point(a, {.force = {F, 0, 0}}))) ==
          Approx(F * a * a * (3 - a) / (6 * EI) + F * a / GA).epsilon(a == 0.31 ? 4e-4 : 2e-5));
  }
}

TEST_CASE("a couple at a place of a cantilever bends it as beam theory says", "[rod][load]") {
  const double M = 1e-3;
  for (const double a : {0.31, 1.0}) {
    CAPTURE(a);
    const double expected = M * a * (1 - a / 2) / EI;
    CHECK(tip(only(Point(a, {.moment = {0, M, 0}}))) == Approx(expected).epsilon(a == 0.31 ? 4e-4 : 2e-5));
    CHECK(tip(only(Point(a, {.follower_moment = {0, M, 0}}))) ==
          Approx(expected).epsilon(a == 0.31 ? 4e-4 : 2e-5));
  }
}

TEST_CASE("an even load bends a cantilever by wL⁴/8EI, one that grows along it by 11wL⁴/120EI",
          "[rod][load]") {
  const double w = 1e-3;
  CHECK(tip(All(Point(0, none), never, nowhere, Even({.force = {w, 0, 0}}))) ==
        Approx(w / (8 * EI) + w / (2 * GA)).epsilon(1e-6));
  CHECK(tip(only(Along([&](double s, double) { return Load{.force = V(w * s, 0, 0)}; }))) ==
        Approx(11 * w / (120 * EI) + w / (3 * GA)).epsilon(1e-6));
  // a couple m per metre has the moment m(L − s)
  CHECK(tip(only(Along([&](double, double) { return Load{.moment = V(0, w, 0)}; }))) ==
        Approx(w / (3 * EI)).epsilon(1e-6));
}

TEST_CASE("Newton's method is as quick with a load that follows as with the rod's own", "[rod][load]") {
  const Load load{.force = {0.5, 0, 0},
                  .moment = {0, 0, 0.3},
                  .follower_force = {6, 2, 0},
                  .follower_moment = {0, 1, 0.5}};
  const auto [own, own_steps] = bent(24, only(Point(0, none)), load);
  const auto [other, other_steps] = bent(24, only(Point(1, load)));
  CHECK((own.configuration - other.configuration).topRows(25).abs().maxCoeff() < 1e-11);
  CHECK(own.position(24)[2] < 0.7);
  CHECK(own_steps == other_steps);
}

TEST_CASE("the statics of one rod alone has its loads, too", "[rod][load]") {
  const Load load{.force = {0.5, 0, 0}, .follower_force = {1, 0.2, 0}};
  const auto [chain, steps] = bent(12, only(Point(0.7, load)));
  assembly::WithLoad<Rod, Point> body(beam(12, clamped), Point(0.7, load));
  auto alone = body.straight(V::Zero(), SO3<double>::identity());
  (void)rod::static_equilibrium(body, alone);
  CHECK((alone.configuration - chain.configuration).topRows(13).abs().maxCoeff() < 1e-9);
  CHECK(alone.position(12)[0] > 0.05);
}

TEST_CASE("Beck's column, pushed along its tip's axis, does not buckle in statics", "[rod][load]") {
  // beyond Euler's load π²EI/4 a push Q across moves the tip by Q (sin k − k cos k)/(EI k³), k² = P/EI
  const double Q = 1e-5;
  for (const double k : {1.8, 2.3, 4.0}) {
    CAPTURE(k);
    const auto with = [&](int n) {
      return bent(n, only(Point(1, {.force = {Q, 0, 0}, .follower_force = {0, 0, -k * k * EI}})))
          .first.position(n)[0];
    };
    const double expected = Q * (std::sin(k) - k * std::cos(k)) / (EI * k * k * k);
    CHECK((4 * with(64) - with(32)) / 3 == Approx(expected).epsilon(4e-3));
  }
}

/// Loads of every kind, large and in no symmetric direction.
All wild() {
  return All(
      Point(0.437, {.force = {1, -2, 0.5}, .moment = {0.3, 0.1, -0.2}, .follower_force = {-0.4, 0.8, 1.5}}),
      InTime(1.0,
             [](double t) {
               return Load{.force = V(std::cos(3 * t), 0.4, 0), .follower_moment = V(0.1, 0.2 * t, 0)};
             }),
      Along([](double s, double t) {
        return Load{.force = V(0, s, -t), .moment = V(0.2 * s, 0, 0.1), .follower_force = V(1, 0, s * t)};
      }),
      Even({.force = {0.3, 0.2, -0.7}, .follower_moment = {0, 0.05, 0.1}}));
}

TEST_CASE("the stiffness of loads is the derivative of their forces and torques", "[rod][load]") {
  const Rod rod = beam(8, rod::Boundary<double>::free());
  test::Random random(test::seed());
  const auto chain = test::random_chain(rod, Mat<double, 3>::Identity(), random);
  const All loads = wild();
  const double t = 0.7, step = 1e-6;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(54, 54), D = K;
  loads.add_stiffness(rod, chain, t, [&](Eigen::Index k, Eigen::Index l, const Mat<double, 6, 6>& block) {
    K.block<6, 6>(6 * k, 6 * l) += block;
  });
  const auto forces = [&](const Chain<double>& at) {
    Columns<double, 6> f = rod::zero_columns<double, 6>(9);
    loads.add(rod, at, t, f);
    return f;
  };
  for (Eigen::Index l = 0; l < 9; ++l)
    for (int j = 0; j < 6; ++j) {
      const auto moved = [&](double by) {
        Chain<double> at = chain;
        const V unit = by * V::Unit(j % 3), zero = V::Zero();
        rod::move_node<double>(at, l, j < 3 ? unit : zero, j < 3 ? zero : unit);
        return forces(at);
      };
      const Columns<double, 6> slope = (moved(-step) - moved(step)) / (2 * step);
      for (Eigen::Index k = 0; k < 9; ++k)
        for (int i = 0; i < 6; ++i) D(6 * k + i, 6 * l + j) = slope(k, i);
    }
  CHECK((K - D).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(K.cwiseAbs().maxCoeff() > 0.1);
}

TEST_CASE("a load at a place has the force, the moment and the work that it has there", "[rod][load]") {
  const Rod rod = beam(10, rod::Boundary<double>::free());
  const auto chain = rod.straight(V(1, 2, 3), SO3<double>::exp(V(0.4, -1, 0.3)));
  const V F(1, -2, 0.5), M(0.2, 0.1, -0.6);
  for (const double s : {0.0, 0.437, 0.5, 1.0}) {
    CAPTURE(s);
    Columns<double, 6> f = rod::zero_columns<double, 6>(11);
    const Point load(s, {.force = F, .moment = M});
    load.add(rod, chain, 0.0, f);
    V force = V::Zero(), moment = V::Zero();
    for (Eigen::Index k = 0; k < 11; ++k) {
      const V at(f(k, 0), f(k, 1), f(k, 2)), torque(f(k, 3), f(k, 4), f(k, 5));
      force += at;
      moment += chain.position(k).cross(at) + chain.rotation(k).act(torque);
    }
    const V place = chain.position(0) + s * chain.rotation(0).act(V(0, 0, 1));
    CHECK((force - F).norm() < 1e-14);
    CHECK((moment - place.cross(F) - M).norm() < 1e-13);
    CHECK(load.potential(rod, chain) == Approx(-F.dot(place)));
  }
}

TEST_CASE("the power of loads is the rate of the energy, what has a potential not counted twice",
          "[rod][load]") {
  const Body body(beam(8, rod::Boundary<double>::free()), wild());
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  test::Random random(test::seed());
  auto x = problem.state({test::random_chain(body, Mat<double, 3>::Identity(), random)});
  auto r = problem.make_rates();
  const double h = 1e-6;
  auto later = x;
  drive(RungeKutta4{}, problem, later, {.step = h, .until = 2 * h});
  auto middle = x;
  drive(RungeKutta4{}, problem, middle, {.step = h, .until = h});
  problem.rates(middle, r);
  const auto power = problem.power(middle, r);
  CHECK(std::abs(power.load) > 0.5);
  CHECK(power.dissipation == 0);
  CHECK(power.load == Approx((problem.energy(later) - problem.energy(x)) / (2 * h)).epsilon(1e-4));
  // dead loads that do not change have a potential, and no power
  const Body dead(beam(8, rod::Boundary<double>::free()),
                  All(Point(0.4, {.force = {1, 2, 3}}), never, nowhere, Even({.force = {0.3, 0, 1}})));
  const assembly::Assembly still{assembly::bodies(std::vector{dead})};
  auto y = still.state(x.chains);
  still.rates(y, r);
  CHECK(still.power(y, r).load == 0);
  const double before = still.energy(y);
  drive(RungeKutta4{}, still, y, {.step = h, .until = 100 * h});
  CHECK(still.energy(y) == Approx(before).epsilon(1e-9));
}

TEST_CASE("an even force gives a free rod momentum at its rate", "[rod][load]") {
  const V w(0.3, -0.2, 0.5);
  const Body body(beam(16, rod::Boundary<double>::free()),
                  All(Point(0, none), never, nowhere, Even({.force = w})));
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  test::Random random(test::seed());
  auto x = problem.state({test::random_chain(body, Mat<double, 3>::Identity(), random)});
  const auto start = momentum(body, x[0]);
  const double step = 0.3 / problem.frequency_bound(x);
  drive(Verlet{}, problem, x, {.step = step, .until = 100 * step});
  const auto end = momentum(body, x[0]);
  for (int i = 0; i < 3; ++i) CHECK(end[i] - start[i] == Approx(100 * step * w[i]).epsilon(1e-11));
}

TEST_CASE("a load that is no number, or that lies beside the rod, is refused by its name", "[rod][load]") {
  const Rod rod = beam(8, clamped);
  for (const double s : {-0.1, 1.1, std::nan("")})
    CHECK_THROWS_WITH(Body(rod, only(Point(s, none))), ContainsSubstring("PointLoad: s = "));
  const auto fails = [&](const All& loads, const char* name) {
    CAPTURE(name);
    const Body body(rod, loads);
    const assembly::Assembly problem{assembly::bodies(std::vector{body})};
    auto x = problem.state({body.straight(V::Zero(), SO3<double>::identity())});
    auto r = problem.make_rates();
    x.time = 1;
    CHECK_THROWS_AS(problem.rates(x, r), NotFinite);
    CHECK_THROWS_WITH(problem.rates(x, r), ContainsSubstring(name) && ContainsSubstring("t = 1 s"));
    CHECK_THROWS_WITH(assembly::static_equilibrium(problem, x), ContainsSubstring(name));
    x.time = 0;
    CHECK_THROWS_AS(drive(Verlet{}, problem, x, {.step = 1e-4, .until = 2}), IntegrationFailure);
    CHECK(x.time < 0.5001);
    CHECK(x[0].finite());
  };
  const auto late = [](double t) { return t < 0.5 ? 0 : std::nan(""); };
  fails(only(Along(
            [&](double s, double t) { return Load{.force = V(0, s > 0.4 && s < 0.6 ? late(t) : 0, 0)}; })),
        "DistributedLoad at s = 0.5 m");
  fails(All(Point(0, none), InTime(0.3, [&](double t) { return Load{.moment = V(late(t), 0, 0)}; }), nowhere,
            Even(none)),
        "PointLoad at s = 0.3 m");
}

}  // namespace loads_test
