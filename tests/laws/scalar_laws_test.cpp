// A system policy says what its equations say, without conversions, and means the same over every scalar.

#include <dalembert/systems/ball_on_moving_plane.hpp>
#include <dalembert/systems/chaotic_oscillator.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/greidanus_limit.hpp>
#include <dalembert/systems/greidanus_tire.hpp>
#include <dalembert/systems/knife_edge.hpp>
#include <dalembert/systems/nonholonomic_particle.hpp>

#include "laws/scalar_laws.hpp"

namespace scalar_laws_test {

using namespace scalar_laws;

/// Of everything that may stand in a policy something: parameters, whole numbers, functions, vectors of Eigen, and `auto`.
template <class S>
struct Policy {
  using Group = SE2<S>;
  static constexpr int internal = 1;
  S weight = 2, inertia = S(0.7L), stiffness = 3, length = S(1.3L);

  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi, const Vec<T, 1>& z, const T& t) const {
    using std::cos, std::exp, std::sqrt;
    const Vec<T, 2> tip = g.act(Vec<T, 2>(length, 0));
    const auto across = xi[1] + length * xi[2];
    const auto kinetic = weight * (xi[0] * xi[0] + across * across) + inertia * xi[2] * xi[2];
    return (2 - cos(2 * t)) * kinetic / 2 - stiffness / 2 * z[0] * z[0] + 1 / sqrt(3 + tip[0] * tip[0]) -
           exp(-tip[1]) / 4;
  }
  template <class T>
  T position_constraint(const SE2<T>& g, const T& t) const {
    using std::sin;
    const auto& cosine = g.rotation().cosine();
    return 1 - cosine + length * sin(t) - g.translation()[0] / 3;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 3>& xi, const Vec<T, 1>& z, const Vec<T, 1>& zdot) const {
    const Vec<T, 3> turned = length * xi - Vec<T, 3>(0, 0, 1);
    return {turned[1] - 2 * turned[2] + 1, zdot[0] + z[0] / 2 - weight * xi[0]};
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 3>& xi, const Vec<T, 3>& xidot) const {
    T row = 0;
    for (int i = 0; i < 3; ++i) row += 2 * xidot[i];
    return 2 - row + inertia * xi[0];
  }
  template <class T>
  Vec<T, 3> force(const SE2<T>& g, const Vec<T, 3>& xi) const {
    Vec<T, 3> all;
    all << -weight * xi[0], 0, 1;
    all[1] = g.rotation().sine();
    return all / 2;
  }
};

