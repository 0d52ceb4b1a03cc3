// Rows node by node, beside the same rows on averages.

#include <dalembert/assembly/node_rows.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/crossing_by_nodes.hpp"
#include "support/dense_residual.hpp"
#include "support/rods.hpp"

namespace node_rows_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using V = Vec<double, 3>;
using Triple = assembly::NodeRows<double, 3, 2>::Triple;
using test::CrossingByNodes;
using State = assembly::State<double>;

/// Rods that slip on each other as a belt between them would have it: the rows alone, on averages and node by node.
struct Belt {
  using Scalar = double;
  static constexpr std::string_view name = "Belt";

  RollingContact plain;
  V speed{0.3, -0.2, 0.5};

  [[nodiscard]] auto markers() const { return plain.markers(); }
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity_constraint(const assembly::FrameState<T>& a,
                                              const assembly::FrameState<T>& b, const T& t) const {
    return plain.velocity_constraint(a, b, t) + (T(1) + t * t) * speed.cast<T>();
  }
  template <class T>
  [[nodiscard]] auto tangency(const assembly::FrameState<T>& a, const assembly::FrameState<T>& b) const {
    return plain.tangency(a, b);
  }
};
struct BeltByNodes {
  using Scalar = double;
  using Sight = CrossingByNodes::Sight;
  static constexpr std::string_view name = "BeltByNodes";
  static constexpr int node_rows = 3;

  CrossingByNodes plain;
  V speed = Belt{plain.plain}.speed;

  [[nodiscard]] auto markers() const { return plain.markers(); }
  void find_rows(const Sight& at, assembly::NodeRows<double, 3, 2>& rows) const {
    plain.find_rows(at, rows);
    rows.known = (1 + at.time * at.time) * speed;
  }
  [[nodiscard]] V acceleration_bias(const Sight& at, const Vec<double, 2>& rate) const {
    return plain.acceleration_bias(at, rate) + 2 * at.time * speed;
  }
  [[nodiscard]] auto tangency(const Sight& at) const { return plain.tangency(at); }
  [[nodiscard]] auto tangency_rate(const Sight& at) const { return plain.tangency_rate(at); }
};

/// A node held at a point in space, by nodes: no place moves along a rod.
struct PinByNodes {
  using Scalar = double;
  using Sight = assembly::NodeSight<double, 2>;
  static constexpr std::string_view name = "PinByNodes";
  static constexpr int node_rows = 3;

  assembly::SphericalJoint<double> plain;

  [[nodiscard]] auto markers() const { return plain.markers(); }
  [[nodiscard]] V arm(const Sight& at) const { return std::get<0>(plain.markers()).arm(at.points[0]); }
  void find_rows(const Sight& at, assembly::NodeRows<double, 3, 2>& rows) const {
    for (int r = 0; r < 3; ++r)
      rows.set(0, 0, r, Triple(V(V::Unit(r))), Triple(V(arm(at).cross(V::Unit(r)))));
    rows.known = V::Zero();
  }
  [[nodiscard]] V acceleration_bias(const Sight& at, const Vec<double, 0>&) const {
    const V& w = at.points[0].W;
    return w.cross(V(w.cross(arm(at))));
  }
  template <class T>
  [[nodiscard]] auto position_constraint(const assembly::FrameState<T>& a, const assembly::FrameState<T>& b,
                                         const T& t) const {
    return plain.position_constraint(a, b, t);
  }
  [[nodiscard]] Mat<double, 3> along(const assembly::FrameState<double>&,
                                     const assembly::FrameState<double>&) const {
    return Mat<double, 3>::Identity();
  }
};
static_assert(assembly::ConstraintTraits<PinByNodes>::positions == 3);

/// A rod that two others cross near to each other, one from above and one from below, deformed and moving; it is held at its start.
struct Scene {
  Rod rod = [] {
    Rod::Parameters p;
    p.damping.rate = 0.4;
    p.start = rod::Boundary<double>::clamped();
    return test::soft_rod<Rod>(0.005, 20, p);
  }();
  std::vector<rod::Chain<double>> chains;
  Vec<double, Eigen::Dynamic> s{4};

