#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/tangents/linearised_constraint.hpp>

/// What the equations of statics ask of constraints, whatever their kind.
namespace dalembert::assembly::detail {

/// The constraints of an assembly that are of one kind, each told by its number among these.
template <class S>
class StaticKind {
 public:
  const LinearisedSizes sizes;

  StaticKind(const StaticKind&) = delete;
  StaticKind& operator=(const StaticKind&) = delete;

  /// Throws std::invalid_argument for a marker that is not on these chains, and for parameters.
  virtual void check(std::size_t i, const std::vector<Chain<S>>& chains) const = 0;
  /// f ← the positions of its markers, the first internal coordinate being number z [m].
  virtual void find_positions(std::size_t i, const State<S>& x, int z, std::vector<Vec<S, 3>>& f) const = 0;
  /// One of them with multipliers of its position rows that stay, those of m from `begin` on. Holds until
  /// the next is asked for; the unknowns are those of `LinearisedRows`.
  [[nodiscard]] virtual const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z,
                                                      const std::vector<Index>& first, Index slide,
                                                      const Column<S>& m, int begin) = 0;
  /// λ = Cᵀm. Throws what a constraint throws that does not hold with it.
  virtual void find_reactions(std::size_t i, const State<S>& x, int z, const Column<S>& m, int begin,
                              S* lambda) const = 0;
  /// The name of a position row.
  [[nodiscard]] virtual std::string name_of_row(std::size_t i, int p) const = 0;

 protected:
  explicit StaticKind(const LinearisedSizes& own) noexcept : sizes(own) {}
  ~StaticKind() = default;
};

/// Those of the kind C.
template <Constraint C>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticOfConstraint final : public StaticKind<ScalarOf<C>> {
 public:
  using S = ScalarOf<C>;
  using Traits = ConstraintTraits<C>;
  static constexpr int R = Traits::rows, P = Traits::positions;

  /// Of a list, which stays where it is.
  explicit StaticOfConstraint(const std::vector<C>& list)
      : StaticKind<S>({list.size(), R, P, Traits::internal_count, Traits::markers}), list_(list) {}

  [[gnu::cold, gnu::noinline]] void check(std::size_t i, const std::vector<Chain<S>>& chains) const override {
    const C& c = list_[i];
    const std::string what = message({name_of<C>(), " ", i});
    std::apply([&](const auto&... marker) { (marker.check(chains, what), ...); }, c.markers());
    check_parameters_of(c);
  }
  [[gnu::cold, gnu::noinline]] void find_positions(std::size_t i, const State<S>& x, int z,
                                                   std::vector<Vec<S, 3>>& f) const override {
    const Evaluator<C> evaluator(list_[i]);
    Evaluation<C> e;
    find_points(evaluator, x, z, e, static_cast<S*>(nullptr));
    f.clear();
    for (const FrameState<S>& one : evaluator.now(e.points)) f.push_back(one.position);
  }
  [[gnu::cold, gnu::noinline]] const LinearisedRows<S>& hold(std::size_t i, const State<S>& x, int z,
                                                             const std::vector<Index>& first, Index slide,
                                                             const Column<S>& m, int begin) override {
    auto& one = one_.emplace(list_[i], x, z, first, slide);
    one.find_places();
    one.hold_positions(take<P>(m, begin));
    return one;
  }
  [[gnu::cold, gnu::noinline]] void find_reactions(std::size_t i, const State<S>& x, int z,
                                                   const Column<S>& m, int begin, S* lambda) const override {
    const PlacedConstraint<C> placed(list_[i], x, z);
    const Evaluation<C>& e = placed.evaluation;
    if constexpr (Evaluation<C>::Z > 0) placed.evaluator.check_markers(e.points, x.time);
    const Vec<S, R> own = reactions_of(e, Vec<S, P>(take<P>(m, begin)));
    check_reactions(list_[i], x, e, own);
    for (int r = 0; r < R; ++r) lambda[r] = own[r];
  }
  [[gnu::cold, gnu::noinline]] std::string name_of_row(std::size_t i, int p) const override {
    return row_name(list_[i], i, p, true);
  }

 private:
  const std::vector<C>& list_;
  std::optional<LinearisedConstraint<C>> one_;
};

/// All kinds, each made of a list that stays where it is.
template <class S, Constraint... C>
using StaticConstraints = KindsOf<StaticKind<S>, StaticOfConstraint<C>...>;

}  // namespace dalembert::assembly::detail
