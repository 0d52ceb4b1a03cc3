#pragma once

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/detail/check.hpp>

/// All bodies of an assembly, of several kinds, numbered from 0, kind after kind.
namespace dalembert::assembly::detail {

template <class B, class S>
[[nodiscard]] S energy_of_motion(const B& body, const Chain<S>& chain) {
  return kinetic_energy(body, chain);
}
template <class B, class S>
[[nodiscard]] S energy_of_position(const B& body, const Chain<S>& chain) {
  return potential_energy(body, chain);
}

template <class B, class S>
[[nodiscard]] S bound_of_frequency(const B& body, const Chain<S>& chain) {
  return frequency_bound(body, chain);
}

/// Bodies of the kinds B; see the head of this file.
template <class S, Body... B>
class BodyList {
 public:
  using Lists = std::tuple<std::vector<B>...>;
  using Chains = std::vector<Chain<S>>;
  using NodeColumns = std::vector<Columns<S, 6>>;

  explicit BodyList(Lists lists) : lists_(std::move(lists)) {
    each([&](const auto& body, std::size_t) {
      blank_.emplace_back(body.nodes());
      inertia_.emplace_back(body);
      leads_ = leads_ || moves_by_itself(body);
    });
    require(!blank_.empty(), "Assembly", "bodies", blank_.size(), "there must be at least one body");
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  /// A chain of the shape of each body.
  [[nodiscard]] const Chains& blank() const noexcept { return blank_; }
  /// The inertia of the nodes of each body.
  [[nodiscard]] const std::vector<InertiaColumns<S>>& inertia() const noexcept { return inertia_; }
  /// Whether some node is led along a prescribed motion.
  [[nodiscard]] bool leads() const noexcept { return leads_; }

  /// f(body, its number).
  template <class F>
  void each(F&& f) const {
    std::size_t number = 0;
    [[maybe_unused]] const auto kind = [&](const auto& list) {
      for (const auto& body : list) f(body, number++);
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, lists_);
  }

  /// Six numbers for each node.
  [[nodiscard]] NodeColumns columns() const {
    NodeColumns c;
    for (const Chain<S>& chain : blank_) c.push_back(rod::zero_columns<S, 6>(chain.nodes));
    return c;
  }

  /// Throws std::invalid_argument for chains of another shape.
  void check(const Chains& chains) const {
    if (chains.size() != blank_.size()) [[unlikely]]
      require(false, "Assembly", "chains", chains.size(),
              message({"there must be one chain per body, and there are ", blank_.size(), " bodies"}));
    for (std::size_t i = 0; i < blank_.size(); ++i)
      if (chains[i].nodes != blank_[i].nodes ||
          chains[i].configuration.rows() != blank_[i].configuration.rows() ||
          chains[i].velocity.rows() != blank_[i].velocity.rows()) [[unlikely]]
        require_entry(false, "Assembly", "nodes of chain", i, chains[i].nodes,
                      message({"a chain must have the nodes of its body, and there are ", blank_[i].nodes}));
  }
  /// Throws std::invalid_argument for chains whose numbers mean nothing.
  void check_numbers(const Chains& chains) const {
    for (std::size_t i = 0; i < chains.size(); ++i) {
      require_entry(chains[i].finite(), "Assembly", "chain", i, "not finite",
                    "positions and velocities must be finite");
      require_entry(chains[i].unit(), "Assembly", "quaternions of chain", i, "not of norm 1",
                    "a rotation is a unit quaternion");
      require_entry(chains[i].squares_are_finite(), "Assembly", "chain", i, "too large",
                    "the squares of positions and velocities must be finite");
    }
  }

  /// Held ends put in place.
  void hold_all(State<S>& x) const {
    each([&](const auto& body, std::size_t i) { hold(body, x.chains[i], x.time); });
  }
  /// Loads of a configuration. Throws ElementTurnedTooFar.
  void forces(const State<S>& at, NodeColumns& f) const {
    each([&](const auto& body, std::size_t i) {
      if (!body.forces(at.chains[i], f[i])) [[unlikely]]
        rod::detail::throw_turned_too_far(at.chains[i], i, at.time);
    });
  }
  /// Accelerations of loads. Throws NotFinite.
  void accelerate(const State<S>& at, const NodeColumns& f, NodeColumns& a) const {
    bool finite = true;
    each([&](const auto& body, std::size_t i) {
      finite = body.accelerations(at.chains[i], f[i], at.time, a[i]) && finite;
    });
    if (!finite) [[unlikely]]
      throw NotFinite("NotFinite: accelerations of an assembly are not finite", static_cast<double>(at.time));
  }
  /// v += h M⁻¹ f.
  void kick(State<S>& x, const NodeColumns& f, S h) const {
    each([&](const auto& body, std::size_t i) { body.kick(x.chains[i], f[i], h); });
  }
  /// Free motion for h from (at, kicked by f for `kick`).
  void kick_drift(const State<S>& at, const NodeColumns& f, S kick, S h, State<S>& x) const {
    each([&](const auto& body, std::size_t i) {
      body.kick_drift(at.chains[i], f[i], kick, at.time, h, x.chains[i]);
    });
  }

  /// Kinetic energy [J]. Throws NotFinite.
  [[nodiscard]] S kinetic(const State<S>& x) const {
    S total{};
    each([&](const auto& body, std::size_t i) { total += energy_of_motion(body, x.chains[i]); });
    rod::check_finite(total, "the kinetic energy", x.time);
    return total;
  }
  /// Kinetic and potential energy [J]. Throws NotFinite.
  [[nodiscard]] S energy(const State<S>& x) const {
    S total = kinetic(x);
    each([&](const auto& body, std::size_t i) { total += energy_of_position(body, x.chains[i]); });
    rod::check_finite(total, "the energy", x.time);
    return total;
  }
  /// The power of damping, and of loads for these accelerations [W].
  [[nodiscard]] std::pair<S, S> powers(const State<S>& x, const NodeColumns& acceleration,
                                       const NodeColumns& loads) const {
    std::pair<S, S> p{};
    each([&](const auto& body, std::size_t i) {
      p.first -= S(2) * damping_rate(body) * energy_of_motion(body, x.chains[i]);
      p.second += load_power(body, x.chains[i], acceleration[i], loads[i]);
    });
    return p;
  }

  /// √(fᵀM⁻¹f): the size of loads [√J/s].
  [[nodiscard]] S strength(const NodeColumns& f) const {
    S square(0);
    for (std::size_t i = 0; i < f.size(); ++i)
      for (int j = 0; j < 6; ++j)
        for (Eigen::Index k = 0; k < blank_[i].nodes; ++k)
          square += inertia_[i].inverse(k, j) * f[i](k, j) * f[i](k, j);
    return std::sqrt(square);
  }

 private:
  Lists lists_;
  Chains blank_;
  std::vector<InertiaColumns<S>> inertia_;
  bool leads_ = false;
};

}  // namespace dalembert::assembly::detail
