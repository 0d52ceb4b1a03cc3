#include <dalembert/contact/strands.hpp>

#include <string>

#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace strands_test {

using V = Vec<double, 3>;
using Chains = std::vector<rod::Chain<double>>;

constexpr contact::StrandParameters<double> parameters{.nodes = 9,
                                                       .spacing = 0.25,
                                                       .mass = 1.2,
                                                       .rotary1 = 0.02,
                                                       .rotary3 = 0.04,
                                                       .shear_stiffness = 25,
                                                       .axial_stiffness = 40,
                                                       .bending_stiffness = 0.6,
                                                       .torsional_stiffness = 0.45,
                                                       .kernel_width = 0.3,
                                                       .gap = 0.2};

/// Two strands that cross near their middles.
Chains crossing(test::Random& random) {
  const auto strand = contact::DiscreteStrands<double>::strand(parameters);
  const test::Wildness wild{.bend = 0.3, .strain = 0.1, .stretch = 1.0, .speed = 0.3, .spin = 0.5};
  Mat<double, 3> across;
  across << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  Chains chains{
      test::random_chain(strand, across, random, wild),
      test::random_chain(strand, Mat<double, 3>(test::rotation_matrix<double>(V(0, 0, 1.3)) * across), random,
                         wild)};
  test::transform<double>(chains[1], Mat<double, 3>::Identity(), V(0.02, 0.03, 0.2));
  return chains;
}

/// Normalised Gaussian weights of the nodes.
Eigen::VectorXd weights(double s) {
  Eigen::VectorXd g(parameters.nodes);
  for (int k = 0; k < parameters.nodes; ++k) {
    const double x = (s - parameters.spacing * k) / parameters.kernel_width;
    g[k] = std::exp(-x * x / 2);
  }
  return g / g.sum();
}

/// Equation (4), node pair by node pair in body frames.
V slip(const Chains& c, const Vec<double, 2>& s) {
  const auto alpha = weights(s[0]), beta = weights(s[1]);
  V sum = V::Zero();
  for (int k = 0; k < parameters.nodes; ++k)
    for (int m = 0; m < parameters.nodes; ++m) {
      const Mat<double, 3> frame = test::matrix(c[0].rotation(k));
      const Mat<double, 3> xi = frame.transpose() * test::matrix(c[1].rotation(m));
      const V kappa = frame.transpose() * (c[1].position(m) - c[0].position(k));
      const Vec<double, 6> one = c[0].twist(k), other = c[1].twist(m);
      sum += alpha[k] * beta[m] *
             (V(one.head<3>()) + 0.5 * V(one.tail<3>()).cross(kappa) - xi * V(other.head<3>()) +
              0.5 * V(xi * V(other.tail<3>())).cross(kappa));
    }
  return sum;
}

/// Equation (5), node pair by node pair.
template <class Tangent>
Vec<double, 2> tangency(const Chains& c, const Vec<double, 2>& s, Tangent&& tangent) {
  const auto alpha = weights(s[0]), beta = weights(s[1]);
  Vec<double, 2> sum = Vec<double, 2>::Zero();
  for (int k = 0; k < parameters.nodes; ++k)
    for (int m = 0; m < parameters.nodes; ++m) {
      const V apart = c[1].position(m) - c[0].position(k);
      sum += alpha[k] * beta[m] * Vec<double, 2>(apart.dot(tangent(c[0], k)), apart.dot(tangent(c[1], m)));
    }
  return sum;
}

template <class Strands>
void check_rates(const Strands&, test::Random& random) {
  const auto problem = Strands::problem(parameters);
  auto x = Strands::state(problem, crossing(random), {1.0, 1.0});
  for (int i = 0; i < 5; ++i) {  // a gap that is closed moves the place of contact
    problem.project(x);
    problem.solve_tangencies(x);
  }
  problem.project(x);
  CHECK(Strands::tangency(problem, x).norm() < 1e-14);
  CHECK(problem.row_velocities(x).norm() < 1e-14);
  const auto momentum = [&](const auto& y) {
    return Vec<double, 6>(rod::momentum(problem.template bodies<0>()[0], y[0]) +
                          rod::momentum(problem.template bodies<0>()[1], y[1]));
  };
  auto y = x;
  auto stepper = DormandPrince54{}.stepper(problem, y);
  for (int i = 0; i < 400; ++i) (void)stepper.step(problem, y, 5e-4);
  CHECK((y.z - x.z).norm() > 1e-3);
  CHECK(std::abs(problem.energy(y) - problem.energy(x)) < 1e-9);
  CHECK((momentum(y) - momentum(x)).norm() < 1e-10);
  CHECK(problem.row_velocities(y).norm() < 1e-9);
  CHECK(Strands::tangency(problem, y).norm() < 1e-9);
  const double change = std::abs(Strands::gap(problem, y) - Strands::gap(problem, x));
  if (Strands::keeps_gap)
    CHECK(change < 1e-9);
  else
    CHECK(change > 1e-6);
}

TEST_CASE("the rolling constraint of strands is the weighted sum over all pairs of nodes") {
  using Strands = contact::DiscreteStrands<double>;
  test::Random random(test::seed());
  const auto problem = Strands::problem(parameters);
  const auto x = Strands::state(problem, crossing(random), {1.0, 1.0});
  const V ours = problem.row_velocities(x);
  CHECK(ours.norm() > 1e-2);
  CHECK((ours - slip(x.chains, x.z)).norm() < 1e-14);
}

