#pragma once

#include <cstddef>

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
  void fill(Eigen::Index n) noexcept {
    rows_ = n;
    sparse_ = told_ = false;
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
  void finish() {
    if (told_) graph_.find();
    sparse_ = sparse_ || told_;
    told_ = false;
  }

  /// Those of blocks of a matrix that are.
  template <class Matrix>
  void find(const Matrix& G) {
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
    if (!sparse_) return f(Eigen::Index(0), rows_);
    const int own = static_cast<int>(column / width);
    const auto block = [&](int b) { f(width * b, width * (b + 1)); };
    bool done = false;
    graph_.each_neighbour(own, [&](int b) {
      if (!done && b > own) block(own), done = true;
      block(b);
    });
    if (!done) block(own);
  }
  /// f(i, j) of the entries that may be other than zero.
  template <class F>
  void each_entry(const F& f) const {
    for (Eigen::Index j = 0; j < rows_; ++j)
      each_range(j, [&](Eigen::Index begin, Eigen::Index end) {
        for (Eigen::Index i = begin; i < end; ++i) f(i, j);
      });
  }
  /// to(i, k) ← to(i, k) + (GGᵀ)(i, k).
  template <class Matrix, class To>
  [[gnu::noinline]] void add_squares(const Matrix& G, const To& to) const {
    each_entry([&](Eigen::Index k, Eigen::Index j) {
      const auto by = G(k, j);
      if (by == 0) return;
      each_range(j, [&](Eigen::Index begin, Eigen::Index end) {
        for (Eigen::Index i = begin; i < end; ++i) to(i, k) += G(i, j) * by;
      });
    });
  }
  /// y ← y + factor G x.
  template <class S, class Matrix, class Impulses, class Column>
  [[gnu::noinline]] void add_product(const Matrix& G, const Impulses& x, S factor, Column& y) const {
    for (Eigen::Index j = 0; j < G.cols(); ++j) {
      const S by = factor * x[j];
      if (by == S(0)) continue;
      const auto add = [&](Eigen::Index begin, Eigen::Index end) {
        for (Eigen::Index i = begin; i < end; ++i) y[i] += G(i, j) * by;
      };
      sparse_ ? each_range(j, add) : add(0, G.rows());
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
};

}  // namespace dalembert::linalg::detail
