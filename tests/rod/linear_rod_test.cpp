#include "support/linear/rod.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace linear_rod_test {

using namespace dalembert;
using Rod = test::linear::LinearRod<double>;
using Field = test::linear::Field<double>;
using Mat6 = Mat<double, 6>;
using Vec6 = Vec<double, 6>;
using Vec3 = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using test::linear::LinearStrain;

Mat6 diagonal(const Vec6& d) { return Mat6(d.asDiagonal()); }

/// A symmetric positive matrix with eigenvalues of size about 1, full.
Mat6 random_positive(test::Random& random) {
  Mat6 a;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) a(i, j) = random();
  return Mat6(0.5 * Mat6::Identity() + a * a.transpose() / 3);
}

Rod::Parameters random_parameters(unsigned more = 0) {
  test::Random random(test::seed() + more);
  Rod::Parameters p;
  p.elements = 17;
  p.length = 2.3;
  p.inertia = random_positive(random);
  p.stiffness = random_positive(random);
  return p;
}

Field random_field(Eigen::Index nodes, unsigned more = 0) {
  test::Random random(test::seed() + 100 + more);
  Field phi(6, nodes);
  for (Eigen::Index k = 0; k < nodes; ++k)
    for (int i = 0; i < 6; ++i) phi(i, k) = random();
  return phi;
}

/// Timoshenko's beam of the closed form below.
Rod beam(LinearStrain strain, int elements = 100) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = 10;
  p.inertia = diagonal((Vec6() << 1, 1, 1, 0.02, 0.02, 0.04).finished());
  p.stiffness = diagonal((Vec6() << 20, 20, 50, 0.5, 0.5, 0.4).finished());
  p.strain = strain;
  return Rod(p);
}

TEST_CASE("long waves of a linear rod are those of Timoshenko's beam, and without the coupling they are not",
          "[rod][linear]") {
  const double k = 1, mass = 1, rotary = 0.02, shear = 20, bending = 0.5;
  const double b = mass * bending * k * k + shear * rotary * k * k + shear * mass;
  const double root = std::sqrt(b * b - 4 * mass * rotary * bending * shear * std::pow(k, 4));
  const double low = std::sqrt((b - root) / (2 * mass * rotary)),
               high = std::sqrt((b + root) / (2 * mass * rotary));
  const double axial = std::sqrt(50.0), twist = std::sqrt(0.4 / 0.04);
  CHECK(low == Approx(0.6919).margin(5e-5));  // as Timoshenko's beam
  const Vec6 complete = beam(LinearStrain::complete).continuous_wave_frequencies(k);
  const Vec6 expected = (Vec6() << low, low, twist, axial, high, high).finished();
  CHECK((complete - expected).lpNorm<Eigen::Infinity>() < 1e-11);
  const Vec6 principal = beam(LinearStrain::principal_part).continuous_wave_frequencies(k);
  const Vec6 uncoupled = (Vec6() << twist, std::sqrt(20), std::sqrt(20), 5, 5, axial).finished();
  CHECK((principal - uncoupled).lpNorm<Eigen::Infinity>() < 1e-11);
  CHECK(principal[1] == Approx(4.47).margin(5e-3));
  CHECK(principal[1] / low == Approx(6.46).margin(5e-3));
  // for short waves both agree
  const Vec6 short_complete = beam(LinearStrain::complete).continuous_wave_frequencies(1e4),
             short_principal = beam(LinearStrain::principal_part).continuous_wave_frequencies(1e4);
  CHECK((short_complete - short_principal).lpNorm<Eigen::Infinity>() < 1e-4 * short_principal[0]);
}

TEST_CASE("waves on a grid tend to the waves of the continuous rod with order 2", "[rod][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    const auto error = [&](int elements) {
      const Rod rod = beam(strain, elements);
      return Vec6(rod.wave_frequencies(1) - rod.continuous_wave_frequencies(1));
    };
    const Vec6 coarse = error(100), fine = error(200);
    for (int i = 0; i < 6; ++i) CHECK(std::log2(coarse[i] / fine[i]) == Approx(2).margin(0.01));
  }
}

