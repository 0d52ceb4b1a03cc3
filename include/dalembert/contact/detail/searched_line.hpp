#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/contact/detail/centreline.hpp>
#include <dalembert/contact/detail/largest_of_nodes.hpp>
#include <dalembert/contact/detail/straight_piece.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// What a search for contacts measures of a rod or a ball: bounds over all of it, and its segments and cells
/// as straight pieces. With d₁ = r_k − r_{k−m}, d₂ = r_{k+m} − r_k over a kernel width mh:
///   curvature  K = 2|d₁ × d₂|/(|d₁||d₂||d₁ + d₂|), of the circle through three nodes        (1)
///   bias ≤ (2/5 + (ℓ_c/mh)²/4) |d₂ − d₁|                                            (2)
/// how far centreline and cells are from the chords of nodes.
/// Segments and cells are the chords of the centreline between nodes, and between ends of cells: no farther
/// from it than |R″|/8 times their length squared.
namespace dalembert::contact::detail {

/// A line and its measures; see the head of this file.
template <class S>
class SearchedLine {
 public:
  using Index = Eigen::Index;
  using V = Vec<S, 3>;
  using Chain = rod::Chain<S>;
  static constexpr Index block = 8;              ///< segments that are measured together
  using Points = CentrelineNodes<S, block + 3>;  ///< of a block, and beside it
  /// What is prepared of a block.
  struct Pieces {
    bool segments = false, cells = false;
  };

  /// It allocates here, and no more.
  [[gnu::cold, gnu::noinline]] explicit SearchedLine(const Centreline<S>& line)
      : line_(line), point_(line.is_ball() ? 1 : 0), reference_(rod::zero_columns<S, 3>(line.nodes())) {
    const Index segments = std::max<Index>(line.nodes() - 1, 1);
    if (line.is_ball()) return;
    segments_.resize(static_cast<std::size_t>(segments));
    cells_.resize(static_cast<std::size_t>(line.cells() + 1));
    blocks_.resize(static_cast<std::size_t>((segments + block - 1) / block));
  }

  [[nodiscard]] const Centreline<S>& line() const noexcept { return line_; }
  /// The rod's chain; of a ball a chain of its centre alone.
  [[nodiscard]] const Chain& nodes(const std::vector<Chain>& chains) const noexcept {
    return line_.is_ball() ? point_ : chains[line_.body];
  }
  /// Largest speed of a node, or of the centre of a ball [m/s].
  [[nodiscard]] S speed() const noexcept { return speed_; }
  /// The same in another state.
  [[nodiscard]] S speed(const std::vector<Chain>& chains) const {
    const Chain& chain = chains[line_.body];
    if (!line_.is_ball()) return fastest_node(chain);
    return chain.linear_velocity(line_.node()).norm() +
           line_.centre.norm() * chain.angular_velocity(line_.node()).norm();
  }
  /// Equation (2) [m].
  [[nodiscard]] S bias() const noexcept { return bias_; }
  /// A bound of |R″|, an average of second differences over a kernel width mh with weights whose sizes add
  /// up to 17/12 at most, in the middle of an element where m = 1 [1/m].
  [[nodiscard]] S bend() const noexcept { return bend_; }
  /// Largest stretch of a piece of m elements.
  [[nodiscard]] S stretch() const noexcept { return stretch_; }

