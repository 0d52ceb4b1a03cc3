#include <dalembert/io/state_hash.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include <dalembert/assembly/state.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"

namespace state_hash_test {

using namespace dalembert;
using Model = LagrangeDAlembert<systems::ChaplyginSleigh<double>>;

TEST_CASE("the hash of numbers is that of Fowler, Noll and Vo over their bytes", "[hash]") {
  io::NumberHash none;
  CHECK(io::hash_text(none.value()) == "cbf29ce484222325");
  // 'foobar' and two zeros as the bytes of a double: the published hash of foobar, two steps further.
  const char bytes[] = {'f', 'o', 'o', 'b', 'a', 'r', '\0', '\0'};
  double number = 0;
  std::memcpy(&number, bytes, 8);
  io::NumberHash hash;
  hash.add(number);
  CHECK(hash.value() == 0x85944171f73967e8U * 0x100000001b3U * 0x100000001b3U);
}

TEST_CASE("every number of a state and its order are in the hash", "[hash]") {
  const Model::State state{.time = 1, .g = SE2d(0.3, 0.1, 0.2), .xi = {0.3, 0, 1.2}};
  const std::uint64_t hash = io::state_hash(state);
  CHECK(io::state_hash(state) == hash);
  std::vector<Model::State> others(5, state);
  others[0].time = std::nextafter(1.0, 2.0);
  others[1].xi[0] = std::nextafter(0.3, 1.0);
  others[2].xi[1] = -0.0;
  others[3].g = SE2d(0.3, 0.1, std::nextafter(0.2, 1.0));
  std::swap(others[4].xi[0], others[4].xi[2]);
  for (const auto& other : others) CHECK(io::state_hash(other) != hash);
}

TEST_CASE("states that are not finite have a hash too", "[hash]") {
  Model::State state{.xi = {std::numeric_limits<double>::infinity(), 0, 0}};
  const std::uint64_t hash = io::state_hash(state);
  state.xi[0] = 0;
  CHECK(io::state_hash(state) != hash);
}

TEST_CASE("the hash of an assembly's state is over its nodes and internal coordinates", "[hash]") {
  assembly::State<double> state;
  state.chains.emplace_back(3);
  state.z = Eigen::VectorXd::Zero(2);
  const std::uint64_t hash = io::state_hash(state);
  state.z[1] = 1e-300;
  CHECK(io::state_hash(state) != hash);
  state.z[1] = 0;
  CHECK(io::state_hash(state) == hash);
  state[0].set_velocity(2, {0, 0, 1e-20}, {0, 0, 0});
  CHECK(io::state_hash(state) != hash);
}

TEST_CASE("a number of more digits than a double is hashed with all of them", "[hash]") {
  io::NumberHash one, other;
  one.add(1.0L);
  other.add(1.0L + std::numeric_limits<long double>::epsilon());
  CHECK((one.value() != other.value() || sizeof(long double) == sizeof(double)));
}

}  // namespace state_hash_test
