#include <dalembert/assembly/constraint_markers.hpp>

#include <string_view>
#include <tuple>

#include <dalembert/contact/axis_marker.hpp>
#include <dalembert/tangents/detail/node_tangent.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/links.hpp"

namespace constraint_markers_test {

using namespace dalembert;
using assembly::Chain;
using assembly::FrameChange;
using assembly::Point;
using assembly::State;
using assembly::detail::follows_rates;
using assembly::detail::MarkerMembers;
using assembly::detail::nodes_beyond;
using assembly::detail::PlacedConstraint;
using V3 = Vec<double, 3>;
constexpr double h = 1e-5;

/// What keeps a frame on an axis of a body across it.
struct Across {
  using Scalar = double;
  template <class T>
  using FrameState = assembly::FrameState<T>;
  contact::AxisMarker<double> along;
  assembly::FrameMarker<double> frame;

  auto markers() const { return std::tie(along, frame); }
  template <class T>
  T velocity_constraint(const FrameState<T>& r, const FrameState<T>& x, const T&) const {
    return (r.velocity - x.velocity)[1];
  }
};
/// A ring that does, and that is where the frame is nearest.
struct Ring : Across {
  static constexpr std::string_view name = "Ring";
  template <class T>
  T tangency(const FrameState<T>& r, const FrameState<T>& x) const {
    return (r.position - x.position).dot(r.tangent);
  }
};
/// The same, which says how its tangency changes.
struct Changing : Ring {
  static constexpr std::string_view name = "Changing";
  double tangency_change(const FrameState<double>& r, const FrameState<double>& x,
                         const FrameChange<double>& of_r, const FrameChange<double>& of_x) const {
    return (of_r.position - of_x.position).dot(r.tangent) + (r.position - x.position).dot(of_r.tangent);
  }
};
/// One whose place is integrated from its rate, if that is wanted.
struct Integrated : Ring {
  static constexpr std::string_view name = "Integrated";
  bool wanted = true;
  bool integrated() const { return wanted; }
};
/// One that says its rate in place of its tangency, and looks at nodes beside its windows.
struct Running : Across {
  static constexpr std::string_view name = "Running";
  static constexpr Eigen::Index beyond = 3;
  template <class T>
  T sliding(const FrameState<T>& r, const FrameState<T>& x, const T& t) const {
    return (x.velocity - r.velocity).dot(r.tangent) + t;
  }
};
/// One that is refused past the middle of its axis.
struct Half : Ring {
  static constexpr std::string_view name = "Half";
  void check_markers(const Point<double>& r, const Point<double>&, double time) const {
    if (r.s > 0.5) throw ParallelRods("past the middle", time);
  }
};

static_assert(MarkerMembers<Ring>::tangency && !MarkerMembers<Ring>::tangency_change);
static_assert(MarkerMembers<Changing>::tangency && MarkerMembers<Changing>::tangency_change);
static_assert(MarkerMembers<Running>::sliding && !MarkerMembers<Running>::tangency);
static_assert(MarkerMembers<Half>::check_markers && !MarkerMembers<Ring>::check_markers);
static_assert(MarkerMembers<Integrated>::integrated && !MarkerMembers<Ring>::integrated);
static_assert(!MarkerMembers<test::Leash>::tangency && !MarkerMembers<test::Leash>::sliding);
static_assert(nodes_beyond<Running>() == 3 && nodes_beyond<Ring>() == 0);

template <class C>
struct Scene {
  C constraint;
  State<double> x;

