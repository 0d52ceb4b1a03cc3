#include <dalembert/core/number.hpp>

#include <cmath>
#include <complex>
#include <initializer_list>
#include <limits>

#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/jet.hpp>

#include "support/catch.hpp"

namespace number_test {

using namespace dalembert;
using D = Dual<double, 5>;
using E = Dual<Dual<double, 1>, 2>;

static_assert(number::derivative_order<double> == 0 && number::derivative_order<Pack<double, 4>> == 0);
static_assert(number::derivative_order<D> == 1 && number::derivative_order<E> == 2);
static_assert(number::derivative_order<Jet<double, 3>> == 3);
static_assert(number::is_zero(0.0) && number::is_zero(-0.0) && !number::is_zero(1e-300));

TEST_CASE("a number is zero only with all its derivatives, in every lane", "[number]") {
  CHECK(number::is_zero(D(0)));
  for (int i = 0; i < 5; ++i) CHECK_FALSE(number::is_zero(D::variable(0.0, i)));
  CHECK_FALSE(number::is_zero(D(1)));
  CHECK(number::is_zero(E(0)));
  CHECK_FALSE(number::is_zero(E(Dual<double, 1>::variable(0.0, 0))));
  CHECK_FALSE(number::is_zero(E::variable(Dual<double, 1>(0), 1)));
  using J = Jet<double, 2>;
  CHECK(number::is_zero(J(0)));
  CHECK_FALSE(number::is_zero(J::time(0)));
  CHECK_FALSE(number::is_zero(J(2)));
  Pack<double, 4> lanes(0.0);
  CHECK(number::is_zero(lanes));
  lanes.set(3, 1.0);
  CHECK_FALSE(number::is_zero(lanes));
  CHECK(number::is_zero(std::complex<double>(0, 0)));
  CHECK_FALSE(number::is_zero(std::complex<double>(0, 1)));
  CHECK(number::is_zero(Vec<D, 2>(D(0), D(0))));
  CHECK_FALSE(number::is_zero(Vec<D, 2>(D(0), D::variable(0.0, 1))));
}

TEST_CASE("functions of numbers are those of the standard library, and of dual numbers", "[number]") {
  const double x = 0.3;
  CHECK(number::abs(-x) == x);
  CHECK(number::sqrt(x) == std::sqrt(x));
  CHECK(number::exp(x) == std::exp(x));
  CHECK(number::log(x) == std::log(x));
  CHECK(number::sin(x) == std::sin(x));
  CHECK(number::cos(x) == std::cos(x));
  const D d = D::variable(x, 2);
  CHECK(number::abs(D(-d)).derivative(2) == 1);
  CHECK(number::sqrt(d).derivative(2) == Approx(0.5 / std::sqrt(x)));
  CHECK(number::exp(d).derivative(2) == Approx(std::exp(x)));
  CHECK(number::log(d).derivative(2) == Approx(1 / x));
  CHECK(number::sin(d).derivative(2) == Approx(std::cos(x)));
  CHECK(number::cos(d).derivative(2) == Approx(-std::sin(x)));
}

template <class T>
void check_parts() {
  constexpr int count = number::part_count<T>;
  T x(0), sum(0);
  for (int i = 0; i < count; ++i) number::set_part(x, i, 1.0 + i);
  for (int i = 0; i < count; ++i) {
    CHECK(number::part(x, i) == 1.0 + i);
    T one(0);
    number::set_part(one, i, 1.0 + i);
    CHECK_FALSE(number::is_zero(one));
    sum += one;
  }
  CHECK(number::equal(sum, x));
  CHECK(value_of(x) == 1);
}

TEST_CASE("a number consists of its value and then all derivatives", "[number]") {
  static_assert(number::part_count<double> == 1 && number::part_count<D> == 6 && number::part_count<E> == 6);
  check_parts<double>();
  check_parts<D>();
  check_parts<E>();
  CHECK(number::part(D::variable(3.0, 2), 3) == 1);
  CHECK(number::part(E::variable(Dual<double, 1>(3), 1), 4) == 1);
  CHECK(number::part(E(Dual<double, 1>::variable(3, 0)), 1) == 1);
}

TEST_CASE("numbers are equal only with all their derivatives", "[number]") {
  CHECK(number::equal(2.0, 2.0));
  CHECK_FALSE(number::equal(2.0, 3.0));
  CHECK(number::equal(D::variable(2.0, 1), D::variable(2.0, 1)));
  CHECK_FALSE(number::equal(D::variable(2.0, 1), D::variable(2.0, 2)));
  CHECK_FALSE(number::equal(D::variable(2.0, 1), D(2)));
}

TEST_CASE("a number as a constant keeps its value alone", "[number]") {
  CHECK(number::equal(number::as_constant(D::variable(2.0, 1)), D(2)));
  CHECK(number::as_constant(3.0) == 3.0);
}

TEST_CASE("the larger of numbers is not-a-number as soon as one is, whichever it is", "[core]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto largest = [](std::initializer_list<double> numbers) {
    double most = 0;
    for (const double x : numbers) number::keep_larger(most, x);
    return most;
  };
  CHECK(largest({1, 3, 2}) == 3);
  CHECK(largest({-1}) == 0);
  CHECK(std::isnan(largest({nan, 3})));
  CHECK(std::isnan(largest({1, nan})));
  CHECK(std::isnan(largest({1, nan, 3, 2})));
}

TEST_CASE("what is next to nothing is not below rounding", "[core]") {
  CHECK(number::above_rounding(1e-12) == 1e-12);
  CHECK(number::above_rounding(1e-17) == std::ldexp(1.0, -46));
  CHECK(number::above_rounding(1e-12F) == std::ldexp(1.0F, -17));
}

}  // namespace number_test
