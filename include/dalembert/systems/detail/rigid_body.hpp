#pragma once

#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// What systems made of rigid bodies share: products with a tensor of inertia, and the rules that a body
/// obeys.
namespace dalembert::systems::detail {

/// 𝕀x, for a plain tensor and a vector of any scalar.
template <class S, class T>
[[nodiscard]] Vec<T, 3> times(const Mat<S, 3>& inertia, const Vec<T, 3>& x) {
  Vec<T, 3> y;
  for (int i = 0; i < 3; ++i) y[i] = inertia(i, 0) * x[0] + inertia(i, 1) * x[1] + inertia(i, 2) * x[2];
  return y;
}

/// a · b.
template <class T>
[[nodiscard]] T dot(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// det m.
template <class S>
[[nodiscard]] S determinant(const Mat<S, 3>& m) {
  S sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += m(0, i) * (m(1, j) * m(2, k) - m(1, k) * m(2, j));
  }
  return sum;
}

/// Throws std::invalid_argument unless `inertia` can be the tensor of inertia of a rigid body about its
/// centre of mass: finite, symmetric and positive, with no principal moment larger than the sum of the other
/// two.
template <class S>
void require_inertia(const char* class_name, const Mat<S, 3>& inertia) {
  using std::abs;
  for (Eigen::Index i = 0; i < 9; ++i)
    require_finite(class_name, "entry of inertia", inertia.coeff(i), "kg m^2");
  const S half_trace = inertia.trace() / 2;
  const S slack = 64 * std::numeric_limits<S>::epsilon() * abs(half_trace);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    require(abs(inertia(i, j) - inertia(j, i)) <= slack, class_name, "asymmetry of inertia",
            inertia(i, j) - inertia(j, i), "a tensor of inertia must be symmetric [kg m^2]");
  }
  const S minor = inertia(0, 0) * inertia(1, 1) - inertia(0, 1) * inertia(1, 0);
  require(inertia(0, 0) > 0 && minor > 0 && determinant(inertia) > 0, class_name, "determinant of inertia",
          determinant(inertia), "a tensor of inertia must be positive definite [kg m^2]");
  // ∫ρ x xᵀ = ½ tr 𝕀 − 𝕀 is positive or zero, and so are its minors.
  const Mat<S, 3> moments = half_trace * Mat<S, 3>::Identity() - inertia;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const S pair = moments(i, i) * moments(j, j) - moments(i, j) * moments(j, i);
    require(moments(i, i) >= -slack && pair >= -slack * half_trace, class_name, "inertia about an axis",
            inertia(i, i), "a principal moment must not exceed the sum of the other two [kg m^2]");
  }
  require(determinant(moments) >= -slack * half_trace * half_trace, class_name, "trace of inertia",
          2 * half_trace, "a principal moment must not exceed the sum of the other two [kg m^2]");
}

/// Throws std::invalid_argument naming the class unless mass [kg], radius [m] and inertia are those of a
/// ball.
template <class Parameters>
[[nodiscard]] const Parameters& require_ball(const char* class_name, const Parameters& p) {
  require_positive(class_name, "mass", p.mass, "kg");
  require_positive(class_name, "radius", p.radius, "m");
  if constexpr (Real<decltype(Parameters::inertia)>) {
    require_positive(class_name, "inertia", p.inertia, "kg m^2");
  } else {
    require_inertia(class_name, p.inertia);
  }
  return p;
}

}  // namespace dalembert::systems::detail
