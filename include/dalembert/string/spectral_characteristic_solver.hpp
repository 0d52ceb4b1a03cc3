#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/string/characteristic_solver.hpp>
#include <dalembert/string/detail/segments.hpp>

/// The history of the contact of two strings (string/characteristic_solver.hpp) to round-off: time goes in
/// segments on which everything is smooth, and each holds polynomials through sixteen Chebyshev points. A
/// segment ends where a wave arrives that left the contact at the start, or when an earlier segment ended in
/// this way, or where the data had a kink: with every reflection there are more such times, and a run over
/// many costs accordingly. A segment is halved until its polynomials are resolved to 1e-13 of the waves, but
/// not below length/(4000 c). Within one, θ = θ₀ + ∫U(t, θ) dt at the points is solved by Picard's
/// iteration, which converges because a wave does not return to the contact within a segment.
namespace dalembert::strings {

/// The history in segments; see the head of this file. A model of `Flow`; steps may have any length.
template <PlainReal S = double>
class SpectralCharacteristicSolver : public HistoryFlow<S, detail::PieceTrack<16, S>> {
  using Base = HistoryFlow<S, detail::PieceTrack<16, S>>;

 public:
  using State = typename Base::State;  ///< the history so far

  /// Throws std::invalid_argument for parameters that break their rules.
  explicit SpectralCharacteristicSolver(const Pair<S>& pair) : Base(pair, "SpectralCharacteristicSolver") {}

  /// The start. Throws std::invalid_argument for profiles that the strings cannot have, SupersonicContact as
  /// a step does.
  [[nodiscard]] State state(const Profile<S>& first, const Profile<S>& second) const {
    return this->begin(first, second);
  }

  /// Move `state` on by h [s], in as many segments as it takes. Throws std::invalid_argument for h that is
  /// not positive, ContactAtEnd where the contact comes so near an end that segments become too short,
  /// SupersonicContact where it is not slower than the waves, NoConvergence where a segment cannot be solved:
  /// `state` is then as before.
  StepReport<S> step(State& state, S h) const {
    require(h > 0, "SpectralCharacteristicSolver", "step", h, "it must be positive [s]");
    const S time = state.time, theta = state.theta_;
    const auto now = state.now_;
    const std::size_t size = state.path_.size();
    const bool kink = state.at_kink_;
    try {
      for (const S until = time + h; state.time < until;) advance(state, until);
      state.now_ = this->scatter(state, state.time, state.theta_);
    } catch (...) {
      state.time = time;
      state.theta_ = theta;
      state.now_ = now;
      state.at_kink_ = kink;
      state.path_.cut(size);
      for (auto& string : state.strings_) {
        string.left.cut(size);
        string.right.cut(size);
      }
      throw;
    }
    return {};
  }

  /// How many segments a history has.
  [[nodiscard]] std::size_t segments(const State& state) const { return state.path_.size(); }

 private:
  static constexpr std::size_t N = 16;
  using Values = std::array<S, N>;

  /// A segment in the making.
  struct Segment {
    Values theta{}, velocity{};
    std::array<Scattered<S>, N> out{};
    S end{};     // θ at the end
    S size = 0;  // of the waves that leave
  };

  /// One segment more, not beyond `until`.
  void advance(State& state, S until) const {
    const S t = state.time, c = this->pair_.c, length = this->pair_.length;
    const S slack = S(1e-11L) * length, exact = S(1e-14L) * (length / c + t);
    const S shortest = length / (4000 * c);
    std::array<S, 4> kinks{};
    for (std::size_t k = 0; k < 4; ++k)
      kinks[k] = state.strings_[k / 2].next_kink(k % 2 == 0, phase(state, k, t, state.theta_), slack);
    S longest = std::min(until - t, length / (8 * c));
    for (std::size_t i = 0; i < 2; ++i)
      longest = std::min(longest, state.strings_[i].longest_step(state.place(i, state.theta_)));
    if (!(longest > S(1e-7L) * length / c) && longest < until - t) this->require_room(state, shortest);
    S h = longest;
    Segment segment;
    segment.velocity.fill(state.now_.velocity1);
    std::size_t hunted = 4;  // the kink at which the segment is to end
    for (int attempt = 0; attempt < 200; ++attempt) {
      const bool solved = solve(state, h, segment);
      if (h > shortest && (!solved || !resolved(segment))) {
        h /= 2;
        hunted = 4;
        continue;
      }
      if (!solved)
        throw NoConvergence("SpectralCharacteristicSolver: the equation of a segment was not solved",
                            static_cast<double>(t));
      // How long before the end of the segment each kink came, by the speed at the last point
      std::array<S, 4> late{};
      for (std::size_t k = 0; k < 4; ++k)
        late[k] = (phase(state, k, t + h, segment.end) - kinks[k]) / rate(segment, k);
      const std::size_t first =
          static_cast<std::size_t>(std::max_element(late.begin(), late.end()) - late.begin());
      if (late[first] > exact) hunted = first;
      if (hunted < 4 && std::abs(late[hunted]) > exact) {
        const S next = h - late[hunted];
        if (next > longest) {  // it comes after all that may be done at once
          if (h == longest) break;
          h = longest;
          hunted = 4;
        } else {
          h = next > 0 ? next : h / 2;
        }
        continue;
      }
      commit(state, segment, h, h == until - t ? until : t + h);
      state.at_kink_ = late[first] > -slack / c;
      return;
    }
    throw NoConvergence("SpectralCharacteristicSolver: the end of a segment was not found",
                        static_cast<double>(t));
  }

