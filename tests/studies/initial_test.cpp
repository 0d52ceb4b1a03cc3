#include "contact_strings/initial.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace initial_test {

using Catch::Matchers::ContainsSubstring;
using contact_strings::names_start;
using contact_strings::read_start;
using contact_strings::start_of;
using test::Folder;

std::string number(double x) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", x)));
  return text;
}

TEST_CASE("a start by name has the slope of its displacement, and fits its ends", "[strings]") {
  const double length = 3;
  for (const std::string word : {"sine", "pluck", "gaussian"}) {
    CAPTURE(word);
    REQUIRE(names_start(word));
    const auto start = start_of(word, length);
    const auto& u = start[0].displacement;
    CHECK(std::abs(u(0)) < 1e-7);
    CHECK(std::abs(u(length)) < 1e-7);
    for (double x = 0.05; x < length; x += 0.1) {
      if (std::abs(x - 0.3 * length) < 0.02) continue;  // the pluck's kink
      const double h = 1e-5;
      CHECK(start[0].slope(x) == Approx((u(x + h) - u(x - h)) / (2 * h)).margin(1e-7));
    }
    CHECK_FALSE(start[0].velocity);
    CHECK_FALSE(start[1].displacement);
    CHECK_NOTHROW(check_profile(start[0], dalembert::strings::Ends::fixed, length, "test"));
    CHECK_NOTHROW(check_profile(start[0], dalembert::strings::Ends::periodic, length, "test"));
  }
  CHECK(start_of("sine", length)[0].displacement(length / 4) == Approx(1));
  CHECK(start_of("pluck", length)[0].displacement(0.3 * length) == Approx(1));
  CHECK(start_of("gaussian", length)[0].displacement(0.3 * length) == Approx(0.4));
  CHECK_FALSE(names_start("saw"));
  CHECK_FALSE(names_start("file:"));
}

TEST_CASE("a start is read from a file, with cubics between its points", "[strings]") {
  const Folder folder;
  const double length = 2;
  std::string text = "# units: m, m/s\nx,u,ut,v,vt\n";
  for (int j = 0; j <= 100; ++j) {
    const double x = j == 100 ? length : 0.02 * j * (1 + 1e-3 * (j % 3));  // not quite evenly
    text += number(x);
    for (const double value : {std::sin(2 * x), 1 - x, x * x, std::cos(3 * x)}) text += ", " + number(value);
    text += "\r\n";
  }
  folder.write("start.csv", text);
  const auto start = start_of("file:" + (folder / "start.csv").string(), length);
  for (double x = 0.1; x < 1.9; x += 0.037) {
    CHECK(start[0].displacement(x) == Approx(std::sin(2 * x)).margin(2e-6));
    CHECK(start[0].slope(x) == Approx(2 * std::cos(2 * x)).margin(2e-3));
    CHECK(start[0].velocity(x) == Approx(1 - x).margin(1e-13));
    CHECK(start[1].displacement(x) == Approx(x * x).margin(1e-13));
    CHECK(start[1].slope(x) == Approx(2 * x).margin(1e-11));
    CHECK(start[1].velocity(x) == Approx(std::cos(3 * x)).margin(1e-5));
    const double h = 1e-6;
    CHECK(start[0].slope(x) ==
          Approx((start[0].displacement(x + h) - start[0].displacement(x - h)) / (2 * h)).margin(1e-8));
  }
  CHECK(start[0].displacement(0) == 0);
  CHECK(start[0].displacement(length) == Approx(std::sin(4.0)).epsilon(1e-14));
}

TEST_CASE("a file that is no start is refused with the line that is wrong", "[strings]") {
  const Folder folder;
  const std::string head = "x,u,ut,v,vt\n0,0,0,0,0\n1,1,0,0,0\n", tail = "3,0,0,0,0\n4,0,0,0,0\n";
  const auto refused = [&](const std::string& text, const std::string& why) {
    folder.write("bad.csv", text);
    CAPTURE(text);
    CHECK_THROWS_AS(read_start(folder / "bad.csv", 4), std::invalid_argument);
    CHECK_THROWS_WITH(read_start(folder / "bad.csv", 4),
                      ContainsSubstring("bad.csv") && ContainsSubstring(why));
  };
  folder.write("good.csv", head + "2,0,0,0,0\n" + tail);
  CHECK_NOTHROW(read_start(folder / "good.csv", 4));
  refused(head + "2,0,,0,0\n" + tail, ":4: a number is missing");
  refused(head + "2,0,zero,0,0\n" + tail, ":4: 'zero' is not a finite number");
  refused(head + "2,0,0.1x,0,0\n" + tail, ":4: '0.1x' is not");
  refused(head + "2,0,nan,0,0\n" + tail, ":4: 'nan' is not");
  refused(head + "2,0,1e999,0,0\n" + tail, ":4: '1e999' is not");
  refused(head + "2,0,0,0\n" + tail, ":4: a line must have five numbers");
  refused(head + "2,0,0,0,0,0\n" + tail, ":4: a line must have five numbers");
  refused(head + "\n" + tail, ":4: a line must have five numbers");
  refused(head + "1,0,0,0,0\n" + tail, ":4: x must rise");
  refused("x,u,v\n" + tail, ":1: the header must be x,u,ut,v,vt");
  refused(head, ":3: a string needs 4 points or more");
  refused("", "a string needs 4 points");
  refused(head + "2,0,0,0,0\n3,0,0,0,0\n", "x must go from 0 to the length 4, not from 0 to 3");
  CHECK_THROWS_WITH(read_start(folder / "none.csv", 4), ContainsSubstring("cannot read"));
}

}  // namespace initial_test
