#include <dalembert/rod/section_state.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace section_state_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

/// A heavy cantilever along x with a load on its tip, at rest.
struct Hanging {
  V gravity = V(0.3, 0, -9.81), tip = V(0.2, 0.1, -0.05);
  Rod rod;
  rod::Chain<double> chain;

  explicit Hanging(int n) : rod(make(n)) {
    rod.set_loads({.gravity = gravity, .finish = {.force = tip}});
    chain = rod.straight(V::Zero(), SO3<double>::exp(V(0, static_cast<double>(pi) / 2, 0)));
    (void)rod::static_equilibrium(rod, chain);
  }
  static Rod make(int n) {
    Rod::Parameters p;
    p.start = rod::Boundary<double>::clamped();
    return test::soft_rod<Rod>(0.01, n, p);
  }
  /// What the part beyond node 0 does to the clamp, by the positions of all nodes.
  V clamp_moment() const {
    V sum = chain.position(rod.elements()).cross(tip);
    for (Eigen::Index k = 0; k < rod.nodes(); ++k)
      sum += rod.mass_fraction(k) * rod.parameters().inertia.mass * rod.spacing() *
             chain.position(k).cross(gravity);
    return sum;
  }
};

TEST_CASE("a rod at rest carries at each section the load and the weight beyond it", "[rod]") {
  const Hanging hanging(20);
  const double line_weight = hanging.rod.parameters().inertia.mass;
  REQUIRE(hanging.chain.position(20)[2] < -0.3);  // far from straight
  for (const double s : {0.0, 0.013, 0.4, 0.975, 0.99, 1.0}) {
    CAPTURE(s);
    const auto at = rod::section_at(hanging.rod, hanging.chain, s);
    const V beyond = hanging.tip + line_weight * (1 - s) * hanging.gravity;
    CHECK((at.force - beyond).norm() < 1e-9);
    CHECK((at.frame.act(at.stress.force) - at.force).norm() < 1e-14);
    CHECK((at.frame.act(at.stress.moment) - at.moment).norm() < 1e-14);
  }
}

TEST_CASE("the moment at a clamp is that of the loads, to second order, and none at a free end", "[rod]") {
  const auto errors = [](int n) {
    const Hanging hanging(n);
    return Vec<double, 2>(
        (rod::section_at(hanging.rod, hanging.chain, 0.0).moment - hanging.clamp_moment()).norm(),
        rod::section_at(hanging.rod, hanging.chain, 1.0).moment.norm());
  };
  const Vec<double, 2> coarse = errors(40), fine = errors(80);
  for (int i = 0; i < 2; ++i) {
    CHECK(fine[i] < 2e-3);
    CHECK_THAT(std::log2(coarse[i] / fine[i]), WithinAbs(2, 0.25));
  }
}

TEST_CASE("force and moment along a rod at rest are in balance, to second order", "[rod]") {
  const auto worst = [](int n) {
    const Hanging hanging(n);
    double error = 0;
    for (int k = 2; k < n - 1; ++k) {  // over an element about node k
      const double h = hanging.rod.spacing(), s = k * h;
      const auto before = rod::section_at(hanging.rod, hanging.chain, s - h / 2),
                 after = rod::section_at(hanging.rod, hanging.chain, s + h / 2),
                 at = rod::section_at(hanging.rod, hanging.chain, s);
      const V balance = after.moment - before.moment + (after.position - before.position).cross(at.force);
      error = std::max(error, balance.norm() / h);
    }
    return error;
  };
  const double coarse = worst(40), fine = worst(80);
  CHECK(coarse < 1e-2);
  CHECK_THAT(std::log2(coarse / fine), WithinAbs(2, 0.3));
}

/// A rod whose strains are known: a helix with straight fibres, from the rotation vector at its middle.
rod::Chain<double> helix(const Rod& rod, const V& curvature, const V& stretch) {
  rod::Chain<double> chain(rod.nodes());
  V at = V::Zero();
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double h = rod.spacing(), s = h * static_cast<double>(k);
    chain.set_frame(k, SO3<double>::exp(V(s * curvature)), at);
    at += h * SO3<double>::exp(V((s + h / 2) * curvature)).act(stretch);
  }
  return chain;
}

TEST_CASE("a rod of constant strains shows them, its stresses and its energy everywhere", "[rod]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 30);
  const V curvature(1.2, -0.7, 2.1), stretch(0.02, -0.03, 1.1);
  const auto chain = helix(rod, curvature, stretch);
  const auto stress = rod.material().stress(stretch, curvature);
  for (const double s : {0.0, 0.31, 0.5, 1.0}) {
    CAPTURE(s);
    const auto at = rod::section_at(rod, chain, s);
    CHECK((at.strain.stretch - stretch).norm() < 1e-13);
    CHECK((at.strain.curvature - curvature).norm() < 1e-13);
    CHECK(at.energy == Approx(rod.material().energy(stretch, curvature)));
    CHECK((at.frame.inverse() * SO3<double>::exp(V(s * curvature))).log().norm() < 1e-13);
    CHECK((at.moment - at.frame.act(stress.moment)).norm() < 3e-3 * stress.moment.norm());
    CHECK((at.force - at.frame.act(stress.force)).norm() < 3e-3 * stress.force.norm());
  }
  CHECK(rod::energy_density(rod, chain, 7) * rod.length() == Approx(rod::elastic_energy(rod, chain)));
  CHECK((rod::stress_in_space(rod, chain, 7).force -
         SO3<double>::exp(V(7.5 * rod.spacing() * curvature)).act(stress.force))
            .norm() < 1e-10 * stress.force.norm());
}

TEST_CASE("sections have what an element says in its middle, and strains of second order elsewhere",
          "[rod]") {
  test::Random random(test::seed());
  const Rod rod = test::soft_rod<Rod>(0.02, 12);
  const auto chain = test::random_chain(rod, Mat<double, 3>::Identity(), random);
  for (const Eigen::Index k : {0, 5, 11}) {
    const auto at = rod::section_at(rod, chain, (static_cast<double>(k) + 0.5) * rod.spacing());
    const auto stress = rod.stress(chain, k);
    CHECK((at.strain.curvature - rod.strain(chain, k).curvature).norm() < 1e-12);
    CHECK((at.stress.force - stress.force).norm() < 1e-11 * stress.force.norm());
    CHECK((at.stress.moment - stress.moment).norm() < 1e-11 * stress.moment.norm());
    CHECK(at.energy == Approx(rod::energy_density(rod, chain, k)));
    CHECK((at.position - (chain.position(k) + chain.position(k + 1)) / 2).norm() < 1e-14);
  }
}

TEST_CASE("there is no section beside the rod", "[rod]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 12);
  const auto chain = rod.straight(V::Zero(), SO3<double>::identity());
  CHECK_THROWS_WITH(rod::section_at(rod, chain, -1e-3), ContainsSubstring("s = -0.001"));
  CHECK_THROWS_WITH(rod::section_at(rod, chain, 1.01), ContainsSubstring("in [0, 1] m"));
  CHECK_THROWS_AS(rod::section_at(rod, chain, std::nan("")), std::invalid_argument);
  CHECK_THROWS_WITH(rod::section_at(rod, rod::Chain<double>(5), 0.5), ContainsSubstring("nodes"));
}

}  // namespace section_state_test
