// Wheels on elastic tyres, whose twist has no inertia.

#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "fuzz/system.hpp"

namespace fuzz {

namespace s = dalembert::systems;

Outcome tires(Input& in) {
  switch (in.whole("system", 0, 2)) {
    case 0:
      in.note("name", "RocardTire");
      return exercise_with<s::RocardTire<double>>(in, [&] {
        return s::RocardTire<double>::Parameters{.axle = in.like("axle", 1),
                                                 .yaw = in.like("yaw", 1),
                                                 .mass = in.like("mass", 1),
                                                 .stiffness = in.like("stiffness", 1),
                                                 .cornering = in.like("cornering", 1)};
      });
    case 1:
      in.note("name", "GreidanusLimit");
      return exercise_with<s::GreidanusLimit<double>>(in, [&] {
        return s::GreidanusLimit<double>::Parameters{.axle = in.like("axle", 1),
                                                     .yaw = in.like("yaw", 1),
                                                     .mass = in.like("mass", 1),
                                                     .stiffness = in.like("stiffness", 1),
                                                     .curvature = in.between("curvature", -2, 2)};
      });
    default:
      in.note("name", "GreidanusTire");
      return exercise_with<s::GreidanusTire<double>>(in, [&] {
        return s::GreidanusTire<double>::Parameters{
            .axle = in.like("axle", 1),
            .yaw = in.like("yaw", 1),
            .mass = in.like("mass", 1),
            .lateral_curvature = in.between("lateral_curvature", -2, 2),
            .drift_curvature = in.between("drift_curvature", -2, 2),
            .lateral_stiffness = in.like("lateral_stiffness", 1),
            .torsional_stiffness = in.like("torsional_stiffness", 1)};
      });
  }
}

}  // namespace fuzz
