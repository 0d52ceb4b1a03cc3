// The version as text and as numbers agree.

#include <dalembert/version.hpp>

#include <array>

namespace {

constexpr std::array<int, 3> numbers(std::string_view text) {
  std::array<int, 3> result{};
  std::size_t at = 0;
  for (const char c : text) {
    if (c == '.') {
      ++at;
    } else {
      result[at] = 10 * result[at] + (c - '0');
    }
  }
  return result;
}

static_assert(numbers("12.0.34") == std::array{12, 0, 34});
static_assert(numbers(dalembert::version) ==
              std::array{dalembert::version_major, dalembert::version_minor, dalembert::version_patch});

}  // namespace
