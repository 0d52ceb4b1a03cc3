#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/load.hpp>
#include <dalembert/rod/rod.hpp>

namespace cantilever {

using dalembert::SO3;
using Vec3 = dalembert::Vec<double, 3>;
using Rod = dalembert::rod::ElasticRod<double>;
using Chain = dalembert::rod::Chain<double>;
using EndLoad = dalembert::rod::EndLoad<double>;

/// A tip that someone has found before.
struct Point {
  double load;        ///< in the unit of the case
  Vec3 displacement;  ///< of the tip [m]
};

/// A clamped rod without weight and what pulls at its tip.
struct Case {
  std::string load_name;                ///< of the load, with its unit
  double load{};                        ///< unless another one is asked for
  dalembert::Vec<double, 6> stiffness;  ///< GA₁, GA₂, EA, EI₁, EI₂, GJ [N, N m²]
  double length{};                      ///< [m]
  double
      radius{};  ///< of the arc in the plane (x, y) that it is without load [m]; 0 for a straight one along x
  std::function<EndLoad(double)> at_tip{};
  std::string source{};                 ///< of the points
  std::vector<Point> points{};          ///< published
  std::function<Vec3(double)> exact{};  ///< displacement of the tip in closed form [m], where there is one
  bool spatial{};                       ///< whether it leaves the plane (x, y)

  /// With so many elements.
  [[nodiscard]] Rod rod(int elements) const;
  /// Without load; its clamp lies in the origin.
  [[nodiscard]] Chain start(const Rod& rod) const;
  /// Where the tip is without load [m].
  [[nodiscard]] Vec3 tip() const;
};

/// The names of the cases.
[[nodiscard]] const std::vector<std::string>& names();
/// The case `name`.
[[nodiscard]] Case make(const std::string& name);

}  // namespace cantilever
