#include <dalembert/rod/internal_damping.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace internal_damping_test {

using namespace dalembert;
using namespace dalembert::rod;
using V = Vec<double, 3>;
using R = ElasticRod<double>;
using Damped = assembly::WithLoad<R, KelvinVoigt<double>>;
static_assert(!assembly::OnePassBody<Damped>);
using assembly::Assembly;
using assembly::bodies;
using assembly::constraints;

const Vec<double, 6> uneven = (Vec<double, 6>() << 0.3, 0.7, 0.5, 0.011, 0.017, 0.013).finished();

Damped damped(int elements, double time, const R::Parameters& p = {}) {
  const R rod = test::soft_rod<R>(0.02, elements, p);
  return {rod, KelvinVoigt<double>::proportional(rod.material().stiffness(), time)};
}

TEST_CASE("internal damping does the work of its stress on the rate of strain", "[rod][damping]") {
  const auto check = [](const auto& rod, auto rule) {
    const KelvinVoigt<double> damping(uneven);
    test::Random random(test::seed());
    const auto x = test::random_chain(rod, Mat<double, 3>::Identity(), random, {.bend = 1.5});
    auto other = x;  // the same frames, other velocities
    other.velocity = test::random_chain(rod, Mat<double, 3>::Identity(), random).velocity;
    Columns<double, 6> f = zero_columns<double, 6>(rod.nodes());
    damping.add(rod, x, 0.0, f);
    double work = 0, expected = 0, dissipated = 0;
    for (Eigen::Index k = 0; k < rod.nodes(); ++k)
      for (int i = 0; i < 6; ++i) work += f(k, i) * other.velocity(k, i);
    const double t = 1e-5;
    const auto rate = [&](const Chain<double>& c, Eigen::Index k) {
      const auto strain = [&](double by) {
        auto at = c;
        for (Eigen::Index n = 0; n < at.nodes; ++n)
          move_node<double>(at, n, by * at.linear_velocity(n), by * at.angular_velocity(n));
        const auto e = decltype(rule)::strain(std::decay_t<decltype(rod)>::pose(at, k), rod.spacing());
        return dalembert::detail::stacked(e.stretch, e.curvature);
      };
      return Vec<double, 6>((strain(t) - strain(-t)) / (2 * t));
    };
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const Vec<double, 6> mine = rate(x, k);
      expected -= rod.spacing() * mine.dot(uneven.cwiseProduct(rate(other, k)));
      dissipated -= rod.spacing() * mine.dot(uneven.cwiseProduct(mine));
    }
    CHECK(work == Approx(expected).epsilon(1e-7));
    CHECK(damping.dissipation(rod, x, 0.0) == Approx(dissipated).epsilon(1e-7));
    CHECK(dissipated < 0);
  };
  check(test::soft_rod<R>(0.02, 13), MidpointStrain{});
  check(test::soft_rod<Rod<LinearElastic<double>, ForwardStrain>>(0.02, 5), ForwardStrain{});
}

TEST_CASE("the blocks of internal damping are the derivatives of its loads by velocities", "[rod][damping]") {
  const R rod = test::soft_rod<R>(0.02, 5);
  const assembly::WithLoad body(rod, KelvinVoigt<double>(uneven));
  test::Random random(test::seed());
  auto x = test::random_chain(rod, Mat<double, 3>::Identity(), random, {.bend = 1.2});
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(36, 36);
  add_load_damping(body, x, 0.0, [&](Eigen::Index k, Eigen::Index l, const Mat<double, 6, 6>& block) {
    D.block<6, 6>(6 * k, 6 * l) += block;
  });
  Eigen::VectorXd v(36), loads(36);
  Columns<double, 6> f = zero_columns<double, 6>(6);
  body.load().add(rod, x, 0.0, f);
  for (Eigen::Index k = 0; k < 6; ++k)
    for (int i = 0; i < 6; ++i) {
      v[6 * k + i] = x.velocity(k, i);
      loads[6 * k + i] = f(k, i);
    }
  CHECK((D * v + loads).norm() < 1e-13 * loads.norm());
  CHECK((D - D.transpose()).norm() < 1e-14 * D.norm());
  CHECK(v.dot(D * v) == Approx(-body.load().dissipation(rod, x, 0.0)));
}

