#include <dalembert/io/scene_contacts.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/io/csv_contacts.hpp>
#include <dalembert/io/gltf.hpp>
#include <dalembert/io/viewer.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/view_page.hpp"

namespace scene_contacts_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using test::ViewPage;

enum class Mode { parts, sticks, slides };
/// Anything that tells these is shown.
struct Report {
  V point, force;
  Mode mode;
};
static_assert(io::ContactReport<Report>);
static_assert(io::ContactReport<contact::TouchReport<double>>);
static_assert(!io::ContactReport<V>);

/// Contacts of frame i: i mod 4 that stick and, in every third frame, one that slips.
std::vector<Report> contacts_of(int i) {
  std::vector<Report> all;
  for (int k = 0; k < i % 4; ++k) all.push_back({{0.1 * i, 1.0 * k, 0}, {0, 0, 1.0 + k}, Mode::sticks});
  if (i % 3 == 0) all.push_back({{0.1 * i, -1, 0}, {0.25 * i, 0, 0}, Mode::slides});
  return all;
}

/// The places and arrows of a shape in a frame.
struct Drawn {
  std::vector<V> points, forces;
  Drawn(const ViewPage& page, const std::string& name, std::size_t frame) {
    const auto& shape = page.shape(name);
    const std::size_t frames = page.scene.at("frames");
    const auto starts = page.array<std::uint32_t>(shape.at("starts"), frames + 1);
    const auto words = page.array<std::uint16_t>(shape.at("positions"), 3 * starts.back());
    const auto values = page.array<float>(shape.at("arrow").at("values"), 3 * starts.back());
    for (std::size_t i = starts[frame]; i < starts[frame + 1]; ++i) {
      V x, f;
      for (std::size_t k = 0; k < 3; ++k) {
        x[static_cast<Eigen::Index>(k)] = page.scene.at("low").at(k).get<double>() +
                                          page.scene.at("quantum").get<double>() * words[3 * i + k];
        f[static_cast<Eigen::Index>(k)] = static_cast<double>(values[3 * i + k]);
      }
      points.push_back(x);
      forces.push_back(f);
    }
  }
};

TEST_CASE("a page has the contacts of each frame, as many as there are, apart by what they do", "[viewer]") {
  io::Scene scene;
  const auto touching = scene.contacts("touch");
  for (int i = 0; i < 20; ++i) {
    REQUIRE(scene.frame(i));
    if (i != 7) scene.put(touching, contacts_of(i));
  }
  const ViewPage page(io::view_html(scene, {}));
  CHECK(page.scene.at("format") == 1);
  REQUIRE(page.scene.at("shapes").size() == 2);
  const auto &sticking = page.shape("touch, sticking"), &slipping = page.shape("touch, slipping");
  CHECK(sticking.at("kind") == "contacts");
  CHECK(sticking.at("nodes") == 3);
  CHECK(slipping.at("nodes") == 1);
  CHECK(sticking.at("colour") != slipping.at("colour"));
  CHECK(sticking.at("arrow").at("name") == "contact force");
  CHECK(sticking.at("arrow").at("longest") == 4.5);  // of all modes, so that lengths compare
  CHECK(slipping.at("arrow").at("longest") == 4.5);
  const double half = 0.5 * page.scene.at("quantum").get<double>() * (1 + 1e-9);
  for (int i = 0; i < 20; ++i) {
    const auto frame = static_cast<std::size_t>(i);
    const auto expected = i == 7 ? std::vector<Report>{} : contacts_of(i);
    const Drawn one(page, "touch, sticking", frame), other(page, "touch, slipping", frame);
    REQUIRE(one.points.size() + other.points.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const bool sticks = expected[k].mode == Mode::sticks;
      const Drawn& seen = sticks ? one : other;
      const std::size_t at = sticks ? k : 0;
      CHECK((seen.points[at] - expected[k].point).cwiseAbs().maxCoeff() <= half);
      CHECK(seen.forces[at] == expected[k].force);
    }
  }
}

TEST_CASE("an impact in a few frames does not make all other arrows too short to see", "[viewer]") {
  io::Scene scene;
  const auto touching = scene.contacts("touch");
  for (int i = 0; i < 200; ++i) {
    REQUIRE(scene.frame(i));
    const double force = i == 50 ? 1000 : 1 + 0.002 * i;
    scene.put(touching,
              std::vector<Report>{{{0, 0, 1}, {0, 0, force}, i == 50 ? Mode::slides : Mode::sticks}});
  }
  const ViewPage page(io::view_html(scene, {}));
  for (const char* name : {"touch, sticking", "touch, slipping"}) {
    CHECK(page.shape(name).at("most") == 1000);
    CHECK(page.shape(name).at("arrow").at("longest").get<double>() == Approx(1.39).epsilon(0.01));
  }
  CHECK(io::common_force({{}, {}}) == 0);
  std::vector<io::SceneContact> all_sizes(150);
  for (std::size_t i = 0; i < 150; ++i) all_sizes[i].force[0] = std::ldexp(1.0, -static_cast<int>(i));
  CHECK(io::common_force({all_sizes}) == 1);
  CHECK(io::common_force({{{.force = {0, 3, 4}}, {.force = {0, 0, 6}}}}) == 6);
}

