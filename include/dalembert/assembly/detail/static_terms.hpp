#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/number.hpp>

/// What one constraint is in statics. With its multipliers m, one per position row φ, it pulls with
/// ∂(m·φ)/∂q. It sees the nodes through a few numbers per place alone: R and, of a place that moves
/// along a rod, R′, of a frame a turn θ, Λ ← exp(θ̂)Λ; and through s:
///   g = ∂(m·φ)/∂(R, θ)                              force and torque at the place, spatial        (1)
///   δφ, δF, δg                                      by (R, R′, θ, s) of all places                (2)
/// where δR = Σα δr, δR′ = Σα′ δr. φ does not change with s where F = 0, nor with R′ where φ
/// = 0.
namespace dalembert::assembly::detail {

/// Equations (1) and (2) for constraints of kind C.
template <Constraint C>
struct StaticTerms {
  using Traits = ConstraintTraits<C>;
  using S = typename C::Scalar;
  static constexpr int N = Traits::places, P = Traits::positions, Z = Traits::slides;
  /// Six numbers for each place, R then R′ or θ, then s of those that slide.
  static constexpr int variables = 6 * N + Z;
  using D = Dual<S, variables>;
  using E = Dual<D, 1>;
  using Points = std::array<Point<S>, static_cast<std::size_t>(N)>;

  Vec<S, P> error;                               ///< φ
  Eigen::Matrix<S, P, variables> slopes;         ///< of φ
  Vec<S, 6 * N> pull;                            ///< g, with zeros for R′
  Eigen::Matrix<S, 6 * N, variables> curvature;  ///< of g
  Vec<S, Z> apart;                               ///< F
  Eigen::Matrix<S, Z, variables> tangency;       ///< of F

  /// At these points, with these multipliers.
  void find(const C& c, const Points& points, const Vec<S, P>& m, S time) {
    pull.setZero();
    curvature.setZero();
    if constexpr (P > 0)
      each_place([&](auto i) {
        for (int j = 0; j < (slides<i> ? 3 : 6); ++j)
          differentiate(c, points, m, time, 6 * static_cast<int>(i) + j);
      });
    if constexpr (Z > 0) {
      const auto x = seen<D>(c, [&](auto i) { return near<i>(points); });
      const Vec<D, Z> f = with_seen([&](const auto&... one) { return c.tangency(one...); }, x);
      for (int r = 0; r < Z; ++r) {
        apart[r] = f[r].value();
        for (int v = 0; v < variables; ++v) tangency(r, v) = f[r].derivative(v);
      }
    }
  }

  /// How much φ of row p changes with displacements of places by so many metres, and with turns of a radian.
  [[nodiscard]] S change(int p, S metres) const {
    S most(0);
    each_place([&](auto i) {
      const auto length = [&](int from) {
        return S(number::sqrt(slopes.template block<1, 3>(p, 6 * static_cast<int>(i) + from).squaredNorm()));
      };
      most = std::max({most, S(metres * length(0)), slides<i> ? S(0) : length(3)});
    });
    return most;
  }

  /// f(number of the place), as a constant.
  template <class F>
  static void each_place(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(N)>{});
  }
  /// Whether place I moves along a rod.
  template <std::size_t I>
  static constexpr bool slides = PlaceOf<C, I>::slides;
  /// Number of the s of place I.
  template <std::size_t I>
  static constexpr int slide = []<std::size_t... J>(std::index_sequence<J...>) {
    return (0 + ... + (PlaceOf<C, J>::slides ? 1 : 0));
  }
  (std::make_index_sequence<I>{});

  /// What is seen of all places, from what `make` makes of each.
  template <class T, class Make>
  [[nodiscard]] static auto seen(const C& c, const Make& make) {
    const auto places = c.places();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Seen<T>, sizeof...(I)>{
          std::get<I>(places).template seen<T>(make(std::integral_constant<std::size_t, I>{}))...};
    }
    (std::make_index_sequence<static_cast<std::size_t>(N)>{});
  }

 private:
  /// Place I near its point, by the variables.
  template <std::size_t I>
  [[nodiscard]] static Moving<D> near(const Points& points) {
    const Point<S>& p = points[I];
    constexpr int first = 6 * static_cast<int>(I);
    const D zero(S(0));
    Moving<D> m{
        {}, {}, p.rotation.template cast<D>(), Vec<D, 3>(zero, zero, zero), Vec<D, 3>(zero, zero, zero)};
    Vec<D, 3> turn;
    for (int j = 0; j < 3; ++j) {
      m.R[j] = D::variable(p.R[j], first + j);
      m.dR[j] = D(p.dR[j]);
      turn[j] = D::variable(S(0), first + 3 + j);
    }
    if constexpr (slides<I>) {
      const D s = D::variable(S(0), 6 * N + slide<I>);
      for (int j = 0; j < 3; ++j) {
        m.R[j] += p.dR[j] * s;
        m.dR[j] = D::variable(p.dR[j], first + 3 + j) + p.ddR[j] * s;
      }
    } else {
      m.rotation = SO3<D>::exp_to_second_order(turn) * m.rotation;
    }
    return m;
  }

  /// g along one number of one place, and what φ and g are and become.
  void differentiate(const C& c, const Points& points, const Vec<S, P>& m, S time, int along) {
    const auto x = seen<E>(c, [&](auto i) {
      const Moving<D> at = near<i>(points);
      constexpr int first = 6 * static_cast<int>(i);
      Moving<E> moved{at.R.template cast<E>(), at.dR.template cast<E>(), at.rotation.template cast<E>(),
                      at.V.template cast<E>(), at.W.template cast<E>()};
      const E step = E::variable(D(S(0)), 0), zero(D(S(0)));
      const int j = along - first;
      if (j >= 0 && j < 3) moved.R[j] += step;
      if (j >= 3 && j < 6)
        moved.rotation =
            SO3<E>::exp_to_second_order({j == 3 ? step : zero, j == 4 ? step : zero, j == 5 ? step : zero}) *
            moved.rotation;
      return moved;
    });
    const Vec<E, P> phi = with_seen([&](const auto&... one) { return c.position(one...); }, x, E(D(time)));
    for (int r = 0; r < P; ++r) {
      const D& value = phi[r].value();
      const D slope = phi[r].derivative(0);
      error[r] = value.value();
      pull[along] += m[r] * slope.value();
      for (int v = 0; v < variables; ++v) {
        slopes(r, v) = value.derivative(v);
        curvature(along, v) += m[r] * slope.derivative(v);
      }
    }
  }
};

}  // namespace dalembert::assembly::detail
