// All constraints of an assembly: their numbers, parts and room, and what does not fit.

#include <dalembert/assembly/detail/constraint_list.hpp>

#include <stdexcept>
#include <tuple>
#include <vector>

#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/string/grid_contact.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"

namespace constraint_list_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Catch::Matchers::ContainsSubstring;
using Bead = contact::Bead<double>;
using Contact = strings::GridContact<double>;
using test::between_nodes;

static_assert(!ConstraintList<double>::some && ConstraintList<double, test::Leash>::some);
static_assert(ConstraintList<double, test::Leash, test::Slanted>::react_elsewhere &&
              !ConstraintList<double, test::Leash, test::Blades>::react_elsewhere);
static_assert(ConstraintList<double, test::Leash, contact::Frictional<test::Ways>>::rub &&
              !ConstraintList<double, test::Leash, test::Ways>::rub);
static_assert(!ConstraintList<double, Contact, test::Leash>::displace_lines);  // velocities alone

/// Three chains, of which no two are short enough to be in one part, but for the last.
struct Scene : test::DenseNodes {
  using Ways = test::Ways;
  using Blades = test::Blades;
  std::vector<Ways> ways{between_nodes<Ways>(set.draw, 0, 3, 3, 0), between_nodes<Ways>(set.draw, 1, 2, 1, 6),
                         between_nodes<Ways>(set.draw, 0, 5, 0, 9)};
  std::vector<Blades> blades{between_nodes<Blades>(set.draw, 1, 2, 1, 70),
                             between_nodes<Blades>(set.draw, 0, 9, 0, 70)};
  ConstraintList<double, Ways, Blades> list{{ways, blades}, x};

  Scene() : DenseNodes(test::seed(), {400, 300, 200, 1}) {}
};

TEST_CASE("constraints are numbered kind after kind, and counted anew in each part",
          "[assembly][constraint_list]") {
  Scene scene;
  const auto& list = scene.list;
  CHECK(list.rows() == 3 * 2 + 2 * 2);
  CHECK(list.positions() == 3);
  CHECK(list.slides() == 0);
  CHECK(!list.follow_rates());
  for (std::size_t i = 0; i < 3; ++i) CHECK(list.first_row<0>(i) == 2 * static_cast<int>(i));
  for (std::size_t i = 0; i < 2; ++i) CHECK(list.first_row<1>(i) == 6 + 2 * static_cast<int>(i));
  using Numbers = std::vector<std::tuple<std::size_t, std::size_t, int, int, std::size_t>>;
  const auto told = [](Numbers& to) {
    return [&to](const auto&... of) {
      const Slot& s = std::get<sizeof...(of) - 1>(std::tie(of...));
      to.emplace_back(s.kind, s.number, s.row, s.position, s.index);
    };
  };
  Numbers all, first, second;
  list.each(told(all));
  CHECK(all == Numbers{{0, 0, 0, 0, 0}, {0, 1, 2, 1, 1}, {0, 2, 4, 2, 2}, {1, 0, 6, 3, 3}, {1, 1, 8, 3, 4}});
  const auto& [part, count] = list.part_of_bodies();
  CHECK(part == std::vector{0, 1, 1, 0});
  REQUIRE(count == 2);
  auto work = list.make_workspace(scene.x);
  list.each(std::size_t{0}, work, told(first));
  list.each(std::size_t{1}, work, told(second));
  CHECK(first == Numbers{{0, 0, 0, 0, 0}, {0, 2, 4, 2, 1}, {1, 1, 8, 3, 2}});
  CHECK(second == Numbers{{0, 1, 2, 1, 0}, {1, 0, 6, 3, 1}});
  const auto mine = list.kinds_of_part(1, work);
  CHECK(mine.view()[0]->size() == 1);
  CHECK(mine.view()[1]->index() == 1);
  CHECK(mine.view()[1]->name_of_row(7, false) == "row 1 [m] of Blades 0 (body 1, body 1)");
  CHECK(mine.view()[1]->name_of_row(8, false).empty());  // which is of the other part
}

