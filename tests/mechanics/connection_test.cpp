#include <dalembert/mechanics/connection.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace connection_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;

template <class Q>
using ScalarIn = typename std::decay_t<Q>::Scalar;

/// Largest difference between two sets of coefficients.
template <class S, int N>
S difference(const FrameCoefficients<S, N>& x, const FrameCoefficients<S, N>& y) {
  S largest = 0;
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b)
      for (int c = 0; c < N; ++c) largest = std::max(largest, std::abs(x(a, b, c) - y(a, b, c)));
  return largest;
}

/// The sleigh in q = (x, y, φ) of its blade: u along it, v across it, and ψ, orthogonal in kinetic energy.
template <class S>
struct SleighFrame {
  S m, inertia, a;
  S about_blade() const { return inertia + m * a * a; }
  auto frame() const {
    return [*this](const auto& q) -> Mat<ScalarIn<decltype(q)>, 3> {
      using T = ScalarIn<decltype(q)>;
      using std::cos, std::sin;
      const T c = cos(q[2]), s = sin(q[2]);
      Mat<T, 3> f;
      f << c, -s, 0, s, c, 0, 0, -m * a / about_blade(), 1;
      return f;
    };
  }
  auto metric() const {
    return [*this](const auto& q) -> Mat<ScalarIn<decltype(q)>, 3> {
      using T = ScalarIn<decltype(q)>;
      using std::cos, std::sin;
      const T x = -m * a * sin(q[2]), y = m * a * cos(q[2]);
      Mat<T, 3> k;
      k << m, 0, x, 0, m, y, x, y, about_blade();
      return k;
    };
  }
};

/// A frame and a metric of which nothing is constant, symmetric or small.
template <class S>
struct RandomGeometry {
  Mat<S, 3> a, b, c, d;
  explicit RandomGeometry(std::mt19937& engine) {
    std::uniform_real_distribution<S> spread(-1, 1);
    for (auto* m : {&a, &b, &c, &d})
      for (Eigen::Index i = 0; i < 9; ++i) m->coeffRef(i) = spread(engine);
  }
  auto frame() const {
    return [*this](const auto& q) -> Mat<ScalarIn<decltype(q)>, 3> { return wave(q, a, b, S(2)); };
  }
  auto metric() const {
    return [*this](const auto& q) -> Mat<ScalarIn<decltype(q)>, 3> {
      using T = ScalarIn<decltype(q)>;
      const Mat<T, 3> root = wave(q, c, d, S(1.5));
      Mat<T, 3> k;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          k(i, j) = i == j ? 1 : 0;
          for (int l = 0; l < 3; ++l) k(i, j) += root(l, i) * root(l, j);
        }
      return k;
    };
  }

 private:
  template <class T>
  static Mat<T, 3> wave(const Vec<T, 3>& q, const Mat<S, 3>& size, const Mat<S, 3>& phase, S diagonal) {
    using std::sin;
    Mat<T, 3> f;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const T angle = phase(i, j) * q[0] + size(j, i) * q[1] + phase(j, i) * q[2];
        f(i, j) = size(i, j) / 2 * sin(angle) + (i == j ? diagonal : 0);
      }
    return f;
  }
};

/// C of W, which is C where there is no torsion.
template <class S, int N>
FrameCoefficients<S, N> antisymmetric_part(const FrameCoefficients<S, N>& W) {
  FrameCoefficients<S, N> out;
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b)
      for (int c = 0; c < N; ++c) out(a, b, c) = W(a, c, b) - W(a, b, c);
  return out;
}

/// The coefficients of a frame in which κ is diagonal and constant, by (3) with a factor for the last term, −1 as it was printed.
template <class S>
FrameCoefficients<S, 3> by_constant_metric(const Vec<S, 3>& k, const FrameCoefficients<S, 3>& C, S last) {
  FrameCoefficients<S, 3> W;
  for (int e = 0; e < 3; ++e)
    for (int g = 0; g < 3; ++g)
      for (int d = 0; d < 3; ++d)
        W(e, g, d) = (C(e, d, g) + k[g] / k[e] * C(g, e, d) + last * k[d] / k[e] * C(d, e, g)) / 2;
  return W;
}

