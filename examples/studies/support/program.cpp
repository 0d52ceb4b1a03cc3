#include "support/program.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <dalembert/io/gltf.hpp>
#include <dalembert/io/viewer.hpp>
#include <dalembert/version.hpp>

#include "support/film.hpp"
#include "support/interrupt.hpp"

namespace example {

namespace {

std::string fault(double x, Rule rule) {
  if (!std::isfinite(x)) return "must be a finite number";
  if (rule == Rule::positive && !(x > 0)) return "must be positive";
  if (rule == Rule::not_negative && !(x >= 0)) return "must not be negative";
  return {};
}

[[noreturn]] void refuse(const std::string& name, const CLI::Option& option, const std::string& problem) {
  const std::string given = option.results().empty() ? std::string() : " " + option.results().front();
  throw CLI::ValidationError("--" + name, "the value" + given + " " + problem);
}

std::string text_of(double number) { return dalembert::shortest_text(number); }
std::string text_of(long number) { return std::to_string(number); }
std::string text_of(const std::string& text) { return text; }

/// The run's pictures, as many as a page bears.
std::vector<std::filesystem::path> pictures(const Run& run) {
  std::vector<std::filesystem::path> all = run.pictures, some;
  std::sort(all.begin(), all.end());
  std::uintmax_t bytes = 0;
  for (const auto& path : all) {
    bytes += std::filesystem::file_size(path);
    if (bytes < 2'000'000) some.push_back(path);
  }
  return some;
}

/// The page, if there is anything to be seen; whether it was written.
bool write_view(Run& run) {
  if (run.scene.times().empty() && run.scene.shapes().empty()) return false;
  if (run.view.pictures.empty()) run.view.pictures = pictures(run);
  dalembert::io::write_view(run.out / "view.html", run.scene, run.view);
  return true;
}

}  // namespace

struct Program::Parts {
  Parts(const std::string& program, const std::string& description)
      : name(program), app(description, program), out("out/" + program) {}

  template <class T, class Fault>
  void declare(const std::string& key, T& value, const std::string& unit, const std::string& help,
               const std::string& kind, Fault fault_of) {
    std::ostringstream text;
    text << kind << " [" << value << (unit.empty() || unit == "1" ? "" : " " + unit) << "]";
    auto* const option = app.add_option("--" + key, value, help)->option_text(text.str());
    checks.emplace_back([option, &value, key, fault_of] {
      const std::string problem = fault_of(value);
      if (!problem.empty()) refuse(key, *option, problem);
    });
    writers.emplace_back([&value, key, unit](Run& run) {
      run.summary.parameter(key, value);
      run.view.parameters.push_back({key, text_of(value), unit == "1" ? "" : unit});
      if constexpr (std::is_same_v<T, double>)
        if (key == "t-end") run.view.planned = value;
    });
  }

  int complain(const std::exception& error, int status) const {
    std::string line = error.what();
    for (char& c : line)
      if (c == '\n') c = ' ';
    std::cerr << name << ": " << line << '\n';
    return status;
  }

  /// Leave what there is, and say in the summary what happened.
  int abandon(Run& run, const std::exception& error, int status) const {
    run.summary.finished = false;
    run.summary.error = run.view.error = error.what();
    for (const auto& write : {std::function<void()>([&] { run.summary.write(run.out, name); }),
                              std::function<void()>([&] { write_view(run); })})
      try {
        write();
      } catch (const std::exception&) {
        // The error that ended the run is the one to report.
      }
    return complain(error, status);
  }

