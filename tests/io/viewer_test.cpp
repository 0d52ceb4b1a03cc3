#include <dalembert/io/detail/scene_bytes.hpp>
#include <dalembert/io/viewer.hpp>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/comma.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"
#include "support/view_page.hpp"

namespace viewer_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using test::Folder;
using test::text_of;
using test::ViewPage;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// A rod that flies and bends, in frames at 0, 0.1, …: some motion without equations.
struct Flight {
  rod::ElasticRod<double> rod = test::soft_rod<rod::ElasticRod<double>>(0.02, 20);
  rod::Chain<double> chain = rod.straight({0, 0, 1}, SO3<double>::identity(), 1);

  void at(double time) {
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      const double s = static_cast<double>(k) / 20;
      chain.set_frame(k, SO3<double>::exp(V(3 * time * s, 0.7 * time, 5 * time + s)),
                      V(2 * time + s, std::sin(3 * s + time), 1 - time * time));
    }
  }
};

double angle_between(const std::array<double, 4>& q, const SO3<double>& r) {
  const auto read = SO3<double>::from_quaternion(q[0], V(q[1], q[2], q[3]));
  return (read.inverse() * r).log().norm();
}

TEST_CASE("a page gives back where everything was, to the quantum that it states", "[viewer]") {
  Flight flight;
  io::Scene scene;
  const auto tube = scene.tube("rod", 0.02);
  const auto ball = scene.body("ball", {io::ball(0.1)}, {.path = true});
  const auto contact = scene.point("contact", {.arrow = "force", .unit = "N"});
  const auto numbers = scene.panel("energy", "J", {"kinetic", "potential"}, true);
  const auto string = scene.curve("string", 0.01);
  for (int i = 0; i < 30; ++i) {
    const double t = 0.1 * i;
    flight.at(t);
    REQUIRE(scene.frame(t));
    scene.put(tube, flight.chain);
    scene.put(ball, SO3<double>::exp(V(t, -2 * t, 0.3)), V(t, 2, -t));
    if (i % 2 == 0) scene.put(contact, V(0, t, 1), V(0, 0, 5 - t));
    scene.put(string, std::vector<V>{V(0, 0, 0), V(1, t, 0), V(2, 0, t)});
    scene.row(numbers, t, {1.5 * t, i == 7 ? nothing : 1e-20 * t});
  }
  const ViewPage page(io::view_html(scene, {.title = "flight"}));
  CHECK(page.scene.at("frames") == 30);
  CHECK(page.times() == scene.times());
  const double quantum = page.scene.at("quantum");
  CHECK(quantum < 1e-4 * page.scene.at("size").get<double>());
  const double half = 0.5 * quantum * (1 + 1e-9), turn_error = page.scene.at("turn_error");
  for (std::size_t i = 0; i < 30; ++i) {
    const double t = scene.times()[i];
    flight.at(t);
    for (std::size_t k = 0; k < 21; ++k) {
      const auto node = static_cast<Eigen::Index>(k);
      const auto x = page.position(page.shape("rod"), i, k);
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(std::abs(x[j] - flight.chain.position(node)[static_cast<Eigen::Index>(j)]) <= half);
      CHECK(angle_between(page.turn(page.shape("rod"), i, k), flight.chain.rotation(node)) < turn_error);
    }
    const auto place = page.position(page.shape("contact"), i, 0);
    const auto arrow = page.array<float>(page.shape("contact").at("arrow").at("values"), 90);
    if (i % 2 == 0) {
      CHECK(std::abs(place[1] - t) <= half);
      CHECK(arrow[3 * i + 2] == static_cast<float>(5 - t));
    } else {
      CHECK(std::isnan(place[1]));
      CHECK(std::isnan(arrow[3 * i + 2]));
    }
    CHECK(std::abs(page.position(page.shape("string"), i, 1)[1] - t) <= half);
    CHECK(std::abs(page.position(page.shape("ball"), i, 0)[2] + t) <= half);
  }
  CHECK(page.shape("contact").at("arrow").at("longest") == 5.0);
  CHECK(page.shape("ball").at("parts").at(0).at("radius") == 0.1);
  const auto& panel = page.scene.at("panels").at(0);
  CHECK(panel.at("logarithmic") == true);
  CHECK(panel.at("rows") == 30);
  CHECK(page.array<double>(panel.at("times"), 30) == scene.times());
  const auto small = page.array<double>(panel.at("curves").at(1).at("values"), 30);
  CHECK(std::isnan(small[7]));
  CHECK(small[8] == 1e-20 * scene.times()[8]);
}

