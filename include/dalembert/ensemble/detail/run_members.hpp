#pragma once

#include <cctype>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/ensemble/detail/member_log.hpp>
#include <dalembert/ensemble/ensemble_options.hpp>
#include <dalembert/ensemble/member.hpp>

/// Members called one by one or in blocks, and what they throw put into words.
namespace dalembert::detail {

/// The last name of a type as compilers of the Itanium ABI spell it, without namespaces and template
/// arguments: ContactOpened of N9dalembert13ContactOpenedE; the whole text where it is spelt otherwise.
[[nodiscard]] inline std::string plain_type_name(std::string_view spelt) {
  std::string_view rest = spelt, last;
  while (!rest.empty() && (rest.front() == 'N' || rest.front() == 'S' || rest.front() == 't'))
    rest.remove_prefix(1);
  while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front())) != 0) {
    std::size_t length = 0;
    while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front())) != 0) {
      length = 10 * length + static_cast<std::size_t>(rest.front() - '0');
      rest.remove_prefix(1);
    }
    last = rest.substr(0, length);
    rest.remove_prefix(std::min(length, rest.size()));
  }
  return std::string(last.empty() ? spelt : last);
}

/// Put an error into a record: that which caused it, if that is nested in it.
inline void describe(MemberRecord& record, const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& cause) {
    describe(record, cause);
    return;
  } catch (...) {
    // Nothing is known of it; what it is nested in says more.
  }
  record.kind = plain_type_name(typeid(error).name());
  record.error = error.what();
  if (const auto* const state = dynamic_cast<const InvalidState*>(&error); state != nullptr)
    record.time = state->time();
}

/// Put what is thrown into a record.
inline void describe(MemberRecord& record, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    describe(record, error);
  } catch (...) {
    record.kind = "unknown";
    record.error = "something that is no std::exception";
  }
}

/// The record of a member that is through: `thrown` if it threw, else with its values.
[[nodiscard]] inline MemberRecord record_of(const MemberContext& context, std::span<const double> values,
                                            const std::exception_ptr& thrown) {
  MemberRecord record;
  record.index = context.index();
  record.time = context.time();
  record.values.assign(values.begin(), values.end());
  bool finite = true;
  for (const double value : values) finite = finite && std::isfinite(value);
  record.status = finite ? MemberStatus::finished : MemberStatus::not_finite;
  if (thrown) {
    record.status = MemberStatus::failed;
    record.values.assign(values.size(), std::numeric_limits<double>::quiet_NaN());
    describe(record, thrown);
  }
  if (context.was_over()) record.status = MemberStatus::expired;
  return record;
}

/// A member that returns its record, or writes it.
template <class Member>
inline constexpr bool runs_blocks = std::invocable<const Member&, MemberBlock&>;
template <class Member>
inline constexpr bool takes_context = std::invocable<const Member&, MemberContext&>;
template <class Member>
inline constexpr bool takes_numbers = std::invocable<const Member&, std::uint64_t, std::uint64_t>;

/// Copy a record that a member returns: a number, or anything with size() and [].
template <class Returned>
void copy_values(const Returned& returned, std::span<double> values) {
  if constexpr (std::convertible_to<const Returned&, double>) {
    require(values.size() == 1, "run_ensemble", "numbers of a record", 1,
            message({"the ensemble has names for ", values.size()}));
    values[0] = static_cast<double>(returned);
  } else {
    const auto size = static_cast<std::size_t>(returned.size());
    require(values.size() == size, "run_ensemble", "numbers of a record", size,
            message({"the ensemble has names for ", values.size()}));
    for (std::size_t i = 0; i < size; ++i)
      values[i] = static_cast<double>(returned[static_cast<decltype(returned.size())>(i)]);
  }
}

/// Run a range of members, each alone.
template <class Member>
[[nodiscard]] std::vector<MemberRecord> run_one_by_one(const Member& member, const EnsembleOptions& options,
                                                       MemberRange range) {
  std::vector<MemberRecord> records;
  records.reserve(static_cast<std::size_t>(range.count));
  std::vector<double> values(options.names.size());
  for (std::uint64_t i = range.first; i < range.first + range.count; ++i) {
    MemberContext context(i, member_seed(options.seed, i), options.limit, &options.stop);
    std::exception_ptr thrown;
    std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    try {
      if constexpr (runs_blocks<Member>) {
        MemberBlock block({&context, 1}, values);
        member(block);
      } else if constexpr (takes_context<Member>) {
        copy_values(member(context), values);
      } else {
        copy_values(member(i, context.seed()), values);
      }
    } catch (...) {
      thrown = std::current_exception();
    }
    if (context.was_stopped()) break;  // nor will those behind it be asked
    records.push_back(record_of(context, values, thrown));
  }
  return records;
}

/// Run a range of members together. A range that throws is taken apart: who is to blame is so found out.
template <class Member>
[[nodiscard]] std::vector<MemberRecord> run_together(const Member& member, const EnsembleOptions& options,
                                                     MemberRange range) {
  std::vector<MemberContext> contexts;
  for (std::uint64_t i = range.first; i < range.first + range.count; ++i)
    contexts.emplace_back(i, member_seed(options.seed, i), options.limit, &options.stop);
  const std::size_t length = options.names.size();
  std::vector<double> values(length * contexts.size(), std::numeric_limits<double>::quiet_NaN());
  try {
    MemberBlock block(contexts, values);
    member(block);
  } catch (...) {
    return run_one_by_one(member, options, range);
  }
  std::vector<MemberRecord> records;
  for (std::size_t i = 0; i < contexts.size(); ++i)
    if (!contexts[i].was_stopped())
      records.push_back(record_of(contexts[i], std::span(values).subspan(i * length, length), nullptr));
  return records;
}

}  // namespace dalembert::detail
