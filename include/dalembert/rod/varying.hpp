#pragma once

#include <cstddef>
#include <stdexcept>
#include <type_traits>
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

/// Some numbers of the elements in the lanes of L: the first one is at `first`, the next `stride` after it.
template <class L, class S>
struct LanesOfElements {
  const S* first;
  Eigen::Index stride;

  [[nodiscard]] L operator[](int i) const noexcept { return load<S, L>(first + i * stride); }
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
      : elements_(static_cast<Eigen::Index>(stiffness.size())),
        numbers_(zero_columns<S, Uniform::count>(elements_ + 1)) {
    constexpr const char* name =
        std::is_same_v<Uniform, LinearElastic<S>> ? "VaryingElastic" : "VaryingCoupled";
    require(!stiffness.empty(), name, "elements", stiffness.size(), "there must be some");
    require(rest.empty() || rest.size() == stiffness.size(), name, "rest strains", rest.size(),
            message({"there must be one for each element, and there are ", stiffness.size(),
                     ", or none at all"}));
    for (Eigen::Index k = 0; k < elements_; ++k)
      check_element(name, k, elements_, [&] {
        const auto i = static_cast<std::size_t>(k);
        put(k, Uniform(stiffness[i], rest.empty() ? RestStrain<S>{} : rest[i]).numbers());
      });
  }

  /// Their number.
  [[nodiscard]] Eigen::Index elements() const noexcept { return elements_; }
  /// Element k, or the elements in lanes from k on; it refers to this.
  template <class L>
  [[nodiscard]] Element<L> at(Eigen::Index k) const noexcept {
    return Element<L>({numbers_.data() + k, numbers_.rows()});
  }
  /// The material of a rod that has these elements and then those.
  [[nodiscard]] VaryingLinear followed_by(const VaryingLinear& others) const {
    VaryingLinear all = *this;
    all.elements_ += others.elements_;
    all.numbers_ = zero_columns<S, Uniform::count>(all.elements_ + 1);
    for (Eigen::Index k = 0; k < all.elements_; ++k)
      all.put(k, k < elements_ ? numbers_.row(k) : others.numbers_.row(k - elements_));
    return all;
  }

 private:
  /// The numbers of element k; those of the last one are in the padding too, for loops over packs.
  template <class Numbers>
  void put(Eigen::Index k, const Numbers& numbers) {
    const Eigen::Index end = k + 1 == elements_ ? numbers_.rows() : k + 1;
    for (Eigen::Index row = k; row < end; ++row)
      for (int i = 0; i < Uniform::count; ++i) numbers_(row, i) = numbers[i];
  }

  Eigen::Index elements_;
  Columns<S, Uniform::count> numbers_;
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
