// What is refused of states and rates, by the sentence that names it.

#include <dalembert/assembly/detail/check.hpp>

#include <limits>
#include <stdexcept>

#include "support/catch.hpp"

namespace assembly_check_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;

/// One node at rest, and a string of three nodes.
State<double> still() {
  State<double> x;
  x.chains.emplace_back(1);
  x.chains[0].set_frame(0, SO3<double>::identity(), Vec<double, 3>(1, 2, 3));
  x.chains[0].set_velocity(0, Vec<double, 3>::Zero(), Vec<double, 3>::Zero());
  x.lines.resize(1);
  x.lines[0].displacement = x.lines[0].velocity = Vec<double, Eigen::Dynamic>::Zero(3);
  return x;
}

TEST_CASE("a state of other bodies is told by what differs", "[assembly]") {
  const auto shape = still();
  CHECK_NOTHROW(assembly::detail::check_shape(shape, shape));
  auto x = shape;
  x.chains.emplace_back(1);
  CHECK_THROWS_WITH(assembly::detail::check_shape(x, shape),
                    ContainsSubstring("chains = 2") && ContainsSubstring("are 1 bodies"));
  x = shape;
  x.chains[0] = rod::Chain<double>(2);
  CHECK_THROWS_WITH(assembly::detail::check_shape(x, shape), ContainsSubstring("nodes of chain 0 = 2"));
  x = shape;
  x.lines.clear();
  CHECK_THROWS_WITH(assembly::detail::check_shape(x, shape), ContainsSubstring("lines = 0"));
  x = shape;
  x.lines[0].velocity.resize(2);
  CHECK_THROWS_WITH(assembly::detail::check_shape(x, shape), ContainsSubstring("nodes of line 0 = 3"));
}

TEST_CASE("numbers that mean nothing are told by where they are", "[assembly]") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  CHECK_NOTHROW(assembly::detail::check_numbers(still()));
  CHECK_NOTHROW(assembly::detail::check_projected(still()));
  auto x = still();
  x.chains[0].velocity(0, 4) = none;
  CHECK_THROWS_WITH(assembly::detail::check_numbers(x), ContainsSubstring("chain 0 = not finite"));
  CHECK_THROWS_AS(assembly::detail::check_projected(x), NotFinite);
  x = still();
  x.chains[0].configuration(0, 3) = 1.1;
  CHECK_THROWS_WITH(assembly::detail::check_numbers(x),
                    ContainsSubstring("quaternions of chain 0 = not of norm 1"));
  x = still();
  x.chains[0].configuration(0, 1) = 1e200;
  CHECK_THROWS_WITH(assembly::detail::check_numbers(x), ContainsSubstring("chain 0 = too large"));
  for (const bool moves : {false, true}) {
    x = still();
    (moves ? x.lines[0].velocity : x.lines[0].displacement)[1] = none;
    CHECK_THROWS_WITH(assembly::detail::check_numbers(x), ContainsSubstring("line 0 = not finite"));
    CHECK_THROWS_AS(assembly::detail::check_projected(x), NotFinite);
  }
}

}  // namespace assembly_check_test
