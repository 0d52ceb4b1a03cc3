#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace check_test {
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>>;
using State = Problem::State;

Problem problem_of(std::vector<int> elements) {
  std::vector<Rod> rods;
  for (const int n : elements) rods.push_back(test::soft_rod<Rod>(0.02, n));
  return Problem{assembly::bodies(rods)};
}

State rest_of(const Problem& problem) {
  std::vector<rod::Chain<double>> chains;
  for (const Rod& rod : problem.bodies<0>()) chains.push_back(rod.straight(V::Zero(), SO3d::identity()));
  return problem.state(chains);
}

TEST_CASE("a state of other rods is refused at every entry, naming both sizes", "[rod][shape]") {
  const Problem problem = problem_of({40});
  const auto mine = rest_of(problem);
  std::vector<std::pair<State, std::string>> others{{rest_of(problem_of({20})), "= 21, but"},
                                                    {rest_of(problem_of({80})), "= 81, but"},
                                                    {rest_of(problem_of({40, 40})), "chains = 2, but"},
                                                    {State{}, "chains = 0, but"}};
  others.push_back({mine, "= 41, but"});
  others.back().first[0].velocity.resize(8, 6);  // a chain that does not keep what it says
  for (auto& pair : others) {
    State& other = pair.first;
    const std::string& text = pair.second;
    const auto refuses = [&](auto&& what) {
      CHECK_THROWS_AS(what(), std::invalid_argument);
      CHECK_THROWS_WITH(what(), Catch::Matchers::ContainsSubstring(text));
    };
    CAPTURE(text);
    const auto options = DriveOptions<Problem>{.step = 1e-5, .until = 1e-4};
    refuses([&] { drive(Verlet{}, problem, other, options); });
    refuses([&] { drive(RungeKutta4{}, problem, other, options); });
    refuses([&] { (void)Verlet{}.stepper(problem, other); });
    refuses([&] { (void)DormandPrince853{}.stepper(problem, other); });
    refuses([&] { (void)Gauss<2>{}.stepper(problem, other); });
    refuses([&] { (void)problem.state(other.chains); });
    auto rates = problem.make_rates();
    refuses([&] { problem.rates(other, rates); });
    auto residual = problem.make_residual();
    refuses([&] { problem.residual(other, rates, residual); });
    refuses([&] { (void)problem.energy(other); });
    refuses([&] { (void)problem.power(other, rates); });
    refuses([&] { (void)problem.constraint(other); });
    refuses([&] { (void)problem.project(other); });
    refuses([&] { (void)problem.frequency_bound(other); });
    analysis::EnergyMonitor monitor(problem);
    refuses([&] { monitor(problem, other); });
  }
  CHECK_THROWS_WITH(
      problem.check_state(others[0].first),
      "Assembly: nodes of chain 0 = 21, but a chain must have the nodes of its body, and there are 41");
}

TEST_CASE("rates and an energy monitor of another problem are refused, naming both sizes", "[rod][shape]") {
  const Problem problem = problem_of({40}), other = problem_of({20}), pair = problem_of({40, 40});
  const auto state = rest_of(problem);
  for (const Problem* wrong : {&other, &pair}) {
    auto rates = wrong->make_rates();
    CHECK_THROWS_AS(problem.rates(state, rates), std::invalid_argument);
    auto residual = problem.make_residual();
    CHECK_THROWS_AS(problem.residual(state, rates, residual), std::invalid_argument);
    CHECK_THROWS_AS(problem.power(state, rates), std::invalid_argument);
    analysis::EnergyMonitor monitor(*wrong);
    CHECK_THROWS_AS(monitor(problem, state), std::invalid_argument);
  }
  auto rates = other.make_rates();
  CHECK_THROWS_WITH(problem.rates(state, rates),
                    Catch::Matchers::ContainsSubstring("rows of body 0 = ") &&
                        Catch::Matchers::ContainsSubstring("made by this problem"));
  auto good = problem.make_rates();
  Problem::Residual residual;  // made to fit
  problem.rates(state, good);
  problem.residual(state, good, residual);
  CHECK(residual.size() == 6 * 41);
  CHECK(residual.norm() < 1e-12);
}

/// A free rod whose sections turn about its axis, faster and faster until an element turns past π.
Problem spinning_rod(int elements) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = 1;
  p.inertia = {1.0, V(0.01, 0.01, 0.02)};
  Vec<double, 6> stiffness;
  stiffness << 1e3, 1e3, 1e3, 1, 1, 1;
  return Problem{assembly::bodies(std::vector{Rod(rod::LinearElastic<double>(stiffness), p)})};
}

