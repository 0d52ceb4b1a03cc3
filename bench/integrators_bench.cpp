// One step of every integrator: Chaplygin's sleigh on SE(2), the chaotic oscillator in seven coordinates, the nonholonomic
// particle in three, the bicycle in nine and the rattleback in six; beside them Boost.odeint's RK4 and Dormand–Prince 5 on the same equations written by hand (where Boost is found),
// and a batch of sleighs in the lanes of the widest register, whose time is that of one step of one member.

#include <array>
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include <dalembert/integrate/batch.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "numbers.hpp"

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>)
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#endif

namespace {

using namespace dalembert;

constexpr double mass = 1, inertia = 1, offset = 0.2;
constexpr double step = 0.01;

template <class S = double>
auto sleigh() {
  return LagrangeDAlembert{systems::ChaplyginSleigh<S>{{.mass = mass, .inertia = inertia, .offset = offset}}};
}
auto oscillator() { return LagrangeDAlembert{systems::ChaoticOscillator<double, 3>{}}; }
auto bicycle() { return LagrangeDAlembert{systems::WhippleBicycle<double>{}}; }
auto rattleback() { return LagrangeDAlembert{systems::Rattleback<double>{{.mass = 1}}}; }
auto particle() { return LagrangeDAlembert{systems::NonholonomicParticle<double>{}}; }

auto start(const decltype(sleigh())& problem) { return problem.state(SE2d::identity(), {0.3, 0, 1.2}); }
auto start(const decltype(oscillator())& problem) {
  Vec<double, 7> q, v;
  q << 0.766, 0.6, 0.4, 0.2, 1, 1, 1;
  v << 0, 0.643, 0, 0, 0, 0, 0;
  return problem.state(Rn<double, 7>(q), v);
}
auto start(const decltype(particle())& problem) {
  return problem.state(Rn<double, 3>(Vec<double, 3>(0, 0, 0)), {0.5, 0.1, 0});
}
auto start(const decltype(bicycle())& problem) {
  const auto g = problem.system().on_ground(0.02, 0.03);
  return problem.state(g, problem.system().rolling(g, {.speed = 5, .lean_rate = 0.1, .steer_rate = 0.1}));
}
auto start(const decltype(rattleback())& problem) {
  const auto g = problem.system().touching(SO3d::exp({0.02, 0.03, 0.1}), 0, 0);
  return problem.state(g, problem.system().rolling(g, {0.1, 0.2, 1.0}));
}

/// Steps of `Method` from the start; begins anew before the motion leads far away.
template <class Method, class P>
void run(benchmark::State& state, const Method& method, const P& problem) {
  const auto begin = start(problem);
  auto at = begin;
  auto stepper = method.stepper(problem, at);
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
  bench::check_state(state, at);
}

template <class Method>
void on_sleigh(benchmark::State& state) {
  run(state, Method{}, sleigh());
}
template <class Method>
void on_oscillator(benchmark::State& state) {
  run(state, Method{}, oscillator());
}
template <class Method>
void on_particle(benchmark::State& state) {
  run(state, Method{}, particle());
}

template <class Method>
void on_bicycle(benchmark::State& state) {
  run(state, Method{}, bicycle());
}
template <class Method>
void on_rattleback(benchmark::State& state) {
  run(state, Method{}, rattleback());
}

template <class Method>
void batch_of_sleighs(benchmark::State& state) {
  using Lanes = NativePack<double>;
  const auto problem = sleigh<Lanes>();
  std::vector<decltype(sleigh())::State> members(static_cast<std::size_t>(Lanes::width));
  for (std::size_t i = 0; i < members.size(); ++i)
    members[i].xi = {0.3 + 0.01 * static_cast<double>(i), 0, 1.2};
  auto at = detail::gathered<typename decltype(problem)::State>(
      std::span<const decltype(sleigh())::State>(members));
  const auto begin = at;
  auto stepper = Method{}.stepper(problem, at);
  long count = 0;
  const std::int64_t chunk = Lanes::width;
  while (state.KeepRunningBatch(chunk)) {
    (void)stepper.step(problem, at, Lanes(step));
    benchmark::DoNotOptimize(at);
    if (++count % bench::restart == 0) {
      (void)at.template mapped<Lanes>([&](const Lanes& x) {
        for (int i = 0; i < Lanes::width; ++i) bench::check_all(state, std::array{x[i]});
        return x;
      });
      at = begin;
    }
  }
}

#if __has_include(<boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>)

using SleighCoordinates = std::array<double, 5>;       // x, y, φ, u, ω
using OscillatorCoordinates = std::array<double, 14>;  // q, q̇

void equations(const SleighCoordinates& q, SleighCoordinates& slope, double) {
  slope = {q[3] * std::cos(q[2]), q[3] * std::sin(q[2]), q[4], offset * q[4] * q[4],
           -mass * offset / (inertia + mass * offset * offset) * q[3] * q[4]};
}
void equations(const OscillatorCoordinates& y, OscillatorCoordinates& slope, double) {
  std::array<double, 7> force;
  force[0] = -y[0];
  double row = force[0], gram = 1;
  for (std::size_t i = 1; i <= 3; ++i) {
    force[i] = -y[i] * (1 + y[i + 3] * y[i + 3]);
    force[i + 3] = -y[i + 3] * (1 + y[i] * y[i]);
  }
  force[4] -= y[4] * y[5] * y[5];
  force[5] -= y[5] * y[4] * y[4];
  for (std::size_t i = 1; i <= 3; ++i) {
    row += y[i] * force[i + 3] + y[i + 7] * y[i + 10];
    gram += y[i] * y[i];
  }
  const double lambda = -row / gram;
  for (std::size_t i = 0; i < 7; ++i) {
    slope[i] = y[i + 7];
    slope[i + 7] = force[i];
  }
  slope[7] += lambda;
  for (std::size_t i = 1; i <= 3; ++i) slope[i + 10] += lambda * y[i];
}

template <class Coordinates, template <class...> class Method>
void run_odeint(benchmark::State& state, const Coordinates& begin) {
  const auto right_side = [](const Coordinates& q, Coordinates& slope, double t) { equations(q, slope, t); };
  Coordinates q = begin;
  Method<Coordinates> method;
  double t = 0;
  long count = 0;
  for (auto _ : state) {
    method.do_step(right_side, q, t, step);
    t += step;
    benchmark::DoNotOptimize(q);
    if (++count % bench::restart == 0) {
      bench::check_all(state, q);
      q = begin;
    }
  }
  bench::check_all(state, q);
}

template <class... T>
using OdeintRk4 = boost::numeric::odeint::runge_kutta4<T...>;
template <class... T>
using OdeintDopri5 = boost::numeric::odeint::runge_kutta_dopri5<T...>;

void odeint_rk4_on_sleigh(benchmark::State& state) {
  run_odeint<SleighCoordinates, OdeintRk4>(state, {0, 0, 0, 0.3, 1.2});
}
void odeint_dopri5_on_sleigh(benchmark::State& state) {
  run_odeint<SleighCoordinates, OdeintDopri5>(state, {0, 0, 0, 0.3, 1.2});
}
void odeint_rk4_on_oscillator(benchmark::State& state) {
  run_odeint<OscillatorCoordinates, OdeintRk4>(state,
                                               {0.766, 0.6, 0.4, 0.2, 1, 1, 1, 0, 0.643, 0, 0, 0, 0, 0});
}
void odeint_dopri5_on_oscillator(benchmark::State& state) {
  run_odeint<OscillatorCoordinates, OdeintDopri5>(state,
                                                  {0.766, 0.6, 0.4, 0.2, 1, 1, 1, 0, 0.643, 0, 0, 0, 0, 0});
}
BENCHMARK(odeint_rk4_on_sleigh);
BENCHMARK(odeint_dopri5_on_sleigh);
BENCHMARK(odeint_rk4_on_oscillator);
BENCHMARK(odeint_dopri5_on_oscillator);

#endif

using Mp4 = Composition<NonholonomicMcLachlanPerlmutter, 4>;
using Mp6 = Composition<NonholonomicMcLachlanPerlmutter, 6>;

}  // namespace

