#include <dalembert/statics/detail/static_kind.hpp>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/links.hpp"

namespace static_kind_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Catch::Matchers::ContainsSubstring;
using Numbers = Vec<double, Eigen::Dynamic>;
using V3 = Vec<double, 3>;

/// Two nodes of one body and one of another, and constraints of two kinds between them.
struct Scene {
  State<double> x;
  std::vector<test::Leash> leashes = std::vector<test::Leash>(2);
  std::vector<test::Ways> ways = std::vector<test::Ways>(2);
  StaticConstraints<double, test::Leash, test::Ways> kinds{std::tie(leashes, ways)};

  explicit Scene(test::Draw& draw) {
    x.time = 0.7;
    for (const Eigen::Index nodes : {2, 1}) {
      x.chains.emplace_back(nodes);
      for (Eigen::Index k = 0; k < nodes; ++k) x.chains.back().set_frame(k, draw.rotation(), draw.vector());
    }
    for (const std::size_t i : {0U, 1U})
      for (test::Ends* const ends :
           {static_cast<test::Ends*>(&leashes[i]), static_cast<test::Ends*>(&ways[i])}) {
        ends->first = {0, static_cast<Eigen::Index>(i), draw.vector(), draw.rotation()};
        ends->second = {1, 0, draw.vector(), draw.rotation()};
      }
  }
  /// Where a marker is.
  V3 place(const test::Ends::Marker& m) const {
    return x[m.body].position(m.node) + x[m.body].rotation(m.node).act(m.offset);
  }
};

TEST_CASE("a kind tells its sizes, and each constraint where its markers are", "[statics]") {
  test::Draw draw(test::seed());
  const Scene s(draw);
  REQUIRE(s.kinds.view().size() == 2);
  const auto &one = *s.kinds.view()[0], &other = *s.kinds.view()[1];
  CHECK(one.sizes.count == 2);
  CHECK(one.sizes.rows == 1);
  CHECK(one.sizes.positions == 1);
  CHECK(other.sizes.rows == 2);
  CHECK(other.sizes.positions == 1);
  CHECK(other.sizes.slides == 0);
  CHECK(other.sizes.markers == 2);
  std::vector<V3> places(5);
  one.find_positions(1, s.x, 0, places);
  REQUIRE(places.size() == 2);
  CHECK((places[0] - s.place(s.leashes[1].first)).norm() < 1e-14);
  CHECK((places[1] - s.place(s.leashes[1].second)).norm() < 1e-14);
}

TEST_CASE("the reactions of position rows pull as the gradients of these do", "[statics]") {
  test::Draw draw(test::seed());
  const Scene s(draw);
  Numbers m(4);
  for (double& one : m) one = draw.between(-1, 1) * draw.power(-6, 6);
  double lambda[2] = {};
  s.kinds.view()[0]->find_reactions(1, s.x, 0, m, 3, lambda);
  CHECK(lambda[0] == m[3]);
  s.kinds.view()[1]->find_reactions(0, s.x, 0, m, 2, lambda);
  CHECK(lambda[0] == Approx(-2 * m[2] / 3));
  CHECK(lambda[1] == Approx(m[2] / 3));
}

TEST_CASE("one that is held is that of its number, with its multipliers, until the next is", "[statics]") {
  test::Draw draw(test::seed());
  const Scene s(draw);
  const std::vector<Eigen::Index> first{0, 12};
  const Numbers m{{0.3, -0.8, 1.7}};
  for (const std::size_t i : {0U, 1U}) {
    const auto& held = s.kinds.view()[1]->hold(i, s.x, 0, first, 18, m, static_cast<int>(i) + 1);
    LinearisedConstraint<test::Ways> wanted(s.ways[i], s.x, 0, first, 18);
    wanted.find_places();
    wanted.hold_positions(Vec<double, 1>(m[static_cast<Eigen::Index>(i) + 1]));
    CHECK(held.error[0] == wanted.error[0]);
    for (int r = 0; r < 2; ++r) CHECK(held.lambda[r] == wanted.lambda[r]);
    REQUIRE(held.places.size() == 2);
    CHECK((held.places[0].position - s.place(s.ways[i].first)).norm() < 1e-14);
    CHECK((held.places[1].position - s.place(s.ways[i].second)).norm() < 1e-14);
  }
}

TEST_CASE("a marker that is on no chain is refused by the name of its constraint", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw);
  const auto& kind = *s.kinds.view()[0];
  CHECK_NOTHROW(kind.check(1, s.x.chains));
  s.leashes[1].second.body = 2;
  CHECK_NOTHROW(kind.check(0, s.x.chains));
  CHECK_THROWS_AS(kind.check(1, s.x.chains), std::invalid_argument);
  CHECK_THROWS_WITH(kind.check(1, s.x.chains), ContainsSubstring("Leash 1: body of a marker = 2"));
  CHECK_THAT(kind.name_of_row(0, 0), ContainsSubstring("Leash 0"));
  CHECK_THAT(s.kinds.view()[1]->name_of_row(1, 0), ContainsSubstring("Ways 1"));
}

}  // namespace static_kind_test
