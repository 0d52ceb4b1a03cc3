// Constraints that need a scene of their own, for the laws of problems: reactions along other rows, and beads.

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/rod/body.hpp>

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/turned_reactions.hpp"

namespace problem_laws_of_constraints {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using V = Vec<double, 3>;

Body heavy_body() {
  Body::Parameters p;
  p.mass = 0.3;
  p.inertia = {0.02, 0.03, 0.025};
  p.gravity = {0.5, 0.2, -2};
  return Body(p);
}

/// A body under one constraint, moving at random.
template <class C>
void add_body(test::Problems& all, const char* name, const C& constraint) {
  test::Random random(test::seed());
  const Body body = heavy_body();
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{constraint})};
  std::vector<assembly::State<double>> states;
  for (int i = 0; i < 3; ++i) {
    auto chain =
        body.at(V(0, 0, 0.3) + 0.1 * random.vector<double>(), SO3<double>::exp(random.vector<double>()));
    chain.set_velocity(0, random.vector<double>(), random.vector<double>());
    states.push_back(problem.state({chain}));
  }
  test::add_problem(all, name, problem, states, {.workless = false});
}

/// Two beads on one rod, in each other's window.
void add_beads(test::Problems& all, bool elsewhere) {
  const SO3<double> turn = elsewhere ? SO3<double>::exp({0.3, -1.1, 0.7}) : SO3<double>::identity();
  const V shift = elsewhere ? V(0.4, 0.3, -0.6) : V(0, 0, 0);
  using Rod = rod::ElasticRod<double>;
  using Bead = contact::Bead<double>;
  test::Random random(test::seed());
  Rod::Parameters p;
  p.loads.gravity = turn.act(V(0.3, 0, -2));
  const Rod wire = test::soft_rod<Rod>(0.01, 20, p);
  const Body body = heavy_body();
  auto curve = test::random_chain(wire, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  const auto bead = [&](double beside) {
    auto chain = body.at(curve.position(10) + V(0, 0, beside) + 0.01 * random.vector<double>(),
                         SO3<double>::exp(random.vector<double>()));
    chain.set_velocity(0, random.vector<double>(), random.vector<double>());
    return chain;
  };
  std::vector<rod::Chain<double>> chains{curve, bead(0.03), bead(-0.05)};
  for (auto& chain : chains) test::transform<double>(chain, test::matrix(turn), shift);
  Body::Parameters q = body.parameters();
  q.gravity = turn.act(q.gravity);
  const Body turned(q);
  const Assembly problem{bodies(std::vector{wire}, std::vector{turned, turned}),
                         constraints(std::vector{Bead{{0, wire, 0.1}, {1}}, Bead{{0, wire, 0.1}, {2}}})};
  // a bead's rows are those of its distance where that is zero
  auto closed = problem.state(chains, Vec<double, Eigen::Dynamic>{{0.5, 0.45}});
  problem.project(closed);
  test::add_problem(all, "two beads on a rod", problem, {closed}, {.equivariant = true});
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  add_body(all, "blade with a turned reaction", test::Blade{{0, 0, {0.1, 0.05, -0.2}}});
  add_body(all, "rolling ball with a turned reaction", test::RollingBall{{0}});
  add_beads(all, elsewhere);
});

}  // namespace problem_laws_of_constraints
