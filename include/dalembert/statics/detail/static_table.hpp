#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/sparse_equations.hpp>
#include <dalembert/statics/load_path.hpp>

/// What bodies and constraints say of a static state.
namespace dalembert::assembly::detail {

/// The larger of `most` and |value|, kept in `most`; a NaN stays.
template <class S>
void keep_largest(S& most, const S& value) noexcept {
  number::keep_larger(most, number::abs(value));
}

/// A box around points [m].
template <class S>
using Extent = Eigen::AlignedBox<S, 3>;

/// Two places that a single row keeps apart: how one moves against the other.
template <class S>
struct StaticGap {
  std::vector<std::pair<Index, S>> nodes;           ///< first unknown of a node, its weight
  std::vector<std::pair<Index, Vec<S, 3>>> slides;  ///< unknown s, along what it moves
  S distance{};                                     ///< [m]

  /// How far in a step [m].
  [[nodiscard]] S moved(const Column<S>& step) const {
    S d[3] = {};
    for (const auto& [at, weight] : nodes)
      for (int j = 0; j < 3; ++j) d[j] += weight * step[at + j];
    for (const auto& [at, along] : slides)
      for (int j = 0; j < 3; ++j) d[j] += along[j] * step[at];
    return number::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
};

/// What bodies and constraints say of a state: left-hand sides, which shall vanish, and their equations.
/// Unknowns are six for each node, then the internal coordinates, then the multipliers.
template <class S>
struct StaticTable {
  StaticTable() = default;
  StaticTable(const StaticTable&) = delete;
  StaticTable& operator=(const StaticTable&) = delete;
  [[gnu::cold, gnu::noinline]] ~StaticTable() = default;  // thirty arrays

  Index nodes = 0;                 ///< unknowns of nodes
  int slides = 0;                  ///< internal coordinates
  int positions = 0;               ///< multipliers
  std::vector<char> is_held;       ///< for each unknown of a node
  Column<S> force;                 ///< loads with the pull of constraints [N, N m]
  S metres = S(1);                 ///< the extent of all nodes and places, as it was when last asked for
  Column<S> error;                 ///< φ
  Column<S> error_scale;           ///< how much it changes with displacements by this extent, and turns
  Column<S> error_size;            ///< of what it is made of, to which its rounding is proportional
  Column<S> apart;                 ///< F
  std::array<S, 2> scale{};        ///< the largest single force and torque [N, N m]
  std::vector<S> reach;            ///< as far as internal coordinates may go in a step [m]
  std::vector<StaticGap<S>> gaps;  ///< what must not pass through each other
  linalg::SparseEquations<number::Plain<S>>
      equations{};  ///< without derivatives, which only the left-hand sides need

  /// Forget all but the sizes and what is held.
  [[gnu::cold, gnu::noinline]] void clear() {
    equations.clear();
    force = Column<S>::Zero(nodes);
    error = error_scale = error_size = Column<S>::Zero(positions);
    apart = Column<S>::Zero(slides);
    reach.assign(static_cast<std::size_t>(slides), S(0));
    scale = {};
    gaps.clear();
  }
  /// Unknown number of internal coordinate z.
  [[nodiscard]] Index slide(int z) const noexcept { return nodes + z; }
  /// Unknown number of multiplier m.
  [[nodiscard]] Index multiplier(int m) const noexcept { return nodes + slides + m; }
  /// Whether this unknown is held.
  [[nodiscard]] bool held(Index row) const noexcept { return is_held[static_cast<std::size_t>(row)] != 0; }
  /// How many of the six unknowns of a node from `first` on are held.
  [[nodiscard]] int held_of(Index first) const noexcept {
    int count = 0;
    for (Index j = 0; j < 6; ++j) count += held(first + j) ? 1 : 0;
    return count;
  }
  /// An entry, but where a held degree has an equation of its own.
  [[gnu::noinline]] void add(Index row, Index column, S value) {
    if (row >= nodes || !held(row)) equations.add(row, column, value_of(value));
  }
  /// An error of a position row, beside how much that changes, with round-off as good as `tolerance`.
  [[nodiscard]] S relative(int i, S open, S tolerance) const {
    const S rounding = S(16) * std::numeric_limits<S>::epsilon() * error_size[i];
    return number::is_zero(open) ? open : S(open / (error_scale[i] + rounding / tolerance));
  }
  /// How long a step is.
  [[nodiscard, gnu::cold, gnu::noinline]] StaticStep<S> measure(const Column<S>& all,
                                                                const StaticOptions<S>& o) const {
    StaticStep<S> step;
    for (Index row = 0; row < nodes; row += 3) {
      const S length = dalembert::detail::length(Vec<S, 3>(all[row], all[row + 1], all[row + 2]));
      const bool turn = row % 6 >= 3;
      step.include(turn ? length : length / metres, turn ? o.largest_turn : o.largest_move);
    }
    for (int i = 0; i < slides; ++i)
      step.include(number::abs(all[slide(i)]) / metres, S(2) * reach[static_cast<std::size_t>(i)] / metres);
    for (const StaticGap<S>& gap : gaps)
      step.include(gap.moved(all) / metres, S(0.5) * gap.distance / metres);
    return step;
  }
  /// A torque of parts that may cancel.
  void note_torque(S torque) noexcept { scale[1] = std::max(scale[1], torque); }
  /// A force, or torque, on a degree.
  [[gnu::noinline]] void push(Index row, S load) noexcept {
    force[row] += load;
    S& most = scale[row % 6 < 3 ? 0 : 1];
    most = std::max(most, number::abs(load));
  }
};

}  // namespace dalembert::assembly::detail
