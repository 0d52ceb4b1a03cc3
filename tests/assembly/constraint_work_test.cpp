// Where the rows of constraints lie among those of all, and the systems of those that are solved together.

#include <dalembert/assembly/detail/constraint_work.hpp>

#include <vector>

#include <dalembert/contact/bead.hpp>

#include "support/catch.hpp"
#include "support/links.hpp"

namespace constraint_work_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Work = PartWork<double, false, false>;
using Bead = contact::Bead<double>;

TEST_CASE("the slot of a constraint is behind the rows of all before it", "[assembly][constraint_work]") {
  // three of a kind with one position row and two rows, then beads
  Slot first{.kind = 2, .number = 0, .row = 10, .position = 4, .z = 1, .index = 6}, slot = first;
  for (std::size_t i = 0; i < 3; ++i) {
    const Slot at = slot_of<test::Ways>(first, i, 40 + i);
    CHECK(at.kind == 2);
    CHECK(at.number == i);
    CHECK(at.row == slot.row);
    CHECK(at.position == slot.position);
    CHECK(at.z == slot.z);
    CHECK(at.index == 40 + i);
    slot.row += 2;
    slot.position += 1;
  }
  advance<test::Ways>(first, 3);
  CHECK(first.row == 16);
  CHECK(first.position == 7);
  CHECK(first.z == 1);
  CHECK(first.index == 9);
  const Slot bead = slot_of<Bead>(first, 5, 0);
  CHECK(bead.row == 16 + 5 * 2);
  CHECK(bead.position == 7 + 5 * 2);
  CHECK(bead.z == 1 + 5);
  CHECK(slot_of<test::Blades>(first, 5, 0).position == 7);
}

TEST_CASE("a cluster keeps its system until clusters are others, and takes one only where it needs one",
          "[assembly][constraint_work]") {
  Work work;
  work.make_room(7);
  CHECK(work.system_of == std::vector<int>(7, -1));
  work.groups = {4, 1};
  work.make_systems();
  CHECK(work.systems.size() == 2);
  auto* const of_4 = &work.system(4);
  auto* const of_1 = &work.system(1);
  CHECK(of_4 != of_1);
  work.groups = {1};
  work.make_systems();
  CHECK(&work.system(1) == of_1);
  CHECK(&work.system(4) == of_4);
  work.groups = {0, 1, 4};
  work.make_systems();
  CHECK(work.systems.size() == 3);
  CHECK(work.systems_used == 3);
  CHECK(&work.system(0) == &work.systems[2]);
  CHECK(work.system_of[2] == -1);
  work.forget_systems();
  CHECK(work.systems_used == 0);
  work.groups = {6};
  work.make_systems();
  CHECK(work.systems_used == 1);
  CHECK(work.systems.size() == 3);  // room that is there stays
  CHECK(&work.system(6) == &work.systems[0]);
  CHECK(work.system_of[4] == -1);
}

TEST_CASE("room for constraints is made once, so that lists of them do not move",
          "[assembly][constraint_work]") {
  Work work;
  work.make_room(50);
  const auto* const groups = work.groups.data();
  const auto* const shared = work.shared_clusters.data();
  const auto* const members = work.members.data();
  for (std::size_t i = 0; i < 50; ++i) {
    work.groups.push_back(i);
    work.shared_clusters.push_back(i);
    work.members.push_back({});
  }
  CHECK(work.groups.data() == groups);
  CHECK(work.shared_clusters.data() == shared);
  CHECK(work.members.data() == members);
}

}  // namespace constraint_work_test
