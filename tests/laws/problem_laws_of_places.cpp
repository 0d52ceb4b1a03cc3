// Contacts at places that move along axes of rigid bodies, along rods, and at nodes, for the laws of problems: with
// rows of their own and with rows that are found by differentiation, rolling, sliding and slipping.

#include <dalembert/contact/friction.hpp>

#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/assemblies.hpp"
#include "support/plain_constraint.hpp"

namespace problem_laws_of_places {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::with_friction;
using Scene = test::Scene<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Axis = contact::AxisMarker<double>;
using Curve = contact::CurveMarker<double>;
using Node = FrameMarker<double>;

constexpr double a = 0.005, width = 0.1, half = 0.5, right = M_PI / 2;

/// The third axis of body b, or a line beside it.
Axis axis_of(std::size_t b) { return {b, 0, {0.02, -0.01, -0.4}, {0, 0, 1}, 0.8}; }

struct Bodies {
  explicit Bodies(bool elsewhere)
      : scene(elsewhere ? Scene(SO3<double>::exp({0.3, -1.1, 0.7}), {0.4, 0.3, -0.6}) : Scene()) {}
  auto bar_along_x(double z) {
    return scene.stirred(body.at(scene.point(0, 0, z), scene.frame(0, right, 0)), 1e-2);
  }

  Scene scene;
  typename Scene::Rod rod = scene.rod();
  typename Scene::Body body = scene.body();
};

void add_rolling(test::Problems& all, bool elsewhere) {
  Bodies b(elsewhere);
  using OnCylinder = contact::RollingOnCylinder<double, Axis>;
  using OnSphere = contact::SlidingOnCylinder<double, Axis>;
  const auto cylinder = b.scene.cylinder(false), sphere = b.scene.cylinder(true);
  const Assembly problem{assembly::bodies(std::vector(3, b.body)),
                         assembly::constraints(std::vector{OnCylinder{axis_of(0), a, cylinder, true}},
                                               std::vector{OnSphere{axis_of(1), a, sphere, true},
                                                           OnSphere{axis_of(2), a, cylinder, true}})};
  const auto x = problem.state({b.bar_along_x(0.2 + a), b.bar_along_x(0.2 + a), b.bar_along_x(0.2 + a)},
                               Column{{0.4, 0.4, 0.4}}, 0.4);
  auto closed = x;
  problem.project(closed);
  test::add_problem(all, "bars on a cylinder and on a sphere", problem, {x, closed}, {.equivariant = true});
}

void add_plain(test::Problems& all, bool elsewhere) {
  Bodies b(elsewhere);
  using Rolling = test::PlainAlong<contact::RollingOnRod<double, Axis>>;
  using Sliding = test::Plain<contact::SlidingOnRod<double, Axis>>;
  using OnRod = test::PlainAlong<contact::RollingOnRod<double, Curve>>;
  using RollingContact = test::PlainAlong<contact::RollingContact<double, contact::CubicSpline, Axis>>;
  const Assembly problem{
      assembly::bodies(std::vector{b.rod}, std::vector(5, b.body)),
      assembly::constraints(std::vector{Rolling{{{axis_of(1), {2}, a, 0.1, true}}}},
                            std::vector{Sliding{{axis_of(1), {3, 0, {0.01, 0.02, 0}}, a, 0.1, true}}},
                            std::vector{OnRod{{{{0, b.rod, width}, {4, 0, {0.01, 0, 0}}, a, 0.1, true}}}},
                            std::vector{RollingContact{{{{0, b.rod, width}, axis_of(5), a, 0.02, true}}}})};
  const auto x = problem.state(
      {b.scene.rod_along_x(0), b.scene.body_at(0.05, 0.02, 0.2), b.scene.body_at(0.05, 0, 0.1),
       b.scene.body_at(0.1, 0.1, 0.15), b.scene.body_at(-0.1, 0, -0.1),
       b.scene.stirred(b.body.at(b.scene.point(0.1, 0, 0.02 + a), b.scene.frame(-right, 0, 0)), 1e-2)},
      Column{{0.4, 0.4, half, half, 0.4}}, 0.4);
  auto closed = x;
  problem.project(closed);
  test::add_problem(all, "contacts of axes and rods that say velocities and positions alone", problem,
                    {x, closed}, {.equivariant = true});
}

/// Three rows of which the one along the tangent is friction: C turns with the tangent.
template <class Marker>
struct SlippingBead {
  using Scalar = double;
  static constexpr std::string_view name = "SlippingBead";
  Marker on_rod;
  Node place;
  double epsilon;

