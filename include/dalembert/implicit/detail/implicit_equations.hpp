#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/linearised_body.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/implicit/detail/implicit_nodes.hpp>
#include <dalembert/implicit/detail/implicit_rows.hpp>
#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/problem/implicit.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// The equations of an implicit step of an assembly, see problem/implicit.hpp; those of one node are in
/// implicit/detail/implicit_nodes.hpp, those of constraints in implicit/detail/implicit_rows.hpp.
namespace dalembert::assembly::detail {

template <class Bodies, class Constraints>
class ImplicitEquations;

/// See the head of this file.
template <class First, class... Rest, class... C>
class ImplicitEquations<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>> {
  static_assert(StaticBody<First> && (StaticBody<Rest> && ...),
                "a body has no add_stiffness(body, chain, add); that of rods is in rod/implicit.hpp");
  static_assert((!has_line_markers<C> && ...), "a constraint on strings has no place in implicit steps");

 public:
  using S = typename First::Scalar;
  using Index = Eigen::Index;
  using Columns = NodeNumbers<S>;
  using Step = ImplicitStep<Columns, S>;
  using Bodies = BodyList<S, First, Rest...>;
  using Rows = ImplicitRows<S, C...>;
  using Triple = rod::Triple<S>;

  ImplicitEquations(const std::tuple<std::vector<First>, std::vector<Rest>...>& bodies,
                    const std::tuple<std::vector<C>...>& constraints)
      : bodies_(bodies),
        rows_(constraints, bodies_.blank()),
        middle_(bodies_.blank()),
        end_(bodies_.blank()),
        moved_(bodies_.columns()),
        loads_(moved_),
        own_(moved_) {
    std::vector<int> sizes;
    bodies_.each([&]<class B>(const B& body, std::size_t) {
      begin_.push_back(sizes.size());
      for (Index k = 0; k < body.nodes(); ++k) {
        const NodeInertia<S> n = node_inertia(body, k);
        Node node{S(0), n.rotary, damping_rate(body), {}, false};
        for (int i = 0; i < 6; ++i) {
          node.held[static_cast<std::size_t>(i)] = n.inverse[i] == S(0);
          node.any_held = node.any_held || n.inverse[i] == S(0);
          if (i < 3 && n.inverse[i] > S(0)) node.mass = S(1) / n.inverse[i];
        }
        nodes_.push_back(node);
        sizes.push_back(6);
      }
    });
    rows_.add_blocks(sizes);
    turns_.resize(nodes_.size());
    sizes_ = std::move(sizes);
  }

  [[nodiscard]] Columns make_columns() const { return bodies_.columns(); }
  /// Δ.
  [[nodiscard]] Columns& displacement() noexcept { return moved_; }
  /// λ, a force where loads are taken.
  [[nodiscard]] const Vec<S, Eigen::Dynamic>& multipliers() noexcept { return rows_.multipliers(); }
  void get_velocity(const State<S>& at, Columns& out) const {
    for (std::size_t b = 0; b < at.chains.size(); ++b) out[b] = at[b].velocity;
  }

