// How results depend on parameters: derivatives that numbers carry along, against differences of plain runs.

#include <cmath>
#include <functional>
#include <vector>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/sections.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"

namespace sensitivity_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::WithinRel;
using D = Dual<double, 3>;

/// Young's modulus [Pa], a load [N] and a length [m].
template <class S>
using Parameters = Vec<S, 3>;
const Parameters<double> usual(2e6, 0.3, 1.0);

/// Derivatives of f by the parameters, by differences of order 4.
Vec<double, 3> differences(const std::function<double(const Parameters<double>&)>& f, double width) {
  Vec<double, 3> slopes;
  for (int i = 0; i < 3; ++i) {
    const auto at = [&](double steps) {
      Parameters<double> p = usual;
      p[i] *= 1 + steps * width;
      return f(p);
    };
    slopes[i] = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * width * usual[i]);
  }
  return slopes;
}
Parameters<D> variables() {
  return {D::variable(usual[0], 0), D::variable(usual[1], 1), D::variable(usual[2], 2)};
}
void compare(const D& x, const Vec<double, 3>& slopes, double digits) {
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(slopes[i] != 0);
    CHECK_THAT(x.derivative(i), WithinRel(slopes[i], digits));
  }
}

template <class S>
using Rod = rod::ElasticRod<S>;

/// Clamped at its start, pulled aside at its end.
template <class S>
Rod<S> cantilever(const Parameters<S>& p) {
  const rod::CircularSection<S> section(
      {.radius = S(0.02), .young = p[0], .poisson = S(0.3), .density = S(1100), .shear_factor = S(0.9)});
  typename Rod<S>::Parameters of;
  of.elements = 12;
  of.length = p[2];
  of.inertia = section.inertia();
  of.start = rod::Boundary<S>::clamped();
  of.loads.finish.force = Vec<S, 3>(p[1], S(2) * p[1], S(-0.5) * p[1]);
  return Rod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), of);
}
template <class S>
rod::Chain<S> bent(Rod<S>& rod) {
  auto chain = rod.straight(Vec<S, 3>(S(0), S(0), S(0)), SO3<S>::identity());
  (void)rod::static_equilibrium(rod, chain);
  return chain;
}

TEST_CASE("the displacement of a tip knows how it depends on a modulus, a load and a length",
          "[assembly][scalars]") {
  const auto tip = [](auto p) {
    auto rod = cantilever<typename decltype(p)::Scalar>(p);
    return bent(rod).position(12)[1];
  };
  compare(tip(variables()), differences([&](const auto& p) { return tip(p); }, 1e-3), 1e-7);
}

TEST_CASE("derivatives of an equilibrium are found as well as its values", "[assembly][scalars][statics]") {
  using D1 = Dual<double, 1>;
  using D2 = Dual<D1, 1>;
  const auto tip = [](double step_tolerance) {
    const D2 load = D2(D1::variable(usual[1], 0)) + D2::variable(D1(0), 0);
    auto rod = cantilever<D2>({D2(D1(usual[0])), load, D2(D1(usual[2]))});
    auto chain = rod.straight(Vec<D2, 3>(D2(D1(0)), D2(D1(0)), D2(D1(0))), SO3<D2>::identity());
    rod::StaticOptions<D2> options;
    options.step_tolerance = step_tolerance;  // sizes have no derivatives
    const rod::StaticResult<D2> found = rod::static_equilibrium(rod, chain, options);
    static_assert(std::same_as<decltype(found.residual), double>);
    CHECK(found.residual < options.tolerance);
    return D2(chain.position(12)[1]);
  };
  const D2 loose = tip(1e-3), tight = tip(1e-15);
  CHECK_THAT(loose.value().value(), WithinRel(tight.value().value(), 1e-9));
  CHECK_THAT(loose.value().derivative(0), WithinRel(tight.value().derivative(0), 1e-9));
  CHECK_THAT(loose.derivative(0).derivative(0), WithinRel(tight.derivative(0).derivative(0), 1e-9));
  CHECK(std::abs(tight.derivative(0).derivative(0)) > 0.1 * std::abs(tight.value().derivative(0)));
}

