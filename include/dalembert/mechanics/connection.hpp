#pragma once

#include <array>
#include <cstddef>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Mechanics in a moving frame of coordinates q ∈ Rᴺ: the columns f_b(q) of an invertible matrix,
/// quasi-velocities v with q̇ = f_b v^b, the kinetic energy ½κ_ab v^a v^b. Sums over repeated indices; f_d
/// φ is the derivative of φ along f_d; κ^ab is the inverse of κ_ab, λ that of f.
///   [f_b, f_c] = C^a_bc f_a                                                                          (1)
///   ∇_{f_c} f_b = W^a_bc f_a, with b the vector that is differentiated and c the direction            (2)
///   W^e_gd = ½κ^eb(f_d κ_gb + f_g κ_db − f_b κ_dg)
///            + ½(C^e_dg + κ_ag κ^eb C^a_bd + κ_ad κ^eb C^a_bg)                  (3)
///   W^a_bc = λ^a_i Γ^i_jk f^j_b f^k_c + λ^a_i (∂_k f^i_b) f^k_c              (4)
///   v̇^a = −W^a_bc v^b v^c                                                                            (5)
///   v̇^a = −κ^ad[f_c κ_db − ½ f_d κ_bc − κ_ec C^e_bd] v^b v^c                 (6)
///   d/dt ∂L/∂v^a − f_a L − ∂L/∂v^c C^c_ba v^b = r_a, the reaction, 0 unless v^a is held  (7)
/// (2) is symmetric in the sense that C^a_bc = W^a_cb − W^a_bc (no torsion) and keeps κ. Frames and
/// metrics are functions of q, templates over the scalar like all that core/autodiff.hpp differentiates.
/// Sizes are fixed, nothing is allocated.
/// Sources: Eldering 2016, appendix A: (3) is its (42) with the sign of the last term corrected, (4) its
/// (44), (5) its (43), (6) its (45) with sign and index of the last term corrected; (7) Hamel 1904.
namespace dalembert {

/// Numbers with one index above and two below, like C^a_bc.
template <Real S, int N>
class FrameCoefficients {
 public:
  /// Numbers that are not set yet.
  FrameCoefficients() = default;
  /// The numbers f(a, b, c).
  template <class F>
  explicit FrameCoefficients(const F& f) {
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b)
        for (int c = 0; c < N; ++c) (*this)(a, b, c) = f(a, b, c);
  }
  /// The number with a above and b, c below.
  [[nodiscard]] const S& operator()(int a, int b, int c) const noexcept {
    return numbers_[static_cast<std::size_t>(a)](b, c);
  }
  /// The same, to be written.
  [[nodiscard]] S& operator()(int a, int b, int c) noexcept {
    return numbers_[static_cast<std::size_t>(a)](b, c);
  }

 private:
  std::array<Mat<S, N>, static_cast<std::size_t>(N)> numbers_;
};

namespace detail {

/// A matrix that depends on q, and its derivatives.
template <class S, int N>
struct MatrixField {
  Mat<S, N> value;
  FrameCoefficients<S, N> slope;  ///< slope(k, i, j) = ∂_k of entry (i, j)

  template <class Field>
  MatrixField(const Field& field, const Vec<S, N>& q) {
    const Mat<Dual<S, N>, N> lifted = field(seeded(q));
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        value(i, j) = lifted(i, j).value();
        for (int k = 0; k < N; ++k) slope(k, i, j) = lifted(i, j).derivative(k);
      }
  }

  /// f_d of entry (i, j), for each d.
  [[nodiscard]] FrameCoefficients<S, N> along(const Mat<S, N>& frame) const {
    return FrameCoefficients<S, N>([&](int d, int i, int j) {
      S sum = 0;
      for (int k = 0; k < N; ++k) sum += frame(k, d) * slope(k, i, j);
      return sum;
    });
  }
};

/// The inverse of a matrix. Throws std::invalid_argument, naming it, if it has none.
template <class S, int N>
[[nodiscard]] Mat<S, N> inverse(const Mat<S, N>& matrix, const char* name) {
  Vec<S, N> rows, columns = Vec<S, N>::Ones();
  for (int i = 0; i < N; ++i) rows[i] = matrix.row(i).squaredNorm();
  Mat<S, N> out;
  for (int j = 0; j < N; ++j) {
    Vec<S, N> column = Vec<S, N>::Unit(j);
    require(linalg::solve_square<S, N>(matrix, rows, columns, column), "connection", name, "singular",
            "it must have an inverse");
    out.col(j) = column;
  }
  return out;
}

