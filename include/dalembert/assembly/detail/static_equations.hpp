#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/neighbour_order.hpp>
#include <dalembert/assembly/load_path.hpp>
#include <dalembert/core/detail/band_lu.hpp>
#include <dalembert/core/detail/radix_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// The linear equations of statics: sparse, unsymmetric (held degrees, internal coordinates), of mixed units.
namespace dalembert::assembly::detail {

/// A sparse system, solved by an LU decomposition of its band, once unknowns that couple were brought near
/// each other, and rows and columns to one size: a step of Ruiz's scaling divides both by the root of their
/// largest entry. A motion of the whole that changes no force, as a ball's on a plane, makes the matrix
/// singular although all is in equilibrium along it, and so do rows of constraints that follow from others:
/// springs E too weak for all else to feel hold the nodes, and give way under the multipliers. They are taken
/// out again by iteration: x ← x + (A + E)⁻¹(b − Ax). Sources: Ruiz 2001, RAL-TR-2001-034; iteration
/// with a regularised matrix: Riley 1955, Math. Tables Aids Comput. 9, 96.
template <class S>
class StaticEquations {
 public:
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;

  StaticEquations() = default;
  /// Unknowns of nodes, displacements or turns by threes, then `slides` that follow, then `multipliers`.
  StaticEquations(Index nodes, Index slides, Index multipliers)
      : size_(static_cast<std::size_t>(nodes + slides + multipliers)),
        nodes_(static_cast<std::size_t>(nodes)),
        multipliers_(static_cast<std::size_t>(multipliers)) {}

  /// Let no springs hold nodes: where stiffnesses differ by much, they are felt where the smallest vanishes.
  void release_nodes() noexcept { held_by_springs_ = false; }

  void clear() noexcept { entries_.clear(); }
  /// Entries at one place are summed.
  void add(Index row, Index column, S value) {
    entries_.push_back({static_cast<int>(row), static_cast<int>(column), value});
  }

  /// A x.
  [[nodiscard]] Column multiply(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    for (const Entry& e : entries_) y[e.row] += e.value * x[e.column];
    return y;
  }

  /// |A| |x|, of sizes.
  [[nodiscard]] Column multiply_sizes(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    for (const Entry& e : entries_) y[e.row] += number::abs(e.value * x[e.column]);
    return y;
  }

  /// x = A⁻¹b; false where A is singular.
  [[nodiscard]] bool solve(const Column& b, Column& x) { return factor() && solve_again(b, x); }

  /// Decompose A; false where it is singular.
  [[nodiscard]] bool factor() {
    for (std::size_t i = 0; i < size_; ++i)
      entries_.push_back({static_cast<int>(i), static_cast<int>(i), S(0)});
    const bool known = sum_as_before();
    if (!known) {
      sum_entries();
      put_near();
    }
    scale(known);
    fill();
    return factors_.decompose();
  }
  /// After `factor`: the sign of the determinant of A.
  [[nodiscard]] int sign() const noexcept { return factors_.sign(); }
  /// After `factor`: how many eigenvalues of A are negative, if it is symmetric but for the rows of
  /// unknowns that are held. Nothing can be solved after that.
  [[nodiscard]] std::size_t count_negative() {
    fill();
    return factors_.count_negative();
  }
  /// x = A⁻¹b after `factor`; false where it is not finite.
  [[nodiscard]] bool solve_again(const Column& b, Column& x) {
    solution_.assign(size_, S(0));
    left_.resize(size_);
    more_.resize(size_);
    for (int pass = 0; pass < 3; ++pass) {
      for (std::size_t i = 0; i < size_; ++i)
        left_[i] = rows_[i] * b[static_cast<Index>(i)] + spring(i) * solution_[i];
      if (pass > 0)
        for (std::size_t i = 0; i < entries_.size(); ++i)
          left_[index(entries_[i].row)] -= scaled_[i] * solution_[index(entries_[i].column)];
      for (std::size_t i = 0; i < size_; ++i) more_[places_[i]] = left_[i];
      factors_.solve(more_.data());
      S most(0), change(0);
      for (std::size_t i = 0; i < size_; ++i) {
        const S more = more_[places_[i]];
        solution_[i] += more;
        most = std::max(most, number::abs(solution_[i]));
        change = std::max(change, number::abs(more));
      }
      if (number::derivative_order<S> == 0 &&
          change * change <= std::numeric_limits<S>::epsilon() * most * most)
        break;  // the next is as small again; of derivatives that is not known
    }
    x.resize(static_cast<Index>(size_));
    bool finite = true;
    for (std::size_t i = 0; i < size_; ++i) {
      x[static_cast<Index>(i)] = columns_[i] * solution_[i];
      finite = finite && number::isfinite(x[static_cast<Index>(i)]);
    }
    return finite;
  }

