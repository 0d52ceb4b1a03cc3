#include <dalembert/systems/snakeboard.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace snakeboard_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::Snakeboard;

static_assert(NonholonomicSystem<Snakeboard<double>> && NonholonomicSystem<Snakeboard<long double>>);

/// Torques that depend on everything they may.
template <class S>
struct SomeTorques {
  S scale = 1;
  template <class T>
  Vec<T, 2> operator()(const Vec<T, 2>& shape, const Vec<T, 2>& rates, const T& t) const {
    using std::sin;
    return {scale * sin(t) - shape[0], scale * shape[1] - rates[1] * rates[0]};
  }
};

template <class S>
using Driven = Snakeboard<S, SomeTorques<S>>;

template <class S>
Driven<S> some_board(laws::Random<S>& random) {
  return Driven<S>{{.mass = random.positive(),
                    .half_length = random.positive(),
                    .board = random.positive(),
                    .rotor = random.positive(),
                    .wheels = random.positive()},
                   {.scale = random()}};
}

template <class System, class S>
auto some_state(const LagrangeDAlembert<System>& problem, laws::Random<S>& random) {
  const Vec<S, 2> shape(random(), S(1.2) * random());
  return problem.state({random.template element<SE2<S>>(), Rn<S, 2>(shape)},
                       problem.system().gliding(shape[1], random(), random(), random()), random());
}

TEMPLATE_TEST_CASE("the assembler gives the snakeboard's reduced equations at random states", "[snakeboard]",
                   double, long double) {
  using S = TestType;
  using System = Driven<S>;
  laws::check_rates<System>(some_board<S>, some_state<System, S>, [](const System& board, const auto& at) {
    const auto& p = board.parameters();
    const Vec<S, 2> shape = at.g.second().coordinates();
    const S u = at.xi[0], omega = at.xi[2], rotor_rate = at.xi[3], steering_rate = at.xi[4];
    const S c = std::cos(shape[1]), s = std::sin(shape[1]), still = p.board + 2 * p.wheels, l = p.half_length;
    // (3), with the torques written out.
    const S scale = board.torques().scale;
    const S on_rotor = scale * std::sin(at.time) - shape[0];
    const S on_wheels = scale * shape[1] - steering_rate * rotor_rate;
    const S difference = (steering_rate * (l * omega * s + u * c) + l * c * on_rotor / still) /
                         (l * l * c * c / still + s * s / p.mass);
    const S sum = p.mass * u * omega / c, turning = (difference * l * c - on_rotor) / still;
    Vec<S, 5> rate;
    rate << -difference / p.mass * s, S(0), turning, on_rotor / p.rotor - turning, on_wheels / (2 * p.wheels);
    return laws::Expected<System>{.xidot = rate,
                                  .lambda = Vec<S, 2>((sum + difference) / 2, (sum - difference) / 2)};
  });
}

TEMPLATE_TEST_CASE("the snakeboard's closed forms and powers are right", "[snakeboard]", double,
                   long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 10; ++i) {
    const LagrangeDAlembert problem{some_board<S>(random)};
    auto state = some_state<Driven<S>, S>(problem, random);
    laws::check_energy_rate(problem, state);
    state.xi = random.template vector<5>();
    laws::check_closed_forms(problem.system(), state);
  }
}

TEST_CASE("a snakeboard that nobody drives keeps what the closed form says", "[snakeboard]") {
  const Snakeboard<> board{{.mass = 1.3, .half_length = 0.7, .board = 0.5, .rotor = 0.4, .wheels = 0.1}};
  const LagrangeDAlembert problem{board};
  const double phi0 = -0.6, s0 = 0.8, steering = 0.9, rotor = -1.1;
  auto state = problem.state({SE2d(0.1, 0.2, 0.3), Rn<double, 2>(Vec<double, 2>(0.4, phi0))},
                             board.gliding(phi0, s0, rotor, steering));
  const double spin = state.xi[2] + state.xi[3], energy = problem.energy(state);
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 1.5}, [&](const auto&, const auto& at) {
    const double phi = phi0 + steering * at.time, s = board.exact(phi0, s0, phi);
    CHECK(at.g.second().coordinates()[1] == Approx(phi));
    CHECK((at.xi - board.gliding(phi, s, spin - s * std::sin(phi), steering)).norm() < 1e-10);
    CHECK(problem.energy(at) == Approx(energy).epsilon(1e-11));
  });
}

