#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/cone_types.hpp>

/// Cone problems as text, to keep one that is hard, to send it, or to give it to another solver:
///   cone problem 1          the format and its version
///   # a remark              from # to the end of its line; blank lines do not count either
///   held 1                  how many rows hold; they come first
///   friction 0.3 inf        μ of each contact, "inf" without a bound; nothing after the word for no contact
///   b 0 -1 0.5 0 …          velocities without impulses, one number a row of the problem
///   G 2 0 0 0 …             the first row of G, and so on: one line a row, all of it, not a half
/// A contact has three rows, normal and two tangents. Restitution is in b: linalg/cone_problem.hpp. Numbers
/// are decimal, in the fewest digits that give them back bit for bit, and do not depend on the locale.
namespace dalembert::linalg {

/// A text that is no cone problem. Its words name line, quantity, value and rule.
class ConeTextError : public std::runtime_error {
 public:
  /// Of a line, counted from 1.
  ConeTextError(std::size_t line, std::string_view quantity, std::string_view value, std::string_view rule)
      : std::runtime_error(
            message({"cone problem, line ", line, ": ", quantity, " = ", value, ", but ", rule})),
        line_(line) {}
  /// Counted from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::size_t line_;
};

/// The text of a problem. Throws std::invalid_argument for one that means nothing.
template <PlainReal S>
[[nodiscard]] std::string cone_text(const ConeProblem<S>& problem) {
  problem.check();
  std::string text = "cone problem 1\nheld " + std::to_string(problem.held) + "\nfriction";
  for (const S mu : problem.friction) text.append(" ").append(shortest_text(mu));
  text.append("\nb");
  for (const S x : problem.b) text.append(" ").append(shortest_text(x));
  text.append("\n");
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    text.append("G");
    for (Eigen::Index j = 0; j < problem.size(); ++j) text.append(" ").append(shortest_text(problem.G(i, j)));
    text.append("\n");
  }
  return text;
}

namespace detail {

/// Reads the text of a cone problem, line by line.
class ConeTextReader {
 public:
  explicit ConeTextReader(std::string_view text) : rest_(text) {}

  /// Go to the next line that says something, which must begin with these words.
  void open(std::string_view words) {
    go_on();
    const std::string_view after = line_.substr(std::min(words.size(), line_.size()));
    if (!line_.starts_with(words) || (!after.empty() && after.front() != ' ' && after.front() != '\t'))
      fail("its words", line_.empty() ? "none" : line_.substr(0, 40),
           message({"it must begin with \"", words, "\""}));
    line_ = trimmed(after);
  }
  /// The numbers of the line, coefficients of friction or any finite ones.
  template <PlainReal S>
  [[nodiscard]] std::vector<S> numbers(std::string_view quantity, bool coefficients) {
    std::vector<S> all;
    while (!line_.empty()) {
      const std::string_view word = line_.substr(0, line_.find_first_of(" \t"));
      line_ = trimmed(line_.substr(word.size()));
      all.push_back(number<S>(quantity, word, coefficients));
    }
    return all;
  }
  /// A whole number, not negative, alone in its line.
  [[nodiscard]] Eigen::Index count(std::string_view quantity) {
    Eigen::Index value = 0;
    const bool whole = !line_.empty() && line_.size() < 10 &&
                       line_.find_first_not_of("0123456789") == std::string_view::npos;
    if (!whole) fail(quantity, line_.empty() ? "nothing" : line_, "it must be a whole number below 10^9");
    for (const char digit : line_) value = 10 * value + (digit - '0');
    return value;
  }
  /// Throws unless so many numbers were there.
  void expect(std::string_view quantity, std::size_t found, std::size_t expected) const {
    if (found != expected)
      fail(quantity, std::to_string(found), message({"there must be ", expected, ", one a row"}));
  }
  /// Throws unless the text is over.
  void finish() {
    go_on();
    if (!line_.empty()) fail("its words", line_.substr(0, 40), "nothing may come after the last row of G");
  }
  [[noreturn, gnu::noinline]] void fail(std::string_view quantity, std::string_view value,
                                        std::string_view rule) const {
    throw ConeTextError(number_, quantity, value, rule);
  }

 private:
  /// Go to the next line that says something, without its remark; an empty one where there is none.
  void go_on() {
    line_ = {};
    while (line_.empty() && !rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      line_ = trimmed(line_.substr(0, line_.find('#')));
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
    }
  }
  [[nodiscard]] static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
  }
  template <PlainReal S>
  [[nodiscard]] S number(std::string_view quantity, std::string_view word, bool coefficient) const {
    if (coefficient && word == "inf") return std::numeric_limits<S>::infinity();
    std::istringstream stream{std::string(word)};
    stream.imbue(std::locale::classic());
    S value{};
    if (!(stream >> value) || stream.peek() != std::istringstream::traits_type::eof())
      fail(quantity, word, coefficient ? "it must be a number or inf" : "it must be a finite number");
    if (coefficient && !(value >= S(0))) fail(quantity, word, "it must not be negative");
    return value;
  }

  std::string_view rest_, line_{};
  std::size_t number_ = 0;
};

}  // namespace detail

/// The problem that a text is of, bit for bit where `cone_text` wrote it. Throws ConeTextError.
template <PlainReal S = double>
[[nodiscard]] ConeProblem<S> read_cone_text(std::string_view text) {
  detail::ConeTextReader reader(text);
  reader.open("cone problem");
  if (const Eigen::Index version = reader.count("version of the format"); version != 1)
    reader.fail("version of the format", std::to_string(version), "this library reads version 1");
  reader.open("held");
  const Eigen::Index held = reader.count("rows that hold");
  reader.open("friction");
  std::vector<S> friction = reader.numbers<S>("friction", true);
  const std::size_t rows = static_cast<std::size_t>(held) + 3 * friction.size();
  reader.open("b");
  const std::vector<S> b = reader.numbers<S>("an entry of b", false);
  reader.expect("numbers of b", b.size(), rows);
  std::vector<S> G;  // only as long as the text is, whatever its head says
  for (std::size_t i = 0; i < rows; ++i) {
    reader.open("G");
    const std::vector<S> row = reader.numbers<S>("an entry of G", false);
    reader.expect("numbers of a row of G", row.size(), rows);
    G.insert(G.end(), row.begin(), row.end());
  }
  reader.finish();
  ConeProblem<S> problem(held, std::move(friction));
  using ByRows = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  problem.b = Eigen::Map<const Vec<S, Eigen::Dynamic>>(b.data(), problem.size());
  problem.G = Eigen::Map<const ByRows>(G.data(), problem.size(), problem.size());
  return problem;
}

}  // namespace dalembert::linalg
