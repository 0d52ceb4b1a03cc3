#pragma once

/// @file
/// Chains of loose nodes that move at random, and the rows of constraints on them as dense matrices.

#include <cstddef>
#include <initializer_list>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/loose_nodes.hpp"

namespace test {

/// Chains of so many nodes each, damped, in a state at a time. All numbers are those of one node after the
/// other: three along axes of space, three about its own axes.
struct DenseNodes {
  using Matrix = Eigen::MatrixXd;
  using Column = Eigen::VectorXd;
  using State = dalembert::assembly::State<double>;
  using Numbers = dalembert::assembly::NodeNumbers<double>;

  NodeSet set;
  double nu;
  State x;
  std::vector<int> first{};
  int size = 0;

  DenseNodes(unsigned seed, std::initializer_list<Eigen::Index> nodes, double damping = 0.3)
      : set(seed), nu(damping) {
    for (const Eigen::Index count : nodes) {
      set.add_chain(count, damping);
      first.push_back(size);
      size += 6 * static_cast<int>(count);
    }
    x = State(0.7, set.chains);
  }
  dalembert::assembly::detail::Nodes<double> nodes() const {
    return {x.chains, x.lines, set.inertia, set.weights.data()};
  }
  /// f(body, node, number, place among all) for each number.
  template <class F>
  void each(const F& f) const {
    for (std::size_t b = 0; b < first.size(); ++b)
      for (Eigen::Index k = 0; k < x[b].nodes; ++k)
        for (int i = 0; i < 6; ++i) f(b, k, i, first[b] + 6 * static_cast<int>(k) + i);
  }
  /// The same numbers of nodes as a column, and as numbers of nodes.
  Column column(const Numbers& all) const {
    Column c(size);
    each([&](std::size_t b, Eigen::Index k, int i, int at) { c[at] = all[b](k, i); });
    return c;
  }
  Numbers numbers(const Column& c) const {
    Numbers all;
    for (const auto& chain : x.chains)
      all.chains.push_back(dalembert::rod::zero_columns<double, 6>(chain.nodes));
    each([&](std::size_t b, Eigen::Index k, int i, int at) { all[b](k, i) = c[at]; });
    return all;
  }
  Column velocity(const State& of) const {
    Column v(size);
    each([&](std::size_t b, Eigen::Index k, int i, int at) { v[at] = of[b].velocity(k, i); });
    return v;
  }
  Column velocity() const { return velocity(x); }
  /// Displacements from here to another state, and turns about the axes that nodes have here.
  Column displacement(const State& to) const {
    Column d(size);
    each([&](std::size_t b, Eigen::Index k, int i, int at) {
      d[at] = i < 3 ? to[b].position(k)[i] - x[b].position(k)[i]
                    : (x[b].rotation(k).inverse() * to[b].rotation(k)).log()[i - 3];
    });
    return d;
  }
  /// The diagonal of M⁻¹.
  Column inverse() const {
    Column m(size);
    each([&](std::size_t b, Eigen::Index k, int i, int at) { m[at] = set.inertia[b].inverse(k, i); });
    return m;
  }
  /// M⁻¹f − νv, and what turns by itself: −J⁻¹(ω × Jω).
  Column accelerations(const Column& f) const {
    const Column v = velocity(), m = inverse();
    Column a = m.cwiseProduct(f) - nu * v;
    each([&](std::size_t, Eigen::Index, int i, int at) {
      if (i < 3) return;
      const int node = at - i, p = node + 3 + (i + 1) % 3, q = node + 3 + (i + 2) % 3;
      a[at] -= m[at] * (1 / m[q] - 1 / m[p]) * v[p] * v[q];
    });
    return a;
  }
  /// A of the rows that were found, or A_V.
  template <class C>
  Matrix rows(const dalembert::assembly::detail::PlacedConstraint<C>& placed, bool reaction = false) const {
    const auto view = placed.view();
    Matrix a = Matrix::Zero(view.rows, size);
    view.each_node(placed.weights.data(), x.chains,
                   [&](const auto& w, Eigen::Index k, const double* own, const double* pulls) {
                     for (int i = 0; i < 6 * view.rows; ++i)
                       a(i / 6, first[w.body] + 6 * static_cast<int>(k) + i % 6) +=
                           (reaction ? pulls : own)[i];
                   });
    return a;
  }
  Column random(int n) {
    Column c(n);
    for (double& value : c) value = set.draw.between(-1, 1);
    return c;
  }
};

/// A constraint of two frames on two nodes, beside them.
template <class C>
C between_nodes(Draw& draw, std::size_t a, Eigen::Index k, std::size_t b, Eigen::Index l) {
  C c;
  c.first = {a, k, draw.vector(), draw.rotation()};
  c.second = {b, l, draw.vector(), draw.rotation()};
  return c;
}

}  // namespace test
