// Bodies of very different masses under common constraints, in float and in double: rows are kept, redundant
// ones share the load, contradictory ones are refused.

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"
#include "support/rail.hpp"
#include "support/rods.hpp"

namespace mass_ratios_test {

using namespace dalembert;
using namespace dalembert::assembly;
using test::Rail;

/// What the cases differ in.
struct Scale {
  double length, mass, ratio;
};
template <class S, class F>
void each_scale(const F& f) {
  const bool single = std::is_same_v<S, float>;
  for (const double ratio : {1.0, 1e2, 1e4, 1e5, 1e6, 1e8, 1e10, 1e12})
    for (const double length : {0x1p-20, 1.0, 0x1p20})
      for (const double mass : {1e-6, 1.0, 1e6})
        if (!single || ratio <= 1e6) f(Scale{length, mass, ratio});
}

/// A path along which a marker is driven.
template <class S>
struct Path {
  Vec<S, 3> from, velocity, half_acceleration;
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    Vec<T, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = from[i] + velocity[i] * t + half_acceleration[i] * t * t;
    return x;
  }
};

/// A row of bodies, in turn light and heavy, whose first hangs from space and each from the one before it,
/// every joint so many times; the last one may be held on lines besides.
template <class S>
struct Train {
  using Body = RigidBody<S>;
  using Joint = SphericalJoint<S>;
  using Prescribed = PrescribedMotion<S, Path<S>>;
  using Problem = Assembly<Kinds<Body>, Kinds<Joint, Prescribed, Rail<S>>>;

  Problem problem;
  typename Problem::State start;
  S length;

  static Vec<S, 3> place(const Scale& s, double x, double y, double z) {
    return Vec<S, 3>(S(s.length * x), S(s.length * y), S(s.length * z));
  }
  static Problem made(const Scale& s, int bodies, int times, const std::vector<Prescribed>& prescribed,
                      const std::vector<Rail<S>>& rails) {
    std::vector<Body> list;
    std::vector<Joint> joints;
    for (int i = 0; i < bodies; ++i) {
      const double m = s.mass * (i % 2 == 0 ? 1 : s.ratio), j = m * s.length * s.length;
      list.push_back(Body({.mass = S(m),
                           .inertia = {S(0.02 * j), S(0.03 * j), S(0.04 * j)},
                           .gravity = place(s, 0.1, 0.2, -9.8)}));
      // nodes lie at whole lengths, arms are halves and eighths: the joints are closed but for no rounding
      const auto body = static_cast<std::size_t>(i);
      for (int k = 0; k < times; ++k) {
        const FrameMarker<S> arm{body, 0, place(s, -0.5, 0.125, 0)};
        if (i == 0)
          joints.push_back({arm, FrameMarker<S>::in_space(place(s, -0.5, 0.125, 0))});
        else
          joints.push_back({arm, {body - 1, 0, place(s, 0.5, 0.125, 0)}});
      }
    }
    return Problem{assembly::bodies(list), assembly::constraints(joints, prescribed, rails)};
  }
  Train(const Scale& s, int bodies, int times, const std::vector<Prescribed>& prescribed = {},
        const std::vector<Rail<S>>& rails = {})
      : problem(made(s, bodies, times, prescribed, rails)), start(first(s, bodies)), length(S(s.length)) {}

  typename Problem::State first(const Scale& s, int bodies) const {
    std::vector<Chain<S>> chains;
    test::Random random(test::seed());
    for (int i = 0; i < bodies; ++i) {
      auto chain = problem.template bodies<0>()[static_cast<std::size_t>(i)].at(place(s, i, 0, 0));
      const Vec<S, 3> spin = random.vector<S>();
      chain.set_velocity(0, S(s.length) * random.vector<S>(), spin);
      chains.push_back(chain);
    }
    return problem.state(std::move(chains));
  }
};

template <class S>
void check_kept(int bodies, int times) {
  each_scale<S>([&](const Scale& s) {
    CAPTURE(sizeof(S), bodies, times, s.length, s.mass, s.ratio);
    const Train<S> train(s, bodies, times);
    const S eps = std::numeric_limits<S>::epsilon();
    auto x = train.start;
    CHECK(train.problem.project(x).converged);
    CHECK(train.problem.constraint(x).velocity < S(2048) * eps * train.length);
    auto pushed = train.start;  // the others are at rest
    for (std::size_t i = 0; i < pushed.chains.size(); ++i)
      if (i != 1) pushed[i].velocity.setZero();
    CHECK(train.problem.project(pushed).converged);
    CHECK(train.problem.constraint(pushed).velocity < S(2048) * eps * train.length);
    auto r = train.problem.make_rates();
    train.problem.rates(x, r);
    CHECK(r.report.redundant_rows == 3 * bodies * (times - 1));
    const int rows = train.problem.row_count();
    typename Train<S>::Problem::Residual left = train.problem.make_residual();
    train.problem.residual(x, r, left);
    CHECK(left.tail(rows).cwiseAbs().maxCoeff() < S(2048) * eps * S(10) * train.length);
    for (int i = 0; i < rows; ++i) {  // all of a joint's twins bear the same
      const int twin = i / (3 * times) * 3 * times + i % 3;
      CHECK(std::abs(r.lambda[i] - r.lambda[twin]) <
            S(1024) * eps * r.lambda.segment(twin - twin % 3, 3).cwiseAbs().maxCoeff());
    }
  });
}

