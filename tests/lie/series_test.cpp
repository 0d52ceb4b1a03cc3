#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/series.hpp>

#include "lie/reference.hpp"
#include "support/catch.hpp"

using namespace dalembert;
using reference::Long;

namespace series_test {

/// The largest relative error of `kernel` against `expected` over the sweep, and the angle where it occurs.
struct Worst {
  double error = 0;
  double where = 0;

  template <class S, class Kernel, class Expected>
  static Worst over_angles(const Kernel& kernel, const Expected& expected, double from = 0) {
    return over<S>([](S angle) { return S(angle * angle); }, kernel, expected, from);
  }
  template <class S, class Kernel, class Expected>
  static Worst over_sines(const Kernel& kernel, const Expected& expected) {
    return over<S>([](S angle) { return S(std::sin(angle / 2) * std::sin(angle / 2)); }, kernel, expected, 0);
  }
  template <class S, class Argument, class Kernel, class Expected>
  static Worst over(const Argument& argument, const Kernel& kernel, const Expected& expected, double from) {
    Worst worst;
    for (const double angle : reference::angles()) {
      if (angle < from) continue;
      const S x = argument(static_cast<S>(angle));
      const Long truth = expected(static_cast<Long>(x));
      const auto error = static_cast<double>(std::abs((static_cast<Long>(kernel(x)) - truth) / truth));
      if (!(error <= worst.error)) worst = {error, angle};
    }
    return worst;
  }
};

/// Tolerances in units of ε: what a few roundings cost, and no more.
template <class S>
void kernels_are_accurate(double ulps) {
  const auto check = [&](const std::string& name, Worst worst) {
    CAPTURE(name, worst.error, worst.where);
    CHECK(worst.error <= ulps * static_cast<double>(std::numeric_limits<S>::epsilon()));
  };
  const auto stumpff = [](int k) { return [k](Long x) { return reference::stumpff(k, x); }; };
  check("c0", Worst::over_angles<S>([](S x) { return lie_series::stumpff<0>(x); }, stumpff(0)));
  check("c1", Worst::over_angles<S>([](S x) { return lie_series::stumpff<1>(x); }, stumpff(1)));
  check("c2", Worst::over_angles<S>([](S x) { return lie_series::stumpff<2>(x); }, stumpff(2)));
  check("c3", Worst::over_angles<S>([](S x) { return lie_series::stumpff<3>(x); }, stumpff(3)));
  check("c4", Worst::over_angles<S>([](S x) { return lie_series::stumpff<4>(x); }, stumpff(4)));
  check("c5", Worst::over_angles<S>([](S x) { return lie_series::stumpff<5>(x); }, stumpff(5)));
  check("c7", Worst::over_angles<S>([](S x) { return lie_series::stumpff<7>(x); }, stumpff(7)));
  check("e", Worst::over_angles<S>([](S x) { return lie_series::cot_remainder(x); },
                                   [](Long x) { return reference::cot_remainder(x); }));
  check("e'", Worst::over_angles<S>([](S x) { return lie_series::cot_remainder_derivative(x); },
                                    [](Long x) { return reference::cot_remainder(x, 1); }));
  check("A", Worst::over_sines<S>([](S s) { return lie_series::asinc(s); },
                                  [](Long s) { return reference::asinc(s); }));
  check("D", Worst::over_sines<S>([](S s) { return lie_series::asinc_remainder(s); },
                                  [](Long s) { return reference::asinc(s, 1); }));
}

TEST_CASE("kernels are accurate to a few ulp from 1e-14 to pi in float", "[lie][series]") {
  kernels_are_accurate<float>(4);
}
TEST_CASE("kernels of small angles in float have no denormal numbers on the way", "[lie][series]") {
  volatile float start = 1e-12f;  // nothing is computed before the program runs
  for (float x = start; x > 1e-30f; x *= 0.1f) {
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile float sum =
        lie_series::stumpff<0>(x) + lie_series::stumpff<1>(x) + lie_series::asinc_remainder(x);
    CHECK(std::fetestexcept(FE_UNDERFLOW) == 0);
    CHECK(sum == 1 + 1 + 1.0f / 6);
  }
}
TEST_CASE("kernels are accurate to a few ulp from 1e-14 to pi in double", "[lie][series]") {
  kernels_are_accurate<double>(4.5);
}
TEST_CASE("kernels are accurate to a few ulp from 1e-14 to pi in long double", "[lie][series]") {
  kernels_are_accurate<long double>(7);
}

TEST_CASE("kernels are exact at zero", "[lie][series]") {
  CHECK(lie_series::stumpff<0>(0.0) == 1);
  CHECK(lie_series::stumpff<1>(0.0) == 1);
  CHECK(lie_series::stumpff<2>(0.0) == 0.5);
  CHECK(lie_series::stumpff<3>(0.0) == 1.0 / 6);
  CHECK(lie_series::cot_remainder(0.0) == 1.0 / 12);
  CHECK(lie_series::cot_remainder_derivative(0.0) == 1.0 / 720);
  CHECK(lie_series::asinc(0.0) == 1);
  CHECK(lie_series::asinc_remainder(0.0) == 1.0 / 6);
}

TEST_CASE("kernels keep their values beyond pi, and pass on what is not a number", "[lie][series]") {
  for (double angle = 3.1; angle < 6.2; angle += 0.01) {
    const double x = angle * angle;
    const Long lx = static_cast<Long>(x), cosine = std::cos(std::sqrt(lx)),
               sine = std::sin(std::sqrt(lx)) / std::sqrt(lx);
    CAPTURE(angle);
    CHECK(lie_series::stumpff<2>(x) == Approx(static_cast<double>((1 - cosine) / lx)).epsilon(1e-14));
    CHECK(lie_series::stumpff<3>(x) == Approx(static_cast<double>((1 - sine) / lx)).epsilon(2e-15));
    CHECK(lie_series::stumpff<5>(x) ==
          Approx(static_cast<double>((1 / 6.0L - (1 - sine) / lx) / lx)).epsilon(4e-15));
    const Long half = std::sqrt(lx) / 2, e = (1 - half / std::tan(half)) / lx;
    CHECK(lie_series::cot_remainder(x) == Approx(static_cast<double>(e)).epsilon(2e-15));
    CHECK(lie_series::cot_remainder_derivative(x) ==
          Approx(static_cast<double>((0.125L - 1.5L * e + 0.5L * lx * e * e) / lx)).epsilon(1e-14));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(lie_series::stumpff<1>(nan)));
  CHECK(std::isnan(lie_series::cot_remainder(nan)));
  CHECK(std::isnan(lie_series::asinc(nan)));
  CHECK(lie_series::asinc(1 + 1e-15) == Approx(static_cast<double>(pi / 2)));
}

TEST_CASE("the kernel of the inverse Jacobian follows from A and D", "[lie][series]") {
  for (double half = 0.01; half < 1.55; half += 0.02) {
    const double w = std::cos(half), sigma = std::sin(half) * std::sin(half);
    const double A = lie_series::asinc(sigma), D = lie_series::asinc_remainder(sigma);
    CHECK((1 / (1 + w) - w * D) / (4 * A * A) ==
          Approx(lie_series::cot_remainder(4 * half * half)).epsilon(2e-15));
  }
}

/// Value, first and second derivative of a kernel at x by duals of duals.
template <class Kernel>
Vec<double, 3> jet(const Kernel& kernel, double x) {
  using D = Dual<double, 1>;
  const Dual<D, 1> y = kernel(Dual<D, 1>::variable(D::variable(x, 0), 0));
  CHECK(y.value().derivative(0) == y.derivative(0).value());
  return {y.value().value(), y.derivative(0).value(), y.derivative(0).derivative(0)};
}

template <int K>
Vec<double, 3> stumpff_jet(double x) {
  const auto c = [x](int k) { return reference::stumpff(k, static_cast<Long>(x)); };
  const auto slope = [&](int k) { return (static_cast<Long>(k) * c(k + 2) - c(k + 1)) / 2; };
  return {static_cast<double>(c(K)), static_cast<double>(slope(K)),
          static_cast<double>((static_cast<Long>(K) * slope(K + 2) - slope(K + 1)) / 2)};
}

void check_jet(const Vec<double, 3>& given, const Vec<double, 3>& expected) {
  CAPTURE(given.transpose(), expected.transpose());
  CHECK(std::abs(given[1] - expected[1]) <= 4e-15 * std::abs(expected[1]));
  CHECK(std::abs(given[2] - expected[2]) <= 2e-14 * std::abs(expected[2]));
}

TEST_CASE("duals differentiate the kernels twice, at zero too", "[lie][series]") {
  for (const double angle : {0.0, 1e-9, 1e-4, 0.1, 0.7, 0.999, 1.001, 1.49, 1.51, 2.4, 3.1}) {
    const double x = angle * angle;
    CAPTURE(angle);
    check_jet(jet([](const auto& s) { return lie_series::stumpff<1>(s); }, x), stumpff_jet<1>(x));
    check_jet(jet([](const auto& s) { return lie_series::stumpff<2>(s); }, x), stumpff_jet<2>(x));
    check_jet(jet([](const auto& s) { return lie_series::stumpff<3>(s); }, x), stumpff_jet<3>(x));
    check_jet(jet([](const auto& s) { return lie_series::stumpff<5>(s); }, x), stumpff_jet<5>(x));
    check_jet(jet([](const auto& s) { return lie_series::cot_remainder(s); }, x),
              {0, static_cast<double>(reference::cot_remainder(static_cast<Long>(x), 1)),
               static_cast<double>(reference::cot_remainder(static_cast<Long>(x), 2))});
  }
  // c₀ by itself: its derivatives are known
  check_jet(jet([](const auto& s) { return lie_series::stumpff<0>(s); }, 0.0), {1, -0.5, 1.0 / 12});
}

TEST_CASE("duals differentiate A and D twice", "[lie][series]") {
  for (const double sigma : {0.0, 1e-12, 0.01, 0.0624, 0.0626, 0.2, 0.249, 0.251, 0.4, 0.6, 0.9}) {
    CAPTURE(sigma);
    for (int m = 0; m < 2; ++m) {
      CAPTURE(m);
      const Vec<double, 3> given =
          m == 0 ? jet([](const auto& s) { return lie_series::asinc(s); }, sigma)
                 : jet([](const auto& s) { return lie_series::asinc_remainder(s); }, sigma);
      // Term by term: Σ n a_{n+m} σⁿ⁻¹ and Σ n(n−1) a_{n+m} σⁿ⁻².
      Long first = 0, second = 0, power = 1, a = reference::asinc(0, m + 1), previous = 0;
      for (int n = 1; n < 2000; ++n) {
        first += static_cast<Long>(n) * a * power;
        second += static_cast<Long>(n * (n - 1)) * a * previous;
        previous = power;
        power *= static_cast<Long>(sigma);
        const Long k = n + m + 1;
        a *= (2 * k - 1) * (2 * k - 1) / (2 * k * (2 * k + 1));
      }
      CHECK(given[1] == Approx(static_cast<double>(first)).epsilon(2e-14));
      CHECK(given[2] == Approx(static_cast<double>(second)).epsilon(3e-13));
    }
  }
}

/// Every lane of a pack against the plain kernel.
template <class T, int W, class Kernel>
void lanes_agree(const Kernel& kernel, double top) {
  using P = Pack<T, W>;
  const auto agree = [&](const P& x) {
    const P y = kernel(x);
    for (int i = 0; i < W; ++i) {
      const double expected = static_cast<double>(kernel(x[i]));
      CAPTURE(i, x[i]);
      CHECK(std::abs(static_cast<double>(y[i]) - expected) <=
            4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::max(std::abs(expected), 0.1));
    }
  };
  for (const double most :
       {0.05, 0.9, 0.24, top}) {  // short polynomial, long polynomial, closed form in some lanes
    P x;
    for (int i = 0; i < W; ++i) x.set(i, static_cast<T>(most * (i + 0.5) / W));
    agree(x);
  }
}

template <class T, int W>
void packs_agree() {
  lanes_agree<T, W>([](const auto& x) { return lie_series::stumpff<0>(x); }, 39);
  lanes_agree<T, W>([](const auto& x) { return lie_series::stumpff<1>(x); }, 39);
  lanes_agree<T, W>([](const auto& x) { return lie_series::stumpff<2>(x); }, 39);
  lanes_agree<T, W>([](const auto& x) { return lie_series::stumpff<3>(x); }, 39);
  lanes_agree<T, W>([](const auto& x) { return lie_series::stumpff<5>(x); }, 39);
  lanes_agree<T, W>([](const auto& x) { return lie_series::cot_remainder(x); }, 30);
  lanes_agree<T, W>([](const auto& x) { return lie_series::cot_remainder_derivative(x); }, 20);
  lanes_agree<T, W>([](const auto& x) { return lie_series::asinc(x); }, 1);
  lanes_agree<T, W>([](const auto& x) { return lie_series::asinc_remainder(x); }, 1);
}

TEST_CASE("every lane of a pack is the plain kernel", "[lie][series]") {
  packs_agree<double, 4>();
  packs_agree<float, 8>();
}

}  // namespace series_test
