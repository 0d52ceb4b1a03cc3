#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/centreline.hpp>
#include <dalembert/contact/detail/check_touching.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touch_geometry.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>

/// The bodies of an assembly as what touches: balls, centrelines of rods, surfaces, and the law of each pair.
namespace dalembert::contact::detail {

/// All of them; made once, and then only read.
template <class S>
class TouchingBodies {
 public:
  using V = Vec<S, 3>;
  using State = assembly::State<S>;

  /// Of the bodies of an assembly, of this set; those of these pairs do not touch each other. Throws
  /// std::invalid_argument.
  template <class Assembly>
  [[gnu::cold, gnu::noinline]] TouchingBodies(const Touching<S>& what, const Assembly& problem,
                                              std::vector<std::array<std::size_t, 2>> apart,
                                              assembly::BodySetId set = 0)
      : what_(what), apart_(std::move(apart)), set_(set) {
    dalembert::detail::heap_sort(apart_.begin(), apart_.end());
    what_.check();
    std::vector<Eigen::Index> nodes;
    assembly::each_of(problem.bodies(), [&](const auto& body, std::size_t) {
      inertia_.add(body);
      first_.push_back(first_.empty() ? 0 : first_.back() + static_cast<std::size_t>(nodes.back()));
      spacing_.push_back(S(0));
      radius_.push_back(S(0));
      nodes.push_back(body.nodes());
    });
    require(what_.radii.empty() || what_.radii.size() == nodes.size(), "Touching", "radii",
            what_.radii.size(),
            message({"there must be one for each body, or none, and there are ", nodes.size(), " bodies"}));
    nodes_ = first_.empty() ? 0 : first_.back() + static_cast<std::size_t>(nodes.back());
    assembly::each_of(problem.bodies(), [&](const auto& body, std::size_t i) { add_rod(body, i); });
    add_surfaces(nodes);
  }

  [[nodiscard]] const assembly::Inertias<S>& inertia() const noexcept { return inertia_; }
  [[nodiscard]] const std::vector<NodeBall<S>>& balls() const noexcept { return balls_; }
  /// Of the nodes of each body, 0 if it is no rod [m].
  [[nodiscard]] const std::vector<S>& spacing() const noexcept { return spacing_; }
  /// Of each body, 0 if it has none [m].
  [[nodiscard]] const std::vector<S>& radius() const noexcept { return radius_; }
  [[nodiscard]] const std::vector<TouchedSurface<S>>& surfaces() const noexcept { return surfaces_; }
  [[nodiscard]] const std::vector<RodNodes<S>>& rods() const noexcept { return rods_; }
  [[nodiscard]] std::size_t bodies() const noexcept { return first_.size(); }
  /// Of all bodies.
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_; }
  /// Bodies with balls that may touch each other: what a grid is made for.
  [[nodiscard]] const std::vector<std::size_t>& meeting() const noexcept { return meeting_; }
  /// A new touch of these; false if they never do.
  [[nodiscard]] bool begin(Touch<S>& t, std::size_t ball, std::ptrdiff_t other) const {
    t.ball = ball;
    t.other = other;
    t.friction = what_.friction;
    t.restitution = what_.restitution;
    if (!apart_.empty() && are_apart(t)) return false;
    if (what_.pairs.empty()) return true;
    const TouchingSurface one{TouchingSurface::Kind::body, balls_[ball].body};
    if (const auto* pair = exception(one, this->other(t))) {
      t.friction = pair->friction;
      t.restitution = pair->restitution;
      return pair->touches;
    }
    return true;
  }

