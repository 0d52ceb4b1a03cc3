#include <dalembert/tangents/detail/node_tangent.hpp>

#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/contact/axis_marker.hpp>

#include "support/catch.hpp"
#include "support/drum.hpp"
#include "support/links.hpp"
#include "support/plain_matrix.hpp"

namespace node_tangent_test {

using namespace dalembert;
using assembly::Chain;
using assembly::State;
using assembly::detail::NodeTangent;
using assembly::detail::PlacedConstraint;
using test::PlainMatrix;
using V3 = Vec<double, 3>;

/// Two nodes of one body and one of another, anywhere.
State<double> scene(test::Draw& draw, double unit = 1) {
  State<double> x;
  x.time = 0.7;
  const V3 origin = unit * draw.vector();
  for (const Eigen::Index nodes : {2, 1}) {
    Chain<double> chain(nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const auto turn = draw.rotation();
      chain.set_frame(k, turn, origin + unit * draw.vector());
    }
    x.chains.push_back(chain);
  }
  return x;
}
template <class C>
C on_ends(test::Draw& draw) {
  C c;
  c.first = {0, 1, draw.vector(), draw.rotation()};
  c.second = {1, 0, draw.vector(), draw.rotation()};
  return c;
}

/// g of the second node of the first body and of the node of the second, then F, then φ.
template <class C, class Multipliers>
PlainMatrix numbers(const C& c, const State<double>& x, const Multipliers& multipliers) {
  PlacedConstraint<C> placed(c, x, 0);
  const auto lambda = multipliers(placed.evaluation);
  const int slides = assembly::ConstraintTraits<C>::internal_count;
  PlainMatrix all(12 + slides + assembly::ConstraintTraits<C>::positions);
  placed.view().each_node(placed.weights.data(), x.chains,
                          [&](const auto& w, Eigen::Index k, const double*, const double* pulls) {
                            CHECK(k == (w.body == 0 ? 1 : 0));
                            for (int i = 0; i < 6 * static_cast<int>(lambda.size()); ++i)
                              all(6 * static_cast<int>(w.body) + i % 6) += pulls[i] * lambda[i / 6];
                          });
  if constexpr (slides > 0) all(12) = placed.evaluator.tangency(placed.evaluation, x).first[0];
  for (int i = 12 + slides; i < all.rows; ++i) all(i) = placed.evaluation.error[i - 12 - slides];
  return all;
}

/// The derivatives are those by displacements in space, turns about the axes of nodes, and slides.
template <class C, class Multipliers>
void check(const C& c, const State<double>& x, const Multipliers& multipliers) {
  CAPTURE(C::name);
  const PlacedConstraint<C> placed(c, x, 0);
  NodeTangent<double> tangent;
  tangent.find(placed, x, 0, multipliers);
  REQUIRE(tangent.nodes == std::vector<NodeTangent<double>::Node>{{0, 1}, {1, 0}});
  const auto view = tangent.view();
  constexpr double h = 1e-5;
  for (int v = 0; v < 12 + view.slides; ++v) {
    const auto moved = [&](double step) {
      State<double> y = x;
      V3 by = V3::Zero();
      by[v % 3] = step;
      const auto b = static_cast<std::size_t>(v / 6);
      const Eigen::Index k = v < 6 ? 1 : 0;
      if (v >= 12)
        y.z[v - 12] += step;
      else if (v % 6 < 3)
        y[b].set_frame(k, x[b].rotation(k), x[b].position(k) + by);
      else
        y[b].set_frame(k, x[b].rotation(k) * SO3<double>::exp(by), x[b].position(k));
      return numbers(c, y, multipliers);
    };
    const PlainMatrix slope = 1 / (2 * h) * (moved(h) - moved(-h));
    REQUIRE(view.rows() == slope.rows);
    for (int r = 0; r < slope.rows; ++r)
      CHECK(view.change(r, v) == Approx(slope(r)).epsilon(1e-7).margin(1e-7));
  }
}

TEST_CASE("what a constraint says changes with its nodes as differences say, whatever form it has",
          "[tangents]") {
  test::Draw draw(test::seed());
  const double a = draw.between(-1, 1), b = draw.between(-1, 1);
  const auto two = [&](const auto&) { return Vec<double, 2>(a, b); };
  for (int round = 0; round < 3; ++round) {
    check(on_ends<test::Leash>(draw), scene(draw), [&](const auto&) { return Vec<double, 1>(a); });
    check(on_ends<test::Blades>(draw), scene(draw), two);
    check(on_ends<test::Slanted>(draw), scene(draw), two);
    check(on_ends<test::Ways>(draw), scene(draw),
          [&](const auto& e) { return assembly::detail::reactions_of(e, Vec<double, 1>(b)); });
  }
}

/// A ring on an axis, which a frame turns about it; it is where the frame is nearest.
using Ring = test::Drum<contact::AxisMarker<double>>;

TEST_CASE("it changes with where a marker slides, and so does the tangency", "[tangents]") {
  test::Draw draw(test::seed());
  Ring ring;
  ring.sliding.body = 0;
  ring.sliding.node = 1;
  ring.sliding.origin = {0.1, 0.2, -0.3};
  ring.sliding.length = 1;
  ring.sliding.axis = draw.direction();
  ring.frame = {1, 0, draw.vector()};
  State<double> x = scene(draw);
  x.z.resize(1);
  x.z[0] = 0.3;
  check(ring, x, [&](const auto&) { return Vec<double, 2>(0.7, -0.4); });
}

/// Half the square of a distance d, which pulls by λd and −λd.
struct Half : test::Ends {
  static constexpr std::string_view name = "Half";
  template <class T>
  T position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const auto d = apart(a, b);
    return d.dot(d) / 2.0;
  }
};

