#pragma once

#include <array>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/string/detail/characteristic_record.hpp>
#include <dalembert/string/scattering.hpp>

/// Two strings in contact at a point by the method of characteristics, from the history of the contact
/// alone. What arrives at the contact left it before and was reflected at an end, or went round: a delay
/// equation for θ whose delays depend on where the contact is,
///   θ̇ = U(r₁, l₁, r₂, l₂)                              scattering, string/scattering.hpp      (1)
///   r_i = ∓A_i(ct − s_i),  l_i = ∓B_i(ct + s_i − 2L)    fixed and free ends                      (2)
///   r_i = B_i(ct − s_i − L),  l_i = A_i(ct + s_i − L)   periodic strings                           (3)
/// where waves that leave are written at A_i(ct + s_i), B_i(ct − s_i). There is no grid, and a step costs
/// the same whatever came before. `CharacteristicSolver` steps (1) by the classical Runge–Kutta method and
/// reads (2), (3) from six points: order 4 where data reach the contact smoothly. Data that do not satisfy
/// the contact at the start make kinks that come back with every reflection and lower the order to between 1
/// and 3; they are resolved by `SpectralCharacteristicSolver` (string/spectral_characteristic_solver.hpp). A
/// step reads only what is written: c h must be shorter than 0.9 times the way to the nearest end, 0.45 times
/// once round. Source: d'Alembert's solution along characteristics; Gay-Balmaz and Putkaradze, eqs (15),
/// (16), for the contact.
namespace dalembert::strings {

/// The history of two strings in contact; `CharacteristicSolver` and `SpectralCharacteristicSolver` have
/// states of this kind.
template <PlainReal S, class T>
class History {
 public:
  S time{};  ///< [s]

  /// Position of the contact on the first string [m].
  [[nodiscard]] S s1() const noexcept { return pair_.s1 + pair_.G1 * theta_; }
  /// Position on the second string [m].
  [[nodiscard]] S s2() const noexcept { return pair_.s2 + pair_.G2 / pair_.F * theta_; }
  /// The force between the strings; on the first it is −λ [m²/s²].
  [[nodiscard]] S lambda() const noexcept { return now_.lambda; }
  /// U = ⟨u_t⟩ at the contact [m/s].
  [[nodiscard]] S velocity() const noexcept { return now_.velocity1; }
  /// Everything about the waves at the contact.
  [[nodiscard]] const Scattered<S>& scattered() const noexcept { return now_; }
  /// Whether the contact's position, velocity and force are finite.
  [[nodiscard]] bool is_finite() const {
    using std::isfinite;
    return isfinite(theta_ + now_.velocity1 + now_.lambda);
  }
  /// θ at a time from the start to now [m].
  [[nodiscard]] S theta(S t) const { return t >= time ? theta_ : path_.read(detail::Kept::value, t); }

 private:
  template <PlainReal R>
  friend class CharacteristicSolver;
  template <PlainReal R>
  friend class SpectralCharacteristicSolver;
  template <PlainReal R, class U>
  friend class HistoryFlow;

  History(const Pair<S>& pair, const Profile<S>& first, const Profile<S>& second)
      : pair_(pair), strings_{{{first, pair, pair.s1}, {second, pair, pair.s2}}}, path_(S(0)) {}

  /// The place of the contact on string i when θ has that value.
  [[nodiscard]] S place(std::size_t i, S theta) const noexcept {
    return i == 0 ? pair_.s1 + pair_.G1 * theta : pair_.s2 + pair_.G2 / pair_.F * theta;
  }

  Pair<S> pair_;
  std::array<detail::CharacteristicRecord<S, T>, 2> strings_;
  T path_;  // θ as a function of time
  S theta_{};
  Scattered<S> now_{};
  bool at_kink_ =
      true;  // whether waves that leave from now on join those before with a jump or a kink, as at the start
};

/// What flows along histories share.
template <PlainReal S, class T>
class HistoryFlow {
 public:
  using Scalar = S;             ///< the number type
  using State = History<S, T>;  ///< the history so far

  /// The strings.
  [[nodiscard]] const Pair<S>& pair() const noexcept { return pair_; }