TEST_CASE("internal damping takes no momentum, and leaves a rigid motion alone", "[rod][damping]") {
  const R rod = test::soft_rod<R>(0.02, 11);
  const KelvinVoigt<double> damping(uneven);
  test::Random random(test::seed());
  auto x = test::random_chain(rod, Mat<double, 3>::Identity(), random);
  Columns<double, 6> f = zero_columns<double, 6>(12);
  damping.add(rod, x, 0.0, f);
  V force = V::Zero(), moment = V::Zero();
  for (Eigen::Index k = 0; k < 12; ++k) {
    const V at(f(k, 0), f(k, 1), f(k, 2)), torque(f(k, 3), f(k, 4), f(k, 5));
    force += at;
    moment += x.position(k).cross(at) + x.rotation(k).act(torque);
  }
  CHECK(f.topRows(12).abs().maxCoeff() > 0.1);
  CHECK(force.norm() < 1e-13);
  CHECK(moment.norm() < 1e-13);
  test::move_rigidly<double>(x, V(1, 2, 3), V(-2, 1, 4));
  f.setZero();
  damping.add(rod, x, 0.0, f);
  CHECK(f.topRows(12).abs().maxCoeff() < 1e-12);
}

/// A free rod in its k-th standing wave along the axis, which is exactly linear: ω = (2c/h) sin(kπ/2N), c² = E/ρ.
struct Wave {
  int elements = 16, k = 2;
  double time;  ///< η
  double c = std::sqrt(1e6 / 1100), omega = 2 * c * elements * std::sin(k * M_PI / (2 * elements));
  double gamma = time * omega * omega;

  explicit Wave(double eta) : time(eta) {}
  [[nodiscard]] Damped rod() const { return damped(elements, time); }
  [[nodiscard]] Chain<double> start() const {
    Chain<double> x = rod().straight(V::Zero(), SO3<double>::identity());
    for (int j = 0; j <= elements; ++j) x.configuration(j, 2) += 0.01 * std::cos(k * M_PI * j / elements);
    return x;
  }
  /// The amplitude at the time t, equation (2).
  [[nodiscard]] double amplitude(double t) const {
    const double w = std::sqrt(omega * omega - gamma * gamma / 4);
    return 0.01 * std::exp(-gamma * t / 2) * (std::cos(w * t) + gamma / (2 * w) * std::sin(w * t));
  }
};

TEST_CASE("a wave in a rod with internal damping falls at the rate ηω²/2", "[rod][damping]") {
  const Wave wave(0.3e-3);
  const double until = 2 * 2 * M_PI / wave.omega;
  REQUIRE(wave.gamma * until / 2 > 0.15);
  const Assembly problem{assembly::bodies(std::vector{wave.rod()})};
  auto x = problem.state({wave.start()});
  auto r = problem.make_rates();
  double lost = 0, last = 0, before = problem.energy(x), at_last = 0;
  const double start = before;
  const auto book = [&](const auto&, const auto& at) {
    problem.rates(at, r);
    const auto p = problem.power(at, r);
    CHECK(p.load == 0);
    CHECK(p.dissipation <= 0);
    lost += (at.time - at_last) * (p.dissipation + last) / 2;
    last = p.dissipation;
    at_last = at.time;
  };
  drive(DormandPrince853{}, problem, x, {.step = 1e-5, .until = until, .output_interval = until / 400}, book);
  CHECK(x[0].configuration(0, 2) == Approx(wave.amplitude(until)).epsilon(1e-7));
  CHECK(problem.energy(x) - start == Approx(lost).epsilon(1e-4));
  CHECK(problem.energy(x) < 0.75 * start);
}

