#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/detail/static_system.hpp>
#include <dalembert/statics/load_path.hpp>

/// Static equilibrium of rods: Newton's method on all nodes with the exact tangent, O(N) a step, and load
/// steps that adapt themselves.
///   f(q) = 0 on the free degrees,  δ = K⁻¹ f,  r ← r + δr,  Λ ← Λ exp(Σ̂)                (1)
/// Held degrees are those of the rods' boundaries; prescribed motions are not asked for: ends stay where the
/// chains have them, or go where the path puts them. An end that is held in one or two rotations turns in
/// each step about the other axes of its frame alone: that is no condition on where it is, and the
/// equilibrium, with its derivatives, depends on the path to it.
namespace dalembert::rod {

using assembly::StaticOptions;
using assembly::StaticResult;

namespace detail {

/// Which freedom the ends of rod `index` leave to rigid motions, in words; empty if one is clamped. The
/// stiffness of a rod that can move rigidly is singular.
template <class R>
[[nodiscard, gnu::cold, gnu::noinline]] std::string freedom(const R& rod, std::size_t index) {
  const auto &start = rod.boundary(End::start), &finish = rod.boundary(End::finish);
  if (start.all_held() || finish.all_held()) return {};
  int held = 0;
  for (int i = 0; i < 6; ++i) held += int{start.held(i)} + int{finish.held(i)};
  if (held == 0)
    return message({"rod ", index, " is held at neither end, so that rigid motions cost no energy"});
  if (held < 6)
    return message({"rod ", index, " is held in ", held, " degrees of freedom, and a rigid motion has 6"});
  return message({"rod ", index, " is clamped at neither end: some rigid motion may cost no energy"});
}

/// The same for all rods, each beginning with "; ".
template <class R>
[[nodiscard, gnu::cold, gnu::noinline]] std::string freedoms(const std::vector<R>& rods) {
  std::string text;
  for (std::size_t i = 0; i < rods.size(); ++i)
    if (const std::string free = freedom(rods[i], i); !free.empty()) text += message({"; ", free});
  return text;
}

/// Rods that do not know of each other, as an assembly without constraints. Rigid motions are refused: no
/// springs hold them.
template <class R>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class StaticRods final : public assembly::detail::StaticLists<std::tuple<std::vector<R>>, std::tuple<>> {
 public:
  using Base = assembly::detail::StaticLists<std::tuple<std::vector<R>>, std::tuple<>>;
  using S = typename R::Scalar;

  [[gnu::cold, gnu::noinline]] StaticRods(const std::vector<R>& rods, assembly::State<S>& x)
      : Base({rods}, none_, x), rods_(rods) {
    this->table().equations.refuse_neutral();
  }

  /// The ends stay, or go, where the path has them.
  [[gnu::noinline]] void set_target() override { this->aim(); }
  [[nodiscard, gnu::noinline]] std::string freedoms() const override { return detail::freedoms(rods_); }

 private:
  static constexpr std::tuple<> none_{};
  const std::vector<R>& rods_;
};

/// Along the path that `put` puts; `give_back` is called in the end, come what may.
template <class R, class GiveBack, class S = typename R::Scalar>
[[gnu::cold, gnu::noinline]] StaticResult<S> search(const std::vector<R>& rods, assembly::State<S>& x,
                                                    const StaticOptions<number::Plain<S>>& options,
                                                    const assembly::detail::PutLoads<number::Plain<S>>& put,
                                                    const GiveBack& give_back) {
  const struct AtTheEnd {
    const GiveBack& f;
    ~AtTheEnd() { f(); }
  } last{give_back};
  StaticRods<R> system(rods, x);
  return system.search(options, put);
}

}  // namespace detail

/// The stiffness of a rod in equilibrium is singular.
class SingularPivot : public SingularSystem {
 public:
  /// Elimination lost the pivot of node `block` of `blocks` in round-off; `why`, if it is known.
  SingularPivot(Eigen::Index block, Eigen::Index blocks, const std::string& why = {})
      : SingularSystem(message({"unstable_directions: the pivot of block ", block, " of ", blocks,
                                " is singular", why.empty() ? "" : "; ", why})),
        block_(block) {}
  /// The node.
  [[nodiscard]] Eigen::Index block() const noexcept { return block_; }

