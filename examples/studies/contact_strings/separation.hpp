#pragma once

#include <cmath>
#include <optional>

#include <dalembert/core/errors.hpp>

#include "contact_strings/method.hpp"

namespace contact_strings {

/// When a motion has left that of a contact at a point: they are near each other at first, as near as the contact is narrow, until chaos
/// parts them. The other is a waveguide whose contact is as wide as a cell, with the weights of the highest order.
class Separation {
 public:
  /// The motions have parted where their contacts are this part of the length away from each other.
  static constexpr double part = 0.01;

  Separation(const Arguments& arguments, const Start& start) : limit_(part * arguments.length) {
    try {
      sharp_.emplace(arguments, start, dalembert::strings::CorrectedGaussian<double>{});
    } catch (const dalembert::InvalidState&) {
      return;  // its weights may reach an end where the motion itself does not
    }
  }

  /// Where the motion has its contact on the first string at a time [s, m], one after the other.
  void see(double time, double s1) {
    if (!sharp_ || time_) return;
    try {
      while (sharp_->time() < time) {
        before_ = {sharp_->time(), sharp_->s1()};
        sharp_->step();
      }
    } catch (const dalembert::InvalidState&) {
      sharp_.reset();  // a contact at a point may not get as far
      return;
    }
    const double span = sharp_->time() - before_.time;
    const double there =
        span > 0 ? before_.s1 + (time - before_.time) / span * (sharp_->s1() - before_.s1) : sharp_->s1();
    if (std::abs(there - s1) > limit_) time_ = time;
  }

  /// When they parted, if they did [s].
  [[nodiscard]] std::optional<double> time() const noexcept { return time_; }

 private:
  struct Marker {
    double time = 0, s1 = 0;
  };
  double limit_;
  std::optional<WaveguideMotion<dalembert::strings::CorrectedGaussian<double>>> sharp_;
  Marker before_{};
  std::optional<double> time_{};
};

}  // namespace contact_strings
