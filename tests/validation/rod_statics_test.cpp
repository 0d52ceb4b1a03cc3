// Rods at rest against published values, with the order of convergence: elements of size h have errors of order h².

#include <cmath>
#include <functional>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/stiffness.hpp"

namespace rod_statics_test {

using namespace dalembert;
using namespace dalembert::rod;
using R = ElasticRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double pi_ = static_cast<double>(pi);

/// GA₁, GA₂, EA, EI₁, EI₂, GJ [N, N m²].
Vec<double, 6> stiffness(double shear, double stretch, double bending1, double bending2, double twist) {
  Vec<double, 6> k;
  k << shear, shear, stretch, bending1, bending2, twist;
  return k;
}

/// A rod along z, clamped at its start.
R cantilever(int elements, double length, const Vec<double, 6>& k, const RestStrain<double>& rest = {}) {
  R::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {1.0, V(1.0, 1.0, 2.0)};
  p.start = Boundary<double>::clamped();
  return R(LinearElastic<double>(k, rest), p);
}

/// Where the tip of a straight cantilever goes under loads on it.
V tip(int elements, double length, const Vec<double, 6>& k, const EndLoad<double>& load) {
  R rod = cantilever(elements, length, k);
  rod.set_loads({.finish = load});
  Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
  (void)static_equilibrium(rod, chain);
  return chain.position(elements);
}

/// The limit of f(N) for N → ∞ from N = 32, 64, 128, once its error is seen to be of second order in 1/N in each component that is not 0.
/// `error` bounds the relative distance of the components at N = 64 from the limit.
V limit(const std::function<V(int)>& f, double error) {
  const V coarse = f(32), middle = f(64), fine = f(128);
  const V end = (4 * fine - middle) / 3;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(end[i]) < 1e-12) continue;
    CAPTURE(i, coarse[i], middle[i], fine[i]);
    REQUIRE(std::abs(middle[i] - end[i]) < error * std::abs(end[i]));
    REQUIRE_THAT(std::log2((middle[i] - coarse[i]) / (fine[i] - middle[i])), WithinAbs(2.0, 0.1));
  }
  return end;
}

TEST_CASE("45 degree bend of Bathe and Bolourchi", "[validation][statics]") {
  // an arc of radius 100 in the plane (x, y), clamped with its tangent along y, pulled along z at its tip
  const double radius = 100.0;
  const auto bend = [&](int n, double load) {
    RestStrain<double> rest;
    rest.curvature = V(0, 1 / radius, 0);
    R rod = cantilever(n, radius * pi_ / 4, stiffness(5e6, 1e7, 1e7 / 12, 1e7 / 12, 5e6 / 6), rest);
    Chain<double> chain(rod.nodes());
    const double half = 0.5 * rod.spacing() / radius;
    V at = V::Zero();
    for (int k = 0; k <= n; ++k) {  // e₁ = (cos, −sin, 0), e₂ = −ẑ, e₃ = (sin, cos, 0)
      const double angle = 2 * half * k;
      Mat<double, 3> frame;
      frame << std::cos(angle), 0, std::sin(angle), -std::sin(angle), 0, std::cos(angle), 0, -1, 0;
      chain.set_frame(k, SO3<double>::from_matrix(frame), at);
      at += rod.spacing() * V(std::sin(angle + half), std::cos(angle + half), 0);
    }
    rod.set_loads({.finish = {.force = V(0, 0, load)}});
    (void)static_equilibrium(rod, chain);
    return chain.position(n);
  };
  const V at300 = limit([&](int n) { return bend(n, 300.0); }, 1e-4);
  REQUIRE_THAT(at300[0], WithinAbs(22.24478, 5e-6));
  REQUIRE_THAT(at300[1], WithinAbs(58.77912, 5e-6));
  REQUIRE_THAT(at300[2], WithinAbs(40.19189, 5e-6));
  const V at600 = limit([&](int n) { return bend(n, 600.0); }, 1e-4);
  REQUIRE_THAT(at600[0], WithinAbs(15.684801, 2e-6));
  REQUIRE_THAT(at600[1], WithinAbs(47.150439, 2e-6));
  REQUIRE_THAT(at600[2], WithinAbs(53.474859, 2e-6));
}

TEST_CASE("Planar elastica", "[validation][statics]") {
  const auto elastica = [](int n, double load) {
    const V x = tip(n, 1.0, stiffness(1e8, 1e8, 1.0, 1.0, 1.0), {.force = V(load, 0, 0)});
    return V(x[0], 1.0 - x[2], x[1]);
  };
  const V one = limit([&](int n) { return elastica(n, 1.0); }, 5e-4);
  REQUIRE_THAT(one[0], WithinAbs(0.3017208, 1e-7));
  REQUIRE_THAT(one[1], WithinAbs(0.0564332, 1e-7));
  const V five = limit([&](int n) { return elastica(n, 5.0); }, 5e-4);
  REQUIRE_THAT(five[0], WithinAbs(0.7137915, 2e-7));
  REQUIRE_THAT(five[1], WithinAbs(0.3876284, 2e-7));
}

TEST_CASE("Roll-up by an end moment", "[validation][statics]") {
  const double length = 12.0, bending = 30e6 / 12;
  const auto roll = [&](int n, double lambda) {
    return tip(n, length, stiffness(15e6, 30e6, bending, bending, bending),
               {.moment = V(lambda * pi_ * bending / length, 0, 0)});
  };
  for (const double lambda : {0.25, 0.5, 1.25}) {
    CAPTURE(lambda);
    const V x = limit([&](int n) { return roll(n, lambda); }, 6e-4);
    REQUIRE_THAT(x[2] / length, WithinAbs(std::sin(lambda * pi_) / (lambda * pi_), 1e-6));
    REQUIRE_THAT(x[1] / length, WithinAbs(-(1 - std::cos(lambda * pi_)) / (lambda * pi_), 1e-6));
  }
  for (const int n : {8, 32, 128}) REQUIRE(roll(n, 2.0).norm() < 1e-10);  // a closed ring at any N
}

