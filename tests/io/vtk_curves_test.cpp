// Rods, rigid bodies and contacts as VTK shapes hold the numbers that they say they hold.

#include <dalembert/io/vtk_curves.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/drawing.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/drawing.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/section_state.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"
#include "support/vtk_file.hpp"

namespace vtk_curves_test {

using namespace dalembert;
using namespace test::vtk;
using Ids = std::vector<std::int64_t>;

const double no_number = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

template <class R, class S = typename R::Scalar>
io::PolyData drawings(const std::vector<R>& rods, const std::vector<rod::Chain<S>>& chains,
                      const std::vector<S>& radii) {
  return io::polydata(rod::drawn(rods, chains, radii));
}
template <class R, class S = typename R::Scalar>
io::PolyData drawing(const R& model, const rod::Chain<S>& chain, S radius) {
  return io::polydata(std::vector{rod::DrawnChain<S>(model, chain, radius)});
}
io::PolyData drawing_of_contact(const contact::ContactEvaluation<double>& view) {
  return io::polydata(std::vector{contact::DrawnContact(view)});
}

using Rod = rod::ElasticRod<double>;
using Contact = contact::RollingContact<double>;

static_assert(io::Curve<rod::DrawnChain<double>> && io::Curve<rod::DrawnChain<float>> &&
              io::Curve<contact::DrawnContact<double>> && !io::Curve<Rod>);
static_assert(rod::StrainedBody<Rod> && rod::StrainedBody<rod::ElasticRod<float>>);
static_assert(!rod::StrainedBody<assembly::RigidBody<double>> &&
              !rod::StrainedBody<rod::LinearElastic<double>>);
/// The arrays of `file` at the points from `first` on are those of the chain.
template <class R, class S = typename R::Scalar>
void check_nodes(const Parsed& file, std::int64_t first, const R& model, const rod::Chain<S>& chain,
                 std::int64_t number, S radius) {
  const double tolerance = 50 * static_cast<double>(std::numeric_limits<S>::epsilon());
  const auto near = [&](const V3& a, const Vec<S, 3>& b, double scale = 1.0) {
    return (a - b.template cast<double>()).norm() <= tolerance * scale;
  };
  const auto quaternions = file.values("PointData/quaternion");
  const auto radii = file.values("PointData/radius");
  const auto lengths = file.values("PointData/arc_length");
  const auto numbers = file.values<std::int64_t>("PointData/body");
  REQUIRE(file.components("PointData/quaternion") == 4);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    INFO("node " << k);
    const std::int64_t p = first + k;
    const auto at = static_cast<std::size_t>(p);
    CHECK(file.point(p) == V3(chain.position(k).template cast<double>()));
    const Mat<S, 3> axes = test::matrix(chain.rotation(k));
    for (int i = 0; i < 3; ++i) CHECK(near(file.vector("e" + std::to_string(i + 1), p), axes.col(i)));
    const Eigen::Quaterniond q(quaternions[4 * at], quaternions[4 * at + 1], quaternions[4 * at + 2],
                               quaternions[4 * at + 3]);
    CHECK((q.toRotationMatrix() - axes.template cast<double>()).norm() < tolerance);
    CHECK(near(file.vector("velocity", p), chain.linear_velocity(k)));
    CHECK(near(file.vector("angular_velocity", p), axes * chain.angular_velocity(k), 10.0));
    CHECK(radii[at] == static_cast<double>(radius));
    CHECK(lengths[at] ==
          Approx(static_cast<double>(k) / static_cast<double>(chain.nodes - 1)).epsilon(1e-6).margin(1e-12));
    CHECK(numbers[at] == number);
    // the mean of two elements, at an end what they lead to along a line
    const Eigen::Index e = std::clamp<Eigen::Index>(k - 1, 0, chain.nodes - 3);
    const S x = S(k) - S(0.5) - S(e);
    Mat<S, 3, 6> both[2];
    for (const Eigen::Index i : {0, 1}) {
      const auto strain = model.strain(chain, e + i);
      const auto stress = model.stress(chain, e + i);
      const auto in_space = rod::stress_in_space(model, chain, e + i);
      both[i] << strain.stretch, strain.curvature, stress.force, stress.moment, in_space.force,
          in_space.moment;
    }
    const Mat<S, 3, 6> mean = (1 - x) * both[0] + x * both[1];
    const std::array<const char*, 6> names = {"stretch", "curvature",      "force",
                                              "moment",  "force_in_space", "moment_in_space"};
    for (int i = 0; i < 6; ++i)
      CHECK(near(file.vector(names[static_cast<std::size_t>(i)], p), mean.col(i),
                 static_cast<double>(both[0].col(i).norm() + both[1].col(i).norm())));
    CHECK(file.values("PointData/energy")[at] ==
          Approx(static_cast<double>(model.material().energy(Vec<S, 3>(mean.col(0)), Vec<S, 3>(mean.col(1)))))
              .epsilon(tolerance));
  }
}

