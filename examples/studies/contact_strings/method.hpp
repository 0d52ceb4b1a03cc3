#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <dalembert/analysis/comparable_flow.hpp>
#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/characteristic_solver.hpp>
#include <dalembert/string/grid_contact.hpp>
#include <dalembert/string/numbers.hpp>
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
  {
    now.energy_removed()
    } -> std::convertible_to<double>;  // from the start, by what the contact does not allow [J]
  now.displacements(0, u);             // of string 0 or 1 at points + 1 places [m]
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
template <class Averaging>
class WaveguideMotion {
 public:
  WaveguideMotion(const Arguments& arguments, const Start& start, const Averaging& averaging)
      : period_(arguments.period()),
        guide_(arguments.pair(), static_cast<int>(arguments.points), averaging),
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
  [[nodiscard]] double energy_removed() const { return 0; }
  void displacements(int string, std::span<double> u) const { guide_.displacements(state_, string, u); }
  [[nodiscard]] double lyapunov(double duration) const {
    namespace analysis = dalembert::analysis;
    const analysis::ComparableFlow flow(guide_);
    return analysis::largest_lyapunov_exponent(dalembert::SelfStepping{}, flow, state_,
                                               lyapunov_options(duration, time_step(), period_))
        .exponents[0];
  }

 private:
  double period_;
  dalembert::strings::Waveguide<Averaging> guide_;
  typename dalembert::strings::Waveguide<Averaging>::State state_;
};

/// The history of a contact at a point (string/characteristic_solver.hpp), in as many steps a period as there are cells.
class CharacteristicMotion {
 public:
  CharacteristicMotion(const Arguments& arguments, const Start& start)
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
  [[nodiscard]] double energy_removed() const { return 0; }
  void displacements(int string, std::span<double> u) const {
    const std::size_t last = u.size() - 1;
    for (std::size_t j = 0; j <= last; ++j)
      u[j] = tape_.displacement(
          state_, string, j < last ? length_ * static_cast<double>(j) / static_cast<double>(last) : length_);
  }
  /// Not known: states of a growing history are not set back, and the exponent of a contact at a point does not converge.
  [[nodiscard]] double lyapunov(double) const { return std::numeric_limits<double>::quiet_NaN(); }

 private:
  double length_, step_;
  dalembert::strings::CharacteristicSolver<double> tape_;
  dalembert::strings::CharacteristicSolver<double>::State state_;
};

/// Strings on a grid, in an assembly, whose contact is spread over the nodes by a bump of a fixed width (string/grid_contact.hpp), by Verlet's
/// method in steps of half the time that a wave takes from node to node.
class GridMotion {
 public:
  using String = dalembert::strings::GridString<double>;
  using Contact = dalembert::strings::GridContact<double, dalembert::contact::CompactKernelValue>;
  using Problem =
      dalembert::assembly::Assembly<dalembert::assembly::Kinds<String>, dalembert::assembly::Kinds<Contact>>;

  GridMotion(const Arguments& p, const Start& start)
      : problem_(make(p)),
        state_(begin(problem_, p, start, energy_removed_)),
        stepper_(problem_, state_),
        rates_(problem_.make_rates()),
        period_(p.period()) {}

  [[nodiscard]] double time_step() const {
    return 0.5 * strings()[0].spacing() / strings()[0].parameters().c;
  }
  void step() {
    if (!stepper_.step(problem_, state_, time_step()).converged)
      throw dalembert::NoConvergence("a step of strings on a grid", state_.time);
  }
  [[nodiscard]] double time() const { return state_.time; }
  [[nodiscard]] double s1() const { return state_.z[0]; }
  [[nodiscard]] double s2() const { return state_.z[1]; }
  [[nodiscard]] double velocity() const {
    dalembert::assembly::Point<double> at;
    at.s = s1();
    problem_.constraints<0>()[0].first.find_velocity(state_.lines, at);
    return at.V[0];
  }
  [[nodiscard]] double lambda() const {
    problem_.rates(state_, rates_);
    return -rates_.lambda[0];
  }
  [[nodiscard]] double energy() const { return problem_.energy(state_); }
  [[nodiscard]] double slip() const { return problem_.constraint(state_).velocity; }
  [[nodiscard]] double energy_removed() const { return energy_removed_; }
  void displacements(int string, std::span<double> u) const {
    const auto& line = state_.lines[static_cast<std::size_t>(string)].displacement;
    for (std::size_t j = 0; j < u.size(); ++j)
      u[j] = line[static_cast<Eigen::Index>(j) % line.size()];  // a closed string ends where it begins
  }
  [[nodiscard]] double lyapunov(double duration) const {
    return dalembert::analysis::largest_lyapunov_exponent(dalembert::Verlet{}, problem_, state_,
                                                          lyapunov_options(duration, time_step(), period_))
        .exponents[0];
  }

 private:
  [[nodiscard]] const std::vector<String>& strings() const { return problem_.bodies<0>(); }
  /// The start, with the velocities nearest to those given that the contact allows. A contact at a point takes any start: what does not fit it
  /// goes off as waves. One that is spread over nodes has their mass and takes energy, the less the narrower it is.
  [[nodiscard]] static Problem::State begin(const Problem& problem, const Arguments& p, const Start& start,
                                            double& energy_removed) {
    const auto& strings = problem.bodies<0>();
    Problem::State state = problem.state(std::vector{strings[0].line(start[0]), strings[1].line(start[1])},
                                         dalembert::Vec<double, 2>(p.s1, p.s2));
    const double given = problem.energy(state);
    problem.project(state);
    energy_removed = given - problem.energy(state);
    return state;
  }
  [[nodiscard]] static Problem make(const Arguments& p) {
    const auto pair = p.pair();
    const String string(
        {.c = p.c, .length = p.length, .points = static_cast<int>(p.points), .ends = pair.ends});
    // the bump has a standard deviation of 1.06 ℓ
    const double width = std::max(p.kernel_width / 1.06, string.spacing());
    return Problem{
        dalembert::assembly::bodies(string, string),
        dalembert::assembly::constraints(Contact{
            .first = {0, string, width}, .second = {1, string, width}, .F = p.F, .G1 = p.G1, .G2 = p.G2})};
  }

  Problem problem_;
  double energy_removed_ = 0;
  Problem::State state_;
  dalembert::VerletStepper<Problem> stepper_;
  mutable Problem::Rates rates_;
  double period_;
};

}  // namespace contact_strings
