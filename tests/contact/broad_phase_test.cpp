#include <dalembert/contact/broad_phase.hpp>

#include <array>
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

}  // namespace broad_phase_test
