#include "integrator_comparison/pictures.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "support/gnuplot.hpp"

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

/// The data of every integrator: run<i> with t, energy, slip; work<i> with seconds, error. What is zero is drawn at round-off.
std::string data(const Table& table) {
  const auto visible = [](double x) { return std::max(x, 1e-17); };
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    text += block("run" + std::to_string(i), [&](std::ostream& out) {
      for (const auto& w : row.windows)
        out << w.time << ',' << visible(w.energy) << ',' << visible(w.slip) << '\n';
      if (row.windows.empty()) out << "0,1e-17,1e-17\n";
    });
    text += block("work" + std::to_string(i), [&](std::ostream& out) {
      for (const auto& w : row.work) out << w.seconds << ',' << visible(w.error) << '\n';
      if (row.work.empty()) out << "NaN,NaN\n";
    });
  }
  return text;
}

/// "plot $prefix0 using a:b …, $prefix1 …" with a colour per integrator.
std::string plots(const Table& table, const std::string& prefix, const std::string& columns, bool titles,
                  bool points) {
  static const char* const colours[] = {"#D55E00", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#999999",
                                        "#222222", "#0072B2", "#004c7a", "#7a4fa3", "#8c6d1f"};
  std::string text = "plot ";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string number = std::to_string(i);
    text += (i > 0 ? ", \\\n  $" : "$") + prefix + number + " using " + columns + " with ";
    text += points ? "linespoints lw 3 ps 1.4 pt " + std::to_string(4 + i % 9) : std::string("lines lw 3");
    text += " lc rgb '" + std::string(colours[i % std::size(colours)]) + "' ";
    text += titles ? "title '" + table.rows[i].integrator + "'" : std::string("notitle");
  }
  return text + "\n";
}

}  // namespace

void draw(const Table& table, const std::filesystem::path& folder) {
  example::Picture(folder, table.name, 2200, 1350)
      .draw(data(table) +
            "set multiplot\nset border 3\nset tics nomirror\nset format y '10^{%T}'\nset logscale y\n"
            "set label 1 \"" +
            table.title + R"(" at screen 0.5,0.965 center font ',30'
set lmargin at screen 0.075; set rmargin at screen 0.475
set tmargin at screen 0.9; set bmargin at screen 0.62
set yrange [5e-18:*]
set title "error of the )" +
            table.energy + "\" offset 0,-0.5\nset xlabel 'time  [s]'\n" +
            plots(table, "run", "1:2", false, false) + R"(
unset label 1
set tmargin at screen 0.46; set bmargin at screen 0.1
set title "slip" offset 0,-0.5
)" + plots(table, "run", "1:3", false, false) +
            R"(
set lmargin at screen 0.57; set rmargin at screen 0.975
set tmargin at screen 0.9; set bmargin at screen 0.38
set title "error of a state against cost" offset 0,-0.5
set xlabel "time of the run  [s of computing]"
set logscale x
set format x '10^{%T}'
set yrange [*:*]
set key at screen 0.975,0.29 right top maxrows 6 width -1 font ',20'
)" + plots(table, "work", "1:2", true, true) +
            "unset multiplot\n");
}

}  // namespace comparison
