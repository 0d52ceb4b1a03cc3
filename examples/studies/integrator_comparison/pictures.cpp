#include "integrator_comparison/pictures.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "support/picture.hpp"

namespace comparison {

namespace {

/// A block of inline data for gnuplot.
template <class F>
std::string block(const std::string& name, const F& lines) {
  std::ostringstream text;
  text.precision(10);
  text << "$" << name << " << EOD\n";
  lines(text);
  text << "EOD\n";
  return text.str();
}

/// The data of every integrator, counted from 1: run<i> with t, energy, slip; work<i> with seconds, error. What is zero is drawn at round-off.
std::string data(const Table& table) {
  const auto visible = [](double x) { return std::max(x, 1e-17); };
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    text += block("run" + std::to_string(i + 1), [&](std::ostream& out) {
      for (const auto& w : row.windows)
        out << w.time << ',' << visible(w.energy) << ',' << visible(w.slip) << '\n';
      if (row.windows.empty()) out << "0,1e-17,1e-17\n";
    });
    text += block("work" + std::to_string(i + 1), [&](std::ostream& out) {
      for (const auto& w : row.work) out << w.seconds << ',' << visible(w.error) << '\n';
      if (row.work.empty()) out << "NaN,NaN\n";
    });
  }
  return text;
}

}  // namespace

void draw(const Table& table, const example::Run& run) {
  std::string names;
  for (const auto& row : table.rows) names += "'" + row.integrator + "' ";
  example::Variables given;
  given("title", table.title)("energy", table.energy)("names", names);
  example::draw(run, {table.name, 2200, 1350, "comparison"}, given.lines(data(table)));
}

}  // namespace comparison
