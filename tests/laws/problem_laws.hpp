#pragma once

/// @file
/// Every problem behind one face, so that the laws of problems are written, and compiled, once: problem_laws_test.cpp. To have a problem obey
/// them, add it to a family, in one of the files problem_laws_of_*.cpp or in one of its own:
///   const test::ProblemFamily family([](test::Problems& all, bool elsewhere) { test::add_problem(all, "its name", problem, {state, …}); });

#include <algorithm>
#include <any>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <dalembert/problem/concepts.hpp>

namespace test {

/// Holds what any number type here says.
using Number = long double;
using Numbers = std::vector<Number>;

/// What laws a problem is excused from, and which it obeys besides.
struct Nature {
  bool reversible = true;         ///< its rates are even in the velocities, where nothing drives it
  bool workless = true;           ///< its constraints do no work where they hold
  bool affine_rows = true;        ///< its velocity rows are affine in the velocities
  bool rows_in_any_state = true;  ///< its rows are differentiated where they do not hold, too
  bool at_tangencies =
      true;  ///< its contacts are where their tangencies are zero, so that gaps change as slips
  bool tells_rates_apart =
      true;            ///< no inertia is so small beside others that its residual is lost in rounding
  bool slips = false;  ///< some rows are friction, so that only what belongs to positions stays as it is
  bool equivariant = false;  ///< the same problem elsewhere has the same rates, seen from there
};

/// How position rows change, as far as a problem says it otherwise than by velocity rows that are as many: error_rates.hpp of assemblies.
template <class P>
struct ErrorRates {
  static_assert(
      !requires(const P& p) { p.template constraints<0>(); }, "include laws/error_rates.hpp");
  static Numbers of(const P&, const typename P::State&) { return {}; }
};

/// A problem and some of its states, whatever they are made of.
class AnyProblem {
 public:
  using State = std::any;
  using Step = std::function<bool(State&, Number)>;

  std::string name;           ///< for messages
  Nature nature;              ///< see there
  Number epsilon = 0;         ///< of its numbers
  std::vector<State> states;  ///< anywhere, most of them beside the constraints

  virtual ~AnyProblem() = default;
  /// ξ̇, ż and λ.
  [[nodiscard]] virtual Numbers rates(const State&) const = 0;
  /// What is left of its equations for these rates.
  [[nodiscard]] virtual Numbers residual(const State&, const Numbers& rates) const = 0;
  /// Accelerations as the bodies see them, ż, and how large λ is: what does not depend on where everything lies.
  [[nodiscard]] virtual Numbers rates_of_bodies(const State&) const = 0;
  /// The state that lies a time further along the rates of the first one.
  [[nodiscard]] virtual State moved(const State&, Number time) const = 0;
  [[nodiscard]] virtual Number energy(const State&) const = 0;
  [[nodiscard]] virtual Number kinetic_energy(const State&) const = 0;
  [[nodiscard]] virtual dalembert::Powers<Number> power(const State&) const = 0;
  [[nodiscard]] virtual dalembert::Violation<Number> constraint(const State&) const = 0;
  virtual dalembert::Projection<Number> project(State&) const = 0;
  [[nodiscard]] virtual Numbers velocities(const State&) const = 0;
  [[nodiscard]] virtual State with_velocities(const State&, const Numbers&) const = 0;
  /// A v + b of every row, and φ of every row that has a position; empty if the problem does not tell.
  [[nodiscard]] virtual Numbers row_velocities(const State&) const = 0;
  [[nodiscard]] virtual Numbers row_errors(const State&) const = 0;
  /// What its constraints say of the rates of the latter; empty if they do not.
  [[nodiscard]] virtual Numbers error_rates(const State&) const = 0;
  /// Every number of a state.
  [[nodiscard]] virtual Numbers numbers(const State&) const = 0;
  /// Its methods, and a stepper of one of them that was made for a state.
  [[nodiscard]] virtual int methods() const = 0;
  [[nodiscard]] virtual Step stepper(int method, const State&) const = 0;
};

using Problems = std::vector<std::unique_ptr<AnyProblem>>;

/// Families of problems that say how they are made: as they are, or, `elsewhere`, moved as a whole with all that pulls and holds them.
class ProblemFamily {
 public:
  using Add = void (*)(Problems& all, bool elsewhere);

