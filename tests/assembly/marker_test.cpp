#include <dalembert/assembly/marker.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace marker_test {

using namespace dalembert;
using assembly::Chain;
using assembly::FrameMarker;
using assembly::FrameState;
using assembly::Handle;
using assembly::Point;
using assembly::PointState;
using assembly::Window;
using Catch::Matchers::ContainsSubstring;
using V3 = Vec<double, 3>;
using Marker = FrameMarker<double>;

/// Three nodes anywhere, that move.
Chain<double> random_chain(test::Draw& draw) {
  Chain<double> chain(3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const auto turn = draw.rotation();
    const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
    chain.set_frame(k, turn, place);
    chain.set_velocity(k, velocity, spin);
  }
  return chain;
}
/// The chain at a time t later, where nodes keep ṙ and the spatial angular velocity.
Chain<double> later(const Chain<double>& chain, double t) {
  Chain<double> moved = chain;
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const V3 w = chain.rotation(k).act(chain.angular_velocity(k));
    const SO3<double> turned = SO3<double>::exp(V3(t * w)) * chain.rotation(k);
    moved.set_frame(k, turned, chain.position(k) + t * chain.linear_velocity(k));
    moved.set_velocity(k, chain.linear_velocity(k), turned.inverse().act(w));
  }
  return moved;
}
Point<double> point_of(const Marker& marker, const Chain<double>& chain, Window* window = nullptr) {
  const std::vector<Chain<double>> chains{chain};
  Point<double> p;
  Window w;
  marker.find(chains, 0, 0, p, window ? *window : w, nullptr);
  marker.find_velocity(chains, p);
  return p;
}
FrameState<double> seen(const Marker& marker, const Chain<double>& chain) {
  const Point<double> p = point_of(marker, chain);
  return marker.seen(PointState<double>{p.R, p.dR, p.rotation, p.V, p.W});
}

TEST_CASE("a frame on a node is where its offset is there, and moves as the node carries it",
          "[assembly][marker]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 20; ++round) {
    const Chain<double> chain = random_chain(draw);
    const Marker marker{0, round % 3, draw.vector(), draw.rotation()};
    const FrameState<double> x = seen(marker, chain);
    const SO3<double> turn = chain.rotation(marker.node);
    CHECK((x.position - chain.position(marker.node) - turn.act(marker.offset)).norm() < 1e-14);
    CHECK((x.rotation.matrix() - turn.matrix() * marker.rotation.matrix()).norm() < 1e-13);
    CHECK(x.tangent.norm() == 0);
    const double h = 1e-5;
    const FrameState<double> after = seen(marker, later(chain, h)), before = seen(marker, later(chain, -h));
    CHECK(((after.position - before.position) / (2 * h) - x.velocity).norm() < 1e-8);
    const V3 turned = (after.rotation * before.rotation.inverse()).log();
    CHECK((turned / (2 * h) - x.angular_velocity).norm() < 1e-8);
    const V3 arm = draw.vector();
    CHECK((x.velocity_at(arm) - x.velocity - x.angular_velocity.cross(arm)).norm() < 1e-15);
  }
}

TEST_CASE("how a frame passes, while its node keeps its velocities, is the rate of what is seen",
          "[assembly][marker]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 20; ++round) {
    const Chain<double> chain = random_chain(draw);
    const Marker marker{0, 1, draw.vector(), draw.rotation()};
    const double h = 1e-5;
    const FrameState<double> x = seen(marker, chain), after = seen(marker, later(chain, h)),
                             before = seen(marker, later(chain, -h));
    const Point<double> p = point_of(marker, chain);
    const auto passing = marker.passing(p);
    CHECK((passing.position - x.velocity).norm() < 1e-14);
    CHECK(((after.velocity - before.velocity) / (2 * h) - passing.velocity).norm() < 1e-8);
    CHECK(passing.angular_velocity.norm() == 0);
    const auto moved = marker.moved(p);
    CHECK((moved.position - x.velocity).norm() < 1e-14);
    CHECK(moved.tangent.norm() == 0);
  }
}

