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
    Rod::Parameters damped;
    damped.damping.rate = 0.3;
    damped.end_mass_fraction = 1;
    rods = {test::soft_rod<Rod>(radius1, 22, damped), test::soft_rod<Rod>(radius2, 25, damped)};
    test::Random random(seed);
    Mat<double, 3> across;
    across << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    chains = {test::random_chain(rods[0], across, random),
              test::random_chain(
                  rods[1], Mat<double, 3>(test::rotation_matrix<double>(Vec3(0, 0, 1.2)) * across), random)};
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

/// What both say in one state, with the multipliers, accelerations and ṡ that the equations ask for, and with others.
template <class K, class Smearing, class Rule>
void compare(const char* name, bool integrated) {
  CAPTURE(name, integrated);
  using Contact = contact::RollingContact<double, K, Smearing, Rule>;
  using Constraint = typename ConstraintOf<K, Smearing, Rule>::type;
  const Rods made(test::seed());
  const auto& rods = made.rods;
  const rod::RodProblem<Rod, Contact> old(rods, Contact({.radius1 = radius1,
                                                         .radius2 = radius2,
                                                         .kernel_width = 0.1,
                                                         .integrate_positions = integrated,
                                                         .bilateral = true},
                                                        rods[0], rods[1]));
  const assembly::Assembly problem{
      assembly::kinds(rods), assembly::kinds(std::vector{Constraint{
                                 {0, rods[0], 0.1}, {1, rods[1], 0.1}, radius1, radius2, true, integrated}})};

  auto y = old.state(made.chains, old.coupling().locate(rods, made.chains, made.middle(), 0.0));
  auto x = problem.state(made.chains, made.middle());
  if (integrated) {
    CHECK(x.z == made.middle());
    problem.solve_tangencies(x);
  }
  CHECK((x.z - y.internal.s).norm() < 1e-13);
  CHECK((x.z - made.middle()).norm() > 1e-3);
  if (integrated) {  // anywhere
    x.z += Vec<double, 2>(0.013, -0.021);
    y.internal.s = x.z;
    old.solve_algebraic(y);
    const State before = x;
    problem.solve_algebraic(x);
    CHECK(x.z == before.z);
  }

  auto of_x = problem.make_rates();
  auto of_y = old.make_rates();
  problem.rates(x, of_x);
  old.rates(y, of_y);
  const Vec3 lambda = of_y.lambda.multiplier;
  CHECK(lambda.norm() > 0.1);
  CHECK((of_x.lambda - lambda).norm() < 1e-12 * lambda.norm());
  CHECK(of_y.zdot.norm() > 1e-2);
  CHECK((of_x.zdot - of_y.zdot).norm() < 1e-12 * of_y.zdot.norm());
  for (std::size_t i = 0; i < 2; ++i) {
    const auto n = rods[i].nodes();
    CHECK((of_x.xidot[i] - of_y.xidot[i]).topRows(n).abs().maxCoeff() <
          1e-12 * of_y.xidot[i].abs().maxCoeff());
  }
  const Vec3 slip = old.coupling().slip(y.chains, y.internal);
  CHECK(slip.norm() > 1e-2);
  CHECK((problem.row_velocities(x) - slip).norm() < 1e-13);
  CHECK(problem.power(x, of_x).constraint == Approx(old.power(y, of_y).constraint).epsilon(1e-11));

  of_x.lambda = of_y.lambda.multiplier += Vec3(0.1, -0.2, 0.3);
  for (auto* xidot : {&of_x.xidot, &of_y.xidot})
    for (auto& a : *xidot) a += 0.7;
  Vec<double, Eigen::Dynamic> left, left_old;
  problem.residual(x, of_x, left);
  old.residual(y, of_y, left_old);
  REQUIRE(left.size() == left_old.size());
  const double size = of_y.xidot[0].abs().maxCoeff();
  CHECK(left_old.tail<3>().norm() > 1e-2);
  CHECK((left - left_old).lpNorm<Eigen::Infinity>() < 1e-14 * size);
  // the old one says J (ż − f), and takes the drift at this ż
  of_x.zdot = of_y.zdot += Vec<double, 2>(0.3, 0.1);
  problem.residual(x, of_x, left);
  old.residual(y, of_y, left_old);
  const Eigen::Index z = left.size() - 5;
  const Mat<double, 2> slopes = old.coupling().tangency(y.chains, y.internal).jacobian;
  CHECK((left.segment<2>(z) - Vec<double, 2>(0.3, 0.1)).norm() < 1e-12);
  CHECK((slopes * left.segment<2>(z) - left_old.segment<2>(z)).norm() < 1e-12);
}
template <class K, class Smearing>
void compare_tangencies(const char* name) {
  for (const bool integrated : {false, true}) {
    compare<K, Smearing, contact::MaterialTangency>(name, integrated);
    compare<K, Smearing, contact::ElementTangency>(name, integrated);
    compare<K, Smearing, contact::CentredTangency>(name, integrated);
    compare<K, Smearing, contact::CentrelineTangency>(name, integrated);
  }
}

TEST_CASE("every variant of the rolling contact has the rates of that of two rods of their own",
          "[contact][assembly]") {
  compare_tangencies<contact::CubicSpline, contact::SpatialSmearing>("cubic, spatial");
  compare_tangencies<contact::CubicSpline, contact::BodySmearing>("cubic, body");
  compare_tangencies<contact::Gaussian, contact::SpatialSmearing>("Gaussian, spatial");
  compare_tangencies<contact::Gaussian, contact::BodySmearing>("Gaussian, body");
}

}  // namespace rolling_of_rods_test
