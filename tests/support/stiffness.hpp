#pragma once

/// @file
/// The stiffness of a rod as a matrix.

#include <Eigen/Core>

#include <dalembert/rod/stiffness.hpp>

namespace test {

/// −∂f/∂(δr, Σ) of all nodes, held degrees like free ones.
template <class R>
Eigen::Matrix<typename R::Scalar, Eigen::Dynamic, Eigen::Dynamic> stiffness_matrix(
    const R& rod, const dalembert::rod::Chain<typename R::Scalar>& chain) {
  using Matrix = Eigen::Matrix<typename R::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix K = Matrix::Zero(6 * rod.nodes(), 6 * rod.nodes());
  add_stiffness(rod, chain, [&](Eigen::Index k, Eigen::Index l, const auto& block) {
    K.template block<6, 6>(6 * k, 6 * l) += block;
  });
  return K;
}

}  // namespace test
