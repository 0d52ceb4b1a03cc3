#include <dalembert/statics/statics.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/rods.hpp"

namespace statics_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using RollingContact = contact::RollingContact<double>;
using Joint = SphericalJoint<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;

TEST_CASE("two rods hooked into each other find their known equilibrium", "[assembly][statics]") {
  const systems::RollingRodsParameters<double> p;
  Kinds<Rod> bodies = assembly::bodies(systems::rolling_rods(p));
  const auto& rods = std::get<0>(bodies);
  Kinds<RollingContact> contacts = assembly::constraints(std::vector{
      RollingContact{{0, rods[0], p.kernel_width}, {1, rods[1], p.kernel_width}, p.radius, p.radius}});
  auto x = Assembly{bodies, contacts}.state(systems::rolling_rods_placement(p, rods),
                                            Vec<double, 2>(p.crossing[0], p.crossing[1]));
  const double low = x[0].position(0)[2], high = x[1].position(0)[2];
  const auto found = static_equilibrium(bodies, contacts, x,
                                        [&](double factor, auto&, auto&, assembly::State<double>& moved) {
                                          for (const Eigen::Index k : {0, p.elements}) {
                                            moved[0].configuration(k, 2) = low + factor * p.hook;
                                            moved[1].configuration(k, 2) = high - factor * p.hook;
                                          }
                                        });
  CHECK_THAT(x.z[0], WithinAbs(0.45109406, 1e-8));
  CHECK_THAT(x.z[1], WithinAbs(0.54890594, 1e-8));
  CHECK_THAT(found.multipliers[0], WithinAbs(5.346133, 1e-6));
  CHECK_THAT(found.energy, WithinAbs(5.32975335, 1e-8));
  CHECK(found.search.iterations <= 20);
}

/// Three rods: two from above and below hook one between them.
struct ThreeRods {
  systems::RollingRodsParameters<double> p{.elements = 40, .crossing = {0.35, 0.5}};
  Kinds<Rod> bodies = [&] {
    const auto rods = systems::rolling_rods(p);
    return assembly::bodies(std::vector{rods[0], rods[0], rods[0]});
  }();
  Kinds<RollingContact> contacts = [&] {
    const auto& rods = std::get<0>(bodies);
    const auto cross = [&](std::size_t i, std::size_t j) {
      return RollingContact{{i, rods[i], 0.05}, {j, rods[j], 0.05}, p.radius, p.radius};
    };
    return assembly::bodies(std::vector{cross(0, 1), cross(0, 2)});
  }();
  assembly::State<double> x = [&] {
    const auto& rods = std::get<0>(bodies);
    auto two = systems::rolling_rods_placement(p, rods);
    auto third = two[1];  // below the first, further along it
    for (Eigen::Index k = 0; k < third.nodes; ++k) {
      third.configuration(k, 0) += 0.4;
      third.configuration(k, 2) -= 4 * p.radius;
    }
    Vec<double, Eigen::Dynamic> s(4);
    s << 0.35, 0.5, 0.67, 0.5;
    return Assembly{bodies, contacts}.state({two[0], two[1], third}, s);
  }();

  auto solve(const StaticOptions<double>& options = {}) {
    const auto start = x.chains;
    return static_equilibrium(
        bodies, contacts, x,
        [&](double factor, auto&, auto&, assembly::State<double>& moved) {
          for (std::size_t i : {1u, 2u})
            for (const Eigen::Index k : {0, p.elements})
              moved[i].configuration(k, 2) = start[i].position(k)[2] + (i == 1 ? -1 : 1) * factor * 0.06;
        },
        options);
  }
};

TEST_CASE("in equilibrium nothing accelerates, and the engine has the same forces", "[assembly][statics]") {
  ThreeRods three;
  const auto found = three.solve();
  const Assembly problem{three.bodies, three.contacts};
  auto r = problem.make_rates();
  problem.rates(three.x, r);
  CHECK(found.multipliers.minCoeff() > 1);
  CHECK((r.lambda - found.lambda).norm() < 1e-9 * found.lambda.norm());
  const double mass = std::get<0>(three.bodies)[0].parameters().inertia.mass;
  for (const auto& a : r.xidot)
    CHECK((a.leftCols<3>().topRows(41) * (mass / 40)).abs().maxCoeff() < 1e-9 * found.lambda.norm());
  CHECK(problem.constraint(three.x).position < 1e-15);
  CHECK(found.search.residual < 1e-10);
}

