#pragma once

/// @file
/// Lorenz's equations as a problem over any numbers.

#include <algorithm>

#include <dalembert/core/number.hpp>
#include <dalembert/problem/concepts.hpp>

namespace test {

/// ẋ = σ(y − x), ẏ = x(ρ − z) − y, ż = xy − βz, with states of its own that tell their difference and its
/// numbers.
template <class S = double>
struct Lorenz {
  using Scalar = S;
  using Vec3 = dalembert::Vec<S, 3>;
  struct State {
    S time = S(0);
    Vec3 at = Vec3(S(0), S(0), S(0));

    template <class T, class F>
    typename Lorenz<T>::State mapped(const F& f) const {
      return {f(time), {f(at[0]), f(at[1]), f(at[2])}};
    }
  };
  struct Increment {
    Vec3 by = Vec3(S(0), S(0), S(0));
    S time = S(0);
    void set_zero() { *this = {}; }
    void add_scaled(S factor, const Increment& k) {
      for (int i = 0; i < 3; ++i) by[i] += factor * k.by[i];
      time += factor * k.time;
    }
    S norm() const {
      using dalembert::number::abs;
      return std::max({abs(by[0]), abs(by[1]), abs(by[2])});
    }
  };
  using Rates = Vec3;

  S sigma = S(10), rho = S(28), beta = S(8) / S(3);

  Rates make_rates() const { return Vec3(S(0), S(0), S(0)); }
  Increment make_increment() const { return {}; }
  void rates(const State& x, Rates& out) const {
    out[0] = sigma * (x.at[1] - x.at[0]);
    out[1] = x.at[0] * (rho - x.at[2]) - x.at[1];
    out[2] = x.at[0] * x.at[1] - beta * x.at[2];
  }
  void slope(const State&, const Increment&, const Rates& given, Increment& out) const {
    out = {given, S(1)};
  }
  void retract(const State& x, const Increment& u, State& out) const {
    out.time = x.time + u.time;
    for (int i = 0; i < 3; ++i) out.at[i] = x.at[i] + u.by[i];
  }
  void solve_algebraic(State&) const {}
  dalembert::Projection<S> project(State&) const { return {}; }
  S energy(const State&) const { return S(0); }
  S kinetic_energy(const State&) const { return S(0); }
  dalembert::Violation<S> constraint(const State&) const { return {}; }
  dalembert::Powers<S> power(const State&, const Rates&) const { return {}; }
  Increment difference(const State& from, const State& to) const {
    Increment u{.by = {}, .time = to.time - from.time};
    for (int i = 0; i < 3; ++i) u.by[i] = to.at[i] - from.at[i];
    return u;
  }
  template <class Visitor>
  friend void visit_increment(const State&, Increment& u, Visitor&& visit) {
    for (S& x : u.by) visit.internal(x);
  }
};

}  // namespace test
