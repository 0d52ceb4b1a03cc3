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

/// The state of a system at g, ξ and t.
template <class System, class T = dalembert::ScalarOf<System>>
dalembert::StateOf<System> place(const System&, const dalembert::ConfigurationOf<System>& g,
                                 const dalembert::Vec<T, System::Group::dof>& xi, T t = 0) {
  return {.time = t, .g = g, .xi = xi};
}
/// The same with internal coordinates z.
template <class System, class T = dalembert::ScalarOf<System>>
dalembert::StateOf<System> place(const System&, const dalembert::ConfigurationOf<System>& g,
                                 const dalembert::Vec<T, System::Group::dof>& xi,
                                 const dalembert::Vec<T, dalembert::internal_size<System>>& z) {
  return {.time = 0, .g = g, .xi = xi, .z = z};
}

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
    const T kinetic = (m * (xi[0] * xi[0] + xi[1] * xi[1]) + inertia * xi[2] * xi[2]) / 2;
    return kinetic + m * c * g.translation()[0];
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
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
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
    return m * (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T position_constraint(const Rn<T, 2>& q, const T& t) const {
    using std::cos, std::sin;
    return q.coordinates()[1] * cos(rate * t) - q.coordinates()[0] * sin(rate * t);
  }
};

/// A pendulum in space as a point at the distance 1 from the origin.
template <class S = double>
struct SphericalPendulum {
  using Group = Rn<S, 3>;
  S m = S(0.8), gravity = S(9.81);
  template <class T>
  T lagrangian(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - m * gravity * q.coordinates()[2];
  }
  template <class T>
  T position_constraint(const Rn<T, 3>& q) const {
    const Vec<T, 3>& x = q.coordinates();
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1;
  }
};

/// A body turning about a point, ω₃ = 0 in its own frame (Suslov): I ω̇ = Iω × ω + λe₃, energy is constant.
template <class S = double>
struct Suslov {
  using Group = SO3<S>;
  template <class T>
  T lagrangian(const Vec<T, 3>& w) const {
    const Vec<T, 3> p = momentum(w);
    return (p[0] * w[0] + p[1] * w[1] + p[2] * w[2]) / 2;
  }
  template <class T>
  Vec<T, 3> momentum(const Vec<T, 3>& w) const {
    const Mat<S, 3> matrix = mass();
    Vec<T, 3> p;
    for (int i = 0; i < 3; ++i) p[i] = matrix(i, 0) * w[0] + matrix(i, 1) * w[1] + matrix(i, 2) * w[2];
    return p;
  }
  Mat<S, 3> mass() const {
    Mat<S, 3> matrix;
    matrix << 2, S(0.1), S(0.4), S(0.1), 3, S(-0.3), S(0.4), S(-0.3), 4;
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
  Vec<S, 3> inertia{1, S(1.4), S(0.6)};
  template <class T>
  T lagrangian(const SO3<T>& g, const Vec<T, 3>& w) const {
    const Vec<T, 3> centre = g.act(Vec<T, 3>(S(0.1), S(-0.2), S(0.5)));
    const T twice = inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2];
    return twice / 2 - 3 * centre[2];
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
    return exp(rate * t) * v[0] * v[0] / 2;
  }
};

/// A particle in the plane kept at constant speed by Chetaev's principle, under gravity.
template <class S = double>
struct ConstantSpeed {
  using Group = Rn<S, 2>;
  using Principle = dalembert::principle::Chetaev;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - q.coordinates()[1];
  }
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1] - 1) / 2;
  }
};

/// The same without a word on the principle: d'Alembert's does not cover it.
template <class S = double>
struct ConstantSpeedUnderDAlembert {
  using Group = Rn<S, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1] - 1) / 2;
  }
};

/// A sleigh whose blade pushes aslant: the reaction is along (sin β, cos β, 0), not across, so it does work. A drag acts too.
template <class S = double>
struct SlantedBlade {
  using Group = SE2<S>;
  S m = S(1.2), inertia = S(0.5), a = S(0.3), slant = S(0.35), drag = S(0.2);
  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    const T across = xi[1] + a * xi[2];
    return (m * (xi[0] * xi[0] + across * across) + inertia * xi[2] * xi[2]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }
  Mat<S, 1, 3> variational() const {
    using std::cos, std::sin;
    return {sin(slant), cos(slant), 0};
  }
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>& xi) const {
    return {-drag * xi[0], 0, -drag * xi[2]};
  }
};

/// A particle with two rows, ẏ = 0 and 2ẏ = rate · t, which agree only for rate = 0.
template <class S = double>
struct TwoRows {
  using Group = Rn<S, 2>;
  static constexpr std::array<std::string_view, 2> constraint_names = {"first rail", "second rail"};
  S rate = 0;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 3 * q.coordinates()[1];
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v, const T& t) const {
    return {v[1], 2 * v[1] - rate * t};
  }
};

