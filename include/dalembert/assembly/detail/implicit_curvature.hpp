#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/eyes.hpp>
#include <dalembert/assembly/detail/static_rows.hpp>
#include <dalembert/assembly/detail/static_terms.hpp>
#include <dalembert/assembly/detail/tangency.hpp>

/// How the pull of position rows changes with the nodes that bear a constraint, its internal coordinates s
/// following where the tangency has them:
///   f_k = α_k(s) ∂(m·φ)/∂R,   δs = −F_s⁻¹ (F_R Σα δr + F_R′ Σα′ δr)               (1)
/// with the derivatives of `StaticTerms`.
namespace dalembert::assembly::detail {

/// Room for the nodes of the windows of one constraint.
template <class S>
struct CurvatureRoom {
  struct Share {
    Window window;
    Eigen::Index node;
    std::size_t place;
    S weight, slope;
    std::array<std::array<S, 3>, 2> slide;  ///< ∂s/∂r of this node
  };
  std::vector<Share> shares;
  std::vector<S> slopes;
};

/// add(body, k, body, l, K_kl) with K_kl = −∂f_k/∂(δr_l, Σ_l) of the pull with multipliers m, for
/// places at their points; `weight(window, node)` is α.
template <class K, class S, class Weight, class Add>
void add_curvature(const K& c, const Evaluation<K>& e, const Vec<S, Evaluation<K>::P>& m, S time,
                   const Weight& weight, CurvatureRoom<S>& room, const Add& add) {
  using Terms = StaticTerms<K>;
  constexpr int Z = Terms::Z;
  Terms terms;
  terms.find(c, e.points, m, time);
  const auto places = c.places();
  room.shares.clear();
  Terms::each_place([&](auto i) {
    const Window& w = e.windows[i];
    room.slopes.assign(static_cast<std::size_t>(std::max(w.room, w.count)), S(0));
    const auto& place = std::get<i>(places);  // not in the condition, where clang 14 takes i for no constant
    if constexpr (requires { place.bear_slopes(e.points[i], room.slopes.data()); })
      place.bear_slopes(e.points[i], room.slopes.data());
    for (Eigen::Index k = 0; k < w.count; ++k)
      room.shares.push_back(
          {w, w.first + k, i, weight(w, w.first + k), room.slopes[static_cast<std::size_t>(k)], {}});
    if constexpr (!Terms::template slides<i>)
      turn_to_body(e.points[i].rotation, 6 * static_cast<int>(i), terms);
  });
  std::array<int, static_cast<std::size_t>(Terms::N)> slide_of{};
  std::array<bool, static_cast<std::size_t>(Terms::N)> slides{};
  Terms::each_place([&](auto i) {
    slides[i] = Terms::template slides<i>;
    if constexpr (Terms::template slides<i>) slide_of[i] = Terms::template slide<i>;
  });
  if constexpr (Z > 0) {
    Mat<S, Z> slope;
    for (int r = 0; r < Z; ++r)
      for (int s = 0; s < Z; ++s) slope(r, s) = terms.tangency(r, 6 * Terms::N + s);
    for (auto& share : room.shares)
      for (int j = 0; j < 3; ++j) {
        Vec<S, Z> by;
        for (int r = 0; r < Z; ++r) {
          const int v = 6 * static_cast<int>(share.place) + j;
          by[r] = share.weight * terms.tangency(r, v);
          if (slides[share.place]) by[r] += share.slope * terms.tangency(r, v + 3);
        }
        const Vec<S, Z> moved = detail::slide<Z>(slope, by, time);
        for (int s = 0; s < Z; ++s)
          share.slide[static_cast<std::size_t>(s)][static_cast<std::size_t>(j)] = moved[s];
      }
  }
  Mat<S, 6, 6> block;
  for (const auto& a : room.shares)
    for (const auto& b : room.shares) {
      const int row = 6 * static_cast<int>(a.place), column = 6 * static_cast<int>(b.place);
      const bool turns_a = !slides[a.place], turns_b = !slides[b.place];
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          block(i, j) = S(0);
          if ((i >= 3 && !turns_a) || (j >= 3 && !turns_b)) continue;
          S sum = (j < 3 ? b.weight : S(1)) * terms.curvature(row + i, column + j);
          if (j < 3 && !turns_b) sum += b.slope * terms.curvature(row + i, column + 3 + j);
          if (i < 3) sum *= a.weight;
          if constexpr (Z > 0)
            if (j < 3)
              for (int s = 0; s < Z; ++s) {
                S by = (i < 3 ? a.weight : S(1)) * terms.curvature(row + i, 6 * Terms::N + s);
                if (i < 3 && !turns_a && slide_of[a.place] == s) by += a.slope * terms.pull[row + i];
                sum += by * b.slide[static_cast<std::size_t>(s)][static_cast<std::size_t>(j)];
              }
          block(i, j) = -sum;
        }
      add(a.window.body, a.node, b.window.body, b.node, block);
    }
}

}  // namespace dalembert::assembly::detail