TEST_CASE("a workspace has room for every row, node and constraint, and finds places part by part",
          "[assembly][constraint_list]") {
  Scene scene;
  const auto& list = scene.list;
  auto work = list.make_workspace(scene.x);
  CHECK(work.weights == std::vector<double>{1});
  CHECK(work.mu.size() == 10);
  CHECK(work.known.size() == 10);
  CHECK(work.push.size() == 3);
  REQUIRE(work.owners.size() == 4);
  CHECK(work.owners[1] == std::vector<int>(300, -1));
  CHECK(work.parts.size() == 2);
  CHECK(work.parts[1].system_of.size() == 2);
  CHECK(work.kept.chains.empty());
  list.find_places(1, scene.x, work);
  CHECK(work.parts[1].clusters.count() == 1);
  CHECK(work.parts[0].clusters.count() == 0);
  list.find_places(scene.x, work);
  CHECK(work.parts[0].clusters.count() == 2);  // two of them share node 9
  list.each(work, [&]<class K>(const K& c, const Evaluation<K>& e, const Slot&) {
    const PlacedConstraint<K> placed(c, scene.x, 0);
    CHECK((e.error - placed.evaluation.error).norm() == 0);
    CHECK((e.points[1].R - placed.evaluation.points[1].R).norm() == 0);
  });
  // where there are no constraints, nodes still have the weight 1
  CHECK(ConstraintList<double>({}, scene.x).make_workspace(scene.x).weights == std::vector<double>{1});
  // where rows are friction, there is room for loads
  using Rubbing = contact::Frictional<test::Ways>;
  const Rubbing rubbing{scene.ways[0], 0.1};
  const ConstraintList<double, Rubbing> rough({{rubbing}}, scene.x);
  CHECK(rough.make_workspace(scene.x).kept[0].rows() == scene.x[0].velocity.rows());
}

TEST_CASE("markers that are not there, of other bodies, and parameters that mean nothing are refused by name",
          "[assembly][constraint_list]") {
  Scene scene;
  const auto with = [&](const auto& change, BodySetId set = 7) {
    auto ways = scene.ways;
    for (auto& c : ways) c.first.set = c.second.set = 7;
    change(ways[1]);
    return ConstraintList<double, test::Ways>({ways}, scene.x, set);
  };
  CHECK_NOTHROW(with([](auto&) {}));
  CHECK_THROWS_WITH(with([](auto& c) { c.second.body = 4; }),
                    ContainsSubstring("Ways 1: body of a marker = 4") && ContainsSubstring("4 bodies"));
  CHECK_THROWS_WITH(with([](auto& c) { c.second.node = 300; }),
                    ContainsSubstring("Ways 1: node of a marker = 300"));
  CHECK_THROWS_WITH(with([](auto& c) { c.second.set = 8; }),
                    ContainsSubstring("Ways 1: handle of a marker = 1"));
  CHECK_THROWS_WITH(with([](auto&) {}, 9), ContainsSubstring("Ways 0: handle"));
  using Rubbing = contact::Frictional<test::Ways>;
  CHECK_THROWS_AS((ConstraintList<double, Rubbing>({{Rubbing{scene.ways[0], -1}}}, scene.x)),
                  std::invalid_argument);
}

TEST_CASE("internal coordinates are sought, or move, with the number that they have among all",
          "[assembly][constraint_list]") {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 12);
  const Bead bead{{0, rod, 0.15}, {1, 0, {0.1, -0.2, 0.05}}};
  const test::Runner runner{bead, 0.2};
  State<double> x{0.3,
                  {test::random_chain(rod, test::rotation_matrix<double>(random.vector<double>()), random),
                   Chain<double>(1)},
                  Vec<double, 2>(0.47, 0.46)};
  const PlacedConstraint<test::Runner> placed(runner, x, 1);
  x[1].set_frame(0, SO3<double>::identity(), placed.evaluation.points[0].R - bead.marker.offset);
  x.z[1] = 0.45;
  const ConstraintList<double, Bead, test::Runner> list({{bead}, {runner}}, x);
  CHECK(list.slides() == 2);
  CHECK(list.follow_rates());
  CHECK(!ConstraintList<double, Bead>({{bead}}, x).follow_rates());
  list.solve_tangencies(x, true);
  CHECK(x.z[0] == Approx(0.46).epsilon(1e-12));
  CHECK(x.z[1] == 0.45);
  State<double> y = x;
  list.slide(0, x, Vec<double, 2>(3, 5), 1e-3, y, false);
  CHECK(y.z[0] - x.z[0] == Approx(3e-3));
  CHECK(y.z[1] - x.z[1] == Approx(5e-3));
}

}  // namespace constraint_list_test
