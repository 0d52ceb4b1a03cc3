#pragma once

#include <dalembert/assembly/joints.hpp>
#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/compiled/numerics.hpp>

/// Of the compiled library: elastic rods, alone and welded.
namespace dalembert::compiled {

using Rods = assembly::Kinds<ElasticRod>;               ///< any number of them
using Nothing = assembly::Kinds<>;                      ///< no constraints
using Welds = assembly::Kinds<assembly::Weld<double>>;  ///< any number of them

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Nothing);
DALEMBERT_INSTANTIATE_CONSTRAINT(assembly::Weld<double>);
DALEMBERT_INSTANTIATE_PROBLEM(compiled::Rods, compiled::Welds);

DALEMBERT_INSTANTIATE class assembly::detail::StaticSystem<compiled::Rods, compiled::Nothing>;

}  // namespace dalembert
#endif
