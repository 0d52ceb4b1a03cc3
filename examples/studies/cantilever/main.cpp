// Clamped rods that are bent far: how far does the tip go, and how fast do elements converge?
//
//   cantilever                                     Euler's elastica at P L^2/EI = 5
//   cantilever --case bend45 --load 300            the 45 degree bend of Bathe and Bolourchi
//   cantilever --case rollup --elements 16         a moment rolls the rod up to a ring
//
//   y |        ___ P          elastica, shear   force along y at the tip
//     |    .--'               bend45            an eighth of a circle in (x, y), tangent to y at the clamp; force along z
//   |=|---'-------- x         princeton         force across, half way between the axes of the section (-y and z)
//                             rollup            moment about z
//
// Newton's method on all nodes (rod/statics.hpp) with N, 2N and 4N elements. Elements of size h have errors of order h², hence Richardson's
// limit (4 x(2N) - x(N))/3. Writes path.csv (the tip along the load, N elements), shape_*.csv (the rod at quarters of the load), points.csv
// (published), summary.json and a picture.

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/statics.hpp>
#include <nlohmann/json.hpp>

#include "cantilever/cases.hpp"
#include "support/interrupt.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using cantilever::Case;
using cantilever::Chain;
using cantilever::Rod;
using cantilever::Vec3;

/// From one load to another.
void load(const Case& what, Rod& rod, Chain& chain, double from, double to) {
  rod::static_equilibrium(rod, chain, [&](double part, Rod& r, Chain&) {
    r.set_loads({.finish = what.at_tip(from + part * (to - from))});
  });
}

/// The equilibrium with so many elements.
Chain equilibrium(const Case& what, int elements, double to) {
  Rod rod = what.rod(elements);
  Chain chain = what.start(rod);
  load(what, rod, chain, 0, to);
  return chain;
}

/// How far nodes of rods with N and 2N elements are apart: root of the mean square [m].
double distance(const Chain& coarse, Eigen::Index step, const Chain& fine) {
  double sum = 0;
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < coarse.nodes; k += step, ++count)
    sum += (coarse.position(k) - fine.position(2 * k)).squaredNorm();
  return std::sqrt(sum / static_cast<double>(count));
}

void write_shape(const std::filesystem::path& path, const Chain& chain) {
  io::CsvWriter csv(path, example::columns("x [m], y [m], z [m]"));
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const Vec3 r = chain.position(k);
    csv.row({r[0], r[1], r[2]});
  }
  csv.close();
}

/// What the page shows: the rod under a growing load, what pulls its tip, and where others found the tip. The load takes the place of time.
class View {
 public:
  View(example::Run& run, const Case& what, double to)
      : scene_(&run.scene),
        rod_(scene_->tube("rod", radius(what), {.colour = 0})),
        tip_(scene_->point("tip", {.colour = 3,
                                   .path = true,
                                   .radius = 1.2 * radius(what),
                                   .arrow = "force on the tip",
                                   .unit = "N"})),
        moved_(scene_->panel("displacement of the tip, over the load", "m", {"x", "y", "z"})) {
    run.view.caption += std::string(" Nothing moves here: what runs is the load") +
                        (to < 0 ? ", with its sign turned" : "") + ", in the unit of --load.";
    run.view.variable = "load";
    run.view.unit = "";
    run.view.flat = !what.spatial;
    run.view.zoom = 0.75;  // room for the arrow at the end
    for (const cantilever::Point& p : what.points) {
      if (p.load > std::abs(to) * (1 + 1e-12) || to < 0) continue;
      const auto mark = scene_->body(what.source + ", load " + shortest_text(p.load),
                                     {io::ball(1.5 * radius(what))}, {.colour = 1});
      scene_->place(mark, SO3<double>::identity(), what.tip() + p.displacement);
    }
  }

  /// The rod under a load, the force on its tip [N], and how far that went [m].
  void operator()(double load, const Chain& chain, const Vec3& force, const Vec3& moved) {
    scene_->row(moved_, std::abs(load), {moved[0], moved[1], moved[2]});
    if (!scene_->frame(std::abs(load))) return;
    scene_->put(rod_, chain);
    scene_->put(tip_, chain.position(chain.nodes - 1), force);
  }

 private:
  /// Of the drawing: rods here are lines with a stiffness [m].
  static double radius(const Case& what) { return what.length / 100; }

  io::Scene* scene_;
  io::Scene::Tube rod_;
  io::Scene::Point tip_;
  io::Scene::PanelId moved_;
};

example::Json json(const Vec3& x) { return example::Json::array({x[0], x[1], x[2]}); }

