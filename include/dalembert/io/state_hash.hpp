#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include <dalembert/io/checkpoint.hpp>

/// Hashes of states: 64 bits that tell whether two runs ended in the same numbers, bit for bit.
///   std::cout << io::hash_text(io::state_hash(state));
/// It is the hash of Fowler, Noll and Vo (FNV-1a) over the bytes of each number, lowest first, in the order
/// of `visit_numbers` (io/checkpoint.hpp): the time, then bodies or g and ξ, then coordinates without
/// inertia. It depends on what the numbers depend on: compiler, its flags, Eigen, and the C library, whose
/// sine and cosine may differ with the processor. −0 and 0 differ, and so do two values that are not a
/// number.
namespace dalembert::io {

/// The hash of numbers that are added one after another.
class NumberHash {
 public:
  /// Add a number: its bytes, lowest first.
  template <class S>
    requires(std::integral<S> || std::same_as<S, float> || std::same_as<S, double>)
  void add(S number) noexcept {
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;
    Bits bits{};
    if constexpr (std::floating_point<S>)
      bits = std::bit_cast<Bits>(number);
    else
      bits = static_cast<Bits>(number);
    for (std::size_t i = 0; i < sizeof(Bits); ++i, bits >>= 8)
      hash_ = (hash_ ^ (bits & 255U)) * 0x100000001b3U;
  }
  /// A number of more digits than a double: the nearest double, and what is left.
  void add(long double number) noexcept {
    const auto high = static_cast<double>(number);
    add(high);
    add(static_cast<double>(number - static_cast<long double>(high)));
  }
  /// The hash of what was added so far.
  [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

  /// A part of a state, as `visit_numbers` calls it.
  template <class Part>
  void operator()(const std::string&, Part&& part) {
    visit_numbers(part, NumberVisitor([this](const auto& x) { this->add(x); }));
  }
  /// A whole number that belongs to the state.
  template <class Integer>
  void whole(const std::string&, const Integer& value, std::int64_t, std::int64_t) {
    add(static_cast<std::int64_t>(value));
  }
  /// A whole number that tells the shape of the state.
  void same(const std::string&, std::int64_t value) { add(value); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// The hash of a state that checkpoints know.
template <class State>
[[nodiscard]] std::uint64_t state_hash(const State& state) {
  detail::check_state<State>();
  NumberHash hash;
  State copy = state;  // a visit may write, though this one does not
  visit_numbers(copy, hash);
  return hash.value();
}

/// A hash as 16 hexadecimal digits.
[[nodiscard]] inline std::string hash_text(std::uint64_t hash) {
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4)
    *digit = "0123456789abcdef"[hash & 15U];
  return digits;
}

}  // namespace dalembert::io
