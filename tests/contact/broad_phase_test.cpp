#include <dalembert/contact/broad_phase.hpp>

#include <array>
#include <cmath>
#include <ctime>
#include <set>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace broad_phase_test {

using namespace dalembert;
using Chain = rod::Chain<double>;
using Block = contact::SphereBlock<double>;
using Key = std::array<long, 4>;

Key key(const Block& x, const Block& y) {
  return {static_cast<long>(x.chain), x.first, static_cast<long>(y.chain), y.first};
}

/// Chains of which each node is near the last one, all over a region of this size.
std::vector<Chain> scattered(const std::vector<Eigen::Index>& nodes, double size) {
  test::Random random(test::seed());
  std::vector<Chain> chains;
  for (const auto count : nodes) {
    Chain chain(count);
    Vec<double, 3> at = size * random.vector<double>();
    for (Eigen::Index k = 0; k < count; ++k) {
      chain.set_frame(k, SO3<double>::identity(), at);
      at += 0.03 * random.vector<double>();
    }
    chains.push_back(chain);
  }
  return chains;
}

TEST_CASE("a grid finds the overlapping pairs of blocks, each once", "[contact]") {
  const std::vector<Eigen::Index> nodes{40, 1, 8, 9, 10, 2, 200, 1, 33};
  const auto chain_of = [](const std::vector<Chain>& chains) {
    return [&chains](std::size_t i) -> const Chain& { return chains[i]; };
  };
  for (const double size : {0.05, 0.5, 5.0, 1e9}) {
    CAPTURE(size);
    auto chains = scattered(nodes, size);
    const auto margin = [](std::size_t i) { return 0.01 * static_cast<double>(i % 3 + 1); };
    contact::BlockGrid<double> grid(nodes);
    std::vector<Block> blocks;
    grid.each_pair(chain_of(chains), margin, [&](const Block& x, const Block& y) {
      if (&x == &y) blocks.push_back(x);
    });
    REQUIRE(blocks.size() == 5 + 1 + 1 + 1 + 2 + 1 + 25 + 1 + 4);
    std::set<Key> expected;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (Eigen::Index k = blocks[i].first; k <= blocks[i].last && k < nodes[blocks[i].chain]; ++k)
        REQUIRE((chains[blocks[i].chain].position(k) - blocks[i].centre).norm() <=
                blocks[i].radius * (1 + 1e-15) - 0.99 * margin(blocks[i].chain));
      for (std::size_t j = 0; j <= i; ++j)
        if (i == j || (blocks[i].centre - blocks[j].centre).norm() < blocks[i].radius + blocks[j].radius)
          expected.insert(key(blocks[j], blocks[i]));
    }
    std::set<Key> found;
    long calls = 0;
    const auto note = [&](const Block& x, const Block& y) {
      found.insert(key(x, y));
      ++calls;
    };
    grid.each_pair(chain_of(chains), margin, note);
    CHECK(found == expected);
    CHECK(static_cast<std::size_t>(calls) == expected.size());
    CHECK(test::allocations_during([&] {
            calls = 0;
            grid.each_pair(chain_of(chains), margin, [&](const Block&, const Block&) { ++calls; });
          }) == 0);
  }
}

TEST_CASE("pairs of spheres are found whatever their sizes, and each but once", "[contact]") {
  const std::vector<Eigen::Index> points(150, 1);
  test::Random random(test::seed());
  contact::BlockGrid<double> grid(points);
  for (const double shift : {0.0, 1e6}) {
    std::vector<Chain> chains;
    std::vector<double> radii;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto x = random.vector<double>();
      radii.push_back(std::pow(10.0, -5 * std::abs(x[0])));  // some beside others, some inside them
      Chain chain(1);
      chain.set_frame(0, SO3<double>::identity(),
                      Vec<double, 3>(Vec<double, 3>::Constant(shift) +
                                     (i % 2 == 0 ? 2 : 2e-3) * random.vector<double>()));
      chains.push_back(chain);
    }
    std::set<Key> expected, found;
    std::vector<Block> blocks;
    long calls = 0;
    grid.each_pair([&](std::size_t i) -> const Chain& { return chains[i]; },
                   [&](std::size_t i) { return radii[i]; },
                   [&](const Block& x, const Block& y) {
                     if (&x == &y) blocks.push_back(x);
                     CHECK(x.chain <= y.chain);
                     found.insert(key(x, y));
                     ++calls;
                   });
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (i == j || (blocks[i].centre - blocks[j].centre).norm() < radii[i] + radii[j])
          expected.insert(key(blocks[j], blocks[i]));
    CHECK(found == expected);
    CHECK(static_cast<std::size_t>(calls) == expected.size());
    CHECK(calls > 1000);
  }
}

TEST_CASE("a large sphere among small ones does not make every pair of these one to look at", "[contact]") {
  // of n points on a lattice and one of 100 spacings, in so many nanoseconds each
  const auto time = [](std::size_t n) {
    const auto side = static_cast<std::size_t>(std::cbrt(static_cast<double>(n)) + 0.5);
    std::vector<Chain> chains(side * side * side + 1, Chain(1));
    for (std::size_t i = 0; i + 1 < chains.size(); ++i)
      chains[i].set_frame(0, SO3<double>::identity(),
                          {static_cast<double>(i % side), static_cast<double>(i / side % side),
                           static_cast<double>(i / side / side)});
    chains.back().set_frame(0, SO3<double>::identity(), {0, 0, -102});
    contact::BlockGrid<double> grid(std::vector<Eigen::Index>(chains.size(), 1));
    double least = 1e9;
    long pairs = 0;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t start = std::clock();
      grid.each_pair([&](std::size_t k) -> const Chain& { return chains[k]; },
                     [&](std::size_t k) { return k + 1 < chains.size() ? 0.4 : 100.0; },
                     [&](const Block&, const Block&) { ++pairs; });
      least = std::min(least, static_cast<double>(std::clock() - start));
    }
    CHECK(pairs == 3 * static_cast<long>(chains.size()));
    return least / static_cast<double>(chains.size());
  };
  CHECK(time(8000) < 4 * time(512));  // all pairs would take 16 times longer each
}

}  // namespace broad_phase_test
