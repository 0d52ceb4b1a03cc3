#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/analysis/spectrum.hpp>
#include <dalembert/io/csv.hpp>

#include "contact_strings/initial.hpp"
#include "contact_strings/options.hpp"
#include "support/output_file.hpp"
#include "support/program.hpp"

namespace contact_strings {

/// What a step shows of a motion.
struct Sight {
  double time, s1, s2, velocity, slip;
};
/// What is looked at less often.
struct Sample {
  double lambda, energy;
};

/// Watches a motion: the table of the contact, the picture of the string, the first harmonic.
class Recorder {
 public:
  /// Writes into `out`; steps are `step` long [s].
  Recorder(const Arguments& arguments, const Start& start, double step, const std::filesystem::path& out);

  /// From one sample to the next there are so many steps, 128 samples a period if there are as many steps.
  [[nodiscard]] long steps_between_samples() const noexcept { return every_; }

  /// After each step.
  void see(const Sight& sight);
  /// At each sample; the first string's displacements [m] were put into `displacements()` before.
  void sample(const Sight& sight, const Sample& sample);
  /// Room for the displacements of the first string.
  [[nodiscard]] std::vector<double>& displacements() noexcept { return field_; }
  void close();

  /// The figures so far.
  void report(example::Summary& out) const;
  /// The spectrum, spectrum.csv, and the levels of the first twenty lines. Returns whether there were samples enough.
  bool write_spectrum(example::Run& run) const;
  /// free.wav and contact.wav.
  void write_sounds(const example::Run& run) const;
  /// contact_strings.png and contact.png.
  void draw(const example::Run& run, double lyapunov) const;

  /// The largest |ṡ|/c so far.
  [[nodiscard]] double speed_ratio() const noexcept { return speed_ratio_; }

 private:
  void write_field(const Sight& sight);

  Arguments arguments_;
  double interval_;  // between samples [s]
  long every_, field_every_, samples_ = 0;
  dalembert::analysis::HarmonicProjection<double> harmonic_;
  dalembert::io::CsvWriter contact_, path_;
  example::OutputFile strip_;
  std::vector<double> field_, signal_{}, free_signal_{};
  double free_amplitude_ = 0, free_rate_ = 0;
  double energy_at_start_ = 0, energy_error_ = 0, constraint_ = 0, speed_ratio_ = 0;
  double s1_min_, s1_max_, s1_now_, s2_now_, time_ = 0, largest_ = 0;
};

}  // namespace contact_strings
