#include <dalembert/contact/static_contact.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace static_contact_test {

using namespace dalembert;
using namespace dalembert::contact;
using dalembert::rod::Boundary;
using dalembert::rod::Chain;
using dalembert::rod::Columns;
using R = dalembert::rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Default = RollingContact<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double degree = static_cast<double>(pi / 180);

/// Two rods, stretched by a quarter, that touch where they cross; the hook then raises the ends of rod 1 and lowers those of rod 2.
struct Case {
  int elements = 60;
  double radius = 0.005;
  double angle = 75 * degree;
  double hook = 0.06;
  double width = 0.02;
  std::array<double, 2> at{0.42, 0.55};
  Mat<double, 3> turn = Mat<double, 3>::Identity();
  V shift = V::Zero();

  [[nodiscard]] std::vector<R> rods() const {
    R::Parameters p;
    p.start = p.finish = Boundary<double>::clamped();
    const R one = test::soft_rod<R>(radius, elements, p);
    return {one, one};
  }
  [[nodiscard]] std::vector<Chain<double>> chains(const std::vector<R>& rods) const {
    std::vector<Chain<double>> both;
    for (std::size_t i = 0; i < 2; ++i) {
      const V d(i == 0 ? 1.0 : std::cos(angle), i == 0 ? 0.0 : std::sin(angle), 0.0);
      Mat<double, 3> axes;
      axes << V::UnitZ(), d.cross(V::UnitZ()), d;
      const V origin = -1.25 * at[i] * d + (i == 0 ? -radius : radius) * V::UnitZ();
      both.push_back(rods[i].straight(shift + turn * origin, test::rotation<double>(turn * axes), 1.25));
    }
    return both;
  }
};

template <class Contact>
struct Solved {
  std::vector<R> rods;
  std::vector<Chain<double>> chains;
  Contact contact;
  ContactEquilibrium<Contact> found;
};

template <class Contact = Default>
Solved<Contact> solve(const Case& c, const rod::StaticOptions<double>& options = {},
                      typename Contact::Parameters how = {}) {
  std::vector<R> rods = c.rods();
  std::vector<Chain<double>> chains = c.chains(rods);
  if (how.radius1 == 0) how.radius1 = how.radius2 = c.radius;
  how.kernel_width = c.width;
  const Contact contact(how, rods[0], rods[1]);
  const std::vector<Chain<double>> start = chains;
  const auto path = [&](double factor, std::vector<R>&, std::vector<Chain<double>>& moved) {
    for (std::size_t i = 0; i < 2; ++i)
      for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(c.elements)}) {
        const V lift = c.turn * V(0, 0, (i == 0 ? 1 : -1) * factor * c.hook);
        rod::put3<0>(moved[i].configuration, k, V(start[i].position(k) + lift));
      }
  };
  auto found = static_contact(contact, rods, chains, Vec<double, 2>(c.at[0], c.at[1]), path, options);
  return {std::move(rods), std::move(chains), contact, std::move(found)};
}

/// V of both rods, and V − λ(d − target) with d the least distance of the smeared centrelines.
double energy(const Solved<Default>& x, const std::vector<Chain<double>>& chains) {
  return potential_energy(x.rods[0], chains[0]) + potential_energy(x.rods[1], chains[1]);
}
double lagrangian(const Solved<Default>& x, const std::vector<Chain<double>>& chains) {
  const auto c = x.contact.locate(x.rods, chains, x.found.contact.s, 0.0);
  const double distance = (c.point[1].R - c.point[0].R).norm();
  return energy(x, chains) - x.found.normal_force * (distance - x.contact.target_gap());
}

TEST_CASE("Hooked rods touch, each where the other is nearest", "[static_contact]") {
  for (const double angle : {90.0, 75.0, 60.0, 45.0, -70.0, 110.0}) {
    CAPTURE(angle);
    const auto x = solve({.angle = angle * degree});
    const auto error = x.contact.error(x.chains, x.found.contact, 0.0);
    REQUIRE(std::abs(error.gap) < 1e-15);
    REQUIRE(error.tangency < 1e-15);
    REQUIRE(x.found.normal_force > 1.0);
    REQUIRE(x.found.contact.normal[2] > 0.99);
    REQUIRE_THAT(x.found.energy, WithinRel(energy(x, x.chains), 1e-15));
    REQUIRE((x.chains[0].position(0) - V(-1.25 * 0.42, 0, 0.055)).norm() < 1e-15);
  }
}

TEST_CASE("At rest the rolling contact carries the same force and nothing accelerates", "[static_contact]") {
  const auto x = solve({});
  std::vector<Columns<double, 6>> f(2, Columns<double, 6>::Zero(rod::padded_rows<double>(61), 6));
  for (std::size_t i = 0; i < 2; ++i) x.rods[i].forces(x.chains[i], f[i]);
  const auto force = x.contact.add_forces(x.rods, x.chains, x.found.contact, 0.0, f);
  REQUIRE_THAT(force.components[0], WithinRel(x.found.normal_force, 1e-9));
  REQUIRE(force.components.tail<2>().norm() < 1e-9);
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(f[i].block(1, 0, 59, 3).abs().maxCoeff() < 1e-9);
    REQUIRE(f[i].block(1, 3, 59, 3).abs().maxCoeff() < 1e-11);
  }
}

