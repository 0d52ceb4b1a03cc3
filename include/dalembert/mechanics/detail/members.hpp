#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/mechanics/detail/arguments.hpp>
#include <dalembert/mechanics/reduction.hpp>
#include <dalembert/mechanics/state.hpp>

/// The member functions of a system policy, as callables whose arguments are found out at compile time.
namespace dalembert {

/// The scalar of a system.
template <class System>
using ScalarOf = typename System::Group::Scalar;

/// The group of a system over the scalar T.
template <class System, class T>
using GroupOf = typename System::Group::template rebind<T>;

/// The number of internal coordinates z of a system.
template <class System>
inline constexpr int internal_size = [] {
  if constexpr (requires { System::internal; }) return static_cast<int>(System::internal);
  return 0;
}();

namespace detail {

template <class System>
struct TrivialisationOrLeft {
  using type = trivialisation::Left;
};
template <class System>
  requires requires { typename System::Trivialisation; }
struct TrivialisationOrLeft<System> {
  using type = typename System::Trivialisation;
};
template <class System>
struct ConfigurationOrGroup {
  using type = typename System::Group;
};
template <class System>
  requires requires { typename System::Configuration; }
struct ConfigurationOrGroup<System> {
  using type = typename System::Configuration;
};

}  // namespace detail

/// Left unless the system says otherwise by its `Trivialisation`.
template <class System>
using TrivialisationOf = typename detail::TrivialisationOrLeft<System>::type;

/// What a system takes for g over the scalar T: its group, or its `Configuration`.
template <class System, class T = ScalarOf<System>>
using ConfigurationOf = typename detail::ConfigurationOrGroup<System>::type::template rebind<T>;

/// The state of a system over the scalar T.
template <class System, class T = ScalarOf<System>>
using StateOf = State<GroupOf<System, T>, internal_size<System>, ConfigurationOf<System, T>>;

namespace detail {

/// A class that has one of these names by itself makes the name ambiguous in `WithNames`; that tells whether
/// a system has a member of that name, whatever its arguments.
struct Names {
  int lagrangian, position_constraint, velocity_constraint, acceleration_constraint, jerk_constraint,
      higher_constraint, variational, force, dissipation, momentum, mass;
};
template <class System, bool is_final = std::is_final_v<System>>
struct WithNames : System, Names {};
template <class System>
struct WithNames<System, true> {};  // nothing can be told

// The table of members: each can be called as `Member<System>{system}(arguments...)`, and is `absent` if the
// system has no member of its name.

template <class System>
struct Lagrangian {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::lagrangian; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().lagrangian(a...)) {
    return system.lagrangian(a...);
  }
};
template <class System>
struct PositionConstraint {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::position_constraint; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const
      -> decltype(std::declval<const Self&>().position_constraint(a...)) {
    return system.position_constraint(a...);
  }
};
template <class System>
struct VelocityConstraint {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::velocity_constraint; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const
      -> decltype(std::declval<const Self&>().velocity_constraint(a...)) {
    return system.velocity_constraint(a...);
  }
};
template <class System>
struct AccelerationConstraint {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::acceleration_constraint; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const
      -> decltype(std::declval<const Self&>().acceleration_constraint(a...)) {
    return system.acceleration_constraint(a...);
  }
};
template <class System>
struct JerkConstraint {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::jerk_constraint; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const
      -> decltype(std::declval<const Self&>().jerk_constraint(a...)) {
    return system.jerk_constraint(a...);
  }
};
template <class System>
struct HigherConstraint {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::higher_constraint; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const
      -> decltype(std::declval<const Self&>().higher_constraint(a...)) {
    return system.higher_constraint(a...);
  }
};
template <class System>
struct Variational {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::variational; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().variational(a...)) {
    return system.variational(a...);
  }
};
template <class System>
struct Force {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::force; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().force(a...)) {
    return system.force(a...);
  }
};
template <class System>
struct Momentum {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::momentum; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().momentum(a...)) {
    return system.momentum(a...);
  }
};
template <class System>
struct Mass {
  const System& system;
  static constexpr bool absent = requires { &WithNames<System>::mass; };
  template <class Self = System, class... A>
  constexpr auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().mass(a...)) {
    return system.mass(a...);
  }
};

/// Number of coordinates that have a velocity.
template <class System>
inline constexpr int velocity_size = System::Group::dof;
/// Number of all coordinates.
template <class System>
inline constexpr int full_size = System::Group::dof + internal_size<System>;

