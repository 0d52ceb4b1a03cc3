// Numbers that carry derivatives, beside differences of states that are moved by hand.

#include <dalembert/assembly/detail/seeds.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/on_axis.hpp"

namespace seeds_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using V3 = Vec<double, 3>;

/// A point of one frame and another frame, as an evaluator sees them.
struct Apart {
  auto position(const auto& x, const auto& t) const { return test::OnAxis::apart(x[0], x[1], t); }
};

TEST_CASE("the rate of a position is its difference while frames move and turn", "[assembly][seeds]") {
  test::Draw draw(test::seed());
  constexpr double h = 1e-5;
  for (const double size : {1e-6, 1.0, 1e6}) {
    std::array<FrameState<double>, 2> x;
    for (auto& f : x)
      f = {size * draw.vector(), draw.vector(), draw.rotation(), size * draw.vector(), draw.vector()};
    const double t = draw.between(-1, 1);
    const auto at = [&](double step) {
      auto y = x;
      for (auto& f : y) {
        f.position += step * f.velocity;
        f.rotation = SO3<double>::exp(V3(step * f.angular_velocity)) * f.rotation;
      }
      return test::OnAxis::apart(y[0], y[1], t + step);
    };
    const Vec<double, 2> wanted = (at(h) - at(-h)) / (2 * h);
    CHECK((position_rate(Apart{}, x, t) - wanted).norm() < 1e-8 * size);
  }
}

TEST_CASE("a turn is that of the exponential map to second order, a slide takes the tangent along",
          "[assembly][seeds]") {
  using T1 = Dual<double, 1>;
  using T = Dual<T1, 1>;
  test::Draw draw(test::seed());
  const V3 w = draw.vector(), arm = draw.vector();
  Point<double> p;
  p.R = draw.vector();
  p.dR = draw.vector();
  p.ddR = draw.vector();
  p.rotation = draw.rotation();
  p.V = draw.vector();
  p.W = draw.vector();
  const T step = T(seed<T1>(0)) + seed<T>(0);
  auto m = moving<T>(p);
  turn(m, Vec<T, 3>(w[0] * step, w[1] * step, w[2] * step));
  const auto first = slopes_of(m.rotation.act(in_numbers<T>(arm)));
  const V3 place = p.rotation.act(arm), second = slopes_of(first);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(first[i].value() - w.cross(place)[i]) < 1e-14);
  CHECK((second - w.cross(w.cross(place))).norm() < 1e-14);

  using D = Dual<double, 3>;
  auto slid = moving<D>(p);
  slide_along(slid, p, seed<D>(2));
  CHECK((slopes_of(slid.R, 2) - p.dR).norm() == 0);
  CHECK((slopes_of(slid.dR, 2) - p.ddR).norm() == 0);
  CHECK(slopes_of(slid.R, 1).norm() == 0);
  for (int i = 0; i < 3; ++i) {
    CHECK(slid.R[i].value() == p.R[i]);
    CHECK(slid.dR[i].value() == p.dR[i]);
    CHECK(slid.V[i].value() == p.V[i]);
    CHECK(slid.W[i].value() == p.W[i]);
    CHECK(at_rest<D>(p).V[i].value() == 0);
    CHECK(at_rest<D>(p).W[i].value() == 0);
    CHECK(seeds<D>(0)[i].value() == 0);
    for (int j = 0; j < 3; ++j) CHECK(seeds<D>(0)[i].derivative(j) == (i == j ? 1 : 0));
  }
}

TEST_CASE("positions change with displacements and turns of nodes, and with the time, as differences do",
          "[assembly][seeds]") {
  test::Draw draw(test::seed());
  constexpr double h = 1e-5;
  const test::OnAxis on{{0, 0, draw.vector(), draw.direction(), 2.0}, {1, 0, draw.vector()}};
  State<double> x;
  x.time = 0.6;
  for (int b = 0; b < 2; ++b) {
    x.chains.emplace_back(1);
    const auto turn = draw.rotation();
    x[static_cast<std::size_t>(b)].set_frame(0, turn, draw.vector());
  }
  x.z = Vec<double, 1>(0.7);
  const PlacedConstraint<test::OnAxis> placed(on, x, 0);
  using T = Dual<double, 13>;
  const auto phi = moved_position(placed.evaluator, placed.evaluation.points, x.time, seed<T>);
  for (int u = 0; u < 13; ++u) {
    CAPTURE(u);
    const auto at = [&](double step) -> Vec<double, 2> {
      State<double> y = x;
      const auto b = static_cast<std::size_t>(std::min(u / 6, 1));
      const V3 by = step * V3::Unit(u % 3);
      if (u == 12)
        y.time += step;
      else if (u % 6 < 3)
        y[b].set_frame(0, x[b].rotation(0), x[b].position(0) + by);
      else
        y[b].set_frame(0, SO3<double>::exp(by) * x[b].rotation(0), x[b].position(0));
      return PlacedConstraint<test::OnAxis>(on, y, 0).evaluation.error;
    };
    const Vec<double, 2> wanted = (at(h) - at(-h)) / (2 * h);
    CHECK((slopes_of(phi, u) - wanted).norm() < 1e-8);
  }
}

}  // namespace seeds_test
