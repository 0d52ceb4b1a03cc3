#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/load_path.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/detail/static_rod.hpp>

/// Static equilibrium of rods: Newton's method on all nodes with the exact tangent, O(N) a step, and load steps
/// that adapt themselves.
///   f(q) = 0 on the free degrees,  δ = K⁻¹ f,  r ← r + δr,  Λ ← Λ exp(Σ̂)                (1)
/// Held degrees are those of the rods' boundaries; prescribed motions are not asked for: ends stay where the
/// chains have them, or go where the path puts them.
namespace dalembert::rod {

using assembly::StaticOptions;
using assembly::StaticResult;

namespace detail {

/// Which freedom the ends of rod `index` leave to rigid motions, in words; empty if one is clamped. The stiffness of a rod
/// that can move rigidly is singular.
template <class R>
[[nodiscard]] std::string freedom(const R& rod, std::size_t index) {
  int held = 0;
  bool clamped = false;
  for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(rod.nodes() - 1)}) {
    int here = 0;
    for (int i = 0; i < 6; ++i)
      if (rod.held(k, i)) ++here;
    held += here;
    clamped = clamped || here == 6;
  }
  if (clamped) return {};
  if (held == 0)
    return message({"rod ", index, " is held at neither end, so that rigid motions cost no energy"});
  if (held < 6)
    return message({"rod ", index, " is held in ", held, " degrees of freedom, and a rigid motion has 6"});
  return message({"rod ", index, " is clamped at neither end: some rigid motion may cost no energy"});
}

/// The same for all rods, each beginning with "; ".
template <class R>
[[nodiscard]] std::string freedoms(const std::vector<R>& rods) {
  std::string text;
  for (std::size_t i = 0; i < rods.size(); ++i)
    if (const std::string free = freedom(rods[i], i); !free.empty()) text += message({"; ", free});
  return text;
}

using assembly::detail::StaticStep;
using assembly::detail::step_loads;

/// Rods that do not know of each other.
template <class R>
class StaticRods {
 public:
  using S = typename R::Scalar;

  StaticRods(std::vector<R>& rods, std::vector<Chain<S>>& chains) : rods_(rods), chains_(chains) {
    require(chains.size() == rods.size(), "statics", "chains", chains.size(),
            "there must be one chain per rod");
    for (std::size_t i = 0; i < rods.size(); ++i) {
      require(chains[i].nodes == rods[i].nodes(), "statics", message({"nodes of chain ", i}), chains[i].nodes,
              "a chain must have the nodes of its rod");
      require(chains[i].finite(), "statics", message({"chain ", i}), "not finite",
              "positions must be finite");
      work_.emplace_back(rods[i]);
    }
  }

  [[nodiscard]] std::string freedoms() const { return detail::freedoms(rods_); }
  void save() {
    each([](auto& w, auto&, auto& chain) { w.save(chain); });
  }
  void restore() {
    each([](auto& w, auto&, auto& chain) { w.restore(chain); });
  }
  void set_target() {
    each([](auto& w, auto& rod, auto& chain) { w.set_target(rod, chain); });
  }
  void assemble() {
    each([](auto& w, auto& rod, auto& chain) { w.assemble(rod, chain); });
  }
  void move(S fraction) {
    each([&](auto& w, auto&, auto& chain) { w.move(chain, fraction); });
  }
  [[nodiscard]] S residual(S tolerance) {
    S worst(0);
    each([&](auto& w, auto& rod, auto&) {
      const S x = w.residual(rod, tolerance);
      if (!(x <= worst)) worst = x;  // a NaN stays
    });
    return worst;
  }
  [[nodiscard]] bool at_target() {
    bool yes = true;
    each([&](auto& w, auto&, auto&) { yes = yes && w.at_target(); });
    return yes;
  }
  void check_turns() const {
    for (std::size_t i = 0; i < work_.size(); ++i) work_[i].check_turns(chains_[i], i);
  }
  [[nodiscard]] StaticStep<S> solve(const StaticOptions<S>& o) {
    StaticStep<S> step;
    each([&](auto& w, auto& rod, auto&) {
      w.prepare(rod);
      w.solve();
      const Vec<S, 2> longest = w.step();
      step.include(longest[0] / rod.length(), o.largest_move);
      step.include(longest[1], o.largest_turn);
    });
    return step;
  }

