#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/cuthill_mckee.hpp>

/// Which blocks of a symmetric matrix are other than zero: contacts in a heap couple with few others each.
namespace dalembert::linalg::detail {

/// Of a matrix of blocks of `width` rows; where there are few, or nothing is known of them, all may be.
class BlockPattern {
 public:
  static constexpr Eigen::Index width = 3;
  static constexpr std::size_t least = 16;  ///< blocks, below which a dense matrix does as well

  /// All blocks of n rows may be other than zero.
  [[gnu::cold, gnu::noinline]] void fill(Eigen::Index n) {
    rows_ = n;
    sparse_ = told_ = false;
    ranges_.assign(1, {Eigen::Index(0), n});
    begin_.assign({0, 1});
  }
  /// Of so many blocks those of the diagonal may be, and what is told by `couple`, as soon as `finish` says
  /// that this is all.
  void start(std::size_t blocks) {
    fill(width * static_cast<Eigen::Index>(blocks));
    told_ = blocks >= least;
    if (told_) graph_.start(blocks);
  }
  /// Blocks (a, b) and (b, a).
  void couple(std::size_t a, std::size_t b) {
    if (told_) graph_.couple(static_cast<int>(a), static_cast<int>(b));
  }
  /// After all were told.
  [[gnu::cold, gnu::noinline]] void finish() {
    if (!told_) return;
    graph_.find();
    ranges_.clear();
    begin_.assign(1, 0);
    for (int own = 0; width * own < rows_; ++own) {
      const auto add = [&](int block) {
        const Eigen::Index first = width * block;
        if (ranges_.size() == begin_.back() || ranges_.back().second != first)
          ranges_.emplace_back(first, first);
        ranges_.back().second = first + width;
      };
      bool done = false;
      graph_.each_neighbour(own, [&](int block) {
        if (!done && block > own) add(own), done = true;
        add(block);
      });
      if (!done) add(own);
      begin_.push_back(ranges_.size());
    }
    sparse_ = true;
    told_ = false;
  }

  /// Those of blocks of a matrix that are.
  template <class Matrix>
  [[gnu::cold, gnu::noinline]] void find(const Matrix& G) {
    start(static_cast<std::size_t>(G.rows() / width));
    if (!told_) return;
    for (Eigen::Index j = 0; j < rows_; ++j)
      for (Eigen::Index i = j; i < rows_; ++i)
        if (G(i, j) != 0) couple(static_cast<std::size_t>(i / width), static_cast<std::size_t>(j / width));
    finish();
  }

  /// Whether it is known which are.
  [[nodiscard]] bool sparse() const noexcept { return sparse_; }
  [[nodiscard]] Eigen::Index rows() const noexcept { return rows_; }
  /// What couples, and its order, where that is known.
  [[nodiscard]] const CuthillMcKee& graph() const noexcept { return graph_; }

  /// f(begin, end) of the rows that may be other than zero in a column, in ascending order.
  template <class F>
  void each_range(Eigen::Index column, const F& f) const {
    const auto block = sparse_ ? static_cast<std::size_t>(column / width) : 0;
    for (std::size_t k = begin_[block]; k < begin_[block + 1]; ++k) f(ranges_[k].first, ranges_[k].second);
  }
  /// f(i, j) of the entries that may be other than zero.
  template <class F>
  void each_entry(const F& f) const {
    for (Eigen::Index j = 0; j < rows_; ++j)
      each_range(j, [&](Eigen::Index begin, Eigen::Index end) {
        for (Eigen::Index i = begin; i < end; ++i) f(i, j);
      });
  }
  /// f(k, y) for each column k of GGᵀ, whose entries from k on are those of y; `room` is for some of them.
  template <class Matrix, class Room, class F>
  [[gnu::noinline]] void each_square(const Matrix& G, Room& room, const F& f) const {
    using S = typename Matrix::Scalar;
    for (Eigen::Index k = 0; k < rows_; k += width) {
      const Eigen::Index mine = std::min(width, rows_ - k);
      room.set_zero(rows_, width);
      S* __restrict const y0 = &room(0, 0);
      S* __restrict const y1 = y0 + rows_;
      S* __restrict const y2 = y1 + rows_;
      each_range(k, [&](Eigen::Index first, Eigen::Index last) {
        for (Eigen::Index j = first; j < last; j += width) {
          const S* columns[width];  // of G, and its rows here: zero beyond the last column, and the last row
          S by[width][width] = {}, largest(0);
          for (Eigen::Index c = 0; c < width; ++c) {
            columns[c] = &G(0, std::min(j + c, last - 1));
            for (Eigen::Index r = 0; j + c < last && r < mine; ++r) {
              by[c][r] = columns[c][k + r];
              number::keep_larger(largest, number::abs(by[c][r]));
            }
          }
          if (largest == S(0)) continue;
          const auto [x0, x1, x2] = columns;
          each_range(j, [&, x0 = x0, x1 = x1, x2 = x2](Eigen::Index begin, Eigen::Index end) {
            for (Eigen::Index i = std::max(begin, k); i < end; ++i) {
              y0[i] += by[0][0] * x0[i] + by[1][0] * x1[i] + by[2][0] * x2[i];
              y1[i] += by[0][1] * x0[i] + by[1][1] * x1[i] + by[2][1] * x2[i];
              y2[i] += by[0][2] * x0[i] + by[1][2] * x1[i] + by[2][2] * x2[i];
            }
          });
        }
      });
      for (Eigen::Index r = 0; r < mine; ++r) f(k + r, y0 + r * rows_);
    }
  }
  /// y ← y + factor G x.
  template <class S, class Matrix, class Impulses, class Column>
  [[gnu::noinline]] void add_product(const Matrix& G, const Impulses& x, S factor, Column& y) const {
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      const S by = factor * x[j];
      if (by == S(0)) continue;
      each_range(j, [&](Eigen::Index begin, Eigen::Index end) {
        if (!sparse_) end = G.rows();  // of a problem that has become another
        for (Eigen::Index i = begin; i < end; ++i) y[i] += G(i, j) * by;
      });
    }
  }
  /// G ← 0, where that is not so already.
  template <class Matrix>
  [[gnu::noinline]] void clear(Matrix& G) const {
    each_entry([&](Eigen::Index i, Eigen::Index j) { G(i, j) = 0; });
  }

 private:
  Eigen::Index rows_ = 0;
  bool sparse_ = false, told_ = false;
  CuthillMcKee graph_{};
  std::vector<std::pair<Eigen::Index, Eigen::Index>> ranges_{};  // of rows, by columns of blocks
  std::vector<std::size_t> begin_{};                             // of those of each
};

}  // namespace dalembert::linalg::detail
