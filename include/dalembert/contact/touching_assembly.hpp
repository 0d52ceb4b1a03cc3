#pragma once

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/detail/touching_step.hpp>
#include <dalembert/contact/touching.hpp>

/// An assembly whose bodies touch: the problem of contact/touching.hpp. Verlet's method steps it, and no
/// other; its rates have the forces of what is closed.
namespace dalembert::contact {

/// In the place of the constraints of an assembly: surfaces that touch.
template <class S>
struct WithTouching {};

}  // namespace dalembert::contact

namespace dalembert::assembly {

/// See the head of this file.
template <Body First, Body... Rest, class S>
class Assembly<Kinds<First, Rest...>, contact::WithTouching<S>> : public Assembly<Kinds<First, Rest...>> {
  using Base = Assembly<Kinds<First, Rest...>>;
  static_assert((ChainBody<First> && ... && ChainBody<Rest>), "strings touch nothing: they are lines");

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

  /// Throws std::invalid_argument for surfaces that mean nothing.
  Assembly(Kinds<First, Rest...> bodies, contact::Touching<S> touching, BodySetId set = 0)
      : Base(std::move(bodies), {}, set),
        surfaces_(touching, static_cast<const Base&>(*this),
                  std::make_index_sequence<1 + sizeof...(Rest)>{}) {}
  /// The same of bodies that are told by handles.
  template <class... A>
  Assembly(const BodySet<Kinds<First, Rest...>, A...>& bodies, contact::Touching<S> touching)
      : Assembly(static_cast<const Kinds<First, Rest...>&>(bodies), std::move(touching), bodies.id()) {}
  /// Of one body.
  Assembly(First body, contact::Touching<S> touching) requires(sizeof...(Rest) == 0)
      : Assembly(Kinds<First>{{std::move(body)}}, std::move(touching)) {}

  /// As `Assembly::state`. Throws BodiesOverlap too, for bodies that are farther than half a radius inside
  /// each other; what is less is let out as time goes on.
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
  [[nodiscard]] NodeLoads make_loads() const { return {Base::make_loads(), make_work()}; }
  /// Room for rates and contacts.
  [[nodiscard]] Rates make_rates() const { return {Base::make_rates(), make_work()}; }
  /// Room for contacts.
  [[nodiscard]] contact::detail::TouchingWork<S> make_work() const {
    contact::detail::TouchingWork<S> work;
    work.grid = surfaces_.make_grid();
    return work;
  }
  /// What touches.
  [[nodiscard]] const contact::detail::TouchingSurfaces<S>& surfaces() const noexcept { return surfaces_; }

  /// Accelerations by loads and contact forces. Throws as `Assembly::rates`, and NoConvergence.
  void rates(const State& at, Rates& r) const {
    Base::rates(at, r);
    auto without = r.loads;
    step(r.touching).find_forces(at, r.loads);
    for (std::size_t i = 0; i < r.loads.size(); ++i)
      r.xidot.chains[i] += surfaces_.inertia()[i].inverse * (r.loads.chains[i] - without.chains[i]);
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
    /// The first impulses of contacts, a kick for h/2, the drift for h.
    template <class Run>
    void begin_step(const State& at, NodeLoads& l, S h, State& x, const Run& run) const {
      auto step = all_.step(l.touching);
      step.find(at, h);
      step.begin(at, l.forces, run);
      run(all_.base().parts(), [&](std::size_t p) { all_.base().part(p).kick_drift(at, l, h / S(2), h, x); });
    }
    /// No gap is negative afterwards.
    template <class Run = OneByOne>
    Projection<S> project_position(State& x, S, NodeLoads& l, const Run& run = {}) const {
      return all_.step(l.touching).close(x, run);
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
      return all_.step(l.touching).finish(x, run);
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
  template <class Work>
  [[nodiscard]] auto step(Work& work) const noexcept {
    return contact::detail::TouchingStep<S>(surfaces_, work);
  }
  [[nodiscard]] State checked(State x) const {
    auto work = make_work();
    surfaces_.each_near(x, S(0), work.grid, [&](const contact::detail::Touch<S>& t) {
      if (t.gap < -t.radius / S(2)) surfaces_.throw_overlap(t, x.time);
    });
    return x;
  }

  contact::detail::TouchingSurfaces<S> surfaces_;
};

namespace detail {

/// What knows bodies and constraints alone.
template <class S>
constexpr void refuse_touching() {
  static_assert(sizeof(S) == 0,
                "equilibria, modes and linearised motions know no contacts that open: name them as "
                "constraints, or leave `Touching` out");
}

}  // namespace detail

/// Refused by the compiler, as those below.
template <class Bodies, class S, class... More>
void static_equilibrium(const Assembly<Bodies, contact::WithTouching<S>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... More>
void modes(const Assembly<Bodies, contact::WithTouching<S>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... More>
void linearization(const Assembly<Bodies, contact::WithTouching<S>>&, More&&...) {
  detail::refuse_touching<S>();
}
/// Refused.
template <class Bodies, class S, class... More>
void highest_frequency(const Assembly<Bodies, contact::WithTouching<S>>&, More&&...) {
  detail::refuse_touching<S>();
}

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

}  // namespace dalembert::assembly
