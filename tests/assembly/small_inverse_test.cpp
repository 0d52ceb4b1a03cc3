#include <dalembert/assembly/detail/small_inverse.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace small_inverse_test {

using dalembert::assembly::detail::find_pseudo_inverse;

/// C Xᵀ = 1 for X = (CCᵀ)⁻¹C, whose rows are sums of those of C: what stands across these is across X.
template <int P, int R>
void check(test::Draw& draw) {
  using Rows = Eigen::Matrix<double, P, R>;
  Rows c, x;
  for (int i = 0; i < P; ++i)
    for (int j = 0; j < R; ++j) c(i, j) = draw.between(-1, 1) + (i == j ? 2.0 : 0.0);
  find_pseudo_inverse(c, x);
  const Eigen::Matrix<double, P, P> one = c * x.transpose();
  CHECK((one - Eigen::Matrix<double, P, P>::Identity()).norm() < 1e-13);
  const Eigen::Matrix<double, P, P> weights = x * x.transpose();
  CHECK((weights * c - x).norm() < 1e-13);
}

TEST_CASE("a pseudo-inverse is one of the rows, and made of them", "[assembly]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 20; ++i) {
    check<1, 1>(draw);
    check<1, 3>(draw);
    check<2, 3>(draw);
    check<2, 5>(draw);
    check<3, 6>(draw);
  }
}

}  // namespace small_inverse_test
