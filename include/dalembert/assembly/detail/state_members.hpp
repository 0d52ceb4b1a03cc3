#pragma once

#include <dalembert/assembly/state.hpp>

/// What states do, out of the class: programs may leave it to a library (compiled/instantiate.hpp).
namespace dalembert::assembly {

template <class S>
State<S>::State(const State&) = default;
template <class S>
State<S>& State<S>::operator=(const State&) = default;
template <class S>
State<S>::~State() = default;

template <class S>
bool State<S>::is_finite() const noexcept {
  S total{};
  for (const Chain<S>& chain : chains) total += rod::total(chain.velocity, chain.nodes);
  for (const Line<S>& line : lines)
    if (line.velocity.size() > 0) total += line.velocity.sum();
  return number::isfinite(total);
}
template <class S>
bool State<S>::is_finite_throughout() const noexcept {
  bool finite = number::isfinite(time);
  for (const Chain<S>& chain : chains) finite = finite && chain.finite();
  for (const Line<S>& line : lines) finite = finite && line.finite();
  for (const S& x : z) finite = finite && number::isfinite(x);
  return finite;
}

}  // namespace dalembert::assembly