TEST_CASE("The normal force is the derivative of the energy by the gap", "[static_contact]") {
  const Case c{.width = 0.02};
  const double step = 1e-5;
  const auto at = [&](double extra) {
    return solve(c, {}, {.radius1 = c.radius + extra, .radius2 = c.radius}).found;
  };
  const double slope = (at(step).energy - at(-step).energy) / (2 * step);
  REQUIRE_THAT(slope, WithinRel(at(0.0).normal_force, 1e-6));
}

TEST_CASE("The energy is stationary among rods that touch", "[static_contact]") {
  const auto x = solve({});
  test::Random random(test::seed());
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Chain<double>> plus = x.chains, minus = x.chains;
    const test::Wave<double> shift0(random), shift1(random), turn0(random), turn1(random);
    for (Eigen::Index k = 1; k < 60; ++k) {
      const double s = double(k) / 60, fade = s * (1 - s);
      for (const double sign : {1.0, -1.0}) {
        auto& chains = sign > 0 ? plus : minus;
        move_node(chains[0], k, V(sign * 1e-4 * fade * shift0(s)), V(sign * 1e-3 * fade * turn0(s)));
        move_node(chains[1], k, V(sign * 1e-4 * fade * shift1(s)), V(sign * 1e-3 * fade * turn1(s)));
      }
    }
    const double slope = lagrangian(x, plus) - lagrangian(x, minus);
    const double curvature = lagrangian(x, plus) + lagrangian(x, minus) - 2 * x.found.energy;
    REQUIRE(curvature > 0.0);
    REQUIRE(std::abs(slope) < 1e-3 * curvature);
    REQUIRE(std::abs(energy(x, plus) - energy(x, minus)) >
            10 * std::abs(slope));  // without the contact it is not
  }
}

TEST_CASE("With the contact's curvature Newton converges quadratically, in one load step too",
          "[static_contact]") {
  for (const double angle : {90.0, 60.0, 40.0}) {
    CAPTURE(angle);
    const Case c{.angle = angle * degree};
    const auto x = solve(c, {.first_step = 1.0});
    REQUIRE(x.found.search.load_steps == 1);
    REQUIRE(x.found.search.iterations <= 7);
    const auto slow = solve(c, {.first_step = 0.05, .largest_step = 0.1});
    REQUIRE(slow.found.search.load_steps >= 10);
    REQUIRE_THAT(slow.found.normal_force, WithinRel(x.found.normal_force, 1e-9));
    REQUIRE((slow.found.contact.s - x.found.contact.s).norm() < 1e-10);
  }
}

TEST_CASE("A contact is the same wherever it is", "[static_contact]") {
  const auto x = solve({});
  Case moved;
  moved.turn = test::rotation_matrix<double>(V(0.4, -1.1, 0.8));
  moved.shift = V(0.3, 0.2, -0.7);
  const auto y = solve(moved);
  REQUIRE((y.found.contact.s - x.found.contact.s).norm() < 1e-12);
  REQUIRE_THAT(y.found.normal_force, WithinRel(x.found.normal_force, 1e-9));
  REQUIRE_THAT(y.found.energy, WithinRel(x.found.energy, 1e-12));
  REQUIRE((y.found.contact.normal - moved.turn * x.found.contact.normal).norm() < 1e-9);

  // rods that cross in their middles are alike under a half turn that exchanges them
  const auto alike = solve({.at = {0.5, 0.5}});
  REQUIRE((alike.found.contact.s - Vec<double, 2>(0.5, 0.5)).norm() < 1e-12);
  const auto mirrored = solve({.at = {0.55, 0.42}});
  REQUIRE_THAT(mirrored.found.contact.s[0], WithinAbs(x.found.contact.s[1], 1e-9));
  REQUIRE_THAT(mirrored.found.contact.s[1], WithinAbs(x.found.contact.s[0], 1e-9));
}

TEST_CASE("At a fixed kernel width the contact converges with the square of the spacing",
          "[static_contact]") {
  std::array<ContactEquilibrium<Default>, 4> f;
  for (std::size_t i = 0; i < 4; ++i) f[i] = solve({.elements = 50 << i, .width = 0.04}).found;
  const auto order = [](double a, double b, double c) { return std::log2((b - a) / (c - b)); };
  REQUIRE_THAT(order(f[1].energy, f[2].energy, f[3].energy), WithinAbs(2.0, 0.15));
  REQUIRE_THAT(order(f[1].normal_force, f[2].normal_force, f[3].normal_force), WithinAbs(2.0, 0.15));
}

