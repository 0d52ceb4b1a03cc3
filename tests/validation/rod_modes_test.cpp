// Natural frequencies of rods against closed forms and published values, with their order of convergence.

#include <cmath>
#include <functional>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"

namespace rod_modes_test {

using namespace dalembert;
using namespace dalembert::assembly;
using rod::Boundary;
using rod::LinearElastic;
using R = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double pi_ = static_cast<double>(pi);

/// GA, EA, EI, GJ [N, N m²].
LinearElastic<double> material(double shear, double stretch, double bending, double twist) {
  Vec<double, 6> k;
  k << shear, shear, stretch, bending, bending, twist;
  return LinearElastic<double>(k);
}

/// ω² of the lowest modes of a rod by itself, about the state given.
std::vector<double> squares(const R& rod, const rod::Chain<double>& chain, int count) {
  const Assembly problem{bodies(std::vector{rod})};
  std::vector<double> found;
  for (const auto& mode : modes(problem, problem.state({chain}), {.count = count})) {
    CHECK(mode.residual < 1e-6);
    found.push_back(mode.square);
  }
  return found;
}

TEST_CASE(
    "a cantilever bends at the frequencies of Timoshenko's beam, and stretches and twists at those of waves",
    "[validation][modes]") {
  const double young = 1e5, density = 2000.0, poisson = 0.3;
  const rod::CircularSection<double> section(
      {.radius = 0.02, .young = young, .poisson = poisson, .density = density, .shear_factor = 0.9});
  const auto frequencies = [&](int n) {
    R::Parameters p;
    p.elements = n;
    p.length = 1.0;
    p.inertia = section.inertia();
    p.start = Boundary<double>::clamped();
    const R rod(LinearElastic<double>(section.stiffness_diagonal()), p);
    std::vector<double> all = squares(rod, rod.straight(V::Zero(), SO3<double>::identity()), 10);
    for (double& x : all) x = std::sqrt(x);
    return all;
  };
  const std::vector<double> coarse = frequencies(16), middle = frequencies(32), fine = frequencies(64);
  const std::vector<double> published{0.248395, 0.248395, 1.54835, 1.54835, 4.29874,
                                      4.29874,  0,        8.3225,  8.3225};
  const std::vector<double> limits{1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 0, 1e-5, 1e-5};
  for (std::size_t i = 0; i < 9; ++i) {
    CAPTURE(i);
    if (i == 6) continue;
    CHECK_THAT(fine[i], WithinRel(published[i], 1e-3));
    CHECK_THAT((4 * fine[i] - middle[i]) / 3, WithinRel(published[i], limits[i]));
    CHECK_THAT(std::log2((middle[i] - coarse[i]) / (fine[i] - middle[i])), WithinAbs(2.0, 0.15));
  }
  // a lumped chain has waves of frequency (2c/h) sin(kh/2)
  const double torsion = std::sqrt(young / (2 * (1 + poisson)) / density),
               stretch = std::sqrt(young / density);
  CHECK_THAT(fine[6], WithinRel(128 * torsion * std::sin(pi_ / 4 / 64), 1e-8));
  CHECK_THAT(fine[9], WithinRel(128 * stretch * std::sin(pi_ / 4 / 64), 1e-8));
}

TEST_CASE("a free thin rod has six rigid modes, then those of Euler and Bernoulli", "[validation][modes]") {
  const auto lowest = [&](int n) {
    R::Parameters p;
    p.elements = n;
    p.length = 1.0;
    p.inertia = {1.0, V(1e-8, 1e-8, 2e-8)};
    const R rod(material(1e6, 1e6, 1.0, 1.0), p);
    return squares(rod, rod.straight(V(1, 2, 3), SO3<double>::exp(V(0.3, 0.2, 0.1))), 10);
  };
  const std::vector<double> middle = lowest(32), fine = lowest(64);
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(fine[i]) < 1e-3);
  const double beta[] = {4.7300407449, 4.7300407449, 7.8532046241, 7.8532046241};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_THAT(fine[6 + i], WithinRel(std::pow(beta[i], 4), 5e-3));
    CHECK_THAT((4 * fine[6 + i] - middle[6 + i]) / 3, WithinRel(std::pow(beta[i], 4), 1e-4));
  }
}

TEST_CASE("a stretched thin rod swings like a string", "[validation][modes]") {
  const double stretch = 1.02, modulus = 1e5, tension = modulus * (stretch - 1), bending = 1e-2;
  const auto lowest = [&](int n) {
    R::Parameters p;
    p.elements = n;
    p.length = 1.0;
    p.inertia = {2.0, V(1e-6, 1e-6, 2e-6)};
    p.start = Boundary<double>::degrees({true, true, true, false, false, true});
    p.finish = Boundary<double>::pinned();
    const R rod(material(modulus, modulus, bending, 10.0), p);
    return squares(rod, rod.straight(V::Zero(), SO3<double>::identity(), stretch), 6);
  };
  const std::vector<double> coarse = lowest(32), fine = lowest(64);
  for (const int wave : {1, 2, 3}) {
    const double k = wave * pi_,
                 exact = (tension / stretch * k * k + bending / (stretch * stretch) * k * k * k * k) / 2.0;
    for (const int one : {0, 1}) {
      const auto i = static_cast<std::size_t>(2 * wave - 2 + one);
      CHECK_THAT((4 * fine[i] - coarse[i]) / 3, WithinRel(exact, 1e-4));
    }
  }
}

