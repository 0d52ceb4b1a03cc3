#include "support/linear/rods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace linear_rods_test {

using namespace dalembert;
using Rods = test::linear::LinearRods<double>;
using Rod = test::linear::LinearRod<double>;
using Contact = test::linear::LinearCrossing<double>;
using State = Rods::State;
using Column = Rods::Column;
using Mat6 = Mat<double, 6>;
using Vec6 = Vec<double, 6>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using test::linear::LinearStrain;

static_assert(Problem<Rods> && SplitProblem<Rods> && ResidualProblem<Rods> && NumberedProblem<Rods> &&
              FrequencyBoundedProblem<Rods>);
static_assert(Problem<test::linear::LinearRods<long double>>);

/// A symmetric positive matrix near `middle`, full.
Mat6 full(test::Random& random, const Vec6& middle) {
  Mat6 a;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) a(i, j) = 0.3 * random();
  const Mat6 spread = Mat6(Mat6::Identity() + a * a.transpose());
  const Vec6 root = middle.cwiseSqrt();
  return Mat6(root.asDiagonal() * spread * root.asDiagonal());
}

/// Two rods of full stiffness that cross at an angle, the one anyhow in space. Their inertia is that of an elastic rod, or full.
struct Crossed {
  double angle = 1.1, radius1 = 0.04, radius2 = 0.03, width = 0.08;
  LinearStrain strain = LinearStrain::complete;
  bool full_inertia = false;
  std::array<int, 2> elements{30, 34};
  std::array<double, 2> s{0.47, 0.53};
  std::array<rod::Boundary<double>, 2> ends{rod::Boundary<double>::clamped(),
                                            rod::Boundary<double>::pinned()};
  SO3<double> frame1 = SO3<double>::exp({0.3, -1.1, 0.7});

  /// Anyhow across rod 1.
  Vec3 normal() const { return {0.6, -0.8, 0}; }
  /// About the normal by the angle.
  SO3<double> turn() const { return SO3<double>::exp(Vec3(angle * normal())); }
  Vec3 between() const { return (radius1 + radius2) * normal(); }
  rod::SectionInertia<double> section_inertia(std::size_t i) const {
    auto inertia = test::soft_section<double>(i == 0 ? radius1 : radius2).inertia();
    inertia.rotary[1] *= 1.3;
    return inertia;
  }
  Mat6 inertia(std::size_t i) const {
    const Mat6 diagonal = section_inertia(i).matrix();
    test::Random random(test::seed() + unsigned(i));
    return full_inertia ? full(random, Vec6(diagonal.diagonal())) : diagonal;
  }
  Mat6 stiffness(std::size_t i) const {
    test::Random random(test::seed() + 10 + unsigned(i));
    return full(random, test::soft_section<double>(i == 0 ? radius1 : radius2).stiffness_diagonal());
  }
  Rod rod(std::size_t i) const {
    return Rod({.elements = elements[i],
                .length = 1,
                .inertia = inertia(i),
                .stiffness = stiffness(i),
                .start = ends[0],
                .finish = ends[1],
                .strain = strain});
  }
  Contact contact() const {
    return {.first = 0,
            .second = 1,
            .s1 = s[0],
            .s2 = s[1],
            .turn = turn(),
            .between = between(),
            .share = radius1 / (radius1 + radius2),
            .kernel_width = width};
  }
  Rods problem() const { return Rods({rod(0), rod(1)}, {contact()}); }

  /// Smooth velocities of size 1 m/s that do not slip.
  State moving(const Rods& problem) const {
    State x = problem.state();
    test::Random random(test::seed() + 20);
    for (std::size_t i = 0; i < 2; ++i) {
      const test::Wave<double> linear(random), angular(random);
      auto v = problem.field(x.xi, i);
      for (Eigen::Index k = 0; k < v.cols(); ++k) {
        const double at = double(k) / double(v.cols() - 1), bump = std::pow(std::sin(M_PI * at), 2);
        v.col(k).head<3>() = bump * linear(at);
        v.col(k).tail<3>() = 3 * bump * angular(at);
      }
    }
    problem.project(x);
    return x;
  }
};

