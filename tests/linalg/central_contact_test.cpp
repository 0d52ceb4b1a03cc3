#include <dalembert/linalg/detail/central_contact.hpp>

#include <cmath>

#include <dalembert/core/pack.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace central_contact_test {

using namespace dalembert::linalg::detail;
using At = AtContact<double>;
using Response = CentralResponse<double>;

/// A response, positive definite, of bodies of about this inverse mass.
Response response(double unit, test::Draw& draw) {
  const double a = draw.between(-1, 1), b = draw.between(-1, 1), c = draw.between(-1, 1),
               d = draw.between(-1, 1);
  return {unit * draw.between(0.5, 2), unit * (0.2 + a * a + b * b), unit * (0.2 + c * c + d * d),
          unit * (a * c + b * d)};
}
At impulse(const Response& G, const At& b, double mu, double before1 = 0, double before2 = 0) {
  return central_impulse(G, b, mu, before1, before2);
}
double size(double x, double y) { return std::hypot(x, y); }

TEST_CASE("a contact that closes sticks, or slips against its friction, in every unit", "[linalg][cone]") {
  test::Draw draw(test::seed());
  int slips = 0, sticks = 0;
  for (int round = 0; round < 500; ++round) {
    const double unit = draw.power(-6, 6), speed = draw.power(-6, 6), mu = draw.power(-3, 1);
    const Response G = response(unit, draw);
    const At b{-speed * draw.between(0.1, 1), speed * draw.between(-1, 1), speed * draw.between(-1, 1)};
    const At P = impulse(G, b, mu), u = b + G * P;
    CAPTURE(unit, speed, mu);
    CHECK(std::abs(u.normal) < 1e-15 * speed);
    CHECK(P.normal > 0);
    const double force = size(P.first, P.second), slip = size(u.first, u.second);
    if (slip < 1e-13 * speed) {
      ++sticks;
      CHECK(force <= mu * P.normal * (1 + 1e-14));
      continue;
    }
    ++slips;
    CHECK(force == Approx(mu * P.normal).epsilon(1e-13));
    CHECK(std::abs(P.first * u.second - P.second * u.first) < 1e-11 * force * speed);
    CHECK(P.first * u.first + P.second * u.second < 0);
  }
  CHECK(slips > 50);
  CHECK(sticks > 50);
}

TEST_CASE("a contact that opens, or has no friction, has none", "[linalg][cone]") {
  test::Draw draw(test::seed());
  const Response G = response(1, draw);
  for (const double opening : {0.0, 1e-9, 3.0}) {
    const At P = impulse(G, {opening, 1, -2}, 0.5);
    CHECK(size(P.first, P.second) + std::abs(P.normal) == 0);
  }
  const At P = impulse(G, {-2, 1, -2}, 0);
  CHECK(P.normal == 2 / G.normal);
  CHECK(size(P.first, P.second) == 0);
  for (const double mu : {1e-9, 1e-18, 1e-30}) {  // next to none is against the slip without it
    const At little = impulse(G, {-2, 0.6, -0.8}, mu);
    CHECK(little.first == Approx(-0.6 * mu * little.normal).epsilon(1e-8));
    CHECK(little.second == Approx(0.8 * mu * little.normal).epsilon(1e-8));
  }
}

TEST_CASE("half of the friction may be against the slip from before", "[linalg][cone]") {
  test::Draw draw(test::seed());
  int turning = 0;
  for (int round = 0; round < 200; ++round) {
    const double angle = draw.between(-3, 3), mu = draw.between(0.01, 0.3);
    const Response G = response(1, draw);
    const At b{-1, 2 * draw.between(-1, 1), 2 * draw.between(-1, 1)};
    const At P = impulse(G, b, mu, std::cos(angle), std::sin(angle)), u = b + G * P;
    const double half = mu * P.normal / 2, slip = size(u.first, u.second);
    CHECK(P.normal == 1 / G.normal);
    if (slip < 1e-6) continue;
    // where it slips without that
    const At alone = impulse(G, b, mu), v = b + G * alone;
    if (size(v.first, v.second) < 1e-6) continue;
    ++turning;
    CHECK(P.first == Approx(-half * (std::cos(angle) + u.first / slip)).margin(1e-9));
    CHECK(P.second == Approx(-half * (std::sin(angle) + u.second / slip)).margin(1e-9));
  }
  CHECK(turning > 50);
}

TEST_CASE("contacts in the lanes of a pack have the impulses that each has alone", "[linalg][cone]") {
  using L = dalembert::Pack<double, 4>;
  test::Draw draw(test::seed());
  for (int round = 0; round < 50; ++round) {
    CentralResponse<L> G{L(0), L(0), L(0), L(0)};
    AtContact<L> b{L(0), L(0), L(0)};
    L mu(0);
    for (int i = 0; i < 4; ++i) {
      const Response one = response(1, draw);
      G.normal.set(i, one.normal);
      G.first.set(i, one.first);
      G.second.set(i, one.second);
      G.cross.set(i, one.cross);
      b.normal.set(i, draw.between(-1, 0.5));
      b.first.set(i, draw.between(-1, 1));
      b.second.set(i, draw.between(-1, 1));
      mu.set(i, draw.below(4) == 0 ? 0 : draw.power(-2, 1));
    }
    const AtContact<L> P = central_impulse(G, b, mu, L(0), L(0));
    for (int i = 0; i < 4; ++i) {
      const At one = impulse({G.normal[i], G.first[i], G.second[i], G.cross[i]},
                             {b.normal[i], b.first[i], b.second[i]}, mu[i]);
      CHECK(P.normal[i] == Approx(one.normal).epsilon(1e-14));
      CHECK(P.first[i] == Approx(one.first).epsilon(1e-11).margin(1e-13));
      CHECK(P.second[i] == Approx(one.second).epsilon(1e-11).margin(1e-13));
    }
  }
}

TEST_CASE("impulses are added and taken away along the normal and each tangent", "[linalg][cone]") {
  const At a{1, 10, 100}, b{2, 30, 700}, sum = a + b, rest = a - b;
  CHECK(sum.normal == 3);
  CHECK(sum.first == 40);
  CHECK(sum.second == 800);
  CHECK(rest.normal == -1);
  CHECK(rest.first == -20);
  CHECK(rest.second == -600);
}

}  // namespace central_contact_test
