#include <dalembert/rod/varying.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/rod/energy.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace varying_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;

static_assert(rod::VaryingMaterial<rod::VaryingElastic<double>>);
static_assert(rod::VaryingMaterial<rod::VaryingCoupled<double>>);
static_assert(!rod::VaryingMaterial<rod::LinearElastic<double>>);

/// A stiffness that couples everything, and rest strains, drawn at random.
template <class S>
Mat<S, 6, 6> wild_stiffness(test::Random& random) {
  Mat<S, 6, 6> a;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) a(i, j) = S(random());
  return Mat<S, 6, 6>(a * a.transpose() + Mat<S, 6, 6>::Identity());
}
template <class S>
rod::RestStrain<S> wild_rest(test::Random& random) {
  return {Vec<S, 3>(Vec<S, 3>::UnitZ() + S(0.2) * random.vector<S>()), random.vector<S>()};
}

/// Whether two rods have the same loads, accelerations, motion, energies and momentum to round-off.
template <class A, class B>
void compare(const A& one, const B& other, double digits) {
  using S = typename A::Scalar;
  test::Random random(test::seed());
  auto x = test::random_chain(one, Mat<S, 3>(Mat<S, 3>::Identity()), random);
  auto y = x;
  auto f = rod::zero_columns<S, 6>(one.nodes()), g = f, a = f, b = f;
  const Eigen::Index n = one.nodes();
  const auto near = [&](const auto& p, const auto& q, double unit) {
    return double((p - q).topRows(n).abs().maxCoeff()) <
           unit * digits * double(p.topRows(n).abs().maxCoeff());
  };
  REQUIRE(one.forces(x, f));
  REQUIRE(other.forces(y, g));
  CHECK(near(f, g, 10));
  REQUIRE(one.accelerations(x, f, S(0), a));
  REQUIRE(other.accelerations(y, g, S(0), b));
  CHECK(near(a, b, 10));
  one.kick(x, f, S(1e-3));
  other.kick(y, g, S(1e-3));
  const auto x0 = x, y0 = y;
  one.kick_drift(x0, f, S(1e-3), S(0), S(1e-2), x);
  other.kick_drift(y0, g, S(1e-3), S(0), S(1e-2), y);
  REQUIRE(one.forces_and_kick(x, f, S(1e-3)) == other.forces_and_kick(y, g, S(1e-3)));
  CHECK(near(x.configuration, y.configuration, 10));
  CHECK(near(x.velocity, y.velocity, 100));
  CHECK_THAT(double(potential_energy(one, x)),
             Catch::Matchers::WithinRel(double(potential_energy(other, y)), 100 * digits));
  CHECK_THAT(double(kinetic_energy(one, x)),
             Catch::Matchers::WithinRel(double(kinetic_energy(other, y)), 100 * digits));
  CHECK(double((momentum(one, x) - momentum(other, y)).norm()) <
        100 * digits * double(momentum(one, x).norm()));
}

template <class S>
void compare_with_uniform() {
  const double digits = static_cast<double>(std::numeric_limits<S>::epsilon());
  using Uniform = rod::Rod<rod::LinearElastic<S>>;
  using Varying = rod::Rod<rod::VaryingElastic<S>>;
  Vec<S, 6> k;
  k << S(20), S(21), S(30), S(0.5), S(0.4), S(0.3);
  const rod::RestStrain<S> rest{{S(0.01), S(-0.02), S(1.05)}, {S(0.3), S(-0.2), S(0.5)}};
  const auto make = [&]<class R>(int elements, bool top, const auto& material, R*) {
    typename R::Parameters p;
    p.elements = elements;
    p.length = S(1);
    p.inertia = {S(0.5), top ? Vec<S, 3>(S(0.01), S(0.01), S(0.03)) : Vec<S, 3>(S(0.01), S(0.02), S(0.025))};
    p.start = rod::Boundary<S>::degrees({true, false, false, false, true, false});
    p.loads.gravity = {S(0.3), S(-9.81), S(1)};
    p.loads.finish.force = {S(0.3), S(0.1), S(0.2)};
    p.damping.rate = S(0.2);
    p.end_mass_fraction = S(0.75);
    return R(material, p);
  };
  for (const bool top : {true, false})
    for (const int elements : {2, 8, 21}) {
      const auto count = static_cast<std::size_t>(elements);
      compare(make(elements, top, rod::LinearElastic<S>(k, rest), static_cast<Uniform*>(nullptr)),
              make(elements, top, rod::VaryingElastic<S>({count, k}, {count, rest}),
                   static_cast<Varying*>(nullptr)),
              digits);
    }
}

