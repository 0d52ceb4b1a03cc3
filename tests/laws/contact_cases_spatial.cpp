#include "laws/contact_cases.hpp"

namespace contact_laws_test {

void add_spatial(test::RollingCases& cases, const test::RollingOptions& options) {
  add_kernels<dalembert::contact::SpatialAveraging>(cases, "spatial", options);
}

namespace {
const test::ProblemFamily spatial_family([](test::Problems& all, bool elsewhere) {
  add_problems<dalembert::contact::SpatialAveraging>(all, "spatial", elsewhere);
});
}  // namespace

}  // namespace contact_laws_test
