#include <dalembert/analysis/relative_equilibrium.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace relative_equilibrium_test {

using namespace dalembert;
using analysis::equilibrium_branch;
using analysis::relative_equilibrium;
using Catch::Matchers::ContainsSubstring;
using Column = Vec<double, Eigen::Dynamic>;
using Pendulum = LagrangeDAlembert<test::SphericalPendulum<>>;

Pendulum::State at(const Pendulum& pendulum, const Vec<double, 3>& place, const Vec<double, 3>& velocity) {
  return pendulum.state(Rn<double, 3>(place), velocity, 1.5);
}

/// Turning about the vertical.
std::vector<analysis::Symmetry<Pendulum>> turning() {
  return {[](const Pendulum::State& state, double s) {
    const SO3d turn = SO3d::exp({0, 0, s});
    Pendulum::State moved = state;
    moved.g = Rn<double, 3>(turn.act(state.g.coordinates()));
    moved.xi = turn.act(state.xi);
    return moved;
  }};
}

TEST_CASE("a pendulum's equilibria are found from states that obey nothing", "[relative_equilibrium]") {
  const Pendulum pendulum{test::SphericalPendulum<>{}};
  for (const double side : {-1.0, 1.0}) {
    const auto found =
        relative_equilibrium(pendulum, at(pendulum, {0.2, -0.3, 0.7 * side}, {0.1, -0.4, 0.2}), {});
    CAPTURE(side, found.iterations);
    CHECK((found.state.g.coordinates() - Vec<double, 3>(0, 0, side)).norm() < 1e-12);
    CHECK(found.state.xi.norm() < 1e-12);
    CHECK(found.state.time == 1.5);
    CHECK(found.residual < 1e-11);
    CHECK(found.speeds.size() == 0);
    CHECK(found.iterations > 0);
    // From there nothing is left to do.
    CHECK(relative_equilibrium(pendulum, found.state, {}).iterations == 0);
  }
}

TEST_CASE("a conical pendulum turns with the rate of its height", "[relative_equilibrium]") {
  const Pendulum pendulum{test::SphericalPendulum<>{}};
  const auto guess = at(pendulum, {0.8, 0.1, -0.5}, {0.3, 2.5, 0.1});
  // Whichever is near: Ω² = g/|z|.
  const auto any = relative_equilibrium(pendulum, guess, turning());
  const double height = -any.state.g.coordinates()[2];
  CHECK(height > 0.2);
  CHECK(any.speeds[0] * any.speeds[0] * height == Approx(9.81).epsilon(1e-11));
  CHECK((any.state.g.coordinates() - guess.g.coordinates()).norm() < 0.7);
  // The one at a given height, then on a branch of heights.
  const auto fixed = [](const Pendulum&, const Pendulum::State& state, const Column&, double z) {
    return Column(Column::Constant(1, state.g.coordinates()[2] + z));
  };
  const auto branch =
      equilibrium_branch([&](double) { return pendulum; }, guess, turning(), fixed,
                         analysis::BranchOptions<double>{.from = 0.6, .until = 0.05, .step = 0.1});
  REQUIRE(branch.size() >= 6);
  CHECK(branch.front().parameter == 0.6);
  CHECK(branch.back().parameter == 0.05);
  for (std::size_t i = 0; i < branch.size(); ++i) {
    const auto& [z, found] = branch[i];
    CAPTURE(z, found.iterations);
    CHECK(found.speeds[0] == Approx(std::sqrt(9.81 / z)).epsilon(1e-11));
    CHECK(found.state.g.coordinates().norm() == Approx(1).epsilon(1e-14));
    CHECK(std::abs(found.state.xi.norm() - found.speeds[0] * std::sqrt(1 - z * z)) < 1e-11);
    if (i > 0) CHECK(branch[i - 1].parameter - z < 0.101);
  }
}

/// A particle on a line in the potential x³/3 − px, with its equilibria at x² = p.
struct Fold {
  using Group = Rn<double, 1>;
  double p = 1;
  template <class T>
  T lagrangian(const Rn<T, 1>& q, const Vec<T, 1>& v) const {
    const T& x = q.coordinates()[0];
    return v[0] * v[0] / 2 - x * x * x / 3 + p * x;
  }
};
using Line = LagrangeDAlembert<Fold>;

