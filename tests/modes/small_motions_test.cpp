// Small motions of bodies under loads: linearization, modes and the highest frequency see the same stiffness
// and damping.

#include <array>
#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/modes/highest_frequency.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/stiffness.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace small_motions_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using Complex = std::complex<double>;
using V = Vec<double, 3>;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;

/// Springs k(1 + gt) to the origin and dampers d along x, y and z, and the same about them; told or not.
template <bool tells>
struct Mount {
  V k = V(100, 150, 220), d = V(4, 0, 0);
  double torsion = 0.1, growth = 3;
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double t, Columns<double, 6>& f) const {
    for (Eigen::Index n = 0; n < at.nodes; ++n) {
      const V turn = at.rotation(n).log();
      for (int i = 0; i < 3; ++i) {
        f(n, i) -= k[i] * (1 + growth * t) * at.configuration(n, i) + d[i] * at.velocity(n, i);
        f(n, 3 + i) -= torsion * turn[i];
      }
    }
  }
  template <class B, class Add>
  void add_stiffness(const B&, const rod::Chain<double>& at, double t, Add&& add) const requires tells {
    for (Eigen::Index n = 0; n < at.nodes; ++n) {
      Mat<double, 6, 6> block = Mat<double, 6, 6>::Zero();
      for (int i = 0; i < 3; ++i) {
        block(i, i) = k[i] * (1 + growth * t);
        block(3 + i, 3 + i) = torsion;
      }
      add(n, n, block);
    }
  }
  template <class B, class Add>
  void add_damping(const B&, const rod::Chain<double>& at, double, Add&& add) const requires tells {
    for (Eigen::Index n = 0; n < at.nodes; ++n) {
      Mat<double, 6, 6> block = Mat<double, 6, 6>::Zero();
      for (int i = 0; i < 3; ++i) block(i, i) = d[i];
      add(n, n, block);
    }
  }
};

template <class L>
auto on_a_body(const L& load) {
  return Assembly{
      assembly::bodies(std::vector{WithLoad(Body{{.mass = 1, .inertia = V(0.02, 0.03, 0.025)}}, load)})};
}

template <class L>
void check_mount(const L& load) {
  const auto problem = on_a_body(load);
  auto x = problem.state({problem.template bodies<0>()[0].at(V::Zero())});
  for (const double t : {0.0, 1.0}) {
    CAPTURE(t);
    x.time = t;
    x[0].set_velocity(0, V(0.3, -0.2, 0.1), V(1, 2, -3));  // which is left aside
    const double square = 100 * (1 + 3 * t);
    CHECK_THAT(modes(problem, x, {.count = 1, .shift = 1.01 * square})[0].square, WithinRel(square, 1e-9));
    const Complex s(-2, std::sqrt(square - 4));
    const auto motions = linearization(problem, x, {.count = 1, .shift = s + Complex(0.1, 0.2)});
    CHECK(std::abs(motions[0].eigenvalue - s) < 1e-8 * std::abs(s));
    const double gamma = 4, omega = std::sqrt(220 * (1 + 3 * t));  // of two motions
    CHECK_THAT(highest_frequency(problem, x),
               WithinRel(gamma + std::sqrt(gamma * gamma + omega * omega), 1e-3));
  }
}

TEST_CASE("a body on springs that stiffen with the time swings and decays by them, told or not",
          "[assembly][modes][load]") {
  check_mount(Mount<true>{});
  check_mount(Mount<false>{});
  check_mount(LoadSum{Mount<false>{.k = V(60, 150, 0), .d = V::Zero(), .torsion = 0},
                      LoadSum{Mount<true>{.k = V(40, 0, 220)}}});
}

