#pragma once

#include <filesystem>
#include <vector>

namespace example {

/// How a signal becomes a sound.
struct Pitch {
  double omega;          ///< angular frequency in the signal [rad/s] …
  double hertz;          ///< … that is heard as this [Hz]
  double volume = 1;     ///< factor on the signal, after which it should lie between −1 and 1
  double rate = 44100;   ///< samples of the sound a second
  double fading = 0.01;  ///< for so long it swells and fades, so that it does not click [s]
};

/// The samples of the sound of a signal whose samples are `interval` apart [s], between −1 and 1: cubics through the signal's samples.
[[nodiscard]] std::vector<double> sound_of(const std::vector<double>& signal, double interval,
                                           const Pitch& pitch);

/// Write a sound of one channel with `rate` samples a second as 16-bit PCM in a WAV file: by libsndfile where the studies were built with it, else by `write_riff`.
/// Throws std::runtime_error naming the file if it cannot be written.
void write_sound(const std::filesystem::path& path, const std::vector<double>& samples, double rate);

}  // namespace example
