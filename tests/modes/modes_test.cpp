#include <dalembert/modes/modes.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace modes_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using RollingContact = contact::RollingContact<double>;
using Sliding = contact::FrictionlessContact<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;

/// φᵀMψ over the nodes of one body.
template <class B>
double product(const B& body, const Columns<double, 6>& a, const Columns<double, 6>& b) {
  double sum = 0;
  for (Eigen::Index k = 0; k < body.nodes(); ++k)
    for (int i = 0; i < 6; ++i) {
      const double inverse = node_inertia(body, k).inverse[i];
      if (inverse > 0) sum += a(k, i) * b(k, i) / inverse;
    }
  return sum;
}

/// Two bodies at two hinges, the first of them in space, that hang or stand.
struct Pendulum {
  static Body body(double mass) {
    return Body{{.mass = mass, .inertia = {0.02, 0.03, 0.025}, .gravity = {0, 0, -9.81}}};
  }
  static SO3<double> across() { return SO3<double>::exp(V(0, M_PI / 2, 0)); }  // turns about x
  Assembly<Kinds<Body>, Kinds<Hinge<double>>> problem{
      assembly::bodies(std::vector{body(0.5), body(0.3)}),
      assembly::constraints(std::vector{
          Hinge<double>{{0, 0, {0, 0, 0.2}, across()}, FrameMarker<double>::in_space({1, 2, 3}, across())},
          Hinge<double>{{1, 0, {0, 0, 0.3}, across()}, {0, 0, {0, 0, -0.2}, across()}}})};

  /// At these angles from hanging.
  State<double> at(double first, double second) const {
    const auto a = SO3<double>::exp(V(first, 0, 0)), b = SO3<double>::exp(V(second, 0, 0));
    const V knee = V(1, 2, 3) + a.act(V(0, 0, -0.4));
    return problem.state(
        {body(0.5).at(V(1, 2, 3) + a.act(V(0, 0, -0.2)), a), body(0.3).at(knee + b.act(V(0, 0, -0.3)), b)},
        {});
  }
};

TEST_CASE("a double pendulum swings in its two modes, and falls in them where it stands",
          "[assembly][modes]") {
  // M θ̈ + K θ = 0 of angles from the vertical
  const double a = 0.02 + 0.5 * 0.04 + 0.3 * 0.16, b = 0.3 * 0.4 * 0.3, c = 0.02 + 0.3 * 0.09;
  const double p = 9.81 * (0.5 * 0.2 + 0.3 * 0.4), q = 9.81 * 0.3 * 0.3;
  const double half = (a * q + c * p) / 2, determinant = a * c - b * b;
  const double root = std::sqrt(half * half - determinant * p * q);
  const Pendulum pendulum;
  const auto hanging = modes(pendulum.problem, pendulum.at(0, 0));
  REQUIRE(hanging.size() == 2);
  CHECK_THAT(hanging[0].square, WithinRel((half - root) / determinant, 1e-9));
  CHECK_THAT(hanging[1].square, WithinRel((half + root) / determinant, 1e-9));
  CHECK(hanging[1].growth() == 0);
  const auto standing = modes(pendulum.problem, pendulum.at(M_PI, M_PI));
  REQUIRE(standing.size() == 2);
  CHECK_THAT(standing[0].square, WithinRel(-(half + root) / determinant, 1e-9));
  CHECK_THAT(standing[1].square, WithinRel(-(half - root) / determinant, 1e-9));
  CHECK_THAT(standing[0].growth(), WithinRel(hanging[1].frequency(), 1e-9));
  CHECK(standing[0].frequency() == 0);
  CHECK_THROWS_WITH(modes(pendulum.problem, pendulum.at(0.1, 0.2)),
                    ContainsSubstring("modes: distance to an equilibrium"));
  auto apart = pendulum.at(0, 0);
  apart[1].configuration(0, 1) += 1e-3;
  CHECK_THROWS_WITH(modes(pendulum.problem, apart),
                    ContainsSubstring("modes: violation of constraints = 0.00099"));
}

