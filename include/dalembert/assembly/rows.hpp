#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/marker.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// Rows of constraints on the nodes that bear a marker: passes over its window, in packs L or node by node. A
/// row acts on the nodes through the averages
///   V = Σ α v,  W = Σ α Λω     A v = L V + B W,
///   Aᵀμ: force α Lᵀμ, body torque α Λᵀ Bᵀμ on each node  (1)
/// so that nothing is stored per node but its weight.
namespace dalembert::assembly {

/// What puts states onto constraints acts along their rows A, the shortest way in the kinetic-energy
/// metric, or along those of their reactions A_V.
enum class Along { rows, reactions };

/// A constraint has at most so many rows.
inline constexpr int most_rows = 6;

namespace detail {

using dalembert::detail::Triple;
using rod::lane_sum;
using rod::load3;
using rod::store3;
using rod::detail::load_quaternion;
using rod::detail::Quaternion;
using rod::detail::rotate;
using rod::detail::rotate_back;

/// Two averages over a window: of what is linear and of what is angular, spatial; or a force and a torque.
template <class S>
struct Averages {
  Triple<S> linear;
  Triple<S> angular;
};

template <class S>
[[nodiscard]] S dot(const Averages<S>& a, const Averages<S>& b) noexcept {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
/// Row r of the rows on a node, or what a node has, spatial: of what is linear and of what is angular.
template <class S>
[[nodiscard]] Averages<S> node_row(const S* rows, int r) noexcept {
  const S* const p = rows + 6 * r;
  return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
}

/// How the averages answer to loads: V to a force and W to a torque.
template <class S>
struct Compliance {
  Triple<S> linear{};    ///< Σ α β/m, diagonal (spatial) [1/kg]
  Triple<S> diagonal{};  ///< of Σ α β Λ J⁻¹ Λᵀ [1/(kg m²)]
  Triple<S> beside{};    ///< its entries yz, zx, xy

  /// The angular part times x.
  [[nodiscard]] Triple<S> turned(const Triple<S>& x) const noexcept {
    return {diagonal.x * x.x + beside.z * x.y + beside.y * x.z,
            beside.z * x.x + diagonal.y * x.y + beside.x * x.z,
            beside.y * x.x + beside.x * x.y + diagonal.z * x.z};
  }
  /// The averages for a force and a torque.
  [[nodiscard]] Averages<S> operator*(const Averages<S>& load) const noexcept {
    return {scaled(linear, load.linear), turned(load.angular)};
  }
};

/// Where the nodes are, what they weigh, and the weights α of all windows.
template <class S>
struct Nodes {
  const std::vector<Chain<S>>& chains;
  const std::vector<Line<S>>& lines;
  const Inertias<S>& inertia;
  const S* weights;
};

/// A node by itself; its weight is the first of all, 1.
[[nodiscard]] inline Window one_node(std::size_t body, Eigen::Index k) noexcept {
  Window w;
  w.body = body;
  w.first = k;
  w.count = 1;
  return w;
}

/// (yz, zx, xy).
template <class L>
[[nodiscard]] Triple<L> products(const Triple<L>& a) noexcept {
  return {a.y * a.z, a.z * a.x, a.x * a.y};
}
template <class L>
[[nodiscard]] auto sum_of_lanes(const Triple<L>& x) noexcept {
  using S = decltype(lane_sum(x.x));
  return Triple<S>{lane_sum(x.x), lane_sum(x.y), lane_sum(x.z)};
}

/// f(node, weights) for each pack L of a window; beside packs, L is a plain number for one node alone.
template <class L, class S, class F>
void each_pack(const Window& w, const S* weights, F&& f) {
  if constexpr (std::is_same_v<L, S> && !std::is_same_v<L, rod::WindowPack<S>>)
    return f(w.first, weights[w.weights]);
  for (Eigen::Index k = 0; k < w.count; k += rod::width_of<L>)
    f(w.first + k, rod::load<S, L>(weights + w.weights + k));
}

/// V and W of columns that are like velocities.
template <class L, class S>
[[nodiscard]] Averages<S> averages(const Window& w, const Nodes<S>& n, const Columns<S, 6>& x) {
  Triple<L> linear{}, angular{};
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    linear += alpha * load3<0, L>(x, k);
    angular += alpha * rotate(load_quaternion<L>(n.chains[w.body].configuration, k), load3<3, L>(x, k));
  });
  return {sum_of_lanes(linear), sum_of_lanes(angular)};
}

/// What accelerates nodes: loads alone; damping and gyroscopic terms too; or these where motions may be
/// prescribed, of which damping takes nothing.
enum class Accelerated { by_loads, by_all, by_all_but_led };

/// The averages of the accelerations that loads f give the nodes; held degrees have none.
template <class L, Accelerated how = Accelerated::by_all, class S>
[[nodiscard]] Averages<S> acceleration_averages(const Window& w, const Nodes<S>& n, const Columns<S, 6>& f) {
  const Chain<S>& chain = n.chains[w.body];
  const InertiaColumns<S>& inertia = n.inertia[w.body];
  [[maybe_unused]] const auto damped = [&](const Triple<L>& v, const Triple<L>& inverse) {
    const L nu(inertia.damping), none(S(0));
    if constexpr (how != Accelerated::by_all_but_led) return nu * v;
    return Triple<L>{select(inverse.x > none, nu * v.x, none), select(inverse.y > none, nu * v.y, none),
                     select(inverse.z > none, nu * v.z, none)};
  };
  Triple<L> linear{}, angular{};
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    const Triple<L> m = load3<0, L>(inertia.inverse, k), j = load3<3, L>(inertia.inverse, k);
    Triple<L> a = scaled(m, load3<0, L>(f, k)), b = scaled(j, load3<3, L>(f, k));
    if constexpr (how != Accelerated::by_loads) {
      const Triple<L> omega = load3<3, L>(chain.velocity, k), gyro = load3<0, L>(inertia.gyro, k);
      const Triple<L> turning{gyro.x * omega.y * omega.z, gyro.y * omega.z * omega.x,
                              gyro.z * omega.x * omega.y};
      a = a - damped(load3<0, L>(chain.velocity, k), m);
      b = b - turning - damped(omega, j);
    }
    linear += alpha * a;
    angular += alpha * rotate(load_quaternion<L>(chain.configuration, k), b);
  });
  return {sum_of_lanes(linear), sum_of_lanes(angular)};
}

