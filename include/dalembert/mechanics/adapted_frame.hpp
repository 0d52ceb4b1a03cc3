#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/mechanics/connection.hpp>

/// A frame of coordinates q ∈ Rᴺ that is adapted to K rows A(q) q̇ = 0 and to a kinetic energy
/// ½q̇ᵀM(q)q̇, and the slow motion under a friction ν/ε on the rows in it, to first order, in closed
/// form. With D = ker A,
///   f = (f_1 … f_{N−K}, B),   A f_a = 0,   B = M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹                          (1)
/// so that q̇ = f_a ξ^a + B η has the slip η = Aq̇, and both parts are orthogonal in the metric M:
/// friction is −ν η/ε on η alone. The f_a are those with one free coordinate each of rate 1; which are
/// free is settled once, where the rows are best solved for the others. With W the connection of the frame
/// (mechanics/connection.hpp) and V a potential,
///   ξ̇^a = −W^a_bc v^b v^c − κ^ab f_b V,  η̇ likewise, − S η/ε,   v = (ξ, η),
///     S = AM⁻¹Aᵀν  (2)
///   η = ε c₁ + O(ε²),   S c₁ = −W(ξ)ξ − κ^ab f_b V, the part of D's complement            (3)
///   ξ̇ = X₀ + ε X₁ + O(ε²),   X₁ = −(W(c₁)ξ + W(ξ)c₁), the part of D                  (4)
/// mechanics/slow_manifold.hpp has it to any order, on any group, without a frame.
/// Rows and metric are functions of q, templates over the scalar like all that core/autodiff.hpp
/// differentiates.
/// Source: Eldering 2016, eqs (34), (36), (43).
namespace dalembert {

/// (1), as a function of q. `Rows` gives a Mat<T, K, N>, `Metric` a Mat<T, N>.
template <int N, int K, class Rows, class Metric>
class AdaptedFrame {
  static_assert(0 < K && K < N, "AdaptedFrame: there must be rows, and fewer than coordinates");

 public:
  /// The frame whose free coordinates are chosen at q. Throws std::invalid_argument where the rows depend on
  /// each other.
  template <PlainReal S>
  AdaptedFrame(Rows rows, Metric metric, const Vec<S, N>& q)
      : rows_(std::move(rows)), metric_(std::move(metric)) {
    Mat<S, K, N> a = rows_(q);
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    S largest = 0;
    for (int p = 0; p < K; ++p) {
      int row = p, column = p;
      for (int i = p; i < K; ++i)
        for (int j = p; j < N; ++j)
          if (number::abs(a(i, at(j))) > number::abs(a(row, at(column)))) {
            row = i;
            column = j;
          }
      std::swap(order_[static_cast<std::size_t>(p)], order_[static_cast<std::size_t>(column)]);
      for (int j = 0; j < N; ++j) std::swap(a(p, j), a(row, j));
      largest = p == 0 ? number::abs(a(p, at(p))) : largest;
      require(number::abs(a(p, at(p))) > S(1e-9L) * largest, "AdaptedFrame", "rows", "dependent",
              "none may follow from the others");
      for (int i = p + 1; i < K; ++i) {
        const S factor = a(i, at(p)) / a(p, at(p));
        for (int j = 0; j < N; ++j) a(i, j) -= factor * a(p, j);
      }
    }
  }

