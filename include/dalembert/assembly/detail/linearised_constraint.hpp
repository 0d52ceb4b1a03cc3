#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/node_tangent.hpp>
#include <dalembert/assembly/detail/place_unknowns.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>

/// One constraint in the linearised equations of an assembly, of whatever kind it is: its rows, from the
/// evaluation that all else takes them from, and how they change.
namespace dalembert::assembly::detail {

/// Of a constraint in a state. Its unknowns are the six degrees of nodes, `first[body]` being the first of a
/// body, and its internal coordinates from `slide` on.
template <Constraint C>
class LinearisedConstraint {
 public:
  using S = ScalarOf<C>;
  using Index = Eigen::Index;
  static constexpr int P = Evaluation<C>::P, R = Evaluation<C>::R, Z = Evaluation<C>::Z;

  /// Its first internal coordinate is number z.
  LinearisedConstraint(const C& c, const State<S>& x, int z, const std::vector<Index>& first, Index slide)
      : placed_(c, x, z), x_(x), z_(z), first_(first), slide_(slide) {}

  [[nodiscard]] const Evaluator<C>& evaluator() const noexcept { return placed_.evaluator; }
  [[nodiscard]] const Evaluation<C>& evaluation() const noexcept { return placed_.evaluation; }
  /// What its places keep at zero, F; where ṡ is said in place of F, ṡ at rest [m/s].
  [[nodiscard]] Vec<S, Z> apart() const {
    if constexpr (Terms::slides_freely)
      return evaluator().sliding(evaluation(), x_);
    else if constexpr (Z > 0)
      return evaluator().tangency(evaluation(), x_).first;
    else
      return {};
  }

  /// The change of A_Vᵀλ for multipliers λ that stay.
  void hold(const Vec<S, R>& lambda) {
    if constexpr (by_nodes<C>) {
      find_by_nodes([&](const Evaluation<C>&) { return lambda; });
    } else {
      terms_.find(evaluator(), evaluation(), lambda, x_.time);
      find_unknowns();
    }
  }
  /// The change of A_VᵀCᵀm for multipliers m of position rows that stay, and of φ.
  void hold_positions(const Vec<S, P>& m) {
    if constexpr (by_nodes<C> || reacts_along_others) {
      find_by_nodes([&](const Evaluation<C>& e) { return reactions_of(e, m); });
    } else {
      terms_.find_of_positions(evaluator(), evaluation(), m, x_.time);
      find_unknowns();
    }
  }

  /// f(unknown, row by row, a number of A, the same of A_V) for all that touches a node.
  template <class F>
  void each_row(const F& f) const {
    placed_.view().each_node(placed_.weights.data(), x_.chains,
                             [&](const Window& w, Index k, const S* own, const S* pulls) {
                               const Index first = first_[w.body] + 6 * k;
                               for (int r = 0; r < R; ++r)
                                 for (int j = 0; j < 6; ++j)
                                   f(first + j, r, own[6 * r + j], pulls[6 * r + j]);
                             });
  }
  /// How much each row of φ changes with displacements of a marker by so many metres, and with turns by a
  /// radian of one that one node bears.
  [[nodiscard]] Vec<S, P> changes(S metres) const {
    Vec<S, P> most = dalembert::detail::zeros<S, P>();
    dalembert::detail::Table<S, P, 6> sum{};  // over the nodes of a window
    placed_.view().each_node(
        placed_.weights.data(), x_.chains, [&](const Window& w, Index k, const S* own, const S*) {
          if (k == w.first) sum.set_zero();
          for (int p = 0; p < P; ++p)
            for (int r = 0; r < R; ++r)
              for (int j = 0; j < 6; ++j) sum(p, j) += evaluation().along(p, r) * own[6 * r + j];
          if (k + 1 < w.first + w.count) return;
          for (int p = 0; p < P; ++p) {
            const auto length = [&](int from) {
              const Vec<S, 3> three(sum(p, from), sum(p, from + 1), sum(p, from + 2));
              return S(number::sqrt(dalembert::detail::inner(three, three)));
            };
            most[p] = std::max({most[p], S(metres * length(0)), w.count == 1 ? length(3) : S(0)});
          }
        });
    return most;
  }
  /// f(unknown of the velocity of a node along x, weight) for the nodes of a marker.
  template <class F>
  void each_weight(std::size_t place, const F& f) const {
    const Window& w = evaluation().windows[place];
    for (Index k = w.first; k < w.first + w.count; ++k)
      f(first_[w.body] + 6 * k, weight_of(placed_.weights.data(), w, k));
  }
  /// put(row, column, −∂f), the geometric stiffness of the pull f that is held.
  template <class Put>
  void each_geometric_stiffness(const Put& put) const {
    unknowns_.each_geometric_stiffness(view_, put);
  }
  /// put(number of an internal coordinate, column, ∂F).
  template <class Put>
  void each_tangency(const Put& put) const {
    unknowns_.each_tangency(view_, put);
  }
  /// put(number of a position row, column, ∂φ), where position multipliers are held.
  template <class Put>
  void each_slope(const Put& put) const {
    unknowns_.each_slope(view_, put);
  }

 private:
  static constexpr bool reacts_along_others = ConstraintTraits<C>::Has::reaction && P > 0;
  using Terms = ConstraintTangent<C>;

  void find_unknowns() {
    const auto first = [&](std::size_t i) {
      const Window& w = evaluation().windows[i];
      return w.count > 0 ? first_[w.body] + 6 * w.first : Index(0);
    };
    unknowns_.find(evaluator(), evaluation(), placed_.weights.data(), x_.chains, first, slide_, terms_);
    view_ = terms_.view();
  }
  template <class Multipliers>
  void find_by_nodes(const Multipliers& multipliers) {
    nodes_.find(placed_, x_, z_, multipliers);
    std::vector<Index> first;
    for (const auto& [body, k] : nodes_.nodes) first.push_back(first_[body] + 6 * k);
    unknowns_.find_nodes(first, slide_, Z);
    view_ = nodes_.view();
  }

  PlacedConstraint<C> placed_;
  const State<S>& x_;
  int z_;
  const std::vector<Index>& first_;
  Index slide_;
  PlaceUnknowns<S> unknowns_;
  NodeTangent<S> nodes_;
  Terms terms_;
  TangentView<S> view_{};
};

}  // namespace dalembert::assembly::detail
