// An elastic bar falls upright onto a wall and bounces, as published for comparing contact algorithms.
//
//   ./bouncing_bar --elements 400 --drop 5             (the defaults: two contacts, and back to where it was)
//
//     | |  length L, modulus E, density ρ, c = √(E/ρ)
//     | |  ↓ g        it falls by h and lands at t₀ = √(2h/g) with v₀ = gt₀
//     |_|             ρü = Eu'' − ρg,   gap u(0, t) ≥ 0,   force F ≥ 0,   F u(0, t) = 0                  (1)
//      ↕ gap          a wave runs to the free end and back: T = 2L/c
//   ///////// wall
//
// Seen from a frame that goes on falling freely at t₀, with τ = t − t₀, the wall rises by w = v₀τ + gτ²/2 and
// the bar moves by waves that its free end reflects, u(x) = f(τ − x/c) + f(τ − T + x/c). So at its foot
//   f(τ) = w(τ) − f(τ − T)    while it touches,     f'(τ) = f'(τ − T)    while it does not                (2)
//   F = ρc(f'(τ) − f'(τ − T)) per area,   centre of mass = (2/T) ∫ f from τ − T to τ, less w
// which is marched here in 4000 steps a T: it is exact where f is linear, and gives `centre_exact`. As
// published, L = 10, E = 900, ρ = 1, g = 10, h = 5: the bar touches for T = 2/3 from 1 and from 11/3. Between
// them it vibrates and is lower by gT²/6, and the second contact ends that: at 16/3 it is at rest at h again.
//
// The foot lands within a step, and its velocity is lost with the mass of half an element: about E₀/(2N) at
// the first landing, less at the second. Where in the step it lands moves `centre` by 5e-4, and its distance
// from 5 falls as N^-0.7. A contact lasts longer than T where the weight matters, as for h = 0.1.
// Source: Doyen, Ern, Piperno 2011, SIAM J. Sci. Comput. 33, 223.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/csv_contacts.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/section.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>, contact::WithTouching<double>>;
using State = Problem::State;
using Touches = std::vector<contact::TouchReport<double>>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.9;
/// Of the bar [m^2].
constexpr double area = 1;

struct Arguments {
  double length = 10, young = 900, density = 1, gravity = 10, drop = 5;
  long elements = 400;
  example::March march{.t_end = 5.3333333, .dt = 0};

  double wave_speed() const { return std::sqrt(young / density); }
  /// T [s].
  double wave_time() const { return 2 * length / wave_speed(); }
  double landing() const { return std::sqrt(2 * drop / gravity); }
  double mass() const { return density * area * length; }
  /// The nodes are balls; of what radius does not matter [m].
  double ball() const { return length / 100; }
  /// Below which a gap is rounding [m].
  double rounding() const { return 1e-12 * (length + drop); }
};

Problem make_problem(const Arguments& p) {
  const rod::CircularSection<> section({.radius = std::sqrt(area / static_cast<double>(pi)),
                                        .young = p.young,
                                        .poisson = 0,
                                        .density = p.density});
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.length,
      .inertia = section.inertia()};
  parameters.loads.gravity = {0, 0, -p.gravity};
  const Rod rod(rod::LinearElastic<>(section.stiffness_diagonal()), parameters);
  contact::Touching<> what;
  what.planes.emplace_back();
  what.radii.push_back(p.ball());
  return Problem{std::vector{rod}, what};
}

/// When the foot touches, by the steps at whose ends it does.
class Contacts {
 public:
  void operator()(double time, bool touches) {
    if (touches && !inside_) times_.push_back(0), from_ = time;
    if (!touches && inside_) times_.back() = time - from_;
    inside_ = touches;
  }
  /// Those that have ended [s].
  std::vector<double> ended() const {
    std::vector<double> all = times_;
    if (inside_) all.pop_back();
    return all;
  }
  std::size_t begun() const { return times_.size(); }

 private:
  std::vector<double> times_{};
  double from_ = 0;
  bool inside_ = false;
};

