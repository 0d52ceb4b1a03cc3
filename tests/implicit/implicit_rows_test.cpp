// The rows of an implicit step beside their equations in plain matrices, and their derivatives beside
// differences.

#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/implicit/detail/implicit_nodes.hpp>
#include <dalembert/implicit/detail/implicit_rows.hpp>
#include <dalembert/rod/implicit.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace implicit_rows_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Rod = rod::ElasticRod<double>;
using Rolling = contact::RollingContact<double>;
using Slipping = contact::Frictional<Rolling>;
using Column = Vec<double, Eigen::Dynamic>;
using Rows = ImplicitRows<double>;
using Eigen::Index;
using V = Vec<double, 3>;

constexpr int elements = 14, nodes = elements + 1;
constexpr double epsilon = 0.3, h = 0.2;

struct Ask {
  LoadsAt loads = LoadsAt::middle;
  double size = 0.003;  ///< of displacements and velocities
  bool integrated = false, bilateral = true;
};

/// Two bent rods under two constraints of the same kind that touch at the beginning of a step, which goes
/// anywhere near by.
template <class C>
struct Scene {
  Rod rod = test::soft_rod<Rod>(0.005, elements);
  test::Random random{test::seed()};
  State<double> from, middle, end;
  std::vector<C> list;
  std::unique_ptr<ImplicitOfConstraint<C>> kind, other;
  std::array<ImplicitKind<double>*, 1> view{};
  std::unique_ptr<Rows> rows;
  Inertias<double> inertia{};
  Rows::Step step;
  NodeNumbers<double> moved, f;
  V normal;  ///< Cᵀ at the beginning

  explicit Scene(const Ask& ask) : step{h, ask.loads, 1 / h, 2 / (h * h), {}, {}} {
    for (int i = 0; i < 2; ++i) {
      rod::Chain<double> chain(nodes);
      moved.chains.push_back(rod::zero_columns<double, 6>(nodes));
      for (Index k = 0; k < nodes; ++k) {
        const double along = static_cast<double>(k) / elements - 0.5;
        const V at = i == 0 ? V(along, 0.1 * along * along, 0.1 * along)
                            : V(0.2 * along, along, 0.3 + 0.1 * std::sin(2 * along));
        chain.set_frame(k, SO3<double>::exp(random.vector<double>()), at);
        chain.set_velocity(k, V(ask.size * random.vector<double>()), V(ask.size * random.vector<double>()));
        for (int j = 0; j < 6; ++j) moved[static_cast<std::size_t>(i)](k, j) = ask.size * random();
      }
      from.chains.push_back(chain);
      inertia.add(rod);
    }
    from.z = Column::Constant(4, 0.45);
    make(0.1, false, true);
    kind->solve_tangencies(from, 0);
    const PlacedConstraint<C> placed(list[0], from, 0);
    const V kappa = placed.evaluation.points[1].R - placed.evaluation.points[0].R;
    make(0.5 * kappa.norm(), ask.integrated, ask.bilateral);
    for (int r = 0; r < 3; ++r) normal[r] = placed.evaluation.along(0, r);
    middle = end = from;
    rows->start(from, step, middle, end);
  }
  void make(double radius, bool integrated, bool bilateral) {
    Rolling c{{0, rod, 0.15}, {1, rod, 0.1}, radius, radius, bilateral};
    c.integrate_positions = integrated;
    list.clear();
    for (int i = 0; i < 2; ++i)
      if constexpr (std::is_same_v<C, Slipping>)
        list.push_back(contact::with_friction(c, epsilon));
      else
        list.push_back(c);
    kind = std::make_unique<ImplicitOfConstraint<C>>(list);
    other = std::make_unique<ImplicitOfConstraint<C>>(list);
    view = {kind.get()};
    rows = std::make_unique<Rows>(view);
  }
  /// −f, then what is left of the rows.
  Column find(const NodeNumbers<double>& by, const Column& lambda) {
    const bool halfway = step.loads != LoadsAt::end;
    f = by;
    f.set_zero();
    for (std::size_t b = 0; b < 2; ++b) {
      for (Index k = 0; k < nodes; ++k)
        place_node(from[b].configuration, by[b], k, halfway, middle[b].configuration, end[b].configuration);
      if (!halfway) middle[b].configuration = end[b].configuration;
      middle[b].velocity = step.velocity * by[b];
    }
    rows->multipliers() = lambda;
    rows->find(from, step, inertia, by, middle, end, f);
    Column out(12 * nodes + 6);
    for (std::size_t b = 0; b < 2; ++b)
      for (Index k = 0; k < nodes; ++k)
        for (int j = 0; j < 6; ++j) out[at(b, k) + j] = -f[b](k, j);
    out.tail(6) = rows->left();
    return out;
  }
  [[nodiscard]] static Index at(std::size_t b, Index k) { return 6 * (static_cast<Index>(b) * nodes + k); }
  /// ṡ of the second constraint.
  [[nodiscard]] V rates(const State<double>& x) {
    double rate[3] = {};
    other->place(1, x, 2);
    other->find_rate(1, x, false, rate);
    return V(rate[0], rate[1], 0);
  }
};

