// Clusters in which many joints share one body, or some rows react along others: the forces of a dense solve,
// and what is conserved.

#include <dalembert/clusters/detail/cluster_hubs.hpp>

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dense_residual.hpp"
#include "support/rail.hpp"
#include "support/random_cluster.hpp"
#include "support/rods.hpp"

namespace cluster_hubs_test {

using namespace dalembert;
using namespace dalembert::assembly;
using test::Rail;

/// Bodies with centres at given places, tied by joints at points in space.
template <class S>
struct Scene {
  using Body = RigidBody<S>;
  using Ball = SphericalJoint<S>;
  using Problem = Assembly<Kinds<Body>, Kinds<Ball, Hinge<S>, Rail<S>>>;
  using V = Vec<S, 3>;

  S length = 1, mass = 1;
  V gravity = V(S(0.1), S(0.2), S(-9.8));
  std::vector<Body> bodies;
  std::vector<V> places;
  std::vector<Ball> balls;
  std::vector<Hinge<S>> hinges;
  std::vector<Rail<S>> rails;
  test::Random random{test::seed()};

  std::size_t body(double x, double y, double z, double weight = 1) {
    const S m = mass * S(weight), j = m * length * length;
    V pull;
    for (int i = 0; i < 3; ++i) pull[i] = length * gravity[i];
    bodies.push_back(Body({.mass = m, .inertia = {S(0.02) * j, S(0.03) * j, S(0.04) * j}, .gravity = pull}));
    places.push_back(at(x, y, z));
    return bodies.size() - 1;
  }
  V at(double x, double y, double z) const { return V(length * S(x), length * S(y), length * S(z)); }
  FrameMarker<S> marker(std::size_t b, const V& point) const { return {b, 0, point - places[b]}; }
  void ball(std::size_t a, std::size_t b, const V& point) {
    balls.push_back({marker(a, point), marker(b, point)});
  }
  void ball_to_space(std::size_t a, const V& point) {
    balls.push_back({marker(a, point), FrameMarker<S>::in_space(point)});
  }
  void hinge(std::size_t a, std::size_t b, const V& point) {
    hinges.push_back(Hinge<S>{marker(a, point), marker(b, point)});
  }
  Problem problem() const {
    return Problem{assembly::bodies(bodies), assembly::constraints(balls, hinges, rails)};
  }
  /// Closed, with velocities that the constraints allow.
  typename Problem::State start(const Problem& of) {
    std::vector<Chain<S>> chains;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      auto chain = bodies[i].at(places[i]);
      const Vec<S, 3> spin = random.vector<S>();
      chain.set_velocity(0, length * random.vector<S>(), spin);
      chains.push_back(chain);
    }
    auto x = of.state(std::move(chains));
    CHECK(of.project(x).converged);
    return x;
  }
  /// So many pendulums at places of a body, on the side of x > 0, as heavy as told.
  void hang(std::size_t hub, int n, double weight = 1) {
    for (int i = 0; i < n; ++i) {
      const double u = 0.7 * i, v = 0.3 + 0.01 * i;
      const V p = places[hub] + at(v * std::cos(u), v * std::sin(u), 0.1 * std::cos(3 * u));
      const V q = p + at(0.2, 0.1 * std::sin(i), -0.5);
      const std::size_t b = body(0, 0, 0, weight);
      places[b] = q;
      ball(hub, b, p);
    }
  }
};

/// Accelerations, and multipliers where no row follows from others, are those of a dense solve.
template <class S>
void check_dense(Scene<S>& scene, double tolerance, int redundant = 0) {
  const auto problem = scene.problem();
  const auto x = scene.start(problem);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == redundant);
  CHECK(problem.row_count() > 60);
  if constexpr (std::is_same_v<S, double>) {
    if (redundant > 0) return;
    const Eigen::VectorXd wanted = test::dense_rates(problem, x);
    Eigen::Index at = 0;
    for (int turn = 0; turn < 2; ++turn) {  // linear and angular accelerations, each beside their own size
      S worst(0), size(0);
      for (std::size_t b = 0; b < x.chains.size(); ++b)
        for (int i = 3 * turn; i < 3 * turn + 3; ++i) {
          const double one = wanted[static_cast<Eigen::Index>(6 * b) + i];
          worst = std::max(worst, std::abs(r.xidot[b](0, i) - one));
          size = std::max(size, std::abs(one));
        }
      CAPTURE(turn, size);
      CHECK(worst < tolerance * size);
    }
    at = static_cast<Eigen::Index>(6 * x.chains.size());
    const auto mu = wanted.tail(wanted.size() - at);
    CHECK((r.lambda - mu).cwiseAbs().maxCoeff() < tolerance * mu.cwiseAbs().maxCoeff());
  }
}
/// The same of the rows alone: accelerations keep them, whatever the bodies weigh.
template <class S>
void check_rows(Scene<S>& scene, double tolerance, int redundant = 0) {
  const auto problem = scene.problem();
  const auto x = scene.start(problem);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == redundant);
  typename Scene<S>::Problem::Residual left = problem.make_residual();
  problem.residual(x, r, left);
  const Eigen::Index rows = problem.row_count();
  CHECK(left.tail(rows).cwiseAbs().maxCoeff() < S(tolerance) * S(10) * scene.length);
  S force(0), most = r.lambda.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < left.size() - rows; ++i) force = std::max(force, std::abs(left[i]));
  CHECK(force < S(tolerance) * most * std::max(S(1), scene.length));
}

