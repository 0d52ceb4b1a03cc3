#include <dalembert/contact/kernel.hpp>

#include <array>
#include <type_traits>

#include "support/catch.hpp"

using namespace dalembert;

namespace kernel_test {

/// Fourth-order central difference of f at x.
template <class F>
long double difference(F&& f, long double x, long double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

TEMPLATE_TEST_CASE("a kernel is a bump with the derivatives it says", "", contact::CubicSpline,
                   contact::QuinticSpline, contact::CorrectedQuinticSpline, contact::CompactKernelValue,
                   contact::Gaussian) {
  constexpr bool corrected = std::is_same_v<TestType, contact::CorrectedQuinticSpline>;
  const TestType kernel{};
  const long double h = 1e-3L;
  long double worst = 0, area = 0;
  for (int i = -400; i <= 400; ++i) {
    const long double x = 0.01L * i + 0.003L;  // no difference reaches over a knot
    const auto b = kernel(x);
    if (!corrected || std::abs(x) < 1.27L) CHECK(b.value >= 0);
    if (corrected && std::abs(x) > 1.272L) CHECK(b.value <= 0);
    CHECK(kernel(-x).value == b.value);
    CHECK(kernel(-x).first == -b.first);
    CHECK(kernel(-x).second == b.second);
    worst =
        std::max({worst, std::abs(difference([&](long double y) { return kernel(y).value; }, x, h) - b.first),
                  std::abs(difference([&](long double y) { return kernel(y).first; }, x, h) - b.second)});
    area += 0.01L * b.value;
  }
  CHECK(worst < 1e-9L);
  if constexpr (TestType::partition_of_unity) CHECK(static_cast<double>(area) == Approx(1).epsilon(1e-6));
  if constexpr (TestType::reach > 0) {
    for (const long double x : {1.0L * TestType::reach, TestType::reach + 0.1L, TestType::reach + 5.0L}) {
      CHECK(std::abs(kernel(x).value) < 1e-60L);
      CHECK(std::abs(kernel(x).first) < 1e-40L);
      CHECK(std::abs(kernel(x).second) < 1e-30L);
    }
    CHECK((corrected ? -1 : 1) * kernel(TestType::reach - 0.01L).value > 0);
  }
  CHECK(kernel(0.0L).second < 0);
}

TEMPLATE_TEST_CASE("splines part unity, and their sum and first moment are exact", "", contact::CubicSpline,
                   contact::QuinticSpline, contact::CorrectedQuinticSpline) {
  const TestType kernel{};
  static_assert(TestType::partition_of_unity);
  for (int i = 0; i <= 100; ++i) {
    const double x = 0.01 * i;
    double sum = 0, slope = 0, curve = 0, moment = 0;
    for (int node = -5; node <= 6; ++node) {
      const auto b = kernel(x - node);
      sum += b.value;
      slope += b.first;
      curve += b.second;
      moment += b.value * node;
    }
    CHECK(std::abs(sum - 1) < 2e-15);
    CHECK(std::abs(slope) < 5e-15);
    CHECK(std::abs(curve) < 1e-14);
    CHECK(std::abs(moment - x) < 1e-14);
  }
}

TEST_CASE("the corrected quintic spline gives back cubics exactly", "[contact]") {
  const contact::CorrectedQuinticSpline kernel{};
  for (int i = 0; i <= 100; ++i) {
    const double x = 0.01 * i;
    std::array<double, 4> moments{};
    for (int node = -5; node <= 6; ++node)
      for (std::size_t power = 0; power < 4; ++power)
        moments[power] += kernel(x - node).value * std::pow(node - x, power);
    CHECK(std::abs(moments[0] - 1) < 2e-15);
    for (std::size_t power = 1; power < 4; ++power) CHECK(std::abs(moments[power]) < 1e-14);
  }
}

TEST_CASE("kernels have their known values at the nodes") {
  const contact::CubicSpline cubic{};
  CHECK(cubic(0.0).value == Approx(2.0 / 3.0).epsilon(1e-15));
  CHECK(cubic(1.0).value == Approx(1.0 / 6.0).epsilon(1e-15));
  CHECK(cubic(1.0).first == Approx(-0.5).epsilon(1e-15));
  const contact::QuinticSpline quintic{};
  CHECK(quintic(0.0).value == Approx(66.0 / 120.0).epsilon(1e-15));
  CHECK(quintic(-1.0).value == Approx(26.0 / 120.0).epsilon(1e-15));
  CHECK(quintic(2.0).value == Approx(1.0 / 120.0).epsilon(1e-14));
  const contact::CorrectedQuinticSpline corrected{};
  CHECK(corrected(0.0).value == Approx(0.8).epsilon(1e-15));
  CHECK(corrected(-1.0).value == Approx(2.0 / 15).epsilon(1e-15));
  CHECK(corrected(2.0).value == Approx(-1.0 / 30).epsilon(1e-14));
  CHECK(contact::CompactKernelValue{}(0.0).value == 1);
  CHECK(contact::Gaussian{}(1.0).value == Approx(std::exp(-0.5)).epsilon(1e-15));
}

TEMPLATE_TEST_CASE("a pack of arguments gives what single ones give", "", contact::CubicSpline,
                   contact::QuinticSpline, contact::CorrectedQuinticSpline, contact::CompactKernelValue,
                   contact::Gaussian) {
  using L = Pack<double, 4>;
  const TestType kernel{};
  const double at[4] = {-2.7, -0.3, 0.9, 3.4};
  const contact::KernelValue<L> b = kernel(L::load(at));
  for (int i = 0; i < 4; ++i) {
    CHECK(b.value[i] == Approx(kernel(at[i]).value).margin(1e-16));
    CHECK(b.first[i] == Approx(kernel(at[i]).first).margin(1e-16));
    CHECK(b.second[i] == Approx(kernel(at[i]).second).margin(1e-16));
  }
}

}  // namespace kernel_test
