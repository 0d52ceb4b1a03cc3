#pragma once

#include <dalembert/string/waveguide.hpp>

/// The numbers that motions of strings go on from, for whatever compares or disturbs their states
/// (analysis/comparable_flow.hpp).
namespace dalembert::strings {

namespace detail {

/// What may look into states.
struct Numbers {
  template <class State, class F>
  static void visit(State& state, F&& f) requires requires {
    state.rails_;
    state.contacts_;
  }
  {
    for (auto& rail : state.rails_) {
      for (auto& wave : rail.waves_) f(wave);
      f(rail.beginning_);
    }
    for (auto& contact : state.contacts_) {
      f(contact.s1);
      f(contact.s2);
      f(contact.velocity);
      f(contact.earlier);
    }
  }
};

}  // namespace detail

/// f(x) for each number of a waveguide's state, but the time: the waves on their rings, displacements at x =
/// 0, and the contacts. They are in the same order in states that have made as many steps.
template <class State, class F>
void for_each_number(State& state, F&& f) requires requires {
  detail::Numbers::visit(state, f);
}
{ detail::Numbers::visit(state, f); }

}  // namespace dalembert::strings
