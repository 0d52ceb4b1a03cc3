#include <dalembert/contact/detail/touching_surfaces.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>

#include "support/catch.hpp"

namespace touching_surfaces_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;
using contact::detail::Touch;
using V = Vec<double, 3>;

/// A body with two balls, a ball, and a body with a plate, a drum and a hollow, all moving.
struct Scene {
  auto problem() const {
    const RigidBody<> body{{.mass = 2, .inertia = {0.3, 0.4, 0.5}}};
    const auto all = bodies(body, body, body);
    const auto [one, two, plate] = all.handles();
    const SO3<> turned = SO3<>::exp({0.3, -0.2, 0.5});
    return Assembly{
        all,
        Touching<>{
            .friction = 0.3,
            .planes = {{.normal = turned.act(V(0, 0, 1)), .velocity = turned.act(V(0.3, 0.4, 0))}},
            .drums = {{.surface = {.radius = 0.4, .centre = {0.1, 0.2, 0.3}, .axis = turned.act(V(1, 0, 0))},
                       .angular_velocity = turned.act(V(2, 0, 0)),
                       .velocity = turned.act(V(0.7, 0, 0))},
                      {.surface = {.radius = 0.5, .centre = {-0.1, 0.1, 0.2}},
                       .angular_velocity = {1, -2, 0.5}},
                      {.surface = {.radius = 5, .centre = {0.2, 0, 0.1}, .axis = turned.act(V(0, 1, 0))},
                       .inside = true,
                       .angular_velocity = turned.act(V(0, -1.5, 0))},
                      {.surface = {.radius = 0.3, .centre = {0, 0.1, 0}, .axis = turned.act(V(0, 0, 1))},
                       .marker = frame(plate, {0.1, 0.2, -0.1})}},
            .plates = {{.marker = frame(plate, {0.1, -0.2, 0.05}),
                        .plane = {.normal = turned.act(V(0, 1, 0))}}},
            .balls = {
                {frame(one, {0.05, 0.1, -0.2}), 0.11}, {frame(one), 0.2}, {frame(two, {0.1, 0, 0}), 0.15}}}};
  }
  State<> state() const {
    State<> x;
    for (int i = 0; i < 3; ++i) {
      Chain<> chain(1);
      chain.set_frame(0, SO3<>::exp({0.5 * i, 0.3, -0.4 * i}), {0.9 - 0.8 * i, 0.3 * i, 1.0 - 0.2 * i});
      chain.set_velocity(0, {0.3 * i - 0.2, 0.5, 0.1 - 0.4 * i}, {1.0 - i, 2, 0.5 * i - 0.3});
      x.chains.push_back(chain);
    }
    return x;
  }
};

/// All nodes moved on for t while they keep their velocities.
State<> moved(const State<>& x, double t) {
  State<> y = x;
  for (auto& chain : y.chains)
    rod::move_node(chain, 0, V(t * chain.linear_velocity(0)), V(t * chain.angular_velocity(0)));
  return y;
}

TEST_CASE("rates of contacts are those of differences", "[contact][touching]") {
  const Scene scene;
  const auto problem = scene.problem();
  const auto x = scene.state();
  const auto& surfaces = problem.surfaces();
  const auto work = problem.make_work();
  const auto velocity = [&](const Touch<double>& t, const State<>& at) {
    return t.velocity(surfaces.all_nodes(at, work), at);
  };
  const auto check = [&](std::size_t ball, std::ptrdiff_t other) {
    Touch<double> t, before, after;
    for (auto* one : {&t, &before, &after}) {
      one->ball = ball;
      one->other = other;
    }
    const double h = 1e-5;
    surfaces.look_at(t, x);
    const V u = surfaces.find_rates(t, x, work);
    const auto left = moved(x, -h), right = moved(x, h);
    surfaces.look_at(before, left);
    surfaces.look_at(after, right);
    CHECK((t.frame * t.frame.transpose() - Mat<double, 3>::Identity()).norm() < 1e-14);
    CHECK(std::abs((after.gap - before.gap) / (2 * h) - t.normal().dot(u)) < 1e-8);
    CHECK(((after.normal() - before.normal()) / (2 * h) - t.normal_rate).norm() < 1e-8);
    CHECK(((velocity(after, right) - velocity(before, left)) / (2 * h) - t.bias).norm() < 1e-7);
    CHECK((t.bias.norm() > 1e-3 || other == 0));
    const auto apart = [&](const Touch<double>& a) {  // both arms end at one point, but for the gap
      const V one = x.chains[a.sides[0].window.body].position(0) + a.sides[0].arm;
      const V two =
          (a.sides[1].there() ? x.chains[a.sides[1].window.body].position(0) : V(V::Zero())) + a.sides[1].arm;
      return V(one - two);
    };
    if (other < 0)
      CHECK((apart(t) - t.gap * t.normal()).norm() < 1e-14);
    else
      CHECK((t.point - (x.chains[t.sides[0].window.body].position(0) + t.sides[0].arm)).norm() < 1e-14);
  };
  REQUIRE(surfaces.balls().size() == 3);
  REQUIRE(surfaces.surfaces().size() == 6);
  for (std::size_t ball = 0; ball < 3; ++ball)
    for (std::ptrdiff_t other = 0; other < 6; ++other) check(ball, other);
  check(0, -3);
  check(1, -3);
  check(2, -1);
}

