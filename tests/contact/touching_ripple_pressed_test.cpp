// Cells are not felt where distances hardly curve, if rods are pressed together by about two of their radii.

#include "support/catch.hpp"
#include "support/sliding_cells.hpp"

namespace touching_ripple_pressed_test {

using namespace sliding_cells;

// Where rods hardly curve apart there is a crown κ_c, which draws a place by κ_c/(κ_c + K_r) of its way to
// the middle of its cell and raises a gap by up to an eighth of κ_c ℓ_c², 1.25e-3 of a cell. What that does to
// the force falls with what presses, and with how fast cells are passed.
TEST_CASE("where rods hardly curve apart, cells are not felt if they are pressed", "[contact][touching]") {
  CHECK(ripple({.angle = 10, .depth = 2 * a, .elements = 48, .speed = 0.03}) < 1e-3);
  CHECK(ripple({.angle = 5, .depth = a, .elements = 60, .speed = 0.03}) < 1e-3);
  CHECK(ripple({.other = 49, .elastic = false, .depth = 2 * a, .elements = 48, .speed = 0.03}) < 1e-3);
}

}  // namespace touching_ripple_pressed_test
