#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/real.hpp>

/// Symmetric matrices of blocks of three rows, few of which are other than zero: contacts in a heap act on
/// few others each.
namespace dalembert::linalg::detail {

/// What lies in a block: three rows, each with a zero behind it, so that it is as wide as a register.
struct BlockShape {
  static constexpr std::size_t rows = 3, stride = 4, size = rows * stride;

  /// out ← a b.
  template <class S>
  static void multiply(const S* a, const S* b, S* out) noexcept {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < stride; ++c)
        out[stride * r + c] =
            a[stride * r] * b[c] + a[stride * r + 1] * b[stride + c] + a[stride * r + 2] * b[2 * stride + c];
  }
};

/// In memory that grows with the largest; of each pair of blocks, or of entries, one is told.
template <class S>
class BlockMatrix {
 public:
  static constexpr std::size_t width = BlockShape::rows;  ///< of a block

  /// Of so many rows of blocks, all zero.
  void start(std::size_t count) {
    count_ = count;
    begin_.assign(count + 1, 0);
    next_.assign(count, 0);
    told_.clear();
    given_.clear();
  }
  /// Block (i, j), and its transpose at (j, i); once.
  [[gnu::noinline]] void put(std::size_t i, std::size_t j, const Mat<S, 3>& block) {
    if (i != j && block.isZero(S(0))) return;
    S* const to = tell(i, j);
    for (std::size_t r = 0; r < width; ++r)
      for (std::size_t c = 0; c < width; ++c)
        to[BlockShape::stride * r + c] = block(static_cast<int>(r), static_cast<int>(c));
  }
  /// Entries (i, j) and (j, i), in the order of the blocks of i; once, and not in blocks that were put.
  [[gnu::noinline]] void add(std::size_t i, std::size_t j, S x) {
    const std::size_t row = i / width, column = j / width, r = i % width, c = j % width;
    std::size_t& at = next_[column];  // one after the last that was told of its column
    if (at == 0 || told_[at - 1].row != row) {
      (void)tell(row, column);
      at = told_.size();
    }
    S* const block = &given_[BlockShape::size * (at - 1)];
    block[BlockShape::stride * r + c] += x;
    if (row == column && r != c) block[BlockShape::stride * c + r] += x;
  }
  /// After all were told.
  [[gnu::noinline]] void finish() {
    next_.assign(count(), 1);  // how many in each row, that of the diagonal first
    for (const Place& p : told_)
      if (p.row != p.column) ++next_[p.row], ++next_[p.column];
    for (std::size_t i = 0; i < count(); ++i) begin_[i + 1] = begin_[i] + next_[i];
    columns_.resize(begin_[count()]);
    blocks_.assign(BlockShape::size * columns_.size(), S(0));
    for (std::size_t i = 0; i < count(); ++i) columns_[begin_[i]] = i, next_[i] = begin_[i] + 1;
    const S* from = given_.data();
    for (const Place& p : told_) {
      const bool own = p.row == p.column;
      const std::size_t here = own ? begin_[p.row] : next_[p.row]++;
      columns_[here] = p.column;
      std::copy_n(from, BlockShape::size, &blocks_[BlockShape::size * here]);
      if (!own) {
        const std::size_t there = next_[p.column]++;
        columns_[there] = p.row;
        for (std::size_t r = 0; r < width; ++r)
          for (std::size_t c = 0; c < width; ++c)
            blocks_[BlockShape::size * there + BlockShape::stride * r + c] = from[BlockShape::stride * c + r];
      }
      from += BlockShape::size;
    }
  }

  /// Rows of blocks.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Where each row of blocks begins, and the columns of all, for which `finish` was called.
  [[nodiscard]] const std::vector<std::size_t>& begin() const noexcept { return begin_; }
  [[nodiscard]] const std::vector<std::size_t>& columns() const noexcept { return columns_; }
  /// f(j, block) of row i of blocks, the block of the diagonal first.
  template <class F>
  void each(std::size_t i, const F& f) const {
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) f(columns_[k], &blocks_[BlockShape::size * k]);
  }
  /// Entry (r, c) of block (i, i).
  [[nodiscard]] S own(std::size_t i, std::size_t r, std::size_t c) const noexcept {
    return blocks_[BlockShape::size * begin_[i] + BlockShape::stride * r + c];
  }
  /// The entry of the diagonal in a row.
  [[nodiscard]] S diagonal(Eigen::Index row) const noexcept {
    const auto i = static_cast<std::size_t>(row);
    return own(i / width, i % width, i % width);
  }
  /// Row i of blocks of G x.
  template <class Column>
  [[nodiscard]] Vec<S, 3> row_product(std::size_t i, const Column& x) const {
    Vec<S, 3> sum = Vec<S, 3>::Zero();
    each(i, [&](std::size_t j, const S* block) {
      for (std::size_t r = 0; r < width; ++r)
        for (std::size_t c = 0; c < width; ++c)
          sum[static_cast<int>(r)] += block[BlockShape::stride * r + c] * x[index(width * j + c)];
    });
    return sum;
  }
  /// y ← y + factor G x.
  template <class Impulses, class Column>
  [[gnu::noinline]] void add_product(const Impulses& x, S factor, Column& y) const {
    constexpr std::size_t stride = BlockShape::stride;
    padded_.resize(stride * count());
    bool any = false;
    for (std::size_t i = 0; i < count(); ++i)
      for (std::size_t c = 0; c < width; ++c) {
        const S by = padded_[stride * i + c] = factor * x[index(width * i + c)];
        any = any || by != S(0);
      }
    if (!any) return;
    for (std::size_t i = 0; i < count(); ++i) {
      S sum[width][stride] = {};
      for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
        const S* const block = &blocks_[BlockShape::size * k];
        const S* const by = &padded_[stride * columns_[k]];
        for (std::size_t r = 0; r < width; ++r)
          for (std::size_t c = 0; c < stride; ++c) sum[r][c] += block[stride * r + c] * by[c];
      }
      for (std::size_t r = 0; r < width; ++r) y[index(width * i + r)] += sum[r][0] + sum[r][1] + sum[r][2];
    }
  }

 private:
  struct Place {
    std::size_t row, column;
  };
  /// A block of zeros that is told.
  [[gnu::noinline]] S* tell(std::size_t i, std::size_t j) {
    told_.push_back({i, j});
    given_.resize(BlockShape::size * told_.size(), S(0));
    return &given_[given_.size() - BlockShape::size];
  }
  static Eigen::Index index(std::size_t i) noexcept { return static_cast<Eigen::Index>(i); }

  std::size_t count_ = 0;
  std::vector<Place> told_;
  std::vector<S> given_;                             // of these
  std::vector<std::size_t> begin_, columns_, next_;  // by rows of blocks
  std::vector<S> blocks_;
  mutable std::vector<S> padded_;  // room for what it is multiplied by
};

}  // namespace dalembert::linalg::detail
