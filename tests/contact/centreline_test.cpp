#include <dalembert/contact/detail/centreline.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace centreline_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Index = Eigen::Index;
using Chain = rod::Chain<double>;
using Line = contact::detail::Centreline<double>;
using Point = contact::detail::CentrelinePoint<double>;

constexpr double h = 0.01;

/// A bent and unevenly stretched chain.
Chain bent(Index nodes, const V& shift = V::Zero()) {
  Chain chain(nodes);
  for (Index k = 0; k < nodes; ++k) {
    const double s = h * static_cast<double>(k);
    chain.set_frame(
        k, SO3<double>::identity(),
        shift + V(s + 0.002 * std::sin(70 * s), 0.03 * std::sin(20 * s), 0.02 * std::cos(31 * s)));
  }
  return chain;
}
Point at(const Line& line, const Chain& chain, double s) {
  Point p;
  line.put(chain, s, p);
  return p;
}
V R(const Line& line, const Chain& chain, double s) { return at(line, chain, s).R(); }
double distance(const contact::Triple<double>& a, const V& b) { return (V(a) - b).norm(); }

/// Radii with kernels of 1 to 4 elements; the last is wider than eight of them.
constexpr std::array radii{0.004, 0.04, 0.06, 0.08, 0.5};

TEST_CASE("a kernel is as wide as half the radius, in whole elements from one to four", "[contact]") {
  const auto multiple = [](double radius) { return Line::of_rod(0, 50, h, radius).multiple(); };
  CHECK(multiple(1e-6) == 1);
  CHECK(multiple(0.0299) == 1);
  CHECK(multiple(0.0301) == 2);
  CHECK(multiple(0.0501) == 3);
  CHECK(multiple(0.0701) == 4);
  CHECK(multiple(10) == 4);
}

TEST_CASE("cells tile a rod, half a cell at each end", "[contact]") {
  for (const double radius : {0.001, 0.019, 0.0203, 0.033, 0.09, 0.4, 3.0}) {
    const Line line = Line::of_rod(3, 41, h, radius);
    CAPTURE(radius, line.cells());
    CHECK(line.cell_begin(0) == 0);
    CHECK(line.cell_centre(0) == 0);
    CHECK(line.cell_centre(line.cells()) == line.length());
    CHECK(line.cell_begin(line.cells() + 1) == line.length());
    CHECK(line.cell_length() * static_cast<double>(line.cells()) == Approx(0.4).epsilon(1e-14));
    const double asked = std::max(h, radius / 2);
    CHECK((line.cells() == 1 || std::abs(line.cell_length() / asked - 1) < 0.4));
    for (Index k = 0; k < line.cells(); ++k) {
      CHECK(line.cell_centre(k) < line.cell_begin(k + 1));
      CHECK(line.cell_begin(k + 1) < line.cell_centre(k + 1));
      CHECK(line.cell_centre(k) == Approx(static_cast<double>(k) * line.cell_length()).margin(1e-16));
    }
    if (radius < 2 * h) CHECK(line.cell_length() == h);
  }
}

TEST_CASE("a centreline ends at its end nodes, where it is straight", "[contact]") {
  for (const double radius : radii)
    for (const Index nodes : {2, 3, 5, 8, 13, 40}) {
      const Line line = Line::of_rod(0, nodes, h, radius);
      const Chain chain = bent(nodes);
      CAPTURE(radius, nodes);
      for (const bool end : {false, true}) {
        const Point p = at(line, chain, end ? line.length() : 0.0);
        CHECK(distance(p.R(), chain.position(end ? nodes - 1 : 0)) < 1e-15);
        CHECK(norm(p.ddR) * line.kernel_width() * line.kernel_width() < 1e-14);
        CHECK(norm(p.dR) > 0.3);
      }
    }
}