/// The vectors that a member may take after g, over the scalar T, and how many it must.
template <class Member, class System, class T>
struct ChainOf {
  static constexpr int fewest = 0;
  using type = std::tuple<Vec<T, velocity_size<System>>, Vec<T, internal_size<System>>>;  // (ξ, z)
};
template <class System, class T>
struct ChainOf<PositionConstraint<System>, System, T> {
  static constexpr int fewest = 0;
  using type = std::tuple<Vec<T, internal_size<System>>>;  // (z)
};
template <class System, class T>
struct ChainOf<VelocityConstraint<System>, System, T> {
  static constexpr int fewest = 0;
  using type = std::tuple<Vec<T, velocity_size<System>>, Vec<T, internal_size<System>>,
                          Vec<T, internal_size<System>>>;  // (ξ, z, ż)
};
template <class System, class T>
struct ChainOf<AccelerationConstraint<System>, System, T> {
  static constexpr int fewest = 2;
  using type = std::tuple<Vec<T, velocity_size<System>>, Vec<T, velocity_size<System>>,
                          Vec<T, internal_size<System>>, Vec<T, internal_size<System>>>;  // (ξ, ξ̇, z, ż)
};

template <class System, class T>
struct ChainOf<JerkConstraint<System>, System, T> {
  using V = Vec<T, velocity_size<System>>;
  static constexpr int fewest = 3;
  using type = std::tuple<V, V, V>;  // (ξ, ξ̇, ξ̈)
};
/// The order k of the rows of `higher_constraint`, 3 unless the system says `higher_order`.
template <class System>
inline constexpr int higher_order = [] {
  if constexpr (requires { System::higher_order; }) return static_cast<int>(System::higher_order);
  return 3;
}();
template <class System, class T>
struct ChainOf<HigherConstraint<System>, System, T> {
  static constexpr int fewest = 1;
  using type = std::tuple<std::array<Vec<T, velocity_size<System>>,
                                     static_cast<std::size_t>(higher_order<System>)>>;  // (ξ, ξ̇, …)
};

/// Which arguments the member function takes, over the scalar T.
template <template <class> class Member, class System, class T = ScalarOf<System>>
inline constexpr Arguments taken = [] {
  if constexpr (Member<System>::absent)
    return Arguments{.callable = false};
  else
    return arguments_taken<Member<System>, ConfigurationOf<System, T>, T,
                           typename ChainOf<Member<System>, System, T>::type,
                           ChainOf<Member<System>, System, T>::fewest>();
}();

/// Whether the system has the member function.
template <template <class> class Member, class System>
inline constexpr bool has = taken<Member, System>.callable;

/// What the member function returns over the scalar T.
template <template <class> class Member, class System, class T = ScalarOf<System>>
using ResultOf = typename Result<taken<Member, System, T>, Member<System>, ConfigurationOf<System, T>, T,
                                 typename ChainOf<Member<System>, System, T>::type>::type;

/// Call the member function with those of its arguments that it takes.
template <template <class> class Member, class System, class G, class T, class... V>
[[nodiscard]] constexpr decltype(auto) call(const System& system, const G& g, const T& t, const V&... chain) {
  return call_with<taken<Member, System>>(Member<System>{system}, g, t, chain...);
}

/// The number of rows in a result: of a vector or matrix, or one for a number.
template <class Rows>
consteval int row_count() {
  if constexpr (requires { Rows::RowsAtCompileTime; }) return Rows::RowsAtCompileTime;
  return 1;
}
/// The number of its columns, likewise.
template <class Rows>
consteval int column_count() {
  if constexpr (requires { Rows::ColsAtCompileTime; }) return Rows::ColsAtCompileTime;
  return 1;
}

/// Rows that the member function returns; 0 if there is no such function.
template <template <class> class Member, class System>
inline constexpr int rows_of = [] {
  if constexpr (has<Member, System>) return row_count<ResultOf<Member, System>>();
  return 0;
}();
/// Its columns.
template <template <class> class Member, class System>
inline constexpr int columns_of = [] {
  if constexpr (has<Member, System>) return column_count<ResultOf<Member, System>>();
  return 0;
}();

/// Whether a system says rows of order 3 or above, be it by a function that takes other arguments than it
/// should. Of a class that is final only those tell that take the right ones.
template <class System>
inline constexpr bool has_higher_rows = [] {
  if constexpr (std::is_final_v<System>) return has<JerkConstraint, System> || has<HigherConstraint, System>;
  return !JerkConstraint<System>::absent || !HigherConstraint<System>::absent;
}();
/// How many.
template <class System>
inline constexpr int higher_rows = rows_of<JerkConstraint, System> + rows_of<HigherConstraint, System>;

}  // namespace detail

}  // namespace dalembert
