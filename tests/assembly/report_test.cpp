#include <dalembert/assembly/report.hpp>

#include "support/catch.hpp"

namespace report_test {

using dalembert::assembly::SolveReport;

TEST_CASE("what solves of parts found out is counted together", "[assembly][report]") {
  SolveReport sum;
  CHECK(sum.redundant_rows == 0);
  CHECK(sum.clusters == 0);
  sum += {.redundant_rows = 2, .clusters = 5};
  (sum += {.redundant_rows = 1, .clusters = 7}) += {};
  CHECK(sum.redundant_rows == 3);
  CHECK(sum.clusters == 12);
}

}  // namespace report_test
