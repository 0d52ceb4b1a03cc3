// What is seen of the markers of a constraint, beside states that move by hand.

#include <dalembert/assembly/detail/marker_kinematics.hpp>

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#include <dalembert/contact/bead.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/on_axis.hpp"
#include "support/rods.hpp"

namespace marker_kinematics_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using V3 = Vec<double, 3>;

/// Markers of all sorts, to count.
struct Counted {
  using Scalar = float;
  FrameMarker<float> a, c;
  contact::AxisMarker<float> b, d;
  auto markers() const { return std::tie(a, b, c, d); }
};
using Of = MarkerKinematics<Counted>;
static_assert(Of::N == 4 && Of::Z == 2 && Of::changes == 24 && !has_line_markers<Counted>);
static_assert(Of::slide_of<0>() == 0 && Of::slide_of<1>() == 0 && Of::slide_of<2>() == 1 &&
              Of::slide_of<3>() == 1);
static_assert(std::is_same_v<ScalarOf<Counted>, float> && std::is_same_v<ScalarOf<int>, double>);
static_assert(row_count<double> == 1 && row_count<Vec<double, 4>> == 4);

/// A constraint in a state, whose only marker that slides does so at some rate.
template <class C>
PlacedConstraint<C> placed(const C& c, const State<double>& x, double rate) {
  PlacedConstraint<C> p(c, x, 0);
  find_velocities(p.evaluator, x, p.evaluation, p.weights.data());
  p.evaluation.zdot = Vec<double, 1>(rate);
  return p;
}
/// The state after a time, in which nodes keep their velocities.
State<double> later(const State<double>& x, double rate, double h) {
  State<double> y = x;
  y.time += h;
  y.z[0] += h * rate;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      y[b].set_frame(k, x[b].rotation(k) * SO3<double>::exp(V3(h * x[b].angular_velocity(k))),
                     x[b].position(k) + h * x[b].linear_velocity(k));
  return y;
}
/// Bodies that are anywhere and move.
void put(State<double>& x, std::size_t b, test::Draw& draw) {
  const auto turn = draw.rotation();
  const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
  x[b].set_frame(0, turn, place);
  x[b].set_velocity(0, velocity, spin);
}
/// A point on an axis of one body and a frame of another one.
struct Scene {
  test::Draw draw{test::seed()};
  test::OnAxis on{{0, 0, draw.vector(), draw.direction(), 2.0}, {1, 0, draw.vector(), draw.rotation()}};
  State<double> x{0.6, {Chain<double>(1), Chain<double>(1)}, Vec<double, 1>(0.7)};

  Scene() {
    for (const std::size_t b : {0U, 1U}) put(x, b, draw);
  }
};

/// What is seen a little later, and its differences.
template <class C>
void check_later(const C& c, const State<double>& x, double rate) {
  CAPTURE(C::name);
  using T = Dual<double, 1>;
  constexpr double h = 1e-5;
  const auto now = placed(c, x, rate), next = placed(c, later(x, rate, h), rate),
             last = placed(c, later(x, rate, -h), rate);
  const auto seen = now.evaluator.template seen<T>(
      [&](auto i) { return now.evaluator.template later<i>(now.evaluation, seed<T>(0)); });
  const auto after = next.evaluator.now(next.evaluation.points),
             before = last.evaluator.now(last.evaluation.points),
             here = now.evaluator.now(now.evaluation.points);
  const V3 probe = V3(0.3, -0.7, 0.5);
  for (std::size_t i = 0; i < 2; ++i) {
    CAPTURE(i);
    const auto check = [&](const Vec<T, 3>& y, const V3& is, const V3& up, const V3& down) {
      const V3 wanted = (up - down) / (2 * h);
      for (int j = 0; j < 3; ++j) CHECK(y[j].value() == Approx(is[j]).margin(1e-15));
      CHECK((slopes_of(y) - wanted).norm() < 1e-7 * (1 + wanted.norm()));
    };
    check(seen[i].position, here[i].position, after[i].position, before[i].position);
    check(seen[i].tangent, here[i].tangent, after[i].tangent, before[i].tangent);
    check(seen[i].velocity, here[i].velocity, after[i].velocity, before[i].velocity);
    check(seen[i].angular_velocity, here[i].angular_velocity, after[i].angular_velocity,
          before[i].angular_velocity);
    if (std::is_same_v<C, contact::Bead<double>> && i == 0) continue;  // it has no rotation
    check(seen[i].rotation.act(in_numbers<T>(probe)), here[i].rotation.act(probe),
          after[i].rotation.act(probe), before[i].rotation.act(probe));
  }
}

TEST_CASE("what is seen a little later is what is seen in the state that nodes have moved to",
          "[assembly][marker_kinematics]") {
  Scene scene;
  check_later(scene.on, scene.x, scene.draw.between(0.5, 1));
  test::Random random(test::seed());
  const auto rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 12);
  const contact::Bead<double> bead{{0, rod, 0.15}, {1, 0, {0.1, -0.2, 0.05}}};
  State<double> x{0.3,
                  {test::random_chain(rod, test::rotation_matrix<double>(random.vector<double>()), random),
                   Chain<double>(1)},
                  Vec<double, 1>(0.46)};
  put(x, 1, scene.draw);
  check_later(bead, x, scene.draw.between(0.5, 1));
}

TEST_CASE("rows that are read from a function say of every motion of the nodes what it says",
          "[assembly][marker_kinematics]") {
  Scene scene;
  const auto at = placed(scene.on, scene.x, 0.0);
  std::array<Eigen::Matrix<double, 2, 3>, 2> linear, angular;
  const auto rows = [&](const auto& x, const auto& t) {
    return with_seen([&](const auto&... one) { return scene.on.velocity_constraint(one...); }, x, t);
  };
  const auto known = at.evaluator.read(at.evaluation, rows, scene.x.time, linear, angular);
  for (int round = 0; round < 5; ++round) {
    State<double> y = scene.x;
    for (const std::size_t b : {0U, 1U}) {
      const V3 velocity = scene.draw.vector(), spin = scene.draw.vector();
      y[b].set_velocity(0, velocity, spin);
    }
    const auto moved = placed(scene.on, y, 0.0);
    const Vec<double, 2> wanted = rows(moved.evaluator.now(moved.evaluation.points), y.time);
    Vec<double, 2> said = known;
    for (std::size_t b = 0; b < 2; ++b)
      said +=
          linear[b] * y[b].linear_velocity(0) + angular[b] * y[b].rotation(0).act(y[b].angular_velocity(0));
    CHECK((said - wanted).norm() < 1e-14);
  }
  CHECK(known[0] == -scene.x.time);
}

}  // namespace marker_kinematics_test
