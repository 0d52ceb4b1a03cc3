#pragma once

#include <algorithm>
#include <vector>

#include <dalembert/analysis/detail/differences.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Orthonormal columns by the Gram–Schmidt process, and what follows from them. Each column is made
/// orthogonal twice, which keeps all of them orthogonal to round-off (Giraud, Langou, Rozložník 2005).
/// Plain loops: for matrices of this size a library's decompositions take longer to compile than everything
/// around them.
namespace dalembert::analysis::detail {

/// Below this, relative to the longest column, differences tell no rank.
template <class S>
inline constexpr S rank_threshold = S(1e-7L);

/// x · y for columns of two matrices.
template <class S>
[[nodiscard]] S inner(const Matrix<S>& a, Eigen::Index i, const Matrix<S>& b, Eigen::Index j) {
  S sum(0);
  for (Eigen::Index k = 0; k < a.rows(); ++k) sum += a(k, i) * b(k, j);
  return sum;
}

/// Column j of `a` less its components along the first `count` columns of q, which are orthonormal.
template <class S>
void remove_components(const Matrix<S>& q, Eigen::Index count, Matrix<S>& a, Eigen::Index j) {
  for (Eigen::Index i = 0; i < count; ++i) {
    const S share = inner(q, i, a, j);
    for (Eigen::Index k = 0; k < a.rows(); ++k) a(k, j) -= share * q(k, i);
  }
}

/// Column j of `a` brought to length 1. Returns the length that it had.
template <class S>
S normalise(Matrix<S>& a, Eigen::Index j) {
  const S length = std::sqrt(inner(a, j, a, j));
  for (Eigen::Index k = 0; k < a.rows(); ++k) a(k, j) /= length;
  return length;
}

/// `a`, whose columns are independent, becomes Q of a = QR. Returns the diagonal of R, which is positive.
template <class S>
Column<S> orthonormalise(Matrix<S>& a) {
  Column<S> lengths(a.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    remove_components(a, j, a, j);
    remove_components(a, j, a, j);
    lengths[j] = normalise(a, j);
  }
  return lengths;
}

/// Orthonormal columns that grow.
template <class S>
struct OrthonormalColumns {
  Matrix<S> q;             ///< the columns, with room for as many as it has rows
  Eigen::Index count = 0;  ///< those that are there
  std::vector<int> from;   ///< the columns of the matrices added that they were made of

  explicit OrthonormalColumns(Eigen::Index rows) : q(rows, rows) {}

  /// Add columns that span what those of `a` span besides: the one that sticks out farthest is taken first,
  /// and none that sticks out by less than `threshold` of the longest. Columns that are not finite are not
  /// taken.
  [[gnu::noinline]] void add(Matrix<S> a, S threshold) {
    S longest(0);
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      longest = std::max(longest, inner(a, j, a, j));
      remove_components(q, count, a, j);
    }
    while (count < q.rows()) {
      Eigen::Index best = -1;
      S farthest = threshold * threshold * longest;
      for (Eigen::Index j = 0; j < a.cols(); ++j) {
        const S square = inner(a, j, a, j);
        if (square > farthest) best = j, farthest = square;
      }
      if (best < 0) return;
      normalise(a, best);
      remove_components(q, count, a, best);
      normalise(a, best);
      for (Eigen::Index k = 0; k < a.rows(); ++k) q(k, count) = a(k, best);
      ++count;
      from.push_back(static_cast<int>(best));
      for (Eigen::Index j = 0; j < a.cols(); ++j) {
        const S share = inner(q, count - 1, a, j);
        for (Eigen::Index k = 0; k < a.rows(); ++k)
          a(k, j) = j == best ? S(0) : a(k, j) - share * q(k, count - 1);
      }
    }
  }

  /// Columns from number `first` to the last.
  [[nodiscard]] Matrix<S> columns(Eigen::Index first = 0) const {
    Matrix<S> some(q.rows(), count - first);
    for (Eigen::Index j = first; j < count; ++j)
      for (Eigen::Index k = 0; k < q.rows(); ++k) some(k, j - first) = q(k, j);
    return some;
  }
};

/// Orthonormal columns that span those of a matrix; what sticks out by less than `threshold` of the longest
/// column does not count.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] Matrix<S> range(const Matrix<S>& a, S threshold) {
  OrthonormalColumns<S> found(a.rows());
  found.add(a, threshold);
  return found.columns();
}

/// Orthonormal columns that span what is orthogonal to the columns of a matrix.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] Matrix<S> complement(const Matrix<S>& a, S threshold) {
  OrthonormalColumns<S> found(a.rows());
  found.add(a, threshold);
  const Eigen::Index rank = found.count;
  found.add(Matrix<S>::Identity(a.rows(), a.rows()), S(0));
  return found.columns(rank);
}

/// aᵀ b.
template <class S>
[[nodiscard]] Matrix<S> transpose_times(const Matrix<S>& a, const Matrix<S>& b) {
  Matrix<S> out(a.cols(), b.cols());
  for (Eigen::Index i = 0; i < a.cols(); ++i)
    for (Eigen::Index j = 0; j < b.cols(); ++j) out(i, j) = inner(a, i, b, j);
  return out;
}

/// The shortest x for which a x is nearest to b, with the rank of `a` as `range` has it.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] Column<S> least_squares(const Matrix<S>& a, const Column<S>& b,
                                                                S threshold) {
  // With the columns of Q those of the range, of P those of the range of (QᵀA)ᵀ: QᵀA P y = Qᵀb, x = P
  // y.
  const Matrix<S> Q = range(a, threshold);
  const Matrix<S> rows = transpose_times(a, Q);  // (QᵀA)ᵀ
  const Matrix<S> P = range(rows, S(0));
  dalembert::linalg::DenseLU<S> factors(static_cast<int>(Q.cols()));
  factors.matrix = transpose_times(rows, P);
  Column<S> y = transpose_times(Q, Matrix<S>(b)).col(0), x = Column<S>::Zero(a.cols());
  if (Q.cols() == 0 || !factors.compute()) return x;
  factors.solve(y);
  for (Eigen::Index j = 0; j < P.cols(); ++j)
    for (Eigen::Index k = 0; k < P.rows(); ++k) x[k] += P(k, j) * y[j];
  return x;
}

}  // namespace dalembert::analysis::detail
