// Passes over windows of nodes, beside sums that are written out node by node.

#include <dalembert/assembly/rows.hpp>

#include <vector>

#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/rods.hpp"

namespace rows_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Columns6 = rod::Columns<double, 6>;
using Index = Eigen::Index;
using Pack = rod::WindowPack<double>;

/// A rod that moves anyhow, its first end led by hand, damped and loaded; and windows on its nodes.
struct Scene {
  static constexpr Index nodes = 13;

  test::Draw draw{31};
  Rod rod = [] {
    Rod::Parameters p;
    p.start = rod::Boundary<>::prescribed([](double) { return rod::EndMotion<>{}; });
    p.damping.rate = 3;
    return test::soft_rod<Rod>(0.02, nodes - 1, p);
  }();
  std::vector<rod::Chain<double>> chains{rod.straight(V(0.3, -0.2, 0.5), {.direction = V(1, 0, 0)})};
  std::vector<Line<double>> lines{};
  Inertias<double> inertia{};
  Columns6 loads = rod::zero_columns<double, 6>(nodes);
  std::vector<double> weights{1};

  Scene() {
    inertia.add(rod);
    for (Index k = 0; k < nodes; ++k) {
      rod::move_node(chains[0], k, V(0.01 * draw.vector()), V(2 * draw.vector()));
      chains[0].set_velocity(k, draw.vector(), V(5 * draw.vector()));
      for (int i = 0; i < 6; ++i) loads(k, i) = draw.between(-1, 1);
    }
  }
  [[nodiscard]] Window window(Index first, Index count) {
    Window w;
    w.first = first;
    w.count = count;
    w.weights = static_cast<Index>(weights.size());
    w.room = (count + rod::width_of<Pack> - 1) / rod::width_of<Pack> * rod::width_of<Pack>;
    for (Index k = 0; k < w.room; ++k) weights.push_back(k < count ? draw.between(-0.5, 1) : 0.0);
    return w;
  }
  [[nodiscard]] Nodes<double> all() const { return {chains, lines, inertia, weights.data()}; }
  [[nodiscard]] double weight(const Window& w, Index k) const {
    return weights[static_cast<std::size_t>(w.weights + k - w.first)];
  }
  /// Σ α x and Σ α Λx of columns: linear, angular.
  [[nodiscard]] Vec<double, 6> sum(const Window& w, const Columns6& x) const {
    Vec<double, 6> total = Vec<double, 6>::Zero();
    for (Index k = w.first; k < w.first + w.count; ++k) {
      const V linear = rod::at3<0>(x, k), angular = rod::at3<3>(x, k);
      total.head<3>() += weight(w, k) * linear;
      total.tail<3>() += weight(w, k) * (chains[0].rotation(k).matrix() * angular);
    }
    return total;
  }
  /// A force and a torque, small enough to turn nodes by less than one.
  [[nodiscard]] Averages<double> wrench() {
    const V force = 1e-6 * draw.vector(), torque = 1e-6 * draw.vector();
    return {Triple<double>(force), Triple<double>(torque)};
  }
};

Vec<double, 6> column(const Averages<double>& a) {
  Vec<double, 6> x;
  x << a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z;
  return x;
}

TEST_CASE("accelerations of a window are of loads, damping and gyroscopic terms, but for what is held",
          "[assembly]") {
  Scene scene;
  const Rod& rod = scene.rod;
  Columns6 loaded = rod::zero_columns<double, 6>(Scene::nodes), free = loaded;
  for (Index k = 1; k < Scene::nodes; ++k) {  // the first is led
    const auto n = rod::node_inertia<rod::LinearElastic<double>, rod::MidpointStrain, double>(rod, k);
    const V v = scene.chains[0].linear_velocity(k), w = scene.chains[0].angular_velocity(k);
    const V J(n.rotary[0], n.rotary[1], n.rotary[2]), turning = w.cross(V(J.cwiseProduct(w)));
    for (int i = 0; i < 3; ++i) {
      loaded(k, i) = n.inverse[i] * scene.loads(k, i);
      loaded(k, 3 + i) = n.inverse[3 + i] * scene.loads(k, 3 + i);
      free(k, i) = -3 * v[i];
      free(k, 3 + i) = -n.inverse[3 + i] * turning[i] - 3 * w[i];
    }
  }
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 6}, {0, 2}, {3, 5}, {5, 8}, {12, 1}}) {
    const Window w = scene.window(first, count);
    const Nodes<double> n = scene.all();
    const Vec<double, 6> of_loads = scene.sum(w, loaded), all = of_loads + scene.sum(w, free);
    const auto check = [&](const Averages<double>& found, const Vec<double, 6>& expected) {
      CHECK((column(found) - expected).norm() < 1e-13 * (of_loads.norm() + all.norm()));
    };
    CAPTURE(first, count);
    check(acceleration_averages<Pack, Accelerated::by_loads>(w, n, scene.loads), of_loads);
    check(acceleration_averages<Pack, Accelerated::by_all_but_led>(w, n, scene.loads), all);
    if (first > 0) check(acceleration_averages<Pack>(w, n, scene.loads), all);
  }
}

