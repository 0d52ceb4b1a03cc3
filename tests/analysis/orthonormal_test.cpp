#include <dalembert/analysis/detail/orthonormal.hpp>

#include <limits>
#include <random>

#include <Eigen/QR>

#include "support/catch.hpp"

namespace orthonormal_test {

using namespace dalembert::analysis::detail;
using M = Matrix<double>;
using V = Column<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();

M random(std::mt19937& engine, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  M a(rows, columns);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = normal(engine);
  return a;
}
double far_from_orthonormal(const M& q) {
  return q.cols() == 0 ? 0 : (q.transpose() * q - M::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff();
}

TEST_CASE("columns become orthonormal, even where they are nearly parallel, and R has a positive diagonal",
          "[analysis]") {
  std::mt19937 engine(test::seed());
  for (const double apart : {1.0, 1e-6, 1e-11}) {
    const M one = random(engine, 7, 1), others = random(engine, 7, 4);
    M a(7, 4);
    for (int j = 0; j < 4; ++j) a.col(j) = one + apart * others.col(j);
    M q = a;
    const V lengths = orthonormalise(q);
    CHECK(far_from_orthonormal(q) < 20 * eps);
    const M r = q.transpose() * a;
    CHECK((q * r - a).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((r.diagonal() - lengths).cwiseAbs().maxCoeff() < 1e-14);
    CHECK(lengths.minCoeff() > 0);
    for (int j = 0; j < 4; ++j)
      for (int i = j + 1; i < 4; ++i) CHECK(std::abs(r(i, j)) < 1e-14);
  }
}

TEST_CASE("range and complement share out the space", "[analysis]") {
  std::mt19937 engine(test::seed());
  for (int rank = 0; rank <= 6; ++rank) {
    const M a = random(engine, 6, rank) * random(engine, rank, 8);
    const M inside = range(a, 1e-9), outside = complement(a, 1e-9);
    CHECK(inside.cols() == rank);
    CHECK(outside.cols() == 6 - rank);
    CHECK(far_from_orthonormal(inside) < 20 * eps);
    CHECK(far_from_orthonormal(outside) < 20 * eps);
    if (rank > 0) CHECK((outside.transpose() * a).cwiseAbs().sum() < 1e-12);
    if (rank > 0) CHECK((inside * (inside.transpose() * a) - a).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("what sticks out by less than the threshold does not count", "[analysis]") {
  M a = M::Zero(4, 3);
  a(0, 0) = 100;
  a(1, 1) = 1.01e-5;
  a(2, 2) = 0.99e-5;
  CHECK(range(a, 1e-7).cols() == 2);
  CHECK(range(a, 0.98e-7).cols() == 3);
  CHECK(range(M(M::Zero(4, 3)), 1e-7).cols() == 0);
  a(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(range(a, 1e-7).cols() == 2);
}

TEST_CASE("the least squares solution is the shortest one", "[analysis]") {
  std::mt19937 engine(test::seed());
  for (const auto& [rows, columns, rank] :
       {std::array{6, 3, 3}, {6, 3, 2}, {3, 6, 3}, {4, 4, 2}, {5, 4, 0}}) {
    const M a = random(engine, rows, rank) * random(engine, rank, columns);
    const V b = random(engine, rows, 1).col(0);
    const V x = least_squares(a, b, 1e-9);
    Eigen::CompleteOrthogonalDecomposition<M> solver(rows, columns);
    solver.setThreshold(1e-9);
    solver.compute(a);
    const V expected = solver.solve(b);
    CHECK((x - expected).cwiseAbs().maxCoeff() < 1e-12 * (1 + expected.cwiseAbs().maxCoeff()));
  }
  CHECK(least_squares(M(3, 0), V(V::Ones(3)), 1e-9).size() == 0);
}

}  // namespace orthonormal_test
