#include <dalembert/tangents/constraint_tangent.hpp>

#include <array>
#include <cstddef>

#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/links.hpp"

namespace constraint_tangent_test {

using namespace dalembert;
using assembly::Chain;
using assembly::State;
using assembly::detail::ConstraintTangent;
using assembly::detail::PlacedConstraint;
using V3 = Vec<double, 3>;
constexpr double h = 1e-5;

template <class C>
struct Scene {
  C constraint;
  State<double> x;

  explicit Scene(test::Draw& draw) {
    x.time = 0.7;
    for (int b = 0; b < 2; ++b) {
      Chain<double> chain(1);
      const auto turn = draw.rotation();
      chain.set_frame(0, turn, draw.vector());
      x.chains.push_back(chain);
    }
    constraint.first = {0, 0, draw.vector(), draw.rotation()};
    constraint.second = {1, 0, draw.vector(), draw.rotation()};
  }
  /// The state where variable v, of (r, θ) of each node, grows by a step: turns are about the axes of space.
  State<double> moved(int v, double step) const {
    State<double> y = x;
    const auto b = static_cast<std::size_t>(v / 6);
    V3 by = V3::Zero();
    by[v % 3] = step;
    if (v % 6 < 3)
      y[b].set_frame(0, x[b].rotation(0), x[b].position(0) + by);
    else
      y[b].set_frame(0, SO3<double>::exp(by) * x[b].rotation(0), x[b].position(0));
    return y;
  }
  PlacedConstraint<C> placed(const State<double>& at) const { return {constraint, at, 0}; }
};

/// A force and a torque at each marker, spatial: of these rows with multipliers.
template <class C, class Lambda>
std::array<double, 12> pull(const PlacedConstraint<C>& placed, const Lambda& lambda) {
  const auto& e = placed.evaluation;
  std::array<double, 12> g{};
  for (std::size_t i = 0; i < 2; ++i)
    for (int j = 0; j < 6; ++j)
      for (Eigen::Index r = 0; r < lambda.size(); ++r) {
        const auto& rows = [&]() -> const auto& {
          if constexpr (assembly::ConstraintTraits<C>::Has::reaction)
            return j < 3 ? e.reaction_linear[i] : e.reaction_angular[i];
          else
            return j < 3 ? e.linear[i] : e.angular[i];
        }
        ();
        g[6 * i + static_cast<std::size_t>(j)] += rows(r, j % 3) * lambda[r];
      }
  return g;
}

template <class C>
void check(test::Draw& draw) {
  CAPTURE(C::name);
  const Scene<C> scene(draw);
  const auto placed = scene.placed(scene.x);
  using Tangent = ConstraintTangent<C>;
  Tangent tangent;
  Vec<double, Tangent::R> lambda;
  for (int r = 0; r < Tangent::R; ++r) lambda[r] = draw.between(-1, 1);
  const auto compare = [&](const auto& multipliers) {
    const auto view = tangent.view();
    const auto g = pull(placed, multipliers(placed.evaluation));
    for (int a = 0; a < 12; ++a) {
      CHECK(view.pull[a] == Approx(g[static_cast<std::size_t>(a)]).margin(1e-14));
      for (int v = 0; v < 12; ++v) {
        const auto one = scene.placed(scene.moved(v, h)), other = scene.placed(scene.moved(v, -h));
        const double slope = (pull(one, multipliers(one.evaluation))[static_cast<std::size_t>(a)] -
                              pull(other, multipliers(other.evaluation))[static_cast<std::size_t>(a)]) /
                             (2 * h);
        CHECK(view.change(a, v) == Approx(slope).epsilon(1e-7).margin(1e-7));
      }
    }
  };
  tangent.find(placed.evaluator, placed.evaluation, lambda, scene.x.time);
  compare([&](const auto&) { return lambda; });
  if constexpr (Tangent::P > 0 && !assembly::ConstraintTraits<C>::Has::reaction) {
    const Vec<double, 1> m(0.6);
    tangent.find_of_positions(placed.evaluator, placed.evaluation, m, scene.x.time);
    compare([&](const auto& e) { return assembly::detail::reactions_of(e, m); });
    const auto view = tangent.view();
    for (int v = 0; v < 12; ++v) {
      const double slope = (scene.placed(scene.moved(v, h)).evaluation.error[0] -
                            scene.placed(scene.moved(v, -h)).evaluation.error[0]) /
                           (2 * h);
      CHECK(view.change(view.position(), v) == Approx(slope).margin(1e-8));
    }
  }
}

TEST_CASE("the pull of a constraint changes with frames as its rows do, in every form that it may have",
          "[tangents]") {
  test::Draw draw(test::seed());
  check<test::Leash>(draw);
  check<test::Blades>(draw);
  check<test::Ways>(draw);
  check<test::Stacked>(draw);
  check<test::Slanted>(draw);
}

TEST_CASE("torques that are turned to the axes of a body change as the body sees them", "[tangents]") {
  test::Draw draw(test::seed());
  const Scene<test::Blades> scene(draw);
  const auto placed = scene.placed(scene.x);
  const Vec<double, 2> lambda(0.7, -1.2);
  ConstraintTangent<test::Blades> tangent;
  tangent.find(placed.evaluator, placed.evaluation, lambda, scene.x.time);
  tangent.turn_to_body(scene.x[0].rotation(0), 0);
  // the first body's torque in its frame, by its own turns, Λ ← Λ exp(Σ)
  const auto torque = [&](const State<double>& at) {
    const auto g = pull(scene.placed(at), lambda);
    return V3(at[0].rotation(0).inverse().act(V3(g[3], g[4], g[5])));
  };
  const V3 now = torque(scene.x);
  for (int j = 0; j < 3; ++j) {
    CHECK(tangent.pull(3 + j, 0) == Approx(now[j]));
    for (int v = 0; v < 6; ++v) {
      const auto moved = [&](double step) {
        if (v < 3) return scene.moved(v, step);
        State<double> y = scene.x;
        V3 by = V3::Zero();
        by[v - 3] = step;
        y[0].set_frame(0, y[0].rotation(0) * SO3<double>::exp(by), y[0].position(0));
        return y;
      };
      const double slope = (torque(moved(h))[j] - torque(moved(-h))[j]) / (2 * h);
      CHECK(tangent.changes(3 + j, v) == Approx(slope).epsilon(1e-7).margin(1e-7));
    }
  }
}

}  // namespace constraint_tangent_test
