#include <dalembert/assembly/history.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace history_test {

using namespace dalembert;
using assembly::History;
using State = assembly::State<double>;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

TEST_CASE("a run is known between its outputs, to fourth order in their distance", "[assembly]") {
  Rod::Parameters p;
  p.start = rod::Boundary<double>::clamped();
  const Rod rod = test::soft_rod<Rod>(0.02, 12, p);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  auto chain = rod.straight(V::Zero(), SO3<double>::identity());
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double s = rod.spacing() * static_cast<double>(k);
    chain.set_velocity(k, V(s * s, 0, 0), V(0, 2 * s, s));
  }
  const double step = 1e-4, until = 0.032;
  const auto run = [&](int every) {
    History<double> history;
    State x = problem.state({chain});
    (void)drive(Verlet{}, problem, x, {.step = step, .until = until, .output_interval = every * step},
                history);
    return history;
  };
  const History<double> all = run(1);
  REQUIRE(all.states().size() == 321);
  const auto error = [&](int every) {
    const History<double> some = run(every);
    double worst = 0;
    for (const State& x : all.states())
      worst = std::max(worst, (some.at(x.time).chains[0].position(12) - x[0].position(12)).norm());
    return worst;
  };
  const double coarse = error(16), fine = error(8);
  CHECK(fine < 1e-7);
  CHECK_THAT(std::log2(coarse / fine), WithinAbs(4, 0.7));
  CHECK(error(1) == 0);  // states that it was shown are what they were
  CHECK_THROWS_WITH(all.at(0.04), ContainsSubstring("time = 0.04, but the run was seen from 0 s to 0.032 s"));
  CHECK_THROWS_WITH(History<double>{}.at(0), ContainsSubstring("states = 0"));
}

/// A state with a string and an internal coordinate.
State made_up(double t) {
  State x;
  x.time = t;
  x.z = Vec<double, 1>(2 * t);
  x.chains.resize(1);
  x.lines.resize(1);
  x.lines[0].displacement = Vec<double, 2>(t * t * t, 1 + t);
  x.lines[0].velocity = Vec<double, 2>(3 * t * t, 1);
  return x;
}

TEST_CASE("cubic motions of strings and even ones of internal coordinates are met", "[assembly]") {
  const State x = assembly::interpolated(made_up(0.5), made_up(2), 1.25), exact = made_up(1.25);
  CHECK(x.time == 1.25);
  CHECK_THAT(x.z[0], WithinAbs(exact.z[0], 1e-14));
  CHECK((x.lines[0].displacement - exact.lines[0].displacement).norm() < 1e-14);
  CHECK((x.lines[0].velocity - exact.lines[0].velocity).norm() < 1e-14);
}

TEST_CASE("a history goes on over a second run, also where the motion jumps between them", "[assembly]") {
  const auto moving = [](double t, double v) {  // from 2 at t = 1
    State x = made_up(t);
    x.lines[0].displacement.setConstant(2 + v * (t - 1));
    x.lines[0].velocity.setConstant(v);
    return x;
  };
  const auto place = [](const State& x) { return x.lines[0].displacement[0]; };
  const auto speed = [](const State& x) { return x.lines[0].velocity[0]; };
  History<double> history;
  history(0, moving(0.5, 3));
  history(0, moving(1, 3));   // an impact
  history(0, moving(1, -1));  // where the second run begins
  history(0, moving(2, -1));
  history(0, moving(2, -1));  // and a third, as the second
  history(0, moving(4, -1));
  CHECK(history.states().size() == 6);
  CHECK_THAT(place(history.at(0.75)), WithinAbs(1.25, 1e-14));
  CHECK_THAT(place(history.at(1.5)), WithinAbs(1.5, 1e-14));
  CHECK_THAT(place(history.at(3)), WithinAbs(0, 1e-14));
  CHECK(speed(history.at(std::nextafter(1.0, 0.0))) == Approx(3));
  CHECK(speed(history.at(1)) == -1);
  CHECK(speed(history.at(0.5)) == 3);
  CHECK(history.at(4).time == 4);
  history(0, moving(4, 7));
  history(0, moving(4, 8));  // a run of no length between two others
  CHECK(history.states().size() == 7);
  CHECK(speed(history.at(4)) == 8);
  for (const double beside : {std::nextafter(4.0, 0.0), std::nextafter(4.0, 5.0)}) {
    history(0, moving(beside, 9));  // a run that goes on from a time that was rounded otherwise
    CHECK(history.states().size() == 7);
    CHECK(speed(history.at(4)) == 9);
  }
  CHECK_THROWS_WITH(history.at(4.1), ContainsSubstring("time = 4.1"));
}

TEST_CASE("a history that begins with runs of no length keeps the first and the last of them", "[assembly]") {
  History<double> history;
  for (const double z : {1.0, 2.0, 3.0}) {
    State x = made_up(1);
    x.z[0] = z;
    history(0, x);
  }
  REQUIRE(history.states().size() == 2);
  CHECK(history.states()[0].z[0] == 1);
  CHECK(history.states()[1].z[0] == 3);
}

TEST_CASE("states of no one run have nothing between them", "[assembly]") {
  CHECK_THROWS_WITH(assembly::interpolated(made_up(1), made_up(1), 1), ContainsSubstring("later time = 1"));
  CHECK_THROWS_WITH(assembly::interpolated(made_up(1), made_up(2), 3), ContainsSubstring("time = 3"));
  CHECK_THROWS_AS(assembly::interpolated(made_up(1), State{}, 1), std::invalid_argument);
  History<double> history;
  history(0, made_up(1));
  CHECK_THROWS_WITH(history(0, made_up(0.5)), ContainsSubstring("time of a state = 0.5"));
}

TEST_CASE("states of different assemblies have none between them", "[assembly]") {
  const rod::Chain<double> chain = test::soft_rod<Rod>(0.02, 2).straight(V::Zero(), SO3<double>::identity());
  State one, two;
  one.chains = {chain};
  two.chains = {chain, chain};
  two.time = 1;
  CHECK_THROWS_WITH(assembly::interpolated(one, two, 0.5),
                    ContainsSubstring("both states must be of one assembly"));
  two.chains.pop_back();
  CHECK(assembly::interpolated(one, two, 0.5).time == 0.5);
  two.z = Vec<double, 1>::Zero();
  CHECK_THROWS_AS(assembly::interpolated(one, two, 0.5), std::invalid_argument);
}

}  // namespace history_test
