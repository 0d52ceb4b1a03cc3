// Bodies and constraints as values and vectors, and the handles of bodies.

#include <dalembert/assembly/bodies.hpp>

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/handle.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace bodies_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Vec3 = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Joint = SphericalJoint<double>;

Body ball(double mass) { return Body{{.mass = mass, .inertia = {1, 1, 1}}}; }
Rod rod_of(int elements) { return test::soft_rod<Rod>(0.02, elements, {}); }

static_assert(std::is_trivially_copyable_v<Handle<Body>>);

TEST_CASE("bodies are put into one list for each type, and handles follow them", "[assembly]") {
  const auto all = bodies(ball(1), rod_of(4), std::vector{ball(2), ball(3)}, rod_of(6), ball(4));
  const auto [first, r, two, s, last] = all.handles();
  CHECK(std::get<0>(all).size() == 4);
  CHECK(std::get<1>(all).size() == 2);
  CHECK(first.number == 0);
  REQUIRE(two.size() == 2);
  CHECK(two[0].number == 1);
  CHECK(two[1].number == 2);
  CHECK(last.number == 3);
  CHECK(r.number == 4);
  CHECK(s.number == 5);
  CHECK(s.nodes == 7);
  CHECK(all[two[1]].parameters().mass == 3);
  CHECK(all[last].parameters().mass == 4);
  CHECK(all[r].nodes() == 5);
}

TEST_CASE("a string starts as its line says, told by its handle", "[assembly]") {
  const auto all =
      bodies(ball(1), strings::GridString<double>({.points = 4, .ends = strings::Ends::periodic}));
  const auto [b, cord] = all.handles();
  const Assembly problem{all};
  const Line<double> line{Vec<double, 4>(0.1, -0.2, 0.3, 0.4), Vec<double, 4>(4, 5, -6, 7)};
  const auto state = problem.state({{cord, line}, {b, all[b].at({1, 2, 3})}});
  CHECK(state[cord].displacement == line.displacement);
  CHECK(state[cord].velocity == line.velocity);
  CHECK(state[b].position(0) == Vec3(1, 2, 3));
}

/// A ball hangs from the tip of a rod: where that is once they are put together.
template <class All, class R, class B>
Vec3 tip_of(const All& all, const R& r, const B& b, std::initializer_list<Start<double>> others) {
  const Assembly problem{all, constraints(Joint{tip(r), frame(b, {0, 0, 0.3})})};
  std::vector<Start<double>> starts(others);
  auto state =
      others.size() == 0
          ? problem.state({{b, all[b].at({0, 0, 1.8})}, {r, all[r].straight({0, 0, 1})}})
          : problem.state(
                {{b, all[b].at({0, 0, 1.8})}, starts[0], {r, all[r].straight({0, 0, 1})}, starts[1]});
  problem.project(state);
  CHECK((state[r].tip().position - state[b].node(0).position - Vec3(0, 0, 0.3)).norm() < 1e-9);
  return state[r].tip().position;
}

TEST_CASE("a body that is put in before others changes nothing of what handles mean", "[assembly]") {
  const auto two = bodies(rod_of(4), ball(1));
  const auto [r, b] = two.handles();
  const auto four = bodies(ball(7), rod_of(9), rod_of(4), ball(1));
  const auto [other, longer, s, c] = four.handles();
  CHECK(c.number == b.number);
  CHECK(s.number != r.number);
  const Vec3 alone = tip_of(two, r, b, {});
  const Vec3 crowded =
      tip_of(four, s, c, {{other, ball(7).at({5, 0, 0})}, {longer, rod_of(9).straight({9, 0, 0})}});
  CHECK((alone - crowded).norm() < 1e-14);
}

TEST_CASE("a body without a start is missed by number", "[assembly]") {
  const auto all = bodies(ball(1), ball(2));
  const auto [a, b] = all.handles();
  const Assembly problem{all};
  CHECK_THROWS_WITH(problem.state({{a, ball(1).at({0, 0, 0})}}),
                    ContainsSubstring("body without a start = 1"));
  const auto state = problem.state({{b, ball(2).at({2, 0, 0})}, {a, ball(1).at({1, 0, 0})}});
  CHECK(state[a].node(0).position[0] == 1);
  CHECK(state[b].node(0).position[0] == 2);
}

