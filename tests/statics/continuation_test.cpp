#include <dalembert/statics/continuation.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"

namespace continuation_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Joint = SphericalJoint<double>;
using Held = rod::Boundary<double>;
using Bodies = Kinds<Rod>;
using Free = std::tuple<>;
using X = assembly::State<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double pi_ = static_cast<double>(pi);

Rod make_rod(int elements, double length, const Vec<double, 6>& stiffness, const Held& start,
             const Held& finish) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {1.0, V(0.1, 0.1, 0.2)};
  p.start = start;
  p.finish = finish;
  return Rod(rod::LinearElastic<double>(stiffness), p);
}

/// GA, GA, EA, EI₁, EI₂, GJ.
Vec<double, 6> stiffness(double shear, double stretch, double bending1, double bending2, double twist) {
  Vec<double, 6> k;
  k << shear, shear, stretch, bending1, bending2, twist;
  return k;
}

/// Axes e₃ from the origin to a point in the plane (x, z), e₂ = y.
SO3<double> along(double x, double z) { return SO3<double>::exp(V(0, std::atan2(x, z), 0)); }

/// Mises' truss: a bar from the origin to its apex at (1, 0, rise), which glides along z under a force −p. Straight bars carry
///   p = EA (1 − L/L₀) z/L,  L² = 1 + z²,  whose extrema lie at L³ = L₀
struct Truss {
  double rise = 0.5, stretching = 1000;
  double rest = std::sqrt(1 + rise * rise);

  [[nodiscard]] double load(double z) const {
    const double now = std::sqrt(1 + z * z);
    return stretching * (1 - now / rest) * z / now;
  }
  [[nodiscard]] double z_of_limit() const { return std::sqrt(std::pow(rest, 2.0 / 3) - 1); }
  /// A bar held in the directions of its spin, at its foot, and of x and y, at its apex.
  [[nodiscard]] Rod bar(bool guided) const {
    const Held foot = Held::degrees({true, true, true, false, false, true});
    const Held apex = guided ? Held::degrees({true, true, false, false, false, false}) : Held::free();
    return make_rod(3, rest, stiffness(1e4, stretching, 1e4, 1e4, 1e4), foot, apex);
  }
};

TEST_CASE("a branch goes past the limit points of a truss, and finds them", "[assembly][continuation]") {
  const Truss truss;
  Bodies bodies = assembly::bodies(std::vector{truss.bar(true)});
  Free none;
  X x;
  x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), along(1, truss.rise))};
  const auto push = [](double p, Bodies& list, Free&, X&) {
    std::get<0>(list)[0].set_loads({.finish = {.force = V(0, 0, -p)}});
  };
  const double limit = truss.load(truss.z_of_limit());
  const Branch<double> branch = continue_equilibria(
      bodies, none, x, 0.0, push, {.first_step = 0.1 * limit, .parameter_scale = limit, .most = 3 * limit});
  for (const BranchPoint<double>& p : branch.points) {
    const double z = p.state[0].position(3)[2];
    CHECK_THAT(p.parameter, WithinAbs(truss.load(z), 1e-9 * truss.stretching));
    if (p.kind == BranchEvent::none) CHECK(p.unstable == (std::abs(z) < truss.z_of_limit() ? 1 : 0));
  }
  const auto limits = branch.of_kind(BranchEvent::limit_point);
  REQUIRE(limits.size() == 2);
  CHECK(branch.of_kind(BranchEvent::bifurcation).empty());
  CHECK_THAT(limits[0].parameter, WithinRel(limit, 1e-9));
  CHECK_THAT(limits[1].parameter, WithinRel(-limit, 1e-9));
  CHECK_THAT(limits[0].state[0].position(3)[2], WithinAbs(truss.z_of_limit(), 1e-6));
  CHECK(branch.points.back().parameter == 3 * limit);
  CHECK(x[0].position(3)[2] < -truss.rise);
  CHECK(branch.points.size() < 60);
}

