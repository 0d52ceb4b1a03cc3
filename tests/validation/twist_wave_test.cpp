// Twist waves of a straight rod that rolls on a plane. With the angle φ about the tangent, the displacement aφ across it that rolling asks for,
// and the angle θ of the section about the normal of the plane, per unit length
//   2T = (3/2) ρA a² φ̇² + ρI θ̇²,   2V = GJ φ′² + κGA (aφ′ − θ)² + EI θ′²                                           (1)
// so that waves φ = cos(kx) cos(ωt), θ = Θ sin(kx) cos(ωt) have
//   [(3/2) ρA a² ω² − (GJ + κGA a²) k²] [ρI ω² − EI k² − κGA] = (κGA a k)²                                          (2)
// Long ones run at √(G/3ρ), where those of a rod that is off the plane run at √(G/ρ).

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"

namespace twist_wave_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Section = rod::CircularSection<double>;
using OnPlane = contact::RollingOnPlane<double>;
using Vec3 = Vec<double, 3>;

const double a = 0.005, k = 2 * M_PI;
const Section section({.radius = a, .young = 1e6, .poisson = 0.49, .density = 1100, .shear_factor = 0.9});

/// A wave of equation (2).
struct Wave {
  double frequency;  ///< ω of the lower branch [rad/s]
  double turn;       ///< Θ
};

Wave wave() {
  const Vec<double, 6> stiffness = section.stiffness_diagonal();
  const double shear = stiffness[0], bending = stiffness[3], twist = stiffness[5];
  const double mass = 1.5 * section.inertia().mass * a * a, rotary = section.inertia().rotary[0];
  // mass·rotary·x² − (mass·across + rotary·along) x + along·across − coupling² = 0 for x = ω²
  const double along = (twist + shear * a * a) * k * k, across = bending * k * k + shear;
  const double coupling = shear * a * k;
  const double half = (mass * across + rotary * along) / 2;
  const double free = along * across - coupling * coupling;
  const double x = free / (half + std::sqrt(half * half - mass * rotary * free));
  return {std::sqrt(x), -coupling / (across - rotary * x)};
}

/// The relative error of the frequency of a rod of n elements that starts as the wave has it.
double frequency_error(int n) {
  Rod::Parameters p{.elements = n, .length = 1, .inertia = section.inertia()};
  // at the ends φ′ = θ = 0: the rotation about the first body axis, the normal, is held
  p.start = p.finish = rod::Boundary<double>::degrees({false, false, false, true, false, false});
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  std::vector<OnPlane> contacts;
  for (Eigen::Index i = 0; i <= n; ++i) contacts.push_back({{0, i}, a, {}, true});
  const Assembly problem{bodies(std::vector{rod}), constraints(contacts)};
  // along x on the plane z = 0; axes: the normal, across, the tangent
  Mat<double, 3> axes;
  axes << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  const auto [exact, turn] = wave();
  const double amplitude = 1e-4;
  rod::Chain<double> chain(n + 1);
  for (Eigen::Index i = 0; i <= n; ++i) {
    const double s = rod.spacing() * static_cast<double>(i);
    const double phi = amplitude * std::cos(k * s), theta = amplitude * turn * std::sin(k * s);
    chain.set_frame(i, SO3<double>::from_matrix(axes) * SO3<double>::exp(Vec3(-theta, 0, phi)),
                    Vec3(s, -a * phi, a));
  }
  auto x = problem.state({chain});
  const double energy = problem.energy(x);
  // φ, weighed with the wave, passes through zero at a quarter of each period
  const auto angle = [&] {
    double sum = 0;
    for (Eigen::Index i = 0; i <= n; ++i)
      sum -= x[0].position(i)[1] * std::cos(k * rod.spacing() * static_cast<double>(i));
    return sum;
  };
  const double h = 1e-4;
  auto stepper = Verlet{}.stepper(problem, x);
  double before = angle(), now = before;
  bool converged = true;
  while (now > 0 && x.time < 0.1) {
    before = now;
    converged = stepper.step(problem, x, h).converged && converged;
    now = angle();
  }
  CHECK(converged);
  CHECK(problem.constraint(x).velocity < 1e-16);
  CHECK(problem.constraint(x).position < 1e-17);
  CHECK(std::abs(problem.energy(x) / energy - 1) < 1e-3);
  const double quarter = x.time - h * now / (now - before);
  return M_PI / (2 * quarter) / exact - 1;
}

TEST_CASE("the twist wave of a rolling rod has its own frequency", "[validation][contact][plane]") {
  CHECK(wave().frequency == Approx(63.401268).epsilon(1e-8));
  REQUIRE(wave().turn < 0);
  const double coarse = frequency_error(50), fine = frequency_error(100);
  CAPTURE(coarse, fine);
  CHECK(std::abs(fine) < 3e-4);
  CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.15);
}

}  // namespace twist_wave_test
