#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <dalembert/problem/concepts.hpp>

/// What a solver that knows only vectors in Rⁿ needs of a problem: a chart of its states.
///
/// States live on a group, and an `Increment` is a displacement from one of them: state = base ⊕ increment. The increments are a
/// vector space, so their numbers, in any order, are the y that a solver may add and scale; this is all there is to
/// it. A chart is good near its base (rotations below a full turn), so move the base along now and then.
namespace own_solver {

/// Where the numbers of an increment, or of rates, lie.
struct Numbers {
  std::vector<double*> position;    ///< η, or the displacements of nodes
  std::vector<double*> velocity;    ///< ξ or its rate
  std::vector<double*> internal;    ///< coordinates without inertia, or their rates
  std::vector<double*> multiplier;  ///< of the constraints; rates only

  /// Position, velocity and internal numbers, in this order.
  [[nodiscard]] std::vector<double*> all() const {
    std::vector<double*> list = position;
    list.insert(list.end(), velocity.begin(), velocity.end());
    list.insert(list.end(), internal.begin(), internal.end());
    return list;
  }
};

/// The numbers of a small vector.
template <class Vector>
void append(std::vector<double*>& list, Vector& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) list.push_back(&x[i]);
}

/// The numbers of the nodes of rods; what stands in the padding after them is left out.
template <class Columns, class State>
void append(std::vector<double*>& list, std::vector<Columns>& rods, const State& state) {
  for (std::size_t r = 0; r < rods.size(); ++r)
    for (Eigen::Index k = 0; k < state.chains[r].nodes; ++k)
      for (Eigen::Index i = 0; i < rods[r].cols(); ++i) list.push_back(&rods[r](k, i));
}

/// The numbers of an increment of a state on a group, or of rods.
template <class Increment, class State>
[[nodiscard]] Numbers numbers_of_increment(Increment& u, const State& state) {
  Numbers n;
  if constexpr (requires { u.eta; }) {
    append(n.position, u.eta);
    append(n.velocity, u.xi);
    append(n.internal, u.z);
  } else {
    append(n.position, u.displacement, state);
    append(n.velocity, u.velocity, state);
    append(n.internal, u.z);
  }
  return n;
}

/// The numbers of rates that the equations of motion are asked about.
template <class Rates, class State>
[[nodiscard]] Numbers numbers_of_rates(Rates& r, const State& state) {
  Numbers n;
  if constexpr (requires { r.lambda.multiplier; }) {
    append(n.velocity, r.xidot, state);
    append(n.multiplier, r.lambda.multiplier);
  } else {
    append(n.velocity, r.xidot);
    append(n.multiplier, r.lambda);
  }
  append(n.internal, r.zdot);
  return n;
}

/// The states of a problem near a base, as vectors y ∈ Rⁿ; y = 0 is the base.
template <dalembert::Problem P>
class Chart {
 public:
  using State = typename P::State;

  Chart(const P& problem, const State& base)
      : problem_(problem),
        base_(base),
        state_(base),
        rates_(problem.make_rates()),
        offset_(problem.make_increment()),
        slope_(problem.make_increment()),
        y_(numbers_of_increment(offset_, base).all()),
        dydt_(numbers_of_increment(slope_, base).all()) {}
  Chart(const Chart&) = delete;
  Chart& operator=(const Chart&) = delete;

  /// n.
  [[nodiscard]] std::size_t size() const noexcept { return y_.size(); }

  /// The state at y and time t: base ⊕ y, completed with what follows from it.
  const State& state(const double* y, double t) {
    offset_.set_zero();
    for (std::size_t i = 0; i < y_.size(); ++i) *y_[i] = y[i];
    offset_.time = t - base_.time;
    problem_.retract(base_, offset_, state_);
    problem_.solve_algebraic(state_);
    return state_;
  }

  /// dy/dt at y and t, for a solver of ẏ = f(y, t): the rates, seen in the chart.
  void slope(const double* y, double t, double* dydt) {
    problem_.rates(state(y, t), rates_);
    problem_.slope(state_, offset_, rates_, slope_);
    for (std::size_t i = 0; i < dydt_.size(); ++i) dydt[i] = *dydt_[i];
  }

  /// Make y the base, and zero.
  void rebase(double* y, double t) {
    base_ = state(y, t);
    base_.time = t;
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = 0;
  }

  /// y = 0.
  [[nodiscard]] const State& base() const noexcept { return base_; }

 protected:
  const P& problem_;
  State base_, state_;
  typename P::Rates rates_;
  typename P::Increment offset_, slope_;
  std::vector<double*> y_, dydt_;
};

/// The same for a solver of F(t, Y, Ẏ) = 0, Y = (y, λ): multipliers are unknowns like others, without a rate. The rows of F are
///   η̇ − dexp⁻¹_η ξ        how positions follow velocities
///   residual(y, ẏ, λ)     the equations of motion, internal coordinates and constraints of the problem
template <dalembert::ResidualProblem P>
class ImplicitChart : public Chart<P> {
 public:
  using typename Chart<P>::State;

  ImplicitChart(const P& problem, const State& base)
      : Chart<P>(problem, base),
        given_(problem.make_rates()),
        numbers_(numbers_of_rates(given_, base)),
        positions_(numbers_of_increment(this->offset_, base).position.size()),
        residual_(problem.make_residual()) {}

  /// How many unknowns.
  [[nodiscard]] std::size_t unknowns() const noexcept { return this->size() + numbers_.multiplier.size(); }
  /// Whether unknown i has a rate.
  [[nodiscard]] bool differential(std::size_t i) const noexcept { return i < this->size(); }

  /// Y and Ẏ at the base, which satisfy F = 0.
  void start(double* Y, double* Ydot) {
    for (std::size_t i = 0; i < unknowns(); ++i) Y[i] = Ydot[i] = 0;
    this->slope(Y, this->base_.time, Ydot);
    const Numbers solved = numbers_of_rates(this->rates_, this->base_);
    for (std::size_t i = 0; i < solved.multiplier.size(); ++i) Y[this->size() + i] = *solved.multiplier[i];
  }

  /// F.
  void residual(double t, const double* Y, const double* Ydot, double* F) {
    const State& at = this->state(Y, t);
    const double* next = Ydot + positions_;
    for (double* x : numbers_.velocity) *x = *next++;
    for (double* x : numbers_.internal) *x = *next++;
    next = Y + this->size();
    for (double* x : numbers_.multiplier) *x = *next++;

    this->problem_.slope(at, this->offset_, given_, this->slope_);
    for (std::size_t i = 0; i < positions_; ++i) F[i] = Ydot[i] - *this->dydt_[i];
    this->problem_.residual(at, given_, residual_);
    for (Eigen::Index i = 0; i < residual_.size(); ++i)
      F[positions_ + static_cast<std::size_t>(i)] = residual_[i];
  }

 private:
  typename P::Rates given_;
  Numbers numbers_;
  std::size_t positions_;
  typename P::Residual residual_;
};

}  // namespace own_solver
