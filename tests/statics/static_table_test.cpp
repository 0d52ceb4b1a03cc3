#include <dalembert/statics/detail/static_table.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace static_table_test {

using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Table = StaticTable<double>;
using Numbers = dalembert::Vec<double, Eigen::Dynamic>;
using V3 = dalembert::Vec<double, 3>;

/// Two nodes, two internal coordinates and a multiplier; the second and the last unknown of a node are held.
void size(Table& table) {
  table.nodes = 12;
  table.slides = 2;
  table.positions = 1;
  table.is_held.assign(12, 0);
  table.is_held[1] = table.is_held[11] = 1;
  table.equations = dalembert::linalg::SparseEquations<double>(12, 2, 1);
  table.clear();
}

TEST_CASE("unknowns are those of nodes, then internal coordinates, then multipliers", "[statics]") {
  Table table;
  size(table);
  CHECK(table.slide(1) == 13);
  CHECK(table.multiplier(0) == 14);
  CHECK(table.held(1));
  CHECK_FALSE(table.held(0));
  CHECK(table.held_of(0) == 1);
  CHECK(table.held_of(6) == 1);
  table.is_held[8] = 1;
  CHECK(table.held_of(6) == 2);
  CHECK(table.held_of(0) == 1);
}

TEST_CASE("a row of a held degree takes no entries, but its column does", "[statics]") {
  Table table;
  size(table);
  for (const Eigen::Index row : {0, 1, 13, 14})
    for (const Eigen::Index column : {1, 2}) table.add(row, column, 10.0 * static_cast<double>(row + 1));
  const Numbers found = table.equations.multiply(Numbers(Numbers::Unit(15, 1)));
  for (Eigen::Index row = 0; row < 15; ++row) {
    const bool there = row == 0 || row == 13 || row == 14;
    CHECK(found[row] == (there ? 10.0 * static_cast<double>(row + 1) : 0));
  }
}

TEST_CASE("loads add up, and the largest single force and torque are kept beside them until all is forgotten",
          "[statics]") {
  Table table;
  size(table);
  table.push(0, 3);
  table.push(0, -5);
  table.push(8, 4);
  table.push(9, -0.5);
  table.push(4, 0.25);
  CHECK(table.force[0] == -2);
  CHECK(table.force[8] == 4);
  CHECK(table.force[9] == -0.5);
  CHECK(table.scale == std::array{5.0, 0.5});
  table.note_torque(0.4);
  CHECK(table.scale[1] == 0.5);
  table.note_torque(2);
  CHECK(table.scale == std::array{5.0, 2.0});
  table.gaps.emplace_back();
  table.error[0] = table.apart[1] = table.reach[1] = 3;
  table.add(0, 0, 7);
  table.clear();
  CHECK(table.scale == std::array{0.0, 0.0});
  CHECK(table.force.isZero(0));
  CHECK(table.error.isZero(0));
  CHECK(table.apart.isZero(0));
  CHECK(table.reach[1] == 0);
  CHECK(table.gaps.empty());
  CHECK(table.equations.multiply(Numbers(Numbers::Ones(15))).isZero(0));
  CHECK(table.held(1));
}

TEST_CASE("stiffnesses of bodies are entries beside held rows, sizes, and round-off of positions",
          "[statics]") {
  test::Draw draw(test::seed());
  for (const double unit : {1e-6, 1.0, 1e6}) {
    Table table;
    size(table);
    table.far = 3 * unit;
    dalembert::Mat<double, 6, 6> own, other;
    for (auto* const block : {&own, &other})
      for (int i = 0; i < 36; ++i) block->coeffRef(i) = draw.between(-1, 1);
    table.add_stiffness(6, 6, own);
    table.add_stiffness(6, 0, other);
    table.finish_stiffness();
    for (Eigen::Index column = 0; column < 12; ++column) {
      const Numbers found = table.equations.multiply(Numbers(Numbers::Unit(15, column)));
      for (Eigen::Index row = 0; row < 12; ++row) {
        const double wanted = table.held(row) ? double(row == column)
                              : row < 6       ? 0.0
                                        : (column < 6 ? other(row - 6, column) : own(row - 6, column - 6));
        CHECK(found[row] == wanted);
      }
    }
    double floor[2] = {}, stiff[2] = {};
    for (int a = 0; a < 6; ++a) {
      double digits = 0;
      for (int b = 0; b < 6; ++b)
        digits += (std::abs(own(a, b)) + std::abs(other(a, b))) * (b < 3 ? table.far : 1);
      floor[a / 3] = std::max(floor[a / 3], 8 * std::numeric_limits<double>::epsilon() * digits);
      stiff[a / 3] = std::max(stiff[a / 3], own(a, a));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(table.floor[i] == Approx(floor[i]).epsilon(1e-12));
      CHECK(table.stiff[i] == stiff[i]);
    }
  }
}

