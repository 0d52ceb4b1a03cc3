// The site's pages show what is compiled and name what is there; and the checker of that would notice if not.

#include "structure/site.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace {

using structure::Faults;

/// A made-up tree in a temporary folder, removed at the end, whose site is right.
class Tree {
 public:
  Tree() {
    write("examples/one.cpp", "int one() { return 1; }\n//! [two]\nint two();\n//! [two]\n");
    write("tests/a/b.cpp", "TEST_CASE(\"a long \"\n          \"name\") {}\n");
    write("include/dalembert/systems/top.hpp", "#pragma once\n// \"this is no top: it \"\n  \"falls\"\n");
    write("include/dalembert/systems/detail/part.hpp", "#pragma once\n");
    write("include/dalembert/detail/part.hpp", "#pragma once\n");
    write("cmake/site/rooms/systems.md", "# Systems {#room_systems}\n");
    write("cmake/site/systems/top.md",
          "# A top {#system_top}\n\nIn `systems/top.hpp`, by `tests/a/b.cpp`.\n");
    write("cmake/site/errata.md", "# Errata {#errata}\n\nShown by `tests/a/b.cpp`, \"a\nlong name\".\n");
    page("");
  }

  void write(const std::string& path, const std::string& text) const { folder_.write(path, text); }
  /// The main page, with more at its end.
  void page(const std::string& more) const {
    write("cmake/site/index.md",
          "# Name {#mainpage}\n\n## Part {#part}\n\n- @subpage errata : and @ref part, @ref system_top. "
          "@ref name::of_code, `@ref nothing`\n\n@include one.cpp\n\n@snippet one.cpp two\n\n```cpp\nint "
          "two();\n```\n\n```text\n@include nothing\n```\n" +
              more);
  }
  void remove(const std::string& path) const { structure::fs::remove_all(folder_.path / path); }
  Faults faults() const { return structure::site_faults(folder_.path); }

 private:
  test::Folder folder_;
};

const std::string index = "cmake/site/index.md ";

}  // namespace

TEST_CASE("the site keeps its promises") {
  const auto faults = structure::site_faults(DALEMBERT_SOURCE);
  for (const auto& fault : faults) UNSCOPED_INFO(fault);
  CHECK(faults.empty());
}

TEST_CASE("the checker of the site sees code that is compiled nowhere") {
  const Tree tree;
  SECTION("nothing") { CHECK(tree.faults() == Faults{}); }
  SECTION("a blank more") {
    tree.page("\n```cpp\nint two() ;\n```\n");
    CHECK(tree.faults() == Faults{index + "shows code that is compiled nowhere: int two() ;"});
  }
  SECTION("a piece of a line") {
    tree.page("\n```cpp\nreturn 1; }\n```\n");
    CHECK(tree.faults() == Faults{index + "shows code that is compiled nowhere: return 1; }"});
  }
  SECTION("two pieces of one program") {
    tree.page("\n```cpp\nint one() { return 1; }\nint two();\n```\n");
    CHECK(tree.faults() == Faults{index + "shows code that is compiled nowhere: int one() { return 1; }"});
  }
  SECTION("a program that must not compile") {
    tree.write("tests/compile_fail/no.cpp", "int no;\n");
    tree.page("\n```cpp\nint no;\n```\n");
    CHECK(tree.faults() == Faults{index + "shows code that is compiled nowhere: int no;"});
  }
  SECTION("a page in a folder, and a block of Doxygen's") {
    tree.write("cmake/site/rooms/systems.md", "# Systems {#room_systems}\n\n@code\nint x;\n@endcode\n");
    CHECK(tree.faults() == Faults{"cmake/site/rooms/systems.md has @code: nothing says that it is compiled"});
  }
}

TEST_CASE("the checker of the site knows the compiler's messages") {
  const Tree tree;
  tree.page("\n```text\nthis is no top: it falls\n```\n");
  CHECK(tree.faults() == Faults{});
  tree.page("\n```text\nthis is no top: it fell\n```\n");
  CHECK(tree.faults() == Faults{index + "quotes what no header says: this is no top: it fell"});
}

TEST_CASE("the checker of the site sees what pages include in vain") {
  const Tree tree;
  SECTION("a file") {
    tree.page("@include{lineno} none.cpp\n");
    CHECK(tree.faults() == Faults{index + "includes none.cpp, which does not exist"});
  }
  SECTION("a part without marks") {
    tree.page("@snippet one.cpp three\n");
    CHECK(tree.faults() == Faults{index + "shows the part 'three' of one.cpp, which has 0 marks of it"});
  }
  SECTION("a part without an end") {
    tree.write("examples/one.cpp", "//! [two]\nint two();\n");
    CHECK(tree.faults() == Faults{index + "shows the part 'two' of one.cpp, which has 1 marks of it"});
  }
}

