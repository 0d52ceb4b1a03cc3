#include <dalembert/contact/detail/searched_line.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace searched_line_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Index = Eigen::Index;
using Chain = rod::Chain<double>;
using Line = contact::detail::Centreline<double>;
using Searched = contact::detail::SearchedLine<double>;
using contact::detail::are_apart;

constexpr double h = 0.01;

template <class Curve>
Chain along(const Line& line, const Curve& curve) {
  Chain chain(line.nodes());
  for (Index k = 0; k < line.nodes(); ++k)
    chain.set_frame(k, SO3<double>::identity(), curve(line.spacing() * static_cast<double>(k)));
  return chain;
}
V bent(double s) { return {0.9 * s, 0.05 * std::sin(11 * s), 0.04 * std::cos(17 * s)}; }
V at(const Line& line, const Chain& chain, double s) {
  contact::detail::CentrelinePoint<double> p;
  line.put(chain, s, p);
  return p.R();
}

TEST_CASE("segments and cells are chords of the centreline, and it is within their bounds", "[contact]") {
  for (const double radius : {0.004, 0.02, 0.031, 0.05, 0.07}) {
    const Line line = Line::of_rod(0, 45, h, radius);
    const std::vector<Chain> chains{along(line, bent)};
    Searched searched(line);
    Searched::Points points;
    CAPTURE(radius);
    searched.measure(chains, 0);
    const auto outside = [](const V& r, const contact::detail::StraightPiece<double>& piece) {
      const V from = r - piece.from;
      return (from - std::clamp(from.dot(piece.step) * piece.per_square, 0.0, 1.0) * piece.step).norm();
    };
    for (Index first = 0; first < 44; first += 8) {
      const Index last = std::min<Index>(first + 8, 44);
      searched.prepare(chains[0], first, last, {.segments = true}, points);
      searched.prepare(chains[0], first, last, {.segments = true, .cells = true}, points);
      for (Index k = std::max<Index>(first - 1, 0); k < std::min<Index>(last + 1, 44); ++k) {
        const auto& piece = searched.segment(k);
        CHECK((piece.from - at(line, chains[0], h * static_cast<double>(k))).norm() < 1e-15);
        if (k < first || k >= last) continue;
        for (int i = 0; i <= 8; ++i) {
          const V r = at(line, chains[0], h * (static_cast<double>(k) + i / 8.0));
          CHECK(outside(r, piece) <= searched.beside_segments(first));
          CHECK(outside(r, searched.chord(first)) <= searched.aside(first) + searched.beside_segments(first));
        }
      }
      const auto [begin, end] = searched.cells(first, last);
      CHECK(line.cell_begin(begin) <= h * static_cast<double>(first) + 1e-12);
      CHECK(line.cell_begin(end) >= h * static_cast<double>(last) - 1e-12);
      for (Index k = begin; k < end; ++k) {
        const double from = line.cell_begin(k), to = line.cell_begin(k + 1);
        const auto& piece = searched.cell(k);
        CHECK((piece.from - at(line, chains[0], from)).norm() < 3e-4 * h);
        CHECK((piece.from + piece.step - at(line, chains[0], to)).norm() < 3e-4 * h);
        for (int i = 0; i <= 8; ++i)
          CHECK(outside(at(line, chains[0], from + (to - from) * i / 8), piece) <=
                searched.beside_cells(first) + 3e-4 * h);
      }
    }
    // all of it near the chords of the nodes
    for (int i = 0; i <= 400; ++i) {
      const double s = line.length() * i / 400;
      double least = 1;
      for (Index k = 0; k < 44; ++k) {
        contact::detail::StraightPiece<double> chord;
        chord.from = chains[0].position(k);
        chord.step = chains[0].position(k + 1) - chord.from;
        chord.per_square = 1 / chord.step.squaredNorm();
        least = std::min(least, outside(at(line, chains[0], s), chord));
      }
      CHECK(least <= searched.bias());
    }
  }
}

TEST_CASE("spheres and pieces are apart where no points of them are near", "[contact]") {
  test::Random random(test::seed());
  int near = 0;
  for (int trial = 0; trial < 500; ++trial) {
    contact::detail::StraightPiece<double> piece;
    piece.from = random.vector<double>();
    piece.step = trial % 9 == 0 ? V(V::Zero()) : V(random.vector<double>());
    piece.per_square = trial % 9 == 0 ? 0.0 : 1 / piece.step.squaredNorm();
    piece.middle = contact::Triple<double>(V(piece.from + 0.5 * piece.step));
    piece.half = piece.step.norm() / 2;
    contact::detail::PieceSphere<double> ball;
    ball.middle = contact::Triple<double>(random.vector<double>());
    ball.half = 0.2;
    double least = 9;
    for (int i = 0; i <= 1000; ++i)
      least = std::min(least, (piece.from + i / 1000.0 * piece.step - V(ball.middle)).norm());
    const double gap = least - ball.half;
    CHECK(are_apart(ball, piece, gap - 1e-5));
    CHECK(!are_apart(ball, piece, gap + 1e-5));
    using Sphere = contact::detail::PieceSphere<double>;
    near += are_apart<double>(ball, static_cast<const Sphere&>(piece), gap + 1e-12) ? 0 : 1;
  }
  CHECK(near == 500);  // spheres hold what is in them
}

