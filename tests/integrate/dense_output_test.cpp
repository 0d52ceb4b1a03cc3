#include <dalembert/integrate/dense_output.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"
#include "support/systems.hpp"

namespace dense_output_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using test::Pendulum;

static_assert(HasDenseOutput<RungeKutta4> && HasDenseOutput<DormandPrince54> &&
              HasDenseOutput<DormandPrince853>);
static_assert(RungeKutta4::dense_order == 3 && DormandPrince54::dense_order == 4 &&
              DormandPrince853::dense_order == 7);

/// A method that cannot be interpolated.
struct Tableau2 {
  static constexpr int stages = 2, order = 2;
  static constexpr bool first_same_as_last = false;
  template <class S>
  static constexpr tableau::Square<S, 2> a = {{{}, {S(1) / S(2)}}};
  template <class S>
  static constexpr tableau::Row<S, 2> b = {S(0), S(1)};
};
using Midpoint = ExplicitRungeKutta<Tableau2>;
template <class M, class P>
using StepperOf = decltype(M{}.stepper(std::declval<const P&>(), std::declval<const typename P::State&>()));
static_assert(!HasDenseOutput<Midpoint> && MethodFor<Midpoint, Pendulum>);
static_assert(!DenseStepperFor<StepperOf<Midpoint, Pendulum>, Pendulum>);
static_assert(DenseStepperFor<StepperOf<DormandPrince853, Pendulum>, Pendulum>);

using Top = LagrangeDAlembert<test::HeavyTop<long double>>;

template <class State>
auto distance(const State& a, const State& b) {
  return (a.g.inverse() * b.g).log().norm() + (a.xi - b.xi).norm();
}
double distance(const Pendulum::State& a, const Pendulum::State& b) {
  return std::hypot(a.q - b.q, a.v - b.v);
}

/// The largest error of interpolated states in a step of length h; what is right comes from short steps of
/// order 8.
template <class M, class P, class S = typename P::Scalar>
S worst_between(const P& problem, const typename P::State& start, S h) {
  auto state = start, truth = start, between = start;
  auto stepper = M{}.stepper(problem, state);
  (void)stepper.step(problem, state, h);
  auto reference = DormandPrince853{}.stepper(problem, truth);
  S worst = 0;
  constexpr int places = 16;
  for (int i = 1; i < places; ++i) {
    (void)reference.step(problem, truth, h / places);
    (void)stepper.interpolate(problem, static_cast<S>(i) / places, between);
    worst = std::max(worst, distance(between, truth));
  }
  return worst;
}

template <class M, class P, class S = typename P::Scalar>
void check_order(const P& problem, const typename P::State& start, S h) {
  const S coarse = worst_between<M>(problem, start, h), fine = worst_between<M>(problem, start, h / 2);
  CAPTURE(coarse, fine);
  CHECK(fine > 1000 * std::numeric_limits<S>::epsilon());
  CHECK(std::log2(coarse / fine) == Approx(M::dense_order + 1).margin(0.15));
}

/// Both ends of an interpolated step are the ends of the step, to round-off, and nothing lies in the wrong
/// half.
template <class M, class P, class S = typename P::Scalar>
void check_ends(const M& method, const P& problem, const typename P::State& start, S h) {
  auto state = start, between = start;
  auto stepper = method.stepper(problem, state);
  (void)stepper.step(problem, state, h);
  const S round_off = 20 * std::numeric_limits<S>::epsilon();
  REQUIRE(stepper.interpolate(problem, S(0), between).converged);
  CHECK(distance(between, start) < round_off);
  CHECK(between.time == start.time);
  REQUIRE(stepper.interpolate(problem, S(1), between).converged);
  CHECK(distance(between, state) < round_off);
  CHECK(between.time == state.time);
}

const Top top{test::HeavyTop<long double>{}};
const auto top_start = top.state(SO3<long double>::exp({0.3L, -0.2L, 0.5L}), {1, 1.5L, -2});

TEST_CASE("interpolated states have the declared order, and no higher one, on SO(3)", "[dense][order]") {
  check_order<RungeKutta4>(top, top_start, 0.02L);
  check_order<DormandPrince54>(top, top_start, 0.02L);
  check_order<DormandPrince853>(top, top_start, 0.05L);
}

TEST_CASE("interpolated states have the declared order, and no higher one, of a driven pendulum",
          "[dense][order]") {
  const Pendulum pendulum{.stiffness = 2, .drive = 0.5};
  const Pendulum::State start{.q = 1.2, .v = 0.4};
  check_order<RungeKutta4>(pendulum, start, 0.1);
  check_order<DormandPrince54>(pendulum, start, 0.1);
  check_order<DormandPrince853>(pendulum, start, 0.4);
}