/// A bent rod of some elements under gravity, with what is at its start.
Rod bent(int elements, double length, const rod::Boundary<double>& start) {
  const rod::CircularSection<double> section(
      {.radius = 0.02, .young = 1e6, .poisson = 0.3, .density = 1100, .shear_factor = 0.9});
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = section.inertia();
  p.start = start;
  p.loads.gravity = V(3, -2, -5);
  rod::RestStrain<double> rest;
  rest.curvature = V(0.7, 1.1, 0.4);
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal(), rest), p);
}

/// The rod as it is without loads, from this frame on.
rod::Chain<double> unloaded(const Rod& rod, SO3<double> rotation, V position) {
  rod::Chain<double> chain(rod.nodes());
  const double h = rod.spacing();
  const auto turn = SO3<double>::exp(h * V(0.7, 1.1, 0.4)), half = SO3<double>::exp(h / 2 * V(0.7, 1.1, 0.4));
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    chain.set_frame(k, rotation, position);
    position += h * (rotation * half).act(V(0, 0, 1));
    rotation = rotation * turn;
  }
  return chain;
}

TEST_CASE("two halves that are welded have the modes of the whole", "[assembly][modes]") {
  const Rod whole = bent(24, 1.0, rod::Boundary<double>::clamped());
  const auto frame = SO3<double>::exp(V(0.3, -0.2, 0.5));
  const Assembly one{assembly::bodies(std::vector{whole})};
  auto rest = one.state({unloaded(whole, frame, V(1, 2, 3))});
  static_equilibrium(one, rest);
  const auto expected = modes(one, rest, {.count = 12});
  CHECK(modes(one, rest).size() == 10);

  const Rod first = bent(10, 10.0 / 24, rod::Boundary<double>::clamped()),
            second = bent(14, 14.0 / 24, rod::Boundary<double>::free());
  const Assembly two{assembly::bodies(std::vector{first, second}),
                     assembly::constraints(std::vector{Weld<double>{{0, 10}, {1, 0}}})};
  std::vector<rod::Chain<double>> halves{rod::Chain<double>(11), rod::Chain<double>(15)};
  for (Eigen::Index k = 0; k <= 10; ++k) halves[0].set_frame(k, rest[0].rotation(k), rest[0].position(k));
  for (Eigen::Index k = 0; k <= 14; ++k)
    halves[1].set_frame(k, rest[0].rotation(10 + k), rest[0].position(10 + k));
  const auto x = two.state(halves);
  const auto found = modes(two, x, {.count = 12});
  REQUIRE(found.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    CHECK_THAT(found[i].square, WithinRel(expected[i].square, 1e-8));
    for (std::size_t j = 0; j <= i; ++j)
      CHECK_THAT(product(first, found[i].shape[0], found[j].shape[0]) +
                     product(second, found[i].shape[1], found[j].shape[1]),
                 WithinAbs(i == j ? 1 : 0, 1e-8));
    CHECK(product(whole, expected[i].shape[0], expected[i].shape[0]) - 1 < 1e-9);
  }
  // the same from within, and to either side of a shift
  const double shift = (found[5].square + found[6].square) / 2;
  const auto near = modes(two, x, {.count = 2, .shift = shift});
  CHECK_THAT(near[0].square, WithinRel(found[5].square, 1e-9));
  CHECK_THAT(near[1].square, WithinRel(found[6].square, 1e-9));
}

TEST_CASE("no mode is missed where many are alike", "[assembly][modes]") {
  const Rod rod = bent(6, 0.5, rod::Boundary<double>::clamped());
  const auto chain = unloaded(rod, SO3<double>::identity(), V::Zero());
  const Assembly one{assembly::bodies(std::vector{rod})}, many{assembly::bodies(std::vector(9, rod))};
  auto x = one.state({chain});
  static_equilibrium(one, x);
  const auto single = modes(one, x, {.count = 3});
  const auto all = modes(many, many.state(std::vector(9, x[0])), {.count = 22});
  REQUIRE(all.size() == 22);
  for (std::size_t i = 0; i < 22; ++i) CHECK_THAT(all[i].square, WithinRel(single[i / 9].square, 1e-8));
}

