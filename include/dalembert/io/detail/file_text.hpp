#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

/// What files of text are made of: files whole or not at all, numbers as base64, texts between tags.
namespace dalembert::io::detail {

/// Write `contents` under a temporary name, `path` with ".part" added, and rename: who reads `path` sees the
/// old file or the whole new one. Throws std::runtime_error naming the path and the reason.
[[gnu::cold, gnu::noinline]] inline void replace_file(const std::filesystem::path& path,
                                                      std::string_view contents) {
  std::filesystem::path part = path;
  part += ".part";
  errno = 0;
  std::ofstream file(part, std::ios::binary);
  const bool opened = file.is_open();
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  file.close();
  std::error_code why;
  if (!file) {
    why = errno != 0 ? std::error_code(errno, std::generic_category()) : make_error_code(std::errc::io_error);
  } else {
    std::filesystem::rename(part, path, why);
  }
  if (!why) return;
  std::error_code ignored;
  if (opened) std::filesystem::remove(part, ignored);
  throw std::runtime_error("cannot write " + path.string() + ": " + why.message());
}

/// The bytes as base64.
[[nodiscard]] inline std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

/// Append the bytes of a number, lowest first.
template <class T>
void append_bytes(std::string& bytes, const T& number) {
  auto own = std::bit_cast<std::array<char, sizeof(T)>>(number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(own.begin(), own.end());
  bytes.append(own.data(), own.size());
}

/// The text between tags of XML or HTML, or as the value of an attribute.
[[nodiscard]] inline std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string_view(&c, 1);
  return escaped;
}

}  // namespace dalembert::io::detail
