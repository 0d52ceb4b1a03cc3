// Constraints of every form in statics and in small motions: rows by nodes, friction, places that slide by a rate, reactions along other rows.

#include <cmath>
#include <complex>
#include <string_view>
#include <tuple>
#include <vector>

#include <Eigen/Eigenvalues>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/modes/highest_frequency.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/crossing_by_nodes.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"
#include "support/turned_reactions.hpp"

namespace linearised_constraints_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using test::Runner;

/// Forces in space and torques on the nodes that do not change.
struct Dead {
  Columns<double, 6> loads;
  template <class B>
  void add(const B&, const rod::Chain<double>&, double, Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < loads.rows(); ++k)
      for (int i = 0; i < 6; ++i) f(k, i) += loads(k, i);
  }
  template <class B, class Add>
  void add_stiffness(const B&, const rod::Chain<double>&, double, Add&&) const {}
  template <class B, class Add>
  void add_damping(const B&, const rod::Chain<double>&, double, Add&&) const {}
};

constexpr double radius1 = 0.004, radius2 = 0.006;
constexpr int elements = 12;

Rod clamped() {
  Rod::Parameters p;
  p.start = p.finish = rod::Boundary<double>::clamped();
  return test::soft_rod<Rod>(0.005, elements, p);
}

/// Two straight rods that touch beside their middles, with loads that balance these multipliers of a constraint.
template <class C>
struct Pressed {
  using Problem = Assembly<Kinds<WithLoad<Rod, Dead>>, Kinds<C>>;
  Problem problem;
  assembly::State<double> x;

  Pressed(const C& c, const V& lambda) : problem(with({none(), none()}, c)) {
    const Rod rod = clamped();
    const double gap = radius1 + radius2, angle = 1.1;
    x = problem.state({rod.straight({-0.45, 0.02, -gap / 2}, SO3<double>::exp({0, M_PI / 2, 0})),
                       rod.straight(V(-0.52 * std::cos(angle), 0.02 - 0.52 * std::sin(angle), gap / 2),
                                    SO3<double>::exp({0, 0, angle}) * SO3<double>::exp({0, M_PI / 2, 0}))},
                      Vec<double, 2>(0.45, 0.52));
    const assembly::detail::SmallMotions<Problem> motions(problem, x);
    std::array<Columns<double, 6>, 2> loads{none(), none()};
    for (const auto& e : motions.reactions) {
      const auto body = static_cast<std::size_t>(e.column / (6 * (elements + 1)));
      loads[body](e.column / 6 % (elements + 1), e.column % 6) -= e.value * lambda[e.row];
    }
    problem = with(loads, c);
  }
  static Columns<double, 6> none() {
    const auto zero = rod::zero_columns<double, 6>(elements + 1);
    return zero.topRows(elements + 1);
  }
  static Problem with(const std::array<Columns<double, 6>, 2>& loads, const C& c) {
    return Problem(
        bodies(std::vector{WithLoad(clamped(), Dead{loads[0]}), WithLoad(clamped(), Dead{loads[1]})}),
        constraints(std::vector{c}));
  }
};

RollingContact crossing() {
  return RollingContact{{0, clamped(), 0.15}, {1, clamped(), 0.15}, radius1, radius2, true};
}

