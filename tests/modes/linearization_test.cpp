#include <dalembert/modes/linearization.hpp>

#include <cmath>
#include <complex>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace assembly_linearization_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using D = Dual<double, 1>;

/// Forces in space and torques on the nodes that do not change.
template <class S>
struct Dead {
  Columns<double, 6> loads;
  template <class B>
  void add(const B&, const rod::Chain<S>&, S, Columns<S, 6>& f) const {
    for (Eigen::Index k = 0; k < loads.rows(); ++k)
      for (int i = 0; i < 6; ++i) f(k, i) += loads(k, i);
  }
};

/// Two rods that hook into each other and roll on each other, under loads that friction holds.
template <class S>
struct Hooked {
  static constexpr int elements = 10;
  using Plain = rod::ElasticRod<S>;
  using Rod = WithLoad<Plain, Dead<S>>;
  using Contact = contact::RollingContact<S>;
  using Problem = Assembly<Kinds<Rod>, Kinds<Contact>>;

  static Plain rod(double damping) {
    typename Plain::Parameters p;
    p.start = p.finish = rod::Boundary<S>::clamped();
    p.damping.rate = S(damping);
    p.loads.finish.follower_moment = Vec<S, 3>(S(0), S(0), S(0));
    return test::soft_rod<Plain>(0.005, elements, p);
  }
  static Problem problem(const std::array<Columns<double, 6>, 2>& loads, double damping, double of_second) {
    const Plain plain = rod(damping);
    return Problem(assembly::bodies(std::vector{Rod(plain, {loads[0]}), Rod(rod(of_second), {loads[1]})}),
                   assembly::constraints(
                       std::vector{Contact{{0, plain, S(0.1)}, {1, plain, S(0.1)}, S(0.004), S(0.006)}}));
  }
};
std::array<Columns<double, 6>, 2> no_loads() {
  const auto zero = rod::zero_columns<double, 6>(Hooked<double>::elements + 1);
  const Columns<double, 6> rows = zero.topRows(Hooked<double>::elements + 1);
  return {rows, rows};
}

/// Two rods without loads, damped so.
Hooked<double>::Problem damped(double first, double second) {
  return Hooked<double>::problem(no_loads(), first, second);
}

/// Their equilibrium without friction.
assembly::State<double> hooked() {
  using H = Hooked<double>;
  const auto plain = H::rod(0);
  Kinds<H::Plain> bodies = assembly::bodies(std::vector{plain, plain});
  Kinds<H::Contact> contacts =
      assembly::constraints(std::vector{H::Contact{{0, plain, 0.1}, {1, plain, 0.1}, 0.004, 0.006}});
  assembly::State<double> x = Assembly{bodies, contacts}.state(
      {plain.straight({-0.5, 0.02, -0.005}, SO3<double>::exp({0, M_PI / 2, 0}), 1.1),
       plain.straight({0.03, -0.6, 0.005}, SO3<double>::exp({-M_PI / 2, 0, 0}), 1.1)},
      Vec<double, 2>(0.5, 0.5));
  static_equilibrium(bodies, contacts, x, [&](double factor, auto&, auto&, assembly::State<double>& moved) {
    for (const Eigen::Index k : {0, H::elements}) {
      moved[0].configuration(k, 2) = -0.005 + factor * 0.04;
      moved[1].configuration(k, 2) = 0.005 - factor * 0.04;
    }
  });
  return x;
}

/// (∂a/∂q, ∂a/∂v) of the accelerations that the engine finds at rest, by automatic differentiation.
Eigen::MatrixXd derivative_of_accelerations(const Hooked<D>::Problem& problem,
                                            const assembly::State<double>& x) {
  assembly::State<D> at;
  at.time = D(0);
  at.z = x.z.cast<D>();
  for (const auto& chain : x.chains) {
    at.chains.emplace_back(chain.nodes);
    for (Eigen::Index k = 0; k < chain.nodes; ++k)
      for (int i = 0; i < 7; ++i) at.chains.back().configuration(k, i) = D(chain.configuration(k, i));
  }
  const Eigen::Index n = Hooked<D>::elements + 1, size = 12 * n;
  Eigen::MatrixXd slopes(size, 2 * size);
  auto rates = problem.make_rates();
  for (Eigen::Index j = 0; j < 2 * size; ++j) {
    auto u = problem.make_increment();
    u.set_zero();
    auto& columns = j < size ? u.displacement : u.velocity;
    columns[static_cast<std::size_t>(j % size / (6 * n))](j / 6 % n, j % 6) = D::variable(0.0, 0);
    assembly::State<D> moved = at;
    problem.retract(at, u, moved);
    problem.solve_algebraic(moved);
    problem.rates(moved, rates);
    for (Eigen::Index i = 0; i < size; ++i)
      slopes(i, j) = rates.xidot[static_cast<std::size_t>(i / (6 * n))](i / 6 % n, i % 6).derivative(0);
  }
  return slopes;
}