TEST_CASE("constraints hold along a branch, and do not count as unstable", "[assembly][continuation]") {
  const Truss truss;
  Bodies bodies = assembly::bodies(std::vector{truss.bar(true), truss.bar(false)});
  const auto& bars = std::get<0>(bodies);
  // the second bar comes from the other side, and both share the load
  Kinds<Joint> joints = assembly::constraints(std::vector{Joint{{0, 3}, {1, 3}}});
  X x;
  x.chains = {bars[0].straight(V::Zero(), along(1, truss.rise)),
              bars[1].straight(V(2, 0, 0), along(-1, truss.rise))};
  const auto push = [](double p, Bodies& list, Kinds<Joint>&, X&) {
    std::get<0>(list)[0].set_loads({.finish = {.force = V(0, 0, -2 * p)}});
  };
  const double limit = truss.load(truss.z_of_limit());
  const Branch<double> branch = continue_equilibria(
      bodies, joints, x, 0.0, push, {.first_step = 0.1 * limit, .parameter_scale = limit, .most = 2 * limit});
  const auto limits = branch.of_kind(BranchEvent::limit_point);
  REQUIRE(limits.size() == 2);
  CHECK_THAT(limits[0].parameter, WithinRel(limit, 1e-9));
  CHECK_THAT(limits[1].parameter, WithinRel(-limit, 1e-9));
  for (const BranchPoint<double>& p : branch.points) {
    const double z = p.state[0].position(3)[2];
    CHECK((p.state[0].position(3) - p.state[1].position(3)).norm() < 1e-9);
    CHECK_THAT(std::abs(p.multipliers[2]), WithinAbs(std::abs(truss.load(z)), 1e-7));
    if (p.kind == BranchEvent::none) CHECK(p.unstable == (std::abs(z) < truss.z_of_limit() ? 1 : 0));
  }
}

/// A column along z, pushed at its upper end with p times EI.
struct Column {
  double shear = 1e6, stretch = 1e6, weak = 1.0, strong = 4.0;
  Held foot = Held::clamped(), top = Held::free();
  Bodies bodies;
  Free none;
  X x;

  explicit Column(int elements) : Column(elements, Held::clamped(), Held::free()) {}
  Column(int elements, const Held& start, const Held& finish, double shear_ = 1e6, double stretch_ = 1e6,
         double strong_ = 4.0)
      : shear(shear_), stretch(stretch_), strong(strong_), foot(start), top(finish) {
    bodies = assembly::bodies(
        std::vector{make_rod(elements, 1.0, stiffness(shear, stretch, weak, strong, 1.0), foot, top)});
    x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), SO3<double>::identity())};
  }
  static void push(double p, Bodies& list, Free&, X&) {
    std::get<0>(list)[0].set_loads({.finish = {.force = V(0, 0, -p)}});
  }
  /// The branch of straight columns up to a load, or its first bifurcation.
  Branch<double> up_to(double most) {
    return continue_equilibria(
        bodies, none, x, 0.0, push, {.first_step = 0.2 * most, .parameter_scale = most, .most = most},
        [](const BranchPoint<double>& p) { return p.kind == BranchEvent::bifurcation; });
  }
  [[nodiscard]] BranchPoint<double> bifurcation(double most) {
    const auto found = up_to(most).of_kind(BranchEvent::bifurcation);
    REQUIRE(found.size() == 1);
    return found[0];
  }
};

/// P (1 + P (1/GA − 1/EA)) = k² for EI = 1.
double euler(double k, double shear, double stretch) {
  const double c = 1 / shear - 1 / stretch;
  return c == 0 ? k * k : (std::sqrt(1 + 4 * c * k * k) - 1) / (2 * c);
}

