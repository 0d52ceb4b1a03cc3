#include <dalembert/analysis/linearization.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"
#include "support/systems.hpp"

namespace linearization_test {

using namespace dalembert;
using analysis::linearization;
using Catch::Matchers::ContainsSubstring;
using Column = Vec<double, Eigen::Dynamic>;
using Matrix = Mat<double, Eigen::Dynamic>;

/// A rigid body without forces, by velocities in its own frame; or its mirror image, by those in space.
template <class Side>
struct FreeBody {
  using Group = SO3<double>;
  using Trivialisation = Side;
  Vec<double, 3> inertia{1.0, 1.4, 2.1};
  template <class T>
  T lagrangian(const Vec<T, 3>& w) const {
    return (inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2]) / 2;
  }
};

/// δ̇ = A δ with η̇ = δξ − side ad_ξ η and the linearised equations of Euler, I δẇ = side (Iδw × w + Iw × δw).
template <class Side>
void check_free_body(double side) {
  const LagrangeDAlembert problem{FreeBody<Side>{}};
  const auto I = problem.system().inertia;
  const Vec<double, 3> w(0, 1.7, 0);  // about the middle axis
  const auto state = problem.state(SO3d::exp({0.3, -0.2, 0.5}), w);
  Matrix expected = Matrix::Zero(6, 6);
  expected.topLeftCorner<3, 3>() = -side * SO3d::ad(w);
  expected.topRightCorner<3, 3>().setIdentity();
  expected(3, 5) = side * (I[1] - I[2]) * w[1] / I[0];
  expected(5, 3) = side * (I[0] - I[1]) * w[1] / I[2];
  const auto linear = linearization(problem, state);
  REQUIRE(linear.basis.cols() == 6);
  CHECK((linear.basis.transpose() * linear.basis - Matrix::Identity(6, 6)).norm() < 1e-14);
  CHECK((linear.basis * linear.matrix * linear.basis.transpose() - expected).norm() < 1e-11);
  CHECK(linear.speeds[0] == Approx(1.7));
  CHECK(linear.doubt < 1e-10);
  // About the middle axis it tumbles at this rate.
  const double rate = w[1] * std::sqrt((I[2] - I[1]) * (I[1] - I[0]) / (I[0] * I[2]));
  CHECK(linear.growth() == Approx(rate).epsilon(1e-10));
  const auto reduced = linearization(problem, state, analysis::translations(problem));
  REQUIRE(reduced.matrix.rows() == 3);
  CHECK(reduced.characteristic()[2] == Approx(-rate * rate).epsilon(1e-10));
}

TEST_CASE("a free body's small motions are those of Euler's equations, in the body and in space",
          "[linearization]") {
  check_free_body<trivialisation::Left>(1);
  check_free_body<trivialisation::Right>(-1);
}

TEST_CASE("straight lines of a sleigh attract forwards and repel backwards", "[linearization]") {
  for (const double a : {0.4, -0.3})
    for (const double u : {2.0, -0.6, 15.0}) {
      const systems::ChaplyginSleigh<> sleigh{{.mass = 1.5, .inertia = 0.7, .offset = a}};
      const LagrangeDAlembert problem{sleigh};
      const auto state = problem.state(SE2d(1, 2, 3), {u, 0, 0});
      // ω̇ = −(ma/K)uω and u̇ = aω², linear in ω.
      const double expected = -1.5 * a * u / (0.7 + 1.5 * a * a);
      const auto reduced = linearization(problem, state, analysis::translations(problem));
      CAPTURE(a, u);
      REQUIRE(reduced.matrix.rows() == 2);
      CHECK(reduced.characteristic()[1] == Approx(-expected).epsilon(1e-10));
      CHECK(std::abs(reduced.characteristic()[2]) < 1e-10);
      CHECK((reduced.growth() > 1e-3) == (a * u < 0));
      // On all states that the blade allows, symmetries only add zeros: η̇ = δξ − ad_ξ η leaves nothing else.
      const auto full = linearization(problem, state);
      REQUIRE(full.matrix.rows() == 5);
      CHECK(full.speeds[0] == Approx(std::abs(u)));
      CHECK(full.characteristic()[1] == Approx(-expected).epsilon(1e-10));
      CHECK(full.characteristic().tail<4>().cwiseAbs().maxCoeff() < 1e-9);
      for (Eigen::Index i = 0; i < 5; ++i) CHECK(std::abs(full.basis(4, i)) < 1e-12);  // δv
    }
}

