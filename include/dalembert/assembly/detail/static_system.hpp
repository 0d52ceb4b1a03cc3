#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/body.hpp>
#include <dalembert/assembly/detail/static_equations.hpp>
#include <dalembert/assembly/detail/static_terms.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/rod/detail/check.hpp>
#include <dalembert/rod/statics.hpp>

/// All bodies and constraints of an assembly in a static Newton iteration. Unknowns are the six degrees of every node, then the internal
/// coordinates s, then the multipliers m of position rows:
///   f + Aᵀ m = 0,  F = 0,  φ = 0                                                                                   (1)
/// linearised with the stiffness of the bodies and the curvature of the constraints; held degrees go to where they shall be.
namespace dalembert::assembly::detail {

template <class Bodies, class Constraints>
class StaticSystem;

/// See the head of this file.
template <StaticBody First, StaticBody... Rest, Constraint... C>
class StaticSystem<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>> {
 public:
  using S = typename First::Scalar;
  using Index = Eigen::Index;
  using Bodies = std::tuple<std::vector<First>, std::vector<Rest>...>;
  using Constraints = std::tuple<std::vector<C>...>;
  using Column = Vec<S, Eigen::Dynamic>;

  /// Throws std::invalid_argument for a state or constraints that do not fit the bodies.
  StaticSystem(const Bodies& bodies, const Constraints& constraints, State<S>& x)
      : bodies_(bodies), constraints_(constraints), x_(x), before_(x) {
    std::size_t count = 0;
    each_body([&](const auto& body, std::size_t i) {
      ++count;
      require(i < x.chains.size() && x.chains[i].nodes == body.nodes() && x.chains[i].finite(), "statics",
              "chain", i, "there must be a finite chain with the nodes of each body");
      first_.push_back(nodes_);
      nodes_ += 6 * body.nodes();
      loads_.push_back(rod::zero_columns<S, 6>(body.nodes()));
    });
    require(count > 0 && count == x.chains.size(), "statics", "chains", x.chains.size(),
            "there must be one chain per body");
    each_constraint([&]<class K>(const K& c, int number, int, int) {
      slides_ += ConstraintTraits<K>::slides;
      positions_ += ConstraintTraits<K>::positions;
      const std::string what = message({K::name, " ", number});
      std::apply([&](const auto&... place) { (place.check(x.chains, what), ...); }, c.places());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
    });
    require(x.z.size() == slides_, "statics", "internal coordinates", x.z.size(),
            message({"its constraints have ", slides_}));
    multipliers_ = multipliers_before_ = Column::Zero(positions_);
    missing_ = Column::Zero(nodes_ + positions_);
    left_ = Column::Zero(nodes_);
    held_.resize(static_cast<std::size_t>(nodes_));
    equations_ = StaticEquations<S>(nodes_ + slides_ + positions_);
  }

  /// m.
  [[nodiscard]] const Column& multipliers() const noexcept { return multipliers_; }

  /// Take what is missing now as a load that fades: `missing(part)` keeps this part of it.
  void take_missing() {
    find_target();
    assemble();
    missing_.head(nodes_) = force_;
    missing_.tail(positions_) = error_;
  }
  void missing(S part) noexcept { part_ = part; }

  void save() {
    before_ = x_;
    multipliers_before_ = multipliers_;
  }
  void restore() {
    x_ = before_;
    multipliers_ = multipliers_before_;
  }
  /// Take the frames of held nodes as aims, and put them back to where they were when saved.
  void set_target() {
    each_body([&](const auto& body, std::size_t i) { hold(body, x_.chains[i], x_.time); });
    target_ = x_.chains;
    find_target();
    for (std::size_t i = 0; i < target_.size(); ++i)
      for (Index k = 0; k < target_[i].nodes; ++k) {
        const Index first = first_[i] + 6 * k;
        if (!any_held(first)) continue;
        const Chain<S>& was = before_.chains[i];
        const Vec<S, 3> turn = (was.rotation(k).inverse() * target_[i].rotation(k)).log();
        for (int j = 0; j < 6; ++j)
          if (held(first + j))
            left_[first + j] =
                j < 3 ? target_[i].configuration(k, j) - was.configuration(k, j) : turn[j - 3];
        x_.chains[i].set_frame(k, was.rotation(k), was.position(k));
      }
  }
  [[nodiscard]] bool at_target() const noexcept {
    return std::all_of(left_.begin(), left_.end(), [](S left) { return left == S(0); });
  }
  void check_turns() const {
    if (turned_ < x_.chains.size()) rod::detail::throw_turned_too_far(x_.chains[turned_], turned_, x_.time);
  }

