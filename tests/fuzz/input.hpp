#pragma once

/// @file
/// Bytes read as an input: numbers that programs meet and numbers that break them.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>

namespace fuzz {

/// Takes numbers from bytes, in order; where the bytes end there are zeros, so that every string of bytes is an input.
/// The first byte says how wild the input is: the part of its numbers that comes from the palette of `any`. Otherwise
/// nearly all inputs would be refused for one number among many, and what lies behind the checks would never run.
class Input {
 public:
  /// Reads `size` bytes; tells of every number at once if `transcript` is there.
  Input(const std::uint8_t* data, std::size_t size, std::ostream* transcript = nullptr)
      : next_(data), end_(data + size), transcript_(transcript) {
    static constexpr std::array<int, 8> parts{0, 0, 2, 8, 8, 24, 64, 256};
    wild_ = parts[byte() % parts.size()];
  }

  /// The next byte.
  [[nodiscard]] std::uint8_t byte() { return next_ == end_ ? std::uint8_t{0} : *next_++; }

  /// A whole number from `least` to `most`.
  [[nodiscard]] int whole(const char* name, int least, int most) {
    const int value = least + bits<std::uint16_t>() % (most - least + 1);
    note(name, value);
    return value;
  }

  /// Yes or no.
  [[nodiscard]] bool flag(const char* name) { return whole(name, 0, 1) == 1; }

  /// A number of the size of `usual`, which is not 0, with its sign; or any number at all, as often as the input is wild.
  [[nodiscard]] double like(const char* name, double usual) {
    if (is_wild()) return any(name);
    return noted(name, usual * std::exp2(4 * fraction() - 2));
  }

  /// A number between these two; or any number at all, as often as the input is wild.
  [[nodiscard]] double between(const char* name, double least, double most) {
    if (is_wild()) return any(name);
    return noted(name, least + (most - least) * fraction());
  }

  /// Any number: not-a-number, infinite, zero, denormal, huge, tiny, negative, small and whole, ordinary, or any bits.
  [[nodiscard]] double any(const char* name) {
    using Limits = std::numeric_limits<double>;
    static constexpr std::array<double, 24> palette{Limits::quiet_NaN(),
                                                    -Limits::quiet_NaN(),
                                                    Limits::infinity(),
                                                    -Limits::infinity(),
                                                    0.0,
                                                    -0.0,
                                                    Limits::denorm_min(),
                                                    -Limits::denorm_min(),
                                                    Limits::min(),
                                                    Limits::max(),
                                                    Limits::lowest(),
                                                    1e308,
                                                    -1e308,
                                                    1e-308,
                                                    1e155,
                                                    -1e155,
                                                    1e-155,
                                                    1e16,
                                                    -1e9,
                                                    1e-9,
                                                    0.5,
                                                    -0.5,
                                                    3.141592653589793,
                                                    Limits::epsilon()};
    const unsigned kind = byte() % 32u;
    if (kind < palette.size()) return noted(name, palette[kind]);
    if (kind < 27) return noted(name, static_cast<double>(static_cast<std::int8_t>(byte())));
    if (kind < 29) return noted(name, 20 * fraction() - 10);
    if (kind < 30) return noted(name, std::pow(10.0, 600 * fraction() - 300));
    const auto raw = bits<std::uint64_t>();
    double value;
    std::memcpy(&value, &raw, sizeof value);
    return noted(name, value);
  }

  /// Whether all numbers so far were finite.
  [[nodiscard]] bool finite() const noexcept { return finite_; }

  /// Write down what the input says in other ways than numbers.
  void note(const char* name, const std::string& value) {
    if (transcript_ != nullptr) *transcript_ << "  " << name << " = " << value << std::endl;
  }
  void note(const char* name, int value) {
    if (transcript_ != nullptr) note(name, std::to_string(value));
  }

 private:
  [[nodiscard]] bool is_wild() { return wild_ > 0 && byte() < wild_; }

  template <class Word>
  [[nodiscard]] Word bits() {
    Word word = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i) word = static_cast<Word>((word << 8u) | byte());
    return word;
  }
  /// In [0, 1).
  [[nodiscard]] double fraction() { return bits<std::uint32_t>() / 4294967296.0; }

  double noted(const char* name, double value) {
    finite_ = finite_ && std::isfinite(value);
    if (transcript_ != nullptr) {
      std::array<char, 80> text{};
      std::snprintf(text.data(), text.size(), "%.17g (%a)", value, value);
      note(name, std::string(text.data()));
    }
    return value;
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::ostream* transcript_;
  int wild_ = 0;
  bool finite_ = true;
};

}  // namespace fuzz
