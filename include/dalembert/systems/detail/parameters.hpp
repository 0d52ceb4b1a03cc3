#pragma once

#include <string>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// The rules that parameters of systems obey. Each function throws std::invalid_argument that names the
/// class, the quantity, its value and the rule with the unit, unless the value keeps it; of a pack every lane
/// must.
namespace dalembert::systems::detail {

/// f(x) of a number, or of every lane of a pack.
template <class S, class F>
void for_each_lane(const S& value, F&& f) {
  if constexpr (PackReal<S>) {
    for (int i = 0; i < S::width; ++i) f(value[i]);
  } else {
    f(value);
  }
}

/// Finite.
template <Real S>
void require_finite(const char* class_name, const char* quantity, S value, const char* unit) {
  for_each_lane(value, [&](auto x) {
    if (!number::isfinite(x))
      require(false, class_name, quantity, x, message({"it must be finite [", unit, "]"}));
  });
}

/// Positive and finite.
template <Real S>
void require_positive(const char* class_name, const char* quantity, S value, const char* unit) {
  for_each_lane(value, [&](auto x) {
    if (!(number::isfinite(x) && x > 0))
      require(false, class_name, quantity, x, message({"it must be positive and finite [", unit, "]"}));
  });
}

/// Finite and not negative.
template <Real S>
void require_not_negative(const char* class_name, const char* quantity, S value, const char* unit) {
  for_each_lane(value, [&](auto x) {
    if (!(number::isfinite(x) && x >= 0))
      require(false, class_name, quantity, x, message({"it must be finite and not negative [", unit, "]"}));
  });
}

/// A tensor of inertia [kg m²] that is finite, symmetric and positive definite.
template <Real S>
void require_positive_definite(const char* class_name, const Mat<S, 3>& inertia) {
  bool finite = true, symmetric = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      finite = finite && number::isfinite(inertia(i, j));
      symmetric = symmetric && number::equal(inertia(i, j), inertia(j, i));
    }
  require(finite, class_name, "inertia", inertia, "it must be finite [kg m^2]");
  require(symmetric, class_name, "inertia", inertia, "it must be symmetric");
  require(dalembert::linalg::is_positive_definite<S, 3>(inertia), class_name, "inertia", inertia,
          "it must be positive definite");
}

}  // namespace dalembert::systems::detail
