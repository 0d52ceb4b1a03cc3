#include <dalembert/assembly/part.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/clusters/clusters.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace assembly_parts_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Joint = SphericalJoint<double>;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Pendulums = Assembly<Kinds<Body>, Kinds<Joint>>;

TEST_CASE("islands are the bodies that constraints join, and parts are filled in the order of the bodies",
          "[assembly]") {
  assembly::detail::Islands islands({300, 10, 200, 13, 600, 1});
  islands.join(4, 0);
  islands.join(3, 1);
  const auto [part, count] = islands.parts();
  CHECK(count == 2);
  CHECK(part == std::vector{0, 1, 1, 1, 0, 1});

  assembly::detail::Parts<2> parts;
  parts.divide({4, 2}, part, count);
  const auto numbers = [&](std::size_t kind, std::size_t p) {
    const auto members = parts.members(kind, p);
    return std::vector<std::size_t>(members.begin(), members.end());
  };
  CHECK(numbers(0, 0) == std::vector<std::size_t>{0});
  CHECK(numbers(0, 1) == std::vector<std::size_t>{1, 2, 3});
  CHECK(numbers(1, 0) == std::vector<std::size_t>{0});
  CHECK(numbers(1, 1) == std::vector<std::size_t>{1});
  CHECK(parts.size(0) == 2);
  CHECK(parts.size(1) == 4);
}

TEST_CASE("clusters are those of the nodes that constraints touch now, not of those before", "[assembly]") {
  assembly::detail::Clusters clusters;
  clusters.make_room(3);
  assembly::detail::Clusters::Owners owners{std::vector(8, -1), std::vector(4, -1)};
  // a constraint touches two nodes of the first body
  const auto members = [&](const std::vector<std::size_t>& first) {
    clusters.find(owners, [&](const auto& touch) {
      for (std::size_t i = 0; i < 3; ++i) touch(i, std::size_t(0), first[i], std::size_t(2));
    });
    std::vector<std::vector<std::size_t>> all(clusters.count());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = clusters.begin(i); j < clusters.begin(i + 1); ++j)
        all[i].push_back(clusters.member(j));
    for (const auto& body : owners)
      for (const int owner : body) CHECK(owner == -1);
    std::sort(all.begin(), all.end());
    return all;
  };
  using Members = std::vector<std::vector<std::size_t>>;
  REQUIRE(members({0, 1, 2}) == Members{{0, 1, 2}});
  REQUIRE(members({0, 5, 1}) == Members{{0, 2}, {1}});
  REQUIRE(members({2, 4, 6}) == Members{{0}, {1}, {2}});
  REQUIRE(members({2, 3, 6}) == Members{{0, 1}, {2}});
}

/// Double pendulums: the upper bodies of all come first, then the lower ones.
struct Scene {
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<rod::Chain<double>> chains;

  explicit Scene(const std::vector<double>& speeds) {
    const std::size_t n = speeds.size();
    const Body upper{{.mass = 1, .inertia = {0.2, 0.2, 0.1}, .gravity = {0, 0, -9.81}}};
    const Body lower{{.mass = 0.5, .inertia = {0.1, 0.15, 0.2}, .gravity = {0, 0, -9.81}}};
    for (std::size_t i = 0; i < 2 * n; ++i) {
      bodies.push_back(i < n ? upper : lower);
      chains.push_back(bodies[i].at({0, 0, i < n ? -0.5 : -1.5}));
      chains[i].set_velocity(0, {0, 0, 0}, {speeds[i % n], 0.3, 0.1 * speeds[i % n]});
    }
    for (std::size_t i = 0; i < n; ++i)
      joints.push_back({{i, 0, {0, 0, -0.5}}, {n + (i + 1) % n, 0, {0, 0, 0.5}}});  // of the next pendulum
    for (std::size_t i = 0; i < n; ++i)
      joints.push_back({{i, 0, {0, 0, 0.5}}, FrameMarker<double>::in_space({0, 0, 0})});
  }
  Pendulums problem() const { return Pendulums(assembly::bodies(bodies), assembly::constraints(joints)); }
};

