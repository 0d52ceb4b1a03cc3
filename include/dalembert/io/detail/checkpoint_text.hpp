#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

namespace dalembert::io {

/// What is wrong with a checkpoint.
enum class CheckpointFault {
  unreadable,        ///< the file cannot be opened or read
  unwritable,        ///< the file cannot be written or put in place
  not_a_checkpoint,  ///< the file does not begin like one
  version,           ///< its format is of a version that this library does not know
  truncated,         ///< its end is missing
  damaged,           ///< its content is not what was written
  scalar,            ///< its numbers have another precision than those of the state
  shape,             ///< it holds a state of another kind or size
};

/// A checkpoint that cannot be read or written; the text names the file.
class CheckpointError : public std::runtime_error {
 public:
  /// `fault` of the file at `path`, in words: "PATH: WHY".
  CheckpointError(CheckpointFault fault, const std::filesystem::path& path, const std::string& why)
      : std::runtime_error(path.string() + ": " + why), fault_(fault) {}
  /// What is wrong.
  [[nodiscard]] CheckpointFault fault() const noexcept { return fault_; }

 private:
  CheckpointFault fault_;
};

}  // namespace dalembert::io

/// The text of a checkpoint, line by line:
///   dalembert checkpoint 1      the format and its version
///   precision 53                binary digits of a number
///   NAME = 3                    a whole number that the state must have too
///   NAME 2 0x1.8p+1 -0x1p-3     numbers, exactly, after how many there are
///   end 0123456789abcdef        the hash of everything above
/// It does not depend on byte order, locale or vector width, and numbers keep every bit.
namespace dalembert::io::detail {

inline constexpr std::string_view checkpoint_magic = "dalembert checkpoint ";
inline constexpr int checkpoint_version = 1;

/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits): it notices damage, not malice.
[[nodiscard]] constexpr std::uint64_t hash(std::string_view text) noexcept {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

/// The hash as 16 hexadecimal digits.
[[nodiscard]] inline std::string hash_text(std::string_view text) {
  std::string digits(16, '0');
  std::uint64_t h = hash(text);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, h >>= 4)
    *digit = "0123456789abcdef"[h & 15u];
  return digits;
}

/// A whole number, if the text is one and nothing else.
template <class Integer>
[[nodiscard]] std::optional<Integer> whole_number(std::string_view text) noexcept {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// The number that `std::hexfloat` wrote in the classic locale. Its digits fit S, so nothing here rounds.
template <PlainReal S>
[[nodiscard]] std::optional<S> exact_number(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t mark = text.find('p');
  if (!text.starts_with("0x") || mark == std::string_view::npos) return {};
  std::string_view exponent = text.substr(mark + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto power = whole_number<int>(exponent);
  if (!power || *power > 100000 || *power < -100000) return {};

  S mantissa = 0;
  int scale = 0, digits = 0;
  bool fraction = false;
  for (const char c : text.substr(2, mark - 2)) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos || ++digits > 32) return {};
    mantissa = mantissa * 16 + static_cast<S>(digit);
    if (fraction) scale -= 4;
  }
  using std::ldexp;
  const S size = ldexp(mantissa, *power + scale);
  if (digits == 0 || !(size <= std::numeric_limits<S>::max())) return {};
  return negative ? -size : size;
}

}  // namespace dalembert::io::detail

namespace dalembert::io {

/// Calls `f` with every number that it visits.
template <class F>
class NumberVisitor {
 public:
  /// Calls `f`, which it keeps.
  explicit NumberVisitor(F f) : f_(std::move(f)) {}
  /// Visit one number.
  template <PlainReal S>
  void operator()(S& number) {
    f_(number);
  }

 private:
  F f_;
};

/// Visits the numbers of a state and writes them down.
template <PlainReal S>
class CheckpointText {
 public:
  /// The first lines.
  CheckpointText() {
    text_.imbue(std::locale::classic());
    text_ << detail::checkpoint_magic << detail::checkpoint_version << "\nprecision "
          << std::numeric_limits<S>::digits << '\n'
          << std::hexfloat;
  }

  /// A whole number that tells the shape of the state.
  void same(const std::string& name, std::int64_t value) { text_ << name << " = " << value << '\n'; }

  /// A whole number from `least` to `most` that belongs to the state.
  template <class Integer>
  void whole(const std::string& name, Integer& value, std::int64_t, std::int64_t) {
    text_ << name << " 1 " << static_cast<std::int64_t>(value) << '\n';
  }

  /// A part of the state. Throws std::invalid_argument, naming it, unless all its numbers are finite.
  template <class Part>
  void operator()(const std::string& name, Part&& part) {
    long count = 0;
    visit_numbers(part, NumberVisitor([&](S&) { ++count; }));
    text_ << name << ' ' << count;
    visit_numbers(part, NumberVisitor([&](S& x) {
                    using std::isfinite;
                    require(isfinite(x), "Checkpoint", name, x, "a state that is saved must be finite");
                    text_ << ' ' << x;
                  }));
    text_ << '\n';
  }