  void start(const State<S>& from, const Step& step) {
    from_ = &from;
    step_ = &step;
    const S fraction = step.loads == LoadsAt::end ? S(1) : S(0.5);
    middle_.time = from.time + fraction * step.length;
    end_.time = from.time + step.length;
    bodies_.each([&]<class B>(const B& body, std::size_t b) { lead(body, b); });
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
  void find_residual() {
    place();
    bodies_.each([&](const auto& body, std::size_t b) {
      if (!find_loads(body, b)) rod::detail::throw_turned_too_far(middle_[b], b, middle_.time);
    });
    rows_.find(*from_, *step_, bodies_.inertia(), moved_, middle_, end_, loads_);
    each_node([&](std::size_t b, Index k, const Node& n) {
      balance_node(n, *step_, b, k, moved_[b], middle_[b].velocity, loads_[b], own_[b]);
    });
  }

  /// The matrix, decomposed.
  [[nodiscard]] bool factor() {
    const bool moved = rows_.moved();
    if (moved || lu_.rows() == 0) {
      lu_.start(sizes_, nodes_.size());
      bodies_.each([&](const auto& body, std::size_t b) {
        const auto couple = [&](Index k, Index l, const auto&) { lu_.couple(number(b, k), number(b, l)); };
        tell_stiffness(body, b, couple, couple);
      });
      rows_.add_pattern(begin_, nodes_.size(), lu_);
      lu_.find_pattern();
      right_.resize(lu_.rows());
    }
    lu_.set_zero();
    each_node([&](std::size_t b, Index k, const Node& n) {
      const std::size_t node = number(b, k);
      const Triple omega = rod::load3<3, S>(middle_[b].velocity, k);
      add_node_inertia(n, *step_, omega, lu_.block(node, node));
      turns_[node] = turning_by(rod::load3<3, S>(moved_[b], k), step_->loads != LoadsAt::end);
    });
    bodies_.each([&](const auto& body, std::size_t b) {
      tell_stiffness(
          body, b, [&](Index k, Index l, const auto& K) { add_block(number(b, k), number(b, l), K); },
          [&](Index k, Index l, const auto& K) { add_directly(number(b, k), number(b, l), K); });
    });
    rows_.add_to(
        *step_, middle_, begin_, nodes_.size(),
        [&](std::size_t node, int i) { return nodes_[node].held[static_cast<std::size_t>(i)]; }, lu_,
        [&](std::size_t k, std::size_t l, const auto& K) { add_block(k, l, K); });
    factored_ = lu_.factor();
    return factored_;
  }

  /// A step of Newton's method, which turns no node by more than half a radian. Its size as a part of Δ in
  /// the kinetic metric, where round-off of the positions counts as `tolerance`.
  [[nodiscard]] S correct(S tolerance) {
    each_node([&](std::size_t b, Index k, const Node&) {
      for (int i = 0; i < 6; ++i)
        right_[lu_.row(number(b, k)) + static_cast<std::size_t>(i)] = -own_[b](k, i);
    });
    const std::size_t first = 6 * nodes_.size();
    for (Index r = 0; r < rows_.left().size(); ++r)
      right_[first + static_cast<std::size_t>(r)] = -rows_.left()[r];
    lu_.solve(right_.data());
    S turned(0), corrected(0), displaced(0), placed = rows_.placed();
    each_node([&](std::size_t b, Index k, const Node& n) {
      const S* const x = right_.data() + lu_.row(number(b, k));
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
      const S* const x = right_.data() + lu_.row(number(b, k));
      for (int i = 0; i < 6; ++i) moved_[b](k, i) += fraction * x[i];
    });
    for (Index r = 0; r < rows_.left().size(); ++r)
      rows_.multipliers()[r] += fraction * right_[first + static_cast<std::size_t>(r)];
    const S rounding = S(0.5) * std::numeric_limits<S>::epsilon() * root(placed) / tolerance;
    const S whole = root(displaced) + rounding;
    return whole > S(0) ? root(corrected) / whole : S(0);
  }

  void check() { rows_.check(middle_); }

  /// `state` = q₁ with the velocities `factor` Δ + `constant`; prescribed ends as they go.
  void finish(S factor, const Columns& constant, State<S>& state) {
    for (std::size_t b = 0; b < end_.chains.size(); ++b) {
      state[b].configuration = end_[b].configuration;
      state[b].velocity = factor * moved_[b] + constant[b];
    }
    state.z = end_.z;
    state.time = end_.time;
    bodies_.hold_all(state);
  }
  template <class P>
  void project(const P& problem, State<S>& state) {
    if (rows_.count() == 0) return;
    // along reactions, of which it is a part
    (void)problem.project(state, rows_.workspace(), true);
  }

 private:
  using Node = ImplicitNode<S>;

  [[nodiscard]] std::size_t number(std::size_t b, Index k) const noexcept {
    return begin_[b] + static_cast<std::size_t>(k);
  }
  template <class F>
  void each_node(const F& f) const {
    std::size_t next = 0;
    for (std::size_t b = 0; b < begin_.size(); ++b)
      for (Index k = 0; k < bodies_.blank()[b].nodes; ++k) f(b, k, nodes_[next++]);
  }

  /// Put what is held where it goes.
  template <class B>
  void lead(const B& body, std::size_t b) {
    const bool prescribed = has_prescribed_motion(body);
    rod::Chain<S>& end = end_[b];
    if (prescribed) {
      end.configuration = from_->chains[b].configuration;
      hold(body, end, end_.time);
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

  /// f, with torques in the frames where loads are taken.
  template <class B>
  [[nodiscard]] bool find_loads(const B& body, std::size_t b) {
    rod::Chain<S>& middle = middle_[b];
    auto& f = loads_[b];
    constexpr bool discrete = requires { discrete_loads(body, middle, middle, middle, moved_[b], f); };
    if constexpr (discrete) {
      if (step_->loads == LoadsAt::between) {
        bool sound = discrete_loads(body, from_->chains[b], middle, end_[b], moved_[b], f);
        if constexpr (requires { body.forces(middle, middle_.time, f); }) {  // and what else it bears
          sound = body.forces(middle, middle_.time, own_[b]) && sound;
          f += own_[b];
          sound = forces_of_rod(body, middle, own_[b]) && sound;
          f -= own_[b];
        }
        return sound;
      }
    }
    return forces_of(body, middle, middle_.time, f);
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
  /// add(k, l, K_kl), by displacements where loads are taken, or of loads between two configurations by Δ.
  template <class B, class Add, class Direct>
  void tell_stiffness(const B& body, std::size_t b, const Add& add, const Direct& add_direct) {
    const LinearisedBody<B> linearised(body, middle_[b], middle_.time);
    if (step_->loads == LoadsAt::between)
      linearised.each_stiffness_between(from_->chains[b], end_[b], moved_[b], add, add_direct);
    else
      linearised.each_told_stiffness(add);
    linearised.each_damping_times(step_->velocity, add_direct);
  }

  Bodies bodies_;
  Rows rows_;
  State<S> middle_, end_;        // where loads are taken, with the velocities v; q₁
  Columns moved_, loads_, own_;  // Δ, f, what is left of (3)
  std::vector<std::size_t> begin_;
  std::vector<Node> nodes_;
  std::vector<int> sizes_;
  const State<S>* from_ = nullptr;
  const Step* step_ = nullptr;
  dalembert::linalg::BlockLU<S> lu_{};
  std::vector<S> right_;
  std::vector<std::array<S, 9>> turns_;  // how each node turns where loads are taken, by ψ
  bool factored_ = false;
};

}  // namespace dalembert::assembly::detail
