#pragma once

/// @file
/// Published and reference numbers, from the JSON files of tests/data.

#include <string>

#include <nlohmann/json.hpp>

#include <dalembert/core/real.hpp>

namespace test {

using Json = nlohmann::json;

/// The contents of tests/data/<name>.
Json data(const std::string& name);

/// Three numbers from `first` on.
inline dalembert::Vec<double, 3> vector3(const Json& numbers, std::size_t first = 0) {
  return {numbers[first].get<double>(), numbers[first + 1].get<double>(), numbers[first + 2].get<double>()};
}

/// A matrix given as three rows.
inline dalembert::Mat<double, 3> matrix3(const Json& rows) {
  dalembert::Mat<double, 3> m;
  for (std::size_t i = 0; i < 3; ++i) m.row(static_cast<Eigen::Index>(i)) = vector3(rows[i]).transpose();
  return m;
}

}  // namespace test
