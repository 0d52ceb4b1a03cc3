#include <dalembert/integrate/symmetric.hpp>

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace symmetric_test {

using namespace dalembert;
using test::SkateOnSlope;

using LF = NonholonomicLeapfrog;
using MP = NonholonomicMcLachlanPerlmutter;
using EP = NonholonomicEnergyPreserving;
using Skate = LagrangeDAlembert<SkateOnSlope<>>;

static_assert(MethodFor<LF, Skate> && MethodFor<MP, Skate> && MethodFor<EP, Skate>);
static_assert(LF::order == 2 && MP::order == 2 && EP::order == 2);
static_assert(LF::symmetric && MP::symmetric && EP::symmetric);
static_assert(!LF::composes && MP::composes && !EP::composes);
static_assert(!EstimatesError<LF> && !EstimatesError<MP> && !EstimatesError<EP>);

/// ż − yẋ = s: a row that is affine, and depends on the place. A drag acts, and the mass grows with time.
struct AffineParticle {
  using Group = Rn<double, 3>;
  template <class T>
  T lagrangian(const Rn<T, 3>& q, const Vec<T, 3>& v, const T& t) const {
    const T mass = 1.2 + 0.1 * t;
    return mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - q.coordinates()[2];
  }
  template <class T>
  T velocity_constraint(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] - q.coordinates()[1] * v[0] - 0.4;
  }
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>& v) const {
    return {-0.3 * v[0], -0.3 * v[1], -0.3 * v[2]};
  }
};

/// What one step of `method` did: where it began and ended, and the rates that it found.
template <class M, class P>
auto one_step(const M& method, const P& problem, const typename P::State& start, double h) {
  struct Step {
    typename P::State start, end;
    typename P::Rates rates;
  } step{start, start, problem.make_rates()};
  auto stepper = method.stepper(problem, start);
  const auto report = stepper.step(problem, step.end, h);
  CHECK(report.converged);
  CHECK(report.iterations >= 1);
  CHECK(step.end.time == start.time + h);
  CHECK(stepper.previous() == start);
  step.rates = stepper.rates();
  return step;
}

/// `from` moved with the velocity for h, with another velocity.
template <class P>
auto moved(const P& problem, const typename P::State& from, const auto& velocity, double h, const auto& xi) {
  auto step = problem.make_increment();
  step.eta = h * velocity;
  step.time = h;
  auto to = from;
  problem.retract(from, step, to);
  to.xi = xi;
  return to;
}

template <class State>
double apart(const State& a, const State& b) {
  return (a.g.inverse() * b.g).log().norm() + (a.xi - b.xi).norm() + std::abs(a.time - b.time);
}

/// The velocity rows in a state.
template <class P, class State>
double slip(const P& problem, const State& at) {
  return problem.constraint(at).velocity;
}

/// How far M(ξ₁ − ξ₀)/h − F − R_Vᵀλ is from `extra` in `middle`.
template <class P, class Step>
double imbalance(const P& problem, const typename P::State& middle, const Step& step, double h,
                 double alpha) {
  auto rates = step.rates;
  rates.xidot = (step.end.xi - step.start.xi) / h - alpha * middle.xi;
  auto residual = problem.make_residual();
  problem.residual(middle, rates, residual);
  return residual.template head<P::State::Group::dof>().norm();
}

template <class P>
void check_leapfrog(const P& problem, const typename P::State& start, double h) {
  const auto step = one_step(LF{}, problem, start, h);
  const auto mean = ((step.start.xi + step.end.xi) / 2).eval();
  const auto middle = moved(problem, start, start.xi, h / 2, mean);
  CHECK(slip(problem, middle) < 1e-14);
  CHECK(slip(problem, step.end) > 1e-5);  // not at the node
  CHECK(imbalance(problem, middle, step, h, 0) < 1e-12);
  CHECK(apart(step.end, moved(problem, middle, step.end.xi, h / 2, step.end.xi)) < 1e-14);
}

