#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/io/view_text.hpp>

#include "contact_strings/options.hpp"
#include "contact_strings/recorder.hpp"
#include "support/summary.hpp"

namespace contact_strings {

/// What the page of a run shows, for as long as the picture of the string: both strings with the contact on each and its force.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        p_(p),
        apart_(0.4 * p.length),
        strings_{scene_->curve("first string, u", width(p), {.colour = 0}),
                 scene_->curve("second string, v", width(p), {.colour = 1})},
        contacts_{scene_->point("contact on the first string", look(p)),
                  scene_->point("contact on the second string", look(p))},
        positions_(scene_->panel("contact on the strings", "m", {"s1", "s2"})),
        force_(scene_->panel("force between the strings", "m^2/s^2", {"lambda"})),
        u_(static_cast<std::size_t>(p.points) + 1),
        v_(u_.size()) {
    run.view.flat = true;
    run.view.planned = std::min(p.picture_t_end, p.t_end);
    run.view.caption += dalembert::message({" Displacements are to scale, the second string is drawn ",
                                            apart_, " m lower. The page shows the first ",
                                            std::min(p.picture_t_end, p.t_end), " s of ", p.t_end, " s."});
  }

  /// A sample of a motion.
  template <class Motion>
  void sample(const Motion& motion, const Sight& now, const Sample& sample) {
    if (now.time > p_.picture_t_end) return;
    scene_->row(positions_, now.time, {now.s1, now.s2});
    scene_->row(force_, now.time, {sample.lambda});
    if (!scene_->frame(now.time)) return;
    motion.displacements(0, u_);
    motion.displacements(1, v_);
    scene_->put(strings_[0], drawn(u_, 0));
    scene_->put(strings_[1], drawn(v_, -apart_));
    scene_->put(contacts_[0], place(u_, now.s1, 0), {0, -sample.lambda, 0});
    scene_->put(contacts_[1], place(v_, now.s2, -apart_), {0, p_.F * sample.lambda, 0});
  }

 private:
  using V = dalembert::Vec<double, 3>;

  static double width(const Arguments& p) { return 0.004 * p.length; }
  static dalembert::io::Look look(const Arguments& p) {
    return {.colour = 3,
            .path = true,
            .radius = 0.012 * p.length,
            .arrow = "force over density",
            .unit = "m^2/s^2"};
  }
  [[nodiscard]] double x(double cells) const { return p_.length * cells / static_cast<double>(p_.points); }
  /// At most 257 points of a string.
  [[nodiscard]] std::vector<V> drawn(const std::vector<double>& line, double height) const {
    const std::size_t last = line.size() - 1, count = std::min<std::size_t>(256, last);
    std::vector<V> points;
    for (std::size_t i = 0; i <= count; ++i) {
      const std::size_t j = i * last / count;
      points.emplace_back(x(static_cast<double>(j)), line[j] + height, 0);
    }
    return points;
  }
  /// A point of a string, between its nodes.
  [[nodiscard]] V place(const std::vector<double>& line, double s, double height) const {
    const double round = p_.ends == "periodic" ? s - p_.length * std::floor(s / p_.length) : s;
    const double cells = std::clamp(round / p_.length, 0.0, 1.0) * static_cast<double>(p_.points);
    const auto j = std::min(static_cast<std::size_t>(cells), line.size() - 2);
    const double part = cells - static_cast<double>(j);
    return {round, (1 - part) * line[j] + part * line[j + 1] + height, 0};
  }

  dalembert::io::Scene* scene_;
  Arguments p_;
  double apart_;  // how far apart the strings are drawn [m]
  std::array<dalembert::io::Scene::Curve, 2> strings_;
  std::array<dalembert::io::Scene::Point, 2> contacts_;
  dalembert::io::Scene::PanelId positions_, force_;
  std::vector<double> u_, v_;
};

}  // namespace contact_strings
