#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/tangency.hpp>
#include <dalembert/core/number.hpp>

/// Two rods that roll on each other, as a constraint of an assembly, by any averaging of their velocities and
/// any tangency:
///   A v = 0            no slip, averaging.hpp                                                    (1)
///   F(s₁, s₂) = 0      where the contact is, tangency.hpp; or J ṡ + ∂F/∂t = 0 alone,           (2)
///                      from where it is at the start
/// None of these pairs keeps the distance |R₂ − R₁|, so that there is no gap to close: that is
/// `RollingContact`, the spatial averaging with the centreline tangency.
/// Source: Gay-Balmaz & Putkaradze, eqs (4), (8)–(12), with every term of (10) weighted by α_k β_m.
namespace dalembert::contact {

/// See the head of this file. λ is the multiplier of the rows, in their frame; `force` is that on rod 1.
template <class S, Kernel K = CubicSpline, class Averaging = BodyAveraging,
          class TangencyRule = CentrelineTangency>
struct RollingOfRods {
  static_assert(Averaging::pairwise || !TangencyRule::gap_stationary,
                "the spatial averaging with the centreline tangency is contact::RollingContact");

  using Scalar = S;                                                              ///< the number type
  using Sight = assembly::NodeSight<S, 2>;                                       ///< what it sees
  static constexpr std::string_view name = "RollingOfRods";                      ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"1", "2", "3"};  ///< of the rows
  static constexpr int node_rows = 3;                                            ///< rows of (1)
  static constexpr Eigen::Index beyond = 1;  ///< tangents are differences of neighbours

  CurveMarker<S, K> first;           ///< where rod 1 touches
  CurveMarker<S, K> second;          ///< where rod 2 touches
  S radius1{};                       ///< a₁ [m]
  S radius2{};                       ///< a₂ [m]
  bool bilateral = false;            ///< a contact that pulls is allowed; otherwise it throws ContactOpened
  bool integrate_positions = false;  ///< s₁, s₂ follow ṡ instead of being solved from (2) in each state

  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(first, second); }
  /// Whether its positions follow their rates.
  [[nodiscard]] bool integrated() const noexcept { return integrate_positions; }

  /// The rows of (1).
  void find_rows(const Sight& at, assembly::NodeRows<S, 3, 2>& rows) const {
    const Rod one = rod<0>(at), two = rod<1>(at);
    const auto f = frame(one, two);
    put<0>(f, one, at, rows);
    put<1>(f, two, at, rows);
    rows.known = Vec<S, 3>(S(0), S(0), S(0));
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> acceleration_bias(const Sight& at, const Vec<S, 2>& rate) const {
    const Rod one = rod<0>(at), two = rod<1>(at);
    return Averaging::convective(frame(one, two), one, two, rate);
  }
  /// F of (2) [m], and J.
  [[nodiscard]] std::pair<Vec<S, 2>, Mat<S, 2, 2>> tangency(const Sight& at) const {
    const Rod one = rod<0>(at), two = rod<1>(at);
    const Tangency<S> t = TangencyRule::template evaluate<Averaging>(one.average, two.average, one.point,
                                                                     two.point, one.chain, two.chain);
    return {t.value, t.jacobian};
  }
  /// ∂F/∂t [m/s].
  [[nodiscard]] Vec<S, 2> tangency_rate(const Sight& at) const {
    return TangencyRule::template rate<Averaging>(rod<0>(at), rod<1>(at));
  }
  /// The force on rod 1 of a multiplier, spatial [N].
  [[nodiscard]] Vec<S, 3> force(const Vec<S, 3>& lambda, const Sight& at) const {
    return Averaging::force(frame(rod<0>(at), rod<1>(at)), lambda);
  }

  /// Throws std::invalid_argument for a radius that is not positive, for a rod that is not longer than
  /// thick, and for one rod in place of two.
  void check_parameters() const {
    const auto check = [](const char* which, S radius, const CurveMarker<S, K>& place) {
      detail::check_radius_of_rod(name, which, radius,
                                  place.average.spacing() * S(place.average.nodes() - 1));
    };
    check("radius1", radius1, first);
    check("radius2", radius2, second);
    require(first.body != second.body, name, "body of the second marker", second.body,
            "it must be another rod than the first; RollingContact serves one that touches itself");
  }
  /// Throws ParallelRods where the distance is no minimum over s₁ and s₂.
  void check_markers(const Point<S>& a, const Point<S>& b, S time) const {
    detail::check_nearest(name, first, a, second, b, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const Sight& at) const {
    if (bilateral) return;
    const Vec<S, 3> kappa = at.points[1].R - at.points[0].R;
    const S normal = -force(lambda, at).dot(kappa) / kappa.norm();
    detail::check_normal_force(normal, "pair of rolling rods", at.time);
  }

 private:
  using Rod = AveragedRod<S, K>;

  template <std::size_t Side>
  [[nodiscard]] Rod rod(const Sight& at) const {
    const CurveMarker<S, K>& place = Side == 0 ? first : second;
    return {place.average, place.averaged(at.points[Side]), at.chains[place.body], at.points[Side]};
  }
  [[nodiscard]] auto frame(const Rod& one, const Rod& two) const {
    return Averaging::frame(one, two, S(radius1 / (radius1 + radius2)));
  }

  /// The rows on the nodes of one rod.
  template <std::size_t Side, class Frame>
  static void put(const Frame& frame, const Rod& rod, const Sight& at, assembly::NodeRows<S, 3, 2>& rows) {
    S weights[lane_width<S>];
    for (Eigen::Index k = 0; k < at.windows[Side].count; ++k) {
      const Eigen::Index lane = k % lane_width<S>;
      if (lane == 0)
        rod::store(rod.average.weights(rod.point, static_cast<int>(k / lane_width<S>)).value, weights);
      for (int i = 0; i < 3; ++i) {
        const NodeRow<S> row =
            Averaging::template row<Side>(frame, i, weights[lane], rod.chain, rod.point.first + k);
        rows.set(Side, k, i, row.linear, row.angular);
      }
    }
  }
};

}  // namespace dalembert::contact
