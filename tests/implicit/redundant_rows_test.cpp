// Rows that follow from others, with reactions that do or do not, in every unit.

#include <dalembert/implicit/detail/redundant_rows.hpp>

#include <cstddef>
#include <vector>

#include "support/catch.hpp"

namespace implicit_redundant_rows_test {

using namespace dalembert;
using Column = Vec<double, Eigen::Dynamic>;
constexpr Eigen::Index directions = 3, rows = 4;

/// Reactions of rows 0 to 3, by column. Rows 1 and 3 follow from 0 and 2; of the reactions only 3 does.
Eigen::Matrix<double, directions, rows> reactions(double unit) {
  Eigen::Matrix<double, directions, rows> all;
  all << 1, 2, 0, 0,  //
      0, 0, 1, 1,     //
      0, 1, 0, 0;
  return unit * all;
}

/// A decomposition that took those rows out: what rows 0 and 2 react to a load, to few digits.
struct Decomposition {
  double unit;

  std::vector<std::size_t> taken_out() const { return {directions + 1, directions + 3}; }
  void solve(double* x) const {
    const double rounding = 1 + 1e-9, first = x[0], second = x[1];
    for (Eigen::Index i = 0; i < directions + rows; ++i) x[i] = 0;
    x[directions] = -first / unit * rounding;
    x[directions + 2] = -second / unit * rounding;
  }
};

TEST_CASE("of rows that follow from others those share a load whose reactions do too, in every unit",
          "[implicit][singular]") {
  for (const double unit : {1e-10, 1.0, 1e10}) {
    CAPTURE(unit);
    const auto all = reactions(unit);
    assembly::detail::RedundantRows<double> redundant;
    for (const bool again : {false, true}) {
      CAPTURE(again);
      Column& squares = redundant.start(rows);
      for (Eigen::Index r = 0; r < rows; ++r) squares[r] = all.col(r).squaredNorm();
      Column right(directions + rows);
      redundant.find(Decomposition{unit}, right, [&](const Column& n) {
        right.setZero();
        right.head(directions) = all * n;
        return right.squaredNorm();
      });
      CHECK_FALSE(redundant.empty());
      Column lambda(rows);
      lambda << 1, -2, 3, 7;
      redundant.project(lambda);
      CHECK(lambda[0] == Approx(1).epsilon(1e-8));
      CHECK(lambda[1] == Approx(-2).epsilon(1e-8));
      CHECK(lambda[2] == Approx(5).epsilon(1e-8));
      CHECK(lambda[3] == Approx(5).epsilon(1e-8));
    }
    redundant.clear();
    CHECK(redundant.empty());
    Column lambda(rows);
    lambda << 1, -2, 3, 7;
    redundant.project(lambda);
    CHECK(lambda[3] == Approx(7));
  }
}

}  // namespace implicit_redundant_rows_test
