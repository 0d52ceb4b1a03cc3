#include <dalembert/ensemble/ensemble_file.hpp>

#include <cmath>
#include <functional>

#include "support/catch.hpp"
#include "support/folder.hpp"

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#include <csignal>
#endif

namespace ensemble_file_test {

using namespace dalembert;

EnsembleHeader header(std::uint64_t count = 5) {
  return {.program = "test",
          .parameters = "h = 0.1",
          .names = {"x", "y"},
          .seed = 9,
          .count = count,
          .first = 0,
          .last = count};
}

MemberRecord record(std::uint64_t index) {
  const auto x = static_cast<double>(index);
  return {.index = index, .status = MemberStatus::finished, .time = 0.5 * x, .values = {x, -1 / (1 + x)}};
}

MemberRecord failure(std::uint64_t index) {
  return {.index = index,
          .status = MemberStatus::failed,
          .time = 0.25,
          .values = {std::nan(""), std::nan("")},
          .kind = "ContactOpened",
          .error = "the contact opened"};
}

/// A file with these members.
void write(const std::filesystem::path& path, const std::vector<MemberRecord>& records,
           const EnsembleHeader& of = header()) {
  EnsembleFile file(path, of);
  for (const MemberRecord& each : records) file.append({&each, 1});
}

/// The fault with which a file is opened to go on; its bytes must be what they were.
EnsembleFault fault(const std::filesystem::path& path, const EnsembleHeader& of, const std::string& word) {
  const std::string before = test::text_of(path);
  try {
    EnsembleFile file(path, of);
  } catch (const EnsembleError& error) {
    CHECK_THAT(error.what(), Catch::Contains(word) && Catch::Contains(path.string()));
    CHECK(test::text_of(path) == before);
    return error.fault();
  }
  FAIL("the file was taken");
  return {};
}

TEST_CASE("a file gives back the records that were put into it", "[ensemble]") {
  const test::Folder folder;
  write(folder / "a.runs", {record(0), failure(3)});
  EnsembleFile file(folder / "a.runs", header());
  const auto kept = file.take_kept();
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].values == record(0).values);
  CHECK(kept[0].time == 0);
  CHECK(kept[1].index == 3);
  CHECK(kept[1].status == MemberStatus::failed);
  CHECK(std::isnan(kept[1].values[1]));
  CHECK(kept[1].kind == "ContactOpened");
  CHECK(kept[1].error == "the contact opened");
  CHECK(file.torn() == 0);
}

TEST_CASE("a file cut off anywhere keeps its whole records", "[ensemble]") {
  const test::Folder folder;
  write(folder / "a.runs", {record(0), failure(1), record(2)});
  const std::string whole = test::text_of(folder / "a.runs");
  const std::size_t head = detail::header_bytes(header()).size();
  std::vector<std::size_t> ends{head};  // of the header and of each record
  std::string bytes;
  for (const auto& each : {record(0), failure(1), record(2)}) {
    detail::append_record(bytes, each);
    ends.push_back(head + bytes.size());
  }
  REQUIRE(ends.back() == whole.size());
  for (std::size_t length = head; length < whole.size(); ++length) {
    test::put_text(folder / "b.runs", whole.substr(0, length));
    EnsembleFile file(folder / "b.runs", header());
    std::size_t records = 0;
    while (records + 1 < ends.size() && ends[records + 1] <= length) ++records;
    CAPTURE(length);
    REQUIRE(file.take_kept().size() == records);
    REQUIRE(file.torn() == length - ends[records]);
    REQUIRE(std::filesystem::file_size(folder / "b.runs") == ends[records]);
  }
}

TEST_CASE("a tail of zeros, as after a loss of power, is cut off", "[ensemble]") {
  const test::Folder folder;
  write(folder / "a.runs", {record(0)});
  test::put_text(folder / "a.runs", test::text_of(folder / "a.runs") + std::string(100, '\0'));
  EnsembleFile file(folder / "a.runs", header());
  CHECK(file.take_kept().size() == 1);
  CHECK(file.torn() == 100);
}

TEST_CASE("a byte that changed is seen wherever it is, and nothing is overwritten", "[ensemble]") {
  const test::Folder folder;
  write(folder / "a.runs", {record(0), failure(1), record(2)});
  const std::string whole = test::text_of(folder / "a.runs");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x10);
    test::put_text(folder / "b.runs", wrong);
    CAPTURE(at);
    REQUIRE_THROWS_AS(EnsembleFile(folder / "b.runs", header()), EnsembleError);
    REQUIRE(test::text_of(folder / "b.runs") == wrong);
  }
}

