#include <dalembert/contact/detail/cell_search.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace cell_search_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Index = Eigen::Index;
using Chain = rod::Chain<double>;
using Chains = std::vector<Chain>;
using Line = contact::detail::Centreline<double>;
using Contact = contact::detail::CellContact<double>;
using Search = contact::detail::CellSearch<double>;
using Catch::Matchers::ContainsSubstring;
using contact::detail::whole_rod;

constexpr double a = 0.01;

Line line(std::size_t body, Index elements, double spacing = a, double radius = a) {
  return Line::of_rod(body, elements + 1, spacing, radius);
}
template <class Curve>
Chain along(const Line& line, const Curve& curve) {
  Chain chain(line.nodes());
  for (Index k = 0; k < line.nodes(); ++k)
    chain.set_frame(k, SO3<double>::identity(), curve(line.spacing() * static_cast<double>(k)));
  return chain;
}
Chain straight(const Line& line, const V& middle, const V& direction) {
  return along(line, [&](double s) { return V(middle + (s - line.length() / 2) * direction); });
}
std::vector<Contact> find(Search& search, const Chains& chains, double dt = 0) {
  std::vector<Contact> found;
  search.each(chains, 0, dt, [&](const Contact& c) { found.push_back(c); });
  return found;
}
std::vector<Contact> find(const std::vector<Line>& lines, const Chains& chains, double dt = 0) {
  Search search(lines);
  return find(search, chains, dt);
}

TEST_CASE("rods that cross at any angle touch once where they are nearest", "[contact]") {
  for (const double degrees : {90.0, 60.0, 45.0, 135.0})
    for (const double s1 : {0.0213, 0.15, 0.155, 0.2786})
      for (const double gap : {-1e-4, 0.0, 4e-4}) {
        const double angle = degrees * M_PI / 180;
        const std::vector<Line> lines{line(0, 30), line(1, 40)};
        const V t(std::cos(angle), std::sin(angle), 0);
        const Chains chains{straight(lines[0], V(0.15 - s1, 0, 0), V(1, 0, 0)),
                            straight(lines[1], V(0.0137 * t + (2 * a + gap) * V(0, 0, 1)), t)};
        const auto found = find(lines, chains);
        CAPTURE(degrees, s1, gap);
        REQUIRE(found.size() == 1);
        CHECK(found[0].gap == Approx(gap).margin(1e-16));
        CHECK(found[0].places[0].s == Approx(s1).epsilon(1e-12));
        CHECK(found[0].places[1].s == Approx(0.2 - 0.0137).epsilon(1e-12));
      }
}

TEST_CASE("where rods cross at small angles a few cells touch, and the least gap is theirs", "[contact]") {
  for (const double degrees : {30.0, 20.0, 10.0, 5.0, 1.0}) {
    const double angle = degrees * M_PI / 180;
    const std::vector<Line> lines{line(0, 60), line(1, 60)};
    const V t(std::cos(angle), std::sin(angle), 0);
    for (int i = 0; i < 10; ++i) {
      const double s = 0.3 + 0.1 * a * i;
      const Chains chains{straight(lines[0], V(0.3 - s, 0, 0), V(1, 0, 0)),
                          straight(lines[1], V(0, 0, 2 * a), t)};
      const auto found = find(lines, chains);
      CAPTURE(degrees, i, found.size());
      REQUIRE(!found.empty());
      double least = 1, tilt = 0;
      for (const Contact& c : found) {
        if (c.gap < least) least = c.gap, tilt = (c.normal - V(0, 0, -1)).norm();
        // between straight rods the crown and the distance have one minimum each, so the gap is more
        CHECK(c.gap > -1e-16);
      }
      // crown/2 (ℓ_c/2)² at most
      CHECK(least < 1e-2 / a / 8 * a * a);
      CHECK(tilt < 5e-3 / std::sin(std::max(angle, 0.1)));
      INFO("tilt " << tilt << " least gap " << least);
      for (std::size_t k = 1; k < found.size(); ++k) CHECK(found[k].cell == found[k - 1].cell + 1);
      if (degrees < 10) CHECK(found.size() >= 3);
    }
  }
}

TEST_CASE("rods side by side touch once in each cell", "[contact]") {
  for (const double spacing : {a, a / 3, 2.5 * a}) {
    const auto elements = static_cast<Index>(0.5 / spacing + 0.5);
    const std::vector<Line> lines{line(0, elements, spacing), line(1, elements, spacing)};
    const Chains chains{straight(lines[0], V::Zero(), V(1, 0, 0)),
                        straight(lines[1], V(0, 2 * a, 0), V(1, 0, 0))};
    const auto found = find(lines, chains);
    REQUIRE(found.size() == static_cast<std::size_t>(lines[0].cells() + 1));
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].cell == static_cast<Index>(k));
      CHECK(std::abs(found[k].gap) < 1e-16);
      CHECK(std::abs(found[k].places[0].s - lines[0].cell_centre(found[k].cell)) < 1e-12);
    }
  }
}

