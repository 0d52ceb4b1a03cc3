#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/contact/detail/touch_pairs.hpp>
#include <dalembert/linalg/cone_problem.hpp>
#include <dalembert/problem/concepts.hpp>

/// Room for the cone problems of clusters of contacts.
namespace dalembert::contact::detail {

/// Room for one who solves clusters of contacts, one after the other.
template <class S>
struct ClusterRoom {
  std::vector<std::size_t> begin, next;     ///< where clusters begin in the order of members
  linalg::detail::ConeBlocks<S> problem{};  ///< of a cluster
  linalg::detail::ConeSearch<S> search{};   ///< its solution
  typename linalg::detail::ConeBlocks<S>::Column start{}, guess{};
  std::vector<std::size_t> members;  ///< of which the problem of normals was begun last
  std::vector<Mat<S, 3>> column;     ///< of responses
  TouchPairs<S> pairs;               ///< of what acts on each other
  ContactWorks<S> works{};           ///< of a piece of work
  Projection<S> report{};            ///< likewise

  ClusterRoom() = default;
  /// Room is not copied.
  ClusterRoom(const ClusterRoom&) : ClusterRoom() {}
  ClusterRoom& operator=(const ClusterRoom&) { return *this; }

  /// Begin the problem of contacts with these coefficients, given by their number.
  template <class Friction>
  void begin_problem(std::size_t count, const Friction& friction) {
    problem.pressed = 0;
    problem.friction.resize(count);
    for (std::size_t i = 0; i < count; ++i) problem.friction[i] = friction(i);
    begin_rows();
  }
  /// Begin the problem of so many that have no friction, of their normals alone.
  void begin_normals(std::size_t count) {
    problem.pressed = static_cast<Eigen::Index>(count);
    problem.friction.clear();
    begin_rows();
  }

 private:
  [[gnu::noinline]] void begin_rows() {
    members.clear();
    problem.begin();
    start.set_zero(problem.size());
  }
};

}  // namespace dalembert::contact::detail
