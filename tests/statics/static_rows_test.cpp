// The curvature of constraints, and with it the matrix of Newton's method in statics, against differences.

#include <cmath>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/linearised_constraint.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/statics/detail/static_rows.hpp>

#include "support/catch.hpp"
#include "support/crossing_by_nodes.hpp"
#include "support/eigen.hpp"
#include "support/plain_constraint.hpp"
#include "support/rods.hpp"
#include "support/turned_reactions.hpp"

namespace static_rows_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Column = Vec<double, Eigen::Dynamic>;
using Marker = FrameMarker<double>;
using Eigen::Index;

/// Two wildly bent rods and a body, with multipliers and internal coordinates that fit nothing, and a direction to go.
template <class C>
struct Wild {
  Rod rod = test::soft_rod<Rod>(0.005, 14);
  test::Random random{test::seed()};
  assembly::State<double> x;
  std::vector<Index> first{0, 6 * 15, 2 * 6 * 15};
  std::vector<C> list;
  assembly::detail::StaticTable<double> table;
  assembly::detail::StaticConstraints<double, C> kinds{list};
  assembly::detail::StaticRowsOf<double> rows{kinds.view()};
  Column multipliers;

  explicit Wild(const auto& make) {
    const Mat<double, 3> up = Mat<double, 3>::Identity();
    for (const double side : {-0.2, 0.2}) {
      x.chains.push_back(test::random_chain(rod, up, random));
      for (Index k = 0; k < 15; ++k) x.chains.back().configuration(k, 0) += side;
    }
    x.chains.emplace_back(1);
    x.chains.back().set_frame(0, SO3<double>::exp(random.vector<double>()), random.vector<double>());
    list.push_back(make(rod));
    rows.count(x.chains, table);
    table.nodes = 6 * 31;
    table.is_held.resize(static_cast<std::size_t>(table.nodes));
    table.equations = dalembert::linalg::SparseEquations<double>(table.nodes, table.slides, table.positions);
    x.z = Column::Constant(table.slides, 0.5);
    for (auto& z : x.z) z += 0.03 * random();
    multipliers.resize(table.positions);
    for (auto& m : multipliers) m = 3 + random();
  }

