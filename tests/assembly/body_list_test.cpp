// Bodies of several kinds in one list, beside what each of them does alone.

#include <dalembert/assembly/detail/body_list.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/loose_nodes.hpp"

namespace body_list_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using String = strings::GridString<double>;
using V3 = Vec<double, 3>;
using List = assembly::detail::BodyList<double, Body, String, test::LooseNodes>;
using Catch::Matchers::ContainsSubstring;
constexpr double h = 0.01;

/// Two rigid bodies, a string and a chain of loose nodes, anywhere and moving.
struct Scene {
  test::Draw draw{test::seed()};
  Body one = heavy(), two = pushed();
  String string{{.c = 1.2, .points = 12, .density = 0.7}};
  test::LooseNodes loose;
  List list;
  State<double> x;
  NodeNumbers<double> f;

  Scene() : loose(make(3)), list({std::vector{one, two}, std::vector{string}, std::vector{loose}}) {
    list.divide({0, 1, 1, 0}, 2);
    x = list.blank();
    x.time = 0.2;
    for (auto& chain : x.chains)
      for (Eigen::Index k = 0; k < chain.nodes; ++k) {
        const auto turn = draw.rotation();
        const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
        chain.set_frame(k, turn, place);
        chain.set_velocity(k, velocity, spin);
      }
    for (auto* column : {&x.lines[2].displacement, &x.lines[2].velocity})
      for (double& u : *column) u = 0.01 * draw.between(-1, 1);
    f = list.columns();
    visit_nodes(x.chains, f, [&](double& value) { value = draw.between(-1, 1); });
  }
  static Body heavy() {
    return Body(
        {.mass = 2, .inertia = {1, 1.5, 2}, .gravity = {0, 0, -10}, .torque = {0.3, 0, 0}, .damping = 0.4});
  }
  static Body pushed() { return Body({.mass = 0.5, .inertia = {0.1, 0.15, 0.2}, .force = {1, 2, 3}}); }
  test::LooseNodes make(int nodes) {
    test::LooseNodes body;
    for (int k = 0; k < nodes; ++k) {
      body.masses.push_back(draw.between(0.5, 2));
      body.moments.emplace_back(draw.between(0.5, 2), draw.between(0.5, 2), draw.between(0.5, 2));
    }
    return body;
  }
  double kinetic() const {
    return kinetic_energy(one, x[0]) + kinetic_energy(two, x[1]) + kinetic_energy(string, x.lines[2]) +
           kinetic_energy(loose, x[3]);
  }
};

TEST_CASE("bodies are numbered kind after kind, those of a part are the part's alone",
          "[assembly][body_list]") {
  const Scene scene;
  CHECK(scene.list.blank().chains.size() == 4);
  CHECK(scene.list.blank().lines[2].velocity.size() == scene.string.nodes());
  CHECK(scene.list.blank()[3].nodes == 3);
  CHECK(scene.list.parts().size(0) == 2);
  const auto numbers = [&](std::size_t part) {
    std::vector<std::size_t> all;
    scene.list.each(part, [&](const auto& body, std::size_t i) {
      all.push_back(i);
      scene.list.with(i, [&](const auto& same) { CHECK(same.nodes() == body.nodes()); });
    });
    return all;
  };
  CHECK(numbers(0) == std::vector<std::size_t>{0, 3});
  CHECK(numbers(1) == std::vector<std::size_t>{1, 2});
  int visits = 0;
  for (std::size_t i = 0; i < 6; ++i) scene.list.with(i, [&](const auto&) { ++visits; });
  CHECK(visits == 4);
  for (std::size_t i = 0; i < 2; ++i)
    scene.list.with(i, [&]<class B>(const B& body) {
      if constexpr (std::is_same_v<B, Body>) CHECK(body.mass() == (i == 0 ? 2 : 0.5));
    });
  CHECK_THROWS_WITH(List({{}, {}, {}}), ContainsSubstring("at least one body"));
}

