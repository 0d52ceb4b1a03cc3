#include <dalembert/assembly/joints.hpp>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/dense_twin.hpp"

namespace joints_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

class Draw {
 public:
  double operator()() { return spread_(engine_); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  SO3<double> rotation() { return SO3<double>::exp(3 * vector()); }
  Body::Parameters body() {
    const double a = 1.5 + (*this)(), b = 1.5 + (*this)(), c = 1.5 + (*this)();
    return {.mass = 1.5 + (*this)(),
            .inertia = {b + c, c + a, a + b},
            .gravity = 5 * vector(),
            .force = vector()};
  }

 private:
  std::mt19937 engine_{test::seed()};
  std::uniform_real_distribution<double> spread_{-1, 1};
};

/// The rates of both solvers in one state, in which the joints need not hold.
template <class Joint, std::size_t Count>
void check_against_dense(const std::array<Body::Parameters, 2>& p, const std::array<Joint, Count>& joints,
                         Draw& draw) {
  const Assembly problem{bodies(std::vector{Body(p[0]), Body(p[1])}),
                         constraints(std::vector<Joint>(joints.begin(), joints.end()))};
  using Twin = test::DenseTwin<2, Joint, static_cast<int>(Count)>;
  const LagrangeDAlembert dense{Twin{{p, joints}}};
  typename Twin::Group g;
  Vec<double, 12> xi;
  std::vector<Chain<double>> chains;
  for (int b = 0; b < 2; ++b) {
    const SO3<double> turn = draw.rotation();
    const Vec3 r = draw.vector(), w = draw.vector(), v = draw.vector();
    g[b] = Product<SO3<double>, Rn<double, 3>>(turn, Rn<double, 3>(r));
    xi.segment<3>(6 * b) = w;
    xi.segment<3>(6 * b + 3) = v;
    chains.emplace_back(1);
    chains.back().set_frame(0, turn, r);
    chains.back().set_velocity(0, v, w);
  }
  const double time = 0.3;
  const auto x = problem.state(chains, {}, time);
  const auto y = dense.state(g, xi, time);
  auto of_x = problem.make_rates();
  problem.rates(x, of_x);
  auto of_y = dense.make_rates();
  dense.rates(y, of_y);
  const double size = 1 + of_y.lambda.template lpNorm<Eigen::Infinity>();
  REQUIRE(of_x.lambda.size() == of_y.lambda.size());
  CHECK((of_x.lambda - of_y.lambda).template lpNorm<Eigen::Infinity>() < 1e-12 * size);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i) {
      CAPTURE(b, i);
      const auto& a = of_x.xidot[static_cast<std::size_t>(b)];
      CHECK(std::abs(a(0, 3 + i) - of_y.xidot[6 * b + i]) < 1e-12 * size);
      CHECK(std::abs(a(0, i) - of_y.xidot[6 * b + 3 + i]) < 1e-12 * size);
    }
  auto left = problem.make_residual();
  problem.residual(x, of_x, left);
  CHECK(left.template lpNorm<Eigen::Infinity>() < 1e-11 * size);
}

TEST_CASE("spherical joints give the accelerations and forces of the dense solver", "[assembly][joints]") {
  Draw draw;
  for (int i = 0; i < 5; ++i) {
    const std::array joints{SphericalJoint<double>{Marker::in_space(draw.vector()), {0, 0, draw.vector()}},
                            SphericalJoint<double>{{0, 0, draw.vector()}, {1, 0, draw.vector()}}};
    check_against_dense({draw.body(), draw.body()}, joints, draw);
  }
}

TEST_CASE("hinges give the accelerations and forces of the dense solver", "[assembly][joints]") {
  Draw draw;
  for (int i = 0; i < 3; ++i) {
    const std::array joints{
        Hinge<double>{Marker::in_space(draw.vector(), draw.rotation()),
                      {0, 0, draw.vector(), draw.rotation()}},
        Hinge<double>{{1, 0, draw.vector(), draw.rotation()}, {0, 0, draw.vector(), draw.rotation()}}};
    check_against_dense({draw.body(), draw.body()}, joints, draw);
  }
}