TEST_CASE("small motions of rods that friction holds are those of the engine's own equations",
          "[assembly][modes]") {
  const assembly::State<double> x = hooked();
  auto loads = no_loads();
  {
    const auto free = Hooked<double>::problem(loads, 0, 0);
    const auto motions = assembly::detail::small_motions(free, x);
    const Vec<double, 3> n = motions.lambda / motions.lambda.norm(),
                         aside = Vec<double, 3>(0.5, -0.3, 0.1) * motions.lambda.norm();
    const Vec<double, 3> friction = aside - n.dot(aside) * n;
    for (const auto& e : motions.reactions) {
      const auto body = static_cast<std::size_t>(e.column / 66);
      loads[body](e.column / 6 % 11, e.column % 6) -= e.value * friction[e.row];
    }
  }
  const auto problem = Hooked<double>::problem(loads, 0, 0);
  CHECK_THROWS_WITH(modes(problem, x, {.count = 4}), ContainsSubstring("modes: asymmetry"));
  Eigen::VectorXcd squares =
      Eigen::EigenSolver<Eigen::MatrixXd>(
          derivative_of_accelerations(Hooked<D>::problem(loads, 0, 0), x).leftCols(132), false)
          .eigenvalues();
  const auto distance = [&](const Complex& square) { return (squares.array() - square).abs().minCoeff(); };
  const double start = std::abs(linearization(problem, x, {.count = 1})[0].eigenvalue);
  for (const Complex shift : {Complex(0.1, 0.9 * start), Complex(3, 3 * start), Complex(1, 10 * start)})
    for (const auto& motion : linearization(problem, x, {.count = 5, .shift = shift})) {
      const Complex s = motion.eigenvalue;
      CAPTURE(s, shift);
      CHECK(motion.residual < 1e-8);
      CHECK(distance(s * s) < 1e-8 * std::norm(s));
    }
  // every one near the shift was found
  const Complex shift(0.1, 3 * start);
  const auto near = linearization(problem, x, {.count = 6, .shift = shift});
  const double reach = std::abs(near.back().eigenvalue - shift) * (1 - 1e-6);
  int inside = 0;
  for (const Complex& square : squares) {
    const Complex s = std::sqrt(square);
    inside += std::min(std::abs(s - shift), std::abs(-s - shift)) < reach && std::abs(square) > 1e-3 ? 1 : 0;
  }
  CHECK(inside == 5);
}

TEST_CASE("rods that are damped unlike each other decay as the engine's own equations have it",
          "[assembly][modes]") {
  const assembly::State<double> x = hooked();
  const double one = 4, other = 60;
  Eigen::MatrixXd first_order = Eigen::MatrixXd::Zero(264, 264);
  first_order.topRightCorner(132, 132).setIdentity();
  first_order.bottomRows(132) = derivative_of_accelerations(Hooked<D>::problem(no_loads(), one, other), x);
  // in units of the highest frequency both blocks are of one size, or rounding would be as large as its square
  const double highest = std::sqrt(first_order.bottomLeftCorner(132, 132).cwiseAbs().maxCoeff());
  first_order.topRightCorner(132, 132) *= highest;
  first_order.bottomLeftCorner(132, 132) /= highest;
  const Eigen::VectorXcd all = Eigen::EigenSolver<Eigen::MatrixXd>(first_order, false).eigenvalues();
  const auto problem = damped(one, other);
  for (const Complex shift : {Complex(-1, 30), Complex(-30, 50), Complex(1, 1)})
    for (const auto& motion : linearization(problem, x, {.count = 4, .shift = shift})) {
      CAPTURE(shift, motion.eigenvalue);
      CHECK(motion.eigenvalue.real() < -one / 4);
      CHECK((all.array() - motion.eigenvalue).abs().minCoeff() < 1e-9 * std::abs(motion.eigenvalue));
    }
}

TEST_CASE("damping turns each mode of rods that roll on each other into a decay", "[assembly][modes]") {
  const assembly::State<double> x = hooked();
  const auto free = modes(damped(0, 0), x, {.count = 3});
  const double nu = 0.3 * free[0].frequency();
  const auto decays =
      linearization(damped(nu, nu), x, {.count = 3, .shift = Complex(0, 0.9 * free[0].frequency())});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_THAT(decays[i].eigenvalue.real(), WithinRel(-nu / 2, 1e-7));
    CHECK_THAT(std::norm(decays[i].eigenvalue), WithinRel(free[i].square, 1e-7));
  }
}

TEST_CASE("what is no equilibrium has no linear motions", "[assembly][modes]") {
  const assembly::State<double> x = hooked();
  auto loads = no_loads();
  loads[0](5, 2) = 0.1;
  const auto problem = Hooked<double>::problem(loads, 0, 0);
  CHECK_THROWS_WITH(linearization(problem, x),
                    ContainsSubstring("linearization: distance to an equilibrium"));
  CHECK_THROWS_WITH(linearization(problem, x, {.shift = Complex(0, 0)}),
                    ContainsSubstring("LinearizationOptions: size of the shift = 0"));
  CHECK_THROWS_AS(linearization(damped(0, 0), x, {.count = 10, .largest_space = 12}), NoConvergence);
}

}  // namespace assembly_linearization_test
