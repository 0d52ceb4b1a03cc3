#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/core/detail/finite_math.hpp>

/// The errors that the library throws. A wrong parameter is an `std::invalid_argument` whose text names the
/// class, the quantity, its value and the rule; a state that a model does not cover is an `InvalidState`,
/// which knows the time.
namespace dalembert {

/// A number in the fewest digits that give it back exactly when read: 0.6, not 0.59999999999999998.
template <std::floating_point S>
[[nodiscard]] std::string shortest_text(S number) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

/// A part of a message: a text, or a number that is put into digits only where the message is made, a real
/// one in nine digits.
class MessagePart {
 public:
  /// A text, which must last as long as this.
  constexpr MessagePart(std::string_view text) noexcept : text_(text) {}
  /// Likewise.
  constexpr MessagePart(const char* text) noexcept : text_(text) {}
  /// Likewise.
  MessagePart(const std::string& text) noexcept : text_(text) {}
  /// A whole number.
  template <std::integral I>
  constexpr MessagePart(I number) noexcept : kind_(Kind::integer), integer_(static_cast<long long>(number)) {}
  /// A real number; of a long double no more than a double holds is shown.
  template <std::floating_point F>
  constexpr MessagePart(F number) noexcept : kind_(Kind::real), real_(static_cast<double>(number)) {}

  /// A number with derivatives, without them.
  template <class D>
    requires requires(const D& x) { x.value(), x.derivative(0); }
  constexpr MessagePart(const D& number) noexcept : MessagePart(number.value()) {}

  /// Write it after `text`.
  [[gnu::cold, gnu::noinline]] void append_to(std::string& text) const {
    std::array<char, 32> digits{};
    const auto first = digits.data(), last = first + digits.size();
    std::string_view part = text_;
    if (kind_ == Kind::integer) part = {first, std::to_chars(first, last, integer_).ptr};
    if (kind_ == Kind::real)
      part = {first, std::to_chars(first, last, real_, std::chars_format::general, 9).ptr};
    text.append(part);
  }

 private:
  enum class Kind { text, integer, real };
  Kind kind_ = Kind::text;
  std::string_view text_;
  long long integer_ = 0;
  double real_ = 0;
};

/// The parts, one after the other: `message({"rod ", 2, " is ", length, " m long"})`. It is out of line and
/// made once, because the sums of strings that it stands for are much to compile.
[[nodiscard, gnu::cold, gnu::noinline]] inline std::string message(std::initializer_list<MessagePart> parts) {
  std::string text;
  for (const MessagePart& part : parts) part.append_to(text);
  return text;
}

namespace detail {

/// A value in a message: numbers in their shortest form, a matrix row by row, anything else as streams print
/// it.
template <class Value>
[[nodiscard, gnu::cold, gnu::noinline]] std::string text_of(const Value& value) {
  if constexpr (std::floating_point<Value>) {
    return shortest_text(value);
  } else if constexpr (std::integral<Value> && sizeof(Value) >= sizeof(int)) {
    return std::to_string(value);
  } else if constexpr (requires { value(0, 0) + value(value.rows() - 1, value.cols() - 1); }) {
    std::string text;
    for (decltype(value.rows()) i = 0; i < value.rows(); ++i)
      for (decltype(value.cols()) j = 0; j < value.cols(); ++j)
        text += (j > 0 ? ", " : i > 0 ? "; " : "(") + text_of(value(i, j));
    return text + ')';
  } else if constexpr (requires { value.value(), value.derivative(0); }) {
    return text_of(value.value());
  } else {
    std::ostringstream text;
    text << value;
    return text.str();
  }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_invalid_argument(std::string_view class_name,
                                                                          std::string_view quantity,
                                                                          std::string_view value,
                                                                          std::string_view rule) {
  throw std::invalid_argument(message({class_name, ": ", quantity, " = ", value, ", but ", rule}));
}

template <class Value>
[[noreturn, gnu::cold, gnu::noinline]] void refuse(std::string_view class_name, std::string_view quantity,
                                                   const Value& value, std::string_view rule) {
  if constexpr (std::convertible_to<const Value&, std::string_view>)
    throw_invalid_argument(class_name, quantity, value, rule);
  else
    throw_invalid_argument(class_name, quantity, text_of(value), rule);
}

}  // namespace detail

/// Throw std::invalid_argument "CLASS: QUANTITY = VALUE, but RULE" unless `holds`.
template <class Value>
void require(bool holds, std::string_view class_name, std::string_view quantity, const Value& value,
             std::string_view rule) {
  if (!holds) detail::refuse(class_name, quantity, value, rule);
}

/// The same for entry number `i` of a quantity; its name is made only where it is needed.
template <class Value>
void require_entry(bool holds, std::string_view class_name, std::string_view quantity, std::size_t i,
                   const Value& value, std::string_view rule) {
  if (!holds) require(false, class_name, message({quantity, " ", i}), value, rule);
}

/// A state outside the validity of a model, met at `time` [s].
class InvalidState : public std::runtime_error {
 public:
  /// `what_happened` at `time` [s].
  InvalidState(const std::string& what_happened, double time)
      : std::runtime_error(message({what_happened, " at t = ", time, " s"})), time_(time) {}
  /// Time of the state [s].
  [[nodiscard]] double time() const noexcept { return time_; }

