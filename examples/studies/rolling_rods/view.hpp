#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/chain.hpp>

/// What the page of a run shows: both rods, the contact with its force, and what is in contact.csv and ledger.csv.
class View {
 public:
  static constexpr std::size_t contact_shape = 2;  ///< the number of its shape

  View(dalembert::io::Scene& scene, double radius)
      : scene_(&scene),
        rods_{scene.tube("rod 1", radius, {.colour = 0}), scene.tube("rod 2", radius, {.colour = 1})},
        contact_(scene.point(
            "contact",
            {.colour = 3, .path = true, .radius = 0.3 * radius, .arrow = "force on rod 1", .unit = "N"})),
        positions_(scene.panel("contact on the rods", "m", {"s1", "s2"})),
        pressure_(scene.panel("normal force", "N", {"lambda_n"})),
        cone_(scene.panel("tangential over normal force", "1", {"cone utilisation"})),
        ledger_(scene.panel("ledger", "1, m/s, m, m",
                            {"energy change / initial kinetic energy", "slip", "gap error", "tangency"},
                            true)) {}

  /// A state at a time [s], with a change of energy over the kinetic energy at the start.
  void operator()(double time, const std::vector<dalembert::rod::Chain<double>>& chains,
                  const dalembert::contact::ContactEvaluation<double>& contact, double energy_change,
                  double slip, double cone) {
    scene_->row(positions_, time, {contact.s[0], contact.s[1]});
    scene_->row(pressure_, time, {contact.components[0]});
    scene_->row(cone_, time, {cone});
    scene_->row(ledger_, time, {energy_change, slip, contact.gap, contact.tangency});
    if (!scene_->frame(time)) return;
    for (std::size_t i = 0; i < 2; ++i) scene_->put(rods_[i], chains[i]);
    scene_->put(contact_, contact.place, contact.force);
  }

 private:
  dalembert::io::Scene* scene_;
  std::array<dalembert::io::Scene::Tube, 2> rods_;
  dalembert::io::Scene::Point contact_;
  dalembert::io::Scene::PanelId positions_, pressure_, cone_, ledger_;
};
