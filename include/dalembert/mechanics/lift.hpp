#pragma once

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/mechanics/members.hpp>

/// States whose numbers carry derivatives, for functions of a system: what is differentiated, and in which directions.
namespace dalembert::detail {

/// `at` over the scalar D, all constant. What a function that takes `needed` cannot see is left as it comes.
template <class D, class System, class At>
[[nodiscard]] StateOf<System, D> lifted(const At& at, Arguments needed) {
  StateOf<System, D> state;
  state.time = needed.t ? convert<D>(at.time) : D(typename D::Scalar(0));
  if (needed.g) state.g = at.g.template cast<D>();
  state.xi = convert_all<D>(at.xi);
  state.z = convert_all<D>(at.z);
  return state;
}

/// Make the entries of x independent variables, the first of them number First.
template <int First, class D, int N>
void seed(Vec<D, N>& x) {
  for (int i = 0; i < N; ++i) x[i].set_derivative(First + i, typename D::Scalar(1));
}

/// g moved by η at η = 0, with the components of η as the first independent variables of D.
template <class D, class System, class Configuration>
[[nodiscard]] ConfigurationOf<System, D> displaced(const Configuration& g) {
  Vec<D, velocity_size<System>> eta;
  for (int i = 0; i < velocity_size<System>; ++i)
    eta[i] = D::variable(typename D::Scalar(0), i);
  return moved_by<TrivialisationOf<System>>(g.template cast<D>(), eta);
}

/// Let g and t of `out` move with ξ for the time s.
template <class System, class D, class State>
void flow(const State& at, Arguments needed, const D& s, StateOf<System, D>& out) {
  if (needed.g) {
    Vec<D, velocity_size<System>> step;
    for (int i = 0; i < velocity_size<System>; ++i) step[i] = s * convert<D>(at.xi[i]);
    out.g = moved_by<TrivialisationOf<System>>(at.g.template cast<D>(), step);
  }
  if (needed.t) out.time = convert<D>(at.time) + s;
}

/// A configuration that is nothing special, from generic numbers.
template <class System>
[[nodiscard]] ConfigurationOf<System> anywhere(const typename System::Group::Tangent& eta) {
  ConfigurationOf<System> g;
  if constexpr (!LieGroup<ConfigurationOf<System>>)
    g = ConfigurationOf<System>(
        ConfigurationOf<System>::Value::LinSpaced(ScalarOf<System>(0.4), ScalarOf<System>(1.1)));
  return moved_by<TrivialisationOf<System>>(g, eta);
}

}  // namespace dalembert::detail
