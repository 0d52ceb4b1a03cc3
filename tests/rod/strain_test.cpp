#include <dalembert/rod/strain.hpp>

#include <dalembert/core/dual.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace strain_test {

template <class S>
using V3 = Vec<S, 3>;

template <class S>
rod::ElementPose<S> pose(const Mat<S, 3>& first, const Mat<S, 3>& second, const V3<S>& chord) {
  const Eigen::Quaternion<S> q0(first), q1(second);
  return {q0.w(), q0.vec(), q1.w(), q1.vec(), chord};
}

/// The rotation vector of a rotation matrix.
template <class S>
V3<S> log(const Mat<S, 3>& m) {
  const Eigen::AngleAxis<S> a(m);
  return a.angle() * a.axis();
}

TEST_CASE("an element of a discrete strand has the reference energy and loads") {
  const test::Json reference = test::data("discrete_elastic_element.json");
  const test::Json& in = reference.at("inputs");
  const test::Json& out = reference.at("outputs");
  const auto number = [&](const char* name) { return in.at(name).get<double>(); };
  Vec<double, 6> k;
  k << number("GA"), number("GA"), number("EA"), number("EI"), number("EI"), number("GJ");
  const rod::LinearElastic<double> material(k);
  const double h = number("h");
  const Mat<double, 3> first = test::matrix3(in.at("Lambda_k")), second = test::matrix3(in.at("Lambda_k1"));
  const V3<double> chord = test::vector3(in.at("r_k1")) - test::vector3(in.at("r_k"));
  const auto element = pose<double>(first, second, chord);
  const auto strain = rod::ForwardStrain::strain(element, h);
  const V3<double> q = test::vector3(out.at("q"));
  CHECK((h * strain.stretch - q).norm() < 1e-10);
  CHECK((h * strain.curvature - test::vector3(out.at("theta"))).norm() < 1e-10);
  CHECK(std::abs(h * material.energy(strain.stretch, strain.curvature) - out.at("U").get<double>()) < 1e-10);

  // eqs (11), (12): the first node gets the force −l_q and the torque l_q × q − R, the second the torque Lf
  const auto loads = rod::ForwardStrain::loads(element, material, h);
  const V3<double> lq = test::vector3(out.at("l_q"));
  CHECK((first.transpose() * loads.force + lq).norm() < 1e-10);
  CHECK((loads.torque0 - (lq.cross(q) - test::vector3(out.at("R_right_trivialised")))).norm() < 1e-10);
  CHECK((loads.torque1 - test::vector3(out.at("Lf_left_trivialised"))).norm() < 1e-10);
}

TEST_CASE("a pose is the same over other numbers") {
  using D = Dual<double, 1>;
  const rod::ElementPose<double> e{0.5, {1, 2, 3}, 0.25, {4, 5, 6}, {7, 8, 9}};
  auto with = rod::cast<D>(e);
  CHECK(number::is_zero(D(with.v1[1] - 5.0)));
  with.w1.set_derivative(0, 3);
  const auto back = rod::cast<double>(with);
  CHECK(back.w0 == e.w0);
  CHECK(back.v0 == e.v0);
  CHECK(back.w1 == e.w1);
  CHECK(back.v1 == e.v1);
  CHECK(back.chord == e.chord);
}

TEST_CASE("strains are logarithm and chord, from tiny angles to almost half a turn") {
  using S = long double;
  test::Random random(test::seed());
  const S h = 0.3L;
  for (const S angle : {1e-12L, 1e-6L, 1e-3L, 0.1L, 1.0L, 2.0L, 3.0L, 3.13L}) {
    const Mat<S, 3> first = test::rotation_matrix<S>(random.vector<S>());
    const V3<S> turn = angle * random.vector<S>().normalized();
    const Mat<S, 3> second = first * test::rotation_matrix<S>(turn);
    const V3<S> chord = random.vector<S>();
    const auto element = pose<S>(first, second, chord);
    const auto midpoint = rod::MidpointStrain::strain(element, h);
    const auto forward = rod::ForwardStrain::strain(element, h);
    CHECK((h * midpoint.curvature - turn).norm() < 1e-16L + 1e-15L * angle);
    CHECK((h * forward.curvature - turn).norm() < 1e-16L + 1e-15L * angle);
    CHECK((h * forward.stretch - first.transpose() * chord).norm() < 1e-17L);
    const Mat<S, 3> middle = first * test::rotation_matrix<S>(turn / 2);
    CHECK((h * midpoint.stretch - middle.transpose() * chord).norm() < 1e-15L);
  }
}

TEST_CASE("an arc of a circle has its curvature, a straight rod its stretch") {
  const double radius = 2.0, h = 0.1;
  for (const double stretch : {1.0, 1.2}) {
    // r(s) on a circle about y, in the plane x–z; the section's e₃ is the tangent
    const double phi = stretch * h / radius;
    const auto frame = test::rotation_matrix<double>(V3<double>(0, phi, 0));
    const V3<double> chord(radius * (1 - std::cos(phi)), 0, radius * std::sin(phi));
    const auto e = rod::MidpointStrain::strain(pose<double>(Mat<double, 3>::Identity(), frame, chord), h);
    CHECK((e.curvature - V3<double>(0, stretch / radius, 0)).norm() < 1e-14);
    CHECK((e.stretch - V3<double>(0, 0, 2 * radius * std::sin(phi / 2) / h)).norm() < 1e-14);
    const auto f = rod::ForwardStrain::strain(pose<double>(Mat<double, 3>::Identity(), frame, chord), h);
    CHECK((f.stretch - chord / h).norm() < 1e-14);
  }
}

TEST_CASE("the midpoint strain does not care which end comes first") {
  test::Random random(test::seed());
  Vec<double, 6> k;
  k << 3, 4, 5, 0.6, 0.7, 0.8;
  const rod::LinearElastic<double> material(k);
  // turned round, e₃ points back: Γ and Ω keep their component along e₃'s mirror
  const Mat<double, 3> back = V3<double>(1, -1, -1).asDiagonal();
  for (int trial = 0; trial < 20; ++trial) {
    const auto first = test::rotation_matrix<double>(random.vector<double>());
    const Mat<double, 3> second = first * test::rotation_matrix<double>(random.vector<double>());
    const V3<double> chord = random.vector<double>();
    const auto forth = rod::MidpointStrain::loads(pose<double>(first, second, chord), material, 0.2);
    const auto turned = rod::MidpointStrain::loads(
        pose<double>(Mat<double, 3>(second * back), Mat<double, 3>(first * back), V3<double>(-chord)),
        material, 0.2);
    CHECK((forth.force + turned.force).norm() < 1e-12);
    CHECK((forth.torque0 - back * turned.torque1).norm() < 1e-12);
    CHECK((forth.torque1 - back * turned.torque0).norm() < 1e-12);
  }
}

TEST_CASE("a strain rule and a material are recognised") {
  static_assert(rod::StrainRule<rod::MidpointStrain, rod::CoupledElastic<float>>);
  static_assert(!rod::StrainRule<rod::LinearElastic<double>, rod::LinearElastic<double>>);
  static_assert(rod::Material<rod::LinearElastic<long double>>);
  static_assert(!rod::Material<rod::MidpointStrain>);
}

}  // namespace strain_test
