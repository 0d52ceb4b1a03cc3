#pragma once

#include <utility>

#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/dual_state.hpp>

/// What systems without constraints have in common that are made from a system with constraints: members that
/// they take over as they are, each by a base class of its own, and the rows φ̇ and R that stand for the
/// constraints as velocities.
namespace dalembert::detail {

/// Members that `Self` passes on to the system `self.constrained()` of type System; none where the system has
/// none.
template <class Self, class System, bool = has<Momentum, System>>
struct PassedMomentum {};
template <class Self, class System>
struct PassedMomentum<Self, System, true> {
  /// ∂ℓ/∂ξ.
  template <class... A>
  [[nodiscard]] auto momentum(const A&... a) const -> decltype(std::declval<const System&>().momentum(a...)) {
    return static_cast<const Self&>(*this).constrained().momentum(a...);
  }
};
template <class Self, class System, bool = has<Mass, System>>
struct PassedMass {};
template <class Self, class System>
struct PassedMass<Self, System, true> {
  /// ∂²ℓ/∂ξ².
  template <class... A>
  [[nodiscard]] auto mass(const A&... a) const -> decltype(std::declval<const System&>().mass(a...)) {
    return static_cast<const Self&>(*this).constrained().mass(a...);
  }
};
template <class Self, class System, bool = has<Force, System>>
struct PassedForce {};
template <class Self, class System>
struct PassedForce<Self, System, true> {
  /// Generalised force.
  template <class... A>
  [[nodiscard]] auto force(const A&... a) const -> decltype(std::declval<const System&>().force(a...)) {
    return static_cast<const Self&>(*this).constrained().force(a...);
  }
};
template <class Self, class System, bool = says_where_valid<System>>
struct PassedValidity {};
template <class Self, class System>
struct PassedValidity<Self, System, true> {
  /// Throws where the model does not hold.
  void require_valid(const ConfigurationOf<System>& g, const ScalarOf<System>& t) const {
    static_cast<const Self&>(*this).constrained().require_valid(g, t);
  }
};

/// A system to be realised, and what its realisation is besides.
template <class Self, class System>
class Realization : public PassedValidity<Self, System> {
 public:
  using Group = typename System::Group;                               ///< the configuration space
  using Trivialisation = TrivialisationOf<System>;                    ///< of its velocities
  using Configuration = typename ConfigurationOrGroup<System>::type;  ///< where it is

  explicit Realization(const System& system) : system_(system) {}
  /// The system with constraints, as it was given.
  [[nodiscard]] const System& constrained() const noexcept { return system_; }

 private:
  System system_;
};

/// The numbers that a system's functions take, over the scalar T.
template <class System, class T>
struct Point {
  ConfigurationOf<System, T> g;
  T time;
  Vec<T, velocity_size<System>> xi;
  Vec<T, 0> z{};
};

/// Rows φ̇ and R of a system.
template <class System>
inline constexpr int slip_rows = rows_of<PositionConstraint, System> + rows_of<VelocityConstraint, System>;

/// The slip (φ̇, R) at a `Point` or anything like it.
template <class T, class System, class At>
[[nodiscard]] Vec<T, slip_rows<System>> slip(const System& system, const At& at) {
  constexpr int p = rows_of<PositionConstraint, System>, v = rows_of<VelocityConstraint, System>;
  Vec<T, p + v> rows = zeros<T, p + v>();
  if constexpr (p > 0) {
    constexpr Arguments needed = taken<PositionConstraint, System>;
    if constexpr (needed.vary_along_flow()) {
      using D = Dual<T, 1>;
      const Vec<D, p> phi =
          position_constraint<D>(system, flowing_state<System, D, needed>(at, D::variable(T(0), 0)));
      for (int i = 0; i < p; ++i) rows[i] = phi[i].derivative(0);
    }
  }
  if constexpr (v > 0) {
    const Vec<T, v> r = velocity_constraint<T>(system, at, Vec<T, 0>());
    for (int i = 0; i < v; ++i) rows[p + i] = r[i];
  }
  return rows;
}

/// The slip with its derivatives by ξ.
template <class T, class System, class At>
[[nodiscard]] Vec<Dual<T, velocity_size<System>>, slip_rows<System>> slip_with_slopes(const System& system,
                                                                                      const At& at) {
  using D = Dual<T, velocity_size<System>>;
  const Point<System, D> lifted{
      .g = at.g.template cast<D>(), .time = D(at.time), .xi = dual_vector<D, 0>(at.xi)};
  return slip<D>(system, lifted);
}

/// Whether a system's constraints restrict positions or velocities, and nothing else.
template <class System>
inline constexpr bool only_slips =
    0 < slip_rows<System> && !has<AccelerationConstraint, System> && internal_size<System> == 0;

}  // namespace dalembert::detail
