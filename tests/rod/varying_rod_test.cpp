#include <dalembert/rod/varying_rod.hpp>

#include <cmath>
#include <functional>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/joined.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/stiffness.hpp"

namespace varying_rod_test {

using namespace dalembert;
using namespace dalembert::rod;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using R = VaryingRod<double>;
using V = Vec<double, 3>;

/// A rod of one metre with a circular section of this radius along it, clamped at its start.
template <class Rod, class Radius>
Rod round(int elements, const Radius& radius) {
  return varying<Rod>({.elements = elements, .length = 1.0, .start = Boundary<double>::clamped()},
                      [&](double s) { return test::soft_section<double>(radius(s)); });
}

/// f is off `exact` by an error of second order in 1/N, and by less than `error` relatively at N = 64.
void converges(const std::function<double(int)>& f, double exact, double error) {
  const double coarse = f(16) - exact, middle = f(32) - exact, fine = f(64) - exact;
  CAPTURE(coarse, middle, fine, exact);
  CHECK(std::abs(fine) < error * std::abs(exact));
  CHECK_THAT(std::log2(coarse / middle), WithinAbs(2.0, 0.1));
  CHECK_THAT(std::log2(middle / fine), WithinAbs(2.0, 0.1));
}

double deflection(R model, double force) {
  model.set_loads({.finish = {.force = V(force, 0, 0)}});
  auto chain = model.straight(V::Zero(), SO3<double>::identity());
  (void)static_equilibrium(model, chain);
  return chain.position(model.elements())[0] / force;
}

TEST_CASE("a tapered cantilever bends as its closed form says", "[rod][varying][statics]") {
  // r = r₀(1 − 0.3s): ∫(1 − s)²/EI ds = (r₀/r₁)/(3EI₀), ∫1/κGA ds = (r₀/r₁)/κGA₀
  const double radius = 0.02;
  const auto k = test::soft_section<double>(radius).stiffness_diagonal();
  const double force = 1e-6 * k[3];
  converges(
      [&](int n) { return deflection(round<R>(n, [&](double s) { return radius * (1 - 0.3 * s); }), force); },
      (1 / (3 * k[3]) + 1 / k[0]) / 0.7, 1e-3);
}

TEST_CASE("a stepped cantilever bends as its closed form says", "[rod][varying][statics]") {
  // δ/F = 7/24 /EI₁ + 1/24 /EI₂ + ½/κGA₁ + ½/κGA₂, the thinner half outside
  const auto thick = test::soft_section<double>(0.02).stiffness_diagonal(),
             thin = test::soft_section<double>(0.012).stiffness_diagonal();
  const double exact = 7 / (24 * thick[3]) + 1 / (24 * thin[3]) + 0.5 / thick[0] + 0.5 / thin[0];
  converges(
      [&](int n) {
        return deflection(round<R>(n, [](double s) { return s < 0.5 ? 0.02 : 0.012; }), 1e-6 * thick[3]);
      },
      exact, 1e-3);
}

TEST_CASE("a conical bar rings at the frequencies of its closed form", "[rod][varying]") {
  // (A u′)′ + k²A u = 0 with A = (1 − s/2)², u(0) = u′(1) = 0: u = sin(ks)/(1 − s/2), tan k = −k, ω = k √(E/ρ)
  const double speed = std::sqrt(1e6 / 1100.0);
  const auto lowest = [&](int n) {
    const auto bar = round<VaryingCoupledRod<double>>(n, [](double s) { return 0.02 * (1 - s / 2); });
    const Eigen::MatrixXd stiffness =
        test::stiffness_matrix(bar, bar.straight(V::Zero(), SO3<double>::identity()));
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);  // M^(−1/2) K M^(−1/2) of the positions along the bar
    const auto root = [&](Eigen::Index k) { return std::sqrt(bar.inverse_mass(k, 2)); };
    for (Eigen::Index k = 1; k <= n; ++k) {
      a(k - 1, k - 1) = stiffness(6 * k + 2, 6 * k + 2) * root(k) * root(k);
      if (k < n) a(k - 1, k) = a(k, k - 1) = stiffness(6 * k + 2, 6 * k + 8) * root(k) * root(k + 1);
    }
    return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues()[0]) / speed;
  };
  converges(lowest, 2.028757838110434, 1e-3);
}

TEST_CASE("a rod that rests as a clothoid lies still along it", "[rod][varying]") {
  // curvature 4s about e₂: direction (sin 2s², 0, cos 2s²)
  const auto make = [](int n) {
    return varying<R>(
        {.elements = n, .length = 1.0}, [](double) { return test::soft_section<double>(0.01); },
        [](double s) {
          return RestStrain<double>{V(0, 0, 1), V(0, 4 * s, 0)};
        });
  };
  double x = 0;  // the Fresnel integral ∫ sin 2s² ds, by Simpson's rule
  for (int i = 0; i <= 2000; ++i)
    x += (i % 2000 == 0 ? 1 : i % 2 == 1 ? 4 : 2) * std::sin(2 * i * i / 4e6) / 6000;
  const auto shape = [](const R& model) { return rest_shape(model, V::Zero(), SO3<double>::identity()); };
  converges([&](int n) { return shape(make(n)).position(n)[0]; }, x, 1e-3);

  const R model = make(40);
  const assembly::Assembly problem{assembly::bodies(std::vector{model})};
  auto state = problem.state({shape(model)});
  CHECK(problem.energy(state) < 1e-25);
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 100; ++i) REQUIRE(stepper.step(problem, state, 1e-5).converged);
  CHECK((state[0].configuration - shape(model).configuration).topRows(41).abs().maxCoeff() < 1e-12);
  CHECK(state[0].velocity.topRows(41).abs().maxCoeff() < 1e-9);
}