/// The accelerations that the engine finds a little along Re φeˢᵗ and Im φeˢᵗ are those of this motion: what is missing, relative to them.
template <class P>
double error_of_motion(const P& problem, const assembly::State<double>& x,
                       const LinearMotion<double>& motion) {
  const Complex s = motion.eigenvalue;
  double largest = 0, wrong = 0, shape = 0;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      for (int j = 0; j < 6; ++j)
        shape = std::max(shape, std::hypot(motion.real[b](k, j), motion.imaginary[b](k, j)));
  const double h = 5e-5 / shape;
  for (const Complex phase : {Complex(1, 0), Complex(0, 1)}) {
    auto rates = problem.make_rates();
    std::array<NodeNumbers<double>, 4> a;
    const std::array<double, 4> steps{-2 * h, -h, h, 2 * h};
    for (std::size_t side = 0; side < 4; ++side) {
      auto u = problem.make_increment();
      u.set_zero();
      assembly::State<double> moved = x;
      const double by = steps[side];
      for (std::size_t b = 0; b < x.chains.size(); ++b)
        for (Eigen::Index k = 0; k < x[b].nodes; ++k)
          for (int j = 0; j < 6; ++j) {
            const Complex phi = phase * Complex(motion.real[b](k, j), motion.imaginary[b](k, j));
            u.displacement[b](k, j) = by * phi.real();
            u.velocity[b](k, j) = by * (s * phi).real();
          }
      problem.retract(x, u, moved);
      problem.solve_algebraic(moved);
      problem.rates(moved, rates);
      a[side] = rates.xidot;
    }
    for (std::size_t b = 0; b < x.chains.size(); ++b)
      for (Eigen::Index k = 0; k < x[b].nodes; ++k)
        for (int j = 0; j < 6; ++j) {
          const Complex phi = phase * Complex(motion.real[b](k, j), motion.imaginary[b](k, j));
          const auto by = [&](std::size_t side) { return a[side][b](k, j); };
          const double expected = (s * s * phi).real();
          const double found = (8 * (by(2) - by(1)) - (by(3) - by(0))) / (12 * h);
          largest = std::max(largest, std::abs(expected));
          wrong = std::max(wrong, std::abs(found - expected));
        }
  }
  return wrong / largest;
}

template <class P>
void check_motions(const P& problem, const assembly::State<double>& x, const Complex& shift, int count,
                   double tolerance = 1e-5) {
  const auto found = linearization(problem, x, {.count = count, .shift = shift});
  REQUIRE(found.size() == static_cast<std::size_t>(count));
  for (const auto& motion : found) {
    CAPTURE(motion.eigenvalue, motion.residual);
    CHECK(error_of_motion(problem, x, motion) < tolerance);
  }
}

TEST_CASE("a contact whose rows are said by nodes moves and rests as it does by averages",
          "[assembly][modes][statics]") {
  const V lambda(0.02, -0.03, 0.2);
  const Pressed<RollingContact> averaged(crossing(), lambda);
  const Pressed<test::CrossingByNodes> by_nodes({crossing()}, lambda);
  for (const Complex shift : {Complex(0.1, 20), Complex(3, 300)}) {
    const auto one = linearization(averaged.problem, averaged.x, {.count = 4, .shift = shift});
    const auto other = linearization(by_nodes.problem, by_nodes.x, {.count = 4, .shift = shift});
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(std::abs(one[i].eigenvalue - other[i].eigenvalue) < 1e-8 * std::abs(one[i].eigenvalue));
    check_motions(averaged.problem, averaged.x, shift, 4);
    check_motions(by_nodes.problem, by_nodes.x, shift, 4);
  }
  // without what holds by friction modes have squares
  const V normal(0, 0, 0.2);
  const Pressed<test::CrossingByNodes> at_right_angles({crossing()}, normal);
  const Pressed<RollingContact> the_same(crossing(), normal);
  const auto found = modes(at_right_angles.problem, at_right_angles.x, {.count = 5});
  const auto expected = modes(the_same.problem, the_same.x, {.count = 5});
  for (std::size_t i = 0; i < 5; ++i) CHECK_THAT(found[i].square, WithinRel(expected[i].square, 1e-8));
  // and rods that are pushed onto each other rest alike
  const auto rest = [&](const auto& contact) {
    const Rod rod = clamped();
    assembly::State<double> x;
    x.chains = averaged.x.chains;
    for (Eigen::Index k = 0; k <= elements; ++k) x[1].configuration(k, 2) -= 1e-4;
    x.z = averaged.x.z;
    static_equilibrium(Assembly{bodies(std::vector{rod, rod}), constraints(std::vector{contact})}, x);
    return x;
  };
  const auto a = rest(crossing()), b = rest(test::CrossingByNodes{crossing()});
  CHECK((a.z - b.z).norm() < 1e-11);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK((a[i].configuration - b[i].configuration).abs().maxCoeff() < 1e-11);
  CHECK((a[0].configuration - averaged.x[0].configuration).abs().maxCoeff() > 1e-5);
}

