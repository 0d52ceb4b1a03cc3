#pragma once

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// Solves of small fixed size as plain loops: quick to compile, quick to run, nothing allocated.
namespace dalembert::linalg {

/// Below this a pivot, relative to its own row, is left to the rank-revealing path.
template <class S>
inline constexpr Number<S> regular_pivot = Number<S>(1e-9);

/// Whether a pivot may be used, that is, `good`. Lanes of a pack do not wait for each other: a pivot that is
/// not good becomes not-a-number, which is then what the lane's result will be.
template <class S, class Condition>
[[nodiscard]] bool usable(S& pivot, const Condition& good) {
  if constexpr (PackReal<S>) {
    pivot = select(good, pivot, S(std::numeric_limits<Number<S>>::quiet_NaN()));
    return true;
  } else {
    return good;
  }
}

/// The factors of a symmetric positive matrix, LDLᵀ with a unit lower triangle L.
template <class S, int N>
struct SmallLDLT {
  Mat<S, N> l;          ///< L
  Vec<S, N> inverse_d;  ///< the diagonal of D⁻¹

  /// Factor `a`, of which the lower triangle is read. Returns false if it is not clearly positive: a pivot
  /// is measured against the diagonal entry that it came from, of which it must be more than `least`.
  [[nodiscard]] bool compute(const Mat<S, N>& a, Number<S> least = regular_pivot<S>) {
    return factor<false>(a, least);
  }
  /// The same of a matrix that is at least positive semidefinite: rows that depend on earlier ones are left
  /// out. A right-hand side in its range is solved with zeros for their unknowns.
  void compute_semidefinite(const Mat<S, N>& a) { (void)factor<true>(a, regular_pivot<S>); }

  /// x ← L⁻¹x, column by column.
  template <int C>
  void solve_lower(Mat<S, N, C>& x) const {
    for (int c = 0; c < C; ++c)
      for (int i = 1; i < N; ++i)
        for (int p = 0; p < i; ++p) x(i, c) -= l(i, p) * x(p, c);
  }

  /// x ← L⁻ᵀD⁻¹x.
  void solve_upper(Vec<S, N>& x) const {
    for (int i = N - 1; i >= 0; --i) {
      x[i] *= inverse_d[i];
      for (int p = i + 1; p < N; ++p) x[i] -= l(p, i) * x[p];
    }
  }

  /// Σ a_i b_i / d_i over column i of `a` and j of `b`.
  template <int A, int B>
  [[nodiscard]] S dot(const Mat<S, N, A>& a, int i, const Mat<S, N, B>& b, int j) const {
    S sum = 0;
#pragma GCC unroll 16
    for (int p = 0; p < N; ++p) sum += a(p, i) * b(p, j) * inverse_d[p];
    return sum;
  }

 private:
  template <bool semidefinite>
  bool factor(const Mat<S, N>& a, Number<S> least) {
    for (int j = 0; j < N; ++j) {
      std::array<S, N> scaled;
      S pivot = a(j, j);
      for (int p = 0; p < j; ++p) {
        scaled[static_cast<std::size_t>(p)] = l(j, p);
        l(j, p) *= inverse_d[p];
        pivot -= l(j, p) * scaled[static_cast<std::size_t>(p)];
      }
      const bool regular = usable(pivot, pivot > least * a(j, j));
      if (!semidefinite && !regular) return false;
      inverse_d[j] = regular ? S(1) / pivot : S(0);
      for (int i = j + 1; i < N; ++i) {
        S entry = a(i, j);
        for (int p = 0; p < j; ++p) entry -= l(i, p) * l(j, p);
        l(i, j) = entry;
      }
    }
    return true;
  }
};

/// Whether the pivots of a symmetric matrix, of which the lower triangle is read, are all positive.
template <class S, int N>
[[nodiscard]] bool is_positive_definite(const Mat<S, N>& a) {
  SmallLDLT<S, N> factor;
  return factor.compute(a, 0);
}

/// The factors of a square matrix of a size known when the program runs, with row exchanges. Memory is taken
/// once, by the constructor, unless the size changes.
template <class S = double, class Storage = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>>
class DenseLU {
 public:
  using Matrix = Storage;  ///< what is factored

  /// Room for a matrix with n rows.
  explicit DenseLU(int n) { resize(n); }
  /// Room for another one.
  void resize(int n) {
    matrix.resize(n, n);
    pivots_.resize(static_cast<std::size_t>(n));
  }

  Matrix matrix;  ///< to be filled before `compute`, which puts the factors in its place

  /// Factor the matrix. Returns false if it is singular.
  [[nodiscard]] bool compute() {
    using std::abs;
    const int n = static_cast<int>(matrix.rows());
    for (int p = 0; p < n; ++p) {
      int best = p;
      for (int i = p + 1; i < n; ++i)
        if (abs(matrix(i, p)) > abs(matrix(best, p))) best = i;
      if (!(abs(matrix(best, p)) > 0)) return false;
      pivots_[static_cast<std::size_t>(p)] = best;
      for (int j = 0; best != p && j < n; ++j) std::swap(matrix(p, j), matrix(best, j));
      const S reciprocal = 1 / matrix(p, p);
      for (int i = p + 1; i < n; ++i) matrix(i, p) *= reciprocal;
      for (int j = p + 1; j < n; ++j) {
        const S factor = matrix(p, j);
        for (int i = p + 1; i < n; ++i) matrix(i, j) -= factor * matrix(i, p);
      }
    }
    return true;
  }