TEST_CASE("cells lie on the finer rod, or on the first", "[contact]") {
  const V up(0, 0, 2 * a);
  const auto bodies = [&](double spacing1, double spacing2) {
    const std::vector<Line> lines{line(0, 40, spacing1), line(1, 40, spacing2)};
    const auto found =
        find(lines, {straight(lines[0], V::Zero(), V(1, 0, 0)), straight(lines[1], up, V(0, 1, 0))});
    REQUIRE(found.size() == 1);
    return std::array{found[0].first, found[0].second};
  };
  CHECK(bodies(a, a) == std::array<std::size_t, 2>{0, 1});
  CHECK(bodies(a, 1.5 * a) == std::array<std::size_t, 2>{0, 1});
  CHECK(bodies(1.5 * a, a) == std::array<std::size_t, 2>{1, 0});
  CHECK(bodies(a / 4, a / 5) == std::array<std::size_t, 2>{0, 1});  // both in cells of a/2
}

TEST_CASE("ends touch sides and ends", "[contact]") {
  const std::vector<Line> lines{line(0, 30), line(1, 30)};
  const V up = V(0.2, 0.1, 1).normalized();
  const auto side = find(lines, {straight(lines[0], V(0.003, 0, 0), V(1, 0, 0)),
                                 straight(lines[1], V(V(0, 0, 2 * a + 1e-4) + 0.15 * up), up)});
  REQUIRE(side.size() == 1);
  CHECK(side[0].gap == Approx(1e-4).epsilon(1e-10));
  CHECK(side[0].held == std::array{false, true});
  const auto end = find(lines, {straight(lines[0], V(0.15, 0, 0), V(1, 0, 0)),
                                straight(lines[1], V(V(-2 * a - 1e-4, 0, 0) - 0.15 * up), up)});
  REQUIRE(end.size() == 1);
  CHECK(end[0].gap == Approx(1e-4).epsilon(1e-10));
  CHECK(end[0].held == std::array{true, true});
  CHECK(end[0].places[0].s == 0);
  CHECK(end[0].places[1].s == Approx(lines[1].length()).epsilon(1e-15));
}

TEST_CASE("balls touch rods once for each place at which they are nearest", "[contact]") {
  const std::vector<Line> lines{line(0, 30), Line::of_ball(1, 0, V(0.01, 0, 0), 0.05),
                                Line::of_ball(0, 20, V::Zero(), 0.05), Line::of_ball(2, 0, V::Zero(), a)};
  Chain ball(1), far(1);
  ball.set_frame(0, SO3<double>::exp(V(0, 0, M_PI / 2)), V(0, 0, 0));  // its centre at y = 0.01
  far.set_frame(0, SO3<double>::identity(), V(0, 0.01, 0.05 + a));
  const double r = 0.06 + 1e-4;
  const Chain bow = along(lines[0], [&](double s) {  // two places near the ball, the rest farther
    const double t = (s - 0.15) / 0.06, out = r + 0.02 * std::pow(t * t - 0.25, 2);
    return V(out * std::cos(t), 0.01 + out * std::sin(t), 0);
  });
  Search search(lines);
  const auto found = find(search, {bow, ball, far});
  REQUIRE(found.size() == 2);  // neither with the ball of its own body, nor balls with each other
  for (const Contact& c : found) {
    CHECK(search.line(c.first).body == 0);
    CHECK(!search.line(c.first).is_ball());
    CHECK(search.line(c.second).body == 1);
    CHECK(c.cell == whole_rod);
    CHECK(c.gap == Approx(1e-4).epsilon(0.1));
    const V centre(0, 0.01, 0);
    CHECK((V(c.places[0].R()) - centre).normalized().dot(c.normal) == Approx(1).epsilon(1e-14));
    CHECK((c.arms[1] - (c.point - ball.position(0))).norm() < 1e-15);
  }
  CHECK(found[0].places[0].s == Approx(0.12).epsilon(0.01));
  CHECK(found[1].places[0].s == Approx(0.18).epsilon(0.01));
}

/// A rod in turns of a helix that touch each other.
Chain coil(const Line& line, double radius, double pitch) {
  const double per = std::sqrt(radius * radius + pitch * pitch / (4 * M_PI * M_PI));
  return along(line, [&](double s) {
    return V(radius * std::cos(s / per), radius * std::sin(s / per), pitch * s / (2 * M_PI * per));
  });
}

