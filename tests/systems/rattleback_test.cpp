#include <dalembert/systems/rattleback.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/balls.hpp"
#include "support/catch.hpp"

namespace rattleback_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::Rattleback;

static_assert(NonholonomicSystem<Rattleback<double>> && NonholonomicSystem<Rattleback<long double>>);

template <class S>
Rattleback<S> random_body(laws::Random<S>& random) {
  const Vec<S, 3> axes(random.positive(), random.positive(), random.positive());
  const S m = random.positive(), offset = S(0.9) * random() * axes[2];
  return Rattleback<S>{{.mass = m,
                        .semi_axes = axes,
                        .offset = offset,
                        .inertia = test::inertia<S>(random),
                        .gravity = random.positive()}};
}

/// (5) and (6) of the header: Newton's and Euler's equations in the body, without the force of the plane.
template <class S, class State>
auto newton_euler(const Rattleback<S>& body, const State& state) {
  laws::Expected<Rattleback<S>> expected;
  const auto& p = body.parameters();
  const Mat<S, 3> turn = state.g.first().matrix(), one = Mat<S, 3>::Identity();
  const Vec<S, 3> up = turn.row(2).transpose(), W = state.xi.template head<3>();
  const Mat<S, 3> squares = p.semi_axes.cwiseAbs2().asDiagonal();
  const S q = std::sqrt(up.dot(squares * up));
  const Vec<S, 3> r = p.offset * Vec<S, 3>::UnitZ() - squares * up / q;
  const Vec<S, 3> updot = up.cross(W);
  const Vec<S, 3> rdot = -squares * updot / q + squares * up * (up.dot(squares * updot) / (q * q * q));
  const Vec<S, 3> v = r.cross(W), swing = rdot.cross(W) + W.cross(v) + p.gravity * up;
  const Vec<S, 3> momentum = p.inertia * W;
  const Mat<S, 3> about_contact = p.inertia + p.mass * (r.squaredNorm() * one - r * r.transpose());
  const Vec<S, 3> Wdot = about_contact.inverse() * (momentum.cross(W) + p.mass * r.cross(swing));
  const Vec<S, 3> force = p.mass * (turn * (swing + r.cross(Wdot)));
  expected.xidot << Wdot, force / p.mass - p.gravity * Vec<S, 3>::UnitZ();
  expected.lambda = Vec<S, 3>(force[2], force[0], force[1]);
  return expected;
}

TEMPLATE_TEST_CASE("a rattleback has the equations of Newton and Euler at random states", "[rattleback]",
                   double, long double) {
  using S = TestType;
  laws::check_rates<Rattleback<S>>(
      random_body<S>,
      [](const auto& problem, auto& random) {
        const auto g = problem.system().touching(random.template element<SO3<S>>(), random(), random());
        return problem.state(g, problem.system().rolling(g, random.template vector<3>()));
      },
      newton_euler<S, State<typename Rattleback<S>::Group>>);
}

TEST_CASE("the rattleback's closed forms are derivatives, and its energy is constant", "[rattleback]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_body(random)};
    const auto g = problem.system().touching(random.element<SO3d>());
    const auto state = problem.state(g, problem.system().rolling(g, random.vector<3>()));
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the rattleback's lowest point touches the plane and is at rest", "[rattleback]") {
  const Rattleback<> body{{}};
  laws::Random<double> random;
  const auto g = body.touching(random.element<SO3d>(), 0.3, -0.2);
  const Vec<double, 3> contact = g.first().act(body.contact(body.vertical(g)), g.second().coordinates());
  CHECK(std::abs(contact[2]) < 1e-16);
  // No point of the surface is lower.
  for (int i = 0; i < 1000; ++i) {
    const Vec<double, 3> direction = random.vector<3>().normalized();
    const Vec<double, 3> surface =
        0.01 * Vec<double, 3>::UnitZ() + Vec<double, 3>(body.parameters().semi_axes.cwiseProduct(direction));
    REQUIRE(g.first().act(surface, g.second().coordinates())[2] > -1e-16);
  }
  const LagrangeDAlembert problem{body};
  const auto state = problem.state(g, body.rolling(g, {0.7, -0.4, 2.0}));
  CHECK(problem.constraint(state).velocity < 1e-15);
  CHECK(problem.constraint(state).position < 1e-16);
}

