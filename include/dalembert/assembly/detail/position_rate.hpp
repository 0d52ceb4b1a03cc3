#pragma once

#include <array>
#include <cstddef>

#include <dalembert/assembly/detail/seeds.hpp>
#include <dalembert/core/dual.hpp>

/// The rates of position rows as velocity rows.
namespace dalembert::assembly::detail {

/// φ̇ of the position rows of an evaluator, for frames that move as they are seen to.
template <class E, class T, std::size_t N>
[[nodiscard]] Vec<T, E::Traits::positions> position_rate(const E& evaluator,
                                                         const std::array<FrameState<T>, N>& x, const T& t) {
  using D = Dual<T, 1>;
  const D step = seed<D>(0);
  std::array<FrameState<D>, N> later;
  for (std::size_t i = 0; i < N; ++i) {
    Vec<D, 3> position, turned;
    for (int j = 0; j < 3; ++j) {
      position[j] = D(x[i].position[j]) + x[i].velocity[j] * step;
      turned[j] = x[i].angular_velocity[j] * step;
    }
    later[i] = {position, in_numbers<D>(x[i].tangent),
                SO3<D>::exp_to_second_order(turned) * x[i].rotation.template cast<D>(),
                in_numbers<D>(x[i].velocity), in_numbers<D>(x[i].angular_velocity)};
  }
  return slopes_of(Vec<D, E::Traits::positions>(evaluator.position(later, D(D(t) + step))));
}

}  // namespace dalembert::assembly::detail
