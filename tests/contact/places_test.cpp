#include <dalembert/contact/places.hpp>

#include <cmath>
#include <optional>
#include <vector>

#include <dalembert/rod/rod.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace places_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Chain = rod::Chain<double>;
using Rod = rod::ElasticRod<double>;
using Tube = contact::Tube<double>;
using Search = contact::PlaceSearch<double>;
using Place = contact::NearPlace<double>;

constexpr double a = 0.01;

/// Nodes on the curve f(s).
template <class F>
Chain on_curve(const Rod& rod, F&& f) {
  Chain chain(rod.nodes());
  for (Eigen::Index k = 0; k < rod.nodes(); ++k)
    chain.set_frame(k, SO3<double>::identity(), f(rod.spacing() * static_cast<double>(k)));
  return chain;
}

Search search(std::size_t count, const Rod& rod, double tolerance, double kernel_width = 0.02) {
  std::vector<Tube> tubes;
  for (std::size_t i = 0; i < count; ++i) tubes.push_back(Tube::of_rod(i, rod, a, kernel_width));
  return Search(tubes, {.tolerance = tolerance});
}

TEST_CASE("straight rods that cross are near each other where they do", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const std::vector<Chain> chains{
      on_curve(rod, [](double s) { return V(1.2 * s, 0, 0); }),
      on_curve(rod, [](double s) { return V(0.6 + (s - 0.33) / 2, s - 0.33, 0.021); })};
  auto find = search(2, rod, 2e-3);
  const auto& places = find(chains);
  REQUIRE(places.size() == 1);
  CHECK(places[0].body1 == 0);
  CHECK(places[0].body2 == 1);
  CHECK(places[0].s1 == Approx(0.5).epsilon(1e-13));
  CHECK(places[0].s2 == Approx(0.33).epsilon(1e-13));
  CHECK(places[0].distance == Approx(0.021).epsilon(1e-13));
  CHECK(places[0].gap() == Approx(0.001).epsilon(1e-11));
  CHECK(places[0].angle == Approx(std::atan(2.0)).epsilon(1e-13));
  CHECK(search(2, rod, 0.9e-3)(chains).empty());
}

TEST_CASE("the place of least distance is found from guesses that are elements away", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const Tube one = Tube::of_rod(0, rod, a, 0.02), other = Tube::of_rod(1, rod, a, 0.02);
  const Chain x = on_curve(rod, [](double s) { return V(s, 0, 0); }),
              y = on_curve(rod, [](double s) { return V(0.5, s - 0.33, 0.021); });
  for (const double s1 : {0.2, 0.45, 0.5, 0.83})
    for (const double s2 : {0.1, 0.33, 0.9}) {
      CAPTURE(s1, s2);
      Place place;
      place.s1 = s1;
      place.s2 = s2;
      CHECK(contact::detail::find_least_distance(x, y, one, other, place, 0) == contact::Approach::crossing);
      CHECK(place.s1 == Approx(0.5).epsilon(1e-13));
      CHECK(place.s2 == Approx(0.33).epsilon(1e-13));
      CHECK(place.distance == Approx(0.021).epsilon(1e-13));
    }
}

/// The averaged centreline of one rod, four points an element, where windows allow.
std::vector<std::pair<double, V>> sampled(const Rod& rod, const Chain& chain, double kernel_width) {
  const contact::KernelAverage<double, contact::CubicSpline> average({}, kernel_width, rod.spacing(),
                                                                     rod.nodes());
  const double half = 2 * average.kernel_width(), end = rod.length() - half;
  std::vector<std::pair<double, V>> points;
  for (double s = half + rod.spacing() / 8; s < end; s += rod.spacing() / 4)
    points.push_back({s, average.at(chain, s, 0, 1).R});
  return points;
}

