#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include <Eigen/Core>

/// Matrices and columns that change their size without a new allocation.
namespace dalembert::linalg::detail {

/// A dynamic Eigen matrix or column whose memory only grows. After `resize` its numbers are what its memory
/// has, zero where that is new.
template <class Plain>
class Growing : public Eigen::Map<Plain> {
  using Map = Eigen::Map<Plain>;
  static constexpr bool column = Plain::ColsAtCompileTime == 1;

 public:
  using Scalar = typename Plain::Scalar;  ///< the number type

  /// Of no size.
  Growing() : Map(at(nullptr, 0, column ? 1 : 0)) {}
  /// The same numbers.
  Growing(const Growing& other) : Growing() { *this = other; }
  /// Those of an expression.
  template <class Expression>
  Growing(const Eigen::MatrixBase<Expression>& x) : Growing() {
    *this = x;
  }
  /// The same numbers.
  Growing& operator=(const Growing& other) {
    if (this == &other) return *this;
    resize(other.rows(), other.cols());
    std::copy_n(other.data(), other.size(), this->data());
    return *this;
  }
  /// Those of an expression.
  template <class Expression>
  Growing& operator=(const Eigen::MatrixBase<Expression>& x) {
    resize(x.rows(), x.cols());
    Map::operator=(x.derived());
    return *this;
  }

  /// Of another size.
  void resize(Eigen::Index rows, Eigen::Index cols = 1) {
    const auto needed = static_cast<std::size_t>(rows * cols);
    if (room_.size() < needed) room_.resize(needed);
    ::new (static_cast<Map*>(this)) Map(at(room_.data(), rows, cols));
  }
  /// Of another size, and zero.
  void set_zero(Eigen::Index rows, Eigen::Index cols = 1) {
    resize(rows, cols);
    std::fill_n(this->data(), this->size(), Scalar(0));
  }

 private:
  static Map at(Scalar* data, Eigen::Index rows, Eigen::Index cols) {
    if constexpr (column) return Map(data, rows);
    if constexpr (!column) return Map(data, rows, cols);
  }

  std::vector<Scalar> room_;
};

}  // namespace dalembert::linalg::detail
