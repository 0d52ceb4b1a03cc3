#include <dalembert/analysis/comparable_flow.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/integrate/self_stepping.hpp>

#include "support/catch.hpp"

namespace comparable_flow_test {

using namespace dalembert;
using analysis::ComparableFlow;
using Catch::Matchers::ContainsSubstring;

/// Arnold's cat map (x, y) → (2x + y, x + y) without the torus, a step of two seconds.
struct Cat {
  using Scalar = double;
  struct State {
    double time = 0;
    std::vector<double> at = {0.3, 0.4};
  };
  double energy(const State&) const { return 0; }
  Violation<double> constraint(const State&) const { return {}; }
  double time_step() const { return 2; }
  StepReport<double> step(State& state, double h) const {
    const double x = state.at[0], y = state.at[1];
    state = {state.time + h, {2 * x + y, x + y}};
    return {};
  }
};
template <class S, class F>
  requires std::same_as<std::remove_const_t<S>, Cat::State>
void for_each_number(S& state, F&& f) {
  for (auto& x : state.at) f(x);
}
static_assert(analysis::NumberedFlow<Cat>);
static_assert(analysis::ComparableByNumbers<ComparableFlow<Cat>> && FixedStepFlow<ComparableFlow<Cat>>);

TEST_CASE("a flow that tells its numbers has Lyapunov exponents", "[lyapunov]") {
  // The eigenvalues of the map are (3 ± √5)/2; an affine map, so that the motion stays where it is, at 0.
  const Cat cat;
  const ComparableFlow flow(cat);
  const Cat::State fixed{.time = 0, .at = {0, 0}};
  const double rate = std::log((3 + std::sqrt(5.0)) / 2) / 2;
  const analysis::LyapunovOptions<double> options{
      .step = 2, .duration = 64.0, .interval = 4.0, .transient = 64.0};
  const auto two = analysis::largest_lyapunov_exponent(SelfStepping{}, flow, fixed, options);
  CHECK(two.exponents[0] == Approx(rate).epsilon(1e-12));
  const auto all = analysis::lyapunov_spectrum(SelfStepping{}, flow, fixed, options, 2);
  CHECK(all.exponents[0] == Approx(rate).epsilon(1e-12));
  CHECK(all.exponents[1] == Approx(-rate).epsilon(1e-12));
}

TEST_CASE("the difference of two states of a flow leads from the one to the other", "[lyapunov]") {
  const Cat cat;
  const ComparableFlow flow(cat);
  const Cat::State from{.time = 1, .at = {0.1, -0.2}}, to{.time = 3, .at = {0.5, 0.9}};
  auto u = flow.difference(from, to);
  CHECK(u.time == 2);
  CHECK(u.numbers[0] == Approx(0.4));
  CHECK(u.norm() == Approx(1.1));
  Cat::State found;
  flow.retract(from, u, found);
  CHECK(found.time == 3);
  CHECK((found.at[0] == Approx(0.5) && found.at[1] == Approx(0.9)));
  Cat::State alias = from;
  flow.retract(alias, u, alias);
  CHECK((alias.time == 3 && alias.at == found.at));
  u.add_scaled(-2, u);
  flow.retract(to, u, found);
  CHECK((found.time == 1 && found.at[1] == Approx(-0.2)));
  u.set_zero();
  CHECK((u.time == 0 && u.norm() == 0));
  CHECK_THROWS_WITH(flow.difference(from, {.time = 0, .at = {1, 2, 3}}),
                    ContainsSubstring("ComparableFlow: numbers = 3, but"));
}

}  // namespace comparable_flow_test
