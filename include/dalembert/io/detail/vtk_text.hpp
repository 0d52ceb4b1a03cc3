#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <dalembert/core/errors.hpp>
#include <dalembert/io/detail/file_text.hpp>

/// How VTK's XML files are put.
namespace dalembert::io::detail {

/// Throws std::invalid_argument for a name that is empty or has control characters, which XML cannot hold.
inline void require_name(const char* class_name, const char* quantity, std::string_view name) {
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
  require(!name.empty() && !control, class_name, quantity, "'" + std::string(name) + "'",
          "a name must have characters, none of them a control character");
}

/// What a VTK file has before its shape or collection.
[[nodiscard]] inline std::string vtk_head(std::string_view type) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VTKFile type=\"" + std::string(type) +
         "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
}

}  // namespace dalembert::io::detail
