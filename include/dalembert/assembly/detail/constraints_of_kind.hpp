#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/assembly/detail/constraint_kind.hpp>
#include <dalembert/assembly/detail/kind_functions.hpp>
#include <dalembert/assembly/detail/position_rows.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/core/detail/flatten.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>

/// What the solution of an assembly's equations asks of constraints, for one kind of them. A constraint that
/// shares no node with others is solved by itself, in closed form where it has one.
namespace dalembert::assembly::detail {

/// Ask for the numbers of a node in each column.
template <class S, int Count>
void fetch_columns(const Columns<S, Count>& columns, Index row) noexcept {
  const S* const begin = columns.data() + row;
  for (int i = 0; i < Count; ++i) __builtin_prefetch(begin + i * columns.rows());
}

/// Ask for what the nodes of a constraint have, which lies here and there in memory, before it is needed, and
/// for what their accelerations are made of where loads are given.
template <class E, class S>
void prefetch(const E& e, const std::vector<Chain<S>>& chains, const Inertias<S>& inertia,
              const NodeNumbers<S>* loads = nullptr) noexcept {
  for (const Window& w : e.windows)
    if (w.count > 0 && !w.line) {
      fetch_columns(chains[w.body].configuration, w.first);
      fetch_columns(chains[w.body].velocity, w.first);
      fetch_columns(inertia[w.body].inverse, w.first);
      if (!loads) continue;
      fetch_columns((*loads)[w.body], w.first);
      fetch_columns(inertia[w.body].gyro, w.first);
    }
}

/// Constraints of the kind K; see `ConstraintKind`, or FrictionKind, which is its base. Virtual functions are
/// out of line: of a single kind compilers would guess it, and copy them to where they are called.
template <Constraint K, class Kind = ConstraintKind<ScalarOf<K>>>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class ConstraintsOfKind : public Kind {
 public:
  using E = Evaluation<K>;
  using S = ScalarOf<K>;
  using Rows = Products<K>;
  static constexpr int R = E::R, P = E::P;

  /// Those of a list.
  ConstraintsOfKind(const std::vector<K>& list, std::vector<E>& evaluations, const KindRange& range,
                    RowNumbers<S>& w)
      : Kind(range),
        list_(list.data()),
        evaluations_(evaluations.data()),
        numbers_(range.members.data()),
        w_(w) {}

  [[gnu::noinline]] void find_places(const State<S>& x) override {
    each([&](const K& c, E& e, const Slot& slot) {
      const Evaluator<K> evaluator(c);
      find_points(evaluator, x, slot.z, e, w_.weights.data());
      e.tangent = true;
      find_slopes(evaluator, x, e);
      evaluator.find_error(e, x.time);
    });
  }
  [[gnu::noinline]] BearingNodes nodes(std::size_t i) override { return nodes(evaluations_[numbers_[i]]); }
  [[gnu::noinline]] void find_systems(const State<S>& at, const Nodes<S>& n,
                                      std::vector<std::size_t>& groups) override {
    each([&](const K& c, E& e, const Slot&) {
      find_system(c, e, at, n);
      if (e.solution == RowSolution::own_cluster) groups.push_back(e.cluster);
    });
  }
  [[gnu::noinline]] bool find_system(std::size_t i, const State<S>& at, const Nodes<S>& n) override {
    E& e = evaluations_[numbers_[i]];
    find_system(list_[numbers_[i]], e, at, n);
    return e.has_closed_form();
  }
  [[gnu::noinline]] RowsView<S> view(std::size_t i) override {
    const Slot slot = slot_at(i);
    return view_of(evaluations_[numbers_[i]], slot.row, slot.position);
  }

  [[gnu::noinline]] void accelerate(const Reaction<S>& r) override {
    each([&](const K& c, E& e, const Slot& slot) { accelerate(c, e, slot, r); });
  }
  [[gnu::cold, gnu::noinline]] void find_rest(const Reaction<S>& r) override {
    each_other([&](const K&, const E& e, const Slot& slot) {
      put(dalembert::detail::opposite(shaped(e, accelerations_of(e, r))), w_.mu, slot.row);
    });
  }
  [[gnu::noinline]] void add_reactions(const Reaction<S>& r, bool first) override {
    each_other([&](const K&, const E& e, const Slot& slot) {
      if (first) put(with_friction(e, dalembert::detail::zeros<S, R>()), r.lambda, slot.row);
      const auto more = shaped(e, take<R>(w_.mu, slot.row));
      for (int j = 0; j < R; ++j) r.lambda[slot.row + j] += more[j];
      Rows::add_loads(e, more, r.n, r.f);
    });
  }
  [[gnu::noinline]] void check(const State<S>& at, const Column<S>& lambda, bool others) override {
    each([&](const K& c, const E& e, const Slot& slot) {
      if (!others || !e.has_closed_form()) check_reactions(c, at, e, take<R>(lambda, slot.row));
    });
  }
  [[gnu::noinline]] void put_drifts() override {
    each_other([&](const K&, const E& e, const Slot& slot) { put(e.drift, w_.known, slot.row); });
  }
  [[gnu::noinline]] void put_slips(const Nodes<S>& n) override {
    each_other(
        [&](const K&, const E& e, const Slot& slot) { put(exact_velocities<K>(e, n), w_.known, slot.row); });
  }

  [[gnu::noinline]] void project_velocities(State<S>& x, const Nodes<S>& n, Along along, S& square) override {
    each([&](const K&, E& e, const Slot& slot) { project_velocities(e, slot, n, along, x, square); });
  }
  [[gnu::noinline]] void add_impulses(State<S>& x, const Nodes<S>& n, Along along, S& square) override {
    each_other([&](const K&, const E& e, const Slot& slot) {
      const auto mu = shaped(e, take<R>(w_.mu, slot.row));
      square += number::abs(dalembert::detail::inner(mu, take<R>(w_.known, slot.row)));
      Rows::add_impulses(e, mu, along, n, x);
    });
  }
  [[gnu::noinline]] void project_and_accelerate(State<S>& x, const Reaction<S>& r, S& square) override {
    const auto ahead = [&](const E& e) { prefetch(e, x.chains, r.n.inertia, &r.f); };
    each(ahead, [&](const K& c, E& e, const Slot& slot) {
      project_velocities(e, slot, r.n, Along::reactions, x, square);
      accelerate(c, e, slot, r);
    });
  }
  [[gnu::noinline]] bool project_positions(const Correction<S>& by,
                                           std::vector<std::size_t>& groups) override {
    bool moved = false;
    const auto ahead = [&](const E& e) { prefetch(e, by.x.chains, by.n.inertia); };
    each(ahead, [&](const K& c, E& e, const Slot& slot) {
      const PositionRows<K> rows{c, e, slot, by, w_};
      rows.solve_internal(0);
      if (!e.shares_nodes() && !project_positions_alone(rows)) groups.push_back(e.cluster);
      moved = moved || nodes(e).have_moved();
    });
    return moved;
  }

  [[gnu::noinline]] void solve_internal(std::size_t i, const Correction<S>& by, int done) override {
    rows_at(i, by).solve_internal(done);
  }
  [[gnu::noinline]] void find_open(std::size_t i, const Correction<S>& by, int iteration,
                                   OpenRows<S>& open) override {
    rows_at(i, by).find_open(iteration, open);
  }
  [[gnu::noinline]] void find_rows_and_push(std::size_t i, const Correction<S>& by,
                                            bool beyond_rounding) override {
    rows_at(i, by).find_rows_and_push(beyond_rounding);
  }
  [[gnu::noinline]] void displace(std::size_t i, const Correction<S>& by, bool late,
                                  Displacement<S>& d) override {
    rows_at(i, by).displace(late, d);
  }
  [[gnu::noinline]] void put_errors(std::size_t i) override {
    const E& e = evaluations_[numbers_[i]];
    put(e.error, w_.push, slot_at(i).position);
    put(e.sizes, w_.known, slot_at(i).position);
  }

  [[gnu::noinline]] std::string name_of_row(int row, bool positions) const override {
    for (std::size_t i = 0; i < size_; ++i) {
      const Slot slot = slot_at(i);
      const int at = row - (positions ? slot.position : slot.row);
      if (at >= 0 && at < (positions ? P : R))
        return row_name(list_[numbers_[i]], slot.number, at, positions);
    }
    return {};
  }

 protected:
  using Kind::first_, Kind::size_;

  [[nodiscard]] Slot slot_at(std::size_t i) const noexcept {
    return slot_of<K>(first_, numbers_[i], first_.index + i);
  }
  [[nodiscard]] PositionRows<K> rows_at(std::size_t i, const Correction<S>& by) {
    return {list_[numbers_[i]], evaluations_[numbers_[i]], slot_at(i), by, w_};
  }
  /// f(constraint, evaluation, slot) for all of them; `ahead(evaluation)` is called for the next before each.
  template <class Ahead, class F>
  void each(const Ahead& ahead, F&& f) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (i + 1 < size_) ahead(evaluations_[numbers_[i + 1]]);
      f(list_[numbers_[i]], evaluations_[numbers_[i]], slot_at(i));
    }
  }
  template <class F>
  void each(F&& f) {
    each([](const E&) {}, f);
  }
  /// The same for those that are not solved in closed form.
  template <class F>
  void each_other(const F& f) {
    each([&](const K& c, const E& e, const Slot& slot) {
      if (!e.has_closed_form()) f(c, e, slot);
    });
  }

  [[nodiscard]] static BearingNodes nodes(E& e) noexcept {
    return {e, e.windows.data(), e.clustered_at.data(), E::N, nodes_beyond<K>()};
  }
  /// The system of a constraint that meets no others.
  static void invert_alone(E& e, const Nodes<S>& n) {
    if (!e.shares_nodes())
      e.solution = Rows::invert(e, n) ? RowSolution::closed_form : RowSolution::own_cluster;
  }
  /// The rows of a constraint at its places, and their system if it meets no others.
  [[gnu::noinline]] static void find_system(const K& c, E& e, const State<S>& at, const Nodes<S>& n) {
    dalembert::detail::flattened<is_small<K>>([&] {
      Evaluator<K>(c).find_rows(e, at);
      if constexpr (has_friction<K>) Rows::find_friction(e, n, S(0));
      invert_alone(e, n);
    });
  }
  /// A a + Ȧv + ḃ for these accelerations, or for those that f gives where no motion is prescribed.
  [[nodiscard]] static Vec<S, R> accelerations_of(const E& e, const Reaction<S>& r) {
    return r.accelerations ? Rows::accelerations(e, r.n, *r.accelerations)
                           : Rows::accelerations_of_loads(e, r.n, r.f);
  }
  /// ṡ, and what the rows make of accelerations.
  [[nodiscard]] Vec<S, R> find_rates_of(const K& c, E& e, const Slot& slot, const Reaction<S>& r) {
    find_rates(c, r.at, w_.weights.data(), e);
    for (int i = 0; i < E::Z; ++i) r.zdot[slot.z + i] = e.zdot[i];
    return accelerations_of(e, r);
  }
  /// ṡ, and λ and the loads of it for a constraint that is solved in closed form, or the right side of its
  /// rows.
  [[gnu::noinline]] void accelerate(const K& c, E& e, const Slot& slot, const Reaction<S>& r) {
    dalembert::detail::flattened<is_small<K>>([&] {
      const Vec<S, R> u = find_rates_of(c, e, slot, r);
      if (e.has_closed_form()) {
        const auto mu = solve_alone(e, u);
        const auto all = with_friction(e, mu);
        put(all, r.lambda, slot.row);
        if (!r.unchecked) check_reactions(c, r.at, e, all);
        Rows::add_loads(e, mu, r.n, r.f);
      } else {
        put(dalembert::detail::opposite(shaped(e, u)), w_.mu, slot.row);
      }
    });
  }
  /// Close the positions of a constraint that shares no node with others, and find its rows. False if that
  /// has no closed form.
  static bool project_positions_alone(const PositionRows<K>& rows) {
    if constexpr (Rows::position_rows < P) return false;
    bool closed = false;
    dalembert::detail::flattened<is_small<K>>([&] {
      closed = solve_position_rows(rows, rows.by);
      if (closed) find_system(rows.c, rows.e, rows.by.x, rows.by.n);
    });
    return closed && rows.e.has_closed_form();
  }
  /// Stops a constraint that is solved in closed form, or notes how it moves.
#ifdef NDEBUG  // as `flattened`
  [[gnu::flatten]]
#endif
  [[gnu::noinline]] void
  project_velocities(const E& e, const Slot& slot, const Nodes<S>& n, Along along, State<S>& x, S& square) {
    const Vec<S, R> u = Rows::velocities(e, n);
    if (e.has_closed_form()) {
      const auto mu = solve_alone(e, u);
      Rows::add_impulses(e, mu, along, n, x);
      square += number::abs(dalembert::detail::inner(mu, u));
    } else {
      put(dalembert::detail::opposite(shaped(e, u)), w_.mu, slot.row);
      put(u, w_.known, slot.row);
    }
  }

 private:
  const K* list_;
  E* evaluations_;
  const std::size_t* numbers_;

 protected:
  RowNumbers<S>& w_;
};

}  // namespace dalembert::assembly::detail