/// The same two rods, geometrically exact.
struct Exact {
  using Body = rod::Rod<rod::CoupledElastic<double>>;
  using Assembly =
      assembly::Assembly<assembly::Kinds<Body>, assembly::Kinds<contact::RollingContact<double>>>;
  Crossed crossed;
  std::array<SO3<double>, 2> frames{crossed.frame1, crossed.frame1* crossed.turn()};
  std::vector<Body> bodies{body(0), body(1)};
  Assembly problem{
      assembly::bodies(bodies),
      assembly::constraints(std::vector{contact::RollingContact<double>{{0, bodies[0], crossed.width},
                                                                        {1, bodies[1], crossed.width},
                                                                        crossed.radius1,
                                                                        crossed.radius2,
                                                                        true}})};

  Body body(std::size_t i) const {
    return Body(rod::CoupledElastic<double>(crossed.stiffness(i)), {.elements = crossed.elements[i],
                                                                    .length = 1,
                                                                    .inertia = crossed.section_inertia(i),
                                                                    .start = crossed.ends[0],
                                                                    .finish = crossed.ends[1]});
  }
  /// r₀ of node 0.
  Vec3 origin(std::size_t i) const {
    const Vec3 across = i == 0 ? Vec3(0, 0, 0) : crossed.between();
    return Vec3(crossed.frame1.act(across) - frames[i].act(Vec3(crossed.s[i] * Vec3::UnitZ())));
  }
  /// Displaced and moving as `size` times a state of the linear rods.
  assembly::State<double> state(const Rods& linear, const State& x, double size) const {
    std::vector<rod::Chain<double>> chains;
    for (std::size_t i = 0; i < 2; ++i) {
      auto chain = bodies[i].straight(origin(i), frames[i]);
      const auto phi = linear.field(x.phi, i), xi = linear.field(x.xi, i);
      for (Eigen::Index k = 0; k < chain.nodes; ++k) {
        const Vec3 moved = size * phi.col(k).head<3>(), turned = size * phi.col(k).tail<3>();
        const Vec3 v = size * xi.col(k).head<3>(), spin = size * xi.col(k).tail<3>();
        chain.set_frame(k, frames[i] * SO3<double>::exp(turned), chain.position(k) + frames[i].act(moved));
        chain.set_velocity(k, frames[i].act(v), spin);
      }
      chains.push_back(chain);
    }
    return problem.state(chains, Vec<double, 2>(crossed.s[0], crossed.s[1]));
  }
  /// φ of a state.
  Column phi(const Rods& linear, const assembly::State<double>& x) const {
    State out = linear.state();
    for (std::size_t i = 0; i < 2; ++i) {
      const auto rest = bodies[i].straight(origin(i), frames[i]);
      auto phi = linear.field(out.phi, i);
      for (Eigen::Index k = 0; k < rest.nodes; ++k) {
        phi.col(k).head<3>() = frames[i].inverse().act(Vec3(x[i].position(k) - rest.position(k)));
        phi.col(k).tail<3>() = (frames[i].inverse() * x[i].rotation(k)).log();
      }
    }
    return out.phi;
  }
};

/// How far linear rods are from exact ones after 20 ms, per amplitude: fields, multipliers, and the rates of the contact.
struct Distance {
  double field, force, contact;
};
Distance distance(const Crossed& crossed, double size) {
  const Rods linear = crossed.problem();
  const Exact exact{crossed};
  State x = crossed.moving(linear);
  auto y = exact.state(linear, x, size);
  const DriveOptions<Rods> options{.step = 1e-4, .until = 0.02};
  drive(RungeKutta4{}, linear, x, options);
  drive(RungeKutta4{}, exact.problem, y, {.step = 1e-4, .until = 0.02});
  auto r = linear.make_rates();
  linear.rates(x, r);
  auto q = exact.problem.make_rates();
  exact.problem.rates(y, q);
  const Vec3 force = crossed.frame1.inverse().act(Vec3(q.lambda));
  REQUIRE(x.phi.norm() > 0.01);
  REQUIRE(r.lambda.norm() > 0.1);
  REQUIRE(linear.contact_rates(x, 0).norm() > 0.1);
  return {(exact.phi(linear, y) - size * x.phi).lpNorm<Eigen::Infinity>(),
          (force - size * Vec3(r.lambda)).norm(),
          (Vec<double, 2>(q.zdot) - size * linear.contact_rates(x, 0)).norm()};
}

