#include <dalembert/linalg/cone_problem.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"

namespace cone_problem_test {

using namespace dalembert;
using linalg::ConeProblem;
using linalg::solve_cone_problem;
using Problem = ConeProblem<double>;
using Column = Problem::Column;
using Matrix = Problem::Matrix;
using V3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// One contact of a point of mass m that comes down at (n, t₁, t₂).
V3 impulse_of_point(double m, const V3& velocity, double mu) {
  Problem p(0, {mu});
  p.G = Matrix::Identity(3, 3) / m;
  p.b = velocity;
  const auto found = solve_cone_problem(p);
  REQUIRE(found.converged);
  return found.P;
}

TEST_CASE("what grows begins with no size", "[linalg]") {
  const linalg::detail::Growing<Eigen::MatrixXd> matrix;
  const linalg::detail::Growing<Eigen::VectorXd> column;
  CHECK(matrix.rows() == 0);
  CHECK(matrix.cols() == 0);
  CHECK(column.size() == 0);
}

TEST_CASE("a point that lands sticks, slips or lifts off as Coulomb's law says", "[linalg][cone]") {
  const double m = 2.5;
  CHECK(impulse_of_point(m, {0.3, 1, 2}, 0.5).norm() == 0);  // it leaves
  CHECK((impulse_of_point(m, {-2, 0.3, -0.4}, 0.3) - m * V3(2, -0.3, 0.4)).norm() <
        1e-12);  // 0.5 < 0.3·2: sticks
  CHECK((impulse_of_point(m, {-2, 0.6, -0.8}, 0.3) - m * V3(2, -0.6 * 0.6, 0.6 * 0.8)).norm() <
        1e-11);  // slips
  CHECK((impulse_of_point(m, {-2, 0.6, -0.8}, 0) - m * V3(2, 0, 0)).norm() < 1e-12);
  CHECK((impulse_of_point(m, {-2, 60, -80}, infinite) - m * V3(2, -60, 80)).norm() < 1e-10);
  CHECK(impulse_of_point(m, {0, 0, 0}, 0.3).norm() == 0);
}

TEST_CASE("frictionless contacts that part straight along their normal, beside one that rests, bear nothing",
          "[linalg][cone]") {
  Problem p(0, {0, 0});
  p.G.diagonal() << 1, 3.5, 3.5, 1, 3.5, 3.5;
  p.b << 0.3, 0, 0, 0, -0.3, 0;
  CHECK(p.natural_map(Column::Zero(6)) == 0);
  const auto found = solve_cone_problem(p);
  CHECK(found.converged);
  CHECK(found.P.norm() == 0);
}

TEST_CASE("a ball that skids takes up its spin", "[linalg][cone]") {
  // rows at the lowest point of a ball: mass m, moment of inertia ⅖ma²: tangents have the inverse mass 7/(2m)
  const double m = 0.7;
  for (const double mu : {0.05, 0.2, 10.0}) {
    Problem p(0, {mu});
    p.G.diagonal() << 1 / m, 3.5 / m, 3.5 / m;
    p.b << -1, 2, 0;
    const auto found = solve_cone_problem(p);
    REQUIRE(found.converged);
    const double most = mu * m, stops = 2 * m / 3.5;
    CHECK(found.P[0] == Approx(m).epsilon(1e-13));
    CHECK(found.P[1] == Approx(-std::min(most, stops)).epsilon(1e-12));
  }
}

TEST_CASE("beads that are stacked carry what is above them, whatever the order of contacts",
          "[linalg][cone]") {
  const int n = 12;  // contact i under bead i; all beads have mass 1 and fall at 1
  for (const bool reversed : {false, true}) {
    Problem p(0, std::vector<double>(n, 0.3));
    const auto row = [&](int i) { return p.row(static_cast<std::size_t>(reversed ? n - 1 - i : i)); };
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) {
        p.G(row(i) + k, row(i) + k) = i > 0 ? 2 : 1;
        if (i > 0) p.G(row(i) + k, row(i - 1) + k) = p.G(row(i - 1) + k, row(i) + k) = -1;
      }
      if (i == 0) p.b[row(i)] = -1;
    }
    const auto found = solve_cone_problem(p);
    REQUIRE(found.converged);
    for (int i = 0; i < n; ++i) CHECK(found.P[row(i)] == Approx(n - i).epsilon(1e-11));
  }
}

