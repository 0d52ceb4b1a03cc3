#include <dalembert/linalg/cone_text.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <dalembert/linalg/cone_problem.hpp>

#include "support/catch.hpp"
#include "support/comma.hpp"
#include "support/folder.hpp"

namespace cone_text_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using linalg::cone_text;
using linalg::ConeProblem;
using linalg::read_cone_text;
constexpr double infinite = std::numeric_limits<double>::infinity();

template <class S>
bool same_bits(const ConeProblem<S>& a, const ConeProblem<S>& b) {
  const auto same = [](const S& x, const S& y) { return x == y && std::signbit(x) == std::signbit(y); };
  bool all = a.held == b.held && a.friction == b.friction && a.size() == b.size();
  for (Eigen::Index i = 0; all && i < a.size(); ++i) {
    all = same(a.b[i], b.b[i]);
    for (Eigen::Index j = 0; j < a.size(); ++j) all = all && same(a.G(i, j), b.G(i, j));
  }
  return all;
}

template <class S>
ConeProblem<S> random_problem(std::mt19937& engine, int held, std::vector<S> friction) {
  ConeProblem<S> p(held, std::move(friction));
  std::uniform_real_distribution<S> mantissa(-1, 1), power(-30, 30);
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    p.b[i] = mantissa(engine) * std::pow(S(10), power(engine));
    for (Eigen::Index j = 0; j < p.size(); ++j) p.G(i, j) = mantissa(engine);  // not even symmetric
  }
  return p;
}

TEST_CASE("a cone problem comes back from its text bit for bit", "[linalg][cone]") {
  std::mt19937 engine(5);
  for (int i = 0; i < 50; ++i) {
    const auto p = random_problem<double>(engine, i % 3, std::vector<double>(std::size_t(i % 4), 0.1 * i));
    REQUIRE(same_bits(p, read_cone_text(cone_text(p))));
  }
  ConeProblem<double> edge(1, {0, infinite, 1.0 / 3});
  edge.b << -0.0, 5e-324, -1.7976931348623157e308, 1e-310, std::nextafter(1.0, 2.0), 0.1, 1e22, 123456789, 7,
      -1;
  CHECK(same_bits(edge, read_cone_text(cone_text(edge))));
  const ConeProblem<double> none(0, {});
  CHECK(read_cone_text(cone_text(none)).size() == 0);
  const auto single = random_problem<float>(engine, 1, {0.3F});
  CHECK(same_bits(single, read_cone_text<float>(cone_text(single))));
  const auto extended = random_problem<long double>(engine, 1, {0.3L});
  CHECK(same_bits(extended, read_cone_text<long double>(cone_text(extended))));
}

TEST_CASE("the text of a cone problem is as its page says, and the same where numbers have commas",
          "[linalg][cone]") {
  ConeProblem<double> p(1, {infinite});
  p.b << 0.5, -1, 0, 2e-9;
  p.G.diagonal() << 1, 2, 3, 0.1;
  p.G(0, 1) = p.G(1, 0) = -0.25;
  const std::string expected =
      "cone problem 1\nheld 1\nfriction inf\nb 0.5 -1 0 2e-09\n"
      "G 1 -0.25 0 0\nG -0.25 2 0 0\nG 0 0 3 0\nG 0 0 0 0.1\n";
  CHECK(cone_text(p) == expected);
  const test::Comma comma;
  CHECK(cone_text(p) == expected);
  CHECK(same_bits(p, read_cone_text(expected)));
}

TEST_CASE("remarks, blanks and lines of any system may stand in a cone problem", "[linalg][cone]") {
  const auto p = read_cone_text(
      "\n# from a run\r\n  cone problem 1 # of this library\r\nheld\t2\n\nfriction   # none\n"
      "b 1  2\nG 1 0#\n#\nG 0 +1.5e0\n\n# the end");
  CHECK(p.held == 2);
  CHECK(p.size() == 2);
  CHECK(p.G(1, 1) == 1.5);
}

TEST_CASE("a text that is no cone problem is refused with its line, value and rule", "[linalg][cone]") {
  const std::string head = "cone problem 1\nheld 0\nfriction 0.3\n", b = "b 0 0 0\n", row = "G 1 0 0\n";
  const auto refused = [](const std::string& text, std::size_t line, const std::string& words) {
    CAPTURE(text);
    try {
      (void)read_cone_text(text);
      FAIL("it was accepted");
    } catch (const linalg::ConeTextError& error) {
      CHECK(error.line() == line);
      CHECK_THAT(error.what(), ContainsSubstring("line " + std::to_string(line) + ": " + words));
    }
  };
  refused("", 0, "its words = none, but it must begin with \"cone problem\"");
  refused("cone problems 1\n", 1, "its words = cone problems 1");
  refused("cone problem 2\n", 1, "version of the format = 2, but this library reads version 1");
  refused("cone problem 1\nheld -1\n", 2, "rows that hold = -1, but it must be a whole number");
  refused("cone problem 1\nheld\n", 2, "rows that hold = nothing");
  refused("cone problem 1\nheld 99999999999999999999\n", 2, "rows that hold = 9999");
  refused("cone problem 1\nheld 0\nfriction 0.3 x\n", 3, "friction = x, but it must be a number or inf");
  refused("cone problem 1\nheld 0\nfriction -0.3\n", 3, "friction = -0.3, but it must not be negative");
  refused("cone problem 1\nheld 0\nfriction nan\n", 3, "friction = nan");
  refused(head + "b 0 0\n", 4, "numbers of b = 2, but there must be 3");
  refused(head + "b 0 0 inf\n", 4, "an entry of b = inf, but it must be a finite number");
  refused(head + "b 0 0 1e999\n", 4, "an entry of b = 1e999");
  refused(head + "b 0 0 0x1p3\n", 4, "an entry of b = 0x1p3");
  refused(head + "b 0 0 1,5\n", 4, "an entry of b = 1,5");
  refused(head + b + row + "G 0 1 0 0\n", 6, "numbers of a row of G = 4, but there must be 3");
  refused(head + b + row + row, 6, "its words = none, but it must begin with \"G\"");
  refused(head + b + row + row + row + "\n" + row, 9, "its words = G 1 0 0, but nothing may come");
  refused("cone problem 1\nheld 999999999\nfriction\nb 1\n", 4, "numbers of b = 1");  // without its memory
  ConeProblem<double> bad(0, {0.3});
  bad.b[1] = infinite;
  CHECK_THROWS_WITH(cone_text(bad), ContainsSubstring("all must be finite"));
}

TEST_CASE("kept cone problems are solved to the law", "[linalg][cone]") {
  const std::filesystem::path folder = std::filesystem::path(DALEMBERT_TEST_DATA) / "cone";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    CAPTURE(entry.path().filename().string());
    const auto p = read_cone_text(test::text_of(entry.path()));
    const auto found = linalg::solve_cone_problem(p);
    CHECK(found.converged);
    CHECK(p.natural_map(found.P) <= 1e-12 * found.P.lpNorm<Eigen::Infinity>());
    const double work = found.P.dot(p.b + p.G * found.P / 2);
    CHECK(work <= 1e-12 * found.P.cwiseAbs().dot(p.b.cwiseAbs()));
    ++count;
  }
  CHECK(count >= 3);
}

}  // namespace cone_text_test