/// Local minima of the distance of the sampled centrelines among their neighbours, nearer than `far`.
std::vector<Place> brute_force(const std::vector<std::vector<std::pair<double, V>>>& lines, double far) {
  std::vector<Place> found;
  for (std::size_t p = 0; p < lines.size(); ++p)
    for (std::size_t q = p + 1; q < lines.size(); ++q) {
      const auto &one = lines[p], &other = lines[q];
      const auto distance = [&](std::size_t i, std::size_t j) {
        return (one[i].second - other[j].second).norm();
      };
      for (std::size_t i = 1; i + 1 < one.size(); ++i)
        for (std::size_t j = 1; j + 1 < other.size(); ++j) {
          const double d = distance(i, j);
          bool least = d < far;
          for (std::size_t x = i - 1; least && x <= i + 1; ++x)
            for (std::size_t y = j - 1; y <= j + 1; ++y) least = least && d <= distance(x, y);
          if (least) found.push_back({p, one[i].first, q, other[j].first, d});
        }
    }
  return found;
}

TEST_CASE("all places of wild rods are found, and no others", "[contact]") {
  test::Random random(test::seed());
  const Rod rod = test::soft_rod<Rod>(a, 60);
  const double width = 0.02, tolerance = 0.03, far = 2 * a + tolerance;
  auto find = search(5, rod, tolerance, width);
  int compared = 0, total = 0, several = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Chain> chains;
    std::vector<std::vector<std::pair<double, V>>> lines;
    for (int i = 0; i < 5; ++i) {
      chains.push_back(test::random_chain(rod, test::rotation_matrix<double>(3 * random.vector<double>()),
                                          random, {.bend = 1.8, .strain = 0.3}));
      test::transform<double>(chains.back(), Mat<double, 3>::Identity(), 0.12 * random.vector<double>());
      lines.push_back(sampled(rod, chains.back(), width));
    }
    std::vector<Place> places;
    try {
      places = find(chains);
    } catch (const InvalidState&) {
      continue;  // parallel somewhere, or at an end
    }
    ++compared;
    const auto brute = brute_force(lines, far);
    const auto same = [&](const Place& x, const Place& y, double apart) {
      return x.body1 == y.body1 && x.body2 == y.body2 && std::abs(x.s1 - y.s1) < apart &&
             std::abs(x.s2 - y.s2) < apart;
    };
    for (const Place& place : places) {
      if (place.body1 == place.body2 || place.distance > far - 1e-3) continue;
      ++total;
      bool there = false;
      for (const Place& other : brute)
        there = there || (same(place, other, rod.spacing()) && place.distance <= other.distance + 1e-15);
      CHECK(there);
      for (const Place& other : places)
        if (&other != &place && place.body1 == other.body1 && place.body2 == other.body2) ++several;
    }
    for (const Place& other : brute) {
      bool there = false;
      for (const Place& place : places) there = there || same(place, other, 1.01 * width);
      CAPTURE(trial, other.body1, other.body2, other.s1, other.s2, other.distance);
      CHECK(there);
    }
  }
  CAPTURE(compared, total, several);
  CHECK(compared > 20);
  CHECK(total > 100);
  CHECK(several > 4);
}

/// A wave along x about `origin`, in the plane of x and `up`.
Chain wave(const Rod& rod, const V& origin, const V& up, double height, double waves) {
  return on_curve(
      rod, [&](double s) { return V(origin + V(s, 0, 0) + height * std::cos(2 * M_PI * waves * s) * up); });
}

TEST_CASE("places are found far from the origin", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 50);
  const V far(3e5, -2e5, 4e5);
  auto find = search(2, rod, 2e-3);
  const auto& places = find({on_curve(rod, [&](double s) { return V(far + V(s, 0, 0)); }),
                             on_curve(rod, [&](double s) { return V(far + V(0.617, s - 0.33, 0.021)); })});
  REQUIRE(places.size() == 1);
  CHECK(places[0].s1 == Approx(0.617).margin(1e-8));
  CHECK(places[0].distance == Approx(0.021).margin(1e-9));
}