TEST_CASE(
    "linear rods in contact move as geometrically exact ones to first order in the amplitude, with their "
    "force",
    "[contact][linear]") {
  const Crossed crossed;
  std::array<Distance, 3> far{distance(crossed, 1e-3), distance(crossed, 5e-4), distance(crossed, 2.5e-4)};
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::log2(far[i].field / far[i + 1].field) == Approx(2).margin(0.1));
    CHECK(std::log2(far[i].force / far[i + 1].force) == Approx(2).margin(0.1));
    CHECK(std::log2(far[i].contact / far[i + 1].contact) == Approx(2).margin(0.1));
  }
  // without the coupling they do not
  Crossed principal;
  principal.strain = LinearStrain::principal_part;
  const Distance coarse = distance(principal, 1e-3), fine = distance(principal, 5e-4);
  CHECK(std::log2(coarse.field / fine.field) == Approx(1).margin(0.1));
  CHECK(std::log2(coarse.force / fine.force) == Approx(1).margin(0.1));
}

TEST_CASE(
    "linear rods in contact have the accelerations and the force of a dense solve with rows written by hand",
    "[contact][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    Crossed crossed;
    crossed.full_inertia = true;
    crossed.strain = strain;
    const Rods problem = crossed.problem();
    State x = crossed.moving(problem);
    x.phi = 0.01 * x.xi;
    const Eigen::Index n = problem.size();
    Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(n + 3, n + 3);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 3);
    const auto cross = [](const Vec3& k) {
      return (Mat<double, 3>() << 0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0).finished();
    };
    const Vec3 kappa = crossed.between();
    const Mat<double, 3> xi = test::matrix(crossed.turn());
    const double f1 = 4.0 / 7, f2 = 3.0 / 7;
    Eigen::Index node = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const Rod& rod = problem.rods()[i];
      test::linear::Field<double> f(6, rod.nodes());
      rod.forces(problem.field(x.phi, i), f);
      Mat<double, 3, 6> row;
      if (i == 0)
        row << Mat<double, 3>::Identity(), -f1 * cross(kappa);
      else
        row << -xi, -f2 * cross(kappa) * xi;
      const double ell = std::round(crossed.width / rod.spacing()) * rod.spacing();
      for (Eigen::Index k = 0; k < rod.nodes(); ++k, node += 6) {
        saddle.block<6, 6>(node, node) = rod.node_inertia(k);
        right.segment<6>(node) = f.col(k);
        const double r = std::abs(crossed.s[i] - double(k) * rod.spacing()) / ell;
        const double bump = r > 2   ? 0
                            : r > 1 ? std::pow(2 - r, 3) / 6
                                    : (std::pow(2 - r, 3) - 4 * std::pow(1 - r, 3)) / 6;
        saddle.block<3, 6>(n, node) = rod.spacing() / ell * bump * row;
        saddle.block<6, 3>(node, n) = -saddle.block<3, 6>(n, node).transpose();
        for (int j = 0; j < 6; ++j)
          if (rod.held(k, j)) {
            saddle.row(node + j).setZero();
            saddle(node + j, node + j) = 1;
            right[node + j] = 0;
          }
      }
    }
    const Eigen::VectorXd dense = saddle.fullPivLu().solve(right);
    auto r = problem.make_rates();
    problem.rates(x, r);
    REQUIRE(r.lambda.norm() > 0.1);
    CHECK((dense.tail(3) - r.lambda).norm() < 1e-10 * r.lambda.norm());
    CHECK((dense.head(n) - r.xidot).lpNorm<Eigen::Infinity>() < 1e-10 * r.xidot.lpNorm<Eigen::Infinity>());
  }
}