TEST_CASE("the multiplier of a contact is the derivative of the energy by its gap", "[assembly][statics]") {
  const double step = 1e-5;
  double energy[2];
  for (const int side : {0, 1}) {
    ThreeRods wider;
    std::get<0>(wider.contacts)[1].radius2 += side == 0 ? -step : step;
    energy[side] = wider.solve().energy;
  }
  const auto found = ThreeRods{}.solve();
  CHECK_THAT(found.multipliers[1], WithinRel((energy[1] - energy[0]) / (2 * step), 1e-6));
}

TEST_CASE("rods that would have to pull each other are no equilibrium of a contact", "[assembly][statics]") {
  ThreeRods apart;
  apart.p.hook = 0;
  const auto start = apart.x.chains;
  CHECK_THROWS_AS(static_equilibrium(apart.bodies, apart.contacts, apart.x,
                                     [&](double factor, auto&, auto&, assembly::State<double>& moved) {
                                       for (const Eigen::Index k : {0, 40})
                                         moved[1].configuration(k, 2) =
                                             start[1].position(k)[2] + factor * 0.02;
                                     }),
                  ContactOpened);
}

/// A double pendulum of unlike bodies at two hinges, the first of them in space, bent.
struct Pendulum {
  static Body body(double mass) {
    return Body{{.mass = mass, .inertia = {0.02, 0.03, 0.025}, .gravity = {0, 0, -9.81}}};
  }
  Assembly<Kinds<Body>, Kinds<Hinge<double>>> problem{
      assembly::bodies(std::vector{body(0.5), body(0.3)}),
      assembly::constraints(std::vector{
          Hinge<double>{{0, 0, {0, 0, 0.2}, across()}, FrameMarker<double>::in_space({1, 2, 3}, across())},
          Hinge<double>{{1, 0, {0, 0, 0.3}, across()}, {0, 0, {0, 0, -0.2}, across()}}})};
  assembly::State<double> x;

  static SO3<double> across() { return SO3<double>::exp(V(0, M_PI / 2, 0)); }  // turns about x
  explicit Pendulum(double first, double second) {
    const auto a = SO3<double>::exp(V(first, 0, 0)), b = SO3<double>::exp(V(second, 0, 0));
    const V knee = V(1, 2, 3) + a.act(V(0, 0, -0.4));
    x = problem.state({Pendulum::body(0.5).at(V(1, 2, 3) + a.act(V(0, 0, -0.2)), a),
                       Pendulum::body(0.3).at(knee + b.act(V(0, 0, -0.3)), b)},
                      {});
  }
};

TEST_CASE("a double pendulum in equilibrium hangs straight down", "[assembly][statics]") {
  Pendulum p(0.7, -0.4);
  REQUIRE(p.problem.constraint(p.x).position < 1e-15);
  const auto found = static_equilibrium(p.problem, p.x);
  CHECK((p.x[0].position(0) - V(1, 2, 2.8)).norm() < 1e-12);
  CHECK((p.x[1].position(0) - V(1, 2, 2.3)).norm() < 1e-12);
  CHECK_THAT(found.lambda[2], WithinRel(0.8 * 9.81, 1e-12));
  CHECK_THAT(found.lambda[7], WithinRel(0.3 * 9.81, 1e-12));
  CHECK_THAT(found.energy, WithinRel(9.81 * (0.5 * 2.8 + 0.3 * 2.3), 1e-12));
}

