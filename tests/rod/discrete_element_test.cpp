#include <dalembert/rod/detail/discrete_element.hpp>

#include <cmath>

#include <dalembert/rod/detail/tangent.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace discrete_element_test {

using namespace dalembert;
using S = double;
using rod::Triple;
using V3 = Vec<S, 3>;
using Node = rod::detail::SteppedNode<S>;

/// An energy that is not quadratic, which stiffens with the strains.
struct Stiffening {
  using Scalar = S;
  template <class L>
  [[nodiscard]] rod::Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    rod::Stress<L> s;
    for (int i = 0; i < 3; ++i) {
      const L x = stretch[i] - L(i == 2 ? 1 : 0), k = curvature[i];
      s.force[i] = L(3) * x + L(8) * x * x * x;
      s.moment[i] = L(0.2) * k + L(0.1) * k * k * k;
    }
    return s;
  }
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    L w(0);
    for (int i = 0; i < 3; ++i) {
      const L x = stretch[i] - L(i == 2 ? 1 : 0), k = curvature[i];
      w += L(1.5) * x * x + L(2) * x * x * x * x + L(0.1) * k * k + L(0.025) * k * k * k * k;
    }
    return w;
  }
  [[nodiscard]] rod::RestStrain<S> rest() const { return {}; }
};

rod::LinearElastic<S> linear() {
  Vec<S, 6> k;
  k << 3, 4, 7, 0.2, 0.3, 0.1;
  return rod::LinearElastic<S>(k, {V3(0.1, -0.05, 0.9), V3(0.4, -0.3, 0.6)});
}

Node stepped(const SO3<S>& from, const V3& turn) {
  const rod::detail::Quaternion<S> q{from.w(), Triple<S>(V3(from.v()))};
  const Triple<S> omega(turn);
  const S scale = 1 / std::sqrt(1 + turn.squaredNorm() / 4);
  return {q, rod::detail::multiply(rod::detail::Quaternion<S>{scale, (scale / 2) * omega}, q), omega};
}

rod::ElementPose<S> pose(const rod::detail::Quaternion<S>& a, const rod::detail::Quaternion<S>& b,
                         const Triple<S>& chord) {
  return {a.w, V3(a.v), b.w, V3(b.v), V3(chord)};
}

/// An element that moves by a step of this size, from a pose that turns by about `bend` between its nodes.
struct Case {
  Case(test::Random& random, S bend, S size) {
    const V3 axis = random.vector<S>();
    const SO3<S> first = SO3<S>::exp(3 * axis);
    const SO3<S> second =
        first * SO3<S>::exp(V3(bend / std::sqrt(3.0) * V3(1, -1, 1) + 0.1 * random.vector<S>()));
    a = stepped(first, size * random.vector<S>());
    b = stepped(second, size * random.vector<S>());
    r0[0] = random.vector<S>();
    r0[1] = r0[0] + first.act(V3(0.05, 0.02, 0.3));
    for (int i : {0, 1}) move[i] = size * random.vector<S>();
  }
  [[nodiscard]] Triple<S> chord0() const { return Triple<S>(V3(r0[1] - r0[0])); }
  [[nodiscard]] Triple<S> chord1() const { return Triple<S>(V3(r0[1] + move[1] - r0[0] - move[0])); }

  Node a, b;
  V3 r0[2], move[2];
};

