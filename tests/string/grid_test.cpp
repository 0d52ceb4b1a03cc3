#include <dalembert/string/grid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace grid_string_test {

using namespace dalembert;
using String = strings::GridString<double>;
using Line = assembly::Line<double>;
using Column = Vec<double, Eigen::Dynamic>;
using strings::Ends;

/// Strings of all ends, with and without damping; 300 nodes are more than a tile of the sweep.
std::vector<String> strings() {
  std::vector<String> all;
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic})
    for (const double damping : {0.0, 3.0})
      for (const int points : {4, 128, 129, 300})
        all.emplace_back(String::Parameters{
            .c = 1.3, .length = 2.0, .points = points, .ends = ends, .density = 0.7, .damping = damping});
  return all;
}

Line random_line(const String& s) {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  Line line = s.line({});
  for (double& x : line.displacement) x = draw(engine);
  for (double& x : line.velocity) x = draw(engine) / s.spacing();
  hold(s, line, 0.0);
  return line;
}

double distance(const Line& a, const Line& b) {
  return std::max((a.displacement - b.displacement).lpNorm<Eigen::Infinity>(),
                  (a.velocity - b.velocity).lpNorm<Eigen::Infinity>() / a.velocity.norm());
}

TEST_CASE("a string steps in one sweep as it does in parts", "[string]") {
  for (const String& s : strings()) {
    CAPTURE(static_cast<int>(s.parameters().ends), s.parameters().damping, s.parameters().points);
    const Line from = random_line(s);
    const double h = 0.7 * s.spacing();
    Column f(s.nodes());
    Line parts = from;
    REQUIRE(s.forces(from, f));
    s.kick_drift(from, f, h / 2, 0.0, h, parts);
    REQUIRE(s.forces(parts, f));
    s.kick(parts, f, h / 2);
    Line sweep = s.line({});
    s.step(from, h, sweep);
    CHECK(distance(sweep, parts) < 1e-14);
    CHECK(distance(sweep, from) > 1e-2);
  }
}

TEST_CASE("what impulses some nodes of a string get is added to its step", "[string]") {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  for (const String& s : strings()) {
    const auto n = s.nodes();
    const double h = 0.7 * s.spacing();
    for (Eigen::Index first = 0; first < n; first += std::max(n / 5, Eigen::Index(1))) {
      const Eigen::Index count = std::min(s.closed() ? n : n - first, Eigen::Index(3));
      CAPTURE(static_cast<int>(s.parameters().ends), s.parameters().damping, n, first, count);
      const Line from = random_line(s);
      std::vector<double> weights(static_cast<std::size_t>(count));
      // from the first kick on a step is the same whatever gave the velocity
      Line kicked = from, expected = from, sum = from;
      const double impulse = 1.7 * s.parameters().density;
      for (Eigen::Index j = 0; j < count; ++j) {
        const Eigen::Index k = (first + j) % n;
        double& weight = weights[static_cast<std::size_t>(j)];
        weight = draw(engine);
        kicked.velocity[k] += inverse_mass(s, k) * impulse * weight;
      }
      s.step(kicked, h, expected);
      s.step(from, h, sum);
      const Line without = sum;
      s.add_impulse(weights.data(), first, count, impulse, h, sum);
      CHECK(distance(sum, expected) < 1e-14);
      if (inverse_mass(s, first) > 0) CHECK(distance(without, expected) > 1e-4);
    }
  }
}

TEST_CASE("the forces on some nodes of a string are those among all", "[string]") {
  for (const String& s : strings()) {
    const auto n = s.nodes();
    const Line line = random_line(s);
    Column all(n);
    REQUIRE(s.forces(line, all));
    for (Eigen::Index first = 0; first < n; ++first) {
      const Eigen::Index count = std::min(s.closed() ? n : n - first, Eigen::Index(4));
      Column some = Column::Constant(n, std::numeric_limits<double>::quiet_NaN());
      s.forces(line, first, count, some);
      double worst = 0;
      for (Eigen::Index j = 0; j < count; ++j) {
        const Eigen::Index k = (first + j) % n;
        worst = std::max(worst, std::abs(some[k] - all[k]));
        some[k] = std::numeric_limits<double>::quiet_NaN();
      }
      CHECK(worst <= 1e-13 * all.norm());
      CHECK(some.array().isNaN().all());  // no other node was touched
    }
  }
}

}  // namespace grid_string_test
