// Rods that branch, frames of rods and closed rings, by welds and hinges between the ends of rods, of one and the same too.

#include <cmath>
#include <functional>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/loads.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace branching_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using W = Weld<double>;
using H = Hinge<double>;
using Rotation = SO3<double>;
constexpr double pi_ = static_cast<double>(pi);
constexpr double EA = 1e6, GA = 4e5, EI = 2.0, GJ = 1.5;
const auto clamped = rod::Boundary<double>::clamped(), loose = rod::Boundary<double>::free();

Rod rod_of(int elements, double length, const rod::Boundary<double>& start, const V& force_at_end = V::Zero(),
           const V& rest_curvature = V::Zero()) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = {0.5, V(1e-4, 1e-4, 2e-4)};
  p.start = start;
  p.loads.finish.force = force_at_end;
  Vec<double, 6> k;
  k << GA, GA, EA, EI, EI, GJ;
  return Rod(rod::LinearElastic<double>(k, {.curvature = rest_curvature}), p);
}

auto frame_of(const std::vector<Rod>& rods, const std::vector<W>& welds, const std::vector<H>& hinges = {}) {
  return Assembly{bodies(rods), constraints(welds, hinges)};
}

/// Legs from points on a circle to its middle, where all are welded; the first bears the force.
struct Star {
  int elements;
  double length = 0.5;
  std::vector<Rod> rods;
  std::vector<Chain<double>> chains;
  std::vector<W> welds;

  Star(int n, int legs, const rod::Boundary<double>& outer, const V& force) : elements(n) {
    for (int leg = 0; leg < legs; ++leg) {
      const double angle = 2 * pi_ * leg / legs;
      const Rotation frame = Rotation::exp(V(0, 0, angle)) * Rotation::exp(V(0, pi_ / 2, 0));  // e₃ outwards
      const Rotation inwards = frame * Rotation::exp(V(pi_, 0, 0));
      rods.push_back(rod_of(n, length, outer, leg == 0 ? force : V(0, 0, 0)));
      chains.push_back(rods.back().straight(length * frame.act(V(0, 0, 1)), inwards));
      if (leg > 0) {
        const Rotation turn = chains[std::size_t(leg)].rotation(n).inverse() * chains[0].rotation(n);
        welds.push_back({{0, n}, {std::size_t(leg), n, V::Zero(), turn}});
      }
    }
  }
};

TEST_CASE("legs that meet in a point are as stiff there as all of them together", "[assembly][statics]") {
  const double F = 1e-3;
  for (const int legs : {3, 5}) {
    CAPTURE(legs);
    const auto middle = [&](int n, const V& force) {
      const Star star(n, legs, clamped, force);
      const auto problem = frame_of(star.rods, star.welds);
      auto x = problem.state(star.chains);
      (void)static_equilibrium(problem, x);
      for (int leg = 1; leg < legs; ++leg)
        CHECK((x[std::size_t(leg)].position(n) - x[0].position(n)).norm() < 1e-14);
      return V(x[0].position(n));
    };
    const auto limit = [&](const V& force) { return V((4 * middle(16, force) - middle(8, force)) / 3); };
    // the middle does not turn: every leg is a beam between clamps, of which one end moves
    const double L = 0.5, across = 1 / (L * L * L / (12 * EI) + L / GA), along = EA / L;
    CHECK(limit(V(0, 0, F))[2] == Approx(F / (legs * across)).epsilon(1e-6));
    const V in_plane = limit(V(0.6 * F, 0.8 * F, 0));
    CHECK(in_plane[0] == Approx(0.6 * F / (legs * (along + across) / 2)).epsilon(1e-5));
    CHECK(in_plane[1] == Approx(0.8 * F / (legs * (along + across) / 2)).epsilon(1e-5));
  }
}