TEST_CASE("turns of a rod touch each other, and no place touches what is beside it", "[contact]") {
  const Line rod = line(0, 120);
  const double radius = 0.045, pitch = 2 * a + 1e-4;
  const auto found = find({rod}, {coil(rod, radius, pitch)});
  const double turn = 2 * M_PI * std::sqrt(radius * radius + pitch * pitch / (4 * M_PI * M_PI));
  const auto cells = static_cast<std::size_t>((rod.length() - turn) / rod.cell_length());
  CHECK(found.size() >= cells);
  CHECK(found.size() <= cells + 2);
  const double climb = std::atan2(pitch, 2 * M_PI * radius);
  for (const Contact& c : found) {
    CAPTURE(c.cell, c.places[0].s);
    CHECK(c.places[1].s > c.places[0].s);
    if (c.cell < 3 || c.places[1].s > rod.length() - 3 * a) continue;
    // turns of small climb are a pitch apart but for its cosine
    CHECK(c.gap == Approx(pitch * std::cos(climb) - 2 * a).margin(2e-6));
    CHECK(c.places[1].s - c.places[0].s == Approx(turn - pitch * std::sin(climb)).margin(1e-3));
  }
  CHECK(find({rod}, {straight(rod, V::Zero(), V(1, 0, 0))}).empty());
  CHECK(find({rod}, {straight(rod, V::Zero(), V(0.7, 0, 0))}).empty());
  // an arc of more than half a turn about twice its own radius is nowhere near itself
  const Line shorter = line(0, 10);
  CHECK(find({shorter}, {coil(shorter, 2.2 * a, 0.1 * a)}).empty());
}

TEST_CASE("the legs of a hairpin touch each other up to its bend", "[contact]") {
  for (const double spacing : {a / 2, a / 4}) {
    const double r = 1.01 * a, bend = M_PI * r, leg = 0.1;
    const auto elements = static_cast<Index>((2 * leg + bend) / spacing);
    const Line rod = line(0, elements, spacing);
    const double begin = (rod.length() - bend) / 2;
    const Chain chain = along(rod, [&](double s) {
      const double t = std::clamp((s - begin) / r, 0.0, M_PI);
      const V out(s < begin ? s - begin : s > begin + bend ? begin + bend - s : 0.0, 0, 0);
      return V(out + r * V(std::sin(t), -std::cos(t), 0));
    });
    const auto found = find({rod}, {chain});
    CAPTURE(spacing, found.size());
    REQUIRE(!found.empty());
    const auto legs = static_cast<std::size_t>(begin / rod.cell_length());
    CHECK(found.size() >= legs - 1);
    CHECK(found.size() <= legs + 2);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].cell == static_cast<Index>(k));
      CHECK(found[k].places[0].s + found[k].places[1].s == Approx(rod.length()).epsilon(0.005));
      if (found[k].places[0].s < begin - a) CHECK(found[k].gap == Approx(0.02 * a).epsilon(0.02));
    }
  }
}

TEST_CASE("a ring whose ends meet touches itself there", "[contact]") {
  const Line rod = line(0, 50);
  const double part = rod.length() + 2 * a + 1e-4, radius = part / (2 * M_PI);
  const auto found = find({rod}, {along(rod, [&](double s) {
                            return V(radius * std::cos(s / radius), radius * std::sin(s / radius), 0);
                          })});
  REQUIRE(found.size() == 1);
  CHECK(found[0].places[0].s == 0);
  CHECK(found[0].places[1].s == rod.length());
  CHECK(found[0].gap == Approx(2 * radius * std::sin((2 * a + 1e-4) / (2 * radius)) - 2 * a).margin(1e-12));
}

TEST_CASE("a rod bent to its own radius folds", "[contact]") {
  const Line rod = line(3, 12, a / 2);
  Search search({rod});
  Chains chains(4);
  const auto arc = [&](double radius) {
    return along(rod, [=](double s) {
      return V(radius * std::sin(s / radius), radius * std::cos(s / radius), 0.1 * s);
    });
  };
  chains[3] = arc(1.1 * a);
  CHECK_NOTHROW(find(search, chains));
  chains[3] = arc(0.97 * a);
  CHECK_THROWS_AS(find(search, chains), RodFolded);
  CHECK_THROWS_WITH(find(search, chains), ContainsSubstring("RodFolded: body 3 is bent to a radius of 0.00"));
  chains[3].configuration(4, 1) = NAN;
  CHECK_THROWS_AS(find(search, chains), NotFinite);
  chains[3] = Chain(3);
  CHECK_THROWS_WITH(find(search, chains), ContainsSubstring("CellSearch: nodes of body 3 = 3"));
}

