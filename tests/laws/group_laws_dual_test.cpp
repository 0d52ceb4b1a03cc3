#include "laws/group_laws.hpp"

using Derivatives = dalembert::Dual<double, 2>;

TEMPLATE_LIST_TEST_CASE("groups over duals obey their laws, derivatives and all", "[laws][lie]",
                        laws::Groups<Derivatives>::List) {
  laws::Suite<TestType>(40).all();
}
