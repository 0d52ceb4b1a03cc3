// Laws of rods, for both strain rules, both materials, packs of double and plain long double.

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace rod_laws_test {

using namespace dalembert;
using rod::Columns;
using test::Random;
template <class S>
using V3 = Vec<S, 3>;

template <class S>
rod::LinearElastic<S> make(rod::LinearElastic<S>*, Random& random) {
  Vec<S, 6> k;
  for (int i = 0; i < 6; ++i) k[i] = S(i < 3 ? 30.0 : 0.5) * S(1.5 + random());
  return rod::LinearElastic<S>(
      k, {.stretch = V3<S>::UnitZ() + S(0.05) * random.vector<S>(), .curvature = random.vector<S>()});
}

template <class S>
rod::CoupledElastic<S> make(rod::CoupledElastic<S>*, Random& random) {
  Mat<S, 6, 6> a;
  for (int i = 0; i < 36; ++i) a(i) = S(random());
  const Mat<S, 6, 6> k = a * a.transpose() + S(5) * Mat<S, 6, 6>::Identity();
  return rod::CoupledElastic<S>(
      Mat<S, 6, 6>((k + k.transpose()) / S(2)),
      {.stretch = V3<S>::UnitZ() + S(0.05) * random.vector<S>(), .curvature = random.vector<S>()});
}

/// A random rod with everything that can act on one, 21 elements, so that the last pack of nodes is not full.
template <class R>
typename R::Parameters parameters(Random& random) {
  using S = typename R::Scalar;
  typename R::Parameters p;
  p.elements = 21;
  p.length = S(1.3);
  p.inertia = {S(0.8), V3<S>(S(0.02), S(0.03), S(0.04))};
  p.loads.gravity = random.vector<S>();
  p.loads.start.force = random.vector<S>();
  p.loads.finish.force = random.vector<S>();
  p.damping.rate = S(0.3);
  return p;
}

constexpr test::Wildness wild{.bend = 1.2, .strain = 0.3, .stretch = 1.1, .speed = 1.0, .spin = 2.0};

template <class R>
R make_rod(Random& random) {
  using Material = std::remove_cvref_t<decltype(std::declval<R>().material())>;
  const auto material = make(static_cast<Material*>(nullptr), random);
  return R(material, parameters<R>(random));
}

template <class R>
rod::Chain<typename R::Scalar> make_chain(const R& rod, Random& random) {
  using S = typename R::Scalar;
  return test::random_chain(rod, test::rotation_matrix<S>(random.vector<S>()), random, wild);
}

/// Fourth-order central difference of f at 0.
template <class F, class S>
auto difference(F&& f, S h) {
  using Value = decltype(f(h));
  const Value near = f(h) - f(-h);
  const Value far = f(2 * h) - f(-2 * h);
  return Value((S(8) * near - far) / (12 * h));
}

template <class S>
Vec<S, 6> total(const rod::Chain<S>& chain, const Columns<S, 6>& loads) {
  Vec<S, 6> sum = Vec<S, 6>::Zero();
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const V3<S> force = rod::at3<0>(loads, k);
    sum.template head<3>() += force;
    sum.template tail<3>() +=
        chain.position(k).cross(force) + chain.rotation(k).act(V3<S>(rod::at3<3>(loads, k)));
  }
  return sum;
}

template <class S>
Columns<S, 6> no_loads(const rod::Chain<S>& chain) {
  return Columns<S, 6>::Zero(chain.configuration.rows(), 6);
}

template <class S>
using Rods = std::tuple<rod::Rod<rod::LinearElastic<S>, rod::MidpointStrain>,
                        rod::Rod<rod::LinearElastic<S>, rod::ForwardStrain>,
                        rod::Rod<rod::CoupledElastic<S>, rod::MidpointStrain>,
                        rod::Rod<rod::CoupledElastic<S>, rod::ForwardStrain>>;

