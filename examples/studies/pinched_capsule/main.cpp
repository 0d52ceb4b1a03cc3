// A capsule is pinched by two plates that are pressed together: friction bears it, and it does not creep.
//
//   ./pinched_capsule --force 30                       it is held: nothing moves in ten seconds  (the defaults)
//   ./pinched_capsule --force 0.3                      2μF is less than its weight: it falls
//
//        |   |   |   |     m  mass of the capsule: balls of radius a in a line, which lies across here
//     F →|   |( )|   |← F  F  on each plate, which is borne by half of the weight mg
//        |   | ↓ |   |        it sticks while     mg ≤ 2μF,    friction used   mg/(2μF)                  (1)
//              mg             else it falls by    (g − 2μF/m) t²/2                                       (2)
//
// Contacts whose friction is a regularised law of the slip let such a grip creep for as long as it lasts: for
// this capsule of 45 g at 12 to 60 N MuJoCo's issue 3328 (2026) reports 50 to 155 μm/s, and 1.4 μm/s after
// iterations against slip. Here |P_t| ≤ μP_n holds with u_t = 0, so what is left is rounding. Four contacts of
// one body are redundant: how the weight is shared between them is open, their sums are not.
// The plates are free bodies, too. As such they would buckle, one up and one down, the capsule rolling between
// them, at the rate (F²/(2MJ))^¼ with M and J their mass and moment of inertia: light plates drop the capsule
// within seconds. They are parts of a machine here, with 10 kg and 10⁴ kg m². Creep is that of the capsule
// against their mean.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/csv_contacts.hpp>
#include <dalembert/io/scene.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Problem = assembly::Assembly<assembly::Kinds<assembly::RigidBody<>>, contact::WithTouching<double>>;
using State = Problem::State;
using Touches = std::vector<contact::TouchReport<double>>;

struct Arguments {
  double force = 30, friction = 0.7, mass = 0.045, radius = 0.004, length = 0.02, plate_mass = 10,
         plate_inertia = 1e4;
  double tilt = static_cast<double>(pi) / 2, gravity = 9.81;
  long balls = 2;
  example::March march{.t_end = 10, .dt = 1e-3};

  double weight() const { return mass * gravity; }
  /// Above 1 it cannot be held.
  double friction_used() const { return weight() / (2 * friction * force); }
  /// Equation (2), or 0 if it is held [m].
  double fallen(double t) const { return std::max(0.0, gravity - 2 * friction * force / mass) * t * t / 2; }
  /// From the vertical on, about the line of the forces.
  SO3<double> rotation() const { return SO3<double>::exp(Vec3(tilt, 0, 0)); }
  /// Of the balls, on the third axis of the capsule.
  std::vector<double> places() const {
    std::vector<double> all;
    for (long i = 0; i < balls; ++i)
      all.push_back(length * (static_cast<double>(i) / static_cast<double>(balls - 1) - 0.5));
    return all;
  }
};

/// A cylinder with its balls as one body of the same density.
Vec3 inertia(const Arguments& p) {
  const double a = p.radius, l = p.length;
  const double rod = l, caps = 4.0 / 3 * a;  // volumes over πa²
  const double m = p.mass * rod / (rod + caps), c = p.mass * caps / (rod + caps);
  const double along = m * a * a / 2 + 0.4 * c * a * a;
  const double across = m * (a * a / 4 + l * l / 12) + c * (0.4 * a * a + l * l / 4 + 3.0 / 8 * a * l);
  return {across, across, along};
}

