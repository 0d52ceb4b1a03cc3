#include <dalembert/systems/chaotic_oscillator.hpp>

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace chaotic_oscillator_test {

using namespace dalembert;
using systems::ChaoticOscillator;

static_assert(NonholonomicSystem<ChaoticOscillator<double, 2>> &&
              NonholonomicSystem<ChaoticOscillator<long double, 3>>);

/// A random state that obeys the row.
template <class System>
auto some_state(const LagrangeDAlembert<System>& problem, auto& random) {
  constexpr int n = System::n, k = (n - 1) / 2;
  const auto q = random.template vector<n>();
  auto v = random.template vector<n>();
  v[0] = -q.template segment<k>(1).dot(v.template tail<k>());
  return problem.state(typename System::Group(q), v);
}

template <class System>
void check_oracle() {
  using S = ScalarOf<System>;
  constexpr int n = System::n, k = (n - 1) / 2;
  laws::check_rates<System>(
      [](auto&) { return System{}; },
      [](const auto& problem, auto& random) { return some_state(problem, random); },
      [](const System&, const auto& at) {
        const Vec<S, n>& q = at.g.coordinates();
        const Vec<S, k> y = q.template segment<k>(1), z = q.template tail<k>();
        const Vec<S, k> ydot = at.xi.template segment<k>(1), zdot = at.xi.template tail<k>();
        const Vec<S, k> force_y = -y - y.cwiseProduct(z).cwiseProduct(z);
        Vec<S, k> force_z = -z - z.cwiseProduct(y).cwiseProduct(y);
        force_z[0] -= z[0] * z[1] * z[1];
        force_z[1] -= z[1] * z[0] * z[0];
        const S lambda = -(-q[0] + y.dot(force_z) + ydot.dot(zdot)) / (1 + y.squaredNorm());
        Vec<S, n> rate;
        rate << -q[0] + lambda, force_y, force_z + lambda * y;
        return laws::Expected<System>{.xidot = rate, .lambda = Vec<S, 1>(lambda)};
      });
}

TEMPLATE_TEST_CASE("the assembler gives the oscillator's own equations at random states", "[oscillator]",
                   double, long double) {
  check_oracle<ChaoticOscillator<TestType, 2>>();
  check_oracle<ChaoticOscillator<TestType, 3>>();
}

TEMPLATE_TEST_CASE("the oscillator's closed forms and powers are right", "[oscillator]", double,
                   long double) {
  using S = TestType;
  laws::Random<S> random;
  const LagrangeDAlembert problem{ChaoticOscillator<S>{}};
  for (int i = 0; i < 10; ++i) {
    auto state = some_state(problem, random);
    state.xi = random.template vector<7>();
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the oscillator's potential is the published one", "[oscillator]") {
  const ChaoticOscillator<double, 2> oscillator;
  // ½(1 + 4 + 9 + 16 + 25 + 4·16 + 9·25 + 16·25) for (x, y₁, y₂, z₁, z₂) = (1, 2, 3, 4, 5).
  const Rn<double, 5> q(Vec<double, 5>(1, 2, 3, 4, 5));
  CHECK(oscillator.potential(q) == 372.0);
}

}  // namespace chaotic_oscillator_test
