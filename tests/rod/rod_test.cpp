#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/sections.hpp>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/concepts.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

using namespace dalembert;

namespace rod_test {

using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;

static_assert(rod::RodModel<Rod> && rod::RodModel<rod::ElasticRod<float>> &&
              rod::RodModel<rod::ElasticRod<long double>>);
static_assert(Problem<assembly::Assembly<assembly::Kinds<rod::ElasticRod<float>>>>);

Rod::Parameters parameters() {
  Rod::Parameters p;
  p.elements = 10;
  p.length = 1.0;
  p.inertia = {0.5, V(0.01, 0.01, 0.02)};
  return p;
}

Rod make(const Rod::Parameters& p) {
  Vec<double, 6> k;
  k << 20, 20, 30, 0.5, 0.5, 0.3;
  return Rod(rod::LinearElastic<double>(k), p);
}

TEST_CASE("a rod knows its nodes and their masses") {
  auto p = parameters();
  p.end_mass_fraction = 0.25;
  const Rod model = make(p);
  CHECK(model.elements() == 10);
  CHECK(model.nodes() == 11);
  CHECK(model.spacing() == Approx(0.1));
  CHECK(model.node_mass() == Approx(0.05));
  CHECK((model.node_rotary() - V(0.001, 0.001, 0.002)).norm() < 1e-17);
  CHECK(model.mass_fraction(0) == 0.25);
  CHECK(model.mass_fraction(5) == 1);
  CHECK(model.inverse_mass(10, 1) == Approx(1 / (0.25 * 0.05)));
  CHECK(model.inverse_mass(3, 5) == Approx(1 / 0.002));
  const auto chain = model.straight(
      V(1, 2, 3), test::rotation<double>(test::rotation_matrix<double>(V(0, 1.57079632679489662, 0))), 1.2);
  CHECK((chain.position(10) - V(2.2, 2, 3)).norm() < 1e-14);
  CHECK((model.strain(chain, 4).stretch - V(0, 0, 1.2)).norm() < 1e-14);
  CHECK((model.stress(chain, 4).force - V(0, 0, 6)).norm() < 1e-12);
}

TEST_CASE("the parameters of a rod are checked, and the message names the one that is wrong") {
  using Catch::Matchers::ContainsSubstring;
  const auto refuse = [](const Rod::Parameters& p, const char* name) {
    CHECK_THROWS_WITH(make(p), ContainsSubstring(name));
  };
  auto p = parameters();
  p.elements = 1;
  refuse(p, "elements = 1");
  p.elements = 100'000'000;
  refuse(p, "elements = 100000000");
  refuse(p, "at most 1000000");
  refuse(p, "10400000104 bytes");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    p = parameters();
    p.length = bad;
    refuse(p, "length");
    p = parameters();
    p.inertia.mass = bad;
    refuse(p, "inertia.mass");
    p = parameters();
    p.inertia.rotary[1] = bad;
    refuse(p, "inertia.rotary");
    p = parameters();
    p.end_mass_fraction = bad;
    refuse(p, "end_mass_fraction");
  }
  p = parameters();
  p.damping.rate = -0.1;
  refuse(p, "damping.rate");
  p.damping.rate = std::nan("");
  refuse(p, "damping.rate");
}

TEST_CASE("a problem refuses chains that are not of its rods") {
  const Rod model = make(parameters());
  using Problem = assembly::Assembly<assembly::Kinds<Rod>>;
  const Problem problem{assembly::bodies(std::vector{model})};
  const auto chain = model.straight(V::Zero(), SO3<double>::identity());
  CHECK_NOTHROW(problem.state({chain}));
  CHECK_THROWS_AS(problem.state({chain, chain}), std::invalid_argument);
  CHECK_THROWS_AS(problem.state({rod::Chain<double>(7)}), std::invalid_argument);
  auto bad = chain;
  bad.velocity(3, 4) = std::nan("");
  CHECK_THROWS_WITH(problem.state({bad}), Catch::Matchers::ContainsSubstring("finite"));
  bad = chain;
  bad.configuration.row(4).tail<4>().setZero();
  CHECK_THROWS_WITH(problem.state({bad}), Catch::Matchers::ContainsSubstring("quaternions"));
  CHECK_THROWS_AS(Problem(assembly::bodies(std::vector<Rod>{})), std::invalid_argument);
}

