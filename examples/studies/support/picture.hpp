#pragma once

#include <string>
#include <string_view>

#include "support/summary.hpp"

namespace example {

/// Text that sets variables of a gnuplot script.
///   Variables given;
///   given("radius", 0.5)("title", "A ball");
class Variables {
 public:
  /// `name` is a number.
  Variables& operator()(std::string_view name, double value);
  /// `name` is a text.
  Variables& operator()(std::string_view name, const std::string& value);
  /// The same; without it a literal would be a truth value.
  Variables& operator()(std::string_view name, const char* value);
  /// Any other lines of a script.
  Variables& lines(const std::string& text);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_{};
};

/// The picture `name`.png in the folder of a run, of width × height pixels.
struct Picture {
  std::string name;
  int width = 1600;
  int height = 1000;
  std::string script{};  ///< the name of the script, if it is not that of the picture
};

/// Make a picture by gnuplot: studies/<study>/<script>.gp, or support/<script>.gp for what studies share, is written into the folder of
/// the run with `given` before it, as `name`.gp, and run there. A script reads the run's CSV files by their plain names and columns by
/// theirs, as in plot 'trajectory.csv' using 't':'x'; support/prelude.gp says what it may count on.
/// Where gnuplot is missing that is said once on stdout. A picture that fails is no reason to lose a run: it is reported on stderr.
/// Throws std::runtime_error if a script cannot be read or written.
void draw(const Run& run, const Picture& picture, const Variables& given = {});

}  // namespace example
