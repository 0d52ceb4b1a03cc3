#include <dalembert/mechanics/detail/arguments.hpp>

#include <tuple>

#include "support/catch.hpp"

namespace arguments_test {

using dalembert::detail::Arguments;

struct G {};
struct X {};
struct Z {};
struct T {};

template <int fewest = 0, class F>
constexpr Arguments taken(const F&) {
  return dalembert::detail::arguments_taken<F, G, T, std::tuple<X, Z>, fewest>();
}

TEST_CASE("the arguments that a function takes are found", "[arguments]") {
  STATIC_REQUIRE(taken([](G, X, Z, T) { return 0; }) == Arguments{true, 2, true});
  STATIC_REQUIRE(taken([](G, X, Z) { return 0; }) == Arguments{true, 2, false});
  STATIC_REQUIRE(taken([](G, X, T) { return 0; }) == Arguments{true, 1, true});
  STATIC_REQUIRE(taken([](X, Z, T) { return 0; }) == Arguments{false, 2, true});
  STATIC_REQUIRE(taken([](G, X) { return 0; }) == Arguments{true, 1, false});
  STATIC_REQUIRE(taken([](G, T) { return 0; }) == Arguments{true, 0, true});
  STATIC_REQUIRE(taken([](X, Z) { return 0; }) == Arguments{false, 2, false});
  STATIC_REQUIRE(taken([](X, T) { return 0; }) == Arguments{false, 1, true});
  STATIC_REQUIRE(taken([](G) { return 0; }) == Arguments{true, 0, false});
  STATIC_REQUIRE(taken([](X) { return 0; }) == Arguments{false, 1, false});
  STATIC_REQUIRE(taken([](T) { return 0; }) == Arguments{false, 0, true});
  STATIC_REQUIRE(taken([] { return 0; }) == Arguments{});
  STATIC_REQUIRE(taken([](const auto&, const auto&, const auto&, const auto&) { return 0; }).vectors == 2);
}

TEST_CASE("a function in another order, or of something else, is not callable", "[arguments]") {
  STATIC_REQUIRE_FALSE(taken([](X, G) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken([](G, Z) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken([](int*) { return 0; }).callable);
}

TEST_CASE("vectors that a function must take are not left out", "[arguments]") {
  STATIC_REQUIRE(taken<2>([](X, Z) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken<2>([](X) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken<2>([](G, T) { return 0; }).callable);
}

TEST_CASE("the arguments that are taken are passed", "[arguments]") {
  using dalembert::detail::call_with;
  const auto all = [](int g, const char* xi, double t) {
    return g + static_cast<int>(xi[0] - 'a') + static_cast<int>(t);
  };
  REQUIRE(call_with<Arguments{true, 1, true}>(all, 1, 4.0, "c", Z{}) == 7);
  REQUIRE(call_with<Arguments{false, 0, true}>([](double t) { return t; }, G{}, 4.0, X{}, Z{}) == 4.0);
  REQUIRE(call_with<Arguments{}>([] { return 5; }, G{}, 4.0, X{}, Z{}) == 5);
}

TEST_CASE("what varies along the flow is what depends on g or t", "[arguments]") {
  STATIC_REQUIRE(taken([](G, X) { return 0; }).vary_along_flow());
  STATIC_REQUIRE(taken([](X, T) { return 0; }).vary_along_flow());
  STATIC_REQUIRE_FALSE(taken([](X) { return 0; }).vary_along_flow());
}

}  // namespace arguments_test
