#pragma once

#include <cmath>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/rod/chain.hpp>

#include "support/output_file.hpp"

/// Surfaces of rods and balls as grids that gnuplot shades: x [m], y [m], z [m], colour. Every other sector has the colour + 0.5, so that the eye sees
/// them turn.
namespace example {

/// The circle of a radius [m] around the third axis of a frame, `ahead` [m] along it.
inline void write_circle(std::ostream& file, const dalembert::SO3<double>& frame,
                         const dalembert::Vec<double, 3>& centre, double radius, double ahead,
                         double colour) {
  constexpr int around = 32;
  for (int j = 0; j <= around; ++j) {
    const double angle = 2 * static_cast<double>(dalembert::pi) * j / around;
    const dalembert::Vec<double, 3> p =
        centre +
        frame.act(dalembert::Vec<double, 3>(radius * std::cos(angle), radius * std::sin(angle), ahead));
    const double mark = (j / 4) % 2 == 0 ? 0.0 : 0.5;
    file << p[0] << ',' << p[1] << ',' << p[2] << ',' << colour + mark << '\n';
  }
  file << '\n';
}

/// The tube around a rod.
inline void write_tube(std::ostream& file, const dalembert::rod::Chain<double>& chain, double radius,
                       double colour) {
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    write_circle(file, chain.rotation(k), chain.position(k), radius, 0, colour);
  file << "\n\n";
}

/// A ball.
inline void write_ball(std::ostream& file, const dalembert::SO3<double>& frame,
                       const dalembert::Vec<double, 3>& centre, double radius, double colour) {
  constexpr int rings = 16;
  for (int i = 0; i <= rings; ++i) {
    const double latitude = static_cast<double>(dalembert::pi) * (static_cast<double>(i) / rings - 0.5);
    write_circle(file, frame, centre, radius * std::cos(latitude), radius * std::sin(latitude), colour);
  }
  file << "\n\n";
}

/// Surfaces at a few times of a run: `stem`_0.dat, `stem`_1.dat, …
class Snapshots {
 public:
  /// `count` of them, evenly from 0 to `last` [s].
  Snapshots(std::filesystem::path folder, std::string stem, int count, double last)
      : folder_(std::move(folder)), stem_(std::move(stem)), count_(count), interval_(last / (count - 1)) {}

  /// If one is due at `time` [s], `write(file)` writes it.
  template <class Write>
  void operator()(double time, const Write& write) {
    const auto next = static_cast<int>(times_.size());
    if (next == count_ || time < (next - 1e-6) * interval_) return;
    const auto path = folder_ / (stem_ + "_" + std::to_string(next) + ".dat");
    OutputFile file(path);
    file << "# surfaces: x [m], y [m], z [m], colour; one block a body\n";
    write(file);
    file.close();
    times_.push_back(time);
  }

  /// The times of those that are written [s].
  [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }
  /// The same as the words of a gnuplot string.
  [[nodiscard]] std::string words() const {
    std::string text;
    for (const double time : times_) text += std::to_string(time) + " ";
    return text;
  }

 private:
  std::filesystem::path folder_;
  std::string stem_;
  int count_;
  double interval_;
  std::vector<double> times_{};
};

}  // namespace example
