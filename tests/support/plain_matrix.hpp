#pragma once

/// @file
/// Dense matrices as plain loops, which take little to compile, and ones whose pseudo-inverse is known.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/draw.hpp"

namespace test {

/// A dense matrix, column after column; one of a single column stands for a vector.
struct PlainMatrix {
  int rows = 0, cols = 0;
  std::vector<double> entries{};

  PlainMatrix(int r, int c = 1) : rows(r), cols(c), entries(static_cast<std::size_t>(r * c)) {}

  double& operator()(int i, int j = 0) { return entries[static_cast<std::size_t>(j * rows + i)]; }
  double operator()(int i, int j = 0) const { return entries[static_cast<std::size_t>(j * rows + i)]; }
  double* data() { return entries.data(); }
  const double* data() const { return entries.data(); }
  double norm() const {
    double sum = 0;
    for (const double x : entries) sum += x * x;
    return std::sqrt(sum);
  }
  PlainMatrix transpose() const {
    PlainMatrix t(cols, rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) t(j, i) = (*this)(i, j);
    return t;
  }
  friend PlainMatrix operator*(const PlainMatrix& a, const PlainMatrix& b) {
    PlainMatrix product(a.rows, b.cols);
    for (int i = 0; i < a.rows; ++i)
      for (int j = 0; j < b.cols; ++j)
        for (int k = 0; k < a.cols; ++k) product(i, j) += a(i, k) * b(k, j);
    return product;
  }
  friend PlainMatrix operator*(double s, PlainMatrix a) {
    for (double& x : a.entries) x *= s;
    return a;
  }
  friend PlainMatrix operator+(PlainMatrix a, const PlainMatrix& b) {
    for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] += b.entries[i];
    return a;
  }
  friend PlainMatrix operator-(const PlainMatrix& a, const PlainMatrix& b) { return a + -1.0 * b; }
};

/// Numbers between −1 and 1.
inline PlainMatrix random_matrix(int rows, int cols, Draw& draw) {
  PlainMatrix a(rows, cols);
  for (double& x : a.entries) x = draw.between(-1, 1);
  return a;
}

/// The numbers of a vector on a diagonal.
inline PlainMatrix diagonal(const std::vector<double>& d) {
  const int n = static_cast<int>(d.size());
  PlainMatrix a(n, n);
  for (int i = 0; i < n; ++i) a(i, i) = d[static_cast<std::size_t>(i)];
  return a;
}

/// Random columns of length 1 at right angles to each other.
inline PlainMatrix orthonormal(int rows, int cols, Draw& draw) {
  PlainMatrix q = random_matrix(rows, cols, draw);
  for (int j = 0; j < cols; ++j) {
    for (int twice = 0; twice < 2; ++twice)
      for (int k = 0; k < j; ++k) {
        double share = 0;
        for (int i = 0; i < rows; ++i) share += q(i, k) * q(i, j);
        for (int i = 0; i < rows; ++i) q(i, j) -= share * q(i, k);
      }
    double square = 0;
    for (int i = 0; i < rows; ++i) square += q(i, j) * q(i, j);
    for (int i = 0; i < rows; ++i) q(i, j) /= std::sqrt(square);
  }
  return q;
}

/// A matrix of known rank, U Σ Vᵀ with singular values between 1 and `range`, and its pseudo-inverse
/// V Σ⁻¹ Uᵀ.
struct KnownMatrix {
  PlainMatrix matrix, inverse;
};
inline KnownMatrix known_matrix(int rows, int cols, int rank, bool symmetric, double range, Draw& draw) {
  const PlainMatrix u = orthonormal(rows, rank, draw), v = symmetric ? u : orthonormal(cols, rank, draw);
  std::vector<double> values, inverses;
  for (int i = 0; i < rank; ++i) {
    values.push_back(draw.between(1, range));
    inverses.push_back(1 / values.back());
  }
  return {u * diagonal(values) * v.transpose(), v * diagonal(inverses) * u.transpose()};
}

}  // namespace test
