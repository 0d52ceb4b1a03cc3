#include <dalembert/ensemble/run_ensemble.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"

#if __has_include(<sys/wait.h>)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#endif

namespace run_ensemble_test {

using namespace dalembert;
using Numbers = std::array<double, 2>;

/// A member that fails, is not finite, or works for some while, as its number says.
Numbers member(std::uint64_t index, std::uint64_t seed) {
  const auto x = static_cast<double>(index);
  if (index % 11 == 4) throw ContactOpened("ContactOpened: a contact opened", 0.1 * x);
  if (index % 11 == 5) throw 3;
  double sum = 0;
  const int terms = index % 50 == 0 ? 20000 : 200;
  for (int k = 1; k < terms; ++k) sum += std::sin(x + k) / k;
  return {index % 11 == 6 ? std::nan("") : sum, static_cast<double>(seed >> 11) * 0x1p-53};
}

EnsembleOptions options(const std::filesystem::path& file = {}) {
  return {.names = {"sum", "number"}, .seed = 12, .file = file, .program = "test", .parameters = "none"};
}

void check_same(const EnsembleResult& a, const EnsembleResult& b) {
  REQUIRE(a.members.size() == b.members.size());
  CHECK(a.failed == b.failed);
  std::string one, other;
  for (const auto& record : a.members) detail::append_record(one, record);
  for (const auto& record : b.members) detail::append_record(other, record);
  CHECK(one == other);
}

TEST_CASE("records stand in the order of members and say how each ended", "[ensemble]") {
  const auto result = run_ensemble(30, member, options());
  REQUIRE(result.members.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) {
    const MemberRecord& record = result.members[i];
    CAPTURE(i);
    REQUIRE(record.index == i);
    REQUIRE(record.values.size() == 2);
    if (i % 11 == 4) {
      CHECK(record.status == MemberStatus::failed);
      CHECK(record.kind == "ContactOpened");
      CHECK_THAT(record.error, Catch::Contains("a contact opened"));
      CHECK(record.time == 0.1 * static_cast<double>(i));
      CHECK(std::isnan(record.values[0]));
    } else if (i % 11 == 5) {
      CHECK(record.status == MemberStatus::failed);
      CHECK(record.kind == "unknown");
    } else if (i % 11 == 6) {
      CHECK(record.status == MemberStatus::not_finite);
      CHECK(record.values[1] == static_cast<double>(member_seed(12, i) >> 11) * 0x1p-53);
    } else {
      CHECK(record.status == MemberStatus::finished);
      CHECK(record.values[0] == member(i, 0)[0]);
    }
  }
  CHECK(result.failed == 9);
  CHECK(result.kept == 0);
  CHECK(result.torn == 0);
}

TEST_CASE("any number of threads gives the same bytes, whatever is handed out at once", "[ensemble]") {
  const test::Folder folder;
  const auto alone = run_ensemble(400, member, options(folder / "alone"));
  const std::string bytes = test::text_of(folder / "alone");
  for (const unsigned threads : {1U, 2U, 3U, 8U})
    for (const std::size_t block : {0U, 1U, 7U, 1000U}) {
      CAPTURE(threads, block);
      auto asked = options(folder / "threads");
      asked.block = block;
      check_same(run_ensemble(400, member, asked, Threads{threads}), alone);
      CHECK(test::text_of(folder / "threads") == bytes);
      std::filesystem::remove(folder / "threads");
    }
}

TEST_CASE("a run goes on where an earlier one ended, and asks for no member twice", "[ensemble]") {
  const test::Folder folder;
  (void)run_ensemble(200, member, options(folder / "whole"));
  auto asked = options(folder / "parts");
  std::atomic<int> calls{0};
  const auto counted = [&](std::uint64_t index, std::uint64_t seed) {
    ++calls;
    return member(index, seed);
  };
  asked.stop = [&] { return calls >= 50; };
  asked.block = 10;
  for (const int expected : {50, 200}) {
    try {
      const auto result = run_ensemble(200, counted, asked, Threads{2});
      CHECK(expected == 200);
      CHECK(result.kept >= 50);
    } catch (const EnsembleError& error) {
      CHECK(error.fault() == EnsembleFault::stopped);
      CHECK_THAT(error.what(), Catch::Contains("of 200 members") && Catch::Contains("parts"));
      CHECK(expected == 50);
    }
    CHECK(calls >= expected);
    asked.stop = nullptr;
  }
  CHECK(calls == 200);
  CHECK(test::text_of(folder / "parts") == test::text_of(folder / "whole"));
  const auto again = run_ensemble(200, counted, asked);
  CHECK(again.kept == 200);
  CHECK(calls == 200);
}

TEST_CASE("a member is stopped by its own limit, and others are unharmed", "[ensemble]") {
  auto asked = options();
  asked.limit = 0.02;
  const auto endless = [](MemberContext& context) -> Numbers {
    for (double t = 0; context.index() == 2 || context.index() == 3; t += 0.125) {
      if (context.index() == 3 && context.expired()) return {t, 0};
      context.index() == 2 ? context.check(t) : context.reached(t);
    }
    return {1, 2};
  };
  const auto result = run_ensemble(5, endless, asked, Threads{2});
  CHECK(EnsembleOptions{}.limit == 0);  // none unless one is asked for
  CHECK(result.failed == 2);
  for (const std::size_t i : {0U, 1U, 4U}) CHECK(result.members[i].status == MemberStatus::finished);
  CHECK(result.members[2].status == MemberStatus::expired);
  CHECK(result.members[2].kind == "MemberExpired");
  CHECK(result.members[2].time > 0);
  CHECK(result.members[3].status == MemberStatus::expired);
  CHECK(result.members[3].values[0] > 0);  // what it had
}

TEST_CASE("a motion tells its time, and its error is that which caused the end of the drive", "[ensemble]") {
  const LagrangeDAlembert model{systems::ChaplyginSleigh<double>{{.mass = 1, .inertia = 1, .offset = 0.5}}};
  using Model = std::remove_const_t<decltype(model)>;
  const auto run = [&](MemberContext& context) {
    auto state = model.state(SE2d::identity(), {1.0, 0, 2.0});
    const auto watch = [&](const Model&, const Model::State& x) {
      if (context.index() == 1 && x.time > 0.5) throw RodFolded("RodFolded: a rod folded", x.time);
    };
    drive(RungeKutta4{}, model, state, {.step = 0.1, .until = 1.0}, context, watch);
    return std::array{state.xi[0]};
  };
  const auto result = run_ensemble(2, run, {.names = {"u"}});
  CHECK(result.members[0].status == MemberStatus::finished);
  CHECK(result.members[0].time == Approx(1.0));
  CHECK(result.members[1].kind == "RodFolded");
  CHECK(result.members[1].time == Approx(0.6));
}

TEST_CASE("members of a block run together, and one that throws fails alone", "[ensemble]") {
  std::atomic<std::size_t> largest{0};
  const auto together = [&](MemberBlock& block) {
    largest = std::max<std::size_t>(largest, block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (block[i].index() == 21) throw std::runtime_error("not this one");
      block.values(i)[0] = static_cast<double>(block[i].index());
    }
  };
  const auto result = run_ensemble(100, together, {.names = {"index"}}, Threads{2});
  CHECK(largest >= members_together);
  CHECK(result.failed == 1);
  for (std::size_t i = 0; i < 100; ++i) {
    if (i == 21)
      CHECK(result.members[i].kind == "runtime_error");
    else
      CHECK(result.members[i].values[0] == static_cast<double>(i));
  }
}

TEST_CASE("sleighs of a batch over lanes are the same whatever block they are in", "[ensemble]") {
  const LagrangeDAlembert lanes{
      systems::ChaplyginSleigh<Pack<double, 4>>{{.mass = 1, .inertia = 1, .offset = 0.5}}};
  const LagrangeDAlembert model{systems::ChaplyginSleigh<double>{{.mass = 1, .inertia = 1, .offset = 0.5}}};
  using State = decltype(model)::State;
  const auto start = [](std::uint64_t seed) {
    return State{
        .xi = {static_cast<double>(seed >> 40) * 1e-7, 0, static_cast<double>(seed & 0xffffffU) * 1e-7}};
  };
  const auto batch = [&](MemberBlock& block) {
    std::vector<State> states;
    for (std::size_t i = 0; i < block.size(); ++i) states.push_back(start(block[i].seed()));
    run_batch(RungeKutta4{}, lanes, states, {.step = 0.05, .steps = 40});
    for (std::size_t i = 0; i < block.size(); ++i) block.values(i)[0] = states[i].g.angle();
  };
  const EnsembleOptions asked{.names = {"heading"}, .seed = 3};
  const auto whole = run_ensemble(53, batch, asked);
  auto pieces = asked;
  pieces.block = 3;
  check_same(whole, run_ensemble(53, batch, pieces, Threads{2}));
  CHECK(whole.failed == 0);
  CHECK(whole.members[0].values[0] != whole.members[1].values[0]);
}

TEST_CASE("progress is told to the end, with the time that is left", "[ensemble]") {
  auto asked = options();
  std::vector<EnsembleProgress> told;
  asked.progress = [&](const EnsembleProgress& now) { told.push_back(now); };
  asked.progress_interval = 0;
  asked.block = 10;
  (void)run_ensemble(100, member, asked, Threads{2});
  REQUIRE(told.size() == 11);
  CHECK(told.front().done == 0);
  CHECK(std::isinf(told.front().wall_seconds_left));
  CHECK(told.back().done == 100);
  CHECK(told.back().wall_seconds_left == 0);
  CHECK(told.back().failed == 27);
  CHECK(told[5].wall_seconds_left == Approx(told[5].wall_seconds));
}

TEST_CASE("members that take their time are handed out one by one, short ones many at once", "[ensemble]") {
  EnsembleOptions asked{.names = {"index"}};
  std::vector<std::size_t> done;
  asked.progress = [&](const EnsembleProgress& now) { done.push_back(now.done); };
  asked.progress_interval = 0;
  const auto slow = [](std::uint64_t index, std::uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return static_cast<double>(index);
  };
  (void)run_ensemble(24, slow, asked);
  REQUIRE(done.size() == 25);
  for (std::size_t i = 0; i < 25; ++i) CHECK(done[i] == i);
  done.clear();
  (void)run_ensemble(
      100000, [](std::uint64_t index, std::uint64_t) { return static_cast<double>(index); }, asked);
  CHECK(done[1] == 1);
  CHECK(done.size() < 2000);
  CHECK(done.back() == 100000);
}

TEST_CASE("what progress throws ends the run and passes through, and the file goes on", "[ensemble]") {
  const test::Folder folder;
  auto asked = options(folder / "a.runs");
  asked.progress = [](const EnsembleProgress& now) {
    if (now.done >= 20) throw std::runtime_error("enough");
  };
  asked.progress_interval = 0;
  asked.block = 5;
  CHECK_THROWS_WITH(run_ensemble(100, member, asked, Threads{2}), "enough");
  asked.progress = nullptr;
  CHECK(run_ensemble(100, member, asked).kept >= 20);
}

TEST_CASE("options out of range and records of another length are refused", "[ensemble]") {
  using Catch::Contains;
  CHECK_THROWS_WITH(run_ensemble(0, member, options()), Contains("count = 0"));
  CHECK_THROWS_WITH(run_ensemble(5, member, EnsembleOptions{}), Contains("names = 0"));
  auto asked = options();
  asked.first = 5;
  CHECK_THROWS_WITH(run_ensemble(5, member, asked), Contains("first = 5"));
  asked.first = 0;
  asked.last = 6;
  CHECK_THROWS_WITH(run_ensemble(5, member, asked), Contains("last = 6") && Contains("5 members"));
  asked = options();
  asked.limit = -1;
  CHECK_THROWS_WITH(run_ensemble(5, member, asked), Contains("limit = -1"));
  asked = options();
  asked.names = {"sum"};
  const auto result = run_ensemble(1, member, asked);
  CHECK(result.members[0].status == MemberStatus::failed);
  CHECK_THAT(result.members[0].error, Contains("numbers of a record = 2"));
}

TEST_CASE("the names of what is thrown are those of the source", "[ensemble]") {
  using detail::plain_type_name;
  CHECK(plain_type_name(typeid(ContactOpened).name()) == "ContactOpened");
  CHECK(plain_type_name(typeid(std::invalid_argument).name()) == "invalid_argument");
  CHECK(plain_type_name(typeid(IntegrationFailureWith<int>).name()) == "IntegrationFailureWith");
  CHECK(plain_type_name("class Strange") == "class Strange");
  CHECK(plain_type_name("N9999999999999x") == "x");
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a full disk ends a run over threads with what was kept, and the next one goes on", "[ensemble]") {
  const test::Folder folder;
  (void)run_ensemble(500, member, options(folder / "whole"));
  const auto whole = std::filesystem::file_size(folder / "whole");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit narrow{whole / 2, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &narrow);
  std::string said;
  EnsembleFault fault{};
  auto asked = options(folder / "full");
  asked.block = 3;
  try {
    (void)run_ensemble(500, member, asked, Threads{2});
  } catch (const EnsembleError& error) {
    said = error.what();
    fault = error.fault();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(fault == EnsembleFault::unwritable);
  CHECK_THAT(said, Catch::Contains("members are kept") && Catch::Contains("full"));
  const auto result = run_ensemble(500, member, asked, Threads{2});
  CHECK(result.kept > 200);
  CHECK(result.kept < 300);
  CHECK(result.torn == 0);  // it was cut off at once
  CHECK(test::text_of(folder / "full") == test::text_of(folder / "whole"));
}

TEST_CASE("a run that is killed at any moment and taken up has the same bytes", "[ensemble]") {
  const test::Folder folder;
  const std::size_t count = 3000;
  (void)run_ensemble(count, member, options(folder / "whole"));
  std::mt19937 engine{test::seed()};
  std::uniform_int_distribution<int> moment(500, 8000);  // [µs]
  auto asked = options(folder / "killed");
  int kills = 0;
  for (int turn = 0; turn < 10; ++turn) {
    asked.block = turn % 2 == 0 ? 1 : 0;
    const pid_t child = fork();
    if (child == 0) {
      try {
        (void)run_ensemble(count, member, asked, Threads{2});
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    usleep(static_cast<useconds_t>(moment(engine)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK((WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
    kills += WIFSIGNALED(status) ? 1 : 0;
  }
  CHECK(kills > 0);
  const auto result = run_ensemble(count, member, asked, Threads{3});
  CHECK(test::text_of(folder / "killed") == test::text_of(folder / "whole"));
  CHECK(result.members.size() == count);
}
#endif

}  // namespace run_ensemble_test
