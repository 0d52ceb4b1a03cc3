#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// How static equilibria are searched for: Newton's method along a path of loads whose steps adapt
/// themselves. What is solved is said elsewhere: rod/statics.hpp, statics/statics.hpp.
namespace dalembert::assembly {

/// How an equilibrium is looked for.
template <class S = double>
struct StaticOptions {
  /// Residual relative to the loads inside the bodies; no less than numbers of type S can have.
  S tolerance = std::max(S(1e-10), S(64) * std::numeric_limits<S>::epsilon());
  /// Last Newton step, relative to the size of the system, or [rad]; likewise.
  S step_tolerance = std::max(S(1e-8), S(64) * std::numeric_limits<S>::epsilon());
  int iterations = 40;        ///< Newton iterations of one load step, at most
  S first_step = S(0.25);     ///< load factor of the first load step, in (0, 1]
  S smallest_step = S(1e-4);  ///< a load step below it ends the search
  S largest_step = S(1);      ///< no load step is longer
  S largest_turn = S(0.25);   ///< rotation in one Newton step, at most [rad]
  S largest_move = S(0.25);   ///< displacement in one Newton step relative to the size, at most

  /// Throws std::invalid_argument for a number out of its range.
  [[gnu::cold, gnu::noinline]] void check() const {
    const char* const name = "StaticOptions";
    require(tolerance > 0 && tolerance < 1, name, "tolerance", tolerance, "it must lie in (0, 1)");
    require(step_tolerance > 0 && step_tolerance < 1, name, "step_tolerance", step_tolerance,
            "it must lie in (0, 1)");
    require(iterations >= 1, name, "iterations", iterations, "at least one iteration is needed");
    require(first_step > 0 && first_step <= 1, name, "first_step", first_step, "it must lie in (0, 1]");
    require(smallest_step > 0 && smallest_step <= first_step, name, "smallest_step", smallest_step,
            "it must be positive and not exceed first_step");
    require(largest_step >= smallest_step, name, "largest_step", largest_step,
            "it must not be less than smallest_step");
    require(largest_turn > 0 && largest_turn < 3, name, "largest_turn", largest_turn,
            "it must lie in (0, 3) rad");
    require(largest_move > 0, name, "largest_move", largest_move, "it must be positive");
  }
};

/// Numbers that say how to search have no derivatives.
template <DualReal S>
struct StaticOptions<S> : StaticOptions<number::Plain<S>> {};

/// What the search did.
template <class S = double>
struct StaticResult {
  int iterations = 0;  ///< Newton iterations, those of failed load steps included
  int load_steps = 0;  ///< load steps that converged
  S residual{};        ///< relative residual of the last
};

/// Nor has what it did.
template <DualReal S>
struct StaticResult<S> : StaticResult<number::Plain<S>> {};

namespace detail {

/// Puts loads, and what is held, at a load factor or parameter.
template <class S>
using PutLoads = std::function<void(S)>;

/// A Newton step: how long it is (relative to the size of the system, or [rad]), how many times its limit,
/// and by how much derivatives change, relative to their largest change.
template <class S>
struct StaticStep {
  S size{};
  S excess{};
  S derivatives{};

  /// Take in another part of the step; a NaN stays.
  void include(S length, S limit) noexcept {
    number::keep_larger(size, length);
    number::keep_larger(excess, length <= S(0) ? S(0) : S(length / limit));
  }
};

/// What Newton's method asks of a system, in plain numbers; what else its unknowns carry is its own.
template <class S>
class NewtonSystem {
 public:
  NewtonSystem() = default;
  NewtonSystem(const NewtonSystem&) = delete;
  NewtonSystem& operator=(const NewtonSystem&) = delete;

  /// Find what is not balanced, and the equations of a step.
  virtual void assemble() = 0;
  /// How much is not balanced, relative to what is; round-off counts as `tolerance`.
  [[nodiscard]] virtual S residual(S tolerance) const = 0;
  /// Find the step. Throws SingularSystem.
  [[nodiscard]] virtual StaticStep<S> solve(const StaticOptions<S>& o) = 0;
  /// Go a part of it.
  virtual void move(S fraction) = 0;
  /// Whether what is held is where it shall be.
  [[nodiscard]] virtual bool at_target() const noexcept { return true; }
  /// Throws where an equilibrium means nothing.
  virtual void check_turns() const {}
  /// That of the state, for messages [s].
  [[nodiscard]] virtual double time() const noexcept { return 0; }

