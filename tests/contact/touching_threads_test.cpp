// Clusters of contacts are solved by several threads, with the same bits as by one.

#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/thread_team.hpp>

#include "support/catch.hpp"

namespace touching_threads_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;

TEST_CASE("columns of balls move alike on any number of threads", "[contact][touching]") {
  const double a = 0.1, j = 0.4 * a * a;
  const std::size_t n = 4200;  // as many as are worth a team
  const RigidBody<> ball{{.mass = 1, .inertia = {j, j, j}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(std::vector(n, ball));
  const auto [balls] = all.handles();
  Touching<> what{.friction = 0.4, .restitution = 0.3, .planes = {contact::Plane<>{}}};
  std::vector<Chain<>> chains;
  for (std::size_t i = 0; i < n; ++i) {
    const double column = static_cast<double>(i / 5), place = static_cast<double>(i % 5);
    what.balls.push_back({frame(balls[i]), a});
    chains.push_back(ball.at({column, 0.01 * place, a * (1.001 + 2.0003 * place)}));
    chains.back().set_velocity(0, {0.1 * place, 0, -0.02 * place}, {0, 0, 1});
  }
  const Assembly problem{all, what};
  const auto start = problem.state(chains);
  std::vector<State<>> ends;
  std::vector<ContactWorks<>> works;
  for (const unsigned threads : {1U, 2U, 4U}) {
    auto state = start;
    ContactWorks<> sum;
    auto stepper = ThreadedVerlet{threads}.stepper(problem, state);
    for (int i = 0; i < 40; ++i) {
      const auto report = stepper.step(problem, state, 1e-3);
      CHECK(report.converged);
      sum += report.works;
    }
    ends.push_back(state);
    works.push_back(sum);
  }
  CHECK(works[0].impact < -1e-3);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    CHECK(works[i].sum() == works[0].sum());
    CHECK(works[i].friction == works[0].friction);
    bool same = true;
    for (std::size_t c = 0; c < n; ++c)
      same = same && (ends[0][c].configuration.topRows(1) == ends[i][c].configuration.topRows(1)).all() &&
             (ends[0][c].velocity.topRows(1) == ends[i][c].velocity.topRows(1)).all();
    CHECK(same);
  }
}

}  // namespace touching_threads_test
