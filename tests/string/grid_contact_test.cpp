#include <dalembert/string/grid_contact.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/string/exact.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace grid_test {

using namespace dalembert;
using String = strings::GridString<double>;
using Contact = strings::GridContact<double>;
using Problem = assembly::Assembly<assembly::Kinds<String>, assembly::Kinds<Contact>>;
using Column = Vec<double, Eigen::Dynamic>;
using Profile = strings::Profile<double>;
using strings::Ends;

Profile sine(double size = 1, double waves = 1) {
  return {.displacement = [=](double x) { return size * std::sin(waves * x); }};
}

/// Two strings of different speeds and densities, closed or not, in motion, in one contact or in two that share nodes.
struct Scene {
  String one, other;
  std::vector<Contact> contacts;
  Problem problem;
  assembly::State<double> state;

  explicit Scene(Ends ends, std::vector<double> places = {2.0, 2.7}, double damping = 0, int points = 40)
      : one({.c = 1.2, .points = points, .ends = ends, .density = 0.7}),
        other({.c = 0.8, .points = points + 8, .ends = ends, .density = 1.6, .damping = damping}),
        contacts(make(places)),
        problem(assembly::bodies(std::vector{one, other}), assembly::constraints(contacts)),
        state(problem.state(lines(), Eigen::Map<const Column>(places.data(), std::ssize(places)))) {}

  std::vector<Contact> make(const std::vector<double>& places) const {
    std::vector<Contact> all;
    for (std::size_t i = 0; i + 1 < places.size(); i += 2)
      all.push_back({{0, one, 0.3}, {1, other, 0.3}, 1.5 - 0.2 * double(i), 0.4, 0.3});
    return all;
  }
  std::vector<assembly::Line<double>> lines() const {
    std::mt19937 engine{test::seed()};
    std::uniform_real_distribution<double> draw(-1, 1);
    std::vector<assembly::Line<double>> lines{one.line({}), other.line({})};
    for (auto& line : lines) {
      for (double& x : line.displacement) x = 0.02 * draw(engine);
      for (double& x : line.velocity) x = 0.3 * draw(engine);
    }
    hold(one, lines[0], 0.0);
    hold(other, lines[1], 0.0);
    return lines;
  }
};

TEST_CASE("a string on a grid has the standing waves of its grid", "[string]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    CAPTURE(static_cast<int>(ends));
    const int n = 24;
    const String s({.c = 1.3, .length = 2.0, .points = n, .ends = ends, .density = 0.4});
    const assembly::Assembly problem{assembly::bodies(std::vector{s})};
    const double k = (ends == Ends::periodic ? 2 : 1) * 3 * M_PI / 2.0;
    const double omega = 2 * 1.3 / s.spacing() * std::sin(k * s.spacing() / 2);
    const bool cosine = ends == Ends::free;
    auto x = problem.state(std::vector{
        s.line({.displacement = [=](double y) { return cosine ? std::cos(k * y) : std::sin(k * y); }})});
    const auto start = x.lines[0].displacement;
    const double energy = problem.energy(x);
    CHECK(problem.frequency_bound(x) == Approx(2 * 1.3 / s.spacing()));
    drive(DormandPrince853{}, problem, x, {.step = 1e-2, .until = 1.7, .tolerance = 1e-13});
    CHECK((x.lines[0].displacement - std::cos(omega * 1.7) * start).norm() < 1e-10);
    CHECK((x.lines[0].velocity + omega * std::sin(omega * 1.7) * start).norm() < 1e-9);
    CHECK(std::abs(problem.energy(x) / energy - 1) < 1e-11);
    // ∫ ½ρ(c k cos kx)² dx less what the grid leaves out
    CHECK(energy == Approx(0.4 / 4 * 2.0 * omega * omega).epsilon(1e-12));
  }
}