 private:
  double time_;
};

/// Rods that are locally parallel, or a curvature radius that equals the gap: the contact position is not
/// defined.
struct ParallelRods : InvalidState {
  using InvalidState::InvalidState;
};

/// Places of a rod that touches itself, so near to each other that it could not be bent from the one to the
/// other.
struct SelfContactTooNear : InvalidState {
  using InvalidState::InvalidState;
};

/// A prescribed path that jumps, or turns so fast that the steps do not follow it.
struct PathJumps : InvalidState {
  using InvalidState::InvalidState;
};

/// A contact kernel that reaches the end of a rod.
struct ContactAtEnd : InvalidState {
  using InvalidState::InvalidState;
};

/// A contact that moves along a string as fast as the waves do, or faster: its waves leave it on one side
/// only, and no velocity is determined.
class SupersonicContact : public InvalidState {
 public:
  /// The contact's speed is `ratio` times that of the waves at `time` [s].
  SupersonicContact(double ratio, double time)
      : InvalidState(message({"SupersonicContact: the contact moves at ", ratio,
                              " times the speed of the waves, but must be slower than they are,"}),
                     time),
        ratio_(ratio) {}
  /// The speed of the contact over that of the waves.
  [[nodiscard]] double ratio() const noexcept { return ratio_; }

 private:
  double ratio_;
};

/// Contacts on one string that meet; the text names them.
struct ContactsMeet : InvalidState {
  using InvalidState::InvalidState;
};

/// A contact whose normal force is no longer compressive.
struct ContactOpened : InvalidState {
  using InvalidState::InvalidState;
};

/// Bodies that go through a good part of each other in one step; the text names them.
struct ContactTooFast : InvalidState {
  using InvalidState::InvalidState;
};

/// A rod bent so tightly that its surface folds: to a radius not larger than its own.
struct RodFolded : InvalidState {
  using InvalidState::InvalidState;
};

/// Two bodies that overlap where nothing keeps them apart.
class BodiesOverlap : public InvalidState {
 public:
  /// Bodies, arc lengths on them (0 on a ball) [m], and how far their surfaces are inside each other [m], at
  /// `time` [s].
  BodiesOverlap(std::size_t body1, double s1, std::size_t body2, double s2, double depth, double time)
      : InvalidState(
            message({"BodiesOverlap: body ", body1, " at s = ", s1, " m and body ", body2, " at s = ", s2,
                     " m are ", depth, " m inside each other, and no contact keeps them apart,"}),
            time),
        bodies_{body1, body2},
        arc_lengths_{s1, s2},
        depth_(depth) {}
  /// `pair`, a body and a surface in space, which are `depth` [m] inside each other at `time` [s].
  BodiesOverlap(const std::string& pair, double depth, double time)
      : InvalidState(message({"BodiesOverlap: ", pair, " are ", depth, " m inside each other,"}), time),
        bodies_{},
        arc_lengths_{},
        depth_(depth) {}
  /// Numbers of the bodies.
  [[nodiscard]] const std::array<std::size_t, 2>& bodies() const noexcept { return bodies_; }
  /// Where on them [m].
  [[nodiscard]] const std::array<double, 2>& arc_lengths() const noexcept { return arc_lengths_; }
  /// How far their surfaces are inside each other [m].
  [[nodiscard]] double depth() const noexcept { return depth_; }

