// Rigid bodies in space: Suslov's, about a fixed point; a rolling disc; a rattleback.

#include <cmath>

#include <Eigen/Eigenvalues>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/suslov.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/parts.hpp"

namespace gallery {

namespace {

using namespace dalembert;

/// From beside the steady turn that is unstable to the opposite one.
struct Suslov {
  using System = systems::Suslov<double>;
  LagrangeDAlembert<System> problem{
      System{{.inertia = (Mat<double, 3>() << 1.0, 0.0, 0.3, 0.0, 1.5, 0.2, 0.3, 0.2, 2.0).finished()}}};
  Vec3 begin{1.66, -2.485, 0};

  /// The box whose moments of inertia are those of the body, but for a factor.
  [[nodiscard]] std::vector<io::Part> parts() const {
    const Eigen::SelfAdjointEigenSolver<Mat<double, 3>> principal(problem.system().parameters().inertia);
    const Vec3 moments = principal.eigenvalues();
    Mat<double, 3> axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
    Vec3 sides;
    for (int i = 0; i < 3; ++i) sides[i] = 0.5 * std::sqrt(moments.sum() - 2 * moments[i]);
    const double longest = 0.75 * sides.maxCoeff();
    return {io::box(sides).turned(SO3d::from_matrix(axes)),
            bar(Vec3(0, 0, -longest), Vec3(0, 0, longest), 0.015).coloured(3),
            io::ball(0.03).at({0, 0, longest}).coloured(3)};
  }

  [[nodiscard]] Text text() const {
    return {.name = "suslov",
            .title = "Suslov's body turns over and ends with the opposite spin",
            .caption =
                "A rigid body about a fixed point that cannot spin about the red axis, let go beside its "
                "unstable turn.",
            .t_end = 20,
            .dt = 5e-3,
            .parameters = {given("W1", begin[0], "rad/s"), given("W2", begin[1], "rad/s")},
            .columns = "W1 [rad/s], W2 [rad/s], W3 [rad/s], lambda [N m]",
            .path_title = "angular velocity in the body: half an ellipse",
            .path_x = "W1",
            .path_y = "W2",
            .series_title = "angular velocity in the body",
            .series_unit = "rad/s",
            .series = {"W1", "W2", "W3"},
            .errors = {{"closed_form_error", "rad/s", "largest error of the angular velocity"}},
            .bodies = {{.name = "body", .parts = parts(), .colour = 0}}};
  }
  [[nodiscard]] auto start() const { return problem.state(SO3d::identity(), begin); }

  template <class State>
  Sight sight(const State& at) const {
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    return {.numbers = {at.xi[0], at.xi[1], at.xi[2], rates.lambda[0]},
            .errors = {(at.xi - problem.system().exact(begin, at.time)).norm()},
            .poses = {{at.g, Vec3::Zero()}}};
  }
  template <class State>
  void report(const State& first, const State& last, Recorder& recorder) const {
    recorder.figure({"W1_ratio", "1", "W1 at the end over W1 at the start"}, last.xi[0] / first.xi[0]);
    recorder.figure({"W2_ratio", "1", "W2 at the end over W2 at the start"}, last.xi[1] / first.xi[1]);
  }
};

/// A disc that leans, with half the spin that would keep it so.
struct Disc {
  using System = systems::RollingDisc<double>;
  LagrangeDAlembert<System> problem{System{{.mass = 1, .radius = 0.2}}};
  double lean = 0.9, yaw_rate = 4, slower = 0.5;

  [[nodiscard]] Text text() const {
    const auto& p = problem.system().parameters();
    return {.name = "rolling_disc",
            .title = "A disc too slow for its lean falls, catches itself, and draws a rosette",
            .caption =
                "A disc that rolls without slipping and is free to fall, at half the spin of a steady turn.",
            .t_end = 6,
            .dt = 1e-3,
            .parameters = {given("m", p.mass, "kg"), given("r", p.radius, "m"), given("lean", lean, "rad"),
                           given("yaw rate", yaw_rate, "rad/s")},
            .columns = "x [m], y [m], height [m], lean [rad], normal_force [N]",
            .path_title = "path of the contact",
            .path_x = "x",
            .path_y = "y",
            .series_title = "lean from upright",
            .series_unit = "rad",
            .series = {"lean"},
            .errors = {{"height_error", "m", "largest distance of the lowest point from the plane"}},
            .bodies = {{.name = "disc", .parts = {io::cylinder(p.radius, 0.012).with_stripes()}, .colour = 0},
                       {.name = "contact", .parts = {io::ball(0.008)}, .colour = 3, .path = true}},
            .surroundings = [](io::Scene& scene) { scene.plane("plane", Vec3::Zero(), Vec3::UnitZ()); },
            .pitch = 35};
  }
  [[nodiscard]] auto start() const {
    const System& disc = problem.system();
    const auto attitude = System::attitude(0, lean, 0);
    const double spin = disc.steady_spin(lean, yaw_rate) * slower;
    return problem.state(disc.standing(attitude, {0, 0}),
                         disc.rolling(attitude, System::angular_velocity(lean, 0, yaw_rate, 0, spin)));
  }