TEST_CASE("columns buckle at Euler's loads, corrected for shear and compression",
          "[assembly][continuation]") {
  const Held pinned = Held::degrees({true, true, true, false, false, true});
  const Held guided = Held::degrees({true, true, false, false, false, false});
  const Held turned = Held::degrees({true, true, false, true, true, true});
  struct Case {
    Held foot, top;
    double k;
  };
  for (const Case& c : {Case{Held::clamped(), Held::free(), pi_ / 2}, Case{pinned, guided, pi_},
                        Case{Held::clamped(), turned, 2 * pi_}})
    for (const auto& [shear, stretch] :
         {std::pair{1e6, 1e6}, std::pair{300.0, 2000.0}, std::pair{2000.0, 300.0}}) {
      const auto load = [&, s = shear, t = stretch](int n) {
        return Column(n, c.foot, c.top, s, t).bifurcation(1.4 * c.k * c.k).parameter;
      };
      const double coarse = load(16), middle = load(32), fine = load(64), exact = euler(c.k, shear, stretch);
      CAPTURE(c.k, shear, stretch, coarse, middle, fine, exact);
      CHECK_THAT(std::log2((middle - coarse) / (fine - middle)), WithinAbs(2, 0.1));
      CHECK_THAT((4 * fine - middle) / 3, WithinRel(exact, 2e-5));
    }
}

/// Complete elliptic integrals of the first and second kind of a modulus k, by the arithmetic-geometric mean.
std::pair<double, double> elliptic(double k) {
  double a = 1, b = std::sqrt(1 - k * k), sum = k * k, power = 1;
  for (double c = k; std::abs(c) > 1e-16; power *= 2) {
    c = (a - b) / 2;
    const double next = (a + b) / 2;
    b = std::sqrt(a * b);
    a = next;
    sum += 2 * power * c * c;
  }
  return {pi_ / (2 * a), pi_ / (2 * a) * (1 - sum / 2)};
}

TEST_CASE("a branch takes the same steps in any unit of length", "[assembly][continuation]") {
  // a bent column under its load, its lengths in metres and in other units, its forces in newtons
  const auto in_units = [](double unit) {
    const double l = unit, b = unit * unit;  // of lengths, and of bending stiffness
    Bodies bodies = assembly::bodies(
        std::vector{make_rod(8, l, stiffness(1e4, 1e4, b, 4 * b, b), Held::clamped(), Held::free())});
    Free none;
    X x;
    x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), SO3<double>::identity())};
    const auto push = [](double p, Bodies& list, Free&, X&) {
      std::get<0>(list)[0].set_loads({.finish = {.force = V(0.02 * p, 0.03 * p, -p)}});
    };
    return continue_equilibria(bodies, none, x, 0.0, push,
                               {.first_step = 0.5, .parameter_scale = 3.0, .most = 6.0});
  };
  const auto one = in_units(1);
  REQUIRE(one.points.size() > 4);
  for (const double unit : {1e-3, 1e3}) {
    CAPTURE(unit);
    const auto other = in_units(unit);
    REQUIRE(other.points.size() == one.points.size());
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      CHECK_THAT(other.points[i].parameter, WithinAbs(one.points[i].parameter, 1e-6));
      const V tip = one.points[i].state[0].position(8);
      CHECK((V(other.points[i].state[0].position(8)) / unit - tip).norm() < 1e-6);
    }
  }
}

TEST_CASE("a column that has buckled is an elastica, on both sides", "[assembly][continuation]") {
  for (const int side : {1, -1}) {
    std::vector<V> tips;
    // the elastica that has turned by 60 degrees at its tip
    const auto [K, E] = elliptic(std::sin(pi_ / 6));
    const double load = K * K, aside = 2 * std::sin(pi_ / 6) / K, up = 2 * E / K - 1;
    for (const int n : {16, 32}) {
      Column column(n);
      const BranchPoint<double> bifurcation = column.bifurcation(3.0);
      CHECK(bifurcation.mode.size() == 6 * (n + 1));
      column.x = {};  // where it is does not count
      const Branch<double> bent =
          switch_branch(column.bodies, column.none, column.x, bifurcation, side, Column::push,
                        {.first_step = 0.02, .parameter_scale = 3, .most = load});
      for (const BranchPoint<double>& p : bent.points)
        if (p.kind == BranchEvent::none) CHECK(p.unstable == 0);
      CHECK(bent.points.back().parameter == load);
      CHECK(side * bifurcation.mode[6 * n + 1] * column.x[0].position(n)[1] > 0);
      tips.push_back(column.x[0].position(n));
    }
    // the weak direction is y
    CHECK(std::abs(tips[1][0]) < 1e-9);
    const V limit = (4 * tips[1] - tips[0]) / 3;
    CHECK_THAT(std::abs(limit[1]), WithinAbs(aside, 2e-5));
    CHECK_THAT(limit[2], WithinAbs(up, 2e-5));
    static double first = 0;
    if (side > 0) first = limit[1];
    if (side < 0) CHECK_THAT(limit[1], WithinAbs(-first, 1e-8));
  }
}

