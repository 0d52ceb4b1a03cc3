#include <dalembert/systems/clothoid.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/higher_order.hpp>

#include "support/catch.hpp"

namespace clothoid_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::Clothoid;
using Problem = LagrangeDAlembert<Clothoid<double>>;
using Complex = std::complex<double>;

static_assert(NonholonomicSystem<Clothoid<double>> && NonholonomicSystem<Clothoid<float>>);

/// Fresnel's C(x) + iS(x) = ∫ exp(½iπu²) du: by its power series near 0, else by a continued fraction for the error function of a complex
/// number (Abramowitz and Stegun, 7.3.1 to 7.3.22).
Complex fresnel(double x) {
  const double pi_ = static_cast<double>(pi), y = std::abs(x);
  Complex value;
  if (y < 1.8) {
    // Σ (iπ/2)ⁿ x^(2n+1)/(n!(2n+1))
    Complex term = y;
    for (int n = 0; n < 60; ++n) {
      value += term / (2.0 * n + 1);
      term *= Complex(0, pi_ / 2) * y * y / (n + 1.0);
    }
  } else {
    // C + iS = ½(1 + i)(1 − exp(½iπx²) (1 − i) x h),  h the fraction 1/(b₀ − 1·2/(b₀ + 4 − 3·4/(…))), b₀ = 1 − iπx²
    const Complex b(1, -pi_ * y * y);
    Complex fraction = b + 4.0 * 200;
    for (int n = 200; n > 0; --n) fraction = b + 4.0 * (n - 1) - (2.0 * n - 1) * (2.0 * n) / fraction;
    const Complex wave = std::exp(Complex(0, pi_ / 2 * y * y));
    value = Complex(0.5, 0.5) * (1.0 - Complex(1, -1) * y * wave / fraction);
  }
  return x < 0 ? -value : value;
}

/// ∫ exp(i(κ₀σ + ½cσ²)) dσ from 0 to s by Fresnel's integrals, c > 0.
Complex spiral(double curvature, double rate, double s) {
  const double scale = std::sqrt(rate / static_cast<double>(pi));
  const double from = curvature / rate * scale, to = (curvature / rate + s) * scale;
  return std::exp(Complex(0, -curvature * curvature / (2 * rate))) * (fresnel(to) - fresnel(from)) / scale;
}

struct Start {
  double mass = 1.3, rate = 0.5, speed = 1.4, curvature = -2;
  /// The time in which the heading turns by ten turns and more.
  double until = 15;
};
constexpr Start start_of{};

Problem::State begin(const Problem& problem, const Start& s = start_of) {
  const Vec<double, 2> v(s.speed, 0);
  return problem.state(Rn<double, 2>(), v, problem.system().reaction(v, s.curvature));
}

/// Places and headings beside Fresnel's integrals.
template <class Method>
double error_on_spiral(const Method& method, double step) {
  const Start s;
  const Problem problem{Clothoid<double>{{.mass = s.mass, .rate = s.rate}}};
  auto state = begin(problem);
  double error = 0, most_turned = 0;
  const auto watch = [&](const Problem& p, const Problem::State& at) {
    const double length = s.speed * at.time;
    const Complex place = spiral(s.curvature, s.rate, length);
    const double theta = length * (s.curvature + s.rate * length / 2);
    const Vec<double, 2>& x = at.g.coordinates();
    error = std::max({error, std::abs(place - Complex(x[0], x[1])),
                      std::abs(std::polar(s.speed, theta) - Complex(at.xi[0], at.xi[1])),
                      std::abs(p.system().curvature(at.xi, at.z) - (s.curvature + s.rate * length))});
    most_turned = std::max(most_turned, theta);
  };
  drive(method, problem, state, {.step = step, .until = s.until, .output_interval = 0.5}, watch);
  CHECK(most_turned > 20 * static_cast<double>(pi));
  return error;
}

TEST_CASE("Fresnel's integrals are those of the tables", "[clothoid]") {
  // Abramowitz and Stegun, table 7.7
  CHECK(std::abs(fresnel(1) - Complex(0.7798934004, 0.4382591474)) < 1e-10);
  CHECK(std::abs(fresnel(3) - Complex(0.6057207893, 0.4963129990)) < 1e-9);
  CHECK(std::abs(fresnel(1.7999999) - fresnel(1.8000001)) < 3e-7);
}

TEST_CASE("a particle whose path's curvature must grow evenly runs on Euler's spiral over ten turns",
          "[clothoid]") {
  CHECK(error_on_spiral(DormandPrince853{}, 0.01) < 1e-10);
  CHECK(error_on_spiral(Gauss<4>{}, 0.02) < 1e-10);
}

TEST_CASE("the closed form of the spiral is Fresnel's integrals", "[clothoid]") {
  const Clothoid<double> clothoid{{.rate = 0.5}};
  const Clothoid<double>::Motion start{{0.2, -0.4}, {0, 1.4}, -2};
  for (const double t : {-3.0, 0.0, 0.7, 14.0}) {
    CAPTURE(t);
    const auto motion = clothoid.exact(start, t);
    const Complex place = Complex(0, 1) * spiral(-2, 0.5, 1.4 * t);
    CHECK(std::abs(Complex(motion.place[0] - 0.2, motion.place[1] + 0.4) - place) < 1e-13);
    CHECK(std::abs(motion.velocity.norm() - 1.4) < 1e-14);
    CHECK(std::abs(motion.curvature - (-2 + 0.5 * 1.4 * t)) < 1e-14);
  }
}

