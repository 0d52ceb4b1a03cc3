#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <utility>

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

/// Travelling waves on rings, with a contact of any weights (string/waveguide.hpp).
template <class Smearing>
class WaveguideMotion {
 public:
  WaveguideMotion(const Arguments& arguments, const Start& start, const Smearing& smearing)
      : guide_(arguments.pair(), static_cast<int>(arguments.points), smearing),
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
  [[nodiscard]] double lyapunov(double) const { return std::numeric_limits<double>::quiet_NaN(); }

 private:
  dalembert::string::Waveguide<Smearing> guide_;
  typename dalembert::string::Waveguide<Smearing>::State state_;
};

}  // namespace contact_strings
