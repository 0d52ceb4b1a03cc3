#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/check_reactions.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/rows_view.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/implicit/detail/implicit_geometric_stiffness.hpp>
#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/linalg/small_inverse.hpp>
#include <dalembert/problem/implicit.hpp>

/// The constraints of an assembly in an implicit step by Δ from q₀ to q₁. Rows A, b, and C with
/// φ̇ = C(Av + b), are taken where loads are, in q; φ₁ and φ₀ are the position errors at the end and
/// the beginning, C⁺ = Cᵀ(CCᵀ)⁻¹:
///   0 = u − C⁺(Cu − v_Δ φ₁) + εTλ,  u = A v + b                                              (1)
/// closes the positions in q₁ and holds the velocities that are no rates of positions, or lets them slip
/// where there is friction ε, T = 1 − C⁺C. Reactions are A_Vᵀλ. Where loads lie between q₀ and
/// q₁, position rows pull along a discrete gradient D of φ instead of CA, so that they do no work:
///   D = CA + ε (M Δ)ᵀ/(ΔᵀMΔ),  ε = φ₁ − φ₀ − h C u                                    (2)
/// over the nodes that bear the constraint, with the squares of their weights. Source: Gonzalez 1999, Comput.
/// Methods Appl. Mech. Eng. 174, 185 (discrete gradients of constraints).
namespace dalembert::assembly::detail {

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class ImplicitRows {
 public:
  using List = ConstraintList<S, C...>;
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;
  using Step = ImplicitStep<NodeNumbers<S>, S>;
  using LU = dalembert::linalg::BlockLU<S>;

  ImplicitRows(std::tuple<std::vector<C>...> lists, const State<S>& shape)
      : list_(std::move(lists), shape),
        middle_(list_.make_workspace(shape)),
        end_(list_.make_workspace(shape)),
        lambda_(Column::Zero(list_.rows())),
        left_(lambda_),
        error_(Column::Zero(list_.positions())),
        zdot_(Column::Zero(list_.slides())),
        began_(zdot_) {}

  [[nodiscard]] int count() const noexcept { return list_.rows(); }
  [[nodiscard]] Column& multipliers() noexcept { return lambda_; }
  /// Room to project a state that a step ended in.
  [[nodiscard]] typename List::Workspace& workspace() noexcept { return end_; }
  /// How far nodes move by what position rows are made of, squared in the kinetic metric; rounding is a part.
  [[nodiscard]] const S& placed() const noexcept { return placed_; }
  /// What is left of (1).
  [[nodiscard]] const Column& left() const noexcept { return left_; }

  /// Sizes of the blocks of rows, one for each constraint.
  void add_blocks(std::vector<int>& sizes) const {
    list_.each([&]<class K>(const K&, const Slot&) { sizes.push_back(ConstraintTraits<K>::rows); });
  }
  /// Which constraints bear on which nodes, block `first + i` being constraint i; of body b the nodes begin
  /// at block begin[b].
  void add_pattern(const std::vector<std::size_t>& begin, std::size_t first, LU& lu) {
    list_.each(middle_, [&]<class K>(const K&, const Evaluation<K>& e, const Slot& slot) {
      const auto each = [&](const auto& f) {
        for (const Window& v : e.windows)
          for (Index k = v.first; k < v.first + v.count; ++k) f(begin[v.body] + static_cast<std::size_t>(k));
      };
      each([&](std::size_t node) {
        lu.couple(first + slot.index, node);
        if constexpr (curves<K>) each([&](std::size_t other) { lu.couple(node, other); });
      });
    });
  }
  /// Whether windows are others than when this was asked before.
  [[nodiscard]] bool moved() {
    bool moved = false;
    std::size_t next = 0;
    list_.each(middle_, [&]<class K>(const K&, const Evaluation<K>& e, const Slot&) {
      for (const Window& v : e.windows) {
        if (next == firsts_.size()) firsts_.push_back(-1);
        moved = moved || firsts_[next] != v.first;
        firsts_[next++] = v.first;
      }
    });
    return moved;
  }

  /// Forget the multipliers: a state that has nothing to do with the last one.
  void forget() noexcept {
    lambda_.setZero();
    zdot_.setZero();
  }
  /// A step from `from`.
  void start(const State<S>& from, const Step& step, State<S>& middle, State<S>& end) {
    if (list_.rows() == 0) return;
    placed_ = S(0);
    const S fraction = step.loads == LoadsAt::end ? S(1) : S(0.5);
    middle.z = from.z + (fraction * step.length) * zdot_;
    end.z = from.z + step.length * zdot_;
    const bool follows = step.loads == LoadsAt::end && list_.follow_rates();
    if (step.loads != LoadsAt::between && !follows) return;
    list_.find_places(from, end_);
    list_.each(end_, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      put(e.error, error_, slot.position);
      if constexpr (ConstraintTraits<K>::internal_count > 0)
        if (follows && follows_rates(c)) put(rate_of(c, from, end_, e), began_, slot.z);
    });
  }

