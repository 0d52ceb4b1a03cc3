// Which integrator serves which kind of problem: each assertion below a line of the site's table (cmake/site/integrators.md) says what that line says.

#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/rocard_tire.hpp>
#include <dalembert/systems/rolling_rods.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

namespace {

using namespace dalembert;

// The kinds of problems: one or two of each.
using Velocity = LagrangeDAlembert<systems::ChaplyginSleigh<double>>;  // rows of order 1
using Position = LagrangeDAlembert<systems::WhippleBicycle<double>>;   // rows of order 0 beside them
using Internal = LagrangeDAlembert<systems::RocardTire<double>>;       // coordinates without inertia
using Rods = assembly::Assembly<assembly::Kinds<rod::ElasticRod<double>>>;
using Rolling = assembly::Assembly<assembly::Kinds<rod::ElasticRod<double>>,
                                   assembly::Kinds<contact::RollingContact<double>>>;

static_assert(position_rows<systems::ChaplyginSleigh<double>> == 0);
static_assert(position_rows<systems::WhippleBicycle<double>> > 0);
static_assert(internal_size<systems::RocardTire<double>> > 0);

/// What a method asks of a problem. A method that is given another refuses it by a static_assert of its own, so it is not asked.
template <class M, class P>
constexpr bool asks = Problem<P>;
template <class P>
constexpr bool asks<Verlet, P> = SplitProblem<P>;
template <class P>
constexpr bool asks<ThreadedVerlet, P> = SplitProblem<P>;
template <class P>
constexpr bool asks<DiscreteGradient, P> = ImplicitProblem<P>;
template <class P>
constexpr bool asks<ImplicitMidpoint, P> = ImplicitProblem<P>;
template <class P>
constexpr bool asks<GeneralizedAlpha, P> = ImplicitProblem<P>;
template <class Rule, class P>
constexpr bool asks<Symmetric<Rule>, P> = StepAccelerationProblem<P>;
template <class M, int Order, class P>
constexpr bool asks<Composition<M, Order>, P> = asks<M, P>;

template <class M, class P>
constexpr bool serves() {
  if constexpr (asks<M, P>) {
    return requires(const M& method, const P& problem, typename P::State& state) {
      { method.stepper(problem, state) } -> StepperFor<P>;
    };
  }
  return false;
}

/// Whether all of the methods serve just the kinds that are said: velocity rows; other rows and coordinates; rods; rolling rods.
template <class... M>
constexpr bool row(bool velocity, bool other, bool rods, bool rolling) {
  return ((serves<M, Velocity>() == velocity && serves<M, Position>() == other &&
           serves<M, Internal>() == other && serves<M, Rods>() == rods && serves<M, Rolling>() == rolling) &&
          ...);
}

template <int Order>
using Composed = Composition<NonholonomicMcLachlanPerlmutter, Order>;

// | `RungeKutta4`, `DormandPrince54`, `DormandPrince853` | yes | yes | yes | yes |
static_assert(row<RungeKutta4, DormandPrince54, DormandPrince853>(true, true, true, true));
// | `Gauss<1…6>` | yes | yes | yes | yes |
static_assert(row<Gauss<1>, Gauss<2>, Gauss<3>, Gauss<4>, Gauss<5>, Gauss<6>>(true, true, true, true));
// | `Radau<2>`, `Radau<3>` | yes | yes | yes | yes |
static_assert(row<Radau<2>, Radau<3>>(true, true, true, true));
// | `NonholonomicMcLachlanPerlmutter`, `Composition<…, 4>`, `Composition<…, 6>` | yes | no | no | no |
static_assert(row<NonholonomicMcLachlanPerlmutter, Composed<4>, Composed<6>>(true, false, false, false));
// | `NonholonomicLeapfrog` | yes | no | no | no |
static_assert(row<NonholonomicLeapfrog>(true, false, false, false));
// | `NonholonomicEnergyPreserving` | yes | no | no | no |
static_assert(row<NonholonomicEnergyPreserving>(true, false, false, false));
// | `Verlet`, `ThreadedVerlet` | no | no | yes | yes |
static_assert(row<Verlet, ThreadedVerlet>(false, false, true, true));
// | `DiscreteGradient`, `ImplicitMidpoint`, `GeneralizedAlpha` | no | no | yes | yes |
static_assert(row<DiscreteGradient, ImplicitMidpoint, GeneralizedAlpha>(false, false, true, true));

}  // namespace
