#include <dalembert/mechanics/detail/saddle_point.hpp>

#include <random>

#include <Eigen/Dense>

#include "support/catch.hpp"

namespace saddle_point_test {

using namespace dalembert;

template <class S>
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  S operator()() { return std::normal_distribution<S>()(engine_); }
  template <int R, int C>
  Mat<S, R, C> matrix() {
    Mat<S, R, C> m;
    for (Eigen::Index i = 0; i < m.size(); ++i) m.coeffRef(i) = (*this)();
    return m;
  }
  template <int N, int K, int V>
  SaddlePoint<S, N, K, V> system() {
    const Mat<S, N, N> root = matrix<N, N>();
    return {Mat<S, N>(root * root.transpose() + Mat<S, N>::Identity()), matrix<N, 1>(), matrix<K, N>(),
            matrix<K, 1>(), matrix<V, N>()};
  }

 private:
  std::mt19937 engine_;
};

template <class S, int N, int K, int V>
S dynamic_error(const SaddlePoint<S, N, K, V>& in, const SaddlePointSolution<S, N, K, V>& out) {
  return (in.mass * out.x - in.variational.transpose() * out.lambda - in.force).norm();
}
template <class S, int N, int K, int V>
S constraint_error(const SaddlePoint<S, N, K, V>& in, const SaddlePointSolution<S, N, K, V>& out) {
  return (in.constraint * out.x + in.drift).norm();
}

TEMPLATE_TEST_CASE("random regular systems are solved to round-off", "[saddle_point]", double, long double) {
  using S = TestType;
  Draw<S> draw(test::seed());
  const S tolerance = S(1e4) * std::numeric_limits<S>::epsilon();
  for (int i = 0; i < 200; ++i) {
    auto in = draw.template system<5, 3, 3>();
    if (i % 2 == 0) in.variational = in.constraint;
    SaddlePointSolution<S, 5, 3, 3> out;
    solve(in, out);
    Mat<S, 8> whole = Mat<S, 8>::Zero();
    whole << in.mass, -in.variational.transpose(), in.constraint, Mat<S, 3>::Zero();
    Vec<S, 8> rhs;
    rhs << in.force, -in.drift;
    const Vec<S, 8> expected = whole.fullPivLu().solve(rhs);
    const S scale = 1 + expected.norm();
    CHECK((out.x - expected.template head<5>()).norm() <= tolerance * scale * scale);
    CHECK((out.lambda - expected.template tail<3>()).norm() <= tolerance * scale * scale);
    CHECK(out.determined);
    CHECK(out.redundant == 0);
  }
}

TEST_CASE("both paths agree on regular systems", "[saddle_point]") {
  Draw<double> draw(test::seed());
  for (int i = 0; i < 200; ++i) {
    const auto in = draw.system<4, 2, 2>();
    SaddlePointSolution<double, 4, 2, 2> fast, slow;
    REQUIRE(solve_regular(in, fast));
    detail::solve_by_qr(in, slow);
    const double scale = 1 + fast.x.norm() + fast.lambda.norm();
    CHECK((fast.x - slow.x).norm() < 1e-11 * scale * scale);
    CHECK((fast.lambda - slow.lambda).norm() < 1e-11 * scale * scale);
    CHECK(slow.redundant == 0);
    CHECK(slow.determined);
    CHECK(slow.residual.maxCoeff() < 1e-12);
    CHECK(slow.dynamic_residual < 1e-12);
  }
}

TEST_CASE("units do not decide what is regular", "[saddle_point]") {
  Draw<double> draw(test::seed());
  const auto in = draw.system<4, 2, 2>();
  SaddlePointSolution<double, 4, 2, 2> plain, scaled_out;
  solve(in, plain);
  auto scaled = in;
  const Vec<double, 4> unit(1e6, 1e-7, 1, 1e3);
  scaled.mass = unit.asDiagonal() * in.mass * unit.asDiagonal();
  scaled.force = unit.cwiseProduct(in.force);
  scaled.constraint = in.constraint * unit.asDiagonal();
  scaled.variational = in.variational * unit.asDiagonal();
  scaled.constraint.row(0) *= 1e-9;
  scaled.drift[0] *= 1e-9;
  scaled.variational.row(1) *= 1e9;
  REQUIRE(solve_regular(scaled, scaled_out));
  CHECK((unit.cwiseProduct(scaled_out.x) - plain.x).norm() < 1e-11 * plain.x.norm());
  CHECK(scaled_out.lambda[1] * 1e9 == Approx(plain.lambda[1]));
  detail::solve_by_qr(scaled, scaled_out);
  CHECK((unit.cwiseProduct(scaled_out.x) - plain.x).norm() < 1e-10 * plain.x.norm());
  CHECK(scaled_out.lambda[0] == Approx(plain.lambda[0]));
}

