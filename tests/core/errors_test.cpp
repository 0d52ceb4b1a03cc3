#include <dalembert/core/errors.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <dalembert/core/real.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace errors_test {

/// The message of a `require` that does not hold.
template <class Value>
std::string refusal(const Value& value) {
  try {
    require(false, "Rod", "size", value, "it is too large");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

template <class S>
S read(const std::string& text) {
  if constexpr (std::is_same_v<S, float>) return std::strtof(text.c_str(), nullptr);
  if constexpr (std::is_same_v<S, double>) return std::strtod(text.c_str(), nullptr);
  if constexpr (std::is_same_v<S, long double>) return std::strtold(text.c_str(), nullptr);
}

TEST_CASE("a requirement that holds says nothing", "[errors]") {
  CHECK_NOTHROW(require(true, "Rod", "size", 1.0, "it is too large"));
}

TEST_CASE("a wrong parameter is told as it was typed", "[errors]") {
  CHECK(refusal(0.6) == "Rod: size = 0.6, but it is too large");
  CHECK(refusal(0.1f) == "Rod: size = 0.1, but it is too large");
  CHECK(refusal(0.3L) == "Rod: size = 0.3, but it is too large");
  CHECK(refusal(-1.0) == "Rod: size = -1, but it is too large");
  CHECK(refusal(1e-300) == "Rod: size = 1e-300, but it is too large");
  CHECK(refusal(0.1 + 0.2) == "Rod: size = 0.30000000000000004, but it is too large");
  CHECK(refusal(std::nan("")) == "Rod: size = nan, but it is too large");
  CHECK(refusal(-HUGE_VAL) == "Rod: size = -inf, but it is too large");
}

TEST_CASE("a wrong parameter that is no number is told too", "[errors]") {
  CHECK(refusal(1000000) == "Rod: size = 1000000, but it is too large");
  CHECK(refusal("empty") == "Rod: size = empty, but it is too large");
  CHECK(refusal(std::string("6x6 matrix")) == "Rod: size = 6x6 matrix, but it is too large");
  const Mat<double, 2> m{{0.6, 1}, {-2, 1e30}};
  CHECK(refusal(m) == "Rod: size = (0.6, 1; -2, 1e+30), but it is too large");
  CHECK(refusal(Vec<float, 3>(0.1f, 0, 3)) == "Rod: size = (0.1; 0; 3), but it is too large");
}

TEST_CASE("a message is put together of texts and numbers", "[errors]") {
  const std::string name = "rod";
  CHECK(message({}).empty());
  CHECK(message({name, " ", 2, " of ", std::size_t{3}, " is ", 0.3f, " m long, ", -1e-300, ", ", 7L}) ==
        "rod 2 of 3 is 0.300000012 m long, -1e-300, 7");
  CHECK(message({1.0 / 3, " ", 1e300L, " ", std::nan(""), " ", -HUGE_VAL}) == "0.333333333 1e+300 nan -inf");
  CHECK(message({std::numeric_limits<long>::min()}) == "-9223372036854775808");
}

TEMPLATE_TEST_CASE("the shortest text of a number reads back as that number", "[errors]", float, double,
                   long double) {
  using Limits = std::numeric_limits<TestType>;
  std::mt19937_64 random(test::seed());
  for (const TestType x :
       {Limits::min(), Limits::max(), Limits::denorm_min(), Limits::epsilon(), TestType(0)})
    CHECK(read<TestType>(shortest_text(x)) == x);
  for (int i = 0; i < 1000; ++i) {
    const auto digits = static_cast<TestType>(random()) / TestType(3);
    const TestType x = std::ldexp(digits, static_cast<int>(random() % 200) - 150);
    CHECK(read<TestType>(shortest_text(x)) == x);
    CHECK(read<TestType>(shortest_text(-x)) == -x);
  }
}

}  // namespace errors_test