TEST_CASE("rods that roll by the smearings in body frames move as the engine's own equations have it",
          "[assembly][modes][contact]") {
  using Contact = contact::RollingOfRods<double>;
  const Rod rod = clamped();
  const Pressed<Contact> pressed(Contact{{0, rod, 0.15}, {1, rod, 0.15}, radius1, radius2, true},
                                 V(0.2, 0.03, -0.02));
  for (const Complex shift : {Complex(0.1, 20), Complex(3, 300)})
    check_motions(pressed.problem, pressed.x, shift, 4);
}

/// Of springs k along a plane.
struct SpringAlong {
  double k;
  V normal;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    const V r = at.position(0), along = r - r.dot(normal) * normal;
    for (int i = 0; i < 3; ++i) f(0, i) -= k * along[i];
  }
};

TEST_CASE("friction of contacts damps small motions", "[assembly][modes][friction]") {
  // a ball on a plane, its centre on springs k along it: the slip v − w, w = a times the spin, takes (v − w)/ε
  const double k = 30, m = 0.3, a = 0.1, inertia = 0.4 * m * a * a;
  for (const double epsilon : {5.0, 0.4, 0.02}) {
    CAPTURE(epsilon);
    const double c = 1 / epsilon, rotary = inertia / (a * a);
    Eigen::Matrix3d matrix;
    matrix << 0, 1, 0, -k / m, -c / m, c / m, 0, c / rotary, -c / rotary;
    const Eigen::Vector3cd values = Eigen::EigenSolver<Eigen::Matrix3d>(matrix, false).eigenvalues();
    const V normal = V(0.2, -0.3, 1).normalized();
    const Body ball{{.mass = m, .inertia = {inertia, inertia, inertia}, .gravity = -9.81 * normal}};
    const contact::RollingOnPlane<double> rolling{{0}, a, {V(0, 0, 0), normal, V(0, 0, 0)}};
    const Assembly problem{bodies(std::vector{WithLoad(ball, SpringAlong{k, normal})}),
                           constraints(std::vector{contact::with_friction(rolling, epsilon)})};
    const auto x = problem.state({ball.at(a * normal, SO3<double>::exp(V(0.1, 0.2, 0.3)))});
    for (const Complex& s : values) {
      if (std::abs(s) < 1e-8) continue;  // an equilibrium near by
      CAPTURE(s);
      const auto found =
          linearization(problem, x, {.count = 1, .shift = s * Complex(1.03, 0.02) + Complex(0, 1e-3)});
      CHECK(std::abs(found[0].eigenvalue - s) < 1e-8 * std::abs(s));
      CHECK(error_of_motion(problem, x, found[0]) < 1e-5);
    }
    // its frequency without friction is what its modes and the longest step know
    CHECK_THAT(modes(problem, x, {.count = 1, .shift = 1.02 * k / m})[0].square, WithinRel(k / m, 1e-9));
    CHECK_THAT(highest_frequency(problem, x), WithinRel(std::sqrt(k / m), 1e-6));
  }
}

