#include <dalembert/rod/statics.hpp>

#include <cmath>

#include <dalembert/rod/energy.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace statics_test {

using namespace dalembert;
using namespace dalembert::rod;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using R = ElasticRod<double>;
using V = Vec<double, 3>;
constexpr double turn = 2 * static_cast<double>(pi);

/// GA, GA, EA, EI, EI, GJ.
struct Stiffness {
  double shear = 2e4, stretch = 5e4, bending = 2.0, twist = 1.5;
};

R make_rod(int elements, const Boundary<double>& start, const Boundary<double>& finish,
           const Stiffness& k = {}) {
  R::Parameters p;
  p.elements = elements;
  p.length = 1.0;
  p.inertia = {0.3, V(1e-5, 1e-5, 2e-5)};
  p.start = start;
  p.finish = finish;
  Vec<double, 6> diagonal;
  diagonal << k.shear, k.shear, k.stretch, k.bending, k.bending, k.twist;
  return R(LinearElastic<double>(diagonal), p);
}

R cantilever(int elements, const Stiffness& k = {}) {
  return make_rod(elements, Boundary<double>::clamped(), Boundary<double>::free(), k);
}

Chain<double> straight(const R& rod) { return rod.straight(V::Zero(), SO3<double>::identity()); }

Loads<double> end_force(const V& force) {
  Loads<double> loads;
  loads.finish.force = force;
  return loads;
}

/// The largest force [N] and torque [N m] on a free degree.
double unbalance(const R& rod, const Chain<double>& chain) {
  Columns<double, 6> f = Columns<double, 6>::Zero(padded_rows<double>(rod.nodes()), 6);
  rod.forces(chain, f);
  double most = 0.0;
  for (Eigen::Index k = 0; k < rod.nodes(); ++k)
    for (int i = 0; i < 6; ++i)
      if (!rod.held(k, i)) most = std::max(most, std::abs(f(k, i)));
  return most;
}

TEST_CASE("A pulled rod stretches by FL/EA", "[statics]") {
  R rod = cantilever(10);
  Chain<double> chain = straight(rod);
  rod.set_loads(end_force(V(0, 0, 1e4)));
  const auto result = static_equilibrium(rod, chain);
  REQUIRE(result.load_steps >= 1);
  REQUIRE(result.residual < 1e-10);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k)
    REQUIRE((chain.position(k) - V(0, 0, 0.1 * double(k) * 1.2)).norm() < 1e-13);
}

TEST_CASE("A hanging rod stretches by ρgAL²/2EA, its tension grows with the weight below", "[statics]") {
  R rod = cantilever(16, {.stretch = 40.0});
  Chain<double> chain = straight(rod);
  Loads<double> loads;
  loads.gravity = V(0, 0, 9.81);
  rod.set_loads(loads);
  (void)static_equilibrium(rod, chain);
  REQUIRE_THAT(chain.position(16)[2], WithinRel(1.0 + 0.3 * 9.81 / (2 * 40.0), 1e-12));
  for (Eigen::Index k = 0; k < 16; ++k)
    REQUIRE_THAT(rod.stress(chain, k).force[2], WithinRel(0.3 * 9.81 * (15.5 - double(k)) / 16, 1e-12));
}

TEST_CASE("An end moment rolls a cantilever up, dead or following", "[statics]") {
  for (const bool follows : {false, true}) {
    CAPTURE(follows);
    R rod = cantilever(40);
    Chain<double> chain = straight(rod);
    Loads<double> loads;
    (follows ? loads.finish.follower_moment : loads.finish.moment) = V(2.0 * turn * 0.9, 0, 0);
    rod.set_loads(loads);
    (void)static_equilibrium(rod, chain);
    for (Eigen::Index k = 0; k < 40; ++k) {
      const Strain<double> e = rod.strain(chain, k);
      REQUIRE((e.stretch - V::UnitZ()).norm() < 1e-9);
      REQUIRE((e.curvature - V(0.9 * turn, 0, 0)).norm() < 1e-9);
    }
  }
}

