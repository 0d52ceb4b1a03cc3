#include "laws/group_laws.hpp"

TEMPLATE_LIST_TEST_CASE("groups over float obey their laws", "[laws][lie]", laws::Groups<float>::List) {
  laws::Suite<TestType>(40).all();
}