TEST_CASE("the sleigh's frame has the coefficients computed by hand", "[connection]") {
  const double m = 1.7, inertia = 0.6, a = 0.35;
  const SleighFrame<double> sleigh{m, inertia, a};
  const double K = sleigh.about_blade(), r = m * a / K;
  const Vec<double, 3> q(0.3, -0.7, 1.1);
  const auto metric = in_frame(sleigh.frame(), sleigh.metric());
  Mat<double, 3> diagonal = Mat<double, 3>::Zero();
  diagonal.diagonal() << m, inertia * m / K, K;
  CHECK((metric(q) - diagonal).cwiseAbs().maxCoeff() < 1e-15);

  FrameCoefficients<double, 3> C, W;
  for (int i = 0; i < 27; ++i) C(i / 9, i / 3 % 3, i % 3) = W(i / 9, i / 3 % 3, i % 3) = 0;
  C(0, 1, 2) = 1;
  C(1, 0, 1) = r;
  C(1, 0, 2) = -1;
  C(2, 0, 1) = r * r;
  C(2, 0, 2) = -r;
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < b; ++c) C(i, b, c) = -C(i, c, b);
  W(0, 1, 1) = inertia * m * a / (K * K);
  W(0, 1, 2) = -inertia / K;
  W(0, 2, 1) = m * a * a / K;
  W(0, 2, 2) = -a;
  W(1, 0, 1) = -r;
  W(1, 0, 2) = 1;
  W(2, 0, 1) = -r * r;
  W(2, 0, 2) = r;
  CHECK(difference(structure_functions(sleigh.frame(), q), C) < 1e-15);
  CHECK(difference(connection(sleigh.frame(), metric, q), W) < 2e-15);
  CHECK(difference(connection_from_coordinates(sleigh.frame(), sleigh.metric(), q), W) < 2e-15);
}

TEST_CASE("the sleigh's coefficients are those of the reference data", "[connection][validation]") {
  const auto reference = test::data("sleigh_connection.json")["sleigh_connection"];
  const auto& inputs = reference["inputs"];
  const SleighFrame<double> sleigh{inputs["m"], inputs["I"], inputs["a"]};
  const Vec<double, 3> q(0, 0, -2.1);
  const auto C = structure_functions(sleigh.frame(), q);
  const auto W = connection(sleigh.frame(), in_frame(sleigh.frame(), sleigh.metric()), q);
  const std::array<std::string, 3> name = {"u", "v", "psi"};
  const auto& expected = reference["outputs"];
  const auto value = [](const test::Json& table, const std::string& key) {
    return table.contains(key) ? table[key].get<double>() : 0.0;
  };
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::string key = name[a] + "," + name[b] + "," + name[c];
        const std::string exchanged = name[a] + "," + name[c] + "," + name[b];
        CAPTURE(key);
        const auto& brackets = expected["C_nonzero"];
        const int i = static_cast<int>(a), j = static_cast<int>(b), k = static_cast<int>(c);
        CHECK(std::abs(C(i, j, k) - (value(brackets, key) - value(brackets, exchanged))) < 1e-14);
        CHECK(std::abs(W(i, j, k) - value(expected["omega_nonzero"], key)) < 1e-14);
      }
}

