#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/output_file.hpp"

namespace example {

/// A sample between −1 and 1 as a whole number of 16 bits; what lies beyond is cut off.
[[nodiscard]] inline std::int16_t sixteen_bits(double sample) {
  return static_cast<std::int16_t>(std::lround(32767 * std::clamp(sample, -1.0, 1.0)));
}

/// Write one channel of samples between −1 and 1, `rate` of them a second, as a RIFF file of 16-bit PCM, which any player takes:
///   "RIFF" size "WAVE"   "fmt " 16 format=1 channels=1 rate bytes/s bytes/frame=2 bits=16   "data" size samples
/// all numbers with their lowest byte first. Throws std::runtime_error naming the file if it cannot be written, std::invalid_argument for
/// more samples than its sizes can say.
inline void write_riff(const std::filesystem::path& path, const std::vector<double>& samples,
                       std::uint32_t rate) {
  constexpr std::uint32_t bytes = 2, head = 36;
  if (samples.size() > (0xffffffffU - head) / bytes)
    throw std::invalid_argument("write_riff: samples = " + std::to_string(samples.size()) +
                                ", but a RIFF file holds less than four gigabytes");
  const auto size = static_cast<std::uint32_t>(samples.size()) * bytes;
  std::string file;
  file.reserve(head + 8 + size);
  const auto text = [&](std::string_view four) { file.append(four); };
  const auto number = [&](std::uint32_t value, int width) {
    for (int i = 0; i < width; ++i) file.push_back(static_cast<char>((value >> (8 * i)) & 0xffU));
  };
  text("RIFF"), number(head + size, 4), text("WAVE");
  text("fmt "), number(16, 4), number(1, 2), number(1, 2), number(rate, 4), number(rate * bytes, 4);
  number(bytes, 2), number(8 * bytes, 2);
  text("data"), number(size, 4);
  for (const double sample : samples) number(static_cast<std::uint16_t>(sixteen_bits(sample)), 2);
  OutputFile out(path, std::ios::binary);
  out.write(file.data(), static_cast<std::streamsize>(file.size()));
  out.close();
}

}  // namespace example
