// Contact positions that follow their rates instead of being solved for.

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace integrated_positions_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using State = assembly::State<double>;
using Contact =
    contact::RollingOfRods<double, contact::Gaussian, contact::BodyAveraging, contact::MaterialTangency>;
using RollingContact = contact::RollingContact<double, contact::Gaussian>;

/// Two rods that cross near their middles, deformed and moving.
template <class Constraint>
struct Pair {
  std::vector<Rod> rods{test::soft_rod<Rod>(0.05, 14), test::soft_rod<Rod>(0.03, 16)};
  assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Constraint>> problem;

  explicit Pair(bool integrated)
      : problem(assembly::bodies(rods),
                assembly::constraints(std::vector{
                    Constraint{{0, rods[0], 0.1}, {1, rods[1], 0.1}, 0.05, 0.03, true, integrated}})) {}

  [[nodiscard]] State state() const {
    test::Random random(test::seed());
    const test::Wildness wild{.bend = 0.2, .strain = 0.05};
    Mat<double, 3> across;
    across << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    const Mat<double, 3> other = test::rotation_matrix<double>(Vec3(0, 0, 1.2)) * across;
    std::vector<rod::Chain<double>> chains{test::random_chain(rods[0], across, random, wild),
                                           test::random_chain(rods[1], other, random, wild)};
    test::transform<double>(chains[1], Mat<double, 3>::Identity(), Vec3(0, 0, 0.08));
    State x = problem.state(chains, Vec<double, 2>(0.5, 0.5));
    problem.solve_tangencies(x);
    problem.project(x);
    return x;
  }
  template <class Method>
  [[nodiscard]] State after(const Method& method, State x, int steps, double duration) const {
    auto stepper = method.stepper(problem, x);
    for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, x, duration / steps).converged);
    return x;
  }
};

template <class Constraint, class Method>
void check_order(const Method& method, int steps) {
  constexpr double duration = 0.01;
  const Pair<Constraint> pair(true);
  const State start = pair.state();
  const State exact = pair.after(DormandPrince54{}, start, 8 * steps, duration);
  CHECK((exact.z - start.z).norm() > 1e-3);
  const double coarse = (pair.after(method, start, steps, duration).z - exact.z).norm();
  const double fine = (pair.after(method, start, 2 * steps, duration).z - exact.z).norm();
  CAPTURE(coarse, fine, std::log2(coarse / fine));
  CHECK(std::abs(std::log2(coarse / fine) - Method::order) < 0.15);
}

TEST_CASE("positions that follow their rates converge with the order of the method", "[contact][assembly]") {
  check_order<Contact>(Verlet{}, 160);
  check_order<Contact>(RungeKutta4{}, 80);
  check_order<RollingContact>(Verlet{}, 160);
}

TEST_CASE("a step with positions that follow their rates depends on the state alone", "[contact][assembly]") {
  const Pair<Contact> pair(true);
  State x = pair.state(), y = x;
  auto kept = Verlet{}.stepper(pair.problem, x);
  for (int i = 0; i < 20; ++i) {
    (void)kept.step(pair.problem, x, 1e-4);
    (void)Verlet{}.stepper(pair.problem, y).step(pair.problem, y, 1e-4);
  }
  CHECK(x.z == y.z);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((x[i].configuration == y[i].configuration).all());
    CHECK((x[i].velocity == y[i].velocity).all());
  }
  CHECK((x.z - pair.state().z).norm() > 1e-4);
}

TEST_CASE("positions that follow their rates stay near those that are solved for", "[contact][assembly]") {
  const Pair<Contact> follow(true), solve(false);
  const State start = solve.state();
  const auto apart = [&](int steps) {
    const State x = follow.after(Verlet{}, start, steps, 0.01), y = solve.after(Verlet{}, start, steps, 0.01);
    CHECK(follow.problem.constraint(x).velocity < 1e-13);
    CHECK(solve.problem.constraint(y).velocity < 1e-13);
    return (x.z - y.z).norm();
  };
  const double coarse = apart(100), fine = apart(200);
  CHECK(coarse > 1e-9);
  CHECK(coarse < 1e-4);
  CHECK(fine < coarse / 3);
}

TEST_CASE("a step with rows by nodes does not allocate", "[contact][allocation]") {
  for (const bool integrated : {false, true}) {
    const Pair<Contact> pair(integrated);
    State x = pair.state();
    auto stepper = Verlet{}.stepper(pair.problem, x);
    (void)stepper.step(pair.problem, x, 1e-4);
    CHECK(test::allocations_during([&] {
            for (int i = 0; i < 3; ++i) (void)stepper.step(pair.problem, x, 1e-4);
          }) == 0);
  }
}

}  // namespace integrated_positions_test
