#pragma once

/// @file
/// Constraints on chains of loose nodes, as the solver of an assembly has them and as dense matrices.

#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/friction_solution.hpp>

#include "support/dense_nodes.hpp"

namespace test {

/// Constraints of the kinds C in one part.
template <class... C>
struct DenseSystem : DenseNodes {
  using Bodies = dalembert::assembly::detail::BodyList<double, LooseNodes>;
  using List = dalembert::assembly::detail::ConstraintList<double, C...>;
  using Links = std::tuple<std::vector<C>...>;
  using Solution = dalembert::assembly::detail::SolutionOf<double, Bodies, List>;

  Bodies bodies;
  List list;
  typename List::Workspace work;
  Matrix A, V, C_;      ///< rows, those that react, and which part of them position rows are
  Matrix exact;         ///< N, which is the identity where there is no friction
  Column known, drift;  ///< b, and Ȧv + ḃ
  Column error;         ///< φ

  /// Of what make(draw) makes.
  template <class Make>
  DenseSystem(unsigned seed, std::initializer_list<Eigen::Index> nodes, const Make& make)
      : DenseNodes(seed, nodes),
        bodies(std::tuple{set.bodies}),
        list(Links(make(set.draw)), x),
        work(list.make_workspace(x)) {
    bodies.divide(list.part_of_bodies().first, list.part_of_bodies().second);
    find();
  }
  Solution solution() { return {bodies, list, 0, work}; }
  /// The matrices of the state x.
  void find() {
    const int n = list.rows();
    A = V = Matrix::Zero(n, size);
    C_ = Matrix::Zero(list.positions(), n);
    exact = Matrix::Identity(n, n);
    known = drift = Column::Zero(n);
    error = Column::Zero(list.positions());
    list.each([&]<class K>(const K& c, const auto& slot) {
      dalembert::assembly::detail::PlacedConstraint<K> placed(c, x, 0);
      auto& e = placed.evaluation;
      find_rates(c, x, placed.weights.data(), e);
      constexpr int R = decltype(placed.evaluation)::R, P = decltype(placed.evaluation)::P;
      A.middleRows<R>(slot.row) = rows(placed);
      V.middleRows<R>(slot.row) = rows(placed, true);
      known.segment<R>(slot.row) = e.known;
      drift.segment<R>(slot.row) = e.drift;
      if constexpr (P > 0) {
        C_.block<P, R>(slot.position, slot.row) = e.along;
        error.segment<P>(slot.position) = e.error;
      }
      if constexpr (dalembert::assembly::detail::has_friction<K>)
        exact.block<R, R>(slot.row, slot.row) = e.friction.exact;
    });
  }
  /// A M⁻¹A_Vᵀ.
  Matrix system() const { return A * inverse().asDiagonal() * V.transpose(); }
  /// A v + b.
  Column slip() const { return A * velocity() + known; }
  /// Room for accelerations, of which there are none where no motion is prescribed.
  static Numbers none() { return {}; }
};

}  // namespace test
