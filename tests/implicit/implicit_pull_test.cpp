// The pull along the motion by which position rows do no work in steps of discrete gradients: the work that it
// does, where it acts and how far it goes at most.

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/implicit/detail/implicit_pull.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/crossing_by_nodes.hpp"
#include "support/rods.hpp"

namespace implicit_pull_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Eigen::Index;

/// Two bent rods, the first of them clamped, that move anyhow, and a constraint on them.
template <class C>
struct Scene {
  Rod rod = test::soft_rod<Rod>(0.005, 14), clamped = make_clamped();
  test::Random random{test::seed()};
  State<double> x;
  std::vector<C> list;
  ImplicitOfConstraint<C> kind;
  Inertias<double> inertia{};
  NodeNumbers<double> moved, none;
  Column lambda;

  /// Of rods that are so many times as heavy, and as slow to turn.
  explicit Scene(const auto& make, double heavy = 1, double slow = 1) : list{make(clamped, rod)}, kind(list) {
    for (const double side : {-0.2, 0.2}) {
      x.chains.push_back(test::random_chain(rod, Mat<double, 3>::Identity(), random));
      for (Index k = 0; k < 15; ++k) x.chains.back().configuration(k, 0) += side;
      moved.chains.push_back(rod::zero_columns<double, 6>(15));
    }
    none = moved;
    for (const Rod& one : {clamped, rod}) {
      auto p = one.parameters();
      p.inertia.mass *= heavy;
      p.inertia.rotary *= slow;
      inertia.add(Rod(one.material(), p));
    }
    for (auto& columns : moved.chains)
      for (Index k = 0; k < 15; ++k)
        for (int i = 0; i < 6; ++i) columns(k, i) = random();
    x.z = Column::Constant(kind.sizes.slides, 0.2);
    kind.place(0, x, 0);
    lambda = Column::Zero(kind.sizes.rows);
    for (double& l : lambda) l = random();
  }
  static Rod make_clamped() {
    Rod::Parameters p;
    p.start = rod::Boundary<double>::clamped();
    return test::soft_rod<Rod>(0.005, 14, p);
  }

  [[nodiscard]] NodeNumbers<double> pull(double work) const {
    NodeNumbers<double> f = none;
    pull_along_motion(kind, 0, work, lambda.data(), inertia, moved, f);
    return f;
  }
  /// Σ over all numbers of f g, and of M⁻¹ f g.
  [[nodiscard]] static double product(const NodeNumbers<double>& f, const NodeNumbers<double>& g) {
    double sum = 0;
    for (std::size_t b = 0; b < 2; ++b)
      for (Index k = 0; k < 15; ++k)
        for (int i = 0; i < 6; ++i) sum += f[b](k, i) * g[b](k, i);
    return sum;
  }
  [[nodiscard]] double response(const NodeNumbers<double>& f) const {
    NodeNumbers<double> moves = f;
    for (std::size_t b = 0; b < 2; ++b)
      for (Index k = 0; k < 15; ++k)
        for (int i = 0; i < 6; ++i) moves[b](k, i) *= inertia[b].inverse(k, i);
    return product(f, moves);
  }
  /// A_Vᵀλ.
  [[nodiscard]] NodeNumbers<double> loads(const Column& of) const {
    NodeNumbers<double> f = none;
    kind.add_loads(0, of.data(), x, inertia, f);
    return f;
  }
};

