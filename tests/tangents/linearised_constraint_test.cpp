#include <dalembert/tangents/linearised_constraint.hpp>

#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/drum.hpp"
#include "support/links.hpp"
#include "support/plain_matrix.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"

namespace linearised_constraint_test {

using namespace dalembert;
using assembly::Chain;
using assembly::ConstraintTraits;
using assembly::State;
using assembly::detail::LinearisedConstraint;
using assembly::detail::PlacedConstraint;
using Eigen::Index;
using test::PlainMatrix;
using V3 = Vec<double, 3>;
constexpr double h = 1e-5;

/// A constraint in a state, the unknowns of all nodes, and behind them its internal coordinates.
template <class C>
struct Scene {
  static constexpr int R = ConstraintTraits<C>::rows, P = ConstraintTraits<C>::positions,
                       Z = ConstraintTraits<C>::internal_count;
  C constraint;
  State<double> x;
  std::vector<Index> first{};
  int nodes = 0;

  Scene(const C& c, const State<double>& state) : constraint(c), x(state) {
    for (const auto& chain : x.chains) {
      first.push_back(nodes);
      nodes += 6 * static_cast<int>(chain.nodes);
    }
  }
  int unknowns() const { return nodes + Z; }
  LinearisedConstraint<C> linearised() const { return {constraint, x, 0, first, nodes}; }
  /// The state where unknown u grows by a step: nodes move in space, and turn about their own axes.
  State<double> moved(int u, double step) const {
    State<double> y = x;
    if (u >= nodes) {
      y.z[u - nodes] += step;
      return y;
    }
    std::size_t b = first.size() - 1;
    while (first[b] > u) --b;
    const Index k = (u - first[b]) / 6;
    const int i = static_cast<int>(u - first[b]) % 6;
    V3 by = V3::Zero();
    by[i % 3] = step;
    if (i < 3)
      y[b].set_frame(k, x[b].rotation(k), x[b].position(k) + by);
    else
      y[b].set_frame(k, x[b].rotation(k) * SO3<double>::exp(by), x[b].position(k));
    return y;
  }
  /// A_Vᵀλ in a state.
  PlainMatrix forces(const State<double>& at, const Vec<double, R>& lambda) const {
    PlainMatrix f(nodes);
    const PlacedConstraint<C> placed(constraint, at, 0);
    placed.view().each_node(
        placed.weights.data(), at.chains, [&](const auto& w, Index k, const double*, const double* pulls) {
          for (int i = 0; i < 6 * R; ++i)
            f(static_cast<int>(first[w.body] + 6 * k) + i % 6) += pulls[i] * lambda[i / 6];
        });
    return f;
  }
  /// The derivatives of f(state), a column, by all unknowns.
  template <class F>
  PlainMatrix slopes(const F& f) const {
    PlainMatrix all(f(x).rows, unknowns());
    for (int u = 0; u < unknowns(); ++u) {
      const PlainMatrix change = 1 / (2 * h) * (f(moved(u, h)) - f(moved(u, -h)));
      for (int r = 0; r < all.rows; ++r) all(r, u) = change(r);
    }
    return all;
  }
};

/// What is put entry by entry.
template <class Each>
PlainMatrix matrix(int rows, int columns, const Each& each) {
  PlainMatrix all(rows, columns);
  each([&](Index r, Index c, double x) { all(static_cast<int>(r), static_cast<int>(c)) += x; });
  return all;
}

template <class C>
void check_stiffness(const Scene<C>& scene, test::Draw& draw) {
  CAPTURE(C::name);
  auto at = scene.linearised();
  Vec<double, Scene<C>::R> lambda;
  for (int r = 0; r < Scene<C>::R; ++r) lambda[r] = draw.between(-1, 1);
  const auto stiffness = [&] {
    return matrix(scene.nodes, scene.unknowns(),
                  [&](const auto& put) { at.changes.each_geometric_stiffness(put); });
  };
  at.hold(lambda);
  PlainMatrix wanted = -1.0 * scene.slopes([&](const auto& y) { return scene.forces(y, lambda); });
  CHECK((stiffness() - wanted).norm() < 1e-7 * (1 + wanted.norm()));
  if constexpr (Scene<C>::P > 0) {
    Vec<double, Scene<C>::P> m;
    for (int p = 0; p < Scene<C>::P; ++p) m[p] = draw.between(-1, 1);
    at.hold_positions(m);
    for (int r = 0; r < Scene<C>::R; ++r) {
      double sum = 0;
      for (int p = 0; p < Scene<C>::P; ++p) sum += at.along(p, r) * m[p];
      CHECK(at.lambda[r] == sum);
    }
    const auto pulls = [&](const State<double>& y) {
      const PlacedConstraint<C> placed(scene.constraint, y, 0);
      return scene.forces(y, assembly::detail::reactions_of(placed.evaluation, m));
    };
    wanted = -1.0 * scene.slopes(pulls);
    CHECK((stiffness() - wanted).norm() < 1e-7 * (1 + wanted.norm()));
    const PlainMatrix slopes =
        matrix(Scene<C>::P, scene.unknowns(), [&](const auto& put) { at.changes.each_slope(put); });
    wanted = scene.slopes([&](const auto& y) {
      const PlacedConstraint<C> placed(scene.constraint, y, 0);
      PlainMatrix phi(Scene<C>::P);
      for (int p = 0; p < Scene<C>::P; ++p) phi(p) = placed.evaluation.error[p];
      return phi;
    });
    CHECK((slopes - wanted).norm() < 1e-7 * (1 + wanted.norm()));
  }
}

/// Two nodes of one body and one of another.
template <class C>
Scene<C> loose(test::Draw& draw) {
  State<double> x;
  x.time = 0.7;
  for (const Index nodes : {2, 1}) {
    Chain<double> chain(nodes);
    for (Index k = 0; k < nodes; ++k) {
      const auto turn = draw.rotation();
      chain.set_frame(k, turn, draw.vector());
    }
    x.chains.push_back(chain);
  }
  C c;
  c.first = {0, 1, draw.vector(), draw.rotation()};
  c.second = {1, 0, draw.vector(), draw.rotation()};
  return {c, x};
}

TEST_CASE("constraints on nodes pull as their geometric stiffness says, whatever form they have",
          "[tangents]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 3; ++round) {
    check_stiffness(loose<test::Leash>(draw), draw);
    check_stiffness(loose<test::Blades>(draw), draw);
    check_stiffness(loose<test::Stacked>(draw), draw);
    check_stiffness(loose<test::Slanted>(draw), draw);
  }
}

