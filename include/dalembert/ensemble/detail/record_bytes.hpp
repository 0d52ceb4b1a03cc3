#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <dalembert/ensemble/member.hpp>
#include <dalembert/io/detail/checkpoint_text.hpp>
#include <dalembert/io/detail/file_text.hpp>

/// Records of members as bytes, lowest first on every machine:
///   length u32, its complement u32, index u64, status u8, time f64, values f64 × names,
///   kind u32 + text, error u32 + text, hash u64 of everything since index
/// The length counts what is between its complement and the hash.
namespace dalembert::detail {

using io::detail::append_bytes;

/// Append a text after its length.
inline void append_text(std::string& bytes, std::string_view text) {
  append_bytes(bytes, static_cast<std::uint32_t>(text.size()));
  bytes.append(text);
}

/// Takes numbers and texts off the front of bytes; once they do not suffice all it gives is zero and empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) noexcept : rest_(bytes) {}

  template <class T>
  [[nodiscard]] T number() noexcept {
    std::array<char, sizeof(T)> own{};
    if (rest_.size() < sizeof(T)) {
      good_ = false;
      rest_ = {};
    } else {
      std::memcpy(own.data(), rest_.data(), sizeof(T));
      rest_.remove_prefix(sizeof(T));
    }
    if constexpr (std::endian::native == std::endian::big) std::reverse(own.begin(), own.end());
    return std::bit_cast<T>(own);
  }
  [[nodiscard]] std::string text() {
    const auto length = number<std::uint32_t>();
    good_ = good_ && length <= rest_.size();
    if (!good_) return {};
    std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }
  /// Whether everything that was asked for was there.
  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

/// The bytes around those that the length of a record counts.
inline constexpr std::size_t record_frame = 16;

/// Append a record.
inline void append_record(std::string& bytes, const MemberRecord& record) {
  const std::size_t start = bytes.size();
  bytes.append(8, '\0');  // the length, which is known at the end
  append_bytes(bytes, record.index);
  append_bytes(bytes, static_cast<std::uint8_t>(record.status));
  append_bytes(bytes, record.time);
  for (const double value : record.values) append_bytes(bytes, value);
  append_text(bytes, record.kind);
  append_text(bytes, record.error);
  const auto length = static_cast<std::uint32_t>(bytes.size() - start - 8);
  std::string frame;
  append_bytes(frame, length);
  append_bytes(frame, ~length);
  bytes.replace(start, 8, frame);
  append_bytes(bytes, io::detail::hash(std::string_view(bytes).substr(start + 8)));
}

/// How bytes begin.
enum class RecordBytes { whole, torn, damaged };

/// Take the record at the front of `bytes`, of `length` values: torn if its end is missing, as where a
/// program was killed while it wrote, or if nothing but zeros is left, as where a machine lost its power.
[[nodiscard]] inline RecordBytes take_record(std::string_view& bytes, std::size_t length,
                                             MemberRecord& record) {
  ByteReader frame(bytes);
  const auto size = frame.number<std::uint32_t>(), complement = frame.number<std::uint32_t>();
  if (!frame.good() || bytes.find_first_not_of('\0') == std::string_view::npos) return RecordBytes::torn;
  if (size != ~complement) return RecordBytes::damaged;
  if (bytes.size() < size + record_frame) return RecordBytes::torn;
  const std::string_view content = bytes.substr(8, size);
  ByteReader end(bytes.substr(8 + size, 8)), in(content);
  if (end.number<std::uint64_t>() != io::detail::hash(content)) return RecordBytes::damaged;
  record.index = in.number<std::uint64_t>();
  const auto status = in.number<std::uint8_t>();
  record.status = static_cast<MemberStatus>(status);
  record.time = in.number<double>();
  record.values.resize(length);
  for (double& value : record.values) value = in.number<double>();
  record.kind = in.text();
  record.error = in.text();
  if (!in.good() || !in.rest().empty() || status > static_cast<std::uint8_t>(MemberStatus::expired))
    return RecordBytes::damaged;
  bytes.remove_prefix(size + record_frame);
  return RecordBytes::whole;
}

}  // namespace dalembert::detail