TEST_CASE("a varying rod that is alike everywhere is the uniform rod, to round-off", "[rod][varying]") {
  compare_with_uniform<double>();
  compare_with_uniform<long double>();
  compare_with_uniform<float>();
}

TEST_CASE("a fully coupled varying rod that is alike everywhere is the uniform one", "[rod][varying]") {
  test::Random random(test::seed());
  const Mat<double, 6, 6> k = wild_stiffness<double>(random);
  const rod::RestStrain<double> rest = wild_rest<double>(random);
  const auto parameters = [&](auto p) {
    p.elements = 21;
    p.length = 1;
    p.inertia = {0.5, {0.01, 0.02, 0.025}};
    return p;
  };
  using Uniform = rod::Rod<rod::CoupledElastic<double>, rod::ForwardStrain>;
  using Varying = rod::Rod<rod::VaryingCoupled<double>, rod::ForwardStrain>;
  compare(Uniform(rod::CoupledElastic<double>(k, rest), parameters(Uniform::Parameters{})),
          Varying(rod::VaryingCoupled<double>({21, k}, {21, rest}), parameters(Varying::Parameters{})),
          1e-15);
}

/// A rod of which every element has a stiffness, rest strains and an inertia of its own.
template <class S>
rod::Rod<rod::VaryingCoupled<S>> wild_rod(int elements,
                                          typename rod::Rod<rod::VaryingCoupled<S>>::Parameters p) {
  test::Random random(test::seed());
  std::vector<Mat<S, 6, 6>> stiffness;
  std::vector<rod::RestStrain<S>> rest;
  p.elements = elements;
  p.length = S(1);
  for (int k = 0; k < elements; ++k) {
    stiffness.push_back(wild_stiffness<S>(random));
    rest.push_back(wild_rest<S>(random));
    const Vec<S, 3> more = random.vector<S>();
    p.inertias.push_back(
        {S(2) + more[0], Vec<S, 3>(S(0.2) + S(0.1) * more[1], S(0.2) + S(0.1) * more[2], S(0.3))});
  }
  return {rod::VaryingCoupled<S>(stiffness, rest), p};
}

TEST_CASE("loads of a wildly varying rod are minus the slope of its energy", "[rod][varying]") {
  using S = long double;
  rod::Rod<rod::VaryingCoupled<S>>::Parameters p;
  p.loads.gravity = {1, 2, -3};
  p.loads.start.force = {S(0.4), S(0.2), S(-0.1)};
  const auto model = wild_rod<S>(5, p);
  test::Random random(test::seed());
  const auto chain = test::random_chain(model, Mat<S, 3>(Mat<S, 3>::Identity()), random);
  auto f = rod::zero_columns<S, 6>(model.nodes());
  REQUIRE(model.forces(chain, f));
  const S eps = 1e-6L;
  for (Eigen::Index k = 0; k < model.nodes(); ++k)
    for (int i = 0; i < 6; ++i) {
      const auto energy = [&](S by) {
        auto moved = chain;
        const Vec<S, 3> unit = by * Vec<S, 3>::Unit(i % 3);
        const Vec<S, 3> none = Vec<S, 3>::Zero();
        rod::move_node<S>(moved, k, i < 3 ? unit : none, i < 3 ? none : unit);
        return potential_energy(model, moved);
      };
      CAPTURE(k, i);
      CHECK(std::abs(double(f(k, i) + (energy(eps) - energy(-eps)) / (2 * eps))) < 1e-9);
    }
}