TEST_CASE("a rod is a line with what its nodes and elements have", "[vtk]") {
  test::Random random(test::seed());
  const Rod model = test::soft_rod<Rod>(0.03, 17);
  const auto chain =
      test::random_chain(model, test::rotation_matrix<double>({0.3, -1.1, 0.7}), random, {.bend = 1.5});
  const Parsed file(drawing(model, chain, 0.03).xml());
  CHECK(file.section("Piece") == Attributes{{"NumberOfPoints", "18"},
                                            {"NumberOfVerts", "0"},
                                            {"NumberOfLines", "1"},
                                            {"NumberOfStrips", "0"},
                                            {"NumberOfPolys", "0"}});
  CHECK(file.section("PointData") ==
        Attributes{{"Scalars", "radius"}, {"Vectors", "velocity"}, {"Normals", "e1"}});
  CHECK(file.values<std::int64_t>("CellData/body") == Ids{0});
  Ids line(18);
  for (std::size_t i = 0; i < 18; ++i) line[i] = static_cast<std::int64_t>(i);
  CHECK(file.values<std::int64_t>("Lines/connectivity") == line);
  CHECK(file.values<std::int64_t>("Lines/offsets") == Ids{18});
  check_nodes(file, 0, model, chain, 0, 0.03);
}

TEST_CASE("a twisted, stretched rod that turns shows known strains, stresses and velocities", "[vtk]") {
  const Rod model = test::soft_rod<Rod>(0.02, 20);
  const V3 v(0.2, -0.5, 1.0), w(1.0, 2.0, -3.0);
  const double stretch = 1.25, twist = 2.0;  // [1, rad/m]
  const Mat<double, 3> frame = test::rotation_matrix<double>({0.4, 0.9, -0.2});
  auto chain = model.straight({1.0, 2.0, 3.0}, test::rotation<double>(frame), stretch);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double angle = twist * static_cast<double>(k) / 20.0;
    chain.set_frame(k, test::rotation<double>(frame * test::rotation_matrix<double>({0.0, 0.0, angle})),
                    chain.position(k));
  }
  test::move_rigidly(chain, v, w);
  const Parsed file(drawing(model, chain, 0.02).xml());
  const auto section = test::soft_section<double>(0.02);
  const V3 n(0.0, 0.0, 1e6 * section.area() * (stretch - 1.0));
  const V3 m(0.0, 0.0, section.shear_modulus() * 2.0 * section.second_moment() * twist);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double angle = twist * static_cast<double>(k) / 20.0;
    CHECK((file.vector("stretch", k) - V3(0.0, 0.0, stretch)).norm() < 1e-13);
    CHECK((file.vector("curvature", k) - V3(0.0, 0.0, twist)).norm() < 1e-13);
    CHECK((file.vector("force", k) - n).norm() < 1e-11 * n.norm());
    CHECK((file.vector("moment", k) - m).norm() < 1e-12 * m.norm());
    CHECK((file.vector("force_in_space", k) - frame * n).norm() < 1e-11 * n.norm());
    CHECK((file.vector("moment_in_space", k) - frame * m).norm() < 1e-11 * m.norm());
    CHECK(file.values("PointData/energy")[static_cast<std::size_t>(k)] ==
          Approx(0.5 * (n[2] * (stretch - 1) + m[2] * twist)));
    CHECK((file.vector("velocity", k) - (v + w.cross(file.point(k)))).norm() < 1e-13);
    CHECK((file.vector("angular_velocity", k) - w).norm() < 1e-13);
    CHECK((file.vector("e1", k) - (cos(angle) * frame.col(0) + sin(angle) * frame.col(1))).norm() < 1e-14);
    CHECK((file.vector("e3", k) - frame.col(2)).norm() < 1e-14);
  }
}

