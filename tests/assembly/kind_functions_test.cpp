// Drifts, and places that move along bodies, beside differences of states that are moved by hand.

#include <dalembert/assembly/detail/kind_functions.hpp>

#include <cmath>
#include <string_view>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"
#include "support/on_axis.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"

namespace kind_functions_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Bead = contact::Bead<double>;
using V3 = Vec<double, 3>;

static_assert(is_small<Weld<double>> && is_small<test::Numbered>);
static_assert(!is_small<SphericalJoint<double>> && !is_small<test::Blades> && !is_small<Bead>);

/// The state after a time, in which nodes keep their velocities and places move at this rate.
State<double> later(const State<double>& x, double rate, double h) {
  State<double> y = x;
  y.time += h;
  for (double& z : y.z) z += h * rate;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      y[b].set_frame(k, x[b].rotation(k) * SO3<double>::exp(V3(h * x[b].angular_velocity(k))),
                     x[b].position(k) + h * x[b].linear_velocity(k));
  return y;
}
template <class C>
PlacedConstraint<C> moving_in(const C& c, const State<double>& x) {
  PlacedConstraint<C> placed(c, x, 0);
  find_velocities(placed.evaluator, x, placed.evaluation, placed.weights.data());
  return placed;
}

TEST_CASE("positions accelerate by their drift while nodes keep their velocities, places their rates",
          "[assembly][kind_functions]") {
  test::DenseNodes scene(test::seed(), {2, 1});
  auto& draw = scene.set.draw;
  constexpr double h = 1e-4;
  const auto check = [&](const auto& c, double rate) {
    State<double> x = scene.x;
    x.z = Vec<double, 1>(0.7);
    auto placed = moving_in(c, x);
    if constexpr (decltype(placed.evaluation)::Z > 0) placed.evaluation.zdot[0] = rate;
    // of the rate by what nodes do, as nodes and places move
    const auto at = [&](double a, double b) {
      return moving_in(c, later(later(x, rate, a), 0, b)).evaluation.error;
    };
    const auto wanted = ((at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h)).eval();
    const auto found = error_drift(placed.evaluator, placed.evaluation, x);
    CHECK((found - wanted).norm() < 1e-6 * (1 + wanted.norm()));
  };
  check(test::between_nodes<test::Ways>(draw, 0, 1, 1, 0), 0);
  const double rate = draw.between(0.5, 1);
  check(test::OnAxis{{0, 0, draw.vector(), draw.direction(), 2.0}, {1, 0, draw.vector(), draw.rotation()}},
        rate);
}

/// A distance whose rate is a part of a row that changes with where the frames are.
struct Varying : test::Leash {
  static constexpr std::string_view name = "Varying";
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    const Vec<T, 3> d = apart(a, b), v = b.velocity - a.velocity;
    const T stretch = d.dot(v) - 0.4 * t + 0.5 * d[2] + 0.5 * t * v[2];
    return {(1.0 + d[0] * d[0]) * stretch, d[0] * v[1] - d[1] * v[0]};
  }
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>& a, const FrameState<double>& b) const {
    const double x = apart(a, b)[0];
    return {1 / (1 + x * x), 0};
  }
};

TEST_CASE("where rows are friction, their drift keeps positions closed and leaves the slip as it is",
          "[assembly][kind_functions]") {
  using Rubbing = contact::Frictional<Varying>;
  test::DenseNodes scene(test::seed(), {2, 1});
  const auto c = test::between_nodes<Rubbing>(scene.set.draw, 0, 1, 1, 0);
  auto placed = moving_in(c, scene.x);
  auto& e = placed.evaluation;
  placed.evaluator.find_drift(e, scene.x);
  const auto before = e.drift;
  follow_errors(placed.evaluator, e, scene.x);  // ε = 0
  CHECK(e.drift == before);
  e.friction.find(0.3, e.along);
  find_rates(c, scene.x, placed.weights.data(), e);
  const auto wanted = error_drift(placed.evaluator, e, scene.x);
  CHECK((e.along * e.drift - wanted).norm() < 1e-13 * (1 + wanted.norm()));
  CHECK(e.friction.rubbing(e.drift - before).norm() < 1e-13 * (1 + before.norm()));
  CHECK((e.drift - before).norm() > 1e-3);
}

/// A bead that says both where it is, and how it moves there.
struct Both : test::Runner {
  static constexpr std::string_view name = "Both";
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& r, const FrameState<T>& x) const {
    return bead.tangency(r, x);
  }
};