TEST_CASE("At a solution every free degree is balanced, and Newton returns to it quadratically",
          "[statics]") {
  R rod = cantilever(30, {.shear = 200.0, .stretch = 300.0});
  Loads<double> loads;
  SECTION("dead loads") {
    loads.finish.force = V(6, 2, -3);
    loads.finish.moment = V(0.4, 1.0, -0.9);
  }
  SECTION("following loads") {
    loads.finish.follower_force = V(4, -6, 2);
    loads.finish.follower_moment = V(0.4, 1.0, 0.9);
  }
  SECTION("both, and gravity") {
    loads.finish.follower_force = V(2, -4, 1);
    loads.finish.moment = V(0.2, 0.5, 1.2);
    loads.gravity = V(5, 0, -9.81);
  }
  rod.set_loads(loads);
  Chain<double> chain = straight(rod);
  (void)static_equilibrium(rod, chain);
  REQUIRE(unbalance(rod, chain) < 1e-9);
  REQUIRE((chain.position(30) - V(0, 0, 1)).norm() > 0.3);

  test::Random random(test::seed());
  const Chain<double> solution = chain;
  for (Eigen::Index k = 1; k < rod.nodes(); ++k)
    move_node(chain, k, V(1e-4 * random.vector<double>()), V(1e-3 * random.vector<double>()));
  const auto again = static_equilibrium(rod, chain, {.first_step = 1.0});
  REQUIRE(again.load_steps == 1);
  REQUIRE(again.iterations <= 4);
  REQUIRE((chain.configuration - solution.configuration).topRows(31).abs().maxCoeff() < 1e-9);
}

TEST_CASE("The order of load steps does not matter", "[statics]") {
  R rod = cantilever(20);
  rod.set_loads(end_force(V(9, 3, 2)));
  Chain<double> coarse = straight(rod);
  Chain<double> fine = coarse;
  (void)static_equilibrium(rod, coarse, {.first_step = 1.0});
  const auto result = static_equilibrium(rod, fine, {.first_step = 0.01, .largest_step = 0.05});
  REQUIRE(result.load_steps >= 20);
  REQUIRE((coarse.configuration - fine.configuration).topRows(21).abs().maxCoeff() < 1e-9);
}

TEST_CASE("No Newton step turns a node further than it may", "[statics]") {
  R rod = cantilever(20);
  Loads<double> loads;
  loads.finish.moment = V(2.0, 0, 0);  // bends the rod by 1 rad
  rod.set_loads(loads);
  Chain<double> quick = straight(rod), slow = quick;
  REQUIRE(static_equilibrium(rod, quick, {.first_step = 1.0}).iterations < 20);
  const auto result =
      static_equilibrium(rod, slow, {.iterations = 200, .first_step = 1.0, .largest_turn = 0.02});
  REQUIRE(result.load_steps == 1);
  REQUIRE(result.iterations >= 50);
  REQUIRE((quick.configuration - slow.configuration).topRows(21).abs().maxCoeff() < 1e-9);
}

TEST_CASE("A tolerance of the step below round-off is as good as none", "[statics]") {
  R rod = cantilever(20);
  rod.set_loads(end_force(V(3, 2, 1)));
  Chain<double> usual = straight(rod), strict = usual;
  (void)static_equilibrium(rod, usual);
  const auto result = static_equilibrium(rod, strict, {.step_tolerance = 1e-17});
  REQUIRE(result.residual <= 1e-10);
  REQUIRE((usual.configuration - strict.configuration).topRows(21).abs().maxCoeff() < 1e-9);
}

TEST_CASE("A pinned and guided beam sags by 5qL⁴/384EI", "[statics]") {
  // x is the sag; the finish may slide along z
  const auto guided = Boundary<double>::degrees({true, true, false, false, false, false});
  auto start = Boundary<double>::degrees({true, true, true, false, false, true});
  R rod = make_rod(200, start, guided, {.shear = 1e9, .stretch = 1e9, .bending = 3.0});
  Loads<double> loads;
  loads.gravity = V(0.02, 0, 0);
  rod.set_loads(loads);
  Chain<double> chain = straight(rod);
  (void)static_equilibrium(rod, chain);
  const double q = 0.3 * 0.02;
  REQUIRE_THAT(chain.position(100)[0], WithinRel(5.0 * q / (384 * 3.0), 1e-4));
  REQUIRE(chain.position(200).head<2>().norm() < 1e-15);
  // zero moments at the pins
  REQUIRE(std::abs(rod.stress(chain, 0).moment[1]) < 0.02 * std::abs(rod.stress(chain, 100).moment[1]));
}

