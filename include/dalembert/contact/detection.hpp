#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/contact/detail/segment_pair.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/chain.hpp>

/// Where two rods come closest: a first guess (s₁, s₂) for `RollingContact::locate`.
/// The centrelines are taken as polygons through the nodes. Blocks of segments whose bounding spheres lie farther apart than the
/// closest pair so far are left out, so that rods that cross cost little more than one pass over the nodes.
namespace dalembert::contact {

/// The closest points of two centrelines.
template <class S>
struct ClosestApproach {
  Vec<S, 2> s;   ///< arc lengths of the unloaded rods [m]
  S distance{};  ///< [m]
};

namespace detail {

/// Segments first … last − 1 of a chain, and a sphere around them.
template <class S>
struct SegmentBlock {
  Eigen::Index first, last;
  Vec<S, 3> centre;
  S radius{};
};

template <class S>
[[nodiscard]] std::vector<SegmentBlock<S>> segment_blocks(const rod::Chain<S>& chain) {
  constexpr Eigen::Index size = 8;
  std::vector<SegmentBlock<S>> blocks;
  for (Eigen::Index k = 0; k + 1 < chain.nodes; k += size) {
    SegmentBlock<S> b{k, std::min(k + size, chain.nodes - 1), Vec<S, 3>::Zero()};
    for (Eigen::Index i = b.first; i <= b.last; ++i) b.centre += chain.position(i) / S(b.last - b.first + 1);
    for (Eigen::Index i = b.first; i <= b.last; ++i)
      b.radius = std::max(b.radius, (chain.position(i) - b.centre).norm());
    blocks.push_back(b);
  }
  return blocks;
}

/// The closest pair of segments of two chains.
template <class S>
class ClosestSegments {
 public:
  Eigen::Index first = 0, second = 0;
  S u{}, v{}, square = std::numeric_limits<S>::infinity();

  ClosestSegments(const rod::Chain<S>& a, const rod::Chain<S>& b) {
    struct Candidate {
      S bound;
      const SegmentBlock<S>* a;
      const SegmentBlock<S>* b;
    };
    const auto blocks1 = segment_blocks(a), blocks2 = segment_blocks(b);
    std::vector<Candidate> candidates;
    for (const auto& one : blocks1)
      for (const auto& other : blocks2)
        candidates.push_back({(one.centre - other.centre).norm() - one.radius - other.radius, &one, &other});
    std::sort(candidates.begin(), candidates.end(),
              [](const auto& x, const auto& y) { return x.bound < y.bound; });
    for (const Candidate& c : candidates) {
      if (c.bound > S(0) && c.bound * c.bound >= square) break;
      search(a, *c.a, b, *c.b);
    }
  }

 private:
  void search(const rod::Chain<S>& a, const SegmentBlock<S>& in_a, const rod::Chain<S>& b,
              const SegmentBlock<S>& in_b) {
    for (Eigen::Index i = in_a.first; i < in_a.last; ++i)
      for (Eigen::Index j = in_b.first; j < in_b.last; ++j) {
        const Vec<S, 3> d = a.position(i + 1) - a.position(i);
        const Vec<S, 3> e = b.position(j + 1) - b.position(j);
        const SegmentPair<S> pair(a.position(i), d, b.position(j), e);
        if (!(pair.square < square)) continue;
        first = i, second = j, u = pair.u, v = pair.v, square = pair.square;
      }
  }
};

}  // namespace detail

/// Where the centrelines of two chains of nodes come closest; `spacing` is the rest length of an element [m], `time` [s] goes into errors.
/// Throws ParallelRods if the rods are parallel there (to about one degree), ContactAtEnd if they come closest at an end of a rod: they do not
/// cross. Throws std::invalid_argument for a chain that is too short or not finite, or a spacing that is not positive.
template <PlainReal S>
[[nodiscard]] ClosestApproach<S> closest_approach(const rod::Chain<S>& a, std::type_identity_t<S> spacing_a,
                                                  const rod::Chain<S>& b, std::type_identity_t<S> spacing_b,
                                                  double time = 0) {
  for (const rod::Chain<S>* c : {&a, &b}) {
    require(c->nodes >= 2, "closest_approach", "nodes", c->nodes, "a chain needs at least two");
    require(c->finite(), "closest_approach", "chain", "not finite", "positions must be finite");
  }
  for (const S spacing : {spacing_a, spacing_b})
    require(spacing > 0 && std::isfinite(spacing * S(std::max(a.nodes, b.nodes))), "closest_approach",
            "spacing", spacing, "the distance of nodes must be positive, and the length of a rod finite [m]");
  const detail::ClosestSegments<S> best(a, b);
  const Vec<S, 3> d = (a.position(best.first + 1) - a.position(best.first)).normalized();
  const Vec<S, 3> e = (b.position(best.second + 1) - b.position(best.second)).normalized();
  const ClosestApproach<S> result{
      {(S(best.first) + best.u) * spacing_a, (S(best.second) + best.v) * spacing_b}, std::sqrt(best.square)};
  const std::string where = message({"s1 = ", result.s[0], " m, s2 = ", result.s[1], " m"});
  if (d.cross(e).squaredNorm() <= S(4e-4))
    throw ParallelRods("ParallelRods: the rods are parallel where they come closest, " + where, time);
  const auto at_end = [](Eigen::Index k, S x, Eigen::Index nodes) {
    return (k == 0 && x <= S(0)) || (k == nodes - 2 && x >= S(1));
  };
  if (at_end(best.first, best.u, a.nodes) || at_end(best.second, best.v, b.nodes))
    throw ContactAtEnd("ContactAtEnd: the rods come closest at an end, " + where, time);
  return result;
}

}  // namespace dalembert::contact