State spinning(const Problem& problem) {
  auto state = rest_of(problem);
  for (Eigen::Index k = 0; k < problem.bodies<0>()[0].nodes(); ++k)
    state[0].set_velocity(k, V::Zero(),
                          V(0, 0,
                            240 * std::cos(static_cast<double>(pi) * static_cast<double>(k) /
                                           problem.bodies<0>()[0].elements())));
  return state;
}

TEST_CASE("an element that turns past pi stops a run before its energy jumps", "[rod][turn]") {
  // Every number of elements has another place in the packs for the one that turns most.
  for (const int elements : {9, 10, 11}) {
    const auto problem = spinning_rod(elements);
    const auto run = [&](const auto& method, double step) {
      auto state = spinning(problem);
      const double energy = problem.energy(state);
      double change = 0;
      bool stopped = false;
      try {
        drive(method, problem, state, {.step = step, .until = 0.1}, [&](const Problem& p, const State& x) {
          change = std::max(change, std::abs(p.energy(x) - energy));
        });
      } catch (const IntegrationFailure& failure) {
        stopped = true;
        try {
          std::rethrow_if_nested(failure);
          FAIL("nothing is nested");
        } catch (const ElementTurnedTooFar& cause) {
          CHECK(cause.rod() == 0);
          CHECK(std::abs(2 * cause.element() + 1 - elements) <= 1);  // in the middle
          CHECK(cause.angle() > rod::largest_turn);
          CHECK(cause.angle() < static_cast<double>(pi));
          CHECK(cause.time() > failure.time());
          CHECK(cause.time() <= failure.time() + 2 * step);
        }
      }
      CHECK(stopped);
      CHECK(change < 0.03);  // of 288 J
    };
    CAPTURE(elements);
    run(Verlet{}, 1e-4);
    run(RungeKutta4{}, 1e-4);
  }
  const auto finer = spinning_rod(24);
  auto state = spinning(finer);
  CHECK_NOTHROW(drive(Verlet{}, finer, state, {.step = 1e-4, .until = 0.1}));
}

TEST_CASE("every element is watched for its turn, and none of the padding", "[rod][turn]") {
  for (const int elements : {2, 7, 8, 9, 16, 17})
    for (Eigen::Index turned = 0; turned < elements; ++turned) {
      const auto problem = problem_of({elements, elements});
      auto state = rest_of(problem);
      auto& chain = state[1];
      const auto turn = [&](double angle) {
        for (Eigen::Index k = turned + 1; k < chain.nodes; ++k)
          chain.set_frame(k, SO3d::exp(V(0, angle, 0)), chain.position(k));
      };
      auto rates = problem.make_rates();
      const Eigen::Index rest = chain.configuration.rows() - chain.nodes;
      chain.configuration.bottomRows(rest).setZero();  // what stands there has no meaning
      turn(rod::largest_turn - 1e-6);
      CHECK_NOTHROW(problem.rates(state, rates));
      turn(rod::largest_turn + 1e-6);
      try {
        problem.rates(state, rates);
        FAIL("an element has turned too far");
      } catch (const ElementTurnedTooFar& e) {
        CHECK(e.rod() == 1);
        CHECK(e.element() == turned);
        CHECK(e.angle() == Approx(rod::largest_turn + 1e-6).margin(1e-9));
      }
      auto loads = problem.make_loads();
      CHECK_THROWS_AS(problem.loads(state, loads), ElementTurnedTooFar);
    }
}

TEST_CASE("a number that is not finite is found anywhere in a state", "[rod]") {
  const Problem problem = problem_of({10});
  const auto good = rest_of(problem);
  CHECK(good.is_finite_throughout());
  for (Eigen::Index k = 0; k < 11; ++k)
    for (int i = 0; i < 13; ++i) {
      auto bad = good;
      (i < 7 ? bad[0].configuration(k, i) : bad[0].velocity(k, i - 7)) = std::nan("");
      CHECK_FALSE(bad.is_finite_throughout());
    }
  auto bad = good;
  bad.time = std::nan("");
  CHECK_FALSE(bad.is_finite_throughout());
}

