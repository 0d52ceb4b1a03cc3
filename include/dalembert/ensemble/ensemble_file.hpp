#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/ensemble/detail/record_bytes.hpp>
#include <dalembert/ensemble/ensemble_error.hpp>
#include <dalembert/ensemble/member.hpp>

/// Files of ensembles: finished members, appended as they end. A program may be killed at any moment: what it
/// had written is read again, but for a record that it was just writing, which is cut off. When all members
/// are there the file is put into their order: then its bytes do not depend on how many wrote it, or how
/// often they were stopped. Bytes are the same on every machine, lowest first:
///   magic, 16 characters      version u32
///   length of the rest u32    program text, parameters text, seed u64, members u64, first u64, last u64,
///                             names u32 and so many texts
///   hash u64 of all above     records (ensemble/detail/record_bytes.hpp)
/// where a text is its length u32 and its characters.
/// One process at a time may write a file.
namespace dalembert {

/// What an ensemble is, by which a file is known to be of it.
struct EnsembleHeader {
  std::string program{};             ///< which program makes it
  std::string parameters{};          ///< all that its numbers depend on, in any form
  std::vector<std::string> names{};  ///< of the numbers of a record
  std::uint64_t seed = 0;            ///< of the ensemble
  std::uint64_t count = 0;           ///< members of the ensemble
  std::uint64_t first = 0;           ///< the first of those in this file
  std::uint64_t last = 0;            ///< the one behind the last of those in this file

  /// Whether all is the same.
  [[nodiscard]] bool operator==(const EnsembleHeader&) const = default;
};

/// What a file holds.
struct EnsembleContent {
  EnsembleHeader header{};              ///< which ensemble it is
  std::vector<MemberRecord> records{};  ///< as they stand in the file
  std::uint64_t bytes = 0;              ///< of the header and whole records
  std::uint64_t torn = 0;               ///< bytes behind them, of a record that was not written to its end
};

namespace detail {

inline constexpr std::string_view ensemble_magic = "dalembert runs\r\n";
inline constexpr std::uint32_t ensemble_version = 1;

[[nodiscard]] inline std::string header_bytes(const EnsembleHeader& header) {
  std::string rest;
  append_text(rest, header.program);
  append_text(rest, header.parameters);
  for (const std::uint64_t number : {header.seed, header.count, header.first, header.last})
    append_bytes(rest, number);
  append_bytes(rest, static_cast<std::uint32_t>(header.names.size()));
  for (const std::string& name : header.names) append_text(rest, name);
  std::string bytes(ensemble_magic);
  append_bytes(bytes, ensemble_version);
  append_bytes(bytes, static_cast<std::uint32_t>(rest.size()));
  bytes += rest;
  append_bytes(bytes, io::detail::hash(bytes));
  return bytes;
}

[[noreturn]] inline void throw_ensemble_error(EnsembleFault fault, const std::filesystem::path& path,
                                              std::string_view why) {
  throw EnsembleError(fault, message({path.string(), ": ", why}));
}

/// Take the header off the front of `bytes`.
[[nodiscard]] inline EnsembleHeader take_header(const std::filesystem::path& path, std::string_view& bytes) {
  const auto fail = [&](EnsembleFault fault, std::string_view why) {
    throw_ensemble_error(fault, path, why);
  };
  if (!bytes.starts_with(ensemble_magic)) fail(EnsembleFault::not_an_ensemble, "is no file of an ensemble");
  ByteReader fixed(bytes.substr(ensemble_magic.size()));
  const auto format = fixed.number<std::uint32_t>(), length = fixed.number<std::uint32_t>();
  if (fixed.good() && format != ensemble_version)
    fail(EnsembleFault::format,
         message({"has the format ", format, ", and this library reads format ", ensemble_version}));
  const std::size_t size = ensemble_magic.size() + 8 + length;
  if (!fixed.good() || bytes.size() < size + 8) fail(EnsembleFault::damaged, "ends within its header");
  ByteReader in(bytes.substr(ensemble_magic.size() + 8, length)), end(bytes.substr(size, 8));
  EnsembleHeader header;
  header.program = in.text();
  header.parameters = in.text();
  for (std::uint64_t* const number : {&header.seed, &header.count, &header.first, &header.last})
    *number = in.number<std::uint64_t>();
  const auto names = in.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < names && in.good(); ++i) header.names.push_back(in.text());
  if (end.number<std::uint64_t>() != io::detail::hash(bytes.substr(0, size)) || !in.good())
    fail(EnsembleFault::damaged, "has a damaged header: its hash is wrong");
  bytes.remove_prefix(size + 8);
  return header;
}

/// Write a whole file, or leave the one that is there.
inline void write_ensemble(const std::filesystem::path& path, const EnsembleHeader& header,
                           std::span<const MemberRecord> records) {
  std::string bytes = header_bytes(header);
  for (const MemberRecord& record : records) append_record(bytes, record);
  try {
    io::detail::replace_file(path, bytes);
  } catch (const std::runtime_error& error) {
    throw EnsembleError(EnsembleFault::unwritable, error.what());
  }
}

/// Throw the error that names in what a file's ensemble is another one than that which is asked for.
inline void check_same_ensemble(const std::filesystem::path& path, const EnsembleHeader& found,
                                const EnsembleHeader& asked) {
  const auto differ = [&](EnsembleFault fault, std::string_view quantity, const auto& has,
                          const auto& wanted) {
    if (has != wanted)
      throw_ensemble_error(fault, path,
                           message({"has ", quantity, " = ", has, ", and this run has ", wanted,
                                    "; it is left as it is: take another file"}));
  };
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  differ(EnsembleFault::program, "program", found.program, asked.program);
  differ(EnsembleFault::record, "numbers of a record", joined(found.names), joined(asked.names));
  differ(EnsembleFault::count, "members", found.count, asked.count);
  differ(EnsembleFault::parameters, "parameters", found.parameters, asked.parameters);
  differ(EnsembleFault::seed, "seed", found.seed, asked.seed);
}

}  // namespace detail