  explicit Scene(test::Draw& draw) {
    x.time = 0.7;
    for (int b = 0; b < 2; ++b) {
      Chain<double> chain(1);
      const auto turn = draw.rotation();
      const V3 place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
      chain.set_frame(0, turn, place);
      chain.set_velocity(0, velocity, spin);
      x.chains.push_back(chain);
    }
    x.z.resize(1);
    x.z[0] = 0.4;
    constraint.along.body = 0;
    constraint.along.origin = draw.vector();
    constraint.along.axis = draw.direction();
    constraint.along.length = 1;
    constraint.frame = {1, 0, draw.vector(), draw.rotation()};
  }
  PlacedConstraint<C> placed(const State<double>& at) const {
    PlacedConstraint<C> all(constraint, at, 0);
    assembly::detail::find_velocities(all.evaluator, at, all.evaluation, all.weights.data());
    return all;
  }
  /// F after a while, in which the place on the axis may move on.
  double tangency(double time, double slid) const {
    State<double> at = x;
    at.z[0] += slid;
    for (auto& chain : at.chains) {
      const V3 w = chain.rotation(0).act(chain.angular_velocity(0));
      chain.set_frame(0, SO3<double>::exp(V3(time * w)) * chain.rotation(0),
                      chain.position(0) + time * chain.linear_velocity(0));
    }
    const auto all = placed(at);
    return all.evaluator.tangency(all.evaluation, at).first[0];
  }
};

template <class C>
void check_tangency() {
  test::Draw draw(test::seed());
  for (int round = 0; round < 10; ++round) {
    CAPTURE(C::name, round);
    const Scene<C> scene(draw);
    const auto all = scene.placed(scene.x);
    const auto [value, slope] = all.evaluator.tangency(all.evaluation, scene.x);
    const V3 axis = scene.x[0].rotation(0).act(scene.constraint.along.axis);
    const V3 origin = scene.x[0].position(0) + scene.x[0].rotation(0).act(scene.constraint.along.origin);
    const V3 frame = scene.x[1].position(0) + scene.x[1].rotation(0).act(scene.constraint.frame.offset);
    CHECK(value[0] == Approx((origin - frame).dot(axis) + 0.4).margin(1e-14));
    CHECK(slope(0, 0) == Approx(1));
    CHECK(slope(0, 0) == Approx((scene.tangency(0, h) - scene.tangency(0, -h)) / (2 * h)));
    CHECK(all.evaluator.tangency_rate(all.evaluation, scene.x)[0] ==
          Approx((scene.tangency(h, 0) - scene.tangency(-h, 0)) / (2 * h)).epsilon(1e-7).margin(1e-8));
  }
}

TEST_CASE("the tangency changes with where a marker is, and while it stands still, as it is said to",
          "[assembly][constraint_markers]") {
  check_tangency<Ring>();
  check_tangency<Changing>();
}

TEST_CASE("a rate at which a marker slides is what the constraint says in that state",
          "[assembly][constraint_markers]") {
  test::Draw draw(test::seed());
  const Scene<Running> scene(draw);
  const auto all = scene.placed(scene.x);
  const auto seen = all.evaluator.now(all.evaluation.points);
  CHECK(all.evaluator.sliding(all.evaluation, scene.x)[0] ==
        Approx((seen[1].velocity - seen[0].velocity).dot(seen[0].tangent) + 0.7));
}

TEST_CASE("internal coordinates follow their rates where these are said, or where that is wanted",
          "[assembly][constraint_markers]") {
  CHECK_FALSE(follows_rates(Ring{}));
  CHECK(follows_rates(Running{}));
  Integrated integrated;
  CHECK(follows_rates(integrated));
  integrated.wanted = false;
  CHECK_FALSE(follows_rates(integrated));
}

TEST_CASE("markers that a constraint cannot have are refused at their time",
          "[assembly][constraint_markers]") {
  test::Draw draw(test::seed());
  Scene<Half> scene(draw);
  const auto near = scene.placed(scene.x);
  CHECK_NOTHROW(near.evaluator.check_markers(near.evaluation.points, 2));
  scene.x.z[0] = 0.6;
  const auto far = scene.placed(scene.x);
  try {
    far.evaluator.check_markers(far.evaluation.points, 2);
    FAIL("not refused");
  } catch (const ParallelRods& error) {
    CHECK(error.time() == 2);
  }
  const Scene<Ring> ring(draw);
  const auto any = ring.placed(ring.x);
  CHECK_NOTHROW(any.evaluator.check_markers(any.evaluation.points, 2));
}

}  // namespace constraint_markers_test
