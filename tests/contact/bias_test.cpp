#include <dalembert/contact/bias.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/detail/segment_pair.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace bias_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;

/// A rod of `elements` whose nodes lie on an arc of this radius in the plane of z and x, bulging along −x at s = ½.
rod::Chain<double> arc(const Rod& rod, double radius) {
  rod::Chain<double> chain(rod.nodes());
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double angle = (rod.spacing() * static_cast<double>(k) - 0.5) / radius;
    chain.set_frame(k, SO3<double>::identity(), V(-radius * std::cos(angle), 0, radius * std::sin(angle)));
  }
  return chain;
}

/// How far an averaged circle lies inside of itself, for a kernel as wide as `multiple` elements.
template <class K>
double inside(int elements, int multiple, double radius, double s) {
  const Rod rod = test::soft_rod<Rod>(0.005, elements);
  const contact::KernelAverage<double, K> average({}, multiple * rod.spacing(), rod.spacing(), rod.nodes());
  return radius - average.at(arc(rod, radius), s, 0, 1).R.norm();
}

TEST_CASE("an average lies inside of a circle by K l^2/6 or K l^2/4, a corrected one by O(l^4)",
          "[contact]") {
  const double radius = 0.4;
  for (const int multiple : {1, 2})
    for (const double s : {0.5, 0.5123}) {
      CAPTURE(multiple, s);
      const double l = multiple / 80.0;
      CHECK(inside<contact::CubicSpline>(80, multiple, radius, s) ==
            Approx(l * l / 6 / radius).epsilon(1e-3));
      CHECK(inside<contact::QuinticSpline>(80, multiple, radius, s) ==
            Approx(l * l / 4 / radius).epsilon(1e-3));
      const double coarse = inside<contact::CorrectedQuinticSpline>(80, multiple, radius, s);
      const double fine = inside<contact::CorrectedQuinticSpline>(160, multiple, radius, s);
      CHECK(std::abs(coarse) < 2e-3 * l * l / radius);
      CHECK(std::abs(coarse) > 0);
      CHECK(std::log2(coarse / fine) == Approx(4).margin(0.15));
    }
}

TEST_CASE("the curve through the nodes meets them and is a circle to O(h^4) between them", "[contact]") {
  const double radius = 0.4;
  const auto error = [&](int elements, double x) {  // x elements from the start
    const auto chain = arc(test::soft_rod<Rod>(0.005, elements), radius);
    return radius - contact::node_curve(chain, 1.0 / elements, x / elements).norm();
  };
  for (const double x : {0.0, 1.0, 2.0, 40.0, 79.0, 80.0}) CHECK(std::abs(error(80, x)) < 1e-16);
  for (const double x : {0.3, 1.5, 40.2, 78.5, 79.6}) {
    CAPTURE(x);
    const double end = x > 79 ? 160 - (80 - x) : x > 41 ? 160 - (80 - x) : x;
    CHECK(std::abs(error(80, x)) > 1e-12);
    CHECK(std::log2(error(80, x) / error(160, end)) == Approx(4).margin(0.15));
  }
}

TEST_CASE("the gap bias of two arcs is what both are pulled, with its sign", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(0.005, 100);
  const contact::RollingContact<double> crossing{{0, rod, 0.02}, {1, rod, 0.02}, 0.005, 0.005};
  const double l = 0.02;
  auto one = arc(rod, 0.4), other = arc(rod, 0.3);
  // side by side, bulging the same way, the first one ahead; then the second one turned so that they bulge apart
  test::transform<double>(one, Mat<double, 3>::Identity(), V(0.4, 0, 0));
  test::transform<double>(other, Mat<double, 3>::Identity(), V(0.31, 0, 0));
  CHECK(contact::gap_bias(crossing, {one, other}, {0.5, 0.5}) ==
        Approx(l * l / 6 * (1 / 0.4 - 1 / 0.3)).epsilon(3e-3));
  test::transform<double>(other, test::rotation_matrix<double>({0, 0, M_PI}), V(-0.01, 0, 0));
  CHECK(contact::gap_bias(crossing, {other, one}, {0.5, 0.5}) ==
        Approx(-l * l / 6 * (1 / 0.4 + 1 / 0.3)).epsilon(3e-3));
}

/// The least distance of the polygons through the nodes of two chains.
double between_polygons(const rod::Chain<double>& a, const rod::Chain<double>& b) {
  double square = HUGE_VAL;
  for (Eigen::Index i = 0; i + 1 < a.nodes; ++i)
    for (Eigen::Index j = 0; j + 1 < b.nodes; ++j)
      square = std::min(square,
                        contact::detail::SegmentPair<double>(a.position(i), a.position(i + 1) - a.position(i),
                                                             b.position(j), b.position(j + 1) - b.position(j))
                            .square);
  return std::sqrt(square);
}

TEST_CASE("the gap bias of the rolling rods is how far their chords are apart beyond the gap", "[contact]") {
  for (const double width : {0.01, 0.005}) {
    const systems::RollingRodsParameters<double> p{.elements = 400, .kernel_width = width};
    const auto start = systems::static_start(p);
    const auto& x = start.state;
    const double bias = contact::gap_bias(start.crossing, x.chains, Vec<double, 2>(x.z));
    CHECK(std::abs(contact::evaluate(start.crossing, x, start.equilibrium.lambda).gap) < 1e-16);
    const double distance = between_polygons(x[0], x[1]);
    CAPTURE(bias, distance);
    // chords lie inside of the curve, by less than a fifteenth of a millimetre on both rods
    const double between_chords = distance - 2 * p.radius;
    CHECK(between_chords < bias);
    CHECK(between_chords > bias - 1.0 / 15000);
    CHECK(between_chords > 1e-4);
  }
}

}  // namespace bias_test
