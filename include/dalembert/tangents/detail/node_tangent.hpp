#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <dalembert/assembly/detail/tangency.hpp>
#include <dalembert/clusters/rows_view.hpp>
#include <dalembert/core/detail/central_difference.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/tangents/constraint_tangent.hpp>

/// How what a constraint says changes with its nodes, one by one, by differences of its evaluation: for rows
/// that are said in plain numbers, which carry no derivatives.
namespace dalembert::assembly::detail {

/// A constraint in a state of its own, with the weights of its nodes.
template <Constraint C>
struct PlacedConstraint {
  using S = ScalarOf<C>;
  Evaluator<C> evaluator;
  Evaluation<C> evaluation;
  std::vector<S> weights;

  /// In no state yet.
  explicit PlacedConstraint(const C& c) : evaluator(c) { make_room(evaluator, evaluation, weights); }
  /// In this state.
  PlacedConstraint(const C& c, const State<S>& x, int z) : PlacedConstraint(c) { place(x, z); }

  /// Where it is in a state, and its errors; its first internal coordinate is number z.
  void find_places(const State<S>& x, int z) {
    find_points(evaluator, x, z, evaluation, weights.data());
    evaluator.find_error(evaluation, x.time);
  }
  /// The same with its rows.
  [[gnu::noinline]] void place(const State<S>& x, int z) {
    find_places(x, z);
    evaluator.find_rows(evaluation, x);
  }
  [[nodiscard]] RowsView<S> view() const noexcept { return view_of(evaluation, 0, 0); }
};

/// Equation (1) of constraint_tangent.hpp for nodes in place of markers, in the order of `nodes`: matrices
/// column by column.
template <class S>
class NodeTangent {
 public:
  /// A node, whatever markers it bears.
  struct Node {
    std::size_t body;
    Index number;
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;

  [[nodiscard]] TangentView<S> view() const noexcept {
    return {static_cast<int>(nodes.size()), slides_, positions_, nullptr, changes_.data()};
  }