TEST_CASE("the damping of a string takes its energy at twice its rate", "[string]") {
  const String s({.points = 64, .damping = 0.3});
  const assembly::Assembly problem{assembly::bodies(std::vector{s})};
  auto x = problem.state(std::vector{s.line(sine())});
  auto r = problem.make_rates();
  drive(Verlet{}, problem, x, {.step = 1e-3, .until = 1.0});
  problem.rates(x, r);
  CHECK(problem.power(x, r).dissipation == Approx(-0.6 * problem.kinetic_energy(x)));
  const double omega0 = 2 / s.spacing() * std::sin(s.spacing() / 2),
               omega = std::sqrt(omega0 * omega0 - 0.0225);
  const double u = std::exp(-0.15) * (std::cos(omega) + 0.15 / omega * std::sin(omega));
  CHECK(x.lines[0].displacement[16] == Approx(u).epsilon(1e-6));
}

TEST_CASE("the force of a contact on a grid is that of its closed form", "[string]") {
  const Ends ends = GENERATE(Ends::fixed, Ends::free, Ends::periodic);
  CAPTURE(static_cast<int>(ends));
  const std::vector<double> places = ends == Ends::periodic ? std::vector{6.2, 0.1} : std::vector{2.0, 2.7};
  const Scene scene(ends, places);
  const auto& one = scene.one;
  const auto& other = scene.other;
  const auto& problem = scene.problem;
  const auto& x = scene.state;
  const Contact& c = scene.contacts[0];
  auto r = problem.make_rates();
  problem.rates(x, r);

  // weights and their slopes, as the average of one node at a time and by differences
  const auto weights = [&](const auto& place, const String& s, std::size_t body, double at) {
    Column alpha(s.nodes());
    std::vector<assembly::Line<double>> lines = x.lines;
    for (Eigen::Index k = 0; k < s.nodes(); ++k) {
      lines[body].velocity.setZero();
      lines[body].velocity[k] = 1;
      assembly::Point<double> p;
      p.s = at;
      place.find_velocity(lines, p);
      alpha[k] = p.V[0];
    }
    return alpha;
  };
  const double d = 1e-5;
  const auto slopes = [&](const auto& place, const String& s, std::size_t body, double at) {
    return Column((weights(place, s, body, at + d) - weights(place, s, body, at - d)) / (2 * d));
  };
  const Column a = weights(c.first, one, 0, x.z[0]), b = weights(c.second, other, 1, x.z[1]);
  CHECK(a.sum() == Approx(1));
  CHECK(b.sum() == Approx(1));
  const auto masses = [](const String& s) {
    Column m(s.nodes());
    for (Eigen::Index k = 0; k < s.nodes(); ++k) m[k] = inverse_mass(s, k);
    return m;
  };
  Column fu(one.nodes()), fv(other.nodes());
  one.forces(x.lines[0], fu);
  other.forces(x.lines[1], fv);
  const Column &ut = x.lines[0].velocity, &vt = x.lines[1].velocity;
  const double s1 = c.G1 * a.dot(ut), s2 = c.G2 * b.dot(vt);
  const double free =
      a.dot(masses(one).cwiseProduct(fu)) + s1 * slopes(c.first, one, 0, x.z[0]).dot(ut) -
      c.F * (b.dot(masses(other).cwiseProduct(fv)) + s2 * slopes(c.second, other, 1, x.z[1]).dot(vt));
  const double system = a.dot(masses(one).cwiseProduct(a)) + c.F * c.F * b.dot(masses(other).cwiseProduct(b));
  CHECK(r.lambda[0] == Approx(-free / system).epsilon(1e-7));
  CHECK(r.zdot[0] == Approx(s1));
  CHECK(r.zdot[1] == Approx(s2));
  CHECK((r.xidot.lines[0] - masses(one).cwiseProduct(fu + r.lambda[0] * a)).norm() < 1e-11 * fu.norm());
  CHECK((r.xidot.lines[1] - masses(other).cwiseProduct(fv - c.F * r.lambda[0] * b)).norm() <
        1e-11 * fv.norm());
  CHECK(std::abs(problem.power(x, r).constraint - r.lambda[0] * (a.dot(ut) - c.F * b.dot(vt))) < 1e-12);
}

