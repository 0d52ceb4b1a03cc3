#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/band_lu.hpp>
#include <dalembert/linalg/cuthill_mckee.hpp>
#include <dalembert/linalg/detail/sparse_entry.hpp>

/// Sparse saddle-point (KKT) systems, those of statics, modes and small motions: unsymmetric (held degrees,
/// internal coordinates), of mixed units, with Lagrange multipliers.
namespace dalembert::linalg {

/// A sparse system, solved by an LU decomposition of its band, once unknowns that couple were brought near
/// each other, and rows and columns to one size: a step of Ruiz's scaling divides both by the root of their
/// largest entry. A motion of the whole that changes no force, as a ball's on a plane, makes the matrix
/// singular although all is in equilibrium along it, and so do redundant rows of constraints: the
/// saddle-point system is regularised by a small diagonal E, positive on nodes and negative on multipliers,
/// whose effect is removed by iterative refinement: x ← x + (A + E)⁻¹(b − Ax). Sources: Ruiz 2001,
/// RAL-TR-2001-034; refinement with a regularised matrix: Riley 1955, Math. Tables Aids Comput. 9, 96.
template <class S = double, class T = S>
class SparseEquations {
 public:
  using Scalar = T;                       ///< of the matrix, which may be complex; S is its real number type
  using Column = Vec<T, Eigen::Dynamic>;  ///< of as many numbers as there are unknowns
  using Index = Eigen::Index;             ///< of an unknown
  using Entry = SparseEntry<T>;           ///< of the matrix

  SparseEquations() = default;
  /// Unknowns of nodes, displacements or turns by threes, then `slides` that follow, then `multipliers`.
  [[gnu::cold, gnu::noinline]] SparseEquations(Index nodes, Index slides, Index multipliers)
      : size_(static_cast<std::size_t>(nodes + slides + multipliers)),
        nodes_(static_cast<std::size_t>(nodes)),
        multipliers_(static_cast<std::size_t>(multipliers)) {
    for (std::size_t i = 0; i < size_; ++i) {
      places_.push_back(i);
      unknowns_.push_back(static_cast<int>(i));
    }
    start_band(11, 11);  // nodes couple with the next
  }

  /// Let nodes be held by springs of so many rounding units: where stiffnesses differ by much, stronger ones
  /// are felt where the smallest vanishes.
  void hold_nodes(const S& units) noexcept { node_spring_ = units * std::numeric_limits<S>::epsilon(); }
  /// Let none hold them; A counts as singular where a motion changes no force but for so many rounding units.
  void refuse_neutral(const S& units = S(4)) noexcept {
    hold_nodes(S(0));
    least_pivot_ = units;
  }

  /// Decompose a matrix of these entries, in which no springs hold nodes, and whose last unknowns are
  /// multipliers. Throws SingularSystem.
  void decompose(std::size_t size, std::size_t multipliers, std::vector<Entry> entries) {
    size_ = size;
    nodes_ = 0;
    multipliers_ = multipliers;
    places_.clear();
    forget_scales();
    S most(0);  // beside which springs of multipliers shall be stiff
    for (const Entry& e : entries)
      if (e.row == e.column) most = std::max(most, number::sqrt(detail::square_of(e.value)));
    unit_ = most > S(0) ? number::sqrt(most) : S(1);
    fresh_ = std::move(entries);
    if (!factor()) throw SingularSystem("the equations of small motions are singular");
  }
  /// b ← A⁻¹b after that.
  void solve(std::vector<T>& b) const {
    (void)solve_for([&](std::size_t i) { return b[i]; }, [&](std::size_t i, const T& x) { b[i] = x; });
  }

  /// Forget the scales of rows and columns.
  void forget_scales() noexcept { rows_.clear(); }
  /// Make all entries zero.
  [[gnu::noinline]] void clear() noexcept {
    std::fill(band_.begin(), band_.end(), T(0));
    fresh_.clear();
  }
  /// Entries at one place are summed.
  void add(Index row, Index column, T value) {
    if (!places_.empty()) {
      const std::size_t i = places_[index(row)], j = places_[index(column)];
      if (i <= j + lower_ && j <= i + upper_) {
        row_of(i)[j] += value;
        return;
      }
    }
    add_fresh({static_cast<int>(row), static_cast<int>(column), value});
  }

  /// A x.
  [[nodiscard]] Column multiply(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    each_entry([&](const Entry& e) { y[e.row] += e.value * x[e.column]; });
    return y;
  }

