#include <dalembert/mechanics/detail/constant_parts.hpp>

#include <array>
#include <limits>
#include <random>

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"

using namespace dalembert;
using systems::ChaplyginSleigh;

namespace constant_parts_test {

constexpr double eps = std::numeric_limits<double>::epsilon();

template <int R, int C>
Mat<double, R, C> random_matrix(std::mt19937& engine) {
  Mat<double, R, C> m;
  for (Eigen::Index i = 0; i < m.size(); ++i) m.coeffRef(i) = std::normal_distribution<>()(engine);
  return m;
}

/// A mass that is diagonal, or one that is not.
Mat<double, 4> random_mass(std::mt19937& engine, bool diagonal) {
  const Mat<double, 4> root = random_matrix<4, 4>(engine);
  const Mat<double, 4> full = root * root.transpose() + Mat<double, 4>::Identity();
  return diagonal ? Mat<double, 4>(full.diagonal().asDiagonal()) : full;
}

TEST_CASE("a solve with constant parts is the solve of the whole", "[constant_parts]") {
  std::mt19937 engine(test::seed());
  for (int trial = 0; trial < 100; ++trial) {
    SaddlePoint<double, 4, 2, 2> whole;
    whole.mass = random_mass(engine, trial % 2 == 0);
    whole.force = random_matrix<4, 1>(engine);
    whole.constraint = whole.variational = random_matrix<2, 4>(engine);
    whole.drift.setZero();
    SaddlePointSolution<double, 4, 2, 2> expected;
    solve(whole, expected);
    const double tolerance = 1e4 * eps * (1 + expected.x.norm() + expected.lambda.norm());

    const detail::ConstantSolve<double, 4, 2> constant(whole.mass, whole.constraint);
    REQUIRE(constant.regular());
    Vec<double, 4> x;
    Vec<double, 2> lambda;
    constant.solve(whole.force, x, lambda);
    CHECK((x - expected.x).norm() < tolerance);
    CHECK((lambda - expected.lambda).norm() < tolerance);

    whole.drift = random_matrix<2, 1>(engine);
    if (trial % 3 == 0) whole.variational = random_matrix<2, 4>(engine);
    solve(whole, expected);
    const detail::ConstantMass<double, 4> mass(whole.mass);
    REQUIRE(mass.positive());
    SaddlePointSolution<double, 4, 2, 2> found;
    REQUIRE((trial % 3 == 0 ? detail::solve_by_schur<false>(mass, whole, found)
                            : detail::solve_by_schur<true>(mass, whole, found)));
    const double scale = 1 + expected.x.norm() + expected.lambda.norm();
    CHECK((found.x - expected.x).norm() < 1e4 * eps * scale * scale);
    CHECK((found.lambda - expected.lambda).norm() < 1e4 * eps * scale * scale);
  }
}

TEST_CASE("what is singular is left to the way that reveals the rank", "[constant_parts]") {
  Mat<double, 3> mass = Vec<double, 3>(1, 2, 3).asDiagonal();
  Mat<double, 2, 3> rows;
  rows << 1, 0, 1, 2, 0, 2;
  CHECK_FALSE(detail::ConstantSolve<double, 3, 2>(mass, rows).regular());
  mass(1, 1) = 0;
  CHECK_FALSE(detail::ConstantMass<double, 3>(mass).positive());
  CHECK_FALSE(detail::ConstantSolve<double, 3, 1>(mass, Mat<double, 1, 3>(1, 0, 0)).regular());
}

TEST_CASE("only rows that take the velocity alone, under d'Alembert's principle, are taken for constant",
          "[constant_parts]") {
  STATIC_REQUIRE(detail::rows_take_velocity_alone<ChaplyginSleigh<double>>);
  STATIC_REQUIRE_FALSE(detail::rows_take_velocity_alone<systems::ChaoticOscillator<double, 3>>);
  STATIC_REQUIRE(detail::has_constant_mass<systems::ChaoticOscillator<double, 3>>);
}

/// Two coordinates under the row aξ₁ + bξ₂ + c ξ₁² = d, twice if `repeats`.
template <bool repeats>
struct Row {
  using Group = Rn<double, 2>;
  double a = 1, b = 2, c = 0, d = 0.5;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + 3 * v[1] * v[1]) / 2 - q.coordinates()[0];
  }
  template <class T>
  Vec<T, repeats ? 2 : 1> velocity_constraint(const Vec<T, 2>& v) const {
    Vec<T, repeats ? 2 : 1> rows;
    for (int i = 0; i < rows.size(); ++i) rows[i] = a * v[0] + b * v[1] + c * v[0] * v[0] - d;
    return rows;
  }
  Mat<double, 2> mass() const { return Vec<double, 2>(1, 3).asDiagonal(); }
};

TEST_CASE("rates by constant parts are those by hand, also with rows that repeat or have a constant term",
          "[constant_parts]") {
  // M ξ̇ = f + λA, A ξ̇ = 0 with M = diag(1, 3), f = (−1, 0), A = (1, 2): λ = 3/7
  const Vec<double, 2> v(0.5, 0);
  auto rates = LagrangeDAlembert{Row<false>{}}.make_rates();
  const LagrangeDAlembert once{Row<false>{}};
  once.rates(once.state(Rn<double, 2>(), v), rates);
  CHECK(rates.lambda[0] == Approx(3.0 / 7).epsilon(4 * eps));
  CHECK(rates.xidot[0] == Approx(-4.0 / 7).epsilon(4 * eps));
  CHECK(rates.xidot[1] == Approx(2.0 / 7).epsilon(4 * eps));
  CHECK(rates.report.redundant_rows == 0);
  const LagrangeDAlembert twice{Row<true>{}};
  auto both = twice.make_rates();
  twice.rates(twice.state(Rn<double, 2>(), v), both);
  CHECK(both.xidot[0] == Approx(-4.0 / 7).epsilon(1e-14));
  CHECK(both.lambda[0] == Approx(1.5 / 7).epsilon(1e-14));
  CHECK(both.report.redundant_rows == 1);
}

/// Two coordinates of which the second has no inertia, free or under reactions that no row asks for.
struct WithoutInertia {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return v[0] * v[0] / 2 - q.coordinates()[0];
  }
  Mat<double, 2> mass() const { return Vec<double, 2>(1, 0).asDiagonal(); }
};

TEST_CASE("a constant mass that is singular is told, also without rows", "[constant_parts]") {
  const LagrangeDAlembert problem{WithoutInertia{}};
  auto rates = problem.make_rates();
  for (int again = 0; again < 3; ++again)
    CHECK_THROWS_WITH(problem.rates(problem.state(Rn<double, 2>(), {1, 2}), rates),
                      Catch::Matchers::ContainsSubstring("leave the acceleration undetermined"));
}

TEST_CASE("rows that are not affine are not taken for constant", "[constant_parts]") {
  CHECK(detail::ConstantParts<Row<false>>(Row<false>{}).affine);
  CHECK_FALSE(detail::ConstantParts<Row<false>>(Row<false>{.c = 0.1}).affine);
}

}  // namespace constant_parts_test
