// Chaplygin's sleigh on a blade that slips: friction across it in place of a constraint, and the slow motion that is left.
//
//   ./sliding_sleigh --epsilon 0.1 --order 3 --u -1 --v 0.2 --omega 1 --t-end 10          (the defaults)
//
//   u̇ = vω + aω²,  v̇ = −uω − (K/(Im)) v/ε,  ω̇ = (a/I) v/ε           y      centre of mass, a ahead of the blade
//   K = I + ma²,  ψ = ω + (ma/K) v                                   |      o
//   force of the friction −v/ε across the blade                      |    ╱
//   slow motions: v = εc₁ + ε²c₂ + …, functions of (u, ψ)            |  ╱)φ
//   c₁ = −(Im/K) uψ,  c₂ = (Im/K)² aψ(ψ² − 2(m/K)u²), …              +—●————— x    blade at (x, y), velocity (u, v)
//
// A sleigh that starts with any slip v loses it within a few ε(Im/K), and then follows the slow motion: to order 0 the sleigh
// of the constraint v = 0, to order r within ε^{r+1}. Errors at the end are measured against motions under friction that start
// with the slip of the slow motion, one order higher, for ε and its halves.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/slow_manifold.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/sleigh.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;
using System = decltype(with_friction(std::declval<Sleigh>(), 1.0, 1.0));
using Model = LagrangeDAlembert<System>;
constexpr long most = 4;  // orders that can be asked for
using Slow = SlowManifold<Sleigh, static_cast<int>(most)>;
using State = Model::State;

struct Arguments {
  double m = 1, inertia = 1, a = 0.2, epsilon = 0.1;
  double u = -1, v = 0.2, omega = 1;
  long order = 3;
  example::March march{.t_end = 10, .dt = 0.01};

  Sleigh sleigh() const { return Sleigh{{.mass = m, .inertia = inertia, .offset = a}}; }
  System system(double softness) const { return with_friction(sleigh(), 1.0, softness); }
  Slow slow(double softness, long of_order) const {
    return Slow(system(softness), static_cast<int>(of_order));
  }
};

/// A motion at the times of its table.
struct Motion {
  std::string name{};
  std::vector<State> states{};  ///< with the slip
};

/// What the page shows: the sleigh under friction and its two approximations, with their paths, and their velocities.
void show(const Arguments& p, const std::vector<Motion>& motions, example::Run& run) {
  io::Scene& scene = run.scene;
  run.view.flat = true;
  const std::array colours = {0, 1, 4};
  std::vector<io::Scene::Body> sleighs;
  std::vector<std::string> names;
  std::size_t rows = motions.front().states.size();
  for (const Motion& motion : motions) {
    const int colour = colours[sleighs.size()];
    sleighs.push_back(scene.body(motion.name, example::sleigh_parts(p.m, p.inertia, p.a),
                                 {.colour = colour, .path = true}));
    names.push_back(motion.name);
    rows = std::min(rows, motion.states.size());
  }
  const std::array velocities = {scene.panel("speed along the blade", "m/s", names),
                                 scene.panel("slip across the blade", "m/s", names),
                                 scene.panel("turning rate", "rad/s", names)};
  for (std::size_t k = 0; k < rows; ++k) {
    const double time = motions.front().states[k].time;
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      std::vector<double> now;
      for (const Motion& motion : motions) now.push_back(motion.states[k].xi[static_cast<Eigen::Index>(i)]);
      scene.row(velocities[i], time, now);
    }
    if (!scene.frame(time)) continue;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const auto& g = motions[i].states[k].g;
      const Vec<double, 2> at = g.translation();
      const double below = 0.06 * static_cast<double>(i) * example::sleigh_size(p.m, p.inertia, p.a);
      scene.put(sleighs[i], SO3<double>::exp({0, 0, g.angle()}), {at[0], at[1], -below});
    }
  }
}

