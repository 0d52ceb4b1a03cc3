#pragma once

#include <cmath>
#include <limits>

#include <dalembert/core/real.hpp>

/// Parts of vectors and matrices of small fixed size, by plain loops: quick to compile, quick to run.
namespace dalembert::detail {

/// A small matrix, all zero at first, that is filled entry by entry: where no more is asked for it compiles quicker than
/// an Eigen matrix.
template <class S, int R, int C = R>
struct Table {
  S entry[R][C] = {};

  [[nodiscard]] S& operator()(int i, int j) noexcept { return entry[i][j]; }
  [[nodiscard]] const S& operator()(int i, int j) const noexcept { return entry[i][j]; }
};

/// N entries of x from number `first` on.
template <int N, class S, int M>
[[nodiscard]] Vec<S, N> part(const Vec<S, M>& x, int first = 0) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = x[first + i];
  return out;
}

/// C columns of `a` from number `first` on.
template <int C, class S, int R, int A>
[[nodiscard]] Mat<S, R, C> columns(const Mat<S, R, A>& a, int first = 0) {
  Mat<S, R, C> out;
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) out(i, j) = a(i, first + j);
  return out;
}

/// The upper left corner with N rows and columns.
template <int N, class S, int R, int C>
[[nodiscard]] Mat<S, N> corner(const Mat<S, R, C>& a) {
  Mat<S, N> out;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) out(i, j) = a(i, j);
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

/// Write `block` into `out`, its first entry at (row, column).
template <class S, int R, int C, int P, int Q>
void place(Mat<S, R, C>& out, int row, int column, const Mat<S, P, Q>& block) {
  for (int j = 0; j < Q; ++j)
    for (int i = 0; i < P; ++i) out(row + i, column + j) = block(i, j);
}

/// Write the entries of x into row i of `out`, from its first on.
template <class S, int R, int C, int N>
void put_row(Mat<S, R, C>& out, int i, const Vec<S, N>& x) {
  for (int j = 0; j < N; ++j) out(i, j) = x[j];
}

/// x above y.
template <class S, int N, int M>
[[nodiscard]] Vec<S, N + M> stacked(const Vec<S, N>& x, const Vec<S, M>& y) {
  Vec<S, N + M> out;
  for (int i = 0; i < N; ++i) out[i] = x[i];
  for (int i = 0; i < M; ++i) out[N + i] = y[i];
  return out;
}

/// x · y.
template <class S>
[[nodiscard]] S inner(const Vec<S, 3>& x, const Vec<S, 3>& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// x − y.
template <class S>
[[nodiscard]] Vec<S, 3> difference(const Vec<S, 3>& x, const Vec<S, 3>& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

/// |x|.
template <class S>
[[nodiscard]] S length(const Vec<S, 3>& x) {
  using std::sqrt;
  return sqrt(S(inner(x, x)));
}

/// Whether every entry is finite.
template <PlainReal S, int R, int C>
[[nodiscard]] bool all_finite(const Mat<S, R, C>& a) {
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i)
      if (!std::isfinite(a(i, j))) return false;
  return true;
}

/// Every entry zero.
template <class S, int R, int C>
void set_zero(Mat<S, R, C>& a) {
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) a(i, j) = S(0);
}

/// The largest magnitude of an entry; not-a-number if one is, 0 if there is none.
template <class S, int R, int C>
[[nodiscard]] S largest(const Mat<S, R, C>& a) {
  using std::abs;
  S most = 0;
  bool number = true;
  for (int j = 0; j < C; ++j)
    for (int i = 0; i < R; ++i) {
      const S size = abs(a(i, j));
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
