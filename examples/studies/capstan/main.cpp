// A rod lies over a drum that turns under it: friction lets a small force hold a large one.
//
//   ./capstan --friction 0.3 --angle 3.14159            a thin cord             (the defaults: half a turn)
//   ./capstan --radius 0.005 --drum 0.05                a rod of a tenth of the drum's radius
//   ./capstan --bending 0.2 --tail 60                   a rod whose ends leave the drum in a curve
//
//          _.-'''-._        T: tension,  Q: transverse force,  n: pressure per angle θ,  r = R + a
//        .'  _...._ '.        dT/dθ = μn + Q       along the rod
//       /  .'      '. \       n = T + dQ/dθ        across it                                            (1)
//      |  |    R   ) | |      Q = −μna/r           moments: friction acts at the surface, a off the axis
//   T1 |  |    o ←-' | | T2   T ∝ exp(kθ),  α = a/R:
//      ↓   the drum    #      μαk² + (1 + α)k = μ,  k = 2μ/(1 + α + √((1 + α)² + 4μ²α))                 (2)
//                             which is Euler's and Eytelwein's μ where the rod is thin.
//
// The rod does not move: its end at T2 is clamped, the other is pulled by T1, and the drum slips under all of
// it. Of nodes that are an angle δ apart, elements on both sides of each being chords, (1) becomes
//   (T⁺ − T⁻) cos δ/2 = μN/(1 + α),  N = (T⁺ + T⁻) sin δ/2 + (Q⁺ − Q⁻) cos δ/2,  r(Q⁺ + Q⁻) sin δ/2 = −μNa
//   T⁺/T⁻ = (1 + k tan δ/2)/(1 − k tan δ/2)                                                               (3)
// with the same k: `ratio_exact` is (3) to the power of the nodes on the arc, `k` is (3) of the tensions and
// angles that are measured between a quarter and three quarters of the contact. A rod with a stiffness of
// bending lifts off near the ends of the contact, along some √(EI/T): this is what is left of the difference.
//
// A rod that resists bending (--bending) has the curvature 1/r on the drum, and its tails straighten over some
// √(EI/T), elasticas that turn by ψ from where the rod leaves the drum. So less of it lies there, and it pushes with
// a point force N at either end, the jump of Q, whose friction acts at the surface, too. With Q = −qT on the drum,
// q = μa/(r + kμa), and T1, T2 those of the tails far away:
//   N = T1(sin ψ1 − q cos ψ1)/(1 + μq),  T1(1 − cos ψ1) = ½EI(1/r + μaN/EI)²,  T⁺ = T1 cos ψ1 + μN
//   N = qT⁻ + T2 sin ψ2,                 T2(1 − cos ψ2) = ½EI(1/r − μaN/EI)²,  T⁻ = T2 cos ψ2 − μN
//   T⁻/T⁺ = (3) over the angle that is wrapped less ψ1 + ψ2                                               (4)
// `ratio_stiff`. A thin rod of EI = T1 r²/5 holds by 5 % less than a cord: of the fifth that it would lose by
// what it does not wrap, its point forces hold three quarters. The rod begins in this shape, since damping lets
// its tails move aside but slowly.
//
// What the rod is made of does not matter to (2), and follows from a and R: stiffness EA = 1000 T1 of stretch
// and shear, EI = T1(0.4a² + 1e-6 R²) of bending or --bending T1 r², 10 g/m, and the inertia of sections of
// radius R/20. It is cut shorter by its mean strain, so that nodes stay where they are, and damped, which costs
// nothing at rest.
//
// Steady slip of a rod with a > 0 flutters: the moment of friction on a section follows the pressure, and the
// pressure the transverse force that this moment makes. A rod of 5 mm on a drum of 5 cm loses half of its
// contacts by it (--spin-damping 0). Damping of the spins of sections ends it: about 1e5/s for this rod, more
// for a finer one, and twice the default where a > R/4. Neighbours may still be pressed unequally, since a
// shear that alternates from element to element bends nothing: their mean is that of (1), and `k` is taken of
// it.
// Sources: Euler 1769, Mém. Acad. Sci. Berlin 18, 265; Eytelwein 1808, Handbuch der Statik fester Körper; for
// rods that resist bending Stuart 1961, Br. J. Appl. Phys. 12, 559; Jung, Pan, Kang 2008, Mech. Mach. Theory
// 43, 661.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/csv_contacts.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/body.hpp>

#include "support/bisect.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.5;
/// Of the run, at its end: what is averaged.
constexpr double averaged_part = 0.2;

