#include <dalembert/rod/sections.hpp>

#include <cmath>
#include <limits>

#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/sweep.hpp"

namespace sections_test {

using namespace dalembert;
using namespace dalembert::rod;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;
using V2 = Vec<double, 2>;
using Rectangle = RectangularSection<double>;
using Tube = AnnularSection<double>;
using Ellipse = EllipticSection<double>;
constexpr double pi_ = static_cast<double>(pi);

constexpr Rectangle::Parameters strip{
    .width = 0.03, .height = 0.002, .young = 71e9, .poisson = 0.31, .density = 2700};

TEST_CASE("a rectangle is stiff against torsion as Saint-Venant's series says", "[section]") {
  // J/(ab³) and W/(ab²) for sides a ≥ b, summed in thirty digits
  struct Row {
    double ratio, constant, modulus;
  };
  for (const auto& [ratio, constant, modulus] : {Row{1, 0.140577014955153716, 0.208165259932504412},
                                                 Row{2, 0.228681677119570765, 0.245878342023427517},
                                                 Row{5, 0.291316754187988869, 0.291500204374685003}}) {
    CAPTURE(ratio);
    const double b = 0.01, a = ratio * b;
    for (const bool upright : {false, true}) {
      const Rectangle s({.width = upright ? b : a, .height = upright ? a : b, .young = 1e6, .density = 1e3});
      CHECK(s.torsion_constant() == Approx(constant * a * b * b * b).epsilon(1e-14));
      CHECK(s.torsion_modulus() == Approx(modulus * a * b * b).epsilon(1e-14));
    }
  }
  const Rectangle thin({.width = 1.0, .height = 1e-3, .young = 1e6, .density = 1e3});
  CHECK(thin.torsion_constant() == Approx(1e-9 / 3 * (1 - 0.6302488762838669e-3)).epsilon(1e-11));
}

TEST_CASE("a rectangle bends over its height about the first axis, and over its width about the second",
          "[section]") {
  const Rectangle s(strip);
  const double w = strip.width, h = strip.height, E = strip.young, G = E / 2.62, k = 13.1 / 15.41;
  const Vec<double, 6> stiff = s.stiffness_diagonal();
  CHECK(s.area() == Approx(w * h));
  CHECK(stiff[0] == Approx(k * G * w * h));
  CHECK(stiff[1] == stiff[0]);
  CHECK(stiff[2] == Approx(E * w * h));
  CHECK(stiff[3] == Approx(E * w * h * h * h / 12));
  CHECK(stiff[4] == Approx(E * h * w * w * w / 12));
  CHECK(stiff[5] == Approx(G * s.torsion_constant()));
  CHECK(s.stiffness()(4, 4) == stiff[4]);
  CHECK(s.inertia().mass == Approx(2700 * w * h));
  CHECK(s.inertia().rotary[0] == Approx(225 * w * h * h * h));
  CHECK(s.inertia().rotary[2] == Approx(s.inertia().rotary[0] + s.inertia().rotary[1]));
  CHECK(s.farthest_fibres() == V2(w / 2, h / 2));
  auto given = strip;
  given.shear_factor = 1.0;
  given.torsion_constant = 1e-10;
  const Rectangle other(given);
  CHECK(other.stiffness_diagonal()[1] == Approx(G * w * h));
  CHECK(other.stiffness_diagonal()[5] == Approx(G * 1e-10));
}

TEST_CASE("a tube without a hole is a circle, and one with a thin wall a ring", "[section]") {
  const Tube full({.radius = 0.01, .wall = 0.01, .young = 2e11, .poisson = 0.3, .density = 7800});
  const CircularSection<double> circle({.radius = 0.01,
                                        .young = 2e11,
                                        .poisson = 0.3,
                                        .density = 7800,
                                        .shear_factor = 6 * 1.3 / (7 + 6 * 0.3)});
  for (int i = 0; i < 6; ++i)
    CHECK(full.stiffness_diagonal()[i] == Approx(circle.stiffness_diagonal()[i]).epsilon(1e-14));
  CHECK(full.inertia().matrix().isApprox(circle.inertia().matrix(), 1e-14));
  CHECK(full.torsion_modulus() == Approx(pi_ / 2 * 1e-6));

  const double a = 0.01, t = 1e-9;
  const Tube thin({.radius = a, .wall = t, .young = 2e11, .poisson = 0.3, .density = 7800});
  CHECK(thin.area() == Approx(2 * pi_ * a * t).epsilon(1e-6));
  CHECK(thin.second_moments()[0] == Approx(pi_ * a * a * a * t).epsilon(1e-6));
  CHECK(thin.torsion_constant() == Approx(2 * pi_ * a * a * a * t).epsilon(1e-6));
  CHECK(thin.shear_factors()[0] == Approx(2 * 1.3 / (4 + 3 * 0.3)).epsilon(1e-6));
  // of two discs
  const Tube half({.radius = a, .wall = 0.4 * a, .young = 1, .density = 1});
  CHECK(half.area() == Approx(pi_ * a * a * (1 - 0.36)));
  CHECK(half.second_moments()[1] == Approx(pi_ / 4 * std::pow(a, 4) * (1 - std::pow(0.6, 4))));
}

TEST_CASE("an ellipse of equal axes is a circle, and a flat one a stack of strips", "[section]") {
  const Ellipse round(
      {.semi_axis_1 = 0.02, .semi_axis_2 = 0.02, .young = 1e6, .poisson = 0.2, .density = 1e3});
  const Tube circle({.radius = 0.02, .wall = 0.02, .young = 1e6, .poisson = 0.2, .density = 1e3});
  for (int i = 0; i < 6; ++i)
    CHECK(round.stiffness_diagonal()[i] == Approx(circle.stiffness_diagonal()[i]).epsilon(1e-14));
  CHECK(round.torsion_modulus() == Approx(circle.torsion_modulus()));

  const double a = 0.03, b = 0.01;
  const Ellipse s({.semi_axis_1 = a, .semi_axis_2 = b, .young = 1e6, .poisson = 0.2, .density = 1e3});
  CHECK(s.second_moments()[0] == Approx(pi_ / 4 * a * b * b * b));
  CHECK(s.second_moments()[1] == Approx(pi_ / 4 * a * a * a * b));
  CHECK(s.torsion_constant() == Approx(pi_ * a * a * a * b * b * b / (a * a + b * b)));
  CHECK(s.torsion_modulus() == Approx(pi_ / 2 * a * b * b));
  // Cowper's solution for 3:1, ν = 0.2, along the longer and the shorter axis
  CHECK(s.shear_factors()[0] == Approx(12 * 1.2 * 9 * 28 / (47.4 * 81 + 18 * 9 + 0.2)));
  CHECK(s.shear_factors()[1] == Approx(12 * 1.2 * 12 / (47.4 + 18 * 9 + 0.2 * 81)));
  // strips of height 2h ∝ √(1 − η²) that share the curvature, of parabolic shear stress each: 0.9 along them, 0.75 across
  CHECK(ellipse_shear_factor(0.0, 1.0, 1e-9) == Approx(0.9));
  CHECK(ellipse_shear_factor(0.0, 1e-9, 1.0) == Approx(0.75));
}

TEST_CASE("shear factors are Cowper's", "[section]") {
  CHECK(rectangle_shear_factor(0.0) == Approx(5.0 / 6));
  CHECK(rectangle_shear_factor(0.3) == Approx(0.849673202614));
  CHECK(annulus_shear_factor(0.3, 0.0) == Approx(0.886363636364));
  CHECK(annulus_shear_factor(0.3, 0.5) == Approx(12.1875 / 19.65));
  CHECK(annulus_shear_factor(0.5, 1.0) == Approx(6.0 / 11));
}

TEST_CASE("a section whose numbers mean nothing is refused, and the message names them", "[section]") {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    auto p = strip;
    p.width = bad;
    CHECK_THROWS_WITH(Rectangle(p), ContainsSubstring("RectangularSection: width = "));
    p = strip;
    p.shear_factor = bad;
    CHECK_THROWS_WITH(Rectangle(p), ContainsSubstring("shear_factors"));
    p = strip;
    p.torsion_constant = bad;
    CHECK_THROWS_WITH(Rectangle(p), ContainsSubstring("torsion_constant"));
    CHECK_THROWS_WITH(Ellipse({.semi_axis_1 = 1, .semi_axis_2 = bad, .young = 1, .density = 1}),
                      ContainsSubstring("semi_axis_2"));
    CHECK_THROWS_WITH(Tube({.radius = 0.1, .wall = bad, .young = 1, .density = 1}),
                      ContainsSubstring("AnnularSection: wall"));
    CHECK_THROWS_WITH(Tube({.radius = 0.1, .wall = 0.1, .young = bad, .density = 1}),
                      ContainsSubstring("young"));
    CHECK_THROWS_WITH(IsotropicSection<double>({.area = bad,
                                                .second_moments = V2(1, 1),
                                                .torsion_constant = 1,
                                                .torsion_modulus = 1,
                                                .shear_factors = V2(1, 1),
                                                .farthest_fibres = V2(1, 1)},
                                               1, 0.3, 1),
                      ContainsSubstring("IsotropicSection: area"));
  }
  CHECK_THROWS_WITH(Tube({.radius = 0.1, .wall = 0.11, .young = 1, .density = 1}),
                    ContainsSubstring("thicker than the radius"));
  CHECK_THROWS_WITH(Rectangle({.width = 1e-200, .height = 1e-200, .young = 1, .density = 1}),
                    ContainsSubstring("area"));
  auto p = strip;
  p.poisson = 0.51;
  CHECK_THROWS_WITH(Rectangle(p), ContainsSubstring("poisson"));
}