TEST_CASE("numbers too large to compute with are refused, and nothing that is not finite is handed back",
          "[rod]") {
  const Problem problem = problem_of({10});
  const auto good = rest_of(problem);
  for (const double huge : {1e155, -1.7e308}) {
    auto chains = good.chains;
    chains[0].configuration(3, 1) = huge;
    CHECK_THROWS_WITH(problem.state(chains), Catch::Matchers::ContainsSubstring("squares"));
    chains = good.chains;
    chains[0].velocity(10, 5) = huge;
    CHECK_THROWS_WITH(problem.state(chains), Catch::Matchers::ContainsSubstring("squares"));
  }
  for (const double length : {1e-160, 1e-231}) {
    Rod::Parameters p = problem.bodies<0>()[0].parameters();
    p.length = length;
    CHECK_THROWS_WITH(Rod(problem.bodies<0>()[0].material(), p),
                      Catch::Matchers::ContainsSubstring("Rod: inverse"));
  }
  auto stuck = good;  // a projection gives back no state whose numbers are none
  stuck[0].configuration(5, 0) = 1.7e308;
  stuck[0].configuration(6, 0) = 1.7e308;
  CHECK_THROWS_AS(problem.project(stuck), NotFinite);
  // The rates of every node and degree are looked at: loads of 1e308 N on the ends, a spin whose square overflows.
  auto rates = problem.make_rates();
  for (Eigen::Index k = 0; k < 11; ++k) {
    auto x = good;
    x[0].velocity(k, 3) = x[0].velocity(k, 4) = 1e160;
    x[0].velocity(k, 5) = 1e160;
    CHECK_THROWS_AS(problem.rates(x, rates), NotFinite);
    CHECK_THROWS_AS(problem.energy(x), NotFinite);
    CHECK_THROWS_AS(problem.kinetic_energy(x), NotFinite);
    x = good;
    x[0].configuration(k, 1) = 1e300;
    CHECK_THROWS_AS(problem.energy(x), NotFinite);
  }
  Rod::Parameters p;
  p.loads.finish.follower_force = V(1e308, 0, 0);
  const Problem pulled{assembly::constraints(std::vector{test::soft_rod<Rod>(0.02, 10, p)})};
  auto x = rest_of(pulled);
  for (Eigen::Index k = 0; k < 11; ++k) x[0].set_velocity(k, V(1e10, 0, 0), V::Zero());
  auto given = problem.make_rates();
  CHECK_THROWS_AS(pulled.power(x, given), NotFinite);
}

TEST_CASE("a rod has up to a million elements, and loads grow with all their parts", "[rod]") {
  Rod::Parameters p = test::soft_rod<Rod>(0.02, 10).parameters();
  const auto material = test::soft_rod<Rod>(0.02, 10).material();
  p.elements = rod::most_elements;
  CHECK(Rod(material, p).nodes() == 1'000'001);
  p.elements = rod::most_elements + 1;
  CHECK_THROWS_AS(Rod(material, p), std::invalid_argument);

  rod::Loads<double> loads;
  loads.gravity = V(1, 2, 3);
  loads.start = {V(4, 5, 6), V(7, 8, 9), V(10, 11, 12), V(13, 14, 15)};
  loads.finish = {V(-4, 5, 6), V(-7, 8, 9), V(-10, 11, 12), V(-13, 14, 15)};
  const auto half = loads.scaled(0.5);
  CHECK(2 * half.gravity == loads.gravity);
  for (const auto& [part, whole] : {std::pair{half.start, loads.start}, {half.finish, loads.finish}}) {
    CHECK(2 * part.force == whole.force);
    CHECK(2 * part.moment == whole.moment);
    CHECK(2 * part.follower_force == whole.follower_force);
    CHECK(2 * part.follower_moment == whole.follower_moment);
  }
}

TEST_CASE("statics refuses an equilibrium in which an element has turned too far", "[rod][statics][turn]") {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  std::vector<Rod> rods{test::soft_rod<Rod>(0.02, 2, p)};
  std::vector<rod::Chain<double>> chains{rods[0].straight(V::Zero(), SO3d::identity())};
  const auto twist = [&](double total) {
    return [=](double factor, std::vector<Rod>&, std::vector<rod::Chain<double>>& moved) {
      moved[0].set_frame(2, SO3d::exp(V(0, 0, factor * total)), moved[0].position(2));
    };
  };
  // Two elements share the turn of the end evenly.
  auto good = chains;
  CHECK_NOTHROW(rod::static_equilibrium(rods, good, twist(2 * rod::largest_turn - 0.01)));
  CHECK_THROWS_WITH(rod::static_equilibrium(rods, chains, twist(2 * rod::largest_turn + 0.1)),
                    Catch::Matchers::ContainsSubstring("ElementTurnedTooFar"));
}

}  // namespace check_test
