#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/detail/node_loads.hpp>
#include <dalembert/rod/element_material.hpp>
#include <dalembert/rod/section.hpp>

/// The lumped inertia of the nodes of a rod, the same at all of them or not: node k has half the mass of each element at it. An end counts here as if
/// a second element like its own were beyond it.
namespace dalembert::rod::detail {

/// Free rotation (q, ω) of nodes in lanes from k on for h [s]: of symmetric tops with one ratio J₃/J₁, or moments that are the same everywhere.
template <class S>
struct UniformTopTurn {
  S ratio, h;
  template <class L>
  [[gnu::always_inline]] void operator()(Quaternion<L>& q, Triple<L>& omega, Eigen::Index) const noexcept {
    drift_symmetric_top(q, omega, ratio, h);
  }
};
template <class S>
struct UniformTurn {
  Vec<S, 3> moments;
  S h;
  template <class L>
  [[gnu::always_inline]] void operator()(Quaternion<L>& q, Triple<L>& omega, Eigen::Index) const noexcept {
    std::tie(q, omega) = drift_rigid_body(q, omega, moments, h);
  }
};
/// The same where each node has its ratio, or its moments in three columns.
template <class S>
struct VaryingTopTurn {
  const S* ratios;
  S h;
  template <class L>
  [[gnu::always_inline]] void operator()(Quaternion<L>& q, Triple<L>& omega, Eigen::Index k) const noexcept {
    drift_symmetric_top(q, omega, load<S, L>(ratios + k), h);
  }
};
template <class S>
struct VaryingTurn {
  const S* moments;
  Eigen::Index rows;
  S h;
  template <class L>
  [[gnu::always_inline]] void operator()(Quaternion<L>& q, Triple<L>& omega, Eigen::Index k) const noexcept {
    const S* const p = moments + k;
    const Vec<L, 3> j(load<S, L>(p), load<S, L>(p + rows), load<S, L>(p + 2 * rows));
    std::tie(q, omega) = drift_rigid_body(q, omega, j, h);
  }
};

/// No inertias of elements.
struct NoInertias {};

/// The same at every node.
template <class S>
class UniformInertia {
 public:
  using Index = Eigen::Index;

  /// Of rods of a section, with elements of length h [m].
  UniformInertia(const SectionInertia<S>& section, S h) : section_(section), mass_(section.mass * h) {
    for (int i = 0; i < 3; ++i) rotary_[i] = section.rotary[i] * h;
  }

  /// Of node k [kg, kg m²].
  [[nodiscard]] S mass(Index) const noexcept { return mass_; }
  [[nodiscard]] const Vec<S, 3>& rotary(Index) const noexcept { return rotary_; }
  /// Per unit length, of element k.
  [[nodiscard]] const SectionInertia<S>& section(Index) const noexcept { return section_; }

  /// 1/m and 1/J_i of the nodes in the lanes of Q from k on, and the moment that goes with ω_{i+1} ω_{i+2}.
  template <class Q>
  [[nodiscard]] Q inverse_mass(Index) const noexcept {
    return Q(S(1) / mass_);
  }
  template <class Q>
  [[nodiscard]] Q inverse_rotary(Index, int i) const noexcept {
    return Q(S(1) / rotary_[i]);
  }
  template <class Q>
  [[nodiscard]] Q gyroscopic(Index, int i) const noexcept {
    return Q(S(rotary_[(i + 2) % 3] - rotary_[(i + 1) % 3]));
  }

  /// h M⁻¹ f of nodes in lanes, for a kick of h [s].
  template <class L>
  [[nodiscard]] UniformKick<L, S> kick(S h) const noexcept {
    return {h, mass_, rotary_};
  }
  /// m g of nodes in lanes.
  template <class L>
  [[nodiscard]] auto weight(const Vec<S, 3>& gravity) const noexcept {
    const Triple<S> w = mass_ * Triple<S>(gravity);
    return [w = Triple<L>(L(w.x), L(w.y), L(w.z))](Index) { return w; };
  }
  /// f(turn), where turn(q, ω, k) rotates nodes in lanes from k on freely for h [s]. Symmetric tops have a turn of their own, so that a loop over them
  /// has its numbers in registers.
  template <class F>
  void with_turn(S h, F&& f) const {
    const Vec<S, 3>& j = section_.rotary;
    if (number::equal(j[0], j[1]))
      f(UniformTopTurn<S>{S(j[2] / j[0]), h});
    else
      f(UniformTurn<S>{j, h});
  }

 private:
  SectionInertia<S> section_;
  S mass_;
  Vec<S, 3> rotary_;
};

/// One of its own at every node.
template <class S>
class VaryingInertia {
 public:
  using Index = Eigen::Index;

  /// Of rods whose elements have these sections and the length h [m].
  VaryingInertia(std::vector<SectionInertia<S>> sections, S h)
      : sections_(std::move(sections)),
        numbers_(zero_columns<S, 9>(static_cast<Index>(sections_.size()) + 1)) {
    const auto last = static_cast<Index>(sections_.size()) - 1;
    for (Index k = 0; k < numbers_.rows(); ++k) {  // in the padding as at the last node
      const SectionInertia<S>&before = section(std::clamp<Index>(k - 1, 0, last)),
            &after = section(std::clamp<Index>(k, 0, last));
      for (int i = 0; i < 4; ++i) {
        const S mean =
            i == 0 ? (before.mass + after.mass) / S(2) : (before.rotary[i - 1] + after.rotary[i - 1]) / S(2);
        numbers_(k, i) = mean * h;
        numbers_(k, 4 + i) = S(1) / numbers_(k, i);
      }
      numbers_(k, 8) = numbers_(k, 3) / numbers_(k, 1);
      symmetric_ = symmetric_ && number::equal(numbers_(k, 1), numbers_(k, 2));
    }
  }

