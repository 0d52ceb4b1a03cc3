#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touch_geometry.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/contact/touching.hpp>

/// The balls of all bodies and the surfaces that they may touch, and where they do.
namespace dalembert::contact::detail {

/// The nodes of a rod, each the centre of a ball; of the numbers those of the first.
template <class S>
struct RodNodes {
  std::size_t body = 0, first_ball = 0, first = 0;
  Eigen::Index nodes = 0;
  S radius{};
};

/// The node of a body that meets others, as a chain of one, and how fast its balls may be.
template <class S>
struct MovingPoint {
  static constexpr Eigen::Index nodes = 1;
  Vec<S, 3> at;
  S speed;

  [[nodiscard]] const Vec<S, 3>& position(Eigen::Index) const noexcept { return at; }
};

/// All of them; made once, and then only read.
template <class S>
class TouchingSurfaces {
 public:
  using V = Vec<S, 3>;
  using State = assembly::State<S>;

  /// Of the bodies of an assembly. Throws std::invalid_argument.
  template <class Assembly, std::size_t... I>
  TouchingSurfaces(const Touching<S>& what, const Assembly& problem, std::index_sequence<I...>)
      : what_(what) {
    what_.check();
    std::vector<Eigen::Index> nodes;
    const auto add = [&](const auto& body) {
      inertia_.add(body);
      first_.push_back(first_.empty() ? 0 : first_.back() + static_cast<std::size_t>(nodes.back()));
      nodes.push_back(body.nodes());
    };
    const auto kind = [&](const auto& list) {
      for (const auto& body : list) add(body);
    };
    (kind(problem.template bodies<I>()), ...);
    require(what_.radii.empty() || what_.radii.size() == nodes.size(), "Touching", "radii",
            what_.radii.size(),
            message({"there must be one for each body, or none, and there are ", nodes.size(), " bodies"}));
    std::size_t i = 0;
    const auto add_nodes = [&](const auto& list) {
      for (const auto& body : list) add_rod(body, i++);
    };
    (add_nodes(problem.template bodies<I>()), ...);
    for (const Ball<S>& ball : what_.balls) add_ball(ball, nodes);
    for (std::size_t k = 0; k < what_.planes.size(); ++k) {
      const auto& p = what_.planes[k];
      surfaces_.push_back(
          {.point = p.point, .axis = p.normal, .velocity = p.velocity, .name = TouchingSurface::plane(k)});
    }
    for (std::size_t k = 0; k < what_.plates.size(); ++k) {
      const auto& p = what_.plates[k];
      surfaces_.push_back(
          {.point = p.plane.point, .axis = p.plane.normal, .name = TouchingSurface::plate(k)});
      bear(surfaces_.back(), p.marker, nodes);
    }
    for (std::size_t k = 0; k < what_.drums.size(); ++k) {
      const auto& d = what_.drums[k];
      surfaces_.push_back({.flat = false,
                           .inside = d.inside,
                           .radius = d.surface.radius,
                           .point = d.surface.centre,
                           .axis = d.surface.axis,
                           .velocity = d.velocity,
                           .angular_velocity = d.angular_velocity,
                           .name = TouchingSurface::drum(k)});
      if (d.marker) bear(surfaces_.back(), *d.marker, nodes);
      for (const NodeBall<S>& ball : balls_)
        require(!d.inside || ball.radius < d.surface.radius || !touches(ball.body, surfaces_.back().name),
                "Touching", "radius of a ball in a hollow", ball.radius,
                "it must be smaller than the hollow [m]");
    }
  }

  [[nodiscard]] const assembly::Inertias<S>& inertia() const noexcept { return inertia_; }
  [[nodiscard]] const std::vector<NodeBall<S>>& balls() const noexcept { return balls_; }
  [[nodiscard]] const std::vector<TouchedSurface<S>>& surfaces() const noexcept { return surfaces_; }
  [[nodiscard]] const std::vector<RodNodes<S>>& rods() const noexcept { return rods_; }
  [[nodiscard]] std::size_t bodies() const noexcept { return first_.size(); }
  /// Bodies with balls that may touch each other: what a grid is made for.
  [[nodiscard]] const std::vector<std::size_t>& meeting() const noexcept { return meeting_; }
  [[nodiscard]] BlockGrid<S> make_grid() const {
    return BlockGrid<S>(std::vector<Eigen::Index>(meeting_.size(), 1));
  }