TEST_CASE("Shear cantilever", "[validation][statics]") {
  const double width = 0.1, height = 0.5, young = 2.07e11, poisson = 0.3;
  const double factor = 10 * (1 + poisson) / (12 + 11 * poisson), shear = young / (2 * (1 + poisson));
  const double area = width * height, moment = width * std::pow(height, 3) / 12;
  const V x = limit(
      [&](int n) {
        const V end = tip(
            n, 2.0,
            stiffness(factor * shear * area, young * area, young * moment, young * moment, shear * moment),
            {.force = V(5e5 * std::pow(height, 3), 0, 0)});
        return V(2.0 - end[2], end[0], end[1]);
      },
      1e-3);
  REQUIRE_THAT(x[0], WithinRel(1.88849e-7, 3e-6));
  REQUIRE_THAT(x[1], WithinRel(8.099033e-4, 1e-7));
}

TEST_CASE("Timoshenko cantilever", "[validation][statics]") {
  const double length = 3.0, radius = 0.25, young = 1e6, shear = 1e4, load = 15.0;
  const double area = pi_ * radius * radius, moment = area * radius * radius / 4;
  const Vec<double, 6> k =
      stiffness(27.0 / 28 * shear * area, young * area, young * moment, young * moment, 2 * shear * moment);
  const V x = limit([&](int n) { return tip(n, length, k, {.force = V(-load, 0, 0)}); }, 1e-4);
  REQUIRE_THAT(x[0], WithinAbs(-0.0677484, 5e-8));
  // a thousandth of the load: the linear formula
  const V small = limit([&](int n) { return tip(n, length, k, {.force = V(-1e-3 * load, 0, 0)}); }, 1e-4);
  const double linear = load * (std::pow(length, 3) / (3 * young * moment) + length / k[0]);
  REQUIRE_THAT(linear, WithinAbs(0.0677703, 5e-8));
  REQUIRE_THAT(small[0], WithinRel(-1e-3 * linear, 1e-8));
}

TEST_CASE("Princeton beam at 45 degrees", "[validation][statics]") {
  const double length = 0.508, width = 12.3777e-3, thickness = 3.2024e-3, young = 71.7e9,
               shear = young / (2 * 1.31);
  const double area = width * thickness;
  const double soft = width * std::pow(thickness, 3) / 12, stiff = thickness * std::pow(width, 3) / 12;
  const Vec<double, 6> k =
      stiffness(shear * area, young * area, young * soft, young * stiff, 0.198 * shear * (soft + stiff));
  const double load = 8.896 / std::sqrt(2.0);
  const V x = limit(
      [&](int n) { return V(tip(n, length, k, {.force = V(-load, load, 0)}) - V(0, 0, length)); }, 2e-3);
  REQUIRE_THAT(x[2], WithinAbs(-0.0144118, 5e-8));
  REQUIRE_THAT(x[0], WithinAbs(-0.0089792, 5e-8));
  REQUIRE_THAT(x[1], WithinAbs(0.1091131, 5e-8));
}

TEST_CASE("Bending modes of a Timoshenko cantilever", "[validation][statics]") {
  const double length = 1.0, radius = 0.02, young = 1e5, density = 2000.0, poisson = 0.3;
  const CircularSection<double> section(
      {.radius = radius, .young = young, .poisson = poisson, .density = density, .shear_factor = 0.9});
  const auto frequencies = [&](int n) {
    R::Parameters p;
    p.elements = n;
    p.length = length;
    p.inertia = section.inertia();
    p.start = Boundary<double>::clamped();
    const R rod(LinearElastic<double>(section.stiffness_diagonal()), p);
    const Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
    const Eigen::MatrixXd K = test::stiffness_matrix(rod, chain);
    Eigen::VectorXd root(K.rows());  // M^(−½)
    for (Eigen::Index k = 0; k < rod.nodes(); ++k)
      for (int i = 0; i < 6; ++i) root[6 * k + i] = std::sqrt(rod.inverse_mass(k, i));
    const Eigen::MatrixXd free = (root.asDiagonal() * K * root.asDiagonal()).bottomRightCorner(6 * n, 6 * n);
    const Eigen::VectorXd squares =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(free, Eigen::EigenvaluesOnly).eigenvalues();
    // bending comes in pairs of equal frequencies, torsion and stretching do not
    std::vector<double> bending;
    for (Eigen::Index i = 0; i + 1 < squares.size() && bending.size() < 4; ++i)
      if (squares[i + 1] - squares[i] < 1e-6 * squares[i]) bending.push_back(std::sqrt(squares[i++]));
    return bending;
  };
  const std::vector<double> coarse = frequencies(16), middle = frequencies(32), fine = frequencies(64);
  const std::vector<double> published{0.248395, 1.54835, 4.29874, 8.3225};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    REQUIRE_THAT(fine[i], WithinRel(published[i], 1e-3));
    REQUIRE_THAT((4 * fine[i] - middle[i]) / 3, WithinRel(published[i], 2e-5));
    REQUIRE_THAT(std::log2((middle[i] - coarse[i]) / (fine[i] - middle[i])), WithinAbs(2.0, 0.15));
  }
}

}  // namespace rod_statics_test
