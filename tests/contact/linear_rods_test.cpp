#include <dalembert/contact/linear_rods.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/analysis/ledger.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace linear_rods_test {

using namespace dalembert;
using Rods = contact::LinearRods<double>;
using Rod = rod::LinearRod<double>;
using Contact = contact::LinearCrossing<double>;
using State = Rods::State;
using Column = Rods::Column;
using Mat6 = Mat<double, 6>;
using Vec6 = Vec<double, 6>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using rod::LinearStrain;

static_assert(Problem<Rods> && SplitProblem<Rods> && ResidualProblem<Rods> && NumberedProblem<Rods> &&
              FrequencyBoundedProblem<Rods>);
static_assert(Problem<contact::LinearRods<long double>>);

/// A symmetric positive matrix near `middle`, full.
Mat6 full(test::Random& random, const Vec6& middle) {
  Mat6 a;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) a(i, j) = 0.3 * random();
  const Mat6 spread = Mat6(Mat6::Identity() + a * a.transpose());
  const Vec6 root = middle.cwiseSqrt();
  return Mat6(root.asDiagonal() * spread * root.asDiagonal());
}

/// Two rods of full stiffness that cross at an angle, the one anyhow in space. Their inertia is that of an elastic rod, or full.
struct Crossed {
  double angle = 1.1, radius1 = 0.04, radius2 = 0.03, width = 0.08;
  LinearStrain strain = LinearStrain::complete;
  bool full_inertia = false;
  std::array<int, 2> elements{30, 34};
  std::array<double, 2> s{0.47, 0.53};
  std::array<rod::Boundary<double>, 2> ends{rod::Boundary<double>::clamped(),
                                            rod::Boundary<double>::pinned()};
  SO3<double> frame1 = SO3<double>::exp({0.3, -1.1, 0.7});

  /// About the normal, e₁, by the angle.
  SO3<double> turn() const { return SO3<double>::exp({angle, 0, 0}); }
  Vec3 between() const { return (radius1 + radius2) * Vec3::UnitX(); }
  rod::SectionInertia<double> section_inertia(std::size_t i) const {
    auto inertia = test::soft_section<double>(i == 0 ? radius1 : radius2).inertia();
    inertia.rotary[1] *= 1.3;
    return inertia;
  }
  Mat6 inertia(std::size_t i) const {
    const Mat6 diagonal = section_inertia(i).matrix();
    test::Random random(test::seed() + unsigned(i));
    return full_inertia ? full(random, Vec6(diagonal.diagonal())) : diagonal;
  }
  Mat6 stiffness(std::size_t i) const {
    test::Random random(test::seed() + 10 + unsigned(i));
    return full(random, test::soft_section<double>(i == 0 ? radius1 : radius2).stiffness_diagonal());
  }
  Rod rod(std::size_t i) const {
    return Rod({.elements = elements[i],
                .length = 1,
                .inertia = inertia(i),
                .stiffness = stiffness(i),
                .start = ends[0],
                .finish = ends[1],
                .strain = strain});
  }
  Contact contact() const {
    return {.first = 0,
            .second = 1,
            .s1 = s[0],
            .s2 = s[1],
            .turn = turn(),
            .between = between(),
            .share = radius1 / (radius1 + radius2),
            .kernel_width = width};
  }
  Rods problem() const { return Rods({rod(0), rod(1)}, {contact()}); }

  /// Smooth velocities of size 1 m/s that do not slip.
  State moving(const Rods& problem) const {
    State x = problem.state();
    test::Random random(test::seed() + 20);
    for (std::size_t i = 0; i < 2; ++i) {
      const test::Wave<double> linear(random), angular(random);
      auto v = problem.field(x.xi, i);
      for (Eigen::Index k = 0; k < v.cols(); ++k) {
        const double at = double(k) / double(v.cols() - 1), bump = std::pow(std::sin(M_PI * at), 2);
        v.col(k).head<3>() = bump * linear(at);
        v.col(k).tail<3>() = 3 * bump * angular(at);
      }
    }
    problem.project(x);
    return x;
  }
};

/// The same two rods, geometrically exact.
struct Exact {
  using Body = rod::Rod<rod::CoupledElastic<double>>;
  using Assembly = assembly::Assembly<assembly::Kinds<Body>, assembly::Kinds<contact::Crossing<double>>>;
  Crossed crossed;
  std::array<SO3<double>, 2> frames{crossed.frame1, crossed.frame1* crossed.turn()};
  std::vector<Body> bodies{body(0), body(1)};
  Assembly problem{assembly::kinds(bodies),
                   assembly::kinds(std::vector{contact::Crossing<double>{{0, bodies[0], crossed.width},
                                                                         {1, bodies[1], crossed.width},
                                                                         crossed.radius1,
                                                                         crossed.radius2,
                                                                         true}})};

