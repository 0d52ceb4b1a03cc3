#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <dalembert/assembly/rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/number.hpp>

/// One contact of a ball with a surface, and what impulses there do to the nodes that bear them. With the
/// weights α of the nodes k of a side, their velocities v and Λω, and the arm y from their average,
///   V = Σ α v,   W = Σ α Λω,   u = V + W × y − (that of the other side)                         (1)
/// An impulse P on the first side is αP and the torque αΛᵀ(y × P) on its nodes.
namespace dalembert::contact::detail {

template <class S>
struct CellContact;

/// Where along two lines the contact of a cell is.
template <class S>
struct CellPlace {
  std::size_t first = 0, second = 0;  ///< numbers of the lines
  Eigen::Index cell = 0;              ///< of the first
  std::array<S, 2> s{};               ///< arc lengths on both [m]
};

/// A side of a contact: nodes with their weights, or nothing where the surface is in space.
template <class S>
struct TouchSide {
  assembly::Window window{};          ///< none in space
  std::size_t all = none;             ///< the number of its first node among those of all bodies
  Vec<S, 3> arm = Vec<S, 3>::Zero();  ///< from their average to the point of contact [m]

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] bool there() const noexcept { return all != none; }
  /// How many nodes.
  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(window.count); }
  /// How many a pass over them in packs writes to, those behind them what they had.
  [[nodiscard]] std::size_t passed() const noexcept {
    return static_cast<std::size_t>(std::max(window.count, window.room));
  }
  /// f(L) with what a pass over its nodes computes with.
  template <class F>
  auto in_lanes(const F& f) const {
    if constexpr (!std::is_same_v<rod::WindowPack<S>, S>)
      if (window.count > 1) return f(rod::WindowPack<S>{});
    return f(S{});
  }
};

/// A ball, number `ball`, at a surface: 0 ≤ other is one of space or of a body, other < 0 ball −1 −
/// other. Or the contact of a cell of a rod.
template <class S>
struct Touch {
  using V = Vec<S, 3>;
  using M = Mat<S, 3>;
  using T = dalembert::detail::Triple<S>;
  using State = assembly::State<S>;
  using Nodes = assembly::detail::Nodes<S>;
  using Averages = assembly::detail::Averages<S>;

  std::size_t ball = 0;
  std::ptrdiff_t other = 0;
  CellContact<S>* cell = nullptr;
  CellPlace<S> place{};  ///< of a cell
  S friction{}, restitution{}, radius{};

  // In the configuration that was looked at last:
  std::array<TouchSide<S>, 2> sides{};
  M frame = M::Zero();        ///< rows: the normal, from the surface to the ball, and two tangents
  V surface = V::Zero();      ///< velocity of a surface in space at the contact [m/s]
  V normal_rate = V::Zero();  ///< Ṅ [1/s]
  V bias = V::Zero();         ///< rate of the velocity while the nodes keep theirs [m/s²]
  V point = V::Zero();        ///< the contact [m]
  S gap{};                    ///< [m]
  S sizes{};                  ///< of the lengths that made the gap [m]

  // Of the step:
  V impulse = V::Zero();     ///< on the ball so far, spatial [N s]; a force where forces are asked [N]
  V at_impulse = V::Zero();  ///< the normal for which it was found
  S gap_before{}, opening_before{}, acceleration{};  ///< g, u_n and u̇_n at the beginning
  bool was_closed = false, closed = false, active = false;
  V u_before = V::Zero(), kicked = V::Zero(), before = V::Zero();  ///< see TouchingStep; in the frame
  V slip_before = V::Zero();   ///< direction of the slip at the beginning, where it slips
  M own_response = M::Zero();  ///< G of what is alone, where it was found last
  S opening{};                 ///< e u_n⁻ where it closes
  S push_impulse{};            ///< that put positions right
  S pushed{};                  ///< displacement so far [kg m]
  S push_now{};                ///< displacement at once [kg m]
  V change = V::Zero();        ///< of the velocity by the impulses of a cluster
  std::size_t cluster = 0;     ///< of those that share nodes
  bool held = false;           ///< whether constraints hold nodes of it
  bool jumps = false;          ///< whether its gap jumps where positions are put right

  [[nodiscard]] V normal() const { return frame.row(0).transpose(); }
  /// A spatial vector in the frame, and one of the frame in space.
  [[nodiscard]] V in_frame(const V& a) const { return frame * a; }
  [[nodiscard]] V in_space(const V& a) const { return frame.transpose() * a; }
  /// Its normal impulse.
  [[nodiscard]] S pressure() const { return normal().dot(impulse); }

