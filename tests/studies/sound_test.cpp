#include "support/sound.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/wav.hpp"

namespace sound_test {

using Catch::Matchers::ContainsSubstring;
using test::Folder;

/// A whole number of `width` bytes in a file, its lowest byte first.
std::uint32_t number_at(const std::string& file, std::size_t place, std::size_t width) {
  std::uint32_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8U | static_cast<unsigned char>(file.at(place + i));
  return value;
}

/// A sample of a file whose head is 44 bytes.
int sample_at(const std::string& file, std::size_t i) {
  return static_cast<std::int16_t>(number_at(file, 44 + 2 * i, 2));
}

void check_head(const std::string& file, std::uint32_t rate, std::size_t samples) {
  REQUIRE(file.size() == 44 + 2 * samples);
  CHECK(file.substr(0, 4) == "RIFF");
  CHECK(number_at(file, 4, 4) == file.size() - 8);
  CHECK(file.substr(8, 8) == "WAVEfmt ");
  CHECK(number_at(file, 16, 4) == 16);
  CHECK(number_at(file, 20, 2) == 1);         // PCM
  CHECK(number_at(file, 22, 2) == 1);         // channels
  CHECK(number_at(file, 24, 4) == rate);      // samples a second
  CHECK(number_at(file, 28, 4) == 2 * rate);  // bytes a second
  CHECK(number_at(file, 32, 2) == 2);         // bytes of all channels
  CHECK(number_at(file, 34, 2) == 16);        // bits
  CHECK(file.substr(36, 4) == "data");
  CHECK(number_at(file, 40, 4) == 2 * samples);
}

TEST_CASE("a sound is a file of 16-bit PCM, whoever writes it", "[sound]") {
  const Folder folder;
  const std::vector<double> samples = {0, 1, -1, 0.5, -0.25, 1e-5, 7, -7};
  const std::vector<int> expected = {0, 32767, -32767, 16384, -8192, 0, 32767, -32767};
  example::write_riff(folder / "own.wav", samples, 44100);
  example::write_sound(folder / "sound.wav", samples, 48000);
  for (const auto& [name, rate] : {std::pair{"own.wav", 44100U}, {"sound.wav", 48000U}}) {
    CAPTURE(name);
    const std::string file = test::text_of(folder / name);
    check_head(file, rate, samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) CHECK(sample_at(file, i) == expected[i]);
  }
}

TEST_CASE("other programs know the file for a sound", "[sound]") {
  const Folder folder;
  const std::string path = (folder / "sound.wav").string();
  example::write_sound(path, std::vector<double>(441, 0.1), 44100);
  const auto runs = [](const std::string& command) {
    return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
  };
  if (runs("file --version"))
    CHECK(runs("file '" + path + "' | grep -q 'RIFF.*WAVE audio, Microsoft PCM, 16 bit, mono 44100 Hz'"));
  if (runs("sox --version")) CHECK(runs("sox '" + path + "' -n stat"));
}

TEST_CASE("a sound has the pitch and the length that its signal has", "[sound]") {
  // Fifty turns of cos 2t in steps of π/100 at 441 Hz: a hundred samples of the sound a turn, as many as there are in the signal.
  const double interval = std::acos(-1.0) / 100;
  std::vector<double> signal(5001);
  for (std::size_t j = 0; j < signal.size(); ++j) signal[j] = std::cos(2 * interval * static_cast<double>(j));
  const auto same =
      example::sound_of(signal, interval, {.omega = 2, .hertz = 441, .volume = 0.5, .fading = 0});
  REQUIRE(same.size() == 5001);
  for (std::size_t i = 0; i < same.size(); i += 7) CHECK(same[i] == Approx(0.5 * signal[i]).margin(1e-6));
  // At 300 Hz 147 samples a turn, between those of the signal.
  const auto lower = example::sound_of(signal, interval, {.omega = 2, .hertz = 300, .fading = 0});
  REQUIRE(lower.size() == 50 * 147 + 1);
  for (std::size_t i = 0; i < lower.size(); i += 7)
    CHECK(lower[i] == Approx(std::cos(2 * std::acos(-1.0) * static_cast<double>(i) / 147)).margin(2e-4));
  // It swells and fades.
  const auto faded = example::sound_of(signal, interval, {.omega = 2, .hertz = 441, .fading = 0.02});
  CHECK(faded.front() == 0);
  CHECK(std::abs(faded.back()) < 2e-3);
  CHECK(faded[441] == Approx(0.5 * signal[441]).margin(1e-3));
  CHECK(faded[2000] == Approx(signal[2000]).margin(1e-6));
  CHECK(example::sound_of({1.0}, interval, {.omega = 2, .hertz = 441}).empty());
}

TEST_CASE("a sound that cannot be written is told by name", "[sound]") {
  const Folder folder;
  const auto path = folder / "no_such_folder/sound.wav";
  CHECK_THROWS_WITH(example::write_sound(path, {0, 0}, 44100), ContainsSubstring("no_such_folder"));
  CHECK_THROWS_WITH(example::write_riff(path, {0, 0}, 44100), ContainsSubstring("no_such_folder"));
}

}  // namespace sound_test
