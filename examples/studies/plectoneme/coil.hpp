#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/section_state.hpp>

/// The helix that a plectoneme is in its middle: equations (2) of main.cpp, a rod that is laid so, and what a rod has.
namespace plectoneme {

using dalembert::Vec;

/// Equations (2) in units of B and R.
struct Helix {
  double angle = 0, force = 0, moment = 0, pressure = 0;

  /// At an angle [rad].
  static Helix at(double angle) {
    const double s = std::sin(angle), c = std::cos(2 * angle);
    return {angle, std::pow(s, 4) * (0.5 + 1 / c), 2 * std::pow(s, 3) * std::cos(angle) / c,
            std::pow(s, 4) / c};
  }
  /// Under a force FR²/B.
  static Helix under(double force) {
    double low = 0, high = static_cast<double>(dalembert::pi) / 4;
    for (int i = 0; i < 60; ++i) (at((low + high) / 2).force < force ? low : high) = (low + high) / 2;
    return at(low);
  }
};

/// Points h apart along a tail, a helix of `coils` turns, a loop, the helix back and the other tail, which is the first
/// one turned by π about z, the axis; the tails lie along y. R is the radius, `hand` 1 or −1.
inline std::vector<Vec<double, 3>> lay_coil(const Helix& helix, double coils, double hand, double R,
                                            double h) {
  using V = Vec<double, 3>;
  const double full = 2 * static_cast<double>(dalembert::pi) * coils, wide = 1.01 * R, tail = 8 * R;
  const double high = wide * full / std::tan(helix.angle), sine = std::sin(helix.angle),
               cosine = std::cos(helix.angle);
  const auto at = [&](double part) {
    const double around = full * part;
    return V(wide * std::cos(around), hand * wide * std::sin(around), high * part);
  };
  const auto slope = [&](double around) {
    return V(-sine * std::sin(around), hand * sine * std::cos(around), cosine);
  };
  const auto join = [](const V& p, const V& dp, const V& q, const V& dq, double u) {
    const double u2 = u * u, u3 = u2 * u;
    return V((2 * u3 - 3 * u2 + 1) * p + (u3 - 2 * u2 + u) * dp + (3 * u2 - 2 * u3) * q + (u3 - u2) * dq);
  };
  const V out = V(at(1)[0], at(1)[1], 0).normalized(), beside(-out[1], out[0], 0), along(0, hand, 0);
  // the loop is as round as a cubic can be
  const V apex(0, 0, high + 12 * R),
      through = 24 * R * V(-std::cos(0.75) * out - hand * std::sin(0.75) * beside);
  const V joint = -3 * R * V::UnitZ() - 4 * R * along;
  std::vector<V> half;  // from the apex to the end of a tail
  constexpr int n = 4000;
  const auto add = [&](const auto& curve) {
    for (int i = 0; i < n; ++i) half.push_back(curve(static_cast<double>(i) / n));
  };
  add([&](double u) { return join(at(1), 9 * R * slope(full), apex, through, 1 - u); });
  add([&](double u) { return at(1 - u); });
  add([&](double u) { return join(joint, 8 * R * along, at(0), 8 * R * slope(0), 1 - u); });
  add([&](double u) { return V(joint - tail * u * along); });
  std::vector<V> points;
  const auto pass = [&](const V& p) {
    while (points.empty() || (p - points.back()).norm() >= h) {
      if (points.empty()) {
        points.push_back(p);
      } else {
        points.push_back(points.back() + h * (p - points.back()).normalized());
      }
    }
  };
  for (auto p = half.rbegin(); p != half.rend(); ++p) pass(*p);
  for (const V& p : half) pass({-p[0], -p[1], p[2]});
  return points;
}

/// What is seen of the helix of a rod, in units of its B and R, and of what holds it.
template <class Problem, class State>
Helix seen(const Problem& problem, const State& x, double bending, double R) {
  using V = Vec<double, 3>;
  const auto& rod = problem.template bodies<0>()[0];
  const auto& chain = x[0];
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  Helix found{nothing, 0, 0, nothing};
  const Eigen::Index last = chain.nodes - 1;
  for (const Eigen::Index end : {Eigen::Index{0}, last}) {
    const auto stress =
        dalembert::rod::section_at(rod, chain, static_cast<double>(end) * rod.spacing()).stress;
    found.force += stress.force[2] * R * R / bending / 2;
    found.moment += stress.moment[2] * R / bending / 2;
  }
  auto touches = dalembert::contact::touches(problem, x);
  if (touches.size() < 12) return found;
  const auto begin = touches.size() * 3 / 10, end = touches.size() * 7 / 10;  // the middle of the helix
  const V axis = (touches[end].point - touches[begin].point).normalized();
  const double from = touches[begin].arc_lengths[0], to = touches[end].arc_lengths[0];
  double force = 0;
  for (auto i = begin; i < end; ++i) force += touches[i].pressure();
  found.pressure = force / (to - from) * R * R * R / bending;
  const auto k1 = static_cast<Eigen::Index>(from / rod.spacing()),
             k2 = static_cast<Eigen::Index>(to / rod.spacing());
  double angles = 0;
  for (auto k = k1; k < k2; ++k) {
    const V step = chain.position(k + 1) - chain.position(k);
    angles += std::atan2(step.cross(axis).norm(), std::abs(step.dot(axis)));
  }
  found.angle = angles / static_cast<double>(k2 - k1);
  return found;
}

}  // namespace plectoneme
