#include <dalembert/rod/link.hpp>

#include <cmath>
#include <functional>
#include <stdexcept>

#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace link_test {

using namespace dalembert;
using rod::Chain;
using rod::Closure;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
constexpr double pi_ = static_cast<double>(pi);

/// A closed curve for a parameter from 0 to 2π, with frames that turn `turns` times about it beside a fixed direction across it, and `shear` away from it.
Chain<double> ring(int n, double turns, const std::function<V(double)>& curve, double shear = 0) {
  Chain<double> chain(n + 1);
  for (int k = 0; k <= n; ++k) {
    const double t = 2 * pi_ * (k % n) / n, angle = turns * 2 * pi_ * k / n;
    const V e3 = (curve(t + 1e-5) - curve(t - 1e-5)).normalized();
    const V across = (V(0.1, 0.2, 1) - e3 * e3.dot(V(0.1, 0.2, 1))).normalized();
    Mat<double, 3> axes;
    axes << across, e3.cross(across), e3;
    chain.set_frame(k,
                    SO3<double>::from_matrix(axes) * SO3<double>::exp(V(0, 0, angle)) *
                        SO3<double>::exp(shear * V(std::sin(3 * t), std::cos(2 * t), 0)),
                    curve(t));
  }
  return chain;
}

V circle(double t) { return {std::cos(t), std::sin(t), 0}; }
V unknot(double t) {
  return {std::cos(t) + 0.4 * std::sin(3 * t), std::sin(t) - 0.3 * std::cos(2 * t), 0.6 * std::sin(2 * t)};
}
V trefoil(double t) {
  return {std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), std::sin(3 * t)};
}

TEST_CASE("a flat ring with n turns has the twist and the link n", "[rod][link]") {
  for (const int turns : {-3, 0, 1, 10}) {
    CAPTURE(turns);
    const auto link = rod::link(ring(60, turns, circle), Closure::ring);
    CHECK_THAT(link.twist, WithinAbs(turns, 1e-12));
    CHECK_THAT(link.writhe, WithinAbs(0, 1e-12));
  }
}

TEST_CASE(
    "twist and writhe of a ring add up to a whole number to round-off, also of a sheared and of a knotted "
    "one",
    "[rod][link]") {
  for (const auto& curve : {circle, unknot, trefoil})
    for (const double shear : {0.0, 0.3})
      for (const int turns : {-2, 0, 5}) {
        CAPTURE(shear, turns);
        const auto some = rod::link(ring(80, turns, curve, shear), Closure::ring);
        CHECK_THAT(some.link(), WithinAbs(std::round(some.link()), 1e-12));
        // the turns are counted, whatever the shape
        const auto none = rod::link(ring(80, 0, curve, shear), Closure::ring);
        CHECK_THAT(some.link() - none.link(), WithinAbs(turns, 1e-12));
      }
  const auto knot = rod::link(ring(80, 0, trefoil), Closure::ring);
  CHECK(std::abs(knot.writhe - std::round(knot.writhe)) > 0.1);
}

TEST_CASE("the link of a ring is the linking number of two curves", "[rod][link]") {
  // half the sum of the signed crossings of the axis with a curve beside it, by Gauss's integral over all pairs of edges
  using T = dalembert::detail::Triple<double>;
  for (const auto& curve : {circle, unknot, trefoil}) {
    const int n = 240;
    const auto chain = ring(n, 4, curve);
    const auto beside = [&](int k) { return V(chain.position(k) + chain.rotation(k).act(V(0.03, 0, 0))); };
    double gauss = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        gauss += rod::detail::edges_angle(T(chain.position(i)), T(chain.position(i + 1)), T(beside(j)),
                                          T(beside(j + 1))) /
                 (4 * pi_);
    REQUIRE_THAT(gauss, WithinAbs(std::round(gauss), 1e-10));
    CHECK_THAT(rod::link(chain, Closure::ring).link(), WithinAbs(gauss, 1e-10));
  }
}

TEST_CASE("a ring that was closed after a part of a turn keeps that part in its link", "[rod][link]") {
  for (const double turns : {0.3, -2.4, 4.5}) {
    CAPTURE(turns);
    const auto flat = rod::link(ring(60, turns, circle), Closure::ring);
    const auto bent = rod::link(ring(60, turns, unknot), Closure::ring);
    CHECK_THAT(flat.twist, WithinAbs(turns, 1e-12));
    CHECK_THAT(bent.link() - turns, WithinAbs(std::round(bent.link() - turns), 1e-12));
  }
}

