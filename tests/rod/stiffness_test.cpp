#include <dalembert/rod/stiffness.hpp>

#include <cmath>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace stiffness_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;
using Eigen::Index;

TEST_CASE("the stiffness of a rod is the derivative of its loads", "[rod][statics]") {
  rod::ElasticRod<double>::Parameters p;
  p.loads.finish.follower_force = {1, 2, 3};
  p.loads.start.moment = {0.1, 0.2, 0.3};
  const auto rod = test::soft_rod<Rod>(0.005, 6, p);
  test::Random random{test::seed()};
  const auto chain = test::random_chain(rod, Mat<double, 3>(Mat<double, 3>::Identity()), random);
  Vec<double, 42> direction, product = Vec<double, 42>::Zero();
  for (auto& d : direction) d = random();
  add_stiffness(rod, chain, [&](Index k, Index l, const auto& block) {
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) product[6 * k + a] += block(a, b) * direction[6 * l + b];
  });
  const double h = 1e-6;
  const auto loads = [&](double step) {
    auto moved = chain;
    for (Index k = 0; k < 7; ++k)
      rod::move_node(moved, k, V(step * direction.segment<3>(6 * k)),
                     V(step * direction.segment<3>(6 * k + 3)));
    auto f = rod::zero_columns<double, 6>(7);
    REQUIRE(rod.forces(moved, f));
    return f;
  };
  const auto above = loads(h), below = loads(-h);
  for (Index k = 0; k < 7; ++k)
    for (int j = 0; j < 6; ++j)
      CHECK(std::abs((above(k, j) - below(k, j)) / (2 * h) + product[6 * k + j]) < 1e-6 * product.norm());
}

TEST_CASE("the stiffness without derivatives has the values of that with them", "[rod][statics]") {
  using D = Dual<double, 1>;
  using Other = rod::ElasticRod<D>;
  const D one = D::variable(1.0, 0);
  typename Other::Parameters p;
  p.loads.finish.follower_force = Vec<D, 3>(D(1), D(2) * one, D(3));
  p.loads.start.moment = Vec<D, 3>(D(0.1), D(0.2), D(0.3) * one);
  p.elements = 5;
  p.length = one;
  p.inertia = {D(1), Vec<D, 3>(D(1e-3), D(1e-3), D(2e-3))};
  Vec<D, 6> k;
  for (int i = 0; i < 6; ++i) k[i] = D(1 + i) * one;
  const Other rod(rod::LinearElastic<D>(k), p);
  auto chain = rod.straight(Vec<D, 3>(D(0), D(0), D(0)), SO3<D>::identity());
  test::Random random{test::seed()};
  const auto draw = [&] { return convert<D>(0.3 * random()) * one; };
  for (Index node = 0; node < 6; ++node)
    rod::move_node(chain, node, Vec<D, 3>(draw(), draw(), draw()), Vec<D, 3>(draw(), draw(), draw()));
  std::vector<std::tuple<Index, Index, Mat<double, 6, 6>>> wanted, found;
  add_stiffness(rod, chain, [&](Index a, Index b, const Mat<D, 6, 6>& block) {
    wanted.emplace_back(a, b, detail::convert_all<double>(block));
  });
  add_stiffness_values(
      rod, chain, [&](Index a, Index b, const Mat<double, 6, 6>& block) { found.emplace_back(a, b, block); });
  REQUIRE(found.size() == 16);
  REQUIRE(wanted.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) {
    const auto& [a, b, block] = found[i];
    CHECK(a == std::get<0>(wanted[i]));
    CHECK(b == std::get<1>(wanted[i]));
    CHECK((block - std::get<2>(wanted[i])).norm() < 1e-13 * block.norm());
  }
}

}  // namespace stiffness_test
