#pragma once

/// @file
/// Bodies anywhere in space, of any size, and position rows of every kind that have to close there.

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace closing_scene {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;
using Axis = contact::AxisMarker<double>;
using Vec3 = Vec<double, 3>;
using Turn = SO3<double>;

/// A point of a body is as far from a point of space as a string is long: a row in square metres, which says nothing but its position.
struct OnString {
  using Scalar = double;
  static constexpr std::string_view name = "OnString";
  Marker marker;
  Vec3 nail;
  double length{};

  auto markers() const { return std::tie(marker); }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    T square(0);
    for (int i = 0; i < 3; ++i) square += (x.position[i] - nail[i]) * (x.position[i] - nail[i]);
    return Vec<T, 1>(square - length * length);
  }
};

/// A ball that rolls in a bowl.
struct InBowl {
  using Scalar = double;
  static constexpr std::string_view name = "InBowl";
  Marker marker;
  Vec3 centre;
  double ball{}, bowl{};

  auto markers() const { return std::tie(marker); }
  template <class T>
  Vec<T, 3> from_centre(const FrameState<T>& x) const {
    Vec<T, 3> d;
    for (int i = 0; i < 3; ++i) d[i] = x.position[i] - centre[i];
    return d;
  }
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& x, const T&) const {
    const Vec<T, 3> d = from_centre(x), arm = T(ball) * d / d.norm();
    return x.velocity + x.angular_velocity.cross(arm);
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(from_centre(x).norm() - (bowl - ball));
  }
  Eigen::Matrix<double, 1, 3> along(const FrameState<double>& x) const {
    const Vec3 d = from_centre(x);
    return (d / d.norm()).transpose();
  }
};

/// Where a point has to go.
struct Path {
  Vec3 at, speed;
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    using std::sin;
    Vec<T, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = at[i] + speed[i] * sin(t);
    return x;
  }
};

using Prescribed = PrescribedMotion<double, Path>;
using OnPlane = contact::RollingOnPlane<double>;
using SlidingOnPlane = contact::SlidingOnPlane<double>;
using Rubbing = contact::Frictional<OnPlane>;
using OnCylinder = contact::RollingOnCylinder<double, Marker>;
using SlidingOnCylinder = contact::SlidingOnCylinder<double, Marker>;
using OnRod = contact::RollingOnRod<double, Axis>;
using SlidingOnRod = contact::SlidingOnRod<double, Axis>;
using Spherical = SphericalJoint<double>;
using All = Kinds<Spherical, Hinge<double>, Weld<double>, Prescribed, OnPlane, SlidingOnPlane, OnCylinder,
                  SlidingOnCylinder, OnRod, SlidingOnRod, OnString, InBowl>;
using Problem = Assembly<Kinds<Body>, All>;

/// Bodies of one size somewhere in space, and what holds them: each function adds a constraint of one kind that holds where the bodies are.
class Scene {
 public:
  explicit Scene(unsigned seed, int bodies) : draw_(seed) {
    size_ = draw_.power(-6, 6);
    include(size_);
    const Vec3 first = draw_.origin(size_);
    for (int b = 0; b < bodies; ++b) {
      const double mass = draw_.power(-6, 6);
      Body::Parameters p{.mass = mass};
      for (int i = 0; i < 3; ++i) p.inertia[i] = mass * size_ * size_ * draw_.between(0.3, 0.5);
      bodies_.emplace_back(p);
      // the first node is as near to the origin of space as was drawn
      const Vec3 r = first + (b > 0 ? Vec3(2 * size_ * draw_.direction()) : Vec3(0, 0, 0));
      chains_.push_back(bodies_.back().at(r, draw_.rotation()));
      include(r);
    }
  }

  Vec3 centre(std::size_t b = 0) const { return chains_[b].position(0); }
  double size() const { return size_; }
  /// A place of body b, and where it is.
  Marker place(std::size_t b, double size) { return {b, 0, Vec3(size * draw_.vector()), draw_.rotation()}; }
  Vec3 where(const Marker& p) const { return centre(p.body) + chains_[p.body].rotation(0).act(p.offset); }
  Turn frame(const Marker& p) const { return chains_[p.body].rotation(0) * p.rotation; }
  /// A place in space, or of the second body, that a place of the first is joined to.
  Marker partner(const Marker& p) {
    const Vec3 x = where(p);
    include(x);
    if (chains_.size() < 2) return Marker::in_space(x, frame(p));
    const Turn back = chains_[1].rotation(0).inverse();
    const Marker q{1, 0, back.act(Vec3(x - centre(1))), back * frame(p)};
    include(q.offset);
    return q;
  }
  contact::Plane<double> plane(const Vec3& ball, double radius) {
    const Vec3 n = draw_.direction();
    const double aside = draw_.aside(size_);
    const Vec3 p = ball - radius * n + aside * draw_.across(n);
    include(p);
    return {p, n, Vec3::Zero()};
  }

