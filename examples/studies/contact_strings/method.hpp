#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/integrate/own_step.hpp>
#include <dalembert/string/numbers.hpp>
#include <dalembert/string/tape.hpp>
#include <dalembert/string/waveguide.hpp>

#include "contact_strings/initial.hpp"
#include "contact_strings/options.hpp"

namespace contact_strings {

/// What the study asks of a way to solve the equations: a motion that is stepped. A further one is a class of this shape and its word in main.cpp.
template <class M>
concept Method = requires(M& motion, const M& now, std::span<double> u, double duration) {
  { now.time_step() } -> std::convertible_to<double>;  // [s]
  motion.step();                                       // on by that
  { now.time() } -> std::convertible_to<double>;       // [s]
  { now.s1() } -> std::convertible_to<double>;         // [m]
  { now.s2() } -> std::convertible_to<double>;         // [m]
  { now.velocity() } -> std::convertible_to<double>;   // U = ⟨u_t⟩(s₁) [m/s]
  { now.lambda() } -> std::convertible_to<double>;     // [m²/s²]
  { now.energy() } -> std::convertible_to<double>;     // [J for unit mass per length]
  { now.slip() } -> std::convertible_to<double>;       // |⟨u_t⟩ − F⟨v_t⟩| [m/s]
  now.displacements(u);                                // of the first string at points + 1 places [m]
  {
    now.lyapunov(duration)
    } -> std::convertible_to<double>;  // the largest exponent from here on, or not-a-number [1/s]
};

/// How the exponent is measured over `duration` with these steps [s]: disturbances settle for an eighth of it, and are set back once a period.
[[nodiscard]] inline dalembert::analysis::LyapunovOptions<double> lyapunov_options(double duration,
                                                                                   double step,
                                                                                   double period) {
  return {.step = step,
          .duration = duration * 7 / 8,
          .interval = period,
          .transient = duration / 8,
          .separation = 1e-7};
}

/// Travelling waves on rings, with a contact of any weights (string/waveguide.hpp).
template <class Smearing>
class WaveguideMotion {
 public:
  WaveguideMotion(const Arguments& arguments, const Start& start, const Smearing& smearing)
      : period_(arguments.period()),
        guide_(arguments.pair(), static_cast<int>(arguments.points), smearing),
        state_(guide_.state(start[0], start[1])) {}

  [[nodiscard]] double time_step() const { return guide_.time_step(); }
  void step() { guide_.step(state_); }
  [[nodiscard]] double time() const { return state_.time; }
  [[nodiscard]] double s1() const { return state_.s1(); }
  [[nodiscard]] double s2() const { return state_.s2(); }
  [[nodiscard]] double velocity() const { return state_.contact().velocity; }
  [[nodiscard]] double lambda() const { return state_.lambda(); }
  [[nodiscard]] double energy() const { return guide_.energy(state_); }
  [[nodiscard]] double slip() const { return guide_.constraint(state_).velocity; }
  void displacements(std::span<double> u) const { guide_.displacements(state_, 0, u); }
  [[nodiscard]] double lyapunov(double duration) const {
    namespace analysis = dalembert::analysis;
    const analysis::ComparableFlow flow(guide_);
    return analysis::largest_lyapunov_exponent(dalembert::OwnStep{}, flow, state_,
                                               lyapunov_options(duration, time_step(), period_))
        .exponents[0];
  }

 private:
  double period_;
  dalembert::string::Waveguide<Smearing> guide_;
  typename dalembert::string::Waveguide<Smearing>::State state_;
};

/// The history of a contact at a point (string/tape.hpp), in as many steps a period as there are cells.
class TapeMotion {
 public:
  TapeMotion(const Arguments& arguments, const Start& start)
      : length_(arguments.length),
        step_(arguments.period() / static_cast<double>(arguments.points)),
        tape_(arguments.pair()),
        state_(tape_.state(start[0], start[1],
                           static_cast<std::size_t>(std::lround(arguments.t_end / step_)) + 1)) {}

  [[nodiscard]] double time_step() const { return step_; }
  void step() { tape_.step(state_, step_); }
  [[nodiscard]] double time() const { return state_.time; }
  [[nodiscard]] double s1() const { return state_.s1(); }
  [[nodiscard]] double s2() const { return state_.s2(); }
  [[nodiscard]] double velocity() const { return state_.velocity(); }
  [[nodiscard]] double lambda() const { return state_.lambda(); }
  [[nodiscard]] double energy() const { return tape_.energy(state_); }
  [[nodiscard]] double slip() const { return tape_.constraint(state_).velocity; }
  void displacements(std::span<double> u) const {
    const std::size_t last = u.size() - 1;
    for (std::size_t j = 0; j <= last; ++j)
      u[j] = tape_.displacement(
          state_, 0, j < last ? length_ * static_cast<double>(j) / static_cast<double>(last) : length_);
  }
  /// Not known: states of a growing history are not set back, and the exponent of a contact at a point does not converge.
  [[nodiscard]] double lyapunov(double) const { return std::numeric_limits<double>::quiet_NaN(); }

 private:
  double length_, step_;
  dalembert::string::Tape<double> tape_;
  dalembert::string::Tape<double>::State state_;
};

}  // namespace contact_strings
