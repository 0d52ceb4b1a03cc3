#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/summary.hpp"

/// What every study does alike: arguments with units, the folder for results, exit status.
namespace example {

/// What the value of an option has to be.
enum class Rule { finite, positive, not_negative };

/// How long a motion is followed, and how.
struct March {
  double t_end;                    ///< its end [s]
  double dt;                       ///< [s]
  std::string integrator = "rk4";  ///< rk4 | dopri5
};

/// A study. Options are declared, then `run` parses them and calls the body.
///   double mass = 1;
///   example::Program program{"sleigh", "A sleigh."};
///   program.option("m", mass, "kg", "mass", example::Rule::positive);
///   return program.run(argc, argv, [&](example::Run& run) { … });
/// Exit status: 0; 2 for bad arguments, with one line on stderr that names the argument; 1 for a failed run, with one
/// line that names the error, and what was written until then is kept. Ctrl-C makes a failed run, with the error "interrupted"; the
/// second one ends the program at once.
class Program {
 public:
  /// A program `name` that `description` describes; it writes to out/<name> unless `--out` says otherwise.
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The number `--name`, in `unit` (SI; "1" for none), with its present value as default.
  void option(const std::string& name, double& value, const std::string& unit, const std::string& help,
              Rule rule = Rule::finite);
  /// The step `--name` [s], of which 0 stands for `part` of the longest stable one: see support/stable.hpp.
  void stable_step(const std::string& name, double& value, double part);
  /// The whole number `--name`, at least `least`.
  void option(const std::string& name, long& value, const std::string& help, long least);
  /// The word `--name`, one of `choices`, with its present value as default.
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);
  /// The text `--name`, with its present value as default; help calls it `kind`.
  void text(const std::string& name, std::string& value, const std::string& kind, const std::string& help);
  /// `--t-end`, `--dt` and `--integrator`, of which `integrators` says what the words stand for.
  void march(March& march,
             const std::string& integrators = "Runge-Kutta of order 4, or Dormand and Prince's of order 5");
  /// A rule that values have to meet together, `problem` being said of the value of `--name` where they do not.
  void rule(const std::string& name, const std::string& problem, std::function<bool()> holds);

  /// Parse the arguments and call `body`; returns the exit status. A process that does not lead, of several that run the study together,
  /// prints and writes nothing, and leaves it to the one that leads to tell how it went.
  int run(int argc, const char* const* argv, const std::function<void(Run&)>& body, bool lead = true);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace example