/// Springs beside all nodes, with or without their stiffness.
template <class S, bool told>
struct Bed {
  S k;
  template <class B>
  void add(const B&, const rod::Chain<S>& at, S, rod::Columns<S, 6>& f) const {
    for (Eigen::Index i = 0; i < at.nodes; ++i)
      for (int j = 0; j < 2; ++j) f(i, j) -= k * at.configuration(i, j);
  }
  template <class B, class Add>
    requires(told)
  void add_stiffness(const B&, const rod::Chain<S>& at, S, Add&& add) const {
    Mat<S, 6, 6> block = Mat<S, 6, 6>::Constant(S(0));
    block(0, 0) = block(1, 1) = k;
    for (Eigen::Index i = 0; i < at.nodes; ++i) add(i, i, block);
  }
};
/// A rod that has them of itself.
template <class S>
struct Bedded : Rod<S> {
  S k;
  Bedded(const Rod<S>& rod, S spring) : Rod<S>(rod), k(spring) {}
  bool forces(const rod::Chain<S>& at, rod::Columns<S, 6>& f) const {
    const bool valid = Rod<S>::forces(at, f);
    Bed<S, true>{k}.add(*this, at, S(0), f);
    return valid;
  }
  template <class Add>
  friend void add_stiffness(const Bedded& rod, const rod::Chain<S>& at, Add&& add) {
    rod::add_stiffness(static_cast<const Rod<S>&>(rod), at, add);
    Bed<S, true>{rod.k}.add_stiffness(rod, at, S(0), add);
  }
};

TEST_CASE(
    "an equilibrium over numbers with derivatives is found as quickly as in plain ones, whatever the loads",
    "[assembly][scalars][statics]") {
  using D1 = Dual<double, 1>;
  int iterations[2]{};
  const auto tip = [&](auto k, const auto& bed) {
    using S = decltype(k);
    const auto bedded = bed(cantilever<S>({S(usual[0]), S(usual[1]), S(usual[2])}), k);
    auto chain = bedded.straight(Vec<S, 3>(S(0), S(0), S(0)), SO3<S>::identity());
    iterations[DualReal<S> ? 1 : 0] = rod::static_equilibrium(bedded, chain).iterations;
    return S(chain.position(12)[1]);
  };
  const auto check = [&](const auto& bed) {
    for (const double k : {0.01, 1.0, 100.0}) {
      CAPTURE(k);
      const D1 with = tip(D1::variable(k, 0), bed);
      const double slope = (tip(1.001 * k, bed) - tip(0.999 * k, bed)) / (0.002 * k);
      CHECK_THAT(with.value(), WithinRel(tip(k, bed), 1e-9));
      CHECK_THAT(with.derivative(0), WithinRel(slope, 1e-5));
      CHECK(iterations[1] <= iterations[0] + 4);
    }
  };
  check([]<class S>(const Rod<S>& rod, const S& k) { return WithLoad{rod, Bed<S, false>{k}}; });
  check([]<class S>(const Rod<S>& rod, const S& k) { return WithLoad{rod, Bed<S, true>{k}}; });
  check([]<class S>(const Rod<S>& rod, const S& k) { return Bedded<S>(rod, k); });
}

TEST_CASE("derivatives of an equilibrium in single precision are as good as its values",
          "[assembly][scalars]") {
  const auto tip = [](auto young, float load) {
    using S = decltype(young);
    const rod::CircularSection<S> section({.radius = S(0.014f), .young = young, .density = S(1100)});
    const S force(0.1231505f * load);  // by EI/L²
    const Rod<S> rod(section, {.elements = 6,
                               .length = S(0.7f),
                               .start = rod::Boundary<S>::clamped(),
                               .loads = {.finish = {.force = {force, S(0.3f) * force, S(-0.2f) * force}}}});
    auto chain = rod.straight(Vec<S, 3>(S(0), S(0), S(0)), SO3<S>::identity());
    (void)rod::static_equilibrium(rod, chain);
    return S(chain.position(6)[0]);
  };
  for (int i = 1; i <= 30; ++i) {
    const float load = 0.1f * static_cast<float>(i);
    CAPTURE(load);
    const auto exact = tip(Dual<double, 1>::variable(2e6, 0), load);
    const auto found = tip(Dual<float, 1>::variable(2e6f, 0), load);
    CHECK_THAT(double(found.value()), WithinRel(exact.value(), 1e-4));
    CHECK_THAT(double(found.derivative(0)), WithinRel(exact.derivative(0), 2e-3));
  }
}

TEST_CASE("a mode's frequency knows how it depends on a modulus, a load and a length",
          "[assembly][modes][scalars]") {
  const auto square = [](const Parameters<double>& p, std::size_t i) {
    auto rod = cantilever<double>(p);
    const auto chain = bent(rod);
    const Assembly problem{bodies(std::vector{rod})};
    return modes(problem, problem.state({chain}), {.count = 4})[i];
  };
  auto rod = cantilever<D>(variables());
  const auto chain = bent(rod);
  const Assembly problem{bodies(std::vector{rod})};
  const auto x = problem.state({chain});
  for (const std::size_t i : {0u, 1u, 3u}) {
    CAPTURE(i);
    const auto mode = square(usual, i);
    const D with = mode_square(problem, x, mode);
    CHECK_THAT(with.value(), WithinRel(mode.square, 1e-8));
    compare(with, differences([&](const auto& p) { return square(p, i).square; }, 1e-3), 1e-6);
  }
}

