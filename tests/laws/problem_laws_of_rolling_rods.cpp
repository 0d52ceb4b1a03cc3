// The variants of the rolling contact in assemblies, for the laws of problems: alone, beside a crossing whose nodes they share, with positions
// that are solved for or follow their rates.

#include <dalembert/contact/rolling_of_rods.hpp>

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"

namespace problem_laws_of_rolling_rods {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using Column = Vec<double, Eigen::Dynamic>;

/// Three rods: the second rolls on the first by this variant; the third crosses the first near to it.
template <class Constraint>
void add(test::Problems& all, const std::string& name, bool elsewhere, bool integrated) {
  auto scene = elsewhere ? test::Scene<double>(SO3<double>::exp({0.3, -1.1, 0.7}), {0.4, 0.3, -0.6})
                         : test::Scene<double>();
  const double a = 0.005, half = 0.5;
  const Rod rod = scene.rod();
  const std::vector<rod::Chain<double>> chains{scene.rod_along_x(0), scene.rod_along_y(0, 2.5 * a),
                                               scene.rod_along_y(0.08, -2.5 * a)};
  Column s(4);
  s << half, half, 0.58, half;
  const assembly::Assembly problem{
      assembly::bodies(std::vector{rod, rod, rod}),
      assembly::constraints(
          std::vector{Constraint{{0, rod, 0.1}, {1, rod, 0.1}, a, 1.5 * a, true, integrated}},
          std::vector{RollingContact{{0, rod, 0.1}, {2, rod, 0.1}, a, 1.5 * a, true}})};
  const auto start = problem.state(chains, s, 0.4);
  auto closed = start;
  problem.solve_tangencies(closed);
  problem.project(closed);
  test::add_problem(all, "rolling of rods: " + name + (integrated ? ", integrated" : ""), problem,
                    {start, closed}, {.at_tangencies = !integrated, .equivariant = true});
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  namespace c = contact;
  using Body = c::BodyAveraging;
  using Spatial = c::SpatialAveraging;
  for (const bool integrated : {false, true}) {
    add<c::RollingOfRods<double, c::CubicSpline, Body, c::MaterialTangency>>(all, "cubic, body, material",
                                                                             elsewhere, integrated);
    add<c::RollingOfRods<double, c::CubicSpline, Spatial, c::CentredTangency>>(all, "cubic, spatial, centred",
                                                                               elsewhere, integrated);
    add<c::RollingOfRods<double, c::Gaussian, Body, c::ElementTangency>>(
        all, "Gaussian over all nodes, body, element", elsewhere, integrated);
    add<c::RollingContact<double, c::Gaussian>>(all, "Gaussian over all nodes, spatial, centreline",
                                                elsewhere, integrated);
  }
});

}  // namespace problem_laws_of_rolling_rods
