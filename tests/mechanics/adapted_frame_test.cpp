#include <dalembert/mechanics/adapted_frame.hpp>

#include <cmath>
#include <random>
#include <stdexcept>

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/slow_manifold.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"

namespace adapted_frame_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;

/// Chaplygin's sleigh in the coordinates (x, y, φ).
constexpr double m = 1.7, I = 0.6, a = 0.35, K = I + m * a * a, N = I * m / K;
const auto blade = [](const auto& q) {
  using T = typename std::decay_t<decltype(q)>::Scalar;
  using std::cos, std::sin;
  return Mat<T, 1, 3>(-sin(q[2]), cos(q[2]), T(0));
};
const auto sleigh_metric = [](const auto& q) {
  using T = typename std::decay_t<decltype(q)>::Scalar;
  using std::cos, std::sin;
  Mat<T, 3> k;
  k << T(m), T(0), T(-m * a * sin(q[2])), T(0), T(m), T(m * a * cos(q[2])), T(-m * a * sin(q[2])),
      T(m * a * cos(q[2])), T(K);
  return k;
};
const auto flat = [](const auto& q) { return 0 * q[0]; };

TEST_CASE("the adapted frame of the sleigh is that of hand, and so is its slow motion", "[adapted_frame]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    const Vec<double, 3> q(normal(engine), normal(engine), normal(engine));
    const auto frame = adapted_frame<1>(blade, sleigh_metric, q);
    const Mat<double, 3> f = frame(q);
    CHECK((f.col(2) - Vec<double, 3>(-std::sin(q[2]), std::cos(q[2]), -m * a / K)).norm() < 1e-14);
    // The columns in D span that of u and ψ.
    const Vec<double, 3> ahead(std::cos(q[2]), std::sin(q[2]), 0), turn(0, 0, 1);
    Vec<double, 2> xi(normal(engine), normal(engine));
    const Vec<double, 3> velocity = f.leftCols<2>() * xi;
    const double u = velocity.dot(ahead), psi = velocity.dot(turn);
    CHECK((velocity - u * ahead - psi * turn).norm() < 1e-14);

    const double nu = 1.3;
    const auto slow = first_slow_motion<1>(frame, flat, Mat<double, 1>(nu), q, xi);
    CHECK(std::abs(slow.coefficient[0] + N * u * psi / nu) < 1e-12 * (1 + std::abs(u * psi)));
    CHECK(std::abs(slow.reaction[0] - N * u * psi) < 1e-12 * (1 + std::abs(u * psi)));
  }
}

/// A point in a curved space whose row turns with it, under a potential.
struct Curved {
  using Group = Rn<double, 3>;
  template <class T>
  static Mat<T, 3> metric(const Vec<T, 3>& q) {
    using std::sin;
    const T skew = 0.3 * sin(q[0]) + 0.2 * q[2];
    Mat<T, 3> k;
    k << 1.5 + 0.2 * q[1] * q[1], skew, T(0.1), skew, 2.0 + 0.3 * sin(q[2]), 0.2 * q[0], T(0.1), 0.2 * q[0],
        1.0 + 0.4 * q[0] * q[0];
    return k;
  }
  template <class T>
  static Mat<T, 1, 3> row(const Vec<T, 3>& q) {
    using std::cos;
    return Mat<T, 1, 3>(1 + 0.2 * q[1], cos(q[2]), -0.5 * q[0]);
  }
  template <class T>
  static T potential(const Vec<T, 3>& q) {
    return q[0] * q[1] + 0.5 * q[2] * q[2];
  }
  template <class T>
  T lagrangian(const Rn<T, 3>& g, const Vec<T, 3>& v) const {
    const Vec<T, 3>& q = g.coordinates();
    const Mat<T, 3> k = metric(q);
    T twice = T(0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) twice += k(i, j) * v[i] * v[j];
    return twice / 2 - potential(q);
  }
  template <class T>
  T velocity_constraint(const Rn<T, 3>& g, const Vec<T, 3>& v) const {
    const Mat<T, 1, 3> along = row(g.coordinates());
    return along(0, 0) * v[0] + along(0, 1) * v[1] + along(0, 2) * v[2];
  }
};

TEST_CASE("the connection of an adapted frame gives the slow motion that needs no frame", "[adapted_frame]") {
  const auto row = [](const auto& q) { return Curved::row(q); };
  const auto metric = [](const auto& q) { return Curved::metric(q); };
  const auto potential = [](const auto& q) { return Curved::potential(q); };
  const double epsilon = 0.1, nu = 0.8;
  const SlowManifold<Curved, 1> slow(with_friction(Curved{}, nu, epsilon), 1);
  const SlowManifold<Curved, 1> plain(with_friction(Curved{}, nu, epsilon), 0);
  std::mt19937 engine(test::seed());
  std::uniform_real_distribution<double> uniform(-0.8, 0.8);
  for (int i = 0; i < 20; ++i) {
    const Vec<double, 3> q(uniform(engine), uniform(engine), uniform(engine));
    const Vec<double, 2> xi(uniform(engine), uniform(engine));
    const auto frame = adapted_frame<1>(row, metric, q);
    const Mat<double, 3> f = frame(q);
    CHECK((Curved::row(q) * f - Mat<double, 1, 3>(0, 0, 1)).norm() < 1e-13);
    CHECK((f.transpose() * Curved::metric(q) * f).topRightCorner<2, 1>().norm() < 1e-13);

    const auto by_frame = first_slow_motion<1>(frame, potential, Mat<double, 1>(nu), q, xi);
    const auto state = slow.state(Rn<double, 3>(q), f.leftCols<2>() * xi);
    CHECK(std::abs(slow.coefficients(state)[0][0] - by_frame.coefficient[0]) < 1e-12);
    auto rates = slow.make_rates(), order_zero = rates;
    slow.rates(state, rates);
    plain.rates(state, order_zero);

    // ξ_D = f_a ξ^a, so its rate is f_a ξ̇^a + (∂f_a · q̇) ξ^a, and its part in ε has X₁ and the drift.
    const auto carried = [&](const Vec<double, 3>& velocity) {
      const auto along = [&](const auto& x) {
        using T = typename std::decay_t<decltype(x)>::Scalar;
        const Mat<T, 3> moved = frame(x);
        return Vec<T, 3>(moved.col(0) * T(xi[0]) + moved.col(1) * T(xi[1]));
      };
      return Vec<double, 3>(derivative_along(along, q, velocity));
    };
    const Vec<double, 3> zeroth = f.leftCols<2>() * by_frame.nonholonomic + carried(state.xi);
    CHECK((order_zero.xidot - zeroth).norm() < 1e-12);
    const Vec<double, 3> drift = f.col(2) * by_frame.coefficient[0];
    CHECK((rates.drift - epsilon * drift).norm() < 1e-13);
    const Vec<double, 3> first = f.leftCols<2>() * by_frame.correction + carried(drift);
    CHECK((rates.xidot - order_zero.xidot - epsilon * first).norm() < 1e-12);
  }
}

TEST_CASE("a frame for rows that depend on each other is refused", "[adapted_frame]") {
  const auto twice = [](const auto& q) {
    using T = typename std::decay_t<decltype(q)>::Scalar;
    Mat<T, 2, 3> rows;
    rows << T(1), T(2), T(0), T(2), T(4), T(0);
    return rows;
  };
  CHECK_THROWS_WITH((adapted_frame<2>(twice, sleigh_metric, Vec<double, 3>(0, 0, 0))),
                    ContainsSubstring("AdaptedFrame: rows = dependent"));
}

}  // namespace adapted_frame_test
