#include "laws/contact_cases.hpp"

namespace contact_laws_test {

void add_spatial(test::ContactCases<double>& cases, const test::PairOptions& options) {
  add_kernels<dalembert::contact::SpatialSmearing>(cases, "spatial", options);
}

}  // namespace contact_laws_test
