#pragma once

#include <functional>
#include <string>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/view_text.hpp>
#include <dalembert/lie/so3.hpp>

#include "support/progress.hpp"
#include "support/summary.hpp"

/// What all systems of the gallery share: each is run from one start, and leaves a table, a picture and a page that plays the motion.
namespace gallery {

using Vec3 = dalembert::Vec<double, 3>;

/// Where a body is.
struct Pose {
  dalembert::SO3<double> rotation = dalembert::SO3<double>::identity();  ///< from the body to space
  Vec3 position = Vec3::Zero();                                          ///< of its origin [m]
};

/// A body as the page draws it.
struct Body {
  std::string name{};
  std::vector<dalembert::io::Part> parts{};
  int colour = 0;     ///< as in io::Look
  bool path = false;  ///< whether the page shows where its origin has been
};

/// A figure of the summary.
struct Figure {
  std::string name{}, unit{}, meaning{};
};

/// What is seen of a state.
struct Sight {
  std::vector<double> numbers{};  ///< one per column of the table
  std::vector<double> errors{};   ///< what would be zero if steps were short without limit, one per name
  std::vector<Pose> poses{};      ///< one per body
};

/// What is said of a system.
struct Text {
  std::string name{};     ///< of its header, and of its files
  std::string title{};    ///< of picture and page
  std::string caption{};  ///< a sentence
  double t_end = 10;      ///< how long it is followed [s]
  double dt = 1e-2;       ///< step [s]
  std::vector<dalembert::io::ViewText::Parameter> parameters{};

  std::string columns{};           ///< of the table after the time, like "x [m], y [m]"
  std::string path_title{};        ///< of the left side of the picture, column `path_y` over column `path_x`
  std::string path_x{}, path_y{};  ///< columns in the same unit
  bool downwards = false;          ///< whether `path_y` grows downwards in the picture
  std::string series_title{};      ///< of the columns that are drawn over time
  std::string series_unit{};       ///< theirs
  std::vector<std::string> series{};  ///< their names
  std::vector<Figure> errors{};       ///< the largest of each goes into the summary
  bool driven = false;         ///< whether it gets work: then the power balance is checked, not the energy
  bool without_units = false;  ///< whether its numbers have none

  std::vector<Body> bodies{};
  std::function<void(dalembert::io::Scene&)> surroundings{};  ///< adds what does not move to the scene
  bool flat = false;                                          ///< as in io::ViewText
  Vec3 up = Vec3::UnitZ();                                    ///< as in io::ViewText
  double yaw = 30, pitch = 25, zoom = 1;                      ///< as in io::ViewText
  std::string follow{};                                       ///< as in io::ViewText
};

/// How long a run is to be, and in what steps; 0 is what suits the system [s].
struct Settings {
  double t_end = 0, dt = 0;
};

/// Writes what is seen of a run: <name>.csv, <name>.png and <name>.html in its folder, and figures of the summary.
class Recorder {
 public:
  /// For a run until `text.t_end` in steps of `text.dt`.
  Recorder(const Text& text, example::Run& run);

  /// Whether the state at this time [s], which is asked about once, is to have a row and a frame.
  [[nodiscard]] bool due(double time);
  /// The state at this time.
  void add(double time, const Sight& sight);
  /// The largest errors, of which every state counts.
  void judge(const std::vector<double>& errors);
  /// End the run, early if `error` says why: report the largest errors, draw the picture, write the page.
  void finish(const std::string& error);
  /// A figure for the summary, under the name of the system.
  void figure(const Figure& figure, double value);

 private:
  void draw() const;

  const Text& text_;
  example::Run& run_;
  dalembert::io::CsvWriter csv_;
  std::vector<std::size_t> series_{};  ///< places of the columns that are drawn over time
  dalembert::io::Scene scene_{};
  std::vector<dalembert::io::Scene::Body> bodies_{};
  dalembert::io::Scene::PanelId series_panel_{}, error_panel_{};
  std::vector<double> largest_{};
  long count_ = 0, rows_ = 0, every_;
};

/// Runs a piece, which has
///   problem          what is stepped
///   text()           what is said of it
///   start()          the state at the start
///   sight(state)     what is seen of a state
///   report(first, last, recorder)    figures of its own, from its first and its last state
/// The change of energy joins its errors, unless something drives it.
template <class Piece>
void show(Piece piece, const Settings& settings, example::Run& run) {
  using State = decltype(piece.start());
  Text text = piece.text();
  if (settings.t_end > 0) text.t_end = settings.t_end;
  if (settings.dt > 0) text.dt = settings.dt;
  if (!text.driven)
    text.errors.push_back({"energy_change", text.without_units ? "1" : "J", "largest change of energy"});
  Recorder recorder(text, run);
  State state = piece.start();
  const State first = state;
  const double energy = piece.problem.energy(first);
  dalembert::analysis::EnergyMonitor monitor{piece.problem, dalembert::analysis::Keep::maxima};
  const auto watch = [&](const auto& problem, const State& at) {
    Sight sight = piece.sight(at);
    if (!text.driven) sight.errors.push_back(problem.energy(at) - energy);
    recorder.judge(sight.errors);
    if (recorder.due(at.time)) recorder.add(at.time, sight);
  };
  try {
    const auto report = dalembert::drive(
        dalembert::RungeKutta4{.project = true}, piece.problem, state,
        {.step = text.dt, .until = text.t_end, .progress = example::progress_line()}, watch, monitor);
    run.summary.add_end(state, report.steps);
  } catch (const std::exception& reason) {
    recorder.finish(reason.what());
    throw;
  }
  piece.report(first, state, recorder);
  if (text.driven)
    recorder.figure({"power_balance_error", "J", "largest |E(t) - E(0) - work done on it|"},
                    monitor.balance_error());
  recorder.figure({"slip_max", "1", "largest violation of velocity rows [SI]"}, monitor.violation().velocity);
  recorder.finish("");
}

/// A system that can be shown.
struct Exhibit {
  std::string name{};  ///< of its header
  std::function<void(const Settings&, example::Run&)> show{};
};

/// The exhibit of a piece that is made anew for each run.
template <class Piece>
[[nodiscard]] Exhibit exhibit(std::string name) {
  return {std::move(name), [](const Settings& settings, example::Run& run) { show(Piece{}, settings, run); }};
}

/// Bodies that slide and roll on a plane without falling: knife edge, vertical disk, nonholonomic particle, snakeboard.
[[nodiscard]] std::vector<Exhibit> planar();
/// Suslov's body, the rolling disc, the rattleback.
[[nodiscard]] std::vector<Exhibit> bodies();
/// Rubber, elastic and viscoelastic balls.
[[nodiscard]] std::vector<Exhibit> balls();
/// The chaotic oscillator and the pendulum driver.
[[nodiscard]] std::vector<Exhibit> oscillators();
/// The bicycle.
[[nodiscard]] std::vector<Exhibit> bicycle();

}  // namespace gallery