/// (1), where the frame and its derivatives are known.
template <class S, int N>
[[nodiscard]] FrameCoefficients<S, N> brackets(const MatrixField<S, N>& frame) {
  const Mat<S, N> dual = inverse<S, N>(frame.value, "frame");
  const FrameCoefficients<S, N> slope = frame.along(frame.value);
  return FrameCoefficients<S, N>([&](int a, int b, int c) {
    S sum = 0;
    for (int i = 0; i < N; ++i) sum += dual(a, i) * (slope(b, i, c) - slope(c, i, b));
    return sum;
  });
}

/// κ_ae C^e_bd, with a in the place of the upper index.
template <class S, int N>
[[nodiscard]] FrameCoefficients<S, N> lowered(const Mat<S, N>& metric, const FrameCoefficients<S, N>& x) {
  return FrameCoefficients<S, N>([&](int a, int b, int c) {
    S sum = 0;
    for (int e = 0; e < N; ++e) sum += metric(a, e) * x(e, b, c);
    return sum;
  });
}

}  // namespace detail

/// The metric κ_ab = κ_ij f^i_a f^j_b in a frame, as a function of q, of one given in coordinates.
template <class Frame, class Metric>
[[nodiscard]] auto in_frame(const Frame& frame, const Metric& metric) {
  return [frame, metric](const auto& q) {
    using T = typename std::decay_t<decltype(q)>::Scalar;
    constexpr int n = std::decay_t<decltype(q)>::RowsAtCompileTime;
    const Mat<T, n> f = frame(q), k = metric(q);
    Mat<T, n> out;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        T sum = T(0);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) sum += T(f(i, a) * T(k(i, j) * f(j, b)));
        out(a, b) = sum;
      }
    return out;
  };
}

/// The structure functions C^a_bc of (1) at q. Throws std::invalid_argument where the frame is singular.
template <class Frame, PlainReal S, int N>
[[nodiscard]] FrameCoefficients<S, N> structure_functions(const Frame& frame, const Vec<S, N>& q) {
  return detail::brackets(detail::MatrixField<S, N>(frame, q));
}

/// The connection coefficients W^a_bc by (3) at q, from the metric in the frame. Throws std::invalid_argument
/// where frame or metric is singular.
template <class Frame, class FrameMetric, PlainReal S, int N>
[[nodiscard]] FrameCoefficients<S, N> connection(const Frame& frame, const FrameMetric& frame_metric,
                                                 const Vec<S, N>& q) {
  const detail::MatrixField<S, N> f(frame, q), k(frame_metric, q);
  const FrameCoefficients<S, N> slope = k.along(f.value), C = detail::lowered(k.value, detail::brackets(f));
  const FrameCoefficients<S, N> below([&](int b, int g, int d) {  // κ_be W^e_gd
    return (slope(d, g, b) + slope(g, d, b) - slope(b, d, g) + C(b, d, g) + C(g, b, d) + C(d, b, g)) / 2;
  });
  return detail::lowered(detail::inverse<S, N>(k.value, "metric"), below);
}

/// The Christoffel symbols Γ^i_jk at q of a metric in coordinates. Throws std::invalid_argument where it is
/// singular.
template <class Metric, PlainReal S, int N>
[[nodiscard]] FrameCoefficients<S, N> christoffel_symbols(const Metric& metric, const Vec<S, N>& q) {
  const detail::MatrixField<S, N> k(metric, q);
  const FrameCoefficients<S, N> below(
      [&](int l, int i, int j) { return (k.slope(i, l, j) + k.slope(j, l, i) - k.slope(l, i, j)) / 2; });
  return detail::lowered(detail::inverse<S, N>(k.value, "metric"), below);
}

/// The connection coefficients W^a_bc by (4) at q, from the metric in coordinates. Throws
/// std::invalid_argument where frame or metric is singular.
template <class Frame, class Metric, PlainReal S, int N>
[[nodiscard]] FrameCoefficients<S, N> connection_from_coordinates(const Frame& frame, const Metric& metric,
                                                                  const Vec<S, N>& q) {
  const detail::MatrixField<S, N> f(frame, q);
  const FrameCoefficients<S, N> slope = f.along(f.value), gamma = christoffel_symbols(metric, q);
  // the components of ∇_{f_c} f_b in coordinates
  const FrameCoefficients<S, N> in_coordinates([&](int i, int b, int c) {
    S sum = slope(c, i, b);
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) sum += gamma(i, j, k) * f.value(j, b) * f.value(k, c);
    return sum;
  });
  return detail::lowered(detail::inverse<S, N>(f.value, "frame"), in_coordinates);
}