TEMPLATE_TEST_CASE("the tangency of strands is the weighted sum over all pairs of nodes", "",
                   contact::MaterialTangency, contact::CentredTangency, contact::ElementTangency) {
  using Strands = contact::DiscreteStrands<double, TestType>;
  test::Random random(test::seed());
  const auto problem = Strands::problem(parameters);
  auto x = Strands::state(problem, crossing(random), {1.0, 1.0});
  x.z += Vec<double, 2>(0.1, -0.05);
  const auto tangent = [](const rod::Chain<double>& c, int k) -> V {
    const int last = parameters.nodes - 1;
    if constexpr (std::is_same_v<TestType, contact::MaterialTangency>) {
      return c.rotation(k).act(V::UnitZ());
    } else if constexpr (std::is_same_v<TestType, contact::ElementTangency>) {
      const int first = std::min(k, last - 1);
      return c.position(first + 1) - c.position(first);
    } else {
      if (k == 0) return 2 * (c.position(1) - c.position(0));
      if (k == last) return 2 * (c.position(last) - c.position(last - 1));
      return c.position(k + 1) - c.position(k - 1);
    }
  };
  const auto ours = Strands::tangency(problem, x);
  CHECK(ours.norm() > 1e-2);
  CHECK((ours - tangency(x.chains, x.z, tangent)).norm() < 1e-14);
}

TEST_CASE("strands keep energy, momenta, the constraint and the tangency, whichever tangency") {
  test::Random random(test::seed());
  check_rates(contact::DiscreteStrands<double, contact::MaterialTangency>{}, random);
  check_rates(contact::DiscreteStrands<double, contact::CentredTangency>{}, random);
  check_rates(contact::DiscreteStrands<double, contact::CentrelineTangency, contact::SpatialAveraging>{},
              random);
}

TEST_CASE("strands that keep their gap are put at it, the others have none to keep", "[contact]") {
  test::Random random(test::seed());
  const auto chains = crossing(random);
  using Kept = contact::DiscreteStrands<double, contact::CentrelineTangency, contact::SpatialAveraging>;
  const auto kept = Kept::problem(parameters);
  auto x = Kept::state(kept, chains, {1.0, 1.0});
  const double apart = Kept::gap(kept, x);
  CHECK(std::abs(apart - parameters.gap) > 1e-4);
  CHECK(kept.constraint(x).position == Approx(std::abs(apart - parameters.gap)).epsilon(1e-12));
  kept.project(x);
  CHECK(std::abs(Kept::gap(kept, x) - parameters.gap) < 1e-15);

  using Free = contact::DiscreteStrands<double>;
  const auto free = Free::problem(parameters);
  auto y = Free::state(free, chains, {1.0, 1.0});
  const double before = Free::gap(free, y);
  free.project(y);
  CHECK(Free::gap(free, y) == before);
  CHECK(free.constraint(y).position == 0);
}

TEST_CASE("strands that cannot touch say so at time 0", "[contact]") {
  using Strands = contact::DiscreteStrands<double>;
  const auto problem = Strands::problem(parameters);
  const auto strand = Strands::strand(parameters);
  const Chains parallel{strand.straight(V(0, 0, 0), SO3<double>::identity()),
                        strand.straight(V(0.2, 0, 0), SO3<double>::identity())};
  try {
    (void)Strands::state(problem, parallel, {1.0, 1.0});
    FAIL("no error");
  } catch (const ParallelRods& error) {
    CHECK(error.time() == 0);
  }
}

TEST_CASE("a place beyond the end of a strand tells which strand it is of") {
  using Strands = contact::DiscreteStrands<double>;
  test::Random random(test::seed());
  const auto problem = Strands::problem(parameters);
  auto x = Strands::state(problem, crossing(random), {1.0, 1.0});
  for (const int side : {0, 1}) {
    auto beyond = x;
    beyond.z[side] = 2.5;
    CHECK_THROWS_WITH(Strands::gap(problem, beyond),
                      Catch::Matchers::ContainsSubstring("on rod " + std::to_string(side + 1) +
                                                         " reaches an end, s = 2.5"));
  }
}

TEST_CASE("the parameters of strands are checked") {
  using Strands = contact::DiscreteStrands<double>;
  auto p = parameters;
  p.nodes = 2;
  CHECK_THROWS_AS(Strands::strand(p), std::invalid_argument);
  p = parameters;
  p.rotary3 = 0;
  CHECK_THROWS_AS(Strands::strand(p), std::invalid_argument);
  p = parameters;
  p.torsional_stiffness = -1;
  CHECK_THROWS_AS(Strands::strand(p), std::invalid_argument);
  p = parameters;
  p.kernel_width = 0;
  CHECK_THROWS_AS(Strands::problem(p), std::invalid_argument);
  p = parameters;
  p.gap = 0;
  CHECK_THROWS_AS(Strands::problem(p), std::invalid_argument);
  const auto strand = Strands::strand(parameters);
  CHECK(strand.nodes() == 9);
  CHECK(strand.spacing() == 0.25);
  CHECK(strand.mass_fraction(0) == 1);
}

}  // namespace strands_test
