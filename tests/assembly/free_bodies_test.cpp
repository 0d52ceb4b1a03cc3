#include <dalembert/statics/detail/free_bodies.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace free_bodies_test {

/// Constraints that say what they join: bodies, and whether space is among it.
struct Links {
  std::vector<std::pair<std::vector<std::size_t>, bool>> all;

  template <class X, class F>
  void each_link(const X&, const F& f) const {
    for (const auto& [bodies, space] : all) f(bodies, space);
  }
};

std::string free_of(const Links& links, std::vector<char> holds) {
  return dalembert::assembly::detail::free_bodies(links, dalembert::assembly::State<double>{},
                                                  std::move(holds));
}

TEST_CASE("bodies are held by space, by themselves, and by bodies that are, however far along a chain",
          "[assembly]") {
  // body 5 is joined to space, 1 and 3 by others to it; 2 holds itself, and 4 with it; 0 hangs on nothing, 6 on 7 alone
  const Links links{{{{1, 3}, false}, {{2, 4}, false}, {{3, 5}, false}, {{5}, true}, {{6, 7}, false}}};
  CHECK(free_of(links, {0, 0, 1, 0, 0, 0, 0, 0}) ==
        "; body 0 is held by nothing; body 6 is held by nothing; body 7 is held by nothing");
  CHECK(free_of({{{{0}, true}}}, {0}).empty());
  CHECK(free_of({}, {0}) == "; body 0 is held by nothing");
}

}  // namespace free_bodies_test