TEST_CASE("standing waves of a linear rod keep the time of the dispersion relation", "[contact][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    // in the plane of x and the turn about y: both ends rest on supports and turn freely
    const auto support = rod::Boundary<double>::degrees({true, true, true, false, false, true});
    Rod::Parameters p{.elements = 40, .length = M_PI};
    p.inertia = Mat6((Vec6() << 1, 1, 1, 0.02, 0.02, 0.04).finished().asDiagonal());
    p.stiffness = Mat6((Vec6() << 20, 20, 50, 0.5, 0.5, 0.4).finished().asDiagonal());
    p.start = p.finish = support;
    p.strain = strain;
    const Rod rod(p);
    const Rods problem({rod});
    const bool complete = strain == LinearStrain::complete;
    const double omega = rod.wave_frequencies(1)[complete ? 0 : 1];
    // the continuous rod has 0.6919 with the coupling and 4.47 without; the grid adds less than h²
    CHECK(omega == Approx(complete ? 0.6919 : 4.472).epsilon(2e-3));
    // x = sin s, a = A cos s, with A from the first of the two equations
    const double h = rod.spacing(), difference = 2 / h * std::sin(h / 2), mean = std::cos(h / 2);
    const double amplitude =
        complete ? (20 * difference * difference - omega * omega) / (20 * difference * mean) : 0;
    State x = problem.state();
    auto phi = problem.field(x.phi, 0);
    for (Eigen::Index k = 0; k <= 40; ++k) {
      phi(0, k) = k == 40 ? 0 : std::sin(double(k) * h);
      phi(4, k) = amplitude * std::cos(double(k) * h);
    }
    const State start = x;
    const double time = 7.3 / omega;
    drive(DormandPrince853{}, problem, x, {.step = 1e-3, .until = time, .tolerance = 1e-13});
    CHECK((x.phi - std::cos(omega * time) * start.phi).lpNorm<Eigen::Infinity>() < 1e-10);
    CHECK((x.xi + omega * std::sin(omega * time) * start.phi).lpNorm<Eigen::Infinity>() < 1e-10 * omega);
  }
}

TEST_CASE("linear rods in contact keep energy and contact to the error of the integrator",
          "[contact][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    Crossed crossed;
    crossed.full_inertia = true;
    crossed.strain = strain;
    const Rods problem = crossed.problem();
    const State start = crossed.moving(problem);
    const double energy = problem.energy(start);
    {
      State x = start;
      analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
      drive(DormandPrince853{}, problem, x, {.step = 1e-4, .until = 0.05, .tolerance = 1e-13}, monitor);
      CHECK(monitor.energy_error() < 1e-12 * energy);
      CHECK(monitor.violation().velocity < 1e-12);
      CHECK(monitor.violation().position < 1e-14);
      CHECK((x.phi - start.phi).norm() > 0.01);
    }
    {
      State x = start;
      drive(Gauss<2>{}, problem, x, {.step = 1e-4, .until = 0.05});
      CHECK(problem.energy(x) == Approx(energy).epsilon(1e-13));
      CHECK(problem.constraint(x).velocity < 1e-12);
    }
    // Runge-Kutta's classical method loses energy like the fifth power of the step
    const auto loss = [&](double h) {
      State x = start;
      drive(RungeKutta4{}, problem, x, {.step = h, .until = 0.02});
      return std::abs(problem.energy(x) - energy);
    };
    CHECK(std::log2(loss(2e-4) / loss(1e-4)) == Approx(5).margin(0.2));
  }
}

TEST_CASE("Verlet steps linear rods with order 2 and without a drift of energy, and refuses unstable steps",
          "[contact][linear]") {
  Crossed crossed;
  crossed.full_inertia = true;
  const Rods problem = crossed.problem();
  const State start = crossed.moving(problem);
  const auto at = [&](const auto& method, double h) {
    State x = start;
    drive(method, problem, x, {.step = h, .until = 0.02});
    return x.phi;
  };
  const Column reference = at(DormandPrince853{}, 1e-4);
  const double coarse = (at(Verlet{}, 1e-4) - reference).norm(),
               fine = (at(Verlet{}, 5e-5) - reference).norm();
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.05));

  const double energy = problem.energy(start);
  State x = start;
  const auto band = [&](int steps) {
    double most = 0;
    auto stepper = Verlet{}.stepper(problem, x);
    for (int i = 0; i < steps; ++i) {
      (void)stepper.step(problem, x, 1e-4);
      most = std::max(most, std::abs(problem.energy(x) - energy));
    }
    return most;
  };
  const double early = band(1000), late = band(9000);
  CHECK(early < 0.02 * energy);
  CHECK(x.time == Approx(1).epsilon(1e-9));
  CHECK(late < 1.5 * early);
  CHECK(problem.constraint(x).velocity < 1e-12);
  CHECK(problem.constraint(x).position < 1e-14);

  const double bound = problem.frequency_bound(start);
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 2.01 / bound, .until = x.time + 1}),
                    ContainsSubstring("shorter steps"));
}

