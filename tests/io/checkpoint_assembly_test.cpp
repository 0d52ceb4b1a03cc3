#include <dalembert/io/checkpoint.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace checkpoint_assembly_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using RollingContact = contact::RollingContact<double>;
using Joint = SphericalJoint<double>;
using Column = Vec<double, Eigen::Dynamic>;

/// Two rods that cross, and a body that hangs on one of them.
auto rods_and_body() {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  const Rod one = test::soft_rod<Rod>(0.01, 24, p);
  const Body body{{.mass = 0.05, .inertia = {1e-5, 2e-5, 2.5e-5}, .gravity = {0, 0, -9.81}}};
  return Assembly{bodies(std::vector{one, one}, std::vector{body}),
                  constraints(std::vector{RollingContact{{0, one, 0.05}, {1, one, 0.05}, 0.01, 0.01, true}},
                              std::vector{Joint{{0, 6}, {2, 0, {0, 0, 0.03}}}})};
}

using Problem = decltype(rods_and_body());
using State = Problem::State;

State start_of(const Problem& problem) {
  const Rod& one = problem.bodies<0>()[0];
  const double right = std::acos(0.0);
  auto below = one.straight({-0.5, 0, 0}, SO3<double>::exp({0, right, 0}), 1.0);
  auto above = one.straight({0.03, -0.5, 0.02}, SO3<double>::exp({-right, 0, 0}), 1.0);
  for (Eigen::Index k = 1; k < 24; ++k) above.set_velocity(k, {0.4, 0.1, -0.3}, {0, 0, 1.5});
  auto body = problem.bodies<1>()[0].at({-0.25, 0, -0.03});
  body.set_velocity(0, {0.2, 0.3, 0}, {1, 2, -3});
  auto x = problem.state({below, above, body}, Column{{0.52, 0.49}}, 0.03);
  problem.project(x);
  return x;
}

/// Every number of a state, without the help of what is tested.
std::vector<double> numbers(const State& x) {
  std::vector<double> all{x.time};
  for (const auto& chain : x.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      for (int i = 0; i < 7; ++i) all.push_back(chain.configuration(k, i));
      for (int i = 0; i < 6; ++i) all.push_back(chain.velocity(k, i));
    }
  all.insert(all.end(), x.z.begin(), x.z.end());
  return all;
}
bool same_bits(const State& a, const State& b) {
  const auto x = numbers(a), y = numbers(b);
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
}

/// A run that is stopped at its 20th step, saved, and taken up by another problem of the same bodies ends as the whole run.
template <class Method>
void check_restart(const Method& method, double step) {
  const test::Folder folder;
  const auto path = folder.path / "assembly.checkpoint";
  const Problem problem = rods_and_body();
  const State start = start_of(problem);
  const double until = start.time + 50 * step;
  State whole = start;
  State at_half = start;
  int seen = 0;
  drive(method, problem, whole, {.step = step, .until = until}, [&](const Problem&, const State& x) {
    if (seen++ != 20) return;
    io::save_checkpoint(path, x);
    at_half = x;
  });
  REQUIRE(seen == 51);

  const Problem another = rods_and_body();
  State restored = start_of(another);
  io::load_checkpoint(path, restored);
  CHECK(same_bits(restored, at_half));
  CHECK_FALSE(same_bits(restored, start));
  drive(method, another, restored, {.step = step, .until = until, .origin = start.time});
  CHECK(same_bits(restored, whole));
  CHECK(restored.z[0] != start.z[0]);
}

TEST_CASE("an assembly goes on from a checkpoint bit for bit", "[checkpoint]") {
  SECTION("Verlet") { check_restart(Verlet{}, 1e-4); }
  SECTION("Runge-Kutta") { check_restart(RungeKutta4{}, 1e-4); }
  SECTION("Dormand-Prince with projection") { check_restart(DormandPrince54{.project = true}, 1e-4); }
}

TEST_CASE("a checkpoint of an assembly holds the point of phase space and nothing else", "[checkpoint]") {
  const Problem problem = rods_and_body();
  State x = start_of(problem);
  io::CheckpointText<double> text;
  visit_numbers(x, text);
  std::vector<std::string> names;
  for (std::istringstream lines(text.finished()); lines.good();) {
    std::string line;
    std::getline(lines, line);
    names.push_back(line.substr(0, line.find(' ', line.find(' ') + 1)));
  }
  CHECK(names == std::vector<std::string>{
                     "dalembert checkpoint", "precision 53", "time 1", "rods =", "rod0.nodes =",
                     "rod0.configuration 175", "rod0.velocity 150", "rod1.nodes =", "rod1.configuration 175",
                     "rod1.velocity 150", "rod2.nodes =", "rod2.configuration 7", "rod2.velocity 6", "z 2",
                     "end " + io::detail::hash_text(text.finished().substr(0, text.finished().rfind("end "))),
                     ""});
}

TEST_CASE("a checkpoint of another assembly is refused", "[checkpoint]") {
  const test::Folder folder;
  const auto path = folder.path / "assembly.checkpoint";
  const Problem problem = rods_and_body();
  const State x = start_of(problem);
  io::save_checkpoint(path, x);
  const auto refused = [&](State other, const char* why) {
    const State before = other;
    CHECK_THROWS_WITH(io::load_checkpoint(path, other), ContainsSubstring(why));
    CHECK(same_bits(other, before));
  };
  State fewer = x, shorter = x, loose = x;
  fewer.chains.pop_back();
  shorter[1] = rod::Chain<double>(20);
  loose.z.resize(0);
  refused(fewer, "rods = 3, and the state to restore has 2");
  refused(shorter, "rod1.nodes = 25, and the state to restore has 20");
  refused(loose, "z (2) where the state to restore has z (0)");
}

}  // namespace checkpoint_assembly_test
