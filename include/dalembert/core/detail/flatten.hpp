#pragma once

/// Functions that are made one piece of code with all that they call. Not where assertions are kept, since it
/// takes long to compile.
#ifdef NDEBUG
#define DALEMBERT_FLATTEN [[gnu::flatten]]
#else
#define DALEMBERT_FLATTEN
#endif

namespace dalembert::detail {

/// Call f; if `small`, as one piece of code: for few unknowns that is twice as fast.
template <bool small, class F>
DALEMBERT_FLATTEN void flattened(const F& f) requires(small) {
  f();
}
template <bool small, class F>
void flattened(const F& f) requires(!small) {
  f();
}

}  // namespace dalembert::detail
