#include <dalembert/clusters/rows_view.hpp>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace rows_view_test {

using namespace dalembert;
using namespace dalembert::assembly::detail;
using assembly::Along;
using assembly::Window;
using V3 = Vec<double, 3>;

/// Random rows on the places of windows.
struct Rows {
  std::vector<double> linear, angular, other_linear, other_angular;
  std::vector<Window> windows;
  RowsView<double> view{};

  Rows(int rows, std::vector<Window> places, bool elsewhere, test::Draw& draw) : windows(std::move(places)) {
    for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(rows) * windows.size(); ++i)
      for (auto* numbers : {&linear, &angular, &other_linear, &other_angular})
        numbers->push_back(draw.between(-1, 1));
    view.rows = rows;
    view.row = 7;
    view.positions = rows - 1;
    view.position = 4;
    view.places = static_cast<int>(windows.size());
    view.windows = windows.data();
    view.own = {linear.data(), angular.data()};
    view.reaction = view.own;
    view.reacts_elsewhere = elsewhere;
    if (elsewhere) view.reaction = {other_linear.data(), other_angular.data()};
  }
  /// Entry (r, j) of a block of a place, which is kept column by column.
  double entry(const std::vector<double>& block, int place, int r, int j) const {
    return block[static_cast<std::size_t>(view.rows * (3 * place + j) + r)];
  }
};

double dot(const std::vector<double>& a, const V3& b, const Rows& rows, int place, int r) {
  double sum = 0;
  for (int j = 0; j < 3; ++j) sum += rows.entry(a, place, r, j) * b[j];
  return sum;
}

TEST_CASE("a row of a place is read from blocks that are kept column by column", "[clusters][rows_view]") {
  test::NodeSet set(test::seed());
  set.add_chain(3);
  const Rows rows(4, {set.window(0, 0, 2), set.window(0, 1, 2)}, true, set.draw);
  for (int place = 0; place < 2; ++place)
    for (int r = 0; r < 4; ++r) {
      const auto own = rows.view.on_place(rows.view.own, place, r);
      CHECK(own.linear.x == rows.entry(rows.linear, place, r, 0));
      CHECK(own.linear.y == rows.entry(rows.linear, place, r, 1));
      CHECK(own.linear.z == rows.entry(rows.linear, place, r, 2));
      CHECK(own.angular.y == rows.entry(rows.angular, place, r, 1));
      CHECK(rows.view.on_place(rows.view.reaction, place, r).angular.z ==
            rows.entry(rows.other_angular, place, r, 2));
    }
}

TEST_CASE("rows node by node say of velocities what rows on the averages of places say",
          "[clusters][rows_view]") {
  test::NodeSet set(test::seed());
  set.add_chain(6);
  set.add_chain(1);
  for (const bool elsewhere : {false, true}) {
    const int count = 5;
    const Rows rows(count, {set.window(0, 1, 4), set.window(1, 0, 1)}, elsewhere, set.draw);
    // L V + B W, with V = Σ α ṙ and W = Σ α Λω
    std::vector<double> wanted(count), reaction(count), found(count), other(count);
    for (int place = 0; place < 2; ++place) {
      const Window& w = rows.windows[static_cast<std::size_t>(place)];
      V3 V = V3::Zero(), W = V3::Zero();
      for (Eigen::Index k = 0; k < w.count; ++k) {
        const double alpha = set.weights[static_cast<std::size_t>(w.weights + k)];
        const auto& chain = set.chains[w.body];
        V += alpha * chain.linear_velocity(w.first + k);
        W += alpha * chain.rotation(w.first + k).act(chain.angular_velocity(w.first + k));
      }
      for (int r = 0; r < count; ++r) {
        const auto at = static_cast<std::size_t>(r);
        wanted[at] += dot(rows.linear, V, rows, place, r) + dot(rows.angular, W, rows, place, r);
        reaction[at] += dot(elsewhere ? rows.other_linear : rows.linear, V, rows, place, r) +
                        dot(elsewhere ? rows.other_angular : rows.angular, W, rows, place, r);
      }
    }
    int nodes = 0;
    rows.view.each_node(set.weights.data(), set.chains,
                        [&](const Window& w, Eigen::Index k, const auto& own, const auto& reacting) {
                          ++nodes;
                          for (int r = 0; r < count; ++r)
                            for (int i = 0; i < 6; ++i) {
                              const double v = set.chains[w.body].velocity(k, i);
                              found[static_cast<std::size_t>(r)] += own[6 * r + i] * v;
                              other[static_cast<std::size_t>(r)] += reacting[6 * r + i] * v;
                            }
                        });
    CHECK(nodes == 5);
    for (std::size_t r = 0; r < count; ++r) {
      CHECK(found[r] == Approx(wanted[r]).margin(1e-14));
      CHECK(other[r] == Approx(reaction[r]).margin(1e-14));
    }
  }
}