TEST_CASE("any rotation is kept to the error that a page states", "[viewer]") {
  std::mt19937 random(test::seed());
  std::normal_distribution<double> normal;
  double largest = 0;
  for (int i = 0; i < 20000; ++i) {
    Vec<double, 4> q(normal(random), normal(random), normal(random), normal(random));
    if (i % 4 == 0) q *= i % 8 == 0 ? 1e-3 : -7;               // of any length
    if (i % 5 == 0) q = q.cwiseAbs().cwiseMax(1).cwiseMin(1);  // no component is the largest
    if (i % 7 == 0) q = Vec<double, 4>::Unit(i % 4);
    const auto words = io::detail::turn_words(q.data());
    q.normalize();
    std::string bytes;
    for (const auto word : words) io::detail::append_bytes(bytes, word);
    const ViewPage page(
        "<script id=\"scene\" type=\"application/json\">{}</script>"
        "<script id=\"data\" type=\"application/octet-stream\">" +
        io::detail::base64(bytes + "  ") + "</script>");
    const auto back = page.turn({{"nodes", 1}, {"turns", 0}}, 0, 0);
    largest = std::max(largest, angle_between(back, SO3<double>::from_quaternion(q[0], q.tail<3>())));
  }
  CHECK(largest < io::detail::turn_error);
  CHECK(largest > 0.3 * io::detail::turn_error);
}

TEST_CASE("a long motion keeps every second frame, again and again", "[viewer]") {
  io::Scene scene(2000);  // a ball has 12 bytes a frame, and its time 8
  const auto ball = scene.body("ball", {io::ball(1)});
  int kept = 0;
  for (int i = 0; i < 1000; ++i)
    if (scene.frame(i)) {
      scene.put(ball, SO3<double>::identity(), V(i, 0, 0));
      ++kept;
    }
  CHECK(kept < 300);
  const auto& times = scene.times();
  CHECK(times.size() <= 100);
  CHECK(times.size() > 50);
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i] == 16.0 * static_cast<double>(i));
    CHECK(scene.shapes()[0].positions[3 * i] == times[i]);
  }
  CHECK(scene.reached() == 999);
  CHECK(io::view_html(scene, {}).size() < 20000 + 200000);
}