TEST_CASE("free motion of a node is that of a rigid body") {
  using S = long double;
  using Wide = rod::ElasticRod<S>;
  test::Random random(test::seed());
  for (const bool symmetric : {true, false}) {
    Wide::Parameters p;
    p.elements = 2;
    p.length = 1;
    p.inertia = {0.5L, symmetric ? Vec<S, 3>(0.02L, 0.02L, 0.05L) : Vec<S, 3>(0.02L, 0.03L, 0.05L)};
    const Vec<S, 3> j = p.inertia.rotary;
    const Wide model(rod::LinearElastic<S>(Vec<S, 6>::Ones()), p);
    auto start = model.straight(Vec<S, 3>::Zero(), SO3<S>::identity());
    start.set_velocity(1, random.vector<S>(), 3 * random.vector<S>());
    const rod::Columns<S, 6> none = rod::Columns<S, 6>::Zero(start.configuration.rows(), 6);
    const auto drift = [&](S h, int steps) {
      auto x = start;
      for (int i = 0; i < steps; ++i) {
        auto y = x;
        model.kick_drift(x, none, S(0), S(0), h, y);
        x = y;
      }
      return x;
    };
    // Λ̇ = Λω̂, j ω̇ = jω × ω by tiny steps of the classical method
    Mat<S, 3> frame = Mat<S, 3>::Identity();
    Vec<S, 3> omega = start.angular_velocity(1);
    const int fine = 4000;
    const S dt = 0.4L / fine;
    const auto turning = [](const Mat<S, 3>& m, const Vec<S, 3>& w) {
      Mat<S, 3> r;
      for (int i = 0; i < 3; ++i) r.row(i) = m.row(i).transpose().cross(w).transpose();
      return r;
    };
    const auto euler = [&](const Vec<S, 3>& w) {
      return Vec<S, 3>(Vec<S, 3>(j.cwiseProduct(w)).cross(w).cwiseQuotient(j));
    };
    for (int i = 0; i < fine; ++i) {
      const Vec<S, 3> a1 = euler(omega), a2 = euler(omega + dt / 2 * a1), a3 = euler(omega + dt / 2 * a2),
                      a4 = euler(omega + dt * a3);
      const Mat<S, 3> k1 = turning(frame, omega), k2 = turning(frame + dt / 2 * k1, omega + dt / 2 * a1),
                      k3 = turning(frame + dt / 2 * k2, omega + dt / 2 * a2),
                      k4 = turning(frame + dt * k3, omega + dt * a3);
      frame += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      omega += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    const auto error = [&](S h, int steps) {
      const auto x = drift(h, steps);
      CHECK((x.linear_velocity(1) - start.linear_velocity(1)).norm() == 0);
      CHECK((x.position(1) - start.position(1) - 0.4L * start.linear_velocity(1)).norm() < 1e-17L);
      const Vec<S, 3> before = start.rotation(1).act(Vec<S, 3>(j.cwiseProduct(start.angular_velocity(1))));
      CHECK((x.rotation(1).act(Vec<S, 3>(j.cwiseProduct(x.angular_velocity(1)))) - before).norm() < 1e-17L);
      return (test::matrix(x.rotation(1)) - frame).norm() + (x.angular_velocity(1) - omega).norm();
    };
    if (symmetric) {
      CHECK(error(0.4L, 1) < 1e-11L);
      CHECK(error(0.1L, 4) < 1e-11L);
    } else {
      const S coarse = error(0.02L, 20), finer = error(0.01L, 40);
      CHECK(coarse < 2e-3L);
      CHECK(std::abs(std::log2(coarse / finer) - 2) < 0.1L);
    }
  }
}

TEST_CASE("a kick changes the momentum by force times time, except where the rod is held") {
  auto p = parameters();
  p.start = rod::Boundary<double>::degrees({true, false, false, false, true, false});
  p.finish = rod::Boundary<double>::clamped();
  const Rod model = make(p);
  auto chain = model.straight(V::Zero(), SO3<double>::identity());
  rod::Columns<double, 6> loads = rod::Columns<double, 6>::Constant(chain.configuration.rows(), 6, 2.0);
  model.kick(chain, loads, 0.1);
  for (Eigen::Index k = 0; k < 11; ++k)
    for (int i = 0; i < 6; ++i) {
      const bool held = k == 10 || (k == 0 && (i == 0 || i == 4));
      CHECK(chain.velocity(k, i) == Approx(held ? 0.0 : 0.2 * model.inverse_mass(k, i)));
      CHECK(model.held(k, i) == held);
    }
}

TEST_CASE("forces and a kick in one pass are those of two passes, bit for bit, at all ends") {
  using Boundary = rod::Boundary<double>;
  for (const Boundary& end : {Boundary::free(), Boundary::pinned(), Boundary::clamped()})
    for (const int elements : {10, 16, 37}) {
      auto p = parameters();
      p.elements = elements;
      p.start = end;
      p.loads.gravity = {0.3, -9.81, 1};
      p.loads.finish.moment = {0.01, 0.02, 0.03};
      const Rod model = make(p);
      auto chain = model.straight(V::Zero(), SO3<double>::identity(), 1.1);
      for (Eigen::Index k = 1; k < model.nodes(); ++k) chain.set_velocity(k, {0.1, 0.2, 0.3}, {1, 2, 3});
      chain.set_frame(3, SO3<double>::exp(V(0.1, 0.2, -0.1)), chain.position(3) + V(0.001, 0, 0.002));
      auto other = chain;
      rod::Columns<double, 6> loads = rod::zero_columns<double, 6>(model.nodes()), apart = loads;
      REQUIRE(model.forces(chain, apart));
      model.kick(chain, apart, 1e-3);
      REQUIRE(model.forces_and_kick(other, loads, 1e-3));
      CHECK((loads == apart).topRows(model.nodes()).all());
      CHECK((other.velocity == chain.velocity).topRows(model.nodes()).all());
      CHECK((other.configuration == chain.configuration).topRows(model.nodes()).all());
      other.set_frame(2, SO3<double>::exp(V(3.1, 0, 0)), other.position(2));
      CHECK(!model.forces_and_kick(other, loads, 1e-3));
    }
}

TEST_CASE("a step in one sweep is that of a drift and then the loads, bit for bit, at all ends") {
  using Boundary = rod::Boundary<double>;
  const auto check = [](auto model) {
    using R = decltype(model);
    using S = typename R::Scalar;
    test::Random random(test::seed());
    auto x = test::random_chain(model, Mat<S, 3>(Mat<S, 3>::Identity()), random, {.bend = 2});
    auto y = x, next = x;
    auto f = rod::zero_columns<S, 6>(model.nodes()), g = f;
    REQUIRE(model.forces(x, f));
    g = f;
    const S h = S(1e-3);
    for (int i = 0; i < 3; ++i) {
      model.kick_drift(x, f, h / 2, S(0.1), h, next);
      const bool good = model.forces_and_kick(next, f, h / 2);
      std::swap(x, next);
      REQUIRE(model.step(y, g, S(0.1), h, next) == good);
      std::swap(y, next);
    }
    CHECK((f == g).topRows(model.nodes()).all());
    CHECK((x.velocity == y.velocity).topRows(model.nodes()).all());
    CHECK((x.configuration == y.configuration).topRows(model.nodes()).all());
  };
  const Boundary prescribed = Boundary::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = V(t, 0, 0);
    m.velocity = V(1, 0, 0);
    return m;
  });
  for (const Boundary& end : {Boundary::free(), Boundary::pinned(), Boundary::clamped(), prescribed})
    for (const int elements : {2, 7, 8, 9, 63, 64, 65, 130, 4000}) {
      auto p = parameters();
      p.elements = elements;
      p.length = 0.1 * elements;
      p.inertia.rotary[1] = elements == 9 ? 0.02 : 0.01;
      p.damping.rate = elements == 7 ? 0.3 : 0;
      (elements == 65 ? p.finish : p.start) = end;
      p.loads.gravity = {0.3, -9.81, 1};
      p.loads.finish.moment = {0.01, 0.02, 0.03};
      check(make(p));
    }
  check(test::soft_rod<rod::ElasticRod<float>>(0.01, 70));
  check(test::soft_rod<rod::ElasticRod<long double>>(0.01, 21));
}

