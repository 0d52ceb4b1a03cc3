#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <dalembert/assembly/constraint_rows.hpp>

/// Markers of a constraint that move along their bodies, as contacts do: what it may say of them, and what is
/// taken where it does not. It has (5), or says how they move:
///   tangency(seen…)      → F                  zero where markers that move along a rod are, one each (5)
///   tangency_change(seen…, moved…)            its change with theirs, instead of derivatives of (5)
///   sliding(seen…, t)    → ṡ             how its markers move along their bodies, where no (5) says it
///   integrated()                              whether its internal coordinates follow ṡ from where they
///                                             start, instead of being solved from (5)
///   check_markers(points…, t)                throws an InvalidState where (5) was solved by positions that
///                                             it cannot have
/// and by nodes, in place of the first three:
///   tangency(sight)                           F and ∂F/∂s as a std::pair, if markers move along a rod
///   tangency_rate(sight)                      the rate of F while these markers stand still, likewise
///   beyond = 0                                nodes on either side of a window that F looks at
namespace dalembert::assembly::detail {

/// The names of these members.
struct MarkerNames {
  int tangency, tangency_change, tangency_rate, sliding, integrated, check_markers;
};

/// Which of these members are there, asked with what they are called with.
template <class C, class Numbers = MarkerNumbers<C>>
struct MarkerMembers;
template <class C, std::size_t... I>
struct MarkerMembers<C, std::index_sequence<I...>> {
  using S = ScalarOf<C>;
  template <std::size_t>
  using Shift = const FrameChange<S>&;
  template <std::size_t>
  using At = const Point<S>&;
  static constexpr bool tangency = requires(const C& c, const SightOf<C>& at) {
    requires by_nodes<C>;
    c.tangency(at).second, c.tangency_rate(at);
  }
  || requires(const C& c, View<C, I>... x) {
    requires !by_nodes<C>;
    c.tangency(x...);
  };
  static constexpr bool tangency_change = requires(const C& c, View<C, I>... x, Shift<I>... moved) {
    c.tangency_change(x..., moved...);
  };
  static constexpr bool sliding = requires(const C& c, View<C, I>... x, const S& t) { c.sliding(x..., t); };
  static constexpr bool integrated = requires(const C& c) { static_cast<bool>(c.integrated()); };
  static constexpr bool check_markers = requires(const C& c, At<I>... at, const S& t) {
    c.check_markers(at..., t);
  };
};

/// Says at compile time which of these members C lacks, or has with other arguments than they are called
/// with.
template <class C>
consteval void check_marker_members() {
  using Has = MarkerMembers<C>;
  using Its = WithNames<C, MarkerNames>;
  constexpr bool slides = CountedMarkers<C>::slide > 0;
  if constexpr (by_nodes<C>) {
    static_assert(
        !Has::sliding && !Has::tangency_change && requires { &Its::sliding, &Its::tangency_change; },
        "this is no Constraint: it has node_rows, and besides sliding or tangency_change, which nothing "
        "calls");
  } else {
    static_assert(agrees<(Has::tangency || !slides), requires { &Its::tangency; }>,
                  "this is no Constraint: tangency is there, but not with (seen...) const");
    static_assert(agrees<(Has::tangency_change || !slides), requires { &Its::tangency_change; }>,
                  "this is no Constraint: tangency_change is there, but not with (seen..., moved...) const");
    static_assert(agrees<Has::sliding, requires { &Its::sliding; }>,
                  "this is no Constraint: sliding is there, but not with (seen..., t) const");
  }
  static_assert(agrees<Has::check_markers, requires { &Its::check_markers; }>,
                "this is no Constraint: check_markers is there, but not with (points..., t) const");
  static_assert(agrees<Has::integrated, requires { &Its::integrated; }>,
                "this is no Constraint: integrated is there, but not with () const");
  static_assert(!slides || Has::tangency || Has::sliding,
                "this is no Constraint: a marker moves along a rod, but tangency(seen...) is missing, or by "
                "nodes tangency(sight) or tangency_rate(sight)");
  static_assert(slides || !Has::tangency,
                "this is no Constraint: tangency(seen...) is there, but no marker moves along a rod");
  static_assert(
      !slides || RowMembers<C>::velocity,
      "this is no Constraint: a marker moves along a rod, but velocity_constraint(seen..., t) is missing");
}

/// Whether the internal coordinates of a constraint follow their rates.
template <class C>
[[nodiscard]] bool follows_rates([[maybe_unused]] const C& c) {
  if constexpr (!MarkerMembers<C>::sliding && MarkerMembers<C>::integrated) return c.integrated();
  return MarkerMembers<C>::sliding;
}
/// Nodes on either side of a window that F looks at.
template <class C>
[[nodiscard]] consteval Eigen::Index nodes_beyond() {
  if constexpr (requires { C::beyond; }) return C::beyond;
  return 0;
}

/// Where markers are that move along their bodies, and how they move there.
template <class C>
class MarkerFunctions : public RowFunctions<C> {
 public:
  using Kinematics = MarkerKinematics<C>;
  using Has = MarkerMembers<C>;
  using S = ScalarOf<C>;
  using Points = typename Kinematics::Points;
  using RowFunctions<C>::RowFunctions, Kinematics::now, Kinematics::each, Kinematics::sight;
  static constexpr std::size_t N = Kinematics::N;
  static constexpr int Z = Kinematics::Z;

