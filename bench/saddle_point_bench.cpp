#include <benchmark/benchmark.h>

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/SparseLU>

#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/linalg/sparse_equations.hpp>

/// The matrix of an implicit step, decomposed and solved once: two chains of N nodes whose blocks of six couple with the next, tied to each other by three
/// rows at every eighth node. By `BlockLU`, as implicit steps do; by `SparseEquations`, as statics does, which also scales, seeks pivots and refines, so
/// that matrices may be indefinite or singular; and by the sparse LU of Eigen.
namespace {

using Column = Eigen::VectorXd;

/// The blocks of the matrix, each with its row, its column and its numbers row by row.
struct Blocks {
  struct Block {
    std::size_t row, column;
    std::vector<double> numbers;
  };
  std::vector<int> sizes;
  std::size_t nodes;
  std::vector<Block> blocks{};

  explicit Blocks(std::size_t n) : sizes(2 * n, 6), nodes(2 * n) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto put = [&](std::size_t i, std::size_t j, double diagonal, double sign = 1) {
      Block b{i, j, {}};
      for (int r = 0; r < sizes[i]; ++r)
        for (int c = 0; c < sizes[j]; ++c)
          b.numbers.push_back(sign * (r == c ? diagonal : 0.0) + draw(engine));
      blocks.push_back(b);
    };
    for (std::size_t chain = 0; chain < nodes; chain += n)
      for (std::size_t k = chain; k < chain + n; ++k) {
        put(k, k, 9);
        if (k + 1 == chain + n) continue;
        put(k, k + 1, -1);
        put(k + 1, k, -1);
      }
    for (std::size_t k = 0; k < n; k += 8) {
      const std::size_t tie = sizes.size();
      sizes.push_back(3);
      for (const std::size_t node : {k, n + k}) {
        put(tie, node, 1);
        put(node, tie, 1, -1);
      }
    }
  }
  /// f(row, column, number) of all entries.
  template <class F>
  void each(const F& f) const {
    std::vector<Eigen::Index> begin{0};
    for (const int size : sizes) begin.push_back(begin.back() + size);
    for (const Block& b : blocks)
      for (std::size_t i = 0; i < b.numbers.size(); ++i) {
        const auto columns = static_cast<std::size_t>(sizes[b.column]);
        f(begin[b.row] + static_cast<Eigen::Index>(i / columns),
          begin[b.column] + static_cast<Eigen::Index>(i % columns), b.numbers[i]);
      }
  }
  Eigen::Index rows() const { return static_cast<Eigen::Index>(6 * nodes + 3 * (sizes.size() - nodes)); }
};

/// Refuse a solution that leaves more than rounding.
void check(benchmark::State& state, const Blocks& a, const Column& x) {
  Column left = -Column::Ones(a.rows());
  a.each([&](Eigen::Index i, Eigen::Index j, double value) { left[i] += value * x[j]; });
  if (!(left.norm() < 1e-8 * x.norm())) state.SkipWithError("the system is not solved");
  state.counters["ns_per_node"] =
      benchmark::Counter(static_cast<double>(a.nodes) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void by_blocks(benchmark::State& state) {
  const Blocks a(static_cast<std::size_t>(state.range(0)));
  dalembert::linalg::BlockLU<double> lu;
  lu.start(a.sizes, a.nodes);
  for (const auto& b : a.blocks) lu.couple(b.row, b.column);
  lu.find_pattern();
  Column x(a.rows());
  for (auto _ : state) {
    lu.set_zero();
    for (const auto& b : a.blocks) {
      double* const to = lu.block(b.row, b.column);
      for (std::size_t i = 0; i < b.numbers.size(); ++i) to[i] += b.numbers[i];
    }
    x.setOnes();
    if (!lu.factor()) state.SkipWithError("singular");
    lu.solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
  check(state, a, x);
}

void by_band(benchmark::State& state) {
  const Blocks a(static_cast<std::size_t>(state.range(0)));
  const auto of_nodes = static_cast<Eigen::Index>(6 * a.nodes);
  dalembert::linalg::SparseEquations<double> equations(of_nodes, 0, a.rows() - of_nodes);
  const Column b = Column::Ones(a.rows());
  Column x;
  for (auto _ : state) {
    equations.clear();
    a.each([&](Eigen::Index i, Eigen::Index j, double value) { equations.add(i, j, value); });
    if (!equations.solve(b, x)) state.SkipWithError("singular");
    benchmark::DoNotOptimize(x.data());
  }
  check(state, a, x);
}

void by_eigen(benchmark::State& state) {
  const Blocks a(static_cast<std::size_t>(state.range(0)));
  std::vector<Eigen::Triplet<double>> entries;
  a.each([&](Eigen::Index i, Eigen::Index j, double value) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  });
  Eigen::SparseMatrix<double> matrix(a.rows(), a.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.analyzePattern(matrix);
  const Column b = Column::Ones(a.rows());
  Column x;
  for (auto _ : state) {
    lu.factorize(matrix);
    x = lu.solve(b);
    benchmark::DoNotOptimize(x.data());
  }
  check(state, a, x);
}

BENCHMARK(by_blocks)->RangeMultiplier(4)->Range(16, 4096)->Unit(benchmark::kMicrosecond);
BENCHMARK(by_band)->RangeMultiplier(4)->Range(16, 4096)->Unit(benchmark::kMicrosecond);
BENCHMARK(by_eigen)->RangeMultiplier(4)->Range(16, 4096)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
