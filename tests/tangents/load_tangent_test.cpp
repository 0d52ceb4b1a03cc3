#include <dalembert/tangents/load_tangent.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace load_tangent_test {

using namespace dalembert;
using namespace dalembert::assembly;
namespace detail = dalembert::assembly::detail;
using detail::DerivativeBy;
using Eigen::Index;
using Block = Mat<double, 6, 6>;

/// Three nodes.
struct Nodes : test::LooseNodes {
  Nodes() {
    masses = {2, 0.5, 1};
    moments.assign(3, {0.25, 4, 1});
  }
};

/// Springs of this stiffness to where nodes were, and dashpots, along one axis between the first two nodes.
struct Springs {
  double k = 3;
  template <class B>
  void add(const B&, const Chain<double>& at, double, Columns<double, 6>& f) const {
    const double stretch = at.configuration(1, 0) - at.configuration(0, 0);
    f(0, 0) += k * stretch;
    f(1, 0) -= k * stretch;
  }
  static constexpr bool depends_on_velocities = false;
};
/// The same, which tells its derivative.
struct ToldSprings : Springs {
  template <class B, class Add>
  void add_stiffness(const B&, const Chain<double>&, double, const Add& add) const {
    for (const Index i : {0, 1})
      for (const Index j : {0, 1}) {
        Block block = Block::Zero();
        block(0, 0) = i == j ? k : -k;
        add(i, j, block);
      }
  }
};
/// A brake on the last node, whose derivative is told, too.
struct Brake {
  double c = 0.5;
  template <class B>
  void add(const B&, const Chain<double>& at, double, Columns<double, 6>& f) const {
    for (int i = 0; i < 6; ++i) f(2, i) -= c * at.velocity(2, i);
  }
  template <class B, class Add>
  void add_damping(const B&, const Chain<double>&, double, const Add& add) const {
    add(Index(2), Index(2), Block(c * Block::Identity()));
  }
  template <class B, class Add>
  void add_stiffness(const B&, const Chain<double>&, double, const Add&) const {}
};
/// A pull on the first node by where both others are, which they do not answer.
struct Follower {
  template <class B>
  void add(const B&, const Chain<double>&, double, Columns<double, 6>&) const {}
  template <class B, class Add>
  void add_stiffness(const B&, const Chain<double>&, double, const Add& add) const {
    Block block = Block::Zero();
    block(0, 0) = -2;
    add(Index(0), Index(1), block);
    add(Index(0), Index(2), block);
  }
};
/// One that bounds the frequency itself.
struct Bounded : Springs {
  template <class B>
  double frequency_bound(const B&, const Chain<double>&, double omega) const {
    return omega + 4;
  }
};
/// A sum of loads.
struct Both {
  ToldSprings springs{};
  Brake brake{};
  template <class F>
  void each_load(const F& f) const {
    f(springs);
    f(brake);
  }
};

/// All blocks in one matrix.
template <class Tell>
std::vector<double> matrix(const Tell& tell) {
  std::vector<double> all(18 * 18);
  tell([&](Index k, Index l, const auto& block) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) all[static_cast<std::size_t>(18 * (6 * k + i) + 6 * l + j)] += block(i, j);
  });
  return all;
}
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

struct Scene {
  Nodes body;
  Chain<double> at{3};
  Scene() {
    test::Draw draw(test::seed());
    for (Index k = 0; k < 3; ++k) {
      const auto turn = draw.rotation();
      const auto place = draw.vector(), velocity = draw.vector(), spin = draw.vector();
      at.set_frame(k, turn, place);
      at.set_velocity(k, velocity, spin);
    }
  }
};

TEST_CASE("what a load says of itself is known: velocities, derivatives and parts of a sum", "[tangents]") {
  static_assert(!detail::sees_velocities<Springs> && detail::sees_velocities<Brake>);
  static_assert(detail::is_told<ToldSprings, Nodes, DerivativeBy::place>);
  static_assert(!detail::is_told<ToldSprings, Nodes, DerivativeBy::velocity>);
  static_assert(!detail::is_told<Springs, Nodes, DerivativeBy::place>);
  static_assert(detail::is_told<Brake, Nodes, DerivativeBy::velocity>);
  int count = 0;
  detail::each_load(Both{}, [&](const auto&) { ++count; });
  CHECK(count == 2);
  detail::each_load(Springs{}, [&](const Springs& one) { CHECK(one.k == 3); });
}

