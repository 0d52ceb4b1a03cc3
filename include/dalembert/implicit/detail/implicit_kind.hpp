#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/kind_functions.hpp>
#include <dalembert/linalg/small_inverse.hpp>
#include <dalembert/tangents/linearised_constraint.hpp>

/// What the equations of an implicit step ask of constraints, whatever their kind.
namespace dalembert::assembly::detail {

/// The constraints of one kind, each told by its number among these: where loads are taken, in the middle,
/// and at an end of the step.
template <class S>
class ImplicitKind {
 public:
  const LinearisedSizes sizes;

  ImplicitKind(const ImplicitKind&) = delete;
  ImplicitKind& operator=(const ImplicitKind&) = delete;

  /// The tangencies for the internal coordinates of x from number z on, but for those that follow their
  /// rates. Throws NoConvergence.
  virtual void solve_tangencies(State<S>& x, int z) const = 0;
  [[nodiscard]] virtual bool follows_rates(std::size_t i) const = 0;

  /// Rows where loads are taken; φ at an end.
  virtual void place(std::size_t i, const State<S>& x, int z) = 0;
  virtual const S* place_end(std::size_t i, const State<S>& x, int z) = 0;
  /// ṡ in the state where it was placed, the middle or the end, to `rate`.
  virtual void find_rate(std::size_t i, const State<S>& x, bool at_end, S* rate) = 0;

  // where loads are taken:
  [[nodiscard]] virtual const LinearisedRows<S>& rows(std::size_t i) const = 0;
  /// u = A v + b.
  virtual void find_velocities(std::size_t i, const State<S>& x, const Inertias<S>& inertia, S* u) const = 0;
  /// f += A_Vᵀλ.
  virtual void add_loads(std::size_t i, const S* lambda, const State<S>& x, const Inertias<S>& inertia,
                         NodeNumbers<S>& f) const = 0;
  /// (CCᵀ)⁻¹C, column by column.
  virtual void find_inverse(std::size_t i, S* inverse) const = 0;
  /// What its rows tell of places and of the sizes of φ; the largest length of the places [m].
  virtual void find_places(std::size_t i) = 0;
  [[nodiscard]] virtual S length(std::size_t i) const = 0;
  /// Whether the pull of position rows changes with the places in a way that is told.
  [[nodiscard]] virtual bool curves() const noexcept = 0;
  /// How it changes for multipliers m that stay: unknowns are those of `hold_positions_on_windows`.
  virtual void hold(std::size_t i, const S* m) = 0;
  /// Throws what a constraint throws that is not valid with these multipliers.
  virtual void check(std::size_t i, const State<S>& x, const S* lambda) const = 0;

 protected:
  explicit ImplicitKind(const LinearisedSizes& own) noexcept : sizes(own) {}
  ~ImplicitKind() = default;
};

/// Those of the kind C.
template <Constraint C>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class ImplicitOfConstraint final : public ImplicitKind<ScalarOf<C>> {
  static_assert(!has_line_markers<C>, "a constraint on strings has no place in implicit steps");

 public:
  using S = ScalarOf<C>;
  using Traits = ConstraintTraits<C>;
  using E = Evaluation<C>;
  static constexpr int R = Traits::rows, P = Traits::positions, Z = Traits::internal_count;

  /// Of a list, which stays where it is.
  explicit ImplicitOfConstraint(const std::vector<C>& list)
      : ImplicitKind<S>({list.size(), R, P, Z, Traits::markers}),
        list_(list),
        middle_(list.begin(), list.end()),
        end_(list.begin(), list.end()) {}

  [[gnu::noinline]] void solve_tangencies(State<S>& x, int z) const override {
    Slot first;
    first.z = z;
    detail::solve_tangencies(list_, first, x, false);
  }
  [[gnu::noinline]] bool follows_rates(std::size_t i) const override {
    return detail::follows_rates(list_[i]);
  }

  [[gnu::noinline]] void place(std::size_t i, const State<S>& x, int z) override { middle_[i].place(x, z); }
  [[gnu::noinline]] const S* place_end(std::size_t i, const State<S>& x, int z) override {
    end_[i].find_places(x, z);
    return end_[i].evaluation.error.data();
  }
  [[gnu::noinline]] void find_rate(std::size_t i, const State<S>& x, bool at_end, S* rate) override {
    if constexpr (Z > 0) {
      auto& [evaluator, e, weights] = at_end ? end_[i] : middle_[i].placed;
      detail::find_velocities(evaluator, x, e, weights.data());
      find_slopes(evaluator, x, e);
      Eigen::Map<Vec<S, Z>>{rate} = rate_of_places(evaluator, e, x);
    }
  }

  [[gnu::noinline]] const LinearisedRows<S>& rows(std::size_t i) const override { return middle_[i]; }
  [[gnu::noinline]] void find_velocities(std::size_t i, const State<S>& x, const Inertias<S>& inertia,
                                         S* u) const override {
    Eigen::Map<Vec<S, R>>{u} = Products<C>::velocities(at(i), nodes(i, x, inertia));
  }
  [[gnu::noinline]] void add_loads(std::size_t i, const S* lambda, const State<S>& x,
                                   const Inertias<S>& inertia, NodeNumbers<S>& f) const override {
    Products<C>::add_loads(at(i), Numbers<R>(lambda), nodes(i, x, inertia), f);
  }
  [[gnu::noinline]] void find_inverse(std::size_t i, S* inverse) const override {
    if constexpr (P > 0) {
      Eigen::Matrix<S, P, R> found;
      linalg::find_pseudo_inverse(at(i).along, found);
      std::copy_n(found.data(), P * R, inverse);
    }
  }
  [[gnu::noinline]] void find_places(std::size_t i) override { middle_[i].find_places(); }
  [[gnu::noinline]] S length(std::size_t i) const override {
    return largest_length(middle_[i].placed.evaluator, at(i).points);
  }
  [[gnu::noinline]] bool curves() const noexcept override { return told; }
  [[gnu::noinline]] void hold(std::size_t i, const S* m) override {
    if constexpr (told) middle_[i].hold_positions_on_windows(Numbers<P>(m));
  }
  [[gnu::noinline]] void check(std::size_t i, const State<S>& x, const S* lambda) const override {
    check_reactions(list_[i], x, at(i), Numbers<R>(lambda));
  }

 private:
  static constexpr bool told =
      P > 0 && !by_nodes<C> && !Traits::Has::reaction && (Z == 0 || Traits::Has::tangency);

  [[nodiscard]] const E& at(std::size_t i) const { return middle_[i].placed.evaluation; }
  [[nodiscard]] Nodes<S> nodes(std::size_t i, const State<S>& x, const Inertias<S>& inertia) const {
    return {x.chains, x.lines, inertia, middle_[i].placed.weights.data()};
  }
  template <int N>
  using Numbers = Eigen::Map<const Vec<S, N>>;

  const std::vector<C>& list_;
  std::vector<LinearisedConstraint<C>> middle_;
  std::vector<PlacedConstraint<C>> end_;
};

}  // namespace dalembert::assembly::detail
