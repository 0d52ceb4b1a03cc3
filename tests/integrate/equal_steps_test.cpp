// Steps of equal length, whatever the outputs: steps that outputs cut excite a motion periodically, and pump energy into it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace equal_steps_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Body = assembly::RigidBody<double>;

constexpr double length = 1, radius = 0.1;
const V gravity(0, 0, -9.81);

Rod strip(int elements, const Rod::Parameters& given = {}) {
  const rod::RectangularSection<double> section(
      {.width = 0.006, .height = 0.03, .young = 2e9, .poisson = 0.35, .density = 1100});
  Rod::Parameters p = given;
  p.elements = elements;
  p.length = length;
  p.inertia = section.inertia();
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
}

/// The edge of a wheel rolls on z = 0.
struct RollingWheel {
  using Scalar = double;
  static constexpr std::string_view name = "RollingWheel";
  assembly::FrameMarker<double> wheel;
  double radius;
  auto markers() const { return std::tuple{wheel}; }
  template <class T>
  Vec<T, 3> arm(const assembly::FrameState<T>& x) const {
    const Vec<T, 3> k = x.rotation.matrix().col(2);
    const Vec<T, 3> up = Vec<T, 3>(-k[2] * k[0], -k[2] * k[1], T(1) - k[2] * k[2]);
    return -radius * up / up.norm();
  }
  template <class T>
  Vec<T, 3> velocity_constraint(const assembly::FrameState<T>& x, const T&) const {
    return x.velocity + x.angular_velocity.cross(arm(x));
  }
  template <class T>
  Vec<T, 1> position_constraint(const assembly::FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position[2] + arm(x)[2]);
  }
  auto along(const assembly::FrameState<double>&) const { return Eigen::Matrix<double, 1, 3>(0, 0, 1); }
};

/// Energies of a run, which must stay in a band.
struct Band {
  double first = 0, worst = 0;
  long seen = 0;
  template <class P, class State>
  void operator()(const P& problem, const State& at) {
    const double energy = problem.energy(at);
    if (seen++ == 0) first = energy;
    worst = std::max(worst, std::abs(energy - first));
  }
};

/// Every number of a state.
std::vector<double> numbers(const assembly::State<double>& x) {
  std::vector<double> all{x.time};
  for (const auto& chain : x.chains) {
    const auto add = [&](const auto& block) {
      for (Eigen::Index i = 0; i < block.size(); ++i) all.push_back(block.data()[i]);
    };
    add(chain.configuration);
    add(chain.velocity);
  }
  return all;
}

TEST_CASE("energy stays in its band near the stability limit, whatever the outputs", "[drive][rod]") {
  const Rod rod = strip(4);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  auto chain = rod.straight({0, 0, 0}, SO3d::identity());
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double s = static_cast<double>(k) / 4;
    chain.set_velocity(k, {0.3 * std::cos(3 * s), 0.2 * std::cos(7 * s), 0.05 * std::cos(6.28 * s)},
                       {0.1 * s, 0.2, 0.3 * s});
  }
  const auto start = problem.state({chain});
  const double step = 0.9 * stable_step(Verlet{}, problem, start, 1.0);
  for (const auto& [ratio, steps] : {std::pair{1.2, 4000}, {1.5, 4000}, {2.44, 100000}, {3.3, 4000}}) {
    CAPTURE(ratio, steps);
    auto state = start;
    Band band;
    const auto report = drive(Verlet{}, problem, state,
                              {.step = step, .until = steps * step, .output_interval = ratio * step}, band);
    CHECK(report.step == Approx(ratio / std::ceil(ratio) * step).epsilon(1e-14));
    CHECK(report.steps >= steps);
    CHECK(band.worst < 1e-3 * band.first);
  }
}

TEST_CASE(
    "a wheel at the end of a rod keeps its energy near the stability limit, and goes on where it stopped",
    "[drive][assembly]") {
  const int n = 4;
  Rod::Parameters p;
  p.start = rod::Boundary<double>::degrees({true, true, true, true, false, true});  // turns about e2 only
  p.loads.gravity = gravity;
  const Rod arm = strip(n, p);
  const double m = 0.5, a = radius;
  const Body wheel{{.mass = m, .inertia = {m * a * a / 4, m * a * a / 4, m * a * a / 2}, .gravity = gravity}};
  const assembly::Assembly problem{assembly::bodies(std::vector{arm}, std::vector{wheel}),
                                   assembly::constraints(std::vector{assembly::Hinge<double>{{0, n}, {1, 0}}},
                                                         std::vector{RollingWheel{{1, 0}, a}})};
  Mat<double, 3, 3> R;  // e1 = y, e2 = z, e3 = x
  R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const auto turn = SO3d::from_matrix(R);
  auto start = problem.state({arm.straight({0, 0, a}, turn), wheel.at({length, 0, a}, turn)});
  problem.project(start);
  const double step = 0.9 * 2 / problem.wave_frequency_bound(start);
  using Problem = std::remove_const_t<decltype(problem)>;
  using State = Problem::State;
  for (const double ratio : {1.5, 3.3}) {
    CAPTURE(ratio);
    Band band;
    std::vector<State> seen;
    const auto run = [&](State& state, double until) {
      const DriveOptions<Problem> options{
          .step = step, .until = until, .output_interval = ratio * step, .origin = 0.0};
      return drive(Verlet{}, problem, state, options, band,
                   [&](const Problem&, const State& x) { seen.push_back(x); });
    };
    State whole = start;
    const auto report = run(whole, 4000 * step);
    CHECK(report.step == Approx(ratio / std::ceil(ratio) * step).epsilon(1e-14));
    CHECK(band.worst < 1e-6);

    const std::size_t stop = seen.size() / 3;
    const std::vector<State> all = std::exchange(seen, {});
    State halves = start;
    run(halves, static_cast<double>(stop) * ratio * step);
    CHECK(seen.size() == stop + 1);
    seen.clear();
    run(halves, 4000 * step);
    REQUIRE(seen.size() == all.size() - stop);
    CHECK(numbers(halves) == numbers(whole));
    CHECK(numbers(seen[seen.size() / 2]) == numbers(all[stop + seen.size() / 2]));
  }
}

}  // namespace equal_steps_test