TEST_CASE("interpolated states meet both ends of the step to round-off, back and forth", "[dense]") {
  for (const long double h : {0.1L, -0.1L}) {
    check_ends(RungeKutta4{}, top, top_start, h);
    check_ends(DormandPrince54{}, top, top_start, h);
    check_ends(DormandPrince853{}, top, top_start, h);
  }
}

TEST_CASE("with projection interpolated states hold the constraints, and meet the projected ends",
          "[dense]") {
  const LagrangeDAlembert problem{test::SphericalPendulum<>{}};
  const auto start = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0.5});
  const auto check = [&](const auto& method) {
    check_ends(method, problem, start, 0.05);
    auto state = start, between = start;
    auto stepper = method.stepper(problem, state);
    (void)stepper.step(problem, state, 0.05);
    for (const double theta : {0.2, 0.5, 0.8}) {
      REQUIRE(stepper.interpolate(problem, theta, between).converged);
      CHECK(problem.constraint(between).position < 1e-15);
      CHECK(problem.constraint(between).velocity < 1e-14);
      CHECK(between.time == theta * 0.05);
    }
  };
  check(RungeKutta4{.project = true});
  check(DormandPrince853{.project = true});
}

TEST_CASE("interpolation costs what it says, once a step, and the next step gets one evaluation back",
          "[dense]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1}, between;
  const auto cost = [&](auto&& f) {
    const long before = problem.evaluations;
    f();
    return problem.evaluations - before;
  };
  auto four = RungeKutta4{}.stepper(problem, state);
  auto five = DormandPrince54{}.stepper(problem, state);
  auto eight = DormandPrince853{}.stepper(problem, state);
  const auto step = [&](auto& stepper) { return cost([&] { (void)stepper.step(problem, state, 0.1); }); };
  const auto interpolate = [&](auto& stepper) {
    return cost([&] { (void)stepper.interpolate(problem, 0.4, between); });
  };
  CHECK(step(four) == 4);
  CHECK(interpolate(four) == 0);
  CHECK(step(five) == 7);
  CHECK(interpolate(five) == 0);
  CHECK(step(five) == 6);
  CHECK(step(eight) == 12);
  CHECK(step(eight) == 12);
  CHECK(interpolate(eight) == 4);
  CHECK(interpolate(eight) == 0);
  CHECK(step(eight) == 11);
  CHECK(step(eight) == 12);
  CHECK(interpolate(eight) == 4);
  eight.reset();
  CHECK(step(eight) == 12);
  eight.reset();
  CHECK(interpolate(eight) == 4);
  CHECK(step(eight) == 12);
}

template <class M>
void check_no_disturbance() {
  const Pendulum problem{.drive = 0.3};
  Pendulum::State watched{.q = 1}, alone{.q = 1}, between;
  auto one = M{}.stepper(problem, watched), other = M{}.stepper(problem, alone);
  for (int i = 0; i < 10; ++i) {
    (void)one.step(problem, watched, 0.1);
    (void)one.interpolate(problem, 0.3, between);
    (void)other.step(problem, alone, 0.1);
    CHECK(between.time == Approx(alone.time - 0.07));
  }
  CHECK(watched == alone);
}

TEST_CASE("interpolation does not disturb the run", "[dense]") {
  check_no_disturbance<RungeKutta4>();
  check_no_disturbance<DormandPrince54>();
  check_no_disturbance<DormandPrince853>();
}

TEST_CASE("what is interpolated is the last step, whatever became of its state", "[dense]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1}, before, after;
  auto stepper = DormandPrince853{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.1);
  (void)stepper.interpolate(problem, 0.5, before);
  state = {.time = 7, .q = -2};
  (void)stepper.interpolate(problem, 0.5, after);
  CHECK(before == after);
  CHECK(stepper.previous() == Pendulum::State{.q = 1});
}

TEST_CASE("without a step, or outside of it, interpolation is refused", "[dense]") {
  Pendulum problem{.throws_from = 0.25};
  Pendulum::State state{.q = 1}, between;
  auto stepper = DormandPrince54{}.stepper(problem, state);
  CHECK_THROWS_WITH(stepper.interpolate(problem, 0.5, between), ContainsSubstring("there must be a step"));
  (void)stepper.step(problem, state, 0.2);
  CHECK_NOTHROW(stepper.interpolate(problem, 0.5, between));
  for (const double theta : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(stepper.interpolate(problem, theta, between), std::invalid_argument);
    CHECK_THROWS_WITH(stepper.interpolate(problem, theta, between), ContainsSubstring("theta = "));
  }
  CHECK_THROWS_AS(stepper.step(problem, state, 0.2), ContactOpened);
  CHECK_THROWS_WITH(stepper.interpolate(problem, 0.5, between), ContainsSubstring("there must be a step"));
}

}  // namespace dense_output_test
