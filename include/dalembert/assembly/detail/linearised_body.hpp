#pragma once

#include <array>
#include <cstddef>

#include <dalembert/assembly/body.hpp>

/// One body in the linearised equations of an assembly, with all loads on it at a time:
///   M δq̈ + D δq̇ + K δq,  K = −∂f/∂(δr, Σ),  D = νM − ∂f/∂(ṙ, ω)                                       (1)
/// by blocks of nodes. Statics, small motions and implicit steps take them from here.
namespace dalembert::assembly::detail {

/// Of a body in a configuration.
template <class B>
class LinearisedBody {
 public:
  using S = typename B::Scalar;
  using Index = Eigen::Index;

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

}  // namespace dalembert::assembly::detail
