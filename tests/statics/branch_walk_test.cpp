#include <dalembert/statics/detail/branch_walk.hpp>

#include <cmath>
#include <vector>

#include <dalembert/statics/continuation.hpp>

#include "support/catch.hpp"
#include "support/point_nodes.hpp"

namespace branch_walk_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using test::PointNodes;
using V3 = Vec<double, 3>;
using Options = ContinuationOptions<double>;
using System = assembly::detail::StaticSystem<Kinds<PointNodes>, Kinds<>>;
using Walk = assembly::detail::BranchWalk<double, Options>;

/// A point under forces that depend on a parameter p, and walks along its branches.
struct Scene {
  double p = 0;
  std::vector<PointNodes> bodies{PointNodes{}};
  State<double> x;

  /// The x is held back by f(x) = p, or with `fork` by x = p, and then y by y³ − p y.
  explicit Scene(bool fork) {
    bodies[0].force = [this, fork](Eigen::Index, const V3& r) {
      if (fork) return V3(p - r[0], p * r[1] - r[1] * r[1] * r[1], -r[2]);
      return V3(p - r[0] * r[0] * r[0] + r[0], -r[1], -r[2]);
    };
    bodies[0].stiffness = [this, fork](Eigen::Index, const V3& r) {
      Mat<double, 3> k = Mat<double, 3>::Identity();
      if (fork)
        k(1, 1) = 3 * r[1] * r[1] - p;
      else
        k(0, 0) = 3 * r[0] * r[0] - 1;
      return k;
    };
    x.chains.emplace_back(1);
  }
  template <class F>
  Branch<double> walk(const F& go, const Options& options, const Walk::Stop& stop = {}) {
    System system(std::tie(bodies), Kinds<>{}, x);
    const assembly::detail::PutLoads<double> put = [this](double to) { p = to; };
    Walk of(system, x, put, options, stop);
    return go(of);
  }
  Branch<double> from(double start, const V3& place, const Options& options, const Walk::Stop& stop = {}) {
    x[0].set_frame(0, SO3<double>::identity(), place);
    return walk([&](Walk& w) { return w.from(start); }, options, stop);
  }
};

V3 place(const BranchPoint<double>& point) { return point.state[0].position(0); }

TEST_CASE("a branch passes limit points, where its load has an extremum, up to its bounds", "[statics]") {
  for (const int way : {1, -1}) {
    Scene scene(false);
    // from x = ∓1.5 to ±1.5 by way of p = x³ − x, whose extrema are at x = ∓1/√3
    const double start = -way * (1.5 * 1.5 * 1.5 - 1.5);
    const Options options{
        .first_step = way * 0.05, .largest_step = 0.1, .least = -1.9, .most = 1.9, .points = 500};
    const auto branch = scene.from(start, V3(-1.5 * way, 0, 0), options);
    std::vector<double> limits;
    double before = -INFINITY, arc = -INFINITY;
    for (const auto& point : branch.points) {
      const double u = way * place(point)[0];
      CHECK(way * point.parameter == Approx(u * u * u - u).margin(1e-9));
      CHECK(u >= before);
      CHECK(point.arc >= arc);
      before = u;
      arc = point.arc;
      if (point.kind == BranchEvent::limit_point) {
        limits.push_back(u);
      } else if (std::abs(std::abs(u) - 1 / std::sqrt(3.0)) > 1e-6) {
        CHECK(point.unstable == (3 * u * u < 1 ? 1 : 0));
      }
    }
    REQUIRE(limits.size() == 2);
    CHECK(limits[0] == Approx(-1 / std::sqrt(3.0)).epsilon(1e-6));
    CHECK(limits[1] == Approx(1 / std::sqrt(3.0)).epsilon(1e-6));
    CHECK(way * branch.points.back().parameter == 1.9);
    CHECK(branch.iterations > 0);
    CHECK(scene.p == branch.points.back().parameter);
  }
}

TEST_CASE("a bifurcation is located with its mode, and the other branch goes through it on either side",
          "[statics]") {
  Scene scene(true);
  const Options options{.first_step = 0.1, .largest_step = 0.2, .least = -2, .most = 2};
  const auto branch = scene.from(-1, V3(-1, 0, 0), options);
  std::vector<BranchPoint<double>> forks;
  for (const auto& point : branch.points) {
    CHECK((place(point) - V3(point.parameter, 0, 0)).norm() < 1e-9);
    if (point.kind == BranchEvent::bifurcation)
      forks.push_back(point);
    else
      CHECK(point.unstable == (point.parameter > 0 ? 1 : 0));
  }
  REQUIRE(forks.size() == 1);
  CHECK(std::abs(forks[0].parameter) < 1e-6);
  CHECK(std::abs(forks[0].mode[1]) > 1e3 * std::abs(forks[0].mode[0]));
  CHECK(branch.points.back().parameter == 2);
  for (const int side : {1, -1}) {
    const auto other = scene.walk([&](Walk& w) { return w.through(forks[0], side); }, options);
    CHECK(other.points.front().kind == BranchEvent::bifurcation);
    CHECK(other.points.back().parameter == 2);
    for (std::size_t i = 1; i < other.points.size(); ++i) {
      const V3 r = place(other.points[i]);
      CHECK(r[1] * r[1] == Approx(other.points[i].parameter).epsilon(1e-8).margin(1e-9));
      CHECK(r[1] * side * forks[0].mode[1] > 0);
      CHECK(other.points[i].unstable == 0);
    }
  }
}

TEST_CASE("a branch ends where it is told to, or after so many steps", "[statics]") {
  Scene scene(false);
  Options options{.first_step = 0.05, .largest_step = 0.1, .points = 7};
  const auto few = scene.from(-1.875, V3(-1.5, 0, 0), options);
  CHECK(few.points.size() == 8);
  options.points = 500;
  const auto stopped =
      scene.from(-1.875, V3(-1.5, 0, 0), options, [](const auto& point) { return place(point)[0] > -1.2; });
  CHECK(place(stopped.points.back())[0] > -1.2);
  CHECK(place(stopped.points[stopped.points.size() - 2])[0] <= -1.2);
  CHECK((scene.x[0].position(0) - place(stopped.points.back())).norm() == 0);
}

TEST_CASE("a branch that ends in nothing is lost, with its points so far", "[statics]") {
  Scene scene(false);
  const auto force = scene.bodies[0].force;
  scene.bodies[0].force = [force](Eigen::Index k, const V3& r) {
    return r[0] > -1.2 ? V3(NAN, 0, 0) : force(k, r);
  };
  const Options options{.first_step = 0.05, .largest_step = 0.1};
  try {
    (void)scene.from(-1.875, V3(-1.5, 0, 0), options);
    FAIL("it was not lost");
  } catch (const BranchLost<double>& lost) {
    CHECK_THAT(lost.what(), ContainsSubstring("BranchLost") && ContainsSubstring("not finite"));
    REQUIRE(lost.branch().points.size() > 2);
    CHECK(place(lost.branch().points.back())[0] == Approx(-1.2).margin(1e-4));
    CHECK((scene.x[0].position(0) - place(lost.branch().points.back())).norm() == 0);
  }
}

}  // namespace branch_walk_test
