#pragma once

#include <array>
#include <cstddef>

/// Nodes and weights of collocation methods on [0, 1], computed when the program is compiled, to round-off of
/// long double: a method that conserves energy for a million steps needs more digits of its coefficients than
/// the numbers it steps have.
///   Gauss    c_i zeros of P_s(2c − 1)                                  order 2s
///   Radau    c_i zeros of P_s(2c − 1) − P_{s−1}(2c − 1), c_s = 1       order 2s − 1
///   ∫₀ᵗ l_j, the integral of the Lagrange polynomial of node j: a_ij for t = c_i, b_j for t = 1    (1)
/// Source: Hairer, Wanner 1996, section IV.5.
namespace dalembert::collocation {

/// One number per node.
template <int Count>
using Row = std::array<long double, static_cast<std::size_t>(Count)>;

namespace detail {

struct Legendre {
  long double value;   ///< P_n(x)
  long double before;  ///< P_{n−1}(x)
  long double slope;   ///< P′_n(x)
};

/// P_n, n ≥ 1, by the recurrence of Bonnet.
[[nodiscard]] constexpr Legendre legendre(int n, long double x) noexcept {
  Legendre p{x, 1, 1};
  for (int k = 2; k <= n; ++k) {
    const long double value = ((2 * k - 1) * x * p.value - (k - 1) * p.before) / k;
    p = {value, p.value, x * p.slope + k * p.value};
  }
  return p;
}

/// The `Count` zeros in (0, 1) of a function whose zeros are simple and at least 0.01 apart.
template <int Count, class F>
[[nodiscard]] constexpr Row<Count> zeros(const F& f) noexcept {
  Row<Count> found{};
  std::size_t next = 0;
  constexpr int cells = 201;  // odd: no zero of ours lies on the border of a cell
  for (int cell = 0; cell < cells && next < found.size(); ++cell) {
    long double low = static_cast<long double>(cell) / cells,
                high = static_cast<long double>(cell + 1) / cells;
    const bool rises = f(low) < 0;
    if (rises == (f(high) < 0)) continue;
    for (long double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2)
      ((f(middle) < 0) == rises ? low : high) = middle;
    found[next++] = high;
  }
  return found;
}

/// One zero less, and then the end of the step.
template <int Count, class F>
[[nodiscard]] constexpr Row<Count> zeros_and_end(const F& f) noexcept {
  const Row<Count - 1> inner = zeros<Count - 1>(f);
  Row<Count> points{};
  for (std::size_t i = 0; i < inner.size(); ++i) points[i] = inner[i];
  points[Count - 1] = 1;
  return points;
}

/// The Gauss rule with n points: exact for polynomials of degree 2n − 1.
template <int N>
struct GaussRule {
  Row<N> node = zeros<N>([](long double c) { return legendre(N, 2 * c - 1).value; });  ///< c_i
  Row<N> weight = weights(node);                                                       ///< b_i

  [[nodiscard]] static constexpr Row<N> weights(const Row<N>& nodes) noexcept {
    Row<N> b{};
    for (std::size_t i = 0; i < b.size(); ++i) {
      const long double x = 2 * nodes[i] - 1;
      const long double slope = legendre(N, x).slope;
      b[i] = 1 / ((1 - x * x) * slope * slope);
    }
    return b;
  }
};

}  // namespace detail

/// l_j(t) of (1).
template <std::size_t Count>
[[nodiscard]] constexpr long double lagrange(const std::array<long double, Count>& nodes, std::size_t j,
                                             long double t) noexcept {
  long double product = 1;
  for (std::size_t k = 0; k < Count; ++k)
    if (k != j) product *= (t - nodes[k]) / (nodes[j] - nodes[k]);
  return product;
}

/// (1), for every j.
template <std::size_t Count>
[[nodiscard]] constexpr std::array<long double, Count> integrals(const std::array<long double, Count>& nodes,
                                                                 long double t) noexcept {
  constexpr detail::GaussRule<static_cast<int>(Count)> rule;
  std::array<long double, Count> sums{};
  for (std::size_t j = 0; j < Count; ++j)
    for (std::size_t q = 0; q < Count; ++q)
      sums[j] += t * rule.weight[q] * lagrange(nodes, j, t * rule.node[q]);
  return sums;
}

/// What `Collocation` asks of a family: `stages`, `order`, `symmetric`, the nodes, and as many points, the
/// last of which is 1, at which constraints are imposed.
template <class F>
concept Family = requires {
  requires(F::stages > 0);
  requires(F::order > 0);
  F::symmetric || true;
  F::nodes[0];
  requires(F::held[F::stages - 1] == 1);
};

/// Gauss methods: symmetric, symplectic where nothing constrains, A-stable. Constraints are imposed at the
/// points of Lobatto, the zeros of P′_s, and at the end of the step.
template <int Stages>
  requires(1 <= Stages && Stages <= 6)
struct Gauss {
  static constexpr int stages = Stages;                                   ///< s
  static constexpr int order = 2 * Stages;                                ///< order of convergence
  static constexpr bool symmetric = true;                                 ///< its adjoint is itself
  static constexpr Row<Stages> nodes = detail::GaussRule<Stages>().node;  ///< c_i
  /// Where constraints are imposed.
  static constexpr Row<Stages> held =
      detail::zeros_and_end<Stages>([](long double c) { return detail::legendre(Stages, 2 * c - 1).slope; });
};

/// Radau IIA methods: stiffly accurate and L-stable. Constraints are imposed at the nodes.
template <int Stages>
  requires(2 <= Stages && Stages <= 3)
struct Radau {
  static constexpr int stages = Stages;         ///< s
  static constexpr int order = 2 * Stages - 1;  ///< order of convergence
  static constexpr bool symmetric = false;      ///< its adjoint is itself
  /// c_i.
  static constexpr Row<Stages> nodes = detail::zeros_and_end<Stages>([](long double c) {
    const detail::Legendre p = detail::legendre(Stages, 2 * c - 1);
    return p.value - p.before;
  });
  static constexpr Row<Stages> held = nodes;  ///< where constraints are imposed
};

}  // namespace dalembert::collocation