TEST_CASE("a step that leads too far is shortened", "[relative_equilibrium]") {
  // x² = 1 from x = 0.002: the whole step of Newton's method leads to x = 250, and each more only halves that.
  const Line line{Fold{1}};
  const auto found =
      relative_equilibrium(line, line.state(Rn<double, 1>(Vec<double, 1>(0.002)), Vec<double, 1>(0.0)), {});
  CHECK(found.state.g.coordinates()[0] == Approx(1).epsilon(1e-12));
  CHECK(found.iterations <= 8);
  // So are the speeds with it: a pendulum that is far too slow for a cone.
  const Pendulum pendulum{test::SphericalPendulum<>{}};
  for (const double speed : {0.3, 0.6}) {
    const auto cone =
        relative_equilibrium(pendulum, at(pendulum, {0.8, 0.1, -0.3}, {0.1, speed, 0}), turning());
    const double height = -cone.state.g.coordinates()[2];
    CHECK(cone.speeds[0] * cone.speeds[0] * height == Approx(9.81).epsilon(1e-11));
  }
}

TEST_CASE("a branch that turns back ends there and keeps what was found", "[relative_equilibrium]") {
  const auto family = [](double p) { return Line{Fold{p}}; };
  const auto free = [](const Line&, const Line::State&, const Column&, double) { return Column(0); };
  const auto start = family(1).state(Rn<double, 1>(Vec<double, 1>(1.3)), Vec<double, 1>(0.2));
  const std::vector<analysis::Symmetry<Line>> none;
  const auto whole = equilibrium_branch(family, start, none, free,
                                        analysis::BranchOptions<double>{.from = 1, .until = 4, .step = 0.5});
  REQUIRE(whole.size() == 7);
  for (const auto& [p, found] : whole)
    CHECK(found.state.g.coordinates()[0] == Approx(std::sqrt(p)).epsilon(1e-11));
  // Where the branch is a straight line, x = s at p = s², each guess but the first two is right.
  const auto straight =
      equilibrium_branch([&](double s) { return family(s * s); }, start, none, free,
                         analysis::BranchOptions<double>{.from = 1, .until = 3, .step = 0.25});
  REQUIRE(straight.size() == 9);
  for (std::size_t i = 2; i < straight.size(); ++i) CHECK(straight[i].equilibrium.iterations <= 1);
  try {
    (void)equilibrium_branch(family, start, none, free,
                             analysis::BranchOptions<double>{.from = 1, .until = -1, .step = 0.3});
    FAIL("the branch turns back at p = 0");
  } catch (const analysis::BranchEnded<Line>& ended) {
    REQUIRE(ended.points().size() > 3);
    const auto& [p, found] = ended.points().back();
    CHECK(p >= 0);
    CHECK(p < 0.01);
    CHECK(found.state.g.coordinates()[0] == Approx(std::sqrt(p)).margin(1e-6));
    CHECK_THAT(ended.what(), ContainsSubstring("equilibrium_branch: no further than"));
  }
}

TEST_CASE("where there is no relative equilibrium that is said", "[relative_equilibrium]") {
  const Line line{Fold{-1}};
  const auto start = line.state(Rn<double, 1>(Vec<double, 1>(0.3)), Vec<double, 1>(0.0));
  CHECK_THROWS_AS(relative_equilibrium(line, start, {}), NoConvergence);
  CHECK_THROWS_WITH(relative_equilibrium(line, start, {}),
                    ContainsSubstring("Newton's method stops at a residual of"));
  const auto free = [](const Line&, const Line::State&, const Column&, double) { return Column(0); };
  const std::vector<analysis::Symmetry<Line>> none;
  CHECK_THROWS_AS(equilibrium_branch([&](double) { return line; }, start, none, free,
                                     analysis::BranchOptions<double>{.from = 1, .until = 2, .step = 0.0}),
                  std::invalid_argument);
  CHECK_THROWS_AS(equilibrium_branch([&](double) { return line; }, start, none, free,
                                     analysis::BranchOptions<double>{.from = 1, .until = 2, .step = 0.1}),
                  NoConvergence);
}

}  // namespace relative_equilibrium_test
