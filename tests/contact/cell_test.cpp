#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/cell_rates.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace cell_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Index = Eigen::Index;
using Chain = rod::Chain<double>;
using Line = contact::detail::Centreline<double>;
using Contact = contact::detail::CellContact<double>;
using contact::detail::whole_rod;

/// A rod with a curve s → r, its nodes in random smooth motion.
template <class Curve>
Chain along(const Line& line, const Curve& curve, double speed = 0, double spin = 0, unsigned seed = 1) {
  test::Random random(test::seed() + seed);
  const test::Wave<double> velocity(random), spins(random), frames(random);
  Chain chain(line.nodes());
  for (Index k = 0; k < line.nodes(); ++k) {
    const double s = line.spacing() * static_cast<double>(k);
    chain.set_frame(k, SO3<double>::exp(frames(s)), curve(s));
    chain.set_velocity(k, speed * velocity(3 * s), spin * spins(3 * s));
  }
  return chain;
}
Chain straight(const Line& line, const V& middle, const V& direction, double speed = 0, double spin = 0,
               unsigned seed = 1) {
  return along(
      line, [&](double s) { return V(middle + (s - line.length() / 2) * direction); }, speed, spin, seed);
}
/// Where it is after a time in which nodes keep their velocities.
Chain moved(const Chain& chain, double t) {
  Chain to = chain;
  for (Index k = 0; k < chain.nodes; ++k) {
    const auto turn = SO3<double>::exp(t * chain.angular_velocity(k));
    to.set_frame(k, chain.rotation(k) * turn, chain.position(k) + t * chain.linear_velocity(k));
  }
  return to;
}

/// Two rods, or a rod and a ball, and a start.
struct Case {
  Line one, two;
  Chain chain1, chain2;
  Index cell;
  double s1, s2;

  Contact at(double t = 0, double fastest = std::numeric_limits<double>::max()) const {
    const Chain a = moved(chain1, t), b = moved(chain2, t);
    Contact c;
    c.cell = cell;
    contact::detail::find_cell_contact(one, a, two, b, s1, s2, c);
    contact::detail::find_cell_rates(one, a, two, b, c, fastest);
    return c;
  }
};

const double a1 = 0.01, a2 = 0.014;
/// Elements as long as a radius, or a third of it.
Line rod1(bool fine = false) { return Line::of_rod(0, fine ? 91 : 31, fine ? a1 / 3 : a1, a1); }
Line rod2(bool fine = false) { return Line::of_rod(1, fine ? 76 : 26, fine ? a2 / 3 : a2, a2); }

Index cell_at(const Line& line, double s) {
  return static_cast<Index>(std::floor(s / line.cell_length() + 0.5));
}

/// Rods across each other at an angle, `above` each other, at s₁ of the first.
Case crossing(double degrees, double above, double s1 = 0.1513, bool fine = false, double motion = 0) {
  const Line one = rod1(fine), two = rod2(fine);
  const double angle = degrees * M_PI / 180;
  const V middle1(one.length() / 2 - s1, 0, 0),
      middle2(0.013 * std::cos(angle), 0.013 * std::sin(angle), above);
  return {one,
          two,
          straight(one, middle1, V(1, 0, 0), motion, 3 * motion),
          straight(two, middle2, V(std::cos(angle), std::sin(angle), 0), motion, 3 * motion, 2),
          cell_at(one, s1),
          s1 + 0.002,
          two.length() / 2 - 0.01};
}