TEST_CASE("the residual of strings in contacts is zero at their rates and only there", "[string]") {
  const Ends ends = GENERATE(Ends::fixed, Ends::free, Ends::periodic);
  CAPTURE(static_cast<int>(ends));
  // two contacts that share nodes, on a closed string across its seam
  const Scene scene(
      ends, ends == Ends::periodic ? std::vector{6.25, 3.0, 0.2, 3.2} : std::vector{2.0, 2.7, 2.3, 2.9}, 0.3);
  const auto& problem = scene.problem;
  assembly::State<double> x = scene.state;
  problem.project(x);
  CHECK(problem.constraint(x).velocity < 1e-13);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.clusters == 1);
  auto out = problem.make_residual();
  problem.residual(x, r, out);
  const double size = r.loads.norm();
  CHECK(out.lpNorm<Eigen::Infinity>() < 1e-10 * size);
  CHECK(std::abs(problem.power(x, r).constraint) < 1e-12 * size);
  auto other = r;
  other.lambda[1] += 1e-3 * size;
  problem.residual(x, other, out);
  CHECK(out.lpNorm<Eigen::Infinity>() > 1e-6 * size);
  other = r;
  other.xidot.lines[1][5] += 1e-3 * size;
  problem.residual(x, other, out);
  CHECK(out.lpNorm<Eigen::Infinity>() > 1e-6 * size);
}

TEST_CASE("strings on a grid keep their energy but for what the integrator leaves", "[string]") {
  Scene scene(Ends::periodic);
  auto x = scene.state;
  scene.problem.project(x);
  const double energy = scene.problem.energy(x);
  drive(DormandPrince853{}, scene.problem, x, {.step = 1e-2, .until = 20.0, .tolerance = 1e-14});
  CHECK(std::abs(scene.problem.energy(x) / energy - 1) < 1e-12);
  CHECK(scene.problem.constraint(x).velocity < 1e-12);
  CHECK(std::abs(x.z[0] - 2) > 0.05);
}

TEST_CASE("the energy of strings in contact does not drift with verlet", "[string]") {
  Scene scene(Ends::fixed);
  auto x = scene.state;
  scene.problem.project(x);
  auto stepper = Verlet{}.stepper(scene.problem, x);
  const double energy = scene.problem.energy(x), step = 0.05 * scene.one.spacing();
  double early = 0, late = 0;
  for (int i = 0; i < 100000; ++i) {
    REQUIRE(stepper.step(scene.problem, x, step).converged);
    if (i % 10 != 0) continue;
    double& band = i < 20000 ? early : late;
    band = std::max(band, std::abs(scene.problem.energy(x) / energy - 1));
  }
  CHECK(early < 2e-3);
  CHECK(late < 1.5 * early);
  CHECK(scene.problem.constraint(x).velocity < 1e-14);
}

TEST_CASE("strings on a grid follow a reference in quadruple precision", "[string][reference]") {
  const test::Json set = test::data("strings_on_a_grid.json");
  const auto& p = set["params"];
  const int n = p["n"].get<int>();
  const String s({.c = p["c"], .length = p["l"], .points = n + 1});
  using Wide = strings::GridContact<double, contact::Gaussian>;
  const double width = p["sigma"];
  const Wide c{{0, s, width}, {1, s, width}, p["F"], p["G1"], p["G2"]};
  const assembly::Assembly problem{assembly::bodies(std::vector{s, s}),
                                   assembly::constraints(std::vector{c})};
  auto x = problem.state(std::vector{s.line(sine()), s.line({})}, Vec<double, 2>(2.0, 2.0));
  for (std::size_t i = 1; i < set["times"].size(); ++i) {
    drive(DormandPrince853{}, problem, x,
          {.step = 1e-2, .until = set["times"][i].get<double>(), .tolerance = 1e-13});
    const auto& y = set["states"][i];
    double worst = 0;
    const auto from = static_cast<std::size_t>(n);
    for (std::size_t k = 0; k < from; ++k) {
      const auto node = static_cast<Eigen::Index>(k + 1);
      worst = std::max({worst, std::abs(y[k].get<double>() - x.lines[0].displacement[node]),
                        std::abs(y[2 * from + k].get<double>() - x.lines[0].velocity[node]),
                        std::abs(y[from + k].get<double>() - x.lines[1].displacement[node]),
                        std::abs(y[3 * from + k].get<double>() - x.lines[1].velocity[node])});
    }
    CHECK(worst < 1e-11);
    CHECK(std::abs(y[4 * from].get<double>() - x.z[0]) < 1e-11);
    CHECK(std::abs(y[4 * from + 1].get<double>() - x.z[1]) < 1e-11);
  }
}

