#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/assembly/detail/position_projection.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/dual.hpp>

/// Whether the velocity rows of a constraint are the rates of its position rows, as it says: φ̇ = C (A v +
/// b).
namespace dalembert::assembly::detail {

/// The change of φ with number `along` of those of `moved_position`.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard, gnu::cold, gnu::noinline]] auto change_of_error(const Evaluator<C>& evaluator,
                                                             const Evaluation<C>& e, const S& time,
                                                             int along) {
  using T = Dual<S, 1>;
  return slopes_of(moved_position(evaluator, e.points, time,
                                  [&](int number) { return number == along ? seed<T>(0) : T(S(0)); }));
}

/// The sizes of what the rate of position row p by probe number `probe` (see below) is a sum of, before terms
/// that cancel in each coefficient: a row on the turn of a node is one on its displacement times a length.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard, gnu::cold, gnu::noinline]] S coefficient_size(const Evaluation<C>& e, int p, int probe) {
  constexpr int N = Evaluation<C>::N;
  S size(0);
  for (int r = 0; r < Evaluation<C>::R; ++r) {
    S linear(0), angular(0);
    for (std::size_t place = 0; place < static_cast<std::size_t>(N); ++place)
      for (int j = 0; j < 3; ++j) {
        linear = std::max(linear, number::abs(e.linear[place](r, j)));
        angular = std::max(angular, number::abs(e.angular[place](r, j)));
      }
    const bool turns = probe < 2 * N && probe % 2 == 1;
    size += number::abs(e.along(p, r)) * (probe == 2 * N ? number::abs(e.known[r])
                                          : turns        ? std::max(angular, S(linear * e.sizes[p]))
                                                         : linear);
  }
  return size;
}

/// Throws std::invalid_argument, naming the row, for a constraint at whose markers, which were found, C (A v
/// + b) is not φ̇. Where positions are open only what is far off is refused: there it need not hold.
template <Constraint C, class S = ScalarOf<C>>
[[gnu::cold, gnu::noinline]] void check_along(const C& c, Evaluation<C>& e, std::size_t number,
                                              const State<S>& at) {
  using Has = typename ConstraintTraits<C>::Has;
  constexpr int P = Evaluation<C>::P, R = Evaluation<C>::R, N = Evaluation<C>::N;
  if constexpr (P > 0 && !by_nodes<C> && Has::velocity && !Has::stacks) {
    const Evaluator<C> evaluator(c);
    evaluator.find_error(e, at.time);
    evaluator.find_rows(e, at);
    e.sizes = sizes_of_rows(evaluator, e.points, at.time);
    OpenRow<S> open;
    open.include(e, 0);
    constexpr S epsilon = std::numeric_limits<S>::epsilon();
    const S allowed = open.relative <= S(64) * epsilon ? std::max(S(1e-6), S(1e3) * epsilon) : S(0.05);
    for (int probe = 0; probe < 2 * N + 1;
         ++probe) {  // displacements of a marker, its turns, and so on; the time
      Vec<S, P> difference = dalembert::detail::zeros<S, P>(), size = difference;
      for (int j = 0; j < (probe < 2 * N ? 3 : 1); ++j) {
        const Vec<S, P> change = change_of_error(evaluator, e, at.time, 3 * probe + j);
        for (int p = 0; p < P; ++p) {
          S said(0), made_of = number::abs(change[p]);
          for (int r = 0; r < R; ++r) {
            const auto place = static_cast<std::size_t>(std::min(probe / 2, N - 1));
            const S a = probe == 2 * N   ? e.known[r]
                        : probe % 2 == 0 ? e.linear[place](r, j)
                                         : e.angular[place](r, j);
            said += e.along(p, r) * a;
            made_of += number::abs(e.along(p, r) * a);
          }
          difference[p] = std::max(difference[p], number::abs(S(said - change[p])));
          size[p] = std::max(size[p], made_of);
        }
      }
      for (int p = 0; p < P; ++p)
        if (difference[p] > allowed * size[p] + S(64) * epsilon * coefficient_size(e, p, probe)) [[unlikely]]
          require(
              false, name_of<C>(), message({"rate of ", row_name(c, number, p, true)}),
              message({"off by ", number::plain(difference[p]), " beside ", number::plain(size[p]), " with ",
                       probe == 2 * N   ? message({"the time"})
                       : probe % 2 == 0 ? message({"the position of marker ", probe / 2})
                                        : message({"the rotation of marker ", probe / 2})}),
              "C (A v + b), of along and velocity_constraint, must be the rate of position_constraint");
    }
  }
}

}  // namespace dalembert::assembly::detail
