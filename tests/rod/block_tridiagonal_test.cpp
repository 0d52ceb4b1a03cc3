#include <dalembert/rod/detail/block_tridiagonal.hpp>

#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace block_tridiagonal_test {

using dalembert::rod::BlockTridiagonal;
using dalembert::rod::SingularPivot;
using Matrix = Eigen::MatrixXd;

template <int Size>
BlockTridiagonal<double, Size> random_matrix(Eigen::Index blocks, test::Random& random, double dominance) {
  BlockTridiagonal<double, Size> m(blocks);
  const auto fill = [&](auto& block) { block = block.unaryExpr([&](double) { return random(); }).eval(); };
  for (Eigen::Index k = 0; k < blocks; ++k) {
    fill(m.diagonal(k));
    m.diagonal(k).diagonal().array() += dominance;
    if (k + 1 < blocks) {
      fill(m.lower(k));
      fill(m.upper(k));
    }
  }
  return m;
}

/// The same matrix, block by block where equation (1) has it.
template <int Size>
Matrix dense(const BlockTridiagonal<double, Size>& m) {
  Matrix d = Matrix::Zero(m.rows(), m.rows());
  for (Eigen::Index k = 0; k < m.blocks(); ++k) {
    d.block<Size, Size>(Size * k, Size * k) = m.diagonal(k);
    if (k + 1 == m.blocks()) continue;
    d.block<Size, Size>(Size * (k + 1), Size * k) = m.lower(k);
    d.block<Size, Size>(Size * k, Size * (k + 1)) = m.upper(k);
  }
  return d;
}

Matrix random_columns(Eigen::Index rows, Eigen::Index columns, test::Random& random) {
  return Matrix::NullaryExpr(rows, columns, [&] { return random(); });
}