TEST_CASE("each place at which two rods cross is found, wherever it is between the nodes", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 97);
  auto find = search(2, rod, 5e-3);
  for (const double shift : {0.0, 0.0013, 0.5 / 97, 0.011}) {
    CAPTURE(shift);
    // a straight rod, and one that winds past it at a distance of 22 mm, from side to side
    const std::vector<Chain> chains{on_curve(rod, [](double s) { return V(s, 0, 0); }),
                                    wave(rod, {shift, 0, 0.022}, V::UnitY(), 0.06, 2)};
    const auto& places = find(chains);
    REQUIRE(places.size() == 4);
    for (int i = 0; i < 4; ++i) {
      const auto& place = places[static_cast<std::size_t>(i)];
      CHECK(place.s2 == Approx(0.125 + 0.25 * i).epsilon(1e-6));
      CHECK(place.s1 == Approx(0.125 + 0.25 * i + shift).epsilon(1e-6));
      CHECK(place.distance == Approx(0.022).epsilon(1e-9));
    }
  }
}

TEST_CASE("a rod that crosses itself has a place with two arc lengths, one that bends has none",
          "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 120);
  auto find = search(1, rod, 4e-3);
  // a coil whose turns touch
  const double r = 0.05;
  CHECK_THROWS_AS(find({on_curve(rod,
                                 [&](double s) {
                                   return V(r * std::sin(s / r), r * std::cos(s / r),
                                            0.021 * s / (2 * M_PI * r));
                                 })}),
                  ParallelRods);
  const std::vector<Chain> crossing{on_curve(rod, [&](double s) {
    const double x = 2 * M_PI * 0.75 * (s - 0.5) / 0.6;  // three quarters of a turn, then straight on
    const double bound = 0.75 * M_PI, y = std::clamp(x, -bound, bound), rest = (x - y) * 0.6 / (1.5 * M_PI);
    const double radius = 0.6 / (1.5 * M_PI);
    return V(radius * std::sin(y) + rest * std::cos(y), radius * (1 - std::cos(y)) + rest * std::sin(y),
             0.022 * s / 0.854);
  })};
  const auto& places = find(crossing);
  REQUIRE(places.size() == 1);
  CHECK(places[0].body1 == 0);
  CHECK(places[0].body2 == 0);
  CHECK(places[0].s1 + places[0].s2 == Approx(1.0).epsilon(1e-9));
  CHECK(places[0].s1 < places[0].s2);
  CHECK(places[0].angle == Approx(M_PI / 2).epsilon(0.01));
  CHECK(find({on_curve(rod, [&](double s) {
          return V(r * std::sin(s / r), 0, r * std::cos(s / r) + 3 * s);
        })}).empty());
}

TEST_CASE("a rod that is squeezed does not touch itself across its own bend", "[contact]") {
  // sixteen elements shorter than the radius: neighbours but one are closer than two radii
  const Rod rod = test::soft_rod<Rod>(a, 200);
  auto find = search(1, rod, 5e-3);
  CHECK(find({on_curve(rod, [](double s) { return V(0.5 * s, 1e-4 * std::sin(400 * s), 0); })}).empty());
}

TEST_CASE("a loop that is tighter than its rod is thick is no contact of the rod with itself", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 500);
  const double r = 0.004, bound = 0.75 * M_PI;
  auto find = search(1, rod, 1e-3, rod.spacing());
  // the loop is 27 mm long, less than πa
  CHECK(find({on_curve(rod, [&](double s) {
          const double x = (s - 0.5) / r, y = std::clamp(x, -bound, bound), rest = (x - y) * r;
          return V(r * std::sin(y) + rest * std::cos(y), r * (1 - std::cos(y)) + rest * std::sin(y),
                   1e-3 * s);
        })}).empty());
}

/// An arc of curvature K in the plane of `along` and `up`, through `middle` at s = ½, that bends towards `up` for K > 0.
Chain arc(const Rod& rod, const V& middle, const V& along, const V& up, double K) {
  return on_curve(rod, [&](double s) {
    const double x = s - 0.5, bound = 1 / std::abs(K), y = std::clamp(K * x, -1.0, 1.0);
    const double rest = x > bound ? x - bound : x < -bound ? x + bound : 0;  // straight on after one radian
    return V(middle + (std::sin(y) / K + rest * std::cos(y)) * along +
             ((1 - std::cos(y)) / K + rest * std::sin(y)) * up);
  });
}

