// Rods that buckle: a twisted rod that localises, a frame that falls out of its plane; and a cable that stretches.

#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/rod/statics.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/continuation.hpp>

#include "support/catch.hpp"

namespace rod_buckling_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Chain = rod::Chain<double>;
using Held = rod::Boundary<double>;
using V = Vec<double, 3>;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr double pi_ = static_cast<double>(pi);

Rod make_rod(int elements, double length, const Vec<double, 6>& stiffness, const Held& start,
             const Held& finish, const rod::RestStrain<double>& rest = {}) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {1.0, V(0.1, 0.1, 0.2)};
  p.start = start;
  p.finish = finish;
  return Rod(rod::LinearElastic<double>(stiffness, rest), p);
}

/// GA, GA, EA, EI₁, EI₂, GJ.
Vec<double, 6> stiffness(double shear, double stretch, double bending1, double bending2, double twist) {
  Vec<double, 6> k;
  k << shear, shear, stretch, bending1, bending2, twist;
  return k;
}

/// The homoclinic of a rod without end of bending stiffness B and torsion stiffness C under a tension T and a torque M about z (van der Heijden and
/// Thompson 2000, Nonlinear Dyn. 21, 71): the angle θ of its tangent with z, and the turn ψ of the plane of this angle,
///   1 − cos θ = (1 − cos θ_max) sech² ks,  cos θ_max = M²/2BT − 1,  k² = T/B − M²/4B²                             (1)
///   ψ′ = M/(B (1 + cos θ)),  twist M/C                                                                            (2)
///   slack 4 √(B/T) √(1 − M²/4BT),  turn of the ends ML/C + 4 acos(M/2√(BT))                                       (3)
struct Localised {
  double bending = 1.345, torsion = 0.789, length = 100, torque = 0, tension = 0;

  /// (3) solved for M and T by Newton's method from next to the values known.
  Localised(double slack, double turn) {
    double m = 1.3, t = 0.4;
    for (int i = 0; i < 50; ++i) {
      const auto f = [&](double a, double b) {
        const double q = a / (2 * std::sqrt(bending * b));
        return std::pair{4 * std::sqrt(bending / b) * std::sqrt(1 - q * q) - slack,
                         a * length / torsion + 4 * std::acos(q) - turn};
      };
      const double e = 1e-7;
      const auto [f1, f2] = f(m, t);
      const auto [a1, a2] = f(m + e, t);
      const auto [b1, b2] = f(m, t + e);
      const double j11 = (a1 - f1) / e, j21 = (a2 - f2) / e, j12 = (b1 - f1) / e, j22 = (b2 - f2) / e;
      const double det = j11 * j22 - j12 * j21;
      m -= (j22 * f1 - j12 * f2) / det;
      t -= (j11 * f2 - j21 * f1) / det;
    }
    torque = m;
    tension = t;
  }
  [[nodiscard]] double cosine_max() const { return torque * torque / (2 * bending * tension) - 1; }
  [[nodiscard]] double rate() const {
    return std::sqrt(tension / bending - torque * torque / (4 * bending * bending));
  }
  /// cos θ, s from the middle.
  [[nodiscard]] double cosine(double s) const {
    const double c = std::cosh(rate() * s);
    return 1 - (1 - cosine_max()) / (c * c);
  }
};

struct Buckle {
  double torque, tension, angle;
};