TEST_CASE("a force along a distance turns with it, in every unit of length and of force", "[tangents]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 20; ++round) {
    const double unit = draw.power(-6, 6), lambda = draw.power(-6, 6);
    const State<double> x = scene(draw, unit);
    NodeTangent<double> tangent;
    const PlacedConstraint placed(Half{{{0, 1}, {1, 0}}}, x, 0);
    tangent.find(placed, x, 0, [&](const auto&) { return Vec<double, 1>(lambda); });
    const V3 d = x[1].position(0) - x[0].position(1);
    const auto view = tangent.view();
    CHECK(view.position() == 12);
    for (int v = 0; v < 12; ++v)
      for (int r = 0; r < 12; ++r) {
        const bool along = v % 6 < 3 && v % 6 == r % 6;
        const double wanted = along ? (v / 6 == r / 6 ? lambda : -lambda) : 0;
        const double size = (r % 6 < 3 ? 1 : unit) * (v % 6 < 3 ? 1 : unit);  // torques, turns
        CHECK(std::abs(view.change(r, v) - wanted) < 1e-9 * lambda * size);
      }
    for (int v = 0; v < 12; ++v) {
      const double wanted = v % 6 < 3 ? (v < 6 ? -d[v % 6] : d[v % 6]) : 0;
      CHECK(std::abs(view.change(12, v) - wanted) < 1e-9 * unit * (v % 6 < 3 ? 1 : unit));
    }
  }
}

/// A distance whose rows may reach nodes beyond those that it is told of.
struct Reaching : test::Leash {
  static constexpr int beyond = 2;
};

TEST_CASE("each node is there once, with those beyond its markers that a body has", "[tangents]") {
  test::Draw draw(test::seed());
  State<double> x = scene(draw);
  x.chains[0] = Chain<double>(7);
  for (Eigen::Index k = 0; k < 7; ++k) x[0].set_frame(k, draw.rotation(), draw.vector());
  NodeTangent<double> tangent;
  const auto nodes = [&](const auto& c) {
    tangent.find(PlacedConstraint(c, x, 0), x, 0, [](const auto&) { return Vec<double, 1>(1); });
    std::vector<std::pair<std::size_t, Eigen::Index>> all;
    for (const auto& n : tangent.nodes) all.emplace_back(n.body, n.number);
    return all;
  };
  using Nodes = decltype(nodes(test::Leash{}));
  const V3 arm(0.1, 0, 0);
  CHECK(nodes(test::Leash{{{0, 3}, {0, 3, arm}}}) == Nodes{{0, 3}});
  CHECK(nodes(test::Leash{{test::Ends::Marker::in_space(arm), {0, 5}}}) == Nodes{{0, 5}});
  CHECK(nodes(Reaching{{{{0, 1}, {0, 6}}}}) == Nodes{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}});
  CHECK(nodes(Reaching{{{{0, 4}, {1, 0}}}}) == Nodes{{0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {1, 0}});
}

TEST_CASE("rows that are not finite are no rows to linearise", "[tangents]") {
  test::Draw draw(test::seed());
  const State<double> x = scene(draw);
  const PlacedConstraint placed(on_ends<test::Leash>(draw), x, 0);
  NodeTangent<double> tangent;
  const auto find = [&] {
    tangent.find(placed, x, 0,
                 [](const auto&) { return Vec<double, 1>(std::numeric_limits<double>::quiet_NaN()); });
  };
  CHECK_THROWS_AS(find(), std::invalid_argument);
  CHECK_THROWS_WITH(find(), Catch::Matchers::ContainsSubstring("Leash") &&
                                Catch::Matchers::ContainsSubstring("derivative of its rows") &&
                                Catch::Matchers::ContainsSubstring("finite"));
}

}  // namespace node_tangent_test
