// Studies close the files that they write: a file that is left to its destructor loses its end on a full disk without a word. And they tell
// the hash of what they ended in.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace studies_test {

namespace fs = std::filesystem;

/// The text of the sources in each folder of `root`.
std::map<std::string, std::string> folders(const fs::path& root) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      all[entry.path().parent_path().filename().string()] += test::text_of(entry.path());
  return all;
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.insert((*at)[1].str());
  return found;
}

/// The names of the tables and files that a text has, and of those the ones that it does not close.
std::set<std::string> names(const std::string& text) {
  std::set<std::string> all;
  for (const std::string& list :
       matches(text,
               "(?:CsvWriter|ContactTable|example::Table|BalanceTable|OutputFile)>?\\s+(\\w+(?:, "
               "\\w+)*)\\s*[({;]"))
    for (const std::string& name : matches(list, "(\\w+)")) all.insert(name);
  return all;
}
std::set<std::string> left_open(const std::string& text) {
  std::set<std::string> open = names(text);
  for (const std::string& name : matches(text, "(\\w+)(?:\\.|->)close\\(\\)")) open.erase(name);
  for (const std::string& list : matches(text, "\\{(&[^}]*)\\}\\) \\w+->close\\(\\)"))
    for (const std::string& name : matches(list, "&(\\w+)")) open.erase(name);
  return open;
}

TEST_CASE("studies close the tables and files that they write") {
  std::size_t count = 0;
  for (const auto& [folder, text] : folders(fs::path(DALEMBERT_SOURCE) / "examples/studies")) {
    CAPTURE(folder);
    CHECK(left_open(text) == std::set<std::string>{});
    count += names(text).size();
  }
  CHECK(count > 40);
}

TEST_CASE("studies tell the hash of what they ended in") {
  for (const auto& entry : fs::directory_iterator(fs::path(DALEMBERT_SOURCE) / "examples/studies")) {
    if (!fs::exists(entry.path() / "main.cpp")) continue;
    CAPTURE(entry.path());
    std::string text;
    for (const auto& [folder, part] : folders(entry.path())) text += part;
    CHECK_FALSE(matches(text, "(final_state\\(|ends\\(\\)|support/sweep\\.hpp)").empty());
  }
}

TEST_CASE("a table or file that a study leaves open is seen") {
  using Names = std::set<std::string>;
  CHECK(left_open("io::CsvWriter csv(path, columns);") == Names{"csv"});
  CHECK(left_open("example::Table table_;\n BalanceTable balance_;\n table_.close();") == Names{"balance_"});
  CHECK(left_open("CsvWriter one_, two_;\nstd::optional<io::CsvWriter> three_{};\n two_.close();") ==
        Names{"one_", "three_"});
  CHECK(left_open("OutputFile a(p); OutputFile b(p);\nfor (auto* f : {&a, &b}) f->close();").empty());
}

}  // namespace studies_test
