#pragma once

#include <cstddef>
#include <type_traits>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/inertia.hpp>

/// How long disturbances of an assembly are: the kinetic metric with a time scale τ,
///   |(δq, δv, δz)|² = δvᵀM δv + δqᵀM δq/τ² + m|δz|²/τ²   [J]                   (1)
/// M is the inertia of the nodes, translations along axes in space and rotations about those of the body, so
/// that it is diagonal and does not change; m is the mass of all nodes, and δz a length. What is held
/// does not vary and weighs nothing. Another unit of length or mass multiplies (1) by a number and changes
/// no ratio.
namespace dalembert::assembly {

/// The weights (1) of the numbers of an increment, in the order of `visit_increment`, and a size to compare
/// with.
template <class S = double>
struct KineticMetric {
  Vec<S, Eigen::Dynamic> weights;  ///< one for each number; 0 for one that is held
  /// Length of a turn of all bodies as one by 1 rad, about the axis of the mean moment of inertia [J^½].
  S size{};
};

namespace detail {

/// Masses of nodes, and their moments of inertia about the centre of all.
template <class S>
struct NodeSums {
  S mass{}, square{}, rotary{};
  Vec<S, 3> first = Vec<S, 3>::Zero();

  void add(const S& m, const Vec<S, 3>& r) {
    mass += m;
    first += m * r;
    square += m * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  }
  /// The mean of the three principal moments: a third of the trace, 2 Σ m|r − r̄|² + Σ tr J.
  [[nodiscard]] S mean_moment() const {
    if (!(mass > S(0))) return S(0);
    const S about_centre = square - (first[0] * first[0] + first[1] * first[1] + first[2] * first[2]) / mass;
    return (S(2) * about_centre + rotary) / S(3);
  }
};

}  // namespace detail

/// The metric (1) for disturbances of `at`, for a time scale τ > 0 [s]. Of strings alone the size is that of
/// displacements as long as the largest one, or of 1 m where they are straight. Throws std::invalid_argument
/// for a τ that is not positive and finite, or a state of other bodies.
template <class... B, class... C, class S>
[[nodiscard]] auto kinetic_metric(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& at,
                                  const std::type_identity_t<S>& tau) {
  require(tau > S(0) && number::isfinite(tau), "kinetic_metric", "tau", tau,
          "a time scale must be positive and finite [s]");
  problem.check_state(at);
  Increment<S> masses = problem.make_increment();
  detail::NodeSums<S> sums;
  S string_mass(0), largest(0);
  const auto of = [](const S& inverse) { return inverse > S(0) ? S(1) / inverse : S(0); };
  each_of(problem.bodies(), [&]<class Body>(const Body& body, std::size_t number) {
    const InertiaColumns<S> inertia(body);
    if constexpr (LineBody<Body>) {
      for (Eigen::Index k = 0; k < body.nodes(); ++k) {
        const S m = of(inertia.line_inverse[k]);
        masses.velocity.lines[number][k] = m;
        string_mass += m;
        largest = std::max(largest, number::abs(at.lines[number].displacement[k]));
      }
    } else {
      for (Eigen::Index k = 0; k < body.nodes(); ++k) {
        for (int i = 0; i < 6; ++i) masses.velocity.chains[number](k, i) = of(inertia.inverse(k, i));
        const auto& m = masses.velocity.chains[number];
        sums.add(std::max({m(k, 0), m(k, 1), m(k, 2)}), at.chains[number].position(k));
        sums.rotary += m(k, 3) + m(k, 4) + m(k, 5);
      }
    }
  });
  masses.displacement.set_zero();
  masses.displacement.add_scaled(S(1) / (tau * tau), masses.velocity);
  masses.z.setConstant((sums.mass + string_mass) / (tau * tau));

  KineticMetric<S> metric;
  std::vector<S> numbers;
  const auto collect = [&](const S& x) { numbers.push_back(x); };
  visit_nodes(at.chains, masses.displacement, collect);
  visit_nodes(at.chains, masses.velocity, collect);
  for (const S& x : masses.z) collect(x);
  metric.weights =
      Eigen::Map<const Vec<S, Eigen::Dynamic>>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  const S of_strings = largest > S(0) ? largest : S(1);
  const S moment = sums.mean_moment();
  metric.size = number::sqrt(moment > S(0) ? moment : string_mass * of_strings * of_strings) / tau;
  return metric;
}

}  // namespace dalembert::assembly
