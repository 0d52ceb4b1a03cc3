#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/detail/node_loads.hpp>
#include <dalembert/rod/section.hpp>

/// The lumped inertia of the nodes of a rod, the same at all of them or not: node k has half the mass of each
/// element at it. An end counts here as if a second element like its own were beyond it.
namespace dalembert::rod::detail {

/// Nine numbers of each node, the same of all of them.
template <class S>
struct SharedNumbers {
  std::array<S, 9> of;
  /// Number i of the nodes from k on.
  template <class L>
  [[nodiscard]] S at(Eigen::Index, int i) const noexcept {
    return of[static_cast<std::size_t>(i)];
  }
};
/// The same where each node has its own, column by column, in lanes.
template <class S>
struct NumbersInColumns {
  const S* first;
  Eigen::Index rows;
  template <class L>
  [[nodiscard]] L at(Eigen::Index k, int i) const noexcept {
    return load<S, L>(first + k + i * rows);
  }
};

/// Free rotation (q, ω) of nodes in lanes from k on for h [s]: of symmetric tops, or of any.
template <bool symmetric, class Numbers, class S>
struct FreeTurn {
  Numbers numbers;
  S h;
  template <class L>
  [[gnu::always_inline]] void operator()(Quaternion<L>& q, Triple<L>& omega, Eigen::Index k) const noexcept {
    const auto number = [&](int i) { return numbers.template at<L>(k, i); };
    if constexpr (symmetric) {
      drift_symmetric_top(q, omega, number(8), h);
    } else {
      const Vec<decltype(number(0)), 3> j(number(1), number(2), number(3));
      std::tie(q, omega) = drift_rigid_body(q, omega, j, h);
    }
  }
};

/// No inertias of elements.
struct NoInertias {};

/// The inertia of nodes, the same of all of them or one of its own of each.
template <class S, bool varies>
class LumpedInertia {
 public:
  using Index = Eigen::Index;
  using Sections =
      std::conditional_t<varies, std::vector<SectionInertia<S>>, std::array<SectionInertia<S>, 1>>;