TEST_CASE("rods that go through half of each other in a step are refused", "[contact]") {
  const std::vector<Line> lines{line(0, 30), line(1, 30)};
  Chains chains{straight(lines[0], V::Zero(), V(1, 0, 0)), straight(lines[1], V(0, 0, 3 * a), V(0, 1, 0))};
  for (Index k = 0; k < 31; ++k) chains[1].set_velocity(k, V(0, 0, -2), V::Zero());
  CHECK(find(lines, chains, 0).empty());
  CHECK(find(lines, chains, 0.2 * a).empty());
  const auto found = find(lines, chains, 0.26 * a);  // 2 dt v > a
  REQUIRE(found.size() == 1);
  CHECK(found[0].speed == Approx(2).epsilon(1e-14));
  CHECK_THROWS_AS(find(lines, chains, 0.51 * a), ContactTooFast);
  CHECK_THROWS_WITH(find(lines, chains, 0.51 * a),
                    ContainsSubstring("body 0 at s = 0.15 m and body 1 at s = 0.15"));
}

TEST_CASE("pairs of bodies may be left out, and rods are named once", "[contact]") {
  const std::vector<Line> lines{line(0, 30), line(1, 30), line(2, 30)};
  const Chains chains{straight(lines[0], V::Zero(), V(1, 0, 0)),
                      straight(lines[1], V(0, 0, 2 * a), V(0, 1, 0)),
                      straight(lines[2], V(0, 0, 4 * a), V(1, 0, 0))};
  CHECK(find(lines, chains).size() == 2);
  Search search(lines, {{2, 1}});
  const auto found = find(search, chains);
  REQUIRE(found.size() == 1);
  CHECK(found[0].second == 1);
  CHECK_THROWS_AS(Search({line(1, 10), line(1, 10)}), std::invalid_argument);
}

/// Strands wound about each other, nearly touching, and some across, with wiggles.
Chains braid(const std::vector<Line>& lines, double wiggle, unsigned seed) {
  test::Random random(test::seed() + seed);
  Chains chains;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const test::Wave<double> wave(random);
    const double phase = 2 * M_PI * static_cast<double>(i) / static_cast<double>(lines.size());
    chains.push_back(along(lines[i], [&](double s) {
      const double t = 9 * s + phase, r = 1.16 * a;
      return V(V(r * std::cos(t), r * std::sin(t), 0.99 * s) + wiggle * a * wave(6 * s));
    }));
  }
  return chains;
}

/// The contacts that are found are those from all starts, and the nearest of all samples is among them.
void check_against_all(const std::vector<Line>& lines, const Chains& chains) {
  const auto found = find(lines, chains);
  const double reach = 0.05 * a;
  std::size_t all = 0;
  for (std::size_t lower = 0; lower < lines.size(); ++lower)
    for (std::size_t higher = lower + 1; higher < lines.size(); ++higher) {
      // cells lie on the lower one, but for rods that are wound about it
      const bool wound = std::any_of(found.begin(), found.end(), [&](const Contact& f) {
        return f.first == higher && f.second == lower;
      });
      const std::size_t i = wound ? higher : lower, j = wound ? lower : higher;
      for (Index k = 0; k <= lines[i].cells(); ++k)
        for (double s2 = lines[j].spacing() / 2; s2 < lines[j].length(); s2 += lines[j].spacing()) {
          Contact c;
          c.cell = k;
          contact::detail::CentrelinePoint<double> p, q;
          lines[i].put(chains[i], lines[i].cell_centre(k), p);
          lines[j].put(chains[j], s2, q);
          if (norm(apart(p, q)) > 4 * a) continue;
          contact::detail::find_cell_contact(lines[i], chains[i], lines[j], chains[j], p.s, s2, c);
          if (c.shared || c.gap > reach || !c.converged) continue;
          if (std::abs(c.places[1].s - s2) > 3 * a) continue;  // another stretch
          ++all;
          const bool there = std::any_of(found.begin(), found.end(), [&](const Contact& f) {
            if (f.first != i || f.second != j) return false;
            const double d1 = std::abs(f.places[0].s - c.places[0].s),
                         d2 = std::abs(f.places[1].s - c.places[1].s);
            const double near = 0.1 * lines[i].cell_length();
            if (std::abs(f.cell - k) == 1) return d1 < near && f.gap <= c.gap;  // a twin
            if (f.cell != k) return false;
            // around a thin core a start may find another foot, and with it another crown
            return f.crown == c.crown ? d1 < 1e-7 && d2 < 1e-7
                                      : d1 < near && d2 < near && f.gap < c.gap + 1e-3 * a;
          });
          CAPTURE(i, j, k, s2, c.gap, c.places[0].s, c.places[1].s, c.held);
          CHECK(there);
        }
      double least = 1, known = 1;
      std::vector<V> curve1, curve2;
      for (int n = 0; n <= 1500; ++n) {
        contact::detail::CentrelinePoint<double> p;
        lines[i].put(chains[i], lines[i].length() * n / 1500, p);
        curve1.push_back(p.R());
        lines[j].put(chains[j], lines[j].length() * n / 1500, p);
        curve2.push_back(p.R());
      }
      for (const V& r : curve1)
        for (const V& q : curve2) least = std::min(least, (r - q).squaredNorm());
      for (const Contact& c : found)
        if (c.first == i && c.second == j) known = std::min(known, c.gap);
      least = std::sqrt(least) - 2 * a;
      if (least < reach) CHECK(known < least + 2e-5);
      if (known < 1) CHECK(least < known + 2e-5);
    }
  CHECK(all >= found.size());
  CHECK(found.size() >= 5);
}

