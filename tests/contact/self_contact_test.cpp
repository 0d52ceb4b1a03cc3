// A rod that crosses itself.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/dense_residual.hpp"
#include "support/rods.hpp"

namespace self_contact_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using Vec3 = Vec<double, 3>;
using Column = Vec<double, Eigen::Dynamic>;
using Catch::Matchers::ContainsSubstring;

/// A straight leg, an arc through `angle` and another leg, which crosses the first `above` it; the nodes move at random, smoothly.
rod::Chain<double> loop(const Rod& rod, double arc, double angle, double above, double speed) {
  rod::Chain<double> chain(rod.nodes());
  test::Random random(test::seed());
  const test::Wave<double> velocity(random), spin(random);
  const double leg = (rod.length() - arc) / 2;
  const auto bent = [&](double s) { return std::clamp((s - leg) / arc, 0.0, 1.0); };
  Vec3 at(0, 0, 0);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double s = rod.spacing() * static_cast<double>(k), half = s + rod.spacing() / 2;
    const auto tangent = [&](double part) { return Vec3(std::cos(angle * part), std::sin(angle * part), 0); };
    const Vec3 t = tangent(bent(s));
    Mat<double, 3> axes;  // up, across, along
    axes << 0, -t[1], t[0], 0, t[0], t[1], 1, 0, 0;
    axes.col(1) = axes.col(2).cross(axes.col(0));
    chain.set_frame(k, SO3<double>::from_matrix(axes), at + Vec3(0, 0, above * bent(s)));
    chain.set_velocity(k, speed * velocity(s), speed * spin(s));
    at += rod.spacing() * tangent(bent(half));
  }
  return chain;
}

RollingContact crossing(const Rod& rod, double width, double radius) {
  return {{0, rod, width}, {0, rod, width}, radius, radius, true};
}

TEST_CASE("two places of one rod have the forces of a dense solve, windows apart or overlapping",
          "[contact][crossing]") {
  const double a = 0.005;
  const Rod rod = test::soft_rod<Rod>(a, 40);
  for (const double width : {0.025, 0.1}) {  // nothing has to hold but the tangency
    CAPTURE(width);
    const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{crossing(rod, width, a)})};
    const auto x = problem.state({loop(rod, 0.3, 5, 3 * a, 0.5)}, Vec<double, 2>(0.3, 0.7));
    const double apart = std::abs(x.z[0] - x.z[1]);
    CHECK((apart < 4 * width) == (width > 0.05));      // windows overlap
    CHECK(std::abs(problem.row_errors(x)[0]) < 0.05);  // it is where the legs cross, not across the loop
    auto solved = problem.make_rates();
    problem.rates(x, solved);
    CHECK(solved.report.clusters == 1);
    CHECK(solved.report.redundant_rows == 0);
    const Eigen::VectorXd dense = test::dense_rates(problem, x);
    const double size = solved.lambda.lpNorm<Eigen::Infinity>();
    REQUIRE(size > 1e-3);
    for (int i = 0; i < 3; ++i)
      CHECK(std::abs(dense[dense.size() - 3 + i] - solved.lambda[i]) < 1e-12 * size);
    for (int i = 0; i < 2; ++i)
      CHECK(std::abs(dense[dense.size() - 5 + i] - solved.zdot[i]) < 1e-9 * solved.zdot.norm());
  }
}

TEST_CASE("the halves of a bent rod roll on each other where it crosses itself", "[contact][crossing]") {
  const double a = 0.005;
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{crossing(rod, 0.02, a)})};
  auto x = problem.state({loop(rod, 0.5, 5, 2.0 / 0.9 * a, 1)}, Vec<double, 2>(0.18, 0.82));
  REQUIRE(problem.constraint(x).position < a / 2);
  problem.project(x);
  const double energy = problem.energy(x);
  const Column start = x.z;
  auto stepper = Verlet{}.stepper(problem, x);
  double slip = 0, gap = 0, change = 0, kinetic = problem.kinetic_energy(x);
  bool converged = true;
  for (int i = 0; i < 1500; ++i) {
    converged = stepper.step(problem, x, 2e-5).converged && converged;
    if (i % 20 != 0) continue;
    const auto violation = problem.constraint(x);
    slip = std::max(slip, violation.velocity);
    gap = std::max(gap, violation.position);
    change = std::max(change, std::abs(problem.energy(x) - energy));
    kinetic = std::max(kinetic, problem.kinetic_energy(x));
  }
  CAPTURE(slip, gap, change, kinetic, start, x.z);
  CHECK(converged);
  CHECK(slip < 1e-14);
  CHECK(gap < 1e-16);
  CHECK(change < 5e-3 * kinetic);
  CHECK((x.z - start).norm() > a / 5);  // it has rolled
}

