#pragma once

#include <utility>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/line_rows.hpp>
#include <dalembert/core/detail/small_blocks.hpp>

/// What the rows of one constraint make of velocities, accelerations and multipliers, and its own system A
/// M⁻¹ A_Vᵀ.
namespace dalembert::assembly::detail {

/// Rows on the averages of place I of a constraint, in one state.
template <Constraint C, std::size_t I>
struct PlaceRows {
  using S = ScalarOf<C>;
  /// What a loop over the nodes computes with.
  using Lanes = std::conditional_t<is_one_node<MarkerOf<C, I>>, S, rod::WindowPack<S>>;
  static constexpr bool on_line = is_on_line<MarkerOf<C, I>>;  ///< on a string
  const Evaluation<C>& e;

  [[nodiscard]] const Window& window() const noexcept { return e.windows[I]; }
  /// Row r of A.
  [[nodiscard]] Averages<S> own(int r) const noexcept { return {row(e.linear[I], r), row(e.angular[I], r)}; }
  /// Row r of A_V.
  [[nodiscard]] Averages<S> pull(int r) const noexcept {
    if constexpr (ConstraintTraits<C>::Has::reaction)
      return {row(e.reaction_linear[I], r), row(e.reaction_angular[I], r)};
    else
      return own(r);
  }

 private:
  template <class Block>
  [[nodiscard]] static Triple<S> row(const Block& block, int r) noexcept {
    return {block(r, 0), block(r, 1), block(r, 2)};
  }
};

/// Rows that are said for one node.
template <class S>
struct OneNodeRows {
  using Lanes = S;
  static constexpr bool on_line = false;
  Window node;
  const S* rows;

  [[nodiscard]] const Window& window() const noexcept { return node; }
  [[nodiscard]] Averages<S> own(int r) const noexcept { return node_row(rows, r); }
  [[nodiscard]] Averages<S> pull(int r) const noexcept { return own(r); }
};

/// Products with the rows of one constraint in one state.
template <Constraint C>
struct Products {
  using E = Evaluation<C>;
  using S = ScalarOf<C>;
  using Has = typename ConstraintTraits<C>::Has;
  static constexpr int N = E::N, P = E::P, R = E::R;

