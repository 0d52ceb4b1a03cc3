// The equations of statics of an assembly: what is held and where it goes, what nothing holds, and what does
// not fit.

#include <dalembert/statics/statics.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/rod/stiffness.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace static_system_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Joint = SphericalJoint<double>;
using Marker = FrameMarker<double>;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;

Rod rod_of(const rod::Boundary<double>& start, double gravity = 0) {
  Rod::Parameters p;
  p.start = start;
  p.loads.gravity = {0, 0, -gravity};
  return test::soft_rod<Rod>(0.02, 8, p);
}

/// Along x from somewhere on.
rod::Chain<double> along_x(const Rod& rod, double y) {
  return rod.straight({0, y, 0}, SO3<double>::exp(V(0, M_PI / 2, 0)));
}

/// Up and round with the time.
rod::EndMotion<double> lifted(double t) {
  rod::EndMotion<double> m;
  const SO3<double> q = SO3<double>::exp(V(0, 0, 2 * t)) * SO3<double>::exp(V(0, M_PI / 2, 0));
  m.position = {0.1 * t, 0, 0.5 * t};
  m.quaternion = {q.w(), q.v()[0], q.v()[1], q.v()[2]};
  return m;
}

TEST_CASE("in statics a prescribed end goes where it is at the time of the path, and all with it",
          "[assembly][statics]") {
  const Rod led = rod_of(rod::Boundary<double>::prescribed(lifted)),
            free = rod_of(rod::Boundary<double>::free());
  auto bodies = assembly::bodies(std::vector{led, free});
  auto joints =
      assembly::constraints(std::vector<Joint>{{{0, 8}, {1, 0}}, {{1, 8}, Marker::in_space({2, 0, 0})}});
  assembly::State<double> x;
  x.chains = {along_x(led, 0), along_x(free, 0)};
  for (Eigen::Index k = 0; k <= 8; ++k) x[1].configuration(k, 0) += 1;
  const auto from = x;
  // the other rod bends where its end stays; alone, the first one goes as a rigid body
  const auto path = [](double factor, auto&, auto&, assembly::State<double>& moved) {
    moved.time = 0.5 * factor;
  };
  static_equilibrium(bodies, joints, x, path);
  const V end = lifted(0.5).position;
  CHECK((x[0].position(0) - end).norm() < 1e-15);
  CHECK((x[0].position(8) - x[1].position(0)).norm() < 1e-12);
  CHECK((x[1].position(8) - V(2, 0, 0)).norm() < 1e-12);

  auto alone = assembly::bodies(std::vector{led});
  auto none = assembly::constraints(std::vector<Joint>{});
  assembly::State<double> y;
  y.chains = {from[0]};
  const auto found = static_equilibrium(alone, none, y, path);
  CHECK(found.energy < 1e-12);
  for (Eigen::Index k = 0; k <= 8; ++k) {
    CAPTURE(k);
    CHECK((y[0].position(k) - (end + SO3<double>::exp(V(0, 0, 1)).act(from[0].position(k)))).norm() < 1e-9);
  }
}

/// What is held by nothing, as the message says it.
template <class P>
std::string freedoms(const P& problem, const std::vector<rod::Chain<double>>& chains) {
  auto x = problem.state(chains);
  try {
    static_equilibrium(problem, x);
  } catch (const NoConvergence& e) {
    const std::string text = e.what();
    const auto from = text.find("; body"), to = text.rfind(" at t = ");
    return from == std::string::npos ? "" : text.substr(from, to - from);
  }
  return "an equilibrium";
}

TEST_CASE("what is held in one degree alone, or by what is held, is not said to be held by nothing",
          "[assembly][statics]") {
  const auto free = rod_of(rod::Boundary<double>::free(), 1),
             clamped = rod_of(rod::Boundary<double>::clamped(), 1);
  std::array<bool, 6> height{};
  height[2] = true;
  const auto on_a_rail = rod_of(rod::Boundary<double>::degrees(height), 1);
  const auto chain = [](double y) { return along_x(rod_of(rod::Boundary<double>::free()), y); };
  // held, joined to that, free, joined to that, on a rail, joined to space
  const std::vector rods{clamped, free, free, free, on_a_rail, free};
  const std::vector<rod::Chain<double>> chains{chain(0), chain(0), chain(2), chain(2), chain(4), chain(5)};
  const Assembly problem{assembly::bodies(rods),
                         assembly::constraints(std::vector<Joint>{
                             {{1, 0}, {0, 0}}, {{3, 0}, {2, 0}}, {{5, 0}, Marker::in_space({0, 5, 0})}})};
  CHECK(freedoms(problem, chains) == "; body 2 is held by nothing; body 3 is held by nothing");
  const Assembly alone{assembly::bodies(std::vector{clamped, free})};
  CHECK(freedoms(alone, {chain(0), chain(1)}) == "; body 1 is held by nothing");
}

TEST_CASE("statics refuse positions that are no numbers, chains of other rods and what is joined to nothing",
          "[assembly][statics]") {
  auto bodies = assembly::bodies(std::vector(2, rod_of(rod::Boundary<double>::clamped())));
  const Rod& rod = std::get<0>(bodies)[0];
  auto joints = assembly::constraints(std::vector<Joint>{{{0, 8}, {1, 8}}});
  assembly::State<double> x;
  x.chains = {along_x(rod, 0), along_x(rod, 0)};
  const auto stay = [](double, auto&, auto&, auto&) {};
  const auto solve = [&](assembly::State<double> at) { return static_equilibrium(bodies, joints, at, stay); };
  CHECK_NOTHROW(solve(x));
  auto wrong = x;
  wrong[1].configuration(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(solve(wrong), ContainsSubstring("statics") && ContainsSubstring("chain 1") &&
                                      ContainsSubstring("not finite"));
  wrong = x;
  wrong.chains[1] = test::soft_rod<Rod>(0.02, 7).straight({0, 0, 0}, SO3<double>::identity());
  CHECK_THROWS_WITH(solve(wrong), ContainsSubstring("nodes of chain 1 = 8"));
  wrong = x;
  wrong.chains.pop_back();
  CHECK_THROWS_WITH(solve(wrong), ContainsSubstring("chain = 1"));
  wrong.chains.clear();
  CHECK_THROWS_WITH(solve(wrong), ContainsSubstring("chain = 0"));
  std::get<0>(joints)[0].b.body = 2;
  CHECK_THROWS_WITH(solve(x), ContainsSubstring("SphericalJoint 0: body of a marker = 2"));
}

}  // namespace static_system_test
