// Two rubber rods wound around each other and stretched: how hard do they press on each other?
//
//   ply                                          30 degrees, stretched by a fifth, three turns: 1116 N per metre
//   ply --elements 480                           finer: the error falls
//   ply --angle 20 --stretch 1.1 --turns 5       another ply
//
//    __      __      __        both centrelines are helices at the radius a: they turn at w and rise by p
//   /  \ /\ /  \ /\ /  \       wa = stretch sin(angle),  p = stretch cos(angle)
//   \__/ \/ \__/ \/ \__/       sections tilt by psi: -w m_phi + w a n_z - p n_phi = 0
//    held         held         pressure: q = w n_phi per metre of a rod without load
//
// Every node of rod 1 touches rod 2 somewhere, without friction (contact/line.hpp), and Newton's method finds the equilibrium
// (statics/statics.hpp). Near the ends, which are held in the shape of the closed form, the rods have no contact, hence the middle third is
// what is compared. Writes pressure.csv, summary.json, pictures, and ply.vtp for ParaView (Tube filter with the radius array).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>
#include <dalembert/systems/ply.hpp>

#include "support/output_file.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Chains = std::vector<rod::Chain<double>>;

/// Surfaces as grids that gnuplot shades, the axis of the ply to the right; every other sector is marked.
void write_surfaces(const std::filesystem::path& path, const Chains& chains, double radius) {
  example::OutputFile file(path);
  file << "# surfaces of the rods: x [m], y [m], z [m], colour; one block a rod\n";
  constexpr int around = 36;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    for (Eigen::Index k = 0; k < chains[i].nodes; ++k) {
      for (int j = 0; j <= around; ++j) {
        const double angle = 2 * static_cast<double>(pi) * j / around;
        const Vec3 p = chains[i].position(k) +
                       radius * chains[i].rotation(k).act(Vec3(std::cos(angle), std::sin(angle), 0));
        file << p[2] << ',' << p[0] << ',' << p[1] << ','
             << static_cast<double>(i) + (j / 6 % 2 == 0 ? 0.0 : 0.5) << '\n';
      }
      file << '\n';
    }
    file << "\n\n";
  }
  file.close();
}

/// Both centrelines for ParaView, rod 1 with the pressure on it.
void write_lines(const std::filesystem::path& path, const Chains& chains, double radius,
                 const std::vector<double>& pressure) {
  io::PolyData shape;
  std::vector<double> radii, pressures;
  for (const rod::Chain<double>& chain : chains) {
    const std::int64_t first = shape.point_count();
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      shape.add_point(chain.position(k));
      radii.push_back(radius);
      pressures.push_back(&chain == &chains[0] ? pressure[static_cast<std::size_t>(k)] : 0);
    }
    shape.add_line(first, chain.nodes);
  }
  shape.point_data("radius", 1, std::move(radii), io::Role::scalars);
  shape.point_data("pressure", 1, std::move(pressures));
  shape.write(path);
}

/// What the page shows: both rods, and at some of the nodes that touch the force on rod 1.
template <class Station>
void show(const systems::Ply<Station>& ply, const assembly::State<double>& state,
          const Vec<double, Eigen::Dynamic>& normal_forces, example::Run& run) {
  constexpr Eigen::Index most = 24;  // arrows
  io::Scene& scene = run.scene;
  const double radius = ply.parameters.radius;
  run.view.up = Vec3::UnitX();  // the axis of the ply lies, and is seen from the side
  run.view.yaw = 65;
  run.view.caption += " The equilibrium: nothing moves here.";
  const std::array tubes = {scene.tube("rod 1", radius, {.colour = 0}),
                            scene.tube("rod 2", radius, {.colour = 1})};
  if (!scene.frame(0)) return;
  for (std::size_t i = 0; i < 2; ++i) scene.put(tubes[i], state[i]);
  const Eigen::Index every = (normal_forces.size() + most - 1) / most;
  for (Eigen::Index i = every / 2; i < normal_forces.size(); i += every) {
    const auto& other = state[1];
    const double at = state.z[i] / ply.rods[1].spacing();
    const auto k = std::clamp<Eigen::Index>(static_cast<Eigen::Index>(at), 0, other.nodes - 2);
    const double part = at - static_cast<double>(k);
    const Vec3 here = state[0].position(ply.from + i),
               there = (1 - part) * other.position(k) + part * other.position(k + 1);
    const auto contact =
        scene.point("contact " + std::to_string(i + 1),
                    {.colour = 3, .radius = 0.2 * radius, .arrow = "force of a node on rod 1", .unit = "N"});
    scene.put(contact, (here + there) / 2, normal_forces[i] * (here - there).normalized());
  }
}