  void joint(int kind) {
    const Marker a = place(0, draw_.below(4) == 0 ? 0.0 : size_), b = partner(a);
    if (kind == 0) std::get<0>(constraints_).push_back({a, b});
    if (kind == 1) std::get<1>(constraints_).push_back({a, b});
    if (kind == 2) std::get<2>(constraints_).push_back({a, b});
    if (kind == 3) {
      const Vec3 speed = size_ * draw_.vector();
      std::get<3>(constraints_).push_back({a, {where(a), speed}});
    }
  }
  void on_plane(int kind) {
    const double radius = size_ * draw_.power(-1, 1);
    include(radius);
    const auto floor = plane(centre(), radius);
    if (kind == 4) std::get<4>(constraints_).push_back({{0}, radius, floor, true});
    if (kind == 5) std::get<5>(constraints_).push_back({{0}, radius, floor, true});
  }
  void on_cylinder(int kind) {
    const double radius = size_ * draw_.power(-1, 1), b = size_ * draw_.power(-1, 1);
    const bool sphere = draw_.below(2) == 0;
    const Vec3 n = draw_.direction(), e = draw_.across(n);
    Vec3 c = centre() - (radius + b) * n;
    if (!sphere) c += draw_.aside(size_) * e;
    include(c), include(radius), include(b);
    const contact::Cylinder<double> cylinder{b, c, sphere ? Vec3(0, 0, 0) : e};
    if (kind == 6) std::get<6>(constraints_).push_back({{0}, radius, cylinder, true});
    if (kind == 7) std::get<7>(constraints_).push_back({{0}, radius, cylinder, true});
  }
  void on_rod(int kind) {
    const double radius = size_ * draw_.power(-1, 1), b = size_ * draw_.power(-1, 1);
    const Vec3 n = draw_.direction(), e = draw_.across(n);
    const double length = 8 * size_, s = size_ * draw_.between(3, 5);
    const Vec3 o = centre() - (radius + b) * n - s * e;
    include(o), include(radius), include(b), include(length);
    const Axis axis = Axis::in_space(o, e, length);
    z_ = Vec<double, 1>(s * 1.001);
    if (kind == 8) std::get<8>(constraints_).push_back({axis, {0}, b, radius, true});
    if (kind == 9) std::get<9>(constraints_).push_back({axis, {0}, b, radius, true});
  }
  void own(int kind) {
    const Marker a = place(0, kind == 10 ? size_ : 0.0);
    const double length = size_ * draw_.power(-0.5, 1), ball = 0.3 * length;
    include(length);
    const Vec3 nail = where(a) + (kind == 10 ? length : length - ball) * draw_.direction();
    include(nail);
    if (kind == 10) std::get<10>(constraints_).push_back({a, nail, length});
    if (kind == 11) std::get<11>(constraints_).push_back({a, nail, ball, length});
  }
  void add(int kind) {
    if (kind < 4)
      joint(kind);
    else if (kind < 6)
      on_plane(kind);
    else if (kind < 8)
      on_cylinder(kind);
    else if (kind < 10)
      on_rod(kind);
    else
      own(kind);
  }

  Problem problem() const { return Problem(assembly::bodies(bodies_), constraints_); }
  /// The bodies displaced a little, or by a part of that, and moving.
  State<double> displaced(const Problem& problem, double part) {
    std::vector<Chain<double>> chains = chains_;
    for (auto& chain : chains) {
      const Vec3 moved = part * 1e-3 * size_ * draw_.vector(), turned = part * 1e-3 * draw_.vector();
      rod::move_node(chain, 0, moved, turned);
      const Vec3 velocity = size_ * draw_.vector(), spin = draw_.vector();
      chain.set_velocity(0, velocity, spin);
    }
    return problem.state(chains, z_);
  }
  /// The largest |φ| beside the sizes of what its row is made of: lengths, their squares, or 1 for an angle.
  double openness(const Problem& problem, const State<double>& x) const {
    const auto phi = problem.row_errors(x);
    double worst = 0;
    int row = 0;
    std::apply([&](const auto&... list) { (of_kind(list, phi, row, worst), ...); }, constraints_);
    return worst;
  }

 private:
  template <class K>
  void of_kind(const std::vector<K>& list, const Vec<double, Eigen::Dynamic>& phi, int& row,
               double& worst) const {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (int r = 0; r < ConstraintTraits<K>::positions; ++r, ++row) {
        double of_row = metres_;
        if constexpr (std::is_same_v<K, OnString>) of_row = metres_ * metres_;
        if constexpr (ConstraintTraits<K>::positions > 3)
          if (r >= 3) of_row = 1;
        worst = std::max(worst, std::abs(phi[row]) / of_row);
      }
  }
  void include(double x) { metres_ = std::max(metres_, std::abs(x)); }
  void include(const Vec3& x) {
    for (int i = 0; i < 3; ++i) include(x[i]);
  }

  test::Draw draw_;
  double size_{}, metres_{};
  std::vector<Body> bodies_;
  std::vector<Chain<double>> chains_;
  All constraints_;
  Vec<double, Eigen::Dynamic> z_;
};

inline constexpr std::array<std::string_view, 12> names{"spherical joint",
                                                        "hinge",
                                                        "weld",
                                                        "prescribed marker",
                                                        "rolling on a plane",
                                                        "sliding on a plane",
                                                        "rolling on a cylinder",
                                                        "sliding on a cylinder",
                                                        "rolling on a rod",
                                                        "sliding on a rod",
                                                        "a string",
                                                        "a bowl"};
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Starts of which projection, or three steps, fail or leave rows open.
struct Failures {
  int count = 0;
  double worst = 0;
  std::string first;

  /// Whether a scene closes after a part of the displacement, and in steps as short.
  template <class M = Verlet>
  bool start(Scene& scene, const M& method = {}, double part = 1) {
    const Problem problem = scene.problem();
    auto x = scene.displaced(problem, part);
    try {
      problem.project(x);
      worst = std::max(worst, scene.openness(problem, x));
      drive(method, problem, x, {.step = part * 1e-3, .until = part * 3e-3});
      worst = std::max(worst, scene.openness(problem, x));
      return true;
    } catch (const std::exception& e) {
      if (count++ == 0) first = e.what();
      return false;
    }
  }
};

}  // namespace closing_scene
