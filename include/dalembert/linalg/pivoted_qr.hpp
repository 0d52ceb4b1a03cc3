#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Least squares of small fixed size that reveal their rank, as plain loops.
namespace dalembert::linalg {

/// Least squares by Householder QR with column exchanges. The solution is the shortest of all that are
/// equally good.
template <class S, int R, int C>
struct PivotedQr {
  /// Numbers in rows and columns.
  template <int P, int Q>
  using Table = dalembert::detail::Table<S, P, Q>;

  Table<R, C> a;              ///< R of the factors in its upper triangle, its columns in their order
  Table<R, 1> b;              ///< Qᵀ times the right side
  std::array<int, C> column;  ///< which unknown each column belongs to
  int rank = 0;               ///< of the matrix
  Table<C, C> free;           ///< R₁₁⁻¹R₁₂ in its first `rank` rows and C − rank columns

  /// Decompose a matrix, beside a right side.
  PivotedQr(const Mat<S, R, C>& matrix, const Vec<S, R>& rhs) {
    std::copy_n(matrix.data(), R * C, a.data());
    std::copy_n(rhs.data(), R, b.data());
    const S threshold = S(1e3) * S(C) * std::numeric_limits<S>::epsilon();
    for (int j = 0; j < C; ++j) column[static_cast<std::size_t>(j)] = j;
    S first = 0;
    for (; rank < std::min(R, C); ++rank) {
      int best = rank;
      S best_norm = 0;
      for (int j = rank; j < C; ++j) {
        S sum = 0;
        for (int i = rank; i < R; ++i) sum += a(i, j) * a(i, j);
        if (sum > best_norm) {
          best = j;
          best_norm = sum;
        }
      }
      best_norm = number::sqrt(best_norm);
      if (rank == 0) first = best_norm;
      if (!(best_norm > threshold * first)) break;
      for (int i = 0; i < R; ++i) std::swap(a(i, rank), a(i, best));
      std::swap(column[static_cast<std::size_t>(rank)], column[static_cast<std::size_t>(best)]);
      reflect(best_norm);
    }
  }

  /// Reflect column `rank` onto its first entry, and the rest with it.
  void reflect(S norm) {
    const S head = a(rank, rank);
    const S signed_norm = head > 0 ? -norm : norm;
    a(rank, rank) = head - signed_norm;
    const S scale = 1 / (norm * (norm + number::abs(head)));
    const auto apply = [&](auto&& entry) {
      S dot = 0;
      for (int i = rank; i < R; ++i) dot += a(i, rank) * entry(i);
      for (int i = rank; i < R; ++i) entry(i) -= scale * dot * a(i, rank);
    };
    for (int j = rank + 1; j < C; ++j) apply([&](int i) -> S& { return a(i, j); });
    apply([&](int i) -> S& { return b(i, 0); });
    a(rank, rank) = signed_norm;
  }

  /// x ← R₁₁⁻¹x for the first `rank` entries.
  template <class Entry>
  void solve_upper(Entry&& x) const {
    for (int i = rank - 1; i >= 0; --i) {
      for (int j = i + 1; j < rank; ++j) x(i) -= a(i, j) * x(j);
      x(i) /= a(i, i);
    }
  }

  /// The shortest of the best solutions.
  Vec<S, C> solve() {
    const int open = C - rank;
    solve_upper([&](int i) -> S& { return b(i, 0); });
    // Of b − Z c, c the shortest has (1 + ZᵀZ) c = Zᵀ b.
    Mat<S, C> gram = dalembert::detail::identity<S, C>();
    Vec<S, C> c = dalembert::detail::zeros<S, C>();
    for (int j = 0; j < open; ++j) {
      for (int i = 0; i < rank; ++i) free(i, j) = a(i, rank + j);
      solve_upper([&](int i) -> S& { return free(i, j); });
    }
    for (int j = 0; j < open; ++j) {
      for (int i = 0; i < rank; ++i) {
        c[j] += free(i, j) * b(i, 0);
        for (int q = 0; q < open; ++q) gram(j, q) += free(i, j) * free(i, q);
      }
    }
    SmallLDLT<S, C> factor;
    (void)factor.compute(gram);  // 1 + ZᵀZ is positive
    factor.solve_lower(c);
    factor.solve_upper(c);
    Vec<S, C> x;
    for (int i = 0; i < C; ++i) {
      S value = i < rank ? b(i, 0) : c[i - rank];
      for (int j = 0; i < rank && j < open; ++j) value -= free(i, j) * c[j];
      x[column[static_cast<std::size_t>(i)]] = value;
    }
    return x;
  }
};

}  // namespace dalembert::linalg
