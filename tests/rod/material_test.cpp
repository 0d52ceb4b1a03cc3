#include <dalembert/rod/material.hpp>

#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace material_test {
using V = Vec<double, 3>;

TEST_CASE("a linear material has a stress in proportion to the strain, and the energy that goes with it") {
  Vec<double, 6> k;
  k << 1, 2, 3, 4, 5, 6;
  const rod::LinearElastic<double> material(k, {.stretch = V(0.1, 0, 1), .curvature = V(0, 0.2, 0)});
  const auto stress = material.stress(V(1.1, 2, 2), V(1, 1.2, -1));
  CHECK((stress.force - V(1, 4, 3)).norm() < 1e-15);
  CHECK((stress.moment - V(4, 5, -6)).norm() < 1e-15);
  CHECK(material.energy(V(1.1, 2, 2), V(1, 1.2, -1)) == Approx(0.5 * (1 + 8 + 3 + 4 + 5 + 6)));
  CHECK(material.energy(V(0.1, 0, 1), V(0, 0.2, 0)) == 0);
}

TEST_CASE("a coupled material with a diagonal stiffness is the linear one") {
  Vec<double, 6> k;
  k << 1, 2, 3, 4, 5, 6;
  const rod::LinearElastic<double> plain(k);
  const rod::CoupledElastic<double> coupled(Mat<double, 6, 6>(k.asDiagonal()));
  test::Random random(test::seed());
  for (int i = 0; i < 10; ++i) {
    const V a = random.vector<double>(), b = random.vector<double>();
    CHECK((plain.stress(a, b).force - coupled.stress(a, b).force).norm() < 1e-15);
    CHECK((plain.stress(a, b).moment - coupled.stress(a, b).moment).norm() < 1e-15);
    CHECK(plain.energy(a, b) == Approx(coupled.energy(a, b)).epsilon(1e-14));
  }
}

TEST_CASE("a material works in packs") {
  using L = Pack<double, 4>;
  Mat<double, 6, 6> k = 5 * Mat<double, 6, 6>::Identity();
  k(0, 4) = k(4, 0) = 0.7;
  const rod::CoupledElastic<double> material(k);
  test::Random random(test::seed());
  Vec<L, 3> stretch, curvature;
  V a[4], b[4];
  for (int lane = 0; lane < 4; ++lane) {
    a[lane] = random.vector<double>();
    b[lane] = random.vector<double>();
    for (int i = 0; i < 3; ++i) {
      stretch[i].set(lane, a[lane][i]);
      curvature[i].set(lane, b[lane][i]);
    }
  }
  const auto stress = material.stress(stretch, curvature);
  for (int lane = 0; lane < 4; ++lane)
    for (int i = 0; i < 3; ++i) {
      CHECK(stress.force[i][lane] == Approx(material.stress(a[lane], b[lane]).force[i]).epsilon(1e-14));
      CHECK(stress.moment[i][lane] == Approx(material.stress(a[lane], b[lane]).moment[i]).epsilon(1e-14));
    }
}

TEST_CASE("a stiffness that gives energy away is refused") {
  Vec<double, 6> k = Vec<double, 6>::Ones();
  k[4] = 0;
  CHECK_THROWS_WITH(rod::LinearElastic<double>(k), Catch::Matchers::ContainsSubstring("stiffness 4"));
  k[4] = std::nan("");
  CHECK_THROWS_AS(rod::LinearElastic<double>(k), std::invalid_argument);
  Mat<double, 6, 6> m = Mat<double, 6, 6>::Identity();
  m(1, 2) = 0.1;
  CHECK_THROWS_WITH(rod::CoupledElastic<double>(m), Catch::Matchers::ContainsSubstring("symmetric"));
  m(2, 1) = 0.1;
  CHECK_NOTHROW(rod::CoupledElastic<double>(m));
  m(1, 2) = m(2, 1) = 1.1;
  CHECK_THROWS_WITH(rod::CoupledElastic<double>(m), Catch::Matchers::ContainsSubstring("definite"));
  // whatever the unit, rounding is no asymmetry, and a tenth is one
  for (const double unit : {1e-14, 1e14}) {
    CAPTURE(unit);
    m = unit * Mat<double, 6, 6>::Identity();
    m(1, 2) = 0.1 * unit;
    CHECK_THROWS_WITH(rod::CoupledElastic<double>(m), Catch::Matchers::ContainsSubstring("symmetric"));
    m(2, 1) = m(1, 2) * (1 + 1e-15);
    CHECK_NOTHROW(rod::CoupledElastic<double>(m));
  }
}

TEST_CASE("a rod stiff against stretch and shear alone is the inextensible elastica", "[rod][material]") {
  // PL²/EI = 1: the tip goes 0.3017208 L across and 0.0564332 L back
  Vec<double, 6> k;
  k << 3, 5, 4, 1, 1, 1;
  const double strain = 1e-8;
  const Vec<double, 6> stiff = rod::nearly_unshearable(rod::nearly_inextensible(k, 1.0, strain), 1.0, strain);
  CHECK(stiff[0] == Approx(1e8));
  CHECK(stiff[1] == Approx(1e8));
  CHECK(stiff[2] == Approx(1e8));
  CHECK((stiff - k).tail<3>().norm() == 0);
  CHECK((rod::nearly_inextensible(stiff, 1.0, 1.0) - stiff).norm() == 0);
  const auto tip = [&](int n) {
    rod::ElasticRod<double>::Parameters p{.elements = n, .length = 1, .inertia = {1, V(1, 1, 2)}};
    p.start = rod::Boundary<double>::clamped();
    p.loads.finish.force = V(1, 0, 0);
    rod::ElasticRod<double> cantilever(rod::LinearElastic<double>(stiff), p);
    auto chain = cantilever.straight(V::Zero(), SO3<double>::identity());
    (void)rod::static_equilibrium(cantilever, chain);
    for (int e = 0; e < n; ++e)
      CHECK((cantilever.strain(chain, e).stretch - V::UnitZ()).norm() < 1.5 * strain);
    return chain.position(n);
  };
  const V end = (4 * tip(64) - tip(32)) / 3;
  CHECK(end[0] == Approx(0.3017208).epsilon(1e-6));
  CHECK(1 - end[2] == Approx(0.0564332).epsilon(1e-5));
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    CHECK_THROWS_WITH(rod::nearly_inextensible(k, bad, 1e-6),
                      Catch::Matchers::ContainsSubstring("nearly_inextensible: force"));
    CHECK_THROWS_WITH(rod::nearly_unshearable(k, 1.0, bad),
                      Catch::Matchers::ContainsSubstring("nearly_unshearable: strain"));
  }
}

}  // namespace material_test
