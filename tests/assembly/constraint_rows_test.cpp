#include <dalembert/assembly/constraint_rows.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/links.hpp"

namespace constraint_rows_test {

using namespace dalembert;
using assembly::Chain;
using assembly::ConstraintTraits;
using assembly::State;
using assembly::detail::PlacedConstraint;
using assembly::detail::RowMembers;
using V3 = Vec<double, 3>;

/// Two nodes of one body and a node of another one that move at random.
State<double> random_state(test::Draw& draw) {
  State<double> x;
  x.time = 0.7;
  for (const Eigen::Index nodes : {2, 1}) {
    Chain<double> chain(nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const auto turn = draw.rotation();
      const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
      chain.set_frame(k, turn, place);
      chain.set_velocity(k, velocity, spin);
    }
    x.chains.push_back(chain);
  }
  return x;
}
/// The state a little later, where nodes keep ṙ and the spatial angular velocity.
State<double> later(const State<double>& x, double h) {
  State<double> y = x;
  y.time += h;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k) {
      const V3 w = x[b].rotation(k).act(x[b].angular_velocity(k));
      const SO3<double> turned = SO3<double>::exp(V3(h * w)) * x[b].rotation(k);
      y[b].set_frame(k, turned, x[b].position(k) + h * x[b].linear_velocity(k));
      y[b].set_velocity(k, x[b].linear_velocity(k), turned.inverse().act(w));
    }
  return y;
}
template <class C>
C between(test::Draw& draw) {
  C c;
  c.first = {0, 1, draw.vector(), draw.rotation()};
  c.second = {1, 0, draw.vector(), draw.rotation()};
  return c;
}
/// A v + b from the rows that were found.
template <class C, int R = ConstraintTraits<C>::rows>
Vec<double, R> said(const PlacedConstraint<C>& placed, const State<double>& x, bool reaction = false) {
  Vec<double, R> sum;
  for (int r = 0; r < R; ++r) sum[r] = reaction ? 0 : placed.evaluation.known[r];
  placed.view().each_node(placed.weights.data(), x.chains,
                          [&](const auto& w, Eigen::Index k, const double* own, const double* pulls) {
                            for (int i = 0; i < 6 * R; ++i)
                              sum[i / 6] += (reaction ? pulls : own)[i] * x[w.body].velocity(k, i % 6);
                          });
  return sum;
}
/// What functions of a constraint say of a state.
template <class C, class F>
auto direct(const PlacedConstraint<C>& placed, const F& f) {
  const auto seen = placed.evaluator.now(placed.evaluation.points);
  return f(seen[0], seen[1]);
}
template <class C>
PlacedConstraint<C> placed_in(const C& c, const State<double>& x) {
  PlacedConstraint<C> placed(c, x, 0);
  assembly::detail::find_velocities(placed.evaluator, x, placed.evaluation, placed.weights.data());
  return placed;
}

static_assert(RowMembers<test::Leash>::rows() == 1 && RowMembers<test::Leash>::positions() == 1);
static_assert(RowMembers<test::Blades>::rows() == 2 && RowMembers<test::Blades>::positions() == 0);
static_assert(RowMembers<test::Ways>::rows() == 2 && !RowMembers<test::Ways>::stacks);
static_assert(RowMembers<test::Stacked>::rows() == 2 && RowMembers<test::Stacked>::stacks);
static_assert(RowMembers<test::Slanted>::reaction && !RowMembers<test::Blades>::reaction);
static_assert(RowMembers<test::Numbered>::coefficients && !RowMembers<test::Numbered>::drift);

constexpr double h = 1e-5;

/// What a row keeps at zero, and its rate by differences while nodes keep their velocities.
template <class C>
double position(const C& c, const State<double>& x) {
  return placed_in(c, x).evaluation.error[0];
}
template <class C>
double rate(const C& c, const State<double>& x) {
  return (position(c, later(x, h)) - position(c, later(x, -h))) / (2 * h);
}

TEST_CASE("rows of a position are its rate, with the part of the time", "[assembly][constraint_rows]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 10; ++round) {
    const State<double> x = random_state(draw);
    const auto leash = between<test::Leash>(draw);
    const auto placed = placed_in(leash, x);
    const double wanted =
        direct(placed, [&](const auto& a, const auto& b) { return leash.position_constraint(a, b, x.time); });
    CHECK(placed.evaluation.error[0] == Approx(wanted));
    CHECK(said(placed, x)[0] == Approx(rate(leash, x)).margin(1e-8));
    CHECK(placed.evaluation.known[0] ==
          Approx(-0.4 * x.time + 0.5 * direct(placed, [](const auto& a, const auto& b) {
                                   return b.position[2] - a.position[2];
                                 })));
    CHECK(placed.evaluation.along(0, 0) == 1);
  }
}

