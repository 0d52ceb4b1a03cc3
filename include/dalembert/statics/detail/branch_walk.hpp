#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/statics/branch.hpp>
#include <dalembert/statics/detail/branch.hpp>

/// Steps along a branch of equilibria, and what happens on the way; see statics/continuation.hpp.
namespace dalembert::assembly::detail {

/// Follows a branch of a system of statics.
template <class S, class Options>
class BranchWalk {
 public:
  using Point = BranchPoint<S>;
  using Stop = std::function<bool(const Point&)>;

  BranchWalk(StaticEquations<S>& system, State<S>& x, const PutLoads<S>& put, const Options& options,
             const Stop& stop)
      : equations_(system, x, put, options.newton, options.parameter_scale), o_(options), stop_(stop) {}

  /// From the equilibrium near the state, at a parameter.
  [[nodiscard]] Branch<S> from(S parameter) {
    equations_.begin(parameter);
    equations_.settle();
    look();
    if (here_.tangent.parameter * o_.first_step < S(0)) turn_round(here_.tangent);
    step_ = std::min(number::abs(o_.first_step / here_.tangent.parameter), o_.largest_step);
    follow();
    return std::move(branch_);
  }

  /// From a bifurcation along its mode.
  [[nodiscard]] Branch<S> through(const Point& bifurcation, int side) {
    equations_.begin(bifurcation.parameter);
    BranchSpot<S> start{bifurcation.state, bifurcation.multipliers, bifurcation.parameter};
    equations_.go_to(start);
    branch_.points.push_back(bifurcation);
    Direction mode{bifurcation.mode, S(0)};
    if (side < 0) mode.unknowns *= S(-1);
    here_ = {start, mode, 0, 0};
    step_ = std::min(number::abs(o_.first_step), o_.largest_step);
    for (std::string failure = advance(step_); !failure.empty(); failure = advance(step_))
      if ((step_ /= S(2)) < o_.smallest_step) lose(failure);
    arc_ += step_;
    look();
    align(here_.tangent, mode);
    follow();
    return std::move(branch_);
  }

 private:
  using Direction = BranchDirection<S>;

  /// A point that was reached, and how the branch goes on there.
  struct Marker {
    BranchSpot<S> spot;
    Direction tangent;
    int sign, unstable;
  };

  static void turn_round(Direction& tangent) {
    tangent.unknowns *= S(-1);
    tangent.parameter *= S(-1);
  }
  /// Turn a tangent round where it goes against another direction.
  void align(Direction& tangent, const Direction& with) const {
    if (equations_.product(with, tangent) < S(0)) turn_round(tangent);
  }

  /// Make the present equilibrium a point of the branch.
  void look() {
    here_ = survey();
    record(here_, BranchEvent::none);
  }
  [[nodiscard]] Marker survey() {
    return {equations_.spot(), equations_.tangent(), equations_.sign(), equations_.count_unstable()};
  }
  Point& record(const Marker& place, BranchEvent kind) {
    branch_.points.push_back(
        {kind, place.spot.parameter, arc_, place.unstable, place.spot.state, place.spot.multipliers, {}});
    branch_.iterations = equations_.all_iterations();
    return branch_.points.back();
  }

  /// A step from `here_`; empty, or what went wrong.
  [[nodiscard]] std::string advance(S length) {
    equations_.go_to(here_.spot);
    try {
      equations_.move(here_.tangent, length);
    } catch (const InvalidState& e) {
      return e.what();
    }
    return equations_.correct(&here_.tangent);
  }

  /// Steps until the branch ends.
  void follow() {
    constexpr int quick = 4;    // iterations of a step that may grow
    const S straight = S(0.9);  // cosine of the largest angle between tangents
    if (stop_ && stop_(branch_.points.back())) return;
    for (int steps = 0; steps < o_.points;) {
      Marker next;
      std::string failure = advance(step_);
      const int used = equations_.iterations();
      if (failure.empty()) {
        try {
          next = survey();
          align(next.tangent, here_.tangent);
          if (equations_.product(here_.tangent, next.tangent) < straight)
            failure = "the branch turns too sharply";
          if (step_ > S(64) * o_.smallest_step && several(next))
            failure = "several things happen in one step";
        } catch (const SingularSystem& e) {
          failure = e.what();
        } catch (const InvalidState& e) {
          failure = e.what();
        }
      }
      if (!failure.empty()) {
        step_ /= S(2);
        if (step_ < o_.smallest_step) lose(failure);
        continue;
      }
      ++steps;
      const S length = step_, arc = arc_;
      if (used <= quick)
        step_ = std::min(S(1.5) * step_, o_.largest_step);
      else if (used > 2 * quick)
        step_ *= S(0.7);
      const bool turned = next.tangent.parameter * here_.tangent.parameter < S(0);
      if ((turned || changed(here_, next)) &&
          locate(turned ? BranchEvent::limit_point : BranchEvent::bifurcation, next, length) && stop_ &&
          stop_(branch_.points.back())) {
        const Point& p = branch_.points.back();
        return equations_.go_to({p.state, p.multipliers, p.parameter});
      }
      const bool over = next.spot.parameter > o_.most, under = next.spot.parameter < o_.least;
      equations_.go_to(next.spot);
      if (over || under) return end_at(over ? o_.most : o_.least, next, arc, length);
      arc_ = arc + length;
      here_ = std::move(next);
      record(here_, BranchEvent::none);
      if (stop_ && stop_(branch_.points.back())) return;
    }
  }

