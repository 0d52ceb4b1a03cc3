#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/clusters/friction_rows.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/linalg/small_inverse.hpp>

/// What a constraint says in one state, in numbers.
namespace dalembert::assembly::detail {

/// The functions of a constraint in one state, on what is seen of its markers.
template <class C>
using Evaluator = MarkerFunctions<C>;

struct NoNodeRows {};

/// How the rows of a constraint are solved.
enum class RowSolution {
  shared_cluster,  ///< with those of others that it shares nodes with
  own_cluster,     ///< it shares none, but its rows have no closed form in this state
  closed_form,     ///< it shares none: by its `inverse`
};
/// What is known of a constraint of any kind in one state.
struct EvaluationState {
  bool turns{};       ///< CA turns nodes
  bool tangent{};     ///< the internal coordinates are those of the tangencies
  bool near = false;  ///< φ came near to 0 beside its sizes, which are of such a state
  RowSolution solution = RowSolution::shared_cluster;
  std::size_t cluster = 0;  ///< number of the cluster that it belongs to

  [[nodiscard]] bool shares_nodes() const noexcept { return solution == RowSolution::shared_cluster; }
  [[nodiscard]] bool has_closed_form() const noexcept { return solution == RowSolution::closed_form; }
};

/// What a constraint says in one state, in numbers, and the solution of its rows where they meet no others.
template <class C>
struct Evaluation : EvaluationState {
  static_assert(Constraint<C>);
  using Traits = ConstraintTraits<C>;
  using S = ScalarOf<C>;
  static constexpr int N = Traits::markers, P = Traits::positions, R = Traits::rows,
                       Z = Traits::internal_count;
  template <std::size_t count>
  using Blocks = std::array<Eigen::Matrix<S, R, 3>, count>;
  static constexpr std::size_t others = Traits::Has::reaction ? N : 0;
  static constexpr std::size_t averaged = by_nodes<C> ? 0 : N;

  std::array<Point<S>, N> points;                 ///< of its places
  std::array<Window, N> windows;                  ///< the nodes that bear them
  std::array<Eigen::Index, N> clustered_at = {};  ///< the first of them when clusters were found
  Vec<S, P> error;                                ///< φ
  /// Of what each row of φ is made of, zero until it was found.
  Vec<S, P> sizes = dalembert::detail::zeros<S, P>();
  Eigen::Matrix<S, P, R> along;                     ///< C
  Blocks<averaged> linear;                          ///< A on V of each marker
  Blocks<averaged> angular;                         ///< A on W of each marker
  Blocks<others> reaction_linear;                   ///< A_V on V, where it is not A
  Blocks<others> reaction_angular;                  ///< A_V on W
  Vec<S, R> known;                                  ///< b
  Vec<S, R> drift;                                  ///< Ȧv + ḃ
  Vec<S, Z> zdot;                                   ///< ṡ
  Mat<S, Z> slopes;                                 ///< of the tangency by the internal coordinates
  linalg::SmallInverse<S, R <= 3 ? R : 0> inverse;  ///< (A M⁻¹ A_Vᵀ)⁻¹
  [[no_unique_address]] std::conditional_t<by_nodes<C>, NodeRows<S, R, N>, NoNodeRows>
      nodes;  ///< A, if it is said node by node
  [[no_unique_address]] std::conditional_t<has_friction<C>, FrictionRows<S, P, R>, NoFriction>
      friction;  ///< which rows are friction
};

/// What systems of many constraints see of one whose rows begin there.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] RowsView<S> view_of(const Evaluation<C>& e, int row, int position) noexcept {
  using E = Evaluation<C>;
  RowsView<S> v{.rows = E::R, .row = row, .positions = E::P, .position = position, .places = E::N};
  v.windows = e.windows.data();
  v.along = e.along.data();
  if constexpr (by_nodes<C>) {
    v.nodes = e.nodes.windows();
  } else {
    v.own = v.reaction = {e.linear[0].data(), e.angular[0].data()};
  }
  if constexpr (E::others > 0) {
    v.reacts_elsewhere = true;
    v.reaction = {e.reaction_linear[0].data(), e.reaction_angular[0].data()};
  }
  if constexpr (has_friction<C>)
    if (e.friction.mobility > S(0)) {
      v.shape = e.friction.shape.data();
      v.exact = e.friction.exact.data();
      v.resistance = e.friction.resistance;
    }
  return v;
}

/// λ = Cᵀm, the multipliers of all rows that those of position rows are.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] Vec<S, Evaluation<C>::R> reactions_of(const Evaluation<C>& e,
                                                    const Vec<S, Evaluation<C>::P>& m) {
  return dalembert::detail::transpose_times(e.along, m);
}

/// m = C⁺ᵀλ, the multipliers of position rows that a part of those of all rows is.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] Vec<S, Evaluation<C>::P> along_positions(const Evaluation<C>& e,
                                                       const Vec<S, Evaluation<C>::R>& lambda) {
  Eigen::Matrix<S, Evaluation<C>::P, Evaluation<C>::R> inverse;
  linalg::find_pseudo_inverse(e.along, inverse);
  return inverse * lambda;
}

}  // namespace dalembert::assembly::detail