  [[nodiscard]] S mass(Index k) const noexcept { return numbers_(k, 0); }
  [[nodiscard]] Vec<S, 3> rotary(Index k) const noexcept { return at3<1>(numbers_, k); }
  [[nodiscard]] const SectionInertia<S>& section(Index k) const noexcept {
    return sections_[static_cast<std::size_t>(k)];
  }

  template <class Q>
  [[nodiscard]] Q inverse_mass(Index k) const noexcept {
    return number<Q>(k, 4);
  }
  template <class Q>
  [[nodiscard]] Q inverse_rotary(Index k, int i) const noexcept {
    return number<Q>(k, 5 + i);
  }
  template <class Q>
  [[nodiscard]] Q gyroscopic(Index k, int i) const noexcept {
    return number<Q>(k, 1 + (i + 2) % 3) - number<Q>(k, 1 + (i + 1) % 3);
  }

  template <class L>
  [[nodiscard]] VaryingKick<L, S> kick(S h) const noexcept {
    return {h, numbers_.data() + 4 * numbers_.rows(), numbers_.rows()};
  }
  template <class L>
  [[nodiscard]] auto weight(const Vec<S, 3>& gravity) const noexcept {
    return [g = Triple<L>(L(gravity[0]), L(gravity[1]), L(gravity[2])), mass = numbers_.data()](Index k) {
      return load<S, L>(mass + k) * g;
    };
  }
  template <class F>
  void with_turn(S h, F&& f) const {
    if (symmetric_)
      f(VaryingTopTurn<S>{numbers_.data() + 8 * numbers_.rows(), h});
    else
      f(VaryingTurn<S>{numbers_.data() + numbers_.rows(), numbers_.rows(), h});
  }

 private:
  template <class Q>
  [[nodiscard]] Q number(Index k, int i) const noexcept {
    return load<S, Q>(numbers_.data() + k + i * numbers_.rows());
  }

  std::vector<SectionInertia<S>> sections_;  // of each element, per unit length
  Columns<S, 9> numbers_;                    // of each node: m, J, 1/m, 1/J, J₃/J₁
  bool symmetric_ = true;                    // J₁ = J₂ everywhere
};

/// r̈ and ω̇ of the nodes in the lanes from k on, from loads and for damping at the rate ν, as if all of them were free inner nodes:
///   r̈ = f/m − ν ṙ,  ω̇ = J⁻¹(τ − ω × Jω) − ν ω
template <class Inertia, class L, class S>
inline void accelerate_nodes(const Inertia& inertia, const S& rate, const Columns<S, 6>& velocity,
                             const Columns<S, 6>& f, Eigen::Index k, Triple<L>& linear,
                             Triple<L>& angular) noexcept {
  const L nu(rate);
  const Triple<L> omega = load3<3, L>(velocity, k), tau = load3<3, L>(f, k);
  const auto euler = [&](int i, const L& torque, const L& own, const L& next, const L& last) {
    return L(inertia.template inverse_rotary<L>(k, i) *
                 (torque - inertia.template gyroscopic<L>(k, i) * next * last) -
             nu * own);
  };
  angular = {euler(0, tau.x, omega.x, omega.y, omega.z), euler(1, tau.y, omega.y, omega.z, omega.x),
             euler(2, tau.z, omega.z, omega.x, omega.y)};
  linear = inertia.template inverse_mass<L>(k) * load3<0, L>(f, k) - nu * load3<0, L>(velocity, k);
}

/// Throws std::invalid_argument unless the inertia of a section is positive and finite; where() says of which.
template <class S, class Where>
void check_inertia(const SectionInertia<S>& inertia, Where&& where) {
  const auto positive = [&](const char* name, S value) {
    if (!(value > 0 && value < std::numeric_limits<S>::infinity()))
      require(false, "Rod", message({name, where()}), value, "it must be positive and finite");
  };
  positive("inertia.mass", inertia.mass);
  for (int i = 0; i < 3; ++i) positive("inertia.rotary", inertia.rotary[i]);
}

/// That of nodes between elements of length h [m] and this section, checked.
template <class S>
[[nodiscard]] UniformInertia<S> uniform_inertia(const SectionInertia<S>& inertia, S h) {
  check_inertia(inertia, [] { return ""; });
  return {inertia, h};
}

/// The same of elements that have sections of their own, or all the other.
template <class S>
[[nodiscard]] VaryingInertia<S> varying_inertia(Eigen::Index material, std::vector<SectionInertia<S>> own,
                                                const SectionInertia<S>& all, int elements, S h) {
  require(material == elements, "Rod", "elements of the material", material,
          message({"the rod has ", elements}));
  const auto count = static_cast<std::size_t>(elements);
  require(own.empty() || own.size() == count, "Rod", "inertias", own.size(),
          message({"there must be one for each element, and there are ", elements, ", or none"}));
  if (own.empty()) {
    check_inertia(all, [] { return ""; });
    own.assign(count, all);
  }
  for (std::size_t k = 0; k < count; ++k)
    check_inertia(own[k], [&] {
      return message({" of element ", k, ", about s = ", S((S(k) + S(1) / S(2)) * h), " m"});
    });
  return {std::move(own), h};
}

}  // namespace dalembert::rod::detail
