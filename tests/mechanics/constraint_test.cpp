#include <dalembert/mechanics/constraint.hpp>

#include <cmath>
#include <stdexcept>

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

/// Rows of every order, without names.
struct RowsOfEveryOrder {
  using Group = Rn<double, 3>;
  using Principle = principle::ExtendedChetaev;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  }
  template <class T>
  T position_constraint(const Rn<T, 3>& q) const {
    return q.coordinates()[0];
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 3>& v) const {
    return Vec<T, 2>(v[1], v[0] + v[1]);
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 3>&, const Vec<T, 3>& a) const {
    return a[2];
  }
};

TEST_CASE("rows without names are counted within their own order", "[constraint]") {
  CHECK(constraint_name<RowsOfEveryOrder>(0) == "position row 0");
  CHECK(constraint_name<RowsOfEveryOrder>(1) == "velocity row 0");
  CHECK(constraint_name<RowsOfEveryOrder>(2) == "velocity row 1");
  CHECK(constraint_name<RowsOfEveryOrder>(3) == "acceleration row 0");
}

/// R = ξ + c (ξ³ − 1.5 ξ²): for any c its slope is 1 both at ξ = 0 and at ξ = 1.
struct CubicRow {
  using Group = Rn<double, 1>;
  double c = 0;
  template <class T>
  T lagrangian(const Vec<T, 1>& v) const {
    return v[0] * v[0] / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 1>& v) const {
    return v[0] + c * v[0] * v[0] * (v[0] - 1.5);
  }
};

TEST_CASE("a row that bends between two velocities of the same slope is not affine", "[constraint]") {
  const StateOf<CubicRow> at_rest;
  CHECK_NOTHROW(detail::require_affine(CubicRow{.c = 0}, at_rest));
  CHECK(velocity_jacobian(CubicRow{.c = 1}, {.xi = Vec<double, 1>(1.0)}, Vec<double, 0>())(0, 0) == 1);
  CHECK_THROWS_AS(detail::require_affine(CubicRow{.c = 1}, at_rest), std::invalid_argument);
  CHECK_THROWS_AS(detail::require_affine(CubicRow{.c = -1}, at_rest), std::invalid_argument);
}

/// A cone of velocities, or a plane that moves, in any unit.
struct ScaledRow {
  using Group = Rn<double, 3>;
  double scale = 1, bend = 0, drift = 0;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 3>& v) const {
    return {v[0] - v[1],
            scale * (0.3 * v[0] - 0.7 * v[1] + 1.1 * v[2] + drift + bend * (v[2] * v[2] - v[0] * v[0]))};
  }
};

/// Two terms that cancel up to rounding, beside a row that does not.
struct RoundedRow : ScaledRow {
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 3>& v) const {
    return {v[0], (0.1 + 0.2) * v[1] + 0.7 * v[0] - (0.3 * v[1] + 0.7 * v[0])};
  }
};

/// The cone alone.
struct ScaledCone : ScaledRow {
  template <class T>
  T velocity_constraint(const Vec<T, 3>& v) const {
    return scale * (v[2] * v[2] - v[0] * v[0] - v[1] * v[1]);
  }
};

TEST_CASE("whether rows are affine does not depend on their units", "[constraint]") {
  for (int power = -12; power <= 12; ++power) {
    const double scale = std::pow(10.0, power);
    CAPTURE(scale);
    for (const double speed : {0.0, 1.0, 1e3, 1e6}) {
      CAPTURE(speed);
      StateOf<ScaledRow> at;
      at.xi = speed * Vec<double, 3>(3, 4, 5);
      for (const double drift : {0.0, 0.1, 1e6, -1e12})
        CHECK_NOTHROW(detail::require_affine(ScaledRow{.scale = scale, .drift = drift}, at));
      CHECK_THROWS_AS(detail::require_affine(ScaledRow{.scale = scale, .bend = 0.1}, at),
                      std::invalid_argument);
      CHECK_THROWS_AS(detail::require_affine(ScaledCone{{.scale = scale}}, StateOf<ScaledCone>{.xi = at.xi}),
                      std::invalid_argument);
      CHECK_NOTHROW(detail::require_affine(RoundedRow{}, StateOf<RoundedRow>{.xi = at.xi}));
    }
  }
}

TEST_CASE("rows of mixed order are found, row by row", "[constraint]") {
  REQUIRE(find_mixed_rows(Maxwell<>{}).velocity == std::array{true});
  REQUIRE(find_mixed_rows(Cubic<>{}).position == std::array{true});
  REQUIRE(find_mixed_rows(MaxwellOnSkate<>{}).velocity == std::array{false, true});
  REQUIRE(find_mixed_rows(SphericalPendulum<>{}).position == std::array{false});
}

/// A row that contains ż but where one of its arguments is zero.
struct MixedAlmostEverywhere {
  using Group = Rn<double, 1>;
  static constexpr int internal = 1;
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (v[0] * v[0] - z[0] * z[0]) / 2;
  }
  template <class T>
  T velocity_constraint(const Rn<T, 1>& q, const Vec<T, 1>& v, const Vec<T, 1>& z, const Vec<T, 1>& zdot,
                        const T& t) const {
    return q.coordinates()[0] * v[0] * z[0] * t * zdot[0] * zdot[0];
  }
};

TEST_CASE("a row is of mixed order also if it does not show in a special place", "[constraint]") {
  CHECK(find_mixed_rows(MixedAlmostEverywhere{}).velocity == std::array{true});
}

}  // namespace constraint_test
