#pragma once

#include <utility>
#include <vector>

#include <dalembert/analysis/detail/orthonormal.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/mechanics/constraint.hpp>

/// Where constraints let a system go. The velocities ξ that rows A(g)ξ = 0 allow are a distribution D on
/// the group; brackets of fields in it are the directions in which small loops displace:
///   D₁ = D,  D_{j+1} = D_j + [D, D_j]                                                                (1)
///   [X, Y] = g(±[x, y] + D_X y − D_Y x) for X = gx and Y = gy, with − for X = xg and Y = yg        (2)
/// The growth vector holds the dimensions of D₁, D₂, …. Where it stays as it begins, D is the tangent
/// of surfaces that the system never leaves: the rows are the rates of functions of g, holonomic in disguise
/// (Frobenius). Where it ends with the dimension of the group, any two configurations are joined by a motion
/// (Chow, Rashevskii).
/// Source: Montgomery 2002, sections 1.2 and 2.4; Bloch 2003, section 4.3.
namespace dalembert::analysis {

/// The dimensions of (1) in one configuration.
struct GrowthVector {
  std::vector<int> ranks;  ///< of D₁, D₂, …
  int dimension = 0;       ///< of the group

  /// Whether brackets lead nowhere. It says something about the rows if it holds in an open set of
  /// configurations.
  [[nodiscard]] bool is_holonomic() const { return ranks.back() == ranks.front(); }
  /// Whether brackets lead everywhere.
  [[nodiscard]] bool reaches_everything() const { return ranks.back() == dimension; }
};

namespace detail {

/// The fields of D near one configuration: constant vectors that span D there, less what the rows forbid
/// elsewhere.
template <MechanicalSystem System>
class Distribution {
 public:
  using S = ScalarOf<System>;
  static constexpr int n = System::Group::dof, k = kinematic_rows<System>;
  template <class T>
  using Fields = std::vector<Vec<T, n>>;

  [[gnu::cold, gnu::noinline]] Distribution(const System& system, const ConfigurationOf<System>& g, S time,
                                            S tolerance)
      : system_(system), time_(time) {
    OrthonormalColumns<S> directions(n);
    if constexpr (k > 0) {
      const Mat<S, k, n> all = rows<S>(g);
      require(all.allFinite(), "growth_vector", "rows", "not finite", "the configuration must be finite");
      directions.add(all.transpose(), tolerance);
    }
    independent_ = directions.from;
    const Eigen::Index forbidden = directions.count;
    directions.add(Matrix<S>::Identity(n, n), S(0));
    for (Eigen::Index i = forbidden; i < n; ++i) basis_.push_back(directions.q.col(i));
  }

  /// Brackets of Depth fields, [X_i, [X_j, …]], and for Depth = 1 the fields themselves.
  template <int Depth, class T>
  [[nodiscard, gnu::cold, gnu::noinline]] Fields<T> brackets(const ConfigurationOf<System, T>& g) const {
    if constexpr (Depth == 1) {
      return fields<T>(g);
    } else {
      const Fields<T> outer = fields<T>(g), inner = brackets<Depth - 1, T>(g);
      std::vector<Fields<T>> outer_along, inner_along;  // derivatives along the fields of the other
      for (const Vec<T, n>& x : outer)
        inner_along.push_back(slopes<T>(brackets<Depth - 1, Dual<T, 1>>(moving<T>(g, x))));
      for (const Vec<T, n>& y : inner) outer_along.push_back(slopes<T>(fields<Dual<T, 1>>(moving<T>(g, y))));
      Fields<T> out;
      for (std::size_t i = 0; i < outer.size(); ++i)
        for (std::size_t j = 0; j < inner.size(); ++j) {
          using Group = GroupOf<System, T>;
          const Vec<T, n> turn = Group::ad(outer[i], inner[j]);
          Vec<T, n> bracket;
          for (int a = 0; a < n; ++a)
            bracket[a] = (left ? turn[a] : -turn[a]) + inner_along[i][j][a] - outer_along[j][i][a];
          out.push_back(bracket);
        }
      return out;
    }
  }

 private:
  static constexpr bool left = std::same_as<TrivialisationOf<System>, trivialisation::Left>;

  template <class T>
  struct Point {
    ConfigurationOf<System, T> g;
    T time;
    Vec<T, n> xi;
    Vec<T, 0> z;
  };

  /// g moved along x for a time whose value is zero.
  template <class T>
  [[nodiscard]] static ConfigurationOf<System, Dual<T, 1>> moving(const ConfigurationOf<System, T>& g,
                                                                  const Vec<T, n>& x) {
    using D = Dual<T, 1>;
    const D s = D::variable(T(0), 0);
    Vec<D, n> eta;
    for (int i = 0; i < n; ++i) eta[i] = s * x[i];
    return dalembert::detail::displaced<System, D>(g, eta);
  }

  template <class T>
  [[nodiscard]] static Fields<T> slopes(const Fields<Dual<T, 1>>& lifted) {
    Fields<T> out(lifted.size());
    for (std::size_t i = 0; i < lifted.size(); ++i)
      for (int a = 0; a < n; ++a) out[i][a] = lifted[i][a].derivative(0);
    return out;
  }

