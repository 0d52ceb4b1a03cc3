// Two rods that are hooked into each other, in static equilibrium.

#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace static_crossing_test {

using namespace dalembert;
using namespace dalembert::contact;
using dalembert::rod::Boundary;
using dalembert::rod::Chain;
using R = dalembert::rod::ElasticRod<double>;
using V = Vec<double, 3>;
using State = assembly::State<double>;
using Options = assembly::StaticOptions<double>;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double degree = static_cast<double>(pi / 180);

/// Two rods, stretched by a quarter, that touch where they cross; the hook then raises the ends of rod 1 and lowers those of rod 2.
struct Case {
  int elements = 60;
  double radius = 0.005;
  double angle = 75 * degree;
  double hook = 0.06;
  double width = 0.02;
  std::array<double, 2> at{0.42, 0.55};
  Mat<double, 3> turn = Mat<double, 3>::Identity();
  V shift = V::Zero();
  double thicker = 0;  ///< rod 1 in the contact [m]
  bool bilateral = false;

  [[nodiscard]] std::vector<R> rods() const {
    R::Parameters p;
    p.start = p.finish = Boundary<double>::clamped();
    const R one = test::soft_rod<R>(radius, elements, p);
    return {one, one};
  }
  [[nodiscard]] std::vector<Chain<double>> chains(const std::vector<R>& rods) const {
    std::vector<Chain<double>> both;
    for (std::size_t i = 0; i < 2; ++i) {
      const V d(i == 0 ? 1.0 : std::cos(angle), i == 0 ? 0.0 : std::sin(angle), 0.0);
      Mat<double, 3> axes;
      axes << V::UnitZ(), d.cross(V::UnitZ()), d;
      const V origin = -1.25 * at[i] * d + (i == 0 ? -radius : radius) * V::UnitZ();
      both.push_back(rods[i].straight(shift + turn * origin, test::rotation<double>(turn * axes), 1.25));
    }
    return both;
  }
};

template <class K>
struct Solved {
  using Problem = assembly::Assembly<assembly::Kinds<R>, assembly::Kinds<contact::RollingContact<double, K>>>;
  assembly::Kinds<R> rods;
  assembly::Kinds<contact::RollingContact<double, K>> contacts;
  State state;
  assembly::StaticEquilibrium<double> found{};

  explicit Solved(const Case& c)
      : rods(assembly::bodies(c.rods())),
        contacts(assembly::constraints(
            std::vector{contact::RollingContact<double, K>{{0, std::get<0>(rods)[0], c.width},
                                                           {1, std::get<0>(rods)[1], c.width},
                                                           c.radius + c.thicker,
                                                           c.radius,
                                                           c.bilateral}})),
        state(problem().state(c.chains(std::get<0>(rods)), Vec<double, 2>(c.at[0], c.at[1]))) {}

  Problem problem() const { return Problem{rods, contacts}; }
  const contact::RollingContact<double, K>& crossing() const { return std::get<0>(contacts)[0]; }
  ContactEvaluation<double> view() const { return contact::evaluate(crossing(), state, found.lambda); }
  double normal_force() const { return found.multipliers[0]; }
};

/// The ends of rod 1 rise by the hook, those of rod 2 sink by it.
auto hook(const Case& c, const State& start) {
  return [&c, chains = start.chains](double factor, auto&, auto&, State& moved) {
    for (std::size_t i = 0; i < 2; ++i)
      for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(c.elements)}) {
        const V lift = c.turn * V(0, 0, (i == 0 ? 1 : -1) * factor * c.hook);
        rod::put3<0>(moved[i].configuration, k, V(chains[i].position(k) + lift));
      }
  };
}

template <class K = CubicSpline>
Solved<K> solve(const Case& c, const Options& options = {}) {
  Solved<K> x(c);
  x.found = assembly::static_equilibrium(x.rods, x.contacts, x.state, hook(c, x.state), options);
  return x;
}

/// V of both rods, and V − λ(d − target) with d the least distance of the averaged centrelines.
double energy(const Solved<CubicSpline>& x, const std::vector<Chain<double>>& chains) {
  const auto& rods = std::get<0>(x.rods);
  return potential_energy(rods[0], chains[0]) + potential_energy(rods[1], chains[1]);
}
double lagrangian(const Solved<CubicSpline>& x, const std::vector<Chain<double>>& chains) {
  const State moved = x.problem().state(chains, x.state.z);
  return energy(x, chains) - x.normal_force() * contact::evaluate(x.crossing(), moved, x.found.lambda).gap;
}