 protected:
  ~NewtonSystem() = default;
};

/// The same with loads that are put step by step.
template <class S>
class LoadedSystem : public NewtonSystem<S> {
 public:
  /// Keep the state, and go back to it.
  virtual void save() = 0;
  virtual void restore() = 0;
  /// The loads, and where held nodes go, have been put.
  virtual void set_target() = 0;
  /// A row that contradicts others; empty where there is none.
  [[nodiscard]] virtual std::string contradiction() const { return {}; }
  /// What nothing holds, each beginning with "; ".
  [[nodiscard]] virtual std::string freedoms() const = 0;

 protected:
  ~LoadedSystem() = default;
};

/// Newton's method; empty if it converged, otherwise what went wrong. The matrix has no derivatives: once
/// values have arrived, each step more is good for those of one order more, and then until they change by no
/// more than rounding has it.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] std::string newton(NewtonSystem<S>& system, const StaticOptions<S>& o,
                                                           StaticResult<S>& result, int& used,
                                                           int orders) try {
  S size = std::numeric_limits<S>::infinity(), derivatives = size;
  bool at_rest = false;  // the last step was small, or no longer shrinks, as round-off has it
  bool arrived = false, differentiated = orders == 0;
  for (used = 0;; ++used) {
    system.assemble();
    result.residual = system.residual(o.tolerance);
    if (!(result.residual < std::numeric_limits<S>::infinity())) return "the residual is not finite";
    arrived = arrived || (at_rest && result.residual <= o.tolerance && system.at_target());
    if (arrived && differentiated) {
      system.check_turns();
      return {};
    }
    if (!arrived && used == o.iterations)
      return message(
          {"the relative residual is ", shortest_text(result.residual), " after ", used, " iterations"});
    ++result.iterations;
    const StaticStep<S> step = system.solve(o);
    if (!(step.excess < std::numeric_limits<S>::infinity())) return "the Newton step is not finite";
    system.move(step.excess > S(1) ? S(1) / step.excess : S(1));
    const auto is_last = [&](S now, S before) { return now <= o.step_tolerance || now > S(0.25) * before; };
    at_rest = is_last(step.size, size);
    if (arrived) differentiated = --orders <= 0 && is_last(step.derivatives, derivatives);
    size = step.size;
    derivatives = step.derivatives;
  }
} catch (const SingularSystem& e) {
  return e.what();
} catch (const InvalidState& e) {
  const std::string failure = e.what();
  return failure.substr(0, failure.rfind(" at t = "));
}

/// Load steps from 0 to 1 over Newton's method: halved where it fails, doubled where it is quick. `put` sets
/// loads and ends at a factor, in the end at that of the last equilibrium found, if there is one. Derivatives
/// of that at 1 are found up to an order.
template <class S>
[[gnu::cold, gnu::noinline]] StaticResult<S> step_loads(LoadedSystem<S>& system, const StaticOptions<S>& o,
                                                        const std::type_identity_t<PutLoads<S>>& put,
                                                        int orders = 0) {
  o.check();
  constexpr int quick = 8;
  StaticResult<S> result;
  S reached(0);
  S step = std::min(o.first_step, o.largest_step);
  while (reached < S(1)) {
    const S next = reached + step * S(1.000001) >= S(1) ? S(1) : reached + step;
    system.save();
    put(next);
    system.set_target();
    int used = 0;
    const std::string failure = newton<S>(system, o, result, used, next < S(1) ? 0 : orders);
    if (failure.empty()) {
      reached = next;
      ++result.load_steps;
      if (used <= quick) step = std::min(S(2) * step, o.largest_step);
      continue;
    }
    system.restore();
    step = (next - reached) / S(2);
    if (step < o.smallest_step) {
      if (reached > S(0)) put(reached);
      if (const std::string row = system.contradiction(); !row.empty())
        throw IncompatibleConstraints(
            message({"IncompatibleConstraints: ", row,
                     " contradicts other rows, or acts on nothing that can move, beyond the load factor ",
                     shortest_text(reached)}),
            system.time());
      throw NoConvergence(message({"NoConvergence: no static equilibrium beyond the load factor ",
                                   shortest_text(reached), ": ", failure, system.freedoms()}),
                          system.time());
    }
  }
  return result;
}

}  // namespace detail

}  // namespace dalembert::assembly