/// A bent rod, and a body beside it whose marker is nearest to the place z of the rod.
struct OnRod {
  test::Random random{test::seed()};
  rod::ElasticRod<double> rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 12);
  Bead bead{{0, rod, 0.15}, {1, 0, {0.1, -0.2, 0.05}}};
  State<double> x;

  OnRod() {
    x.time = 0.3;
    x.chains = {test::random_chain(rod, test::rotation_matrix<double>(random.vector<double>()), random),
                Chain<double>(1)};
    x.z = Vec<double, 3>(0.2, 0.46, 0.3);
    const PlacedConstraint<Bead> placed(bead, x, 1);
    x[1].set_frame(0, SO3<double>::identity(), placed.evaluation.points[0].R - bead.marker.offset);
    x[1].set_velocity(0, {0.2, -0.3, 0.5}, {0.7, 0.1, -0.4});
  }
};

TEST_CASE("a place moves so that its tangency stays", "[assembly][kind_functions]") {
  const OnRod scene;
  State<double> x = scene.x;
  x.z = Vec<double, 1>(0.46);
  PlacedConstraint<Bead> placed(scene.bead, x, 0);
  find_slopes(placed.evaluator, x, placed.evaluation);
  find_rates(scene.bead, x, placed.weights.data(), placed.evaluation);
  const double rate = placed.evaluation.zdot[0];
  constexpr double h = 1e-5;
  const auto f = [&](double step) {
    const State<double> y = later(x, rate, step);
    auto moved = moving_in(scene.bead, y);
    return moved.evaluator.tangency(moved.evaluation, y).first[0];
  };
  CHECK(std::abs(rate) > 0.01);
  CHECK(std::abs(f(h) - f(-h)) / (2 * h) < 1e-7);
  const auto drift = placed.evaluation.drift;
  placed.evaluator.find_drift(placed.evaluation, x);
  CHECK(drift == placed.evaluation.drift);
}

TEST_CASE("places are sought for all constraints of a list, or but for those that follow their rates",
          "[assembly][kind_functions]") {
  const OnRod scene;
  const Slot first{.z = 1};
  const auto found = [&](const auto& c, bool all) -> V3 {
    State<double> x = scene.x;
    x.z[1] += 0.01;
    x.z[2] = 0.44;
    assembly::detail::solve_tangencies(std::vector{c, c}, first, x, all);
    CHECK(x.z[0] == 0.2);
    return V3(x.z) - V3(0.2, 0.46, 0.46);
  };
  CHECK(found(scene.bead, true).norm() < 1e-12);
  CHECK(found(scene.bead, false).norm() < 1e-12);
  const Both both{{scene.bead, 0.3}};
  CHECK(found(both, true).norm() < 1e-12);
  CHECK((found(both, false) - V3(0, 0.01, -0.02)).norm() < 1e-15);
}

/// A bead whose place is not sought again in each step.
struct Integrated : Bead {
  static constexpr std::string_view name = "Integrated";
  bool integrated() const { return true; }
};

TEST_CASE("places move at their rates, or at those in the middle of a step", "[assembly][kind_functions]") {
  const OnRod scene;
  const test::Runner runner{scene.bead, 0.25};
  const Vec<double, Eigen::Dynamic> zdot = V3(5, 7, 11);
  const double h = 0.01;
  const auto slid = [&](const auto& c, std::size_t number, bool in_middle) {
    State<double> x = later(scene.x, 0, h / 2);
    assembly::detail::slide(c, Slot{.z = 1}, number, scene.x, zdot, h, x, in_middle);
    CHECK(x.z[0] == 0.2);
    CHECK(x.z[number == 0 ? 2 : 1] == scene.x.z[number == 0 ? 2 : 1]);
    return (x.z[number == 0 ? 1 : 2] - scene.x.z[number == 0 ? 1 : 2]) / h;
  };
  CHECK(slid(scene.bead, 0, false) == Approx(7));
  CHECK(slid(scene.bead, 0, true) == Approx(7));  // its tangency says where it is
  CHECK(slid(scene.bead, 1, false) == Approx(11));
  CHECK(slid(runner, 1, false) == Approx(11));
  State<double> middle = later(scene.x, 0, h / 2);
  const auto placed = [&] {
    PlacedConstraint<test::Runner> p(runner, middle, 1);
    find_velocities(p.evaluator, middle, p.evaluation, p.weights.data());
    return p;
  }();
  const auto seen = placed.evaluator.now(placed.evaluation.points);
  CHECK(slid(runner, 0, true) == Approx(runner.sliding(seen[0], seen[1], middle.time)[0]));
  // or so that the tangency stays, where it is not sought again
  const double rate = slid(Integrated{scene.bead}, 0, true);
  const auto f = [&](double step) {
    State<double> y = later(middle, rate, step);
    const PlacedConstraint<Bead> moved(scene.bead, y, 1);
    return moved.evaluator.tangency(moved.evaluation, y).first[0];
  };
  CHECK(std::abs(rate) > 0.01);
  CHECK(std::abs(f(1e-5) - f(-1e-5)) / 2e-5 < 1e-7);
}

}  // namespace kind_functions_test