TEST_CASE("A path moves and turns the ends: half a circle", "[statics]") {
  double before = 0.0;
  for (const int n : {20, 40, 80}) {
    R rod = make_rod(n, Boundary<double>::clamped(), Boundary<double>::clamped());
    Chain<double> chain = straight(rod);
    const auto bend = [](double factor, R& r, Chain<double>& moved) {
      const double angle = factor * turn / 2;
      const double radius = 1.0 / angle;
      const V centre(0, -radius, 0);
      moved.set_frame(r.elements(),
                      SO3<double>::from_quaternion(std::cos(angle / 2), V(std::sin(angle / 2), 0, 0)),
                      centre + radius * V(0, std::cos(angle), std::sin(angle)));
    };
    (void)static_equilibrium(rod, chain, bend);
    REQUIRE(unbalance(rod, chain) < 1e-8);
    REQUIRE((chain.position(n) - V(0, -4 / turn, 0)).norm() < 1e-15);
    REQUIRE_THAT(elastic_energy(rod, chain), WithinRel(2.0 * turn * turn / 8, 1e-3));
    // the chords of a chain are shorter than its arc: a tension of second order in the spacing
    const double error = rod.stress(chain, n / 3).force.norm();
    if (before != 0.0) REQUIRE_THAT(std::log2(before / error), WithinAbs(2.0, 0.05));
    before = error;
  }
}

TEST_CASE("Where the equations are linear one Newton step follows a moving end", "[statics]") {
  R rod = make_rod(30, Boundary<double>::clamped(), Boundary<double>::clamped());
  for (const Eigen::Index end : {0, 30}) {
    CAPTURE(end);
    Chain<double> chain = straight(rod);
    const V target(0, 0, end == 0 ? -0.1 : 1.1);
    const auto move = [&](double, R&, Chain<double>& moved) {
      moved.set_frame(end, SO3<double>::identity(), target);
    };
    // one step goes there, another sees that nothing is left
    const auto result = static_equilibrium(rod, chain, move, {.first_step = 1.0});
    REQUIRE(result.iterations == 2);
    REQUIRE((chain.position(end) - target).norm() == 0.0);
    REQUIRE(unbalance(rod, chain) < 1e-7);
    for (Eigen::Index k = 0; k < 30; ++k) REQUIRE_THAT(rod.stress(chain, k).force[2], WithinRel(5e3, 1e-10));
  }
}

TEST_CASE("A stretched rod takes four turns of twist", "[statics]") {
  R rod = make_rod(24, Boundary<double>::clamped(), Boundary<double>::clamped(), {.stretch = 2e3});
  Chain<double> chain = rod.straight(V::Zero(), SO3<double>::identity(), 1.25);
  const auto twist = [](double factor, R& r, Chain<double>& moved) {
    const double half = 2 * turn * factor;
    moved.set_frame(r.elements(), SO3<double>::from_quaternion(std::cos(half), V(0, 0, std::sin(half))),
                    moved.position(r.elements()));
  };
  const auto result = static_equilibrium(rod, chain, twist, {.largest_step = 0.1});
  REQUIRE(result.load_steps >= 10);
  REQUIRE_THAT(elastic_energy(rod, chain),
               WithinRel(0.5 * 2e3 * 0.25 * 0.25 + 0.5 * 1.5 * 16 * turn * turn, 1e-12));
  REQUIRE_THAT(rod.stress(chain, 11).moment[2], WithinRel(1.5 * 4 * turn, 1e-11));
}

TEST_CASE("a rod keeps its loads where no equilibrium is found, and is none the worse for it", "[statics]") {
  R rod = cantilever(20);
  rod.set_loads(end_force(V(50, 0, -1)));
  const R before = rod;
  Chain<double> chain = straight(rod), again = chain;
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.iterations = 2, .smallest_step = 0.01}), NoConvergence);
  REQUIRE(rod.parameters().loads.finish.force == before.parameters().loads.finish.force);
  (void)static_equilibrium(rod, chain);
  (void)static_equilibrium(before, again);
  REQUIRE((chain.configuration - again.configuration).abs().maxCoeff() < 1e-9);
}