TEST_CASE("single precision finds an equilibrium to its own digits", "[assembly][statics]") {
  using V3 = Vec<float, 3>;
  RigidBody<float>::Parameters p;
  p.mass = 0.3F;
  p.inertia = {0.02F, 0.03F, 0.025F};
  p.gravity = {0, 0, -9.81F};
  const RigidBody<float> body(p);
  using Single = SphericalJoint<float>;
  const Assembly problem{assembly::bodies(std::vector{body, body}),
                         assembly::constraints(std::vector{
                             Single{FrameMarker<float>::in_space({1, 2, 3}), {0, 0, {-0.5F, 0, 0}}},
                             Single{{0, 0, {0.5F, 0, 0}}, {1, 0, {-0.5F, 0, 0}}}})};
  const auto first = SO3<float>::exp({0, 1, 0}), second = SO3<float>::exp({0, 1.2F, 0});
  const V3 knee = V3(1, 2, 3) + first.act(V3(1, 0, 0));
  auto x = problem.state({body.at(V3(1, 2, 3) + first.act(V3(0.5F, 0, 0)), first),
                          body.at(knee + second.act(V3(0.5F, 0, 0)), second)});
  const auto found = static_equilibrium(problem, x);
  CHECK((x[0].position(0) - V3(1, 2, 2.5F)).norm() < 1e-5F);
  CHECK((x[1].position(0) - V3(1, 2, 1.5F)).norm() < 1e-5F);
  CHECK_THAT(found.lambda[2], WithinRel(-0.6F * 9.81F, 1e-5F));
}

TEST_CASE("Newton's method converges quadratically", "[assembly][statics]") {
  Pendulum p(0.2, -0.1);
  Kinds<Body> bodies{p.problem.bodies<0>()};
  auto pulled = std::get<0>(bodies)[1].parameters();
  pulled.force = {0, 2, 0};  // aside
  std::get<0>(bodies)[1] = Body{pulled};
  const Kinds<Hinge<double>> joints{p.problem.constraints<0>()};
  assembly::detail::StaticSystem<Kinds<Body>, Kinds<Hinge<double>>> system(bodies, joints, p.x);
  system.save();
  system.set_target();
  std::vector<Vec<double, 4>> place;
  for (int i = 0; i < 9; ++i) {
    const V a = p.x[0].position(0), b = p.x[1].position(0);
    place.emplace_back(a[1], a[2], b[1], b[2]);
    system.assemble();
    (void)system.solve({});
    system.move(1);
  }
  CHECK((place[8] - place[7]).norm() < 1e-14);
  int seen = 0;
  for (std::size_t i = 0; i + 1 < place.size(); ++i) {
    const double error = (place[i] - place[8]).norm(), next = (place[i + 1] - place[8]).norm();
    CAPTURE(i, error, next);
    CHECK(next < 10 * error * error + 1e-14);
    seen += error < 1e-2 && next > 1e-13 ? 1 : 0;
  }
  CHECK(seen >= 1);
}

TEST_CASE("multipliers in statics begin as those with which all would start to move from rest",
          "[assembly][statics]") {
  Pendulum p(0.7, -0.4);
  const Kinds<Body> bodies{p.problem.bodies<0>()};
  const Kinds<Hinge<double>> joints{p.problem.constraints<0>()};
  assembly::detail::StaticSystem<Kinds<Body>, Kinds<Hinge<double>>> system(bodies, joints, p.x);
  system.save();
  system.set_target();
  auto r = p.problem.make_rates();
  p.problem.rates(p.x, r);
  CHECK((system.multipliers() - r.lambda).norm() < 1e-9 * r.lambda.norm());
  // those of an equilibrium near by stay
  system.multipliers() *= 1.5;
  system.set_target();
  CHECK((system.multipliers() - 1.5 * r.lambda).norm() < 1e-9 * r.lambda.norm());
}

TEST_CASE("bodies on a chain of spherical joints hang straight down, and may turn as they like",
          "[assembly][statics]") {
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<rod::Chain<double>> chains;
  const auto tilt = SO3<double>::exp(V(1, 0.2, 0.1));
  for (std::size_t i = 0; i < 4; ++i) {
    bodies.push_back(Pendulum::body(0.5));
    chains.push_back(bodies[i].at(tilt.act(V(0, 0, -0.2 - 0.4 * static_cast<double>(i))), tilt));
    joints.push_back({{i, 0, {0, 0, 0.2}}, FrameMarker<double>::in_space({0, 0, 0})});
    if (i > 0) joints[i].b = {i - 1, 0, {0, 0, -0.2}};
  }
  const Assembly problem{assembly::bodies(bodies), assembly::constraints(joints)};
  auto x = problem.state(chains, {});
  const auto found = static_equilibrium(problem, x);
  CHECK((x[3].position(0) - V(0, 0, -1.4)).norm() < 1e-12);
  CHECK_THAT(found.multipliers[2], WithinRel(4 * 0.5 * 9.81, 1e-12));
  CHECK(found.search.iterations < 50);
}

