#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/products.hpp>

/// What the rows of a constraint by nodes make of velocities, accelerations and multipliers: sums over the nodes of its windows, one by one.
namespace dalembert::assembly::detail {

/// How node k of a body answers to a force and a torque, spatial.
template <class S>
[[nodiscard]] Compliance<S> node_compliance(const Nodes<S>& n, std::size_t body, Eigen::Index k) {
  const Quaternion<S> q = load_quaternion<S>(n.chains[body].configuration, k);
  const Triple<S> j = load3<3, S>(n.inertia[body].inverse, k);
  const Triple<S> x = rotate(q, Triple<S>{S(1), S(0), S(0)}), y = rotate(q, Triple<S>{S(0), S(1), S(0)});
  const Triple<S> z = cross(x, y);
  return {load3<0, S>(n.inertia[body].inverse, k),
          j.x * scaled(x, x) + j.y * scaled(y, y) + j.z * scaled(z, z),
          j.x * products(x) + j.y * products(y) + j.z * products(z)};
}

/// Row r of the rows on a node, or what a node has, spatial: of what is linear and of what is angular.
template <class S>
[[nodiscard]] Averages<S> node_row(const S* rows, int r) noexcept {
  const S* const p = rows + 6 * r;
  return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
}
template <class S>
[[nodiscard]] S dot(const Averages<S>& a, const Averages<S>& b) noexcept {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
/// M⁻¹x for a force and a torque on a node.
template <class S>
[[nodiscard]] Averages<S> times(const Compliance<S>& c, const Averages<S>& x) noexcept {
  return {scaled(c.linear, x.linear), c.turned(x.angular)};
}

/// Products with rows by nodes; the members are those of the other rows.
template <Constraint C>
  requires(by_nodes<C>)
struct Products<C> {
  using E = Evaluation<C>;
  using S = typename C::Scalar;
  using Index = Eigen::Index;
  static constexpr int N = E::N, P = E::P, R = E::R;
  static constexpr int position_rows = P <= 3 && N <= 2 ? P : 0;

  /// u = A v + b.
  [[nodiscard]] static Vec<S, R> velocities(const E& e, const Nodes<S>& n) {
    return applied(e, e.known, n, [&](std::size_t body, Index k) {
      return spatial(n, body, k, load3<0, S>(n.chains[body].velocity, k),
                     load3<3, S>(n.chains[body].velocity, k));
    });
  }
  /// u = A v.
  [[nodiscard]] static Vec<S, R> reaction_velocities(const E& e, const Nodes<S>& n) {
    return velocities(e, n) - e.known;
  }
  /// u = A a + Ȧv + ḃ for given accelerations.
  [[nodiscard]] static Vec<S, R> accelerations(const E& e, const Nodes<S>& n, const NodeNumbers<S>& a) {
    return applied(e, e.drift, n, [&](std::size_t body, Index k) {
      return spatial(n, body, k, load3<0, S>(a[body], k), load3<3, S>(a[body], k));
    });
  }
  /// The same for the accelerations that loads give to bodies that nothing leads.
  [[nodiscard]] static Vec<S, R> accelerations_of_loads(const E& e, const Nodes<S>& n,
                                                        const NodeNumbers<S>& f) {
    return applied(e, e.drift, n, [&](std::size_t body, Index k) {
      const InertiaColumns<S>& inertia = n.inertia[body];
      const Triple<S> v = load3<0, S>(n.chains[body].velocity, k),
                      omega = load3<3, S>(n.chains[body].velocity, k), gyro = load3<0, S>(inertia.gyro, k);
      const Triple<S> turning{gyro.x * omega.y * omega.z, gyro.y * omega.z * omega.x,
                              gyro.z * omega.x * omega.y};
      return spatial(n, body, k,
                     scaled(load3<0, S>(inertia.inverse, k), load3<0, S>(f[body], k)) - inertia.damping * v,
                     scaled(load3<3, S>(inertia.inverse, k), load3<3, S>(f[body], k)) - turning -
                         inertia.damping * omega);
    });
  }

  /// f += Aᵀμ.
  static void add_loads(const E& e, const Vec<S, R>& mu, const Nodes<S>& n, NodeNumbers<S>& f) {
    each_node(e, [&](const Window& w, Index k, const S* rows) {
      const auto [force, torque] = wrench(rows, mu, n.chains[w.body], k);
      store3<0>(load3<0, S>(f[w.body], k) + force, f[w.body], k);
      store3<3>(load3<3, S>(f[w.body], k) + torque, f[w.body], k);
    });
  }
  /// v += M⁻¹Aᵀμ.
  static void add_impulses(const E& e, const Vec<S, R>& mu, bool, const Nodes<S>& n, State<S>& x) {
    each_node(e, [&](const Window& w, Index k, const S* rows) {
      Chain<S>& chain = x.chains[w.body];
      const auto [force, torque] = wrench(rows, mu, chain, k);
      const Columns<S, 6>& inverse = n.inertia[w.body].inverse;
      store3<0>(load3<0, S>(chain.velocity, k) + scaled(load3<0, S>(inverse, k), force), chain.velocity, k);
      store3<3>(load3<3, S>(chain.velocity, k) + scaled(load3<3, S>(inverse, k), torque), chain.velocity, k);
    });
  }
  /// q += M⁻¹AᵀCᵀm, v += that times `per_time` [1/s].
  static void displace_all(const E& e, const Vec<S, P>& m, bool, S per_time, const Nodes<S>& n, State<S>& x) {
    const Vec<S, R> mu = reactions_of<C>(e, m);
    each_node(e, [&](const Window& w, Index k, const S* rows) {
      Chain<S>& chain = x.chains[w.body];
      const auto [force, torque] = wrench(rows, mu, chain, k);
      const Triple<S> move = scaled(load3<0, S>(n.inertia[w.body].inverse, k), force);
      store3<0>(load3<0, S>(chain.configuration, k) + move, chain.configuration, k);
      store3<0>(load3<0, S>(chain.velocity, k) + per_time * move, chain.velocity, k);
      if (!e.turns) return;
      const Triple<S> turn = scaled(load3<3, S>(n.inertia[w.body].inverse, k), torque);
      const Quaternion<S> q = load_quaternion<S>(chain.configuration, k);
      rod::detail::store_quaternion(
          rod::detail::renormalised(rod::detail::multiply(q, rod::detail::exponential(turn))),
          chain.configuration, k);
      store3<3>(load3<3, S>(chain.velocity, k) + per_time * turn, chain.velocity, k);
    });
  }

  /// The inverse of the constraint's own system; false where there is none in closed form, as for the other rows.
  [[nodiscard]] static bool invert(E& e, const Nodes<S>& n) {
    if constexpr (R <= 3 && N <= 2) {
      if (share_a_body(e)) return false;
      S g[R * (R + 1) / 2] = {};
      each_node(e, [&](const Window& w, Index k, const S* rows) {
        const Compliance<S> c = node_compliance(n, w.body, k);
        for (int r = 0, at = 0; r < R; ++r)
          for (int s = 0; s <= r; ++s, ++at) g[at] += dot(node_row(rows, r), times(c, node_row(rows, s)));
      });
      return e.inverse.set(g);
    } else {
      return false;
    }
  }
  /// The solution −(A M⁻¹ Aᵀ)⁻¹u of its own rows, if that was found.
  [[nodiscard]] static Vec<S, R> solve_alone(const E& e, const Vec<S, R>& u) {
    if constexpr (R <= 3) return e.inverse.negative_times(u);
    return Vec<S, R>::Zero();
  }
  /// The same for its position rows, whose inverse is given back.
  [[nodiscard]] static bool invert_positions(const E& e, const Nodes<S>& n,
                                             SmallInverse<S, position_rows>& inverse) {
    if constexpr (position_rows > 0) {
      if (share_a_body(e)) return false;
      S g[P * (P + 1) / 2] = {};
      each_node(e, [&](const Window& w, Index k, const S* rows) {
        Compliance<S> c = node_compliance(n, w.body, k);
        if (!e.turns) c.diagonal = c.beside = Triple<S>{S(0), S(0), S(0)};
        for (int p = 0, at = 0; p < P; ++p)
          for (int q = 0; q <= p; ++q, ++at)
            g[at] += dot(sum(rows, e.along.row(p)), times(c, sum(rows, e.along.row(q))));
      });
      return inverse.set(g);
    } else {
      return false;
    }
  }

 private:
  /// f(window, node, its rows) for every node of every place.
  template <class F>
  static void each_node(const E& e, F&& f) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) {
      const Window& w = e.windows[i];
      const S* rows = e.nodes.window(i);
      for (Index k = w.first; k < w.first + w.count; ++k, rows += 6 * R) f(w, k, rows);
    }
  }
  template <class F>
  [[nodiscard]] static Vec<S, R> applied(const E& e, const Vec<S, R>& known, const Nodes<S>&, const F& of) {
    Vec<S, R> u = known;
    each_node(e, [&](const Window& w, Index k, const S* rows) {
      const Averages<S> x = of(w.body, k);
      for (int r = 0; r < R; ++r) u[r] += dot(node_row(rows, r), x);
    });
    return u;
  }
  [[nodiscard]] static Averages<S> spatial(const Nodes<S>& n, std::size_t body, Index k,
                                           const Triple<S>& linear, const Triple<S>& angular) {
    return {linear, rotate(load_quaternion<S>(n.chains[body].configuration, k), angular)};
  }
  /// Σ factorᵣ row r.
  template <class Factors>
  [[nodiscard]] static Averages<S> sum(const S* rows, const Factors& factors) {
    Averages<S> x{{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
    for (int r = 0; r < R; ++r) {
      const S factor = factors[r];
      x.linear += factor * node_row(rows, r).linear;
      x.angular += factor * node_row(rows, r).angular;
    }
    return x;
  }
  /// The force, spatial, and the torque, in the frame of the node, of multipliers.
  [[nodiscard]] static Averages<S> wrench(const S* rows, const Vec<S, R>& mu, const Chain<S>& chain,
                                          Index k) {
    const Averages<S> x = sum(rows, mu);
    return {x.linear, rotate_back(load_quaternion<S>(chain.configuration, k), x.angular)};
  }
  [[nodiscard]] static bool share_a_body(const E& e) noexcept {
    if constexpr (N == 2)
      return e.windows[0].count > 0 && e.windows[1].count > 0 && e.windows[0].body == e.windows[1].body;
    return false;
  }
};

}  // namespace dalembert::assembly::detail
