// Balls on a plane whose reactions are not those of plain rolling: rubber, elastic and viscoelastic ones.

#include <cmath>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/parts.hpp"

namespace gallery {

namespace {

using namespace dalembert;
using Vec2 = Vec<double, 2>;

/// A ball of a radius, with what shows how it turns.
std::vector<io::Part> striped(double radius) { return {io::ball(radius).with_stripes()}; }

/// Uneven inside, so that its path winds though it does not spin.
struct RubberBall {
  using System = systems::RubberBall<double>;
  LagrangeDAlembert<System> problem{
      System{{.mass = 1, .radius = 1, .inertia = Vec3(0.05, 0.8, 0.85).asDiagonal()}}};

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    return {
        .name = "rubber_ball",
        .title = "A rubber ball of uneven mass neither slips nor spins, and does not roll straight",
        .caption =
            "A ball whose mass is mostly at the red poles: it neither slips on the plane nor spins about the "
            "vertical.",
        .t_end = 25,
        .dt = 5e-3,
        .parameters = {given("M", p.mass, "kg"), given("R", p.radius, "m"),
                       given("I1", p.inertia(0, 0), "kg m²"), given("I2", p.inertia(1, 1), "kg m²"),
                       given("I3", p.inertia(2, 2), "kg m²")},
        .columns = "x [m], y [m], W1 [rad/s], W2 [rad/s], W3 [rad/s], force_x [N], force_y [N], torque [N m]",
        .path_title = "path of the contact",
        .path_x = "x",
        .path_y = "y",
        .series_title = "torque of the plane against spin",
        .series_unit = "N m",
        .series = {"torque"},
        .errors = {{"momentum_change", "N m s",
                    "largest change of the horizontal momentum about the contact"}},
        .bodies = {{.name = "ball",
                    .parts = {io::ball(p.radius).with_stripes(),
                              io::ball(0.16).at({0.95 * p.radius, 0, 0}).coloured(3),
                              io::ball(0.16).at({-0.95 * p.radius, 0, 0}).coloured(3)},
                    .colour = 0},
                   {.name = "contact", .parts = {io::ball(0.05)}, .colour = 3, .path = true}},
        .surroundings = [](io::Scene& scene) { scene.plane("plane", Vec3::Zero(), Vec3::UnitZ()); }};
  }
  [[nodiscard]] auto start() const {
    const System::Group g{SO3d::exp({0.9, 0.5, 0}), Rn<double, 2>(Vec2(0, 0))};
    return problem.state(g, problem.system().rolling(g, {0.1, 1.5, 0.2}));
  }

  template <class State>
  Sight sight(const State& at) {
    const System& ball = problem.system();
    const Vec2 momentum = at.g.first().act(ball.contact_momentum(at.xi)).template head<2>();
    if (at.time == 0) momentum_ = momentum;
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec2 a = at.g.second().coordinates();
    return {.numbers = {a[0], a[1], at.xi[0], at.xi[1], at.xi[2], rates.lambda[0], rates.lambda[1],
                        rates.lambda[2]},
            .errors = {(momentum - momentum_).norm()},
            .poses = {{at.g.first(), Vec3(a[0], a[1], ball.parameters().radius)},
                      {SO3d::identity(), Vec3(a[0], a[1], 0)}}};
  }
  template <class State>
  void report(const State&, const State&, Recorder&) const {}

  Vec2 momentum_ = Vec2::Zero();
};

/// Three rows and two reactions, of which none is needed.
struct ElasticBall {
  using System = systems::ElasticBall<double>;
  LagrangeDAlembert<System> problem{System{{.mass = 1, .radius = 0.5, .inertia = 0.1}}};
  Vec3 omega{-0.8, 2.0, 0};

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    return {
        .name = "elastic_ball",
        .title = "An elastic ball that does not spin rolls straight on, without any reaction",
        .caption =
            "A homogeneous ball that does not slip and does not spin; nothing but rolling may push it.",
        .t_end = 8,
        .dt = 5e-3,
        .parameters = {given("M", p.mass, "kg"), given("R", p.radius, "m"), given("I", p.inertia, "kg m²")},
        .columns = "x [m], y [m], w1 [rad/s], w2 [rad/s], w3 [rad/s], force_x [N], force_y [N]",
        .path_title = "path of the contact",
        .path_x = "x",
        .path_y = "y",
        .series_title = "angular velocity in space",
        .series_unit = "rad/s",
        .series = {"w1", "w2", "w3"},
        .errors = {{"closed_form_error", "1", "largest error of the contact [m] and of the attitude [rad]"},
                   {"reaction", "N", "largest force of the plane, which is zero"}},
        .bodies = {{.name = "ball", .parts = striped(p.radius), .colour = 0},
                   {.name = "contact", .parts = {io::ball(0.025)}, .colour = 3, .path = true}},
        .surroundings = [](io::Scene& scene) { scene.plane("plane", Vec3::Zero(), Vec3::UnitZ()); }};
  }
  [[nodiscard]] auto start() const {
    return problem.state(System::Group::identity(), problem.system().rolling(omega));
  }