template <class P>
void check_mclachlan_perlmutter(const P& problem, const typename P::State& start, double h) {
  const auto step = one_step(MP{}, problem, start, h);
  const auto mean = ((step.start.xi + step.end.xi) / 2).eval();
  const auto middle = moved(problem, start, start.xi, h / 2, mean);
  CHECK(slip(problem, step.end) < 1e-14);
  CHECK(slip(problem, middle) > 1e-5);
  CHECK(imbalance(problem, middle, step, h, 0) < 1e-12);
  CHECK(apart(step.end, moved(problem, middle, step.end.xi, h / 2, step.end.xi)) < 1e-14);
}

template <class P>
void check_energy_preserving(const P& problem, const typename P::State& start, double h) {
  const auto step = one_step(EP{}, problem, start, h);
  const auto mean = ((step.start.xi + step.end.xi) / 2).eval();
  const auto middle = moved(problem, start, mean, h / 2, mean);
  CHECK(slip(problem, middle) < 1e-14);
  CHECK(slip(problem, step.end) > 1e-5);
  CHECK(apart(step.end, moved(problem, start, mean, h, step.end.xi)) < 1e-14);
  const auto power = problem.power(middle, step.rates);
  const double work = h * (power.constraint + power.dissipation + power.load);
  CHECK(std::abs(problem.energy(step.end) - problem.energy(start) - work) < 1e-14);
  // The rest of the dynamics is along M ξ̄.
  const auto along = ((step.end.xi - step.start.xi) / h - step.rates.xidot).eval();
  const double alpha = along.dot(mean) / mean.squaredNorm();
  CHECK((along - alpha * mean).norm() < 1e-12);
  CHECK(std::abs(alpha) > 1e-6);
  CHECK(imbalance(problem, middle, step, h, alpha) < 1e-12);
}

TEST_CASE("a step obeys the equations that define its rule", "[symmetric]") {
  const LagrangeDAlembert particle{AffineParticle{}};
  auto start = particle.state(Rn<double, 3>(Vec<double, 3>(0, -1, 0.2)), {1.2, 0.8, 0}, 0.5);
  (void)particle.project(start);
  check_leapfrog(particle, start, 0.1);
  check_mclachlan_perlmutter(particle, start, 0.1);
  check_energy_preserving(particle, start, 0.1);
  check_leapfrog(particle, start, -0.1);
  check_mclachlan_perlmutter(particle, start, -0.1);
  check_energy_preserving(particle, start, -0.1);
}

/// A mass on a spring, with the closed forms that make a step explicit.
struct Spring {
  using Group = Rn<double, 1>;
  template <class T>
  T lagrangian(const Rn<T, 1>& q, const Vec<T, 1>& v) const {
    return (v[0] * v[0] - q.coordinates()[0] * q.coordinates()[0]) / 2;
  }
  template <class T>
  Vec<T, 1> momentum(const Vec<T, 1>& v) const {
    return v;
  }
  Mat<double, 1> mass() const { return Mat<double, 1>(1.0); }
};

TEST_CASE("without rows the leapfrog is the method of Stoermer and Verlet", "[symmetric]") {
  const LagrangeDAlembert problem{Spring{}};
  auto state = problem.state(Rn<double, 1>(Vec<double, 1>(0.7)), Vec<double, 1>(0.4)), other = state;
  auto stepper = LF{}.stepper(problem, state);
  auto of_mp = MP{}.stepper(problem, other);
  double q = 0.7, v = 0.4;
  const double h = 0.3;
  for (int i = 0; i < 20; ++i) {
    const auto report = stepper.step(problem, state, h);
    REQUIRE((report.converged && report.iterations == 1 && report.error == 0));
    REQUIRE(of_mp.step(problem, other, h).converged);
    q += h / 2 * v;
    v -= h * q;
    q += h / 2 * v;
  }
  CHECK(state.g.coordinates()[0] == Approx(q).epsilon(1e-13));
  CHECK(state.xi[0] == Approx(v).epsilon(1e-13));
  CHECK(apart(state, other) < 1e-14);
}

