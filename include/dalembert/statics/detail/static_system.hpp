#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/statics/detail/free_bodies.hpp>
#include <dalembert/statics/detail/static_equations.hpp>

/// The equations of statics of an assembly, whose bodies and constraints are lists of several kinds.
namespace dalembert::assembly::detail {

/// What `StaticSystem` has of its lists.
template <class Bodies, class Constraints>
struct StaticParts;

template <Body First, Body... Rest, Constraint... C>
struct StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>> {
  using S = typename First::Scalar;
  KindsOf<StaticBodies<S>, StaticOfKind<First>, StaticOfKind<Rest>...> body_kinds;
  StaticConstraints<S, C...> constraint_kinds;
  std::conditional_t<sizeof...(C) == 0, std::nullptr_t, StaticRowsOf<S>> all_rows;

  StaticParts(const std::tuple<const std::vector<First>&, const std::vector<Rest>&...>& bodies,
              const std::tuple<std::vector<C>...>& constraints)
      : body_kinds(std::get<const std::vector<First>&>(bodies),
                   std::get<const std::vector<Rest>&>(bodies)...),
        constraint_kinds(std::get<std::vector<C>>(constraints)...),
        all_rows(rows_of(constraint_kinds)) {}

  /// Those of all constraints, if there are any.
  [[nodiscard]] const StaticRows<S>* rows() const noexcept {
    if constexpr (sizeof...(C) == 0)
      return nullptr;
    else
      return &all_rows;
  }

 private:
  [[nodiscard]] static auto rows_of(const StaticConstraints<S, C...>& kinds) {
    if constexpr (sizeof...(C) == 0)
      return nullptr;
    else
      return kinds.view();
  }
};

/// Of lists of bodies and constraints.
template <class Bodies, class Constraints>
class StaticLists;

template <Body First, Body... Rest, Constraint... C>
class StaticLists<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>>
    : private StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>,
                          std::tuple<std::vector<C>...>>,
      public StaticEquations<typename First::Scalar> {
 public:
  using S = typename First::Scalar;
  using Bodies = std::tuple<const std::vector<First>&, const std::vector<Rest>&...>;
  using Constraints = std::tuple<std::vector<C>...>;

 protected:
  /// Throws std::invalid_argument for a state or constraints that do not fit the bodies.
  StaticLists(const Bodies& bodies, const Constraints& constraints, State<S>& x)
      : Parts(bodies, constraints), StaticEquations<S>(Parts::body_kinds.view(), Parts::rows(), x) {
    check_spacings<S>(bodies, constraints);
    this->make_room();
  }
  ~StaticLists() = default;

 private:
  using Parts = StaticParts<std::tuple<std::vector<First>, std::vector<Rest>...>, Constraints>;
};

/// Of an assembly: held nodes go where bodies have them.
template <class Bodies, class Constraints>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticSystem final : public StaticLists<Bodies, Constraints> {
 public:
  using Lists = StaticLists<Bodies, Constraints>;
  using typename Lists::S;

  /// Throws std::invalid_argument for a state or constraints that do not fit the bodies.
  StaticSystem(const typename Lists::Bodies& bodies, const typename Lists::Constraints& constraints,
               State<S>& x)
      : Lists(bodies, constraints, x) {}

  void set_target() override {
    this->put_held();
    this->aim();
  }
  [[nodiscard]] std::string freedoms() const override {
    std::vector<char> holds(this->x_.chains.size(), 0);
    this->bodies_.each_node(this->x_, [&](std::size_t i, Eigen::Index, Eigen::Index first) {
      if (this->held_of(first) > 0) holds[i] = 1;
    });
    return free_bodies(*this, this->x_, std::move(holds));
  }
  /// f(bodies that a constraint with position rows touches, whether it touches something else).
  void each_link(const State<S>& x, const typename StaticRows<S>::Link& f) const {
    if (this->rows_) this->rows_->each_link(x, this->bodies_.first(), f);
  }
};

}  // namespace dalembert::assembly::detail