TEST_CASE("of a long panel every second row is kept, again and again, and always the last", "[viewer]") {
  io::Scene scene;
  const auto panel = scene.panel("height", "m", {"z", "rate"});
  const auto few = scene.panel("turns", "1", {"n"});
  const std::size_t most = io::ScenePanel::most_rows;
  const io::Scene::Panel& kept = scene.panels()[0];
  std::size_t largest = 0;
  for (std::size_t i = 0; i < 100'000; ++i) {
    const double t = 0.5 * static_cast<double>(i);
    scene.row(panel, t, {t * t, i == 4096 ? nothing : -t});
    if (i % 20'000 == 0) scene.row(few, t, {1});
    largest = std::max(largest, kept.times.size());
    if (i < most) REQUIRE(kept.times.size() == i + 1);
    REQUIRE(kept.times.back() == t);
    REQUIRE(scene.reached() == t);
  }
  CHECK(largest == most);
  CHECK(kept.times.size() > most / 2);
  for (std::size_t i = 0; i + 1 < kept.times.size(); ++i) {
    const double t = 8.0 * static_cast<double>(i);  // every 16th row
    CHECK(kept.times[i] == t);
    CHECK(kept.values[0][i] == t * t);
    if (t != 2048) CHECK(kept.values[1][i] == -t);
  }
  CHECK(std::isnan(kept.values[1][256]));
  CHECK(kept.times.back() == 49'999.5);
  CHECK(kept.values[0].back() == 49'999.5 * 49'999.5);
  CHECK(scene.panels()[1].times.size() == 5);
  const ViewPage page(io::view_html(scene, {}));
  CHECK(page.scene.at("panels").at(0).at("rows") == kept.times.size());
}

TEST_CASE("shapes that stand still have one frame", "[viewer]") {
  io::Scene scene;
  const auto pole = scene.body("pole", {io::cylinder(0.1, 3).at({0, 0, 1.5}).coloured(2).with_stripes()});
  scene.place(pole, SO3<double>::identity(), V(4, 5, 6));
  scene.plane("floor", {0, 0, 0}, {0, 0, 2});
  for (const double t : {0.0, 1.0, 2.0}) REQUIRE(scene.frame(t));
  const ViewPage page(io::view_html(scene, {}));
  CHECK(page.shape("pole").at("still") == true);
  (void)scene.point("fly");
  CHECK(ViewPage(io::view_html(scene, {.follow = "fly"})).scene.at("follow") == "fly");
  CHECK(std::abs(page.position(page.shape("pole"), 0, 0)[1] - 5) <= page.scene.at("quantum").get<double>());
  CHECK(page.shape("pole").at("parts").at(0).at("colour") == 2);
  CHECK(page.shape("floor").at("normal") == nlohmann::json{0.0, 0.0, 1.0});
  // a pole of a reach of 3 m and a bit: the box holds it
  CHECK(page.scene.at("high").at(2).get<double>() >= 9);
}

TEST_CASE("what texts say stays text", "[viewer]") {
  io::Scene scene;
  const std::string bad = "</script><script>alert(\"1\")</script> & \\ \n\x01";
  (void)scene.body(bad, {io::ball(1)});
  (void)scene.panel(bad, bad, {bad});
  const std::string html =
      io::view_html(scene, {.title = bad, .caption = bad, .parameters = {{bad, bad, bad}}, .error = bad});
  CHECK_THAT(html, !ContainsSubstring("alert(\"1\")"));
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  const ViewPage page(html);
  CHECK(page.scene.at("caption") == bad);
  CHECK(page.scene.at("shapes").at(0).at("name") == bad);
  CHECK(page.scene.at("panels").at(0).at("curves").at(0).at("name") == bad);
  CHECK(page.scene.at("parameters").at(0).at("value") == bad);
  CHECK(page.scene.at("outcome").at("error") == bad);
}

TEST_CASE("a page tells how far a run came", "[viewer]") {
  io::Scene scene;
  const auto panel = scene.panel("height", "m", {"z"});
  CHECK(scene.reached() == 0);
  REQUIRE(scene.frame(0.5));
  scene.row(panel, 0.75, {1});
  const ViewPage page(io::view_html(scene, {.planned = 2.0, .error = "it fell"}));
  CHECK(page.scene.at("outcome") ==
        nlohmann::json{{"reached", 0.75}, {"planned", 2.0}, {"error", "it fell"}});
  const ViewPage other(io::view_html(scene, {}));
  CHECK(other.scene.at("outcome").at("error").is_null());
  CHECK(other.scene.at("outcome").at("planned").is_null());
  CHECK(other.scene.at("follow").is_null());
  CHECK(other.scene.at("variable") == nlohmann::json{{"name", "t"}, {"unit", "s"}});
  const ViewPage load(io::view_html(scene, {.variable = "<load>", .unit = "N"}));
  CHECK(load.scene.at("variable") == nlohmann::json{{"name", "<load>"}, {"unit", "N"}});
}

TEST_CASE("a page is whole by itself", "[viewer]") {
  const io::Scene scene;
  const std::string html = io::view_html(scene, {.title = "nothing"});
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(html.size() < 130000);
  CHECK_THAT(html, ContainsSubstring("<title>nothing</title>"));
  for (const char* outside : {"http://", "https://", "src=\"/", "href=", "import(", "fetch("})
    CHECK_THAT(html, !ContainsSubstring(outside));
  // what is opened is closed
  for (const std::string tag : {"html", "head", "body", "style", "script", "section", "title"}) {
    std::size_t open = 0, closed = 0;
    for (std::size_t at = html.find("<" + tag); at != std::string::npos; at = html.find("<" + tag, at + 1)) {
      const char next = html[at + tag.size() + 1];
      open += next == '>' || next == ' ' ? 1U : 0U;
    }
    for (std::size_t at = html.find("</" + tag + ">"); at != std::string::npos;
         at = html.find("</" + tag + ">", at + 1))
      ++closed;
    CAPTURE(tag);
    CHECK(open == closed);
    CHECK(open > 0);
  }
}

TEST_CASE("a page is the same in a program whose numbers have commas", "[viewer]") {
  const auto page = [] {
    io::Scene scene;
    const auto ball = scene.body("ball", {io::box({0.125, 0.25, 1000.5}).at({0.1, 0, 0}).coloured(7)});
    const auto end = scene.point("end", {.radius = 0.5, .arrow = "force", .unit = "N"});
    const auto heights = scene.panel("height", "m", {"z"});
    for (int i = 0; i < 1500; ++i) {
      const double t = 0.25 * i;
      if (!scene.frame(t)) continue;
      scene.put(ball, SO3<double>::exp({t, 0.5, 0}), V(t, 1234.5, 0));
      scene.put(end, V(0, 0, t), V(0.5, t, 0));
      scene.row(heights, t, {1.5 * t});
    }
    return io::view_html(scene, {.planned = 1234.5, .yaw = 12.5});
  };
  const std::string expected = page();
  const test::Comma comma;
  CHECK(page() == expected);
}

TEST_CASE("a page has the pictures that are there, and is written where it should be", "[viewer]") {
  const Folder folder;
  std::filesystem::create_directories(folder / "with a space");
  test::put_text(folder / "one.png", "PNG");
  const auto path = folder / "with a space/view.html";
  io::write_view(path, io::Scene{}, {.pictures = {folder / "one.png", folder / "absent.png"}});
  const std::string html = text_of(path);
  CHECK_THAT(html, ContainsSubstring("data:image/png;base64,UE5H\""));
  CHECK_THAT(html, !ContainsSubstring("absent"));
  CHECK_THROWS_WITH(io::write_view("/dev/null/view.html", io::Scene{}, {}),
                    ContainsSubstring("/dev/null/view.html"));
}

TEST_CASE("a scene refuses what cannot be drawn, and says why", "[viewer]") {
  io::Scene scene;
  CHECK_THROWS_WITH(scene.tube("rod", 0.0),
                    ContainsSubstring("radius of rod = 0, but a radius must be positive"));
  CHECK_THROWS_WITH(scene.body("ball", {}),
                    ContainsSubstring("parts of ball = 0, but a body must have some"));
  CHECK_THROWS_WITH(io::ball(-1), ContainsSubstring("size = -1"));
  CHECK_THROWS_WITH(io::outline({{0, 0}, {0, 1}, {1, 0}}, 1), ContainsSubstring("counter-clockwise"));
  CHECK_THROWS_WITH(scene.plane("floor", {0, 0, 0}, {0, 0, 0}), ContainsSubstring("normal of floor"));
  const auto tube = scene.tube("rod", std::vector{0.1, 0.2});
  Flight flight;
  CHECK_THROWS_WITH(scene.put(tube, flight.chain), ContainsSubstring("a frame that was begun"));
  REQUIRE(scene.frame(0));
  CHECK_THROWS_WITH(scene.put(tube, flight.chain),
                    ContainsSubstring("nodes of rod = 21, but there must be as many as radii"));
  CHECK_FALSE(scene.frame(0));
  CHECK_FALSE(scene.frame(nothing));
  const auto panel = scene.panel("height", "m", {"z"});
  CHECK_THROWS_WITH(scene.row(panel, 0, {1, 2}), ContainsSubstring("numbers of a row of height = 2"));
  CHECK_THROWS_WITH(io::view_html(scene, {.up = {0, 0, 0}}), ContainsSubstring("up"));
  CHECK_THROWS_WITH(io::view_html(scene, {.follow = "ball"}),
                    ContainsSubstring("follow = ball, but it must be the name of a shape"));
  CHECK_THROWS_WITH(io::view_html(scene, {.follow = "floor"}), ContainsSubstring("follow = floor"));
  scene.row(panel, 2, {1});
  CHECK_THROWS_WITH(scene.row(panel, 1.5, {1}), ContainsSubstring("time of a row of height = 1.5"));
  CHECK_THROWS_WITH(scene.row(panel, nothing, {1}), ContainsSubstring("time of a row of height"));
  CHECK_THROWS_WITH(scene.plane("hole", {0, nothing, 0}, {0, 0, 1}), ContainsSubstring("place of hole"));
  CHECK_THROWS_WITH(scene.plane("hole", {0, 0, 0}, {0, 0, 1}, -1), ContainsSubstring("side of hole = -1"));
  CHECK_THROWS_WITH(scene.body("box", {io::ball(1).at({0, nothing, 0})}), ContainsSubstring("a part of box"));
  CHECK_THROWS_WITH(scene.point("end", {.radius = -1}), ContainsSubstring("radius of end = -1"));
}

TEST_CASE("a shape is put into frames or placed in all, in its own scene", "[viewer]") {
  io::Scene scene, other;
  const auto pole = scene.body("pole", {io::cylinder(1, 2)});
  const auto end = other.point("end");
  const auto second = other.body("second", {io::ball(1)});
  scene.place(pole, SO3<double>::identity(), V(4, 5, 6));
  REQUIRE(scene.frame(0));
  REQUIRE(scene.frame(1));
  CHECK_THROWS_WITH(scene.put(pole, SO3<double>::identity(), V(0, 0, 0)),
                    ContainsSubstring("shape = pole, but what is placed in all frames"));
  CHECK_THROWS_WITH(scene.put(end, V(0, 0, 0)), ContainsSubstring("number of a shape = 0"));
  CHECK_THROWS_WITH(scene.place(second, SO3<double>::identity(), V(0, 0, 0)),
                    ContainsSubstring("number of a shape = 1"));
  CHECK(scene.shapes()[0].positions.size() == 3);
}

}  // namespace viewer_test
