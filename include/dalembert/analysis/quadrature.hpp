#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>

/// The integral of a function that becomes known sample by sample, in order, at any times.
///   ∫ f dt over [t₋₁, t₀] = ∫ p dt,  p the polynomial through the last `Points` samples        (1)
/// The first `Points` samples are the opening: one polynomial through all of them, so that the integral up to
/// each of them is of the same order as (1); until it is complete, each sample improves the values before it.
/// The error is O(Δt^Points), and zero for polynomials below that degree. Source: Adams and Moulton's rules,
/// here for unequal intervals.
namespace dalembert::analysis {

/// ∫ f dt of a function with `Components` values; see the head of this file.
///   integral.add(t, f);   integral.value()
/// Two samples at one time whose values differ are a jump: no polynomial goes through both sides of it, a new
/// opening begins. So it does where time turns back. Samples so close that their difference is mostly
/// rounding are not both used.
template <PlainReal S = double, int Components = 1, int Points = 7>
class RunningIntegral {
  static_assert(Components >= 1 && 2 <= Points && Points <= 8);

 public:
  using Value = Vec<S, Components>;        ///< what f returns
  static constexpr int order = Points;     ///< the error is O(Δt^order)
  static constexpr int most = 2 * Points;  ///< `revised()` never exceeds this

  /// The next sample: f at `time`. Never throws; what is not finite makes the values not-a-number from here
  /// on.
  void add(S time, const Value& f) {
    if (nodes_ == 0) {
      begin(time, f);
      mark(time);
    } else if (time == last().time) {
      repeat(time, f);
    } else {
      advance(time, f);
    }
    integrate();
  }

  /// The integral from the first sample to the last; 0 before there are two.
  [[nodiscard]] const Value& value() const noexcept { return value(0); }
  /// The same to the sample that is `back` before the last, 0 ≤ back < revised().
  [[nodiscard]] const Value& value(int back) const noexcept {
    return values_[static_cast<std::size_t>(std::max(0, marks_ - 1 - back))];
  }
  /// How many values, counted back from the last sample, the last `add` gave or improved.
  [[nodiscard]] int revised() const noexcept { return marks_; }

 private:
  struct Node {
    S time;
    Value f;
  };

  /// A node is not used if its successor follows within this part of the newest interval: rounding would be
  /// amplified by its inverse.
  static constexpr S closest = S(1e-3);

  [[nodiscard]] const Node& node(int i) const { return node_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Node& last() const { return node(nodes_ - 1); }

  /// A new opening at `time`, where the integral is what it is now.
  [[gnu::noinline]] void begin(S time, const Value& f) {
    settle(time);
    opening_ = true;
    nodes_ = 0;
    append(time, f);
  }

  /// A sample at the time of the last.
  void repeat(S time, const Value& f) {
    if (!dalembert::detail::same(f, last().f))
      begin(time, f);
    else if (!opening_ || marks_ == most)
      settle(time);
    mark(time);
  }

  /// A sample at another time.
  void advance(S time, const Value& f) {
    const S interval = time - last().time;
    if (nodes_ > 1 && interval * (last().time - node(nodes_ - 2).time) < 0) {
      const Node turning = last();
      begin(turning.time, turning.f);
    } else if (!opening_ || nodes_ == Points || marks_ == most) {
      settle(last().time);
      opening_ = false;
    }
    drop_close_nodes(interval);
    append(time, f);
    mark(time);
  }

  /// Values up to `time` are final; those of later samples build on them.
  void settle(S time) {
    base_ = value();
    start_ = time;
    marks_ = 0;
  }

  void mark(S time) { mark_[static_cast<std::size_t>(marks_++)] = time; }

  void append(S time, const Value& f) {
    if (nodes_ == Points) {
      std::move(node_.begin() + 1, node_.end(), node_.begin());
      --nodes_;
    }
    node_[static_cast<std::size_t>(nodes_++)] = {time, f};
  }

  void drop_close_nodes(S interval) {
    using std::abs;
    int kept = 0;
    for (int i = 0; i < nodes_; ++i) {
      const bool close = i + 1 < nodes_ && abs(node(i + 1).time - node(i).time) < closest * abs(interval);
      if (!close) node_[static_cast<std::size_t>(kept++)] = node(i);
    }
    nodes_ = kept;
  }

  /// The values at all marks, from `start_` on.
  void integrate() {
    Value sum = base_;
    S from = start_;
    for (std::size_t i = 0; i < static_cast<std::size_t>(marks_); ++i) {
      sum = dalembert::detail::sum(sum, integral(from, mark_[i]));
      values_[i] = sum;
      from = mark_[i];
    }
  }

  /// ∫ p dt from a to b by Gauss and Legendre's rule with 4 points, exact to degree 7. Times are counted
  /// from the last node's, so that nothing is lost late in a run.
  [[nodiscard]] Value integral(S a, S b) const {
    Value sum = dalembert::detail::zeros<S, Components>();
    if (a == b) return sum;
    constexpr std::array<S, 2> place = {S(0.339981043584856264802665759103244687L),
                                        S(0.861136311594052575223946488892809505L)};
    constexpr std::array<S, 2> weight = {S(0.652145154862546142626936050778000593L),
                                         S(0.347854845137453857373063949221999407L)};
    const S middle = ((a - last().time) + (b - last().time)) / 2, half = (b - a) / 2;
    for (std::size_t i = 0; i < 2; ++i)
      for (const S x : {-place[i], place[i]})
        dalembert::detail::add_scaled(sum, S(half * weight[i]), polynomial(middle + half * x));
    return sum;
  }

  /// p at the last node's time + x, by Neville's scheme.
  [[nodiscard, gnu::noinline]] Value polynomial(S x) const {
    std::array<S, Points> to;
    std::array<Value, Points> p;
    for (int i = 0; i < nodes_; ++i) {
      to[static_cast<std::size_t>(i)] = x - (node(i).time - last().time);
      p[static_cast<std::size_t>(i)] = node(i).f;
    }
    const auto count = static_cast<std::size_t>(nodes_);
    for (std::size_t k = 1; k < count; ++k)
      for (std::size_t i = 0; i + k < count; ++i)
        for (int j = 0; j < Components; ++j)
          p[i][j] = (to[i] * p[i + 1][j] - to[i + k] * p[i][j]) / (to[i] - to[i + k]);
    return p[0];
  }

  [[nodiscard]] static std::array<Value, most> zeros() {
    std::array<Value, most> all;
    all.fill(dalembert::detail::zeros<S, Components>());
    return all;
  }

  std::array<Node, Points> node_{};  ///< what p goes through, in order
  std::array<S, most> mark_{};       ///< the samples whose values are open
  std::array<Value, most> values_ = zeros();
  Value base_ = Value::Zero();
  S start_{};
  int nodes_ = 0, marks_ = 0;
  bool opening_ = true;
};

}  // namespace dalembert::analysis
