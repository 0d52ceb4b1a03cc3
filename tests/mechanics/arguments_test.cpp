#include <dalembert/mechanics/arguments.hpp>

#include "support/catch.hpp"

namespace {

using dalembert::detail::Arguments;

struct G {};
struct X {};
struct Z {};
struct T {};

template <class F>
constexpr Arguments taken(const F&) {
  return dalembert::detail::arguments_taken<F, G, X, Z, T>();
}

TEST_CASE("the arguments that a function takes are found", "[arguments]") {
  STATIC_REQUIRE(taken([](G, X, Z, T) { return 0; }) == Arguments{true, true, true, true});
  STATIC_REQUIRE(taken([](G, X, Z) { return 0; }) == Arguments{true, true, true, false});
  STATIC_REQUIRE(taken([](G, X, T) { return 0; }) == Arguments{true, true, false, true});
  STATIC_REQUIRE(taken([](X, Z, T) { return 0; }) == Arguments{false, true, true, true});
  STATIC_REQUIRE(taken([](G, X) { return 0; }) == Arguments{true, true, false, false});
  STATIC_REQUIRE(taken([](G, T) { return 0; }) == Arguments{true, false, false, true});
  STATIC_REQUIRE(taken([](X, Z) { return 0; }) == Arguments{false, true, true, false});
  STATIC_REQUIRE(taken([](X, T) { return 0; }) == Arguments{false, true, false, true});
  STATIC_REQUIRE(taken([](G) { return 0; }) == Arguments{true, false, false, false});
  STATIC_REQUIRE(taken([](X) { return 0; }) == Arguments{false, true, false, false});
  STATIC_REQUIRE(taken([](T) { return 0; }) == Arguments{false, false, false, true});
  STATIC_REQUIRE(taken([] { return 0; }) == Arguments{});
  STATIC_REQUIRE(taken([](const auto&, const auto&, const auto&, const auto&) { return 0; }).z);
}

TEST_CASE("a function in another order, or of something else, is not callable", "[arguments]") {
  STATIC_REQUIRE_FALSE(taken([](X, G) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken([](G, Z) { return 0; }).callable);
  STATIC_REQUIRE_FALSE(taken([](int*) { return 0; }).callable);
}

TEST_CASE("the arguments that are taken are passed", "[arguments]") {
  using dalembert::detail::call;
  REQUIRE(call([](int g, const char* xi,
                  double t) { return g + static_cast<int>(xi[0] - 'a') + static_cast<int>(t); },
               1, "c", T{}, 4.0) == 7);
  REQUIRE(call([](double t) { return t; }, G{}, X{}, Z{}, 4.0) == 4.0);
  REQUIRE(call([] { return 5; }, G{}, X{}, Z{}, 4.0) == 5);
}

TEST_CASE("what varies along the flow is what depends on g or t", "[arguments]") {
  STATIC_REQUIRE(taken([](G, X) { return 0; }).vary_along_flow());
  STATIC_REQUIRE(taken([](X, T) { return 0; }).vary_along_flow());
  STATIC_REQUIRE_FALSE(taken([](X) { return 0; }).vary_along_flow());
}

}  // namespace