TEST_CASE("each node has half the mass and the moments of the elements at it", "[rod][varying]") {
  const auto model = wild_rod<double>(6, {.end_mass_fraction = 0.5});
  const double h = model.spacing();
  double mass = 0;
  for (Eigen::Index k = 0; k < 7; ++k) {
    double want = 0;
    V turn = V::Zero();
    for (const Eigen::Index e : {k - 1, k})
      if (e >= 0 && e < 6) {
        want += h / 2 * model.parameters().inertias[static_cast<std::size_t>(e)].mass;
        turn += h / 2 * model.section_inertia(e).rotary;
      }
    CHECK(1 / model.inverse_mass(k, 0) == Approx(want));
    for (int i = 0; i < 3; ++i) CHECK(1 / model.inverse_mass(k, 3 + i) == Approx(turn[i]));
    mass += model.mass_fraction(k) * model.node_mass(k);
  }
  double all = 0;
  for (const auto& section : model.parameters().inertias) all += h * section.mass;
  CHECK(mass == Approx(all));
}

TEST_CASE("a material that varies is that of each of its elements", "[rod][varying]") {
  test::Random random(test::seed());
  const Mat<double, 6, 6> a = wild_stiffness<double>(random), b = wild_stiffness<double>(random);
  const rod::RestStrain<double> rest = wild_rest<double>(random);
  const rod::VaryingCoupled<double> material({a, b}, {rest, rod::RestStrain<double>{}});
  CHECK(material.elements() == 2);
  CHECK(material.at<double>(0).stiffness() == a);
  CHECK(material.at<double>(1).tangent(V::Zero(), V::Zero()) == b);
  CHECK(material.at<double>(0).rest().curvature == rest.curvature);
  const rod::CoupledElastic<double> second(b);
  const V stretch = random.vector<double>(), curvature = random.vector<double>();
  CHECK((material.at<double>(1).stress(stretch, curvature).moment - second.stress(stretch, curvature).moment)
            .norm() < 1e-14);
  CHECK(material.at<double>(1).energy(stretch, curvature) == Approx(second.energy(stretch, curvature)));
}

TEST_CASE("a varying rod is refused with the element that is wrong and its place", "[rod][varying]") {
  const Vec<double, 6> good = Vec<double, 6>::Ones();
  Vec<double, 6> bad = good;
  using Elastic = rod::VaryingElastic<double>;
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    bad[4] = wrong;
    CHECK_THROWS_WITH(Elastic({good, good, good, bad}),
                      ContainsSubstring("VaryingElastic: element 3 of 4, about s = 0.875 of the length") &&
                          ContainsSubstring("stiffness 4"));
  }
  rod::RestStrain<double> rest;
  rest.curvature[1] = std::nan("");
  CHECK_THROWS_WITH(Elastic({good, good}, {rest, rest}),
                    ContainsSubstring("element 0 of 2") && ContainsSubstring("rest curvature 1"));
  CHECK_THROWS_WITH(Elastic({good, good}, {rest}), ContainsSubstring("rest strains = 1"));
  CHECK_THROWS_WITH(Elastic({}), ContainsSubstring("elements = 0"));
  Mat<double, 6, 6> k = Mat<double, 6, 6>::Identity();
  k(2, 4) = k(4, 2) = 1.1;
  CHECK_THROWS_WITH(
      rod::VaryingCoupled<double>({Mat<double, 6, 6>(Mat<double, 6, 6>::Identity()), k}),
      ContainsSubstring("VaryingCoupled: element 1 of 2") && ContainsSubstring("positive definite"));
  k(4, 2) = 0;
  CHECK_THROWS_WITH(rod::VaryingCoupled<double>({k}), ContainsSubstring("symmetric"));

  using R = rod::Rod<Elastic>;
  R::Parameters p{.elements = 3, .length = 2.0, .inertia = {1.0, V(1, 1, 2)}};
  CHECK_NOTHROW(R(Elastic({good, good, good}), p));
  CHECK_THROWS_WITH(R(Elastic({good, good}), p), ContainsSubstring("elements of the material = 2"));
  p.inertias = {p.inertia, p.inertia};
  CHECK_THROWS_WITH(R(Elastic({good, good, good}), p), ContainsSubstring("inertias = 2"));
  p.inertias.push_back({0.0, V(1, 1, 2)});
  CHECK_THROWS_WITH(R(Elastic({good, good, good}), p),
                    ContainsSubstring("inertia.mass of element 2, about s = 1.66666667 m = 0"));
  p.inertias[2] = {1.0, V(1, 1, 2)};
  p.inertias[1].rotary[2] = -1;
  CHECK_THROWS_WITH(R(Elastic({good, good, good}), p), ContainsSubstring("inertia.rotary of element 1"));
}

}  // namespace varying_test
