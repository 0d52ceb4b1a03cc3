#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/detail/body_calls.hpp>

/// One body in the linearised equations of an assembly, with all loads on it at a time:
///   M δq̈ + D δq̇ + K δq,  K = −∂f/∂(δr, Σ),  D = νM − ∂f/∂(ṙ, ω)              (1)
/// by blocks of nodes, K the tangent stiffness: for statics, small motions and implicit steps.
namespace dalembert::assembly::detail {

/// Of a body in a configuration.
template <class B>
class LinearisedBody {
 public:
  using S = typename B::Scalar;

  LinearisedBody(const B& body, const Chain<S>& at, S time) : body_(body), at_(at), time_(time) {}

  /// M of the six degrees of node k, 0 where it is held.
  [[nodiscard]] std::array<S, 6> mass(Index k) const {
    const NodeInertia<S> inertia = node_inertia(body_, k);
    std::array<S, 6> m;
    for (int j = 0; j < 6; ++j)
      m[static_cast<std::size_t>(j)] = inertia.inverse[j] == S(0) ? S(0) : S(1) / inertia.inverse[j];
    return m;
  }
  /// add(k, l, K_kl).
  template <class Add>
  void each_stiffness(const Add& add) const {
    if constexpr (requires { add_stiffness(body_, at_, time_, add); })
      add_stiffness(body_, at_, time_, add);
    else
      add_stiffness(body_, at_, add);
  }
  /// As `each_stiffness`, without the derivatives that numbers carry.
  template <class Add>
  void each_stiffness_value(const Add& add) const {
    if constexpr (!DualReal<S>)
      each_stiffness(add);
    else if constexpr (requires { add_stiffness_values(body_, at_, add); })
      add_stiffness_values(body_, at_, add);
    else
      each_stiffness([&](Index k, Index l, const Mat<S, 6, 6>& K) {
        add(k, l, dalembert::detail::convert_all<number::Plain<S>>(K));
      });
  }
  /// add(k, l, D_kl − νM), if there is any.
  template <class Add>
  void each_damping(const Add& add) const {
    if constexpr (requires { add_damping(body_, at_, time_, add); }) add_damping(body_, at_, time_, add);
  }

  /// As `each_stiffness`, but of the loads on a rod what they tell, which will do for Newton's method.
  template <class Add>
  void each_told_stiffness(const Add& add) const {
    if constexpr (requires { add_stiffness_of_rod(body_, at_, add); }) {
      add_stiffness_of_rod(body_, at_, add);
      each_load_stiffness(add);
    } else {
      each_stiffness(add);
    }
  }
  /// The same of loads between two configurations, which are apart by `moved`, this one in the middle;
  /// add_direct(k, l, K_kl) by `moved` itself.
  template <class X, class M, class Add, class Direct>
  void each_stiffness_between(const X& from, const X& to, const M& moved, const Add& add,
                              const Direct& add_direct) const {
    if constexpr (requires { add_discrete_stiffness(body_, from, to, moved, add_direct); }) {
      add_discrete_stiffness(body_, from, to, moved, add_direct);
      each_load_stiffness(add);
    } else {
      each_told_stiffness(add);
    }
  }
  /// add(k, l, factor D_kl) of what loads tell, besides ν.
  template <class Add>
  void each_damping_times(S factor, const Add& add) const {
    each_load_damping([&](Index k, Index l, const auto& D) { add(k, l, Mat<S, 6, 6>(factor * D)); });
  }
  /// What loads tell of K and of D, besides ν.
  template <class Add>
  void each_load_stiffness(const Add& add) const {
    if constexpr (requires { add_load_stiffness(body_, at_, time_, add); })
      add_load_stiffness(body_, at_, time_, add);
  }
  template <class Add>
  void each_load_damping(const Add& add) const {
    if constexpr (requires { add_load_damping(body_, at_, time_, add); })
      add_load_damping(body_, at_, time_, add);
  }

 private:
  const B& body_;
  const Chain<S>& at_;
  S time_;
};

/// The bodies of one kind, each told by its number among these: what statics and implicit steps ask of them.
template <class S>
class LinearisedBodies {
 public:
  LinearisedBodies(const LinearisedBodies&) = delete;
  LinearisedBodies& operator=(const LinearisedBodies&) = delete;

  [[nodiscard]] virtual std::size_t count() const noexcept = 0;
  [[nodiscard]] virtual Index nodes(std::size_t i) const = 0;
  /// All loads on the nodes; false where they mean nothing.
  [[nodiscard]] virtual bool find_loads(std::size_t i, const Chain<S>& at, S time,
                                        rod::Columns<S, 6>& f) const = 0;
  /// What is prescribed goes where it is at this time.
  virtual void put_held(std::size_t i, Chain<S>& chain, S time) const = 0;

 protected:
  LinearisedBodies() = default;
  ~LinearisedBodies() = default;
};

/// That of the kind B, with what `Face` asks besides.
template <Body B, class Face>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class BodiesOfKind : public Face {
  static_assert(StaticBody<B>,
                "a body has no add_stiffness(body, chain, add); that of rods is in rod/stiffness.hpp");

 public:
  using S = typename B::Scalar;

  /// Of a list, which stays where it is.
  explicit BodiesOfKind(const std::vector<B>& list) : list_(list) {}

  [[gnu::noinline]] std::size_t count() const noexcept final { return list_.size(); }
  [[gnu::noinline]] Index nodes(std::size_t i) const final { return list_[i].nodes(); }
  [[gnu::noinline]] bool find_loads(std::size_t i, const Chain<S>& at, S time,
                                    rod::Columns<S, 6>& f) const final {
    return forces_of(list_[i], at, time, f);
  }
  [[gnu::cold, gnu::noinline]] void put_held(std::size_t i, Chain<S>& chain, S time) const final {
    hold(list_[i], chain, time);
  }

 protected:
  ~BodiesOfKind() = default;

  const std::vector<B>& list_;
};

/// f(kind, number in the kind, number of the body) for all bodies.
template <class Kind, class F>
void each_body(std::span<Kind* const> kinds, const F& f) {
  std::size_t number = 0;
  for (const Kind* const kind : kinds)
    for (std::size_t i = 0; i < kind->count(); ++i) f(*kind, i, number++);
}

}  // namespace dalembert::assembly::detail
