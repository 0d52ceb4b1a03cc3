// What every explicit integrator obeys, on groups and vector spaces.

#include <cmath>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/allocations.hpp"
#include "support/cases.hpp"
#include "support/catch.hpp"
#include "support/systems.hpp"

namespace integrator_laws_test {

using namespace dalembert;
using namespace test;

auto skate_case() {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  return Case{"skate on SE(2)", problem, problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7})};
}
auto top_case() {
  const LagrangeDAlembert problem{HeavyTop<>{}};
  return Case{"heavy top on SO(3)", problem, problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, -2})};
}
auto particle_case() {
  const LagrangeDAlembert problem{NonholonomicParticle<>{}};
  return Case{"particle in R3", problem,
              problem.state(Rn<double, 3>(Vec<double, 3>(0, -1, 0)), {1.2, 0.8, -1.2})};
}

template <class M, class P>
auto after(const M& method, const Case<P>& test_case, double step, double until) {
  auto state = test_case.start;
  drive(method, test_case.problem, state, {.step = step, .until = until});
  return state;
}

/// The order seen between two steps, against a run of order 5 with a step eight times shorter than the shorter
/// one, or of order 8 with one four times shorter.
template <class M, class P>
double observed_order(const M& method, const Case<P>& test_case, double step) {
  constexpr double until = 1.0;
  const auto reference = [&] {
    if constexpr (M::order < 8)
      return after(DormandPrince54{}, test_case, step / 16, until);
    else
      return after(DormandPrince853{}, test_case, step / 8, until);
  }();
  const double coarse = distance(after(method, test_case, step, until), reference);
  const double fine = distance(after(method, test_case, step / 2, until), reference);
  CAPTURE(coarse, fine);
  CHECK(fine > 5e-13);  // above round-off, or the ratio means nothing
  return std::log2(coarse / fine);
}

template <class P>
void check_orders(const Case<P>& test_case, double step4, double step5) {
  CAPTURE(test_case.name);
  CHECK(observed_order(RungeKutta4{}, test_case, step4) == Approx(4).margin(0.15));
  CHECK(observed_order(DormandPrince54{}, test_case, step5) == Approx(5).margin(0.15));
  CHECK(observed_order(RungeKutta4{.project = true}, test_case, step4) == Approx(4).margin(0.15));
  CHECK(observed_order(DormandPrince54{.project = true}, test_case, step5) == Approx(5).margin(0.15));
}

TEST_CASE("methods converge with their order, and no faster", "[laws][order]") {
  check_orders(sleigh_case(), 1.0 / 32, 1.0 / 16);
  check_orders(skate_case(), 1.0 / 32, 1.0 / 16);
  check_orders(top_case(), 1.0 / 64, 1.0 / 64);
  check_orders(suslov_case(), 1.0 / 16, 1.0 / 8);
  check_orders(particle_case(), 1.0 / 32, 1.0 / 8);
}

TEST_CASE("the method of order 8 converges with its order, and no faster", "[laws][order]") {
  CHECK(observed_order(DormandPrince853{}, sleigh_case(), 1.0 / 4) == Approx(8).margin(0.15));
  CHECK(observed_order(DormandPrince853{}, top_case(), 1.0 / 4) == Approx(8).margin(0.15));
  // A faster particle, whose steps of 1/8 s show their order well above round-off.
  auto particle = particle_case();
  particle.start = particle.problem.state(Rn<double, 3>(Vec<double, 3>(0, 0.5, 0)), {1.2, 1.5, 0.6});
  CHECK(observed_order(DormandPrince853{}, particle, 1.0 / 4) == Approx(8).margin(0.15));
}

template <class M, class P>
void check_same_motion(const M& method, const Case<P>& test_case, const typename P::State::Group& frame) {
  check_equivariance(test_case, frame, [&](const auto& from) { return after(method, from, 0.05, 2.0); });
}

