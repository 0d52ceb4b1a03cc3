#pragma once

/// @file
/// Random matrices of blocks of three rows, few of which are other than zero.

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <dalembert/linalg/detail/block_matrix.hpp>

namespace test {

struct Blocks {
  std::mt19937_64 engine{7};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  /// Of a ring, or of a grid of so many columns, in an order of chance: a sum of squares of what neighbours share,
  /// and `least` on the diagonal.
  Eigen::MatrixXd symmetric(int blocks, int columns, double least) {
    std::vector<int> order(static_cast<std::size_t>(blocks));
    for (int i = 0; i < blocks; ++i) order[static_cast<std::size_t>(i)] = i;
    for (int i = blocks - 1; i > 0; --i)
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(uniform(0, i + 0.999))]);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(3 * blocks, 3 * blocks);
    const auto couple = [&](int a, int b) {
      if (b >= blocks) return;
      const int at[] = {3 * order[static_cast<std::size_t>(a)], 3 * order[static_cast<std::size_t>(b)]};
      Eigen::Matrix3d of[2];
      for (Eigen::Matrix3d& m : of)
        for (double& x : m.reshaped()) x = uniform(-1, 1);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) G.block<3, 3>(at[i], at[j]) += of[i] * of[j].transpose();
    };
    for (int k = 0; k < blocks; ++k) couple(k, k + 1), couple(k, k + columns);
    G += least * Eigen::MatrixXd::Identity(3 * blocks, 3 * blocks);
    return (G + G.transpose().eval()) / 2;
  }
};

/// A dense matrix by its blocks.
inline void put(const Eigen::MatrixXd& dense, dalembert::linalg::detail::BlockMatrix<double>& G) {
  const auto blocks = static_cast<std::size_t>(dense.rows() / 3);
  G.start(blocks);
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      G.put(i, j, dense.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3 * static_cast<Eigen::Index>(j)));
  G.finish();
}

}  // namespace test
