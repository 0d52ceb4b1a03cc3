#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/core/real.hpp>
#include <dalembert/io/csv.hpp>

#include "support/program.hpp"

namespace example {

/// Columns from their names and units: "t [s], x [m]".
[[nodiscard]] inline std::vector<dalembert::io::Column> columns(const std::string& text) {
  std::vector<dalembert::io::Column> list;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 3) {
    end = text.find("], ", at);
    const std::string one = text.substr(at, end == std::string::npos ? end : end + 1 - at);
    const std::size_t space = one.find(" [");
    list.push_back({one.substr(0, space), one.substr(space + 2, one.size() - space - 3)});
  }
  return list;
}

/// A CSV file for a run of which every step is seen: at most about 4000 rows.
class Table {
 public:
  /// With columns like "t [s], x [m]".
  Table(const std::filesystem::path& path, const std::string& names_and_units, const March& march)
      : csv_(path, columns(names_and_units)),
        end_(march.t_end),
        every_(std::max(1L, std::lround(std::ceil(march.t_end / march.dt / 4000)))) {}

  /// Whether the state at this time [s], which is asked about once, is to have a row.
  [[nodiscard]] bool due(double time) { return count_++ % every_ == 0 || time >= end_; }
  /// Append a row of numbers and vectors, one after the other.
  template <class... Parts>
  void row(const Parts&... parts) {
    row_.clear();
    (append(parts), ...);
    csv_.row(row_);
  }
  /// Close it, as `io::CsvWriter` does.
  void close() { csv_.close(); }

 private:
  void append(double number) { row_.push_back(number); }
  template <class Derived>
  void append(const Eigen::MatrixBase<Derived>& vector) {
    for (Eigen::Index i = 0; i < vector.size(); ++i) row_.push_back(vector[i]);
  }

  dalembert::io::CsvWriter csv_;
  std::vector<double> row_{};
  double end_;
  long count_ = 0, every_;
};

/// A heading without jumps: it counts whole turns.
class Heading {
 public:
  explicit Heading(double start) : start_(start), now_(start) {}
  /// At `time` [s] the heading is `angle` [rad] but for whole turns, and has the rate `omega` [rad/s].
  void follow(double time, double angle, double omega) {
    // The turn since the last call is near ω Δt, which tells it from others by whole turns.
    const double expected = now_ + omega * (time - time_);
    now_ = expected + std::remainder(angle - expected, 2 * static_cast<double>(dalembert::pi));
    time_ = time;
  }
  /// [rad].
  [[nodiscard]] double now() const noexcept { return now_; }
  /// The turn since the start [rad].
  [[nodiscard]] double turn() const noexcept { return now_ - start_; }

 private:
  double start_, now_, time_ = 0;
};

}  // namespace example
