#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/constraint_tangent.hpp>
#include <dalembert/assembly/detail/tangency.hpp>
#include <dalembert/core/number.hpp>

/// The unknowns of nodes, (δr, Σ), and of internal coordinates, s, that bear the places of a constraint:
///   V = Σ α δṙ,  W = Σ α Λ Σ̇,   δR = Σ α δr,  δR′ = Σ α′ δr,  θ = Λ Σ                                  (1)
/// and so the forces f = (α g_R, α Λᵀ g_θ) of a pull g on them, and their change.
namespace dalembert::assembly::detail {

/// The places of a constraint in a state, its first internal coordinate being number z, and the weights of
/// the nodes that bear them.
template <Constraint C>
struct PlacedConstraint {
  using S = typename C::Scalar;
  typename Eyes<C>::Points points;
  std::array<Window, Eyes<C>::N> windows;
  std::array<std::vector<S>, Eyes<C>::N> weights;

  [[gnu::noinline]] PlacedConstraint(const Eyes<C>& eyes, const State<S>& x, int z) {
    eyes.each([&](auto i) {
      const auto& place = std::get<i>(eyes.places());
      constexpr Eigen::Index width = rod::width_of<rod::WindowPack<S>>;
      weights[i].assign(static_cast<std::size_t>((place.count() + width - 1) / width * width), S(1));
      S s(0);
      if constexpr (PlaceOf<C, i>::slides) s = x.z[z + Eyes<C>::template slide_of<i>()];
      windows[i].count = place.count();
      place.find(x.chains, s, x.time, points[i], windows[i], weights[i].data());
    });
  }
};

/// An unknown that a number of a place is a sum of, and its weight.
template <class S>
struct Share {
  Eigen::Index unknown;
  S weight;
};

/// Equation (1) for the places of one constraint of any kind.
template <class S>
class PlaceUnknowns {
 public:
  using Index = Eigen::Index;
  using Shares = std::vector<Share<S>>;

  /// What number `a` of the velocities (V, W) of all places is a sum of.
  [[nodiscard]] const Shares& velocity(int a) const { return velocities_[static_cast<std::size_t>(a)]; }
  /// What variable `v` of a tangent is a sum of.
  [[nodiscard]] const Shares& variable(int v) const { return variables_[static_cast<std::size_t>(v)]; }

  /// Of a constraint at points whose windows were found. first(place) is the first unknown of the first node
  /// of its window, `slide` that of its internal coordinates, weight(place, k) the weight α of node k of the
  /// window. Torques and turns of places at one node are turned to the axes of that by `terms`.
  template <Constraint C, class First, class Weight>
  void find(const Eyes<C>& eyes, const typename Eyes<C>::Points& points,
            const std::array<Window, Eyes<C>::N>& windows, const std::vector<Chain<S>>& chains,
            const First& first, Index slide, const Weight& weight, ConstraintTangent<C>& terms) {
    constexpr int N = Evaluation<C>::N, Z = Evaluation<C>::Z;
    velocities_.resize(6 * N);
    variables_.resize(6 * N + Z);
    for (auto* of : {&velocities_, &variables_})
      for (Shares& shares : *of) shares.clear();
    averaged_.clear();
    eyes.each([&](auto i) {
      constexpr int at = 6 * static_cast<int>(i);
      constexpr bool average = is_average<PlaceOf<C, i>>;
      const auto& place = std::get<i>(eyes.places());
      const Window& w = windows[i];
      constexpr int z = Eyes<C>::template slide_of<i>();
      if constexpr (PlaceOf<C, i>::slides) shares_of(variables_, 6 * N + z).push_back({slide + z, S(1)});
      if constexpr (average) {
        constexpr auto width = static_cast<std::size_t>(rod::width_of<rod::WindowPack<S>>);
        slopes_.assign(static_cast<std::size_t>(w.count) + width, S(0));
        place.bear_slopes(points[i], slopes_.data());
      } else {
        terms.turn_to_body(points[i].rotation, at);
      }
      for (Index k = 0; k < w.count; ++k) {
        const S alpha = weight(i, k);
        const Index unknown = first(i) + 6 * k;
        if constexpr (average)
          add_averaged(at, 6 * N + z, unknown, alpha, slopes_[static_cast<std::size_t>(k)],
                       chains[w.body].rotation(w.first + k).matrix());
        else
          for (int j = 0; j < 6; ++j)
            for (auto* of : {&velocities_, &variables_})
              shares_of(*of, at + j).push_back({unknown + j, alpha});
      }
    });
  }

  /// The same where the first unknowns of all bodies are these.
  template <Constraint C>
  void find(const Eyes<C>& eyes, const PlacedConstraint<C>& placed, const std::vector<Chain<S>>& chains,
            const std::vector<Index>& first, Index slide, ConstraintTangent<C>& terms) {
    find(
        eyes, placed.points, placed.windows, chains,
        [&](std::size_t i) { return first[placed.windows[i].body] + 6 * placed.windows[i].first; }, slide,
        [&](std::size_t i, Index k) { return placed.weights[i][static_cast<std::size_t>(k)]; }, terms);
  }

