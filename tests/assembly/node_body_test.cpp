#include <dalembert/assembly/node_body.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace node_body_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;

/// Points in a row, joined by springs.
struct Points : NodeBody<Points> {
  double stiffness = 50, heavy = 3, light = 0.5, rate = 0;

  Eigen::Index nodes() const { return 2; }
  double mass(Eigen::Index k) const { return k == 0 ? heavy : light; }
  double damping() const { return rate; }
  bool forces(const Chain<>& chain, Columns<double, 6>& f) const {
    for (int i = 0; i < 3; ++i) {
      f(0, i) = stiffness * (chain.position(1)[i] - chain.position(0)[i]);
      f(1, i) = -f(0, i);
      f(0, 3 + i) = f(1, 3 + i) = 7;  // which do not turn points
    }
    return true;
  }
  double potential(const Chain<>& chain) const {
    return stiffness / 2 * (chain.position(1) - chain.position(0)).squaredNorm();
  }
};

/// A heavy top, as a body of one's own.
struct Top : NodeBody<Top> {
  Eigen::Index nodes() const { return 1; }
  double mass(Eigen::Index) const { return 2; }
  V inertia(Eigen::Index) const { return {0.3, 0.4, 0.5}; }
  double damping() const { return 0.2; }
  bool forces(const Chain<>&, Columns<double, 6>& f) const {
    f.setZero();
    f(0, 2) = -2 * 9.81;
    return true;
  }
  double potential(const Chain<>& chain) const { return 2 * 9.81 * chain.position(0)[2]; }
};

/// Two bodies that turn, each with an inertia of its own.
struct Pair : NodeBody<Pair> {
  Eigen::Index nodes() const { return 2; }
  double mass(Eigen::Index k) const { return k == 0 ? 2 : 0.7; }
  V inertia(Eigen::Index k) const { return k == 0 ? V(0.3, 0.4, 0.5) : V(0.03, 0.02, 0.04); }
  bool forces(const Chain<>&, Columns<double, 6>& f) const {
    f.setZero();
    return true;
  }
};

static_assert(ChainBody<Points> && ChainBody<Top> && !StaticBody<Top>);
static_assert(!Points::turns() && Top::turns());

TEST_CASE("two points on a spring swing as theory says, and do not turn", "[assembly][node_body]") {
  const Points points;
  const Assembly problem{points};
  Chain<> chain(2);
  chain.set_frame(1, {}, {0.3, 0.4, 0});
  auto state = problem.state({chain});
  const double omega = std::sqrt(points.stiffness * (1 / points.heavy + 1 / points.light));
  const double t = 0.37;
  const V apart = V(0.3, 0.4, 0) * std::cos(omega * t);
  const auto begin = state;
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = t});
  CHECK((state[0].position(1) - state[0].position(0) - apart).norm() < 1e-9);
  CHECK((points.heavy * state[0].position(0) + points.light * state[0].position(1) - 0.5 * V(0.3, 0.4, 0))
            .norm() < 1e-13);
  CHECK(std::abs(problem.energy(state) - problem.energy(begin)) < 1e-9);
  auto stepped = begin;
  drive(Verlet{}, problem, stepped, {.step = 1e-3, .until = t});
  CHECK((stepped[0].position(1) - stepped[0].position(0) - apart).norm() < 1e-4);
  for (const auto& x : {state, stepped})
    for (Eigen::Index k = 0; k < 2; ++k) {
      CHECK(x[0].angular_velocity(k).norm() == 0);
      CHECK((x[0].rotation(k).matrix() - Mat<double, 3>::Identity()).norm() == 0);
    }
  CHECK(node_inertia(points, 1).inverse == (Vec<double, 6>() << 2, 2, 2, 0, 0, 0).finished());
}

TEST_CASE("damped points lose energy at the rate of their damping", "[assembly][node_body]") {
  Points points;
  points.rate = 0.8;
  points.stiffness = 0;
  const Assembly problem{points};
  for (const auto run : {0, 1}) {
    auto state = problem.state({Chain<>(2)});
    state[0].set_velocity(1, {1, 2, 3}, {0, 0, 0});
    if (run == 0)
      drive(Verlet{}, problem, state, {.step = 1e-2, .until = 1});
    else
      drive(RungeKutta4{}, problem, state, {.step = 1e-2, .until = 1});
    CHECK((state[0].linear_velocity(1) - std::exp(-0.8) * V(1, 2, 3)).norm() < (run == 0 ? 1e-14 : 1e-9));
  }
}

/// A node of any mass and moments, pushed.
struct Anything : NodeBody<Anything> {
  double m = 1;
  V moments{1, 1, 1};

  Eigen::Index nodes() const { return 2; }
  double mass(Eigen::Index k) const { return k == 0 ? 1 : m; }
  V inertia(Eigen::Index k) const { return k == 0 ? V(1, 1, 1) : moments; }
  bool forces(const Chain<>&, Columns<double, 6>& f) const {
    f.setZero();
    f(0, 0) = f(1, 0) = 1;
    return true;
  }
};

