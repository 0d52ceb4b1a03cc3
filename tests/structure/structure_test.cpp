// The source tree keeps its rules, and the checker of those rules would notice if it did not.

#include "structure/checker.hpp"

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace {

using structure::Faults;

/// A made-up source tree in a temporary folder, removed at the end.
class Tree {
 public:
  Tree() {
    write("include/dalembert/version.hpp", "#pragma once\n");
    header("core/real.hpp");
    header("lie/se3.hpp", {"core/real.hpp"});
    header("problem/concepts.hpp", {"lie/se3.hpp"});
    header("mechanics/state.hpp", {"lie/se3.hpp", "problem/concepts.hpp"});
    header("rod/state.hpp", {"mechanics/state.hpp"});
    header("rod/detail/inner.hpp", {"rod/state.hpp"});
    header("contact/kernel.hpp", {"rod/state.hpp"});
    header("string/exact.hpp", {"contact/kernel.hpp", "problem/concepts.hpp"});
    header("systems/sleigh.hpp", {"mechanics/state.hpp", "string/exact.hpp", "version.hpp"});
    header("integrate/drive.hpp", {"problem/concepts.hpp"});
    header("analysis/energy_monitor.hpp", {"integrate/drive.hpp"});
    header("io/vtk.hpp", {"integrate/drive.hpp"});
    header("ensemble/member.hpp", {"core/real.hpp"});
    header("compat/chart.hpp", {"problem/concepts.hpp"});
    umbrella();
  }

  void write(const std::string& path, const std::string& text) const { folder_.write(path, text); }

  void header(const std::string& path, const std::vector<std::string>& includes = {},
              const std::string& rest = {}) {
    std::string text = "#pragma once\n";
    for (const auto& name : includes) text += "#include <dalembert/" + name + ">\n";
    write("include/dalembert/" + path, text + rest);
    if (path.find("detail") == std::string::npos) known_.insert(path);
  }

  void umbrella(const std::string& words = {}) const {
    std::string text = words + "#pragma once\n#include <dalembert/version.hpp>\n";
    for (const auto& path : known_) text += "#include <dalembert/" + path + ">\n";
    write("include/dalembert/dalembert.hpp", text);
  }

  Faults faults() const { return structure::faults(folder_.path); }

 private:
  test::Folder folder_;
  std::set<std::string> known_;
};

}  // namespace

TEST_CASE("the source tree keeps its rules") {
  const auto faults = structure::faults(DALEMBERT_SOURCE);
  for (const auto& fault : faults) UNSCOPED_INFO(fault);
  CHECK(faults.empty());
}

TEST_CASE("the checker accepts a tree in order") {
  const Tree tree;
  CHECK(tree.faults() == Faults{});
}

TEST_CASE("the checker sees an include against the order") {
  using Case = std::pair<std::string, std::string>;
  const auto [from, to] = GENERATE(
      Case{"core/real.hpp", "lie/se3.hpp"}, Case{"lie/se3.hpp", "mechanics/state.hpp"},
      Case{"linalg/small.hpp", "lie/se3.hpp"}, Case{"clusters/rows_view.hpp", "rod/state.hpp"},
      Case{"statics/small.hpp", "rod/state.hpp"}, Case{"mechanics/state.hpp", "rod/state.hpp"},
      Case{"rod/state.hpp", "contact/kernel.hpp"}, Case{"contact/kernel.hpp", "string/exact.hpp"},
      Case{"string/exact.hpp", "systems/sleigh.hpp"}, Case{"rod/state.hpp", "integrate/drive.hpp"},
      Case{"systems/sleigh.hpp", "integrate/drive.hpp"}, Case{"systems/sleigh.hpp", "problem/concepts.hpp"},
      Case{"integrate/drive.hpp", "systems/sleigh.hpp"}, Case{"integrate/drive.hpp", "mechanics/state.hpp"},
      Case{"analysis/energy_monitor.hpp", "systems/sleigh.hpp"},
      Case{"analysis/energy_monitor.hpp", "contact/kernel.hpp"},
      Case{"analysis/energy_monitor.hpp", "rod/state.hpp"}, Case{"io/vtk.hpp", "rod/state.hpp"},
      Case{"compat/chart.hpp", "rod/state.hpp"}, Case{"compat/chart.hpp", "mechanics/state.hpp"},
      Case{"io/vtk.hpp", "systems/sleigh.hpp"}, Case{"io/vtk.hpp", "analysis/energy_monitor.hpp"},
      Case{"ensemble/member.hpp", "rod/state.hpp"}, Case{"integrate/drive.hpp", "ensemble/member.hpp"},
      Case{"rod/state.hpp", "dalembert.hpp"});
  Tree tree;
  tree.header(from, {to});
  const auto faults = tree.faults();
  const auto expected = from + " must not include " + to;
  CHECK(std::find(faults.begin(), faults.end(), expected) != faults.end());
}

