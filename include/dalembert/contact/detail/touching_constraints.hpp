#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/friction_solution.hpp>
#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// Constraints beside contacts, and what they make of the impulses P of contacts with rows A_c:
///   δv = (1 − M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹A) M⁻¹A_cᵀP                                           (1)
/// with the rows A of the constraints, which hold as before. So rows that hold are eliminated from cone
/// problems, island by island, by the systems that the constraints have anyway; contacts at nodes that no
/// constraint holds do not ask for them.
namespace dalembert::contact::detail {

/// Arc lengths of a body at which a place of a constraint keeps it; all of one that is no rod.
template <class S>
struct HeldStretch {
  std::size_t body = 0;
  S from = -std::numeric_limits<S>::infinity(), to = std::numeric_limits<S>::infinity();

  [[nodiscard]] bool has(std::size_t of, S s) const noexcept { return of == body && from <= s && s <= to; }
};

/// Two that are held together, that of the lower body first.
template <class S>
struct HeldTogether {
  HeldStretch<S> one, other;

  HeldTogether(const HeldStretch<S>& a, const HeldStretch<S>& b)
      : one(a.body <= b.body ? a : b), other(a.body <= b.body ? b : a) {}
  [[nodiscard]] auto bodies() const noexcept { return std::pair(one.body, other.body); }
  friend bool operator<(const HeldTogether& a, const HeldTogether& b) noexcept {
    return a.bodies() < b.bodies();
  }
};

/// What (1) works on; grows with the assembly, and remembers nothing.
template <class S>
struct HeldRoom {
  assembly::State<S> field{};                             ///< a configuration, and velocities δv
  std::vector<rod::Columns<S, 6>> driven{};               ///< δv of what drives constraints alone
  std::vector<std::size_t> part_of{}, bodies{}, begin{};  ///< of bodies; bodies by parts
  std::vector<std::size_t> first{};                       ///< node of each body among all
  std::vector<std::size_t> group{};                       ///< of constraints that hold a node, or none
  std::size_t groups = 0;                                 ///< how many
  std::vector<std::size_t> at_work{};                     ///< parts that a cluster of contacts has nodes of
  bool drives = false;                                    ///< whether something drives constraints
  std::vector<HeldTogether<S>> together{};  ///< what constraints hold together, in order: it does not touch
  std::vector<std::pair<std::size_t, HeldStretch<S>>> by_body{};  ///< room to find it

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
};

/// Constraints as contacts see them.
template <class S>
class HeldNodes {
 public:
  using V = Vec<S, 3>;
  using State = assembly::State<S>;

  explicit HeldNodes(HeldRoom<S>& room) noexcept : room_(room) {}
  virtual ~HeldNodes() = default;

  /// The configuration in which the constraints were located.
  void look(const State& x) {
    auto& chains = room_.field.chains;
    for (std::size_t i = 0; i < chains.size(); ++i) chains[i].configuration = x.chains[i].configuration;
    room_.field.time = x.time;
    find_groups();
    room_.drives = false;
    for (std::size_t p = 0; p + 1 < room_.begin.size(); ++p) {
      if (!constrains(p)) continue;
      clear(p);
      project(p);
      for (std::size_t b = room_.begin[p]; b < room_.begin[p + 1]; ++b) {
        const std::size_t i = room_.bodies[b];
        room_.driven[i] = chains[i].velocity;
        for (Eigen::Index k = 0; k < room_.driven[i].size(); ++k)
          room_.drives = room_.drives || room_.driven[i].data()[k] != S(0);
      }
    }
  }
  /// What the constraints of two places hold together; `spacing` and `radius` of each body, 0 if there is
  /// none.
  virtual void find_together(const State& x, const std::vector<S>& spacing, const std::vector<S>& radius) = 0;
  /// Put positions back on the constraints, v += that/h if h > 0, and locate them there.
  virtual void project_positions(State& x, S h) = 0;
  /// Put velocities back on the rows of the configuration that was looked at, at the end of a step of h:
  /// rows that are friction act for half of it.
  virtual void project_velocities(State& x, S h) = 0;

