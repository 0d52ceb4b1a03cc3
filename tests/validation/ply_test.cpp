// Two rods wound around each other and stretched, which touch along a line without friction, by contacts that could
// open: the pressure of the closed form (systems/ply.hpp), equal over the middle, and the same contacts in each step.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/ply.hpp>

#include "support/catch.hpp"

namespace ply_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;

/// The chains of a ply that parts a little towards its ends: what is clamped there must not be pressed.
template <class Ply>
std::vector<Chain<>> parted(const Ply& ply) {
  const double length = ply.parameters.length(), fade = 2 * ply.parameters.radius;
  std::vector<Chain<>> chains = ply.chains;
  for (Chain<>& chain : chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      const double s = static_cast<double>(k) * ply.rods[0].spacing();
      const double more = 1 + 3e-3 * (std::exp(-s / fade) + std::exp((s - length) / fade));
      const V r = chain.position(k);
      chain.set_frame(k, chain.rotation(k), {more * r[0], more * r[1], r[2]});
    }
  return chains;
}

TEST_CASE(
    "stretched rods in a ply press on each other as the closed form says, evenly, and always at the same "
    "places",
    "[validation][contact]") {
  systems::PlyParameters<double> p;
  p.elements = 80;
  p.turns = 2;
  p.damping = 4000;
  REQUIRE(p.rate() * p.length() / p.elements < 0.16);  // wh
  const auto ply = systems::ply(p);
  const Assembly problem{bodies(ply.rods), contact::Touching<>{}};
  auto x = problem.state(parted(ply));
  drive(Verlet{}, problem, x, {.cfl = 0.65, .until = 0.02, .output_interval = 0.02});

  using Places = std::vector<std::array<double, 2>>;
  const double length = p.length(), exact = systems::ply_equilibrium(p).pressure;
  double sum = 0, least = 1e9, most = 0, deepest = 0, first = length, last = 0, step = 0;
  int count = 0;
  const auto look = [&] {
    Places places;
    sum = most = last = step = 0, least = 1e9, first = length, count = 0;
    double before = 0;
    for (const auto& t : contact::touches(problem, x)) {
      places.push_back(t.arc_lengths);
      deepest = std::max(deepest, -t.gap);
      const double s = t.arc_lengths[0];
      if (s < 0.37 * length || s > 0.63 * length) continue;
      sum += t.pressure();
      if (count > 0) step = std::max(step, std::abs(t.pressure() - before));
      before = t.pressure();
      least = std::min(least, t.pressure());
      most = std::max(most, t.pressure());
      first = std::min(first, s);
      last = std::max(last, s);
      ++count;
    }
    return places;
  };
  const Places rest = look();
  const double between = (last - first) / (count - 1), pressure = sum / count / between;
  CAPTURE(pressure / exact - 1, (most - least) * count / sum, step * count / sum, count, rest.size(),
          deepest);
  CHECK(rest.size() > 38);
  CHECK(std::abs(pressure / exact - 1) < 2e-3);
  CHECK(step * count / sum < 2e-4);  // from cell to cell
  CHECK((most - least) * count / sum < 1e-3);
  CHECK(deepest < 1e-12);
  auto stepper = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 20; ++i) {
    (void)stepper.step(problem, x, 2e-5);
    const Places now = look();
    REQUIRE(now.size() == rest.size());
    for (std::size_t k = 0; k < now.size(); ++k) CHECK(std::abs(now[k][0] - rest[k][0]) < 1e-3 * between);
  }
}

TEST_CASE("contacts whose positions cannot be put right are named", "[validation][contact]") {
  systems::PlyParameters<double> p;
  p.elements = 40;
  p.turns = 1;
  p.damping = 300;
  const auto ply = systems::ply(p);
  const Assembly problem{bodies(ply.rods), contact::Touching<>{}};
  auto x = problem.state(ply.chains);
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.cfl = 0.35, .until = 0.02}),
                    Catch::Matchers::ContainsSubstring("contacts, the worst of body 0") &&
                        Catch::Matchers::ContainsSubstring("its gap is off by"));
}

}  // namespace ply_test
