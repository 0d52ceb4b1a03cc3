#include <dalembert/mechanics/constraint.hpp>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace constraint_test {

using namespace dalembert;
using namespace test;

static_assert(position_rows<SphericalPendulum<>> == 1 && velocity_rows<SphericalPendulum<>> == 0);
static_assert(velocity_rows<TwoRows<>> == 2 && kinematic_rows<TwoRows<>> == 2 &&
              variational_rows<TwoRows<>> == 2);
static_assert(kinematic_rows<HeavyTop<>> == 0 && variational_rows<HeavyTop<>> == 0);
static_assert(std::is_same_v<PrincipleOf<Suslov<>>, principle::DAlembert>);
static_assert(std::is_same_v<PrincipleOf<ConstantSpeed<>>, principle::Chetaev>);
static_assert(std::is_same_v<PrincipleOf<SlantedBlade<>>, principle::Given>);

TEST_CASE("rows have the system's names, or their kind and number", "[constraint]") {
  REQUIRE(constraint_name<TwoRows<>>(1) == "second rail");
  REQUIRE(constraint_name<SphericalPendulum<>>(0) == "position row 0");
  REQUIRE(constraint_name<Suslov<>>(0) == "velocity row 0");
}

TEST_CASE("rows of mixed order are found, row by row", "[constraint]") {
  REQUIRE(find_mixed_rows(Maxwell<>{}).velocity == std::array{true});
  REQUIRE(find_mixed_rows(Cubic<>{}).position == std::array{true});
  REQUIRE(find_mixed_rows(MaxwellOnSkate<>{}).velocity == std::array{false, true});
  REQUIRE(find_mixed_rows(SphericalPendulum<>{}).position == std::array{false});
}

}  // namespace constraint_test