TEST_CASE("a weld gives the accelerations and forces of the dense solver", "[assembly][joints]") {
  Draw draw;
  for (int i = 0; i < 3; ++i) {
    const std::array joints{
        Weld<double>{{0, 0, draw.vector(), draw.rotation()}, {1, 0, draw.vector(), draw.rotation()}}};
    check_against_dense({draw.body(), draw.body()}, joints, draw);
  }
}

/// A path that does not repeat.
struct Path {
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    using std::cos, std::sin;
    return {sin(2 * t), cos(3 * t), t * t * t};
  }
};

TEST_CASE("a prescribed marker gives the accelerations and forces of the dense solver",
          "[assembly][joints]") {
  Draw draw;
  const std::array joints{PrescribedMotion<double, Path>{{0, 0, draw.vector()}, {}}};
  check_against_dense({draw.body(), draw.body()}, joints, draw);
}

/// A double pendulum of two unlike bars, pulled aside and pushed.
auto double_pendulum() {
  const Body first{{.mass = 1.3, .inertia = {0.2, 0.15, 0.1}, .gravity = {0, 0, -9.81}}};
  const Body second{{.mass = 0.7, .inertia = {0.1, 0.09, 0.03}, .gravity = {0, 0, -9.81}}};
  using Joint = SphericalJoint<double>;
  return Assembly{bodies(std::vector{first, second}),
                  constraints(std::vector{Joint{Marker::in_space({0, 0, 0}), {0, 0, {-0.5, 0, 0}}},
                                          Joint{{0, 0, {0.5, 0, 0}}, {1, 0, {-0.4, 0, 0}}}})};
}

TEST_CASE("a double pendulum of joints keeps them to rounding and its energy to second order",
          "[assembly][joints]") {
  const auto problem = double_pendulum();
  auto start =
      problem.state({problem.bodies<0>()[0].at({0.5, 0, 0}), problem.bodies<0>()[1].at({1.4, 0.1, 0})});
  start[1].set_velocity(0, {0, 0.1, 0.3}, {1, 2, 3});
  problem.project(start);
  CHECK(problem.constraint(start).position < 1e-14);
  CHECK(problem.constraint(start).velocity < 1e-13);
  const double energy = problem.energy(start);
  std::array<Vec3, 4> ends;
  std::array<double, 4> changes{};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    auto x = start;
    drive(Verlet{}, problem, x, {.step = 2e-3 / std::pow(2.0, static_cast<double>(i)), .until = 0.5});
    CHECK(problem.constraint(x).position < 1e-14);
    CHECK(problem.constraint(x).velocity < 1e-13);
    ends[i] = x[1].position(0);
    changes[i] = std::abs(problem.energy(x) - energy);
  }
  for (std::size_t i = 0; i + 2 < ends.size(); ++i) {
    const double order = std::log2((ends[i + 1] - ends[i]).norm() / (ends[i + 2] - ends[i + 1]).norm());
    CHECK(std::abs(order - 2) < 0.15);
    CHECK(changes[i + 1] < changes[i] / 3);
  }
}

TEST_CASE("two halves that are welded move as the whole", "[assembly][joints]") {
  // two balls of mass 1 and moment j, half a metre apart, along the first axis
  const double j = 0.02, d = 0.25;
  const Body half{{.mass = 1, .inertia = {j, j, j}}};
  const Body whole{{.mass = 2, .inertia = {2 * j, 2 * (j + d * d), 2 * (j + d * d)}}};
  const Assembly welded{bodies(std::vector{half, half}),
                        constraints(std::vector{Weld<double>{{0, 0, {d, 0, 0}}, {1, 0, {-d, 0, 0}}}})};
  const Assembly free{bodies(std::vector{whole})};
  const Vec3 spin(0.7, -1.1, 0.4), v(0.1, 0.2, 0.3);
  auto x = welded.state({half.at({-d, 0, 0}), half.at({d, 0, 0})});
  for (int b = 0; b < 2; ++b)
    x[static_cast<std::size_t>(b)].set_velocity(0, v + spin.cross(Vec3(b == 0 ? -d : d, 0, 0)), spin);
  auto y = free.state({whole.at({0, 0, 0})});
  y[0].set_velocity(0, v, spin);
  auto of_x = welded.make_rates();
  auto of_y = free.make_rates();
  welded.rates(x, of_x);
  free.rates(y, of_y);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(of_x.xidot[0](0, 3 + i) - of_y.xidot[0](0, 3 + i)) < 1e-13);
  CHECK(of_x.report.redundant_rows == 0);
}

