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
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/grid.hpp>

#include "support/catch.hpp"
#include "support/closing_scene.hpp"

namespace position_projection_test {

using namespace closing_scene;
using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;
using Axis = contact::AxisMarker<double>;
using Vec3 = Vec<double, 3>;
using Turn = SO3<double>;
using Catch::Matchers::ContainsSubstring;

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
  const closing_scene::Problem problem(assembly::bodies(std::vector{body}), constraints);
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
  // and of several of a kind which
  const Assembly more{
      assembly::bodies(std::vector{body, body}),
      assembly::constraints(std::vector{Spherical{{0}, {1}}}, std::vector{Nowhere{{0}}, Nowhere{{1}}})};
  auto y = more.state({body.at({0, 0, 0}), body.at({0, 0, 0})});
  CHECK_THROWS_WITH(more.project(y), ContainsSubstring("of Nowhere "));
}

TEST_CASE("a projection tells how many iterations the positions took", "[assembly][closing]") {
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{
      assembly::bodies(std::vector{body}),
      assembly::constraints(std::vector{Spherical{{0, 0, {0, 0, 1}}, Marker::in_space({0, 0, 0})}})};
  auto x = problem.state({body.at({0.1, 0, -1})});
  const auto found = problem.project(x);
  CHECK(found.iterations > 2);
  CHECK(found.iterations < 10);
  CHECK(problem.project(x).iterations <= 1);
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
  double unit = 1;                 // of its rows

  auto markers() const { return std::tie(first, second); }
  template <class T>
  Vec<T, 1> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const Vec<T, 3> apart = b.position - a.position;
    const Vec<T, 3> arm = b.rotation.act(Vec<T, 3>(T(0), T(0.2), T(0.1)));
    const Vec<T, 3> tip = apart + arm;
    const Vec<T, 3> rate =
        T(moving) * b.velocity - a.velocity + T(turning) * Vec<T, 3>(b.angular_velocity.cross(arm));
    return Vec<T, 1>(T(unit) * tip.dot(rate) / tip.norm());
  }
  template <class T>
  Vec<T, 1> position_constraint(const FrameState<T>& a, const FrameState<T>& b, const T&) const {
    const Vec<T, 3> arm = b.rotation.act(Vec<T, 3>(T(0), T(0.2), T(0.1)));
    return Vec<T, 1>(T(unit) * (Vec<T, 3>(b.position - a.position + arm).norm() - T(1)));
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
  for (const double unit : {1e-9, 1.0, 1e9}) {
    CAPTURE(unit);
    CHECK(refusal({{0}, {1}, 1, 1, unit}) == "none");
    CHECK_THAT(refusal({{0}, {1}, 0.5, 1, unit}), ContainsSubstring("with the position of marker 1,"));
    CHECK_THAT(refusal({{0}, {1}, 1, 0.5, unit}), ContainsSubstring("with the rotation of marker 1,"));
    CHECK_THAT(refusal({{1}, {0}, 1, 0.5, unit}), ContainsSubstring("with the rotation of marker 1,"));
  }
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

}  // namespace position_projection_test