 private:
  std::array<std::size_t, 2> bodies_;
  std::array<double, 2> arc_lengths_;
  double depth_;
};

/// A number of a state, or one that was computed from it, that is not finite; the text names it.
struct NotFinite : InvalidState {
  using InvalidState::InvalidState;
};
namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_finite(const char* what, double value,
                                                                    double time) {
  throw NotFinite(message({"NotFinite: ", what, " is ", value}), time);
}
}  // namespace detail
/// Throws NotFinite, naming the number, unless it is finite.
inline void throw_if_not_finite(const char* what, double value, double time) {
  if (!(value - value == 0.0)) [[unlikely]]  // neither is it for an infinite one
    detail::throw_not_finite(what, value, time);
}

/// An element of a rod that turns by nearly half a turn between its nodes, where its strains jump: the rod
/// needs more elements, or, where they swing themselves up, shorter steps.
class ElementTurnedTooFar : public InvalidState {
 public:
  /// Element `element` of rod `rod`, both counted from 0, that turns by `angle` [rad] at `time` [s].
  ElementTurnedTooFar(std::size_t rod, long element, double angle, double time)
      : InvalidState(
            message(
                {"ElementTurnedTooFar: element ", element, " of rod ", rod, " turns by ", angle,
                 " rad between its nodes; near pi its strains jump: take more elements or shorter steps,"}),
            time),
        rod_(rod),
        element_(element),
        angle_(angle) {}
  /// Number of the rod, from 0.
  [[nodiscard]] std::size_t rod() const noexcept { return rod_; }
  /// Number of the element, from 0.
  [[nodiscard]] long element() const noexcept { return element_; }
  /// By how much the element turns between its nodes [rad].
  [[nodiscard]] double angle() const noexcept { return angle_; }

 private:
  std::size_t rod_;
  long element_;
  double angle_;
};

/// Constraint rows that contradict each other; the text names the rows.
struct IncompatibleConstraints : InvalidState {
  using InvalidState::InvalidState;
};

/// A Newton iteration that did not converge; the text names the unknown and the residual.
struct NoConvergence : InvalidState {
  using InvalidState::InvalidState;
};

/// A linear system whose matrix is singular to working precision.
struct SingularSystem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run that could not go on. `drive` throws it with the last good state; what caused it is nested inside.
class IntegrationFailure : public InvalidState {
 public:
  using InvalidState::InvalidState;
};

/// An `IntegrationFailure` that holds the last good state of type `State`.
template <class State>
class IntegrationFailureWith : public IntegrationFailure {
 public:
  /// `what_happened` after the good state `last`, whose member `time` is in seconds.
  IntegrationFailureWith(const std::string& what_happened, const State& last)
      : IntegrationFailure(what_happened, plain(last.time)), last_(1, last) {}
  /// The last state that was good.
  [[nodiscard]] const State& last() const noexcept { return last_.front(); }

 private:
  template <class Time>
  [[nodiscard]] static double plain(const Time& time) {
    if constexpr (std::floating_point<Time>)
      return static_cast<double>(time);
    else
      return plain(time.value());
  }

  std::vector<State> last_;  // elsewhere: no exception may be aligned more than every number is
};

}  // namespace dalembert