TEST_CASE("a weld bears the weight of a body and its moment", "[assembly][joints]") {
  for (const double turn : {0.0, 0.4, 2.5}) {
    const SO3<double> frame = SO3<double>::exp(Vec3(0, turn, 0));
    const Body body{{.mass = 2, .inertia = {0.02, 0.03, 0.04}, .gravity = {0, 0, -9.81}}};
    const Vec3 place = frame.act(Vec3(0.5, 0, 0));
    const Assembly problem{
        bodies(std::vector{body}),
        constraints(std::vector{Weld<double>{{0, 0, {0.5, 0, 0}}, Marker::in_space(place, frame)}})};
    const auto x = problem.state({body.at({0, 0, 0}, frame)});
    auto f = problem.make_rates();
    problem.rates(x, f);
    CHECK((f.lambda.head<3>() - Vec3(0, 0, 2 * 9.81)).norm() < 1e-13 * 20);
    CHECK((f.lambda.tail<3>() - Vec3(0, 2 * 9.81 * place[0], 0)).norm() < 1e-13 * 20);
  }
}

TEST_CASE("a weld at the origin closes as one elsewhere", "[assembly][joints]") {
  // angles are rounded alike wherever the bodies are
  const Body body{{.mass = 1, .inertia = {0.02, 0.03, 0.04}}};
  const Assembly problem{bodies(std::vector{body, body}), constraints(std::vector{Weld<double>{{0}, {1}}})};
  for (const double away : {0.0, 1.0}) {
    const Vec3 at(away, away, 0);
    auto x = problem.state({body.at(at, SO3<double>::exp(Vec3(0.3, 0.2, -0.4))),
                            body.at(at, SO3<double>::exp(Vec3(0.3, 0.2, -0.4 + 1e-4)))});
    for (auto& chain : x.chains) chain.set_velocity(0, {0, 0, 0}, {0.7, -0.2, 0.5});
    problem.project(x);
    CHECK(problem.constraint(x).position < 1e-15);
    drive(Verlet{}, problem, x, {.step = 1e-2, .until = 1.0});
    CHECK(problem.constraint(x).position < 1e-15);
  }
}

/// Three bars and the ground, hinged to a loop in the plane y = 0.
auto four_bars(double upper) {
  const Body bar{{.mass = 1, .inertia = {0.01, 0.08, 0.08}, .gravity = {0, 0, -9.81}}};
  const SO3<double> about_y = SO3<double>::exp(Vec3(-M_PI / 2, 0, 0));  // the third axis along y
  const auto at = [&](std::size_t body, double x) { return Marker{body, 0, {x, 0, 0}, about_y}; };
  const double side = 0.5;  // half the length of the two sides
  const Assembly problem{
      bodies(std::vector{bar, bar, bar}),
      constraints(std::vector{Hinge<double>{Marker::in_space({-0.6, 0, 0}, about_y), at(0, -side)},
                              Hinge<double>{at(0, side), at(1, -upper)},
                              Hinge<double>{at(1, upper), at(2, side)},
                              Hinge<double>{at(2, -side), Marker::in_space({0.6, 0, 0}, about_y)}})};
  // a symmetric trapezium: the sides lean inwards
  const double lean = (0.6 - upper) / (2 * side), height = std::sqrt(1 - lean * lean);
  const auto along = [](const Vec3& direction) {
    return SO3<double>::exp(Vec3(0, -std::atan2(direction[2], direction[0]), 0));
  };
  auto left = bar.at(Vec3(-0.6 + side * lean, 0, side * height), along({lean, 0, height}));
  auto right = bar.at(Vec3(0.6 - side * lean, 0, side * height), along({-lean, 0, height}));
  auto top = bar.at(Vec3(0, 0, 2 * side * height));
  return std::pair{problem, problem.state({left, top, right})};
}

