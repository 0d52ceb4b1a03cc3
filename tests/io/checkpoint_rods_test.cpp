#include <dalembert/io/checkpoint.hpp>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace checkpoint_rods_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using io::CheckpointFault;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Contact = contact::RollingContact<double>;
using Rolling = assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Contact>>;
using State = assembly::State<double>;
namespace fs = std::filesystem;
using test::Folder;

/// All numbers of a state of rods, as text: what two states have in common bit for bit.
std::string bits(const State& state) {
  State copy = state;
  io::CheckpointText<double> text;
  visit_numbers(copy, text);
  return text.finished();
}

/// The same without the help of what is tested: the nodes, and where a contact is.
bool same_motion(const State& a, const State& b) {
  if (std::memcmp(&a.time, &b.time, sizeof a.time) != 0) return false;
  for (std::size_t i = 0; i < a.chains.size(); ++i) {
    const auto n = a[i].nodes;
    if ((a[i].configuration.topRows(n) != b[i].configuration.topRows(n)).any()) return false;
    if ((a[i].velocity.topRows(n) != b[i].velocity.topRows(n)).any()) return false;
  }
  return a.z == b.z;
}

CheckpointFault fault(const fs::path& path, const State& state, const std::string& word) {
  State copy = state;
  try {
    io::load_checkpoint(path, copy);
  } catch (const io::CheckpointError& error) {
    CHECK(bits(copy) == bits(state));
    CHECK_THAT(error.what(), ContainsSubstring(path.string()) && ContainsSubstring(word));
    return error.fault();
  }
  FAIL("nothing was wrong");
  throw 0;
}

/// Two rods that are struck where they cross, straight and touching.
struct Pair {
  systems::RollingRodsParameters<double> p = [] {
    systems::RollingRodsParameters<double> made;
    made.elements = 29;
    made.kernel_width = 1.0 / 29;
    made.strike = 2;
    made.roll = 1.5;
    return made;
  }();
  std::vector<Rod> rods = systems::rolling_rods(p);

  Rolling problem(bool integrate_positions = false) const {
    return Rolling{assembly::bodies(rods),
                   assembly::constraints(std::vector{Contact{.first = {0, rods[0], p.kernel_width},
                                                             .second = {1, rods[1], p.kernel_width},
                                                             .radius1 = p.radius,
                                                             .radius2 = p.radius,
                                                             .bilateral = true,
                                                             .integrate_positions = integrate_positions}})};
  }
  State start(const Rolling& problem) const {
    auto state = problem.state(systems::rolling_rods_placement(p, rods),
                               Vec<double, Eigen::Dynamic>{{0.451, 0.552}}, 0.03);
    systems::set_initial_velocity(problem, state, p);
    return state;
  }
};

/// A run of `method` that is stopped and goes on gives what the whole run gives.
template <class Problem, class Method>
void check_restart(const Method& method, const Problem& problem, const State& start, double step,
                   double until) {
  const Folder folder;
  const auto path = folder.path / "rods.checkpoint";
  io::CheckpointWriter keep{path, 13};
  State state = start;
  std::vector<State> seen, again;
  std::vector<State>* list = &seen;
  bool saving = true;
  const auto observe = [&](const Problem& p, const State& x) {
    if (saving) keep(p, x);
    list->push_back(x);
  };
  drive(method, problem, state, {.step = step, .until = until}, observe);
  REQUIRE(bits(state) != bits(start));

  State restored = start;
  io::load_checkpoint(path, restored);
  const std::size_t at = (seen.size() - 1) / 13 * 13;
  REQUIRE(at > 13);
  REQUIRE(seen.size() - at > 5);
  REQUIRE(restored.time == seen[at].time);
  CHECK(bits(restored) == bits(seen[at]));
  list = &again;
  saving = false;
  drive(method, problem, restored, {.step = step, .until = until, .origin = start.time}, observe);
  REQUIRE(again.size() == seen.size() - at);
  bool same = true;
  for (std::size_t i = 0; i < again.size(); ++i) same = same && same_motion(again[i], seen[at + i]);
  CHECK(same);
  CHECK(bits(restored) == bits(state));
}

TEST_CASE("rods in contact go on from a checkpoint bit for bit", "[checkpoint]") {
  const Pair pair;
  const auto problem = pair.problem(GENERATE(false, true));
  const auto start = pair.start(problem);
  SECTION("Verlet") { check_restart(Verlet{}, problem, start, 1.37e-4, 0.04); }
  SECTION("Runge-Kutta") { check_restart(RungeKutta4{}, problem, start, 1.37e-4, 0.04); }
  SECTION("Dormand-Prince") { check_restart(DormandPrince54{}, problem, start, 1.37e-4, 0.04); }
  SECTION("Dormand-Prince with projection") {
    check_restart(DormandPrince54{.project = true}, problem, start, 1.37e-4, 0.04);
  }
}

TEST_CASE("a rod whose end is moved goes on from a checkpoint bit for bit", "[checkpoint]") {
  Rod::Parameters parameters;
  parameters.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = V(0, 0.01 * std::sin(70 * t), 0);
    m.velocity = V(0, 0.7 * std::cos(70 * t), 0);
    m.acceleration = V(0, -49 * std::sin(70 * t), 0);
    return m;
  });
  const Rod one = test::soft_rod<Rod>(0.01, 11, parameters);
  const assembly::Assembly problem{assembly::bodies(std::vector{one})};
  const auto start = problem.state({one.straight(V::Zero(), SO3<double>::identity(), 1.0)}, {}, 0.01);
  check_restart(Verlet{}, problem, start, 7.3e-5, 0.0144);
  check_restart(DormandPrince54{}, problem, start, 7.3e-5, 0.0144);
}

TEST_CASE("a checkpoint of other rods is refused", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "rods.checkpoint";
  const Pair pair;
  const auto start = pair.start(pair.problem());
  io::save_checkpoint(path, start);

  auto fewer = start;
  fewer.chains.pop_back();
  CHECK(fault(path, fewer, "rods = 2, and the state to restore has 1") == CheckpointFault::shape);
  auto shorter = start;
  shorter[1] = rod::Chain<double>(20);
  CHECK(fault(path, shorter, "rod1.nodes = 30, and the state to restore has 20") == CheckpointFault::shape);
  auto apart = start;
  apart.z.resize(0);
  CHECK(fault(path, apart, "z (2) where the state to restore has z (0)") == CheckpointFault::shape);
}

TEST_CASE("the padding of rods has no place in a checkpoint", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "rods.checkpoint";
  const Rod one = test::soft_rod<Rod>(0.01, 10);
  const assembly::Assembly problem{assembly::bodies(std::vector{one, one})};
  test::Random random(test::seed());
  auto state = problem.state({test::random_chain(one, Mat<double, 3>(Mat<double, 3>::Identity()), random),
                              test::random_chain(one, Mat<double, 3>(Mat<double, 3>::Identity()), random)});
  auto other = problem.state({rod::Chain<double>(11), rod::Chain<double>(11)});
  for (auto& chain : state.chains) {
    const auto padding = chain.configuration.rows() - chain.nodes;
    chain.configuration.bottomRows(padding).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  io::save_checkpoint(path, state);
  io::load_checkpoint(path, other);
  CHECK(bits(other) == bits(state));
  CHECK(other[1].configuration.isFinite().all());
  CHECK((other[1].velocity.topRows(11) == state[1].velocity.topRows(11)).all());
  CHECK((other[0].configuration.topRows(11) == state[0].configuration.topRows(11)).all());
}

}  // namespace checkpoint_rods_test
