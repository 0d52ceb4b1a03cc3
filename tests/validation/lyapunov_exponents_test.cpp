// Lyapunov exponents that are known: of the flow whose map of a period is Arnold's cat map, exactly, and of a
// driven pendulum, from the literature.

#include <algorithm>
#include <cmath>

#include <dalembert/analysis/exponent_rules.hpp>
#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/catch.hpp"

namespace lyapunov_exponents_test {

using namespace dalembert;
using analysis::Directions;
using Options = analysis::LyapunovOptions<double>;

/// The flow of ½f(t)p² − ½g(t)q² on the torus of q and p, which both count to 1. f and g take turns, each for
/// half of the time 1, and their integrals over it are 1:
///   f = 4 sin²(2πt), g = 0 while t < ½;  f = 0, g = 4 sin²(2πt) then.
/// After the time 1 it is the cat map, (q, p) ↦ (q + p, q + 2p). Runge and Kutta's rule is Simpson's here, which
/// takes the integrals without an error.
template <class S = double>
struct CatFlow {
  using Scalar = S;
  using Pair = Vec<S, 2>;
  struct State {
    S time = S(0);
    Pair at = Pair(S(0), S(0));

    template <class T, class F>
    typename CatFlow<T>::State mapped(const F& f) const {
      return {f(time), {f(at[0]), f(at[1])}};
    }
  };
  struct Increment {
    Pair by = Pair(S(0), S(0));
    S time = S(0);
    void set_zero() { *this = {}; }
    void add_scaled(S factor, const Increment& k) {
      for (int i = 0; i < 2; ++i) by[i] += factor * k.by[i];
      time += factor * k.time;
    }
    S norm() const { return std::max(number::abs(by[0]), number::abs(by[1])); }
  };
  using Rates = Pair;

  Rates make_rates() const { return Pair(S(0), S(0)); }
  Increment make_increment() const { return {}; }
  void rates(const State& x, Rates& out) const {
    const double t = static_cast<double>(number::plain(x.time)), sine = std::sin(2 * M_PI * t);
    const bool first = t - std::floor(t) < 0.5;
    out[0] = first ? S(4 * sine * sine) * x.at[1] : S(0);
    out[1] = first ? S(0) : S(4 * sine * sine) * x.at[0];
  }
  void slope(const State&, const Increment&, const Rates& given, Increment& out) const {
    out = {given, S(1)};
  }
  void retract(const State& x, const Increment& u, State& out) const {
    out.time = x.time + u.time;
    for (int i = 0; i < 2; ++i) {
      const S sum = x.at[i] + u.by[i];
      out.at[i] = sum - S(number::floor(sum));
    }
  }
  void solve_algebraic(State&) const {}
  Projection<S> project(State&) const { return {}; }
  S energy(const State&) const { return S(0); }
  S kinetic_energy(const State&) const { return S(0); }
  Violation<S> constraint(const State&) const { return {}; }
  Powers<S> power(const State&, const Rates&) const { return {}; }
  /// The short way round.
  Increment difference(const State& from, const State& to) const {
    Increment u{.by = {}, .time = to.time - from.time};
    for (int i = 0; i < 2; ++i) {
      const S by = to.at[i] - from.at[i];
      u.by[i] = by - S(number::floor(by + S(0.5)));
    }
    return u;
  }
  template <class Visitor>
  friend void visit_increment(const State&, Increment& u, Visitor&& visit) {
    for (S& x : u.by) visit.internal(x);
  }
};

TEST_CASE("the flow of the cat map has the logarithms of its eigenvalues for exponents", "[lyapunov]") {
  const double exact = std::log((3 + std::sqrt(5.0)) / 2);
  const CatFlow<double> problem;
  const CatFlow<Dual<double, 2>> with_derivatives;
  const CatFlow<double>::State start{0, {0.3, 0.4}};
  const Options options{
      .step = 1.0 / 16, .duration = 64.0, .interval = 1.0, .transient = 20.0, .separation = 1e-6};
  const Directions<CatFlow<double>> both{.count = 2};
  analysis::DerivedTangents derived(RungeKutta4{}, problem, with_derivatives, start);
  const auto by_derivatives = analysis::tangent_spectrum(derived, options, both);
  const auto by_differences = analysis::tangent_spectrum(RungeKutta4{}, problem, start, options, both);
  for (const auto& [found, tolerance] : {std::pair{by_derivatives, 1e-12}, {by_differences, 1e-8}}) {
    CAPTURE(found.exponents.transpose(), found.error.transpose(), tolerance);
    CHECK(std::abs(found.exponents[0] - exact) < tolerance);
    CHECK(std::abs(found.exponents[1] + exact) < tolerance);
    // every period has the same rates, and so the error is none
    CHECK(found.error.maxCoeff() < tolerance);
    CHECK(analysis::pairing(found).front().holds(3, tolerance));
    CHECK(analysis::sum_rule(found, 0.0).holds(3, tolerance));
  }
  // rates within a period are not those of all of it, the mean is
  auto parts = options;
  parts.interval = 0.125;
  const auto eighths = analysis::tangent_spectrum(RungeKutta4{}, problem, start, parts, both);
  CHECK((eighths.series.row(0).array() - exact).abs().maxCoeff() > 0.5);
  CHECK(eighths.exponents[0] == Approx(exact).margin(1e-8));
  CHECK(eighths.error[0] < 1e-8);
}

/// θ̈ = −sin θ − bθ̇ + A sin Ωt.
template <class S = double>
struct DrivenPendulum {
  using Group = Rn<S, 1>;
  S damping = S(0.05L), drive = S(0.6L), frequency = S(0.7L);