TEST_CASE("a loop of hinges with redundant rows has forces as symmetric as it is itself",
          "[assembly][joints]") {
  const auto [problem, x] = four_bars(0.4);
  CHECK(problem.constraint(x).position < 1e-15);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.report.redundant_rows == 3);
  CHECK(r.report.clusters == 1);
  for (const auto& a : r.xidot)
    for (int i = 0; i < 6; ++i) CHECK(std::abs(a(0, i)) < 1e-12);  // at rest where it is symmetric
  // forces in the four hinges, on the body that is named first
  const auto force = [&](int hinge) { return Vec3(r.lambda.segment<3>(5 * hinge)); };
  CHECK(std::abs(force(0)[2] + force(3)[2]) < 1e-10);
  CHECK(std::abs(force(0)[0] - force(3)[0]) < 1e-10);
  CHECK(std::abs(std::abs(force(0)[2]) - 1.5 * 9.81) < 1e-10);
  for (int hinge = 0; hinge < 4; ++hinge) CHECK(std::abs(force(hinge)[1]) < 1e-10);
}

TEST_CASE("a loop of hinges moves", "[assembly][joints]") {
  auto [problem, x] = four_bars(0.4);
  x[0].set_velocity(0, {0, 0, 0}, {0, 10, 0});
  problem.project(x);
  const double energy = problem.energy(x);
  REQUIRE(problem.kinetic_energy(x) > 0.01);
  drive(Verlet{}, problem, x, {.step = 1e-3, .until = 1.0});
  CHECK(problem.constraint(x).position < 1e-14);
  CHECK(problem.constraint(x).velocity < 1e-12);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-3 * energy);
}

struct Away {
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    return {t, T(0), T(0)};
  }
};
struct Rest {
  template <class T>
  Vec<T, 3> operator()(const T&) const {
    return {T(0), T(0), T(0)};
  }
};

TEST_CASE("rows that contradict each other are named", "[assembly][joints]") {
  Draw draw;
  const Body body{draw.body()};
  const Assembly problem{bodies(std::vector{body}),
                         constraints(std::vector{PrescribedMotion<double, Rest>{{0}, {}}},
                                     std::vector{PrescribedMotion<double, Away>{{0}, {}}})};
  auto x = problem.state({body.at({0, 0, 0})});
  CHECK_THROWS_AS(problem.project(x), IncompatibleConstraints);
  CHECK_THROWS_WITH(problem.project(x), ContainsSubstring("row x [m] of PrescribedMotion 0"));
  const Assembly in_space{
      bodies(std::vector{body}),
      constraints(std::vector{PrescribedMotion<double, Away>{Marker::in_space({0, 0, 0}), {}}})};
  auto y = in_space.state({body.at({0, 0, 0})});
  CHECK_THROWS_WITH(in_space.project(y), ContainsSubstring("acts on nothing that can move"));
}

TEST_CASE("rows of bodies that fall together are no contradiction, whatever rounding leaves of their weights",
          "[assembly][joints]") {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const Vec3 gravity = 1e3 * draw.vector(), place = draw.vector();
    std::array<Body::Parameters, 2> p;
    std::vector<Chain<double>> chains;
    std::vector<SphericalJoint<double>> joints;
    std::array<SO3<double>, 2> turns;
    for (std::size_t b = 0; b < 2; ++b) {
      p[b] = draw.body();
      p[b].gravity = gravity;
      p[b].force.setZero();
      turns[b] = draw.rotation();
      chains.emplace_back(1);
      const Vec3 r = draw.vector();
      chains.back().set_frame(0, turns[b], r);
    }
    // two joints: the distance of their places is kept twice
    for (int j = 0; j < 2; ++j) {
      const Vec3 at = place + draw.vector();
      joints.push_back({{0, 0, turns[0].inverse().act(Vec3(at - chains[0].position(0)))},
                        {1, 0, turns[1].inverse().act(Vec3(at - chains[1].position(0)))}});
    }
    const Assembly problem{bodies(std::vector{Body(p[0]), Body(p[1])}), constraints(joints)};
    const auto x = problem.state(chains);
    auto f = problem.make_rates();
    REQUIRE_NOTHROW(problem.rates(x, f));
    CHECK(f.lambda.lpNorm<Eigen::Infinity>() < 1e-12 * gravity.norm());
  }
}