  /// Loads, rows and the matrix of (1) at the present state.
  void assemble() {
    equations_.clear();
    force_ = Column::Zero(nodes_);
    error_ = Column::Zero(positions_);
    apart_ = Column::Zero(slides_);
    scale_ = {};
    gaps_.clear();
    turned_ = x_.chains.size();
    const S far = find_size();
    Column digits = Column::Zero(nodes_);
    each_body([&](const auto& body, std::size_t i) {
      const Chain<S>& chain = x_.chains[i];
      if (!body.forces(chain, loads_[i]) && turned_ == x_.chains.size()) turned_ = i;
      for (Index k = 0; k < chain.nodes; ++k)
        for (int j = 0; j < 6; ++j) {
          force_[first_[i] + 6 * k + j] = loads_[i](k, j);
          note_size(j, loads_[i](k, j));
        }
      add_stiffness(body, chain, [&](Index k, Index l, const auto& block) {
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b) {
            const Index row = first_[i] + 6 * k + a;
            digits[row] += std::abs(block(a, b)) * (b < 3 ? far : S(1));
            add(row, first_[i] + 6 * l + b, block(a, b));
          }
      });
    });
    floor_ = {};
    for (Index row = 0; row < nodes_; ++row) {
      S& most = floor_[part(row)];
      most = std::max(most, S(8) * std::numeric_limits<S>::epsilon() * digits[row]);
      if (held(row)) equations_.add(row, row, S(1));
    }
    each_constraint([&](const auto& c, int, int z, int m) { add_constraint(c, z, m); });
  }

  /// The largest force, torque and row, each relative to the largest of its kind, with round-off as good as `tolerance`.
  [[nodiscard]] S residual(S tolerance) const {
    std::array<S, 2> most{};
    for (Index row = 0; row < nodes_; ++row)
      if (!held(row)) keep(most[part(row)], std::abs(force_[row] - part_ * missing_[row]));
    S worst(0);
    for (std::size_t i = 0; i < 2; ++i) {
      const S size = scale_[i] + floor_[i] / tolerance;
      if (most[i] != S(0)) keep(worst, S(most[i] / size));
    }
    for (int i = 0; i < positions_; ++i)
      keep(worst, S(std::abs(error_[i] - part_ * missing_[nodes_ + i]) / size_));
    for (int i = 0; i < slides_; ++i) keep(worst, S(std::abs(apart_[i]) / size_));
    return worst;
  }

  /// The step of Newton's method. Throws NoConvergence where the matrix is singular.
  [[nodiscard]] rod::detail::StaticStep<S> solve(const rod::StaticOptions<S>& o) {
    Column right(nodes_ + slides_ + positions_);
    for (Index row = 0; row < nodes_; ++row)
      right[row] = held(row) ? left_[row] : force_[row] - part_ * missing_[row];
    right.segment(nodes_, slides_) = -apart_;
    right.tail(positions_) = error_ - part_ * missing_.tail(positions_);
    if (!equations_.solve(right, step_))
      throw NoConvergence("NoConvergence: the stiffness is singular", static_cast<double>(x_.time));
    rod::detail::StaticStep<S> step;
    for (Index row = 0; row < nodes_; row += 3) {
      const bool turn = row % 6 == 3;
      const S length = std::sqrt(step_[row] * step_[row] + step_[row + 1] * step_[row + 1] +
                                 step_[row + 2] * step_[row + 2]);
      step.include(turn ? length : length / size_, turn ? o.largest_turn : o.largest_move);
    }
    for (int i = 0; i < slides_; ++i)
      step.include(std::abs(step_[nodes_ + i]) / size_, S(2) * reach_[static_cast<std::size_t>(i)] / size_);
    for (const Gap& gap : gaps_)  // what touches must not pass through each other
      step.include(gap.moved(step_) / size_, S(0.5) * gap.distance / size_);
    return step;
  }

  void move(S fraction) {
    for (std::size_t i = 0; i < x_.chains.size(); ++i)
      for (Index k = 0; k < x_.chains[i].nodes; ++k) {
        const Index first = first_[i] + 6 * k;
        const auto three = [&](Index at) {
          return Vec<S, 3>(fraction * step_[at], fraction * step_[at + 1], fraction * step_[at + 2]);
        };
        rod::move_node(x_.chains[i], k, three(first), three(first + 3));
      }
    left_ *= S(1) - fraction;
    if (at_target())
      for (std::size_t i = 0; i < target_.size(); ++i)
        for (Index k = 0; k < target_[i].nodes; ++k)
          if (all_held(first_[i] + 6 * k))
            x_.chains[i].set_frame(k, target_[i].rotation(k), target_[i].position(k));
    x_.z += fraction * step_.segment(nodes_, slides_);
    multipliers_ += fraction * step_.tail(positions_);
  }

