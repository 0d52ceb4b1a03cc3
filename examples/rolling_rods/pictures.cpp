#include "rolling_rods/pictures.hpp"

#include <cstdio>
#include <sstream>
#include <string>

#include "support/gnuplot.hpp"

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", x);
  return text;
}

/// How surfaces are shaded: rod 1 in blues, rod 2 in oranges; the pale sectors show how the rods turn.
constexpr const char* surfaces =
    "set pm3d depthorder noborder corners2color c1\n"
    "set pm3d lighting primary 0.5 specular 0.2\n"
    "set palette maxcolors 4 defined (0 '#0072B2', 1 '#A8D4F2', 2 '#D97A00', 3 '#FFDFA6')\n"
    "set cbrange [0:1.5]\n"
    "unset colorbox; unset border; unset tics; unset grid; unset key\n"
    "set view equal xyz\n";

/// Panels of the shapes `stem`_0.dat, …, three a row, seen as `view` says, `size` wide. gnuplot leaves wide margins around a surface; the
/// panels overlap by them.
void draw_panels(const std::filesystem::path& out, const std::string& name, const std::string& stem,
                 const std::string& view, double size, const std::vector<double>& times) {
  std::ostringstream s;
  s << surfaces << view
    << "set multiplot\nset lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0\nset size " << size << ','
    << 1.75 * size << "\n";
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double x = (static_cast<double>(i % 3) + 0.5) / 3;
    const double y = 0.74 - 0.5 * static_cast<double>(i / 3);
    s << "set origin " << x - size / 2 << ',' << y - 0.875 * size
      << "\nunset label\nset label 't = " << number(times[i]) << " s' at screen " << x << ',' << y + 0.22
      << " center font ',26'\n"
      << "splot '" << stem << '_' << i << ".dat' using 1:2:3:4 with pm3d\n";
  }
  s << "unset multiplot\n";
  example::Picture(out, name, 2000, 1100).draw(s.str());
}

}  // namespace

void draw_pictures(const std::filesystem::path& out, const std::vector<double>& times) {
  if (times.empty()) return;
  draw_panels(out, "rods", "shape", "set view 60, 28\nset xyplane relative 0\n", 0.71, times);
  draw_panels(out, "closeup", "closeup", "set view 52, 35\nset xyplane relative 0\n", 0.42, times);
  example::Picture(out, "positions")
      .draw(
          "set multiplot layout 2,1 margins 0.1,0.97,0.13,0.96 spacing 0,0.03\n"
          "set format x ''\nset ylabel 'contact on rod 1  s_1  [m]' offset 0.5,0\nset format y '%.2f'\n"
          "plot 'contact.csv' using 't':'s1' with lines lw 2 lc rgb blue notitle\n"
          "set format x '%g'\nset xlabel 't  [s]'\nset ylabel 'contact on rod 2  s_2  [m]' offset 0.5,0\n"
          "plot 'contact.csv' using 't':'s2' with lines lw 2 lc rgb orange notitle\n"
          "unset multiplot\n");
  example::Picture(out, "force")
      .draw(
          "set multiplot layout 2,1 margins 0.1,0.97,0.13,0.96 spacing 0,0.03\n"
          "set yrange [0:*]\nset format x ''\nset ylabel 'normal force  λ_n  [N]' offset 0.5,0\n"
          "plot 'contact.csv' using 't':'lambda_n' with lines lw 1.5 lc rgb blue notitle\n"
          "set format x '%g'\nset xlabel 't  [s]'\nset ylabel 'cone utilisation  |λ_t| / λ_n' offset 0.5,0\n"
          "plot 'ledger.csv' using 't':'cone_utilisation' with lines lw 1.5 lc rgb red notitle\n"
          "unset multiplot\n");
  example::Picture(out, "ledger")
      .draw(
          "set logscale y\nset format y '10^{%L}'; set ytics 1e3\nset xlabel 't  [s]'\nset yrange "
          "[1e-19:1e-2]\n"
          "set key at graph 0.98,0.72\n"
          "size(x) = abs(x) > 1e-19 ? abs(x) : 1e-19\n"
          "plot 'ledger.csv' using 't':(size(column('energy_change'))) with lines lw 1.5 lc rgb blue title "
          "'energy change / initial kinetic energy', \\\n"
          "     '' using 't':(size(column('no_slip'))) with lines lw 1.5 lc rgb orange title 'slip  [m/s]', "
          "\\\n"
          "     '' using 't':(size(column('tangency'))) with lines lw 1.5 lc rgb green title 'tangency  "
          "[m]', \\\n"
          "     '' using 't':(size(column('gap_error'))) with points pt 7 ps 0.3 lc rgb purple title 'gap "
          "error  [m]'\n");
}
