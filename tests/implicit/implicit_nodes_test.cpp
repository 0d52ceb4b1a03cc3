// One node in an implicit step: how it turns, and what its inertia adds to the matrix, beside differences.

#include <dalembert/implicit/detail/implicit_nodes.hpp>
#include <dalembert/lie/so3.hpp>

#include <array>
#include <random>

#include "support/catch.hpp"
#include "support/eigen.hpp"

namespace implicit_nodes_test {

using namespace dalembert;
using namespace dalembert::assembly::detail;

using Frame = rod::Columns<double, 7>;
using Twist = rod::Columns<double, 6>;

struct Step {
  LoadsAt loads = LoadsAt::middle;
  double velocity{}, acceleration{};
  std::vector<Twist> constant_velocity{}, constant_acceleration{};
};

Vec<double, 6> random_numbers(std::mt19937& generator, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  Vec<double, 6> x;
  for (int i = 0; i < 6; ++i) x[i] = number(generator);
  return x;
}

Twist as_columns(const Vec<double, 6>& x) { return x.transpose().array(); }

/// A node somewhere, turned somehow.
Frame random_frame(std::mt19937& generator) {
  const Vec<double, 6> x = random_numbers(generator, 2);
  Frame frame(1, 7);
  rod::store3<0>(rod::Triple<double>(x[0], x[1], x[2]), frame, 0);
  const SO3d q = SO3d::exp({x[3], x[4], x[5]});
  rod::detail::store_quaternion(rod::detail::Quaternion<double>{q.w(), {q.v()[0], q.v()[1], q.v()[2]}}, frame,
                                0);
  return frame;
}

SO3d rotation(const Frame& frame) {
  const auto q = rod::detail::load_quaternion<double>(frame, 0);
  return SO3d::from_unit_quaternion(q.w, {q.v.x, q.v.y, q.v.z});
}

/// Its frame where loads are taken, after a displacement.
SO3d turned(const Frame& from, const Vec<double, 6>& moved, bool halfway) {
  Frame middle(1, 7), end(1, 7);
  place_node<double>(from, as_columns(moved), 0, halfway, middle, end);
  return rotation(halfway ? middle : end);
}

TEST_CASE("a node turns by Cayley's transform, to its end and to its middle, as differences say",
          "[implicit]") {
  std::mt19937 generator(3);
  const double h = 1e-5;
  for (int round = 0; round < 20; ++round)
    for (const bool halfway : {false, true}) {
      const Frame from = random_frame(generator);
      const Vec<double, 6> moved = random_numbers(generator, 2);
      const auto turning = turning_by(rod::Triple<double>(moved[3], moved[4], moved[5]), halfway);
      const SO3d here = turned(from, moved, halfway);
      for (int j = 0; j < 3; ++j) {
        Vec<double, 6> more = moved, less = moved;
        more[3 + j] += h;
        less[3 + j] -= h;
        const Vec<double, 3> change = ((here.inverse() * turned(from, more, halfway)).log() -
                                       (here.inverse() * turned(from, less, halfway)).log()) /
                                      (2 * h);
        for (int i = 0; i < 3; ++i)
          CHECK(std::abs(turning[static_cast<std::size_t>(3 * i + j)] - change[i]) < 1e-9);
      }
    }
}

TEST_CASE("what a node's inertia adds to the matrix of an implicit step is the change of its balance",
          "[implicit]") {
  std::mt19937 generator(4);
  const double h = 1e-5;
  for (int round = 0; round < 20; ++round) {
    ImplicitNode<double> node{1.3, {0.2, 0.5, 0.9}, 0.7, {}, false};
    if (round % 2 == 1) {
      node.held[static_cast<std::size_t>(round % 6)] = node.held[4] = true;
      node.any_held = true;
    }
    Step step{LoadsAt::middle, 3.1, 12.7, {}, {as_columns(random_numbers(generator, 2))}};
    const Vec<double, 6> moved = random_numbers(generator, 1), constant = random_numbers(generator, 1);
    const Twist none = Twist::Zero(1, 6);
    const auto velocity = [&](const Vec<double, 6>& by) {
      return as_columns(Vec<double, 6>(step.velocity * by + constant));
    };
    const auto balance = [&](const Vec<double, 6>& by) {
      Twist left(1, 6);
      balance_node(node, step, 0, 0, as_columns(by), velocity(by), none, left);
      return Vec<double, 6>(left.matrix().transpose());
    };
    std::array<double, 36> block{};
    add_node_inertia(node, step, rod::load3<3, double>(velocity(moved), 0), block.data());
    for (int j = 0; j < 6; ++j) {
      Vec<double, 6> more = moved, less = moved;
      more[j] += h;
      less[j] -= h;
      const Vec<double, 6> change = (balance(more) - balance(less)) / (2 * h);
      for (int i = 0; i < 6; ++i) {
        const bool held = node.held[static_cast<std::size_t>(i)];
        const double expected = held ? static_cast<double>(i == j) : change[i];
        CHECK(std::abs(block[static_cast<std::size_t>(6 * i + j)] - expected) < 1e-8);
      }
    }
  }
}

TEST_CASE(
    "a node that is not loaded keeps its angular momentum in a step of the midpoint rule, and its balance "
    "says so",
    "[implicit]") {
  std::mt19937 generator(5);
  const double h = 0.1;
  const ImplicitNode<double> node{1, {0.2, 0.5, 0.9}, 0, {}, false};
  const Mat<double, 3> J = Vec<double, 3>(0.2, 0.5, 0.9).asDiagonal();
  for (int round = 0; round < 10; ++round) {
    const Frame from = random_frame(generator);
    Vec<double, 6> moved = random_numbers(generator, 0.3);
    const Vec<double, 3> psi = moved.tail<3>();
    // With w = ψ/h in the middle, w₁ = w + u and w₀ = w − u, and a = 2u/h: Λ₁J w₁ = Λ₀J w₀ is linear in u.
    Frame middle(1, 7), end(1, 7);
    place_node<double>(from, as_columns(moved), 0, true, middle, end);
    const Mat<double, 3> R0 = rotation(from).matrix(), R1 = rotation(end).matrix();
    const Vec<double, 3> w = psi / h;
    const Vec<double, 3> u = -((R1 + R0) * J).lu().solve(Vec<double, 3>((R1 - R0) * J * w));
    Vec<double, 6> acceleration = Vec<double, 6>::Zero();
    acceleration.tail<3>() = 2 * u / h;
    const Step step{LoadsAt::middle, 1 / h, 0, {}, {as_columns(acceleration)}};
    Twist left(1, 6);
    moved.head<3>().setZero();
    balance_node(node, step, 0, 0, as_columns(moved), as_columns(Vec<double, 6>(moved / h)),
                 Twist(Twist::Zero(1, 6)), left);
    const double size = (2 / h) * (J * u).norm() + w.cross(J * w).norm();
    CHECK(left.matrix().norm() < 1e-13 * size);
  }
}

}  // namespace implicit_nodes_test
