#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

/// A system writes only the arguments that it uses: a function of (g, ξ, z, t) may leave out any of them, and keeps the order.
/// Here it is found out at compile time which ones it takes; what is left out need not be differentiated.
namespace dalembert::detail {

/// Which of (g, ξ, z, t) a function takes.
struct Arguments {
  bool g = false;
  bool xi = false;
  bool z = false;
  bool t = false;
  bool callable = true;

  bool operator==(const Arguments&) const = default;
  /// Whether the function may change along the motion at constant ξ and z.
  [[nodiscard]] constexpr bool vary_along_flow() const noexcept { return g || t; }
};

template <class F, class... A>
concept Takes = std::invocable<const F&, const A&...>;

/// The form in which F can be called; the longest wins, and among equals the one with g, then the one with ξ.
/// A function of z takes ξ too, unless X is the same type as Z, as for functions of positions.
template <class F, class G, class X, class Z, class T>
consteval Arguments arguments_taken() {
  if constexpr (Takes<F, G, X, Z, T>)
    return {.g = true, .xi = true, .z = true, .t = true};
  else if constexpr (Takes<F, G, X, Z>)
    return {.g = true, .xi = true, .z = true};
  else if constexpr (Takes<F, G, X, T>)
    return {.g = true, .xi = true, .t = true};
  else if constexpr (Takes<F, X, Z, T>)
    return {.xi = true, .z = true, .t = true};
  else if constexpr (Takes<F, G, X>)
    return {.g = true, .xi = true};
  else if constexpr (Takes<F, G, T>)
    return {.g = true, .t = true};
  else if constexpr (Takes<F, X, Z>)
    return {.xi = true, .z = true};
  else if constexpr (Takes<F, X, T>)
    return {.xi = true, .t = true};
  else if constexpr (Takes<F, G>)
    return {.g = true};
  else if constexpr (Takes<F, X>)
    return {.xi = true};
  else if constexpr (Takes<F, T>)
    return {.t = true};
  else if constexpr (Takes<F>)
    return {};
  else
    return {.callable = false};
}

/// Call f with the arguments that are `taken`.
template <Arguments taken, class F, class G, class X, class Z, class T>
constexpr decltype(auto) call_with(const F& f, const G& g, const X& xi, const Z& z, const T& t) {
  if constexpr (taken.g && taken.xi && taken.z && taken.t)
    return f(g, xi, z, t);
  else if constexpr (taken.g && taken.xi && taken.z)
    return f(g, xi, z);
  else if constexpr (taken.g && taken.xi && taken.t)
    return f(g, xi, t);
  else if constexpr (taken.xi && taken.z && taken.t)
    return f(xi, z, t);
  else if constexpr (taken.g && taken.xi)
    return f(g, xi);
  else if constexpr (taken.g && taken.t)
    return f(g, t);
  else if constexpr (taken.xi && taken.z)
    return f(xi, z);
  else if constexpr (taken.xi && taken.t)
    return f(xi, t);
  else if constexpr (taken.g)
    return f(g);
  else if constexpr (taken.xi)
    return f(xi);
  else if constexpr (taken.t)
    return f(t);
  else
    return f();
}

/// Call f with those of its arguments that it takes.
template <class F, class G, class X, class Z, class T>
constexpr decltype(auto) call(const F& f, const G& g, const X& xi, const Z& z, const T& t) {
  return call_with<arguments_taken<F, G, X, Z, T>()>(f, g, xi, z, t);
}

/// What F returns as a type, asked by being called in its place; F itself is not compiled.
template <class F>
struct Ask {
  template <class... A>
  constexpr auto operator()(const A&...) const {
    return std::type_identity<std::remove_cvref_t<std::invoke_result_t<const F&, const A&...>>>{};
  }
};

/// The type of a call's result.
template <class F, class G, class X, class Z, class T>
using Result = typename decltype(call_with<arguments_taken<F, G, X, Z, T>()>(
    Ask<F>{}, std::declval<const G&>(), std::declval<const X&>(), std::declval<const Z&>(),
    std::declval<const T&>()))::type;

}  // namespace dalembert::detail
