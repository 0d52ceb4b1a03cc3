#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/io/vtk.hpp>
#include <dalembert/rod/concepts.hpp>

/// Rods and their contacts as VTK shapes.
namespace dalembert::io {

/// What the shape of a rod is drawn from: its nodes, their spacing, and the strains and stresses of its
/// elements.
template <class R>
concept DrawnRod = PlainReal<typename R::Scalar> &&
    requires(const R& model, const rod::Chain<typename R::Scalar>& chain, Eigen::Index k) {
  { model.nodes() } -> std::convertible_to<Eigen::Index>;
  { model.spacing() } -> std::convertible_to<typename R::Scalar>;
  { model.strain(chain, k).stretch } -> std::convertible_to<Vec<typename R::Scalar, 3>>;
  { model.strain(chain, k).curvature } -> std::convertible_to<Vec<typename R::Scalar, 3>>;
  { model.stress(chain, k).force } -> std::convertible_to<Vec<typename R::Scalar, 3>>;
  { model.stress(chain, k).moment } -> std::convertible_to<Vec<typename R::Scalar, 3>>;
};

/// What a contact is drawn from: the radii, the smeared points and positions of its state, and the force that
/// it answers.
template <class C>
concept DrawnContact = requires(const C& contact, const typename C::Internal& at,
                                const typename C::Multiplier& answer) {
  { contact.parameters().radius1 } -> std::convertible_to<typename C::Scalar>;
  { contact.target_gap() } -> std::convertible_to<typename C::Scalar>;
  { at.s } -> std::convertible_to<Vec<typename C::Scalar, 2>>;
  { at.point[0].R } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { at.point[1].R } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { answer.force } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
  { answer.components } -> std::convertible_to<Vec<typename C::Scalar, 3>>;
};

namespace detail {

/// The point data of rods, filled node by node.
struct RodArrays {
  std::vector<std::int64_t> rod;
  std::vector<double> radius, arc_length, e1, e2, e3, quaternion, velocity, angular_velocity;
  std::vector<double> stretch, curvature, force, moment;

  template <class S>
  static void append(std::vector<double>& to, const Vec<S, 3>& x) {
    for (int i = 0; i < 3; ++i) to.push_back(static_cast<double>(x[i]));
  }

  /// The frame and velocities of node k.
  template <class S>
  void append_node(const rod::Chain<S>& chain, Eigen::Index k) {
    const S norm = chain.configuration(k, 3) * chain.configuration(k, 3) +
                   rod::at3<4>(chain.configuration, k).squaredNorm();
    require(norm != S(0), "rod_polydata", "|q|² of node " + std::to_string(k), norm,
            "a quaternion must not be zero");
    const SO3<S> frame = chain.rotation(k);
    append<S>(e1, frame.act(Vec<S, 3>::UnitX()));
    append<S>(e2, frame.act(Vec<S, 3>::UnitY()));
    append<S>(e3, frame.act(Vec<S, 3>::UnitZ()));
    quaternion.push_back(static_cast<double>(frame.w()));
    append<S>(quaternion, frame.v());
    append<S>(velocity, chain.linear_velocity(k));
    append<S>(angular_velocity, frame.act(chain.angular_velocity(k)));
  }

