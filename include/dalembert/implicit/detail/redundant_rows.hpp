#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/implicit/detail/implicit_rows.hpp>
#include <dalembert/linalg/null_space.hpp>

/// Rows of an implicit step that follow from others, which leave multipliers open: combinations n of the
/// rows whose reactions A_Vᵀn vanish. Of all multipliers those of least norm are taken, as in explicit
/// steps, where each row has the unit in which its reaction has the size 1 in the metric of M⁻¹.
namespace dalembert::assembly::detail {

/// Combinations without a reaction, of the rows that a decomposition took out.
template <class S>
class RedundantRows {
 public:
  [[nodiscard]] bool empty() const noexcept { return free_.count() == 0; }
  /// None.
  void clear() noexcept { free_.clear(0); }

  /// Of each row c that was taken out, n = e_c and what the others react where that is held. `first` is the
  /// first multiplier among the unknowns of `lu`; react(n) puts A_Vᵀn to `right` and answers its square in
  /// the metric of M⁻¹, of which `squares` are those of each row.
  template <class LU, class React>
  [[gnu::cold, gnu::noinline]] void find(const LU& lu, Column<S>& right, Index first,
                                         const Column<S>& squares, const React& react) {
    const Index count = squares.size();
    weights_ = squares.unaryExpr([](const S& x) { return x > S(0) ? S(number::sqrt(x)) : S(1); });
    Column<S> n(count);
    free_.clear(static_cast<int>(count));
    for (const std::size_t unknown : lu.taken_out()) {
      const Index c = static_cast<Index>(unknown) - first;
      n.setZero();
      n[c] = S(1);
      const S whole = react(n);
      lu.solve(right.data());
      n += right.tail(count);
      // else it is the rows alone that follow from others, and their reactions do not
      if (react(n) > S(std::numeric_limits<S>::epsilon()) * whole) continue;
      std::vector<S>& one = free_.add();
      for (Index r = 0; r < count; ++r) one[static_cast<std::size_t>(r)] = weights_[r] * n[r];
      free_.finish(free_.count() - 1);
    }
  }
  /// Of the multipliers with the same reactions those of least norm.
  [[gnu::cold, gnu::noinline]] void project(Column<S>& lambda) const {
    Column<S> scaled = lambda.cwiseProduct(weights_);
    free_.project(scaled.data());
    lambda = scaled.cwiseQuotient(weights_);
  }

 private:
  linalg::NullSpace<S> free_;
  Column<S> weights_;
};

}  // namespace dalembert::assembly::detail
