#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/krylov.hpp>
#include <dalembert/modes/detail/place_sensitivity.hpp>
#include <dalembert/modes/detail/small_motions.hpp>

/// Natural frequencies and shapes of small motions about an equilibrium of any bodies under any constraints:
///   K φ = ω² M φ + Aᵀμ,  A φ = 0,  φᵀMφ = 1                                                  (1)
/// K is the stiffness of the bodies, their loads and the curvature of the constraints that pull, M the
/// inertia, A the rows of all constraints. A velocity row that belongs to no position row, as that of a
/// rolling contact, restricts a motion that oscillates as much as a position row does; the motions of
/// frequency zero that it leaves, to equilibria near by, are not in (1). Damping is left aside. Found are
/// those nearest to a shift σ of ω², by the Lanczos method on (K − σM)⁻¹M with a sparse LU
/// decomposition: O(N) where each constraint touches few nodes that are near each other along the bodies.
/// Rounding leaves an error in ω² of about the rounding unit times the highest one of the assembly, so that
/// a rigid motion has a square near zero, of any sign; what the round-off of positions far from the origin
/// leaves of K − Kᵀ is taken out of K. Bodies say their stiffness by add_stiffness
/// (assembly/body.hpp); that of rods is in rod/stiffness.hpp. Source: Ericsson & Ruhe 1980, Math. Comput. 35,
/// 1251; Parlett 1998, section 15.
namespace dalembert::assembly {

namespace detail {

/// Throws std::invalid_argument for a number out of its range, of options for so many modes or motions.
template <class Options>
void check_search(const char* name, const char* what, const Options& options) {
  require(options.count >= 1, name, "count", options.count,
          message({"at least one ", what, " is asked for"}));
  require(options.tolerance > 0 && options.tolerance < 1, name, "tolerance", options.tolerance,
          "it must lie in (0, 1)");
  require(options.equilibrium_tolerance > 0, name, "equilibrium_tolerance", options.equilibrium_tolerance,
          "it must be positive");
  require(options.largest_space >= 0, name, "largest_space", options.largest_space,
          "it must not be negative");
}

}  // namespace detail

/// How modes are looked for.
template <class S = double>
struct ModeOptions {
  int count = 10;  ///< how many
  /// σ, near which they are looked for [1/s²]; if nothing is said, a negative number near zero, so that
  /// rigid motions come first, with what is unstable, and then the lowest frequencies.
  std::optional<S> shift{};
  S tolerance = S(1e-9);  ///< of each residual
  S equilibrium_tolerance =
      S(1e-5);            ///< how far the state may be from equilibrium, relative to its size, or [rad]
  int largest_space = 0;  ///< directions among which they are looked for, at most; 0: 20 for each, and 100

  /// Throws std::invalid_argument for a number out of its range.
  void check() const {
    detail::check_search("ModeOptions", "mode", *this);
    require(!shift || std::isfinite(*shift), "ModeOptions", "shift", shift.value_or(S(0)),
            "it must be finite [1/s^2]");
  }
};

/// A mode; see the head of this file.
template <class S = double>
struct Mode {
  S square{};  ///< ω² [1/s²], negative where the motion grows
  /// φ: of each node δr (spatial) and Σ (body), with φᵀMφ = 1 [1/√kg, 1/(m√kg)]
  NodeNumbers<S> shape{};
  Vec<S, Eigen::Dynamic> z{};            ///< the changes of the internal coordinates with it [1/√kg]
  Vec<S, Eigen::Dynamic> multipliers{};  ///< μ, one per row of the constraints
  S residual{};  ///< |(K − σM)⁻¹Mφ − φ/(ω² − σ)| |ω² − σ| in the metric M

