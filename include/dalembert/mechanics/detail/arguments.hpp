#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// A system writes only the arguments that it uses. What can be passed is a configuration g, a chain of
/// vectors such as ξ, z, ż, and the time t, in this order; a function may leave out g, t, and vectors from
/// the end of the chain. Here it is found out at compile time which ones it takes; what is left out need not
/// be differentiated.
namespace dalembert::detail {

/// What a function takes of (g, v₁, …, v_k, t).
struct Arguments {
  bool g = false;
  int vectors = 0;  ///< the first so many of the chain
  bool t = false;
  bool callable = true;

  bool operator==(const Arguments&) const = default;
  /// Whether the function may change along the motion while its vectors stay as they are.
  [[nodiscard]] constexpr bool vary_along_flow() const noexcept { return g || t; }
};

/// Call f with the arguments that are `taken`, and of the vectors those numbered I.
template <Arguments taken, class F, class G, class T, class Vectors, std::size_t... I>
constexpr decltype(auto) call_with_these(const F& f, [[maybe_unused]] const G& g, [[maybe_unused]] const T& t,
                                         [[maybe_unused]] const Vectors& vectors, std::index_sequence<I...>) {
  if constexpr (taken.g && taken.t)
    return f(g, std::get<I>(vectors)..., t);
  else if constexpr (taken.g)
    return f(g, std::get<I>(vectors)...);
  else if constexpr (taken.t)
    return f(std::get<I>(vectors)..., t);
  else
    return f(std::get<I>(vectors)...);
}

/// Call f with the arguments that are `taken`; `chain` holds the vectors.
template <Arguments taken, class F, class G, class T, class... V>
constexpr decltype(auto) call_with(const F& f, const G& g, const T& t, const V&... chain) {
  static_assert(taken.vectors <= static_cast<int>(sizeof...(V)));
  return call_with_these<taken>(f, g, t, std::tuple<const V&...>(chain...),
                                std::make_index_sequence<static_cast<std::size_t>(taken.vectors)>{});
}

template <class F, class... A>
concept Accepts = std::invocable<const F&, const A&...>;

/// Whether F can be called in this form; Chain is a std::tuple of the vectors' types.
template <Arguments form, class F, class G, class T, class Chain>
consteval bool accepts() {
  constexpr auto takes_these = []<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (form.g && form.t)
      return Accepts<F, G, std::tuple_element_t<I, Chain>..., T>;
    else if constexpr (form.g)
      return Accepts<F, G, std::tuple_element_t<I, Chain>...>;
    else if constexpr (form.t)
      return Accepts<F, std::tuple_element_t<I, Chain>..., T>;
    else
      return Accepts<F, std::tuple_element_t<I, Chain>...>;
  };
  return takes_these(std::make_index_sequence<static_cast<std::size_t>(form.vectors)>{});
}

/// The form in which F can be called, with `most` vectors or, down to `fewest`, less; then one with g and t
/// wins.
template <class F, class G, class T, class Chain, int fewest,
          int most = static_cast<int>(std::tuple_size_v<Chain>)>
consteval Arguments arguments_taken() {
  constexpr Arguments all{.g = true, .vectors = most, .t = true}, with_g{.g = true, .vectors = most},
      with_t{.vectors = most, .t = true}, plain{.vectors = most};
  if constexpr (accepts<all, F, G, T, Chain>())
    return all;
  else if constexpr (accepts<with_g, F, G, T, Chain>())
    return with_g;
  else if constexpr (accepts<with_t, F, G, T, Chain>())
    return with_t;
  else if constexpr (accepts<plain, F, G, T, Chain>())
    return plain;
  else if constexpr (most > fewest)
    return arguments_taken<F, G, T, Chain, fewest, most - 1>();
  return {.callable = false};
}

/// What F returns as a type, asked by being called in its place; F itself is not compiled.
template <class F>
struct Ask {
  template <class... A>
  constexpr auto operator()(const A&...) const {
    return std::type_identity<std::remove_cvref_t<std::invoke_result_t<const F&, const A&...>>>{};
  }
};

template <Arguments taken, class F, class G, class T, class Chain>
struct Result;
template <Arguments taken, class F, class G, class T, class... V>
struct Result<taken, F, G, T, std::tuple<V...>> {
  using type = typename decltype(call_with<taken>(
      Ask<F>{}, std::declval<const G&>(), std::declval<const T&>(), std::declval<const V&>()...))::type;
};

}  // namespace dalembert::detail
