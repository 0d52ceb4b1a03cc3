#include <dalembert/systems/suslov.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace suslov_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::Suslov;

static_assert(NonholonomicSystem<Suslov<double>> && NonholonomicSystem<Suslov<long double>>);

template <class S>
Suslov<S> some_body(laws::Random<S>& random) {
  Mat<S, 3> root;
  for (int i = 0; i < 3; ++i) root.col(i) = random.template vector<3>();
  Mat<S, 3> inertia = Mat<S, 3>(S(0.3) * Mat<S, 3>::Identity()) + root * root.transpose();
  inertia = Mat<S, 3>((inertia + inertia.transpose()) / 2);
  return Suslov<S>{{.inertia = inertia}};
}

template <class S>
auto some_state(const LagrangeDAlembert<Suslov<S>>& problem, laws::Random<S>& random) {
  return problem.state(random.template element<SO3<S>>(), {random(), random(), S(0)});
}

TEMPLATE_TEST_CASE("the assembler gives Suslov's own equations at random states", "[suslov]", double,
                   long double) {
  using S = TestType;
  using System = Suslov<S>;
  laws::check_rates<System>(some_body<S>, some_state<S>, [](const System& body, const auto& at) {
    // Euler's equations 𝕀Ẇ = 𝕀W × W + λe₃ with Ẇ₃ = 0, by Cramer's rule.
    const Mat<S, 3>& I = body.parameters().inertia;
    const Vec<S, 3> moment = (I * at.xi).cross(at.xi);
    const S determinant = I(0, 0) * I(1, 1) - I(0, 1) * I(0, 1);
    const Vec<S, 3> rate((I(1, 1) * moment[0] - I(0, 1) * moment[1]) / determinant,
                         (I(0, 0) * moment[1] - I(0, 1) * moment[0]) / determinant, S(0));
    return laws::Expected<System>{.xidot = rate, .lambda = Vec<S, 1>((I * rate - moment)[2])};
  });
}

TEMPLATE_TEST_CASE("Suslov's closed forms and powers are right", "[suslov]", double, long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{some_body<S>(random)};
    auto state = some_state<S>(problem, random);
    state.xi[2] = random();
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("Suslov's closed form solves its equations and keeps the energy", "[suslov]") {
  using S = long double;
  laws::Random<S> random;
  const S h = 1e-3L;
  for (int i = 0; i < 50; ++i) {
    const Suslov<S> body = some_body<S>(random);
    const Mat<S, 3>& I = body.parameters().inertia;
    const Vec<S, 3> start(random(), random(), 0);
    CHECK((body.exact(start, 0) - start).norm() < 1e-17L);
    for (const S t : {-2.0L, 0.5L, 3.0L}) {
      CAPTURE(i, t);
      const auto at = [&](S s) { return body.exact(start, t + s); };
      const Vec<S, 3> now = at(0);
      const Vec<S, 3> rate = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      const Vec<S, 3> rest = I * rate - (I * now).cross(now);
      CHECK(rest.template head<2>().norm() < 1e-9L);
      CHECK(rate[2] == 0);
      CHECK(std::abs(now.dot(I * now) - start.dot(I * start)) < 1e-17L * (1 + now.dot(I * now)));
    }
  }
}

TEST_CASE("Suslov's body ends turning steadily about the opposite axis", "[suslov]") {
  Mat<double, 3> inertia;
  inertia << 1, 0, 0.3, 0, 2, 0, 0.3, 0, 3;
  const Suslov<> body{{.inertia = inertia}};
  const Vec<double, 3> start(0.7, -0.9, 0), before = body.exact(start, -1e4), after = body.exact(start, 1e4);
  CHECK((before + after).norm() < 1e-14);
  // 𝕀₂₂Ẇ₂ = 𝕀₁₃W₁² ≥ 0: towards +e₂, with all the energy.
  CHECK(after[1] == Approx(std::sqrt(1.055)).epsilon(1e-14));
  CHECK(std::abs(after[0]) < 1e-14);
  const Suslov<> balanced{{.inertia = Vec<double, 3>(1, 2, 3).asDiagonal()}};
  CHECK(balanced.exact(start, 3.0) == start);
}

TEST_CASE("impossible bodies are refused, by name and value", "[suslov]") {
  Mat<double, 3> inertia = Mat<double, 3>::Identity();
  CHECK_NOTHROW(Suslov<>{{.inertia = inertia}});
  inertia(0, 1) = 0.5;
  CHECK_THROWS_WITH(Suslov<>{{.inertia = inertia}}, ContainsSubstring("symmetric"));
  inertia(1, 0) = 0.5;
  CHECK_NOTHROW(Suslov<>{{.inertia = inertia}});
  inertia(2, 2) = -1;
  CHECK_THROWS_WITH(Suslov<>{{.inertia = inertia}},
                    ContainsSubstring("Suslov: inertia") && ContainsSubstring("positive definite"));
  inertia(2, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(Suslov<>{{.inertia = inertia}}, std::invalid_argument);
}

}  // namespace suslov_test
