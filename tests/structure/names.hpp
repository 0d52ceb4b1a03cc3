#pragma once

/// @file
/// Names that the library had once, and has no more: each thing has one name, that of the field.

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace structure {

/// Old names and new ones, in two pieces each, so that this file does not accuse itself. A name that ends in "*" is
/// that of all that begin so, one that begins with "*" of all that end so.
inline std::vector<std::pair<std::string, std::string>> old_names() {
  const std::vector<std::array<std::string, 3>> pieces = {
      {"kin", "ds(", "bodies(…), constraints(…)"},
      {"Se", "en", "FrameState"},
      {".sp", "in.", ".angular_velocity"},
      {"Frame", "Place", "FrameMarker"},
      {"Curve", "Place", "CurveMarker"},
      {"Axis", "Place", "AxisMarker"},
      {"Led", "Place", "PrescribedMotion"},
      {"Cross", "ing", "RollingContact"},
      {"Sliding", "Crossing", "FrictionlessContact"},
      {"Rol", "ler", "Cylinder"},
      {"*On", "Roller", "…OnCylinder"},
      {"Sm", "ear*", "KernelAverage, Averag…"},
      {"*Sm", "earing", "…Averaging"},
      {"Bu", "mp", "KernelValue"},
      {"CompactBu", "mp", "CompactKernelValue"},
      {"utili", "sation", "required_friction"},
      {"contact::ro", "lls", "contact::inside_friction_cone"},
      {"contact::vi", "ew(", "contact::evaluate"},
      {"Crossing", "View", "ContactEvaluation"},
      {"String", "Place", "StringMarker"},
      {"Led", "ger", "EnergyMonitor"},
      {"Load", "ed", "WithLoad"},
      {"Own", "Step", "SelfStepping"},
      {"Own", "Stepper", "SelfStepper"},
      {"Ta", "pe", "CharacteristicSolver"},
      {"Spectral", "Tape", "SpectralCharacteristicSolver"},
      {"Pass", "ing", "FrameRates"},
      {"Mov", "ed", "FrameChange"},
      {"Mov", "ing", "PointState"},
      {"state.ch", "ains[", "state[handle]"},
      {"moves_by_", "itself", "has_prescribed_motion"},
  };
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [one, two, now] : pieces) names.emplace_back(one + two, now);
  return names;
}

/// The code of a line, without what stands in strings and comments.
inline std::string code_of(std::string_view line) {
  std::string code;
  bool text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!text && line.substr(i, 2) == "//") break;
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) text = !text;
    if (!text) code += line[i];
  }
  return code;
}

/// Whether a text has a name that is not a part of a longer one, but for what a "*" at its begin or end stands for.
inline bool names_it(const std::string& text, std::string name) {
  const bool ends_so = name.starts_with('*'), begins_so = name.ends_with('*');
  if (ends_so) name.erase(0, 1);
  if (begins_so) name.pop_back();
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (!ends_so && at > 0 && belongs(text[at - 1]) && belongs(name.front())) continue;
    if (!begins_so && end < text.size() && belongs(text[end]) && belongs(name.back())) continue;
    return true;
  }
  return false;
}

/// Headers of the library that a comment or a page names, and that do not exist.
inline std::vector<std::string> named_header_faults(const std::filesystem::path& root) {
  static const std::regex header{"(^|[^\\w/])((\\w+)/(detail/)?\\w+\\.hpp)"};
  std::vector<std::string> faults;
  for (const char* folder : {"include", "cmake/site"}) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".hpp" && kind != ".md") continue;
      if (entry.path().filename() == "dalembert.hpp") continue;  // what it leaves out is looked at elsewhere
      std::ifstream file(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        for (std::sregex_iterator it(line.begin(), line.end(), header), end; it != end; ++it)
          if (std::filesystem::is_directory(root / "include/dalembert" / (*it)[3].str()) &&
              !std::filesystem::exists(root / "include/dalembert" / (*it)[2].str()))
            faults.push_back(std::filesystem::relative(entry.path(), root).generic_string() + ":" +
                             std::to_string(number) + " names " + (*it)[2].str() + ", which is not there");
      }
    }
  }
  return faults;
}

/// Lines of code that use an old name.
inline std::vector<std::string> old_name_faults(const std::filesystem::path& root) {
  std::vector<std::string> faults;
  const auto names = old_names();
  for (const char* folder : {"include", "tests", "bench", "examples"}) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".hpp" && kind != ".cpp") continue;
      std::ifstream file(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        const std::string code = code_of(line);
        for (const auto& [old, now] : names)
          if (names_it(code, old))
            faults.push_back(std::filesystem::relative(entry.path(), root).generic_string() + ":" +
                             std::to_string(number) + " says " + old + ", whose name is " + now);
      }
    }
  }
  return faults;
}

}  // namespace structure
