#include <dalembert/integrate/thread_team.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<sys/resource.h>) && __has_include(<unistd.h>)
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>
#endif

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/rod/body.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace thread_team_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Joint = SphericalJoint<double>;
using V = Vec<double, 3>;
using Net = Assembly<Kinds<Rod>, Kinds<Joint>>;

TEST_CASE("a team does every piece of work once, however often it is asked", "[threads]") {
  for (const unsigned threads : {0U, 1U, 3U}) {
    const ThreadTeam team(threads);
    CHECK(team.size() == std::max(1U, threads));
    std::vector<std::atomic<int>> done(50);
    for (int round = 0; round < 400; ++round) {
      const std::size_t n = static_cast<std::size_t>(round) % 50;
      team(n, [&](std::size_t i) { ++done[i]; });
    }
    for (std::size_t i = 0; i < 50; ++i) CHECK(done[i] == 8 * static_cast<int>(49 - i));
  }
}

TEST_CASE("a team throws what was thrown for the least number, and works on", "[threads]") {
  const ThreadTeam team(3);
  const auto work = [](std::size_t i) {
    if (i % 7 == 5) throw std::runtime_error("piece " + std::to_string(i));
  };
  for (int i = 0; i < 20; ++i) CHECK_THROWS_WITH(team(40, work), "piece 5");
  CHECK_NOTHROW(team(5, work));
}

TEST_CASE("a team that is asked within its own work, or by two threads at once, leaves out nothing",
          "[threads]") {
  const ThreadTeam team(3);
  std::vector<std::atomic<int>> done(4 * 4 * 4);
  const auto all_of_it = [&] {
    team(4, [&](std::size_t i) {
      team(4, [&](std::size_t j) { team(4, [&](std::size_t k) { ++done[16 * i + 4 * j + k]; }); });
    });
  };
  for (int round = 0; round < 200; ++round) all_of_it();
  for (const auto& count : done) CHECK(count == 200);
  {
    const std::jthread other([&] {
      for (int round = 0; round < 200; ++round) all_of_it();
    });
    for (int round = 0; round < 200; ++round) all_of_it();
  }
  for (const auto& count : done) CHECK(count == 600);
}

TEST_CASE("what fails within work that is asked for within work is thrown through both", "[threads]") {
  const ThreadTeam team(3);
  const auto work = [&](std::size_t i) {
    team(8, [&](std::size_t j) {
      if (i == 2 && j == 5) throw std::runtime_error("piece 2, 5");
    });
  };
  for (int i = 0; i < 20; ++i) CHECK_THROWS_WITH(team(4, work), "piece 2, 5");
  std::atomic<int> done = 0;
  team(40, [&](std::size_t) { ++done; });
  CHECK(done == 40);
}

TEST_CASE("a team takes over another's threads, and its own end", "[threads]") {
  ThreadTeam team(3), other(2);
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t) { ++done; };
  for (ThreadTeam* one : {&team, &other}) (*one)(10, work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // now their threads are asleep
  team = std::move(other);
  CHECK(team.size() == 2);
  team(10, work);
  other(10, work);  // by the one who asks
  CHECK(done == 40);
  other = ThreadTeam(4);
  CHECK(other.size() == 4);
  const ThreadTeam third = std::move(other);
  third(10, work);
  CHECK(third.size() == 4);
  CHECK(done == 50);
}

#if __has_include(<sys/resource.h>) && __has_include(<unistd.h>)

/// The addresses that this program has already, in bytes; 0 where a system does not tell.
rlim_t addresses() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// No more than so many addresses.
class FewAddresses {
 public:
  explicit FewAddresses(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &small);
  }
  ~FewAddresses() { setrlimit(RLIMIT_AS, &before_); }
  FewAddresses(const FewAddresses&) = delete;
  FewAddresses& operator=(const FewAddresses&) = delete;

 private:
  rlimit before_{};
};

TEST_CASE("a team that cannot have its threads says so, and leaves none behind", "[threads]") {
  const rlim_t has = addresses();
  if (has == 0 || has > 1'000'000'000'000) return;  // a sanitizer's own, which it cannot do without
  std::string said;
  {
    const FewAddresses limit(has + 100'000'000);  // the stack of a thread takes some millions
    try {
      const ThreadTeam team(1000);
    } catch (const std::system_error& error) {
      said = error.what();
    }
  }
  CHECK_THAT(said, Catch::Matchers::StartsWith("ThreadTeam: thread "));
  CHECK_THAT(said, Catch::Matchers::ContainsSubstring(" of 1000 cannot be made"));
  CHECK(ThreadTeam(3).size() == 3);
}

#endif

/// Rods that hang from their starts and swing, each `joined` to the next one's end or by itself.
struct Scene {
  std::vector<Rod> rods;
  std::vector<rod::Chain<double>> chains;
  std::vector<Joint> joints;