TEST_CASE("a wave on the grid of a linear rod is accelerated as its dispersion relation says",
          "[rod][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    Rod::Parameters p = random_parameters();
    p.strain = strain;
    const Rod rod(p);
    for (const double k : {0.4, 2.0, 9.0, 20.0}) {
      CAPTURE(k);
      // (6) by hand
      using Complex = std::complex<double>;
      using Matrix = Eigen::Matrix<Complex, 6, 6>;
      const double h = rod.spacing();
      Matrix b = Complex(0, 2 / h * std::sin(k * h / 2)) * Matrix::Identity();
      if (strain == LinearStrain::complete) {
        b(0, 4) -= std::cos(k * h / 2);
        b(1, 3) += std::cos(k * h / 2);
      }
      const Matrix by_hand = b.adjoint() * p.stiffness.cast<Complex>() * b;
      const auto symbol = rod.symbol(k);
      const double size = by_hand.cwiseAbs().maxCoeff();
      CHECK((by_hand.real() - symbol.real).cwiseAbs().maxCoeff() < 1e-14 * size);
      CHECK((by_hand.imag() - symbol.imaginary).cwiseAbs().maxCoeff() < 1e-14 * size);
      const Vec6 omega = rod.wave_frequencies(k);
      const auto wave = [&](const Eigen::Matrix<Complex, 6, 1>& shape) {
        Field phi(6, rod.nodes());
        for (Eigen::Index n = 0; n < rod.nodes(); ++n)
          phi.col(n) = (shape * std::exp(Complex(0, k * h * double(n)))).real();
        return phi;
      };
      for (int mode = 0; mode < 6; ++mode) {
        const Matrix pencil = by_hand - (omega[mode] * omega[mode] * p.inertia).template cast<Complex>();
        // the shape of the wave spans the kernel of the pencil, so the largest column of its adjugate
        Eigen::Matrix<Complex, 6, 1> shape = Eigen::Matrix<Complex, 6, 1>::Ones();
        const Matrix shifted = pencil + 1e-13 * size * Matrix::Identity();
        Matrix inverse = shifted.inverse();
        for (int i = 0; i < 3; ++i) shape = (inverse * shape).normalized();
        const Field phi = wave(shape);
        Field f(6, rod.nodes()), a(6, rod.nodes());
        rod.forces(phi, f);
        rod.accelerations(f, a);
        double error = 0;
        for (Eigen::Index n = 1; n + 1 < rod.nodes(); ++n)
          error = std::max(error, (a.col(n) + omega[mode] * omega[mode] * phi.col(n)).norm());
        CHECK(error < 1e-10 * omega[5] * omega[5]);
      }
    }
  }
}

TEST_CASE("the forces of a linear rod are what its energy falls by", "[rod][linear]") {
  for (const LinearStrain strain : {LinearStrain::complete, LinearStrain::principal_part}) {
    Rod::Parameters p = random_parameters();
    p.strain = strain;
    const Rod rod(p);
    const Field phi = random_field(rod.nodes());
    Field f(6, rod.nodes());
    rod.forces(phi, f);
    for (Eigen::Index k = 0; k < rod.nodes(); ++k)
      for (int i = 0; i < 6; ++i) {
        Field after = phi, before = phi;
        after(i, k) += 0.5;
        before(i, k) -= 0.5;  // exact: the energy is a square
        CHECK(f(i, k) == Approx(rod.potential_energy(before) - rod.potential_energy(after)).margin(1e-10));
      }
  }
}

