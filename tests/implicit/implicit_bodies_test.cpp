// What an implicit step asks of bodies: their nodes, what holds them, and loads between both of its ends.

#include <array>
#include <cmath>
#include <vector>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/implicit/detail/implicit_bodies.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace implicit_bodies_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using Twist = rod::Columns<double, 6>;
using Eigen::Index;
using V = Vec<double, 3>;

constexpr int elements = 4;

/// A force on each node that grows with the time, and a damper.
struct Pull {
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double t, Twist& f) const {
    for (Index k = 0; k < at.nodes; ++k) {
      f(k, 0) += t * static_cast<double>(k + 1);
      f(k, 4) -= 0.5 * at.velocity(k, 4);
    }
  }
  template <class B, class Add>
  void add_damping(const B&, const rod::Chain<double>& at, double, Add&& add) const {
    Mat<double, 6, 6> block = Mat<double, 6, 6>::Zero();
    block(4, 4) = 0.5;
    for (Index k = 0; k < at.nodes; ++k) add(k, k, block);
  }
};

Rod rod_of(const rod::Boundary<double>& start = rod::Boundary<double>::free()) {
  Rod::Parameters p;
  p.start = start;
  p.damping.rate = 0.7;
  return test::soft_rod<Rod>(0.02, elements, p);
}

TEST_CASE("the nodes of an implicit step have the inertia of their bodies, and know what holds them",
          "[implicit]") {
  std::array<bool, 6> degrees{};
  degrees[1] = degrees[5] = true;
  const std::vector rods{rod_of(rod::Boundary<double>::clamped()),
                         rod_of(rod::Boundary<double>::degrees(degrees))};
  const ImplicitOfBody<Rod> bodies(rods);
  for (std::size_t i = 0; i < 2; ++i)
    for (Index k = 0; k <= elements; ++k) {
      CAPTURE(i, k);
      const ImplicitNode<double> node = bodies.node(i, k);
      const NodeInertia<double> inertia = node_inertia(rods[i], k);
      bool any = false;
      for (int j = 0; j < 6; ++j) {
        const bool held = k == 0 && (i == 0 || degrees[static_cast<std::size_t>(j)]);
        any = any || held;
        CHECK(node.held[static_cast<std::size_t>(j)] == held);
        if (!held) CHECK(node.inertia(j) == Approx(1 / inertia.inverse[j]).epsilon(1e-14));
      }
      CHECK(node.any_held == any);
      CHECK(node.damping == 0.7);
      if (k == 0 && i == 0) CHECK(node.mass == 0);
    }
  Inertias<double> all{};
  for (std::size_t i = 0; i < 2; ++i) bodies.add_inertia(i, all);
  for (int j = 0; j < 6; ++j) {
    CHECK((all[0].inverse(0, j) == 0));
    CHECK((all[1].inverse(0, j) == 0) == degrees[static_cast<std::size_t>(j)]);
  }
}

/// Two configurations of a straight rod whose nodes turn about its axis in the step, and its middle.
struct Step {
  rod::Chain<double> from, middle, end;
  Twist moved = rod::zero_columns<double, 6>(elements + 1);

  /// Nodes are turned by `before` of their number at first, and go on by `by`, radians less than π.
  template <class F>
  Step(double before, const F& by) : from(elements + 1), middle(elements + 1), end(elements + 1) {
    for (Index k = 0; k <= elements; ++k) {
      const double x = static_cast<double>(k);
      from.set_frame(k, SO3<double>::exp(V(0, 0, before * x)), V(0, 0, 0.25 * x));
      moved(k, 5) = 2 * std::tan(by(k) / 2);
      place_node<double>(from.configuration, moved, k, true, middle.configuration, end.configuration);
      middle.velocity(k, 4) = 0.3 * x;
    }
  }
  [[nodiscard]] ImplicitMotion<double> motion() { return {from, middle, end, moved, 2.0}; }
};

TEST_CASE("loads between both ends of a step are those of the rod and what else it bears in the middle",
          "[implicit][load]") {
  const std::vector rods{rod_of()};
  const std::vector loaded{WithLoad(rods[0], Pull{})};
  const ImplicitOfBody<Rod> plain(rods);
  const ImplicitOfBody<WithLoad<Rod, Pull>> bodies(loaded);
  Twist f = rod::zero_columns<double, 6>(elements + 1), g = f, room = f;
  Step step(0.1, [](Index k) { return 0.05 * static_cast<double>(k); });
  CHECK(plain.find_loads_between(0, step.motion(), f, room));
  CHECK(bodies.find_loads_between(0, step.motion(), g, room));
  CHECK(f.abs().maxCoeff() > 1e-3);
  for (Index k = 0; k <= elements; ++k)
    for (int j = 0; j < 6; ++j) {
      const double x = static_cast<double>(k);
      const double more = j == 0 ? 2 * (x + 1) : j == 4 ? -0.15 * x : 0.0;
      CHECK(std::abs(g(k, j) - f(k, j) - more) < 1e-13 * (1 + std::abs(f(k, j))));
    }
  // in Newton's matrix the damper is times v_Δ, and acts by the step itself
  double dampers = 0, told = 0;
  const auto sum = [](double& of) {
    return [&of](Index k, Index l, const Mat<double, 6, 6>& block) { of += k == l ? block(4, 4) : 0.0; };
  };
  double unused = 0, rod_alone = 0;
  bodies.each_stiffness(0, step.motion(), false, 20, sum(told), sum(dampers));
  plain.each_stiffness(0, step.motion(), false, 20, sum(rod_alone), sum(unused));
  CHECK(dampers == Approx(5 * 0.5 * 20));
  CHECK(unused == 0);
  CHECK(told == rod_alone);

  // an element that turns too far at an end of the step, though not in its middle
  const auto sound = [&](Step far) {
    const bool without = plain.find_loads_between(0, far.motion(), f, room);
    return std::array{without, bodies.find_loads_between(0, far.motion(), g, room)};
  };
  CHECK(sound(Step(0.1, [](Index k) { return 0.05 * static_cast<double>(k); })) == std::array{true, true});
  CHECK(sound(Step(0.1, [](Index k) { return k < 2 ? 0.0 : 3.1; })) == std::array{false, false});
}

}  // namespace implicit_bodies_test
