#include <dalembert/assembly/assembly.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace assembly_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

static_assert(PartedProblem<Assembly<Kinds<Rod>>>);
static_assert(FrequencyBoundedProblem<Assembly<Kinds<Rod>>>);
static_assert(!FrequencyBoundedProblem<Assembly<Kinds<Body>>>);  // a pendulum swings by its weight
static_assert(!FrequencyBoundedProblem<Assembly<Kinds<Body, Rod>>> &&
              WaveBoundedProblem<Assembly<Kinds<Body, Rod>>> && !WaveBoundedProblem<Assembly<Kinds<Body>>>);

/// A rod that is damped, loaded, driven at its start and clamped at its finish.
Rod led_rod() {
  Rod::Parameters p;
  p.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = Vec3(0.01 * std::sin(40 * t), 0, 0);
    m.velocity = Vec3(0.4 * std::cos(40 * t), 0, 0);
    m.acceleration = Vec3(-16 * std::sin(40 * t), 0, 0);
    return m;
  });
  p.finish = rod::Boundary<double>::clamped();
  p.loads.gravity = {0, -9.81, 0};
  p.damping.rate = 2;
  return test::soft_rod<Rod>(0.01, 16, p);
}

TEST_CASE("a rod in an assembly has its own loads, energies and powers, and Verlet kicks and drifts it",
          "[assembly]") {
  const Rod one = led_rod();
  const Assembly problem{bodies(std::vector{one})};
  auto y = one.straight({0, 0, 0}, SO3<double>::identity());
  for (Eigen::Index k = 0; k < y.nodes; ++k)
    y.set_velocity(k, {0.1, 0.2 * std::sin(static_cast<double>(k)), 0}, {0.3, 0, 1});
  auto x = problem.state({y});
  CHECK(x[0].linear_velocity(0) == Vec3(0.4, 0, 0));  // prescribed
  CHECK(x[0].linear_velocity(16) == Vec3(0, 0, 0));   // held
  y = x[0];
  const double h = 1e-4;
  double t = 0;
  auto loads = rod::zero_columns<double, 6>(one.nodes()), acceleration = loads;
  auto rates = problem.make_rates();
  auto stepper = Verlet{}.stepper(problem, x);
  for (const int steps : {10, 40, 150}) {
    for (int i = 0; i < steps; ++i, t += h) {
      REQUIRE(stepper.step(problem, x, h).converged);
      const auto before = y;
      REQUIRE(one.forces(before, loads));
      one.kick_drift(before, loads, h / 2, t, h, y);
      REQUIRE(one.forces(y, loads));
      one.kick(y, loads, h / 2);
    }
    CHECK(x.time == t);
    CHECK((x[0].configuration == y.configuration).topRows(17).all());
    CHECK((x[0].velocity == y.velocity).topRows(17).all());
    problem.rates(x, rates);
    REQUIRE(one.accelerations(y, loads, t, acceleration));
    CHECK((rates.xidot[0] == acceleration).topRows(17).all());
    const double kinetic = rod::kinetic_energy(one, y);
    CHECK(problem.kinetic_energy(x) == kinetic);
    CHECK(problem.energy(x) == kinetic + rod::potential_energy(one, y));
    CHECK(problem.frequency_bound(x) == rod::frequency_bound(one, y));
    const auto p = problem.power(x, rates);
    CHECK(p.load == rod::end_power(one, y, acceleration, loads, rod::End::start));
    CHECK(p.dissipation == Approx(-4 * kinetic).epsilon(1e-14));  // −2νT
    CHECK(std::abs(p.load) > 1e-6);
    CHECK(p.dissipation < 0);
    // m (a + νv) − f, over half an element
    const double m = 0.5 * one.node_mass(), nu = one.parameters().damping.rate;
    const Vec3 v = y.linear_velocity(0),
               pull = m * (rod::at3<0>(acceleration, 0) + nu * v) - rod::at3<0>(loads, 0);
    double turning = 0;
    for (int i = 0; i < 3; ++i)
      turning += y.angular_velocity(0)[i] *
                 (0.5 * one.node_rotary()[i] * (acceleration(0, 3 + i) + nu * y.angular_velocity(0)[i]) -
                  loads(0, 3 + i));
    CHECK(p.load == Approx(v.dot(pull) + turning).epsilon(1e-12));
  }
}

TEST_CASE("rates that were made for another shape are refused", "[assembly]") {
  const Body body{{.mass = 0.05, .inertia = {1e-4, 2e-4, 2e-4}}};
  const Assembly one{bodies(std::vector{body})}, two{bodies(std::vector{body, body})};
  const auto chain = body.at({0, 0, 0});
  const auto x = two.state({chain, body.at({1, 0, 0})});
  const auto fits = [&](auto change) {
    auto rates = two.make_rates();
    change(rates);
    two.rates(x, rates);
  };
  CHECK_NOTHROW(fits([](auto&) {}));
  CHECK_THROWS_AS(fits([&](auto& rates) { rates.xidot = one.make_rates().xidot; }), std::invalid_argument);
  CHECK_THROWS_AS(fits([&](auto& rates) { rates.loads = one.make_rates().loads; }), std::invalid_argument);
  CHECK_THROWS_AS(fits([&](auto& rates) { rates.lambda.resize(1); }), std::invalid_argument);
}

