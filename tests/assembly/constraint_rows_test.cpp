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

}  // namespace constraint_rows_test