TEST_CASE("two rods that slip under friction decay as the engine's own equations have it",
          "[assembly][modes][friction]") {
  for (const double epsilon : {3.0, 0.05}) {
    CAPTURE(epsilon);
    const Pressed<contact::Frictional<RollingContact>> pressed(contact::with_friction(crossing(), epsilon),
                                                               V(0, 0, 0.2));
    for (const Complex shift : {Complex(-1, 20), Complex(-3, 300)})
      check_motions(pressed.problem, pressed.x, shift, 4);
  }
  // and tend to rolling as ε → 0
  const Pressed<RollingContact> rolls(crossing(), V(0, 0, 0.2));
  const Complex shift(-0.1, 60);
  const Complex limit = linearization(rolls.problem, rolls.x, {.count = 1, .shift = shift})[0].eigenvalue;
  double before = 0;
  for (const double epsilon : {1e-3, 5e-4}) {
    const Pressed<contact::Frictional<RollingContact>> slips(contact::with_friction(crossing(), epsilon),
                                                             V(0, 0, 0.2));
    const double apart =
        std::abs(linearization(slips.problem, slips.x, {.count = 1, .shift = limit})[0].eigenvalue - limit);
    if (before > 0) CHECK_THAT(before / apart, WithinAbs(2, 0.1));
    before = apart;
  }
}

TEST_CASE("a bead that runs along a rod by its rate moves as one that is where it is nearest",
          "[assembly][modes][contact]") {
  const Rod rod = clamped();
  const V down(0.3, -9.5, 0);  // a little along the rod as well
  const Body heavy{{.mass = 0.02, .inertia = {1e-6, 2e-6, 1.5e-6}, .gravity = down}};
  const contact::Bead<double> bead{{0, rod, 0.15}, {1}};
  const Assembly problem{bodies(std::vector{rod}, std::vector{heavy}), constraints(std::vector{bead})};
  assembly::State<double> x =
      problem.state({rod.straight(V::Zero(), SO3<double>::exp({0, M_PI / 2, 0})), heavy.at(V(0.52, 0, 0))},
                    Vec<double, 1>(0.52));
  static_equilibrium(problem, x);
  const auto runs = [&](double wind) {
    return Assembly{bodies(std::vector{rod}, std::vector{heavy}),
                    constraints(std::vector{Runner{bead, wind}})};
  };
  for (const Complex shift : {Complex(0.1, 4), Complex(0.3, 30), Complex(1, 200)}) {
    const auto expected = linearization(problem, x, {.count = 3, .shift = shift});
    const auto found = linearization(runs(0), x, {.count = 3, .shift = shift});
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(shift, expected[i].eigenvalue);
      CHECK(std::abs(found[i].eigenvalue - expected[i].eigenvalue) <
            1e-8 * std::abs(expected[i].eigenvalue) + 1e-6);  // along the rod it is free
    }
  }
  CHECK_THROWS_WITH(linearization(runs(1e-3), x), ContainsSubstring("linearization: motion of a constraint"));
}

/// To a point, and back to no turn.
struct SpringTo {
  V to;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    for (int i = 0; i < 3; ++i) {
      f(0, i) -= 40 * (at.configuration(0, i) - to[i]);
      f(0, 3 + i) -= 0.3 * at.rotation(0).log()[i];
    }
  }
};

TEST_CASE("a point on a sphere rests where the slanted reaction balances its springs",
          "[assembly][statics][modes]") {
  const test::SlantedRing ring{{0}, V(0.1, 0.2, 0.3)};
  const WithLoad body(Body{{.mass = 0.7, .inertia = V(0.02, 0.03, 0.025)}}, SpringTo{V(0.3, 0.1, 0.9)});
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{ring})};
  assembly::State<double> x = problem.state({body.at(ring.centre + V(0.4, 0, 0.3))});
  const auto found = static_equilibrium(problem, x);
  const V d = x[0].position(0) - ring.centre;
  CHECK_THAT(d.norm(), WithinRel(0.5, 1e-12));
  // k (r − r₀) = λ Q d
  const V pull = V(std::cos(test::slant) * d[0] - std::sin(test::slant) * d[1],
                   std::sin(test::slant) * d[0] + std::cos(test::slant) * d[1], d[2]) *
                 found.lambda[0];
  CHECK((40 * (x[0].position(0) - V(0.3, 0.1, 0.9)) - pull).norm() < 1e-9);
  CHECK(pull.cross(d).norm() > 0.05);
  check_motions(problem, x, Complex(0.5, 5), 2, 1e-6);
}

}  // namespace linearised_constraints_test