  /// xᵀE x of the springs that hold nodes, after `factor`.
  [[nodiscard]] S spring_energy(const Column& x) const {
    S sum(0);
    for (std::size_t i = 0; i < size_; ++i)
      if (index(unknowns_[i]) < nodes_) sum += detail::square_of(x[unknowns_[i]]) / (rows_[i] * columns_[i]);
    return node_spring_ * sum;
  }
  /// |A| |x|, of sizes.
  [[nodiscard]] Column multiply_sizes(const Column& x) const {
    Column y = Column::Zero(static_cast<Index>(size_));
    each_entry([&](const Entry& e) { y[e.row] += number::abs(e.value * x[e.column]); });
    return y;
  }

  /// x = A⁻¹b; false where A is singular.
  [[nodiscard]] bool solve(const Column& b, Column& x) { return factor() && solve_again(b, x); }

  /// Decompose A; false where it is singular.
  [[nodiscard]] bool factor() {
    if (!fresh_.empty()) put_near();
    const bool known = !rows_.empty();
    if (!known) begin_scales();
    for (int sweep = known ? 6 : 0; sweep < 7; ++sweep) {
      scale();
      fill(sweep == 6);
    }
    return factors_.decompose(least_pivot_);
  }
  /// After `factor` of a singular A: an unknown whose pivot was lost.
  [[nodiscard]] Index lost() const noexcept { return unknowns_[factors_.lost()]; }
  /// After `factor`: the sign of the determinant of A.
  [[nodiscard]] int sign() const noexcept { return factors_.sign(); }
  /// After `factor`: how many eigenvalues of A are negative, if it is symmetric but for the rows of
  /// unknowns that are held. Nothing can be solved after that.
  [[nodiscard]] std::size_t count_negative() {
    fill(true);
    return factors_.count_negative();
  }
  /// x = A⁻¹b after `factor`; false where it is not finite.
  [[nodiscard]] bool solve_again(const Column& b, Column& x) const {
    x.resize(static_cast<Index>(size_));
    return solve_for([&](std::size_t i) { return b[static_cast<Index>(i)]; },
                     [&](std::size_t i, const T& one) { x[static_cast<Index>(i)] = one; });
  }

 private:
  inline static const S root_of_rounding = number::sqrt(std::numeric_limits<S>::epsilon());

  /// x = A⁻¹b by b(i) and put(i, x); false where it is not finite.
  template <class Right, class Put>
  [[nodiscard]] bool solve_for(const Right& b, const Put& put) const {
    std::vector<T> solution(size_, T(0)), left(size_);
    for (int pass = 0; pass < (regularised() ? 3 : 1); ++pass) {
      for (std::size_t i = 0; i < size_; ++i) left[i] = b(index(unknowns_[i]));
      if (pass > 0)
        each_row([&](std::size_t i, std::size_t begin, std::size_t end, const T* row) {
          for (std::size_t j = begin; j < end; ++j) left[i] -= row[j] * (columns_[j] * solution[j]);
        });
      for (std::size_t i = 0; i < size_; ++i) left[i] *= rows_[i];
      factors_.solve(left.data());
      S most(0), change(0);
      for (std::size_t i = 0; i < size_; ++i) {
        solution[i] += left[i];
        most = std::max(most, S(detail::square_of(solution[i])));
        change = std::max(change, S(detail::square_of(left[i])));
      }
      if (change <= std::numeric_limits<S>::epsilon() * most) break;  // the next is as small again
    }
    bool finite = true;
    for (std::size_t i = 0; i < size_; ++i) {
      const T x = columns_[i] * solution[i];
      put(index(unknowns_[i]), x);
      finite = finite && detail::is_finite(x);
    }
    return finite;
  }

  [[nodiscard]] static std::size_t index(Index i) noexcept { return static_cast<std::size_t>(i); }
  /// Row i of the band: entry (i, j) at j.
  [[nodiscard]] T* row_of(std::size_t i) noexcept { return band_.data() + i * (lower_ + upper_) + lower_; }
  [[nodiscard]] const T* row_of(std::size_t i) const noexcept {
    return band_.data() + i * (lower_ + upper_) + lower_;
  }
  /// f(i, begin, end, row) for each row of the band, whose entries have columns from `begin` to `end`.
  template <class F>
  void each_row(const F& f) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
      f(i, i - std::min(i, lower_), std::min(size_, i + upper_ + 1), row_of(i));
  }
  /// f(entry) of those that are not zero, and of those that were not in the band.
  template <class F>
  void each_entry(const F& f) const {
    each_row([&](std::size_t i, std::size_t begin, std::size_t end, const T* row) {
      for (std::size_t j = begin; j < end; ++j)
        if (!number::is_zero(row[j])) f(Entry{unknowns_[i], unknowns_[j], row[j]});
    });
    for (const Entry& e : fresh_) f(e);
  }
  [[gnu::noinline]] void add_fresh(const Entry& e) { fresh_.push_back(e); }
  [[nodiscard]] bool regularised() const noexcept {
    return (node_spring_ > S(0) && nodes_ > 0) || multipliers_ > 0;
  }
  /// E.
  [[nodiscard]] S spring(std::size_t i) const noexcept {
    return i < nodes_ ? node_spring_ : i >= size_ - multipliers_ ? -root_of_rounding : S(0);
  }

