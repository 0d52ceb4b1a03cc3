// What constraints of one kind do in the solution where some rows are friction, beside dense matrices.

#include <dalembert/assembly/detail/friction_of_kind.hpp>

#include <cmath>
#include <tuple>
#include <vector>

#include <dalembert/contact/friction.hpp>

#include "support/catch.hpp"
#include "support/dense_system.hpp"
#include "support/links.hpp"

namespace friction_of_kind_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Rubbing = contact::Frictional<test::Ways>;
using test::between_nodes;

/// Friction that is solved alone, and of another kind exact rows that share a node with a third constraint,
/// which is friction again: rows 0 and 1, 4 and 5, and 2 and 3.
struct Scene : test::DenseSystem<Rubbing, test::Blades> {
  static constexpr double epsilon = 0.4;
  typename List::Kinds kinds = list.kinds_of_part(0, work);
  FrictionKind<double>& rubbing = *kinds.view()[0];
  FrictionKind<double>& blades = *kinds.view()[1];
  std::vector<std::size_t> groups;
  Matrix T = Matrix::Identity(6, 6) - exact;

  Scene()
      : DenseSystem(test::seed(), {2, 1, 1, 1, 1}, [](test::Draw& draw) {
          std::vector all{between_nodes<Rubbing>(draw, 0, 1, 1, 0), between_nodes<Rubbing>(draw, 2, 0, 3, 0)};
          for (auto& c : all) c.epsilon = epsilon;
          return Links{all, {between_nodes<test::Blades>(draw, 3, 0, 4, 0)}};
        }) {
    list.find_places(x, work);
    for (auto* const kind : kinds.view()) kind->find_systems(x, nodes(), groups);
    groups.clear();
  }
  /// Systems for friction that lasts.
  void find_systems_for(double duration) {
    for (auto* const kind : kinds.view()) kind->find_systems_for(duration, nodes(), groups);
  }
  /// (E + τG)/τ of the rows that are solved alone.
  Matrix alone(double duration) const {
    const Matrix g = system();
    return g.topLeftCorner<2, 2>() + epsilon / duration * T.topLeftCorner<2, 2>();
  }
};

TEST_CASE("the friction of a slip is a load, which is forgotten when it is among others",
          "[assembly][friction]") {
  Scene at;
  const Column f = at.random(at.size), friction = -at.T * at.slip() / Scene::epsilon;
  auto loads = at.numbers(f);
  for (auto* const kind : at.kinds.view()) kind->add_friction_loads(at.nodes(), loads);
  CHECK((at.column(loads) - f - at.A.transpose() * friction).norm() < 1e-12 * (1 + friction.norm()));
  CHECK(friction.tail<2>().norm() < 1e-12);
  const auto load = [&] {
    Column all = Column::Zero(6);
    at.list.each(at.work, [&]<class K>(const K&, const Evaluation<K>& e, const Slot& slot) {
      if constexpr (has_friction<K>) all.segment<2>(slot.row) = e.friction.load;
    });
    return all;
  };
  CHECK((load() - friction).norm() < 1e-12 * friction.norm());
  at.rubbing.forget_friction();
  CHECK(load().norm() == 0);
}

TEST_CASE("systems are those of friction that acts for a time, of what is solved alone",
          "[assembly][friction]") {
  for (const double duration : {1e-3, 2.0}) {
    Scene at;
    auto loads = at.numbers(Column::Zero(at.size));
    at.rubbing.add_friction_loads(at.nodes(), loads);
    at.find_systems_for(duration);
    CHECK(at.groups.empty());
    const Column b = at.random(6);
    Column solved = b;
    at.rubbing.solve(solved);
    CHECK((at.alone(duration) * solved.head<2>() - b.head<2>()).norm() < 1e-10 * solved.head<2>().norm());
    // what waits for its cluster is put into the unknowns of that, and back
    Column shaped = b;
    at.blades.solve(shaped);
    CHECK(shaped == b);  // which are the multipliers where there is no friction
    at.list.each(at.work, [&]<class K>(const K&, const Evaluation<K>& e, const Slot& slot) {
      if constexpr (has_friction<K>) {
        CHECK(e.friction.load.norm() == 0);
        if (slot.row == 0) return;
        const Vec<double, 2> once = e.friction.shape * b.segment<2>(2);
        CHECK((solved.segment<2>(2) - once).norm() < 1e-14);
        Column back = solved;
        at.rubbing.finish(back);
        CHECK((back.segment<2>(2) - e.friction.shape * once).norm() < 1e-14);
        CHECK(back.head<2>() == solved.head<2>());
      }
    });
  }
}

TEST_CASE(
    "the two solutions of a step have the right sides of (1), and the second is taken off twice the first",
    "[assembly][friction]") {
  Scene at;
  const double h = 0.3;
  const Column f = at.random(at.size), a = at.A * at.accelerations(f) + at.drift;
  auto loads = at.numbers(f);
  Column lambda = Column::Zero(6), zdot;
  const auto n = at.nodes();
  const Reaction<double> r{at.x, n, nullptr, loads, lambda, zdot};
  at.find_systems_for(h);
  for (auto* const kind : at.kinds.view()) kind->start_step(r, h);
  CHECK((at.work.known + a).norm() < 1e-12 * a.norm());
  CHECK((lambda + a + at.T * at.slip() / h).norm() < 1e-12 * (a.norm() + at.slip().norm() / h));
  const Column first = at.random(6), second = at.random(6);
  for (auto* const kind : at.kinds.view()) kind->go_on_in_step(first, h);
  CHECK((at.work.mu - Scene::epsilon / h * at.T * first + a).norm() < 1e-12 * (1 + a.norm()));
  CHECK(at.column(loads) == f);
  lambda = first;
  at.work.mu = second;
  for (auto* const kind : at.kinds.view()) kind->end_in_step(r);
  CHECK((lambda - (2 * first - second)).norm() < 1e-14);
  CHECK((at.column(loads) - f - at.A.transpose() * lambda).norm() < 1e-12);
}

}  // namespace friction_of_kind_test