TEST_CASE("rows that are told node by node are used in place of blocks", "[clusters][rows_view]") {
  test::NodeSet set(test::seed());
  set.add_chain(4);
  Rows rows(2, {set.window(0, 1, 2)}, false, set.draw);
  const std::vector<std::vector<double>> nodes{
      {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}};
  rows.view.nodes = nodes.data();
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 2; ++k) {
      const auto on = rows.view.on_node(rows.view.own, set.weights.data(), 0, 1 + k, r);
      const double first = 12 * k + 6 * r + 1;
      CHECK(on.linear.x == first);
      CHECK(on.linear.z == first + 2);
      CHECK(on.angular.x == first + 3);
      CHECK(on.angular.z == first + 5);
    }
}

TEST_CASE("the speed of a row bounds what it says of velocities, and is that of all its terms",
          "[clusters][rows_view]") {
  test::NodeSet set(test::seed());
  set.add_chain(5);
  set.add_line(7);
  const Rows rows(3, {set.window(0, 0, 3), set.window(1, 5, 4)}, false, set.draw);
  for (int r = 0; r < 3; ++r) {
    double sum = 0;
    const Window &chain = rows.windows[0], &line = rows.windows[1];
    const auto row = [&](const std::vector<double>& block, int place) {
      return V3(rows.entry(block, place, r, 0), rows.entry(block, place, r, 1),
                rows.entry(block, place, r, 2));
    };
    for (Eigen::Index k = 0; k < 3; ++k)
      sum += set.weights[static_cast<std::size_t>(chain.weights + k)] *
             (row(rows.linear, 0).norm() * set.chains[0].linear_velocity(k).norm() +
              row(rows.angular, 0).norm() * set.chains[0].angular_velocity(k).norm());
    for (Eigen::Index k = 0; k < 4; ++k)  // goes on at the first node of a string
      sum += set.weights[static_cast<std::size_t>(line.weights + k)] *
             std::abs(row(rows.linear, 1)[0] * set.lines[1].velocity[(5 + k) % 7]);
    CHECK(rows.view.speed(set.nodes(), r) == Approx(sum));
  }
}

TEST_CASE("a view counts its velocity rows or its position rows", "[clusters][rows_view]") {
  test::NodeSet set(test::seed());
  set.add_chain(1);
  const Rows rows(3, {set.window(0, 0, 1)}, false, set.draw);
  CHECK(rows.view.count({}) == 3);
  CHECK(rows.view.first({}) == 7);
  CHECK(rows.view.count({.positions = true}) == 2);
  CHECK(rows.view.first({.positions = true}) == 4);
  CHECK(rows.view.count({.along = Along::rows}) == 3);
}

TEST_CASE("numbers are widened to those that products are summed in", "[clusters][rows_view]") {
  const auto wide = widened(Averages<float>{{1.5F, -2, 3}, {4, 5, -6}});
  static_assert(std::is_same_v<decltype(wide), const Averages<double>>);
  CHECK(wide.linear.x == 1.5);
  CHECK(wide.linear.y == -2);
  CHECK(wide.angular.z == -6);
  const auto c = widened(Compliance<float>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9.5F}});
  static_assert(std::is_same_v<decltype(c), const Compliance<double>>);
  CHECK(c.linear.y == 2);
  CHECK(c.diagonal.x == 4);
  CHECK(c.beside.z == 9.5);
}

}  // namespace rows_view_test