TEST_CASE("a stretch is straight within 45 degrees of where it goes", "[contact]") {
  const Line line = Line::of_rod(0, 9, h, h);
  for (const double turn : {-89.0, 91.0}) {  // between its halves, each then by half of it off the chord
    const double angle = turn * M_PI / 180;
    const V u(1, 0, 0), v(std::cos(angle), std::sin(angle), 0);
    const Chain chain =
        along(line, [&](double s) { return V(std::min(s, 4 * h) * u + std::max(s - 4 * h, 0.0) * v); });
    CAPTURE(turn);
    CHECK(contact::detail::is_straight(chain, 0, 8) == (std::abs(turn) < 90));
    CHECK(contact::detail::is_straight(chain, 0, 4));
    CHECK(contact::detail::is_straight(chain, 4, 8));
    Searched searched(Line::of_rod(0, 9, h, 0.1 * h));
    searched.measure({chain}, 0);
    CHECK(searched.is_straight(chain) == (std::abs(turn) < 90));
    Chain other = along(line, [&](double s) { return V(s * u); });
    searched.measure({other}, 0);  // asked again in another configuration
    CHECK(searched.is_straight(other));
  }
  // in any of its segments, and where two nodes are at one place
  for (Index k = 0; k < 20; ++k) {
    const Line longer = Line::of_rod(0, 22, h, h);
    Chain chain = along(longer, [&](double s) { return V(s, 0, 0); });
    CHECK(contact::detail::is_straight(chain, 0, 21));
    const V at = chain.position(k + 1);
    chain.set_frame(k + 1, chain.rotation(k + 1), V(at + V(0, 1.2 * h, 0)));
    CHECK(!contact::detail::is_straight(chain, 0, 21));
    chain.set_frame(k + 1, chain.rotation(k + 1), chain.position(k));
    CHECK(!contact::detail::is_straight(chain, 0, 21));
  }
}

TEST_CASE("places are on the same stretch where less than pi a of the deformed rod is between them",
          "[contact]") {
  const double a = 0.02;
  const Line line = Line::of_rod(0, 41, h, a);
  Searched searched(line);
  const Chain chain = along(line, [&](double s) {  // stretched twofold, and bent
    const double t = 2 * s / 0.05;
    return V(0.05 * std::cos(t), 0.05 * std::sin(t), 0);
  });
  const double chord = (chain.position(1) - chain.position(0)).norm();
  const double apart = M_PI * a / chord * h;
  for (const double s : {0.0, 0.1037, 0.2, 0.351}) {
    CHECK(searched.same_stretch(chain, s, s + 0.999 * apart));
    CHECK(searched.same_stretch(chain, s + 0.999 * apart, s));
    CHECK(!searched.same_stretch(chain, s, s + 1.001 * apart));
    CHECK(searched.same_stretch(chain, s, s));
  }
}

TEST_CASE("speeds, stretches and ways are the largest of all nodes", "[contact]") {
  const Line line = Line::of_rod(1, 37, h, 0.5 * h);
  Searched searched(line);
  std::vector<Chain> chains(2, Chain(37));
  chains[1] = along(line, [](double s) { return V(0.9 * s, 0, 0); });
  for (const Index k : {0, 7, 20, 35, 36}) {
    for (Index i = 0; i < 37; ++i) chains[1].set_velocity(i, V(0.1, 0, 0), V::Zero());
    chains[1].set_velocity(k, V(1, -2, 2), V::Zero());
    searched.measure(chains, 0);
    CHECK(searched.speed() == Approx(3).epsilon(1e-15));
    CHECK(searched.stretch() == Approx(0.9).epsilon(1e-12));
    searched.keep_reference(chains);
    CHECK(searched.moved(chains) == 0);
    std::vector<Chain> moved = chains;
    moved[1].set_frame(k, SO3<double>::identity(), V(chains[1].position(k) + V(0.01, 0.02, -0.02)));
    CHECK(searched.moved(moved) == Approx(0.03).epsilon(1e-14));
  }
}

}  // namespace searched_line_test