TEST_CASE("positions that contradict each other are named with their bodies", "[assembly][joints]") {
  const Body body{{.mass = 1, .inertia = {0.1, 0.1, 0.1}}};
  const auto project = [&](const std::vector<SphericalJoint<double>>& joints) {
    const Assembly problem{bodies(std::vector{body, body}), constraints(joints)};
    auto x = problem.state({body.at({0, 0, 0}), body.at({0, 0, 5})});
    problem.project(x);
  };
  const Marker origin = Marker::in_space({0, 0, 0}), beside = Marker::in_space({1, 0, 0});
  CHECK_THROWS_AS(project({{{0}, origin}, {{0}, beside}}), IncompatibleConstraints);
  CHECK_THROWS_WITH(project({{{0}, origin}, {{0}, beside}}),
                    ContainsSubstring("row x [m] of SphericalJoint") && ContainsSubstring("(body 0, space)"));
  // a bar of 2 m between places 1 m apart, and a body with two places on one of another
  CHECK_THROWS_AS(project({{{0, 0, {-1, 0, 0}}, origin}, {{0, 0, {1, 0, 0}}, beside}}),
                  IncompatibleConstraints);
  CHECK_THROWS_WITH(project({{{1}, {0}}, {{1, 0, {0.1, 0, 0}}, {0}}}), ContainsSubstring("(body 1, body 0)"));
  CHECK_NOTHROW(project({{{0}, origin}, {{1}, beside}}));
}

TEST_CASE("what drives a marker does the work of a load", "[assembly][joints]") {
  const Body body{{.mass = 1.2, .inertia = {0.3, 0.2, 0.25}, .gravity = {0, 0, -9.81}}};
  const Assembly problem{bodies(std::vector{body}),
                         constraints(std::vector{PrescribedMotion<double, Path>{{0, 0, {0.3, 0.1, 0}}, {}}})};
  auto x = problem.state({body.at({0, 1, 0})});
  problem.project(x);
  auto r = problem.make_rates();
  const auto power = [&] {
    problem.rates(x, r);
    return problem.power(x, r);
  };
  double work = 0, before = power().load;
  const double energy = problem.energy(x);
  for (int i = 0; i < 1000; ++i) {
    drive(Verlet{}, problem, x, {.step = 1e-3, .until = x.time + 1e-3});
    const auto now = power();
    CHECK(std::abs(now.constraint) < 1e-11);
    work += (before + now.load) / 2 * 1e-3;
    before = now.load;
  }
  CHECK(std::abs(work) > 1);
  CHECK(std::abs(problem.energy(x) - energy - work) < 1e-4 * std::abs(work));
}

TEST_CASE("places that are not there are refused", "[assembly][joints]") {
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  using Joint = SphericalJoint<double>;
  const auto make = [&](const Marker& place) {
    return Assembly{bodies(std::vector{body}),
                    constraints(std::vector{Joint{Marker::in_space({0, 0, 0}), place}})};
  };
  CHECK_THROWS_WITH(make({1}), ContainsSubstring("SphericalJoint 0: body of a marker = 1"));
  CHECK_THROWS_WITH(make({0, 1}), ContainsSubstring("SphericalJoint 0: node of a marker = 1"));
  CHECK_THROWS_WITH(make({0, 0, {std::nan(""), 0, 0}}), ContainsSubstring("offset of a marker"));
}

/// A path that starts smoothly from rest, and jumps at 0.5 s by so much.
struct Leap {
  double jump;
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    const T u = t * t * t * t * t;
    return {u, T(-2) * u, t > T(0.5) ? T(jump) : T(0)};
  }
};

TEST_CASE("a path that jumps ends a run with the time, and a smooth one is followed", "[assembly][joints]") {
  const Body body{{.mass = 1, .inertia = {0.1, 0.1, 0.1}}};
  for (const double jump : {0.0, 0.01, -2.0}) {
    const Assembly problem{bodies(std::vector{body}),
                           constraints(std::vector{PrescribedMotion<double, Leap>{{0}, {jump}}})};
    auto x = problem.state({body.at({0, 0, 0})});
    const auto run = [&] { drive(Verlet{}, problem, x, {.step = 0.01, .until = 1.0}); };
    CAPTURE(jump);
    if (jump == 0.0) {
      run();
      CHECK(problem.constraint(x).position < 1e-15);
    } else {
      CHECK_THROWS_WITH(run(), ContainsSubstring("PathJumps"));
      CHECK(std::abs(x.time - 0.5) < 0.011);
    }
  }
}

}  // namespace joints_test
