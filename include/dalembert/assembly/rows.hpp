#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/place.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// Rows of constraints on the nodes that bear a place: passes over the packs of its window. A row acts on the nodes through the averages
///   V = Σ α v,  W = Σ α Λω     A v = L V + B W,    Aᵀμ: force α Lᵀμ, body torque α Λᵀ Bᵀμ on each node               (1)
/// so that nothing is stored per node but its weight.
namespace dalembert::assembly {

/// A constraint has at most so many rows.
inline constexpr int most_rows = 6;

/// Coefficients of the rows of one constraint at one place; those beyond its own are zero.
template <class S>
struct Coefficients {
  Eigen::Matrix<S, most_rows, 3> linear = Eigen::Matrix<S, most_rows, 3>::Zero();   ///< L, on V
  Eigen::Matrix<S, most_rows, 3> angular = Eigen::Matrix<S, most_rows, 3>::Zero();  ///< B, on W [m]
};

/// The rows of one constraint at one place.
template <class S>
struct RowsAtPlace {
  Window window;             ///< the nodes
  Coefficients<S> row;       ///< A
  Coefficients<S> reaction;  ///< A_V
};

/// The inertia of the nodes of a body, as columns.
template <class S>
struct InertiaColumns {
  Columns<S, 6> inverse;  ///< 1/m (spatial), 1/J (body); 0 where held
  Columns<S, 3> gyro;     ///< (J₃ − J₂)/J₁ and so on; 0 where held
  S damping{};            ///< ν [1/s]

  /// Those of a body.
  template <Body B>
  explicit InertiaColumns(const B& body)
      : inverse(rod::zero_columns<S, 6>(body.nodes())),
        gyro(rod::zero_columns<S, 3>(body.nodes())),
        damping(damping_rate(body)) {
    for (Eigen::Index k = 0; k < body.nodes(); ++k) {
      const NodeInertia<S> n = node_inertia(body, k);
      for (int i = 0; i < 6; ++i) inverse(k, i) = n.inverse[i];
      for (int i = 0; i < 3; ++i)
        gyro(k, i) = (n.rotary[(i + 2) % 3] - n.rotary[(i + 1) % 3]) * n.inverse[3 + i];
    }
  }
};

namespace detail {

using dalembert::detail::Triple;
using rod::lane_sum;
using rod::lane_width;
using rod::load3;
using rod::store3;
using rod::detail::load_quaternion;
using rod::detail::rotate;
using rod::detail::rotate_back;

/// Two averages over a window: of what is linear and of what is angular, spatial.
template <class S>
struct Averages {
  Vec<S, 3> linear;
  Vec<S, 3> angular;
};

/// How the averages answer to loads: V to a force and W to a torque.
template <class S>
struct Compliance {
  Vec<S, 3> linear = Vec<S, 3>::Zero();   ///< Σ α β/m, diagonal (spatial) [1/kg]
  Mat<S, 3> angular = Mat<S, 3>::Zero();  ///< Σ α β Λ J⁻¹ Λᵀ [1/(kg m²)]
};

/// f(node, weights) for each pack of a window.
template <class S, class F>
void each_pack(const Window& w, const std::vector<S>& weights, F&& f) {
  for (int pack = 0; pack < w.packs; ++pack) {
    const Eigen::Index step = pack * lane_width<S>;
    f(w.first + step, rod::load<S>(weights.data() + w.weights + step));
  }
}

/// V and W of columns that are like velocities.
template <class S>
[[nodiscard]] Averages<S> averages(const Window& w, const std::vector<S>& weights,
                                   const std::vector<Chain<S>>& chains, const Columns<S, 6>& x) {
  using L = rod::NodePack<S>;
  Triple<L> linear{L(S(0)), L(S(0)), L(S(0))}, angular = linear;
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const auto q = load_quaternion<L>(chains[w.body].configuration, k);
    linear += alpha * load3<0>(x, k);
    angular += alpha * rotate(q.w, q.v, L(S(2)), load3<3>(x, k));
  });
  return {lane_sum(linear), lane_sum(angular)};
}