 private:
  Eigen::Index block_;
};

/// A path to an equilibrium: `path(factor, rods, chains)` puts loads (`set_loads`) and held end frames
/// (`set_frame`) at a factor in (0, 1]. Between two load steps an end must turn by less than half a turn.
template <class P, class R>
concept StaticPath = requires(P& path, typename R::Scalar factor, std::vector<R>& rods,
                              std::vector<Chain<typename R::Scalar>>& chains) {
  path(factor, rods, chains);
};

/// Bring `chains` into static equilibrium along a path. Throws NoConvergence, with rods and chains as they
/// are at the last equilibrium found and a text that tells which rods their ends leave free to move, and
/// std::invalid_argument for chains that do not fit and for ends that a path puts at no finite place.
template <RodModel R, StaticPath<R> Path, class S = typename R::Scalar>
[[gnu::cold, gnu::noinline]] StaticResult<S> static_equilibrium(std::vector<R>& rods,
                                                                std::vector<Chain<S>>& chains, Path&& path,
                                                                const StaticOptions<S>& options = {}) {
  assembly::State<S> x;
  x.chains = chains;
  return detail::search(
      rods, x, options, [&](auto factor) { path(S(factor), rods, x.chains); },
      [&] { chains = std::move(x.chains); });
}

/// The same for one rod and `path(factor, rod, chain)`.
template <RodModel R, class Path, class S = typename R::Scalar>
  requires(std::invocable<Path&, S, R&, Chain<S>&>)
StaticResult<S> static_equilibrium(R& rod, Chain<S>& chain, Path&& path,
                                   const StaticOptions<S>& options = {}) {
  std::vector<R> rods{rod};
  assembly::State<S> x;
  x.chains = {chain};
  return detail::search(
      rods, x, options, [&](auto factor) { path(S(factor), rods[0], x[0]); },
      [&] {
        rod = std::move(rods[0]);
        chain = std::move(x[0]);
      });
}

/// The same with the loads of the rod growing in proportion from zero and its ends held where `chain` has
/// them. The rod keeps its loads, come what may.
template <RodModel R, class S = typename R::Scalar>
[[gnu::cold, gnu::noinline]] StaticResult<S> static_equilibrium(const R& rod, Chain<S>& chain,
                                                                const StaticOptions<S>& options = {}) {
  std::vector<R> rods{rod};
  assembly::State<S> x;
  x.chains = {chain};
  return detail::search(
      rods, x, options, [&](auto factor) { rods[0].set_loads(rod.parameters().loads.scaled(S(factor))); },
      [&] { chain = std::move(x[0]); });
}

/// The number of independent directions in which a rod in equilibrium is unstable: 0 in a minimum of its
/// energy. It has a meaning for loads that have a potential, and for those that the rod has itself: one under
/// a load of `assembly::WithLoad` is refused. Throws SingularPivot where a direction is neutral.
template <RodModel R, class S = typename R::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] Eigen::Index unstable_directions(const R& rod,
                                                                         const Chain<S>& chain) {
  static_assert(!UnderLoad<R>,
                "unstable_directions does not know the stiffness of the load of an assembly::WithLoad: count "
                "the assembly::modes whose square is negative");
  const std::vector<R> rods{rod};
  assembly::State<S> x;
  x.chains = {chain};
  detail::StaticRods<R> system(rods, x);
  system.find_held();
  system.assemble();
  auto& equations = system.table().equations;
  // rounding leaves a neutral direction a pivot of either sign, a cantilever has one of 1/4N³
  using Real = number::Plain<S>;
  const Real n(rod.elements()), digits = std::numeric_limits<Real>::epsilon();
  const Real least = 1 / number::sqrt(number::sqrt(digits)), own = 1 / (16 * n * n * n * digits);
  equations.refuse_neutral(std::max(Real(4), std::min(least, own)));
  if (!equations.factor()) throw SingularPivot(equations.lost() / 6, rod.nodes(), detail::freedom(rod, 0));
  return static_cast<Eigen::Index>(equations.count_negative());
}

}  // namespace dalembert::rod
