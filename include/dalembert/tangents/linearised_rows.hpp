#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/tangents/place_unknowns.hpp>

/// One constraint of any kind in the linearised equations of an assembly: its constraint Jacobian, row by
/// row, and how its rows change.
namespace dalembert::assembly::detail {

/// How many constraints of a kind there are, and how many numbers each has.
struct LinearisedSizes {
  std::size_t count;
  int rows, positions, slides, markers;
};

/// f(kind, slot) for all constraints of kinds that say their `sizes`. Answers where the numbers of one more
/// would lie: how many there are of all.
template <class Kind, class F>
Slot each_constraint(std::span<Kind* const> kinds, const F& f) {
  Slot slot;
  for (Kind* const kind : kinds)
    for (slot.number = 0; slot.number < kind->sizes.count; ++slot.number) {
      f(*kind, std::as_const(slot));
      ++slot.index;
      slot.z += kind->sizes.slides;
      slot.row += kind->sizes.rows;
      slot.position += kind->sizes.positions;
    }
  return slot;
}

/// A marker of a constraint, as linearised equations see it.
template <class S>
struct LinearisedPlace {
  Vec<S, 3> position;  ///< [m]
  Vec<S, 3> along;     ///< how it moves with its internal coordinate, if it has one
  int slide = -1;      ///< number of that among those of the constraint, −1 without one
  S reach{};           ///< as far as that may go in a step [m]
  S arm{};             ///< from its node to it, 0 of an average over several [m]
};

/// A constraint of any kind in a state. Its unknowns are the six degrees of nodes, `first[body]` being the
/// first of a body, and its internal coordinates from `slide` on.
template <class S>
class LinearisedRows {
 public:
  int rows = 0, positions = 0, slides = 0;  ///< how many
  std::vector<LinearisedPlace<S>> places;   ///< its markers
  Column<S> lambda;                         ///< multipliers of all rows that are held
  Column<S> error, error_sizes;             ///< φ, and of what it is made of
  Column<S> known;                          ///< b
  Column<S> apart;  ///< what its places keep at zero, F; where ṡ is said in place of F, ṡ at rest [m/s]
  RowsView<S> view{};        ///< A, A_V and C
  PlaceUnknowns<S> changes;  ///< of the pull that is held, of F and, with position multipliers held, of φ
  S mobility{};              ///< ε of rows that are friction, 0 without friction

  LinearisedRows(const LinearisedRows&) = delete;
  LinearisedRows& operator=(const LinearisedRows&) = delete;

  /// f(window, node, A, A_V) as in `RowsView`.
  template <class F>
  void each_node(const F& f) const {
    view.each_node(weights_, x_->chains, f);
  }
  /// α of node k of a window.
  [[nodiscard]] S weight(const Window& w, Index k) const noexcept { return weight_of(weights_, w, k); }

  /// f(unknown, row by row, a number of A, the same of A_V) for all that touches a node.
  template <class F>
  void each_row(const F& f) const {
    each_node([&](const Window& w, Index k, const S* own, const S* pulls) {
      const Index unknown = (*first_)[w.body] + 6 * k;
      for (int i = 0; i < 6 * rows; ++i) f(unknown + i % 6, i / 6, own[i], pulls[i]);
    });
  }
  /// How much row p of φ changes with displacements of a marker by so many metres, and with turns by a
  /// radian of one that one node bears.
  [[nodiscard]] S change(int p, S metres) const {
    S most(0), sum[6] = {};  // over the nodes of a window
    each_node([&](const Window& w, Index k, const S* own, const S*) {
      for (int i = 0; i < 6 * rows; ++i) sum[i % 6] += along(p, i / 6) * own[i];
      if (k + 1 < w.first + w.count) return;
      for (int from = 0; from < (w.count == 1 ? 6 : 3); from += 3) {
        const S* const x = sum + from;
        const S length = number::sqrt(S(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        most = std::max(most, from == 0 ? S(metres * length) : length);
      }
      std::fill_n(sum, 6, S(0));
    });
    return most;
  }
  /// Entry (r, s) of T, of the rows that are friction; without friction none are.
  [[nodiscard]] S slips(int r, int s) const {
    return mobility > S(0) ? S(S(r == s ? 1 : 0) - view.exact[r + rows * s]) : S(0);
  }
  /// C, with φ̇ = C (A v + b).
  [[nodiscard]] const S& along(int p, int r) const { return view.along[p + positions * r]; }
  /// A force on a marker that is seen by its average alone, or by its node: of the rows with λ.
  [[nodiscard]] Vec<S, 3> pull(std::size_t place) const {
    Vec<S, 3> sum = dalembert::detail::zeros<S, 3>();
    for (int r = 0; r < rows; ++r) {
      const Triple<S> row = view.of(view.own.linear, static_cast<int>(place), r);
      dalembert::detail::add_scaled<S, 3>(sum, lambda[r], row);
    }
    return sum;
  }
  /// f(unknown of the velocity of a node along x, weight) for the nodes of a marker.
  template <class F>
  void each_weight(std::size_t place, const F& f) const {
    const Window& w = view.windows[place];
    for (Index k = w.first; k < w.first + w.count; ++k) f((*first_)[w.body] + 6 * k, weight(w, k));
  }

 protected:
  LinearisedRows() = default;
  ~LinearisedRows() = default;

  const State<S>* x_ = nullptr;
  const std::vector<Index>* first_ = nullptr;
  const S* weights_ = nullptr;
};

}  // namespace dalembert::assembly::detail