TEST_CASE("without its corrected signs the connection has torsion, and the acceleration is wrong",
          "[connection]") {
  const double m = 1.7, inertia = 0.6, a = 0.35;
  const SleighFrame<double> sleigh{m, inertia, a};
  const double K = sleigh.about_blade();
  const Vec<double, 3> q(0, 0, 0.4), k(m, inertia * m / K, K), v(0.8, -0.5, 1.3);
  const auto C = structure_functions(sleigh.frame(), q);
  const auto W = connection_from_coordinates(sleigh.frame(), sleigh.metric(), q);
  CHECK(difference(by_constant_metric(k, C, 1.0), W) < 1e-15);
  CHECK(difference(antisymmetric_part(by_constant_metric(k, C, 1.0)), C) < 1e-15);
  CHECK(difference(by_constant_metric(k, C, -1.0), W) > 0.5);  // Eldering (42) as printed
  CHECK(difference(antisymmetric_part(by_constant_metric(k, C, -1.0)), C) > 0.5);

  // (6) in this frame: v̇^a = s κ_ee C^e_bd v^b v^e / κ_aa, with s = 1 and d = a; in Eldering (45) s = −1.
  const auto by_brackets = [&](double sign) {
    Vec<double, 3> out = Vec<double, 3>::Zero();
    for (int d = 0; d < 3; ++d)
      for (int b = 0; b < 3; ++b)
        for (int e = 0; e < 3; ++e) out[d] += sign * k[e] * C(e, b, d) * v[b] * v[e] / k[d];
    return out;
  };
  const Vec<double, 3> expected = free_acceleration(W, v);
  CHECK((by_brackets(1) - expected).norm() < 1e-14);
  CHECK((by_brackets(-1) - expected).norm() > 0.5);
  // Eldering (39) with friction left out
  const double r = m * a / K;
  CHECK(std::abs(expected[0] - (a * v[2] * v[2] + (inertia - m * a * a) / K * v[1] * v[2] -
                                m * a * inertia / (K * K) * v[1] * v[1])) < 1e-14);
  CHECK(std::abs(expected[1] - (-v[0] * v[2] + r * v[0] * v[1])) < 1e-14);
  CHECK(std::abs(expected[2] - (-r * v[0] * v[2] + r * r * v[0] * v[1])) < 1e-14);
}

TEST_CASE("the two ways to the connection agree in any frame and metric", "[connection]") {
  using S = long double;
  const S small = 1e-15L;
  std::mt19937 engine(test::seed());
  std::uniform_real_distribution<S> spread(-1, 1);
  const auto point = [&] { return Vec<S, 3>(spread(engine), spread(engine), spread(engine)); };
  for (int i = 0; i < 100; ++i) {
    const RandomGeometry<S> random(engine);
    const auto frame = random.frame();
    const auto metric = random.metric();
    const auto frame_metric = in_frame(frame, metric);
    const Vec<S, 3> q = point(), v = point();
    const auto C = structure_functions(frame, q), W = connection(frame, frame_metric, q);
    CHECK(difference(connection_from_coordinates(frame, metric, q), W) < small);
    CHECK(difference(antisymmetric_part(W), C) < small);
    const Vec<S, 3> vdot = free_acceleration(W, v);
    CHECK((free_acceleration(frame, frame_metric, q, v) - vdot).norm() < small);
    // The motion that (5) gives is the geodesic of the metric in coordinates, q̈ = −Γq̇q̇.
    const Mat<S, 3> f = frame(q);
    const Vec<S, 3> qdot = f * v;
    const auto velocity = [&](const auto& at) -> Vec<ScalarIn<decltype(at)>, 3> {
      using T = ScalarIn<decltype(at)>;
      return frame(at) * dalembert::detail::convert_all<T>(v);
    };
    const Vec<S, 3> geodesic = f * vdot + derivative_along(velocity, q, qdot);
    CHECK((geodesic - free_acceleration(christoffel_symbols(metric, q), qdot)).norm() < 10 * small);
  }
}