/// The averages of the accelerations that loads f give the nodes, with damping and gyroscopic terms; held degrees have none.
template <class S>
[[nodiscard]] Averages<S> acceleration_averages(const Window& w, const std::vector<S>& weights,
                                                const std::vector<Chain<S>>& chains,
                                                const InertiaColumns<S>& inertia, const Columns<S, 6>& f) {
  using L = rod::NodePack<S>;
  const L nu(inertia.damping);
  Triple<L> linear{L(S(0)), L(S(0)), L(S(0))}, angular = linear;
  const Chain<S>& chain = chains[w.body];
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const auto q = load_quaternion<L>(chain.configuration, k);
    const Triple<L> omega = load3<3>(chain.velocity, k), gyro = load3<0>(inertia.gyro, k);
    const Triple<L> turning{gyro.x * omega.y * omega.z, gyro.y * omega.z * omega.x,
                            gyro.z * omega.x * omega.y};
    const Triple<L> a =
        scaled(load3<0>(inertia.inverse, k), load3<0>(f, k)) - nu * load3<0>(chain.velocity, k);
    const Triple<L> b = scaled(load3<3>(inertia.inverse, k), load3<3>(f, k)) - turning - nu * omega;
    linear += alpha * a;
    angular += alpha * rotate(q.w, q.v, L(S(2)), b);
  });
  return {lane_sum(linear), lane_sum(angular)};
}

/// The compliance of a place.
template <class S>
[[nodiscard]] Compliance<S> compliance(const Window& w, const std::vector<S>& weights,
                                       const std::vector<Chain<S>>& chains,
                                       const InertiaColumns<S>& inertia) {
  using L = rod::NodePack<S>;
  const L zero(S(0));
  Triple<L> linear{zero, zero, zero}, diagonal = linear, beside = linear;
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const L square = alpha * alpha;
    const auto q = load_quaternion<L>(chains[w.body].configuration, k);
    const Triple<L> j = square * load3<3>(inertia.inverse, k);
    linear += square * load3<0>(inertia.inverse, k);
    const L two(S(2));
    const Triple<L> x = rotate(q.w, q.v, two, Triple<L>{L(S(1)), zero, zero});
    const Triple<L> y = rotate(q.w, q.v, two, Triple<L>{zero, L(S(1)), zero});
    const Triple<L> z = cross(x, y);
    diagonal += Triple<L>{j.x * x.x * x.x + j.y * y.x * y.x + j.z * z.x * z.x,
                          j.x * x.y * x.y + j.y * y.y * y.y + j.z * z.y * z.y,
                          j.x * x.z * x.z + j.y * y.z * y.z + j.z * z.z * z.z};
    beside += Triple<L>{j.x * x.y * x.z + j.y * y.y * y.z + j.z * z.y * z.z,
                        j.x * x.z * x.x + j.y * y.z * y.x + j.z * z.z * z.x,
                        j.x * x.x * x.y + j.y * y.x * y.y + j.z * z.x * z.y};
  });
  const Vec<S, 3> d = lane_sum(diagonal), b = lane_sum(beside);
  Compliance<S> c;
  c.linear = lane_sum(linear);
  for (int i = 0; i < 3; ++i) {
    c.angular(i, i) = d[i];
    c.angular((i + 1) % 3, (i + 2) % 3) = c.angular((i + 2) % 3, (i + 1) % 3) = b[i];
  }
  return c;
}

/// The compliance between two places of one body: zero unless their windows share nodes.
template <class S>
[[nodiscard]] Compliance<S> compliance(const Window& a, const Window& b, const std::vector<S>& weights,
                                       const std::vector<Chain<S>>& chains,
                                       const InertiaColumns<S>& inertia) {
  Compliance<S> c;
  const auto last = [](const Window& w) { return w.first + w.packs * lane_width<S>; };
  const Eigen::Index begin = std::max(a.first, b.first);
  const Eigen::Index end = std::min({last(a), last(b), chains[a.body].nodes});
  for (Eigen::Index k = begin; k < end; ++k) {
    const S product = weights[a.weights + static_cast<std::size_t>(k - a.first)] *
                      weights[b.weights + static_cast<std::size_t>(k - b.first)];
    if (product == S(0)) continue;
    const Mat<S, 3> lambda = chains[a.body].rotation(k).matrix();
    for (int i = 0; i < 3; ++i) {
      c.linear[i] += product * inertia.inverse(k, i);
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          c.angular(r, s) += product * inertia.inverse(k, 3 + i) * lambda(r, i) * lambda(s, i);
    }
  }
  return c;
}

/// The force and the torque of multipliers μ through a set of coefficients, spatial.
template <class S>
[[nodiscard]] Averages<S> wrench(const Coefficients<S>& c, const S* mu, int rows) {
  Averages<S> w{Vec<S, 3>(S(0), S(0), S(0)), Vec<S, 3>(S(0), S(0), S(0))};
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < 3; ++i) {
      w.linear[i] += c.linear(r, i) * mu[r];
      w.angular[i] += c.angular(r, i) * mu[r];
    }
  return w;
}

