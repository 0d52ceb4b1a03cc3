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
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace closing_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;
using Axis = contact::AxisMarker<double>;
using Vec3 = Vec<double, 3>;
using Turn = SO3<double>;
using Catch::Matchers::ContainsSubstring;

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
using OnRoller = contact::RollingOnCylinder<double, Marker>;
using SlidingOnCylinder = contact::SlidingOnCylinder<double, Marker>;
using OnRod = contact::RollingOnRod<double, Axis>;
using SlidingOnRod = contact::SlidingOnRod<double, Axis>;
using Spherical = SphericalJoint<double>;
using All = Kinds<Spherical, Hinge<double>, Weld<double>, Prescribed, OnPlane, SlidingOnPlane, OnRoller,
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

constexpr std::array<std::string_view, 12> names{"spherical joint",
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
constexpr double epsilon = std::numeric_limits<double>::epsilon();

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

TEST_CASE(
    "position rows of every joint and contact close wherever in space, and however large, the bodies are",
    "[assembly][closing]") {
  for (int kind = 0; kind < 12; ++kind)
    for (const int bodies : {1, 2}) {
      if (bodies == 2 && kind > 2) continue;
      Failures failures;
      for (unsigned i = 0; i < 500; ++i) {
        Scene scene(test::seed() + 1000 * static_cast<unsigned>(kind) + i, bodies);
        scene.add(kind);
        failures.start(scene);
      }
      CAPTURE(names[static_cast<std::size_t>(kind)], bodies, failures.first);
      CHECK(failures.count == 0);
      CHECK(failures.worst / epsilon < 64);
    }
}

TEST_CASE("implicit steps close position rows wherever in space, and however large, the body is",
          "[assembly][closing]") {
  for (int kind = 0; kind < 12; ++kind) {
    Failures failures;
    for (unsigned i = 0; i < 100; ++i) {
      Scene scene(test::seed() + 1000 * static_cast<unsigned>(kind) + i, 1);
      scene.add(kind);
      failures.start(scene, ImplicitMidpoint{});
    }
    CAPTURE(names[static_cast<std::size_t>(kind)], failures.first);
    CHECK(failures.count == 0);
    CHECK(failures.worst / epsilon < 64);
  }
}

TEST_CASE("position rows that follow from others close wherever in space the body is",
          "[assembly][closing]") {
  Failures failures;
  for (unsigned i = 0; i < 500; ++i) {
    Scene scene(test::seed() + i, 1);
    for (int j = 0; j < 5; ++j) scene.add(0);
    failures.start(scene);
  }
  CAPTURE(failures.first);
  CHECK(failures.count == 0);
  CHECK(failures.worst / epsilon < 64);
}

TEST_CASE("position rows of all kinds that share a body close together", "[assembly][closing]") {
  Failures failures;
  const auto closes = [](unsigned i, double part, Failures& into) {
    Scene scene(test::seed() + i, 2);
    for (const int kind : {0, 4 + static_cast<int>(i % 4), 10}) scene.add(kind);
    return into.start(scene, Verlet{}, part);
  };
  // of 8000 there are three, 105 among them, so near to a place where rows depend on each other that only a smaller
  // displacement does not cross it
  int crossing = 0;
  for (unsigned i = 0; i < 500; ++i) {
    Failures once;
    if (closes(i, 1, once))
      failures.worst = std::max(failures.worst, once.worst);
    else
      closes(i, 1e-3, failures), ++crossing;
  }
  CHECK(crossing <= 1);
  // where the rounding of one row, closed by bodies that differ much in mass, opens others
  for (const unsigned i : {2824u, 3509u, 7736u}) closes(i, 1, failures);
  CAPTURE(failures.first);
  CHECK(failures.count == 0);
  CHECK(failures.worst / epsilon < 64);
}

TEST_CASE("a position row that cannot be closed is named with its constraint, its bodies and its size",
          "[assembly][closing]") {
  // the nail is farther away than the body can come, whose other point is held
  const double size = 1e-3;
  const Body body{{.mass = 1, .inertia = {1e-6, 1e-6, 1e-6}}};
  All constraints;
  std::get<0>(constraints).push_back({{0, 0, {0, 0, size}}, Marker::in_space({0, 0, size})});
  std::get<10>(constraints).push_back({{0}, {5 * size, 0, 0}, size});
  const Problem problem(assembly::bodies(std::vector{body}), constraints);
  auto x = problem.state({body.at({0, 0, 0})});
  CHECK_THROWS_WITH(problem.project(x), ContainsSubstring("SphericalJoint 0 (body 0, space)") &&
                                            ContainsSubstring("stays open by") &&
                                            ContainsSubstring("of the size"));
}

/// Position rows of a constraint, as they are seen where they are closed.
struct ThreeRows {
  static constexpr int P = 3;
  Vec3 error, sizes;
};

TEST_CASE("the row that is open most is found beside what it is made of, and counted over all",
          "[assembly][closing]") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  assembly::detail::OpenRow<double> open;
  open.include(ThreeRows{{0, 0, 0}, {1, 1, 1}}, 0);
  CHECK(open.row == -1);
  open.include(ThreeRows{{0, 0.25, -0.5}, {1, 4, 2}}, 3);  // by 1/16 and 1/4
  CHECK(open.row == 5);
  CHECK(open.error == 0.5);
  CHECK(open.size == 2);
  CHECK(open.relative == 0.25);
  open.include(ThreeRows{{4, -8, 2}, {64, 16, 8}}, 6);  // by 1/16, 1/2 and 1/4
  CHECK(open.row == 7);
  CHECK(open.error == 8);
  CHECK(open.size == 16);
  CHECK(open.relative == 0.5);
  CHECK(open.finite);
  open.include(ThreeRows{{0, 0, 1}, {1, 1, infinite}}, 9);
  CHECK(open.row == 11);
  CHECK(open.relative == infinite);
  CHECK(open.finite);
  open.include(ThreeRows{{infinite, 0, 0}, {1, 1, 1}}, 12);
  CHECK(!open.finite);
}