  /// Cᵀm of all constraints: multipliers of their velocity rows. Throws what constraints throw that do not hold with them.
  [[nodiscard]] Column reactions() const {
    Column lambda;
    each_constraint([&]<class K>(const K& c, int, int z, int m) {
      using Terms = StaticTerms<K>;
      const auto x = Terms::template seen<S>(c, [points = find_points(c, z)](auto i) {
        const Point<S>& p = points[i];
        return Moving<S>{p.R, p.dR, p.rotation, p.V, p.W};
      });
      Vec<S, Terms::Traits::rows> own = Vec<S, Terms::Traits::rows>::Zero();
      if constexpr (Terms::P > 0) {
        const Vec<S, Terms::P> of_it = multipliers_.template segment<Terms::P>(m);
        if constexpr (Terms::Traits::Has::along) {
          const Eigen::Matrix<S, Terms::P, Terms::Traits::rows> along =
              with_seen([&](const auto&... one) { return c.along(one...); }, x);
          for (int r = 0; r < Terms::Traits::rows; ++r)
            for (int i = 0; i < Terms::P; ++i) own[r] += along(i, r) * of_it[i];
        } else {
          own = of_it;
        }
      }
      if constexpr (Terms::Traits::Has::check)
        with_seen([&](const auto&... one) { c.check(own, one..., x_.time); }, x);
      lambda.conservativeResize(lambda.size() + own.size());
      lambda.template tail<Terms::Traits::rows>() = own;
    });
    return lambda;
  }

  /// The bodies that nothing holds, each beginning with "; ".
  [[nodiscard]] std::string freedoms() const {
    std::vector<std::size_t> group(x_.chains.size());
    std::iota(group.begin(), group.end(), std::size_t(0));
    std::vector<char> is_held(group.size(), 0);
    for (std::size_t i = 0; i < group.size(); ++i)
      for (Index k = 0; k < x_.chains[i].nodes; ++k)
        if (any_held(first_[i] + 6 * k)) is_held[i] = 1;
    each_constraint([&]<class K>(const K& c, int, int z, int) {
      if constexpr (ConstraintTraits<K>::positions > 0) {
        std::vector<std::size_t> touched;
        bool space = ConstraintTraits<K>::places == 1;
        const auto borne = find_bearings(c, find_points(c, z));
        for (const Bearing<S>& b : borne) (b.nodes.empty() ? void(space = true) : touched.push_back(b.body));
        for (const std::size_t body : touched) {
          const std::size_t from = group[body], to = group[touched[0]];
          for (std::size_t i = 0; i < group.size(); ++i)
            if (group[i] == from) group[i] = to;
          if (space) is_held[body] = 1;
        }
      }
    });
    std::string text;
    for (std::size_t i = 0; i < group.size(); ++i) {
      bool free = true;
      for (std::size_t j = 0; j < group.size(); ++j) free = free && (group[i] != group[j] || !is_held[j]);
      if (free) text += message({"; body ", i, " is held by nothing"});
    }
    return text;
  }

 private:
  /// Two places that a single row keeps apart: how their distance changes in space.
  struct Gap {
    std::vector<std::pair<Index, S>> nodes;           // first unknown of a node, its weight
    std::vector<std::pair<Index, Vec<S, 3>>> slides;  // unknown s, what it moves
    S distance{};

    [[nodiscard]] S moved(const Column& step) const {
      Vec<S, 3> d(S(0), S(0), S(0));
      for (const auto& [at, weight] : nodes)
        for (int j = 0; j < 3; ++j) d[j] += weight * step[at + j];
      for (const auto& [at, along] : slides)
        for (int j = 0; j < 3; ++j) d[j] += along[j] * step[at];
      return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
  };

  static void keep(S& most, S value) noexcept {
    if (!(value <= most)) most = value;  // a NaN stays
  }
  [[nodiscard]] static std::size_t part(Index row) noexcept { return row % 6 < 3 ? 0 : 1; }
  void note_size(Index j, S load) noexcept {
    S& most = scale_[part(j)];
    most = std::max(most, std::abs(load));
  }
  [[nodiscard]] bool held(Index row) const noexcept { return held_[static_cast<std::size_t>(row)] != 0; }
  [[nodiscard]] bool any_held(Index first) const noexcept {
    bool any = false;
    for (Index j = 0; j < 6; ++j) any = any || held(first + j);
    return any;
  }
  [[nodiscard]] bool all_held(Index first) const noexcept {
    bool all = true;
    for (Index j = 0; j < 6; ++j) all = all && held(first + j);
    return all;
  }
  /// Rows of held degrees say something else.
  void add(Index row, Index column, S value) {
    if (row >= nodes_ || !held(row)) equations_.add(row, column, value);
  }

