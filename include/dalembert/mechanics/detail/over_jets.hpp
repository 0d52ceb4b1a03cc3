#pragma once

#include <utility>

#include <dalembert/core/jet.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/realization.hpp>

/// A system over other numbers than its own: its members are templates, so they take jets too, and only its types say otherwise.
namespace dalembert::detail {

template <class Self, class System, class J, bool = has<PositionConstraint, System>>
struct LiftedPositionConstraint {};
template <class Self, class System, class J>
struct LiftedPositionConstraint<Self, System, J, true> {
  template <class... A>
  [[nodiscard]] auto position_constraint(const A&... a) const
      -> decltype(std::declval<const System&>().position_constraint(a...)) {
    return static_cast<const Self&>(*this).constrained().position_constraint(a...);
  }
};
template <class Self, class System, class J, bool = has<VelocityConstraint, System>>
struct LiftedVelocityConstraint {};
template <class Self, class System, class J>
struct LiftedVelocityConstraint<Self, System, J, true> {
  template <class... A>
  [[nodiscard]] auto velocity_constraint(const A&... a) const
      -> decltype(std::declval<const System&>().velocity_constraint(a...)) {
    return static_cast<const Self&>(*this).constrained().velocity_constraint(a...);
  }
};
template <class Self, class System, class J, bool = has<Mass, System>>
struct LiftedMass {};
template <class Self, class System, class J>
struct LiftedMass<Self, System, J, true> {
  /// The mass over J, which a constant one is not yet.
  template <class... A>
  [[nodiscard]] auto mass(const A&... a) const
      -> decltype(convert_all<J>(std::declval<const System&>().mass(a...))) {
    return convert_all<J>(static_cast<const Self&>(*this).constrained().mass(a...));
  }
};

/// `System` over the scalar J.
template <class System, class J>
class Lifted : public LiftedPositionConstraint<Lifted<System, J>, System, J>,
               public LiftedVelocityConstraint<Lifted<System, J>, System, J>,
               public LiftedMass<Lifted<System, J>, System, J>,
               public PassedMomentum<Lifted<System, J>, System>,
               public PassedForce<Lifted<System, J>, System> {
 public:
  using Group = GroupOf<System, J>;
  using Trivialisation = TrivialisationOf<System>;

  explicit Lifted(const System& system) : system_(&system) {}
  [[nodiscard]] const System& constrained() const noexcept { return *system_; }

  template <class... A>
  [[nodiscard]] auto lagrangian(const A&... a) const
      -> decltype(std::declval<const System&>().lagrangian(a...)) {
    return system_->lagrangian(a...);
  }

 private:
  const System* system_;
};

}  // namespace dalembert::detail
