#pragma once

/// @file
/// Points of mass, which do not turn, under forces that are given as functions of where they are.

#include <functional>
#include <vector>

#include <dalembert/assembly/node_body.hpp>

namespace test {

/// Points under forces; some may be held, and be put in place as the time says.
struct PointNodes : dalembert::assembly::NodeBody<PointNodes> {
  using Vec3 = dalembert::Vec<double, 3>;
  using Mat3 = dalembert::Mat<double, 3>;

  std::vector<double> masses{1.0};
  std::function<Vec3(Eigen::Index, const Vec3&)> force;      ///< of a node where it is [N]
  std::function<Mat3(Eigen::Index, const Vec3&)> stiffness;  ///< −∂f/∂r [N/m]
  std::vector<char> held{};                                  ///< nodes that are, from the first on
  std::function<Vec3(Eigen::Index, double)> place{};         ///< of those at a time [m]
  bool valid = true;                                         ///< whether forces mean something

  Eigen::Index nodes() const { return static_cast<Eigen::Index>(masses.size()); }
  double mass(Eigen::Index k) const { return masses[static_cast<std::size_t>(k)]; }
  bool is_held(Eigen::Index k) const {
    return static_cast<std::size_t>(k) < held.size() && held[static_cast<std::size_t>(k)];
  }
  bool forces(const dalembert::rod::Chain<double>& at, dalembert::rod::Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < nodes(); ++k) {
      const Vec3 pull = force(k, at.position(k));
      for (int i = 0; i < 6; ++i) f(k, i) = i < 3 ? pull[i] : 0;
    }
    return valid;
  }
  friend void hold(const PointNodes& body, dalembert::rod::Chain<double>& chain, double t) {
    for (Eigen::Index k = 0; k < body.nodes(); ++k)
      if (body.is_held(k) && body.place) chain.set_frame(k, chain.rotation(k), body.place(k, t));
  }
  friend dalembert::assembly::NodeInertia<double> node_inertia(const PointNodes& body, Eigen::Index k) {
    dalembert::assembly::NodeInertia<double> n;
    for (int i = 0; i < 3; ++i) n.inverse[i] = body.is_held(k) ? 0 : 1 / body.mass(k);
    return n;
  }
};
template <class Add>
void add_stiffness(const PointNodes& body, const dalembert::rod::Chain<double>& at, const Add& add) {
  for (Eigen::Index k = 0; k < body.nodes(); ++k) {
    dalembert::Mat<double, 6, 6> block = dalembert::Mat<double, 6, 6>::Zero();
    const PointNodes::Mat3 own = body.stiffness(k, at.position(k));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) block(i, j) = own(i, j);
    add(k, k, block);
  }
}

/// A spring of one stiffness in all directions from each node to a place of its own, and a load.
inline PointNodes on_springs(double stiffness, std::vector<PointNodes::Vec3> homes,
                             const PointNodes::Vec3& load = PointNodes::Vec3::Zero()) {
  PointNodes body;
  body.masses.assign(homes.size(), 1.0);
  body.force = [=](Eigen::Index k, const PointNodes::Vec3& r) {
    return PointNodes::Vec3(stiffness * (homes[static_cast<std::size_t>(k)] - r) + load);
  };
  body.stiffness = [=](Eigen::Index, const PointNodes::Vec3&) {
    return PointNodes::Mat3(stiffness * PointNodes::Mat3::Identity());
  };
  return body;
}

}  // namespace test