TEST_CASE("the checker of the site sees references to nothing") {
  const Tree tree;
  SECTION("a page") {
    tree.page("@ref nowhere.\n");
    CHECK(tree.faults() == Faults{index + "refers to nowhere, which is no page"});
  }
  SECTION("a page below") {
    tree.page("- @subpage below : it\n");
    CHECK(tree.faults() == Faults{index + "refers to below, which is no page"});
  }
  SECTION("a name that two pages have") {
    tree.write("cmake/site/two.md", "# Two {#errata}\n");
    CHECK(tree.faults() == Faults{"cmake/site/two.md has the name errata, which is taken"});
  }
  SECTION("a page without a name") {
    tree.write("cmake/site/two.md", "# Two\n");
    CHECK(tree.faults() == Faults{"cmake/site/two.md does not begin with '# Title {#name}'"});
  }
}

TEST_CASE("the checker of the site misses pages of systems and folders") {
  const Tree tree;
  SECTION("a system") {
    tree.write("include/dalembert/systems/wheel.hpp", "#pragma once\n");
    tree.page("`systems/wheel.hpp`\n");  // named, but by no page of systems
    CHECK(tree.faults() == Faults{"systems/wheel.hpp is named by no page in cmake/site/systems"});
  }
  SECTION("a folder") {
    tree.write("include/dalembert/new/one.hpp", "#pragma once\n");
    CHECK(tree.faults() == Faults{"include/dalembert/new has no page in cmake/site/rooms"});
  }
  SECTION("all pages") {
    tree.remove("cmake/site");
    CHECK(tree.faults() == Faults{"cmake/site has no pages",
                                  "include/dalembert/systems has no page in cmake/site/rooms",
                                  "systems/top.hpp is named by no page in cmake/site/systems"});
  }
}

TEST_CASE("the checker of the site looks for the terms of the glossary in their headers") {
  const Tree tree;
  tree.page("- @subpage glossary : terms\n");
  tree.write("include/dalembert/systems/top.hpp", "#pragma once\n/// A heavy\n/// Top, or gyroscope.\n");
  const auto glossary = [&](const std::string& row) {
    tree.write("cmake/site/glossary.md",
               "# Terms {#glossary}\n\n| term | meaning | header |\n|---|---|---|\n" + row);
    return tree.faults();
  };
  CHECK(glossary("| heavy top, Gyroscope | it falls | `systems/top.hpp` |\n").empty());
  CHECK(glossary("| heavy wheel | it rolls | `systems/top.hpp` |\n") ==
        Faults{"cmake/site/glossary.md says that heavy wheel is in systems/top.hpp"});
  CHECK(glossary("| heavy top, spinner | it falls | `systems/top.hpp` |\n") ==
        Faults{"cmake/site/glossary.md says that spinner is in systems/top.hpp"});
  CHECK(glossary("| top | it falls | `systems/none.hpp` |\n") ==
        Faults{"cmake/site/glossary.md says that top is in systems/none.hpp"});
}

TEST_CASE("the checker of the site looks for errors that nobody explains") {
  const Tree tree;
  tree.page("- @subpage troubles : errors\n");
  tree.write("cmake/site/troubleshooting.md", "# Troubles {#troubles}\n\n| `Fell` | it leans | hold it |\n");
  tree.write("include/dalembert/systems/top.hpp", "#pragma once\nstruct Fell : InvalidState {};\n");
  CHECK(tree.faults().empty());
  tree.write("include/dalembert/systems/top.hpp",
             "#pragma once\nclass Rolled : public std::runtime_error {};\n");
  CHECK(tree.faults() == Faults{"cmake/site/troubleshooting.md does not explain Rolled"});
}

TEST_CASE("the glossary has forty terms") {
  const auto text = structure::text_of(structure::fs::path(DALEMBERT_SOURCE) / "cmake/site/glossary.md");
  CHECK(std::count(text.begin(), text.end(), '\n') >= 47);
}

TEST_CASE("the checker of the site looks for the tests that pages name") {
  const Tree tree;
  SECTION("another name") {
    tree.write("cmake/site/errata.md", "# Errata {#errata}\n\n`tests/a/b.cpp`, \"a name\"\n");
    CHECK(tree.faults() ==
          Faults{"cmake/site/errata.md names the test \"a name\", which is not in tests/a/b.cpp"});
  }
  SECTION("another name, of a system") {
    tree.write("cmake/site/systems/top.md",
               "# A top {#system_top}\n\n`systems/top.hpp`, `tests/a/b.cpp` (\"long\")\n");
    CHECK(tree.faults() ==
          Faults{"cmake/site/systems/top.md names the test \"long\", which is not in tests/a/b.cpp"});
  }
  SECTION("a file") {
    tree.page("`tests/a/c.cpp`\n");
    CHECK(tree.faults() == Faults{index + "names tests/a/c.cpp, which does not exist"});
  }
  SECTION("no name") {
    tree.write("cmake/site/errata.md", "# Errata {#errata}\n\n`tests/a/b.cpp` shows it.\n");
    CHECK(tree.faults() == Faults{"cmake/site/errata.md names no test of tests/a/b.cpp"});
  }
  SECTION("no test") {
    tree.write("cmake/site/errata.md", "# Errata {#errata}\n\nNone.\n");
    CHECK(tree.faults() == Faults{"cmake/site/errata.md names no test"});
  }
}
