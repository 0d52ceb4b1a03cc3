#pragma once

#include <utility>
#include <vector>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/line_rows.hpp>

/// What the rows of one constraint make of velocities, accelerations and multipliers, and its own system A M⁻¹ A_Vᵀ.
namespace dalembert::assembly::detail {

/// Which rows a system is made of.
struct RowKind {
  bool positions = false;  ///< C A M⁻¹ A_VᵀCᵀ instead of A M⁻¹ A_Vᵀ
  bool repair = false;     ///< A in place of A_V
};

/// Products with the rows of one constraint in one state.
template <Constraint C>
struct Products {
  using E = Evaluation<C>;
  using S = typename C::Scalar;
  using Has = typename ConstraintTraits<C>::Has;
  static constexpr int N = E::N, P = E::P, R = E::R;

  /// What a loop over the nodes of place I computes with.
  template <std::size_t I>
  using Lanes = std::conditional_t<is_one_node<PlaceOf<C, I>>, S, rod::WindowPack<S>>;

  /// Whether place I is on a string.
  template <std::size_t I>
  static constexpr bool on_line = is_on_line<PlaceOf<C, I>>;

  /// f(place) for each place that a body bears.
  template <class F>
  static void each(const E& e, F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((e.windows[I].count > 0 ? f(std::integral_constant<std::size_t, I>{}) : void()), ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(N)>{});
  }

  /// u = A v + b.
  [[nodiscard]] static Vec<S, R> velocities(const E& e, const Nodes<S>& n) {
    return times<false>(e, e.known, [&](auto i) { return velocity_averages<i>(e, n); });
  }
  /// u = A_V v.
  [[nodiscard]] static Vec<S, R> reaction_velocities(const E& e, const Nodes<S>& n) {
    return times<true>(e, Vec<S, R>::Zero(), [&](auto i) { return velocity_averages<i>(e, n); });
  }
  /// u = A a + Ȧv + ḃ for given accelerations.
  [[nodiscard]] static Vec<S, R> accelerations(const E& e, const Nodes<S>& n, const NodeNumbers<S>& a) {
    return times<false>(e, e.drift, [&](auto i) {
      const Window& w = e.windows[i];
      if constexpr (on_line<i>)
        return along_line(line_average(w, n, a.lines[w.body]));
      else
        return averages<Lanes<i>>(w, n, a[w.body]);
    });
  }
  /// The same for the accelerations that loads give to bodies that nothing leads.
  [[nodiscard]] static Vec<S, R> accelerations_of_loads(const E& e, const Nodes<S>& n,
                                                        const NodeNumbers<S>& f) {
    return times<false>(e, e.drift, [&](auto i) {
      const Window& w = e.windows[i];
      if constexpr (on_line<i>)
        return along_line(line_acceleration(w, n, f.lines[w.body]));
      else
        return acceleration_averages<Lanes<i>>(w, n, f[w.body]);
    });
  }

  /// f += A_Vᵀμ.
  static void add_loads(const E& e, const Vec<S, R>& mu, const Nodes<S>& n, NodeNumbers<S>& f) {
    each(e, [&](auto i) {
      const Window& w = e.windows[i];
      const Averages<S> x = wrench<i>(e, mu, false);
      if constexpr (on_line<i>)
        add_line_load(w, n, x.linear.x, f.lines[w.body]);
      else
        add_load<Lanes<i>>(w, n, x, f[w.body]);
    });
  }
  /// f(window, force) for each place on a string, for the force there of A_Vᵀμ.
  template <class F>
  static void each_line_force(const E& e, const Vec<S, R>& mu, const F& f) {
    each(e, [&](auto i) {
      if constexpr (on_line<i>) f(e.windows[i], wrench<i>(e, mu, false).linear.x);
    });
  }
  /// v += M⁻¹A_Vᵀμ, or along A for a repair.
  static void add_impulses(const E& e, const Vec<S, R>& mu, bool repair, const Nodes<S>& n, State<S>& x) {
    each(e, [&](auto i) {
      const Window& w = e.windows[i];
      const Averages<S> by = wrench<i>(e, mu, repair);
      if constexpr (on_line<i>)
        add_line_impulse(w, n, by.linear.x, x.lines[w.body]);
      else
        add_impulse<Lanes<i>>(w, n, by, x.chains[w.body]);
    });
  }
  /// q += M⁻¹A_VᵀCᵀm, v += that times `per_time` [1/s].
  static void displace_all(const E& e, const Vec<S, P>& m, bool repair, S per_time, const Nodes<S>& n,
                           State<S>& x) {
    const Vec<S, R> mu = reactions_of<C>(e, m);
    each(e, [&](auto i) {
      const Window& w = e.windows[i];
      const Averages<S> by = wrench<i>(e, mu, repair);
      if constexpr (on_line<i>)
        push_line(w, n, by.linear.x, per_time, x.lines[w.body]);
      else if (e.turns)
        displace<Lanes<i>>(w, n, by, per_time, x.chains[w.body]);
      else
        push<Lanes<i>>(w, n, by.linear, per_time, x.chains[w.body]);
    });
  }