TEST_CASE("a contact on a grid tends to a sharp one at the order of its kernel", "[string]") {
  const double exact = 2 * std::atan(std::tan(1.0) * std::exp(0.25 * (std::cos(4.0) - 1)));
  std::vector<double> errors;
  for (const double width : {0.4, 0.2, 0.1}) {
    const String s({.points = 1024});
    const Contact c{{0, s, width}, {1, s, width}, 1, 0.5, 0.5};
    const assembly::Assembly problem{assembly::bodies(std::vector{s, s}),
                                     assembly::constraints(std::vector{c})};
    auto x = problem.state(std::vector{s.line(sine()), s.line({})}, Vec<double, 2>(2.0, 2.0));
    drive(Verlet{}, problem, x, {.step = 0.5 * s.spacing(), .until = 4.0});
    errors.push_back(std::abs(x.z[0] - exact));
  }
  CHECK(errors[2] < 2e-3);
  CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.2));
  CHECK(std::log2(errors[1] / errors[2]) == Approx(2).margin(0.2));
}

TEST_CASE("verlet moves a contact on a grid at second order", "[string]") {
  const auto end = [](double step) {
    Scene scene(Ends::free);
    auto x = scene.state;
    scene.problem.project(x);
    drive(Verlet{}, scene.problem, x, {.step = step, .until = 0.8});
    return Vec<double, 2>(x.z[0], x.lines[1].displacement[20]);
  };
  const auto a = end(0.01), b = end(0.005), c = end(0.0025);
  CHECK(std::log2((a - b).norm() / (b - c).norm()) == Approx(2).margin(0.15));
}

TEST_CASE("a place on a string sees the middle of a step", "[string]") {
  const Scene scene(Ends::periodic);
  const auto& place = scene.contacts[0].first;
  const double h = 0.01;
  for (const double s : {2.0, 0.05, 6.2}) {
    // a motion of constant velocities, so that the middle is what lies in the middle
    auto begin = scene.state.lines, middle = begin, end = begin;
    middle[0].displacement += h / 2 * begin[0].velocity;
    end[0].displacement += h * begin[0].velocity;
    assembly::Point<double> seen, expected;
    assembly::Window window;
    place.find_middle(begin, end, h, s, 0.0, seen);
    place.find(middle, s, 0.0, expected, window, nullptr);
    place.find_velocity(middle, expected);
    CHECK((seen.R - expected.R).norm() < 1e-15);
    CHECK((seen.dR - expected.dR).norm() < 1e-14);
    CHECK((seen.V - expected.V).norm() < 1e-12);
    CHECK((seen.dV - expected.dV).norm() < 1e-11);
    CHECK(seen.s == s);
    CHECK(expected.dV.norm() > 1e-3);
    CHECK(expected.V.norm() > 1e-3);
  }
}

/// A string that does not step in one sweep: it is kicked, drifts and is kicked again.
struct StringInParts : String {
  explicit StringInParts(const String& s) : String(s) {}
  void step() const = delete;
};
static_assert(assembly::SweptBody<String> && !assembly::SweptBody<StringInParts>);

