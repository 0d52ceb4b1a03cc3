#include "woven_net/recorder.hpp"

#include <algorithm>
#include <cmath>

#include <dalembert/assembly/drawing.hpp>
#include <dalembert/contact/bias.hpp>
#include <dalembert/io/vtk_curves.hpp>

#include "support/film.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"

using namespace dalembert;

Recorder::Recorder(const Parameters& parameters, const Net& net, example::Run& run, double t_end, long frames)
    : parameters_(parameters),
      out_(run.out),
      ledger_csv_(
          run.out / "ledger.csv",
          example::columns("t [s], energy_change [1, of the initial kinetic energy], kinetic_energy [J], "
                           "no_slip [m/s], gap_error [m], lambda_normal_min [N], lambda_normal_mean [N], "
                           "lambda_normal_max [N], cone_utilisation [1], height [m]")),
      rods_series_(run.out / "paraview", "rods"),
      contacts_series_(run.out / "paraview", "contacts"),
      view_(run.scene, parameters, net.rods.size(), net.crossings.size()),
      frame_interval_(frames > 0 ? t_end / static_cast<double>(frames) : 2 * t_end + 1),
      rates_(net.problem().make_rates()),
      seen_(net.crossings.size()) {}

std::vector<Recorder::Force> Recorder::forces(const Problem& problem, const State& at) {
  problem.rates(at, rates_);
  const auto& crossings = problem.constraints<0>();
  std::vector<Force> all;
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const auto& c = crossings[i];
    const auto k = static_cast<Eigen::Index>(i);
    const Vec<double, 3> first = c.first.average.at(at[c.first.body], at.z[2 * k], at.time, 1).R;
    const Vec<double, 3> second = c.second.average.at(at[c.second.body], at.z[2 * k + 1], at.time, 2).R;
    const Vec<double, 3> normal = (second - first).normalized(), force = rates_.lambda.segment<3>(3 * k);
    const double pressure = -force.dot(normal);
    all.push_back(
        {Vec<double, 3>((first + second) / 2), force, normal, pressure, (force + pressure * normal).norm()});
    bias_max_ = std::max(bias_max_, contact::gap_bias(c, at.chains, Vec<double, 2>(at.z.segment<2>(2 * k))));
  }
  return all;
}

void Recorder::rest(const Problem& problem, const State& at) {
  const auto all = forces(problem, at);
  for (const Force& f : all) pressure_at_rest_ += f.pressure / static_cast<double>(all.size());
}

void Recorder::start(const Problem& problem, const State& at) {
  energy_ = problem.energy(at);
  kinetic_energy_ = problem.kinetic_energy(at);
  first_ = deepest_ = at;
}

void Recorder::operator()(const Problem& problem, const State& at) {
  const auto all = forces(problem, at);
  const double change = (problem.energy(at) - energy_) / kinetic_energy_;
  const double slip = problem.row_velocities(at).lpNorm<Eigen::Infinity>();
  const double gap = problem.row_errors(at).lpNorm<Eigen::Infinity>();
  double least = std::numeric_limits<double>::infinity(), most = 0, mean = 0, cone = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double pressure = all[i].pressure, use = all[i].along / pressure;
    least = std::min(least, pressure);
    most = std::max(most, pressure);
    mean += pressure / static_cast<double>(all.size());
    cone = std::max(cone, use);
    seen_[i].least = std::min(seen_[i].least, pressure);
    seen_[i].most = std::max(seen_[i].most, pressure);
    seen_[i].cone = std::max(seen_[i].cone, use);
    cones_.push_back(use);
  }
  double low = std::numeric_limits<double>::infinity();
  for (const auto& chain : at.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) low = std::min(low, chain.position(k)[2]);
  if (low < lowest_) {
    lowest_ = low;
    time_of_lowest_ = at.time;
    deepest_ = at;
  }
  ledger_csv_.row({at.time, change, problem.kinetic_energy(at), slip, gap, least, mean, most, cone, low});
  view_.row(at.time, least, mean, most, cone, low);
  view_.monitor(at.time, change, slip, gap);
  if (view_.frame(at.time)) {
    for (std::size_t i = 0; i < at.chains.size(); ++i) view_.rod(i, at[i]);
    for (std::size_t i = 0; i < all.size(); ++i) view_.contact(i, all[i].point, all[i].force);
  }
  energy_error_ = std::max(energy_error_, std::abs(change));
  slip_max_ = std::max(slip_max_, slip);
  gap_error_max_ = std::max(gap_error_max_, gap);
  time_ = at.time;
  if (at.time + 1e-9 * frame_interval_ >= static_cast<double>(frames_) * frame_interval_)
    add_frame(problem, at, all);
}