  /// The phase ct ∓ s of what arrives: k = 0, 1 to the right and to the left on the first string, 2, 3 on
  /// the second.
  [[nodiscard]] S phase(const State& state, std::size_t k, S t, S theta) const {
    const S s = state.place(k / 2, theta);
    return k % 2 == 0 ? this->pair_.c * t - s : this->pair_.c * t + s;
  }
  /// Its rate at the last point.
  [[nodiscard]] S rate(const Segment& segment, std::size_t k) const {
    const S speed = k < 2 ? segment.out[N - 1].speed1 : segment.out[N - 1].speed2;
    return k % 2 == 0 ? this->pair_.c - speed : this->pair_.c + speed;
  }

  /// Solve for θ on the next h [s], from the velocities that `segment` has. Returns whether that converged.
  bool solve(const State& state, S h, Segment& segment) const {
    using std::abs;
    const S tolerance = 4 * std::numeric_limits<S>::epsilon() * this->pair_.length;
    S last = std::numeric_limits<S>::infinity();
    for (int iteration = 0; iteration < 80; ++iteration) {
      const Values path = points_.integral(segment.velocity);
      S change = 0;
      for (std::size_t j = 0; j < N; ++j) {
        const S theta = state.theta_ + h / 2 * path[j];
        change = std::max(change, iteration == 0 ? last : abs(theta - segment.theta[j]));
        segment.theta[j] = theta;
      }
      segment.size = 0;
      for (std::size_t j = 0; j < N; ++j) {
        auto& out = segment.out[j];
        out = this->scatter(state, state.time + h / 2 * (1 + points_.points()[j]), segment.theta[j]);
        segment.velocity[j] = out.velocity1;
        for (const S wave :
             {out.outgoing1.right, out.outgoing1.left, out.outgoing2.right, out.outgoing2.left})
          segment.size = std::max(segment.size, abs(wave));
      }
      segment.end = state.theta_ + h / 2 * points_.whole(segment.velocity);
      if (change <= tolerance || (change < 100 * tolerance && change >= last)) return true;
      last = change;
    }
    return false;
  }

  /// Whether the polynomials of the waves that leave have small last coefficients.
  [[nodiscard]] bool resolved(const Segment& segment) const {
    for (std::size_t k = 0; k < 4; ++k)
      if (points_.tail(leaving(segment, k)) > S(1e-13L) * segment.size) return false;
    return true;
  }

  /// What leaves to the left and to the right on the first string, k = 0, 1, and on the second, k = 2, 3, at
  /// the points.
  [[nodiscard]] Values leaving(const Segment& segment, std::size_t k) const {
    Values values;
    for (std::size_t j = 0; j < N; ++j) {
      const auto& out = k < 2 ? segment.out[j].outgoing1 : segment.out[j].outgoing2;
      values[j] = k % 2 == 0 ? out.left : out.right;
    }
    return values;
  }

  /// Append the segment to the history, which goes on to `time`.
  void commit(State& state, const Segment& segment, S h, S time) const {
    const S c = this->pair_.c;
    Values times;
    for (std::size_t j = 0; j < N; ++j) times[j] = state.time + h / 2 * (1 + points_.points()[j]);
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t i = k / 2;
      auto& string = state.strings_[i];
      const bool left = k % 2 == 0;
      auto& track = left ? string.left : string.right;
      const auto& waves = string.initial();
      const S begin = track.begin();
      const bool first = track.size() == 0;
      const S sum = !first ? track.last(detail::Kept::sum)
                    : left ? waves.left_sum(begin)
                           : waves.right_sum(-begin);
      const S squares = !first ? track.last(detail::Kept::squares)
                        : left ? waves.left_squares(begin)
                               : -waves.right_squares(-begin);
      const Values values = leaving(segment, k);
      Values places, flow, power;
      for (std::size_t j = 0; j < N; ++j) {
        const S s = state.place(i, segment.theta[j]),
                speed = i == 0 ? segment.out[j].speed1 : segment.out[j].speed2;
        places[j] = left ? c * times[j] + s : c * times[j] - s;
        flow[j] = h / 2 * values[j] * (left ? c + speed : c - speed);
        power[j] = flow[j] * values[j];
      }
      Values sums = points_.integral(flow), all_squares = points_.integral(power);
      for (std::size_t j = 0; j < N; ++j) {
        sums[j] += sum;
        all_squares[j] += squares;
      }
      const S s = state.place(i, segment.end);
      track.append(left ? c * time + s : c * time - s, state.at_kink_, places, {values, sums, all_squares},
                   {values[N - 1], sum + points_.whole(flow), squares + points_.whole(power)});
    }
    state.path_.append(time, state.at_kink_, times, {segment.theta, Values{}, Values{}},
                       {segment.end, S(0), S(0)});
    state.time = time;
    state.theta_ = segment.end;
    state.now_ = segment.out[N - 1];
  }

  detail::Chebyshev<N, S> points_{};
};

}  // namespace dalembert::strings