TEST_CASE("Hooked rods touch, each where the other is nearest", "[contact][statics]") {
  struct Known {
    double angle, s1, s2, force, energy;
  };
  for (const Known& known :
       {Known{90, 0.42123454223985, 0.54919307482251, 4.0169255308686, 5.1475696992896},
        Known{75, 0.42109346405028, 0.54943128431113, 4.0171746189345, 5.1475799881385},
        Known{60, 0.4210585883477, 0.54963628758845, 4.0173205924154, 5.1475860303914},
        Known{45, 0.42114400970502, 0.54987487893213, 4.0173902472429, 5.1475889469317},
        Known{-70, 0.42107041066399, 0.54950033988198, 4.0172327917164, 5.1475823922446},
        Known{110, 0.42166262420873, 0.5486929161105, 4.0163041786743, 5.147543972025}}) {
    CAPTURE(known.angle);
    const auto x = solve({.angle = known.angle * degree});
    const auto view = x.view();
    CHECK(std::abs(view.gap) < 1e-15);
    CHECK(view.tangency < 1e-15);
    CHECK(view.normal[2] > 0.99);
    CHECK((view.s - Vec<double, 2>(known.s1, known.s2)).norm() < 1e-10);
    CHECK_THAT(x.normal_force(), WithinRel(known.force, 1e-9));
    CHECK_THAT(x.found.energy, WithinRel(known.energy, 1e-12));
    CHECK_THAT(x.found.energy, WithinRel(energy(x, x.state.chains), 1e-15));
    CHECK((x.state[0].position(0) - V(-1.25 * 0.42, 0, 0.055)).norm() < 1e-15);
  }
}

TEST_CASE("At rest the rolling contact carries the same force and nothing accelerates",
          "[contact][statics]") {
  const auto x = solve({});
  const auto problem = x.problem();
  auto rates = problem.make_rates();
  problem.rates(x.state, rates);
  const auto view = contact::evaluate(x.crossing(), x.state, rates.lambda);
  CHECK_THAT(view.components[0], WithinRel(x.normal_force(), 1e-9));
  CHECK(view.components.tail<2>().norm() < 1e-9);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(rates.loads[i].block(1, 0, 59, 3).abs().maxCoeff() < 1e-9);
    CHECK(rates.loads[i].block(1, 3, 59, 3).abs().maxCoeff() < 1e-11);
  }
}

TEST_CASE("The normal force is the derivative of the energy by the gap", "[contact][statics]") {
  const double step = 1e-5;
  const auto at = [&](double extra) { return solve({.thicker = extra}); };
  const double slope = (at(step).found.energy - at(-step).found.energy) / (2 * step);
  CHECK_THAT(slope, WithinRel(at(0.0).normal_force(), 1e-6));
}

TEST_CASE("The energy is stationary among rods that touch", "[contact][statics]") {
  const auto x = solve({});
  test::Random random(test::seed());
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Chain<double>> plus = x.state.chains, minus = x.state.chains;
    const test::Wave<double> shift0(random), shift1(random), turn0(random), turn1(random);
    for (Eigen::Index k = 1; k < 60; ++k) {
      const double s = double(k) / 60, fade = s * (1 - s);
      for (const double sign : {1.0, -1.0}) {
        auto& chains = sign > 0 ? plus : minus;
        move_node(chains[0], k, V(sign * 1e-4 * fade * shift0(s)), V(sign * 1e-3 * fade * turn0(s)));
        move_node(chains[1], k, V(sign * 1e-4 * fade * shift1(s)), V(sign * 1e-3 * fade * turn1(s)));
      }
    }
    const double slope = lagrangian(x, plus) - lagrangian(x, minus);
    const double curvature = lagrangian(x, plus) + lagrangian(x, minus) - 2 * x.found.energy;
    CHECK(curvature > 0.0);
    CHECK(std::abs(slope) < 1e-3 * curvature);
    CHECK(std::abs(energy(x, plus) - energy(x, minus)) >
          10 * std::abs(slope));  // without the contact it is not
  }
}

TEST_CASE("With the contact's curvature Newton converges quadratically, in one load step too",
          "[contact][statics]") {
  for (const double angle : {90.0, 60.0, 40.0}) {
    CAPTURE(angle);
    const Case c{.angle = angle * degree};
    const auto x = solve(c, {.first_step = 1.0});
    CHECK(x.found.search.load_steps == 1);
    CHECK(x.found.search.iterations <= 7);
    const auto slow = solve(c, {.first_step = 0.05, .largest_step = 0.1});
    CHECK(slow.found.search.load_steps >= 10);
    CHECK_THAT(slow.normal_force(), WithinRel(x.normal_force(), 1e-9));
    CHECK((slow.state.z - x.state.z).norm() < 1e-10);
  }
}

TEST_CASE("A contact is the same wherever it is", "[contact][statics]") {
  const auto x = solve({});
  Case moved;
  moved.turn = test::rotation_matrix<double>(V(0.4, -1.1, 0.8));
  moved.shift = V(0.3, 0.2, -0.7);
  const auto y = solve(moved);
  CHECK((y.state.z - x.state.z).norm() < 1e-12);
  CHECK_THAT(y.normal_force(), WithinRel(x.normal_force(), 1e-9));
  CHECK_THAT(y.found.energy, WithinRel(x.found.energy, 1e-12));
  CHECK((y.view().normal - moved.turn * x.view().normal).norm() < 1e-9);

  // rods that cross in their middles are alike under a half turn that exchanges them
  const auto alike = solve({.at = {0.5, 0.5}});
  CHECK((Vec<double, 2>(alike.state.z) - Vec<double, 2>(0.5, 0.5)).norm() < 1e-12);
  const auto mirrored = solve({.at = {0.55, 0.42}});
  CHECK_THAT(mirrored.state.z[0], WithinAbs(x.state.z[1], 1e-9));
  CHECK_THAT(mirrored.state.z[1], WithinAbs(x.state.z[0], 1e-9));
}

