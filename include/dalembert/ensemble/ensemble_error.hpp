#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

/// What ends an ensemble, or keeps it from beginning.
namespace dalembert {

/// What is wrong.
enum class EnsembleFault : std::uint8_t {
  unreadable,       ///< the file cannot be opened or read, or is no regular file
  unwritable,       ///< the file cannot be written, as on a full disk: what was written before is kept
  not_an_ensemble,  ///< the file does not begin like one
  format,           ///< its format is of a version that this library does not know
  damaged,          ///< its content is not what was written
  program,          ///< it is another program's
  parameters,       ///< it is of other parameters
  record,           ///< its records have other numbers
  count,            ///< its ensemble has another number of members
  range,            ///< it holds other members of the same ensemble
  seed,             ///< its ensemble has another seed
  overlap,          ///< two files hold the same member
  missing,          ///< some members are in no file
  stopped,          ///< the run was told to end before it was done
  ranks,            ///< processes that are to work together cannot
};

/// An ensemble that cannot begin, go on or be put together; the text names the file, the quantity, and what
/// was kept.
class EnsembleError : public std::runtime_error {
 public:
  /// `fault`, in words.
  EnsembleError(EnsembleFault fault, const std::string& why) : std::runtime_error(why), fault_(fault) {}
  /// What is wrong.
  [[nodiscard]] EnsembleFault fault() const noexcept { return fault_; }

 private:
  EnsembleFault fault_;
};

}  // namespace dalembert
