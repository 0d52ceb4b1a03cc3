#include <dalembert/rod/joined.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace joined_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// A part of a rod of 1 m that has 24 elements, free at both ends and under gravity, unless `change` says otherwise.
template <class Change>
Rod part(int elements, Change&& change) {
  const auto section = test::soft_section<double>(0.01);
  Rod::Parameters p{.elements = elements, .length = elements / 24.0, .inertia = section.inertia()};
  p.loads.gravity = {0.3, -9, 1};
  p.damping.rate = 0.2;
  rod::RestStrain<double> rest;
  rest.curvature = Vec3(0.4, 0.1, -0.2);
  change(p, rest);
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal(), rest), p);
}
Rod part(int elements) {
  return part(elements, [](auto&, auto&) {});
}

rod::Chain<double> cut(const rod::Chain<double>& whole, Eigen::Index from, Eigen::Index to) {
  rod::Chain<double> chain(to - from + 1);
  for (Eigen::Index k = from; k <= to; ++k) {
    chain.set_frame(k - from, whole.rotation(k), whole.position(k));
    chain.set_velocity(k - from, whole.linear_velocity(k), whole.angular_velocity(k));
  }
  return chain;
}

/// A wild motion of the whole.
rod::Chain<double> start(const Rod& whole) {
  test::Random random(test::seed());
  return test::random_chain(whole, test::rotation_matrix<double>(Vec3(0.3, 0.2, -0.5)), random);
}

TEST_CASE("two parts of a rod that are welded move as the whole", "[rod][assembly]") {
  const Rod whole = part(24);
  for (const int seam : {12, 7}) {
    const Assembly one{bodies(std::vector{whole})};
    const Assembly two{bodies(std::vector{part(seam), part(24 - seam)}),
                       constraints(std::vector{Weld<double>{{0, seam}, {1, 0}}})};
    auto x = one.state({start(whole)});
    auto y = two.state({cut(x[0], 0, seam), cut(x[0], seam, 24)});
    CHECK(two.constraint(y).position == 0);
    CHECK(two.constraint(y).velocity < 1e-14);
    auto of_x = one.make_rates();
    auto of_y = two.make_rates();
    one.rates(x, of_x);
    two.rates(y, of_y);
    const double size = of_x.xidot[0].abs().maxCoeff();
    const auto apart = [&](const auto& u, const auto& v) {
      return std::max((u[0].topRows(seam + 1) - v[0].topRows(seam + 1)).abs().maxCoeff(),
                      (u[0].middleRows(seam, 25 - seam) - v[1].topRows(25 - seam)).abs().maxCoeff());
    };
    CHECK(apart(of_x.xidot, of_y.xidot) < 1e-12 * size);
    // what the weld transmits is the force inside the rod and half of what turns and moves the node: without it the ends part
    REQUIRE(of_y.lambda.head<3>().norm() > 0.1);
    REQUIRE(of_y.lambda.tail<3>().norm() > 1e-3);
    auto single = Verlet{}.stepper(one, x);
    auto pair = Verlet{}.stepper(two, y);
    bool converged = true;
    for (int i = 0; i < 200; ++i)
      converged = single.step(one, x, 1e-4).converged && pair.step(two, y, 1e-4).converged && converged;
    CHECK(converged);
    const auto configurations = [](const auto& state) {
      std::vector<rod::Columns<double, 7>> all;
      for (const auto& chain : state.chains) all.push_back(chain.configuration);
      return all;
    };
    CHECK(apart(configurations(x), configurations(y)) < 1e-12);
    CHECK((x[0].position(12) - one.state({start(whole)}).chains[0].position(12)).norm() > 1e-3);
    CHECK(two.constraint(y).position < 1e-15);
    CHECK(two.constraint(y).velocity < 1e-13);
  }
}

TEST_CASE("two parts of a rod that are joined are the whole, bit for bit", "[rod]") {
  const Rod whole = part(24), rod = rod::joined(part(9), part(15));
  CHECK(rod.elements() == 24);
  CHECK(rod.length() == 1);
  const auto chain = start(whole);
  const auto again = rod::joined(cut(chain, 0, 9), cut(chain, 9, 24));
  CHECK((chain.configuration == again.configuration).topRows(25).all());
  CHECK((chain.velocity == again.velocity).topRows(25).all());
  auto f = rod::zero_columns<double, 6>(25), g = f, a = f, b = f;
  REQUIRE(whole.forces(chain, f));
  REQUIRE(rod.forces(again, g));
  CHECK((f == g).topRows(25).all());
  whole.accelerations(chain, f, 0, a);
  rod.accelerations(again, g, 0, b);
  CHECK((a == b).topRows(25).all());
}

TEST_CASE("joined rods keep their outer ends", "[rod]") {
  const Rod left = part(6, [](auto& p, auto&) { p.start = rod::Boundary<double>::clamped(); });
  const Rod right = part(6, [](auto& p, auto&) {
    p.finish = rod::Boundary<double>::pinned();
    p.loads.finish.moment = {0, 1, 0};
  });
  const Rod rod = rod::joined(left, right);
  CHECK(rod.held(0, 4));
  CHECK(rod.held(12, 0));
  CHECK(!rod.held(12, 4));
  CHECK(rod.parameters().loads.finish.moment[1] == 1);
}

TEST_CASE("rods that are not made alike are not joined", "[rod]") {
  const Rod rod = part(6);
  const auto refused = [&](const auto& change, const char* why) {
    CHECK_THROWS_WITH(rod::joined(rod, part(8, change)), ContainsSubstring(why));
  };
  refused([](auto& p, auto&) { p.length *= 1.1; }, "joined: second spacing = ");
  refused([](auto&, auto& rest) { rest.curvature[1] = 0; }, "joined: materials = different");
  refused([](auto& p, auto&) { p.inertia.mass *= 2; }, "joined: second inertia.mass = ");
  refused([](auto& p, auto&) { p.inertia.rotary[2] *= 2; }, "joined: second inertia.rotary 2 = ");
  refused([](auto& p, auto&) { p.loads.gravity[1] = 0; }, "joined: second gravity 1 = 0");
  refused([](auto& p, auto&) { p.damping.rate = 0; }, "joined: second damping.rate = 0");
  refused([](auto& p, auto&) { p.end_mass_fraction = 1; }, "joined: end_mass_fraction = 1");
  refused([](auto& p, auto&) { p.start = rod::Boundary<double>::pinned(); }, "joined: ends that meet = held");
  refused([](auto& p, auto&) { p.loads.start.force[0] = 1; }, "joined: ends that meet = loaded");
  auto near = start(rod), far = near;
  far.set_frame(0, far.rotation(0), far.position(0) + Vec3(0, 0, 1e-3));
  CHECK_THROWS_WITH(rod::joined(near, far), ContainsSubstring("joined: difference of the nodes that meet"));
}

}  // namespace joined_test
