#include <dalembert/contact/detection.hpp>

#include "support/catch.hpp"
#include "support/contact_case.hpp"

using namespace dalembert;

namespace detection_test {

using V = Vec<double, 3>;
using Chain = rod::Chain<double>;

/// Nodes on the curve f(s), a rest distance of `spacing` apart.
template <class F>
Chain on_curve(Eigen::Index nodes, double spacing, F&& f) {
  Chain chain(nodes);
  for (Eigen::Index k = 0; k < nodes; ++k)
    chain.set_frame(k, SO3<double>::identity(), f(spacing * static_cast<double>(k)));
  return chain;
}

/// The closest pair of points by brute force over a fine subdivision.
double brute_force(const Chain& a, const Chain& b) {
  double best = HUGE_VAL;
  const int parts = 20;
  const auto point = [&](const Chain& c, Eigen::Index i) {
    const double x = static_cast<double>(i % parts) / parts;
    const Eigen::Index k = i / parts;
    return V(x == 0 ? c.position(k) : V((1 - x) * c.position(k) + x * c.position(k + 1)));
  };
  for (Eigen::Index i = 0; i <= (a.nodes - 1) * parts; ++i)
    for (Eigen::Index j = 0; j <= (b.nodes - 1) * parts; ++j)
      best = std::min(best, (point(a, i) - point(b, j)).norm());
  return best;
}

TEST_CASE("straight rods that cross come closest where they do") {
  const auto a = on_curve(31, 0.1, [](double s) { return V(1.2 * s, 0, 0); });
  const auto b = on_curve(41, 0.05, [](double s) { return V(0.84, -0.33 + s, 0.07); });
  const auto found = contact::closest_approach(a, 0.1, b, 0.05);
  CHECK(found.s[0] == Approx(0.7).epsilon(1e-14));
  CHECK(found.s[1] == Approx(0.33).epsilon(1e-14));
  CHECK(found.distance == Approx(0.07).epsilon(1e-14));
}

TEST_CASE("rods of one element have a closest approach", "[contact]") {
  const auto a = on_curve(2, 1.0, [](double s) { return V(s, 0, 0); });
  const auto b = on_curve(2, 2.0, [](double s) { return V(0.25, s - 0.5, 0.07); });
  const auto found = contact::closest_approach(a, 1.0, b, 2.0);
  CHECK(found.s[0] == Approx(0.25).epsilon(1e-14));
  CHECK(found.s[1] == Approx(0.5).epsilon(1e-14));
  CHECK(found.distance == Approx(0.07).epsilon(1e-14));
}

TEST_CASE("wild rods come closest where a search of all pairs says") {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.01, 30);
  int crossing = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const test::Wildness wild{.bend = 1.5, .strain = 0.3};
    const auto a =
        test::random_chain(rod, test::rotation_matrix<double>(3 * random.vector<double>()), random, wild);
    auto b =
        test::random_chain(rod, test::rotation_matrix<double>(3 * random.vector<double>()), random, wild);
    test::transform<double>(b, Mat<double, 3>::Identity(), 0.3 * random.vector<double>());
    const double exact = brute_force(a, b);
    const contact::detail::ClosestSegments<double> best(a, b);
    CHECK(std::sqrt(best.square) <= exact + 1e-15);
    CHECK(std::sqrt(best.square) > exact - 2e-3);
    try {
      const auto found = contact::closest_approach(a, rod.spacing(), b, rod.spacing());
      CHECK(found.distance == std::sqrt(best.square));
      const auto back = contact::closest_approach(b, rod.spacing(), a, rod.spacing());
      CHECK(back.distance == Approx(found.distance).epsilon(1e-12));
      CHECK(back.s[0] == Approx(found.s[1]).epsilon(1e-9));
      ++crossing;
    } catch (const InvalidState&) {
    }
  }
  CHECK(crossing > 10);
}

TEST_CASE("no pair of segments is closer than the closest approach", "[contact]") {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.01, 40);
  for (int trial = 0; trial < 200; ++trial) {
    const test::Wildness wild{.bend = 2.5, .strain = 0.4};
    const auto some = [&] {
      return test::random_chain(rod, test::rotation_matrix<double>(3 * random.vector<double>()), random,
                                wild);
    };
    const auto a = some();
    auto b = some();
    test::transform<double>(b, Mat<double, 3>::Identity(), 0.4 * random.vector<double>());
    double square = HUGE_VAL;
    for (Eigen::Index i = 0; i + 1 < a.nodes; ++i)
      for (Eigen::Index j = 0; j + 1 < b.nodes; ++j) {
        const V d = a.position(i + 1) - a.position(i), e = b.position(j + 1) - b.position(j);
        square =
            std::min(square, contact::detail::SegmentPair<double>(a.position(i), d, b.position(j), e).square);
      }
    REQUIRE(contact::detail::ClosestSegments<double>(a, b).square == square);
  }
}

