// Systems with rows of order 3 and above, for the laws of problems.

#include "laws/problem_laws_of_small_systems.hpp"
#include "support/higher_order.hpp"

namespace problem_laws_of_higher_orders {

using test::add_system;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  add_system(all, elsewhere, "constant snap", test::ConstantSnap<double>{},
             {.reversible = false, .workless = false, .equivariant = true});
  add_system(all, elsewhere, "sleigh of mixed orders", test::SleighOfMixedOrders<double>{},
             {.reversible = false, .workless = false, .equivariant = true});
  add_system(all, elsewhere, "any body under a row of order 3", test::AnyBody<double>{},
             {.reversible = false, .workless = false});
});

}  // namespace problem_laws_of_higher_orders
