// Stiffness and damping of bodies under loads, told or not: the derivatives of their forces, for every body,
// load and time.

#include <cmath>
#include <functional>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/tangents/linearised_body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace tangent_laws_test {

using namespace dalembert;
using assembly::Chain;
using assembly::Columns;
using assembly::LoadSum;
using assembly::WithLoad;
using V = Vec<double, 3>;
using Body = assembly::RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Eigen::Index;

/// Springs and torsion springs at all nodes that stiffen with the time, and say nothing of it.
struct Springs {
  static constexpr bool depends_on_velocities = false;
  double k = 100, torsion = 0.3;
  template <class B>
  void add(const B&, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    for (Index n = 0; n < at.nodes; ++n) {
      const V r = at.position(n), turn = at.rotation(n).log();
      for (int i = 0; i < 3; ++i) {
        f(n, i) -= k * (1 + 3 * t) * (1 + r.squaredNorm()) * r[i];
        f(n, 3 + i) -= torsion * (1 + t) * turn[i];
      }
    }
  }
};
/// Drag and a swirl that say nothing of themselves.
struct Drag {
  double d = 4, scale = 1;
  template <class B>
  void add(const B&, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    for (Index n = 0; n < at.nodes; ++n) {
      const V v = at.linear_velocity(n) / scale, w = at.angular_velocity(n);
      const V force =
          -d * (1 + t) * (v / std::sqrt(1 + v.squaredNorm()) + 0.3 / scale * at.position(n).cross(v));
      const V torque = -0.2 * w - 0.1 * w.cross(V(1, 2, 3));
      for (int i = 0; i < 3; ++i) {
        f(n, i) += force[i];
        f(n, 3 + i) += torque[i];
      }
    }
  }
};
/// A spring with a damper from the first node to the last one, however many are between them.
struct Tie {
  template <class B>
  void add(const B&, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    const Index end = at.nodes - 1;
    const V apart = at.position(end) - at.position(0), rate = at.linear_velocity(end) - at.linear_velocity(0);
    const double length = apart.norm() + 1e-3;
    const V force = (30 * (1 + t) + 2 * rate.dot(apart) / length) * apart / length;
    for (int i = 0; i < 3; ++i) {
      f(0, i) += force[i];
      f(end, i) -= force[i];
    }
  }
};
/// A spring between each two neighbours.
struct Chords {
  static constexpr bool depends_on_velocities = false;
  template <class B>
  void add(const B&, const Chain<double>& at, double, Columns<double, 6>& f) const {
    for (Index n = 0; n + 1 < at.nodes; ++n) {
      const V apart = at.position(n + 1) - at.position(n);
      const V force = 20 * apart.squaredNorm() * apart;
      for (int i = 0; i < 3; ++i) {
        f(n, i) += force[i];
        f(n + 1, i) -= force[i];
      }
    }
  }
};

using Force = std::function<void(const Chain<double>&, Columns<double, 6>&)>;

/// −∂f/∂(δr, Σ) or by velocities, by differences of order 8 with a step h for each number.
Eigen::MatrixXd reference(const Chain<double>& at, bool by_place, double length, const Force& force) {
  const double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const Index size = 6 * at.nodes;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size, size);
  for (Index l = 0; l < at.nodes; ++l)
    for (int j = 0; j < 6; ++j)
      for (int s = 1; s <= 4; ++s)
        for (const double sign : {1.0, -1.0}) {
          const double h = 4e-3 * (j < 3 ? length : 1);
          Chain<double> moved = at;
          V u = V::Zero();
          u[j % 3] = sign * s * h;
          if (by_place)
            rod::move_node<double>(moved, l, j < 3 ? u : V::Zero(), j < 3 ? V::Zero() : u);
          else
            moved.velocity(l, j) += sign * s * h;
          Columns<double, 6> f = rod::zero_columns<double, 6>(at.nodes);
          force(moved, f);
          for (Index k = 0; k < at.nodes; ++k)
            for (int i = 0; i < 6; ++i) out(6 * k + i, 6 * l + j) -= sign * weights[s - 1] / h * f(k, i);
        }
  return out;
}

template <class Tell>
Eigen::MatrixXd told(Index nodes, const Tell& tell) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes);
  tell([&](Index k, Index l, const Mat<double, 6, 6>& block) { out.block<6, 6>(6 * k, 6 * l) += block; });
  return out;
}