  /// (4) of string/strings.hpp, by the squares of the waves under way [J for unit mass per length].
  [[nodiscard]] S energy(const State& state) const {
    return state.strings_[0].energy(state.s1(), pair_.c * state.time) +
           state.strings_[1].energy(state.s2(), pair_.c * state.time);
  }
  /// ⟨u_t⟩ − F⟨v_t⟩, the means of the waves that arrive and leave.
  [[nodiscard]] Violation<S> constraint(const State& state) const {
    using std::abs;
    const auto [first, second] = arriving(state, state.time, state.theta_);
    const auto& out = state.now_;
    const S u = (first.right + first.left + out.outgoing1.right + out.outgoing1.left) / 4;
    const S v = (second.right + second.left + out.outgoing2.right + out.outgoing2.left) / 4;
    return {S(0), abs(u - pair_.F * v)};
  }

  /// u (string 0) or v (string 1) at x [m] and the time of the state, or an earlier one since the start [m].
  [[nodiscard]] S displacement(const State& state, int string, S x) const {
    return displacement(state, string, x, state.time);
  }
  /// The same at the time t [s].
  [[nodiscard]] S displacement(const State& state, int string, S x, S t) const {
    check_place(state, string, x, t);
    const auto i = static_cast<std::size_t>(string);
    return state.strings_[i].displacement(x, state.place(i, state.theta(t)), pair_.c * t);
  }
  /// The waves r and l there; u_t = ½(r + l), u_x = (l − r)/(2c).
  [[nodiscard]] Waves<S> waves(const State& state, int string, S x, S t) const {
    check_place(state, string, x, t);
    const auto i = static_cast<std::size_t>(string);
    return state.strings_[i].waves(x, state.place(i, state.theta(t)), pair_.c * t);
  }

 protected:
  /// Throws std::invalid_argument in the name of `owner` for parameters that break their rules.
  HistoryFlow(const Pair<S>& pair, const char* owner) : pair_(pair), contact_(pair), owner_(owner) {
    pair.check(owner);
  }

  /// The history at the start.
  [[nodiscard]] State begin(const Profile<S>& first, const Profile<S>& second) const {
    for (const auto* profile : {&first, &second}) check_profile(*profile, pair_.ends, pair_.length, owner_);
    State state(pair_, first, second);
    state.now_ = scatter(state, S(0), S(0));
    return state;
  }

  /// What arrives on both strings at the time t when θ has that value.
  [[nodiscard]] std::array<Waves<S>, 2> arriving(const State& state, S t, S theta) const {
    const S ct = pair_.c * t, s1 = state.place(0, theta), s2 = state.place(1, theta);
    const auto &one = state.strings_[0], &two = state.strings_[1];
    return {{{one.arriving_right(ct - s1), one.arriving_left(ct + s1)},
             {two.arriving_right(ct - s2), two.arriving_left(ct + s2)}}};
  }
  /// What the contact makes of it.
  [[nodiscard]] Scattered<S> scatter(const State& state, S t, S theta) const {
    const auto [first, second] = arriving(state, t, theta);
    return contact_(first, second, t);
  }

  /// Throws ContactAtEnd for a step of h [s] that would read what is not written yet.
  void require_room(const State& state, S h) const {
    for (std::size_t i = 0; i < 2; ++i) {
      const S s = state.place(i, state.theta_), longest = state.strings_[i].longest_step(s);
      if (!(h <= longest))
        throw ContactAtEnd(message({"ContactAtEnd: the contact is at ", s, " m on string ", i,
                                    ", so near an end that a step of ", h,
                                    " s would read waves that have not left it; ", longest, " s would do,"}),
                           static_cast<double>(state.time));
    }
  }

  Pair<S> pair_;             ///< the strings
  PointContact<S> contact_;  ///< what their contact does
  const char* owner_;        ///< for messages

 private:
  void check_place(const State& state, int string, S x, S t) const {
    using std::isfinite;
    require(string == 0 || string == 1, owner_, "string", string, "it must be 0 or 1");
    require(pair_.ends == Ends::periodic ? isfinite(x) : 0 <= x && x <= pair_.length, owner_, "x", x,
            "it must lie on the string [m]");
    require(0 <= t && t <= state.time, owner_, "t", t,
            "it must lie between the start and the time of the state [s]");
  }
};

/// The history in steps of any length; see the head of this file. A model of `Flow`. A state keeps all its
/// history, 20 numbers a step.
template <PlainReal S = double>
class CharacteristicSolver : public HistoryFlow<S, detail::PointTrack<S>> {
  using Base = HistoryFlow<S, detail::PointTrack<S>>;

