#pragma once

/// @file
/// A problem written by hand, from nothing but problem/concepts.hpp: a driven pendulum, or a harmonic oscillator.
///   q̈ = −k sin q + f cos t      (pendulum)        q̈ = −k q + f cos t      (oscillator)
/// It can be told to fail: to throw, or to produce numbers that are not finite, from some time on.

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/core/errors.hpp>
#include <dalembert/problem/concepts.hpp>

namespace test {

struct Pendulum {
  using Scalar = double;
  struct State {
    double time = 0;
    double q = 0;
    double v = 0;
    bool operator==(const State&) const = default;
  };
  struct Rates {
    double a = 0;
  };
  struct Increment {
    double q = 0, v = 0, time = 0;
    void set_zero() { *this = {}; }
    void add_scaled(double factor, const Increment& k) {
      q += factor * k.q;
      v += factor * k.v;
      time += factor * k.time;
    }
    double norm() const { return std::max(std::abs(q), std::abs(v)); }
  };

  double stiffness = 1;
  double drive = 0;
  bool harmonic = false;
  double throws_from = std::numeric_limits<double>::infinity();
  double nan_from = std::numeric_limits<double>::infinity();
  mutable long evaluations = 0;

  Rates make_rates() const { return {}; }
  Increment make_increment() const { return {}; }
  void rates(const State& at, Rates& out) const {
    ++evaluations;
    if (at.time >= throws_from) throw dalembert::ContactOpened("the test's contact opened", at.time);
    out.a = -stiffness * (harmonic ? at.q : std::sin(at.q)) + drive * std::cos(at.time);
    if (at.time >= nan_from) out.a = std::numeric_limits<double>::quiet_NaN();
  }
  void slope(const State& at, const Increment&, const Rates& given, Increment& out) const {
    out = {at.v, given.a, 1};
  }
  void retract(const State& at, const Increment& u, State& out) const {
    out = {at.time + u.time, at.q + u.q, at.v + u.v};
  }
  void solve_algebraic(State&) const {}
  dalembert::Projection<double> project(State&) const { return {}; }
  double kinetic_energy(const State& at) const { return at.v * at.v / 2; }
  double energy(const State& at) const {
    return kinetic_energy(at) + stiffness * (harmonic ? at.q * at.q / 2 : 1 - std::cos(at.q));
  }
  dalembert::Violation<double> constraint(const State&) const { return {}; }
  dalembert::Powers<double> power(const State& at, const Rates&) const {
    return {.constraint = 0, .dissipation = 0, .load = drive * std::cos(at.time) * at.v};
  }
};

static_assert(dalembert::Problem<Pendulum>);

}  // namespace test
