#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/core/real.hpp>

namespace dalembert::io {

/// What a page says besides what moves.
struct ViewText {
  /// What a run was given.
  struct Parameter {
    std::string name{};   ///< of an option, as a rule
    std::string value{};  ///< as text
    std::string unit{};   ///< if it has one
  };
  std::string title{};                          ///< of the page
  std::string caption{};                        ///< a sentence
  std::vector<Parameter> parameters{};          ///< in the order in which they are shown
  std::optional<double> planned{};              ///< when the run was to end [s]
  std::string error{};                          ///< why it ended early, if it did
  std::string variable = "t";                   ///< what the slider runs through, if it is not time
  std::string unit = "s";                       ///< of that
  bool flat = false;                            ///< a motion in the plane z = 0: seen from above, y being up
  Vec<double, 3> up = Vec<double, 3>::UnitZ();  ///< what is up on the screen
  double yaw = 30;                              ///< how far the eye is turned about up at first [deg]
  double pitch = 25;                            ///< how far it is above the horizon at first [deg]
  double zoom = 1;                              ///< of the first view
  std::string follow{};  ///< the name of the shape that the eye goes with; a reader may let go of it
  std::vector<std::filesystem::path>
      pictures{};  ///< PNG files for browsers that cannot draw in space; those that are not there are left out
};

}  // namespace dalembert::io
