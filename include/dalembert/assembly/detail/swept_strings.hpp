#pragma once

#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/products.hpp>

/// What constraints add to strings that step in one sweep: it is added afterwards, at the nodes that bear
/// their places. Position rows would displace nodes before the sweep may go on past them; where a string
/// bears such rows it steps in parts.
namespace dalembert::assembly::detail {

/// f(evaluation, slot) for the constraints of part p that have places on strings.
template <class Constraints, class Workspace, class F>
void each_on_lines(const Constraints& constraints, std::size_t p, Workspace& w, const F& f) {
  constraints.each(p, w, [&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
    if constexpr (has_line_markers<K>) f(e, slot);
  });
}

/// f(string, window) for a string that steps in one sweep.
template <class Bodies, class F>
void with_swept(const Bodies& bodies, const Window& w, const F& f) {
  bodies.with(w.body, [&]<class B>(const B& body) {
    if constexpr (SweptBody<B>) f(body);
  });
}

/// To strings that made a step of h in one sweep, what the constraint forces of its beginning do in it.
template <class S, class Bodies, class Constraints, class Workspace>
void add_line_impulses(const Bodies& bodies, const Constraints& constraints, std::size_t p, Workspace& w,
                       const Vec<S, Eigen::Dynamic>& lambda, S h, State<S>& x) {
  each_on_lines(constraints, p, w, [&]<class K>(const Evaluation<K>& e, const Slot& slot) {
    const Vec<S, Evaluation<K>::R> mu = lambda.template segment<Evaluation<K>::R>(slot.row);
    Products<K>::each_line_force(e, mu, [&](const Window& v, S force) {
      with_swept(bodies, v, [&](const auto& body) {
        body.add_impulse(w.weights.data() + v.weights, v.first, v.count, force * h / 2, h, x.lines[v.body]);
      });
    });
  });
}
/// The forces of these strings on the nodes that bear places.
template <class S, class Bodies, class Constraints, class Workspace>
void find_line_forces(const Bodies& bodies, const Constraints& constraints, std::size_t p, Workspace& w,
                      const State<S>& x, NodeNumbers<S>& f) {
  each_on_lines(constraints, p, w, [&](const auto& e, const Slot&) {
    for (const Window& v : e.windows)
      if (v.line)
        with_swept(bodies, v, [&](const auto& body) {
          body.forces(x.lines[v.body], v.first, v.count, f.lines[v.body]);
        });
  });
}

}  // namespace dalembert::assembly::detail