/// v̇ of free motion by (5), from the connection coefficients.
template <PlainReal S, int N>
[[nodiscard]] Vec<S, N> free_acceleration(const FrameCoefficients<S, N>& W, const Vec<S, N>& v) {
  Vec<S, N> out = Vec<S, N>::Zero();
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b)
      for (int c = 0; c < N; ++c) out[a] -= W(a, b, c) * v[b] * v[c];
  return out;
}

/// v̇ of free motion by (6), from the metric in the frame. Throws std::invalid_argument where frame or
/// metric is singular.
template <class Frame, class FrameMetric, PlainReal S, int N>
[[nodiscard]] Vec<S, N> free_acceleration(const Frame& frame, const FrameMetric& frame_metric,
                                          const Vec<S, N>& q, const Vec<S, N>& v) {
  const detail::MatrixField<S, N> f(frame, q), k(frame_metric, q);
  const FrameCoefficients<S, N> slope = k.along(f.value), C = detail::lowered(k.value, detail::brackets(f));
  Vec<S, N> force = Vec<S, N>::Zero();
  for (int d = 0; d < N; ++d)
    for (int b = 0; b < N; ++b)
      for (int c = 0; c < N; ++c)
        force[d] -= (slope(c, d, b) - slope(d, b, c) / 2 - C(c, b, d)) * v[b] * v[c];
  return detail::inverse<S, N>(k.value, "metric") * force;
}

/// What Hamel's equations answer.
template <PlainReal S, int N>
struct HamelRates {
  Vec<S, N> qdot;      ///< f v
  Vec<S, N> vdot;      ///< of which held ones are 0
  Vec<S, N> reaction;  ///< r_a of (7), dual to v^a; 0 where v^a is not held
};

/// Hamel's equations (7) at (q, v) for a Lagrangian L(q, v) in quasi-velocities, a template over the scalar
/// of both. Velocities that are `held` are constrained to be 0, holonomically or not, under d'Alembert's
/// principle. Throws std::invalid_argument where the frame is singular, where ∂²L/∂v² is not positive,
/// or if a held velocity is not 0.
template <class Frame, class Lagrangian, PlainReal S, int N>
[[nodiscard]] HamelRates<S, N> hamel_rates(const Frame& frame, const Lagrangian& lagrangian,
                                           const Vec<S, N>& q, const Vec<S, N>& v,
                                           const std::array<bool, N>& held = {}) {
  const detail::MatrixField<S, N> f(frame, q);
  const FrameCoefficients<S, N> C = detail::brackets(f);
  HamelRates<S, N> out{f.value * v, Vec<S, N>::Zero(), Vec<S, N>::Zero()};

  // ∂L/∂v with derivatives by v and, last, along the motion at constant v
  using D = Dual<S, N + 1>;
  Vec<D, N> q_lifted, v_lifted;
  for (int i = 0; i < N; ++i) {
    q_lifted[i] = D(q[i]);
    q_lifted[i].set_derivative(N, out.qdot[i]);
    v_lifted[i] = D::variable(v[i], i);
  }
  const auto of_v = [&](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    return T(lagrangian(detail::convert_all<T>(q_lifted), x));
  };
  const Vec<D, N> p = gradient(of_v, v_lifted);
  const auto of_q = [&](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    return T(lagrangian(x, detail::convert_all<T>(v)));
  };
  const Vec<S, N> slope = gradient(of_q, q);

  Mat<S, N> mass, free_mass;
  Vec<S, N> force;
  for (int a = 0; a < N; ++a) {
    const bool is_held = held[static_cast<std::size_t>(a)];
    require(!is_held || v[a] == 0, "hamel_rates", "held velocity", v[a], "a held velocity must be 0");
    force[a] = f.value.col(a).dot(slope) - p[a].derivative(N);
    for (int b = 0; b < N; ++b) {
      mass(a, b) = p[a].derivative(b);
      const bool both_free = !is_held && !held[static_cast<std::size_t>(b)];
      free_mass(a, b) = both_free ? mass(a, b) : S(a == b ? 1 : 0);
      for (int c = 0; c < N; ++c) force[a] += p[c].value() * C(c, b, a) * v[b];
    }
    out.vdot[a] = is_held ? S(0) : force[a];
  }
  linalg::SmallLDLT<S, N> factor;
  require(factor.compute(free_mass), "hamel_rates", "mass", "not positive",
          "the Lagrangian must be convex in the velocities that are free");
  factor.solve_lower(out.vdot);
  factor.solve_upper(out.vdot);
  for (int a = 0; a < N; ++a)
    if (held[static_cast<std::size_t>(a)]) out.reaction[a] = mass.row(a).dot(out.vdot) - force[a];
  return out;
}

}  // namespace dalembert
