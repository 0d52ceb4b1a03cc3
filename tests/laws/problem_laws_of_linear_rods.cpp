// Linear rods in rolling contact for the laws of problems.

#include <vector>

#include "support/linear/rods.hpp"

#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace problem_laws_of_linear_rods {

using namespace dalembert;
using Rods = test::linear::LinearRods<double>;
using Rod = test::linear::LinearRod<double>;
using Contact = test::linear::LinearCrossing<double>;
using Boundary = rod::Boundary<double>;
using V = Vec<double, 3>;

Mat<double, 6> random_positive(test::Random& random) {
  Mat<double, 6> a;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) a(i, j) = random();
  return Mat<double, 6>(0.5 * Mat<double, 6>::Identity() + a * a.transpose() / 3);
}

/// A state in which nothing slips only by chance.
Rods::State random_state(const Rods& problem, test::Random& random) {
  auto x = problem.state(0.4);
  for (double& y : x.phi) y = random();
  for (double& y : x.xi) y = random();
  for (std::size_t i = 0; i < problem.rods().size(); ++i) problem.rods()[i].hold(problem.field(x.xi, i));
  return x;
}

const test::ProblemFamily family([](test::Problems& all, bool) {
  test::Random random(test::seed());
  std::vector<Rod> rods;
  for (const int elements : {12, 14, 11}) {
    Rod::Parameters p;
    p.elements = elements;
    p.length = 1;
    p.inertia = random_positive(random);
    p.stiffness = random_positive(random);
    if (elements != 12) p.start = Boundary::clamped();
    if (elements == 14) p.finish = Boundary::degrees({true, false, false, false, true, false});
    if (elements == 11) p.strain = test::linear::LinearStrain::principal_part;
    rods.emplace_back(p);
  }
  const auto contact = [](std::size_t i, std::size_t j, double s, double angle, double apart) {
    return Contact{.first = i,
                   .second = j,
                   .s1 = s,
                   .s2 = 0.5,
                   .turn = SO3<double>::exp({angle, 0, 0}),
                   .between = apart * V::UnitX(),
                   .share = 0.3,
                   .kernel_width = 0.1};
  };
  const auto add = [&](const char* name, const std::vector<Contact>& contacts) {
    const Rods problem(rods, contacts);
    test::add_problem(all, name, problem, {random_state(problem, random), problem.state()});
  };
  add("linear rods that do not touch", {});
  add("linear rods, of which one rolls on two",
      {contact(0, 1, 0.4, 1.2, 0.3), contact(0, 2, 0.5, -0.9, -0.2)});
});

}  // namespace problem_laws_of_linear_rods