TEST_CASE("random cone problems are solved to the law, and take energy", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(11)};
  int newton = 0, unsolved = 0;
  for (int i = 0; i < 5000; ++i) {
    const Problem p = random.problem(true);
    const auto found = solve_cone_problem(p);
    if (!found.converged) {
      ++unsolved;
      UNSCOPED_INFO("problem " << i << " of " << p.friction.size() << " contacts: residual "
                               << found.residual);
      continue;
    }
    newton = std::max(newton, found.newton);
    if (test::breach(p, found.P) > 1e-9) {
      CAPTURE(i, p.friction, found.residual);
      CHECK(test::breach(p, found.P) < 1e-9);
    }
    const double work = found.P.dot(p.b + p.G * found.P / 2), size = found.P.cwiseAbs().dot(p.b.cwiseAbs());
    CHECK(work <= 1e-12 * size);
  }
  CHECK(unsolved == 0);
}

TEST_CASE("random cone problems are solved in single precision", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(13)};
  int unsolved = 0;
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    Problem p = random.problem(true);
    ConeProblem<float> single(p.held, {p.friction.begin(), p.friction.end()});
    single.G = p.G.cast<float>();
    single.b = p.b.cast<float>();
    p.G = single.G.cast<double>();
    p.b = single.b.cast<double>();
    p.friction.assign(single.friction.begin(), single.friction.end());
    const auto found = solve_cone_problem(single);
    if (found.converged)
      worst = std::max(worst, test::breach(p, found.P.cast<double>()));
    else
      ++unsolved;
  }
  CHECK(unsolved == 0);
  CHECK(worst < 1e-5);
}

TEST_CASE("random singular cone problems that can be solved are, but for few", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(12)};
  int unsolved = 0, wrong = 0;
  for (int i = 0; i < 5000; ++i) {
    const Problem p = random.problem(false);
    const auto found = solve_cone_problem(p);
    if (!found.converged)
      ++unsolved;
    else if (test::breach(p, found.P) > 1e-7)
      ++wrong;
  }
  CHECK(unsolved <= 1);  // strong friction among bodies that are held in few ways
  CHECK(wrong == 0);
}

TEST_CASE("contacts at one place of a body press no harder the longer they are solved from the last solution",
          "[linalg][cone]") {
  std::mt19937 draw(5);
  std::uniform_real_distribution<double> rounding(-1e-15, 1e-15);
  const double step = 1e-2;
  Problem p(0, {infinite, infinite});
  Column P = Column::Zero(6);
  double most = 0;
  for (int i = 0; i < 300; ++i) {
    const double c = std::cos(0.01 * i), s = std::sin(0.01 * i);
    for (int r = 0; r < 6; ++r)
      for (int k = 0; k <= r; ++k) p.G(r, k) = p.G(k, r) = (r % 3 == k % 3 ? 1 : 0) + rounding(draw);
    for (int k = 0; k < 2; ++k) p.b.segment(3 * k, 3) = step * V3(-1, 0.5 * c, 0.5 * s);
    for (double& x : p.b) x += rounding(draw);
    const auto found = solve_cone_problem(p, {}, P);
    REQUIRE(found.converged);
    P = found.P;
    most = std::max(most, P.cwiseAbs().maxCoeff());
  }
  CHECK(most < 2 * step);
}

TEST_CASE("a solution does not depend on units, on a turn of the tangents, or on where the search began",
          "[linalg][cone]") {
  test::RandomCones random{std::mt19937(13)};
  for (int i = 0; i < 200; ++i) {
    const Problem p = random.problem(true);
    const auto found = solve_cone_problem(p);
    REQUIRE(found.converged);
    Problem scaled = p;  // by powers of two: to the bit
    scaled.G *= std::ldexp(1.0, 17);
    scaled.b *= std::ldexp(1.0, -10);
    CHECK((std::ldexp(1.0, 27) * solve_cone_problem(scaled).P - found.P).norm() == 0);
    Problem turned = p;  // tangents by 40°
    Matrix turn = Matrix::Identity(p.size(), p.size());
    for (std::size_t c = 0; c < p.friction.size(); ++c) {
      const auto k = p.row(c) + 1;
      turn(k, k) = turn(k + 1, k + 1) = std::cos(0.7);
      turn(k, k + 1) = -(turn(k + 1, k) = std::sin(0.7));
    }
    turned.G = turn * p.G * turn.transpose();
    turned.b = turn * p.b;
    const auto there = solve_cone_problem(turned);
    REQUIRE(there.converged);
    CHECK(test::breach(p, turn.transpose() * there.P) < 1e-9);
    Problem finer = p;  // what holds in another unit, as degrees beside metres
    finer.G.topRows(p.held) *= 1e-4;
    finer.G.leftCols(p.held) *= 1e-4;
    finer.b.head(p.held) *= 1e-4;
    auto held = solve_cone_problem(finer);
    REQUIRE(held.converged);
    held.P.head(p.held) *= 1e-4;
    CHECK(test::breach(p, held.P) < 1e-8);
    const auto again = solve_cone_problem(p, {}, found.P);
    CHECK(again.newton == 0);
    CHECK((again.P - found.P).norm() == 0);
  }
}

