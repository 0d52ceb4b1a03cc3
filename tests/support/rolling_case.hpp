#pragma once

/// @file
/// Pairs of rods that roll on each other, as assemblies, for every combination of kernel, averaging and tangency, behind one face, so that a law is
/// written and compiled once.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/rod/body.hpp>

#include "support/rods.hpp"

namespace test {

/// What two rods in contact answer in a state.
struct RollingAnswer {
  using Nodes = dalembert::assembly::NodeNumbers<double>;
  Nodes free_loads;  ///< without the contact
  Nodes loads;       ///< with it
  Nodes acceleration;
  dalembert::Vec<double, 3> multiplier;
  dalembert::Vec<double, 3> force;  ///< on rod 1, spatial
  dalembert::Vec<double, 2> rate;   ///< ṡ
};

/// How a pair is made.
struct RollingOptions {
  int elements = 40;
  double radius1 = 0.05, radius2 = 0.05;
  double kernel_width = 0.05;
  double angle = 1.2;  ///< of crossing [rad]
  bool integrate_positions = false;
};

class RollingCase {
 public:
  using V = dalembert::Vec<double, 3>;
  using Rod = dalembert::rod::ElasticRod<double>;
  using State = dalembert::assembly::State<double>;

  std::string name;
  bool keeps_gap = false;
  std::vector<Rod> rods;
  double target_gap{};

  virtual ~RollingCase() = default;
  /// A random pair, gap and tangency right, velocities without slip if asked.
  virtual State pair(Random& random, bool without_slip) const = 0;
  virtual V slip(const State&) const = 0;
  /// R₂ − R₁.
  virtual V between(const State&) const = 0;
  virtual dalembert::contact::Tangency<double> tangency(const State&) const = 0;
  virtual RollingAnswer answer(const State&) const = 0;
  virtual dalembert::Powers<double> power(const State&) const = 0;
  virtual double energy(const State&) const = 0;
  /// Onto the positions as in a step of length h.
  virtual dalembert::Projection<double> close(State&, double h) const = 0;
  virtual dalembert::Projection<double> project(State&) const = 0;
  virtual void solve_algebraic(State&) const = 0;
  /// Run with the classical Runge–Kutta method.
  virtual void run(State&, double h, int steps) const = 0;

  /// |R₂ − R₁| less what it shall be.
  double gap(const State& x) const { return between(x).norm() - target_gap; }
};

template <class K, class Averaging, class TangencyRule>
class RollingCaseOf final : public RollingCase {
  static constexpr bool crosses = !Averaging::pairwise && TangencyRule::gap_stationary;
  template <bool crossing, class Any>
  struct Choice {
    using type = dalembert::contact::RollingOfRods<double, K, Any, TangencyRule>;
  };
  template <class Any>
  struct Choice<true, Any> {
    using type = dalembert::contact::RollingContact<double, K>;
  };

 public:
  using Contact = typename Choice<crosses, Averaging>::type;
  using Problem =
      dalembert::assembly::Assembly<dalembert::assembly::Kinds<Rod>, dalembert::assembly::Kinds<Contact>>;

  RollingCaseOf(std::string its_name, const RollingOptions& options)
      : options_(options), problem_(make(options)) {
    name = std::move(its_name);
    keeps_gap = crosses;
    rods = problem_.template bodies<0>();
    target_gap = options.radius1 + options.radius2;
  }

  State pair(Random& random, bool without_slip) const override {
    using dalembert::Mat;
    Mat<double, 3> across;
    across << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // e₃ along x
    const Mat<double, 3> crossing = rotation_matrix<double>(V(0, 0, options_.angle)) * across;
    std::vector<dalembert::rod::Chain<double>> chains{random_chain(rods[0], across, random),
                                                      random_chain(rods[1], crossing, random)};
    dalembert::Vec<double, 2> s;
    const auto tangent = [&](std::size_t i) {
      const Eigen::Index k = rods[i].nodes() / 2;
      s[static_cast<Eigen::Index>(i)] = rods[i].spacing() * static_cast<double>(k);
      return V(chains[i].position(k + 1) - chains[i].position(k - 1));
    };
    const V apart = target_gap * tangent(0).cross(tangent(1)).normalized();
    transform<double>(chains[1], Mat<double, 3>::Identity(), apart);
    State x = problem_.state(std::move(chains), s);
    problem_.solve_tangencies(x);
    for (int i = 0; i < 30; ++i) {
      const V kappa = between(x);
      transform<double>(x[1], Mat<double, 3>::Identity(), V((target_gap / kappa.norm() - 1) * kappa));
      problem_.solve_tangencies(x);
    }
    if (without_slip) project(x);
    return x;
  }
  V slip(const State& x) const override { return problem_.row_velocities(x); }
  V between(const State& x) const override { return V(place(x, 1).R - place(x, 0).R); }
  dalembert::contact::Tangency<double> tangency(const State& x) const override {
    return TangencyRule::template evaluate<Averaging>(contact().first.average, contact().second.average,
                                                      place(x, 0), place(x, 1), x[0], x[1]);
  }
  RollingAnswer answer(const State& x) const override {
    auto rates = problem_.make_rates();
    auto without = problem_.make_loads();
    problem_.loads(x, without);
    problem_.rates(x, rates);
    RollingAnswer a{without.forces, rates.loads, rates.xidot, rates.lambda, rates.lambda, rates.zdot};
    if constexpr (!crosses) {
      namespace detail = dalembert::assembly::detail;
      detail::Evaluation<Contact> e;
      const detail::Evaluator<Contact> evaluator(contact());
      detail::find_points(evaluator, x, 0, e, static_cast<double*>(nullptr));
      a.force = contact().force(a.multiplier, evaluator.sight(e, x));
    }
    return a;
  }
  dalembert::Powers<double> power(const State& x) const override {
    auto rates = problem_.make_rates();
    problem_.rates(x, rates);
    return problem_.power(x, rates);
  }
  double energy(const State& x) const override { return problem_.energy(x); }
  dalembert::Projection<double> close(State& x, double h) const override {
    auto loads = problem_.make_loads();
    problem_.locate(x, loads);
    return problem_.project_position(x, h, loads);
  }
  dalembert::Projection<double> project(State& x) const override { return problem_.project(x); }
  void solve_algebraic(State& x) const override { problem_.solve_algebraic(x); }
  void run(State& x, double h, int steps) const override {
    auto stepper = dalembert::RungeKutta4{}.stepper(problem_, x);
    for (int i = 0; i < steps; ++i) (void)stepper.step(problem_, x, h);
  }

  /// The problem itself.
  const Problem& problem() const { return problem_; }

 private:
  static Problem make(const RollingOptions& o) {
    namespace assembly = dalembert::assembly;
    const Rod rod1 = soft_rod<Rod>(o.radius1, o.elements), rod2 = soft_rod<Rod>(o.radius2, o.elements + 3);
    const Contact contact{{0, rod1, o.kernel_width}, {1, rod2, o.kernel_width}, o.radius1, o.radius2, true,
                          o.integrate_positions};
    return Problem(assembly::bodies(std::vector{rod1, rod2}), assembly::constraints(std::vector{contact}));
  }
  const Contact& contact() const { return problem_.template constraints<0>()[0]; }
  auto place(const State& x, int side) const {
    const auto& on = side == 0 ? contact().first : contact().second;
    return on.average.at(x[on.body], x.z[side], 0, side + 1);
  }

  RollingOptions options_;
  Problem problem_;
};

using RollingCases = std::vector<std::unique_ptr<RollingCase>>;

}  // namespace test
