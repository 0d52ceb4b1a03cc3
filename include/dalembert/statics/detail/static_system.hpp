#pragma once

#include <tuple>
#include <vector>

#include <dalembert/statics/detail/static_equations.hpp>

/// The equations of statics of an assembly, whose bodies and constraints are lists of several kinds.
namespace dalembert::assembly::detail {

/// What `StaticSystem` has of its lists.
template <class Bodies, class Constraints>
struct StaticParts;

template <Body First, Body... Rest, Constraint... C>
struct StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>> {
  using S = typename First::Scalar;
  KindsOf<StaticBodies<S>, StaticOfKind<First>, StaticOfKind<Rest>...> body_kinds;
  StaticConstraints<S, C...> constraint_kinds;

  StaticParts(const std::tuple<const std::vector<First>&, const std::vector<Rest>&...>& bodies,
              const std::tuple<std::vector<C>...>& constraints)
      : body_kinds(std::get<const std::vector<First>&>(bodies),
                   std::get<const std::vector<Rest>&>(bodies)...),
        constraint_kinds(std::get<std::vector<C>>(constraints)...) {}
};

/// Those of lists of bodies and constraints.
template <class Bodies, class Constraints>
class StaticSystem;

template <Body First, Body... Rest, Constraint... C>
class StaticSystem<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>>
    : private StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>,
                          std::tuple<std::vector<C>...>>,
      public StaticEquations<typename First::Scalar> {
 public:
  using S = typename First::Scalar;
  using Bodies = std::tuple<const std::vector<First>&, const std::vector<Rest>&...>;
  using Constraints = std::tuple<std::vector<C>...>;

  /// Throws std::invalid_argument for a state or constraints that do not fit the bodies.
  StaticSystem(const Bodies& bodies, const Constraints& constraints, State<S>& x)
      : Parts(bodies, constraints),
        StaticEquations<S>(Parts::body_kinds.view(), Parts::constraint_kinds.view(), x) {
    check_spacings<S>(bodies, constraints);
    this->make_room();
  }

 private:
  using Parts = StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>, Constraints>;
};

}  // namespace dalembert::assembly::detail