  Body body(std::size_t i) const {
    return Body(rod::CoupledElastic<double>(crossed.stiffness(i)), {.elements = crossed.elements[i],
                                                                    .length = 1,
                                                                    .inertia = crossed.section_inertia(i),
                                                                    .start = crossed.ends[0],
                                                                    .finish = crossed.ends[1]});
  }
  /// r₀ of node 0.
  Vec3 origin(std::size_t i) const {
    const Vec3 across = i == 0 ? Vec3(0, 0, 0) : crossed.between();
    return Vec3(crossed.frame1.act(across) - frames[i].act(Vec3(crossed.s[i] * Vec3::UnitZ())));
  }
  /// Displaced and moving as `size` times a state of the linear rods.
  assembly::State<double> state(const Rods& linear, const State& x, double size) const {
    std::vector<rod::Chain<double>> chains;
    for (std::size_t i = 0; i < 2; ++i) {
      auto chain = bodies[i].straight(origin(i), frames[i]);
      const auto phi = linear.field(x.phi, i), xi = linear.field(x.xi, i);
      for (Eigen::Index k = 0; k < chain.nodes; ++k) {
        const Vec3 moved = size * phi.col(k).head<3>(), turned = size * phi.col(k).tail<3>();
        const Vec3 v = size * xi.col(k).head<3>(), spin = size * xi.col(k).tail<3>();
        chain.set_frame(k, frames[i] * SO3<double>::exp(turned), chain.position(k) + frames[i].act(moved));
        chain.set_velocity(k, frames[i].act(v), spin);
      }
      chains.push_back(chain);
    }
    return problem.state(chains, Vec<double, 2>(crossed.s[0], crossed.s[1]));
  }
  /// φ of a state.
  Column phi(const Rods& linear, const assembly::State<double>& x) const {
    State out = linear.state();
    for (std::size_t i = 0; i < 2; ++i) {
      const auto rest = bodies[i].straight(origin(i), frames[i]);
      auto phi = linear.field(out.phi, i);
      for (Eigen::Index k = 0; k < rest.nodes; ++k) {
        phi.col(k).head<3>() = frames[i].inverse().act(Vec3(x.chains[i].position(k) - rest.position(k)));
        phi.col(k).tail<3>() = (frames[i].inverse() * x.chains[i].rotation(k)).log();
      }
    }
    return out.phi;
  }
};

/// How far linear rods are from exact ones after 20 ms, per amplitude: fields, multipliers, and the rates of the contact.
struct Distance {
  double field, force, contact;
};
Distance distance(const Crossed& crossed, double size) {
  const Rods linear = crossed.problem();
  const Exact exact{crossed};
  State x = crossed.moving(linear);
  auto y = exact.state(linear, x, size);
  const DriveOptions<Rods> options{.step = 1e-4, .until = 0.02};
  drive(RungeKutta4{}, linear, x, options);
  drive(RungeKutta4{}, exact.problem, y, {.step = 1e-4, .until = 0.02});
  auto r = linear.make_rates();
  linear.rates(x, r);
  auto q = exact.problem.make_rates();
  exact.problem.rates(y, q);
  const Vec3 force = crossed.frame1.inverse().act(Vec3(q.lambda));
  REQUIRE(x.phi.norm() > 0.01);
  REQUIRE(r.lambda.norm() > 0.1);
  return {(exact.phi(linear, y) - size * x.phi).lpNorm<Eigen::Infinity>(),
          (force - size * Vec3(r.lambda)).norm(),
          (Vec<double, 2>(q.zdot) - size * linear.contact_rates(x, 0)).norm()};
}

TEST_CASE(
    "linear rods in contact move as geometrically exact ones to first order in the amplitude, with their "
    "force",
    "[contact][linear]") {
  const Crossed crossed;
  std::array<Distance, 3> far{distance(crossed, 1e-3), distance(crossed, 5e-4), distance(crossed, 2.5e-4)};
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::log2(far[i].field / far[i + 1].field) == Approx(2).margin(0.1));
    CHECK(std::log2(far[i].force / far[i + 1].force) == Approx(2).margin(0.1));
    CHECK(std::log2(far[i].contact / far[i + 1].contact) == Approx(2).margin(0.1));
  }
  // without the coupling they do not
  Crossed principal;
  principal.strain = LinearStrain::principal_part;
  const Distance coarse = distance(principal, 1e-3), fine = distance(principal, 5e-4);
  CHECK(std::log2(coarse.field / fine.field) == Approx(1).margin(0.1));
  CHECK(std::log2(coarse.force / fine.force) == Approx(1).margin(0.1));
}

}  // namespace linear_rods_test
