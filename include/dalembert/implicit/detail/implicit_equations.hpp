#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/implicit/detail/implicit_bodies.hpp>
#include <dalembert/implicit/detail/implicit_nodes.hpp>
#include <dalembert/implicit/detail/implicit_rows.hpp>
#include <dalembert/implicit/detail/redundant_rows.hpp>
#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/problem/implicit.hpp>
#include <dalembert/rod/detail/check.hpp>

/// The equations of an implicit step of an assembly, see problem/implicit.hpp; those of one node are in
/// implicit/detail/implicit_nodes.hpp, those of constraints in implicit/detail/implicit_rows.hpp.
namespace dalembert::assembly::detail {

/// Of bodies and constraints of any kinds.
template <class S>
class ImplicitEquations {
 public:
  using Columns = NodeNumbers<S>;
  using Step = ImplicitStep<Columns, S>;
  using Bodies = ImplicitBodies<S>;

  ImplicitEquations(std::span<Bodies* const> bodies, std::span<ImplicitKind<S>* const> constraints)
      : bodies_(bodies), rows_(constraints) {
    each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t) {
      const Index nodes = kind.nodes(own);
      begin_.push_back(sizes_.size());
      kind.add_inertia(own, inertia_);
      middle_.chains.emplace_back(nodes);
      moved_.chains.push_back(rod::zero_columns<S, 6>(nodes));
      for (Index k = 0; k < nodes; ++k) {
        nodes_.push_back(kind.node(own, k));
        sizes_.push_back(6);
      }
    });
    end_ = middle_;
    loads_ = own_ = moved_;
    rows_.add_blocks(sizes_);
    turns_.resize(nodes_.size());
  }

  [[nodiscard]] Columns make_columns() const {
    Columns zero = moved_;
    zero.set_zero();
    return zero;
  }
  /// Δ.
  [[nodiscard]] Columns& displacement() noexcept { return moved_; }
  /// λ, a force where loads are taken.
  [[nodiscard]] const Column<S>& multipliers() noexcept { return rows_.multipliers(); }
  void get_velocity(const State<S>& at, Columns& out) const {
    for (std::size_t b = 0; b < at.chains.size(); ++b) out[b] = at[b].velocity;
  }

  [[gnu::noinline]] void start(const State<S>& from, const Step& step) {
    from_ = &from;
    step_ = &step;
    const S fraction = step.loads == LoadsAt::end ? S(1) : S(0.5);
    middle_.time = from.time + fraction * step.length;
    end_.time = from.time + step.length;
    each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t b) { lead(kind, own, b); });
    rows_.start(from, step, middle_, end_);
  }
  void forget_factors() noexcept { factored_ = false; }
  /// The same of the multipliers.
  void forget() noexcept {
    factored_ = false;
    rows_.forget();
  }
  [[nodiscard]] bool has_factors() const noexcept { return factored_; }

  /// Throws ElementTurnedTooFar, NotFinite, and what constraints throw that cannot be where they are.
  [[gnu::noinline]] void find_residual() {
    place();
    each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t b) {
      const bool sound = between() ? kind.find_loads_between(own, motion(b), loads_[b], own_[b])
                                   : kind.find_loads(own, middle_[b], middle_.time, loads_[b]);
      if (!sound) rod::detail::throw_turned_too_far(middle_[b], b, middle_.time);
    });
    rows_.find(*from_, *step_, inertia_, moved_, middle_, end_, loads_);
    each_node([&](std::size_t b, Index k, const Node& n) {
      balance_node(n, *step_, b, k, moved_[b], middle_[b].velocity, loads_[b], own_[b]);
    });
  }

  /// The matrix, decomposed.
  [[nodiscard, gnu::noinline]] bool factor() {
    const bool moved = rows_.moved();
    if (moved || lu_.rows() == 0) {
      lu_.start(sizes_, nodes_.size());
      each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t b) {
        const auto couple = [this, b](Index k, Index l, const auto&) {
          lu_.couple(number(b, k), number(b, l));
        };
        kind.each_stiffness(own, motion(b), between(), step_->velocity, couple, couple);
      });
      rows_.add_pattern(begin_, nodes_.size(), lu_);
      lu_.find_pattern();
      right_.resize(static_cast<Index>(lu_.rows()));
    }
    lu_.set_zero();
    each_node([&](std::size_t b, Index k, const Node& n) {
      const std::size_t node = number(b, k);
      const Triple<S> omega = load3<3, S>(middle_[b].velocity, k);
      add_node_inertia(n, *step_, omega, lu_.block(node, node));
      turns_[node] = turning_by(load3<3, S>(moved_[b], k), step_->loads != LoadsAt::end);
    });
    each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t b) {
      kind.each_stiffness(  // functions that need no memory
          own, motion(b), between(), step_->velocity,
          [this, b](Index k, Index l, const auto& K) { add_block(number(b, k), number(b, l), K); },
          [this, b](Index k, Index l, const auto& K) { add_directly(number(b, k), number(b, l), K); });
    });
    rows_.add_to(
        *step_, begin_, nodes_.size(),
        [&](std::size_t node, int i) { return nodes_[node].held[static_cast<std::size_t>(i)]; }, lu_,
        [&](std::size_t k, std::size_t l, const auto& K) { add_block(k, l, K); });
    factored_ = lu_.factor();
    redundant_.clear();
    if (factored_ && !lu_.taken_out().empty()) find_redundant();
    return factored_;
  }

  /// A step of Newton's method, which turns no node by more than half a radian. Its size as a part of Δ in
  /// the kinetic metric, where round-off of the positions counts as `tolerance`.
  [[nodiscard, gnu::noinline]] S correct(S tolerance) {
    each_node([&](std::size_t b, Index k, const Node&) {
      for (int i = 0; i < 6; ++i) right_[row(b, k) + i] = -own_[b](k, i);
    });
    right_.tail(rows_.count()) = -rows_.left();
    lu_.solve(right_.data());
    S turned(0), corrected(0), displaced(0), placed = rows_.placed();
    each_node([&](std::size_t b, Index k, const Node& n) {
      const S* const x = right_.data() + row(b, k);
      for (int i = 0; i < 6; ++i) {
        const S m = n.inertia(i);
        corrected += m * x[i] * x[i];
        displaced += m * moved_[b](k, i) * moved_[b](k, i);
        const S r = i < 3 ? end_[b].configuration(k, i) : S(1);
        placed += m * r * r;
        if (i >= 3) turned = std::max(turned, number::abs(x[i]));
      }
    });
    rod::check_finite(corrected, "a correction of an implicit step", end_.time);
    const auto root = [](const S& square) { return S(number::sqrt(value_of(square))); };  // decides alone
    const S fraction = turned > S(0.5) ? S(0.5) / turned : S(1);
    each_node([&](std::size_t b, Index k, const Node&) {
      const S* const x = right_.data() + row(b, k);
      for (int i = 0; i < 6; ++i) moved_[b](k, i) += fraction * x[i];
    });
    rows_.multipliers() += fraction * right_.tail(rows_.count());
    if (!redundant_.empty()) redundant_.project(rows_.multipliers());
    const S rounding = S(0.5) * std::numeric_limits<S>::epsilon() * root(placed) / tolerance;
    const S whole = root(displaced) + rounding;
    return whole > S(0) ? root(corrected) / whole : S(0);
  }

  void check() { rows_.check(middle_); }

  /// `state` = q₁ with the velocities `factor` Δ + `constant`; prescribed ends as they go.
  [[gnu::noinline]] void finish(S factor, const Columns& constant, State<S>& state) {
    for (std::size_t b = 0; b < end_.chains.size(); ++b) {
      state[b].configuration = end_[b].configuration;
      state[b].velocity = factor * moved_[b] + constant[b];
    }
    state.z = end_.z;
    state.time = end_.time;
    each_body(bodies_, [&](const Bodies& kind, std::size_t own, std::size_t b) {
      kind.put_held(own, state[b], state.time);
    });
  }

 protected:
  /// Whether there are rows.
  [[nodiscard]] bool is_constrained() const noexcept { return rows_.count() > 0; }

 private:
  using Node = ImplicitNode<S>;

  [[nodiscard]] std::size_t number(std::size_t b, Index k) const noexcept {
    return begin_[b] + static_cast<std::size_t>(k);
  }
  [[nodiscard]] Index row(std::size_t b, Index k) const { return static_cast<Index>(lu_.row(number(b, k))); }
  template <class F>
  void each_node(const F& f) const {
    std::size_t next = 0;
    for (std::size_t b = 0; b < begin_.size(); ++b)
      for (Index k = 0; k < middle_[b].nodes; ++k) f(b, k, nodes_[next++]);
  }
  [[nodiscard]] bool between() const noexcept { return step_->loads == LoadsAt::between; }
  [[nodiscard]] ImplicitMotion<S> motion(std::size_t b) {
    return {from_->chains[b], middle_[b], end_[b], moved_[b], middle_.time};
  }

  /// Put what is held where it goes.
  void lead(const Bodies& kind, std::size_t own, std::size_t b) {
    const bool prescribed = kind.is_prescribed(own);
    rod::Chain<S>& end = end_[b];
    if (prescribed) {
      end.configuration = from_->chains[b].configuration;
      kind.put_held(own, end, end_.time);
    }
    for (Index k = 0; k < end.nodes; ++k) {
      const Node& n = nodes_[number(b, k)];
      if (!n.any_held) continue;
      std::array<S, 6> goes{};
      if (prescribed) goes = displacement_between(from_->chains[b].configuration, end.configuration, k);
      for (int i = 0; i < 6; ++i)
        if (n.held[static_cast<std::size_t>(i)]) moved_[b](k, i) = goes[static_cast<std::size_t>(i)];
    }
  }

  /// Where all nodes are, and the velocities v.
  void place() {
    const bool halfway = step_->loads != LoadsAt::end;
    for (std::size_t b = 0; b < begin_.size(); ++b) {
      const auto& from = from_->chains[b].configuration;
      auto& end = end_[b].configuration;
      auto& middle = middle_[b].configuration;
      middle_[b].velocity = step_->velocity * moved_[b] + step_->constant_velocity[b];
      for (Index k = 0; k < from_->chains[b].nodes; ++k) place_node(from, moved_[b], k, halfway, middle, end);
      if (!halfway) middle = end;
    }
  }

  /// A block K_kl of the stiffness times how node l goes where loads are taken.
  template <class Block>
  void add_block(std::size_t k, std::size_t l, const Block& K) {
    S* const out = lu_.block(k, l);
    const S fraction = step_->loads == LoadsAt::end ? S(1) : S(0.5);
    const std::array<S, 9>& turn = turns_[l];
    const Node& n = nodes_[k];
    for (int i = 0; i < 6; ++i) {
      if (n.any_held && n.held[static_cast<std::size_t>(i)]) continue;
      for (int j = 0; j < 3; ++j) {
        const auto at = static_cast<std::size_t>(j);
        out[6 * i + j] += fraction * K(i, j);
        out[6 * i + 3 + j] += K(i, 3) * turn[at] + K(i, 4) * turn[3 + at] + K(i, 5) * turn[6 + at];
      }
    }
  }
  /// A block of derivatives by Δ.
  template <class Block>
  void add_directly(std::size_t k, std::size_t l, const Block& K) {
    S* const out = lu_.block(k, l);
    for (int i = 0; i < 6; ++i)
      if (!nodes_[k].held[static_cast<std::size_t>(i)])
        for (int j = 0; j < 6; ++j) out[6 * i + j] += K(i, j);
  }
  [[gnu::cold, gnu::noinline]] void find_redundant() {
    const auto each = [this](const auto& f) {
      rows_.each_reaction([&](const Window& v, Index k, int i, int r, const S& x) {
        f(row(v.body, k) + i, r, x, inertia_[v.body].inverse(k, i));
      });
    };
    Column<S>& squares = redundant_.start(rows_.count());
    each([&](Index, int r, const S& x, const S& inverse) { squares[r] += inverse * x * x; });
    redundant_.find(lu_, right_, [&](const Column<S>& n) {
      right_.setZero();
      each([&](Index at, int r, const S& x, const S& inverse) {
        if (inverse > S(0)) right_[at] += x * n[r];
      });
      S square(0);
      each_node([&](std::size_t b, Index k, const Node&) {
        const auto six = right_.segment(row(b, k), 6).transpose().array();
        square += (inertia_[b].inverse.row(k) * six.square()).sum();
      });
      return square;
    });
  }
  std::span<Bodies* const> bodies_;
  ImplicitRows<S> rows_;
  Inertias<S> inertia_{};
  State<S> middle_, end_;        // where loads are taken, with the velocities v; q₁
  Columns moved_, loads_, own_;  // Δ, f, what is left of (3)
  std::vector<std::size_t> begin_;
  std::vector<Node> nodes_;
  std::vector<int> sizes_;
  const State<S>* from_ = nullptr;
  const Step* step_ = nullptr;
  dalembert::linalg::BlockLU<S> lu_{};
  RedundantRows<S> redundant_;
  Column<S> right_;
  std::vector<std::array<S, 9>> turns_;  // how each node turns where loads are taken, by ψ
  bool factored_ = false;
};

}  // namespace dalembert::assembly::detail
