// Whether numbers of a state are finite, and copies of it.

#include <dalembert/assembly/detail/state_members.hpp>

#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace state_members_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V3 = Vec<double, 3>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

/// A chain of seven nodes, whose columns are longer than it, a string and a body, of numbers of this size.
State<double> state(double size) {
  test::Draw draw(test::seed());
  State<double> x;
  x.time = size;
  x.z = Vec<double, 2>(size, -size);
  for (const Eigen::Index nodes : {7, 0, 1}) {
    Chain<double> chain = nodes > 0 ? Chain<double>(nodes) : Chain<double>{};
    for (Eigen::Index k = 0; k < nodes; ++k) {
      const auto turn = draw.rotation();
      const V3 place = size * draw.vector(), velocity = size * draw.vector(), spin = size * draw.vector();
      chain.set_frame(k, turn, place);
      chain.set_velocity(k, velocity, spin);
    }
    x.chains.push_back(chain);
    Line<double> line;
    if (nodes == 0) line.displacement = line.velocity = Vec<double, 3>(size * draw.vector());
    x.lines.push_back(line);
  }
  return x;
}

TEST_CASE("numbers that are not finite are seen wherever they are, those of velocities by a quick look",
          "[assembly][state_members]") {
  for (const double size : {1e-6, 1.0, 1e150}) {
    const State<double> good = state(size);
    CHECK(good.is_finite());
    CHECK(good.is_finite_throughout());
    for (const double bad : {nan, infinity, -infinity}) {
      const auto check = [&](bool is_velocity, const auto& spoil) {
        State<double> x = good;
        spoil(x) = bad;
        CHECK(!x.is_finite_throughout());
        CHECK(x.is_finite() == !is_velocity);
        CHECK(good.is_finite_throughout());
      };
      for (const auto& [b, k] : {std::pair{0, 0}, {0, 6}, {2, 0}})
        for (int i = 0; i < 6; ++i) {
          CAPTURE(b, k, i);
          const auto body = static_cast<std::size_t>(b);
          check(true, [&, n = k](auto& x) -> double& { return x[body].velocity(n, i); });
          check(false, [&, n = k](auto& x) -> double& { return x[body].configuration(n, i); });
        }
      check(true, [](auto& x) -> double& { return x.lines[1].velocity[2]; });
      check(false, [](auto& x) -> double& { return x.lines[1].displacement[0]; });
      check(false, [](auto& x) -> double& { return x.time; });
      check(false, [](auto& x) -> double& { return x.z[1]; });
    }
  }
}

TEST_CASE("infinities of opposite signs do not make up for each other", "[assembly][state_members]") {
  State<double> x = state(1);
  x[0].velocity(1, 2) = infinity;
  x[2].velocity(0, 2) = -infinity;
  CHECK(!x.is_finite());
  x = state(1);
  x.z = Vec<double, 2>(infinity, -infinity);
  CHECK(!x.is_finite_throughout());
}

TEST_CASE("a copy has the numbers of a state and goes its own way", "[assembly][state_members]") {
  State<double> x = state(1);
  x.set = 9;
  State<double> copy(x), assigned;
  assigned = x;
  for (State<double>* const y : {&copy, &assigned}) {
    CHECK(y->set == 9);
    CHECK(difference(x, *y).norm() == 0);
    CHECK(y->time == x.time);
    CHECK(y->identity() != x.identity());
    (*y)[0].velocity(0, 0) += 1;
    y->lines[1].displacement[1] += 2;
    y->z[0] += 3;
    CHECK(difference(x, *y).velocity.norm() == 1);
    CHECK(difference(x, *y).displacement.norm() == 2);
    CHECK(difference(x, *y).z[0] == Approx(3));
  }
}

}  // namespace state_members_test
