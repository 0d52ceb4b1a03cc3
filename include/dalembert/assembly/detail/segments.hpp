#pragma once

#include <cstddef>

#include <dalembert/core/real.hpp>

/// Numbers of one constraint in columns of numbers of all.
namespace dalembert::assembly::detail {

/// Where the numbers of one constraint lie among those of all.
struct Slot {
  std::size_t kind = 0;    ///< which kind of constraint it is
  std::size_t number = 0;  ///< among those of its kind
  int row = 0;             ///< the first of its rows
  int position = 0;        ///< of its position rows
  int z = 0;               ///< of its internal coordinates
  std::size_t index = 0;   ///< among the constraints
};

/// Numbers into a column of numbers from `first` on, and out of it.
template <class From, class Column>
void put(const From& x, Column& to, int first) {
  for (Eigen::Index i = 0; i < x.size(); ++i) to[first + i] = x[i];
}
template <int R, class Column>
[[nodiscard]] Vec<typename Column::Scalar, R> take(const Column& from, int first) {
  Vec<typename Column::Scalar, R> x;
  for (int i = 0; i < R; ++i) x[i] = from[first + i];
  return x;
}

}  // namespace dalembert::assembly::detail
