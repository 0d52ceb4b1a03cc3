#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/check.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/statics/detail/free_bodies.hpp>
#include <dalembert/statics/detail/static_bodies.hpp>
#include <dalembert/statics/detail/static_rows.hpp>
#include <dalembert/statics/load_path.hpp>

/// All bodies and constraints of an assembly in a static Newton iteration. Unknowns are the six degrees of
/// every node, then the internal coordinates s, then the multipliers m of position rows:
///   f + Aᵀ m = 0,  F = 0,  φ = 0                                                                      (1)
/// linearised with the stiffness of bodies and the curvature of constraints; held degrees go to their aims.
namespace dalembert::assembly::detail {

/// See the head of this file.
template <class S>
class StaticEquations : public LoadedSystem<number::Plain<S>> {
 public:
  using Real = number::Plain<S>;
  using Bodies = std::span<StaticBodies<S>* const>;

  /// m.
  [[nodiscard]] const Column<S>& multipliers() const noexcept { return multipliers_; }
  [[nodiscard]] Column<S>& multipliers() noexcept { return multipliers_; }
  /// Multipliers of all rows. Throws what constraints throw that do not hold with them.
  [[nodiscard]] Column<S> reactions() const {
    return rows_ ? rows_->reactions(x_, multipliers_) : Column<S>();
  }

  /// Load steps to an equilibrium, with the derivatives that numbers carry.
  [[nodiscard]] StaticResult<S> search(const StaticOptions<Real>& o, const PutLoads<Real>& put) {
    return {step_loads<Real>(*this, o, put, number::derivative_order<S>)};
  }

  /// Take what is missing now as a load, of which `missing(part)` keeps a part.
  [[gnu::cold, gnu::noinline]] void take_missing() {
    find_held();
    assemble();
    missing_force_ = table_.force;
    missing_error_ = table_.error;
  }
  void missing(Real fraction) noexcept { missing_fraction_ = fraction; }

  [[gnu::cold, gnu::noinline]] void save() final {
    before_ = x_;
    multipliers_before_ = multipliers_;
  }
  [[gnu::cold, gnu::noinline]] void restore() final {
    x_ = before_;
    multipliers_ = multipliers_before_;
  }
  /// Take the frames of held nodes as aims, and put them back to where they were when saved.
  [[gnu::cold, gnu::noinline]] void aim() {
    for (std::size_t i = 0; i < x_.chains.size(); ++i) {
      if (x_[i].finite()) continue;
      restore();
      require_entry(false, "statics", "chain", i, "not finite",
                    "a path must put held frames at finite places");
    }
    target_ = x_.chains;
    find_held();
    left_.setZero();
    bodies_.each_node(x_, [&](std::size_t i, Index k, Index first) {
      if (table_.held_of(first) == 0) return;
      const Chain<S>& was = before_[i];
      const Vec<S, 3> turn = (was.rotation(k).inverse() * target_[i].rotation(k)).log();
      for (int j = 0; j < 6; ++j)
        if (table_.held(first + j))
          left_[first + j] = j < 3 ? target_[i].configuration(k, j) - was.configuration(k, j) : turn[j - 3];
      x_[i].set_frame(k, was.rotation(k), was.position(k));
    });
    if (rows_)
      if (std::all_of(multipliers_.begin(), multipliers_.end(), [](const S& m) { return m == S(0); }))
        guess_multipliers();
    first_solve_ = true;
    contradicted_ = -1;
    largest_ = {};
  }
  [[nodiscard]] bool at_target() const noexcept final { return number::is_zero(left_); }
  void check_turns() const final {
    if (turned_ < x_.chains.size()) rod::detail::throw_turned_too_far(x_[turned_], turned_, x_.time);
  }

  [[nodiscard]] double time() const noexcept final { return number::plain(x_.time); }

