// Bodies that say their loads and powers with the time, or without it.

#include <dalembert/assembly/detail/body_calls.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/loose_nodes.hpp"

namespace body_calls_test {

using namespace dalembert;
using namespace dalembert::assembly;
using assembly::detail::entry;
using assembly::detail::forces_of;
using assembly::detail::power_of_loads;
using Numbers = rod::Columns<double, 6>;

/// A body with a weight, and no power.
struct Still : test::LooseNodes {
  bool good = true;
  bool forces(const Chain<double>&, Numbers& f) const {
    f(0, 2) = -9;
    return good;
  }
  friend double load_power(const Still&, const Chain<double>& at, const Numbers& a, const Numbers& f) {
    return at.velocity(0, 2) * f(0, 2) + 100 * a(0, 2);
  }
};
/// One whose weight grows with the time; what it says without the time is not to be asked.
struct Growing : Still {
  using Still::forces;
  bool forces(const Chain<double>&, double t, Numbers& f) const {
    f(0, 2) = -9 * t;
    return t < 5;
  }
  friend double load_power(const Growing&, const Chain<double>& at, const Numbers& a, const Numbers& f,
                           double t) {
    return t * (at.velocity(0, 2) * f(0, 2) + 100 * a(0, 2));
  }
};

TEST_CASE("loads are those of the time where a body says them so, and tell where they mean nothing",
          "[assembly][body_calls]") {
  const Chain<double> at(1);
  Numbers f = rod::zero_columns<double, 6>(1);
  Still still;
  CHECK(forces_of(still, at, 3.0, f));
  CHECK(f(0, 2) == -9);
  still.good = false;
  CHECK(!forces_of(still, at, 3.0, f));
  const Growing growing;
  for (const double t : {-1.0, 3.0, 4.5}) {
    CHECK(forces_of(growing, at, t, f));
    CHECK(f(0, 2) == -9 * t);
  }
  CHECK(!forces_of(growing, at, 6.0, f));
}

TEST_CASE("powers are those of the time where a body says them so", "[assembly][body_calls]") {
  test::Draw draw(test::seed());
  Chain<double> at(1);
  Numbers a = rod::zero_columns<double, 6>(1), f = a;
  at.velocity(0, 2) = draw.between(-1, 1);
  a(0, 2) = draw.between(-1, 1);
  f(0, 2) = draw.between(-1, 1);
  const double power = at.velocity(0, 2) * f(0, 2) + 100 * a(0, 2);
  CHECK(power_of_loads(Still{}, at, a, f, 3.0) == power);
  CHECK(power_of_loads(Growing{}, at, a, f, 3.0) == 3.0 * power);
}

TEST_CASE("the numbers of a body are those of its chain, or of its line", "[assembly][body_calls]") {
  static_assert(Body<Still> && Body<Growing> && LineBody<test::LooseMasses> && !LineBody<Still>);
  State<double> x;
  x.chains = {Chain<double>(2), Chain<double>(1), Chain<double>{}};
  x.lines.resize(3);
  CHECK(&entry<Still>(x, 1) == &x.chains[1]);
  CHECK(&entry<test::LooseMasses>(x, 2) == &x.lines[2]);
  NodeNumbers<double> f;
  f.chains.resize(3);
  f.lines.resize(3);
  CHECK(&entry<Still>(f, 0) == &f.chains[0]);
  const NodeNumbers<double>& given = f;
  CHECK(&entry<test::LooseMasses>(given, 2) == &f.lines[2]);
}

}  // namespace body_calls_test
