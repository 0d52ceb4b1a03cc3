// Sparse systems with motions that change no force, and with rows that follow from others.

#include <dalembert/linalg/sparse_equations.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace sparse_equations_test {

using Equations = dalembert::linalg::SparseEquations<double>;
using Column = Eigen::VectorXd;

/// Nodes in space, each joined to the next by springs of one stiffness in all directions.
constexpr int nodes = 7, unknowns = 3 * nodes;

void add_springs(Equations& equations, double stiffness) {
  for (int k = 0; k + 1 < nodes; ++k)
    for (int i = 0; i < 3; ++i) {
      const int a = 3 * k + i, b = a + 3;
      equations.add(a, a, stiffness);
      equations.add(b, b, stiffness);
      equations.add(a, b, -stiffness);
      equations.add(b, a, -stiffness);
    }
}

/// Forces that balance each other.
Column balanced(test::Draw& draw, int size) {
  Column b = Column::Zero(size);
  for (int k = 0; k < nodes; ++k)
    for (int i = 0; i < 3; ++i) b[3 * k + i] = draw.between(-1, 1);
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int k = 0; k < nodes; ++k) sum += b[3 * k + i];
    b[i] -= sum;
  }
  return b;
}

TEST_CASE("what nothing holds is in equilibrium under balanced forces, and unstable in no direction",
          "[linalg][sparse]") {
  test::Draw draw(test::seed());
  for (const double stiffness : {1e-6, 1.0, 1e6}) {
    Equations equations(unknowns, 0, 0);
    add_springs(equations, stiffness);
    const Column b = balanced(draw, unknowns);
    Column x;
    REQUIRE(equations.solve(b, x));
    CHECK((equations.multiply(x) - b).norm() < 1e-12 * b.norm());
    // the whole is not carried away by what rounding leaves of the forces
    CHECK(x.norm() * stiffness < 1e3 * b.norm());
    REQUIRE(equations.factor());
    CHECK(equations.count_negative() == 0);
  }
}

TEST_CASE("springs that push are unstable in as many directions as there are", "[linalg][sparse]") {
  Equations equations(unknowns, 0, 0);
  add_springs(equations, -2.0);
  REQUIRE(equations.factor());
  CHECK(equations.count_negative() == 3 * (nodes - 1));
}

TEST_CASE("rows that are there twice share their multiplier, and hold", "[linalg][sparse]") {
  test::Draw draw(test::seed());
  Equations equations(unknowns, 0, 4);
  add_springs(equations, 2.0);
  // one node is held along three directions, along the last of them twice
  for (int p = 0; p < 4; ++p) {
    const int at = 6 + std::min(p, 2);
    equations.add(at, unknowns + p, -1);
    equations.add(unknowns + p, at, 1);
  }
  Column b = balanced(draw, unknowns + 4), x;
  b[9] += 1;  // what the rows bear
  b[unknowns] = 0.1;
  REQUIRE(equations.solve(b, x));
  CHECK((equations.multiply(x) - b).norm() < 1e-11 * b.norm());
  CHECK(x[6] == Approx(0.1));
  CHECK(std::abs(x[8]) < 1e-11);
  CHECK(x[unknowns] == Approx(-1).margin(1e-9));
  CHECK(x[unknowns + 2] == Approx(x[unknowns + 3]).margin(1e-9));
}

}  // namespace sparse_equations_test