using Bead = contact::Bead<double>;

/// A bead on a bent rod, where it is nearest to what slides.
Scene<Bead> on_rod() {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 12);
  const Bead bead{{0, rod, 0.15}, {1, 0, {0.1, -0.2, 0.05}}};
  State<double> x;
  x.time = 0.3;
  x.chains = {test::random_chain(rod, test::rotation_matrix<double>(random.vector<double>()), random),
              Chain<double>(1)};
  x.z.resize(1);
  x.z[0] = 0.46;
  const PlacedConstraint<Bead> placed(bead, x, 0);
  const auto turn = SO3<double>::exp(V3(0.3, -0.8, 0.5));
  x[1].set_frame(0, turn, placed.evaluation.points[0].R - turn.act(bead.marker.offset));
  x[1].set_velocity(0, {0.2, -0.3, 0.5}, {0.7, 0.1, -0.4});
  return {bead, x};
}

TEST_CASE("a bead on a rod pulls as its geometric stiffness says, with where it is", "[tangents]") {
  test::Draw draw(test::seed());
  const Scene<Bead> scene = on_rod();
  check_stiffness(scene, draw);
}

TEST_CASE("torques on a marker that is an average over nodes turn with each of them", "[tangents]") {
  test::Draw draw(test::seed());
  const Scene<Bead> bead = on_rod();
  check_stiffness(Scene<test::Drum<contact::CurveMarker<double>>>(
                      {bead.constraint.on_rod, bead.constraint.marker}, bead.x),
                  draw);
}

TEST_CASE("a marker that slides along an axis of a body turns with it about its node", "[tangents]") {
  test::Draw draw(test::seed());
  const Scene<Bead> bead = on_rod();
  using Axis = contact::AxisMarker<double>;
  Axis axis;
  axis.body = 1;
  axis.origin = {0.1, 0.2, -0.3};
  axis.length = 1;
  axis.axis = draw.direction();
  check_stiffness(Scene<test::Drum<Axis>>({axis, {0, 4, {0.1, 0, 0.2}}}, bead.x), draw);
}

TEST_CASE("the slopes of the tangency of a bead are those of nodes and of where it is", "[tangents]") {
  const Scene<Bead> scene = on_rod();
  auto at = scene.linearised();
  at.hold({0.3, -0.2});
  CHECK(std::abs(at.apart[0]) < 1e-14);
  const auto found = matrix(1, scene.unknowns(), [&](const auto& put) { at.changes.each_tangency(put); });
  const auto wanted = scene.slopes([&](const State<double>& y) {
    const PlacedConstraint<Bead> placed(scene.constraint, y, 0);
    PlainMatrix f(1);
    f(0) = placed.evaluator.tangency(placed.evaluation, y).first[0];
    return f;
  });
  CHECK((found - wanted).norm() < 1e-7 * wanted.norm());
}