  /// Bounds in a new configuration. Throws std::invalid_argument for chains that do not fit, NotFinite for
  /// numbers that are not, RodFolded for a curvature of (1 − 10⁻³)/a or more.
  void measure(const std::vector<Chain>& chains, S time) {
    ++count_;
    if (line_.body >= chains.size()) refuse(chains);
    const Chain& chain = chains[line_.body];
    if (line_.is_ball()) {
      if (line_.node() >= chain.nodes) refuse(chains);
      const V out = chain.rotation(line_.node()).act(line_.centre);
      rod::put3<0>(point_.configuration, 0, V(chain.position(line_.node()) + out));
      speed_ = speed(chains);
      if (!number::isfinite(speed_ + size(point_.position(0)))) throw_not_finite(time);
      return;
    }
    if (chain.nodes != line_.nodes()) refuse(chains);
    measure_rod(chain, time);
  }
  /// How far a point of it has moved at most since `keep_reference` [m].
  [[nodiscard]] S moved(const std::vector<Chain>& chains) const {
    const auto& x = nodes(chains).configuration;
    return number::sqrt(largest_of_nodes<S>(0, line_.nodes(), [&](auto lanes, Index k) {
      using Q = decltype(lanes);
      const Triple<Q> d = rod::load3<0, Q>(x, k) - rod::load3<0, Q>(reference_, k);
      return Q(dot(d, d));
    }));
  }
  void keep_reference(const std::vector<Chain>& chains) {
    const auto& x = nodes(chains).configuration;
    for (int i = 0; i < 3; ++i) std::copy_n(&x(0, i), line_.nodes(), &reference_(0, i));
  }

