#include <dalembert/core/jet.hpp>

#include <cmath>
#include <random>

#include <dalembert/core/autodiff.hpp>

#include "support/catch.hpp"

namespace jet_test {

using namespace dalembert;
using J = Jet<double, 4>;

static_assert(Real<J> && !PlainReal<J> && Real<Dual<J, 2>>);
static_assert(std::same_as<Number<J>, double> && J::size == 15);

/// A number of which all coefficients are there.
J generic(std::mt19937& engine, double value) {
  std::normal_distribution<double> normal;
  J x(value);
  for (int d = 1; d <= 4; ++d)
    for (int j = 0; j <= d; ++j) x(d - j, j) = normal(engine);
  return x;
}

/// The largest difference of coefficients; a NaN if there is one.
double distance(const J& x, const J& y) {
  double largest = 0;
  for (int d = 0; d <= 4; ++d)
    for (int j = 0; j <= d; ++j)
      if (const double apart = std::abs(x(d - j, j) - y(d - j, j)); !(apart <= largest)) largest = apart;
  return largest;
}

TEST_CASE("a jet has the coefficients of the polynomial", "[jet]") {
  const J t = J::time(2), e = J::parameter(3);
  const J x = t * t * e;  // (2 + t)²(3 + ε)
  CHECK(x.value() == 12);
  CHECK(x(1, 0) == 12);
  CHECK(x(0, 1) == 4);
  CHECK(x(2, 0) == 3);
  CHECK(x(1, 1) == 4);
  CHECK(x(2, 1) == 1);
  CHECK(x(3, 0) == 0);
  CHECK(x(0, 4) == 0);
}

TEST_CASE("quotients, roots and powers of jets undo products", "[jet]") {
  std::mt19937 engine(test::seed());
  for (int i = 0; i < 20; ++i) {
    const J x = generic(engine, 1.3), y = generic(engine, -0.8);
    CHECK(distance(x * y / y, x) < 1e-10);
    CHECK(distance(sqrt(x) * sqrt(x), x) < 1e-11);
    CHECK(distance(cbrt(y) * cbrt(y) * cbrt(y), y) < 1e-10);
    CHECK(distance(pow(x, 1.5), x * sqrt(x)) < 1e-10);
    CHECK(distance(2 / x * x, J(2)) < 1e-10);
    CHECK(distance((x - 1) * (1 + x), x * x - 1) < 1e-12);
  }
}

TEST_CASE("whole powers of jets are products, at zero and below too", "[jet]") {
  std::mt19937 engine(6);
  for (const double value : {0.0, -0.7, 1.3}) {
    const J x = generic(engine, value);
    CAPTURE(value);
    J product(1);
    for (int p = 0; p <= 6; ++p) {
      CAPTURE(p);
      CHECK(distance(pow(x, p), product) <= 1e-11);
      using D = Dual<J, 1>;
      const D power = pow(D(x, Vec<J, 1>(J(1))), p + 1);
      CHECK(distance(power.value(), product * x) <= 1e-11);
      CHECK(distance(power.derivative(0), (p + 1) * product) <= 1e-11);
      product *= x;
    }
  }
  for (const double p : {0.5, 2.0, 2.5}) CHECK(distance(pow(J(0), p), J(0)) == 0);
  CHECK(distance(cbrt(J(0)), J(0)) == 0);
  CHECK(distance(pow(J::time(0), 4.5), J(0)) ==
        0);  // no derivative of the fifth order is there to be infinite
}

TEST_CASE("functions of jets obey their addition theorems", "[jet]") {
  std::mt19937 engine(test::seed());
  for (int i = 0; i < 20; ++i) {
    const J x = generic(engine, 0.7), y = generic(engine, -0.4);
    CHECK(distance(exp(x + y), exp(x) * exp(y)) < 1e-9);
    CHECK(distance(log(exp(x)), x) < 1e-10);
    CHECK(distance(sin(x + y), sin(x) * cos(y) + cos(x) * sin(y)) < 1e-9);
    CHECK(distance(cos(x) * tan(x), sin(x)) < 1e-9);
    CHECK(distance(tanh(y) * (exp(2 * y) + 1), exp(2 * y) - 1) < 1e-8);
    CHECK(distance(abs(y), -y) == 0);
  }
}

TEST_CASE("coefficients of jets are derivatives over factorials", "[jet]") {
  // f(t, ε) = exp(sin t + ε t) at (0.3, 0.2), by dual numbers of dual numbers
  const auto f = [](const auto& x) {
    using std::exp, std::sin;
    return exp(sin(x[0]) + x[1] * x[0]);
  };
  const Vec<double, 2> at(0.3, 0.2);
  const J y = f(Vec<J, 2>(J::time(0.3), J::parameter(0.2)));
  const auto H = hessian(f, at);
  const auto g = gradient(f, at);
  CHECK(y(1, 0) == Approx(g[0]));
  CHECK(y(0, 1) == Approx(g[1]));
  CHECK(y(2, 0) == Approx(H(0, 0) / 2));
  CHECK(y(1, 1) == Approx(H(0, 1)));
  CHECK(y(0, 2) == Approx(H(1, 1) / 2));
  const auto third = [&](const Vec<double, 2>& direction) {
    const auto along = [&](const auto& s) {
      using T = std::decay_t<decltype(s[0])>;
      return f(Vec<T, 2>(at[0] + s[0] * direction[0], at[1] + s[0] * direction[1]));
    };
    const auto twice = [&](const auto& s) {
      using T = std::decay_t<decltype(s[0])>;
      const Dual<Dual<T, 1>, 1> inner = along(seeded(seeded(Vec<T, 1>(s[0]))));
      return inner.derivative(0).derivative(0);
    };
    return derivative_along(twice, Vec<double, 1>(0.0), Vec<double, 1>(1.0));
  };
  CHECK(y(3, 0) == Approx(third({1, 0}) / 6));
  CHECK(y(0, 3) == Approx(third({0, 1}) / 6));
}

TEST_CASE("derivatives of functions of jets are those of dual numbers over them", "[jet]") {
  std::mt19937 engine(test::seed());
  const J x = generic(engine, 0.6), y = generic(engine, 1.1);
  const auto f = [](const auto& p) {
    using std::sin;
    return sin(p[0]) * p[1] / (2 + p[0]);
  };
  const Vec<J, 2> slope = gradient(f, Vec<J, 2>(x, y));
  CHECK(distance(slope[0], cos(x) * y / (2 + x) - sin(x) * y / ((2 + x) * (2 + x))) < 1e-10);
  CHECK(distance(slope[1], sin(x) / (2 + x)) < 1e-10);
}

}  // namespace jet_test
