#pragma once

/// @file
/// The rows of a rolling contact once more, each node by itself.

#include <string_view>
#include <utility>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/rolling_contact.hpp>

namespace test {

/// A crossing whose rows are said node by node.
struct CrossingByNodes {
  using Scalar = double;
  using V = dalembert::Vec<double, 3>;
  using Triple = dalembert::assembly::NodeRows<double, 3, 2>::Triple;
  using Sight = dalembert::assembly::NodeSight<double, 2>;
  static constexpr std::string_view name = "CrossingByNodes";
  static constexpr int node_rows = 3;

  dalembert::contact::RollingContact<double> plain;

  [[nodiscard]] auto markers() const { return plain.markers(); }
  [[nodiscard]] bool integrated() const { return plain.integrated(); }
  void find_rows(const Sight& at, dalembert::assembly::NodeRows<double, 3, 2>& rows) const {
    const V kappa = at.points[1].R - at.points[0].R;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& place = side == 0 ? plain.first : plain.second;
      const double share = (side == 0 ? plain.radius1 : plain.radius2) / (plain.radius1 + plain.radius2);
      for (Eigen::Index k = 0; k < at.windows[side].count; ++k) {
        // α = (h/ℓ) B((s − s_k)/ℓ)
        const double ell = place.average.kernel_width(), h = place.average.spacing();
        const double node = h * static_cast<double>(at.windows[side].first + k);
        const double alpha =
            h / ell * dalembert::contact::CubicSpline{}((at.points[side].s - node) / ell).value;
        for (int r = 0; r < 3; ++r) {
          const V unit = V::Unit(r), arm = share * kappa;  // (W × κ)ᵣ = W·(κ × eᵣ)
          rows.set(side, k, r, Triple(V((side == 0 ? alpha : -alpha) * unit)),
                   Triple(V(alpha * arm.cross(unit))));
        }
      }
    }
    rows.known = V::Zero();
  }
  [[nodiscard]] V acceleration_bias(const Sight& at, const dalembert::Vec<double, 2>& rate) const {
    const auto& [a, b] = at.points;
    const double f1 = plain.radius1 / (plain.radius1 + plain.radius2), f2 = 1 - f1;
    const V kappa = b.R - a.R, moved = b.V + rate[1] * b.dR - a.V - rate[0] * a.dR;
    return rate[0] * a.dV - rate[1] * b.dV + (f1 * rate[0] * a.dW + f2 * rate[1] * b.dW).cross(kappa) +
           (f1 * a.W + f2 * b.W).cross(moved);
  }
  [[nodiscard]] std::pair<dalembert::Vec<double, 2>, dalembert::Mat<double, 2>> tangency(
      const Sight& at) const {
    const auto& [a, b] = at.points;
    const V kappa = b.R - a.R;
    dalembert::Mat<double, 2> slopes;
    slopes << kappa.dot(a.ddR) - a.dR.dot(a.dR), b.dR.dot(a.dR), -a.dR.dot(b.dR),
        kappa.dot(b.ddR) + b.dR.dot(b.dR);
    return {{kappa.dot(a.dR), kappa.dot(b.dR)}, slopes};
  }
  [[nodiscard]] dalembert::Vec<double, 2> tangency_rate(const Sight& at) const {
    const auto& [a, b] = at.points;
    const V kappa = b.R - a.R, moved = b.V - a.V;
    return {moved.dot(a.dR) + kappa.dot(a.dV), moved.dot(b.dR) + kappa.dot(b.dV)};
  }
  template <class T>
  [[nodiscard]] dalembert::Vec<T, 1> position_constraint(const dalembert::assembly::FrameState<T>& a,
                                                         const dalembert::assembly::FrameState<T>& b,
                                                         const T& t) const {
    return plain.position_constraint(a, b, t);
  }
  [[nodiscard]] auto along(const dalembert::assembly::FrameState<double>& a,
                           const dalembert::assembly::FrameState<double>& b) const {
    return plain.along(a, b);
  }
};
static_assert(dalembert::assembly::Constraint<CrossingByNodes>);

}  // namespace test