TEST_CASE("bodies that do not act on each other move as each does alone, bit for bit", "[assembly]") {
  std::vector<double> speeds;
  for (int i = 0; i < 700; ++i) speeds.push_back(2 + std::sin(0.01 * i));
  const Scene scene(speeds);
  const Pendulums all = scene.problem();
  CHECK(all.parts() == 3);
  auto x = all.state(scene.chains);
  const auto moved = all.project(x);
  auto stepper = Verlet{}.stepper(all, x);
  auto rates = all.make_rates();
  for (int i = 0; i < 5; ++i) REQUIRE(stepper.step(all, x, 1e-3).converged);
  CHECK(stepper.loads().report.clusters == 700);
  all.rates(x, rates);
  CHECK(rates.report.clusters == 700);
  CHECK(rates.report.redundant_rows == 0);
  CHECK(all.constraint(x).position < 1e-14);
  CHECK(all.constraint(x).velocity < 1e-14);

  double square = 0;
  for (const std::size_t i : {0u, 1u, 255u, 256u, 400u, 699u}) {
    CAPTURE(i);
    const std::size_t below = (i + 1) % 700;
    Scene one({speeds[i]});
    one.chains[1] = scene.chains[700 + below];
    const Pendulums alone = one.problem();
    CHECK(alone.parts() == 1);
    CHECK(alone.part(0).nodes() == 2);
    auto y = alone.state(one.chains);
    square += std::pow(alone.project(y).moved, 2);
    auto own = Verlet{}.stepper(alone, y);
    for (int k = 0; k < 5; ++k) REQUIRE(own.step(alone, y, 1e-3).converged);
    CHECK((x[i].velocity == y[0].velocity).topRows(1).all());
    CHECK((x[700 + below].velocity == y[1].velocity).topRows(1).all());
    CHECK((x[700 + below].configuration == y[1].configuration).topRows(1).all());
    auto alone_rates = alone.make_rates();
    alone.rates(y, alone_rates);
    CHECK((rates.xidot[i] == alone_rates.xidot[0]).topRows(1).all());
    const auto row = static_cast<Eigen::Index>(all.first_row<0>(i));
    CHECK((rates.lambda.segment<3>(row).array() == alone_rates.lambda.head<3>().array()).all());
  }
  CHECK(moved.moved > std::sqrt(square));
}

TEST_CASE("what is asked of a whole assembly is done by each of its parts", "[assembly]") {
  const Scene scene(std::vector<double>(700, 2.0));
  const Pendulums all = scene.problem();
  REQUIRE(all.parts() > 1);
  auto x = all.state(scene.chains);
  auto loads = all.make_loads();
  all.locate(x, loads);
  all.loads(x, loads);
  all.kick(x, loads, 0.01);
  for (std::size_t i = 0; i < scene.chains.size(); ++i) {
    const Vec3 fallen = x[i].linear_velocity(0) - scene.chains[i].linear_velocity(0);
    CHECK((fallen - Vec3(0, 0, -0.0981)).norm() < 1e-15);
  }
}