TEST_CASE("impulses at contacts do what their forces do", "[contact][touching]") {
  const Scene scene;
  const auto problem = scene.problem();
  auto x = scene.state();
  const auto& surfaces = problem.surfaces();
  const auto room = problem.make_work();
  const auto nodes = surfaces.all_nodes(x, room);
  Touch<double> one, two;
  one.ball = 0, one.other = 1;
  two.ball = 2, two.other = -1;
  for (auto* t : {&one, &two}) surfaces.look_at(*t, x);
  const V P(0.3, -0.2, 0.7);
  for (const auto& [at, by] : {std::pair{&one, &one}, std::pair{&two, &two}, std::pair{&one, &two}}) {
    auto kicked = x;
    by->kick(nodes, kicked, V(by->frame.transpose() * P));
    const V change = at->frame * (at->velocity(nodes, kicked) - at->velocity(nodes, x));
    CHECK((at->response(*by, nodes) * P - change).norm() < 1e-13 * change.norm());
    CHECK(change.norm() > 0.05);
    // an impulse changes the kinetic energy by what it does on the mean velocity
    const double work = P.dot(by->frame * (by->velocity(nodes, kicked) + by->velocity(nodes, x)) / 2) +
                        P.dot(by->frame * by->surface);
    CHECK(std::abs(problem.kinetic_energy(kicked) - problem.kinetic_energy(x) - work) < 1e-13);
  }
  // turned with the normal, an impulse keeps its size and its part along it
  one.impulse = P;
  one.at_impulse = V(0.6, 0, 0.8);
  const V carried = one.carried_impulse();
  CHECK(std::abs(carried.norm() - P.norm()) < 1e-14);
  CHECK(std::abs(carried[0] - P.dot(one.at_impulse)) < 1e-14);
}

TEST_CASE("what is far is not near, whoever asks", "[contact][touching]") {
  const Scene scene;
  const auto problem = scene.problem();
  auto x = scene.state();
  auto work = problem.make_work();
  const double h = 0.05;
  const auto near_now = [&] {
    std::vector<std::pair<std::size_t, std::ptrdiff_t>> found;
    problem.surfaces().each_candidate(x, h, work.grid, work.points, [&](const auto& c) {
      Touch<double> t;
      if (problem.surfaces().is_near(c, x, h, work, t)) found.push_back({t.ball, t.other});
    });
    return found;
  };
  const auto near = near_now();
  std::size_t expected = 0;
  const auto& surfaces = problem.surfaces();
  const auto look = [&](std::size_t ball, std::ptrdiff_t other) {
    Touch<double> t;
    t.ball = ball, t.other = other;
    surfaces.look_at(t, x);
    const bool may_be = t.gap <= 0.05 * t.radius + 2 * h * t.velocity(surfaces.all_nodes(x, work), x).norm();
    expected += may_be;
    bool found = false;
    for (const auto& one : near) found = found || one == std::pair{ball, other};
    CHECK((found || !may_be));
  };
  for (std::size_t ball = 0; ball < 3; ++ball)
    for (std::ptrdiff_t other = 0; other < 6; ++other) look(ball, other);
  look(0, -3);
  look(1, -3);
  CHECK(near.size() >= expected);
  CHECK(expected > 0);
  for (auto& chain : x.chains) chain.velocity.setZero();
  CHECK(near_now().size() < near.size());
}

}  // namespace touching_surfaces_test
