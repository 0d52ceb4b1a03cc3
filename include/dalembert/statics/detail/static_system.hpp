#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/check_spacings.hpp>
#include <dalembert/statics/detail/static_equations.hpp>

/// The equations of statics of an assembly, whose bodies and constraints are lists of several kinds.
namespace dalembert::assembly::detail {

/// What `StaticSystem` has of its lists.
template <class Bodies, class Constraints>
struct StaticParts;

template <Body First, Body... Rest, Constraint... C>
struct StaticParts<Kinds<First, Rest...>, Kinds<C...>> {
  using S = typename First::Scalar;
  using Bodies = std::tuple<const std::vector<First>&, const std::vector<Rest>&...>;
  KindsOf<StaticBodies<S>, StaticOfKind<First>, StaticOfKind<Rest>...> body_kinds;
  StaticConstraints<S, C...> constraint_kinds;
  std::optional<StaticRowsOf<S>> all_rows;  // nothing of them is compiled where there are no constraints

  StaticParts(const Bodies& bodies, const Kinds<C...>& constraints)
      : body_kinds(bodies), constraint_kinds(constraints) {
    if constexpr (sizeof...(C) > 0) all_rows.emplace(constraint_kinds.view());
  }

  /// Those of all constraints, if there are any.
  [[nodiscard]] const StaticRows<S>* rows() const noexcept { return all_rows ? &*all_rows : nullptr; }
};

/// Of such lists.
template <class Bodies, class Constraints>
class StaticLists : private StaticParts<Bodies, Constraints>,
                    public StaticEquations<typename StaticParts<Bodies, Constraints>::S> {
 public:
  using Parts = StaticParts<Bodies, Constraints>;
  using S = typename Parts::S;

  /// Throws std::invalid_argument for a state or constraints that do not fit the bodies.
  [[gnu::cold, gnu::noinline]] StaticLists(const typename Parts::Bodies& bodies,
                                           const Constraints& constraints, State<S>& x)
      : Parts(bodies, constraints), StaticEquations<S>(Parts::body_kinds.view(), Parts::rows(), x) {
    check_spacings<S>(bodies, constraints);
    this->make_room();
  }

 protected:
  [[gnu::cold, gnu::noinline]] ~StaticLists() = default;
};

/// Of an assembly: held nodes go where bodies have them.
template <class Bodies, class Constraints>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticSystem final : public StaticLists<Bodies, Constraints> {
 public:
  using StaticLists<Bodies, Constraints>::StaticLists;

  [[gnu::noinline]] void set_target() override {
    this->put_held();
    this->aim();
  }
  [[nodiscard, gnu::noinline]] std::string freedoms() const override { return this->bodies_not_held(); }
};

}  // namespace dalembert::assembly::detail
