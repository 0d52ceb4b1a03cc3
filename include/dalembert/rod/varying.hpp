#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/element_material.hpp>

/// Linear elastic materials whose stiffness and rest strains vary along a rod, one of each for an element:
///   W_k = ½ eᵀ K_k e,  e = (Γ − Γ₀ₖ, Ω − Ω₀ₖ),  (n, m) = K_k e                        (1)
/// Taken at the middles of the elements, s = (k + ½)h, they stand for functions of s to second order in h,
/// as all else does in a rod. Where a section jumps, let a node lie there.
namespace dalembert::rod {

namespace detail {

/// f(), which checks what belongs to an element: what it throws names the element too.
template <class F>
void check_element(const char* class_name, Eigen::Index k, Eigen::Index elements, F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    const double s = (static_cast<double>(k) + 0.5) / static_cast<double>(elements);
    throw std::invalid_argument(message(
        {class_name, ": element ", k, " of ", elements, ", about s = ", s, " of the length: ", e.what()}));
  }
}

/// C numbers for each element. Rows beyond the last element have what that has, for loops over packs.
template <class S, int C>
class ElementNumbers {
 public:
  explicit ElementNumbers(Eigen::Index elements)
      : count_(elements), numbers_(zero_columns<S, C>(elements + 1)) {}

  [[nodiscard]] Eigen::Index count() const noexcept { return count_; }
  /// number(i), i < C, as those of element k.
  template <class F>
  void put(Eigen::Index k, F&& number) {
    const Eigen::Index end = k + 1 == count_ ? numbers_.rows() : k + 1;
    for (Eigen::Index row = k; row < end; ++row)
      for (int i = 0; i < C; ++i) numbers_(row, i) = number(i);
  }
  /// These elements, and then those.
  [[nodiscard]] ElementNumbers followed_by(const ElementNumbers& others) const {
    ElementNumbers all(count_ + others.count_);
    for (Eigen::Index k = 0; k < all.count_; ++k)
      all.put(k, [&](int i) { return k < count_ ? numbers_(k, i) : others.numbers_(k - count_, i); });
    return all;
  }
  /// The first number of element k.
  [[nodiscard]] const S* at(Eigen::Index k) const noexcept { return numbers_.data() + k; }
  /// From one number of an element to its next.
  [[nodiscard]] Eigen::Index stride() const noexcept { return numbers_.rows(); }

 private:
  Eigen::Index count_;
  Columns<S, C> numbers_;
};

/// These numbers of the elements in the lanes of L.
template <class L, class S>
class LanesOfElements {
 public:
  template <int C>
  LanesOfElements(const ElementNumbers<S, C>& of, Eigen::Index k) noexcept
      : at_(of.at(k)), stride_(of.stride()) {}

  [[nodiscard]] L operator[](int i) const noexcept { return load<S, L>(at_ + i * stride_); }

 private:
  const S* at_;
  Eigen::Index stride_;
};

/// Equation (1), for elements of the material `Uniform`, whose law is `Law`.
template <class Uniform, template <class, class> class Law>
class VaryingLinear {
  using S = typename Uniform::Scalar;

 public:
  using Scalar = S;                               ///< the number type
  using Stiffness = typename Uniform::Stiffness;  ///< of one element [N, N m²]
  /// What `Uniform` is, of one element or in lanes of elements.
  template <class L>
  using Element = Law<L, LanesOfElements<L, S>>;

  /// The stiffness of each element [N, N m²], and its rest strains, straight ones where there are none.
  /// Throws std::invalid_argument, naming the element, where `Uniform` does.
  explicit VaryingLinear(const std::vector<Stiffness>& stiffness, const std::vector<RestStrain<S>>& rest = {})
      : numbers_(static_cast<Eigen::Index>(stiffness.size())) {
    constexpr const char* name =
        std::is_same_v<Uniform, LinearElastic<S>> ? "VaryingElastic" : "VaryingCoupled";
    require(!stiffness.empty(), name, "elements", stiffness.size(), "there must be some");
    require(rest.empty() || rest.size() == stiffness.size(), name, "rest strains", rest.size(),
            message({"there must be one for each element, and there are ", stiffness.size(),
                     ", or none at all"}));
    for (Eigen::Index k = 0; k < elements(); ++k)
      check_element(name, k, elements(), [&] {
        const auto i = static_cast<std::size_t>(k);
        const Uniform own(stiffness[i], rest.empty() ? RestStrain<S>{} : rest[i]);
        numbers_.put(k, [&](int number) { return own.numbers()[number]; });
      });
  }

  /// Their number.
  [[nodiscard]] Eigen::Index elements() const noexcept { return numbers_.count(); }
  /// Element k, or the elements in lanes from k on; it refers to this.
  template <class L>
  [[nodiscard]] Element<L> at(Eigen::Index k) const noexcept {
    return Element<L>({numbers_, k});
  }
  /// The material of a rod that has these elements and then those.
  [[nodiscard]] VaryingLinear followed_by(const VaryingLinear& others) const {
    return VaryingLinear(numbers_.followed_by(others.numbers_));
  }

 private:
  explicit VaryingLinear(ElementNumbers<S, Uniform::count> numbers) : numbers_(std::move(numbers)) {}

  ElementNumbers<S, Uniform::count> numbers_;
};

}  // namespace detail

/// Equation (1) with diagonal stiffness. Throws std::invalid_argument, naming the element, unless every
/// stiffness is positive and finite and the rest strains are finite.
template <class S = double>
using VaryingElastic = detail::VaryingLinear<LinearElastic<S>, detail::DiagonalLaw>;

/// Equation (1) with a full symmetric 6×6 stiffness. Throws std::invalid_argument, naming the element,
/// unless every stiffness is finite, symmetric and positive definite and the rest strains are finite.
template <class S = double>
using VaryingCoupled = detail::VaryingLinear<CoupledElastic<S>, detail::CoupledLaw>;

}  // namespace dalembert::rod