/// The equilibrium of a rod whose clamps have come nearer by `slack` and turned by `turn`. The section has no preferred axes: those of the rod without
/// load are laid around it by `laid` turns, each as good as any other. With −27 they do not turn in the twisted rod, and elements see bending alone.
Buckle buckle(int elements, double slack, double turn, double laid) {
  const Localised exact(slack, turn);
  rod::RestStrain<double> rest;
  rest.curvature = V(0, 0, 2 * pi_ * laid / exact.length);
  const auto stiff = [&](double stretching) {
    return make_rod(elements, exact.length,
                    stiffness(stretching, stretching, exact.bending, exact.bending, exact.torsion),
                    Held::clamped(), Held::clamped(), rest);
  };
  Rod rod = stiff(1e5);
  // (1) and (2), from the middle to both sides
  Chain chain(rod.nodes());
  const double h = rod.spacing();
  const auto middle = static_cast<Eigen::Index>(elements / 2);
  std::vector<double> psi(static_cast<std::size_t>(rod.nodes()));
  const auto at = [](Eigen::Index k) { return static_cast<std::size_t>(k); };
  const auto where = [&](Eigen::Index k) { return h * static_cast<double>(k - middle); };
  const auto slope = [&](double s) { return exact.torque / (exact.bending * (1 + exact.cosine(s))); };
  for (Eigen::Index k = middle; k < rod.nodes() - 1; ++k) {
    const double s = where(k) + h / 2;
    psi[at(k + 1)] = psi[at(k)] + h * slope(s);
    psi[at(2 * middle - k - 1)] = -psi[at(k + 1)];
  }
  const auto turned = [&](double theta, double azimuth, double spin) {
    return SO3<double>::exp(V(0, 0, azimuth)) * SO3<double>::exp(V(0, theta, 0)) *
           SO3<double>::exp(V(0, 0, spin));
  };
  std::vector<V> r(at(rod.nodes()), V::Zero());
  double spin = 0;
  for (Eigen::Index k = middle; k < rod.nodes(); ++k) {
    const double theta = std::acos(exact.cosine(where(k)));
    chain.set_frame(k, turned(theta, psi[at(k)], spin), V::Zero());
    chain.set_frame(2 * middle - k, turned(theta, -psi[at(k)], -spin), V::Zero());
    const double s = where(k) + h / 2, c = exact.cosine(s);
    spin += h * (exact.torque / exact.torsion + rest.curvature[2] - slope(s) * c);
    if (k + 1 == rod.nodes()) break;
    const double azimuth = (psi[at(k)] + psi[at(k + 1)]) / 2, sine = std::sqrt(1 - c * c);
    r[at(k + 1)] = r[at(k)] + h * V(sine * std::cos(azimuth), sine * std::sin(azimuth), c);
    r[at(2 * middle - k - 1)] =
        r[at(2 * middle - k)] - h * V(sine * std::cos(azimuth), -sine * std::sin(azimuth), c);
  }
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) chain.set_frame(k, chain.rotation(k), r[at(k)]);
  const double half = (exact.length - slack) / 2, end = turn / 2 + pi_ * laid;
  // the closed form is that of a rod that does not stretch
  for (const double stretching : {1e5, 1e6, 1e7}) {
    rod = stiff(stretching);
    (void)rod::static_equilibrium(rod, chain,
                                  [&](double, Rod&, Chain& c) {
                                    c.set_frame(0, SO3<double>::exp(V(0, 0, -end)), V(0, 0, -half));
                                    c.set_frame(elements, SO3<double>::exp(V(0, 0, end)), V(0, 0, half));
                                  },
                                  {.first_step = 1});
  }
  auto f = rod::zero_columns<double, 6>(rod.nodes());
  rod.forces(chain, f);
  // the clamp pulls with the opposite of what pulls on it; axes of the end lie along z
  Buckle b{f(elements, 5), -f(elements, 2), 0};
  b.torque *= -1;
  for (Eigen::Index k = 0; k < rod.nodes(); ++k)
    b.angle = std::max(b.angle, std::acos(chain.rotation(k).act(V(0, 0, 1))[2]));
  return b;
}