TEST_CASE("a four-bar linkage in equilibrium hangs straight down with the forces of the engine",
          "[assembly][statics]") {
  const auto across = Pendulum::across(), turn = SO3<double>::exp(V(0.8, 0, 0));
  const V down = turn.act(V(0, 0, -0.4));
  const Body body = Pendulum::body(0.5);
  const auto in_space = [&](double y) { return FrameMarker<double>::in_space({0, y, 0}, across); };
  const auto on = [&](std::size_t b, double y, double z) {
    return FrameMarker<double>{b, 0, {0, y, z}, across};
  };
  const Assembly problem{
      assembly::bodies(std::vector{body, body, body}),
      assembly::constraints(std::vector{
          Hinge<double>{on(0, 0, 0.2), in_space(0)}, Hinge<double>{on(1, 0, 0.2), in_space(0.5)},
          Hinge<double>{on(2, -0.25, 0), on(0, 0, -0.2)}, Hinge<double>{on(2, 0.25, 0), on(1, 0, -0.2)}})};
  auto x = problem.state(
      {body.at(down / 2, turn), body.at(V(0, 0.5, 0) + down / 2, turn), body.at(down + V(0, 0.25, 0))}, {});
  REQUIRE(problem.constraint(x).position < 1e-15);
  const auto found = static_equilibrium(problem, x);
  CHECK((x[2].position(0) - V(0, 0.25, -0.4)).norm() < 1e-12);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == 3);
  CHECK((found.lambda - r.lambda).norm() < 1e-6);
  CHECK_THAT(found.lambda[2], WithinRel(1.5 * 0.5 * 9.81, 1e-9));
}

TEST_CASE("what is missing at the start is a load that fades", "[assembly][statics]") {
  Pendulum p(0.7, -0.4);
  const Kinds<Body> bodies{p.problem.bodies<0>()};
  const Kinds<Hinge<double>> joints{p.problem.constraints<0>()};
  assembly::detail::StaticSystem<Kinds<Body>, Kinds<Hinge<double>>> system(bodies, joints, p.x);
  system.take_missing();
  CHECK(system.residual(1e-10) > 0.5);
  system.missing(1);
  CHECK(system.residual(1e-10) < 1e-15);
}

TEST_CASE("springs that hold what may move freely are not felt by the rest", "[assembly][statics]") {
  dalembert::linalg::SparseEquations<double> equations(3, 0, 1);
  const double soft = 1e-9;  // beside 1, with a spring of 2e-12
  equations.add(0, 0, 1);
  equations.add(1, 1, soft);  // the third moves freely
  equations.add(0, 3, -1);
  equations.add(3, 0, -1);
  Vec<double, Eigen::Dynamic> b(4), x;
  b << 1, soft, 0, -0.5;
  REQUIRE(equations.solve(b, x));
  CHECK((x - Vec<double, 4>(0.5, 1, 0, -0.5)).norm() < 1e-7);
}

TEST_CASE("rods in contact are carried along in steps longer than their thickness", "[assembly][statics]") {
  ThreeRods three;
  (void)three.solve();
  const auto start = three.x.chains;
  const auto found = static_equilibrium(three.bodies, three.contacts, three.x,
                                        [&](double factor, auto&, auto&, assembly::State<double>& moved) {
                                          for (std::size_t i = 0; i < 3; ++i)
                                            for (const Eigen::Index k : {0, 40})
                                              moved[i].configuration(k, 1) =
                                                  start[i].position(k)[1] + 0.2 * factor;
                                        },
                                        {.first_step = 1});
  CHECK(found.search.iterations <= 4);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK((three.x[i].position(20) - start[i].position(20) - V(0, 0.2, 0)).norm() < 1e-10);
}

