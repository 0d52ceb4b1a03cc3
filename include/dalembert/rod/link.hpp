#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/writhe.hpp>

/// How a rod is wound: its twist Tw about its own axis and the writhe Wr of that axis add up to the link,
/// which no motion changes as long as the rod does not pass through itself,
///   Lk = Tw + Wr                                                                                         (1)
/// Discretely this holds to round-off, because both belong to one ribbon. The axis is the polygon of the
/// nodes, with edges along t_k; the frame halfway between two nodes, turned the shortest way so that its
/// third axis lies along t_k, is A_k; and at a corner the ribbon turns by
///   A_(k−1)⁻¹ A_k = (w, v),   2πTw = Σ_k 2 atan2(v₃, w)                                         (2)
/// about its axis, beside the shortest rotation from t_(k−1) to t_k, by less than half a turn. For h → 0
/// this is ∫ Ω₃ ds of an unsheared rod, to second order. Two kinds of rods have a link:
///   ring   the last node is where the first one is. Lk is a whole number if their frames are the same too;
///          where they differ by a turn about e₃ that stays, as in a ring that was closed after twisting
///          it, Lk is a whole number less that turn;
///   rays   the ends are led: from each a straight ray goes on outwards along its e₃, and the two meet at
///          infinity. Lk changes by no motion that leaves the directions of both ends as they are but by
///          the turns of the ends about them, in which it is counted; with both along one direction it is a
///          whole number where the frames are the same too.
/// Sources: Călugăreanu 1961, White 1969, Fuller 1971; discrete: Bergou et al. 2008; open ends: Rossetto
/// and Maggs 2003, van der Heijden, Peletier and Planqué 2007.
namespace dalembert::rod {

/// How the curve of a rod is closed; see the head of this file.
enum class Closure { ring, rays };

/// Twist and writhe of a rod, in turns.
template <class S = double>
struct Link {
  S twist{};   ///< Tw
  S writhe{};  ///< Wr

  /// Lk = Tw + Wr.
  [[nodiscard]] S link() const noexcept { return twist + writhe; }
};

namespace detail {

/// The angle in (−π, π] by which a rotation turns about e₃ beside the shortest rotation that takes e₃
/// where it takes it [rad].
template <class S>
[[nodiscard]] S turn_about_third(const SO3<S>& rotation) {
  using std::atan2;
  const bool flip = rotation.w() < S(0);  // q and −q are one rotation
  return S(2) * atan2(S(flip ? -rotation.v()[2] : rotation.v()[2]), S(flip ? -rotation.w() : rotation.w()));
}

/// A_k of equation (2), for the edge from node k to `end` [m].
template <class S>
[[nodiscard, gnu::noinline]] SO3<S> ribbon_frame(const Chain<S>& chain, Eigen::Index k,
                                                 const Vec<S, 3>& end) {
  const SO3<S> middle = middle_frame(chain, k);
  const Triple<S> e3(middle.act(Vec<S, 3>::UnitZ())), chord(Vec<S, 3>(end - chain.position(k)));
  const S length = number::sqrt(S(dot(chord, chord))), along = dot(e3, chord);
  require_entry(along > S(0), "link", "chord along the third axis of element", static_cast<std::size_t>(k),
                along, "an element must not be turned inside out [m]");
  return SO3<S>::from_quaternion(S(length + along), Vec<S, 3>(cross(e3, chord))) * middle;
}

template <class S>
[[nodiscard]] std::vector<Vec<S, 3>> corners(const Chain<S>& chain, Closure closure) {
  const Eigen::Index last = chain.nodes - 1;
  require(last >= 2, "link", "nodes", chain.nodes, "a rod has at least three");
  std::vector<Vec<S, 3>> list;
  S length(0);
  for (Eigen::Index k = 0; k <= last; ++k) {
    list.push_back(chain.position(k));
    if (k > 0) length += (list[static_cast<std::size_t>(k)] - list[static_cast<std::size_t>(k - 1)]).norm();
  }
  if (closure == Closure::ring) {
    const S gap = (list.back() - list.front()).norm();
    require(gap <= number::sqrt(std::numeric_limits<S>::epsilon()) * length, "link",
            "distance of the last node from the first", gap, "those of a ring are at one place [m]");
    list.pop_back();
  }
  return list;
}

}  // namespace detail

/// Tw of equation (2), in turns. Throws std::invalid_argument for fewer than three nodes, for a ring that is
/// not closed, and for an element that is turned inside out.
template <class S>
[[nodiscard, gnu::noinline]] S twist(const Chain<S>& chain, Closure closure) {
  const std::vector<Vec<S, 3>> r = detail::corners(chain, closure);
  const auto last = static_cast<std::size_t>(chain.nodes - 1);
  const auto frame = [&](std::size_t k) {
    return detail::ribbon_frame(chain, static_cast<Eigen::Index>(k), r[(k + 1) % r.size()]);
  };
  const SO3<S> first = frame(0), start = chain.rotation(0), finish = chain.rotation(chain.nodes - 1);
  SO3<S> before = first;
  S sum(0);
  for (std::size_t k = 1; k < last; ++k) {
    const SO3<S> after = frame(k);
    sum += detail::turn_about_third(before.inverse() * after);
    before = after;
  }
  if (closure == Closure::rays) {
    sum += detail::turn_about_third(start.inverse() * first) +
           detail::turn_about_third(before.inverse() * finish);
  } else {  // without the turn between the frames of the node that is the last and the first one
    const S jump = detail::turn_about_third(finish.inverse() * start);
    sum += detail::turn_about_third(before.inverse() * first * SO3<S>::exp(Vec<S, 3>(S(0), S(0), -jump)));
  }
  return sum / (S(2) * S(pi));
}

/// The writhe of the axis of a rod, in turns. Takes a time that grows with the square of the number of nodes;
/// see rod/writhe.hpp. Throws std::invalid_argument for fewer than three nodes, nodes that are not finite or
/// where their neighbours are, and a ring that is not closed.
template <class S>
[[nodiscard]] S writhe(const Chain<S>& chain, Closure closure) {
  const std::vector<Vec<S, 3>> r = detail::corners(chain, closure);
  if (closure == Closure::ring) return writhe(r);
  return writhe(r, Vec<S, 3>(chain.rotation(0).act(Vec<S, 3>::UnitZ())),
                Vec<S, 3>(chain.rotation(chain.nodes - 1).act(Vec<S, 3>::UnitZ())));
}

/// Twist and writhe, and with them the link. Throws as both do.
template <class S>
[[nodiscard]] Link<S> link(const Chain<S>& chain, Closure closure) {
  return {twist(chain, closure), writhe(chain, closure)};
}

}  // namespace dalembert::rod
