#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// Which parts of many bodies are near each other. Chains of nodes are cut into blocks of eight segments, a
/// sphere is put around each block, and the spheres are sorted into grids, one for each size: cells of grid 0
/// are as wide as the largest sphere, those of grid l 2ˡ times narrower, and a sphere lies in the narrowest
/// cells that it fits into. Whatever overlaps it in its grid, or in one of larger spheres, lies in
/// neighbouring cells there. Cells are found by hashing, so the grids have no bounds, and time and memory
/// grow with the number of nodes only, whatever their sizes.
namespace dalembert::contact {

/// Segments first … last − 1 of a chain, and a sphere around them.
template <class S = double>
struct SphereBlock {
  std::size_t chain = 0;        ///< number in the list that the grid was made for
  Eigen::Index first = 0;       ///< first segment
  Eigen::Index last = 0;        ///< the segment after its last one
  Vec<S, 3> centre;             ///< [m]
  S radius{};                   ///< of the sphere around segments and margin [m]
  std::size_t level;            ///< the grid that it lies in
  std::array<S, 3> cell;        ///< of that grid, whole numbers
  std::int64_t next_in_bucket;  ///< another block with the same hash, or −1
};

/// The blocks of a list of chains, and pairs of them that overlap; see the head of this file. It allocates
/// when it is made, then no more.
template <class S = double>
class BlockGrid {
 public:
  using Index = Eigen::Index;         ///< counts nodes
  static constexpr Index length = 8;  ///< segments of a block
  static constexpr std::size_t levels =
      24;  ///< grids; what is more than 2²³ times smaller than the largest is in the last

  /// For chains with so many nodes each; a chain of one node is a single point.
  [[gnu::cold, gnu::noinline]] explicit BlockGrid(const std::vector<Index>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Index segments = std::max<Index>(nodes[i] - 1, 1);
      for (Index k = 0; k < segments; k += length)
        blocks_.push_back({i, k, std::min(k + length, segments), Vec<S, 3>::Zero(), S(0), 0, {}, -1});
    }
    std::size_t buckets = 16;
    while (buckets < 2 * blocks_.size()) buckets *= 2;
    buckets_.assign(buckets, -1);
    by_size_.resize(blocks_.size());
  }

  /// f(block, other block) once for each pair whose spheres overlap, a block with itself included, that of
  /// the lower chain, or of the lower segments of one chain, first. `chain(i)` is chain number i, and
  /// `margin(i)` what is added to the radii of its spheres [m].
  template <class ChainOf, class MarginOf, class F>
  void each_pair(const ChainOf& chain, const MarginOf& margin, F&& f) {
    S widest(0);
    for (SphereBlock<S>& b : blocks_) {
      surround(b, chain(b.chain), margin(b.chain));
      widest = std::max(widest, b.radius);
      f(b, b);
    }
    std::fill(buckets_.begin(), buckets_.end(), -1);
    sort_by_size(widest);
    const std::array<S, 3> beside{S(-1), S(0), S(1)};
    for (const std::size_t i : by_size_) {
      SphereBlock<S>& b = blocks_[i];
      std::uint64_t own = 0;  // its row
      // those that are in the grids already are larger, or come before it
      for (std::size_t level = 0; level <= b.level; ++level) {
        if (begin_[level] == begin_[level + 1]) continue;
        const std::array<S, 3> cell = cell_of(b, level);
        std::array<std::uint64_t, 9> rows;
        for (std::size_t r = 0; r < 9; ++r)
          rows[r] = row_of(level, cell[1] + beside[r / 3], cell[2] + beside[r % 3]);
        if (level == b.level) b.cell = cell, own = rows[4];
        for (std::size_t k = 0; k < 27; ++k) {
          const S x = cell[0] + beside[k / 9];
          const std::int64_t last = buckets_[bucket_of(rows[k % 9], x)];
          if (last >= 0) visit(last, b, level, {x, cell[1] + beside[k % 9 / 3], cell[2] + beside[k % 3]}, f);
        }
      }
      std::int64_t& bucket = buckets_[bucket_of(own, b.cell[0])];
      b.next_in_bucket = bucket;
      bucket = static_cast<std::int64_t>(i);
    }
  }

