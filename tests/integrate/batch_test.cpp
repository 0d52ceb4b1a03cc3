#include <dalembert/integrate/batch.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>

#include <dalembert/integrate/batch_threads.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "support/catch.hpp"

namespace batch_test {

using namespace dalembert;
using Lanes = Pack<double, 4>;

template <class S>
LagrangeDAlembert<systems::ChaplyginSleigh<S>> sleigh(S offset) {
  return LagrangeDAlembert{
      systems::ChaplyginSleigh<S>{{.mass = S(1.5), .inertia = S(0.7), .offset = offset}}};
}
using Sleigh = decltype(sleigh(0.0));

std::vector<Sleigh::State> sleighs(int count) {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> number(-2, 2);
  std::vector<Sleigh::State> members;
  for (int i = 0; i < count; ++i)
    members.push_back({.time = 0.1 * i,
                       .g = SE2d(number(engine), number(engine), number(engine)),
                       .xi = {number(engine), 0, number(engine)}});
  return members;
}

template <class P>
void step_alone(const P& problem, typename P::State& state, double h, int steps) {
  auto stepper = RungeKutta4{}.stepper(problem, state);
  for (int i = 0; i < steps; ++i) (void)stepper.step(problem, state, h);
}

TEST_CASE("each member of a batch moves as it does alone", "[batch]") {
  auto members = sleighs(11);
  auto alone = members;
  const auto report = run_batch(RungeKutta4{}, sleigh(Lanes(0.4)), members, {.step = 0.02, .steps = 200});
  CHECK(report.failed.empty());
  const auto problem = sleigh(0.4);
  for (std::size_t i = 0; i < members.size(); ++i) {
    step_alone(problem, alone[i], 0.02, 200);
    CAPTURE(i);
    CHECK(problem.difference(alone[i], members[i]).norm() < 1e-13);
    CHECK(members[i].time == Approx(alone[i].time).epsilon(1e-15));
  }
}

TEST_CASE("one stepper serves two packs in turn", "[batch]") {
  const auto problem = sleigh(Lanes(0.4));
  using State = decltype(problem)::State;
  State one{.xi = {Lanes(0.3), Lanes(0), Lanes(1.2)}}, other{.xi = {Lanes(-1), Lanes(0), Lanes(2)}};
  State alone = one;
  auto shared = DormandPrince54{}.stepper(problem, one), own = DormandPrince54{}.stepper(problem, one);
  for (int i = 0; i < 3; ++i) {
    (void)shared.step(problem, one, Lanes(0.1));
    (void)shared.step(problem, other, Lanes(0.1));
    (void)own.step(problem, alone, Lanes(0.1));
  }
  for (int lane = 0; lane < Lanes::width; ++lane) CHECK(one.xi[0][lane] == alone.xi[0][lane]);
}

TEST_CASE("members may differ in their parameters", "[batch]") {
  auto members = sleighs(10);
  std::fill(members.begin(), members.end(), members[3]);
  auto alone = members;
  const auto offset = [](std::size_t i) { return 0.1 + 0.05 * static_cast<double>(i); };
  const auto source = [&](std::size_t first) {
    Lanes offsets;
    for (int lane = 0; lane < Lanes::width; ++lane)
      offsets.set(lane, offset(first + static_cast<std::size_t>(lane)));
    return sleigh(offsets);
  };
  (void)run_batch(RungeKutta4{}, source, members, {.step = 0.02, .steps = 100});
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto problem = sleigh(offset(i));
    step_alone(problem, alone[i], 0.02, 100);
    CHECK(problem.difference(alone[i], members[i]).norm() < 1e-13);
  }
  CHECK(sleigh(offset(0)).difference(members[0], members[9]).norm() > 0.1);
}

TEST_CASE("neither place nor threads change a bit", "[batch]") {
  auto members = sleighs(23);
  const auto problem = sleigh(Lanes(0.4));
  const BatchOptions<double> options{.step = 0.05, .steps = 50};
  auto threaded = members, turned = members;
  std::rotate(turned.begin(), turned.begin() + 6, turned.end());
  (void)run_batch(RungeKutta4{}, problem, members, options);
  for (const unsigned count : {1U, 2U, 5U}) {
    auto copy = threaded;
    (void)run_batch(RungeKutta4{}, problem, copy, options, Threads{count});
    CHECK(copy == members);
  }
  (void)run_batch(RungeKutta4{}, problem, turned, options);
  std::rotate(turned.begin(), turned.end() - 6, turned.end());
  CHECK(turned == members);
}

