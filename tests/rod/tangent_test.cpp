#include <dalembert/rod/detail/tangent.hpp>

#include <cmath>

#include <Eigen/Cholesky>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/stiffness.hpp"

namespace tangent_test {

using namespace dalembert;
using namespace dalembert::rod;
using Real = long double;  // differences are then good to 1e-11
using V = Vec<Real, 3>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

CoupledElastic<Real> coupled(test::Random& random) {
  Mat<Real, 6, 6> a;
  for (int i = 0; i < 36; ++i) a(i) = Real(random());
  const Mat<Real, 6, 6> k = a * a.transpose() + Mat<Real, 6, 6>::Identity();
  return CoupledElastic<Real>((k + k.transpose()) / 2, {V(0.1L, -0.05L, 1.1L), V(0.7L, -0.4L, 0.9L)});
}

LinearElastic<Real> linear() {
  Vec<Real, 6> k;
  k << 3.0L, 4.0L, 9.0L, 0.5L, 0.7L, 0.3L;
  return LinearElastic<Real>(k, {V(0.02L, 0.03L, 0.9L), V(0.2L, 0.4L, -0.3L)});
}

/// W = ½ eᵀ e + ¼ (eᵀ e)², e = (Γ − E₃, Ω): a material that does not give its tangent.
struct Stiffening {
  using Scalar = Real;
  template <class L>
  Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> e(stretch[0], stretch[1], stretch[2] - L(1));
    const L factor = L(1) + dot(e, e) + dot(curvature, curvature);
    return {Vec<L, 3>(factor * e), Vec<L, 3>(factor * curvature)};
  }
  template <class L>
  L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const {
    const Vec<L, 3> e(stretch[0], stretch[1], stretch[2] - L(1));
    const L q = dot(e, e) + dot(curvature, curvature);
    return L(0.5L) * q + L(0.25L) * q * q;
  }
  RestStrain<Real> rest() const { return {}; }
};

template <class R>
R make_rod(const typename std::decay_t<decltype(std::declval<R>().material())>& material,
           const Loads<Real>& loads = {}) {
  typename R::Parameters p;
  p.elements = 5;
  p.length = 1.3L;
  p.inertia = {1.0L, V(1.0L, 1.0L, 2.0L)};
  p.loads = loads;
  return R(material, p);
}

/// Frames with a rotation of about `turn` [rad] from each to the next, and chords of any direction.
Chain<Real> wild_chain(Eigen::Index nodes, test::Random& random, double turn) {
  Chain<Real> chain(nodes);
  Mat<Real, 3> frame = test::rotation_matrix<Real>(random.vector<Real>());
  V at = random.vector<Real>();
  for (Eigen::Index k = 0; k < nodes; ++k) {
    chain.set_frame(k, test::rotation<Real>(frame), at);
    frame = (frame * test::rotation_matrix<Real>(Real(turn) * random.vector<Real>().normalized())).eval();
    at += V(0.3L * (V::UnitZ() + random.vector<Real>()));
  }
  return chain;
}

/// −∂f/∂(δr, Σ) by central differences of `Rod::forces`.
template <class R>
Matrix differences(const R& rod, const Chain<Real>& chain) {
  const Eigen::Index n = rod.nodes();
  Columns<Real, 6> plus = Columns<Real, 6>::Zero(padded_rows<Real>(n), 6);
  Columns<Real, 6> minus = plus;
  Matrix K(6 * n, 6 * n);
  const Real step = 1e-6L;
  for (Eigen::Index j = 0; j < 6 * n; ++j) {
    const auto forces = [&](Real by, Columns<Real, 6>& f) {
      Vec<Real, 6> move = Vec<Real, 6>::Zero();
      move[j % 6] = by;
      Chain<Real> moved = chain;
      move_node(moved, j / 6, V(move.head<3>()), V(move.tail<3>()));
      rod.forces(moved, f);
    };
    forces(step, plus);
    forces(-step, minus);
    for (Eigen::Index k = 0; k < n; ++k)
      for (int i = 0; i < 6; ++i) K(6 * k + i, j) = (minus(k, i) - plus(k, i)) / (2 * step);
  }
  return K;
}

