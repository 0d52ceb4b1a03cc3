#include "laws/contact_cases.hpp"

namespace contact_laws_test {

void add_body(test::ContactCases<double>& cases, const test::PairOptions& options) {
  add_kernels<dalembert::contact::BodySmearing>(cases, "body", options);
}

namespace {
const test::ProblemFamily body_family([](test::Problems& all, bool elsewhere) {
  add_problems<dalembert::contact::BodySmearing>(all, "body", elsewhere);
});
}  // namespace

}  // namespace contact_laws_test