/// Leaves a path in a file: (u, v, ω) with the slip, also where a problem keeps the part without it.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const std::filesystem::path& file)
      : table_(file, "t [s], x [m], y [m], phi [rad], u [m/s], v [m/s], omega [rad/s], energy [J]",
               arguments.march) {}
  void operator()(const Model& model, const State& state) { row(state, model.energy(state)); }
  void operator()(const Slow& slow, const State& state) { row(slow.on_manifold(state), slow.energy(state)); }
  void close() { table_.close(); }

  Motion motion{};  ///< what is in the table

 private:
  void row(const State& full, double energy) {
    heading_.follow(full.time, full.g.angle(), full.xi[2]);
    if (!table_.due(full.time)) return;
    table_.row(full.time, full.g.translation(), heading_.now(), full.xi, energy);
    motion.states.push_back(full);
  }
  example::Table table_;
  example::Heading heading_{0};
};

template <class Method, class Problem, class... Observers>
Motion follow(const Method& method, const Problem& problem, State& state, const Arguments& arguments,
              const std::string& name, example::Run& run, Observers&... observers) {
  Recorder recorder(arguments, run.out / (name + ".csv"));
  const auto report = drive(
      method, problem, state,
      {.step = arguments.march.dt, .until = arguments.march.t_end, .progress = example::progress_line()},
      recorder, observers...);
  recorder.close();
  recorder.motion.name = name;
  run.summary.add_end(state, report.steps);
  return recorder.motion;
}

/// The distance of slow motions of orders 0 to `arguments.order` from the motion under friction that starts on the slow manifold.
std::vector<double> errors(const Arguments& arguments, double epsilon, const State& start) {
  const Slow finest = arguments.slow(epsilon, arguments.order);
  State full = finest.on_manifold(start, static_cast<int>(arguments.order) + 1);
  const Model model{arguments.system(epsilon)};
  const double t_end = arguments.march.t_end;
  const double resolved = 0.25 / finest.decay_rates(start)[0];
  if (t_end / resolved < 2e5)
    drive(DormandPrince853{}, model, full,
          {.step = std::min({0.02, t_end, resolved}), .until = t_end, .progress = example::progress_line()});
  else
    drive(Radau<3>{}, model, full,
          {.step = std::min(2e-3, t_end), .until = t_end, .progress = example::progress_line()});
  std::vector<double> list;
  for (long order = 0; order <= arguments.order; ++order) {
    const Slow slow = arguments.slow(epsilon, order);
    State state = start;
    drive(DormandPrince853{}, slow, state,
          {.step = std::min(0.1, t_end), .until = t_end, .progress = example::progress_line()});
    list.push_back(std::max((full.g.translation() - state.g.translation()).norm(),
                            slow.difference(state, slow.below(full)).norm()));
  }
  return list;
}

/// Errors for ε and its halves, in errors.csv and the summary. Returns whether there are any.
bool converge(const Arguments& arguments, const State& start, example::Run& run) {
  constexpr int halves = 5;
  constexpr double floor = 3e-11;  // where rounding and the integrators begin to matter
  std::string names = "epsilon [1]";
  for (long order = 0; order <= arguments.order; ++order)
    names += ", order " + std::to_string(order) + " [1]";
  io::CsvWriter csv(run.out / "errors.csv", example::columns(names));
  std::vector<std::vector<double>> table;
  for (int half = 0; half <= halves; ++half) {
    const double epsilon = std::ldexp(arguments.epsilon, -half);
    table.push_back(errors(arguments, epsilon, start));
    std::vector<double> row = table.back();
    row.insert(row.begin(), epsilon);
    csv.row(row);
  }
  csv.close();
  example::Json by_order = example::Json::object(), slopes = by_order;
  for (std::size_t order = 0; order < table.front().size(); ++order) {
    const std::string name = std::to_string(order);
    by_order[name] = table.front()[order];
    run.summary.figure("error_order_" + name, table.front()[order], "1",
                       "distance from the motion under friction at the end, order " + name);
    if (!(table[1][order] > floor)) continue;
    std::size_t fine = 1;
    while (fine < halves && table[fine + 1][order] > floor) ++fine;
    slopes[name] = std::log2(table[fine - 1][order] / table[fine][order]);
    run.summary.figure("slope_order_" + name, slopes[name].get<double>(), "1",
                       "power of epsilon by which that falls, order " + name);
  }
  run.summary.group("slow_manifold_error", by_order);
  run.summary.group("slopes", slopes);
  return table.back().back() > 0;
}