TEST_CASE("damping by loads that differs from place to place is the damping of the motions",
          "[assembly][modes][load]") {
  // three bodies on springs in a row, the last one damped: det(M s² + D s + K) = 0 for each
  const Body body{{.mass = 1, .inertia = V(0.02, 0.03, 0.025)}};
  const std::vector<WithLoad<Body, Mount<false>>> bodies{{body, {.k = V(100, 110, 120), .d = V(0, 1, 2)}},
                                                         {body, {.k = V(130, 140, 150), .d = V(3, 30, 5)}},
                                                         {body, {.k = V(160, 170, 180), .d = V(6, 7, 8)}}};
  const Assembly problem{assembly::bodies(bodies)};
  const auto x = problem.state({body.at(V::Zero()), body.at(V::Zero()), body.at(V::Zero())});
  for (int i = 0; i < 9; ++i) {
    const double k = 100 + 10 * i, d = i == 4 ? 30 : i;
    const Complex s = -d / 2 + std::sqrt(Complex(d * d / 4 - k));
    const auto found = linearization(problem, x, {.count = 1, .shift = s + Complex(0.02, 0.03)});
    CHECK(std::abs(found[0].eigenvalue - s) < 1e-8 * std::abs(s));
  }
}

TEST_CASE("a wave in a rod with internal damping decays at the rate ηω²/2", "[assembly][modes][damping]") {
  // along the axis and in twist, where the rod is exactly linear: s² + ηω²s + ω² = 0
  const double eta = 1e-3;
  const Rod rod = test::soft_rod<Rod>(0.02, 12);
  const Assembly free{assembly::bodies(std::vector{rod})};
  const Assembly problem{assembly::bodies(
      std::vector{WithLoad(rod, rod::KelvinVoigt<double>::proportional(rod.material().stiffness(), eta))})};
  const auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
  for (const auto& mode : modes(free, x, {.count = 8})) {
    if (mode.square < 1) continue;
    const double omega = mode.frequency(), rate = eta * mode.square / 2;
    const Complex s(-rate, std::sqrt(mode.square - rate * rate));
    CAPTURE(omega);
    const auto found = linearization(problem, x, {.count = 2, .shift = s + Complex(0.01 * omega, 0)});
    CHECK(std::abs(found[0].eigenvalue - s) < 1e-7 * std::abs(s));
  }
}

TEST_CASE("verlet stands the steps that the highest frequency of damped bodies allows, and few longer ones",
          "[assembly][frequency][load]") {
  const auto check = [](const Mount<false>& load) {
    const auto problem = on_a_body(load);
    const auto x = problem.state({problem.template bodies<0>()[0].at(V(1e-3, 1e-3, 1e-3))});
    const double limit = 2 / highest_frequency(problem, x);
    const auto after = [&](double step) {
      auto y = x;
      auto stepper = Verlet{}.stepper(problem, y);
      double most = 0;
      for (int i = 0; i < 4000; ++i) {
        (void)stepper.step(problem, y, step);
        most = std::max(most, std::abs(y[0].position(0)[0]));
        if (most > 1) break;
      }
      return most;
    };
    CHECK(after(0.99 * limit) < 3e-3);
    CHECK(after(1.02 * limit) > 1e-2);
  };
  check({.k = V(200, 100, 100), .d = V(0, 0, 0), .growth = 0});
  check({.k = V(200, 100, 100), .d = V(5, 0, 0), .growth = 0});
  check({.k = V(200, 100, 100), .d = V(80, 0, 0), .growth = 0});
}

