#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/element_material.hpp>

/// Linear elastic materials whose stiffness and rest strains vary along a rod, one of each for an element:
///   W_k = ½ eᵀ K_k e,  e = (Γ − Γ₀ₖ, Ω − Ω₀ₖ),  (n, m) = K_k e                                                        (1)
/// Taken at the middles of the elements, s = (k + ½)h, they stand for functions of s to second order in h, as all else does in a rod. Where a
/// section jumps, let a node lie there.
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

/// Some of these numbers of the elements in the lanes of L, beginning with number `first`.
template <class L, class S>
class LanesOfElements {
 public:
  template <int C>
  LanesOfElements(const ElementNumbers<S, C>& of, Eigen::Index k, int first = 0) noexcept
      : at_(of.at(k) + first * of.stride()), stride_(of.stride()) {}

  [[nodiscard]] L operator[](int i) const noexcept { return load<S, L>(at_ + i * stride_); }

 private:
  const S* at_;
  Eigen::Index stride_;
};

/// Γ − Γ₀ or Ω − Ω₀, the rest strains being numbers `first`, `first` + 1, `first` + 2.
template <class Q, class Numbers>
[[nodiscard]] inline Vec<Q, 3> less_rest(const Vec<Q, 3>& strain, const Numbers& numbers,
                                         int first) noexcept {
  return {Q(strain[0] - Q(numbers[first])), Q(strain[1] - Q(numbers[first + 1])),
          Q(strain[2] - Q(numbers[first + 2]))};
}

/// Rest strains among the numbers of an element.
template <class L, class Numbers>
[[nodiscard]] RestStrain<L> rest_among(const Numbers& numbers, int first) {
  return {Vec<L, 3>(numbers[first], numbers[first + 1], numbers[first + 2]),
          Vec<L, 3>(numbers[first + 3], numbers[first + 4], numbers[first + 5])};
}

/// As many rest strains as elements, all alike where none are given; number i of those of element k.
template <class S>
[[nodiscard]] S rest_number(const std::vector<RestStrain<S>>& rest, Eigen::Index k, int i) {
  const RestStrain<S> own = rest.empty() ? RestStrain<S>{} : rest[static_cast<std::size_t>(k)];
  return i < 3 ? own.stretch[i] : own.curvature[i - 3];
}

template <class S>
void require_rests(const char* class_name, const std::vector<RestStrain<S>>& rest, std::size_t elements) {
  require(elements > 0, class_name, "elements", elements, "there must be some");
  require(rest.empty() || rest.size() == elements, class_name, "rest strains", rest.size(),
          message({"there must be one for each element, and there are ", elements, ", or none at all"}));
}

}  // namespace detail

/// Equation (1) with diagonal stiffness.
template <class S>
class VaryingElastic {
 public:
  using Scalar = S;             ///< the number type
  using Stiffness = Vec<S, 6>;  ///< of one element [N, N m²]

  /// What `LinearElastic` is, of one element or in lanes of elements.
  template <class L>
  class Element {
   public:
    using Scalar = L;  ///< the number type

    /// That of element k, or of those from k on.
    Element(const detail::ElementNumbers<S, 12>& numbers, Eigen::Index k) noexcept : numbers_(numbers, k) {}

