// Steps of Verlet's method with rods in rolling contact, and over another scalar.

#include <dalembert/contact/rolling.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/contact_case.hpp"

namespace rolling_steps_test {

using namespace dalembert;
using Case =
    test::ContactCaseOf<double, contact::CubicSpline, contact::SpatialSmearing, contact::CentrelineTangency>;

const test::PairOptions thin{.elements = 60, .radius1 = 0.02, .radius2 = 0.03, .kernel_width = 0.05};

TEST_CASE("verlet keeps gap, tangency and slip to round-off, and energy to its order") {
  const Case model("cubic", thin);
  test::Random random(test::seed());
  const auto pair = model.pair(random, true);
  const auto& problem = model.problem();
  const auto start = problem.state(pair.chains, pair.contact);
  const auto run = [&](double h) {
    auto x = start;
    auto stepper = Verlet{}.stepper(problem, x);
    double gap = 0, slip = 0, tangency = 0, energy = 0;
    for (int i = 0; i < std::lround(0.05 / h); ++i) {
      (void)stepper.step(problem, x, h);
      const auto error = problem.coupling().error(x.chains, x.internal, x.time);
      gap = std::max(gap, std::abs(error.gap));
      slip = std::max(slip, error.slip);
      tangency = std::max(tangency, error.tangency);
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

TEST_CASE("after a step of verlet the smeared points are those of the chains", "[contact]") {
  const Case model("cubic", thin);
  test::Random random(test::seed());
  const auto pair = model.pair(random, true);
  const auto& problem = model.problem();
  auto x = problem.state(pair.chains, pair.contact);
  auto stepper = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 20; ++i) {
    (void)stepper.step(problem, x, 2e-4);
    auto fresh = x.internal;
    problem.coupling().place(x.chains, fresh, x.time);
    for (const std::size_t side : {0u, 1u}) {
      CHECK((x.internal.point[side].R - fresh.point[side].R).norm() < 1e-13);
      CHECK((x.internal.point[side].dR - fresh.point[side].dR).norm() < 1e-11);
    }
  }
}

TEST_CASE("verlet takes integrated contact positions along, to its order") {
  auto following = thin;
  following.integrate_positions = true;
  const Case solving("solving", thin), integrating("integrating", following);
  test::Random random(test::seed());
  const auto pair = solving.pair(random, true);
  const auto positions = [&](const auto& problem, double h) {
    auto x = problem.state(pair.chains, pair.contact);
    auto stepper = Verlet{}.stepper(problem, x);
    for (int i = 0; i < std::lround(0.02 / h); ++i) (void)stepper.step(problem, x, h);
    return Vec<double, 2>(x.internal.s);
  };
  const auto off = [&](double h) {
    return (positions(integrating.problem(), h) - positions(solving.problem(), h)).norm();
  };
  const double coarse = off(1e-4), fine = off(5e-5);
  CHECK((positions(solving.problem(), 1e-4) - pair.contact.s).norm() > 1e-4);
  CHECK(coarse < 1e-5);
  CHECK(coarse / fine > 3.4);
  CHECK(coarse / fine < 4.6);
}

TEST_CASE("plain long double goes the same way as packs, with its own digits") {
  using S = long double;
  const test::PairOptions options{.elements = 40, .radius1 = 0.05, .radius2 = 0.03};
  const test::ContactCaseOf<S, contact::CompactBump, contact::BodySmearing, contact::ElementTangency> wide(
      "wide", options);
  const test::ContactCaseOf<double, contact::CompactBump, contact::BodySmearing, contact::ElementTangency>
      packed("packed", options);
  test::Random random(test::seed()), again(test::seed());
  const auto p = wide.pair(random, true);
  const auto q = packed.pair(again, true);
  CHECK(wide.slip(p).norm() < 1e-16L);
  CHECK(std::abs(wide.error(p).gap) < 1e-17L);
  const auto a = wide.answer(p);
  const auto b = packed.answer(q);
  CHECK((p.contact.s.cast<double>() - q.contact.s).norm() < 1e-12);
  CHECK((a.force.components.cast<double>() - b.force.components).norm() < 1e-9 * b.force.components.norm());
  CHECK((a.force.rate.cast<double>() - b.force.rate).norm() < 1e-10);
  CHECK(wide.residual(p, 0, 0).cwiseAbs().maxCoeff() < 1e-14L * a.acceleration[0].abs().maxCoeff());
}

}  // namespace rolling_steps_test