TEST_CASE("a step of the whole assembly is that of its parts", "[assembly]") {
  const Scene scene(std::vector<double>(700, 2.0));
  const Pendulums all = scene.problem();
  REQUIRE(all.parts() > 1);
  auto x = all.state(scene.chains);
  all.project(x);
  const double h = 1e-3;
  auto by_parts = x;
  auto stepper = Verlet{}.stepper(all, by_parts);
  REQUIRE(stepper.step(all, by_parts, h).converged);
  auto loads = all.make_loads();
  all.locate(x, loads);
  all.loads(x, loads);
  all.add_constraint_forces(x, loads);
  auto next = x;
  all.kick_drift(x, loads, h / 2, h, next);
  CHECK(next.time == by_parts.time);
  CHECK(all.constraint(next).position > 1e-12);
  const auto moved = all.project_position(next, h, loads);
  CHECK(moved.converged);
  CHECK(moved.moved > 0);
  CHECK(all.constraint(next).position < 1e-14);
  all.loads(next, loads);
  all.kick(next, loads, h / 2);
  CHECK(all.finish_step(next, loads).converged);
  CHECK(loads.report.clusters == 700);
  for (std::size_t i = 0; i < next.chains.size(); ++i) {
    CHECK((next[i].configuration - by_parts[i].configuration).topRows(1).abs().maxCoeff() < 1e-15);
    CHECK((next[i].velocity - by_parts[i].velocity).topRows(1).abs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("constraints that are solved alone carry no room for the system of a cluster", "[assembly]") {
  const Body body{{.mass = 1, .inertia = {0.2, 0.2, 0.1}, .gravity = {0, 0, -9.81}}};
  std::vector<Joint> joints;
  std::vector<Chain<double>> chains;
  for (std::size_t i = 0; i < 20; ++i) {
    chains.push_back(body.at({static_cast<double>(i), 0, 0}));
    joints.push_back(
        {{i, 0, {0.5, 0, 0}}, FrameMarker<double>::in_space({static_cast<double>(i) + 0.5, 0, 0})});
  }
  joints.back().b = {18, 0, {1.5, 0, 0}};  // the last hangs from the one before it
  const Pendulums problem(assembly::bodies(std::vector<Body>(20, body)), assembly::constraints(joints));
  auto x = problem.state(chains);
  auto stepper = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 3; ++i) REQUIRE(stepper.step(problem, x, 1e-3).converged);
  CHECK(stepper.loads().report.clusters == 19);
  std::size_t systems = 0;
  for (const auto& part : stepper.loads().work.parts) systems += part.systems.size();
  CHECK(systems == 1);
}

TEST_CASE("the inverse of a joint's own system closes it, with an error of second order", "[assembly]") {
  const Body body{{.mass = 2, .inertia = {0.2, 0.3, 0.1}}};
  const Joint joint{{0, 0, {0.3, -0.2, 0.5}}, FrameMarker<double>::in_space({0.1, 0.2, 0.3})};
  const SO3<double> turn = SO3<double>::exp(Vec3(0.4, -0.7, 0.2));
  const double open = 1e-6;
  State<double> x;
  x.chains = {body.at(Vec3(0.1, 0.2, 0.3) - turn.act(Vec3(0.3, -0.2, 0.5)) + open * Vec3(1, 2, -1), turn)};
  assembly::detail::PlacedConstraint<Joint> at(joint, x, 0);
  Inertias<double> inertias;
  inertias.add(body);
  const assembly::detail::Nodes<double> nodes{x.chains, x.lines, inertias, at.weights.data()};
  using Products = assembly::detail::Products<Joint>;
  dalembert::linalg::SmallInverse<double, 3> inverse;
  REQUIRE(Products::invert_positions(at.evaluation, nodes, inverse));
  REQUIRE(at.evaluation.error.norm() > open);
  const Vec3 push = inverse.negative_times(at.evaluation.error);
  Products::displace_all(at.evaluation, push, Along::reactions, 0, nodes, x);
  at.place(x, 0);
  CHECK(at.evaluation.error.norm() < 100 * open * open);
}

/// A body that is held, and of whose two positions the second repeats the first.
struct Repeated {
  using Scalar = double;
  static constexpr std::string_view name = "Repeated";
  FrameMarker<double> place;

  auto markers() const { return std::tie(place); }
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& x, const T&) const {
    return x.velocity;
  }
  template <class T>
  Vec<T, 2> position_constraint(const FrameState<T>& x, const T&) const {
    return {x.position[0], x.position[0]};
  }
  Eigen::Matrix<double, 2, 3> along(const FrameState<double>&) const {
    Eigen::Matrix<double, 2, 3> rows;
    rows << 1, 0, 0, 1, 0, 0;
    return rows;
  }
};

TEST_CASE("positions that repeat each other are closed although rows are not dependent", "[assembly]") {
  const Body body{{.mass = 2, .inertia = {0.2, 0.3, 0.1}}};
  const Assembly problem{assembly::bodies(std::vector{body}),
                         assembly::constraints(std::vector{Repeated{{0, 0, {0, 0, 0.3}}}})};
  auto x = problem.state({body.at({0.01, 0.5, -0.2}, SO3<double>::exp(Vec3(0.1, 0.2, 0.3)))});
  REQUIRE(problem.constraint(x).position > 1e-3);
  problem.project(x);
  CHECK(problem.constraint(x).position < 1e-15);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == 0);
}

TEST_CASE("bodies of one inertia share it, and no others do", "[assembly]") {
  const Body light{{.mass = 1, .inertia = {0.2, 0.2, 0.1}}}, heavy{{.mass = 2, .inertia = {0.2, 0.2, 0.1}}};
  Inertias<double> all;
  for (const Body& body : {light, heavy, light, heavy}) all.add(body);
  CHECK(&all[0] == &all[2]);
  CHECK(&all[1] == &all[3]);
  CHECK(all[0].inverse(0, 0) == 1);
  CHECK(all[1].inverse(0, 0) == 0.5);
  Rod::Parameters p;
  all.add(test::soft_rod<Rod>(0.01, 8, p));
  p.damping.rate = 2;
  all.add(test::soft_rod<Rod>(0.01, 8, p));
  p.finish = rod::Boundary<double>::clamped();
  all.add(test::soft_rod<Rod>(0.01, 8, p));
  all.add(test::soft_rod<Rod>(0.01, 8, p));
  CHECK(all[4].damping == 0);
  CHECK(all[5].damping == 2);
  CHECK(all[5].inverse(8, 0) > 0);
  CHECK(all[6].inverse(8, 0) == 0);
  CHECK(&all[6] == &all[7]);
}

}  // namespace assembly_parts_test
