#include "laws/group_laws.hpp"

TEMPLATE_LIST_TEST_CASE("retractions over double obey their laws", "[laws][lie]",
                        laws::Groups<double>::List) {
  laws::Suite<TestType>(40).retractions();
}
