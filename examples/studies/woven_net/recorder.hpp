#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk.hpp>
#include <dalembert/systems/woven_net.hpp>

#include "support/program.hpp"
#include "woven_net/view.hpp"

/// Watches a net: ledger.csv, contacts.csv, the ParaView series, the page, and the figures of the summary.
class Recorder {
 public:
  using Parameters = dalembert::systems::WovenNetParameters<double>;
  using Net = dalembert::systems::WovenNet<double>;
  using Problem = decltype(std::declval<const Net&>().problem());
  using State = Problem::State;

  /// For a run until `t_end` [s] with so many frames.
  Recorder(const Parameters& parameters, const Net& net, example::Run& run, double t_end, long frames);

  /// The net before the strike: its figures go into the summary.
  void rest(const Problem& problem, const State& at);
  /// The net just after the strike: changes are counted from here.
  void start(const Problem& problem, const State& at);
  /// Observe a state.
  void operator()(const Problem& problem, const State& at);
  /// Put what was seen into the summary, and the contacts into contacts.csv.
  void report(example::Summary& summary);
  /// The pictures of what was seen.
  void draw(const example::Run& run);

 private:
  /// What there was of one contact.
  struct FrameState {
    double least = std::numeric_limits<double>::infinity(), most = 0, cone = 0, bias = 0;
  };
  struct Force {
    dalembert::Vec<double, 3> point, force, normal;
    double pressure, along;
  };
  [[nodiscard]] std::vector<Force> forces(const Problem& problem, const State& at);
  void add_frame(const Problem& problem, const State& at, const std::vector<Force>& forces);

  Parameters parameters_;
  std::filesystem::path out_;
  dalembert::io::CsvWriter ledger_csv_;
  dalembert::io::PvdSeries rods_series_, contacts_series_;
  View view_;
  double frame_interval_;
  long frames_ = 0;
  Problem::Rates rates_;
  std::vector<FrameState> seen_;
  double energy_ = 0, kinetic_energy_ = 0, pressure_at_rest_ = 0;
  double energy_error_ = 0, slip_max_ = 0, gap_error_max_ = 0, bias_max_ = 0, lowest_ = 0, time_ = 0;
  double time_of_lowest_ = 0;
  State first_, deepest_;
  std::vector<double> cones_{};
};
