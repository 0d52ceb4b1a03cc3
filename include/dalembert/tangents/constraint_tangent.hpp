#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/core/detail/small_blocks.hpp>

/// How what one constraint says changes with its configuration. It sees the nodes through a few numbers per
/// marker alone: R and, of an average over nodes, R′, of a marker at one node a turn θ, Λ ←
/// exp(θ̂)Λ; and through s:
///   δφ, δF, δg,  g = A_Vᵀλ    by (R, R′, θ, s) of all markers, at fixed λ or m, λ = Cᵀm  (1)
/// where δR = Σα δr, δR′ = Σα′ δr, and g is a force and a torque at each marker, spatial. φ does
/// not change with s where F = 0, nor with R′ where φ = 0. The rows themselves are those of the
/// evaluation.
namespace dalembert::assembly::detail {

/// What may be seen of a tangent whatever the kind of the constraint: matrices column by column.
template <class S>
struct TangentView {
  int places, slides, positions;
  const S* pull;
  const S* changes;          ///< rows of g, of F and of φ
  const S* rates = nullptr;  ///< of ṡ by (V, W) of each marker, where that is said in place of F

  /// Numbers of the first row of F, of the first row of φ, and of all rows.
  [[nodiscard]] int tangency() const noexcept { return 6 * places; }
  [[nodiscard]] int position() const noexcept { return tangency() + slides; }
  [[nodiscard]] int rows() const noexcept { return position() + positions; }
  /// How the number of a row changes with a variable.
  [[nodiscard]] const S& change(int row, int variable) const noexcept {
    return changes[row + rows() * variable];
  }
};

/// Equation (1) for constraints of kind C.
template <Constraint C>
struct ConstraintTangent {
  using Traits = ConstraintTraits<C>;
  using S = ScalarOf<C>;
  using Points = typename Evaluator<C>::Points;
  static constexpr int N = Traits::markers, P = Traits::positions, R = Traits::rows,
                       Z = Traits::internal_count;
  /// Six numbers for each marker, R then R′ or θ, then s of those that slide.
  static constexpr int variables = 6 * N + Z;
  using D = Dual<S, variables>;
  using E = Dual<D, 1>;

  template <int rows, int columns>
  using Table = dalembert::detail::Table<S, rows, columns>;
  Table<6 * N, 1> pull;                     ///< g, by (V, W) of each marker
  Table<6 * N + Z + P, variables> changes;  ///< of g, of F and of φ
  Table<Z, 6 * N> rates;                    ///< of ṡ by (V, W), where that is said in place of F

  /// Whether a marker is an average over several nodes, whose turns it does not see.
  static constexpr std::array<bool, N> averages = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<bool, N>{is_average<MarkerOf<C, I>>...};
  }
  (std::make_index_sequence<static_cast<std::size_t>(N)>{});

  /// Whether ṡ is said in place of F.
  static constexpr bool slides_freely = Traits::Has::sliding && !Traits::Has::tangency;

  [[nodiscard]] TangentView<S> view() const noexcept {
    return {N, Z, P, pull.data(), changes.data(), slides_freely ? rates.data() : nullptr};
  }

  /// Of position rows with multipliers m that stay.
  [[gnu::cold, gnu::noinline]] void find_of_positions(const Evaluator<C>& evaluator, const Evaluation<C>& e,
                                                      const Vec<S, P>& m, S time) {
    const Nearby near = start(evaluator, e, reactions_of(e, m), time);
    add_positions(evaluator, e.points, near, m, time);
  }

  /// Of all rows with multipliers λ that stay.
  [[gnu::cold, gnu::noinline]] void find(const Evaluator<C>& evaluator, const Evaluation<C>& e,
                                         const Vec<S, R>& lambda, S time) {
    const Nearby near = start(evaluator, e, lambda, time);
    if constexpr (follows_positions) {
      add_positions(evaluator, e.points, near, lambda, time);
    } else {
      Vec<S, R> rest = lambda;
      if constexpr (P == 1 && !Traits::Has::reaction) {  // one that pulls along a gradient
        const Vec<S, P> m = along_positions(e, lambda);
        rest = dalembert::detail::difference(rest, reactions_of(e, m));
        add_positions(evaluator, e.points, near, m, time);
      }
      for (int along = 0; along < 6 * N; ++along) {
        const auto values = changed<true>(
            [&](const auto& x, const auto& t) {
              if constexpr (Traits::Has::reaction)
                return evaluator.reaction(x, t);
              else
                return evaluator.velocity(x, t);
            },
            evaluator, e.points, near, time, along);
        for (int r = 0; r < R; ++r) add_pull_change(along, rest[r], values[r].derivative(0));
      }
    }
  }

