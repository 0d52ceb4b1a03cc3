// What every problem obeys: small systems, rods, rolling rods, assemblies of all kinds of constraints.

#include "laws/problem_laws.hpp"
#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace problem_laws_test {

using test::AnyProblem, test::Number, test::Numbers, test::Problems;
using State = AnyProblem::State;

const Problems& problems() {
  static const Problems all = test::ProblemFamily::all();
  return all;
}

/// `law(problem, state)` in every state of every problem.
void for_each(void (*law)(const AnyProblem&, const State&)) {
  REQUIRE(!problems().empty());
  for (const auto& problem : problems())
    for (std::size_t i = 0; i < problem->states.size(); ++i) {
      CAPTURE(problem->name, i);
      law(*problem, problem->states[i]);
    }
}

Number largest(const Numbers& x) {
  Number most = 0;
  for (const Number a : x)
    most = std::isnan(a) ? std::numeric_limits<Number>::infinity() : std::max(most, std::abs(a));
  return most;
}
Numbers sum(const Numbers& a, Number factor, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  Numbers all = a;
  for (std::size_t i = 0; i < a.size(); ++i) all[i] += factor * b[i];
  return all;
}
bool below(Number error, Number allowed) {
  CAPTURE(error, allowed);
  const bool is_below = error <= allowed;
  CHECK(is_below);
  return is_below;
}

/// The size of accelerations and multipliers.
Number size_of(const Numbers& rates) { return 1 + largest(rates); }

/// A time in which little happens [s].
Number pace(const AnyProblem& p, const State& at) {
  return (1 + largest(p.velocities(at))) /
         ((1 + largest(p.velocities(at))) * (1 + largest(p.velocities(at))) + largest(p.rates(at)));
}

/// df/dt of f(state) along the rates of a problem, by differences of fourth order.
template <class F>
Numbers derivative(const AnyProblem& p, const State& at, Number h, const F& f) {
  const auto near = sum(f(p.moved(at, h)), -1, f(p.moved(at, -h)));
  const auto far = sum(f(p.moved(at, 2 * h)), -1, f(p.moved(at, -2 * h)));
  Numbers slope(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) slope[i] = (8 * near[i] - far[i]) / (12 * h);
  return slope;
}

TEST_CASE("the residual of the rates is zero, and of any other rates it is not", "[laws]") {
  for_each([](const AnyProblem& p, const State& at) {
    Numbers rates = p.rates(at);
    const Number size = size_of(rates), allowed = 1e4L * p.epsilon * size;
    below(largest(p.residual(at, rates)), allowed);
    if (!p.nature.tells_rates_apart) return;
    Number least = std::numeric_limits<Number>::infinity();
    for (Number& x : rates) {
      const Number right = x;
      x += size / 100;
      least = std::min(least, largest(p.residual(at, rates)));
      x = right;
    }
    below(10 * allowed, least);
  });
}

TEST_CASE("energy changes by the powers, in any state", "[laws]") {
  for_each([](const AnyProblem& p, const State& at) {
    const auto power = p.power(at);
    const Number total = power.constraint + power.dissipation + power.load + power.contacts;
    CHECK(power.dissipation <= 0);
    const Number h = pace(p, at) * std::pow(p.epsilon, 0.2L);
    const Number rate = derivative(p, at, h, [&](const State& x) { return Numbers{p.energy(x)}; })[0];
    const Number scale = (1 + std::abs(p.energy(at)) + p.kinetic_energy(at)) / pace(p, at);
    below(std::abs(rate - total), 10 * std::pow(p.epsilon, 0.8L) * scale);
  });
}

TEST_CASE("rows change as their drift says, and their errors as the rows", "[laws]") {
  int told = 0, fewer = 0;
  for (const auto& p : problems())
    for (const State& given : p->states) {
      CAPTURE(p->name);
      State at = given;
      if (!p->nature.rows_in_any_state) p->project(at);
      const Numbers u = p->row_velocities(at);
      if (u.empty()) continue;
      ++told;
      const Number h = pace(*p, at) * std::pow(p->epsilon, 0.2L);
      const Number allowed =
          10 * std::pow(p->epsilon, 0.8L) * (1 + largest(p->velocities(at))) / pace(*p, at);
      const auto kept = [&](const State& x) {
        return p->nature.slips ? p->error_rates(x) : p->row_velocities(x);
      };
      // shorter where places of contacts move faster than bodies do, longer where their rounding counts
      const auto least = [&](auto&& error) {
        below(std::min({error(h), error(h / 3), error(3 * h)}), allowed);
      };
      least([&](Number step) { return largest(derivative(*p, at, step, kept)); });
      const auto errors = [&](Number step) {
        return derivative(*p, at, step, [&](const State& x) { return p->row_errors(x); });
      };
      const std::size_t positions = p->row_errors(at).size();
      if (positions == u.size()) least([&](Number step) { return largest(sum(errors(step), -1, u)); });
      const Numbers said = p->error_rates(at);
      if (said.empty() || !p->nature.at_tangencies) continue;
      least([&](Number step) { return largest(sum(errors(step), -1, said)); });
      fewer += positions < u.size();
    }
  CHECK(told > 10);
  CHECK(fewer > 10);
}