  /// f(rows) for each place that a body bears, or for each node where rows are said by nodes.
  template <class F>
  static void each(const E& e, F&& f) {
    if constexpr (by_nodes<C>) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) {
        const Window& w = e.windows[i];
        const S* rows = e.nodes.windows()[i].data();
        for (Eigen::Index k = w.first; k < w.first + w.count; ++k, rows += 6 * R)
          f(OneNodeRows<S>{one_node(w.body, k), rows});
      }
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((e.windows[I].count > 0 ? f(PlaceRows<C, I>{e}) : void()), ...);
      }
      (std::make_index_sequence<static_cast<std::size_t>(N)>{});
    }
  }

  /// u = A v + b.
  [[nodiscard]] static Vec<S, R> velocities(const E& e, const Nodes<S>& n) {
    return times<false>(e, e.known, [&](const auto& at) { return velocity_averages(at, n); });
  }
  /// u = A_V v.
  [[nodiscard]] static Vec<S, R> reaction_velocities(const E& e, const Nodes<S>& n) {
    return times<true>(e, dalembert::detail::zeros<S, R>(),
                       [&](const auto& at) { return velocity_averages(at, n); });
  }
  /// u = A a + Ȧv + ḃ for given accelerations.
  [[nodiscard, gnu::noinline]] static Vec<S, R> accelerations(const E& e, const Nodes<S>& n,
                                                              const NodeNumbers<S>& a) {
    return times<false>(e, e.drift, [&]<class At>(const At& at) {
      return averages<typename At::Lanes>(at.window(), n, of_body(at, a));
    });
  }
  /// The same for the accelerations that loads give to bodies without a prescribed motion.
  [[nodiscard]] static Vec<S, R> accelerations_of_loads(const E& e, const Nodes<S>& n,
                                                        const NodeNumbers<S>& f) {
    return times<false>(e, e.drift, [&]<class At>(const At& at) {
      return acceleration_averages<typename At::Lanes>(at.window(), n, of_body(at, f));
    });
  }

  /// f += A_Vᵀμ.
  static void add_loads(const E& e, const Vec<S, R>& mu, const Nodes<S>& n, NodeNumbers<S>& f) {
    each(e, [&]<class At>(const At& at) {
      add_load<typename At::Lanes>(at.window(), n, wrench(at, mu), of_body(at, f));
    });
  }
  /// f(window, force) for each place on a string, for the force there of A_Vᵀμ.
  template <class F>
  static void each_line_force(const E& e, const Vec<S, R>& mu, const F& f) {
    each(e, [&]<class At>(const At& at) {
      if constexpr (At::on_line) f(at.window(), wrench(at, mu).linear.x);
    });
  }
  /// v += M⁻¹A_Vᵀμ, or M⁻¹Aᵀμ.
  static void add_impulses(const E& e, const Vec<S, R>& mu, Along along, const Nodes<S>& n, State<S>& x) {
    each(e, [&]<class At>(const At& at) {
      add_impulse<typename At::Lanes>(at.window(), n, wrench(at, mu, along), of_body(at, x));
    });
  }
  /// q += M⁻¹A_VᵀCᵀm, v += that times `per_time` [1/s].
  static void displace_all(const E& e, const Vec<S, P>& m, Along along, S per_time, const Nodes<S>& n,
                           State<S>& x) {
    const Vec<S, R> mu = reactions_of<C>(e, m);
    if (e.turns) return turn_all(e, mu, along, per_time, n, x);
    each(e, [&]<class At>(const At& at) {
      displace<typename At::Lanes, false>(at.window(), n, wrench(at, mu, along), per_time, of_body(at, x));
    });
  }

  /// The inverse of the constraint's own system; false where there is none in closed form: rows that nearly
  /// depend on each other, or more than three of them, reactions along other rows, places that share a body.
  [[nodiscard]] static bool invert(E& e, const Nodes<S>& n) {
    if constexpr (R <= 3 && !Has::reaction && N <= 2) {
      if (share_a_body(e)) return false;
      S g[R * (R + 1) / 2] = {};
      each(e, [&](const auto& at) {
        const Compliance<S> c = compliance_of(at, n);
        for (int s = 0, k = 0; s < R; ++s) {
          const Averages<S> moved = c * at.own(s);
          k = s * (s + 1) / 2 + s;
          for (int r = s; r < R; ++r) {
            g[k] += dot(at.own(r), moved);
            k += r + 1;
          }
        }
      });
      if constexpr (has_friction<C>) e.friction.resist(g);
      return e.inverse.set(g);
    } else {
      return false;
    }
  }
  /// Prepare the system of rows of which some are friction for `duration` [s]: see `FrictionRows`.
  static void find_friction(E& e, const Nodes<S>& n, S duration) {
    S g(0);
    each(e, [&](const auto& at) {
      const Compliance<S> c = compliance_of(at, n);
      for (int r = 0; r < R; ++r) g += dot(at.own(r), c * at.own(r));
    });
    e.friction.set_duration(duration, g / S(R));
  }
  /// The same as `invert` for its position rows, whose inverse is given back.
  static constexpr int position_rows = P <= 3 && !Has::reaction && N <= 2 ? P : 0;
  [[nodiscard]] static bool invert_positions(
      const E& e, const Nodes<S>& n,
      linalg::SmallInverse<S, position_rows>& inverse) requires(position_rows > 0) {
    if (share_a_body(e)) return false;
    S g[P * (P + 1) / 2] = {};
    each(e, [&]<class At>(const At& at) {
      const bool turns = e.turns;
      const Compliance<S> c =
          turns || At::on_line ? compliance_of(at, n) : compliance<typename At::Lanes, false>(at.window(), n);
      Averages<S> rows[P];
      for (int p = 0; p < P; ++p) {
        rows[p] = {};
        for (int r = 0; r < R; ++r) {
          const Averages<S> row = at.own(r);
          rows[p].linear += e.along(p, r) * row.linear;
          if (turns) rows[p].angular += e.along(p, r) * row.angular;
        }
      }
      for (int p = 0, k = 0; p < P; ++p)
        for (int q = 0; q <= p; ++q, ++k) {
          g[k] += dot(rows[p].linear, scaled(c.linear, rows[q].linear));
          if (turns) g[k] += dot(rows[p].angular, c.turned(rows[q].angular));
        }
    });
    return inverse.set(g);
  }

 private:
  /// What the body of a place has of a state, or of numbers for all nodes.
  template <class At, class X>
  [[nodiscard]] static auto& of_body(const At& at, X& x) noexcept {
    return chains_or_lines<At::on_line>(x)[at.window().body];
  }
  /// Displace nodes, and turn them.
  [[gnu::noinline]] static void turn_all(const E& e, const Vec<S, R>& mu, Along along, S per_time,
                                         const Nodes<S>& n, State<S>& x) {
    each(e, [&]<class At>(const At& at) {
      displace<typename At::Lanes>(at.window(), n, wrench(at, mu, along), per_time, of_body(at, x));
    });
  }
  template <class At>
  [[nodiscard]] static Averages<S> velocity_averages(const At& at, const Nodes<S>& n) {
    return averages<typename At::Lanes>(at.window(), n, of_body(at, n).velocity);
  }
  template <class At>
  [[nodiscard]] static Compliance<S> compliance_of(const At& at, const Nodes<S>& n) {
    if constexpr (At::on_line)
      return {.linear = {line_compliance(at.window(), n), S(0), S(0)}};
    else
      return compliance<typename At::Lanes>(at.window(), n);
  }
  [[nodiscard]] static bool share_a_body(const E& e) noexcept {
    if constexpr (N == 2)
      return e.windows[0].count > 0 && e.windows[1].count > 0 && e.windows[0].body == e.windows[1].body;
    return false;
  }

  template <bool reaction, class F>
  [[nodiscard]] static Vec<S, R> times(const E& e, const Vec<S, R>& known, const F& averages_of) {
    Vec<S, R> u = known;
    each(e, [&](const auto& at) {
      const Averages<S> x = averages_of(at);
      for (int r = 0; r < R; ++r) u[r] += dot(reaction ? at.pull(r) : at.own(r), x);
    });
    return u;
  }
  /// The force and the torque of multipliers there, spatial.
  template <class At>
  [[nodiscard]] static Averages<S> wrench(const At& at, const Vec<S, R>& mu, Along along = Along::reactions) {
    Averages<S> w{};
    for (int r = 0; r < R; ++r) {
      const Averages<S> row = along == Along::rows ? at.own(r) : at.pull(r);
      w.linear += mu[r] * row.linear;
      w.angular += mu[r] * row.angular;
    }
    return w;
  }
};