  auto markers() const { return std::tie(on_rod, place); }
  template <class T>
  Vec<T, 3> velocity_constraint(const FrameState<T>& r, const FrameState<T>& x, const T&) const {
    return r.velocity - x.velocity;
  }
  template <class T>
  Vec<T, 2> position_constraint(const FrameState<T>& r, const FrameState<T>& x, const T&) const {
    const Mat<T, 2, 3> e = across(r);
    const Vec<T, 3> apart = r.position - x.position;
    return e * apart;
  }
  Mat<double, 2, 3> along(const FrameState<double>& r, const FrameState<double>&) const { return across(r); }
  template <class T>
  Vec<T, 1> tangency(const FrameState<T>& r, const FrameState<T>& x) const {
    const Vec<T, 3> apart = r.position - x.position;
    return Vec<T, 1>(apart.dot(r.tangent));
  }
  double mobility() const { return epsilon; }

 private:
  template <class T>
  static Mat<T, 2, 3> across(const FrameState<T>& r) {
    const Vec<T, 3> t = r.tangent / r.tangent.norm(), side(T(0.6), T(0), T(0.8));
    const Vec<T, 3> first = t.cross(side), second = t.cross(first);
    Mat<T, 2, 3> e;
    e.row(0) = first.transpose() / first.norm();
    e.row(1) = second.transpose() / second.norm();
    return e;
  }
};

void add_slipping(test::Problems& all, bool elsewhere) {
  Bodies b(elsewhere);
  using OnCylinder = contact::RollingOnCylinder<double, Axis>;
  using OnBar = contact::RollingOnRod<double, Axis>;
  using RollingContact = contact::RollingContact<double, contact::CubicSpline, Axis>;
  const Assembly problem{
      assembly::bodies(std::vector{b.rod}, std::vector(5, b.body)),
      assembly::constraints(
          std::vector{with_friction(OnCylinder{axis_of(1), a, b.scene.cylinder(false), true}, 0.2)},
          std::vector{with_friction(OnBar{axis_of(2), {3, 0, {0.01, 0, 0.02}}, a, 0.1, true}, 0.3)},
          std::vector{with_friction(RollingContact{{0, b.rod, width}, axis_of(4), a, 0.02, true}, 0.1)},
          std::vector{SlippingBead<Axis>{axis_of(4), {5, 0, {0.03, 0, 0}}, 0.5}},
          std::vector{SlippingBead<Curve>{{0, b.rod, width}, {5, 0, {0, 0.02, 0}}, 0.4}})};
  const auto x = problem.state(
      {b.scene.rod_along_x(0), b.bar_along_x(0.2 + a), b.scene.body_at(0.05, 0.02, 0.2),
       b.scene.body_at(0.05, 0, 0.1),
       b.scene.stirred(b.body.at(b.scene.point(0.1, 0, 0.02 + a), b.scene.frame(-right, 0, 0)), 1e-2),
       b.scene.body_at(0.1, 0.02, 0.01)},
      Column{{0.4, 0.4, half, 0.4, 0.4, half}}, 0.4);
  auto closed = x;
  problem.project(closed);
  test::add_problem(all, "axes and rods that slip", problem, {closed},
                    {.reversible = false, .rows_in_any_state = false, .slips = true});
}

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  add_rolling(all, elsewhere);
  add_plain(all, elsewhere);
  add_slipping(all, elsewhere);
});

}  // namespace problem_laws_of_places
