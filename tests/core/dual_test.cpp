#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace dual_test {

using std::abs, std::cos, std::exp, std::log, std::pow, std::sin, std::sqrt;

constexpr double eps = std::numeric_limits<double>::epsilon();

// c as a plain number of the precision of x.
template <class T>
Number<T> plain(const T&, long double c) {
  return static_cast<Number<T>>(c);
}

// f'(x) by differences of order 8.
template <class F>
long double slope_by_differences(const F& f, long double x) {
  const long double h = 1e-3L * std::max(1.0L, abs(x));
  constexpr std::array<long double, 4> weights{4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  long double slope = 0;
  for (int k = 1; k <= 4; ++k)
    slope += weights[static_cast<std::size_t>(k - 1)] * (f(x + k * h) - f(x - k * h)) / h;
  return slope;
}

// A function of one number against its derivative in closed form and by differences; alone, nested and over packs.
template <class F, class Slope>
void check(const std::string& name, const F& f, const Slope& slope, std::array<double, 3> points) {
  INFO(name);
  for (const double x : points) {
    INFO("x = " << x);
    using D = Dual<double, 2>;
    D at(x);
    at.set_derivative(0, 3);
    at.set_derivative(1, -0.5);
    const auto y = f(at);
    STATIC_REQUIRE(std::is_same_v<decltype(y), const D>);
    const double expected = slope(x);
    CHECK(y.value() == f(x));
    CHECK(abs(y.derivative(0) - 3 * expected) <= 24 * eps * abs(expected));
    CHECK(y.derivative(1) == Approx(-y.derivative(0) / 6).epsilon(4 * eps));
    CHECK(abs(expected - static_cast<double>(slope_by_differences(f, static_cast<long double>(x)))) <=
          2e-13 * (1 + abs(expected)));
    // Differentiated again, the function gives what its derivative in closed form gives once.
    using DD = Dual<Dual<double, 1>, 1>;
    const DD twice = f(DD::variable(Dual<double, 1>::variable(x, 0), 0));
    const Dual<double, 1> once = slope(Dual<double, 1>::variable(x, 0));
    CHECK(twice.value().derivative(0) == Approx(expected).epsilon(1e-14).margin(1e-300));
    CHECK(twice.derivative(0).value() == Approx(expected).epsilon(1e-14).margin(1e-300));
    CHECK(twice.derivative(0).derivative(0) == Approx(once.derivative(0)).epsilon(1e-13).margin(1e-15));
  }
  using P = Pack<double, 2>;
  P lanes(points[0]);
  lanes.set(1, points[1]);
  const Dual<P, 1> packed = f(Dual<P, 1>::variable(lanes, 0));
  for (int i = 0; i < 2; ++i) {
    const auto alone = f(Dual<double, 1>::variable(points[static_cast<std::size_t>(i)], 0));
    CHECK(packed.value()[i] == alone.value());
    CHECK(packed.derivative(0)[i] == Approx(alone.derivative(0)).epsilon(4 * eps));
  }
}

TEST_CASE("every function of one number has the derivative of its closed form", "[dual]") {
  const auto one = [](const auto& x) { return 0 * x + 1; };
  check(
      "sqrt", [](auto x) { return sqrt(x); }, [](auto x) { return 0.5 / sqrt(x); }, {0.3, 2, 50});
  check(
      "cbrt",
      [](auto x) {
        using std::cbrt;
        return cbrt(x);
      },
      [](auto x) {
        using std::cbrt;
        return 1 / (3 * cbrt(x) * cbrt(x));
      },
      {0.3, -2, 50});
  check(
      "exp", [](auto x) { return exp(x); }, [](auto x) { return exp(x); }, {-2, 0, 3});
  check(
      "exp2",
      [](auto x) {
        using std::exp2;
        return exp2(x);
      },
      [](auto x) {
        using std::exp2;
        return exp2(x) * 0.6931471805599453;
      },
      {-2, 0, 3});
  check(
      "expm1",
      [](auto x) {
        using std::expm1;
        return expm1(x);
      },
      [](auto x) { return exp(x); }, {-2, 1e-9, 3});
  check(
      "log", [](auto x) { return log(x); }, [](auto x) { return 1 / x; }, {0.2, 1, 7});
  check(
      "log2",
      [](auto x) {
        using std::log2;
        return log2(x);
      },
      [](auto x) { return 1.4426950408889634 / x; }, {0.2, 1, 7});
  check(
      "log10",
      [](auto x) {
        using std::log10;
        return log10(x);
      },
      [](auto x) { return 0.4342944819032518 / x; }, {0.2, 1, 7});
  check(
      "log1p",
      [](auto x) {
        using std::log1p;
        return log1p(x);
      },
      [](auto x) { return 1 / (1 + x); }, {-0.5, 1e-9, 7});
  check(
      "sin", [](auto x) { return sin(x); }, [](auto x) { return cos(x); }, {-2, 0.1, 3});
  check(
      "cos", [](auto x) { return cos(x); }, [](auto x) { return -sin(x); }, {-2, 0.1, 3});
  check(
      "tan",
      [](auto x) {
        using std::tan;
        return tan(x);
      },
      [](auto x) { return 1 / (cos(x) * cos(x)); }, {-1, 0.1, 1.3});
  check(
      "asin",
      [](auto x) {
        using std::asin;
        return asin(x);
      },
      [](auto x) { return 1 / sqrt(1 - x * x); }, {-0.7, 0.1, 0.8});
  check(
      "acos",
      [](auto x) {
        using std::acos;
        return acos(x);
      },
      [](auto x) { return -1 / sqrt(1 - x * x); }, {-0.7, 0.1, 0.8});
  check(
      "atan",
      [](auto x) {
        using std::atan;
        return atan(x);
      },
      [](auto x) { return 1 / (1 + x * x); }, {-2, 0.1, 30});
  check(
      "sinh",
      [](auto x) {
        using std::sinh;
        return sinh(x);
      },
      [](auto x) {
        using std::cosh;
        return cosh(x);
      },
      {-2, 0.1, 3});
  check(
      "cosh",
      [](auto x) {
        using std::cosh;
        return cosh(x);
      },
      [](auto x) {
        using std::sinh;
        return sinh(x);
      },
      {-2, 0.1, 3});
  check(
      "tanh",
      [](auto x) {
        using std::tanh;
        return tanh(x);
      },
      [](auto x) {
        using std::cosh;
        return 1 / (cosh(x) * cosh(x));
      },
      {-2, 0.1, 3});
  check(
      "asinh",
      [](auto x) {
        using std::asinh;
        return asinh(x);
      },
      [](auto x) { return 1 / sqrt(x * x + 1); }, {-2, 0.1, 3});
  check(
      "acosh",
      [](auto x) {
        using std::acosh;
        return acosh(x);
      },
      [](auto x) { return 1 / sqrt(x * x - 1); }, {1.2, 2, 30});
  check(
      "atanh",
      [](auto x) {
        using std::atanh;
        return atanh(x);
      },
      [](auto x) { return 1 / (1 - x * x); }, {-0.7, 0.1, 0.8});
  check(
      "erf",
      [](auto x) {
        using std::erf;
        return erf(x);
      },
      [](auto x) { return 1.1283791670955126 * exp(-x * x); }, {-1, 0.1, 2});
  check(
      "erfc",
      [](auto x) {
        using std::erfc;
        return erfc(x);
      },
      [](auto x) { return -1.1283791670955126 * exp(-x * x); }, {-1, 0.1, 2});
  check(
      "abs", [](auto x) { return abs(x); }, [](auto x) { return x / abs(x); }, {-2, 0.1, 3});
  check(
      "floor",
      [](auto x) {
        using std::floor;
        return floor(x);
      },
      [](auto x) { return 0 * x; }, {-2.3, 0.1, 3.5});
  check(
      "ceil",
      [](auto x) {
        using std::ceil;
        return ceil(x);
      },
      [](auto x) { return 0 * x; }, {-2.3, 0.1, 3.5});
  check(
      "trunc",
      [](auto x) {
        using std::trunc;
        return trunc(x);
      },
      [](auto x) { return 0 * x; }, {-2.3, 0.1, 3.5});
  check(
      "round",
      [](auto x) {
        using std::round;
        return round(x);
      },
      [](auto x) { return 0 * x; }, {-2.3, 0.1, 3.6});
  check(
      "rint",
      [](auto x) {
        using std::rint;
        return rint(x);
      },
      [](auto x) { return 0 * x; }, {-2.3, 0.1, 3.6});
  check(
      "sum and difference with numbers", [](auto x) { return 1 - (2 + x - 3) + (x + plain(x, 0.5L)); },
      [](auto x) { return 0 * x; }, {-2, 0.1, 3});
  check(
      "product and ratio with numbers", [](auto x) { return 3 * x / 4 + x * plain(x, 0.5L); },
      [one](auto x) { return 1.25 * one(x); }, {-2, 0.1, 3});
  check(
      "ratios", [](auto x) { return 2 / x + (1 + x) / (x * x); },
      [](auto x) { return -2 / (x * x) - 1 / (x * x) - 2 / (x * x * x); }, {-2, 0.4, 3});
  check(
      "signs", [](auto x) { return -x + +(x * x); }, [](auto x) { return 2 * x - 1; }, {-2, 0.1, 3});
  check(
      "assignments",
      [](auto x) {
        auto y = x;
        y += x;
        y -= 1;
        y *= x;
        y /= 2;
        y += 1;
        y *= plain(x, 2);
        y -= x;
        y /= x;
        return y;
      },
      [one](auto x) { return 2 * one(x) - 2 / (x * x); }, {-2, 0.4, 3});
  check(
      "power with a number", [](auto x) { return pow(x, 2.5) + pow(x, 3) + pow(2.0, x); },
      [](auto x) { return 2.5 * pow(x, 1.5) + 3 * x * x + 0.6931471805599453 * pow(2.0, x); }, {0.1, 1, 3});
  check(
      "remainder",
      [](auto x) {
        using std::fmod;
        return fmod(x, 0.7);
      },
      [one](auto x) { return one(x); }, {-1.2, 0.1, 3});
  check(
      "angle of a point",
      [](auto x) {
        using std::atan2;
        return atan2(x, -2.0) + atan2(0.5, x);
      },
      [](auto x) { return -2 / (4 + x * x) - 0.5 / (0.25 + x * x); }, {-2, 0.1, 3});
  check(
      "length",
      [](auto x) {
        using std::hypot;
        return hypot(x, 2.0) + hypot(1.0, x);
      },
      [](auto x) { return x / sqrt(4 + x * x) + x / sqrt(1 + x * x); }, {-2, 0.1, 3});
  check(
      "sign of another",
      [](auto x) {
        using std::copysign;
        return copysign(x, -1.0);
      },
      [](auto x) { return -x / abs(x); }, {-2, 0.1, 3});
}

// A function of two numbers against partial derivatives in closed form.
template <class F, class Along>
void check_two(const std::string& name, const F& f, const Along& along, double a, double b) {
  INFO(name << " of " << a << ", " << b);
  using D = Dual<double, 2>;
  const auto y = f(D::variable(a, 0), D::variable(b, 1));
  STATIC_REQUIRE(std::is_same_v<decltype(y), const D>);
  const std::array<double, 2> expected = along(a, b);
  CHECK(y.value() == f(a, b));
  CHECK(y.derivative(0) == Approx(expected[0]).epsilon(1e-14).margin(1e-15));
  CHECK(y.derivative(1) == Approx(expected[1]).epsilon(1e-14).margin(1e-15));
  const auto la = static_cast<long double>(a), lb = static_cast<long double>(b);
  CHECK(y.derivative(0) ==
        Approx(static_cast<double>(slope_by_differences([&](long double s) { return f(s, lb); }, la)))
            .epsilon(1e-12)
            .margin(1e-12));
  CHECK(y.derivative(1) ==
        Approx(static_cast<double>(slope_by_differences([&](long double s) { return f(la, s); }, lb)))
            .epsilon(1e-12)
            .margin(1e-12));
  // With one of them constant, the other derivative stays; nested, the mixed second derivatives agree.
  CHECK(f(D::variable(a, 0), D(b)).derivative(0) == Approx(y.derivative(0)).epsilon(4 * eps).margin(1e-300));
  CHECK(f(D(a), D::variable(b, 1)).derivative(1) == Approx(y.derivative(1)).epsilon(4 * eps).margin(1e-300));
  const Mat<double, 2> H = hessian([&](const auto& x) { return f(x[0], x[1]); }, Vec<double, 2>(a, b));
  CHECK(H(0, 1) == H(1, 0));
  const auto slope = [&](long double s) {
    return f(Dual<long double, 1>::variable(la, 0), Dual<long double, 1>(s)).derivative(0);
  };
  CHECK(H(0, 1) == Approx(static_cast<double>(slope_by_differences(slope, lb))).epsilon(1e-12).margin(1e-12));
}

TEST_CASE("functions of two numbers have the partial derivatives of their closed forms", "[dual]") {
  using A = std::array<double, 2>;
  for (const double a : {0.7, 2.5}) {
    for (const double b : {-1.3, 0.4, 3.1}) {
      check_two(
          "product", [](auto x, auto y) { return x * y; },
          [](double x, double y) {
            return A{y, x};
          },
          a, b);
      check_two(
          "ratio", [](auto x, auto y) { return x / y; },
          [](double x, double y) {
            return A{1 / y, -x / (y * y)};
          },
          a, b);
      check_two(
          "difference", [](auto x, auto y) { return 2 * x - y; },
          [](double, double) {
            return A{2, -1};
          },
          a, b);
      check_two(
          "pow", [](auto x, auto y) { return pow(x, y); },
          [](double x, double y) {
            return A{y * pow(x, y - 1), pow(x, y) * log(x)};
          },
          a, b);
      check_two(
          "atan2",
          [](auto x, auto y) {
            using std::atan2;
            return atan2(x, y);
          },
          [](double x, double y) {
            return A{y / (x * x + y * y), -x / (x * x + y * y)};
          },
          a, b);
      check_two(
          "hypot",
          [](auto x, auto y) {
            using std::hypot;
            return hypot(x, y);
          },
          [](double x, double y) {
            return A{x / std::hypot(x, y), y / std::hypot(x, y)};
          },
          a, b);
      check_two(
          "fmod",
          [](auto x, auto y) {
            using std::fmod;
            return fmod(x, y);
          },
          [](double x, double y) {
            return A{1, -std::trunc(x / y)};
          },
          a, b);
      check_two(
          "copysign",
          [](auto x, auto y) {
            using std::copysign;
            return copysign(x, y);
          },
          [](double, double y) {
            return A{y < 0 ? -1.0 : 1.0, 0};
          },
          a, b);
      check_two(
          "fmin",
          [](auto x, auto y) {
            using std::fmin;
            return fmin(x, y);
          },
          [](double x, double y) {
            return x < y ? A{1, 0} : A{0, 1};
          },
          a, b);
      check_two(
          "fmax",
          [](auto x, auto y) {
            using std::fmax;
            return fmax(x, y);
          },
          [](double x, double y) {
            return x > y ? A{1, 0} : A{0, 1};
          },
          a, b);
      check_two(
          "fma",
          [](auto x, auto y) {
            using std::fma;
            return fma(x, y, x);
          },
          [](double x, double y) {
            return A{y + 1, x};
          },
          a, b);
    }
  }
  const Dual<double, 3> x = Dual<double, 3>::variable(2, 0), y = Dual<double, 3>::variable(-3, 1),
                        z = Dual<double, 3>::variable(6, 2);
  const Dual<double, 3> length = hypot(x, y, z);
  CHECK(length.value() == 7);
  CHECK((length.derivatives() - Vec<double, 3>(2, -3, 6) / 7).norm() < 2 * eps);
  CHECK(hypot(x, 3.0, 6).derivative(0) == Approx(2.0 / 7).epsilon(2 * eps));
  CHECK(fma(2, x, 1).derivative(0) == 2);
}

TEST_CASE("whole powers of numbers that are not positive have derivatives", "[dual]") {
  const auto slope = [](double x, auto power) {
    return pow(Dual<double, 1>::variable(x, 0), power).derivative(0);
  };
  CHECK(slope(-2, 3) == 12);
  CHECK(slope(0, 2) == 0);
  CHECK(slope(0, 1) == 1);
  CHECK(slope(0, 0) == 0);
  CHECK(slope(-2, -1.0) == -0.25);
}

TEST_CASE("powers have derivatives at zero where the power is a number with derivatives too", "[dual]") {
  using D = Dual<double, 2>;
  const D x = D::variable(0.0, 0), y = D::variable(2.0, 1), one = D::variable(1.0, 1);
  CHECK(pow(x, y).derivatives() == Vec<double, 2>(0, 0));
  CHECK(pow(x, one).derivatives() == Vec<double, 2>(1, 0));
  CHECK(pow(D::variable(-3.0, 0), D(2)).derivatives() == Vec<double, 2>(-6, 0));
  using E = Dual<Dual<double, 1>, 1>;
  const E z = E::variable(Dual<double, 1>::variable(0.0, 0), 0);
  CHECK(pow(z, E(2)).derivative(0).derivative(0) == 2);
  CHECK(pow(z, 2).derivative(0).derivative(0) == 2);
  const auto none = Dual<double, 1>::variable(0.0, 0);  // 3^y at y = 0
  CHECK(pow(E(3), none).value().derivative(0) == Approx(std::log(3)));
}

TEST_CASE("comparisons see values only", "[dual]") {
  using D = Dual<double, 1>;
  const D a = D::variable(1, 0), b(1), c(2);
  CHECK(a == b);
  CHECK(a != c);
  CHECK((a < c && c > a && a <= b && a >= b && !(a < b) && !(a > b)));
  CHECK((a == 1 && 1 == a && a < 2 && a > 0.5 && a <= 1 && a >= 1 && 2 > a && 0 < a && 1 >= a && 1 <= a));
  using DD = Dual<D, 2>;
  CHECK((DD(a) == b && DD(a) < c && c > DD(a)));
  CHECK(min(a, c).derivative(0) == 1);
  CHECK(max(c, a).derivative(0) == 0);
  CHECK(max(a, 0.5).derivative(0) == 1);
  CHECK(min(0.5, a).derivative(0) == 0);
}

TEST_CASE("fmin and fmax drop what is not a number, and tests for it see derivatives too", "[dual]") {
  using D = Dual<double, 1>;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  const D one = D::variable(1, 0);
  CHECK(fmin(D(nan), one).derivative(0) == 1);
  CHECK(fmax(one, D(nan)).value() == 1);
  const D bad(1, Vec<double, 1>(nan)), endless(1, Vec<double, 1>(inf));
  CHECK((isfinite(one) && !isfinite(bad) && !isfinite(endless) && !isfinite(D(inf))));
  CHECK((isnan(bad) && !isnan(endless) && isnan(D(nan)) && isinf(endless) && !isinf(bad) && isinf(D(-inf))));
  CHECK((signbit(D(-1)) && !signbit(one)));
}

TEST_CASE("numbers of any depth mix, and none is lost", "[dual]") {
  using D = Dual<double, 1>;
  using DD = Dual<D, 1>;
  const D x = D::variable(3, 0);
  const DD y(D(5), Vec<D, 1>(D(1)));
  const auto sum = x + y, product = 2 * x * y, ratio = y / x, rest = 1 - y;
  STATIC_REQUIRE(std::is_same_v<decltype(sum), const DD>);
  CHECK(sum.value().derivative(0) == 1);
  CHECK(sum.derivative(0).value() == 1);
  CHECK(product.value().value() == 30);
  CHECK(product.value().derivative(0) == 10);
  CHECK(product.derivative(0).value() == 6);
  CHECK(product.derivative(0).derivative(0) == 2);
  CHECK(ratio.derivative(0).derivative(0) == Approx(-1.0 / 9));
  CHECK(rest.derivative(0).value() == -1);
  const Dual<float, 1> narrow = 0.5 * Dual<float, 1>::variable(3, 0) + 1;
  CHECK(narrow.value() == 2.5F);
  CHECK(narrow.derivative(0) == 0.5F);
  constexpr Dual<double, 2> known = Dual<double, 2>(3) * 2 + 1;
  STATIC_REQUIRE(known.value() == 7);
  STATIC_REQUIRE(Dual<double, 2>{}.value() == 0);
  STATIC_REQUIRE(std::numeric_limits<Dual<double, 2>>::epsilon() == eps);
  STATIC_REQUIRE(std::numeric_limits<Dual<Pack<float, 4>, 2>>::max() == std::numeric_limits<float>::max());
}

TEST_CASE("vectors of dual numbers mix with numbers and with vectors of numbers made dual", "[dual]") {
  using D = Dual<double, 2>;
  using DD = Dual<D, 1>;
  Vec<D, 2> x(D::variable(3, 0), D::variable(4, 1));
  CHECK(D(x.norm()).derivative(0) == Approx(0.6).epsilon(2 * eps));
  CHECK(Vec<D, 2>(2 * x + x / 2.0)[1].derivative(1) == 2.5);
  CHECK(Vec<DD, 2>(x.cast<DD>() * 2.0)[0].value().derivative(0) == 2);
  CHECK(Vec<DD, 2>(Vec<DD, 2>::Ones() * D::variable(7, 1))[1].value().derivative(1) == 1);
  CHECK((Mat<D, 2>(Mat<double, 2>::Identity().cast<D>()) * x)[0].derivative(0) == 1);
  CHECK(D(x.dot(x)).derivative(1) == 8);
}

TEST_CASE("a select over lanes keeps the derivatives of each lane", "[dual]") {
  using P = Pack<double, 2>;
  using D = Dual<P, 1>;
  P lanes(1.0);
  lanes.set(1, -2.0);
  const D x = D::variable(lanes, 0), chosen = select(x < 0, -x, 3 * x);
  CHECK(chosen.value()[0] == 3);
  CHECK(chosen.value()[1] == 2);
  CHECK(chosen.derivative(0)[0] == 3);
  CHECK(chosen.derivative(0)[1] == -1);
}

TEST_CASE("Hessians are symmetric to the last bit", "[dual]") {
  const auto f = [](const auto& x) {
    return sin(x[0] * x[1]) * exp(x[2] / x[0]) + pow(x[1], 1.7) * x[2] / (1 + x[0] * x[2]);
  };
  const Vec<double, 3> at(0.7, 1.3, -0.4);
  const Mat<double, 3> H = hessian(f, at);
  CHECK((H == H.transpose()));
  CHECK(H(0, 2) ==
        Approx(static_cast<double>(slope_by_differences(
                   [&](long double s) { return gradient(f, Vec<long double, 3>(0.7L, 1.3L, s))[0]; }, -0.4L)))
            .epsilon(1e-8));
}

}  // namespace dual_test
