#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/strain.hpp>

/// What a problem of rods refuses: chains and columns of another shape than its rods have, and elements that turn too far.
/// What is thrown is made out of line, so that it does not stand in the way of what runs.
namespace dalembert::rod {

/// Whether a chain has the nodes of `rod`, and room for them.
template <class R>
[[nodiscard]] bool fits(const R& rod, const Chain<typename R::Scalar>& chain) noexcept {
  const Eigen::Index rows = padded_rows<typename R::Scalar>(rod.nodes());
  return chain.nodes == rod.nodes() && chain.configuration.rows() == rows && chain.velocity.rows() == rows;
}

namespace detail {

/// Throws std::invalid_argument for the first of `chains` that does not fit its rod; there is one.
template <class R>
[[gnu::cold, gnu::noinline]] void throw_other_shape(const char* what, const std::vector<R>& rods,
                                                    const std::vector<Chain<typename R::Scalar>>& chains) {
  require(chains.size() == rods.size(), what, "chains", chains.size(),
          message({"there must be one chain per rod, and there are ", rods.size(), " rods"}));
  for (std::size_t i = 0; i < rods.size(); ++i)
    require(fits(rods[i], chains[i]), what, message({"nodes of chain ", i}), chains[i].nodes,
            message({"a chain must have the nodes of its rod, and there are ", rods[i].nodes()}));
}

/// The same for columns of loads or accelerations.
template <class R>
[[gnu::cold, gnu::noinline]] void throw_other_columns(
    const char* what, const std::vector<R>& rods,
    const std::vector<Columns<typename R::Scalar, 6>>& columns) {
  using S = typename R::Scalar;
  require(columns.size() == rods.size(), what, "rods", columns.size(),
          message({"what is to be filled must be made by this problem, which has ", rods.size()}));
  for (std::size_t i = 0; i < rods.size(); ++i)
    require(columns[i].rows() == padded_rows<S>(rods[i].nodes()), what, message({"rows of rod ", i}),
            columns[i].rows(),
            message({"what is to be filled must be made by this problem, which has ",
                     padded_rows<S>(rods[i].nodes())}));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_finite(const char* what, double time) {
  throw NotFinite(message({"NotFinite: ", what, " of rods is not finite"}), time);
}

/// Throws ElementTurnedTooFar for the element of `chain` that turns most.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_turned_too_far(const Chain<S>& chain, std::size_t rod,
                                                                 S time) {
  Eigen::Index worst = 0;
  S least = std::numeric_limits<S>::infinity();
  const auto& q = chain.configuration;
  for (Eigen::Index k = 0; k + 1 < chain.nodes; ++k) {
    S w(0);
    for (int i = 3; i < 7; ++i) w += q(k, i) * q(k + 1, i);
    if (std::abs(w) < least) {
      least = std::abs(w);
      worst = k;
    }
  }
  throw ElementTurnedTooFar(rod, static_cast<long>(worst), 2 * std::acos(static_cast<double>(least)),
                            static_cast<double>(time));
}

}  // namespace detail

/// Throws std::invalid_argument for chains of another shape than `rods` have; `what` is what asks.
template <class R>
void check_shape(const char* what, const std::vector<R>& rods,
                 const std::vector<Chain<typename R::Scalar>>& chains) {
  bool good = chains.size() == rods.size();
  for (std::size_t i = 0; good && i < rods.size(); ++i) good = fits(rods[i], chains[i]);
  if (!good) [[unlikely]]
    detail::throw_other_shape(what, rods, chains);
}

/// Throws std::invalid_argument for columns of another shape than `rods` have; `what` is what asks.
template <class R>
void check_shape(const char* what, const std::vector<R>& rods,
                 const std::vector<Columns<typename R::Scalar, 6>>& columns) {
  bool good = columns.size() == rods.size();
  for (std::size_t i = 0; good && i < rods.size(); ++i)
    good = columns[i].rows() == padded_rows<typename R::Scalar>(rods[i].nodes());
  if (!good) [[unlikely]]
    detail::throw_other_columns(what, rods, columns);
}

/// Throws NotFinite at `time` [s] for a value that is not.
template <class S>
void check_finite(S value, const char* what, S time) {
  using std::isfinite;
  if (!isfinite(value)) [[unlikely]]
    detail::throw_not_finite(what, static_cast<double>(time));
}

/// The loads of every rod, as `Rod::forces` gives them. Throws ElementTurnedTooFar at `time` [s] for an element that turns by more
/// than `largest_turn` between its nodes.
template <class R>
void forces(const std::vector<R>& rods, const std::vector<Chain<typename R::Scalar>>& chains,
            typename R::Scalar time, std::vector<Columns<typename R::Scalar, 6>>& loads) {
  for (std::size_t i = 0; i < rods.size(); ++i)
    if (!rods[i].forces(chains[i], loads[i])) [[unlikely]]
      detail::throw_turned_too_far(chains[i], i, time);
}

}  // namespace dalembert::rod
