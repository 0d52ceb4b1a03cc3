#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/pivoted_qr.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// The linear system in which a constrained mechanical system finds its acceleration and multipliers,
///   M x − R_Vᵀ λ = f                                                                                (1)
///   A x + β = 0                                                                                      (2)
/// with as many rows in A as C_K has and as many in R_V as C_V has. The two need not agree, rows may depend
/// on each other or outnumber the unknowns; M may be singular. A regular square system takes a fast path,
/// through the Schur complement A M⁻¹ R_Vᵀ if M is positive; anything else goes through a rank-revealing
/// QR of the whole, scaled to be free of units. Sizes are small and fixed; nothing is allocated.
namespace dalembert {

/// The data of (1) and (2): n unknowns x, k rows of C_K, v rows of C_V.
template <class S, int N, int K, int V>
struct SaddlePoint {
  Mat<S, N> mass;            ///< M, symmetric where all unknowns have inertia
  Vec<S, N> force;           ///< f
  Mat<S, K, N> constraint;   ///< A
  Vec<S, K> drift;           ///< β
  Mat<S, V, N> variational;  ///< R_V
  /// The square of what the terms in f and β are like [M^½/s²]: a sum much smaller than that is rounding.
  S square_size{};
};

/// The solution, and what the solve found out.
template <class S, int N, int K, int V>
struct SaddlePointSolution {
  Vec<S, N> x;             ///< the solution
  Vec<S, V> lambda;        ///< of least norm, rows scaled to unit length, where rows depend on each other
  bool regular = true;     ///< whether a fast path answered; then the rest below is as it stands here
  int redundant = 0;       ///< rows of C_K that follow from others
  bool determined = true;  ///< whether (1) and (2) leave no freedom in x
  Vec<S, K>
      residual;  ///< of (2), scaled, relative to the largest term; not small where rows contradict each other
  S dynamic_residual{};  ///< of (1), likewise, the largest over its rows

  /// Say that a fast path answered.
  void set_regular() {
    regular = determined = true;
    redundant = 0;
    detail::set_zero(residual);
    dynamic_residual = 0;
  }
};

namespace detail {

/// A mass matrix that never changes, factored once. Of a diagonal one only the diagonal is used.
template <class S, int N>
class ConstantMass {
 public:
  /// Of a matrix of which the lower triangle is read.
  explicit ConstantMass(const Mat<S, N>& matrix) : matrix_(matrix), positive_(factor_.compute(matrix)) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < i; ++j)
        if (!number::is_zero(matrix(i, j))) diagonal_ = false;
  }

  /// The matrix.
  [[nodiscard]] const Mat<S, N>& matrix() const noexcept { return matrix_; }
  /// Whether it is clearly positive; else the functions below must not be called.
  [[nodiscard]] bool positive() const noexcept { return positive_; }

  /// See `SmallLDLT`.
  template <int C>
  void solve_lower(Mat<S, N, C>& x) const {
    if (!diagonal_) factor_.solve_lower(x);
  }
  /// See `SmallLDLT`.
  void solve_upper(Vec<S, N>& x) const {
    if (diagonal_)
      for (int i = 0; i < N; ++i) x[i] *= factor_.inverse_d[i];
    else
      factor_.solve_upper(x);
  }
  /// See `SmallLDLT`.
  template <int A, int B>
  [[nodiscard]] S dot(const Mat<S, N, A>& a, int i, const Mat<S, N, B>& b, int j) const {
    return factor_.dot(a, i, b, j);
  }

 private:
  Mat<S, N> matrix_;
  linalg::SmallLDLT<S, N> factor_;
  bool positive_, diagonal_ = true;
};

