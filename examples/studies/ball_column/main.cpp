// Balls are dropped into columns on a plane, free or in a shaft, and come to rest: each contact then bears all
// balls above it.
//
//   ./ball_column --balls 20                                  (the defaults)
//   ./ball_column --drop 0                                    at rest from the start
//   ./ball_column --balls 6 --shaft 0.005 --offset 0.005      in zigzag between walls, which bear a part
//
//      ( )  ball n      at the start there is a free space `drop` beneath each ball
//      ( )
//       :               at rest the i-th contact from above bears   F = i m g                            (1)
//      ( )  ball 1      exactly: no penetration, no slip, no creep
//   ─────────── plane
//
// A tall column is what solvers that go from contact to contact are slow on, the number of their sweeps growing
// with n², and what springs in the place of contacts let sink. Here all contacts that hang together are one
// cone problem, solved to rounding; it is dense, so columns of a hundred balls take long. Balls that stand
// exactly on each other do not tip over, an `offset` to the left and right in turn makes a free column fall.
// A shaft is four walls about all columns, `shaft` away from their balls. Where balls of several columns wedge
// each other between walls the cone problem may not converge: the run then ends with `NoConvergence`.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
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
  double friction = 0.5, restitution = 0.5, drop = 0.02, radius = 0.05, mass = 1, gravity = 9.81;
  double shaft = 0, offset = 0;
  long balls = 20, columns = 1;
  example::March march{.t_end = 1, .dt = 1e-3};

  std::size_t high() const { return static_cast<std::size_t>(balls); }
  std::size_t count() const { return high() * static_cast<std::size_t>(columns); }
  double spacing() const { return shaft > 0 ? 2 * (radius + shaft) : 3 * radius; }
  /// Of a column's axis.
  double axis(std::size_t column) const {
    return spacing() * (static_cast<double>(column) - static_cast<double>(columns - 1) / 2);
  }
  /// Of a ball, from the lowest one of its column on.
  Vec3 place(std::size_t column, std::size_t i) const {
    const double rise = 2 * std::sqrt(radius * radius - offset * offset) + drop;
    const double aside = i % 2 == 0 ? offset : -offset;
    return {axis(column) + aside, 0, radius + drop + static_cast<double>(i) * rise};
  }
  /// Below which a ball is at rest [m/s].
  double still() const { return 1e-8 * std::sqrt(gravity * radius); }
  /// Whether (1) holds at rest.
  bool straight() const { return offset == 0; }
};

assembly::RigidBody<> make_ball(const Arguments& p) {
  const double j = 0.4 * p.mass * p.radius * p.radius;
  return assembly::RigidBody<>{{.mass = p.mass, .inertia = {j, j, j}, .gravity = {0, 0, -p.gravity}}};
}

contact::Plane<> plane(const Vec3& point, const Vec3& normal) {
  contact::Plane<> one;
  one.point = point;
  one.normal = normal;
  return one;
}

Problem make_problem(const Arguments& p) {
  const auto all = assembly::bodies(std::vector(p.count(), make_ball(p)));
  const auto [balls] = all.handles();
  contact::Touching<> what;
  what.friction = p.friction;
  what.restitution = p.restitution;
  what.planes.push_back(plane(Vec3::Zero(), {0, 0, 1}));
  if (p.shaft > 0)
    for (const double side : {-1.0, 1.0}) {
      const double away = p.radius + p.shaft, end = p.axis(static_cast<std::size_t>(p.columns) - 1);
      what.planes.push_back(plane({side * (end + away), 0, 0}, {-side, 0, 0}));
      what.planes.push_back(plane({0, side * away, 0}, {0, -side, 0}));
    }
  for (const auto& ball : balls) what.balls.push_back({assembly::frame(ball), p.radius});
  return Problem{all, what};
}

/// How many balls of its column a contact bears, if it is one within a column or under it.
std::optional<double> borne(const Arguments& p, const contact::TouchReport<double>& t) {
  const std::size_t n = p.high();
  if (t.other == contact::TouchingSurface::plane(0)) return static_cast<double>(n - t.body % n);
  if (t.other.kind != contact::TouchingSurface::Kind::body) return {};
  const std::size_t low = std::min(t.body, t.other.number), top = std::max(t.body, t.other.number);
  if (top - low != 1 || top % n == 0) return {};
  return static_cast<double>(n - top % n);
}

