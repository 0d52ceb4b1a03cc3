#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/string/strings.hpp>

/// Any number of strings with any number of contacts between them, on points: what a `Waveguide` is made of.
namespace dalembert::strings {

/// A string of a waveguide.
template <PlainReal S = double>
struct Line {
  S c = 1;                  ///< speed of its waves [m/s]
  S length{};               ///< [m]
  int points = 0;           ///< cells, h = length/points
  Ends ends = Ends::fixed;  ///< what both ends do

  /// h [m].
  [[nodiscard]] S spacing() const noexcept { return length / S(points); }
};

/// A contact of two strings, or of two places of one string.
template <PlainReal S = double>
struct Joint {
  int string1 = 0;  ///< number of the first string, from 0
  int string2 = 1;  ///< number of the second
  S F = 1;          ///< ⟨u_t⟩ = F⟨v_t⟩
  S G1 = 0;         ///< ṡ₁ = G₁⟨u_t⟩
  S G2 = 0;         ///< ṡ₂ = G₂⟨v_t⟩
  S s1{};           ///< position on the first string at the start [m]
  S s2{};           ///< position on the second string at the start [m]
};

/// What moves at a contact of a waveguide.
template <PlainReal S = double>
struct JointState {
  S s1{};        ///< position on the first string [m]; on a periodic one it counts turns
  S s2{};        ///< on the second string
  S velocity{};  ///< U = ⟨u_t⟩ half a step ago [m/s]
  S earlier{};   ///< U a step before that
  S force{};     ///< λ half a step ago [m²/s²]
  S pushed{};    ///< λ a step before that
  S slip{};      ///< U − F⟨v_t⟩ half a step ago [m/s]

  /// λ at the time of the state, from its last two values [m²/s²].
  [[nodiscard]] S lambda() const noexcept { return force + (force - pushed) / 2; }
};

/// Throws std::invalid_argument in the name of `owner` for strings or contacts that break their rules: waves
/// must pass a cell of each string in one time, to 1e-12.
template <PlainReal S>
void check_joints(const std::vector<Line<S>>& strings, const std::vector<Joint<S>>& joints,
                  const char* owner) {
  using std::abs;
  require(!strings.empty(), owner, "number of strings", strings.size(), "there must be one");
  require(!joints.empty(), owner, "number of contacts", joints.size(), "there must be one");
  for (const auto& string : strings) {
    require(string.points >= 4, owner, "points", string.points, "a string needs at least 4");
    const S middle = string.length / 2;
    Pair<S>{.c = string.c, .length = string.length, .s1 = middle, .s2 = middle}.check(owner);
    require(abs(string.spacing() / string.c * strings[0].c / strings[0].spacing() - 1) <= S(1e-12L), owner,
            "length/(points c)", string.spacing() / string.c,
            "waves must pass a cell of each string in one time [s]");
  }
  const int count = static_cast<int>(strings.size());
  for (const auto& joint : joints) {
    for (const int i : {joint.string1, joint.string2})
      require(0 <= i && i < count, owner, "number of a contact's string", i, "there is no such string");
    const auto& one = strings[static_cast<std::size_t>(joint.string1)];
    const auto& two = strings[static_cast<std::size_t>(joint.string2)];
    Pair<S> pair{.F = joint.F,
                 .G1 = joint.G1,
                 .G2 = joint.G2,
                 .length = one.length,
                 .s1 = joint.s1,
                 .s2 = one.length / 2};
    pair.ends = one.ends;
    pair.check(owner);
    Pair<S> other{.length = two.length, .s1 = two.length / 2, .s2 = joint.s2, .ends = two.ends};
    other.check(owner);
  }
}

}  // namespace dalembert::strings
