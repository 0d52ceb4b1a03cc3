#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/handle.hpp>
#include <dalembert/core/errors.hpp>

/// What an assembly is made of: bodies and constraints, as values or vectors in any order,
///   const auto all = bodies(rod, ball, std::vector(5, bead));
///   const auto [r, b, beads] = all.handles();
///   const Assembly problem{all, constraints(SphericalJoint{tip(r), frame(b)})};
/// They are put into one vector for each type: types are known when a program is compiled, numbers when it
/// runs. A handle names a body wherever it comes to lie (assembly/handle.hpp).
namespace dalembert::assembly {

/// Vectors of bodies, or of constraints, one of each type.
template <class... T>
using Kinds = std::tuple<std::vector<T>...>;

/// f(one, its number) for those of all types, which are numbered type after type.
template <class... T, class F>
void each_of(const Kinds<T...>& lists, F&& f) {
  std::size_t number = 0;
  const auto of_kind = [&](const auto& list) {
    for (const auto& one : list) f(one, number++);
  };
  std::apply([&](const auto&... list) { (of_kind(list), ...); }, lists);
}

namespace detail {

/// What an argument gives: itself, or the elements of a vector.
template <class A>
struct ElementOf {
  using type = A;
};
template <class T>
struct ElementOf<std::vector<T>> {
  using type = T;
};

/// The different ones of types, in their order.
template <class Lists, class... T>
struct Different {
  using type = Lists;
};
template <class... Known, class T, class... Rest>
struct Different<Kinds<Known...>, T, Rest...>
    : std::conditional_t<(std::is_same_v<Known, T> || ...), Different<Kinds<Known...>, Rest...>,
                         Different<Kinds<Known..., T>, Rest...>> {};
template <class... A>
using ListsOf = typename Different<Kinds<>, typename ElementOf<A>::type...>::type;

/// Put one, or several, at the end of those of their type; where they begin there, and how many they are.
template <class... T, class A>
[[gnu::cold, gnu::noinline]] std::pair<std::size_t, std::size_t> put_in(Kinds<T...>& lists, A& one) {
  auto& list = std::get<std::vector<typename ElementOf<A>::type>>(lists);
  const std::size_t first = list.size();
  if constexpr (std::is_same_v<A, typename ElementOf<A>::type>)
    list.push_back(std::move(one));
  else if (first == 0)
    list = std::move(one);
  else
    for (auto& each : one) list.push_back(std::move(each));
  return {first, list.size() - first};
}

/// How many bodies come before those of a type.
template <class B, class... T>
[[nodiscard]] std::size_t before(const Kinds<T...>& lists) {
  std::size_t count = 0;
  bool found = false;
  ((found = found || std::is_same_v<B, T>,
    count += found ? std::size_t(0) : std::get<std::vector<T>>(lists).size()),
   ...);
  return count;
}

/// Another number at each call.
[[nodiscard]] inline BodySetId next_body_set() noexcept {
  static std::atomic<BodySetId> last{0};
  return ++last;
}

}  // namespace detail

/// Bodies in vectors of each type, and their handles in the order in which they were given.
template <class Lists, class... A>
class BodySet : public Lists {
 public:
  /// From values and vectors of bodies.
  [[gnu::cold, gnu::noinline]] explicit BodySet(A... given) {
    std::size_t k = 0;
    ((range_[k++] = detail::put_in(lists(), given)), ...);
  }

  /// The set that its handles are of.
  [[nodiscard]] BodySetId id() const noexcept { return id_; }
  /// A handle for each value that was given, and a vector of them for each vector.
  [[nodiscard]] auto handles() const { return handles(std::make_index_sequence<sizeof...(A)>{}); }
  /// The body of a handle. Throws std::invalid_argument for one of another set.
  template <class B>
  [[nodiscard]] const B& operator[](const Handle<B>& handle) const {
    const auto& list = std::get<std::vector<B>>(lists());
    const std::size_t k = handle.number - detail::before<B>(lists());
    require(handle.set == id_ && k < list.size(), "BodySet", "handle", handle.number,
            "it must be of this set of bodies");
    return list[k];
  }

 private:
  [[nodiscard]] Lists& lists() noexcept { return *this; }
  [[nodiscard]] const Lists& lists() const noexcept { return *this; }
  template <std::size_t... I>
  [[nodiscard]] auto handles(std::index_sequence<I...>) const {
    return std::tuple{handles_of<A>(range_[I])...};
  }
  template <class T>
  [[nodiscard]] auto handles_of(const std::pair<std::size_t, std::size_t>& range) const {
    using B = typename detail::ElementOf<T>::type;
    const auto& list = std::get<std::vector<B>>(lists());
    const std::size_t first = detail::before<B>(lists());
    const auto handle = [&](std::size_t k) { return Handle<B>{first + k, list[k].nodes(), id_}; };
    if constexpr (std::is_same_v<T, B>) {
      return handle(range.first);
    } else {
      std::vector<Handle<B>> all;
      for (std::size_t k = 0; k < range.second; ++k) all.push_back(handle(range.first + k));
      return all;
    }
  }

  std::array<std::pair<std::size_t, std::size_t>, sizeof...(A)> range_{};  // of each argument: first, count
  BodySetId id_ = detail::next_body_set();
};

/// Bodies, each a value or a vector of them, in any order; see the head of this file.
template <class... A>
[[nodiscard]] BodySet<detail::ListsOf<A...>, A...> bodies(A... given) {
  return BodySet<detail::ListsOf<A...>, A...>(std::move(given)...);
}

/// Constraints, each a value or a vector of them, in any order: those of one type come one after the other.
template <class... A>
[[nodiscard]] detail::ListsOf<A...> constraints(A... given) {
  detail::ListsOf<A...> lists;
  (detail::put_in(lists, given), ...);
  return lists;
}

}  // namespace dalembert::assembly