TEST_CASE("strings in contact move in one sweep as they do in parts", "[string]") {
  const Ends ends = GENERATE(Ends::fixed, Ends::free, Ends::periodic);
  const double damping = GENERATE(0.0, 0.4);
  CAPTURE(static_cast<int>(ends), damping);
  // two contacts that share nodes, on a closed string across its seam
  const Scene scene(
      ends, ends == Ends::periodic ? std::vector{6.25, 3.0, 0.2, 3.2} : std::vector{2.0, 2.7, 2.3, 2.9},
      damping);
  const assembly::Assembly in_parts{
      assembly::bodies(std::vector{StringInParts(scene.one), StringInParts(scene.other)}),
      assembly::constraints(scene.contacts)};
  auto x = scene.state;
  scene.problem.project(x);
  auto y = x;
  const auto start = x;
  auto stepper = Verlet{}.stepper(scene.problem, x);
  auto other = Verlet{}.stepper(in_parts, y);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(stepper.step(scene.problem, x, 0.02).converged);
    REQUIRE(other.step(in_parts, y, 0.02).converged);
  }
  CHECK((stepper.loads().lambda - other.loads().lambda).norm() < 1e-9 * other.loads().lambda.norm());
  CHECK((x.z - y.z).norm() < 1e-12);
  CHECK((x.z - start.z).norm() > 1e-3);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((x.lines[i].displacement - y.lines[i].displacement).norm() < 1e-12);
    CHECK((x.lines[i].velocity - y.lines[i].velocity).norm() < 1e-11);
  }
}

TEST_CASE("a closed string does not know where it was cut", "[string]") {
  const auto run = [](double cut) {
    const String s({.points = 60, .ends = Ends::periodic});
    const Contact c{{0, s, 0.3}, {1, s, 0.3}, 1.2, 0.6, 0.5};
    const assembly::Assembly problem{assembly::bodies(std::vector{s, s}),
                                     assembly::constraints(std::vector{c})};
    const auto wave = [=](double y) { return std::sin(y + cut) + 0.3 * std::cos(2 * (y + cut)); };
    auto x = problem.state(
        std::vector{
            s.line({.displacement = wave, .velocity = [=](double y) { return 0.4 * std::cos(y + cut); }}),
            s.line({})},
        Vec<double, 2>(2.0 - cut, 3.0 - cut));
    problem.project(x);
    drive(Verlet{}, problem, x, {.step = 0.01, .until = 5.0});
    return Vec<double, 2>(x.z[0] + cut, x.z[1] + cut);
  };
  const double h = 2 * M_PI / 60;
  const auto whole = run(0);
  CHECK(std::abs(whole[0] - 2) > 0.1);
  for (const int nodes : {17, 19, 20, 28, 31}) CHECK((run(nodes * h) - whole).norm() < 1e-11);
}

TEST_CASE("a step of strings in contact allocates nothing", "[string]") {
  Scene scene(Ends::periodic, {6.25, 3.0, 0.2, 3.2});
  auto x = scene.state;
  scene.problem.project(x);
  auto stepper = Verlet{}.stepper(scene.problem, x);
  (void)stepper.step(scene.problem, x, 1e-3);
  CHECK(test::allocations_during([&] {
          for (int i = 0; i < 20; ++i) (void)stepper.step(scene.problem, x, 1e-3);
        }) == 0);
}

TEST_CASE("a string and a rod live in one assembly", "[string]") {
  using Rod = rod::ElasticRod<double>;
  const Rod rod = test::soft_rod<Rod>(0.005, 12, {});
  const String s({.points = 32});
  const assembly::Assembly both{assembly::bodies(std::vector{rod}, std::vector{s})};
  auto chain = rod.straight({0, 0, 0}, SO3<double>::identity());
  chain.set_velocity(3, {0, 0.1, 0}, {0, 0, 0.2});
  auto x = both.state({0, {chain, rod::Chain<double>()}, {}, {{}, s.line(sine())}});
  const assembly::Assembly alone{assembly::bodies(std::vector{rod})};
  const assembly::Assembly other{assembly::bodies(std::vector{s})};
  auto of_rod = alone.state({chain});
  auto of_string = other.state(std::vector{s.line(sine())});
  CHECK(both.energy(x) == Approx(alone.energy(of_rod) + other.energy(of_string)));
  const double step = 0.3 / std::max(alone.frequency_bound(of_rod), other.frequency_bound(of_string));
  drive(Verlet{}, both, x, {.step = step, .until = 20 * step});
  drive(Verlet{}, alone, of_rod, {.step = step, .until = 20 * step});
  drive(Verlet{}, other, of_string, {.step = step, .until = 20 * step});
  CHECK((x[0].configuration - of_rod[0].configuration).abs().maxCoeff() == 0);
  CHECK((x.lines[1].displacement - of_string.lines[0].displacement).norm() == 0);
}

