#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/mechanics/trivialisation.hpp>

/// Reduction by symmetry. A system whose functions do not take g is invariant, and its equations are the
/// reduced ones already, the Euler–Poincaré equations: nothing is differentiated along g, and the
/// configuration is only reconstructed. Where a symmetry is broken by something that the group carries along,
/// as gravity's direction, that is a configuration of its own, in place of g:
///   a = ρ(g)⁻¹a₀,  ȧ = −ξ·a     (left; a₀ fixed in space, a seen from the body)
///   a = ρ(g)a₀,    ȧ =  ξ·a     (right; a₀ fixed in the body, a seen from space)
/// and the Euler–Lagrange operator becomes the Euler–Poincaré operator with advected parameters
///   d/dt ∂ℓ/∂ξ ∓ ad*_ξ ∂ℓ/∂ξ − (∂ℓ/∂a)⋄a,
///     ⟨(∂ℓ/∂a)⋄a, η⟩ = ∓∂ℓ/∂a · (η·a).
/// A system says so with `using Configuration = Advected<Group>`, and takes that where others take g:
///   `template <class T> T lagrangian(const Advected<SO3<T>>& vertical, const Vec<T, 3>& omega) const;`
/// Source: Holm, Marsden, Ratiu 1998, theorem 1.1; Cendra, Ibort, de León, Martín de Diego 2004, theorem
/// 6.1.
namespace dalembert {

/// A vector that the group moves by its action on points.
template <LieGroup G>
class Advected {
 public:
  using Scalar = typename G::Scalar;  ///< the number type
  using Value = typename G::Point;    ///< the vector's type
  /// The same over another scalar.
  template <Real T>
  using rebind = Advected<typename G::template rebind<T>>;

  /// Zero.
  Advected() : value_(Value::Zero()) {}
  /// The vector a.
  explicit Advected(const Value& a) : value_(a) {}
  /// The same as the default, so that a state has a beginning.
  [[nodiscard]] static Advected identity() { return {}; }

  /// a.
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  /// Component i of a.
  [[nodiscard]] const Scalar& operator[](int i) const { return value_[i]; }
  /// Itself.
  [[nodiscard]] Advected normalised() const { return *this; }
  /// The components.
  [[nodiscard]] Value log() const { return value_; }
  /// The same over T.
  template <Real T>
  [[nodiscard]] rebind<T> cast() const {
    return rebind<T>(detail::convert_all<T>(value_));
  }
  /// The vector over T whose components are f of these.
  template <Real T, class F>
  [[nodiscard]] rebind<T> mapped(F&& f) const {
    return rebind<T>(detail::map_all<T>(value_, f));
  }

  /// Whether all components are the same.
  [[nodiscard]] friend bool operator==(const Advected&, const Advected&) = default;

 private:
  Value value_;
};

namespace detail {

/// How the velocity ξ moves a configuration.
template <class Trivialisation, LieGroup G>
[[nodiscard]] G moved_by(const G& g, const typename G::Tangent& eta) {
  return Trivialisation::moved(g, eta);
}
template <class Trivialisation, LieGroup G>
[[nodiscard]] Advected<G> moved_by(const Advected<G>& a, const typename G::Tangent& eta) {
  if constexpr (std::same_as<Trivialisation, trivialisation::Left>)
    return Advected<G>(G::exp(typename G::Tangent(-eta)).act(a.value()));
  else
    return Advected<G>(G::exp(eta).act(a.value()));
}

/// The same for an η whose value is zero and whose first and second derivatives matter.
template <class Trivialisation, LieGroup G>
[[nodiscard]] G displaced_by(const G& g, const typename G::Tangent& eta) {
  return Trivialisation::displaced(g, eta);
}
template <class Trivialisation, LieGroup G>
[[nodiscard]] Advected<G> displaced_by(const Advected<G>& a, const typename G::Tangent& eta) {
  if constexpr (std::same_as<Trivialisation, trivialisation::Left>)
    return Advected<G>(exp_near_identity<G>(typename G::Tangent(-eta)).act(a.value()));
  else
    return Advected<G>(exp_near_identity<G>(eta).act(a.value()));
}

}  // namespace detail

}  // namespace dalembert