TEST_CASE("rows that follow from others are solved, counted, and share the multiplier", "[saddle_point]") {
  Draw<double> draw(test::seed());
  auto in = draw.system<4, 2, 2>();
  in.constraint.row(1) = 3.0 * in.constraint.row(0);
  in.drift[1] = 3.0 * in.drift[0];
  in.variational = in.constraint;
  SaddlePointSolution<double, 4, 2, 2> out;
  solve(in, out);
  CHECK(out.redundant == 1);
  CHECK(out.determined);
  CHECK(out.residual.maxCoeff() < 1e-13);
  CHECK(dynamic_error(in, out) < 1e-12);
  CHECK(constraint_error(in, out) < 1e-12);
  CHECK(out.lambda[0] == Approx(3.0 * out.lambda[1]));  // least norm with rows scaled to unit length

  SaddlePoint<double, 4, 1, 1> single{in.mass, in.force, in.constraint.topRows<1>(), in.drift.head<1>(),
                                      in.variational.topRows<1>()};
  SaddlePointSolution<double, 4, 1, 1> alone;
  solve(single, alone);
  CHECK((out.x - alone.x).norm() < 1e-12);
  CHECK(out.lambda[0] + 3.0 * out.lambda[1] == Approx(alone.lambda[0]));
}

TEST_CASE("more rows than reactions are solved if they agree", "[saddle_point]") {
  Draw<double> draw(test::seed());
  auto in = draw.system<5, 3, 2>();
  SaddlePoint<double, 5, 2, 2> square{in.mass, in.force, in.constraint.topRows<2>(), in.drift.head<2>(),
                                      in.variational};
  SaddlePointSolution<double, 5, 2, 2> expected;
  solve(square, expected);
  in.drift[2] = -in.constraint.row(2).dot(expected.x);
  SaddlePointSolution<double, 5, 3, 2> out;
  solve(in, out);
  CHECK(out.redundant == 1);
  CHECK((out.x - expected.x).norm() < 1e-10);
  CHECK((out.lambda - expected.lambda).norm() < 1e-10);
  CHECK(out.residual.maxCoeff() < 1e-12);
}

TEST_CASE("rows that contradict each other show in the residual, and only they", "[saddle_point]") {
  Draw<double> draw(test::seed());
  auto in = draw.system<5, 3, 3>();
  in.constraint.row(2) = in.constraint.row(0);
  in.drift[2] = in.drift[0] + 1;
  in.variational = in.constraint;
  SaddlePointSolution<double, 5, 3, 3> out;
  solve(in, out);
  CHECK(out.residual[0] > 1e-3);
  CHECK(out.residual[2] > 1e-3);
  CHECK(out.residual[1] < 1e-12);
}

TEST_CASE("an impossible row shows in the residual", "[saddle_point]") {
  Draw<double> draw(test::seed());
  auto in = draw.system<3, 1, 1>();
  in.constraint.setZero();
  in.variational.setZero();
  in.drift[0] = 1;
  SaddlePointSolution<double, 3, 1, 1> out;
  solve(in, out);
  CHECK(out.residual[0] > 0.1);
  in.drift[0] = 0;
  solve(in, out);
  CHECK(out.residual[0] == 0);
  CHECK(out.redundant == 1);
  CHECK(out.lambda[0] == 0);
}

TEST_CASE("a coordinate without mass is determined by a constraint, or not at all", "[saddle_point]") {
  SaddlePoint<double, 2, 1, 1> in{Mat<double, 2>::Zero(),
                                  {3, 0},
                                  Mat<double, 1, 2>(1, -1),
                                  Vec<double, 1>(0.5),
                                  Mat<double, 1, 2>(1, -1)};
  in.mass(0, 0) = 2;
  SaddlePointSolution<double, 2, 1, 1> out;
  solve(in, out);
  CHECK(out.determined);
  CHECK(out.x[0] == Approx(1.5));
  CHECK(out.x[1] == Approx(2.0));
  CHECK(out.lambda[0] == Approx(0).margin(1e-14));
  in.constraint = in.variational = Mat<double, 1, 2>(1, 0);
  solve(in, out);
  CHECK_FALSE(out.determined);
  CHECK(out.redundant ==
        0);  // that nothing moves the second coordinate makes no row of C_K follow from others
  CHECK(out.x[0] == Approx(-0.5));
}

TEST_CASE("a force that nothing can balance shows in the dynamic residual", "[saddle_point]") {
  SaddlePoint<double, 2, 1, 1> in{
      Mat<double, 2>::Zero(), {1, 1}, Mat<double, 1, 2>(1, 0), Vec<double, 1>(0), Mat<double, 1, 2>(1, 0)};
  in.mass(0, 0) = 1;
  SaddlePointSolution<double, 2, 1, 1> out;
  solve(in, out);
  CHECK(out.dynamic_residual > 0.1);
}

TEST_CASE("a system without constraints is a solve with the mass", "[saddle_point]") {
  Draw<double> draw(test::seed());
  const auto in = draw.system<3, 0, 0>();
  SaddlePointSolution<double, 3, 0, 0> out;
  solve(in, out);
  CHECK((in.mass * out.x - in.force).norm() < 1e-12);
}

}  // namespace saddle_point_test