TEST_CASE("strings in contact move beside bodies of another kind as they do without them", "[string]") {
  const double damping = GENERATE(0.0, 0.4);
  const Scene scene(Ends::fixed, {2.0, 2.7, 2.3, 2.9}, damping);
  const assembly::RigidBody<double> body{{.mass = 2, .inertia = {0.3, 0.2, 0.25}}};
  // of as many nodes as the others, and not in contact
  const std::vector strings{scene.one, scene.other, String({.points = 40, .density = 9}),
                            String({.points = 48, .density = 0.1, .damping = 0.7})};
  std::vector<Contact> contacts = scene.contacts;
  for (Contact& c : contacts) c.first.body += 1, c.second.body += 1;
  const assembly::Assembly beside{assembly::bodies(std::vector{body}, strings),
                                  assembly::constraints(contacts)};
  auto x = scene.state;
  scene.problem.project(x);
  const auto start = x;
  const rod::Chain<double> none;
  auto y = beside.state({0,
                         {body.at({0, 0, 0}), none, none, none, none},
                         x.z,
                         {{}, x.lines[0], x.lines[1], strings[2].line({}), strings[3].line({})}});
  drive(Verlet{}, scene.problem, x, {.step = 0.02, .until = 1.0});
  drive(Verlet{}, beside, y, {.step = 0.02, .until = 1.0});
  CHECK((x.z - start.z).norm() > 1e-3);
  CHECK((x.z - y.z).norm() < 1e-13);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((x.lines[i].displacement - y.lines[i + 1].displacement).norm() < 1e-13);
    CHECK((x.lines[i].velocity - y.lines[i + 1].velocity).norm() < 1e-12);
  }
}

TEST_CASE("a string with a number that is not finite is not projected, wherever that is", "[string]") {
  const Scene scene(Ends::fixed);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  for (const double number : {nan, infinite})
    for (const std::size_t string : {std::size_t(0), std::size_t(1)}) {
      CAPTURE(number, string);
      // far from the contact, whose rows do not see it
      auto displaced = scene.state, moving = scene.state;
      displaced.lines[string].displacement[35] = number;
      moving.lines[string].velocity[35] = number;
      CHECK_THROWS_AS(scene.problem.project(displaced), NotFinite);
      CHECK_THROWS_AS(scene.problem.project(moving), NotFinite);
    }
  auto sound = scene.state;
  CHECK_NOTHROW(scene.problem.project(sound));
}

TEST_CASE("strings in contact go on from a checkpoint to the same bits", "[string]") {
  Scene scene(Ends::fixed);
  auto x = scene.state;
  scene.problem.project(x);
  drive(Verlet{}, scene.problem, x, {.step = 1e-3, .until = 0.1});
  const test::Folder folder;
  io::save_checkpoint(folder / "strings", x);
  auto restored = scene.state;
  io::load_checkpoint(folder / "strings", restored);
  const auto go_on = [&](auto& state) {
    drive(Verlet{}, scene.problem, state, {.step = 1e-3, .until = 0.2});
  };
  go_on(x);
  go_on(restored);
  CHECK((x.lines[0].displacement - restored.lines[0].displacement).norm() == 0);
  CHECK((x.lines[1].velocity - restored.lines[1].velocity).norm() == 0);
  CHECK((x.z - restored.z).norm() == 0);
}

