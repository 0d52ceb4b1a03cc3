#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/contact/cone.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk_rods.hpp>

#include "rolling_rods/shapes.hpp"

/// Watches a run: contact.csv, ledger.csv, the ParaView series, shapes for the pictures, and the figures of the summary.
template <class Problem>
class Recorder {
 public:
  using State = typename Problem::State;

  /// For a run from `start` until `t_end`, of rods of the given radius, with `frames` frames for ParaView.
  Recorder(const Problem& problem, const State& start, const std::filesystem::path& out, double radius,
           double t_end, long frames)
      : rates_(problem.make_rates()),
        contact_csv_(out / "contact.csv", {{"t", "s"},
                                           {"s1", "m"},
                                           {"s2", "m"},
                                           {"lambda_n", "N"},
                                           {"lambda_t1", "N"},
                                           {"lambda_t2", "N"},
                                           {"gap", "m"},
                                           {"energy", "J"}}),
        ledger_csv_(out / "ledger.csv", {{"t", "s"},
                                         {"energy_change", "1, of the initial kinetic energy"},
                                         {"kinetic_energy", "J"},
                                         {"no_slip", "m/s"},
                                         {"gap_error", "m"},
                                         {"tangency", "m"},
                                         {"cone_utilisation", "1"}}),
        rods_(out / "paraview", "rods"),
        contact_(out / "paraview", "contact"),
        shapes_(out, radius, std::min(0.2, t_end)),
        radius_(radius),
        frame_interval_(frames > 0 ? t_end / static_cast<double>(frames) : 2 * t_end + 1),
        energy_(problem.energy(start)),
        kinetic_energy_(problem.kinetic_energy(start)) {}

  /// Observe a state.
  void operator()(const Problem& problem, const State& x) {
    problem.rates(x, rates_);
    const auto& contact = problem.coupling();
    const auto error = contact.error(x.rods, x.internal, x.time);
    const auto& force = rates_.multiplier.components;
    const double energy = problem.energy(x);
    const double change = (energy - energy_) / kinetic_energy_;
    const double cone = dalembert::contact::utilisation(force);
    contact_csv_.row({x.time, x.internal.s[0], x.internal.s[1], force[0], force[1], force[2],
                      contact.target_gap() + error.gap, energy});
    ledger_csv_.row({x.time, change, problem.kinetic_energy(x), error.slip, error.gap, error.tangency, cone});
    energy_error = std::max(energy_error, std::abs(change));
    no_slip_max = std::max(no_slip_max, error.slip);
    gap_error_max = std::max(gap_error_max, std::abs(error.gap));
    tangency_max = std::max(tangency_max, error.tangency);
    lambda_normal_min = std::min(lambda_normal_min, force[0]);
    cones_.push_back(cone);
    shapes_(x.time, x.rods, {nearest_node(problem, x, 0), nearest_node(problem, x, 1)});
    s_final = x.internal.s;
    time_final = x.time;
    if (x.time + 1e-9 * frame_interval_ >= static_cast<double>(frames_) * frame_interval_) frame(problem, x);
  }

  /// Hand everything to the file system.
  void flush() {
    contact_csv_.flush();
    ledger_csv_.flush();
  }

  /// The initial kinetic energy [J].
  [[nodiscard]] double kinetic_energy() const noexcept { return kinetic_energy_; }
  /// The times of the shapes that were written [s].
  [[nodiscard]] const std::vector<double>& shape_times() const noexcept { return shapes_.times(); }
  /// The median of |λ_t|/λ_n.
  [[nodiscard]] double cone_median() const {
    if (cones_.empty()) return 0;
    std::vector<double> sorted = cones_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
  /// The largest |λ_t|/λ_n.
  [[nodiscard]] double cone_max() const {
    return cones_.empty() ? 0 : *std::max_element(cones_.begin(), cones_.end());
  }

  double energy_error = 0;
  double no_slip_max = 0;
  double gap_error_max = 0;
  double tangency_max = 0;
  double lambda_normal_min = std::numeric_limits<double>::infinity();
  dalembert::Vec<double, 2> s_final = dalembert::Vec<double, 2>::Zero();
  double time_final = 0;

 private:
  [[nodiscard]] static Eigen::Index nearest_node(const Problem& problem, const State& x, Eigen::Index rod) {
    return std::lround(x.internal.s[rod] / problem.rods()[static_cast<std::size_t>(rod)].spacing());
  }

  /// One frame for ParaView.
  void frame(const Problem& problem, const State& x) {
    (void)problem;
    rods_.add(x.time,
              dalembert::io::rod_polydata(problem.rods(), x.rods, std::vector<double>{radius_, radius_}));
    contact_.add(x.time, dalembert::io::contact_polydata(problem.coupling(), x.internal, rates_.multiplier));
    ++frames_;
  }

  typename Problem::Rates rates_;
  dalembert::io::CsvWriter contact_csv_;
  dalembert::io::CsvWriter ledger_csv_;
  dalembert::io::PvdSeries rods_;
  dalembert::io::PvdSeries contact_;
  Shapes shapes_;
  double radius_;
  double frame_interval_;
  long frames_ = 0;
  double energy_;
  double kinetic_energy_;
  std::vector<double> cones_{};
};
