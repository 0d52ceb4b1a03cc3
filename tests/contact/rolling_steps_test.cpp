// Steps of rods in rolling contact, and over another scalar.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/rolling_case.hpp"

namespace rolling_steps_test {

using namespace dalembert;
using Case =
    test::RollingCaseOf<contact::CubicSpline, contact::SpatialAveraging, contact::CentrelineTangency>;

const test::RollingOptions thin{.elements = 60, .radius1 = 0.02, .radius2 = 0.03, .kernel_width = 0.05};

TEST_CASE("verlet keeps gap, tangency and slip to round-off, and energy to its order", "[contact]") {
  const Case model("cubic", thin);
  test::Random random(test::seed());
  const auto start = model.pair(random, true);
  const auto& problem = model.problem();
  const auto run = [&](double h) {
    auto x = start;
    auto stepper = Verlet{}.stepper(problem, x);
    double gap = 0, slip = 0, tangency = 0, energy = 0;
    for (int i = 0; i < std::lround(0.05 / h); ++i) {
      (void)stepper.step(problem, x, h);
      gap = std::max(gap, std::abs(model.gap(x)));
      slip = std::max(slip, model.slip(x).norm());
      tangency = std::max(tangency, model.tangency(x).value.norm());
      energy = std::max(energy, std::abs(problem.energy(x) - problem.energy(start)));
    }
    CHECK(gap < 1e-15);
    CHECK(slip < 1e-12);
    CHECK(tangency < 1e-11);
    return energy / problem.energy(start);
  };
  const double coarse = run(2e-4), fine = run(1e-4);
  CHECK(fine < 2e-3);
  CHECK(fine < coarse / 2.5);
}

TEST_CASE("verlet takes integrated contact positions along, to its order", "[contact]") {
  auto following = thin;
  following.integrate_positions = true;
  const Case solving("solving", thin), integrating("integrating", following);
  test::Random random(test::seed());
  const auto start = solving.pair(random, true);
  const auto positions = [&](const Case& model, double h) {
    auto x = start;
    auto stepper = Verlet{}.stepper(model.problem(), x);
    for (int i = 0; i < std::lround(0.02 / h); ++i) (void)stepper.step(model.problem(), x, h);
    return Vec<double, 2>(x.z);
  };
  const auto off = [&](double h) { return (positions(integrating, h) - positions(solving, h)).norm(); };
  const double coarse = off(1e-4), fine = off(5e-5);
  CHECK((positions(solving, 1e-4) - start.z).norm() > 1e-4);
  CHECK(coarse < 1e-5);
  CHECK(coarse / fine > 3.4);
  CHECK(coarse / fine < 4.6);
}

/// A pair over S, made from the same numbers.
template <class S>
struct Pair {
  using Rod = rod::ElasticRod<S>;
  using Contact = contact::RollingOfRods<S, contact::CompactKernelValue, contact::BodyAveraging,
                                         contact::ElementTangency>;
  std::vector<Rod> rods{test::soft_rod<Rod>(0.05, 40), test::soft_rod<Rod>(0.03, 43)};
  Contact contact{{0, rods[0], S(0.05)}, {1, rods[1], S(0.05)}, S(0.05), S(0.03), true};
  assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Contact>> problem{
      assembly::bodies(rods), assembly::constraints(std::vector{contact})};

  assembly::State<S> state() const {
    test::Random random(test::seed());
    Mat<S, 3> across;
    across << S(0), S(0), S(1), S(0), S(1), S(0), S(-1), S(0), S(0);
    const Mat<S, 3> other = test::rotation_matrix<S>(Vec<S, 3>(S(0), S(0), S(1.2))) * across;
    std::vector<rod::Chain<S>> chains{test::random_chain(rods[0], across, random),
                                      test::random_chain(rods[1], other, random)};
    test::transform<S>(chains[1], Mat<S, 3>::Identity(), Vec<S, 3>(S(0), S(0), S(0.08)));
    auto x = problem.state(std::move(chains), Vec<S, 2>(S(0.5), S(0.5)));
    problem.project(x);
    return x;
  }
};

TEST_CASE("plain long double goes the same way as packs, with its own digits", "[contact]") {
  const Pair<long double> wide;
  const Pair<double> packed;
  const auto p = wide.state();
  const auto q = packed.state();
  CHECK(wide.problem.constraint(p).velocity < 1e-16L);
  CHECK((p.z.cast<double>() - q.z).norm() < 1e-12);
  auto a = wide.problem.make_rates();
  auto b = packed.problem.make_rates();
  wide.problem.rates(p, a);
  packed.problem.rates(q, b);
  CHECK(contact::evaluate(wide.contact, p, a.lambda).tangency < 1e-17L);
  CHECK((a.lambda.cast<double>() - b.lambda).norm() < 1e-9 * b.lambda.norm());
  CHECK((a.zdot.cast<double>() - b.zdot).norm() < 1e-10);
  auto left = wide.problem.make_residual();
  wide.problem.residual(p, a, left);
  CHECK(left.cwiseAbs().maxCoeff() < 1e-14L * a.xidot[0].abs().maxCoeff());
}

}  // namespace rolling_steps_test
