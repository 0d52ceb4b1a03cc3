#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/string/detail/rail.hpp>
#include <dalembert/string/joints.hpp>
#include <dalembert/string/strings.hpp>
#include <dalembert/string/weights.hpp>

/// Strings in rolling contact as rotating waveguides: waves go exactly one point a step, c τ = h, so that
/// nothing but the contact is computed. Waves r = u_t − c u_x and l = u_t + c u_x live on a ring a string,
/// and a step turns it. Half-way through the step waves are on the points x_j = j h, with velocities p_j =
/// ½(r_j + l_j) on the first string of a contact and w_j on the second. With weights α, β of the contact
/// (string/weights.hpp) it acts there by
///   μ = (α·p − F β·w) / (|α|²/h₁ + F²|β|²/h₂),
///   p ← p − 2μα/h₁,   w ← w + 2μFβ/h₂                                             (1)
///   U = α·p − μ|α|²/h₁,   λ = 2μ/τ                                                           (2)
/// an orthogonal reflection of the waves: the energy h Σ (r² + l²)/4 is kept to round-off whatever the
/// weights, and ⟨u_t⟩ = F⟨v_t⟩ with ⟨ ⟩ the mean of before and after. θ moves by the trapezoid
/// rule from one half-step to the next, from a place foretold to second order. Positive weights are accurate
/// to first order in h, `CorrectedGaussian` to second. Steps cost the same whatever the number of points, and
/// do not allocate. Source: digital waveguides, J. O. Smith 1992; (1) is the impulse that makes the mean of
/// velocities before and after obey the constraint.
namespace dalembert::strings {

/// Strings and their contacts; see the head of this file. A model of `Flow`.
template <class W = CorrectedGaussian<double>, PlainReal S = double>
class Waveguide {
 public:
  using Scalar = S;  ///< the number type

  /// Waves and contacts at a time.
  class State {
   public:
    S time{};  ///< [s]

    /// The contact with that number.
    [[nodiscard]] const JointState<S>& contact(std::size_t i = 0) const { return contacts_[i]; }
    /// Position of the first contact on its first string [m].
    [[nodiscard]] S s1() const { return contacts_[0].s1; }
    /// Position of the first contact on its second string [m].
    [[nodiscard]] S s2() const { return contacts_[0].s2; }
    /// λ of the first contact at the time of the state, from its last two values [m²/s²].
    [[nodiscard]] S lambda() const { return contacts_[0].lambda(); }
    /// Steps since the start.
    [[nodiscard]] long steps() const noexcept { return steps_; }
    /// Whether positions, velocities and forces of the contacts are finite. Waves are as long as these are.
    [[nodiscard]] bool is_finite() const {
      using std::isfinite;
      return std::all_of(contacts_.begin(), contacts_.end(),
                         [](const auto& at) { return isfinite(at.s1 + at.s2 + at.velocity + at.force); });
    }

   private:
    friend class Waveguide;
    friend struct detail::Numbers;
    std::vector<detail::Rail<S>> rails_;
    std::vector<JointState<S>> contacts_;
    std::vector<detail::WeightedSide<S>> sides_;  // workspace of a step: two sides a contact
    long steps_ = 0;
  };

  /// Two strings of `points` cells and one contact. Throws std::invalid_argument for parameters that break
  /// their rules.
  Waveguide(const Pair<S>& pair, int points, const W& averaging = {})
      : Waveguide({{pair.c, pair.length, points, pair.ends}, {pair.c, pair.length, points, pair.ends}},
                  {{0, 1, pair.F, pair.G1, pair.G2, pair.s1, pair.s2}}, averaging) {
    pair.check("Waveguide");
  }

  /// Any strings and contacts; c τ = h must give the same τ on all strings, to 1e-12. Throws
  /// std::invalid_argument as above.
  Waveguide(std::vector<Line<S>> strings, std::vector<Joint<S>> contacts, const W& averaging = {})
      : strings_(std::move(strings)), joints_(std::move(contacts)) {
    check_joints(strings_, joints_, "Waveguide");
    for (const auto& string : strings_) weights_.push_back(averaging.weights(string.spacing()));
    step_ = strings_[0].spacing() / strings_[0].c;
  }

  /// The length τ of a step [s].
  [[nodiscard]] S time_step() const noexcept { return step_; }
  /// The strings.
  [[nodiscard]] const std::vector<Line<S>>& strings() const noexcept { return strings_; }
  /// The contacts.
  [[nodiscard]] const std::vector<Joint<S>>& contacts() const noexcept { return joints_; }

  /// The start of two strings.
  [[nodiscard]] State state(const Profile<S>& first, const Profile<S>& second) const {
    const std::array<Profile<S>, 2> profiles{first, second};
    return state(std::span<const Profile<S>>(profiles));
  }