  template <class T>
  T lagrangian(const Rn<T, 1>& theta, const Vec<T, 1>& v) const {
    return v[0] * v[0] / 2 + number::cos(theta.coordinates()[0]);
  }
  template <class T>
  Vec<T, 1> force(const Vec<T, 1>& v, const T& t) const {
    return Vec<T, 1>(-damping * v[0] + drive * number::sin(frequency * t));
  }
};

TEST_CASE("the exponents of a driven pendulum are the published ones to their error", "[lyapunov]") {
  // 0.1400 and −0.1900 beside the 0 of time: Sprott, Chaos and Time-Series Analysis (2003), damped driven
  // pendulum. A hundred times as long a run says 0.1412 ± 0.0002.
  const DrivenPendulum<> system;
  const LagrangeDAlembert problem{system};
  using Pendulum = std::remove_const_t<decltype(problem)>;
  const auto start = problem.state(Rn<double, 1>(Vec<double, 1>(0.0)), Vec<double, 1>(0.0));
  const double period = 2 * M_PI / system.frequency;
  const Options options{
      .step = period / 60, .duration = 4000 * period, .interval = period / 4, .transient = 20 * period};
  const auto found =
      analysis::tangent_spectrum(RungeKutta4{}, problem, start, options, Directions<Pendulum>{.count = 2});
  CAPTURE(found.exponents.transpose(), found.error.transpose());
  CHECK(std::abs(found.exponents[0] - 0.14) < 3 * found.error[0]);
  CHECK(std::abs(found.exponents[1] + 0.19) < 3 * found.error[1]);
  CHECK(found.error[0] < 0.006);
  CHECK(found.error[0] > 4e-4);
  // they chase each other, which the sum does not: all velocities are damped alike
  const auto pair = analysis::pairing(found, -system.damping).front();
  CHECK(pair.found == Approx(-system.damping).margin(1e-6));
  CHECK(pair.error < 1e-3 * found.error[0]);
  CHECK(analysis::sum_rule(found, analysis::divergence(problem, start)).holds(3, 1e-6));
}

}  // namespace lyapunov_exponents_test