    /// (n, m) [N, N m].
    template <class Q>
    [[nodiscard]] Stress<Q> stress(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
      const Vec<Q, 3> a = detail::less_rest(stretch, numbers_, 6);
      const Vec<Q, 3> b = detail::less_rest(curvature, numbers_, 9);
      Stress<Q> s;
      for (int i = 0; i < 3; ++i) {
        s.force[i] = Q(numbers_[i]) * a[i];
        s.moment[i] = Q(numbers_[3 + i]) * b[i];
      }
      return s;
    }
    /// W [J/m].
    template <class Q>
    [[nodiscard]] Q energy(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
      const Vec<Q, 3> a = detail::less_rest(stretch, numbers_, 6);
      const Vec<Q, 3> b = detail::less_rest(curvature, numbers_, 9);
      Q twice(0);
      for (int i = 0; i < 3; ++i) twice += Q(numbers_[i]) * a[i] * a[i] + Q(numbers_[3 + i]) * b[i] * b[i];
      return twice / Q(2);
    }
    /// ∂(n, m)/∂(Γ, Ω), the same at all strains [N, N m²].
    [[nodiscard]] Mat<L, 6, 6> tangent(const Vec<L, 3>&, const Vec<L, 3>&) const {
      return dalembert::detail::diagonal(stiffness());
    }
    /// Γ₀ and Ω₀.
    [[nodiscard]] RestStrain<L> rest() const { return detail::rest_among<L>(numbers_, 6); }
    /// Diagonal of the stiffness [N, N m²].
    [[nodiscard]] Vec<L, 6> stiffness() const {
      Vec<L, 6> k;
      for (int i = 0; i < 6; ++i) k[i] = numbers_[i];
      return k;
    }

   private:
    detail::LanesOfElements<L, S> numbers_;
  };

  /// The diagonal of the stiffness of each element [N, N m²], and its rest strains, straight ones where there are none. Throws
  /// std::invalid_argument, naming the element, unless every stiffness is positive and finite and the rest strains are finite.
  explicit VaryingElastic(const std::vector<Vec<S, 6>>& stiffness,
                          const std::vector<RestStrain<S>>& rest = {})
      : numbers_(static_cast<Eigen::Index>(stiffness.size())) {
    detail::require_rests("VaryingElastic", rest, stiffness.size());
    for (Eigen::Index k = 0; k < elements(); ++k) {
      const Vec<S, 6>& own = stiffness[static_cast<std::size_t>(k)];
      numbers_.put(k, [&](int i) { return i < 6 ? own[i] : detail::rest_number(rest, k, i - 6); });
      detail::check_element("VaryingElastic", k, elements(),
                            [&] { LinearElastic<S>(at<S>(k).stiffness(), at<S>(k).rest()); });
    }
  }

  /// Their number.
  [[nodiscard]] Eigen::Index elements() const noexcept { return numbers_.count(); }
  /// Element k, or the elements in lanes from k on; it refers to this.
  template <class L>
  [[nodiscard]] Element<L> at(Eigen::Index k) const noexcept {
    return {numbers_, k};
  }
  /// The material of a rod that has these elements and then those.
  [[nodiscard]] VaryingElastic followed_by(const VaryingElastic& others) const {
    return VaryingElastic(numbers_.followed_by(others.numbers_));
  }

 private:
  explicit VaryingElastic(detail::ElementNumbers<S, 12> numbers) : numbers_(std::move(numbers)) {}

  detail::ElementNumbers<S, 12> numbers_;  // stiffness, Γ₀, Ω₀
};

/// Equation (1) with a full symmetric 6×6 stiffness.
template <class S>
class VaryingCoupled {
 public:
  using Scalar = S;                ///< the number type
  using Stiffness = Mat<S, 6, 6>;  ///< of one element [N, N m²]

  /// What `CoupledElastic` is, of one element or in lanes of elements.
  template <class L>
  class Element {
   public:
    using Scalar = L;  ///< the number type

    /// That of element k, or of those from k on.
    Element(const detail::ElementNumbers<S, 27>& numbers, Eigen::Index k) noexcept : numbers_(numbers, k) {}

