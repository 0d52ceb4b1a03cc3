#pragma once

#include <algorithm>

#include <dalembert/assembly/rows.hpp>
#include <dalembert/core/number.hpp>

/// Rows of constraints on the nodes of strings that bear a marker: a row acts on them through the average U =
/// Σ α u_t alone, and what it gives back is a force α μ on each. A string that is closed has no first
/// node: a window that leaves it at one end comes back at the other.
namespace dalembert::assembly::detail {

/// f(first node, weights, how many) for each part of a window whose nodes lie side by side, on a string of
/// so many nodes.
template <class S, class F>
void each_line_segment(const Window& w, const S* weights, Eigen::Index nodes, const F& f) {
  const S* const alpha = weights + w.weights;
  const Eigen::Index before = std::min(w.count, nodes - w.first);
  f(w.first, alpha, before);
  if (before < w.count) f(Eigen::Index(0), alpha + before, w.count - before);
}
/// f(node, weight) for each node of a window.
template <class S, class F>
void each_line_node(const Window& w, const S* weights, Eigen::Index nodes, const F& f) {
  each_line_segment(w, weights, nodes, [&](Eigen::Index first, const S* alpha, Eigen::Index count) {
    for (Eigen::Index k = 0; k < count; ++k) f(first + k, alpha[k]);
  });
}
/// Σ f(α, x, y) over the nodes of a window, where x and y are arrays of numbers of all nodes.
template <class S, class F>
[[nodiscard]] S sum_over_line(const Window& w, const S* weights, Eigen::Index nodes, const S* x, const S* y,
                              const F& f) {
  using L = rod::NodePack<S>;
  constexpr Eigen::Index width = rod::width_of<L>;
  L lanes(S(0));
  S rest(0);
  each_line_segment(w, weights, nodes, [&](Eigen::Index first, const S* alpha, Eigen::Index count) {
    Eigen::Index k = 0;
    for (; k + width <= count; k += width)
      lanes += f(rod::load<S, L>(alpha + k), rod::load<S, L>(x + first + k), rod::load<S, L>(y + first + k));
    for (; k < count; ++k) rest += f(alpha[k], x[first + k], y[first + k]);
  });
  return lane_sum(lanes) + rest;
}

/// Σ α x.
template <class S>
[[nodiscard]] S line_average(const Window& w, const Nodes<S>& n, const Vec<S, Eigen::Dynamic>& x) {
  return sum_over_line(w, n.weights, x.size(), x.data(), x.data(),
                       [](const auto& alpha, const auto& one, const auto&) { return alpha * one; });
}
/// What is one number on a string.
template <class S>
[[nodiscard]] Averages<S> along_line(S x) noexcept {
  return {{x, S(0), S(0)}, {S(0), S(0), S(0)}};
}
/// U of numbers that are like velocities.
template <class, class S>
[[nodiscard]] Averages<S> averages(const Window& w, const Nodes<S>& n, const Vec<S, Eigen::Dynamic>& x) {
  return along_line(line_average(w, n, x));
}
/// The average of the accelerations that loads f give the nodes, with damping.
template <class, class S>
[[nodiscard]] Averages<S> acceleration_averages(const Window& w, const Nodes<S>& n,
                                                const Vec<S, Eigen::Dynamic>& f) {
  const Line<S>& line = n.lines[w.body];
  const InertiaColumns<S>& inertia = n.inertia[w.body];
  const S free = sum_over_line(
      w, n.weights, f.size(), inertia.line_inverse.data(), f.data(),
      [](const auto& alpha, const auto& inverse, const auto& force) { return alpha * (inverse * force); });
  return along_line(number::is_zero(inertia.damping)
                        ? free
                        : S(free - inertia.damping * line_average(w, n, line.velocity)));
}
/// How U answers to a force: Σ α²/m [1/kg].
template <class S>
[[nodiscard]] S line_compliance(const Window& w, const Nodes<S>& n) {
  const auto& inverse = n.inertia[w.body].line_inverse;
  return sum_over_line(w, n.weights, inverse.size(), inverse.data(), inverse.data(),
                       [](const auto& alpha, const auto& one, const auto&) { return alpha * alpha * one; });
}
/// The compliance between two markers of one string: zero unless their windows share nodes.
template <class S>
[[nodiscard]] S line_compliance(const Window& a, const Window& b, const Nodes<S>& n) {
  const auto& inverse = n.inertia[a.body].line_inverse;
  const Eigen::Index nodes = inverse.size();
  S sum(0);
  each_line_node(a, n.weights, nodes, [&](Eigen::Index k, S alpha) {
    const Eigen::Index beyond = k - b.first, at = beyond < 0 ? beyond + nodes : beyond;
    if (at < b.count) sum += alpha * n.weights[b.weights + at] * inverse[k];
  });
  return sum;
}

/// f += Aᵀμ for a force at the marker.
template <class, class S>
void add_load(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, Vec<S, Eigen::Dynamic>& f) {
  const S force = wrench.linear.x;
  each_line_segment(w, n.weights, f.size(),
                    [&](Eigen::Index first, const S* __restrict alpha, Eigen::Index count) {
                      S* const __restrict to = f.data() + first;
                      for (Eigen::Index k = 0; k < count; ++k) to[k] += alpha[k] * force;
                    });
}
/// v += M⁻¹Aᵀμ.
template <class, class S>
void add_impulse(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, Line<S>& line) {
  const S impulse = wrench.linear.x;
  const auto& inverses = n.inertia[w.body].line_inverse;
  each_line_segment(w, n.weights, inverses.size(),
                    [&](Eigen::Index first, const S* __restrict alpha, Eigen::Index count) {
                      const S* const __restrict inverse = inverses.data() + first;
                      S* const __restrict to = line.velocity.data() + first;
                      for (Eigen::Index k = 0; k < count; ++k) to[k] += inverse[k] * alpha[k] * impulse;
                    });
}
/// u += M⁻¹Aᵀμ, v += that times `per_time` [1/s].
template <class, bool = true, class S>
void displace(const Window& w, const Nodes<S>& n, const Averages<S>& wrench, S per_time, Line<S>& line) {
  const auto& inverse = n.inertia[w.body].line_inverse;
  each_line_node(w, n.weights, inverse.size(), [&](Eigen::Index k, S alpha) {
    const S step = inverse[k] * alpha * wrench.linear.x;
    line.displacement[k] += step;
    line.velocity[k] += per_time * step;
  });
}

}  // namespace dalembert::assembly::detail
