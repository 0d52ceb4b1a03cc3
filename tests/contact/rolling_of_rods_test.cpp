// The variants of the rolling contact as constraints of an assembly, beside the contact of two rods of their own.

#include <dalembert/contact/rolling_of_rods.hpp>

#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/contact/rolling.hpp>
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

using Body =
    contact::RollingOfRods<double, contact::CubicSpline, contact::BodySmearing, contact::CentredTangency>;

TEST_CASE("rolling rods that would have to pull on each other are refused", "[contact][assembly]") {
  int pulled = 0, pushed = 0;
  for (unsigned seed = 1; seed < 9; ++seed) {
    const Rods made(seed);
    const auto& rods = made.rods;
    const auto with = [&](bool bilateral) {
      return assembly::Assembly{assembly::kinds(rods),
                                assembly::kinds(std::vector{Body{
                                    {0, rods[0], 0.1}, {1, rods[1], 0.1}, radius1, radius2, bilateral}})};
    };
    const auto may = with(true), may_not = with(false);
    const auto x = may.state(made.chains, made.middle());
    auto r = may.make_rates();
    auto free = may.make_loads();
    may.loads(x, free);
    may.rates(x, r);
    // the force on rod 1, from all loads
    Vec3 force = Vec3::Zero();
    for (Eigen::Index k = 0; k < rods[0].nodes(); ++k)
      force += rod::at3<0>(r.loads[0], k) - rod::at3<0>(free.forces[0], k);
    const Body& contact = may.constraints<0>()[0];
    const Vec3 kappa = contact.second.smear.at(x.chains[1], x.z[1], 0, 2).R -
                       contact.first.smear.at(x.chains[0], x.z[0], 0, 1).R;
    if (force.dot(kappa) > 0) {
      ++pulled;
      CHECK_THROWS_AS(may_not.rates(x, r), ContactOpened);
    } else {
      ++pushed;
      CHECK_NOTHROW(may_not.rates(x, r));
    }
  }
  CHECK(pulled > 0);
  CHECK(pushed > 0);
}

TEST_CASE("a rolling contact and a crossing whose nodes are neighbours are solved together",
          "[contact][assembly]") {
  const Rod rod = test::soft_rod<Rod>(0.005, 20);
  const auto along_x = SO3<double>::exp(Vec3(0, M_PI / 2, 0)),
             along_y = SO3<double>::exp(Vec3(-M_PI / 2, 0, 0));
  const auto clusters = [&](double apart) {
    const Chains chains{rod.straight({-0.5, 0, 0}, along_x), rod.straight({-0.02, -0.5, 0.01}, along_y),
                        rod.straight({-0.02 + apart, -0.5, -0.01}, along_y)};
    const assembly::Assembly problem{
        assembly::kinds(std::vector{rod, rod, rod}),
        assembly::kinds(
            std::vector{Body{{0, rod, 0.05}, {1, rod, 0.05}, 0.005, 0.005, true}},
            std::vector{contact::Crossing<double>{{0, rod, 0.05}, {2, rod, 0.05}, 0.005, 0.005, true}})};
    Vec<double, Eigen::Dynamic> s(4);
    s << 0.48, 0.5, 0.48 + apart, 0.5;
    const auto x = problem.state(chains, s);
    auto r = problem.make_rates();
    problem.rates(x, r);
    return r.report.clusters;
  };
  CHECK(clusters(0.15) == 1);  // windows overlap by one node
  CHECK(clusters(0.20) == 1);  // they do not, but the tangents of one take a node of the other
  CHECK(clusters(0.25) == 2);
}

TEST_CASE("rolling rods in wrong places are refused", "[contact][assembly]") {
  const Rods made(test::seed());
  const auto& rods = made.rods;
  const auto make = [&](std::size_t second, double radius) {
    return assembly::Assembly{
        assembly::kinds(rods),
        assembly::kinds(std::vector{Body{{0, rods[0], 0.1}, {second, rods[1], 0.1}, radius1, radius}})};
  };
  CHECK_NOTHROW(make(1, radius2));
  CHECK_THROWS_WITH(make(2, radius2), ContainsSubstring("RollingOfRods 0: body of a place = 2"));
  CHECK_THROWS_WITH(make(1, 0), ContainsSubstring("RollingOfRods: radius2 = 0"));
  CHECK_THROWS_WITH(make(1, 0.6), ContainsSubstring("RollingOfRods: radius2 = 0.6"));
  const Body one{{0, rods[0], 0.1}, {0, rods[0], 0.1}, radius1, radius1};
  CHECK_THROWS_WITH(one.check_parameters(), ContainsSubstring("body of the second place = 0"));
  const auto problem = make(1, radius2);
  CHECK_THROWS_AS(problem.state(made.chains, Vec<double, 2>(-0.1, 0.5)), ContactAtEnd);
}

}  // namespace rolling_of_rods_test