 private:
  template <class F>
  void each(F&& f) {
    for (std::size_t i = 0; i < work_.size(); ++i) f(work_[i], rods_[i], chains_[i]);
  }

  std::vector<R>& rods_;
  std::vector<Chain<S>>& chains_;
  std::vector<StaticRod<R>> work_;
};

}  // namespace detail

/// A path to an equilibrium: `path(factor, rods, chains)` puts loads (`set_loads`) and held end frames
/// (`set_frame`) at a factor in (0, 1]. Between two load steps an end must turn by less than half a turn.
template <class P, class R>
concept StaticPath = requires(P& path, typename R::Scalar factor, std::vector<R>& rods,
                              std::vector<Chain<typename R::Scalar>>& chains) {
  path(factor, rods, chains);
};

/// Bring `chains` into static equilibrium along a path. Throws NoConvergence, with the chains as they were at the
/// last equilibrium found and a text that tells which rods their ends leave free to move, and std::invalid_argument for
/// chains that do not fit.
template <RodModel R, StaticPath<R> Path>
StaticResult<typename R::Scalar> static_equilibrium(std::vector<R>& rods,
                                                    std::vector<Chain<typename R::Scalar>>& chains,
                                                    Path&& path,
                                                    const StaticOptions<typename R::Scalar>& options = {}) {
  detail::StaticRods<R> system(rods, chains);
  return detail::step_loads(system, options, [&](typename R::Scalar factor) { path(factor, rods, chains); });
}

/// The same for one rod and `path(factor, rod, chain)`.
template <RodModel R, class Path>
  requires std::invocable < Path&, typename R::Scalar, R&, Chain<typename R::Scalar>
& > StaticResult<typename R::Scalar> static_equilibrium(
        R& rod, Chain<typename R::Scalar>& chain, Path&& path,
        const StaticOptions<typename R::Scalar>& options = {}) {
  using S = typename R::Scalar;
  std::vector<R> rods{rod};
  std::vector<Chain<S>> chains{chain};
  const auto give_back = [&] {
    rod = rods[0];
    chain = chains[0];
  };
  try {
    const StaticResult<S> result = static_equilibrium(
        rods, chains,
        [&](S factor, std::vector<R>& r, std::vector<Chain<S>>& c) { path(factor, r[0], c[0]); }, options);
    give_back();
    return result;
  } catch (...) {
    give_back();
    throw;
  }
}

/// The same with the loads of the rod growing in proportion from zero and its ends held where `chain` has them.
template <RodModel R>
StaticResult<typename R::Scalar> static_equilibrium(R& rod, Chain<typename R::Scalar>& chain,
                                                    const StaticOptions<typename R::Scalar>& options = {}) {
  using S = typename R::Scalar;
  const Loads<S> loads = rod.parameters().loads;
  return static_equilibrium(
      rod, chain, [&](S factor, R& r, Chain<S>&) { r.set_loads(loads.scaled(factor)); }, options);
}

/// The number of independent directions in which a rod in equilibrium is unstable: 0 in a minimum of its
/// energy. It has a meaning for loads that have a potential, and for those that the rod has itself: one under
/// a load of `assembly::Loaded` is refused. Throws SingularPivot where a direction is neutral.
template <RodModel R>
[[nodiscard]] Eigen::Index unstable_directions(const R& rod, const Chain<typename R::Scalar>& chain) {
  static_assert(
      !requires { rod.load(); },
      "unstable_directions does not know the stiffness of the load of an assembly::Loaded: count "
      "the assembly::modes whose square is negative");
  StaticRod<R> work(rod);
  work.assemble(rod, chain);
  try {
    work.prepare(rod);
  } catch (const SingularPivot& e) {
    throw SingularPivot(e.block(), rod.nodes(), detail::freedom(rod, 0));
  }
  return work.stiffness().negative_eigenvalues();
}

}  // namespace dalembert::rod