TEST_CASE("verlet is of second order under internal damping", "[rod][damping]") {
  const Wave wave(0.3e-3);
  const double until = 0.01;
  const auto error = [&](int steps) {
    const Assembly problem{assembly::bodies(std::vector{wave.rod()})};
    auto x = problem.state({wave.start()});
    drive(Verlet{}, problem, x, {.step = until / steps, .until = until});
    return x[0].configuration(0, 2) - wave.amplitude(until);
  };
  const double coarse = error(60), middle = error(120), fine = error(240);
  CHECK(std::log2(coarse / middle) == Approx(2).margin(0.15));
  CHECK(std::log2(middle / fine) == Approx(2).margin(0.15));
}

TEST_CASE("verlet is of second order under internal damping with constraints, too", "[rod][damping]") {
  // a rod that hangs on a joint and is thrown
  R::Parameters p;
  p.loads.gravity = V(0, 0, -9.81);
  const Damped rod = damped(6, 2e-3, p);
  const auto after = [&](int steps) {
    const Assembly problem{
        assembly::bodies(std::vector{rod}),
        assembly::constraints(std::vector{assembly::SphericalJoint<double>{
            {0, 0, V(0.05, 0, 0)}, assembly::FrameMarker<double>::in_space(V(0.05, 0, 0))}})};
    Chain<double> start = rod.straight(V::Zero(), SO3<double>::identity());
    for (int k = 0; k <= 6; ++k) start.set_velocity(k, V(6 * k * k / 36.0, 0, 0), V::Zero());
    auto x = problem.state({start});
    problem.project(x);
    drive(Verlet{}, problem, x, {.step = 0.06 / steps, .until = 0.06});
    return V(x[0].position(6));
  };
  const V a = after(400), b = after(800), c = after(1600);
  CHECK((a - b).norm() > 1e-9);
  CHECK(std::log2((a - b).norm() / (b - c).norm()) == Approx(2).margin(0.2));
}

TEST_CASE("verlet stands steps as long as the bound of a rod with internal damping says", "[rod][damping]") {
  for (const double eta : {1e-5, 3e-4, 3e-3}) {
    CAPTURE(eta);
    const Damped rod = damped(8, eta);
    const Assembly problem{assembly::bodies(std::vector{rod})};
    auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
    test::Random random(test::seed());
    for (int k = 0; k <= 8; ++k)
      x[0].set_velocity(k, 1e-6 * random.vector<double>(), 1e-6 * random.vector<double>());
    const double limit = 2 / problem.frequency_bound(x), before = problem.energy(x);
    const auto after = [&](double step) {
      auto y = x;
      auto stepper = Verlet{}.stepper(problem, y);
      try {
        for (int i = 0; i < 400; ++i) (void)stepper.step(problem, y, step);
        return problem.energy(y);
      } catch (const InvalidState&) {
        return HUGE_VAL;
      }
    };
    CHECK(after(0.98 * limit) < 2 * before);
    CHECK(after(1.25 * limit) > 1e3 * before);
    if (eta == 3e-3) CHECK(limit < 0.3 / frequency_bound(static_cast<const R&>(rod), x[0]));
  }
}

TEST_CASE("a rod with internal damping keeps its momenta, and its steps do not allocate", "[rod][damping]") {
  const Damped rod = damped(20, 1e-4);
  const Assembly problem{assembly::bodies(std::vector{rod})};
  test::Random random(test::seed());
  auto x = problem.state({test::random_chain(rod, Mat<double, 3>::Identity(), random)});
  const auto start = momentum(rod, x[0]);
  const double energy = problem.energy(x), step = 0.5 / problem.frequency_bound(x);
  auto stepper = Verlet{}.stepper(problem, x);
  (void)stepper.step(problem, x, step);
  CHECK(test::allocations_during([&] {
          for (int i = 0; i < 300; ++i) (void)stepper.step(problem, x, step);
        }) == 0);
  CHECK((momentum(rod, x[0]) - start).norm() < 1e-11 * start.norm());
  CHECK(problem.energy(x) < 0.9 * energy);
}

