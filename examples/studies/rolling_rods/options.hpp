#pragma once

#include <string>

#include <dalembert/systems/rolling_rods.hpp>

#include "support/program.hpp"

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.31;

/// What a run of rolling_rods is asked to do.
struct Options {
  dalembert::systems::RollingRodsParameters<double> rods;
  std::string kernel = "cubic";        ///< cubic | quintic | compact
  std::string averaging = "spatial";   ///< spatial | body
  std::string tangency = "gamma";      ///< gamma | e3
  std::string positions = "solved";    ///< solved | integrated
  std::string contact = "unilateral";  ///< unilateral | bilateral
  std::string projection = "on";       ///< on | off, of the Runge–Kutta methods
  std::string integrator = "verlet";   ///< verlet | rk4 | dopri5
  double dt = 0;                       ///< [s], 0 for `stable_part` of the longest stable one
  double t_end = 5.0;                  ///< [s]
  double output_interval = 1e-3;       ///< [s]
  long frames = 250;                   ///< for ParaView
  long sections = 0;                   ///< of each rod, in sections.csv
};

/// Run with every choice made.
void simulate(const Options& options, example::Run& run);