TEST_CASE("a gap of linear rods is closed the nearest way, and in a step the velocity goes along",
          "[contact][linear]") {
  Crossed crossed;
  crossed.full_inertia = true;
  const Rods problem = crossed.problem();
  const State start = crossed.moving(problem);
  State x = start;
  x.phi = 0.01 * x.xi;
  x.phi[6 * 14] += 0.003;
  const double gap = problem.row_errors(x)[0];
  REQUIRE(std::abs(gap) > 1e-4);
  const Column open = x.phi;
  auto loads = problem.make_loads();
  const double h = 1e-3, moved = problem.project_position(x, h, loads).moved;
  CHECK(std::abs(problem.row_errors(x)[0]) < 1e-16);
  State step = problem.state();
  step.xi = x.phi - open;
  CHECK((h * (x.xi - start.xi) - step.xi).norm() < 1e-14 * step.xi.norm());
  CHECK(moved == Approx(std::sqrt(2 * problem.kinetic_energy(step))).epsilon(1e-10));
  // any other way on the rows goes further: M times the step is at right angles to what does not change the gap
  State aside = problem.state();
  test::Random random(test::seed());
  for (double& v : aside.phi) v = random();
  problem.project(aside);
  aside.phi *= step.xi.norm() / aside.phi.norm();
  State both = step;
  both.xi += aside.phi;
  State apart = step;
  apart.xi -= aside.phi;
  const double more = problem.kinetic_energy(both), less = problem.kinetic_energy(apart);
  CHECK(std::abs(more - less) < 1e-12 * (more + less));
}

TEST_CASE("a projection of linear rods tells how far it went, in the metric of the kinetic energy",
          "[contact][linear]") {
  Crossed crossed;
  crossed.full_inertia = true;
  const Rods problem = crossed.problem();
  State x = crossed.moving(problem);
  const State held = x;
  CHECK(problem.project(x).moved < 1e-12);
  x.xi[6 * 14 + 1] += 0.3;
  const Column before = x.xi;
  const double moved = problem.project(x).moved;
  REQUIRE(problem.row_velocities(held).norm() < 1e-13);
  State step = problem.state();
  step.xi = x.xi - before;
  CHECK(moved == Approx(std::sqrt(2 * problem.kinetic_energy(step))).epsilon(1e-9));
  // forces that are put together for Verlet are those of the rates
  x.phi = 0.01 * x.xi;
  auto r = problem.make_rates();
  problem.rates(x, r);
  auto loads = problem.make_loads();
  problem.loads(x, loads);
  problem.add_constraint_forces(x, loads);
  CHECK((loads.lambda - r.lambda).norm() < 1e-12 * r.lambda.norm());
  CHECK((loads.forces - r.loads).norm() < 1e-12 * r.loads.norm());
}

TEST_CASE("what moves as one rigid body rolls and pulls on nothing, and free rods keep their momenta",
          "[contact][linear]") {
  Crossed crossed;
  crossed.full_inertia = true;
  crossed.ends = {rod::Boundary<double>::free(), rod::Boundary<double>::free()};
  const Rods problem = crossed.problem();
  const Mat<double, 3> xi = test::matrix(crossed.turn());
  const std::array<Mat<double, 3>, 2> frames{Mat<double, 3>::Identity(), xi};
  // Σ f and Σ r × f + t in the frame of rod 1, from the loads of each node
  const auto place = [&](std::size_t i, Eigen::Index k) {
    const double along = double(k) * problem.rods()[i].spacing() - crossed.s[i];
    return Vec3((i == 0 ? Vec3(0, 0, 0) : crossed.between()) + along * frames[i].col(2));
  };
  const auto rigid = [&](const Vec3& v, const Vec3& w) {
    State x = problem.state();
    for (std::size_t i = 0; i < 2; ++i) {
      auto u = problem.field(x.xi, i);
      for (Eigen::Index k = 0; k < u.cols(); ++k) {
        u.col(k).head<3>() = frames[i].transpose() * (v + w.cross(place(i, k)));
        u.col(k).tail<3>() = frames[i].transpose() * w;
      }
    }
    return x;
  };
  State x = rigid({0.3, -0.2, 0.5}, {0.7, -1.1, 0.4});
  CHECK(problem.constraint(x).velocity < 1e-13);
  const auto still = problem.contact_rates(x, 0);
  CHECK(still.norm() < 1e-13);
  x.phi = x.xi;
  CHECK(problem.constraint(x).position < 1e-14);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.lambda.norm() < 1e-8);
  // the loads with those of the contact add up to nothing in every rigid motion
  x = crossed.moving(problem);
  x.phi = 0.01 * x.xi;
  problem.rates(x, r);
  REQUIRE(r.lambda.norm() > 0.1);
  for (int j = 0; j < 6; ++j) {
    const State motion =
        rigid(j < 3 ? Vec3(Vec3::Unit(j)) : Vec3(0, 0, 0), j < 3 ? Vec3(0, 0, 0) : Vec3(Vec3::Unit(j - 3)));
    CHECK(std::abs(r.loads.dot(motion.xi)) < 1e-9 * r.loads.norm());
  }
}

