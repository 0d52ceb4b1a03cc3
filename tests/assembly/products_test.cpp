// Products with the rows of one constraint, beside dense ones.

#include <dalembert/assembly/detail/products.hpp>

#include <cmath>

#include <dalembert/contact/friction.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"

namespace products_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// A constraint between two of three nodes, with the rates of its rows.
template <class C>
struct Scene : test::DenseNodes {
  using Rows = Products<C>;
  static constexpr int R = ConstraintTraits<C>::rows;
  C constraint;
  PlacedConstraint<C> placed;
  Evaluation<C>& e = placed.evaluation;
  Matrix A, V, G;  ///< the rows, those along which they pull, and A M⁻¹A_Vᵀ

  explicit Scene(bool one_body = false)
      : DenseNodes(test::seed(), {2, 1}),
        constraint(test::between_nodes<C>(set.draw, 0, 1, one_body ? 0 : 1, 0)),
        placed(constraint, x, 0),
        A(rows(placed)),
        V(rows(placed, true)),
        G(A * inverse().asDiagonal() * V.transpose()) {
    find_velocities(placed.evaluator, x, e, placed.weights.data());
    placed.evaluator.find_drift(e, x);
  }
};
Column dense(const auto& x) { return Column(x); }

template <class C>
void check_velocities() {
  CAPTURE(C::name);
  Scene<C> at;
  using Rows = Products<C>;
  const Column v = at.velocity(), a = at.random(at.size), known = dense(at.e.known),
               drift = dense(at.e.drift);
  const auto nodes = at.nodes();
  CHECK((dense(Rows::velocities(at.e, nodes)) - known - at.A * v).norm() < 1e-13);
  CHECK((dense(Rows::reaction_velocities(at.e, nodes)) - at.V * v).norm() < 1e-13);
  CHECK((dense(Rows::accelerations(at.e, nodes, at.numbers(a))) - drift - at.A * a).norm() < 1e-13);
  CHECK((dense(Rows::accelerations_of_loads(at.e, nodes, at.numbers(a))) - drift - at.A * at.accelerations(a))
            .norm() < 1e-13);
  CHECK((dense(missing(at.e, nodes, at.numbers(a), at.e.known)) - drift - at.A * a).norm() < 1e-13);
  CHECK(known.norm() + drift.norm() > 0.01);
}

TEST_CASE("rows say of velocities, accelerations and loads what their matrices do", "[assembly][products]") {
  check_velocities<test::Leash>();
  check_velocities<test::Blades>();
  check_velocities<test::Ways>();
  check_velocities<test::Slanted>();
}

template <class C>
void check_impulses() {
  CAPTURE(C::name);
  Scene<C> at;
  using Rows = Products<C>;
  const auto nodes = at.nodes();
  const Column mu = at.random(at.R), f = at.random(at.size), m = at.inverse();
  const typename decltype(at.e.known)::PlainObject own = mu;
  auto loads = at.numbers(f);
  Rows::add_loads(at.e, own, nodes, loads);
  CHECK((at.column(loads) - f - at.V.transpose() * mu).norm() < 1e-13);
  for (const Along along : {Along::reactions, Along::rows}) {
    const Matrix& pulls = along == Along::rows ? at.A : at.V;
    State<double> kicked = at.x;
    Rows::add_impulses(at.e, own, along, nodes, kicked);
    CHECK((at.velocity(kicked) - at.velocity() - m.cwiseProduct(pulls.transpose() * mu)).norm() < 1e-13);
    CHECK(at.displacement(kicked).norm() < 1e-15);
    if constexpr (Rows::P > 0) {
      const double size = 1e-4, per_time = 7;
      const Column all = Matrix(at.e.along).transpose() * (size * mu.head<Rows::P>());
      Column d = m.cwiseProduct(pulls.transpose() * all);
      for (const bool turns : {true, false}) {
        at.e.turns = turns;
        State<double> moved = at.x;
        Rows::displace_all(at.e, size * own.template head<Rows::P>(), along, per_time, nodes, moved);
        if (!turns)
          at.each([&](std::size_t, Eigen::Index, int i, int k) {
            if (i >= 3) d[k] = 0;
          });
        CHECK((at.displacement(moved) - d).norm() < 1e-12 * (size + d.norm()) + 1e-15);
        CHECK((at.velocity(moved) - at.velocity() - per_time * d).norm() < 1e-14);
      }
      at.e.turns = true;
    }
  }
}