TEST_CASE("a thin rod that hangs swings at the zeros of Bessel's function", "[validation][modes]") {
  const double gravity = 9.81, length = 2.0;
  const auto lowest = [&](int n) {
    R::Parameters p;
    p.elements = n;
    p.length = length;
    p.inertia = {1.0, V(1e-8, 1e-8, 2e-8)};
    p.start = Boundary<double>::degrees({true, true, true, false, false, true});
    p.loads.gravity = V(0, 0, gravity);  // along the rod
    const R rod(material(1e6, 1e6, 1e-4, 1e3), p);
    rod::Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
    const Assembly problem{bodies(std::vector{rod})};
    auto x = problem.state({chain});
    (void)static_equilibrium(problem, x);
    return squares(rod, x[0], 6);
  };
  const std::vector<double> coarse = lowest(64), fine = lowest(128);
  const double zeros[] = {2.4048255577, 5.5200781103, 8.6537279129};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i, coarse[i], fine[i]);
    const double exact = gravity / length * std::pow(zeros[i / 2] / 2, 2);
    CHECK_THAT((4 * fine[i] - coarse[i]) / 3, WithinRel(exact, 2e-3));
  }
}

/// A straight rod of length 1 bent into a ring and closed by a weld, with a twist of its ends against each other, and its equilibrium.
struct Ring {
  R rod;
  Assembly<Kinds<R>, Kinds<Weld<double>>> problem;
  assembly::State<double> x;

  Ring(int n, const LinearElastic<double>& material, double twist)
      : rod(make(n, material)),
        problem{bodies(std::vector{rod}),
                constraints(std::vector{Weld<double>{
                    {0, n}, {0, 0, V::Zero(), SO3<double>::exp(V(0, 0, std::remainder(twist, 2 * pi_)))}}})},
        x(problem.state({bent(n, twist)})) {
    (void)static_equilibrium(problem, x);
  }
  static R make(int n, const LinearElastic<double>& material) {
    R::Parameters p;
    p.elements = n;
    p.length = 1.0;
    p.inertia = {1.0, V(1e-3, 1e-3, 2e-3)};
    return R(material, p);
  }
  static rod::Chain<double> bent(int n, double twist) {
    rod::Chain<double> chain(n + 1);
    const double radius = 0.5 / n / std::sin(pi_ / n);
    for (int k = 0; k <= n; ++k) {
      const double angle = 2 * pi_ * k / n;
      Mat<double, 3> frame;  // outwards, across, along
      frame << std::cos(angle), 0, -std::sin(angle), std::sin(angle), 0, std::cos(angle), 0, -1, 0;
      frame.col(1) = frame.col(2).cross(frame.col(0));
      chain.set_frame(k, SO3<double>::from_matrix(frame) * SO3<double>::exp(V(0, 0, twist * k / n)),
                      radius * V(std::cos(angle), std::sin(angle), 0));
    }
    return chain;
  }
};

TEST_CASE("a twisted ring buckles at Michell's twist", "[validation][modes]") {
  const double bending = 1.3, torsion = 1.0;
  const auto stiffness = material(1e8, 1e8, bending, torsion);
  // Six rigid motions and a rotation of all sections about the centreline cost nothing; two modes more become unstable together.
  const auto lowest = [&](int n, double twist) {
    const Ring ring(n, stiffness, twist);
    double sum = 0;
    for (const auto& mode : modes(ring.problem, ring.x, {.count = 9})) sum += mode.square / 2;
    return sum;
  };
  const double exact = 2 * pi_ * std::sqrt(3.0) * bending / torsion;
  const auto critical = [&](int n) {
    double a = 0.99 * exact, b = 1.01 * exact, at_a = lowest(n, a), at_b = lowest(n, b);
    CHECK(at_a > 0);
    CHECK(at_b < 0);
    for (int i = 0; i < 2; ++i) {
      const double c = b - at_b * (b - a) / (at_b - at_a), at_c = lowest(n, c);
      a = b, at_a = at_b, b = c, at_b = at_c;
    }
    return b;
  };
  const double coarse = critical(64), middle = critical(128), fine = critical(256);
  CAPTURE(coarse / exact - 1, middle / exact - 1, fine / exact - 1);
  CHECK_THAT(fine, WithinRel(exact, 1e-4));
  CHECK_THAT((4 * fine - middle) / 3, WithinRel(exact, 1e-5));
  CHECK_THAT(std::log2((middle - coarse) / (fine - middle)), WithinAbs(2.0, 0.1));
}

}  // namespace rod_modes_test