TEST_CASE("nothing that touches is missed, against all starts and samples: braids", "[contact]") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const double spacing = seed % 3 == 0 ? a / 2.5 : seed % 3 == 1 ? a : 1.7 * a;
    const auto elements = static_cast<Index>(0.6 / spacing);
    const std::vector<Line> lines{line(0, elements, spacing), line(1, elements, spacing),
                                  line(2, elements, spacing)};
    CAPTURE(seed);
    check_against_all(lines, braid(lines, 0.25, seed));
  }
}

TEST_CASE("nothing that touches is missed, against all starts and samples: a rod wound around others",
          "[contact]") {
  for (const double spacing : {a / 2.5, a, 1.4 * a})
    for (const double pitch : {2.3 * a, 4 * a, 9 * a}) {
      const double r = 2.03 * a, per = std::sqrt(r * r + std::pow(pitch / (2 * M_PI), 2));
      const auto elements = static_cast<Index>(0.5 / spacing);
      const std::vector<Line> lines{line(0, elements, spacing), line(1, elements, spacing)};
      const Chain wound = along(lines[0], [&](double s) {
        return V(r * std::cos(s / per), r * std::sin(s / per), pitch * s / (2 * M_PI * per));
      });
      const Chain core = along(lines[1], [&](double s) { return V(1e-4 * std::sin(40 * s), 0, s - 0.1); });
      CAPTURE(spacing, pitch);
      check_against_all(lines, {wound, core});
      check_against_all(lines, {core, wound});
    }
}

TEST_CASE("two helices about each other have the same gap in all cells, and wherever their nodes are",
          "[contact]") {
  // x = (R cos ws, R sin ws, ps), and half a turn on; the nearest place of the second to s = 0 of the first
  for (const double rise : {1.0, 2.0}) {
    const double R = 1.01 * a, w = 20 / std::sqrt(1 + rise), p = std::sqrt(1 - R * R * w * w);
    const auto helix = [&](double s, double phase) {
      return V(R * std::cos(w * s + phase), R * std::sin(w * s + phase), p * s);
    };
    double s = 0;  // d/ds |x₂(s) − x₁(0)|² = 0
    for (int i = 0; i < 100; ++i) {
      const double slope = R * R * w * std::sin(w * s + M_PI) + p * p * s;
      s -= slope / (R * R * w * w * std::cos(w * s + M_PI) + p * p);
    }
    const double distance = (helix(s, M_PI) - helix(0, 0)).norm();
    const std::vector<Line> lines{line(0, 80), line(1, 80)};
    double least = 1, most = -1, tilt = 0;
    for (int i = 0; i < 10; ++i) {
      const double shift = 0.1 * a * i;
      const auto found = find(lines, {along(lines[0], [&](double x) { return helix(x, 0); }),
                                      along(lines[1], [&](double x) { return helix(x + shift, M_PI); })});
      REQUIRE(found.size() > 60);
      double first = 0;
      for (const Contact& c : found) {
        if (c.cell < 10 || c.cell > 70) continue;
        if (c.cell == 10) first = c.gap;
        CHECK(std::abs(c.gap - first) < 1e-15);
        least = std::min(least, c.gap), most = std::max(most, c.gap);
        const double at = a * static_cast<double>(c.cell);
        const V n = (helix(at, 0) - helix(at + s, M_PI)).normalized();
        tilt = std::max(tilt, (c.normal - n).norm());
      }
    }
    CAPTURE(distance, least, most, tilt);
    CHECK(std::abs(least - (distance - 2 * a)) < 5e-5 * a);
    CHECK(most - least < 1e-6 * a);
    CHECK(tilt < 1e-5);
  }
}

TEST_CASE("two rods are the same to each other, whichever is the first", "[contact]") {
  test::Random random(test::seed());
  int touching = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Line> lines{line(0, 40), line(1, 40)};
    const V d1 = random.vector<double>(), d2 = random.vector<double>(), off = 0.01 * random.vector<double>();
    const Chain one =
        along(lines[0], [&](double s) { return V(V(s - 0.2, 0, 0) + (s - 0.2) * (s - 0.2) * d1); });
    const Chain two = along(lines[1], [&](double s) {
      return V(V(0, 0.9 * (s - 0.2), 2 * a) + (s - 0.2) * (s - 0.2) * d2 + off);
    });
    const auto found = find(lines, {one, two}), turned = find(lines, {two, one});
    REQUIRE(found.size() == turned.size());
    if (found.size() != 1) continue;
    ++touching;
    CHECK(std::abs(found[0].gap - turned[0].gap) < 1e-16);
    CHECK((found[0].normal + turned[0].normal).norm() < 1e-12);
    CHECK((found[0].point - turned[0].point).norm() < 1e-13);
    CHECK(std::abs(found[0].places[0].s - turned[0].places[1].s) < 1e-12);
    CHECK(std::abs(found[0].places[1].s - turned[0].places[0].s) < 1e-12);
  }
  CHECK(touching > 5);
}