void solve(const systems::PlyParameters<double>& p, example::Run& run) {
  const auto exact = systems::ply_equilibrium(p);
  const auto ply = systems::ply(p);
  const auto problem = ply.problem();
  auto state = problem.state(ply.chains, ply.stations.nearest);
  const auto found = assembly::static_equilibrium(problem, state, {.first_step = 1});

  const double spacing = ply.rods[0].spacing();
  std::vector<double> pressure(static_cast<std::size_t>(ply.rods[0].nodes()), 0.0);
  {
    io::CsvWriter csv(run.out / "pressure.csv",
                      example::columns("s1 [m], s2 [m], pressure [N/m], pressure_exact [N/m]"));
    for (Eigen::Index i = 0; i < found.multipliers.size(); ++i) {
      const Eigen::Index k = ply.from + i;
      pressure[static_cast<std::size_t>(k)] = found.multipliers[i] / spacing;
      csv.row({static_cast<double>(k) * spacing, state.z[i], found.multipliers[i] / spacing, exact.pressure});
    }
    csv.close();
  }
  write_surfaces(run.out / "ply.dat", state.chains, p.radius);
  write_lines(run.out / "ply.vtp", state.chains, p.radius, pressure);

  show(ply, state, found.multipliers, run);

  const Vec3 section = state[0].rotation(p.elements / 2).act(Vec3(0, 0, 1));
  const double mean = ply.pressure(found.multipliers);
  auto& summary = run.summary;
  summary.figure("pressure", mean, "N/m", "mean over the middle third, per metre of a rod without load");
  summary.figure("pressure_exact", exact.pressure, "N/m", "the same of the closed form");
  summary.figure("pressure_error", mean / exact.pressure - 1, "1", "relative difference of these");
  summary.figure("tilt", exact.tilt, "rad", "of the sections to the axis, in closed form");
  summary.figure("tilt_middle", std::acos(std::min(1.0, section[2])), "rad", "the same found in the middle");
  summary.figure("tension", exact.tension, "N", "force of each rod along the axis, in closed form");
  summary.figure("torque", exact.torque, "N m", "moment of each rod about the axis, in closed form");
  summary.figure("turn_per_element", p.rate() * spacing, "rad", "wh: the error falls with it");
  summary.figure("stations", static_cast<double>(found.multipliers.size()), "1", "nodes that touch");
  summary.figure("lambda_normal_min", found.multipliers.minCoeff(), "N", "smallest normal force of a node");
  summary.figure("gap_error_max", problem.constraint(state).position, "m", "largest error of a distance");
  summary.figure("iterations", found.search.iterations, "1", "of Newton's method");
  summary.figure("residual", found.search.residual, "1", "of the equilibrium, relative to the largest load");
  summary.final_state(state, found.search.iterations);
  summary.print();
  example::draw(run, {"ply", 2000, 600});
  example::draw(run, {"pressure"}, example::Variables{}("thirds", p.length() / 3)("exact", exact.pressure));
}

}  // namespace

int main(int argc, char** argv) {
  systems::PlyParameters<double> p;
  long elements = p.elements;
  double angle = 30;
  using example::Rule;
  example::Program program{"ply", "Two elastic rods wound around each other, stretched: their pressure."};
  program.option("angle", angle, "deg", "angle of the strands with the axis", Rule::positive);
  program.option("stretch", p.stretch, "1", "length of the strands over that without load", Rule::positive);
  program.option("turns", p.turns, "1", "turns about the axis", Rule::positive);
  program.option("elements", elements, "elements of each rod", 2);
  program.option("radius", p.radius, "m", "radius of the rods", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.rule("angle", "must be less than 45 degrees: a steeper ply would be inside itself",
               [&] { return angle < 45; });
  return program.run(argc, argv, [&](example::Run& run) {
    p.elements = static_cast<int>(std::min<long>(elements, std::numeric_limits<int>::max()));
    p.angle = angle * static_cast<double>(pi) / 180;
    solve(p, run);
  });
}