  /// Which degrees are held; nothing has to move.
  void find_target() {
    each_body([&](const auto& body, std::size_t i) {
      for (Index k = 0; k < body.nodes(); ++k) {
        const NodeInertia<S> inertia = node_inertia(body, k);
        for (int j = 0; j < 6; ++j)
          held_[static_cast<std::size_t>(first_[i] + 6 * k + j)] = inertia.inverse[j] == S(0);
      }
    });
    left_.setZero();
  }

  /// The extent of all nodes and places, kept; returns the largest coordinate of a node [m].
  S find_size() {
    Vec<S, 3> low = x_.chains[0].position(0), high = low;
    const auto include = [&](const Vec<S, 3>& r) {
      for (int j = 0; j < 3; ++j) {
        low[j] = std::min(low[j], r[j]);
        high[j] = std::max(high[j], r[j]);
      }
    };
    for (const Chain<S>& chain : x_.chains)
      for (Index k = 0; k < chain.nodes; ++k) include(chain.position(k));
    S far(0);
    for (int j = 0; j < 3; ++j) far = std::max({far, std::abs(low[j]), std::abs(high[j])});
    each_constraint([&]<class K>(const K& c, int, int z, int) {
      const auto points = find_points(c, z);
      StaticTerms<K>::each_place([&](auto i) { include(place_position(std::get<i>(c.places()), points[i])); });
    });
    size_ = std::sqrt((high[0] - low[0]) * (high[0] - low[0]) + (high[1] - low[1]) * (high[1] - low[1]) +
                      (high[2] - low[2]) * (high[2] - low[2]));
    if (!(size_ > S(0))) size_ = S(1);
    return far;
  }
  template <class Place>
  [[nodiscard]] static Vec<S, 3> place_position(const Place& place, const Point<S>& p) {
    return place.template seen<S>(Moving<S>{p.R, p.dR, p.rotation, p.V, p.W}).position;
  }

  template <class K>
  [[nodiscard]] auto find_points(const K& c, int z) const {
    typename StaticTerms<K>::Points points;
    const auto places = c.places();
    StaticTerms<K>::each_place([&](auto i) {
      S s(0);
      if constexpr (PlaceOf<K, i>::slides)
        s = x_.z[z + StaticTerms<K>::template slide<i> - 6 * StaticTerms<K>::N];
      std::get<i>(places).find(x_.chains, s, x_.time, points[i]);
    });
    return points;
  }
  template <class K, class Points>
  [[nodiscard]] auto find_bearings(const K& c, const Points& points) const {
    std::array<Bearing<S>, static_cast<std::size_t>(StaticTerms<K>::N)> borne;
    const auto places = c.places();
    StaticTerms<K>::each_place(
        [&](auto i) { borne[i] = Bearing<S>(std::get<i>(places), points[i], x_.chains, first_); });
    return borne;
  }

