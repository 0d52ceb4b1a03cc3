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

  /// Of so many rows. Gives the squares of their reactions in the metric of M⁻¹, zero until they are
  /// found.
  [[nodiscard]] Column<S>& start(Index rows) {
    n_.resize(rows);
    weights_.setZero(rows);
    return weights_;
  }
  /// After that: of each row c that was taken out, n = e_c and what the others react where that is held.
  /// Multipliers are the last unknowns of `lu`; react(n) puts A_Vᵀn to `right` and answers its square in
  /// the metric of M⁻¹. Allocates where there were never as many.
  template <class LU, class React>
  [[gnu::cold, gnu::noinline]] void find(const LU& lu, Column<S>& right, const React& react) {
    for (S& x : weights_) x = x > S(0) ? S(number::sqrt(x)) : S(1);
    free_.clear(static_cast<int>(n_.size()));
    for (const std::size_t unknown : lu.taken_out()) {
      const Index c = static_cast<Index>(unknown) - (right.size() - n_.size());
      n_.setZero();
      n_[c] = S(1);
      const S whole = react(n_);
      lu.solve(right.data());
      n_ += right.tail(n_.size());
      // else it is the rows alone that follow from others, and their reactions do not
      if (react(n_) > S(std::numeric_limits<S>::epsilon()) * whole) continue;
      Column<S>::Map(free_.add().data(), n_.size()) = weights_.cwiseProduct(n_);
      free_.finish(free_.count() - 1);
    }
  }
  /// Of the multipliers with the same reactions those of least norm.
  [[gnu::cold, gnu::noinline]] void project(Column<S>& lambda) const {
    lambda.array() *= weights_.array();
    free_.project(lambda.data());
    lambda.array() /= weights_.array();
  }

 private:
  linalg::NullSpace<S> free_;
  Column<S> n_, weights_;
};

}  // namespace dalembert::assembly::detail
