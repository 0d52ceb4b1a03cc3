#include <dalembert/tangents/linearised_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace linearised_rows_test {

using namespace dalembert;
namespace detail = dalembert::assembly::detail;
using assembly::Window;
using detail::Slot;
using Eigen::Index;

/// Constraints of a kind, of which only the sizes are asked.
struct Kind {
  detail::LinearisedSizes sizes;
};

TEST_CASE("numbers of constraints follow each other, kind after kind", "[tangents]") {
  Kind first{{.count = 2, .rows = 3, .positions = 2, .slides = 1, .markers = 2}};
  Kind none{{.count = 0, .rows = 6, .positions = 6, .slides = 0, .markers = 2}};
  Kind last{{.count = 3, .rows = 1, .positions = 0, .slides = 2, .markers = 1}};
  const std::vector<Kind*> kinds{&first, &none, &last};
  std::vector<std::pair<Kind*, Slot>> visited;
  const Slot end = detail::each_constraint(std::span<Kind* const>(kinds), [&](Kind& kind, const Slot& slot) {
    visited.emplace_back(&kind, slot);
  });
  REQUIRE(visited.size() == 5);
  const auto is = [&](std::size_t i, Kind& kind, std::size_t number, int row, int position, int z) {
    CHECK(visited[i].first == &kind);
    CHECK(visited[i].second.index == i);
    CHECK(visited[i].second.number == number);
    CHECK(visited[i].second.row == row);
    CHECK(visited[i].second.position == position);
    CHECK(visited[i].second.z == z);
  };
  is(0, first, 0, 0, 0, 0);
  is(1, first, 1, 3, 2, 1);
  is(2, last, 0, 6, 4, 2);
  is(3, last, 1, 7, 4, 4);
  is(4, last, 2, 8, 4, 6);
  CHECK(end.row == 9);
  CHECK(end.position == 4);
  CHECK(end.z == 8);
  CHECK(end.index == 5);
}

/// Random rows of which two places are seen, an average over nodes of one body and a node of another one.
struct Rows : detail::LinearisedRows<double> {
  static constexpr int count = 3;
  test::NodeSet set{test::seed()};
  assembly::State<double> x;
  std::vector<Index> first{10, 40};
  std::vector<Window> windows;
  std::vector<double> linear, angular, other_linear, other_angular, ways, part;

  Rows() {
    set.add_chain(5);
    set.add_chain(2);
    x.chains = set.chains;
    windows = {set.window(0, 1, 3), set.window(1, 1, 1)};
    for (int i = 0; i < 6 * count; ++i)
      for (auto* numbers : {&linear, &angular, &other_linear, &other_angular})
        numbers->push_back(set.draw.between(-1, 1));
    for (int i = 0; i < 2 * count; ++i) ways.push_back(set.draw.between(-1, 1));
    for (int i = 0; i < count * count; ++i) part.push_back(set.draw.between(-1, 1));
    rows = count;
    positions = 2;
    view.rows = count;
    view.places = 2;
    view.windows = windows.data();
    view.along = ways.data();
    view.own = {linear.data(), angular.data()};
    view.reaction = {other_linear.data(), other_angular.data()};
    view.reacts_elsewhere = true;
    view.exact = part.data();
    lambda.resize(count);
    for (double& one : lambda) one = set.draw.between(-1, 1);
    x_ = &x;
    first_ = &first;
    weights_ = set.weights.data();
  }
  /// Entry (r, j) of a block of a place.
  double entry(const std::vector<double>& block, std::size_t place, int r, int j) const {
    return block[static_cast<std::size_t>(count * (3 * static_cast<int>(place) + j) + r)];
  }
  double alpha(std::size_t place, Index k) const {
    return set.weights[static_cast<std::size_t>(windows[place].weights + k)];
  }
};

