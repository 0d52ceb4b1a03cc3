#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/ensemble/ensemble_error.hpp>
#include <dalembert/ensemble/ensemble_file.hpp>
#include <dalembert/ensemble/ensemble_options.hpp>

/// Job arrays: an ensemble in pieces, each a program of its own with a file of its own, put together.
namespace dalembert {

/// All members out of files of ranges of them, written to `into` with the bytes that one run would have
/// written. Throws EnsembleError naming the first file that is of another ensemble, a member that two files
/// have, or those that none has; std::invalid_argument if there are no files. `into` is then as before. It
/// may not be one of the files, and is replaced only by the same ensemble.
inline EnsembleResult collect_ensemble(const std::vector<std::filesystem::path>& files,
                                       const std::filesystem::path& into) {
  require(!files.empty(), "collect_ensemble", "files", files.size(), "there must be at least one");
  EnsembleHeader whole;
  EnsembleResult result;
  std::vector<std::size_t> owner;  // of each member: the number of its file, from 1
  for (std::size_t i = 0; i < files.size(); ++i) {
    EnsembleContent content = read_ensemble(files[i]);
    if (i == 0) {
      whole = content.header;
      whole.first = 0;
      whole.last = whole.count;
      result.members.resize(static_cast<std::size_t>(whole.count));
      owner.resize(result.members.size());
    }
    detail::check_same_ensemble(files[i], content.header, whole);
    result.torn += content.torn;
    for (MemberRecord& record : content.records) {
      const auto place = static_cast<std::size_t>(record.index);
      if (owner[place] > 0)
        throw EnsembleError(EnsembleFault::overlap,
                            message({"collect_ensemble: member ", record.index, " is in ",
                                     files[owner[place] - 1].string(), " and in ", files[i].string()}));
      owner[place] = i + 1;
      if (record.status != MemberStatus::finished) ++result.failed;
      result.members[place] = std::move(record);
    }
  }
  std::size_t missing = 0, first = owner.size();
  for (std::size_t i = owner.size(); i-- > 0;)
    if (owner[i] == 0) {
      ++missing;
      first = i;
    }
  if (missing > 0)
    throw EnsembleError(EnsembleFault::missing,
                        message({"collect_ensemble: ", missing, " of ", owner.size(),
                                 " members are in none of the files, the first of them is ", first}));
  result.kept = result.members.size();
  std::error_code failure;
  if (std::filesystem::exists(into, failure)) {
    const EnsembleContent there = read_ensemble(into);
    detail::check_same_ensemble(into, there.header, whole);
    if (there.header != whole)
      detail::throw_ensemble_error(EnsembleFault::range, into,
                                   "holds some of the members; it is left as it is");
  }
  detail::write_ensemble(into, whole, result.members);
  return result;
}

}  // namespace dalembert
