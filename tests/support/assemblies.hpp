#pragma once

/// @file
/// Assemblies of all kinds of bodies and constraints, anywhere in space, with states that move at random.

#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace test {

/// Where a scene lies: a rotation, then a displacement; and what is drawn for it.
template <class S>
class Scene {
 public:
  using V = dalembert::Vec<S, 3>;
  using Turn = dalembert::SO3<S>;
  using Marker = dalembert::assembly::FrameMarker<S>;
  using Rod = dalembert::rod::ElasticRod<S>;
  using Body = dalembert::assembly::RigidBody<S>;
  using Chain = dalembert::rod::Chain<S>;

  Scene() = default;
  Scene(const Turn& turn, const V& shift) : turn_(turn), shift_(shift) {}

  V point(S x, S y, S z) const { return turn_.act(V(x, y, z)) + shift_; }
  V vector(S x, S y, S z) const { return turn_.act(V(x, y, z)); }
  Turn frame(S x, S y, S z) const { return turn_ * Turn::exp(V(x, y, z)); }
  Marker in_space(S x, S y, S z) const {
    return Marker::in_space(point(x, y, z), frame(S(0.1), S(0.2), S(0.3)));
  }

  Rod rod() const {
    typename Rod::Parameters p;
    p.loads.gravity = vector(S(0.3), 0, S(-2));
    return soft_rod<Rod>(0.005, 12, p);
  }
  Body body() const {
    return Body{
        {.mass = S(0.3), .inertia = {S(0.02), S(0.03), S(0.025)}, .gravity = vector(0, S(0.1), S(-2))}};
  }
  /// A place of a body, turned by its own coordinates.
  static Marker place(std::size_t body, S x, S y, S z) { return {body, 0, {x, y, z}, Turn::exp({z, x, y})}; }
  dalembert::contact::Plane<S> plane() const {
    return {point(0, 0, 0), vector(0, 0, 1), vector(S(0.2), S(-0.1), 0)};
  }
  dalembert::contact::Cylinder<S> cylinder(bool sphere) const {
    return {S(0.2), point(0, 0, 0), sphere ? V(0, 0, 0) : vector(0, 1, 0)};
  }

  /// Nodes displaced a little at random, and moving.
  Chain stirred(Chain chain, S size) {
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      // one after another: in what order a call draws its arguments is the compiler's
      const V turned = local(S(10) * size), moved = size * drawn(), spin = local(S(1)), velocity = drawn();
      dalembert::rod::move_node(chain, k, moved, turned);
      chain.set_velocity(k, velocity, spin);
    }
    return chain;
  }
  /// The rod along x and y through (x, 0, z), and the body at a point.
  Chain rod_along_x(S z) {
    return stirred(rod().straight(point(S(-0.5), 0, z), frame(0, std::acos(S(0)), 0)), S(2e-3));
  }
  Chain rod_along_y(S x, S z) {
    return stirred(rod().straight(point(x, S(-0.5), z), frame(-std::acos(S(0)), 0, 0)), S(2e-3));
  }
  Chain body_at(S x, S y, S z) {
    return stirred(body().at(point(x, y, z), frame(S(0.4), S(-0.3), S(0.8))), S(1e-2));
  }

 private:
  S number() { return std::uniform_real_distribution<S>(-1, 1)(engine_); }
  V local(S size) {
    const S x = number(), y = number(), z = number();
    return {size * x, size * y, size * z};
  }
  V drawn() { return turn_.act(local(1)); }

  std::mt19937 engine_{seed()};
  Turn turn_ = Turn::identity();
  V shift_ = V::Zero();
};

/// A path that does not repeat, seen from a scene.
template <class S>
struct ScenePath {
  Scene<S> scene;
  template <class T>
  dalembert::Vec<T, 3> operator()(const T& t) const {
    using std::sin;
    const auto p = scene.point(S(-0.2), S(0.1), S(0.4)), v = scene.vector(S(0.3), S(0.1), S(-0.2)),
               a = scene.vector(S(0.05), S(0.2), S(0.1));
    dalembert::Vec<T, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = p[i] + v[i] * t + a[i] * sin(S(3) * t);
    return x;
  }
};

