#include <dalembert/contact/continuum.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/rods.hpp"

using namespace dalembert;
namespace continuum = contact::continuum;

namespace continuum_test {

using V = Vec<double, 3>;
using continuum::Section;

bool close(const auto& a, const auto& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-10; }

Vec<double, 2> vector2(const test::Json& x) { return {x[0].get<double>(), x[1].get<double>()}; }
Mat<double, 2> matrix2(const test::Json& x) {
  Mat<double, 2> m;
  m << x[0][0].get<double>(), x[0][1].get<double>(), x[1][0].get<double>(), x[1][1].get<double>();
  return m;
}

/// A rod that is a smooth function of s and t: r, Λ = exp(a(s, t)) exp(b(s, t)) from smooth waves.
template <class S>
class Field {
 public:
  explicit Field(test::Random& random, const Vec<S, 3>& middle, const Vec<S, 3>& along)
      : r_(random), rt_(random), a_(random), at_(random), middle_(middle), along_(along) {}

  Vec<S, 3> position(S s, S t) const { return middle_ + along_ * s + S(0.1) * (r_(s) + t * rt_(s)); }
  Mat<S, 3> frame(S s, S t) const { return test::rotation_matrix<S>(Vec<S, 3>(a_(s) + t * at_(s))); }

  /// Everything that the formulas take, by differences of the fields.
  Section<S> section(S s, S t) const {
    const auto frame_rate = [&](auto&& f) { return vee(Mat<S, 3>(frame(s, t).transpose() * slope(f))); };
    const auto stretch = [&](S x, S y) {
      return Vec<S, 3>(frame(x, y).transpose() * slope([&](S d) { return position(x + d, y); }));
    };
    const auto velocity = [&](S x, S y) {
      return Vec<S, 3>(frame(x, y).transpose() * slope([&](S d) { return position(x, y + d); }));
    };
    Section<S> c;
    c.frame = frame(s, t);
    c.position = position(s, t);
    c.stretch = stretch(s, t);
    c.velocity = velocity(s, t);
    c.curvature = frame_rate([&](S d) { return frame(s + d, t); });
    c.angular_velocity = frame_rate([&](S d) { return frame(s, t + d); });
    c.stretch_slope = slope([&](S d) { return stretch(s + d, t); });
    c.velocity_slope = slope([&](S d) { return velocity(s + d, t); });
    return c;
  }

  /// Fourth-order central difference at 0.
  template <class F>
  static auto slope(F&& f) {
    const S h = S(1e-3);
    using Value = decltype(f(h));
    const Value near = f(h) - f(-h);
    const Value far = f(2 * h) - f(-2 * h);
    return Value((S(8) * near - far) / (12 * h));
  }