TEST_CASE("a branch may leave its bifurcation towards smaller parameters", "[assembly][continuation]") {
  // the parameter is what is left of the load: columns are bent where it is smaller
  constexpr double most = 3;
  const auto push = [](double p, Bodies& list, Free& none, X& x) { Column::push(most - p, list, none, x); };
  for (const int side : {1, -1}) {
    Column column(16), other(16);
    const auto straight =
        continue_equilibria(column.bodies, column.none, column.x, most, push,
                            {.first_step = -0.5, .parameter_scale = most, .least = 0},
                            [](const BranchPoint<double>& p) { return p.kind == BranchEvent::bifurcation; });
    const BranchPoint<double> bifurcation = straight.points.back();
    REQUIRE(bifurcation.kind == BranchEvent::bifurcation);
    CHECK_THAT(most - bifurcation.parameter, WithinRel(other.bifurcation(most).parameter, 1e-7));
    const auto bent = switch_branch(column.bodies, column.none, column.x, bifurcation, side, push,
                                    {.first_step = 0.02, .parameter_scale = most, .least = 0.3});
    CHECK(bent.points.back().parameter == 0.3);
    for (std::size_t i = 1; i < bent.points.size(); ++i)
      CHECK(bent.points[i].parameter < bent.points[i - 1].parameter);
    CHECK(side * bifurcation.mode[6 * 16 + 1] * column.x[0].position(16)[1] > 0.1);
  }
}

TEST_CASE("a mode that has a part along its branch is followed across it", "[assembly][continuation]") {
  // a column whose foot is carried aside while it is loaded: the straight one moves as the mode does, too
  Column column(16);
  const auto push = [](double p, Bodies& list, Free& none, X& x) {
    Column::push(p, list, none, x);
    x[0].set_frame(0, SO3<double>::identity(), V(0, 0.4 * p, 0));
  };
  const auto straight = continue_equilibria(
      column.bodies, column.none, column.x, 0.0, push, {.first_step = 0.5, .parameter_scale = 3, .most = 3},
      [](const BranchPoint<double>& p) { return p.kind == BranchEvent::bifurcation; });
  const BranchPoint<double>& bifurcation = straight.points.back();
  REQUIRE(bifurcation.kind == BranchEvent::bifurcation);
  CHECK_THAT(bifurcation.parameter, WithinRel(Column(16).bifurcation(3.0).parameter, 1e-7));
  for (const int side : {1, -1}) {
    const Branch<double> bent = switch_branch(column.bodies, column.none, column.x, bifurcation, side, push,
                                              {.first_step = 0.3, .parameter_scale = 3, .points = 1});
    const auto& chain = bent.points[1].state[0];
    // it has bent, at nearly the same load
    CHECK(std::abs(chain.position(16)[1] - chain.position(0)[1]) > 0.05);
    CHECK_THAT(bent.points[1].parameter, WithinRel(bifurcation.parameter, 0.05));
  }
}

TEST_CASE("two branches that begin at one load are seen, although the determinant keeps its sign",
          "[assembly][continuation]") {
  Column column(32, Held::clamped(), Held::free(), 1e6, 1e6, 1.0);
  const BranchPoint<double> p = column.bifurcation(3.0);
  CHECK(column.x[0].position(32)[2] < 1);
  const Branch<double> branch = continue_equilibria(column.bodies, column.none, column.x, p.parameter + 0.1,
                                                    Column::push, {.first_step = 0.1, .points = 1});
  CHECK(branch.points[0].unstable == 2);
  CHECK_THAT(p.parameter, WithinRel(Column(32).bifurcation(3.0).parameter, 1e-7));
}