/// A rod between two ends that lead along z, bent in between, with frames turning `turns` times.
Chain<double> led(int n, double turns, double bend) {
  Chain<double> chain(n + 1);
  V at(0, 0, 0);
  for (int k = 0; k <= n; ++k) {
    const auto frame = [&](double x) {  // the axis is that of z at both ends
      const double swell = bend * 16 * x * x * (1 - x) * (1 - x);
      return SO3<double>::exp(swell * V(std::cos(7 * x), std::sin(7 * x), 0)) *
             SO3<double>::exp(V(0, 0, 2 * pi_ * turns * x));
    };
    const double x = static_cast<double>(k) / n;
    chain.set_frame(k, frame(x), at);
    at += 1.0 / n * frame(x + 0.5 / n).act(V::UnitZ());
  }
  return chain;
}

TEST_CASE("a rod between ends along one line has the link by which they are turned", "[rod][link]") {
  for (const double turns : {0.0, 2.0, -3.25}) {
    CAPTURE(turns);
    const auto straight = rod::link(led(50, turns, 0), Closure::rays);
    CHECK_THAT(straight.twist, WithinAbs(turns, 1e-12));
    CHECK_THAT(straight.writhe, WithinAbs(0, 1e-12));
    for (const double bend : {0.5, 1.2, 1.8}) {
      const auto bent = rod::link(led(50, turns, bend), Closure::rays);
      CHECK_THAT(bent.link(), WithinAbs(turns, 1e-12));
      CHECK(std::abs(bent.writhe) > 0.01);
    }
  }
}

TEST_CASE("a move that does not lead a rod through itself leaves the link, one that does changes it by two",
          "[rod][link]") {
  // a loop whose legs pass each other in the middle, at the distance `height`
  const auto loop = [](double height) {
    const int n = 90;
    Chain<double> chain(n + 1);
    const auto curve = [&](double x) {
      return V(1.5 * std::sin(2 * pi_ * x) + 4.8 * (x - 0.5), std::cos(2 * pi_ * x),
               height * std::sin(pi_ * x) * std::sin(pi_ * x) * std::cos(pi_ * x));
    };
    for (int k = 0; k <= n; ++k) {
      const double x = static_cast<double>(k) / n;
      const V e3 = (curve(x + 1e-5) - curve(x - 1e-5)).normalized(), up(0, 0, 1);
      Mat<double, 3> axes;
      axes.col(0) = (up - e3 * e3[2]).normalized();
      axes.col(2) = e3;
      axes.col(1) = e3.cross(axes.col(0));
      chain.set_frame(k, SO3<double>::from_matrix(axes), curve(x));
    }
    return chain;
  };
  const double wide = rod::link(loop(0.6), Closure::rays).link();
  for (const double height : {0.3, 0.1, 0.01})
    CHECK_THAT(rod::link(loop(height), Closure::rays).link(), WithinAbs(wide, 1e-12));
  CHECK_THAT(std::abs(rod::link(loop(-0.01), Closure::rays).link() - wide), WithinAbs(2, 1e-12));
}

TEST_CASE("twist and writhe are those of every frame", "[rod][link]") {
  test::Random random(test::seed());
  const Mat<double, 3> turn = test::rotation_matrix<double>(random.vector<double>());
  for (const Closure closure : {Closure::ring, Closure::rays}) {
    auto chain = closure == Closure::ring ? ring(60, 3, unknot, 0.2) : led(60, 3, 1.4);
    const auto before = rod::link(chain, closure);
    test::transform<double>(chain, turn, V(1, -2, 3));
    const auto after = rod::link(chain, closure);
    CHECK_THAT(after.twist, WithinAbs(before.twist, 1e-12));
    CHECK_THAT(after.writhe, WithinAbs(before.writhe, 1e-12));
  }
}

TEST_CASE("the twist is the integral of the strain, to second order", "[rod][link]") {
  const auto difference = [](int n) {
    const Rod rod = test::soft_rod<Rod>(0.01, n);
    const auto chain = led(n, 2.3, 1.5);
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += rod.spacing() * rod.strain(chain, k).curvature[2] / (2 * pi_);
    return rod::twist(chain, Closure::rays) - sum;
  };
  const double coarse = difference(40), fine = difference(80);
  CHECK(std::abs(fine) < 5e-3);
  CHECK_THAT(std::log2(coarse / fine), WithinAbs(2, 0.15));
}

TEST_CASE("what is not closed, or turned inside out, has no link", "[rod][link]") {
  CHECK_THROWS_WITH(rod::link(led(20, 0, 1), Closure::ring), ContainsSubstring("distance of the last node"));
  CHECK_THROWS_WITH(rod::link(Chain<double>(2), Closure::rays), ContainsSubstring("nodes = 2"));
  auto chain = led(20, 0, 0);
  chain.set_frame(11, chain.rotation(11), V(chain.position(9)));
  CHECK_THROWS_WITH(rod::twist(chain, Closure::rays), ContainsSubstring("element 10"));
  CHECK_THROWS_AS(rod::writhe(Chain<double>(5), Closure::rays), std::invalid_argument);
}

}  // namespace link_test