/// Check the system that `make_over(S{})` gives over each scalar S.
template <class MakeOver>
void same_over_every_scalar(const char* name, MakeOver make_over) {
  CAPTURE(name);
  using Extended = long double;
  const auto system = make_over(double{});
  const auto extended = make_over(Extended{});
  using System = std::decay_t<decltype(system)>;
  constexpr int n = arguments<System>, m = results<System>;
  constexpr double few = 1e-13, few_of_float = 1e-4;
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const Mat<double, n, 2> x = random_columns<n, 2>(random);
    const Mat<double, n, 3> directions = random_columns<n, 3>(random);
    const Vec<double, n> at = x.col(0);
    const Vec<double, m> expected = evaluate(system, at);
    const auto over = [&]<class T>(const auto& policy, T) {
      return evaluate(policy, along<T>(x, directions));
    };

    CHECK(apart(plain(over(extended, Extended{})), expected) <= few);
    CHECK(apart(plain(over(make_over(0.0F), 0.0F)), expected) <= few_of_float);
    CHECK(apart(plain(over(make_over(0.0F), Dual<float, 3>{})), expected) <= few_of_float);

    using D = Dual<double, 3>;
    using DD = Dual<Dual<double, 2>, 3>;
    const Vec<D, m> once = over(system, D{});
    const Vec<DD, m> twice = over(system, DD{});
    CHECK(apart(plain(once), expected) <= few);
    CHECK(apart(plain(twice), expected) <= few);
    for (int k = 0; k < 3; ++k) {
      const auto slope = detail::map_all<double>(once, [k](const D& y) { return y.derivative(k); });
      const auto again = detail::map_all<double>(twice, [k](const DD& y) { return y.derivative(k).value(); });
      CHECK(apart(again, slope) <= 10 * few);
      const Vec<Extended, n> step = detail::convert_all<Extended>(Vec<double, n>(1e-6 * directions.col(k)));
      const Vec<Extended, n> from = detail::convert_all<Extended>(at);
      const Vec<Extended, m> change = evaluate(extended, Vec<Extended, n>(from + step)) -
                                      evaluate(extended, Vec<Extended, n>(from - step));
      CHECK(apart(plain(Vec<Extended, m>(change / 2e-6L)), slope) <= 1e-9);
    }
    const auto second = [&](int j, int k) {
      return detail::map_all<double>(twice, [=](const DD& y) { return y.derivative(j).derivative(k); });
    };
    CHECK(apart(second(0, 1), second(1, 0)) <= 10 * few);

    using P = Pack<double, 2>;
    const Vec<P, m> packed = over(system, P{});
    const Vec<Dual<P, 3>, m> slopes = over(system, Dual<P, 3>{});
    for (int lane = 0; lane < 2; ++lane) {
      const Vec<double, m> alone = evaluate(system, Vec<double, n>(x.col(lane)));
      CHECK(apart(plain(packed, lane), alone) <= few);
      CHECK(apart(plain(slopes, lane), alone) <= few);
    }
  }
}

TEST_CASE("a policy without conversions means the same over every scalar", "[laws]") {
  same_over_every_scalar("Policy", []<class S>(S) { return Policy<S>(); });
}

TEST_CASE("systems from A to N mean the same over dual packs as over plain numbers", "[laws]") {
  using namespace systems;
  same_over_dual_packs("BallOnMovingPlane", make<BallOnMovingPlane<double>>(),
                       make<BallOnMovingPlane<long double>>());
  same_over_dual_packs("a ball on a sheared plane", make<BallOnMovingPlane<double, Shear<double>>>(),
                       make<BallOnMovingPlane<long double, Shear<long double>>>());
  same_over_dual_packs("a ball on a stretched plane",
                       make<BallOnMovingPlane<double, StagnationFlow<double>>>(),
                       make<BallOnMovingPlane<long double, StagnationFlow<long double>>>());
  same_over_dual_packs("a ball on a shaken tray", make<BallOnMovingPlane<double, ShakenTray<double>>>(),
                       make<BallOnMovingPlane<long double, ShakenTray<long double>>>());
  same_over_dual_packs("ChaoticOscillator", make<ChaoticOscillator<double, 2>>(),
                       make<ChaoticOscillator<long double, 2>>());
  same_over_dual_packs("ChaplyginSleigh", make<ChaplyginSleigh<double>>(),
                       make<ChaplyginSleigh<long double>>());
  same_over_dual_packs("CurvatureElasticBall", make<CurvatureElasticBall<double>>(),
                       make<CurvatureElasticBall<long double>>());
  same_over_dual_packs("ElasticBall", make<ElasticBall<double>>(), make<ElasticBall<long double>>());
  same_over_dual_packs("GreidanusLimit", make<GreidanusLimit<double>>(), make<GreidanusLimit<long double>>());
  same_over_dual_packs("GreidanusTire", make<GreidanusTire<double>>(), make<GreidanusTire<long double>>());
  same_over_dual_packs("KnifeEdge", make<KnifeEdge<double>>(), make<KnifeEdge<long double>>());
  same_over_dual_packs("NonholonomicParticle", make<NonholonomicParticle<double>>(),
                       make<NonholonomicParticle<long double>>());
}

}  // namespace scalar_laws_test