TEST_CASE("a rod that is pressed on itself bears no force by that", "[contact][touching]") {
  const double a = 0.005;
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const Assembly problem{rod, contact::Touching<>{.friction = 0.3}};
  auto x = problem.state({loop(rod, 0.5, 5, 2.05 * a, 0)});
  for (Eigen::Index k = rod.nodes() / 2; k < rod.nodes(); ++k) x[0].set_velocity(k, {0, 0, -0.2}, {0, 0, 0});
  const contact::TouchingSurface body(contact::TouchingSurface::Kind::body, 0);
  double pressed = 0, net = 0;
  drive(Verlet{}, problem, x, {.cfl = 0.5, .until = 0.02}, [&](const auto& p, const auto& now) {
    for (const auto& t : contact::touches(p, now)) pressed = std::max(pressed, t.pressure());
    net = std::max({net, contact::touching_force(p, now, body).norm(),
                    contact::touching_force(p, now, body, body).norm()});
  });
  CHECK(pressed > 1e-3);
  CHECK(net == 0);
}

TEST_CASE("places of one rod that are too near to each other are refused", "[contact][crossing]") {
  const double a = 0.02;
  const Rod rod = test::soft_rod<Rod>(a, 250);
  const Assembly problem{bodies(std::vector{rod}), constraints(std::vector{crossing(rod, 0.004, a)})};
  // evaluator of about 1.3 arcs, where πa = 0.063
  const auto eye = [&](double arc) { return loop(rod, arc, 5, 2 * a, 0); };
  CHECK_THROWS_AS(problem.state({eye(0.04)}, Vec<double, 2>(0.474, 0.526)), SelfContactTooNear);
  CHECK_THROWS_WITH(problem.state({eye(0.04)}, Vec<double, 2>(0.474, 0.526)),
                    ContainsSubstring("a RollingContact of rod 0 with itself are 0.05"));
  CHECK_NOTHROW(problem.state({eye(0.09)}, Vec<double, 2>(0.4415, 0.5585)));
  const auto make = [&](const RollingContact& c) {
    return Assembly{bodies(std::vector{rod}), constraints(std::vector{c})};
  };
  auto uneven = crossing(rod, 0.004, a);
  uneven.radius2 = 2 * a;
  CHECK_THROWS_WITH(make(uneven), ContainsSubstring("a rod that touches itself has one radius"));
}

TEST_CASE("how far places of one rod are apart does not depend on which is the first",
          "[contact][crossing]") {
  // the rod is stretched twofold at one place: with the mean of both, places are 1.5 |s₁ − s₂| apart
  const double a = 0.02;
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const contact::CurveMarker<double> place{0, rod, 0.05};
  const auto check = [&](double apart, bool reversed) {
    Point<double> p, q;
    p.s = 0.3;
    q.s = 0.3 + apart / 1.5;
    p.dR = {2, 0, 0};
    q.dR = {0, 1, 0};
    q.R = {0, 0, 2 * a};
    if (reversed) std::swap(p, q);
    contact::detail::check_nearest_on_rods("RollingContact", place, p, place, q, a, 0.0);
  };
  for (const bool reversed : {false, true}) {
    CAPTURE(reversed);
    CHECK_NOTHROW(check(1.01 * M_PI * a, reversed));
    CHECK_THROWS_AS(check(0.99 * M_PI * a, reversed), SelfContactTooNear);
    CHECK_THROWS_WITH(
        check(0.99 * M_PI * a, reversed),
        ContainsSubstring(message({" ", 0.99 * M_PI * a, " m apart along it, less than ", M_PI * a, " m"})));
  }
}

}  // namespace self_contact_test