TEST_CASE("rods that cross touch where they are nearest", "[contact]") {
  for (const bool fine : {false, true})
    for (const double degrees : {90.0, 60.0, 120.0}) {
      const Case c = crossing(degrees, a1 + a2 + 0.001, 0.1513, fine);
      const Contact x = c.at();
      CAPTURE(fine, degrees, x.crown);
      CHECK(x.converged);
      CHECK(x.crown == 0);
      CHECK(!x.held[0]);
      CHECK(!x.held[1]);
      CHECK(!x.shared);
      CHECK(x.gap == Approx(0.001).epsilon(1e-12));
      CHECK(x.places[0].s == Approx(0.1513).epsilon(1e-12));
      CHECK(x.places[1].s == Approx(c.two.length() / 2 - 0.013).epsilon(1e-12));
      CHECK((x.normal + V(0, 0, 1)).norm() < 1e-13);
      CHECK((x.point - V(0, 0, (a1 + a2 + 0.001) * a1 / (a1 + a2))).norm() < 1e-13);
      CHECK((x.point - V(x.places[0].R()) - x.arms[0]).norm() < 1e-15);
      CHECK((x.point - V(x.places[1].R()) - x.arms[1]).norm() < 1e-15);
    }
}

TEST_CASE("where a crossing passes from cell to cell it is held in the one that it left", "[contact]") {
  const double border = 15.5 * a1;
  for (const bool after : {false, true}) {
    Case c = crossing(90, a1 + a2, border + (after ? 1e-4 : -1e-4));
    for (const Index cell : {15, 16}) {
      c.cell = cell;
      const Contact x = c.at();
      CAPTURE(after, cell);
      CHECK(x.held[0] == ((cell == 15) == after));
      CHECK(x.shared == x.held[0]);
      CHECK((x.held[0] ? x.places[0].s == border : std::abs(x.places[0].s - border) > 9e-5));
      CHECK((x.held[0] ? x.gap > 1e-8 : std::abs(x.gap) < 1e-15));
    }
  }
  Case c = crossing(90, a1 + a2, border);  // at it one of them at least has it
  int found = 0;
  for (const Index cell : {15, 16}) {
    c.cell = cell;
    const Contact x = c.at();
    CHECK(x.places[0].s == Approx(border).epsilon(1e-12));
    found += x.shared ? 0 : 1;
  }
  CHECK(found >= 1);
}

TEST_CASE("rods side by side touch once in each cell, near its centre", "[contact]") {
  for (const bool fine : {false, true}) {
    const Line one = rod1(fine), two = rod2(fine);
    const V along(0.6, 0, 0.8), across(0, 1, 0);
    const Chain chain1 = straight(one, V::Zero(), along),
                chain2 = straight(two, (a1 + a2) * across + 0.004 * along, along);
    for (Index k = 0; k <= one.cells(); ++k) {
      const double centre = one.cell_centre(k);
      const double beside = centre - one.length() / 2 - 0.004 + two.length() / 2;
      const Contact x = Case{one, two, chain1, chain2, k, centre + 0.2 * a1, beside}.at();
      CAPTURE(fine, k, centre, beside, x.places[0].s, x.places[1].s);
      if (beside < 0 || beside > two.length()) continue;
      CHECK(x.converged);
      CHECK(!x.shared);
      CHECK(x.crown == Approx(1e-2 / one.cell_length()).epsilon(1e-9));
      CHECK(std::abs(x.gap) < 1e-16);
      CHECK(std::abs(x.places[0].s - centre) < 1e-13);
      CHECK(std::abs(x.places[1].s - beside) < 1e-13);
      CHECK((x.normal + across).norm() < 1e-13);
    }
  }
}