TEST_CASE("rows are kept whatever the masses of the bodies, in any units", "[assembly][joints]") {
  for (const int bodies : {2, 3, 6}) {
    check_kept<float>(bodies, 1);
    check_kept<double>(bodies, 1);
  }
}

TEST_CASE("redundant rows share the load whatever the masses of the bodies, in any units",
          "[assembly][joints]") {
  for (const int bodies : {2, 5}) {
    check_kept<float>(bodies, 2);
    check_kept<double>(bodies, 2);
  }
  check_kept<float>(3, 3);
  check_kept<double>(3, 3);
}

/// The far end of the second body driven by two paths of which the second is faster by this part, or gains speed
/// faster.
template <class S>
Train<S> led_twice(const Scale& s, double faster, double gains, bool rail) {
  using T = Train<S>;
  const FrameMarker<S> end{1, 0, T::place(s, 0.5, -0.5, 0.25)};
  const auto path = [&](double part, double more) {
    return Path<S>{T::place(s, 1.5, -0.5, 0.25), S(1 + part) * T::place(s, 0.1, 0.2, 0.3),
                   S(1 + more) * T::place(s, 0.2, 0.1, 0.1)};
  };
  std::vector<Rail<S>> rails;
  if (rail) rails.emplace_back(std::size_t{1}, Vec<S, 3>(0, 0, 1), Vec<S, 3>(0, S(0.28), S(0.96)));
  return T(s, 2, 1, {{end, path(0, 0)}, {end, path(faster, gains)}}, rails);
}

template <class S>
void check_contradictions() {
  each_scale<S>([&](const Scale& s) {
    CAPTURE(sizeof(S), s.length, s.mass, s.ratio);
    auto right = led_twice<S>(s, 0, 0, false);
    CHECK(right.problem.project(right.start).converged);
    auto faster = led_twice<S>(s, 0.1, 0, false);
    CHECK_THROWS_AS(faster.problem.project(faster.start), IncompatibleConstraints);
    for (const bool rail : {false, true}) {
      const auto rates = [&](double gains) {
        auto train = led_twice<S>(s, 0, gains, rail);
        auto r = train.problem.make_rates();
        train.problem.project(train.start);
        train.problem.rates(train.start, r);
        CHECK(r.report.redundant_rows == 3);
      };
      CHECK_NOTHROW(rates(0));
      CHECK_THROWS_AS(rates(0.1), IncompatibleConstraints);
    }
  });
}

TEST_CASE("contradictory rows are refused whatever the masses of the bodies, in any units",
          "[assembly][joints]") {
  check_contradictions<float>();
  check_contradictions<double>();
}

template <class S>
void check_slanted() {
  each_scale<S>([&](const Scale& s) {
    CAPTURE(sizeof(S), s.length, s.mass, s.ratio);
    const S eps = std::numeric_limits<S>::epsilon();
    const std::vector<Rail<S>> rails(1, Rail<S>(1, Vec<S, 3>(0, 0, 1), Vec<S, 3>(S(0.28), 0, S(0.96))));
    const Train<S> once(s, 3, 1, {}, rails), twice(s, 3, 2, {}, rails);
    auto x = once.start;
    CHECK(once.problem.project(x).converged);
    auto one = once.problem.make_rates();
    auto two = twice.problem.make_rates();
    once.problem.rates(x, one);
    twice.problem.rates(x, two);
    CHECK(one.report.redundant_rows == 0);
    CHECK(two.report.redundant_rows == 9);
    // the light bodies feel the rounding of what the heavy one bears
    const S tolerance = S(1e4) * eps * S(20);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto apart = (one.xidot[i] - two.xidot[i]).abs().eval();
      for (int c = 0; c < 6; ++c) CHECK(apart(0, c) < tolerance * (c < 3 ? S(s.length) : S(1)));
    }
    for (int joint = 0; joint < 3; ++joint) {
      const auto whole = one.lambda.segment(3 * joint, 3), half = two.lambda.segment(6 * joint, 3),
                 other = two.lambda.segment(6 * joint + 3, 3);
      const S size = one.lambda.cwiseAbs().maxCoeff();
      CHECK((whole - half - other).cwiseAbs().maxCoeff() < S(1e4) * eps * size);
      CHECK((half - other).cwiseAbs().maxCoeff() < S(1e4) * eps * size);
    }
  });
}

TEST_CASE("redundant rows beside a reaction along another row share the load", "[assembly][reactions]") {
  check_slanted<float>();
  check_slanted<double>();
}

TEST_CASE("reactions may act at right angles to their own rows", "[assembly][reactions]") {
  using V = Vec<double, 3>;
  const V x(1, 0, 0), y(0, 1, 0);
  const Scale s{1, 1, 1};
  using Rails = std::vector<Rail<double>>;
  const Train<double> straight(s, 1, 0, {}, Rails{Rail<double>(0, x, x), Rail<double>(0, y, y)}),
      crossed(s, 1, 0, {}, Rails{Rail<double>(0, x, y), Rail<double>(0, y, x)});
  auto a = straight.problem.make_rates(), b = crossed.problem.make_rates();
  straight.problem.rates(straight.start, a);
  crossed.problem.rates(crossed.start, b);
  CHECK(b.report.redundant_rows == 0);
  CHECK(b.lambda[0] == Approx(a.lambda[1]));
  CHECK(b.lambda[1] == Approx(a.lambda[0]));
  CHECK((a.xidot[0] - b.xidot[0]).abs().maxCoeff() < 1e-14);
}

}  // namespace mass_ratios_test
