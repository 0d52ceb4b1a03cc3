// Whatever number a parameter of a rod or a contact is given: it is refused by name, or all that is made from it is finite.

#include <cmath>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/cone.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/contact/strands.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/sweep.hpp"

namespace parameter_laws_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Section = rod::CircularSection<double>;
using Rod = rod::ElasticRod<double>;
using Chain = rod::Chain<double>;
using test::refused, test::Sign, test::sweep, test::sweep_members;
using Strands = contact::DiscreteStrands<double>;

bool positive(double x) { return std::isfinite(x) && x > 0; }

/// Whether every node of a rod can be accelerated.
template <class R>
bool sound(const R& rod) {
  bool yes = positive(rod.length()) && positive(rod.spacing()) && rod.parameters().loads.finite() &&
             std::isfinite(rod.parameters().damping.rate);
  for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(1)})
    for (int i = 0; i < 6; ++i)
      yes = yes && positive(rod.inverse_mass(k, i)) && positive(1 / rod.inverse_mass(k, i));
  return yes;
}

Rod::Parameters rod_parameters() {
  Rod::Parameters p;
  p.elements = 12;
  p.length = 0.9;
  p.inertia = test::soft_section<double>(0.02).inertia();
  return p;
}
Rod rod_of(const Rod::Parameters& p) {
  return Rod(rod::LinearElastic<double>(test::soft_section<double>(0.02).stiffness_diagonal()), p);
}

TEST_CASE("a section has positive stiffness and inertia, whatever it is made from", "[parameters]") {
  const Section::Parameters p{.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1100};
  const auto sound_section = [](const Section::Parameters& x) {
    const Section section(x);
    const Vec<double, 6> m = section.inertia().matrix().diagonal();
    const Vec<double, 6> k = section.stiffness_diagonal();
    return m.allFinite() && m.minCoeff() > 0 && k.allFinite() && k.minCoeff() > 0;
  };
  using P = Section::Parameters;
  sweep_members(p, Sign::positive, {&P::radius, &P::young, &P::density, &P::shear_factor}, "section",
                sound_section);
  sweep_members(p, Sign::any, {&P::poisson}, "poisson", sound_section);

  Mat<double, 6> inertia = rod::SectionInertia<double>{0.5, V(0.1, 0.2, 0.3)}.matrix();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      sweep("inertia", i == j ? Sign::positive : Sign::any, [&](double value) {
        Mat<double, 6> m = inertia;
        m(i, j) = value;
        return rod::SectionInertia<double>::from_matrix(m).matrix().allFinite();
      });
}

TEST_CASE("a material has a finite stiffness and rests at finite strains, whatever it is made from",
          "[parameters]") {
  using Linear = rod::LinearElastic<double>;
  using Coupled = rod::CoupledElastic<double>;
  const Mat<double, 6> k = 5 * Mat<double, 6>::Identity();
  const auto sound_material = [](const auto& material) {
    return material.tangent(V::UnitZ(), V::Zero()).allFinite() && material.rest().stretch.allFinite() &&
           material.rest().curvature.allFinite();
  };
  for (int i = 0; i < 6; ++i) {
    sweep("stiffness of a linear material", Sign::positive, [&](double value) {
      Vec<double, 6> changed = k.diagonal();
      changed[i] = value;
      return sound_material(Linear(changed));
    });
    for (int j = 0; j < 6; ++j)
      sweep("stiffness of a coupled material", i == j ? Sign::positive : Sign::any, [&](double value) {
        Mat<double, 6> changed = k;
        changed(i, j) = changed(j, i) = value;
        return sound_material(Coupled(changed));
      });
    sweep("rest strain of a linear material", Sign::any, [&](double value) {
      rod::RestStrain<double> rest;
      (i < 3 ? rest.stretch : rest.curvature)[i % 3] = value;
      return sound_material(Linear(k.diagonal(), rest));
    });
    sweep("rest strain of a coupled material", Sign::any, [&](double value) {
      rod::RestStrain<double> rest;
      (i < 3 ? rest.stretch : rest.curvature)[i % 3] = value;
      return sound_material(Coupled(k, rest));
    });
  }
}

TEST_CASE("the nodes of a rod can be accelerated, whatever it is made from", "[parameters]") {
  const auto p = rod_parameters();
  const auto sweep_rod = [&](const std::string& name, Sign sign, auto&& put) {
    sweep(name, sign, [&](double value) {
      auto changed = p;
      put(changed, value);
      return sound(rod_of(changed));
    });
  };
  sweep_rod("length", Sign::positive, [](auto& r, double x) { r.length = x; });
  sweep_rod("inertia.mass", Sign::positive, [](auto& r, double x) { r.inertia.mass = x; });
  sweep_rod("end_mass_fraction", Sign::positive, [](auto& r, double x) { r.end_mass_fraction = x; });
  sweep_rod("damping.rate", Sign::not_negative, [](auto& r, double x) { r.damping.rate = x; });
  for (int i = 0; i < 3; ++i) {
    sweep_rod("inertia.rotary", Sign::positive, [i](auto& r, double x) { r.inertia.rotary[i] = x; });
    sweep_rod("gravity", Sign::any, [i](auto& r, double x) { r.loads.gravity[i] = x; });
    sweep_rod("start.force", Sign::any, [i](auto& r, double x) { r.loads.start.force[i] = x; });
    sweep_rod("start.moment", Sign::any, [i](auto& r, double x) { r.loads.start.moment[i] = x; });
    sweep_rod("follower_force", Sign::any, [i](auto& r, double x) { r.loads.finish.follower_force[i] = x; });
    sweep_rod("follower_moment", Sign::any,
              [i](auto& r, double x) { r.loads.finish.follower_moment[i] = x; });
  }
}