  /// What holds a node of all bodies: a number below `groups`, or none.
  [[nodiscard]] std::size_t group(std::size_t node) const noexcept { return room_.group[node]; }
  [[nodiscard]] std::size_t groups() const noexcept { return room_.groups; }

  /// Begin to work on contacts of these bodies.
  void start() { room_.at_work.clear(); }
  void include(std::size_t body) {
    const std::size_t p = room_.part_of[body];
    for (const std::size_t q : room_.at_work)
      if (p == q) return;
    room_.at_work.push_back(p);
  }
  /// δv, for impulses to be added to.
  [[nodiscard]] State& field() noexcept { return room_.field; }
  /// δv = 0 on them.
  void clear() {
    for (const std::size_t p : room_.at_work) clear(p);
  }
  /// (1) of what was added to δv.
  void project_field() {
    for (const std::size_t p : room_.at_work) {
      if (!constrains(p)) continue;
      project(p);
      if (room_.drives)
        each_body(p, [&](std::size_t i) { room_.field.chains[i].velocity -= room_.driven[i]; });
    }
  }
  /// v += factor δv; the change of kinetic energy.
  S kick(State& x, S factor, const assembly::Inertias<S>& inertia) const {
    S change(0);
    for (const std::size_t p : room_.at_work)
      each_body(p, [&](std::size_t i) {
        const auto& by = room_.field.chains[i].velocity;
        auto& v = x.chains[i].velocity;
        for (Eigen::Index k = 0; k < by.rows(); ++k)
          for (int j = 0; j < 6; ++j) {
            const S inverse = inertia[i].inverse(k, j), more = factor * by(k, j);
            if (inverse > S(0)) change += more * (v(k, j) + more / S(2)) / inverse;
            v(k, j) += more;
          }
      });
    return change;
  }
  /// q += δv.
  void displace(State& x) const {
    for (const std::size_t p : room_.at_work)
      each_body(p, [&](std::size_t i) {
        const auto& chain = room_.field.chains[i];
        for (Eigen::Index k = 0; k < chain.nodes; ++k)
          rod::move_node(x.chains[i], k, V(chain.linear_velocity(k)), V(chain.angular_velocity(k)));
      });
  }

 protected:
  /// Whether there are constraints in a part.
  [[nodiscard]] virtual bool constrains(std::size_t part) const = 0;
  /// Put the velocities of δv of a part on its rows.
  virtual void project(std::size_t part) = 0;
  /// Which nodes constraints hold, by clusters of them.
  virtual void find_groups() = 0;

  HeldRoom<S>& room_;

 private:
  template <class F>
  void each_body(std::size_t part, const F& f) const {
    for (std::size_t b = room_.begin[part]; b < room_.begin[part + 1]; ++b) f(room_.bodies[b]);
  }
  void clear(std::size_t part) {
    each_body(part, [&](std::size_t i) { room_.field.chains[i].velocity.setZero(); });
  }
};

/// The constraints of an assembly; `Bodies` is a BodyList, `Constraints` a ConstraintList.
template <class S, class Bodies, class Constraints>
class HeldByConstraints final : public HeldNodes<S> {
 public:
  using Base = HeldNodes<S>;
  using typename Base::State;
  using Workspace = typename Constraints::Workspace;

  HeldByConstraints(const Bodies& bodies, const Constraints& constraints, Workspace& w, HeldRoom<S>& room)
      : Base(room), bodies_(bodies), constraints_(constraints), w_(w) {}

