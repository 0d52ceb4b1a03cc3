#pragma once

#include <cmath>
#include <string>

#include <Eigen/Cholesky>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// The rules that parameters of systems obey. Each function throws std::invalid_argument that names the class, the quantity, its
/// value and the rule with the unit, unless the value keeps it.
namespace dalembert::systems::detail {

/// Finite.
template <PlainReal S>
void require_finite(const char* class_name, const char* quantity, S value, const char* unit) {
  if (!std::isfinite(value))
    require(false, class_name, quantity, value, std::string("it must be finite [") + unit + "]");
}

/// Positive and finite.
template <PlainReal S>
void require_positive(const char* class_name, const char* quantity, S value, const char* unit) {
  if (!(std::isfinite(value) && value > 0))
    require(false, class_name, quantity, value, std::string("it must be positive and finite [") + unit + "]");
}

/// Finite and not negative.
template <PlainReal S>
void require_not_negative(const char* class_name, const char* quantity, S value, const char* unit) {
  if (!(std::isfinite(value) && value >= 0))
    require(false, class_name, quantity, value,
            std::string("it must be finite and not negative [") + unit + "]");
}

/// A tensor of inertia [kg m²] that is finite, symmetric and positive definite.
template <PlainReal S>
void require_positive_definite(const char* class_name, const Mat<S, 3>& inertia) {
  require(inertia.allFinite(), class_name, "inertia", inertia, "it must be finite [kg m^2]");
  require(inertia == inertia.transpose(), class_name, "inertia", inertia, "it must be symmetric");
  require(inertia.llt().info() == Eigen::Success, class_name, "inertia", inertia,
          "it must be positive definite");
}

}  // namespace dalembert::systems::detail
