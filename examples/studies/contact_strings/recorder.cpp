#include "contact_strings/recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include <nlohmann/json.hpp>

#include "support/picture.hpp"
#include "support/sound.hpp"
#include "support/table.hpp"

namespace contact_strings {

namespace {

using dalembert::Vec;
using dalembert::analysis::level;
using dalembert::analysis::Spectrum;
using Column = Vec<double, Eigen::Dynamic>;
using dalembert::strings::Ends;

constexpr int overtones = 20;
constexpr double lowest_level = -120;  // of what is written [dB]

Eigen::Map<const Column> column(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// The harmonic whose wave is as long as the string: at rest at fixed ends, not so at free ones.
dalembert::analysis::HarmonicProjection<double> first_harmonic(const Arguments& p) {
  using dalembert::analysis::Harmonic;
  return {static_cast<Eigen::Index>(p.points + 1), 2,
          p.pair().ends == Ends::free ? Harmonic::cosine : Harmonic::sine};
}

/// Amplitudes over the spectrum, and the amplitude of the first line, 0 if there is none.
struct Lines {
  Spectrum<double> spectrum;
  double omega;

  [[nodiscard]] double amplitude(int n) const {
    const auto line = spectrum.strongest_line(n * omega, omega / 2);
    return line ? line->amplitude : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace

Recorder::Recorder(const Arguments& arguments, const Start& start, double step,
                   const std::filesystem::path& out)
    : arguments_(arguments),
      every_(std::max(1L, static_cast<long>(arguments.period() / 128 / step * (1 + 1e-9)))),
      harmonic_(first_harmonic(arguments)),
      contact_(out / "contact.csv",
               example::columns("t [s], s1 [m], s2 [m], lambda [m^2/s^2], energy [J], u1 [m]")),
      path_(out / "path.csv", example::columns("t [s], s1 [m]")),
      strip_(out / "string.csv"),
      field_(static_cast<std::size_t>(arguments.points) + 1),
      s1_min_(arguments.s1),
      s1_max_(arguments.s1),
      s1_now_(arguments.s1),
      s2_now_(arguments.s2) {
  interval_ = static_cast<double>(every_) * step;
  field_every_ = std::max(1L, std::lround(arguments.picture_t_end / interval_ / 480));
  Column u(arguments.points + 1), ut(arguments.points + 1);
  const double h = arguments.length / static_cast<double>(arguments.points);
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    const double x = j + 1 < u.size() ? h * static_cast<double>(j) : arguments.length;
    u[j] = start[0].displacement ? start[0].displacement(x) : 0;
    ut[j] = start[0].velocity ? start[0].velocity(x) : 0;
  }
  free_amplitude_ = harmonic_(u);
  free_rate_ = harmonic_(ut) / arguments.omega();
}

void Recorder::see(const Sight& sight) {
  const double speed1 = std::abs(arguments_.G1 * sight.velocity),
               speed2 = std::abs(arguments_.G2 / arguments_.F * sight.velocity);
  speed_ratio_ = std::max(speed_ratio_, std::max(speed1, speed2) / arguments_.c);
  constraint_ = std::max(constraint_, sight.slip);
  s1_min_ = std::min(s1_min_, sight.s1);
  s1_max_ = std::max(s1_max_, sight.s1);
  time_ = sight.time;
  s1_now_ = sight.s1;
  s2_now_ = sight.s2;
}

void Recorder::sample(const Sight& sight, const Sample& sample) {
  const double phase = arguments_.omega() * sight.time;
  signal_.push_back(harmonic_(column(field_)));
  // Without contact the first harmonic of the wave equation is this for ever.
  free_signal_.push_back(free_amplitude_ * std::cos(phase) + free_rate_ * std::sin(phase));
  if (samples_ == 0) energy_at_start_ = sample.energy;
  energy_error_ = std::max(energy_error_, std::abs(sample.energy - energy_at_start_));
  contact_.row({sight.time, sight.s1, sight.s2, sample.lambda, sample.energy, signal_.back()});
  if (samples_ % field_every_ == 0 && sight.time <= arguments_.picture_t_end + interval_) write_field(sight);
  ++samples_;
}

/// A row of the matrix that gnuplot calls nonuniform: its first row holds x, each further one t and the displacements there.
void Recorder::write_field(const Sight& sight) {
  constexpr std::size_t most = 256;
  const std::size_t last = field_.size() - 1, count = std::min(most, last);
  const auto place = [&](std::size_t i) { return i * last / count; };
  std::array<char, 32> text{};
  const auto put = [&](double number) {
    strip_ << ',';
    strip_.write(text.data(), std::snprintf(text.data(), text.size(), "%.5g", number));
  };
  if (samples_ == 0) {
    strip_ << count + 1;
    for (std::size_t i = 0; i <= count; ++i)
      put(arguments_.length * static_cast<double>(place(i)) / static_cast<double>(last));
    strip_ << '\n';
  }
  strip_ << sight.time;
  for (std::size_t i = 0; i <= count; ++i) {
    const double u = field_[place(i)];
    largest_ = std::max(largest_, std::abs(u));
    put(u);
  }
  strip_ << '\n';
  const double s1 = sight.s1;
  path_.row({sight.time, arguments_.pair().ends == Ends::periodic
                             ? s1 - arguments_.length * std::floor(s1 / arguments_.length)
                             : s1});
}

void Recorder::close() {
  contact_.close();
  path_.close();
  strip_.close();
}

void Recorder::report(example::Summary& out) const {
  const double scale = energy_at_start_ > 0 ? energy_at_start_ : 1;
  out.figure("energy_error", energy_error_ / scale, "1", "largest change of energy over the energy");
  out.figure("constraint_max", constraint_, "m/s", "largest |u_t - F v_t| at the contact");
  out.figure("s1_final", s1_now_, "m", "position of the contact on the first string at the end");
  out.figure("s2_final", s2_now_, "m", "on the second string");
  out.figure("s1_min", s1_min_, "m", "least position on the first string");
  out.figure("s1_max", s1_max_, "m", "largest position on the first string");
  out.figure("speed_ratio_max", speed_ratio_, "1", "largest speed of the contact over that of the waves");
}

bool Recorder::write_spectrum(example::Run& run) const {
  constexpr std::size_t least = 16;
  if (signal_.size() < least) return false;
  const double omega = arguments_.omega();
  const auto lines = [&](const std::vector<double>& signal) {
    return Lines{Spectrum<double>(column(signal), interval_, {.padding = 2}), omega};
  };
  const Lines contact = lines(signal_), free = lines(free_signal_);
  const double first = contact.amplitude(1), free_first = free.amplitude(1);
  example::Json levels = example::Json::array();
  for (int n = 1; n <= overtones; ++n) levels.push_back(level(contact.amplitude(n), first));
  run.summary.group("overtones_db", levels);

  dalembert::io::CsvWriter csv(
      run.out / "spectrum.csv",
      example::columns("ratio [1, of the first harmonic's frequency], contact [dB], free [dB]"));
  const auto shown = [](double amplitude, double reference) {
    const double decibel = level(amplitude, reference);
    return decibel > lowest_level ? decibel : lowest_level;
  };
  for (Eigen::Index k = 0; k < contact.spectrum.size(); ++k) {
    const double ratio = contact.spectrum.omega(k) / omega;
    if (ratio > overtones + 0.5) break;
    csv.row({ratio, shown(contact.spectrum.amplitudes()[k], first),
             shown(free.spectrum.amplitudes()[k], free_first)});
  }
  csv.close();
  return true;
}

void Recorder::write_sounds(const example::Run& run) const {
  double largest = 0;
  for (const auto* signal : {&signal_, &free_signal_})
    for (const double u : *signal) largest = std::max(largest, std::abs(u));
  if (!(largest > 0)) return;
  const example::Pitch pitch{.omega = arguments_.omega(), .hertz = arguments_.pitch, .volume = 0.9 / largest};
  const auto write = [&](const char* name, const std::vector<double>& signal) {
    example::write_sound(run.out / name, example::sound_of(signal, interval_, pitch), pitch.rate);
  };
  write("free.wav", free_signal_);
  write("contact.wav", signal_);
}

void Recorder::draw(const example::Run& run, double lyapunov) const {
  example::Variables given;
  given("length", arguments_.length)("T", std::min(arguments_.picture_t_end, time_))("largest", largest_);
  // gnuplot knows no such number.
  given("exponent",
        std::isfinite(lyapunov)
            ? dalembert::message({"Lyapunov exponent ", std::round(1e4 * lyapunov) / 1e4, " s^{-1}"})
            : "");
  given("subtitle", "F = " + dalembert::shortest_text(arguments_.F) +
                        ",  G₁ = " + dalembert::shortest_text(arguments_.G1) +
                        ",  G₂ = " + dalembert::shortest_text(arguments_.G2));
  given("periodic", arguments_.ends == "periodic" ? 1.0 : 0.0);
  example::draw(run, {"strings", 2000, 1000}, given);
  example::draw(run, {"contact", 1600, 1300}, given);
}

}  // namespace contact_strings
