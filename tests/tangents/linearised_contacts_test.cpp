// Rods pressed onto each other, in statics and in small motions: rows by nodes, by smearings in body frames, friction.

#include <cmath>
#include <complex>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/crossing_by_nodes.hpp"
#include "support/linear_motion.hpp"
#include "support/rods.hpp"

namespace linearised_contacts_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using test::check_motions;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;

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
    const auto motions = assembly::detail::small_motions(problem, x);
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

TEST_CASE("a contact whose rows are said by nodes moves and rests as it does by averages",
          "[tangents][modes][statics]") {
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
          "[tangents][modes][contact]") {
  using Contact = contact::RollingOfRods<double>;
  const Rod rod = clamped();
  const Pressed<Contact> pressed(Contact{{0, rod, 0.15}, {1, rod, 0.15}, radius1, radius2, true},
                                 V(0.2, 0.03, -0.02));
  for (const Complex shift : {Complex(0.1, 20), Complex(3, 300)})
    check_motions(pressed.problem, pressed.x, shift, 4);
}

TEST_CASE("a rod that rolls on a free bar moves as the engine's own equations have it",
          "[tangents][modes][contact]") {
  using Bar = RigidBody<double>;
  using Axis = contact::AxisMarker<double>;
  using Contact = contact::RollingContact<double, contact::CubicSpline, Axis>;
  const Bar bar{{.mass = 0.2, .inertia = {0.012, 0.0118, 4e-4}}};
  const Contact contact{
      {0, clamped(), 0.15}, Axis{1, 0, {0, 0, -0.5}, {0, 0, 1}, 1.0}, radius1, radius2, true};
  const auto with = [&](const Dead& on_rod, const Dead& on_bar) {
    return Assembly{bodies(std::vector{WithLoad(clamped(), on_rod)}, std::vector{WithLoad(bar, on_bar)}),
                    constraints(std::vector{contact})};
  };
  // the bar's centre lies beside the contact; loads press it on the rod
  const double gap = radius1 + radius2, angle = 1.1;
  const SO3<double> turned = SO3<double>::exp({0, 0, angle}) * SO3<double>::exp({0, M_PI / 2, 0});
  Dead on_rod{rod::zero_columns<double, 6>(elements + 1)}, on_bar{rod::zero_columns<double, 6>(1)};
  const auto start = [&](const auto& problem) {
    return problem.state({clamped().straight({-0.45, 0.02, -gap / 2}, SO3<double>::exp({0, M_PI / 2, 0})),
                          bar.at(V(-0.02 * std::cos(angle), 0.02 - 0.02 * std::sin(angle), gap / 2), turned)},
                         Vec<double, 2>(0.45, 0.52));
  };
  const auto unloaded = with(on_rod, on_bar);
  const auto motions = assembly::detail::small_motions(unloaded, start(unloaded));
  const V lambda(0.02, -0.03, 0.2);
  for (const auto& e : motions.reactions) {
    const auto node = e.column / 6;
    auto& loads = node > elements ? on_bar.loads : on_rod.loads;
    loads(node > elements ? 0 : node, e.column % 6) -= e.value * lambda[e.row];
  }
  const auto problem = with(on_rod, on_bar);
  const auto x = start(problem);
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK((r.lambda - lambda).norm() < 1e-10);
  CHECK(r.xidot[1].abs().maxCoeff() < 1e-10);
  for (const Complex shift : {Complex(0.1, 20), Complex(3, 300)}) check_motions(problem, x, shift, 4);
}

TEST_CASE("two rods that slip under friction decay as the engine's own equations have it",
          "[tangents][modes][friction]") {
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

}  // namespace linearised_contacts_test
