#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/bodies.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/rod/rod.hpp>

namespace buckling {

using Vec3 = dalembert::Vec<double, 3>;
using Rod = dalembert::rod::ElasticRod<double>;
using Weld = dalembert::assembly::Weld<double>;
using Bodies = dalembert::assembly::Kinds<Rod>;
using Welds = dalembert::assembly::Kinds<Weld>;
using State = dalembert::assembly::State<double>;

/// Rods in the plane (x, z) that are welded in a row and pushed down, or along the first, where one of them ends.
struct Structure {
  Bodies bodies{};
  Welds welds{};
  State start{};
  std::size_t pushed = 0;       ///< the rod that is pushed at its end
  double most{};                ///< load at which the branch ends at last [N]
  double scale{};               ///< a load that counts as much as a turn of one radian [N]
  std::string reference{};      ///< who has computed it before
  std::vector<double> loads{};  ///< extrema found there [N]

  /// Where the load is [m].
  [[nodiscard]] Vec3 place(const State& x) const {
    const auto& chain = x[pushed];
    return chain.position(chain.nodes - 1);
  }
  /// The load at p [N].
  void push(double p, Bodies& list) const {
    std::get<0>(list)[pushed].set_loads({.finish = {.force = Vec3(0, 0, -p)}});
  }
};

/// Euler's column, clamped at its foot: EI = 1 N m², 1 m long.
[[nodiscard]] Structure column(int elements);
/// An arch of 215 degrees, clamped at one end and hinged at the other, pushed at its apex: R = 100 m, EI = 10⁶ N m².
[[nodiscard]] Structure arch(int elements);
/// Lee's frame: a post and a beam of 120 m, both hinged, pushed at a fifth of the beam: EI = 1440 N m², EA = 4320 N.
[[nodiscard]] Structure frame(int elements);

/// Load over Euler's, way aside and height of the tip of the column when it has turned there by an angle [rad], each over the length: the elastica.
struct Elastica {
  double load, aside, height;
};
[[nodiscard]] Elastica elastica(double turn);

}  // namespace buckling
