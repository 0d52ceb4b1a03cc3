#include "stability/pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "support/picture.hpp"

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
          const example::Run& run) {
  const double from = points.front().parameter, to = points.back().parameter;
  const auto colour = colours(points);
  std::string words;
  for (const auto& each : colour) words += each + " ";
  std::ostringstream marks;
  marks.precision(12);
  write_boundaries(marks, motion, found);
  write_intervals(marks, stable_intervals(points, found), to - from);
  write_labels(marks, motion, points, colour);
  const bool crowded = std::any_of(found.begin(), found.end(), [&](const Boundary& each) {
    return each.value > from + 0.65 * (to - from);
  });
  const bool swings = std::any_of(points.begin(), points.end(), [](const auto& point) {
    return std::any_of(point.values.begin(), point.values.end(), [](const auto& x) { return x.imag() != 0; });
  });
  example::Variables given;
  given("title", motion.title)("parameter", motion.parameter + "  [" + motion.unit + "]");
  given("from", from)("to", to)("low", motion.low)("high", motion.high);
  given("crowded", crowded ? 1 : 0)("swings", swings ? 1 : 0)("colours", words);
  example::draw(run, {"eigenvalues", 1600, 1050}, given.lines(marks.str()));
}

}  // namespace stability
