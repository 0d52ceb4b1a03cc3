// A cylinder, a sphere and a ball with backspin are thrown onto a plane: they slip until they roll, if ever.
//
//   ./thrown_balls --friction 0.2 --speed 2            on the level                        (the defaults)
//   ./thrown_balls --slope 0.7                         too steep for rolling: tan 0.7 > 3.5 μ
//
//          ___  → v          slip  u = v − aω,   moment of inertia κma²: sphere 2/5, cylinder 1/2
//        .'   '.             it slips:  v̇ = g sin β − μ g cos β sgn u,   aω̇ = μ g cos β sgn u / κ
//       |   o   | ↻ ω                   u̇ = g sin β − (1 + 1/κ) μ g cos β sgn u                         (1)
//        '.___.'             it rolls:  v̇ = g sin β/(1 + κ)    if  tan β ≤ (1 + 1/κ)μ                   (2)
//     ──────●──────── slope β ↘
//
// On the level a sphere rolls from 2|u₀|/(7μg) on at ⁵⁄₇v₀ + ²⁄₇aω₀, a cylinder from |u₀|/(3μg) on at
// ⅔v₀ + ⅓aω₀; without spin they have lost 2/7 and 1/3 of their kinetic energy, however rough the plane is. A
// ball with backspin ω₀ < −5v₀/(2a) comes back. On a slope steeper than 3.5μ (cylinder: 3μ) slip never ends.
// Contacts slip and stick by themselves here: no time at which rolling begins is given to the computation.
// Source: Routh 1905, Elementary part of a treatise on the dynamics of a system of rigid bodies, chapter 4.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
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

constexpr double mass = 1;  ///< of each [kg]; nothing depends on it

struct Arguments {
  double friction = 0.2, speed = 2, spin = 0, backspin = -80, slope = 0, radius = 0.1, gravity = 9.81;
  example::March march{.t_end = 0, .dt = 1e-3};

  Vec3 normal() const { return {std::sin(slope), 0, std::cos(slope)}; }
  Vec3 down() const { return {std::cos(slope), 0, -std::sin(slope)}; }
  /// Below which slip is rounding [m/s].
  double rounding() const {
    return 1e-10 * (speed + radius * (std::abs(spin) + std::abs(backspin)) + gravity * march.t_end);
  }
};

/// One that is thrown.
struct Thrown {
  std::string key;  ///< before its figures
  std::string name;
  double kappa;
  double spin;  ///< at the start [rad/s]
};

std::array<Thrown, 3> thrown(const Arguments& p) {
  return {Thrown{"cylinder_", "cylinder", 0.5, 0}, Thrown{"", "sphere", 0.4, p.spin},
          Thrown{"backspin_", "ball with backspin", 0.4, p.backspin}};
}

/// Equations (1) and (2), one after the other.
class Exact {
 public:
  Exact(const Arguments& p, const Thrown& ball) : radius_(p.radius) {
    const double push = p.gravity * std::sin(p.slope), rub = p.friction * p.gravity * std::cos(p.slope);
    const double end = 1 + 1 / ball.kappa;
    const auto slips = [&](double sign) {
      return Phase{.v_rate = push - sign * rub, .aw_rate = sign * rub / ball.kappa, .rub = rub};
    };
    Phase now = p.speed == p.radius * ball.spin ? Phase{} : slips(p.speed > p.radius * ball.spin ? 1 : -1);
    now.v = p.speed;
    now.aw = p.radius * ball.spin;
    const double u = now.v - now.aw, u_rate = now.v_rate - now.aw_rate;
    std::optional<double> meets;
    if (u == 0) meets = 0;
    if (u * u_rate < 0) meets = -u / u_rate;
    phases_.push_back(now);
    if (!meets) return;
    Phase next = push <= end * rub
                     ? Phase{.v_rate = push / (1 + ball.kappa), .aw_rate = push / (1 + ball.kappa)}
                     : slips(1);
    next.from = *meets;
    next.v = now.v + now.v_rate * *meets;
    next.aw = now.aw + now.aw_rate * *meets;
    if (next.rub == 0) rolls_from_ = meets;
    phases_.push_back(next);
  }