  /// Nodes and places go further along a direction.
  void move(const Column& direction, double h) {
    const auto three = [&](Index i) {
      return V(h * direction[i], h * direction[i + 1], h * direction[i + 2]);
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (Index k = 0; k < x[i].nodes; ++k)
        rod::move_node(x[i], k, three(first[i] + 6 * k), three(first[i] + 6 * k + 3));
    x.z += h * direction.segment(table.nodes, table.slides);
  }
  /// Loads, then F, then φ, of a state that lies further along a direction.
  Column left(const Column& direction, double h) {
    const assembly::State<double> here = x;
    const Column kept = multipliers;
    move(direction, h);
    multipliers += h * direction.tail(table.positions);
    table.clear();
    rows.add(x, multipliers, first, table);
    Column all(direction.size());
    all << table.force, -table.apart, table.error;
    x = here;
    multipliers = kept;
    return all;
  }
};

template <class C>
void check(const char* name, const auto& make) {
  CAPTURE(name);
  Wild<C> wild(make);
  const Index n = wild.table.multiplier(wild.table.positions);
  for (int i = 0; i < 3; ++i) {
    Column direction(n);
    for (auto& d : direction) d = wild.random();
    const double h = 1e-5;
    const Column change = (wild.left(direction, h) - wild.left(direction, -h)) / (2 * h);
    const Column at = wild.left(direction, 0);
    const Column slope = -wild.table.equations.multiply(direction);
    CHECK((change - slope).norm() < 1e-7 * change.norm());
    CHECK(change.head(wild.table.nodes).norm() > 1e-2);
  }
}

/// How far two places are apart that one row keeps so, and how a step without turns moves one against the other.
template <class C>
void check_gap(const char* name, const auto& make) {
  CAPTURE(name);
  Wild<C> wild(make);
  Column direction = Column::Zero(wild.table.multiplier(wild.table.positions));
  for (Index i = 0; i < wild.table.nodes + wild.table.slides; ++i)
    if (i >= wild.table.nodes || i % 6 < 3) direction[i] = wild.random();
  const auto between = [&](double h) {
    const assembly::State<double> here = wild.x;
    wild.move(direction, h);
    std::vector<V> places;
    wild.kinds.view()[0]->find_positions(0, wild.x, 0, places);
    wild.x = here;
    return V(places[1] - places[0]);
  };
  (void)wild.left(direction, 0);
  REQUIRE(wild.table.gaps.size() == 1);
  const auto& gap = wild.table.gaps[0];
  CHECK(std::abs(gap.distance / between(0).norm() - 1) < 1e-14);
  const double h = 1e-5, moved = V(between(h) - between(-h)).norm() / (2 * h);
  CHECK(moved > 1e-2);
  CHECK(std::abs(gap.moved(direction) / moved - 1) < 1e-7);
}

TEST_CASE("statics know how far a step moves what a row keeps apart", "[assembly][statics]") {
  check_gap<contact::RollingContact<double>>("crossing", [](const Rod& rod) {
    return contact::RollingContact<double>{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, 0.005};
  });
  check_gap<contact::RollingStation<double>>("station", [](const Rod& rod) {
    return contact::RollingStation<double>{{0, 6}, {1, rod, 0.05}, 0.005, 0.005};
  });
}

TEST_CASE("constraints pull as the derivative of their equations says, wherever they are",
          "[assembly][statics]") {
  check<SphericalJoint<double>>("spherical joint", [](const Rod&) {
    return SphericalJoint<double>{{0, 4, {0.1, 0.2, -0.3}}, {2, 0, {-0.1, 0.3, 0.2}}};
  });
  check<Hinge<double>>("hinge", [](const Rod&) {
    return Hinge<double>{{0, 4, {0.1, 0.2, -0.3}, SO3<double>::exp(V(1, 2, 3))}, {2, 0, {-0.1, 0.3, 0.2}}};
  });
  check<Weld<double>>("weld", [](const Rod&) {
    return Weld<double>{{1, 4, {0.1, 0.2, -0.3}}, Marker::in_space({1, 2, 3}, SO3<double>::exp(V(1, 2, 3)))};
  });
  check<contact::RollingContact<double>>("crossing", [](const Rod& rod) {
    return contact::RollingContact<double>{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, 0.005};
  });
  check<test::CrossingByNodes>("crossing by nodes", [](const Rod& rod) {
    return test::CrossingByNodes{{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, 0.005}};
  });
  check<test::SlantedRing>("reactions along other rows", [](const Rod&) {
    return test::SlantedRing{{0, 4, {0.1, 0.2, -0.3}}, {0.1, 0.2, 0.3}};
  });
  check<contact::RollingStation<double>>("station, rolling", [](const Rod& rod) {
    return contact::RollingStation<double>{{0, 6}, {1, rod, 0.05}, 0.005, 0.005};
  });
  check<contact::SlidingStation<double, contact::QuinticSpline>>("station, sliding", [](const Rod& rod) {
    return contact::SlidingStation<double, contact::QuinticSpline>{{0, 6}, {1, rod, 0.05}, 0.005, 0.005};
  });
  check<contact::Bead<double>>("bead", [](const Rod& rod) {
    return contact::Bead<double>{{1, rod, 0.1}, {2, 0, {0.1, 0.2, 0.3}}};
  });
  using Axis = contact::AxisMarker<double>;
  using Rolling = contact::RollingOnRod<double, Axis>;
  using Sliding = contact::SlidingOnRod<double, Axis>;
  const Axis axis{2, 0, {0.1, -0.2, -1}, V(2, 1, 4) / std::sqrt(21.0), 4};
  check<Rolling>("ball on an axis, rolling", [&](const Rod&) {
    return Rolling{axis, {0, 4, {0.1, 0.2, -0.3}}, 0.1, 0.2, true};
  });
  check<Sliding>("ball on an axis, sliding", [&](const Rod&) {
    return Sliding{axis, {0, 4, {0.1, 0.2, -0.3}}, 0.1, 0.2, true};
  });
  check<test::PlainAlong<Rolling>>("ball on an axis, differentiated", [&](const Rod&) {
    return test::PlainAlong<Rolling>{{Rolling{axis, {0, 4, {0.1, 0.2, -0.3}}, 0.1, 0.2, true}}};
  });
  check<test::Plain<Sliding>>("ball that slides on an axis, differentiated", [&](const Rod&) {
    return test::Plain<Sliding>{Sliding{axis, {0, 4, {0.1, 0.2, -0.3}}, 0.1, 0.2, true}};
  });
}

/// A_Vᵀλ of all rows in a state, for multipliers λ that stay, and minus its derivative along a direction.
template <class C>
struct AllRows {
  Wild<C>& wild;
  Vec<double, assembly::detail::Evaluation<C>::R> lambda;