/// Add that of a node, or of a pack of them, with the body axes x and y, from what counts of 1/m and 1/J.
template <class L>
[[gnu::always_inline]] inline void add_compliance(const Triple<L>& x, const Triple<L>& y, const Triple<L>& m,
                                                  const Triple<L>& j, Compliance<L>& c) {
  const Triple<L> z = cross(x, y);
  c.linear += m;
  c.diagonal += j.x * scaled(x, x) + j.y * scaled(y, y) + j.z * scaled(z, z);
  c.beside += j.x * products(x) + j.y * products(y) + j.z * products(z);
}
/// The same where it counts with this weight.
template <class L, class S>
[[gnu::always_inline]] inline void add_compliance(const Chain<S>& chain, const Columns<S, 6>& inverse,
                                                  Eigen::Index k, const L& weight, Compliance<L>& c) {
  const L one(1), zero(0);
  const Quaternion<L> q = load_quaternion<L>(chain.configuration, k);
  const Triple<L> x = rotate(q, Triple<L>{one, zero, zero}), y = rotate(q, Triple<L>{zero, one, zero});
  add_compliance(x, y, weight * load3<0, L>(inverse, k), weight * load3<3, L>(inverse, k), c);
}
/// The compliance of a marker, or its linear part alone.
template <class L, bool turns = true, class S>
[[nodiscard]] Compliance<S> compliance(const Window& w, const Nodes<S>& n) {
  Compliance<L> c;
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    if constexpr (turns)
      add_compliance(n.chains[w.body], n.inertia[w.body].inverse, k, alpha * alpha, c);
    else
      c.linear += (alpha * alpha) * load3<0, L>(n.inertia[w.body].inverse, k);
  });
  return {sum_of_lanes(c.linear), sum_of_lanes(c.diagonal), sum_of_lanes(c.beside)};
}