  explicit ProblemFamily(Add add) { list().push_back(add); }
  /// All problems of all families.
  static Problems all(bool elsewhere = false) {
    Problems problems;
    for (const Add add : list()) add(problems, elsewhere);
    return problems;
  }

 private:
  static std::vector<Add>& list() {
    static std::vector<Add> families;
    return families;
  }
};

/// Any problem behind the face of `AnyProblem`.
template <class P>
class ProblemOf final : public AnyProblem {
  using X = typename P::State;
  using Rates = typename P::Rates;
  using S = typename P::Scalar;
  static constexpr bool chains = requires(const X& x) { x.chains; };

 public:
  ProblemOf(std::string its_name, P problem, std::vector<X> some, Nature its_nature)
      : problem_(std::move(problem)) {
    name = std::move(its_name);
    nature = its_nature;
    epsilon = Number(std::numeric_limits<S>::epsilon());
    for (X& x : some) states.emplace_back(std::move(x));
  }

  Numbers rates(const State& at) const override {
    Rates r = solved(at);
    Numbers all;
    each_rate(r, of(at), [&](S& x) { all.push_back(Number(x)); });
    return all;
  }
  Numbers residual(const State& at, const Numbers& given) const override {
    Rates r = solved(at);
    auto next = given.begin();
    each_rate(r, of(at), [&](S& x) { x = static_cast<S>(*next++); });
    auto left = problem_.make_residual();
    problem_.residual(of(at), r, left);
    return {left.begin(), left.end()};
  }
  Numbers rates_of_bodies(const State& at) const override {
    Rates r = solved(at);
    Numbers all;
    if constexpr (chains) {
      const X& x = of(at);
      for (std::size_t b = 0; b < x.chains.size(); ++b)
        for (Eigen::Index k = 0; k < x[b].nodes; ++k) {
          const dalembert::Vec<S, 3> a(r.xidot[b](k, 0), r.xidot[b](k, 1), r.xidot[b](k, 2));
          const dalembert::Vec<S, 3> seen = x[b].rotation(k).inverse().act(a);
          for (int i = 0; i < 6; ++i) all.push_back(Number(i < 3 ? seen[i] : r.xidot[b](k, i)));
        }
    } else {
      for (int i = 0; i < r.xidot.size(); ++i) all.push_back(Number(r.xidot[i]));
    }
    for (int i = 0; i < r.zdot.size(); ++i) all.push_back(Number(r.zdot[i]));
    Number square = 0;
    each_multiplier(r, of(at), [&](const S& x) { square += Number(x) * Number(x); });
    all.push_back(std::sqrt(square));
    return all;
  }
  State moved(const State& at, Number time) const override {
    const Rates r = solved(at);
    auto none = problem_.make_increment(), slope = none, step = none;
    problem_.slope(of(at), none, r, slope);
    step.add_scaled(static_cast<S>(time), slope);
    X y = of(at);
    problem_.retract(of(at), step, y);
    return y;
  }
  Number energy(const State& at) const override { return Number(problem_.energy(of(at))); }
  Number kinetic_energy(const State& at) const override { return Number(problem_.kinetic_energy(of(at))); }
  dalembert::Powers<Number> power(const State& at) const override {
    const auto p = problem_.power(of(at), solved(at));
    return {Number(p.constraint), Number(p.dissipation), Number(p.load), Number(p.contacts)};
  }
  dalembert::Violation<Number> constraint(const State& at) const override {
    const auto v = problem_.constraint(of(at));
    return {Number(v.position), Number(v.velocity)};
  }
  dalembert::Projection<Number> project(State& at) const override {
    const auto done = problem_.project(std::any_cast<X&>(at));
    return {Number(done.moved), done.iterations, done.converged};
  }
  Numbers velocities(const State& at) const override {
    X x = of(at);
    Numbers all;
    each_velocity(x, [&](S& v) { all.push_back(Number(v)); });
    return all;
  }
  State with_velocities(const State& at, const Numbers& given) const override {
    X x = of(at);
    auto next = given.begin();
    each_velocity(x, [&](S& v) { v = static_cast<S>(*next++); });
    return x;
  }
  Numbers row_velocities(const State& at) const override {
    const X& x = of(at);
    if constexpr (requires { problem_.row_velocities(x); }) {
      const auto u = problem_.row_velocities(x);
      return {u.begin(), u.end()};
    } else if constexpr (requires { problem_.velocity_residual(x); }) {
      const auto u = problem_.velocity_residual(x);
      return {u.begin(), u.end()};
    } else {
      return {};
    }
  }
  Numbers row_errors(const State& at) const override {
    if constexpr (requires { problem_.row_errors(of(at)); }) {
      const auto errors = problem_.row_errors(of(at));
      return {errors.begin(), errors.end()};
    } else {
      return {};
    }
  }
  Numbers error_rates(const State& at) const override { return ErrorRates<P>::of(problem_, of(at)); }
  Numbers numbers(const State& at) const override {
    X x = of(at);
    Collect all;
    using dalembert::io::visit_numbers;
    visit_numbers(x, all);
    return all.numbers;
  }
  int methods() const override { return dalembert::SplitProblem<P> ? 2 : 1; }
  Step stepper(int method, const State& at) const override {
    if constexpr (dalembert::SplitProblem<P>)
      if (method == 1) return stepping(dalembert::Verlet{}, at);
    return stepping(dalembert::RungeKutta4{}, at);
  }