TEST_CASE("one solve gives what an iteration does, where the system says enough", "[symmetric]") {
  const LagrangeDAlembert closed{systems::NonholonomicParticle<>{}};
  const LagrangeDAlembert open{test::NonholonomicParticle<>{}};
  static_assert(closed.step_acceleration_is_explicit && !open.step_acceleration_is_explicit);
  auto one = closed.state(Rn<double, 3>(Vec<double, 3>(0, -1, 0)), {1.2, 0.8, -1.2});
  auto other = open.state(one.g, one.xi);
  auto stepper = LF{}.stepper(closed, one);
  auto iterating = LF{}.stepper(open, other);
  for (int i = 0; i < 50; ++i) {
    CHECK(stepper.step(closed, one, 0.1).iterations == 1);
    CHECK(iterating.step(open, other, 0.1).iterations > 1);
  }
  CHECK(apart(one, other) < 1e-13);
}

TEST_CASE("energy is kept from rest, and far from the origin", "[symmetric]") {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  // A coarse unit of place makes energies coarse: the iteration must see that it can do no better.
  for (const double far : {0.0, 1e5}) {
    auto state = problem.state(SE2d(far, 0, 0.3), {0, 0, 0});
    const double energy = problem.energy(state);
    auto stepper = EP{}.stepper(problem, state);
    bool converged = true;
    for (int i = 0; i < 100; ++i) converged = converged && stepper.step(problem, state, 0.05).converged;
    CHECK(converged);
    const double size = std::abs(energy) + problem.kinetic_energy(state);
    CHECK(std::abs(problem.energy(state) - energy) < 1e-13 * size);
    CHECK(state.xi[0] == Approx(2.5 * 5 * std::cos(0.3)));
  }
}

TEST_CASE("at rest, and where a motion turns round, the energy asks for nothing", "[symmetric]") {
  const LagrangeDAlembert level{SkateOnSlope<>{.c = 0}};
  auto at_rest = level.state(SE2d(1, 2, 0.3), {0, 0, 0});
  const auto before = at_rest;
  auto stepper = EP{}.stepper(level, at_rest);
  CHECK(stepper.step(level, at_rest, 0.1).converged);
  CHECK(apart(at_rest, before) == 0.1);

  const LagrangeDAlembert problem{Spring{}};
  const double h = 0.02;
  for (const double mean : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 0.0}) {
    CAPTURE(mean);
    auto state = problem.state(Rn<double, 1>(Vec<double, 1>(1.0)), Vec<double, 1>(mean + h / 2));
    const double energy = problem.energy(state);
    auto turning = EP{}.stepper(problem, state);
    CHECK(turning.step(problem, state, h).converged);
    CHECK(state.xi[0] == Approx(mean - h / 2).epsilon(1e-3));
    CHECK(std::abs(problem.energy(state) - energy) < 1e-14);
  }
}

TEST_CASE("a step that is too long says that it did not converge, or throws and changes nothing",
          "[symmetric]") {
  const LagrangeDAlembert problem{test::Suslov<>{}};
  auto state = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, 0});
  auto stepper = MP{}.stepper(problem, state);
  CHECK(stepper.step(problem, state, 0.1).converged);
  const auto before = state;
  CHECK_THROWS_AS(stepper.step(problem, state, 20.0), InvalidState);
  CHECK(state == before);
  const auto report = stepper.step(problem, state, 4.0);
  CHECK(!report.converged);
  CHECK(report.iterations == 50);
  CHECK(stepper.previous() == before);
}

