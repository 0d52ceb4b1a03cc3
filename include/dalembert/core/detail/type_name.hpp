#pragma once

#include <cstddef>
#include <string_view>

/// The name of a class as its source has it, for messages.
namespace dalembert::detail {

/// "Hinge" of the class geometry::Hinge<double>: without namespaces and template arguments.
template <class T>
[[nodiscard]] consteval std::string_view type_name() {
  const std::string_view text = __PRETTY_FUNCTION__;  // "... [with T = geometry::Hinge<double>; ...]"
  std::size_t begin = text.find("T = ") + 4, end = text.size();
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && (c == ';' || c == ']')) {
      if (end == text.size()) end = i;
      break;
    }
    if (c == '<' || c == '(' || c == '{' || c == '[') {
      if (depth++ == 0 && c == '<') end = i;
    } else if (c == '>' || c == ')' || c == '}' || c == ']') {
      --depth;
    } else if (depth == 0 && c == ':') {
      begin = i + 1;
      end = text.size();
    }
  }
  return text.substr(begin, end - begin);
}

}  // namespace dalembert::detail
