#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/constraints_of_kind.hpp>

/// The same where rows of some constraints are friction.
namespace dalembert::assembly::detail {

/// Constraints of the kind K among others of which some have friction; see `FrictionKind`.
template <Constraint K>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class FrictionOfKind final : public ConstraintsOfKind<K, FrictionKind<ScalarOf<K>>> {
 public:
  using Base = ConstraintsOfKind<K, FrictionKind<ScalarOf<K>>>;
  using Base::Base;
  using Base::R;
  using typename Base::E, typename Base::S, typename Base::Rows;

  [[gnu::noinline]] void add_friction_loads(const Nodes<S>& n, NodeNumbers<S>& f) override {
    if constexpr (has_friction<K>)
      this->each([&](const K&, E& e, const Slot&) {
        e.friction.load = e.friction.force(Rows::velocities(e, n));
        Rows::add_loads(e, e.friction.load, n, f);
      });
  }
  [[gnu::noinline]] void forget_friction() override {
    if constexpr (has_friction<K>)
      this->each([&](const K&, E& e, const Slot&) { e.friction.load.setZero(); });
  }
  [[gnu::noinline]] void find_systems_for(S duration, const Nodes<S>& n,
                                          std::vector<std::size_t>& groups) override {
    this->each([&](const K&, E& e, const Slot&) {
      if constexpr (has_friction<K>) {
        Rows::find_friction(e, n, duration);
        e.friction.load.setZero();
        this->invert_alone(e, n);
      }
      if (e.solution == RowSolution::own_cluster) groups.push_back(e.cluster);
    });
  }
  [[gnu::noinline]] void start_step(const Reaction<S>& r, S h) override {
    this->each([&](const K& c, E& e, const Slot& slot) {
      const Vec<S, R> a = this->find_rates_of(c, e, slot, r);
      put(-a, w_.known, slot.row);
      put(-a, r.lambda, slot.row);
      if constexpr (has_friction<K>)
        if (e.friction.mobility > S(0)) {
          const Vec<S, R> slip = e.friction.rubbing(Rows::velocities(e, r.n));
          for (int i = 0; i < R; ++i) r.lambda[slot.row + i] -= slip[i] / h;
        }
    });
  }
  [[gnu::noinline]] void go_on_in_step(const Column<S>& lambda, S h) override {
    this->each([&](const K&, E& e, const Slot& slot) {
      Vec<S, R> b = take<R>(w_.known, slot.row);
      if constexpr (has_friction<K>)
        b += (e.friction.mobility / h) * e.friction.rubbing(take<R>(lambda, slot.row));
      put(b, w_.mu, slot.row);
    });
  }
  [[gnu::noinline]] void end_in_step(const Reaction<S>& r) override {
    this->each([&](const K&, E& e, const Slot& slot) {
      const Vec<S, R> mu = S(2) * take<R>(r.lambda, slot.row) - take<R>(w_.mu, slot.row);
      put(mu, r.lambda, slot.row);
      Rows::add_loads(e, mu, r.n, r.f);
    });
  }
  [[gnu::noinline]] void solve(Column<S>& b) override {
    this->each([&](const K&, E& e, const Slot& slot) {
      const auto mine = take<R>(b, slot.row);
      put(e.has_closed_form() ? solve_alone(e, -mine) : shaped(e, mine), b, slot.row);
    });
  }
  [[gnu::noinline]] void finish(Column<S>& b) override {
    this->each_other(
        [&](const K&, const E& e, const Slot& slot) { put(shaped(e, take<R>(b, slot.row)), b, slot.row); });
  }

 private:
  using Base::w_;
};

}  // namespace dalembert::assembly::detail
