#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/section_state.hpp>

/// What a rod, or any chain of nodes, is drawn from: an `io::Curve` for `io::polydata` and `io::write_csv`.
namespace dalembert::rod {

/// A chain of nodes and what is drawn of it; the chain must outlive it. A node has
///   radius            [m]  ParaView's Tube filter takes it if "Vary Radius" is "By Absolute Scalar"
///   arc_length        [m]  k times the spacing, of the unloaded rod
///   e1, e2, e3        columns of Λ, spatial; e1 is the normal of the points: a tube shows the twist
///   quaternion        of Λ: w, x, y, z
///   velocity          ṙ, spatial [m/s]
///   angular_velocity  Λω, spatial [rad/s]
///   stretch           Γ, shear and stretch along e1, e2, e3 [1]
///   curvature         Ω, bending and twist about e1, e2, e3 [1/m]
///   force, moment     n and m, along and about e1, e2, e3 [N, N m]
///   force_in_space    Λn, what the part of the rod beyond the node does to the part before it [N]
///   moment_in_space   Λm, likewise [N m]
///   energy            elastic energy per unit length, of Γ and Ω [J/m]
/// The last seven belong to elements: a node has the mean of its two neighbours, an end what its two nearest
/// ones lead to along a line, both with errors of second order in h; and what has no elements, such as a
/// rigid body, has NaN.
template <class S = double>
class DrawnChain {
 public:
  /// Throws std::invalid_argument, naming the body by its number, for a chain that does not fit it, for a
  /// zero quaternion, and for a radius [m] that is not positive and finite.
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
    constexpr const char* names[] = {"stretch", "curvature",      "force",
                                     "moment",  "force_in_space", "moment_in_space"};
    for (int i = 0; i < 6; ++i) visit(names[i], Vec<S, 3>(mean.col(i)));
    visit("energy", energies_.empty() ? none(0, 0) : energies_[index]);
  }
  /// The unit of what a node has under a name.
  [[nodiscard]] static std::string unit(std::string_view name) {
    if (name == "radius" || name == "arc_length") return "m";
    if (name == "velocity") return "m/s";
    if (name == "angular_velocity") return "rad/s";
    if (name == "curvature") return "1/m";
    if (name == "energy") return "J/m";
    if (name.starts_with("force")) return "N";
    if (name.starts_with("moment")) return "N m";
    return "1";
  }

 private:
  using Element = Mat<S, 3, 6>;  // Γ, Ω, n, m, Λn, Λm

  template <class B>
  void find_elements(const B& body) {
    spacing_ = static_cast<S>(body.spacing());
    const auto element = [&](Eigen::Index k) {
      const Strain<S> e(body.strain(*chain_, k));
      const Stress<S> own = body.stress(*chain_, k), in_space = stress_in_space(body, *chain_, k);
      Element columns;
      columns << e.stretch, e.curvature, own.force, own.moment, in_space.force, in_space.moment;
      return columns;
    };
    std::vector<Element> elements;
    for (Eigen::Index k = 0; k + 1 < nodes(); ++k) elements.push_back(element(k));
    const std::size_t last = elements.size();
    for (std::size_t k = 0; k <= last; ++k) {
      const std::size_t before = k == 0 ? 0 : k == last && last > 1 ? last - 2 : k - 1;
      const std::size_t after = std::min(before + 1, last - 1);
      const S x = k == 0 ? S(-0.5) : k == last ? S(1.5) : S(0.5);  // from the middle before to the one after
      means_.push_back((S(1) - x) * elements[before] + x * elements[after]);
      if constexpr (requires(const Strain<S>& e) { detail::stored_energy(body, Eigen::Index(0), e); }) {
        const Strain<S> e{means_[k].col(0), means_[k].col(1)};
        energies_.push_back((S(1) - x) * detail::stored_energy(body, static_cast<Eigen::Index>(before), e) +
                            x * detail::stored_energy(body, static_cast<Eigen::Index>(after), e));
      }
    }
  }

  const Chain<S>* chain_;
  S radius_;
  S spacing_{};
  std::vector<Element> means_;  // of each node
  std::vector<S> energies_;     // likewise, if the body has a material
};

/// Bodies of one kind with a chain and a radius [m] each. Throws std::invalid_argument if their numbers
/// differ, and what `DrawnChain` throws.
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
