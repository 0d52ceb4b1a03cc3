#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/tangents/detail/node_tangent.hpp>
#include <dalembert/tangents/linearised_rows.hpp>
#include <dalembert/tangents/place_unknowns.hpp>

/// One constraint in the linearised equations of an assembly: its rows, from the evaluation that all else
/// takes them from, and how they change.
namespace dalembert::assembly::detail {

/// `LinearisedRows` of a constraint of the kind C.
template <Constraint C>
class LinearisedConstraint : public LinearisedRows<ScalarOf<C>> {
 public:
  using S = ScalarOf<C>;
  using Base = LinearisedRows<S>;
  static constexpr int P = Evaluation<C>::P, R = Evaluation<C>::R, Z = Evaluation<C>::Z;

  PlacedConstraint<C> placed;  ///< where it is, with its evaluation

  /// In no state yet.
  explicit LinearisedConstraint(const C& c) : placed(c) {
    this->rows = R;
    this->positions = P;
    this->slides = Z;
  }
  /// In this state, with all that it says there. Its first internal coordinate is number z.
  LinearisedConstraint(const C& c, const State<S>& x, int z, const std::vector<Index>& first, Index slide)
      : LinearisedConstraint(c) {
    this->first_ = &first;
    slide_ = slide;
    place(x, z);
    const auto& [evaluator, e, weights] = placed;
    this->error = e.error;
    this->known = e.known;
    if constexpr (Terms::slides_freely)
      this->apart = evaluator.sliding(e, x);
    else if constexpr (Z > 0)
      this->apart = evaluator.tangency(e, x).first;
  }
  /// In another state, which stays while this is asked: its evaluation and the view of its rows.
  void place(const State<S>& x, int z) {
    this->x_ = &x;
    z_ = z;
    placed.place(x, z);
    this->view = placed.view();
    this->weights_ = placed.weights.data();
    if constexpr (has_friction<C>) this->mobility = placed.evaluation.friction.mobility;
  }

  /// The change of A_Vᵀλ for multipliers λ that stay.
  void hold(const Vec<S, R>& multipliers) {
    this->lambda = multipliers;
    if constexpr (by_nodes<C>) {
      find_by_nodes([&](const Evaluation<C>&) { return multipliers; });
    } else {
      terms_.find(placed.evaluator, placed.evaluation, multipliers, this->x_->time);
      find_unknowns(in_all());
    }
  }
  /// The change of A_VᵀCᵀm for multipliers m of position rows that stay, and of φ.
  void hold_positions(const Vec<S, P>& m) {
    this->lambda = reactions_of(placed.evaluation, m);
    if constexpr (by_nodes<C> || reacts_along_others) {
      find_by_nodes([&](const Evaluation<C>& e) { return reactions_of(e, m); });
    } else {
      terms_.find_of_positions(placed.evaluator, placed.evaluation, m, this->x_->time);
      find_unknowns(in_all());
    }
  }
  /// The same where unknowns are those of the nodes of its windows alone, one window after the other: the
  /// internal coordinates follow the tangency. Throws ParallelRods.
  void hold_positions_on_windows(const Vec<S, P>& m) requires(!by_nodes<C>) {
    terms_.find_of_positions(placed.evaluator, placed.evaluation, m, this->x_->time);
    std::array<Index, Evaluation<C>::N + 1> begin{};
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
      begin[i + 1] = begin[i] + 6 * placed.evaluation.windows[i].count;
    slide_ = begin.back();
    find_unknowns([&](std::size_t i) { return begin[i]; });
    this->changes.follow(terms_, this->x_->time);
  }
  /// Its markers, and the sizes of its errors.
  void find_places() {
    const Evaluation<C>& e = placed.evaluation;
    const auto seen = placed.evaluator.now(e.points);
    this->places.resize(seen.size());
    placed.evaluator.each([&](auto i) {
      using Marker = MarkerOf<C, i>;
      const auto& marker = std::get<i>(placed.evaluator.markers());
      LinearisedPlace<S>& place = this->places[i];
      place.position = seen[i].position;
      place.along = e.points[i].dR;
      if constexpr (Marker::slides) {
        place.slide = Evaluator<C>::template slide_of<i>();
        place.reach = marker.reach();
      }
      if constexpr (!is_average<Marker> && !by_nodes<C>)
        if (marker.count() > 0) place.arm = dalembert::detail::length<S>(marker.arm(e.points[i]));
    });
    if constexpr (P > 0) this->error_sizes = sizes_of_rows(placed.evaluator, e.points, this->x_->time);
  }

 private:
  static constexpr bool reacts_along_others = ConstraintTraits<C>::Has::reaction && P > 0;
  using Terms = ConstraintTangent<C>;

  /// The first unknown of a window, among those of all bodies.
  [[nodiscard]] auto in_all() const {
    return [this](std::size_t i) {
      const Window& w = placed.evaluation.windows[i];
      return w.count > 0 ? (*this->first_)[w.body] + 6 * w.first : Index(0);
    };
  }
  template <class First>
  void find_unknowns(const First& first) {
    this->changes.find(placed.evaluator, placed.evaluation, placed.weights.data(), this->x_->chains, first,
                       slide_, terms_);
  }
  template <class Multipliers>
  void find_by_nodes(const Multipliers& multipliers) {
    by_nodes_.find(placed, *this->x_, z_, multipliers);
    std::vector<Index> first;
    for (const auto& [body, k] : by_nodes_.nodes) first.push_back((*this->first_)[body] + 6 * k);
    this->changes.find_nodes(first, slide_, by_nodes_.view());
  }

  int z_ = 0;
  Index slide_ = 0;
  NodeTangent<S> by_nodes_;
  Terms terms_;
};

}  // namespace dalembert::assembly::detail
