#include <dalembert/string/detail/initial_waves.hpp>

#include <limits>
#include <vector>

#include "support/catch.hpp"

namespace initial_waves_test {

using namespace dalembert;
using strings::Ends;
using Waves = strings::detail::InitialWaves<double>;

Waves with_kinks(Ends ends, const std::vector<double>& kinks) {
  strings::Profile<double> profile;
  profile.kinks = kinks;
  return Waves(profile, 3.0, 2.0, ends);
}

TEST_CASE("the next kink is the first that lies farther than the slack, in either direction",
          "[string][characteristics]") {
  const double slack = 1e-3;
  for (const Ends ends : {Ends::fixed, Ends::periodic}) {
    const Waves waves = with_kinks(ends, {1.4, 0.3, 0.9});
    CHECK(waves.next_kink(0.2, 1, slack) == Approx(0.3).epsilon(1e-14));
    CHECK(waves.next_kink(0.8, -1, slack) == Approx(0.3).epsilon(1e-14));
    // what is nearer than the slack is as good as here
    CHECK(waves.next_kink(0.3 - slack / 2, 1, slack) == Approx(0.9).epsilon(1e-14));
    CHECK(waves.next_kink(0.3 + slack / 2, 1, slack) == Approx(0.9).epsilon(1e-14));
    CHECK(waves.next_kink(0.9 + slack / 2, -1, slack) == Approx(0.3).epsilon(1e-14));
    CHECK(waves.next_kink(0.3 - 2 * slack, 1, slack) == Approx(0.3).epsilon(1e-14));
  }
}

TEST_CASE("kinks come again with the continuation of the waves", "[string][characteristics]") {
  // fixed ends mirror them, and they repeat after twice the length; periodic ones repeat after the length
  CHECK(with_kinks(Ends::fixed, {0.3}).next_kink(0.4, 1, 1e-3) == Approx(3.7).epsilon(1e-14));
  CHECK(with_kinks(Ends::fixed, {0.3}).next_kink(0.2, -1, 1e-3) == Approx(-0.3).epsilon(1e-14));
  CHECK(with_kinks(Ends::periodic, {0.3}).next_kink(0.4, 1, 1e-3) == Approx(2.3).epsilon(1e-14));
  CHECK(with_kinks(Ends::periodic, {}).next_kink(0.4, 1, 1e-3) == std::numeric_limits<double>::infinity());
}

}  // namespace initial_waves_test
