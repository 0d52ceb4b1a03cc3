#include <dalembert/systems/vertical_disk.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace vertical_disk_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::VerticalDisk;

static_assert(NonholonomicSystem<VerticalDisk<double>> && NonholonomicSystem<VerticalDisk<long double>>);

template <class S>
VerticalDisk<S> some_disk(laws::Random<S>& random) {
  return VerticalDisk<S>{{.mass = random.positive(),
                          .radius = random.positive(),
                          .axial = random.positive(),
                          .transverse = random.positive()}};
}

template <class S>
auto some_state(const LagrangeDAlembert<VerticalDisk<S>>& problem, laws::Random<S>& random) {
  return problem.state(random.template element<typename VerticalDisk<S>::Group>(),
                       problem.system().rolling(random(), random()));
}

TEMPLATE_TEST_CASE("the assembler gives the vertical disk's own equations at random states",
                   "[vertical_disk]", double, long double) {
  using S = TestType;
  using System = VerticalDisk<S>;
  S largest_force = 0;
  laws::check_rates<System>(some_disk<S>, some_state<S>, [&](const System& disk, const auto& at) {
    const auto& p = disk.parameters();
    const S omega = at.xi[2], roll = at.xi[3], phi = at.g.first().angle();
    // In space the force is mRωΩ(−sin φ, cos φ); the rows are along the disk and across.
    const Vec<S, 2> force = p.mass * p.radius * omega * roll * Vec<S, 2>(-std::sin(phi), std::cos(phi));
    largest_force = std::max(largest_force, laws::largest(force));
    return laws::Expected<System>{.xidot = Vec<S, 4>::Zero(),
                                  .lambda = at.g.first().rotation().inverse().act(force)};
  });
  CHECK(largest_force > 1);
}

TEMPLATE_TEST_CASE("the vertical disk's closed forms and powers are right", "[vertical_disk]", double,
                   long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{some_disk<S>(random)};
    auto state = some_state<S>(problem, random);
    state.xi = random.template vector<4>();
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the vertical disk's closed form is a circle, or a line", "[vertical_disk]") {
  const VerticalDisk<> disk{{.mass = 1.3, .radius = 0.6}};
  using Group = VerticalDisk<>::Group;
  const double roll = 2.1, phi0 = 0.4;
  const Group start{SE2d(0.3, -0.2, phi0), Rn<double, 1>(Vec<double, 1>(0.7))};
  for (const double omega : {1.7, -0.9})
    for (const double t : {-2.0, 0.5, 3.0}) {
      const Group later = disk.exact(start, disk.rolling(omega, roll), t);
      const double rho = 0.6 * roll / omega, phi = phi0 + omega * t;
      CHECK(later.first().translation()[0] ==
            Approx(0.3 + rho * (std::sin(phi) - std::sin(phi0))).margin(1e-14));
      CHECK(later.first().translation()[1] ==
            Approx(-0.2 - rho * (std::cos(phi) - std::cos(phi0))).margin(1e-14));
      CHECK(later.first().rotation().cosine() == Approx(std::cos(phi)).margin(1e-14));
      CHECK(later.first().rotation().sine() == Approx(std::sin(phi)).margin(1e-14));
      CHECK(later.second().coordinates()[0] == Approx(0.7 + roll * t));
    }
  const Group straight = disk.exact(start, disk.rolling(0, roll), 2.0);
  CHECK(straight.first().translation()[0] == Approx(0.3 + 1.2 * roll * std::cos(phi0)));
  CHECK(straight.first().translation()[1] == Approx(-0.2 + 1.2 * roll * std::sin(phi0)));
}

TEST_CASE("a disk is uniform unless it is told otherwise", "[vertical_disk]") {
  const VerticalDisk<> disk{{.mass = 3, .radius = 2}};
  CHECK(disk.parameters().axial == 6.0);
  CHECK(disk.parameters().transverse == 3.0);
}

TEST_CASE("impossible vertical disks are refused, by name and value", "[vertical_disk]") {
  CHECK_THROWS_WITH((VerticalDisk<>{{.mass = -1}}), ContainsSubstring("VerticalDisk: mass = -1"));
  CHECK_THROWS_WITH((VerticalDisk<>{{.radius = 0}}), ContainsSubstring("VerticalDisk: radius = 0"));
  CHECK_THROWS_WITH((VerticalDisk<>{{.axial = 0}}), ContainsSubstring("VerticalDisk: axial = 0"));
  CHECK_THROWS_WITH((VerticalDisk<>{{.transverse = -2}}), ContainsSubstring("VerticalDisk: transverse = -2"));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS((VerticalDisk<>{{.mass = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((VerticalDisk<>{{.radius = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((VerticalDisk<>{{.axial = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((VerticalDisk<>{{.transverse = bad}}), std::invalid_argument);
  }
}

}  // namespace vertical_disk_test