 private:
  struct Collect {
    Numbers numbers{};
    template <class Whole>
    void same(const std::string&, const Whole&) {}
    template <class Whole>
    void whole(const std::string&, const Whole&, std::int64_t, std::int64_t) {}
    template <class Part>
    void operator()(const std::string&, Part&& part) {
      visit_numbers(part, dalembert::io::NumberVisitor([this](S& x) { numbers.push_back(Number(x)); }));
    }
  };

  static const X& of(const State& at) { return *std::any_cast<X>(&at); }
  Rates solved(const State& at) const {
    Rates r = problem_.make_rates();
    problem_.rates(of(at), r);
    return r;
  }
  template <class F>
  static void each_velocity(X& x, const F& f) {
    if constexpr (chains) {
      for (auto& chain : x.chains)
        for (Eigen::Index k = 0; k < chain.nodes; ++k)
          for (int i = 0; i < 6; ++i) f(chain.velocity(k, i));
    } else {
      for (int i = 0; i < x.xi.size(); ++i) f(x.xi[i]);
    }
  }
  /// Calls f with ξ̇, ż and λ, or with λ alone.
  template <class F>
  struct EachRate {
    const F& f;
    bool multipliers_alone = false;
    void velocity(S& x) const {
      if (!multipliers_alone) f(x);
    }
    void internal(S& x) const { velocity(x); }
    void multiplier(S& x) const { f(x); }
  };
  template <class F>
  static void each_rate(Rates& r, const X& x, const F& f) {
    visit_rates(x, r, EachRate<F>{f});
  }
  template <class F>
  static void each_multiplier(Rates& r, const X& x, const F& f) {
    visit_rates(x, r, EachRate<F>{f, true});
  }
  template <class Method>
  Step stepping(const Method& method, const State& at) const {
    auto kept =
        std::make_shared<decltype(method.stepper(problem_, of(at)))>(method.stepper(problem_, of(at)));
    return [this, kept](State& x, Number h) {
      return kept->step(problem_, *std::any_cast<X>(&x), static_cast<S>(h)).converged;
    };
  }

  P problem_;
};

/// Add a problem with some of its states.
template <class P>
void add_problem(Problems& all, std::string name, P problem, std::vector<typename P::State> states,
                 const Nature& nature = {}) {
  all.push_back(
      std::make_unique<ProblemOf<P>>(std::move(name), std::move(problem), std::move(states), nature));
}

}  // namespace test
