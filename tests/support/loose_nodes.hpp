#pragma once

/// @file
/// Bodies of the least kind that there is, a chain of loose nodes and a string of loose masses, and sets of
/// them with weights for windows.

#include <vector>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/node_body.hpp>
#include <dalembert/assembly/rows.hpp>

#include "support/draw.hpp"

namespace test {

/// Nodes that move by themselves; the first axes of translation and the last of rotation may be held.
struct LooseNodes : dalembert::assembly::NodeBody<LooseNodes> {
  std::vector<double> masses;
  std::vector<dalembert::Vec<double, 3>> moments;
  double nu = 0;
  int held = 0;

  Eigen::Index nodes() const { return static_cast<Eigen::Index>(masses.size()); }
  double mass(Eigen::Index k) const { return masses[static_cast<std::size_t>(k)]; }
  const dalembert::Vec<double, 3>& inertia(Eigen::Index k) const {
    return moments[static_cast<std::size_t>(k)];
  }
  double damping() const { return nu; }
  bool forces(const dalembert::rod::Chain<double>&, dalembert::rod::Columns<double, 6>&) const {
    return true;
  }
};
inline dalembert::assembly::NodeInertia<double> node_inertia(const LooseNodes& body, Eigen::Index k) {
  auto n = node_inertia(static_cast<const dalembert::assembly::NodeBody<LooseNodes>&>(body), k);
  for (int i = 0; i < body.held; ++i) n.inverse[i] = n.inverse[5 - i] = 0;
  return n;
}

/// Masses that move along one axis, each by itself; one of zero inverse is held.
struct LooseMasses {
  using Scalar = double;
  using Line = dalembert::assembly::Line<double>;
  using Numbers = dalembert::Vec<double, Eigen::Dynamic>;
  std::vector<double> inverses;
  double nu = 0;

  Eigen::Index nodes() const { return static_cast<Eigen::Index>(inverses.size()); }
  bool forces(const Line&, Numbers&) const { return true; }
  bool accelerations(const Line&, const Numbers&, double, Numbers&) const { return true; }
  void kick(Line&, const Numbers&, double) const {}
  void kick_drift(const Line&, const Numbers&, double, double, double, Line&) const {}
  friend void hold(const LooseMasses&, Line&, double) {}
  friend double damping_rate(const LooseMasses& body) { return body.nu; }
  friend bool has_prescribed_motion(const LooseMasses&) { return false; }
  friend double kinetic_energy(const LooseMasses&, const Line&) { return 0; }
  friend double potential_energy(const LooseMasses&, const Line&) { return 0; }
  friend double load_power(const LooseMasses&, const Line&, const Numbers&, const Numbers&) { return 0; }
  friend double inverse_mass(const LooseMasses& body, Eigen::Index k) {
    return body.inverses[static_cast<std::size_t>(k)];
  }
};

/// Bodies of both kinds in random states, and random weights of windows on them.
struct NodeSet {
  std::vector<dalembert::assembly::Chain<double>> chains;
  std::vector<dalembert::assembly::Line<double>> lines;
  std::vector<LooseNodes> bodies;  ///< of the chains
  dalembert::assembly::Inertias<double> inertia;
  std::vector<double> weights{1.0};
  Draw draw;

  explicit NodeSet(unsigned seed) : draw(seed) {}

  dalembert::assembly::detail::Nodes<double> nodes() const {
    return {chains, lines, inertia, weights.data()};
  }
  void add_chain(Eigen::Index count, double nu = 0, int held = 0) {
    LooseNodes body;
    body.nu = nu;
    body.held = held;
    dalembert::assembly::Chain<double> chain(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      body.masses.push_back(draw.between(0.5, 2));
      body.moments.emplace_back(draw.between(0.5, 2), draw.between(0.5, 2), draw.between(0.5, 2));
      const auto turn = draw.rotation();
      const auto place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
      chain.set_frame(k, turn, place);
      chain.set_velocity(k, velocity, spin);
    }
    inertia.add(body);
    bodies.push_back(body);
    chains.push_back(chain);
    lines.emplace_back();
  }
  void add_line(Eigen::Index count, double nu = 0) {
    LooseMasses body{{}, nu};
    dalembert::assembly::Line<double> line;
    line.displacement.resize(count);
    line.velocity.resize(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      body.inverses.push_back(k == 2 ? 0 : draw.between(0.5, 2));
      line.displacement[k] = draw.between(-1, 1);
      line.velocity[k] = draw.between(-1, 1);
    }
    inertia.add(body);
    chains.emplace_back();
    lines.push_back(line);
  }
  /// A window on so many nodes of a body from a first one on, with random weights, padded by zeros.
  dalembert::assembly::Window window(std::size_t body, Eigen::Index first, Eigen::Index count) {
    dalembert::assembly::Window w;
    w.body = body;
    w.first = first;
    w.count = count;
    w.weights = static_cast<Eigen::Index>(weights.size());
    w.line = lines[body].velocity.size() > 0;
    for (Eigen::Index k = 0; k < count; ++k) weights.push_back(draw.between(0.2, 0.8));
    weights.insert(weights.end(), 16, 0.0);
    return w;
  }
};

}  // namespace test