TEMPLATE_LIST_TEST_CASE("the loads are minus the gradient of the potential energy", "", Rods<long double>) {
  using S = long double;
  Random random(test::seed());
  const auto model = make_rod<TestType>(random);
  const auto chain = make_chain(model, random);
  auto loads = no_loads(chain);
  model.forces(chain, loads);
  S wrong = 0;
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    for (int i = 0; i < 6; ++i) {
      const auto energy = [&](S h) {
        auto moved = chain;
        const V3<S> step = h * V3<S>::Unit(i % 3);
        const Mat<S, 3> turn = test::matrix(chain.rotation(k));
        if (i < 3)
          moved.set_frame(k, chain.rotation(k), chain.position(k) + step);
        else
          moved.set_frame(k, test::rotation<S>(turn * test::rotation_matrix<S>(step)), chain.position(k));
        return rod::potential_energy(model, moved);
      };
      wrong = std::max(wrong, std::abs(difference(energy, S(1e-3)) + loads(k, i)));
    }
  CHECK(wrong < 1e-8L);
  CHECK(loads.topRows(chain.nodes).abs().maxCoeff() > 1);
}

TEMPLATE_LIST_TEST_CASE("packs of nodes give what single nodes give", "", Rods<double>) {
  // the same rod in long double, from the same draws
  using Wide = std::conditional_t<
      std::is_same_v<TestType, std::tuple_element_t<0, Rods<double>>>,
      std::tuple_element_t<0, Rods<long double>>,
      std::conditional_t<std::is_same_v<TestType, std::tuple_element_t<1, Rods<double>>>,
                         std::tuple_element_t<1, Rods<long double>>,
                         std::conditional_t<std::is_same_v<TestType, std::tuple_element_t<2, Rods<double>>>,
                                            std::tuple_element_t<2, Rods<long double>>,
                                            std::tuple_element_t<3, Rods<long double>>>>>;
  Random random(test::seed()), again(test::seed());
  const auto model = make_rod<TestType>(random);
  const auto wide = make_rod<Wide>(again);
  const auto chain = make_chain(model, random);
  const auto wide_chain = make_chain(wide, again);
  auto loads = no_loads(chain), acceleration = no_loads(chain);
  auto wide_loads = no_loads(wide_chain), wide_acceleration = no_loads(wide_chain);
  model.forces(chain, loads);
  wide.forces(wide_chain, wide_loads);
  model.accelerations(chain, loads, 0.0, acceleration);
  wide.accelerations(wide_chain, wide_loads, 0.0L, wide_acceleration);
  const auto n = chain.nodes;
  const auto error = [n](const auto& a, const auto& b) {
    return static_cast<double>((a.template cast<long double>().topRows(n) - b.topRows(n)).abs().maxCoeff() /
                               b.topRows(n).abs().maxCoeff());
  };
  CHECK(error(loads, wide_loads) < 2e-14);
  CHECK(error(acceleration, wide_acceleration) < 2e-14);
  const long double energy = rod::potential_energy(wide, wide_chain);
  CHECK(static_cast<double>(std::abs(static_cast<long double>(rod::potential_energy(model, chain)) - energy) /
                            std::abs(energy)) < 1e-13);
}

