#pragma once

#include <array>
#include <filesystem>
#include <string>

#include <dalembert/string/strings.hpp>

namespace contact_strings {

/// What both strings do at the start.
using Start = std::array<dalembert::strings::Profile<double>, 2>;

/// Whether `word` names a start: sine, pluck, gaussian, or file:PATH.
[[nodiscard]] bool names_start(const std::string& word);

/// The start of that name for strings of this length [m]. The first string is displaced and at rest, the second lies still:
///   sine       sin(2πx/L)
///   pluck      a triangle 1 m high at 0.3 L
///   gaussian   0.4 exp(−½((x − 0.3 L)/(L/25))²) [m]
///   file:PATH  both as a file says, see `read_start`
[[nodiscard]] Start start_of(const std::string& word, double length);

/// A start from a table with the header line x,u,ut,v,vt (lines that begin with # are skipped), five numbers a line, x rising from 0 to the
/// length [m, m/s]; cubics between them, whose slopes at the points are those of parabolas through three of them.
/// Throws std::invalid_argument "FILE:LINE: …" for anything else.
[[nodiscard]] Start read_start(const std::filesystem::path& path, double length);

}  // namespace contact_strings
