#pragma once

/// @file
/// The mechanics. Included by name is what needs files, threads, MPI or a Fourier transform, what follows
/// equilibria, carries tangent vectors along, what knows no mechanics, and what assemblies are solved and
/// linearised by:
/// - io/
/// - linalg/
/// - clusters/
/// - tangents/
/// - integrate/batch_threads.hpp
/// - integrate/thread_team.hpp
/// - analysis/batch_means.hpp
/// - analysis/exponent_rules.hpp
/// - analysis/spectrum.hpp
/// - analysis/tangent_flow.hpp
/// - analysis/tangent_spectrum.hpp
/// - assembly/kinetic_metric.hpp
/// - assembly/rigid_motion.hpp
/// - ensemble/
/// - compat/mpi.hpp
/// - statics/branch.hpp
/// - statics/buckling.hpp
/// - statics/continuation.hpp
///
/// `cmake -P cmake/umbrella.cmake` rewrites the list of the others below.

/// @namespace dalembert::number
/// Functions of numbers, plain or with derivatives, by their full names.

/// @namespace dalembert::linalg
/// Linear algebra that knows no mechanics: small solves, dense and sparse decompositions, Krylov spaces.

/// @namespace dalembert::lie_series
/// Every quotient that divides by an angle, exact to a few ulp at all angles.

/// @namespace dalembert::principle
/// How the variational constraint follows from the kinematic one.

/// @namespace dalembert::trivialisation
/// Whether velocities are those in the body or those in space.

/// @namespace dalembert::assembly
/// Any number of bodies under any number of constraints: places, joints, rigid bodies, the structured solver.

/// @namespace dalembert::rod
/// Rods: chains of frames on SE(3), their section, material, ends, loads and damping.

/// @namespace dalembert::contact
/// Rods in rolling contact: averaged constraints, contact positions, the cone of friction.

/// @namespace dalembert::contact::continuum
/// The rolling contact of two continuous rods, pointwise.

/// @namespace dalembert::strings
/// One-dimensional strings in rolling contact, by travelling waves.

/// @namespace dalembert::systems
/// Concrete systems, one policy class each.

/// @namespace dalembert::tableau
/// Coefficients of Runge–Kutta methods.

/// @namespace dalembert::collocation
/// Nodes and weights of collocation methods.

/// @namespace dalembert::composition
/// Weights of compositions of symmetric methods.

/// @namespace dalembert::analysis
/// What a run shows: monitors of energy and momentum, drift, order, spectrum, Lyapunov exponents.

/// @namespace dalembert::compat
/// Problems inside solvers of others.

/// @namespace dalembert::compiled
/// What the compiled library has.

/// @namespace dalembert::io
/// Series, shapes and checkpoints in files.

#include <dalembert/version.hpp>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/jet.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/one_by_one.hpp>
#include <dalembert/core/pack.hpp>
#include <dalembert/core/pack_functions.hpp>
#include <dalembert/core/real.hpp>

#include <dalembert/lie/cayley.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/lie/differences.hpp>
#include <dalembert/lie/power.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/retraction.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/se3.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/lie/so2.hpp>
#include <dalembert/lie/so3.hpp>

#include <dalembert/problem/concepts.hpp>
#include <dalembert/problem/implicit.hpp>

#include <dalembert/mechanics/adapted_frame.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/connection.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/higher_order.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/lagrangian.hpp>
#include <dalembert/mechanics/principle.hpp>
#include <dalembert/mechanics/reduction.hpp>
#include <dalembert/mechanics/slow_manifold.hpp>
#include <dalembert/mechanics/slow_manifold_report.hpp>
#include <dalembert/mechanics/state.hpp>
#include <dalembert/mechanics/stiff_realization.hpp>
#include <dalembert/mechanics/trivialisation.hpp>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/bodies.hpp>
#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/by_parts.hpp>
#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/constraint_markers.hpp>
#include <dalembert/assembly/constraint_rows.hpp>
#include <dalembert/assembly/drawing.hpp>
#include <dalembert/assembly/handle.hpp>
#include <dalembert/assembly/history.hpp>
#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/line_rows.hpp>
#include <dalembert/assembly/marker.hpp>
#include <dalembert/assembly/node_body.hpp>
#include <dalembert/assembly/node_rows.hpp>
#include <dalembert/assembly/part.hpp>
#include <dalembert/assembly/rates.hpp>
#include <dalembert/assembly/report.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/row_labels.hpp>
#include <dalembert/assembly/rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/assembly/with_load.hpp>

