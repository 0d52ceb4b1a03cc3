#pragma once

#include <dalembert/assembly/joints.hpp>
#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/compiled/numerics.hpp>

/// Of the compiled library: rigid bodies, alone and on spherical joints.
namespace dalembert::compiled {

using RigidBodies = assembly::Kinds<RigidBody>;                             ///< any number of them
using SphericalJoints = assembly::Kinds<assembly::SphericalJoint<double>>;  ///< any number of them

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE_PROBLEM(compiled::RigidBodies, assembly::Kinds<>);
DALEMBERT_INSTANTIATE_CONSTRAINT(assembly::SphericalJoint<double>);
DALEMBERT_INSTANTIATE_CONSTRAINT(assembly::Hinge<double>);
DALEMBERT_INSTANTIATE_PROBLEM(compiled::RigidBodies, compiled::SphericalJoints);

}  // namespace dalembert
#endif
