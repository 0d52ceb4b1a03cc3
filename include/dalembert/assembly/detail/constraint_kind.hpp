#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <dalembert/assembly/detail/constraint_work.hpp>
#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/detail/position_projection.hpp>
#include <dalembert/assembly/inertia.hpp>

/// What the solution of an assembly's equations asks of bodies and constraints, whatever their kinds.
namespace dalembert::assembly::detail {

/// The bodies of one part.
template <class S>
class PartBodies {
 public:
  const Inertias<S>& inertia;  ///< of all bodies
  const bool prescribes;       ///< whether the motion of some node is prescribed

  PartBodies(const PartBodies&) = delete;
  PartBodies& operator=(const PartBodies&) = delete;

  /// Accelerations of loads. Throws NotFinite.
  virtual void accelerate(const State<S>& at, const NodeNumbers<S>& f, NodeNumbers<S>& a) const = 0;
  /// The sizes of a motion and of loads, √(vᵀMv) and √(fᵀM⁻¹f) [√J, √J/s].
  [[nodiscard]] virtual S speed(const State<S>& x) const = 0;
  [[nodiscard]] virtual S strength(const NodeNumbers<S>& f) const = 0;
  /// to ← from, of these.
  virtual void copy(const NodeNumbers<S>& from, NodeNumbers<S>& to) const = 0;

 protected:
  PartBodies(const Inertias<S>& of_all, bool some) noexcept : inertia(of_all), prescribes(some) {}
  ~PartBodies() = default;
};

/// The nodes that bear the markers of a constraint.
struct BearingNodes {
  EvaluationState& state;
  const Window* windows;
  Index* clustered_at;  ///< the first nodes when clusters were found
  int count;            ///< of the markers
  Index beyond;         ///< so many nodes more at either end are its own

  /// Whether they are others than when clusters were found.
  [[nodiscard]] bool have_moved() const noexcept {
    for (int i = 0; i < count; ++i)
      if (windows[i].first != clustered_at[i]) return true;
    return false;
  }
};

/// Loads f in a state, λ of the constraints that react to them, and ż.
template <class S>
struct Reaction {
  const State<S>& at;
  const Nodes<S>& n;
  NodeNumbers<S>* accelerations;  ///< those that f gives, where motions are prescribed
  NodeNumbers<S>& f;
  Column<S>&lambda, &zdot;
  bool unchecked = false;  ///< whether λ is checked later
};

/// Those constraints of one part of an assembly that are of one kind. Most functions visit all of them, or
/// those that are solved together with others; what the solution has of each row, its right side and its
/// multiplier, is in `RowNumbers`. A constraint is told by its number among these.
template <class S>
class ConstraintKind {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The number among all constraints of the part of the first.
  [[nodiscard]] std::size_t index() const noexcept { return first_.index; }

  // places and rows
  /// Where the places are, and position errors.
  virtual void find_places(const State<S>& x) = 0;
  [[nodiscard]] virtual BearingNodes nodes(std::size_t i) = 0;
  /// Rows at the places found, and the systems of those that are solved by themselves; the clusters of those
  /// that are alone, but have no closed form, are added to `groups`.
  virtual void find_systems(const State<S>& at, const Nodes<S>& n, std::vector<std::size_t>& groups) = 0;
  /// The same of one of them. Answers whether it has a closed form.
  virtual bool find_system(std::size_t i, const State<S>& at, const Nodes<S>& n) = 0;
  [[nodiscard]] virtual RowsView<S> view(std::size_t i) = 0;

  // reactions
  /// ṡ of all; λ of those that are solved in closed form, and their loads; −(A M⁻¹f + β) of the
  /// others as μ.
  virtual void accelerate(const Reaction<S>& r) = 0;
  /// The same again of those others, but for ṡ.
  virtual void find_rest(const Reaction<S>& r) = 0;
  /// λ of those others and its loads: those of μ, in addition to what there is but the first time.
  virtual void add_reactions(const Reaction<S>& r, bool first) = 0;
  /// Whether the constraints can have these λ: what they say against it is thrown. Of all, or of the others.
  virtual void check(const State<S>& at, const Column<S>& lambda, bool others) = 0;
  /// Of the others, the drift, and how their velocities break the exact rows, to `known`.
  virtual void put_drifts() = 0;
  virtual void put_slips(const Nodes<S>& n) = 0;

  // projections
  /// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b) of those that are solved in closed form; −(A v + b)
  /// of the others as μ. Twice the energy that is taken out is added to `square`.
  virtual void project_velocities(State<S>& x, const Nodes<S>& n, Along along, S& square) = 0;
  /// v += M⁻¹A_Vᵀμ of those others.
  virtual void add_impulses(State<S>& x, const Nodes<S>& n, Along along, S& square) = 0;
  /// Both `project_velocities` and `accelerate`, where all are solved in closed form.
  virtual void project_and_accelerate(State<S>& x, const Reaction<S>& r, S& square) = 0;
  /// Close the positions of those that are alone, and find their rows; of the others, where they are.
  /// Answers whether some are borne by other nodes now.
  virtual bool project_positions(const Correction<S>& by, std::vector<std::size_t>& groups) = 0;