void Recorder::add_frame(const Problem& problem, const State& at, const std::vector<Force>& all) {
  rods_series_.add(at.time, io::polydata(assembly::drawn(
                                problem, at, std::vector<double>(at.chains.size(), parameters_.radius))));
  io::PolyData shape;
  std::vector<double> force, normal, pressure, along;
  for (const Force& f : all) {
    shape.add_vertex(shape.add_point(f.point));
    force.insert(force.end(), f.force.begin(), f.force.end());
    normal.insert(normal.end(), f.normal.begin(), f.normal.end());
    pressure.push_back(f.pressure);
    along.push_back(f.along);
  }
  shape.point_data("force", 3, force, io::Role::vectors);
  shape.point_data("normal", 3, normal, io::Role::normals);
  shape.point_data("lambda_n", 1, pressure, io::Role::scalars);
  shape.point_data("lambda_t", 1, along);
  contacts_series_.add(at.time, shape);
  ++frames_;
}

void Recorder::report(example::Summary& summary) {
  ledger_csv_.close();
  io::CsvWriter contacts(out_ / "contacts.csv",
                         example::columns("contact [1], lambda_normal_min [N], lambda_normal_max [N], "
                                          "cone_utilisation_max [1]"));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    contacts.row({static_cast<double>(i), seen_[i].least, seen_[i].most, seen_[i].cone});
    least = std::min(least, seen_[i].least);
  }
  contacts.close();
  std::sort(cones_.begin(), cones_.end());
  summary.figure("contacts", static_cast<double>(seen_.size()), "1", "rolling contacts");
  summary.figure("kinetic_energy_initial", kinetic_energy_, "J", "kinetic energy just after the strike");
  summary.figure("energy_error", energy_error_, "1",
                 "largest change of energy over the initial kinetic energy");
  summary.figure("no_slip_max", slip_max_, "m/s", "largest slip at a contact");
  summary.figure("gap_error_max", gap_error_max_, "m",
                 "largest error of the distance of averaged centrelines");
  summary.figure("gap_bias", bias_max_, "m",
                 "how much farther apart the rods are than their averages, at most");
  summary.figure("lambda_normal_rest", pressure_at_rest_, "N", "mean normal force before the strike");
  summary.figure("lambda_normal_min", least, "N", "smallest normal force");
  summary.figure("cone_utilisation_max", cones_.empty() ? 0 : cones_.back(), "1",
                 "largest tangential over normal force");
  summary.figure("cone_utilisation_median", cones_.empty() ? 0 : cones_[cones_.size() / 2], "1",
                 "median of the same");
  summary.figure("depth", -lowest_, "m", "how deep the net was struck");
  summary.figure("t_final", time_, "s", "end of the run");
}

/// The net when it is deepest, and what is around its middle from nearer by.
void Recorder::draw(const example::Run& run) {
  if (!run.scene.times().empty()) {
    const example::SceneDrawing drawing(run.scene, run.view);
    constexpr int width = 2400, height = 1500, part = 900;
    const std::size_t deepest = drawing.frame(time_of_lowest_);
    const auto place = [&](const rod::Chain<double>& chain) { return chain.position(chain.nodes / 2); };
    const auto& chains = deepest_.chains;
    const Vec<double, 3> middle =
        (place(chains[chains.size() / 4]) + place(chains[3 * chains.size() / 4])) / 2;
    const std::string words =
        dalembert::message({"t = ", std::round(1e3 * run.scene.times()[deepest]) / 1e3, " s"});
    example::draw_stills(run, {"net", width, height}, drawing,
                         {{drawing.whole(static_cast<double>(width - part) / height, deepest, deepest),
                           deepest, 0, 0, width - part, height, words},
                          {drawing.near(middle, 2.6 * parameters_.spacing, 10), deepest, width - part, 0,
                           part, height / 2, "in the middle"},
                          {drawing.near(middle, 1.5 * parameters_.spacing, -12), deepest, width - part,
                           height / 2, part, height / 2, "nearer, and from farther down"}});
  }
  for (const char* name : {"ledger", "force"}) example::draw(run, {name});
}
