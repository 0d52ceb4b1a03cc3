#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/analysis/quadrature.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>

/// The book-keeping of a run: energy, constraints and powers at each observation, and whether they balance.
///   E(t) − E(0) = ∫ (P_constraint + P_dissipation + P_load) dt + what contacts did                   (1)
/// The integral is taken over the observations, at any intervals, with error O(Δt⁷)
/// (analysis/quadrature.hpp): where every step is observed and the powers are smooth, what remains of (1) is
/// the integrator's error. Where powers jump, as at an impact, observe both sides. A jump of the energy
/// itself is no work: it stays in the balance.
namespace dalembert::analysis {

/// What an energy monitor keeps.
enum class Keep {
  series,  ///< every observation
  maxima,  ///< only the first observation, the last, and the maxima
};

/// What an energy monitor has seen, whatever it observes.
template <class S = double>
class EnergyRecord {
 public:
  using Scalar = S;  ///< the number type

  /// One observation.
  struct Entry {
    S time{};                  ///< [s]
    S energy{};                ///< [J]
    S kinetic_energy{};        ///< [J]
    Violation<S> violation{};  ///< of the constraints
    Powers<S> power{};         ///< now [W]
    /// Since the first observation [J]; the first few are improved as the next ones come.
    Powers<S> work{};
  };

  /// The observations in order; with `Keep::maxima` only the first.
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  /// The last observation.
  [[nodiscard]] const Entry& last() const noexcept { return last_; }
  /// How many observations there were.
  [[nodiscard]] long count() const noexcept { return count_; }
  /// max |E(t) − E(0)| [J].
  [[nodiscard]] S energy_error() const noexcept { return energy_error_; }
  /// max |E(t) − E(0) − work| [J], how well (1) holds.
  [[nodiscard]] S balance_error() const noexcept {
    S error = settled_balance_;
    raise(error, open_balance_);
    return error;
  }
  /// What contacts that open and close did since the first observation [J].
  [[nodiscard]] const ContactWorks<S>& contacts() const noexcept { return contacts_; }
  /// Largest violations of the constraints.
  [[nodiscard]] const Violation<S>& violation() const noexcept { return violation_; }

 protected:
  /// Of no observation yet.
  explicit EnergyRecord(Keep keep) : keep_(keep) {}

  /// Works of contacts since the last observation.
  void add(const ContactWorks<S>& works) { contacts_ += works; }
  /// The next observation.
  void add(Entry now);

 private:
  using Integral = RunningIntegral<S, 3>;

  /// Keep the larger magnitude; not-a-number is never forgotten.
  static void raise(S& maximum, S value) {
    using std::abs, std::isnan;
    if (isnan(value) || abs(value) > maximum) maximum = abs(value);
  }

  /// The work until the observation that is `back` before the last.
  [[nodiscard]] Powers<S> work(int back) const {
    const auto& w = integral_.value(back);
    return {.constraint = w[0], .dissipation = w[1], .load = w[2]};
  }

  /// Take over the works that the last observation gave or improved; balances that rest on them are open
  /// until they are final.
  void balance() {
    if (integral_.revised() == 1) raise(settled_balance_, open_balance_);
    open_balance_ = 0;
    for (int back = 0; back < integral_.revised(); ++back) {
      if (keep_ == Keep::series)
        entries_[entries_.size() - 1 - static_cast<std::size_t>(back)].work = work(back);
      const S energy = energy_[static_cast<std::size_t>((count_ - 1 - back) % Integral::most)];
      const auto& works = integral_.value(back);
      raise(open_balance_, energy - entries_.front().energy - (works[0] + works[1] + works[2]));
    }
  }

  Keep keep_;
  std::vector<Entry> entries_{};
  Entry last_{};
  long count_ = 0;
  S energy_error_{};
  Integral integral_{};
  std::array<S, Integral::most> energy_{};  ///< of the latest observations, without works of contacts
  ContactWorks<S> contacts_{};
  S settled_balance_{};
  S open_balance_{};
  Violation<S> violation_{};
};

template <class S>
void EnergyRecord<S>::add(Entry now) {
  integral_.add(now.time, {now.power.constraint, now.power.dissipation, now.power.load});
  now.work = work(0);
  last_ = now;
  if (keep_ == Keep::series || count_ == 0) entries_.push_back(now);
  energy_[static_cast<std::size_t>(count_ % Integral::most)] = now.energy - contacts_.sum();
  ++count_;
  raise(energy_error_, now.energy - entries_.front().energy);
  balance();
  raise(violation_.position, now.violation.position);
  raise(violation_.velocity, now.violation.velocity);
}

namespace detail {

/// Room for the rates of what is observed, if it has any.
template <class P>
struct RatesFor {
  explicit RatesFor(const P&) {}
};
template <Problem P>
struct RatesFor<P> {
  typename P::Rates of;

  explicit RatesFor(const P& problem) : of(problem.make_rates()) {}
};

}  // namespace detail

/// An observer for `drive`, for any problem, and for any flow: of one that does not tell its powers they are
/// zero, and of one that does not tell its kinetic energy that is not-a-number.
template <Observable P>
class EnergyMonitor : public EnergyRecord<typename P::Scalar> {
 public:
  using Record = EnergyRecord<typename P::Scalar>;  ///< what it has seen
  using typename Record::Entry;
  using typename Record::Scalar;
  using State = typename P::State;  ///< a state of the problem

  /// For states of `problem`.
  [[gnu::cold, gnu::noinline]] explicit EnergyMonitor(const P& problem, Keep keep = Keep::series);

  /// Observe `state`. What `problem.rates` throws passes through.
  void operator()(const P& problem, const State& state);
  /// The same after steps in which contacts opened and closed: their works belong to the balance.
  template <class Report>
    requires requires(const Report& report) { report.works; }
  void operator()(const P& problem, const State& state, const Report& report) {
    this->add(report.works);
    (*this)(problem, state);
  }

 private:
  detail::RatesFor<P> rates_;
};

template <Observable P>
EnergyMonitor<P>::EnergyMonitor(const P& problem, Keep keep) : Record(keep), rates_(problem) {}

template <Observable P>
void EnergyMonitor<P>::operator()(const P& problem, const State& state) {
  Entry now{.time = state.time,
            .energy = problem.energy(state),
            .kinetic_energy = std::numeric_limits<Scalar>::quiet_NaN(),
            .violation = problem.constraint(state),
            .power = {}};
  if constexpr (requires { problem.kinetic_energy(state); })
    now.kinetic_energy = problem.kinetic_energy(state);
  if constexpr (Problem<P>) {
    problem.rates(state, rates_.of);
    now.power = problem.power(state, rates_.of);
  } else if constexpr (requires { problem.power(state); }) {
    now.power = problem.power(state);
  }
  this->add(now);
}

}  // namespace dalembert::analysis