  // what closes the positions of one together with others
  virtual void solve_internal(std::size_t i, const Correction<S>& by, int done) = 0;
  virtual void find_open(std::size_t i, const Correction<S>& by, int iteration, OpenRows<S>& open) = 0;
  virtual void find_rows_and_push(std::size_t i, const Correction<S>& by, bool beyond_rounding) = 0;
  virtual void displace(std::size_t i, const Correction<S>& by, bool late, Displacement<S>& d) = 0;
  /// Errors to `push`, their sizes to `known`.
  virtual void put_errors(std::size_t i) = 0;

  /// The name of a row, or of a position row, counted over all; empty if it is not of these.
  [[nodiscard]] virtual std::string name_of_row(int row, bool positions) const = 0;

 protected:
  explicit ConstraintKind(const KindRange& range) noexcept
      : first_(range.first), size_(range.members.size()) {}
  ConstraintKind(const ConstraintKind&) = default;
  ConstraintKind& operator=(const ConstraintKind&) = default;
  ~ConstraintKind() = default;

  Slot first_;  ///< of the range
  std::size_t size_;
};

/// The same where rows of some constraints are friction.
template <class S>
class FrictionKind : public ConstraintKind<S> {
 public:
  /// The friction of the slip in a state, which is a load.
  virtual void add_friction_loads(const Nodes<S>& n, NodeNumbers<S>& f) = 0;
  /// Friction is among the loads of others.
  virtual void forget_friction() = 0;
  /// Systems of the rows that were found, with friction that acts for a duration.
  virtual void find_systems_for(S duration, const Nodes<S>& n, std::vector<std::size_t>& groups) = 0;
  /// ṡ; −a to `known`, −(T u/h + a) to λ, a as in (1) of `FrictionSolution`.
  virtual void start_step(const Reaction<S>& r, S h) = 0;
  /// (E/h) λ₁ − a as μ.
  virtual void go_on_in_step(const Column<S>& lambda, S h) = 0;
  /// λ = 2λ₁ − λ₂, and its loads.
  virtual void end_in_step(const Reaction<S>& r) = 0;
  /// b ← the solution of those that are solved in closed form; of the others what their system is for.
  virtual void solve(Column<S>& b) = 0;
  /// Of these, what its unknowns stand for.
  virtual void finish(Column<S>& b) = 0;

 protected:
  using ConstraintKind<S>::ConstraintKind;
  ~FrictionKind() = default;
};

/// All kinds of a part.
template <class Kind>
using KindsOfPart = std::span<Kind* const>;

/// f(kind, number) for the members of a cluster.
template <class Kind, class F>
void each_member(const KindsOfPart<Kind>& kinds, const Clusters& all, std::size_t cluster, const F& f) {
  for (std::size_t j = all.begin(cluster); j < all.begin(cluster + 1); ++j) {
    const std::size_t index = all.member(j);
    for (Kind* const kind : kinds)
      if (index - kind->index() < kind->size()) f(*kind, index - kind->index());
  }
}

/// The name of a row, or of a position row, counted over all.
template <class Kind>
[[nodiscard]] std::string name_of_row(const KindsOfPart<Kind>& kinds, int row, bool positions) {
  for (const Kind* const kind : kinds)
    if (std::string name = kind->name_of_row(row, positions); !name.empty()) return name;
  return "no row";
}

/// The clusters of the windows found in a part. Answers whether they are others than before.
template <class Kind, class Part>
[[gnu::noinline]] bool find_clusters(const KindsOfPart<Kind>& kinds, Part& part, Clusters::Owners& owners) {
  bool moved = part.clusters.count() == 0;
  const auto each = [&](const auto& f) {
    for (Kind* const kind : kinds)
      for (std::size_t i = 0; i < kind->size(); ++i) f(kind->nodes(i), kind->index() + i);
  };
  each([&](const BearingNodes& c, std::size_t) {
    moved = moved || c.have_moved();
    for (int i = 0; i < c.count; ++i) c.clustered_at[i] = c.windows[i].first;
  });
  if (!moved) return false;
  part.clusters.find(owners, [&](const auto& touch) {
    each([&](const BearingNodes& c, std::size_t index) {
      for (int i = 0; i < c.count; ++i) {
        const Window& v = c.windows[i];
        if (v.count == 0) continue;
        const Index first = std::max(v.first - c.beyond, Index(0));
        Index end = v.first + v.count + c.beyond;
        if (c.beyond > 0) end = std::min(end, static_cast<Index>(owners[v.body].size()));
        if (v.around > 0 && end > v.around) {  // on a closed string, past its last node
          touch(index, v.body, std::size_t{0}, static_cast<std::size_t>(end - v.around));
          end = v.around;
        }
        touch(index, v.body, static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
      }
    });
  });
  part.shared_clusters.clear();
  part.forget_systems();
  for (std::size_t i = 0; i < part.clusters.count(); ++i) {
    const bool alone = part.clusters.begin(i + 1) - part.clusters.begin(i) == 1;
    if (!alone) part.shared_clusters.push_back(i);
    each_member(kinds, part.clusters, i, [&](Kind& kind, std::size_t member) {
      EvaluationState& e = kind.nodes(member).state;
      e.cluster = i;
      e.solution = alone ? RowSolution::own_cluster : RowSolution::shared_cluster;
    });
  }
  return true;
}

}  // namespace dalembert::assembly::detail
