#pragma once

#include <string_view>

#include <dalembert/assembly/constraint.hpp>

namespace test {

/// A constraint as a user would write it first: that of kind C without its `coefficients`, `drift` and
/// `tangency_change`, which are found by differentiation instead.
template <class C>
struct Plain {
  using Scalar = typename C::Scalar;
  using Traits = dalembert::assembly::ConstraintTraits<C>;
  template <class T>
  using FrameState = dalembert::assembly::FrameState<T>;
  static constexpr std::string_view name = "Plain";
  static constexpr bool turns = Traits::Has::turns;

  C whole;  ///< what it is a part of

  auto markers() const { return whole.markers(); }
  template <class T>
  auto velocity_constraint(const FrameState<T>& x, const T& t) const requires(Traits::markers == 1) {
    return whole.velocity_constraint(x, t);
  }
  template <class T>
  auto velocity_constraint(const FrameState<T>& x, const FrameState<T>& y, const T& t) const
      requires(Traits::markers == 2) {
    return whole.velocity_constraint(x, y, t);
  }
  template <class T>
  auto position_constraint(const FrameState<T>& x, const T& t) const requires(Traits::markers == 1) {
    return whole.position_constraint(x, t);
  }
  template <class T>
  auto position_constraint(const FrameState<T>& x, const FrameState<T>& y, const T& t) const
      requires(Traits::markers == 2) {
    return whole.position_constraint(x, y, t);
  }
  template <class T>
  auto tangency(const FrameState<T>& x) const requires(Traits::markers == 1 && Traits::internal_count > 0) {
    return whole.tangency(x);
  }
  template <class T>
  auto tangency(const FrameState<T>& x, const FrameState<T>& y) const
      requires(Traits::markers == 2 && Traits::internal_count > 0) {
    return whole.tangency(x, y);
  }
};

/// The same with its `along`, for a constraint with fewer position rows than velocity rows.
template <class C>
struct PlainAlong : Plain<C> {
  template <class... A>
  auto along(const dalembert::assembly::FrameState<A>&... seen) const
      requires(sizeof...(A) == Plain<C>::Traits::markers) {
    return this->whole.along(seen...);
  }
};

}  // namespace test
