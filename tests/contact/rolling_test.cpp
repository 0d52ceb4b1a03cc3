#include <dalembert/contact/rolling.hpp>

#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/contact_case.hpp"

using namespace dalembert;

namespace rolling_test {

using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Contact = contact::RollingContact<double>;
using Problem = rod::RodProblem<Rod, Contact>;

static_assert(dalembert::Problem<Problem> && SplitProblem<Problem> && ResidualProblem<Problem>);
static_assert(rod::Coupling<Contact, Rod> && rod::ResidualCoupling<Contact, Rod>);

/// A frame whose e₃ is `along`.
SO3<double> frame(const V& along) {
  return test::rotation<double>(Eigen::Quaterniond::FromTwoVectors(V::UnitZ(), along).toRotationMatrix());
}

/// Two straight rods, rod 1 along x in the plane z = 0, rod 2 above it at an angle.
struct Crossing {
  double radius1 = 0.03, radius2 = 0.02, angle = 1.3;
  double pull = 0;  ///< gravity that pulls them apart [m/s²]
  bool bilateral = false;

  V along(int i) const { return i == 0 ? V(V::UnitX()) : V(std::cos(angle), std::sin(angle), 0); }
  Rod rod(int i) const {
    Rod::Parameters p;
    p.loads.gravity = V(0, 0, (i == 0 ? -1 : 1) * pull);
    return test::soft_rod<Rod>(i == 0 ? radius1 : radius2, 30, p);
  }
  Problem problem() const {
    Contact::Parameters c;
    c.radius1 = radius1;
    c.radius2 = radius2;
    c.kernel_width = 0.05;
    c.bilateral = bilateral;
    const auto one = rod(0), other = rod(1);
    return Problem({one, other}, Contact(c, one, other));
  }
  std::vector<rod::Chain<double>> chains(double apart) const {
    return {rod(0).straight(-0.4 * along(0), frame(along(0))),
            rod(1).straight(-0.55 * along(1) + V(0, 0, apart), frame(along(1)))};
  }
  Problem::State state(const Problem& problem) const {
    auto c = chains(radius1 + radius2);
    const auto contact = problem.coupling().locate(problem.rods(), c, {0.43, 0.5}, 0.0);
    return problem.state(std::move(c), contact);
  }
};

TEST_CASE("straight rods touch where they cross, at the distance of their radii") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  const auto x = crossing.state(problem);
  CHECK(x.internal.s[0] == Approx(0.4).epsilon(1e-12));
  CHECK(x.internal.s[1] == Approx(0.55).epsilon(1e-12));
  CHECK((x.internal.normal - V::UnitZ()).norm() < 1e-14);
  const auto error = problem.coupling().error(x.chains, x.internal, 0.0);
  CHECK(std::abs(error.gap) < 1e-15);
  CHECK(error.slip == 0);
  CHECK(problem.coupling().target_gap() == 0.05);
}

TEST_CASE("the slip is the difference of the surface velocities") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  auto x = crossing.state(problem);
  const auto move = [&](std::size_t i, const V& v, const V& spin) {
    for (Eigen::Index k = 0; k < x.chains[i].nodes; ++k)
      x.chains[i].set_velocity(k, v, x.chains[i].rotation(k).inverse().act(spin));
  };
  // rod 1 spins about its own axis: its top moves along −y at 3 · 0.03 m/s
  move(0, V::Zero(), V(3, 0, 0));
  CHECK((problem.coupling().slip(x.chains, x.internal) - V(0, -0.09, 0)).norm() < 1e-15);
  move(1, V(0, -0.09, 0), V::Zero());
  CHECK(problem.coupling().slip(x.chains, x.internal).norm() < 1e-15);
  // rod 2 rolls on rod 1 at rest: its lowest line is at rest
  move(0, V::Zero(), V::Zero());
  const V spin = 5 * crossing.along(1);
  move(1, spin.cross(V(0, 0, 0.02)), spin);
  CHECK(problem.coupling().slip(x.chains, x.internal).norm() < 1e-15);
  // pivoting about the normal is free, approach is not
  move(0, V::Zero(), V(0, 0, 7));
  move(1, V::Zero(), V(0, 0, -2));
  CHECK(problem.coupling().slip(x.chains, x.internal).norm() < 1e-15);
  move(0, V(0, 0, 0.4), V::Zero());
  move(1, V::Zero(), V::Zero());
  CHECK((problem.coupling().slip(x.chains, x.internal) - V(0, 0, 0.4)).norm() < 1e-15);
}

TEST_CASE("the error of a contact is that of the chains and positions at hand, whatever was placed before",
          "[contact]") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  auto x = crossing.state(problem);
  x.internal.s[0] += 0.003;
  CHECK(problem.coupling().error(x.chains, x.internal, 0.0).tangency > 1e-3);
  x.internal.s[0] -= 0.003;
  CHECK(problem.coupling().error(x.chains, x.internal, 0.0).tangency < 1e-12);
  test::transform<double>(x.chains[1], Mat<double, 3>::Identity(), V(0, 0, 0.004));
  CHECK(problem.coupling().error(x.chains, x.internal, 0.0).gap == Approx(0.004).epsilon(1e-9));
}

TEST_CASE("contact components are normal, along rod 1, and across") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  const auto x = crossing.state(problem);
  const auto components = contact::force_components<double>(x.internal, V(0.2, 0.3, -1.5));
  CHECK((components - V(1.5, 0.2, 0.3)).norm() < 1e-14);
}

