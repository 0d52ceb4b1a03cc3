// expect: this is no Problem: project\(state\) is missing

#include <dalembert/integrate/explicit_rk.hpp>

struct Fall {
  using Scalar = double;
  struct State {
    double time = 0, x = 0;
  };
  struct Rates {};
  struct Increment {
    double x = 0;
    void set_zero() { x = 0; }
    void add_scaled(double factor, const Increment& k) { x += factor * k.x; }
    double norm() const { return x; }
  };
  Rates make_rates() const { return {}; }
  Increment make_increment() const { return {}; }
  void rates(const State&, Rates&) const {}
  void slope(const State&, const Increment&, const Rates&, Increment& out) const { out.x = 1; }
  void retract(const State& at, const Increment& u, State& out) const { out = {at.time, at.x + u.x}; }
  void solve_algebraic(State&) const {}
  double energy(const State&) const { return 0; }
  double kinetic_energy(const State&) const { return 0; }
  dalembert::Violation<double> constraint(const State&) const { return {}; }
  dalembert::Powers<double> power(const State&, const Rates&) const { return {}; }
};

int main() {
  const Fall fall;
  const Fall::State state;
  (void)dalembert::RungeKutta4{}.stepper(fall, state);
}