TEST_CASE("several rods are lines of one shape", "[vtk]") {
  test::Random random(test::seed());
  const std::vector<Rod> rods = {test::soft_rod<Rod>(0.05, 9), test::soft_rod<Rod>(0.03, 4),
                                 test::soft_rod<Rod>(0.02, 6)};
  std::vector<rod::Chain<double>> chains;
  chains.reserve(rods.size());
  for (const Rod& model : rods)
    chains.push_back(test::random_chain(model, Mat<double, 3>::Identity(), random));
  const std::vector<double> radii = {0.05, 0.03, 0.02};
  const Parsed file(drawings(rods, chains, radii).xml());
  CHECK(file.values<std::int64_t>("Lines/offsets") == Ids{10, 15, 22});
  CHECK(file.values<std::int64_t>("Lines/connectivity").back() == 21);
  CHECK(file.values<std::int64_t>("CellData/body") == Ids{0, 1, 2});
  check_nodes(file, 0, rods[0], chains[0], 0, 0.05);
  check_nodes(file, 10, rods[1], chains[1], 1, 0.03);
  check_nodes(file, 15, rods[2], chains[2], 2, 0.02);

  CHECK_THROWS_MATCHES(drawings(rods, chains, {0.05, 0.03}), std::invalid_argument,
                       says({"radii = 2", "one radius per body"}));
  CHECK_THROWS_MATCHES(drawings(rods, {chains[0]}, radii), std::invalid_argument, says({"chains = 1"}));
  CHECK_THROWS_MATCHES(drawings(rods, {chains[0], chains[2], chains[1]}, radii), std::invalid_argument,
                       says({"nodes of chain 1 = 7"}));
  CHECK_THROWS_MATCHES(drawings(rods, chains, {0.05, 0.03, -0.02}), std::invalid_argument,
                       says({"radius of body 2"}));
  CHECK_THROWS_AS(drawing(rods[0], chains[0], no_number), std::invalid_argument);
  CHECK_THROWS_AS(drawing(rods[0], chains[0], infinity), std::invalid_argument);
}

TEST_CASE("a rod in single precision is written too", "[vtk]") {
  using Single = rod::ElasticRod<float>;
  test::Random random(test::seed());
  const Single model = test::soft_rod<Single>(0.03, 8);
  const auto chain = test::random_chain(model, Mat<float, 3>(Mat<float, 3>::Identity()), random);
  check_nodes(Parsed(drawing(model, chain, 0.03F).xml()), 0, model, chain, 0, 0.03F);
}

TEST_CASE("a velocity that is no number is written, a position is refused", "[vtk]") {
  const Rod model = test::soft_rod<Rod>(0.03, 5);
  auto chain = model.straight(V3::Zero(), SO3<double>::identity());
  chain.velocity(2, 1) = no_number;
  const Parsed file(drawing(model, chain, 0.03).xml());
  CHECK(std::isnan(file.vector("velocity", 2)[1]));
  CHECK(file.vector("velocity", 3) == V3::Zero());
  chain.configuration(4, 0) = no_number;
  CHECK_THROWS_MATCHES(drawing(model, chain, 0.03).xml(), std::invalid_argument,
                       says({"coordinate of point 4"}));
  chain.configuration.row(3).setZero();
  CHECK_THROWS_MATCHES(drawing(model, chain, 0.03), std::invalid_argument, says({"node 3", "quaternion"}));
}

TEST_CASE("a contact is a vertex between the rods with its force", "[vtk]") {
  // Rod 1 along x through the origin, rod 2 along y above it; rod 2 weighs on rod 1.
  Rod::Parameters heavy;
  heavy.loads.gravity = V3(0.0, 0.0, -9.81);
  const std::vector<Rod> rods = {test::soft_rod<Rod>(0.05, 40), test::soft_rod<Rod>(0.03, 43, heavy)};
  const Contact touch{{0, rods[0], 0.05}, {1, rods[1], 0.05}, 0.05, 0.03};
  const assembly::Assembly problem{assembly::bodies(rods), assembly::constraints(std::vector{touch})};
  Mat<double, 3> along_x, along_y;
  along_x << 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0;
  along_y << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
  const std::vector<rod::Chain<double>> chains = {
      rods[0].straight({-0.5, 0.0, 0.0}, test::rotation<double>(along_x)),
      rods[1].straight({0.125, -0.375, 0.08}, test::rotation<double>(along_y))};
  const auto state = problem.state(chains, Vec<double, Eigen::Dynamic>{{0.6, 0.4}});
  auto rates = problem.make_rates();
  problem.rates(state, rates);

  auto view = contact::evaluate(touch, state, rates.lambda);
  const Parsed file(drawing_of_contact(view).xml());
  CHECK(file.section("Piece").at("NumberOfPoints") == "1");
  CHECK(file.values<std::int64_t>("Verts/connectivity") == Ids{0});
  CHECK(file.section("PointData") ==
        Attributes{{"Scalars", "lambda_n"}, {"Vectors", "force"}, {"Normals", "normal"}});
  CHECK((file.point(0) - V3(0.125, 0.0, 0.05)).norm() < 1e-13);
  CHECK((file.vector("normal", 0) - V3::UnitZ()).norm() < 1e-13);
  CHECK(file.values("PointData/s1").at(0) == Approx(0.625));
  CHECK(file.values("PointData/s2").at(0) == Approx(0.375));
  const V3 force = file.vector("force", 0);
  CHECK(force == V3(rates.lambda));
  CHECK(force[2] < -0.1);
  CHECK(file.values("PointData/lambda_n").at(0) == Approx(-force[2]));

  view.force = V3(3.0, no_number, -4.0);
  view.components = V3(5.0, 6.0, 7.0);
  const Parsed given(drawing_of_contact(view).xml());
  CHECK(given.vector("force", 0)[0] == 3.0);
  CHECK(std::isnan(given.vector("force", 0)[1]));
  CHECK(given.values("PointData/lambda_n") == std::vector{5.0});
  CHECK(given.values("PointData/lambda_t1") == std::vector{6.0});
  CHECK(given.values("PointData/lambda_t2") == std::vector{7.0});
}

