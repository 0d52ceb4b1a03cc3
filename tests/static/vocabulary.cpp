// The two engines, and the small motions that both have, say the same by the same names.

#include <complex>
#include <concepts>

#include <dalembert/analysis/linearization.hpp>
#include <dalembert/assembly/rates.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/mechanics/state.hpp>
#include <dalembert/modes/linearization.hpp>

namespace vocabulary {

using namespace dalembert;

template <class R>
concept TellsRedundantRows = requires(const R& rates) {
  { rates.report.redundant_rows } -> std::convertible_to<int>;
};
static_assert(TellsRedundantRows<Rates<SE2<double>, 1>> && TellsRedundantRows<assembly::Rates<double, int>>);

template <class O>
concept ToleratesImbalance = requires(const O& options) {
  { options.equilibrium_tolerance } -> std::convertible_to<double>;
};
static_assert(ToleratesImbalance<analysis::LinearizationOptions<double>> &&
              ToleratesImbalance<assembly::LinearizationOptions<double>> &&
              ToleratesImbalance<assembly::ModeOptions<double>>);

template <class M>
concept Grows = requires(const M& motion) {
  { motion.growth() } -> std::convertible_to<double>;
};
static_assert(Grows<analysis::Linearization<double>> && Grows<assembly::LinearMotion<double>> &&
              Grows<assembly::Mode<double>>);

}  // namespace vocabulary
