#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <dalembert/assembly/detail/tangency.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/tangents/constraint_tangent.hpp>

/// The unknowns of nodes, (δr, Σ), and of internal coordinates, s, that bear the places of a constraint:
///   V = Σ α δṙ,  W = Σ α Λ Σ̇,   δR = Σ α δr,  δR′ = Σ α′ δr,  θ = Λ Σ          (1)
/// and so the change of the forces f = (α g_R, α Λᵀ g_θ) of a pull g on them.
namespace dalembert::assembly::detail {

/// An unknown that a number of a place is a sum of, and its weight.
template <class S>
struct Share {
  Index unknown;
  S weight;
};

/// Equation (1) for the places of one constraint of any kind.
template <class S>
class PlaceUnknowns {
 public:
  using Shares = std::vector<Share<S>>;

  /// What number `a` of the velocities (V, W) of all places is a sum of.
  [[nodiscard]] const Shares& velocity(int a) const { return velocities_[static_cast<std::size_t>(a)]; }
  /// What variable `v` of a tangent is a sum of.
  [[nodiscard]] const Shares& variable(int v) const { return variables_[static_cast<std::size_t>(v)]; }

  /// Of a constraint that was evaluated. first(place) is the first unknown of the first node of its window,
  /// `slide` that of its internal coordinates, and `weights` holds those of all nodes. Torques and turns of
  /// places at one node are turned to the axes of that by `terms`.
  template <Constraint C, class First>
  void find(const Evaluator<C>& evaluator, const Evaluation<C>& e, const S* weights,
            const std::vector<Chain<S>>& chains, const First& first, Index slide,
            ConstraintTangent<C>& terms) {
    constexpr int N = Evaluation<C>::N, Z = Evaluation<C>::Z;
    start(N, Z);
    evaluator.each([&](auto i) {
      constexpr int at = 6 * static_cast<int>(i);
      constexpr bool average = is_average<MarkerOf<C, i>>;
      const auto& place = std::get<i>(evaluator.markers());
      const Window& w = e.windows[i];
      constexpr int z = Evaluator<C>::template slide_of<i>();
      if constexpr (MarkerOf<C, i>::slides) shares_of(variables_, 6 * N + z).push_back({slide + z, S(1)});
      if constexpr (average) {
        constexpr auto width = static_cast<std::size_t>(rod::width_of<rod::WindowPack<S>>);
        slopes_.assign(static_cast<std::size_t>(w.count) + width, S(0));
        place.bear_slopes(e.points[i], slopes_.data());
      } else {
        terms.turn_to_body(e.points[i].rotation, at);
      }
      for (Index k = 0; k < w.count; ++k) {
        const S alpha = weight_of(weights, w, w.first + k);
        const Index unknown = first(i) + 6 * k;
        if constexpr (average)
          add_averaged(at, 6 * N + z, unknown, alpha, slopes_[static_cast<std::size_t>(k)],
                       chains[w.body].rotation(w.first + k).matrix());
        else
          add_node(at, unknown, alpha);
      }
    });
    tangent_ = terms.view();
  }

  /// Of single nodes, whose first unknowns these are, in place of places, with their tangent.
  void find_nodes(const std::vector<Index>& first, Index slide, const TangentView<S>& tangent) {
    tangent_ = tangent;
    start(static_cast<int>(first.size()), tangent.slides);
    for (int i = 0; i < static_cast<int>(first.size()); ++i)
      add_node(6 * i, first[static_cast<std::size_t>(i)], S(1));
    for (int z = 0; z < tangent.slides; ++z)
      share(variables_, 6 * static_cast<int>(first.size()) + z, slide + z, S(1));
  }

  /// Internal coordinates follow the tangency: δs = −F_s⁻¹ (F_R δR + F_R′ δR′ + F_θ θ) in place
  /// of unknowns of their own. Throws ParallelRods.
  template <Constraint C>
  void follow(const ConstraintTangent<C>& terms, S time) {
    constexpr int N = Evaluation<C>::N, Z = Evaluation<C>::Z;
    if constexpr (Z > 0) {
      const auto column = [&](int v) {
        Vec<S, Z> by;
        for (int z = 0; z < Z; ++z) by[z] = terms.changes(6 * N + z, v);
        return by;
      };
      Mat<S, Z> slopes;
      for (int z = 0; z < Z; ++z) dalembert::detail::place(slopes, 0, z, column(6 * N + z));
      for (int z = 0; z < Z; ++z) shares_of(variables_, 6 * N + z).clear();
      for (int v = 0; v < 6 * N; ++v) {
        const Vec<S, Z> moved = slide<Z>(slopes, column(v), time);
        for (int z = 0; z < Z; ++z)
          if (!number::is_zero(moved[z]))
            for (const auto& [unknown, weight] : variable(v))
              share(variables_, 6 * N + z, unknown, moved[z] * weight);
      }
    }
  }

