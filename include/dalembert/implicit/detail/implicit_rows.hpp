#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/implicit/detail/implicit_kind.hpp>
#include <dalembert/implicit/detail/implicit_pull.hpp>
#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/problem/implicit.hpp>

/// The constraints of an assembly in an implicit step by Δ from q₀ to q₁. Rows A, b, and C with
/// φ̇ = C(Av + b), are taken where loads are, in q; φ₁ and φ₀ are the position errors at the end and
/// the beginning, C⁺ = Cᵀ(CCᵀ)⁻¹:
///   0 = u − C⁺(Cu − v_Δ φ₁) + εTλ,  u = A v + b                                              (1)
/// closes the positions in q₁ and holds the velocities that are no rates of positions, or lets them slip
/// where there is friction ε, T = 1 − C⁺C. Reactions are A_Vᵀλ.
namespace dalembert::assembly::detail {

/// Constraints of any kinds; see the head of this file.
template <class S>
class ImplicitRows {
 public:
  using Kind = ImplicitKind<S>;
  using Step = ImplicitStep<NodeNumbers<S>, S>;
  using LU = dalembert::linalg::BlockLU<S>;

  explicit ImplicitRows(std::span<Kind* const> kinds) : kinds_(kinds) {
    const Slot all = each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      follow_rates_ = follow_rates_ || kind.follows_rates(at.number);
    });
    lambda_ = left_ = Column<S>::Zero(all.row);
    error_ = Column<S>::Zero(all.position);
    zdot_ = began_ = Column<S>::Zero(all.z);
  }

  [[nodiscard]] int count() const noexcept { return static_cast<int>(lambda_.size()); }
  [[nodiscard]] Column<S>& multipliers() noexcept { return lambda_; }
  /// How far nodes move by what position rows are made of, squared in the kinetic metric; rounding is a part.
  [[nodiscard]] const S& placed() const noexcept { return placed_; }
  /// What is left of (1).
  [[nodiscard]] const Column<S>& left() const noexcept { return left_; }

  /// Sizes of the blocks of rows, one for each constraint.
  void add_blocks(std::vector<int>& sizes) const {
    each_constraint(kinds_, [&](const Kind& kind, const auto&) { sizes.push_back(kind.sizes.rows); });
  }
  /// Which constraints bear on which nodes, block `first + i` being constraint i; of body b the nodes begin
  /// at block begin[b].
  void add_pattern(const std::vector<std::size_t>& begin, std::size_t first, LU& lu) const {
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      const RowsView<S>& view = kind.rows(at.number).view;
      each_window_node(view, begin, [&](std::size_t node, Index) {
        lu.couple(first + at.index, node);
        if (kind.curves())
          each_window_node(view, begin, [&](std::size_t other, Index) { lu.couple(node, other); });
      });
    });
  }
  /// Whether windows are others than when this was asked before.
  [[nodiscard]] bool moved() {
    bool moved = false;
    std::size_t next = 0;
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      const RowsView<S>& view = kind.rows(at.number).view;
      for (int i = 0; i < view.places; ++i) {
        if (next == firsts_.size()) firsts_.push_back(-1);
        moved = moved || firsts_[next] != view.windows[i].first;
        firsts_[next++] = view.windows[i].first;
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
  [[gnu::noinline]] void start(const State<S>& from, const Step& step, State<S>& middle, State<S>& end) {
    if (count() == 0) return;
    placed_ = S(0);
    const S fraction = step.loads == LoadsAt::end ? S(1) : S(0.5);
    middle.z = from.z + (fraction * step.length) * zdot_;
    end.z = from.z + step.length * zdot_;
    const bool follows = step.loads == LoadsAt::end && follow_rates_;
    if (step.loads != LoadsAt::between && !follows) return;
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      std::copy_n(kind.place_end(at.number, from, at.z), kind.sizes.positions, error_.data() + at.position);
      if (follows && kind.follows_rates(at.number))
        kind.find_rate(at.number, from, true, began_.data() + at.z);
    });
  }

  /// What is left of (1), and reactions added to f, with torques in the frames of `middle`, which has the
  /// velocities v; `end` is q₁.
  [[gnu::noinline]] void find(const State<S>& from, const Step& step, const Inertias<S>& inertia,
                              const NodeNumbers<S>& moved, State<S>& middle, State<S>& end,
                              NodeNumbers<S>& f) {
    if (count() == 0) return;
    solve_tangencies(middle);
    each_constraint(kinds_, [&](Kind& kind, const auto& at) { kind.place(at.number, middle, at.z); });
    if (zdot_.size() > 0) slide(from, step, middle, end);
    if (step.loads == LoadsAt::end)
      end.z = middle.z;
    else
      solve_tangencies(end);
    const bool first = placed_ == S(0);
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      const int R = kind.sizes.rows, P = kind.sizes.positions;
      const S* const lambda = lambda_.data() + at.row;
      S* const u = left_.data() + at.row;
      kind.find_velocities(at.number, middle, inertia, u);
      kind.add_loads(at.number, lambda, middle, inertia, f);
      if (P > 0) {
        if (first) placed_ += square_of_placing(kind, at.number, inertia);
        const S* const closed = kind.place_end(at.number, end, at.z);
        const RowsView<S>& view = kind.rows(at.number).view;
        S inverse[most * most], rate[most];  // C⁺ᵀ, C u
        kind.find_inverse(at.number, inverse);
        for (int p = 0; p < P; ++p) rate[p] = times(view.along, P, R, p, u);
        if (step.loads == LoadsAt::between) {
          S work(0), pull[most] = {};
          for (int p = 0; p < P; ++p) {
            const S mu = times(inverse, P, R, p, lambda);
            work += mu * (closed[p] - error_[at.position + p] - step.length * rate[p]);
            for (int r = 0; r < R; ++r) pull[r] += view.along[p + P * r] * mu;
          }
          pull_along_motion(kind, at.number, work, pull, inertia, moved, f);
        }
        for (int r = 0; r < R; ++r)
          for (int p = 0; p < P; ++p) u[r] -= inverse[p + P * r] * (rate[p] - step.velocity * closed[p]);
      }
      if (const LinearisedRows<S>& one = kind.rows(at.number); one.mobility > S(0))
        for (int r = 0; r < R; ++r)
          for (int s = 0; s < R; ++s) u[r] += one.mobility * one.slips(r, s) * lambda[s];
    });
  }

  /// Derivatives of (1) and of the reactions by Δ and λ, but for those of rows that are no rates of
  /// positions: into blocks as in `add_pattern`. `held(node, i)`: a degree with an equation of its own;
  /// add(k, l, K_kl) takes stiffness.
  template <class Held, class Add>
  void add_to(const Step& step, const std::vector<std::size_t>& begin, std::size_t first, const Held& held,
              LU& lu, const Add& add) {
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      const int R = kind.sizes.rows;
      if (kind.curves()) add_geometric_stiffness(kind, at, begin, add);
      const LinearisedRows<S>& one = kind.rows(at.number);
      const std::size_t mine = first + at.index;
      one.each_node([&](const Window& v, Index k, const S* rows, const S* pulls) {
        const std::size_t node = begin[v.body] + static_cast<std::size_t>(k);
        S* const row = lu.block(mine, node);
        S* const column = lu.block(node, mine);
        for (int r = 0; r < R; ++r)
          for (int i = 0; i < 6; ++i) {
            row[6 * r + i] += step.velocity * rows[6 * r + i];
            if (!held(node, i)) column[R * i + r] -= pulls[6 * r + i];
          }
      });
      if (one.mobility > S(0)) {
        S* const own = lu.block(mine, mine);
        for (int r = 0; r < R; ++r)
          for (int s = 0; s < R; ++s) own[R * r + s] += one.mobility * one.slips(r, s);
      }
    });
  }

  /// f(window, node, degree, row, number) for the numbers of A_Vᵀ.
  template <class F>
  void each_reaction(const F& f) const {
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      kind.rows(at.number).each_node([&](const Window& v, Index k, const S*, const S* pulls) {
        for (int i = 0; i < 6 * kind.sizes.rows; ++i) f(v, k, i % 6, at.row + i / 6, pulls[i]);
      });
    });
  }

  /// Throws what a constraint throws that is not valid with its multipliers.
  void check(const State<S>& middle) const {
    each_constraint(kinds_, [&](const Kind& kind, const Slot& at) {
      kind.check(at.number, middle, lambda_.data() + at.row);
    });
  }

 private:
  static constexpr int most = most_rows;

  /// f(number of the node, place) for the nodes of all windows.
  template <class F>
  static void each_window_node(const RowsView<S>& view, const std::vector<std::size_t>& begin, const F& f) {
    Index local = 0;
    for (int i = 0; i < view.places; ++i) {
      const Window& v = view.windows[i];
      for (Index k = v.first; k < v.first + v.count; ++k)
        f(begin[v.body] + static_cast<std::size_t>(k), local++);
    }
  }
  /// Entry p of the product of a matrix of P rows with x.
  [[nodiscard]] static S times(const S* matrix, int P, int R, int p, const S* x) {
    S sum(0);
    for (int r = 0; r < R; ++r) sum += matrix[p + P * r] * x[r];
    return sum;
  }

  void solve_tangencies(State<S>& x) const {
    int z = 0;
    for (const Kind* const kind : kinds_) {
      kind->solve_tangencies(x, z);
      z += kind->sizes.slides * static_cast<int>(kind->sizes.count);
    }
  }
  /// Where internal coordinates go: those that follow their rates at those of the middle, or at the mean of
  /// those of both ends; a guess of the others.
  void slide(const State<S>& from, const Step& step, State<S>& middle, State<S>& end) {
    each_constraint(kinds_, [&](Kind& kind, const Slot& at) {
      if (kind.sizes.slides == 0) return;
      const bool follows = kind.follows_rates(at.number);
      if (follows) kind.find_rate(at.number, middle, false, zdot_.data() + at.z);
      const S span = step.loads == LoadsAt::end ? step.length : step.length / S(2);
      for (int i = at.z; i < at.z + kind.sizes.slides; ++i) {
        if (follows) {
          const S half = step.length * zdot_[i] / S(2);
          middle.z[i] = from.z[i] + half;
          if (step.loads == LoadsAt::end) middle.z[i] += step.length * began_[i] / S(2);
          end.z[i] = from.z[i] + S(2) * half;
        } else {
          zdot_[i] = (middle.z[i] - from.z[i]) / span;
        }
      }
    });
  }

  /// add(k, l, K_kl) of the pull of position rows, internal coordinates following where the tangency has
  /// them.
  template <class Add>
  void add_geometric_stiffness(Kind& kind, const Slot& at, const std::vector<std::size_t>& begin,
                               const Add& add) {
    S inverse[most * most], m[most];
    kind.find_inverse(at.number, inverse);
    for (int p = 0; p < kind.sizes.positions; ++p)
      m[p] = times(inverse, kind.sizes.positions, kind.sizes.rows, p, lambda_.data() + at.row);
    kind.hold(at.number, m);
    const LinearisedRows<S>& one = kind.rows(at.number);
    Index size = 0;
    each_window_node(one.view, begin, [&](std::size_t, Index) { size += 6; });
    stiffness_.assign(static_cast<std::size_t>(size * size), S(0));
    one.changes.each_geometric_stiffness(
        [&](Index i, Index j, const S& k) { stiffness_[static_cast<std::size_t>(size * i + j)] += k; });
    Mat<S, 6, 6> block;
    each_window_node(one.view, begin, [&](std::size_t k, Index row) {
      each_window_node(one.view, begin, [&](std::size_t l, Index column) {
        for (Index i = 0; i < 6; ++i)
          for (Index j = 0; j < 6; ++j)
            block(i, j) = stiffness_[static_cast<std::size_t>(size * (6 * row + i) + 6 * column + j)];
        add(k, l, block);
      });
    });
  }

  std::span<Kind* const> kinds_;
  bool follow_rates_ = false;        // whether some internal coordinates do
  Column<S> lambda_, left_, error_;  // λ, (1), φ₀
  S placed_{};                       // see `placed`; 0 until it was found in a step
  Column<S> zdot_;                   // how internal coordinates moved
  Column<S> began_;                  // how those began to move that follow their rates
  std::vector<Index> firsts_;        // first nodes of all windows
  std::vector<S> stiffness_;         // between the nodes of a constraint, row by row
};

}  // namespace dalembert::assembly::detail
