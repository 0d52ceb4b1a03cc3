#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/clusters/cluster_system.hpp>
#include <dalembert/core/number.hpp>

/// The matrix of the system of a cluster, block by block of its constraints. It is apart from the rest of the
/// class so that each is read on its own.
namespace dalembert::assembly::detail {

template <class S, bool may_react_elsewhere, bool may_have_friction>
ClusterSystem<S, may_react_elsewhere, may_have_friction>::~ClusterSystem() = default;

template <class S, bool may_react_elsewhere, bool may_have_friction>
void ClusterSystem<S, may_react_elsewhere, may_have_friction>::assemble(const Members& members,
                                                                        const Nodes<S>& nodes) {
  Block whole;
  const ClusterHubs<S>* const hubs = graph_.hubs().count() > 0 ? &graph_.hubs() : nullptr;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const RowsView<S>& a = members[i];
    const int end = begin_[i] + a.count(kind_);
    block(a, a, nodes, no_hubs_, whole);
    find_scale(a, a.own, i, nodes, whole, scale_, sizes_);
    for (int r = begin_[i]; r < end; ++r) {
      reaction_scale_[index(r)] = scale_[index(r)];
      reaction_sizes_[index(r)] = sizes_[index(r)];
    }
    if constexpr (may_react_elsewhere)
      // A M⁻¹Aᵀ and A_V M⁻¹A_Vᵀ: A M⁻¹A_Vᵀ tells no sizes
      if (a.reacts_elsewhere && kind_.along == Along::reactions) {
        Block own;
        block(a, a.own, a, a.own, nodes, no_hubs_, own);
        find_scale(a, a.own, i, nodes, own, scale_, sizes_);
        block(a, a.reaction, a, a.reaction, nodes, no_hubs_, own);
        find_scale(a, a.reaction, i, nodes, own, reaction_scale_, reaction_sizes_);
      }
    if (hubs) block(a, a, nodes, hubs, whole);
    put_block(members, i, i, whole);
  }
  for (const auto& [i, j] : graph_.pairs()) {
    if (index(i) >= members.size()) {
      put_hub(members, i, j, nodes);
      continue;
    }
    block(members[index(i)], members[index(j)], nodes, hubs, whole);
    put_block(members, index(i), index(j), whole);
    if (symmetric_ || (banded_ && !is_beside(members[index(i)]) && !is_beside(members[index(j)]))) continue;
    block(members[index(j)], members[index(i)], nodes, hubs, whole);
    put_block(members, index(j), index(i), whole);
  }
  for (int k = hub_row_; k < hub_row_ + graph_.hub_rows(); ++k) {
    entry(k, k) = W(-1);
    sizes_[index(k)] = reaction_sizes_[index(k)] = W(1);
  }
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
void ClusterSystem<S, may_react_elsewhere, may_have_friction>::put_block(const Members& members,
                                                                         std::size_t i, std::size_t j,
                                                                         const Block& block) {
  const int rows = members[i].count(kind_), columns = members[j].count(kind_);
  const int row = begin_[i], column = begin_[j];
  const W* const scale = scale_.data() + row;
  const W* const reaction_scale = reaction_scale_.data() + column;
  with_matrix([&](auto& matrix) {
    for (int s = 0; s < columns; ++s)
      for (int r = 0; r < rows; ++r) matrix(row + r, column + s) = scale[r] * reaction_scale[s] * block[r][s];
  });
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
void ClusterSystem<S, may_react_elsewhere, may_have_friction>::find_scale(
    const RowsView<S>& a, const typename RowsView<S>::Blocks& of, std::size_t i, const Nodes<S>& nodes,
    const Block& own, std::vector<W>& scale, std::vector<W>& sizes) const {
  W terms[most_rows] = {};
  if (sized_) find_sizes(a, of, nodes, terms);
  const S* const by = kind_.positions ? a.along : a.shape;
  const int count = a.count(kind_);
  for (int r = 0; r < count; ++r) {
    const std::size_t row = index(begin_[i] + r);
    const W diagonal = number::abs(own[r][r]);
    W size = by ? W(0) : terms[r];
    for (int p = 0; by && p < a.rows; ++p) size += W(by[count * p + r] * by[count * p + r]) * terms[p];
    // what no node can move but for the rounding of its terms has scale 0
    const W least = W(32) * W(std::numeric_limits<S>::epsilon()) * size;
    const bool moves = diagonal > std::max(W(std::numeric_limits<S>::min()), least);
    scale[row] = moves ? W(1) / number::sqrt(diagonal) : W(0);
    sizes[row] = moves && size > diagonal ? W(scale[row] * number::sqrt(size)) : W(1);
  }
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
void ClusterSystem<S, may_react_elsewhere, may_have_friction>::put_hub(const Members& members, int h, int j,
                                                                       const Nodes<S>& nodes) {
  constexpr int unknowns = ClusterHubs<S>::unknowns;
  const RowsView<S>& a = members[index(j)];
  const int begin = begin_[index(j)], hub = h - static_cast<int>(members.size());
  const auto each = [&](const auto& rows, const auto& f) {
    typename ClusterHubs<S>::Shared b;
    graph_.hubs().find_rows(a, rows, kind_, graph_.hubs()[hub], nodes, b);
    for (int r = 0; r < a.count(kind_); ++r)
      for (int c = 0; c < unknowns; ++c) f(begin + r, hub_row_ + unknowns * hub + c, b[r][c]);
  };
  each(a.own, [&](int r, int c, const W& x) { entry(r, c) = scale_[index(r)] * x; });
  if constexpr (may_react_elsewhere)
    if (is_beside(a))
      each(a.reaction, [&](int r, int c, const W& x) { entry(c, r) = reaction_scale_[index(r)] * x; });
}

}  // namespace dalembert::assembly::detail
