#pragma once

#include <string>
#include <vector>

#include <dalembert/core/real.hpp>

namespace rods_lyapunov {

/// What the study is told.
struct Arguments {
  long exponents = 10;
  long elements = 64;                     ///< of each of the two rods
  long net_rods = 2, net_elements = 40;   ///< of each direction, of each rod
  long points = 128;                      ///< of each string
  double smallest = 0.04, largest = 0.4;  ///< amplitudes, as peak velocities over the speed of waves
  long amplitudes = 5;
  double periods = 60;   ///< that are measured
  double settling = 60;  ///< periods before
};

/// The exponents of one motion.
struct Member {
  std::string system{};                                ///< strings, rods or net
  double amplitude = 0;                                ///< peak velocity over the speed of waves
  double period = 0;                                   ///< that of the slowest wave [s]
  dalembert::Vec<double, Eigen::Dynamic> exponents{};  ///< [1/s]
  dalembert::Vec<double, Eigen::Dynamic> errors{};     ///< of them [1/s]
  double flow = 0;           ///< the exponent along the motion, which was removed [1/s]
  double positive_sum = 0;   ///< of those that are three errors above zero [1/s]
  double energy_change = 0;  ///< at the end, relative to the kinetic energy at the start
  std::string failure{};     ///< what ended the motion
};

/// Each measures the member's exponents for its amplitude and says its period.
void measure_strings(const Arguments& arguments, Member& member);
void measure_rods(const Arguments& arguments, Member& member);
void measure_net(const Arguments& arguments, Member& member);

}  // namespace rods_lyapunov
