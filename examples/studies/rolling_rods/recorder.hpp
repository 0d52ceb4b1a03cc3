#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk.hpp>

#include "rolling_rods/options.hpp"
#include "rolling_rods/view.hpp"

/// A state of the rods, whatever the contact is made of.
struct Sight {
  double time;            ///< [s]
  double energy;          ///< [J]
  double kinetic_energy;  ///< [J]
  const std::vector<dalembert::rod::Chain<double>>& chains;
  dalembert::contact::ContactEvaluation<double> contact;
  double slip;      ///< [m/s]
  double gap_bias;  ///< how much farther apart the rods are than their averages [m]
};

/// Watches a run: contact.csv, ledger.csv, the ParaView series, the page, and the figures of the summary.
class Recorder {
 public:
  /// For a run that starts with these energies [J].
  Recorder(const Options& options, example::Run& run, double energy, double kinetic_energy);

  /// Observe a state.
  void operator()(const Sight& now);
  /// Close the tables.
  void close();
  /// Put what was seen into the summary.
  void report(example::Summary& summary) const;
  /// The pictures of what was seen.
  void draw(const example::Run& run) const;

 private:
  void add_frame(const Sight& now);
  void add_sections(const Sight& now);

  dalembert::systems::RollingRodsParameters<double> parameters_;
  std::vector<dalembert::rod::ElasticRod<double>> rods_;
  dalembert::io::CsvWriter contact_csv_, ledger_csv_;
  std::optional<dalembert::io::CsvWriter> sections_csv_{};
  long sections_;
  dalembert::io::PvdSeries rods_series_, contact_series_;
  View view_;
  double frame_interval_;
  long frames_ = 0;
  double energy_, kinetic_energy_;
  std::vector<double> cones_{};
  double energy_error_ = 0, slip_max_ = 0, gap_error_max_ = 0, gap_bias_ = 0, tangency_max_ = 0;
  double normal_force_min_ = std::numeric_limits<double>::infinity();
  dalembert::Vec<double, 2> s_ = dalembert::Vec<double, 2>::Zero();
  double time_ = 0;
};