TEMPLATE_LIST_TEST_CASE(
    "a rod does not care where it lies: energy and loads turn with it, inner loads balance", "",
    Rods<double>) {
  Random random(test::seed());
  auto model = make_rod<TestType>(random);
  const auto chain = make_chain(model, random);
  auto loads = no_loads(chain), turned_loads = no_loads(chain);
  model.forces(chain, loads);

  // the external loads are known one by one, and what is left has no resultant
  Vec<double, 6> outer = Vec<double, 6>::Zero();
  const auto add = [&](const V3<double>& at, const V3<double>& force) {
    outer.head<3>() += force;
    outer.tail<3>() += at.cross(force);
  };
  const auto& given = model.parameters().loads;
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    add(chain.position(k), model.mass_fraction(k) * model.node_mass() * given.gravity);
  add(chain.position(0), given.start.force);
  add(chain.position(chain.nodes - 1), given.finish.force);
  CHECK((total(chain, loads) - outer).norm() < 1e-12);

  model.set_loads({});
  model.forces(chain, loads);
  CHECK(total(chain, loads).norm() < 1e-12);
  auto moved = chain;
  const Mat<double, 3> turn = test::rotation_matrix<double>(3 * random.vector<double>());
  test::transform<double>(moved, turn, V3<double>(2, -3, 1));
  model.forces(moved, turned_loads);
  double wrong = 0;
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    wrong = std::max(wrong, (rod::at3<0>(turned_loads, k) - turn * rod::at3<0>(loads, k)).norm());
    wrong = std::max(wrong, (rod::at3<3>(turned_loads, k) - rod::at3<3>(loads, k)).norm());
  }
  CHECK(wrong < 1e-11);
  CHECK(std::abs(rod::elastic_energy(model, moved) - rod::elastic_energy(model, chain)) < 1e-12);
  CHECK(std::abs(rod::kinetic_energy(model, moved) - rod::kinetic_energy(model, chain)) < 1e-12);
  const Vec<double, 6> before = rod::momentum(model, chain), after = rod::momentum(model, moved);
  CHECK((after.head<3>() - turn * before.head<3>()).norm() < 1e-12);
  CHECK((after.tail<3>() - turn * before.tail<3>() - V3<double>(2, -3, 1).cross(V3<double>(after.head<3>())))
            .norm() < 1e-12);
  // an element whose quaternions have opposite signs is the same element
  moved = chain;
  for (int i = 3; i < 7; ++i) moved.configuration(5, i) *= -1;
  model.forces(moved, turned_loads);
  CHECK((turned_loads - loads).topRows(chain.nodes).abs().maxCoeff() < 1e-12);
}

TEMPLATE_TEST_CASE("stress is the derivative of the energy density", "", rod::LinearElastic<long double>,
                   rod::CoupledElastic<long double>) {
  using S = long double;
  Random random(test::seed());
  const auto material = make(static_cast<TestType*>(nullptr), random);
  const V3<S> stretch = random.vector<S>(), curvature = random.vector<S>();
  const auto stress = material.stress(stretch, curvature);
  for (int i = 0; i < 3; ++i) {
    const V3<S> e = V3<S>::Unit(i);
    CHECK(std::abs(
              difference([&](S h) { return material.energy(V3<S>(stretch + h * e), curvature); }, S(1e-2)) -
              stress.force[i]) < 1e-14L);
    CHECK(std::abs(
              difference([&](S h) { return material.energy(stretch, V3<S>(curvature + h * e)); }, S(1e-2)) -
              stress.moment[i]) < 1e-14L);
  }
  const auto rest = material.rest();
  CHECK(material.energy(rest.stretch, rest.curvature) == 0);
  CHECK(material.stress(rest.stretch, rest.curvature).moment.norm() == 0);
}

using Rod = rod::ElasticRod<double>;