Problem make_problem(const Arguments& p) {
  const Vec3 fall(0, 0, -p.gravity);
  const double j = p.plate_inertia;
  const auto plate = [&](double side) {
    return assembly::RigidBody<>{
        {.mass = p.plate_mass, .inertia = {j, j, j}, .force = {-side * p.force, 0, p.weight() / 2}}};
  };
  const assembly::RigidBody<> capsule{{.mass = p.mass, .inertia = inertia(p), .gravity = fall}};
  const auto all = assembly::bodies(capsule, plate(-1), plate(1));
  const auto [held, left, right] = all.handles();
  contact::Touching<> what;
  what.friction = p.friction;
  for (const double z : p.places()) what.balls.push_back({assembly::frame(held, Vec3(0, 0, z)), p.radius});
  contact::Plate<> one;
  one.marker = assembly::frame(left);
  one.plane.normal = {1, 0, 0};
  what.plates.push_back(one);
  one.marker = assembly::frame(right);
  one.plane.normal = {-1, 0, 0};
  what.plates.push_back(one);
  return Problem{all, what};
}

State start(const Problem& problem, const Arguments& p) {
  const auto& bodies = problem.bodies<0>();
  const double x = p.radius;
  return problem.state(
      {bodies[0].at(Vec3::Zero(), p.rotation()), bodies[1].at({-x, 0, 0}), bodies[2].at({x, 0, 0})});
}

/// What the contacts of the capsule do.
struct Grip {
  double pressed = 0;       ///< normal force of one plate, the mean of both [N]
  double used = 0;          ///< friction over what there could be, of both together
  double largest_used = 0;  ///< of one contact
  double slip = 0;          ///< the largest [m/s]

  Grip(const Arguments& p, const Touches& touches) {
    Vec3 rub = Vec3::Zero();
    for (const auto& t : touches) {
      const double normal = t.pressure();
      const Vec3 across = t.force - normal * t.normal;
      pressed += normal / 2;
      rub += across;
      if (normal > 0) largest_used = std::max(largest_used, across.norm() / (p.friction * normal));
      slip = std::max(slip, t.slip.norm());
    }
    if (pressed > 0) used = rub.norm() / (2 * p.friction * pressed);
  }
};

/// How far the capsule is from where it was, against the mean of the plates [m].
double creep(const State& x) {
  const Vec3 plates = (Vec3(x[1].position(0)) + Vec3(x[2].position(0))) / 2;
  return (Vec3(x[0].position(0)) - plates).norm();
}

