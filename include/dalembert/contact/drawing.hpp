#pragma once

#include <concepts>

#include <dalembert/contact/crossing_view.hpp>
#include <dalembert/core/real.hpp>

/// What a contact of two rods is drawn from: an `io::Curve` of one node for `io::polydata`.
namespace dalembert::contact {

/// A contact that can be drawn: it knows the radii, its state the smeared points and positions, and its answer the force.
template <class C>
concept DrawableContact = requires(const C& contact, const typename C::Internal& at,
                                   const typename C::Multiplier& answer) {
  { contact.parameters().radius1 } -> std::convertible_to<typename C::Scalar>;
  { contact.target_gap() } -> std::convertible_to<typename C::Scalar>;
  { at.s } -> std::convertible_to<Vec<typename C::Scalar, 2>>;
  { at.point[0].R } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { at.point[1].R } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { answer.force } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { answer.components } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
};

/// The contact of two rods as a point at R₁ + a₁/(a₁ + a₂) κ with κ = R₂ − R₁. It has
///   force                            on rod 1, spatial [N]
///   normal                           κ/|κ|, from rod 1 to rod 2
///   lambda_n, lambda_t1, lambda_t2   −n·force, compressive, and the components along t₁ and t₂ [N]
///   s1, s2                           positions of the contact on the rods [m]
template <class S>
class DrawnContact {
 public:
  /// The state `at` must have been completed with the chains, and `answer` be its force.
  template <DrawableContact C>
  DrawnContact(const C& contact, const typename C::Internal& at, const typename C::Multiplier& answer)
      : force_(answer.force), components_(answer.components), s_(at.s) {
    const Vec<S, 3> kappa = at.point[1].R - at.point[0].R;
    place_ = at.point[0].R + (contact.parameters().radius1 / contact.target_gap()) * kappa;
    normal_ = kappa / kappa.norm();
  }

  /// Of a crossing in an assembly.
  explicit DrawnContact(const CrossingView<S>& v)
      : place_(v.place), normal_(v.normal), force_(v.force), components_(v.components), s_(v.s) {}

  /// One.
  [[nodiscard]] int nodes() const noexcept { return 1; }
  /// Where it is [m].
  template <class Index>
  [[nodiscard]] const Vec<S, 3>& position(Index) const noexcept {
    return place_;
  }
  /// Call `visit` with all that it has; see above.
  template <class Index, class Visitor>
  void visit_node(Index, Visitor&& visit) const {
    visit.vectors("force", force_);
    visit.normals("normal", normal_);
    visit.scalars("lambda_n", components_[0]);
    visit("lambda_t1", components_[1]);
    visit("lambda_t2", components_[2]);
    visit("s1", s_[0]);
    visit("s2", s_[1]);
  }

 private:
  Vec<S, 3> place_, normal_, force_, components_;
  Vec<S, 2> s_;
};
/// Of a contact.
template <DrawableContact C>
DrawnContact(const C&, const typename C::Internal&, const typename C::Multiplier&)
    -> DrawnContact<typename C::Scalar>;

}  // namespace dalembert::contact
