#pragma once

/// @file
/// Random cone problems, and how far impulses are from solving them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dalembert/linalg/cone_problem.hpp>

namespace test {

/// Random problems: contacts among a few bodies with six degrees of freedom, or fewer, so that G may be singular.
struct RandomCones {
  std::mt19937 engine;
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }

  dalembert::linalg::ConeProblem<double> problem(bool regular) {
    using Problem = dalembert::linalg::ConeProblem<double>;
    using Column = Problem::Column;
    using Matrix = Problem::Matrix;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const int contacts = 1 + below(6), held = below(3);
    std::vector<double> mu;
    for (int i = 0; i < contacts; ++i) {
      const int kind = below(6);
      mu.push_back(kind == 0 ? 0 : kind == 1 ? infinite : between(0, 2));
    }
    Problem p(held, mu);
    const Eigen::Index rows = p.size(), freedoms = regular ? rows + 2 : 1 + below(static_cast<int>(rows));
    Matrix A(rows, freedoms);
    for (Eigen::Index j = 0; j < freedoms; ++j)
      for (Eigen::Index i = 0; i < rows; ++i) A(i, j) = between(-1, 1);
    const double scale = std::pow(10.0, between(-6, 6));
    p.G = scale * A * A.transpose();
    // velocities of the bodies before: what contacts do can stop them
    Column v(freedoms);
    for (Eigen::Index j = 0; j < freedoms; ++j) v[j] = between(-1, 1);
    p.b = std::pow(10.0, between(-6, 6)) * A * v;
    return p;
  }
};

/// The law, written out: the largest breach of it over the sizes that made it.
inline double breach(const dalembert::linalg::ConeProblem<double>& p,
                     const dalembert::linalg::ConeProblem<double>::Column& P) {
  const dalembert::linalg::ConeProblem<double>::Column u = p.b + p.G * P;
  const double speed = p.b.lpNorm<Eigen::Infinity>() + (p.G.cwiseAbs() * P.cwiseAbs()).maxCoeff();
  const double force = std::max(P.lpNorm<Eigen::Infinity>(), 1e-300);
  double worst = p.held > 0 ? u.head(p.held).lpNorm<Eigen::Infinity>() / speed : 0;
  for (std::size_t c = 0; c < p.friction.size(); ++c) {
    const auto i = p.row(c);
    const double n = P[i], t = std::hypot(P[i + 1], P[i + 2]), slip = std::hypot(u[i + 1], u[i + 2]),
                 mu = p.friction[c];
    worst = std::max({worst, -n / force, -u[i] / speed, std::min(n / force, std::abs(u[i]) / speed)});
    if (std::isfinite(mu)) worst = std::max(worst, (t - mu * n) / force);
    if (n > 1e-9 * force && std::isfinite(mu))  // slipping: along the force, and as much as there is
      worst = std::max(worst, std::min(slip / speed, std::abs(t - mu * n) / force));
    if (!std::isfinite(mu))
      worst =
          std::max({worst, std::min(n / force, slip / speed), std::min(t / force, std::abs(u[i]) / speed)});
    if (slip > 1e-6 * speed && t > 1e-6 * force)
      worst = std::max(worst, 1e-6 * (1 + (P[i + 1] * u[i + 1] + P[i + 2] * u[i + 2]) / (t * slip)));
  }
  return worst;
}

}  // namespace test