  /// put(row, column, K) of the geometric stiffness K = −∂f/∂(q, s) for multipliers that stay.
  template <class Put>
  void each_geometric_stiffness(const Put& put) const {
    const TangentView<S>& t = tangent_;
    for (int a = 0; a < t.tangency(); ++a)
      for (int v = 0; v < t.position(); ++v) {
        const S& slope = t.change(a, v);
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
  /// put(number of the tangency, column, F_q or F_s); where ṡ is said in its place, for F = s − ∫ṡ.
  template <class Put>
  void each_tangency(const Put& put) const {
    const TangentView<S>& t = tangent_;
    if (t.rates) {
      const int numbers = 6 * t.places;
      for (int r = 0; r < t.slides; ++r) {
        for (const auto& [column, share] : variable(numbers + r)) put(r, column, share);
        for (int a = 0; a < numbers; ++a)
          for (const auto& [column, weight] : velocity(a))
            put(r, column, -t.rates[r + t.slides * a] * weight);
      }
      return;
    }
    each_of(t.tangency(), t.slides, put);
  }
  /// put(number of the position row, column, ∂φ).
  template <class Put>
  void each_slope(const Put& put) const {
    each_of(tangent_.position(), tangent_.positions, put);
  }

 private:
  /// A node of a place that is an average over several.
  struct Averaged {
    int place, slide;  // numbers of its variables
    Index unknown;
    S weight, slope;  // α, α′ [1/m]
    Mat<S, 3> frame;  // Λ
  };

  [[gnu::cold, gnu::noinline]] void start(int places, int slides) {
    const std::size_t numbers = 6 * static_cast<std::size_t>(places);
    velocities_.resize(numbers);
    variables_.resize(numbers + static_cast<std::size_t>(slides));
    for (auto* of : {&velocities_, &variables_})
      for (Shares& shares : *of) shares.clear();
    averaged_.clear();
  }
  template <class Put>
  void each_of(int first, int rows, const Put& put) const {
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < tangent_.position(); ++v)
        for (const auto& [column, share] : variable(v)) put(r, column, tangent_.change(first + r, v) * share);
  }
  [[nodiscard]] static Shares& shares_of(std::vector<Shares>& of, int i) {
    return of[static_cast<std::size_t>(i)];
  }
  /// Number i gets a share of an unknown.
  [[gnu::noinline]] static void share(std::vector<Shares>& of, int i, Index unknown, const S& weight) {
    shares_of(of, i).push_back({unknown, weight});
  }
  /// Six numbers from `at` on that are those of a node.
  void add_node(int at, Index unknown, const S& weight) {
    for (int j = 0; j < 6; ++j)
      for (auto* of : {&velocities_, &variables_}) share(*of, at + j, unknown + j, weight);
  }
  [[gnu::noinline]] void add_averaged(int place, int slide, Index unknown, const S& alpha, const S& slope,
                                      const Mat<S, 3>& frame) {
    if (number::is_zero(alpha) && number::is_zero(slope)) return;
    averaged_.push_back({place, slide, unknown, alpha, slope, frame});
    for (int j = 0; j < 3; ++j) {
      share(velocities_, place + j, unknown + j, alpha);
      share(variables_, place + j, unknown + j, alpha);
      share(variables_, place + 3 + j, unknown + j, slope);
      for (int l = 0; l < 3; ++l) share(velocities_, place + 3 + j, unknown + 3 + l, alpha * frame(j, l));
    }
  }
  template <class Put>
  static void put_if(Index row, Index column, const S& value, const Put& put) {
    if (!number::is_zero(value)) put(row, column, value);
  }

  std::vector<Shares> velocities_, variables_;
  std::vector<Averaged> averaged_;
  std::vector<S> slopes_;
  TangentView<S> tangent_{};
};

}  // namespace dalembert::assembly::detail
