#pragma once

#include <type_traits>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/mechanics/detail/members.hpp>

/// States whose numbers carry derivatives, for functions of a system: what is differentiated, and by which variables. What a
/// function does not take is left out.
namespace dalembert::detail {

/// The first variable that a part of a state stands for; −1 for a part that stays constant.
struct Variables {
  int g = -1;     ///< η of g exp(η), at η = 0
  int xi = -1;    ///< ξ
  int z = -1;     ///< z
  int t = -1;     ///< t
  int flow = -1;  ///< the time s for which g and t move with ξ, at s = 0
};

/// In place of a configuration that is not taken.
struct Absent {};

/// A state over dual numbers D, for functions that take `needed`; the rest is not set.
template <class System, class D, Arguments needed>
struct DualState {
  using Configuration = std::conditional_t<needed.g, ConfigurationOf<System, D>, Absent>;
  /// With this configuration, and nothing else yet.
  explicit DualState(const Configuration& configuration) : g(configuration) {}

  Configuration g;
  D time;
  Vec<D, velocity_size<System>> xi;
  Vec<D, internal_size<System>> z;
};

/// x over D, as variables from number `first` on, or as constants if that is negative.
template <class D, int first = -1, class S, int N>
[[nodiscard]] Vec<D, N> dual_vector(const Vec<S, N>& x) noexcept {
  Vec<D, N> y;
  for (int i = 0; i < N; ++i) {
    if constexpr (first >= 0)
      y[i] = D::variable(x[i], first + i);
    else
      y[i] = x[i];
  }
  return y;
}

/// g moved by an η whose value is zero.
template <class System, class D, class Configuration>
[[nodiscard]] ConfigurationOf<System, D> displaced(const Configuration& g,
                                                   const Vec<D, velocity_size<System>>& eta) {
  return displaced_by<TrivialisationOf<System>>(g.template cast<D>(), eta);
}

/// The configuration of `at`, moved with ξ for the time s, whose value is zero.
template <class System, class D, class At>
[[nodiscard]] ConfigurationOf<System, D> flowing(const At& at, const D& s) {
  Vec<D, velocity_size<System>> eta;
  for (int i = 0; i < velocity_size<System>; ++i) eta[i] = s * at.xi[i];
  return displaced<System, D>(at.g, eta);
}

/// The configuration of `at` over D; see `Variables`.
template <class System, class D, Arguments needed, Variables variables, class At>
[[nodiscard]] typename DualState<System, D, needed>::Configuration dual_configuration(const At& at) {
  if constexpr (!needed.g)
    return {};
  else if constexpr (variables.g >= 0)
    return displaced<System, D>(
        at.g, dual_vector<D, variables.g>(zeros<typename D::Scalar, velocity_size<System>>()));
  else if constexpr (variables.flow >= 0)
    return flowing<System, D>(at, D::variable(0, variables.flow));
  else
    return at.g.template cast<D>();
}

/// `at` over D for functions that take `needed`.
template <class System, class D, Arguments needed, Variables variables, class At>
[[nodiscard]] DualState<System, D, needed> dual_state(const At& at) {
  DualState<System, D, needed> state(dual_configuration<System, D, needed, variables>(at));
  if constexpr (needed.t) {
    constexpr int of_time = variables.t >= 0 ? variables.t : variables.flow;
    state.time = at.time;
    if constexpr (of_time >= 0) state.time.set_derivative(of_time, 1);
  }
  state.xi = dual_vector<D, variables.xi>(at.xi);
  state.z = dual_vector<D, variables.z>(at.z);
  return state;
}

/// `at` over D, with g and t moved with ξ for the time s, whose value is zero.
template <class System, class D, Arguments needed, class At>
[[nodiscard]] DualState<System, D, needed> flowing_state(const At& at, const D& s) {
  const auto configuration = [&] {
    if constexpr (needed.g)
      return flowing<System, D>(at, s);
    else
      return Absent{};
  };
  DualState<System, D, needed> state(configuration());
  if constexpr (needed.t) state.time = at.time + s;
  state.xi = dual_vector<D>(at.xi);
  state.z = dual_vector<D>(at.z);
  return state;
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
