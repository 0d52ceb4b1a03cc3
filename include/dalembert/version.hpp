#pragma once

#include <string_view>

/// Nonholonomic rod dynamics: rods, contacts and rolling bodies under the Lagrange–d'Alembert principle.
namespace dalembert {

/// Version of the library, "major.minor.patch". The build system reads this line.
inline constexpr std::string_view version = "0.2.0";

/// First number of `version`: changes when existing programs may have to.
inline constexpr int version_major = 0;
/// Second number of `version`: changes when something is added.
inline constexpr int version_minor = 2;
/// Third number of `version`: changes when something is mended.
inline constexpr int version_patch = 0;

}  // namespace dalembert
