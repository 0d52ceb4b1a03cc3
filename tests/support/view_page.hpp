#pragma once

/// @file
/// Reads back a page that `io::write_view` wrote, by the description in io/viewer.hpp and without its code.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace test {

/// The page's scene, and what its bytes say.
class ViewPage {
 public:
  explicit ViewPage(const std::string& html)
      : scene(nlohmann::json::parse(element(html, "<script id=\"scene\" type=\"application/json\">"))),
        bytes_(bytes_of(element(html, "<script id=\"data\" type=\"application/octet-stream\">"))) {}

  /// The text of an element of the page, from its tag to the next that closes a script.
  static std::string element(const std::string& html, const std::string& tag) {
    const auto at = html.find(tag);
    if (at == std::string::npos) throw std::runtime_error("no " + tag);
    const auto begin = at + tag.size();
    return html.substr(begin, html.find("</script", begin) - begin);
  }

  template <class T>
  [[nodiscard]] std::vector<T> array(std::size_t offset, std::size_t count) const {
    if (offset % 8 != 0 || offset + count * sizeof(T) > bytes_.size())
      throw std::runtime_error("no such array");
    std::vector<T> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), bytes_.data() + offset, count * sizeof(T));
    return numbers;
  }

  [[nodiscard]] std::vector<double> times() const {
    return array<double>(scene.at("times"), scene.at("frames"));
  }

  /// x, y, z of a node in a frame [m]; NaN if there is nothing.
  [[nodiscard]] std::array<double, 3> position(const nlohmann::json& shape, std::size_t frame,
                                               std::size_t node) const {
    const auto words = of(shape, "positions", frame, node);
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i)
      x[i] = words[0] == 65535
                 ? std::nan("")
                 : scene.at("low").at(i).get<double>() + scene.at("quantum").get<double>() * words[i];
    return x;
  }

  /// w, x, y, z.
  [[nodiscard]] std::array<double, 4> turn(const nlohmann::json& shape, std::size_t frame,
                                           std::size_t node) const {
    const auto words = of(shape, "turns", frame, node);
    const std::size_t largest =
        static_cast<std::size_t>(words[0] >> 15U) + 2 * static_cast<std::size_t>(words[1] >> 15U);
    std::array<double, 4> q{};
    double square = 0;
    for (std::size_t i = 0, at = 0; i < 4; ++i) {
      if (i == largest) continue;
      q[i] = (2.0 * (words[at++] & 0x7fffU) / 32767 - 1) / std::sqrt(2.0);
      square += q[i] * q[i];
    }
    q[largest] = std::sqrt(1 - square);
    return q;
  }

  /// The shape or panel of a name.
  [[nodiscard]] const nlohmann::json& shape(const std::string& name) const {
    for (const auto& one : scene.at("shapes"))
      if (one.at("name") == name) return one;
    throw std::runtime_error("no shape " + name);
  }

  nlohmann::json scene;

 private:
  [[nodiscard]] std::array<std::uint16_t, 3> of(const nlohmann::json& shape, const char* what,
                                                std::size_t frame, std::size_t node) const {
    const std::size_t nodes = shape.at("nodes");
    const auto all = array<std::uint16_t>(shape.at(what), 3 * nodes * (frame + 1));
    const std::size_t at = 3 * (frame * nodes + node);
    return {all.at(at), all.at(at + 1), all.at(at + 2)};
  }

  static std::string bytes_of(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t group = 0;
    int count = 0;
    for (const char c : base64) {
      const auto digit = digits.find(c);
      if (digit == std::string::npos) continue;
      group = group << 6U | static_cast<std::uint32_t>(digit);
      if (++count % 4 != 1)
        bytes += static_cast<char>(group >> (count % 4 == 2 ? 4U : count % 4 == 3 ? 2U : 0U) & 255U);
      if (count % 4 == 0) group = 0;
    }
    return bytes;
  }

  std::string bytes_;
};

}  // namespace test
