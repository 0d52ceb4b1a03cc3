#include <dalembert/core/detail/type_name.hpp>

#include "support/catch.hpp"

namespace {
struct Unnamed {};
}  // namespace

namespace type_name_test {

using dalembert::detail::type_name;

struct Plain {};
template <class... T>
struct With {
  struct Within {};
  template <int N>
  struct Again {};
};

TEST_CASE("the name of a class stands without namespaces and arguments", "[core]") {
  struct Local {};
  CHECK(type_name<Plain>() == "Plain");
  CHECK(type_name<Unnamed>() == "Unnamed");
  CHECK(type_name<Local>() == "Local");
  CHECK(type_name<With<int, With<Plain>>>() == "With");
  CHECK(type_name<With<Plain>::Within>() == "Within");
  CHECK(type_name<With<int>::Again<3>>() == "Again");
  CHECK(type_name<double>() == "double");
}

}  // namespace type_name_test