/// The fast path with the factors of M; with `same_rows`, R_V is A. Returns false, with `out` unspecified, if
/// the system is not regular.
template <bool same_rows, class MassFactor, class S, int N, int K>
[[nodiscard]] bool solve_by_schur(const MassFactor& mass, const SaddlePoint<S, N, K, K>& in,
                                  SaddlePointSolution<S, N, K, K>& out) {
  out.x = in.force;
  mass.solve_lower(out.x);
  if constexpr (K > 0) {
    Mat<S, N, K> a, other;
    for (int j = 0; j < K; ++j)
      for (int i = 0; i < N; ++i) a(i, j) = in.constraint(j, i);
    mass.solve_lower(a);
    if constexpr (!same_rows) {
      for (int j = 0; j < K; ++j)
        for (int i = 0; i < N; ++i) other(i, j) = in.variational(j, i);
      mass.solve_lower(other);
    }
    const Mat<S, N, K>& v = same_rows ? a : other;
    Mat<S, K> schur;
    Vec<S, K> rows, columns;
    for (int i = 0; i < K; ++i) {
      out.lambda[i] = -in.drift[i] - mass.dot(a, i, out.x, 0);
      for (int j = same_rows ? i : 0; j < K; ++j) schur(i, j) = mass.dot(a, i, v, j);
      if constexpr (same_rows)
        for (int j = 0; j < i; ++j) schur(i, j) = schur(j, i);
      rows[i] = same_rows ? schur(i, i) : mass.dot(a, i, a, i);
      columns[i] = same_rows ? schur(i, i) : mass.dot(v, i, v, i);
    }
    if (!linalg::solve_square<S, K>(schur, rows, columns, out.lambda)) return false;
    for (int j = 0; j < K; ++j)
      for (int i = 0; i < N; ++i) out.x[i] += v(i, j) * out.lambda[j];
  }
  mass.solve_upper(out.x);
  return true;
}

/// The matrix and right side of (1) and (2) with rows and columns scaled; `unscale` takes a solution back.
template <class S, int N, int K, int V>
struct ScaledSaddlePoint {
  Mat<S, N + K, N + V> matrix;
  Vec<S, N + K> rhs;
  Vec<S, N + V> unscale;

  explicit ScaledSaddlePoint(const SaddlePoint<S, N, K, V>& in) {
    using std::abs, std::sqrt;
    set_zero(matrix);
    const auto reciprocal = [](S norm) { return norm > 0 ? 1 / norm : S(1); };
    const auto length = [&](const auto& rows, int r) {
      S sum = 0;
      for (int j = 0; j < N; ++j) sum += rows(r, j) * unscale[j] * rows(r, j) * unscale[j];
      return sqrt(sum);
    };
    for (int i = 0; i < N; ++i) {
      S size = sqrt(abs(in.mass(i, i)));
      for (int r = 0; r < K && !(in.mass(i, i) > 0); ++r) size = std::max(size, abs(in.constraint(r, i)));
      unscale[i] = reciprocal(size);
    }
    for (int r = 0; r < K; ++r) {
      const S scale = reciprocal(length(in.constraint, r));
      for (int j = 0; j < N; ++j) matrix(N + r, j) = scale * in.constraint(r, j) * unscale[j];
      rhs[N + r] = -scale * in.drift[r];
    }
    for (int r = 0; r < V; ++r) unscale[N + r] = reciprocal(length(in.variational, r));
    for (int i = 0; i < N; ++i) {
      S largest = 0;
      for (int r = 0; r < V && !(in.mass(i, i) > 0); ++r)
        largest = std::max(largest, abs(unscale[N + r] * in.variational(r, i)));
      const S scale = in.mass(i, i) > 0 ? unscale[i] : reciprocal(largest);
      rhs[i] = scale * in.force[i];
      for (int j = 0; j < N; ++j) matrix(i, j) = scale * in.mass(i, j) * unscale[j];
      for (int r = 0; r < V; ++r) matrix(i, N + r) = -scale * unscale[N + r] * in.variational(r, i);
    }
  }

  /// Rows that say 0 = 0.
  [[nodiscard]] int empty_rows() const {
    int count = 0;
    for (int i = 0; i < N; ++i) {
      bool empty = true;
      for (int j = 0; j < N + V; ++j) empty = empty && matrix(i, j) == S(0);
      if (empty) ++count;
    }
    return count;
  }
};