 private:
  static Vec<S, 3> vee(const Mat<S, 3>& m) {
    return Vec<S, 3>(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / S(2);
  }
  test::Wave<S> r_, rt_, a_, at_;
  Vec<S, 3> middle_, along_;
};

TEST_CASE("the pointwise contact formulas give the reference values") {
  const test::Json reference = test::data("continuum_contact.json");
  const test::Json& in = reference.at("inputs");
  const test::Json& out = reference.at("outputs");
  const auto read = [&](const char* name) { return test::vector3(in.at(name)); };
  const Section<double> a{test::matrix3(in.at("Lambda1")),
                          read("r1"),
                          read("Gamma1"),
                          read("dGamma1_ds"),
                          read("Omega1"),
                          read("gamma1"),
                          read("dgamma1_ds"),
                          read("omega1")};
  Section<double> b{test::matrix3(in.at("Lambda2")),
                    read("r2"),
                    read("Gamma2"),
                    read("dGamma2_ds"),
                    read("Omega2"),
                    read("gamma2_any"),
                    read("dgamma2_ds"),
                    read("omega2")};
  const auto geometry = continuum::geometry(a, b);
  CHECK(close(geometry.rotation, test::matrix3(out.at("xi12"))));
  CHECK(close(geometry.apart, test::vector3(out.at("kappa12"))));
  CHECK(close(continuum::slip(a, b), test::vector3(out.at("rolling_residual_any"))));

  const auto loads = continuum::loads(a, b, read("lam"));
  CHECK(close(loads.force1, test::vector3(out.at("force1"))));
  CHECK(close(loads.force2, test::vector3(out.at("force2"))));
  CHECK(close(loads.torque1, test::vector3(out.at("torque1"))));
  CHECK(close(loads.torque2, test::vector3(out.at("torque2"))));

  CHECK(close(continuum::material_tangency(a, b).matrix, matrix2(out.at("A_E3"))));
  CHECK(close(continuum::material_tangency(a, b).rate, vector2(out.at("v_E3_any"))));
  CHECK(close(continuum::centreline_tangency(a, b).matrix, matrix2(out.at("A_Gamma"))));
  CHECK(close(continuum::centreline_tangency(a, b).rate, vector2(out.at("v_Gamma_any"))));

  b.velocity += geometry.rotation.transpose() * continuum::slip(a, b);  // now they roll
  CHECK(close(b.velocity, test::vector3(out.at("gamma2_rolling"))));
  CHECK(continuum::slip(a, b).norm() < 1e-15);
  CHECK(close(continuum::material_tangency(a, b).rate, vector2(out.at("v_E3_rolling"))));
  CHECK(close(continuum::centreline_tangency(a, b).rate, vector2(out.at("v_Gamma_rolling"))));
  const V e3 = V::UnitZ();
  const V spin = a.angular_velocity - geometry.rotation * b.angular_velocity;
  const Vec<double, 2> brief(0.5 * geometry.apart.dot(spin.cross(e3)),
                             -0.5 * geometry.apart.dot(spin.cross(V(geometry.rotation * e3))));
  CHECK(close(brief, vector2(out.at("v_E3_rolling_short"))));
}

TEST_CASE("contact positions keep both tangencies: A s' + v is the time derivative of the tangency") {
  using S = long double;
  test::Random random(test::seed());
  for (int trial = 0; trial < 5; ++trial) {
    const Field<S> one(random, {0, 0, 0}, {1, 0, 0}), other(random, {0, 0, S(0.3)}, {S(0.2), 1, 0});
    const S s1 = S(0.3), s2 = S(-0.2);
    const auto a = one.section(s1, 0), b = other.section(s2, 0);
    const Vec<S, 3> axis1 = random.vector<S>(), axis2 = random.vector<S>();
    const Vec<S, 2> rate = random.vector<S>().template head<2>();
    const auto tangency = [&](S t, bool material) {
      const auto c = one.section(s1 + t * rate[0], t), d = other.section(s2 + t * rate[1], t);
      const auto g = continuum::geometry(c, d);
      const Vec<S, 3> t1 = material ? axis1 : c.stretch, t2 = material ? axis2 : d.stretch;
      return Vec<S, 2>(g.apart.dot(t1), g.apart.dot(g.rotation * t2));
    };
    for (const bool material : {true, false}) {
      const auto equations =
          material ? continuum::material_tangency(a, b, axis1, axis2) : continuum::centreline_tangency(a, b);
      const Vec<S, 2> wanted = Field<S>::slope([&](S t) { return tangency(t, material); });
      CHECK((equations.matrix * rate + equations.rate - wanted).norm() < 1e-8L);
      CHECK((equations.matrix * equations.solve() + equations.rate).norm() < 1e-15L);
    }
    const S gap_rate = Field<S>::slope([&](S t) {
      const auto g =
          continuum::geometry(one.section(s1 + t * rate[0], t), other.section(s2 + t * rate[1], t));
      return S(g.apart.squaredNorm() / 2);
    });
    CHECK(std::abs(continuum::gap_rate(a, b, rate) - gap_rate) < 1e-10L);
  }
}

TEST_CASE("the gap stays with the centreline tangency, and with material axes if the rods do not shear") {
  test::Random random(test::seed());
  for (int trial = 0; trial < 10; ++trial) {
    for (const double share : {0.5, 0.3}) {
      Section<double> a, b;
      const V kappa(0, 0, 0.2);  // spatial; tangents across it
      a.stretch = V(0.05 * random(), 0.05 * random(), 1.1);
      b.stretch = V(0.05 * random(), 0.05 * random(), 0.9);
      // frames whose Γ lies across κ
      const auto across = [&](const V& stretch, const V& wanted) {
        return Mat<double, 3>(Eigen::Quaterniond::FromTwoVectors(stretch, wanted).toRotationMatrix() *
                              test::rotation_matrix<double>(V(random() * stretch)));
      };
      a.frame = across(a.stretch, V::UnitX());
      b.frame = across(b.stretch, V(0.3, 1, 0));
      b.position = kappa;
      for (auto* c : {&a, &b}) {
        c->velocity = random.vector<double>();
        c->angular_velocity = random.vector<double>();
        c->curvature = random.vector<double>();
        c->stretch_slope = random.vector<double>();
        c->velocity_slope = random.vector<double>();
      }
      b.velocity += continuum::geometry(a, b).rotation.transpose() * continuum::slip(a, b, share);
      CHECK(continuum::slip(a, b, share).norm() < 1e-14);
      const Vec<double, 2> gamma_rate = continuum::centreline_tangency(a, b).solve();
      CHECK(gamma_rate.norm() > 1e-3);
      CHECK(std::abs(continuum::gap_rate(a, b, gamma_rate)) < 1e-14);
      // an axis along Γ is a material axis of a rod that does not shear; E₃ here is not
      const auto straight = continuum::material_tangency(a, b, V(a.stretch), V(b.stretch));
      CHECK(std::abs(continuum::gap_rate(a, b, straight.solve())) < 1e-14);

      const auto loads = continuum::loads(a, b, random.vector<double>(), share);
      const V force1 = a.frame * loads.force1, force2 = b.frame * loads.force2;
      CHECK((force1 + force2).norm() < 1e-15);
      CHECK((a.frame * loads.torque1 + b.frame * loads.torque2 + kappa.cross(force2)).norm() < 1e-15);
      CHECK(std::abs(loads.force1.dot(a.velocity) + loads.torque1.dot(a.angular_velocity) +
                     loads.force2.dot(b.velocity) + loads.torque2.dot(b.angular_velocity)) < 1e-14);
    }
  }
}

TEST_CASE("the position equations are singular where the rods are parallel or curve about each other") {
  Section<double> a, b;
  for (const double angle : {0.3, 1.0, 1.5}) {
    b.frame = test::rotation_matrix<double>(V(angle, 0, 0));
    b.position = V(0.2, 0, 0);
    CHECK(continuum::material_tangency(a, b).matrix.determinant() ==
          Approx(-std::sin(angle) * std::sin(angle)));
    CHECK(continuum::centreline_tangency(a, b).matrix.determinant() ==
          Approx(-std::sin(angle) * std::sin(angle)));
  }
  // rod 1 bends towards rod 2 with a radius of the gap: every point of rod 1 is equally near
  b.frame = test::rotation_matrix<double>(V(1.57079632679489662, 0, 0));
  a.curvature = V(0, 1 / 0.2, 0);
  CHECK(std::abs(continuum::centreline_tangency(a, b).matrix.determinant()) < 1e-14);
  b.frame = Mat<double, 3>::Identity();
  a.curvature.setZero();
  CHECK(std::abs(continuum::centreline_tangency(a, b).matrix.determinant()) < 1e-15);
}

}  // namespace continuum_test
