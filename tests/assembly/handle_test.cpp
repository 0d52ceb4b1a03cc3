#include <dalembert/assembly/handle.hpp>

#include <type_traits>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace handle_test {

using dalembert::assembly::Handle;
using dalembert::assembly::may_be_same;

static_assert(Handle<test::LooseMasses>::on_line);
static_assert(!Handle<test::LooseNodes>::on_line);
static_assert(std::is_same_v<Handle<test::LooseNodes>::Body, test::LooseNodes>);
static_assert(std::is_trivially_copyable_v<Handle<test::LooseNodes>>);

TEST_CASE("sets may be one unless it is known that they are two", "[assembly][handle]") {
  static_assert(may_be_same(3, 3) && !may_be_same(3, 4));
  static_assert(may_be_same(0, 4) && may_be_same(4, 0) && may_be_same(0, 0));
  const Handle<test::LooseNodes> none;
  CHECK(none.number == 0);
  CHECK(none.nodes == 0);
  CHECK(may_be_same(none.set, 12));
}

}  // namespace handle_test
