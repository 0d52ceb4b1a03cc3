#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/place_unknowns.hpp>

/// How the pull of position rows changes with the nodes that bear a constraint, its internal coordinates
/// following where the tangency has them.
namespace dalembert::assembly::detail {

/// Room for the nodes of the windows of one constraint.
template <class S>
struct GeometricStiffnessRoom {
  PlaceUnknowns<S> unknowns;
  std::vector<S> stiffness;  ///< between all unknowns of these nodes, row by row
};

/// add(body, k, body, l, K_kl) with K_kl = −∂f_k/∂(δr_l, Σ_l) of the pull with multipliers m of a constraint
/// that was evaluated, with the weights of all nodes.
template <class K, class S, class Add>
void add_geometric_stiffness(const Evaluator<K>& evaluator, const Evaluation<K>& e,
                             const Vec<S, Evaluation<K>::P>& m, const State<S>& x, const S* weights,
                             GeometricStiffnessRoom<S>& room, const Add& add) {
  ConstraintTangent<K> terms;
  terms.find_of_positions(evaluator, e, m, x.time);
  std::array<Eigen::Index, Evaluation<K>::N + 1> begin{};  // the first node of each window
  for (std::size_t i = 0; i < e.windows.size(); ++i) begin[i + 1] = begin[i] + e.windows[i].count;
  const Eigen::Index size = 6 * begin.back();
  room.unknowns.find(
      evaluator, e, weights, x.chains, [&](std::size_t i) { return 6 * begin[i]; }, size, terms);
  room.unknowns.follow(terms, x.time);
  room.stiffness.assign(static_cast<std::size_t>(size * size), S(0));
  room.unknowns.each_geometric_stiffness(terms.view(), [&](Eigen::Index i, Eigen::Index j, const S& k) {
    room.stiffness[static_cast<std::size_t>(size * i + j)] += k;
  });
  Mat<S, 6, 6> block;
  const auto each_node = [&](const auto& f) {
    for (std::size_t i = 0; i < e.windows.size(); ++i)
      for (Eigen::Index k = 0; k < e.windows[i].count; ++k)
        f(e.windows[i].body, e.windows[i].first + k, 6 * (begin[i] + k));
  };
  each_node([&](std::size_t a, Eigen::Index k, Eigen::Index row) {
    each_node([&](std::size_t b, Eigen::Index l, Eigen::Index column) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          block(i, j) = room.stiffness[static_cast<std::size_t>(size * (row + i) + column + j)];
      add(a, k, b, l, block);
    });
  });
}

}  // namespace dalembert::assembly::detail