 private:
  [[nodiscard]] static S square_of_distance(const Vec<S, 3>& x, const Vec<S, 3>& y) {
    const Vec<S, 3> between = dalembert::detail::difference(x, y);
    return dalembert::detail::inner(between, between);
  }
  template <class Chain>
  static void surround(SphereBlock<S>& b, const Chain& chain, S margin) {
    const Index last = std::min(b.last, chain.nodes - 1);
    const S count = S(last - b.first + 1);
    b.centre = dalembert::detail::zeros<S, 3>();
    for (Index k = b.first; k <= last; ++k)
      dalembert::detail::add_scaled<S, 3>(b.centre, S(1) / count, chain.position(k));
    S square(0);
    for (Index k = b.first; k <= last; ++k)
      square = std::max(square, square_of_distance(chain.position(k), b.centre));
    b.radius = number::sqrt(square) + margin;
  }

  /// The order of the blocks by their grids, and cells per metre of each grid.
  [[gnu::noinline]] void sort_by_size(S widest) {
    begin_.fill(0);
    for (SphereBlock<S>& b : blocks_) {
      b.level = level_of(number::plain(widest), number::plain(b.radius));
      ++begin_[b.level + 1];
    }
    for (std::size_t l = 0; l < levels; ++l) {
      begin_[l + 1] += begin_[l];
      per_cell_[l] = widest > S(0) ? S(std::ldexp(0.5, static_cast<int>(l))) / widest : S(1);
    }
    std::array<std::size_t, levels + 1> next = begin_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) by_size_[next[blocks_[i].level]++] = i;
  }
  /// The narrowest grid whose cells are as wide as a sphere.
  [[nodiscard]] static std::size_t level_of(double widest, double radius) noexcept {
    if (!(radius > 0 && radius < widest)) return 0;
    const double ratio = widest / radius;
    return static_cast<std::size_t>(std::min(std::ilogb(ratio), static_cast<int>(levels) - 1));
  }
  [[nodiscard]] std::array<S, 3> cell_of(const SphereBlock<S>& b, std::size_t level) const {
    std::array<S, 3> cell;
    for (std::size_t j = 0; j < 3; ++j)
      cell[j] = std::floor(b.centre[static_cast<Index>(j)] * per_cell_[level]);
    return cell;
  }

  /// f(lower, higher) for the blocks in a cell that overlap b, of which i is the last; out of the loop over
  /// cells, of which most are empty.
  template <class F>
  [[gnu::noinline]] void visit(std::int64_t i, const SphereBlock<S>& b, std::size_t level,
                               const std::array<S, 3>& cell, F&& f) const {
    while (i >= 0) {
      const SphereBlock<S>& other = blocks_[static_cast<std::size_t>(i)];
      i = other.next_in_bucket;
      if (other.level != level || other.cell != cell) continue;
      const S reach = b.radius + other.radius;
      if (!(square_of_distance(other.centre, b.centre) < reach * reach)) continue;
      if (&other < &b)
        f(other, b);
      else
        f(b, other);
    }
  }

  /// A number for the cells of a grid beside each other along x.
  [[nodiscard]] static std::uint64_t row_of(std::size_t level, S y, S z) noexcept {
    std::uint64_t hash = static_cast<std::uint64_t>(level);
    for (const S at : {y, z}) {
      hash ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(at));
      hash *= 0x9E3779B97F4A7C15U;  // 2⁶⁴ over the golden ratio: it spreads neighbouring numbers
      hash ^= hash >> 32;
    }
    return hash;
  }
  /// These share lines of the cache.
  [[nodiscard]] std::size_t bucket_of(std::uint64_t row, S x) const noexcept {
    return static_cast<std::size_t>(row + static_cast<std::uint64_t>(static_cast<std::int64_t>(x))) &
           (buckets_.size() - 1);
  }

  std::vector<SphereBlock<S>> blocks_;
  std::vector<std::int64_t> buckets_;  // the last block that was put into each, or −1
  std::vector<std::size_t> by_size_;   // numbers of blocks, those of grid l from begin_[l] on
  std::array<std::size_t, levels + 1> begin_{};
  std::array<S, levels> per_cell_{};
};

}  // namespace dalembert::contact