  template <class State>
  Sight sight(const State& at) const {
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const double radius = problem.system().parameters().radius;
    const Vec2 a = at.g.second().coordinates(), exact = radius * at.time * Vec2(omega[1], -omega[0]);
    const Vec3 turned = (SO3d::exp(at.time * omega).inverse() * at.g.first()).log();
    return {.numbers = {a[0], a[1], at.xi[0], at.xi[1], at.xi[2], rates.lambda[0], rates.lambda[1]},
            .errors = {std::hypot((a - exact).norm(), turned.norm()), rates.lambda.norm()},
            .poses = {{at.g.first(), Vec3(a[0], a[1], radius)}, {SO3d::identity(), Vec3(a[0], a[1], 0)}}};
  }
  template <class State>
  void report(const State&, const State& last, Recorder& recorder) const {
    auto rates = problem.make_rates();
    problem.rates(last, rates);
    recorder.figure({"redundant_rows", "1", "rows that follow from the others"}, rates.report.redundant_rows);
  }
};

/// On a turntable, where friction turns circles into spirals.
struct ViscoelasticBall {
  using System = systems::ViscoelasticBall<double, systems::Turntable<double>>;
  LagrangeDAlembert<System> problem{
      System{{.mass = 0.1, .radius = 0.02, .inertia = 1.6e-5, .friction = 5e-5}, {.rate = 3.4906585}}};
  System::Motion begin{.position = {0.1, 0}, .velocity = {0, 0.07}};

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    return {.name = "viscoelastic_ball",
            .title = "With rolling friction the circles on a turntable grow into spirals",
            .caption = "A ball with a torque against rolling, on a table that turns 33⅓ times a minute.",
            .t_end = 40,
            .dt = 4e-3,
            .parameters = {given("M", p.mass, "kg"), given("R", p.radius, "m"),
                           given("I", p.inertia, "kg m²"), given("friction", p.friction, "s"),
                           given("rate", problem.system().flow().rate, "rad/s")},
            .columns = "x [m], y [m], vx [m/s], vy [m/s], force_x [N], force_y [N], friction_power [W]",
            .path_title = "path of the contact, in space",
            .path_x = "x",
            .path_y = "y",
            .series_title = "power of rolling friction",
            .series_unit = "W",
            .series = {"friction_power"},
            .errors = {{"closed_form_error", "m", "largest distance from the closed form"}},
            .driven = true,
            .bodies = {{.name = "ball", .parts = striped(p.radius), .colour = 0, .path = true},
                       {.name = "turntable",
                        .parts = {io::cylinder(0.5, 0.01).at({0, 0, -0.005}).with_stripes()},
                        .colour = 4}},
            .pitch = 40};
  }
  [[nodiscard]] auto start() const {
    return problem.state({SO3d::identity(), Rn<double, 2>(begin.position)},
                         problem.system().rolling(begin.position, begin.velocity, 0));
  }

  template <class State>
  Sight sight(const State& at) const {
    const System& ball = problem.system();
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec2 a = at.g.second().coordinates();
    return {
        .numbers = {a[0], a[1], at.xi[3], at.xi[4], rates.lambda[0], rates.lambda[1], ball.dissipation(at)},
        .errors = {(a - ball.exact(begin, at.time).position).norm()},
        .poses = {{at.g.first(), Vec3(a[0], a[1], ball.parameters().radius)},
                  {about(2, ball.flow().rate * at.time), Vec3::Zero()}}};
  }
  template <class State>
  void report(const State& first, const State& last, Recorder& recorder) const {
    recorder.figure({"growth", "1", "speed at the end over speed at the start"},
                    last.xi.template tail<2>().norm() / first.xi.template tail<2>().norm());
  }
};

}  // namespace

std::vector<Exhibit> balls() {
  return {exhibit<RubberBall>("rubber_ball"), exhibit<ElasticBall>("elastic_ball"),
          exhibit<ViscoelasticBall>("viscoelastic_ball")};
}

}  // namespace gallery