TEST_CASE("a linear rod is at rest wherever it is moved and turned, which the principal part alone is not",
          "[rod][linear]") {
  const Vec3 shift(0.3, -0.2, 0.7), turn(0.4, -0.9, 0.6);
  const auto energy = [&](LinearStrain strain, const Vec3& by) {
    Rod::Parameters p = random_parameters();
    p.strain = strain;
    const Rod rod(p);
    Field phi(6, rod.nodes());
    for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
      phi.col(k).head<3>() = shift + by.cross(double(k) * rod.spacing() * Vec3::UnitZ());
      phi.col(k).tail<3>() = by;
    }
    return rod.potential_energy(phi);
  };
  CHECK(energy(LinearStrain::complete, turn) < 1e-28);
  CHECK(energy(LinearStrain::principal_part, Vec3::Zero()) < 1e-28);
  CHECK(energy(LinearStrain::principal_part, turn) > 0.1);
}

TEST_CASE("the forces of a linear rod are those of the elastic rod to first order", "[rod][linear]") {
  const Rod::Parameters p = random_parameters();
  const Rod linear(p);
  using Elastic = rod::Rod<rod::CoupledElastic<double>>;
  Elastic::Parameters q;
  q.elements = p.elements;
  q.length = p.length;
  q.inertia = {1, Vec3(1, 1, 1)};
  const Elastic elastic(rod::CoupledElastic<double>(p.stiffness), q);
  const SO3<double> frame = SO3<double>::exp({0.3, -1.1, 0.7});
  const Field phi = random_field(linear.nodes());
  Field first(6, linear.nodes());
  linear.forces(phi, first);
  const auto difference = [&](double size) {
    auto chain = elastic.straight({0.1, 0.2, -0.3}, frame);
    for (Eigen::Index k = 0; k < elastic.nodes(); ++k) {
      const Vec3 moved = size * phi.col(k).head<3>(), turned = size * phi.col(k).tail<3>();
      chain.set_frame(k, frame * SO3<double>::exp(turned), chain.position(k) + frame.act(moved));
    }
    auto loads = rod::zero_columns<double, 6>(elastic.nodes());
    elastic.forces(chain, loads);
    double most = 0;
    for (Eigen::Index k = 0; k < elastic.nodes(); ++k) {
      const Vec3 force = frame.inverse().act(rod::at3<0>(loads, k)), torque = rod::at3<3>(loads, k);
      most = std::max({most, (force - size * first.col(k).head<3>()).norm(),
                       (torque - size * first.col(k).tail<3>()).norm()});
    }
    return most;
  };
  const double coarse = difference(1e-3), fine = difference(5e-4), finer = difference(2.5e-4);
  CHECK(coarse < 1e-2 * 1e-3 * first.norm());
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.05));
  CHECK(std::log2(fine / finer) == Approx(2).margin(0.05));
}

TEST_CASE(
    "held degrees of the ends of a linear rod are not accelerated, and the others as if these were walls",
    "[rod][linear]") {
  Rod::Parameters p = random_parameters();
  p.start = rod::Boundary<double>::pinned();
  p.finish = rod::Boundary<double>::degrees({true, false, false, false, true, false});
  const Rod rod(p);
  const Field f = random_field(rod.nodes());
  Field a(6, rod.nodes());
  rod.accelerations(f, a);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const Vec6 needed = rod.node_inertia(k) * a.col(k);
    const double part = k == 0 || k == p.elements ? 0.5 : 1.0;
    CHECK((rod.node_inertia(k) - part * rod.spacing() * p.inertia).norm() < 1e-15);
    for (int i = 0; i < 6; ++i) {
      if (rod.held(k, i))
        CHECK(a(i, k) == 0);
      else
        CHECK(needed[i] == Approx(f(i, k)).margin(1e-12));
    }
  }
  const Field v = random_field(rod.nodes(), 1);
  Field stopped = v;
  rod.hold(stopped);
  CHECK((stopped - v).middleCols(1, p.elements - 1).norm() == 0);
  for (const Eigen::Index k : {Eigen::Index(0), Eigen::Index(p.elements)}) {
    // what was taken away is at right angles to what is allowed
    const Vec6 momentum = rod.node_inertia(k) * (stopped.col(k) - v.col(k));
    CHECK(momentum.norm() > 1e-3);
    for (int i = 0; i < 6; ++i) CHECK(std::abs(rod.held(k, i) ? stopped(i, k) : momentum[i]) < 1e-14);
  }
}