template <class Contact>
void agrees_roughly_with_the_default() {
  const auto x = solve({});
  const auto y = solve<Contact>({});
  REQUIRE_THAT(y.found.normal_force, WithinRel(x.found.normal_force, 0.05));
  REQUIRE((y.found.contact.s - x.found.contact.s).norm() < 1e-3);
  auto c = y.found.contact;
  y.contact.solve_algebraic(y.rods, y.chains, c, 0.0);
  REQUIRE((c.s - y.found.contact.s).norm() < 1e-12);
  REQUIRE(std::abs(y.contact.error(y.chains, c, 0.0).gap) < 1e-6);
}

TEST_CASE("Every kernel, smearing and tangency has its static contact", "[static_contact]") {
  SECTION("quintic spline") { agrees_roughly_with_the_default<RollingContact<double, QuinticSpline>>(); }
  SECTION("compact bump") { agrees_roughly_with_the_default<RollingContact<double, CompactBump>>(); }
  SECTION("body frame") {
    agrees_roughly_with_the_default<RollingContact<double, CubicSpline, BodySmearing>>();
  }
  SECTION("material tangency") {
    agrees_roughly_with_the_default<RollingContact<double, CubicSpline, SpatialSmearing, MaterialTangency>>();
  }
  SECTION("body frame, centred tangency") {
    agrees_roughly_with_the_default<RollingContact<double, CubicSpline, BodySmearing, CentredTangency>>();
  }
}

TEST_CASE("Rods that would have to pull each other are refused, unless glued", "[static_contact]") {
  REQUIRE_THROWS_AS(solve({.hook = -0.02}), ContactOpened);
  const auto glued = solve({.hook = -0.02}, {}, {.bilateral = true});
  REQUIRE(glued.found.normal_force < -0.5);
  REQUIRE(std::abs(glued.contact.error(glued.chains, glued.found.contact, 0.0).gap) < 1e-15);
}

TEST_CASE("A load step that fails takes the contact back with the rods", "[static_contact]") {
  const Case c;
  std::vector<R> rods = c.rods();
  std::vector<Chain<double>> chains = c.chains(rods);
  const std::vector<Chain<double>> start = chains;
  const Default contact({.radius1 = c.radius, .radius2 = c.radius, .kernel_width = c.width}, rods[0],
                        rods[1]);
  // once, a load under which the rods slide off each other
  int calls = 0;
  const auto path = [&](double factor, std::vector<R>& r, std::vector<Chain<double>>& moved) {
    rod::Loads<double> loads;
    if (++calls == 2) loads.gravity = V(0, 1e4, 0);
    r[0].set_loads(loads);
    for (std::size_t i = 0; i < 2; ++i)
      for (const Eigen::Index k : {0, 60}) {
        const V lift(0, 0, (i == 0 ? 1 : -1) * factor * c.hook);
        rod::put3<0>(moved[i].configuration, k, V(start[i].position(k) + lift));
      }
  };
  const auto found = static_contact(contact, rods, chains, Vec<double, 2>(c.at[0], c.at[1]), path);
  const auto straight_on = solve(c);
  REQUIRE(calls == found.search.load_steps + 1);
  REQUIRE_THAT(found.normal_force, WithinRel(straight_on.found.normal_force, 1e-9));
  REQUIRE((found.contact.s - straight_on.found.contact.s).norm() < 1e-10);
}

TEST_CASE("A path that carries one rod through the other is refused", "[static_contact]") {
  const Case c;
  std::vector<R> rods = c.rods();
  std::vector<Chain<double>> chains = c.chains(rods);
  const Default contact({.radius1 = c.radius, .radius2 = c.radius, .kernel_width = c.width}, rods[0],
                        rods[1]);
  const auto through = [&](double, std::vector<R>&, std::vector<Chain<double>>& moved) {
    test::transform<double>(moved[1], Mat<double, 3>::Identity(), V(0, 0, -4 * c.radius));
  };
  REQUIRE_THROWS_WITH(static_contact(contact, rods, chains, Vec<double, 2>(c.at[0], c.at[1]), through),
                      ContainsSubstring("pass through"));
}

TEST_CASE("What has no contact says so", "[static_contact]") {
  REQUIRE_THROWS_AS(solve({.at = {0.02, 0.5}}), ContactAtEnd);
  REQUIRE_THROWS_AS(solve({.angle = 0.1 * degree}), ParallelRods);
  REQUIRE_THROWS_AS(solve({}, {.iterations = 1, .smallest_step = 0.05}), NoConvergence);
  std::vector<R> rods = Case{}.rods();
  std::vector<Chain<double>> chains = Case{}.chains(rods);
  const Default contact({.radius1 = 0.005, .radius2 = 0.005, .kernel_width = 0.02}, rods[0], rods[1]);
  const auto still = [](double, std::vector<R>&, std::vector<Chain<double>>&) {};
  rods.pop_back();
  REQUIRE_THROWS_WITH(static_contact(contact, rods, chains, Vec<double, 2>(0.42, 0.55), still),
                      ContainsSubstring("two rods"));
}

}  // namespace static_contact_test