  /// What is left of (1), and reactions added to f, with torques in the frames of `middle`, which has the
  /// velocities v; `end` is q₁.
  void find(const State<S>& from, const Step& step, const Inertias<S>& inertia, const NodeNumbers<S>& moved,
            State<S>& middle, State<S>& end, NodeNumbers<S>& f) {
    if (list_.rows() == 0) return;
    list_.solve_tangencies(middle, false);
    list_.find_places(middle, middle_);
    if (list_.slides() > 0) slide(from, step, middle, end);
    if (step.loads == LoadsAt::end)
      end.z = middle.z;
    else
      list_.solve_tangencies(end, false);
    list_.find_places(end, end_);
    const Nodes<S> nodes{middle.chains, middle.lines, inertia, middle_.weights.data()};
    const bool first = placed_ == S(0);
    list_.each(middle_, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      constexpr int R = ConstraintTraits<K>::rows, P = ConstraintTraits<K>::positions;
      Evaluator<K>(c).find_rows(e, middle);
      Vec<S, R> u = Products<K>::velocities(e, nodes);
      const Vec<S, R> lambda = take<R>(lambda_, slot.row);
      Products<K>::add_loads(e, lambda, nodes, f);
      if constexpr (P > 0) {
        if (first) place(c, e, middle, inertia);
        const Vec<S, P>& closed =
            std::get<std::vector<Evaluation<K>>>(end_.evaluations)[static_cast<std::size_t>(slot.number)]
                .error;
        Eigen::Matrix<S, P, R> inverse;  // C⁺ᵀ
        linalg::find_pseudo_inverse(e.along, inverse);
        const Vec<S, P> rate = e.along * u;
        if (step.loads == LoadsAt::between) {
          const Vec<S, P> mu = inverse * lambda;
          S work(0);
          for (int p = 0; p < P; ++p)
            work += mu[p] * (closed[p] - error_[slot.position + p] - step.length * rate[p]);
          pull_along_motion(Evaluator<K>(c), e, work, reactions_of(e, mu), inertia, moved, middle, f);
        }
        u -= inverse.transpose() * (rate - step.velocity * closed);
      }
      if constexpr (has_friction<K>) u += e.friction.mobility * e.friction.rubbing(lambda);
      for (int r = 0; r < R; ++r) left_[slot.row + r] = u[r];
    });
  }

  /// Derivatives of (1) and of the reactions by Δ and λ, but for those of rows that are no rates of
  /// positions: into blocks as in `add_pattern`. `held(node, i)`: a degree with an equation of its own;
  /// add(k, l, K_kl) takes stiffness.
  template <class Held, class Add>
  void add_to(const Step& step, const State<S>& middle, const std::vector<std::size_t>& begin,
              std::size_t first, const Held& held, LU& lu, const Add& add) {
    list_.each(middle_, [&]<class K>(const K& c, const Evaluation<K>& e, const Slot& slot) {
      constexpr int R = ConstraintTraits<K>::rows;
      if constexpr (curves<K>) {
        const Vec<S, ConstraintTraits<K>::positions> m = along_positions(e, take<R>(lambda_, slot.row));
        add_geometric_stiffness(Evaluator<K>(c), e, m, middle, middle_.weights.data(), room_,
                                [&](std::size_t a, Index k, std::size_t b, Index l, const auto& block) {
                                  add(begin[a] + static_cast<std::size_t>(k),
                                      begin[b] + static_cast<std::size_t>(l), block);
                                });
      }
      each_row_block(e, middle, [&](const Window& v, Index k, const auto& rows, const auto& pulls) {
        const std::size_t node = begin[v.body] + static_cast<std::size_t>(k), mine = first + slot.index;
        S* const row = lu.block(mine, node);
        S* const column = lu.block(node, mine);
        for (int r = 0; r < R; ++r)
          for (int i = 0; i < 6; ++i) {
            row[6 * r + i] += step.velocity * rows(r, i);
            if (!held(node, i)) column[R * i + r] -= pulls(r, i);
          }
      });
      if constexpr (has_friction<K>) {
        S* const own = lu.block(first + slot.index, first + slot.index);
        for (int s = 0; s < R; ++s) {
          const Vec<S, R> by = e.friction.rubbing(Vec<S, R>::Unit(s));
          for (int r = 0; r < R; ++r) own[R * r + s] += e.friction.mobility * by[r];
        }
      }
    });
  }

  /// Throws what a constraint throws that is not valid with its multipliers.
  void check(const State<S>& middle) {
    list_.each(middle_, [&]<class K>(const K& c, const Evaluation<K>& e, const Slot& slot) {
      check_reactions(c, middle, e, take<ConstraintTraits<K>::rows>(lambda_, slot.row));
    });
  }

 private:
  /// Whether the pull of position rows changes with the places in a way that is told.
  template <class K>
  static constexpr bool curves =
      ConstraintTraits<K>::positions > 0 && !by_nodes<K> && !ConstraintTraits<K>::Has::reaction &&
      (ConstraintTraits<K>::internal_count == 0 || ConstraintTraits<K>::Has::tangency);

  /// The rates of the places that were found in a state.
  template <class K>
  static auto rate_of(const K& c, const State<S>& x, const typename List::Workspace& w, Evaluation<K>& e) {
    const Evaluator<K> evaluator(c);
    find_velocities(evaluator, x, e, w.weights.data());
    find_slopes(evaluator, x, e);
    return rate_of_places(evaluator, e, x);
  }
  /// Where internal coordinates go: those that follow their rates at those of the middle, or at the mean of
  /// those of both ends; a guess of the others.
  void slide(const State<S>& from, const Step& step, State<S>& middle, State<S>& end) {
    list_.each(middle_, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      if constexpr (ConstraintTraits<K>::internal_count > 0) {
        if (follows_rates(c)) {
          const auto rate = rate_of(c, middle, middle_, e);
          for (int j = 0; j < Evaluation<K>::Z; ++j) {
            const int i = slot.z + j;
            const S half = step.length * rate[j] / S(2);
            middle.z[i] = from.z[i] + half;
            if (step.loads == LoadsAt::end) middle.z[i] += step.length * began_[i] / S(2);
            end.z[i] = from.z[i] + S(2) * half;
            zdot_[i] = rate[j];
          }
        } else {
          const S span = step.loads == LoadsAt::end ? step.length : step.length / S(2);
          for (int j = 0; j < Evaluation<K>::Z; ++j)
            zdot_[slot.z + j] = (middle.z[slot.z + j] - from.z[slot.z + j]) / span;
        }
      }
    });
  }

  /// Σ size²/(CA M⁻¹ AᵀCᵀ) over the position rows of a constraint.
  template <class K>
  void place(const K& c, const Evaluation<K>& e, const State<S>& middle, const Inertias<S>& inertia) {
    constexpr int P = ConstraintTraits<K>::positions;
    const Vec<S, P> sizes = sizes_of_rows(Evaluator<K>(c), e.points, middle.time);
    Vec<S, P> moves = Vec<S, P>::Zero();
    each_row_block(e, middle, [&](const Window& v, Index k, const auto& rows, const auto&) {
      const Eigen::Matrix<S, P, 6> on = e.along * rows;
      for (int p = 0; p < P; ++p)
        for (int i = 0; i < 6; ++i) moves[p] += inertia[v.body].inverse(k, i) * on(p, i) * on(p, i);
    });
    for (int p = 0; p < P; ++p)
      if (moves[p] > S(0)) placed_ += sizes[p] * sizes[p] / moves[p];
  }
  /// f += w M Δ/(ΔᵀMΔ) on the nodes of a constraint, where w is the work that its pull λ still does, of
  /// which
  /// (2) takes at most a part: while Newton's method is under way it may be anything. Where next to nothing
  /// moves, w is round-off, and is not divided by less.
  template <class K, class E, int R>
  void pull_along_motion(const Evaluator<K>& evaluator, const E& e, S work, const Vec<S, R>& lambda,
                         const Inertias<S>& inertia, const NodeNumbers<S>& moved, const State<S>& middle,
                         NodeNumbers<S>& f) const {
    if (number::is_zero(work)) return;
    S size(0), strength(0);
    const S length = largest_length(evaluator, e.points);
    const S rounding = S(16) * std::numeric_limits<S>::epsilon() * length * length;
    each_row_block(e, middle, [&](const Window& v, Index k, const auto&, const auto& pulls) {
      for (int i = 0; i < 6; ++i) {
        const S inverse = inertia[v.body].inverse(k, i), x = moved[v.body](k, i);
        if (!(inverse > S(0))) continue;
        S pull(0);
        for (int r = 0; r < R; ++r) pull += pulls(r, i) * lambda[r];
        strength += inverse * pull * pull;
        size += share(e, v, k) * (x * x + (i < 3 ? rounding : S(0))) / inverse;
      }
    });
    if (!(size > S(0))) return;
    const S most = S(0.25) * number::sqrt(strength * size);
    const S factor = std::clamp(work, -most, most) / size;
    for (const Window& v : e.windows)
      for (Index k = v.first; k < v.first + v.count; ++k)
        for (int i = 0; i < 6; ++i) {
          const S inverse = inertia[v.body].inverse(k, i);
          if (inverse > S(0)) f[v.body](k, i) += factor * share(e, v, k) * moved[v.body](k, i) / inverse;
        }
  }
  /// α² of a node, which grows from nothing where a window comes to it.
  template <class E>
  [[nodiscard]] S share(const E& e, const Window& v, Index k) const noexcept {
    if constexpr (requires { e.nodes.window(0); }) return S(1);
    const S alpha = weight_of(middle_.weights.data(), v, k);
    return alpha * alpha;
  }

  /// f(window, node, A by the six numbers of this node, A_V) for every node of every place.
  template <class K, class F>
  void each_row_block(const Evaluation<K>& e, const State<S>& middle, const F& f) const {
    using Rows = Eigen::Map<const Eigen::Matrix<S, Evaluation<K>::R, 6, Eigen::RowMajor>>;
    RowsView<S>::of(e, 0, 0).each_node(
        middle_.weights.data(), middle.chains,
        [&](const Window& v, Index k, const S* rows, const S* pulls) { f(v, k, Rows(rows), Rows(pulls)); });
  }

  List list_;
  typename List::Workspace middle_, end_;
  Column lambda_, left_, error_;  // λ, (1), φ₀
  S placed_{};                    // see `placed`; 0 until it was found in a step
  Column zdot_;                   // how internal coordinates moved
  Column began_;                  // how those began to move that follow their rates
  std::vector<Index> firsts_;     // first nodes of all windows
  GeometricStiffnessRoom<S> room_{};
};

}  // namespace dalembert::assembly::detail
