#include <dalembert/assembly/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"

namespace state_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;

TEST_CASE("the difference of two states leads from the one to the other", "[assembly]") {
  const RigidBody<double> body{{.mass = 2, .inertia = {0.3, 0.2, 0.25}}};
  const Assembly problem{bodies(std::vector{body, body})};
  auto from = problem.state({body.at({0.1, 0.2, 0.3}, SO3d::exp(Vec3(0.3, -0.2, 0.5))),
                             body.at({1, 2, 3}, SO3d::exp(Vec3(-1.3, 0.7, 0.1)))});
  from[0].set_velocity(0, {0.5, -0.6, 0.7}, {0.1, 0.2, -0.3});
  from.time = 1.5;

  auto offset = problem.make_increment();
  offset.set_zero();
  offset.time = 0.25;
  for (std::size_t i = 0; i < 2; ++i)
    for (int j = 0; j < 6; ++j) {
      const double side = i == 0 ? 1 : -1;
      offset.displacement[i](0, j) = side * (0.2 + 0.1 * j);
      offset.velocity[i](0, j) = side * (1.1 - 0.3 * j);
    }
  auto to = from;
  problem.retract(from, offset, to);

  const auto found = difference(from, to);
  CHECK(found.time == Approx(0.25).epsilon(1e-14));
  for (std::size_t i = 0; i < 2; ++i)
    for (int j = 0; j < 6; ++j) {
      CAPTURE(i, j);
      CHECK(found.displacement[i](0, j) == Approx(offset.displacement[i](0, j)).epsilon(1e-13));
      CHECK(found.velocity[i](0, j) == Approx(offset.velocity[i](0, j)).epsilon(1e-13));
    }
  CHECK(difference(from, from).norm() < 1e-15);

  const Assembly single{bodies(std::vector{body})};
  const auto other = single.state({body.at({0, 0, 0})});
  CHECK_THROWS_AS(difference(from, other), std::invalid_argument);
}

TEST_CASE("states of strings with other nodes have no difference", "[assembly]") {
  const auto string = [](Eigen::Index nodes, double u) {
    State<double> x;
    x.chains.resize(1);
    x.lines.resize(1);
    x.lines[0].displacement = Vec<double, Eigen::Dynamic>::Constant(nodes, u);
    x.lines[0].velocity = Vec<double, Eigen::Dynamic>::Constant(nodes, 3 * u);
    return x;
  };
  const auto found = difference(string(4, 1), string(4, 1.5));
  CHECK((found.displacement.lines[0].array() == 0.5).all());
  CHECK((found.velocity.lines[0].array() == 1.5).all());
  CHECK_THROWS_WITH(difference(string(4, 1), string(5, 1)),
                    Catch::Matchers::ContainsSubstring("difference: nodes of a line = 5, but"));
}

/// The shape that numbers of a state are read into, and how many they are.
struct Shape {
  std::map<std::string, std::int64_t> sizes;
  Eigen::Index numbers = 0;
  void same(const std::string& name, std::int64_t size) { sizes[name] = size; }
  void operator()(const std::string&, const double&) { ++numbers; }
  template <class Block>
  void operator()(const std::string&, const Block& block) {
    numbers += block.size();
  }
};

TEST_CASE("the numbers of a state say how many chains and nodes they are of", "[assembly]") {
  State<double> x;
  x.chains = {Chain<double>(1), Chain<double>(5), Chain<double>(3)};
  x.z = Vec<double, 2>(1, 2);
  Shape shape;
  visit_numbers(x, shape);
  CHECK(shape.sizes == std::map<std::string, std::int64_t>{
                           {"rods", 3}, {"rod0.nodes", 1}, {"rod1.nodes", 5}, {"rod2.nodes", 3}});
  CHECK(shape.numbers == 1 + 13 * (1 + 5 + 3) + 2);
}

/// Puts down the numbers of rates as it is told them, and adds one to each multiplier.
struct Told {
  std::vector<double> velocities, internals, multipliers;
  void velocity(double& x) { velocities.push_back(x); }
  void internal(double& x) { internals.push_back(x); }
  void multiplier(double& x) { multipliers.push_back(x++); }
};

TEST_CASE("the numbers of rates are accelerations, rates of internal coordinates and multipliers",
          "[assembly]") {
  // one hangs from a joint that bears its weight, one without weight from another, and a third falls
  const RigidBody<double> heavy{{.mass = 2, .inertia = {0.3, 0.2, 0.25}, .gravity = {0, 0, -10}}},
      light{{.mass = 1, .inertia = {0.1, 0.1, 0.1}}};
  const Vec3 arm(0, 0, 0.5);
  using Joint = SphericalJoint<double>;
  const Assembly problem{bodies(std::vector{heavy, light, heavy}),
                         constraints(std::vector{Joint{{0, 0, arm}, FrameMarker<double>::in_space(arm)},
                                                 Joint{{1, 0, arm}, FrameMarker<double>::in_space(arm)}})};
  const auto x = problem.state({heavy.at({0, 0, 0}), light.at({0, 0, 0}), heavy.at({0, 0, 0})});
  auto rates = problem.make_rates();
  problem.rates(x, rates);
  Told told;
  visit_rates(x, rates, told);
  REQUIRE(told.velocities.size() == 18);
  for (std::size_t i = 0; i < 18; ++i)
    CHECK_THAT(told.velocities[i], Catch::Matchers::WithinAbs(i == 14 ? -10 : 0, 1e-12));
  CHECK(told.internals.empty());
  REQUIRE(told.multipliers.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK_THAT(told.multipliers[i], Catch::Matchers::WithinAbs(i == 2 ? 20 : 0, 1e-12));
  CHECK(rates.lambda[2] == told.multipliers[2] + 1);  // the numbers themselves, not copies
}

}  // namespace state_test
