// Rods and balls on surfaces of any kind.

#include <dalembert/contact/surface.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace surface_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Curve = contact::CurveMarker<double>;

/// An arc that bends away from the plane z = 0, turned at will.
struct Arc {
  Rod rod = test::soft_rod<Rod>(0.02, 24);
  V normal = V(0.2, -0.4, 0.8).normalized();
  rod::Chain<double> chain{25};

  explicit Arc(double up) {
    const V along = normal.cross(V(1, 0.3, 0)).normalized(), across = normal.cross(along);
    test::Random random(test::seed());
    for (Eigen::Index k = 0; k <= 24; ++k) {
      const double s = static_cast<double>(k) / 24 - 0.45, angle = -up * s / 0.7;
      Mat<double, 3> frame;  // the third axis along the rod
      const V tangent = std::cos(angle) * along - std::sin(angle) * normal;
      frame << across, tangent.cross(across), tangent;
      const V r = 0.7 * std::sin(s / 0.7) * along + up * 0.7 * (1 - std::cos(s / 0.7)) * normal;
      chain.set_frame(k, test::rotation<double>(frame), V(r + 0.02 * normal));
      chain.set_velocity(k, random.vector<double>(), random.vector<double>());
    }
  }
};

TEST_CASE("an arc on a plane moves as on a sphere that is large", "[contact]") {
  const Arc arc(1);
  const double huge = 1e6;
  const auto check = [&](const auto& on_plane, const auto& on_sphere) {
    const Assembly one{bodies(std::vector{arc.rod}), constraints(std::vector{on_plane})};
    const Assembly other{bodies(std::vector{arc.rod}), constraints(std::vector{on_sphere})};
    const Vec<double, 1> start(0.5);
    auto x = one.state({arc.chain}, start), y = other.state({arc.chain}, start);
    one.project(x);
    other.project(y);
    CHECK(std::abs(x.z[0] - y.z[0]) < 1e-6);
    CHECK(std::abs(x.z[0] - 0.45) < 0.03);
    auto r = one.make_rates();
    auto q = other.make_rates();
    one.rates(x, r);
    other.rates(y, q);
    const double size = r.xidot[0].abs().maxCoeff();
    CHECK((r.xidot[0] - q.xidot[0]).abs().maxCoeff() < 1e-4 * size);
    CHECK((r.lambda - q.lambda).norm() < 1e-4 * r.lambda.norm());
    CHECK(std::abs(r.zdot[0] - q.zdot[0]) < 1e-4 * std::abs(r.zdot[0]));
  };
  const V below = -huge * arc.normal;
  const Curve place{0, arc.rod, 0.1};
  check(contact::RollingOnPlane<double, Curve>{place, 0.02, {V::Zero(), arc.normal, V::Zero()}, true},
        contact::RollingOnCylinder<double>{place, 0.02, {huge, below, V::Zero()}, true});
  check(contact::SlidingOnPlane<double, Curve>{place, 0.02, {V::Zero(), arc.normal, V::Zero()}, true},
        contact::SlidingOnCylinder<double>{place, 0.02, {huge, below, V::Zero()}, true});
}

TEST_CASE("an arc that bends towards a plane touches it at no one place", "[contact]") {
  const Arc arc(-1);
  const Assembly problem{bodies(std::vector{arc.rod}),
                         constraints(std::vector{contact::SlidingOnPlane<double, Curve>{
                             {0, arc.rod, 0.1}, 0.02, {V::Zero(), arc.normal, V::Zero()}, true}})};
  CHECK_THROWS_WITH(problem.state({arc.chain}, Vec<double, 1>(0.45)), ContainsSubstring("ParallelRods"));
}

TEST_CASE("a ball that is fixed beside the centre of its body turns it where its gap closes", "[contact]") {
  const double mass = 2, inertia = 0.5, radius = 0.1, aside = 0.4, open = 1e-7;
  const RigidBody<double> body{{.mass = mass, .inertia = {0.3, inertia, 0.7}}};
  const contact::SlidingOnSurface<double, FrameMarker<double>, contact::Plane<double>> contact{
      {0, 0, {aside, 0, 0}}, radius, {}, true};
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{contact})};
  auto x = problem.state({body.at({0, 0, radius + open})});
  problem.project(x);
  // along M⁻¹Aᵀ:  m Δz = p,  J θ = (d e₁) × (p e₃),  Δz − d θ₂ = −open
  const double p = -open / (1 / mass + aside * aside / inertia);
  CHECK(x[0].position(0)[2] - radius - open == Approx(p / mass).epsilon(1e-6));
  CHECK(x[0].rotation(0).log()[1] == Approx(-aside * p / inertia).epsilon(1e-6));
  CHECK(problem.constraint(x).position < 1e-16);
}

}  // namespace surface_test
