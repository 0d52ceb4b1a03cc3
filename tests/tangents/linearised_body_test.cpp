#include <dalembert/tangents/linearised_body.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace linearised_body_test {

using namespace dalembert;
using namespace dalembert::assembly;
namespace detail = dalembert::assembly::detail;
using detail::BodiesOfKind;
using detail::LinearisedBodies;
using detail::LinearisedBody;
using Eigen::Index;
using Block = Mat<double, 6, 6>;
/// (k, l, the first entry of the block).
using Told = std::vector<std::tuple<Index, Index, double>>;

struct Tell {
  Told& told;
  void operator()(Index k, Index l, const Block& block) const { told.emplace_back(k, l, block(0, 0)); }
};
Block block(double first) {
  Block all = Block::Zero();
  all(0, 0) = first;
  return all;
}

/// A body that tells its stiffness whatever the time is.
struct Still : test::LooseNodes {};
template <class Add>
void add_stiffness(const Still&, const Chain<double>& at, const Add& add) {
  add(Index(0), Index(1), block(at.configuration(0, 0)));
}
/// One whose stiffness depends on the time, and that is damped.
struct Timed : test::LooseNodes {};
template <class Add>
void add_stiffness(const Timed&, const Chain<double>&, double t, const Add& add) {
  add(Index(1), Index(0), block(t));
}
template <class Add>
void add_stiffness(const Timed&, const Chain<double>&, const Add& add) {
  add(Index(5), Index(5), block(-1));
}
template <class Add>
void add_damping(const Timed&, const Chain<double>& at, double t, const Add& add) {
  add(Index(1), Index(1), block(t * at.velocity(0, 0)));
}
/// One that tells the stiffness of its material and of its loads apart, as rods under loads do.
struct Apart : Timed {};
template <class Add>
void add_stiffness_of_rod(const Apart&, const Chain<double>&, const Add& add) {
  add(Index(2), Index(2), block(2));
}
template <class Add>
void add_load_stiffness(const Apart&, const Chain<double>&, double t, const Add& add) {
  add(Index(3), Index(3), block(t));
}
template <class Add>
void add_load_damping(const Apart&, const Chain<double>&, double t, const Add& add) {
  add(Index(4), Index(4), block(10 * t));
}
/// One that tells the stiffness between two configurations, too.
struct Between : Apart {};
template <class X, class M, class Add>
void add_discrete_stiffness(const Between&, const X& from, const X& to, const M& moved, const Add& add) {
  add(Index(6), Index(7), block(100 * from + 10 * to + moved));
}

template <class B>
struct Scene {
  B body;
  Chain<double> chain{2};
  Scene() {
    body.masses = {2, 4};
    body.moments = {{5, 8, 10}, {1, 1, 1}};
    chain.set_frame(0, SO3<double>::identity(), {0.25, 0, 0});
    chain.set_velocity(0, {0.5, 0, 0}, {0, 0, 0});
  }
  LinearisedBody<B> at(double time) const { return {body, chain, time}; }
};
/// What `each(add)` tells.
template <class F>
Told told(const F& each) {
  Told all;
  each(Tell{all});
  return all;
}

TEST_CASE("a degree that is free has its mass, and one that is held none", "[tangents]") {
  Scene<Still> scene;
  CHECK(scene.at(0).mass(0) == std::array<double, 6>{2, 2, 2, 5, 8, 10});
  CHECK(scene.at(0).mass(1) == std::array<double, 6>{4, 4, 4, 1, 1, 1});
  scene.body.held = 2;
  CHECK(scene.at(0).mass(0) == std::array<double, 6>{0, 0, 2, 5, 0, 0});
}

TEST_CASE("stiffness is that of the configuration, and of the time where a body has one", "[tangents]") {
  const Scene<Still> still;
  const Scene<Timed> timed;
  CHECK(told([&](const auto& add) { still.at(3).each_stiffness(add); }) == Told{{0, 1, 0.25}});
  CHECK(told([&](const auto& add) { timed.at(3).each_stiffness(add); }) == Told{{1, 0, 3}});
  CHECK(told([&](const auto& add) { still.at(3).each_damping(add); }).empty());
  CHECK(told([&](const auto& add) { timed.at(3).each_damping(add); }) == Told{{1, 1, 1.5}});
}