/// f += Aᵀμ for a wrench at the place.
template <class S>
void add_load(const Window& w, const std::vector<S>& weights, const Chain<S>& chain,
              const Averages<S>& wrench, Columns<S, 6>& f) {
  using L = rod::NodePack<S>;
  const Triple<L> force{L(wrench.linear[0]), L(wrench.linear[1]), L(wrench.linear[2])};
  const Triple<L> torque{L(wrench.angular[0]), L(wrench.angular[1]), L(wrench.angular[2])};
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const auto q = load_quaternion<L>(chain.configuration, k);
    store3<0>(load3<0>(f, k) + alpha * force, f, k);
    store3<3>(load3<3>(f, k) + alpha * rotate_back(q.w, q.v, L(S(2)), torque), f, k);
  });
}

/// v += M⁻¹Aᵀμ.
template <class S>
void add_impulse(const Window& w, const std::vector<S>& weights, const InertiaColumns<S>& inertia,
                 const Averages<S>& wrench, Chain<S>& chain) {
  using L = rod::NodePack<S>;
  const Triple<L> force{L(wrench.linear[0]), L(wrench.linear[1]), L(wrench.linear[2])};
  const Triple<L> torque{L(wrench.angular[0]), L(wrench.angular[1]), L(wrench.angular[2])};
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const auto q = load_quaternion<L>(chain.configuration, k);
    const Triple<L> j = alpha * load3<3>(inertia.inverse, k);
    store3<0>(load3<0>(chain.velocity, k) + scaled(alpha * load3<0>(inertia.inverse, k), force),
              chain.velocity, k);
    store3<3>(load3<3>(chain.velocity, k) + scaled(j, rotate_back(q.w, q.v, L(S(2)), torque)), chain.velocity,
              k);
  });
}

/// r += δr, Λ ← Λ exp(θ) for (δr, θ) = M⁻¹Aᵀμ; velocities change by that times `per_time` [1/s].
template <class S>
void displace(const Window& w, const std::vector<S>& weights, const InertiaColumns<S>& inertia,
              const Averages<S>& wrench, S per_time, Chain<S>& chain) {
  using L = rod::NodePack<S>;
  const Triple<L> force{L(wrench.linear[0]), L(wrench.linear[1]), L(wrench.linear[2])};
  const Triple<L> torque{L(wrench.angular[0]), L(wrench.angular[1]), L(wrench.angular[2])};
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const auto q = load_quaternion<L>(chain.configuration, k);
    const Triple<L> move = scaled(alpha * load3<0>(inertia.inverse, k), force);
    const Triple<L> turn =
        scaled(alpha * load3<3>(inertia.inverse, k), rotate_back(q.w, q.v, L(S(2)), torque));
    store3<0>(load3<0>(chain.configuration, k) + move, chain.configuration, k);
    rod::detail::store_quaternion(
        rod::detail::renormalised(rod::detail::multiply(q, rod::detail::exponential(turn))),
        chain.configuration, k);
    store3<0>(load3<0>(chain.velocity, k) + L(per_time) * move, chain.velocity, k);
    store3<3>(load3<3>(chain.velocity, k) + L(per_time) * turn, chain.velocity, k);
  });
}

/// The same for a force alone.
template <class S>
void push(const Window& w, const std::vector<S>& weights, const InertiaColumns<S>& inertia,
          const Vec<S, 3>& linear, S per_time, Chain<S>& chain) {
  using L = rod::NodePack<S>;
  const Triple<L> force{L(linear[0]), L(linear[1]), L(linear[2])};
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    const Triple<L> move = scaled(alpha * load3<0>(inertia.inverse, k), force);
    store3<0>(load3<0>(chain.configuration, k) + move, chain.configuration, k);
    store3<0>(load3<0>(chain.velocity, k) + L(per_time) * move, chain.velocity, k);
  });
}

/// Σ α²/m alone, the linear part of a compliance.
template <class S>
[[nodiscard]] Vec<S, 3> linear_compliance(const Window& w, const std::vector<S>& weights,
                                          const InertiaColumns<S>& inertia) {
  using L = rod::NodePack<S>;
  Triple<L> linear{L(S(0)), L(S(0)), L(S(0))};
  each_pack(w, weights, [&](Eigen::Index k, const L& alpha) {
    linear += (alpha * alpha) * load3<0>(inertia.inverse, k);
  });
  return lane_sum(linear);
}

}  // namespace detail

}  // namespace dalembert::assembly
