#include <dalembert/integrate/tableau.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace {

using namespace dalembert;

template <class T, class S>
struct Conditions {
  static constexpr int s = T::stages;
  tableau::Square<S, s> a = T::template a<S>;
  std::array<S, s> c{};

  Conditions() {
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < i; ++j) c[i] += a[i][j];
  }

  /// Largest residual of the conditions for trees up to five nodes (order 1 … 5).
  template <class Weights>
  S residual(const Weights& b, int order) const {
    using std::abs, std::max, std::pow;
    S worst = 0;
    const auto check = [&](S sum, S expected) { worst = max(worst, abs(sum - expected)); };
    std::array<S, s> ac{}, ac2{}, ac3{}, aac{}, aac2{}, acac{}, aaac{};
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        ac[i] += a[i][j] * c[j];
        ac2[i] += a[i][j] * c[j] * c[j];
        ac3[i] += a[i][j] * c[j] * c[j] * c[j];
      }
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        aac[i] += a[i][j] * ac[j];
        aac2[i] += a[i][j] * ac2[j];
        acac[i] += a[i][j] * c[j] * ac[j];
      }
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < i; ++j) aaac[i] += a[i][j] * aac[j];
    const auto sum = [&](auto f) {
      S total = 0;
      for (std::size_t i = 0; i < s; ++i) total += b[i] * f(i);
      return total;
    };
    if (order >= 1) check(sum([](std::size_t) { return S(1); }), 1);
    if (order >= 2) check(sum([&](std::size_t i) { return c[i]; }), S(1) / 2);
    if (order >= 3) {
      check(sum([&](std::size_t i) { return c[i] * c[i]; }), S(1) / 3);
      check(sum([&](std::size_t i) { return ac[i]; }), S(1) / 6);
    }
    if (order >= 4) {
      check(sum([&](std::size_t i) { return c[i] * c[i] * c[i]; }), S(1) / 4);
      check(sum([&](std::size_t i) { return c[i] * ac[i]; }), S(1) / 8);
      check(sum([&](std::size_t i) { return ac2[i]; }), S(1) / 12);
      check(sum([&](std::size_t i) { return aac[i]; }), S(1) / 24);
    }
    if (order >= 5) {
      check(sum([&](std::size_t i) { return c[i] * c[i] * c[i] * c[i]; }), S(1) / 5);
      check(sum([&](std::size_t i) { return c[i] * c[i] * ac[i]; }), S(1) / 10);
      check(sum([&](std::size_t i) { return ac[i] * ac[i]; }), S(1) / 20);
      check(sum([&](std::size_t i) { return c[i] * ac2[i]; }), S(1) / 15);
      check(sum([&](std::size_t i) { return ac3[i]; }), S(1) / 20);
      check(sum([&](std::size_t i) { return c[i] * aac[i]; }), S(1) / 30);
      check(sum([&](std::size_t i) { return acac[i]; }), S(1) / 40);
      check(sum([&](std::size_t i) { return aac2[i]; }), S(1) / 60);
      check(sum([&](std::size_t i) { return aaac[i]; }), S(1) / 120);
    }
    return worst;
  }
};

TEST_CASE("Runge-Kutta 4 meets the conditions of order 4 and not all of order 5", "[tableau]") {
  const Conditions<tableau::RungeKutta4, long double> conditions;
  const auto& b = tableau::RungeKutta4::b<long double>;
  REQUIRE(conditions.residual(b, 4) < 1e-18L);
  REQUIRE(conditions.residual(b, 5) > 1e-3L);
}

TEST_CASE("Dormand-Prince meets the conditions of order 5, and its embedded method those of order 4 only",
          "[tableau]") {
  using T = tableau::DormandPrince54;
  const Conditions<T, long double> conditions;
  const auto& b = T::b<long double>;
  REQUIRE(conditions.residual(b, 5) < 1e-17L);
  auto embedded = b;
  for (std::size_t i = 0; i < embedded.size(); ++i) embedded[i] -= T::error<long double>[i];
  REQUIRE(conditions.residual(embedded, 4) < 1e-17L);
  REQUIRE(conditions.residual(embedded, 5) > 1e-5L);
}

TEST_CASE("Dormand-Prince evaluates its last stage at the end of the step", "[tableau]") {
  using T = tableau::DormandPrince54;
  STATIC_REQUIRE(T::first_same_as_last);
  REQUIRE(T::a<double>[6] == T::b<double>);
  REQUIRE(Conditions<T, long double>{}.c[6] == Approx(1.0L).epsilon(1e-18));
}

TEST_CASE("coefficients are rounded once, in the scalar that asks", "[tableau]") {
  REQUIRE(tableau::DormandPrince54::a<long double>[3][0] == 44.0L / 45.0L);
  REQUIRE(tableau::DormandPrince54::a<double>[3][0] == 44.0 / 45.0);
}

}  // namespace