  /// v down the slope [m/s].
  double speed(double t) const { return at(t).v + at(t).v_rate * (t - at(t).from); }
  /// ω [rad/s].
  double spin(double t) const { return (at(t).aw + at(t).aw_rate * (t - at(t).from)) / radius_; }
  /// Down the slope [m].
  double place(double t) const {
    return sum(t, [](const Phase& one, double for_) { return (one.v + one.v_rate * for_ / 2) * for_; });
  }
  /// What friction has taken, per mass [J/kg].
  double lost(double t) const {
    return sum(t, [](const Phase& one, double for_) {
      const double slid = (one.v - one.aw + (one.v_rate - one.aw_rate) * for_ / 2) * for_;
      return one.rub * std::abs(slid);
    });
  }
  /// Absent if it never does [s].
  std::optional<double> rolls_from() const { return rolls_from_; }

 private:
  struct Phase {
    double from = 0, v = 0, aw = 0, v_rate = 0, aw_rate = 0, rub = 0;
  };
  const Phase& at(double t) const {
    return phases_.size() > 1 && t >= phases_[1].from ? phases_[1] : phases_[0];
  }
  template <class F>
  double sum(double t, const F& of) const {
    double all = 0;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const double to = i + 1 < phases_.size() ? std::min(t, phases_[i + 1].from) : t;
      if (to > phases_[i].from) all += of(phases_[i], to - phases_[i].from);
    }
    return all;
  }

  double radius_;
  std::vector<Phase> phases_{};
  std::optional<double> rolls_from_{};
};

assembly::RigidBody<> make_body(const Arguments& p, const Thrown& ball) {
  const double own = ball.kappa * mass * p.radius * p.radius;
  // The cylinder is as long as it is wide.
  const double across = ball.kappa == 0.5 ? mass * p.radius * p.radius * (1.0 / 4 + 1.0 / 3) : own;
  return assembly::RigidBody<>{
      {.mass = mass, .inertia = {across, own, across}, .gravity = {0, 0, -p.gravity}}};
}

/// The cylinder touches with a ball at each of its ends.
Problem make_problem(const Arguments& p) {
  const auto balls = thrown(p);
  const auto all = assembly::bodies(make_body(p, balls[0]), make_body(p, balls[1]), make_body(p, balls[2]));
  const auto [cylinder, sphere, backspin] = all.handles();
  contact::Plane<> plane;
  plane.normal = p.normal();
  contact::Touching<> what;
  what.friction = p.friction;
  what.planes.push_back(plane);
  for (const double y : {-p.radius, p.radius})
    what.balls.push_back({assembly::frame(cylinder, Vec3(0, y, 0)), p.radius});
  what.balls.push_back({assembly::frame(sphere), p.radius});
  what.balls.push_back({assembly::frame(backspin), p.radius});
  return Problem{all, what};
}

/// How a ball moves.
struct Motion {
  double place, speed, spin, slip;

  Motion(const Arguments& p, const rod::Chain<double>& x)
      : place(p.down().dot(Vec3(x.position(0)))),
        speed(p.down().dot(Vec3(x.linear_velocity(0)))),
        spin(x.angular_velocity(0)[1]),
        slip(speed - p.radius * spin) {}
};

/// Kinetic energy, and with the potential energy [J].
double kinetic(const Arguments& p, const Thrown& ball, const Motion& m) {
  const double rim = p.radius * m.spin;
  return mass * (m.speed * m.speed + ball.kappa * rim * rim) / 2;
}
double energy(const Arguments& p, const Thrown& ball, const Motion& m) {
  return kinetic(p, ball, m) - mass * p.gravity * std::sin(p.slope) * m.place;
}