TEST_CASE("weights sum to one and their slopes to zero, at the ends and behind them as well", "[contact]") {
  test::Random random(test::seed());
  for (const double radius : radii)
    for (const Index nodes : {2, 3, 4, 7, 8, 12, 23, 60}) {
      const Line line = Line::of_rod(0, nodes, h, radius);
      const Chain chain = bent(nodes);
      for (int trial = 0; trial < 40; ++trial) {
        const double l = line.kernel_width();
        const double s = line.length() / 2 + (line.length() / 2 + l) * random();
        const Point p = at(line, chain, s);
        CAPTURE(radius, nodes, s, p.first, p.count);
        REQUIRE(p.first >= 0);
        REQUIRE(p.count >= 1);
        REQUIRE(p.count <= Point::most);
        REQUIRE(p.first + p.count <= nodes);
        double sum = 0, slope = 0, size = 0, slopes = 0;
        V position = V::Zero(), derivative = V::Zero();
        for (int i = 0; i < p.count; ++i) {
          const auto j = static_cast<std::size_t>(i);
          sum += p.weight[j], slope += p.slope[j];
          size += std::abs(p.weight[j]), slopes += std::abs(p.slope[j]);
          position += p.weight[j] * chain.position(p.first + i);
          derivative += p.slope[j] * chain.position(p.first + i);
        }
        CHECK(std::abs(sum - 1) < 2e-15 * size);
        CHECK(std::abs(slope) < 2e-15 * slopes);
        CHECK(distance(p.R(), position) < 1e-15 * size);
        CHECK(distance(p.dR, derivative) < 1e-15 * slopes);
      }
    }
}

TEST_CASE("tangent, its slope and the slopes of weights are derivatives", "[contact]") {
  test::Random random(test::seed());
  for (const double radius : radii)
    for (const Index nodes : {2, 5, 8, 30}) {
      const Line line = Line::of_rod(0, nodes, h, radius);
      const Chain chain = bent(nodes);
      for (int trial = 0; trial < 30; ++trial) {
        const double s = line.length() / 2 * (1 + random()), d = 1e-5 * line.kernel_width();
        const Point p = at(line, chain, s), before = at(line, chain, s - d), after = at(line, chain, s + d);
        CAPTURE(radius, nodes, s);
        CHECK(distance(p.dR, (V(after.R()) - V(before.R())) / (2 * d)) < 1e-8);
        CHECK(distance(p.ddR, (V(after.dR) - V(before.dR)) / (2 * d)) < 1e-5 / line.kernel_width());
        if (before.first != after.first || before.count != after.count) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); ++i)
          CHECK(std::abs(p.slope[i] - (after.weight[i] - before.weight[i]) / (2 * d)) <
                1e-8 / line.kernel_width());
      }
    }
}

TEST_CASE("the second derivative is continuous over nodes and ends", "[contact]") {
  for (const double radius : radii)
    for (const Index nodes : {2, 5, 9, 30}) {
      const Line line = Line::of_rod(0, nodes, h, radius);
      const Chain chain = bent(nodes);
      for (Index k = 0; k < nodes; ++k) {
        const double s = h * static_cast<double>(k), d = 1e-7 * h;
        CAPTURE(radius, nodes, k);
        CHECK(distance(at(line, chain, s - d).ddR, V(at(line, chain, s + d).ddR)) < 1e-5 / h);
        CHECK(distance(at(line, chain, s).ddR, V(at(line, chain, s + d).ddR)) < 1e-5 / h);
      }
    }
}

TEST_CASE("a straight rod is straight, at a kilometre from the origin too", "[contact]") {
  const V along = V(1, -2, 0.5).normalized();
  for (const double far : {0.0, 1e3})
    for (const double radius : radii)
      for (const Index nodes : {2, 3, 8, 30}) {
        const V shift = far * V(0.3, -0.9, 0.4);
        const Line line = Line::of_rod(0, nodes, h, radius);
        Chain chain(nodes);
        for (Index k = 0; k < nodes; ++k)
          chain.set_frame(k, SO3<double>::identity(), shift + 1.1 * h * static_cast<double>(k) * along);
        CAPTURE(far, radius, nodes);
        const double rounding = 2e-16 * (1 + 4 * far);
        for (int i = -3; i <= 40; ++i) {
          const double s = line.length() * i / 37;
          if (s < -line.kernel_width() || s > line.length() + line.kernel_width()) continue;
          const Point p = at(line, chain, s);
          CHECK(distance(p.R(), shift + 1.1 * s * along) < 3 * rounding);
          CHECK(distance(p.dR, 1.1 * along) < 10 * rounding / h);
          CHECK(norm(p.ddR) < 30 * rounding / (h * h));
        }
      }
}

