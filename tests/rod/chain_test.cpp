#include <dalembert/rod/chain.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/dual.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace chain_test {

using namespace dalembert;
using rod::Chain;
using rod::Columns;
using V3 = Vec<double, 3>;

/// So many frames anywhere, that move.
Chain<double> random_chain(Eigen::Index nodes, test::Draw& draw) {
  Chain<double> chain(nodes);
  for (Eigen::Index k = 0; k < nodes; ++k) {
    const auto turn = draw.rotation();
    const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
    chain.set_frame(k, turn, place);
    chain.set_velocity(k, velocity, spin);
  }
  return chain;
}

TEST_CASE("a new chain lies at the origin, unturned and at rest", "[rod][chain]") {
  for (const Eigen::Index nodes : {1, 2, 9}) {
    const Chain<double> chain(nodes);
    CHECK(chain.nodes == nodes);
    for (Eigen::Index k = 0; k < nodes; ++k) {
      CHECK(chain.position(k).norm() == 0);
      CHECK((chain.rotation(k).matrix() - Mat<double, 3>::Identity()).norm() == 0);
      CHECK(chain.linear_velocity(k).norm() == 0);
      CHECK(chain.angular_velocity(k).norm() == 0);
    }
    CHECK(chain.finite());
    CHECK(chain.unit());
  }
  CHECK(Chain<double>{}.nodes == 0);
}

TEST_CASE("a chain gives back the frames and velocities that it was given, node by node", "[rod][chain]") {
  test::Draw draw(test::seed());
  Chain<double> chain(3);
  std::vector<SO3<double>> turns;
  std::vector<V3> numbers;
  for (Eigen::Index k = 0; k < 3; ++k) {
    turns.push_back(draw.rotation());
    for (int i = 0; i < 3; ++i) numbers.push_back(draw.vector());
    chain.set_frame(k, turns.back(), numbers[static_cast<std::size_t>(3 * k)]);
    chain.set_velocity(k, numbers[static_cast<std::size_t>(3 * k + 1)],
                       numbers[static_cast<std::size_t>(3 * k + 2)]);
  }
  for (Eigen::Index k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    CHECK(chain.position(k) == numbers[3 * i]);
    CHECK(chain.linear_velocity(k) == numbers[3 * i + 1]);
    CHECK(chain.angular_velocity(k) == numbers[3 * i + 2]);
    CHECK((chain.rotation(k).matrix() - turns[i].matrix()).norm() < 1e-15);
    const auto node = chain.node(k);
    CHECK(node.position == numbers[3 * i]);
    CHECK(node.velocity == numbers[3 * i + 1]);
    CHECK(node.angular_velocity == numbers[3 * i + 2]);
    CHECK((node.rotation.matrix() - turns[i].matrix()).norm() < 1e-15);
    const Vec<double, 6> twist = chain.twist(k);
    CHECK((turns[i].matrix() * twist.head<3>() - numbers[3 * i + 1]).norm() < 1e-14);
    CHECK(V3(twist.tail<3>()) == numbers[3 * i + 2]);
  }
  CHECK(chain.root().position == numbers[0]);
  CHECK(chain.tip().position == numbers[6]);
}

TEST_CASE("a chain knows whether its numbers are finite, square, and of unit quaternions", "[rod][chain]") {
  test::Draw draw(test::seed());
  const Chain<double> good = random_chain(5, draw);
  CHECK(good.finite());
  CHECK(good.squares_are_finite());
  CHECK(good.unit());
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e200})
    for (const Eigen::Index k : {0, 4})
      for (int i = 0; i < 13; ++i) {
        Chain<double> chain = good;
        (i < 7 ? chain.configuration(k, i) : chain.velocity(k, i - 7)) = bad;
        CHECK(chain.finite() == std::isfinite(bad));
        CHECK_FALSE(chain.squares_are_finite());
        CHECK(chain.unit() == (i < 3 || i > 6));
      }
  for (const double stretch : {1 + 1e-10, 1 - 1e-10, 1 + 1e-6, 1 - 1e-6}) {
    Chain<double> chain = good;
    for (int i = 3; i < 7; ++i) chain.configuration(2, i) *= stretch;
    CHECK(chain.unit() == (std::abs(stretch - 1) < 1e-9));
  }
}