TEST_CASE("no frequency of a linear rod exceeds its bound, which the shortest wave of a uniform rod reaches",
          "[rod][linear]") {
  for (const unsigned more : {0u, 1u, 2u}) {
    Rod::Parameters p = random_parameters(more);
    p.strain = more == 2 ? LinearStrain::principal_part : LinearStrain::complete;
    const Rod rod(p);
    const double bound = rod.frequency_bound();
    double highest = 0;
    for (double k = 0; k < M_PI / rod.spacing(); k += 0.1)
      highest = std::max(highest, rod.wave_frequencies(k)[5]);
    CHECK(highest < bound * (1 + 1e-12));
    CHECK(highest > 0.99 * bound);
    // of the free rod, by iteration
    Field phi = random_field(rod.nodes()), f(6, rod.nodes());
    double omega = 0;
    for (int i = 0; i < 300; ++i) {
      rod.forces(phi, f);
      rod.accelerations(f, phi);
      omega = std::sqrt(phi.norm());
      phi /= -phi.norm();
    }
    CHECK(omega < bound * (1 + 1e-12));
    CHECK(omega > 0.9 * bound);
  }
  // that of the elastic rod, with the same inertia
  const auto section = test::soft_section<double>(0.02);
  Rod::Parameters p;
  p.elements = 20;
  p.length = 1;
  p.inertia = section.inertia().matrix();
  p.stiffness = section.stiffness();
  const auto elastic = test::soft_rod<rod::ElasticRod<double>>(0.02, 20);
  const double of_elastic =
      rod::frequency_bound(elastic, elastic.straight({0, 0, 0}, SO3<double>::identity()));
  CHECK(Rod(p).frequency_bound() == Approx(of_elastic).epsilon(0.01));
}

TEST_CASE("a linear rod of no meaning is refused", "[rod][linear]") {
  const Rod::Parameters good = random_parameters();
  const auto refused = [&](const auto& spoil, const std::string& text) {
    Rod::Parameters p = good;
    spoil(p);
    CHECK_THROWS_WITH(Rod(p), ContainsSubstring("LinearRod: ") && ContainsSubstring(text));
    CHECK_THROWS_AS(Rod(p), std::invalid_argument);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](auto& p) { p.elements = 1; }, "elements = 1");
  refused([](auto& p) { p.length = 0; }, "length = 0");
  refused([&](auto& p) { p.length = nan; }, "length");
  refused([](auto& p) { p.length = 1e-170; }, "finite inverse");
  refused([](auto& p) { p.inertia(0, 3) += 1e-6; }, "asymmetry of inertia");
  refused([](auto& p) { p.stiffness(5, 1) += 1e-6; }, "asymmetry of stiffness");
  refused([](auto& p) { p.inertia(2, 2) = -1; }, "inertia = ");
  refused([](auto& p) { p.stiffness(4, 4) = 0; }, "positive definite");
  refused([](auto& p) { p.inertia(0, 1) = p.inertia(1, 0) = 10; }, "inertia = ");
  refused([](auto& p) { p.stiffness.setZero(); }, "positive definite");
  refused(
      [](auto& p) {
        p.stiffness = 2 * Mat6::Identity();
        p.stiffness(0, 1) = p.stiffness(1, 0) = 2 - 1e-12;
      },
      "nearly singular");
  refused(
      [](auto& p) {
        p.inertia = 1e-305 * Mat6::Identity();
        p.length = 1e-3;
      },
      "finite inverse");
  refused([&](auto& p) { p.inertia(3, 3) = nan; }, "inertia (3, 3)");
  refused([](auto& p) { p.stiffness(0, 2) = std::numeric_limits<double>::infinity(); }, "stiffness (0, 2)");
  refused(
      [](auto& p) {
        p.start = rod::Boundary<double>::prescribed([](double) { return rod::EndMotion<double>{}; });
      },
      "prescribed");
}

}  // namespace linear_rod_test
