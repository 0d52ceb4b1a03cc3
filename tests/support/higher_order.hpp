#pragma once

/// @file
/// Systems with rows of order 3 and above, with what is known about them in closed form.

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/higher_order.hpp>

namespace test {

/// A particle on a line with a constant jerk: x = x₀ + v₀t + a₀t²/2 + jt³/6, μ = m(a₀ + jt).
template <class S = double>
struct ConstantJerk {
  using Group = dalembert::Rn<S, 1>;
  S m = S(1.7), j = S(0.8);

  template <class T>
  T lagrangian(const dalembert::Vec<T, 1>& v) const {
    return m * v[0] * v[0] / 2;
  }
  template <class T>
  T jerk_constraint(const dalembert::Vec<T, 1>&, const dalembert::Vec<T, 1>&,
                    const dalembert::Vec<T, 1>& jerk) const {
    return jerk[0] - j;
  }
  dalembert::Mat<S, 1> variational() const { return dalembert::Mat<S, 1>::Ones(); }
};

/// A particle on a line whose fourth derivative is constant: μ = m ẍ, μ̇ = m x⃛, d²μ/dt² = mq.
template <class S = double>
struct ConstantSnap {
  using Group = dalembert::Rn<S, 1>;
  static constexpr int higher_order = 4;
  S m = S(1.7), q = S(-0.6);

  template <class T>
  T lagrangian(const dalembert::Vec<T, 1>& v) const {
    return m * v[0] * v[0] / 2;
  }
  template <class T>
  T higher_constraint(const std::array<dalembert::Vec<T, 1>, 4>& rates) const {
    return rates[3][0] - q;
  }
  dalembert::Mat<S, 1> variational() const { return dalembert::Mat<S, 1>::Ones(); }
};

/// Chaplygin's sleigh whose turning has a constant second rate, by a torque along ω: rows of orders 1 and 3.
///   v = 0, ω̈ = j:  ω = ω₀ + α₀t + jt²/2,  u = u₀ + a ∫ω² dt,  μ = Kω̇ + mauω,  K = I + ma²
template <class S = double>
struct SleighOfMixedOrders {
  using Group = dalembert::SE2<S>;
  static constexpr std::array<std::string_view, 2> constraint_names = {"slip", "turning"};
  S m = S(1.5), inertia = S(0.7), a = S(0.4), j = S(0.3);

  template <class T>
  T lagrangian(const dalembert::Vec<T, 3>& xi) const {
    const T across = xi[1] + a * xi[2];
    return (m * (xi[0] * xi[0] + across * across) + inertia * xi[2] * xi[2]) / 2;
  }
  template <class T>
  T velocity_constraint(const dalembert::Vec<T, 3>& xi) const {
    return xi[1];
  }
  template <class T>
  T jerk_constraint(const dalembert::Vec<T, 3>&, const dalembert::Vec<T, 3>&,
                    const dalembert::Vec<T, 3>& jerk) const {
    return jerk[2] - j;
  }
  dalembert::Mat<S, 2, 3> variational() const {
    dalembert::Mat<S, 2, 3> rows;
    rows << 0, 1, 0, 0, 0, 1;
    return rows;
  }

  /// μ at a turning acceleration α.
  S torque(S u, S omega, S alpha) const { return (inertia + m * a * a) * alpha + m * a * u * omega; }
  /// (u, ω, φ, μ) at time t after u₀, ω₀ and α₀.
  dalembert::Vec<S, 4> exact(S u0, S omega0, S alpha0, S t) const {
    const S omega = omega0 + alpha0 * t + j * t * t / 2, t2 = t * t;
    const S squares = omega0 * omega0 * t + omega0 * alpha0 * t2 +
                      (alpha0 * alpha0 + omega0 * j) * t * t2 / 3 + alpha0 * j * t2 * t2 / 4 +
                      j * j * t * t2 * t2 / 20;
    const S u = u0 + a * squares;
    return {u, omega, omega0 * t + alpha0 * t2 / 2 + j * t * t2 / 6, torque(u, omega, alpha0 + j * t)};
  }
};

/// A body about a point, driven, under a gravity that grows, a row of order 1 that depends on attitude and time, a row that is not affine in its highest
/// rate, and reactions of neither's making: nothing about it is special. `order` is that of the second row.
template <class S = double, int order = 3>
struct AnyBody {
  using Group = dalembert::SO3<S>;
  static constexpr int higher_order = order;

  template <class T>
  T lagrangian(const dalembert::SO3<T>& g, const dalembert::Vec<T, 3>& w, const T& t) const {
    const dalembert::Vec<T, 3> centre = g.act(dalembert::Vec<T, 3>(S(0.1), S(-0.2), S(0.5)));
    const T twice = w[0] * w[0] + S(1.4) * w[1] * w[1] + S(0.9) * w[2] * w[2] + S(0.2) * w[0] * w[1];
    return twice / 2 - (3 + S(0.8) * t) * centre[2];
  }
  template <class T>
  T velocity_constraint(const dalembert::SO3<T>& g, const dalembert::Vec<T, 3>& w, const T& t) const {
    using std::sin;
    const dalembert::Vec<T, 3> up = g.inverse().act(dalembert::Vec<T, 3>(0, 0, 1));
    return w[2] + S(0.4) * up[0] * w[0] - S(0.3) * sin(t);
  }
  template <class T>
  T higher_constraint(const dalembert::SO3<T>& g,
                      const std::array<dalembert::Vec<T, 3>, static_cast<std::size_t>(order)>& x,
                      const T& t) const {
    using std::cos;
    const dalembert::Vec<T, 3> up = g.inverse().act(dalembert::Vec<T, 3>(0, 0, 1));
    const T top = x[order - 1][0] + S(0.5) * x[order - 1][1];
    return top + S(0.2) * top * top * top + x[0][1] * x[order - 2][2] + up[1] - S(0.7) * cos(t);
  }
  template <class T>
  dalembert::Mat<T, 2, 3> variational(const dalembert::SO3<T>& g, const dalembert::Vec<T, 3>& w) const {
    const dalembert::Vec<T, 3> up = g.inverse().act(dalembert::Vec<T, 3>(0, 0, 1));
    dalembert::Mat<T, 2, 3> rows;
    rows << T(0.1), up[2], T(1), T(1) + S(0.1) * w[1] * w[1], S(0.3) * up[0], T(-0.2);
    return rows;
  }
  template <class T>
  dalembert::Vec<T, 3> force(const dalembert::Vec<T, 3>& w, const T& t) const {
    return {S(-0.1) * w[0], S(0.2) * t, S(-0.1) * w[2] * w[2] * w[2]};
  }
};

}  // namespace test
