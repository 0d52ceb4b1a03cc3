#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/check_reactions.hpp>
#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/assembly/detail/linearised_constraint.hpp>
#include <dalembert/assembly/detail/row_name.hpp>

/// What linearised equations ask of constraints, whatever their kind: those of statics, and those of small
/// motions.
namespace dalembert::assembly::detail {

/// The constraints of an assembly that are of one kind, each told by its number among these.
class LinearisedKind {
 public:
  /// How many each of them has.
  struct Sizes {
    int rows, positions, slides, markers;
  };
  const Sizes sizes;

  LinearisedKind(const LinearisedKind&) = delete;
  LinearisedKind& operator=(const LinearisedKind&) = delete;

  /// How many constraints there are.
  [[nodiscard]] virtual std::size_t count() const noexcept = 0;

 protected:
  explicit LinearisedKind(const Sizes& own) noexcept : sizes(own) {}
  ~LinearisedKind() = default;
};

/// As statics see them: position rows alone.
template <class S>
class StaticKind : public LinearisedKind {
 public:
  using Index = Eigen::Index;
  /// Throws std::invalid_argument for a marker that is not on these chains, and for parameters.
  virtual void check(std::size_t i, const std::vector<Chain<S>>& chains) const = 0;
  /// f ← the positions of its markers, the first internal coordinate being number z [m].
  virtual void find_positions(std::size_t i, const State<S>& x, int z, std::vector<Vec<S, 3>>& f) const = 0;
  /// One of them with multipliers m of its position rows that stay. Holds until the next is asked for; the
  /// unknowns are those of `LinearisedRows`.
  [[nodiscard]] virtual const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z,
                                                      const std::vector<Index>& first, Index slide,
                                                      const S* m) = 0;
  /// λ = Cᵀm. Throws what a constraint throws that does not hold with it.
  virtual void find_reactions(std::size_t i, const State<S>& x, int z, const S* m, S* lambda) const = 0;
  /// The name of a position row.
  [[nodiscard]] virtual std::string name_of_row(std::size_t i, int p) const = 0;

 protected:
  using LinearisedKind::LinearisedKind;
  ~StaticKind() = default;
};

/// As small motions see them: all rows.
template <class S>
class MotionKind : public LinearisedKind {
 public:
  using Index = Eigen::Index;
  /// As that of `StaticKind`, with multipliers of all rows.
  [[nodiscard]] virtual const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z,
                                                      const std::vector<Index>& first, Index slide,
                                                      const S* lambda) = 0;

 protected:
  using LinearisedKind::LinearisedKind;
  ~MotionKind() = default;
};

/// What both have of constraints of the kind C.
template <Constraint C, class Kind>
class LinearisedOfKind : public Kind {
 public:
  using S = ScalarOf<C>;
  using Traits = ConstraintTraits<C>;
  static constexpr int R = Traits::rows, P = Traits::positions;

  std::size_t count() const noexcept final { return list_.size(); }

 protected:
  explicit LinearisedOfKind(const std::vector<C>& list)
      : Kind({R, P, Traits::internal_count, Traits::markers}), list_(list) {}
  ~LinearisedOfKind() = default;

  template <int N>
  [[nodiscard]] static Vec<S, N> numbers(const S* from) {
    Vec<S, N> x;
    for (int i = 0; i < N; ++i) x[i] = from[i];
    return x;
  }

  const std::vector<C>& list_;
  std::optional<LinearisedConstraint<C>> one_;
};

/// In statics.
template <Constraint C>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticOfConstraint final : public LinearisedOfKind<C, StaticKind<ScalarOf<C>>> {
 public:
  using Base = LinearisedOfKind<C, StaticKind<ScalarOf<C>>>;
  using typename Base::S;
  using Index = Eigen::Index;
  static constexpr int R = Base::R, P = Base::P;

  /// Of a list, which stays where it is.
  explicit StaticOfConstraint(const std::vector<C>& list) : Base(list) {}

  void check(std::size_t i, const std::vector<Chain<S>>& chains) const override {
    const C& c = list_[i];
    const std::string what = message({name_of<C>(), " ", i});
    std::apply([&](const auto&... marker) { (marker.check(chains, what), ...); }, c.markers());
    if constexpr (requires { c.check_parameters(); }) c.check_parameters();
  }
  void find_positions(std::size_t i, const State<S>& x, int z, std::vector<Vec<S, 3>>& f) const override {
    const Evaluator<C> evaluator(list_[i]);
    Evaluation<C> e;
    find_points(evaluator, x, z, e, static_cast<S*>(nullptr));
    f.clear();
    for (const FrameState<S>& one : evaluator.now(e.points)) f.push_back(one.position);
  }
  const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z, const std::vector<Index>& first,
                                Index slide, const S* m) override {
    auto& one = this->one_.emplace(list_[i], x, z, first, slide);
    one.find_places();
    one.hold_positions(Base::template numbers<P>(m));
    return one;
  }
  void find_reactions(std::size_t i, const State<S>& x, int z, const S* m, S* lambda) const override {
    const PlacedConstraint<C> placed(list_[i], x, z);
    const Evaluation<C>& e = placed.evaluation;
    if constexpr (Evaluation<C>::Z > 0) placed.evaluator.check_markers(e.points, x.time);
    const Vec<S, R> own = reactions_of(e, Base::template numbers<P>(m));
    check_reactions(list_[i], x, e, own);
    for (int r = 0; r < R; ++r) lambda[r] = own[r];
  }
  std::string name_of_row(std::size_t i, int p) const override {
    return row_name(list_[i], static_cast<int>(i), p, true);
  }

 private:
  using Base::list_;
};

/// In small motions.
template <Constraint C>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class MotionOfConstraint final : public LinearisedOfKind<C, MotionKind<ScalarOf<C>>> {
 public:
  using Base = LinearisedOfKind<C, MotionKind<ScalarOf<C>>>;
  using typename Base::S;
  using Index = Eigen::Index;

  /// Of a list, which stays where it is.
  explicit MotionOfConstraint(const std::vector<C>& list) : Base(list) {}

  const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z, const std::vector<Index>& first,
                                Index slide, const S* lambda) override {
    auto& one = this->one_.emplace(this->list_[i], x, z, first, slide);
    one.hold(Base::template numbers<Base::R>(lambda));
    return one;
  }
};

/// All kinds, each made of a list that stays where it is.
template <class S, Constraint... C>
using StaticConstraints = KindsOf<StaticKind<S>, StaticOfConstraint<C>...>;
template <class S, Constraint... C>
using MotionConstraints = KindsOf<MotionKind<S>, MotionOfConstraint<C>...>;

/// Where the numbers of one constraint begin among those of all.
struct LinearisedSlot {
  std::size_t number;  ///< in its kind
  int z, row, position;
};
/// f(kind, slot) for all constraints.
template <class Kind, class F>
void each_constraint(std::span<Kind* const> kinds, const F& f) {
  LinearisedSlot slot{};
  for (Kind* const kind : kinds)
    for (slot.number = 0; slot.number < kind->count(); ++slot.number) {
      f(*kind, std::as_const(slot));
      slot.z += kind->sizes.slides;
      slot.row += kind->sizes.rows;
      slot.position += kind->sizes.positions;
    }
}

}  // namespace dalembert::assembly::detail
