#include <dalembert/rod/laid.hpp>

#include <cmath>
#include <vector>

#include <dalembert/rod/straight.hpp>

#include "support/catch.hpp"

namespace laid_test {

using namespace dalembert;
using V = Vec<double, 3>;

TEST_CASE("a rod laid along a line is the straight one", "[rod][laid]") {
  const V from(1, -2, 3), along(0.3, 0.2, -0.6), side(0, 1, 0.5);
  std::vector<V> points;
  for (int k = 0; k < 5; ++k) points.push_back(from + 0.1 * k * along);
  const auto chain = rod::laid_along(points, side);
  const auto frame = rod::Straight<>{.direction = along, .normal = side}.frame();
  REQUIRE(chain.nodes == 5);
  for (Eigen::Index k = 0; k < 5; ++k) {
    CHECK((chain.rotation(k).matrix() - frame.matrix()).norm() < 1e-14);
    CHECK((chain.position(k) - points[static_cast<std::size_t>(k)]).norm() == 0);
    CHECK(chain.velocity.row(k).matrix().norm() == 0);
  }
}

TEST_CASE("frames along a helix turn with its tangent and do not twist", "[rod][laid]") {
  const int n = 400;
  std::vector<V> points;
  for (int k = 0; k <= n; ++k) {
    const double t = 4 * std::acos(-1.0) * k / n;
    points.push_back({std::cos(t), std::sin(t), 0.4 * t});
  }
  const auto chain = rod::laid_along(points);
  double twist = 0;
  for (Eigen::Index k = 0; k <= n; ++k) {
    const double t = 4 * std::acos(-1.0) * static_cast<double>(k) / n;
    const V tangent = V(-std::sin(t), std::cos(t), 0.4) / std::sqrt(1.16);
    const double off = (V(chain.rotation(k).matrix().col(2)) - tangent).norm();
    CHECK(off < (k == 0 || k == n ? 0.02 : 1e-3));
    if (k > 0)
      twist = std::max(twist, std::abs((chain.rotation(k - 1).inverse() * chain.rotation(k)).log()[2]));
  }
  CHECK(twist < 1e-5);
}

TEST_CASE("points that no rod can follow are refused", "[rod][laid]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(rod::laid_along(std::vector<V>{{0, 0, 0}}), ContainsSubstring("points = 1"));
  CHECK_THROWS_WITH(rod::laid_along(std::vector<V>{{0, 0, 0}, {0, 0, 0}}),
                    ContainsSubstring("length of segment 0"));
  CHECK_THROWS_WITH(rod::laid_along(std::vector<V>{{0, 0, 0}, {0, 0, 1}, {0, 0, 0.5}}),
                    ContainsSubstring("turn back"));
  CHECK_THROWS_WITH(rod::laid_along(std::vector<V>{{0, 0, 0}, {0, 0, std::nan("")}}),
                    ContainsSubstring("length of segment 0"));
}

}  // namespace laid_test
