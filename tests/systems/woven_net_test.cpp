#include <dalembert/systems/woven_net.hpp>

#include <cmath>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace woven_net_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Parameters = systems::WovenNetParameters<double>;
using Catch::Matchers::ContainsSubstring;

constexpr double step = 1e-4;

Parameters small() { return {.rods = 3, .elements = 48, .kernel_width = 0.005, .strike = 4}; }

TEST_CASE("each rod of a woven net passes over and under those of the other direction",
          "[systems][contact]") {
  for (const int n : {1, 2, 3}) {
    Parameters p = small();
    p.rods = n;
    const auto net = systems::woven_net(p);
    const auto count = static_cast<std::size_t>(n);
    REQUIRE(net.rods.size() == 2 * count);
    REQUIRE(net.crossings.size() == count * count);
    const double stretch = 1 + p.pre_stretch;
    for (std::size_t c = 0; c < net.crossings.size(); ++c) {
      const auto k = static_cast<Eigen::Index>(2 * c);
      const std::size_t j = net.crossings[c].first.body, i = net.crossings[c].second.body - count;
      REQUIRE((j < count && i < count));
      const auto at = [&](Eigen::Index which, std::size_t body) {
        const auto& place = which == k ? net.crossings[c].first : net.crossings[c].second;
        return place.average.at(net.chains[body], net.z[which], 0, 1).R;
      };
      const V x = at(k, j), y = at(k + 1, count + i);
      const double over = (i + j) % 2 == 0 ? 1 : -1;
      CHECK((x - y).norm() == Approx(2 * p.radius).epsilon(0.05));
      CHECK((x - y)[2] * over > 1.9 * p.radius);
      CHECK(x[0] == Approx(p.place(static_cast<int>(i))).margin(3e-4));
      CHECK(x[1] == Approx(p.place(static_cast<int>(j))).margin(3e-4));
      CHECK(net.z[k] == Approx((p.place(static_cast<int>(i)) + p.width() / 2) / stretch).margin(3e-4));
    }
    for (std::size_t b = 0; b < net.chains.size(); ++b) {
      const auto& chain = net.chains[b];
      CHECK(chain.position(0)[2] == Approx(0).margin(1e-15));
      CHECK(chain.position(p.elements)[2] == Approx(0).margin(1e-15));
      for (Eigen::Index k = 1; k < p.elements; ++k) {
        const V chord = (chain.position(k + 1) - chain.position(k - 1)).normalized();
        CHECK(chain.rotation(k).act(V(0, 0, 1)).dot(chord) > 1 - 1e-3);
        CHECK(chain.rotation(k).act(V(1, 0, 0))[2] > 0.9);
      }
      for (Eigen::Index k = 0; k < p.elements; ++k) {
        const auto strain = net.rods[b].strain(chain, k);
        CHECK(strain.stretch[2] == Approx(stretch).epsilon(0.05));
        CHECK(std::abs(strain.stretch[0]) < 0.02);
        CHECK(std::abs(strain.stretch[1]) < 1e-12);
      }
    }
  }
}

TEST_CASE("a net at rest is in equilibrium, without friction even where it could have some",
          "[systems][contact]") {
  const Parameters p = small();
  const auto net = systems::woven_net(p);
  const auto x = systems::come_to_rest(net, p, Verlet{}, step);
  const auto rolling = net.problem();
  CHECK(rolling.kinetic_energy(x) == 0);
  CHECK(rolling.constraint(x).position < 1e-15);
  auto r = rolling.make_rates();
  rolling.rates(x, r);
  for (const auto& a : r.xidot) CHECK(a.topRows(p.elements + 1).leftCols(3).abs().maxCoeff() < 1e-3);
  const auto sliding = net.sliding_problem(0);
  auto without = sliding.make_rates();
  sliding.rates(x, without);
  // N ≈ 4aT/p at the middle one; the section is as in Euler's beam, so it bends in a length and presses a little more
  const double tension = p.young * M_PI * p.radius * p.radius * p.pre_stretch;
  for (std::size_t c = 0; c < 9; ++c) {
    const auto i = static_cast<Eigen::Index>(c);
    const V force = r.lambda.segment<3>(3 * i);
    CHECK(without.lambda[i] > 0);
    CHECK(force.norm() == Approx(without.lambda[i]).epsilon(1e-6));
    CHECK(std::abs(force[2]) == Approx(force.norm()).epsilon(5e-3));
    CHECK(without.lambda[i] == Approx(4 * p.radius * tension / p.spacing).epsilon(0.6));
  }
  // a search finds the same places, though the rods bend around each other and their chords are farther apart than their averages
  const auto found = contact::find_crossings(net.rods, x.chains, std::vector<double>(6, p.radius),
                                             p.kernel_width, {.tolerance = 1e-6});
  REQUIRE(found.z.size() == x.z.size());
  CHECK((found.z - x.z).lpNorm<Eigen::Infinity>() < 1e-12);
  for (const auto& place : found.places) CHECK(std::abs(place.gap()) < 1e-14);
  // turned over, rods and all, a net of an odd number is itself: forces are those of the mirrored places
  for (const int pair : {0, 1, 2, 3})
    CHECK(without.lambda[pair] == Approx(without.lambda[8 - pair]).epsilon(1e-9));
}