TEST_CASE("A twisted rod buckles into a localised helix", "[validation][statics][buckling]") {
  const double slack = 3, turn = 27 * 2 * pi_;
  const Localised exact(slack, turn);
  CHECK_THAT(exact.torque, WithinAbs(1.325383, 1e-6));
  CHECK_THAT(exact.tension, WithinAbs(0.390184, 1e-6));
  CHECK_THAT(std::acos(exact.cosine_max()), WithinAbs(0.831676, 1e-6));
  const Buckle coarse = buckle(256, slack, turn, -27), middle = buckle(512, slack, turn, -27),
               fine = buckle(1024, slack, turn, -27);
  const auto compare = [&](double a, double b, double c, double limit) {
    CAPTURE(a, b, c, limit);
    CHECK_THAT(c, WithinRel(limit, 5e-4));
    CHECK_THAT((4 * c - b) / 3, WithinRel(limit, 1e-5));
    CHECK_THAT(std::log2((b - a) / (c - b)), WithinAbs(2, 0.1));
  };
  compare(coarse.torque, middle.torque, fine.torque, exact.torque);
  compare(coarse.tension, middle.tension, fine.tension, exact.tension);
  compare(coarse.angle, middle.angle, fine.angle, std::acos(exact.cosine_max()));
}

/// A right-angled frame of strips in the plane (x, z), clamped at the origin: along x, then down. The first load along x at its tip, growing from zero
/// towards `sign`, at which it falls out of its plane.
double frame_load(int elements, double sign) {
  const double length = 0.24, width = 0.03, thickness = 0.6e-3, young = 71.24e9, shear = young / (2 * 1.31);
  const double area = width * thickness, torsion = width * std::pow(thickness, 3) / 3;
  const Vec<double, 6> k =
      stiffness(5.0 / 6 * shear * area, young * area, young * thickness * std::pow(width, 3) / 12,
                young * width * std::pow(thickness, 3) / 12, shear * torsion);
  assembly::Kinds<Rod> bodies =
      assembly::bodies(std::vector{make_rod(elements, length, k, Held::clamped(), Held::free()),
                                   make_rod(elements, length, k, Held::free(), Held::free())});
  Mat<double, 3> first, second;  // e₁ = y in both
  first << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  second << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  const auto across = SO3<double>::from_matrix(first), down = SO3<double>::from_matrix(second);
  using Weld = assembly::Weld<double>;
  assembly::Kinds<Weld> welds = assembly::constraints(
      std::vector{Weld{{0, elements, V::Zero(), across.inverse()}, {1, 0, V::Zero(), down.inverse()}}});
  assembly::State<double> x;
  x.chains = {std::get<0>(bodies)[0].straight(V::Zero(), across),
              std::get<0>(bodies)[1].straight(V(length, 0, 0), down)};
  const auto branch = assembly::continue_equilibria(
      bodies, welds, x, 0.0,
      [&](double p, assembly::Kinds<Rod>& list, assembly::Kinds<Weld>&, assembly::State<double>&) {
        std::get<0>(list)[1].set_loads({.finish = {.force = V(sign * p, 0, 0)}});
      },
      {.first_step = 0.3, .parameter_scale = 1, .most = 3},
      [](const assembly::BranchPoint<double>& p) { return p.kind == assembly::BranchEvent::bifurcation; });
  const auto found = branch.of_kind(assembly::BranchEvent::bifurcation);
  return found.empty() ? 0 : found[0].parameter;
}

TEST_CASE("A right-angled frame buckles out of its plane", "[validation][statics][buckling]") {
  const double coarse = frame_load(16, 1), middle = frame_load(32, 1), fine = frame_load(64, 1);
  CHECK_THAT(fine, WithinRel(1.088, 1e-2));
  CHECK_THAT(std::log2((middle - coarse) / (fine - middle)), WithinAbs(2, 0.1));
  CHECK_THAT((4 * fine - middle) / 3, WithinRel(1.088, 1e-3));
  // pulled the other way it falls sooner
  CHECK_THAT(frame_load(32, -1), WithinRel(0.6804, 1e-3));
}

/// A cable of weight W and length L₀ without load, of stretching stiffness EA, between two points that are `span` and `rise` apart: with the reactions H
/// and V at its first end (Irvine 1981, Cable Structures, section 2.2)
///   x(s) = Hs/EA + (HL₀/W) [asinh(V/H) − asinh((V − Ws/L₀)/H)]
///   z(s) = (Ws/EA) (V/W − s/2L₀) + (HL₀/W) [√(1 + (V/H)²) − √(1 + ((V − Ws/L₀)/H)²)]   down
struct Catenary {
  double weight = 5, length = 1, stretching = 40, h = 0, v = 0;