/// f(name, problem, state) for one assembly of five kinds of constraints, at the place of `scene`.
template <class S, class F>
void five_kinds(Scene<S>& scene, F&& f) {
  using namespace dalembert;
  using namespace dalembert::assembly;
  using Rod = rod::ElasticRod<S>;
  const Rod rod = scene.rod();
  const auto body = scene.body();
  const S a = S(0.005), width = S(0.1), half = S(0.5);
  const contact::RollingContact<S> crossing{{0, rod, width}, {1, rod, width}, a, S(1.5) * a, true};
  const Assembly five{
      assembly::bodies(std::vector{rod, rod}, std::vector{body, body}),
      assembly::constraints(
          std::vector{crossing}, std::vector{SphericalJoint<S>{{0, 12}, scene.place(2, S(0.1), 0, 0)}},
          std::vector{Hinge<S>{scene.place(2, 0, S(0.1), 0), scene.place(3, 0, S(-0.1), 0)}},
          std::vector{contact::RollingOnPlane<S>{{3}, S(0.1), scene.plane(), true}},
          std::vector{PrescribedMotion<S, ScenePath<S>>{{1, 0}, {scene}}})};
  std::vector<rod::Chain<S>> chains{scene.rod_along_x(0), scene.rod_along_y(0, S(2.5) * a),
                                    scene.body_at(S(0.6), 0, 0), scene.body_at(S(0.7), 0, S(0.1))};
  f("five kinds at once", five, five.state(std::move(chains), Vec<S, 2>(half, half), S(0.4)));
}

/// f(name, problem, state) for one assembly of eight other kinds, at the place of `scene`: rods on a cylinder, one without friction, and a ball on
/// a sphere; balls on an elastic rod and on a rigid one; one that glides on a plane, and a body welded to space.
template <class S, class F>
void eight_kinds(Scene<S>& scene, F&& f) {
  using namespace dalembert;
  using namespace dalembert::assembly;
  using Marker = FrameMarker<S>;
  using Axis = contact::AxisMarker<S>;
  const auto rod = scene.rod();
  const auto body = scene.body();
  const S a = S(0.005), width = S(0.1), half = S(0.5);
  const Axis axis{5, 0, {S(0.02), S(-0.01), S(-0.4)}, {0, 0, 1}, S(0.8)};
  const Assembly eight{
      assembly::bodies(std::vector{rod, rod, rod}, std::vector(6, body)),
      assembly::constraints(
          std::vector{contact::RollingOnCylinder<S>{{0, rod, width}, a, scene.cylinder(false), true}},
          std::vector{contact::RollingOnCylinder<S, Marker>{{3}, S(0.1), scene.cylinder(true), true}},
          std::vector{contact::SlidingOnCylinder<S>{{1, rod, width}, a, scene.cylinder(false), true}},
          std::vector{
              contact::RollingOnRod<S>{{2, rod, width}, scene.place(4, S(0.01), 0, 0), a, S(0.1), true}},
          std::vector{contact::RollingOnRod<S, Axis>{axis, {4}, a, S(0.1), true}},
          std::vector{contact::SlidingOnRod<S>{{2, rod, width}, {6}, a, S(0.1), true}},
          std::vector{contact::SlidingOnPlane<S>{{7}, S(0.1), scene.plane(), true}},
          std::vector{Weld<S>{scene.place(8, S(0.2), 0, 0), scene.in_space(1, 0, S(0.3))}})};
  // one after another: each draws what stirs it
  std::vector<rod::Chain<S>> chains;
  for (const S z : {S(0.2) + a, S(0.2) + a, S(0)}) chains.push_back(scene.rod_along_x(z));
  for (const auto& [x, y, z] : {std::array{S(0), S(0.1), S(0.3)}, std::array{S(0.05), S(0), S(0.1)},
                                std::array{S(0.05), S(0.02), S(0.2)}, std::array{S(-0.1), S(0), S(-0.1)},
                                std::array{S(0), S(1), S(0.1)}, std::array{S(0.8), S(0), S(0.2)}})
    chains.push_back(scene.body_at(x, y, z));
  Vec<S, 5> guess;
  guess << half, half, half, S(0.4), S(0.4);
  f("eight kinds at once", eight, eight.state(std::move(chains), guess, S(0.4)));
}

