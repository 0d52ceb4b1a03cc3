#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/check.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/clusters/cluster_system.hpp>
#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/implicit/detail/implicit_equations.hpp>
#include <dalembert/linalg/band_lu.hpp>
#include <dalembert/linalg/block_lu.hpp>
#include <dalembert/linalg/envelope_cholesky.hpp>
#include <dalembert/linalg/krylov.hpp>
#include <dalembert/linalg/pivoted_lu.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/linalg/sparse_equations.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/sections.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/statics/statics.hpp>
#include <dalembert/tangents/place_unknowns.hpp>

/// Of the compiled library: what every assembly computes with, whatever its bodies and constraints are.
namespace dalembert::compiled {

using ElasticRod = rod::ElasticRod<double>;     ///< the common rod
using RigidBody = assembly::RigidBody<double>;  ///< the common body of one node

}  // namespace dalembert::compiled

#ifdef DALEMBERT_COMPILED
namespace dalembert {

DALEMBERT_INSTANTIATE class Schedule<double>;
DALEMBERT_INSTANTIATE class analysis::EnergyRecord<double>;
DALEMBERT_INSTANTIATE struct detail::RunNumbers<double>;
DALEMBERT_INSTANTIATE class detail::RunLoop<assembly::State<double>, false, true>;

namespace linalg {
DALEMBERT_INSTANTIATE class EnvelopeCholesky<double>;
DALEMBERT_INSTANTIATE class PivotedLU<double, true>;
DALEMBERT_INSTANTIATE class PivotedLU<double, false>;
DALEMBERT_INSTANTIATE class DenseLU<double>;
DALEMBERT_INSTANTIATE class BandLU<double>;
DALEMBERT_INSTANTIATE class BlockLU<double>;
DALEMBERT_INSTANTIATE class Krylov<double, double>;
DALEMBERT_INSTANTIATE class SparseEquations<double, double>;
}  // namespace linalg

namespace rod {
DALEMBERT_INSTANTIATE struct Chain<double>;
DALEMBERT_INSTANTIATE class IsotropicSection<double>;
DALEMBERT_INSTANTIATE class Rod<LinearElastic<double>, MidpointStrain>;
DALEMBERT_INSTANTIATE double elastic_energy(const compiled::ElasticRod&, const Chain<double>&);
DALEMBERT_INSTANTIATE double potential_energy(const compiled::ElasticRod&, const Chain<double>&);
DALEMBERT_INSTANTIATE double kinetic_energy(const compiled::ElasticRod&, const Chain<double>&);
DALEMBERT_INSTANTIATE double frequency_bound(const compiled::ElasticRod&, const Chain<double>&);
DALEMBERT_INSTANTIATE StaticResult<double> static_equilibrium(const compiled::ElasticRod&, Chain<double>&,
                                                              const StaticOptions<double>&);
DALEMBERT_INSTANTIATE void move_node(Chain<double>&, Eigen::Index, const Vec<double, 3>&,
                                     const Vec<double, 3>&);
namespace detail {
DALEMBERT_INSTANTIATE class ElementDerivative<MidpointStrain, double>;
DALEMBERT_INSTANTIATE void check_motion(const Boundary<double>&, const char*, std::size_t, const double&,
                                        const double&);
DALEMBERT_INSTANTIATE void retract(const Chain<double>&, const Columns<double, 6>&, const Columns<double, 6>&,
                                   Chain<double>&);
DALEMBERT_INSTANTIATE void throw_turned_too_far(const Chain<double>&, std::size_t, double);
}  // namespace detail
}  // namespace rod

namespace assembly {
DALEMBERT_INSTANTIATE struct State<double>;
DALEMBERT_INSTANTIATE struct Increment<double>;
DALEMBERT_INSTANTIATE struct NodeNumbers<double>;
DALEMBERT_INSTANTIATE struct InertiaColumns<double>;
DALEMBERT_INSTANTIATE class Inertias<double>;
DALEMBERT_INSTANTIATE struct FrameMarker<double>;
DALEMBERT_INSTANTIATE FrameState<Dual<double, 1>> FrameMarker<double>::seen(
    const PointState<Dual<double, 1>>&) const;
DALEMBERT_INSTANTIATE FrameState<Dual<double, 6>> FrameMarker<double>::seen(
    const PointState<Dual<double, 6>>&) const;
DALEMBERT_INSTANTIATE FrameState<Dual<double, 12>> FrameMarker<double>::seen(
    const PointState<Dual<double, 12>>&) const;
DALEMBERT_INSTANTIATE FrameState<Dual<double, 13>> FrameMarker<double>::seen(
    const PointState<Dual<double, 13>>&) const;
DALEMBERT_INSTANTIATE FrameState<Dual<Dual<double, 1>, 1>> FrameMarker<double>::seen(
    const PointState<Dual<Dual<double, 1>, 1>>&) const;
DALEMBERT_INSTANTIATE FrameState<Dual<Dual<double, 12>, 1>> FrameMarker<double>::seen(
    const PointState<Dual<Dual<double, 12>, 1>>&) const;
DALEMBERT_INSTANTIATE class NodeBody<RigidBody<double>, double>;
DALEMBERT_INSTANTIATE class RigidBody<double>;
namespace detail {
DALEMBERT_INSTANTIATE struct RowsView<double>;
DALEMBERT_INSTANTIATE class ClusterSystem<double, false, false>;
DALEMBERT_INSTANTIATE class ClusterSystem<double, true, false>;
DALEMBERT_INSTANTIATE class Solution<double, false, false>;
DALEMBERT_INSTANTIATE class Solution<double, true, false>;
DALEMBERT_INSTANTIATE struct PartWork<double, false, false>;
DALEMBERT_INSTANTIATE struct PartWork<double, true, false>;
DALEMBERT_INSTANTIATE class PlaceUnknowns<double>;
DALEMBERT_INSTANTIATE struct StaticSizes<double>;
DALEMBERT_INSTANTIATE struct StaticTable<double>;
DALEMBERT_INSTANTIATE class LinearisedRows<double>;
DALEMBERT_INSTANTIATE class StaticRowsOf<double>;
DALEMBERT_INSTANTIATE class StaticEquations<double>;
DALEMBERT_INSTANTIATE class StaticOfKind<compiled::ElasticRod>;
DALEMBERT_INSTANTIATE class StaticOfKind<compiled::RigidBody>;
DALEMBERT_INSTANTIATE class ImplicitRows<double>;
DALEMBERT_INSTANTIATE class ImplicitEquations<double>;
DALEMBERT_INSTANTIATE class ImplicitOfBody<compiled::ElasticRod>;
DALEMBERT_INSTANTIATE class ImplicitOfBody<compiled::RigidBody>;
DALEMBERT_INSTANTIATE std::string newton(NewtonSystem<double>&, const StaticOptions<double>&,
                                         StaticResult<double>&, int&, int);
DALEMBERT_INSTANTIATE StaticResult<double> step_loads(LoadedSystem<double>&, const StaticOptions<double>&,
                                                      const PutLoads<double>&, int);
DALEMBERT_INSTANTIATE class BodyList<double, compiled::ElasticRod>;
DALEMBERT_INSTANTIATE class BodyList<double, compiled::RigidBody>;
DALEMBERT_INSTANTIATE class BodyList<double, compiled::ElasticRod, compiled::RigidBody>;
DALEMBERT_INSTANTIATE class ConstraintList<double>;
DALEMBERT_INSTANTIATE bool find_clusters(const KindsOfPart<ConstraintKind<double>>&,
                                         PartWork<double, false, false>&, Clusters::Owners&);
DALEMBERT_INSTANTIATE void throw_stays_open(const std::string&, double, const OpenRow<double>&,
                                            const std::string&, const Leftover<double>&);
DALEMBERT_INSTANTIATE void check_columns(const State<double>&, const NodeNumbers<double>&);
DALEMBERT_INSTANTIATE void check_projected(const State<double>&);
DALEMBERT_INSTANTIATE void retract(const State<double>&, const Increment<double>&, State<double>&);
DALEMBERT_INSTANTIATE void slope(const State<double>&, const Increment<double>&, const NodeNumbers<double>&,
                                 Increment<double>&);
}  // namespace detail
}  // namespace assembly

}  // namespace dalembert
#endif