TEST_CASE("the rows of contacts that slip are friction along them, and hold across",
          "[assembly][modes][friction]") {
  // two balls that slip on planes of their own that move, with frictions of their own, and one that rolls
  using OnPlane = contact::RollingOnPlane<double>;
  using Slipping = contact::Frictional<OnPlane>;
  const Body ball{{.mass = 0.3, .inertia = V(0.02, 0.03, 0.025), .gravity = V(0.1, 0.2, -9)}};
  const std::array normals{V(0.2, -0.3, 1).normalized(), V(0.1, 0.3, 1).normalized(),
                           V(-0.1, 0.1, 1).normalized()};
  const std::array<double, 2> epsilon{0.4, 3};
  const auto on_plane = [&](std::size_t i) {
    return OnPlane{{i}, 0.1, {V::Zero(), normals[i], V(0.1, -0.2, 0.3).cross(normals[i])}};
  };
  using Problem = Assembly<Kinds<Body>, Kinds<OnPlane, Slipping>>;
  const Problem problem(assembly::bodies(std::vector(3, ball)),
                        assembly::constraints(std::vector{on_plane(1)},
                                              std::vector{contact::with_friction(on_plane(0), epsilon[0]),
                                                          contact::with_friction(on_plane(2), epsilon[1])}));
  std::vector<rod::Chain<double>> chains;
  for (const V& normal : normals)
    chains.push_back(ball.at(V(0.1 * normal), SO3<double>::exp(V(0.3, -0.5, normal[0]))));
  auto x = problem.state(chains);
  const auto motions = assembly::detail::small_motions(problem, x);
  REQUIRE(motions.nodes == 18);
  REQUIRE(motions.rows == 9);
  CHECK(motions.slides == 0);

  const Eigen::VectorXd known = problem.row_velocities(x);
  CHECK(known.cwiseAbs().minCoeff() > 1e-3);
  CHECK((motions.known - known).norm() < 1e-15);
  Eigen::MatrixXd A(9, 18), T = Eigen::MatrixXd::Zero(9, 9), D = Eigen::MatrixXd::Zero(9, 9);
  for (int i = 0; i < 18; ++i) {  // rows are linear in the velocities
    x[static_cast<std::size_t>(i / 6)].velocity(0, i % 6) = 1;
    A.col(i) = problem.row_velocities(x) - known;
    x[static_cast<std::size_t>(i / 6)].velocity(0, i % 6) = 0;
  }
  for (const int c : {1, 2}) {
    const V& n = normals[c == 1 ? 0 : 2];
    T.block<3, 3>(3 * c, 3 * c) = Mat<double, 3>::Identity() - n * n.transpose();
    D.block<3, 3>(3 * c, 3 * c) = T.block<3, 3>(3 * c, 3 * c) / epsilon[c == 1 ? 0 : 1];
  }
  const auto dense = [](const auto& entries, int rows, int columns) {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, columns);
    for (const auto& e : entries) all(e.row, e.column) += e.value;
    return all;
  };
  const Eigen::MatrixXd holds = (Eigen::MatrixXd::Identity(9, 9) - T) * A;
  CHECK((dense(motions.constraints, 9, 18) - holds).norm() < 1e-14);
  CHECK((dense(motions.reactions, 9, 18) - holds).norm() < 1e-14);
  CHECK((dense(motions.unforced, 9, 9) - T).norm() < 1e-14);
  CHECK((dense(motions.friction, 18, 18) - A.transpose() * D * A).norm() < 1e-13);
  CHECK(motions.rubbing == 4);
  CHECK(motions.load_damping.empty());
  // of 18 degrees rolling holds three, and slipping one each; the matrix has all of them
  CHECK(Eigen::FullPivLU<Eigen::MatrixXd>(holds).rank() == 5);
  const auto whole = motions.matrix([&](Eigen::Index i) { return 2 / motions.mass[i]; }, 0.5);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(27, 27);
  expected.topLeftCorner(18, 18) =
      dense(motions.stiffness, 18, 18) + 0.5 * A.transpose() * D * A + 2 * Eigen::MatrixXd::Identity(18, 18);
  expected.bottomLeftCorner(9, 18) = -holds;
  expected.topRightCorner(18, 9) = -holds.transpose();
  expected.bottomRightCorner(9, 9) = T;
  CHECK((dense(whole, 27, 27) - expected).norm() < 1e-13);
}

TEST_CASE("the scale of small motions is that of the stiffest degree, however slow it is",
          "[assembly][modes]") {
  const auto problem = on_a_body(Mount<true>{.k = V(1e-7, 3e-7, 2e-7), .torsion = 1e-9});
  auto x = problem.state({problem.bodies<0>()[0].at(V::Zero())});
  CHECK_THAT(assembly::detail::small_motions(problem, x).largest_square(), WithinRel(3e-7, 1e-9));
  CHECK_THAT(modes(problem, x, {.count = 6})[5].square, WithinRel(3e-7, 1e-9));
  x.chains.push_back(x[0]);
  CHECK_THROWS_WITH(modes(problem, x), ContainsSubstring("chains = 2"));
}

