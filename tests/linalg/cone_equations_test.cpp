#include <dalembert/linalg/detail/cone_equations.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/cone_problems.hpp"

namespace cone_equations_test {

using namespace dalembert;
using Problem = linalg::ConeProblem<double>;
using Base = linalg::detail::ConeEquations<double>;
using Eigen::Index;
using Dense = Eigen::MatrixXd;
using Numbers = Eigen::VectorXd;

/// The equations of a problem, each in units of its own rows.
struct Equations : Base {
  using Base::bound_, Base::by_bound_, Base::jams_, Base::u_;
  Base::Problem blocks;

  explicit Equations(const linalg::ConeProblem<double>& p) {
    blocks.take(p);
    p_ = &blocks;
    n_ = blocks.size();
    const auto inverse = [](double x) { return x > 0 ? 1 / x : 1.0; };
    row_rho_.resize(blocks.row(0));
    for (Index i = 0; i < blocks.row(0); ++i) row_rho_[i] = inverse(blocks.G.diagonal(i));
    for (std::size_t c = 0; c < p.friction.size(); ++c) {
      const Index i = blocks.row(c);
      rho_.push_back({inverse(blocks.G.diagonal(i)),
                      inverse(std::max(blocks.G.diagonal(i + 1), blocks.G.diagonal(i + 2)))});
    }
    jams_.assign(p.friction.size(), 0);
    forget_shift();
  }
  Numbers at(const Numbers& P) {
    Column F;
    const double square = equations(Column(P), F, false);
    CHECK(square == Approx(F.squaredNorm()));
    return F;
  }
  /// The slopes at P.
  Dense slopes(const Numbers& P) {
    Column F;
    (void)equations(Column(P), F, true);
    Dense all = Dense::Zero(n_, n_);
    each_slope([&](std::size_t i, std::size_t j, const double* block) {
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          all(row(i, r), row(j, c)) += block[linalg::detail::BlockShape::stride * r + c];
    });
    return all;
  }
  bool step(const Numbers& P, Numbers& F, Numbers& way) {
    Column f, s;
    const bool found = find_step(Column(P), f, s, false);
    F = f;
    way = s;
    return found;
  }
};

/// A random problem, impulses that fit nothing, and their unit.
struct Scene {
  Problem problem;
  Equations equations;
  double unit;
  Numbers P;

  explicit Scene(test::RandomCones& random)
      : problem(random.problem(true)), equations(problem), unit(problem.b.norm() / problem.G.norm()) {
    P = Numbers::Zero(equations.blocks.size());
    for (Index i = 0; i < P.size(); ++i)
      if (i < problem.held || i >= equations.blocks.row(0)) P[i] = unit * random.between(-0.5, 1);
  }
};

TEST_CASE("the equations of a cone problem vanish where it is solved", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  for (int round = 0; round < 100; ++round) {
    Scene s(random);
    for (double& mu : s.equations.blocks.friction)
      if (!std::isfinite(mu)) mu = s.problem.friction[0] = 0.7;
    s.problem.friction = s.equations.blocks.friction;
    const auto found = linalg::solve_cone_problem(s.problem);
    if (!found.converged) continue;
    Base::Problem::Column P;
    s.equations.blocks.to_blocks(found.P, P);
    CHECK(s.equations.at(P).norm() <= 1e-8 * (P.norm() + s.unit));
    CHECK(s.equations.at(s.P).norm() > 1e-6 * s.P.norm());
  }
}

TEST_CASE("their slopes are those of differences, where contacts stick, slip, part or jam",
          "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  for (int round = 0; round < 200; ++round) {
    Scene s(random);
    auto& e = s.equations;
    if (round % 4 == 0) e.jams_[0] = 1;
    if (round % 3 == 0) e.bound_ = 0.4;
    const Dense slopes = e.slopes(s.P);
    const Numbers by_bound = e.by_bound_;
    const double h = 1e-7;
    int corners = 0;  // entries with one in between
    for (Index k = 0; k < s.P.size(); ++k) {
      Numbers ahead = s.P, behind = s.P;
      ahead[k] += h * s.unit;
      behind[k] -= h * s.unit;
      const Numbers wanted = (e.at(ahead) - e.at(behind)) / (2 * h * s.unit);
      for (Index r = 0; r < s.P.size(); ++r)
        corners += std::abs(slopes(r, k) - wanted[r]) > 1e-5 * (1 + std::abs(slopes(r, k)) + slopes.norm());
    }
    CHECK(corners <= (e.jams_[0] ? 2 : 0));  // a row of one that jams is over its force, which stays
    if (!std::isfinite(e.bound_)) continue;
    e.bound_ += h;
    const Numbers above = e.at(s.P);
    e.bound_ -= 2 * h;
    CHECK(((above - e.at(s.P)) / (2 * h) - by_bound).norm() < 1e-5 * (s.P.norm() + by_bound.norm()));
  }
}

TEST_CASE("a step of Newton's method is one by these slopes, or by those of a little more",
          "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  for (const bool regular : {true, false})
    for (int round = 0; round < 100; ++round) {
      Scene s(random);
      if (!regular) {  // rows may follow from others
        const Problem p = random.problem(false);
        s.problem = p;
      }
      Equations e(s.problem);
      const Numbers P = Numbers::Constant(e.blocks.size(), 0.1 * s.unit);
      Numbers F, way;
      if (!e.step(P, F, way)) continue;
      CHECK((F - e.at(P)).norm() <= 1e-12 * F.norm());
      const double left = (e.slopes(P) * way - F).norm();
      CHECK(left < 1e-5 * (F.norm() + way.norm()));
    }
}

TEST_CASE("a shift is raised until it is large, and then no more", "[linalg][cone]") {
  test::RandomCones random{std::mt19937(test::seed())};
  struct Shifting : Equations {
    using Base::raise_shift, Base::forget_shift;
    using Equations::Equations;
  };
  Shifting e(random.problem(true));
  int raised = 0;
  while (e.raise_shift() && raised < 50) {
    Numbers F, way;
    ++raised;
    (void)e.step(Numbers::Zero(e.blocks.size()), F, way);
  }
  CHECK(raised > 1);
  CHECK(raised < 10);
  e.forget_shift();
  CHECK(e.raise_shift());
}

}  // namespace cone_equations_test
