#pragma once

#include <cmath>
#include <string_view>

#include <dalembert/assembly/constraint.hpp>

/// The rows of two round sides that roll on each other. From the centre x₁ of the one, of radius a₁, to the centre x₂ of the other leads
/// κ = x₂ − x₁, n = κ/|κ|; they touch at x₁ + f₁κ = x₂ − f₂κ, f = a/(a₁ + a₂), where the material of both moves alike:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ                                                                              (1)
namespace dalembert::contact::detail {

using dalembert::detail::Triple;

/// (1) [m/s].
template <class S, class T>
[[nodiscard]] Vec<T, 3> rolling_velocity(S f1, const assembly::Seen<T>& a, const assembly::Seen<T>& b) {
  const Vec<T, 3> kappa = b.position - a.position;
  const Vec<T, 3> spin = T(f1) * a.spin + T(S(1) - f1) * b.spin;
  return a.velocity - b.velocity + spin.cross(kappa);
}

/// The rows of (1).
template <class S>
[[nodiscard]] assembly::Rows<S, 3, 2> rolling_rows(S f1, const assembly::Seen<S>& a,
                                                   const assembly::Seen<S>& b) {
  const Triple<S> between = Triple<S>(b.position) - Triple<S>(a.position);
  const Vec<S, 3> kappa = between;
  assembly::Rows<S, 3, 2> rows;
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    for (std::size_t side = 0; side < 2; ++side) {
      const S share = side == 0 ? f1 : S(1) - f1;
      rows.linear[side](i, i) = side == 0 ? S(1) : S(-1);
      rows.linear[side](i, next) = rows.linear[side](i, last) = rows.angular[side](i, i) = S(0);
      rows.angular[side](i, next) = share * kappa[last];  // (W × κ)ᵢ
      rows.angular[side](i, last) = -share * kappa[next];
    }
    rows.known[i] = S(0);
  }
  return rows;
}

/// Ȧv of (1) [m/s²].
template <class S>
[[nodiscard]] Vec<S, 3> rolling_drift(S f1, const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                      const assembly::Passing<S>& of_a, const assembly::Passing<S>& of_b) {
  const S f2 = S(1) - f1;
  const Triple<S> kappa = Triple<S>(b.position) - Triple<S>(a.position);
  const Triple<S> moved = Triple<S>(of_b.position) - Triple<S>(of_a.position);
  const Triple<S> spin = f1 * Triple<S>(a.spin) + f2 * Triple<S>(b.spin);
  const Triple<S> spun = f1 * Triple<S>(of_a.spin) + f2 * Triple<S>(of_b.spin);
  return Triple<S>(of_a.velocity) - Triple<S>(of_b.velocity) + cross(spun, kappa) + cross(spin, moved);
}

/// n.
template <class S>
[[nodiscard]] Vec<S, 3> between(const assembly::Seen<S>& a, const assembly::Seen<S>& b) {
  const Vec<S, 3> kappa = b.position - a.position;
  return kappa / kappa.norm();
}

}  // namespace dalembert::contact::detail
