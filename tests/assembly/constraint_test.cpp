// What the traits of a constraint tell of it.

#include <dalembert/assembly/constraint.hpp>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>

#include "support/catch.hpp"
#include "support/turned_reactions.hpp"

namespace constraint_test {

using namespace dalembert;
using namespace dalembert::assembly;

/// Places, position rows, rows and internal coordinates.
template <class C>
constexpr bool has(int places, int positions, int rows, int slides) {
  using T = ConstraintTraits<C>;
  return T::places == places && T::positions == positions && T::rows == rows && T::internal_count == slides;
}
static_assert(has<test::Blade>(1, 0, 4, 0));
static_assert(has<test::RollingBall>(1, 1, 3, 0));
static_assert(has<SphericalJoint<double>>(2, 3, 3, 0));
static_assert(has<Hinge<double>>(2, 5, 5, 0));
static_assert(has<Weld<double>>(2, 6, 6, 0));
static_assert(has<contact::RollingOnPlane<double>>(1, 1, 3, 0));
static_assert(has<contact::SlidingOnPlane<double>>(1, 1, 1, 0));
static_assert(has<contact::RollingContact<double>>(2, 1, 3, 2));

TEST_CASE("reactions are told apart from rows where a constraint says them", "[assembly]") {
  CHECK(ConstraintTraits<test::Blade>::Has::reaction);
  CHECK(!ConstraintTraits<Weld<double>>::Has::reaction);
}

}  // namespace constraint_test
