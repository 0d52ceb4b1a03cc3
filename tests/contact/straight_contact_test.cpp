// Two straight rods that cross: what a crossing is can be read off.

#include <cmath>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace straight_crossing_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<RollingContact>>;
using State = assembly::State<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Catch::Matchers::ContainsSubstring;

static_assert(dalembert::Problem<Problem> && SplitProblem<Problem> && ResidualProblem<Problem>);

/// A frame whose e₃ is `along`.
SO3<double> frame(const V& along) {
  return test::rotation<double>(Eigen::Quaterniond::FromTwoVectors(V::UnitZ(), along).toRotationMatrix());
}

/// Two straight rods, rod 1 along x in the plane z = 0, rod 2 above it at an angle.
struct Straight {
  double radius1 = 0.03, radius2 = 0.02, angle = 1.3;
  double pull = 0;  ///< gravity that pulls them apart [m/s²]
  bool bilateral = false;

  V along(int i) const { return i == 0 ? V(V::UnitX()) : V(std::cos(angle), std::sin(angle), 0); }
  Rod rod(int i) const {
    Rod::Parameters p;
    p.loads.gravity = V(0, 0, (i == 0 ? -1 : 1) * pull);
    return test::soft_rod<Rod>(i == 0 ? radius1 : radius2, 30, p);
  }
  RollingContact crossing(double width = 0.05) const {
    return {{0, rod(0), width}, {1, rod(1), width}, radius1, radius2, bilateral};
  }
  Problem problem() const {
    return Problem{assembly::bodies(std::vector{rod(0), rod(1)}),
                   assembly::constraints(std::vector{crossing()})};
  }
  std::vector<rod::Chain<double>> chains(double apart) const {
    return {rod(0).straight(-0.4 * along(0), frame(along(0))),
            rod(1).straight(-0.55 * along(1) + V(0, 0, apart), frame(along(1)))};
  }
  State state(const Problem& problem) const {
    return problem.state(chains(radius1 + radius2), Vec<double, 2>(0.43, 0.5));
  }
};

contact::ContactEvaluation<double> look(const Straight& straight, const State& x,
                                        const V& force = V::Zero()) {
  return contact::evaluate(straight.crossing(), x, Column(force));
}

TEST_CASE("straight rods touch where they cross, at the distance of their radii", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  const auto x = straight.state(problem);
  CHECK(x.z[0] == Approx(0.4).epsilon(1e-12));
  CHECK(x.z[1] == Approx(0.55).epsilon(1e-12));
  const auto view = look(straight, x);
  CHECK((view.normal - V::UnitZ()).norm() < 1e-14);
  CHECK((view.place - V(0, 0, 0.03)).norm() < 1e-14);
  CHECK(std::abs(view.gap) < 1e-15);
  CHECK(problem.constraint(x).position < 1e-15);
  CHECK(problem.constraint(x).velocity == 0);
}

TEST_CASE("the slip is the difference of the surface velocities", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  auto x = straight.state(problem);
  const auto move = [&](std::size_t i, const V& v, const V& spin) {
    for (Eigen::Index k = 0; k < x[i].nodes; ++k)
      x[i].set_velocity(k, v, x[i].rotation(k).inverse().act(spin));
  };
  const auto slip = [&] { return V(problem.row_velocities(x)); };
  // rod 1 spins about its own axis: its top moves along −y at 3 · 0.03 m/s
  move(0, V::Zero(), V(3, 0, 0));
  CHECK((slip() - V(0, -0.09, 0)).norm() < 1e-15);
  move(1, V(0, -0.09, 0), V::Zero());
  CHECK(slip().norm() < 1e-15);
  // rod 2 rolls on rod 1 at rest: its lowest line is at rest
  move(0, V::Zero(), V::Zero());
  const V spin = 5 * straight.along(1);
  move(1, spin.cross(V(0, 0, 0.02)), spin);
  CHECK(slip().norm() < 1e-15);
  // pivoting about the normal is free, approach is not
  move(0, V::Zero(), V(0, 0, 7));
  move(1, V::Zero(), V(0, 0, -2));
  CHECK(slip().norm() < 1e-15);
  move(0, V(0, 0, 0.4), V::Zero());
  move(1, V::Zero(), V::Zero());
  CHECK((slip() - V(0, 0, 0.4)).norm() < 1e-15);
}