  /// Segments and cells about a block from this segment on, as pieces, but for what was already; in room for
  /// points.
  void prepare(const Chain& chain, Index first, Index last, Pieces what, Points& points) {
    Block& all = blocks_[static_cast<std::size_t>(first / block)];
    what.segments = what.segments && std::exchange(all.segments, count_) != count_;
    what.cells = what.cells && std::exchange(all.cells, count_) != count_;
    if (!what.segments && !what.cells) return;
    // with a neighbour on each side, which is compared
    const Index begin = std::max<Index>(first - 1, 0), end = std::min(last + 1, line_.nodes() - 1);
    line_.put_nodes(chain, begin, points);
    const auto at = [&](const auto& columns, Index k) {
      const auto i = static_cast<std::size_t>(k - begin);
      return Triple<S>(columns[0][i], columns[1][i], columns[2][i]);
    };
    const auto point = [&](Index k) { return at(points.R, k); };
    const S bend = *std::max_element(points.bend.begin(), points.bend.begin() + (end - begin + 1));
    const S h = line_.spacing(), length = line_.cell_length(), most = S(0.16) * number::sqrt(bend);
    all.beside_segments = most * h * h;
    all.beside_cells = most * length * length;
    if (what.segments) {
      for (Index k = begin; k < end; ++k) put(segments_[static_cast<std::size_t>(k)], point(k), point(k + 1));
      put(all.chord, point(first), point(last));
      S square(0);
      for (Index k = first + 1; k < last; ++k) square = std::max(square, square_to(all.chord, point(k)));
      all.aside = number::sqrt(square);
    }
    if (!what.cells) return;
    const auto [begin_cell, end_cell] = cells(first, last);
    const auto begin_of = [&](Index k) {  // in the middle of an element, or anywhere
      if (k == 0 || k > line_.cells()) return node(chain, k == 0 ? 0 : line_.nodes() - 1);
      if (length == h)
        return S(0.5) * (point(k - 1) + point(k)) + S(h / S(8)) * (at(points.dR, k - 1) - at(points.dR, k));
      CentrelinePoint<S> p;
      line_.put(chain, line_.cell_begin(k), p);
      return p.R();
    };
    Triple<S> from = begin_of(begin_cell);
    for (Index k = begin_cell; k < end_cell; ++k) {
      const Triple<S> to = begin_of(k + 1);
      put(cells_[static_cast<std::size_t>(k)], from, to);
      from = to;
    }
  }
  /// The cells that lie on these segments, or reach into them: from, and up to.
  [[nodiscard]] std::array<Index, 2> cells(Index first, Index last) const noexcept {
    const auto at = [&](Index segment) {
      const S cell = S(segment) * line_.spacing() / line_.cell_length() + S(0.5);
      return std::min(static_cast<Index>(number::plain(cell)), line_.cells());
    };
    return {at(first), at(last) + 1};
  }
  /// The chord of a block of segments from this one on, and how far they are from it.
  [[nodiscard]] const StraightPiece<S>& chord(Index first) const noexcept { return at(first).chord; }
  [[nodiscard]] S aside(Index first) const noexcept { return at(first).aside; }
  /// How far the centreline there is from its segments, and from its cells [m].
  [[nodiscard]] S beside_segments(Index first) const noexcept { return at(first).beside_segments; }
  [[nodiscard]] S beside_cells(Index first) const noexcept { return at(first).beside_cells; }
  [[nodiscard]] const StraightPiece<S>& segment(Index k) const noexcept {
    return segments_[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] const StraightPiece<S>& cell(Index k) const noexcept {
    return cells_[static_cast<std::size_t>(k)];
  }

  /// Whether all segments go within 45° of one direction.
  [[nodiscard]] bool is_straight(const Chain& chain) noexcept {
    if (straight_.second != count_) straight_ = {detail::is_straight(chain, 0, line_.nodes() - 1), count_};
    return straight_.first;
  }
  /// Whether the rod between s₁ < s₂ is shorter than πa as it is deformed.
  [[nodiscard]] bool same_stretch(const Chain& chain, S s1, S s2) const noexcept {
    if (s1 > s2) std::swap(s1, s2);
    const S bound = S(pi) * line_.radius;
    const auto element = [&](S s) {
      return std::clamp<Index>(static_cast<Index>(number::plain(s / line_.spacing())), 0, line_.nodes() - 2);
    };
    const Index i = element(s1), j = element(s2);
    const auto chord = [&](Index k) { return norm(node(chain, k + 1) - node(chain, k)); };
    S length = (s2 / line_.spacing() - S(j)) * chord(j) - (s1 / line_.spacing() - S(i)) * chord(i);
    for (Index k = i; k < j && length < bound; ++k) length += chord(k);
    return length < bound;
  }

 private:
  using L = rod::NodePack<S>;
  struct Block {
    StraightPiece<S> chord;
    S aside{}, beside_segments{}, beside_cells{};
    std::size_t segments = 0, cells = 0;  // count_ when they were prepared last
  };

  [[nodiscard]] const Block& at(Index first) const noexcept {
    return blocks_[static_cast<std::size_t>(first / block)];
  }
  [[nodiscard]] static S size(const V& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }
  [[nodiscard]] static Triple<S> node(const Chain& chain, Index k) noexcept {
    return rod::load3<0, S>(chain.configuration, k);
  }
  static void put(StraightPiece<S>& piece, const Triple<S>& from, const Triple<S>& to) noexcept {
    const Triple<S> step = to - from;
    piece.from = from;
    piece.step = step;
    piece.middle = from + S(0.5) * step;
    const S square = dot(step, step);
    piece.half = S(0.5) * number::sqrt(square);
    piece.per_square = square > S(0) ? S(1) / square : S(0);
  }

  void measure_rod(const Chain& chain, S time) {
    const auto& x = chain.configuration;
    const Index m = std::min<Index>(line_.multiple(), (line_.nodes() - 1) / 2);
    const Index step = std::max<Index>(m, 1);
    const S chord = largest_of_nodes<S>(0, line_.nodes() - step, [&](auto lanes, Index k) {
      using Q = decltype(lanes);
      const Triple<Q> d = rod::load3<0, Q>(x, k + step) - rod::load3<0, Q>(x, k);
      return Q(dot(d, d));
    });
    speed_ = fastest_node(chain);
    if (!number::isfinite(speed_ + chord)) throw_not_finite(time);
    const S tight = S(4) * line_.radius * line_.radius / (S(0.999) * S(0.999));
    S bend(0), fold(0);
    if (m > 0) {
      bend = largest_of_nodes<S>(m, line_.nodes() - m, [&](auto lanes, Index k) {
        using Q = decltype(lanes);
        const Triple<Q> r = rod::load3<0, Q>(x, k);
        const Triple<Q> d = (rod::load3<0, Q>(x, k + m) - r) - (r - rod::load3<0, Q>(x, k - m));
        return Q(dot(d, d));
      });
      // where the second difference is small no circle can be tight
      if (S(16) * bend * line_.radius * line_.radius > chord * chord * S(0.01))
        fold = largest_of_nodes<S>(m, line_.nodes() - m, [&](auto lanes, Index k) {
          using Q = decltype(lanes);
          const Triple<Q> r = rod::load3<0, Q>(x, k), d1 = r - rod::load3<0, Q>(x, k - m),
                          d2 = rod::load3<0, Q>(x, k + m) - r, sum = d1 + d2, c = cross(d1, d2);
          const Q most = Q(tight) * dot(c, c), least = dot(d1, d1) * dot(d2, d2) * dot(sum, sum);
          return select(most < least, Q(S(0)), Q(S(1)));
        });
    }
    stretch_ = number::sqrt(chord) / (S(step) * line_.spacing());
    const S part = line_.cell_length() / (S(step) * line_.spacing());
    const S kernel = S(line_.multiple()) / S(step);
    bias_ = number::sqrt(bend) * (S(0.4) * kernel * kernel + S(0.25) * part * part);
    for (Index k = 1; k < m; ++k)  // with images of nodes
      for (const auto& [end, in] : {std::pair<Index, Index>{0, 1}, {line_.nodes() - 1, -1}}) {
        const Triple<S> d = node(chain, end + in * (k + m)) - S(2) * node(chain, end + in * k) +
                            S(2) * node(chain, end) - node(chain, end + in * (m - k));
        bend = std::max(bend, dot(d, d));
      }
    const S width = line_.kernel_width();
    bend_ = m == line_.multiple() ? S(S(1.42) * number::sqrt(bend) / (width * width))
                                  : std::numeric_limits<S>::infinity();
    if (fold > S(0)) [[unlikely]]
      throw_folded(chain, m, time);
  }

  [[gnu::noinline]] void refuse(const std::vector<Chain>& chains) const {
    require(line_.body < chains.size(), "CellSearch", "body", line_.body,
            message({"there are ", chains.size(), " bodies"}));
    require(false, "CellSearch", message({"nodes of body ", line_.body}), chains[line_.body].nodes,
            message({"the search was made for ", std::max(line_.nodes(), line_.node() + 1)}));
  }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_not_finite(S time) const {
    throw NotFinite(message({"NotFinite: a position or a velocity of body ", line_.body}),
                    number::plain(time));
  }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_folded(const Chain& chain, Index m, S time) const {
    Index at = m;
    S tightest(0);
    for (Index k = m; k + m < line_.nodes(); ++k) {
      const Triple<S> d1 = node(chain, k) - node(chain, k - m), d2 = node(chain, k + m) - node(chain, k);
      const S K = S(2) * norm(cross(d1, d2)) / (norm(d1) * norm(d2) * norm(d1 + d2));
      if (!(K <= tightest)) tightest = K, at = k;
    }
    throw RodFolded(message({"RodFolded: body ", line_.body, " is bent to a radius of ",
                             number::plain(S(S(1) / tightest)), " m at node ", at, ", but has a radius of ",
                             number::plain(line_.radius), " m itself,"}),
                    number::plain(time));
  }

  Centreline<S> line_;
  Chain point_;
  rod::Columns<S, 3> reference_;
  std::vector<StraightPiece<S>> segments_, cells_;
  std::vector<Block> blocks_;
  std::size_t count_ = 0;
  std::pair<bool, std::size_t> straight_{};  // whether all of it was, and when
  S speed_{}, bias_{}, bend_{}, stretch_{1};
};

}  // namespace dalembert::contact::detail
