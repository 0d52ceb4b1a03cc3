#include <dalembert/io/checkpoint.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/coupled_rods.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace checkpoint_rods_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using io::CheckpointFault;
using V = Vec<double, 3>;
using Contact = contact::RollingContact<double>;
namespace fs = std::filesystem;
using test::Folder;
using test::text_of;

/// All numbers of a state of rods, as text: what two states have in common bit for bit.
template <class State>
std::string bits(const State& state) {
  State copy = state;
  io::CheckpointText<double> text;
  visit_numbers(copy, text);
  return text.finished();
}

/// The same without the help of what is tested: the nodes, and what a contact predicts from.
template <class State>
bool same_motion(const State& a, const State& b) {
  if (std::memcmp(&a.time, &b.time, sizeof a.time) != 0) return false;
  for (std::size_t i = 0; i < a.chains.size(); ++i) {
    const auto n = a.chains[i].nodes;
    if ((a.chains[i].configuration.topRows(n) != b.chains[i].configuration.topRows(n)).any()) return false;
    if ((a.chains[i].velocity.topRows(n) != b.chains[i].velocity.topRows(n)).any()) return false;
  }
  if constexpr (std::is_empty_v<decltype(a.internal)>)
    return true;
  else
    return a.internal.s == b.internal.s && a.internal.rate == b.internal.rate &&
           a.internal.earlier_rate == b.internal.earlier_rate;
}

template <class State>
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
  std::vector<rod::ElasticRod<double>> rods = systems::rolling_rods(p);
  std::vector<rod::Chain<double>> chains = systems::rolling_rods_placement(p, rods);

  rod::RodProblem<rod::ElasticRod<double>, Contact> problem(bool integrate_positions = false) const {
    return rod::RodProblem(rods, Contact({.radius1 = p.radius,
                                          .radius2 = p.radius,
                                          .kernel_width = p.kernel_width,
                                          .integrate_positions = integrate_positions,
                                          .bilateral = true},
                                         rods[0], rods[1]));
  }
  template <class Problem>
  typename Problem::State start(const Problem& problem) const {
    auto state = problem.state(chains, problem.coupling().locate(rods, chains, {0.451, 0.552}, 0.0), 0.03);
    systems::set_initial_velocity(problem, state, p);
    return state;
  }
};

/// A run of `method` that is stopped and goes on gives what the whole run gives.
template <class Problem, class State, class Method>
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
  using Rod = rod::ElasticRod<double>;
  Rod::Parameters parameters;
  parameters.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = V(0, 0.01 * std::sin(70 * t), 0);
    m.velocity = V(0, 0.7 * std::cos(70 * t), 0);
    m.acceleration = V(0, -49 * std::sin(70 * t), 0);
    return m;
  });
  const Rod one = test::soft_rod<Rod>(0.01, 11, parameters);
  const rod::RodProblem<Rod> problem({one});
  const auto start = problem.state({one.straight(V::Zero(), SO3<double>::identity(), 1.0)}, {}, 0.01);
  check_restart(Verlet{}, problem, start, 7.3e-5, 0.0144);
  check_restart(DormandPrince54{}, problem, start, 7.3e-5, 0.0144);
}

/// Wherever a kernel of this width can lie on a rod of length 1 m, also at its very ends, a contact is restored as it was
/// saved. How many positions there are is counted.
template <class S, class Kernel>
int restored_positions(int nodes, S width) {
  const S spacing = S(1) / S(nodes - 1);
  const contact::Smear<S, Kernel> smear(Kernel{}, width, spacing, nodes);
  std::vector<rod::Chain<S>> chains(2, rod::Chain<S>(nodes));
  for (Eigen::Index k = 0; k < nodes; ++k)
    chains[0].set_frame(k, SO3<S>::identity(), {spacing * S(k), S(0.1) * S(k * k), S(0)});
  contact::ContactState<S> other;
  for (auto& point : other.point) point = smear.at(chains[0], S(0.5), 0.0, 1);

  int count = 0;
  for (int i = 0; i <= 2 * nodes; ++i) {
    contact::ContactState<S> c;
    try {
      for (auto& point : c.point) point = smear.at(chains[0], S(0.49999) * spacing * S(i), 0.0, 1);
    } catch (const ContactAtEnd&) {
      continue;
    }
    ++count;
    io::CheckpointText<S> text;
    visit_numbers(chains, c, text);
    const std::string saved = text.finished();
    contact::ContactState<S> restored = other;
    io::CheckpointReader<S> reader("sweep", saved);
    CHECK_NOTHROW(visit_numbers(chains, restored, reader));
    CHECK(restored.point[1].first == c.point[1].first);
    io::CheckpointText<S> again;
    visit_numbers(chains, restored, again);
    const bool same = again.finished() == saved;
    CHECK(same);
  }
  return count;
}