TEST_CASE("loads, kicks, drifts and accelerations are those of each body, of one part",
          "[assembly][body_list]") {
  Scene scene;
  const auto& list = scene.list;
  auto f = scene.f, a = list.columns();
  list.forces(0, scene.x, f);
  CHECK(V3(rod::at3<0>(f[0], 0)) == V3(0, 0, -20));
  CHECK((f[1] == scene.f[1]).all());
  auto line = scene.f.lines[2];
  REQUIRE(scene.string.forces(scene.x.lines[2], line));
  list.forces(1, scene.x, f);
  CHECK(f.lines[2] == line);
  list.accelerate(0, scene.x, f, a);
  list.accelerate(1, scene.x, f, a);
  auto wanted = list.columns();
  REQUIRE(scene.one.accelerations(scene.x[0], f[0], 0.2, wanted[0]));
  REQUIRE(scene.string.accelerations(scene.x.lines[2], f.lines[2], 0.2, wanted.lines[2]));
  CHECK((a[0] == wanted[0]).all());
  CHECK(a.lines[2] == wanted.lines[2]);
  State<double> kicked = scene.x, y = scene.x;
  list.kick(0, kicked, f, h);
  CHECK((kicked[0].velocity - scene.x[0].velocity)(0, 2) == Approx(-10 * h));
  CHECK((kicked[1].velocity == scene.x[1].velocity).all());
  CHECK(kicked.lines[2].velocity == scene.x.lines[2].velocity);
  // drifts of strings are apart from those of chains
  const OneByOne run;
  list.kick_drift<true>(1, scene.x, f, h / 2, h, y, run);
  CHECK((y.lines[2].displacement - scene.x.lines[2].displacement).norm() > 0);
  CHECK((y[1].configuration == scene.x[1].configuration).all());
  list.kick_drift<false>(1, scene.x, f, h / 2, h, y, run);
  Chain<double> drifted = scene.x[1];
  scene.two.kick_drift(scene.x[1], f[1], h / 2, 0.2, h, drifted);
  CHECK((y[1].configuration == drifted.configuration).topRows(1).all());
  // a sweep is a whole step of a string
  State<double> swept = scene.x;
  list.sweep<true>(1, scene.x, f, h, swept, run);
  Line<double> stepped = scene.x.lines[2];
  scene.string.step(scene.x.lines[2], h, stepped);
  CHECK(swept.lines[2].velocity == stepped.velocity);
  CHECK((swept[1].velocity == drifted.velocity).topRows(1).all());
  swept = scene.x;
  list.sweep<false>(1, scene.x, f, h, swept, run);
  CHECK(swept.lines[2].velocity == stepped.velocity);
  CHECK((swept[1].velocity == scene.x[1].velocity).all());
  f[0](0, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(list.accelerate(0, scene.x, f, a), NotFinite);
  CHECK_NOTHROW(list.accelerate(1, scene.x, f, a));
}

TEST_CASE("forces at the end of a step kick all bodies, or all but those that were swept",
          "[assembly][body_list]") {
  Scene scene;
  const OneByOne run;
  auto f = scene.f;
  scene.list.forces(1, scene.x, f);
  State<double> kicked = scene.x, all = scene.x, rest = scene.x;
  scene.list.kick(1, kicked, f, h);
  auto g = scene.f;
  scene.list.forces_and_kick<true, true>(1, all, g, h, run);
  CHECK((all[1].velocity == kicked[1].velocity).all());
  CHECK((all.lines[2].velocity - kicked.lines[2].velocity).norm() < 1e-15);
  scene.list.forces_and_kick<false, true>(1, rest, g, h, run);
  CHECK((rest[1].velocity == kicked[1].velocity).all());
  CHECK(rest.lines[2].velocity == scene.x.lines[2].velocity);
}

TEST_CASE("energies, sizes and powers are sums over bodies", "[assembly][body_list]") {
  Scene scene;
  const auto& list = scene.list;
  CHECK(list.kinetic(scene.x) == Approx(scene.kinetic()));
  CHECK(list.energy(scene.x) - scene.kinetic() ==
        Approx(20 * scene.x[0].position(0)[2] - scene.x[1].position(0).dot(V3(1, 2, 3)) +
               potential_energy(scene.string, scene.x.lines[2])));
  CHECK(list.speed(0, scene.x) == Approx(std::sqrt(2 * (kinetic_energy(scene.one, scene.x[0]) +
                                                        kinetic_energy(scene.loose, scene.x[3])))));
  double square = 0;  // of the impulse of unit time, by the energy that it gives to bodies at rest
  State<double> y = list.blank();
  list.kick(1, y, scene.f, 1);
  square = 2 * (kinetic_energy(scene.two, y[1]) + kinetic_energy(scene.string, y.lines[2]));
  CHECK(list.strength(1, scene.f) == Approx(std::sqrt(square)));
  const auto [damping, loads] = list.powers(scene.x, scene.f, scene.f);
  CHECK(damping == Approx(-2 * 0.4 * kinetic_energy(scene.one, scene.x[0])));
  CHECK(loads == Approx(0.3 * scene.x[0].angular_velocity(0)[0]));
  CHECK(list.wave_frequency_bound(scene.x) == frequency_bound(scene.string, scene.x.lines[2]));
  scene.x[3].velocity(0, 0) = std::nan("");
  CHECK_THROWS_AS(list.kinetic(scene.x), NotFinite);
}

TEST_CASE("what is missing of accelerations is the load that would give it, of all numbers in turn",
          "[assembly][body_list]") {
  Scene scene;
  const auto a = scene.f;
  auto given = a;
  given[0](0, 1) += 0.25;
  given[3](2, 4) -= 3;
  given.lines[2][5] += 0.5;
  Vec<double, Eigen::Dynamic> out(100);
  const auto rows = scene.list.missing(given, a, out);
  CHECK(rows == 12 + scene.string.nodes() + 18);
  CHECK(out[1] == Approx(0.25 * 2));
  CHECK(out[12 + 5] == Approx(0.5 / inverse_mass(scene.string, 5)));
  CHECK(out[rows - 2] == Approx(-3 * scene.loose.moments[2][1]));
  CHECK(out.head(rows).lpNorm<1>() == Approx(out[1] + out[17] - out[rows - 2]));
}

}  // namespace body_list_test
