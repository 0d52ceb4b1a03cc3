#pragma once

/// @file
/// Every combination of kernel, averaging and tangency. Each averaging is compiled by itself: all in one file would take long.

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rolling_case.hpp"

namespace contact_laws_test {

/// Add a case for each kernel and tangency with this averaging.
void add_spatial(test::RollingCases& cases, const test::RollingOptions& options);
void add_body(test::RollingCases& cases, const test::RollingOptions& options);

/// One combination, for the laws of problems; elsewhere it is turned and displaced as a whole.
template <class Kernel, class Averaging, class TangencyRule>
void add_problem(test::Problems& all, const std::string& name, const test::RollingOptions& options,
                 bool elsewhere) {
  using dalembert::Mat, dalembert::Vec;
  const test::RollingCaseOf<Kernel, Averaging, TangencyRule> made(name, options);
  test::Random random(test::seed());
  std::vector<test::RollingCase::State> states;
  for (int i = 0; i < 2; ++i) {
    auto pair = made.pair(random, i == 1);
    if (elsewhere) {
      const Mat<double, 3> turn = test::rotation_matrix<double>({0.3, -1.1, 0.7});
      for (auto& chain : pair.chains) test::transform<double>(chain, turn, Vec<double, 3>(0.4, 0.3, -0.6));
      made.solve_algebraic(pair);
    }
    states.push_back(std::move(pair));
  }
  test::add_problem(all, "rolling rods: " + name, made.problem(), std::move(states), {.equivariant = true});
}

/// Every kernel and tangency with one averaging, for the laws of problems.
template <class Averaging>
void add_problems(test::Problems& all, const std::string& name, bool elsewhere) {
  namespace c = dalembert::contact;
  const test::RollingOptions options{.radius1 = 0.05, .radius2 = 0.03};
  const auto add_kernel = [&]<class Kernel>(const Kernel&, const std::string& kernel) {
    const std::string start = kernel + ", " + name + ", ";
    add_problem<Kernel, Averaging, c::CentrelineTangency>(all, start + "centreline", options, elsewhere);
    add_problem<Kernel, Averaging, c::MaterialTangency>(all, start + "material", options, elsewhere);
    add_problem<Kernel, Averaging, c::ElementTangency>(all, start + "element", options, elsewhere);
  };
  add_kernel(c::CubicSpline{}, "cubic");
  add_kernel(c::QuinticSpline{}, "quintic");
  add_kernel(c::CompactKernelValue{}, "bump");
}

template <class Kernel, class Averaging, class TangencyRule>
void add_case(test::RollingCases& cases, const std::string& name, const test::RollingOptions& options) {
  cases.push_back(std::make_unique<test::RollingCaseOf<Kernel, Averaging, TangencyRule>>(name, options));
}

/// Every tangency with one kernel and averaging.
template <class Kernel, class Averaging>
void add_tangencies(test::RollingCases& cases, const std::string& name, const test::RollingOptions& options) {
  namespace c = dalembert::contact;
  add_case<Kernel, Averaging, c::CentrelineTangency>(cases, name + ", centreline", options);
  add_case<Kernel, Averaging, c::MaterialTangency>(cases, name + ", material", options);
  add_case<Kernel, Averaging, c::ElementTangency>(cases, name + ", element", options);
}

/// Every kernel and tangency with one averaging.
template <class Averaging>
void add_kernels(test::RollingCases& cases, const std::string& name, const test::RollingOptions& options) {
  namespace c = dalembert::contact;
  add_tangencies<c::CubicSpline, Averaging>(cases, "cubic, " + name, options);
  add_tangencies<c::QuinticSpline, Averaging>(cases, "quintic, " + name, options);
  add_tangencies<c::CompactKernelValue, Averaging>(cases, "bump, " + name, options);
}

}  // namespace contact_laws_test
