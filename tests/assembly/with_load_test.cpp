#include <dalembert/assembly/with_load.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace loaded_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Body = assembly::RigidBody<double>;
using assembly::Chain;
using assembly::Columns;

/// Weight, as a load of one's own.
struct Weight {
  double g = 9.81;
  template <class B>
  void add(const B& body, const Chain<double>& at, double, Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < at.nodes; ++k)
      f(k, 2) -= node_inertia(body, k).inverse[2] > 0 ? g / node_inertia(body, k).inverse[2] : 0;
  }
  template <class B>
  [[nodiscard]] double potential(const B& body, const Chain<double>& at) const {
    double energy = 0;
    for (Eigen::Index k = 0; k < at.nodes; ++k)
      if (node_inertia(body, k).inverse[2] > 0)
        energy += g / node_inertia(body, k).inverse[2] * at.position(k)[2];
    return energy;
  }
};

/// A push that swings with the time, and air that slows.
struct Wind {
  double force = 0.3, omega = 7, drag = 0.2;
  template <class B>
  void add(const B&, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    for (Eigen::Index k = 0; k < at.nodes; ++k) {
      f(k, 0) += force * std::cos(omega * t) - drag * at.velocity(k, 0);
      f(k, 5) += 0.01 * std::sin(omega * t);
    }
  }
};

/// A rod with other forces than the one that it is made of.
struct PushedRod : Rod {
  using Rod::Rod;
  bool forces(const Chain<double>& at, Columns<double, 6>& f) const {
    const bool good = Rod::forces(at, f);
    for (Eigen::Index k = 0; k < at.nodes; ++k) f(k, 1) += 0.01;
    return good;
  }
};
static_assert(assembly::OnePassBody<Rod> && !assembly::OnePassBody<PushedRod>);

/// A string with other forces.
struct PushedString : strings::GridString<double> {
  using GridString::GridString;
  bool forces(const Line& at, Column& f) const {
    const bool good = GridString::forces(at, f);
    for (Eigen::Index k = 1; k + 1 < nodes(); ++k) f[k] += 0.01;
    return good;
  }
};
static_assert(assembly::SweptBody<strings::GridString<double>> && !assembly::SweptBody<PushedString>);

Rod hanging(double gravity) {
  Rod::Parameters p;
  p.start = rod::Boundary<double>::clamped();
  p.loads.gravity = {0, 0, -gravity};
  return test::soft_rod<Rod>(0.01, 16, p);
}

TEST_CASE("weight as a load of one's own is the weight that a rod has", "[assembly]") {
  const Rod own = hanging(9.81);
  const assembly::WithLoad loaded(hanging(0), Weight{});
  static_assert(assembly::StaticBody<assembly::WithLoad<Rod, Weight>>);
  const auto chain = own.straight({0, 0, 0}, SO3<double>::exp(V(0, M_PI / 2, 0)));
  const assembly::Assembly one{assembly::bodies(std::vector{own})},
      other{assembly::bodies(std::vector{hanging(0)})};
  const assembly::Assembly with{assembly::bodies(std::vector{loaded})};
  auto x = one.state({chain});
  auto y = with.state({chain});
  CHECK(with.energy(y) == Approx(one.energy(x)).margin(1e-12));
  const double step = 0.3 / one.frequency_bound(x);
  drive(Verlet{}, one, x, {.step = step, .until = 300 * step});
  drive(Verlet{}, with, y, {.step = step, .until = 300 * step});
  CHECK((x[0].configuration - y[0].configuration).topRows(own.nodes()).abs().maxCoeff() < 1e-12);
  CHECK((x[0].position(16) - chain.position(16)).norm() > 1e-4);
  CHECK(with.energy(y) == Approx(one.energy(x)).margin(1e-12));
  auto r = with.make_rates();
  with.rates(y, r);
  CHECK(with.power(y, r).load == 0);
}