TEST_CASE("a member that fails leaves its neighbours alone, and is named", "[batch]") {
  auto members = sleighs(9);
  auto whole = members;
  members[5].xi[0] = std::numeric_limits<double>::infinity();
  const BatchOptions<double> options{.step = 0.05, .steps = 20};
  CHECK(run_batch(RungeKutta4{}, sleigh(Lanes(0.4)), members, options).failed == std::vector<std::size_t>{5});
  CHECK(run_batch(RungeKutta4{}, sleigh(Lanes(0.4)), whole, options).failed.empty());
  for (const std::size_t i : {0U, 4U, 6U, 7U, 8U}) CHECK(members[i] == whole[i]);
}

TEST_CASE("several rows are solved lane by lane", "[batch]") {
  const LagrangeDAlembert one{systems::VerticalDisk<double>{{.mass = 1.2, .radius = 0.5}}};
  const LagrangeDAlembert many{systems::VerticalDisk<Lanes>{{.mass = 1.2, .radius = 0.5}}};
  using State = decltype(one)::State;
  std::vector<State> members(6);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto x = static_cast<double>(i);
    members[i].xi.setConstant(0.3 + 0.2 * x);
    members[i].xi[0] = -0.7 * x;
    REQUIRE(one.project(members[i]).converged);
  }
  auto alone = members;
  (void)run_batch(RungeKutta4{}, many, members, {.step = 0.02, .steps = 100});
  for (std::size_t i = 0; i < members.size(); ++i) {
    step_alone(one, alone[i], 0.02, 100);
    CHECK(one.difference(alone[i], members[i]).norm() < 1e-13);
  }
}

TEST_CASE("an observer sees every member, at the start and as often as asked", "[batch]") {
  auto members = sleighs(6);
  std::multiset<std::size_t> seen;
  double last = 0;
  (void)run_batch(RungeKutta4{}, sleigh(Lanes(0.4)), std::span(members),
                  {.step = 0.1, .steps = 10, .output_every = 5},
                  [&](std::size_t i, const Sleigh::State& state) {
                    seen.insert(i);
                    if (i == 2) last = state.time;
                  });
  CHECK(seen.size() == 18);
  for (std::size_t i = 0; i < 6; ++i) CHECK(seen.count(i) == 3);
  CHECK(last == members[2].time);
}

TEST_CASE("an observer sees the end, whatever the interval", "[batch]") {
  const auto seen = [](long steps, long every) {
    auto members = sleighs(2);
    std::vector<double> times;
    (void)run_batch(RungeKutta4{}, sleigh(Lanes(0.4)), std::span(members),
                    {.step = 1, .steps = steps, .output_every = every},
                    [&](std::size_t i, const Sleigh::State& state) {
                      if (i == 0) times.push_back(state.time);
                    });
    return times;
  };
  CHECK(seen(3, 0) == std::vector<double>{3});
  CHECK(seen(0, 0) == std::vector<double>{0});
  CHECK(seen(2, 1) == std::vector<double>{0, 1, 2});
  CHECK(seen(3, 2) == std::vector<double>{0, 2, 3});
  CHECK(seen(4, 2) == std::vector<double>{0, 2, 4});
  CHECK(seen(0, 2) == std::vector<double>{0});
}

TEST_CASE("what a thread throws arrives, when all have ended", "[batch]") {
  std::atomic<int> running{0};
  const auto work = [&](std::size_t block) {
    ++running;
    const bool bad = block == 7;
    --running;
    if (bad) throw std::runtime_error("block 7");
  };
  CHECK_THROWS_WITH(Threads{3}(40, work), "block 7");
  CHECK(running == 0);
  CHECK_NOTHROW(Threads{0}(7, work));
}

TEST_CASE("options and parameters of a batch obey rules", "[batch]") {
  auto members = sleighs(2);
  const auto problem = sleigh(Lanes(0.4));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(run_batch(RungeKutta4{}, problem, members, {.step = nan, .steps = 1}),
                  std::invalid_argument);
  CHECK_THROWS_AS(run_batch(RungeKutta4{}, problem, members, {.step = 0.1, .steps = -1}),
                  std::invalid_argument);
  CHECK_THROWS_AS(run_batch(RungeKutta4{.project = true}, problem, members, {.step = 0.1, .steps = 1}),
                  std::invalid_argument);
  Lanes mass(1.0);
  mass.set(2, -3);
  CHECK_THROWS_WITH((systems::ChaplyginSleigh<Lanes>{{.mass = mass, .inertia = 1.0, .offset = 0.0}}),
                    Catch::Matchers::ContainsSubstring("-3"));
  std::vector<Sleigh::State> none;
  CHECK(run_batch(RungeKutta4{}, problem, none, {.step = 0.1, .steps = 1}).failed.empty());
}

}  // namespace batch_test
