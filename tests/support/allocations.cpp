// Replaces the global operator new, and with glibc malloc, which Eigen calls by itself; under AddressSanitizer and
// ThreadSanitizer it listens to the sanitizer instead.

#include "support/allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace test {

namespace {
constinit std::atomic<long> count{0};
}

std::atomic<long>& allocation_counter() { return count; }

}  // namespace test

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DALEMBERT_TEST_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DALEMBERT_TEST_SANITIZER 1
#endif

#if defined(DALEMBERT_TEST_SANITIZER)

extern "C" void __sanitizer_malloc_hook(const volatile void*, std::size_t) { ++test::allocation_counter(); }
extern "C" void __sanitizer_free_hook(const volatile void*) {}

#elif defined(__GLIBC__)

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) noexcept {
  ++test::allocation_counter();
  return __libc_malloc(size);
}

#else

void* operator new(std::size_t size) {
  ++test::allocation_counter();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