 public:
  using State = typename Base::State;  ///< the history so far

  /// Throws std::invalid_argument for parameters that break their rules.
  explicit CharacteristicSolver(const Pair<S>& pair) : Base(pair, "CharacteristicSolver") {}

  /// The start. Steps do not allocate until `steps` of them. Throws std::invalid_argument for profiles that
  /// the strings cannot have, SupersonicContact as a step does.
  [[nodiscard]] State state(const Profile<S>& first, const Profile<S>& second, std::size_t steps = 0) const {
    State start = this->begin(first, second);
    start.path_.reserve(steps + 1);
    for (auto& string : start.strings_) {
      string.left.reserve(steps + 1);
      string.right.reserve(steps + 1);
    }
    Sums sums;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& waves = start.strings_[i].initial();
      const S s = start.place(i, S(0));
      sums[4 * i] = waves.left_sum(s);
      sums[4 * i + 1] = waves.left_squares(s);
      sums[4 * i + 2] = waves.right_sum(s);
      sums[4 * i + 3] = -waves.right_squares(s);
    }
    append(start, sums);
    return start;
  }

  /// Move `state` on by h [s]. Throws std::invalid_argument for h that is not positive, ContactAtEnd where
  /// the contact is too near an end for h, SupersonicContact where it is not slower than the waves: `state`
  /// is then as before.
  StepReport<S> step(State& state, S h) const {
    require(h > 0, "CharacteristicSolver", "step", h, "it must be positive [s]");
    this->require_room(state, h);
    const S t = state.time, theta = state.theta_;
    const auto k1 = state.now_;
    const auto k2 = this->scatter(state, t + h / 2, theta + h / 2 * k1.velocity1);
    const auto k3 = this->scatter(state, t + h / 2, theta + h / 2 * k2.velocity1);
    const auto k4 = this->scatter(state, t + h, theta + h * k3.velocity1);
    const S end = theta + h / 6 * (k1.velocity1 + 2 * (k2.velocity1 + k3.velocity1) + k4.velocity1);
    state.now_ = this->scatter(state, t + h, end);
    state.theta_ = end;
    state.time = t + h;
    Sums sums = last(state);
    add(sums, h / 6, k1);
    add(sums, h / 3, k2);
    add(sums, h / 3, k3);
    add(sums, h / 6, k4);
    append(state, sums);
    return {};
  }

 private:
  /// ∫A dy, ∫A² dy, ∫B dy, ∫B² dy, of the first string and of the second.
  using Sums = std::array<S, 8>;

  void add(Sums& sums, S h, const Scattered<S>& k) const {
    const auto one = [&](std::size_t i, const Waves<S>& out, S speed) {
      const S left = h * (this->pair_.c + speed), right = h * (this->pair_.c - speed);
      sums[i] += left * out.left;
      sums[i + 1] += left * out.left * out.left;
      sums[i + 2] += right * out.right;
      sums[i + 3] += right * out.right * out.right;
    };
    one(0, k.outgoing1, k.speed1);
    one(4, k.outgoing2, k.speed2);
  }
  [[nodiscard]] static Sums last(const State& state) {
    Sums sums;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& string = state.strings_[i];
      sums[4 * i] = string.left.last(detail::Kept::sum);
      sums[4 * i + 1] = string.left.last(detail::Kept::squares);
      sums[4 * i + 2] = string.right.last(detail::Kept::sum);
      sums[4 * i + 3] = string.right.last(detail::Kept::squares);
    }
    return sums;
  }
  void append(State& state, const Sums& sums) const {
    const S ct = this->pair_.c * state.time;
    for (std::size_t i = 0; i < 2; ++i) {
      const S s = state.place(i, state.theta_);
      const auto& out = i == 0 ? state.now_.outgoing1 : state.now_.outgoing2;
      state.strings_[i].left.append(ct + s, out.left, sums[4 * i], sums[4 * i + 1]);
      state.strings_[i].right.append(ct - s, out.right, sums[4 * i + 2], sums[4 * i + 3]);
    }
    state.path_.append(state.time, state.theta_, 0, 0);
  }
};

}  // namespace dalembert::strings
