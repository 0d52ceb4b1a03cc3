#pragma once

/// @file
/// A system means the same over every scalar: what the tests of that share.

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/mechanics/concepts.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace scalar_laws {

using namespace dalembert;

/// A system of that type as it is by default.
template <class System>
System make() {
  if constexpr (requires { typename System::Parameters; })
    return System(typename System::Parameters{});
  else
    return System();
}

/// What a system depends on, in a row: coordinates of g, ξ, ξ̇, z, ż and t.
template <class System>
inline constexpr int arguments = 3 * System::Group::dof + 2 * internal_size<System> + 1;
/// What it gives: ℓ, the rows of C_K, and where they are given the momentum and the force.
template <class System>
inline constexpr int results = 1 + kinematic_rows<System> + detail::rows_of<detail::Momentum, System> +
                               detail::rows_of<detail::Force, System>;

template <class System, class T>
Vec<T, results<System>> evaluate(const System& system, const Vec<T, arguments<System>>& x) {
  constexpr int n = System::Group::dof, m = internal_size<System>;
  const auto g = GroupOf<System, T>::exp(Vec<T, n>(x.template head<n>()));
  const Vec<T, n> xi = x.template segment<n>(n), xidot = x.template segment<n>(2 * n);
  const Vec<T, m> z = x.template segment<m>(3 * n), zdot = x.template segment<m>(3 * n + m);
  const T t = x[3 * n + 2 * m];
  Vec<T, results<System>> all;
  int row = 0;
  const auto append = [&](const auto& values) {
    if constexpr (requires { values.size(); })
      for (Eigen::Index i = 0; i < values.size(); ++i) all[row++] = values[i];
    else
      all[row++] = values;
  };
  append(detail::call<detail::Lagrangian, System>(system, g, t, xi, z));
  if constexpr (detail::has<detail::PositionConstraint, System>)
    append(detail::call<detail::PositionConstraint, System>(system, g, t, z));
  if constexpr (detail::has<detail::VelocityConstraint, System>)
    append(detail::call<detail::VelocityConstraint, System>(system, g, t, xi, z, zdot));
  if constexpr (detail::has<detail::AccelerationConstraint, System>)
    append(detail::call<detail::AccelerationConstraint, System>(system, g, t, xi, xidot, z, zdot));
  if constexpr (detail::has<detail::Momentum, System>)
    append(detail::call<detail::Momentum, System>(system, g, t, xi, z));
  if constexpr (detail::has<detail::Force, System>)
    append(detail::call<detail::Force, System>(system, g, t, xi, z));
  return all;
}

/// The largest difference of two columns, relative to 1 and to the largest entry.
template <int N>
double apart(const Vec<double, N>& a, const Vec<double, N>& b) {
  return laws::distance(a, b, laws::largest(b));
}

/// Numbers of any scalar as they are without derivatives, in the first lane or in another.
template <class T, int N>
Vec<double, N> plain(const Vec<T, N>& x, int lane = 0) {
  return detail::map_all<double>(x, [&](const T& entry) {
    const auto value = value_of(entry);
    if constexpr (PackReal<Value<T>>)
      return static_cast<double>(value[lane]);
    else
      return static_cast<double>(value);
  });
}

/// x with its derivatives along the columns of `directions`; over a pack, lane l is column l of x.
template <class D, int N, int C, int K>
Vec<D, N> along(const Mat<double, N, C>& x, const Mat<double, N, K>& directions) {
  Vec<D, N> y;
  for (int i = 0; i < N; ++i) {
    if constexpr (PackReal<D>) {
      for (int lane = 0; lane < D::width; ++lane) y[i].set(lane, x(i, lane));
    } else if constexpr (DualReal<D>) {
      y[i].value() = along<typename D::Scalar, N, C, K>(x, directions)[i];
      for (int k = 0; k < D::size; ++k) y[i].set_derivative(k, static_cast<Number<D>>(directions(i, k)));
    } else {
      y[i] = static_cast<D>(x(i, 0));
    }
  }
  return y;
}

/// Points, or directions, a column each.
template <int Rows, int Columns>
Mat<double, Rows, Columns> random_columns(laws::Random<double>& random) {
  Mat<double, Rows, Columns> drawn;
  for (int column = 0; column < Columns; ++column) drawn.col(column) = random.template vector<Rows>();
  return drawn;
}

/// Check a system over the three scalars that see most of it in little time: double, long double for differences, and dual packs.
template <class System, class Extended>
void same_over_dual_packs(const char* name, const System& system, const Extended& extended) {
  CAPTURE(name);
  constexpr int n = arguments<System>, m = results<System>;
  constexpr double few = 1e-13;
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const Mat<double, n, 2> x = random_columns<n, 2>(random);
    const Mat<double, n, 3> directions = random_columns<n, 3>(random);
    using D = Dual<Pack<double, 2>, 3>;
    const Vec<D, m> y = evaluate(system, along<D>(x, directions));
    for (int lane = 0; lane < 2; ++lane) {
      const Vec<double, n> at = x.col(lane);
      CHECK(apart(plain(y, lane), evaluate(system, at)) <= few);
      for (int k = 0; k < 3; ++k) {
        const auto slope =
            detail::map_all<double>(y, [=](const D& entry) { return entry.derivative(k)[lane]; });
        const Vec<long double, n> step =
            detail::convert_all<long double>(Vec<double, n>(1e-6 * directions.col(k)));
        const Vec<long double, n> from = detail::convert_all<long double>(at);
        const Vec<long double, m> change = evaluate(extended, Vec<long double, n>(from + step)) -
                                           evaluate(extended, Vec<long double, n>(from - step));
        CHECK(apart(plain(Vec<long double, m>(change / 2e-6L)), slope) <= 1e-9);
      }
    }
  }
}

}  // namespace scalar_laws
