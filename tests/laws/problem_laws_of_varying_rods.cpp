// Rods whose stiffness, rest strains and inertia are others in each element, for the laws of problems.

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/varying_rod.hpp>
#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace problem_laws_of_varying_rods {

using namespace dalembert;
using Rod = rod::VaryingCoupledRod<double>;
using V = Vec<double, 3>;

/// A tapered section whose every strain is coupled with every other, and whose three moments of inertia differ.
rod::GeneralSection<double> section(double s) {
  const auto round = test::soft_section<double>(0.012 - 0.006 * s);
  rod::GeneralSection<double> own{round.stiffness(), round.inertia()};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      own.matrix(i, j) = own.matrix(j, i) =
          0.1 * std::cos(3 * s + i + 2 * j) * std::sqrt(own.matrix(i, i) * own.matrix(j, j));
  own.per_length.rotary[1] *= 1.3 + s;
  return own;
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  const SO3<double> turn = elsewhere ? SO3<double>::exp({0.3, -1.1, 0.7}) : SO3<double>::identity();
  const V displaced = elsewhere ? V(0.4, 0.3, -0.6) : V(0, 0, 0);
  test::Random random(test::seed());
  Rod::Parameters p{.elements = 21, .length = 1.0};
  p.loads.gravity = turn.act(random.vector<double>());
  p.loads.start.force = turn.act(random.vector<double>());
  p.loads.finish.follower_force = random.vector<double>();
  p.end_mass_fraction = 0.7;
  const Rod one = rod::varying<Rod>(p, section, [](double s) {
    return rod::RestStrain<double>{V(0.05, -0.03 * s, 1.02), V(2 * s, 1 - s, std::sin(3 * s))};
  });
  const assembly::Assembly problem{assembly::bodies(std::vector{one})};
  auto chain = test::random_chain(one, Mat<double, 3>(Mat<double, 3>::Identity()), random, {.bend = 0.8});
  test::transform<double>(chain, test::matrix(turn), displaced);
  test::add_problem(all, "a rod that varies along its length", problem, {problem.state({chain}, {}, 0.4)},
                    {.equivariant = true});
});

}  // namespace problem_laws_of_varying_rods
