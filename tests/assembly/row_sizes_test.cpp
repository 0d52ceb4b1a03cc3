#include <dalembert/assembly/detail/row_sizes.hpp>

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/core/detail/sized.hpp>

#include "support/catch.hpp"

namespace row_sizes_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Sized = dalembert::detail::Sized<double>;

/// Rows made of a coordinate and the time, of squares of the rotation's quaternion, and of constants.
struct Rows {
  using Scalar = double;
  static constexpr std::string_view name = "Rows";
  FrameMarker<double> place;

  auto markers() const { return std::tie(place); }
  template <class T>
  Vec<T, 5> position_constraint(const FrameState<T>& x, const T& t) const {
    const auto v = x.rotation.v();
    return {x.position[0] - 1e3 * t, v[0] * v[0], v[1] * v[1], x.rotation.w() * v[2], x.position[1] - 7};
  }
};

TEST_CASE("the sizes of rows are those of nodes, arms, rotations and constants, and not of the time",
          "[assembly][closing]") {
  const Rows rows{{0, 0, {0, 0, 0.25}}};
  const SO3<double> turn = SO3<double>::exp(Vec<double, 3>(0.3, -0.5, 0.8));
  std::array<Point<double>, 1> points;
  points[0].R = {2, -3, 5};
  points[0].rotation = turn;
  const auto sizes = assembly::detail::sizes_of_rows(assembly::detail::Evaluator<Rows>(rows), points, 4.0);
  const auto v = turn.v();
  CHECK(sizes[0] == 2 + 0.25);
  CHECK(sizes[1] == Approx(std::abs(v[0])));
  CHECK(sizes[2] == Approx(std::abs(v[1])));
  CHECK(sizes[3] == Approx((std::abs(turn.w()) + std::abs(v[2])) / 2));
  CHECK(sizes[4] == 3 + 0.25 + 7);
}

TEST_CASE("a number with a size has the value of plain arithmetic, and the size of its terms",
          "[assembly][closing]") {
  const Sized a(3.0, 4.0), b(-2.0, 0.5);
  Sized x = a;
  x += b;
  CHECK(x.value() == 1);
  CHECK(x.size() == 4.5);
  x = a;
  x -= b;
  CHECK(x.value() == 5);
  CHECK(x.size() == 4.5);
  x *= b;
  CHECK(x.value() == -10);
  CHECK(x.size() == 5 * 0.5 + 2 * 4.5);
  x /= b;
  CHECK(x.value() == 5);
  CHECK(x.size() == (5 * 0.5 + 2 * 4.5 + 5 * 0.5) / 2);
  x = a;
  x += 2;
  CHECK(x.value() == 5);
  CHECK(x.size() == 6);
  CHECK((a - a).value() == 0);
  CHECK((a - a).size() == 8);
}

}  // namespace row_sizes_test
