#include <dalembert/io/checkpoint.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/lie/power.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/se3.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/comma.hpp"
#include "support/folder.hpp"
#include "support/pendulum.hpp"

namespace test {

/// A kind of state of one's own says what its numbers are.
template <class Visitor>
void visit_numbers(Pendulum::State& state, Visitor&& visit) {
  visit("time", state.time);
  visit("q", state.q);
  visit("v", state.v);
}

}  // namespace test

namespace checkpoint_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using io::CheckpointFault;
namespace fs = std::filesystem;
using test::Folder;
using test::put_text;
using test::text_of;

/// The text with another content, and the hash that belongs to it.
std::string sealed(std::string text, const std::string& from, const std::string& to) {
  text.resize(text.rfind("end "));
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return text + "end " + io::detail::hash_text(text) + "\n";
}

/// What is wrong with the file at `path` as a checkpoint of `state`, which must stay as it was.
template <class State>
CheckpointFault fault(const fs::path& path, const State& state, const std::string& word = {}) {
  State copy = state;
  try {
    io::load_checkpoint(path, copy);
  } catch (const io::CheckpointError& error) {
    CHECK(copy == state);
    CHECK_THAT(error.what(), ContainsSubstring(path.string()));
    CHECK_THAT(error.what(), ContainsSubstring(word));
    return error.fault();
  }
  FAIL("nothing was wrong");
  throw 0;
}

LagrangeDAlembert<systems::ChaplyginSleigh<double>> sleigh() {
  return LagrangeDAlembert{systems::ChaplyginSleigh<double>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
}

using Plane = State<SE2<double>>;
Plane some_state() {
  return {.time = 0.1, .g = SE2<double>(0.3, -1e-17, 2.9), .xi = Vec<double, 3>(1.0 / 3, -0.0, 5e-324)};
}

TEST_CASE("a checkpoint gives back every bit", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "state";
  const auto check = [&](auto number, auto exponent) {
    using S = decltype(number);
    using Limits = std::numeric_limits<S>;
    using G = Product<Product<SE3<S>, SE2<S>>, Power<Rn<S, 2>, 2>>;
    State<G, 3> state;
    state.time = number;
    state.g = G::exp(Vec<S, G::dof>::LinSpaced(G::dof, S(0.1), std::sqrt(S(2))));
    state.xi.setLinSpaced(G::dof, -number, Limits::max());
    state.z << Limits::denorm_min(), -Limits::min() / 3, std::ldexp(S(1) - Limits::epsilon() / 2, exponent);
    State<G, 3> restored;
    io::save_checkpoint(path, state);
    io::load_checkpoint(path, restored);
    CHECK(restored == state);
    CHECK(std::signbit(restored.xi[0]));
    restored.z[0] = 0;
    CHECK_FALSE(restored == state);
  };
  check(1.0f / 3, 127);
  check(1.0 / 3, -900);
  check(1.0L / 3, 900);
}

TEST_CASE("a checkpoint is text that depends on no machine", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "state";
  State<SE2<double>, 1> state{.time = 2.5, .g = SE2<double>(-3, 0.1, 0), .xi = {0, -0.0, 1e3}};
  state.z[0] = 20;
  State<SE2<double>, 1> restored;
  {
    const test::Comma comma;
    io::save_checkpoint(path, state);
    io::load_checkpoint(path, restored);
  }
  CHECK(restored == state);
  CHECK(text_of(path) ==
        "dalembert checkpoint 1\n"
        "precision 53\n"
        "time 1 0x1.4p+1\n"
        "g 4 0x1p+0 0x0p+0 -0x1.8p+1 0x1.999999999999ap-4\n"
        "xi 3 0x0p+0 -0x0p+0 0x1.f4p+9\n"
        "z 1 0x1.4p+4\n"
        "end " +
            io::detail::hash_text(text_of(path).substr(0, text_of(path).size() - 21)) + "\n");
  CHECK(io::detail::hash("a") == 0xaf63dc4c8601ec8cu);  // as published with the function
}

TEST_CASE("what is no number is not read as one", "[checkpoint]") {
  using io::detail::exact_number;
  CHECK(exact_number<double>("-0x1.8p+1") == -3.0);
  CHECK(exact_number<double>("0x.8p-1") == 0.25);
  for (const char* text : {"", "0x", "0xp+0", "1", "0x1", "0x1p", "0x1p+", "0x1.0.0p+0", "0x1gp+0",
                           "--0x1p+0", "0x1p+9999", "0x1p+99999999999", "nan", "inf", "0x1p+0x", "0X1p+0"}) {
    CAPTURE(text);
    CHECK_FALSE(exact_number<double>(text));
  }
}

TEST_CASE("a wrong checkpoint is refused by name, and the state stays", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "run.checkpoint";
  const Plane state = some_state();
  io::save_checkpoint(path, Plane{.time = 7});
  const std::string good = text_of(path);

  CHECK(fault(folder.path / "none", state, "cannot read") == CheckpointFault::unreadable);
  CHECK_NOTHROW(fault(folder.path, state));  // a folder
  for (const std::string text : {"", "dalembert", "t,x\n0,1\n",
                                 "\x7f"
                                 "ELF"}) {
    put_text(path, text);
    CHECK(fault(path, state, "is no checkpoint") == CheckpointFault::not_a_checkpoint);
  }
  put_text(path, sealed(good, "checkpoint 1\n", "checkpoint 2\n"));
  CHECK(fault(path, state, "format '2'") == CheckpointFault::version);
  for (std::size_t size = std::string("dalembert checkpoint 1").size(); size < good.size(); ++size) {
    put_text(path, good.substr(0, size));
    CHECK(fault(path, state, "not complete") == CheckpointFault::truncated);
  }
  put_text(path, good + "x");
  CHECK(fault(path, state) == CheckpointFault::truncated);
  // Any one bit that flips, wherever it is.
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 7)));
    put_text(path, bad);
    CAPTURE(i);
    CHECK_NOTHROW(fault(path, state));
  }
  // Well sealed, but wrong.
  put_text(path, sealed(good, "precision 53\n", "precision 24\n"));
  CHECK(fault(path, state, "24 binary digits") == CheckpointFault::scalar);
  put_text(path, sealed(good, "precision 53\n", "exactness 53\n"));
  CHECK(fault(path, state) == CheckpointFault::damaged);
  put_text(path, sealed(good, "time 1 0x1.cp+2\n", "time 1 seven\n"));
  CHECK(fault(path, state, "time holds what is no number") == CheckpointFault::damaged);
  put_text(path, sealed(good, "time 1 0x1.cp+2\n", "time 1 0x1.cp+2 0x0p+0\n"));
  CHECK(fault(path, state, "time holds more than it says") == CheckpointFault::damaged);
  put_text(path, sealed(good, "time 1 0x1.cp+2\n", "time 1\n"));
  CHECK(fault(path, state) == CheckpointFault::damaged);
  put_text(path, sealed(good, "xi 3", "xj 3"));
  CHECK(fault(path, state, "xj (3) where the state to restore has xi (3)") == CheckpointFault::shape);
  put_text(path, sealed(good, "z 0\n", ""));
  CHECK(fault(path, state, "nothing") == CheckpointFault::shape);
  put_text(path, sealed(good, "z 0\n", "z 0\nw 0\n"));
  CHECK(fault(path, state, "holds more") == CheckpointFault::shape);

  put_text(path, good);
  Plane restored = state;
  io::load_checkpoint(path, restored);
  CHECK(restored == Plane{.time = 7});
}

