#pragma once

/// @file
/// Reads VTK's XML files back, and fails where they are not well-formed.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/real.hpp>

#include "support/catch.hpp"

namespace test::vtk {

using V3 = dalembert::Vec<double, 3>;

inline std::string decode(const std::string& text) {
  REQUIRE(text.size() % 4 == 0);
  std::string bytes;
  const auto digit = [](char c) -> unsigned {
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
    REQUIRE((c == '+' || c == '/'));
    return c == '+' ? 62 : 63;
  };
  for (std::size_t i = 0; i < text.size(); i += 4) {
    unsigned group = 0;
    const int missing = text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    REQUIRE((missing == 0 || i + 4 == text.size()));
    for (std::size_t j = 0; j < 4; ++j) group = group << 6 | (text[i + j] == '=' ? 0 : digit(text[i + j]));
    for (int j = 0; j < 3 - missing; ++j) bytes += static_cast<char>(group >> (16 - 8 * j) & 255);
  }
  return bytes;
}

using Attributes = std::map<std::string, std::string>;

struct Element {
  std::string path;  ///< names of the elements down to this one
  Attributes attributes;
  std::string text;
};

inline std::string unescaped(std::string text) {
  for (const auto& [entity, c] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (auto at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::strlen(entity), c);
  return text;
}

/// The elements of an XML text, in the order of their starts; fails if it is not well-formed.
inline std::vector<Element> parse(const std::string& xml) {
  std::vector<Element> elements;
  std::vector<std::pair<std::string, std::size_t>> open;
  const std::string declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  REQUIRE(xml.starts_with(declaration));
  std::size_t at = declaration.size();
  int roots = 0;
  while ((at = xml.find('<', at)) != std::string::npos) {
    const std::size_t end = xml.find('>', at);
    REQUIRE(end != std::string::npos);
    std::string tag = xml.substr(at + 1, end - at - 1);
    const std::size_t next = std::min(xml.find('<', end), xml.size());
    REQUIRE(tag.find('<') == std::string::npos);
    if (tag.starts_with('/')) {
      REQUIRE(!open.empty());
      REQUIRE(tag.substr(1) == open.back().first);
      open.pop_back();
    } else {
      const bool closed = tag.ends_with('/');
      if (closed) tag.pop_back();
      const std::string name = tag.substr(0, tag.find(' '));
      roots += open.empty();
      Element element{open.empty() ? name : elements[open.back().second].path + "/" + name,
                      {},
                      xml.substr(end + 1, next - end - 1)};
      std::size_t from = name.size();
      while (from < tag.size()) {
        REQUIRE(tag[from] == ' ');
        const std::size_t equals = tag.find("=\"", from), quote = tag.find('"', equals + 2);
        REQUIRE(quote != std::string::npos);
        const std::string key = tag.substr(from + 1, equals - from - 1);
        REQUIRE(
            element.attributes.emplace(key, unescaped(tag.substr(equals + 2, quote - equals - 2))).second);
        from = quote + 1;
      }
      elements.push_back(element);
      if (!closed) open.emplace_back(name, elements.size() - 1);
    }
    at = end;
  }
  REQUIRE(open.empty());
  REQUIRE(roots == 1);
  return elements;
}

/// What a .vtp file says.
class Parsed {
 public:
  explicit Parsed(const std::string& xml) {
    for (const Element& element : parse(xml)) {
      if (element.path.ends_with("/DataArray")) {
        REQUIRE(element.attributes.at("format") == "binary");
        const auto slash = element.path.rfind('/');
        const auto before = element.path.rfind('/', slash - 1);
        const std::string section = element.path.substr(before + 1, slash - before - 1);
        REQUIRE(arrays_.emplace(section + "/" + element.attributes.at("Name"), element).second);
      } else {
        const auto name = element.path.substr(element.path.rfind('/') + 1);
        sections_[name] = element.attributes;
      }
    }
    REQUIRE(sections_.at("VTKFile") == Attributes{{"type", "PolyData"},
                                                  {"version", "1.0"},
                                                  {"byte_order", "LittleEndian"},
                                                  {"header_type", "UInt64"}});
  }

  const Attributes& section(const std::string& name) const { return sections_.at(name); }
  bool has(const std::string& name) const { return arrays_.contains(name); }
  int components(const std::string& name) const {
    return std::stoi(arrays_.at(name).attributes.at("NumberOfComponents"));
  }
  /// The numbers of the array section/name.
  template <class T = double>
  std::vector<T> values(const std::string& name) const {
    const Element& array = arrays_.at(name);
    const std::string type = std::is_same_v<T, double>  ? "Float64"
                             : std::is_same_v<T, float> ? "Float32"
                                                        : "Int64";
    REQUIRE(array.attributes.at("type") == type);
    const std::string bytes = decode(array.text);
    REQUIRE(bytes.size() >= 8);
    REQUIRE(number<std::uint64_t>(bytes, 0) == bytes.size() - 8);
    std::vector<T> all;
    for (std::size_t i = 8; i < bytes.size(); i += sizeof(T)) all.push_back(number<T>(bytes, i));
    return all;
  }
  /// Three numbers of a point.
  V3 vector(const std::string& name, std::int64_t k) const {
    REQUIRE(components("PointData/" + name) == 3);
    const auto all = values("PointData/" + name);
    return {all.at(static_cast<std::size_t>(3 * k)), all.at(static_cast<std::size_t>(3 * k + 1)),
            all.at(static_cast<std::size_t>(3 * k + 2))};
  }
  V3 point(std::int64_t k) const {
    const auto all = values("Points/Points");
    return {all.at(static_cast<std::size_t>(3 * k)), all.at(static_cast<std::size_t>(3 * k + 1)),
            all.at(static_cast<std::size_t>(3 * k + 2))};
  }

 private:
  template <class T>
  static T number(const std::string& bytes, std::size_t at) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits |= std::uint64_t{static_cast<unsigned char>(bytes.at(at + i))} << 8 * i;
    if constexpr (sizeof(T) == 8)
      return std::bit_cast<T>(bits);
    else
      return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  }

  std::map<std::string, Attributes> sections_;
  std::map<std::string, Element> arrays_;
};

/// Whether an error's text has all these parts.
inline auto says(const std::vector<std::string>& parts) {
  std::string all;
  for (const auto& part : parts) all += "'" + part + "' ";
  return Catch::Matchers::Predicate<std::exception>(
      [parts](const std::exception& error) {
        return std::all_of(parts.begin(), parts.end(), [&](auto& part) {
          return std::string(error.what()).find(part) != std::string::npos;
        });
      },
      "says " + all);
}

}  // namespace test::vtk
