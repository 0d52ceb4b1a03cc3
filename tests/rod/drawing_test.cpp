#include <dalembert/rod/drawing.hpp>

#include <map>
#include <string>
#include <vector>

#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace rod_drawing_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// What a node has, by name; numbers are vectors of one.
struct Node {
  std::map<std::string, Vec<double, Eigen::Dynamic>> has;
  void put(const std::string& name, double x) { has[name] = Vec<double, 1>(x); }
  template <int N>
  void put(const std::string& name, const Vec<double, N>& x) {
    has[name] = x;
  }
  void operator()(const char* name, const auto& x) { put(name, x); }
  void scalars(const char* name, const auto& x) { put(name, x); }
  void vectors(const char* name, const auto& x) { put(name, x); }
  void normals(const char* name, const auto& x) { put(name, x); }
};

TEST_CASE("the axes of a drawn node are the columns of its rotation", "[rod]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 8);
  test::Random random(test::seed());
  const auto chain = test::random_chain(rod, Mat<double, 3>::Identity(), random);
  const rod::DrawnChain<double> drawn(rod, chain, 0.02);
  REQUIRE(drawn.nodes() == 9);
  for (Eigen::Index k = 0; k < 9; ++k) {
    CAPTURE(k);
    Node node;
    drawn.visit_node(k, node);
    const Mat<double, 3> axes = test::matrix(chain.rotation(k));
    CHECK((node.has.at("e1") - axes.col(0)).norm() < 1e-15);
    CHECK((node.has.at("e2") - axes.col(1)).norm() < 1e-15);
    CHECK((node.has.at("e3") - axes.col(2)).norm() < 1e-15);
    CHECK(drawn.position(k) == chain.position(k));
    CHECK(node.has.at("velocity") == chain.linear_velocity(k));
    CHECK((node.has.at("angular_velocity") - axes * chain.angular_velocity(k)).norm() < 1e-14);
    CHECK(node.has.at("arc_length")[0] == Approx(static_cast<double>(k) / 8));
    CHECK(node.has.at("radius")[0] == 0.02);
    for (const auto& [name, values] : node.has) {
      CAPTURE(name);
      CHECK(values.allFinite());
      CHECK_FALSE(rod::DrawnChain<double>::unit(name).empty());
    }
  }
}

TEST_CASE("a rod under an even pull is drawn with the pull at all of its nodes, the ends included", "[rod]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 8);
  const SO3<double> turned = SO3<double>::exp(V(0.4, -0.9, 0.2));
  const double stretch = 1.1;
  const auto chain = rod.straight({1, 2, 3}, turned, stretch);
  const double pull = 1e6 * test::soft_section<double>(0.02).area() * (stretch - 1);
  const rod::DrawnChain<double> drawn(rod, chain, 0.02);
  for (Eigen::Index k = 0; k < 9; ++k) {
    Node node;
    drawn.visit_node(k, node);
    CHECK((node.has.at("stretch") - V(0, 0, stretch)).norm() < 1e-13);
    CHECK((node.has.at("force_in_space") - turned.act(V(0, 0, pull))).norm() < 1e-10 * pull);
    CHECK(node.has.at("energy")[0] == Approx(pull * (stretch - 1) / 2));
  }
}

TEST_CASE("a drawing refuses a chain of another rod and a thickness that is none", "[rod]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 8);
  const auto chain = rod.straight({0, 0, 0}, SO3<double>::identity());
  CHECK_THROWS_WITH(rod::drawn(std::vector{rod}, {rod::Chain<double>(8)}, {0.02}),
                    ContainsSubstring("DrawnChain: nodes of chain 0 = 8, but"));
  CHECK_THROWS_WITH(rod::drawn(std::vector{rod}, {chain}, {0.0}),
                    ContainsSubstring("DrawnChain: radius of body 0 = 0, but"));
  CHECK_THROWS_WITH(rod::drawn(std::vector{rod}, {chain, chain}, {0.1}),
                    ContainsSubstring("drawn: chains = 2, but"));
  CHECK_THROWS_WITH(rod::drawn(std::vector{rod}, {chain}, {0.1, 0.2}),
                    ContainsSubstring("drawn: radii = 2, but"));
}

}  // namespace rod_drawing_test