/// The largest difference by kinds of numbers, forces and torques by lengths and angles, relative to the
/// largest of the kind.
double apart(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  double worst = 0;
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j) {
      double most = 0, size = 0;
      for (Index row = 0; row < a.rows(); ++row)
        for (Index column = 0; column < a.cols(); ++column)
          if (row % 6 / 3 == i && column % 6 / 3 == j) {
            most = std::max(most, std::abs(a(row, column) - b(row, column)));
            size = std::max(size, std::abs(b(row, column)));
          }
      worst = std::max(worst, most / std::max(size, 1e-3 * b.cwiseAbs().maxCoeff() + 1e-300));
    }
  return worst;
}

/// The law for a body under a load, on a length on which both are smooth.
template <class B, class L>
void check(const B& bare, const L& load, const Chain<double>& chain, double length) {
  const WithLoad<B, L> body(bare, load);
  for (const double t : {0.0, 1.0})
    for (const bool moves : {true, false}) {
      CAPTURE(t, moves);
      Chain<double> at = chain;
      if (!moves) at.velocity.setConstant(0);
      const Force of_load = [&](const Chain<double>& x, Columns<double, 6>& f) { load.add(bare, x, t, f); };
      const Force of_body = [&](const Chain<double>& x, Columns<double, 6>& f) {
        (void)body.forces(x, t, f);
      };
      const assembly::detail::LinearisedBody<WithLoad<B, L>> whole(body, at, t);
      const auto K = told(at.nodes, [&](const auto& add) { whole.each_stiffness(add); });
      const auto own = told(at.nodes, [&](const auto& add) {
        assembly::detail::LinearisedBody<B>(bare, at, t).each_stiffness(add);
      });
      const auto D = told(at.nodes, [&](const auto& add) { whole.each_damping(add); });
      CHECK(apart(K, reference(at, true, length, of_body)) < 1e-8);
      CHECK(apart(K - own, reference(at, true, length, of_load)) < 1e-8);
      CHECK(apart(D, reference(at, false, length, of_body)) < 1e-8);
    }
}

const rod::EndLoad<double> push{.force = {1, 2, -1},
                                .moment = {0.3, -0.2, 0.5},
                                .follower_force = {-1, 0.5, 2},
                                .follower_moment = {0.1, 0.7, -0.4}};
const std::function<rod::EndLoad<double>(double)> growing = [](double t) {
  return rod::EndLoad<double>{.moment = (1 + t) * V(0.3, 0.1, 0), .follower_force = (2 - t) * V(1, 0, 2)};
};
const std::function<rod::EndLoad<double>(double, double)> along = [](double s, double t) {
  return rod::EndLoad<double>{.moment = (s + t) * V(0.3, 0.1, 0), .follower_force = (2 - s * t) * V(1, 0, 2)};
};
const Vec<double, 6> viscosity = (Vec<double, 6>() << 0.3, 0.7, 0.5, 0.011, 0.017, 0.013).finished();

template <class R>
void check_rod(const R& bare) {
  test::Random random(test::seed());
  const auto x = test::random_chain(bare, Mat<double, 3>::Identity(), random, {.bend = 1.2});
  const double h = bare.spacing();
  check(bare,
        LoadSum{rod::PointLoad{0.4 * bare.length(), push},
                rod::PointLoad<double, decltype(growing)>{0, growing}, rod::DistributedLoad{push},
                rod::DistributedLoad{along}},
        x, h);
  check(bare, rod::KelvinVoigt<double>(viscosity), x, h);
  check(bare,
        LoadSum{Springs{}, LoadSum{Drag{}, rod::KelvinVoigt<double>(viscosity)}, rod::PointLoad{0.0, push}},
        x, h);
  check(bare, Tie{}, x, h);
  check(bare, Chords{}, x, h);
  check(WithLoad(bare, Drag{}), Springs{}, x, h);
}

TEST_CASE("stiffness and damping of a rod under any loads are derivatives of its forces", "[rod][load]") {
  Rod::Parameters p;
  p.loads.finish = push;
  check_rod(test::soft_rod<Rod>(0.02, 5, p));
}
TEST_CASE("the same of a rod with forward strains", "[rod][load]") {
  check_rod(test::soft_rod<rod::Rod<rod::LinearElastic<double>, rod::ForwardStrain>>(0.02, 4));
}