  /// Strains and stresses: of node k the mean of those of elements k − 1 and k, at an end those of its one
  /// element.
  template <class R, class S>
  void append_elements(const R& model, const rod::Chain<S>& chain) {
    using Four = Mat<S, 3, 4>;
    const auto element = [&](Eigen::Index k) {
      const auto strain = model.strain(chain, k);
      const auto stress = model.stress(chain, k);
      Four columns;
      columns << strain.stretch, strain.curvature, stress.force, stress.moment;
      return columns;
    };
    const Eigen::Index elements = chain.nodes - 1;
    Four before = element(0);
    for (Eigen::Index k = 0; k <= elements; ++k) {
      const Four after = k < elements ? element(k) : before;
      const Four mean = S(0.5) * (before + after);
      append<S>(stretch, mean.col(0));
      append<S>(curvature, mean.col(1));
      append<S>(force, mean.col(2));
      append<S>(moment, mean.col(3));
      before = after;
    }
  }
};

/// Append a rod as a line of `shape`.
template <DrawnRod R>
void add_rod(PolyData& shape, RodArrays& arrays, const R& model, const rod::Chain<typename R::Scalar>& chain,
             typename R::Scalar radius, std::int64_t index) {
  using S = typename R::Scalar;
  const auto nodes = static_cast<Eigen::Index>(model.nodes());
  require(nodes >= 2, "rod_polydata", "nodes of rod " + std::to_string(index), nodes,
          "a rod has at least one element");
  require(chain.nodes == nodes, "rod_polydata", "nodes of the chain of rod " + std::to_string(index),
          chain.nodes, "a chain must have the nodes of its rod");
  require(radius > 0 && radius <= std::numeric_limits<S>::max(), "rod_polydata",
          "radius of rod " + std::to_string(index), radius, "a radius must be positive and finite [m]");
  const std::int64_t first = shape.point_count();
  for (Eigen::Index k = 0; k < nodes; ++k) {
    shape.add_point(chain.position(k).template cast<double>());
    arrays.rod.push_back(index);
    arrays.radius.push_back(static_cast<double>(radius));
    arrays.arc_length.push_back(static_cast<double>(S(k) * S(model.spacing())));
    arrays.append_node(chain, k);
  }
  arrays.append_elements(model, chain);
  shape.add_line(first, nodes);
}

/// Hand the arrays over to the shape.
inline void put_arrays(PolyData& shape, RodArrays arrays) {
  shape.point_data("radius", 1, std::move(arrays.radius), Role::scalars);
  shape.point_data("arc_length", 1, std::move(arrays.arc_length));
  shape.point_data("e1", 3, std::move(arrays.e1), Role::normals);
  shape.point_data("e2", 3, std::move(arrays.e2));
  shape.point_data("e3", 3, std::move(arrays.e3));
  shape.point_data("quaternion", 4, std::move(arrays.quaternion));
  shape.point_data("velocity", 3, std::move(arrays.velocity), Role::vectors);
  shape.point_data("angular_velocity", 3, std::move(arrays.angular_velocity));
  shape.point_data("stretch", 3, std::move(arrays.stretch));
  shape.point_data("curvature", 3, std::move(arrays.curvature));
  shape.point_data("force", 3, std::move(arrays.force));
  shape.point_data("moment", 3, std::move(arrays.moment));
  shape.point_data("rod", 1, std::move(arrays.rod));
}

}  // namespace detail

/// Rods as one poly-line each through their nodes, with a chain and a radius [m] for each. The cells have
/// their number as `rod`; the points have
///   radius            [m]  ParaView's Tube filter takes it if "Vary Radius" is "By Absolute Scalar"
///   arc_length        [m]  k times the spacing, of the unloaded rod
///   e1, e2, e3        columns of Λ, spatial; e1 is the normal of the points, so that the sides of a tube show the twist
///   quaternion        of Λ: w, x, y, z
///   velocity          ṙ, spatial [m/s]
///   angular_velocity  Λω, spatial [rad/s]
///   stretch           Γ, shear and stretch along e1, e2, e3 [1]
///   curvature         Ω, bending and twist about e1, e2, e3 [1/m]
///   force, moment     n and m, along and about e1, e2, e3 [N, N m]
///   rod               number of the rod
/// The last four vectors belong to elements: a node has the mean of its two neighbours, an end that of its
/// one. Whatever is not finite is written as it is, but for positions, which `PolyData::xml` refuses. Throws
/// std::invalid_argument if the numbers of rods, chains and radii differ, for a chain that does not fit its
/// rod, for a zero quaternion, and for a radius that is not positive and finite.
template <DrawnRod R>
[[nodiscard]] PolyData rod_polydata(const std::vector<R>& rods,
                                    const std::vector<rod::Chain<typename R::Scalar>>& chains,
                                    const std::vector<typename R::Scalar>& radii) {
  require(chains.size() == rods.size(), "rod_polydata", "chains", chains.size(),
          "there must be one chain per rod");
  require(radii.size() == rods.size(), "rod_polydata", "radii", radii.size(),
          "there must be one radius per rod");
  PolyData shape;
  detail::RodArrays arrays;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    numbers.push_back(static_cast<std::int64_t>(i));
    detail::add_rod(shape, arrays, rods[i], chains[i], radii[i], numbers.back());
  }
  detail::put_arrays(shape, std::move(arrays));
  shape.cell_data("rod", 1, std::move(numbers));
  return shape;
}

/// One rod, number 0, of a radius [m]; see `rod_polydata` of several.
template <DrawnRod R>
[[nodiscard]] PolyData rod_polydata(const R& model, const rod::Chain<typename R::Scalar>& chain,
                                    typename R::Scalar radius) {
  PolyData shape;
  detail::RodArrays arrays;
  detail::add_rod(shape, arrays, model, chain, radius, 0);
  detail::put_arrays(shape, std::move(arrays));
  shape.cell_data("rod", 1, std::vector<std::int64_t>{0});
  return shape;
}

/// The contact of two rods as one vertex, at R₁ + a₁/(a₁ + a₂) κ with κ = R₂ − R₁. The point has
///   force                            on rod 1, spatial [N]
///   normal                           κ/|κ|, from rod 1 to rod 2
///   lambda_n, lambda_t1, lambda_t2   −n·force, compressive, and the components along t₁ and t₂ [N]
///   s1, s2                           positions of the contact on the rods [m]
/// The state `at` must have been completed with the chains, and `answer` be its force. A force that is not
/// finite is written as it is.
template <DrawnContact C>
[[nodiscard]] PolyData contact_polydata(const C& contact, const typename C::Internal& at,
                                        const typename C::Multiplier& answer) {
  using S = typename C::Scalar;
  const auto numbers = [](const Vec<S, 3>& x) {
    return std::vector{static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
  };
  const Vec<S, 3> kappa = at.point[1].R - at.point[0].R;
  const S share = contact.parameters().radius1 / contact.target_gap();
  PolyData shape;
  shape.add_vertex(shape.add_point(Vec<S, 3>(at.point[0].R + share * kappa).template cast<double>()));
  shape.point_data("force", 3, numbers(answer.force), Role::vectors);
  shape.point_data("normal", 3, numbers(kappa / kappa.norm()), Role::normals);
  const std::vector<double> lambda = numbers(answer.components);
  shape.point_data("lambda_n", 1, std::vector{lambda[0]}, Role::scalars);
  shape.point_data("lambda_t1", 1, std::vector{lambda[1]});
  shape.point_data("lambda_t2", 1, std::vector{lambda[2]});
  shape.point_data("s1", 1, std::vector{static_cast<double>(at.s[0])});
  shape.point_data("s2", 1, std::vector{static_cast<double>(at.s[1])});
  return shape;
}

}  // namespace dalembert::io
