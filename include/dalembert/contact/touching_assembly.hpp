#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/detail/refuse_touching.hpp>
#include <dalembert/contact/detail/touching_step.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/core/number.hpp>

/// An assembly whose bodies touch: the problem of contact/touching.hpp. Verlet's method steps it, and no
/// other; its rates have the forces of what is closed. Joints and other constraints may stand beside
/// contacts:
///   const Assembly problem{bodies, constraints(Weld{…}), contact::Touching{…}};
/// Bodies that a constraint holds together do not touch each other; rods do, but where it holds them.
namespace dalembert::assembly {

/// See the head of this file.
template <Body First, Body... Rest, class S, class... C>
class Assembly<Kinds<First, Rest...>, contact::WithTouching<S, C...>>
    : public Assembly<Kinds<First, Rest...>, Kinds<C...>> {
  using Base = Assembly<Kinds<First, Rest...>, Kinds<C...>>;
  static_assert((ChainBody<First> && ... && ChainBody<Rest>), "strings touch nothing: they are lines");
  static_assert(!(ConstraintTraits<C>::Has::reaction || ...),
                "beside contacts, reactions of constraints are along their own rows");
  static_assert(number::derivative_order<S> == 0,
                "contacts that open and close take no numbers with derivatives");
  using Held = contact::detail::HeldByConstraints<S, typename Base::Bodies, typename Base::Constraints>;
  static constexpr bool constrained = sizeof...(C) > 0;

 public:
  using Scalar = S;                    ///< the number type
  using State = typename Base::State;  ///< a point of phase space

  static constexpr bool has_impacts = true;     ///< velocities jump where contacts close
  static constexpr bool reacts_in_step = true;  ///< contact forces belong to a step

  /// Loads on the nodes, and the contacts of a step.
  struct NodeLoads : Base::NodeLoads {
    contact::detail::TouchingWork<S> touching{};  ///< room for contacts
  };
  /// Accelerations with the forces of what is closed.
  struct Rates : Base::Rates {
    contact::detail::TouchingWork<S> touching{};  ///< the contacts
  };

  /// Throws std::invalid_argument for surfaces that mean nothing, and as assemblies without them do.
  Assembly(Kinds<First, Rest...> bodies, Kinds<C...> constraints, contact::Touching<S> touching,
           BodySetId set = 0)
      : Base(std::move(bodies), std::move(constraints), set),
        surfaces_(touching, static_cast<const Base&>(*this), held_together(), set) {}
  /// The same of bodies that are told by handles.
  template <class... A>
  Assembly(const BodySet<Kinds<First, Rest...>, A...>& bodies, Kinds<C...> constraints,
           contact::Touching<S> touching)
      : Assembly(static_cast<const Kinds<First, Rest...>&>(bodies), std::move(constraints),
                 std::move(touching), bodies.id()) {}
  /// Without constraints.
  Assembly(Kinds<First, Rest...> bodies, contact::Touching<S> touching) requires(!constrained)
      : Assembly(std::move(bodies), {}, std::move(touching)) {}
  /// The same of bodies that are told by handles.
  template <class... A>
  Assembly(const BodySet<Kinds<First, Rest...>, A...>& bodies,
           contact::Touching<S> touching) requires(!constrained)
      : Assembly(bodies, {}, std::move(touching)) {}
  /// Of one body.
  Assembly(First body, contact::Touching<S> touching) requires(sizeof...(Rest) == 0 && !constrained)
      : Assembly(Kinds<First>{{std::move(body)}}, {}, std::move(touching)) {}

  /// As `Assembly::state`. Throws BodiesOverlap too, for bodies that are farther than half the smaller radius
  /// inside each other; what is less is let out as time goes on.
  [[nodiscard]] State state(State x) const { return checked(Base::state(std::move(x))); }
  /// The same.
  [[nodiscard]] State state(std::vector<Chain<S>> chains, typename Base::Column z = {}, S time = S(0)) const {
    return checked(Base::state(std::move(chains), std::move(z), time));
  }
  /// The same.
  [[nodiscard]] State state(std::initializer_list<Start<S>> bodies, typename Base::Column z = {},
                            S time = S(0)) const {
    return checked(Base::state(bodies, std::move(z), time));
  }

  /// Room for loads and contacts.
  [[nodiscard]] NodeLoads make_loads() const {
    NodeLoads l{Base::make_loads(), make_work()};
    check_later(l);
    return l;
  }
  /// Room for rates and contacts.
  [[nodiscard]] Rates make_rates() const {
    Rates r{Base::make_rates(), make_work()};
    check_later(r);
    return r;
  }
  /// Room for contacts.
  [[nodiscard, gnu::cold, gnu::noinline]] contact::detail::TouchingWork<S> make_work() const {
    contact::detail::TouchingWork<S> work;
    work.nodes = surfaces_.nodes();
    work.grid = surfaces_.make_grid();
    work.cells = surfaces_.make_cells();
    if constexpr (constrained)
      work.constraint_room = Held::make_room(this->body_list(), this->constraint_list());
    return work;
  }
  /// What is near in a state.
  void find_touches(const State& x, contact::detail::TouchingWork<S>& work) const {
    if constexpr (constrained) {
      auto w = this->make_workspace();
      Held held(this->body_list(), this->constraint_list(), w, work.constraint_room);
      contact::detail::TouchingStep<S>(surfaces_, work, &held).find_touches(x, S(0));
    } else {
      contact::detail::TouchingStep<S>(surfaces_, work).find_touches(x, S(0));
    }
  }
  /// What touches.
  [[nodiscard]] const contact::detail::TouchingSurfaces<S>& surfaces() const noexcept { return surfaces_; }

  /// Accelerations by loads and the forces of constraints and contacts. Throws as `Assembly::rates`, and
  /// NoConvergence.
  void rates(const State& at, Rates& r) const {
    Base::rates(at, r);
    with_step(r, [&](auto step) { step.find_forces(at, r.loads); });
    if (!r.touching.touches.empty()) react(at, r, r.loads, r.xidot);
    check(at, r);
    if (r.touching.touches.empty()) return;
    for (std::size_t p = 0; p < base().parts(); ++p) this->body_list().accelerate(p, at, r.loads, r.xidot);
  }

  /// As `Assembly::residual`, with the forces of contacts that the rates were found with.
  void residual(const State& at, const Rates& given, typename Base::Residual& out) const {
    Base::residual(at, given, out, [&](typename Base::NodeColumns& loads) {
      for (const auto& t : given.touching.touches)
        if (t.closed) t.add_force(surfaces_.all_nodes(at, given.touching), loads, t.impulse);
    });
  }
  /// As `Assembly::power`, with that of contacts [W].
  [[nodiscard]] Powers<S> power(const State& x, const Rates& r) const {
    Powers<S> p = Base::power(x, r);
    for (const auto& t : r.touching.touches)
      if (t.closed) p.contacts += t.impulse.dot(t.moved(surfaces_.all_nodes(x, r.touching), x));
    return p;
  }

  // What Verlet's method asks of the one part that bodies are that may touch:

  /// One.
  [[nodiscard]] static constexpr std::size_t parts() noexcept { return 1; }
  /// There is but one.
  [[nodiscard]] static constexpr bool parts_are_apart() noexcept { return true; }
  /// A part that is the whole.
  class Whole {
   public:
    /// Of this problem.
    explicit Whole(const Assembly& problem) noexcept : all_(problem) {}
    /// How many nodes there are.
    [[nodiscard]] Eigen::Index nodes() const {
      Eigen::Index n = 0;
      for (std::size_t p = 0; p < all_.base().parts(); ++p) n += all_.base().part(p).nodes();
      return n;
    }
    /// The forces of constraints, the first impulses of contacts, a kick for h/2, the drift for h.
    template <class Run>
    void begin_step(const State& at, NodeLoads& l, S h, State& x, const Run& run) const {
      if constexpr (constrained)
        for (std::size_t p = 0; p < all_.base().parts(); ++p)
          all_.base().part(p).add_constraint_forces_of_step(at, l, h);
      all_.with_step(l, [&](auto step) {
        step.find(at, h, true, run);
        step.begin(at, l.forces, run);
      });
      if (!l.touching.touches.empty()) all_.react(at, l, l.forces, l.accelerations);
      all_.check(at, l);
      run(all_.base().parts(), [&](std::size_t p) { all_.base().part(p).kick_drift(at, l, h / S(2), h, x); });
    }
    /// No gap is negative afterwards, and constraints hold.
    template <class Run = OneByOne>
    Projection<S> project_position(State& x, S, NodeLoads& l, const Run& run = {}) const {
      Projection<S> report;
      all_.with_step(l, [&](auto step) { report = step.project_positions(x, run); });
      return report;
    }
    /// The forces there, and a kick by them for h/2.
    template <class Run>
    void end_step(State& x, NodeLoads& l, S h, const Run& run) const {
      run(all_.base().parts(),
          [&](std::size_t p) { all_.base().part(p).forces_and_kick(x, l, h / S(2), OneByOne{}); });
    }
    /// The impulses of the step.
    template <class Run = OneByOne>
    Projection<S> finish_step(State& x, NodeLoads& l, const Run& run = {}) const {
      Projection<S> report;
      all_.with_step(l, [&](auto step) { report = step.finish(x, run); });
      return report;
    }

   private:
    const Assembly& all_;
  };
  /// The whole.
  [[nodiscard]] Whole part(std::size_t) const noexcept { return Whole(*this); }
  /// What contacts did in the last step.
  [[nodiscard]] ContactWorks<S> works(const NodeLoads& l) const noexcept { return l.touching.works; }

 private:
  friend class Whole;
  [[nodiscard]] const Base& base() const noexcept { return *this; }
  /// f(the stages of a step), with what constraints make of it; `l` has the contacts and the workspace of the
  /// constraints.
  template <class Loads, class F>
  void with_step(Loads& l, const F& f) const {
    if constexpr (constrained) {
      Held held(this->body_list(), this->constraint_list(), l.work, l.touching.constraint_room);
      f(contact::detail::TouchingStep<S>(surfaces_, l.touching, &held));
    } else {
      f(contact::detail::TouchingStep<S>(surfaces_, l.touching));
    }
  }
  /// What the forces of contacts among the loads `f` make of those of constraints, which are there already.
  template <class Loads>
  void react(const State& at, Loads& l, typename Base::NodeColumns& f,
             typename Base::NodeColumns& room) const {
    if constexpr (constrained) {
      l.touching.multipliers = l.lambda;
      for (std::size_t p = 0; p < base().parts(); ++p) {
        typename Base::Solution solution(this->body_list(), this->constraint_list(), p, l.work);
        if constexpr (Base::Constraints::rub)
          (void)solution.react_to_more(at, f, room, l.lambda, l.zdot);
        else
          (void)solution.solve_multipliers(at, f, room, l.lambda, l.zdot);
      }
      l.lambda += l.touching.multipliers;
    }
  }
  /// Whether the constraints can have the forces that contacts leave them.
  template <class Loads>
  void check(const State& at, Loads& l) const {
    if constexpr (constrained)
      for (std::size_t p = 0; p < base().parts(); ++p)
        typename Base::Solution(this->body_list(), this->constraint_list(), p, l.work).check(at, l.lambda);
  }
  /// Constraints are asked once the forces of contacts are there.
  template <class Loads>
  static void check_later([[maybe_unused]] Loads& l) {
    if constexpr (constrained)
      for (auto& part : l.work.parts) part.unchecked = true;
  }
  /// Pairs of bodies that a constraint is between.
  [[nodiscard]] std::vector<std::array<std::size_t, 2>> held_together() const {
    std::vector<std::array<std::size_t, 2>> pairs;
    each_of(this->constraints(), [&](const auto& c, std::size_t) {
      std::vector<std::size_t> bodies;
      std::apply(
          [&](const auto&... place) { ((place.count() > 0 ? bodies.push_back(place.body) : void()), ...); },
          c.markers());
      for (const std::size_t a : bodies)
        for (const std::size_t b : bodies)
          if (a < b) pairs.push_back({a, b});
    });
    return pairs;
  }
  [[nodiscard, gnu::cold, gnu::noinline]] State checked(State x) const {
    auto work = make_work();
    find_touches(x, work);
    for (const contact::detail::Touch<S>& t : work.touches)
      if (t.gap < -surfaces_.smaller_radius(t) / S(2)) surfaces_.throw_overlap(t, x.time);
    return x;
  }

  contact::detail::TouchingSurfaces<S> surfaces_;
};

/// Of bodies that touch.
template <class... B, class S>
Assembly(std::tuple<std::vector<B>...>, contact::Touching<S>)
    -> Assembly<Kinds<B...>, contact::WithTouching<S>>;
/// Of bodies of one type that touch.
template <Body B, class S>
Assembly(std::vector<B>, contact::Touching<S>) -> Assembly<Kinds<B>, contact::WithTouching<S>>;
/// Of one body that touches.
template <Body B, class S>
Assembly(B, contact::Touching<S>) -> Assembly<Kinds<B>, contact::WithTouching<S>>;
/// Of bodies that touch, with constraints.
template <class... B, class... C, class S>
Assembly(std::tuple<std::vector<B>...>, std::tuple<std::vector<C>...>, contact::Touching<S>)
    -> Assembly<Kinds<B...>, contact::WithTouching<S, C...>>;

}  // namespace dalembert::assembly