  /// Velocity of the ball's material at the contact, seen from the surface, where its nodes are [m/s].
  [[nodiscard]] V velocity(const Nodes& n, const State& x) const { return moved(n, x) - surface; }
  /// The same, seen from space where the surface is there: what these velocities of nodes make of it.
  [[nodiscard]] V moved(const Nodes& n, const State& x) const {
    return sum([&]<class L>(L, const assembly::Window& w) {
      return assembly::detail::averages<L>(w, n, x.chains[w.body].velocity);
    });
  }
  /// What loads do to it, alone or with damping and gyroscopic terms: rates [m/s²].
  template <assembly::detail::Accelerated how>
  [[nodiscard]] V rate_of_velocity(const Nodes& n, const assembly::NodeNumbers<S>& f) const {
    return sum([&]<class L>(L, const assembly::Window& w) {
      return assembly::detail::acceleration_averages<L, how>(w, n, f.chains[w.body]);
    });
  }
  /// Change the velocities of its nodes by a spatial impulse on the ball.
  void kick(const Nodes& n, State& x, const V& impulse_on_ball) const {
    each_wrench(impulse_on_ball, [&]<class L>(L, const assembly::Window& w, const Averages& wrench) {
      assembly::detail::add_impulse<L>(w, n, wrench, x.chains[w.body].velocity);
    });
  }
  /// Displace its nodes likewise, and change their velocities by that times `per_time` [1/s].
  void displace(const Nodes& n, State& x, const V& impulse_on_ball, S per_time) const {
    each_wrench(impulse_on_ball, [&]<class L>(L, const assembly::Window& w, const Averages& wrench) {
      assembly::detail::displace<L>(w, n, wrench, per_time, x.chains[w.body]);
    });
  }
  /// Add a spatial force on the ball to the loads on its nodes.
  void add_force(const Nodes& n, assembly::NodeNumbers<S>& loads, const V& force_on_ball) const {
    each_wrench(force_on_ball, [&]<class L>(L, const assembly::Window& w, const Averages& wrench) {
      assembly::detail::add_load<L>(w, n, wrench, loads.chains[w.body]);
    });
  }
  /// What impulses at `by` do to the velocity here: a block of the Delassus operator, in the two frames, or
  /// its first rows and columns, the others zero.
  template <int rows = 3>
  [[nodiscard, gnu::noinline]] M response(const Touch& by, const Nodes& n) const {
    M G = M::Zero();
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t t = 0; t < 2; ++t) {
        const assembly::Window &a = sides[s].window, &b = by.sides[t].window;
        if (!sides[s].there() || !by.sides[t].there() || a.body != b.body || a.first >= b.first + b.count ||
            b.first >= a.first + a.count)
          continue;
        const auto shared =
            this == &by && s == t
                ? sides[s].in_lanes([&]<class L>(L) { return assembly::detail::compliance<L>(a, n); })
                : assembly::detail::compliance(a, b, n);
        const S sign(s == t ? 1 : -1);
        for (int j = 0; j < rows; ++j) {
          const Averages done = shared * by.unit(t, j);
          for (int i = 0; i < rows; ++i) G(i, j) += sign * dot(unit(s, i), done);
        }
      }
    return G;
  }
  /// What a normal impulse does to the opening.
  [[nodiscard]] S normal_response(const Nodes& n) const { return response<1>(*this, n)(0, 0); }
  /// The impulse so far in the frame of the present configuration: turned with the normal.
  [[nodiscard]] V carried_impulse() const { return carried(impulse, at_impulse); }
  /// One that was found for a normal.
  [[nodiscard]] V carried(const V& P, const V& at) const {
    const V n = normal();
    if (at == n) return in_frame(P);
    const V axis = at.cross(n);
    const S cosine = at.dot(n);
    // Rodrigues' formula for the smallest rotation between the normals
    const V across = axis.cross(P), turned = across + cosine * P;
    return in_frame(turned + axis.dot(P) / (S(1) + cosine) * axis);
  }
  /// Keep an impulse, given in the present frame.
  void keep(const V& P) {
    impulse = in_space(P);
    at_impulse = normal();
  }
  /// As it is where a step begins, for the gap there.
  void begin_step() {
    closed = was_closed = gap <= tolerance();
    gap_before = gap;
    impulse = V::Zero();
    at_impulse = normal();
  }
  /// The overlap at the beginning, but for rounding, which would add up from step to step.
  [[nodiscard]] S kept_overlap() const {
    return gap_before < -S(16) * std::numeric_limits<S>::epsilon() * sizes ? gap_before : S(0);
  }
  /// How large a gap is none.
  [[nodiscard]] S tolerance() const { return S(256) * std::numeric_limits<S>::epsilon() * (sizes + radius); }

 private:
  /// The velocity that averages of its sides make: average(L, window) of each.
  template <class F>
  [[nodiscard]] V sum(const F& average) const {
    T u{S(0), S(0), S(0)};
    for (std::size_t s = 0; s < 2; ++s) {
      if (!sides[s].there()) continue;
      const Averages of = sides[s].in_lanes([&](auto lanes) { return average(lanes, sides[s].window); });
      const T mine = of.linear + cross(of.angular, T(sides[s].arm));
      u = s == 0 ? u + mine : u - mine;
    }
    return u;
  }
  /// f(L, window, force and torque) of each side, for a spatial force or impulse on the ball.
  template <class F>
  void each_wrench(const V& on_ball, const F& f) const {
    for (std::size_t s = 0; s < 2; ++s) {
      if (!sides[s].there()) continue;
      const T force(s == 0 ? on_ball : V(-on_ball));
      const Averages wrench{force, cross(T(sides[s].arm), force)};
      sides[s].in_lanes([&](auto lanes) { f(lanes, sides[s].window, wrench); });
    }
  }
  /// A unit force along row j of the frame, and its couple at side s, spatial.
  [[nodiscard]] Averages unit(std::size_t s, int j) const {
    const T n{frame(j, 0), frame(j, 1), frame(j, 2)};
    return {n, cross(T(sides[s].arm), n)};
  }
};

/// A ball, and what it may meet: a surface, or −1 − number of another ball.
template <class S>
struct TouchCandidate {
  std::size_t ball;
  std::ptrdiff_t other;
  S way;              ///< as far as others may move them in a step [m]
  bool near = false;  ///< what was found out
};

}  // namespace dalembert::contact::detail
