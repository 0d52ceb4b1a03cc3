#pragma once

#include <dalembert/assembly/joints.hpp>
#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/statics.hpp>

/// Of the compiled library: elastic rods, alone and welded.
namespace dalembert::compiled {

using Rods = assembly::Kinds<rod::ElasticRod<double>>;  ///< any number of them
using Nothing = assembly::Kinds<>;                      ///< no constraints
using Welds = assembly::Kinds<assembly::Weld<double>>;  ///< any number of them

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Nothing);
DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Welds);

namespace rod {
DALEMBERT_INSTANTIATE class Rod<LinearElastic<double>, MidpointStrain>;
DALEMBERT_INSTANTIATE double frequency_bound(const ElasticRod<double>&, const Chain<double>&);
DALEMBERT_INSTANTIATE StaticResult<double> static_equilibrium(ElasticRod<double>&, Chain<double>&,
                                                              const StaticOptions<double>&);
}  // namespace rod

}  // namespace dalembert
#endif