  /// The start, with one profile a string, as means over cells; displacements are exact. Throws
  /// std::invalid_argument for profiles that their strings cannot have, ContactAtEnd and ContactsMeet as a
  /// step does.
  [[nodiscard]] State state(std::span<const Profile<S>> profiles) const {
    require(profiles.size() == strings_.size(), "Waveguide", "number of profiles", profiles.size(),
            "there must be one for each string");
    State start;
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      const auto& string = strings_[i];
      check_profile(profiles[i], string.ends, string.length, "Waveguide");
      start.rails_.emplace_back(profiles[i], string.c, string.length, string.points, string.ends);
    }
    for (const auto& joint : joints_) {
      start.contacts_.push_back({.s1 = joint.s1, .s2 = joint.s2});
      for (const int i : {joint.string1, joint.string2})
        start.sides_.emplace_back(weights_[static_cast<std::size_t>(i)].reach());
    }
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      for (int pass = 0; pass < 2; ++pass) {  // the weights follow the velocity, which the first pass finds
        locate(start, k, joints_[k].s1, joints_[k].s2, pass == 0 ? S(0) : start.sides_[2 * k].velocity());
        meet(start, k);
      }
      const auto& one = start.sides_[2 * k];
      auto& at = start.contacts_[k];
      at.velocity = at.earlier = one.velocity();
      at.force = at.pushed = one.force;
      at.slip = one.slip;
    }
    require_apart(start);
    return start;
  }

  /// Move `state` on by one step, h = time_step() to 1e-6. Throws std::invalid_argument for another h;
  /// ContactAtEnd where the weights of a contact reach an end, ContactsMeet where those of two overlap,
  /// SupersonicContact where one is not slower than the waves: `state` is then as before.
  StepReport<S> step(State& state, S h) const {
    using std::abs;
    if (!(abs(h - step_) <= S(1e-6L) * step_))
      require(false, "Waveguide", "step", h, message({"all steps have the length ", step_, " s"}));
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      const auto& joint = joints_[k];
      const auto& at = state.contacts_[k];
      const S velocity = 2 * at.velocity - at.earlier, ahead = step_ / 2 * velocity;
      locate(state, k, at.s1 + joint.G1 * ahead, at.s2 + joint.G2 / joint.F * ahead, velocity);
    }
    if (joints_.size() > 1 || joints_[0].string1 == joints_[0].string2) require_apart(state);
    for (std::size_t k = 0; k < joints_.size(); ++k) meet(state, k);
    for (auto& rail : state.rails_) rail.begin_turn();
    for (std::size_t k = 0; k < joints_.size(); ++k) move(state, k);
    for (auto& rail : state.rails_) rail.end_turn(step_);
    state.time += step_;
    ++state.steps_;
    return {};
  }
  /// The same by the only length there is.
  StepReport<S> step(State& state) const { return step(state, step_); }

  /// (4) of string/strings.hpp, over all strings [J for unit mass per length]. Costs a pass over all points.
  [[nodiscard]] S energy(const State& state) const {
    S sum = 0;
    for (std::size_t i = 0; i < strings_.size(); ++i)
      sum += strings_[i].spacing() * state.rails_[i].squares() / 4;
    return sum;
  }
  /// The kinetic part of it.
  [[nodiscard]] S kinetic_energy(const State& state) const {
    S sum = 0;
    for (std::size_t i = 0; i < strings_.size(); ++i)
      for (int j = 0; j < strings_[i].points; ++j) {
        const S v = velocity(state, static_cast<int>(i), j);
        sum += strings_[i].spacing() * v * v / 2;
      }
    return sum;
  }
  /// The largest |U − F⟨v_t⟩| half a step ago.
  [[nodiscard]] Violation<S> constraint(const State& state) const {
    using std::abs;
    Violation<S> worst;
    for (const auto& at : state.contacts_) worst.velocity = std::max(worst.velocity, abs(at.slip));
    return worst;
  }

  /// u_t of string `string` in the middle of cell j [m/s].
  [[nodiscard]] S velocity(const State& state, int string, int j) const {
    const auto& rail = state.rails_[static_cast<std::size_t>(string)];
    return (rail.right(j) + rail.left(j)) / 2;
  }
  /// u_x of string `string` in the middle of cell j.
  [[nodiscard]] S slope(const State& state, int string, int j) const {
    const auto& rail = state.rails_[static_cast<std::size_t>(string)];
    return (rail.left(j) - rail.right(j)) / (2 * strings_[static_cast<std::size_t>(string)].c);
  }
  /// u of string `string` at all points x_j, j = 0 … points, into `out` [m].
  void displacements(const State& state, int string, std::span<S> out) const {
    const auto& line = strings_[static_cast<std::size_t>(string)];
    require(out.size() == static_cast<std::size_t>(line.points) + 1, "Waveguide", "displacements", out.size(),
            "there must be room for one number a point, ends included");
    out[0] = state.rails_[static_cast<std::size_t>(string)].beginning();
    for (int j = 0; j < line.points; ++j)
      out[static_cast<std::size_t>(j) + 1] =
          out[static_cast<std::size_t>(j)] + line.spacing() * slope(state, string, j);
  }
  /// u of string `string` at x [m], linear between points. Costs a pass over the points before x.
  [[nodiscard]] S displacement(const State& state, int string, S x) const {
    const auto& line = strings_[static_cast<std::size_t>(string)];
    require(0 <= x && x <= line.length, "Waveguide", "x", x, "it must lie on the string [m]");
    const S place = x / line.spacing();
    const int cell = std::min(static_cast<int>(place), line.points - 1);
    S u = state.rails_[static_cast<std::size_t>(string)].beginning();
    for (int j = 0; j < cell; ++j) u += line.spacing() * slope(state, string, j);
    return u + line.spacing() * (place - S(cell)) * slope(state, string, cell);
  }

 private:
  /// Put the sides of contact k at s1 and s2, with their weights at the velocity U of the first string.
  void locate(State& state, std::size_t k, S s1, S s2, S U) const {
    const auto& joint = joints_[k];
    locate_side(state, state.sides_[2 * k], joint.string1, s1, joint.G1 * U, k);
    locate_side(state, state.sides_[2 * k + 1], joint.string2, s2, joint.G2 / joint.F * U, k);
  }
  void locate_side(State& state, detail::WeightedSide<S>& side, int string, S s, S speed,
                   std::size_t k) const {
    const auto i = static_cast<std::size_t>(string);
    const auto& line = strings_[i];
    const S h = line.spacing();
    if (line.ends == Ends::periodic) s -= line.length * std::floor(s / line.length);
    const S place = s / h;
    const int middle = static_cast<int>(std::floor(place + S(0.5L))), reach = weights_[i].reach();
    if (line.ends != Ends::periodic ? middle - reach < 1 || middle + reach > line.points - 1
                                    : 2 * reach + 1 > line.points)
      throw ContactAtEnd(message({"ContactAtEnd: contact ", k, " at ", s, " m on string ", string,
                                  " reaches an end with its weights, which span ", S(reach) * h, " m"}),
                         static_cast<double>(state.time));
    side.string = string;
    side.place = s;
    side.first = middle - reach;
    if constexpr (requires { weights_[i](place, speed, side.weights.data()); })
      weights_[i](place - S(middle), speed / line.c, side.weights.data());
    else
      weights_[i](place - S(middle), side.weights.data());
    side.read(state.rails_[i]);
  }

  /// μ, U and the force of contact k from what its sides have read, without a change of the waves.
  void meet(State& state, std::size_t k) const {
    using std::abs, std::isfinite;
    const auto& joint = joints_[k];
    auto& one = state.sides_[2 * k];
    auto& two = state.sides_[2 * k + 1];
    const S h1 = strings_[static_cast<std::size_t>(one.string)].spacing(),
            h2 = strings_[static_cast<std::size_t>(two.string)].spacing();
    const S mu = (one.mean - joint.F * two.mean) / (one.square / h1 + joint.F * joint.F * two.square / h2);
    one.kick = -2 * mu / h1;
    two.kick = 2 * mu * joint.F / h2;
    const S U = one.velocity(), V = two.velocity();
    throw_if_not_finite("the velocity at a contact", static_cast<double>(U), static_cast<double>(state.time));
    const S ratio = std::max(abs(joint.G1 * U) / strings_[static_cast<std::size_t>(one.string)].c,
                             abs(joint.G2 * V) / strings_[static_cast<std::size_t>(two.string)].c);
    if (!(ratio < 1)) throw SupersonicContact(static_cast<double>(ratio), static_cast<double>(state.time));
    one.force = 2 * mu / step_;
    one.slip = U - joint.F * V;
  }

  /// Reflect the waves at contact k, and move it to the end of the step.
  void move(State& state, std::size_t k) const {
    const auto& joint = joints_[k];
    auto& at = state.contacts_[k];
    for (const std::size_t i : {2 * k, 2 * k + 1})
      state.sides_[i].write(state.rails_[static_cast<std::size_t>(state.sides_[i].string)]);
    const auto& one = state.sides_[2 * k];
    const S U = one.velocity();
    at.earlier = at.velocity;
    at.velocity = U;
    at.pushed = at.force;
    at.force = one.force;
    at.slip = one.slip;
    const S path =
        step_ *
        U;  // from s + ½τU_last to s + ½τU by the trapezoid rule, and on by ½τU to the end of the step
    at.s1 += joint.G1 * path;
    at.s2 += joint.G2 / joint.F * path;
  }

  /// Throws ContactsMeet where the weights of two sides on one string overlap.
  void require_apart(const State& state) const {
    for (std::size_t i = 0; i < state.sides_.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const auto &a = state.sides_[k], &b = state.sides_[i];
        if (a.string != b.string) continue;
        const auto& line = strings_[static_cast<std::size_t>(a.string)];
        int gap = std::abs(a.first - b.first);
        if (line.ends == Ends::periodic) gap = std::min(gap % line.points, line.points - gap % line.points);
        if (gap >= static_cast<int>(a.weights.size())) continue;
        throw ContactsMeet(message({"ContactsMeet: the weights of contacts ", k / 2, " and ", i / 2, " at ",
                                    a.place, " m and ", b.place, " m on string ", a.string, " overlap"}),
                           static_cast<double>(state.time));
      }
  }

  std::vector<Line<S>> strings_;
  std::vector<Joint<S>> joints_;
  std::vector<decltype(std::declval<const W&>().weights(S{}))> weights_{};
  S step_{};
};

}  // namespace dalembert::strings