TEST_CASE("a long motion keeps the contacts of the frames that it keeps", "[viewer]") {
  io::Scene scene(4000);
  const auto touching = scene.contacts("touch");
  for (int i = 0; i < 1000; ++i)
    if (scene.frame(i)) scene.put(touching, contacts_of(i));
  const auto& times = scene.times();
  CHECK(times.size() > 10);
  CHECK(times.size() < 200);
  CHECK(times[1] > 1);
  const auto& kept = scene.shapes()[0].contacts;
  REQUIRE(kept.size() == times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto expected = contacts_of(static_cast<int>(times[i]));
    REQUIRE(kept[i].size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(kept[i][k].point == expected[k].point);
  }
  CHECK(scene.shapes()[0].bytes(times.size()) + 8 * times.size() <= 4000);
}

TEST_CASE("contacts without arrows, that are nowhere, and of other scenes", "[viewer]") {
  io::Scene scene;
  const auto bare = scene.contacts("bare", {.radius = 0.5});
  REQUIRE(scene.frame(0));
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  scene.put(bare, std::vector<Report>{{{1, 2, nothing}, {0, 0, 1}, Mode::sticks},
                                      {{1, 2, 3}, {0, 0, 1}, Mode::parts}});
  CHECK(scene.shapes()[0].contacts[0].size() == 1);
  const ViewPage page(io::view_html(scene, {}));
  CHECK(page.scene.at("shapes").size() == 1);
  CHECK(page.shape("bare, not pressed").at("arrow").is_null());
  CHECK(page.shape("bare, not pressed").at("radius") == 0.5);
  CHECK(page.scene.at("low").at(0) == 0.5);  // the box holds them with their radius
  CHECK_THROWS_WITH(scene.contacts("bad", {.radius = -1}), ContainsSubstring("radius of bad = -1"));
  CHECK_THROWS_WITH(io::view_html(scene, {.follow = "bare"}), ContainsSubstring("follow = bare"));
  const auto ball = scene.body("ball", {io::ball(1)});
  io::Scene other;
  const auto none = other.contacts("none");
  (void)other.contacts("more");
  CHECK(ViewPage(io::view_html(other, {})).scene.at("shapes").empty());
  CHECK(io::glb(scene).size() > 100);  // without them
  CHECK_THROWS_WITH(other.put(none, std::vector<Report>{}), ContainsSubstring("a frame that was begun"));
  scene.put(ball, SO3<double>::identity(), V(0, 0, 0));
}

TEST_CASE("a ball that is thrown onto a plane slips in the scene and in the table, then sticks",
          "[viewer][csv]") {
  const double a = 0.1;
  const assembly::RigidBody<> ball{{.mass = 2, .inertia = {8e-3, 8e-3, 8e-3}, .gravity = {0, 0, -10}}};
  const auto all = assembly::bodies(ball);
  contact::Touching<> what;
  what.friction = 0.3;
  what.planes.emplace_back();
  what.balls.push_back({assembly::frame(std::get<0>(all.handles())), a});
  const assembly::Assembly problem{all, what};
  auto state = problem.state({ball.at({0, 0, a})});
  const test::Folder folder;
  io::Scene scene;
  const auto touching = scene.contacts("contacts");
  io::ContactTable table(folder / "contacts.csv");
  for (const double speed : {1.0, 0.0}) {
    state[0].set_velocity(0, {speed, 0, 0}, {0, 0, 0});
    const auto now = contact::touches(problem, state);
    const auto count = io::count_contacts(now);
    CHECK(count.all == 1);
    CHECK(count.slipping == (speed > 0 ? 1 : 0));
    CHECK(count.sticking == (speed > 0 ? 0 : 1));
    table.row(state.time, now);
    REQUIRE(scene.frame(state.time));
    scene.put(touching, now);
    state.time += 0.5;
  }
  state[0].set_frame(0, SO3<double>::identity(), {0, 0, 2 * a});
  table.row(state.time, contact::touches(problem, state));
  table.close();
  const std::string text = test::text_of(folder / "contacts.csv");
  CHECK_THAT(
      text, ContainsSubstring("# units: t [s], contacts [1], sticking [1], slipping [1], "
                              "largest_force [N]\nt,contacts,sticking,slipping,largest_force\n0,1,0,1,20.8"));
  CHECK_THAT(text, ContainsSubstring("\n0.5,1,1,0,"));
  CHECK_THAT(text, ContainsSubstring("\n1,0,0,0,0\n"));
  const ViewPage page(io::view_html(scene, {}));
  const Drawn slips(page, "contacts, slipping", 0), sticks(page, "contacts, sticking", 1);
  REQUIRE(slips.forces.size() == 1);
  REQUIRE(sticks.forces.size() == 1);
  CHECK(slips.forces[0][0] == Approx(-6).epsilon(1e-6));
  CHECK(slips.forces[0][2] == Approx(20).epsilon(1e-6));
  CHECK(sticks.forces[0][2] == Approx(20).epsilon(1e-6));
}

}  // namespace scene_contacts_test