TEST_CASE("contacts do not depend on where bodies are, nor on what was before", "[contact]") {
  const std::vector<Line> lines{line(0, 60), line(1, 60), line(2, 60)};
  Search search(lines), used(lines);
  const auto turn = test::rotation_matrix<double>(V(1, -2, 0.7));
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Chains chains = braid(lines, 0.3, seed);
    const auto found = find(search, chains);
    // after others the same bits
    find(used, braid(lines, 0.4, seed + 10));
    const auto again = find(used, chains);
    REQUIRE(again.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(again[i].gap == found[i].gap);
      CHECK(again[i].places[0].s == found[i].places[0].s);
      CHECK(again[i].places[1].s == found[i].places[1].s);
    }
    Chains moved = chains;
    for (Chain& chain : moved) test::transform(chain, turn, V(600, -700, 400));
    const auto there = find(search, moved);
    REQUIRE(there.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(there[i].cell == found[i].cell);
      CHECK(std::abs(there[i].gap - found[i].gap) <
            16 * std::numeric_limits<double>::epsilon() * there[i].sizes);
      CHECK((there[i].normal - turn * found[i].normal).norm() < 1e-8);
    }
    // moved a little: pairs of blocks are kept
    Chains near = chains;
    for (Chain& chain : near) test::transform(chain, turn, V(0, 0, 0));
    for (Chain& chain : near)
      test::transform(chain, Mat<double, 3>(turn.transpose()), V(0.1 * a, 0, 0.05 * a));
    const auto beside = find(used, near);
    CHECK(beside.size() == find(search, near).size());
  }
}

TEST_CASE("the least gap of a rod that slides over cells of another is smooth", "[contact]") {
  for (const double degrees : {90.0, 40.0, 12.0}) {
    const double angle = degrees * M_PI / 180;
    const std::vector<Line> lines{line(0, 60), line(1, 60)};
    const V t(std::cos(angle), std::sin(angle), 0);
    Search search(lines);
    std::vector<double> gaps, s1;
    constexpr int steps = 300;
    for (int i = 0; i <= steps; ++i) {  // over three cells
      const double x = 3 * a * i / steps;
      const Chain bent =
          along(lines[0], [&](double s) { return V(s - 0.3, 0, -0.5 * std::pow(s - 0.3, 2)); });
      const auto found = find(search, {bent, straight(lines[1], V(x, 0.003, 2 * a), t)});
      REQUIRE(!found.empty());
      const auto least = std::min_element(found.begin(), found.end(),
                                          [](const Contact& p, const Contact& q) { return p.gap < q.gap; });
      gaps.push_back(least->gap);
      s1.push_back(least->places[0].s);
    }
    CAPTURE(degrees);
    double jump = 0, kink = 0, slope = 0;
    for (int i = 1; i < steps; ++i) {
      const auto k = static_cast<std::size_t>(i);
      slope = std::max(slope, std::abs(gaps[k] - gaps[k - 1]));
      kink = std::max(kink, std::abs(gaps[k + 1] - 2 * gaps[k] + gaps[k - 1]));
      jump = std::max(jump, std::abs(s1[k] - s1[k - 1]));
    }
    CAPTURE(slope, kink, jump);
    const double d = 3 * a / steps;
    CHECK(slope < 0.1 * d);
    CHECK(kink < 3 * d * d / a * (degrees < 20 ? 1 : 0.05));
    CHECK(jump < (degrees < 20 ? 1.0 * a : 3 * d));
  }
}

TEST_CASE("rods that come from afar are found when they are there", "[contact]") {
  const std::vector<Line> lines{line(0, 40), line(1, 40), Line::of_ball(2, 0, V::Zero(), a)};
  Search search(lines);
  const Chain first = straight(lines[0], V::Zero(), V(1, 0, 0));
  int there = 0;
  for (int i = 0; i < 120; ++i) {
    const double height = (10 - 0.1 * i + 0.02) * a;
    if (height < a) break;
    Chain ball(1);
    ball.set_frame(0, SO3<double>::identity(), V(0.05, -height, 0));
    const auto found = find(search, {first, straight(lines[1], V(0, 0, height), V(0, 1, 0)), ball});
    CAPTURE(height);
    CHECK(found.size() == (height - 2 * a < 0.05 * a ? 2 : 0));
    there += found.empty() ? 0 : 1;
  }
  CHECK(there > 5);
}

