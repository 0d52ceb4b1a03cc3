// The variants of the rolling contact as constraints of an assembly, beside the contact of two rods of their own.

#include <dalembert/contact/rolling_of_rods.hpp>

#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/contact/rolling.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/problem.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace rolling_of_rods_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Chains = std::vector<rod::Chain<double>>;
using State = assembly::State<double>;
using Catch::Matchers::ContainsSubstring;

constexpr double radius1 = 0.05, radius2 = 0.03;

/// Two rods of different lengths and masses, deformed and moving, that cross near their middles.
struct Rods {
  std::vector<Rod> rods;
  Chains chains;

  explicit Rods(unsigned seed, double apart = radius1 + radius2) {
    rod::RodParameters<double> damped;
    damped.damping.rate = 0.3;
    damped.end_mass_fraction = 1;
    rods = {test::soft_rod<Rod>(radius1, 22, damped), test::soft_rod<Rod>(radius2, 25, damped)};
    test::Random random(seed);
    Mat<double, 3> across;
    across << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    chains = {test::random_chain(rods[0], across, random),
              test::random_chain(rods[1],
                                 Mat<double, 3>(test::rotation_matrix<double>(Vec3(0, 0, 1.2)) * across), random)};
    const auto tangent = [&](std::size_t i) {
      const Eigen::Index k = rods[i].nodes() / 2;
      return Vec3(chains[i].position(k + 1) - chains[i].position(k - 1));
    };
    test::transform<double>(chains[1], Mat<double, 3>::Identity(),
                            Vec3(apart * tangent(0).cross(tangent(1)).normalized()));
  }
  [[nodiscard]] Vec<double, 2> middle() const { return {0.5, 0.5}; }
};

/// A variant as a constraint: a crossing where it is one.
template <class K, class Smearing, class Rule>
struct ConstraintOf {
  using type = contact::RollingOfRods<double, K, Smearing, Rule>;
};
template <class K>
struct ConstraintOf<K, contact::SpatialSmearing, contact::CentrelineTangency> {
  using type = contact::Crossing<double, K>;
};

}  // namespace rolling_of_rods_test
