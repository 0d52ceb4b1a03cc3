#include <dalembert/contact/rolling_contact.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/dense_residual.hpp"
#include "support/rods.hpp"

namespace crossing_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// Two rods hooked into each other and struck.
struct Hooked {
  systems::RollingRodsParameters<double> p{.elements = 40, .strike = 4.0};
  systems::RollingRodsStart<double, contact::CubicSpline> start = systems::static_start(p);
  assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<RollingContact>> problem = start.problem();
  assembly::State<double> state = [&] {
    auto x = start.state;
    systems::set_initial_velocity(problem, x, p);
    return x;
  }();
};

TEST_CASE("two rods that are hooked into each other and struck have their known force and rates",
          "[contact][crossing]") {
  const Hooked hooked;
  CHECK(hooked.problem.energy(hooked.state) == Approx(5.6282780945363).epsilon(1e-11));
  CHECK(hooked.problem.kinetic_energy(hooked.state) == Approx(0.29150322417501).epsilon(1e-10));
  CHECK((Vec<double, 2>(hooked.state.z) - Vec<double, 2>(0.45116378560062, 0.54883621439938)).norm() < 1e-11);
  auto r = hooked.problem.make_rates();
  hooked.problem.rates(hooked.state, r);
  // that of a solve in which the rods' nodes were summed another way
  const Vec3 force(-0.065631043832393, -0.050798394739596, -5.6456099176203);
  CHECK((Vec3(r.lambda) - force).norm() < 1e-9 * force.norm());
  CHECK((Vec<double, 2>(r.zdot) - Vec<double, 2>(3.4783975975791, 0.94811216850286)).norm() < 1e-9);
  const auto violation = hooked.problem.constraint(hooked.state);
  CHECK(violation.position < 1e-16);
  CHECK(violation.velocity < 1e-13);
}

TEST_CASE("two rods that roll for a fifth of a second come to their known places", "[contact][crossing]") {
  const Hooked hooked;
  auto x = hooked.state;
  drive(Verlet{}, hooked.problem, x, {.step = 1e-4, .until = 0.2});
  CHECK((Vec<double, 2>(x.z) - Vec<double, 2>(0.44544697806442, 0.54301201651885)).norm() < 1e-8);
  CHECK((x[0].position(13) - Vec3(-0.16002873227402, -0.0097691552231317, 0.015738249410562)).norm() < 1e-8);
  CHECK((x[1].position(27) - Vec3(0.03766840734842, 0.15314612669658, -0.018793492203201)).norm() < 1e-8);
  const auto violation = hooked.problem.constraint(x);
  CHECK(violation.position < 1e-16);
  CHECK(violation.velocity < 1e-14);
}

/// A rod that two others cross within a kernel width of each other, one from above and one from below, deformed and moving.
auto three_rods() {
  const Rod rod = test::soft_rod<Rod>(0.005, 20);
  std::vector<rod::Chain<double>> chains;
  const auto along_x = SO3<double>::exp(Vec3(0, M_PI / 2, 0)),
             along_y = SO3<double>::exp(Vec3(-M_PI / 2, 0, 0));
  chains.push_back(rod.straight({-0.5, 0, 0}, along_x));
  chains.push_back(rod.straight({0.01, -0.5, 0.01}, along_y));
  chains.push_back(rod.straight({0.05, -0.5, -0.01}, along_y));
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  const auto vector = [&](double size) {
    return Vec3(size * Vec3(draw(engine), draw(engine), draw(engine)));
  };
  for (auto& chain : chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      rod::move_node(chain, k, vector(5e-4), vector(0.05));
      chain.set_velocity(k, vector(1), vector(1));
    }
  const auto crossing = [&](std::size_t i, std::size_t j) {
    return RollingContact{{i, rod, 0.05}, {j, rod, 0.05}, 0.005, 0.005, true};
  };
  assembly::Assembly problem{assembly::bodies(std::vector{rod, rod, rod}),
                             assembly::constraints(std::vector{crossing(0, 1), crossing(0, 2)})};
  Vec<double, Eigen::Dynamic> s(4);
  s << 0.51, 0.5, 0.55, 0.5;
  auto x = problem.state(chains, s);
  problem.project(x);
  return std::pair{problem, x};
}