  std::string name;
  CLI::App app;
  std::string out, film = "none";
  bool glb = false;
  std::vector<std::function<void()>> checks{};
  std::vector<std::function<void(Run&)>> writers{};
};

Program::Program(const std::string& name, const std::string& description)
    : parts_(std::make_unique<Parts>(name, description)) {
  auto& app = parts_->app;
  app.add_option("--out", parts_->out, "folder for the results")->option_text("DIR [" + parts_->out + "]");
  app.add_option("--film", parts_->film, "a film of what moves, film.mp4 or film.gif in that folder")
      ->option_text("mp4|gif|none [none]")
      ->check(CLI::IsMember({"mp4", "gif", "none"}));
  app.add_flag("--glb", parts_->glb, "what moves as scene.glb in that folder, for Blender and slides (glTF)");
  app.set_help_flag("--help", "print this and exit");
  app.set_version_flag("--version", std::string(dalembert::version),
                       "print the version of the library and exit");
}

Program::~Program() = default;

void Program::option(const std::string& name, double& value, const std::string& unit, const std::string& help,
                     Rule rule) {
  parts_->declare(name, value, unit, help, "NUMBER", [rule](double x) { return fault(x, rule); });
}

void Program::option(const std::string& name, long& value, const std::string& help, long least) {
  parts_->declare(name, value, "1", help, "INTEGER", [least](long x) {
    return x >= least ? std::string() : "must be at least " + std::to_string(least);
  });
}

void Program::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                     const std::string& help) {
  std::string text;
  for (const auto& each : choices) text += (text.empty() ? "" : "|") + each;
  parts_->declare(name, value, "", help, text, [choices, text](const std::string& x) {
    for (const auto& each : choices)
      if (x == each) return std::string();
    return "must be one of " + text;
  });
}

void Program::text(const std::string& name, std::string& value, const std::string& kind,
                   const std::string& help) {
  parts_->declare(name, value, "", help, kind, [](const std::string&) { return std::string(); });
}

void Program::stable_step(const std::string& name, double& value, double part) {
  std::ostringstream help;
  help << "step, 0 for " << part << " of the longest stable one";
  option(name, value, "s", help.str(), Rule::not_negative);
}

void Program::march(March& march, const std::string& integrators) {
  option("t-end", march.t_end, "s", "duration of the run", Rule::positive);
  option("dt", march.dt, "s", "time step", Rule::positive);
  choice("integrator", march.integrator, {"rk4", "dopri5"}, integrators);
  rule("dt", "must not vanish beside --t-end", [&march] { return march.t_end + march.dt > march.t_end; });
}

void Program::rule(const std::string& name, const std::string& problem, std::function<bool()> holds) {
  const auto* const option = parts_->app.get_option("--" + name);
  parts_->checks.emplace_back([option, name, problem, holds = std::move(holds)] {
    if (!holds()) refuse(name, *option, problem);
  });
}

int Program::run(int argc, const char* const* argv, const std::function<void(Run&)>& body, bool lead) {
  auto& app = parts_->app;
  try {
    app.parse(argc, argv);
    for (const auto& check : parts_->checks) check();
    const std::string fault = film_fault(parts_->film);
    if (!fault.empty()) throw CLI::ValidationError("--film", parts_->film + " " + fault);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return 0;
  } catch (const CLI::ExtrasError&) {
    std::string unknown;
    for (const auto& each : app.remaining()) unknown += " " + each;
    return parts_->complain(std::invalid_argument("unknown argument:" + unknown), 2);
  } catch (const std::exception& error) {
    return parts_->complain(error, 2);
  }

  Run run{.name = parts_->name, .out = parts_->out};
  run.view.title = parts_->name;
  run.view.caption = app.get_description();
  for (const auto& write : parts_->writers) write(run);
  watch_interrupts();
  if (!lead) {
    try {
      body(run);
    } catch (const std::exception&) {
      // The process that leads has met it too, and says so.
    }
    return 0;
  }
  try {
    std::error_code failure;
    std::filesystem::create_directories(run.out, failure);
    if (failure)
      throw std::runtime_error("cannot create the folder " + parts_->out + ": " + failure.message());
    run.summary.write(run.out, run.name);
    body(run);
    end_if_interrupted();
    const bool seen = write_view(run);
    run.summary.finished = true;
    run.summary.write(run.out, run.name);
    if (seen) std::cout << "To see it move, open " << (run.out / "view.html").string() << '\n';
  } catch (const std::invalid_argument& error) {
    return parts_->abandon(run, error, 2);
  } catch (const std::exception& error) {
    return parts_->abandon(run, error, 1);
  }
  try {  // a film that fails leaves the run as it is: its page and summary say that it came to its end
    if (parts_->glb) dalembert::io::write_glb(run.out / "scene.glb", run.scene, run.view.up);
    make_film(run, parts_->film);
    return 0;
  } catch (const std::exception& error) {
    return parts_->complain(error, 1);
  }
}

}  // namespace example
