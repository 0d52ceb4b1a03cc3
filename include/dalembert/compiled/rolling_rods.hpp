#pragma once

#include <vector>

#include <dalembert/compiled/rods.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/contact/crossing_view.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/systems/rolling_rods.hpp>

/// Of the compiled library: elastic rods that roll on each other.
namespace dalembert::compiled {

using Crossings = assembly::Kinds<contact::Crossing<double>>;  ///< any number of them
using RollingRods = assembly::Assembly<Rods, Crossings>;       ///< rods in rolling contact

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Crossings);

namespace contact {
DALEMBERT_INSTANTIATE class OverlapCheck<double>;
DALEMBERT_INSTANTIATE std::vector<Tube<double>> surfaces(const compiled::RollingRods&,
                                                         const std::vector<double>&);
DALEMBERT_INSTANTIATE CrossingView<double> view(const Crossing<double>&, const assembly::State<double>&,
                                                const Vec<double, Eigen::Dynamic>&, int, int);
}  // namespace contact

namespace systems {
DALEMBERT_INSTANTIATE RollingRodsStart<double, contact::CubicSpline> static_start(
    const RollingRodsParameters<double>&, const assembly::StaticOptions<double>&, bool, contact::CubicSpline);
DALEMBERT_INSTANTIATE void set_initial_velocity(const compiled::RollingRods&, assembly::State<double>&,
                                                const RollingRodsParameters<double>&);
}  // namespace systems

}  // namespace dalembert
#endif
