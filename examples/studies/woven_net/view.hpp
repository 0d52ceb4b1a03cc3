#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/io/scene.hpp>
#include <dalembert/systems/woven_net.hpp>

/// What the page of a run shows: the rods on their frame, each contact with its force, and what is in ledger.csv.
class View {
 public:
  using V = dalembert::Vec<double, 3>;

  View(dalembert::io::Scene& scene, const dalembert::systems::WovenNetParameters<double>& p, std::size_t rods,
       std::size_t contacts)
      : scene_(&scene),
        forces_(scene.panel("normal forces", "N", {"least", "mean", "largest"})),
        height_(scene.panel("lowest point of a centreline", "m", {"height"})),
        cone_(scene.panel("largest tangential over normal force", "1", {"cone utilisation"})),
        ledger_(scene.panel("ledger", "1, m/s, m",
                            {"energy change / initial kinetic energy", "slip", "gap error"}, true)) {
    for (std::size_t i = 0; i < rods; ++i)
      rods_.push_back(scene.tube("rod " + std::to_string(i + 1), p.radius, {.colour = i < rods / 2 ? 0 : 1}));
    for (std::size_t i = 0; i < contacts; ++i)
      contacts_.push_back(scene.point(
          "contact " + std::to_string(i + 1),
          {.colour = 3, .radius = 0.35 * p.radius, .arrow = "force on the first rod", .unit = "N"}));
    add_frame(p);
  }

  /// Whether a frame is wanted at this time [s].
  [[nodiscard]] bool frame(double time) { return scene_->frame(time); }
  /// A rod in it.
  void rod(std::size_t i, const dalembert::rod::Chain<double>& chain) { scene_->put(rods_[i], chain); }
  /// A contact in it [m, N].
  void contact(std::size_t i, const V& place, const V& force) { scene_->put(contacts_[i], place, force); }

  /// Of all contacts the least, the mean and the largest normal force [N] and the largest share of the cone, and the lowest point [m].
  void row(double time, double least, double mean, double most, double cone, double height) {
    scene_->row(forces_, time, {least, mean, most});
    scene_->row(cone_, time, {cone});
    scene_->row(height_, time, {height});
  }
  /// The change of energy over the kinetic energy at the start, slip [m/s], error of the gaps [m].
  void monitor(double time, double energy, double slip, double gap) {
    scene_->row(ledger_, time, {energy, slip, gap});
  }

 private:
  /// Four bars with a ball at each corner, which hold the ends of the rods.
  void add_frame(const dalembert::systems::WovenNetParameters<double>& p) {
    using dalembert::SO3;
    const double a = 2 * p.radius, outer = p.width() / 2 + a,
                 quarter = static_cast<double>(dalembert::pi) / 2;
    std::vector<dalembert::io::Part> parts;
    for (const double side : {-outer, outer}) {
      const auto bar = dalembert::io::cylinder(a, 2 * outer);
      parts.push_back(bar.turned(SO3<double>::exp(V(0, quarter, 0))).at({0, side, 0}));
      parts.push_back(bar.turned(SO3<double>::exp(V(quarter, 0, 0))).at({side, 0, 0}));
      for (const double other : {-outer, outer}) parts.push_back(dalembert::io::ball(a).at({side, other, 0}));
    }
    scene_->place(scene_->body("frame", parts, {.colour = 4}), SO3<double>::identity(), V::Zero());
  }

  dalembert::io::Scene* scene_;
  std::vector<dalembert::io::Scene::Tube> rods_{};
  std::vector<dalembert::io::Scene::Point> contacts_{};
  dalembert::io::Scene::PanelId forces_, height_, cone_, ledger_;
};