template <class R>
void agrees_with_differences(const R& rod) {
  test::Random random(test::seed());
  for (const double turn : {0.0, 1e-5, 0.01, 0.3, 1.0, 2.0, 2.9}) {
    CAPTURE(turn);
    const Chain<Real> chain = wild_chain(rod.nodes(), random, turn);
    const Matrix expected = differences(rod, chain);
    REQUIRE((test::stiffness_matrix(rod, chain) - expected).cwiseAbs().maxCoeff() <
            1e-10L * expected.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("The tangent is the derivative of the forces", "[tangent]") {
  test::Random random(test::seed());
  SECTION("midpoint strain, diagonal stiffness") {
    agrees_with_differences(make_rod<Rod<LinearElastic<Real>>>(linear()));
  }
  SECTION("forward strain, diagonal stiffness") {
    agrees_with_differences(make_rod<Rod<LinearElastic<Real>, ForwardStrain>>(linear()));
  }
  SECTION("midpoint strain, full stiffness") {
    agrees_with_differences(make_rod<Rod<CoupledElastic<Real>>>(coupled(random)));
  }
  SECTION("forward strain, full stiffness") {
    agrees_with_differences(make_rod<Rod<CoupledElastic<Real>, ForwardStrain>>(coupled(random)));
  }
  SECTION("a material without a tangent of its own") {
    agrees_with_differences(make_rod<Rod<Stiffening>>(Stiffening{}));
  }
}

TEST_CASE("The tangent contains what loads at the ends do when the ends turn", "[tangent]") {
  Loads<Real> loads;
  loads.gravity = V(0.3L, 0.1L, -9.8L);
  SECTION("dead moment at the start") { loads.start.moment = V(0.4L, -0.8L, 0.3L); }
  SECTION("dead moment at the finish") { loads.finish.moment = V(0.1L, 0.6L, -0.7L); }
  SECTION("follower force at the start") { loads.start.follower_force = V(1.1L, -0.2L, 0.5L); }
  SECTION("follower force at the finish") { loads.finish.follower_force = V(-0.4L, 0.9L, 0.2L); }
  SECTION("follower moment and dead force") {
    loads.finish.follower_moment = V(0.5L, 0.5L, -0.1L);
    loads.start.force = V(1.0L, 2.0L, 3.0L);
  }
  agrees_with_differences(make_rod<Rod<LinearElastic<Real>>>(linear(), loads));
}

/// The gradient of an element's energy: minus its loads.
template <class Rule, class M>
Eigen::Matrix<Real, 12, 1> gradient_of(const ElementPose<Real>& e, const M& material, Real h) {
  const ElementLoads<Real> loads = Rule::loads(e, material, h);
  Eigen::Matrix<Real, 12, 1> g;
  g << -loads.force, -loads.torque0, loads.force, -loads.torque1;
  return g;
}

template <class Rule>
void has_the_structure_of_a_left_trivialised_hessian() {
  test::Random random(test::seed());
  const CoupledElastic<Real> material = coupled(random);
  for (const double turn : {0.0, 0.01, 0.7, 2.5}) {
    CAPTURE(turn);
    const Chain<Real> chain = wild_chain(2, random, turn);
    const ElementPose<Real> pose = Rod<CoupledElastic<Real>, Rule>::pose(chain, 0);
    const ElementTangent<Real> T = element_tangent<Rule>(pose, material, 0.26L);
    const auto g = gradient_of<Rule>(pose, material, 0.26L);
    const Real scale = T.cwiseAbs().maxCoeff();

    // derivatives along body rotations do not commute: T − Tᵀ = τ̂ in the rotations of each node, 0 elsewhere
    ElementTangent<Real> asymmetry = T - T.transpose();
    asymmetry.template block<3, 3>(3, 3) -= SO3<Real>::hat(V(g.template segment<3>(3)));
    asymmetry.template block<3, 3>(9, 9) -= SO3<Real>::hat(V(g.template segment<3>(9)));
    REQUIRE(asymmetry.cwiseAbs().maxCoeff() < 1e-17L * scale);

    // a translation changes nothing; a rotation by w turns spatial forces and leaves body torques
    const V shift = random.vector<Real>();
    const V w = random.vector<Real>();
    Eigen::Matrix<Real, 12, 1> translation, turning, turned;
    translation << shift, V::Zero(), shift, V::Zero();
    turning << w.cross(chain.position(0)), chain.rotation(0).inverse().act(w), w.cross(chain.position(1)),
        chain.rotation(1).inverse().act(w);
    turned << w.cross(V(g.template segment<3>(0))), V::Zero(), w.cross(V(g.template segment<3>(6))),
        V::Zero();
    REQUIRE((T * translation).cwiseAbs().maxCoeff() < 1e-17L * scale);
    REQUIRE((T * turning - turned).cwiseAbs().maxCoeff() < 1e-17L * scale);
  }
}

TEST_CASE("The tangent of an element has the symmetries of its energy", "[tangent]") {
  has_the_structure_of_a_left_trivialised_hessian<MidpointStrain>();
  has_the_structure_of_a_left_trivialised_hessian<ForwardStrain>();
}

TEST_CASE("The tangent does not depend on the sign of a quaternion", "[tangent]") {
  test::Random random(test::seed());
  const auto rod = make_rod<Rod<LinearElastic<Real>>>(linear());
  Chain<Real> chain = wild_chain(rod.nodes(), random, 1.1);
  const Matrix before = test::stiffness_matrix(rod, chain);
  chain.configuration.block(2, 3, 1, 4) *= -1.0L;
  REQUIRE((test::stiffness_matrix(rod, chain) - before).cwiseAbs().maxCoeff() <
          1e-17L * before.cwiseAbs().maxCoeff());
}

TEST_CASE("Doubles have the tangent to their own precision", "[tangent]") {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<ElasticRod<double>>(0.02, 12);
  const auto fine = test::soft_rod<ElasticRod<Real>>(0.02, 12);
  const Chain<double> chain = test::random_chain(rod, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  Chain<Real> same(rod.nodes());
  same.configuration.topRows(rod.nodes()) = chain.configuration.topRows(rod.nodes()).cast<Real>();
  const Eigen::MatrixXd K = test::stiffness_matrix(rod, chain);
  const Matrix expected = test::stiffness_matrix(fine, same);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const Mat<Real, 6, 6> block = expected.block<6, 6>(6 * k, 6 * k);
    REQUIRE((K.block<6, 6>(6 * k, 6 * k).cast<Real>() - block).cwiseAbs().maxCoeff() <
            1e-13L * block.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("A stretched straight rod is stable: its held stiffness is positive", "[tangent]") {
  typename ElasticRod<Real>::Parameters p;
  p.elements = 8;
  p.length = 1.0L;
  p.inertia = {1.0L, V(1.0L, 1.0L, 2.0L)};
  const ElasticRod<Real> rod(linear(), p);
  const Chain<Real> chain = rod.straight(V::Zero(), SO3<Real>::identity(), 1.2L);
  const Matrix K = test::stiffness_matrix(rod, chain);
  const Eigen::Index inner = K.rows() - 12;
  REQUIRE(Matrix(K.block(6, 6, inner, inner)).llt().info() == Eigen::Success);
}

}  // namespace tangent_test