TEST_CASE("the closest approach is a guess from which the contact is located") {
  const auto cases = [] {
    test::ContactCases<double> all;
    test::add_case<double, contact::CubicSpline, contact::SpatialSmearing, contact::CentrelineTangency>(
        all, "cubic", {});
    return all;
  }();
  test::Random random(test::seed());
  for (int trial = 0; trial < 10; ++trial) {
    const auto& model = *cases[0];
    const auto pair = model.pair(random, false);
    const auto found = contact::closest_approach(pair.chains[0], model.rods[0].spacing(), pair.chains[1],
                                                 model.rods[1].spacing());
    CHECK((found.s - pair.contact.s).cwiseAbs().maxCoeff() < 0.02);
    auto again = pair;
    again.contact.s = found.s;
    model.solve_algebraic(again);
    CHECK((again.contact.s - pair.contact.s).norm() < 1e-9);
  }
}

TEST_CASE("rods without a crossing are typed errors that tell place and time") {
  const auto a = on_curve(31, 0.1, [](double s) { return V(s, 0, 0); });
  CHECK_THROWS_AS(
      contact::closest_approach(a, 0.1, on_curve(31, 0.1, [](double s) { return V(s, 0.2, 0); }), 0.1),
      ParallelRods);
  CHECK_THROWS_AS(contact::closest_approach(
                      a, 0.1, on_curve(31, 0.1, [](double s) { return V(s, 0.2 + 0.01 * s, 0); }), 0.1),
                  ParallelRods);
  CHECK_THROWS_AS(
      contact::closest_approach(a, 0.1, on_curve(31, 0.1, [](double s) { return V(1, 0.2 + s, 0); }), 0.1),
      ContactAtEnd);
  CHECK_THROWS_AS(
      contact::closest_approach(a, 0.1, on_curve(31, 0.1, [](double s) { return V(-0.5, s - 1, 0.1); }), 0.1),
      ContactAtEnd);
  // the last node of either
  const auto beyond = on_curve(31, 0.1, [](double s) { return V(3.2, s - 1, 0.1); });
  CHECK_THROWS_AS(contact::closest_approach(a, 0.1, beyond, 0.1), ContactAtEnd);
  CHECK_THROWS_AS(contact::closest_approach(beyond, 0.1, a, 0.1), ContactAtEnd);
  try {
    (void)contact::closest_approach(a, 0.1, on_curve(31, 0.1, [](double s) { return V(1.25, 0.2 + s, 0); }),
                                    0.1, 7.5);
    FAIL("no error");
  } catch (const ContactAtEnd& error) {
    CHECK(error.time() == 7.5);
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("s1 = 1.25"));
  }
}

TEST_CASE("rods that cross at three degrees have a closest approach, at one degree they are parallel",
          "[contact]") {
  const auto at = [](double degrees, const V& origin = V(0, 0, 0)) {
    const double angle = degrees * static_cast<double>(pi / 180);
    const auto a = on_curve(31, 0.1, [&](double s) { return V(origin + V(s, 0, 0)); });
    const auto b = on_curve(31, 0.1, [&](double s) {
      return V(origin + V(1.5 + (s - 1.42) * std::cos(angle), (s - 1.42) * std::sin(angle), 0.05));
    });
    return contact::closest_approach(a, 0.1, b, 0.1);
  };
  for (const double degrees : {3.0, -3.0, 177.0, 1.3}) {
    CAPTURE(degrees);
    const auto found = at(degrees);
    CHECK(found.s[0] == Approx(1.5).epsilon(1e-10));
    CHECK(found.s[1] == Approx(1.42).epsilon(1e-10));
    CHECK(found.distance == Approx(0.05).epsilon(1e-12));
  }
  for (const double degrees : {1.0, -1.0, 179.0}) {
    CHECK_THROWS_AS(at(degrees), ParallelRods);
    CHECK_THROWS_AS(at(degrees, V(-1, 2, 3)), ParallelRods);  // wherever the origin is
  }
}

TEST_CASE("a search of what is no rod is refused") {
  const auto a = on_curve(3, 0.1, [](double s) { return V(s, 0, 0); });
  CHECK_THROWS_AS(contact::closest_approach(a, 0.0, a, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(contact::closest_approach(a, 0.1, Chain(1), 0.1), std::invalid_argument);
  CHECK_THROWS_AS(contact::closest_approach(a, 0.1, Chain(), 0.1), std::invalid_argument);
  auto bad = a;
  bad.configuration(1, 0) = std::nan("");
  CHECK_THROWS_AS(contact::closest_approach(a, 0.1, bad, 0.1), std::invalid_argument);
}

}  // namespace detection_test
