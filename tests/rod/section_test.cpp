#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace section_test {
constexpr rod::CircularSection<double>::Parameters rubber{
    .radius = 0.005, .young = 1e6, .poisson = 0.49, .density = 1100, .shear_factor = 0.9};

TEST_CASE("a circular section has the stiffness and inertia of a disc") {
  const rod::CircularSection<double> section(rubber);
  const double area = 7.853981633974483e-05, second = 4.908738521234052e-10, shear = 1e6 / 2.98;
  CHECK(section.radius() == 0.005);
  CHECK(section.area() == Approx(area).epsilon(1e-14));
  CHECK(section.second_moment() == Approx(second).epsilon(1e-14));
  CHECK(section.second_moments() == Vec<double, 2>(section.second_moment(), section.second_moment()));
  CHECK(section.torsion_constant() == Approx(2 * second).epsilon(1e-14));
  CHECK(section.torsion_modulus() == Approx(2 * second / 0.005).epsilon(1e-14));
  CHECK(section.farthest_fibres() == Vec<double, 2>(0.005, 0.005));
  CHECK(section.shear_modulus() == Approx(shear).epsilon(1e-14));
  Vec<double, 6> k;
  k << 0.9 * shear * area, 0.9 * shear * area, 1e6 * area, 1e6 * second, 1e6 * second, 2 * shear * second;
  CHECK((section.stiffness_diagonal() - k).cwiseQuotient(k).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((section.stiffness() - Mat<double, 6, 6>(k.asDiagonal())).norm() < 1e-13);
  CHECK(section.inertia().mass == Approx(1100 * area).epsilon(1e-14));
  CHECK(section.inertia().rotary[0] == Approx(1100 * second).epsilon(1e-14));
  CHECK(section.inertia().rotary[1] == section.inertia().rotary[0]);
  CHECK(section.inertia().rotary[2] == Approx(2200 * second).epsilon(1e-14));
}

TEST_CASE("the parameters of a section are checked, and the message names the one that is wrong") {
  using Section = rod::CircularSection<double>;
  using Catch::Matchers::ContainsSubstring;
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    auto p = rubber;
    p.radius = bad;
    CHECK_THROWS_WITH(Section(p), ContainsSubstring("radius"));
    p = rubber;
    p.young = bad;
    CHECK_THROWS_WITH(Section(p), ContainsSubstring("young = "));
    p = rubber;
    p.density = bad;
    CHECK_THROWS_WITH(Section(p), ContainsSubstring("density"));
    p = rubber;
    p.shear_factor = bad;
    CHECK_THROWS_WITH(Section(p), ContainsSubstring("shear_factor"));
  }
  for (const double bad : {-1.0, 0.51, std::nan("")}) {
    auto p = rubber;
    p.poisson = bad;
    CHECK_THROWS_WITH(Section(p), ContainsSubstring("poisson"));
  }
}

TEST_CASE("an inertia matrix in principal axes is taken, any other refused") {
  using Inertia = rod::SectionInertia<double>;
  const Inertia given{0.5, Vec<double, 3>(0.1, 0.2, 0.3)};
  const Inertia back = Inertia::from_matrix(given.matrix());
  CHECK(back.mass == 0.5);
  CHECK(back.rotary == given.rotary);
  auto m = given.matrix();
  m(0, 5) = m(5, 0) = 0.01;
  CHECK_THROWS_WITH(Inertia::from_matrix(m), Catch::Matchers::ContainsSubstring("off-diagonal"));
  m = given.matrix();
  m(2, 2) = 0.6;
  CHECK_THROWS_WITH(Inertia::from_matrix(m), Catch::Matchers::ContainsSubstring("mass"));
  m = given.matrix();
  m(4, 4) = 0;
  CHECK_THROWS_WITH(Inertia::from_matrix(m), Catch::Matchers::ContainsSubstring("positive"));
  // what rounding leaves beside the diagonal is none, in float as in double
  const auto check_rounding = [](auto zero) {
    using S = decltype(zero);
    auto n = rod::SectionInertia<S>{S(0.5), Vec<S, 3>(S(0.1), S(0.2), S(0.3))}.matrix();
    n(0, 5) = n(5, 0) = 4 * std::numeric_limits<S>::epsilon();
    CHECK_NOTHROW(rod::SectionInertia<S>::from_matrix(n));
  };
  check_rounding(0.0f);
  check_rounding(0.0);
}

}  // namespace section_test
