#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/chain.hpp>

/// What a rod, or any chain of nodes, is drawn from: an `io::Curve` for `io::polydata`.
namespace dalembert::rod {

/// A body whose elements have strains and stresses, which are drawn.
template <class B>
concept StrainedBody = requires(const B& body, const Chain<typename B::Scalar>& chain, Eigen::Index k) {
  { body.spacing() } -> std::convertible_to<typename B::Scalar>;
  { body.strain(chain, k).stretch } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.strain(chain, k).curvature } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.stress(chain, k).force } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.stress(chain, k).moment } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
};

/// A chain of nodes and what is drawn of it; the chain must outlive it. A node has
///   radius            [m]  ParaView's Tube filter takes it if "Vary Radius" is "By Absolute Scalar"
///   arc_length        [m]  k times the spacing, of the unloaded rod
///   e1, e2, e3        columns of Λ, spatial; e1 is the normal of the points, so that the sides of a tube show the twist
///   quaternion        of Λ: w, x, y, z
///   velocity          ṙ, spatial [m/s]
///   angular_velocity  Λω, spatial [rad/s]
///   stretch           Γ, shear and stretch along e1, e2, e3 [1]
///   curvature         Ω, bending and twist about e1, e2, e3 [1/m]
///   force, moment     n and m, along and about e1, e2, e3 [N, N m]
/// The last four belong to elements: a node has the mean of its two neighbours, an end that of its one, and what has no elements, such as a
/// rigid body, has NaN.
template <class S>
class DrawnChain {
 public:
  /// Throws std::invalid_argument, naming the body by its number, for a chain that does not fit it, for a zero quaternion, and for a radius [m]
  /// that is not positive and finite.
  template <class B>
  DrawnChain(const B& body, const Chain<S>& chain, S radius, std::size_t number = 0)
      : chain_(&chain), radius_(radius) {
    const auto nodes = static_cast<Eigen::Index>(body.nodes());
    require(chain.nodes == nodes, "DrawnChain", "nodes of chain " + std::to_string(number), chain.nodes,
            "a chain must have the nodes of its body");
    require(radius > 0 && radius <= std::numeric_limits<S>::max(), "DrawnChain",
            "radius of body " + std::to_string(number), radius, "a radius must be positive and finite [m]");
    for (Eigen::Index k = 0; k < nodes; ++k) {
      S square(0);
      for (int i = 3; i < 7; ++i) square += chain.configuration(k, i) * chain.configuration(k, i);
      require(square != S(0), "DrawnChain", "|q|² of node " + std::to_string(k), square,
              "a quaternion must not be zero");
    }
    if constexpr (StrainedBody<B>) find_elements(body);
  }

  /// How many nodes there are.
  [[nodiscard]] Eigen::Index nodes() const noexcept { return chain_->nodes; }
  /// r of node k, spatial [m].
  [[nodiscard]] Vec<S, 3> position(Eigen::Index k) const { return chain_->position(k); }

  /// Call `visit` with all that node k has; see above.
  template <class Visitor>
  void visit_node(Eigen::Index k, Visitor&& visit) const {
    const SO3<S> frame = chain_->rotation(k);
    const auto axis = [&](int i) { return Vec<S, 3>(frame.act(Vec<S, 3>::Unit(i))); };
    const Vec<S, 3> vector = frame.v();
    visit.scalars("radius", radius_);
    visit("arc_length", S(S(k) * spacing_));
    visit.normals("e1", axis(0));
    visit("e2", axis(1));
    visit("e3", axis(2));
    visit("quaternion", Vec<S, 4>(frame.w(), vector[0], vector[1], vector[2]));
    visit.vectors("velocity", chain_->linear_velocity(k));
    visit("angular_velocity", Vec<S, 3>(frame.act(chain_->angular_velocity(k))));
    const auto index = static_cast<std::size_t>(k);
    const Element none = Element::Constant(std::numeric_limits<S>::quiet_NaN());
    const Element& mean = means_.empty() ? none : means_[index];
    constexpr const char* names[] = {"stretch", "curvature", "force", "moment"};
    for (int i = 0; i < 4; ++i) visit(names[i], Vec<S, 3>(mean.col(i)));
  }

 private:
  using Element = Mat<S, 3, 4>;  // Γ, Ω, n, m

  template <class B>
  void find_elements(const B& body) {
    spacing_ = static_cast<S>(body.spacing());
    const auto element = [&](Eigen::Index k) {
      const auto strain = body.strain(*chain_, k);
      const auto stress = body.stress(*chain_, k);
      Element columns;
      columns << strain.stretch, strain.curvature, stress.force, stress.moment;
      return columns;
    };
    Element before = element(0);
    for (Eigen::Index k = 0; k < nodes(); ++k) {
      const Element after = k + 1 < nodes() ? element(k) : before;
      means_.push_back(S(0.5) * (before + after));
      before = after;
    }
  }

  const Chain<S>* chain_;
  S radius_;
  S spacing_{};
  std::vector<Element> means_;  // of each node
};

/// Bodies of one kind with a chain and a radius [m] each. Throws std::invalid_argument if their numbers differ, and what `DrawnChain` throws.
template <class B>
[[nodiscard]] std::vector<DrawnChain<typename B::Scalar>> drawn(
    const std::vector<B>& bodies, const std::vector<Chain<typename B::Scalar>>& chains,
    const std::vector<typename B::Scalar>& radii) {
  require(chains.size() == bodies.size(), "drawn", "chains", chains.size(),
          "there must be one chain per body");
  require(radii.size() == bodies.size(), "drawn", "radii", radii.size(), "there must be one radius per body");
  std::vector<DrawnChain<typename B::Scalar>> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) all.emplace_back(bodies[i], chains[i], radii[i], i);
  return all;
}

}  // namespace dalembert::rod