/// Speeds and places of the balls: one is at rest that neither moves nor has come from elsewhere in the last step.
class Rest {
 public:
  explicit Rest(const Arguments& p) : p_(p) {}
  void look(const State& x) {
    fastest_ = 0;
    last_.resize(p_.count(), Vec3::Zero());
    for (std::size_t i = 0; i < p_.count(); ++i) {
      const double moved = (x[i].position(0) - std::exchange(last_[i], x[i].position(0))).norm();
      fastest_ = std::max({fastest_, Vec3(x[i].linear_velocity(0)).norm(),
                           p_.radius * Vec3(x[i].angular_velocity(0)).norm(),
                           x.time > 0 ? moved / p_.march.dt : 0.0});
    }
    if (fastest_ > p_.still() || !from_) {
      from_.reset();
      places_.clear();
      for (std::size_t i = 0; i < p_.count(); ++i) places_.push_back(x[i].position(0));
      creep_ = 0;
    }
    if (fastest_ > p_.still()) return;
    if (!from_) from_ = x.time;
    for (std::size_t i = 0; i < p_.count(); ++i)
      creep_ = std::max(creep_, (Vec3(x[i].position(0)) - places_[i]).norm());
  }
  double fastest() const { return fastest_; }
  /// Absent while something moves [s].
  std::optional<double> from() const { return from_; }
  /// How far a ball has come since then [m].
  double creep() const { return creep_; }

 private:
  const Arguments& p_;
  double fastest_ = 0, creep_ = 0;
  std::optional<double> from_{};
  std::vector<Vec3> places_{}, last_{};
};

double weight(const Arguments& p) { return static_cast<double>(p.count()) * p.mass * p.gravity; }
/// Of all contacts with the plane [N].
double base_force(const Touches& touches) {
  double sum = 0;
  for (const auto& t : touches)
    if (t.other == contact::TouchingSurface::plane(0)) sum += t.pressure();
  return sum;
}

/// What the page of a run shows: the balls on their plane, the forces between them, and how they come to rest.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene),
        contacts_(
            scene.contacts("contacts", {.radius = p.radius / 8, .arrow = "contact force", .unit = "N"})),
        force_(scene.panel("force on the plane", "N", {"force", "weight"})),
        speed_(scene.panel("fastest ball", "m/s", {"speed"}, true)),
        count_(scene.panel("contacts", "1", {"sticking", "slipping"})) {
    for (std::size_t i = 0; i < p.count(); ++i)
      balls_.push_back(scene.body("ball " + std::to_string(i + 1), {io::ball(p.radius).with_stripes()},
                                  {.colour = i % p.high() % 2 == 0 ? 0 : 5}));
    scene.plane("plane", {0, 0, 0}, {0, 0, 1});
  }

  void operator()(const Arguments& p, const State& x, const Touches& touches, double fastest) {
    const io::ContactCount count = io::count_contacts(touches);
    scene_->row(force_, x.time, {base_force(touches), weight(p)});
    scene_->row(speed_, x.time, {fastest});
    scene_->row(count_, x.time, {static_cast<double>(count.sticking), static_cast<double>(count.slipping)});
    if (!scene_->frame(x.time)) return;
    for (std::size_t i = 0; i < balls_.size(); ++i)
      scene_->put(balls_[i], x[i].rotation(0), x[i].position(0));
    scene_->put(contacts_, touches);
  }

 private:
  io::Scene* scene_;
  std::vector<io::Scene::Body> balls_{};
  io::Scene::Contacts contacts_;
  io::Scene::PanelId force_, speed_, count_;
};

