#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/node_tangent.hpp>
#include <dalembert/assembly/detail/place_unknowns.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>

/// One constraint in the linearised equations of an assembly: its rows, from the evaluation that all else
/// takes them from, and how they change.
namespace dalembert::assembly::detail {

/// How many numbers each constraint of a kind has.
struct LinearisedSizes {
  int rows, positions, slides, markers;
};

/// Where the numbers of one constraint begin among those of all.
struct LinearisedSlot {
  std::size_t number;  ///< in its kind
  std::size_t index;   ///< among all
  int z, row, position;
};

/// f(kind, slot) for all constraints of kinds that say their `sizes`.
template <class Kind, class F>
void each_constraint(std::span<Kind* const> kinds, const F& f) {
  LinearisedSlot slot{};
  for (Kind* const kind : kinds)
    for (slot.number = 0; slot.number < kind->count(); ++slot.number) {
      f(*kind, std::as_const(slot));
      ++slot.index;
      slot.z += kind->sizes.slides;
      slot.row += kind->sizes.rows;
      slot.position += kind->sizes.positions;
    }
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
  using Index = Eigen::Index;

  int rows = 0, positions = 0, slides = 0;  ///< how many
  std::vector<LinearisedPlace<S>> places;   ///< its markers
  std::vector<S> lambda;                    ///< multipliers of all rows that are held
  std::vector<S> error, error_sizes;        ///< φ, and of what it is made of
  std::vector<S> known;                     ///< b
  /// What its places keep at zero, F; where ṡ is said in place of F, ṡ at rest [m/s].
  std::vector<S> apart;
  std::vector<S> slips;  ///< T of rows that are friction, column by column; empty without friction
  S mobility{};          ///< of that friction, ε

  LinearisedRows(const LinearisedRows&) = delete;
  LinearisedRows& operator=(const LinearisedRows&) = delete;

  [[nodiscard]] const RowsView<S>& view() const noexcept { return view_; }
  /// f(window, node, A, A_V) as in `RowsView`.
  template <class F>
  void each_node(const F& f) const {
    view_.each_node(weights_, x_->chains, f);
  }
  /// α of node k of a window.
  [[nodiscard]] S weight(const Window& w, Index k) const noexcept { return weight_of(weights_, w, k); }

  /// f(unknown, row by row, a number of A, the same of A_V) for all that touches a node.
  template <class F>
  void each_row(const F& f) const {
    const S* own = own_.data();
    const S* pulls = view_.reacts_elsewhere ? pulls_.data() : own;
    for (const NodeRows& node : nodes_)
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < 6; ++j) f(node.unknown + j, r, *own++, *pulls++);
  }
  /// How much row p of φ changes with displacements of a marker by so many metres, and with turns by a
  /// radian of one that one node bears.
  [[nodiscard]] S change(int p, S metres) const {
    S most(0), sum[6] = {};  // over the nodes of a window
    const S* own = own_.data();
    for (const NodeRows& node : nodes_) {
      for (int r = 0; r < rows; ++r)
        for (S& one : sum) one += along(p, r) * *own++;
      if (!node.last) continue;
      for (int from = 0; from < (node.alone ? 6 : 3); from += 3) {
        const S* const x = sum + from;
        const S length = number::sqrt(S(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        most = std::max(most, from == 0 ? S(metres * length) : length);
      }
      std::fill_n(sum, 6, S(0));
    }
    return most;
  }
  /// C, with φ̇ = C (A v + b).
  [[nodiscard]] const S& along(int p, int r) const { return view_.along[p + positions * r]; }
  /// A force on a marker that is seen by its average alone, or by its node: of the rows with λ.
  [[nodiscard]] Vec<S, 3> pull(std::size_t place) const {
    Vec<S, 3> sum = dalembert::detail::zeros<S, 3>();
    for (int r = 0; r < rows; ++r) {
      const Triple<S> row = view_.of(view_.own.linear, static_cast<int>(place), r);
      dalembert::detail::add_scaled<S, 3>(sum, lambda[static_cast<std::size_t>(r)], row);
    }
    return sum;
  }
  /// f(unknown of the velocity of a node along x, weight) for the nodes of a marker.
  template <class F>
  void each_weight(std::size_t place, const F& f) const {
    const Window& w = view_.windows[place];
    for (Index k = w.first; k < w.first + w.count; ++k) f((*first_)[w.body] + 6 * k, weight(w, k));
  }
  /// put(row, column, −∂f), the geometric stiffness of the pull f that is held.
  template <class Put>
  void each_geometric_stiffness(const Put& put) const {
    unknowns_.each_geometric_stiffness(tangent_, put);
  }
  /// put(number of an internal coordinate, column, ∂F).
  template <class Put>
  void each_tangency(const Put& put) const {
    unknowns_.each_tangency(tangent_, put);
  }
  /// put(number of a position row, column, ∂φ), where position multipliers are held.
  template <class Put>
  void each_slope(const Put& put) const {
    unknowns_.each_slope(tangent_, put);
  }

 protected:
  LinearisedRows() = default;
  ~LinearisedRows() = default;

  /// Rows node by node.
  [[gnu::noinline]] void find_rows() {
    each_node([&](const Window& w, Index k, const S* own, const S* pulls) {
      nodes_.push_back({(*first_)[w.body] + 6 * k, w.count == 1, k + 1 == w.first + w.count});
      own_.insert(own_.end(), own, own + 6 * rows);
      if (view_.reacts_elsewhere) pulls_.insert(pulls_.end(), pulls, pulls + 6 * rows);
    });
  }

  const State<S>* x_ = nullptr;
  const std::vector<Index>* first_ = nullptr;
  RowsView<S> view_{};
  const S* weights_ = nullptr;
  PlaceUnknowns<S> unknowns_;
  TangentView<S> tangent_{};

 private:
  /// Of one node of a window.
  struct NodeRows {
    Index unknown;
    bool alone, last;  // in its window
  };
  std::vector<NodeRows> nodes_;
  std::vector<S> own_, pulls_;  // A, and A_V where it is another, row by row
};

/// The same, found of a constraint of the kind C.
template <Constraint C>
class LinearisedConstraint : public LinearisedRows<ScalarOf<C>> {
 public:
  using S = ScalarOf<C>;
  using Base = LinearisedRows<S>;
  using typename Base::Index;
  static constexpr int P = Evaluation<C>::P, R = Evaluation<C>::R, Z = Evaluation<C>::Z;

  /// In no state yet.
  explicit LinearisedConstraint(const C& c) : placed_(c) {
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
    this->find_rows();
    const auto& [evaluator, e, weights] = placed_;
    keep(e.error, this->error);
    keep(e.known, this->known);
    if constexpr (Terms::slides_freely)
      keep(evaluator.sliding(e, x), this->apart);
    else if constexpr (Z > 0)
      keep(evaluator.tangency(e, x).first, this->apart);
    if constexpr (has_friction<C>)
      if (e.friction.mobility > S(0)) {
        this->mobility = e.friction.mobility;
        for (int r = 0; r < R; ++r) {
          const Vec<S, R> column = e.friction.rubbing(Vec<S, R>::Unit(r));
          this->slips.insert(this->slips.end(), column.data(), column.data() + R);
        }
      }
  }
  /// In another state, which stays while this is asked: its evaluation and the view of its rows.
  void place(const State<S>& x, int z) {
    this->x_ = &x;
    z_ = z;
    placed_.place(x, z);
    this->view_ = placed_.view();
    this->weights_ = placed_.weights.data();
  }

  [[nodiscard]] const Evaluator<C>& evaluator() const noexcept { return placed_.evaluator; }
  [[nodiscard]] const Evaluation<C>& evaluation() const noexcept { return placed_.evaluation; }
  [[nodiscard]] PlacedConstraint<C>& placed() noexcept { return placed_; }
  [[nodiscard]] const PlacedConstraint<C>& placed() const noexcept { return placed_; }

  /// The change of A_Vᵀλ for multipliers λ that stay.
  void hold(const Vec<S, R>& multipliers) {
    keep(multipliers, this->lambda);
    if constexpr (by_nodes<C>) {
      find_by_nodes([&](const Evaluation<C>&) { return multipliers; });
    } else {
      terms_.find(evaluator(), evaluation(), multipliers, this->x_->time);
      find_unknowns(in_all());
    }
  }
  /// The change of A_VᵀCᵀm for multipliers m of position rows that stay, and of φ.
  void hold_positions(const Vec<S, P>& m) {
    keep(reactions_of(evaluation(), m), this->lambda);
    if constexpr (by_nodes<C> || reacts_along_others) {
      find_by_nodes([&](const Evaluation<C>& e) { return reactions_of(e, m); });
    } else {
      terms_.find_of_positions(evaluator(), evaluation(), m, this->x_->time);
      find_unknowns(in_all());
    }
  }
  /// The same where unknowns are those of the nodes of its windows alone, one window after the other: the
  /// internal coordinates follow the tangency. Throws ParallelRods.
  void hold_positions_on_windows(const Vec<S, P>& m) requires(!by_nodes<C>) {
    terms_.find_of_positions(evaluator(), evaluation(), m, this->x_->time);
    std::array<Index, Evaluation<C>::N + 1> begin{};
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
      begin[i + 1] = begin[i] + 6 * evaluation().windows[i].count;
    slide_ = begin.back();
    find_unknowns([&](std::size_t i) { return begin[i]; });
    this->unknowns_.follow(terms_, this->x_->time);
  }
  /// Its markers, and the sizes of its errors.
  void find_places() {
    const Evaluation<C>& e = evaluation();
    const auto seen = evaluator().now(e.points);
    this->places.resize(seen.size());
    evaluator().each([&](auto i) {
      using Marker = MarkerOf<C, i>;
      const auto& marker = std::get<i>(evaluator().markers());
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
    if constexpr (P > 0) keep(sizes_of_rows(evaluator(), e.points, this->x_->time), this->error_sizes);
  }

 private:
  static constexpr bool reacts_along_others = ConstraintTraits<C>::Has::reaction && P > 0;
  using Terms = ConstraintTangent<C>;

  template <class Numbers>
  static void keep(const Numbers& x, std::vector<S>& out) {
    out.resize(static_cast<std::size_t>(x.size()));
    for (Index i = 0; i < x.size(); ++i) out[static_cast<std::size_t>(i)] = x[i];
  }
  /// The first unknown of a window, among those of all bodies.
  [[nodiscard]] auto in_all() const {
    return [this](std::size_t i) {
      const Window& w = evaluation().windows[i];
      return w.count > 0 ? (*this->first_)[w.body] + 6 * w.first : Index(0);
    };
  }
  template <class First>
  void find_unknowns(const First& first) {
    this->unknowns_.find(evaluator(), evaluation(), placed_.weights.data(), this->x_->chains, first, slide_,
                         terms_);
    this->tangent_ = terms_.view();
  }
  template <class Multipliers>
  void find_by_nodes(const Multipliers& multipliers) {
    by_nodes_.find(placed_, *this->x_, z_, multipliers);
    std::vector<Index> first;
    for (const auto& [body, k] : by_nodes_.nodes) first.push_back((*this->first_)[body] + 6 * k);
    this->unknowns_.find_nodes(first, slide_, Z);
    this->tangent_ = by_nodes_.view();
  }

  PlacedConstraint<C> placed_;
  int z_ = 0;
  Index slide_ = 0;
  NodeTangent<S> by_nodes_;
  Terms terms_;
};

}  // namespace dalembert::assembly::detail