  /// Throws what the constraint throws for markers that it cannot have.
  void check_markers(const Points& points, S time) const {
    if constexpr (Has::check_markers)
      std::apply([&](const auto&... point) { c_.check_markers(point..., time); }, points);
  }

  /// F of (5) on what is seen,
  [[nodiscard]] auto tangency(const auto& x) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.tangency(one...)); }, x);
  }
  /// and in a state, with its Jacobian J by the positions of the markers that slide.
  [[nodiscard]] std::pair<Vec<S, Z>, Mat<S, Z>> tangency(const Evaluation<C>& e, const State<S>& at) const;
  /// The rate of F while the markers stand still on their bodies.
  [[nodiscard]] Vec<S, Z> tangency_rate(const Evaluation<C>& e, const State<S>& at) const {
    const Points& points = e.points;
    if constexpr (by_nodes<C>) {
      return c_.tangency_rate(sight(e, at));
    } else if constexpr (Has::tangency_change) {
      std::array<FrameChange<S>, N> moved;
      each([&](auto i) { moved[i] = std::get<i>(this->places_).moved(points[i]); });
      return changing(now(points), moved);
    } else {
      using T = Dual<S, 1>;
      const T time = seed<T>(0);
      const auto x = this->template seen<T>([&](auto i) {
        const Point<S>& p = points[i];
        PointState<T> m = at_rest<T>(p);
        for (int j = 0; j < 3; ++j) {
          m.R[j] += p.V[j] * time;
          m.dR[j] += p.dV[j] * time;
        }
        turn(m, this->turned(p, time));
        return m;
      });
      return slopes_of(tangency(x));
    }
  }

  /// ṡ on what is seen,
  [[nodiscard]] auto sliding(const auto& x, const auto& t) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.sliding(one...)); }, x, t);
  }
  /// and in a state, where the constraint says it.
  [[nodiscard]] Vec<S, Z> sliding(const Evaluation<C>& e, const State<S>& at) const {
    return sliding(now(e.points), at.time);
  }

 private:
  using Kinematics::c_;

  /// The change of F with changes of what is seen.
  [[nodiscard, gnu::always_inline]] Vec<S, Z> changing(const std::array<FrameState<S>, N>& x,
                                                       const std::array<FrameChange<S>, N>& moved) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return as_rows(c_.tangency_change(x[I]..., moved[I]...));
    }
    (std::make_index_sequence<N>{});
  }
};

template <class C>
auto MarkerFunctions<C>::tangency(const Evaluation<C>& e, const State<S>& at) const
    -> std::pair<Vec<S, Z>, Mat<S, Z>> {
  const Points& points = e.points;
  std::pair<Vec<S, Z>, Mat<S, Z>> result;
  if constexpr (by_nodes<C>) {
    result = c_.tangency(sight(e, at));
  } else if constexpr (Has::tangency_change) {
    const auto x = now(points);
    each([&](auto i) {
      if constexpr (MarkerOf<C, i>::slides) {
        constexpr int column = Kinematics::template slide_of<i>();
        std::array<FrameChange<S>, N> moved;
        moved.fill({Vec<S, 3>(S(0), S(0), S(0)), Vec<S, 3>(S(0), S(0), S(0))});
        moved[i] = std::get<i>(this->places_).slid(points[i]);
        const Vec<S, Z> change = changing(x, moved);
        for (int j = 0; j < Z; ++j) result.second(j, column) = change[j];
      }
    });
    result.first = tangency(x);
  } else {
    using T = Dual<S, Z>;
    const auto x = this->template seen<T>([&](auto i) {
      PointState<T> m = at_rest<T>(points[i]);
      if constexpr (MarkerOf<C, i>::slides)
        slide_along(m, points[i], seed<T>(Kinematics::template slide_of<i>()));
      return m;
    });
    const auto f = tangency(x);
    for (int i = 0; i < Z; ++i) {
      result.first[i] = f[i].value();
      for (int j = 0; j < Z; ++j) result.second(i, j) = f[i].derivative(j);
    }
  }
  return result;
}

}  // namespace dalembert::assembly::detail