TEST_CASE("a loop over packs finds room at every node, and columns do not compete for places in a cache") {
  CHECK(rod::padded_rows<double>(1) == 1);  // a loop over packs has no business with a body of one node
  for (Eigen::Index nodes = 2; nodes < 2000; ++nodes) {
    const Eigen::Index rows = rod::padded_rows<double>(nodes);
    const Eigen::Index last =
        (nodes - 1) / rod::lane_width<double> * rod::lane_width<double>;  // a pack, and one node on
    REQUIRE(rows >= last + rod::lane_width<double> + 1);
    REQUIRE(rows < last + 2 * rod::lane_width<double> + 16);
    REQUIRE(rows % 8 == 0);
    if (rows >= 64) REQUIRE(rows % 16 == 8);
  }
}

TEST_CASE("a step in one sweep says so where an element turns too far") {
  const Rod model = make(parameters());
  auto x = model.straight(V::Zero(), SO3<double>::identity()), y = x;
  auto f = rod::zero_columns<double, 6>(model.nodes());
  CHECK(model.step(x, f, 0, 1e-3, y));
  x.set_velocity(4, V::Zero(), V(3.1e3, 0, 0));
  CHECK(!model.step(x, f, 0, 1e-3, y));
  using Catch::Matchers::ContainsSubstring;
  const assembly::Assembly problem{assembly::bodies(std::vector{model, model})};
  const auto still = model.straight(V::Zero(), SO3<double>::identity());
  auto state = problem.state({still, x}, {}, 2.0);
  auto stepper = Verlet{}.stepper(problem, state);
  CHECK_THROWS_WITH((void)stepper.step(problem, state, 1e-3),
                    ContainsSubstring("of rod 1") && ContainsSubstring("t = 2.001 s"));
  CHECK(state.time == 2.0);
}

