#pragma once

#include <dalembert/rod/chain.hpp>

namespace dalembert::rod::detail {

/// The frame halfway between nodes k and k + 1.
template <class S>
[[nodiscard, gnu::noinline]] SO3<S> middle_frame(const Chain<S>& chain, Eigen::Index k) {
  const SO3<S> first = chain.rotation(k), second = chain.rotation(k + 1);
  const Triple<S> v0(first.v()), v1(second.v());
  const S sign(first.w() * second.w() + dot(v0, v1) < S(0) ? -1 : 1);  // q and −q are one rotation
  return SO3<S>::from_quaternion(S(first.w() + sign * second.w()), Vec<S, 3>(v0 + sign * v1));
}

}  // namespace dalembert::rod::detail