TEST_CASE("brackets and covariant derivatives are those of finite differences", "[connection]") {
  using S = long double;
  std::mt19937 engine(test::seed());
  for (int i = 0; i < 10; ++i) {
    const RandomGeometry<S> random(engine);
    const auto frame = random.frame();
    const auto frame_metric = in_frame(frame, random.metric());
    const Vec<S, 3> q(0.2L, -0.4L, 0.7L);
    const auto C = structure_functions(frame, q), W = connection(frame, frame_metric, q);
    const Mat<S, 3> f = frame(q), k = frame_metric(q);
    // the derivative of a matrix along f_d
    const auto slope = [&](const auto& field, int d) -> Mat<S, 3> {
      const S h = 1e-3L;
      const auto at = [&](S s) -> Mat<S, 3> { return field(Vec<S, 3>(q + s * f.col(d))); };
      return (45 * (at(h) - at(-h)) - 9 * (at(2 * h) - at(-2 * h)) + (at(3 * h) - at(-3 * h))) / (60 * h);
    };
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c) {
        Vec<S, 3> bracket = slope(frame, b).col(c) - slope(frame, c).col(b);
        for (int a = 0; a < 3; ++a) bracket -= C(a, b, c) * f.col(a);
        CHECK(bracket.norm() < 1e-14L);
        for (int d = 0; d < 3; ++d) {
          S change = slope(frame_metric, d)(b, c);  // of κ(f_b, f_c), which the connection must explain
          for (int e = 0; e < 3; ++e) change -= W(e, b, d) * k(e, c) + W(e, c, d) * k(b, e);
          CHECK(std::abs(change) < 1e-14L);
        }
      }
  }
}

TEST_CASE("Hamel's equations give the sleigh its own", "[connection][hamel]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> positive(0.3, 3);
  for (int i = 0; i < 200; ++i) {
    const SleighFrame<double> sleigh{positive(engine), positive(engine), normal(engine)};
    const auto kinetic = in_frame(sleigh.frame(), sleigh.metric());
    const auto lagrangian = [&](const auto& q, const auto& v) -> ScalarIn<decltype(q)> {
      using T = ScalarIn<decltype(q)>;
      const Mat<T, 3> k = kinetic(q);
      T sum = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += k(a, b) * v[a] * v[b];
      return sum / 2;
    };
    const Vec<double, 3> q(normal(engine), normal(engine), normal(engine)),
        v(normal(engine), 0, normal(engine));
    const auto hamel = hamel_rates(sleigh.frame(), lagrangian, q, v, {false, true, false});

    const LagrangeDAlembert problem{
        systems::ChaplyginSleigh<>{{.mass = sleigh.m, .inertia = sleigh.inertia, .offset = sleigh.a}}};
    auto rates = problem.make_rates();
    problem.rates(problem.state(SE2d(q[0], q[1], q[2]), v), rates);
    const double size = 1 + rates.xidot.norm() + rates.lambda.norm();
    CHECK((hamel.vdot - rates.xidot).norm() < 1e-12 * size);
    CHECK(std::abs(hamel.reaction[1] - rates.lambda[0]) < 1e-12 * size);
    CHECK(hamel.vdot[1] == 0);
    CHECK(hamel.reaction[0] == 0);
    CHECK((hamel.qdot - Vec<double, 3>(v[0] * std::cos(q[2]), v[0] * std::sin(q[2]), v[2])).norm() < 1e-14);
    // without the blade the motion is free, and both sides have all three equations
    const Vec<double, 3> free(v[0], normal(engine), v[2]);
    const auto sliding = hamel_rates(sleigh.frame(), lagrangian, q, free);
    const auto W = connection_from_coordinates(sleigh.frame(), sleigh.metric(), q);
    CHECK((sliding.vdot - free_acceleration(W, free)).norm() < 1e-12 * (1 + sliding.vdot.norm()));
  }
}

/// A wheel that rolls upright on the ground, with a weight on its rim: q = (x, y, θ, φ), the place of its centre, its roll and its heading.
struct LoadedWheel {
  using Group = Rn<double, 4>;
  double m = 1.3, load = 0.4, radius = 0.5, rim = 0.45, spin = 0.2, turn = 0.1, gravity = 9.81;