TEST_CASE("a mass or moment that no node can have is refused by its name", "[assembly][node_body]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto made = [](double mass, const V& moments) {
    Anything body;
    body.m = mass;
    body.moments = moments;
    return Assembly{body};
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_AS(made(-1, {1, 1, 1}), std::invalid_argument);
  CHECK_THROWS_WITH(made(-1, {1, 1, 1}), ContainsSubstring("Anything: inverse mass of node 1 = -1, but"));
  CHECK_THROWS_WITH(made(0, {1, 1, 1}), ContainsSubstring("inverse mass of node 1 = inf"));
  CHECK_THROWS_WITH(made(nan, {1, 1, 1}), ContainsSubstring("inverse mass of node 1 = nan"));
  for (int i = 0; i < 3; ++i) {
    V moments(1, 1, 1);
    moments[i] = -2;
    CHECK_THROWS_WITH(made(1, moments), ContainsSubstring("inverse inertia of node 1 = -0.5"));
    for (const double x : {0.0, nan}) {
      moments[i] = x;
      CHECK_THROWS_WITH(made(1, moments), ContainsSubstring("inverse inertia of node 1 = "));
    }
    moments[i] = inf;
    CHECK_THROWS_WITH(made(1, moments), ContainsSubstring("Anything: inertia of node 1 = inf"));
  }
  CHECK_NOTHROW(made(1e-300, {1e-300, 1e-300, 1e300}));
}

TEST_CASE("a node of infinite mass stays where it is", "[assembly][node_body]") {
  Anything body;
  body.m = std::numeric_limits<double>::infinity();
  const Assembly problem{body};
  for (const bool verlet : {true, false}) {
    auto state = problem.state({Chain<>(2)});
    if (verlet)
      drive(Verlet{}, problem, state, {.step = 0.1, .until = 1});
    else
      drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1});
    CHECK(state[0].position(0)[0] == Approx(0.5));
    CHECK(state[0].position(1).norm() == 0);
    CHECK(problem.kinetic_energy(state) == Approx(0.5));
  }
}

TEST_CASE("a body of one's own moves as the rigid body of its inertia, jointed and damped",
          "[assembly][node_body]") {
  const auto run = [](const auto& body) {
    const auto all = bodies(body);
    const auto [top] = all.handles();
    const Assembly problem{
        all, constraints(SphericalJoint{frame(top, {0, 0, -0.3}), FrameMarker<>::in_space({0, 0, 0})})};
    Chain<> chain(1);
    chain.set_frame(0, {}, {0, 0, 0.3});
    auto state = problem.state({chain});
    state[top].set_velocity(0, {0, 0, 0}, {0.3, 0.1, 5});
    problem.project(state);
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1});
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    Vec<double, 8> out;
    out << state[0].position(0), state[0].angular_velocity(0), problem.energy(state), rates.lambda[2];
    return out;
  };
  const RigidBody<> same{{.mass = 2, .inertia = {0.3, 0.4, 0.5}, .gravity = {0, 0, -9.81}, .damping = 0.2}};
  const Vec<double, 8> own = run(Top{}), library = run(same);
  CHECK((own - library).norm() < 1e-13 * library.norm());
  CHECK(library.template head<2>().norm() > 0.01);
}

TEST_CASE("each node of a body turns by its own inertia", "[assembly][node_body]") {
  const Pair pair;
  const auto two = bodies(std::vector{RigidBody<>{{.mass = 2, .inertia = {0.3, 0.4, 0.5}}},
                                      RigidBody<>{{.mass = 0.7, .inertia = {0.03, 0.02, 0.04}}}});
  const Assembly one{pair};
  const Assembly apart{two};
  Chain<> both(2), first(1), second(1);
  const auto turned = SO3<>::exp(V(0.4, -0.3, 0.8));
  both.set_frame(1, turned, {1, 2, 3});
  second.set_frame(0, turned, {1, 2, 3});
  const V v(0.2, -0.5, 0.1), w(3, -2, 5);
  both.set_velocity(0, v, w);
  first.set_velocity(0, v, w);
  both.set_velocity(1, -v, 2 * w);
  second.set_velocity(0, -v, 2 * w);
  const auto a = one.state({both});
  const auto b = apart.state({first, second});
  CHECK(std::abs(one.energy(a) - apart.energy(b)) < 1e-14 * one.energy(a));
  for (Eigen::Index k = 0; k < 2; ++k) {
    CHECK((pair.inertia(k).cwiseInverse() - node_inertia(pair, k).inverse.tail<3>()).norm() < 1e-15);
    CHECK(1 / pair.mass(k) == node_inertia(pair, k).inverse[0]);
  }
  Columns<double, 6> f(2, 6);
  f.setConstant(0.3);
  Chain<> kicked = both;
  pair.kick(kicked, f, 0.5);
  CHECK((kicked.angular_velocity(1) - 2 * w - 0.15 * pair.inertia(1).cwiseInverse()).norm() < 1e-14);
  CHECK((kicked.linear_velocity(1) + v - V::Constant(0.15 / 0.7)).norm() < 1e-14);
  V turning[2];
  for (const bool explicit_rk : {false, true}) {
    auto x = a;
    auto y = b;
    if (explicit_rk) {
      drive(RungeKutta4{}, one, x, {.step = 1e-3, .until = 0.3});
      drive(RungeKutta4{}, apart, y, {.step = 1e-3, .until = 0.3});
    } else {
      drive(Verlet{}, one, x, {.step = 1e-3, .until = 0.3});
      drive(Verlet{}, apart, y, {.step = 1e-3, .until = 0.3});
    }
    for (Eigen::Index k = 0; k < 2; ++k) {
      CHECK((x[0].position(k) - y[static_cast<std::size_t>(k)].position(0)).norm() < 1e-14);
      CHECK((x[0].angular_velocity(k) - y[static_cast<std::size_t>(k)].angular_velocity(0)).norm() < 1e-12);
      CHECK((x[0].rotation(k).matrix() - y[static_cast<std::size_t>(k)].rotation(0).matrix()).norm() < 1e-12);
    }
    turning[explicit_rk] = x[0].angular_velocity(1);
  }
  CHECK((turning[1] - turning[0]).norm() < 1e-3);
  CHECK((turning[1] - 2 * w).norm() > 1);
}

}  // namespace node_body_test
