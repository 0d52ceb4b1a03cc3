// Clusters in which many joints share one body, or some rows react along others: the forces of a dense solve,
// and what is conserved.

#include <dalembert/assembly/detail/cluster_hubs.hpp>

#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dense_residual.hpp"
#include "support/rods.hpp"

namespace cluster_hubs_test {

using namespace dalembert;
using namespace dalembert::assembly;

/// The middle of a body does not move along `held`; the force is along `pulls`.
template <class S>
struct Rail {
  using Scalar = S;
  static constexpr std::string_view name = "Rail";
  FrameMarker<S> middle;
  Vec<S, 3> held, pulls;

  auto markers() const { return std::tuple{middle}; }
  template <class T>
  static Vec<T, 1> part(const FrameState<T>& a, const Vec<S, 3>& way) {
    return Vec<T, 1>(way[0] * a.velocity[0] + way[1] * a.velocity[1] + way[2] * a.velocity[2]);
  }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& a, const T&) const {
    return part(a, held);
  }
  template <class T>
  Vec<T, 1> reaction(const FrameState<T>& a, const T&) const {
    return part(a, pulls);
  }
};

/// Bodies with centres at given places, tied by joints at points in space.
template <class S>
struct Scene {
  using Body = RigidBody<S>;
  using Ball = SphericalJoint<S>;
  using Problem = Assembly<Kinds<Body>, Kinds<Ball, Hinge<S>, Weld<S>, Rail<S>>>;
  using V = Vec<S, 3>;

  S length = 1, mass = 1;
  V gravity = V(S(0.1), S(0.2), S(-9.8));
  std::vector<Body> bodies;
  std::vector<V> places;
  std::vector<Ball> balls;
  std::vector<Hinge<S>> hinges;
  std::vector<Weld<S>> welds;
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
  void weld(std::size_t a, std::size_t b, const V& point) {
    welds.push_back(Weld<S>{marker(a, point), marker(b, point)});
  }
  Problem problem() const {
    return Problem{assembly::bodies(bodies), assembly::constraints(balls, hinges, welds, rails)};
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

TEST_CASE("many pendulums on one body have the forces of a dense solve", "[assembly][hubs]") {
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

}  // namespace cluster_hubs_test
