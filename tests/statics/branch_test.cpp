#include <dalembert/statics/branch.hpp>

#include "support/catch.hpp"

namespace branch_test {

using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a branch tells its points of one kind, and what was found before it was lost",
          "[assembly][continuation]") {
  Branch<double> branch;
  CHECK(branch.iterations == 0);
  for (const BranchEvent kind : {BranchEvent::none, BranchEvent::limit_point, BranchEvent::none}) {
    BranchPoint<double> p;
    p.kind = kind;
    p.parameter = 0.5 + static_cast<double>(branch.points.size());
    branch.points.push_back(p);
  }
  REQUIRE(branch.of_kind(BranchEvent::limit_point).size() == 1);
  CHECK(branch.of_kind(BranchEvent::limit_point)[0].parameter == 1.5);
  CHECK(branch.of_kind(BranchEvent::none).size() == 2);
  CHECK(branch.of_kind(BranchEvent::bifurcation).empty());
  const BranchLost<double> lost("it snapped", branch);
  CHECK(lost.branch().points.size() == 3);
  CHECK_THAT(lost.what(), ContainsSubstring("no equilibrium beyond the parameter 2.5: it snapped"));
}

}  // namespace branch_test
