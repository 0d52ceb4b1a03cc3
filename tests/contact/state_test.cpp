#include <dalembert/contact/state.hpp>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/contact_case.hpp"

using namespace dalembert;

namespace contact_state_test {

using V = Vec<double, 3>;
using Case =
    test::ContactCaseOf<double, contact::CubicSpline, contact::SpatialSmearing, contact::CentrelineTangency>;
using Problem = std::remove_cvref_t<decltype(std::declval<const Case&>().problem())>;
using Contact = contact::RollingContact<double>;
using Catch::Matchers::ContainsSubstring;

const test::PairOptions options{.elements = 40, .radius1 = 0.02, .radius2 = 0.03, .kernel_width = 0.05};

Problem::State start_of(const Case& model) {
  test::Random random(test::seed());
  const auto pair = model.pair(random, true);
  return model.problem().state(pair.chains, pair.contact);
}

TEST_CASE("a contact that was made for other rods is refused where the problem is made", "[contact][shape]") {
  const Case model("model", options);
  const auto& rods = model.problem().rods();
  const Contact& contact = model.problem().coupling();
  CHECK_THROWS_WITH(Problem({rods[0]}, contact), ContainsSubstring("rods = 1, but a contact joins two rods"));
  CHECK_THROWS_WITH(Problem({rods[0], rods[1], rods[1]}, contact), ContainsSubstring("rods = 3, but"));
  auto finer = options;
  finer.elements = 50;
  const Case other("other", finer);
  CHECK_THROWS_WITH(Problem(rods, other.problem().coupling()),
                    ContainsSubstring("nodes of rod 0 = 41, but the contact was made for a rod with 51"));
  CHECK_THROWS_WITH(Problem({rods[0], other.problem().rods()[1]}, contact),
                    ContainsSubstring("nodes of rod 1 = 54, but the contact was made for a rod with 44"));
  auto heavier = rods[1].parameters();
  heavier.inertia.mass *= 2;
  const std::remove_cvref_t<decltype(rods[1])> heavy(rods[1].material(), heavier);
  CHECK_THROWS_WITH(Problem({rods[0], heavy}, contact), ContainsSubstring("spacing and masses of rod 1"));
  auto longer = rods[0].parameters();
  longer.length *= 2;
  longer.inertia.mass /= 2;
  longer.inertia.rotary /= 2;
  const std::remove_cvref_t<decltype(rods[1])> stretched(rods[0].material(), longer);
  CHECK_THROWS_WITH(Problem({stretched, rods[1]}, contact), ContainsSubstring("spacing and masses of rod 0"));
  CHECK_NOTHROW(Problem(rods, contact));
}

TEST_CASE("a contact that was not located, or on other rods, is refused at every entry", "[contact][shape]") {
  const Case model("model", options);
  const auto& problem = model.problem();
  const auto start = start_of(model);
  const auto at_entries = [&](Problem::State x, const std::string& text) {
    auto rates = problem.make_rates();
    CHECK_THROWS_WITH(problem.rates(x, rates), ContainsSubstring(text));
    CHECK_THROWS_WITH(problem.state(x.chains, x.internal), ContainsSubstring(text));
    CHECK_THROWS_WITH(problem.constraint(x), ContainsSubstring(text));
    CHECK_THROWS_WITH(problem.project(x), ContainsSubstring(text));
    CHECK_THROWS_WITH(Verlet{}.stepper(problem, x), ContainsSubstring(text));
    CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 1e-5, .until = 1e-4}), ContainsSubstring(text));
    CHECK_THROWS_WITH(drive(RungeKutta4{}, problem, x, {.step = 1e-5, .until = 1e-4}),
                      ContainsSubstring(text));
  };
  auto x = start;
  x.internal = {};
  at_entries(x, "contact position on rod 0 is not known");
  x = start;
  x.internal.point[1] = {};
  at_entries(x, "contact position on rod 1 is not known");
  for (const Eigen::Index first : {-1, 37, 1000}) {  // a window of eight nodes of 44
    x = start;
    x.internal.point[1].first = first;
    at_entries(x, "window on rod 1");
  }
  x = start;
  x.internal.point[1].first = 36;
  CHECK_NOTHROW(problem.check_state(x));
  x.internal.point[0].packs += 1;
  at_entries(x, "window on rod 0");
}

TEST_CASE("what is not finite is blamed on nothing else", "[contact]") {
  auto how = options;
  how.bilateral = false;
  const Case model("model", how);
  const auto& problem = model.problem();
  const auto start = start_of(model);
  auto rates = problem.make_rates();
  const double nan = std::nan("");
  for (std::size_t i = 0; i < 2; ++i) {
    auto x = start;
    x.internal.s[static_cast<Eigen::Index>(i)] = nan;
    CHECK_FALSE(x.is_finite_throughout());
    CHECK_THROWS_AS(problem.solve_algebraic(x), NotFinite);
    CHECK_THROWS_WITH(problem.solve_algebraic(x),
                      ContainsSubstring("the contact position on rod " + std::to_string(i + 1) + " is nan"));
    x = start;
    // the contact's own nodes: a position, a rotation, a velocity
    const auto k = x.internal.point[i].first + 1;
    x.chains[i].configuration(k, 1) = nan;
    CHECK_THROWS_AS(problem.solve_algebraic(x), NotFinite);
    CHECK_THROWS_AS(problem.project(x), NotFinite);
    CHECK_THROWS_AS(problem.constraint(x), NotFinite);
    x = start;
    x.chains[i].velocity(k, 4) = nan;
    CHECK_THROWS_AS(problem.rates(x, rates), NotFinite);
    x = start;
    x.chains[i].configuration(k, 4) = nan;
    CHECK_THROWS_AS(problem.rates(x, rates), NotFinite);
  }
  for (const int entry : {0, 1, 2, 3}) {
    auto internal = start.internal;
    (entry == 0   ? internal.s[1]
     : entry == 1 ? internal.normal[2]
     : entry == 2 ? internal.rate[0]
                  : internal.earlier_rate[1]) = nan;
    CHECK_FALSE(internal.is_finite());
  }
  CHECK(start.internal.is_finite());
}

TEST_CASE("after a projection over a long way the contact moves as one that is placed anew", "[contact]") {
  for (const bool integrate : {false, true}) {
    auto how = options;
    how.integrate_positions = integrate;
    const Case model("model", how);
    const auto& problem = model.problem();
    auto x = start_of(model);
    for (Eigen::Index k = 0; k < x.chains[1].nodes; ++k)
      x.chains[1].configuration.row(k).head<3>() += 0.01 * x.internal.normal.transpose().array();
    problem.solve_algebraic(x);
    CHECK(problem.constraint(x).position > 0.009);
    (void)problem.project(x);
    CHECK(problem.constraint(x).position < 1e-15);
    auto placed = x;
    problem.coupling().place(placed.chains, placed.internal, 0.0);
    auto rates = problem.make_rates();
    problem.rates(x, rates);
    const Vec<double, 2> left = rates.lambda.rate;
    problem.rates(placed, rates);
    CAPTURE(integrate, left.transpose(), rates.lambda.rate.transpose());
    CHECK(rates.lambda.rate.norm() > 0.1);
    CHECK((left - rates.lambda.rate).norm() < 1e-9 * rates.lambda.rate.norm());
    for (std::size_t i = 0; i < 2; ++i)
      CHECK((x.internal.point[i].ddR - placed.internal.point[i].ddR).norm() <
            1e-9 * placed.internal.point[i].ddR.norm());
  }
}

}  // namespace contact_state_test
