#pragma once

/// @file
/// Pairs of rods in contact for every combination of kernel, smearing and tangency, behind one face, so that a law is
/// written and compiled once.

#include <memory>
#include <string>
#include <vector>

#include <dalembert/contact/rolling.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/rod/problem.hpp>

#include "support/rods.hpp"

namespace test {

/// What a state of two rods in contact consists of, whatever the combination.
template <class S>
struct Pair {
  std::vector<dalembert::rod::Chain<S>> chains;
  dalembert::contact::ContactState<S> contact;
};

/// What a contact problem answers in a state.
template <class S>
struct Answer {
  using Nodes = std::vector<dalembert::rod::Columns<S, 6>>;
  Nodes free_loads;  ///< without the contact
  Nodes loads;       ///< with it
  Nodes acceleration;
  dalembert::contact::ContactForce<S> force;
};

/// How a pair is made.
struct PairOptions {
  int elements = 40;
  double radius1 = 0.05, radius2 = 0.05;
  double kernel_width = 0.05;
  double angle = 1.2;  ///< of crossing [rad]
  bool integrate_positions = false;
  bool bilateral = true;
  Wildness wild{};
};

template <class S>
class ContactCase {
 public:
  using V = dalembert::Vec<S, 3>;
  using Rod = dalembert::rod::ElasticRod<S>;

  std::string name;
  bool keeps_gap = false;
  bool normal_push = false;  ///< a multiplier along the normal loads no node with a torque
  std::vector<Rod> rods;
  S target_gap{};

  virtual ~ContactCase() = default;
  /// A random pair, gap and tangency right, velocities without slip if asked.
  virtual Pair<S> pair(Random& random, bool without_slip) const = 0;
  virtual void place(Pair<S>&) const = 0;
  virtual V slip(const Pair<S>&) const = 0;
  virtual dalembert::contact::ContactError<S> error(const Pair<S>&) const = 0;
  virtual dalembert::contact::Tangency<S> tangency(const Pair<S>&) const = 0;
  virtual Answer<S> answer(const Pair<S>&) const = 0;
  virtual dalembert::Powers<S> power(const Pair<S>&) const = 0;
  virtual S energy(const Pair<S>&) const = 0;
  virtual dalembert::Projection<S> project_position(Pair<S>&, S h) const = 0;
  virtual dalembert::Projection<S> project_velocity(Pair<S>&) const = 0;
  virtual void solve_algebraic(Pair<S>&) const = 0;
  /// Run with the classical Runge–Kutta method.
  virtual void run(Pair<S>&, S h, int steps) const = 0;
  /// The residual of the equations for rates of which the accelerations, ṡ and the multiplier are changed by `change`.
  virtual Eigen::Matrix<S, Eigen::Dynamic, 1> residual(const Pair<S>&, S change, int which) const = 0;
};

template <class S, class K, class Smearing, class TangencyRule>
class ContactCaseOf final : public ContactCase<S> {
  using Base = ContactCase<S>;
  using Contact = dalembert::contact::RollingContact<S, K, Smearing, TangencyRule>;
  using Problem = dalembert::rod::RodProblem<typename Base::Rod, Contact>;
  using State = typename Problem::State;
  using V = typename Base::V;

 public:
  ContactCaseOf(std::string its_name, const PairOptions& options)
      : options_(options), problem_(make(options)) {
    this->name = std::move(its_name);
    this->keeps_gap = !Smearing::pairwise && TangencyRule::gap_stationary;
    this->rods = problem_.rods();
    this->target_gap = problem_.coupling().target_gap();
  }