TEST_CASE("a search that fails at a time of the state says that time, with bodies as they are then",
          "[assembly][statics]") {
  ThreeRods three;
  const auto start = three.x.chains;
  const auto path = [&](double factor, auto& bodies, auto&, assembly::State<double>& moved) {
    moved.time = 3 * factor;
    std::get<0>(bodies)[0].set_loads({.gravity = {0, 0, factor > 0.5 ? std::nan("") : -factor}});
    for (const Eigen::Index k : {0, three.p.elements})
      moved[1].configuration(k, 2) = start[1].position(k)[2] - factor * 0.06;
  };
  CHECK_THROWS_WITH(static_equilibrium(three.bodies, three.contacts, three.x, path, {.smallest_step = 0.1}),
                    ContainsSubstring("NoConvergence") && ContainsSubstring(" at t = 1.5 s"));
  CHECK(three.x.time == 1.5);
  CHECK(std::get<0>(three.bodies)[0].parameters().loads.gravity[2] == -0.5);
}

TEST_CASE("what nothing holds is named", "[assembly][statics]") {
  const Body body = Pendulum::body(1);
  const Assembly problem{
      assembly::bodies(std::vector{body, body, body}),
      assembly::constraints(std::vector{Weld<double>{{0}, FrameMarker<double>::in_space({0, 0, 0})}},
                            std::vector{Joint{{1}, {2, 0, {0, 0, 1}}}})};
  auto x = problem.state({body.at({0, 0, 0}), body.at({1, 0, 0}), body.at({1, 0, -1})}, {});
  CHECK_THROWS_AS(static_equilibrium(problem, x), NoConvergence);
  CHECK_THROWS_WITH(static_equilibrium(problem, x),
                    ContainsSubstring("no static equilibrium beyond the load factor 0: ") &&
                        ContainsSubstring("; body 1 is held by nothing; body 2 is held by nothing at t") &&
                        !ContainsSubstring("body 0"));
}

/// A rod along x, and what it weighs.
struct Heavy {
  static Rod rod(rod::Boundary<double> start, double gravity) {
    Rod::Parameters p;
    p.start = start;
    p.loads.gravity = {0, 0, -gravity};
    return test::soft_rod<Rod>(0.02, 20, p);
  }
  static rod::Chain<double> straight(const Rod& rod) {
    return rod.straight({0, 0, 0}, SO3<double>::exp(V(0, M_PI / 2, 0)));
  }
  static double weight(double gravity) { return gravity * test::soft_section<double>(0.02).inertia().mass; }
};

TEST_CASE("a rod that is welded hangs as one that is clamped", "[assembly][statics]") {
  const Rod clamped = Heavy::rod(rod::Boundary<double>::clamped(), 2),
            free = Heavy::rod(rod::Boundary<double>::free(), 2);
  const Assembly held{assembly::bodies(std::vector{clamped})};
  auto known = held.state({Heavy::straight(clamped)});
  const double energy = static_equilibrium(held, known).energy;
  const auto& chain = known[0];
  REQUIRE(chain.position(20)[2] < -0.2);

  const auto here = FrameMarker<double>::in_space({0, 0, 0}, SO3<double>::exp(V(0, M_PI / 2, 0)));
  const Assembly problem{assembly::bodies(std::vector{free}),
                         assembly::constraints(std::vector{Weld<double>{{0, 0}, here}})};
  auto x = problem.state({Heavy::straight(free)}, {});
  const auto found = static_equilibrium(problem, x);
  CHECK((x[0].configuration - chain.configuration).topRows(21).abs().maxCoeff() < 1e-9);
  CHECK_THAT(found.lambda[2], WithinRel(Heavy::weight(2), 1e-10));
  CHECK_THAT(found.energy, WithinRel(energy, 1e-10));
}

/// Upwards with the time.
struct Lift {
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    return {T(0.6), T(0), 0.3 * t};
  }
};