/// How the body of Kane and Levinson turns, tilted by half a degree about its longest axis and spun about the vertical.
struct Course {
  double slowest = 0, fastest = 0, energy_change = 0, least_load = std::numeric_limits<double>::infinity();
};

Course spun(double spin, double duration) {
  const Rattleback<> body{{}};
  const LagrangeDAlembert problem{body};
  const auto g = body.touching(SO3d::exp({static_cast<double>(pi) / 360, 0, 0}));
  auto state = problem.state(g, body.rolling(g, spin * Rattleback<>::vertical(g)));
  Course course{.slowest = spin, .fastest = spin};
  const double energy = problem.energy(state);
  auto rates = problem.make_rates();
  drive(RungeKutta4{.project = true}, problem, state, {.step = 5e-4, .until = duration},
        [&](const auto&, const auto& at) {
          const double now = at.xi.template head<3>().dot(Rattleback<>::vertical(at.g));
          course.slowest = std::min(course.slowest, now);
          course.fastest = std::max(course.fastest, now);
          course.energy_change = std::max(course.energy_change, std::abs(problem.energy(at) - energy));
          problem.rates(at, rates);
          course.least_load = std::min(course.least_load, rates.lambda[0]);
        });
  return course;
}

TEST_CASE("spun one way the rattleback turns back, spun the other way it does not", "[rattleback]") {
  const Course backwards = spun(-5, 9.0), forwards = spun(5, 9.0);
  CAPTURE(backwards.slowest, backwards.fastest, forwards.slowest, forwards.fastest);
  CHECK(backwards.fastest > 1);
  CHECK(forwards.slowest > 4.9);
  CHECK(backwards.energy_change < 1e-6);  // of 0.12 J
  CHECK(forwards.energy_change < 1e-6);
  CHECK(backwards.least_load > 0);  // so the contact never pulls
}

TEST_CASE("turned inertia has its principal axes where the angle says", "[rattleback]") {
  const Vec<double, 3> principal(0.3, 0.7, 0.9);
  for (const double angle : {0.4, -1.1, 2.5}) {
    const Mat<double, 3> inertia = Rattleback<>::turned_inertia(principal, angle);
    const Vec<double, 3> first(std::cos(angle), std::sin(angle), 0),
        second(-std::sin(angle), std::cos(angle), 0);
    CHECK((inertia * first - 0.3 * first).norm() < 1e-15);
    CHECK((inertia * second - 0.7 * second).norm() < 1e-15);
    CHECK((inertia * Vec<double, 3>::UnitZ() - 0.9 * Vec<double, 3>::UnitZ()).norm() < 1e-15);
  }
}

TEST_CASE("a tensor of inertia that no body has is refused though each pair of axes could have it",
          "[rattleback]") {
  // ∫ρ x xᵀ with the eigenvalues 1.9, 1.9 and −0.8, of which the minors of two rows are positive
  Mat<double, 3> moments;
  moments << 1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1;
  const Mat<double, 3> inertia = 3 * Mat<double, 3>::Identity() - moments;
  CHECK_THROWS_WITH(systems::detail::require_inertia("Body", inertia), ContainsSubstring("trace of inertia"));
}

TEST_CASE("impossible rattlebacks are refused, by name and value", "[rattleback]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH((Rattleback<>{{.mass = -1}}), ContainsSubstring("Rattleback: mass = -1"));
  CHECK_THROWS_WITH((Rattleback<>{{.semi_axes = {0.2, -0.1, 0.1}}}), ContainsSubstring("semi-axis"));
  CHECK_THROWS_WITH((Rattleback<>{{.offset = 0.02}}), ContainsSubstring("inside the ellipsoid"));
  CHECK_THROWS_WITH((Rattleback<>{{.gravity = -9.81}}), ContainsSubstring("gravity"));
  CHECK_THROWS_AS((Rattleback<>{{.offset = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((Rattleback<>{{.gravity = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((Rattleback<>{{.inertia = Mat<double, 3>::Zero()}}), std::invalid_argument);
}

}  // namespace rattleback_test
