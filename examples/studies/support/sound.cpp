#include "support/sound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "support/wav.hpp"

#ifdef DALEMBERT_HAS_SNDFILE
#include <sndfile.h>
#endif

namespace example {

std::vector<double> sound_of(const std::vector<double>& signal, double interval, const Pitch& pitch) {
  std::vector<double> sound;
  if (signal.size() < 2) return sound;
  const double two_pi = 2 * std::acos(-1.0);
  // Signal samples from one sample of the sound to the next, and how many of these fit.
  const double stride = two_pi * pitch.hertz / pitch.omega / pitch.rate / interval;
  const auto last = static_cast<long>(signal.size()) - 1;
  const auto count = static_cast<std::size_t>(std::floor(static_cast<double>(last) / stride)) + 1;
  const double length = static_cast<double>(count) / pitch.rate;
  const auto at = [&](long j) { return signal[static_cast<std::size_t>(std::clamp(j, 0L, last))]; };
  sound.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) * stride;
    const long j = std::min(static_cast<long>(place), last - 1);
    const double f = place - static_cast<double>(j);
    const double a = at(j - 1), b = at(j), c = at(j + 1), d = at(j + 2);
    // Catmull and Rom's cubic.
    const double value = b + f / 2 * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
    const double time = static_cast<double>(i) / pitch.rate;
    const double swell =
        pitch.fading > 0 ? std::min({1.0, time / pitch.fading, (length - time) / pitch.fading}) : 1;
    sound.push_back(pitch.volume * swell * value);
  }
  return sound;
}

#ifdef DALEMBERT_HAS_SNDFILE

void write_sound(const std::filesystem::path& path, const std::vector<double>& samples, double rate) {
  SF_INFO info{};
  info.samplerate = static_cast<int>(std::lround(rate));
  info.channels = 1;
  info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  SNDFILE* const file = sf_open(path.string().c_str(), SFM_WRITE, &info);
  if (file == nullptr) throw std::runtime_error("cannot write " + path.string());
  std::vector<short> numbers(samples.size());
  std::transform(samples.begin(), samples.end(), numbers.begin(), sixteen_bits);
  const auto count = static_cast<sf_count_t>(numbers.size());
  const bool written = sf_writef_short(file, numbers.data(), count) == count;
  if (sf_close(file) != 0 || !written) throw std::runtime_error("cannot write " + path.string());
}

#else

void write_sound(const std::filesystem::path& path, const std::vector<double>& samples, double rate) {
  write_riff(path, samples, static_cast<std::uint32_t>(std::lround(rate)));
}

#endif

}  // namespace example
