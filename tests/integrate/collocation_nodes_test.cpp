#include <dalembert/integrate/detail/collocation_nodes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace collocation_nodes_test {

using namespace dalembert;

constexpr long double round_off = 4 * std::numeric_limits<long double>::epsilon();

long double power(long double x, int n) {
  long double product = 1;
  for (int i = 0; i < n; ++i) product *= x;
  return product;
}

/// The largest of |Σ b_i c_i^(q−1) − 1/q| over q ≤ `most`.
template <class F>
long double defect_of_weights(int most) {
  const auto b = collocation::integrals(F::nodes, 1);
  long double worst = 0;
  for (int q = 1; q <= most; ++q) {
    long double sum = -1.0L / q;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * power(F::nodes[i], q - 1);
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

/// The largest of |Σ a_j c_j^(q−1) − t^q/q| over q ≤ s, a_j the integrals of the Lagrange polynomials up to t.
template <class F>
long double defect_of_integrals(long double t) {
  const auto a = collocation::integrals(F::nodes, t);
  long double worst = 0;
  for (int q = 1; q <= F::stages; ++q) {
    long double sum = -power(t, q) / q;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * power(F::nodes[j], q - 1);
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

template <class F>
void check_family() {
  CAPTURE(F::stages, F::order);
  CHECK(defect_of_weights<F>(F::order) < round_off);
  CHECK(defect_of_weights<F>(F::order + 1) > 1e-8L);
  for (const auto node : F::nodes) CHECK(defect_of_integrals<F>(node) < round_off);
  for (const auto point : F::held) CHECK(defect_of_integrals<F>(point) < round_off);
  CHECK(defect_of_integrals<F>(0.37L) < round_off);
  for (std::size_t j = 0; j < F::nodes.size(); ++j)
    for (std::size_t i = 0; i < F::nodes.size(); ++i)
      CHECK(collocation::lagrange(F::nodes, j, F::nodes[i]) == (i == j ? 1 : 0));
}

TEST_CASE("weights integrate polynomials as far as the order goes, and no further", "[collocation]") {
  check_family<collocation::Gauss<1>>();
  check_family<collocation::Gauss<2>>();
  check_family<collocation::Gauss<3>>();
  check_family<collocation::Gauss<4>>();
  check_family<collocation::Gauss<5>>();
  check_family<collocation::Gauss<6>>();
  check_family<collocation::Radau<2>>();
  check_family<collocation::Radau<3>>();
}

TEST_CASE("nodes are those of the books", "[collocation]") {
  const long double r3 = std::sqrt(3.0L), r6 = std::sqrt(6.0L), r21 = std::sqrt(21.0L);
  CHECK(std::abs(collocation::Gauss<2>::nodes[0] - (0.5L - r3 / 6)) < round_off);
  CHECK(std::abs(collocation::Radau<2>::nodes[0] - 1 / 3.0L) < round_off);
  CHECK(std::abs(collocation::Radau<3>::nodes[0] - (4 - r6) / 10) < round_off);
  CHECK(std::abs(collocation::Radau<3>::nodes[1] - (4 + r6) / 10) < round_off);
  // Lobatto's points are symmetric about the middle, and 0 belongs to them.
  CHECK(std::abs(collocation::Gauss<2>::held[0] - 0.5L) < round_off);
  CHECK(std::abs(collocation::Gauss<4>::held[0] - (0.5L - r21 / 14)) < round_off);
  CHECK(std::abs(collocation::Gauss<4>::held[2] - (0.5L + r21 / 14)) < round_off);
  static_assert(collocation::Gauss<6>::held[5] == 1 && collocation::Gauss<1>::held[0] == 1);
}

}  // namespace collocation_nodes_test
