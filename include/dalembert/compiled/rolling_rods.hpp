#pragma once

#include <vector>

#include <dalembert/compiled/rods.hpp>
#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/contact/places.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/systems/rolling_rods.hpp>

/// Of the compiled library: elastic rods that roll on each other.
namespace dalembert::compiled {

using Crossings = assembly::Kinds<contact::RollingContact<double>>;  ///< any number of them
using RollingRods = assembly::Assembly<Rods, Crossings>;             ///< rods in rolling contact
using Rolling = contact::RollingContact<double>;                     ///< of two rods

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE_CONSTRAINT(compiled::Rolling);
DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Crossings);

namespace assembly::detail {
DALEMBERT_INSTANTIATE class StaticOfConstraint<compiled::Rolling>;
DALEMBERT_INSTANTIATE class StaticSystem<compiled::Rods, compiled::Crossings>;
}  // namespace assembly::detail

namespace contact {
DALEMBERT_INSTANTIATE class KernelAverage<double, CubicSpline, rod::WindowPack<double>>;
DALEMBERT_INSTANTIATE class PlaceSearch<double>;
DALEMBERT_INSTANTIATE class BlockGrid<double>;
DALEMBERT_INSTANTIATE class OverlapCheck<double>;
DALEMBERT_INSTANTIATE std::vector<Tube<double>> surfaces(const compiled::RollingRods&,
                                                         const std::vector<double>&);
DALEMBERT_INSTANTIATE ContactEvaluation<double> evaluate(const RollingContact<double>&,
                                                         const assembly::State<double>&,
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
