#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/bodies.hpp>
#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/detail/body_calls.hpp>
#include <dalembert/assembly/detail/check.hpp>
#include <dalembert/assembly/detail/marker_kinematics.hpp>
#include <dalembert/assembly/detail/parts.hpp>
#include <dalembert/assembly/rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/one_by_one.hpp>
#include <dalembert/rod/detail/check.hpp>

/// All bodies of an assembly, of several kinds, numbered from 0, kind after kind.
namespace dalembert::assembly::detail {

/// Bodies of the kinds B; see the head of this file.
template <class S, Body... B>
class BodyList {
 public:
  using Lists = Kinds<B...>;
  static constexpr bool has_lines = (LineBody<B> || ...);
  static constexpr bool has_swept = (SweptBody<B> || ...);  ///< some step in one sweep

  [[gnu::cold, gnu::noinline]] explicit BodyList(Lists lists) : lists_(std::move(lists)) {
    const std::size_t bodies = (std::size_t(0) + ... + std::get<std::vector<B>>(lists_).size());
    blank_.chains = std::vector<Chain<S>>(bodies);
    if constexpr (has_lines) blank_.lines = std::vector<Line<S>>(bodies);
    each([&](const auto& body, std::size_t i) { add(body, i); });
    require(!blank_.chains.empty(), "Assembly", "bodies", blank_.chains.size(),
            "there must be at least one body");
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  /// A state of the shape of the bodies.
  [[nodiscard]] const State<S>& blank() const noexcept { return blank_; }
  /// The inertia of the nodes of each body.
  [[nodiscard]] const Inertias<S>& inertia() const noexcept { return inertia_; }
  /// Whether the motion of some node is prescribed.
  [[nodiscard]] bool prescribes() const noexcept { return prescribes_; }

  /// So many parts, one for each body.
  [[gnu::cold, gnu::noinline]] void divide(const std::vector<int>& part_of, std::size_t parts) {
    parts_.divide({std::get<std::vector<B>>(lists_).size()...}, part_of, parts);
  }
  /// The bodies of all parts.
  [[nodiscard]] const Parts<sizeof...(B)>& parts() const noexcept { return parts_; }

  /// f(body, its number) for the bodies of a part.
  template <class F>
  void each(std::size_t part, F&& f) const {
    each(part, OneByOne{}, f);
  }
  /// The same, each kind of them by run(n, g), which calls g(0) to g(n − 1) in any order.
  template <class Run, class F>
  void each(std::size_t part, const Run& run, const F& f) const {
    std::size_t kind = 0, number = 0;
    const auto of_kind = [&](const auto& list) {
      const std::size_t* const begin = parts_.members(kind, part).data();
      run(parts_.members(kind, part).size(),
          [&, begin](std::size_t k) { f(list[begin[k]], number + begin[k]); });
      number += list.size();
      ++kind;
    };
    (of_kind(std::get<std::vector<B>>(lists_)), ...);
  }
  /// f(body, its number) for all of them.
  template <class F>
  void each(F&& f) const {
    each_of(lists_, f);
  }

  /// f(body) for the one of this number.
  template <class F>
  void with(std::size_t number, F&& f) const {
    std::size_t first = 0;
    const auto of_kind = [&](const auto& list) {
      if (number >= first && number - first < list.size()) f(list[number - first]);
      first += list.size();
    };
    (of_kind(std::get<std::vector<B>>(lists_)), ...);
  }

  /// Numbers for each node.
  [[nodiscard, gnu::cold, gnu::noinline]] NodeNumbers<S> columns() const {
    const std::size_t lines = has_lines ? blank_.lines.size() : 0;
    NodeNumbers<S> c{std::vector<Columns<S, 6>>(blank_.chains.size()),
                     std::vector<Vec<S, Eigen::Dynamic>>(lines)};
    for (std::size_t i = 0; i < blank_.chains.size(); ++i) {
      const Chain<S>& chain = blank_.chains[i];
      c.chains[i] = chain.nodes > 0 ? rod::zero_columns<S, 6>(chain.nodes) : Columns<S, 6>(0, 6);
    }
    for (std::size_t i = 0; i < lines; ++i) c.lines[i] = blank_.lines[i].displacement;
    return c;
  }

  /// Throws std::invalid_argument for chains or lines of another shape.
  void check(const State<S>& x) const { check_shape(x, blank_); }

  /// Held ends put in place.
  void hold_all(State<S>& x) const {
    each([&]<class K>(const K& body, std::size_t i) { hold(body, entry<K>(x, i), x.time); });
  }
  // Of the bodies of part p:

  /// Loads of a configuration. Throws ElementTurnedTooFar.
  void forces(std::size_t p, const State<S>& at, NodeNumbers<S>& f) const {
    each(p, [&]<class K>(const K& body, std::size_t i) {
      if (!forces_of(body, entry<K>(at, i), at.time, entry<K>(f, i))) [[unlikely]]
        rod::detail::throw_turned_too_far(at[i], i, at.time);
    });
  }
  /// The same, then v += h M⁻¹ f, in one pass where a body can, of all bodies or but for the strings, or
  /// the chains, that step in one sweep.
  template <bool all_lines, bool all_chains, class Run>
  void forces_and_kick(std::size_t p, State<S>& x, NodeNumbers<S>& f, S h, const Run& run) const {
    each(p, run, [&]<class K>(const K& body, std::size_t i) {
      if constexpr ((SweptBody<K> && !all_lines) || (SweptChain<K> && !all_chains)) return;
      auto& mine = entry<K>(x, i);
      auto& loads = entry<K>(f, i);
      bool good;
      if constexpr (requires { requires std::same_as<typename K::ForeseesVelocities, K>; }) {
        good = body.forces_and_kick(mine, x.time, loads, h);
      } else if constexpr (ChainBody<K> && OnePassBody<K>) {
        good = body.forces_and_kick(mine, loads, h);
      } else {
        good = forces_of(body, mine, x.time, loads);
        body.kick(mine, loads, h);
      }
      if (!good) [[unlikely]]
        rod::detail::throw_turned_too_far(x[i], i, x.time);
    });
  }
  /// Accelerations of loads. Throws NotFinite.
  void accelerate(std::size_t p, const State<S>& at, const NodeNumbers<S>& f, NodeNumbers<S>& a) const {
    bool finite = true;
    each(p, [&]<class K>(const K& body, std::size_t i) {
      finite = body.accelerations(entry<K>(at, i), entry<K>(f, i), at.time, entry<K>(a, i)) && finite;
    });
    if (!finite) [[unlikely]]
      throw NotFinite("NotFinite: accelerations of an assembly are not finite", number::plain(at.time));
  }
  /// v += h M⁻¹ f.
  void kick(std::size_t p, State<S>& x, const NodeNumbers<S>& f, S h) const {
    each(p, [&]<class K>(const K& body, std::size_t i) { body.kick(entry<K>(x, i), entry<K>(f, i), h); });
  }
  /// Free motion for h from (at, kicked by f for `kick`), of the strings or of the others.
  template <bool strings, class Run>
  void kick_drift(std::size_t p, const State<S>& at, const NodeNumbers<S>& f, S kick, S h, State<S>& x,
                  const Run& run) const {
    each(p, run, [&]<class K>(const K& body, std::size_t i) {
      if constexpr (strings == LineBody<K>)
        body.kick_drift(entry<K>(at, i), entry<K>(f, i), kick, at.time, h, entry<K>(x, i));
    });
  }
  /// A step of h: all of it of bodies that step in one sweep, of the others a kick for h/2 and free motion
  /// for h; of strings alone, or where there are no constraints of chains too. Loads of swept chains are
  /// those of the end then.
  template <bool chains, class Run>
  void sweep(std::size_t p, const State<S>& at, NodeNumbers<S>& f, S h, State<S>& x, const Run& run) const {
    each(p, run, [&]<class K>(const K& body, std::size_t i) {
      if constexpr (SweptBody<K>) {
        body.step(at.lines[i], h, x.lines[i]);
      } else if constexpr (chains && SweptChain<K>) {
        if (!body.step(at[i], f[i], at.time, h, x[i])) [[unlikely]]
          rod::detail::throw_turned_too_far(x[i], i, at.time + h);
      } else if constexpr (chains || LineBody<K>) {
        body.kick_drift(entry<K>(at, i), entry<K>(f, i), h / 2, at.time, h, entry<K>(x, i));
      }
    });
  }

  /// The sizes of a motion and of loads, √(vᵀMv) and √(fᵀM⁻¹f) [√J, √J/s].
  [[nodiscard]] S speed(std::size_t p, const State<S>& x) const {
    S total{};
    each(p, [&]<class K>(const K& body, std::size_t i) { total += kinetic_energy(body, entry<K>(x, i)); });
    return number::sqrt(S(2) * total);
  }
  [[nodiscard]] S strength(std::size_t p, const NodeNumbers<S>& f) const {
    S square(0);
    each(p, [&]<class K>(const K& body, std::size_t i) {
      for (Eigen::Index k = 0; k < body.nodes(); ++k)
        if constexpr (LineBody<K>)
          square += inertia_[i].line_inverse[k] * f.lines[i][k] * f.lines[i][k];
        else
          for (int j = 0; j < 6; ++j) square += inertia_[i].inverse(k, j) * f[i](k, j) * f[i](k, j);
    });
    return number::sqrt(square);
  }

  // Of all bodies:

  /// Kinetic energy [J]. Throws NotFinite.
  [[nodiscard]] S kinetic(const State<S>& x) const {
    S total{};
    each([&]<class K>(const K& body, std::size_t i) { total += kinetic_energy(body, entry<K>(x, i)); });
    rod::check_finite(total, "the kinetic energy", x.time);
    return total;
  }
  /// Kinetic and potential energy [J]. Throws NotFinite.
  [[nodiscard]] S energy(const State<S>& x) const {
    S total = kinetic(x);
    each([&]<class K>(const K& body, std::size_t i) { total += potential_energy(body, entry<K>(x, i)); });
    rod::check_finite(total, "the energy", x.time);
    return total;
  }
  /// The power of damping, and of loads for these accelerations [W].
  [[nodiscard]] std::pair<S, S> powers(const State<S>& x, const NodeNumbers<S>& acceleration,
                                       const NodeNumbers<S>& loads) const {
    std::pair<S, S> p{};
    each([&]<class K>(const K& body, std::size_t i) {
      p.first -= S(2) * damping_rate(body) * kinetic_energy(body, entry<K>(x, i));
      p.second += power_of_loads(body, entry<K>(x, i), entry<K>(acceleration, i), entry<K>(loads, i), x.time);
      if constexpr (requires { dissipated_power(body, entry<K>(x, i), x.time); })
        p.first += dissipated_power(body, entry<K>(x, i), x.time);
    });
    return p;
  }

  /// The largest bound on angular frequencies, of the bodies that bound theirs [rad/s].
  [[nodiscard, gnu::cold, gnu::noinline]] S wave_frequency_bound(const State<S>& x) const {
    S largest(0);
    each([&]<class K>(const K& body, std::size_t i) {
      if constexpr (FrequencyBoundedBody<K>) {
        if constexpr (requires { frequency_bound(body, entry<K>(x, i), x.time); })
          largest = std::max(largest, frequency_bound(body, entry<K>(x, i), x.time));
        else
          largest = std::max(largest, frequency_bound(body, entry<K>(x, i)));
      }
    });
    return largest;
  }
  /// What is missing of M a for accelerations a, number by number from the first of `out`; of a itself where
  /// a node is held. Answers how many.
  Eigen::Index missing(const NodeNumbers<S>& given, const NodeNumbers<S>& a,
                       Vec<S, Eigen::Dynamic>& out) const {
    Eigen::Index row = 0;
    const auto put = [&](S inverse, S left) { out[row++] = inverse > S(0) ? left / inverse : left; };
    each([&]<class K>(const K& body, std::size_t i) {
      for (Eigen::Index k = 0; k < body.nodes(); ++k)
        if constexpr (LineBody<K>)
          put(inertia_[i].line_inverse[k], given.lines[i][k] - a.lines[i][k]);
        else
          for (int j = 0; j < 6; ++j) put(inertia_[i].inverse(k, j), given[i](k, j) - a[i](k, j));
    });
    return row;
  }

 private:
  /// Room in a state for a body, and its inertia.
  template <class K>
  [[gnu::cold, gnu::noinline]] void add(const K& body, std::size_t i) {
    if constexpr (!LineBody<K>)
      blank_.chains[i] = Chain<S>(body.nodes());
    else
      blank_.lines[i].displacement = blank_.lines[i].velocity = Vec<S, Eigen::Dynamic>::Zero(body.nodes());
    inertia_.add(body);
    prescribes_ = prescribes_ || has_prescribed_motion(body);
  }

  Lists lists_;
  State<S> blank_;
  Inertias<S> inertia_;
  Parts<sizeof...(B)> parts_;
  bool prescribes_ = false;
};

}  // namespace dalembert::assembly::detail
