#pragma once

#include <vector>

#include <dalembert/assembly/rows.hpp>

/// Rows of constraints on the nodes of strings that bear a place: a row acts on them through the average U = Σ α u_t alone, and what it gives back is a
/// force α μ on each. A string that is closed has no first node: a window that leaves it at one end comes back at the other.
namespace dalembert::assembly::detail {

/// f(node, weight) for each node of a window on a string of so many nodes.
template <class S, class F>
void each_line_node(const Window& w, const S* weights, Eigen::Index nodes, const F& f) {
  const S* const alpha = weights + w.weights;
  const Eigen::Index before = std::min(w.count, nodes - w.first);
  for (Eigen::Index k = 0; k < before; ++k) f(w.first + k, alpha[k]);
  for (Eigen::Index k = before; k < w.count; ++k) f(k - before, alpha[k]);
}

/// Σ α x.
template <class S>
[[nodiscard]] S line_average(const Window& w, const Nodes<S>& n, const Vec<S, Eigen::Dynamic>& x) {
  S sum(0);
  each_line_node(w, n.weights, x.size(), [&](Eigen::Index k, S alpha) { sum += alpha * x[k]; });
  return sum;
}
/// The average of the accelerations that loads f give the nodes, with damping.
template <class S>
[[nodiscard]] S line_acceleration(const Window& w, const Nodes<S>& n, const Vec<S, Eigen::Dynamic>& f) {
  const Line<S>& line = n.lines[w.body];
  const InertiaColumns<S>& inertia = n.inertia[w.body];
  S sum(0);
  each_line_node(w, n.weights, f.size(), [&](Eigen::Index k, S alpha) {
    sum += alpha * (inertia.line_inverse[k] * f[k] - inertia.damping * line.velocity[k]);
  });
  return sum;
}
/// How U answers to a force: Σ α²/m [1/kg].
template <class S>
[[nodiscard]] S line_compliance(const Window& w, const Nodes<S>& n) {
  const auto& inverse = n.inertia[w.body].line_inverse;
  S sum(0);
  each_line_node(w, n.weights, inverse.size(),
                 [&](Eigen::Index k, S alpha) { sum += alpha * alpha * inverse[k]; });
  return sum;
}
/// The compliance between two places of one string: zero unless their windows share nodes.
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

/// f += Aᵀμ for a force at the place.
template <class S>
void add_line_load(const Window& w, const Nodes<S>& n, S force, Vec<S, Eigen::Dynamic>& f) {
  each_line_node(w, n.weights, f.size(), [&](Eigen::Index k, S alpha) { f[k] += alpha * force; });
}
/// v += M⁻¹Aᵀμ.
template <class S>
void add_line_impulse(const Window& w, const Nodes<S>& n, S impulse, Line<S>& line) {
  const auto& inverse = n.inertia[w.body].line_inverse;
  each_line_node(w, n.weights, inverse.size(),
                 [&](Eigen::Index k, S alpha) { line.velocity[k] += inverse[k] * alpha * impulse; });
}
/// u += M⁻¹Aᵀμ, v += that times `per_time` [1/s].
template <class S>
void push_line(const Window& w, const Nodes<S>& n, S push, S per_time, Line<S>& line) {
  const auto& inverse = n.inertia[w.body].line_inverse;
  each_line_node(w, n.weights, inverse.size(), [&](Eigen::Index k, S alpha) {
    const S step = inverse[k] * alpha * push;
    line.displacement[k] += step;
    line.velocity[k] += per_time * step;
  });
}

}  // namespace dalembert::assembly::detail