TEST_CASE(
    "derivatives that a load does not tell are found by differences, and those that it tells are its own",
    "[tangents]") {
  const Scene scene;
  const auto whole = [&]<DerivativeBy by>(const auto& load, std::integral_constant<DerivativeBy, by>) {
    return matrix([&](const auto& add) { detail::add_whole<by>(load, scene.body, scene.at, 0.0, add); });
  };
  const auto told = [&]<DerivativeBy by>(const auto& load, std::integral_constant<DerivativeBy, by>) {
    return matrix([&](const auto& add) { detail::add_told<by>(load, scene.body, scene.at, 0.0, add); });
  };
  const std::integral_constant<DerivativeBy, DerivativeBy::place> place;
  const std::integral_constant<DerivativeBy, DerivativeBy::velocity> velocity;
  const std::vector<double> none(18 * 18);
  auto stiffness = none, damping = none;
  stiffness[0] = stiffness[18 * 6 + 6] = 3;
  stiffness[6] = stiffness[18 * 6] = -3;
  for (std::size_t i = 12; i < 18; ++i) damping[18 * i + i] = 0.5;
  CHECK(apart(whole(Springs{}, place), stiffness) < 1e-8);
  CHECK(whole(ToldSprings{}, place) == stiffness);
  CHECK(whole(Both{}, place) == stiffness);
  CHECK(told(Springs{}, place) == none);
  CHECK(told(ToldSprings{}, place) == stiffness);
  CHECK(whole(Springs{}, velocity) == none);
  CHECK(whole(Brake{}, velocity) == damping);
  CHECK(told(Both{}, velocity) == damping);
}

TEST_CASE("the bound of a frequency is the root of its equation", "[tangents]") {
  for (const double own : {0.0, 1e-6, 3.0, 1e6})
    for (const double damping : {0.0, 1e-6, 0.7, 1e6}) {
      const double bound = detail::FrequencyBounds<double>{own, damping}.bound();
      // Ω² = 2γΩ + ω²
      CHECK(bound * bound == Approx(2 * damping * bound + own * own));
      CHECK(bound >= own);
    }
}

TEST_CASE("the norm of a load by the inertia is that of springs and brakes on free masses", "[tangents]") {
  const Scene scene;
  // two masses on a spring have one frequency, of k (1/m₁ + 1/m₂), and the bound is not below
  const double stiffness =
      detail::norm_by_inertia<DerivativeBy::place>(ToldSprings{}, scene.body, scene.at, 0.0);
  CHECK(stiffness >= 3 * (1 / 2.0 + 1 / 0.5));
  CHECK(stiffness == Approx(3 * (1 / 0.5 + 1 / std::sqrt(2 * 0.5))));  // the larger sum of a row
  CHECK(detail::norm_by_inertia<DerivativeBy::velocity>(Brake{}, scene.body, scene.at, 0.0) ==
        Approx(0.5 / 0.25));  // on the smallest moment
  CHECK(detail::norm_by_inertia<DerivativeBy::velocity>(Springs{}, scene.body, scene.at, 0.0) == 0);
  // by ‖A‖₁‖A‖∞ of 2/√(m₀m₁) and 2/√(m₀m₂) in one row
  const double first = 2 / std::sqrt(2 * 0.5), second = 2 / std::sqrt(2.0 * 1);
  CHECK(detail::norm_by_inertia<DerivativeBy::place>(Follower{}, scene.body, scene.at, 0.0) ==
        Approx(std::sqrt((first + second) * first)));
  Nodes held = scene.body;
  held.held = 3;
  CHECK(detail::norm_by_inertia<DerivativeBy::place>(ToldSprings{}, held, scene.at, 0.0) == 0);
}

TEST_CASE(
    "a load raises the bound of a frequency as if it were damping, and loads of a sum one after the other",
    "[tangents]") {
  const Scene scene;
  const auto like = [&](const auto& load, double omega) {
    return detail::damping_like(load, scene.body, scene.at, 0.0, omega);
  };
  for (const double omega : {0.0, 1.0, 50.0}) {
    // γ + √(γ² + ω²) is ω + 4
    const double bounded = like(Bounded{}, omega);
    CHECK(detail::FrequencyBounds<double>{omega, bounded}.bound() == Approx(omega + 4));
    const double springs = like(ToldSprings{}, omega);
    CHECK(detail::FrequencyBounds<double>{omega, springs}.bound() ==
          Approx(std::sqrt(omega * omega + 3 * (1 / 0.5 + 1 / std::sqrt(2 * 0.5)))));
    const double brake = like(Brake{}, omega);
    CHECK(brake == Approx(2));
    CHECK(detail::damping_like_all(Both{}, scene.body, scene.at, 0.0, omega) == Approx(springs + brake));
  }
}

}  // namespace load_tangent_test