TEST_CASE("stiffness and damping of a rigid body under any loads are derivatives of its forces", "[load]") {
  for (const double size : {1e-6, 1.0, 1e6}) {
    CAPTURE(size);
    const Body body({.mass = 2, .inertia = size * size * V(0.02, 0.03, 0.025)});
    Chain<double> x = body.at(0.1 * size * V(1, 2, -1), SO3<double>::exp({0.3, -0.2, 0.5}));
    x.set_velocity(0, size * V(0.1, 0.3, -0.2), V(1, -2, 0.5));
    const Springs springs{.k = size > 1 ? 1e-10 : 100};
    check(body, springs, x, 0.1 * size);
    check(body, Drag{.scale = size}, x, size);
    check(body, LoadSum{springs, Drag{.scale = size}}, x, size);
  }
}

/// A spring k|r|²r and a damper d.
template <class S>
struct Cubic {
  S k, d;
  template <class B>
  void add(const B&, const rod::Chain<S>& at, S, rod::Columns<S, 6>& f) const {
    const Vec<S, 3> r = at.position(0);
    const S square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; ++i) f(0, i) -= k * square * r[i] + d * at.velocity(0, i);
  }
};

/// ∂²/∂y² of k|r|⁴/4 at r = (1, 2, −1) and the damping, found by differences.
template <class S>
Vec<S, 2> stiffness_and_damping(const S& k, const S& d) {
  const assembly::RigidBody<S> body({.mass = S(2), .inertia = Vec<S, 3>(S(2), S(3), S(2.5))});
  const WithLoad<assembly::RigidBody<S>, Cubic<S>> loaded(body, Cubic<S>{k, d});
  const auto at = body.at(Vec<S, 3>(S(1), S(2), S(-1)));
  Vec<S, 2> found(S(0), S(0));
  const auto take = [&](int i) {
    return [&found, i](Index, Index, const Mat<S, 6, 6>& block) { found[i] += block(1, 1); };
  };
  add_stiffness(loaded, at, S(0), take(0));
  add_damping(loaded, at, S(0), take(1));
  return found;
}

/// A load that counts how often it is asked.
template <class L>
struct Counted {
  L load{};
  long* count;
  template <class B>
  void add(const B& body, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    ++*count;
    load.add(body, at, t, f);
  }
};

TEST_CASE("differences ask a load as often for long rods as for short ones, unless it ties far nodes",
          "[rod][load]") {
  const auto count = [](const auto& load, int elements) {
    const Rod rod = test::soft_rod<Rod>(0.02, elements);
    long asked = 0;
    const WithLoad body(rod, Counted<std::decay_t<decltype(load)>>{load, &asked});
    const auto K = told(rod.nodes(), [&](const auto& add) {
      add_stiffness(body, rod.straight(V(0.1, 0.2, 0.3), SO3<double>::identity()), 0.0, add);
    });
    CHECK(K.norm() > 1);
    return asked;
  };
  CHECK(count(Springs{}, 40) == count(Springs{}, 10));
  CHECK(count(Chords{}, 40) == count(Chords{}, 10));
  CHECK(count(Tie{}, 40) == count(Tie{}, 10) + 2 * 30);
}

TEST_CASE("differences of loads serve other numbers than double, with their derivatives", "[load]") {
  const Vec<float, 2> narrow = stiffness_and_damping(3.f, 4.f);
  CHECK(narrow[0] == Approx(3 * (6 + 8)).epsilon(1e-3));
  CHECK(narrow[1] == Approx(4).epsilon(1e-3));
  using D = Dual<double, 2>;
  const Vec<D, 2> found = stiffness_and_damping(D::variable(3, 0), D::variable(4, 1));
  CHECK(found[0].value() == Approx(42).epsilon(1e-9));
  CHECK(found[0].derivative(0) == Approx(14).epsilon(1e-9));
  CHECK(found[1].value() == Approx(4).epsilon(1e-9));
  CHECK(found[1].derivative(1) == Approx(1).epsilon(1e-9));
}

}  // namespace tangent_laws_test