TEST_CASE("a step whose energy is not met is no convergence", "[symmetric]") {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  for (const double h : {1.3, 1.6, 2.0, 3.0, 5.0, 10.0}) {
    CAPTURE(h);
    auto state = problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7});
    const double energy = problem.energy(state);
    auto stepper = EP{}.stepper(problem, state);
    CHECK_FALSE(stepper.step(problem, state, h).converged);
    CHECK(std::abs(problem.energy(state) - energy) > 1e-4);
  }
}

TEST_CASE("an iteration ends when nothing is to come but rounding", "[symmetric]") {
  const Skate problem{SkateOnSlope<>{}};
  const auto state = problem.state(SE2d(), {1, 0, 0});
  using Work = SymmetricWork<Skate>;
  Work work(problem, state);
  int calls = 0;
  const auto waiting = work.iterate([&] {
    ++calls;
    return Work::Outlook{.pending = calls < 4 ? 0.1 / calls : 0.0};
  });
  CHECK((waiting.converged && waiting.iterations == 4));

  const auto shaking = [&](double noise, double by = 1e-6) {
    return work.iterate([&] {
      work.next.xi[0] = work.next.xi[0] > 1 ? 1.0 : 1 + by;
      return Work::Outlook{.noise = noise};
    });
  };
  CHECK((shaking(1e-5).converged && shaking(1e-5).iterations < 5));
  CHECK((!shaking(0).converged && shaking(0).iterations == 50));
  CHECK((shaking(0, 1e-12).converged && shaking(0, 1e-12).iterations < 5));  // a few thousand roundings

  // A velocity that is rounding alone, which the iteration makes smaller and smaller.
  work.next.xi = {1, 1e-15, 0};
  const auto fading = work.iterate([&] {
    work.next.xi[1] *= 1e-4;
    return Work::Outlook{};
  });
  CHECK((fading.converged && fading.iterations < 8));
}

TEST_CASE("steps on a blade converge, whatever rounding leaves across it", "[symmetric]") {
  const Skate problem{SkateOnSlope<>{60, 1.5, 2}};
  for (const double h : {0.011, 0.023, 0.031, 0.047, 0.06}) {
    auto state = problem.state(SE2d(), {0, 0, 1.5});
    auto stepper = EP{}.stepper(problem, state);
    const double energy = problem.energy(state);
    for (int i = 0; i < 400; ++i) {
      CAPTURE(h, i);
      REQUIRE(stepper.step(problem, state, h).converged);
    }
    CHECK(std::abs(problem.energy(state) - energy) < 1e-11);
  }
}

TEST_CASE("a run that is started again repeats itself bit for bit", "[symmetric]") {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  auto state = problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7}), again = state;
  auto stepper = EP{}.stepper(problem, state);
  for (int i = 0; i < 20; ++i) {
    CHECK(stepper.step(problem, state, 0.05).converged);
    auto fresh = EP{}.stepper(problem, again);
    CHECK(fresh.step(problem, again, 0.05).converged);
    CHECK(state == again);
  }
}

/// A rule of one's own: forward in place, then in velocity.
struct Forward {
  static constexpr bool composes = false;
  template <StepAccelerationProblem P>
  static StepReport<typename P::Scalar> advance(const P& problem, const typename P::State& from,
                                                typename P::Scalar h, SymmetricWork<P>& work) {
    work.drift(problem, from, from.xi, h, work.next);
    problem.step_acceleration(work.next, work.next, from.xi, h, work.rates);
    work.next.xi = from.xi + h * work.rates.xidot;
    return {};
  }
};

static_assert(!Symmetric<Forward>::composes);

TEST_CASE("a rule can be written outside the library", "[symmetric]") {
  const LagrangeDAlembert problem{SkateOnSlope<>{}};
  const auto step = one_step(EP{}, problem, problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7}), 1e-3);
  auto state = step.start;
  auto stepper = Symmetric<Forward>{}.stepper(problem, state);
  (void)stepper.step(problem, state, 1e-3);
  CHECK(apart(state, step.end) < 1e-5);
  CHECK(apart(state, step.end) > 1e-8);
}

}  // namespace symmetric_test