  using One = assembly::detail::LinearisedConstraint<C>;
  [[nodiscard]] One at_state() const { return One(wild.list[0], wild.x, 0, wild.first, wild.table.nodes); }
  [[nodiscard]] Eigen::MatrixXd pulls() const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(wild.table.nodes, lambda.size());
    at_state().each_row([&](Index i, int r, double, double pull) { all(i, r) += pull; });
    return all;
  }
  [[nodiscard]] Column force() const { return pulls() * lambda; }
  [[nodiscard]] Column stiffness_times(const Column& direction) const {
    Column f = Column::Zero(wild.table.nodes);
    One one = at_state();
    one.hold(lambda);
    one.each_geometric_stiffness([&](Index i, Index j, double k) { f[i] += k * direction[j]; });
    return f;
  }
};

template <class C>
void check_all_rows(const char* name, const auto& make) {
  CAPTURE(name);
  Wild<C> wild(make);
  AllRows<C> rows{wild, {}};
  for (auto& one : rows.lambda) one = 3 + wild.random();
  Column direction(wild.table.nodes + wild.table.slides);
  for (auto& d : direction) d = wild.random();
  const assembly::State<double> here = wild.x;
  const auto force = [&](double h) {
    wild.move(direction, h);
    const Column f = rows.force();
    wild.x = here;
    return f;
  };
  const double h = 1e-5;
  const Column change = (force(h) - force(-h)) / (2 * h), left = change + rows.stiffness_times(direction);
  // what other multipliers would do is theirs
  const Eigen::MatrixXd pulls = rows.pulls();
  const Column theirs = pulls * pulls.colPivHouseholderQr().solve(left);
  CHECK((left - theirs).norm() < 1e-7 * change.norm());
  CHECK((change - pulls * pulls.colPivHouseholderQr().solve(change)).norm() > 0.1 * change.norm());
}

TEST_CASE(
    "all rows pull as their geometric stiffness says, those of rolling too, but for what multipliers do",
    "[assembly][modes]") {
  check_all_rows<contact::RollingContact<double>>("crossing", [](const Rod& rod) {
    return contact::RollingContact<double>{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, 0.005};
  });
  check_all_rows<test::SlantedRing>("reactions along other rows", [](const Rod&) {
    return test::SlantedRing{{0, 4, {0.1, 0.2, -0.3}}, {0.1, 0.2, 0.3}};
  });
  check_all_rows<contact::RollingStation<double>>("station, rolling", [](const Rod& rod) {
    return contact::RollingStation<double>{{0, 6}, {1, rod, 0.05}, 0.005, 0.005};
  });
  using Axis = contact::AxisMarker<double>;
  using Rolling = contact::RollingOnRod<double, Axis>;
  const Axis axis{2, 0, {0.1, -0.2, -1}, V(2, 1, 4) / std::sqrt(21.0), 4};
  const Rolling rolling{axis, {0, 4, {0.1, 0.2, -0.3}}, 0.1, 0.2, true};
  check_all_rows<Rolling>("ball on an axis", [&](const Rod&) { return rolling; });
  check_all_rows<test::PlainAlong<Rolling>>("ball on an axis, differentiated",
                                            [&](const Rod&) { return test::PlainAlong<Rolling>{{rolling}}; });
}

}  // namespace static_rows_test