TEST_CASE("bends towards each other are found though their chords are farther apart", "[contact]") {
  const double spacing = 1.5 * a, r = 3 * a;
  const std::vector<Line> lines{line(0, 11, spacing), line(1, 11, spacing)};
  for (int i = 0; i < 10; ++i) {
    const double shift = 0.1 * spacing * i, gap = 0.03 * a;
    const auto arc = [&](double s, double side) {
      const double t = (s - lines[0].length() / 2 - shift) / r;
      return V(r * std::sin(t), 0, side * (a + gap / 2 + r - r * std::cos(t)));
    };
    const auto turned = [&](double s) {
      const V x = arc(s, 1);
      return V(0, x[0], x[2]);
    };
    const Chain below = along(lines[0], [&](double s) { return arc(s, -1); });
    CAPTURE(i);
    const auto found = find(lines, {below, along(lines[1], turned)});
    REQUIRE(!found.empty());
    CHECK(found.front().gap == Approx(gap).margin(0.1 * a));
  }
}

TEST_CASE("a search that has seen as many contacts does not allocate", "[contact]") {
  const std::vector<Line> lines{line(0, 60), line(1, 60), line(2, 60), Line::of_ball(3, 0, V::Zero(), 0.02)};
  Chains chains = braid({lines[0], lines[1], lines[2]}, 0.2, 5),
         others = braid({lines[0], lines[1], lines[2]}, 0.2, 6);
  Chain ball(1);
  ball.set_frame(0, SO3<double>::identity(), V(0.03, 0, 0.3));
  chains.push_back(ball);
  others.push_back(ball);
  Search search(lines);
  long count = 0;
  const auto run = [&](const Chains& x) { search.each(x, 0, 1e-5, [&](const Contact&) { ++count; }); };
  run(chains);
  run(others);
  CHECK(count > 10);
  CHECK(test::allocations_during([&] {
          run(chains);
          run(others);
        }) == 0);
}

TEST_CASE("a contact is looked at again from where it was", "[contact]") {
  const std::vector<Line> lines{line(0, 60), line(1, 60), line(2, 60)};
  const Chains chains = braid(lines, 0.3, 2);
  Search search(lines);
  for (const Contact& c : find(search, chains)) {
    Contact again = c;
    search.look(again, chains);
    search.find_rates(again, chains, 0);
    CHECK(std::abs(again.gap - c.gap) < 1e-16);
    CHECK(std::abs(again.places[0].s - c.places[0].s) < 1e-12);
    CHECK((again.velocity - c.velocity).norm() < 1e-14);
  }
}

TEST_CASE("where a contact of two rods is lost theirs are found anew, and others are looked at",
          "[contact]") {
  const std::vector<Line> lines{line(0, 60), line(1, 60), line(2, 60)};
  const auto key = [](const Contact& c) {
    return std::tuple(c.first, c.cell, c.second, c.places[1].s, c.places[0].s);
  };
  std::size_t anew = 0, kept = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const Chains chains = braid(lines, 0.3, seed);
    Chains moved = chains;
    test::transform(moved[1], Mat<double, 3>(Mat<double, 3>::Identity()), V(0.3 * a, 0, 0.01 * a));
    Search search(lines);
    std::vector<Contact*> before;
    search.each(chains, 0, 0, [&](Contact& c) { before.push_back(&c); });
    const auto is_of = [](const Contact& c) { return c.first == 0 && c.second == 1; };
    std::vector<Contact> looked;
    bool marked = false;  // one of them is enough
    for (Contact* c : before) {
      if (!is_of(*c)) {
        search.look(*c, moved);
        looked.push_back(*c);
      }
      c->lost = is_of(*c) && !marked;
      marked = marked || c->lost;
    }
    REQUIRE(marked);
    std::vector<Contact> all;
    search.each(
        moved, 0, 0, [&](const Contact& c) { all.push_back(c); },
        [](std::size_t, double, std::size_t, double) { return false; },
        contact::detail::CellsFound::lost_anew);
    CHECK(std::is_sorted(all.begin(), all.end(),
                         [&](const Contact& c, const Contact& d) { return key(c) < key(d); }));
    std::vector<Contact> theirs, others;
    for (const Contact& c : find(lines, moved))
      if (is_of(c)) theirs.push_back(c);
    for (const Contact& c : all) {
      CHECK_FALSE(c.lost);
      if (is_of(c)) CHECK_FALSE(c.is_plain());  // in this step
      (is_of(c) ? others.emplace_back(c), ++anew : ++kept);
    }
    REQUIRE(others.size() == theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      CHECK(others[i].gap == theirs[i].gap);
      CHECK(key(others[i]) == key(theirs[i]));
    }
    REQUIRE(all.size() - others.size() == looked.size());
    for (const Contact& c : looked)
      CHECK(std::count_if(all.begin(), all.end(),
                          [&](const Contact& d) { return key(c) == key(d) && c.gap == d.gap; }) == 1);
  }
  CHECK(anew > 20);
  CHECK(kept > 20);
}