template <class Rule, class M>
void check_element(const M& material) {
  test::Random random(test::seed());
  const S h = 0.3;
  for (const S size : {1e-6, 1e-3, 0.1, 1.0})
    for (const S bend : {0.0, 0.5, 2.0}) {
      const Case c(random, bend, size);
      INFO("step " << size << ", bend " << bend);
      const auto g = rod::detail::discrete_gradient<Rule>(c.a, c.b, c.chord0(), c.chord1(), material, h);
      REQUIRE(g.sound);
      const auto energy = [&](const rod::ElementPose<S>& at) {
        const auto e = Rule::strain(at, h);
        return h * material.energy(e.stretch, e.curvature);
      };
      const S before = energy(pose(c.a.from, c.b.from, c.chord0())),
              after = energy(pose(c.a.to, c.b.to, c.chord1()));
      const S work = dot(g.force, Triple<S>(V3(c.move[1] - c.move[0]))) + dot(g.torque_a, c.a.turn) +
                     dot(g.torque_b, c.b.turn);
      CHECK(std::abs(work - (after - before)) < 1e-14 * (before + after));

      const V3 arm = c.r0[1] - c.r0[0] + (c.move[1] - c.move[0]) / 2;
      const V3 moment = arm.cross(V3(g.force)) + V3(g.torque_a) + V3(g.torque_b);
      CHECK(moment.norm() < 1e-14 * (V3(g.torque_a).norm() + V3(g.force).norm()));
    }
}

TEST_CASE("the discrete gradient of an element does the work of its energy, and turns nothing", "[rod]") {
  check_element<rod::MidpointStrain>(linear());
  check_element<rod::ForwardStrain>(linear());
  check_element<rod::MidpointStrain>(Stiffening{});
  check_element<rod::ForwardStrain>(Stiffening{});
}

TEST_CASE("the discrete gradient of an element is the gradient in the middle of a short step", "[rod]") {
  test::Random random(test::seed());
  const S h = 0.3;
  const auto material = linear();
  for (const S bend : {0.0, 0.5, 2.0}) {
    S errors[2];
    const test::Random start = random;
    for (int i : {0, 1}) {
      random = start;
      const Case c(random, bend, i == 0 ? 1e-2 : 5e-3);
      const auto g =
          rod::detail::discrete_gradient<rod::MidpointStrain>(c.a, c.b, c.chord0(), c.chord1(), material, h);
      const auto middle = [](const Node& n) {
        auto q = rod::detail::mean(n.from, n.to);
        const S scale = 1 / std::sqrt(q.w * q.w + dot(q.v, q.v));
        return rod::detail::Quaternion<S>{scale * q.w, scale * q.v};
      };
      const auto qa = middle(c.a), qb = middle(c.b);
      const auto loads =
          rod::MidpointStrain::loads(pose(qa, qb, rod::detail::mean(c.chord0(), c.chord1())), material, h);
      const V3 force = V3(g.force) - loads.force;
      const V3 torque_a = V3(g.torque_a) + V3(rod::detail::rotate(qa, Triple<S>(loads.torque0)));
      const V3 torque_b = V3(g.torque_b) + V3(rod::detail::rotate(qb, Triple<S>(loads.torque1)));
      errors[i] = force.norm() + torque_a.norm() + torque_b.norm();
    }
    INFO("bend " << bend << ", errors " << errors[0] << ", " << errors[1]);
    // a case of half the size steps half as far from the same pose
    CHECK(std::abs(std::log2(errors[0] / errors[1]) - 2) < 0.1);
  }
}

TEST_CASE("the mean stress between two strains does the work between them, and is the same on the way back",
          "[rod]") {
  const Stiffening material;
  rod::Strain<S> a, b;
  a.stretch = V3(0.1, -0.2, 1.1);
  a.curvature = V3(0.3, -0.1, 0.4);
  b.stretch = V3(-0.15, 0.1, 0.8);
  b.curvature = V3(-0.5, 0.6, 0.2);
  const auto there = rod::detail::mean_stress(material, a, b),
             back = rod::detail::mean_stress(material, b, a);
  const S work = there.force.dot(V3(b.stretch - a.stretch)) + there.moment.dot(V3(b.curvature - a.curvature));
  CHECK(work == Approx(material.energy(b.stretch, b.curvature) - material.energy(a.stretch, a.curvature))
                    .epsilon(1e-13));
  CHECK((there.force - back.force).norm() < 1e-14 * there.force.norm());
  CHECK((there.moment - back.moment).norm() < 1e-13 * there.moment.norm());
}

}  // namespace discrete_element_test