TEST_CASE("the checker follows relative includes") {
  Tree tree;
  tree.header("core/real.hpp", {}, " #  include \"../systems/sleigh.hpp\"\n");
  const auto faults = tree.faults();
  CHECK(std::find(faults.begin(), faults.end(), "core/real.hpp must not include systems/sleigh.hpp") !=
        faults.end());
}

TEST_CASE("the checker sees what does not exist, circles and strangers") {
  Tree tree;
  SECTION("missing header") {
    tree.header("core/real.hpp", {"core/none.hpp"});
    CHECK(tree.faults() == Faults{"core/real.hpp includes core/none.hpp, which does not exist"});
  }
  SECTION("missing text") {
    tree.header("io/vtk.hpp", {"io/page/main.js", "io/page/none.js"});
    tree.write("include/dalembert/io/page/main.js", "\n");
    CHECK(tree.faults() == Faults{"io/vtk.hpp includes io/page/none.js, which does not exist"});
  }
  SECTION("circle inside a layer") {
    tree.header("core/one.hpp", {"core/two.hpp"});
    tree.header("core/two.hpp", {"core/one.hpp"});
    tree.umbrella();
    CHECK(tree.faults() == Faults{"core/one.hpp includes itself by way of others",
                                  "core/two.hpp includes itself by way of others"});
  }
  SECTION("the two halves of a header are no circle, with others they are") {
    tree.header("core/one.hpp", {"core/detail/one_members.hpp"});
    tree.header("core/detail/one_members.hpp", {"core/one.hpp"});
    tree.umbrella();
    CHECK(tree.faults().empty());
    tree.header("core/detail/one_members.hpp", {"core/one.hpp", "core/two.hpp"});
    tree.header("core/two.hpp", {"core/one.hpp"});
    tree.umbrella();
    CHECK(tree.faults() == Faults{"core/detail/one_members.hpp includes itself by way of others",
                                  "core/one.hpp includes itself by way of others",
                                  "core/two.hpp includes itself by way of others"});
  }
  SECTION("derivatives in what explicit steps need") {
    tree.header("tangents/linearised_body.hpp");
    tree.header("assembly/with_load.hpp", {"tangents/linearised_body.hpp"});
    tree.header("assembly/assembly.hpp");
    tree.umbrella();
    CHECK(tree.faults() == Faults{});
    tree.header("assembly/assembly.hpp", {"assembly/with_load.hpp"});
    CHECK(tree.faults() ==
          Faults{"assembly/assembly.hpp includes tangents/linearised_body.hpp by way of others"});
  }
  SECTION("unknown layer") {
    tree.header("misc/any.hpp");
    tree.umbrella();
    CHECK(tree.faults() == Faults{"misc/any.hpp is in no known layer"});
  }
  SECTION("another library") {
    tree.header("io/vtk.hpp", {}, "#include <nlohmann/json.hpp>\n#include <Eigen/Core>\n#include <vector>\n");
    CHECK(tree.faults() == Faults{"io/vtk.hpp must not include <nlohmann/json.hpp>"});
  }
}