TEST_CASE("Rods in one call do not know of each other", "[statics]") {
  std::vector<R> rods{cantilever(12), cantilever(25, {.bending = 5.0})};
  const std::array<Loads<double>, 2> loads{end_force(V(3, 1, 0)), end_force(V(0, -8, 1))};
  std::vector<Chain<double>> chains{straight(rods[0]), straight(rods[1])};
  const auto path = [&](double factor, std::vector<R>& r, std::vector<Chain<double>>&) {
    for (std::size_t i = 0; i < 2; ++i) r[i].set_loads(loads[i].scaled(factor));
  };
  (void)static_equilibrium(rods, chains, path);
  for (std::size_t i = 0; i < 2; ++i) {
    R rod = rods[i];
    Chain<double> alone = straight(rod);
    rod.set_loads(loads[i]);
    (void)static_equilibrium(rod, alone);
    REQUIRE((alone.configuration - chains[i].configuration).topRows(rod.nodes()).abs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("A buckled column that may turn about its axis is neutral, and neither stable nor unstable",
          "[statics]") {
  const double critical = turn * turn / 4 * 2.0 / 4;  // π²EI/4L²
  for (const double stiff : {1e3, 1e7})
    for (const int elements : {20, 50, 200}) {
      CAPTURE(stiff, elements);
      R rod = cantilever(elements, {.shear = stiff, .stretch = stiff});
      Chain<double> chain = straight(rod);
      for (const double aside : {0.3, 0.0})  // pushed over, and let go
        (void)static_equilibrium(rod, chain, [&](double f, R& r, Chain<double>&) {
          const double before = 0.3 - aside;
          r.set_loads(end_force(
              V(aside > 0 ? aside * f : before * (1 - f), 0, -1.3 * critical * (aside > 0 ? f : 1))));
        });
      REQUIRE(chain.position(elements)[0] > 0.5);
      REQUIRE_THROWS_AS(unstable_directions(rod, chain), SingularPivot);
      rod.set_loads(end_force(V(0.3, 0, -1.3 * critical)));
      (void)static_equilibrium(rod, chain, [](double, R&, Chain<double>&) {});
      REQUIRE(unstable_directions(rod, chain) == 0);
    }
}

TEST_CASE("A column is stable below the load of Euler and falls to either side above it", "[statics]") {
  const double critical = turn * turn / 4 * 2.0 / 4;  // π²EI/4L²
  for (const double ratio : {0.5, 0.97, 1.03, 8.0, 10.0}) {
    CAPTURE(ratio);
    R rod = cantilever(40, {.shear = 1e7, .stretch = 1e7});
    rod.set_loads(end_force(V(0, 0, -ratio * critical)));
    Chain<double> chain = straight(rod);
    (void)static_equilibrium(rod, chain);
    REQUIRE(chain.position(40).head<2>().norm() < 1e-9);
    REQUIRE(unstable_directions(rod, chain) == (ratio < 1 ? 0 : ratio < 9 ? 2 : 4));
  }
  R rod = cantilever(40, {.shear = 1e7, .stretch = 1e7});
  Chain<double> chain = straight(rod);
  // a push from the side first, taken away when the column has given path
  const auto path = [&](double factor, R& r, Chain<double>&) {
    r.set_loads(end_force(V(factor < 1 ? 0.5 : 0.0, 0, -1.5 * critical * factor)));
  };
  (void)static_equilibrium(rod, chain, path, {.first_step = 0.1, .largest_step = 0.1});
  REQUIRE(chain.position(40)[0] > 0.3);
  REQUIRE(unbalance(rod, chain) < 1e-7);
}

TEST_CASE("A search that fails says why and leaves the last equilibrium", "[statics]") {
  R rod = cantilever(20);
  Chain<double> chain = straight(rod);
  const Chain<double> start = chain;
  SECTION("too few iterations") {
    rod.set_loads(end_force(V(400, 0, 0)));
    REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.iterations = 1, .smallest_step = 0.01}),
                      NoConvergence);
    REQUIRE((chain.configuration - start.configuration).abs().maxCoeff() == 0.0);
    try {
      (void)static_equilibrium(rod, chain, {.iterations = 1, .smallest_step = 0.01});
    } catch (const NoConvergence& e) {
      REQUIRE_THAT(e.what(), ContainsSubstring("beyond the load factor 0: the relative residual is ") &&
                                 ContainsSubstring(" after 1 iterations at t = "));
    }
  }
  SECTION("no equilibrium beyond a load") {
    const auto path = [](double factor, R& r, Chain<double>&) {
      r.set_loads(end_force(factor > 0.6 ? V(0, 0, std::nan("")) : V(factor, 0, 0)));
    };
    REQUIRE_THROWS_AS(static_equilibrium(rod, chain, path), NoConvergence);
    REQUIRE(chain.position(20)[0] > 0.0);
    REQUIRE(chain.finite());
    REQUIRE(rod.parameters().loads.finish.force[0] > 0.5);  // those of the equilibrium that it lies in
    REQUIRE(unbalance(rod, chain) < 1e-7);
  }
  SECTION("an end that goes nowhere") {
    R held = make_rod(20, Boundary<double>::clamped(), Boundary<double>::clamped());
    const auto path = [](double factor, R&, Chain<double>& c) {
      c.set_frame(20, c.rotation(20), V(0, 0, factor > 0.6 ? std::nan("") : 1 - 0.01 * factor));
    };
    REQUIRE_THROWS_WITH(
        static_equilibrium(held, chain, path),
        ContainsSubstring("statics: chain 0 = not finite") && ContainsSubstring("held frames"));
    REQUIRE(chain.finite());
    REQUIRE(unbalance(held, chain) < 1e-7);
  }
}

