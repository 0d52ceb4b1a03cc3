#pragma once

#include <cstddef>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/implicit/detail/implicit_nodes.hpp>
#include <dalembert/tangents/linearised_body.hpp>

/// What the equations of an implicit step ask of bodies, whatever their kind.
namespace dalembert::assembly::detail {

/// A body in a step by `moved` from `from` to `end`, and where its loads are taken.
template <class S>
struct ImplicitMotion {
  const Chain<S>& from;
  Chain<S>& middle;  ///< with the velocities v
  const Chain<S>& end;
  const Columns<S, 6>& moved;
  S time;  ///< of the loads
};

/// What they ask of those of one kind.
template <class S>
class ImplicitBodies : public LinearisedBodies<S> {
 public:
  [[nodiscard]] virtual ImplicitNode<S> node(std::size_t i, Index k) const = 0;
  virtual void add_inertia(std::size_t i, Inertias<S>& all) const = 0;
  /// Whether what is held moves.
  [[nodiscard]] virtual bool is_prescribed(std::size_t i) const = 0;
  /// Loads between both ends, such that they do the work of their potential. `room` is overwritten.
  [[nodiscard]] virtual bool find_loads_between(std::size_t i, const ImplicitMotion<S>& m, Columns<S, 6>& f,
                                                Columns<S, 6>& room) const = 0;
  /// add(k, l, K_kl) by displacements where these loads are taken, add_direct(k, l, K_kl) by those of the
  /// step; `velocity` is v_Δ.
  virtual void each_stiffness(std::size_t i, const ImplicitMotion<S>& m, bool between, S velocity,
                              const AddBlock<S>& add, const AddBlock<S>& add_direct) const = 0;

 protected:
  ~ImplicitBodies() = default;
};

/// Those of the kind B.
template <Body B>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class ImplicitOfBody final : public BodiesOfKind<B, ImplicitBodies<typename B::Scalar>> {
 public:
  using Base = BodiesOfKind<B, ImplicitBodies<typename B::Scalar>>;
  using Base::Base;
  using typename Base::S;

  [[gnu::noinline]] ImplicitNode<S> node(std::size_t i, Index k) const override {
    const NodeInertia<S> n = node_inertia(list_[i], k);
    ImplicitNode<S> node{S(0), n.rotary, damping_rate(list_[i]), {}, false};
    for (int j = 0; j < 6; ++j) {
      const bool held = n.inverse[j] == S(0);
      node.held[static_cast<std::size_t>(j)] = held;
      node.any_held = node.any_held || held;
      if (j < 3 && n.inverse[j] > S(0)) node.mass = S(1) / n.inverse[j];
    }
    return node;
  }
  [[gnu::noinline]] void add_inertia(std::size_t i, Inertias<S>& all) const override { all.add(list_[i]); }
  [[gnu::noinline]] bool is_prescribed(std::size_t i) const override {
    return has_prescribed_motion(list_[i]);
  }
  [[gnu::noinline]] bool find_loads_between(std::size_t i, const ImplicitMotion<S>& m, Columns<S, 6>& f,
                                            Columns<S, 6>& room) const override {
    const B& body = list_[i];
    if constexpr (requires { discrete_loads(body, m.from, m.middle, m.end, m.moved, f); }) {
      bool sound = discrete_loads(body, m.from, m.middle, m.end, m.moved, f);
      if constexpr (requires { body.forces(m.middle, m.time, f); }) {  // and what else it bears
        sound = body.forces(m.middle, m.time, room) && sound;
        f += room;
        sound = forces_of_rod(body, m.middle, room) && sound;
        f -= room;
      }
      return sound;
    } else {
      return this->find_loads(i, m.middle, m.time, f);
    }
  }
  [[gnu::noinline]] void each_stiffness(std::size_t i, const ImplicitMotion<S>& m, bool between, S velocity,
                                        const AddBlock<S>& add,
                                        const AddBlock<S>& add_direct) const override {
    const LinearisedBody<B> linearised(list_[i], m.middle, m.time);
    if (between)
      linearised.each_stiffness_between(m.from, m.end, m.moved, add, add_direct);
    else
      linearised.each_told_stiffness(add);
    linearised.each_damping_times(velocity, add_direct);
  }

 private:
  using Base::list_;
};

}  // namespace dalembert::assembly::detail
