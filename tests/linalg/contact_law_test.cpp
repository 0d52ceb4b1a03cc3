#include <dalembert/linalg/detail/contact_law.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace contact_law_test {

using namespace dalembert;
using linalg::detail::distance_without_bound;
using linalg::detail::on_cone;
using linalg::detail::slipping;
using linalg::detail::solved_contact;
using linalg::detail::solved_three;
using V3 = Vec<double, 3>;
using M3 = Mat<double, 3>;

TEST_CASE("the nearest point of a cone is in it, and itself where that is", "[linalg][cone]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 100; ++round) {
    const double mu = draw.between(0, 2);
    const V3 y(draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1));
    const V3 p = on_cone(y, mu);
    CHECK(std::hypot(p[1], p[2]) <= mu * p[0] + 1e-15);
    CHECK((on_cone(V3(p[0] * (1 + 1e-15), p[1], p[2]), mu) - p).norm() < 1e-14);
    // what is left over is against the cone
    CHECK(std::abs((y - p).dot(p)) < 1e-15);
    CHECK((y - p).dot(V3(1, mu, 0)) <= 1e-15);
    CHECK((y - p).dot(V3(1, 0, -mu)) <= 1e-15);
  }
  CHECK(on_cone(V3(2, 0, 0), 0.0) == V3(2, 0, 0));  // without friction the cone is a ray
  CHECK(on_cone(V3(2, 3, 4), 0.0) == V3(2, 0, 0));
  CHECK(on_cone(V3(-2, 0, 0), 0.0) == V3(0, 0, 0));
}

TEST_CASE("without a bound on friction a contact is as far from its law as from the nearest of its cases",
          "[linalg][cone]") {
  // with ρ = 10 it would stick but for 50, and be open but for the force 2; as one that jams its force would
  // turn aside by |P_t × u_t|/|u_t| = 8/5
  CHECK(distance_without_bound(V3(0, 2, 0), V3(0, -3, 4), 10.0) == Approx(8.0 / 5).epsilon(1e-14));
  // with ρ = 1/10 by ρ|P_t × u_t|/|P_t|
  CHECK(distance_without_bound(V3(0, 2, 0), V3(0, -3, 4), 0.1) == Approx(0.1 * 8 / 2).epsilon(1e-14));
  CHECK(distance_without_bound(V3(0, 2, 0), V3(0, -3, 0), 0.1) == 0);
  CHECK(distance_without_bound(V3(0, 2, 0), V3(0, 3, 0), 0.1) == Approx(0.3).epsilon(1e-14));
  CHECK(distance_without_bound(V3(5, 2, 0), V3(0, 0, 0), 0.1) == 0);
  CHECK(distance_without_bound(V3(0, 0, 0), V3(3, 1, 0), 0.1) == 0);
}

TEST_CASE("three equations are solved, and of those that follow from others what can be", "[linalg][cone]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 50; ++round) {
    M3 g;
    for (double& x : g.reshaped()) x = draw.between(-1, 1);
    g *= draw.power(-6, 6);
    const V3 y(draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1));
    CHECK((g * solved_three(g, V3(g * y)) - g * y).norm() < 1e-14 * g.norm());
    g.col(round % 3) = g.col((round + 1) % 3) - 2 * g.col((round + 2) % 3);
    CHECK((g * solved_three(g, V3(g * y)) - g * y).norm() < 1e-14 * g.norm());
  }
}

TEST_CASE("the friction of what slips is against its slip, and the contact stays closed", "[linalg][cone]") {
  test::Draw draw(test::seed());
  int slips = 0;
  for (int round = 0; round < 300; ++round) {
    M3 a;
    for (double& x : a.reshaped()) x = draw.between(-1, 1);
    const double mass = draw.power(-6, 6), mu = draw.between(0.1, 1);
    const M3 g = (a * a.transpose() + 0.1 * M3::Identity()) / mass;
    const V3 b(-1, draw.between(-1, 1), draw.between(-1, 1)), P = slipping(g, b, mu), u = b + g * P;
    if (P.isZero(0)) continue;
    ++slips;
    CAPTURE(g, b.transpose(), mu);
    const double rounding = 1e-13 * (b.norm() + (g * P).norm());
    CHECK(std::abs(u[0]) < rounding);
    CHECK(std::hypot(P[1], P[2]) == Approx(mu * P[0]));
    CHECK(P[1] * u[1] + P[2] * u[2] <= mu * P[0] * rounding);
    CHECK(std::abs(P[1] * u[2] - P[2] * u[1]) < 100 * mu * P[0] * rounding);
  }
  CHECK(slips > 100);
}

TEST_CASE("hardly any friction is against the slip there is without it", "[linalg][cone]") {
  test::Draw draw(test::seed());
  for (const double mu : {1e-3, 1e-7, 1e-12, 1e-25}) {
    const double m = draw.power(-6, 6), first = draw.between(1, 4), second = draw.between(1, 4);
    M3 g = M3::Zero();
    g.diagonal() << 1, first, second;
    g(1, 2) = g(2, 1) = 0.5;
    const V3 b(-2, 0.6, -0.8), P = solved_contact(M3(g / m), b, mu);
    CHECK(P[0] == Approx(2 * m).epsilon(1e-14));
    CHECK(std::hypot(P[1], P[2]) == Approx(mu * P[0]).epsilon(1e-14));
    const V3 u = b + g / m * P;
    CHECK(P[1] / (mu * P[0]) == Approx(-u[1] / std::hypot(u[1], u[2])).epsilon(1e-13));
    CHECK(P[2] / (mu * P[0]) == Approx(-u[2] / std::hypot(u[1], u[2])).epsilon(1e-13));
  }
}

}  // namespace contact_law_test