template <class C>
void check_equations(LoadsAt loads) {
  CAPTURE(static_cast<int>(loads));
  Scene<C> s({.loads = loads});
  Column lambda(6);
  for (double& one : lambda) one = s.random();
  const Column found = s.find(s.moved, lambda);
  NodeNumbers<double> expected = s.f;
  expected.set_zero();
  double work = 0, all = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    CAPTURE(i);
    const int z = 2 * static_cast<int>(i);
    s.other->place(i, s.middle, z);
    const auto& along = s.other->rows(i);
    const V c(along.along(0, 0), along.along(0, 1), along.along(0, 2)), lift = c / c.squaredNorm();
    V u;
    s.other->find_velocities(i, s.middle, s.inertia, u.data());
    const double before = *s.other->place_end(i, s.from, z);
    const double after = *s.other->place_end(i, s.end, z);
    CHECK(std::abs(before) < 1e-13);
    CHECK(std::abs(after) > 1e-7);
    const V mine = lambda.segment<3>(3 * static_cast<Index>(i));
    V left = u - lift * (c.dot(u) - s.step.velocity * after);
    if (std::is_same_v<C, Slipping>) left += epsilon * (mine - lift * c.dot(mine));
    CHECK((found.segment<3>(12 * nodes + 3 * static_cast<Index>(i)) - left).norm() < 1e-12 * u.norm());
    s.other->add_loads(i, mine.data(), s.middle, s.inertia, expected);
    all += h * mine.dot(u);
    if (loads == LoadsAt::between) work += lift.dot(mine) * (after - before - h * c.dot(u));
    for (const State<double>* x : {&s.middle, &s.end}) {  // they touch where they are nearest
      const PlacedConstraint<C> placed(s.list[i], *x, z);
      const auto& [a, b] = placed.evaluation.points;
      CHECK(std::abs((b.R - a.R).dot(a.dR)) + std::abs((b.R - a.R).dot(b.dR)) < 1e-12);
    }
  }
  if (loads == LoadsAt::between) {
    double done = 0;
    for (std::size_t b = 0; b < 2; ++b) done += (s.f[b] * s.moved[b]).sum();
    CHECK(std::abs(work) > 1e-10);
    CHECK(std::abs(done - all - work) < 1e-6 * std::abs(work) + 1e-15);
  } else {
    for (std::size_t b = 0; b < 2; ++b) CHECK((s.f[b] - expected[b]).abs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("what is left of rows in an implicit step is what their equations say", "[implicit][contact]") {
  for (const LoadsAt loads : {LoadsAt::middle, LoadsAt::end, LoadsAt::between}) {
    check_equations<Rolling>(loads);
    check_equations<Slipping>(loads);
  }
}

template <class C>
void check_derivatives(LoadsAt loads) {
  CAPTURE(static_cast<int>(loads));
  constexpr bool slips = std::is_same_v<C, Slipping>;
  Scene<C> s({.loads = loads, .size = 1e-5});
  // How friction turns with the rows is left out; a pull that turns with them is one of other multipliers.
  const double fraction = loads == LoadsAt::end ? 1.0 : 0.5;
  Column lambda(6);
  lambda << 3 * s.normal, -2 * s.normal;
  if (slips) lambda.setZero();
  (void)s.find(s.moved, lambda);

  const std::vector<std::size_t> begin{0, nodes};
  constexpr std::size_t first = 2 * nodes;
  std::vector<int> sizes(first, 6);
  s.rows->add_blocks(sizes);
  REQUIRE(sizes.size() == first + 2);
  CHECK(sizes.back() == 3);
  Rows::LU lu;
  lu.start(sizes, first);
  s.rows->add_pattern(begin, first, lu);
  lu.find_pattern();
  lu.set_zero();
  constexpr Index n = 12 * nodes;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + 6, n + 6);
  const auto& windows = s.kind->rows(0).view.windows;
  const std::size_t held_node = static_cast<std::size_t>(windows[1].first + 1) + nodes;
  s.rows->add_to(
      s.step, begin, first, [&](std::size_t node, int i) { return node == held_node && i == 2; }, lu,
      [&](std::size_t k, std::size_t l, const Mat<double, 6, 6>& K) {
        (void)lu.block(k, l);  // there is room for it
        J.block<6, 6>(6 * static_cast<Index>(k), 6 * static_cast<Index>(l)) += fraction * K;
      });
  using Wide = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
  using Tall = Eigen::Matrix<double, 6, 3, Eigen::RowMajor>;
  for (std::size_t c = 0; c < 2; ++c) {
    const Index row = n + 3 * static_cast<Index>(c);
    const RowsView<double>& view = s.kind->rows(c).view;
    for (int place = 0; place < 2; ++place) {
      const Window& w = view.windows[place];
      for (Index k = w.first; k < w.first + w.count; ++k) {
        const std::size_t node = begin[w.body] + static_cast<std::size_t>(k);
        const Index column = 6 * static_cast<Index>(node);
        J.block<3, 6>(row, column) = Eigen::Map<const Wide>(lu.block(first + c, node));
        J.block<6, 3>(column, row) = Eigen::Map<const Tall>(lu.block(node, first + c));
      }
    }
    J.block<3, 3>(row, row) =
        Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(lu.block(first + c, first + c));
  }
  const Index held = 6 * static_cast<Index>(held_node) + 2;
  CHECK(J.row(held).tail(6).norm() == 0);
  const Eigen::MatrixXd pulls = J.topRightCorner(n, 6);
  for (const bool by_multipliers : {false, true}) {
    CAPTURE(by_multipliers);
    Column direction = Column::Zero(n + 6);
    for (Index i = by_multipliers ? n : 0; i < (by_multipliers ? n + 6 : n); ++i) direction[i] = s.random();
    const auto at = [&](double by) {
      NodeNumbers<double> there = s.moved;
      for (std::size_t b = 0; b < 2; ++b)
        for (Index k = 0; k < nodes; ++k)
          for (int j = 0; j < 6; ++j) there[b](k, j) += by * direction[s.at(b, k) + j];
      return s.find(there, Column(lambda + by * direction.tail(6)));
    };
    Column change = (at(1e-5) - at(-1e-5)) / 2e-5, told = J * direction;
    change[held] = told[held] = 0;
    CHECK((change - told).tail(6).norm() < 3e-3 * change.tail(6).norm() + 1e-9);
    CHECK((change.tail(6).norm() > 1e-3) == (!by_multipliers || slips));
    Column apart = (change - told).head(n);
    if (!by_multipliers) apart -= pulls * pulls.colPivHouseholderQr().solve(apart);
    CHECK(apart.norm() < 3e-3 * change.head(n).norm() + 1e-9);
    CHECK((change.head(n).norm() > 0.1) == (by_multipliers || !slips));
  }
}

TEST_CASE("the matrix of an implicit step has the derivatives of its rows and of their pull",
          "[implicit][contact]") {
  for (const LoadsAt loads : {LoadsAt::middle, LoadsAt::end}) {
    check_derivatives<Rolling>(loads);
    check_derivatives<Slipping>(loads);
  }
}

TEST_CASE("places begin a step as they went in the last one, until that is forgotten",
          "[implicit][contact]") {
  for (const LoadsAt loads : {LoadsAt::middle, LoadsAt::end, LoadsAt::between}) {
    Scene<Rolling> s({.loads = loads});
    const Column lambda = Column::LinSpaced(6, 1, 2);
    (void)s.find(s.moved, lambda);
    CHECK((s.middle.z - s.from.z).norm() > 1e-5);
    State<double> middle = s.from, end = s.from;
    s.rows->start(s.from, s.step, middle, end);
    CHECK((middle.z - s.middle.z).norm() < 1e-14);
    const double ahead = loads == LoadsAt::end ? 1 : 2;
    CHECK((end.z - s.from.z - ahead * (s.middle.z - s.from.z)).norm() < 1e-14);
    CHECK(s.rows->multipliers() == lambda);
    s.rows->forget();
    s.rows->start(s.from, s.step, middle, end);
    CHECK(middle.z == s.from.z);
    CHECK(end.z == s.from.z);
    CHECK(s.rows->multipliers().norm() == 0);
  }
}

TEST_CASE("places that follow their rates go at those of the middle of a step, or at the mean of both ends",
          "[implicit][contact]") {
  for (const LoadsAt loads : {LoadsAt::middle, LoadsAt::end, LoadsAt::between}) {
    CAPTURE(static_cast<int>(loads));
    Scene<Rolling> s({.loads = loads, .integrated = true});
    const V before = s.rates(s.from);
    for (int i = 0; i < 80; ++i) (void)s.find(s.moved, Column::Zero(6));
    const V now = s.rates(s.middle), mean = loads == LoadsAt::end ? V((before + now) / 2) : now;
    CHECK((now - before).norm() > 1e-3 * now.norm());
    const Vec<double, 2> gone = (s.end.z - s.from.z).tail(2), half = (s.middle.z - s.from.z).tail(2);
    CHECK((gone - h * mean.head<2>()).norm() < 1e-11);
    CHECK((half - (loads == LoadsAt::end ? h : h / 2) * mean.head<2>()).norm() < 1e-11);
    CHECK(gone.norm() > 1e-5);
  }
}

TEST_CASE("an implicit step knows when constraints pass on to other nodes", "[implicit][contact]") {
  Scene<Rolling> s({});
  const Column lambda = Column::Zero(6);
  (void)s.find(s.moved, lambda);
  CHECK(s.rows->moved());
  CHECK_FALSE(s.rows->moved());
  (void)s.find(s.moved, lambda);
  CHECK_FALSE(s.rows->moved());
  for (Index k = 0; k < nodes; ++k) s.from[1].configuration(k, 0) -= 0.08;
  (void)s.find(s.moved, lambda);
  CHECK(s.rows->moved());
  CHECK_FALSE(s.rows->moved());
}

TEST_CASE("how far rounding of rows moves nodes is found once in a step", "[implicit][contact]") {
  Scene<Rolling> s({});
  const Column lambda = Column::Zero(6);
  (void)s.find(s.moved, lambda);
  double expected = 0;
  for (std::size_t i = 0; i < 2; ++i) expected += square_of_placing<double>(*s.kind, i, s.inertia);
  CHECK(expected > 0);
  CHECK(s.rows->placed() == Approx(expected).epsilon(1e-14));
  const double once = s.rows->placed();
  NodeNumbers<double> more = s.moved;
  for (auto& columns : more.chains) columns *= 2;
  (void)s.find(more, lambda);
  CHECK(s.rows->placed() == once);
  s.rows->start(s.from, s.step, s.middle, s.end);
  (void)s.find(more, lambda);
  CHECK(s.rows->placed() != once);
  CHECK(s.rows->placed() == Approx(once).epsilon(0.1));
}

TEST_CASE("an implicit step refuses a contact that pulls, whichever it is", "[implicit][contact]") {
  Scene<Rolling> s({.size = 1e-5, .bilateral = false});
  int refused = 0;
  for (const double one : {-1.0, 1.0})
    for (const double two : {-1.0, 1.0}) {
      Column lambda(6);
      lambda << one * s.normal, two * s.normal;
      (void)s.find(s.moved, lambda);
      try {
        s.rows->check(s.middle);
      } catch (const ContactOpened&) {
        ++refused;
      }
    }
  CHECK(refused == 3);
}

}  // namespace implicit_rows_test