/// `power` of the weights is how much of a node takes part.
template <class C>
void check(const char* name, const auto& make, int power, double heavy) {
  CAPTURE(name, heavy);
  Scene<C> s(make, heavy, heavy);
  const auto& view = s.kind.rows(0).view;
  double size = 0;  // Σ share m Δ²
  NodeNumbers<double> shape = s.none;
  bool held = false;
  for (int place = 0; place < view.places; ++place) {
    const Window& w = view.windows[place];
    for (Index k = w.first; k < w.first + w.count; ++k)
      for (int i = 0; i < 6; ++i) {
        const double inverse = s.inertia[w.body].inverse(k, i), x = s.moved[w.body](k, i);
        held = held || inverse == 0;
        if (inverse == 0) continue;
        shape[w.body](k, i) = std::pow(s.kind.rows(0).weight(w, k), power) * x / inverse;
        size += shape[w.body](k, i) * x;
      }
  }
  CHECK(held == (s.kind.sizes.slides == 0));  // the joint is at the clamped end
  const double strength = s.response(s.loads(s.lambda));
  const double most = 0.25 * std::sqrt(strength * size);
  REQUIRE(most > 0);
  for (const double work : {0.3 * most, -0.3 * most, 0.99 * most, 1.01 * most, 50 * most, -50 * most}) {
    CAPTURE(work / most);
    const auto f = s.pull(work);
    const double done = s.product(f, s.moved), expected = std::clamp(work, -most, most);
    CHECK(std::abs(done - expected) < 1e-12 * most);
    for (std::size_t b = 0; b < 2; ++b)
      for (Index k = 0; k < 15; ++k)
        for (int i = 0; i < 6; ++i)
          REQUIRE(std::abs(f[b](k, i) - expected / size * shape[b](k, i)) <
                  1e-12 * std::abs(expected) / size * std::abs(shape[b](k, i)) + 1e-300);
  }
  // where next to nothing moves, the work that is left is round-off
  for (auto& columns : s.moved.chains) columns *= 1e-30;
  CHECK(std::abs(s.product(s.pull(1e-30), s.moved)) < 1e-40);
  for (auto& columns : s.moved.chains) columns *= 1e30;

  // how far the rounding of φ moves nodes
  double expected = 0;
  s.kind.find_places(0);
  const Column sizes = s.kind.rows(0).error_sizes;
  REQUIRE(sizes.size() == s.kind.sizes.positions);
  for (int p = 0; p < s.kind.sizes.positions; ++p) {
    Column row(s.kind.sizes.rows);
    for (int r = 0; r < s.kind.sizes.rows; ++r) row[r] = s.kind.rows(0).along(p, r);
    expected += sizes[p] * sizes[p] / s.response(s.loads(row));
  }
  CHECK(std::abs(square_of_placing(s.kind, 0, s.inertia) / expected - 1) < 1e-12);
}

/// Where next to nothing moves, displacements count as no less than their rounding, turns as what they are.
template <class C>
void check_rounding(const auto& make) {
  Scene<C> s(make, 1, 1e12);
  const auto& rows = s.kind.rows(0);
  for (auto& columns : s.moved.chains) columns *= 1e-30;
  const double length = s.kind.length(0),
               rounding = 16 * std::numeric_limits<double>::epsilon() * length * length;
  double size = 0, turns = 0, expected = 0;
  for (int place = 0; place < rows.view.places; ++place) {
    const Window& w = rows.view.windows[place];
    for (Index k = w.first; k < w.first + w.count; ++k)
      for (int i = 0; i < 6; ++i) {
        const double inverse = s.inertia[w.body].inverse(k, i), x = s.moved[w.body](k, i);
        if (inverse == 0) continue;
        const double share = std::pow(rows.weight(w, k), 2);
        (i < 3 ? size : turns) += share * rounding / inverse;
        expected += share * x * x / inverse;
      }
  }
  CHECK(turns > 100 * size);
  const double work = 1e-25;
  const double done = s.product(s.pull(work), s.moved) / (work * expected / size);
  CHECK(done > 0.5);  // but for a factor that nobody knows of rounding
  CHECK(done < 2);
}

TEST_CASE("the pull along a motion does the work that is left, as far as a part of the reaction could",
          "[assembly][implicit]") {
  for (const double heavy : {1.0, 1e8}) {
    check<contact::RollingContact<double>>(
        "crossing",
        [](const Rod& one, const Rod& two) {
          return contact::RollingContact<double>{{0, one, 0.1}, {1, two, 0.1}, 0.005, 0.005};
        },
        2, heavy);
    check<SphericalJoint<double>>(
        "joint",
        [](const Rod&, const Rod&) {
          return SphericalJoint<double>{{0, 0, {0.01, 0.02, 0}}, {1, 7, {0, 0.02, 0.01}}};
        },
        2, heavy);
    check<test::CrossingByNodes>(
        "node by node",
        [](const Rod& one, const Rod& two) {
          return test::CrossingByNodes{
              contact::RollingContact<double>{{0, one, 0.1}, {1, two, 0.1}, 0.005, 0.005}};
        },
        0, heavy);
  }
  check_rounding<contact::RollingContact<double>>([](const Rod& one, const Rod& two) {
    return contact::RollingContact<double>{{0, one, 0.1}, {1, two, 0.1}, 0.005, 0.005};
  });
}

}  // namespace implicit_pull_test