  /// A constraint whose internal coordinates begin at z, and its multipliers at m.
  template <class K>
  void add_constraint(const K& c, int z, int m) {
    using Terms = StaticTerms<K>;
    const auto points = find_points(c, z);
    const auto borne = find_bearings(c, points);
    Terms terms;
    terms.find(c, points, Vec<S, Terms::P>(multipliers_.template segment<Terms::P>(m)), x_.time);
    Terms::each_place([&](auto i) {
      if constexpr (!Terms::template slides<i>)
        turn_to_body(points[i].rotation, 6 * static_cast<int>(i), terms);
    });
    const Index s0 = nodes_ + z, m0 = nodes_ + slides_ + m;
    // f(unknown, weight) of a variable; of an output along it with `pulls`, where R′ takes no force
    const auto spread = [&](int v, const auto& f) {
      if (v >= 6 * Terms::N) return f(s0 + v - 6 * Terms::N, S(1));
      const Bearing<S>& b = borne[static_cast<std::size_t>(v / 6)];
      for (const BornNode<S>& n : b.nodes) {
        if (v % 6 < 3)
          f(n.unknown + v % 6, n.weight);
        else
          f(n.unknown + (b.slides ? v % 6 - 3 : v % 6), b.slides ? n.slope : S(1));
      }
    };
    for (int a = 0; a < 6 * Terms::N; ++a) {
      if (borne[static_cast<std::size_t>(a / 6)].slides && a % 6 >= 3) continue;
      spread(a, [&](Index row, S weight) {
        force_[row] += weight * terms.pull[a];
        note_size(a % 6, weight * terms.pull[a]);
        for (int v = 0; v < Terms::variables; ++v) {
          const S slope = weight * terms.curvature(a, v);
          if (slope != S(0)) spread(v, [&](Index column, S w) { add(row, column, -slope * w); });
        }
        for (int p = 0; p < Terms::P; ++p) add(row, m0 + p, -weight * terms.slopes(p, a));
      });
    }
    Terms::each_place([&](auto i) {  // the pull moves along with s
      if constexpr (Terms::template slides<i>)
        for (const BornNode<S>& n : borne[i].nodes)
          for (int j = 0; j < 3; ++j)
            add(n.unknown + j, s0 + Terms::template slide<i> - 6 * Terms::N,
                -n.slope * terms.pull[6 * static_cast<int>(i) + j]);
    });
    for (int v = 0; v < Terms::variables; ++v)
      spread(v, [&](Index column, S w) {
        for (int p = 0; p < Terms::P; ++p) add(m0 + p, column, -terms.slopes(p, v) * w);
        for (int r = 0; r < Terms::Z; ++r) add(s0 + r, column, terms.tangency(r, v) * w);
      });
    for (int p = 0; p < Terms::P; ++p) error_[m + p] = terms.error[p];
    for (int r = 0; r < Terms::Z; ++r) apart_[z + r] = terms.apart[r];
    reach_.resize(static_cast<std::size_t>(slides_));
    Terms::each_place([&](auto i) {
      if constexpr (Terms::template slides<i>)
        reach_[static_cast<std::size_t>(z + Terms::template slide<i> - 6 * Terms::N)] =
            std::get<i>(c.places()).reach();
    });
    if constexpr (Terms::P == 1 && Terms::N == 2) add_gap(c, points, borne, s0);
  }

  template <class K, class Points, class Bearings>
  void add_gap(const K& c, const Points& points, const Bearings& borne, Index s0) {
    Gap gap;
    Vec<S, 3> between(S(0), S(0), S(0));
    StaticTerms<K>::each_place([&](auto i) {
      const S sign = i == 0 ? S(-1) : S(1);
      const Vec<S, 3> at = place_position(std::get<i>(c.places()), points[i]);
      for (int j = 0; j < 3; ++j) between[j] += sign * at[j];
      for (const BornNode<S>& n : borne[i].nodes) gap.nodes.emplace_back(n.unknown, sign * n.weight);
      if constexpr (PlaceOf<K, i>::slides)
        gap.slides.emplace_back(s0 + StaticTerms<K>::template slide<i> - 6 * StaticTerms<K>::N,
                                Vec<S, 3>(sign * points[i].dR));
    });
    gap.distance = std::sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
    if (gap.distance > S(0)) gaps_.push_back(std::move(gap));
  }

  template <class F>
  void each_body(F&& f) const {
    std::size_t number = 0;
    const auto kind = [&](const auto& list) {
      for (const auto& body : list) f(body, number++);
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, bodies_);
  }
  /// f(constraint, its number in its kind, its first internal coordinate, its first position row).
  template <class F>
  void each_constraint(F&& f) const {
    int z = 0, m = 0;
    [[maybe_unused]] const auto kind = [&]<class K>(const std::vector<K>& list) {
      int number = 0;
      for (const K& c : list) {
        f(c, number++, z, m);
        z += ConstraintTraits<K>::slides;
        m += ConstraintTraits<K>::positions;
      }
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, constraints_);
  }

  const Bodies& bodies_;
  const Constraints& constraints_;
  State<S>& x_;
  State<S> before_;
  std::vector<Chain<S>> target_;
  std::vector<Index> first_;  // unknown of the first node of a body
  Index nodes_ = 0;           // unknowns of nodes
  int slides_ = 0, positions_ = 0;
  std::vector<char> held_;
  std::vector<rod::Columns<S, 6>> loads_;
  Column force_, error_, apart_, left_, multipliers_, multipliers_before_, missing_, step_;
  StaticEquations<S> equations_;
  std::vector<Gap> gaps_;
  std::vector<S> reach_;
  std::array<S, 2> scale_{}, floor_{};  // of forces and torques
  S size_{1}, part_{};
  std::size_t turned_ = 0;
};

}  // namespace dalembert::assembly::detail