TEST_CASE("rows touch the unknowns of the nodes of their places, those of turns in the frame of the node",
          "[tangents]") {
  const Rows rows;
  Mat<double, Rows::count, 60> own, pulls, wanted, wanted_pulls;
  for (auto* m : {&own, &pulls, &wanted, &wanted_pulls}) m->setZero();
  rows.each_row([&](Index unknown, int r, double a, double b) {
    own(r, unknown) += a;
    pulls(r, unknown) += b;
  });
  for (std::size_t place = 0; place < 2; ++place) {
    const Window& w = rows.windows[place];
    for (Index k = 0; k < w.count; ++k) {
      const Index unknown = rows.first[w.body] + 6 * (w.first + k);
      const auto turn = rows.set.chains[w.body].rotation(w.first + k).matrix();
      for (int r = 0; r < Rows::count; ++r)
        for (int j = 0; j < 3; ++j) {
          wanted(r, unknown + j) = rows.alpha(place, k) * rows.entry(rows.linear, place, r, j);
          wanted_pulls(r, unknown + j) = rows.alpha(place, k) * rows.entry(rows.other_linear, place, r, j);
          for (int l = 0; l < 3; ++l) {  // B Λ
            wanted(r, unknown + 3 + j) +=
                rows.alpha(place, k) * rows.entry(rows.angular, place, r, l) * turn(l, j);
            wanted_pulls(r, unknown + 3 + j) +=
                rows.alpha(place, k) * rows.entry(rows.other_angular, place, r, l) * turn(l, j);
          }
        }
    }
  }
  for (int r = 0; r < Rows::count; ++r)
    for (Index i = 0; i < 60; ++i) {
      CHECK(std::abs(own(r, i) - wanted(r, i)) < 1e-14);
      CHECK(std::abs(pulls(r, i) - wanted_pulls(r, i)) < 1e-14);
    }
}

TEST_CASE("weights of a place are told with the unknowns of its nodes", "[tangents]") {
  const Rows rows;
  std::vector<std::pair<Index, double>> told;
  rows.each_weight(0, [&](Index unknown, double weight) { told.emplace_back(unknown, weight); });
  CHECK(told == std::vector<std::pair<Index, double>>{
                    {16, rows.alpha(0, 0)}, {22, rows.alpha(0, 1)}, {28, rows.alpha(0, 2)}});
}

TEST_CASE("the pull on a place is that of all rows with their multipliers", "[tangents]") {
  const Rows rows;
  for (const std::size_t place : {0U, 1U})
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int r = 0; r < Rows::count; ++r) sum += rows.lambda[r] * rows.entry(rows.linear, place, r, j);
      CHECK(rows.pull(place)[j] == Approx(sum));
    }
}

TEST_CASE("a row of positions changes most along its gradient, and by turns of a node that bears it alone",
          "[tangents]") {
  const Rows rows;
  const double metres = 0.4;
  for (int p = 0; p < 2; ++p) {
    double most = 0;
    for (std::size_t place = 0; place < 2; ++place) {
      double weight = 0, linear = 0, angular = 0;
      for (Index k = 0; k < rows.windows[place].count; ++k) weight += rows.alpha(place, k);
      for (int j = 0; j < 3; ++j) {
        double one = 0, other = 0;
        for (int r = 0; r < Rows::count; ++r) {
          const double c = rows.ways[static_cast<std::size_t>(p + 2 * r)];
          CHECK(rows.along(p, r) == c);
          one += c * rows.entry(rows.linear, place, r, j);
          other += c * rows.entry(rows.angular, place, r, j);
        }
        linear = std::hypot(linear, one);
        angular = std::hypot(angular, other);
      }
      most = std::max(most, metres * weight * linear);
      if (place == 1) most = std::max(most, weight * angular);
    }
    CHECK(rows.change(p, metres) == Approx(most));
    CHECK(rows.change(p, 1e6) > 1e4 * most);
    CHECK(rows.change(p, 0) > 0);  // by turns
  }
}

TEST_CASE("rows slip but for their exact part where they are friction", "[tangents]") {
  Rows rows;
  for (int r = 0; r < Rows::count; ++r)
    for (int s = 0; s < Rows::count; ++s) CHECK(rows.slips(r, s) == 0);
  rows.mobility = 0.1;
  for (int r = 0; r < Rows::count; ++r)
    for (int s = 0; s < Rows::count; ++s)
      CHECK(rows.slips(r, s) == (r == s ? 1 : 0) - rows.part[static_cast<std::size_t>(r + Rows::count * s)]);
}

}  // namespace linearised_rows_test
