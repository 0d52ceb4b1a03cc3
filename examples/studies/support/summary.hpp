#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/io/scene.hpp>
#include <dalembert/io/state_hash.hpp>
#include <dalembert/io/view_text.hpp>
#include <nlohmann/json_fwd.hpp>

namespace example {

using Json = nlohmann::ordered_json;

/// What comes out of a run: summary.json in its folder, and the figures on stdout.
class Summary {
 public:
  bool finished = false;  ///< whether the run came to its end
  std::string error{};    ///< what stopped it, if something did

  /// An argument, for summary.json.
  void parameter(const std::string& name, double value);
  void parameter(const std::string& name, long value);
  void parameter(const std::string& name, const std::string& value);

  /// A figure for summary.json, printed with its unit and meaning.
  void figure(const std::string& key, double value, const std::string& unit, const std::string& meaning);

  /// The same of several numbers, in their order.
  void list(const std::string& key, const std::vector<double>& values, const std::string& unit,
            const std::string& meaning);
  /// What holds or does not.
  void truth(const std::string& key, bool value, const std::string& meaning);

  /// A hash, as 16 hexadecimal digits.
  void hash(const std::string& key, std::uint64_t value, const std::string& meaning);
  /// Where a run ended: the hash of its last state (io/state_hash.hpp) and how many steps led there.
  template <class State>
  void final_state(const State& state, long steps) {
    hash("state_hash", dalembert::io::state_hash(state), "hash of the final state");
    figure("steps", static_cast<double>(steps), "1", "steps");
  }
  /// The end of one of several runs: the hash of its last state, or of the numbers that it found, and how many steps led there.
  void add_end(std::uint64_t hash, long steps);
  template <class State>
    requires requires(const State& state) { state.time; }
  void add_end(const State& state, long steps) { add_end(dalembert::io::state_hash(state), steps); }
  void add_end(const std::vector<double>& numbers, long steps);
  /// What was added so far: one hash of all, in their order, and all steps.
  void ends();
  /// The arguments but for these, as a text.
  [[nodiscard]] std::string parameters(std::initializer_list<const char*> without) const;

  /// How far a run was from its constraints at most, as the report of `drive` says, in units of the rows.
  template <class Report>
  void violation(const Report& report) {
    figure("position_violation_max", report.violation.position, "1",
           "largest violation of position rows [SI]");
    figure("velocity_violation_max", report.violation.velocity, "1",
           "largest violation of velocity rows [SI]");
  }

  /// Figures that belong together, under one key of summary.json; not printed.
  void group(const std::string& key, std::initializer_list<std::pair<const char*, double>> values);
  /// The same for any values.
  void group(const std::string& key, const Json& values);

  /// Print the figures, one a line.
  void print() const;

  /// Write summary.json into `folder`. Throws std::runtime_error naming the file if that fails.
  void write(const std::filesystem::path& folder, const std::string& program) const;

 private:
  /// What stands in summary.json.
  struct Entry {
    std::string key;
    std::string json;
  };
  /// What is printed.
  struct Line {
    std::string key;
    std::string value;
    std::string meaning;
  };

  dalembert::io::NumberHash ends_{};
  long steps_ = 0;
  std::vector<Entry> parameters_{}, figures_{};
  std::vector<Line> lines_{};
};

/// A run of a study: where its results go, and what they are. If something was put into the scene, a page that plays it is written to view.html when
/// the run ends, also when it fails.
struct Run {
  std::string name;
  std::filesystem::path out;
  Summary summary{};
  dalembert::io::Scene scene{};
  dalembert::io::ViewText
      view{};  ///< what the page says; title, caption, parameters and end are there already
  mutable std::vector<std::filesystem::path> pictures{};  ///< those that `draw` has made
};

}  // namespace example