/// Two coordinates of a point, of which one is to be zero and the square of the other −1.
struct Nowhere {
  using Scalar = double;
  static constexpr std::string_view name = "Nowhere";
  static constexpr std::array<std::string_view, 2> row_names = {"of zero", "of a root"};
  static constexpr std::array<std::string_view, 2> row_units = {"m", "m^2"};
  Marker marker;

  auto markers() const { return std::tie(marker); }
  template <class T>
  Vec<T, 2> position_constraint(const FrameState<T>& x, const T&) const {
    return {x.position[0], x.position[1] * x.position[1] + 1.0};
  }
};

TEST_CASE("of the rows of a constraint that which stays open is named", "[assembly][closing]") {
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{assembly::bodies(std::vector{body, body}),
                         assembly::constraints(std::vector{Spherical{{0}, Marker::in_space({0, 0, 0})}},
                                               std::vector{Nowhere{{1}}})};
  auto x = problem.state({body.at({0, 0, 0}), body.at({0, 0.3, 0})});
  CHECK_THROWS_WITH(problem.project(x),
                    ContainsSubstring("row of a root [m^2] of Nowhere 0 (body 1) stays open by"));
}

/// A ball of radius a on the plane z = 0, which rises at a speed; what it says of its velocity may be wrong.
struct OnLift {
  using Scalar = double;
  static constexpr std::string_view name = "OnLift";
  Marker marker;
  double radius = 1e-3, speed = 0, factor = 1, turning = 0, rising = 0;

  auto markers() const { return std::tie(marker); }
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    return {x.velocity[0] - radius * x.angular_velocity[1],
            x.velocity[2] + turning * radius * x.angular_velocity[0] - rising};
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T& t) const {
    return Vec<T, 1>(x.position[2] - radius - speed * t);
  }
  Eigen::Matrix<double, 1, 2> along(const FrameState<double>&) const { return {0, factor}; }
};