TEST_CASE("an assembly of one body takes it as it is", "[assembly]") {
  const Assembly problem{ball(2)};
  static_assert(std::is_same_v<decltype(problem), const Assembly<Kinds<Body>>>);
  const Assembly held{ball(2), constraints(Joint{{0}, FrameMarker<double>::in_space({0, 0, 0})})};
  CHECK(held.row_count() == 3);
  const Assembly several{std::vector(3, ball(2))};
  CHECK(several.bodies<0>().size() == 3);
}

TEST_CASE("constraints of one type come one after the other", "[assembly]") {
  const auto all = constraints(Joint{{0}, {1}}, Weld<double>{{1}, {2}}, std::vector(2, Joint{{2}, {3}}));
  static_assert(std::is_same_v<decltype(all), const Kinds<Joint, Weld<double>>>);
  CHECK(std::get<0>(all).size() == 3);
  CHECK(std::get<0>(all)[1].a.body == 2);
  CHECK(std::get<1>(all).size() == 1);
}

TEST_CASE("a handle of other bodies is refused wherever it comes", "[assembly]") {
  const auto all = bodies(ball(1), ball(2)), others = bodies(ball(1), ball(2));
  const auto [a, b] = all.handles();
  const auto [c, d] = others.handles();
  CHECK_THROWS_AS(all[c], std::invalid_argument);
  const Assembly problem{all};
  auto state = problem.state({all[a].at({0, 0, 0}), all[b].at({1, 0, 0})});
  CHECK(state[b].node(0).position[0] == 1);
  CHECK_THROWS_WITH(state[d], ContainsSubstring("handle = 1"));
  CHECK_THROWS_WITH((problem.state({{a, ball(1).at({0, 0, 0})}, {d, ball(2).at({1, 0, 0})}})),
                    ContainsSubstring("handle = 1"));
  // a state that was put together by hand is of no set that is known
  assembly::State<double> by_hand{0, state.chains, {}};
  CHECK(by_hand[b].node(0).position[0] == 1);
  const Handle<Body> beyond{2, 1, 0};
  CHECK_THROWS_WITH(by_hand[beyond], ContainsSubstring("handle = 2"));
  CHECK_THROWS_WITH((Assembly{all, constraints(Joint{frame(a), frame(d)})}),
                    ContainsSubstring("SphericalJoint 0: handle of a marker = 1"));
  const auto rods = bodies(rod_of(40), rod_of(40)), foreign = bodies(rod_of(40), rod_of(40));
  const auto [r, s] = rods.handles();
  const auto [x, y] = foreign.handles();
  using Contact = contact::RollingContact<double>;
  CHECK_NOTHROW(Assembly{rods, constraints(Contact{{r, rods[r], 0.1}, {s, rods[s], 0.1}, 0.01, 0.01})});
  CHECK_THROWS_WITH(
      (Assembly{rods, constraints(Contact{{r, rods[r], 0.1}, {y, foreign[y], 0.1}, 0.01, 0.01})}),
      ContainsSubstring("handle of a marker"));
}

TEST_CASE("a handle of a string gives its line", "[assembly]") {
  const strings::GridString<double> string({.points = 8});
  const auto all = bodies(ball(1), string);
  const auto [b, s] = all.handles();
  static_assert(Handle<strings::GridString<double>>::on_line && !Handle<Body>::on_line);
  const Assembly problem{all};
  auto state = problem.state({0, {ball(1).at({0, 0, 0}), {}}, {}, {{}, string.line({})}});
  CHECK(state[s].displacement.size() == 9);
  CHECK(state[b].nodes == 1);
}

TEST_CASE("rates of a body are found by its handle", "[assembly]") {
  const strings::GridString<double> string({.points = 8});
  const auto all = bodies(ball(1), rod_of(4), string);
  const auto [b, r, s] = all.handles();
  const Assembly problem{all};
  auto rates = problem.make_rates();
  CHECK(&rates.xidot[b] == &rates.xidot.chains[b.number]);
  CHECK(&rates.xidot[r] == &rates.xidot.chains[r.number]);
  CHECK(&rates.xidot[s] == &rates.xidot.lines[s.number]);
  const auto& seen = rates;
  CHECK(&seen.xidot[r] == &seen.xidot[r.number]);
  const Assembly alone{bodies(ball(1))};
  const auto few = alone.make_rates();
  CHECK_THROWS_AS(few.xidot[r], std::invalid_argument);
  CHECK_THROWS_AS(few.xidot[s], std::invalid_argument);
}

}  // namespace bodies_test