TEST_CASE("a linear contact moves as the line of contact of rolling cylinders does", "[contact][linear]") {
  Crossed crossed;
  crossed.ends = {rod::Boundary<double>::free(), rod::Boundary<double>::free()};
  const Rods problem = crossed.problem();
  State x = problem.state();
  // rod 2 rolls on rod 1 at rest, about its own axis: it moves across itself, the contact along rod 1
  const Mat<double, 3> xi = test::matrix(crossed.turn());
  const Vec3 along = xi.col(2), across = along.cross(crossed.normal());
  const double speed = 2 * crossed.radius2;
  auto u = problem.field(x.xi, 1);
  for (Eigen::Index k = 0; k < u.cols(); ++k) {
    u.col(k).head<3>() = speed * xi.transpose() * across;  // so that the side that faces rod 1 rests
    u(5, k) = 2;
  }
  CHECK(problem.constraint(x).velocity < 1e-14);
  const auto rates = problem.contact_rates(x, 0);
  const double sine = std::sin(crossed.angle);
  CHECK(std::abs(rates[0]) == Approx(speed / sine).epsilon(1e-12));
  CHECK(std::abs(rates[1]) == Approx(speed * std::cos(crossed.angle) / sine).epsilon(1e-12));
  // it is where both axes are
  CHECK((rates[0] * Vec3::UnitZ() - rates[1] * along - speed * across).norm() < 1e-14);

  Contact parallel = crossed.contact();
  parallel.turn = SO3<double>::identity();
  const Rods beside({crossed.rod(0), crossed.rod(1)}, {parallel});
  CHECK_THROWS_AS(beside.contact_rates(beside.state(), 0), ParallelRods);
}

TEST_CASE("linear contacts that share nodes act together", "[contact][linear]") {
  const Crossed crossed;
  Contact other = crossed.contact();
  other.second = 2;
  other.s1 += 0.06;
  other.between = -crossed.between();
  const std::vector<Rod> rods{crossed.rod(0), crossed.rod(1), crossed.rod(1)};
  const Rods both(rods, {crossed.contact(), other}), one(rods, {crossed.contact()});
  State x = both.state();
  test::Random random(test::seed());
  for (double& v : x.xi) v = random();
  both.project(x);
  CHECK(both.constraint(x).velocity < 1e-12);
  x.phi = 0.01 * x.xi;
  auto r = both.make_rates();
  both.rates(x, r);
  State along = both.state();
  along.xi = r.xidot;
  CHECK(both.constraint(along).velocity < 1e-9 * r.xidot.lpNorm<Eigen::Infinity>());
  auto alone = one.make_rates();
  one.rates(x, alone);
  CHECK((alone.lambda - r.lambda.head(3)).norm() > 1e-3 * alone.lambda.norm());
  // in one place, or as good as that
  for (const double apart : {0.0, 1e-7}) {
    Contact again = crossed.contact();
    again.s1 += apart;
    CHECK_THROWS_WITH(Rods(rods, {crossed.contact(), again}), ContainsSubstring("depend on each other"));
  }
}

