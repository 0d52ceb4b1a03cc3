#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>

/// JSON as it may stand in a page.
namespace dalembert::io::detail {

/// A text in quotes, of which nothing can end the element of the page that it stands in.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 32 || c == '<' || c == '>' || c == '&') {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      quoted += code.data();
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// A number in the fewest digits that give it back; null for what is none.
[[nodiscard]] inline std::string json_number(double number) {
  return std::isfinite(number) ? shortest_text(number) : "null";
}

/// Writes an object, or a list, one member after the other.
class JsonWriter {
 public:
  explicit JsonWriter(char open) : close_(open == '{' ? '}' : ']'), text_(1, open) {}
  /// A member of an object.
  JsonWriter& member(std::string_view name, std::string_view json) {
    return item(json_text(name) + ":" + std::string(json));
  }
  JsonWriter& member(std::string_view name, double number) { return member(name, json_number(number)); }
  JsonWriter& member(std::string_view name, std::size_t number) {
    return member(name, std::to_string(number));
  }
  JsonWriter& member(std::string_view name, int number) { return member(name, std::to_string(number)); }
  JsonWriter& member(std::string_view name, bool truth) { return member(name, truth ? "true" : "false"); }
  JsonWriter& member(std::string_view name, const char* json) { return member(name, std::string_view(json)); }
  /// An item of a list.
  JsonWriter& item(std::string_view json) {
    if (text_.size() > 1) text_ += ",";
    text_ += json;
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_ + close_; }

 private:
  char close_;
  std::string text_;
};

/// A list of a few numbers.
template <class Numbers>
[[nodiscard]] std::string json_numbers(const Numbers& numbers) {
  JsonWriter list('[');
  for (const auto x : numbers) list.item(json_number(static_cast<double>(x)));
  return list.text();
}

}  // namespace dalembert::io::detail