TEST_CASE("a mapped chain has each number mapped", "[rod][chain]") {
  test::Draw draw(test::seed());
  const Chain<double> chain = random_chain(3, draw);
  using T = Dual<double, 1>;
  const Chain<T> lifted = chain.mapped<T>([](double x) { return T(2 * x, Vec<double, 1>(x)); });
  CHECK(lifted.nodes == 3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    for (int i = 0; i < 7; ++i) {
      CHECK(lifted.configuration(k, i).value() == 2 * chain.configuration(k, i));
      CHECK(lifted.configuration(k, i).derivative(0) == chain.configuration(k, i));
    }
    for (int i = 0; i < 6; ++i) CHECK(lifted.velocity(k, i).value() == 2 * chain.velocity(k, i));
  }
}

TEST_CASE(
    "the frame in the middle of an element is half a turn from both ends, whatever sign quaternions have",
    "[rod][chain]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 20; ++round) {
    Chain<double> chain(3);
    const SO3<double> first = draw.rotation();
    const V3 turn = draw.between(0.1, 3) * draw.direction();
    chain.set_frame(1, first, draw.vector());
    chain.set_frame(2, first * SO3<double>::exp(turn), draw.vector());
    if (round % 2)
      for (int i = 3; i < 7; ++i) chain.configuration(2, i) *= -1;
    const SO3<double> middle = rod::detail::middle_frame(chain, 1);
    const SO3<double> wanted = first * SO3<double>::exp(V3(turn / 2));
    CHECK((middle.matrix() - wanted.matrix()).norm() < 1e-13);
  }
}

TEST_CASE("numbers of nodes are visited chain after chain and node after node, without their padding",
          "[rod][chain]") {
  const std::vector<Chain<double>> chains{Chain<double>(2), Chain<double>(1)};
  std::vector<Columns<double, 6>> columns{rod::zero_columns<double, 6>(2), rod::zero_columns<double, 6>(1)};
  double next = 0;
  rod::visit_nodes(chains, columns, [&](double& x) { x = next++; });
  CHECK(next == 18);
  CHECK(columns[0](0, 5) == 5);
  CHECK(columns[0](1, 0) == 6);
  CHECK(columns[1](0, 0) == 12);
}

/// Writes down what it is shown.
struct Visitor {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::pair<std::string, Eigen::Index>> blocks;
  void same(const std::string& name, std::int64_t size) { sizes.emplace_back(name, size); }
  template <class Block>
  void operator()(const std::string& name, Block&& block) {
    blocks.emplace_back(name, block.rows());
    block(0, 0) = 7;
  }
};

TEST_CASE("checkpoints see the nodes of each chain by its number, and write into it", "[rod][chain]") {
  std::vector<Chain<double>> chains{Chain<double>(3), Chain<double>(1)};
  Visitor visitor;
  rod::visit_chains(chains, visitor);
  CHECK(visitor.sizes ==
        std::vector<std::pair<std::string, std::int64_t>>{{"rods", 2}, {"rod0.nodes", 3}, {"rod1.nodes", 1}});
  CHECK(visitor.blocks == std::vector<std::pair<std::string, Eigen::Index>>{{"rod0.configuration", 3},
                                                                            {"rod0.velocity", 3},
                                                                            {"rod1.configuration", 1},
                                                                            {"rod1.velocity", 1}});
  CHECK(chains[1].configuration(0, 0) == 7);
  CHECK(chains[0].velocity(0, 0) == 7);
}

}  // namespace chain_test
