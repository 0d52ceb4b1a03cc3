// What the traits of a constraint tell of it.

#include <dalembert/assembly/constraint.hpp>

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/row_labels.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>

#include "support/catch.hpp"
#include "support/turned_reactions.hpp"

namespace constraint_test {

using namespace dalembert;
using namespace dalembert::assembly;

/// Markers, position rows, rows and internal coordinates.
template <class C>
constexpr bool has(int markers, int positions, int rows, int slides) {
  using T = ConstraintTraits<C>;
  return T::markers == markers && T::positions == positions && T::rows == rows && T::internal_count == slides;
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

/// Says as little as it may: rows of a number type that it does not name, one as a number.
struct Slope {
  FrameMarker<> marker;
  auto markers() const { return std::tie(marker); }
  auto position_constraint(const auto& x, const auto& t) const {
    return x.position[2] + 0.5 * x.position[0] - t;
  }
  auto velocity_constraint(const auto& x, const auto&) const { return x.velocity_at(x.position)[1]; }
};
/// The same with all that may be said.
struct SaidSlope {
  using Scalar = double;
  static constexpr std::string_view name = "Incline";
  static constexpr std::array<std::string_view, 2> row_units = {"m", "rad"};
  FrameMarker<> marker;
  auto markers() const { return std::tie(marker); }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T& t) const {
    return Vec<T, 1>(x.position[2] + 0.5 * x.position[0] - t);
  }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.velocity[1] + x.angular_velocity[2] * x.position[0] -
                     x.angular_velocity[0] * x.position[2]);
  }
};
static_assert(has<Slope>(1, 1, 2, 0));
static_assert(std::is_same_v<ConstraintTraits<Slope>::S, double>);

TEST_CASE("a constraint that says rows alone has the name of its class, doubles and metres", "[assembly]") {
  const RigidBody body{{.mass = 2, .inertia = {0.3, 0.4, 0.5}, .gravity = {0, 0.3, -9.81}}};
  const Assembly short_one{body, constraints(Slope{{.body = 0}})};
  const Assembly long_one{body, constraints(SaidSlope{{.body = 0}})};
  CHECK(row_labels(short_one) ==
        std::vector<std::string>{"row 0 [m] of Slope 0 (body 0)", "row 1 [m] of Slope 0 (body 0)"});
  CHECK(row_labels(long_one) ==
        std::vector<std::string>{"row 0 [m] of Incline 0 (body 0)", "row 1 [rad] of Incline 0 (body 0)"});
  auto x = short_one.state({body.at({0.4, 0.1, -0.1}, SO3d::exp({0.2, 0.4, -0.3}))}, {}, 0.1);
  x[0].set_velocity(0, {0.1, 0.2, 0.3}, {0.7, -0.4, 0.5});
  auto a = short_one.make_rates();
  auto b = long_one.make_rates();
  short_one.rates(x, a);
  long_one.rates(x, b);
  CHECK(a.lambda.size() == 2);
  CHECK((a.lambda - b.lambda).norm() < 1e-12 * b.lambda.norm());
  CHECK(std::abs(short_one.constraint(x).velocity - long_one.constraint(x).velocity) < 1e-15);
  CHECK(short_one.constraint(x).velocity > 0.1);
}

}  // namespace constraint_test