TEST_CASE("bent rods cross where (1 - kK1)(1 - kK2) > cos^2 of their angle, and nowhere else", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 200);
  auto find = search(2, rod, 2e-3, 0.005);
  const double k = 0.021, angle = 0.5;  // sin²φ / k is 10.95 per metre
  const V x = V::UnitX(), oblique(std::cos(angle), std::sin(angle), 0), up = V::UnitZ();
  const auto places = [&](double K1, double K2, const V& along) {
    return find({arc(rod, V::Zero(), x, up, K1), arc(rod, k * up, along, -up, K2)});
  };
  for (const auto& [K1, K2] :
       {std::pair{8.0, 1e-9}, {1e-9, 8.0}, {-14.0, 1e-9}, {1e-9, -14.0}, {-14.0, -14.0}}) {
    CAPTURE(K1, K2);
    const auto found = places(K1, K2, oblique);
    REQUIRE(found.size() == 1);
    CHECK(found[0].s1 == Approx(0.5).margin(1e-12));
    CHECK(found[0].s2 == Approx(0.5).margin(1e-12));
    CHECK(found[0].distance == Approx(k).margin(2e-4));
    CHECK(found[0].angle == Approx(angle).epsilon(1e-12));
  }
  // rods that bend around each other more than that are nearest on both sides of the middle
  for (const auto& [K1, K2] : {std::pair{16.0, 1e-9}, {1e-9, 16.0}}) {
    CAPTURE(K1, K2);
    const auto found = places(K1, K2, oblique);
    REQUIRE(found.size() == 2);
    CHECK(found[0].s1 + found[1].s1 == Approx(1).margin(1e-9));
    CHECK(std::abs(found[0].s1 - 0.5) > 0.005);
  }
  // sharp bends away from each other, where the curvature is most of the slope
  const auto sharp = places(-60, -60, V::UnitY());
  REQUIRE(sharp.size() == 1);
  CHECK(sharp[0].s1 == Approx(0.5).margin(1e-12));
}

TEST_CASE("chords that are near each other twice give one place where their averages are near once",
          "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 200);
  const auto zigzag = [&](double shift) {
    Chain chain = on_curve(rod, [&](double s) { return V(s - 0.5 + shift, 0, 0); });
    for (Eigen::Index k = 0; k < chain.nodes; ++k) chain.configuration(k, 2) = k % 2 == 0 ? -0.003 : 0.0;
    return chain;
  };
  // the other rod passes above a low node, beside two high ones
  const Chain across = on_curve(rod, [](double s) { return V(0, s - 0.5, 0.0205); });
  auto find = search(2, rod, 4e-3, 0.02);
  const auto& places = find({zigzag(0), across});
  REQUIRE(places.size() == 1);
  CHECK(places[0].s1 == Approx(0.5).margin(1e-12));
  CHECK(places[0].distance == Approx(0.022).margin(1e-5));
  // a ball is at the nearer one
  Chain ball(1);
  ball.set_frame(0, SO3<double>::identity(), V(0.001, 0, 0.0605));
  for (const double shift : {0.0, -0.002}) {
    Search of_ball({Tube::of_rod(0, rod, a, 0.02), Tube::ball(1, 0.05)}, {.tolerance = 4e-3});
    const auto& one = of_ball({zigzag(shift), ball});
    REQUIRE(one.size() == 1);
    CHECK(one[0].s1 == Approx(0.505).margin(1e-3));
  }
}

TEST_CASE("rods that lie along each other are a typed error unless their pair is left out", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 40);
  const auto line = [&](double x, double y, double angle) {
    return on_curve(
        rod, [=](double s) { return V(x + (s - 0.5) * std::cos(angle), (s - 0.5) * std::sin(angle), y); });
  };
  const std::vector<Chain> close{line(0, 0, 0), line(0.01, 0.021, 0.01), line(0, 0.5, 1)};
  auto find = search(3, rod, 2e-3);
  CHECK_THROWS_AS(find(close), ParallelRods);
  CHECK(find({close[0], line(0, 0.021, 0.05), close[2]}).size() == 1);
  // near enough to be looked at, but not to touch
  CHECK(find({close[0], line(0.01, 0.03, 0), close[2]}).empty());
  std::vector<Tube> tubes;
  for (std::size_t i = 0; i < 3; ++i) tubes.push_back(Tube::of_rod(i, rod, a, 0.02));
  CHECK(Search(tubes, {.tolerance = 2e-3, .left_out = {{1, 0}}})(close).empty());
  Search all(tubes, {.tolerance = 2e-3, .crossings_only = false});
  const auto& listed = all(close);
  REQUIRE(!listed.empty());
  for (const auto& place : listed) {
    CHECK(place.approach == contact::Approach::parallel);
    CHECK(place.distance == Approx(0.021).epsilon(1e-9));
  }
}

