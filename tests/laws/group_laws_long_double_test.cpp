#include "laws/group_laws.hpp"

TEMPLATE_LIST_TEST_CASE("groups over long double obey their laws", "[laws][lie]",
                        laws::Groups<long double>::List) {
  laws::Suite<TestType>(40).all();
}