TEST_CASE("a contact beside which another was left out is no plain one", "[contact]") {
  const std::vector<Line> lines{line(0, 30), line(1, 30)};
  const auto crossing = [&](double s1) {
    return find(lines, {straight(lines[0], V(0.15 - s1, 0, 0), V(1, 0, 0)),
                        straight(lines[1], V(0, 0.0037, 2 * a), V(0, 1, 0))});
  };
  const auto at_centre = crossing(lines[0].cell_centre(7)), at_end = crossing(lines[0].cell_begin(7));
  REQUIRE(at_centre.size() == 1);
  REQUIRE(at_end.size() == 1);
  CHECK_FALSE(at_centre[0].beside);
  CHECK(at_centre[0].is_plain());
  CHECK(at_end[0].beside);
  CHECK_FALSE(at_end[0].is_plain());
  // nor where the distance curves otherwise than it did
  Contact bent = at_centre[0];
  CHECK(bent.curvature() == Approx(1 / (2 * a)).epsilon(1e-9));  // of rods that cross at right angles
  bent.curved *= 1.05;
  CHECK(bent.is_plain());
  bent.curved *= 1.1;
  CHECK_FALSE(bent.is_plain());
}

/// A line bent in random directions, by up to this curvature, through a point.
Chain bent(const Line& line, test::Random& random, double curvature, const V& through) {
  const test::Wave<double> direction(random);
  const double waves = curvature * line.length();
  V r = through;
  Chain chain = along(line, [&](double s) {
    const V t = (V(1, 0.3, -0.2) + direction(waves * s / line.length())).normalized();
    return V(r += line.spacing() * t);
  });
  const V middle = chain.position(line.nodes() / 2) - through;
  for (Index k = 0; k < line.nodes(); ++k)
    chain.set_frame(k, SO3<double>::identity(), chain.position(k) - middle);
  return chain;
}

TEST_CASE("contacts with bounds of curvature are those without, bit for bit", "[contact]") {
  test::Random random(test::seed());
  const auto between = [&](double x, double y) { return x + (y - x) * (random() + 1) / 2; };
  int plain = 0, crowned = 0;
  for (int i = 0; i < 60000; ++i) {
    const double spacing = a * between(0.12, 1.5);
    const Line one = line(0, 40, spacing, a), two = line(1, 30, spacing * between(0.7, 1.4), a);
    const double curvature = std::pow(10, between(-2, 0)) / a;
    const V across = random.vector<double>() * 2.2 * a;
    const Chains chains{bent(one, random, curvature, V::Zero()), bent(two, random, curvature, across)};
    contact::detail::SearchedLine<double> first(one), second(two);
    try {
      first.measure(chains, 0);
      second.measure(chains, 0);
    } catch (const RodFolded&) {
      continue;
    }
    Contact known;
    known.cell = static_cast<Index>(between(0, 1) * static_cast<double>(one.cells()));
    known.bends = {first.bend(), second.bend()};
    double nearest = 1, start = 0;
    for (Index k = 0; k < two.nodes(); ++k) {
      contact::detail::CentrelinePoint<double> p;
      one.put(chains[0], one.cell_centre(known.cell), p);
      const double to = (V(p.R()) - chains[1].position(k)).norm();
      if (to < nearest) nearest = to, start = two.spacing() * static_cast<double>(k);
    }
    for (const auto& [line, chain, s] : {std::tuple(&one, &chains[0], one.length() * between(0, 1)),
                                         std::tuple(&two, &chains[1], two.length() * between(0, 1))}) {
      const double ds = 1e-3 * line->spacing();
      const auto slope = [&](double at) {
        contact::detail::CentrelinePoint<double> p;
        line->put(*chain, at, p);
        return V(p.dR);
      };
      const double bend = line == &one ? first.bend() : second.bend();
      if (i < 3000) CHECK((slope(s + ds) - slope(s - ds)).norm() <= 2 * ds * bend * (1 + 1e-9) + 1e-12);
    }
    Contact unknown = known;
    unknown.bends = Contact::unknown;
    const double s1 = one.cell_centre(known.cell) + 0.4 * one.cell_length() * between(-1, 1);
    for (Contact* c : {&known, &unknown})
      contact::detail::find_cell_contact(one, chains[0], two, chains[1], s1, start, *c);
    CAPTURE(i, known.crown, unknown.crown, curvature * a, known.gap / a);
    REQUIRE(known.crown == unknown.crown);
    REQUIRE(known.gap == unknown.gap);
    REQUIRE(known.places[0].s == unknown.places[0].s);
    REQUIRE(known.places[1].s == unknown.places[1].s);
    (known.crown > 0 ? crowned : plain) += 1;
  }
  CHECK(plain > 200);
  CHECK(crowned > 200);
}

}  // namespace cell_search_test
