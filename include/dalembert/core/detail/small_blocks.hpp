#pragma once

#include <limits>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>

/// Parts of vectors and matrices of small fixed size, by plain loops: quick to compile, quick to run. Where
/// compilers would make a copy of memory of a loop, which what follows has to wait for, they are told to
/// unroll it.
namespace dalembert::detail {

/// N entries of x from number `first` on.
template <int N, class S, int M>
[[nodiscard]] Vec<S, N> part(const Vec<S, M>& x, int first = 0) {
  Vec<S, N> out;
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) out[i] = x[first + i];
  return out;
}

/// C columns of `a` from number `first` on.
template <int C, class S, int R, int A>
[[nodiscard]] Mat<S, R, C> columns(const Mat<S, R, A>& a, int first = 0) {
  Mat<S, R, C> out;
#pragma GCC unroll 16
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) out(i, j) = a(i, first + j);
  return out;
}

/// aᵀ.
template <class S, int R, int C>
[[nodiscard]] Mat<S, C, R> transposed(const Mat<S, R, C>& a) {
  Mat<S, C, R> out;
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) out(j, i) = a(i, j);
  return out;
}

/// Ones on the diagonal, zeros beside it.
template <class S, int R, int C = R>
[[nodiscard]] Mat<S, R, C> identity() {
  Mat<S, R, C> out;
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) out(i, j) = S(i == j ? 1 : 0);
  return out;
}

/// diag(d).
template <class S, int N>
[[nodiscard]] Mat<S, N> diagonal(const Vec<S, N>& d) {
  Mat<S, N> out;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) out(i, j) = i == j ? d[i] : S(0);
  return out;
}

/// The P × Q block of a matrix whose first entry is at (row, column).
template <int P, int Q, class S, int R, int C>
[[nodiscard]] Mat<S, P, Q> block_of(const Mat<S, R, C>& all, int row, int column) {
  Mat<S, P, Q> block;
  for (int j = 0; j < Q; ++j)
    for (int i = 0; i < P; ++i) block(i, j) = all(row + i, column + j);
  return block;
}
/// Write `block` into `out`, its first entry at (row, column).
template <class S, int R, int C, int P, int Q>
void place(Mat<S, R, C>& out, int row, int column, const Mat<S, P, Q>& block) {
#pragma GCC unroll 16
  for (int j = 0; j < Q; ++j)
    for (int i = 0; i < P; ++i) out(row + i, column + j) = block(i, j);
}

/// The 3×3 matrix with these entries, row by row.
template <class S>
[[nodiscard]] Mat<S, 3> matrix_of(const S& a, const S& b, const S& c, const S& d, const S& e, const S& f,
                                  const S& g, const S& h, const S& i) {
  Mat<S, 3> m;
  m(0, 0) = a, m(0, 1) = b, m(0, 2) = c;
  m(1, 0) = d, m(1, 1) = e, m(1, 2) = f;
  m(2, 0) = g, m(2, 1) = h, m(2, 2) = i;
  return m;
}

/// Write the entries of x into row i of `out`, from its first on.
template <class S, int R, int C, int N>
void put_row(Mat<S, R, C>& out, int i, const Vec<S, N>& x) {
  for (int j = 0; j < N; ++j) out(i, j) = x[j];
}

/// A column of one number, which is a number: a `Vec` of its type would take longer to compile.
template <class S>
struct OneRow {
  static constexpr int RowsAtCompileTime = 1;  ///< as Eigen's columns say it
  S value;                                     ///< it
  const S& operator[](int) const noexcept { return value; }
  operator Vec<S, 1>() const { return Vec<S, 1>(value); }
};

/// x above y, each a column or one number.
template <class X, class Y>
[[nodiscard]] auto stacked(const X& x, const Y& y) {
  constexpr int N = X::RowsAtCompileTime, M = Y::RowsAtCompileTime;
  Vec<std::remove_cvref_t<decltype(x[0])>, N + M> out;
  for (int i = 0; i < N; ++i) out[i] = x[i];
  for (int i = 0; i < M; ++i) out[N + i] = y[i];
  return out;
}