struct Arguments {
  double friction = 0.3, radius = 1e-5, drum = 1, angle = static_cast<double>(pi), speed = 5, pull = 1;
  double damping = 3, spin_damping = 17, t_end = 0, dt = 0, bending = 0;
  long nodes = 64, tail = 3;

  int on_arc() const { return static_cast<int>(nodes); }
  int straight() const { return static_cast<int>(tail); }
  int count() const { return on_arc() + 2 * straight(); }
  double delta() const { return angle / static_cast<double>(nodes); }
  double axis() const { return drum + radius; }
  double chord() const { return 2 * axis() * std::sin(delta() / 2); }
  /// k of equation (2).
  double k() const {
    const double alpha = radius / drum;
    return 2 * friction /
           (1 + alpha + std::sqrt((1 + alpha) * (1 + alpha) + 4 * friction * friction * alpha));
  }
  /// Equation (3) from an end of the arc on [1], over an angle [rad].
  double growth(double theta) const {
    const double q = k() * std::tan(delta() / 2);
    return std::pow((1 + q) / (1 - q), theta / delta());
  }
  double stretching() const { return 1000 * pull; }
  /// Of its own length without load [1].
  double mean_strain() const { return pull / stretching() * (1 + growth(angle)) / 2; }
  double spacing() const { return chord() / (1 + mean_strain()); }
  double mass() const { return 0.01; }
  /// Of waves that stretch it, over the radius of the drum [1/s].
  double rate() const { return std::sqrt(stretching() / mass()) / drum; }
  /// Of the spin of sections: the finer the nodes, the faster they would flutter [1/s].
  double spin_rate() const { return spin_damping * rate() * radius / chord(); }
  double bending_stiffness() const {
    return pull * (bending > 0 ? bending * axis() * axis() : 0.4 * radius * radius + 1e-6 * drum * drum);
  }
  /// When the run ends [s].
  double until() const { return t_end > 0 ? t_end : 200 * angle / rate(); }
};

/// Equation (4): how far the tails turn, and T2.
struct Wrap {
  double psi1 = 0, psi2 = 0, first, far;  ///< `first` is T⁺ of the end at T1

  explicit Wrap(const Arguments& p) : first(p.pull), far(p.pull * p.growth(p.angle)) {
    if (p.bending == 0) return;
    const double B = p.bending_stiffness(), r = p.axis(), a = p.radius, mu = p.friction,
                 q = mu * a / (r + p.k() * mu * a);
    const auto bent = [&](double tension, double psi, double friction) {  // what a tail is bent too much
      const double curvature = std::max(1 / r + a * friction / B, 0.0);
      return tension * (1 - std::cos(psi)) - B / 2 * curvature * curvature;
    };
    const auto force = [&](double psi) {
      return p.pull * (std::sin(psi) - q * std::cos(psi)) / (1 + mu * q);
    };
    psi1 = example::bisect([&](double psi) { return bent(p.pull, psi, mu * force(psi)); }, 0, 1, 1e-3);
    first = p.pull * std::cos(psi1) + mu * force(psi1);
    const auto last = [&](double psi) { return first * p.growth(p.angle - psi1 - psi); };
    const auto beyond = [&](double psi) {
      return last(psi) * (1 + mu * q) / (std::cos(psi) - mu * std::sin(psi));
    };
    const auto bent2 = [&](double psi) {
      return bent(beyond(psi), psi, -mu * (q * last(psi) + beyond(psi) * std::sin(psi)));
    };
    psi2 = example::bisect(bent2, 0, 1, 1e-3);
    far = beyond(psi2);
  }
  /// The tension where the axis has turned by an angle from the direction of the tail at T1 [N].
  double tension(const Arguments& p, double turned) const {
    const double end = p.angle - psi2;
    if (turned < psi1) return p.pull * std::cos(turned);
    return turned > end ? far * std::cos(p.angle - turned) : first * p.growth(turned - psi1);
  }
  /// The direction of the axis where its length would wrap this angle, or that of the tail there [rad].
  double direction(const Arguments& p, double theta) const {
    const auto left = [&](double psi, double beyond,
                          double tension) {  // of an elastica that becomes straight
      const double lengths = beyond * p.axis() / std::sqrt(p.bending_stiffness() / tension);
      return 4 * std::atan(std::tan(psi / 4) * std::exp(-lengths));
    };
    if (theta < psi1) return left(psi1, psi1 - theta, p.pull);
    const double end = p.angle - psi2;
    return theta > end ? p.angle - left(psi2, theta - end, far) : theta;
  }
};

