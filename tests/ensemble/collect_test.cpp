#include <dalembert/ensemble/collect.hpp>

#include <array>

#include <dalembert/ensemble/run_ensemble.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace collect_test {

using namespace dalembert;

std::array<double, 2> member(std::uint64_t index, std::uint64_t seed) {
  if (index % 7 == 3)
    throw ContactOpened("ContactOpened: a contact opened", 0.1 * static_cast<double>(index));
  return {static_cast<double>(index), static_cast<double>(seed >> 11) * 0x1p-53};
}

EnsembleOptions options(const std::filesystem::path& path, std::size_t first = 0, std::size_t last = 50) {
  return {.names = {"index", "number"},
          .seed = 5,
          .file = path,
          .program = "collect",
          .first = first,
          .last = last};
}

std::vector<std::filesystem::path> pieces(const test::Folder& folder, std::size_t count) {
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < count; ++i) {
    files.push_back(folder / (std::to_string(i) + ".piece"));
    (void)run_ensemble(50, member, options(files.back(), 50 * i / count, 50 * (i + 1) / count));
  }
  return files;
}

EnsembleFault fault(const std::vector<std::filesystem::path>& files, const std::filesystem::path& into,
                    const std::string& word) {
  try {
    (void)collect_ensemble(files, into);
  } catch (const EnsembleError& error) {
    CHECK_THAT(error.what(), Catch::Contains(word));
    return error.fault();
  }
  FAIL("they were collected");
  return {};
}

TEST_CASE("pieces of an ensemble have the bytes of one run together", "[ensemble]") {
  const test::Folder folder;
  const auto whole = run_ensemble(50, member, options(folder / "whole"));
  for (const std::size_t count : {1U, 3U, 10U}) {
    CAPTURE(count);
    auto files = pieces(folder, count);
    std::reverse(files.begin(), files.end());
    const auto result = collect_ensemble(files, folder / "collected");
    CHECK(test::text_of(folder / "collected") == test::text_of(folder / "whole"));
    CHECK(result.failed == whole.failed);
    CHECK(result.members.size() == 50);
    CHECK(result.members[3].kind == "ContactOpened");
    std::filesystem::remove(folder / "collected");
    for (const auto& file : files) std::filesystem::remove(file);
  }
}

TEST_CASE("pieces that overlap, are missing or strange are refused", "[ensemble]") {
  const test::Folder folder;
  auto files = pieces(folder, 3);
  const auto into = folder / "collected";
  CHECK(fault({files[0], files[2]}, into, "the first of them is 16") == EnsembleFault::missing);
  CHECK(fault({files[0], files[1], files[1], files[2]}, into, "member 16") == EnsembleFault::overlap);
  auto other = options(folder / "other", 16, 33);
  other.seed = 6;
  (void)run_ensemble(50, member, other);
  CHECK(fault({files[0], other.file, files[2]}, into, "seed = 6") == EnsembleFault::seed);
  CHECK(fault({files[0], folder / "none"}, into, "none") == EnsembleFault::unreadable);
  CHECK(fault(files, files[0], "some of the members") == EnsembleFault::range);
  test::put_text(into, "a text");
  CHECK(fault(files, into, "no file of an ensemble") == EnsembleFault::not_an_ensemble);
  CHECK(test::text_of(into) == "a text");
  CHECK_THROWS_AS(collect_ensemble({}, into), std::invalid_argument);
}

}  // namespace collect_test