/// Two clamped rods that cross and press on each other, under a contact C.
template <class S>
struct Crossed {
  using Contact = contact::RollingContact<S>;
  using Problem = Assembly<Kinds<Rod<S>>, Kinds<Contact>>;

  explicit Crossed(const Parameters<S>& p) : rod(make(p)), problem(put(rod)), x(start(p)) {}
  static Rod<S> make(const Parameters<S>& p) {
    const rod::CircularSection<S> section(
        {.radius = S(0.005), .young = p[0], .poisson = S(0.3), .density = S(1100), .shear_factor = S(0.9)});
    typename Rod<S>::Parameters of;
    of.elements = 16;
    of.length = p[2];
    of.inertia = section.inertia();
    of.loads.gravity = Vec<S, 3>(S(10) * p[1], S(20) * p[1], S(5) * p[1]);
    of.start = of.finish = rod::Boundary<S>::clamped();
    return Rod<S>(rod::LinearElastic<S>(section.stiffness_diagonal()), of);
  }
  static Problem put(const Rod<S>& rod) {
    const S width = S(0.1) * rod.length();
    return Problem(bodies(std::vector{rod, rod}),
                   constraints(std::vector{Contact{{0, rod, width}, {1, rod, width}, S(0.005), S(0.005)}}));
  }
  State<S> start(const Parameters<S>& p) const {
    const S zero(0), a(0.005), quarter(M_PI / 2);
    auto first = rod.straight(Vec<S, 3>(S(-0.5), S(0.02), -a), SO3<S>::exp(Vec<S, 3>(zero, quarter, zero)),
                              S(1.1) / p[2]);
    auto second = rod.straight(Vec<S, 3>(S(0.03), S(-0.6), a), SO3<S>::exp(Vec<S, 3>(-quarter, zero, zero)),
                               S(1.1) / p[2]);
    for (const Eigen::Index k : {0, 16}) {  // hooked into each other
      first.configuration(k, 2) += S(0.04);
      second.configuration(k, 2) -= S(0.04);
    }
    const S half = p[2] / S(2);
    auto at = problem.state({first, second}, Vec<S, 2>(half, half));
    (void)static_equilibrium(problem, at);
    return at;
  }

  Rod<S> rod;
  Problem problem;
  State<S> x;
};

TEST_CASE("the place of a rolling contact after a while knows how it depends on parameters",
          "[assembly][scalars]") {
  const auto place = [](auto p) {
    using S = typename decltype(p)::Scalar;
    const Crossed<S> rods(p);
    auto x = rods.x;
    for (Eigen::Index k = 4; k < 12; ++k) x[1].velocity(k, 0) = S(1.0);
    rods.problem.project(x);
    auto verlet = Verlet{}.stepper(rods.problem, x);
    for (int i = 0; i < 100; ++i) REQUIRE(verlet.step(rods.problem, x, S(1e-4)).converged);
    return x.z[0];
  };
  const double rest = Crossed<double>(usual).x.z[0];
  CHECK(std::abs(place(usual) - rest) > 1e-3);
  compare(place(variables()), differences([&](const auto& p) { return place(p); }, 1e-3), 1e-5);
}

TEST_CASE("the place of a contact passes on derivatives where its value need not move",
          "[assembly][scalars]") {
  const Crossed<double> rods(usual);
  const auto place = [&](double by) {
    auto x = rods.x;
    x[0].configuration(8, 0) += by;
    rods.problem.solve_algebraic(x);
    return x.z[1];
  };
  const Parameters<D> constants = usual.cast<D>();
  const Crossed<D> same(constants);
  auto x = same.x;
  x[0].configuration(8, 0) += D::variable(0.0, 0);
  same.problem.solve_algebraic(x);
  CHECK_THAT(x.z[1].derivative(0), WithinRel((place(1e-4) - place(-1e-4)) / 2e-4, 1e-5));
}

TEST_CASE("modes of rods in contact know how they depend on parameters", "[assembly][modes][scalars]") {
  const auto square = [](const Parameters<double>& p) {
    const Crossed<double> rods(p);
    return modes(rods.problem, rods.x, {.count = 3})[2];
  };
  const auto mode = square(usual);
  const Crossed<D> rods(variables());
  compare(mode_square(rods.problem, rods.x, mode),
          differences([&](const auto& p) { return square(p).square; }, 2e-3), 1e-5);
}

}  // namespace sensitivity_test
