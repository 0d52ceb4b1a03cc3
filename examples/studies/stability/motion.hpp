#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include <dalembert/analysis/eigenvalues.hpp>

// Compiled once, in boundaries.cpp.
extern template std::vector<std::complex<double>> dalembert::analysis::eigenvalues<double>(
    const dalembert::Mat<double, Eigen::Dynamic>&);

namespace stability {

using Column = dalembert::Vec<double, Eigen::Dynamic>;
using Matrix = dalembert::Mat<double, Eigen::Dynamic>;

/// What happens to eigenvalues at a boundary.
enum class Kind {
  real,  ///< a real one passes through zero
  pair,  ///< a pair crosses the imaginary axis
  birth  ///< two real ones meet and become a pair; no change of stability
};

/// A boundary that is known beforehand.
struct Known {
  std::string key;      ///< of the figure in summary.json
  std::string text;     ///< on the picture
  Kind kind;            ///< what happens there
  double value;         ///< where, in closed form or as published
  std::string meaning;  ///< and where that is from
};

/// A name for a curve of the picture, written where the parameter has the value `at`.
struct Label {
  std::string text;
  double at;
  int rank;        ///< which of the eigenvalues there, the largest real part first
  bool imaginary;  ///< beside the imaginary part; it must not be zero then
  double dx, dy;   ///< from the curve, in characters; the text ends there if dx is negative
};

/// A motion that symmetries carry along, and the parameter on which its small motions depend.
struct Motion {
  std::string title;      ///< of the picture
  std::string parameter;  ///< its name on the axis
  std::string column;     ///< in eigenvalues.csv
  std::string unit;       ///< and its unit
  double from, to;        ///< where it runs, unless the user says otherwise
  long points;            ///< at how many values it is asked, unless the user says otherwise
  double low, high;       ///< what of the eigenvalues the picture shows [1/s]
  /// The characteristic polynomial of small motions, the highest coefficient first, without zero eigenvalues.
  std::function<Column(double)> characteristic;
  std::vector<Known> known;
  std::vector<Label> labels;
};

/// The characteristic polynomial of ẏ = `matrix` y without its `zeros` eigenvalues 0. Throws
/// std::runtime_error if they are not 0.
[[nodiscard]] Column without_zeros(const Matrix& matrix, int zeros);

/// Greidanus's tyre, and what is varied of it.
struct TireOptions {
  double lateral_curvature = 0.5, drift_curvature = 1;
  double lateral_stiffness = 30, torsional_stiffness = 12;
  double speed = 4;              ///< rolling rate, where it is not the parameter [rad/s]
  bool along_stiffness = false;  ///< whether the parameter is the stiffness in twist
};

[[nodiscard]] Motion bicycle();
[[nodiscard]] Motion disc();
[[nodiscard]] Motion greidanus(const TireOptions& options);
[[nodiscard]] Motion rocard();
[[nodiscard]] Motion sleigh();

}  // namespace stability
