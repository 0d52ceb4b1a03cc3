#include <dalembert/rod/load.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/core/dual.hpp>
#include <dalembert/core/number.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace load_test {

using dalembert::rod::Damping;
using dalembert::rod::EndLoad;
using dalembert::rod::Loads;

/// Each number of the loads on a rod.
std::vector<double*> numbers(Loads<double>& loads) {
  std::vector<double*> all;
  for (auto* vector : {&loads.gravity, &loads.start.force, &loads.start.moment, &loads.start.follower_force,
                       &loads.start.follower_moment, &loads.finish.force, &loads.finish.moment,
                       &loads.finish.follower_force, &loads.finish.follower_moment})
    for (int i = 0; i < 3; ++i) all.push_back(&(*vector)[i]);
  return all;
}

TEST_CASE("a rod bears no load and no damping unless it is given some", "[rod][load]") {
  Loads<double> loads;
  for (const double* x : numbers(loads)) CHECK(*x == 0);
  CHECK(loads.finite());
  CHECK(Damping<double>{}.rate == 0);
}

TEST_CASE("loads are finite where each of their numbers is", "[rod][load]") {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    for (int i = 0; i < 27; ++i) {
      Loads<double> loads;
      *numbers(loads)[static_cast<std::size_t>(i)] = bad;
      CAPTURE(i, bad);
      CHECK_FALSE(loads.finite());
      CHECK(loads.start.finite() == (i < 3 || i >= 15));
      CHECK(loads.finish.finite() == (i < 15));
    }
}

TEST_CASE("a load is the same over other numbers", "[rod][load]") {
  using D = dalembert::Dual<double, 1>;
  const EndLoad<double> load{
      .force = {1, 2, 3}, .moment = {4, 5, 6}, .follower_force = {7, 8, 9}, .follower_moment = {10, 11, 12}};
  auto with = load.cast<D>();
  CHECK(dalembert::number::is_zero(D(with.follower_moment[2] - 12.0)));
  with.force[0].set_derivative(0, 5);
  const auto back = with.cast<double>();
  CHECK(back.force == load.force);
  CHECK(back.moment == load.moment);
  CHECK(back.follower_force == load.follower_force);
  CHECK(back.follower_moment == load.follower_moment);
}

TEST_CASE("scaled loads have every number times the factor", "[rod][load]") {
  test::Draw draw(test::seed());
  Loads<double> loads;
  for (double* x : numbers(loads)) *x = draw.between(-1, 1);
  for (const double factor : {0.0, -2.5, 1e6}) {
    Loads<double> scaled = loads.scaled(factor);
    for (std::size_t i = 0; i < 27; ++i) CHECK(*numbers(scaled)[i] == factor * *numbers(loads)[i]);
  }
}

}  // namespace load_test