TEST_CASE("an assembly is drawn body by body, a rigid one as a vertex", "[vtk]") {
  using namespace dalembert::assembly;
  test::Random random(test::seed());
  const Rod model = test::soft_rod<Rod>(0.03, 8);
  const RigidBody<double> ball({.mass = 1, .inertia = {1, 1, 1}});
  auto placed = ball.at({3.0, 2.0, 1.0}, SO3<double>::exp({0.2, -0.4, 1.1}));
  placed.set_velocity(0, {0.1, 0.2, 0.3}, {-1.0, 2.0, 0.5});
  // the kind of the ball comes first, so that the vertices are not the last bodies
  const Assembly problem{bodies(std::vector{ball}, std::vector{model})};
  const auto state =
      problem.state({placed, test::random_chain(model, Mat<double, 3>(Mat<double, 3>::Identity()), random)});
  const Parsed file(io::polydata(drawn(problem, state, {0.2, 0.03})).xml());
  CHECK(file.section("Piece") == Attributes{{"NumberOfPoints", "10"},
                                            {"NumberOfVerts", "1"},
                                            {"NumberOfLines", "1"},
                                            {"NumberOfStrips", "0"},
                                            {"NumberOfPolys", "0"}});
  check_nodes(file, 1, model, state[1], 1, 0.03);
  CHECK(file.values<std::int64_t>("CellData/body") == Ids{0, 1});
  CHECK(file.values<std::int64_t>("Verts/connectivity") == Ids{0});
  CHECK(file.point(0) == V3(3.0, 2.0, 1.0));
  CHECK(file.values("PointData/radius")[0] == 0.2);
  CHECK((file.vector("angular_velocity", 0) - placed.rotation(0).act(V3(-1.0, 2.0, 0.5))).norm() < 1e-14);
  CHECK(std::isnan(file.vector("force", 0)[0]));

  // lines first, then a vertex: cells of a shape are its vertices, then its lines
  const Assembly turned{bodies(std::vector{model}, std::vector{ball})};
  const auto same = turned.state({state[1], placed});
  const Parsed other(io::polydata(drawn(turned, same, {0.03, 0.2})).xml());
  CHECK(other.values<std::int64_t>("CellData/body") == Ids{1, 0});
  check_nodes(other, 0, model, same[0], 0, 0.03);

  CHECK_THROWS_MATCHES(drawn(problem, state, {0.2}), std::invalid_argument, says({"radii = 1"}));
  CHECK_THROWS_MATCHES(drawn(problem, same, {0.2, 0.2}), std::invalid_argument, says({"nodes of chain 0"}));
  CHECK_THROWS_MATCHES(drawn(problem, state, {0.2, 0.0}), std::invalid_argument, says({"radius of body 1"}));
}

/// A curve that says other things of its second node.
struct Fickle {
  bool other_name = false, one_more = false;
  static int nodes() { return 2; }
  static V3 position(std::int64_t k) { return {static_cast<double>(k), 0, 0}; }
  template <class Visitor>
  void visit_node(std::int64_t k, Visitor&& visit) const {
    visit(k == 1 && other_name ? "b" : "a", 1.0);
    if (k == 1 && one_more) visit("c", 1.0);
  }
};

TEST_CASE("nodes of one shape must have the same numbers", "[vtk]") {
  CHECK_NOTHROW(io::polydata(std::vector<Fickle>(2)));
  CHECK_THROWS_MATCHES(io::polydata(std::vector{Fickle{.other_name = true}}), std::invalid_argument,
                       says({"what a node has = b"}));
  CHECK_THROWS_MATCHES(io::polydata(std::vector{Fickle{.one_more = true}}), std::invalid_argument,
                       says({"what a node has = c"}));
}

}  // namespace vtk_curves_test
