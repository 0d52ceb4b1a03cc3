#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/constraint_work.hpp>
#include <dalembert/assembly/detail/friction_drift.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/detail/tangency.hpp>

/// What constraints of one kind say in a state, and what is asked of them outside the solution for
/// multipliers. `first` is the slot of the first of a list, `e` its evaluations.
namespace dalembert::assembly::detail {

/// Whether what a constraint says is small enough for one piece of code: it has coefficients, or rows by
/// nodes, and no derivatives of its own functions.
template <class K>
inline constexpr bool is_small = [] {
  if constexpr (by_nodes<K>)
    return true;
  else
    return ConstraintTraits<K>::Has::coefficients;
}();

/// ż and Ȧv + ḃ of one constraint at the places found, and the weights of its nodes.
template <class K, class S>
void find_rates(const K& c, const State<S>& x, const S* weights, Evaluation<K>& e) {
  const Evaluator<K> evaluator(c);
  find_velocities(evaluator, x, e, weights);
  if constexpr (ConstraintTraits<K>::internal_count > 0) e.zdot = rate_of_places(evaluator, e, x);
  evaluator.find_drift(e, x);
  follow_errors(evaluator, e, x);
}
/// Rows at the places found, and rates if they are asked for.
template <class K, class S>
void find_rows(const std::vector<K>& list, std::vector<Evaluation<K>>& e, const State<S>& x, const S* weights,
               bool rates) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    Evaluator<K>(list[i]).find_rows(e[i], x);
    if (rates) find_rates(list[i], x, weights, e[i]);
  }
}

/// Solve the tangencies for the internal coordinates of `x`, of all constraints or but for those that
/// follow their rates. Throws NoConvergence.
template <class K, class S>
void solve_tangencies(const std::vector<K>& list, const Slot& first, State<S>& x, bool all) {
  if constexpr (ConstraintTraits<K>::internal_count > 0)
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Slot slot = slot_of<K>(first, i, i);
      const Evaluator<K> evaluator(list[i]);
      Evaluation<K> e;
      if constexpr (ConstraintTraits<K>::Has::tangency) {
        if (all || !follows_rates(list[i])) {
          solve_tangency(evaluator, slot.number, x, slot.z, e, static_cast<S*>(nullptr), S(0));
          continue;
        }
      }
      find_points(evaluator, x, slot.z, e, static_cast<S*>(nullptr));  // are there such places?
    }
}
/// The internal coordinates of constraint `number` after h; see `ConstraintList::slide`.
template <class K, class S>
void slide(const K& c, const Slot& first, std::size_t number, const State<S>& at,
           const Vec<S, Eigen::Dynamic>& zdot, S h, State<S>& x, bool in_middle) {
  constexpr int Z = Evaluation<K>::Z;
  if constexpr (Z > 0) {
    const int z = slot_of<K>(first, number, 0).z;
    Vec<S, Z> rate = take<Z>(zdot, z);
    if (in_middle && follows_rates(c)) {
      const Evaluator<K> evaluator(c);
      Evaluation<K> e;
      find_middle(evaluator, at, h, x, z, e);
      find_slopes(evaluator, x, e);
      rate = rate_of_places(evaluator, e, x);
    }
    for (int j = 0; j < Z; ++j) x.z[z + j] = at.z[z + j] + h * rate[j];
  }
}

/// f += A_Vᵀλ.
template <class K, class S>
void add_loads(const std::vector<Evaluation<K>>& e, const Slot& first, const Vec<S, Eigen::Dynamic>& lambda,
               const Nodes<S>& n, NodeNumbers<S>& f) {
  for (std::size_t i = 0; i < e.size(); ++i)
    Products<K>::add_loads(e[i], take<Evaluation<K>::R>(lambda, slot_of<K>(first, i, i).row), n, f);
}
/// A v + b of every row, or but for slip under friction, to u.
template <class K, class S>
void put_velocities(const std::vector<Evaluation<K>>& e, const Slot& first, const Nodes<S>& n, bool exact,
                    Vec<S, Eigen::Dynamic>& u) {
  for (std::size_t i = 0; i < e.size(); ++i)
    put(exact ? exact_velocities<K>(e[i], n) : Products<K>::velocities(e[i], n), u,
        slot_of<K>(first, i, i).row);
}
/// φ of every position row.
template <class K, class S>
void put_errors(const std::vector<Evaluation<K>>& e, const Slot& first, Vec<S, Eigen::Dynamic>& phi) {
  for (std::size_t i = 0; i < e.size(); ++i) put(e[i].error, phi, slot_of<K>(first, i, i).position);
}
/// What given ż, accelerations and λ leave of ż and of the differentiated rows: to `out`, from these on.
template <class K, class Rates, class S>
void put_missing(const std::vector<Evaluation<K>>& e, const Slot& first, const Rates& given,
                 const Nodes<S>& n, int internal, int rows, Vec<S, Eigen::Dynamic>& out) {
  for (std::size_t i = 0; i < e.size(); ++i) {
    const Slot slot = slot_of<K>(first, i, i);
    for (int j = 0; j < Evaluation<K>::Z; ++j)
      out[internal + slot.z + j] = given.zdot[slot.z + j] - e[i].zdot[j];
    put(missing<K>(e[i], n, given.xidot, take<Evaluation<K>::R>(given.lambda, slot.row)), out,
        rows + slot.row);
  }
}
/// Add the powers of the constraint forces.
template <class K, class S>
void add_powers(const std::vector<Evaluation<K>>& e, const Slot& first, const Vec<S, Eigen::Dynamic>& lambda,
                const Nodes<S>& n, Powers<S>& p) {
  for (std::size_t i = 0; i < e.size(); ++i)
    add_powers<K>(e[i], n, take<Evaluation<K>::R>(lambda, slot_of<K>(first, i, i).row), p);
}

}  // namespace dalembert::assembly::detail