  template <class State>
  Sight sight(const State& at) {
    const System& disc = problem.system();
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec<double, 2> contact = disc.contact(at.g);
    const Vec3 axis = at.g.first().act(Vec3::UnitZ()), centre = at.g.second().coordinates();
    return {.numbers = {contact[0], contact[1], centre[2], std::asin(axis[2]), rates.lambda[0]},
            .errors = {disc.position_constraint(at.g)},
            .poses = {{at.g.first(), centre}, {SO3d::identity(), Vec3(contact[0], contact[1], 0)}}};
  }
  template <class State>
  void report(const State&, const State&, Recorder&) const {}
};

/// Spun the wrong way.
struct Rattleback {
  using System = systems::Rattleback<double>;
  LagrangeDAlembert<System> problem{System{{}}};
  double spin = -5, tilt = half_turn / 360;

  /// The lower half of the ellipsoid, in slices.
  [[nodiscard]] std::vector<io::Part> parts() const {
    const auto& p = problem.system().parameters();
    std::vector<io::Part> all;
    const int slices = 14, corners = 48;
    double below = -p.semi_axes[2];
    for (int i = 1; i <= slices; ++i) {
      const double top = -p.semi_axes[2] * std::cos(half_turn / 2 * i / slices);
      const double middle = (below + top) / (2 * p.semi_axes[2]), scale = std::sqrt(1 - middle * middle);
      std::vector<Vec<double, 2>> rim;
      for (int k = 0; k < corners; ++k) {
        const double angle = 2 * half_turn * k / corners;
        rim.emplace_back(scale * p.semi_axes[0] * std::cos(angle), scale * p.semi_axes[1] * std::sin(angle));
      }
      all.push_back(io::outline(rim, top - below).at({0, 0, p.offset + (top + below) / 2}));
      below = top;
    }
    all.push_back(io::box({0.3, 0.006, 0.002}).at({0, 0, p.offset + 0.001}).coloured(3));
    return all;
  }

  [[nodiscard]] Text text() const {
    return {
        .name = "rattleback",
        .title = "A rattleback spun the wrong way rattles, stops, and turns back",
        .caption = "An ellipsoid whose axes of inertia are turned by less than a degree against its surface.",
        .t_end = 9,
        .dt = 5e-4,
        .parameters = {given("spin", spin, "rad/s"), given("tilt", tilt, "rad")},
        .columns = "x [m], y [m], spin [rad/s], rocking [rad], normal_force [N]",
        .path_title = "path of the contact",
        .path_x = "x",
        .path_y = "y",
        .series_title = "spin about the vertical",
        .series_unit = "rad/s",
        .series = {"spin"},
        .errors = {{"height_error", "m", "largest distance of the lowest point from the plane"}},
        .bodies = {{.name = "rattleback", .parts = parts(), .colour = 0}},
        .surroundings = [](io::Scene& scene) { scene.plane("plane", Vec3::Zero(), Vec3::UnitZ(), 0.5); },
        .pitch = 35};
  }
  [[nodiscard]] auto start() const {
    const System& body = problem.system();
    const auto g = body.touching(about(0, tilt));
    return problem.state(g, body.rolling(g, spin * System::vertical(g)));
  }

  template <class State>
  Sight sight(const State& at) {
    const System& body = problem.system();
    auto rates = problem.make_rates();
    problem.rates(at, rates);
    const Vec3 up = System::vertical(at.g), centre = at.g.second().coordinates();
    const Vec3 contact = at.g.first().act(body.contact(up), centre);
    least_load_ = std::min(least_load_, rates.lambda[0]);
    return {.numbers = {contact[0], contact[1], at.xi.template head<3>().dot(up), std::asin(up[0]),
                        rates.lambda[0]},
            .errors = {body.position_constraint(at.g)},
            .poses = {{at.g.first(), centre}}};
  }
  template <class State>
  void report(const State& first, const State& last, Recorder& recorder) const {
    const auto spin_of = [](const State& at) { return at.xi.template head<3>().dot(System::vertical(at.g)); };
    recorder.figure({"spin_initial", "rad/s", "spin about the vertical at the start"}, spin_of(first));
    recorder.figure({"spin_final", "rad/s", "spin about the vertical at the end"}, spin_of(last));
    recorder.figure({"least_load", "N", "least force of the plane; it never pulls"}, least_load_);
  }

 private:
  double least_load_ = 1e9;
};

}  // namespace

std::vector<Exhibit> bodies() {
  return {exhibit<Suslov>("suslov"), exhibit<Disc>("rolling_disc"), exhibit<Rattleback>("rattleback")};
}

}  // namespace gallery