  /// Every pair of a ball and a surface that may meet in a step of h [s]: f(touch), looked at and in order.
  /// Without `rods`, nodes of rods at surfaces in space are left out.
  template <class F>
  void each_near(const State& x, S h, BlockGrid<S>& grid, std::vector<MovingPoint<S>>& points, const F& f,
                 bool rods = true) const {
    S fastest(0);  // a body that is hit, or moved out of another, goes as far as what hits it
    points.resize(meeting_.size());
    for (std::size_t i = 0; i < meeting_.size(); ++i) {
      const rod::Chain<S>& chain = x.chains[meeting_[i]];
      points[i].at = chain.position(0);
      points[i].speed = chain.linear_velocity(0).norm() + extent_[i] * chain.angular_velocity(0).norm();
      fastest = std::max(fastest, points[i].speed);
    }
    const S way = S(2) * h * fastest;
    Touch<S> touch;
    bool borne = false;
    for (const auto& surface : surfaces_) borne = borne || surface.borne;
    for (std::size_t b = rods || borne ? 0 : rod_balls_; b < balls_.size(); ++b)
      for (std::size_t k = 0; k < surfaces_.size(); ++k) {
        if (surfaces_[k].borne ? surfaces_[k].body == balls_[b].body : !rods && balls_[b].of_rod) continue;
        if (is_far_above(surfaces_[k], b, points, way)) continue;
        if (!begin(touch, b, static_cast<std::ptrdiff_t>(k))) continue;
        if (is_near(touch, x, h, balls_[b].of_rod ? S(0) : way)) f(touch);
      }
    if (meeting_.size() < 2) return;
    const auto point = [&](std::size_t i) -> const MovingPoint<S>& { return points[i]; };
    const auto margin = [&](std::size_t i) { return extent_[i] + way; };
    grid.each_pair(point, margin, [&](const SphereBlock<S>& one, const SphereBlock<S>& two) {
      if (one.chain == two.chain) return;
      for (std::size_t b = first_ball_[one.chain]; b < first_ball_[one.chain + 1]; ++b)
        for (std::size_t o = first_ball_[two.chain]; o < first_ball_[two.chain + 1]; ++o) {
          if (!begin(touch, meeting_balls_[b], -1 - static_cast<std::ptrdiff_t>(meeting_balls_[o]))) continue;
          if (is_near(touch, x, h, way)) f(touch);
        }
    });
  }

  /// The same without room for points: allocates.
  template <class F>
  void each_near(const State& x, S h, BlockGrid<S>& grid, const F& f) const {
    std::vector<MovingPoint<S>> points;
    each_near(x, h, grid, points, f);
  }
  /// f(touch) if this node of a rod and this surface may meet.
  template <class F>
  void near(std::size_t ball, std::size_t surface, const State& x, S h, const F& f) const {
    Touch<S> touch;
    if (begin(touch, ball, static_cast<std::ptrdiff_t>(surface)) && is_near(touch, x, h, S(0))) f(touch);
  }

  /// A new touch of these; false if they never do.
  [[nodiscard]] bool begin(Touch<S>& t, std::size_t ball, std::ptrdiff_t other) const {
    t.ball = ball;
    t.other = other;
    t.friction = what_.friction;
    t.restitution = what_.restitution;
    if (what_.pairs.empty()) return true;
    const TouchingSurface one{TouchingSurface::Kind::body, balls_[ball].body};
    if (const auto* pair = exception(one, this->other(t))) {
      t.friction = pair->friction;
      t.restitution = pair->restitution;
      return pair->touches;
    }
    return true;
  }

  /// Look at the configuration: where the contact is and how far it is open.
  void look(Touch<S>& t, const State& x) const {
    if (t.other < 0)
      look_at_ball(t, balls_[t.ball], balls_[static_cast<std::size_t>(-1 - t.other)], x);
    else
      look_at_surface(t, balls_[t.ball], surfaces_[static_cast<std::size_t>(t.other)], x);
  }
  /// After `look`, what changes while the nodes keep their velocities.
  void find_rates(Touch<S>& t, const State& x) const {
    if (t.other < 0)
      find_rates_at_ball(t, balls_[t.ball], balls_[static_cast<std::size_t>(-1 - t.other)], x);
    else
      find_rates_at_surface(t, balls_[t.ball], surfaces_[static_cast<std::size_t>(t.other)], x);
  }

