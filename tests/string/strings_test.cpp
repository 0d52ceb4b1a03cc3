// What strings in contact are and what they may start from.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/string/strings.hpp>

#include "support/catch.hpp"

namespace string_strings_test {

using namespace dalembert;
using strings::Pair;

TEST_CASE("strings in contact refuse parameters that break their rules", "[string][errors]") {
  const Pair<> good{.F = 0.8, .G1 = 0.3, .G2 = 0.2, .s1 = 2, .s2 = 3};
  CHECK_NOTHROW(good.check("test"));
  const auto refused = [&](auto change) {
    Pair<> bad = good;
    change(bad);
    CHECK_THROWS_AS(bad.check("test"), std::invalid_argument);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  refused([](Pair<>& x) { x.F = 0; });
  refused([&](Pair<>& x) { x.F = nan; });
  refused([](Pair<>& x) { x.c = 0; });
  refused([&](Pair<>& x) { x.G1 = infinite; });
  refused([&](Pair<>& x) { x.G2 = nan; });
  refused([](Pair<>& x) { x.length = -1; });
  refused([](Pair<>& x) { x.s1 = 0; });
  refused([](Pair<>& x) { x.s2 = 7; });
  Pair<> round = good;
  round.ends = strings::Ends::periodic;
  round.s2 = 7;
  CHECK_NOTHROW(round.check("test"));
}

TEST_CASE("nothing that is not said moves the contact of two strings", "[string]") {
  const Pair<> rests;
  CHECK(rests.G1 == 0);
  CHECK(rests.G2 == 0);
  CHECK(rests.F == 1);
}

TEST_CASE("data that a string cannot have are refused", "[string][errors]") {
  using strings::check_profile;
  using strings::Ends;
  const double length = 2;
  const strings::Profile<> sine{.displacement = [](double x) { return std::sin(std::acos(-1.0) * x / 2); }};
  CHECK_NOTHROW(check_profile(sine, Ends::fixed, length, "test"));
  const strings::Profile<> ramp{.displacement = [](double x) { return x; }};
  CHECK_NOTHROW(check_profile(ramp, Ends::free, length, "test"));
  CHECK_THROWS_AS(check_profile(ramp, Ends::fixed, length, "test"), std::invalid_argument);
  CHECK_THROWS_AS(check_profile(ramp, Ends::periodic, length, "test"), std::invalid_argument);
  const strings::Profile<> broken{.displacement = {}, .velocity = [](double x) { return 1 / (x - 1); }};
  CHECK_THROWS_AS(check_profile(broken, Ends::free, length, "test"), std::invalid_argument);
  const strings::Profile<> moving{.displacement = {}, .velocity = [](double) { return 1.0; }};
  CHECK_THROWS_AS(check_profile(moving, Ends::fixed, length, "test"), std::invalid_argument);
  CHECK_NOTHROW(check_profile(moving, Ends::periodic, length, "test"));
}

TEST_CASE("data are refused or not whatever their unit", "[string][errors]") {
  using strings::check_profile;
  using strings::Ends;
  for (const double unit : {1e-12, 1.0, 1e12}) {
    CAPTURE(unit);
    const strings::Profile<> sine{
        .displacement = [=](double x) { return unit * std::sin(std::acos(-1.0) * x); }};
    const strings::Profile<> ramp{.displacement = [=](double x) { return unit * x; }};
    for (const Ends ends : {Ends::fixed, Ends::periodic}) {
      CHECK_NOTHROW(check_profile(sine, ends, 2.0, "test"));
      CHECK_THROWS_AS(check_profile(ramp, ends, 2.0, "test"), std::invalid_argument);
    }
  }
}

}  // namespace string_strings_test