/// A section at whose size nothing but its stiffness matters.
struct Cord {
  double stretching, bending, mass, rotary;

  Vec<double, 6> stiffness_diagonal() const {
    Vec<double, 6> d;
    d << stretching, stretching, stretching, bending, bending, bending;
    return d;
  }
  rod::SectionInertia<> inertia() const { return {.mass = mass, .rotary = {rotary, rotary, 2 * rotary}}; }
};

/// A moment against the spin of each section, `rate` times its angular momentum.
struct SpinDamping {
  double rate;  ///< [1/s]

  template <class B>
  void add(const B& rod, const assembly::Chain<>& x, double, rod::Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < x.nodes; ++k)
      for (int i = 0; i < 3; ++i) f(k, 3 + i) -= rate * node_inertia(rod, k).rotary[i] * x.velocity(k, 3 + i);
  }
  template <class B>
  double dissipation(const B& rod, const assembly::Chain<>& x, double) const {
    double power = 0;
    for (Eigen::Index k = 0; k < x.nodes; ++k)
      for (int i = 0; i < 3; ++i)
        power -= rate * node_inertia(rod, k).rotary[i] * x.velocity(k, 3 + i) * x.velocity(k, 3 + i);
    return power;
  }
};

using Body = assembly::WithLoad<Rod, SpinDamping>;
using Problem = assembly::Assembly<assembly::Kinds<Body>, contact::WithTouching<double>>;
using State = Problem::State;
using Touches = std::vector<contact::TouchReport<double>>;

/// Of the drum, at an angle.
Vec3 outward(double phi) { return {-std::cos(phi), 0, std::sin(phi)}; }
Vec3 along(double phi) { return {std::sin(phi), 0, std::cos(phi)}; }

Body make_body(const Arguments& p) {
  const Cord cord{.stretching = p.stretching(),
                  .bending = p.bending_stiffness(),
                  .mass = p.mass(),
                  .rotary = p.mass() * p.drum * p.drum / 1600};
  Rod::Parameters parameters{.elements = p.count() - 1, .length = p.spacing() * (p.count() - 1)};
  parameters.finish = rod::Boundary<>::clamped();
  parameters.loads.start.force = -p.pull * along(0);
  parameters.damping.rate = p.damping * p.rate();
  return Body{Rod(cord, parameters), SpinDamping{p.spin_rate()}};
}

Problem make_problem(const Arguments& p) {
  contact::Drum<> drum;
  drum.surface.radius = p.drum;
  drum.surface.axis = {0, 1, 0};
  drum.angular_velocity = {0, -p.speed / p.drum, 0};
  contact::Touching<> what;
  what.friction = p.friction;
  what.drums.push_back(drum);
  what.radii.push_back(p.radius);
  return Problem{std::vector{make_body(p)}, what};
}

/// At rest, its nodes on the drum and on the tails that leave it.
State start(const Problem& problem, const Arguments& p) {
  const Wrap wrap(p);
  assembly::Chain<> chain(p.count());
  const auto theta = [&](double node) { return (node - p.straight() + 0.5) * p.delta(); };
  const auto put = [&](int i, const Vec3& at) {
    const rod::Straight<> straight{.direction = along(wrap.direction(p, theta(i))), .normal = {0, 1, 0}};
    chain.set_frame(i, straight.frame(), at);
  };
  const auto chord = [&](double middle) -> Vec3 {
    return p.chord() * along(wrap.direction(p, theta(middle)));
  };
  const int middle = p.count() / 2;
  put(middle, p.axis() * outward(theta(middle)));
  for (int i = middle; i + 1 < p.count(); ++i) put(i + 1, chain.position(i) + chord(i + 0.5));
  for (int i = middle; i > 0; --i) put(i - 1, chain.position(i) - chord(i - 0.5));
  return problem.state({chain});
}

Vec3 element(const State& x, int e) { return x[0].position(e + 1) - x[0].position(e); }
double tension(const Arguments& p, const State& x, int e) {
  return p.stretching() * (element(x, e).norm() / p.spacing() - 1);
}
/// From the direction of one element to that of the next [rad].
double turn(const State& x, int e) {
  const Vec3 a = element(x, e), b = element(x, e + 1);
  return std::atan2(a.cross(b).norm(), a.dot(b));
}
/// k of equation (3) from one element to another.
double k_between(const Arguments& p, const State& x, int from, int to) {
  double angle = 0;
  for (int e = from; e < to; ++e) angle += turn(x, e);
  const double each = 2.0 * (to - from);
  return std::tanh(std::log(tension(p, x, to) / tension(p, x, from)) / each) / std::tan(angle / each);
}
/// The same between a quarter and three quarters of the arc: the mean of two stretches that begin at neighbours, of which one gains
/// what the other loses where every other node is pressed more.
double measured_k(const Arguments& p, const State& x) {
  const int from = p.straight() + p.on_arc() / 4, to = p.straight() + 3 * p.on_arc() / 4;
  return (k_between(p, x, from, to) + k_between(p, x, from + 1, to + 1)) / 2;
}

