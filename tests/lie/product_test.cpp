#include <dalembert/lie/power.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace product_test {

using Point2 = Vec<double, 2>;

TEST_CASE("Rn adds", "[lie][rn]") {
  const Rn<double, 2> a(Point2(1, 2)), b(Point2(-3, 5));
  CHECK((a * b).coordinates() == Point2(-2, 7));
  CHECK(a.inverse().coordinates() == Point2(-1, -2));
  CHECK(a.act(Point2(10, 10)) == Point2(11, 12));
  CHECK(Rn<double, 2>::exp(Point2(4, 4)).log() == Point2(4, 4));
  CHECK(Rn<double, 2>::identity() == Rn<double, 2>());
}

TEST_CASE("a product keeps its components apart, first before second", "[lie][product]") {
  using G = Product<SE2d, Rn<double, 2>>;
  static_assert(G::dof == 5 && G::Point::RowsAtCompileTime == 4);
  static_assert(std::same_as<G::rebind<float>, Product<SE2<float>, Rn<float, 2>>>);
  Vec<double, 5> xi;
  xi << 0.1, 0.2, 0.3, 4, 5;
  const G g = G::exp(xi);
  CHECK((g.first().inverse() * SE2d::exp({0.1, 0.2, 0.3})).log().norm() < 1e-16);
  CHECK(g.second().coordinates() == Point2(4, 5));
  CHECK((g.log() - xi).norm() < 1e-15);
  Vec<double, 4> p;
  p << 1, 0, 7, 8;
  CHECK((g * g).second().coordinates() == Point2(8, 10));
  CHECK(g.act(p).tail<2>() == Point2(11, 13));
  CHECK(g.act(p).head<2>() == g.first().act({1, 0}));
  CHECK(g.Ad().topRightCorner<3, 2>().isZero(0));
  CHECK(g.Ad().bottomLeftCorner<2, 3>().isZero(0));
  CHECK(g.Ad().topLeftCorner<3, 3>() == g.first().Ad());
  CHECK(G::join(G::of_g(xi), G::of_h(xi)) == xi);
  CHECK(g == G(g.first(), g.second()));
}

TEST_CASE("a power is a chain of one group", "[lie][power]") {
  using G = Power<SE2d, 3>;
  static_assert(G::dof == 9);
  static_assert(std::same_as<G::rebind<float>, Power<SE2<float>, 3>>);
  G g;
  CHECK(g == G::identity());
  g[1] = SE2d(1, 2, 0.5);
  CHECK(g.log().segment<3>(3) == g[1].log());
  CHECK(g.log().head<3>().isZero(0));
  CHECK(g.log().tail<3>().isZero(0));
  CHECK((g * g)[1] == g[1] * g[1]);
  CHECK(g.Ad().block<3, 3>(3, 3) == g[1].Ad());
  CHECK(g.Ad().block<3, 3>(3, 0).isZero(0));
  CHECK(G::left_jacobian(g.log()).block<3, 3>(3, 3) == SE2d::left_jacobian(g[1].log()));
  Vec<double, 6> p = Vec<double, 6>::Zero();
  p[2] = 1;
  CHECK(g.act(p).segment<2>(2) == g[1].act({1, 0}));
}

}  // namespace product_test