/// Equation (2), and what follows from it at any time.
class Waves {
 public:
  explicit Waves(const Arguments& p) : p_(p), step_(p.wave_time() / steps) {
    const double end = p.march.t_end - p.landing();
    if (!(end > 0)) return;
    const auto count = static_cast<std::size_t>(std::ceil(end / step_)) + 2;
    f_.reserve(count);
    sum_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      const double free = k == 0 ? 0 : at(k - 1) + before(k) - (k > steps ? at(k - 1 - steps) : 0);
      const double held = wall(static_cast<double>(k) * step_) - before(k);
      f_.push_back(std::max(free, held));
      contacts_(p.landing() + static_cast<double>(k) * step_, held >= free);
      sum_.push_back(k == 0 ? 0 : sum_.back() + step_ * (f_[k - 1] + f_[k]) / 2);
    }
  }

  /// How long the foot touches, each time that ends [s].
  std::vector<double> contact_times() const { return contacts_.ended(); }
  /// Between the foot and the wall [m].
  double gap(double t) const {
    const double tau = t - p_.landing();
    if (tau <= 0) return p_.drop - p_.gravity * t * t / 2;
    return value(f_, tau) + value(f_, tau - p_.wave_time()) - wall(tau);
  }
  /// Of the centre of mass above that of the bar that stands on the wall without its weight [m].
  double centre(double t) const {
    const double tau = t - p_.landing(), T = p_.wave_time();
    if (tau <= 0) return p_.drop - p_.gravity * t * t / 2;
    return 2 / T * (value(sum_, tau) - value(sum_, tau - T)) - wall(tau);
  }
  /// Of the wall on the bar [N].
  double force(double t) const {
    const double tau = t - p_.landing();
    if (tau <= 0) return 0;
    const double d = step_ / 2, T = p_.wave_time(), to = std::max(tau, d);
    const double slope =
        (value(f_, to + d) - value(f_, to - d) - value(f_, to - T + d) + value(f_, to - T - d));
    return std::max(0.0, p_.density * p_.wave_speed() * area * slope / step_);
  }

 private:
  static constexpr std::size_t steps = 4000;

  double at(std::size_t k) const { return f_[k]; }
  /// f(τ − T).
  double before(std::size_t k) const { return k >= steps ? f_[k - steps] : 0; }
  double wall(double tau) const { return (p_.gravity * p_.landing() + p_.gravity * tau / 2) * tau; }
  double value(const std::vector<double>& y, double tau) const {
    if (tau <= 0) return 0;
    const double place = tau / step_;
    const std::size_t k = std::min(static_cast<std::size_t>(place), y.size() - 2);
    return y[k] + (place - static_cast<double>(k)) * (y[k + 1] - y[k]);
  }

  Arguments p_;
  double step_;
  std::vector<double> f_{}, sum_{};
  Contacts contacts_{};
};

/// Of all contacts [N].
double pressure(const Touches& touches) {
  double sum = 0;
  for (const auto& t : touches) sum += t.pressure();
  return sum;
}

/// What the page of a run shows: the bar over the wall with the force at its foot, gaps, forces, energies.
class View {
 public:
  View(io::Scene& scene)
      : scene_(&scene),
        bar_(scene.tube("bar", std::sqrt(area / static_cast<double>(pi)), {.colour = 1})),
        foot_(scene.point("foot", {.colour = 3})),
        contacts_(scene.contacts("contacts", {.arrow = "force on the bar", .unit = "N"})),
        heights_(scene.panel("height", "m", {"gap", "gap, exact", "centre of mass", "centre, exact"})),
        force_(scene.panel("force on the bar", "N", {"computed", "exact"})),
        energy_(scene.panel("energy that contacts have taken", "J", {"energy"})) {
    scene.plane("wall", {0, 0, 0}, {0, 0, 1});
  }