TEST_CASE("an end at a side, and an end at an end, are held there and touch", "[contact]") {
  const Line one = rod1(), two = rod2();
  {  // the end of the second above the first
    const V up = V(0.3, 0.2, 0.9).normalized();
    const double s = 0.147;
    const Chain chain1 = straight(one, V(one.length() / 2 - s, 0, 0), V(1, 0, 0));
    const Chain chain2 = straight(two, V(0, 0, a1 + a2) + two.length() / 2 * up, up);
    const Contact x = Case{one, two, chain1, chain2, cell_at(one, s), s + 0.003, 0.01}.at();
    CHECK(x.converged);
    CHECK(x.held[1]);
    CHECK(!x.held[0]);
    CHECK(x.places[1].s == 0);
    CHECK(x.places[0].s == Approx(s).epsilon(1e-12));
    CHECK(std::abs(x.gap) < 1e-16);
    // and as the first
    const Contact y = Case{two, one, chain2, chain1, 0, 0.003, s + 0.004}.at();
    CHECK(y.held[0]);
    CHECK(!y.shared);
    CHECK(y.places[0].s == 0);
    CHECK(std::abs(y.gap) < 1e-16);
    CHECK((y.normal + x.normal).norm() < 1e-13);
  }
  {  // ends
    const V u = V(-1, 0.2, 0.1).normalized(), v = V(1, 0.1, -0.3).normalized(), n(1, 0, 0);
    const Chain chain1 = straight(one, one.length() / 2 * u, u),
                chain2 = straight(two, (a1 + a2 - 1e-5) * n + two.length() / 2 * v, v);
    const Contact x = Case{one, two, chain1, chain2, 0, 0.002, 0.003}.at();
    CHECK(x.converged);
    CHECK(x.held[0]);
    CHECK(x.held[1]);
    CHECK(!x.shared);
    CHECK(x.gap == Approx(-1e-5).epsilon(1e-10));
    CHECK((x.normal + n).norm() < 1e-13);
  }
}

/// Cases in motion: crossings and lines of bent rods, ends, balls.
std::vector<std::pair<std::string, Case>> moving() {
  std::vector<std::pair<std::string, Case>> cases;
  for (const bool fine : {false, true}) {
    const Line one = rod1(fine), two = rod2(fine);
    for (const double degrees : {90.0, 55.0})
      cases.push_back({"crossing", crossing(degrees, 0.03, 0.1513, fine, 0.3)});
    const double r = 0.2, out = r + a1 + a2 + 0.001;
    const auto arc = [](double radius, double s, double begin) {
      return V(radius * std::cos(s / radius - begin), radius * std::sin(s / radius - begin), 0);
    };
    const Chain inner = along(
                    one, [&](double s) { return arc(r, s, 0.15 / r); }, 0.02, 3),
                outer = along(
                    two, [&](double s) { return arc(out, s, 0.17 / out); }, 0.02, 3, 2);
    cases.push_back({"line of arcs", {one, two, inner, outer, cell_at(one, 0.12), 0.12, 0.136}});
    cases.push_back({"arcs, the other way", {two, one, outer, inner, cell_at(two, 0.15), 0.15, 0.13}});
    const V up = V(0.3, 0.2, 0.9).normalized();
    const Chain base = along(
                    one, [&](double s) { return V(s - 0.147, 0.5 * s * s, 0.3 * s * s); }, 0.3, 3),
                post = along(
                    two, [&](double s) { return V(V(0, 0.01, 0.03) + s * up + s * s * V(1, 0, 0)); }, 0.3, 3,
                    2);
    cases.push_back({"end at side", {one, two, base, post, cell_at(one, 0.149), 0.149, 0.01}});
    cases.push_back({"side at end", {two, one, post, base, 0, 0.0, 0.15}});
    const V u = V(-1, 0.2, 0.1).normalized(), v = V(1, 0.1, -0.3).normalized();
    cases.push_back({"end at end",
                     {one, two, straight(one, V(one.length() / 2 * u), u, 0.3, 3),
                      straight(two, V(V(0.03, 0, 0) + two.length() / 2 * v), v, 0.3, 3, 2), 0, 0.0, 0.0}});
    Chain node(3);
    node.set_frame(1, SO3<double>::exp(V(0.2, 1, -0.4)), V(0.01, 0.02, 0.05));
    node.set_velocity(1, V(0.2, -0.1, 0.3), V(3, -2, 1));
    const Line ball = Line::of_ball(1, 1, V(0.01, -0.02, 0.015), 0.02);
    cases.push_back({"ball", {one, ball, base, node, whole_rod, 0.15, 0.0}});
    Chain far = node;
    far.set_frame(1, SO3<double>::exp(V(0.2, 1, -0.4)), V(-0.2, 0.02, 0.02));
    cases.push_back({"ball at an end", {one, ball, base, far, whole_rod, 0.02, 0.0}});
  }
  return cases;
}