  /// A: ∂φ/∂g, then the part of the rows of order 1 that is linear in ξ.
  template <class T>
  [[nodiscard]] Mat<T, k, n> rows(const ConfigurationOf<System, T>& g) const {
    constexpr int positions = position_rows<System>, velocities = velocity_rows<System>;
    Mat<T, k, n> all;
    if constexpr (positions > 0) {
      for (int j = 0; j < n; ++j) {
        using D = Dual<T, 1>;
        const Vec<T, n> unit = unit_vector<T>(j);
        const Point<D> at{moving<T>(g, unit), D(T(time_)), {}, {}};
        const Vec<D, positions> phi = position_constraint<D>(system_, at);
        for (int i = 0; i < positions; ++i) all(i, j) = phi[i].derivative(0);
      }
    }
    if constexpr (velocities > 0) {
      Point<T> at{g, T(time_), {}, {}};
      const auto value = [&] { return velocity_constraint<T>(system_, at, Vec<T, 0>()); };
      for (int a = 0; a < n; ++a) at.xi[a] = T(0);
      const Vec<T, velocities> at_rest = value();
      for (int j = 0; j < n; ++j) {
        at.xi[j] = T(1);
        const Vec<T, velocities> moved = value();
        at.xi[j] = T(0);
        for (int i = 0; i < velocities; ++i) all(positions + i, j) = moved[i] - at_rest[i];
      }
    }
    return all;
  }

  template <class T>
  [[nodiscard]] static Vec<T, n> unit_vector(int j) {
    Vec<T, n> unit;
    for (int a = 0; a < n; ++a) unit[a] = T(a == j ? 1 : 0);
    return unit;
  }

  /// x less its components along directions that are orthogonal to each other.
  template <class T>
  static void remove(const Fields<T>& directions, Vec<T, n>& x) {
    for (const Vec<T, n>& d : directions) {
      const T share = dalembert::detail::inner(d, x) / dalembert::detail::inner(d, d);
      for (int a = 0; a < n; ++a) x[a] -= share * d[a];
    }
  }

  template <class T>
  [[nodiscard, gnu::cold, gnu::noinline]] Fields<T> fields(const ConfigurationOf<System, T>& g) const {
    const Mat<T, k, n> all = rows<T>(g);
    Fields<T> forbidden, out;
    for (const int i : independent_) {
      Vec<T, n> row;
      for (int a = 0; a < n; ++a) row[a] = all(i, a);
      remove(forbidden, row);
      forbidden.push_back(row);
    }
    for (const Vec<S, n>& constant : basis_) {
      Vec<T, n> x;
      for (int a = 0; a < n; ++a) x[a] = T(constant[a]);
      remove(forbidden, x);
      out.push_back(x);
    }
    return out;
  }

  const System& system_;
  S time_;
  std::vector<int> independent_;  // rows
  Fields<S> basis_;               // of D where it was made
};

}  // namespace detail

/// The growth vector of the rows of order 0 and 1 of a system at g and time t, the time standing still:
/// (2, 3, 5) says that brackets of two fields of D reach one direction more, and brackets of three all five.
/// Of rows that are affine in ξ the linear part counts. Levels beyond the second cost much, to compile too.
/// Ranks count directions above `tolerance`, relative to the longest bracket.
/// Throws std::invalid_argument if the rows are not finite or not smooth at g, or the tolerance does not lie
/// in (0, 1).
template <int levels = 3, MechanicalSystem System>
[[nodiscard, gnu::cold, gnu::noinline]] GrowthVector growth_vector(
    const System& system, const ConfigurationOf<System>& g, ScalarOf<System> time = 0,
    ScalarOf<System> tolerance = ScalarOf<System>(1e-9L)) {
  using S = ScalarOf<System>;
  static_assert(levels >= 1, "growth_vector: there is at least one level");
  static_assert(LieGroup<ConfigurationOf<System>>,
                "growth_vector: the configuration must be that of the group");
  static_assert(internal_size<System> == 0, "growth_vector: the system must not have internal coordinates");
  static_assert(acceleration_rows<System> == 0, "growth_vector: rows of order 2 allow every velocity");
  require(tolerance > 0 && tolerance < 1, "growth_vector", "tolerance", tolerance, "it must lie in (0, 1)");
  const detail::Distribution<System> distribution(system, g, time, tolerance);
  GrowthVector growth;
  growth.dimension = System::Group::dof;
  std::vector<Vec<S, System::Group::dof>> all;
  const auto add = [&](const auto& columns) {
    all.insert(all.end(), columns.begin(), columns.end());
    detail::Matrix<S> matrix(growth.dimension, static_cast<Eigen::Index>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) matrix.col(static_cast<Eigen::Index>(i)) = all[i];
    require(matrix.allFinite(), "growth_vector", "brackets", "not finite",
            "the rows must be smooth in the configuration");
    growth.ranks.push_back(static_cast<int>(detail::range(matrix, tolerance).cols()));
  };
  const auto add_levels = [&]<int... I>(std::integer_sequence<int, I...>) {
    (add(distribution.template brackets<I + 1, S>(g)), ...);
  };
  add_levels(std::make_integer_sequence<int, levels>{});
  return growth;
}

}  // namespace dalembert::analysis
