#pragma once

#include <vector>

#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rods.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>

/// Of the compiled library: elastic rods, or rigid bodies, whose surfaces touch.
namespace dalembert::compiled {

using Touching = contact::WithTouching<double>;  ///< surfaces that touch, and no constraints

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

namespace contact::detail {
DALEMBERT_INSTANTIATE class SearchedLine<double>;
DALEMBERT_INSTANTIATE class CellCandidates<double>;
DALEMBERT_INSTANTIATE class CellSearch<double>;
DALEMBERT_INSTANTIATE class TouchingBodies<double>;
DALEMBERT_INSTANTIATE class TouchingSurfaces<double>;
DALEMBERT_INSTANTIATE struct TouchingWork<double>;
DALEMBERT_INSTANTIATE class TouchingStep<double>;
DALEMBERT_INSTANTIATE void TouchingStep<double>::begin(const assembly::State<double>&,
                                                       assembly::NodeNumbers<double>&, const OneByOne&,
                                                       double);
DALEMBERT_INSTANTIATE Projection<double> TouchingStep<double>::project_positions(assembly::State<double>&,
                                                                                 const OneByOne&);
DALEMBERT_INSTANTIATE Projection<double> TouchingStep<double>::finish(assembly::State<double>&,
                                                                      const OneByOne&);
DALEMBERT_INSTANTIATE std::vector<TouchReport<double>> reports(const TouchingSurfaces<double>&,
                                                               const TouchingWork<double>&,
                                                               const assembly::State<double>&);
}  // namespace contact::detail

DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Touching);
DALEMBERT_INSTANTIATE_PROBLEM(compiled::RigidBodies, compiled::Touching);

}  // namespace dalembert
#endif