TEST_CASE("rods that touch at an end are a typed error that tells the time", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 40);
  const auto along = on_curve(rod, [](double s) { return V(s, 0, 0); });
  auto find = search(2, rod, 2e-3);
  for (const double x : {0.02, 0.98}) {
    const std::vector<Chain> chains{along, on_curve(rod, [&](double s) { return V(x, s - 0.5, 0.021); })};
    try {
      (void)find(chains, 3.5);
      FAIL("no error");
    } catch (const ContactAtEnd& error) {
      CHECK(error.time() == 3.5);
      CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("of body 1"));
    }
  }
  Search all({Tube::of_rod(0, rod, a, 0.02), Tube::of_rod(1, rod, a, 0.02)},
             {.tolerance = 2e-3, .crossings_only = false});
  const auto& listed = all({along, on_curve(rod, [&](double s) { return V(0.02, s - 0.5, 0.021); })});
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].approach == contact::Approach::at_end);
  CHECK(listed[0].s1 == Approx(0.02).epsilon(1e-9));
  CHECK(listed[0].s2 == Approx(0.5).epsilon(1e-9));
  CHECK(find({along, on_curve(rod, [&](double s) { return V(0.02, s - 0.5, 0.03); })}).empty());
}

TEST_CASE("rods that overlap are found whatever the width of the kernel, near an end and in tight bends",
          "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 100);
  test::Random random(test::seed());
  int at_end = 0, elsewhere = 0;
  for (int trial = 0; trial < 250; ++trial) {
    // both go through the origin: the first anywhere, the second within 60 mm of its end
    std::vector<Chain> chains;
    std::array<double, 2> origins{};
    for (const bool second : {false, true}) {
      const V x = random.vector<double>(), y = random.vector<double>();
      const double origin = second ? 0.03 * (1 + x[0]) : 0.5 + 0.4 * x[0], bend = (second ? 40 : 4) * x[1];
      origins[second] = origin;
      const double wave = 0.03 * x[2], number = 60 * y[0], turn = second ? 1.5 + 0.9 * y[1] : 0;
      chains.push_back(on_curve(rod, [&](double along) {
        const double s = along - origin;
        const V p(std::sin(bend * s) / bend, wave * std::sin(number * s), (1 - std::cos(bend * s)) / bend);
        return V(std::cos(turn) * p[0] - std::sin(turn) * p[1], std::sin(turn) * p[0] + std::cos(turn) * p[1],
                 second ? -p[2] + a * y[2] : p[2]);
      }));
    }
    // the nearest chords within eight of the origin
    double least = 1;
    std::array<Eigen::Index, 2> nearest{};
    const auto near = [&](std::size_t i, const auto& f) {
      const auto at = static_cast<Eigen::Index>(origins[i] / rod.spacing());
      for (Eigen::Index k = std::max<Eigen::Index>(at - 8, 0); k <= at + 8; ++k)
        f(k, V(chains[i].position(k + 1) - chains[i].position(k)));
    };
    near(0, [&](Eigen::Index i, const V& one) {
      near(1, [&](Eigen::Index j, const V& other) {
        const contact::detail::SegmentPair<double> pair(chains[0].position(i), one, chains[1].position(j),
                                                        other);
        if (pair.square >= least) return;
        least = pair.square;
        nearest = {i, j};
      });
    });
    REQUIRE(std::sqrt(least) < 1.3 * a);
    for (const double width : {0.01, 0.03, 0.05}) {
      CAPTURE(trial, width, nearest[0], nearest[1]);
      std::vector<Tube> tubes{Tube::of_rod(0, rod, a, width), Tube::of_rod(1, rod, a, width)};
      Search find(tubes, {.crossings_only = false});
      bool found = false;
      for (const Place& place : find(chains)) {
        const auto beside = [&](double s, Eigen::Index k) {
          return std::abs(s - rod.spacing() * static_cast<double>(k)) < width + 2 * rod.spacing();
        };
        if (!beside(place.s1, nearest[0]) || !beside(place.s2, nearest[1])) continue;
        found = true;
        at_end += place.approach == contact::Approach::at_end;
        elsewhere += place.approach == contact::Approach::parallel;
      }
      CHECK(found);
    }
  }
  CHECK(at_end > 50);
  CHECK(elsewhere > 3);
}