TEST_CASE("a path may go along with the time, and loads that it puts", "[assembly][statics]") {
  Kinds<Rod> bodies = assembly::bodies(std::vector{Heavy::rod(rod::Boundary<double>::clamped(), 0)});
  Kinds<PrescribedMotion<double, Lift>> prescribed =
      assembly::constraints(std::vector{PrescribedMotion<double, Lift>{{0, 20}, {}}});
  auto& rod = std::get<0>(bodies)[0];
  const auto at = [&](double time, double gravity) {
    assembly::State<double> x{0, {Heavy::straight(rod)}, {}};
    x[0].configuration(10, 2) += 0.05;  // it buckles upwards
    auto found = static_equilibrium(bodies, prescribed, x,
                                    [&](double factor, auto& rods, auto&, assembly::State<double>& moved) {
                                      std::get<0>(rods)[0].set_loads({.gravity = {0, 0, -factor * gravity}});
                                      moved.time = factor * time;
                                    });
    CHECK_THAT(x[0].position(20)[2], WithinAbs(0.3 * time, 1e-14));
    return found;
  };
  const double h = 1e-5;
  const auto found = at(1, 0.5);
  CHECK_THAT(found.lambda[2], WithinRel((at(1 + h, 0.5).energy - at(1 - h, 0.5).energy) / (0.6 * h), 1e-6));
  CHECK(std::abs(found.lambda[2] - at(1, 0).lambda[2]) > 0.1 * Heavy::weight(0.5));
}

TEST_CASE("a body that is welded about its centre bears its weight, however large and heavy, wherever it is",
          "[assembly][statics]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 200; ++i) {
    const double size = draw.power(-6, 6), mass = draw.power(-6, 6);
    Body::Parameters p{.mass = mass};
    for (int j = 0; j < 3; ++j) p.inertia[j] = mass * size * size * draw.between(0.3, 0.5);
    p.gravity = draw.power(-3, 3) * draw.direction();
    const Body body(p);
    const V centre = draw.origin(size);
    const auto turn = draw.rotation();
    const Assembly problem{
        assembly::bodies(std::vector{body}),
        assembly::constraints(std::vector<Weld<double>>{{{0}, FrameMarker<double>::in_space(centre, turn)}})};
    auto x = problem.state({body.at(centre, turn)});
    rod::move_node(x[0], 0, V(1e-3 * size * draw.vector()), V(1e-3 * draw.vector()));
    problem.project(x);
    CAPTURE(size, mass, centre.transpose());
    StaticEquilibrium<double> found;
    REQUIRE_NOTHROW(found = static_equilibrium(problem, x));
    CHECK((found.lambda.head<3>() + mass * p.gravity).norm() < 1e-9 * mass * p.gravity.norm());
    CHECK(found.lambda.tail<3>().norm() < 1e-9 * mass * p.gravity.norm() * size);
  }
}

TEST_CASE("a state that does not fit is refused", "[assembly][statics]") {
  const Pendulum p(0.1, 0.2);
  auto x = p.x;
  x.chains.pop_back();
  CHECK_THROWS_WITH(static_equilibrium(p.problem, x), ContainsSubstring("chain = 1"));
  x = p.x;
  x.chains.push_back(x[0]);
  CHECK_THROWS_WITH(static_equilibrium(p.problem, x), ContainsSubstring("chains = 3"));
  x = p.x;
  x.z.resize(1);
  CHECK_THROWS_WITH(static_equilibrium(p.problem, x), ContainsSubstring("internal coordinates = 1"));
  x = p.x;
  CHECK_THROWS_WITH(static_equilibrium(p.problem, x, {.tolerance = 0}), ContainsSubstring("tolerance = 0"));

  ThreeRods three;  // a contact that was made for a longer rod of as many nodes
  auto longer = three.p;
  longer.length *= 2;
  const auto rods = systems::rolling_rods(longer);
  std::get<0>(three.contacts)[1].second.average = contact::CurveMarker<double>(2, rods[0], 0.05).average;
  CHECK_THROWS_WITH(three.solve(),
                    ContainsSubstring(" 1: distance of nodes of a marker") && ContainsSubstring("body 2"));
}

}  // namespace statics_test