TEST_CASE("At a fixed kernel width the contact converges with the square of the spacing",
          "[contact][statics]") {
  double energies[4], forces[4];
  for (int i = 0; i < 4; ++i) {
    const auto x = solve({.elements = 50 << i, .width = 0.04});
    energies[i] = x.found.energy;
    forces[i] = x.normal_force();
  }
  const auto order = [](const double* f) { return std::log2((f[2] - f[1]) / (f[3] - f[2])); };
  CHECK_THAT(order(energies), WithinAbs(2.0, 0.15));
  CHECK_THAT(order(forces), WithinAbs(2.0, 0.15));
}

/// Another form of the contact is at rest nearby: its places move a little, and the gap by less than a hundredth of a per cent of the radii.
template <class Contact>
void is_near(const Solved<CubicSpline>& x) {
  const auto& c = x.crossing();
  const Contact other{c.first, c.second, c.radius1, c.radius2};
  const assembly::Assembly problem{x.rods, assembly::constraints(std::vector{other})};
  State y = x.state;
  problem.solve_tangencies(y);
  auto rates = problem.make_rates();
  problem.rates(y, rates);
  const auto view = contact::evaluate(other, y, rates.lambda);
  CHECK(view.tangency < 1e-14);
  CHECK(std::abs(view.gap) < 1e-6);
  CHECK((y.z - x.state.z).norm() < 1e-3);
}
template <class K>
void is_near() {
  const auto x = solve({});
  const auto y = solve<K>({});
  CHECK_THAT(y.normal_force(), WithinRel(x.normal_force(), 0.05));
  CHECK(y.normal_force() != x.normal_force());
  CHECK((y.state.z - x.state.z).norm() < 1e-3);
  CHECK(std::abs(y.view().gap) < 1e-15);
}

TEST_CASE("Every kernel, averaging and tangency has its static contact", "[contact][statics]") {
  is_near<QuinticSpline>();
  is_near<CompactKernelValue>();
  const auto x = solve({});
  is_near<RollingOfRods<double, CubicSpline, BodyAveraging>>(x);
  is_near<RollingOfRods<double, CubicSpline, SpatialAveraging, MaterialTangency>>(x);
  is_near<RollingOfRods<double, CubicSpline, BodyAveraging, CentredTangency>>(x);
}

TEST_CASE("Rods that would have to pull each other are refused, unless glued", "[contact][statics]") {
  CHECK_THROWS_AS(solve({.hook = -0.02}), ContactOpened);
  const auto glued = solve({.hook = -0.02, .bilateral = true});
  CHECK_THAT(glued.normal_force(), WithinRel(-1.3175010133569, 1e-9));
  CHECK_THAT(glued.found.energy, WithinRel(4.9350613912705, 1e-11));
  CHECK(std::abs(glued.view().gap) < 1e-15);
}

TEST_CASE("A load step that fails takes the contact back with the rods", "[contact][statics]") {
  const Case c;
  Solved<CubicSpline> x(c);
  // once, a load under which the rods slide off each other
  int calls = 0;
  const auto path = [&, lift = hook(c, x.state)](double factor, auto& rods, auto& contacts, State& moved) {
    rod::Loads<double> loads;
    if (++calls == 2) loads.gravity = V(0, 1e4, 0);
    std::get<0>(rods)[0].set_loads(loads);
    lift(factor, rods, contacts, moved);
  };
  x.found = assembly::static_equilibrium(x.rods, x.contacts, x.state, path);
  const auto straight_on = solve(c);
  CHECK(calls == x.found.search.load_steps + 1);
  CHECK_THAT(x.normal_force(), WithinRel(straight_on.normal_force(), 1e-9));
  CHECK((x.state.z - straight_on.state.z).norm() < 1e-10);
}

TEST_CASE("What has no contact says so", "[contact][statics]") {
  CHECK_THROWS_AS(solve({.at = {0.02, 0.5}}), ContactAtEnd);
  CHECK_THROWS_AS(solve({.angle = 0.1 * degree}), ParallelRods);
  CHECK_THROWS_AS(solve({}, {.iterations = 1, .smallest_step = 0.05}), NoConvergence);
}

TEST_CASE("A path that carries one rod through the other is refused", "[contact][statics]") {
  const Case c;
  Solved<CubicSpline> x(c);
  const auto through = [&](double, auto&, auto&, State& moved) {
    test::transform<double>(moved[1], Mat<double, 3>::Identity(), V(0, 0, -4 * c.radius));
  };
  CHECK_THROWS_AS(assembly::static_equilibrium(x.rods, x.contacts, x.state, through), InvalidState);
}

}  // namespace static_crossing_test