  Catenary(double span, double rise) : h(0.3 * weight), v(weight / 2) {
    for (int i = 0; i < 60; ++i) {  // Newton's method
      const double e = 1e-6;
      const auto f = [&](double a, double b) {
        Catenary c = *this;
        c.h = a;
        c.v = b;
        const V end = c.at(length);
        return V(end[0] - span, 0, end[2] - rise);
      };
      const V f0 = f(h, v), fa = (f(h + e, v) - f(h - e, v)) / (2 * e),
              fb = (f(h, v + e) - f(h, v - e)) / (2 * e);
      const double det = fa[0] * fb[2] - fb[0] * fa[2];
      h -= (fb[2] * f0[0] - fb[0] * f0[2]) / det;
      v -= (fa[0] * f0[2] - fa[2] * f0[0]) / det;
    }
  }
  [[nodiscard]] V at(double s) const {
    const double left = v - weight * s / length, r = h * length / weight;
    return {h * s / stretching + r * (std::asinh(v / h) - std::asinh(left / h)), 0,
            -(weight * s / stretching * (v / weight - s / (2 * length)) +
              r * (std::sqrt(1 + v * v / (h * h)) - std::sqrt(1 + left * left / (h * h))))};
  }
};

TEST_CASE("A cable that stretches hangs in an elastic catenary", "[validation][statics]") {
  const double span = 0.8, rise = 0.1;
  const Catenary exact(span, rise);
  REQUIRE_THAT(exact.at(1)[0], WithinAbs(span, 1e-12));
  REQUIRE_THAT(exact.at(1)[2], WithinAbs(rise, 1e-12));
  struct Sag {
    V middle;
    double h, v;
  };
  const auto hang = [&](int n) {
    const Held pinned = Held::degrees({true, true, true, true, false, true});  // it stays in its plane
    Rod::Parameters p;
    p.elements = n;
    p.length = exact.length;
    p.inertia = {exact.weight / 9.81, V(1, 1, 2)};
    p.start = p.finish = pinned;
    p.loads.gravity = V(0, 0, -9.81);
    Rod cable(rod::LinearElastic<double>(stiffness(1e4, exact.stretching, 1e-7, 1e-7, 1e-7)), p);
    Chain chain = cable.straight(V::Zero(), SO3<double>::exp(V(0, pi_ / 2, 0)), 1.2);
    // stretched under its weight first, then let down
    rod::Loads<double> weight = p.loads;
    (void)rod::static_equilibrium(cable, chain,
                                  [&](double part, Rod& r, Chain&) { r.set_loads(weight.scaled(part)); });
    const V from = chain.position(n), to(span, 0, rise);
    (void)rod::static_equilibrium(cable, chain, [&](double part, Rod&, Chain& c) {
      c.set_frame(n, c.rotation(n), from + part * (to - from));
    });
    auto f = rod::zero_columns<double, 6>(cable.nodes());
    cable.forces(chain, f);
    return Sag{chain.position(n / 2), f(0, 0), -f(0, 2)};
  };
  const Sag a = hang(64), b = hang(128), c = hang(256);
  const V limit = (4 * c.middle - b.middle) / 3;
  CAPTURE(exact.h, exact.v, c.h, c.v, c.middle[2], exact.at(0.5)[2]);
  CHECK((c.middle - exact.at(0.5)).norm() < 5e-4);
  CHECK((limit - exact.at(0.5)).norm() < 1e-5);
  CHECK_THAT(std::log2((b.middle - a.middle).norm() / (c.middle - b.middle).norm()), WithinAbs(2, 0.1));
  CHECK_THAT(c.h, WithinRel(exact.h, 5e-4));
  CHECK_THAT((4 * c.h - b.h) / 3, WithinRel(exact.h, 1e-5));
  CHECK_THAT((4 * c.v - b.v) / 3, WithinRel(exact.v, 1e-5));
}

}  // namespace rod_buckling_test