TEST_CASE("a load of one's own is in statics", "[assembly]") {
  const Rod own = hanging(9.81);
  const assembly::WithLoad loaded(hanging(0), Weight{});
  const auto chain = own.straight({0, 0, 0}, SO3<double>::exp(V(0, M_PI / 2, 0)));
  const assembly::Assembly one{assembly::bodies(std::vector{own})};
  const assembly::Assembly other{assembly::bodies(std::vector{loaded})};
  auto a = one.state({chain});
  auto b = other.state({chain});
  (void)assembly::static_equilibrium(one, a);
  (void)assembly::static_equilibrium(other, b);
  CHECK((a[0].position(16) - chain.position(16)).norm() > 1e-3);
  CHECK((a[0].configuration - b[0].configuration).topRows(own.nodes()).abs().maxCoeff() < 1e-9);
}

TEST_CASE("a load that depends on the time does the work that it says", "[assembly]") {
  const assembly::WithLoad body(Body{{.mass = 0.4, .inertia = {0.02, 0.03, 0.025}}}, Wind{});
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  Chain<double> chain(1);
  chain.set_velocity(0, {0.1, 0.2, 0}, {0, 0, 0.5});
  auto x = problem.state({chain});
  // m v̇ = F cos ωt − d v, J ω̇ = T sin ωt about the third axis
  const double d = 0.2 / 0.4, w = 7, f = 0.3 / 0.4, t = 1.3;
  const auto forced = [&](double s) {
    return f / (d * d + w * w) * (d * std::cos(w * s) + w * std::sin(w * s));
  };
  const double v = forced(t) + (0.1 - forced(0)) * std::exp(-d * t);
  const double before = problem.energy(x);
  double work = 0, last = 0;
  bool first = true;
  auto r = problem.make_rates();
  const auto add = [&](const auto&, const auto& at) {
    problem.rates(at, r);
    const double now = problem.power(at, r).load;
    if (!first) work += 5e-4 * (now + last);
    last = now;
    first = false;
  };
  drive(DormandPrince853{}, problem, x, {.step = 1e-3, .until = t, .output_interval = 1e-3}, add);
  CHECK(x[0].velocity(0, 0) == Approx(v).epsilon(1e-10));
  CHECK(x[0].velocity(0, 5) == Approx(0.5 + 0.01 / 0.025 / w * (1 - std::cos(w * t))).epsilon(1e-10));
  CHECK(work == Approx(problem.energy(x) - before).epsilon(1e-5));
  CHECK(std::abs(work) > 5e-4);
}

TEST_CASE("verlet is of second order under loads of the time and of velocities", "[assembly]") {
  const auto order = [](double drag) {
    const auto error = [&](double step) {
      const assembly::WithLoad body(Body{{.mass = 0.4, .inertia = {0.02, 0.03, 0.025}}}, Wind{.drag = drag});
      const assembly::Assembly problem{assembly::bodies(std::vector{body})};
      Chain<double> chain(1);
      chain.set_velocity(0, {0.1, 0, 0}, {0, 0, 0});
      auto x = problem.state({chain});
      drive(Verlet{}, problem, x, {.step = step, .until = 1.0});
      const double d = drag / 0.4, w = 7, f = 0.3 / 0.4;
      const auto forced = [&](double t) {
        return f / (d * d + w * w) * (d * std::cos(w * t) + w * std::sin(w * t));
      };
      return std::abs(x[0].velocity(0, 0) - forced(1) - (0.1 - forced(0)) * std::exp(-d));
    };
    return std::log2(error(0.01) / error(0.005));
  };
  CHECK(order(0) == Approx(2).margin(0.05));
  CHECK(order(2) == Approx(2).margin(0.1));
}

