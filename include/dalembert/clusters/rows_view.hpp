#pragma once

#include <utility>
#include <vector>

#include <dalembert/assembly/line_rows.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/null_space.hpp>

/// What systems of many constraints see of each of them, whatever its kind: the rows of its constraint
/// Jacobian A and of A_V, along which it reacts, as numbers.
namespace dalembert::assembly::detail {

/// The same numbers in a type with room for their products.
template <class S, class W = linalg::Wide<S>>
[[nodiscard]] Averages<W> widened(const Averages<S>& x) noexcept {
  return {Triple<W>(x.linear), Triple<W>(x.angular)};
}
template <class S, class W = linalg::Wide<S>>
[[nodiscard]] Compliance<W> widened(const Compliance<S>& x) noexcept {
  return {Triple<W>(x.linear), Triple<W>(x.diagonal), Triple<W>(x.beside)};
}

/// The weight α of node k of a window.
template <class S>
[[nodiscard]] S weight_of(const S* weights, const Window& w, Eigen::Index k) noexcept {
  return weights[w.weights + (k - w.first)];
}

/// Which rows a system is made of.
struct RowKind {
  bool positions = false;  ///< C A M⁻¹ A_VᵀCᵀ instead of A M⁻¹ A_Vᵀ
  Along along = Along::reactions;
};

/// The rows of a constraint of any kind in one state. Blocks have a row each, column by column, place after
/// place.
template <class S>
struct RowsView {
  /// Rows on the averages of each place, A or A_V.
  struct Blocks {
    const S *linear = nullptr, *angular = nullptr;
  };

  int rows, row;            ///< how many, and the first among those of all constraints
  int positions, position;  ///< likewise of the position rows
  int places;
  bool reacts_elsewhere = false;  ///< A_V is not A
  const Window* windows = nullptr;
  const S* along = nullptr;
  Blocks own{}, reaction{};                    ///< A and A_V
  const std::vector<S>* nodes = nullptr;       ///< rows node by node, of each place, instead of these blocks
  const S *shape = nullptr, *exact = nullptr;  ///< of `FrictionRows`, if some rows are friction
  S resistance{};                              ///< likewise

  /// Row r of a block at a place.
  [[nodiscard]] Triple<S> of(const S* block, int place, int r) const noexcept {
    const S* const p = block + 3 * rows * place + r;
    return {p[0], p[rows], p[2 * rows]};
  }
  /// Row r on the averages of a place.
  [[nodiscard]] Averages<S> on_place(const Blocks& blocks, int place, int r) const noexcept {
    return {of(blocks.linear, place, r), of(blocks.angular, place, r)};
  }
  /// Row r on node k of a place.
  [[nodiscard, gnu::always_inline]] Averages<S> on_node(const Blocks& blocks, const S* weights, int place,
                                                        Eigen::Index k, int r) const noexcept {
    const Window& w = windows[place];
    if (nodes) return node_row(nodes[place].data() + 6 * rows * (k - w.first), r);
    const S alpha = weight_of(weights, w, k);
    return {alpha * of(blocks.linear, place, r), alpha * of(blocks.angular, place, r)};
  }
  /// f(window, node, A, A_V) for each node of every place: a row of six numbers for each row of the
  /// constraint, on (ṙ, ω) of the node, ω in its frame.
  template <class F>
  void each_node(const S* weights, const std::vector<Chain<S>>& chains, const F& f) const {
    S mine[6 * most_rows], other[6 * most_rows];
    for (int i = 0; i < places; ++i) {
      const Window& w = windows[i];
      for (Eigen::Index k = w.first; k < w.first + w.count; ++k) {
        const Quaternion<S> q = load_quaternion<S>(chains[w.body].configuration, k);
        const auto put = [&](const Blocks& blocks, S* out) {
          for (int r = 0; r < rows; ++r, out += 6) {
            const Averages<S> on = on_node(blocks, weights, i, k, r);
            write(on.linear, out);
            write(rotate_back(q, on.angular), out + 3);
          }
        };
        put(own, mine);
        if (reacts_elsewhere) put(reaction, other);
        f(w, k, std::as_const(mine), reacts_elsewhere ? std::as_const(other) : std::as_const(mine));
      }
    }
  }
  /// The size of the terms that row r of A v is the sum of.
  [[nodiscard]] S speed(const Nodes<S>& n, int r) const {
    S sum(0);
    for (int i = 0; i < places; ++i) {
      const Window& w = windows[i];
      if (w.line) {
        const auto& v = n.lines[w.body].velocity;
        each_line_node(w, n.weights, v.size(), [&](Eigen::Index k, S alpha) {
          sum += number::abs(alpha * of(own.linear, i, r).x * v[k]);
        });
        continue;
      }
      for (Eigen::Index k = w.first; k < w.first + w.count; ++k) {
        const Averages<S> on = on_node(own, n.weights, i, k, r);
        const auto& v = n.chains[w.body].velocity;
        sum += norm(on.linear) * norm(load3<0, S>(v, k)) + norm(on.angular) * norm(load3<3, S>(v, k));
      }
    }
    return sum;
  }
  /// Number of rows of a kind, and the first of them.
  [[nodiscard]] int count(RowKind kind) const noexcept { return kind.positions ? positions : rows; }
  [[nodiscard]] int first(RowKind kind) const noexcept { return kind.positions ? position : row; }
};

/// What is left of b where systems have no solution, in the units of the kinetic energy [√J, or √J/s].
template <class S>
struct Leftover {
  int row = -1;  ///< where most is left, −1 if nothing is
  S size{};      ///< how much
  S largest{};   ///< the largest entry of b
};

}  // namespace dalembert::assembly::detail