/// The same rod, which steps in two sweeps: a class derived from a body has no sweep of its own.
struct InTwoSweeps : Rod {
  using Rod::Rod;
};
static_assert(assembly::SweptChain<Rod> && !assembly::SweptChain<InTwoSweeps>);

TEST_CASE(
    "an assembly steps free rods in one sweep as in two, bit for bit, beside rods that are held together") {
  auto p = parameters();
  p.elements = 600;  // a part of its own
  p.length = 60;
  const auto run = [&]<class R>(const std::vector<R>& rods) {
    const assembly::Assembly problem{
        assembly::bodies(rods),
        assembly::constraints(std::vector{assembly::SphericalJoint<double>{{0, 600}, {1, 0}}})};
    std::vector<rod::Chain<double>> chains;
    test::Random random(test::seed());
    for (const R& one : rods)
      chains.push_back(
          test::random_chain(one, Mat<double, 3>(Mat<double, 3>::Identity()), random, {.bend = 2}));
    for (int i = 0; i < 3; ++i)
      for (Eigen::Index k = 600; k >= 0; --k)
        chains[1].configuration(k, i) += chains[0].configuration(600, i) - chains[1].configuration(0, i);
    auto x = problem.state(chains);
    (void)problem.project(x);
    auto stepper = Verlet{}.stepper(problem, x);
    for (int i = 0; i < 5; ++i) REQUIRE(stepper.step(problem, x, 1e-3).converged);
    return x;
  };
  const Rod one = make(p);
  const InTwoSweeps same(one.material(), p);
  const auto x = run(std::vector{one, one, one}), y = run(std::vector{same, same, same});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((x[i].configuration == y[i].configuration).topRows(601).all());
    CHECK((x[i].velocity == y[i].velocity).topRows(601).all());
  }
}

TEST_CASE("a rod of a section has its stiffness, and its inertia unless it is given another", "[rod]") {
  const rod::AnnularSection section({.radius = 0.02, .wall = 0.004, .young = 3e6, .density = 1100});
  const Rod rod(section, {.elements = 4, .length = 1});
  CHECK(rod.material().stiffness() == section.stiffness_diagonal());
  CHECK(rod.section_inertia(0).mass == section.inertia().mass);
  CHECK(rod.section_inertia(0).rotary == section.inertia().rotary);
  const Rod heavy(section, {.elements = 4, .length = 1, .inertia = {.mass = 7, .rotary = {1, 2, 3}}});
  CHECK(heavy.section_inertia(0).mass == 7);
  CHECK(heavy.section_inertia(0).rotary == V(1, 2, 3));
  CHECK_THROWS_AS(Rod(section, {.elements = 1, .length = 1}), std::invalid_argument);
}

}  // namespace rod_test