TEST_CASE("a change of the spatial frame changes nothing but that, at any step", "[laws]") {
  check_same_motion(RungeKutta4{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(DormandPrince54{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(DormandPrince853{}, sleigh_case(), SE2d(3, -4, 2));
  check_same_motion(RungeKutta4{}, suslov_case(), SO3d::exp({1, -2, 0.5}));
  check_same_motion(DormandPrince54{.project = true}, suslov_case(), SO3d::exp({1, -2, 0.5}));
}

template <class P>
void check_agreement(const Case<P>& test_case) {
  CAPTURE(test_case.name);
  CHECK(distance(after(RungeKutta4{}, test_case, 5e-4, 2.0), after(DormandPrince54{}, test_case, 5e-3, 2.0)) <
        1e-10);
}

TEST_CASE("methods agree", "[laws]") {
  check_agreement(sleigh_case());
  check_agreement(skate_case());
  check_agreement(top_case());
  check_agreement(suslov_case());
  check_agreement(particle_case());
  CHECK(distance(after(DormandPrince853{}, top_case(), 2e-2, 2.0),
                 after(DormandPrince54{}, top_case(), 5e-3, 2.0)) < 1e-10);
}

TEST_CASE("the group is kept to round-off, however long the step", "[laws]") {
  auto test_case = top_case();
  const auto state = after(RungeKutta4{}, test_case, 0.2, 2000.0);
  CHECK(std::abs(std::hypot(state.g.w(), state.g.v().norm()) - 1) < 1e-15);
}

TEST_CASE("projection keeps constraints to round-off where the bare method lets them drift", "[laws]") {
  const LagrangeDAlembert problem{SphericalPendulum<>{}};
  const auto start = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0.5});
  auto bare = start, kept = start;
  drive(RungeKutta4{}, problem, bare, {.step = 0.01, .until = 5.0});
  drive(RungeKutta4{.project = true}, problem, kept, {.step = 0.01, .until = 5.0});
  CHECK(problem.constraint(bare).position > 1e-9);
  CHECK(problem.constraint(kept).position < 1e-15);
  CHECK(problem.constraint(kept).velocity < 1e-14);
}

/// The sleigh on ice that ends at x = 1.
struct Ice {
  using Group = SE2<double>;
  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {
    if (value_of(g.translation()[0]) > 1) throw InvalidState("the ice has ended", 0);
    return (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }
};

template <class M>
void check_strong_guarantee(const M& method) {
  const LagrangeDAlembert problem{Ice{}};
  // The step ends beyond the ice, or only its later stages do.
  for (const double h : {0.2, 0.1, 0.06}) {
    auto state = problem.state(SE2d(0.95, 0, 0), {1, 0, 0.1}, 3);
    const auto before = state;
    auto stepper = method.stepper(problem, state);
    REQUIRE_THROWS_AS(stepper.step(problem, state, h), InvalidState);
    CHECK(state == before);
    CHECK(stepper.step(problem, state, 0.01).converged);
    CHECK(state.time == 3.01);
  }
}

TEST_CASE("a step that throws leaves the state as it was, and the stepper usable", "[laws]") {
  check_strong_guarantee(RungeKutta4{});
  check_strong_guarantee(DormandPrince54{});
  check_strong_guarantee(DormandPrince853{});
  check_strong_guarantee(RungeKutta4{.project = true});
}

template <class M, class P>
void check_no_allocation(const M& method, const Case<P>& test_case) {
  CAPTURE(test_case.name);
  auto state = test_case.start, between = state;
  auto stepper = method.stepper(test_case.problem, state);
  bool converged = true;
  const long allocations = allocations_during([&] {
    for (int i = 0; i < 10; ++i) {
      converged = converged && stepper.step(test_case.problem, state, 0.01).converged;
      if constexpr (HasDenseOutput<M>)
        converged = converged && stepper.interpolate(test_case.problem, 0.3, between).converged;
    }
  });
  CHECK(allocations == 0);
  CHECK(converged);
}

TEST_CASE("the counter of allocations counts", "[laws][allocation]") {
  const long of_library = allocations_during([] {
    const std::vector<double> numbers(1000, 1.0);
    volatile const double* const keep = numbers.data();
    (void)*keep;
  });
  const long of_eigen = allocations_during([] {
    const Eigen::VectorXd numbers = Eigen::VectorXd::Ones(1000);
    volatile const double* const keep = numbers.data();
    (void)*keep;
  });
  CHECK(of_library > 0);
  CHECK(of_eigen > 0);
}

TEST_CASE("a step does not allocate, nor does what is interpolated between its ends", "[laws][allocation]") {
  check_no_allocation(RungeKutta4{}, sleigh_case());
  check_no_allocation(DormandPrince54{}, sleigh_case());
  check_no_allocation(DormandPrince54{.project = true}, skate_case());
  check_no_allocation(DormandPrince853{}, sleigh_case());
  check_no_allocation(DormandPrince853{.project = true}, top_case());
  check_no_allocation(RungeKutta4{.project = true}, top_case());
  const LagrangeDAlembert pendulum{SphericalPendulum<>{}};
  check_no_allocation(
      RungeKutta4{.project = true},
      Case{"pendulum", pendulum, pendulum.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0})});
  const LagrangeDAlembert redundant{TwoRows<>{}};
  check_no_allocation(RungeKutta4{.project = true},
                      Case{"redundant rows", redundant, redundant.state(Rn<double, 2>(), {1, 0})});
}

}  // namespace integrator_laws_test
