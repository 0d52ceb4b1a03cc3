#pragma once

#include <limits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/so3.hpp>

/// Where a straight rod runs.
namespace dalembert::rod {

/// A straight line from an origin, and how a rod lies along it.
template <class S = double>
struct Straight {
  Vec<S, 3> direction = Vec<S, 3>::UnitZ();  ///< of e₃, of any length
  /// e₁ lies in the plane of it and `direction`, on its side. With zero the frame is turned out of the axes
  /// of space by the smallest angle, or about the first of them where the direction is opposite to the
  /// third.
  Vec<S, 3> normal = Vec<S, 3>::Zero();
  S stretch = S(1);  ///< Γ₃

  /// [e₁ e₂ e₃]. Throws std::invalid_argument for a direction that is zero or not finite, and a normal that
  /// is along it or not finite.
  [[nodiscard]] SO3<S> frame() const {
    const Vec<S, 3> along = unit("direction", direction, direction);
    if (!number::is_zero(normal)) {
      const Vec<S, 3> across = normal - normal.dot(along) * along;
      const Vec<S, 3> first = unit("normal, but for what is along the direction", across, normal);
      Mat<S, 3> axes;
      axes << first, along.cross(first), along;
      return SO3<S>::from_matrix(axes);
    }
    const S side = along[0] * along[0] + along[1] * along[1];
    if (number::is_zero(side) && along[2] < S(0))
      return SO3<S>::from_unit_quaternion(S(0), Vec<S, 3>(S(1), S(0), S(0)));
    const S w = along[2] < S(0) ? S(side / (S(1) - along[2])) : S(S(1) + along[2]);  // 1 + cos θ
    return SO3<S>::from_quaternion(w, Vec<S, 3>(-along[1], along[0], S(0)));
  }

 private:
  /// x of length one; it must be long beside the rounding of `made_from`.
  [[nodiscard]] static Vec<S, 3> unit(const char* what, const Vec<S, 3>& x, const Vec<S, 3>& made_from) {
    S largest(0);
    for (int i = 0; i < 3; ++i) {
      require(number::isfinite(made_from[i]), "Straight", what, made_from[i], "it must be finite");
      if (number::abs(made_from[i]) > largest) largest = number::abs(made_from[i]);
    }
    const Vec<S, 3> scaled = largest > S(0) ? Vec<S, 3>(x / largest) : Vec<S, 3>(S(0), S(0), S(0));
    const S length = scaled.norm();
    require(length > S(64) * std::numeric_limits<S>::epsilon(), "Straight", what, length * largest,
            "it must not be zero");
    return scaled / length;
  }
};

}  // namespace dalembert::rod
