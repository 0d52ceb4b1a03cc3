#include "support/summary.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include <dalembert/version.hpp>
#include <nlohmann/json.hpp>

#include "support/output_file.hpp"

namespace example {

namespace {

std::string text(double number) {
  std::ostringstream out;
  out << std::setprecision(10) << number;
  return out.str();
}
std::string with_unit(const std::string& value, const std::string& unit) {
  return unit == "1" ? value : value + " " + unit;
}

}  // namespace

void Summary::parameter(const std::string& name, double value) {
  parameters_.push_back({name, Json(value).dump()});
}
void Summary::parameter(const std::string& name, long value) {
  parameters_.push_back({name, Json(value).dump()});
}
void Summary::parameter(const std::string& name, const std::string& value) {
  parameters_.push_back({name, Json(value).dump()});
}

void Summary::figure(const std::string& key, double value, const std::string& unit,
                     const std::string& meaning) {
  figures_.push_back({key, Json(value).dump()});
  lines_.push_back({key, with_unit(text(value), unit), meaning});
}

void Summary::list(const std::string& key, const std::vector<double>& values, const std::string& unit,
                   const std::string& meaning) {
  figures_.push_back({key, Json(values).dump()});
  std::string all;
  for (const double value : values) all += (all.empty() ? "" : ", ") + text(value);
  lines_.push_back({key, all.empty() ? "none" : with_unit(all, unit), meaning});
}

void Summary::truth(const std::string& key, bool value, const std::string& meaning) {
  figures_.push_back({key, Json(value).dump()});
  lines_.push_back({key, value ? "yes" : "no", meaning});
}

void Summary::hash(const std::string& key, std::uint64_t value, const std::string& meaning) {
  const std::string digits = dalembert::io::hash_text(value);
  figures_.push_back({key, Json(digits).dump()});
  lines_.push_back({key, digits, meaning});
}

void Summary::add_end(std::uint64_t hash, long steps) {
  ends_.add(hash);
  steps_ += steps;
}

void Summary::add_end(const std::vector<double>& numbers, long steps) {
  dalembert::io::NumberHash hash;
  for (const double number : numbers) hash.add(number);
  add_end(hash.value(), steps);
}

void Summary::ends() {
  hash("state_hash", ends_.value(), "hash of what the runs ended in");
  figure("steps", static_cast<double>(steps_), "1", "steps, of all runs");
}

std::string Summary::parameters(std::initializer_list<const char*> without) const {
  std::string all;
  for (const auto& each : parameters_)
    if (std::find(without.begin(), without.end(), each.key) == without.end())
      all += (all.empty() ? "" : ", ") + each.key + " = " + each.json;
  return all;
}

void Summary::group(const std::string& key, std::initializer_list<std::pair<const char*, double>> values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  group(key, json);
}

void Summary::group(const std::string& key, const Json& values) { figures_.push_back({key, values.dump()}); }

void Summary::print() const {
  std::size_t width = 0;
  for (const auto& line : lines_) width = std::max(width, line.key.size());
  for (const auto& line : lines_) {
    std::cout << std::left << std::setw(static_cast<int>(width) + 2) << line.key << std::setw(23)
              << line.value << ' ' << line.meaning << '\n';
  }
}

void Summary::write(const std::filesystem::path& folder, const std::string& program) const {
  Json json;
  json["program"] = program;
  json["version"] = std::string(dalembert::version);
  json["finished"] = finished;
  if (!error.empty()) json["error"] = error;
  json["parameters"] = Json::object();
  for (const auto& each : parameters_) json["parameters"][each.key] = Json::parse(each.json);
  for (const auto& each : figures_) json[each.key] = Json::parse(each.json);
  OutputFile file(folder / "summary.json");
  file << json.dump(2) << '\n';
  file.close();
}

}  // namespace example
