#include <dalembert/integrate/tableau.hpp>
#include <dalembert/integrate/tableau_dop853.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/catch.hpp"

namespace tableau_test {

using namespace dalembert;

using Number = long double;
using Numbers = std::vector<Number>;

/// A rooted tree: its number of nodes, its density γ, and its elementary weight in each stage.
struct Tree {
  int order;
  Number density;
  Numbers weight;
};

/// The trees of up to `most` nodes for the stages with coefficients `a`. A method with weights b has order p if
/// Σ b_i Φ_i(t) = 1/γ(t) for all trees t of up to p nodes; its interpolant, if Σ b_i(θ) Φ_i(t) = θ^|t|/γ(t).
/// Source: Butcher 1963; Hairer, Nørsett, Wanner 1993, theorem II.2.13.
class Trees {
 public:
  Trees(std::vector<Numbers> a, int most) : a_(std::move(a)) {
    for (int order = 1; order <= most; ++order) grow(order, order - 1, 0, 1, Numbers(a_.size(), 1));
  }

  /// The largest violation of those conditions for trees of `order` nodes.
  template <class Weights>
  Number violation(const Weights& b, int order, Number theta = 1) const {
    return largest(b, order, [&](const Tree& tree) { return std::pow(theta, order) / tree.density; });
  }
  /// The same for weights that are to add up to nothing.
  template <class Weights>
  Number size(const Weights& b, int order) const {
    return largest(b, order, [](const Tree&) { return Number(0); });
  }

  int count(int order) const {
    return static_cast<int>(
        std::count_if(all_.begin(), all_.end(), [&](const Tree& tree) { return tree.order == order; }));
  }

 private:
  template <class Weights, class Expected>
  Number largest(const Weights& b, int order, const Expected& expected) const {
    Number worst = 0;
    for (const Tree& tree : all_) {
      if (tree.order != order) continue;
      Number sum = 0;
      for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * tree.weight[i];
      worst = std::max(worst, std::abs(sum - expected(tree)));
    }
    return worst;
  }

  /// Add the trees of `order` nodes whose root has, besides what is in `density` and `weight`, `left` more
  /// nodes below it, in branches that come no earlier in the list than `first`.
  void grow(int order, int left, std::size_t first, Number density, const Numbers& weight) {
    if (left == 0) all_.push_back({order, static_cast<Number>(order) * density, weight});
    for (std::size_t k = first; k < all_.size() && all_[k].order <= left; ++k) {
      Numbers product = weight;
      for (std::size_t i = 0; i < a_.size(); ++i) {
        Number sum = 0;
        for (std::size_t j = 0; j < a_[i].size(); ++j) sum += a_[i][j] * all_[k].weight[j];
        product[i] *= sum;
      }
      grow(order, left - all_[k].order, k, density * all_[k].density, product);
    }
  }

