#pragma once

/// A compiler that may assume that all numbers are finite, as `-ffast-math` and `-ffinite-math-only` let it,
/// takes every check that one is for true: a run that has failed goes on, and says nothing. Whoever wants that
/// all the same defines DALEMBERT_ALLOW_FINITE_MATH; `-fno-finite-math-only` after `-ffast-math` keeps the
/// checks and the rest of it.
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ && !defined(DALEMBERT_ALLOW_FINITE_MATH)
#error \
    "dalembert: -ffast-math turns off every check that numbers are finite; add -fno-finite-math-only, \
or define DALEMBERT_ALLOW_FINITE_MATH to do without them"
#endif
