#pragma once

#include <dalembert/contact/contact_evaluation.hpp>

/// What a contact of two rods is drawn from: an `io::Curve` of one node for `io::polydata`.
namespace dalembert::contact {

/// The contact of two rods as a point at R₁ + a₁/(a₁ + a₂) κ with κ = R₂ − R₁. It has
///   force                            on rod 1, spatial [N]
///   normal                           κ/|κ|, from rod 1 to rod 2
///   lambda_n, lambda_t1, lambda_t2   −n·force, compressive, and the components along t₁ and t₂ [N]
///   s1, s2                           positions of the contact on the rods [m]
template <class S = double>
class DrawnContact {
 public:
  /// Of a contact as `view` has it.
  explicit DrawnContact(const ContactEvaluation<S>& v) : view_(v) {}

  /// One.
  [[nodiscard]] int nodes() const noexcept { return 1; }
  /// Where it is [m].
  template <class Index>
  [[nodiscard]] const Vec<S, 3>& position(Index) const noexcept {
    return view_.place;
  }
  /// Call `visit` with all that it has; see above.
  template <class Index, class Visitor>
  void visit_node(Index, Visitor&& visit) const {
    visit.vectors("force", view_.force);
    visit.normals("normal", view_.normal);
    visit.scalars("lambda_n", view_.components[0]);
    visit("lambda_t1", view_.components[1]);
    visit("lambda_t2", view_.components[2]);
    visit("s1", view_.s[0]);
    visit("s2", view_.s[1]);
  }

 private:
  ContactEvaluation<S> view_;
};

}  // namespace dalembert::contact