  std::vector<Numbers> a_;
  std::vector<Tree> all_;
};

/// The stages of a step, and those of the interpolant after them.
template <class T>
std::vector<Numbers> stages() {
  std::vector<Numbers> rows;
  for (const auto& row : T::template a<Number>) rows.emplace_back(row.begin(), row.end());
  if constexpr (T::dense_stages > T::stages) {
    rows.emplace_back(T::template b<Number>.begin(), T::template b<Number>.end());
    for (const auto& row : T::template late_a<Number>) rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

constexpr Number round_off = 2e-18L;

template <class T>
void check_order(const Trees& trees) {
  for (int order = 1; order <= T::order; ++order)
    CHECK(trees.violation(T::template b<Number>, order) < round_off);
  CHECK(trees.violation(T::template b<Number>, T::order + 1) > 1e-6L);
}

/// The difference of two methods is of the lower one's order.
template <class Weights>
void check_estimate(const Trees& trees, const Weights& difference, int embedded_order) {
  for (int order = 1; order <= embedded_order; ++order) CHECK(trees.size(difference, order) < round_off);
  CHECK(trees.size(difference, embedded_order + 1) > 1e-6L);
}

template <class T>
void check_interpolant(const Trees& trees) {
  for (const Number theta : {0.0L, 0.1L, 0.37L, 0.5L, 0.8L, 1.0L})
    for (int order = 1; order <= T::dense_order; ++order)
      CHECK(trees.violation(T::dense_weights(theta), order, theta) < 20 * round_off);
  CHECK(trees.violation(T::dense_weights(0.37L), T::dense_order + 1, 0.37L) > 1e-6L);
  const auto begin = T::dense_weights(0.0L), end = T::dense_weights(1.0L);
  for (std::size_t i = 0; i < end.size(); ++i) {
    CHECK(begin[i] == 0);
    CHECK(std::abs(end[i] - (i < T::stages ? T::template b<Number>[i] : 0)) < round_off);
  }
}

TEST_CASE("there are as many trees as there should be", "[tableau]") {
  const Trees trees(stages<tableau::RungeKutta4>(), 9);
  const int counts[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
  for (int order = 1; order <= 9; ++order) CHECK(trees.count(order) == counts[order - 1]);
}

TEST_CASE("Runge-Kutta 4 has order 4 and an interpolant of order 3, and no more", "[tableau]") {
  using T = tableau::RungeKutta4;
  const Trees trees(stages<T>(), 5);
  check_order<T>(trees);
  check_interpolant<T>(trees);
}

TEST_CASE(
    "Dormand-Prince 5(4) has order 5, an estimate of order 4 and an interpolant of order 4, and no more",
    "[tableau]") {
  using T = tableau::DormandPrince54;
  const Trees trees(stages<T>(), 6);
  check_order<T>(trees);
  check_estimate(trees, T::error<Number>, T::embedded_order);
  check_interpolant<T>(trees);
}

TEST_CASE(
    "Dormand-Prince 8(53) has order 8, estimates of orders 5 and 3 and an interpolant of order 7, and no "
    "more",
    "[tableau]") {
  using T = tableau::DormandPrince853;
  const Trees trees(stages<T>(), 9);
  check_order<T>(trees);
  check_estimate(trees, T::error<Number>, T::embedded_order);
  check_estimate(trees, T::coarse_error<Number>, T::coarse_order);
  check_interpolant<T>(trees);
}

TEST_CASE("Dormand-Prince 8(53) evaluates its stages where it should", "[tableau]") {
  const auto rows = stages<tableau::DormandPrince853>();
  const Number root = std::sqrt(6.0L);
  const Numbers c = {0,
                     2 * (6 - root) / 135,
                     (6 - root) / 45,
                     (6 - root) / 30,
                     (6 + root) / 30,
                     1 / 3.0L,
                     1 / 4.0L,
                     4 / 13.0L,
                     127 / 195.0L,
                     3 / 5.0L,
                     6 / 7.0L,
                     1,
                     1,
                     1 / 10.0L,
                     1 / 5.0L,
                     7 / 9.0L};
  for (std::size_t i = 0; i < c.size(); ++i) {
    Number sum = 0;
    for (const Number entry : rows[i]) sum += entry;
    CAPTURE(i);
    CHECK(std::abs(sum - c[i]) < round_off);
  }
}

TEST_CASE("Dormand-Prince 5(4) evaluates its last stage at the end of the step", "[tableau]") {
  using T = tableau::DormandPrince54;
  STATIC_REQUIRE(T::first_same_as_last);
  REQUIRE(T::a<double>[6] == T::b<double>);
}

TEST_CASE("coefficients are rounded once, in the scalar that asks", "[tableau]") {
  REQUIRE(tableau::DormandPrince54::a<long double>[3][0] == 44.0L / 45.0L);
  REQUIRE(tableau::DormandPrince54::a<double>[3][0] == 44.0 / 45.0);
  REQUIRE(tableau::DormandPrince853::b<double>[0] == 5.42937341165687622380535766363e-2);
}

TEST_CASE("weights of interpolants are known when a program is compiled", "[tableau]") {
  constexpr auto middle = tableau::DormandPrince853::dense_weights(0.5),
                 end = tableau::DormandPrince853::dense_weights(1.0);
  STATIC_REQUIRE(middle[0] != 0);
  for (std::size_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(end[i] == (i < 12 ? tableau::DormandPrince853::b<double>[i] : 0));
  }
}

TEST_CASE("the power of an estimate follows from the orders of its methods", "[tableau]") {
  STATIC_REQUIRE(tableau::error_power<tableau::RungeKutta4> == 0);
  STATIC_REQUIRE(tableau::error_power<tableau::DormandPrince54> == 5);
  STATIC_REQUIRE(tableau::error_power<tableau::DormandPrince853> == 8);
}

}  // namespace tableau_test
