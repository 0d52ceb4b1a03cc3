// Rocard's and Greidanus's tyres against reference trajectories computed in quadruple precision.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace tires_reference_test {

using namespace dalembert;
using systems::GreidanusLimit;
using systems::GreidanusTire;
using systems::RocardTire;
using Numbers = std::vector<double>;

/// A trajectory of the file, and the names of what it holds.
struct Reference {
  test::Json set;
  double number(const char* name) const { return set["params"][name].get<double>(); }
  Numbers numbers(const char* name) const { return set[name].get<Numbers>(); }
  Numbers diagnostic(const char* name) const { return set["diagnostics"][name].get<Numbers>(); }
};

std::vector<Reference> references(const char* system) {
  std::vector<Reference> all;
  const auto file = test::data("tires.json");
  for (const auto& set : file[system]["sets"]) all.push_back({set});
  REQUIRE(!all.empty());
  return all;
}

/// y = (ψ, θ, ε, x₁, x₂, ψ̇, θ̇), as the file has it.
template <class System>
auto state_of(const LagrangeDAlembert<System>& problem, const Numbers& y) {
  return problem.state({SE2d(y[3], y[4], y[1]), Rn<double, 1>(Vec<double, 1>(y[0]))},
                       problem.system().rolling(y[5], y[6], y[2]), Vec<double, 1>(y[2]));
}
/// y = (ψ, θ, ε, ξ, y₁, y₂, ψ̇, θ̇, ξ̇).
auto state_of(const LagrangeDAlembert<GreidanusTire<>>& problem, const Numbers& y) {
  return problem.state({SE2d(y[4], y[5], y[1]), Rn<double, 2>(Vec<double, 2>(y[0], y[3]))},
                       problem.system().rolling(y[6], y[7], y[8], y[3], y[2]), Vec<double, 1>(y[2]));
}

template <class State>
double distance(const State& a, const State& b) {
  return std::max({(a.g.inverse() * b.g).log().template lpNorm<Eigen::Infinity>(),
                   (a.xi - b.xi).template lpNorm<Eigen::Infinity>(), std::abs(a.z[0] - b.z[0])});
}

/// Follows the trajectory at `step`; every state and the energy to `tolerance`.
template <class System>
void follow(const System& system, const Reference& reference, double step, double tolerance) {
  const LagrangeDAlembert problem{system};
  const auto times = reference.numbers("times");
  const auto states = reference.set["states"].get<std::vector<Numbers>>();
  const auto energies = reference.diagnostic("energy");
  REQUIRE(times.size() > 3);
  auto state = state_of(problem, reference.numbers("y0"));
  for (std::size_t i = 0; i < times.size(); ++i) {
    drive(DormandPrince54{}, problem, state, {.step = step, .until = times[i]});
    CAPTURE(reference.set["label"], times[i]);
    CHECK(distance(state, state_of(problem, states[i])) < tolerance);
    CHECK(std::abs(problem.energy(state) - energies[i]) < tolerance);
  }
}

/// What the reference says of the rates and powers in its states.
template <class System>
void check_rates(const System& system, const Reference& reference, bool knows_powers) {
  const LagrangeDAlembert problem{system};
  const auto states = reference.set["states"].get<std::vector<Numbers>>();
  const auto slope = reference.numbers("rhs_at_t0");
  auto rates = problem.make_rates();
  const auto start = state_of(problem, reference.numbers("y0"));
  problem.rates(start, rates);
  const std::size_t rate = slope.size() - (slope.size() == 9 ? 3 : 2);  // of ψ̇ in the slope
  CHECK(std::abs(rates.zdot[0] - slope[2]) < 1e-14);
  CHECK(std::abs(rates.xidot[3] - slope[rate]) < 1e-14);
  CHECK(std::abs(rates.xidot[2] - slope[rate + 1]) < 1e-14);
  const Vec<double, 2> velocity =
      start.g.first().act({start.xi[0], start.xi[1]}) - start.g.first().translation();
  CHECK(std::abs(velocity[0] - slope[rate - 2]) < 1e-14);
  CHECK(std::abs(velocity[1] - slope[rate - 1]) < 1e-14);
  if constexpr (System::Group::dof == 5) CHECK(std::abs(rates.xidot[4] - slope[8]) < 1e-14);
  if (!knows_powers) return;
  const auto powers = reference.diagnostic("energy_rate_exact");
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto state = state_of(problem, states[i]);
    problem.rates(state, rates);
    CHECK(std::abs(problem.power(state, rates).constraint - powers[i]) < 1e-14);
  }
}

TEST_CASE("Rocard's tyre follows its reference trajectories to 1e-10", "[validation][tire]") {
  for (const auto& reference : references("rocard")) {
    const RocardTire<> tire{{.axle = reference.number("I"),
                             .yaw = reference.number("J"),
                             .mass = reference.number("M"),
                             .stiffness = reference.number("K"),
                             .cornering = reference.number("a")}};
    follow(tire, reference, 0.005, 1e-10);
    check_rates(tire, reference, true);
    // The published rate of the energy, −(MΩ² + K) ε(θ̇ − ε̇).
    const LagrangeDAlembert problem{tire};
    const auto states = reference.set["states"].get<std::vector<Numbers>>();
    const auto drifts = reference.diagnostic("epsdot"), published = reference.diagnostic("energy_rate_paper");
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto state = state_of(problem, states[i]);
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      CHECK(std::abs(rates.zdot[0] - drifts[i]) < 1e-14);
      const double stiffness = reference.number("M") * state.xi[3] * state.xi[3] + reference.number("K");
      CHECK(std::abs(-stiffness * state.z[0] * (state.xi[2] - rates.zdot[0]) - published[i]) < 1e-14);
    }
  }
}

GreidanusTire<> greidanus(const Reference& reference) {
  return GreidanusTire<>{{.axle = reference.number("I"),
                          .yaw = reference.number("J"),
                          .mass = reference.number("M"),
                          .lateral_curvature = reference.number("a_k"),
                          .drift_curvature = reference.number("b_k"),
                          .lateral_stiffness = reference.number("k_xi"),
                          .torsional_stiffness = reference.number("k_eps")}};
}

TEST_CASE("Greidanus's tyre follows its reference trajectories to 1e-10", "[validation][tire]") {
  for (const auto& reference : references("greidanus")) {
    follow(greidanus(reference), reference, 0.0025, 1e-10);
    check_rates(greidanus(reference), reference, true);
  }
}

TEST_CASE("a stiff tyre of Greidanus follows its reference trajectories to 1e-8", "[validation][tire]") {
  for (const auto& reference : references("greidanus_stiff")) {
    follow(greidanus(reference), reference, 1e-3, 1e-8);
    check_rates(greidanus(reference), reference, false);
  }
}

TEST_CASE("the limit of Greidanus's tyre follows its reference trajectory to 1e-10", "[validation][tire]") {
  for (const auto& reference : references("greidanus_limit")) {
    const GreidanusLimit<> tire{{.axle = reference.number("I"),
                                 .yaw = reference.number("J"),
                                 .mass = reference.number("M"),
                                 .stiffness = reference.number("k_eps"),
                                 .curvature = reference.number("b_k")}};
    follow(tire, reference, 0.005, 1e-10);
    check_rates(tire, reference, false);
  }
}

}  // namespace tires_reference_test