  /// The inverse of the constraint's own system; false where there is none in closed form: rows that nearly depend on each other, or more than
  /// three of them, reactions along other rows, places that share a body.
  [[nodiscard]] static bool invert(E& e, const Nodes<S>& n) {
    if constexpr (R <= 3 && !Has::reaction && N <= 2) {
      if (share_a_body(e)) return false;
      S g[R * (R + 1) / 2] = {};
      each(e, [&](auto i) {
        const Compliance<S> c = compliance_of<i>(e, n);
        const auto& linear = e.linear[i];
        const auto& angular = e.angular[i];
        for (int s = 0, k = 0; s < R; ++s) {
          const Triple<S> moved = scaled(c.linear, row(linear, s)), turned = c.turned(row(angular, s));
          k = s * (s + 1) / 2 + s;
          for (int r = s; r < R; ++r) {
            g[k] += dot(row(linear, r), moved) + dot(row(angular, r), turned);
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
    each(e, [&](auto i) {
      const Compliance<S> c = compliance_of<i>(e, n);
      for (int r = 0; r < R; ++r) {
        const Triple<S> linear = row(e.linear[i], r), angular = row(e.angular[i], r);
        g += dot(linear, scaled(c.linear, linear)) + dot(angular, c.turned(angular));
      }
    });
    e.friction.set_duration(duration, g / S(R));
  }
  /// The solution −(A M⁻¹ A_Vᵀ)⁻¹u of its own rows, if that was found.
  [[nodiscard]] static Vec<S, R> solve_alone(const E& e, const Vec<S, R>& u) {
    if constexpr (R <= 3) return e.inverse.negative_times(u);
    return Vec<S, R>::Zero();
  }
  /// The same for its position rows, whose inverse is given back.
  static constexpr int position_rows = P <= 3 && !Has::reaction && N <= 2 ? P : 0;
  [[nodiscard]] static bool invert_positions(const E& e, const Nodes<S>& n,
                                             SmallInverse<S, position_rows>& inverse) requires(position_rows >
                                                                                               0) {
    if (share_a_body(e)) return false;
    S g[P * (P + 1) / 2] = {};
    each(e, [&](auto i) {
      Compliance<S> c;
      const bool turns = e.turns;
      if (turns || on_line<i>)
        c = compliance_of<i>(e, n);
      else
        c.linear = linear_compliance<Lanes<i>>(e.windows[i], n);
      Triple<S> linear[P], angular[P];
      for (int p = 0; p < P; ++p) {
        linear[p] = angular[p] = Triple<S>(S(0), S(0), S(0));
        for (int r = 0; r < R; ++r) {
          linear[p] += e.along(p, r) * row(e.linear[i], r);
          if (turns) angular[p] += e.along(p, r) * row(e.angular[i], r);
        }
      }
      for (int p = 0, k = 0; p < P; ++p)
        for (int q = 0; q <= p; ++q, ++k) {
          g[k] += dot(linear[p], scaled(c.linear, linear[q]));
          if (turns) g[k] += dot(angular[p], c.turned(angular[q]));
        }
    });
    return inverse.set(g);
  }

 private:
  /// What is one number on a string.
  [[nodiscard]] static Averages<S> along_line(S x) noexcept { return {{x, S(0), S(0)}, {S(0), S(0), S(0)}}; }
  template <std::size_t I>
  [[nodiscard]] static Averages<S> velocity_averages(const E& e, const Nodes<S>& n) {
    const Window& w = e.windows[I];
    if constexpr (on_line<I>)
      return along_line(line_average(w, n, n.lines[w.body].velocity));
    else
      return averages<Lanes<I>>(w, n, n.chains[w.body].velocity);
  }
  template <std::size_t I>
  [[nodiscard]] static Compliance<S> compliance_of(const E& e, const Nodes<S>& n) {
    if constexpr (on_line<I>)
      return {.linear = {line_compliance(e.windows[I], n), S(0), S(0)}};
    else
      return compliance<Lanes<I>>(e.windows[I], n);
  }
  template <class Block>
  [[nodiscard]] static Triple<S> row(const Block& block, int r) noexcept {
    return {block(r, 0), block(r, 1), block(r, 2)};
  }
  [[nodiscard]] static bool share_a_body(const E& e) noexcept {
    if constexpr (N == 2)
      return e.windows[0].count > 0 && e.windows[1].count > 0 && e.windows[0].body == e.windows[1].body;
    return false;
  }

  template <bool reaction, class F>
  [[nodiscard]] static Vec<S, R> times(const E& e, const Vec<S, R>& known, const F& averages_of) {
    Vec<S, R> u = known;
    each(e, [&](auto i) {
      const Averages<S> x = averages_of(i);
      const auto& [linear, angular] = blocks<i, reaction>(e);
      for (int r = 0; r < R; ++r) u[r] += dot(row(linear, r), x.linear) + dot(row(angular, r), x.angular);
    });
    return u;
  }
  /// A or A_V at place I.
  template <std::size_t I, bool reaction>
  [[nodiscard]] static auto blocks(const E& e) noexcept {
    if constexpr (reaction && Has::reaction)
      return std::tie(e.reaction_linear[I], e.reaction_angular[I]);
    else
      return std::tie(e.linear[I], e.angular[I]);
  }
  /// The force and the torque of multipliers at place I, spatial.
  template <std::size_t I>
  [[nodiscard]] static Averages<S> wrench(const E& e, const Vec<S, R>& mu, bool repair) {
    if constexpr (Has::reaction)
      if (!repair) return sum<I, true>(e, mu);
    return sum<I, false>(e, mu);
  }
  template <std::size_t I, bool reaction>
  [[nodiscard]] static Averages<S> sum(const E& e, const Vec<S, R>& mu) {
    const auto& [linear, angular] = blocks<I, reaction>(e);
    Averages<S> w{Triple<S>(S(0), S(0), S(0)), Triple<S>(S(0), S(0), S(0))};
    for (int r = 0; r < R; ++r) {
      w.linear += mu[r] * row(linear, r);
      w.angular += mu[r] * row(angular, r);
    }
    return w;
  }
};

}  // namespace dalembert::assembly::detail