TEST_CASE("the checker sees headers out of form") {
  Tree tree;
  SECTION("as long as allowed") {
    tree.header("core/real.hpp", {}, std::string(structure::longest_header - 1, '\n'));
    CHECK(tree.faults() == Faults{});
  }
  SECTION("too long") {
    tree.header("core/real.hpp", {}, std::string(structure::longest_header, '\n'));
    CHECK(tree.faults() == Faults{"core/real.hpp has 351 lines, more than 350"});
  }
  SECTION("wide, in a room that keeps to a width") {
    const std::string wide = "// " + std::string(107, 'x');
    tree.header("linalg/small.hpp", {}, wide + "\n// \u03bb" + std::string(106, 'x') + "\n");
    tree.umbrella();
    CHECK(tree.faults() == Faults{});
    tree.header("linalg/small.hpp", {}, wide + "x\n");
    CHECK(tree.faults() == Faults{"linalg/small.hpp:2 has more than 110 characters"});
    tree.header("linalg/small.hpp");
    tree.header("core/real.hpp", {}, wide + "x\n");
    CHECK(tree.faults() == Faults{});
  }
  SECTION("too long for its room") {
    tree.header("statics/small.hpp", {}, std::string(300, '\n'));
    tree.umbrella();
    CHECK(tree.faults() == Faults{"statics/small.hpp has 301 lines, more than 300 in this room"});
  }
  SECTION("macro") {
    tree.header("core/real.hpp", {}, "# define LOUD 1\n");
    CHECK(tree.faults() == Faults{"core/real.hpp defines a macro"});
  }
  SECTION("cold") {
    tree.header("core/real.hpp", {}, "[[gnu::cold, gnu::noinline]] void fail();\n");
    CHECK(tree.faults() == Faults{});
    tree.header("core/real.hpp", {}, "[[nodiscard, gnu::cold]] int set_up();\n");
    CHECK(tree.faults() == Faults{"core/real.hpp makes those cold who call it"});
  }
  SECTION("no guard") {
    tree.write("include/dalembert/core/real.hpp", "\n");
    CHECK(tree.faults() == Faults{"core/real.hpp lacks #pragma once"});
  }
}

TEST_CASE("the checker sees where derivatives of constraints begin") {
  Tree tree;
  const std::string line = "auto x = Dual::variable(0, 1);\n";
  tree.header("assembly/detail/seeds.hpp", {}, line + line + line + line);
  tree.header("rod/state.hpp", {}, line);
  tree.umbrella();
  CHECK(tree.faults() == Faults{});
  tree.header("assembly/detail/rows.hpp", {}, line);
  CHECK(tree.faults() ==
        Faults{"assembly/detail/rows.hpp begins derivatives, which is for assembly/detail/seeds.hpp"});
  tree.header("assembly/detail/rows.hpp");
  tree.header("assembly/detail/seeds.hpp", {}, line + line + line + line + line);
  CHECK(tree.faults().size() == 1);
}

TEST_CASE("the checker sees where members of constraints are called") {
  Tree tree;
  const std::string names = "struct RowNames {\n  int reaction,\n      mobility;\n};\n";
  tree.header("assembly/constraint_rows.hpp", {}, names + "auto x = c_.reaction(seen) * c.mobility();\n");
  tree.header("assembly/detail/rows.hpp", {}, "auto x = evaluator.reaction(e) + c.rows();\n");
  tree.umbrella();
  CHECK(tree.faults() == Faults{});
  tree.header("assembly/detail/rows.hpp", {}, "auto x = list_[i].mobility();\n");
  CHECK(tree.faults() == Faults{"assembly/detail/rows.hpp asks a constraint for mobility, which is for "
                                "assembly/constraint_rows.hpp"});
  tree.header("assembly/detail/rows.hpp", {}, "struct OtherNames {\n  int reaction;\n};\n");
  CHECK(tree.faults() == Faults{"assembly/detail/rows.hpp names reaction, as another header does"});
}

TEST_CASE("the checker sees an umbrella that forgets or invents") {
  Tree tree;
  SECTION("forgets") {
    tree.header("core/errors.hpp");
    CHECK(tree.faults() == Faults{"dalembert.hpp does not include core/errors.hpp"});
  }
  SECTION("leaves out") {
    tree.umbrella("/// - core/errors.hpp\n/// - io/none.hpp\n");
    tree.header("core/errors.hpp");
    CHECK(tree.faults() == Faults{"dalembert.hpp leaves out io/none.hpp, which does not exist"});
  }
  SECTION("invents") {
    tree.write("include/dalembert/dalembert.hpp", "#pragma once\n#include <dalembert/none.hpp>\n");
    const auto faults = tree.faults();
    CHECK(std::find(faults.begin(), faults.end(), "dalembert.hpp includes none.hpp, which does not exist") !=
          faults.end());
  }
}