TEST_CASE("unstable directions are counted over numbers with derivatives too", "[statics]") {
  using D = Dual<double, 1>;
  typename ElasticRod<D>::Parameters p;
  p.elements = 10;
  p.length = D(1);
  p.inertia = {D(1), Vec<D, 3>(D(0.1), D(0.1), D(0.2))};
  p.start = Boundary<D>::clamped();
  Vec<D, 6> k;
  k << D(2e4), D(2e4), D(5e4), D(1), D(1), D(1);
  for (const double push : {1.0, 4.0}) {  // Euler's load is π²/4
    p.loads.finish.force = {D(0), D(0), D::variable(-push, 0)};
    const ElasticRod<D> rod(LinearElastic<D>(k), p);
    auto chain = rod.straight(Vec<D, 3>(D(0), D(0), D(0)), SO3<D>::identity());
    (void)static_equilibrium(rod, chain);  // pressed, but straight
    CHECK(unstable_directions(rod, chain) == (push > 2 ? 2 : 0));
  }
}

TEST_CASE("A search over rods that are free to move tells so", "[statics]") {
  using B = Boundary<double>;
  const auto message = [](std::vector<R> rods) {
    std::vector<Chain<double>> chains;
    for (R& rod : rods) {
      rod.set_loads(end_force(V(1, 2, 3)));
      chains.push_back(straight(rod));
    }
    const auto still = [](double, std::vector<R>&, std::vector<Chain<double>>&) {};
    try {
      (void)static_equilibrium(rods, chains, still, {.smallest_step = 0.1});
    } catch (const NoConvergence& e) {
      return std::string(e.what());
    }
    return std::string("an equilibrium");
  };
  const auto rod = [](const B& start, const B& finish) { return make_rod(20, start, finish); };
  const std::string none = "is held at neither end, so that rigid motions cost no energy";
  REQUIRE_THAT(message({rod(B::free(), B::free())}),
               ContainsSubstring("singular; rod 0 " + none + " at t = "));
  REQUIRE_THAT(message({cantilever(20), rod(B::free(), B::free())}),
               ContainsSubstring("; rod 1 " + none) && !ContainsSubstring("rod 0"));
  const B half = B::degrees({true, true, false, false, false, true});
  REQUIRE_THAT(message({rod(B::pinned(), B::free())}),
               ContainsSubstring("; rod 0 is held in 3 degrees of freedom, and a rigid motion has 6"));
  REQUIRE_THAT(message({rod(B::free(), half)}), ContainsSubstring("; rod 0 is held in 3 degrees"));
  REQUIRE_THAT(message({rod(B::pinned(), B::pinned())}),
               ContainsSubstring("; rod 0 is clamped at neither end: some rigid motion may cost no energy"));
  REQUIRE(message({cantilever(20)}) == "an equilibrium");
  REQUIRE(message({rod(half, B::clamped())}) == "an equilibrium");

  const R floating = rod(B::free(), B::free());
  try {
    (void)unstable_directions(floating, straight(floating));
    FAIL("each rigid motion is neutral");
  } catch (const SingularPivot& e) {
    REQUIRE_THAT(e.what(), ContainsSubstring(" of 21 is singular; rod 0 " + none));
  }
}

TEST_CASE("Options and chains that cannot be are refused", "[statics]") {
  R rod = cantilever(20);
  Chain<double> chain = straight(rod);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.tolerance = 0.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.step_tolerance = std::nan("")}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.iterations = 0}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.first_step = 1.5}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.first_step = 0.1, .smallest_step = 0.2}),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.largest_step = 0.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.largest_turn = 4.0}), std::invalid_argument);
  REQUIRE_THROWS_AS(static_equilibrium(rod, chain, {.largest_move = -1.0}), std::invalid_argument);
  Chain<double> other(11);
  REQUIRE_THROWS_WITH(static_equilibrium(rod, other), ContainsSubstring("nodes of chain 0"));
  chain.configuration(3, 1) = std::nan("");
  REQUIRE_THROWS_WITH(static_equilibrium(rod, chain), ContainsSubstring("not finite"));
  std::vector<R> two{rod, rod};
  std::vector<Chain<double>> one{straight(rod)};
  const auto still = [](double, std::vector<R>&, std::vector<Chain<double>>&) {};
  REQUIRE_THROWS_AS(static_equilibrium(two, one, still), std::invalid_argument);
}

}  // namespace statics_test
