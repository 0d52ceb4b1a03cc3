// Stability of straight motions of nonholonomic systems: the eigenvalues of small motions that keep the
// constraints, followed along the speed.
//
//   stability                                   the bicycle: weave, capsize, castering
//   stability --system disc                     a thin disc rolls upright from √(gr/3) on
//   stability --system greidanus                a wheel on a tyre diverges when it rolls too fast
//   stability --system greidanus --along k-eps  and shimmies when its tyre is too soft in twist
//   stability --system rocard                   another tyre, stable at any speed
//   stability --system sleigh                   Chaplygin's sleigh: the blade must trail
//
//   X − Y     motion less what symmetries (shifts and turns of the ground, turns of wheels) carry along
//   δ̇ = A δ   small motions on the manifold of the constraints, A = D(X − Y), symmetries divided out
//   det(λ − A) = λ^k (λⁿ + c₁λⁿ⁻¹ + … + c_n),  k zeros because the system may move at any speed
//
// A real eigenvalue crosses where c_n = 0, a pair where Hurwitz's determinant of n − 1 rows vanishes; both are
// found by bisection. Bicycle, disc and sleigh conserve energy; and yet small motions of bicycle and sleigh may
// die away.
// Writes eigenvalues.csv, summary.json and a picture.

#include <cmath>
#include <string>
#include <vector>

#include <dalembert/io/csv.hpp>

#include "stability/boundaries.hpp"
#include "stability/pictures.hpp"
#include "support/program.hpp"

namespace {

using namespace stability;

struct Arguments {
  std::string system = "bicycle", along = "speed";
  double from = 0, to = 10;
  long points = 201;
  TireOptions tire;
};

Motion motion_of(const Arguments& arguments) {
  if (arguments.system == "disc") return disc();
  if (arguments.system == "greidanus") return greidanus(arguments.tire);
  if (arguments.system == "rocard") return rocard();
  if (arguments.system == "sleigh") return sleigh();
  return bicycle();
}

/// The word after --`name` in the arguments, on which the defaults of others depend, or `otherwise`.
std::string ahead(int argc, char** argv, const std::string& name, const std::string& otherwise) {
  std::string word = otherwise;
  const std::string option = "--" + name;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == option && i + 1 < argc) word = argv[i + 1];
    if (argument.rfind(option + "=", 0) == 0) word = argument.substr(option.size() + 1);
  }
  return word;
}

void write_table(const Motion& motion, const Points& points, const std::filesystem::path& folder) {
  std::vector<dalembert::io::Column> columns = {{motion.column, motion.unit}};
  for (std::size_t i = 1; i <= points.front().values.size(); ++i) {
    columns.push_back({"re_" + std::to_string(i), "1/s"});
    columns.push_back({"im_" + std::to_string(i), "1/s"});
  }
  dalembert::io::CsvWriter csv(folder / "eigenvalues.csv", columns);
  for (const auto& point : points) {
    std::vector<double> row = {point.parameter};
    for (const auto& value : point.values) row.insert(row.end(), {value.real(), value.imag()});
    csv.row(row);
  }
  csv.close();
}

void report(const Motion& motion, const std::vector<Boundary>& found, const std::vector<Interval>& stable,
            example::Summary& summary) {
  int number = 0;
  for (const Boundary& each : found) {
    const std::string what = each.kind == Kind::real   ? "a real eigenvalue passes through 0"
                             : each.kind == Kind::pair ? "a pair of eigenvalues crosses the imaginary axis"
                                                       : "two real eigenvalues meet and become a pair";
    const std::string key = each.known != nullptr ? each.known->key : "boundary_" + std::to_string(++number);
    summary.figure(key, each.value, motion.unit, what);
    if (each.known == nullptr) continue;
    summary.figure(key + "_known", each.known->value, motion.unit, each.known->meaning);
    summary.figure(key + "_error", std::abs(each.value - each.known->value), motion.unit,
                   "difference of the two");
  }
  for (std::size_t i = 0; i < stable.size(); ++i) {
    const std::string suffix = stable.size() > 1 ? "_" + std::to_string(i + 1) : "";
    summary.figure(
        "stable_from" + suffix, stable[i].from, motion.unit,
        stable[i].damped ? "small motions die away from here" : "small motions do not grow from here");
    summary.figure("stable_to" + suffix, stable[i].to, motion.unit, "to here");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  auto& tire = arguments.tire;
  arguments.system = ahead(argc, argv, "system", arguments.system);
  arguments.along = ahead(argc, argv, "along", arguments.along);
  tire.along_stiffness = arguments.along == "k-eps";
  const Motion defaults = motion_of(arguments);
  arguments.from = defaults.from, arguments.to = defaults.to, arguments.points = defaults.points;

  example::Program program{
      "stability",
      "The eigenvalues of a straight motion of a nonholonomic system, followed along its speed."};
  const auto positive = example::Rule::positive;
  program.choice("system", arguments.system, {"bicycle", "disc", "greidanus", "rocard", "sleigh"},
                 "what moves; the defaults below are for this one");
  program.option("from", arguments.from, defaults.unit, "first " + defaults.parameter);
  program.option("to", arguments.to, defaults.unit, "last one");
  program.option("points", arguments.points, "how many of them", 3);
  program.choice("along", arguments.along, {"speed", "k-eps"}, "greidanus: the parameter that changes");
  program.option("V", tire.speed, "rad/s", "greidanus: rolling rate, along k-eps", positive);
  program.option("a-k", tire.lateral_curvature, "1/m^2", "greidanus: curvature of the path per lateral give",
                 positive);
  program.option("b-k", tire.drift_curvature, "1/(m rad)",
                 "greidanus: curvature of the path per angle of drift", positive);
  program.option("k-xi", tire.lateral_stiffness, "N/m", "greidanus: stiffness of the tyre sideways",
                 positive);
  program.option("k-eps", tire.torsional_stiffness, "N m/rad", "greidanus: stiffness of the tyre in twist",
                 positive);
  program.rule("to", "must be more than --from", [&] { return arguments.to > arguments.from; });
  program.rule("from", "must be positive for a tyre", [&] {
    return arguments.from > 0 || (arguments.system != "greidanus" && arguments.system != "rocard");
  });
  program.rule("along", "is for --system greidanus",
               [&] { return arguments.along == "speed" || arguments.system == "greidanus"; });
  return program.run(argc, argv, [&](example::Run& run) {
    const Motion motion = motion_of(arguments);
    const Points points = follow(motion, arguments.from, arguments.to, arguments.points);
    write_table(motion, points, run.out);
    const auto found = boundaries(motion, points);
    report(motion, found, stable_intervals(points, found), run.summary);
    for (const auto& point : points) {
      std::vector<double> numbers{point.parameter};
      for (const auto& value : point.values) numbers.insert(numbers.end(), {value.real(), value.imag()});
      run.summary.add_end(numbers, 1);
    }
    run.summary.ends();
    run.summary.print();
    draw(motion, points, found, run);
  });
}
