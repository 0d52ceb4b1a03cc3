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
  Vec<S, 3> direction = {S(0), S(0), S(1)};  ///< of e₃, of any length
  /// e₁ lies in the plane of it and `direction`, on its side. With zero the frame is turned out of the axes
  /// of space by the smallest angle, or about the first of them where the direction is opposite to the
  /// third: for the direction {1, 0, 0} e₁ is −z, and e₂ is y.
  Vec<S, 3> normal = Vec<S, 3>::Zero();
  S stretch = S(1);  ///< Γ₃

  /// [e₁ e₂ e₃]. Throws std::invalid_argument for a direction that is zero or not finite, and a normal
  /// that is along it or not finite.
  [[nodiscard]] SO3<S> frame() const {
    const Vec<S, 3> along = unit("direction", direction);
    const S side = along[0] * along[0] + along[1] * along[1];
    const bool back = along[2] < S(0);
    const S w = back ? S(side / (S(1) - along[2])) : S(S(1) + along[2]);  // 1 + cos θ
    const bool opposite = back && number::is_zero(side);
    auto least = opposite ? SO3<S>::from_unit_quaternion(S(0), Vec<S, 3>(S(1), S(0), S(0)))
                          : SO3<S>::from_quaternion(w, Vec<S, 3>(S(-along[1]), along[0], S(0)));
    if (number::is_zero(normal)) return least;
    const Vec<S, 3> seen = least.inverse().act(unit("normal", normal));
    const S size = number::sqrt(S(seen[0] * seen[0] + seen[1] * seen[1]));
    require(size > S(64) * std::numeric_limits<S>::epsilon(), "Straight",
            "normal, but for what is along the direction", size, "it must not be zero");
    const S c = seen[0] / size, s = seen[1] / size;
    return least * (c < S(0) ? SO3<S>::from_quaternion(s, Vec<S, 3>(S(0), S(0), S(S(1) - c)))
                             : SO3<S>::from_quaternion(S(S(1) + c), Vec<S, 3>(S(0), S(0), s)));
  }

 private:
  /// x of length one.
  [[nodiscard]] static Vec<S, 3> unit(const char* what, const Vec<S, 3>& x) {
    for (int i = 0; i < 3; ++i) require(number::isfinite(x[i]), "Straight", what, x[i], "it must be finite");
    const S largest = dalembert::detail::largest(x);
    require(largest > S(0), "Straight", what, largest, "it must not be zero");
    const Vec<S, 3> scaled = x / largest;
    return scaled / dalembert::detail::length<S>(scaled);
  }
};

}  // namespace dalembert::rod
