#include <dalembert/rod/frequency.hpp>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include <Eigen/Eigenvalues>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace frequency_test {
using V = Vec<double, 3>;
using Chain = rod::Chain<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Matrix = Mat<double, Eigen::Dynamic, Eigen::Dynamic>;

/// The highest frequency of the whole chain: all loads differentiated by all displacements, held degrees left out.
template <class R>
double highest_frequency(const R& rod, const Chain& chain) {
  const Eigen::Index n = 6 * rod.nodes();
  const double by = 1e-6;
  const auto loads = [&](Eigen::Index j, double step) {
    Chain moved = chain;
    const Eigen::Index k = j / 6;
    if (j % 6 < 3) {
      moved.configuration(k, j % 6) += step;
    } else {
      V turn = V::Zero();
      turn[j % 6 - 3] = step;
      moved.set_frame(k, moved.rotation(k) * SO3d::exp(turn), moved.position(k));
    }
    rod::Columns<double, 6> f = rod::Columns<double, 6>::Zero(rod::padded_rows<double>(rod.nodes()), 6);
    rod.forces(moved, f);
    Column all(n);
    for (Eigen::Index i = 0; i < n; ++i) all[i] = f(i / 6, i % 6);
    return all;
  };
  Matrix k(n, n);
  Column per_root_mass(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    k.col(j) = (loads(j, -by) - loads(j, by)) / (2 * by);
    const int degree = static_cast<int>(j % 6);
    per_root_mass[j] = rod.held(j / 6, degree) ? 0 : std::sqrt(rod.inverse_mass(j / 6, degree));
  }
  const Matrix a = per_root_mass.asDiagonal() * (0.5 * (k + k.transpose())) * per_root_mass.asDiagonal();
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff());
}

template <class R>
R rod_of(const rod::Boundary<double>& start, const rod::Boundary<double>& finish, double radius, int elements,
         double end_mass = 0.5) {
  typename R::Parameters p;
  p.start = start;
  p.finish = finish;
  p.end_mass_fraction = end_mass;
  return test::soft_rod<R>(radius, elements, p);
}

TEST_CASE("the frequency bound of a straight circular rod is Irons's, and held ends lie below it",
          "[frequency]") {
  using Rod = rod::ElasticRod<double>;
  for (const double radius : {0.005, 0.05, 0.3})
    for (const int elements : {5, 20}) {
      const Rod free = test::soft_rod<Rod>(radius, elements);
      const double h = free.spacing(), e = 1e6, g = e / (2 * 1.49), rho = 1100, shear = 0.9;
      const double square =
          std::max(4 * e / (rho * h * h), 4 * shear * g / rho * (1 / (h * h) + 1 / (radius * radius)));
      const Chain chain = free.straight(V::Zero(), SO3d::identity());
      const double bound = rod::frequency_bound(free, chain);
      CAPTURE(radius, elements);
      CHECK(bound >= std::sqrt(square) * (1 - 1e-8));
      CHECK(bound <= std::sqrt(square) * 1.006);
      for (const auto& end : {rod::Boundary<double>::free(), rod::Boundary<double>::clamped()}) {
        const Rod rod = rod_of<Rod>(end, end, radius, elements);
        const double highest = highest_frequency(rod, chain);
        CHECK(bound >= highest * (1 - 1e-8));
        CHECK(bound <= highest * 1.08);
      }
    }
}

TEST_CASE("the frequency bound of a rod goes with the root of its stiffness, however soft", "[frequency]") {
  using Rod = rod::ElasticRod<double>;
  const Rod rod = test::soft_rod<Rod>(0.02, 5);
  const Chain chain = rod.straight(V::Zero(), SO3d::identity());
  const double bound = rod::frequency_bound(rod, chain);
  for (const double factor : {1e-20, 1e-8, 1e12}) {
    const Rod other(
        rod::LinearElastic<double>(factor * test::soft_section<double>(0.02).stiffness_diagonal()),
        rod.parameters());
    CHECK(rod::frequency_bound(other, chain) == Approx(std::sqrt(factor) * bound).epsilon(1e-9));
  }
}

TEMPLATE_TEST_CASE("the frequency bound of bent, twisted, sheared and stretched rods is near", "[frequency]",
                   rod::MidpointStrain, rod::ForwardStrain) {
  using Rod = rod::Rod<rod::LinearElastic<double>, TestType>;
  test::Random random(test::seed());
  for (const double bend : {0.4, 2.0})
    for (const double radius : {0.005, 0.08}) {
      const auto free = rod::Boundary<double>::free();
      const Rod model = rod_of<Rod>(free, free, radius, 12, bend > 1 ? 0.5 : 1.0);
      test::Wildness wild;
      wild.bend = bend;
      wild.stretch = 1.3;
      const Chain chain = test::random_chain(model, Mat<double, 3>::Identity(), random, wild);
      const double bound = rod::frequency_bound(model, chain);
      const double highest = highest_frequency(model, chain);
      CAPTURE(bend, radius, bound / highest);
      CHECK(bound >= highest * (1 - 1e-8));
      CHECK(bound <= highest * 1.1);
    }
}

/// Pieces of unlike thickness and stiffness, as a rod of which every element is of a material of its own.
struct Pieces {
  using Scalar = double;
  using Strains = rod::MidpointStrain;
  std::vector<rod::CoupledElastic<double>> materials;
  std::vector<Vec<double, 6>> masses;

  static rod::ElementPose<double> pose(const Chain& chain, Eigen::Index k) {
    return rod::ElasticRod<double>::pose(chain, k);
  }
  double spacing() const { return 0.05; }
  const rod::CoupledElastic<double>& material_at(Eigen::Index k) const {
    return materials[static_cast<std::size_t>(k)];
  }
  double inverse_mass(Eigen::Index k, int i) const { return 1 / masses[static_cast<std::size_t>(k)][i]; }
};

