#include <dalembert/rod/writhe.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace writhe_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Curve = std::vector<V>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
constexpr double pi_ = static_cast<double>(pi);

/// n corners of a closed curve with a parameter from 0 to 2π.
Curve sampled(int n, const std::function<V(double)>& curve) {
  Curve corners;
  for (int i = 0; i < n; ++i) corners.push_back(curve(2 * pi_ * i / n));
  return corners;
}

/// The (2, 3) torus knot, right-handed for a positive height, which makes it less flat.
Curve trefoil(int n, double height) {
  return sampled(n, [&](double t) {
    return V(std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), height * std::sin(3 * t));
  });
}

/// A curve without a symmetry that would do half the work.
Curve wild(int n) {
  return sampled(n, [](double t) {
    return V(std::cos(t) + 0.4 * std::sin(3 * t), std::sin(t) - 0.3 * std::cos(2 * t),
             0.5 * std::sin(2 * t + 0.3) + 0.2 * std::cos(4 * t));
  });
}

/// Equation (1) for two edges by Gauss's rule with 8 × 8 nodes, which is exact to 1e-12 where they are not near each other.
double quadrature(const V& a, const V& b, const V& c, const V& e) {
  const double x[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  const double w[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const double s = 0.5 + 0.5 * (i < 4 ? x[i] : -x[i - 4]), t = 0.5 + 0.5 * (j < 4 ? x[j] : -x[j - 4]);
      const V d = a + s * (b - a) - c - t * (e - c);
      sum += w[i % 4] * w[j % 4] / 4 * (b - a).cross(e - c).dot(d) / std::pow(d.norm(), 3);
    }
  return sum;
}

TEST_CASE("two edges have the solid angle of Gauss's integral", "[rod]") {
  test::Random random(test::seed());
  for (int i = 0; i < 20; ++i) {
    const V a = random.vector<double>(), b = random.vector<double>(),
            c = random.vector<double>() + V(0, 0, 4), e = random.vector<double>() + V(0, 0, 4);
    using T = dalembert::detail::Triple<double>;
    CHECK_THAT(rod::detail::edges_angle(T(a), T(b), T(c), T(e)), WithinAbs(quadrature(a, b, c, e), 1e-9));
  }
}

TEST_CASE("flat knots have the writhe of their crossings", "[rod]") {
  CHECK_THAT(rod::writhe(trefoil(300, 1e-3)), WithinAbs(3, 1e-2));
  CHECK_THAT(rod::writhe(trefoil(300, -1e-3)), WithinAbs(-3, 1e-2));
  const auto figure_eight_knot = sampled(300, [](double t) {
    return V((2 + std::cos(2 * t)) * std::cos(3 * t), (2 + std::cos(2 * t)) * std::sin(3 * t),
             1e-3 * std::sin(4 * t));
  });
  CHECK_THAT(rod::writhe(figure_eight_knot), WithinAbs(0, 1e-3));  // two crossings of each sign
  const auto eight = [](double height) {
    return sampled(300, [&](double t) {  // one crossing
      return V(std::cos(t), std::sin(2 * t), height * std::sin(t));
    });
  };
  CHECK_THAT(std::abs(rod::writhe(eight(1e-4))), WithinAbs(1, 1e-3));
  CHECK_THAT(rod::writhe(eight(1e-4)) + rod::writhe(eight(-1e-4)), WithinAbs(0, 1e-12));
}

TEST_CASE("a flat curve has no writhe", "[rod]") {
  CHECK_THAT(rod::writhe(sampled(40, [](double t) { return V(std::cos(t), 2 * std::sin(t), 0.3); })),
             WithinAbs(0, 1e-14));
  CHECK_THAT(rod::writhe<double>({{0, 0, 0}, {1, 0.3, 0}, {2, -0.2, 0}, {3, 0, 0}}, {1, 0, 0}, {1, 0.4, 0}),
             WithinAbs(0, 1e-14));
}

TEST_CASE("the writhe of polygons goes to that of the curve with second order", "[rod]") {
  const double coarse = rod::writhe(wild(60)), middle = rod::writhe(wild(120)), fine = rod::writhe(wild(240));
  REQUIRE(std::abs(fine) > 0.1);
  CHECK_THAT(std::log2((middle - coarse) / (fine - middle)), WithinAbs(2, 0.1));
}

TEST_CASE(
    "writhe is the same from every side, in both senses and at any size, and changes its sign in a mirror",
    "[rod]") {
  const Curve curve = wild(50);
  const double value = rod::writhe(curve);
  test::Random random(test::seed());
  const Mat<double, 3> turn = test::rotation_matrix<double>(random.vector<double>());
  Curve moved, mirrored, reversed(curve.rbegin(), curve.rend()), shifted(curve.begin() + 7, curve.end());
  shifted.insert(shifted.end(), curve.begin(), curve.begin() + 7);
  for (const V& r : curve) {
    moved.push_back(V(1, 2, 3) + 1e-3 * (turn * r));
    mirrored.emplace_back(r[0], r[1], -r[2]);
  }
  CHECK_THAT(rod::writhe(moved), WithinAbs(value, 1e-11));
  CHECK_THAT(rod::writhe(reversed), WithinAbs(value, 1e-13));
  CHECK_THAT(rod::writhe(shifted), WithinAbs(value, 1e-13));
  CHECK_THAT(rod::writhe(mirrored), WithinAbs(-value, 1e-13));
}

/// `turns` of a helix about z with the tangent's angle θ to z, n edges a turn, from the axis out and back to it.
Curve helix(int n, double turns, double angle) {
  Curve corners;
  const int edges = static_cast<int>(std::lround(n * turns));
  for (int i = 0; i <= edges; ++i) {
    const double t = 2 * pi_ * i / n;
    corners.emplace_back(std::sin(angle) * std::cos(t), std::sin(angle) * std::sin(t), std::cos(angle) * t);
  }
  return corners;
}

/// Fuller's single sum: the area between the path of the tangent on the sphere and `pole`, over 2π.
double fuller(const Curve& r, const V& pole) {
  using T = dalembert::detail::Triple<double>;
  double sum = 0;
  for (std::size_t i = 0; i + 2 < r.size(); ++i)
    sum += rod::detail::triangle_angle(T(pole), T(V((r[i + 1] - r[i]).normalized())),
                                       T(V((r[i + 2] - r[i + 1]).normalized())));
  return sum / (2 * pi_);
}

TEST_CASE("a helix between rays along its axis has the writhe of Fuller's area", "[rod]") {
  for (const double angle : {0.3, 0.9, 1.3}) {
    CAPTURE(angle);
    const Curve r = helix(40, 3.25, angle);
    const double value = rod::writhe(r, V(0, 0, 1), V(0, 0, 1));
    CHECK_THAT(value, WithinAbs(fuller(r, V(0, 0, 1)), 1e-12));
    // N turns of a right-handed helix: N (1 − cos θ), but for the angle of one edge
    CHECK_THAT(value, WithinAbs((3.25 - 1.0 / 40) * (1 - std::cos(angle)), 5e-3));
  }
}

TEST_CASE("rays are the limit of long edges that are closed far away", "[rod]") {
  test::Random random(test::seed());
  Curve r;
  for (int i = 0; i < 12; ++i) r.push_back(V(0.6 * i, 0, 0) + random.vector<double>());
  const V along = V(1, 0.2, -0.1).normalized();
  const double value = rod::writhe(r, along, along);
  const auto closed = [&](double far) {
    Curve c = r;
    c.push_back(V(r.back() + far * along));
    c.push_back(V(r.back() + far * (along + V(0, 0, 1))));
    c.push_back(V(r.front() - far * (along - V(0, 0, 1))));
    c.push_back(V(r.front() - far * along));
    return rod::writhe(c);
  };
  REQUIRE(std::abs(value) > 0.05);
  CHECK_THAT(closed(1e4), WithinAbs(value, 1e-3));
  CHECK_THAT(closed(1e6), WithinAbs(value, 1e-5));
}

TEST_CASE("corners along the rays change nothing, whatever their directions", "[rod]") {
  test::Random random(test::seed());
  Curve r;
  for (int i = 0; i < 10; ++i) r.push_back(V(0.6 * i, 0, 0) + random.vector<double>());
  const V from = V(1, 0.4, -0.2).normalized(), to = V(0.3, -1, 0.5).normalized();
  Curve longer = r;
  longer.insert(longer.begin(), {V(r.front() - 9 * from), V(r.front() - 2 * from)});
  longer.push_back(V(r.back() + 3 * to));
  CHECK_THAT(rod::writhe(longer, from, to), WithinAbs(rod::writhe(r, from, to), 1e-13));
}

TEST_CASE("what is no curve has no writhe", "[rod]") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(rod::writhe<double>({{0, 0, 0}, {1, 0, 0}}), ContainsSubstring("corners = 2"));
  CHECK_THROWS_WITH(rod::writhe<double>({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}), ContainsSubstring("corner 2"));
  CHECK_THROWS_WITH(rod::writhe<double>({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}), ContainsSubstring("corner 0"));
  CHECK_THROWS_WITH(rod::writhe<double>({{0, 0, 0}, {1, infinity, 0}, {0, 1, 0}}),
                    ContainsSubstring("corner 1"));
  CHECK_THROWS_AS(rod::writhe<double>({{0, 0, 0}, {1, 0, 0}}, {0, 0, 0}, {1, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(rod::writhe<double>({{0, 0, 0}}, {1, 0, 0}, {1, 0, 0}), std::invalid_argument);
}

}  // namespace writhe_test
