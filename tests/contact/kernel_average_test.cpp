#include <dalembert/contact/averaging.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace kernel_average_test {

template <class S>
using V3 = Vec<S, 3>;

/// A smoothly curved chain, nodes a distance of 0.05 apart.
template <class S>
rod::Chain<S> curve(Eigen::Index nodes) {
  using std::cos, std::sin;
  test::Random random(test::seed());
  rod::Chain<S> chain(nodes);
  for (Eigen::Index k = 0; k < nodes; ++k) {
    const S s = S(0.05) * S(k);
    chain.set_frame(k, test::rotation<S>(test::rotation_matrix<S>(V3<S>(s, -s * s, S(0.3)))),
                    V3<S>(sin(s), cos(S(2) * s), s - s * s / S(5)));
    chain.set_velocity(k, random.vector<S>(), random.vector<S>());
  }
  return chain;
}

/// Σ f(weights, node) over the nodes of the rod, lane by lane.
template <class S, class KernelAverage, class F>
S sum(const KernelAverage& average, const contact::AveragedPoint<S>& p, Eigen::Index nodes, F&& f) {
  constexpr int width = contact::lane_width<S>;
  const auto lane = [](const auto& x, [[maybe_unused]] int i) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, S>)
      return x;
    else
      return x[i];
  };
  S total{};
  for (int pack = 0; pack < p.packs; ++pack) {
    const auto w = average.weights(p, pack);
    for (int i = 0; i < width; ++i) {
      const Eigen::Index k = p.first + pack * width + i;
      const contact::Weights<S> weight{lane(w.value, i), lane(w.first, i), lane(w.second, i)};
      if (k < nodes)
        total += f(weight, k);
      else
        CHECK(weight.value == 0);
    }
  }
  return total;
}

template <class F>
auto difference(F&& f, long double h) {
  using Value = decltype(f(h));
  const Value near = f(h) - f(-h);
  const Value far = f(2 * h) - f(-2 * h);
  return Value((8.0L * near - far) / (12 * h));
}

TEMPLATE_TEST_CASE("weights sum to one and their slopes to zero wherever the contact is", "",
                   contact::CubicSpline, contact::QuinticSpline, contact::CompactKernelValue,
                   contact::Gaussian) {
  const Eigen::Index nodes = 61;
  const auto chain = curve<double>(nodes);
  for (const double width : {0.05, 0.1, 0.15}) {
    const contact::KernelAverage<double, TestType> average(TestType{}, width, 0.05, nodes);
    for (int i = 0; i < 100; ++i) {
      const double s = 1.0 + 0.01 * i;
      const auto p = average.at(chain, s, 0.0, 1);
      CHECK(std::abs(sum(average, p, nodes, [](const auto& w, auto) { return w.value; }) - 1) < 1e-14);
      CHECK(std::abs(sum(average, p, nodes, [](const auto& w, auto) { return w.first; })) < 1e-12);
      CHECK(std::abs(sum(average, p, nodes, [](const auto& w, auto) { return w.second; })) < 1e-10);
      if (TestType::partition_of_unity)
        CHECK(std::abs(sum(average, p, nodes,
                           [](const auto& w, auto k) { return w.value * 0.05 * static_cast<double>(k); }) -
                       s) < 1e-14);
      V3<double> R, dR, ddR;
      for (int j = 0; j < 3; ++j) {
        R[j] = sum(average, p, nodes, [&](const auto& w, auto k) { return w.value * chain.position(k)[j]; });
        dR[j] = sum(average, p, nodes, [&](const auto& w, auto k) { return w.first * chain.position(k)[j]; });
        ddR[j] =
            sum(average, p, nodes, [&](const auto& w, auto k) { return w.second * chain.position(k)[j]; });
      }
      CHECK((R - p.R).norm() < 1e-14);
      CHECK((dR - p.dR).norm() < 1e-12);
      CHECK((ddR - p.ddR).norm() < 1e-10);
      CHECK(p.square == Approx(sum(average, p, nodes, [](const auto& w, auto) {
                          return w.value * w.value;
                        })).epsilon(1e-13));
    }
  }
}

TEMPLATE_TEST_CASE("an averaged point has the derivatives in s that it says", "", contact::CubicSpline,
                   contact::QuinticSpline, contact::CompactKernelValue, contact::Gaussian) {
  using S = long double;
  const auto chain = curve<S>(61);
  const contact::KernelAverage<S, TestType> average(TestType{}, 0.1L, 0.05L, 61);
  for (const S s : {1.0123L, 1.3321L, 1.507L}) {
    const auto p = average.at(chain, s, 0.0, 1);
    const auto at = [&](S d) { return average.at(chain, s + d, 0.0, 1); };
    CHECK((difference([&](S d) { return at(d).R; }, 1e-4L) - p.dR).norm() < 1e-11L);
    CHECK((difference([&](S d) { return at(d).dR; }, 1e-4L) - p.ddR).norm() < 1e-9L);
    CHECK(std::abs(difference([&](S d) { return at(d).square; }, 1e-4L) - 2 * p.square_slope) < 1e-10L);
    CHECK(std::abs(difference([&](S d) { return at(d).square_slope; }, 1e-4L) - p.square_curve) < 1e-8L);
    CHECK(std::abs(difference([&](S d) { return at(d).sum0; }, 1e-4L) - p.sum1) < 1e-9L);
    CHECK(std::abs(difference([&](S d) { return at(d).sum1; }, 1e-4L) - p.sum2) < 1e-7L);
  }
}

