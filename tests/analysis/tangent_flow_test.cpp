#include <dalembert/analysis/tangent_flow.hpp>

#include <cmath>
#include <vector>

#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/assembly/kinetic_metric.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"

namespace tangent_flow_test {

using namespace dalembert;
using namespace dalembert::assembly;
using D = Dual<double, 3>;
using Matrix = Mat<double, Eigen::Dynamic>;
using Column = Vec<double, Eigen::Dynamic>;

template <class S>
using Rod = rod::ElasticRod<S>;
template <class S>
using Contact = contact::RollingContact<S>;
template <class S>
using Problem = Assembly<Kinds<Rod<S>>, Kinds<Contact<S>>>;

/// Units of which a metre has 1/length, a kilogram 1/mass.
struct Units {
  double length = 1, mass = 1;
};

/// Two clamped, stretched rods that cross and roll on each other.
template <class S>
Problem<S> crossed(const Units& u = {}) {
  const rod::CircularSection<S> section({.radius = S(0.02 * u.length),
                                         .young = S(1e6 * u.mass / u.length),
                                         .poisson = S(0.3),
                                         .density = S(1100 * u.mass / std::pow(u.length, 3)),
                                         .shear_factor = S(0.9)});
  typename Rod<S>::Parameters of;
  of.elements = 16;
  of.length = S(u.length);
  of.inertia = section.inertia();
  of.start = of.finish = rod::Boundary<S>::clamped();
  const Rod<S> rod(rod::LinearElastic<S>(section.stiffness_diagonal()), of);
  const S width(0.1 * u.length), radius(0.02 * u.length);
  const Contact<S> contact{{0, rod, width}, {1, rod, width}, radius, radius, true};
  return Problem<S>(bodies(std::vector{rod, rod}), constraints(std::vector{contact}));
}
assembly::State<double> start(const Problem<double>& problem, const Units& u = {}) {
  using Vec3 = Vec<double, 3>;
  const auto& rod = problem.bodies<0>()[0];
  const double l = u.length, quarter = M_PI / 2;
  auto at =
      problem.state({rod.straight(Vec3(-0.55 * l, 0.02 * l, -0.02 * l), SO3d::exp(Vec3(0, quarter, 0)), 1.1),
                     rod.straight(Vec3(0.03 * l, -0.5 * l, 0.02 * l), SO3d::exp(Vec3(-quarter, 0, 0)), 1.1)},
                    Vec<double, 2>(0.52 * l, 0.48 * l));
  for (Eigen::Index k = 3; k < 12; ++k) {
    at[0].velocity(k, 1) = l * std::sin(static_cast<double>(k));
    at[1].velocity(k, 2) = 0.5 * l;
  }
  problem.project(at);
  return at;
}

/// As many columns of numbers without order, those of held ends zero.
Matrix columns_at(const Problem<double>& problem, const assembly::State<double>& at, int count) {
  const Column weights = kinetic_metric(problem, at, 0.01).weights;
  Matrix columns(weights.size(), count);
  for (Eigen::Index i = 0; i < columns.size(); ++i)
    columns.data()[i] =
        weights[i % weights.size()] > 0 ? std::sin(1 + 0.7 * static_cast<double>(i * i)) : 0.0;
  return columns;
}

/// How far columns are from the linearised constraints, relative to the largest rate of a row along such
/// numbers.
double off_constraints(const Problem<double>& problem, const assembly::State<double>& at,
                       const Matrix& columns) {
  static const auto with_derivatives = crossed<D>();
  const auto lifted = at.mapped<D>([](double x) { return D(x); });
  const auto rates = [&](const Matrix& of) {
    Vec<D, Eigen::Dynamic> numbers(of.rows());
    for (Eigen::Index i = 0; i < of.rows(); ++i) {
      numbers[i] = D(0);
      for (int j = 0; j < D::size; ++j) numbers[i].set_derivative(j, of(i, j));
    }
    auto u = difference(lifted, lifted);
    analysis::detail::set_column<Problem<D>>(lifted, numbers, u);
    auto x = lifted;
    with_derivatives.retract(lifted, u, x);
    double most = 0;
    for (const auto& rows : {with_derivatives.row_velocities(x), with_derivatives.row_errors(x)})
      for (const D& row : rows)
        for (int j = 0; j < D::size; ++j) most = std::max(most, std::abs(row.derivative(j)));
    return most;
  };
  return rates(columns) / rates(columns_at(problem, at, D::size) * (columns.norm() / std::sqrt(D::size)));
}

TEST_CASE("tangent vectors of rods that roll stay on the constraints to rounding", "[lyapunov][assembly]") {
  const auto problem = crossed<double>();
  const auto with_derivatives = crossed<D>();
  analysis::DerivedTangents tangents(Verlet{}, problem, with_derivatives, start(problem));
  Matrix columns = tangents.allowed(columns_at(problem, tangents.state(), D::size), 1);
  CHECK(off_constraints(problem, tangents.state(), columns_at(problem, tangents.state(), D::size)) > 1e-2);
  CHECK(off_constraints(problem, tangents.state(), columns) < 1e-12);
  for (int interval = 0; interval < 3; ++interval) {
    tangents.carry(columns, 1, 2e-4, 20);
    columns /= columns.norm();
    CHECK(off_constraints(problem, tangents.state(), columns) < 1e-11);
  }
  // and are those of differences
  analysis::DifferencedTangents differenced(Verlet{}, problem, tangents.state());
  Matrix a = columns, b = columns;
  tangents.carry(a, 1, 2e-4, 50);
  differenced.carry(b, 1e-6, 2e-4, 50);
  CHECK((a - b).norm() < 1e-4 * a.norm());
  CHECK((a - columns).norm() > 0.1 * a.norm());
  CHECK(difference(tangents.state(), differenced.state()).norm() < 1e-9);
}

TEST_CASE("exponents of rods are the same in other units of length and mass", "[lyapunov][assembly]") {
  const auto exponents = [](const Units& u) {
    const auto problem = crossed<double>(u);
    analysis::Directions<Problem<double>> two{.count = 2};
    return Column(analysis::tangent_spectrum(Verlet{}, problem, start(problem, u),
                                             {.step = 2e-4, .duration = 0.08, .interval = 5e-3}, two)
                      .exponents);
  };
  const Column usual = exponents({});
  CHECK(usual.cwiseAbs().minCoeff() > 0.1);
  for (const Units& u : {Units{1e-6, 1e6}, {1e6, 1e-6}, {1e-6, 1e-6}, {1e3, 1e6}}) {
    CAPTURE(u.length, u.mass);
    CHECK((exponents(u) - usual).norm() < 1e-4 * usual.norm());
  }
}

}  // namespace tangent_flow_test