TEST_CASE("multipliers load, kick and displace nodes along the rows, or along those that react",
          "[assembly][products]") {
  check_impulses<test::Leash>();
  check_impulses<test::Ways>();
  check_impulses<test::Slanted>();
}

TEST_CASE("the inverse of a constraint's own system is that of A M⁻¹Aᵀ, where there is one",
          "[assembly][products]") {
  Scene<test::Ways> at;
  const auto nodes = at.nodes();
  REQUIRE(Products<test::Ways>::invert(at.e, nodes));
  const Column u = at.random(2);
  const Column mu = dense(solve_alone(at.e, Vec<double, 2>(u)));
  CHECK((at.G * mu + u).norm() < 1e-12 * at.G.norm() * mu.norm());
  for (const bool turns : {true, false}) {
    at.e.turns = turns;
    Matrix rows = Matrix(at.e.along) * at.A;
    if (!turns)
      at.each([&](std::size_t, Eigen::Index, int i, int k) {
        if (i >= 3) rows.col(k).setZero();
      });
    linalg::SmallInverse<double, 1> inverse;
    REQUIRE(Products<test::Ways>::invert_positions(at.e, nodes, inverse));
    const Matrix g = rows * at.inverse().asDiagonal() * rows.transpose();
    CHECK(inverse.entry[0] == Approx(1 / g(0, 0)));
  }
  Scene<test::Slanted> slanted;
  CHECK(!Products<test::Slanted>::invert(slanted.e, slanted.nodes()));
  Scene<test::Ways> shared(true);
  CHECK(!Products<test::Ways>::invert(shared.e, shared.nodes()));
  linalg::SmallInverse<double, 1> none;
  CHECK(!Products<test::Ways>::invert_positions(shared.e, shared.nodes(), none));
}

TEST_CASE("rows that are friction resist a slip by ε over the time that it has", "[assembly][products]") {
  using Rubbing = contact::Frictional<test::Ways>;
  Scene<Rubbing> at;
  const auto nodes = at.nodes();
  const Matrix C = at.e.along, N = C.transpose() * (C * C.transpose()).inverse() * C;
  const Matrix T = Matrix::Identity(2, 2) - N;
  const Column slip = at.A * at.velocity() + dense(at.e.known), a = at.random(at.size), mu = at.random(2);
  const Vec<double, 2> u(at.random(2));
  for (const double epsilon : {1e-3, 0.4, 50.0}) {
    CAPTURE(epsilon);
    at.e.friction.find(epsilon, at.e.along);
    for (const double time : {1e-2, 3.0}) {
      Products<Rubbing>::find_friction(at.e, nodes, time);
      REQUIRE(Products<Rubbing>::invert(at.e, nodes));
      const double mean = at.G.trace() / 2;
      CHECK(at.e.friction.resistance == Approx(epsilon * mean / (time * mean + epsilon)));
      const Matrix system = at.G + epsilon / time * T;
      const Column x = dense(solve_alone(at.e, u));
      CHECK((system * x + dense(u)).norm() < 1e-11 * (system.norm() * x.norm() + 1));
    }
    CHECK((dense(exact_velocities(at.e, nodes)) - N * slip).norm() < 1e-13);
    const Column left = N * (at.A * a + dense(at.e.drift)) + T * (slip + epsilon * mu);
    CHECK((dense(missing(at.e, nodes, at.numbers(a), mu)) - left).norm() < 1e-13 * (1 + epsilon));
    Powers<double> p{1.0, 2.0, 3.0};
    add_powers(at.e, nodes, mu, p);
    const double rubbed = mu.dot(T * slip), driven = -dense(at.e.known).dot(mu);
    CHECK(p.constraint == Approx(1 + mu.dot(at.A * at.velocity()) - driven - rubbed).margin(1e-13));
    CHECK(p.dissipation == Approx(2 + rubbed).margin(1e-13));
    CHECK(p.load == Approx(3 + driven).margin(1e-13));
    at.e.friction.load = at.e.friction.force(Vec<double, 2>(slip));
    CHECK((dense(with_friction(at.e, mu)) - mu + T * slip / epsilon).norm() < 1e-13 * (1 + 1 / epsilon));
  }
}

}  // namespace products_test
