// Small systems that between them use every part of the dense engine, for the laws of problems.

#include "laws/problem_laws_of_small_systems.hpp"
#include "support/systems.hpp"

namespace problem_laws_of_test_systems {

using test::add_system;

template <class S>
void add(test::Problems& all, bool elsewhere) {
  add_system(all, elsewhere, "skate on a slope", test::SkateOnSlope<S>{});
  add_system(all, elsewhere, "particle", test::NonholonomicParticle<S>{});
  add_system(all, elsewhere, "bead on a turning line", test::BeadOnTurningLine<S>{},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "spherical pendulum", test::SphericalPendulum<S>{});
  add_system(all, elsewhere, "Suslov", test::Suslov<S>{}, {.equivariant = true});
  add_system(all, elsewhere, "heavy top", test::HeavyTop<S>{});
  add_system(all, elsewhere, "growing mass", test::GrowingMass<S>{}, {.reversible = false});
  add_system(all, elsewhere, "constant speed", test::ConstantSpeed<S>{},
             {.workless = false, .affine_rows = false});
  add_system(all, elsewhere, "slanted blade", test::SlantedBlade<S>{},
             {.reversible = false, .workless = false, .equivariant = true});
  add_system(all, elsewhere, "two rows", test::TwoRows<S>{});
  add_system(all, elsewhere, "Maxwell's element", test::Maxwell<S>{},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "Maxwell's element on a skate", test::MaxwellOnSkate<S>{},
             {.reversible = false, .workless = false});
  add_system(all, elsewhere, "spring by a cubic", test::Cubic<S>{});
  add_system(all, elsewhere, "servo", test::Servo<S>{}, {.workless = false});
}

const test::ProblemFamily family(add<double>);

}  // namespace problem_laws_of_test_systems