  Scene() {
    const auto along_x = SO3<double>::exp(V(0, M_PI / 2, 0)), along_y = SO3<double>::exp(V(-M_PI / 2, 0, 0));
    chains.push_back(rod.straight({-0.5, 0, 0}, along_x));
    chains.push_back(rod.straight({0.01, -0.5, 0.01}, along_y));
    chains.push_back(rod.straight({0.05, -0.5, -0.01}, along_y));
    std::mt19937 engine{test::seed()};
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto vector = [&](double size) { return V(size * V(draw(engine), draw(engine), draw(engine))); };
    for (auto& chain : chains)
      for (Eigen::Index k = 0; k < chain.nodes; ++k) {
        rod::move_node(chain, k, vector(5e-4), vector(0.05));
        chain.set_velocity(k, vector(1), vector(1));
      }
    s << 0.51, 0.5, 0.55, 0.5;
  }
  [[nodiscard]] RollingContact crossing(std::size_t i, std::size_t j) const {
    return {{i, rod, 0.05}, {j, rod, 0.05}, 0.005, 0.008, true};
  }
  template <class... Lists>
  [[nodiscard]] auto problem(Lists... constraints) const {
    return assembly::Assembly{assembly::bodies(std::vector{rod, rod, rod}),
                              assembly::constraints(constraints...)};
  }
};

double apart(const State& x, const State& y) {
  double most = x.z.size() > 0 ? (x.z - y.z).lpNorm<Eigen::Infinity>() : 0.0;
  for (std::size_t i = 0; i < x.chains.size(); ++i) {
    const auto n = x[i].nodes;
    most = std::max({most, (x[i].configuration - y[i].configuration).topRows(n).abs().maxCoeff(),
                     (x[i].velocity - y[i].velocity).topRows(n).abs().maxCoeff()});
  }
  return most;
}

/// Two problems that are the same do the same.
template <class P, class Q>
void check_same(const P& p, const Q& q, const State& start) {
  State x = p.state(start.chains, start.z, start.time), y = q.state(start.chains, start.z, start.time);
  CHECK(apart(x, y) < 1e-15);
  CHECK((p.row_velocities(x) - q.row_velocities(x)).norm() < 1e-14 * p.row_velocities(x).norm());
  CHECK(q.row_errors(x) == p.row_errors(x));
  auto of_x = p.make_rates();
  auto of_y = q.make_rates();
  const auto check_rates = [&] {
    p.rates(x, of_x);
    q.rates(y, of_y);
    CHECK(of_x.report.clusters == of_y.report.clusters);
    CHECK(of_x.lambda.norm() > 0.1);
    CHECK((of_x.lambda - of_y.lambda).norm() < 1e-11 * of_x.lambda.norm());
    CHECK((of_x.zdot - of_y.zdot).norm() <= 1e-12 * of_x.zdot.norm());
    for (std::size_t i = 0; i < x.chains.size(); ++i)
      CHECK((of_x.xidot[i] - of_y.xidot[i]).abs().maxCoeff() < 1e-11 * of_x.xidot[i].abs().maxCoeff());
    const auto power = p.power(x, of_x), other = q.power(y, of_y);
    CHECK(std::abs(other.constraint - power.constraint) < 1e-10 * of_x.lambda.norm());
    CHECK(std::abs(other.load - power.load) < 1e-10 * of_x.lambda.norm());
  };
  check_rates();

  const auto moved_x = p.project(x), moved_y = q.project(y);
  CHECK(apart(x, y) < 1e-12);
  CHECK(moved_x.moved > 1e-3);
  CHECK(moved_y.moved == Approx(moved_x.moved).epsilon(1e-10));
  CHECK(q.constraint(y).position < 1e-15);
  CHECK(q.constraint(y).velocity < 1e-13);
  check_rates();

  const State before = x;
  auto step_x = Verlet{}.stepper(p, x);
  auto step_y = Verlet{}.stepper(q, y);
  for (int i = 0; i < 20; ++i) {
    (void)step_x.step(p, x, 2e-5);
    (void)step_y.step(q, y, 2e-5);
  }
  CHECK(apart(x, before) > 1e-4);
  CHECK(apart(x, y) < 1e-10);
  CHECK(q.constraint(y).position < 1e-15);
  CHECK(q.constraint(y).velocity < 1e-13);
}

TEST_CASE("rows by nodes do what the same rows on averages do", "[assembly]") {
  const Scene scene;
  const RollingContact one = scene.crossing(0, 1);
  const auto averaged = scene.problem(std::vector{one});
  const auto by_nodes = scene.problem(std::vector{CrossingByNodes{one}});
  check_same(averaged, by_nodes, {0, scene.chains, scene.s.head(2)});
}

TEST_CASE("rows by nodes are driven as those on averages", "[assembly]") {
  const Scene scene;
  const RollingContact one = scene.crossing(0, 1);
  const auto averaged = scene.problem(std::vector{Belt{one}});
  const auto by_nodes = scene.problem(std::vector{BeltByNodes{{one}}});
  State start{0.7, scene.chains, scene.s.head(2)};
  check_same(averaged, by_nodes, start);
}

