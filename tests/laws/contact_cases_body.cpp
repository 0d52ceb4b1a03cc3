#include "laws/contact_cases.hpp"

namespace contact_laws_test {

void add_body(test::RollingCases& cases, const test::RollingOptions& options) {
  add_kernels<dalembert::contact::BodyAveraging>(cases, "body", options);
}

namespace {
const test::ProblemFamily body_family([](test::Problems& all, bool elsewhere) {
  add_problems<dalembert::contact::BodyAveraging>(all, "body", elsewhere);
});
}  // namespace

}  // namespace contact_laws_test