TEST_CASE("contacts whose windows share nodes have the forces of a dense solve", "[contact][crossing]") {
  const auto made = three_rods();
  const auto& problem = made.first;
  const auto& x = made.second;
  REQUIRE(problem.constraint(x).position < 1e-16);
  REQUIRE(problem.constraint(x).velocity < 1e-13);
  auto solved = problem.make_rates();
  problem.rates(x, solved);
  CHECK(solved.report.clusters == 1);
  CHECK(solved.report.redundant_rows == 0);

  const Eigen::VectorXd dense = test::dense_rates(problem, x);
  const Eigen::Index n = dense.size();
  const double size = solved.lambda.lpNorm<Eigen::Infinity>();
  REQUIRE(size > 0.1);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(dense[n - 6 + i] - solved.lambda[i]) < 1e-12 * size);
  for (int i = 0; i < 4; ++i) CHECK(std::abs(dense[n - 10 + i] - solved.zdot[i]) < 1e-10);
  // each force is another than if the other contact were not there
  const assembly::Assembly alone{assembly::bodies(problem.template bodies<0>()),
                                 assembly::constraints(std::vector{problem.template constraints<0>()[0]})};
  auto y = alone.state(x.chains, x.z.head(2));
  auto of_y = alone.make_rates();
  alone.rates(y, of_y);
  CHECK((of_y.lambda - solved.lambda.head(3)).norm() > 1e-3 * size);
}

TEST_CASE("three rods in contact keep their constraints", "[contact][crossing]") {
  auto [problem, x] = three_rods();
  for (auto& chain : x.chains) chain.velocity *= 0.2;
  problem.project(x);
  const double energy = problem.energy(x);
  drive(Verlet{}, problem, x, {.step = 5e-5, .until = 0.01});
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-2 * energy);
}

TEST_CASE("a place of another rod with as many nodes is refused", "[contact][crossing][statics]") {
  const Rod rod = test::soft_rod<Rod>(0.005, 20);
  Rod::Parameters p = rod.parameters();
  p.length = 1.25 * rod.length();
  const Rod longer(rod.material(), p);
  const auto on = [&](const Rod& second) {
    return contact::RollingContact<double>{{0, rod, 0.1}, {1, second, 0.1}, 0.005, 0.005, true};
  };
  const auto make = [&](const contact::RollingContact<double>& c) {
    return assembly::Assembly{assembly::bodies(std::vector{rod, rod}), assembly::constraints(std::vector{c})};
  };
  CHECK_NOTHROW(make(on(rod)));
  CHECK_THROWS_WITH(make(on(longer)),
                    ContainsSubstring("RollingContact 0: distance of nodes of a marker = 0.0625"));
  CHECK_THROWS_WITH(make(on(longer)), ContainsSubstring("the nodes of body 1 are 0.05 m apart"));
}

TEST_CASE("crossings in wrong places are refused", "[contact][crossing]") {
  const Hooked hooked;
  const auto& rods = hooked.start.rods;
  const auto make = [&](std::size_t first, const Rod& rod) {
    return assembly::Assembly{assembly::bodies(rods),
                              assembly::constraints(std::vector{
                                  RollingContact{{first, rod, 0.1}, {1, rods[1], 0.1}, 0.005, 0.005}})};
  };
  CHECK_THROWS_WITH(make(2, rods[0]), ContainsSubstring("RollingContact 0: body of a marker = 2"));
  const Rod longer{rods[0].material(), [&] {
                     auto p = rods[0].parameters();
                     p.elements = 50;
                     return p;
                   }()};
  CHECK_THROWS_WITH(make(0, longer), ContainsSubstring("RollingContact 0: nodes of a marker = 51"));
  Vec<double, Eigen::Dynamic> beyond(2);
  beyond << -0.1, 0.5;
  CHECK_THROWS_AS(hooked.problem.state(hooked.state.chains, beyond), ContactAtEnd);
  CHECK_THROWS_WITH(hooked.problem.state(hooked.state.chains), ContainsSubstring("internal coordinates = 0"));
}

}  // namespace crossing_test