  /// Throws BodiesOverlap for bodies, and for a body in a surface of space.
  [[noreturn]] void throw_overlap(const Touch<S>& t, S time) const {
    const double depth = number::plain(S(-t.gap));
    if (t.cell != nullptr)
      throw BodiesOverlap(t.sides[0].window.body, number::plain(t.cell->places[0].s), t.sides[1].window.body,
                          number::plain(t.cell->places[1].s), depth, number::plain(time));
    if (t.sides[1].there())
      throw BodiesOverlap(t.sides[0].window.body, 0, t.sides[1].window.body, 0, depth, number::plain(time));
    throw BodiesOverlap(name(t), depth, number::plain(time));
  }
  /// The same where both are held, or led, so that impulses move nothing.
  [[noreturn, gnu::cold, gnu::noinline]] void throw_led_together(const Touch<S>& t, S time) const {
    throw BodiesOverlap(message({name(t), ", of which nothing can move there,"}), number::plain(S(-t.gap)),
                        number::plain(time));
  }
  /// What the ball of a touch is at.
  [[nodiscard]] TouchingSurface other(const Touch<S>& t) const {
    if (t.cell != nullptr) return {TouchingSurface::Kind::body, t.sides[1].window.body};
    if (t.other >= 0) return surfaces_[static_cast<std::size_t>(t.other)].name;
    return {TouchingSurface::Kind::body, balls_[static_cast<std::size_t>(-1 - t.other)].body};
  }
  /// The node of its first side, of a rod the nearest.
  [[nodiscard]] Eigen::Index node(const Touch<S>& t) const {
    if (t.cell == nullptr) return t.sides[0].window.first;
    const Centreline<S>& line = *lines_of(*t.cell)[0];
    if (line.is_ball()) return line.node();
    return static_cast<Eigen::Index>(std::floor(number::plain(t.cell->places[0].s / line.spacing()) + 0.5));
  }
  /// Of the two radii of a touch the smaller one, where both are round from without [m].
  [[nodiscard]] S smaller_radius(const Touch<S>& t) const {
    if (t.cell != nullptr) return std::min(lines_of(*t.cell)[0]->radius, lines_of(*t.cell)[1]->radius);
    const S mine = balls_[t.ball].radius;
    if (t.other < 0) return std::min(mine, balls_[static_cast<std::size_t>(-1 - t.other)].radius);
    const TouchedSurface<S>& on = surfaces_[static_cast<std::size_t>(t.other)];
    return on.flat || on.inside ? mine : std::min(mine, on.radius);
  }
  /// The surfaces of a touch, for messages.
  [[nodiscard]] std::string name(const Touch<S>& t) const {
    using Kind = TouchingSurface::Kind;
    const std::string one = message({"body ", t.sides[0].window.body, " at node ", node(t)});
    if (t.cell != nullptr || t.other < 0) return message({one, " and body ", t.sides[1].window.body});
    const TouchingSurface& s = surfaces_[static_cast<std::size_t>(t.other)].name;
    const char* sort = s.kind == Kind::plane   ? " and plane "
                       : s.kind == Kind::plate ? " and plate "
                                               : " and drum ";
    return message({one, sort, s.number});
  }