TEST_CASE("a sum of loads has the forces, the energy and the powers of each, once", "[assembly]") {
  const Rod rod = hanging(0);
  test::Random random(test::seed());
  const auto x = test::random_chain(rod, Mat<double, 3>::Identity(), random);
  const Weight weight;
  const Wind wind;
  const auto damping = rod::KelvinVoigt<double>::proportional(rod.material().stiffness(), 1e-4);
  const assembly::LoadSum sum{weight, wind, damping};
  static_assert(assembly::LoadOn<decltype(sum), Rod> && decltype(sum)::depends_on_velocities);
  Columns<double, 6> f = rod::zero_columns<double, 6>(17), of_wind = f, of_all = f;
  wind.add(rod, x, 0.3, of_wind);
  weight.add(rod, x, 0.3, f);
  wind.add(rod, x, 0.3, f);
  damping.add(rod, x, 0.3, f);
  sum.add(rod, x, 0.3, of_all);
  CHECK((f - of_all).topRows(17).abs().maxCoeff() == 0);
  CHECK(sum.potential(rod, x) == weight.potential(rod, x));
  CHECK(sum.power(rod, x, 0.3) == Approx((of_wind * x.velocity).topRows(17).sum()));
  CHECK(sum.dissipation(rod, x, 0.3) == damping.dissipation(rod, x, 0.3));
  CHECK(sum.dissipation(rod, x, 0.3) < 0);
  CHECK(assembly::LoadSum{weight, damping}.frequency_bound(rod, x, 100.0) ==
        Approx(damping.frequency_bound(rod, x, 100.0)));
  CHECK(damping.frequency_bound(rod, x, 100.0) > 110);
  CHECK(sum.frequency_bound(rod, x, 100.0) > 1.001 * damping.frequency_bound(rod, x, 100.0));
  // two dampings are one of both
  const auto twice_damped = rod::KelvinVoigt<double>::proportional(rod.material().stiffness(), 2e-4);
  CHECK(assembly::LoadSum{damping, damping}.frequency_bound(rod, x, 100.0) ==
        Approx(twice_damped.frequency_bound(rod, x, 100.0)));
  CHECK(frequency_bound(assembly::WithLoad(assembly::WithLoad(rod, damping), damping), x) ==
        Approx(frequency_bound(assembly::WithLoad(rod, twice_damped), x)));
  // a load on a loaded body is one load more
  const assembly::WithLoad twice(assembly::WithLoad(rod, weight), wind);
  const assembly::WithLoad once(rod, assembly::LoadSum{weight, wind});
  Columns<double, 6> a = f, b = f;
  CHECK(twice.forces(x, 0.3, a));
  CHECK(once.forces(x, 0.3, b));
  CHECK((a - b).topRows(17).abs().maxCoeff() < 1e-12);
  CHECK(load_power(twice, x, f, f, 0.3) == Approx(load_power(once, x, f, f, 0.3)));
  CHECK(potential_energy(twice, x) == Approx(potential_energy(once, x)));
  // and so are dampings: their powers and their matrices
  const assembly::WithLoad nested(assembly::WithLoad(rod, damping), damping);
  CHECK(dissipated_power(nested, x, 0.3) == Approx(2 * damping.dissipation(rod, x, 0.3)));
  const auto matrix = [&](const auto& put) {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(6 * 17, 6 * 17);
    put([&](Eigen::Index k, Eigen::Index l, const auto& block) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) all(6 * k + i, 6 * l + j) += block(i, j);
    });
    return all;
  };
  const Eigen::MatrixXd of_one = matrix([&](const auto& add) { damping.add_damping(rod, x, 0.3, add); });
  REQUIRE(of_one.norm() > 0);
  const assembly::LoadSum both{damping, damping};
  for (const Eigen::MatrixXd& of_both :
       {matrix([&](const auto& add) { both.add_damping(rod, x, 0.3, add); }),
        matrix([&](const auto& add) { add_load_damping(nested, x, 0.3, add); }), matrix([&](const auto& add) {
          add_load_damping(assembly::WithLoad(rod, assembly::LoadSum{damping, damping}), x, 0.3, add);
        })})
    CHECK((of_both - 2 * of_one).norm() < 1e-13 * of_one.norm());
}

/// Springs and dampers at all nodes that tell nothing of themselves; springs come with the time.
struct Bed {
  double k = 0, d = 0;
  template <class B>
  void add(const B&, const Chain<double>& at, double t, Columns<double, 6>& f) const {
    for (Eigen::Index n = 0; n < at.nodes; ++n)
      for (int i = 0; i < 3; ++i)
        f(n, i) -= std::min(t, 1.0) * k * at.configuration(n, i) + d * at.velocity(n, i);
  }
};

