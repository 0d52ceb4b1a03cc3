// What an implicit step asks of the constraints of a kind: their places, how these go on, and their rows,
// beside differences.

#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/implicit/detail/implicit_kind.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace implicit_kind_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using Rolling = contact::RollingContact<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Eigen::Index;
using V = Vec<double, 3>;

constexpr int elements = 14;

/// Two bent rods that cross each other at a distance and move anyhow, with two crossings of them.
struct TwoRods {
  Rod rod = test::soft_rod<Rod>(0.005, elements);
  test::Random random{test::seed()};
  State<double> x;
  Inertias<double> inertia{};

  TwoRods() {
    for (int i = 0; i < 2; ++i) {
      rod::Chain<double> chain(elements + 1);
      for (Index k = 0; k <= elements; ++k) {
        const double along = static_cast<double>(k) / elements - 0.5;
        const V at = i == 0 ? V(along, 0.1 * along * along, 0.1 * along)
                            : V(0.2 * along, along, 0.3 + 0.1 * std::sin(2 * along));
        chain.set_frame(k, SO3<double>::exp(random.vector<double>()), at);
        chain.set_velocity(k, V(0.3 * at + 0.1 * random.vector<double>()), random.vector<double>());
      }
      x.chains.push_back(chain);
      inertia.add(rod);
    }
    x.z = Column::Constant(4, 0.45);
  }
  [[nodiscard]] Rolling contact(bool integrated) const {
    Rolling c{{0, rod, 0.2}, {1, rod, 0.1}, 0.1, 0.2, true};
    c.integrate_positions = integrated;
    return c;
  }
  /// The state a little later.
  [[nodiscard]] State<double> later(double h) const {
    State<double> y = x;
    y.time += h;
    for (std::size_t i = 0; i < 2; ++i)
      for (Index k = 0; k <= elements; ++k)
        rod::move_node(y[i], k, V(h * x[i].linear_velocity(k)), V(h * x[i].angular_velocity(k)));
    return y;
  }
};

TEST_CASE("implicit steps find the places of those constraints alone that do not follow their rates",
          "[implicit][contact]") {
  const TwoRods rods;
  const std::vector list{rods.contact(false), rods.contact(true)};
  const ImplicitOfConstraint<Rolling> kind(list);
  CHECK(kind.sizes.count == 2);
  CHECK_FALSE(kind.follows_rates(0));
  CHECK(kind.follows_rates(1));
  State<double> x = rods.x;
  x.z = Column::LinSpaced(7, 0.45, 0.47);  // of others, of these, of others
  const Column before = x.z;
  kind.solve_tangencies(x, 2);
  CHECK((x.z - before).cwiseAbs().head(2).maxCoeff() == 0);
  CHECK((x.z - before).cwiseAbs().tail(3).maxCoeff() == 0);
  const Evaluator<Rolling> evaluator(list[0]);
  Evaluation<Rolling> e;
  find_points(evaluator, x, 2, e, static_cast<double*>(nullptr));
  const V kappa = e.points[1].R - e.points[0].R;
  for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs(kappa.dot(e.points[i].dR)) < 1e-13);
  CHECK((x.z - before).segment(2, 2).norm() > 1e-2);
}

TEST_CASE("places that follow their rates do so as fast as places that are found move",
          "[implicit][contact]") {
  TwoRods rods;
  const std::vector found{rods.contact(false)}, following{rods.contact(false), rods.contact(true)};
  const ImplicitOfConstraint<Rolling> places(found);
  ImplicitOfConstraint<Rolling> kind(following);
  places.solve_tangencies(rods.x, 0);
  rods.x.z.tail(2) = rods.x.z.head(2);
  const double h = 1e-5;
  const auto at = [&](double by) {
    State<double> y = rods.later(by);
    places.solve_tangencies(y, 0);
    return Vec<double, 2>(y.z.head(2));
  };
  const Vec<double, 2> expected = (at(h) - at(-h)) / (2 * h);
  CHECK(expected.norm() > 1e-4);
  // in the middle of a step and at its end, wherever the other is
  const State<double> elsewhere = [&] {
    State<double> y = rods.later(0.05);
    places.solve_tangencies(y, 0);
    y.z.tail(2) = y.z.head(2);
    return y;
  }();
  for (const bool at_end : {false, true}) {
    CAPTURE(at_end);
    kind.place(1, at_end ? elsewhere : rods.x, 2);
    kind.place_end(1, at_end ? rods.x : elsewhere, 2);
    Vec<double, 2> rate;
    kind.find_rate(1, rods.x, at_end, rate.data());
    CHECK((rate - expected).norm() < 1e-7 * expected.norm());
  }
}