TEST_CASE("a curve does not depend on where it is, nor on which end comes first", "[contact]") {
  for (const double radius : radii)
    for (const Index nodes : {2, 6, 25}) {
      const Line line = Line::of_rod(0, nodes, h, radius);
      const Chain here = bent(nodes), there = bent(nodes, V(1e3, -1e3, 1e3));
      Chain turned(nodes);
      for (Index k = 0; k < nodes; ++k)
        turned.set_frame(k, SO3<double>::identity(), here.position(nodes - 1 - k));
      for (int i = 0; i <= 20; ++i) {
        const double s = line.length() * i / 20;
        const Point p = at(line, here, s), q = at(line, there, s), b = at(line, turned, line.length() - s);
        CHECK(distance(p.R(), V(q.R()) - V(1e3, -1e3, 1e3)) < 1e-12);
        CHECK(distance(p.dR, V(q.dR)) < 1e-12 / h);
        CHECK(distance(b.R(), V(p.R())) < 1e-15);
        CHECK(distance(b.dR, -V(p.dR)) < 1e-13);
        CHECK(distance(b.ddR, V(p.ddR)) < 1e-13 / h);
      }
    }
}

TEST_CASE("a circle is met to the fourth order of the kernel", "[contact]") {
  std::vector<double> errors;
  for (const Index elements : {40, 80, 160}) {
    const double spacing = 1.0 / static_cast<double>(elements);
    const Line line = Line::of_rod(0, elements + 1, spacing, spacing);
    Chain chain(elements + 1);
    for (Index k = 0; k <= elements; ++k) {
      const double s = spacing * static_cast<double>(k);
      chain.set_frame(k, SO3<double>::identity(), V(std::sin(3 * s) / 3, std::cos(3 * s) / 3, 0));
    }
    double error = 0;
    for (int i = 0; i <= 50; ++i)
      error = std::max(error, std::abs(R(line, chain, 0.3 + 0.008 * i).norm() - 1.0 / 3));
    errors.push_back(error);
  }
  CAPTURE(errors);
  CHECK(errors[0] < 2e-6);
  CHECK(std::abs(std::log2(errors[0] / errors[1]) - 4) < 0.1);
  CHECK(std::abs(std::log2(errors[1] / errors[2]) - 4) < 0.1);
}

TEST_CASE("a ball is a line of one point", "[contact]") {
  Chain chain(3);
  const auto rotation = SO3<double>::exp(V(0.3, -1, 0.5));
  chain.set_frame(2, rotation, V(1, 2, 3));
  const Line ball = Line::of_ball(4, 2, V(0.1, 0.2, -0.3), 0.05);
  const Point p = at(ball, chain, 0);
  CHECK(ball.is_ball());
  CHECK(distance(p.R(), V(1, 2, 3) + rotation.act(V(0.1, 0.2, -0.3))) < 1e-15);
  CHECK(norm(p.dR) == 0);
  CHECK(p.first == 2);
  CHECK(p.count == 1);
  CHECK(p.weight[0] == 1);
}

TEST_CASE("rods without length or radius are refused", "[contact]") {
  CHECK_THROWS_AS(Line::of_rod(0, 1, h, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(Line::of_rod(0, 5, 0.0, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(Line::of_rod(0, 5, h, -1.0), std::invalid_argument);
  CHECK_THROWS_AS(Line::of_ball(0, 0, V::Zero(), 0.0), std::invalid_argument);
}

}  // namespace centreline_test