/// Read the file at `path`. Throws EnsembleError if it is no such file, or one that is damaged.
[[nodiscard]] inline EnsembleContent read_ensemble(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure))
    detail::throw_ensemble_error(EnsembleFault::unreadable, path, "is not there, or no regular file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  if (!file) detail::throw_ensemble_error(EnsembleFault::unreadable, path, "cannot be read");
  const std::string text = std::move(all).str();
  std::string_view rest = text;
  EnsembleContent content{.header = detail::take_header(path, rest)};
  const EnsembleHeader& header = content.header;
  std::vector<bool> seen(static_cast<std::size_t>(
      std::min<std::uint64_t>(header.last - std::min(header.first, header.last), text.size())));
  while (!rest.empty()) {
    MemberRecord record;
    const auto found = detail::take_record(rest, header.names.size(), record);
    if (found == detail::RecordBytes::torn) break;
    const std::uint64_t place = record.index - header.first;
    if (found == detail::RecordBytes::damaged || record.index < header.first || record.index >= header.last ||
        place >= seen.size() || seen[place])
      detail::throw_ensemble_error(
          EnsembleFault::damaged, path,
          message({"is damaged behind its first ", content.records.size(), " records; it is left as it is"}));
    seen[place] = true;
    content.records.push_back(std::move(record));
  }
  content.torn = rest.size();
  content.bytes = text.size() - rest.size();
  return content;
}

/// A file of an ensemble that is being written.
class EnsembleFile {
 public:
  /// Begins the file at `path`, or goes on with that which is there, whose records `kept` then has. Throws
  /// EnsembleError if the file is of another ensemble, or cannot be read or written; then it is as before.
  EnsembleFile(std::filesystem::path path, EnsembleHeader header)
      : path_(std::move(path)), header_(std::move(header)) {
    std::error_code failure;
    if (!std::filesystem::exists(path_, failure) && !failure) {
      detail::write_ensemble(path_, header_, {});
      size_ = detail::header_bytes(header_).size();
    } else {
      EnsembleContent content = read_ensemble(path_);
      detail::check_same_ensemble(path_, content.header, header_);
      if (content.header != header_)
        detail::throw_ensemble_error(
            EnsembleFault::range, path_,
            message({"holds the members ", content.header.first, ":", content.header.last,
                     ", and this run is of ", header_.first, ":", header_.last,
                     "; it is left as it is: take another file"}));
      kept_ = std::move(content.records);
      torn_ = content.torn;
      size_ = content.bytes;
      if (torn_ > 0) std::filesystem::resize_file(path_, size_, failure);
      if (failure) detail::throw_ensemble_error(EnsembleFault::unwritable, path_, failure.message());
      for (const MemberRecord& record : kept_) note(record.index);
    }
    file_.open(path_, std::ios::binary | std::ios::app);
    if (!file_) detail::throw_ensemble_error(EnsembleFault::unwritable, path_, "cannot be opened to write");
  }

  /// The records that were in the file; takes them.
  [[nodiscard]] std::vector<MemberRecord> take_kept() noexcept { return std::move(kept_); }
  /// How many bytes of a record that was not written to its end were cut off.
  [[nodiscard]] std::uint64_t torn() const noexcept { return torn_; }

  /// Append records and hand them to the system. Throws EnsembleError if they do not all get there: then none
  /// of them is in the file, which keeps those before.
  void append(std::span<const MemberRecord> records) {
    std::string bytes;
    for (const MemberRecord& record : records) detail::append_record(bytes, record);
    errno = 0;
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    if (!file_) {
      const std::string why = reason();
      file_.close();
      std::error_code ignored;  // a rest that stays is cut off when the file is read again
      std::filesystem::resize_file(path_, size_, ignored);
      detail::throw_ensemble_error(
          EnsembleFault::unwritable, path_,
          message({"cannot be written: ", why, "; ", written_, " members are kept"}));
    }
    size_ += bytes.size();
    for (const MemberRecord& record : records) note(record.index);
  }

  /// All members are there: put the file into the order of `records`, which are all of them. Throws
  /// EnsembleError if there is no room for the copy; the file then is as before, with all members.
  void finish(std::span<const MemberRecord> records) {
    file_.close();
    if (in_order_) return;
    detail::write_ensemble(path_, header_, records);
    in_order_ = true;
  }

 private:
  void note(std::uint64_t index) noexcept {
    in_order_ = in_order_ && index == header_.first + written_;
    ++written_;
  }
  [[nodiscard]] static std::string reason() {
    return errno != 0 ? std::generic_category().message(errno) : std::string("input or output error");
  }

  std::filesystem::path path_;
  EnsembleHeader header_;
  std::ofstream file_{};
  std::vector<MemberRecord> kept_{};
  std::uint64_t torn_ = 0, size_ = 0, written_ = 0;
  bool in_order_ = true;
};

}  // namespace dalembert