TEST_CASE("a checkpoint of another kind of state is refused", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "run.checkpoint";
  io::save_checkpoint(path, some_state());
  CHECK(fault(path, State<SE3<double>>{}, "g (4)") == CheckpointFault::shape);
  CHECK(fault(path, State<SE2<double>, 1>{}, "z (0)") == CheckpointFault::shape);
  CHECK(fault(path, State<SE2<float>>{}, "53 binary digits") == CheckpointFault::scalar);
  CHECK(fault(path, State<SE2<long double>>{}, "53 binary digits") == CheckpointFault::scalar);
}

TEST_CASE("saving replaces a checkpoint as a whole, or leaves it", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "run.checkpoint";
  io::save_checkpoint(path, some_state());
  const std::string good = text_of(path);

  Plane bad = some_state();
  bad.xi[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(io::save_checkpoint(path, bad), std::invalid_argument);
  CHECK_THROWS_WITH(io::save_checkpoint(path, bad), ContainsSubstring("xi = nan"));
  CHECK(text_of(path) == good);

  // While a new one cannot be written, the old one stays: here its place is taken by a folder.
  fs::create_directories(folder.path / "run.checkpoint.part");
  try {
    io::save_checkpoint(path, Plane{});
    FAIL("written into a folder");
  } catch (const io::CheckpointError& error) {
    CHECK(error.fault() == CheckpointFault::unwritable);
    CHECK_THAT(error.what(), ContainsSubstring(path.string()));
  }
  CHECK(text_of(path) == good);
  fs::remove_all(folder.path / "run.checkpoint.part");

  io::save_checkpoint(path, Plane{});
  CHECK(text_of(path) != good);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path)) files += entry.exists() ? 1u : 0u;
  CHECK(files == 1);
  if (fs::exists("/dev/full"))
    CHECK_THROWS_AS(io::save_checkpoint("/dev/full/x", Plane{}), io::CheckpointError);
}