  /// ω of a stable mode [rad/s]; 0 of others.
  [[nodiscard]] S frequency() const { return square > S(0) ? std::sqrt(square) : S(0); }
  /// The rate at which an unstable mode grows [1/s]; 0 of others.
  [[nodiscard]] S growth() const { return square < S(0) ? std::sqrt(-square) : S(0); }
};

namespace detail {

/// The largest extent of the nodes along an axis [m]; 1 where they are at one point.
template <class S>
[[nodiscard]] S extent(const std::vector<Chain<S>>& chains) {
  Eigen::AlignedBox<S, 3> box;
  for (const Chain<S>& chain : chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) box.extend(chain.position(k));
  const S most = box.sizes().maxCoeff();
  return most > S(0) ? most : S(1);
}

/// How far an equilibrium is from a state, by a step of Newton's method, which `equations` solve: relative to
/// its size, or [rad].
template <class S, class Equations>
[[nodiscard]] S distance_to_equilibrium(const MotionMatrices<S>& motions, Equations& equations) {
  const S size = extent(motions.x.chains);
  using T = typename Equations::Scalar;
  std::vector<T> step(static_cast<std::size_t>(motions.size()), T(0));
  for (Eigen::Index i = 0; i < motions.nodes; ++i) step[static_cast<std::size_t>(i)] = motions.unbalanced[i];
  equations.solve(step);
  S distance(0);
  for (Eigen::Index i = 0; i < motions.nodes; ++i) {
    const S moved = std::abs(step[static_cast<std::size_t>(i)]) / (i % 6 < 3 ? size : S(1));
    number::keep_larger(distance, moved);
  }
  return distance;
}

/// The equations about a shift in which small motions are looked for, which `about` decomposes. Throws
/// std::invalid_argument where the distance to an equilibrium is larger than the tolerance, and where
/// constraints do not hold, or drive.
template <class S, class T, class Options, class About>
[[nodiscard]] auto equations_about(const char* what, const MotionMatrices<S>& motions, const Options& options,
                                   T shift, T near_zero, const About& about) {
  auto equations = about(shift);
  S distance = distance_to_equilibrium(motions, equations);
  if (options.shift && !(distance <= options.equilibrium_tolerance)) {  // near an eigenvalue it seems large
    auto others = about(near_zero);
    distance = distance_to_equilibrium(motions, others);
  }
  const S size = extent(motions.x.chains), tolerance = options.equilibrium_tolerance;
  require(motions.violation <= tolerance * size, what, "violation of constraints", motions.violation,
          "the state must obey them; see project");
  for (const auto* column : {&motions.known, &motions.apart})
    for (const S& one : *column)
      require(std::abs(one) <= tolerance * size, what, "motion of a constraint", one,
              "an equilibrium is at rest, and its places are where they touch");
  require(distance <= tolerance, what, "distance to an equilibrium", distance,
          "forces must balance; see static_equilibrium");
  return equations;
}

/// A search about a shift, which is moved until it is none of the eigenvalues: by `beside` if it was given;
/// otherwise, where the search finds too little, nearer to zero by a factor. search(shift, whether it is the
/// last one) answers how far the nearest eigenvalue is.
template <class T, class S, class Search>
void search_about(T shift, bool given, S beside, S nearer, const Search& search) {
  for (int left = given ? 3 : 2;; --left) {
    try {
      const S distance = search(shift, left == 0);
      if (!given || left == 0 || !(distance < S(0.01) * beside)) return;
    } catch (const NoConvergence&) {
      if (left == 0 || given) throw;
      shift *= nearer;  // the slowest motions are much slower than it
      continue;
    } catch (const SingularSystem&) {
      if (left == 0 || !given) throw;
    }
    shift += beside;
    beside *= 2;
  }
}

/// The numbers of all degrees, number(i), as numbers of nodes.
template <class S, class Number>
[[nodiscard]] NodeNumbers<S> at_nodes(const std::vector<Chain<S>>& chains, const Number& number) {
  NodeNumbers<S> out;
  for (const Chain<S>& chain : chains) out.chains.push_back(rod::zero_columns<S, 6>(chain.nodes));
  std::size_t next = 0;
  rod::visit_nodes(chains, out.chains, [&](S& x) { x = number(next++); });
  return out;
}

/// The modes of these matrices; see `modes`.
template <class S>
[[nodiscard]] std::vector<Mode<S>> modes_of(const MotionMatrices<S>& motions, const ModeOptions<S>& options) {
  const S scale = motions.largest_square(), rounding = S(1e3) * std::numeric_limits<S>::epsilon();
  const S near_zero = scale > S(0) ? -std::max(S(1e-10), rounding) * scale : S(-1);
  const S given = options.shift.value_or(near_zero);
  const S beside = given == S(0) ? std::abs(near_zero)  // how far from an eigenvalue it is to be
                                 : std::max(S(1e-6) * std::abs(given), rounding * scale);
  const auto nodes = static_cast<std::size_t>(motions.nodes), size = static_cast<std::size_t>(motions.size());
  const auto rows = static_cast<std::size_t>(motions.rows), count = static_cast<std::size_t>(options.count);
  const std::vector<S> metric(motions.mass.begin(), motions.mass.end());
  const auto holding = rows - static_cast<std::size_t>(motions.rubbing),
             free = nodes - static_cast<std::size_t>(std::count(metric.begin(), metric.end(), S(0)));
  const auto about = [&](S at) { return motions.template decomposed<S>([&](Eigen::Index) { return -at; }); };
  linalg::SparseEquations<S, S> equations;
  std::vector<S> all(size);
  const auto solve = [&](const std::vector<S>& q) {
    for (std::size_t i = 0; i < size; ++i) all[i] = i < nodes ? metric[i] * q[i] : S(0);
    equations.solve(all);
  };
  const auto apply = [&](std::vector<S>& q) {
    solve(q);
    std::copy_n(all.begin(), nodes, q.begin());
  };
  const int space = options.largest_space > 0 ? options.largest_space : 20 * options.count + 100;
  S shift(0), asymmetry(0);
  std::vector<linalg::KrylovPair<S, S>> found;
  search_about(given, options.shift.has_value(), beside, S(1e-2), [&](S at, bool last) {
    shift = at;
    equations = equations_about("modes", motions, options, shift, near_zero, about);
    const int directions = options.shift || last ? space : std::min(space, 4 * options.count + 60);
    linalg::Krylov<S, S> krylov(apply, metric, static_cast<std::size_t>(directions), options.tolerance,
                                static_cast<double>(motions.x.time));
    found = krylov.find(count, free > holding ? free - holding : 0);
    asymmetry = krylov.asymmetry();
    return found.empty() ? std::numeric_limits<S>::infinity() : S(1) / std::abs(found[0].value);
  });
  require(asymmetry <= std::max(S(1e-6), S(1e3) * std::numeric_limits<S>::epsilon()), "modes", "asymmetry",
          asymmetry,
          "loads that follow the bodies, and friction that holds, have no potential; see linearization");
  dalembert::detail::heap_sort(found.begin(), found.end(),
                               [](const auto& a, const auto& b) { return S(1) / a.value < S(1) / b.value; });
  std::vector<Mode<S>> result;
  for (const auto& pair : found) {
    Mode<S> mode;
    mode.square = shift + S(1) / pair.value;
    solve(pair.vector);
    S apart(0);
    for (std::size_t i = 0; i < nodes; ++i) {
      const S left = all[i] / pair.value - pair.vector[i];
      apart += metric[i] * left * left;
    }
    mode.residual = std::sqrt(apart);
    if (!(mode.residual < S(0.01))) continue;  // rounding where constraints leave nothing to move
    mode.shape = at_nodes<S>(motions.x.chains, [&](std::size_t i) { return pair.vector[i]; });
    using Numbers = Eigen::Map<const Vec<S, Eigen::Dynamic>>;
    mode.z = Numbers(all.data() + nodes, motions.slides) / pair.value;
    mode.multipliers = Numbers(all.data() + size - rows, motions.rows) / pair.value;
    result.push_back(std::move(mode));
  }
  return result;
}

}  // namespace detail

/// The modes nearest to the shift, the smallest ω² first; fewer than asked for where the constraints leave
/// fewer. Velocities of the state are left aside. Throws std::invalid_argument for a state that is no
/// equilibrium and for loads without a potential, whose motions are no modes
/// (see `linearization`); NoConvergence, and what `Assembly::rates` throws, as a contact that would have to
/// pull.
template <class... B, class... C, class S>
[[nodiscard]] std::vector<Mode<S>> modes(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& x,
                                         const std::type_identity_t<ModeOptions<S>>& options = {}) {
  options.check();
  detail::MotionMatrices<S> motions = detail::small_motions(problem, x);
  motions.take_away_rounding();
  return detail::modes_of<S>(motions, options);
}

/// The ω² of a mode, in numbers that carry derivatives by parameters, which the mode itself does not: where
/// the problem, and the equilibrium that belongs to it, depend on them, a change of the mode changes ω² in
/// second order only,
///   ω² = (φᵀKφ − ω₀² φᵀMφ − 2 μᵀAφ)/φᵀMφ + ω₀²                             (2)
/// for the φ, μ and ω₀ of the plain problem. It is meant for frequencies that no other mode shares.
/// Throws as `modes`, but for states that are no equilibrium.
template <class... B, class... C, class S, class T>
[[nodiscard]] S mode_square(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& x,
                            const Mode<T>& mode) {
  const detail::MotionMatrices<S> motions = detail::small_motions(problem, x);
  const auto nodes = static_cast<int>(motions.nodes);
  require(mode.shape.size() == x.chains.size() && mode.z.size() == motions.slides &&
              mode.multipliers.size() == motions.rows,
          "mode_square", "bodies of the mode", mode.shape.size(), "the mode must be one of this assembly");
  std::vector<S> y;  // the degrees of nodes, then s
  for (std::size_t i = 0; i < x.chains.size(); ++i)
    for (Eigen::Index k = 0; k < x[i].nodes; ++k)
      for (int j = 0; j < 6; ++j) y.push_back(S(mode.shape[i](k, j)));
  y = detail::PlaceSensitivity<S>(motions).follow(std::move(y));

  const auto at = [&](int i) -> const S& { return y[static_cast<std::size_t>(i)]; };
  S mass(0), sum(0);
  for (int i = 0; i < nodes; ++i) mass += motions.mass[i] * at(i) * at(i);
  for (const auto& e : motions.stiffness)
    if (e.row < nodes && !motions.held(e.row)) sum += at(e.row) * e.value * at(e.column);
  for (const auto& e : motions.constraints) sum -= S(2 * mode.multipliers[e.row]) * e.value * at(e.column);
  return S(mode.square) + (sum - S(mode.square) * mass) / mass;
}

}  // namespace dalembert::assembly