TEST_CASE("a corner of two welded rods bends as one frame", "[assembly][statics]") {
  // a column along z, and a beam along x that is pushed down at its tip
  const double F = 1e-4, a = 0.7, b = 0.4;
  const auto tip = [&](int n) {
    const std::vector<Rod> rods{rod_of(n, a, clamped), rod_of(n, b, loose, V(0, 0, -F))};
    const Rotation turn = Rotation::exp(V(0, pi_ / 2, 0));
    const auto problem = frame_of(rods, {W{{0, n, V::Zero(), turn}, {1, 0}}});
    auto x = problem.state(
        {rods[0].straight(V(0, 0, 0), Rotation::identity()), rods[1].straight(V(0, 0, a), turn)});
    (void)static_equilibrium(problem, x);
    return V(x[1].position(n) - V(b, 0, a));
  };
  const V end = (4 * tip(16) - tip(8)) / 3;
  CHECK(-end[2] ==
        Approx(F * b * b * b / (3 * EI) + F * b / GA + F * b * b * a / EI + F * a / EA).epsilon(2e-5));
  CHECK(end[0] == Approx(F * b * a * a / (2 * EI)).epsilon(1e-4));
}

TEST_CASE("a beam with a hinge is two cantilevers, and one welded there is stiffer", "[assembly][statics]") {
  const double F = 1e-3, L = 0.5;
  const auto middle = [&](int n, bool hinge) {
    const std::vector<Rod> rods{rod_of(n, L, clamped, V(F, 0, 0)), rod_of(n, L, clamped)};
    const Rotation back = Rotation::exp(V(pi_, 0, 0)), axis = Rotation::exp(V(pi_ / 2, 0, 0));  // e₃ → ∓ e₂
    const FrameMarker<double> one{0, n, V::Zero(), axis}, other{1, n, V::Zero(), back.inverse() * axis};
    const auto problem = hinge ? frame_of(rods, {}, {H{one, other}}) : frame_of(rods, {W{one, other}});
    auto x = problem.state(
        {rods[0].straight(V(0, 0, 0), Rotation::identity()), rods[1].straight(V(0, 0, 2 * L), back)});
    (void)static_equilibrium(problem, x);
    return x[0].position(n)[0];
  };
  const auto limit = [&](bool hinge) { return (4 * middle(16, hinge) - middle(8, hinge)) / 3; };
  CHECK(limit(true) == Approx(F / 2 * (L * L * L / (3 * EI) + L / GA)).epsilon(3e-5));
  CHECK(limit(false) == Approx(F / 2 * (L * L * L / (12 * EI) + L / GA)).epsilon(1e-5));
}

/// A rod of length 2πR that is closed by a weld of its two ends; in the plane (x, z).
struct Ring {
  int n;
  double radius = 1;
  Rod rod;

  Ring(int elements, bool straight_at_rest)
      : n(elements),
        rod(rod_of(elements, 2 * pi_ * radius, loose, V::Zero(),
                   straight_at_rest ? V(0, 0, 0) : V(0, 1 / radius, 0))) {}
  [[nodiscard]] Chain<double> chain() const {
    Chain<double> c(n + 1);
    const double h = rod.spacing(), step = 2 * pi_ / n, r = h / (2 * std::sin(step / 2));
    for (int k = 0; k <= n; ++k)
      c.set_frame(k, Rotation::exp(V(0, step * k, 0)), r * V(-std::cos(step * k), 0, std::sin(step * k)));
    return c;
  }
  [[nodiscard]] auto problem(const Rod& of) const { return frame_of({of}, {W{{0, 0}, {0, n}}}); }
};

TEST_CASE("a rod bent to a ring and welded to itself is in equilibrium, with the moment EI/R at the seam",
          "[assembly][statics]") {
  const Ring ring(24, true);
  const auto problem = ring.problem(ring.rod);
  auto x = problem.state({ring.chain()});
  const auto found = static_equilibrium(problem, x);
  CHECK((x[0].configuration - ring.chain().configuration).topRows(25).abs().maxCoeff() < 1e-9);
  CHECK(found.energy == Approx(pi_ * EI));
  CHECK(found.multipliers.head(3).norm() < 1e-7);
  CHECK(std::abs(found.multipliers[4]) == Approx(EI).epsilon(1e-6));
  // and it stays
  auto r = problem.make_rates();
  problem.rates(x, r);
  CHECK(r.xidot.norm() < 1e-3 * EI / 1e-4 / ring.n);
}

