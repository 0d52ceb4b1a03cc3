#include "rolling_rods/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/contact/cone.hpp>
#include <dalembert/contact/drawing.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/largest_stress.hpp>
#include <dalembert/rod/section_state.hpp>

#include "support/film.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"

using namespace dalembert;

Recorder::Recorder(const Options& options, example::Run& run, double energy, double kinetic_energy)
    : parameters_(options.rods),
      rods_(systems::rolling_rods(options.rods)),
      contact_csv_(run.out / "contact.csv",
                   example::columns("t [s], s1 [m], s2 [m], lambda_n [N], lambda_t1 [N], lambda_t2 [N], "
                                    "gap [m], energy [J]")),
      ledger_csv_(run.out / "ledger.csv",
                  example::columns("t [s], energy_change [1, of the initial kinetic energy], "
                                   "kinetic_energy [J], no_slip [m/s], gap_error [m], tangency [m], "
                                   "cone_utilisation [1]")),
      sections_(options.sections),
      rods_series_(run.out / "paraview", "rods"),
      contact_series_(run.out / "paraview", "contact"),
      view_(run.scene, options.rods.radius),
      frame_interval_(options.frames > 0 ? options.t_end / static_cast<double>(options.frames)
                                         : 2 * options.t_end + 1),
      energy_(energy),
      kinetic_energy_(kinetic_energy) {
  if (sections_ > 0)
    sections_csv_.emplace(
        run.out / "sections.csv",
        example::columns(
            "t [s], rod [1], s [m], force_x [N], force_y [N], force_z [N], moment_x [N m], "
            "moment_y [N m], moment_z [N m], stretch [1], bending [1/m], twist [1/m], energy [J/m], "
            "normal_stress [Pa], shear_stress [Pa]"));
}

void Recorder::operator()(const Sight& now) {
  const auto& contact = now.contact;
  const auto& force = contact.components;
  const double change = (now.energy - energy_) / kinetic_energy_;
  const double cone = dalembert::contact::required_friction(force);
  s_ = now.contact.s;
  time_ = now.time;
  contact_csv_.row({now.time, s_[0], s_[1], force[0], force[1], force[2],
                    2 * parameters_.radius + contact.gap, now.energy});
  ledger_csv_.row({now.time, change, now.kinetic_energy, now.slip, contact.gap, contact.tangency, cone});
  energy_error_ = std::max(energy_error_, std::abs(change));
  slip_max_ = std::max(slip_max_, now.slip);
  gap_error_max_ = std::max(gap_error_max_, std::abs(contact.gap));
  gap_bias_ = std::max(gap_bias_, now.gap_bias);
  tangency_max_ = std::max(tangency_max_, contact.tangency);
  normal_force_min_ = std::min(normal_force_min_, force[0]);
  cones_.push_back(cone);
  view_(now.time, now.chains, contact, change, now.slip, cone);
  if (sections_csv_) add_sections(now);
  if (now.time + 1e-9 * frame_interval_ >= static_cast<double>(frames_) * frame_interval_) add_frame(now);
}

void Recorder::add_frame(const Sight& now) {
  const double radius = parameters_.radius;
  rods_series_.add(now.time, io::polydata(rod::drawn(rods_, now.chains, {radius, radius})));
  contact_series_.add(now.time, io::polydata(std::vector{contact::DrawnContact<double>(now.contact)}));
  ++frames_;
}

void Recorder::add_sections(const Sight& now) {
  const rod::CircularSection<double> round({.radius = parameters_.radius,
                                            .young = parameters_.young,
                                            .poisson = parameters_.poisson,
                                            .density = parameters_.density});
  for (std::size_t i = 0; i < rods_.size(); ++i)
    for (long k = 0; k < sections_; ++k) {
      const double part = sections_ > 1 ? static_cast<double>(k) / static_cast<double>(sections_ - 1) : 0.5;
      const auto at = rod::section_at(rods_[i], now.chains[i], part * rods_[i].length());
      const auto stress = rod::largest_stress(round, at.stress);
      const auto& bent = at.strain.curvature;
      sections_csv_->row({now.time, static_cast<double>(i + 1), at.s, at.force[0], at.force[1], at.force[2],
                          at.moment[0], at.moment[1], at.moment[2], at.strain.stretch[2],
                          std::hypot(bent[0], bent[1]), bent[2], at.energy, stress.normal(),
                          stress.tangential()});
    }
}

void Recorder::close() {
  contact_csv_.close();
  ledger_csv_.close();
  if (sections_csv_) sections_csv_->close();
}

void Recorder::report(example::Summary& summary) const {
  std::vector<double> cones = cones_;
  std::sort(cones.begin(), cones.end());
  summary.figure("kinetic_energy_initial", kinetic_energy_, "J", "kinetic energy at the start");
  summary.figure("energy_error", energy_error_, "1",
                 "largest change of energy over the initial kinetic energy");
  summary.figure("no_slip_max", slip_max_, "m/s", "largest slip at the contact");
  summary.figure("gap_error_max", gap_error_max_, "m", "largest error of the distance of the centrelines");
  summary.figure("gap_bias", gap_bias_, "m",
                 "how much farther apart the rods are than their averages, at most");
  summary.figure("tangency_max", tangency_max_, "m", "largest residual of the tangency");
  summary.figure("lambda_normal_min", normal_force_min_, "N", "smallest normal force");
  summary.figure("cone_utilisation_max", cones.empty() ? 0 : cones.back(), "1",
                 "largest tangential over normal force");
  summary.figure("cone_utilisation_median", cones.empty() ? 0 : cones[cones.size() / 2], "1",
                 "median of the same");
  summary.figure("s1_final", s_[0], "m", "contact position on rod 1 at the end");
  summary.figure("s2_final", s_[1], "m", "contact position on rod 2 at the end");
  summary.figure("t_final", time_, "s", "end of the run");
}

/// Six times of the first fifth of a second, in which the contact wanders most visibly.
void Recorder::draw(const example::Run& run) const {
  if (run.scene.times().empty()) return;
  const example::SceneDrawing drawing(run.scene, run.view);
  constexpr int columns = 3, count = 6, width = 800, height = 600;
  const double last = std::min(0.2, time_);
  const example::Sight all =
      drawing.whole(static_cast<double>(width) / height, drawing.frame(0), drawing.frame(last));
  std::vector<example::Still> shapes, close;
  for (int i = 0; i < count; ++i) {
    const std::size_t frame = drawing.frame(last * i / (count - 1));
    std::string words = std::to_string(run.scene.times()[frame]).substr(0, 5);
    shapes.push_back(
        {all, frame, i % columns * width, i / columns * height, width, height, "t = " + words + " s"});
    close.push_back(shapes.back());
    close.back().marks = false;  // they would hide the place
    close.back().sight = drawing.near(drawing.place(View::contact_shape, frame), 22 * parameters_.radius, 15);
  }
  example::draw_stills(run, {"rods", columns * width, 2 * height}, drawing, shapes);
  example::draw_stills(run, {"closeup", columns * width, 2 * height}, drawing, close);
  for (const char* name : {"positions", "force", "ledger"}) example::draw(run, {name});
}