TEST_CASE("a file of another ensemble is refused by what differs", "[ensemble]") {
  const test::Folder folder;
  const auto path = folder / "a.runs";
  write(path, {record(0)});
  const auto other = [](const std::function<void(EnsembleHeader&)>& change) {
    EnsembleHeader changed = header();
    change(changed);
    return changed;
  };
  CHECK(fault(path, other([](auto& h) { h.program = "another"; }), "program = test") ==
        EnsembleFault::program);
  CHECK(fault(path, other([](auto& h) { h.parameters = "h = 0.2"; }), "h = 0.2") ==
        EnsembleFault::parameters);
  CHECK(fault(path, other([](auto& h) { h.names = {"x"}; }), "x, y") == EnsembleFault::record);
  CHECK(fault(path, other([](auto& h) { h.count = h.last = 6; }), "members = 5") == EnsembleFault::count);
  CHECK(fault(path, other([](auto& h) { h.seed = 1; }), "seed = 9") == EnsembleFault::seed);
  CHECK(fault(path, other([](auto& h) { h.last = 4; }), "0:5") == EnsembleFault::range);
}

TEST_CASE("what is no file of an ensemble of this version is refused", "[ensemble]") {
  const test::Folder folder;
  test::put_text(folder / "text", "t,x,y\n0,1,2\n");
  CHECK(fault(folder / "text", header(), "no file of an ensemble") == EnsembleFault::not_an_ensemble);
  test::put_text(folder / "empty", "");
  CHECK(fault(folder / "empty", header(), "no file of an ensemble") == EnsembleFault::not_an_ensemble);
  std::string bytes = detail::header_bytes(header());
  bytes[detail::ensemble_magic.size()] = 2;
  test::put_text(folder / "newer", bytes);
  CHECK(fault(folder / "newer", header(), "format 2") == EnsembleFault::format);
  test::put_text(folder / "short", detail::header_bytes(header()).substr(0, 30));
  CHECK(fault(folder / "short", header(), "header") == EnsembleFault::damaged);
  write(folder / "twice", {record(0), record(0)});
  CHECK(fault(folder / "twice", header(), "first 1 records") == EnsembleFault::damaged);
  CHECK_THROWS_AS(EnsembleFile(folder.path, header()), EnsembleError);
  CHECK_THROWS_AS(EnsembleFile(folder / "none" / "a.runs", header()), EnsembleError);
}

TEST_CASE("a finished file is in the order of members, however they came", "[ensemble]") {
  const test::Folder folder;
  std::vector<MemberRecord> all{record(0), record(1), failure(2), record(3), record(4)};
  {
    EnsembleFile file(folder / "a.runs", header());
    file.append(all);
    file.finish(all);
  }
  {
    EnsembleFile file(folder / "b.runs", header());
    for (const std::size_t i : {3U, 0U, 4U, 2U, 1U}) file.append({&all[i], 1});
    CHECK(test::text_of(folder / "a.runs") != test::text_of(folder / "b.runs"));
    file.finish(all);
  }
  CHECK(test::text_of(folder / "a.runs") == test::text_of(folder / "b.runs"));
  CHECK(folder.names() == std::vector<std::string>{"a.runs", "b.runs"});
}

#if __has_include(<sys/resource.h>)
TEST_CASE("a full disk keeps the members before it, and the run can go on", "[ensemble]") {
  const test::Folder folder;
  EnsembleFile file(folder / "a.runs", header(1000));
  std::vector<MemberRecord> some;
  for (std::uint64_t i = 0; i < 10; ++i) some.push_back(record(i));
  file.append(some);
  const auto size = std::filesystem::file_size(folder / "a.runs");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit narrow{size + 50, before.rlim_max};  // room for half a record
  setrlimit(RLIMIT_FSIZE, &narrow);
  std::string said;
  EnsembleFault what{};
  try {
    some.assign(1, record(10));
    file.append(some);
  } catch (const EnsembleError& error) {
    said = error.what();
    what = error.fault();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(what == EnsembleFault::unwritable);
  CHECK_THAT(said, Catch::Contains("10 members are kept"));
  CHECK(std::filesystem::file_size(folder / "a.runs") == size);
  EnsembleFile again(folder / "a.runs", header(1000));
  CHECK(again.take_kept().size() == 10);
}
#endif

}  // namespace ensemble_file_test