TEST_CASE("a ring pinched between two forces flattens as theory says", "[assembly][statics]") {
  // between the seam and the node opposite; δ = (π/4 − 2/π) PR³/EI along them, (2/π − 1/2) PR³/EI across
  const double P = 1e-4;
  const auto flattened = [&](int n) {
    const Ring ring(n, false);
    auto p = ring.rod.parameters();
    p.loads.start.force = V(P, 0, 0);  // at x = −R
    const std::vector<Rod> rods{Rod(ring.rod.material(), p)};
    // the other force is the reaction of a joint that holds the far node
    const Assembly problem{
        bodies(rods), constraints(std::vector{W{{0, 0}, {0, n}},
                                              W{{0, n / 2},
                                                FrameMarker<double>::in_space(ring.chain().position(n / 2),
                                                                              ring.chain().rotation(n / 2))}},
                                  std::vector<H>{})};
    auto x = problem.state({ring.chain()});
    const V before = ring.chain().position(0) - ring.chain().position(n / 2);
    const double wide = ring.chain().position(n / 4)[2] - ring.chain().position(3 * n / 4)[2];
    const auto found = static_equilibrium(problem, x);
    CHECK(found.multipliers.segment<3>(6).norm() == Approx(P));
    const V after = x[0].position(0) - x[0].position(n / 2);
    return V(before.norm() - after.norm(), 0, x[0].position(n / 4)[2] - x[0].position(3 * n / 4)[2] - wide);
  };
  const V limit = (4 * flattened(32) - flattened(16)) / 3;
  CHECK(limit[0] == Approx(P / EI * (pi_ / 4 - 2 / pi_)).epsilon(1e-3));
  CHECK(limit[2] == Approx(P / EI * (2 / pi_ - 0.5)).epsilon(1e-3));
}

TEST_CASE("a ring under pressure gives way as 1/(1 − p/p_c), p_c = 3EI/R³", "[assembly][statics][load]") {
  using Pressure = rod::DistributedLoad<double, std::function<rod::EndLoad<double>(double, double)>>;
  // p pushes inwards, across the rod as it lies; a small load in two waves around ovalises it
  const auto ovalised = [](int n, double pressure) {
    const Ring ring(n, false);
    const Pressure load([=](double s, double) {
      const double push = 1e-4 * std::cos(2 * s);
      return rod::EndLoad<double>{.force = push * V(-std::cos(s), 0, std::sin(s)),
                                  .follower_force = V(pressure, 0, 0)};
    });
    const std::vector rods{WithLoad(ring.rod, load)};
    // nothing but the seam is held: rigid motions cost no energy, and are not asked for
    const Assembly problem{bodies(rods), constraints(std::vector{W{{0, 0}, {0, n}}}, std::vector<H>{})};
    auto x = problem.state({ring.chain()});
    const auto found = static_equilibrium(problem, x, {.first_step = 1});
    CHECK(found.search.iterations <= 8);
    const auto& c = x[0];
    return (c.position(0) - c.position(n / 2)).norm() - (c.position(n / 4) - c.position(3 * n / 4)).norm();
  };
  const auto limit = [&](double pressure) {
    return (4 * ovalised(48, pressure) - ovalised(24, pressure)) / 3;
  };
  const double none = limit(0), critical = 3 * EI;
  CHECK(none == Approx(4 * 1e-4 / (9 * EI)).epsilon(2e-3));  // w = qR⁴/(EI(n² − 1)²) for q cos nθ
  for (const double part : {-1.0, 0.5, 0.8}) {
    CAPTURE(part);
    CHECK(limit(part * critical) == Approx(none / (1 - part)).epsilon(0.01));
  }
}

