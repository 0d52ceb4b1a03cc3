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

/// The equations that bodies and constraints give, and the sizes by which errors and steps are judged: plain
/// numbers. Unknowns are six for each node, then the internal coordinates, then the multipliers.
template <class S>
struct StaticSizes {
  StaticSizes() = default;
  StaticSizes(const StaticSizes&) = delete;
  StaticSizes& operator=(const StaticSizes&) = delete;
  [[gnu::cold, gnu::noinline]] ~StaticSizes() = default;

  Index nodes = 0;                 ///< unknowns of nodes
  int slides = 0;                  ///< internal coordinates
  int positions = 0;               ///< multipliers
  std::vector<char> is_held;       ///< for each unknown of a node
  S metres = S(1);                 ///< the extent of all nodes and places, as it was when last asked for
  S far{};                         ///< the largest coordinate of a node, likewise [m]
  Column<S> error_scale;           ///< how much φ changes with displacements by this extent, and turns
  Column<S> error_size;            ///< of what it is made of, to which its rounding is proportional
  std::array<S, 2> scale{};        ///< the largest single force and torque [N, N m]
  std::array<S, 2> stiff{};        ///< the largest stiffness against displacements and turns [N/m, N m]
  std::array<S, 2> floor{};        ///< round-off of forces and torques
  Column<S> digits;                ///< what the round-off of positions and rotations is worth, by rows
  std::vector<S> reach;            ///< as far as internal coordinates may go in a step [m]
  std::vector<StaticGap<S>> gaps;  ///< what must not pass through each other
  linalg::SparseEquations<S> equations{};

  /// Forget all but the counts and what is held.
  [[gnu::cold, gnu::noinline]] void clear_sizes() {
    equations.clear();
    error_scale = error_size = Column<S>::Zero(positions);
    reach.assign(static_cast<std::size_t>(slides), S(0));
    scale = stiff = {};
    digits = Column<S>::Zero(nodes);
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
  /// 0 for a force or displacement, 1 for a torque or turn.
  [[nodiscard]] static std::size_t kind_of(Index row) noexcept { return row % 6 < 3 ? 0 : 1; }

  /// An entry, but where a held degree has an equation of its own.
  [[gnu::noinline]] void add(Index row, Index column, S value) {
    if (row >= nodes || !held(row)) equations.add(row, column, value);
  }
  /// The block of the stiffness of a body that lies at these unknowns.
  [[gnu::noinline]] void add_stiffness(Index first, Index column, const Mat<S, 6, 6>& block) {
    for (int a = 0; a < 6; ++a) {
      S places(0), turns(0);
      const bool is_free = !held(first + a);
#pragma GCC unroll 1
      for (int b = 0; b < 6; ++b) {
        (b < 3 ? places : turns) += number::abs(block(a, b));
        if (is_free) equations.add(first + a, column + b, block(a, b));
      }
      digits[first + a] += places * far + turns;
      S& most = stiff[kind_of(first + a)];
      if (first == column) most = std::max(most, block(a, a));
    }
  }
  /// After the stiffness of all bodies: the equations of held degrees, and round-off.
  [[gnu::cold, gnu::noinline]] void finish_stiffness() {
    floor = {};
    for (Index row = 0; row < nodes; ++row) {
      keep_largest(floor[kind_of(row)], S(8) * std::numeric_limits<S>::epsilon() * digits[row]);
      if (held(row)) equations.add(row, row, S(1));
    }
  }
  /// After all loads: what is balanced inside bodies is not seen in the sum of their loads.
  void compare_scales() noexcept {
    const S length = stiff[0] > 0 && stiff[1] > 0 ? S(number::sqrt(stiff[1] / stiff[0])) : metres;
    auto& [force, torque] = scale;
    force = std::max(force, torque / length);
    torque = std::max(torque, force * length);
  }

  /// An error of a position row, beside how much that changes, with round-off as good as `tolerance`.
  [[nodiscard]] S relative(int i, S open, S tolerance) const {
    const S rounding = S(16) * std::numeric_limits<S>::epsilon() * error_size[i];
    return open == S(0) ? open : S(open / (error_scale[i] + rounding / tolerance));
  }
  /// The largest force, torque and row of what is not balanced, relative to the largest of its kind;
  /// round-off counts as `tolerance`.
  [[nodiscard, gnu::cold, gnu::noinline]] S residual(const Column<S>& unbalanced, S tolerance) const {
    std::array<S, 2> most{};
    for (Index row = 0; row < nodes; ++row)
      if (!held(row)) keep_largest(most[kind_of(row)], unbalanced[row]);
    S worst(0);
    for (std::size_t i = 0; i < 2; ++i)
      if (most[i] != S(0)) keep_largest(worst, most[i] / (scale[i] + floor[i] / tolerance));
    for (int i = 0; i < positions; ++i)
      keep_largest(worst, relative(i, unbalanced[multiplier(i)], tolerance));
    for (int i = 0; i < slides; ++i) keep_largest(worst, unbalanced[slide(i)] / metres);
    return worst;
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
};

/// What bodies and constraints say of a state: left-hand sides, which shall vanish, with their derivatives.
template <class S>
struct StaticTable : StaticSizes<number::Plain<S>> {
  using Sizes = StaticSizes<number::Plain<S>>;

  Column<S> force;  ///< loads with the pull of constraints [N, N m]
  Column<S> error;  ///< φ
  Column<S> apart;  ///< F

  /// Forget all but the counts and what is held.
  [[gnu::cold, gnu::noinline]] void clear() {
    Sizes::clear_sizes();
    force = Column<S>::Zero(Sizes::nodes);
    error = Column<S>::Zero(Sizes::positions);
    apart = Column<S>::Zero(Sizes::slides);
  }
  /// A force, or torque, on a degree.
  [[gnu::noinline]] void push(Index row, S load) noexcept {
    force[row] += load;
    auto& most = Sizes::scale[Sizes::kind_of(row)];
    most = std::max(most, number::abs(value_of(load)));
  }
};

}  // namespace dalembert::assembly::detail