  void begin_scales() {
    for (std::vector<S>* all : {&rows_, &columns_, &most_in_row_, &most_in_column_}) all->assign(size_, S(1));
    for (std::size_t i = 0; i < size_; ++i)
      rows_[i] = columns_[i] = index(unknowns_[i]) < size_ - multipliers_ ? S(1) / unit_ : unit_;
  }
  /// What rows and columns are multiplied by, after what the last `fill` found.
  void scale() {
    const auto shrink = [](S most) { return most > S(0) ? S(1) / number::sqrt(most) : S(1); };
    for (std::size_t i = 0; i < size_; ++i) {
      rows_[i] *= shrink(most_in_row_[i]);
      columns_[i] *= shrink(most_in_column_[i]);
    }
  }
  /// How large the entries of A are, scaled; in the end they are put with its springs where it is decomposed.
  void fill(bool in_the_end) {
    using std::abs;
    if (in_the_end) factors_.start(size_, lower_, upper_);
    most_in_column_.assign(size_, S(0));
    each_row([&](std::size_t i, std::size_t begin, std::size_t end, const T* row) {
      T* const to = in_the_end ? &factors_.at(i, begin) - begin : nullptr;
      const S own = rows_[i];
      S most(0);
      for (std::size_t j = begin; j < end; ++j) {
        const T scaled = row[j] * own * columns_[j];
        if (to != nullptr) to[j] = scaled;
        const S size = abs(scaled);
        most = std::max(most, size);
        most_in_column_[j] = std::max(most_in_column_[j], size);
      }
      most_in_row_[i] = most;
      if (to != nullptr) to[i] += spring(index(unknowns_[i]));
    });
    for (std::vector<S>* most : {&most_in_row_, &most_in_column_})
      for (std::size_t j = 0; j < nodes_; j += 3) {  // no direction of space is better known than the others
        S* const three = most->data() + places_[j];
        three[0] = three[1] = three[2] = std::max({three[0], three[1], three[2]});
      }
  }
  /// Find where each unknown stands in the band, by threes of nodes, and put all entries there.
  void put_near() {
    std::vector<Entry> entries = std::move(fresh_);
    fresh_.clear();
    each_entry([&](const Entry& e) { entries.push_back(e); });
    const int threes = static_cast<int>(nodes_ / 3), apart = 3 * threes;
    const auto vertex = [&](int i) { return i < apart ? i / 3 : i - apart + threes; };
    order_.start(size_ - 2 * index(threes));
    for (const Entry& e : entries) order_.couple(vertex(e.row), vertex(e.column));
    order_.find();
    const std::vector<int> before = std::exchange(unknowns_, {});
    for (const int v : order_.order())
      for (int j = 0; j < (v < threes ? 3 : 1); ++j)
        unknowns_.push_back(v < threes ? 3 * v + j : v - threes + apart);
    places_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) places_[index(unknowns_[i])] = i;
    std::size_t lower = 0, upper = 0;
    for (const Entry& e : entries) {
      const std::size_t i = places_[index(e.row)], j = places_[index(e.column)];
      lower = std::max(lower, i > j ? i - j : 0);
      upper = std::max(upper, j > i ? j - i : 0);
    }
    start_band(lower, upper);
    for (const Entry& e : entries) add(e.row, e.column, e.value);
    if (rows_.empty()) return;
    for (std::vector<S>* of : {&rows_, &columns_, &most_in_row_, &most_in_column_}) {
      const std::vector<S> old = *of;
      for (std::size_t i = 0; i < size_; ++i) (*of)[places_[index(before[i])]] = old[i];
    }
  }
  void start_band(std::size_t lower, std::size_t upper) {
    lower_ = lower;
    upper_ = upper;
    band_.assign(size_ * (lower + upper + 1), T(0));
  }

  std::size_t size_ = 0, nodes_ = 0, multipliers_ = 0;
  S unit_ = S(1);  // the root of that of forces, in which scales begin
  S node_spring_ = root_of_rounding * number::sqrt(root_of_rounding);
  S least_pivot_ = std::numeric_limits<S>::epsilon();  // in rounding units
  std::vector<T> band_;                                // A, unknowns that couple near each other
  std::size_t lower_ = 0, upper_ = 0;                  // how far it reaches from the diagonal
  std::vector<Entry> fresh_;                           // what is not in the band
  CuthillMcKee order_;
  std::vector<std::size_t> places_;  // of each unknown in the band
  std::vector<int> unknowns_;        // at each place
  std::vector<S> rows_, columns_, most_in_row_, most_in_column_;
  BandLU<T> factors_;
};

}  // namespace dalembert::linalg