TEST_CASE("rows by nodes hold a node that no place moves along", "[assembly]") {
  const Scene scene;
  using Marker = assembly::FrameMarker<double>;
  const assembly::SphericalJoint<double> pin{{0, 7, {0.02, 0.03, -0.01}},
                                             Marker::in_space({-0.12, 0.05, 0.03})};
  const State start{0, scene.chains, {}};
  check_same(scene.problem(std::vector{pin}), scene.problem(std::vector{PinByNodes{pin}}), start);
}

TEST_CASE("how rows by nodes change does not depend on the unit of length", "[assembly]") {
  using Marker = assembly::FrameMarker<double>;
  const auto changes = [](double unit) {
    const PinByNodes pin{{{0, 0, unit * V(0.3, -0.2, 0.5)}, Marker::in_space(unit * V(0.1, 0.2, -0.1))}};
    State x;
    x.chains.emplace_back(1);
    x[0].set_frame(0, SO3<double>::exp(V(0.4, -0.6, 0.3)), unit * V(-0.2, 0.4, -0.5));
    const assembly::detail::PlacedConstraint<PinByNodes> placed(pin, x, 0);
    assembly::detail::NodeTangent<double> tangent;
    tangent.find(placed, x, 0, [](const auto&) { return V(0.4, -0.7, 0.2); });
    // forces, torques and positions by a displacement and a rotation
    Eigen::Matrix<double, 9, 6> all;
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 6; ++j)
        all(i, j) = tangent.view().change(i, j) * (j < 3 ? unit : 1) / (i < 3 ? 1 : unit);
    return all;
  };
  const auto expected = changes(1);
  CHECK(expected.norm() > 1);
  for (const double unit : {1e-9, 1e9}) CHECK((changes(unit) - expected).norm() < 1e-10);
}

TEST_CASE("rows by nodes and on averages that share nodes are solved together", "[assembly]") {
  const Scene scene;
  const RollingContact one = scene.crossing(0, 1), other = scene.crossing(0, 2);
  const auto averaged = scene.problem(std::vector{one, other});
  const State start{0, scene.chains, scene.s};
  check_same(averaged, scene.problem(std::vector{one}, std::vector{CrossingByNodes{other}}), start);
  check_same(averaged, scene.problem(std::vector{CrossingByNodes{one}, CrossingByNodes{other}}), start);
}

TEST_CASE("rows by nodes may act twice on the same nodes of one body", "[assembly]") {
  const Scene scene;
  const RollingContact one{{0, scene.rod, 0.05}, {0, scene.rod, 0.05}, 0.005, 0.005, true, true};
  test::Random random(test::seed());
  const auto chain =
      test::random_chain(scene.rod, Mat<double, 3>(Mat<double, 3>::Identity()), random, {.bend = 6});
  const auto rates = [&](const auto& constraint) {
    const assembly::Assembly problem{assembly::bodies(std::vector{scene.rod}),
                                     assembly::constraints(std::vector{constraint})};
    auto x = problem.state({chain}, Vec<double, 2>(0.43, 0.56));
    auto r = problem.make_rates();
    problem.rates(x, r);
    const Eigen::VectorXd dense = test::dense_rates(problem, x);
    CHECK((dense.tail<3>() - r.lambda).norm() < 1e-10 * r.lambda.norm());
    return std::pair{V(r.lambda), r.xidot[0]};
  };
  const auto [lambda, acceleration] = rates(one);
  const auto [other, by_nodes] = rates(CrossingByNodes{one});
  CHECK(lambda.norm() > 1e-3);
  CHECK((other - lambda).norm() < 1e-11 * lambda.norm());
  CHECK((by_nodes - acceleration).abs().maxCoeff() < 1e-11 * acceleration.abs().maxCoeff());
}

TEST_CASE("clusters of rows by nodes, on averages and of a joint have the forces of a dense solve",
          "[assembly]") {
  const Scene scene;
  const assembly::SphericalJoint<double> joint{{0, 11, {0.01, 0, 0.02}}, {1, 9, {0, 0.01, 0}}};
  const auto problem = scene.problem(std::vector{CrossingByNodes{scene.crossing(0, 1)}},
                                     std::vector{scene.crossing(0, 2)}, std::vector{joint});
  State x = problem.state(scene.chains, scene.s);
  auto solved = problem.make_rates();
  problem.rates(x, solved);
  CHECK(solved.report.clusters == 1);
  const Eigen::VectorXd dense = test::dense_rates(problem, x);
  const Eigen::Index rows = 9, n = dense.size();
  const double size = solved.lambda.lpNorm<Eigen::Infinity>();
  CHECK(size > 0.1);
  for (int i = 0; i < rows; ++i) CHECK(std::abs(dense[n - rows + i] - solved.lambda[i]) < 1e-11 * size);
}

}  // namespace node_rows_test