TEST_CASE("cone problems that mean nothing are refused", "[linalg][cone]") {
  CHECK_THROWS_WITH(solve_cone_problem(Problem(0, {-0.1})), ContainsSubstring("friction = -0.1"));
  CHECK_THROWS_WITH(solve_cone_problem(Problem(0, {std::nan("")})), ContainsSubstring("friction"));
  Problem p(1, {0.3});
  CHECK(p.size() == 4);
  p.b[2] = std::nan("");
  CHECK_THROWS_WITH(solve_cone_problem(p), ContainsSubstring("not finite"));
  p.b[2] = 0;
  CHECK_THROWS_WITH(solve_cone_problem(p, {}, Column::Zero(3)), ContainsSubstring("size of start = 3"));
  p.b.resize(3);
  CHECK_THROWS_WITH(solve_cone_problem(p), ContainsSubstring("size of b = 3"));
  CHECK(solve_cone_problem(Problem(0, {})).converged);
  // two rows that contradict each other have no solution, and that is said
  Problem no(2, {});
  no.G.setConstant(1);
  no.b << 1, -1;
  CHECK(!solve_cone_problem(no, {.tolerance = 1e-12, .newton = 10, .sweeps = 100}).converged);
}

TEST_CASE("problems that are written by blocks, one after the other, are what each is by itself",
          "[linalg]") {
  std::mt19937_64 engine(3);
  const auto chance = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  linalg::detail::ConeBlocks<double> reused;
  linalg::detail::ConeSearch<double> search;
  for (const int contacts : {40, 10, 60, 16, 15, 90, 1, 40}) {
    CAPTURE(contacts);
    // contacts that couple with the next one and with one far off: a sum of squares of rows over such pairs
    const std::vector<double> friction(static_cast<std::size_t>(contacts), 0.4);
    linalg::ConeProblem<> alone(0, friction);
    reused.friction = friction;
    reused.begin();
    const auto n = static_cast<std::size_t>(contacts), far = n / 3 + 1;
    std::vector<Eigen::Matrix3d> own(n, Eigen::Matrix3d::Identity());
    const auto couple = [&](std::size_t i, std::size_t j) {
      if (j >= n || i == j) return;
      Eigen::Matrix3d block;
      for (double& x : block.reshaped()) x = chance(-0.2, 0.2);
      own[i] += block * block.transpose();
      own[j] += Eigen::Matrix3d::Identity();
      reused.put(j, i, Eigen::Matrix3d(block.transpose()));
      alone.put(j, i, block.transpose());
    };
    for (std::size_t i = 0; i < n; ++i) couple(i, i + 1), couple(i, i + far + 1);
    for (std::size_t i = 0; i < n; ++i) reused.put(i, i, own[i]), alone.put(i, i, own[i]);
    reused.end();
    for (Eigen::Index i = 0; i < alone.size(); ++i) {
      linalg::ConeProblem<>::GrowingColumn unit, column;
      unit.set_zero(alone.size()), column.set_zero(alone.size());
      unit[i] = 1;
      reused.G.add_product(unit, 1.0, column);
      CHECK((column - alone.G.col(i)).lpNorm<Eigen::Infinity>() < 1e-15);
    }
    for (Eigen::Index i = 0; i < alone.size(); ++i) reused.b[i] = alone.b[i] = chance(-1, 0.5);
    linalg::ConeProblem<>::GrowingColumn start;
    start.set_zero(alone.size());
    const auto found = search(reused, {}, start);
    const auto other = linalg::solve_cone_problem(alone);
    CHECK(found.converged);
    CHECK(other.converged);
    CHECK((found.P - other.P).lpNorm<Eigen::Infinity>() < 1e-10 * other.P.lpNorm<Eigen::Infinity>());
    CHECK(alone.natural_map(found.P) < 1e-11 * found.P.lpNorm<Eigen::Infinity>());
  }
}

