#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/marker.hpp>
#include <dalembert/assembly/state.hpp>

namespace test {

/// The middle of a body does not move along `held`; the force is along `pulls`.
template <class S>
struct Rail {
  using Scalar = S;
  static constexpr std::string_view name = "Rail";
  dalembert::assembly::FrameMarker<S> middle;
  dalembert::Vec<S, 3> held, pulls;

  Rail(std::size_t body, const dalembert::Vec<S, 3>& h, const dalembert::Vec<S, 3>& p) : held(h), pulls(p) {
    middle.body = body;
  }

  auto markers() const { return std::tuple{middle}; }
  template <class T>
  static dalembert::Vec<T, 1> part(const dalembert::assembly::FrameState<T>& a,
                                   const dalembert::Vec<S, 3>& way) {
    return dalembert::Vec<T, 1>(way[0] * a.velocity[0] + way[1] * a.velocity[1] + way[2] * a.velocity[2]);
  }
  template <class T>
  dalembert::Vec<T, 1> velocity_constraint(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return part(a, held);
  }
  template <class T>
  dalembert::Vec<T, 1> reaction(const dalembert::assembly::FrameState<T>& a, const T&) const {
    return part(a, pulls);
  }
};

}  // namespace test