#include <dalembert/statics/load_path.hpp>
#include <dalembert/statics/statics.hpp>

#include <dalembert/modes/highest_frequency.hpp>
#include <dalembert/modes/linearization.hpp>
#include <dalembert/modes/modes.hpp>

#include <dalembert/implicit/implicit.hpp>

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/boundary.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/element_material.hpp>
#include <dalembert/rod/elements.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/internal_damping.hpp>
#include <dalembert/rod/interpolation.hpp>
#include <dalembert/rod/joined.hpp>
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/largest_stress.hpp>
#include <dalembert/rod/link.hpp>
#include <dalembert/rod/load.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/material.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/rubber.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/section_state.hpp>
#include <dalembert/rod/sections.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/rod/stored_energy.hpp>
#include <dalembert/rod/straight.hpp>
#include <dalembert/rod/strain.hpp>
#include <dalembert/rod/varying.hpp>
#include <dalembert/rod/varying_rod.hpp>
#include <dalembert/rod/writhe.hpp>

#include <dalembert/contact/across.hpp>
#include <dalembert/contact/averaging.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/bias.hpp>
#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/cone.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/continuum.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/drawing.hpp>
#include <dalembert/contact/find_crossings.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/kernel.hpp>
#include <dalembert/contact/kernel_average.hpp>
#include <dalembert/contact/lanes.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/contact/overlap.hpp>
#include <dalembert/contact/pair.hpp>
#include <dalembert/contact/places.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/contact/strands.hpp>
#include <dalembert/contact/surface.hpp>
#include <dalembert/contact/tangency.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/contact/tube.hpp>

#include <dalembert/string/characteristic_solver.hpp>
#include <dalembert/string/contact_order.hpp>
#include <dalembert/string/exact.hpp>
#include <dalembert/string/grid.hpp>
#include <dalembert/string/grid_contact.hpp>
#include <dalembert/string/joints.hpp>
#include <dalembert/string/numbers.hpp>
#include <dalembert/string/scattering.hpp>
#include <dalembert/string/spectral_characteristic_solver.hpp>
#include <dalembert/string/strings.hpp>
#include <dalembert/string/waveguide.hpp>
#include <dalembert/string/weights.hpp>

#include <dalembert/integrate/batch.hpp>
#include <dalembert/integrate/check.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/dense_output.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/integrate/events.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/method.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/integrate/stable_step.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/integrate/tableau.hpp>
#include <dalembert/integrate/tableau_dop853.hpp>
#include <dalembert/integrate/verlet.hpp>

#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/clothoid.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/ply.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rocard_tire.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rolling_rods.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>
#include <dalembert/systems/whipple_parameters.hpp>
#include <dalembert/systems/woven_net.hpp>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/drift.hpp>
#include <dalembert/analysis/eigenvalues.hpp>
#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/analysis/growth_vector.hpp>
#include <dalembert/analysis/linearization.hpp>
#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/analysis/order.hpp>
#include <dalembert/analysis/quadrature.hpp>
#include <dalembert/analysis/relative_equilibrium.hpp>
#include <dalembert/analysis/symmetry.hpp>

#include <dalembert/compat/chart.hpp>

#include <dalembert/compiled/instantiate.hpp>
#include <dalembert/compiled/numerics.hpp>
#include <dalembert/compiled/rigid_bodies.hpp>
#include <dalembert/compiled/rods.hpp>
#include <dalembert/compiled/rolling_rods.hpp>
#include <dalembert/compiled/touching.hpp>