TEST_CASE("a closed ring swings in its plane at the frequencies of a thin ring", "[assembly]") {
  // ω² = EI/(ρAR⁴) n²(n² − 1)²/(n² + 1) for n waves around
  for (const int waves : {2, 3}) {
    CAPTURE(waves);
    const double q = double(waves * waves);
    const double expected = std::sqrt(EI / 0.5 * q * (q - 1) * (q - 1) / (q + 1));
    const auto frequency = [&](int n) {
      const Ring ring(n, false);
      const auto problem = ring.problem(ring.rod);
      const auto rest = ring.chain();
      auto x = problem.state({rest});
      // at the velocity of the mode: w = cos nθ outwards and n times as slow v = −(1/n) sin nθ along, so that it does not stretch; it turns by v − w′
      const auto mode = [&](Chain<double>& c) {
        for (int k = 0; k <= n; ++k) {
          const double theta = 2 * pi_ * k / n, w = 1e-5 * std::cos(waves * theta),
                       v = -1e-5 / waves * std::sin(waves * theta);
          const V outwards(-std::cos(theta), 0, std::sin(theta)), along(std::sin(theta), 0, std::cos(theta));
          const double turn = v + 1e-5 * waves * std::sin(waves * theta);
          c.set_velocity(k, w * outwards + v * along, V(0, turn, 0));
        }
      };
      mode(x[0]);
      problem.project(x);
      // a quarter of a period later the displacement is largest: where the projection of the velocity on the mode changes its sign
      Chain<double> shape = rest;
      mode(shape);
      const auto along_mode = [&](const auto& at) {
        double sum = 0;
        for (int k = 1; k <= n; ++k) sum += shape.linear_velocity(k).dot(at[0].linear_velocity(k));
        return sum;
      };
      const double step = 1.0 / problem.frequency_bound(x);
      auto stepper = Verlet{}.stepper(problem, x);
      double before = along_mode(x), t = 0;
      for (int i = 0; i < 100000; ++i) {
        (void)stepper.step(problem, x, step);
        const double now = along_mode(x);
        if (now < 0) return pi_ / 2 / (t + step * before / (before - now));
        before = now;
        t += step;
      }
      return 0.0;
    };
    const double coarse = frequency(24), fine = frequency(48);
    CHECK(std::abs(fine / expected - 1) < 0.02);
    CHECK((4 * fine - coarse) / 3 == Approx(expected).epsilon(3e-3));
  }
}

TEST_CASE("a star that flies keeps its momenta and its energy", "[assembly]") {
  const Star star(6, 3, loose, V::Zero());
  const auto problem = frame_of(star.rods, star.welds);
  auto x = problem.state(star.chains);
  for (auto& c : x.chains)
    for (Eigen::Index k = 0; k < c.nodes; ++k) {
      const V r = c.position(k), omega = V(1, 2, 3) + 20 * r;
      c.set_velocity(k, V(0.3, 0, 0) + omega.cross(r), c.rotation(k).inverse().act(omega));
    }
  problem.project(x);
  const auto momenta = [&] {
    Vec<double, 6> sum = Vec<double, 6>::Zero();
    for (std::size_t i = 0; i < 3; ++i) sum += momentum(star.rods[i], x[i]);
    return sum;
  };
  const auto start = momenta();
  const double energy = problem.energy(x), step = 0.2 / problem.frequency_bound(x);
  auto stepper = Verlet{}.stepper(problem, x);
  for (int i = 0; i < 2000; ++i) REQUIRE(stepper.step(problem, x, step).converged);
  CHECK((momenta() - start).norm() < 1e-9 * start.norm());
  CHECK(problem.energy(x) == Approx(energy).epsilon(1e-3));
  CHECK(problem.constraint(x).position < 1e-12);
  CHECK((x[0].position(0) - star.chains[0].position(0)).norm() > 1e-3);
}

}  // namespace branching_test
