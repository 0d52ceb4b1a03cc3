// Clusters of constraints of any rank, cone problems, heaps of bodies that touch, and rods thrown at each other.

#include <cstdint>
#include <fstream>
#include <string>

#include <dalembert/linalg/cone_text.hpp>

#include "fuzz/target.hpp"
#include "support/cone_problems.hpp"
#include "support/random_cluster.hpp"
#include "support/random_heap.hpp"
#include "support/random_rods.hpp"

namespace fuzz {

using namespace dalembert;

namespace {

[[nodiscard]] std::uint64_t seed(Input& in) {
  std::uint64_t all = 0;
  for (int i = 0; i < 3; ++i)
    all = all << 16u | static_cast<std::uint64_t>(in.whole("part of a seed", 0, 65535));
  return all;
}

}  // namespace

Outcome clusters(Input& in) {
  test::cluster::RandomCluster random(static_cast<unsigned>(seed(in)));
  random.mass_range = in.whole("powers of ten of masses", 0, 6);
  if (in.whole("changed", 0, 9) == 0) random.entry = in.any("entry of a row");
  const std::string fault =
      in.flag("reactions along other rows") ? random.fault<true>() : random.fault<false>();
  demand(fault.empty(), fault.c_str());
  return random.ambiguous > 0 ? Outcome::refused : Outcome::computed;
}

Outcome cones(Input& in) {
  // of problems with singular matrices some have no solution
  static long asked[2] = {0, 0}, unsolved[2] = {0, 0};
  const bool regular = in.flag("regular");
  test::RandomCones random{std::mt19937(static_cast<unsigned>(seed(in)))};
  auto problem = random.problem(regular);
  if (in.whole("changed", 0, 3) == 0) {
    if (in.flag("friction")) problem.friction[0] = in.any("coefficient");
    const Eigen::Index row = in.whole("row", 0, static_cast<int>(problem.size()) - 1);
    (in.flag("of G") ? problem.G(row, row) : problem.b[row]) = in.any("entry");
    return accepted([&] {
      const auto found = linalg::solve_cone_problem(problem);
      if (found.converged)
        for (const double P : found.P) demand_finite(P, "an impulse");
    })
               ? Outcome::computed
               : Outcome::refused;
  }
  const auto found = linalg::solve_cone_problem(problem);
  for (const double P : found.P) demand_finite(P, "an impulse");
  ++asked[regular];
  if (!found.converged) {
    ++unsolved[regular];
    std::ofstream("unsolved_cones_" + std::to_string(unsolved[0] + unsolved[1]) + ".txt")
        << linalg::cone_text(problem);
    demand(unsolved[regular] <= (regular ? 0 : 2 + asked[0] / 10000),
           regular ? "a cone problem with a regular matrix is not solved"
                   : "too many cone problems with singular matrices are not solved");
    return Outcome::computed;
  }
  demand(test::breach(problem, found.P) < (regular ? 1e-9 : 1e-7), "impulses break the law of contacts");
  return Outcome::computed;
}

Outcome heaps(Input& in) {
  test::RandomHeap heap(seed(in));
  heap.most_given = 0.3;
  if (in.whole("law", 0, 3) == 0) heap.friction = in.any("friction");
  std::string fault;
  if (!accepted([&] { fault = heap.fault(100); })) return Outcome::refused;
  demand(fault.empty(), fault.c_str());
  return heap.overlaps ? Outcome::refused : Outcome::computed;
}

Outcome thrown_rods(Input& in) {
  test::RandomRods rods(seed(in));
  std::string fault;
  if (!accepted([&] { fault = rods.fault(60); })) return Outcome::refused;
  demand(fault.empty(), fault.c_str());
  return rods.overlaps ? Outcome::refused : Outcome::computed;
}

}  // namespace fuzz