TEST_CASE("rows that press are normals of contacts that have no friction", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(11)};
  linalg::detail::ConeBlocks<double> normals;
  linalg::detail::ConeSearch<double> search;
  int pressed = 0, open = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const auto count = static_cast<std::size_t>(1 + random.below(30));
    const Eigen::Index held = random.below(3), n = static_cast<Eigen::Index>(count), rows = held + n;
    const Eigen::Index freedoms = i % 3 == 0 ? 1 + random.below(static_cast<int>(rows)) : rows + 2;
    Matrix A(rows, freedoms);
    Column v(freedoms);
    for (double& x : A.reshaped()) x = random.between(-1, 1);
    for (double& x : v) x = random.between(-1, 1);
    const bool by_sweeps = i % 3 == 1;
    const double scale = std::pow(10.0, random.between(-6, 6));
    Matrix G = scale * A * A.transpose();
    if (by_sweeps) G += scale * static_cast<double>(rows) * Matrix::Identity(rows, rows);
    const Column b = A * v;

    Problem dense(held, std::vector<double>(count, 0.0));
    const auto row = [&](Eigen::Index k) { return k < held ? k : held + 3 * (k - held); };
    for (Eigen::Index r = 0; r < rows; ++r) {
      for (Eigen::Index c = 0; c < rows; ++c) dense.G(row(r), row(c)) = G(r, c);
      dense.b[row(r)] = b[r];
    }
    const auto other = solve_cone_problem(dense);
    REQUIRE(other.converged);

    normals.held = held;
    normals.pressed = n;
    normals.begin();
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
      for (std::size_t c = 0; c <= r; ++c)
        normals.put(r, c, G(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
    normals.end();
    normals.b.head(rows) = b;
    linalg::ConeOptions<double> options;
    if (by_sweeps) options.newton = 0;
    Problem::GrowingColumn start;
    start.set_zero(normals.size());
    const auto found = search(normals, options, start);
    REQUIRE(found.converged);
    const Column P = found.P.head(rows), u = b + G * P, u_other = dense.b + dense.G * other.P;
    const double speed = b.lpNorm<Eigen::Infinity>() + (G.cwiseAbs() * P.cwiseAbs()).maxCoeff();
    const double size = P.lpNorm<Eigen::Infinity>();
    CHECK(found.P.tail(normals.size() - rows).isZero(0.0));
    for (Eigen::Index k = 0; k < rows; ++k) {
      CHECK(std::abs(u[k] - u_other[row(k)]) < 1e-9 * speed);  // impulses may be many, velocities are not
      if (k < held) continue;
      CHECK(P[k] >= -1e-11 * size);
      CHECK(u[k] >= -1e-10 * speed);
      CHECK(std::min(P[k] / std::max(size, 1e-300), u[k] / speed) < 1e-9);
      ++(P[k] > 1e-9 * size ? pressed : open);
    }
  }
  CHECK(pressed > 500);
  CHECK(open > 500);
}

TEST_CASE("where many contacts couple, a last step's factors serve for several", "[linalg][contact]") {
  test::RandomCones random{std::mt19937(11)};
  int factored = 0, steps = 0;
  for (int k = 0; k < 10; ++k) {
    const int contacts = 40;
    Problem p(0, std::vector<double>(contacts, 0.4));
    const Eigen::Index rows = p.size(), freedoms = rows + 2;
    Matrix A(rows, freedoms);
    for (double& x : A.reshaped()) x = random.between(-1, 1);
    p.G = A * A.transpose();
    p.b = A * Column::NullaryExpr(freedoms, [&](Eigen::Index) { return random.between(-1, 1); });
    const auto found = solve_cone_problem(p);
    REQUIRE(found.converged);
    CHECK(test::breach(p, found.P) < 1e-11);
    factored += found.factored;
    steps += found.newton;
  }
  CAPTURE(factored, steps);
  CHECK(factored < steps);
}

TEST_CASE("a problem with the matrix of the last one is solved by its factors", "[linalg][contact]") {
  test::RandomCones random{std::mt19937(13)};
  constexpr Eigen::Index rows = 120;
  linalg::detail::ConeBlocks<double> normals;
  linalg::detail::ConeSearch<double> search, other;
  normals.pressed = rows;
  linalg::detail::ConeBlocks<double>::Column start;
  int by_old = 0, by_new = 0;
  for (int k = 0; k < 20; ++k) {
    Matrix A(rows, rows + 2);
    for (double& x : A.reshaped()) x = random.between(-1, 1);
    const Matrix G = A * A.transpose();
    const auto draw = [&] {
      return Column(A * Column::NullaryExpr(rows + 2, [&](Eigen::Index) { return random.between(-1, 1); }));
    };
    normals.begin();
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
      for (std::size_t c = 0; c <= r; ++c)
        normals.put(r, c, G(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
    normals.end();
    normals.b.head(rows) = draw();
    start.set_zero(normals.size());
    const auto first = search(normals, {}, start);
    REQUIRE(first.converged);
    CHECK(first.factored > 0);
    const Column near = normals.b.head(rows) + 1e-7 * draw(), far = draw();
    for (const bool is_near : {true, false}) {
      normals.b.head(rows) = is_near ? near : far;
      const auto found = search(normals, {}, first.P, true);
      REQUIRE(found.converged);
      const auto anew = other(normals, {}, start);
      CHECK((found.P - anew.P).head(rows).norm() < 1e-9 * anew.P.head(rows).norm());
      if (!is_near) continue;
      by_old += found.factored;
      by_new += anew.factored;
    }
  }
  CAPTURE(by_old, by_new);
  CHECK(by_old < 3);  // where another contact opens
  CHECK(by_new >= 20);
}

}  // namespace cone_problem_test
