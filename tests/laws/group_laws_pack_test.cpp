#include "laws/group_laws.hpp"

using Lanes = dalembert::Pack<double, 4>;

TEMPLATE_LIST_TEST_CASE("groups over packs obey their laws in every lane", "[laws][lie]",
                        laws::Groups<Lanes>::List) {
  laws::Suite<TestType>(40).all();
}
