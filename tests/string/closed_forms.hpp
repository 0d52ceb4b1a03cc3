#pragma once

/// @file
/// Contacts of strings whose motion is known in closed form.

#include <dalembert/string/exact.hpp>

namespace test {

/// A wave that travels around closed strings and drives their contact.
inline dalembert::strings::TravellingWave<> travelling_wave() {
  const double F = 0.8, G1 = 0.7;
  return dalembert::strings::TravellingWave<>{{.pair = {.c = 1.2,
                                                        .F = F,
                                                        .G1 = G1,
                                                        .G2 = F * G1,
                                                        .length = 5,
                                                        .s1 = 1.2,
                                                        .s2 = 1.2,
                                                        .ends = dalembert::strings::Ends::periodic},
                                               .second = 0.3}};
}

/// A standing wave of so many (half) wave lengths, with the contact at s [m].
inline dalembert::strings::StandingWave<> standing_wave(dalembert::strings::Ends ends, double s, int waves) {
  const double F = 0.8, G1 = 0.7;
  return dalembert::strings::StandingWave<>{
      {.pair = {.F = F, .G1 = G1, .G2 = F * G1, .s1 = s, .s2 = s, .ends = ends}, .waves = waves}};
}

}  // namespace test
