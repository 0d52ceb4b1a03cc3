// Systems whose constraints are friction, a stiff potential or a large inertia, for the laws of problems.

#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/stiff_realization.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/snakeboard.hpp>

#include "laws/problem_laws_of_small_systems.hpp"

namespace problem_laws_of_realizations {

using namespace dalembert;
using namespace dalembert::systems;
using test::add_system;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  add_system(all, elsewhere, "pendulum on a rod", Pendulum<double>{{}});
  add_system(all, elsewhere, "pendulum on a spring", with_potential(Pendulum<double>{{}}, 0.1));
  add_system(all, elsewhere, "sleigh with friction",
             with_friction(ChaplyginSleigh<double>{{.offset = 0.4}}, 1.3, 0.2),
             {.reversible = false, .equivariant = true});
  add_system(all, elsewhere, "snakeboard with an inertia aside", with_inertia(Snakeboard<double>{{}}, 0.3));
});

}  // namespace problem_laws_of_realizations