 protected:
  /// The law of a new touch of a cell; false if its bodies never do.
  [[nodiscard]] bool begin_cell(Touch<S>& t) const {
    const auto [one, two] = lines_of(*t.cell);
    t.friction = what_.friction;
    t.restitution = what_.restitution;
    if (what_.pairs.empty()) return true;
    const TouchingSurface first{TouchingSurface::Kind::body, one->body};
    if (const auto* pair = exception(first, {TouchingSurface::Kind::body, two->body})) {
      t.friction = pair->friction;
      t.restitution = pair->restitution;
      return pair->touches;
    }
    return true;
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
  [[nodiscard]] std::array<const Centreline<S>*, 2> lines_of(const CellContact<S>& c) const noexcept {
    return {&lines_[c.first], &lines_[c.second]};
  }

  Touching<S> what_;
  std::vector<std::array<std::size_t, 2>> apart_;
  assembly::BodySetId set_ = 0;
  assembly::Inertias<S> inertia_;
  std::vector<std::size_t> first_;  // node of each body
  std::size_t nodes_ = 0;           // of all of them
  std::vector<NodeBall<S>> balls_;  // those of rods first
  std::size_t rod_balls_ = 0;       // how many these are
  std::vector<RodNodes<S>> rods_;
  std::vector<Centreline<S>> lines_;  // rods, and balls of bodies
  std::vector<S> spacing_, radius_;   // of bodies, 0 if there is none; the largest of balls
  std::vector<TouchedSurface<S>> surfaces_;
  std::vector<std::size_t> meeting_, first_ball_, meeting_balls_;
  std::vector<std::size_t> point_of_;  // of balls but for those of rods: number among those that meet
  std::vector<S> extent_;              // how far balls reach from the node of a body

 private:
  /// Balls and surfaces, once the rods are there; `nodes` of each body.
  [[gnu::cold, gnu::noinline]] void add_surfaces(const std::vector<Eigen::Index>& nodes);
  [[gnu::cold, gnu::noinline]] void add_rod_line(std::size_t body, Eigen::Index nodes, S spacing, S radius);
  template <class B>
  void add_rod(const B& body, std::size_t i) {
    if constexpr (requires { body.spacing(); }) {
      S radius = what_.radii.empty() ? S(0) : what_.radii[i];
      if constexpr (requires { body.parameters().inertia.rotary; })
        if (!(radius > S(0))) radius = radius_by_inertia<S>(body);
      add_rod_line(i, body.nodes(), body.spacing(), radius);
    }
  }
  [[gnu::cold, gnu::noinline]] void add_ball(const Ball<S>& ball, const std::vector<Eigen::Index>& nodes) {
    const auto& m = ball.centre;
    check_marker(m, "marker of a ball", nodes, set_);
    require(ball.radius > S(0) && number::isfinite(ball.radius), "Touching", "radius of a ball", ball.radius,
            "it must be positive and finite [m]");
    balls_.push_back(
        {m.body, first_[m.body] + static_cast<std::size_t>(m.node), m.node, m.offset, ball.radius});
    radius_[m.body] = std::max(radius_[m.body], ball.radius);
    lines_.push_back(Centreline<S>::of_ball(m.body, m.node, m.offset, ball.radius));
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
    check_marker(m, "marker of a surface", nodes, set_);
    surface.borne = true;
    surface.body = m.body;
    surface.node = m.node;
    surface.all = first_[m.body] + static_cast<std::size_t>(m.node);
    surface.point = m.offset + m.rotation.act(surface.point);
    surface.axis = m.rotation.act(surface.axis);
  }

  /// Whether the bodies of a touch never meet.
  [[nodiscard]] bool are_apart(const Touch<S>& t) const {
    const std::size_t mine = balls_[t.ball].body;
    if (t.other < 0) return are_apart(mine, balls_[static_cast<std::size_t>(-1 - t.other)].body);
    const TouchedSurface<S>& on = surfaces_[static_cast<std::size_t>(t.other)];
    return on.borne && are_apart(mine, on.body);
  }
  [[nodiscard]] bool are_apart(std::size_t one, std::size_t other) const {
    return std::binary_search(apart_.begin(), apart_.end(),
                              std::array{std::min(one, other), std::max(one, other)});
  }
};

template <class S>
void TouchingBodies<S>::add_rod_line(std::size_t body, Eigen::Index nodes, S spacing, S radius) {
  require_entry(radius > S(0) && number::isfinite(radius), "Touching", "radius of body", body, radius,
                "a rod that touches something must have one [m]");
  lines_.push_back(Centreline<S>::of_rod(body, nodes, spacing, radius));
  spacing_[body] = spacing;
  radius_[body] = radius;
  rods_.push_back({body, balls_.size(), first_[body], nodes, radius});
  rod_balls_ += static_cast<std::size_t>(nodes);
  for (Eigen::Index k = 0; k < nodes; ++k)
    balls_.push_back({body, first_[body] + static_cast<std::size_t>(k), k, V::Zero(), radius, true});
}

template <class S>
void TouchingBodies<S>::add_surfaces(const std::vector<Eigen::Index>& nodes) {
  for (std::size_t i = 0; i < what_.radii.size(); ++i)
    require_entry(what_.radii[i] >= S(0), "Touching", "radii", i, what_.radii[i],
                  "a radius must not be negative, nor no number; 0 is what the inertia of a rod says [m]");
  check_pairs(what_, nodes.size());
  for (const Ball<S>& ball : what_.balls) add_ball(ball, nodes);
  // by bodies, those of one as they are; most are in order
  for (auto line = lines_.begin(); line != lines_.end(); ++line)
    std::rotate(std::upper_bound(lines_.begin(), line, *line,
                                 [](const auto& one, const auto& two) { return one.body < two.body; }),
                line, line + 1);
  for (std::size_t k = 0; k < what_.planes.size(); ++k) {
    const auto& p = what_.planes[k];
    surfaces_.push_back(
        {.point = p.point, .axis = p.normal, .velocity = p.velocity, .name = TouchingSurface::plane(k)});
  }
  for (std::size_t k = 0; k < what_.plates.size(); ++k) {
    const auto& p = what_.plates[k];
    surfaces_.push_back({.point = p.plane.point, .axis = p.plane.normal, .name = TouchingSurface::plate(k)});
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
    const TouchedSurface<S>& on = surfaces_.back();
    for (const NodeBall<S>& ball : balls_) {
      const bool never = on.borne && (ball.body == on.body || are_apart(ball.body, on.body));
      require(never || !on.inside || ball.radius < on.radius || !touches(ball.body, on.name), "Touching",
              "radius of a ball in a hollow", ball.radius, "it must be smaller than the hollow [m]");
    }
  }
}

}  // namespace dalembert::contact::detail