TEST_CASE("where a bead follows the tangency, its stiffness is that of nodes that take it along",
          "[tangents]") {
  test::Draw draw(test::seed());
  const Scene<Bead> scene = on_rod();
  auto whole = scene.linearised(), on_windows = scene.linearised();
  const Vec<double, 2> m(0.7, -0.4);
  whole.hold_positions(m);
  on_windows.hold_positions_on_windows(m);
  const int n = scene.nodes;
  const auto all = [&](const auto& of, int rows, int columns) {
    return matrix(rows, columns, [&](const auto& put) { of.changes.each_geometric_stiffness(put); });
  };
  const auto k = all(whole, n, n + 1);
  const auto slope = matrix(1, n + 1, [&](const auto& put) { whole.changes.each_tangency(put); });
  // K_q − K_s F_q/F_s, among the nodes of the windows
  const auto& windows = whole.placed.evaluation.windows;
  std::vector<int> unknown;
  for (const auto& w : windows)
    for (Index i = 0; i < 6 * w.count; ++i)
      unknown.push_back(static_cast<int>(scene.first[w.body] + 6 * w.first + i));
  const int size = static_cast<int>(unknown.size());
  PlainMatrix wanted(size, size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int r = unknown[static_cast<std::size_t>(i)], c = unknown[static_cast<std::size_t>(j)];
      wanted(i, j) = k(r, c) - k(r, n) * slope(0, c) / slope(0, n);
    }
  const PlainMatrix found = all(on_windows, size, size);
  CHECK((found - wanted).norm() < 1e-12 * wanted.norm());
}

TEST_CASE("a bead that runs by its rate has the slopes of that rate by velocities", "[tangents]") {
  const Scene<Bead> bead = on_rod();
  Scene<test::Runner> scene({bead.constraint, 0.25}, bead.x);
  auto at = scene.linearised();
  at.hold({0.3, -0.2});
  const auto sliding = [&](const State<double>& y) {
    PlacedConstraint<test::Runner> placed(scene.constraint, y, 0);
    assembly::detail::find_velocities(placed.evaluator, y, placed.evaluation, placed.weights.data());
    return placed.evaluator.sliding(placed.evaluation, y)[0];
  };
  State<double> rest = scene.x;
  for (auto& chain : rest.chains) chain.velocity.setZero();
  CHECK(at.apart[0] == Approx(sliding(rest)));
  const auto found = matrix(1, scene.unknowns(), [&](const auto& put) { at.changes.each_tangency(put); });
  CHECK(found(0, scene.nodes) == 1);
  int u = 0;
  for (std::size_t b = 0; b < scene.x.chains.size(); ++b)
    for (Index k = 0; k < scene.x[b].nodes; ++k)
      for (int i = 0; i < 6; ++i, ++u) {
        State<double> one = rest;
        one[b].velocity(k, i) = 1;
        CHECK(std::abs(found(0, u) + sliding(one) - sliding(rest)) < 1e-12);
      }
}

TEST_CASE("a constraint tells its errors and its places, and sees another state where it is put there",
          "[tangents]") {
  test::Draw draw(test::seed());
  auto scene = loose<test::Leash>(draw);
  auto at = scene.linearised();
  const PlacedConstraint<test::Leash> placed(scene.constraint, scene.x, 0);
  CHECK(at.rows == 1);
  CHECK(at.positions == 1);
  CHECK(at.slides == 0);
  CHECK(at.error[0] == placed.evaluation.error[0]);
  CHECK(at.known[0] == placed.evaluation.known[0]);
  at.find_places();
  REQUIRE(at.places.size() == 2);
  for (const std::size_t i : {0U, 1U}) {
    const auto& marker = i == 0 ? scene.constraint.first : scene.constraint.second;
    CHECK((at.places[i].position - placed.evaluator.now(placed.evaluation.points)[i].position).norm() == 0);
    CHECK(at.places[i].arm == Approx(marker.offset.norm()));
    CHECK(at.places[i].slide == -1);
  }
  CHECK(at.error_sizes[0] >= std::abs(at.error[0]));
  const State<double> other = scene.moved(7, 0.5);
  at.place(other, 0);
  CHECK(at.placed.evaluation.error[0] ==
        PlacedConstraint<test::Leash>(scene.constraint, other, 0).evaluation.error[0]);
  const Scene<Bead> bead = on_rod();
  auto on = bead.linearised();
  on.find_places();
  CHECK(on.places[0].slide == 0);
  CHECK(on.places[1].slide == -1);
  CHECK(on.places[0].arm == 0);
  CHECK(on.places[0].reach > 0);
  CHECK(on.places[0].along.norm() == Approx(on.placed.evaluation.points[0].dR.norm()));
}

}  // namespace linearised_constraint_test