/// The contacts of columns at the end; returns the largest relative error of (1).
double write_forces(const example::Run& run, const Arguments& p, const Touches& touches) {
  io::CsvWriter csv(run.out / "forces.csv",
                    example::columns("column [1], borne [1], height [m], force [N], force_exact [N]"));
  double worst = 0;
  for (const auto& t : touches) {
    const auto above = borne(p, t);
    if (!above) continue;
    const double exact = *above * p.mass * p.gravity;
    const auto column = t.body / p.high() + 1;
    csv.row({static_cast<double>(column), *above, t.point[2], t.pressure(), exact});
    worst = std::max(worst, std::abs(t.pressure() / exact - 1));
  }
  csv.close();
  return worst;
}

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  const auto ball = make_ball(p);
  std::vector<rod::Chain<double>> chains;
  for (std::size_t i = 0; i < p.count(); ++i) chains.push_back(ball.at(p.place(i / p.high(), i % p.high())));
  State state = problem.state(chains);
  run.view.planned = p.march.t_end;

  std::string names = "t [s], plane [N], weight [N], fastest [m/s]";
  for (std::size_t i = 1; i <= p.high(); ++i) names += ", z" + std::to_string(i) + " [m]";
  example::Table table(run.out / "column.csv", names, p.march);
  io::ContactTable contacts(run.out / "contacts.csv");
  View view(run.scene, p);
  Rest rest(p);
  ContactWorks<double> works;
  using Clock = std::chrono::steady_clock;
  double penetration = 0, looking = 0;
  long steps = -1;
  Touches touches;
  const auto watch = [&](const Problem& now, const State& x, const auto& report) {
    const auto began = Clock::now();
    ++steps;
    rest.look(x);
    works += report.works;
    const bool due = table.due(x.time), end = x.time >= p.march.t_end;
    if (due || end) touches = contact::touches(now, x);
    for (const auto& t : touches) penetration = std::max(penetration, -t.gap);
    if (due) {
      std::vector<double> heights;
      for (std::size_t i = 0; i < p.high(); ++i) heights.push_back(x[i].position(0)[2]);
      table.row(x.time, base_force(touches), weight(p), rest.fastest(),
                Eigen::Map<const Vec<double, Eigen::Dynamic>>(heights.data(), p.balls));
      contacts.row(x.time, touches);
      view(p, x, touches, rest.fastest());
    }
    looking += std::chrono::duration<double>(Clock::now() - began).count();
  };
  const auto began = Clock::now();
  drive(Verlet{}, problem, state,
        {.step = p.march.dt, .until = p.march.t_end, .progress = example::progress_line()}, watch);
  const double driving = std::chrono::duration<double>(Clock::now() - began).count();
  table.close();
  contacts.close();
  const double error = write_forces(run, p, touches);
  double slip = 0;
  for (const auto& t : touches) slip = std::max(slip, t.slip.norm());

  example::Summary& out = run.summary;
  out.final_state(state, steps);
  out.truth("rests", rest.from().has_value(), "whether all balls are at rest at the end");
  if (rest.from()) out.figure("rests_from", *rest.from(), "s", "since when");
  if (p.straight() && rest.from())
    out.figure("force_error", error, "1", "of contact forces against i m g, the largest, relative");
  out.figure("plane_force", base_force(touches), "N", "on the plane at the end");
  out.figure("weight", weight(p), "N", "of all balls");
  out.figure("contacts", static_cast<double>(touches.size()), "1", "at the end");
  out.figure("penetration", penetration, "m", "the largest of the run");
  out.figure("slip", slip, "m/s", "the largest of a contact at the end");
  if (rest.from()) out.figure("creep", rest.creep(), "m", "how far a ball has come since all were at rest");
  out.figure("loss", std::abs(works.sum()), "J", "energy that contacts took");
  out.figure("solver_seconds", driving - looking, "s", "that they took, without what looks at them");
  out.print();
  example::Variables given;
  given("balls", static_cast<double>(p.balls))("columns", static_cast<double>(p.columns))("T", p.march.t_end)(
      "radius", p.radius)("one", p.mass * p.gravity);
  given("error", p.straight() && rest.from() ? error : -1);
  example::draw(run, {"column", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"ball_column", "Columns of balls that fall onto a plane and come to rest."};
  using example::Rule;
  program.option("balls", p.balls, "balls of a column", 1);
  program.option("columns", p.columns, "columns beside each other", 1);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("restitution", p.restitution, "1", "coefficient of restitution", Rule::not_negative);
  program.option("drop", p.drop, "m", "free space beneath each ball at the start", Rule::not_negative);
  program.option("radius", p.radius, "m", "radius of a ball", Rule::positive);
  program.option("mass", p.mass, "kg", "mass of a ball", Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("shaft", p.shaft, "m",
                 "between balls and the walls of a shaft about all columns, 0 for none", Rule::not_negative);
  program.option("offset", p.offset, "m", "of balls to the left and right of their axis, in turn",
                 Rule::not_negative);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.option("dt", p.march.dt, "s", "time step", Rule::positive);
  program.rule("dt", "must not vanish beside --t-end", [&] {
    return p.march.t_end + p.march.dt > p.march.t_end && p.march.t_end / p.march.dt < 1e8;
  });
  program.rule("restitution", "must not be more than 1", [&] { return p.restitution <= 1; });
  program.rule("balls", "makes with --columns more than ten thousand balls",
               [&] { return p.balls <= 10'000 && p.columns <= 10'000 && p.balls * p.columns <= 10'000; });
  program.rule("offset", "must be less than half of --radius, and of --shaft if there is one",
               [&] { return p.offset < p.radius / 2 && (p.shaft == 0 || p.offset <= p.shaft); });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