TEST_CASE("impulses at a window change the averages of another by the compliance of both", "[assembly]") {
  Scene scene;
  for (const auto& [first, count] :
       {std::pair<Index, Index>{0, 6}, {2, 6}, {3, 6}, {5, 6}, {6, 1}, {8, 5}, {11, 2}}) {
    const Window at = scene.window(2, 6), by = scene.window(first, count);
    const Nodes<double> n = scene.all();
    const Averages<double> wrench = scene.wrench();
    Columns6 v = scene.chains[0].velocity;
    const Vec<double, 6> before = column(averages<Pack>(at, n, v)), own = column(averages<Pack>(by, n, v));
    CHECK((before - scene.sum(at, v)).norm() < 1e-14 * before.norm());
    add_impulse<Pack>(by, n, wrench, v);
    const Vec<double, 6> change = column(averages<Pack>(at, n, v)) - before;
    CAPTURE(first, count);
    CHECK((change.norm() > 0) == (first < 8 && first + count > 2));
    CHECK((column(compliance(at, by, n) * wrench) - change).norm() <= 1e-14 * before.norm());
    const Vec<double, 6> mine = column(averages<Pack>(by, n, v)) - own;
    CHECK((column(compliance<Pack>(by, n) * wrench) - mine).norm() < 1e-14 * own.norm());
    // what is led keeps its velocity, and so do nodes behind the window
    for (Index k = 0; k < Scene::nodes; ++k)
      if (k == 0 || k < first || k >= first + count)
        CHECK((v.row(k) - scene.chains[0].velocity.row(k)).matrix().norm() == 0);
    // a displacement does to positions what an impulse does to velocities
    auto moved = scene.chains[0];
    displace<Pack>(by, n, wrench, 2.0, moved);
    for (Index k = 0; k < Scene::nodes; ++k) {
      const Vec<double, 6> kick = (v.row(k) - scene.chains[0].velocity.row(k)).matrix().transpose();
      CHECK((moved.position(k) - scene.chains[0].position(k) - kick.head<3>()).norm() < 1e-15);
      const V turn = (scene.chains[0].rotation(k).inverse() * moved.rotation(k)).log();
      CHECK((turn - kick.tail<3>()).norm() < 1e-14 * (1 + kick.norm()));
      const Vec<double, 6> more =
          (moved.velocity.row(k) - scene.chains[0].velocity.row(k)).matrix().transpose();
      CHECK((more - 2 * kick).norm() < 1e-14 * (1 + kick.norm()));
    }
  }
}

TEST_CASE("a load at a window does on its averages what the loads of its nodes do on theirs", "[assembly]") {
  Scene scene;
  const Columns6 v = scene.chains[0].velocity;
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 6}, {4, 7}, {12, 1}}) {
    const Window w = scene.window(first, count);
    const Averages<double> wrench = scene.wrench();
    Columns6 f = rod::zero_columns<double, 6>(Scene::nodes);
    add_load<Pack>(w, scene.all(), wrench, f);
    double power = 0;
    for (Index k = 0; k < Scene::nodes; ++k) power += (f.row(k) * v.row(k)).sum();
    CHECK(std::abs(power - dot(averages<Pack>(w, scene.all(), v), wrench)) < 1e-19);
  }
}

}  // namespace rows_test