TEST_CASE("a Gaussian reaches every node, up to the last one") {
  for (const Eigen::Index nodes : {20, 21, 22, 23}) {
    const auto chain = curve<double>(nodes);
    const contact::KernelAverage<double, contact::Gaussian> average({}, 0.1, 0.05, nodes);
    for (const double s :
         {0.0, 0.03, 0.05 * static_cast<double>(nodes) - 0.07, 0.05 * static_cast<double>(nodes - 1)}) {
      const auto p = average.at(chain, s, 0.0, 1);
      V3<double> wanted = V3<double>::Zero();
      double total = 0;
      for (Eigen::Index k = 0; k < nodes; ++k) {
        const double x = (s - 0.05 * static_cast<double>(k)) / 0.1;
        wanted += std::exp(-x * x / 2) * chain.position(k);
        total += std::exp(-x * x / 2);
      }
      CHECK((p.R - wanted / total).norm() < 1e-14);
      CHECK(p.sum0 == Approx(total).epsilon(1e-14));
    }
  }
}

TEST_CASE("averaged velocities are the weighted sums of spatial velocities") {
  const Eigen::Index nodes = 41;
  const auto chain = curve<double>(nodes);
  const contact::KernelAverage<double, contact::CompactKernelValue> average({}, 0.1, 0.05, nodes);
  const auto p = average.at(chain, 1.03, 0.0, 1);
  const auto u = contact::averaged_velocity(average, p, chain);
  for (int j = 0; j < 3; ++j) {
    const auto spin = [&](Eigen::Index k) { return chain.rotation(k).act(chain.angular_velocity(k))[j]; };
    CHECK(std::abs(sum(average, p, nodes,
                       [&](const auto& w, auto k) { return w.value * chain.linear_velocity(k)[j]; }) -
                   u.V[j]) < 1e-14);
    CHECK(std::abs(sum(average, p, nodes,
                       [&](const auto& w, auto k) { return w.first * chain.linear_velocity(k)[j]; }) -
                   u.dV[j]) < 1e-12);
    CHECK(std::abs(sum(average, p, nodes, [&](const auto& w, auto k) { return w.value * spin(k); }) -
                   u.W[j]) < 1e-14);
    CHECK(std::abs(sum(average, p, nodes, [&](const auto& w, auto k) { return w.first * spin(k); }) -
                   u.dW[j]) < 1e-12);
  }
}

TEST_CASE("the kernel width is a multiple of the spacing, at least one") {
  using KernelAverage = contact::KernelAverage<double, contact::CubicSpline>;
  CHECK(KernelAverage({}, 0.01, 0.05, 61).kernel_width() == 0.05);
  CHECK(KernelAverage({}, 0.12, 0.05, 61).kernel_width() == 0.1);
  CHECK(KernelAverage({}, 0.13, 0.05, 61).kernel_width() == Approx(0.15));
  CHECK(contact::KernelAverage<double, contact::Gaussian>({}, 0.12, 0.05, 61).kernel_width() == 0.12);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    CHECK_THROWS_AS(KernelAverage({}, bad, 0.05, 61), std::invalid_argument);
  CHECK_THROWS_WITH(KernelAverage({}, 0.8, 0.05, 61), Catch::Matchers::ContainsSubstring("kernel_width"));
  // the window of 8 nodes and both end nodes, no less
  CHECK_NOTHROW(KernelAverage({}, 0.1, 0.05, 10));
  CHECK_THROWS_AS(KernelAverage({}, 0.1, 0.05, 9), std::invalid_argument);
}

TEST_CASE("a window that holds an end node is an error that tells the rod, the place and the time") {
  const Eigen::Index nodes = 21;
  const auto chain = curve<double>(nodes);
  const contact::KernelAverage<double, contact::CubicSpline> average({}, 0.1, 0.05,
                                                                     nodes);  // four nodes on either side
  CHECK_NOTHROW(average.at(chain, 0.201, 0.0, 1));
  CHECK_NOTHROW(average.at(chain, 0.799, 0.0, 1));
  for (const double s : {0.199, 0.801, -3.0, 40.0})
    CHECK_THROWS_AS(average.at(chain, s, 0.0, 1), ContactAtEnd);
  for (const double s : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    CHECK_THROWS_AS(average.at(chain, s, 0.0, 1), NotFinite);
  // A kernel that reaches all nodes has no weight left far beyond them.
  const contact::KernelAverage<double, contact::Gaussian> wide({}, 0.1, 0.05, nodes);
  for (const double s : {0.0, 0.3, 1.0}) CHECK(wide.at(chain, s, 0.0, 1).R.allFinite());
  for (const double s : {-1e-9, 1.000001, 50.0, -1e9})
    CHECK_THROWS_AS(wide.at(chain, s, 0.0, 1), ContactAtEnd);
  try {
    (void)average.at(chain, 0.1, 2.5, 2);
    FAIL("no error");
  } catch (const ContactAtEnd& error) {
    CHECK(error.time() == 2.5);
    CHECK_THAT(error.what(),
               Catch::Matchers::ContainsSubstring("rod 2") && Catch::Matchers::ContainsSubstring("0.1"));
  }
}

}  // namespace kernel_average_test