  /// Torques and turns of the marker whose variables begin at `first`, from space to the axes of a body with
  /// this rotation:  τ → Λᵀτ, whose change is Λᵀ(δτ + τ × θ),  θ = ΛΣ.
  void turn_to_body(const SO3<S>& rotation, int first) {
    const int t = first + 3;
    for (int j = 0; j < 3; ++j) {  // τ × θ
      const int next = (j + 1) % 3, last = (j + 2) % 3;
      changes(t + j, t + last) += pull(t + next, 0);
      changes(t + j, t + next) -= pull(t + last, 0);
    }
    const Mat<S, 3> lambda = rotation.matrix();
    // the numbers t to t + 2 of each of `count` columns
    const auto turned = [&](int count, const auto& entry) {
      for (int k = 0; k < count; ++k) {
        S x[3] = {};
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) x[i] += lambda(j, i) * entry(k, t + j);
        for (int i = 0; i < 3; ++i) entry(k, t + i) = x[i];
      }
    };
    turned(1, [&](int, int i) -> S& { return pull(i, 0); });
    turned(variables, [&](int v, int i) -> S& { return changes(i, v); });
    turned(6 * N + Z + P, [&](int row, int i) -> S& { return changes(row, i); });
    turned(Z, [&](int z, int i) -> S& { return rates(z, i); });
  }

 private:
  static_assert(!Traits::Has::reaction || Traits::Has::velocity,
                "a constraint with reaction rows says its velocity rows too");
  /// Whether the rows are the rates of the position rows.
  static constexpr bool follows_positions =
      P == R && !Traits::Has::reaction && !(Traits::Has::along && Traits::Has::velocity);

  using Nearby = std::array<PointState<D>, N>;  ///< markers near their points, by the variables

  [[nodiscard, gnu::cold, gnu::noinline]] Nearby start(const Evaluator<C>& evaluator, const Evaluation<C>& e,
                                                       const Vec<S, R>& lambda, S time) {
    Nearby near;
    evaluator.each([&](auto i) { near[i] = near_point<i>(evaluator, e.points[i]); });
    changes.set_zero();
    rates.set_zero();
    const auto add = [&](const auto& linear, const auto& angular) {
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < 6; ++j) {
          const auto& rows = (j < 3 ? linear : angular)[static_cast<std::size_t>(i)];
          S sum(0);
          for (int r = 0; r < R; ++r) sum += rows(r, j % 3) * lambda[r];
          pull(6 * i + j, 0) = sum;
        }
    };
    if constexpr (Traits::Has::reaction)
      add(e.reaction_linear, e.reaction_angular);
    else
      add(e.linear, e.angular);
    if constexpr (slides_freely)
      find_sliding_rates(evaluator, e, time);
    else if constexpr (Z > 0)
      find_tangency(evaluator, near);
    return near;
  }
  [[gnu::cold, gnu::noinline]] void add_positions(const Evaluator<C>& evaluator, const Points& points,
                                                  const Nearby& near, const Vec<S, P>& m, S time) {
    if constexpr (P > 0)
      for (int along = 0; along < 6 * N; ++along) {
        if (along % 6 >= 3 && averages[static_cast<std::size_t>(along / 6)]) continue;
        const auto phi =
            changed<false>([&](const auto& x, const auto& t) { return evaluator.position(x, t); }, evaluator,
                           points, near, time, along);
        for (int r = 0; r < P; ++r) {
          const D& value = phi[r].value();
          for (int v = 0; v < variables; ++v) changes(6 * N + Z + r, v) = value.derivative(v);
          add_pull_change(along, m[r], phi[r].derivative(0));
        }
      }
  }
  void add_pull_change(int along, const S& multiplier, const D& slope) {
    for (int v = 0; v < variables; ++v) changes(along, v) += multiplier * slope.derivative(v);
  }
  /// How ṡ changes with (V, W) of each marker.
  void find_sliding_rates(const Evaluator<C>& evaluator, const Evaluation<C>& e, S time) {
    std::array<Eigen::Matrix<S, Z, 3>, N> linear, angular;
    (void)evaluator.read(
        e, [&](const auto& x, const auto& t) { return evaluator.sliding(x, t); }, time, linear, angular);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < 6; ++j)
        for (int z = 0; z < Z; ++z)
          rates(z, 6 * i + j) = (j < 3 ? linear : angular)[static_cast<std::size_t>(i)](z, j % 3);
  }
  [[gnu::cold, gnu::noinline]] void find_tangency(const Evaluator<C>& evaluator, const Nearby& near) {
    const auto f = evaluator.tangency(
        evaluator.template seen<D>([&](auto i) -> const PointState<D>& { return near[i]; }));
    for (int r = 0; r < Z; ++r)
      for (int v = 0; v < variables; ++v) changes(6 * N + r, v) = f[r].derivative(v);
  }
  /// The node that bears marker I, near where it is, by the variables.
  template <std::size_t I>
  [[nodiscard]] static Vec<D, 3> node(const Evaluator<C>& evaluator, const Point<S>& p) {
    const Vec<S, 3> r = dalembert::detail::difference(p.R, std::get<I>(evaluator.markers()).arm(p));
    return dalembert::detail::sum(in_numbers<D>(r), seeds<D>(6 * static_cast<int>(I)));
  }
  /// Turn marker I about its node.
  template <std::size_t I, class T>
  static void turn_about(const Vec<T, 3>& node, const Vec<T, 3>& theta, PointState<T>& m) {
    turn(m, theta);
    if constexpr (MarkerOf<C, I>::slides) {  // seen from itself, not from the node
      const SO3<T> by = SO3<T>::exp_to_second_order(theta);
      m.R = node + by.act(Vec<T, 3>(m.R - node));
      m.dR = by.act(m.dR);
    }
  }
  /// Marker I near its point, by the variables.
  template <std::size_t I>
  [[nodiscard]] static PointState<D> near_point(const Evaluator<C>& evaluator, const Point<S>& p) {
    constexpr int first = 6 * static_cast<int>(I);
    PointState<D> m = at_rest<D>(p);
    if constexpr (MarkerOf<C, I>::slides)
      slide_along(m, p, seed<D>(6 * N + Evaluator<C>::template slide_of<I>()));
    m.R = dalembert::detail::sum(m.R, seeds<D>(first));
    if constexpr (is_average<MarkerOf<C, I>>)
      m.dR = dalembert::detail::sum(m.dR, seeds<D>(first + 3));
    else
      turn_about<I>(node<I>(evaluator, p), seeds<D>(first + 3), m);
    return m;
  }
  /// u of markers near their points, where number `along` of (R, θ), or of (V, W), of all markers changes by
  /// the outer derivative.
  template <bool of_velocities, class F>
  [[nodiscard, gnu::cold, gnu::noinline]] static auto changed(const F& u, const Evaluator<C>& evaluator,
                                                              const Points& points, const Nearby& near,
                                                              S time, int along) {
    const auto x = evaluator.template seen<E>([&](auto i) {
      PointState<E> m = moving<E>(near[i]);
      const int j = along - 6 * static_cast<int>(i);
      if (j < 0 || j > 5) return m;
      const E one = seed<E>(0);
      if (j < 3) {
        (of_velocities ? m.V : m.R)[j] += one;
      } else if constexpr (is_average<MarkerOf<C, i>>) {
        m.W[j - 3] += one;
      } else {
        Vec<E, 3> step = in_numbers<E>(dalembert::detail::zeros<S, 3>());
        step[j - 3] = one;
        const Vec<E, 3> middle = in_numbers<E>(node<i>(evaluator, points[i]));
        if constexpr (!of_velocities)
          turn_about<i>(middle, step, m);
        else if constexpr (MarkerOf<C, i>::slides)
          m.V += step.cross(Vec<E, 3>(m.R - middle));
        if (of_velocities) m.W[j - 3] += one;
      }
      return m;
    });
    return u(x, E(D(time)));
  }
};

}  // namespace dalembert::assembly::detail
