#include "buckling/structures.hpp"

#include <algorithm>
#include <cmath>

#include "support/elliptic.hpp"

namespace buckling {

namespace {

using dalembert::SO3;
using dalembert::Vec;
using Held = dalembert::rod::Boundary<double>;
constexpr double pi = static_cast<double>(dalembert::pi);

/// A section that shears and stretches little, and neither twists nor bends out of the plane.
Vec<double, 6> in_plane(double shear, double stretch, double bending) {
  Vec<double, 6> k;
  k << shear, shear, stretch, 1e3 * bending, bending, 1e3 * bending;
  return k;
}
/// Free to turn in the plane.
Held hinge() { return Held::degrees({true, true, true, true, false, true}); }

/// Lays rods one after the other.
struct Row {
  Structure s{};
  Vec3 at{0, 0, 0};
  double angle;  ///< of the tangent with z

  explicit Row(double first) : angle(first) {}

  /// A rod that turns by `turn` along its length, with what holds its ends.
  void add(int elements, double length, double turn, const Vec<double, 6>& stiffness, const Held& start,
           const Held& finish) {
    dalembert::rod::RestStrain<double> rest;
    rest.curvature = Vec3(0, turn / length, 0);
    Rod::Parameters p;
    p.elements = elements;
    p.length = length;
    p.inertia = {1.0, Vec3(1, 1, 2)};  // nothing moves
    p.start = start;
    p.finish = finish;
    const Rod rod(dalembert::rod::LinearElastic<double>(stiffness, rest), p);
    dalembert::rod::Chain<double> chain(rod.nodes());
    const double each = turn / elements;
    for (int k = 0; k <= elements; ++k) {
      chain.set_frame(k, SO3<double>::exp(Vec3(0, angle, 0)), at);
      if (k == elements) break;
      at += rod.spacing() * Vec3(std::sin(angle + each / 2), 0, std::cos(angle + each / 2));
      angle += each;
    }
    auto& rods = std::get<0>(s.bodies);
    if (!rods.empty()) {
      const std::size_t before = rods.size() - 1;
      const Eigen::Index last = rods.back().elements();
      const SO3<double> a = s.start.chains.back().rotation(last), b = chain.rotation(0);
      std::get<0>(s.welds).push_back(Weld{.a = {.body = before, .node = last, .rotation = a.inverse()},
                                          .b = {.body = before + 1, .rotation = b.inverse()}});
    }
    rods.push_back(rod);
    s.start.chains.push_back(chain);
  }
};

}  // namespace

Structure column(int elements) {
  Row row(0);
  row.add(elements, 1, 0, in_plane(1e6, 1e6, 1), Held::clamped(), Held::free());
  row.s.scale = pi * pi / 4;
  row.s.most = 4 * row.s.scale;
  row.s.reference = "Euler";
  row.s.loads = {row.s.scale};
  return row.s;
}

Structure arch(int elements) {
  const double radius = 100, half = 107.5 * pi / 180, bending = 1e6;
  Row row(pi / 2 - half);
  const auto k = in_plane(1e8, 1e8, bending);
  row.add(elements / 2, radius * half, half, k, Held::clamped(), Held::free());
  row.add(elements - elements / 2, radius * half, half, k, Held::free(), hinge());
  row.s.scale = 500;
  row.s.most = 2000;
  row.s.reference = "DaDeppo and Schmidt 1975";
  row.s.loads = {897};
  return row.s;
}

Structure frame(int elements) {
  const double length = 120;
  const auto k = in_plane(1e4, 4320, 1440);
  Row row(0);
  const int post = elements / 2, near = std::max(2, elements / 10), far = std::max(2, elements - post - near);
  row.add(post, length, 0, k, hinge(), Held::free());
  row.angle = pi / 2;
  row.add(near, length / 5, 0, k, Held::free(), Held::free());
  row.add(far, 4 * length / 5, 0, k, Held::free(), hinge());
  row.s.pushed = 1;
  row.s.scale = 1;
  row.s.most = 3;
  row.s.reference = "Lee, Manuel and Rossow 1968";
  row.s.loads = {1.855, -0.945};
  return row.s;
}

Elastica elastica(double turn) {
  const auto [K, E] = example::elliptic(std::sin(turn / 2));
  return {4 * K * K / (pi * pi), 2 * std::sin(turn / 2) / K, 2 * E / K - 1};
}

}  // namespace buckling