TEST_CASE("velocity rows that are not the rates of position rows are refused by name",
          "[assembly][closing]") {
  const Body body{{.mass = 1, .inertia = {1e-6, 1e-6, 1e-6}}};
  const double a = 1e-3;
  const auto refusal = [&](const OnLift& lift, double height) -> std::string {
    const Assembly problem{assembly::bodies(std::vector{body}), assembly::constraints(std::vector{lift})};
    try {
      (void)problem.state({body.at({1e3, 0, height})});
      return "none";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  CHECK(refusal({.marker = {0}}, a) == "none");
  CHECK(refusal({.marker = {0}}, 2 * a) == "none");
  CHECK(refusal({.marker = {0}, .speed = 0.3, .rising = 0.3}, a) == "none");
  const std::string row = "position row 0 of OnLift 0 (body 0)", position = "position of marker 0";
  for (const double factor : {-1.0, 0.5, 1.0001}) {
    CHECK_THAT(refusal({.marker = {0}, .factor = factor}, a),
               ContainsSubstring(row) && ContainsSubstring(position));
    if (factor < 1)
      CHECK_THAT(refusal({.marker = {0}, .factor = factor}, 2 * a),
                 ContainsSubstring(row) && ContainsSubstring(position));
  }
  CHECK_THAT(refusal({.marker = {0}, .turning = 0.1}, a),
             ContainsSubstring(row) && ContainsSubstring("rotation of marker 0"));
  CHECK_THAT(refusal({.marker = {0}, .speed = 0.3}, a),
             ContainsSubstring(row) && ContainsSubstring("the time"));
}

/// A rod of length 1 between two points; what it says of its velocity may be wrong at one of its ends.
struct Strut {
  using Scalar = double;
  static constexpr std::string_view name = "Strut";
  Marker first, second;
  double moving = 1, turning = 1;  // what counts of the second end

  auto markers() const { return std::tie(first, second); }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const Vec<T, 3> apart = b.position - a.position;
    const Vec<T, 3> arm = b.rotation.act(Vec<T, 3>(T(0), T(0.2), T(0.1)));
    const Vec<T, 3> tip = apart + arm;
    const Vec<T, 3> rate =
        T(moving) * b.velocity - a.velocity + T(turning) * Vec<T, 3>(b.angular_velocity.cross(arm));
    return Vec<T, 1>(tip.dot(rate) / tip.norm());
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const Vec<T, 3> arm = b.rotation.act(Vec<T, 3>(T(0), T(0.2), T(0.1)));
    return Vec<T, 1>(Vec<T, 3>(b.position - a.position + arm).norm() - T(1));
  }
  Eigen::Matrix<double, 1, 1> along(const FrameState<double>&, const FrameState<double>&) const {
    return Eigen::Matrix<double, 1, 1>(1.0);
  }
};

TEST_CASE("which of two places has a velocity that is not the rate of its position is told",
          "[assembly][closing]") {
  const Body body{{.mass = 1, .inertia = {1e-2, 1e-2, 1e-2}}};
  const auto refusal = [&](const Strut& strut) -> std::string {
    const Assembly problem{assembly::bodies(std::vector{body, body}),
                           assembly::constraints(std::vector{strut})};
    try {
      (void)problem.state({body.at({0.1, 0.2, 0.3}), body.at({0.3, 0.9, -0.4})});
      return "none";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  CHECK(refusal({{0}, {1}}) == "none");
  CHECK_THAT(refusal({{0}, {1}, 0.5, 1}), ContainsSubstring("with the position of marker 1,"));
  CHECK_THAT(refusal({{0}, {1}, 1, 0.5}), ContainsSubstring("with the rotation of marker 1,"));
  CHECK_THAT(refusal({{1}, {0}, 1, 0.5}), ContainsSubstring("with the rotation of marker 1,"));
}

/// What of a constraint its rounding is made of.
struct OnNodes {
  std::vector<Window> windows;
};

TEST_CASE("the rounding of a place on a closed string is that of the nodes that bear it",
          "[assembly][closing]") {
  Inertias<double> inertia;
  inertia.add(strings::GridString<double>({.points = 5, .ends = strings::Ends::periodic, .density = 2}));
  std::vector<Line<double>> lines(1);
  lines[0].displacement.resize(5);
  lines[0].displacement << 1, 20, 300, 4000, 50000;
  const std::vector<Chain<double>> none;
  const assembly::detail::Nodes<double> nodes{none, lines, inertia, nullptr};
  // from node 3 over the seam to node 1, and nodes 2 and 3; the lesser counts
  const auto square = [&](std::initializer_list<int> of) {
    double sum = 0;
    for (const int k : of)
      sum += lines[0].displacement[k] * lines[0].displacement[k] / inertia[0].line_inverse[k];
    return sum;
  };
  const Window over{.first = 3, .count = 4, .line = true, .around = 5},
      within{.first = 2, .count = 2, .line = true};
  CHECK_THAT(assembly::detail::least_rounding<double>(OnNodes{{over}}, nodes) / (epsilon * epsilon),
             Catch::Matchers::WithinRel(square({3, 4, 0, 1}), 1e-14));
  CHECK_THAT(assembly::detail::least_rounding<double>(OnNodes{{over, within}}, nodes) / (epsilon * epsilon),
             Catch::Matchers::WithinRel(square({2, 3}), 1e-14));
}

}  // namespace closing_test
