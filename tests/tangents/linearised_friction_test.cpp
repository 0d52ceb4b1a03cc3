// A ball whose slip takes a force in proportion, in small motions.

#include <cmath>
#include <complex>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/modes/highest_frequency.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/modes/modes.hpp>

#include "support/catch.hpp"
#include "support/linear_motion.hpp"

namespace linearised_friction_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using test::error_of_motion;

/// Of springs k along a plane.
struct SpringAlong {
  double k;
  V normal;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    const V r = at.position(0), along = r - r.dot(normal) * normal;
    for (int i = 0; i < 3; ++i) f(0, i) -= k * along[i];
  }
};

TEST_CASE("friction of contacts damps small motions", "[tangents][modes][friction]") {
  // a ball on a plane, its centre on springs k along it: the slip v − w, w = a times the spin, takes (v − w)/ε
  const double k = 30, m = 0.3, a = 0.1, inertia = 0.4 * m * a * a;
  for (const double epsilon : {5.0, 0.4, 0.02}) {
    CAPTURE(epsilon);
    const double c = 1 / epsilon, rotary = inertia / (a * a);
    Eigen::Matrix3d matrix;
    matrix << 0, 1, 0, -k / m, -c / m, c / m, 0, c / rotary, -c / rotary;
    const Eigen::Vector3cd values = Eigen::EigenSolver<Eigen::Matrix3d>(matrix, false).eigenvalues();
    const V normal = V(0.2, -0.3, 1).normalized();
    const Body ball{{.mass = m, .inertia = {inertia, inertia, inertia}, .gravity = -9.81 * normal}};
    const contact::RollingOnPlane<double> rolling{{0}, a, {V(0, 0, 0), normal, V(0, 0, 0)}};
    const Assembly problem{bodies(std::vector{WithLoad(ball, SpringAlong{k, normal})}),
                           constraints(std::vector{contact::with_friction(rolling, epsilon)})};
    const auto x = problem.state({ball.at(a * normal, SO3<double>::exp(V(0.1, 0.2, 0.3)))});
    for (const Complex& s : values) {
      if (std::abs(s) < 1e-8) continue;  // an equilibrium near by
      CAPTURE(s);
      const auto found =
          linearization(problem, x, {.count = 1, .shift = s * Complex(1.03, 0.02) + Complex(0, 1e-3)});
      CHECK(std::abs(found[0].eigenvalue - s) < 1e-8 * std::abs(s));
      CHECK(error_of_motion(problem, x, found[0]) < 1e-5);
    }
    // its frequency without friction is what its modes and the longest step know
    CHECK_THAT(modes(problem, x, {.count = 1, .shift = 1.02 * k / m})[0].square, WithinRel(k / m, 1e-9));
    CHECK_THAT(highest_frequency(problem, x), WithinRel(std::sqrt(k / m), 1e-6));
  }
}

}  // namespace linearised_friction_test