  /// Internal coordinates follow the tangency: δs = −F_s⁻¹ (F_R δR + F_R′ δR′ + F_θ θ) in place of unknowns of
  /// their own. Throws ParallelRods.
  template <Constraint C>
  void follow(const ConstraintTangent<C>& terms, S time) {
    constexpr int N = Evaluation<C>::N, Z = Evaluation<C>::Z;
    if constexpr (Z > 0) {
      const Mat<S, Z> slopes = terms.tangency.template rightCols<Z>();
      for (int z = 0; z < Z; ++z) shares_of(variables_, 6 * N + z).clear();
      for (int v = 0; v < 6 * N; ++v) {
        const Vec<S, Z> moved = slide<Z>(slopes, Vec<S, Z>(terms.tangency.col(v)), time);
        for (int z = 0; z < Z; ++z)
          if (!number::is_zero(moved[z]))
            for (const auto& [unknown, weight] : variable(v))
              shares_of(variables_, 6 * N + z).push_back({unknown, moved[z] * weight});
      }
    }
  }

  /// put(unknown, force) of a pull.
  template <class Put>
  void each_force(const TangentView<S>& t, const Put& put) const {
    for (int a = 0; a < 6 * t.places; ++a)
      for (const auto& [row, weight] : velocity(a)) put(row, weight * t.pull[a]);
  }
  /// put(row, column, K) of the geometric stiffness K = −∂f/∂(q, s) for multipliers that stay.
  template <class Put>
  void each_stiffness(const TangentView<S>& t, const Put& put) const {
    const int rows = 6 * t.places;
    for (int a = 0; a < rows; ++a)
      for (int v = 0; v < rows + t.slides; ++v) {
        const S& slope = t.curvature[a + rows * v];
        if (number::is_zero(slope)) continue;
        for (const auto& [row, weight] : velocity(a))
          for (const auto& [column, share] : variable(v)) put(row, column, -(weight * slope) * share);
      }
    for (const Averaged& n : averaged_) {
      const S* const pull = t.pull + n.place;
      S torque[3];  // Λᵀ g_θ
      for (int j = 0; j < 3; ++j)
        torque[j] = n.frame(0, j) * pull[3] + n.frame(1, j) * pull[4] + n.frame(2, j) * pull[5];
      for (int j = 0; j < 3; ++j) {
        const int next = (j + 1) % 3, last = (j + 2) % 3;
        const Index force = n.unknown + j, turn = n.unknown + 3;
        put_if(turn + j, turn + last, -n.weight * torque[next], put);  // (Λᵀ g_θ) × Σ
        put_if(turn + j, turn + next, n.weight * torque[last], put);
        for (const auto& [s, share] : variable(n.slide)) {  // weights change with s
          put_if(force, s, -n.slope * pull[j] * share, put);
          put_if(turn + j, s, -n.slope * torque[j] * share, put);
        }
      }
    }
  }
  /// put(number of the tangency, column, F_q or F_s).
  template <class Put>
  void each_tangency(const TangentView<S>& t, const Put& put) const {
    for (int r = 0; r < t.slides; ++r)
      for (int v = 0; v < 6 * t.places + t.slides; ++v)
        for (const auto& [column, share] : variable(v)) put(r, column, t.tangency[r + t.slides * v] * share);
  }

 private:
  /// A node of a place that is an average over several.
  struct Averaged {
    int place, slide;  // numbers of its variables
    Index unknown;
    S weight, slope;  // α, α′ [1/m]
    Mat<S, 3> frame;  // Λ
  };

  [[nodiscard]] static Shares& shares_of(std::vector<Shares>& of, int i) {
    return of[static_cast<std::size_t>(i)];
  }
  void add_averaged(int place, int slide, Index unknown, const S& alpha, const S& slope,
                    const Mat<S, 3>& frame) {
    if (number::is_zero(alpha) && number::is_zero(slope)) return;
    averaged_.push_back({place, slide, unknown, alpha, slope, frame});
    for (int j = 0; j < 3; ++j) {
      shares_of(velocities_, place + j).push_back({unknown + j, alpha});
      shares_of(variables_, place + j).push_back({unknown + j, alpha});
      shares_of(variables_, place + 3 + j).push_back({unknown + j, slope});
      for (int l = 0; l < 3; ++l)
        shares_of(velocities_, place + 3 + j).push_back({unknown + 3 + l, alpha * frame(j, l)});
    }
  }
  template <class Put>
  static void put_if(Index row, Index column, const S& value, const Put& put) {
    if (!number::is_zero(value)) put(row, column, value);
  }

  std::vector<Shares> velocities_, variables_;
  std::vector<Averaged> averaged_;
  std::vector<S> slopes_;
};

}  // namespace dalembert::assembly::detail