/// Two rods that hook into each other, in equilibrium, with a contact of kind C.
template <class C>
struct Hooked {
  static Rod rod() {
    Rod::Parameters p;
    p.start = p.finish = rod::Boundary<double>::clamped();
    return test::soft_rod<Rod>(0.005, 20, p);
  }
  Kinds<Rod> bodies = assembly::bodies(std::vector{rod(), rod()});
  Kinds<C> contacts = assembly::constraints(
      std::vector{C{{0, std::get<0>(bodies)[0], 0.1}, {1, std::get<0>(bodies)[1], 0.1}, 0.005, 0.005}});
  State<double> x = [&] {
    const Rod& r = std::get<0>(bodies)[0];
    State<double> at = Assembly{bodies, contacts}.state(
        {r.straight(V(-0.5, 0.02, -0.005), SO3<double>::exp({0, M_PI / 2, 0}), 1.1),
         r.straight(V(0.03, -0.6, 0.005), SO3<double>::exp({-M_PI / 2, 0, 0}), 1.1)},
        Vec<double, 2>(0.5, 0.5));
    static_equilibrium(bodies, contacts, at, [&](double factor, auto&, auto&, State<double>& moved) {
      for (const Eigen::Index k : {0, 20}) {
        moved[0].configuration(k, 2) = -0.005 + factor * 0.04;
        moved[1].configuration(k, 2) = 0.005 - factor * 0.04;
      }
    });
    return at;
  }();
  Assembly<Kinds<Rod>, Kinds<C>> problem{bodies, contacts};

  /// The equilibrium, moved along a mode.
  State<double> moved(const Mode<double>& mode, double by) const {
    auto u = problem.make_increment();
    for (std::size_t i = 0; i < 2; ++i) u.displacement[i] = by * mode.shape[i];
    auto to = x;
    problem.retract(x, u, to);
    problem.solve_algebraic(to);
    problem.project(to);
    return to;
  }
};

TEST_CASE("along a mode under a contact without friction the energy grows by half its square of frequency",
          "[assembly][modes]") {
  const Hooked<Sliding> rods;
  const double rest = rods.problem.energy(rods.x);
  for (const auto& mode : modes(rods.problem, rods.x, {.count = 6})) {
    CAPTURE(mode.square);
    const double by = 1e-4;
    const auto ahead = rods.moved(mode, by), back = rods.moved(mode, -by);
    CHECK_THAT((rods.problem.energy(ahead) + rods.problem.energy(back) - 2 * rest) / (by * by),
               WithinRel(mode.square, 1e-4));
    CHECK((0.5 / by * (ahead.z - back.z) - mode.z).norm() < 1e-3 * mode.z.norm() + 1e-6);
  }
}