TEST_CASE("a ball that slips has as many modes as it has ways to move", "[assembly][modes][friction]") {
  const WithLoad ball(Body{{.mass = 1, .inertia = V(0.02, 0.03, 0.025), .gravity = V(0, 0, -9)}},
                      Mount<true>{.k = V(100, 150, 0), .d = V::Zero(), .torsion = 1});
  const contact::RollingOnPlane<double> plane{{0}, 0.1, {V::Zero(), V(0, 0, 1), V::Zero()}};
  const Assembly problem{assembly::bodies(std::vector{ball}),
                         assembly::constraints(std::vector{contact::with_friction(plane, 0.5)})};
  const auto found = modes(problem, problem.state({ball.at(V(0, 0, 0.1))}), {.count = 9});
  REQUIRE(found.size() == 5);
  const std::array<double, 5> squares{1 / 0.03, 40, 50, 100, 150};
  for (std::size_t i = 0; i < 5; ++i) CHECK_THAT(found[i].square, WithinRel(squares[i], 1e-9));
}

/// Friction that does not depend on the speed.
struct Dry {
  template <class B>
  void add(const B&, const rod::Chain<double>& at, double, Columns<double, 6>& f) const {
    for (int i = 0; i < 3; ++i)
      if (at.velocity(0, i) != 0) f(0, i) -= std::copysign(0.1, at.velocity(0, i));
  }
};

TEST_CASE("small motions under a load that has no derivative are refused in a sentence",
          "[assembly][modes][load]") {
  const auto problem = on_a_body(LoadSum{Mount<false>{}, Dry{}});
  const auto x = problem.state({problem.bodies<0>()[0].at(V::Zero())});
  CHECK_THROWS_WITH(linearization(problem, x), ContainsSubstring("WithLoad: jump of a load by velocities") &&
                                                   ContainsSubstring("add_damping"));
}

TEST_CASE("modes and motions are found about a shift on one of them", "[assembly][modes]") {
  const auto problem = on_a_body(Mount<true>{.d = V::Zero()});
  // by round-off and by a nanometre beside the equilibrium
  for (const double by : {0.0, 1e-17, 1e-9}) {
    CAPTURE(by);
    const auto x = problem.state({problem.bodies<0>()[0].at(V(by, by, by))});
    for (const double square : {100.0, 150.0, 220.0}) {
      const auto found = modes(problem, x, {.count = 3, .shift = square});
      REQUIRE(found.size() == 3);
      int hits = 0;
      for (const auto& mode : found) {
        for (const double one : {4.0, 0.1 / 0.03, 5.0, 100.0, 150.0, 220.0})
          hits += std::abs(mode.square - one) < 1e-8 * one ? 1 : 0;
        CHECK(mode.residual < 1e-8);
      }
      CHECK(hits == 3);
      const Complex s(0, std::sqrt(square));
      const auto motions = linearization(problem, x, {.count = 3, .shift = s});
      REQUIRE(motions.size() == 3);
      CHECK(std::abs(motions[0].eigenvalue - s) < 1e-9 * std::abs(s));
      for (const auto& motion : motions) CHECK(std::abs(motion.eigenvalue.real()) < 1e-8);
    }
  }
  const auto x = problem.state({problem.bodies<0>()[0].at(V(0, 1e-2, 0))});
  CHECK_THROWS_WITH(modes(problem, x, {.count = 2, .shift = 100.0}),
                    ContainsSubstring("modes: distance to an equilibrium = 0.00999"));  // beside one metre
  CHECK_THROWS_WITH(linearization(problem, x, {.count = 2, .shift = Complex(0, 10)}),
                    ContainsSubstring("linearization: distance to an equilibrium = 0.0"));
}

}  // namespace small_motions_test
