// The curvature of constraints, and with it the matrix of Newton's method in statics, against differences.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/statics/detail/static_rows.hpp>
#include <dalembert/tangents/linearised_constraint.hpp>

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

/// Two wildly bent rods and a body under two constraints, with multipliers and internal coordinates that fit
/// nothing.
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

  explicit Wild(const auto& make) : list{make(rod), make(rod)} {
    const Mat<double, 3> up = Mat<double, 3>::Identity();
    for (const double side : {-0.2, 0.2}) {
      x.chains.push_back(test::random_chain(rod, up, random));
      for (Index k = 0; k < 15; ++k) x.chains.back().configuration(k, 0) += side;
    }
    x.chains.emplace_back(1);
    x.chains.back().set_frame(0, SO3<double>::exp(random.vector<double>()), random.vector<double>());
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
    CHECK((change - slope).norm() < 3e-7 * change.norm());
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
    std::vector<V> places{V(1, 2, 3)};  // of another constraint
    const auto& kind = *wild.kinds.view()[0];
    kind.find_positions(1, wild.x, kind.sizes.slides, places);
    wild.x = here;
    REQUIRE(places.size() == 2);
    return V(places[1] - places[0]);
  };
  (void)wild.left(direction, 0);
  REQUIRE(wild.table.gaps.size() == 2);
  const auto& gap = wild.table.gaps[1];
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

/// A_Vᵀλ of all rows of the second constraint, for multipliers λ that stay, and minus its derivative along
/// a direction.
template <class C>
struct AllRows {
  Wild<C>& wild;
  Vec<double, assembly::detail::Evaluation<C>::R> lambda;

