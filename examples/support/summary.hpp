#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/version.hpp>
#include <nlohmann/json.hpp>

namespace example {

using Json = nlohmann::ordered_json;

/// What comes out of a run: summary.json in its folder, and the figures on stdout.
class Summary {
 public:
  Json parameters = Json::object();  ///< the arguments, by name
  bool finished = false;             ///< whether the run came to its end
  std::string error{};               ///< what stopped it, if something did

  /// A figure for summary.json, printed with its unit and meaning.
  void figure(const std::string& key, double value, const std::string& unit, const std::string& meaning) {
    figures_[key] = value;
    lines_.push_back({key, value, unit, meaning});
  }

  /// How far a run was from its constraints at most, as the report of `drive` says, in units of the rows.
  template <class Report>
  void violation(const Report& report) {
    figure("position_violation_max", report.violation.position, "1",
           "largest violation of position rows [SI]");
    figure("velocity_violation_max", report.violation.velocity, "1",
           "largest violation of velocity rows [SI]");
  }

  /// Figures that belong together, under one key of summary.json; not printed.
  void figures(const std::string& key, const Json& values) { figures_[key] = values; }

  /// Print the figures, one a line.
  void print(std::ostream& out = std::cout) const {
    std::size_t width = 0;
    for (const auto& line : lines_) width = std::max(width, line.key.size());
    for (const auto& line : lines_) {
      std::ostringstream value;
      value << std::setprecision(10) << line.value << (line.unit == "1" ? "" : " " + line.unit);
      out << std::left << std::setw(static_cast<int>(width) + 2) << line.key << std::setw(24) << value.str()
          << line.meaning << '\n';
    }
  }

  /// Write summary.json into `folder`. Throws std::runtime_error naming the file if that fails.
  void write(const std::filesystem::path& folder, const std::string& program) const {
    const auto path = folder / "summary.json";
    Json json;
    json["program"] = program;
    json["version"] = std::string(dalembert::version);
    json["finished"] = finished;
    if (!error.empty()) json["error"] = error;
    json["parameters"] = parameters;
    json.update(figures_);
    std::ofstream file(path);
    file << json.dump(2) << '\n';
    file.flush();
    if (!file) throw std::runtime_error("cannot write " + path.string());
  }

 private:
  struct Line {
    std::string key;
    double value;
    std::string unit;
    std::string meaning;
  };

  Json figures_ = Json::object();
  std::vector<Line> lines_;
};

/// A run of an example program: where its results go, and what they are.
struct Run {
  std::string name;
  std::filesystem::path out;
  Summary summary{};
};

}  // namespace example