TEST_CASE("a little internal damping halves the load at which a column pushed by a thrust begins to flutter",
          "[rod][damping]") {
  // a follower force at the tip: 20.05 EI/L² without damping (Beck 1952), 10.94 EI/L² with a little (Bolotin 1963)
  const auto growth = [](double thrust, double eta) {
    const int n = 12;
    R::Parameters p{.elements = n, .length = 1, .inertia = {1, V(1e-3, 1e-3, 2e-3)}};
    p.start = Boundary<double>::clamped();
    p.loads.finish.follower_force = V(0, 0, -thrust);
    Vec<double, 6> k, d = Vec<double, 6>::Zero();
    k << 4e3, 4e3, 4e3, 1, 1, 1;
    d[3] = d[4] = eta;
    const Damped rod(R(LinearElastic<double>(k), p), KelvinVoigt<double>(d));
    const Assembly problem{assembly::bodies(std::vector{rod})};
    auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity())});
    for (int j = 1; j <= n; ++j) x[0].set_velocity(j, V(1e-6 * j * j / (n * n), 0, 0), V::Zero());
    const double step = 1 / problem.frequency_bound(x);
    const int steps = static_cast<int>(12 / step);
    auto stepper = Verlet{}.stepper(problem, x);
    double early = 0, late = 0;
    for (int i = 0; i < steps; ++i) {
      (void)stepper.step(problem, x, step);
      double& most = 4 * i < steps ? early : late;
      if (4 * i < steps || 4 * i > 3 * steps) most = std::max(most, std::abs(x[0].position(n)[0]));
    }
    return std::log(late / early);
  };
  CHECK(std::abs(growth(12, 0)) < 0.02);
  CHECK(std::abs(growth(17, 0)) < 0.1);
  CHECK(growth(20.5, 0) > 1);
  const double below = growth(10, 5e-3), above = growth(12, 5e-3);
  CHECK(below < -0.05);
  CHECK(above > 0.05);
  CHECK(10 + 2 * below / (below - above) == Approx(10.94).epsilon(0.03));
}

TEST_CASE("numbers with derivatives find the stiffness of damping that plain ones find", "[rod][damping]") {
  using D = Dual<double, 1>;
  using Blocks = std::vector<Mat<double, 6>>;
  const R rod = test::soft_rod<R>(0.02, 3);
  const auto other = test::soft_rod<ElasticRod<D>>(0.02, 3);
  test::Random random(test::seed());
  const auto x = test::random_chain(rod, Mat<double, 3>::Identity(), random, {.bend = 1.5});
  const auto stiffness = [](const auto& of, const auto& chain, auto unit) {
    using S = decltype(unit);
    Vec<S, 6> viscosity;
    for (int i = 0; i < 6; ++i) viscosity[i] = S(uneven[i]);
    Blocks blocks;
    KelvinVoigt<S>(viscosity).add_stiffness(of, chain, S(0), [&](auto, auto, const Mat<S, 6>& block) {
      blocks.push_back(block.unaryExpr([](const S& entry) { return number::plain(entry); }));
    });
    return blocks;
  };
  const Blocks plain = stiffness(rod, x, 1.0);
  const Blocks dual = stiffness(other, x.mapped<D>([](double a) { return D::variable(a, 0); }), D(1));
  REQUIRE(dual.size() == plain.size());
  double most = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    most = std::max(most, plain[i].norm());
    CHECK((dual[i] - plain[i]).norm() < 1e-12 * plain[i].norm());
  }
  CHECK(most > 0);
}

TEST_CASE("a viscosity that gives energy is refused", "[rod][damping]") {
  for (const double bad : {-1e-9, std::nan(""), HUGE_VAL}) {
    Vec<double, 6> d = Vec<double, 6>::Zero();
    CHECK_NOTHROW(KelvinVoigt<double>(d));
    d[4] = bad;
    CHECK_THROWS_WITH(KelvinVoigt<double>(d), Catch::Matchers::ContainsSubstring("KelvinVoigt: viscosity 4"));
  }
}

}  // namespace internal_damping_test
