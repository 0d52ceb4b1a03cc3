#include <dalembert/assembly/inertia.hpp>

#include <cmath>
#include <cstddef>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace inertia_test {

using dalembert::Vec;
using dalembert::assembly::InertiaColumns;
using dalembert::assembly::Inertias;
using test::LooseMasses;
using test::LooseNodes;

LooseNodes nodes_of(double mass, const Vec<double, 3>& moments, Eigen::Index count = 1) {
  LooseNodes body;
  body.masses.assign(static_cast<std::size_t>(count), mass);
  body.moments.assign(static_cast<std::size_t>(count), moments);
  return body;
}

TEST_CASE("columns of a chain have 1/m and 1/J of each node, and Euler's coefficients",
          "[assembly][inertia]") {
  LooseNodes body = nodes_of(2, {3, 5, 7}, 3);
  body.masses[1] = 4;
  body.moments[1] = {1, 1.5, 2};
  body.nu = 0.25;
  const InertiaColumns<double> columns(body);
  CHECK(columns.damping == 0.25);
  CHECK(columns.line_inverse.size() == 0);
  CHECK_FALSE(columns.uneven);
  for (const Eigen::Index k : {0, 2}) {
    for (int i = 0; i < 3; ++i) CHECK(columns.inverse(k, i) == 0.5);
    CHECK(columns.inverse(k, 3) == Approx(1.0 / 3));
    CHECK(columns.inverse(k, 4) == Approx(1.0 / 5));
    CHECK(columns.inverse(k, 5) == Approx(1.0 / 7));
    // ω̇₁ = −(J₃ − J₂)/J₁ ω₂ω₃ and so on
    CHECK(columns.gyro(k, 0) == Approx((7.0 - 5) / 3));
    CHECK(columns.gyro(k, 1) == Approx((3.0 - 7) / 5));
    CHECK(columns.gyro(k, 2) == Approx((5.0 - 3) / 7));
  }
  CHECK(columns.inverse(1, 2) == 0.25);
  CHECK(columns.inverse(1, 5) == 0.5);
  CHECK(columns.gyro(1, 2) == Approx(0.25));
}

TEST_CASE("a node that turns freely keeps its energy and its angular momentum by these coefficients",
          "[assembly][inertia]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 20; ++round) {
    const double size = draw.power(-6, 6);
    const Vec<double, 3> j =
        size * Vec<double, 3>(draw.between(1, 2), draw.between(1, 2), draw.between(1, 2));
    const InertiaColumns<double> columns(nodes_of(1, j));
    const Vec<double, 3> w = draw.vector();
    Vec<double, 3> rate;
    for (int i = 0; i < 3; ++i) rate[i] = -columns.gyro(0, i) * w[(i + 1) % 3] * w[(i + 2) % 3];
    double power = 0, twist = 0;  // of ½ ω·Jω, and of ½ |Jω|²
    for (int i = 0; i < 3; ++i) {
      power += w[i] * j[i] * rate[i];
      twist += j[i] * w[i] * j[i] * rate[i];
    }
    CHECK(std::abs(power) < 1e-14 * size);
    CHECK(std::abs(twist) < 1e-14 * size * size);
  }
}

TEST_CASE("what is held has no inverse and no gyroscopic torque", "[assembly][inertia]") {
  LooseNodes body = nodes_of(2, {3, 5, 7});
  body.held = 1;
  const InertiaColumns<double> columns(body);
  CHECK(columns.inverse(0, 0) == 0);
  CHECK(columns.inverse(0, 1) == 0.5);
  CHECK(columns.inverse(0, 5) == 0);
  CHECK(columns.gyro(0, 2) == 0);
  CHECK(columns.gyro(0, 0) == Approx(2.0 / 3));
  CHECK(columns.uneven);  // beside an axis that is free
  body.held = 3;
  CHECK_FALSE(InertiaColumns<double>(body).uneven);
}

TEST_CASE("inertia is uneven where an axis is next to held beside another", "[assembly][inertia]") {
  CHECK_FALSE(InertiaColumns<double>(nodes_of(1, {1, 1, 1e9})).uneven);
  for (int i = 0; i < 3; ++i) {
    Vec<double, 3> moments(1, 1, 1);
    moments[i] = 1e14;
    CHECK(InertiaColumns<double>(nodes_of(1, moments)).uneven);
  }
  CHECK_FALSE(InertiaColumns<double>(nodes_of(1e-20, {1e20, 1e20, 1e20})).uneven);
}

TEST_CASE("columns of a string have 1/m of each node", "[assembly][inertia]") {
  const InertiaColumns<double> columns(LooseMasses{{0.5, 0, 2}, 0.125});
  REQUIRE(columns.line_inverse.size() == 3);
  CHECK(columns.line_inverse[0] == 0.5);
  CHECK(columns.line_inverse[1] == 0);
  CHECK(columns.line_inverse[2] == 2);
  CHECK(columns.damping == 0.125);
  CHECK(columns.inverse.size() == 0);
}

TEST_CASE("columns refuse a string with a mass that is not positive", "[assembly][inertia]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(InertiaColumns<double>(LooseMasses{{0.5, -2}}),
                    ContainsSubstring("LooseMasses: inverse mass of node 1 = -2, but"));
  CHECK_THROWS_WITH(InertiaColumns<double>(LooseMasses{{std::nan("")}}),
                    ContainsSubstring("inverse mass of node 0 = nan"));
}

TEST_CASE("columns are the same where every number is", "[assembly][inertia]") {
  const LooseNodes body = nodes_of(2, {3, 5, 7}, 2);
  const InertiaColumns<double> columns(body);
  CHECK(columns.same_as(InertiaColumns<double>(body)));
  LooseNodes other = body;
  other.nu = 1;
  CHECK_FALSE(columns.same_as(InertiaColumns<double>(other)));
  other = body;
  other.masses[1] = 2.5;
  CHECK_FALSE(columns.same_as(InertiaColumns<double>(other)));
  CHECK_FALSE(columns.same_as(InertiaColumns<double>(nodes_of(2, {3, 5, 7}, 1))));
  const InertiaColumns<double> line(LooseMasses{{1, 2}});
  CHECK(line.same_as(InertiaColumns<double>(LooseMasses{{1, 2}})));
  CHECK_FALSE(line.same_as(InertiaColumns<double>(LooseMasses{{1, 3}})));
  CHECK_FALSE(line.same_as(InertiaColumns<double>(LooseMasses{{1, 2, 3}})));
}

TEST_CASE("bodies that are alike share their columns, and each has its own numbers", "[assembly][inertia]") {
  Inertias<double> all;
  all.add(nodes_of(1, {1, 1, 1}));
  all.add(nodes_of(2, {1, 1, 1}));
  all.add(nodes_of(1, {1, 1, 1}));
  CHECK_FALSE(all.uneven());
  all.add(LooseMasses{{4}});
  all.add(nodes_of(1, {1, 1, 1e20}));
  CHECK(&all[0] == &all[2]);
  CHECK(&all[0] != &all[1]);
  CHECK(all[0].inverse(0, 0) == 1);
  CHECK(all[1].inverse(0, 0) == 0.5);
  CHECK(all[3].line_inverse[0] == 4);
  CHECK(all[4].inverse(0, 5) == 1e-20);
  CHECK(all.uneven());
  for (int i = 1; i <= 100; ++i) all.add(nodes_of(i, {1, 2, 3}));
  for (int i = 1; i <= 100; ++i)
    CHECK(all[4 + static_cast<std::size_t>(i)].inverse(0, 0) == 1 / static_cast<double>(i));
}

}  // namespace inertia_test