  /// Throws BodiesOverlap for bodies, and for a body in a surface of space.
  [[noreturn]] void throw_overlap(const Touch<S>& t, S time) const {
    const double depth = number::plain(S(-t.gap));
    if (t.sides[1].there())
      throw BodiesOverlap(t.sides[0].body, 0, t.sides[1].body, 0, depth, number::plain(time));
    throw BodiesOverlap(name(t), depth, number::plain(time));
  }
  /// What the ball of a touch is at.
  [[nodiscard]] TouchingSurface other(const Touch<S>& t) const {
    if (t.other >= 0) return surfaces_[static_cast<std::size_t>(t.other)].name;
    return {TouchingSurface::Kind::body, balls_[static_cast<std::size_t>(-1 - t.other)].body};
  }
  /// The surfaces of a touch, for messages.
  [[nodiscard]] std::string name(const Touch<S>& t) const {
    using Kind = TouchingSurface::Kind;
    const std::string one = message({"body ", t.sides[0].body, " at node ", t.sides[0].node});
    if (t.other < 0) return message({one, " and body ", t.sides[1].body});
    const TouchingSurface& s = surfaces_[static_cast<std::size_t>(t.other)].name;
    const char* sort = s.kind == Kind::plane   ? " and plane "
                       : s.kind == Kind::plate ? " and plate "
                                               : " and drum ";
    return message({one, sort, s.number});
  }

 private:
  template <class B>
  void add_rod(const B& body, std::size_t i) {
    if constexpr (requires { body.spacing(); }) {
      S radius = what_.radii.empty() ? S(0) : what_.radii[i];
      if constexpr (requires { body.parameters().inertia.rotary; })
        if (!(radius > S(0))) radius = radius_by_inertia<S>(body);
      require_entry(radius > S(0) && number::isfinite(radius), "Touching", "radius of body", i, radius,
                    "a rod that touches something must have one [m]");
      rods_.push_back({i, balls_.size(), first_[i], body.nodes(), radius});
      rod_balls_ += static_cast<std::size_t>(body.nodes());
      for (Eigen::Index k = 0; k < body.nodes(); ++k)
        balls_.push_back({i, first_[i] + static_cast<std::size_t>(k), k, V::Zero(), radius, true});
    }
  }
  void add_ball(const Ball<S>& ball, const std::vector<Eigen::Index>& nodes) {
    const auto& m = ball.centre;
    require(m.on_body() && m.body < nodes.size() && m.node >= 0 && m.node < nodes[m.body], "Touching",
            "marker of a ball", m.body, "it must be on a node of a body");
    require(ball.radius > S(0) && number::isfinite(ball.radius), "Touching", "radius of a ball", ball.radius,
            "it must be positive and finite [m]");
    balls_.push_back(
        {m.body, first_[m.body] + static_cast<std::size_t>(m.node), m.node, m.offset, ball.radius});
    note_meeting(balls_.size() - 1, nodes);
  }
  /// Balls of bodies of one node may touch each other.
  void note_meeting(std::size_t b, const std::vector<Eigen::Index>& nodes) {
    const NodeBall<S>& ball = balls_[b];
    point_of_.push_back(TouchSide<S>::none);
    if (nodes[ball.body] != 1) return;
    auto at = std::find(meeting_.begin(), meeting_.end(), ball.body);
    const auto i = static_cast<std::size_t>(at - meeting_.begin());
    if (at == meeting_.end()) {
      meeting_.push_back(ball.body);
      extent_.push_back(S(0));
      if (first_ball_.empty()) first_ball_.push_back(0);
      first_ball_.push_back(first_ball_.back());
    }
    point_of_.back() = i;
    extent_[i] = std::max(extent_[i], S(ball.offset.norm() + S(1.03) * ball.radius));
    meeting_balls_.insert(meeting_balls_.begin() + static_cast<std::ptrdiff_t>(first_ball_[i + 1]), b);
    for (std::size_t k = i + 1; k < first_ball_.size(); ++k) ++first_ball_[k];
  }
  void bear(TouchedSurface<S>& surface, const assembly::FrameMarker<S>& m,
            const std::vector<Eigen::Index>& nodes) {
    require(m.body < nodes.size() && m.node >= 0 && m.node < nodes[m.body], "Touching", "marker of a surface",
            m.body, "it must be on a node of a body");
    surface.borne = true;
    surface.body = m.body;
    surface.node = m.node;
    surface.all = first_[m.body] + static_cast<std::size_t>(m.node);
    surface.point = m.offset + m.rotation.act(surface.point);
    surface.axis = m.rotation.act(surface.axis);
  }

