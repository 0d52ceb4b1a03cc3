#include <dalembert/assembly/by_parts.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace by_parts_test {

using namespace dalembert;
using assembly::NodeLoads;
using assembly::SolveReport;
using assembly::State;

struct Work {
  struct Part {
    SolveReport report;
  };
  std::vector<Part> parts{3};
};
using Loads = NodeLoads<double, Work>;
using Point = State<double>;  // of phase space

/// Three parts that write down what they are asked, with the numbers they are asked with.
struct Whole : assembly::ByParts<Whole, double, Work> {
  mutable std::vector<std::string> asked;

  struct Part {
    const Whole& whole;
    std::size_t number;
    void note(const std::string& what) const { whole.asked.push_back(what + std::to_string(number)); }
    void locate(const Point&, Loads&) const { note("locate "); }
    void loads(const Point&, Loads&) const { note("loads "); }
    void add_constraint_forces(const Point&, Loads& l) const {
      note("forces ");
      l.work.parts[number].report = {.redundant_rows = static_cast<int>(number), .clusters = 1};
    }
    void kick(Point& x, const Loads&, double h) const {
      note("kick ");
      x.time += h;
    }
    void kick_drift(const Point& at, const Loads&, double kick, double h, Point& x) const {
      note("drift ");
      x.time = at.time + 10 * kick + 100 * h;
    }
    Projection<double> project_position(Point&, double h, Loads&) const {
      note("close ");
      return {h * static_cast<double>(number + 1), static_cast<int>(5 - number), number != 1};
    }
    Projection<double> finish_step(Point&, Loads& l) const {
      note("finish ");
      l.work.parts[number].report = {.redundant_rows = 2, .clusters = static_cast<int>(number)};
      return {3.0, 1, true};
    }
  };
  std::size_t parts() const { return 3; }
  Part part(std::size_t number) const { return {*this, number}; }
};
using Asked = std::vector<std::string>;

TEST_CASE("each part is asked once, in their order", "[assembly][parts]") {
  const Whole whole;
  Loads l;
  Point x;
  whole.locate(x, l);
  whole.loads(x, l);
  CHECK(whole.asked == Asked{"locate 0", "locate 1", "locate 2", "loads 0", "loads 1", "loads 2"});
  whole.asked.clear();
  whole.kick(x, l, 0.5);
  CHECK(whole.asked == Asked{"kick 0", "kick 1", "kick 2"});
  CHECK(x.time == 1.5);
  Point at;
  at.time = 1;
  whole.kick_drift(at, l, 0.25, 2, x);
  CHECK(x.time == 203.5);
}

TEST_CASE("what the parts found out is told together, and nothing of an earlier solve", "[assembly][parts]") {
  const Whole whole;
  Loads l;
  Point x;
  l.report = {.redundant_rows = 100, .clusters = 100};
  whole.add_constraint_forces(x, l);
  CHECK(l.report.redundant_rows == 3);
  CHECK(l.report.clusters == 3);
  const auto finished = whole.finish_step(x, l);
  CHECK(l.report.redundant_rows == 6);
  CHECK(l.report.clusters == 3);
  CHECK(finished.moved == Approx(3 * std::sqrt(3.0)));
  CHECK(finished.converged);
}

TEST_CASE("projections of the parts are one: moves by squares, most iterations, and converged where all are",
          "[assembly][parts]") {
  const Whole whole;
  Loads l;
  Point x;
  const auto closed = whole.project_position(x, 0.1, l);
  CHECK(closed.moved == Approx(0.1 * std::sqrt(1.0 + 4 + 9)));
  CHECK(closed.iterations == 5);
  CHECK_FALSE(closed.converged);
  CHECK(whole.asked == Asked{"close 0", "close 1", "close 2"});
}

}  // namespace by_parts_test
