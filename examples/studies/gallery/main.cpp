// The small systems of the library that have no study of their own, each run from a start that shows what it is known for.
//
//   ./gallery                               all of them
//   ./gallery --system rattleback           one
//
// Each leaves <system>.csv, a picture <system>.png of its path, of what it is known for and of its errors, and <system>.html, a page that
// plays the motion. The summary says how far each is from its closed form, or from what its motion keeps.

#include <algorithm>
#include <string>
#include <vector>

#include "gallery/exhibit.hpp"
#include "support/program.hpp"

int main(int argc, char** argv) {
  std::vector<gallery::Exhibit> exhibits;
  for (auto* const room :
       {&gallery::planar, &gallery::bodies, &gallery::balls, &gallery::oscillators, &gallery::bicycle})
    for (auto& exhibit : room()) exhibits.push_back(std::move(exhibit));
  std::vector<std::string> names{"all"};
  for (const auto& exhibit : exhibits) names.push_back(exhibit.name);

  std::string system = "all";
  gallery::Settings settings;
  example::Program program{"gallery",
                           "Small systems, each run from a start that shows what it is known for."};
  program.choice("system", system, names, "which system is run");
  program.option("t-end", settings.t_end, "s", "duration of the run; 0: what suits the system",
                 example::Rule::not_negative);
  program.option("dt", settings.dt, "s", "time step; 0: what suits the system", example::Rule::not_negative);
  return program.run(argc, argv, [&](example::Run& run) {
    for (const auto& exhibit : exhibits)
      if (system == "all" || system == exhibit.name) exhibit.show(settings, run);
    run.summary.ends();
    run.summary.print();
  });
}
