#include <dalembert/linalg/detail/sparse_entry.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace sparse_entry_test {

using namespace dalembert;
using linalg::SparseEntry;
using Complex = std::complex<double>;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("entries at one place become their sum, in the order of rows and then of columns",
          "[linalg][sparse]") {
  test::Draw draw(test::seed());
  for (const int count : {0, 1, 2, 20, 1000})
    for (const int places : {1, 3, 400}) {
      CAPTURE(count, places);
      std::vector<SparseEntry<Complex>> entries;
      std::map<std::pair<int, int>, Complex> wanted;
      for (int i = 0; i < count; ++i) {
        const int row = draw.below(places), column = draw.below(places);
        const Complex value(draw.below(100), draw.below(100));  // whose sums are exact
        entries.push_back({row, column, value});
        wanted[{row, column}] += value;
      }
      linalg::sum_entries(entries);
      REQUIRE(entries.size() == wanted.size());
      auto next = wanted.begin();
      for (const auto& e : entries) {
        CHECK(std::pair(e.row, e.column) == next->first);
        CHECK(e.value == (next++)->second);
      }
      linalg::sum_entries(entries);  // once more changes nothing
      CHECK(entries.size() == wanted.size());
    }
}

TEST_CASE("sizes of numbers are squares of what they are, without a root", "[linalg][sparse]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 20; ++i) {
    const double x = draw.between(-1, 1) * draw.power(-6, 6), y = draw.between(-1, 1) * draw.power(-6, 6);
    CHECK(linalg::detail::square_of(x) == x * x);
    CHECK(linalg::detail::square_of(Complex(x, y)) == Approx(x * x + y * y).epsilon(1e-15));
  }
}

TEST_CASE("a number is finite where all of its parts are", "[linalg][sparse]") {
  using linalg::detail::is_finite;
  CHECK(is_finite(1e308));
  CHECK(is_finite(Complex(1e308, -1e308)));  // whose size is not
  for (const double wrong : {infinite, -infinite, none}) {
    CHECK_FALSE(is_finite(wrong));
    CHECK_FALSE(is_finite(Complex(wrong, 1)));
    CHECK_FALSE(is_finite(Complex(1, wrong)));
  }
}

}  // namespace sparse_entry_test