  [[nodiscard]] const TouchingPair<S>* exception(const TouchingSurface& a, const TouchingSurface& b) const {
    for (const auto& pair : what_.pairs)
      if ((a.among(pair.first) && b.among(pair.second)) || (a.among(pair.second) && b.among(pair.first)))
        return &pair;
    return nullptr;
  }
  [[nodiscard]] bool touches(std::size_t body, const TouchingSurface& other) const {
    const auto* pair = exception({TouchingSurface::Kind::body, body}, other);
    return pair == nullptr || pair->touches;
  }
  /// Whether a plane in space is out of reach for sure, without a look at the body.
  [[nodiscard]] bool is_far_above(const TouchedSurface<S>& on, std::size_t b,
                                  const std::vector<MovingPoint<S>>& points, S way) const {
    if (!on.flat || on.borne || b < rod_balls_) return false;
    const std::size_t i = point_of_[b - rod_balls_];
    if (i == TouchSide<S>::none) return false;
    return on.axis.dot(V(points[i].at - on.point)) > S(1.05) * extent_[i] + way;
  }
  /// Whether it may close within a step of h, in which others may move it by `way`.
  [[nodiscard, gnu::noinline]] bool is_near(Touch<S>& t, const State& x, S h, S way) const {
    const NodeBall<S>& ball = balls_[t.ball];
    if (t.other >= 0) {  // by its distance alone, before all else
      const TouchedSurface<S>& on = surfaces_[static_cast<std::size_t>(t.other)];
      if (on.flat && !on.borne) {
        const auto& chain = x.chains[ball.body];
        const S v = number::abs(on.axis.dot(chain.linear_velocity(ball.node))) +
                    ball.offset.norm() * chain.angular_velocity(ball.node).norm();
        const S height = on.axis.dot(V(chain.position(ball.node) - on.point)) - ball.offset.norm();
        if (height > S(1.05) * ball.radius + std::max(way, S(S(2) * h * v))) return false;
      }
    }
    look(t, x);
    const S speed = t.velocity(x).norm();
    if (!(t.gap <= S(0.05) * t.radius + std::max(way, S(S(2) * h * speed)))) return false;
    // what is solid on both sides could be passed through
    const TouchedSurface<S>* on = t.other < 0 ? nullptr : &surfaces_[static_cast<std::size_t>(t.other)];
    const bool bulk = on == nullptr || !(on->flat || on->inside);
    const S other_radius = on == nullptr ? balls_[static_cast<std::size_t>(-1 - t.other)].radius : on->radius;
    const S opening = number::abs(S(t.normal().dot(t.velocity(x))));
    if (bulk && h * opening > S(0.5) * (t.radius + other_radius)) [[unlikely]]
      throw ContactTooFast(message({"ContactTooFast: ", name(t), " go ", number::plain(S(h * opening)),
                                    " m towards each other in a step, more than half their radii,"}),
                           number::plain(x.time));
    return true;
  }

  Touching<S> what_;
  assembly::Inertias<S> inertia_;
  std::vector<std::size_t> first_;  // node of each body
  std::vector<NodeBall<S>> balls_;  // those of rods first
  std::size_t rod_balls_ = 0;       // how many these are
  std::vector<RodNodes<S>> rods_;
  std::vector<TouchedSurface<S>> surfaces_;
  std::vector<std::size_t> meeting_, first_ball_, meeting_balls_;
  std::vector<std::size_t> point_of_;  // of balls after those of rods: which of the meeting bodies, or none
  std::vector<S> extent_;              // how far balls reach from the node of a body
};

}  // namespace dalembert::contact::detail