  template <class T>
  T lagrangian(const Rn<T, 4>& q, const Vec<T, 4>& v) const {
    using std::cos, std::sin;
    const Vec<T, 4>& x = q.coordinates();
    const T c = cos(x[2]), s = sin(x[2]), C = cos(x[3]), S = sin(x[3]), b = rim;
    const T vx = v[0] + b * (C * c * v[2] - S * s * v[3]), vy = v[1] + b * (S * c * v[2] + C * s * v[3]),
            vz = b * s * v[2];
    const T wheel = m * (v[0] * v[0] + v[1] * v[1]) + spin * v[2] * v[2] + turn * v[3] * v[3];
    const T weight = load * (vx * vx + vy * vy + vz * vz);
    return (wheel + weight) / 2 + load * gravity * b * c;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Rn<T, 4>& q, const Vec<T, 4>& v) const {
    using std::cos, std::sin;
    const T heading = q.coordinates()[3], c = cos(heading), s = sin(heading);
    return {v[0] - radius * c * v[2], v[1] - radius * s * v[2]};
  }
  /// Rolling, turning, and slip along x and y.
  auto frame() const {
    return [r = radius](const auto& q) -> Mat<ScalarIn<decltype(q)>, 4> {
      using T = ScalarIn<decltype(q)>;
      using std::cos, std::sin;
      Mat<T, 4> f = Mat<T, 4>::Zero();
      f(0, 0) = r * cos(q[3]);
      f(1, 0) = r * sin(q[3]);
      f(2, 0) = f(3, 1) = f(0, 2) = f(1, 3) = 1;
      return f;
    };
  }
};

TEST_CASE("Hamel's equations agree with the general ones, in another frame and with a potential",
          "[connection][hamel]") {
  const LoadedWheel wheel;
  const LagrangeDAlembert problem{wheel};
  const auto frame = wheel.frame();
  const auto lagrangian = [&](const auto& q, const auto& v) -> ScalarIn<decltype(q)> {
    using T = ScalarIn<decltype(q)>;
    const Vec<T, 4> qdot = frame(q) * v;
    return wheel.lagrangian(Rn<T, 4>(q), qdot);
  };
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    Vec<double, 4> q, v(normal(engine), normal(engine), 0, 0);
    for (int j = 0; j < 4; ++j) q[j] = normal(engine);
    const auto hamel = hamel_rates(frame, lagrangian, q, v, {false, false, true, true});
    auto rates = problem.make_rates();
    problem.rates(problem.state(Rn<double, 4>(q), hamel.qdot), rates);
    const auto velocity = [&](const auto& at) -> Vec<ScalarIn<decltype(at)>, 4> {
      using T = ScalarIn<decltype(at)>;
      return frame(at) * dalembert::detail::convert_all<T>(v);
    };
    const Vec<double, 4> acceleration = frame(q) * hamel.vdot + derivative_along(velocity, q, hamel.qdot);
    const double size = 1 + rates.xidot.norm() + rates.lambda.norm();
    CHECK((acceleration - rates.xidot).norm() < 1e-12 * size);
    CHECK((hamel.reaction.tail<2>() - rates.lambda).norm() < 1e-12 * size);
  }
}

TEST_CASE("frames, metrics and velocities that make no sense are refused", "[connection]") {
  const auto flat = [](const auto& q) -> Mat<ScalarIn<decltype(q)>, 2> {
    Mat<ScalarIn<decltype(q)>, 2> f;
    f << q[0], q[0], q[1], q[1];
    return f;
  };
  const auto unit = [](const auto& q) -> Mat<ScalarIn<decltype(q)>, 2> {
    return Mat<ScalarIn<decltype(q)>, 2>::Identity();
  };
  const auto free = [](const auto&, const auto& v) -> ScalarIn<decltype(v)> {
    return v[0] * v[0] - v[1] * v[1];
  };
  const Vec<double, 2> q(1, 2), v(1, 1);
  CHECK_THROWS_WITH(structure_functions(flat, q), ContainsSubstring("connection: frame = singular"));
  CHECK_THROWS_WITH(connection(unit, flat, q), ContainsSubstring("connection: metric = singular"));
  CHECK_THROWS_WITH(hamel_rates(unit, free, q, v), ContainsSubstring("hamel_rates: mass = not positive"));
  CHECK_THROWS_WITH(hamel_rates(unit, free, q, v, {false, true}),
                    ContainsSubstring("hamel_rates: held velocity = 1"));
  CHECK(hamel_rates(unit, free, q, Vec<double, 2>(1, 0), {false, true}).vdot.norm() == 0);
}

}  // namespace connection_test
