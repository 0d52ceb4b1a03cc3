#pragma once

/// `DALEMBERT_INLINE`, before functions that are no templates and that the compiled library has: `inline`
/// where there is no such library, and nothing where a program links it, which then sees declarations alone.
#ifdef DALEMBERT_COMPILED
#define DALEMBERT_INLINE
#else
#define DALEMBERT_INLINE inline
#endif
