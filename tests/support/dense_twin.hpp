#pragma once

/// @file
/// The dense twin of an assembly: the same rigid bodies under the same constraints as a `MechanicalSystem`, for `LagrangeDAlembert`.

#include <array>
#include <cstddef>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/lie/power.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

namespace test {

/// N rigid bodies and Count constraints of one kind, without their rows; a body has the coordinates (Λ, r) and the velocities (ω, ṙ), as in a
/// chain.
template <int N, class Joint, int Count>
class DenseBodies {
 public:
  using S = double;
  using Body = dalembert::assembly::RigidBody<S>;
  template <class T>
  using Frames = dalembert::Power<dalembert::Product<dalembert::SO3<T>, dalembert::Rn<T, 3>>, N>;
  using Group = Frames<S>;
  template <class T>
  using Velocity = dalembert::Vec<T, 6 * N>;
  using Traits = dalembert::assembly::ConstraintTraits<Joint>;

  std::array<Body::Parameters, N> bodies;
  std::array<Joint, Count> joints;

  template <class T>
  T lagrangian(const Frames<T>& g, const Velocity<T>& xi) const {
    T l(0);
    for (int b = 0; b < N; ++b) {
      const Body::Parameters& p = bodies[static_cast<std::size_t>(b)];
      for (int i = 0; i < 3; ++i) {
        const T w = xi[6 * b + i], v = xi[6 * b + 3 + i];
        l += (p.inertia[i] * w * w + p.mass * v * v) / 2 +
             (p.mass * p.gravity[i] + p.force[i]) * g[b].second().coordinates()[i];
      }
    }
    return l;
  }

 protected:
  template <class T, class F>
  dalembert::Vec<T, Traits::rows * Count> rows(const F& f, const Frames<T>& g, const Velocity<T>& xi) const {
    dalembert::Vec<T, Traits::rows * Count> all;
    for (int c = 0; c < Count; ++c) {
      const Joint& joint = joints[static_cast<std::size_t>(c)];
      all.template segment<Traits::rows>(Traits::rows * c) = std::apply(
          [&](const auto&... place) { return f(joint, seen<T>(place, g, xi)...); }, joint.markers());
    }
    return all;
  }

 private:
  template <class T, class Marker>
  static dalembert::assembly::FrameState<T> seen(const Marker& place, const Frames<T>& g,
                                                 const Velocity<T>& xi) {
    dalembert::assembly::PointState<T> m;
    m.R = m.dR = m.V = m.W = dalembert::Vec<T, 3>(T(0), T(0), T(0));
    if (place.on_body()) {
      const int b = static_cast<int>(place.body);
      m.R = g[b].second().coordinates();
      m.rotation = g[b].first();
      m.V = xi.template segment<3>(6 * b + 3);
      m.W = m.rotation.act(dalembert::Vec<T, 3>(xi.template segment<3>(6 * b)));
    }
    return place.template seen<T>(m);
  }
};

/// Under constraints that say their positions.
template <int N, class Joint, int Count>
class DenseTwin : public DenseBodies<N, Joint, Count> {
  using Base = DenseBodies<N, Joint, Count>;

 public:
  template <class T>
  dalembert::Vec<T, Base::Traits::rows * Count> position_constraint(
      const typename Base::template Frames<T>& g, const T& t) const {
    return Base::template rows<T>(
        [&](const Joint& joint, const auto&... seen) { return joint.position_constraint(seen..., t); }, g,
        Base::template Velocity<T>::Zero());
  }
};

/// Under constraints that say their velocities.
template <int N, class Joint, int Count>
class DenseRollingTwin : public DenseBodies<N, Joint, Count> {
  using Base = DenseBodies<N, Joint, Count>;

 public:
  template <class T>
  dalembert::Vec<T, Base::Traits::rows * Count> velocity_constraint(
      const typename Base::template Frames<T>& g, const typename Base::template Velocity<T>& xi,
      const T& t) const {
    return Base::template rows<T>(
        [&](const Joint& joint, const auto&... seen) { return joint.velocity_constraint(seen..., t); }, g,
        xi);
  }
};

/// Under constraints whose reactions are told apart from them.
template <int N, class Joint, int Count>
class DenseReactingTwin : public DenseRollingTwin<N, Joint, Count> {
  using Base = DenseBodies<N, Joint, Count>;

 public:
  template <class T>
  dalembert::Mat<T, Base::Traits::rows * Count, 6 * N> variational(const typename Base::template Frames<T>& g,
                                                                   const typename Base::template Velocity<T>&,
                                                                   const T& t) const {
    dalembert::Mat<T, Base::Traits::rows * Count, 6 * N> a;
    for (int j = 0; j < 6 * N; ++j)
      a.col(j) = Base::template rows<T>(
          [&](const Joint& joint, const auto&... seen) { return joint.reaction(seen..., t); }, g,
          Base::template Velocity<T>::Unit(j));
    return a;
  }
};

}  // namespace test