/// f(name, problem, state) for assemblies of few kinds, at the place of `scene`; states move as they like. Not every mass is loaded by contacts that
/// push, so that all of these may pull.
template <class S, class F>
void joined_assemblies(Scene<S> scene, F&& f) {
  using namespace dalembert;
  using namespace dalembert::assembly;
  const auto rod = scene.rod();
  const auto body = scene.body();
  const S time = S(0.4), a = S(0.005);

  {
    const Assembly p{assembly::bodies(std::vector{rod}, std::vector{body, body})};
    f("free bodies", p,
      p.state({scene.rod_along_x(0), scene.body_at(0, 0, 1), scene.body_at(1, 0, 0)}, {}, time));
  }
  {
    const Assembly p{assembly::bodies(std::vector{rod}, std::vector{body, body}),
                     assembly::constraints(
                         std::vector{SphericalJoint<S>{{0, 12}, scene.place(1, S(0.1), 0, S(0.2))}},
                         std::vector{Hinge<S>{scene.place(1, 0, S(0.2), 0), scene.place(2, S(-0.1), 0, 0)}},
                         std::vector{Weld<S>{scene.place(2, S(0.2), 0, 0), scene.in_space(1, 0, S(0.3))}})};
    f("a rod and bodies in joints", p,
      p.state({scene.rod_along_x(0), scene.body_at(S(0.6), 0, 0), scene.body_at(S(0.8), 0, S(0.2))}, {},
              time));
  }
  {
    const Assembly p{assembly::bodies(std::vector{body}),
                     assembly::constraints(std::vector{
                         PrescribedMotion<S, ScenePath<S>>{scene.place(0, S(0.1), 0, 0), {scene}}})};
    f("a led body", p, p.state({scene.body_at(0, 0, S(0.4))}, {}, time));
  }
  {
    std::vector<contact::RollingOnPlane<S>> contacts;
    for (Eigen::Index k = 0; k <= 12; k += 2) contacts.push_back({{0, k}, a, scene.plane(), true});
    contacts.push_back({scene.place(2, S(0.02), S(-0.01), S(0.03)), S(0.1), scene.plane(), true});
    const Assembly p{assembly::bodies(std::vector{rod}, std::vector{body, body}),
                     assembly::constraints(contacts, std::vector{contact::SlidingOnPlane<S>{
                                                         {1}, S(0.1), scene.plane(), true}})};
    f("a rod and two balls on a moving plane", p,
      p.state({scene.rod_along_x(a), scene.body_at(0, 1, S(0.1)), scene.body_at(1, 1, S(0.1))}, {}, time));
  }
}

/// The same for three rods that cross, and for the assemblies of many kinds.
template <class S, class F>
void crossing_assemblies(Scene<S> scene, F&& f) {
  using namespace dalembert;
  using namespace dalembert::assembly;
  const auto rod = scene.rod();
  const S half = S(0.5), a = S(0.005), width = S(0.1);
  using RollingContact = contact::RollingContact<S>;
  const auto cross = [&](std::size_t i, std::size_t j) {
    return RollingContact{{i, rod, width}, {j, rod, width}, a, S(1.5) * a, true};
  };
  const Assembly p{assembly::bodies(std::vector{rod, rod, rod}),
                   assembly::constraints(std::vector{cross(0, 1)},
                                         std::vector{contact::FrictionlessContact<S>::of(cross(0, 2))})};
  f("three rods of which two cross one close to each other, one without friction", p,
    p.state({scene.rod_along_x(0), scene.rod_along_y(0, S(2.5) * a), scene.rod_along_y(S(0.08), S(-2.5) * a)},
            Vec<S, 4>(half, half, S(0.58), half), S(0.4)));
  five_kinds(scene, f);
  eight_kinds(scene, f);
}

}  // namespace test