  /// Of a constraint in a state, for multipliers λ(evaluation) of all its rows.
  template <Constraint C, class Multipliers>
  void find(const PlacedConstraint<C>& at, const State<S>& x, int z, const Multipliers& multipliers) {
    constexpr int R = Evaluation<C>::R;
    slides_ = Evaluation<C>::Z;
    positions_ = Evaluation<C>::P;
    find_nodes(at.evaluation.windows, x, [] {
      if constexpr (requires { C::beyond; }) return static_cast<Index>(C::beyond);
      return Index(0);
    }());
    double length = 0, far = 0;  // of steps and of markers
    for (const Point<S>& p : at.evaluation.points)
      for (int j = 0; j < 3; ++j) {
        far = std::max(far, std::abs(number::plain(p.R[j])));
        length = std::max(length, std::abs(number::plain(S(p.R[j] - at.evaluation.points[0].R[j]))));
      }
    at.evaluator.each([&](auto i) {
      const auto& place = std::get<i>(at.evaluator.markers());
      if constexpr (MarkerOf<C, i>::slides) length = std::max(length, number::plain(S(place.reach())));
      length = std::max(length, number::plain(S(place.extent(at.evaluation.points[i]))));
    });
    if (!(length > 0)) length = 1;

    PlacedConstraint<C> moved = at;
    State<S> y = x;
    const std::size_t count = 6 * nodes.size();
    const auto find_numbers = [&](std::vector<S>& out) {
      moved.place(y, z);
      const Vec<S, R> lambda = multipliers(moved.evaluation);
      std::fill(out.begin(), out.end(), S(0));
      moved.view().each_node(moved.weights.data(), y.chains,
                             [&](const Window& w, Index k, const S*, const S* pulls) {
                               const std::size_t n = number_of({w.body, k});
                               if (n == nodes.size()) return;  // far away by a long step
                               for (int r = 0; r < R; ++r)
                                 for (std::size_t j = 0; j < 6; ++j)
                                   out[6 * n + j] += lambda[r] * pulls[6 * static_cast<std::size_t>(r) + j];
                             });
      if constexpr (Evaluation<C>::Z > 0) {
        const auto f = moved.evaluator.tangency(moved.evaluation, y).first;
        for (int i = 0; i < slides_; ++i) out[count + static_cast<std::size_t>(i)] = f[i];
      }
      for (int i = 0; i < positions_; ++i)
        out[count + static_cast<std::size_t>(slides_ + i)] = moved.evaluation.error[i];
    };
    std::vector<S> here(static_cast<std::size_t>(view().rows()));
    find_numbers(here);
    double pull = 0;  // as a torque
    for (std::size_t i = 0; i < count; ++i)
      number::keep_larger(pull, std::abs(number::plain(here[i])) * (i % 6 < 3 ? length : 1.0));
    const auto size = [&](const std::vector<S>& numbers) {  // beside what they are at all
      double most = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double unit = i >= count    ? 1 / length
                            : !(pull > 0) ? 0.0
                            : i % 6 < 3   ? length / pull
                                          : 1 / pull;
        number::keep_larger(most, std::abs(number::plain(numbers[i])) * unit);
      }
      return most;
    };
    const auto put = [&](std::size_t variable, double unit, const auto& move) {
      put_column(name_of<C>(), variable, unit, far / length, size, [&](double h, std::vector<S>& out) {
        move(h);
        find_numbers(out);
      });
    };
    const std::size_t variables = count + static_cast<std::size_t>(slides_);
    changes_.assign(here.size() * variables, S(0));
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const std::size_t body = nodes[n].body;
      const Index k = nodes[n].number;
      for (int j = 0; j < 6; ++j) {
        const double unit = j < 3 ? length : 1;
        put(6 * n + static_cast<std::size_t>(j), unit, [&](double h) {
          y[body].configuration = x[body].configuration;
          Vec<S, 3> by[2] = {Vec<S, 3>::Zero(), Vec<S, 3>::Zero()};
          by[j / 3][j % 3] = S(h * unit);
          rod::move_node(y[body], k, by[0], by[1]);
        });
      }
      y[body].configuration = x[body].configuration;
    }
    for (int i = 0; i < slides_; ++i) {
      put(count + static_cast<std::size_t>(i), length,
          [&](double h) { y.z[z + i] = x.z[z + i] + S(h * length); });
      y.z[z + i] = x.z[z + i];
    }
  }

 private:
  /// The nodes that bear the markers, with so many beyond these.
  void find_nodes(const auto& windows, const State<S>& x, Index beyond) {
    nodes.clear();
    for (const Window& w : windows) {
      if (w.count == 0) continue;
      const Index end = std::min(w.first + w.count + beyond, x[w.body].nodes);
      for (Index k = std::max(w.first - beyond, Index(0)); k < end; ++k)
        if (number_of({w.body, k}) == nodes.size()) nodes.push_back({w.body, k});
    }
  }
  [[nodiscard]] std::size_t number_of(const Node& node) const {
    return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  }
  /// The derivatives by a variable, which is taken in this unit.
  [[gnu::noinline]] void put_column(std::string_view name, std::size_t variable, double unit, double argument,
                                    const auto& size, const auto& at) {
    const auto rows = static_cast<std::size_t>(view().rows());
    const auto found = dalembert::detail::central_difference<S>(0.25, rows, at, size, argument);
    require(!found.value.empty(), name, "derivative of its rows", "not finite",
            "the rows of a constraint must be finite near a state about which it is linearised");
    for (std::size_t i = 0; i < rows; ++i) changes_[rows * variable + i] = found.value[i] * S(1 / unit);
  }

  int slides_ = 0, positions_ = 0;
  std::vector<S> changes_;
};

}  // namespace dalembert::assembly::detail
