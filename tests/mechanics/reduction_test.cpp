#include <dalembert/mechanics/reduction.hpp>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include <Eigen/Geometry>

#include "support/catch.hpp"
#include "support/systems.hpp"

namespace reduction_test {

using namespace dalembert;

const Vec<double, 3> turn(0.4, -1.2, 0.8);

TEST_CASE("what is fixed in space turns back in the body, what is fixed in the body turns along in space",
          "[reduction]") {
  const Advected<SO3d> a(Vec<double, 3>(0.3, -0.5, 0.9));
  const auto seen_from_body = detail::moved_by<trivialisation::Left>(a, turn);
  const auto seen_from_space = detail::moved_by<trivialisation::Right>(a, turn);
  CHECK((seen_from_body.value() - SO3d::exp(turn).inverse().act(a.value())).norm() < 1e-14);
  CHECK((seen_from_space.value() - SO3d::exp(turn).act(a.value())).norm() < 1e-14);
  CHECK((seen_from_body.value() - seen_from_space.value()).norm() > 0.5);
}

/// A symmetric heavy top seen from space, reduced: all that it knows of its attitude is the direction a of its axis.
///   ℓ = ½A|ω|² + ½(C − A)(a·ω)² − w a₃,  ȧ = ω × a
///   d/dt (Aω + (C − A)(a·ω)a) = a × (−w e₃)                                                            (1)
struct SymmetricTopInSpace {
  using Group = SO3<double>;
  using Trivialisation = trivialisation::Right;
  using Configuration = Advected<SO3<double>>;
  double across = 1.4, along = 0.6, weight = 3;
  template <class T>
  T lagrangian(const Advected<SO3<T>>& a, const Vec<T, 3>& w) const {
    const T spin = a[0] * w[0] + a[1] * w[1] + a[2] * w[2];
    const T square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    return (across * square + (along - across) * spin * spin) / 2 - weight * a[2];
  }
};

TEST_CASE("a top reduced by its own symmetry obeys the balance of its momentum in space", "[reduction]") {
  const SymmetricTopInSpace top;
  const LagrangeDAlembert problem{top};
  const Vec<double, 3> a = Vec<double, 3>(0.3, -0.5, 0.9).normalized(), w(1, 2, 3);
  const auto state = problem.state(Advected<SO3d>(a), w);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  // (1) with d/dt (a·ω) = a·ω̇, as ȧ·ω = 0.
  const double more = top.along - top.across;
  const Vec<double, 3> change =
      top.across * rates.xidot + more * (a.dot(rates.xidot) * a + a.dot(w) * w.cross(a));
  CHECK((change - a.cross(Vec<double, 3>(0, 0, -top.weight))).norm() < 1e-14);
  CHECK(std::abs(a.dot(rates.xidot)) < 1e-14);  // weight does not change the spin about the axis

  auto step = problem.make_increment(), slope = step;
  problem.slope(state, step, rates, slope);
  auto moved = state;
  step.add_scaled(0.1, slope);
  problem.retract(state, step, moved);
  CHECK((moved.g.value() - SO3d::exp(0.1 * w).act(a)).norm() < 1e-14);
}

}  // namespace reduction_test
