#include <dalembert/tangents/load_differences.hpp>

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace load_differences_test {

using namespace dalembert;
using assembly::Chain;
using assembly::Columns;
using assembly::detail::DerivativeBy;
using assembly::detail::LoadDifferences;
using assembly::detail::WithoutDerivative;
using Eigen::Index;

/// A damping f = −Dv in which nodes act on those at most so many nodes away.
struct Damping {
  static constexpr Index nodes = 9, numbers = 6 * nodes;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(numbers, numbers);
  mutable int calls = 0;

  explicit Damping(Index reach, double size = 1) {
    test::Draw draw(test::seed());
    for (Index i = 0; i < numbers; ++i)
      for (Index j = 0; j < numbers; ++j) {
        const double entry = size * draw.between(-1, 1);
        if (std::abs(i / 6 - j / 6) <= reach) matrix(i, j) = entry;
      }
  }
  void operator()(const Chain<double>& at, Columns<double, 6>& f) const {
    ++calls;
    for (Index i = 0; i < numbers; ++i)
      for (Index j = 0; j < numbers; ++j) f(i / 6, i % 6) -= matrix(i, j) * at.velocity(j / 6, j % 6);
  }
  /// As it is found by differences.
  [[nodiscard]] Eigen::MatrixXd found(const Chain<double>& at) const {
    LoadDifferences<double> differences(at, 2.0, DerivativeBy::velocity, WithoutDerivative::refuse,
                                        [this](const auto& x, auto& f) { (*this)(x, f); });
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(numbers, numbers);
    differences.tell([&](Index k, Index l, const Mat<double, 6>& block) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) all(6 * k + i, 6 * l + j) += block(i, j);
    });
    return all;
  }
};

TEST_CASE("a load that tells no derivative has it, however far nodes act on each other", "[tangents]") {
  Chain<double> at(Damping::nodes);
  test::Draw draw(test::seed());
  for (Index k = 0; k < at.nodes; ++k) at.set_velocity(k, draw.vector(), draw.vector());
  int before = 0;
  for (const Index reach : {0, 1, 2, 8}) {
    CAPTURE(reach);
    const Damping damping(reach);
    const auto found = damping.found(at);
    CHECK((found - damping.matrix).norm() < 1e-9 * damping.matrix.norm());
    if (reach < 3) CHECK(damping.calls > before);  // nodes that are apart move together
    before = damping.calls;
  }
}

TEST_CASE("a load that tells no derivative has it in any unit", "[tangents]") {
  Chain<double> at(Damping::nodes);
  for (const double size : {1e-9, 1e-6, 1e6}) {
    CAPTURE(size);
    const Damping damping(8, size);
    const auto found = damping.found(at);
    CHECK((found - damping.matrix).norm() < 1e-9 * damping.matrix.norm());
  }
}

TEST_CASE("a load on differences of the velocities of a node has its derivative", "[tangents]") {
  Chain<double> at(Damping::nodes);
  Damping damping(8);
  for (Index l = 0; l < Damping::nodes; ++l) {
    damping.matrix.col(6 * l + 1) = -damping.matrix.col(6 * l);
    for (int j = 2; j < 6; ++j) damping.matrix.col(6 * l + j).setZero();
  }
  const auto found = damping.found(at);
  CHECK((found - damping.matrix).norm() < 1e-9 * damping.matrix.norm());
}

TEST_CASE("a load that fails in a state itself says so in its own words", "[tangents]") {
  const Chain<double> at(2);
  LoadDifferences<double> differences(at, 1.0, DerivativeBy::place, WithoutDerivative::skip,
                                      [](const auto&, auto&) { throw std::domain_error("the jet is off"); });
  CHECK_THROWS_AS(differences.tell([](Index, Index, const Mat<double, 6, 6>&) {}), std::domain_error);
}

TEST_CASE("the length of a body is its extent, or the radius of gyration of one node, however small",
          "[tangents]") {
  using Body = assembly::RigidBody<double>;
  for (const double size : {1e-6, 1e-3, 1.0, 1e3}) {
    CAPTURE(size);
    const Body body{{.mass = 2, .inertia = Vec<double, 3>(1.5, 2, 0.8) * size * size}};
    CHECK(assembly::detail::length_of_body(body, body.at({0, 0, 0})) == Approx(size));
    CHECK(assembly::detail::length_of_body(body, body.at({1e6, 0, 0})) == Approx(size));
  }
}

}  // namespace load_differences_test