TEST_CASE("about an equilibrium with a position constraint two directions and their rates are left",
          "[linearization]") {
  const LagrangeDAlembert problem{test::SphericalPendulum<>{}};
  for (const double side : {-1.0, 1.0}) {
    const auto linear =
        linearization(problem, problem.state(Rn<double, 3>(Vec<double, 3>(0, 0, side)), {0, 0, 0}));
    REQUIRE(linear.matrix.rows() == 4);
    CHECK(linear.speeds.size() == 0);
    const Column c = linear.characteristic();
    CHECK(std::abs(c[1]) + std::abs(c[3]) < 1e-10);
    CHECK(c[2] == Approx(-2 * side * 9.81).epsilon(1e-10));
    CHECK(c[4] == Approx(9.81 * 9.81).epsilon(1e-10));
    CHECK((linear.growth() > 1) == (side > 0));
  }
}

/// The pendulum written by hand, whose increments are columns.
struct ColumnPendulum : test::Pendulum {
  struct Increment : test::Pendulum::Increment {
    static constexpr int dimension = 2;
    Vec<double, 2> coordinates() const { return {q, v}; }
    void set_coordinates(const Vec<double, 2>& x) { q = x[0], v = x[1]; }
  };
  Increment make_increment() const { return {}; }
  Increment difference(const State& from, const State& to) const {
    return {{to.q - from.q, to.v - from.v, to.time - from.time}};
  }
};
static_assert(CoordinateProblem<ColumnPendulum> && !analysis::GroupProblem<ColumnPendulum>);

TEST_CASE("any problem whose states differ by columns has linear equations", "[linearization]") {
  const ColumnPendulum problem{{.stiffness = 2.5}};
  const auto linear = linearization(problem, {.q = static_cast<double>(pi)}, {});
  CHECK(linear.growth() == Approx(std::sqrt(2.5)).epsilon(1e-10));
  const ColumnPendulum driven{{.stiffness = 2.5, .drive = 0.1}};
  ColumnPendulum::State quiet{.time = static_cast<double>(pi) / 2};
  CHECK_THROWS_WITH(linearization(driven, quiet, {}), ContainsSubstring("linearization: shift of time = "));
}

TEST_CASE("the doubt is that of the worst column, and more than the error where steps are long",
          "[linearization]") {
  // Of q̇ = v, v̇ = −2.5 sin q about q = π only the derivatives by q, the first column, are not exact.
  const ColumnPendulum problem{{.stiffness = 2.5}};
  Matrix expected(2, 2);
  expected << 0, 1, 2.5, 0;
  double last = 0;
  for (const double step : {2.0, 4.0, 8.0}) {
    CAPTURE(step);
    const auto linear = linearization(problem, {.q = static_cast<double>(pi)}, {}, {.step = step});
    const Matrix error = linear.basis * linear.matrix * linear.basis.transpose() - expected;
    CHECK(linear.doubt > error.cwiseAbs().maxCoeff());
    CHECK(linear.doubt > 40 * last);  // the sixth power of the step: 64
    CHECK(linear.doubt < 1e-3);
    last = linear.doubt;
  }
}

TEST_CASE("what is no relative equilibrium is refused with the size of what is left", "[linearization]") {
  const LagrangeDAlembert sleigh{systems::ChaplyginSleigh<>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  // u̇ = aω² = 0.1
  CHECK_THROWS_WITH(linearization(sleigh, sleigh.state(SE2d::identity(), {0, 0, 0.5})),
                    ContainsSubstring("linearization: rates = 0.1"));
  CHECK_THROWS_WITH(linearization(sleigh, sleigh.state(SE2d::identity(), {1, 0.01, 0})),
                    ContainsSubstring("linearization: violation of constraints = 0.01"));
  CHECK_THROWS_AS(linearization(sleigh, sleigh.state(SE2d::identity(), {1, 0, 0}), {.step = -1}),
                  std::invalid_argument);
  const LagrangeDAlembert pendulum{test::SphericalPendulum<>{}};
  const auto hanging = pendulum.state(Rn<double, 3>(Vec<double, 3>(0, 0, -1)), {0, 0, 0});
  CHECK_THROWS_WITH(linearization(pendulum, hanging, analysis::translations(pendulum, {2})),
                    ContainsSubstring("linearization: symmetry = "));
  CHECK_THROWS_AS(analysis::translations(pendulum, {3}), std::invalid_argument);
}

}  // namespace linearization_test