TEST_CASE("a crossing looks as the chains and positions at hand have it", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  auto x = straight.state(problem);
  x.z[0] += 0.003;
  CHECK(look(straight, x).tangency > 1e-3);
  x.z[0] -= 0.003;
  CHECK(look(straight, x).tangency < 1e-12);
  test::transform<double>(x[1], Mat<double, 3>::Identity(), V(0, 0, 0.004));
  CHECK(look(straight, x).gap == Approx(0.004).epsilon(1e-9));
  CHECK(problem.constraint(x).position == Approx(0.004).epsilon(1e-9));
}

TEST_CASE("the components of a contact force are normal, along rod 1, and across", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  const auto view = look(straight, straight.state(problem), V(0.2, 0.3, -1.5));
  CHECK((view.components - V(1.5, 0.2, 0.3)).norm() < 1e-14);
  CHECK((view.force - V(0.2, 0.3, -1.5)).norm() == 0);
}

TEST_CASE("rods that are pressed together push; pulled apart they throw, unless the contact may pull",
          "[contact][crossing]") {
  Straight straight{.pull = -2.0};
  const auto pressed = straight.problem();
  auto rates = pressed.make_rates();
  auto x = straight.state(pressed);
  pressed.rates(x, rates);
  const V components = look(straight, x, V(rates.lambda)).components;
  CHECK(components[0] > 0);
  CHECK(components.tail<2>().norm() < 1e-12 * components[0]);

  straight.pull = 2.0;
  const auto pulled = straight.problem();
  x = straight.state(pulled);
  x.time = 1.5;
  try {
    pulled.rates(x, rates);
    FAIL("no error");
  } catch (const ContactOpened& error) {
    CHECK(error.time() == 1.5);
    CHECK_THAT(error.what(), ContainsSubstring("the normal force of a crossing is -"));
  }
  straight.bilateral = true;
  const auto glued = straight.problem();
  x = straight.state(glued);
  glued.rates(x, rates);
  CHECK(look(straight, x, V(rates.lambda)).components[0] == Approx(-components[0]).epsilon(1e-9));
}

TEST_CASE("parallel rods have no contact position", "[contact][crossing]") {
  for (const double angle : {0.0, 0.005, -0.005, 3.14159}) {
    const Straight straight{.angle = angle};
    const auto problem = straight.problem();
    CHECK_THROWS_AS(straight.state(problem), ParallelRods);
  }
  for (const double angle : {0.1, -0.1, 3.0}) {
    const Straight straight{.angle = angle};
    const auto problem = straight.problem();
    CHECK_NOTHROW(straight.state(problem));
  }
}

TEST_CASE("a rod that curves about the other has no contact position either", "[contact][crossing]") {
  // rod 1 is a ring around rod 2, with the gap as its radius
  const Straight straight{.radius1 = 0.1, .radius2 = 0.05, .angle = 1.57079632679489662};
  const auto problem = straight.problem();
  auto c = straight.chains(0.15);
  for (Eigen::Index k = 0; k < c[0].nodes; ++k) {
    const double phi = (straight.rod(0).spacing() * static_cast<double>(k) - 0.4) / 0.15;
    rod::put3<0>(c[0].configuration, k, V(0.15 * std::sin(phi), 0, 0.15 - 0.15 * std::cos(phi)));
  }
  CHECK_THROWS_AS(problem.state(c, Vec<double, 2>(0.4, 0.55)), ParallelRods);
}

TEST_CASE("a contact at an end of a rod is refused", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  auto c = straight.chains(0.05);
  test::transform<double>(c[0], Mat<double, 3>::Identity(), V(0.35, 0, 0));
  CHECK_THROWS_AS(problem.state(c, Vec<double, 2>(0.1, 0.55)), ContactAtEnd);
}

TEST_CASE("far from the origin a gap is closed to the digits that positions have", "[contact][crossing]") {
  const Straight straight;
  const auto problem = straight.problem();
  auto x = straight.state(problem);
  for (auto& chain : x.chains) test::transform<double>(chain, Mat<double, 3>::Identity(), V(1e6, 2e6, 3e6));
  test::transform<double>(x[1], Mat<double, 3>::Identity(), V(0, 0, 0.01));
  CHECK(problem.constraint(x).position > 9e-3);
  CHECK(problem.project(x).converged);
  CHECK(problem.constraint(x).position < 8 * 3e6 * 0x1p-52);
}

