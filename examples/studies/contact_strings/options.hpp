#pragma once

#include <cmath>
#include <string>

#include <dalembert/string/strings.hpp>

namespace contact_strings {

/// What the study is told.
struct Arguments {
  double c = 1, F = 1, G1 = 0.9, G2 = 0.72;
  double length = 6.283185307179586;
  double s1 = 2, s2 = 2.7;
  std::string ends = "fixed", method = "grid", initial = "sine";
  long points = 512;
  double kernel_width = 0.05;
  double t_end = 1000;
  double lyapunov_t_end = 12000;
  double picture_t_end = 50;
  double pitch = 110;

  /// The parameters of both strings and their contact.
  dalembert::strings::Pair<double> pair() const {
    using dalembert::strings::Ends;
    return {.c = c,
            .F = F,
            .G1 = G1,
            .G2 = G2,
            .length = length,
            .s1 = s1,
            .s2 = s2,
            .ends = ends == "fixed"  ? Ends::fixed
                    : ends == "free" ? Ends::free
                                     : Ends::periodic};
  }
  /// The angular frequency ω₀ of the first harmonic, whose wave is as long as the string [rad/s].
  double omega() const { return 2 * std::acos(-1.0) * c / length; }
  /// Its period, in which waves go once along the string [s].
  double period() const { return length / c; }
};

}  // namespace contact_strings