 private:
  struct Entry {
    int row, column;
    S value;
  };
  /// An entry as it was told, and the number of the sum that it is a part of.
  struct Told {
    int row, column;
    std::size_t sum;
  };
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t place(int unknown) const noexcept { return places_[index(unknown)]; }
  [[nodiscard]] S scaled(const Entry& e) const noexcept {
    return e.value * rows_[index(e.row)] * columns_[index(e.column)];
  }
  /// E.
  [[nodiscard]] S spring(std::size_t i) const noexcept {
    const S root = number::sqrt(std::numeric_limits<S>::epsilon());
    return i < nodes_                  ? (held_by_springs_ ? root * number::sqrt(root) : S(0))
           : i >= size_ - multipliers_ ? -root
                                       : S(0);
  }

  /// One entry at each place, if entries came as they did before: then it is known where they are summed.
  [[nodiscard]] bool sum_as_before() {
    if (entries_.size() != told_.size()) return false;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].row != told_[i].row || entries_[i].column != told_[i].column) return false;
    std::fill(scaled_.begin(), scaled_.end(), S(0));
    for (std::size_t i = 0; i < entries_.size(); ++i) scaled_[told_[i].sum] += entries_[i].value;
    entries_.resize(summed_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i)
      entries_[i] = {summed_[i].first, summed_[i].second, scaled_[i]};
    return true;
  }
  /// One entry at each place, in their order.
  void sum_entries() {
    told_.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) told_[i] = {entries_[i].row, entries_[i].column, i};
    std::vector<Told> sorted = told_, room;
    dalembert::detail::radix_sort(
        sorted, room, [](const Told& t) { return dalembert::detail::key_of(index(t.row), index(t.column)); });
    std::vector<Entry> sums;
    summed_.clear();
    for (const Told& t : sorted) {
      if (summed_.empty() || summed_.back() != std::pair{t.row, t.column}) {
        summed_.emplace_back(t.row, t.column);
        sums.push_back({t.row, t.column, S(0)});
      }
      sums.back().value += entries_[t.sum].value;
      told_[t.sum].sum = sums.size() - 1;
    }
    entries_ = std::move(sums);
    scaled_.resize(entries_.size());
  }
  /// A with its springs, scaled, into the band.
  void fill() {
    factors_.start(size_, lower_, upper_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& e = entries_[i];
      scaled_[i] = scaled(e) + (e.row == e.column ? spring(index(e.row)) : S(0));
      factors_.at(place(e.row), place(e.column)) = scaled_[i];
    }
  }
  /// What rows and columns are multiplied by; little else than the last time where entries lie as before.
  void scale(bool known) {
    if (!known) {
      rows_.assign(size_, S(1));
      columns_.assign(size_, S(1));
    }
    for (int sweep = known ? 5 : 0; sweep < 6; ++sweep) {
      left_.assign(size_, S(0));
      more_.assign(size_, S(0));
      for (const Entry& e : entries_) {
        const S size = number::abs(scaled(e));
        left_[index(e.row)] = std::max(left_[index(e.row)], size);
        more_[index(e.column)] = std::max(more_[index(e.column)], size);
      }
      for (std::vector<S>* most : {&left_, &more_})
        for (std::size_t j = 0; j < nodes_; j += 3)  // no direction of space is better known than the others
          (*most)[j] = (*most)[j + 1] = (*most)[j + 2] =
              std::max({(*most)[j], (*most)[j + 1], (*most)[j + 2]});
      const auto shrink = [](S most) { return most > S(0) ? S(1) / number::sqrt(most) : S(1); };
      for (std::size_t i = 0; i < size_; ++i) {
        rows_[i] *= shrink(left_[i]);
        columns_[i] *= shrink(more_[i]);
      }
    }
  }
  /// Where each unknown stands in the band.
  void put_near() {
    order_.start(size_);
    for (const Entry& e : entries_) order_.couple(e.row, e.column);
    order_.find();
    places_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) places_[index(order_.order()[i])] = i;
    lower_ = upper_ = 0;
    for (const Entry& e : entries_) {
      const std::size_t i = place(e.row), j = place(e.column);
      lower_ = std::max(lower_, i > j ? i - j : 0);
      upper_ = std::max(upper_, j > i ? j - i : 0);
    }
  }

  std::size_t size_ = 0, nodes_ = 0, multipliers_ = 0;
  bool held_by_springs_ = true;
  std::vector<Entry> entries_;  // as told, and summed once A is decomposed
  std::vector<Told> told_;
  std::vector<std::pair<int, int>> summed_;  // rows and columns of the sums
  std::vector<S> scaled_;                    // the sums as they are decomposed
  std::size_t lower_ = 0, upper_ = 0;        // of the band
  NeighbourOrder order_;
  std::vector<std::size_t> places_;
  std::vector<S> rows_, columns_, left_, more_, solution_;
  dalembert::detail::BandLU<S> factors_;
};

/// Two places that a single row keeps apart: how one moves against the other.
template <class S>
struct StaticGap {
  std::vector<std::pair<Eigen::Index, S>> nodes;           ///< first unknown of a node, its weight
  std::vector<std::pair<Eigen::Index, Vec<S, 3>>> slides;  ///< unknown s, along what it moves
  S distance{};                                            ///< [m]

