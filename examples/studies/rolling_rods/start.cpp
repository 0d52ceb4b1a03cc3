#include <utility>

#include "rolling_rods/contacts.hpp"

namespace {

using namespace dalembert;

/// The rods in equilibrium under averages by a kernel.
template <class Kernel>
Start at_rest(const Options& options, const Kernel& kernel) {
  auto found = systems::static_start(options.rods, {}, options.contact == "bilateral", kernel);
  const auto contact = contact::evaluate(found.crossing, found.state, found.equilibrium.lambda);
  return {std::move(found.rods), {}, std::move(found.state), found.equilibrium.energy, contact};
}

/// Put a contact of one kind where the rods touch.
template <class Contact, class Kernel>
void put(Start& start, const Options& options, const Kernel& kernel) {
  const auto& p = options.rods;
  std::get<std::vector<Contact>>(start.contacts)
      .push_back({.first = {0, start.rods[0], p.kernel_width, kernel},
                  .second = {1, start.rods[1], p.kernel_width, kernel},
                  .radius1 = p.radius,
                  .radius2 = p.radius,
                  .bilateral = options.contact == "bilateral",
                  .integrate_positions = options.positions == "integrated"});
}

}  // namespace

Start start(const Options& options) {
  using namespace contact;
  using Shape = ChosenKernel::Shape;
  const bool cubic = options.kernel == "cubic", spatial = options.averaging == "spatial",
             gamma = options.tangency == "gamma";
  const ChosenKernel kernel{cubic                         ? Shape::cubic
                            : options.kernel == "quintic" ? Shape::quintic
                                                          : Shape::compact};
  Start start = cubic ? at_rest(options, CubicSpline{}) : at_rest(options, kernel);
  if (spatial && gamma && cubic) put<RollingContact<double>>(start, options, CubicSpline{});
  if (spatial && gamma && !cubic) put<RollingContact<double, ChosenKernel>>(start, options, kernel);
  if (spatial && !gamma)
    put<RollingOfRods<double, ChosenKernel, SpatialAveraging, MaterialTangency>>(start, options, kernel);
  if (!spatial && gamma)
    put<RollingOfRods<double, ChosenKernel, BodyAveraging, ElementTangency>>(start, options, kernel);
  if (!spatial && !gamma)
    put<RollingOfRods<double, ChosenKernel, BodyAveraging, MaterialTangency>>(start, options, kernel);
  return start;
}