  /// That of the determinant, 1 or −1.
  [[nodiscard]] S sign_of_determinant() const {
    bool negative = false;
    for (int p = 0; p < static_cast<int>(matrix.rows()); ++p)
      negative = negative != ((pivots_[static_cast<std::size_t>(p)] != p) != (matrix(p, p) < S(0)));
    return S(negative ? -1 : 1);
  }

  /// x ← A⁻¹x for a column of n numbers.
  template <class Column>
  void solve(Column& x) const {
    const int n = static_cast<int>(matrix.rows());
    for (int p = 0; p < n; ++p) std::swap(x[p], x[pivots_[static_cast<std::size_t>(p)]]);
    for (int p = 0; p < n; ++p)
      for (int i = p + 1; i < n; ++i) x[i] -= matrix(i, p) * x[p];
    for (int p = n - 1; p >= 0; --p) {
      x[p] /= matrix(p, p);
      for (int i = 0; i < p; ++i) x[i] -= matrix(i, p) * x[p];
    }
  }

 private:
  std::vector<int> pivots_;
};

/// b ← a⁻¹b for columns b, by elimination with row exchanges, which values decide. Returns false if a
/// pivot is zero, or no number; b is not finite then.
template <class S, int K, int C>
[[nodiscard]] bool solve_columns(Mat<S, K> a, Mat<S, K, C>& b) {
  bool regular = true;
  for (int p = 0; p < K; ++p) {
    int best = p;
    for (int i = p + 1; i < K; ++i)
      if (number::abs(value_of(a(i, p))) > number::abs(value_of(a(best, p)))) best = i;
    for (int j = 0; best != p && j < K; ++j) std::swap(a(p, j), a(best, j));
    for (int j = 0; best != p && j < C; ++j) std::swap(b(p, j), b(best, j));
    const S reciprocal = S(1) / a(p, p);
    regular = regular && number::isfinite(value_of(reciprocal));
    for (int j = p; j < K; ++j) a(p, j) *= reciprocal;
    for (int j = 0; j < C; ++j) b(p, j) *= reciprocal;
    for (int i = 0; i < K; ++i) {
      const S factor = a(i, p);
      for (int j = p; i != p && j < K; ++j) a(i, j) -= factor * a(p, j);
      for (int j = 0; i != p && j < C; ++j) b(i, j) -= factor * b(p, j);
    }
  }
  return regular;
}

/// Exchange row p with the row below that has the largest entry in column p, lane by lane.
template <class S, int K>
void bring_up_pivot(Mat<S, K>& c, Vec<S, K>& x, int p) {
  using std::abs;
  if constexpr (PackReal<S>) {
    const auto exchange = [](const auto& where, S& a, S& b) {
      const S kept = a;
      a = select(where, b, a);
      b = select(where, kept, b);
    };
    for (int i = p + 1; i < K; ++i) {
      const auto larger = abs(c(i, p)) > abs(c(p, p));
      for (int j = 0; j < K; ++j) exchange(larger, c(p, j), c(i, j));
      exchange(larger, x[p], x[i]);
    }
  } else {
    int best = p;
    for (int i = p + 1; i < K; ++i)
      if (abs(c(i, p)) > abs(c(best, p))) best = i;
    if (best == p) return;
    for (int j = 0; j < K; ++j) std::swap(c(p, j), c(best, j));
    std::swap(x[p], x[best]);
  }
}

/// x ← C⁻¹x by elimination with row exchanges, where the square of entry (i, j) of C is at most
/// row[i]·column[j]. Returns false if C is nearly singular.
template <class S, int K>
[[nodiscard]] bool solve_square(Mat<S, K> c, const Vec<S, K>& row, const Vec<S, K>& column, Vec<S, K>& x) {
  using std::abs, std::sqrt;
  if constexpr (K == 1) {
    if (!usable(c(0, 0), c(0, 0) * c(0, 0) > regular_pivot<S> * regular_pivot<S> * row[0] * column[0]))
      return false;
    x[0] /= c(0, 0);
    return true;
  }
  Vec<S, K> unscale;
  for (int j = 0; j < K; ++j) {
    S rows = row[j], columns = column[j];
    if (!usable(rows, rows > S(0)) || !usable(columns, columns > S(0))) return false;
    unscale[j] = S(1) / S(sqrt(columns));
    const S scale = S(1) / S(sqrt(rows));
    x[j] *= scale;
    for (int i = 0; i < K; ++i) c(j, i) *= scale;
  }
  for (int j = 0; j < K; ++j)
    for (int i = 0; i < K; ++i) c(i, j) *= unscale[j];
  for (int p = 0; p < K; ++p) {
    bring_up_pivot(c, x, p);
    if (!usable(c(p, p), abs(c(p, p)) > S(regular_pivot<S>))) return false;
    for (int i = p + 1; i < K; ++i) {
      const S factor = c(i, p) / c(p, p);
      for (int j = p + 1; j < K; ++j) c(i, j) -= factor * c(p, j);
      x[i] -= factor * x[p];
    }
  }
  for (int i = K - 1; i >= 0; --i) {
    for (int j = i + 1; j < K; ++j) x[i] -= c(i, j) * x[j];
    x[i] /= c(i, i);
  }
  for (int j = 0; j < K; ++j) x[j] *= unscale[j];
  return true;
}

}  // namespace dalembert::linalg
