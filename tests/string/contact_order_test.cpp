#include <dalembert/string/contact_order.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace contact_order_test {

using namespace dalembert;
using String = strings::GridString<double>;
using Contact = strings::GridContact<double>;
using Column = Vec<double, Eigen::Dynamic>;

/// Two strings, of which the first moves evenly, and two contacts of which the faster one lies behind.
struct Race {
  String s{{.points = 200, .ends = strings::Ends::periodic}};
  std::vector<Contact> contacts{{{0, s, 0.1}, {1, s, 0.1}, 1, 0.9, 0.0},
                                {{0, s, 0.1}, {1, s, 0.1}, 1, 0.3, 0.0}};
  assembly::Assembly<assembly::Kinds<String>, assembly::Kinds<Contact>> problem{
      assembly::bodies(std::vector{s, s}), assembly::constraints(contacts)};

  auto start(const Column& z) const {
    auto lines = std::vector{s.line({}), s.line({})};
    for (auto& line : lines) line.velocity.setConstant(0.5);
    return problem.state(lines, z);
  }
};

TEST_CASE("contacts that pass each other on a string end a run", "[string]") {
  const Race race;
  // 1 and 1.6 on the first string, far apart on the second: they meet after 0.6/(0.45 − 0.15) s
  auto x = race.start(Vec<double, 4>(1, 1, 1.6, 4));
  strings::ContactOrder<double> order(race.contacts,
                                      {race.s.parameters().length, race.s.parameters().length});
  CHECK_THROWS_AS(
      drive(Verlet{}, race.problem, x, {.step = 0.01, .until = 3.0, .output_interval = 0.01}, order),
      ContactsMeet);
  CHECK(x.time == Approx(2).margin(0.03));
}

TEST_CASE("contacts that turn away from each other around a closed string do not meet", "[string]") {
  const Race race;
  // 3.2 is the far side of 0.1: the way between them to the right becomes the longer one, then the shorter
  auto x = race.start(Vec<double, 4>(3.0, 1, 0.1, 4));
  strings::ContactOrder<double> order(race.contacts,
                                      {race.s.parameters().length, race.s.parameters().length});
  drive(Verlet{}, race.problem, x, {.step = 0.01, .until = 6.0, .output_interval = 0.01}, order);
  CHECK(x.z[0] - x.z[2] > M_PI);
}

TEST_CASE("contacts of an open string may come near each other from any distance", "[string]") {
  const Race race;
  strings::ContactOrder<double> order(race.contacts, {});
  for (const double second : {3.2, 2.8, 2.3, 2.001}) {
    const auto x = race.start(Vec<double, 4>(2, 1, second, 4));
    CHECK_NOTHROW(order(race.problem, x));
  }
  CHECK_THROWS_AS(order(race.problem, race.start(Vec<double, 4>(2, 1, 1.999, 4))), ContactsMeet);
}

}  // namespace contact_order_test
