#include <dalembert/core/detail/small_blocks.hpp>

#include <cmath>
#include <limits>

#include <dalembert/core/detail/flatten.hpp>

#include "support/catch.hpp"

namespace small_blocks_test {

using namespace dalembert;
using detail::block_of;
using detail::columns;
using detail::largest;
using detail::part;
using detail::place;
using detail::stacked;

TEST_CASE("parts of matrices are those that Eigen names", "[small_blocks]") {
  const Mat<double, 3, 4> a = Mat<double, 3, 4>::Random();
  const Vec<double, 5> x = Vec<double, 5>::Random();
  CHECK((part<2>(x) == x.head<2>()));
  CHECK((part<2>(x, 3) == x.tail<2>()));
  CHECK((columns<2>(a, 1) == a.middleCols<2>(1)));
  CHECK((block_of<2, 2>(a, 0, 0) == a.topLeftCorner<2, 2>()));
  CHECK((stacked(part<2>(x), part<3>(x, 2)) == x));
  Mat<double, 3, 4> b = Mat<double, 3, 4>::Zero();
  place(b, 1, 2, columns<2>(a).topRows<2>().eval());
  CHECK((b.bottomRightCorner<2, 2>() == a.topLeftCorner<2, 2>()));
  CHECK(b.topRows<1>().isZero(0));
  CHECK(b.leftCols<2>().isZero(0));
}

TEST_CASE("sums and products of small vectors are those of Eigen", "[small_blocks]") {
  const Mat<double, 3, 4> a = Mat<double, 3, 4>::Random();
  const Vec<double, 4> x = Vec<double, 4>::Random(), y = Vec<double, 4>::Random();
  const Vec<double, 3> z = Vec<double, 3>::Random();
  CHECK((detail::sum(x, y) == x + y));
  CHECK((detail::difference(x, y) == x - y));
  CHECK(std::abs(detail::inner(x, y) - x.dot(y)) < 1e-15);
  CHECK((detail::times(a, x) - a * x).norm() < 1e-15);
  CHECK((detail::transpose_times(a, z) - a.transpose() * z).norm() < 1e-15);
  Vec<double, 4> w = x;
  detail::add_scaled(w, -0.5, y);
  CHECK((w == x - 0.5 * y));
}

TEST_CASE("a function is called once, in one piece of code or not", "[small_blocks]") {
  int calls = 0;
  detail::flattened<true>([&] { ++calls; });
  CHECK(calls == 1);
  detail::flattened<false>([&] { ++calls; });
  CHECK(calls == 2);
}

TEST_CASE("the largest magnitude is not-a-number wherever there is one", "[small_blocks]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(largest(Vec<double, 3>(1, -4, 2)) == 4);
  CHECK(largest(Vec<double, 0>()) == 0);
  for (int i = 0; i < 3; ++i) {
    Vec<double, 3> x(3, -1, 2);
    x[i] = nan;
    CHECK(std::isnan(largest(x)));
  }
  // Lanes of a pack do not heed each other.
  using P = Pack<double, 4>;
  Vec<P, 2> both(P(1), P(-2));
  both[0].lanes[2] = nan;
  both[1].lanes[3] = -7;
  const P most = largest(both);
  CHECK(most[0] == 2);
  CHECK(std::isnan(most[2]));
  CHECK(most[3] == 7);
  Vec<P, 2> later(P(1), P(-2));
  later[1].lanes[1] = nan;
  CHECK(std::isnan(largest(later)[1]));
}

}  // namespace small_blocks_test