/// A rod with one kind of end each, and everything that does work on it.
Rod worked_rod(int kind, Random& random) {
  using Boundary = rod::Boundary<double>;
  auto p = parameters<Rod>(random);
  p.loads.start.moment = random.vector<double>();
  p.loads.finish.follower_force = random.vector<double>();
  p.loads.finish.follower_moment = random.vector<double>();
  if (kind == 1) p.start = Boundary::clamped();
  if (kind == 2)
    p.start = Boundary::pinned(), p.finish = Boundary::degrees({true, false, false, false, true, false});
  if (kind == 3)
    p.start = Boundary::prescribed([](double t) {
      rod::EndMotion<double> m;
      m.position = V3<double>(std::sin(t), 0.2 * t, std::cos(2 * t));
      m.velocity = V3<double>(std::cos(t), 0.2, -2 * std::sin(2 * t));
      m.acceleration = V3<double>(-std::sin(t), 0, -4 * std::cos(2 * t));
      const double angle = 0.7 * t + 0.3 * t * t;  // about the body axis 2
      m.quaternion = Vec<double, 4>(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
      m.angular_velocity = V3<double>(0, 0.7 + 0.6 * t, 0);
      m.angular_acceleration = V3<double>(0, 0.6, 0);
      return m;
    });
  if (kind == 4) p.end_mass_fraction = 1.0;
  return Rod(make(static_cast<rod::LinearElastic<double>*>(nullptr), random), p);
}

using Single = assembly::Assembly<assembly::Kinds<Rod>>;
static_assert(Problem<Single> && SplitProblem<Single> && ResidualProblem<Single>);

TEST_CASE("rates solve the equations of motion, and other rates do not; held degrees do as they are told") {
  Random random(test::seed());
  for (int kind = 0; kind < 5; ++kind) {
    INFO("kind " << kind);
    const Single problem{assembly::bodies(std::vector{worked_rod(kind, random)})};
    const auto x = problem.state({make_chain(problem.bodies<0>()[0], random)}, {}, 0.4);
    auto rates = problem.make_rates();
    auto residual = problem.make_residual();
    problem.rates(x, rates);
    problem.residual(x, rates, residual);
    CHECK(residual.size() == 6 * 22);
    CHECK(residual.cwiseAbs().maxCoeff() < 1e-12 * rates.loads[0].abs().maxCoeff());
    for (const Eigen::Index k : {0, 1, 21})
      for (int i = 0; i < 6; ++i) {
        auto other = rates;
        other.xidot[0](k, i) += 1;
        problem.residual(x, other, residual);
        const auto& rod = problem.bodies<0>()[0];  // a held degree has an acceleration, a free one a load
        CHECK(residual[6 * k + i] == Approx(rod.held(k, i) ? 1 : 1 / rod.inverse_mass(k, i)).epsilon(1e-9));
      }
    if (kind == 1) CHECK(rates.xidot[0].row(0).abs().maxCoeff() == 0);
    if (kind == 2) CHECK(rates.xidot[0](21, 4) == 0);
    if (kind == 2) CHECK(rates.xidot[0](21, 3) != 0);
    if (kind == 3) CHECK(rates.xidot[0](0, 2) == Approx(-4 * std::cos(0.8)));
  }
}

/// A straight rod along z whose material is stress-free there.
template <class Strain>
rod::Rod<rod::LinearElastic<double>, Strain> straight_rod(int elements, double end_mass) {
  using R = rod::Rod<rod::LinearElastic<double>, Strain>;
  typename R::Parameters p;
  p.elements = elements;
  p.length = 2.0;
  p.inertia = {1.2, V3<double>(0.02, 0.02, 0.04)};
  p.end_mass_fraction = end_mass;
  Vec<double, 6> k;
  k << 20, 20, 30, 0.5, 0.5, 0.3;
  return R(rod::LinearElastic<double>(k), p);
}

TEMPLATE_TEST_CASE("torsion and stretching of a straight rod are the linear chains that they are", "",
                   rod::MidpointStrain, rod::ForwardStrain) {
  const int n = 12;
  for (const double end_mass : {1.0, 0.5})
    for (const int mode : {1, 2, 5}) {
      const auto model = straight_rod<TestType>(n, end_mass);
      const double h = model.spacing();
      const double per_node =
          end_mass == 1 ? n + 1 : n;  // ends are half an element beyond the end nodes, or at them
      const double shift = end_mass == 1 ? 0.5 : 0.0;
      const double pi_d = 3.14159265358979323846;
      const auto frequency = [&](double stiffness, double inertia) {
        return 2 / h * std::sqrt(stiffness / inertia) * std::sin(mode * pi_d / (2 * per_node));
      };
      auto chain = model.straight(V3<double>::Zero(), SO3<double>::identity());
      const auto shape = [&](Eigen::Index k) {
        return std::cos(mode * pi_d * (static_cast<double>(k) + shift) / per_node);
      };
      for (Eigen::Index k = 0; k <= n; ++k)
        chain.set_frame(
            k, test::rotation<double>(test::rotation_matrix<double>(1.5 * shape(k) * V3<double>::UnitZ())),
            chain.position(k) + 0.4 * shape(k) * V3<double>::UnitZ());
      auto loads = no_loads(chain), acceleration = no_loads(chain);
      model.forces(chain, loads);
      model.accelerations(chain, loads, 0.0, acceleration);
      const double torsion = frequency(0.3, 0.04), axial = frequency(30, 1.2);
      for (Eigen::Index k = 0; k <= n; ++k) {
        CHECK(std::abs(acceleration(k, 5) + torsion * torsion * 1.5 * shape(k)) < 1e-11);
        CHECK(std::abs(acceleration(k, 2) + axial * axial * 0.4 * shape(k)) < 1e-10);
        CHECK(std::abs(acceleration(k, 0)) + std::abs(acceleration(k, 3)) < 1e-12);
      }
      // and in time
      const assembly::Assembly problem{assembly::bodies(std::vector{model})};
      auto x = problem.state({chain});
      auto stepper = DormandPrince54{}.stepper(problem, x);
      for (int i = 0; i < 800; ++i) (void)stepper.step(problem, x, 0.0025);
      const auto& end = x[0];
      const double turned = 2 * std::atan2(end.configuration(0, 6), end.configuration(0, 3));
      CHECK(std::abs(turned - 1.5 * shape(0) * std::cos(2 * torsion)) < 1e-7);
      CHECK(std::abs(end.position(0)[2] - 0.4 * shape(0) * std::cos(2 * axial)) < 1e-6);
    }
}

TEMPLATE_TEST_CASE(
    "bending waves have Timoshenko's frequencies: to second order at the midpoint, to first forward", "",
    rod::MidpointStrain, rod::ForwardStrain) {
  // ρA j w⁴ − (ρA EI k² + GA j k² + GA ρA) w² + EI GA k⁴ = 0, lower branch; x₁ = ε sin ks, turn about e₂ = ε B cos ks
  const double m = 1.2, j = 0.02, GA = 20, EI = 0.5, k = 2 * 3.14159265358979323846 / 2.0;
  const double b = m * EI * k * k + GA * j * k * k + GA * m;
  const double w2 = (b - std::sqrt(b * b - 4 * m * j * EI * GA * k * k * k * k)) / (2 * m * j);
  const double B = k - m * w2 / (GA * k);  // from ρA x'' = GA (x_ss − a_s)
  std::vector<double> errors;
  for (const int n : {40, 80, 160}) {
    const auto model = straight_rod<TestType>(n, 0.5);
    auto chain = model.straight(V3<double>::Zero(), SO3<double>::identity());
    const double small = 1e-6;
    for (Eigen::Index i = 0; i <= n; ++i) {
      const double s = model.spacing() * static_cast<double>(i);
      chain.set_frame(i,
                      test::rotation<double>(
                          test::rotation_matrix<double>(V3<double>(0, small * B * std::cos(k * s), 0))),
                      chain.position(i) + V3<double>(small * std::sin(k * s), 0, 0));
    }
    auto loads = no_loads(chain), acceleration = no_loads(chain);
    model.forces(chain, loads);
    model.accelerations(chain, loads, 0.0, acceleration);
    double worst = 0;
    for (Eigen::Index i = 1; i < n; ++i) {
      const double s = model.spacing() * static_cast<double>(i);
      worst = std::max(worst, std::abs(acceleration(i, 0) / small + w2 * std::sin(k * s)));
      worst = std::max(worst, std::abs(acceleration(i, 4) / small + w2 * B * std::cos(k * s)));
    }
    errors.push_back(worst);
  }
  const double order = std::log2(errors[1] / errors[2]);
  CAPTURE(errors[0], errors[1], errors[2]);
  CHECK(std::abs(order - (std::is_same_v<TestType, rod::MidpointStrain> ? 2.0 : 1.0)) < 0.15);
}

TEST_CASE("verlet agrees with Runge-Kutta to its order, and keeps momenta and energy of a free rod") {
  Random random(test::seed());
  auto p = parameters<Rod>(random);
  p.loads = {};
  p.damping = {};
  for (const bool symmetric : {true, false}) {
    p.inertia.rotary = symmetric ? V3<double>(0.02, 0.02, 0.04) : V3<double>(0.02, 0.03, 0.04);
    const Single problem{assembly::bodies(
        std::vector{Rod(make(static_cast<rod::LinearElastic<double>*>(nullptr), random), p)})};
    const auto start = problem.state({make_chain(problem.bodies<0>()[0], random)});
    auto reference = start;
    auto runge = DormandPrince54{}.stepper(problem, reference);
    for (int i = 0; i < 200; ++i) (void)runge.step(problem, reference, 0.001);
    const auto run = [&](double h) {
      auto x = start;
      auto stepper = Verlet{}.stepper(problem, x);
      const int steps = static_cast<int>(std::lround(0.2 / h));
      for (int i = 0; i < steps; ++i) (void)stepper.step(problem, x, h);
      CHECK((rod::momentum(problem.bodies<0>()[0], x[0]) - rod::momentum(problem.bodies<0>()[0], start[0]))
                .norm() < 1e-11);
      CHECK(std::abs(problem.energy(x) / problem.energy(start) - 1) < 3e-2);
      return std::array{(x[0].configuration - reference[0].configuration).topRows(22).abs().maxCoeff(),
                        std::abs(problem.energy(x) / problem.energy(start) - 1)};
    };
    const auto coarse = run(0.001), fine = run(0.0005);
    CHECK(std::abs(std::log2(coarse[0] / fine[0]) - 2) < 0.15);
    CHECK(fine[1] < coarse[1]);
  }
}

TEST_CASE("verlet agrees with Runge-Kutta whatever holds, loads and damps the rod") {
  Random random(test::seed());
  for (int kind = 1; kind < 5; ++kind) {
    INFO("kind " << kind);
    const Single problem{assembly::bodies(std::vector{worked_rod(kind, random)})};
    const auto start = problem.state({make_chain(problem.bodies<0>()[0], random)}, {}, 0.4);
    const auto run = [&](const auto& method, double h) {
      auto x = start;
      auto stepper = method.stepper(problem, x);
      const int steps = static_cast<int>(std::lround(0.1 / h));
      for (int i = 0; i < steps; ++i) (void)stepper.step(problem, x, h);
      return x;
    };
    const auto reference = run(DormandPrince54{}, 0.001);
    const auto error = [&](double h) {
      const auto x = run(Verlet{}, h);
      return (x[0].configuration - reference[0].configuration).topRows(22).abs().maxCoeff();
    };
    CHECK(std::abs(std::log2(error(0.001) / error(0.0005)) - 2) < 0.2);
  }
}

TEST_CASE("damping takes the momentum of every rod at the same rate") {
  Random random(test::seed());
  auto p = parameters<Rod>(random);
  p.loads = {};
  p.damping.rate = 2.0;
  const Single problem{
      assembly::bodies(std::vector{Rod(make(static_cast<rod::LinearElastic<double>*>(nullptr), random), p)})};
  const auto start = problem.state({make_chain(problem.bodies<0>()[0], random)});
  const auto momentum = [&](const auto& x) {
    return Vec<double, 6>(rod::momentum(problem.bodies<0>()[0], x[0]));
  };
  auto x = start;
  auto runge = DormandPrince54{}.stepper(problem, x);
  for (int i = 0; i < 100; ++i) (void)runge.step(problem, x, 0.002);
  CHECK((momentum(x) - std::exp(-0.4) * momentum(start)).norm() < 1e-8);
  auto y = start;
  auto verlet = Verlet{}.stepper(problem, y);
  for (int i = 0; i < 100; ++i) (void)verlet.step(problem, y, 0.002);
  CHECK((momentum(y) - std::exp(-0.4) * momentum(start)).head<3>().norm() < 1e-12);
}

}  // namespace rod_laws_test