TEST_CASE("many pendulums on one body have the accelerations and multipliers of a dense solve",
          "[clusters][hubs]") {
  for (const double weight : {1e-3, 1.0, 1e2}) {
    CAPTURE(weight);
    Scene<double> free;
    free.hang(free.body(0, 0, 0, 5), 25, weight);
    check_dense(free, 1e-12);
    Scene<double> held;
    const std::size_t hub = held.body(0, 0, 0, 5);
    held.ball_to_space(hub, held.at(0.1, 0.2, 0.3));
    held.hang(hub, 25, weight);
    check_dense(held, 1e-12);
  }
}

TEST_CASE("chains and hinges on a body that others share have the forces of a dense solve",
          "[clusters][hubs]") {
  Scene<double> s;
  const std::size_t hub = s.body(0, 0, 0, 4), other = s.body(3, 0, 0, 2);
  s.hang(hub, 16);
  s.hang(other, 16);
  s.ball(hub, other, s.at(1.5, 0.2, 0));
  std::size_t above = other;
  for (int i = 0; i < 6; ++i) {
    const std::size_t next = s.body(4 + i, 1, 0.1 * i);
    s.hinge(above, next, s.at(3.5 + i, 0.7, 0));
    above = next;
  }
  s.ball_to_space(above, s.at(10, 1, 0));
  const std::size_t foot = s.body(0, 0, -1);
  s.hinge(hub, foot, s.at(0, 0, -0.5));
  s.hinges.push_back({s.marker(foot, s.at(0, 0, -1.5)), FrameMarker<double>::in_space(s.at(0, 0, -1.5))});
  check_dense(s, 1e-12);
}

TEST_CASE("one row that reacts along others in a large cluster has the forces of a dense solve",
          "[clusters][hubs]") {
  for (const int n : {0, 25}) {
    CAPTURE(n);
    Scene<double> s;
    const std::size_t hub = s.body(0, 0, 0, 5);
    s.hang(hub, n);
    std::size_t above = hub;
    for (int i = 0; i < 25; ++i) {
      const std::size_t next = s.body(0.2 * i, 1 + i, 0);
      s.ball(above, next, s.at(0.2 * i, 0.5 + i, 0.1));
      above = next;
    }
    for (const std::size_t b : {hub, above})
      s.rails.emplace_back(b, Vec<double, 3>(0, 0.6, 0.8), Vec<double, 3>(0.28, 0, 0.96));
    check_dense(s, 1e-12);
    // where rows follow from others besides, all is dense
    s.ball(hub, hub + 1, s.balls[0].a.offset + s.places[s.balls[0].a.body]);
    if (n > 0) check_rows(s, 1e-9, 3);
  }
}

TEST_CASE("twins of joints on a shared body bear half of what one alone bears", "[clusters][hubs]") {
  for (const int twins : {1, 3}) {
    Scene<double> one;
    const std::size_t hub = one.body(0, 0, 0, 5);
    one.ball_to_space(hub, one.at(0.1, 0.2, 0.3));
    one.hang(hub, 40);
    Scene<double> two = one;
    for (int i = 0; i < twins; ++i) two.balls.push_back(two.balls[static_cast<std::size_t>(1 + 7 * i)]);
    two.balls.push_back(two.balls[0]);
    const auto p = one.problem(), q = two.problem();
    const auto x = one.start(p);
    auto a = p.make_rates(), b = q.make_rates();
    p.rates(x, a);
    q.rates(x, b);
    CHECK(a.report.redundant_rows == 0);
    CHECK(b.report.redundant_rows == 3 * (twins + 1));
    for (std::size_t i = 0; i < x.chains.size(); ++i)
      CHECK((a.xidot[i] - b.xidot[i]).abs().maxCoeff() < 1e-11 * (1 + a.xidot[i].abs().maxCoeff()));
    const double most = a.lambda.cwiseAbs().maxCoeff();
    const Eigen::Index twin = 3 * 41;
    for (int i = 0; i < 3 * twins; ++i) {
      const Eigen::Index first = 3 + 21 * (i / 3) + i % 3;
      CHECK(std::abs(b.lambda[first] - a.lambda[first] / 2) < 1e-11 * most);
      CHECK(std::abs(b.lambda[twin + i] - a.lambda[first] / 2) < 1e-11 * most);
    }
  }
}

