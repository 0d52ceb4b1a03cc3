#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/core/detail/sized.hpp>
#include <dalembert/core/number.hpp>

/// The sizes of what position rows are made of, to which their rounding is proportional: of nodes and arms,
/// and of what a constraint has by itself, as planes, radii and paths. A row of angles has a size of about 1.
/// The same of tangencies.
namespace dalembert::assembly::detail {

/// What is seen of markers at these points, with these sizes.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard, gnu::always_inline]] inline auto seen_with_sizes(const Evaluator<C>& evaluator,
                                                              const typename Evaluator<C>::Points& points) {
  using T = dalembert::detail::Sized<S>;
  constexpr std::size_t N = Evaluator<C>::N;
  const std::array<FrameState<S>, N> x = evaluator.now(points);
  std::array<FrameState<T>, N> sized;
  evaluator.each([&](auto i) {
    const auto& place = std::get<i>(evaluator.markers());
    const S beside = place.extent(points[i]);
    const T none(S(0));
    [[maybe_unused]] S narrow(0);
    if constexpr (MarkerOf<C, i>::slides) narrow = S(1) / place.reach();
    for (int j = 0; j < 3; ++j) {
      const S middle = number::abs(points[i].R[j]);
      sized[i].position[j] = T(x[i].position[j], S(middle + beside));
      sized[i].tangent[j] = none;
      if constexpr (MarkerOf<C, i>::slides)
        sized[i].tangent[j] = T(x[i].tangent[j], S(S(1) + middle * narrow));
    }
    const auto part = [](const S& q) { return T(q, S(0.5)); };  // of a quaternion of length 1
    const Vec<S, 3>& v = x[i].rotation.v();
    sized[i].rotation =
        SO3<T>::from_unit_quaternion(part(x[i].rotation.w()), {part(v[0]), part(v[1]), part(v[2])});
    sized[i].velocity = sized[i].angular_velocity = Vec<T, 3>(none, none, none);
  });
  return sized;
}

/// Of φ. The time counts for nothing, being the same in each correction of the positions.
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard, gnu::noinline]] auto sizes_of_rows(const Evaluator<C>& evaluator,
                                                const typename Evaluator<C>::Points& points, const S& time) {
  using T = dalembert::detail::Sized<S>;
  constexpr int P = ConstraintTraits<C>::positions;
  const auto phi = evaluator.position(seen_with_sizes(evaluator, points), T(time, S(0)));
  Vec<S, P> sizes;
  for (int p = 0; p < P; ++p) sizes[p] = phi[p].size();
  return sizes;
}

/// Whether rounding explains that the tangency of a constraint is F and not zero.
template <Constraint C, class F, class S = ScalarOf<C>>
[[nodiscard, gnu::noinline]] bool is_rounding(const Evaluator<C>& evaluator, const Evaluation<C>& e,
                                              const F& f) {
  if constexpr (!by_nodes<C>) {
    const auto sized = evaluator.tangency(seen_with_sizes(evaluator, e.points));
    for (int j = 0; j < Evaluation<C>::Z; ++j)
      if (!(number::abs(f[j]) <= S(4) * std::numeric_limits<S>::epsilon() * sized[j].size())) return false;
    return true;
  }
  return false;
}

}  // namespace dalembert::assembly::detail