template <class C>
void check_rows() {
  test::Draw draw(test::seed());
  for (int round = 0; round < 10; ++round) {
    const State<double> x = random_state(draw);
    const C c = between<C>(draw);
    const auto placed = placed_in(c, x);
    const auto rows = said(placed, x);
    const auto wanted = direct(placed, [&](const auto& a, const auto& b) {
      return Vec<double, Eigen::Dynamic>(assembly::detail::as_rows(c.velocity_constraint(a, b, x.time)));
    });
    CAPTURE(C::name, round);
    REQUIRE(rows.size() == wanted.size());
    for (Eigen::Index r = 0; r < wanted.size(); ++r) CHECK(rows[r] == Approx(wanted[r]).margin(1e-13));
  }
}

TEST_CASE("velocity rows are what the constraint says of what is seen, or says in numbers",
          "[assembly][constraint_rows]") {
  check_rows<test::Blades>();
  check_rows<test::Ways>();
  check_rows<test::Numbered>();
}

TEST_CASE("velocity rows come after the rate of a position where no way along is said",
          "[assembly][constraint_rows]") {
  test::Draw draw(test::seed());
  const State<double> x = random_state(draw);
  const auto c = between<test::Stacked>(draw);
  const auto placed = placed_in(c, x);
  const auto rows = said(placed, x);
  CHECK(rows[0] == Approx(rate(c, x)).margin(1e-8));
  CHECK(rows[1] == Approx(direct(placed, [&](const auto& a, const auto& b) {
          return c.velocity_constraint(a, b, x.time);
        })));
  CHECK(placed.evaluation.along(0, 0) == 1);
  CHECK(placed.evaluation.along(0, 1) == 0);
}

TEST_CASE("the rate of a position is the part of the rows that the constraint says",
          "[assembly][constraint_rows]") {
  test::Draw draw(test::seed());
  const State<double> x = random_state(draw);
  const auto c = between<test::Ways>(draw);
  const auto placed = placed_in(c, x);
  const auto rows = said(placed, x);
  const auto& along = placed.evaluation.along;
  CHECK(along(0, 0) * rows[0] + along(0, 1) * rows[1] == Approx(rate(c, x)).margin(1e-8));
}

TEST_CASE("reactions are along the rows that the constraint says, or along the rows that it holds",
          "[assembly][constraint_rows]") {
  test::Draw draw(test::seed());
  const State<double> x = random_state(draw);
  const auto c = between<test::Slanted>(draw);
  const auto placed = placed_in(c, x);
  const auto wanted = direct(placed, [&](const auto& a, const auto& b) { return c.reaction(a, b, x.time); });
  const auto found = said(placed, x, true), own = said(placed, x);
  const auto held =
      direct(placed, [&](const auto& a, const auto& b) { return c.velocity_constraint(a, b, x.time); });
  for (int r = 0; r < 2; ++r) {
    CHECK(found[r] == Approx(wanted[r]));
    CHECK(own[r] == Approx(held[r]));
  }
  const auto blades = placed_in(between<test::Blades>(draw), x);
  const auto same = said(blades, x, true), rows = said(blades, x);
  for (int r = 0; r < 2; ++r) CHECK(same[r] == Approx(rows[r] - blades.evaluation.known[r]));
}

template <class C>
void check_drift() {
  test::Draw draw(test::seed());
  for (int round = 0; round < 10; ++round) {
    const State<double> x = random_state(draw);
    const C c = between<C>(draw);
    auto placed = placed_in(c, x);
    placed.evaluator.find_drift(placed.evaluation, x);
    const auto after = said(placed_in(c, later(x, h)), later(x, h)),
               before = said(placed_in(c, later(x, -h)), later(x, -h));
    CAPTURE(C::name, round);
    for (Eigen::Index r = 0; r < after.size(); ++r)
      CHECK(placed.evaluation.drift[r] ==
            Approx((after[r] - before[r]) / (2 * h)).epsilon(1e-7).margin(1e-7));
  }
}

TEST_CASE("the drift of rows is their rate while nodes keep their velocities",
          "[assembly][constraint_rows]") {
  check_drift<test::Leash>();
  check_drift<test::Drifting>();
  check_drift<test::Blades>();
  check_drift<test::Ways>();
  check_drift<test::Stacked>();
  check_drift<test::Numbered>();
}

}  // namespace constraint_rows_test
