#include <dalembert/rod/stored_energy.hpp>

#include <cmath>

#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/rubber.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace stored_energy_test {

using namespace dalembert;
using namespace dalembert::rod;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;

/// Bending that yields beyond the curvature 1/ρ: W = (B/ρ²)(√(1 + ρ²|Ω|²) − 1) for bending, the rest linear.
struct Yielding {
  double B = 2, radius = 0.3;
  template <class T>
  T operator()(const Vec<T, 3>& stretch, const Vec<T, 3>& curvature) const {
    using std::sqrt;
    const T over = stretch[2] - T(1);
    const T bend = curvature[0] * curvature[0] + curvature[1] * curvature[1];
    return 0.5e4 * (stretch[0] * stretch[0] + stretch[1] * stretch[1] + over * over) +
           B / (radius * radius) * (sqrt(T(1) + radius * radius * bend) - T(1)) +
           0.75 * curvature[2] * curvature[2];
  }
};

/// The rubber rod's energy written by hand, with a twist that depends on the stretch.
const auto coupled = [](const auto& stretch, const auto& curvature) {
  const auto& lambda = stretch[2];
  return 500.0 * (lambda * lambda + 2.0 / lambda - 3.0) + 300.0 * (stretch[0] * stretch[0]) +
         200.0 * (stretch[1] * stretch[1]) + 1.5 * curvature[0] * curvature[0] +
         0.5 * curvature[1] * curvature[1] + 2.0 * lambda * curvature[2] * curvature[2];
};

TEST_CASE("stress and tangent of a stored energy are its derivatives", "[rod][material]") {
  const StoredEnergy material(coupled);
  test::Random random(test::seed());
  for (int n = 0; n < 5; ++n) {
    const V g = V(0, 0, 1.5) + random.vector<double>(), o = random.vector<double>();
    const auto s = material.stress(g, o);
    const double l = g[2];
    CHECK((s.force - V(600 * g[0], 400 * g[1], 500 * (2 * l - 2 / (l * l)) + 2 * o[2] * o[2])).norm() <
          1e-11);
    CHECK((s.moment - V(3 * o[0], o[1], 4 * l * o[2])).norm() < 1e-13);
    const auto k = material.tangent(g, o);
    Mat<double, 6, 6> expected = Mat<double, 6, 6>::Zero();
    expected.diagonal() << 600, 400, 500 * (2 + 4 / (l * l * l)), 3, 1, 4 * l;
    expected(2, 5) = expected(5, 2) = 4 * o[2];
    CHECK(k.isApprox(expected, 1e-13));
  }
}

TEST_CASE("a rod of a stored energy has the forces of one whose stress is given", "[rod][material]") {
  const auto energy = [](const auto& g, const auto& o) {
    return 500.0 * (g[2] * g[2] + 2.0 / g[2] - 3.0) + 300.0 * (g[0] * g[0] + g[1] * g[1]) +
           1.5 * (o[0] * o[0] + o[1] * o[1]) + o[2] * o[2];
  };
  Vec<double, 6> k;
  k << 600, 600, 3000, 3, 3, 2;
  using Automatic = Rod<StoredEnergy<std::decay_t<decltype(energy)>>>;
  using Closed = Rod<NeoHookeanRod<double>>;
  Automatic::Parameters p{.elements = 21, .length = 1, .inertia = {1, V(1, 1, 2)}};
  Closed::Parameters q{.elements = 21, .length = 1, .inertia = {1, V(1, 1, 2)}};
  const Automatic one(StoredEnergy{energy}, p);
  const Closed other(NeoHookeanRod<double>(k), q);
  test::Random random(test::seed());
  const auto chain =
      test::random_chain(other, Mat<double, 3>::Identity(), random, {.strain = 0.3, .stretch = 1.6});
  Columns<double, 6> f = zero_columns<double, 6>(22), g = f;
  REQUIRE(one.forces(chain, f));
  REQUIRE(other.forces(chain, g));
  CHECK((f - g).topRows(22).abs().maxCoeff() < 1e-9);
  CHECK(g.topRows(22).abs().maxCoeff() > 100);
  CHECK(elastic_energy(one, chain) == Approx(elastic_energy(other, chain)).epsilon(1e-13));
}

TEST_CASE("a rod that yields in bending rolls up as its law says", "[rod][material][statics]") {
  const Yielding law;
  using R = Rod<StoredEnergy<Yielding>>;
  R::Parameters p{.elements = 16, .length = 1, .inertia = {1, V(1, 1, 2)}};
  p.start = Boundary<double>::clamped();
  const double M = 5.8;  // |m| = B|Ω|/√(1 + ρ²|Ω|²) is below B/ρ = 6.67
  p.loads.finish.moment = V(0, M, 0);
  R rod(StoredEnergy{law}, p);
  Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
  (void)static_equilibrium(rod, chain);
  const double curvature = M / law.B / std::sqrt(1 - std::pow(M * law.radius / law.B, 2));
  REQUIRE(curvature > 5);
  for (Eigen::Index e = 0; e < 16; ++e) {
    CHECK(rod.strain(chain, e).curvature[1] == Approx(curvature).epsilon(1e-9));
    CHECK(rod.strain(chain, e).stretch[2] == Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("an energy without a minimum at rest is refused", "[rod][material]") {
  const auto make = [](const auto& energy, const RestStrain<double>& rest = {}) {
    return StoredEnergy(energy, rest);
  };
  CHECK_NOTHROW(make(coupled));
  CHECK_THROWS_WITH(make(coupled, {.stretch = V(0, 0, 1.01)}),
                    ContainsSubstring("StoredEnergy: force at rest 2"));
  CHECK_THROWS_WITH(make(coupled, {.curvature = V(0, 0.1, 0)}), ContainsSubstring("moment at rest 1"));
  CHECK_THROWS_WITH(make(coupled, {.stretch = V(0, 0, 0)}), ContainsSubstring("tangent"));
  const auto flat = [](const auto& g, const auto& o) {
    return g[0] * g[0] + g[1] * g[1] + (g[2] - 1.0) * (g[2] - 1.0) + o[0] * o[0] - o[1] * o[1] + o[2] * o[2];
  };
  CHECK_THROWS_WITH(make(flat), ContainsSubstring("positive definite"));
}

}  // namespace stored_energy_test
