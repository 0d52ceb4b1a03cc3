#pragma once

/// @file
/// Every combination of kernel, smearing and tangency. Each smearing is compiled by itself: all in one file would take long.

#include "support/contact_case.hpp"

namespace contact_laws_test {

/// Add a case for each kernel and tangency with this smearing.
void add_spatial(test::ContactCases<double>& cases, const test::PairOptions& options);
void add_body(test::ContactCases<double>& cases, const test::PairOptions& options);

/// Every tangency with one kernel and smearing.
template <class Kernel, class Smearing>
void add_tangencies(test::ContactCases<double>& cases, const std::string& name,
                    const test::PairOptions& options) {
  namespace c = dalembert::contact;
  test::add_case<double, Kernel, Smearing, c::CentrelineTangency>(cases, name + ", centreline", options);
  test::add_case<double, Kernel, Smearing, c::MaterialTangency>(cases, name + ", material", options);
  test::add_case<double, Kernel, Smearing, c::ElementTangency>(cases, name + ", element", options);
}

/// Every kernel and tangency with one smearing.
template <class Smearing>
void add_kernels(test::ContactCases<double>& cases, const std::string& name,
                 const test::PairOptions& options) {
  namespace c = dalembert::contact;
  add_tangencies<c::CubicSpline, Smearing>(cases, "cubic, " + name, options);
  add_tangencies<c::QuinticSpline, Smearing>(cases, "quintic, " + name, options);
  add_tangencies<c::CompactBump, Smearing>(cases, "bump, " + name, options);
}

}  // namespace contact_laws_test