/// x · y; 0 without entries.
template <class S, int N>
[[nodiscard]] S inner(const Vec<S, N>& x, const Vec<S, N>& y) {
  if constexpr (N == 0) return S(0);
  if constexpr (N > 0) {
    S sum = x[0] * y[0];
    for (int i = 1; i < N; ++i) sum += x[i] * y[i];
    return sum;
  }
}

/// x + y.
template <class S, int N>
[[nodiscard]] Vec<S, N> sum(const Vec<S, N>& x, const Vec<S, N>& y) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = x[i] + y[i];
  return out;
}

/// x − y.
template <class S, int N>
[[nodiscard]] Vec<S, N> difference(const Vec<S, N>& x, const Vec<S, N>& y) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = x[i] - y[i];
  return out;
}

/// −x.
template <class S, int N>
[[nodiscard]] Vec<S, N> opposite(const Vec<S, N>& x) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = -x[i];
  return out;
}

/// x += factor · y.
template <class S, int N>
void add_scaled(Vec<S, N>& x, const S& factor, const Vec<S, N>& y) {
  for (int i = 0; i < N; ++i) x[i] += factor * y[i];
}

/// a x, for a column x or for several.
template <class S, int R, int C, int K>
[[nodiscard]] Mat<S, R, K> times(const Mat<S, R, C>& a, const Mat<S, C, K>& x) {
  Mat<S, R, K> out;
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < R; ++i) {
      out(i, k) = S(0);
      for (int j = 0; j < C; ++j) out(i, k) += a(i, j) * x(j, k);
    }
  return out;
}

/// aᵀ x.
template <class S, int R, int C>
[[nodiscard]] Vec<S, C> transpose_times(const Mat<S, R, C>& a, const Vec<S, R>& x) {
  Vec<S, C> out;
  for (int j = 0; j < C; ++j) {
    out[j] = S(0);
    for (int i = 0; i < R; ++i) out[j] += a(i, j) * x[i];
  }
  return out;
}

/// Zeros.
template <class S, int N>
[[nodiscard]] Vec<S, N> zeros() {
  Vec<S, N> out;
#pragma GCC unroll 16
  for (int i = 0; i < N; ++i) out[i] = S(0);
  return out;
}

/// Whether every entry is the same.
template <class S, int R, int C>
[[nodiscard]] bool same(const Mat<S, R, C>& a, const Mat<S, R, C>& b) {
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i)
      if (!(a(i, j) == b(i, j))) return false;
  return true;
}

/// |x|.
template <class S>
[[nodiscard]] S length(const Vec<S, 3>& x) {
  using std::sqrt;
  return sqrt(S(inner(x, x)));
}

/// Whether every entry is finite.
template <class S, int R, int C>
  requires PlainReal<S> || DualReal<S>
[[nodiscard]] bool all_finite(const Mat<S, R, C>& a) {
  using std::isfinite;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (!isfinite(a.coeff(i))) return false;
  return true;
}

/// Every entry zero.
template <class S, int R, int C>
void set_zero(Mat<S, R, C>& a) {
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) a(i, j) = S(0);
}

/// Numbers in rows and columns, column by column, where nothing is asked of a matrix but its entries.
template <class S, int R, int C>
struct Table {
  S entries[R * C > 0 ? R* C : 1];
  [[nodiscard]] S* data() noexcept { return entries; }
  [[nodiscard]] const S* data() const noexcept { return entries; }
  [[nodiscard]] S& operator()(int i, int j) noexcept { return entries[i + R * j]; }
  [[nodiscard]] const S& operator()(int i, int j) const noexcept { return entries[i + R * j]; }
  void set_zero() {
    for (S& entry : entries) entry = S(0);
  }
};

/// The largest magnitude of an entry; not-a-number if one is, 0 if there is none.
template <class S, int R, int C>
[[nodiscard]] S largest(const Mat<S, R, C>& a) {
  using std::abs;
  S most = 0;
  bool number = true;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const S size = abs(a.coeff(i));
    if constexpr (PackReal<S>) {
      most = select(most <= most, select(size <= most, most, size), most);
    } else {
      most = size > most ? size : most;
      number = number && size == size;
    }
  }
  return number ? most : std::numeric_limits<S>::quiet_NaN();
}

}  // namespace dalembert::detail