/// What the page of a run shows: the three on their plane, their speeds and slips.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene),
        bodies_{scene.body("cylinder", {lying(p.radius)}, {.colour = 2, .path = true}),
                scene.body("sphere", {io::ball(p.radius).with_stripes()}, {.colour = 0, .path = true}),
                scene.body("backspin", {io::ball(p.radius).with_stripes()}, {.colour = 1, .path = true})},
        contacts_(scene.contacts("contacts")),
        speeds_(
            scene.panel("speed", "m/s",
                        {"cylinder", "exact", "sphere", "exact (sphere)", "backspin", "exact (backspin)"})),
        slips_(scene.panel("slip", "m/s", {"cylinder", "sphere", "backspin"})) {
    scene.plane("plane", {0, 0, 0}, p.normal());
  }

  void operator()(const State& x, const std::vector<Motion>& motions, const std::vector<Exact>& exact,
                  const Touches& touches) {
    std::vector<double> speeds, slips;
    for (std::size_t i = 0; i < 3; ++i) {
      speeds.push_back(motions[i].speed);
      speeds.push_back(exact[i].speed(x.time));
      slips.push_back(motions[i].slip);
    }
    scene_->row(speeds_, x.time, speeds);
    scene_->row(slips_, x.time, slips);
    if (!scene_->frame(x.time)) return;
    for (std::size_t i = 0; i < 3; ++i) scene_->put(bodies_[i], x[i].rotation(0), x[i].position(0));
    scene_->put(contacts_, touches);
  }

 private:
  static io::Part lying(double radius) {
    return io::cylinder(radius, 2 * radius)
        .turned(SO3<double>::exp(Vec3(-static_cast<double>(pi) / 2, 0, 0)))
        .with_stripes();
  }

  io::Scene* scene_;
  std::array<io::Scene::Body, 3> bodies_;
  io::Scene::Contacts contacts_;
  io::Scene::PanelId speeds_, slips_;
};

/// When a run ends that is not told: when the sphere has rolled for a while [s].
double long_enough(const Arguments& p) {
  return std::clamp(1.25 * Exact(p, thrown(p)[1]).rolls_from().value_or(0), 2.0, 100.0);
}