  void operator()(const State& x, const Waves& exact, double gap, double centre, double energy,
                  const Touches& touches) {
    scene_->row(heights_, x.time, {gap, exact.gap(x.time), centre, exact.centre(x.time)});
    scene_->row(force_, x.time, {pressure(touches), exact.force(x.time)});
    scene_->row(energy_, x.time, {energy});
    if (!scene_->frame(x.time)) return;
    scene_->put(bar_, x[0]);
    scene_->put(foot_, x[0].position(0));
    scene_->put(contacts_, touches);
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube bar_;
  io::Scene::Point foot_;
  io::Scene::Contacts contacts_;
  io::Scene::PanelId heights_, force_, energy_;
};

void simulate(Arguments p, example::Run& run) {
  const Problem problem = make_problem(p);
  const Rod& rod = problem.bodies<0>()[0];
  State state =
      problem.state({rod.straight(Vec3(0, 0, p.ball() + p.drop), rod::Straight<>{.direction = {0, 0, 1}})});
  p.march.dt = example::step(p.march.dt, stable_part, Verlet{}, problem, state);
  const auto centre = [&](const State& x) {
    double sum = 0;
    const Eigen::Index last = x[0].nodes - 1;
    for (Eigen::Index k = 0; k <= last; ++k) sum += (k == 0 || k == last ? 0.5 : 1) * x[0].position(k)[2];
    return sum / static_cast<double>(last) - p.ball() - p.length / 2;
  };

  const Waves exact(p);
  example::Table table(
      run.out / "bar.csv",
      "t [s], gap [m], gap_exact [m], centre [m], centre_exact [m], force [N], force_exact [N], "
      "energy [J]",
      p.march);
  io::ContactTable contact_table(run.out / "contacts.csv");
  View view(run.scene);
  Contacts contacts;
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  double deepest = 0;
  const auto report = drive(
      Verlet{}, problem, state,
      {.step = p.march.dt, .until = p.march.t_end, .progress = example::progress_line()}, monitor,
      [&](const Problem& now, const State& x) {
        const double gap = x[0].position(0)[2] - p.ball(), t = x.time;
        deepest = std::min(deepest, gap);
        contacts(t, gap <= p.rounding());
        if (!table.due(t)) return;
        const Touches touches = contact::touches(now, x);
        const double taken = -monitor.contacts().sum(), height = centre(x);
        table.row(t, gap, exact.gap(t), height, exact.centre(t), pressure(touches), exact.force(t), taken);
        contact_table.row(t, touches);
        view(x, exact, gap, height, taken, touches);
      });
  table.close();
  contact_table.close();

  const double weight = p.mass() * p.gravity * p.drop;
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("centre", centre(state), "m", "height of the centre of mass at the end, above that on the wall");
  out.figure("centre_exact", exact.centre(state.time), "m", "by equation (2)");
  out.list("contact_times", contacts.ended(), "s", "how long it touched, each time that ended");
  out.list("contact_times_exact", exact.contact_times(), "s", "by equation (2)");
  out.figure("wave_time", p.wave_time(), "s", "of a wave to the free end and back");
  out.figure("episodes", static_cast<double>(contacts.begun()), "1", "how often it touched");
  out.figure("loss", (monitor.entries().front().energy - monitor.last().energy) / weight, "1",
             "energy that is lost, over that of the fall");
  out.figure("loss_in_contacts", std::abs(monitor.contacts().sum()) / weight, "1",
             "the same as contacts have it");
  out.figure("overlap", std::abs(deepest), "m", "how deep it was in the wall at most");
  out.print();
  example::draw(run, {"bar", 1600, 1300}, example::Variables{}("T", p.march.t_end));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"bouncing_bar", "An elastic bar that falls onto a wall and bounces."};
  using example::Rule;
  program.option("length", p.length, "m", "length of the bar", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("drop", p.drop, "m", "height of its foot at the start", Rule::positive);
  program.option("elements", p.elements, "elements of the bar", 2);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.rule("drop", "lands the bar faster than half its speed of sound, which crushes it",
               [&] { return p.gravity * p.landing() <= 0.5 * p.wave_speed(); });
  program.rule("t-end", "must be less than ten thousand contact times",
               [&] { return p.march.t_end < 1e4 * p.wave_time(); });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