/// What the page of a run shows: the capsule between its plates with contact forces, and how it is held.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene),
        capsule_(scene.body("capsule", parts(p), {.colour = 1})),
        plates_{scene.body("plate 1", {jaw(p, -1)}, {.colour = 4}),
                scene.body("plate 2", {jaw(p, 1)}, {.colour = 4})},
        contacts_(
            scene.contacts("contacts", {.radius = p.radius / 5, .arrow = "contact force", .unit = "N"})),
        creep_(scene.panel("creep", "m", {"creep"})),
        used_(scene.panel("friction used", "1", {"computed", "m g / (2 mu F)"})),
        slip_(scene.panel("largest slip", "m/s", {"slip"})) {}

  void operator()(const Arguments& p, const State& x, const Touches& touches) {
    const Grip grip(p, touches);
    scene_->row(creep_, x.time, {creep(x)});
    scene_->row(used_, x.time, {grip.used, std::min(1.0, p.friction_used())});
    scene_->row(slip_, x.time, {grip.slip});
    if (!scene_->frame(x.time)) return;
    scene_->put(capsule_, x[0].rotation(0), x[0].position(0));
    for (std::size_t i = 0; i < 2; ++i) scene_->put(plates_[i], x[i + 1].rotation(0), x[i + 1].position(0));
    scene_->put(contacts_, touches);
  }

 private:
  /// A plate on the far side of its surface, from which the ends of the capsule stick out.
  static io::Part jaw(const Arguments& p, double side) {
    const double thick = p.radius / 2, across = p.length + p.radius / 2;
    return io::box({thick, across, std::max(8 * p.radius, across * std::abs(std::cos(p.tilt)))})
        .at({side * thick / 2, 0, 0});
  }
  static std::vector<io::Part> parts(const Arguments& p) {
    std::vector<io::Part> all{io::cylinder(p.radius, p.length).with_stripes()};
    for (const double z : p.places()) all.push_back(io::ball(p.radius).at({0, 0, z}));
    return all;
  }

  io::Scene* scene_;
  io::Scene::Body capsule_;
  std::array<io::Scene::Body, 2> plates_;
  io::Scene::Contacts contacts_;
  io::Scene::PanelId creep_, used_, slip_;
};

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  State state = start(problem, p);
  run.view.planned = p.march.t_end;
  run.view.yaw = 25;
  run.view.pitch = 20;
  example::Table table(
      run.out / "grip.csv",
      "t [s], creep [m], fallen [m], fallen_exact [m], force [N], friction_used [1], slip [m/s]", p.march);
  io::ContactTable contacts(run.out / "contacts.csv");
  View view(run.scene, p);
  double farthest = 0, slip = 0, largest_used = 0, penetration = 0;
  Touches touches;
  const auto report =
      drive(Verlet{}, problem, state,
            {.step = p.march.dt, .until = p.march.t_end, .progress = example::progress_line()},
            [&](const Problem& now, const State& x) {
              farthest = std::max(farthest, creep(x));
              if (!table.due(x.time)) return;
              touches = contact::touches(now, x);
              const Grip grip(p, touches);
              slip = std::max(slip, grip.slip);
              largest_used = std::max(largest_used, grip.largest_used);
              for (const auto& t : touches) penetration = std::max(penetration, -t.gap);
              table.row(x.time, creep(x), -x[0].position(0)[2], p.fallen(x.time), grip.pressed, grip.used,
                        grip.slip);
              contacts.row(x.time, touches);
              view(p, x, touches);
            });
  table.close();
  contacts.close();

  const Grip grip(p, touches);
  const bool holds = slip <= 1e-9 * std::sqrt(p.gravity * p.radius);
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.truth("holds", holds, "whether it is held all the time");
  out.figure("creep", farthest, "m", "how far the capsule went against the plates");
  out.figure("creep_rate", farthest / state.time, "m/s", "the same over the time");
  out.figure("slip", slip, "m/s", "the largest of a contact");
  out.figure("force", grip.pressed, "N", "of a plate on the capsule at the end");
  out.figure("friction_used", grip.used, "1", "|P_t|/(mu P_n) of all contacts together at the end");
  out.figure("friction_used_exact", std::min(1.0, p.friction_used()), "1", "by equation (1)");
  out.figure("friction_used_largest", largest_used, "1", "of one contact, the largest of the run");
  out.figure("fallen", -state[0].position(0)[2], "m", "how far the capsule fell");
  out.figure("fallen_exact", p.fallen(state.time), "m", "by equation (2)");
  out.figure("turned", (p.rotation().inverse() * state[0].rotation(0)).log().norm(), "rad",
             "how far it turned");
  out.figure("penetration", penetration, "m", "the largest of the run");
  out.print();
  example::Variables given;
  given("force", p.force)("friction", p.friction)("T", p.march.t_end)("mass", p.mass)("farthest", farthest);
  example::draw(run, {"creep", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"pinched_capsule",
                           "A capsule that two plates pinch: friction bears it without creep."};
  using example::Rule;
  program.option("force", p.force, "N", "that presses each plate", Rule::positive);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::positive);
  program.option("mass", p.mass, "kg", "mass of the capsule", Rule::positive);
  program.option("radius", p.radius, "m", "radius of the capsule", Rule::positive);
  program.option("length", p.length, "m", "between the middles of its first and last ball", Rule::positive);
  program.option("balls", p.balls, "balls that touch", 2);
  program.option("tilt", p.tilt, "rad", "of its axis from the vertical, along the plates");
  program.option("plate-mass", p.plate_mass, "kg", "mass of what bears a plate", Rule::positive);
  program.option("plate-inertia", p.plate_inertia, "kg m^2", "moments of inertia of what bears a plate",
                 Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::not_negative);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.option("dt", p.march.dt, "s", "time step", Rule::positive);
  program.rule("dt", "must not vanish beside --t-end", [&] {
    return p.march.t_end + p.march.dt > p.march.t_end && p.march.t_end / p.march.dt < 1e8;
  });
  program.rule("balls", "must not be more than twenty", [&] { return p.balls <= 20; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