/// What the page of a run shows: the rod on the drum, the pulls at its ends, and how its tension settles.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene),
        rod_(scene.tube("rod", std::max(p.radius, p.drum / 100), {.colour = 1})),
        drum_(scene.body("drum", {io::cylinder(p.drum, p.drum).with_stripes()}, {.colour = 4})),
        pulls_{scene.point("T1", {.colour = 3, .radius = p.drum / 50, .arrow = "tension", .unit = "N"}),
               scene.point("T2", {.colour = 3, .radius = p.drum / 50, .arrow = "tension", .unit = "N"})},
        contacts_(
            scene.contacts("contacts", {.radius = p.drum / 100, .arrow = "contact force", .unit = "N"})),
        ratio_(scene.panel("T2/T1", "1", {"measured", "exact"})),
        k_(scene.panel("k between a quarter and three quarters of the contact", "1", {"measured", "exact"})),
        nodes_(scene.panel("nodes that touch", "1", {"touch", "slip"})),
        exact_(Wrap(p).far / p.pull) {}

  void operator()(const Arguments& p, const State& x, double ratio, double k, const Touches& touches) {
    const io::ContactCount count = io::count_contacts(touches);
    scene_->row(ratio_, x.time, {ratio, exact_});
    scene_->row(k_, x.time, {k, p.k()});
    scene_->row(nodes_, x.time, {static_cast<double>(count.all), static_cast<double>(count.slipping)});
    if (!scene_->frame(x.time)) return;
    const SO3<double> lying = SO3<double>::exp(Vec3(-static_cast<double>(pi) / 2, 0, 0));
    scene_->put(drum_, SO3<double>::exp(Vec3(0, -p.speed / p.drum * x.time, 0)) * lying, Vec3::Zero());
    scene_->put(rod_, x[0]);
    scene_->put(contacts_, touches);
    const int last = p.count() - 1;
    scene_->put(pulls_[0], x[0].position(0), -tension(p, x, 0) * element(x, 0).normalized());
    scene_->put(pulls_[1], x[0].position(last), tension(p, x, last - 1) * element(x, last - 1).normalized());
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube rod_;
  io::Scene::Body drum_;
  io::Scene::Point pulls_[2];
  io::Scene::Contacts contacts_;
  io::Scene::PanelId ratio_, k_, nodes_;
  double exact_;
};

/// A mean and the range of what it is of.
struct Mean {
  double sum = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  int count = 0;

  void add(double x) {
    sum += x;
    least = std::min(least, x);
    most = std::max(most, x);
    ++count;
  }
  double value() const { return sum / count; }
};

