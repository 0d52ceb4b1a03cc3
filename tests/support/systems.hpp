#pragma once

/// @file
/// Small systems that between them use every part of the assembler, with what is known about them in closed form.

#include <array>
#include <cmath>
#include <string_view>

#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

namespace test {

using dalembert::Mat;
using dalembert::Rn;
using dalembert::SE2;
using dalembert::SO3;
using dalembert::Vec;

/// A skate on a slope of angle α, whose centre of mass is at the blade: SE(2), a potential, and a velocity constraint.
///   ℓ = ½m(u² + v²) + ½Iω² + m g sin α x,  v = 0
/// From rest but for the spin ω: φ = ωt, x = c sin²ωt/(2ω²), y = c(ωt − ½ sin 2ωt)/(2ω²), c = g sin α.
template <class S = double>
struct SkateOnSlope {
  using Group = SE2<S>;
  S m = S(1.3), inertia = S(0.4), c = S(2.5);

  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {
    const T kinetic =
        T(S(0.5) * m) * T(xi[0] * xi[0] + xi[1] * xi[1]) + T(S(0.5) * inertia) * T(xi[2] * xi[2]);
    return kinetic + T(m * c) * g.translation()[0];
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }
};

/// A free particle in space under ż = yẋ, whose rows depend on the place.
///   ẋ√(1 + y²) = constant, ẏ = constant
template <class S = double>
struct NonholonomicParticle {
  using Group = Rn<S, 3>;
  template <class T>
  T lagrangian(const Vec<T, 3>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  template <class T>
  T velocity_constraint(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] - q.coordinates()[1] * v[0];
  }
};

/// A bead on a line that turns at the rate Ω about the origin: a position constraint that depends on time.
///   φ = y cos Ωt − x sin Ωt = 0;  r̈ = Ω²r along the line
template <class S = double>
struct BeadOnTurningLine {
  using Group = Rn<S, 2>;
  static constexpr std::array<std::string_view, 1> constraint_names = {"distance from the line"};
  S m = S(0.7), rate = S(1.1);
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return T(S(0.5) * m) * T(v[0] * v[0] + v[1] * v[1]);
  }
  template <class T>
  T position_constraint(const Rn<T, 2>& q, const T& t) const {
    using std::cos, std::sin;
    const T angle = T(rate) * t;
    return q.coordinates()[1] * T(cos(angle)) - q.coordinates()[0] * T(sin(angle));
  }
};

/// A pendulum in space as a point at the distance 1 from the origin.
template <class S = double>
struct SphericalPendulum {
  using Group = Rn<S, 3>;
  S m = S(0.8), gravity = S(9.81);
  template <class T>
  T lagrangian(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return T(S(0.5) * m) * T(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - T(m * gravity) * q.coordinates()[2];
  }
  template <class T>
  T position_constraint(const Rn<T, 3>& q) const {
    const Vec<T, 3>& x = q.coordinates();
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - T(1);
  }
};

/// A body turning about a point, ω₃ = 0 in its own frame (Suslov): I ω̇ = Iω × ω + λe₃, energy is constant.
template <class S = double>
struct Suslov {
  using Group = SO3<S>;
  template <class T>
  T lagrangian(const Vec<T, 3>& w) const {
    const Vec<T, 3> p = momentum<T>(w);
    return T(S(0.5)) * T(p[0] * w[0] + p[1] * w[1] + p[2] * w[2]);
  }
  template <class T>
  Vec<T, 3> momentum(const Vec<T, 3>& w) const {
    const Mat<S, 3> matrix = mass();
    Vec<T, 3> p;
    for (int i = 0; i < 3; ++i)
      p[i] = T(matrix(i, 0)) * w[0] + T(matrix(i, 1)) * w[1] + T(matrix(i, 2)) * w[2];
    return p;
  }
  Mat<S, 3> mass() const {
    Mat<S, 3> matrix;
    matrix << S(2), S(0.1), S(0.4), S(0.1), S(3), S(-0.3), S(0.4), S(-0.3), S(4);
    return matrix;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& w) const {
    return w[2];
  }
};

/// A heavy body turning about a point, without constraints: spatial e₃ · J ω and the energy are constant.
template <class S = double>
struct HeavyTop {
  using Group = SO3<S>;
  Vec<S, 3> inertia{S(1), S(1.4), S(0.6)};
  template <class T>
  T lagrangian(const SO3<T>& g, const Vec<T, 3>& w) const {
    const Vec<T, 3> centre = g.act(Vec<T, 3>(T(S(0.1)), T(S(-0.2)), T(S(0.5))));
    const T twice =
        T(inertia[0]) * T(w[0] * w[0]) + T(inertia[1]) * T(w[1] * w[1]) + T(inertia[2]) * T(w[2] * w[2]);
    return T(S(0.5)) * twice - T(S(3)) * centre[2];
  }
};

/// A particle whose mass grows like e^{γt}: ℓ depends on time, ẋ = e^{−γt}.
template <class S = double>
struct GrowingMass {
  using Group = Rn<S, 1>;
  S rate = S(0.3);
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const T& t) const {
    using std::exp;
    return T(S(0.5)) * T(exp(T(T(rate) * t))) * T(v[0] * v[0]);
  }
};

/// A particle in the plane kept at constant speed by Chetaev's principle, under gravity.
template <class S = double>
struct ConstantSpeed {
  using Group = Rn<S, 2>;
  using Principle = dalembert::principle::Chetaev;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1]) - q.coordinates()[1];
  }
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1] - T(1));
  }
};

/// The same without a word on the principle: d'Alembert's does not cover it.
template <class S = double>
struct ConstantSpeedUnderDAlembert {
  using Group = Rn<S, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1]);
  }
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1] - T(1));
  }
};

/// A sleigh whose blade pushes aslant: the reaction is along (sin β, cos β, 0), not across, so it does work. A drag acts too.
template <class S = double>
struct SlantedBlade {
  using Group = SE2<S>;
  S m = S(1.2), inertia = S(0.5), a = S(0.3), slant = S(0.35), drag = S(0.2);
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    const T across = xi[1] + T(a) * xi[2];
    return T(S(0.5) * m) * T(xi[0] * xi[0] + across * across) + T(S(0.5) * inertia) * T(xi[2] * xi[2]);
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }
  Mat<S, 1, 3> variational() const {
    using std::cos, std::sin;
    return {sin(slant), cos(slant), S(0)};
  }
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>& xi) const {
    return Vec<T, 3>(T(-drag) * xi[0], T(0), T(-drag) * xi[2]);
  }
};

/// A particle with two rows, ẏ = 0 and 2ẏ = rate · t, which agree only for rate = 0.
template <class S = double>
struct TwoRows {
  using Group = Rn<S, 2>;
  static constexpr std::array<std::string_view, 2> constraint_names = {"first rail", "second rail"};
  S rate = S(0);
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0] + v[1] * v[1]) - T(S(3)) * q.coordinates()[1];
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v, const T& t) const {
    return Vec<T, 2>(v[1], T(S(2)) * v[1] - T(rate) * t);
  }
};

/// Two coordinates, of which the second has no mass and no constraint.
template <class S = double>
struct MasslessCoordinate {
  using Group = Rn<S, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return T(S(0.5)) * T(v[0] * v[0]);
  }
};

}  // namespace test