TEST_CASE("the checker sees what is not explained") {
  Tree tree;
  const std::string concept_lines = "template <class T>\n  requires true\nconcept Real = true;\n";
  const std::string systems =
      "namespace dalembert::systems {\n}\nnamespace dalembert::systems::detail {\n}\n";
  SECTION("concept with a word above") {
    tree.header("core/real.hpp", {}, "/// Real.\n" + concept_lines);
    CHECK(tree.faults() == Faults{});
  }
  SECTION("concept without") {
    tree.header("core/real.hpp", {}, concept_lines);
    CHECK(tree.faults() == Faults{"core/real.hpp:4 does not explain its concept"});
  }
  SECTION("concept without, but nobody's business") {
    tree.header("core/real.hpp", {}, "namespace detail {\n" + concept_lines + "}  // namespace detail\n");
    CHECK(tree.faults() == Faults{});
  }
  SECTION("concept without, after what is nobody's business") {
    tree.header("core/real.hpp", {}, "namespace detail {\n}  // namespace detail\n" + concept_lines);
    CHECK(tree.faults() == Faults{"core/real.hpp:6 does not explain its concept"});
  }
  SECTION("namespace explained") {
    tree.header("core/real.hpp", {}, systems);
    tree.umbrella("/// @namespace dalembert::systems\n/// Systems.\n");
    CHECK(tree.faults() == Faults{});
  }
  SECTION("namespace not explained") {
    tree.header("core/real.hpp", {}, systems);
    CHECK(tree.faults() ==
          Faults{"dalembert.hpp does not explain @namespace dalembert::systems, which core/real.hpp uses"});
  }
}

TEST_CASE("the checker sees classes that ask for a number type") {
  Tree tree;
  const std::string over = "template <Real S>\nclass Rod {};\n";
  const std::string more = "template <Real S, int N = 3>\nstruct Rod final {\n};\n";
  SECTION("where there is a default") {
    tree.header("rod/state.hpp", {"mechanics/state.hpp"}, "template <Real S = double>\nclass Rod {};\n");
    CHECK(tree.faults() == Faults{});
  }
  SECTION("where there can be none, of a special case, of nobody's business") {
    tree.header("rod/state.hpp", {"mechanics/state.hpp"},
                "template <Real S, int N>\nclass Rod {};\ntemplate <Real S>\nclass Rod<S, 1> {};\n"
                "namespace detail {\n" +
                    over + "}  // namespace detail\n");
    CHECK(tree.faults() == Faults{});
  }
  SECTION("where there is none") {
    tree.header("rod/state.hpp", {"mechanics/state.hpp"}, over + more);
    CHECK(tree.faults() == Faults{"rod/state.hpp:3 has no number type by default for Rod",
                                  "rod/state.hpp:5 has no number type by default for Rod"});
  }
}

TEST_CASE("the checker sees folders of one machine") {
  const Tree tree;
  const std::string folder = std::string{"/tm"} + "p";
  const std::string file =
      GENERATE(as<std::string>{}, "tests/io/csv_test.cpp", "README.md", "cmake/bootstrap", ".ci/run");
  tree.write(file, "first\nin " + folder + "/x\n");
  CHECK(tree.faults() == Faults{file + ":2 names " + folder});
}

TEST_CASE("the checker sees names that were given up") {
  const Tree tree;
  const std::string old = std::string{"Frame"} + "Place";
  tree.write("examples/first/one.cpp",
             "// " + old + "\nconst char* said = \"" + old + "\";\nusing X = " + old + ";\n");
  CHECK(tree.faults() == Faults{"examples/first/one.cpp:3 says " + old + ", whose name is FrameMarker"});
}

TEST_CASE("the checker knows names by how they begin or end") {
  using structure::names_it;
  CHECK(names_it("auto x = Whole();", "Whole"));
  CHECK(!names_it("auto x = Wholesale();", "Whole"));
  CHECK(names_it("auto x = Wholesale();", "Whole*"));
  CHECK(!names_it("auto x = AWholesale();", "Whole*"));
  CHECK(names_it("auto x = AWhole();", "*Whole"));
  CHECK(!names_it("auto x = AWholesale();", "*Whole"));
}

TEST_CASE("the checker sees headers that are named and are not there") {
  Tree tree;
  tree.header("rod/rod.hpp", {},
              "/// See rod/gone.hpp and rod/state.hpp; other/gone.hpp is nobody's business.\n");
  tree.umbrella();
  CHECK(tree.faults() == Faults{"include/dalembert/rod/rod.hpp:2 names rod/gone.hpp, which is not there"});
}