TEST_CASE("gaps change by the normal velocity, and velocities by the bias, while nodes keep theirs",
          "[contact]") {
  for (const auto& [name, c] : moving()) {
    const Contact x = c.at();
    const double d = 1e-5;
    const Contact far1 = c.at(-2 * d), near1 = c.at(-d), near2 = c.at(d), far2 = c.at(2 * d);
    const auto rate = [&](const auto& of) {
      return V((8 * (of(near2) - of(near1)) - (of(far2) - of(far1))) / (12 * d));
    };
    CAPTURE(name, x.places[0].s, x.places[1].s, x.held, x.crown, x.gap, c.cell);
    REQUIRE(x.converged);
    REQUIRE(!x.shared);
    CHECK(far1.held == far2.held);
    CHECK(x.held[0] == (name == "side at end" || name == "end at end" || name == "ball at an end"));
    CHECK(x.held[1] == (name == "end at side" || name == "end at end" || name.starts_with("ball")));
    if (name == "crossing" || name.starts_with("ball")) CHECK(x.crown == 0);
    if (name.find("arcs") != std::string::npos) CHECK(x.crown == Approx(1e-2 / c.one.cell_length()));
    const V gap = rate([](const Contact& k) { return V(k.gap, k.places[0].s, k.places[1].s); });
    CAPTURE(gap, x.rates);
    CHECK(x.normal.dot(x.velocity) == Approx(gap[0]).epsilon(1e-8).margin(1e-10));
    CHECK(std::abs(gap[1] - x.rates[0]) < 1e-6 * (std::abs(gap[1]) + 0.1));
    CHECK(std::abs(gap[2] - x.rates[1]) < 1e-6 * (std::abs(gap[2]) + 0.1));
    const V turning = rate([](const Contact& k) { return k.normal; });
    CHECK((turning - x.normal_rate).norm() < 1e-7 * turning.norm());
    const V bias = rate([](const Contact& k) { return k.velocity; });
    CAPTURE(bias, x.bias);
    CHECK((bias - x.bias).norm() < 1e-6 * bias.norm());
    CHECK(bias.norm() > 1e-3);
  }
}

TEST_CASE("places that are to go no faster go together by less, and turn and push by as much less",
          "[contact]") {
  int slower = 0;
  for (const auto& [name, c] : moving()) {
    const Contact x = c.at(), still = c.at(0, 1e-30);
    const double fastest = std::max(std::abs(x.rates[0]), std::abs(x.rates[1]));
    CAPTURE(name, fastest);
    CHECK(c.at(0, 2 * fastest + 1).bias == x.bias);
    if (fastest == 0) continue;
    ++slower;
    const double part = 0.3;
    const Contact y = c.at(0, part * fastest);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(std::abs(y.rates[i] - part * x.rates[i]) < 1e-15 * fastest);
      CHECK(std::abs(still.rates[i]) <= 1e-30);
    }
    const auto between = [&](const V& none, const V& all) { return V(none + part * (all - none)); };
    CHECK((y.bias - between(still.bias, x.bias)).norm() < 1e-13 * (x.bias.norm() + still.bias.norm()));
    CHECK((y.normal_rate - between(still.normal_rate, x.normal_rate)).norm() <
          1e-13 * (x.normal_rate.norm() + still.normal_rate.norm()));
    CHECK((y.velocity - x.velocity).norm() == 0);
  }
  CHECK(slower > 10);
}