  /// Room for these.
  [[nodiscard]] static HeldRoom<S> make_room(const Bodies& bodies, const Constraints& constraints) {
    HeldRoom<S> room;
    room.field = bodies.blank();
    room.field.z = Vec<S, Eigen::Dynamic>::Zero(constraints.slides());
    const auto& [part_of, parts] = constraints.part_of_bodies();
    room.begin.assign(1, 0);
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t i = 0; i < part_of.size(); ++i)
        if (part_of[i] == static_cast<int>(p)) room.bodies.push_back(i);
      room.begin.push_back(room.bodies.size());
    }
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < part_of.size(); ++i) {
      room.part_of.push_back(static_cast<std::size_t>(part_of[i]));
      room.first.push_back(nodes);
      nodes += static_cast<std::size_t>(room.field.chains[i].nodes);
      room.driven.push_back(room.field.chains[i].velocity);
    }
    room.group.assign(nodes, HeldRoom<S>::none);
    return room;
  }

  void find_together(const State& x, const std::vector<S>& spacing, const std::vector<S>& radius) override {
    room_.together.clear();
    constraints_.each([&]<class K>(const K& c, const auto& slot) {
      if constexpr (assembly::ConstraintTraits<K>::markers == 2) {
        const auto& [first, second] = c.markers();
        if (first.count() == 0 || second.count() == 0) return;
        const S touching = radius[first.body] + radius[second.body];
        Eigen::Index z = slot.z;
        const auto one = stretch(first, spacing, touching, x, z);
        const auto other = stretch(second, spacing, touching, x, z);
        this->room_.together.push_back({one, other});
      }
    });
    // what is held by the same body that is no rod is held together by it
    auto& all = room_.together;
    auto& by_body = room_.by_body;
    by_body.clear();
    for (const HeldTogether<S>& t : all) {
      if (spacing[t.one.body] == S(0)) by_body.push_back({t.one.body, t.other});
      if (spacing[t.other.body] == S(0)) by_body.push_back({t.other.body, t.one});
    }
    dalembert::detail::heap_sort(by_body.begin(), by_body.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < by_body.size(); ++i)
      for (std::size_t j = i + 1; j < by_body.size() && by_body[j].first == by_body[i].first; ++j)
        all.push_back({by_body[i].second, by_body[j].second});
    dalembert::detail::heap_sort(all.begin(), all.end());
  }
  void project_positions(State& x, S h) override {
    for (std::size_t p = 0; p < parts(); ++p)
      if (constrains(p)) (void)solution(p).project_positions(x, h, assembly::Along::reactions);
  }
  void project_velocities(State& x, S h) override {
    for (std::size_t p = 0; p < parts(); ++p)
      if (constrains(p)) {
        if constexpr (Constraints::rub)
          (void)solution(p).project_in_step(x, h);
        else
          (void)solution(p).project_velocities(x, assembly::Along::reactions);
      }
  }

 protected:
  using Base::room_;

  [[nodiscard]] bool constrains(std::size_t part) const override {
    return constraints_.parts().size(part) > 0;
  }
  void project(std::size_t part) override {
    (void)solution(part).project_velocities(room_.field, assembly::Along::reactions);
  }
  void find_groups() override {
    for (std::size_t& group : room_.group) group = HeldRoom<S>::none;
    room_.groups = 0;
    for (std::size_t p = 0; p < parts(); ++p) {
      std::size_t most = 0;
      constraints_.each(p, w_, [&](const auto&, const auto& e, const auto&) {
        most = std::max(most, e.cluster + 1);
        for (const assembly::Window& w : e.windows)
          for (Eigen::Index k = 0; k < w.count; ++k)
            room_.group[room_.first[w.body] + static_cast<std::size_t>(w.first + k)] =
                room_.groups + e.cluster;
      });
      room_.groups += most;
    }
  }

 private:
  [[nodiscard]] std::size_t parts() const noexcept { return room_.begin.size() - 1; }
  /// What a place that moves along a rod reaches; about one at a node an element and what both are thick.
  template <class Place>
  [[nodiscard]] static HeldStretch<S> stretch(const Place& place, const std::vector<S>& spacing, S touching,
                                              const State& x, Eigen::Index& z) {
    if constexpr (Place::slides) {
      const S s = x.z[z++];
      return {place.body, s - place.reach(), s + place.reach()};
    } else if (const S h = spacing[place.body]; h > S(0)) {
      const S s = h * S(place.node), reach = h + touching + place.offset.norm();
      return {place.body, s - reach, s + reach};
    }
    return {place.body};
  }
  [[nodiscard]] auto solution(std::size_t part) const noexcept {
    return assembly::detail::SolutionOf<S, Bodies, Constraints>(bodies_, constraints_, part, w_);
  }

  const Bodies& bodies_;
  const Constraints& constraints_;
  Workspace& w_;
};

}  // namespace dalembert::contact::detail