  Pair<S> pair(Random& random, bool without_slip) const override {
    const S a = S(options_.angle);
    dalembert::Mat<S, 3> across;
    across << S(0), S(0), S(1), S(0), S(1), S(0), S(-1), S(0), S(0);  // e₃ along x
    dalembert::Mat<S, 3> crossing;
    crossing << std::cos(a), -std::sin(a), S(0), std::sin(a), std::cos(a), S(0), S(0), S(0), S(1);
    Pair<S> p;
    p.chains = {random_chain(this->rods[0], across, random, options_.wild),
                random_chain(this->rods[1], dalembert::Mat<S, 3>(crossing * across), random, options_.wild)};
    const auto tangent = [&](std::size_t i) {
      const Eigen::Index k = this->rods[i].nodes() / 2;
      return V(p.chains[i].position(k + 1) - p.chains[i].position(k - 1));
    };
    const V apart = this->target_gap * tangent(0).cross(tangent(1)).normalized();
    transform<S>(p.chains[1], dalembert::Mat<S, 3>::Identity(), apart);
    const dalembert::Vec<S, 2> guess(this->rods[0].spacing() * S(this->rods[0].nodes() / 2),
                                     this->rods[1].spacing() * S(this->rods[1].nodes() / 2));
    p.contact = problem_.coupling().locate(this->rods, p.chains, guess, S(0));
    project_position(p, S(0));
    solve_algebraic(p);
    if (without_slip) project_velocity(p);
    return p;
  }
  void place(Pair<S>& p) const override { problem_.coupling().place(p.chains, p.contact, S(0)); }
  V slip(const Pair<S>& p) const override { return problem_.coupling().slip(p.chains, p.contact); }
  dalembert::contact::ContactError<S> error(const Pair<S>& p) const override {
    return problem_.coupling().error(p.chains, p.contact, S(0));
  }
  dalembert::contact::Tangency<S> tangency(const Pair<S>& p) const override {
    return problem_.coupling().tangency(p.chains, p.contact);
  }
  Answer<S> answer(const Pair<S>& p) const override {
    auto rates = problem_.make_rates();
    auto without = problem_.make_loads();
    const State x = state(p);
    problem_.loads(x, without);
    problem_.rates(x, rates);
    return {without.forces, rates.loads, rates.xidot, rates.lambda};
  }
  dalembert::Powers<S> power(const Pair<S>& p) const override {
    auto rates = problem_.make_rates();
    const State x = state(p);
    problem_.rates(x, rates);
    return problem_.power(x, rates);
  }
  S energy(const Pair<S>& p) const override { return problem_.energy(state(p)); }
  dalembert::Projection<S> project_position(Pair<S>& p, S h) const override {
    return problem_.coupling().project_position(this->rods, p.chains, p.contact, S(0), h);
  }
  dalembert::Projection<S> project_velocity(Pair<S>& p) const override {
    return problem_.coupling().project_velocity(this->rods, p.chains, p.contact);
  }
  void solve_algebraic(Pair<S>& p) const override {
    problem_.coupling().solve_algebraic(this->rods, p.chains, p.contact, S(0));
  }
  void run(Pair<S>& p, S h, int steps) const override {
    State x = state(p);
    auto stepper = dalembert::RungeKutta4{}.stepper(problem_, x);
    for (int i = 0; i < steps; ++i) (void)stepper.step(problem_, x, h);
    p = {x.chains, x.internal};
  }
  Eigen::Matrix<S, Eigen::Dynamic, 1> residual(const Pair<S>& p, S change, int which) const override {
    auto rates = problem_.make_rates();
    const State x = state(p);
    problem_.rates(x, rates);
    if (which == 0) rates.xidot[1](7, 1) += change;
    if (which == 1) rates.zdot[0] += change;
    if (which == 2) rates.lambda.multiplier[2] += change;
    auto r = problem_.make_residual();
    problem_.residual(x, rates, r);
    return r;
  }

  /// The problem itself.
  const Problem& problem() const { return problem_; }

 private:
  static Problem make(const PairOptions& o) {
    const auto rod1 = soft_rod<typename Base::Rod>(o.radius1, o.elements);
    const auto rod2 = soft_rod<typename Base::Rod>(o.radius2, o.elements + 3);
    typename Contact::Parameters c;
    c.radius1 = S(o.radius1);
    c.radius2 = S(o.radius2);
    c.kernel_width = S(o.kernel_width);
    c.integrate_positions = o.integrate_positions;
    c.bilateral = o.bilateral;
    return Problem({rod1, rod2}, Contact(c, rod1, rod2));
  }
  State state(const Pair<S>& p) const { return problem_.state(p.chains, p.contact); }

  PairOptions options_;
  Problem problem_;
};

template <class S>
using ContactCases = std::vector<std::unique_ptr<ContactCase<S>>>;

template <class S, class K, class Smearing, class TangencyRule>
void add_case(ContactCases<S>& cases, const std::string& name, const PairOptions& options) {
  cases.push_back(std::make_unique<ContactCaseOf<S, K, Smearing, TangencyRule>>(name, options));
}

}  // namespace test