/// A constant torque on the rotor.
struct Push {
  template <class T>
  Vec<T, 2> operator()(const Vec<T, 2>&, const Vec<T, 2>&, const T&) const {
    return {0.3, 0};
  }
};

TEST_CASE("a snakeboard gains speed by swinging its rotor", "[snakeboard]") {
  // J₀ + J_r = ml², wheels at a constant angle, rotor pushed: ml²ṡ = −J_rψ̈ sin φ.
  const Snakeboard<double, Push> board{
      {.mass = 2, .half_length = 0.5, .board = 0.1, .rotor = 0.3, .wheels = 0.05}};
  const LagrangeDAlembert problem{board};
  const double phi = 0.4;
  const auto state =
      problem.state({SE2d::identity(), Rn<double, 2>(Vec<double, 2>(0, phi))}, board.gliding(phi, 0, 0, 0));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.xidot[0] / (0.5 * std::cos(phi)) == Approx(-0.3 * rates.xidot[3] * std::sin(phi) / 0.5));
  CHECK(rates.xidot[0] < -0.01);
}

TEMPLATE_TEST_CASE("the snakeboard's momentum obeys its momentum equation", "[snakeboard]", double,
                   long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 100; ++i) {
    const S m = random.positive(), l = random.positive(), all = m * l * l, rotor = S(0.4) * all;
    const Snakeboard<S> board{
        {.mass = m, .half_length = l, .board = S(0.5) * all, .rotor = rotor, .wheels = S(0.05) * all}};
    const LagrangeDAlembert problem{board};
    const auto state = some_state<Snakeboard<S>, S>(problem, random);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const S phi = state.g.second().coordinates()[1], c = std::cos(phi), s = std::sin(phi);
    const Vec<S, 5> p = board.template momentum<S>(state.xi), pdot = board.template momentum<S>(rates.xidot);
    const S along = l * pdot[0] * c + pdot[2] * s + (p[2] * c - l * p[0] * s) * state.xi[4];
    const S expected = rotor * state.xi[3] * state.xi[4] * c;
    CHECK(std::abs(along - expected) <= 10 * laws::rate_tolerance<S> * (1 + p.norm()) * (1 + pdot.norm()));
  }
}

TEST_CASE("wheels across the board leave a row redundant, not an error", "[snakeboard]") {
  const LagrangeDAlembert problem{Snakeboard<>{{}}};
  const double quarter = static_cast<double>(pi) / 2;
  const auto state = problem.state({SE2d::identity(), Rn<double, 2>(Vec<double, 2>(0, quarter))},
                                   Vec<double, 5>(0, 0, 1, 0, 0));
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.report.redundant_rows == 1);
}

TEST_CASE("impossible snakeboards are refused, by name and value", "[snakeboard]") {
  CHECK_THROWS_WITH((Snakeboard<>{{.mass = -1}}), ContainsSubstring("Snakeboard: mass = -1"));
  CHECK_THROWS_WITH((Snakeboard<>{{.half_length = 0}}), ContainsSubstring("Snakeboard: half_length = 0"));
  CHECK_THROWS_WITH((Snakeboard<>{{.board = -2}}), ContainsSubstring("Snakeboard: board = -2"));
  CHECK_THROWS_WITH((Snakeboard<>{{.rotor = 0}}), ContainsSubstring("Snakeboard: rotor = 0"));
  CHECK_THROWS_WITH((Snakeboard<>{{.wheels = 0}}), ContainsSubstring("Snakeboard: wheels = 0"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS((Snakeboard<>{{.mass = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((Snakeboard<>{{.rotor = nan}}), std::invalid_argument);
  CHECK_NOTHROW((Snakeboard<>{{.board = 0}}));
}

}  // namespace snakeboard_test