/// The fast path where M is singular. Returns false, with `out` unspecified, if the system is not regular.
template <class S, int N, int K>
[[nodiscard]] bool solve_by_elimination(const SaddlePoint<S, N, K, K>& in,
                                        SaddlePointSolution<S, N, K, K>& out) {
  const ScaledSaddlePoint<S, N, K, K> scaled(in);
  Vec<S, N + K> ones, y = scaled.rhs;
  for (int i = 0; i < N + K; ++i) ones[i] = S(1);
  if (!linalg::solve_square<S, N + K>(scaled.matrix, ones, ones, y)) return false;
  for (int i = 0; i < N; ++i) out.x[i] = scaled.unscale[i] * y[i];
  for (int r = 0; r < K; ++r) out.lambda[r] = scaled.unscale[N + r] * y[N + r];
  return true;
}

/// The rank-revealing path.
template <class S, int N, int K, int V>
[[gnu::noinline]] void solve_by_qr(const SaddlePoint<S, N, K, V>& in, SaddlePointSolution<S, N, K, V>& out) {
  using std::abs;
  const ScaledSaddlePoint<S, N, K, V> scaled(in);
  linalg::PivotedQr<S, N + K, N + V> qr(scaled.matrix, scaled.rhs);
  const Vec<S, N + V> y = qr.solve();
  out.regular = false;
  out.redundant = std::max(0, N + K - qr.rank - scaled.empty_rows());
  out.determined = true;
  for (int i = 0; i < N + V; ++i) {
    if (qr.column[static_cast<std::size_t>(i)] >= N) continue;
    for (int j = 0; j < N + V - qr.rank; ++j) {
      if (i >= qr.rank || abs(qr.free(i, j)) > linalg::regular_pivot<S>) out.determined = false;
    }
  }
  S largest_term = std::max(S(number::sqrt(value_of(in.square_size))), S(std::numeric_limits<S>::min()));
  Vec<S, N + K> residual;
  for (int i = 0; i < N + K; ++i) {
    S sum = -scaled.rhs[i], terms = abs(scaled.rhs[i]);
    for (int j = 0; j < N + V; ++j) {
      sum += scaled.matrix(i, j) * y[j];
      terms += abs(scaled.matrix(i, j) * y[j]);
    }
    residual[i] = abs(sum);
    largest_term = std::max(largest_term, terms);
  }
  out.dynamic_residual = 0;
  for (int i = 0; i < N; ++i) {
    out.x[i] = scaled.unscale[i] * y[i];
    out.dynamic_residual = std::max(out.dynamic_residual, residual[i] / largest_term);
  }
  for (int r = 0; r < K; ++r) out.residual[r] = residual[N + r] / largest_term;
  for (int r = 0; r < V; ++r) out.lambda[r] = scaled.unscale[N + r] * y[N + r];
}

}  // namespace detail

/// Solve (1) and (2) by a fast path, where M is positive unless `Singular`, and with `same_rows`, where R_V
/// is A, which then need not be there. Returns whether the system is regular; else `out` is unspecified. In a
/// lane of a pack in which that fails the result is not-a-number.
template <bool Singular = false, bool same_rows = false, class S, int N, int K, int V>
[[nodiscard]] bool solve_regular(const SaddlePoint<S, N, K, V>& in, SaddlePointSolution<S, N, K, V>& out) {
  static_assert(!PackReal<S> || (K == V && !Singular),
                "packs need coordinates with inertia, and as many rows in C_K as in C_V");
  if constexpr (K != V) {
    out.regular = false;
  } else if constexpr (Singular) {
    out.regular = detail::solve_by_elimination(in, out);
  } else {
    linalg::SmallLDLT<S, N> mass;
    out.regular = mass.compute(in.mass) && detail::solve_by_schur<same_rows>(mass, in, out);
  }
  return out.regular;
}

/// Solve (1) and (2), where M is positive unless `Singular`. Never throws; read `determined` and the
/// residuals in the outcome.
template <bool Singular = false, class S, int N, int K, int V>
void solve(const SaddlePoint<S, N, K, V>& in, SaddlePointSolution<S, N, K, V>& out) {
  const bool regular = solve_regular<Singular>(in, out);
  if constexpr (!PackReal<S>) {
    if (regular)
      out.set_regular();
    else
      detail::solve_by_qr(in, out);
  }
}

}  // namespace dalembert