  using One = assembly::detail::LinearisedConstraint<C>;
  [[nodiscard]] One at_state() const {
    const int z = assembly::detail::Evaluation<C>::Z;
    return One(wild.list[1], wild.x, z, wild.first, wild.table.nodes + z);
  }
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
    one.changes.each_geometric_stiffness([&](Index i, Index j, double k) { f[i] += k * direction[j]; });
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
  check_all_rows<test::CrossingByNodes>("crossing by nodes", [](const Rod& rod) {
    return test::CrossingByNodes{{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, 0.005}};
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

SphericalJoint<double> joint() { return {{0, 4, {0.1, 0.2, -0.3}}, {2, 0, {-0.1, 0.3, 0.2}}}; }
contact::RollingContact<double> crossing(const Rod& rod) {
  return {{0, rod, 0.2}, {1, rod, 0.1}, 0.005, 0.005};
}

TEST_CASE("what is left of position rows in statics is measured beside displacements, turns and torques",
          "[assembly][statics]") {
  Wild<SphericalJoint<double>> wild([](const Rod&) { return joint(); });
  for (const double metres : {0.1, 7.0}) {
    CAPTURE(metres);
    wild.table.metres = metres;
    (void)wild.left(Column::Zero(wild.table.multiplier(6)), 0);
    double torque = 0;
    for (int i = 0; i < 6; ++i) {
      double turned = 0;  // by a turn of either body
      for (const auto& [body, node, arm] :
           {std::tuple{0, 4, V(0.1, 0.2, -0.3)}, std::tuple{2, 0, V(-0.1, 0.3, 0.2)}}) {
        const V out = wild.x[static_cast<std::size_t>(body)].rotation(node).act(arm);
        turned = std::max(turned, V::Unit(i % 3).cross(out).norm());
        torque = std::max(torque, wild.multipliers.segment<3>(i / 3 * 3).norm() * out.norm());
      }
      CHECK(wild.table.error_scale[i] == Approx(std::max(metres, turned)).epsilon(1e-12));
      CHECK(wild.table.error_size[i] > std::abs(wild.table.error[i]) / 4);
    }
    CHECK(wild.table.scale[1] == Approx(torque).epsilon(1e-12));
  }
  Wild<contact::RollingContact<double>> rods(crossing);
  rods.table.metres = 3;
  (void)rods.left(Column::Zero(rods.table.multiplier(2)), 0);
  for (int i = 0; i < 2; ++i) CHECK(rods.table.error_scale[i] == Approx(3).epsilon(1e-12));
  const auto& [first, second] = rods.list[0].markers();
  CHECK(first.reach() > 1.5 * second.reach());
  CHECK(rods.table.reach == std::vector{first.reach(), second.reach(), first.reach(), second.reach()});
}

TEST_CASE("markers in space lie in the extent of statics", "[assembly][statics]") {
  Wild<Weld<double>> wild([](const Rod&) { return Weld<double>{{1, 4}, Marker::in_space({10, -20, 30})}; });
  assembly::detail::Extent<double> extent(V(0, 0, 0));
  wild.rows.include_places(wild.x, extent);
  CHECK(extent.min()[1] == -20);
  CHECK(extent.max()[2] == 30);
  CHECK(extent.diagonal().norm() > 37);
}

TEST_CASE("reactions of statics are those of all rows, and those that cannot be are refused",
          "[assembly][statics]") {
  Wild<SphericalJoint<double>> joints([](const Rod&) { return joint(); });
  CHECK((joints.rows.reactions(joints.x, joints.multipliers) - joints.multipliers).norm() == 0);

  // two straight rods across each other touch in their middles
  Wild<contact::RollingContact<double>> rods(crossing);
  auto& x = rods.x;
  const auto lie = [&](std::size_t i, const SO3<double>& turn, double high) {
    for (Index k = 0; k < 15; ++k)
      x[i].set_frame(k, turn, V(turn.act(V(0, 0, static_cast<double>(k) / 14 - 0.5)) + V(0, 0, high)));
  };
  lie(0, SO3<double>::exp(V(0, M_PI / 2, 0)), 0);
  lie(1, SO3<double>::exp(V(-M_PI / 2, 0, 0)), 0.01);
  x.z.setConstant(0.5);
  const Column pressed = Column::Constant(2, -2), pulled = Column::Constant(2, 2);
  const auto force = [&](const Column& m) { return rods.rows.reactions(x, m); };
  const bool down = [&] {  // the sign of a multiplier that presses
    try {
      (void)force(pressed);
      return true;
    } catch (const ContactOpened&) {
      return false;
    }
  }();
  const Column found = force(down ? pressed : pulled);
  REQUIRE(found.size() == 6);
  CHECK((found - (Column(6) << 0, 0, -2, 0, 0, -2).finished()).norm() < 1e-12);  // on the lower rod
  for (int i = 0; i < 2; ++i) {
    Column one = down ? pressed : pulled;
    one[i] = -one[i];
    CHECK_THROWS_AS(force(one), ContactOpened);
  }
}

TEST_CASE("a bead in equilibrium must be where its rod is nearest", "[assembly][statics]") {
  // on a half circle, and a marker on either side of its centre, on the radius to the middle
  Wild<contact::Bead<double>> wild([](const Rod& rod) { return contact::Bead<double>{{1, rod, 0.2}, {2}}; });
  const double radius = 1 / M_PI;
  for (Index k = 0; k < 15; ++k) {
    const double angle = M_PI * (static_cast<double>(k) / 14 - 0.5);
    wild.x[1].set_frame(k, SO3<double>::exp(V(0, angle, 0)),
                        V(-radius * std::cos(angle), 0, radius * std::sin(angle)));
  }
  wild.x.z.setConstant(0.5);
  const auto reactions = [&](double beyond) {
    wild.x[2].set_frame(0, SO3<double>::identity(), V(beyond * radius, 0, 0));
    return wild.rows.reactions(wild.x, wild.multipliers);
  };
  CHECK_NOTHROW(reactions(-0.3));
  CHECK_THROWS_AS(reactions(0.3), ParallelRods);
}

TEST_CASE("statics name a position row by its constraint", "[assembly][statics]") {
  Wild<SphericalJoint<double>> joints([](const Rod&) { return joint(); });
  CHECK(joints.rows.name_of_row(1) == "row y [m] of SphericalJoint 0 (body 0, body 2)");
  CHECK(joints.rows.name_of_row(5) == "row z [m] of SphericalJoint 1 (body 0, body 2)");
  Wild<contact::RollingContact<double>> rods(crossing);
  CHECK_THAT(rods.rows.name_of_row(1), Catch::Matchers::ContainsSubstring("position row 0 of ") &&
                                           Catch::Matchers::ContainsSubstring(" 1 (body 0, body 1)"));
}

TEST_CASE("statics know which bodies a constraint joins to each other or to space", "[assembly][statics]") {
  const auto links = [](auto& wild) {
    std::vector<std::pair<std::vector<std::size_t>, bool>> all;
    wild.rows.each_link(wild.x, wild.first, [&](const std::vector<std::size_t>& bodies, bool space) {
      all.emplace_back(bodies, space);
    });
    return all;
  };
  using Links = std::vector<std::pair<std::vector<std::size_t>, bool>>;
  Wild<SphericalJoint<double>> joints([](const Rod&) { return joint(); });
  CHECK(links(joints) == Links(2, {{0, 2}, false}));
  Wild<Weld<double>> welds([](const Rod&) { return Weld<double>{{1, 4}, Marker::in_space({1, 2, 3})}; });
  CHECK(links(welds) == Links(2, {{1}, true}));
  Wild<test::SlantedRing> rings([](const Rod&) { return test::SlantedRing{{0, 4}, {0.1, 0.2, 0.3}}; });
  CHECK(links(rings) == Links(2, {{0}, true}));
  Wild<contact::RollingContact<double>> rods(crossing);
  CHECK(links(rods) == Links(2, {{0, 1}, false}));
}

TEST_CASE("statics refuse markers that are on no such body, and parameters that mean nothing",
          "[assembly][statics]") {
  const auto refusal = [](const auto& make) {
    using C = std::remove_cvref_t<decltype(make(std::declval<const Rod&>()))>;
    try {
      Wild<C> wild(make);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(refusal([](const Rod&) {
               return SphericalJoint<double>{{0, 4}, {7}};
             }),
             ContainsSubstring("SphericalJoint 0: body of a marker = 7"));
  CHECK_THAT(refusal([](const Rod&) {
               return SphericalJoint<double>{{0, 15}, {2}};
             }),
             ContainsSubstring("SphericalJoint 0: ") && ContainsSubstring(" = 15"));
  CHECK_THAT(refusal([](const Rod& rod) {
               return contact::RollingContact<double>{{0, rod, 0.1}, {1, rod, 0.1}, 0.005, -1};
             }),
             ContainsSubstring("radius = -1"));
}

}  // namespace static_rows_test