void figures(const Case& what, double to, const std::array<Chain, 3>& finer, example::Summary& summary) {
  const auto tip = [](const Chain& chain) { return Vec3(chain.position(chain.nodes - 1)); };
  const Vec3 at = tip(finer[0]), limit = (4 * tip(finer[1]) - at) / 3, moved = at - what.tip();
  const double first = distance(finer[0], 1, finer[1]), second = distance(finer[1], 2, finer[2]);
  // differences that round-off makes have no order
  const bool measured = second > 1e-11 * what.length;

  summary.group("tip", json(at));
  summary.group("tip_displacement", json(moved));
  summary.group("tip_extrapolated", json(limit));
  summary.figure("order", measured ? std::log2(first / second) : std::numeric_limits<double>::quiet_NaN(),
                 "1", "by which errors fall: of all nodes, from N, 2N and 4N elements");
  summary.figure("load", to, "1", "in the unit of the case, as --load");
  const std::array<const char*, 3> axes = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    summary.figure(std::string("tip_") + axes[i], at[j], "m", "of the tip, with N elements");
    summary.figure(std::string("tip_") + axes[i] + "_extrapolated", limit[j], "m",
                   "its limit for small elements");
  }
  summary.figure("tip_distance", moved.norm(), "m", "how far the tip went");
  for (const cantilever::Point& p : what.points)
    if (std::abs(p.load - to) <= 1e-12 * std::abs(to))
      summary.figure("published_distance", (limit - what.tip() - p.displacement).norm(), "m",
                     "of the limit from " + what.source);
}

void solve(const Case& what, double to, int elements, long steps, example::Run& run) {
  {
    io::CsvWriter csv(run.out / "points.csv", example::columns("load [1], ux [m], uy [m], uz [m]"));
    for (const cantilever::Point& p : what.points)
      csv.row({p.load, p.displacement[0], p.displacement[1], p.displacement[2]});
    csv.close();
  }
  Rod rod = what.rod(elements);
  Chain chain = what.start(rod);
  write_shape(run.out / "shape_0.csv", chain);
  View view(run, what, to);
  view(0, chain, Vec3::Zero(), Vec3::Zero());
  {
    io::CsvWriter csv(run.out / "path.csv", example::columns("load [1], ux [m], uy [m], uz [m]"));
    csv.row({0.0, 0.0, 0.0, 0.0});
    for (long i = 1; i <= 4 * steps; ++i) {
      example::end_if_interrupted();
      const double all = static_cast<double>(4 * steps);
      load(what, rod, chain, to * static_cast<double>(i - 1) / all, to * static_cast<double>(i) / all);
      const Vec3 moved = chain.position(elements) - what.tip();
      const double now = to * static_cast<double>(i) / all;
      csv.row({now, moved[0], moved[1], moved[2]});
      view(now, chain, what.at_tip(now).force, moved);
      if (i % steps == 0) write_shape(run.out / ("shape_" + std::to_string(i / steps) + ".csv"), chain);
    }
    csv.close();
  }
  figures(what, to, {chain, equilibrium(what, 2 * elements, to), equilibrium(what, 4 * elements, to)},
          run.summary);
  std::vector<double> end;
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    for (const double x : chain.position(k)) end.push_back(x);
  run.summary.add_end(end, 4 * steps);
  run.summary.ends();
  run.summary.print();
  example::draw(run, {"cantilever", 2000, 900},
                example::Variables{}("spatial", what.spatial ? 1.0 : 0.0)("load_name", what.load_name)(
                    "source", what.source)("to", to));
}

/// A number, or NaN where a text is none.
double number_of(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  return end == text.c_str() || *end != '\0' ? std::numeric_limits<double>::quiet_NaN() : x;
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = "elastica", load = "published";
  long elements = 64, points = 10;
  example::Program program{"cantilever",
                           "Clamped elastic rods under large loads at their tips, beside published values."};
  program.choice("case", name, cantilever::names(), "which rod, and what pulls it");
  program.text("load", load, "NUMBER",
               "P L^2/EI for elastica, newtons for bend45, princeton and shear, M L/(pi EI) for rollup; "
               "'published' is a load whose tip is known");
  program.option("elements", elements,
                 "elements of the rod; it is solved with twice and four times as many too", 2);
  program.option("points", points, "equilibria in each quarter of the load", 1);
  program.rule("load", "must be a finite number",
               [&] { return load == "published" || std::isfinite(number_of(load)); });
  program.rule("elements", "must be at most a quarter of what a rod has at most",
               [&] { return elements <= rod::most_elements / 4; });
  return program.run(argc, argv, [&](example::Run& run) {
    const Case what = cantilever::make(name);
    solve(what, load == "published" ? what.load : number_of(load), static_cast<int>(elements), points, run);
  });
}