  /// Loads and rows at the present state, without the equations.
  [[gnu::noinline]] void assemble_loads() {
    table_.clear();
    bodies_.each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      (void)bodies_.push_loads(kind, own, i, x_, table_);
    });
    if (rows_) rows_->add(x_, multipliers_, bodies_.first(), table_);
  }
  /// Loads, rows and the equations of a step at the present state.
  void assemble() final {
    table_.clear();
    turned_ = x_.chains.size();
    find_size();
    bodies_.each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      if (!bodies_.push_loads(kind, own, i, x_, table_) && turned_ == x_.chains.size()) turned_ = i;
      const Index first = bodies_.first()[i];
      const auto add = [this, first](Index k, Index l, const Mat<Real, 6, 6>& block) {
        table_.add_stiffness(first + 6 * k, first + 6 * l, block);
      };
      kind.each_stiffness(own, x_[i], x_.time, add);
    });
    table_.finish_stiffness();
    if (rows_) rows_->add(x_, multipliers_, bodies_.first(), table_);
    table_.compare_scales();
  }

  [[nodiscard, gnu::cold, gnu::noinline]] Real residual(Real tolerance) const final {
    return table_.residual(part_of(unbalanced(), 0), tolerance);
  }
  /// Values and derivatives of a step solve the same equations, each by itself.
  [[nodiscard, gnu::cold, gnu::noinline]] StaticStep<Real> solve(const StaticOptions<Real>& o) final {
    const Column<S> right = unbalanced();
    step_.resize(right.size());
    StaticStep<Real> size;
    Column<Real> moved;
    for (int part = 0; part < number::part_count<S>; ++part) {
      const Column<Real> one = part_of(right, part);
      if (!(part == 0 ? table_.equations.solve(one, moved) : table_.equations.solve_again(one, moved)))
        throw SingularSystem("the stiffness is singular");
      for (Index i = 0; i < step_.size(); ++i) number::set_part(step_[i], part, moved[i]);
      if (part > 0) {
        Real& most = largest_[static_cast<std::size_t>(part)];
        const Real changed = table_.measure(moved, o).size;
        number::keep_larger(most, changed);
        if (most > Real(0)) number::keep_larger(size.derivatives, changed / most);
        continue;
      }
      size = table_.measure(moved, o);
      if (rows_ && std::exchange(first_solve_, false))
        contradicted_ = rows_->contradicted(table_, one, moved);
    }
    return size;
  }

  /// Move by a part of the step.
  [[gnu::cold, gnu::noinline]] void move(Real fraction) final {
    left_ *= S(Real(1) - fraction);
    const bool arrived = at_target();
    displace(step_, fraction);
    bodies_.each_node(x_, [&](std::size_t i, Index k, Index first) {
      if (arrived && table_.held_of(first) == 6)  // to the last bit
        x_[i].set_frame(k, target_[i].rotation(k), target_[i].position(k));
    });
  }
  /// Move all unknowns by a part of `step`.
  [[gnu::cold, gnu::noinline]] void displace(const Column<S>& step, Real fraction) {
    bodies_.each_node(x_, [&](std::size_t i, Index k, Index first) {
      const auto part = [&](Index from) {
        return Vec<S, 3>(fraction * step[from], fraction * step[from + 1], fraction * step[from + 2]);
      };
      rod::move_node(x_[i], k, part(first), part(first + 3));
    });
    for (int i = 0; i < table_.slides; ++i) x_.z[i] += fraction * step[table_.slide(i)];
    for (int i = 0; i < table_.positions; ++i) multipliers_[i] += fraction * step[table_.multiplier(i)];
  }

  /// Held nodes where bodies have them at the time of the state.
  void put_held() { bodies_.put_held(x_); }
  /// Find out which unknowns are held.
  [[gnu::cold, gnu::noinline]] void find_held() {
    bodies_.each_mass(
        x_, [&](Index row, Real mass) { table_.is_held[static_cast<std::size_t>(row)] = mass == Real(0); });
  }
  /// What is not yet balanced: right-hand sides of a step, after `assemble`.
  [[nodiscard, gnu::cold, gnu::noinline]] Column<S> unbalanced() const {
    Column<S> right(table_.multiplier(table_.positions));
    for (Index row = 0; row < table_.nodes; ++row) right[row] = table_.held(row) ? left_[row] : force(row);
    for (int i = 0; i < table_.slides; ++i) right[table_.slide(i)] = -table_.apart[i];
    for (int i = 0; i < table_.positions; ++i) right[table_.multiplier(i)] = error(i);
    return right;
  }
  /// What bodies and constraints say now.
  [[nodiscard]] StaticTable<S>& table() noexcept { return table_; }

  /// A position row that the first step of the last search could not close, being contradicted by others, or
  /// having nothing to move; empty where there is none.
  [[nodiscard]] std::string contradiction() const final {
    return contradicted_ < 0 ? std::string() : rows_->name_of_row(contradicted_);
  }

  /// The bodies that nothing holds, each beginning with "; ".
  [[nodiscard, gnu::cold, gnu::noinline]] std::string bodies_not_held() const {
    std::vector<char> holds(x_.chains.size(), 0);
    bodies_.each_node(x_, [&](std::size_t i, Index, Index first) {
      if (table_.held_of(first) > 0) holds[i] = 1;
    });
    return free_bodies(*this, x_, std::move(holds));
  }
  /// f(bodies that a constraint with position rows touches, whether it touches something else).
  void each_link(const State<S>& x, const typename StaticRows<S>::Link& f) const {
    if (rows_) rows_->each_link(x, bodies_.first(), f);
  }

 protected:
  /// Of all bodies and constraints, of which `x` is a state. Throws std::invalid_argument for a state that
  /// does not fit, and for markers that do not.
  [[gnu::cold, gnu::noinline]] StaticEquations(const Bodies& bodies, const StaticRows<S>* constraints,
                                               State<S>& x)
      : bodies_(bodies), rows_(constraints), x_(x), before_(x) {
    table_.nodes = bodies_.number(x);
    if (rows_) rows_->count(x.chains, table_);
  }
  /// What is left to do once markers are known to fit.
  [[gnu::cold, gnu::noinline]] void make_room() {
    require(x_.z.size() == table_.slides, "statics", "internal coordinates", x_.z.size(),
            message({"its constraints have ", table_.slides}));
    multipliers_ = multipliers_before_ = Column<S>::Zero(table_.positions);
    missing_force_ = left_ = Column<S>::Zero(table_.nodes);
    missing_error_ = multipliers_;
    table_.is_held.resize(static_cast<std::size_t>(table_.nodes));
    table_.equations = linalg::SparseEquations<Real>(table_.nodes, table_.slides, table_.positions);
  }
  [[gnu::cold, gnu::noinline]] ~StaticEquations() = default;

 private:
  /// What is not yet balanced.
  [[nodiscard]] S force(Index row) const {
    return table_.force[row] - missing_fraction_ * missing_force_[row];
  }
  [[nodiscard]] S error(Index i) const { return table_.error[i] - missing_fraction_ * missing_error_[i]; }
  /// A part of each number.
  [[nodiscard, gnu::cold, gnu::noinline]] static Column<Real> part_of(const Column<S>& all, int part) {
    Column<Real> one(all.size());
    for (Index i = 0; i < all.size(); ++i) one[i] = number::part(all[i], part);
    return one;
  }

  /// The multipliers with which all would start to move from rest; their curvature holds rigid bodies.
  [[gnu::cold, gnu::noinline]] void guess_multipliers() {
    assemble_loads();
    Column<Real> mass(table_.nodes), right(table_.nodes);
    bodies_.each_mass(x_, [&](Index row, Real one) { mass[row] = one; });
    for (Index row = 0; row < table_.nodes; ++row) right[row] = value_of(force(row));
    rows_->guess(table_, mass, right, multipliers_);
  }

  /// The extent of all nodes and places, kept, with the largest coordinate of a node.
  [[gnu::cold, gnu::noinline]] void find_size() {
    using dalembert::detail::convert_all, dalembert::detail::largest, dalembert::detail::length;
    Extent<Real> extent;
    bodies_.each_node(
        x_, [&](std::size_t i, Index k, Index) { extent.extend(convert_all<Real>(x_[i].position(k))); });
    table_.far = std::max(largest<Real>(extent.min()), largest<Real>(extent.max()));
    if (rows_) rows_->include_places(x_, extent);
    table_.metres = length<Real>(extent.diagonal());
    bodies_.each([&](const StaticBodies<S>& kind, std::size_t own, std::size_t i) {
      table_.metres = std::max(table_.metres, kind.length(own, x_[i]));
    });
  }

  StaticBodyList<S> bodies_;
  const StaticRows<S>* rows_;  // of constraints, if there are any
  State<S>& x_;
  State<S> before_;
  std::vector<Chain<S>> target_;
  StaticTable<S> table_;
  Column<S> step_, multipliers_, multipliers_before_;
  Column<S> left_;                                     // what held degrees still have to move
  Column<S> missing_force_, missing_error_;            // to an equilibrium at the start
  std::array<Real, number::part_count<S>> largest_{};  // change of each derivative
  Real missing_fraction_{};
  bool first_solve_ = true;
  int contradicted_ = -1;   // position row
  std::size_t turned_ = 0;  // the body with an element that turns too far, if there is one
};

}  // namespace dalembert::assembly::detail