template <int Size>
void solves_as_dense_lu_does() {
  test::Random random(test::seed());
  for (const Eigen::Index blocks : {1, 2, 3, 7, 20, 60}) {
    CAPTURE(Size, blocks);
    auto m = random_matrix<Size>(blocks, random, 2.0 + Size);
    const Matrix d = dense(m);
    m.factor();
    Matrix x = random_columns(m.rows(), 3, random);
    const Matrix b = x;
    m.solve(x);
    REQUIRE((d * x - b).cwiseAbs().maxCoeff() < 1e-14);
    REQUIRE((x - d.fullPivLu().solve(b)).cwiseAbs().maxCoeff() < 1e-13);
    Eigen::VectorXd one = b.col(1);
    m.solve(one);
    REQUIRE((one - x.col(1)).norm() == 0.0);
    Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> rows = b;
    m.solve(rows);
    REQUIRE((rows - x).cwiseAbs().maxCoeff() < 1e-15);
    Matrix y(m.rows(), 3);
    m.multiply(x, y);
    REQUIRE((y - d * x).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("Block-tridiagonal systems are solved as dense LU solves them", "[block_tridiagonal]") {
  solves_as_dense_lu_does<1>();
  solves_as_dense_lu_does<3>();
  solves_as_dense_lu_does<6>();
}

TEST_CASE("Rows are exchanged inside a block", "[block_tridiagonal]") {
  test::Random random(test::seed());
  auto m = random_matrix<6>(9, random, 8.0);
  for (Eigen::Index k = 0; k < m.blocks(); ++k) m.diagonal(k) = m.diagonal(k).colwise().reverse().eval();
  m.diagonal(0).diagonal().setZero();
  for (Eigen::Index k = 0; k < m.blocks(); ++k)  // and the rows have very different units
    for (int i = 0; i < 6; ++i) {
      const double unit = std::pow(10.0, 4 * i - 10);
      m.diagonal(k).row(i) *= unit;
      if (k > 0) m.lower(k - 1).row(i) *= unit;
      if (k + 1 < m.blocks()) m.upper(k).row(i) *= unit;
    }
  const Matrix d = dense(m);
  const Matrix expected = random_columns(m.rows(), 2, random);
  Matrix x = d * expected;
  m.factor();
  m.solve(x);
  REQUIRE((x - expected).cwiseAbs().maxCoeff() < 1e-11);
}

TEST_CASE("A long chain keeps its accuracy, also with rows of very different units", "[block_tridiagonal]") {
  test::Random random(test::seed());
  for (const Eigen::Index blocks : {10, 100, 1000, 10000}) {
    CAPTURE(blocks);
    auto m = random_matrix<6>(blocks, random, 8.0);
    const Eigen::VectorXd expected = random_columns(m.rows(), 1, random);
    for (Eigen::Index k = 0; k < blocks; ++k)
      for (int i = 0; i < 6; ++i) {
        const double unit = std::pow(10.0, 2 * i - 5);
        m.diagonal(k).row(i) *= unit;
        if (k > 0) m.lower(k - 1).row(i) *= unit;
        if (k + 1 < blocks) m.upper(k).row(i) *= unit;
      }
    Eigen::VectorXd x(m.rows());
    m.multiply(expected, x);
    m.factor();
    m.solve(x);
    REQUIRE((x - expected).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("Factors are those of the blocks at the last call", "[block_tridiagonal]") {
  test::Random random(test::seed());
  auto m = random_matrix<3>(5, random, 5.0);
  const Matrix first = dense(m);
  m.factor();
  REQUIRE((dense(m) - first).norm() == 0.0);
  m.diagonal(2)(1, 1) += 3.0;
  const Matrix b = random_columns(15, 1, random);
  Matrix x = b;
  m.solve(x);
  REQUIRE((first * x - b).norm() < 1e-14);
  m.factor();
  x = b;
  m.solve(x);
  REQUIRE((dense(m) * x - b).norm() < 1e-14);
  REQUIRE((first * x - b).norm() > 1e-3);
  m.set_zero();
  REQUIRE(dense(m).norm() == 0.0);
}

TEST_CASE("Negative eigenvalues of a symmetric matrix are counted", "[block_tridiagonal]") {
  test::Random random(test::seed());
  for (const double shift : {-9.0, -3.0, -0.5, 0.4, 2.5, 9.0}) {
    CAPTURE(shift);
    auto m = random_matrix<6>(8, random, 0.0);
    for (Eigen::Index k = 0; k < 8; ++k) {
      m.diagonal(k) = (m.diagonal(k) + m.diagonal(k).transpose()).eval();
      m.diagonal(k).diagonal().array() += shift;
      if (k < 7) m.lower(k) = m.upper(k).transpose();
    }
    m.factor();
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(dense(m));
    REQUIRE(m.negative_eigenvalues() == (eigen.eigenvalues().array() < 0.0).count());
  }
}

TEST_CASE("A singular pivot is reported with its block", "[block_tridiagonal]") {
  test::Random random(test::seed());
  const auto block_of_failure = [](BlockTridiagonal<double, 6>& m) {
    try {
      m.factor();
    } catch (const SingularPivot& e) {
      REQUIRE_THAT(e.what(), Catch::Matchers::ContainsSubstring("singular"));
      return e.block();
    }
    return Eigen::Index(-1);
  };
  auto m = random_matrix<6>(7, random, 8.0);
  REQUIRE(block_of_failure(m) == -1);
  SECTION("a row of zeros") {
    m.diagonal(4).row(2).setZero();
    m.lower(3).row(2).setZero();
    m.upper(4).row(2).setZero();
    REQUIRE(block_of_failure(m) == 4);
  }
  SECTION("a number that is none") {
    m.diagonal(5)(3, 1) = std::numeric_limits<double>::quiet_NaN();
    REQUIRE(block_of_failure(m) == 5);
  }
  SECTION("a pivot that cancels") {
    // the last two rows of the whole matrix become one
    m.lower(5).row(5) = m.lower(5).row(4);
    m.diagonal(6).row(5) = m.diagonal(6).row(4);
    REQUIRE(block_of_failure(m) == 6);
  }
  SECTION("springs without a support") {
    m.set_zero();
    for (Eigen::Index k = 0; k < 7; ++k) {
      m.diagonal(k).setIdentity();
      if (k > 0 && k < 6) m.diagonal(k) *= 2.0;
      if (k < 6) m.lower(k) = m.upper(k) = -BlockTridiagonal<double, 6>::Block::Identity();
    }
    REQUIRE(block_of_failure(m) == 6);
  }
}

TEST_CASE("A block-tridiagonal matrix needs a block", "[block_tridiagonal]") {
  REQUIRE_THROWS_AS((BlockTridiagonal<double, 6>(0)), std::invalid_argument);
  REQUIRE_THROWS_AS((BlockTridiagonal<double, 6>(-3)), std::invalid_argument);
}

}  // namespace block_tridiagonal_test