TEST_CASE("a state of rods has a finite time and finite nodes, whatever it is made from", "[parameters]") {
  const Rod rod = rod_of(rod_parameters());
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  const Chain straight = rod.straight(V::Zero(), SO3<double>::identity());
  sweep("time", Sign::any,
        [&](double value) { return std::isfinite(problem.state({straight}, {}, value).time); });
  for (int i = 0; i < 7; ++i)
    sweep("configuration", Sign::any, [&](double value) {
      Chain chain = straight;
      chain.configuration(3, i) = value;
      return problem.state({chain}).chains[0].finite();
    });
}

TEST_CASE("the numbers of a static search keep their ranges", "[parameters]") {
  using Options = rod::StaticOptions<double>;
  for (const auto member :
       {&Options::tolerance, &Options::step_tolerance, &Options::first_step, &Options::smallest_step,
        &Options::largest_step, &Options::largest_turn, &Options::largest_move}) {
    for (const double bad : {std::nan(""), -HUGE_VAL, -1.0, 0.0}) {
      Options o;
      o.*member = bad;
      CHECK_THROWS_AS(o.check(), std::invalid_argument);
    }
  }
}

TEMPLATE_TEST_CASE("a kernel has finite weights, whatever its width", "[parameters]", contact::CubicSpline,
                   contact::QuinticSpline, contact::CompactKernelValue, contact::Gaussian) {
  const auto sound_average = [](double width, double spacing) {
    const contact::KernelAverage<double, TestType> average(TestType{}, width, spacing, 41);
    Chain chain(41);
    for (Eigen::Index k = 0; k < 41; ++k)
      chain.set_frame(k, SO3<double>::identity(), V(0.1 * double(k), 0, 0));
    bool yes = positive(average.kernel_width());
    for (const double s : {20.0, 20.3, 20.5}) {
      const auto p = average.at(chain, s * spacing, 0.0, 1);
      yes = yes && p.R.allFinite() && p.dR.allFinite() && p.ddR.allFinite() && positive(p.square);
    }
    return yes;
  };
  sweep("kernel_width", Sign::positive, [&](double value) { return sound_average(value, 0.05); });
  sweep("spacing", Sign::positive, [&](double value) { return sound_average(0.1, value); });
  int taken = 0;
  for (double width = 1e-6; width < 10; width *= 1.1)
    if (!refused("kernel_width", width, [&](double value) { return sound_average(value, 0.05); })) ++taken;
  CHECK(taken > 20);
}

TEST_CASE("a contact has a finite gap, and rods longer than thick", "[parameters]") {
  struct P {
    double radius1, radius2, kernel_width;
  };
  const Rod rod = rod_of(rod_parameters());
  const auto make = [&](const P& p) {
    const contact::RollingOfRods<double> c{
        {0, rod, p.kernel_width}, {1, rod, p.kernel_width}, p.radius1, p.radius2};
    c.check_parameters();
    return positive(c.radius1 + c.radius2);
  };
  const P p{.radius1 = 0.02, .radius2 = 0.03, .kernel_width = 0.1};
  sweep_members(p, Sign::positive, {&P::radius1, &P::radius2, &P::kernel_width}, "contact", make);
  for (const auto member : {&P::radius1, &P::radius2}) {
    P thick = p;
    thick.*member = 0.45;
    CHECK_THROWS_WITH(make(thick), Catch::Matchers::ContainsSubstring("radius") &&
                                       Catch::Matchers::ContainsSubstring("longer than thick"));
    thick.*member = 0.449;
    CHECK_NOTHROW(make(thick));
  }
  sweep("friction", Sign::not_negative,
        [](double value) { return std::isfinite(contact::rolling_fraction(value)); });
}

TEST_CASE("strands can be accelerated, whatever they are made from", "[parameters]") {
  using P = contact::StrandParameters<double>;
  const P p{.nodes = 9,
            .spacing = 0.25,
            .mass = 1.2,
            .rotary1 = 0.02,
            .rotary3 = 0.04,
            .shear_stiffness = 25,
            .axial_stiffness = 40,
            .bending_stiffness = 0.6,
            .torsional_stiffness = 0.45,
            .kernel_width = 0.3,
            .gap = 0.2};
  sweep_members(p, Sign::positive,
                {&P::spacing, &P::mass, &P::rotary1, &P::rotary3, &P::shear_stiffness, &P::axial_stiffness,
                 &P::bending_stiffness, &P::torsional_stiffness, &P::kernel_width, &P::gap},
                "strand", [](const P& x) {
                  const auto problem = Strands::problem(x);
                  return sound(problem.bodies<0>()[0]) && positive(2 * problem.constraints<0>()[0].radius1);
                });
  for (const int nodes : {std::numeric_limits<int>::min(), -1, 0, 1, 2}) {
    P few = p;
    few.nodes = nodes;
    CHECK_THROWS_WITH(Strands::strand(few), Catch::Matchers::ContainsSubstring("nodes"));
  }
}

}  // namespace parameter_laws_test