TEST_CASE("a section of any shape has positive stiffness and inertia, whatever it is made from",
          "[section][parameters]") {
  const auto sound = [](const auto& section) {
    const Vec<double, 6> m = section.inertia().matrix().diagonal(), k = section.stiffness_diagonal();
    return m.allFinite() && m.minCoeff() > 0 && k.allFinite() && k.minCoeff() > 0;
  };
  const auto rectangle = [&](const Rectangle::Parameters& p) { return sound(Rectangle(p)); };
  using R = Rectangle::Parameters;
  test::sweep_members(strip, test::Sign::positive, {&R::width, &R::height, &R::young, &R::density},
                      "rectangle", rectangle);
  test::sweep_members(strip, test::Sign::any, {&R::poisson}, "poisson", rectangle);
  using T = Tube::Parameters;
  const T tube{.radius = 0.01, .wall = 0.002, .young = 2e11, .poisson = 0.3, .density = 7800};
  test::sweep_members(tube, test::Sign::positive, {&T::radius, &T::wall, &T::young, &T::density}, "tube",
                      [&](const T& p) { return sound(Tube(p)); });
  using E = Ellipse::Parameters;
  const E ellipse{.semi_axis_1 = 0.01, .semi_axis_2 = 0.002, .young = 2e11, .poisson = 0.3, .density = 7800};
  test::sweep_members(ellipse, test::Sign::positive,
                      {&E::semi_axis_1, &E::semi_axis_2, &E::young, &E::density}, "ellipse",
                      [&](const E& p) { return sound(Ellipse(p)); });
}