TEST_CASE("a checkpoint that cannot be put in its place leaves nothing behind", "[checkpoint]") {
  const Folder folder;
  fs::create_directories(folder / "run.checkpoint" / "full");  // what no file replaces
  CHECK_THROWS_AS(io::save_checkpoint(folder / "run.checkpoint", some_state()), io::CheckpointError);
  CHECK(folder.names() == std::vector<std::string>{"run.checkpoint"});
}

TEMPLATE_TEST_CASE("a sleigh goes on from a checkpoint bit for bit", "[checkpoint]", RungeKutta4,
                   DormandPrince54) {
  const Folder folder;
  const auto path = folder.path / "sleigh.checkpoint";
  const auto problem = sleigh();
  const auto start = problem.state(SE2d(0.1, 0.2, 0.3), {-0.7, 0, 0.9}, 0.05);
  const TestType method{.project = GENERATE(false, true)};
  const double step = 0.0137, until = 3.0;

  std::vector<Plane> whole, second;
  auto state = start;
  drive(method, problem, state, {.step = step, .until = until, .output_interval = 0.1},
        [&](const auto&, const Plane& x) { whole.push_back(x); });

  // The same, but it stops on the way.
  auto first = start;
  io::CheckpointWriter keep{path, 4};
  struct Stop {};
  CHECK_THROWS_AS(drive(method, problem, first, {.step = step, .until = until, .output_interval = 0.1}, keep,
                        [](const auto&, const Plane& x) {
                          if (x.time > 1.5) throw Stop{};
                        }),
                  Stop);
  auto restored = start;
  io::load_checkpoint(path, restored);
  REQUIRE(restored.time == Approx(1.25));
  REQUIRE(restored == whole[12]);
  drive(method, problem, restored,
        {.step = step, .until = until, .output_interval = 0.1, .origin = start.time},
        [&](const auto&, const Plane& x) { second.push_back(x); });
  CHECK(restored == state);
  CHECK(second == std::vector<Plane>(whole.begin() + 12, whole.end()));

  // Without the origin of the times the steps are others.
  io::load_checkpoint(path, restored);
  drive(method, problem, restored, {.step = step, .until = until, .output_interval = 0.1});
  CHECK_FALSE(restored == state);
  io::load_checkpoint(path, restored);
  CHECK_THROWS_WITH(drive(method, problem, restored, {.step = step, .until = until, .origin = 1.3}),
                    ContainsSubstring("origin = 1.3"));
}

/// A particle under a force that tells times apart by a single unit of round-off.
struct Timekeeper : test::Pendulum {
  void rates(const State& at, Rates& out) const { out.a = 1e6 * at.time; }
};

TEST_CASE("a system that depends on time goes on from any checkpoint bit for bit", "[checkpoint]") {
  const Folder folder;
  const auto path = folder.path / "timekeeper.checkpoint";
  const Timekeeper problem;
  for (int i = 0; i < 20; ++i) {
    const double step = 0.617 + 0.0131 * i;
    const test::Pendulum::State start{.time = -1.003 * step, .q = 0.4, .v = -0.3};
    const double until = start.time + 4 * step;
    std::vector<test::Pendulum::State> seen;
    auto state = start;
    drive(DormandPrince54{}, problem, state, {.step = step, .until = until},
          [&](const auto&, const auto& x) { seen.push_back(x); });
    for (const auto& at : seen) {
      io::save_checkpoint(path, at);
      auto restored = start;
      io::load_checkpoint(path, restored);
      drive(DormandPrince54{}, problem, restored, {.step = step, .until = until, .origin = start.time});
      CHECK(restored == state);
    }
  }
}

struct Unknown {
  double time = 0;
};
static_assert(io::CheckpointState<Plane> && io::CheckpointState<State<Rn<float, 3>, 2>>);
static_assert(io::CheckpointState<test::Pendulum::State>);
static_assert(!io::CheckpointState<Unknown> && !io::CheckpointState<double>);

TEST_CASE("a checkpoint writer wants a period", "[checkpoint]") {
  CHECK_THROWS_WITH(io::CheckpointWriter("x", 0), ContainsSubstring("every = 0"));
}

}  // namespace checkpoint_test
