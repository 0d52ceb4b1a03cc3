#pragma once

/// @file
/// Random rods to test laws with: smoothly bent, twisted, sheared and stretched, in smooth random motion.

#include <array>
#include <cstdint>
#include <random>

#include <Eigen/Geometry>

#include <dalembert/rod/rod.hpp>

namespace test {

/// Numbers between −1 and 1, the same with every standard library.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0; }
  template <class S>
  dalembert::Vec<S, 3> vector() {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return {S(x), S(y), S(z)};
  }

 private:
  std::mt19937_64 engine_;
};

/// A smooth random function [0, 1] → R³ of size about 1: three waves.
template <class S>
class Wave {
 public:
  explicit Wave(Random& random) {
    for (std::size_t i = 0; i < 3; ++i) {
      amplitude_[i] = random.vector<S>();
      phase_[i] = S(3) * S(random());
    }
  }
  dalembert::Vec<S, 3> operator()(S x) const {
    using std::sin;
    dalembert::Vec<S, 3> sum = dalembert::Vec<S, 3>::Zero();
    for (std::size_t i = 0; i < 3; ++i) sum += S(0.6) * amplitude_[i] * sin(S(2 * i + 1) * x + phase_[i]);
    return sum;
  }

 private:
  std::array<dalembert::Vec<S, 3>, 3> amplitude_;
  std::array<S, 3> phase_;
};

template <class S>
dalembert::Mat<S, 3> rotation_matrix(const dalembert::Vec<S, 3>& vector) {
  const S angle = vector.norm();
  return Eigen::AngleAxis<S>(angle,
                             angle > 0 ? dalembert::Vec<S, 3>(vector / angle) : dalembert::Vec<S, 3>::UnitX())
      .toRotationMatrix();
}

template <class S>
dalembert::SO3<S> rotation(const dalembert::Mat<S, 3>& matrix) {
  const Eigen::Quaternion<S> q(matrix);
  return dalembert::SO3<S>::from_quaternion(q.w(), dalembert::Vec<S, 3>(q.vec()));
}

template <class S>
dalembert::Mat<S, 3> matrix(const dalembert::SO3<S>& rotation) {
  dalembert::Mat<S, 3> m;
  for (int j = 0; j < 3; ++j) m.col(j) = rotation.act(dalembert::Vec<S, 3>::Unit(j));
  return m;
}

/// How far a random rod is from straight, and how fast it moves.
struct Wildness {
  double bend = 0.4;     ///< rotation of the sections along the rod [rad]
  double strain = 0.15;  ///< shear, and stretch about `stretch`
  double stretch = 1.1;  ///< mean Γ₃
  double speed = 1.0;    ///< [m/s]
  double spin = 2.0;     ///< [rad/s]
};

/// A random rod whose sections are about `frame` and whose middle is at the origin.
template <class R>
dalembert::rod::Chain<typename R::Scalar> random_chain(const R& rod,
                                                       const dalembert::Mat<typename R::Scalar, 3>& frame,
                                                       Random& random, const Wildness& wild = {}) {
  using S = typename R::Scalar;
  using V = dalembert::Vec<S, 3>;
  const Wave<S> turn(random), strain(random), velocity(random), spin(random);
  dalembert::rod::Chain<S> chain(rod.nodes());
  V at = V::Zero();
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const S x = S(k) / S(rod.elements());
    const dalembert::Mat<S, 3> section = frame * rotation_matrix<S>(S(wild.bend) * turn(x));
    chain.set_frame(k, rotation<S>(section), at);
    chain.set_velocity(k, S(wild.speed) * velocity(x), S(wild.spin) * spin(x));
    at += rod.spacing() * (section * (S(wild.stretch) * V::UnitZ() + S(wild.strain) * strain(x)));
  }
  const V middle = chain.position(rod.nodes() / 2);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k)
    dalembert::rod::put3<0>(chain.configuration, k, V(chain.position(k) - middle));
  return chain;
}

/// A circular section of some soft material.
template <class S>
dalembert::rod::CircularSection<S> soft_section(double radius) {
  return dalembert::rod::CircularSection<S>(
      {.radius = S(radius), .young = S(1e6), .poisson = S(0.49), .density = S(1100), .shear_factor = S(0.9)});
}

/// A rod of that section, of length 1 m, with free ends unless `parameters` say otherwise.
template <class R>
R soft_rod(double radius, int elements, typename R::Parameters parameters = {}) {
  using S = typename R::Scalar;
  const auto section = soft_section<S>(radius);
  parameters.elements = elements;
  parameters.length = S(1);
  parameters.inertia = section.inertia();
  return R(dalembert::rod::LinearElastic<S>(section.stiffness_diagonal()), parameters);
}

/// Move and turn a chain, velocities with it: r → c + Q r, Λ → QΛ.
template <class S>
void transform(dalembert::rod::Chain<S>& chain, const dalembert::Mat<S, 3>& turn,
               const dalembert::Vec<S, 3>& shift) {
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    chain.set_frame(k, rotation<S>(turn * matrix<S>(chain.rotation(k))), shift + turn * chain.position(k));
    chain.set_velocity(k, turn * chain.linear_velocity(k), chain.angular_velocity(k));
  }
}

/// Let a chain move as a rigid body: ṙ = v + w × r, ω = Λᵀw.
template <class S>
void move_rigidly(dalembert::rod::Chain<S>& chain, const dalembert::Vec<S, 3>& v,
                  const dalembert::Vec<S, 3>& w) {
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    chain.set_velocity(k, v + w.cross(chain.position(k)), chain.rotation(k).inverse().act(w));
}

}  // namespace test