TEST_CASE("a window of a frame on a node is that node, and one of a frame in space is none",
          "[assembly][marker]") {
  test::Draw draw(test::seed());
  const Chain<double> chain = random_chain(draw);
  Window window;
  const Marker on_node{0, 2, {0.1, 0, 0}};
  (void)point_of(on_node, chain, &window);
  CHECK(window.body == 0);
  CHECK(window.first == 2);
  CHECK(on_node.count() == 1);
  CHECK(on_node.on_body());
  const V3 place = draw.vector();
  const SO3<double> turn = draw.rotation();
  const Marker fixed = Marker::in_space(place, turn);
  CHECK(fixed.count() == 0);
  CHECK_FALSE(fixed.on_body());
  const FrameState<double> x = seen(fixed, chain);
  CHECK((x.position - place).norm() == 0);
  CHECK((x.rotation.matrix() - turn.matrix()).norm() < 1e-15);
  CHECK(x.velocity.norm() == 0);
  CHECK(x.angular_velocity.norm() == 0);
}

TEST_CASE("a frame knows its arm, how long it is, and whether it has one", "[assembly][marker]") {
  test::Draw draw(test::seed());
  const Chain<double> chain = random_chain(draw);
  const Marker marker{0, 1, {0.3, -0.4, 1.2}};
  const Point<double> p = point_of(marker, chain);
  CHECK((marker.arm(p) - chain.rotation(1).matrix() * marker.offset).norm() < 1e-15);
  CHECK(marker.extent(p) == Approx(1.9));
  CHECK(marker.extent(p) >= marker.arm(p).lpNorm<Eigen::Infinity>());
  CHECK(marker.beside_node());
  CHECK_FALSE(Marker{0, 1}.beside_node());
}

TEST_CASE("markers that are nowhere are refused, with the constraint and what is wrong",
          "[assembly][marker]") {
  test::Draw draw(test::seed());
  const std::vector<Chain<double>> chains{random_chain(draw), random_chain(draw)};
  const auto refused = [&](const Marker& marker, const std::string& text) {
    CHECK_THROWS_AS(marker.check(chains, "Hinge"), std::invalid_argument);
    CHECK_THROWS_WITH(marker.check(chains, "Hinge"), ContainsSubstring("Hinge") && ContainsSubstring(text));
  };
  CHECK_NOTHROW(Marker{1, 2}.check(chains, "Hinge"));
  CHECK_NOTHROW(Marker::in_space({1, 2, 3}).check(chains, "Hinge"));
  CHECK_NOTHROW(Marker::in_space({1, 2, 3}).check({}, "Hinge"));
  refused({2, 0}, "body of a marker = 2, but there are 2 bodies");
  refused({1, 3}, "node of a marker = 3, but body 1 has 3 nodes");
  refused({1, -1}, "node of a marker = -1");
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    refused({0, 0, {0, bad, 0}}, "offset of a marker");
    refused(Marker::in_space({bad, 0, 0}), "offset of a marker");
  }
}

TEST_CASE("frames of handles are on the node that is named, and know the set of their body",
          "[assembly][marker]") {
  const Handle<assembly::RigidBody<double>> handle{.number = 4, .nodes = 9, .set = 17};
  const SO3<double> turn = SO3<double>::exp(V3(0.1, 0.2, 0.3));
  const Marker third = assembly::node(handle, 3, {1, 2, 3}, turn);
  CHECK(third.body == 4);
  CHECK(third.node == 3);
  CHECK((third.offset - V3(1, 2, 3)).norm() == 0);
  CHECK((third.rotation.matrix() - turn.matrix()).norm() == 0);
  CHECK(third.set == 17);
  CHECK(assembly::root(handle).node == 0);
  CHECK(assembly::frame(handle).node == 0);
  const Marker last = assembly::tip(handle, {0, 0, 5});
  CHECK(last.node == 8);
  CHECK(last.body == 4);
  CHECK(last.set == 17);
  CHECK(last.offset[2] == 5);
}

}  // namespace marker_test