TEST_CASE("the shares of elements bound a chain whose stiffness couples and jumps to a fifth",
          "[frequency]") {
  test::Random random(test::seed());
  const int elements = 10;
  for (int trial = 0; trial < 12; ++trial) {
    const double spread = trial % 3 == 0 ? 0.3 : trial % 3 == 1 ? 1.5 : 3.0;
    Pieces rod;
    rod.masses.assign(elements + 1, Vec<double, 6>::Zero());
    for (int k = 0; k < elements; ++k) {
      const double a = 0.01 * std::exp(spread * random() / 2), young = 1e6 * std::exp(spread * random());
      const double area = M_PI * a * a, second = area * a * a / 4;
      Vec<double, 6> diagonal, mass;
      diagonal << 0.3 * young * area, 0.3 * young * area, young * area, young * second, young * second,
          0.7 * young * second;
      mass << area, area, area, second, second, 2 * second;
      Mat<double, 6, 6> stiffness = diagonal.asDiagonal();
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < i; ++j)
          stiffness(i, j) = stiffness(j, i) = 0.15 * random() * std::sqrt(diagonal[i] * diagonal[j]);
      rod.materials.emplace_back(stiffness);
      for (std::size_t end : {0u, 1u}) rod.masses[static_cast<std::size_t>(k) + end] += 1000 * 0.025 * mass;
    }
    Chain chain(elements + 1);
    SO3d frame = SO3d::exp(random.vector<double>());
    V at = V::Zero();
    for (int k = 0; k <= elements; ++k) {
      chain.set_frame(k, frame, at);
      const SO3d next = frame * SO3d::exp(0.1 * (trial % 4) * random.vector<double>());
      at += 0.05 * frame.act(V(0, 0, 1) + 0.05 * random.vector<double>());
      frame = next;
    }
    double bound = 0;
    Matrix k = Matrix::Zero(6 * elements + 6, 6 * elements + 6);
    using Twelve = Vec<double, 12>;
    std::vector<rod::detail::ScaledElement<double>> all;
    std::vector<Twelve> stiffness{Twelve::Zero()};  // and none at either end
    for (int e = 0; e < elements; ++e) {
      all.emplace_back(rod, chain, e);
      stiffness.push_back(all.back().stiffness);
      k.block<12, 12>(6 * e, 6 * e) += all.back().hessian;
    }
    stiffness.push_back(Twelve::Zero());
    for (std::size_t e = 0; e < elements; ++e)
      bound = std::max(bound, all[e].bound(stiffness[e], stiffness[e + 2]));
    const double highest =
        Eigen::SelfAdjointEigenSolver<Matrix>(k, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
    CAPTURE(trial, spread, std::sqrt(bound / highest));
    CHECK(bound >= highest * (1 - 1e-9));
    CHECK(bound <= 1.44 * highest);
  }
}

TEST_CASE("explicit methods are stable up to their limit on the bound, and beyond it they are refused",
          "[frequency]") {
  using Rod = rod::ElasticRod<double>;
  const assembly::Assembly problem{assembly::bodies(std::vector{test::soft_rod<Rod>(0.02, 10)})};
  test::Random random(test::seed());
  test::Wildness wild;
  wild.strain = wild.speed = wild.spin = 1e-3;
  wild.stretch = 1;
  wild.bend = 0;
  const auto start =
      problem.state({test::random_chain(problem.bodies<0>()[0], Mat<double, 3>::Identity(), random, wild)});
  const double bound = problem.frequency_bound(start);
  const double highest = highest_frequency(problem.bodies<0>()[0], start[0]);
  const auto grows = [&](const auto& method, double step) {  // the energy, by a factor of two, in 1000 steps
    auto x = start;
    const double before = problem.energy(x);
    try {
      drive(method, problem, x, {.step = step, .until = 1000 * step, .beyond_stability = true});
    } catch (const IntegrationFailure&) {
      return true;
    }
    return !(problem.energy(x) < 2 * before);
  };
  const auto is_refused = [&](const auto& method, double step) {
    auto x = start;
    try {
      drive(method, problem, x, {.step = step, .until = 3 * step});
    } catch (const std::invalid_argument& e) {
      CHECK_THAT(e.what(),
                 Catch::Matchers::ContainsSubstring("omega = " + std::to_string(bound).substr(0, 4)));
      return true;
    }
    return false;
  };
  const auto look = [&](const auto& method, double limit) {
    CAPTURE(limit, bound, highest);
    CHECK_FALSE(grows(method, 0.999 * limit / bound));
    CHECK(grows(method, 1.03 * limit / highest));
    CHECK_FALSE(is_refused(method, 0.999 * limit / bound));
    CHECK(is_refused(method, 1.001 * limit / bound));
  };
  look(Verlet{}, 2);
  look(RungeKutta4{}, 2.828);
  look(DormandPrince853{}, 5.96);
  // What a run asks for counts: its outputs cut the steps; a tolerance adapts them.
  auto x = start;
  const double step = 2.5 / bound;
  CHECK_THROWS_AS(drive(Verlet{}, problem, x, {.step = step, .until = 3 * step}), std::invalid_argument);
  CHECK_NOTHROW(drive(Verlet{}, problem, x, {.step = step, .until = 3 * step, .output_interval = step / 2}));
  CHECK_NOTHROW(drive(DormandPrince54{}, problem, x, {.step = step, .until = 6 * step, .tolerance = 1e-6}));
}

}  // namespace frequency_test