TEST_CASE("a column loses one direction of stability after the other", "[assembly][continuation]") {
  Column column(48);
  const Branch<double> branch = continue_equilibria(column.bodies, column.none, column.x, 0.0, Column::push,
                                                    {.first_step = 4, .parameter_scale = 10, .most = 30});
  // k = π/2 and 3π/2 about the weak axis, π/2 about the strong one, which is four times as stiff
  const auto found = branch.of_kind(BranchEvent::bifurcation);
  REQUIRE(found.size() == 3);
  const double quarter = pi_ * pi_ / 4;
  CHECK_THAT(found[0].parameter, WithinRel(quarter, 1e-3));
  CHECK_THAT(found[1].parameter, WithinRel(4 * quarter, 1e-3));
  CHECK_THAT(found[2].parameter, WithinRel(9 * quarter, 4e-3));
  CHECK(branch.points.front().unstable == 0);
  CHECK(branch.points.back().unstable == 3);
}

TEST_CASE("a straight rod buckles when its end is turned, at Greenhill's torque",
          "[assembly][continuation]") {
  // clamped, M L/B = 2 x with tan x = x; both planes at once, and the rod twists little before
  const double root = 4.493409457909064, twist = 20;
  const auto angle = [&](int n) {
    Bodies bodies = assembly::bodies(
        std::vector{make_rod(n, 1.0, stiffness(1e6, 1e6, 1, 1, twist), Held::clamped(), Held::clamped())});
    Free none;
    X x;
    x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), SO3<double>::identity())};
    const auto turn = [&](double p, Bodies&, Free&, X& at) {
      at[0].set_frame(n, SO3<double>::exp(V(0, 0, p)), V(0, 0, 1));
    };
    const Branch<double> branch =
        continue_equilibria(bodies, none, x, 0.0, turn, {.first_step = 0.1, .most = 1},
                            [](const BranchPoint<double>& p) { return p.kind == BranchEvent::bifurcation; });
    REQUIRE(branch.points.back().kind == BranchEvent::bifurcation);
    CHECK((x[0].rotation(n).log() - V(0, 0, branch.points.back().parameter)).norm() < 1e-12);
    return branch.points.back().parameter;
  };
  const double coarse = angle(16), middle = angle(32), fine = angle(64);
  CHECK_THAT(std::log2((middle - coarse) / (fine - middle)), WithinAbs(2, 0.1));
  CHECK_THAT((4 * fine - middle) / 3, WithinRel(2 * root / twist, 2e-5));
}

TEST_CASE("a contact wanders along a branch to the equilibrium that is known", "[assembly][continuation]") {
  const systems::RollingRodsParameters<double> p;
  using RollingContact = contact::RollingContact<double>;
  Bodies bodies = assembly::bodies(systems::rolling_rods(p));
  const auto& rods = std::get<0>(bodies);
  Kinds<RollingContact> contacts = assembly::constraints(std::vector{
      RollingContact{{0, rods[0], p.kernel_width}, {1, rods[1], p.kernel_width}, p.radius, p.radius}});
  X x = Assembly{bodies, contacts}.state(systems::rolling_rods_placement(p, rods),
                                         Vec<double, 2>(p.crossing[0], p.crossing[1]));
  const double low = x[0].position(0)[2], high = x[1].position(0)[2];
  const Branch<double> branch =
      continue_equilibria(bodies, contacts, x, 0.1,
                          [&](double factor, Bodies&, Kinds<RollingContact>&, X& moved) {
                            for (const Eigen::Index k : {0, p.elements}) {
                              moved[0].configuration(k, 2) = low + factor * p.hook;
                              moved[1].configuration(k, 2) = high - factor * p.hook;
                            }
                          },
                          {.first_step = 0.2, .most = 1});
  CHECK(branch.points.back().parameter == 1);
  CHECK(branch.points.back().unstable == -1);  // its places follow
  CHECK_THAT(x.z[0], WithinAbs(0.45109406, 1e-8));
  CHECK_THAT(branch.points.back().multipliers[0], WithinAbs(5.346133, 1e-6));
  CHECK(branch.of_kind(BranchEvent::bifurcation).empty());
  CHECK(branch.of_kind(BranchEvent::limit_point).empty());
}

