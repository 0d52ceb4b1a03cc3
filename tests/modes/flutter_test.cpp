// Linear motions of columns under loads that follow them and of a ring on a plane, against published and closed values.

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/stiffness.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace flutter_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;

/// The largest growth of a column of EI = 1, length 1 and mass 1 under a thrust at its tip that follows it,
/// with internal damping η in bending.
double growth_of_column(double thrust, double eta) {
  using Rod = rod::ElasticRod<double>;
  Rod::Parameters p;
  p.elements = 64;
  p.length = 1.0;
  p.inertia = {1.0, Vec<double, 3>(1e-6, 1e-6, 2e-6)};
  p.start = rod::Boundary<double>::clamped();
  p.loads.finish.follower_force = Vec<double, 3>(0, 0, -thrust);
  Vec<double, 6> stiffness, damping = Vec<double, 6>::Zero();
  stiffness << 1e6, 1e6, 1e6, 1.0, 4.0, 1.0;  // it bends about the first axis
  damping[3] = eta;
  damping[4] = 4 * eta;
  const Rod rod(rod::LinearElastic<double>(stiffness), p);
  const Assembly problem{bodies(std::vector{WithLoad(rod, rod::KelvinVoigt<double>(damping))})};
  const auto x =
      problem.state({rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity(), 1 - thrust / 1e6)});
  double most = -HUGE_VAL;
  for (const auto& motion : linearization(problem, x, {.count = 4, .shift = Complex(0.1, 11)}))
    most = std::max(most, motion.growth());
  return most;
}

TEST_CASE("a column under a load that follows it flutters beyond Beck's load", "[assembly][modes]") {
  CHECK(std::abs(growth_of_column(20.00, 0)) < 1e-3);
  // beyond the load at which two frequencies meet, growth goes with the root of the excess
  const double one = growth_of_column(20.2, 0), two = growth_of_column(20.4, 0);
  CHECK(one > 0.5);
  const double critical = (20.2 * two * two - 20.4 * one * one) / (two * two - one * one);
  CHECK_THAT(critical, WithinRel(20.0510, 2e-3));
}

TEST_CASE("internal damping lets Beck's column flutter under half of that load",
          "[assembly][modes][damping]") {
  // The roots of EI(1 + ηs)w'''' + Pw'' + s²w = 0 with w = w' = 0 at the start and w'' = w''' = 0 at the tip
  // cross the imaginary axis at P = 10.9388 for η → 0 (Bolotin 1963: 10.94), and at 10.9661 for η = 0.01.
  for (const auto& [eta, critical] : {std::pair{1e-4, 10.9388}, std::pair{1e-2, 10.9661}}) {
    CAPTURE(eta);
    const double below = growth_of_column(10.8, eta), above = growth_of_column(11.1, eta);
    CHECK(below < -0.05 * eta);
    CHECK(above > 0.05 * eta);
    CHECK_THAT(10.8 + 0.3 * below / (below - above), WithinRel(critical, 2e-3));
  }
}

TEST_CASE("a ring that rolls on a plane about its own centreline swings as its bending has it",
          "[assembly][modes]") {
  // every section rolls by φ: the ring widens by aφ and turns out of its plane, φ̈ = −(2/3)(E/ρ)φ/ρ₀² for any polygon of nodes
  using Rod = rod::ElasticRod<double>;
  const int n = 24;
  const double h = 0.005, a = 0.005, radius = h / (2 * std::sin(M_PI / n));
  Rod::Parameters p;
  p.elements = n;
  p.length = n * h;
  const auto section = test::soft_section<double>(a);
  p.inertia = section.inertia();
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  rod::Chain<double> chain(n + 1);
  for (int k = 0; k <= n; ++k) {
    const double angle = 2 * M_PI * k / n;
    Mat<double, 3> frame;  // outwards, up, along
    frame << std::cos(angle), 0, -std::sin(angle), std::sin(angle), 0, std::cos(angle), 0, -1, 0;
    frame.col(1) = frame.col(2).cross(frame.col(0));
    chain.set_frame(k, SO3<double>::from_matrix(frame),
                    {radius * std::cos(angle), radius * std::sin(angle), a});
  }
  std::vector<contact::RollingOnPlane<double>> contacts;
  for (int k = 0; k < n; ++k)
    contacts.push_back({.marker = {0, k}, .radius = a, .surface = {}, .bilateral = true});
  const Assembly problem{bodies(std::vector{rod}),
                         constraints(contacts, std::vector{Weld<double>{{0, n}, {0, 0}}})};
  const auto x = problem.state({chain});
  const double square = 2.0 / 3 * 1e6 / 1100 / (radius * radius);
  const auto found = modes(problem, x, {.count = 1, .shift = square * 1.001});
  CHECK_THAT(found[0].square, WithinRel(square, 1e-8));
  const auto motion = linearization(problem, x, {.count = 1, .shift = Complex(0.1, std::sqrt(square))});
  CHECK(std::abs(motion[0].eigenvalue - Complex(0, std::sqrt(square))) < 1e-8 * std::sqrt(square));
}

}  // namespace flutter_test
