#include <dalembert/io/csv.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#if __has_include(<sys/resource.h>)
#include <csignal>

#include <sys/resource.h>
#endif

#include "support/catch.hpp"
#include "support/comma.hpp"
#include "support/folder.hpp"

namespace csv_test {

using dalembert::io::CsvWriter;
namespace fs = std::filesystem;
using test::Folder;
using test::text_of;

TEST_CASE("a table has its units, its names and its rows", "[csv]") {
  const Folder folder;
  {
    CsvWriter csv(folder.path / "table.csv", {{"t", "s"}, {"x", "m"}, {"phi", "rad"}});
    csv.row({0, 1.5, -2});
    csv.row(std::vector<double>{0.1, 1e-300, 4});
  }
  REQUIRE(text_of(folder.path / "table.csv") ==
          "# units: t [s], x [m], phi [rad]\n"
          "t,x,phi\n"
          "0,1.5,-2\n"
          "0.10000000000000001,1e-300,4\n");
}

TEST_CASE("numbers read back are the numbers written", "[csv]") {
  const Folder folder;
  const std::vector<double> numbers = {1.0 / 3, 3.141592653589793,  -1e308,
                                       5e-324,  123456789.12345679, std::nextafter(1.0, 2.0)};
  const auto path = folder.path / "numbers.csv";
  {
    CsvWriter csv(path, {{"x", "1"}});
    for (const double x : numbers) csv.row({x});
  }
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  for (const double x : numbers) {
    std::getline(file, line);
    REQUIRE(std::strtod(line.c_str(), nullptr) == x);
  }
}

TEST_CASE("a table is the same in a program whose numbers have commas", "[csv]") {
  const Folder folder;
  const auto path = folder.path / "table.csv";
  {
    const test::Comma comma;
    CsvWriter csv(path, {{"t", "s"}, {"x", "m"}});
    csv.row({0.5, 1.25});
    csv.row({-1234567.25, 1e300});
    csv.close();
  }
  REQUIRE(text_of(path) == "# units: t [s], x [m]\nt,x\n0.5,1.25\n-1234567.25,1.0000000000000001e+300\n");
}

TEST_CASE("what is no number, or none that is finite, is told from numbers", "[csv]") {
  const Folder folder;
  const auto path = folder.path / "table.csv";
  const double infinity = std::numeric_limits<double>::infinity();
  CsvWriter csv(path, {{"x", "1"}});
  for (const double x : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -0.0}) csv.row({x});
  csv.close();
  REQUIRE(text_of(path) == "# units: x [1]\nx\ninf\n-inf\nnan\n-0\n");
}

TEST_CASE("the head is on disk before the first row", "[csv]") {
  const Folder folder;
  const CsvWriter csv(folder.path / "head.csv", {{"t", "s"}});
  REQUIRE(text_of(csv.path()) == "# units: t [s]\nt\n");
}

TEST_CASE("a row of another length is refused", "[csv]") {
  const Folder folder;
  CsvWriter csv(folder.path / "table.csv", {{"t", "s"}, {"x", "m"}});
  REQUIRE_THROWS_AS(csv.row({1}), std::invalid_argument);
  REQUIRE_THROWS_AS(csv.row({1, 2, 3}), std::invalid_argument);
}

TEST_CASE("columns that would break the head are refused by name, before the file is touched", "[csv]") {
  using Catch::Matchers::ContainsSubstring;
  const Folder folder;
  const auto path = folder.path / "head.csv";
  for (const std::string bad : {"a,b", "a\"b", "a\nb", "a\rb"}) {
    REQUIRE_THROWS_AS(CsvWriter(path, {{"t", "s"}, {bad, "m"}}), std::invalid_argument);
    REQUIRE_THROWS_WITH(CsvWriter(path, {{"t", "s"}, {bad, "m"}}),
                        ContainsSubstring("CsvWriter: name of column 1 = '" + bad + "', but"));
  }
  REQUIRE_THROWS_WITH(CsvWriter(path, {{"t", "s\n"}}), ContainsSubstring("CsvWriter: unit of column 0"));
  REQUIRE_FALSE(fs::exists(path));
}

TEST_CASE("a file that cannot be written is named", "[csv]") {
  const Folder folder;
  const auto path = folder.path / "no such folder" / "table.csv";
  REQUIRE_THROWS_AS(CsvWriter(path, {{"t", "s"}}), std::runtime_error);
  REQUIRE_THROWS_WITH(CsvWriter(path, {{"t", "s"}}), Catch::Matchers::ContainsSubstring(path.string()));
}

TEST_CASE("a full disk is noticed", "[csv]") {
  if (!fs::exists("/dev/full")) return;
  REQUIRE_THROWS_AS(CsvWriter("/dev/full", {{"t", "s"}}), std::runtime_error);
}

#if __has_include(<sys/resource.h>)

/// No file of this program may grow beyond `bytes`: a disk that is full from there on.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_CASE("a disk that becomes full on the way is noticed by a later row", "[csv]") {
  const Folder folder;
  CsvWriter csv(folder.path / "table.csv", {{"t", "s"}, {"x", "m"}});
  std::string message;
  {
    const FullDisk disk(1000);
    try {
      for (int i = 0; i < 10000; ++i) csv.row({i / 3.0, i / 7.0});
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
  }
  REQUIRE(message == "cannot write " + csv.path().string());
}

TEST_CASE("rows that a full disk has no room for are missed when the table is closed", "[csv]") {
  const Folder folder;
  CsvWriter csv(folder.path / "table.csv", {{"t", "s"}, {"x", "m"}});
  std::string message;
  {
    const FullDisk disk(100);
    for (int i = 0; i < 50; ++i) csv.row({i / 3.0, i / 7.0});  // less than a buffer
    for (int i = 0; i < 2; ++i) {
      try {
        csv.close();
      } catch (const std::runtime_error& error) {
        message += error.what();
      }
    }
  }
  REQUIRE(message == "cannot write " + csv.path().string() + "cannot write " + csv.path().string());
}

#endif

TEST_CASE("a table that is closed is whole, and takes no more rows", "[csv]") {
  const Folder folder;
  CsvWriter csv(folder.path / "table.csv", {{"t", "s"}});
  csv.row({1});
  csv.close();
  csv.close();
  REQUIRE(text_of(csv.path()) == "# units: t [s]\nt\n1\n");
  REQUIRE_THROWS_WITH(csv.row({2}), "cannot write " + csv.path().string());
}

}  // namespace csv_test