TEST_CASE("a branch that is lost leaves its points and the last equilibrium", "[assembly][continuation]") {
  Column column(8);
  const auto push = [](double p, Bodies& list, Free&, X& x) {
    if (p > 0.7) throw ContactOpened("ContactOpened: the load lets go", x.time);
    Free none;
    Column::push(p, list, none, x);
  };
  bool lost = false;
  try {
    (void)continue_equilibria(column.bodies, column.none, column.x, 0.0, push, {.first_step = 0.2});
  } catch (const BranchLost<double>& e) {
    lost = true;
    CHECK_THAT(e.what(), ContainsSubstring("the load lets go"));
    REQUIRE(e.branch().points.size() > 3);
    const BranchPoint<double>& last = e.branch().points.back();
    CHECK(last.parameter <= 0.7);
    CHECK(last.parameter > 0.69);
    CHECK((column.x[0].position(8) - last.state[0].position(8)).norm() == 0);
    CHECK(std::get<0>(column.bodies)[0].parameters().loads.finish.force[2] == -last.parameter);
  }
  CHECK(lost);
}

TEST_CASE("wrong options of a branch are refused by name", "[assembly][continuation]") {
  Column column(4);
  const auto with = [&](const ContinuationOptions<double>& options) {
    (void)continue_equilibria(column.bodies, column.none, column.x, 0.0, Column::push, options);
  };
  CHECK_THROWS_WITH(with({.first_step = 0}), ContainsSubstring("first_step = 0, but"));
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(with({.first_step = -infinite}), ContainsSubstring("first_step = -inf, but"));
  CHECK_THROWS_WITH(with({.largest_step = 2}), ContainsSubstring("largest_step = 2, but"));
  CHECK_THROWS_WITH(with({.largest_step = 3}), ContainsSubstring("largest_step = 3, but"));
  CHECK_THROWS_WITH(with({.largest_step = 1e-7}), ContainsSubstring("largest_step = 1e-07, but"));
  CHECK_THROWS_WITH(with({.smallest_step = 0}), ContainsSubstring("smallest_step = 0, but"));
  CHECK_THROWS_WITH(with({.smallest_step = -1}), ContainsSubstring("smallest_step = -1, but"));
  CHECK_THROWS_WITH(with({.parameter_scale = 0}), ContainsSubstring("parameter_scale = 0, but"));
  CHECK_THROWS_WITH(with({.parameter_scale = -2}), ContainsSubstring("parameter_scale = -2, but"));
  CHECK_THROWS_WITH(with({.least = 1, .most = 1}), ContainsSubstring("least = 1, but"));
  CHECK_THROWS_WITH(with({.points = 0}), ContainsSubstring("points = 0, but"));
  CHECK_THROWS_WITH(with({.location = 0}), ContainsSubstring("location = 0, but"));
  CHECK_THROWS_WITH(with({.location = 1}), ContainsSubstring("location = 1, but"));
  CHECK_THROWS_WITH(with({.newton = {.tolerance = 0}}), ContainsSubstring("tolerance = 0"));
  CHECK_THROWS_WITH(
      switch_branch(column.bodies, column.none, column.x, BranchPoint<double>{}, 1, Column::push),
      ContainsSubstring("point = no bifurcation, but"));
}

/// A round column along an axis through the origin, pushed by f times a load. Once it is bent it may turn about
/// its axis as it likes.
struct RoundColumn {
  V axis;
  double load = pi_ * pi_ / 4;  ///< Euler's, of one that is clamped
  Bodies bodies;
  Free none{};
  X x;

  RoundColumn(const V& direction, double slender, const Held& start = Held::clamped(),
              const Held& finish = Held::free())
      : axis(direction / direction.norm()),
        bodies(
            std::vector{make_rod(20, 1, stiffness(2e4 * slender, 5e4 * slender, 1, 1, 0.8), start, finish)}),
        x(Assembly{bodies}.state({std::get<0>(bodies)[0].straight(V(0, 0, 0), {.direction = axis})})) {}