  /// The text with its last line.
  [[nodiscard]] std::string finished() const {
    const std::string text = text_.str();
    return text + "end " + detail::hash_text(text) + '\n';
  }

 private:
  std::ostringstream text_;
};

/// Visits the numbers of a state and reads them; every error throws `CheckpointError`.
template <PlainReal S>
class CheckpointReader {
 public:
  /// For the text of the file at `path`; checks everything but the numbers.
  CheckpointReader(const std::filesystem::path& path, const std::string& text) : path_(path), rest_(text) {
    if (!rest_.starts_with(detail::checkpoint_magic))
      fail(CheckpointFault::not_a_checkpoint, "is no checkpoint");
    rest_.remove_prefix(detail::checkpoint_magic.size());
    const std::string_view version = rest_.substr(0, rest_.find('\n'));
    if (detail::whole_number<int>(version) != detail::checkpoint_version) {
      fail(CheckpointFault::version, "is a checkpoint of format '" + std::string(version.substr(0, 20)) +
                                         "', and this library reads format " +
                                         std::to_string(detail::checkpoint_version));
    }
    const std::size_t last = text.rfind("\nend ") + 1;
    if (last == 0 || text.size() != last + 21 || text.back() != '\n')
      fail(CheckpointFault::truncated, "ends before its last line: the checkpoint is not complete");
    if (text.substr(last + 4, 16) != detail::hash_text(std::string_view(text).substr(0, last)))
      fail(CheckpointFault::damaged, "is damaged: its hash is wrong");
    rest_ = std::string_view(text).substr(0, last);
    (void)line();

    rest_word_ = line();
    if (word() != "precision") fail(CheckpointFault::damaged, "does not tell its precision");
    const auto digits = detail::whole_number<int>(rest_word_);
    if (digits != std::numeric_limits<S>::digits) {
      fail(CheckpointFault::scalar, "holds numbers of " + std::string(rest_word_) +
                                        " binary digits, and those of the state have " +
                                        std::to_string(std::numeric_limits<S>::digits));
    }
  }

  /// Throws unless the state that was saved has `value` too.
  void same(const std::string& name, std::int64_t value) {
    open(name, "=");
    if (const std::string_view found = word(); detail::whole_number<std::int64_t>(found) != value)
      fail(CheckpointFault::shape, "holds a state with " + name + " = " + std::string(found) +
                                       ", and the state to restore has " + std::to_string(value));
  }

  /// Restore a whole number; throws unless it lies between `least` and `most`.
  template <class Integer>
  void whole(const std::string& name, Integer& value, std::int64_t least, std::int64_t most) {
    open(name, "1");
    const std::string_view found = word();
    const auto number = detail::whole_number<std::int64_t>(found);
    if (!number || *number < least || *number > most)
      fail(CheckpointFault::shape, name + " = " + std::string(found) + " does not suit the state to restore");
    value = static_cast<Integer>(*number);
  }

  /// Restore a part.
  template <class Part>
  void operator()(const std::string& name, Part&& part) {
    long count = 0;
    visit_numbers(part, NumberVisitor([&](S&) { ++count; }));
    open(name, std::to_string(count));
    visit_numbers(part, NumberVisitor([&](S& x) {
                    const auto number = detail::exact_number<S>(word());
                    if (!number) fail(CheckpointFault::damaged, name + " holds what is no number");
                    x = *number;
                  }));
    if (!rest_word_.empty()) fail(CheckpointFault::damaged, name + " holds more than it says");
  }

  /// Throws unless everything was read.
  void finish() const {
    if (!rest_.empty()) fail(CheckpointFault::shape, "holds more than the state to restore");
  }

 private:
  [[noreturn]] void fail(CheckpointFault fault, const std::string& why) const {
    throw CheckpointError(fault, path_, why);
  }

  [[nodiscard]] static std::string_view until(std::string_view& text, char mark) noexcept {
    const std::size_t end = text.find(mark);
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return found;
  }
  [[nodiscard]] std::string_view line() noexcept { return until(rest_, '\n'); }
  [[nodiscard]] std::string_view word() noexcept { return until(rest_word_, ' '); }

  /// Go to the next line, which must begin with these two words.
  void open(const std::string& name, const std::string& kind) {
    rest_word_ = line();
    const std::string_view found_name = word(), found_kind = word();
    if (found_name != name || found_kind != kind) {
      const std::string found =
          found_name.empty() ? "nothing" : std::string(found_name) + " (" + std::string(found_kind) + ")";
      fail(CheckpointFault::shape, "holds another kind of state: " + found +
                                       " where the state to restore has " + name + " (" + kind + ")");
    }
  }

  std::filesystem::path path_;
  std::string_view rest_, rest_word_{};
};

}  // namespace dalembert::io