TEST_CASE("the bound of frequencies knows stiff and damping loads that do not tell theirs",
          "[assembly][frequency]") {
  const Rod rod = [] {
    Rod::Parameters p = hanging(0).parameters();
    p.start = rod::Boundary<double>::free();
    return Rod(hanging(0).material(), p);
  }();
  const double mass = 1 / rod.inverse_mass(0, 0);  // of the lightest node
  for (const double omega : {3e3, 3e4})
    for (const double gamma : {0.0, 1e3, 3e4}) {
      CAPTURE(omega, gamma);
      const assembly::WithLoad body(rod, Bed{omega * omega * mass, gamma * mass});
      const assembly::Assembly problem{assembly::bodies(std::vector{body})};
      auto x = problem.state({rod.straight({0, 0, 0}, SO3<double>::identity())});
      const double wave = frequency_bound(rod, x[0]);
      CHECK(problem.frequency_bound(x) ==
            Approx(gamma + std::sqrt(gamma * gamma + wave * wave)).epsilon(1e-6));
      x.time = 1;
      const double least = gamma + std::sqrt(gamma * gamma + omega * omega);
      const double most = gamma + std::sqrt(gamma * gamma + omega * omega + wave * wave);
      CHECK(problem.frequency_bound(x) >= (1 - 1e-9) * least);
      CHECK(problem.frequency_bound(x) <= 1.01 * most);
      CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 2.1 / least, .until = 2.0}),
                        Catch::Matchers::ContainsSubstring("steps of this method grow"));
    }
}

TEST_CASE("the bound of frequencies under a load does not depend on the unit of mass",
          "[assembly][frequency]") {
  for (const double mass : {1e-6, 1.0, 1e6}) {
    CAPTURE(mass);
    Rod::Parameters p{.elements = 8, .length = 1, .inertia = {mass, mass * V(0.1, 0.1, 0.2)}};
    const Rod rod(rod::LinearElastic<double>(Vec<double, 6>::Constant(mass)), p);
    const double lightest = 1 / rod.inverse_mass(0, 0);
    const assembly::WithLoad body(rod, Bed{9e6 * lightest, 2e3 * lightest});
    const assembly::Assembly problem{assembly::bodies(std::vector{body})};
    auto x = problem.state({rod.straight({0, 0, 0}, SO3<double>::identity())});
    x.time = 1;
    CHECK(problem.frequency_bound(x) == Approx(2e3 + std::sqrt(4e6 + 9e6)).epsilon(1e-2));
  }
}

TEST_CASE("a body that is derived from one of the library steps by its own forces", "[assembly]") {
  const auto after = [](const auto& body, auto x) {
    const assembly::Assembly problem{assembly::bodies(std::vector{body})};
    auto state = problem.state(std::vector{x});
    auto stepper = Verlet{}.stepper(problem, state);
    for (int i = 0; i < 10; ++i) REQUIRE(stepper.step(problem, state, 1e-3).converged);
    return state;
  };
  // pushed evenly from rest, a free rod moves as a whole, but for its lighter ends, and a string with fixed ends in its middle
  const PushedRod rod(hanging(0).material(), [] {
    Rod::Parameters p = hanging(0).parameters();
    p.start = p.finish = rod::Boundary<double>::free();
    p.end_mass_fraction = 1;
    return p;
  }());
  const auto x = after(rod, rod.straight({0, 0, 0}, SO3<double>::identity()));
  const double a = 0.01 * rod.inverse_mass(2, 1);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    CHECK(x[0].position(k)[1] == Approx(a * 5e-5));
    CHECK(x[0].linear_velocity(k)[1] == Approx(a * 1e-2));
  }
  const PushedString string({.points = 64});
  const auto y = after(string, string.line({}));
  CHECK(y.lines[0].displacement[32] == Approx(0.01 * inverse_mass(string, 32) * 5e-5));
  CHECK(y.lines[0].velocity[32] == Approx(0.01 * inverse_mass(string, 32) * 1e-2));
}

}  // namespace loaded_test
