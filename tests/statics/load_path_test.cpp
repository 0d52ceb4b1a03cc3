#include <dalembert/statics/load_path.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace load_path_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using dalembert::assembly::StaticOptions;

/// A hardening spring x + x³ = load, which may be said to be singular beyond some x.
class Spring final : public assembly::detail::LoadedSystem<double> {
 public:
  double load = 0, x = 0, before = 0, step = 0, singular_beyond = 1e9;
  double rounding = 0, torn_beyond = 1e9;  ///< by which each step misses, back and forth
  std::vector<double> reached{};           // each load that was balanced, or tried in vain

  void save() override { before = x; }
  void restore() override { x = before; }
  void set_target() override { reached.push_back(load); }
  void assemble() override {
    if (x > torn_beyond) throw InvalidState("InvalidState: it is torn", 3.0);
  }
  double missing() const { return load - x - x * x * x; }
  double residual(double) const override { return std::abs(missing()) / 100; }
  assembly::detail::StaticStep<double> solve(const StaticOptions<double>&) override {
    if (x > singular_beyond) throw SingularSystem("it is broken");
    rounding = -rounding;
    step = missing() / (1 + 3 * x * x) + rounding;
    assembly::detail::StaticStep<double> size;
    size.include(std::abs(step), 0.5);
    return size;
  }
  void move(double fraction) override { x += fraction * step; }
  std::string freedoms() const override { return "; it is a spring"; }

  auto search(const StaticOptions<double>& options) {
    return assembly::detail::step_loads<double>(*this, options, [&](double factor) { load = 130 * factor; });
  }
};

TEST_CASE("loads are put in steps that grow where Newton's method is quick", "[assembly][statics]") {
  Spring spring;
  const auto result = spring.search({.step_tolerance = 1e-10, .first_step = 0.125});
  CHECK_THAT(spring.x, WithinAbs(5, 1e-12));
  CHECK(result.residual < 1e-12);
  CHECK(result.load_steps == static_cast<int>(spring.reached.size()));
  CHECK(spring.reached[0] == 130 * 0.125);
  CHECK(spring.reached.back() == 130);
}

TEST_CASE("loads that fail are put in halves", "[assembly][statics]") {
  Spring spring;  // a step of 0.5 is the longest, so that three iterations do not get far
  const auto result = spring.search({.iterations = 6, .first_step = 1});
  CHECK_THAT(spring.x, WithinAbs(5, 1e-9));
  CHECK(spring.reached[0] == 130);
  CHECK(spring.reached[1] == 65);
  CHECK(result.load_steps > 4);
  CHECK(static_cast<int>(spring.reached.size()) > result.load_steps);
}

TEST_CASE("the smallest load step is tried", "[assembly][statics]") {
  Spring spring;
  spring.torn_beyond = -1;
  CHECK_THROWS_AS(spring.search({.first_step = 0.5, .smallest_step = 0.25}), NoConvergence);
  CHECK(spring.reached == std::vector{65.0, 32.5});
}

TEST_CASE("a search that fails tells where it got to and why", "[assembly][statics]") {
  Spring spring;
  spring.singular_beyond = 2;
  CHECK_THROWS_WITH(spring.search({}),
                    ContainsSubstring("NoConvergence: no static equilibrium beyond the load factor 0.0") &&
                        ContainsSubstring("it is broken; it is a spring at t = 0 s"));
  CHECK(spring.x <= 2);
  CHECK_THAT(spring.load, WithinAbs(10, 0.2));  // that of the last equilibrium
  CHECK_THAT(spring.x, WithinAbs(2, 1e-2));
}

TEST_CASE("a state that cannot be says why a search fails, in its own words and without a time",
          "[assembly][statics]") {
  Spring spring;
  spring.torn_beyond = 2;
  CHECK_THROWS_WITH(spring.search({}),
                    ContainsSubstring(": InvalidState: it is torn; it is a spring at t = 0 s"));
}

TEST_CASE("a search ends where round-off keeps its steps from shrinking", "[assembly][statics]") {
  Spring spring;
  spring.rounding = 1e-13;
  const auto result = spring.search({.step_tolerance = 1e-16});
  CHECK_THAT(spring.x, WithinAbs(5, 1e-12));
  CHECK(result.residual < 1e-9);
}

TEST_CASE("numbers of a search have their ranges", "[assembly][statics]") {
  const auto refused = [](const StaticOptions<double>& options, const char* what) {
    CHECK_THROWS_WITH(Spring().search(options), ContainsSubstring(what));
  };
  refused({.tolerance = 1}, "StaticOptions: tolerance = 1, but");
  refused({.step_tolerance = 0}, "step_tolerance = 0");
  refused({.iterations = 0}, "iterations = 0");
  refused({.first_step = 2}, "first_step = 2");
  refused({.smallest_step = 0.5}, "smallest_step = 0.5");
  refused({.largest_step = 0}, "largest_step = 0");
  refused({.largest_turn = 3}, "largest_turn = 3");
  refused({.largest_move = 0}, "largest_move = 0");
}

}  // namespace load_path_test