TEST_CASE("a net that is struck rolls without slip, keeps its energy and stays pressed",
          "[systems][contact]") {
  const Parameters p = small();
  const auto net = systems::woven_net(p);
  const auto problem = net.problem();
  auto x = systems::come_to_rest(net, p, Verlet{}, step);
  const double at_rest = problem.energy(x);
  systems::strike(problem, x, p);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(x[1].linear_velocity(p.elements / 2)[2] == Approx(-p.strike).epsilon(0.05));
  CHECK(x[1].linear_velocity(p.elements / 2)[0] == Approx(0).margin(0.05));
  for (const auto& chain : x.chains)
    for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(p.elements)})
      CHECK(chain.linear_velocity(k).norm() == 0);
  const double energy = problem.energy(x), kinetic = problem.kinetic_energy(x);
  CHECK(energy == Approx(at_rest + kinetic).epsilon(1e-12));
  drive(Verlet{}, problem, x, {.step = step, .until = 0.1});  // a contact that pulled would end it
  CHECK(problem.constraint(x).position < 1e-14);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-3 * kinetic);
}

TEST_CASE("spins of the strike keep sections normal to the rods", "[systems][contact]") {
  Parameters p = small();
  p.rods = 1;
  p.strike_width = 0.07;
  const auto net = systems::woven_net(p);
  const assembly::Assembly free{assembly::bodies(net.rods)};
  auto x = free.state(net.chains);
  systems::strike(free, x, p);
  // shear strains, and with them the energy, change by less than without the spins
  const auto after = [&](double spin) {
    auto y = x[0];
    for (Eigen::Index k = 0; k < y.nodes; ++k)
      rod::move_node(y, k, V(1e-4 * y.linear_velocity(k)), V(1e-4 * spin * y.angular_velocity(k)));
    double shear = 0;
    for (Eigen::Index k = 0; k < p.elements; ++k) {
      const V change = net.rods[0].strain(y, k).stretch - net.rods[0].strain(x[0], k).stretch;
      shear = std::max({shear, std::abs(change[0]), std::abs(change[1])});
    }
    return shear;
  };
  CHECK(after(1) < 0.05 * after(0));
  CHECK(after(-1) > 1.5 * after(0));
}

TEST_CASE("parameters of a net that mean nothing are refused by name", "[systems]") {
  const auto refused = [](auto change, const char* text) {
    Parameters p = small();
    change(p);
    CHECK_THROWS_WITH(systems::woven_net(p), ContainsSubstring(text));
  };
  refused([](Parameters& p) { p.rods = 0; }, "WovenNetParameters: rods = 0");
  refused([](Parameters& p) { p.elements = 1; }, "WovenNetParameters: elements = 1");
  refused([](Parameters& p) { p.spacing = 0.01; }, "spacing = 0.01");
  refused([](Parameters& p) { p.margin = std::nan(""); }, "margin = nan");
  refused([](Parameters& p) { p.radius = -1; }, "radius = -1");
  refused([](Parameters& p) { p.young = 0; }, "young = 0");
  refused([](Parameters& p) { p.poisson = 0.6; }, "poisson = 0.6");
  refused([](Parameters& p) { p.density = HUGE_VAL; }, "density = inf");
  refused([](Parameters& p) { p.shear_factor = 0; }, "shear_factor = 0");
  refused([](Parameters& p) { p.pre_stretch = 0; }, "pre_stretch = 0");
  refused([](Parameters& p) { p.kernel_width = 0.1; }, "kernel_width = 0.1");
  refused([](Parameters& p) { p.strike = std::nan(""); }, "strike = nan");
  refused([](Parameters& p) { p.strike_width = 0; }, "strike_width = 0");
  const Parameters p = small();
  CHECK_THROWS_WITH(systems::come_to_rest(systems::woven_net(p), p, Verlet{}, 2e-4),
                    ContainsSubstring("h = 2e-04, but steps of this method grow beyond"));
  CHECK_THROWS_WITH(systems::come_to_rest(systems::woven_net(p), p, Verlet{}, 0.0),
                    ContainsSubstring("come_to_rest: h = 0"));
}

}  // namespace woven_net_test