TEST_CASE("rods that roll on each other move in their modes, forth and back", "[assembly][modes]") {
  const Hooked<RollingContact> rods;
  // the matrix of inertia has 1 where a degree is held, and for the places
  const auto motions = assembly::detail::small_motions(rods.problem, rods.x);
  const Eigen::Index below = motions.nodes + 2;
  REQUIRE(motions.size() == below + 3);
  Eigen::MatrixXd found_inertia = Eigen::MatrixXd::Zero(below + 3, below + 3), inertia = found_inertia;
  for (const auto& e : motions.inertia()) found_inertia(e.row, e.column) += e.value;
  for (Eigen::Index i = 0; i < below; ++i)
    inertia(i, i) = i < motions.nodes && motions.mass[i] > 0 ? motions.mass[i] : 1;
  for (const auto& e : motions.constraints)
    if (!motions.held(e.column))
      inertia(below + e.row, e.column) = inertia(e.column, below + e.row) = -e.value;
  CHECK((found_inertia - inertia).norm() == 0);
  CHECK(inertia.bottomRows(3).norm() > 0.5);
  const auto found = modes(rods.problem, rods.x, {.count = 3});
  const auto free = modes(Hooked<Sliding>().problem, rods.x, {.count = 3});
  for (std::size_t i = 0; i < 3; ++i) CHECK(found[i].square > free[i].square * (1 - 1e-9));
  const auto& mode = found[1];
  auto x = rods.x;
  const double speed = 1e-4;
  for (std::size_t i = 0; i < 2; ++i) x[i].velocity = speed * mode.shape[i];
  const auto start = x;
  CHECK(rods.problem.constraint(x).velocity < 1e-9 * speed);
  drive(Verlet{}, rods.problem, x, {.step = 1e-4, .until = M_PI / mode.frequency()});
  double gone = 0;
  for (std::size_t i = 0; i < 2; ++i)
    gone += product(std::get<0>(rods.bodies)[i], x[i].velocity + start[i].velocity,
                    x[i].velocity + start[i].velocity);
  CHECK(std::sqrt(gone) < 1e-3 * speed);
}

TEST_CASE("rods that hook into each other, and others that roll, have the modes of both",
          "[assembly][modes]") {
  const Hooked<Sliding> one;
  const Hooked<RollingContact> two;
  const Rod rod = Hooked<Sliding>::rod();
  const auto place = [&](std::size_t body) { return contact::CurveMarker<double>{body, rod, 0.1}; };
  const Assembly problem{
      assembly::bodies(std::vector(4, rod)),
      assembly::constraints(std::vector{Sliding{place(0), place(1), 0.005, 0.005}},
                            std::vector{RollingContact{place(2), place(3), 0.005, 0.005}})};
  State<double> x = one.x;
  for (const auto& chain : two.x.chains) x.chains.push_back(chain);
  x.z.conservativeResize(4);
  x.z.tail(2) = two.x.z;
  std::vector<double> expected;
  for (const auto& mode : modes(one.problem, one.x, {.count = 4})) expected.push_back(mode.square);
  for (const auto& mode : modes(two.problem, two.x, {.count = 4})) expected.push_back(mode.square);
  std::sort(expected.begin(), expected.end());
  const auto found = modes(problem, x, {.count = 4});
  REQUIRE(found.size() >= 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(found[i].square, WithinRel(expected[i], 1e-8));
}

TEST_CASE("a shift that is an eigenvalue moves twice as far each time", "[assembly][modes]") {
  std::vector<double> shifts;
  const auto search = [&](double shift, bool last) {
    shifts.push_back(shift);
    CHECK(last == (shifts.size() == 4));
    if (shift < 6) throw SingularSystem("many eigenvalues lie side by side");
    return 1.0;
  };
  assembly::detail::search_about(1.0, true, 1.0, 1e-2, search);
  CHECK(shifts == std::vector<double>{1, 2, 4, 8});
}

TEST_CASE("a shift about which too little is found comes nearer to zero, twice", "[assembly][modes]") {
  std::vector<double> shifts;
  const auto search = [&](double shift, bool last) -> double {
    shifts.push_back(shift);
    CHECK(last == (shifts.size() == 3));
    throw NoConvergence("the slowest motions are slower", 0);
  };
  CHECK_THROWS_AS(assembly::detail::search_about(4.0, false, 1.0, 0.25, search), NoConvergence);
  CHECK(shifts == std::vector<double>{4, 1, 0.25});
}

TEST_CASE("a free rod has its modes far from the origin, and loads that follow it are refused there",
          "[assembly][modes]") {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const rod::CircularSection<double> section(
        {.radius = 0.01 * unit, .young = 2e9, .poisson = 0.3, .density = 1100});
    const double stiffness = section.stiffness_diagonal()[3] / (unit * unit);
    const double square = stiffness / (section.inertia().mass * unit * unit);
    for (const double far : {0.0, 1e3, 1e4, 1e5}) {
      CAPTURE(unit, far);
      const V at = far * unit * V(1, -2, 0.5);
      const Rod free(section, {.elements = 30, .length = unit});
      const Assembly problem{free};
      const auto found =
          modes(problem, problem.state({free.straight(at, {.direction = {0.3, -0.7, 0.5}})}), {.count = 10});
      REQUIRE(found.size() == 10);
      for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(found[i].square) < 1e-3 * square);
      for (std::size_t i = 6; i < 8; ++i) CHECK_THAT(found[i].square, WithinRel(496.651 * square, 2e-6));
      for (const auto& mode : found) CHECK(mode.residual < 1e-6);

      const Rod pushed(section, {.elements = 30,
                                 .length = unit,
                                 .start = rod::Boundary<double>::clamped(),
                                 .loads = {.finish = {.follower_force = {0, 0, -0.01 * stiffness}}}});
      const Assembly follows{pushed};
      auto x = follows.state({pushed.straight(at, {.direction = {0.3, -0.7, 0.5}})});
      static_equilibrium(follows, x);
      CHECK_THROWS_WITH(modes(follows, x, {.count = 4}), ContainsSubstring("modes: asymmetry"));
    }
  }
}