/// The compliance between two markers of one body: zero unless their windows share nodes.
template <class S>
[[nodiscard]] Compliance<S> compliance(const Window& a, const Window& b, const Nodes<S>& n) {
  using L = rod::WindowPack<S>;
  const Eigen::Index end = std::min(a.first + a.count, b.first + b.count);
  Eigen::Index k = std::max(a.first, b.first);
  const auto add = [&]<class Q>(Compliance<Q>& c) {
    for (; k + rod::width_of<Q> <= end; k += rod::width_of<Q>) {
      const Q weight = rod::load<S, Q>(n.weights + a.weights + (k - a.first)) *
                       rod::load<S, Q>(n.weights + b.weights + (k - b.first));
      add_compliance(n.chains[a.body], n.inertia[a.body].inverse, k, weight, c);
    }
    return Compliance<S>{sum_of_lanes(c.linear), sum_of_lanes(c.diagonal), sum_of_lanes(c.beside)};
  };
  Compliance<S> c;
  if constexpr (!std::is_same_v<L, S>) {
    if (k + rod::width_of<L> <= end) {
      Compliance<L> packs;
      c = add(packs);
    }
  }
  return add(c);
}

/// f += Aᵀμ for a force and a torque at the marker.
template <class L, class S>
void add_load(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, Columns<S, 6>& f) {
  const Triple<L> force(wrench.linear), torque(wrench.angular);
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    const Quaternion<L> q = load_quaternion<L>(n.chains[w.body].configuration, k);
    store3<0>(load3<0, L>(f, k) + alpha * force, f, k);
    store3<3>(load3<3, L>(f, k) + alpha * rotate_back(q, torque), f, k);
  });
}

/// v += M⁻¹Aᵀμ.
template <class L, class S>
void add_impulse(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, Columns<S, 6>& v) {
  const InertiaColumns<S>& inertia = n.inertia[w.body];
  const Triple<L> force(wrench.linear), torque(wrench.angular);
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    const Quaternion<L> q = load_quaternion<L>(n.chains[w.body].configuration, k);
    store3<0>(load3<0, L>(v, k) + scaled(alpha * load3<0, L>(inertia.inverse, k), force), v, k);
    store3<3>(load3<3, L>(v, k) + scaled(alpha * load3<3, L>(inertia.inverse, k), rotate_back(q, torque)), v,
              k);
  });
}

template <class L, class S>
void add_impulse(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, Chain<S>& chain) {
  add_impulse<L>(w, n, wrench, chain.velocity);
}

/// r += δr, Λ ← Λ exp(θ) for (δr, θ) = M⁻¹Aᵀμ, or for its force alone; velocities change by
/// that times `per_time` [1/s].
template <class L, bool turns = true, class S>
void displace(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, S per_time, Chain<S>& chain) {
  const InertiaColumns<S>& inertia = n.inertia[w.body];
  const Triple<L> force(wrench.linear), torque(wrench.angular);
  each_pack<L>(w, n.weights, [&](Eigen::Index k, const L& alpha) {
    const Triple<L> move = scaled(alpha * load3<0, L>(inertia.inverse, k), force);
    store3<0>(load3<0, L>(chain.configuration, k) + move, chain.configuration, k);
    store3<0>(load3<0, L>(chain.velocity, k) + L(per_time) * move, chain.velocity, k);
    if constexpr (turns) {
      const Quaternion<L> q = load_quaternion<L>(chain.configuration, k);
      const Triple<L> turn = scaled(alpha * load3<3, L>(inertia.inverse, k), rotate_back(q, torque));
      rod::detail::store_quaternion(
          rod::detail::renormalised(rod::detail::multiply(q, rod::detail::exponential(turn))),
          chain.configuration, k);
      store3<3>(load3<3, L>(chain.velocity, k) + L(per_time) * turn, chain.velocity, k);
    }
  });
}

}  // namespace detail

}  // namespace dalembert::assembly