// ---- with rows of which some are friction; nothing is added for a constraint without it

/// The part of u = A v + b that is zero where the constraint holds, friction or not.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] Vec<S, Evaluation<C>::R> exact_velocities(const Evaluation<C>& e, const Nodes<S>& n) {
  Vec<S, Evaluation<C>::R> u = Products<C>::velocities(e, n);
  if constexpr (has_friction<C>) u -= e.friction.rubbing(u);
  return u;
}

/// What the rows leave for given accelerations and multipliers: A a + Ȧv + ḃ, or of friction u + ελ.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] Vec<S, Evaluation<C>::R> missing(
    const Evaluation<C>& e, const Nodes<S>& n, const NodeNumbers<S>& a,
    [[maybe_unused]] const std::type_identity_t<Vec<S, Evaluation<C>::R>>& lambda) {
  const Vec<S, Evaluation<C>::R> rate = Products<C>::accelerations(e, n, a);
  if constexpr (has_friction<C>) return e.friction.left(rate, Products<C>::velocities(e, n), lambda);
  return rate;
}

/// Add the powers of its forces for multipliers: of what drives it, which is a load, of friction, and of the
/// rest [W].
template <Constraint C, class S = ScalarOf<C>>
void add_powers(const Evaluation<C>& e, const Nodes<S>& n,
                const std::type_identity_t<Vec<S, Evaluation<C>::R>>& lambda, Powers<S>& p) {
  const S driven = -dalembert::detail::inner(e.known, lambda);
  S rubbed(0);
  if constexpr (has_friction<C>) rubbed = e.friction.rubbing(Products<C>::velocities(e, n)).dot(lambda);
  p.constraint += dalembert::detail::inner(Products<C>::reaction_velocities(e, n), lambda) - driven - rubbed;
  p.dissipation += rubbed;
  p.load += driven;
}

/// μ with the friction that is a load already.
template <Constraint C, class V = Vec<ScalarOf<C>, Evaluation<C>::R>>
[[nodiscard]] V with_friction(const Evaluation<C>& e, const std::type_identity_t<V>& mu) {
  if constexpr (has_friction<C>) return mu + e.friction.load;
  return mu;
}

/// What the unknowns of the system are multiplied by, and its right side.
template <Constraint C, class V = Vec<ScalarOf<C>, Evaluation<C>::R>>
[[nodiscard]] V shaped(const Evaluation<C>& e, const std::type_identity_t<V>& x) {
  if constexpr (has_friction<C>) return e.friction.shape * x;
  return x;
}

/// The solution −(A M⁻¹A_Vᵀ)⁻¹u of its own rows, if that was found.
template <Constraint C, class V = Vec<ScalarOf<C>, Evaluation<C>::R>>
[[nodiscard]] V solve_alone(const Evaluation<C>& e, const std::type_identity_t<V>& u) {
  if constexpr (Evaluation<C>::R <= 3) return shaped(e, e.inverse.negative_times(shaped(e, u)));
  return dalembert::detail::zeros<ScalarOf<C>, Evaluation<C>::R>();
}

}  // namespace dalembert::assembly::detail