  /// f at q, N×N: its first N − K columns are in D, the others B. Not finite where the rows cannot be
  /// solved for the coordinates that are not free.
  template <class T>
  [[nodiscard]] Mat<T, N> operator()(const Vec<T, N>& q) const {
    const Mat<T, K, N> a = rows_(q);
    const Mat<T, N> mass = metric_(q);
    Mat<T, N> frame;
    // The coordinates that are not free, for each that is.
    Mat<T, K> tied;
    Mat<T, K, N - K> rest;
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j < K; ++j) tied(i, j) = a(i, at(j));
      for (int j = 0; j < N - K; ++j) rest(i, j) = -a(i, at(K + j));
    }
    (void)linalg::solve_columns(tied, rest);  // regular where the frame was chosen
    for (int j = 0; j < N - K; ++j) {
      for (int i = 0; i < K; ++i) frame(at(i), j) = rest(i, j);
      for (int i = 0; i < N - K; ++i) frame(at(K + i), j) = T(i == j ? 1 : 0);
    }
    // B = (M⁻¹Aᵀ)(AM⁻¹Aᵀ)⁻¹, by its transpose
    Mat<T, N, K> response = detail::transposed(a);
    (void)linalg::solve_columns(mass, response);
    Mat<T, K, N> across = detail::transposed(response);
    (void)linalg::solve_columns(detail::times(a, response), across);
    detail::place(frame, 0, N - K, detail::transposed(across));
    return frame;
  }

  /// The metric in coordinates, as it was given.
  [[nodiscard]] const Metric& metric() const noexcept { return metric_; }

 private:
  [[nodiscard]] int at(int i) const { return order_[static_cast<std::size_t>(i)]; }

  Rows rows_;
  Metric metric_;
  std::array<int, static_cast<std::size_t>(N)> order_{};  ///< first the coordinates that are not free
};

/// (1) for K rows, its free coordinates chosen at q. Throws std::invalid_argument where the rows depend on
/// each other.
template <int K, class Rows, class Metric, PlainReal S, int N>
[[nodiscard]] AdaptedFrame<N, K, Rows, Metric> adapted_frame(Rows rows, Metric metric, const Vec<S, N>& q) {
  return {std::move(rows), std::move(metric), q};
}

/// The slow motion under friction to first order, at (q, ξ).
template <PlainReal S, int N, int K>
struct FirstSlowMotion {
  Vec<S, K> reaction;          ///< −ν c₁: the reaction of Lagrange and d'Alembert on the rows
  Vec<S, K> coefficient;       ///< c₁ of (3)
  Vec<S, N - K> nonholonomic;  ///< X₀ of (4)
  Vec<S, N - K> correction;    ///< X₁ of (4)
};

/// (3) and (4) at (q, ξ) in an adapted frame, for a potential V(q), a template over the scalar, and a
/// friction ν. Throws std::invalid_argument where frame, metric or ν is singular.
template <int K, class Frame, class Potential, PlainReal S, int N>
[[nodiscard]] FirstSlowMotion<S, N, K> first_slow_motion(const Frame& frame, const Potential& potential,
                                                         const Mat<S, K>& friction, const Vec<S, N>& q,
                                                         const Vec<S, N - K>& xi) {
  const auto frame_metric = in_frame(frame, frame.metric());
  const FrameCoefficients<S, N> W = connection(frame, frame_metric, q);
  const Mat<S, N> kappa = frame_metric(q);
  const Vec<S, N> slope = frame(q).transpose() * gradient(potential, q);
  Vec<S, N> v = Vec<S, N>::Zero();
  v.template head<N - K>() = xi;
  const Vec<S, N> free = free_acceleration(W, v) - detail::inverse<S, N>(kappa, "metric") * slope;
  FirstSlowMotion<S, N, K> out;
  // κ of the complement is (AM⁻¹Aᵀ)⁻¹, so S c₁ = free is ν c₁ = κ free.
  out.reaction = -kappa.template bottomRightCorner<K, K>() * free.template tail<K>();
  out.coefficient = -detail::inverse<S, K>(friction, "friction") * out.reaction;
  out.nonholonomic = free.template head<N - K>();
  for (int a = 0; a < N - K; ++a) {
    out.correction[a] = 0;
    for (int b = 0; b < N - K; ++b)
      for (int c = 0; c < K; ++c)
        out.correction[a] -= (W(a, b, N - K + c) + W(a, N - K + c, b)) * xi[b] * out.coefficient[c];
  }
  return out;
}

}  // namespace dalembert