  Scene(std::size_t count, bool joined, int elements = 60) {
    Rod::Parameters p;
    p.elements = elements;
    p.length = 1;
    p.inertia = {0.1, V(1e-4, 1e-4, 2e-4)};
    p.start = rod::Boundary<double>::clamped();
    p.loads.gravity = {0, 0, -9.81};
    Vec<double, 6> k;
    k << 100, 100, 300, 0.02, 0.02, 0.015;
    for (std::size_t i = 0; i < count; ++i) {
      rods.emplace_back(rod::LinearElastic<double>(k), p);
      chains.push_back(rods[i].straight({0.1 * static_cast<double>(i), 0, 0}, SO3d::identity()));
      for (int n = 0; n <= elements; ++n)
        chains[i].velocity(n, 1) = 1.2 * n / elements * std::sin(1.0 + static_cast<double>(i));
      if (joined && i > 0) joints.push_back({{i - 1, elements, {0.05, 0, 0}}, {i, elements, {-0.05, 0, 0}}});
    }
  }
  [[nodiscard]] Net problem() const { return Net(bodies(rods), constraints(joints)); }
};

TEST_CASE("several threads move an assembly as one does, bit for bit, and a step does not allocate",
          "[threads][assembly][allocation]") {
  for (const bool joined : {false, true}) {  // many parts; or one, of many bodies
    CAPTURE(joined);
    const Scene scene(40, joined, joined ? 120 : 60);
    const Net net = scene.problem();
    CHECK(net.parts() == (joined ? 1 : 5));
    CHECK(net.parts_are_apart());
    auto x = net.state(scene.chains);
    (void)net.project(x);
    auto y = x;
    auto one = Verlet{}.stepper(net, x);
    auto two = ThreadedVerlet{.threads = 2}.stepper(net, y);
    for (int i = 0; i < 60; ++i) {
      REQUIRE(one.step(net, x, 1e-4).converged);
      REQUIRE(two.step(net, y, 1e-4).converged);
    }
    CHECK(x.time == y.time);
    for (std::size_t i = 0; i < 40; ++i) {
      CHECK((x[i].velocity == y[i].velocity).topRows(x[i].nodes).all());
      CHECK((x[i].configuration == y[i].configuration).topRows(x[i].nodes).all());
    }
    CHECK(one.loads().report.clusters == two.loads().report.clusters);
    CHECK(two.loads().report.clusters == (joined ? 1 : 0));
    CHECK(test::allocations_during([&] { (void)two.step(net, y, 2e-4); }) == 0);
  }
}

TEST_CASE("four threads step states of their own of one problem, each as if alone", "[threads][assembly]") {
  const Scene scene(4, true);
  const Net net = scene.problem();
  std::vector<State<double>> together;
  for (int i = 0; i < 4; ++i) {
    together.push_back(net.state(scene.chains));
    together.back()[0].velocity(7, 1) += 0.1 * i;
    (void)net.project(together.back());
  }
  auto alone = together;
  const auto run = [&net](State<double>& x) {
    auto stepper = Verlet{}.stepper(net, x);
    auto rates = net.make_rates();
    for (int k = 0; k < 50; ++k) (void)stepper.step(net, x, 1e-4);
    net.rates(x, rates);
    x.time = net.energy(x) + net.power(x, rates).load;  // which every thread asks for, too
  };
  for (auto& x : alone) run(x);
  std::vector<std::thread> threads;
  for (auto& x : together) threads.emplace_back([&run, &x] { run(x); });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(together[i].time == alone[i].time);
    for (std::size_t b = 0; b < 4; ++b) {
      CHECK((together[i][b].configuration == alone[i][b].configuration).topRows(61).all());
      CHECK((together[i][b].velocity == alone[i][b].velocity).topRows(61).all());
    }
  }
}

TEST_CASE("a failure in one part of many ends a run over threads as it does with one",
          "[threads][assembly]") {
  const Scene scene(40, false);
  const Net net = scene.problem();
  auto x = net.state(scene.chains);
  x[27].velocity(30, 4) = 1.55e4;  // turns by half a turn in a step
  const auto start = x;
  const auto failure = [&](const auto& method) {
    auto y = start;
    try {
      auto stepper = method.stepper(net, y);
      for (int i = 0; i < 10; ++i) (void)stepper.step(net, y, 2e-4);
    } catch (const ElementTurnedTooFar& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string said = failure(Verlet{});
  CHECK_FALSE(said.empty());
  CHECK(failure(ThreadedVerlet{.threads = 3}) == said);
}

TEST_CASE("a run over threads is driven like any other", "[threads]") {
  const Scene scene(12, false);
  const Assembly net{bodies(scene.rods)};  // no constraints at all
  auto x = net.state(scene.chains), y = x;
  drive(Verlet{}, net, x, {.step = 2e-4, .until = 0.01});
  drive(ThreadedVerlet{.threads = 2}, net, y, {.step = 2e-4, .until = 0.01});
  CHECK((x[7].configuration == y[7].configuration).topRows(61).all());
}

}  // namespace thread_team_test