TEST_CASE("a section works in other numbers: single precision, and with derivatives", "[section]") {
  const RectangularSection<float> single(
      {.width = 0.03f, .height = 0.002f, .young = 71e9f, .poisson = 0.31f, .density = 2700.f});
  CHECK(double(single.torsion_constant()) == Approx(Rectangle(strip).torsion_constant()).epsilon(1e-6));
  using D = Dual<double, 1>;
  const RectangularSection<D> varied({.width = D(0.03),
                                      .height = D::variable(0.002, 0),
                                      .young = D(71e9),
                                      .poisson = D(0.31),
                                      .density = D(2700.)});
  const Vec<D, 6> k = varied.stiffness_diagonal();
  CHECK(k[3].derivative(0) == Approx(3 * k[3].value() / 0.002));
  auto more = strip, less = strip;
  more.height += 1e-7;
  less.height -= 1e-7;
  CHECK(k[5].derivative(0) ==
        Approx((Rectangle(more).stiffness_diagonal()[5] - Rectangle(less).stiffness_diagonal()[5]) / 2e-7)
            .epsilon(1e-7));
}

TEST_CASE("a section off its centroid stores the energy of the strains there", "[section]") {
  const Vec<double, 6> k = Rectangle(strip).stiffness_diagonal();
  const V2 c(0.004, -0.003), a(-0.002, 0.005);
  const LinearElastic<double> plain(k);
  const CoupledElastic<double> shifted(offset_stiffness<double>(k, c, a));
  test::Random random(test::seed());
  for (int i = 0; i < 5; ++i) {
    const V stretch = V::UnitZ() + 0.1 * random.vector<double>(), bend = random.vector<double>();
    const V at_c = stretch + bend.cross(V(c[0], c[1], 0)), at_a = stretch + bend.cross(V(a[0], a[1], 0));
    CHECK(shifted.energy(stretch, bend) == Approx(plain.energy(V(at_a[0], at_a[1], at_c[2]), bend)));
  }
  CHECK(offset_stiffness<double>(k, V2(0, 0), V2(0, 0)).isApprox(Mat<double, 6, 6>(k.asDiagonal())));
}