TEST_CASE("balls are near rods and each other where their surfaces are", "[contact]") {
  const Rod rod = test::soft_rod<Rod>(a, 40);
  const auto at = [](double x, double y, double z) {
    Chain chain(1);
    chain.set_frame(0, SO3<double>::identity(), V(x, y, z));
    return chain;
  };
  const std::vector<Chain> chains{at(0.503, 0, 0.0605), on_curve(rod, [](double s) { return V(s, 0, 0); }),
                                  at(0.503, 0.0895, 0.0605), at(0.7, 0.3, 0.1)};
  Search find({Tube::ball(0, 0.05), Tube::of_rod(1, rod, a, 0.05), Tube::ball(2, 0.04), Tube::ball(3, 0.04)},
              {.tolerance = 1e-3});
  const auto& places = find(chains);
  REQUIRE(places.size() == 2);
  CHECK(places[0].body2 == 1);
  CHECK(places[0].s2 == Approx(0.503).epsilon(1e-13));
  CHECK(places[0].gap() == Approx(0.0005).epsilon(1e-10));
  CHECK(places[1].body2 == 2);
  CHECK(places[1].gap() == Approx(-0.0005).epsilon(1e-10));
  // whichever comes first
  Search again({Tube::ball(2, 0.05), Tube::of_rod(1, rod, a, 0.05), Tube::ball(0, 0.04), Tube::ball(3, 0.04)},
               {.tolerance = 1e-3});
  const auto& others = again({chains[2], chains[1], chains[0], chains[3]});
  REQUIRE(others.size() == 2);
  CHECK(others[0].gap() == places[1].gap());
  CHECK(others[1].body1 == 1);
  CHECK(others[1].s1 == Approx(0.503).epsilon(1e-13));
  CHECK(others[1].gap() == Approx(0.0005).epsilon(1e-10));
}

TEST_CASE("a search allocates nothing once its list has its length", "[contact][allocation]") {
  const Rod rod = test::soft_rod<Rod>(a, 97);
  const std::vector<Chain> chains{on_curve(rod, [](double s) { return V(s, 0, 0); }),
                                  wave(rod, {0, 0, 0.022}, V::UnitY(), 0.06, 2)};
  auto find = search(2, rod, 5e-3);
  REQUIRE(find(chains).size() == 4);
  std::size_t count = 0;
  CHECK(test::allocations_during([&] { count = find(chains).size(); }) == 0);
  CHECK(count == 4);
}

TEST_CASE("a search for what is not there is refused", "[contact]") {
  using Catch::Matchers::ContainsSubstring;
  const Rod rod = test::soft_rod<Rod>(a, 40);
  CHECK_THROWS_WITH(search(1, rod, -1.0), ContainsSubstring("PlaceSearch: tolerance = -1"));
  CHECK_THROWS_WITH(Search({Tube::ball(3, 0.1), Tube::ball(3, 0.2)}), ContainsSubstring("body = 3"));
  auto find = search(2, rod, 1e-3);
  const auto chain = on_curve(rod, [](double s) { return V(s, 0, 0); });
  CHECK_THROWS_WITH(find({chain}), ContainsSubstring("body = 1, but there are 1 bodies"));
  CHECK_THROWS_WITH(find({chain, Chain(3)}), ContainsSubstring("nodes of body 1 = 3"));
  auto bad = chain;
  bad.configuration(7, 1) = std::nan("");
  CHECK_THROWS_AS(find({chain, bad}), NotFinite);
}

}  // namespace places_test