/// The rod at the end, an element or a node a row.
void write_profile(const example::Run& run, const Arguments& p, const Problem& problem, const State& x) {
  io::CsvWriter csv(
      run.out / "tension.csv",
      example::columns("angle [rad], tension [N], tension_exact [N], pressure [N], slip [m/s]"));
  std::vector<double> pressure(static_cast<std::size_t>(p.count())), slip(pressure.size());
  for (const auto& t : contact::touches(problem, x)) {
    pressure[static_cast<std::size_t>(t.node)] = t.pressure();
    slip[static_cast<std::size_t>(t.node)] = t.slip.norm();
  }
  const Wrap wrap(p);
  double angle = 0;
  for (int e = 0; e + 1 < p.count(); ++e) {
    const auto node = static_cast<std::size_t>(e) + 1;  // the one at its end
    csv.row({angle, tension(p, x, e), wrap.tension(p, std::clamp(angle, 0.0, p.angle)), pressure[node],
             slip[node]});
    if (e + 2 < p.count()) angle += turn(x, e);
  }
  csv.close();
}

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  State state = start(problem, p);
  const double end = p.until();
  run.view.planned = end;
  io::CsvWriter csv(run.out / "settling.csv", example::columns("t [s], T1 [N], T2 [N], ratio [1], k [1]"));
  io::ContactTable contacts(run.out / "contacts.csv");
  View view(run.scene, p);
  Mean ratios, ks;
  const auto watch = [&](const Problem& now, const State& x) {
    const double t1 = tension(p, x, 0), t2 = tension(p, x, p.count() - 2), k = measured_k(p, x);
    const Touches touches = contact::touches(now, x);
    csv.row({x.time, t1, t2, t2 / t1, k});
    contacts.row(x.time, touches);
    view(p, x, t2 / t1, k, touches);
    if (x.time < (1 - averaged_part) * end) return;
    ratios.add(t2 / t1);
    ks.add(k);
  };
  const auto report = drive(Verlet{}, problem, state,
                            {.step = example::step(p.dt, stable_part, Verlet{}, problem, state),
                             .until = end,
                             .output_interval = end / 400,
                             .progress = example::progress_line()},
                            watch);
  csv.close();
  contacts.close();
  write_profile(run, p, problem, state);

  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("ratio", ratios.value(), "1", "T2/T1, mean over the last fifth of the run");
  out.figure("ratio_exact", p.growth(p.angle), "1", "by equation (3)");
  if (p.bending > 0)
    out.figure("ratio_stiff", Wrap(p).far / p.pull, "1",
               "by equation (4), of a rod that bends over its tails, too");
  out.figure("ratio_spread", ratios.most - ratios.least, "1", "how far it moves in that time");
  out.figure("k", ks.value(), "1", "growth of the tension per angle in the middle of the contact, likewise");
  out.figure("k_exact", p.k(), "1", "by equation (2)");
  out.figure("k_spread", ks.most - ks.least, "1", "how far it moves in that time");
  out.figure("ratio_thin", std::exp(p.friction * p.angle), "1", "of a thin cord that bends everywhere");
  out.print();
  example::Variables given;
  given("angle", p.angle)("pull", p.pull)("friction", p.friction)("k", p.k())("bending", p.bending);
  example::draw(run, {"tension", 1600, 1100}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"capstan", "A rod over a turning drum: how friction lets its tension grow."};
  using example::Rule;
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("radius", p.radius, "m", "radius of the rod", Rule::positive);
  program.option("drum", p.drum, "m", "radius of the drum", Rule::positive);
  program.option("angle", p.angle, "rad", "that the rod is wrapped around it", Rule::positive);
  program.option("nodes", p.nodes, "nodes of the rod on the drum", 8);
  program.option(
      "bending", p.bending, "1",
      "stiffness of bending over T1 and the square of the radius to the axis of the rod, 0 for one "
      "that hardly resists it",
      Rule::not_negative);
  program.option("tail", p.tail, "straight elements on either side of the drum", 3);
  program.option("speed", p.speed, "m/s", "of the surface of the drum", Rule::positive);
  program.option("pull", p.pull, "N", "tension T1 at the end that is pulled", Rule::positive);
  program.option("damping", p.damping, "1",
                 "of all that moves, times the speed of stretching waves over --drum", Rule::not_negative);
  program.option("spin-damping", p.spin_damping, "1",
                 "of the spin of sections, times that speed, --radius over --drum and the distance of nodes",
                 Rule::not_negative);
  program.option("t-end", p.t_end, "s",
                 "end of the run, 0 for the time that a stretching wave takes for two hundred times the arc",
                 Rule::not_negative);
  program.stable_step("dt", p.dt, stable_part);
  program.rule("friction", "lets the tension grow more than twentyfold over --angle, which strains the rod",
               [&] { return p.friction * p.angle <= 3; });
  program.rule("nodes", "must leave less than a quarter of a turn between them",
               [&] { return p.delta() < static_cast<double>(pi) / 2; });
  program.rule("nodes", "must be less than a million", [&] { return p.nodes < 1'000'000; });
  program.rule("radius", "must not be larger than --drum", [&] { return p.radius <= p.drum; });
  program.rule("bending", "must be less than a half", [&] { return p.bending < 0.5; });
  program.rule("bending", "is so small beside --radius that friction lifts the rod off",
               [&] { return p.bending == 0 || std::sqrt(p.bending) > 2 * p.friction * p.radius / p.drum; });
  program.rule("tail", "must be at least four times as long as what a tail straightens over", [&] {
    return p.bending == 0 || static_cast<double>(p.tail) * p.delta() > 4 * std::sqrt(p.bending);
  });
  program.rule("angle", "must be more than twice what the tails turn by", [&] {
    const Wrap wrap(p);
    return p.angle > 2 * (wrap.psi1 + wrap.psi2);
  });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