TEST_CASE("what loads on a rod tell comes beside the rod's own stiffness", "[tangents]") {
  const Scene<Timed> timed;
  const Scene<Apart> apart;
  CHECK(told([&](const auto& add) { timed.at(3).each_told_stiffness(add); }) == Told{{1, 0, 3}});
  CHECK(told([&](const auto& add) { apart.at(3).each_told_stiffness(add); }) == Told{{2, 2, 2}, {3, 3, 3}});
  CHECK(told([&](const auto& add) { timed.at(3).each_load_stiffness(add); }).empty());
  CHECK(told([&](const auto& add) { apart.at(3).each_load_damping(add); }) == Told{{4, 4, 30}});
  CHECK(told([&](const auto& add) { apart.at(3).each_damping_times(-0.5, add); }) == Told{{4, 4, -15}});
  CHECK(told([&](const auto& add) { timed.at(3).each_damping_times(-0.5, add); }).empty());
}

TEST_CASE("stiffness between two configurations is told by what moved, or is that of the middle",
          "[tangents]") {
  const Scene<Apart> apart;
  const Scene<Between> between;
  Told direct;
  CHECK(told([&](const auto& add) {
          apart.at(3).each_stiffness_between(1.0, 2.0, 3.0, add, Tell{direct});
        }) == Told{{2, 2, 2}, {3, 3, 3}});
  CHECK(direct.empty());
  CHECK(told([&](const auto& add) {
          between.at(3).each_stiffness_between(1.0, 2.0, 3.0, add, Tell{direct});
        }) == Told{{3, 3, 3}});
  CHECK(direct == Told{{6, 7, 123}});
}

struct Face : LinearisedBodies<double> {};
/// A body under one force that grows with the time, which means nothing before it begins.
struct Pushed : Still {
  using Still::forces;
  bool forces(const Chain<double>&, double t, Columns<double, 6>& f) const {
    f(0, 0) += t;
    return t >= 0;
  }
  friend void hold(const Pushed&, Chain<double>& chain, double t) { chain.configuration(0, 1) = t; }
};
struct PushedBodies : BodiesOfKind<Pushed, Face> {
  using BodiesOfKind::BodiesOfKind;
};

TEST_CASE("bodies of a kind are counted, loaded and held each by its number", "[tangents]") {
  std::vector<Pushed> list(3);
  for (std::size_t i = 0; i < 3; ++i) {
    list[i].masses.assign(i + 1, 1.0);
    list[i].moments.assign(i + 1, {1, 1, 1});
  }
  const PushedBodies kind(list);
  CHECK(kind.count() == 3);
  CHECK(kind.nodes(0) == 1);
  CHECK(kind.nodes(2) == 3);
  Chain<double> chain(1);
  auto f = rod::zero_columns<double, 6>(1);
  CHECK(kind.find_loads(0, chain, 2, f));
  CHECK(f(0, 0) == 2);
  CHECK_FALSE(kind.find_loads(0, chain, -1, f));
  kind.put_held(0, chain, 7);
  CHECK(chain.configuration(0, 1) == 7);
}

TEST_CASE("bodies of several kinds are numbered one kind after the other", "[tangents]") {
  std::vector<Pushed> two(2), none, three(3);
  const PushedBodies first(two), second(none), third(three);
  const std::vector<const PushedBodies*> kinds{&first, &second, &third};
  std::vector<std::pair<const PushedBodies*, std::size_t>> visited;
  detail::each_body(std::span<const PushedBodies* const>(kinds),
                    [&](const PushedBodies& kind, std::size_t i, std::size_t number) {
                      CHECK(number == visited.size());
                      visited.emplace_back(&kind, i);
                    });
  CHECK(visited == std::vector<std::pair<const PushedBodies*, std::size_t>>{
                       {&first, 0}, {&first, 1}, {&third, 0}, {&third, 1}, {&third, 2}});
}

}  // namespace linearised_body_test
