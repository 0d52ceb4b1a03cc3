#pragma once

/// What eliminations do with rows and columns.
namespace dalembert::linalg::detail {

/// y ← y − a x, of n numbers each.
template <class A, class X, class Y, class Count>
[[gnu::always_inline]] inline void subtract_multiple(A a, const X* x, Y* y, Count n) noexcept {
  for (Count i = 0; i < n; ++i) y[i] -= a * x[i];
}

}  // namespace dalembert::linalg::detail
