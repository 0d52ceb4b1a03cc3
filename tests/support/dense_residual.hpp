#pragma once

/// @file
/// The rates of an assembly by a dense solve of its residual.

#include <Eigen/LU>

#include <dalembert/core/real.hpp>

namespace test {

/// Accelerations of all nodes, body after body, then ż and λ: the zero of the residual, which is affine in them. Its matrix is found column by column.
template <class Problem>
Eigen::VectorXd dense_rates(const Problem& problem, const typename Problem::State& x) {
  auto probe = problem.make_rates();
  auto rest = problem.make_residual(), above = rest, below = rest;
  const Eigen::Index n = rest.size();
  Eigen::MatrixXd matrix(n, n);
  problem.residual(x, probe, rest);
  Eigen::Index at = 0;
  const auto add = [&](double& number) {
    const double far = 0x1p40;  // beside which all that does not change is lost
    number = far;
    problem.residual(x, probe, above);
    number = -far;
    problem.residual(x, probe, below);
    matrix.col(at++) = (above - below) / (2 * far);
    number = 0;
  };
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      for (int i = 0; i < 6; ++i) add(probe.xidot[b](k, i));
  for (auto& z : probe.zdot) add(z);
  for (auto& l : probe.lambda) add(l);
  return matrix.partialPivLu().solve(-rest);
}

}  // namespace test
