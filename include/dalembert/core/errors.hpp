#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

/// The errors that the library throws. A wrong parameter is an `std::invalid_argument` whose text names the class,
/// the quantity, its value and the rule; a state that a model does not cover is an `InvalidState`, which knows the time.
namespace dalembert {

/// A number in the fewest digits that give it back exactly when read: 0.6, not 0.59999999999999998.
template <std::floating_point S>
[[nodiscard]] std::string shortest_text(S number) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

namespace detail {

/// A value in a message: numbers in their shortest form, a matrix row by row, anything else as streams print it.
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
  } else {
    std::ostringstream text;
    text << value;
    return text.str();
  }
}

/// "NAME i".
[[nodiscard, gnu::cold, gnu::noinline]] inline std::string numbered(std::string_view name, std::size_t i) {
  return std::string(name) + ' ' + std::to_string(i);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_invalid_argument(std::string_view class_name,
                                                                          std::string_view quantity,
                                                                          std::string_view value,
                                                                          std::string_view rule) {
  std::string text;
  for (const std::string_view part : {class_name, std::string_view(": "), quantity, std::string_view(" = "),
                                      value, std::string_view(", but "), rule})
    text += part;
  throw std::invalid_argument(text);
}

}  // namespace detail

/// Throw std::invalid_argument "CLASS: QUANTITY = VALUE, but RULE" unless `holds`.
template <class Value>
void require(bool holds, std::string_view class_name, std::string_view quantity, const Value& value,
             std::string_view rule) {
  if (holds) return;
  if constexpr (std::convertible_to<const Value&, std::string_view>)
    detail::throw_invalid_argument(class_name, quantity, value, rule);
  else
    detail::throw_invalid_argument(class_name, quantity, detail::text_of(value), rule);
}

/// The same for entry number `i` of a quantity; its name is made only where it is needed.
template <class Value>
void require_entry(bool holds, std::string_view class_name, std::string_view quantity, std::size_t i,
                   const Value& value, std::string_view rule) {
  if (!holds) require(false, class_name, detail::numbered(quantity, i), value, rule);
}

/// A state outside the validity of a model, met at `time` [s].
class InvalidState : public std::runtime_error {
 public:
  /// `what_happened` at `time` [s].
  InvalidState(const std::string& what_happened, double time)
      : std::runtime_error(what_happened + " at t = " + std::to_string(time) + " s"), time_(time) {}
  /// Time of the state [s].
  [[nodiscard]] double time() const noexcept { return time_; }

 private:
  double time_;
};

/// Rods that are locally parallel, or a curvature radius that equals the gap: the contact position is not defined.
struct ParallelRods : InvalidState {
  using InvalidState::InvalidState;
};

/// A contact kernel that reaches the end of a rod.
struct ContactAtEnd : InvalidState {
  using InvalidState::InvalidState;
};

/// A contact whose normal force is no longer compressive.
struct ContactOpened : InvalidState {
  using InvalidState::InvalidState;
};

/// A number of a state, or one that was computed from it, that is not finite; the text names it.
struct NotFinite : InvalidState {
  using InvalidState::InvalidState;
};

/// An element of a rod that turns by nearly half a turn between its nodes, where its strains jump: the rod needs more elements.
class ElementTurnedTooFar : public InvalidState {
 public:
  /// Element `element` of rod `rod`, both counted from 0, that turns by `angle` [rad] at `time` [s].
  ElementTurnedTooFar(std::size_t rod, long element, double angle, double time)
      : InvalidState("ElementTurnedTooFar: element " + std::to_string(element) + " of rod " +
                         std::to_string(rod) + " turns by " + std::to_string(angle) +
                         " rad between its nodes; near pi its strains jump: take more elements,",
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
      : IntegrationFailure(what_happened, static_cast<double>(last.time)), last_(last) {}
  /// The last state that was good.
  [[nodiscard]] const State& last() const noexcept { return last_; }

 private:
  State last_;
};

}  // namespace dalembert
