#pragma once

namespace dalembert::detail {

/// Call f; if `small`, as one piece of code: for few unknowns that is twice as fast. Not where assertions are kept, since it takes
/// long to compile.
template <bool small, class F>
#ifdef NDEBUG
[[gnu::flatten]]
#endif
void flattened(const F& f) requires(small) {
  f();
}
template <bool small, class F>
void flattened(const F& f) requires(!small) {
  f();
}

}  // namespace dalembert::detail