template <class S>
void check_scales() {
  for (const double length : {1e-6, 1.0, 1e6})
    for (const double mass : {1e-6, 1.0, 1e6})
      for (const double weight : {1e-4, 1.0, 1e4, 1e7}) {
        if (weight > 1e4 && sizeof(S) < sizeof(double)) continue;
        CAPTURE(sizeof(S), length, mass, weight);
        Scene<S> s;
        s.length = S(length);
        s.mass = S(mass);
        const std::size_t hub = s.body(0, 0, 0, 2);
        s.ball_to_space(hub, s.at(0.125, 0.25, 0.5));
        s.hang(hub, 25, weight);
        check_rows(s, 4096 * static_cast<double>(std::numeric_limits<S>::epsilon()));
      }
}

TEST_CASE("rows on a shared body are kept in any units, whatever the bodies weigh", "[clusters][hubs]") {
  check_scales<double>();
  check_scales<float>();
}

TEST_CASE("many pendulums on a free body keep momentum and energy", "[clusters][hubs]") {
  Scene<double> s;
  s.gravity.setZero();
  s.hang(s.body(0, 0, 0, 50), 300);
  const auto problem = s.problem();
  auto x = s.start(problem);
  const auto momenta = [&] {
    Vec<double, 6> sum = Vec<double, 6>::Zero();
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      const auto& b = s.bodies[i].parameters();
      const Vec<double, 3> p = b.mass * x[i].linear_velocity(0);
      Vec<double, 3> l;
      for (int k = 0; k < 3; ++k) l[k] = b.inertia[k] * x[i].angular_velocity(0)[k];
      sum.head(3) += p;
      sum.tail(3) += x[i].rotation(0).act(l) + x[i].position(0).cross(p);
    }
    return sum;
  };
  const Vec<double, 6> before = momenta();
  auto stepper = Verlet{}.stepper(problem, x);
  const double energy = problem.energy(x);
  for (int i = 0; i < 20; ++i) CHECK(stepper.step(problem, x, 1e-3).converged);
  const Vec<double, 6> change = momenta() - before;
  CHECK(change.head(3).norm() < 1e-13 * before.norm());
  CHECK(change.tail(3).norm() < 1e-8 * before.norm());  // steps keep that of turning to second order
  CHECK(std::abs(problem.energy(x) - energy) < 1e-4 * energy);
  CHECK(problem.constraint(x).position < 1e-13);
  CHECK(test::allocations_during([&] { (void)stepper.step(problem, x, 1e-3); }) == 0);
}

TEST_CASE("sizes of rows bound the diagonal of their system, and not by far", "[clusters]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 100; ++round) {
    const int held = round % 4;  // axes of each node
    CAPTURE(round, held);
    test::cluster::Cluster cluster(static_cast<unsigned>(draw.below(1000000)));
    for (int i = 0; i < 3; ++i) cluster.body(draw.power(-6, 6), 4, held);
    for (const int rows : {1, 4, 6}) {
      test::cluster::Cluster::Member& m = cluster.add(rows, {0, 1, 2});
      cluster.spread(m, 1, 1, 3);
      if (rows == 4) {  // what moves or turns nodes alone has a size as well
        m.own.row(2).setZero();
        m.own.row(3).setZero();
        m.own(2, 1) = m.own(3, 10) = 1;
      }
      m.reaction = m.own;
    }
    test::cluster::Blocks blocks;
    const auto views = cluster.views(blocks);
    const test::cluster::Matrix g = cluster.dense({.along = Along::rows});
    const assembly::detail::Nodes<double> nodes{cluster.chains, cluster.lines, cluster.inertia,
                                                cluster.weights.data()};
    for (const auto& view : views) {
      double sizes[assembly::most_rows];
      assembly::detail::find_sizes(view, view.own, nodes, sizes);
      for (int r = 0; r < view.rows; ++r) {
        const double diagonal = g(view.row + r, view.row + r);
        CAPTURE(view.rows, r);
        CHECK(sizes[r] >= diagonal * (1 - 1e-14));
        // moments of inertia differ by up to 1.9
        if (held == 0) CHECK(sizes[r] <= 5 * diagonal);
      }
    }
  }
}

}  // namespace cluster_hubs_test
