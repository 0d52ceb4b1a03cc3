#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Internal coordinates of a constraint, which its tangency F(s) = 0 says, and their rates.
namespace dalembert::assembly::detail {

/// Room for what a constraint says, and for the weights of the nodes that bear its places, behind those that
/// are there; the first of all is 1.
template <class K, class S>
[[gnu::cold, gnu::noinline]] void make_room(const Evaluator<K>& evaluator, Evaluation<K>& e,
                                            std::vector<S>& weights) {
  e.turns = ConstraintTraits<K>::Has::turns;
  if (weights.empty()) weights.push_back(S(1));
  evaluator.each([&](auto i) {
    const auto& place = std::get<i>(evaluator.markers());
    e.windows[i].count = place.count();
    if constexpr (by_nodes<K>) e.nodes.make_room(i, place.count());
    e.turns = e.turns || place.beside_node();
    if constexpr (!is_one_node<MarkerOf<K, i>>) {
      e.windows[i].weights = static_cast<Eigen::Index>(weights.size());
      constexpr Eigen::Index width = rod::width_of<rod::WindowPack<S>>;
      const Eigen::Index packs = (place.count() + width - 1) / width;
      constexpr int arrays = keeps_slopes<MarkerOf<K, i>> ? 2 : 1;
      e.windows[i].room = packs * width;
      weights.resize(weights.size() + static_cast<std::size_t>(arrays * packs * width), S(0));
    }
  });
}
/// The markers of a constraint at the internal coordinates of `x`, its first being number z, and what their
/// nodes weigh, if there is room for it.
template <class K, class S>
void find_points(const Evaluator<K>& evaluator, const State<S>& x, int z, Evaluation<K>& e, S* weights) {
  evaluator.each([&](auto i) {
    const auto& place = std::get<i>(evaluator.markers());
    S s(0);
    if constexpr (MarkerOf<K, i>::slides) s = x.z[z + Evaluator<K>::template slide_of<i>()];
    Window& w = e.windows[i];
    place.find(chains_or_lines<is_on_line<MarkerOf<K, i>>>(x), s, x.time, e.points[i], w,
               weights ? weights + w.weights : nullptr);
  });
}
/// The largest length that its places are made of [m].
template <class K, class S = ScalarOf<K>>
[[nodiscard]] S largest_length(const Evaluator<K>& evaluator, const typename Evaluator<K>::Points& points) {
  S most(0);
  evaluator.each([&](auto i) {
    const Vec<S, 3>& r = points[i].R;
    most = std::max({most, number::abs(r[0]), number::abs(r[1]), number::abs(r[2]),
                     std::get<i>(evaluator.markers()).extent(points[i])});
  });
  return most;
}

/// How the nodes move that bear its places; `weights` are those of `find_points`.
template <class K, class S>
void find_velocities(const Evaluator<K>& evaluator, const State<S>& x, Evaluation<K>& e, const S* weights) {
  evaluator.each([&](auto i) {
    const auto& place = std::get<i>(evaluator.markers());
    const auto& bodies = chains_or_lines<is_on_line<MarkerOf<K, i>>>(x);
    if constexpr (keeps_slopes<MarkerOf<K, i>>)
      place.find_velocity(bodies, e.windows[i], weights + e.windows[i].weights, e.points[i]);
    else
      place.find_velocity(bodies, e.points[i]);
  });
}
/// Where its places are and how the nodes move that bear them in the middle of a step of h from `at`: there
/// the state `x` is, but for its strings, which are at the end of the step.
template <class K, class S>
void find_middle(const Evaluator<K>& evaluator, const State<S>& at, S h, const State<S>& x, int z,
                 Evaluation<K>& e) {
  evaluator.each([&](auto i) {
    const auto& place = std::get<i>(evaluator.markers());
    S s(0);
    if constexpr (MarkerOf<K, i>::slides) s = x.z[z + Evaluator<K>::template slide_of<i>()];
    if constexpr (is_on_line<MarkerOf<K, i>>) {
      place.find_middle(at.lines, x.lines, h, s, x.time, e.points[i]);
    } else {
      place.find(x.chains, s, x.time, e.points[i], e.windows[i], static_cast<S*>(nullptr));
      place.find_velocity(x.chains, e.points[i]);
    }
  });
}
/// The slopes of its tangency at the markers found, if it has one.
template <class K, class S>
void find_slopes(const Evaluator<K>& evaluator, const State<S>& x, Evaluation<K>& e) {
  if constexpr (Evaluator<K>::Has::tangency) e.slopes = evaluator.tangency(e, x).second;
}

template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_singular_tangency(S size, S time) {
  throw_if_not_finite("the slope of a tangency", number::plain(size), number::plain(time));
  throw ParallelRods("ParallelRods: the tangency equations are singular", number::plain(time));
}

/// −J⁻¹ f; the first columns of `slopes` are J. Throws ParallelRods where J is singular, for straight
/// rods at an angle of about one degree.
template <int Z, class S, class Slopes>
[[nodiscard]] Vec<S, Z> slide(const Slopes& slopes, const Vec<S, Z>& f, S time) {
  if constexpr (Z == 1) {
    if (!(number::abs(slopes(0, 0)) > S(0))) throw_singular_tangency(slopes(0, 0), time);
    return Vec<S, Z>(-f[0] / slopes(0, 0));
  } else {
    static_assert(Z == 2, "at most two markers of a constraint move along rods");
    constexpr S parallel_limit = S(1e-4);
    const S scale = (number::abs(slopes(0, 0)) + number::abs(slopes(0, 1))) *
                    (number::abs(slopes(1, 0)) + number::abs(slopes(1, 1)));
    const S det = slopes(0, 0) * slopes(1, 1) - slopes(0, 1) * slopes(1, 0);
    if (!(number::abs(det) > parallel_limit * scale)) throw_singular_tangency(scale, time);
    return {(slopes(0, 1) * f[1] - slopes(1, 1) * f[0]) / det,
            (slopes(1, 0) * f[0] - slopes(0, 0) * f[1]) / det};
  }
}

template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_no_tangency(std::string_view name, std::size_t number,
                                                              S time) {
  throw NoConvergence(message({"NoConvergence: the tangency of ", name, " ", number}), number::plain(time));
}

/// ṡ at points whose velocities, and slopes, were found.
template <class K, class S>
[[nodiscard]] auto rate_of_places(const Evaluator<K>& evaluator, const Evaluation<K>& e, const State<S>& at) {
  if constexpr (Evaluator<K>::Has::sliding)
    return evaluator.sliding(e, at);
  else
    return slide<Evaluation<K>::Z>(e.slopes, evaluator.tangency_rate(e, at), at.time);
}

/// Newton's method on the internal coordinates of one constraint, until it steps nowhere: then the points
/// are where it ends, and the answer is true. It is false if a step was less than this part of a window:
/// then `x` has what the tangency asks for but for an error of second order, and the points are those
/// before. So many steps were `done` before.
template <class K, class S>
bool solve_tangency(const Evaluator<K>& evaluator, std::size_t number, State<S>& x, int z, Evaluation<K>& e,
                    S* weights, S near, int done = 0) {
  constexpr int Z = Evaluation<K>::Z;
  constexpr int iteration_limit = 50;
  // within so many steps it converges, unless lengths that the markers do not tell are much larger than they
  constexpr int late = 6;
  S limit(0);  // no step is longer than the widest window allows
  evaluator.each([&](auto i) {
    if constexpr (MarkerOf<K, i>::slides) limit = std::max(limit, std::get<i>(evaluator.markers()).reach());
  });
  [[maybe_unused]] int derivatives = number::derivative_order<S>;  // orders that still need a step
  for (int i = done; i < done + iteration_limit; ++i) {
    find_points(evaluator, x, z, e, weights);
    const auto [f, slopes] = evaluator.tangency(e, x);
    e.slopes = slopes;
    const Vec<S, Z> step = slide<Z>(slopes, f, x.time);
    S longest(0);
    for (int j = 0; j < Z; ++j) longest = std::max(longest, number::abs(step[j]));
    if (longest <= S(512) * std::numeric_limits<S>::epsilon() *
                       std::max(largest_length(evaluator, e.points), limit) ||
        (i > late && is_rounding(evaluator, e, f))) {
      if constexpr (number::derivative_order < S >> 0) {
        if (derivatives-- > 0) {  // where the values need not move, derivatives may have to
          for (int j = 0; j < Z; ++j) x.z[z + j] += step[j] - value_of(step[j]);
          continue;
        }
      }
      evaluator.check_markers(e.points, x.time);
      return true;
    }
    const S factor = longest > limit ? limit / longest : S(1);
    for (int j = 0; j < Z; ++j) x.z[z + j] += factor * step[j];
    if (longest <= near * limit) return false;
  }
  throw_no_tangency(name_of<K>(), number, x.time);
}

}  // namespace dalembert::assembly::detail