TEST_CASE("reactions do no work where the constraints hold, but for those that are said to", "[laws]") {
  int at_work = 0;
  for (const auto& p : problems())
    for (State at : p->states) {
      CAPTURE(p->name);
      p->project(at);
      const Numbers rates = p->rates(at);
      const Number size = size_of(rates) * (1 + largest(p->velocities(at)));
      const Number power = std::abs(p->power(at).constraint);
      if (p->nature.workless)
        below(power, 10 * p->epsilon * size);
      else
        at_work += power > 1e-6L;
    }
  CHECK(at_work > 0);
}

TEST_CASE("a projection puts a state on the constraints, and what is there stays", "[laws]") {
  for_each([](const AnyProblem& p, const State& given) {
    State at = given;
    CHECK(p.project(at).converged);
    const Number allowed = 1e2L * p.epsilon * (1 + largest(p.velocities(at)));
    below(p.constraint(at).position, allowed);
    below(p.constraint(at).velocity, allowed);
    State again = at;
    const auto second = p.project(again);
    CHECK(second.converged);
    below(second.moved, 10 * allowed);
    below(largest(sum(p.velocities(again), -1, p.velocities(at))), 1e2L * allowed);
  });
}

TEST_CASE("projected velocities are the nearest in the metric of the kinetic energy", "[laws]") {
  for_each([](const AnyProblem& p, const State& given) {
    if (!p.nature.affine_rows) return;
    State at = given;
    p.project(at);
    // put beside and projected, the way back is at right angles to what the rows allow
    const Numbers held = p.velocities(at);
    Numbers beside = held;
    for (std::size_t i = 0; i < beside.size(); ++i) beside[i] += std::sin(1 + 7 * static_cast<Number>(i));
    State back = p.with_velocities(at, beside);
    p.project(back);
    const Numbers away = sum(beside, -1, p.velocities(back)), allowed = sum(p.velocities(back), -1, held);
    const Number more = p.kinetic_energy(p.with_velocities(back, sum(away, 1, allowed)));
    const Number less = p.kinetic_energy(p.with_velocities(back, sum(away, -1, allowed)));
    below(std::abs(more - less), 1e2L * p.epsilon * (more + less));
  });
}

TEST_CASE("rates are even in the velocities, where nothing drives or damps the motion", "[laws]") {
  int reversed = 0;
  for (const auto& p : problems())
    for (State at : p->states) {
      CAPTURE(p->name);
      p->project(at);
      const Numbers forth = p->velocities(at);
      const State back = p->with_velocities(at, sum(forth, -2, forth));
      if (!p->nature.reversible || p->constraint(back).velocity > 1e-9L) continue;
      ++reversed;
      const Numbers here = p->rates_of_bodies(at), there = p->rates_of_bodies(back);
      Numbers difference = sum(here, -1, there);
      const std::size_t bodies =
          forth.size();  // after them the rates of internal coordinates, which are odd, then |λ|
      for (std::size_t i = bodies; i + 1 < difference.size(); ++i) difference[i] = here[i] + there[i];
      below(largest(difference), 1e2L * p->epsilon * size_of(p->rates(at)));
    }
  CHECK(reversed > 10);
}

TEST_CASE("a problem does not care where it lies, with all that pulls and holds it", "[laws]") {
  const Problems elsewhere = test::ProblemFamily::all(true);
  REQUIRE(elsewhere.size() == problems().size());
  int compared = 0;
  for (std::size_t i = 0; i < elsewhere.size(); ++i) {
    const AnyProblem &p = *problems()[i], &q = *elsewhere[i];
    REQUIRE(p.name == q.name);
    if (!p.nature.equivariant) continue;
    for (std::size_t k = 0; k < p.states.size(); ++k) {
      CAPTURE(p.name, k);
      ++compared;
      const Numbers here = p.rates_of_bodies(p.states[k]), there = q.rates_of_bodies(q.states[k]);
      below(largest(sum(here, -1, there)), 1e6L * p.epsilon * size_of(here));
      CHECK(p.numbers(p.states[k]) != q.numbers(q.states[k]));
    }
  }
  CHECK(compared > 10);
}

TEST_CASE("a step depends on its state alone, not on what its stepper did before", "[laws]") {
  for_each([](const AnyProblem& p, const State& given) {
    const Number h = pace(p, given) / 100;
    for (int method = 0; method < p.methods(); ++method) {
      State kept = given, elsewhere = given;
      p.project(kept);
      State fresh = kept;
      const auto stepper = p.stepper(method, kept);
      for (int i = 0; i < 3; ++i) {
        CAPTURE(method, i);
        REQUIRE(stepper(kept, h));
        const auto another = p.stepper(method, fresh);
        if (i % 2 == 1) REQUIRE(another(elsewhere, 2 * h));
        REQUIRE(another(fresh, h));
        const bool same = p.numbers(kept) == p.numbers(fresh);
        CHECK(same);
      }
    }
  });
}

TEST_CASE("a step does not allocate", "[laws][allocation]") {
  for_each([](const AnyProblem& p, const State& given) {
    const Number h = pace(p, given) / 1000;
    for (int method = 0; method < p.methods(); ++method) {
      CAPTURE(method);
      State at = given;
      p.project(at);
      const auto stepper = p.stepper(method, at);
      (void)stepper(at, h);
      CHECK(test::allocations_during([&] {
              for (int i = 0; i < 5; ++i) (void)stepper(at, h);
            }) == 0);
    }
  });
}

}  // namespace problem_laws_test
