#pragma once

#include <Eigen/Core>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/core/pack.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/version.hpp>

/// Common types in a library, compiled once: programs that use them compile in a fraction of the time, and
/// run as fast. The headers are complete without it. Where `DALEMBERT_COMPILED` is defined, as in programs
/// that link the CMake target `dalembert::compiled`, headers of this folder declare what the library has;
/// otherwise they say nothing. The macros of the library:
/// - `DALEMBERT_COMPILED`: the program links the compiled library.
/// - `DALEMBERT_INLINE`: before functions that are no templates; see core/detail/inline.hpp.
/// - `DALEMBERT_INSTANTIATE`: `extern template`, or `template` in the sources of the compiled library.
/// - `DALEMBERT_INSTANTIATE_PROBLEM(Bodies, Constraints)`: what is compiled of an assembly; see there.
/// - `DALEMBERT_INSTANTIATE_CONSTRAINT(Constraint)`: what is compiled of the solve for its multipliers.
/// - `DALEMBERT_ALLOW_FINITE_MATH`: see core/detail/finite_math.hpp.
namespace dalembert::compiled {

/// A version, of this library or of Eigen.
template <int major, int minor, int patch>
struct Version;
/// How many numbers rods take at a time.
template <int numbers>
struct PackWidth;
/// To how many bytes Eigen aligns its arrays.
template <int bytes>
struct Alignment;
/// Whether containers of the standard library check their use.
template <bool checked>
struct Containers;

/// What a program and the compiled library must have in common. A program that was compiled with other flags,
/// or against other versions, does not link: the symbol that it lacks says how it was compiled.
template <class Library, class Eigen, class Width, class Align, class Standard>
struct LibraryMadeFor {
  static const int use_the_same_flags_and_versions;  ///< defined in the compiled library alone
};

#ifdef _GLIBCXX_DEBUG
inline constexpr bool checked_containers = true;  ///< of this program
#else
inline constexpr bool checked_containers = false;  ///< of this program
#endif

/// This program.
using ThisProgram = LibraryMadeFor<Version<version_major, version_minor, version_patch>,
                                   Version<EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION>,
                                   PackWidth<native_width<double>>, Alignment<EIGEN_MAX_ALIGN_BYTES>,
                                   Containers<checked_containers>>;

#ifdef DALEMBERT_COMPILED
[[gnu::used]] static const int* const guard = &ThisProgram::use_the_same_flags_and_versions;
#endif

}  // namespace dalembert::compiled

#ifndef DALEMBERT_INSTANTIATE
/// Declares a template that the compiled library has.
#define DALEMBERT_INSTANTIATE extern template
#endif

// NOLINTBEGIN(bugprone-macro-parentheses): types take none

/// Of an assembly of `Bodies` and `Constraints`, two names of `Kinds`: itself, its steps by `Verlet`, runs
/// with any output but observers of one's own, and its energy monitor. To be written in namespace dalembert.
#define DALEMBERT_INSTANTIATE_PROBLEM(Bodies, Constraints)                                      \
  DALEMBERT_INSTANTIATE class assembly::Assembly<Bodies, Constraints>;                          \
  DALEMBERT_INSTANTIATE class VerletStepper<assembly::Assembly<Bodies, Constraints>>;           \
  DALEMBERT_INSTANTIATE class analysis::EnergyMonitor<assembly::Assembly<Bodies, Constraints>>; \
  DALEMBERT_INSTANTIATE struct DriveOptions<assembly::Assembly<Bodies, Constraints>>;           \
  DALEMBERT_INSTANTIATE DriveReport<assembly::Assembly<Bodies, Constraints>::State> drive(      \
      const Verlet&, const assembly::Assembly<Bodies, Constraints>&,                            \
      assembly::Assembly<Bodies, Constraints>::State&,                                          \
      const DriveOptions<assembly::Assembly<Bodies, Constraints>>&);                            \
  DALEMBERT_INSTANTIATE DriveReport<assembly::Assembly<Bodies, Constraints>::State> drive(      \
      const Verlet&, const assembly::Assembly<Bodies, Constraints>&,                            \
      assembly::Assembly<Bodies, Constraints>::State&,                                          \
      const DriveOptions<assembly::Assembly<Bodies, Constraints>>&,                             \
      analysis::EnergyMonitor<assembly::Assembly<Bodies, Constraints>>&)

/// Of the solve for the multipliers of constraints of one kind, whatever bodies and other constraints there
/// are. To be written in namespace dalembert.
#define DALEMBERT_INSTANTIATE_CONSTRAINT(Constraint) \
  DALEMBERT_INSTANTIATE class assembly::detail::ConstraintsOfKind<Constraint>

// NOLINTEND(bugprone-macro-parentheses)