TEST_CASE("a rod rests as a helix where its curvature and twist say so, with either strain rule", "[rod]") {
  const auto check = [](auto model, double error) {
    const int n = model.elements();
    const auto chain = rest_shape(model, V(1, 2, 3), SO3<double>::identity());
    auto f = zero_columns<double, 6>(n + 1);
    REQUIRE(model.forces(chain, f));
    CHECK(f.topRows(n + 1).abs().maxCoeff() < 1e-9);
    // r = r₀ + J_l(sΩ) s e₃, the exact helix of constant (Γ, Ω)
    const V omega(0.5, -1, 2);
    const double a = omega.norm();
    const V e3 = V::UnitZ(), turn = omega.cross(e3);
    const V end = V(1, 2, 3) + e3 + (1 - std::cos(a)) / (a * a) * turn +
                  (a - std::sin(a)) / (a * a * a) * omega.cross(turn);
    CHECK((chain.position(n) - end).norm() < error);
  };
  const auto make = [](auto* type) {
    using Model = std::remove_pointer_t<decltype(type)>;
    const auto section = test::soft_section<double>(0.01);
    return Model(LinearElastic<double>(section.stiffness_diagonal(), {V(0, 0, 1), V(0.5, -1, 2)}),
                 {.elements = 50, .length = 1.0, .inertia = section.inertia()});
  };
  check(make(static_cast<ElasticRod<double>*>(nullptr)), 3e-4);
  check(make(static_cast<Rod<LinearElastic<double>, ForwardStrain>*>(nullptr)), 3e-2);
}

/// A free tapered rod with a curved rest shape in smooth motion.
R curved(int elements) {
  return varying<R>(
      {.elements = elements, .length = 1.0},
      [](double s) { return test::soft_section<double>(0.02 * (1 - s / 2)); },
      [](double s) {
        return RestStrain<double>{V(0, 0, 1), V(2 * s, 1 - s, std::sin(3 * s))};
      });
}

TEST_CASE("verlet keeps the momenta of a free varying rod, and its energy to second order",
          "[rod][varying]") {
  const R model = curved(20);
  const assembly::Assembly problem{assembly::bodies(std::vector{model})};
  auto chain = rest_shape(model, V::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 20; ++k)
    chain.set_velocity(k, V(std::sin(k / 5.0), 0.2, std::cos(k / 7.0)), V(1, std::sin(k / 3.0), 2));
  const auto run = [&](double h, int steps) {
    auto x = problem.state({chain});
    const double energy = problem.energy(x);
    const Vec<double, 6> before = momentum(model, x[0]);
    auto stepper = Verlet{}.stepper(problem, x);
    double most = 0;
    CHECK(test::allocations_during([&] { (void)stepper.step(problem, x, h); }) == 0);
    for (int i = 1; i < steps; ++i) {
      REQUIRE(stepper.step(problem, x, h).converged);
      most = std::max(most, std::abs(problem.energy(x) - energy));
    }
    CHECK((momentum(model, x[0]) - before).norm() < 1e-13);
    return most;
  };
  const double coarse = run(1e-4, 500), fine = run(5e-5, 1000);
  CAPTURE(coarse, fine);
  CHECK_THAT(std::log2(coarse / fine), WithinAbs(2.0, 0.15));
}

TEST_CASE("two varying rods that are joined are the whole, bit for bit", "[rod][varying]") {
  const R whole = curved(24);
  const auto part = [&](int from, int to) {
    R::Parameters p{.elements = to - from, .length = (to - from) * whole.spacing()};
    std::vector<Vec<double, 6>> stiffness;
    std::vector<RestStrain<double>> rest;
    for (int k = from; k < to; ++k) {
      stiffness.push_back(whole.material_at(k).stiffness());
      rest.push_back(whole.material_at(k).rest());
      p.inertias.push_back(whole.section_inertia(k));
    }
    return R(VaryingElastic<double>(stiffness, rest), p);
  };
  const R both = joined(part(0, 9), part(9, 24));
  test::Random random(test::seed());
  const auto chain = test::random_chain(whole, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  auto f = zero_columns<double, 6>(25), g = f;
  REQUIRE((whole.forces(chain, f) && both.forces(chain, g)));
  CHECK((f - g).topRows(25).abs().maxCoeff() < 1e-12 * f.topRows(25).abs().maxCoeff());
  for (Eigen::Index k = 0; k < 25; ++k)
    for (int i = 0; i < 6; ++i)
      CHECK_THAT(both.inverse_mass(k, i), WithinRel(whole.inverse_mass(k, i), 1e-14));
}

TEST_CASE("a section that is wrong somewhere along a rod is refused with its element", "[rod][varying]") {
  CHECK_THROWS_WITH(round<R>(10, [](double s) { return 0.02 * (1 - s) - 0.005; }),
                    ContainsSubstring("varying: element 7 of 10, about s = 0.75 of the length") &&
                        ContainsSubstring("CircularSection: radius = "));
  const auto general = [](double s) {
    return GeneralSection<double>{Mat<double, 6, 6>((0.5 - s) * Mat<double, 6, 6>::Identity()),
                                  {1.0, V(1, 1, 1)}};
  };
  CHECK_THROWS_WITH(
      varying<VaryingCoupledRod<double>>({.elements = 4, .length = 2.0}, general),
      ContainsSubstring("VaryingCoupled: element 1 of 4") && ContainsSubstring("positive definite"));
  CHECK_THROWS_WITH(varying<VaryingCoupledRod<double>>({.elements = 1, .length = 2.0}, general),
                    ContainsSubstring("elements = 1"));
}

}  // namespace varying_rod_test