    /// (n, m) [N, N m].
    template <class Q>
    [[nodiscard]] Stress<Q> stress(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
      const Vec<Q, 3> a = detail::less_rest(stretch, numbers_, 21);
      const Vec<Q, 3> b = detail::less_rest(curvature, numbers_, 24);
      Stress<Q> s;
#pragma GCC unroll 3
      for (int i = 0; i < 3; ++i) {
        s.force[i] = row(i, a, b);
        s.moment[i] = row(3 + i, a, b);
      }
      return s;
    }
    /// W [J/m].
    template <class Q>
    [[nodiscard]] Q energy(const Vec<Q, 3>& stretch, const Vec<Q, 3>& curvature) const noexcept {
      const Stress<Q> s = stress(stretch, curvature);
      return (dot(s.force, detail::less_rest(stretch, numbers_, 21)) +
              dot(s.moment, detail::less_rest(curvature, numbers_, 24))) /
             Q(2);
    }
    /// ∂(n, m)/∂(Γ, Ω), the same at all strains [N, N m²].
    [[nodiscard]] Mat<L, 6, 6> tangent(const Vec<L, 3>&, const Vec<L, 3>&) const { return stiffness(); }
    /// Γ₀ and Ω₀.
    [[nodiscard]] RestStrain<L> rest() const { return detail::rest_among<L>(numbers_, 21); }
    /// The stiffness [N, N m²].
    [[nodiscard]] Mat<L, 6, 6> stiffness() const {
      Mat<L, 6, 6> k;
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) k(i, j) = numbers_[place(i, j)];
      return k;
    }

   private:
    /// Row i of K e.
    template <class Q>
    [[nodiscard]] Q row(int i, const Vec<Q, 3>& a, const Vec<Q, 3>& b) const noexcept {
      Q sum = Q(numbers_[place(i, 0)]) * a[0];
#pragma GCC unroll 2
      for (int j = 1; j < 3; ++j) sum += Q(numbers_[place(i, j)]) * a[j];
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) sum += Q(numbers_[place(i, 3 + j)]) * b[j];
      return sum;
    }

    detail::LanesOfElements<L, S> numbers_;
  };

  /// The stiffness of each element [N, N m²], and its rest strains, straight ones where there are none. Throws std::invalid_argument, naming the
  /// element, unless every stiffness is finite, symmetric and positive definite and the rest strains are finite.
  explicit VaryingCoupled(const std::vector<Mat<S, 6, 6>>& stiffness,
                          const std::vector<RestStrain<S>>& rest = {})
      : numbers_(static_cast<Eigen::Index>(stiffness.size())) {
    detail::require_rests("VaryingCoupled", rest, stiffness.size());
    for (Eigen::Index k = 0; k < elements(); ++k) {
      const Mat<S, 6, 6>& own = stiffness[static_cast<std::size_t>(k)];
      std::array<S, 21> upper{};
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i <= j; ++i) upper[static_cast<std::size_t>(place(i, j))] = own(i, j);
      numbers_.put(k, [&](int i) {
        return i < 21 ? upper[static_cast<std::size_t>(i)] : detail::rest_number(rest, k, i - 21);
      });
      detail::check_element("VaryingCoupled", k, elements(),
                            [&] { CoupledElastic<S>(own, at<S>(k).rest()); });
    }
  }

  /// Their number.
  [[nodiscard]] Eigen::Index elements() const noexcept { return numbers_.count(); }
  /// Element k, or the elements in lanes from k on; it refers to this.
  template <class L>
  [[nodiscard]] Element<L> at(Eigen::Index k) const noexcept {
    return {numbers_, k};
  }
  /// The material of a rod that has these elements and then those.
  [[nodiscard]] VaryingCoupled followed_by(const VaryingCoupled& others) const {
    return VaryingCoupled(numbers_.followed_by(others.numbers_));
  }

 private:
  explicit VaryingCoupled(detail::ElementNumbers<S, 27> numbers) : numbers_(std::move(numbers)) {}

  /// Where K_ij is among the 21 numbers of the upper triangle, which go column by column.
  [[nodiscard]] static constexpr int place(int i, int j) noexcept {
    return i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j;
  }

  detail::ElementNumbers<S, 27> numbers_;  // upper triangle of the stiffness, Γ₀, Ω₀
};

static_assert(VaryingMaterial<VaryingElastic<double>> && VaryingMaterial<VaryingCoupled<double>> &&
              !VaryingMaterial<LinearElastic<double>>);

}  // namespace dalembert::rod
