#include "laws/contact_cases.hpp"

namespace contact_laws_test {

void add_spatial(test::RollingCases& cases, const test::RollingOptions& options) {
  add_kernels<dalembert::contact::SpatialSmearing>(cases, "spatial", options);
}

namespace {
const test::ProblemFamily spatial_family([](test::Problems& all, bool elsewhere) {
  add_problems<dalembert::contact::SpatialSmearing>(all, "spatial", elsewhere);
});
}  // namespace

}  // namespace contact_laws_test
