#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/check_spacings.hpp>
#include <dalembert/core/detail/small_blocks.hpp>

/// What members of `Assembly` do. They are apart from their class so that a program can leave them to a
/// library (compiled/instantiate.hpp): what is defined in a class is compiled wherever it is called.
namespace dalembert::assembly {

template <Body First, Body... Rest, class... C>
Assembly<Kinds<First, Rest...>, Kinds<C...>>::Assembly(Kinds<First, Rest...> bodies, Kinds<C...> constraints,
                                                       BodySetId set)
    : bodies_(std::move(bodies)), constraints_(std::move(constraints), bodies_.blank(), set), set_(set) {
  detail::check_spacings<S>(bodies_.lists(), constraints_.lists());
  bodies_.divide(constraints_.part_of_bodies().first, constraints_.part_of_bodies().second);
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::state(State x) const -> State {
  const S time = x.time;
  require(number::isfinite(time), "Assembly", "time", time, "a time must be finite [s]");
  check_state(x);
  detail::check_numbers(x);
  x.set = set_;
  bodies_.hold_all(x);
  solve_algebraic(x);
  check_along(x);
  return x;
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::state(std::initializer_list<Start<S>> bodies, Column z,
                                                         S time) const -> State {
  State x = bodies_.blank();
  std::vector<char> given(x.chains.size(), 0);
  for (const Start<S>& start : bodies) {
    require(may_be_same(start.set, set_) && start.number < given.size(), "Assembly", "handle", start.number,
            "it must be of the bodies of the assembly");
    given[start.number] = 1;
    x[start.number] = start.chain;
    if (start.number < x.lines.size()) x.lines[start.number] = start.line;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    require(given[i] != 0, "Assembly", "body without a start", i, "every body must be somewhere");
  x.z = std::move(z);
  x.time = time;
  return state(std::move(x));
}

template <Body First, Body... Rest, class... C>
void Assembly<Kinds<First, Rest...>, Kinds<C...>>::check_state(const State& x) const {
  bodies_.check(x);
  if (x.z.size() != internal_size()) [[unlikely]]
    detail::refuse_number("internal coordinates", -1, x.z.size(), "its constraints have ", internal_size());
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::make_rates() const -> Rates {
  return {bodies_.columns(), bodies_.columns(), zero(row_count()), zero(internal_size()), {},
          make_workspace()};
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::make_loads() const -> NodeLoads {
  NodeColumns room = bodies_.prescribes() ? bodies_.columns() : NodeColumns{};
  return {bodies_.columns(), std::move(room), zero(row_count()), zero(internal_size()), {}, make_workspace()};
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::make_workspace() const -> Workspace {
  return constraints_.make_workspace(bodies_.blank());
}

template <Body First, Body... Rest, class... C>
void Assembly<Kinds<First, Rest...>, Kinds<C...>>::rates(const State& at, Rates& r) const {
  check_state(at);
  detail::check_rates(bodies_.blank(), row_count(), internal_size(), r);
  r.report = {};
  for (std::size_t p = 0; p < parts(); ++p) {
    bodies_.forces(p, at, r.loads);
    if constexpr (Constraints::some) {
      Solution solution(bodies_, constraints_, p, r.work);
      solution.evaluate(at);
      r.report += solution.solve_multipliers(at, r.loads, r.xidot, r.lambda, r.zdot);
    }
    bodies_.accelerate(p, at, r.loads, r.xidot);
  }
}

template <Body First, Body... Rest, class... C>
void Assembly<Kinds<First, Rest...>, Kinds<C...>>::retract(const State& at, const Increment& offset,
                                                           State& state) const {
  detail::retract(at, offset, state);
  state.z = at.z + offset.z;
  state.time = at.time + offset.time;
  bodies_.hold_all(state);
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::project(State& x, Workspace& w, Along along) const
    -> Projection<S> {
  check_state(x);
  Projection<S> closed, stopped;
  if constexpr (Constraints::some)
    for (std::size_t p = 0; p < parts(); ++p) {
      Solution solution(bodies_, constraints_, p, w);
      constraints_.find_places(p, x, w);
      closed.join(solution.project_positions(x, S(0), along));
      stopped.join(solution.project_velocities(x, along));
    }
  detail::check_projected(x);
  return {std::max(closed.moved, stopped.moved), closed.iterations, closed.converged && stopped.converged};
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::kinetic_energy(const State& x) const -> S {
  check_state(x);
  return bodies_.kinetic(x);
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::energy(const State& x) const -> S {
  check_state(x);
  return bodies_.energy(x);
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::constraint(const State& x) const -> Violation<S> {
  using dalembert::detail::largest;
  Violation<S> v{largest(row_errors(x)), largest(velocities(x, true))};
  rod::check_finite(v.position + v.velocity, "the violation of constraints", x.time);
  return v;
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::power(const State& x, const Rates& r) const -> Powers<S> {
  check_state(x);
  detail::check_rates(bodies_.blank(), row_count(), internal_size(), r);
  Workspace w = make_workspace();
  evaluate(x, w, false);
  const auto [damping, loads] = bodies_.powers(x, r.xidot, r.loads);
  Powers<S> p{S(0), damping, loads};
  constraints_.each(w, [&]<class K>(const K&, const detail::Evaluation<K>& e, const detail::Slot& slot) {
    detail::add_powers(e, nodes_of(x, w), detail::take<ConstraintTraits<K>::rows>(r.lambda, slot.row), p);
  });
  rod::check_finite(p.constraint + p.dissipation + p.load, "the power", x.time);
  return p;
}

template <Body First, Body... Rest, class... C>
auto Assembly<Kinds<First, Rest...>, Kinds<C...>>::velocities(const State& x, bool exact) const -> Column {
  check_state(x);
  Workspace w = make_workspace();
  evaluate(x, w, false);
  Column u = zero(row_count());
  constraints_.each(w, [&]<class K>(const K&, const detail::Evaluation<K>& e, const detail::Slot& slot) {
    auto of_rows = detail::Products<K>::velocities(e, nodes_of(x, w));
    if constexpr (detail::has_friction<K>)
      if (exact) of_rows -= e.friction.rubbing(of_rows);
    detail::put(of_rows, u, slot.row);
  });
  return u;
}

}  // namespace dalembert::assembly