TEST_CASE("a projection tells the larger of what it moved positions and velocities", "[assembly]") {
  const Rod one = test::soft_rod<Rod>(0.02, 8);
  const Assembly problem{
      bodies(std::vector{one}),
      constraints(std::vector{SphericalJoint<double>{{0, 4}, FrameMarker<double>::in_space({0, 0, 0})}})};
  const double root = std::sqrt(one.node_mass());
  for (const auto& [z, speed] : {std::pair{0.01, 0.0}, {0.0, 0.02}, {-0.01, 0.02}, {0.02, -0.01}}) {
    CAPTURE(z, speed);
    auto chain = one.straight({0, 0, -0.5}, SO3<double>::identity());
    rod::put3<0>(chain.configuration, 4, Vec3(0, 0, z));
    chain.set_velocity(4, {0, 0, speed}, {0, 0, 0});
    auto x = problem.state({chain});
    CHECK(problem.project(x).moved == Approx(root * std::max(std::abs(z), std::abs(speed))).epsilon(1e-14));
    CHECK(x[0].position(4).norm() < 1e-16);
    CHECK(x[0].linear_velocity(4).norm() < 1e-16);
    CHECK(x[0].position(5) == chain.position(5));
  }
}

TEST_CASE("a joint at a node whose motion is prescribed takes its acceleration along", "[assembly]") {
  const Rod one = led_rod();
  const Body body{{.mass = 0.05, .inertia = {1e-4, 2e-4, 2e-4}, .gravity = {0, -9.81, 0}}};
  const Assembly problem{bodies(std::vector{one}, std::vector{body}),
                         constraints(std::vector{SphericalJoint<double>{{0, 0}, {1, 0, {0, 0.1, 0}}}})};
  auto x = problem.state({one.straight({0, 0, 0}, SO3<double>::identity()), body.at({0, -0.1, 0})}, {}, 0.01);
  problem.project(x);
  CHECK(problem.constraint(x).velocity < 1e-14);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(std::abs(r.xidot[0](0, 0) + 16 * std::sin(0.4)) < 1e-12);
  auto left = problem.make_residual();
  problem.residual(x, r, left);
  CHECK(left.lpNorm<Eigen::Infinity>() < 1e-10);
  // the force of the joint is what gives the body its acceleration
  const Vec3 force = -Vec3(r.lambda);
  for (int i = 0; i < 3; ++i)
    CHECK(std::abs(0.05 * r.xidot[1](0, i) - force[i] - (i == 1 ? -0.05 * 9.81 : 0)) < 1e-12);
  drive(Verlet{}, problem, x, {.step = 1e-4, .until = 0.1});
  CHECK(problem.constraint(x).position < 1e-14);
  CHECK(problem.constraint(x).velocity < 1e-13);
}

TEST_CASE("an assembly refuses what does not fit it", "[assembly]") {
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  using Nothing = Assembly<Kinds<Body>>;
  CHECK_THROWS_WITH(Nothing(bodies(std::vector<Body>{})), ContainsSubstring("at least one body"));
  const Assembly problem{bodies(std::vector{body, body})};
  const auto chain = body.at({0, 0, 0});
  CHECK_THROWS_WITH(problem.state({chain}), ContainsSubstring("Assembly: chains = 1"));
  CHECK_THROWS_WITH(problem.state({chain, rod::Chain<double>(2)}), ContainsSubstring("nodes of chain 1 = 2"));
  auto nowhere = chain, stretched = chain;
  nowhere.configuration(0, 1) = std::nan("");
  stretched.configuration(0, 3) = 2;
  CHECK_THROWS_WITH(problem.state({chain, nowhere}), ContainsSubstring("chain 1 = not finite"));
  CHECK_THROWS_WITH(problem.state({stretched, chain}), ContainsSubstring("quaternions of chain 0"));
  CHECK_THROWS_WITH(problem.state({chain, chain}, {}, std::nan("")), ContainsSubstring("Assembly: time"));
}

TEST_CASE("rows are numbered kind after kind", "[assembly]") {
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  const FrameMarker<double> here{0};
  const auto there = FrameMarker<double>::in_space({0, 0, 0});
  const Assembly problem{bodies(std::vector{body}),
                         constraints(std::vector{SphericalJoint<double>{here, there}},
                                     std::vector{Hinge<double>{here, there}, Hinge<double>{here, there}})};
  CHECK(problem.row_count() == 13);
  CHECK(problem.internal_size() == 0);
  CHECK(problem.first_row<0>(0) == 0);
  CHECK(problem.first_row<1>(0) == 3);
  CHECK(problem.first_row<1>(1) == 8);
  auto x = problem.state({body.at({0, 0, 0})});
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == 8);
  CHECK(r.report.clusters == 1);
}

}  // namespace assembly_test
