#pragma once

#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <dalembert/version.hpp>
#include <nlohmann/json.hpp>

#include "support/summary.hpp"

/// What every example program does alike: arguments with units, the folder for results, exit status.
namespace example {

/// What the value of an option has to be.
enum class Rule { finite, positive, not_negative };

/// An example program. Options are declared, then `run` parses them and calls the body.
///   double mass = 1;
///   example::Program program{"sleigh", "A sleigh."};
///   program.option("m", mass, "kg", "mass", example::Rule::positive);
///   return program.run(argc, argv, [&](example::Run& run) { … });
/// Exit status: 0; 2 for bad arguments, with one line on stderr that names the argument; 1 for a failed run, with one
/// line that names the error, and what was written until then is kept.
class Program {
 public:
  /// A program `name` that `description` describes; it writes to out/<name> unless `--out` says otherwise.
  Program(std::string name, const std::string& description)
      : name_(std::move(name)), app_(description, name_), out_("out/" + name_) {
    app_.add_option("--out", out_, "folder for the results")->option_text("DIR [" + out_ + "]");
    app_.set_help_flag("--help", "print this and exit");
    app_.set_version_flag("--version", std::string(dalembert::version),
                          "print the version of the library and exit");
  }

  /// The number `--name`, in `unit` (SI; "1" for none), with its present value as default.
  void option(const std::string& name, double& value, const std::string& unit, const std::string& help,
              Rule rule = Rule::finite) {
    declare(name, value, unit, help, "NUMBER", [rule](double x) { return fault(x, rule); });
  }

  /// The whole number `--name`, at least `least`.
  void option(const std::string& name, long& value, const std::string& help, long least) {
    declare(name, value, "1", help, "INTEGER", [least](long x) {
      return x >= least ? std::string() : "must be at least " + std::to_string(least);
    });
  }

  /// The word `--name`, one of `choices`, with its present value as default.
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help) {
    std::string text;
    for (const auto& each : choices) text += (text.empty() ? "" : "|") + each;
    declare(name, value, "", help, text, [choices, text](const std::string& x) {
      for (const auto& each : choices)
        if (x == each) return std::string();
      return "must be one of " + text;
    });
  }

  /// A rule that values have to meet together, `problem` being said of the value of `--name` where they do not.
  void rule(const std::string& name, const std::string& problem, std::function<bool()> holds) {
    const auto* const option = app_.get_option("--" + name);
    checks_.emplace_back([option, name, problem, holds = std::move(holds)] {
      if (!holds()) refuse(name, *option, problem);
    });
  }

  /// Parse the arguments and call `body`; returns the exit status.
  int run(int argc, const char* const* argv, const std::function<void(Run&)>& body) {
    try {
      app_.parse(argc, argv);
      for (const auto& check : checks_) check();
    } catch (const CLI::CallForHelp&) {
      std::cout << app_.help();
      return 0;
    } catch (const CLI::CallForVersion& version) {
      std::cout << version.what() << '\n';
      return 0;
    } catch (const CLI::ExtrasError&) {
      std::string unknown;
      for (const auto& each : app_.remaining()) unknown += " " + each;
      return complain(std::invalid_argument("unknown argument:" + unknown), 2);
    } catch (const std::exception& error) {
      return complain(error, 2);
    }

    Run run{.name = name_, .out = out_};
    for (const auto& write : writers_) write(run.summary.parameters);
    try {
      std::error_code failure;
      std::filesystem::create_directories(run.out, failure);
      if (failure) throw std::runtime_error("cannot create the folder " + out_ + ": " + failure.message());
      run.summary.write(run.out, name_);
      body(run);
      run.summary.finished = true;
      run.summary.write(run.out, name_);
      return 0;
    } catch (const std::invalid_argument& error) {
      return abandon(run, error, 2);
    } catch (const std::exception& error) {
      return abandon(run, error, 1);
    }
  }

 private:
  static std::string fault(double x, Rule rule) {
    if (!std::isfinite(x)) return "must be a finite number";
    if (rule == Rule::positive && !(x > 0)) return "must be positive";
    if (rule == Rule::not_negative && !(x >= 0)) return "must not be negative";
    return {};
  }

  [[noreturn]] static void refuse(const std::string& name, const CLI::Option& option,
                                  const std::string& problem) {
    const std::string given = option.results().empty() ? std::string() : " " + option.results().front();
    throw CLI::ValidationError("--" + name, "the value" + given + " " + problem);
  }

  template <class T, class Fault>
  void declare(const std::string& name, T& value, const std::string& unit, const std::string& help,
               const std::string& kind, Fault fault) {
    std::ostringstream text;
    text << kind << " [" << value << (unit.empty() || unit == "1" ? "" : " " + unit) << "]";
    auto* const option = app_.add_option("--" + name, value, help)->option_text(text.str());
    checks_.push_back([option, &value, name, fault] {
      const std::string problem = fault(value);
      if (!problem.empty()) refuse(name, *option, problem);
    });
    writers_.push_back([&value, name](Json& parameters) { parameters[name] = value; });
  }

  int complain(const std::exception& error, int status) const {
    std::string line = error.what();
    for (char& c : line)
      if (c == '\n') c = ' ';
    std::cerr << name_ << ": " << line << '\n';
    return status;
  }

  /// Leave what there is, and say in the summary what happened.
  int abandon(Run& run, const std::exception& error, int status) const {
    try {
      run.summary.error = error.what();
      run.summary.write(run.out, name_);
    } catch (const std::exception&) {
      // The error that ended the run is the one to report.
    }
    return complain(error, status);
  }

  std::string name_;
  CLI::App app_;
  std::string out_;
  std::vector<std::function<void()>> checks_;
  std::vector<std::function<void(Json&)>> writers_;
};

}  // namespace example
