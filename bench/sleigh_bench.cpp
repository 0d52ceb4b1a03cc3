// One step of RK4 on Chaplygin's sleigh, with reconstruction of its path:
//   by_hand               the equations written by hand, as a problem on SE(2) in the library's RK4: the floor of the engine
//   closed_forms          the engine with the system's own momentum and mass
//   lagrangian_alone      the engine with nothing but L and the constraint, by automatic differentiation
//   by_hand_in_odeint     the equations in five coordinates, in Boost.odeint's RK4 (where Boost is found)
// Read the ratios to by_hand.

#include <array>
#include <cmath>

#include <benchmark/benchmark.h>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "numbers.hpp"

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta4.hpp>)
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#endif

namespace {

using namespace dalembert;

constexpr double mass = 1, inertia = 1, offset = 0.2, about_blade = inertia + mass * offset * offset;
constexpr double step = 0.01;

using Sleigh = systems::ChaplyginSleigh<double>;

Sleigh sleigh() { return Sleigh{{.mass = mass, .inertia = inertia, .offset = offset}}; }

/// The sleigh without its closed forms.
struct Bare {
  using Group = SE2d;
  Sleigh sleigh;
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return sleigh.lagrangian(xi);
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return sleigh.velocity_constraint(xi);
  }
};

/// u̇ = aω², ω̇ = −(ma/K) uω on SE(2), as a problem of its own.
struct ByHand {
  using Scalar = double;
  using State = dalembert::State<SE2d>;
  using Increment = dalembert::Increment<SE2d>;
  using Rates = dalembert::Rates<SE2d, 1>;

  Rates make_rates() const { return {}; }
  Increment make_increment() const { return {}; }
  void rates(const State& at, Rates& out) const {
    const double u = at.xi[0], omega = at.xi[2];
    out.xidot = {offset * omega * omega, 0, -mass * offset / about_blade * u * omega};
  }
  void slope(const State& at, const Increment& offset_of_stage, const Rates& given, Increment& out) const {
    out.eta = SE2d::right_jacobian_inverse(offset_of_stage.eta, at.xi);
    out.xi = given.xidot;
    out.time = 1;
  }
  void retract(const State& at, const Increment& by, State& state) const {
    state.g = (at.g * SE2d::exp(by.eta)).normalised();
    state.xi = at.xi + by.xi;
    state.time = at.time + by.time;
  }
  void solve_algebraic(State&) const {}
  Projection<double> project(State&) const { return {}; }
  double energy(const State& at) const { return kinetic_energy(at); }
  double kinetic_energy(const State& at) const {
    return 0.5 * (mass * at.xi[0] * at.xi[0] + about_blade * at.xi[2] * at.xi[2]);
  }
  Violation<double> constraint(const State&) const { return {}; }
  Powers<double> power(const State&, const Rates&) const { return {}; }
};
static_assert(Problem<ByHand>);

template <class P>
void run(benchmark::State& state, const P& problem) {
  const typename P::State begin{.time = 0, .g = SE2d::identity(), .xi = {0.3, 0, 1.2}};
  auto at = begin;
  auto stepper = RungeKutta4{}.stepper(problem, at);
  long count = 0;
  for (auto _ : state) {
    if (!stepper.step(problem, at, step).converged) state.SkipWithError("a step did not converge");
    benchmark::DoNotOptimize(at);
    if (++count % bench::restart == 0) {
      bench::check_state(state, at);
      at = begin;
      stepper.reset();
    }
  }
  if (!(std::abs(at.xi[0]) < 2)) state.SkipWithError("the motion is not the sleigh's");
}

void by_hand(benchmark::State& state) { run(state, ByHand{}); }
BENCHMARK(by_hand);
void closed_forms(benchmark::State& state) { run(state, LagrangeDAlembert{sleigh()}); }
BENCHMARK(closed_forms);
void lagrangian_alone(benchmark::State& state) { run(state, LagrangeDAlembert{Bare{sleigh()}}); }
BENCHMARK(lagrangian_alone);

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta4.hpp>)
void by_hand_in_odeint(benchmark::State& state) {
  using Coordinates = std::array<double, 5>;  // x, y, φ, u, ω
  const auto equations = [](const Coordinates& q, Coordinates& slope, double) {
    slope = {q[3] * std::cos(q[2]), q[3] * std::sin(q[2]), q[4], offset * q[4] * q[4],
             -mass * offset / about_blade * q[3] * q[4]};
  };
  const Coordinates begin{0, 0, 0, 0.3, 1.2};
  Coordinates q = begin;
  long count = 0;
  boost::numeric::odeint::runge_kutta4<Coordinates> method;
  double t = 0;
  for (auto _ : state) {
    method.do_step(equations, q, t, step);
    t += step;
    benchmark::DoNotOptimize(q);
    if (++count % bench::restart == 0) {
      bench::check_all(state, q);
      q = begin;
    }
  }
  if (!(std::abs(q[3]) < 2)) state.SkipWithError("the motion is not the sleigh's");
}
BENCHMARK(by_hand_in_odeint);
#endif

}  // namespace