TEST_CASE("the row is the rate of the curvature on any path, also where the speed changes", "[clothoid]") {
  const Clothoid<double> clothoid{{.rate = 0.5}};
  const Vec<double, 2> v(0.4, -0.7), a(0.3, 0.9), jerk(-1.1, 0.2);
  const auto curvature = [&](const auto& t) {
    using T = std::decay_t<decltype(t)>;
    const Vec<T, 2> now(v[0] + t * (a[0] + t * jerk[0] / 2), v[1] + t * (a[1] + t * jerk[1] / 2));
    const T square = now[0] * now[0] + now[1] * now[1];
    using std::sqrt;
    return T((now[0] * (a[1] + t * jerk[1]) - now[1] * (a[0] + t * jerk[0])) / (square * sqrt(square)));
  };
  const double rate = derivative(curvature, 0.0);
  CHECK(std::abs(clothoid.jerk_constraint(v, a, jerk) - (rate - 0.5 * v.norm())) < 1e-14);
}

TEST_CASE("the speed stays, and the reaction grows evenly and does no work", "[clothoid]") {
  const Problem problem{Clothoid<double>{{.mass = start_of.mass, .rate = start_of.rate}}};
  auto state = begin(problem);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const double m = start_of.mass, c = start_of.rate, v = start_of.speed;
  CHECK(std::abs(rates.zdot[0] - m * c * v * v * v) < 1e-14);
  CHECK(rates.lambda[0] == state.z[0]);
  CHECK(std::abs(rates.xidot[0]) < 1e-15);
  CHECK(std::abs(rates.xidot[1] - v * v * start_of.curvature) < 1e-14);
  analysis::EnergyMonitor monitor{problem};
  drive(DormandPrince853{}, problem, state, {.step = 0.02, .until = 5}, monitor);
  CHECK(monitor.energy_error() < 1e-12);
  CHECK(std::abs(monitor.last().work.constraint) < 1e-12);
}

/// The same by the extended principle of Chetaev, which gives reactions along ∂R/∂ξ̈ = n/v².
struct ChetaevClothoid {
  using Group = Rn<double, 2>;
  using Principle = principle::ExtendedChetaev;
  Clothoid<double> clothoid;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return clothoid.lagrangian(v);
  }
  template <class T>
  T jerk_constraint(const Vec<T, 2>& v, const Vec<T, 2>& a, const Vec<T, 2>& jerk) const {
    return clothoid.jerk_constraint(v, a, jerk);
  }
};

TEST_CASE("the principle of Chetaev gives the same spiral from another multiplier, mv⁴κ", "[clothoid]") {
  const Start s;
  const Clothoid<double> clothoid{{.mass = s.mass, .rate = s.rate}};
  const LagrangeDAlembert problem{ChetaevClothoid{clothoid}};
  const double square = s.speed * s.speed;
  auto state =
      problem.state(Rn<double, 2>(), {s.speed, 0}, Vec<double, 1>(s.mass * square * square * s.curvature));
  drive(DormandPrince853{}, problem, state, {.step = 0.01, .until = 6});
  const auto exact = clothoid.exact({{0, 0}, {s.speed, 0}, s.curvature}, 6);
  CHECK((state.g.coordinates() - exact.place).norm() < 1e-11);
  CHECK((state.xi - exact.velocity).norm() < 1e-11);
  CHECK(std::abs(state.z[0] - s.mass * square * square * exact.curvature) < 1e-10);
}

TEST_CASE("a rate of zero makes a circle, which goes on where it is followed back", "[clothoid]") {
  const Problem problem{Clothoid<double>{{.mass = 2, .rate = 0}}};
  const Vec<double, 2> v(0.6, 0.8);
  auto state = problem.state(Rn<double, 2>(), v, problem.system().reaction(v, 2));
  drive(DormandPrince853{}, problem, state, {.step = 0.01, .until = static_cast<double>(pi)});
  CHECK(state.g.coordinates().norm() < 1e-12);  // once around
  CHECK((state.xi - v).norm() < 1e-12);
}

TEST_CASE("a particle at rest has no path", "[clothoid]") {
  const Problem problem{Clothoid<double>{}};
  const auto state = problem.state(Rn<double, 2>(), {0, 0}, Vec<double, 1>(1.0));
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(state, rates), InvalidState);
}

TEST_CASE("bad parameters of a clothoid are refused by name", "[clothoid]") {
  CHECK_THROWS_WITH((Clothoid<double>{{.mass = 0}}), ContainsSubstring("Clothoid: mass = 0"));
  CHECK_THROWS_WITH((Clothoid<double>{{.rate = std::nan("")}}), ContainsSubstring("Clothoid: rate"));
}

}  // namespace clothoid_test