void simulate(Arguments p, example::Run& run) {
  const auto balls = thrown(p);
  if (p.march.t_end == 0) p.march.t_end = long_enough(p);
  run.view.planned = p.march.t_end;
  const Problem problem = make_problem(p);
  std::vector<Exact> exact;
  std::vector<rod::Chain<double>> chains;
  for (std::size_t i = 0; i < 3; ++i) {
    exact.emplace_back(p, balls[i]);
    const Vec3 beside(0, 4 * p.radius * (1 - static_cast<double>(i)), 0);
    chains.push_back(problem.bodies<0>()[i].at(p.radius * p.normal() + beside));
  }
  State state = problem.state(chains);
  for (std::size_t i = 0; i < 3; ++i) state[i].set_velocity(0, p.speed * p.down(), {0, balls[i].spin, 0});

  example::Table table(
      run.out / "balls.csv",
      "t [s], cylinder_speed [m/s], cylinder_exact [m/s], cylinder_slip [m/s], cylinder_place [m], "
      "sphere_speed [m/s], sphere_exact [m/s], sphere_slip [m/s], sphere_place [m], "
      "backspin_speed [m/s], backspin_exact [m/s], backspin_slip [m/s], backspin_place [m]",
      p.march);
  io::ContactTable contacts(run.out / "contacts.csv");
  View view(run.scene, p);
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  std::array<std::optional<double>, 3> rolls_from;
  std::vector<Motion> motions;
  const auto look = [&](const State& x) {
    motions.clear();
    for (std::size_t i = 0; i < 3; ++i) motions.emplace_back(p, x[i]);
  };
  look(state);
  const std::vector<Motion> start = motions;
  double farthest = start[2].place, aside = 0;
  const auto report =
      drive(Verlet{}, problem, state,
            {.step = p.march.dt, .until = p.march.t_end, .progress = example::progress_line()}, monitor,
            [&](const Problem& now, const State& x) {
              look(x);
              for (std::size_t i = 0; i < 3; ++i) {
                if (std::abs(motions[i].slip) > p.rounding()) {
                  rolls_from[i].reset();
                } else if (!rolls_from[i]) {
                  rolls_from[i] = x.time;
                }
                aside = std::max(aside, std::abs(x[i].linear_velocity(0)[1]));
              }
              farthest = std::max(farthest, motions[2].place);
              if (!table.due(x.time)) return;
              std::vector<double> row;
              for (std::size_t i = 0; i < 3; ++i)
                for (const double value :
                     {motions[i].speed, exact[i].speed(x.time), motions[i].slip, motions[i].place})
                  row.push_back(value);
              table.row(x.time, Eigen::Map<const Vec<double, 12>>(row.data()));
              const Touches touches = contact::touches(now, x);
              contacts.row(x.time, touches);
              view(x, motions, exact, touches);
            });
  table.close();
  contacts.close();

  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  double lost = 0;
  for (const std::size_t i : {std::size_t{1}, std::size_t{0}, std::size_t{2}}) {
    const std::string& key = balls[i].key;
    const double at_first = kinetic(p, balls[i], start[i]), end = state.time;
    const double taken = energy(p, balls[i], start[i]) - energy(p, balls[i], motions[i]);
    const auto from = exact[i].rolls_from();
    lost += taken;
    out.figure(key + "end_speed", motions[i].speed, "m/s", "of the " + balls[i].name + " at the end");
    out.figure(key + "end_speed_exact", exact[i].speed(end), "m/s", "by equations (1) and (2)");
    out.truth(key + "rolls", rolls_from[i].has_value(), "whether it rolls at the end");
    if (rolls_from[i]) out.figure(key + "rolls_from", *rolls_from[i], "s", "when that began");
    if (from) out.figure(key + "rolls_from_exact", *from, "s", "by equation (1)");
    out.figure(key + "loss", taken / at_first, "1",
               "energy that friction took, over the kinetic one at first");
    out.figure(key + "loss_exact", mass * exact[i].lost(end) / at_first, "1", "by equations (1) and (2)");
  }
  out.figure("backspin_farthest", farthest, "m", "how far it came");
  out.figure("aside", aside, "m/s", "largest velocity across the throw");
  out.figure("friction_error", std::abs(lost + monitor.contacts().friction), "J",
             "between energies and the work of friction");
  out.print();
  example::Variables given;
  given("friction", p.friction)("slope", p.slope)("T", p.march.t_end);
  example::draw(run, {"balls", 1600, 1200}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"thrown_balls",
                           "A cylinder, a sphere and a ball with backspin, thrown onto a plane."};
  using example::Rule;
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("speed", p.speed, "m/s", "of all at the start, down the slope", Rule::positive);
  program.option("spin", p.spin, "rad/s", "of the sphere at the start, negative for backspin");
  program.option("backspin", p.backspin, "rad/s", "the same of the ball with backspin");
  program.option("slope", p.slope, "rad", "inclination of the plane", Rule::not_negative);
  program.option("radius", p.radius, "m", "of all", Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("t-end", p.march.t_end, "s",
                 "end of the motion, 0 for 2 s, or longer where the sphere takes longer to roll",
                 Rule::not_negative);
  program.option("dt", p.march.dt, "s", "time step", Rule::positive);
  program.rule("slope", "must be less than a quarter of a turn",
               [&] { return p.slope < static_cast<double>(pi) / 2; });
  program.rule("dt", "must not vanish beside --t-end", [&] {
    const double end = p.march.t_end > 0 ? p.march.t_end : long_enough(p);
    return end + p.march.dt > end;
  });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