/// Returns whether there are errors to be drawn.
bool simulate(const Arguments& arguments, example::Run& run) {
  const Model model{arguments.system(arguments.epsilon)};
  const Slow slow = arguments.slow(arguments.epsilon, arguments.order);
  const Slow plain = arguments.slow(arguments.epsilon, 0);
  const State given = model.state(SE2d::identity(), {arguments.u, arguments.v, arguments.omega});
  const State start = slow.below(given);
  auto& summary = run.summary;

  example::Json coefficients = example::Json::array();
  const auto c = slow.coefficients(start);
  for (long j = 0; j < arguments.order; ++j) coefficients.push_back(c[static_cast<std::size_t>(j)][0]);
  summary.group("coefficients_at_start", coefficients);
  const auto transient = slow.transient(given);
  summary.figure("decay_rate", transient.decay_rate, "1/s", "rate at which slip falls onto the slow motion");
  summary.figure("settling_time", transient.settling_time(), "s",
                 "until the slip at the start is lost in what the order leaves open");

  State full = given, corrected = start, nonholonomic = start;
  std::vector<Motion> motions;
  motions.push_back(follow(Radau<3>{}, model, full, arguments, "trajectory", run));
  motions.front().name = "with friction";
  SlowManifoldWatch<double> watch;
  motions.push_back(follow(DormandPrince853{}, slow, corrected, arguments, "corrected", run, watch));
  motions.push_back(follow(DormandPrince853{}, plain, nonholonomic, arguments, "nonholonomic", run));
  show(arguments, motions, run);
  summary.ends();
  summary.figure("remainder", watch.relative(), "1",
                 "largest term left out over the largest slip, or velocity for order 0");
  summary.figure("epsilon_too_large", watch.too_large() ? 1 : 0, "1", "1 if that is more than a tenth");
  return converge(arguments, start, run);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "sliding_sleigh",
      "Chaplygin's sleigh with friction across its blade, and its slow motions of any order."};
  using example::Rule;
  program.option("m", arguments.m, "kg", "mass", Rule::positive);
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre of mass",
                 Rule::positive);
  program.option("a", arguments.a, "m", "distance of the centre of mass ahead of the blade");
  program.option("epsilon", arguments.epsilon, "m/(N s)", "slip per force", Rule::positive);
  program.option("order", arguments.order, "powers of epsilon in the corrected motion", 0);
  program.option("u", arguments.u, "m/s", "speed along the blade at the start");
  program.option("v", arguments.v, "m/s", "speed across the blade at the start");
  program.option("omega", arguments.omega, "rad/s", "turning rate at the start");
  program.option("t-end", arguments.march.t_end, "s", "end of the motion", Rule::positive);
  program.option("dt", arguments.march.dt, "s", "step", Rule::positive);
  program.rule("order", "must be at most " + std::to_string(most), [&] { return arguments.order <= most; });
  return program.run(argc, argv, [&](example::Run& run) {
    const bool errors_to_draw = simulate(arguments, run);
    run.summary.print();
    example::Variables given;
    given("epsilon", arguments.epsilon)("order", static_cast<double>(arguments.order));
    example::draw(run, {"path", 1900, 1100}, given);
    example::draw(run, {"velocities", 1600, 1500}, given);
    if (errors_to_draw) example::draw(run, {"errors", 1600, 1100}, given);
  });
}
