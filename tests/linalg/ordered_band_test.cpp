#include <dalembert/linalg/detail/ordered_band.hpp>

#include <random>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "support/catch.hpp"

namespace ordered_band_test {

using namespace dalembert;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

struct Random {
  std::mt19937_64 engine{7};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
};

/// Blocks of a ring of contacts, or of a grid of so many columns, in an order of chance.
Matrix scattered(int blocks, int columns, Random& random) {
  std::vector<int> order(static_cast<std::size_t>(blocks));
  for (int i = 0; i < blocks; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int i = blocks - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(random.uniform(0, i + 0.999))]);
  Matrix J = Matrix::Zero(3 * blocks, 3 * blocks);
  const auto put = [&](int a, int b) {
    const int i = 3 * order[static_cast<std::size_t>(a)], j = 3 * order[static_cast<std::size_t>(b)];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) J(i + r, j + c) = random.uniform(-1, 1) + (i == j && r == c ? 4 : 0);
  };
  for (int k = 0; k < blocks; ++k) {
    put(k, k);
    if (k + 1 < blocks) put(k, k + 1), put(k + 1, k);
    if (k + columns < blocks) put(k, k + columns), put(k + columns, k);
  }
  return J;
}

TEST_CASE("scattered blocks are solved by a band as by a dense matrix", "[linalg]") {
  Random random;
  linalg::detail::OrderedBand<double> band;
  int paid = 0;
  for (const int blocks : {5, 16, 40, 90})
    for (const int columns : {2, 5}) {
      const Matrix J = scattered(blocks, columns, random);
      const Column F = Column::LinSpaced(3 * blocks, -1, 2);
      band.find(J);
      if (!band.pays()) continue;
      ++paid;
      Column x;
      REQUIRE(band.solve(J, F, x));
      CHECK((J * x - F).norm() < 1e-12 * F.norm());
      CHECK((x - Column(J.partialPivLu().solve(F))).norm() < 1e-11 * x.norm());
      Matrix singular = J;
      singular.row(4) = singular.row(3);
      CHECK(!band.solve(singular, F, x));
    }
  CHECK(paid >= 4);
}

TEST_CASE("where all couples with all a band does not pay", "[linalg]") {
  linalg::detail::OrderedBand<double> band;
  band.find(Matrix(Matrix::Ones(60, 60)));
  CHECK(!band.pays());
  band.find(Matrix(Matrix::Identity(30, 30)));
  CHECK(!band.pays());
}

}  // namespace ordered_band_test