TEST_CASE("the rows of an implicit step are the rates of its errors, and what they are made of is known",
          "[implicit][contact]") {
  TwoRods rods;
  const std::vector list{rods.contact(false), rods.contact(false)};
  ImplicitOfConstraint<Rolling> kind(list);
  kind.solve_tangencies(rods.x, 0);
  kind.place(1, rods.x, 2);
  double u[3], inverse[3];
  kind.find_velocities(1, rods.x, rods.inertia, u);
  kind.find_inverse(1, inverse);
  const auto error = [&](double by) {
    State<double> y = rods.later(by);
    kind.solve_tangencies(y, 0);
    return *kind.place_end(1, y, 2);
  };
  const double h = 1e-5, rate = (error(h) - error(-h)) / (2 * h);
  double expected = 0, unit = 0;
  for (int r = 0; r < 3; ++r) {
    expected += kind.rows(1).along(0, r) * u[r];
    unit += kind.rows(1).along(0, r) * inverse[r];
  }
  CHECK(std::abs(rate) > 1e-4);
  CHECK(rate == Approx(expected).epsilon(1e-7));
  CHECK(unit == Approx(1).epsilon(1e-14));

  kind.find_places(1);
  REQUIRE(kind.rows(1).error_sizes.size() == 1);
  const double size = kind.rows(1).error_sizes[0];
  CHECK(size > 0.3);
  CHECK(size < 10);
  CHECK(kind.length(1) > 0.25);  // the second rod is as high
  CHECK(kind.length(1) < 2);
  CHECK(kind.rows(1).mobility == 0);
  CHECK(kind.curves());

  // the force of rows does the work that the velocities tell
  const double lambda[3] = {0.3, -0.2, 0.7};
  NodeNumbers<double> f;
  f.chains.assign(2, rod::zero_columns<double, 6>(elements + 1));
  kind.add_loads(1, lambda, rods.x, rods.inertia, f);
  double power = 0, work = 0;
  for (int r = 0; r < 3; ++r) power += lambda[r] * u[r];
  for (std::size_t i = 0; i < 2; ++i)
    for (Index k = 0; k <= elements; ++k)
      for (int j = 0; j < 6; ++j) work += f[i](k, j) * rods.x[i].velocity(k, j);
  CHECK(work == Approx(power).epsilon(1e-13));

  const std::vector slips{contact::with_friction(list[0], 0.25)};
  ImplicitOfConstraint<contact::Frictional<Rolling>> friction(slips);
  friction.place(0, rods.x, 0);
  CHECK(friction.rows(0).mobility == 0.25);
}

TEST_CASE("an implicit step refuses reactions that a constraint cannot have", "[implicit][contact]") {
  TwoRods rods;
  auto touching = rods.contact(false);
  touching.bilateral = false;
  const std::vector list{touching};
  ImplicitOfConstraint<Rolling> kind(list);
  kind.solve_tangencies(rods.x, 0);
  kind.place(0, rods.x, 0);
  V along;
  for (int r = 0; r < 3; ++r) along[r] = kind.rows(0).along(0, r);
  const V presses = -along;  // opens where the multiplier of the gap is positive
  int refused = 0;
  for (const V& lambda : {presses, along}) try {
      kind.check(0, rods.x, lambda.data());
    } catch (const ContactOpened&) {
      ++refused;
    }
  CHECK(refused == 1);
}

}  // namespace implicit_kind_test