TEST_CASE("a Gaussian window over all nodes serves linear rods too", "[contact][linear]") {
  Crossed crossed;
  crossed.full_inertia = true;
  const Rods problem({crossed.rod(0), crossed.rod(1)}, {crossed.contact()}, contact::Gaussian{});
  const State start = crossed.moving(problem);
  State x = start;
  drive(DormandPrince853{}, problem, x, {.step = 1e-4, .until = 0.02, .tolerance = 1e-13});
  CHECK(problem.energy(x) == Approx(problem.energy(start)).epsilon(1e-12));
  CHECK(problem.constraint(x).velocity < 1e-12);
  CHECK((x.phi - start.phi).norm() > 0.01);
  // its weights are normalised: the average of what moves as one is that
  const Vec3 v(0.3, -0.2, 0.7);
  x = problem.state();
  problem.field(x.xi, 0).topRows<3>().colwise() = v;
  CHECK((problem.row_velocities(x) - v).norm() < 1e-14);
}

TEST_CASE("linear rods and contacts of no meaning are refused", "[contact][linear]") {
  const Crossed crossed;
  const std::vector<Rod> rods{crossed.rod(0), crossed.rod(1)};
  const auto refused = [&](const auto& spoil, const std::string& text) {
    Contact c = crossed.contact();
    spoil(c);
    CHECK_THROWS_AS(Rods(rods, {c}), std::invalid_argument);
    CHECK_THROWS_WITH(Rods(rods, {c}), ContainsSubstring(text));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](Contact& c) { c.s1 = -0.1; }, "LinearCrossing: s1 = -0.1");
  refused([](Contact& c) { c.s2 = 1.2; }, "LinearCrossing: s2 = 1.2");
  refused([](Contact& c) { c.s1 = 0.1; }, "inside the rod");
  refused([&](Contact& c) { c.s2 = nan; }, "s2");
  refused([](Contact& c) { c.kernel_width = 0; }, "kernel_width = 0");
  refused([](Contact& c) { c.kernel_width = 3; }, "kernel_width = 3");
  refused([](Contact& c) { c.second = 2; }, "number of a rod = 2");
  refused([](Contact& c) { c.second = 0; }, "second rod = 0");
  refused([](Contact& c) { c.share = 1.5; }, "share = 1.5");
  refused([](Contact& c) { c.between.setZero(); }, "distance = 0");
  refused([&](Contact& c) { c.between[1] = nan; }, "between 1 = nan");
  refused([](Contact& c) { c.between[2] = 0.01; }, "right angles");
  refused([](Contact& c) { c.turn = SO3<double>::exp({1, 0.2, 0}); }, "right angles");
  refused(
      [](Contact& c) {
        c.turn = SO3<double>::exp({0, 0, 1}) * SO3<double>::exp({1, 0, 0});
      },
      "right angles");
  CHECK_NOTHROW([&] {
    Contact far = crossed.contact();
    far.between *= 100;
    far.turn = crossed.turn() * SO3<double>::exp({0, 0, 0.7});
    return Rods(rods, {far});
  }());
  CHECK_THROWS_WITH(Rods({}), ContainsSubstring("LinearRods: rods = 0"));

  const Rods problem = crossed.problem();
  State x = problem.state();
  x.xi.conservativeResize(5);
  CHECK_THROWS_WITH(RungeKutta4{}.stepper(problem, x), ContainsSubstring("velocities of a state = 5"));
  CHECK_THROWS_AS(problem.energy(x), std::invalid_argument);
  CHECK_THROWS_AS(problem.constraint(x), std::invalid_argument);
  CHECK_THROWS_AS(problem.project(x), std::invalid_argument);
  x = problem.state();
  auto r = problem.make_rates();
  auto others = Rods({crossed.rod(0)}).make_rates();
  CHECK_THROWS_WITH(problem.rates(x, others), ContainsSubstring("numbers of rates"));
  CHECK_THROWS_WITH(problem.power(x, others), ContainsSubstring("numbers of rates"));
  x.phi[40] = nan;
  CHECK_THROWS_AS(problem.rates(x, r), NotFinite);
  CHECK_THROWS_AS(problem.energy(x), NotFinite);
  auto stepper = Verlet{}.stepper(problem, x);
  CHECK_THROWS_AS(stepper.step(problem, x, 1e-5), NotFinite);
  x.phi.setConstant(nan);
  CHECK_THROWS_AS(problem.constraint(x), NotFinite);
}

}  // namespace linear_rods_test