  auto path() const {
    return [this](double f, Bodies& rods, const Free&, const X&) {
      std::get<0>(rods)[0].set_loads({.finish = {.force = V(-f * load * axis)}});
    };
  }
  /// Where it buckles, the only event of the straight branch.
  BranchPoint<double> buckled() {
    const auto straight = continue_equilibria(bodies, none, x, 0.8, path(), {.most = 1.2});
    std::vector<BranchPoint<double>> found;
    for (const auto& point : straight.points)
      if (point.kind != BranchEvent::none) found.push_back(point);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == BranchEvent::bifurcation);
    return found[0];
  }
  /// The last of the branch through that point, on which nothing happens.
  BranchPoint<double> bent(const BranchPoint<double>& at, int side) {
    const auto branch = switch_branch(bodies, none, x, at, side, path(), {.most = 1.4, .points = 60});
    CHECK(branch.points.size() < 40);
    for (std::size_t i = 1; i < branch.points.size(); ++i) {
      CHECK(branch.points[i].kind == BranchEvent::none);
      CHECK(branch.points[i].unstable == 0);
    }
    CHECK(branch.points.back().parameter == 1.4);
    return branch.points.back();
  }
};

TEST_CASE("a round column buckles alike in all directions, and goes on to bend in a plane",
          "[assembly][continuation]") {
  for (const double slender : {1.0, 1e4}) {
    double load = 0;
    for (int i = 0; i < 10; ++i) {
      const V direction(std::cos(1.3 * i), std::sin(2.1 * i + 0.3), 0.2 + std::cos(0.7 * i));
      CAPTURE(slender, direction.transpose());
      RoundColumn column(direction, slender);
      const auto at = column.buckled();
      if (i == 0) load = at.parameter;  // of 20 elements, a thousandth above Euler's
      CHECK_THAT(load, WithinAbs(1.001, 1e-4));
      CHECK_THAT(at.parameter, WithinAbs(load, slender > 1 ? 2e-6 : 1e-8));
      for (const int side : {1, -1}) {
        const auto last = column.bent(at, side);
        const auto& chain = last.state[0];
        const V up = chain.position(10).cross(chain.position(20));  // the normal of its plane
        CHECK(up.norm() > 0.01);
        for (Eigen::Index k = 1; k < 20; ++k) CHECK(std::abs(chain.position(k).dot(up)) < 1e-7 * up.norm());
      }
    }
  }
}

TEST_CASE("a round column far from the origin buckles as it does there", "[assembly][continuation]") {
  RoundColumn column(V(1, 2, 3), 1);
  auto& chain = column.x[0];
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    chain.set_frame(k, chain.rotation(k), V(chain.position(k) + V(1e4, -1e4, 1e4)));
  (void)column.bent(column.buckled(), 1);
}

TEST_CASE("a round column that may spin about its axis bends when it buckles, and does not spin",
          "[assembly][continuation]") {
  RoundColumn column(V(0, 0, 1), 1, Held::pinned(), Held::degrees({true, true, false, false, false, false}));
  column.load = pi_ * pi_;
  const auto at = column.buckled();
  CHECK_THAT(at.parameter, WithinAbs(1.00382839, 1e-7));
  const V middle = column.bent(at, 1).state[0].position(10);
  CHECK(std::hypot(middle[0], middle[1]) > 0.35);
}

TEST_CASE("a column under a load that follows its end has no other equilibrium", "[assembly][continuation]") {
  RoundColumn column(V(0, 0, 1), 1);  // Beck's, which flutters under 20 EI/L²
  const auto follow = [](double load, Bodies& rods, const Free&, const X&) {
    std::get<0>(rods)[0].set_loads({.finish = {.follower_force = V(0, 0, -load)}});
  };
  const auto branch =
      continue_equilibria(column.bodies, column.none, column.x, 0.0, follow,
                          {.first_step = 0.5, .parameter_scale = 10, .most = 120, .points = 400});
  CHECK(branch.points.back().parameter == 120);
  for (const auto& point : branch.points) CHECK(point.kind == BranchEvent::none);
}

}  // namespace continuation_test