TEST_CASE(
    "a rod pulled beside its centroid bends towards the pull, one pushed beside its shear centre twists",
    "[section][statics]") {
  const Rectangle s({.width = 0.02, .height = 0.01, .young = 1e9, .poisson = 0.3, .density = 1e3});
  const Vec<double, 6> k = s.stiffness_diagonal();
  const double L = 1, e = 0.004;
  using R = Rod<CoupledElastic<double>>;
  const auto end = [&](const V2& centroid, const V2& shear_centre, const V& force) {
    R::Parameters p;
    p.elements = 8;
    p.length = L;
    p.inertia = s.inertia();
    p.start = Boundary<double>::clamped();
    p.loads.finish.force = force;
    R rod(CoupledElastic<double>(offset_stiffness<double>(k, centroid, shear_centre)), p);
    Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity());
    (void)static_equilibrium(rod, chain);
    return std::pair{chain.position(8), V(chain.rotation(8).log())};
  };
  // the pull F at the frame has the moment arm −c about the centroid: Ω₁ = −Fc₂/EI₁, Ω₂ = Fc₁/EI₂
  const double F = 1e-4;
  const auto [pulled, turned] = end({e, -2 * e}, {0, 0}, V(0, 0, F));
  CHECK(turned[0] == Approx(F * 2 * e * L / k[3]).epsilon(1e-4));
  CHECK(turned[1] == Approx(F * e * L / k[4]).epsilon(1e-4));
  CHECK(pulled[0] == Approx(F * e * L * L / (2 * k[4])).epsilon(1e-4));
  CHECK(pulled[1] == Approx(-F * 2 * e * L * L / (2 * k[3])).epsilon(1e-4));
  // a push F along e₁ at the frame, which is −a off the shear centre: the torque is F a₂ about e₃
  const auto [pushed, twisted] = end({0, 0}, {0, e}, V(F, 0, 0));
  CHECK(twisted[2] == Approx(F * e * L / k[5]).epsilon(1e-4));
  const double bent = (1 - 1.0 / (4 * 64)) * F * L * L * L / 3;  // of eight elements
  CHECK(pushed[0] == Approx(bent / k[4] + F * L / k[0] + F * e * e * L / k[5]).epsilon(5e-6));
  // along e₂ the deeper side does not help
  const auto [down, unused] = end({0, 0}, {0, 0}, V(0, F, 0));
  CHECK(down[1] == Approx(bent / k[3] + F * L / k[1]).epsilon(5e-6));
  CHECK(unused[2] == Approx(0).margin(1e-12));
}

TEST_CASE("a rod accepts the stiffness of every section beside its frame, in numbers of any precision",
          "[section]") {
  test::Random random(test::seed());
  const auto check = [&](auto zero) {
    using S = decltype(zero);
    const auto accepts = [&](const auto& section, S size) {
      for (const S arm : {S(0), S(1e-3), S(0.3), S(1), S(20)}) {
        const Vec<S, 3> c = arm * size * random.vector<S>(), a = arm * size * random.vector<S>();
        const Mat<S, 6, 6> k =
            offset_stiffness<S>(section.stiffness_diagonal(), Vec<S, 2>(c[0], c[1]), Vec<S, 2>(a[0], a[1]));
        CHECK(k == k.transpose());
        CHECK_NOTHROW(CoupledElastic<S>(k));
        Mat<S, 6, 6> rounded = k, wrong = k;  // by a program that sums in another order
        rounded(3, 4) *= S(1) + 16 * std::numeric_limits<S>::epsilon();
        CHECK_NOTHROW(CoupledElastic<S>(rounded));
        wrong(3, 4) += S(1e-3) * std::sqrt(k(3, 3)) * std::sqrt(k(4, 4));
        CHECK_THROWS_AS(CoupledElastic<S>(wrong), std::invalid_argument);
      }
    };
    for (const S size : {S(1e-6), S(1e-3), S(0.03), S(1), S(100)}) {
      accepts(
          RectangularSection<S>({.width = size, .height = S(0.2) * size, .young = S(2e11), .density = 7800}),
          size);
      accepts(EllipticSection<S>(
                  {.semi_axis_1 = S(0.3) * size, .semi_axis_2 = size, .young = S(1e6), .density = 1000}),
              size);
      accepts(AnnularSection<S>({.radius = size, .wall = S(0.1) * size, .young = S(7e10), .density = 2700}),
              size);
    }
  };
  check(0.0f);
  check(0.0);
}

}  // namespace sections_test