  /// Of rods whose elements have these sections, or all of them the only one, and the length h [m].
  LumpedInertia(Sections sections, S h) : sections_(std::move(sections)) {
    const auto count = static_cast<Index>(sections_.size());
    if constexpr (varies) numbers_ = zero_columns<S, 9>(count + 1);
    for (Index k = 0; k < numbers_.rows(); ++k) {  // in the padding as at the last node
      const SectionInertia<S>&before = section(std::clamp<Index>(k - 1, 0, count - 1)),
            &after = section(std::clamp<Index>(k, 0, count - 1));
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

  /// Of node k [kg, kg m²].
  [[nodiscard]] S mass(Index k) const noexcept { return numbers_(own(k), 0); }
  [[nodiscard]] Vec<S, 3> rotary(Index k) const noexcept {
    return {numbers_(own(k), 1), numbers_(own(k), 2), numbers_(own(k), 3)};
  }
  /// 1/m three times, 1/J₁, 1/J₂, 1/J₃ of node k [1/kg, 1/(kg m²)].
  [[nodiscard]] S inverse(Index k, int i) const noexcept { return numbers_(own(k), i < 3 ? 4 : 2 + i); }
  /// Per unit length, of element k.
  [[nodiscard]] const SectionInertia<S>& section(Index k) const noexcept {
    return sections_[static_cast<std::size_t>(own(k))];
  }

  /// r̈ and ω̇ of the nodes in the lanes from k on, from loads and for damping at the rate ν, as if all
  /// of them were free inner nodes:
  ///   r̈ = f/m − ν ṙ,  ω̇ = J⁻¹(τ − ω × Jω) − ν ω
  template <class L>
  void accelerate(const S& rate, const Columns<S, 6>& velocity, const Columns<S, 6>& f, Index k,
                  Triple<L>& linear, Triple<L>& angular) const noexcept {
    const L nu(rate);
    const Triple<L> omega = load3<3, L>(velocity, k), tau = load3<3, L>(f, k);
    const auto euler = [&](int i, const L& torque, const L& spin, const L& next, const L& last) {
      const L gyroscopic = number<L>(k, 1 + (i + 2) % 3) - number<L>(k, 1 + (i + 1) % 3);
      return L(number<L>(k, 5 + i) * (torque - gyroscopic * next * last) - nu * spin);
    };
    angular = {euler(0, tau.x, omega.x, omega.y, omega.z), euler(1, tau.y, omega.y, omega.z, omega.x),
               euler(2, tau.z, omega.z, omega.x, omega.y)};
    linear = number<L>(k, 4) * load3<0, L>(f, k) - nu * load3<0, L>(velocity, k);
  }

  /// The factors of nodes in lanes for a kick of h [s]. What all nodes have is not copied: in a loop a copy
  /// would wait for each pack of it to be stored.
  template <class L>
  [[nodiscard]] auto kick(S h) const noexcept {
    const auto factors = [](L linear, L j1, L j2, L j3) { return KickFactors<L>{linear, {j1, j2, j3}}; };
    if constexpr (varies)
      return [factors, by = L(h), all = numbers()](Index k) {
        return factors(by * all.template at<L>(k, 4), by * all.template at<L>(k, 5),
                       by * all.template at<L>(k, 6), by * all.template at<L>(k, 7));
      };
    else
      return [all = factors(h / numbers_[0], h / numbers_[1], h / numbers_[2], h / numbers_[3])](
                 Index) -> const KickFactors<L>& { return all; };
  }
  /// m g of nodes in lanes.
  template <class L>
  [[nodiscard]] auto weight(const Vec<S, 3>& gravity) const noexcept {
    const Triple<L> g{L(gravity[0]), L(gravity[1]), L(gravity[2])};
    if constexpr (varies)
      return [g, mass = numbers_.data()](Index k) { return load<S, L>(mass + k) * g; };
    else
      return [w = L(mass(0)) * g](Index) -> const Triple<L>& { return w; };
  }
  /// f(turn), where turn(q, ω, k) rotates nodes in lanes from k on freely for h [s]. Symmetric tops have a
  /// turn of their own, so that a loop over them has its numbers in registers.
  template <class F>
  void with_turn(S h, F&& f) const {
    if (symmetric_)
      f(FreeTurn<true, Numbers, S>{numbers(), h});
    else
      f(FreeTurn<false, Numbers, S>{numbers(), h});
  }

 private:
  using Numbers = std::conditional_t<varies, NumbersInColumns<S>, SharedNumbers<S>>;

  [[nodiscard]] Numbers numbers() const noexcept {
    if constexpr (varies) {
      return {numbers_.data(), numbers_.rows()};
    } else {
      Numbers all;
      std::copy_n(numbers_.data(), 9, all.of.data());
      return all;
    }
  }
  template <class Q>
  [[nodiscard]] Q number(Index k, int i) const noexcept {
    return Q(numbers().template at<Q>(k, i));
  }
  /// The row of node or element k.
  [[nodiscard]] static Index own(Index k) noexcept { return varies ? k : 0; }

  Sections sections_;                                                         // per unit length
  std::conditional_t<varies, Columns<S, 9>, Eigen::Array<S, 1, 9>> numbers_;  // m, J, 1/m, 1/J, J₃/J₁
  bool symmetric_ = true;                                                     // J₁ = J₂ everywhere
};

/// Throws std::invalid_argument unless the inertia of a section is positive and finite; where() says of
/// which.
template <class S, class Where>
void check_inertia(const SectionInertia<S>& inertia, Where&& where) {
  const auto positive = [&](const char* name, S value) {
    if (!(value > 0 && value < std::numeric_limits<S>::infinity()))
      require(false, "Rod", message({name, where()}), value, "it must be positive and finite");
  };
  positive("inertia.mass", inertia.mass);
  for (int i = 0; i < 3; ++i) positive("inertia.rotary", inertia.rotary[i]);
}

/// The inertias of elements, one for each or all the other, checked.
template <class S>
[[nodiscard]] std::vector<SectionInertia<S>> varying_inertias(Eigen::Index material,
                                                              std::vector<SectionInertia<S>> own,
                                                              const SectionInertia<S>& all, int elements,
                                                              S h) {
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
  return own;
}

}  // namespace dalembert::rod::detail
