// Two stretched rubber rods, hooked into each other, are struck and roll on each other without slip.
//
//   rolling_rods                                 the reference case: 5 s of motion, a second of work
//   rolling_rods --strike 9 --roll 6             livelier
//   rolling_rods --smearing body --tangency e3 --integrator rk4 --projection off --contact bilateral --dt 5e-5
//                                                the contact in its first published form: watch the gap drift
//
//        ends of rod 2 held low        A v = 0                no slip at the contact, averaged over a few nodes
//         \                            |R2 - R1| = 2a         the rods touch
//   ------ \ -------- rod 1, held      (R2 - R1).R1' = 0      where they touch
//           \         high             (R2 - R1).R2' = 0
//            \ rod 2
//
// Writes view.html, a page that plays the motion, contact.csv, ledger.csv, summary.json, pictures, forces within the rods (--sections 21: sections.csv), and a ParaView series (paraview/rods.pvd: apply the Tube filter
// with the radius array; paraview/contact.pvd: the contact point and force).

#include <algorithm>
#include <limits>

#include "rolling_rods/options.hpp"

int main(int argc, char** argv) {
  Options options;
  auto& rods = options.rods;
  long elements = rods.elements;
  double crossing_angle = 75.0;
  using example::Rule;
  example::Program program{"rolling_rods", "Two elastic rods in perfect rolling contact."};
  program.option("elements", elements, "elements of each rod", 2);
  program.option("length", rods.length, "m", "length of each rod without load", Rule::positive);
  program.option("radius", rods.radius, "m", "radius of the rods", Rule::positive);
  program.option("young", rods.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", rods.poisson, "1", "Poisson's ratio");
  program.option("density", rods.density, "kg/m^3", "density", Rule::positive);
  program.option("pre-stretch", rods.pre_stretch, "1", "stretch of the rods before they are hooked");
  program.option("crossing-angle", crossing_angle, "deg", "angle at which the rods cross");
  program.option("hook", rods.hook, "m", "how far the ends of each rod are drawn through the other");
  program.choice("kernel", options.kernel, {"cubic", "quintic", "compact"}, "bump that smears the contact");
  program.option("kernel-width", rods.kernel_width, "m", "width of the bump, rounded to whole elements",
                 Rule::positive);
  program.choice("smearing", options.averaging, {"spatial", "body"}, "what is smeared");
  program.choice("tangency", options.tangency, {"gamma", "e3"}, "tangent that the contact is normal to");
  program.choice("positions", options.positions, {"solved", "integrated"},
                 "how the contact positions follow");
  program.choice("contact", options.contact, {"unilateral", "bilateral"},
                 "whether a contact that pulls ends the run");
  program.option("strike", rods.strike, "m/s", "velocity with which rod 1 is struck");
  program.option("roll", rods.roll, "m/s", "velocity with which rod 2 rolls off");
  program.option("t-end", options.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", options.dt, stable_part);
  program.choice("integrator", options.integrator, {"verlet", "rk4", "dopri5"}, "integrator");
  program.choice("projection", options.projection, {"on", "off"}, "projection after each Runge-Kutta step");
  program.option("output-interval", options.output_interval, "s", "time between rows of the CSV files",
                 Rule::positive);
  program.option("frames", options.frames, "frames of the ParaView series, 0 for none", 0);
  program.option("sections", options.sections,
                 "sections of each rod, from end to end, whose forces are written, 0 for none", 0);
  return program.run(argc, argv, [&](example::Run& run) {
    rods.elements = static_cast<int>(std::min<long>(elements, std::numeric_limits<int>::max()));
    rods.crossing_angle = crossing_angle * static_cast<double>(dalembert::pi) / 180.0;
    simulate(options, run);
  });
}