TEST_CASE("the velocity of a contact is that of its points on rigid bodies", "[contact]") {
  const V v(0.3, -0.2, 0.5), w(2, 1, -1.5);
  for (auto [name, c] : moving()) {
    test::move_rigidly(c.chain1, v, w);
    test::move_rigidly(c.chain2, V(0, 0, 0), V(0, 0, 0));
    const Contact x = c.at();
    CAPTURE(name);
    CHECK((x.velocity - (v + w.cross(x.point))).norm() < 1e-13);
    test::move_rigidly(c.chain2, v, w);
    const Contact y = c.at();  // both as one body
    CHECK(y.velocity.norm() < 1e-14);
    // nodes go straight on where a rigid body would turn them about each other
    const V apart =
        V(y.places[1].node) - V(y.places[0].R()) + (c.two.is_ball() ? V(0, 0, 0) : V(y.places[1].from_node));
    CHECK((y.bias - w.cross(V(w.cross(apart)))).norm() < 1e-11);
    CHECK((y.normal_rate - w.cross(y.normal)).norm() < 1e-12);
  }
}

TEST_CASE("no points of a cell and of rod 2 are nearer than those of their contact", "[contact]") {
  test::Random random(test::seed());
  for (int trial = 0; trial < 60; ++trial) {
    const bool fine = trial % 2 == 0;
    const Line one = rod1(fine), two = rod2(fine);
    const V d1 = 1.5 * random.vector<double>(), d2 = 1.5 * random.vector<double>();
    const V t1 = random.vector<double>().normalized();
    const V t2 = trial % 3 == 0 ? t1 : V(random.vector<double>().normalized());
    const V off = 0.05 * random.vector<double>();
    const Chain chain1 =
                    along(one, [&](double s) { return V((s - 0.15) * t1 + (s - 0.15) * (s - 0.15) * d1); }),
                chain2 = along(
                    two, [&](double s) { return V(off + (s - 0.17) * t2 + (s - 0.17) * (s - 0.17) * d2); });
    const Index cell = cell_at(one, 0.15 + 0.02 * random());
    Case c{one, two, chain1, chain2, cell, one.cell_centre(cell), 0.17};
    const Contact x = c.at();
    contact::detail::CentrelinePoint<double> p, q;
    const double from = one.cell_begin(cell), to = one.cell_begin(cell + 1);
    double least = std::numeric_limits<double>::max();
    constexpr int parts = 30, long_parts = 1500;
    std::vector<V> curve2;
    for (int j = 0; j <= long_parts; ++j) {
      two.put(chain2, two.length() * j / long_parts, q);
      curve2.push_back(q.R());
    }
    for (int i = 0; i <= parts; ++i) {
      one.put(chain1, from + (to - from) * i / parts, p);
      for (const V& r : curve2)
        least = std::min(least, (r - V(p.R())).norm() + x.crown / 2 * std::pow(p.s - x.centre, 2));
    }
    CAPTURE(trial, x.gap, x.held, x.crown, x.places[0].s, x.places[1].s);
    CHECK(x.converged);
    CHECK(x.gap + a1 + a2 <= least + 1e-14);
    CHECK(x.gap + a1 + a2 > least - 3e-5);
  }
}

TEST_CASE("contacts are the same wherever they are in space, and from every start", "[contact]") {
  test::Random random(test::seed());
  const V shift(700, -400, 600);
  const auto turn = test::rotation_matrix<double>(V(1, -2, 0.7));
  for (auto [name, c] : moving()) {
    const Contact x = c.at();
    CAPTURE(name);
    Case d = c;
    for (int i = 0; i < 5; ++i) {
      d.s1 = c.s1 + 0.004 * random(), d.s2 = c.s2 + 0.004 * random();
      const Contact y = d.at();
      CHECK(std::abs(y.gap - x.gap) < 1e-16);
      CHECK(std::abs(y.places[0].s - x.places[0].s) < 1e-12);
      CHECK(std::abs(y.places[1].s - x.places[1].s) < 1e-12);
    }
    test::transform(d.chain1, turn, shift);
    test::transform(d.chain2, turn, shift);
    const Contact y = d.at();
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * y.sizes;
    CHECK(std::abs(y.gap - x.gap) < rounding);
    CHECK((y.normal - turn * x.normal).norm() < 200 * rounding);
    CHECK((y.velocity - turn * x.velocity).norm() < 1e-9);
    CHECK((y.bias - turn * x.bias).norm() < 1e-5 * x.bias.norm());
  }
}

