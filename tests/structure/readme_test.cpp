// README shows programs that are compiled and run, and promises what is asserted; and the checker of that would notice if not.

#include "structure/readme.hpp"

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace {

using structure::Faults;

const std::string program = "int main() {}\n";
const std::string row = "| `Euler` | yes | no |";

/// A made-up tree in a temporary folder, removed at the end, whose README is right.
class Tree {
 public:
  Tree() {
    write("examples/first/one.cpp", program);
    write("tests/static/integrators.cpp", "// " + row + "\nstatic_assert(true);\n");
    readme(program, row, "examples/first/one.cpp");
  }

  void write(const std::string& path, const std::string& text) const { folder_.write(path, text); }
  void readme(const std::string& code, const std::string& line, const std::string& link) const {
    write("README.md",
          "# Name\n\n```cpp\n" + code + "```\n\n[it](" + link + "), [site](https://none.example)\n\nEnd.\n");
    write("cmake/site/integrators.md",
          "# Methods {#integrators}\n\n| serves | a | b |\n|---|---|---|\n" + line + "\n\nEnd.\n");
  }
  Faults faults() const { return structure::readme_faults(folder_.path); }

 private:
  test::Folder folder_;
};

}  // namespace

TEST_CASE("README keeps its promises") {
  const auto faults = structure::readme_faults(DALEMBERT_SOURCE);
  for (const auto& fault : faults) UNSCOPED_INFO(fault);
  CHECK(faults.empty());
}

TEST_CASE("the checker of README sees what is wrong with it") {
  const Tree tree;
  SECTION("nothing") { CHECK(tree.faults() == Faults{}); }
  SECTION("a program that differs by a blank") {
    tree.readme("int main() { }\n", row, "README.md");
    CHECK(tree.faults() == Faults{"README.md shows a program that is not in examples/first: int main() { }"});
  }
  SECTION("a part of a program") {
    tree.write("examples/first/one.cpp", program + "// more\n");
    CHECK(tree.faults() == Faults{"README.md shows a program that is not in examples/first: int main() {}"});
  }
  SECTION("no program") {
    tree.write("README.md", "Words.\n");
    CHECK(tree.faults() == Faults{"README.md shows no program"});
  }
  SECTION("too many lines and words") {
    std::string more;
    for (int i = 0; i < 120; ++i) more += "one two three four five six seven eight nine ten\n";
    tree.write("README.md", "# Name\n\n```cpp\n" + program + "```\n" + more);
    CHECK(tree.faults() ==
          Faults{"README.md has 125 lines, more than 120", "README.md has 1207 words, more than 1100"});
  }
  SECTION("a long program") {
    std::string lines = program;
    for (std::size_t i = 0; i < structure::longest_first_program; ++i) lines += "\n";
    tree.write("examples/first/two.cpp", lines);
    CHECK(tree.faults() == Faults{"two.cpp has 41 lines, more than 40"});
  }
  SECTION("a long recipe") {
    std::string lines = program;
    for (std::size_t i = 0; i < structure::longest_recipe; ++i) lines += "\n";
    tree.write("examples/recipes/three.cpp", lines);
    CHECK(tree.faults() == Faults{"three.cpp has 31 lines, more than 30"});
  }
  SECTION("a line of the table that says something else") {
    const std::string other = "| `Euler` | yes | yes |";
    tree.readme(program, other, "README.md");
    CHECK(tree.faults() == Faults{"cmake/site/integrators.md promises what nothing asserts: " + other,
                                  "cmake/site/integrators.md does not say what is asserted: " + row});
  }
  SECTION("a link to nothing") {
    tree.readme(program, row, "examples/none.cpp");
    CHECK(tree.faults() == Faults{"README.md links to examples/none.cpp, which does not exist"});
  }
}
