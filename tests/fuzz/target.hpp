#pragma once

/// @file
/// What a target of the fuzzer is, and what it demands of the library: that it answers with finite numbers or throws one
/// of its documented errors. Everything else that leaves a target is a failure.

#include <cmath>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <dalembert/core/errors.hpp>

#include "fuzz/input.hpp"

namespace fuzz {

/// A demand that the library did not meet.
class Failure : public std::exception {
 public:
  /// In words.
  explicit Failure(std::string what) : what_(std::move(what)) {}
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

/// What became of an input.
enum class Outcome {
  refused,   ///< by a documented error, before anything was computed
  computed,  ///< at least one answer was demanded and given
};

/// Something that eats inputs.
struct Target {
  const char* name;
  int share;  ///< inputs of this target among those of all, relative to the others
  std::function<Outcome(Input&)> run;
};

[[nodiscard]] Outcome rolling_rods(Input& in);
[[nodiscard]] Outcome rods(Input& in);
[[nodiscard]] Outcome checkpoints(Input& in);
[[nodiscard]] Outcome driven(Input& in);
[[nodiscard]] Outcome planar_systems(Input& in);
[[nodiscard]] Outcome rolling_systems(Input& in);
[[nodiscard]] Outcome tires(Input& in);
[[nodiscard]] Outcome clusters(Input& in);
[[nodiscard]] Outcome cones(Input& in);
[[nodiscard]] Outcome heaps(Input& in);
[[nodiscard]] Outcome thrown_rods(Input& in);

/// All of them.
[[nodiscard]] inline const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {"rolling_rods", 4, rolling_rods},
      {"rods", 8, rods},
      {"checkpoints", 20, checkpoints},
      {"drive", 20, driven},
      {"planar_systems", 20, planar_systems},
      {"rolling_systems", 20, rolling_systems},
      {"tires", 8, tires},
      {"clusters", 2, clusters},
      {"cones", 8, cones},
      {"heaps", 1, heaps},
      {"thrown_rods", 1, thrown_rods},
  };
  return all;
}

/// Whether f() came to its end; false if it threw an error that the library documents.
template <class F>
[[nodiscard]] bool accepted(F&& f) {
  try {
    f();
    return true;
  } catch (const std::invalid_argument&) {
  } catch (const dalembert::InvalidState&) {
  }
  return false;
}

/// Throws a Failure unless `holds`.
inline void demand(bool holds, const char* what) {
  if (!holds) throw Failure(what);
}
/// Throws a Failure unless the number is finite.
inline void demand_finite(double value, const char* what) {
  if (!std::isfinite(value)) throw Failure(std::string(what) + " = " + std::to_string(value));
}
/// Throws a Failure unless all numbers of a matrix or array are finite.
template <class Numbers>
  requires requires(const Numbers& numbers) { numbers.size(), numbers(0, 0); }
void demand_finite(const Numbers& numbers, const char* what) {
  for (Eigen::Index i = 0; i < numbers.rows(); ++i)
    for (Eigen::Index j = 0; j < numbers.cols(); ++j) demand_finite(numbers(i, j), what);
}

}  // namespace fuzz
