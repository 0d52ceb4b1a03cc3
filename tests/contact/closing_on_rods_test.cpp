#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/bead.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/frictionless_contact.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace closing_on_rods_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::contact;
using Rod = rod::ElasticRod<double>;
using Ball = RigidBody<double>;
using Curve = CurveMarker<double>;
using Vec3 = Vec<double, 3>;
using All = Kinds<contact::RollingContact<double>, FrictionlessContact<double>, RollingOnRod<double>,
                  SlidingOnRod<double>, RollingOnCylinder<double>, SlidingOnCylinder<double>, Bead<double>,
                  RollingStation<double>, SlidingStation<double>>;
using Problem = Assembly<Kinds<Rod, Ball>, All>;
constexpr std::array<std::string_view, 9> names{"crossing",
                                                "sliding crossing",
                                                "rolling on a rod",
                                                "sliding on a rod",
                                                "rolling on a cylinder",
                                                "sliding on a cylinder",
                                                "bead",
                                                "rolling station",
                                                "sliding station"};

/// A straight rod with its middle at `middle`, along e.
rod::Chain<double> straight(const Rod& rod, const Vec3& middle, const Vec3& e) {
  const Vec3 axis = Vec3(0, 0, 1).cross(e), start = middle - (rod.spacing() * rod.elements() / 2) * e;
  const double angle = std::atan2(axis.norm(), e[2]);
  return rod.straight(start,
                      SO3<double>::exp(axis.norm() > 0 ? Vec3(angle / axis.norm() * axis) : Vec3(0, 0, 0)));
}

/// What starts of one kind leave: how many fail, and how far rows stay open beside the largest length of their scene.
struct Outcome {
  int failures = 0;
  double worst = 0;
  std::string first;
};
void start(int kind, unsigned seed, Outcome& outcome) {
  test::Draw draw(seed);
  const double size = draw.power(-6, 6), radius = 0.2 * size, other = radius * draw.power(-0.5, 0.5);
  const Vec3 middle = draw.origin(size), n = draw.direction(), e = draw.across(n);
  const Vec3 beside = n.cross(e), f = std::cos(0.7) * e + std::sin(0.7) * beside;
  double metres = 10 * size;
  const auto include = [&](const Vec3& x) { metres = std::max(metres, x.cwiseAbs().maxCoeff()); };
  include(middle);
  // waves pass ten sizes in a second
  const double density = draw.power(-6, 6) / (size * size * size);
  const rod::CircularSection<double> section({.radius = radius,
                                              .young = 100 * density * size * size,
                                              .poisson = 0.3,
                                              .density = density,
                                              .shear_factor = 0.9});
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()),
                {.elements = 12, .length = 10 * size, .inertia = section.inertia()});
  const double mass = draw.power(-6, 6), inertia = 0.4 * mass * other * other;
  const Ball ball{{.mass = mass, .inertia = {inertia, inertia, inertia}}};
  const Curve on0(0, rod, 1.2 * size), on1(1, rod, 1.2 * size);
  const bool station = kind >= 7;
  // the second rod crosses the first, and the ball touches it; a station is at a node of the first
  const Vec3 at1 = middle + (radius + other) * n, at2 = kind == 6 ? middle : at1;
  All constraints;
  const double half = 5.003 * size;
  Vec<double, Eigen::Dynamic> z = Vec<double, 1>(half);
  if (kind < 2) z = Vec<double, 2>(half, half);
  const Vec3 c = middle - (radius + other) * n + draw.aside(size) * beside;
  if (kind == 4 || kind == 5) include(c);
  const Cylinder<double> cylinder{other, c, beside};
  if (kind == 0) std::get<0>(constraints).push_back({on0, on1, radius, other, true});
  if (kind == 1) std::get<1>(constraints).push_back({on0, on1, radius, other, true});
  if (kind == 2) std::get<2>(constraints).push_back({on0, {2}, radius, other, true});
  if (kind == 3) std::get<3>(constraints).push_back({on0, {2}, radius, other, true});
  if (kind == 4) std::get<4>(constraints).push_back({on0, radius, cylinder, true});
  if (kind == 5) std::get<5>(constraints).push_back({on0, radius, cylinder, true});
  if (kind == 6) std::get<6>(constraints).push_back({on0, {2}});
  if (kind == 7) std::get<7>(constraints).push_back({{0, 6}, on1, radius, other, true});
  if (kind == 8) std::get<8>(constraints).push_back({{0, 6}, on1, radius, other, true});
  std::vector<rod::Chain<double>> chains{straight(rod, middle, e), straight(rod, at1, station ? e : f),
                                         ball.at(at2, draw.rotation())};
  for (auto& chain : chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      rod::move_node(chain, k, Vec3(1e-3 * size * draw.vector()), Vec3(1e-3 * draw.vector()));
      chain.set_velocity(k, Vec3(0.1 * size * draw.vector()), 0.1 * draw.vector());
    }
  const auto note = [&](const Problem& problem, const State<double>& x) {
    outcome.worst = std::max(outcome.worst, problem.row_errors(x).cwiseAbs().maxCoeff() / metres);
  };
  try {
    const Problem problem(assembly::bodies(std::vector{rod, rod}, std::vector{ball}), constraints);
    auto x = problem.state(std::move(chains), z);
    problem.project(x);
    note(problem, x);
    drive(Verlet{}, problem, x, {.step = 1e-3, .until = 3e-3});
    note(problem, x);
  } catch (const std::exception& error) {
    if (outcome.failures++ == 0) outcome.first = error.what();
  }
}

TEST_CASE("contacts on rods close wherever in space, and however large, the rods are", "[contact][closing]") {
  for (int kind = 0; kind < 9; ++kind) {
    Outcome outcome;
    for (unsigned i = 0; i < 200; ++i)
      start(kind, test::seed() + 1000 * static_cast<unsigned>(kind) + i, outcome);
    CAPTURE(names[static_cast<std::size_t>(kind)], outcome.first);
    CHECK(outcome.failures == 0);
    CHECK(outcome.worst / std::numeric_limits<double>::epsilon() < 64);
  }
}

}  // namespace closing_on_rods_test