/// A rod whose middle is bent about the origin to an arc of 1.2 each way, of this radius, and straight beyond.
Chain arc(const Line& line, double radius) {
  return along(line, [&](double s) {
    const double way = (s - line.length() / 2) / radius, angle = std::clamp(way, -1.2, 1.2),
                 rest = way - angle;
    return V(radius * (std::cos(angle) - rest * std::sin(angle)),
             radius * (std::sin(angle) + rest * std::cos(angle)), 0);
  });
}

TEST_CASE("a rod that winds about a place of another touches where it is nearest there, however flat",
          "[contact]") {
  const Line one = rod1(true), two = rod2(true);
  for (const double tilt : {0.0, 0.3, 0.7})
    for (const double off : {0.2, 1e-2, 1e-4, 1e-8, -1e-8, -1e-4, -1e-2, -0.2})
      for (const double start : {-3e-3, 1e-5, 2e-3}) {
        CAPTURE(tilt, off, start);
        const double both = a1 + a2;
        const Chain wound = arc(two, both),
                    through = straight(one, V(off * both, 4e-4, 3e-4), V(0, std::sin(tilt), std::cos(tilt)));
        const Case c{one, two, through, wound, cell_at(one, 0.15), 0.1503, two.length() / 2 + start};
        const Contact x = c.at();
        CHECK(x.converged);
        CHECK(x.curvature() > 0);
        contact::detail::CentrelinePoint<double> q;
        for (int i = -200; i <= 200; ++i) {
          two.put(wound, x.places[1].s + 1e-3 * a2 * i, q);
          const double there = (V(q.R()) - V(x.places[0].R())).norm();
          CHECK(x.distance < there + 1e-14);
        }
      }
}

TEST_CASE("the crown fades where a rod winds about the cell, before its foot jumps", "[contact]") {
  const Line one = rod1(true), two = rod2(true);
  double before = -1;
  int faded = 0;
  for (int i = 0; i <= 4000; ++i) {  // bent by ever less than about the cell
    const double flat = 0.4 * i / 4000, both = a1 + a2;
    const Chain wound = arc(two, both / (1 - flat)),
                beside = straight(one, V(both / (1 - flat) - both, 0, 0), V(-0.1, 0.96, 0.25).normalized());
    const Contact x = Case{one, two, beside, wound, cell_at(one, 0.15) + 1, 0.15, two.length() / 2}.at();
    const double part = x.crown * one.cell_length() / 1e-2;
    if (before >= 0) CHECK(std::abs(part - before) < 0.05);
    before = part;
    faded += part > 0.01 && part < 0.99;
  }
  CHECK(before > 0.99);
  CHECK(faded > 20);
}

TEST_CASE("the crown fades twice continuously where rods begin to cross", "[contact]") {
  std::vector<double> crowns;
  for (int i = 0; i <= 400; ++i) {
    const Contact x = crossing(0.1 * i, a1 + a2, 0.15).at();
    crowns.push_back(x.crown * a1 / 1e-2);
  }
  CHECK(crowns.front() == Approx(1).epsilon(1e-9));
  CHECK(crowns.back() == 0);
  double bend = 0;
  for (std::size_t i = 1; i + 1 < crowns.size(); ++i) {
    CHECK(crowns[i] <= crowns[i - 1] + 1e-12);
    bend = std::max(bend, std::abs(crowns[i + 1] - 2 * crowns[i] + crowns[i - 1]));
  }
  CHECK(bend < 2e-3);
}

}  // namespace cell_test