TEST_CASE("bodies on hinges have as many modes as they are free, whatever they weigh and measure",
          "[assembly][modes]") {
  const auto turned = SO3<double>::exp(V(static_cast<double>(pi) / 2, 0, 0));
  std::vector<double> first;
  for (const double length : {1e-3, 1.0, 1e3})
    for (const double mass : {1e-6, 1.0, 1e6}) {
      CAPTURE(length, mass);
      const double half = length / 2, inertia = 0.02 * mass * length * length;
      const Body body{
          {.mass = mass, .inertia = V(inertia, inertia, inertia), .gravity = V(0, 0, -9.81 * length)}};
      const auto at = [&](std::size_t i, double z) { return FrameMarker<double>{i, 0, V(0, 0, z), turned}; };
      const Assembly problem{bodies(std::vector{body, body}),
                             constraints(std::vector<Hinge<double>>{
                                 {at(0, half), FrameMarker<double>::in_space(V(0, 0, 0), turned)},
                                 {at(1, half), at(0, -half)}})};
      const auto found = modes(problem, problem.state({body.at({0, 0, -half}), body.at({0, 0, -3 * half})}));
      REQUIRE(found.size() == 2);
      for (const auto& mode : found) {
        CHECK(mode.residual < 1e-9);
        if (first.size() < 2) first.push_back(mode.square);
      }
      CHECK_THAT(found[0].square, WithinRel(first[0], 1e-9));
      CHECK_THAT(found[1].square, WithinRel(first[1], 1e-9));
    }
}

TEST_CASE("what has no modes is refused", "[assembly][modes]") {
  Rod::Parameters p;
  p.start = rod::Boundary<double>::clamped();
  p.loads.finish.follower_moment = V(0.001, 0.0005, 0.002);
  p.loads.finish.follower_force = V(0.01, 0, -0.02);
  Rod rod = test::soft_rod<Rod>(0.005, 20, p);
  auto chain = rod.straight(V::Zero(), SO3<double>::identity());
  Kinds<Rod> bodies = assembly::bodies(std::vector{rod});
  const Assembly problem{bodies};
  auto x = problem.state({chain});
  CHECK_THROWS_WITH(modes(problem, x), ContainsSubstring("modes: distance to an equilibrium"));
  static_equilibrium(problem, x);
  CHECK_THROWS_WITH(modes(problem, x), ContainsSubstring("modes: asymmetry"));
  CHECK_THROWS_WITH(modes(problem, x, {.count = 0}), ContainsSubstring("ModeOptions: count = 0"));
  CHECK_THROWS_AS(modes(problem, x, {.count = 30, .largest_space = 31}), NoConvergence);
}

}  // namespace modes_test
