#include <cmath>
#include <limits>

#include <dalembert/core/pack.hpp>
#include <dalembert/core/real.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace pack_test {

template <class P>
using Lane = std::decay_t<decltype(P()[0])>;

/// start, start + step, …
template <class P>
P ramp(double start, double step) {
  P x;
  for (int i = 0; i < P::width; ++i) x.set(i, static_cast<Lane<P>>(start + i * step));
  return x;
}

template <class P>
void every_lane(const P& given, const P& x, const P& y, Lane<P> (*expected)(Lane<P>, Lane<P>)) {
  for (int i = 0; i < P::width; ++i) {
    CAPTURE(i, x[i], y[i]);
    const Lane<P> number = expected(x[i], y[i]);  // to one rounding: a compiler may fold or contract
    CHECK(std::abs(given[i] - number) <= std::numeric_limits<Lane<P>>::epsilon() * std::abs(number));
  }
}

TEMPLATE_TEST_CASE("arithmetic of packs is that of the lanes", "[core][pack]", (Pack<double, 2>),
                   (Pack<double, 4>), (Pack<double, 8>), (Pack<float, 4>), (Pack<float, 8>),
                   (Pack<float, 16>), NativePack<double>) {
  using P = TestType;
  using T = Lane<P>;
  const P x = ramp<P>(-2, 0.75), y = ramp<P>(3, -0.17);
  every_lane(x + y, x, y, [](T a, T b) { return a + b; });
  every_lane(x - y, x, y, [](T a, T b) { return a - b; });
  every_lane(x * y, x, y, [](T a, T b) { return a * b; });
  every_lane(x / y, x, y, [](T a, T b) { return a / b; });
  every_lane(-x, x, y, [](T a, T) { return -a; });
  every_lane(P(2) * x, x, y, [](T a, T) { return 2 * a; });
  every_lane(abs(x), x, y, [](T a, T) { return std::abs(a); });
  every_lane(sqrt(abs(x)), x, y, [](T a, T) { return std::sqrt(std::abs(a)); });
  every_lane(sin(x), x, y, [](T a, T) { return std::sin(a); });
  every_lane(cos(x), x, y, [](T a, T) { return std::cos(a); });
  every_lane(atan2(x, y), x, y, [](T a, T b) { return std::atan2(a, b); });
  every_lane(min(x, y), x, y, [](T a, T b) { return a < b ? a : b; });
  every_lane(max(x, y), x, y, [](T a, T b) { return a < b ? b : a; });
  every_lane(each_lane(x, [](T a) { return a * a; }), x, y, [](T a, T) { return a * a; });
  P z = x;
  z += y;
  z *= P(2);
  z -= x;
  z /= P(4);
  every_lane(z, x, y, [](T a, T b) { return ((a + b) * 2 - a) / 4; });
}

TEMPLATE_TEST_CASE("masks choose lane by lane", "[core][pack]", (Pack<double, 2>), (Pack<double, 4>),
                   (Pack<double, 8>), (Pack<float, 4>), (Pack<float, 16>)) {
  using P = TestType;
  using T = Lane<P>;
  const P x = ramp<P>(-1, 1), zero(0);
  every_lane(select(x < zero, -x, x), x, x, [](T a, T) { return std::abs(a); });
  every_lane(select(x <= zero, x, P(7)), x, x, [](T a, T) { return a <= 0 ? a : T(7); });
  every_lane(select(x > zero, x, zero), x, x, [](T a, T) { return a > 0 ? a : T(0); });
  every_lane(select(x >= zero, x, zero), x, x, [](T a, T) { return a >= 0 ? a : T(0); });
  CHECK(all_lanes(x >= P(-1)));
  CHECK_FALSE(all_lanes(x > P(-1)));
  CHECK(any_lane(x < zero));
  CHECK_FALSE(any_lane(x < P(-1)));
  for (int i = 0; i < P::width; ++i) {  // each lane by itself
    P y(0);
    y.set(i, T(1));
    CHECK(any_lane(y > zero));
    CHECK_FALSE(all_lanes(y > zero));
    CHECK_FALSE(all_lanes(y <= zero));
    CHECK(all_lanes(select(y > zero, zero, P(1)) <= P(1)));
    CHECK((y > zero)[i]);
  }
  P nan(1);
  nan.set(P::width - 1, std::numeric_limits<T>::quiet_NaN());
  CHECK_FALSE(all_lanes(nan <= P(2)));  // what is not a number takes the careful path
}

TEMPLATE_TEST_CASE("packs load, store, shift and sum", "[core][pack]", (Pack<double, 2>), (Pack<double, 4>),
                   (Pack<double, 8>), (Pack<float, 4>), (Pack<float, 16>)) {
  using P = TestType;
  using T = Lane<P>;
  constexpr int W = P::width;
  T numbers[2 * W + 1];
  for (int i = 0; i < 2 * W + 1; ++i) numbers[i] = static_cast<T>(i + 1);
  const P x = P::load(numbers + 1);  // at no particular alignment
  for (int i = 0; i < W; ++i) CHECK(x[i] == numbers[i + 1]);
  x.store(numbers + 3);
  for (int i = 0; i < W; ++i) CHECK(numbers[i + 3] == static_cast<T>(i + 2));
  CHECK(sum(x) == static_cast<T>(W * (W + 3) / 2));
  const P moved = shift_in(P(9), x);
  CHECK(moved[0] == 9);
  for (int i = 1; i < W; ++i) CHECK(moved[i] == x[i - 1]);
}

TEST_CASE("a pack is an Eigen scalar", "[core][pack]") {
  using P = Pack<double, 4>;
  Mat<P, 2> A;
  A << P(1), P(2), P(3), ramp<P>(0, 1);
  const Vec<P, 2> x(P(5), P(6)), y = A * x, z = 2.0 * y - y;
  CHECK(y[0][3] == 17);
  CHECK(y[1][0] == 15);
  CHECK(y[1][2] == 27);
  CHECK(z[1][2] == 27);
  CHECK(x.dot(y)[1] == 5 * 17 + 6 * 21);
  CHECK(x.squaredNorm()[2] == 61);
  CHECK((A.transpose() * A)(0, 0)[3] == 10);
}

TEST_CASE("of equal numbers in a lane the least and the most are the first, as in the standard library",
          "[core][pack]") {
  using P = Pack<double, 4>;
  for (const double first : {0.0, -0.0}) {
    const double second = -first;
    CHECK(std::signbit(min(P(first), P(second))[1]) == std::signbit(std::min(first, second)));
    CHECK(std::signbit(max(P(first), P(second))[1]) == std::signbit(std::max(first, second)));
  }
}

TEST_CASE("packs are Real, and convert", "[core][pack]") {
  using P = Pack<float, 4>;
  static_assert(Real<P> && PackReal<P> && !PlainReal<P> && !DualReal<P>);
  static_assert(std::same_as<Number<P>, float> && std::same_as<Value<P>, P>);
  const P x = constant<P>(pi);
  CHECK(x[2] == static_cast<float>(pi));
  CHECK(convert<Pack<double, 4>>(x)[1] == static_cast<double>(static_cast<float>(pi)));
  CHECK(convert<P>(0.25)[3] == 0.25f);
  CHECK(value_of(x)[0] == x[0]);
  CHECK(select(true, 1.0, 2.0) == 1);
  CHECK(select(false, 1.0, 2.0) == 2);
}

}  // namespace pack_test
