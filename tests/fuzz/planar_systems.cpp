// Systems that move in a plane, on a line of numbers, or about a point.

#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>

#include "fuzz/system.hpp"

namespace fuzz {

namespace s = dalembert::systems;

Outcome planar_systems(Input& in) {
  switch (in.whole("system", 0, 7)) {
    case 0:
      in.note("name", "ChaplyginSleigh");
      return exercise_with<s::ChaplyginSleigh<double>>(in, [&] {
        return s::ChaplyginSleigh<double>::Parameters{.mass = in.like("mass", 1),
                                                      .inertia = in.like("inertia", 1),
                                                      .offset = in.between("offset", -1, 1)};
      });
    case 1:
      in.note("name", "KnifeEdge");
      return exercise_with<s::KnifeEdge<double>>(in, [&] {
        return s::KnifeEdge<double>::Parameters{.mass = in.like("mass", 1),
                                                .inertia = in.like("inertia", 1),
                                                .slope = in.between("slope", -2, 2),
                                                .gravity = in.between("gravity", -10, 10),
                                                .offset = in.between("offset", -1, 1)};
      });
    case 2:
      in.note("name", "NonholonomicParticle");
      return exercise_with<s::NonholonomicParticle<double>>(
          in, [&] { return s::NonholonomicParticle<double>::Parameters{.mass = in.like("mass", 1)}; });
    case 3:
      in.note("name", "PendulumDriver");
      return exercise_with<s::PendulumDriver<double>>(in, [&] {
        return s::PendulumDriver<double>::Parameters{
            .ratio_mean = in.between("ratio_mean", -1, 1),
            .ratio_cosine = in.between("ratio_cosine", -1, 1),
            .ratio_sine = in.between("ratio_sine", -1, 1),
            .ratio_third = in.between("ratio_third", -1, 1),
            .ratio_phase = in.between("ratio_phase", -4, 4),
            .potential_cosine = in.between("potential_cosine", -1, 1),
            .potential_sine = in.between("potential_sine", -1, 1)};
      });
    case 4:
      in.note("name", "VerticalDisk");
      return exercise_with<s::VerticalDisk<double>>(in, [&] {
        return s::VerticalDisk<double>::Parameters{.mass = in.like("mass", 1),
                                                   .radius = in.like("radius", 1),
                                                   .axial = in.like("axial", 1),
                                                   .transverse = in.like("transverse", 1)};
      });
    case 5:
      in.note("name", "Snakeboard");
      return exercise_with<s::Snakeboard<double>>(in, [&] {
        return s::Snakeboard<double>::Parameters{.mass = in.like("mass", 1),
                                                 .half_length = in.like("half_length", 1),
                                                 .board = in.between("board", 0, 1),
                                                 .rotor = in.like("rotor", 1),
                                                 .wheels = in.like("wheels", 0.1)};
      });
    case 6:
      in.note("name", "Suslov");
      return exercise_with<s::Suslov<double>>(
          in, [&] { return s::Suslov<double>::Parameters{.inertia = tensor(in)}; });
    default:
      in.note("name", "ChaoticOscillator");
      return exercise(in, s::ChaoticOscillator<double>{});
  }
}

}  // namespace fuzz
