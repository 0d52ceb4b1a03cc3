#pragma once

#include <dalembert/contact/detail/touching_work.hpp>

/// Members of the workspace of contacts that are out of its class: the compiled library has the special ones.
namespace dalembert::contact::detail {

template <class S>
TouchingWork<S>::TouchingWork() = default;
template <class S>
TouchingWork<S>::TouchingWork(const TouchingWork&) = default;
template <class S>
TouchingWork<S>::TouchingWork(TouchingWork&&) noexcept = default;
template <class S>
TouchingWork<S>& TouchingWork<S>::operator=(const TouchingWork&) = default;
template <class S>
TouchingWork<S>& TouchingWork<S>::operator=(TouchingWork&&) noexcept = default;
template <class S>
TouchingWork<S>::~TouchingWork() = default;

template <class S>
void TouchingWork<S>::put_held_responses(std::size_t first, std::size_t count, const Nodes& n,
                                         HeldNodes<S>& constraints, ClusterRoom<S>& room, bool normals) {
  auto& problem = room.problem;
  start(first, count, constraints);
  room.column.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const Touch<S>& by = touch(first + j);
    for (int c = 0; c < (normals ? 1 : 3); ++c) {
      constraints.clear();
      by.kick(n, constraints.field(), Vec<S, 3>(by.frame.row(c).transpose()));
      if (by.held) constraints.project_field();
      for (std::size_t i = j; i < count; ++i)
        room.column[i].col(c) = touch(first + i).in_frame(touch(first + i).moved(n, constraints.field()));
    }
    Mat<S, 3>& own = room.column[j];  // symmetric but for rounding
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < r; ++k) own(r, k) = own(k, r) = (own(r, k) + own(k, r)) / S(2);
    for (std::size_t i = j; i < count; ++i) {
      if (normals)
        problem.put(j, i, room.column[i](0, 0));
      else
        problem.put(i, j, room.column[i]);
    }
  }
  problem.end();
}

}  // namespace dalembert::contact::detail
