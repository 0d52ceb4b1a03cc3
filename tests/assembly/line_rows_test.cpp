#include <dalembert/assembly/line_rows.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace line_rows_test {

using namespace dalembert;
using namespace dalembert::assembly::detail;
using assembly::Line;
using assembly::Window;
using Numbers = Vec<double, Eigen::Dynamic>;

constexpr Eigen::Index count = 23;
constexpr double nu = 0.7;

/// A string beside a chain, and windows within it, past its end and around all of it.
struct Scene {
  test::NodeSet set{test::seed()};
  std::vector<Window> windows;
  Numbers numbers{count};

  Scene() {
    set.add_chain(1);
    set.add_line(count, nu);
    for (const auto& [first, width] : {std::pair{3, 9}, {0, 1}, {20, 3}, {17, 11}, {22, 20}, {5, 23}})
      windows.push_back(set.window(1, first, width));
    for (double& x : numbers) x = set.draw.between(-1, 1);
  }
  /// The weights of all nodes.
  std::vector<double> spread(const Window& w) const {
    std::vector<double> alpha(count);
    for (Eigen::Index k = 0; k < w.count; ++k)
      alpha[static_cast<std::size_t>((w.first + k) % count)] =
          set.weights[static_cast<std::size_t>(w.weights + k)];
    return alpha;
  }
  double inverse(std::size_t k) const { return set.inertia[1].line_inverse[static_cast<Eigen::Index>(k)]; }
};

TEST_CASE("a window that leaves a string at its end comes back at its first node", "[assembly][line_rows]") {
  const Scene scene;
  for (const Window& w : scene.windows) {
    CAPTURE(w.first, w.count);
    std::vector<double> alpha(count);
    int nodes = 0;
    each_line_node(w, scene.set.weights.data(), count, [&](Eigen::Index k, double weight) {
      alpha[static_cast<std::size_t>(k)] = weight;
      ++nodes;
    });
    CHECK(nodes == w.count);
    CHECK(alpha == scene.spread(w));
    int segments = 0;
    each_line_segment(w, scene.set.weights.data(), count, [&](Eigen::Index, const double*, Eigen::Index n) {
      ++segments;
      CHECK(n > 0);
    });
    CHECK(segments == (w.first + w.count > count ? 2 : 1));
  }
}

TEST_CASE("averages over a window, of velocities and of accelerations with damping, are sums over its nodes",
          "[assembly][line_rows]") {
  const Scene scene;
  for (const Window& w : scene.windows) {
    CAPTURE(w.first, w.count);
    const auto alpha = scene.spread(w);
    double average = 0, acceleration = 0, compliance = 0;
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      const double x = scene.numbers[static_cast<Eigen::Index>(k)];
      average += alpha[k] * x;
      acceleration +=
          alpha[k] * (scene.inverse(k) * x - nu * scene.set.lines[1].velocity[static_cast<Eigen::Index>(k)]);
      compliance += alpha[k] * alpha[k] * scene.inverse(k);
    }
    const auto nodes = scene.set.nodes();
    const auto found = averages<double>(w, nodes, scene.numbers);
    CHECK(found.linear.x == Approx(average).margin(1e-14));
    CHECK(found.linear.y == 0);
    CHECK(found.linear.z == 0);
    CHECK(norm(found.angular) == 0);
    CHECK(acceleration_averages<double>(w, nodes, scene.numbers).linear.x ==
          Approx(acceleration).margin(1e-14));
    CHECK(line_compliance(w, nodes) == Approx(compliance));
    CHECK(line_compliance(w, w, nodes) == Approx(compliance));
  }
}

TEST_CASE("two markers answer to each other through the nodes that they share, whichever is told first",
          "[assembly][line_rows]") {
  const Scene scene;
  int apart = 0;
  for (const Window& a : scene.windows)
    for (const Window& b : scene.windows) {
      CAPTURE(a.first, a.count, b.first, b.count);
      const auto of_a = scene.spread(a), of_b = scene.spread(b);
      double sum = 0;
      for (std::size_t k = 0; k < of_a.size(); ++k) sum += of_a[k] * of_b[k] * scene.inverse(k);
      CHECK(line_compliance(a, b, scene.set.nodes()) == Approx(sum).margin(1e-15));
      apart += sum == 0;
    }
  CHECK(apart > 2);
}

TEST_CASE("a force at a marker does the work on the nodes that it does on their average",
          "[assembly][line_rows]") {
  const Scene scene;
  const auto nodes = scene.set.nodes();
  const Averages<double> wrench{{1.7, 5, 6}, {7, 8, 9}};  // along the string there is one number alone
  for (const Window& w : scene.windows) {
    CAPTURE(w.first, w.count);
    Numbers f(count);
    f.setZero();
    add_load<double>(w, nodes, wrench, f);
    double power = 0;
    for (Eigen::Index k = 0; k < count; ++k) power += f[k] * scene.numbers[k];
    CHECK(power == Approx(1.7 * averages<double>(w, nodes, scene.numbers).linear.x).margin(1e-14));
    const Numbers once = f;
    add_load<double>(w, nodes, wrench, f);  // it adds
    for (Eigen::Index k = 0; k < count; ++k) CHECK(f[k] == 2 * once[k]);
  }
}

TEST_CASE("an impulse moves the nodes as its forces do, and a displacement takes velocities with it",
          "[assembly][line_rows]") {
  const Scene scene;
  const auto nodes = scene.set.nodes();
  const Averages<double> wrench{{-1.3, 0, 0}, {0, 0, 0}};
  const double per_time = 4;
  for (const Window& w : scene.windows) {
    CAPTURE(w.first, w.count);
    Numbers f(count);
    f.setZero();
    add_load<double>(w, nodes, wrench, f);
    Line<double> kicked = scene.set.lines[1], moved = kicked;
    const Line<double> before = kicked;
    add_impulse<double>(w, nodes, wrench, kicked);
    displace<double>(w, nodes, wrench, per_time, moved);
    for (Eigen::Index k = 0; k < count; ++k) {
      const double step = scene.inverse(static_cast<std::size_t>(k)) * f[k];
      CHECK(kicked.displacement[k] == before.displacement[k]);
      CHECK(std::abs(kicked.velocity[k] - before.velocity[k] - step) < 1e-15);
      CHECK(std::abs(moved.displacement[k] - before.displacement[k] - step) < 1e-15);
      CHECK(std::abs(moved.velocity[k] - before.velocity[k] - per_time * step) < 1e-14);
    }
    CHECK(kicked.velocity[2] == before.velocity[2]);  // which is held
    // the average velocity answers by the compliance
    CHECK(line_average(w, nodes, kicked.velocity) - line_average(w, nodes, before.velocity) ==
          Approx(-1.3 * line_compliance(w, nodes)));
  }
}

}  // namespace line_rows_test
