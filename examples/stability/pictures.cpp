#include "stability/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "support/gnuplot.hpp"

namespace stability {
namespace {

/// A colour for each curve, the same for two that are a pair somewhere.
std::vector<std::string> colours(const Points& points) {
  static constexpr std::array<const char*, 5> palette = {"blue", "red", "green", "purple", "orange"};
  const std::size_t n = points.front().values.size();
  std::vector<std::size_t> group(n);
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const auto& point : points)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (group[i] != group[j] && point.values[i].imag() != 0 &&
            std::abs(point.values[i] - std::conj(point.values[j])) < 1e-9 * std::abs(point.values[i]))
          std::replace(group.begin(), group.end(), group[i], group[j]);
  std::vector<std::size_t> seen;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = std::find(seen.begin(), seen.end(), group[i]);
    all.emplace_back(palette[static_cast<std::size_t>(at - seen.begin()) % palette.size()]);
    if (at == seen.end()) seen.push_back(group[i]);
  }
  return all;
}

/// The parameter's values that matter: lines across the picture, with what they are written above it.
void write_boundaries(std::ostream& out, const Motion& motion, const std::vector<Boundary>& found) {
  for (const Boundary& each : found) {
    const std::string name = each.known == nullptr ? "" : each.known->text;
    if (each.kind == Kind::birth && name.empty()) continue;
    std::ostringstream value;
    value.precision(4);
    value << (std::abs(each.value) < 1e-9 ? 0 : each.value) << ' ' << motion.unit;
    out << "set arrow from " << each.value << ", graph 0 to " << each.value
        << ", graph 1 nohead lw 1.5 dt (3,4) lc rgb gray back\n"
        << "set label \"" << name << (name.empty() ? "" : "\\n") << value.str() << "\" at " << each.value
        << ", graph 1 center offset 0," << (name.empty() ? 0.8 : 1.8) << " textcolor rgb black\n";
  }
}

/// Where the motion is stable: shaded, and named if there is room.
void write_intervals(std::ostream& out, const std::vector<Interval>& intervals, double range) {
  for (const Interval& each : intervals) {
    out << "set object rectangle from " << each.from << ", graph 0 to " << each.to
        << ", graph 1 fc rgb 0xDFF2EA fs solid noborder behind\n";
    if (each.to - each.from > 0.08 * range)
      out << "set label \"" << (each.damped ? "stable" : "stable, not damped") << "\" at "
          << (each.from + each.to) / 2 << ", graph 0.955 center textcolor rgb green\n";
  }
}

/// The names of curves that lie in the picture, in their colours.
void write_labels(std::ostream& out, const Motion& motion, const Points& points,
                  const std::vector<std::string>& colour) {
  for (const Label& each : motion.labels) {
    const auto next = std::find_if(points.begin(), points.end(),
                                   [&](const auto& point) { return point.parameter >= each.at; });
    if (next == points.end() || points.front().parameter > each.at) continue;
    std::vector<std::size_t> order(next->values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      const auto &x = next->values[i], &y = next->values[j];
      return x.real() > y.real() || (x.real() == y.real() && x.imag() > y.imag());
    });
    const std::size_t curve = order[static_cast<std::size_t>(each.rank)];
    const double y = each.imaginary ? std::abs(next->values[curve].imag()) : next->values[curve].real();
    if (y < motion.low || y > motion.high || (each.imaginary && y == 0)) continue;
    out << "set label \"" << each.text << "\" at " << next->parameter << "," << y << ""
        << (each.dx < 0 ? " right" : "") << " offset " << each.dx << "," << each.dy << " textcolor rgb "
        << colour[curve] << " front\n";
  }
}

}  // namespace

void draw(const Motion& motion, const Points& points, const std::vector<Boundary>& found,
          const std::filesystem::path& folder) {
  const double from = points.front().parameter, to = points.back().parameter;
  const auto colour = colours(points);
  std::ostringstream script;
  script.precision(12);
  script << "set title \"" << motion.title << "\" font ',30' offset 0,2.2\n"
         << "set xlabel \"" << motion.parameter << "  [" << motion.unit << "]\"\n"
         << "set ylabel \"eigenvalues  [1/s]\"\n"
         << "set xrange [" << from << ":" << to << "]\nset yrange [" << motion.low << ":" << motion.high
         << "]\n"
         << R"(set border 3
set tics nomirror
unset grid
set xzeroaxis lt 1 dt 1 lw 1.5 lc rgb gray
set tmargin at screen 0.84
set rmargin at screen 0.97
# Covers the spikes of mitred joins where a curve starts level on the axis.
set object rectangle from graph -0.009,0 to graph -0.0015,1 fc rgb 0xffffff fs solid noborder front noclip
)";
  const bool crowded = std::any_of(found.begin(), found.end(), [&](const Boundary& each) {
    return each.value > from + 0.65 * (to - from);
  });
  script << "set key at screen " << (crowded ? "0.1,0.94 left top reverse Left" : "0.97,0.94 right top")
         << " samplen 3\n";
  write_boundaries(script, motion, found);
  write_intervals(script, stable_intervals(points, found), to - from);
  write_labels(script, motion, points, colour);
  script << "plot ";
  for (std::size_t i = 0; i < colour.size(); ++i)
    script << "'eigenvalues.csv' using 1:(column('im_" << i + 1 << "') > 0 ? column('im_" << i + 1
           << "') : NaN) with lines lw 2 dt (8,5) lc rgb " << colour[i] << " notitle, \\\n     ";
  for (std::size_t i = 0; i < colour.size(); ++i)
    script << "'eigenvalues.csv' using 1:'re_" << i + 1 << "' with lines lw 4 lc rgb " << colour[i]
           << " notitle, \\\n     ";
  script << "NaN with lines lw 4 lc rgb black title \"real part\"";
  if (std::any_of(points.begin(), points.end(), [](const auto& point) {
        return std::any_of(point.values.begin(), point.values.end(),
                           [](const auto& x) { return x.imag() != 0; });
      }))
    script << ", \\\n     NaN with lines lw 2 dt (8,5) lc rgb black title \"imaginary part\"";
  script << "\n";
  example::Picture(folder, "eigenvalues", 1600, 1050).draw(script.str());
}

}  // namespace stability
