#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/integrate/concepts.hpp>

/// The book-keeping of a run: energy, constraints and powers at each observation, and whether they balance.
///   E(t) − E(0) = ∫ (P_constraint + P_dissipation + P_load) dt                                       (1)
/// The integral is taken by the trapezoidal rule over the observations, with error O(Δt²): observe every step, or read (1)
/// only where the powers vanish.
namespace dalembert::analysis {

/// What a ledger keeps.
enum class Keep {
  series,  ///< every observation
  maxima,  ///< only the first observation, the last, and the maxima
};

/// An observer for `drive`, for any problem.
template <Problem P>
class Ledger {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// One observation.
  struct Entry {
    Scalar time{};                  ///< [s]
    Scalar energy{};                ///< [J]
    Scalar kinetic_energy{};        ///< [J]
    Violation<Scalar> violation{};  ///< of the constraints
    Powers<Scalar> power{};         ///< now [W]
    Powers<Scalar> work{};          ///< since the first observation [J]
  };

  /// For states of `problem`.
  explicit Ledger(const P& problem, Keep keep = Keep::series) : keep_(keep), rates_(problem.make_rates()) {}

  /// Observe `state`. What `problem.rates` throws passes through.
  void operator()(const P& problem, const State& state) {
    problem.rates(state, rates_);
    Entry now{.time = state.time,
              .energy = problem.energy(state),
              .kinetic_energy = problem.kinetic_energy(state),
              .violation = problem.constraint(state),
              .power = problem.power(state, rates_)};
    if (entries_.empty()) {
      entries_.push_back(now);
    } else {
      now.work = work_until(now);
    }
    last_ = now;
    if (keep_ == Keep::series && count_ > 0) entries_.push_back(now);
    ++count_;
    raise(energy_error_, energy_change(now));
    raise(balance_error_, energy_change(now) - total(now.work));
    raise(violation_.position, now.violation.position);
    raise(violation_.velocity, now.violation.velocity);
  }

  /// The observations in order; with `Keep::maxima` only the first.
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  /// The last observation.
  [[nodiscard]] const Entry& last() const noexcept { return last_; }
  /// How many observations there were.
  [[nodiscard]] long count() const noexcept { return count_; }
  /// max |E(t) − E(0)| [J].
  [[nodiscard]] Scalar energy_error() const noexcept { return energy_error_; }
  /// max |E(t) − E(0) − work| [J], how well (1) holds.
  [[nodiscard]] Scalar balance_error() const noexcept { return balance_error_; }
  /// Largest violations of the constraints.
  [[nodiscard]] const Violation<Scalar>& violation() const noexcept { return violation_; }

 private:
  [[nodiscard]] static Scalar total(const Powers<Scalar>& p) { return p.constraint + p.dissipation + p.load; }
  [[nodiscard]] Scalar energy_change(const Entry& now) const { return now.energy - entries_.front().energy; }

  /// Keep the larger magnitude; not-a-number is never forgotten.
  static void raise(Scalar& maximum, Scalar value) {
    using std::abs, std::isnan;
    if (isnan(value) || abs(value) > maximum) maximum = abs(value);
  }

  [[nodiscard]] Powers<Scalar> work_until(const Entry& now) const {
    const Scalar half = (now.time - last_.time) / 2;
    return {last_.work.constraint + half * (last_.power.constraint + now.power.constraint),
            last_.work.dissipation + half * (last_.power.dissipation + now.power.dissipation),
            last_.work.load + half * (last_.power.load + now.power.load)};
  }

  Keep keep_;
  typename P::Rates rates_;
  std::vector<Entry> entries_{};
  Entry last_{};
  long count_ = 0;
  Scalar energy_error_{};
  Scalar balance_error_{};
  Violation<Scalar> violation_{};
};

}  // namespace dalembert::analysis