TEST_CASE("a contact is restored wherever its kernel has room, at the ends of short rods too",
          "[checkpoint]") {
  for (const int nodes : {16, 17, 25, 101}) {
    CAPTURE(nodes);
    for (const int spacings : {1, 2, 5}) {
      if (6 * spacings + 2 > nodes) break;
      CAPTURE(spacings);
      const double width = spacings / (nodes - 1.0);
      const int inner = 2 * (nodes - 2);  // positions between the first two nodes and the last two
      CHECK(restored_positions<double, contact::CubicSpline>(nodes, width) >= inner - 8 * spacings);
      CHECK(restored_positions<double, contact::QuinticSpline>(nodes, width) >= inner - 12 * spacings);
      CHECK(restored_positions<double, contact::CompactBump>(nodes, width) >= inner - 12 * spacings);
      CHECK(restored_positions<double, contact::Gaussian>(nodes, width) == 2 * nodes - 1);  // all on the rod
      CHECK(restored_positions<float, contact::CubicSpline>(nodes, float(width)) >= inner - 8 * spacings);
    }
  }
}

TEST_CASE("a checkpoint of other rods is refused", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "rods.checkpoint";
  const Pair pair;
  const auto start = pair.start(pair.problem());
  io::save_checkpoint(path, start);
  const std::string good = text_of(path);

  auto fewer = start;
  fewer.chains.pop_back();
  CHECK(fault(path, fewer, "rods = 2, and the state to restore has 1") == CheckpointFault::shape);
  auto shorter = start;
  shorter.chains[1] = rod::Chain<double>(20);
  CHECK(fault(path, shorter, "rod1.nodes = 30, and the state to restore has 20") == CheckpointFault::shape);
  auto apart = start;
  apart.internal = {};
  CHECK(fault(path, apart, "contact = 1, and the state to restore has 0") == CheckpointFault::shape);

  // A window that would leave the rod, by as little as one node.
  const auto put_first = [&](const std::string& first) {
    std::string text = good;
    text.resize(text.rfind("end "));
    const auto at = text.find("contact.point1.first 1 ") + std::string("contact.point1.first 1 ").size();
    text.replace(at, text.find('\n', at) - at, first);
    std::ofstream(path, std::ios::binary) << text << "end " << io::detail::hash_text(text) << "\n";
  };
  const Eigen::Index furthest =
      start.chains[1].nodes - 1 - (start.internal.point[1].packs - 1) * contact::lane_width<double>;
  for (const std::string& first : std::vector<std::string>{
           std::to_string(furthest + 1), "-1", "60", "999999999999", "99999999999999999999", "2.5", ""}) {
    put_first(first);
    CHECK(fault(path, start, "contact.point1.first") == CheckpointFault::shape);
  }
}

TEST_CASE("the padding of rods has no place in a checkpoint", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "rods.checkpoint";
  using Rod = rod::ElasticRod<double>;
  const Rod one = test::soft_rod<Rod>(0.01, 10);
  const rod::RodProblem<Rod> problem({one, one});
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
  CHECK(other.chains[1].configuration.isFinite().all());
  CHECK((other.chains[1].velocity.topRows(11) == state.chains[1].velocity.topRows(11)).all());
  CHECK((other.chains[0].configuration.topRows(11) == state.chains[0].configuration.topRows(11)).all());
}

}  // namespace checkpoint_rods_test
