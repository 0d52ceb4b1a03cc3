#include <cmath>
#include <limits>
#include <string>

#include <dalembert/core/autodiff.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace autodiff_test {

template <class X>
using ScalarOf = typename std::decay_t<X>::Scalar;

// f = x² y + sin(y z) / x with every derivative by hand.
struct Example {
  template <class S>
  S operator()(const Vec<S, 3>& x) const {
    using std::sin;
    const S yz = x[1] * x[2];
    return x[0] * x[0] * x[1] + sin(yz) / x[0];
  }
  static Vec<double, 3> gradient(double x, double y, double z) {
    return {2 * x * y - std::sin(y * z) / (x * x), x * x + z * std::cos(y * z) / x, y * std::cos(y * z) / x};
  }
  static Mat<double, 3> hessian(double x, double y, double z) {
    const double s = std::sin(y * z), c = std::cos(y * z);
    const double xx = 2 * y + 2 * s / (x * x * x), xy = 2 * x - z * c / (x * x), xz = -y * c / (x * x);
    const double yy = -z * z * s / x, yz = (c - y * z * s) / x, zz = -y * y * s / x;
    Mat<double, 3> H;
    H << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return H;
  }
};

const Vec<double, 3> at{1.25, -0.75, 0.5};

TEST_CASE("gradients and Hessians are those by hand", "[core][autodiff]") {
  const Vec<double, 3> g = gradient(Example{}, at);
  CHECK((g - Example::gradient(at[0], at[1], at[2])).cwiseAbs().maxCoeff() < 1e-15);
  const Mat<double, 3> H = hessian(Example{}, at);
  CHECK((H - Example::hessian(at[0], at[1], at[2])).cwiseAbs().maxCoeff() < 4e-15);
}

TEST_CASE("a Jacobian has a row for each result and a column for each variable", "[core][autodiff]") {
  const auto f = [](const auto& x) {
    using D = ScalarOf<decltype(x)>;
    return Vec<D, 2>{D(x[0] * x[1]), D(x[2] * x[2])};
  };
  const Mat<double, 2, 3> J = jacobian(f, at);
  Mat<double, 2, 3> expected;
  expected << at[1], at[0], 0, 0, 0, 2 * at[2];
  CHECK(J == expected);

  const Vec<double, 3> direction{0.3, -2.0, 5.0};
  const Vec<double, 2> along = derivative_along(f, at, direction);
  CHECK((along - expected * direction).cwiseAbs().maxCoeff() < 1e-15);
  const double slope = derivative_along(Example{}, at, direction);
  CHECK(slope == Approx(Example::gradient(at[0], at[1], at[2]).dot(direction)).epsilon(1e-14));
}

TEST_CASE("a derivative of a derivative is a second derivative", "[core][autodiff]") {
  const auto first = [](const auto& t) {
    using T = std::decay_t<decltype(t)>;
    return T(derivative([](const auto& s) { return std::decay_t<decltype(s)>(exp(s) * s); }, t));
  };
  const double t = 0.7;
  CHECK(first(t) == Approx(std::exp(t) * (t + 1)).epsilon(1e-15));
  CHECK(derivative(first, t) == Approx(std::exp(t) * (t + 2)).epsilon(1e-15));
}

// value, first and second derivative of f at t
template <class F>
Vec<double, 3> jet(const F& f, double t) {
  using D = Dual<double, 1>;
  using DD = Dual<D, 1>;
  const DD y = f(DD::variable(D::variable(t, 0), 0));
  CHECK(y.value().derivative(0) == y.derivative(0).value());
  return {y.value().value(), y.derivative(0).value(), y.derivative(0).derivative(0)};
}

void check(const Vec<double, 3>& given, const Vec<double, 3>& expected) {
  CAPTURE(given.transpose(), expected.transpose());
  CHECK((given - expected).cwiseAbs().maxCoeff() < 1e-14 * (1 + expected.cwiseAbs().maxCoeff()));
}

