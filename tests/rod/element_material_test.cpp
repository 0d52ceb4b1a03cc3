#include <dalembert/rod/element_material.hpp>

#include <dalembert/rod/detail/tangent.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/varying.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace element_material_test {

using namespace dalembert;
using V = Vec<double, 3>;

/// A material of one's own that varies: n = (1 + ½s)(Γ − e₃), m = Ω (1 + |Ω|²), in newtons, with s = k/N of element k.
class Graded {
 public:
  using Scalar = double;

  template <class L>
  struct Element {
    using Scalar = L;
    L factor;

    template <class Q>
    rod::Stress<Q> stress(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const {
      const Q f(factor), more = Q(1) + rod::dot(curvature, curvature);
      rod::Stress<Q> s;
      for (int i = 0; i < 3; ++i) {
        s.force[i] = f * (stretch[i] - Q(i == 2 ? 1 : 0));
        s.moment[i] = more * curvature[i];
      }
      return s;
    }
    template <class Q>
    Q energy(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const {
      const Q square = rod::dot(curvature, curvature), along = stretch[2] - Q(1);
      return Q(factor) / Q(2) * (stretch[0] * stretch[0] + stretch[1] * stretch[1] + along * along) +
             square / Q(2) + square * square / Q(4);
    }
    rod::RestStrain<L> rest() const { return {}; }
  };

  explicit Graded(int elements) : elements_(elements) {}
  Eigen::Index elements() const { return elements_; }
  template <class L>
  Element<L> at(Eigen::Index k) const {
    return {L(1) + L(0.5 / elements_) * rod::lane_index<L>(k)};
  }

 private:
  int elements_;
};

static_assert(rod::VaryingMaterial<Graded> && !rod::Material<Graded> && rod::RodMaterial<Graded>);
static_assert(!rod::VaryingMaterial<rod::CoupledElastic<double>> && !rod::RodMaterial<rod::MidpointStrain>);
static_assert(std::is_same_v<rod::ElementMaterial<Graded>, Graded::Element<double>>);
static_assert(std::is_same_v<rod::ElementMaterial<rod::LinearElastic<float>>, rod::LinearElastic<float>>);

TEST_CASE("a rod is made of a varying material of one's own", "[rod][varying]") {
  using R = rod::Rod<Graded>;
  R::Parameters p{.elements = 19, .length = 1.0, .inertia = {0.5, V(0.01, 0.01, 0.02)}};
  const R model(Graded(19), p);
  test::Random random(test::seed());
  const auto chain = test::random_chain(model, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  auto f = rod::zero_columns<double, 6>(model.nodes());
  REQUIRE(model.forces(chain, f));
  // the loads of the elements, one by one
  rod::Columns<double, 6> want = rod::Columns<double, 6>::Zero(f.rows(), 6);
  for (Eigen::Index k = 0; k < 19; ++k) {
    const auto loads = rod::MidpointStrain::loads(R::pose(chain, k), model.material_at(k), model.spacing());
    for (int i = 0; i < 3; ++i) {
      want(k, i) += loads.force[i];
      want(k + 1, i) -= loads.force[i];
      want(k, 3 + i) += loads.torque0[i];
      want(k + 1, 3 + i) += loads.torque1[i];
    }
    CHECK(model.stress(chain, k).force[0] ==
          Approx((1 + 0.5 * static_cast<double>(k) / 19) * model.strain(chain, k).stretch[0]));
  }
  CHECK((f - want).topRows(20).abs().maxCoeff() < 1e-12);
}

TEST_CASE("the tangent of a varying material of one's own is found by derivatives", "[rod][varying]") {
  const Graded material(4);
  const auto element = material.at<double>(3);
  const V stretch(0.1, 0.2, 1.1), curvature(0.3, -0.4, 0.5);
  const Mat<double, 6, 6> k = rod::material_tangent(element, stretch, curvature);
  CHECK(k(0, 0) == Approx(1.375));
  CHECK(k(3, 3) == Approx(1 + 0.5 + 2 * 0.09));
  CHECK(k(3, 4) == Approx(2 * 0.3 * -0.4));
  CHECK(k(0, 3) == 0);
}

}  // namespace element_material_test
