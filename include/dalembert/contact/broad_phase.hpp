#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// Which parts of many bodies are near each other. Chains of nodes are cut into blocks of eight segments, a sphere is put around each block,
/// and the spheres are sorted into the cells of a grid that are as wide as the largest one: whatever overlaps lies in neighbouring cells. Cells
/// are found by hashing, so the grid has no bounds, and time and memory grow with the number of nodes only.
namespace dalembert::contact {

/// Segments first … last − 1 of a chain, and a sphere around them.
template <class S>
struct SphereBlock {
  std::size_t chain = 0;        ///< number in the list that the grid was made for
  Eigen::Index first = 0;       ///< first segment
  Eigen::Index last = 0;        ///< the segment after its last one
  Vec<S, 3> centre;             ///< [m]
  S radius{};                   ///< of the sphere around segments and margin [m]
  std::array<S, 3> cell{};      ///< of the grid, whole numbers
  std::int64_t next_in_bucket;  ///< another block with the same hash, or −1
};

/// The blocks of a list of chains, and pairs of them that overlap; see the head of this file. It allocates when it is made, then no more.
template <class S>
class BlockGrid {
 public:
  using Index = Eigen::Index;         ///< counts nodes
  static constexpr Index length = 8;  ///< segments of a block

  /// For chains with so many nodes each; a chain of one node is a single point.
  explicit BlockGrid(const std::vector<Index>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Index segments = std::max<Index>(nodes[i] - 1, 1);
      for (Index k = 0; k < segments; k += length)
        blocks_.push_back({i, k, std::min(k + length, segments), Vec<S, 3>::Zero(), S(0), {}, -1});
    }
    std::size_t buckets = 16;
    while (buckets < 2 * blocks_.size()) buckets *= 2;
    buckets_.assign(buckets, -1);
  }

  /// f(block, other block) once for each pair whose spheres overlap, a block with itself included, that of the lower chain, or of the lower
  /// segments of one chain, first. `chain(i)` is chain number i, and `margin(i)` what is added to the radii of its spheres [m].
  template <class ChainOf, class MarginOf, class F>
  void each_pair(const ChainOf& chain, const MarginOf& margin, F&& f) {
    S widest(0);
    for (SphereBlock<S>& b : blocks_) {
      surround(b, chain(b.chain), margin(b.chain));
      widest = std::max(widest, b.radius);
    }
    std::fill(buckets_.begin(), buckets_.end(), -1);
    const S per_cell = widest > S(0) ? S(1) / (S(2) * widest) : S(1);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      SphereBlock<S>& b = blocks_[i];
      for (std::size_t j = 0; j < 3; ++j) b.cell[j] = std::floor(b.centre[static_cast<Index>(j)] * per_cell);
      f(b, b);
      // those that are in the grid already come before it
      for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
          for (int z = -1; z <= 1; ++z) visit(b, {b.cell[0] + S(x), b.cell[1] + S(y), b.cell[2] + S(z)}, f);
      std::int64_t& bucket = buckets_[bucket_of(b.cell)];
      b.next_in_bucket = bucket;
      bucket = static_cast<std::int64_t>(i);
    }
  }

 private:
  static void surround(SphereBlock<S>& b, const rod::Chain<S>& chain, S margin) {
    const Index last = std::min(b.last, chain.nodes - 1);
    b.centre = Vec<S, 3>::Zero();
    for (Index k = b.first; k <= last; ++k) b.centre += chain.position(k) / S(last - b.first + 1);
    S square(0);
    for (Index k = b.first; k <= last; ++k)
      square = std::max(square, (chain.position(k) - b.centre).squaredNorm());
    b.radius = number::sqrt(square) + margin;
  }

  template <class F>
  void visit(const SphereBlock<S>& b, const std::array<S, 3>& cell, F&& f) const {
    for (std::int64_t i = buckets_[bucket_of(cell)]; i >= 0;) {
      const SphereBlock<S>& other = blocks_[static_cast<std::size_t>(i)];
      i = other.next_in_bucket;
      if (other.cell != cell) continue;
      const S reach = b.radius + other.radius;
      if ((other.centre - b.centre).squaredNorm() < reach * reach) f(other, b);
    }
  }

  [[nodiscard]] std::size_t bucket_of(const std::array<S, 3>& cell) const noexcept {
    std::uint64_t hash = 0;
    for (const S x : cell) {
      hash ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
      hash *= 0x9E3779B97F4A7C15U;  // 2⁶⁴ over the golden ratio: it spreads neighbouring numbers
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash) & (buckets_.size() - 1);
  }

  std::vector<SphereBlock<S>> blocks_;
  std::vector<std::int64_t> buckets_;  // the last block that was put into each, or −1
};

}  // namespace dalembert::contact