TEST_CASE("forces and torques are as large as each other makes them over the length of their stiffnesses",
          "[statics]") {
  Table table;
  size(table);
  table.stiff = {4, 36};  // 3 m
  table.scale = {1, 12};
  table.compare_scales();
  CHECK(table.scale == std::array{4.0, 12.0});
  table.scale = {5, 12};
  table.compare_scales();
  CHECK(table.scale == std::array{5.0, 15.0});
  table.metres = 2;
  table.stiff = {4, 0};
  table.scale = {1, 12};
  table.compare_scales();
  CHECK(table.scale == std::array{6.0, 12.0});
}

TEST_CASE("a residual is that of the worst force, torque or row beside the largest of its kind",
          "[statics]") {
  Table table;
  size(table);
  table.metres = 4;
  table.scale = {2, 8};
  table.floor = {0, 0};
  table.error_scale[0] = 5;
  const auto residual = [&](Eigen::Index row, double by) {
    Numbers left = Numbers::Zero(15);
    left[row] = by;
    return table.residual(left, 0.5);
  };
  CHECK(residual(0, -1) == 0.5);
  CHECK(residual(8, 1) == 0.5);
  CHECK(residual(3, 2) == 0.25);
  CHECK(residual(1, 100) == 0);  // held
  CHECK(residual(12, -1) == 0.25);
  CHECK(residual(14, -1) == 0.2);
  table.floor = {1, 4};
  CHECK(residual(0, -1) == 0.25);
  CHECK(residual(3, 2) == 0.125);
}

TEST_CASE("an error is relative to how much its row changes, or to rounding where that is more",
          "[statics]") {
  Table table;
  size(table);
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  for (const double unit : {1e-6, 1.0, 1e6}) {
    table.error_scale[0] = 4 * unit;
    table.error_size[0] = 0;
    CHECK(table.relative(0, unit, 1e-9) == Approx(0.25));
    CHECK(table.relative(0, -unit, 1e-9) == Approx(-0.25));
    table.error_scale[0] = 0;
    table.error_size[0] = unit;
    CHECK(table.relative(0, 0.0, 1e-9) == 0);
    CHECK(table.relative(0, 16 * rounding * unit, 1e-9) == Approx(1e-9));
  }
}

TEST_CASE("a step is as long as its longest part, and too long by that which exceeds its limit most",
          "[statics]") {
  test::Draw draw(test::seed());
  const StaticOptions<double> o{.largest_turn = 0.5, .largest_move = 0.125};
  for (const double metres : {1e-6, 1.0, 1e6}) {
    Table table;
    size(table);
    table.metres = metres;
    table.reach = {0.1 * metres, 0.2 * metres};
    Numbers step = Numbers::Zero(15);
    const auto check = [&](double length, double excess) {
      const auto found = table.measure(step, o);
      CHECK(found.size == Approx(length));
      CHECK(found.excess == Approx(excess));
      step.setZero();
    };
    check(0, 0);
    step.segment(6, 3) << 0.03 * metres, 0.04 * metres, 0;
    step.segment(3, 3) << 0.01, -0.02, 0.02;
    check(0.05, 0.4);
    step.segment(3, 3) << 0.2, -0.4, 0.4;
    step.segment(0, 3) << 0.5 * metres, 0, 0;
    check(0.6, 4);
    step[13] = -0.3 * metres;
    check(0.3, 0.75);
    step[12] = 0.3 * metres;
    check(0.3, 1.5);
    step[14] = 1e9;  // a multiplier has no length
    check(0, 0);
    // two nodes a quarter of the size apart, and what slides
    StaticGap<double> gap;
    gap.nodes = {{0, 0.5}, {6, -1}};
    gap.slides = {{12, V3(0, 2, 0)}};
    gap.distance = 0.25 * metres;
    table.gaps = {gap};
    step.segment(0, 3) << 0.04 * metres, 0, 0;
    step.segment(6, 3) << 0, 0, -0.03 * metres;
    step[12] = 0.03 * metres;
    const double moved = std::hypot(0.02, 0.03, 0.06);
    CHECK(gap.moved(step) == Approx(moved * metres));
    check(moved, std::max(moved / 0.125, 0.04 / 0.125));
    step[7] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(table.measure(step, o).size));
  }
}

TEST_CASE("the largest of some numbers is that of the largest size, and not a number once one is none",
          "[statics]") {
  double most = 1;
  for (const double x : {-3.0, 2.0}) keep_largest(most, x);
  CHECK(most == 3);
  keep_largest(most, std::numeric_limits<double>::quiet_NaN());
  keep_largest(most, 5.0);
  CHECK(std::isnan(most));
}

}  // namespace static_table_test