TEST_CASE("strings on a grid refuse what they cannot be", "[string]") {
  const auto message_of = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const std::exception& e) {
      return e.what();
    }
    return {};
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(message_of([] { String s({.c = -1}); }), ContainsSubstring("GridString: c = -1"));
  CHECK_THAT(message_of([] { String s({.points = 3}); }), ContainsSubstring("points = 3"));
  CHECK_THAT(message_of([] { String s({.density = std::numeric_limits<double>::quiet_NaN()}); }),
             ContainsSubstring("density"));
  CHECK_THAT(message_of([] { String s({.damping = -1}); }), ContainsSubstring("damping = -1"));
  const String s({.points = 32});
  CHECK_THAT(message_of([&] { (void)s.line({.displacement = [](double) { return 1.0; }}); }),
             ContainsSubstring("zero at a fixed end"));
  const auto problem = [&](double F, double width) {
    const Contact c{{0, s, width}, {1, s, width}, F, 0.5, 0.5};
    return assembly::Assembly{assembly::bodies(std::vector{s, s}), assembly::constraints(std::vector{c})};
  };
  CHECK_THAT(message_of([&] { (void)problem(0, 0.4); }), ContainsSubstring("F = 0"));
  CHECK_THAT(message_of([&] { (void)problem(1, 9.0); }), ContainsSubstring("shorter"));
  const auto good = problem(1, 0.4);
  const auto lines = std::vector{s.line(sine()), s.line({})};
  CHECK_THAT(message_of([&] { (void)good.state(lines, Vec<double, 2>(0.1, 2.0)); }),
             ContainsSubstring("ContactAtEnd"));
  CHECK_THAT(message_of([&] { (void)good.state(std::vector{lines[0]}, Vec<double, 2>(2.0, 2.0)); }),
             ContainsSubstring("lines = 1"));
  auto longer = lines;
  longer[1].velocity.resize(40);
  CHECK_THAT(message_of([&] { (void)good.state(longer, Vec<double, 2>(2.0, 2.0)); }),
             ContainsSubstring("nodes of line 1"));
  auto broken = lines;
  broken[0].velocity[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(message_of([&] { (void)good.state(broken, Vec<double, 2>(2.0, 2.0)); }),
             ContainsSubstring("line 0"));

  // a contact as fast as the waves
  auto fast = lines;
  fast[0].velocity.setConstant(2.5);
  fast[1].velocity.setConstant(2.5);
  auto x = good.state(fast, Vec<double, 2>(2.0, 2.0));
  auto r = good.make_rates();
  CHECK_THROWS_AS(good.rates(x, r), SupersonicContact);
}

/// Two strings that are tied to each other where they are.
struct Tied {
  using Scalar = double;
  static constexpr const char* name = "Tied";
  static constexpr bool turns = false;
  strings::StringMarker<double> first, second;

  [[nodiscard]] auto markers() const { return std::tie(first, second); }
  template <class T>
  [[nodiscard]] Vec<T, 1> position_constraint(const assembly::FrameState<T>& x,
                                              const assembly::FrameState<T>& y, const T&) const {
    return Vec<T, 1>(x.position[0] - y.position[0]);
  }
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity_constraint(const assembly::FrameState<T>& x,
                                              const assembly::FrameState<T>& y, const T&) const {
    return Vec<T, 1>(x.velocity[0] - y.velocity[0]);
  }
  [[nodiscard]] Vec<double, 2> sliding(const assembly::FrameState<double>&,
                                       const assembly::FrameState<double>&, double) const {
    return {0.0, 0.0};
  }
};

TEST_CASE("strings that are tied stay together and keep their energy", "[string]") {
  const String one({.points = 64}), other({.c = 0.7, .points = 48, .density = 2.0});
  // one tie alone, and two that share nodes
  for (const auto& places : {std::vector{2.0, 2.5}, std::vector{2.0, 2.5, 2.15, 2.7}}) {
    std::vector<Tied> ties(places.size() / 2, Tied{{0, one, 0.2}, {1, other, 0.2}});
    const assembly::Assembly problem{assembly::bodies(std::vector{one, other}), assembly::constraints(ties)};
    auto x = problem.state(std::vector{one.line(sine(0.1)), other.line(sine(0.05, 2))},
                           Eigen::Map<const Column>(places.data(), std::ssize(places)));
    CHECK(problem.constraint(x).position > 1e-3);
    CHECK(problem.project(x).moved > 1e-3);
    CHECK(problem.constraint(x).position < 1e-15);
    const double energy = problem.energy(x);
    const auto start = x.lines[1].displacement;
    drive(Verlet{}, problem, x, {.step = 5e-3, .until = 5.0});
    CHECK((x.lines[1].displacement - start).norm() > 0.05);
    CHECK(problem.constraint(x).position < 1e-15);
    CHECK(problem.constraint(x).velocity < 1e-14);
    CHECK(std::abs(problem.energy(x) / energy - 1) < 2e-3);
  }
}

}  // namespace grid_test