/// Two coordinates, of which the second has no mass and no constraint.
template <class S = double>
struct MasslessCoordinate {
  using Group = Rn<S, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return v[0] * v[0] / 2;
  }
};

/// Maxwell's element: a mass on a spring of stretch z in series with a dashpot. z has no inertia, and its rate comes from a row.
///   ℓ = ½mẋ² − ½kz²,  ẋ − ż = cz,  δx = δz:   mẍ = −kz, and the energy falls at the rate kcz²
template <class S = double>
struct Maxwell {
  using Group = Rn<S, 1>;
  static constexpr int internal = 1;
  S m = S(1.3), k = S(2.1), c = S(0.4);
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (m * v[0] * v[0] - k * z[0] * z[0]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 1>& v, const Vec<T, 1>& z, const Vec<T, 1>& zdot) const {
    return v[0] - zdot[0] - c * z[0];
  }
};

/// A sleigh's blade with such an element between its path and the ground: one row restricts velocities, the other gives ż.
template <class S = double>
struct MaxwellOnSkate {
  using Group = SE2<S>;
  static constexpr int internal = 1;
  S k = S(2.1), c = S(0.4);
  template <class T>
  T lagrangian(const Vec<T, 3>& xi, const Vec<T, 1>& z) const {
    return (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2] - k * z[0] * z[0]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 3>& xi, const Vec<T, 1>& z, const Vec<T, 1>& zdot) const {
    return {xi[1], xi[0] - zdot[0] - c * z[0]};
  }
};

/// A spring whose stretch z solves z³ + z = x: an internal coordinate by a row of order 0.
///   ℓ = ½mẋ² − ½kz²:  mẍ = −kz/(3z² + 1), and the energy is constant
template <class S = double>
struct Cubic {
  using Group = Rn<S, 1>;
  static constexpr int internal = 1;
  S m = S(1.3), k = S(2.1);
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (m * v[0] * v[0] - k * z[0] * z[0]) / 2;
  }
  template <class T>
  T position_constraint(const Rn<T, 1>& q, const Vec<T, 1>& z) const {
    return z[0] * z[0] * z[0] + z[0] - q.coordinates()[0];
  }
};

/// A servo-constraint of order 2 in the plane, ẍ = ẏ², whose reaction acts along x; with `stiffening`, ẍ + s ẍ³ = ẏ².
template <class S = double>
struct Servo {
  using Group = Rn<S, 2>;
  using Principle = dalembert::principle::ExtendedChetaev;
  S stiffening = 0;
  template <class T>
  T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - q.coordinates()[1];
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 2>& v, const Vec<T, 2>& a) const {
    return a[0] + stiffening * a[0] * a[0] * a[0] - v[1] * v[1];
  }
};

/// A mass on a spring of stretch z, which a servo lets out as the mass accelerates: a row of order 2 that contains ż.
///   ℓ = ½mẋ² − ½kz²,  ż + s ż³ + cz = bẍ:   λ = kz/(1 + 3sż²), mẍ = −bλ
template <class S = double>
struct AccelerationServo {
  using Group = Rn<S, 1>;
  using Principle = dalembert::principle::ExtendedChetaev;
  static constexpr int internal = 1;
  S m = 1, k = S(3.5), b = 1, c = S(0.5), stiffening = 0;
  template <class T>
  T lagrangian(const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (m * v[0] * v[0] - k * z[0] * z[0]) / 2;
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 1>&, const Vec<T, 1>& a, const Vec<T, 1>& z,
                            const Vec<T, 1>& zdot) const {
    return zdot[0] + stiffening * zdot[0] * zdot[0] * zdot[0] + c * z[0] - b * a[0];
  }
};

/// The heavy top of above with the velocity in space, ω = Rw.
template <class S = double>
struct HeavyTopInSpace {
  using Group = SO3<S>;
  using Trivialisation = dalembert::trivialisation::Right;
  HeavyTop<S> top{};
  template <class T>
  T lagrangian(const SO3<T>& g, const Vec<T, 3>& omega) const {
    return top.lagrangian(g, g.inverse().act(omega));
  }
};

/// The heavy top of above reduced: what it knows of its attitude is the vertical as the body sees it.
template <class S = double>
struct HeavyTopReduced {
  using Group = SO3<S>;
  using Configuration = dalembert::Advected<SO3<S>>;
  HeavyTop<S> top{};
  template <class T>
  T lagrangian(const dalembert::Advected<SO3<T>>& vertical, const Vec<T, 3>& w) const {
    const T height = S(0.1) * vertical[0] - S(0.2) * vertical[1] + S(0.5) * vertical[2];
    const Vec<S, 3>& inertia = top.inertia;
    const T twice = inertia[0] * w[0] * w[0] + inertia[1] * w[1] * w[1] + inertia[2] * w[2] * w[2];
    return twice / 2 - 3 * height;
  }
};

}  // namespace test
