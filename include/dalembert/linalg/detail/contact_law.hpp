#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/detail/central_contact.hpp>

/// Coulomb's law at one contact, of the components normal, tangent 1, tangent 2.
///   u = b + G P,   0 ≤ P_n ⟂ u_n ≥ 0,   |P_t| ≤ μ P_n,
///     u_t ≠ 0 ⇒ P_t = −μ P_n u_t/|u_t|  (1)
namespace dalembert::linalg::detail {

/// √(x² + y²) of numbers whose squares neither overflow nor underflow; of floats in double.
template <class S>
[[nodiscard]] S size_of(S x, S y) {
  if constexpr (std::is_same_v<S, float>)
    return static_cast<float>(size_of<double>(x, y));
  else
    return number::sqrt(S(x * x + y * y));
}

/// The point of the cone |y_t| ≤ μ y_n that is nearest to y.
template <class S>
[[nodiscard]] Vec<S, 3> on_cone(const Vec<S, 3>& y, S mu) {
  const S t = size_of(y[1], y[2]);
  if (y[0] >= S(0) && t <= mu * y[0]) return y;  // 0 ≤ −0, were it not for the first
  if (y[0] + mu * t <= S(0)) return Vec<S, 3>::Zero();
  const S n = (y[0] + mu * t) / (S(1) + mu * mu);
  return {n, mu * n * y[1] / t, mu * n * y[2] / t};
}

/// What (1) tends to as μ → ∞, as a distance from it: the contact sticks, u = 0; or it is open, P = 0;
/// or, where neither is possible, it jams: P_n = u_n = 0, P_t against u_t, of any size.
template <class S>
[[nodiscard]] S distance_without_bound(const Vec<S, 3>& P, const Vec<S, 3>& u, S rho) {
  const S force = size_of(P[1], P[2]), slip = size_of(u[1], u[2]);
  const S sticks = std::max(S(-P[0]), S(rho * u.norm()));
  const S open = std::max(P.norm(), S(-rho * u[0]));
  const S product = P[1] * u[1] + P[2] * u[2], across = P[1] * u[2] - P[2] * u[1];
  // as far as the projection on |P_t| = const would move P_t − ρu_t aside
  const S aside =
      slip > S(0) && force > S(0) ? S(std::abs(across) * std::min(S(1) / slip, rho / force)) : S(0);
  const S along = product > S(0) ? std::min(force, S(rho * slip)) : S(0);
  const S jams = std::max({S(std::abs(P[0])), S(rho * std::abs(u[0])), aside, along});
  return std::min({sticks, open, jams});
}

/// |P − proj_K(P − ρ(u + μ|u_t|n))|, zero where (1) holds; its like for μ = ∞.
template <class S>
[[nodiscard]] S natural_map(const Vec<S, 3>& P, const Vec<S, 3>& u, S mu, S rho) {
  if (!std::isfinite(mu)) return distance_without_bound(P, u, rho);
  const Vec<S, 3> y(P[0] - rho * (u[0] + mu * size_of(u[1], u[2])), P[1] - rho * u[1], P[2] - rho * u[2]);
  return Vec<S, 3>(P - on_cone(y, mu)).norm();
}

/// u of (1).
template <class S>
[[nodiscard]] Vec<S, 3> velocity_after(const Mat<S, 3>& G, const Vec<S, 3>& b, const Vec<S, 3>& P) {
  const Vec<S, 3> change = G * P;
  return b + change;
}

/// (1) where the contact slips: the direction d of P_t = μ P_n d for which u_n = 0 and u_t points along
/// −d.
template <class S>
[[nodiscard]] Vec<S, 3> slipping(const Mat<S, 3>& G, const Vec<S, 3>& b, S mu) {
  const auto at = [&](S angle) {
    const S c = std::cos(angle), s = std::sin(angle);
    const S against = G(0, 0) + mu * (G(0, 1) * c + G(0, 2) * s);  // u_n = b_n + P_n against
    const S n = against > S(0) ? S(-b[0] / against) : std::numeric_limits<S>::quiet_NaN();
    return Vec<S, 3>(n, mu * n * c, mu * n * s);
  };
  const auto across = [&](S angle) {  // u_t × d
    const Vec<S, 3> u = velocity_after(G, b, at(angle));
    return S(u[1] * std::sin(angle) - u[2] * std::cos(angle));
  };
  const auto opposed = [&](S angle) {
    const Vec<S, 3> u = velocity_after(G, b, at(angle));
    return u[1] * std::cos(angle) + u[2] * std::sin(angle) <= S(0);
  };
  constexpr int samples = 48;
  const S step = S(2) * S(pi) / S(samples), first = S(0.04321);  // roots often lie along the axes
  S before = across(first);
  for (int k = 1; k <= samples; ++k) {
    S low = first + step * S(k - 1), high = first + step * S(k);
    const S after = across(high);
    if (std::isfinite(before) && std::isfinite(after) && (before <= S(0)) != (after <= S(0))) {
      const bool falls = after <= S(0);
      for (int i = 0; i < 100; ++i) {
        const S middle = low + (high - low) / S(2);
        if (!(middle > low && middle < high)) break;
        ((across(middle) <= S(0)) == falls ? high : low) = middle;
      }
      if (opposed(low)) return at(low);
    }
    before = after;
  }
  return Vec<S, 3>::Zero();
}

/// G x = b by Gauss's method with the largest pivot first; unknowns without a pivot are zero.
template <class S>
[[nodiscard]] Vec<S, 3> solved_three(Mat<S, 3> G, Vec<S, 3> b) {
  int column[3] = {0, 1, 2}, rank = 0;
  S first(0);
  for (; rank < 3; ++rank) {
    int row = rank, best = rank;
    for (int i = rank; i < 3; ++i)
      for (int j = rank; j < 3; ++j)
        if (std::abs(G(i, j)) > std::abs(G(row, best))) row = i, best = j;
    const S pivot = std::abs(G(row, best));
    if (rank == 0) first = pivot;
    if (!(pivot > S(16) * std::numeric_limits<S>::epsilon() * first)) break;
    for (int k = 0; k < 3; ++k) std::swap(G(row, k), G(rank, k));
    std::swap(b[row], b[rank]);
    for (int k = 0; k < 3; ++k) std::swap(G(k, best), G(k, rank));
    std::swap(column[best], column[rank]);
    for (int i = rank + 1; i < 3; ++i) {
      const S factor = G(i, rank) / G(rank, rank);
      for (int k = rank; k < 3; ++k) G(i, k) -= factor * G(rank, k);
      b[i] -= factor * b[rank];
    }
  }
  Vec<S, 3> x = Vec<S, 3>::Zero();
  for (int i = rank - 1; i >= 0; --i) {
    S left = b[i];
    for (int k = i + 1; k < rank; ++k) left -= G(i, k) * x[column[k]];
    x[column[i]] = left / G(i, i);
  }
  return x;
}

/// Whether a normal impulse makes a contact slip, but for rounding, and the others make it part.
template <class S>
[[nodiscard]] bool is_central(const Mat<S, 3>& G) {
  return std::max(std::abs(G(0, 1)), std::abs(G(0, 2))) <= S(1e-12) * (G(0, 0) + G(1, 1) + G(2, 2));
}

/// (1) for a contact with G_nt = 0: exact; see central_contact.hpp.
template <class S>
[[nodiscard]] Vec<S, 3> central_contact(const Mat<S, 3>& G, const Vec<S, 3>& b, S mu,
                                        const Vec<S, 2>& before = {S(0), S(0)}) {
  const CentralResponse<S> response{G(0, 0), G(1, 1), G(2, 2), G(1, 2)};
  const auto P = central_impulse<S>(response, {b[0], b[1], b[2]}, mu, before[0], before[1]);
  return {P.normal, P.first, P.second};
}

/// (1) for one contact alone. Where several solutions are possible, as with strong friction and an arm that
/// is not along the normal, one of them.
template <class S>
[[nodiscard]] Vec<S, 3> solved_contact(const Mat<S, 3>& G, const Vec<S, 3>& b, S mu) {
  if (b[0] >= S(0) || !(G(0, 0) > S(0))) return Vec<S, 3>::Zero();
  if (!(mu > S(0)) || is_central(G)) return central_contact(G, b, mu);
  Vec<S, 3> sticks = solved_three(G, Vec<S, 3>(-b));
  const bool holds =
      velocity_after(G, b, sticks).norm() <= S(1e3) * std::numeric_limits<S>::epsilon() * b.norm();
  if (holds && sticks[0] >= S(0) && (!std::isfinite(mu) || size_of(sticks[1], sticks[2]) <= mu * sticks[0]))
    return sticks;
  if (std::isfinite(mu)) return slipping(G, b, mu);
  Vec<S, 3> jammed = slipping(G, b, S(1e6));
  jammed[0] = S(0);
  return jammed;
}

}  // namespace dalembert::linalg::detail