TEST_CASE("rods that are pressed together push; pulled apart they throw, unless the contact may pull") {
  Crossing crossing{.pull = -2.0};
  const auto pressed = crossing.problem();
  auto rates = pressed.make_rates();
  pressed.rates(crossing.state(pressed), rates);
  CHECK(rates.lambda.components[0] > 0);
  CHECK(rates.lambda.components.tail<2>().norm() < 1e-12 * rates.lambda.components[0]);

  crossing.pull = 2.0;
  const auto pulled = crossing.problem();
  auto x = crossing.state(pulled);
  x.time = 1.5;
  try {
    pulled.rates(x, rates);
    FAIL("no error");
  } catch (const ContactOpened& error) {
    CHECK(error.time() == 1.5);
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("s1 = 0.4"));
  }
  crossing.bilateral = true;
  const auto glued = crossing.problem();
  glued.rates(crossing.state(glued), rates);
  CHECK(rates.lambda.components[0] < 0);
}

TEST_CASE("parallel rods have no contact position") {
  for (const double angle : {0.0, 0.005, -0.005, 3.14159}) {
    const Crossing crossing{.angle = angle};
    const auto problem = crossing.problem();
    CHECK_THROWS_AS(crossing.state(problem), ParallelRods);
  }
  for (const double angle : {0.1, -0.1, 3.0}) {
    const Crossing crossing{.angle = angle};
    const auto problem = crossing.problem();
    CHECK_NOTHROW(crossing.state(problem));
  }
}

TEST_CASE("a rod that curves about the other has no contact position either") {
  // rod 1 is a ring around rod 2, with the gap as its radius
  const Crossing crossing{.radius1 = 0.1, .radius2 = 0.05, .angle = 1.57079632679489662};
  const auto problem = crossing.problem();
  auto c = crossing.chains(0.15);
  for (Eigen::Index k = 0; k < c[0].nodes; ++k) {
    const double phi = (crossing.rod(0).spacing() * static_cast<double>(k) - 0.4) / 0.15;
    rod::put3<0>(c[0].configuration, k, V(0.15 * std::sin(phi), 0, 0.15 - 0.15 * std::cos(phi)));
  }
  CHECK_THROWS_AS(problem.coupling().locate(problem.rods(), c, {0.4, 0.55}, 0.0), ParallelRods);
}

TEST_CASE("a contact at an end of a rod is refused") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  auto c = crossing.chains(0.05);
  test::transform<double>(c[0], Mat<double, 3>::Identity(), V(0.35, 0, 0));
  CHECK_THROWS_AS(problem.coupling().locate(problem.rods(), c, {0.1, 0.55}, 0.0), ContactAtEnd);
}

TEST_CASE("rods do not pass through each other unseen") {
  const Crossing crossing;
  const auto problem = crossing.problem();
  auto x = crossing.state(problem);
  test::transform<double>(x.chains[1], Mat<double, 3>::Identity(), V(0, 0, -0.06));
  CHECK_THROWS_AS(problem.solve_algebraic(x), NoConvergence);
  CHECK_THROWS_AS(problem.project(x), NoConvergence);
  CHECK_THROWS_AS(problem.constraint(x), NoConvergence);
  try {
    problem.solve_algebraic(x);
  } catch (const NoConvergence& error) {
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("pass through"));
  }
}

TEST_CASE("a gap that cannot be closed to its digits is no convergence", "[contact]") {
  // so far from the origin that positions have fewer digits than the gap
  const Crossing crossing;
  const auto problem = crossing.problem();
  auto x = crossing.state(problem);
  for (auto& chain : x.chains) test::transform<double>(chain, Mat<double, 3>::Identity(), V(1e6, 2e6, 3e6));
  x.time = 2.5;
  try {
    (void)problem.project(x);
    FAIL("no error");
  } catch (const NoConvergence& error) {
    CHECK(error.time() == 2.5);
    CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("the gap and tangency"));
  }
}

TEST_CASE("a step that throws leaves the state as it was") {
  const Crossing crossing{.pull = 2.0};
  const auto problem = crossing.problem();
  auto x = crossing.state(problem);
  const auto before = x;
  auto stepper = Verlet{}.stepper(problem, x);
  CHECK_THROWS_AS(stepper.step(problem, x, 1e-4), ContactOpened);
  CHECK((x.chains[0].configuration == before.chains[0].configuration).all());
  CHECK((x.chains[1].velocity == before.chains[1].velocity).all());
  CHECK(x.time == before.time);
  CHECK(x.internal.s == before.internal.s);
}

TEST_CASE("parameters of a contact are checked") {
  const Crossing crossing;
  const auto one = crossing.rod(0), other = crossing.rod(1);
  const auto make = [&](double radius1, double radius2, double width) {
    Contact::Parameters c;
    c.radius1 = radius1;
    c.radius2 = radius2;
    c.kernel_width = width;
    return Contact(c, one, other);
  };
  CHECK_NOTHROW(make(0.01, 0.02, 0.05));
  for (const double bad : {0.0, -0.1, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_WITH(make(bad, 0.02, 0.05), Catch::Matchers::ContainsSubstring("radius1"));
    CHECK_THROWS_WITH(make(0.02, bad, 0.05), Catch::Matchers::ContainsSubstring("radius2"));
    CHECK_THROWS_WITH(make(0.02, 0.02, bad), Catch::Matchers::ContainsSubstring("kernel_width"));
  }
  CHECK_THROWS_AS(make(0.02, 0.02, 0.5), std::invalid_argument);
  // a kernel over all nodes needs ends that are like any node
  using Wide = contact::RollingContact<double, contact::Gaussian>;
  Wide::Parameters w;
  w.radius1 = w.radius2 = 0.01;
  w.kernel_width = 0.05;
  CHECK_THROWS_AS(Wide(w, one, other), std::invalid_argument);
}

}  // namespace rolling_test