TEST_CASE("a step in which a contact opens leaves the state as it was", "[contact][crossing]") {
  const Straight straight{.pull = 2.0};
  const auto problem = straight.problem();
  auto x = straight.state(problem);
  const auto before = x;
  auto stepper = Verlet{}.stepper(problem, x);
  CHECK_THROWS_AS(stepper.step(problem, x, 1e-4), ContactOpened);
  CHECK((x[0].configuration == before[0].configuration).all());
  CHECK((x[1].velocity == before[1].velocity).all());
  CHECK(x.time == before.time);
  CHECK(x.z == before.z);
}

TEST_CASE("a projection over a long way ends where the contact is solved for", "[contact][crossing]") {
  for (const double apart : {0.01, -0.01}) {
    const Straight straight{.pull = -2.0, .bilateral = true};
    const auto problem = straight.problem();
    auto x = straight.state(problem);
    test::Random random(test::seed());
    for (auto& chain : x.chains)
      for (Eigen::Index k = 0; k < chain.nodes; ++k) {
        rod::move_node(chain, k, V(1e-3 * random.vector<double>()), V(0.02 * random.vector<double>()));
        chain.set_velocity(k, random.vector<double>(), random.vector<double>());
      }
    test::transform<double>(x[1], Mat<double, 3>::Identity(), V(0, 0, apart));
    problem.solve_algebraic(x);
    CHECK(problem.constraint(x).position > 0.008);
    (void)problem.project(x);
    CHECK(problem.constraint(x).position < 1e-15);
    const auto anew = problem.state(x.chains, x.z);
    CHECK((anew.z - x.z).norm() < 1e-12);
    auto left = problem.make_rates(), right = problem.make_rates();
    problem.rates(x, left);
    problem.rates(anew, right);
    CHECK(right.zdot.norm() > 0.1);
    CHECK((left.zdot - right.zdot).norm() < 1e-9 * right.zdot.norm());
    CHECK((left.lambda - right.lambda).norm() < 1e-9 * right.lambda.norm());
  }
}

TEST_CASE("what is not finite is blamed on nothing else", "[contact][crossing]") {
  const Straight straight{.pull = -2.0};
  const auto problem = straight.problem();
  const auto start = straight.state(problem);
  auto rates = problem.make_rates();
  const double nan = std::nan("");
  const std::size_t node[] = {12, 17};  // in the window of each
  for (std::size_t i = 0; i < 2; ++i) {
    CAPTURE(i);
    auto x = start;
    x.z[static_cast<Eigen::Index>(i)] = nan;
    CHECK_THROWS_AS(problem.solve_algebraic(x), NotFinite);
    CHECK_THROWS_WITH(problem.solve_algebraic(x),
                      ContainsSubstring("the contact position on rod " + std::to_string(i + 1) + " is nan"));
    const auto k = static_cast<Eigen::Index>(node[i]);
    x = start;
    x[i].configuration(k, 1) = nan;
    CHECK_THROWS_AS(problem.solve_algebraic(x), NotFinite);
    CHECK_THROWS_AS(problem.project(x), NotFinite);
    CHECK_THROWS_AS(problem.constraint(x), NotFinite);
    x = start;
    x[i].velocity(k, 4) = nan;
    CHECK_THROWS_AS(problem.rates(x, rates), NotFinite);
    x = start;
    x[i].configuration(k, 4) = nan;
    CHECK_THROWS_AS(problem.rates(x, rates), NotFinite);
  }
}

TEST_CASE("parameters of a crossing are checked", "[contact][crossing]") {
  const auto make = [](double radius1, double radius2, double width) {
    const Straight good;
    RollingContact c = good.crossing(width);
    c.radius1 = radius1;
    c.radius2 = radius2;
    return Problem{assembly::bodies(std::vector{good.rod(0), good.rod(1)}),
                   assembly::constraints(std::vector{c})};
  };
  CHECK_NOTHROW(make(0.01, 0.02, 0.05));
  for (const double bad : {0.0, -0.1, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_WITH(make(bad, 0.02, 0.05), ContainsSubstring("radius"));
    CHECK_THROWS_WITH(make(0.02, bad, 0.05), ContainsSubstring("radius"));
    CHECK_THROWS_WITH(make(0.02, 0.02, bad), ContainsSubstring("kernel_width"));
  }
  CHECK_THROWS_AS(make(0.02, 0.02, 0.5), std::invalid_argument);
}

}  // namespace straight_crossing_test