  /// How far in a step [m].
  [[nodiscard]] S moved(const Vec<S, Eigen::Dynamic>& step) const {
    S d[3] = {};
    for (const auto& [at, weight] : nodes)
      for (int j = 0; j < 3; ++j) d[j] += weight * step[at + j];
    for (const auto& [at, along] : slides)
      for (int j = 0; j < 3; ++j) d[j] += along[j] * step[at];
    return number::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
};

/// What bodies and constraints say of a state: left-hand sides, which shall vanish, and their equations.
/// Unknowns are six for each node, then the internal coordinates, then the multipliers.
template <class S>
struct StaticTable {
  using Column = Vec<S, Eigen::Dynamic>;
  using Index = Eigen::Index;

  Index nodes = 0;                 ///< unknowns of nodes
  int slides = 0;                  ///< internal coordinates
  int positions = 0;               ///< multipliers
  std::vector<char> is_held;       ///< for each unknown of a node
  Column force;                    ///< loads with the pull of constraints [N, N m]
  S metres = S(1);                 ///< the extent of all nodes and places, as it was when last asked for
  Column error;                    ///< φ
  Column error_scale;              ///< how much it changes with displacements by this extent, and turns
  Column error_size;               ///< of what it is made of, to which its rounding is proportional
  Column apart;                    ///< F
  std::array<S, 2> scale{};        ///< the largest single force and torque [N, N m]
  std::vector<S> reach;            ///< as far as internal coordinates may go in a step [m]
  std::vector<StaticGap<S>> gaps;  ///< what must not pass through each other
  StaticEquations<S> equations{};

  /// Forget all but the sizes and what is held.
  void clear() {
    equations.clear();
    force = Column::Zero(nodes);
    error = error_scale = error_size = Column::Zero(positions);
    apart = Column::Zero(slides);
    reach.assign(static_cast<std::size_t>(slides), S(0));
    scale = {};
    gaps.clear();
  }
  /// Unknown number of internal coordinate z.
  [[nodiscard]] Index slide(int z) const noexcept { return nodes + z; }
  /// Unknown number of multiplier m.
  [[nodiscard]] Index multiplier(int m) const noexcept { return nodes + slides + m; }
  /// Whether this unknown is held.
  [[nodiscard]] bool held(Index row) const noexcept { return is_held[static_cast<std::size_t>(row)] != 0; }
  /// How many of the six unknowns of a node from `first` on are held.
  [[nodiscard]] int held_of(Index first) const noexcept {
    int count = 0;
    for (Index j = 0; j < 6; ++j) count += held(first + j) ? 1 : 0;
    return count;
  }
  /// An entry, but where a held degree has an equation of its own.
  void add(Index row, Index column, S value) {
    if (row >= nodes || !held(row)) equations.add(row, column, value);
  }
  /// An error of a position row, beside how much that changes, with round-off as good as `tolerance`.
  [[nodiscard]] S relative(int i, S open, S tolerance) const {
    const S rounding = S(16) * std::numeric_limits<S>::epsilon() * error_size[i];
    return number::is_zero(open) ? open : S(open / (error_scale[i] + rounding / tolerance));
  }
  /// The position row of which a step leaves most, beside the sizes of its terms; −1 if it leaves nothing.
  [[nodiscard]] int contradicted(const Column& right, const Column& step) const {
    const Column sum = equations.multiply(step), sizes = equations.multiply_sizes(step);
    int found = -1;
    S worst = S(1e-3);
    for (int i = 0; i < positions; ++i) {
      const Index row = multiplier(i);
      const S left = number::abs(right[row] - sum[row]), size = sizes[row] + number::abs(right[row]);
      const S rounding = S(1e3) * std::numeric_limits<S>::epsilon() * (error_scale[i] + error_size[i]);
      if (!(left > worst * size && size > rounding)) continue;
      worst = left / size;
      found = i;
    }
    return found;
  }
  /// How long a step is.
  [[nodiscard]] StaticStep<S> measure(const Column& all, const StaticOptions<S>& o) const {
    StaticStep<S> step;
    for (Index row = 0; row < nodes; row += 3) {
      const S length =
          number::sqrt(all[row] * all[row] + all[row + 1] * all[row + 1] + all[row + 2] * all[row + 2]);
      const bool turn = row % 6 >= 3;
      step.include(turn ? length : length / metres, turn ? o.largest_turn : o.largest_move);
    }
    for (int i = 0; i < slides; ++i)
      step.include(number::abs(all[slide(i)]) / metres, S(2) * reach[static_cast<std::size_t>(i)] / metres);
    for (const StaticGap<S>& gap : gaps)
      step.include(gap.moved(all) / metres, S(0.5) * gap.distance / metres);
    return step;
  }
  /// A torque of parts that may cancel.
  void note_torque(S torque) noexcept { scale[1] = std::max(scale[1], torque); }
  /// A force, or torque, on a degree.
  void push(Index row, S load) noexcept {
    force[row] += load;
    S& most = scale[row % 6 < 3 ? 0 : 1];
    most = std::max(most, number::abs(load));
  }
};

}  // namespace dalembert::assembly::detail