TEST_CASE("the functions that Eigen lacks have right first and second derivatives", "[core][autodiff]") {
  for (const double t : {-0.8, 0.3, 2.0}) {
    CAPTURE(t);
    const double u = 1 + t * t;
    check(jet([](const auto& x) { return atan(x); }, t), {std::atan(t), 1 / u, -2 * t / (u * u)});
    check(jet([](const auto& x) { return abs(x); }, t), {std::abs(t), t < 0 ? -1.0 : 1.0, 0});
    // atan2(2, t)
    const double r = 4 + t * t;
    check(jet([](const auto& x) { return atan2(std::decay_t<decltype(x)>(2.0), x); }, t),
          {std::atan2(2, t), -2 / r, 4 * t / (r * r)});
    check(jet([](const auto& x) { return hypot(std::decay_t<decltype(x)>(2.0), x); }, t),
          {std::hypot(2, t), t / std::sqrt(r), 4 / (r * std::sqrt(r))});
  }
  const double t = 1.4, power = std::pow(t, t), log = std::log(t);
  check(jet([](const auto& x) { return pow(x, x); }, t),
        {power, power * (log + 1), power * ((log + 1) * (log + 1) + 1 / t)});
}

TEST_CASE("a dual is finite when its value and its derivatives are", "[core][autodiff]") {
  using D = Dual<double, 2>;
  CHECK(isfinite(D::variable(1.0, 0)));
  CHECK_FALSE(isfinite(D::variable(std::numeric_limits<double>::infinity(), 0)));
  CHECK_FALSE(isfinite(D(1.0, Vec<double, 2>{0.0, std::numeric_limits<double>::quiet_NaN()})));
  CHECK_FALSE(isfinite(Dual<D, 2>(D(1.0, Vec<double, 2>{0.0, std::numeric_limits<double>::quiet_NaN()}))));
}

TEST_CASE("value_of, constant and convert reach through nested scalars", "[core][autodiff]") {
  using D = Dual<double, 2>;
  using DD = Dual<D, 3>;
  static_assert(Real<DD> && DualReal<DD> && std::same_as<Number<DD>, double> &&
                std::same_as<Value<DD>, double>);
  static_assert(!Real<int> && !Real<std::string> && !Real<const double> && !Real<Vec<double, 2>>);
  const DD x = DD::variable(D::variable(1.5, 1), 2);
  CHECK(value_of(x) == 1.5);
  CHECK(value_of(x * x) == 2.25);
  CHECK(value_of(constant<DD>(pi)) == static_cast<double>(pi));
  CHECK(constant<long double>(pi) == pi);
  CHECK(convert<double>(x) == 1.5);
  CHECK(convert<float>(x) == 1.5f);
  const DD lifted = convert<DD>(x.value());
  CHECK(lifted.value().derivative(1) == 1);
  CHECK(lifted.derivative(2).value() == 0);
}

TEST_CASE("duals of packs differentiate every lane", "[core][autodiff]") {
  using P = Pack<double, 4>;
  Vec<P, 3> x{P(at[0]), P(at[1]), P(at[2])};
  x[0].set(2, 0.5);
  const Vec<P, 3> g = gradient(
      [](const auto& y) {
        using D = ScalarOf<decltype(y)>;
        return D(select(value_of(y[0]) < P(1), D(y[0] * y[0]), D(y[1] * y[2])));
      },
      x);
  CHECK(g[0][0] == 0);
  CHECK(g[1][0] == at[2]);
  CHECK(g[2][3] == at[1]);
  CHECK(g[0][2] == 1);
  CHECK(g[1][2] == 0);
}

TEST_CASE("vectors of duals of duals multiply with numbers", "[core][autodiff]") {
  using D = Dual<double, 1>;
  using DD = Dual<D, 1>;
  const Vec<DD, 2> x{DD::variable(D::variable(3.0, 0), 0), DD(2.0)};
  const Vec<DD, 2> y = 2.0 * x, z = x * 2.0;
  CHECK(y[0].value().value() == 6);
  CHECK(z[0].derivative(0).value() == 2);
  CHECK(z[0].value().derivative(0) == 2);
}

}  // namespace autodiff_test