BENCHMARK_TEMPLATE(on_particle, NonholonomicLeapfrog);
BENCHMARK_TEMPLATE(on_particle, NonholonomicMcLachlanPerlmutter);
BENCHMARK_TEMPLATE(on_particle, RungeKutta4);

BENCHMARK_TEMPLATE(on_sleigh, RungeKutta4);
BENCHMARK_TEMPLATE(on_sleigh, DormandPrince54);
BENCHMARK_TEMPLATE(on_sleigh, DormandPrince853);
BENCHMARK_TEMPLATE(on_sleigh, NonholonomicLeapfrog);
BENCHMARK_TEMPLATE(on_sleigh, NonholonomicMcLachlanPerlmutter);
BENCHMARK_TEMPLATE(on_sleigh, NonholonomicEnergyPreserving);
BENCHMARK_TEMPLATE(on_sleigh, Mp4);
BENCHMARK_TEMPLATE(on_sleigh, Mp6);
BENCHMARK_TEMPLATE(on_sleigh, Gauss<1>);
BENCHMARK_TEMPLATE(on_sleigh, Gauss<2>);
BENCHMARK_TEMPLATE(on_sleigh, Gauss<3>);
BENCHMARK_TEMPLATE(on_sleigh, Gauss<4>);
BENCHMARK_TEMPLATE(on_sleigh, Gauss<6>);
BENCHMARK_TEMPLATE(on_sleigh, Radau<2>);
BENCHMARK_TEMPLATE(on_sleigh, Radau<3>);
BENCHMARK_TEMPLATE(batch_of_sleighs, RungeKutta4);

BENCHMARK_TEMPLATE(on_bicycle, RungeKutta4);
BENCHMARK_TEMPLATE(on_rattleback, RungeKutta4);

BENCHMARK_TEMPLATE(on_oscillator, RungeKutta4);
BENCHMARK_TEMPLATE(on_oscillator, DormandPrince54);
BENCHMARK_TEMPLATE(on_oscillator, DormandPrince853);
BENCHMARK_TEMPLATE(on_oscillator, NonholonomicLeapfrog);
BENCHMARK_TEMPLATE(on_oscillator, NonholonomicMcLachlanPerlmutter);
BENCHMARK_TEMPLATE(on_oscillator, NonholonomicEnergyPreserving);
BENCHMARK_TEMPLATE(on_oscillator, Mp4);
BENCHMARK_TEMPLATE(on_oscillator, Gauss<2>);
BENCHMARK_TEMPLATE(on_oscillator, Gauss<4>);
BENCHMARK_TEMPLATE(on_oscillator, Radau<3>);