  /// Whether K has become singular in between.
  [[nodiscard]] static bool changed(const Marker& a, const Marker& b) noexcept {
    return a.unstable < 0 || b.unstable < 0 ? a.sign != b.sign : a.unstable != b.unstable;
  }
  /// Whether a limit point and a bifurcation, or two limit points, lie before `next`.
  [[nodiscard]] bool several(const Marker& next) const noexcept {
    const bool turned = next.tangent.parameter * here_.tangent.parameter < S(0);
    return turned &&
           (next.unstable < 0 ? next.sign == here_.sign : std::abs(next.unstable - here_.unstable) != 1);
  }

  /// The last point, at a parameter that the branch has passed in a step that ended `beyond`. By the secant
  /// along the step, until what is left to do at a fixed parameter is little.
  void end_at(S parameter, const Marker& beyond, S arc, S length) {
    Marker near = beyond;
    S at = length;
    for (int i = 0; i < 2; ++i) {
      const S from = here_.spot.parameter;
      const S next = at * (parameter - from) / (near.spot.parameter - from);
      if (!(next > S(0) && next <= length) || !advance(next).empty()) {
        equations_.go_to(near.spot);
        break;
      }
      at = next;
      near.spot = equations_.spot();
    }
    equations_.move(near.tangent, (parameter - near.spot.parameter) / near.tangent.parameter);
    equations_.put(parameter);
    const std::string failure = equations_.correct();
    if (!failure.empty()) lose(failure);
    arc_ = arc + at;
    look();
  }
  /// Throws BranchLost, at the last point.
  [[noreturn]] void lose(const std::string& failure) {
    equations_.go_to(here_.spot);
    throw BranchLost<S>(failure, std::move(branch_));
  }

  /// What lies so far along the step, and what is to vanish in a point of this kind; nothing where the
  /// equations are singular.
  [[nodiscard]] std::optional<Marker> probe(S at, BranchEvent kind, S& value) {
    if (!advance(at).empty()) return {};
    try {
      Marker place{equations_.spot(), equations_.tangent(), equations_.sign(), 0};
      align(place.tangent, here_.tangent);
      value = place.tangent.parameter;
      if (kind == BranchEvent::bifurcation) std::tie(value, mode_) = equations_.softest(neutral_);
      place.unstable = equations_.count_unstable();
      return place;
    } catch (const SingularSystem&) {
      return {};
    }
  }

  /// Find a point of a kind between `here_` and `next`, which is so long a step away, and record it; false
  /// where it is out of bounds.
  bool locate(BranchEvent kind, const Marker& next, S length) {
    const S arc = arc_;
    S low = S(0), high = length;
    // of what is to vanish: ṗ, or the softest eigenvalue of K; 0 where it is not known
    const bool turns = kind == BranchEvent::limit_point;
    S value_low = turns ? here_.tangent.parameter : S(0), value_high = turns ? next.tangent.parameter : S(0);
    S first = S(0);
    Marker best;
    if (!turns) {
      equations_.go_to(here_.spot);
      (void)equations_.tangent();
      neutral_ = equations_.neutral_modes();
    }
    bool found = false;
    int same = 0;  // how often the same side has moved
    S aside(0);    // from a place where the equations are singular
    const S margin = S(0.1) * o_.location * length;
    for (int i = 0; i < 60 && high - low > o_.location * length; ++i) {
      S at = (low + high) / S(2);
      // of the secant, with the side that stays halved (Dowell and Jarratt 1971)
      if (value_low * value_high < S(0)) {
        const S secant = low + (high - low) * value_low / (value_low - value_high);
        at = std::clamp(secant, low + margin, high - margin) + aside;
      }
      S value(0);
      std::optional<Marker> probed = probe(at, kind, value);
      if (!probed) {
        if ((aside += margin) > S(3) * margin) break;
        continue;
      }
      Marker& place = *probed;
      bool beyond = turns ? value * here_.tangent.parameter < S(0) : changed(here_, place);
      // unstable directions are those with springs, which the mode itself has not
      if (!turns && place.unstable >= 0 && equations_.is_neutral(value, mode_))
        beyond = (value < S(0)) == (next.unstable > here_.unstable);
      best = std::move(place);
      found = true;
      arc_ = arc + at;
      (beyond ? high : low) = at;
      (beyond ? value_high : value_low) = value;
      same = beyond ? std::max(same, 0) + 1 : std::min(same, 0) - 1;
      if (same > 1) value_low /= S(2);
      if (same < -1) value_high /= S(2);
      if (first == S(0)) first = number::abs(value);
      // nearer to a bifurcation, round-off would move along its mode
      if (number::abs(value) <= (kind == BranchEvent::bifurcation ? S(1e-7) * first : S(0))) break;
    }
    found = found && best.spot.parameter <= o_.most && best.spot.parameter >= o_.least;
    if (found) {
      Point& p = record(best, kind);
      if (kind == BranchEvent::bifurcation) p.mode = mode_;
    }
    arc_ = arc;
    return found;
  }

  BranchEquations<S> equations_;
  const Options& o_;
  const Stop& stop_;
  Branch<S> branch_;
  Marker here_;
  S step_{}, arc_{};
  std::vector<Column<S>> neutral_;  // modes that are none of those that become unstable in a step,
  Column<S> mode_;                  // and that which does
};

}  // namespace dalembert::assembly::detail
