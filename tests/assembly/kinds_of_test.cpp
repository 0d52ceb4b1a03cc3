// Objects of several classes, seen by the face that all have.

#include <dalembert/assembly/detail/kinds_of.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"

namespace kinds_of_test {

struct Face {
  Face() = default;
  Face(const Face&) = default;
  Face& operator=(const Face&) = default;
  virtual std::string says() const = 0;
  virtual void add(int more) = 0;

 protected:
  ~Face() = default;
};
struct Number final : Face {
  int value;
  explicit Number(int v) : value(v) {}
  std::string says() const override { return "number " + std::to_string(value); }
  void add(int more) override { value += more; }
};
struct Word final : Face {
  std::string text;
  explicit Word(std::string t) : text(std::move(t)) {}
  std::string says() const override { return "word " + text; }
  void add(int more) override { text += std::string(static_cast<std::size_t>(more), '!'); }
};
using Two = dalembert::assembly::detail::KindsOf<Face, Number, Word>;

// faces point into the object: a copy would see the other one
static_assert(!std::is_copy_constructible_v<Two> && !std::is_copy_assignable_v<Two>);

TEST_CASE("objects are seen in the order of their kinds, and each does its own", "[assembly][kinds_of]") {
  const Two two(Number(3), Word("so"));
  const auto all = two.view();
  REQUIRE(all.size() == 2);
  CHECK(all[0]->says() == "number 3");
  CHECK(all[1]->says() == "word so");
  for (Face* const one : all) one->add(2);
  CHECK(two.view()[0]->says() == "number 5");  // the same objects, not copies
  CHECK(two.view()[1]->says() == "word so!!");
}

TEST_CASE("they are made of what each is made of, or of one tuple of that", "[assembly][kinds_of]") {
  const Two each(7, std::string("each"));
  CHECK(each.view()[0]->says() == "number 7");
  CHECK(each.view()[1]->says() == "word each");
  const Two together(std::tuple<int, std::string>(9, "all"));
  CHECK(together.view()[0]->says() == "number 9");
  CHECK(together.view()[1]->says() == "word all");
}

TEST_CASE("there may be no kinds", "[assembly][kinds_of]") {
  const dalembert::assembly::detail::KindsOf<Face> none;
  CHECK(none.view().empty());
}

}  // namespace kinds_of_test
