#pragma once

#include <dalembert/contact/detail/touching_work.hpp>

/// The special members of the workspace of contacts: out of its class, the compiled library has them.
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

}  // namespace dalembert::contact::detail
