// How one constraint closes its position rows, beside dense linear algebra.

#include <dalembert/assembly/detail/position_rows.hpp>

#include <cmath>
#include <limits>

#include <dalembert/contact/bead.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"
#include "support/rods.hpp"
#include "support/runner.hpp"

namespace position_rows_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Rows of a distance between two of three nodes, that come behind those of others.
struct Scene : test::DenseNodes {
  static constexpr int row = 3;
  test::Ways constraint{test::between_nodes<test::Ways>(set.draw, 0, 1, 1, 0)};
  PlacedConstraint<test::Ways> placed{constraint, x, 0};
  RowNumbers<double> numbers;
  Projection<double> result;

  Scene() : DenseNodes(test::seed(), {2, 1}) {
    numbers.weights = placed.weights;
    numbers.push = Column::Constant(5, 99);
    numbers.mu = numbers.known = Column::Zero(12);
  }
  double error() { return placed.evaluation.error[0]; }
  /// f(rows) for rows that are corrected in a state.
  template <class F>
  auto with(State& y, double per_time, const F& f, Along along = Along::reactions) {
    const assembly::detail::Nodes<double> n{y.chains, y.lines, set.inertia, numbers.weights.data()};
    const Correction<double> by{y, n, per_time, along, result};
    const PositionRows<test::Ways> rows{constraint, placed.evaluation, Slot{.number = 4, .position = row}, by,
                                        numbers};
    rows.solve_internal(0);
    return f(rows, by);
  }
};

TEST_CASE("a position is closed to its rounding by a displacement along M⁻¹Aᵀ, velocities with it",
          "[assembly][position_rows]") {
  Scene scene;
  State<double> far = scene.x;
  REQUIRE(scene.with(far, 0, [](const auto& rows, const auto& by) { return solve_position_rows(rows, by); }));
  CHECK(std::abs(scene.error()) <= 4e-16 * scene.placed.evaluation.sizes[0]);
  CHECK(scene.result.iterations > 2);
  // from there a little open again
  const double open = 1e-5, per_time = 50;
  scene.x = far;
  scene.x.time += open;
  State<double> near = scene.x;
  scene.placed.place(scene.x, 0);
  const double phi = scene.error();
  const Matrix a = Matrix(scene.placed.evaluation.along) * scene.rows(scene.placed);
  const Column m = scene.inverse();
  const double g = (a * m.asDiagonal() * a.transpose())(0, 0);
  const Column wanted = m.cwiseProduct(a.transpose().col(0)) * (-phi / g);
  scene.result = {};
  REQUIRE(scene.with(near, per_time,
                     [](const auto& rows, const auto& by) { return solve_position_rows(rows, by); }));
  REQUIRE(std::abs(phi) > 1e-7);
  CHECK((scene.displacement(near) - wanted).norm() < 1e-3 * wanted.norm());
  CHECK((scene.velocity(near) - scene.velocity() - per_time * scene.displacement(near)).norm() <
        1e-3 * per_time * wanted.norm());
  CHECK(scene.result.moved == Approx(std::abs(phi) / std::sqrt(g)).epsilon(1e-3));
  scene.with(near, 0, [&](const auto& rows, const auto& by) {
    Displacement<double> early, late;
    rows.displace(false, early);
    rows.displace(true, late);
    CHECK(std::isinf(early.least));
    CHECK(late.least == Approx(least_rounding<double>(scene.placed.evaluation, by.n)));
  });
}

TEST_CASE("what is pushed is what is open, unless rounding explains it", "[assembly][position_rows]") {
  Scene scene;
  State<double> y = scene.x;
  scene.with(y, 0, [&](const auto& rows, const auto&) {
    Evaluation<test::Ways>& e = scene.placed.evaluation;
    const double size = sizes_of_rows(scene.placed.evaluator, e.points, y.time)[0], far = scene.error();
    // which size is taken of a row that is open by this much, and was near before or not
    const auto size_of = [&](int iteration, double error, bool near, double before) {
      e.error[0] = error;
      e.near = near;
      e.sizes[0] = before;
      OpenRows<double> open;
      rows.find_open(iteration, open);
      CHECK(open.some);
      CHECK(!open.zero);
      CHECK(open.tangent);
      CHECK(open.most.row == Scene::row);
      CHECK(open.most.error == std::abs(error));
      return open.most.size;
    };
    CHECK(size_of(1, far, false, 0) == size);
    CHECK(size_of(1, far, false, 2) == 2);
    CHECK(size_of(2, far, false, 2) == size);
    CHECK(!e.near);
    CHECK(size_of(2, 1e-14, false, 2) == size);
    CHECK(e.near);
    CHECK(size_of(2, -1e-14, true, 2) == 2);
    CHECK(size_of(1, 1e-14, true, 2) == size);
    e.error[0] = far;
    rows.find_rows_and_push(false);
    CHECK(scene.numbers.push[Scene::row] == -far);
    CHECK(scene.numbers.push[Scene::row - 1] == 99);
    CHECK(scene.numbers.push[Scene::row + 1] == 99);
    rows.find_rows_and_push(true);
    CHECK(scene.numbers.push[Scene::row] == -far);
    e.sizes[0] = 2 * std::abs(far) / std::numeric_limits<double>::epsilon();
    rows.find_rows_and_push(true);
    CHECK(scene.numbers.push[Scene::row] == 0);
    CHECK(rows.name_of_row(Scene::row) == "position row 0 of Ways 4 (body 0, body 1)");
    e.error[0] = 0;
    OpenRows<double> closed;
    rows.find_open(1, closed);
    CHECK(closed.zero);
    CHECK(closed.some);
    e.tangent = false;
    rows.find_open(1, closed);
    CHECK(!closed.tangent);
  });
}

TEST_CASE("a bead is sought where its tangency asks it to be, one that runs by its rate stays",
          "[assembly][position_rows]") {
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 12);
  const contact::Bead<double> bead{{0, rod, 0.15}, {1, 0, {0.1, -0.2, 0.05}}};
  State<double> x;
  x.chains = {test::random_chain(rod, test::rotation_matrix<double>(random.vector<double>()), random),
              Chain<double>(1)};
  x.z = Vec<double, 1>(0.46);
  const PlacedConstraint<contact::Bead<double>> at(bead, x, 0);
  // nearest to that place, but not on the rod
  const auto& point = at.evaluation.points[0];
  const Vec<double, 3> aside = 1e-3 * point.dR.cross(Vec<double, 3>(0.3, -0.5, 0.7));
  x[1].set_frame(0, SO3<double>::identity(), point.R + aside - bead.marker.offset);
  const auto found = [&]<class K>(const K& c) {
    PlacedConstraint<K> placed(c);
    RowNumbers<double> numbers;
    numbers.weights = placed.weights;
    State<double> y = x;
    y.z[0] += 0.01;
    for (int i = 0; i < 10 && !placed.evaluation.tangent; ++i)
      assembly::detail::solve_internal(c, placed.evaluation, Slot{}, y, numbers, i);
    CHECK(placed.evaluation.tangent);
    const PlacedConstraint<K> there(c, y, 0);
    CHECK((placed.evaluation.error - there.evaluation.error).norm() < 1e-13);
    if constexpr (Evaluation<K>::P > 0) CHECK(there.evaluation.error.norm() > 1e-5);
    return y.z[0];
  };
  CHECK(std::abs(found(bead) - 0.46) < 1e-12);
  CHECK(found(test::Runner{bead, 0.3}) == 0.46 + 0.01);
}

}  // namespace position_rows_test
