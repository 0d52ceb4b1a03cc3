// Laws of rolling contact, for every combination of kernel, averaging and tangency.

#include "laws/contact_cases.hpp"
#include "support/catch.hpp"

namespace contact_laws_test {

using namespace dalembert;
using contact::largest;
using rod::Columns;
using test::RollingCase;
using State = RollingCase::State;
using test::Random;

using V3 = Vec<double, 3>;

/// Every combination of kernel, averaging and tangency.
test::RollingCases contact_cases(const test::RollingOptions& options) {
  test::RollingCases all;
  add_spatial(all, options);
  add_body(all, options);
  return all;
}

/// Two sets of every combination: rods of different radii and a wide kernel, and equal rods with the narrowest one.
const test::RollingCases& cases() {
  static const auto all = [] {
    auto list = contact_cases({.radius1 = 0.05, .radius2 = 0.03});
    for (auto& one : contact_cases(
             {.elements = 24, .radius1 = 0.04, .radius2 = 0.04, .kernel_width = 0.02, .angle = -0.9}))
      list.push_back(std::move(one));
    return list;
  }();
  return all;
}

/// `law(case, random)` for every combination, three random pairs each.
void for_each(const test::RollingCases& all, void (*law)(const RollingCase&, Random&)) {
  for (const auto& one : all) {
    Random random(test::seed());
    for (int trial = 0; trial < 3; ++trial) {
      INFO(one->name << ", trial " << trial);
      law(*one, random);
    }
  }
}

/// The state after h of the motion that the rates of `at` describe, to first order: internals and velocities too.
State moved(const State& at, const test::RollingAnswer& answer, double h) {
  State p = at;
  for (std::size_t i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < at[i].nodes; ++k) {
      const auto& c = at[i];
      const Mat<double, 3> turn =
          test::matrix(c.rotation(k)) * test::rotation_matrix<double>(h * c.angular_velocity(k));
      p[i].set_frame(k, test::rotation<double>(turn), c.position(k) + h * c.linear_velocity(k));
      p[i].set_velocity(k, c.linear_velocity(k) + h * rod::at3<0>(answer.acceleration[i], k),
                        c.angular_velocity(k) + h * rod::at3<3>(answer.acceleration[i], k));
    }
  p.z += h * answer.rate;
  return p;
}

/// Fourth-order central difference of f at 0.
template <class F>
auto difference(F&& f, double h) {
  using Value = decltype(f(h));
  const Value near = f(h) - f(-h);
  const Value far = f(2 * h) - f(-2 * h);
  return Value((8 * near - far) / (12 * h));
}

/// Sum of loads, and their moment about the origin, over both rods.
Vec<double, 6> total(const State& p, const assembly::NodeNumbers<double>& loads) {
  Vec<double, 6> sum = Vec<double, 6>::Zero();
  for (std::size_t i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < p[i].nodes; ++k) {
      const V3 force = rod::at3<0>(loads[i], k);
      sum.head<3>() += force;
      sum.tail<3>() += p[i].position(k).cross(force) + p[i].rotation(k).act(V3(rod::at3<3>(loads[i], k)));
    }
  return sum;
}

/// A, column by column: slips of unit velocities.
Eigen::Matrix<double, 3, Eigen::Dynamic> rows(const RollingCase& model, const State& at) {
  State p = at;
  Eigen::Matrix<double, 3, Eigen::Dynamic> A(3, 6 * (at[0].nodes + at[1].nodes));
  for (auto& c : p.chains) c.velocity.setZero();
  Eigen::Index column = 0;
  for (auto& c : p.chains)
    for (Eigen::Index k = 0; k < c.nodes; ++k)
      for (int i = 0; i < 6; ++i, ++column) {
        c.velocity(k, i) = 1;
        A.col(column) = model.slip(p);
        c.velocity(k, i) = 0;
      }
  return A;
}

TEST_CASE("the slip is linear in the velocities and vanishes for rigid motions of the pair") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, false);
    State q = model.pair(random, false);
    State sum = p;
    q.z = p.z;
    for (std::size_t i = 0; i < 2; ++i) {
      q[i].configuration = p[i].configuration;
      sum[i].velocity = 2.0 * p[i].velocity - 3.0 * q[i].velocity;
    }
    CHECK((model.slip(sum) - (2.0 * model.slip(p) - 3.0 * model.slip(q))).norm() < 1e-13);
    CHECK(model.slip(p).norm() > 1e-2);

    const V3 v = random.vector<double>(), w = random.vector<double>();
    for (auto& c : sum.chains) test::move_rigidly(c, v, w);
    CHECK(model.slip(sum).norm() < 1e-14);
  });
}

TEST_CASE("contact forces are those of the rows, and keep momentum and angular momentum") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, true);
    const auto answer = model.answer(p);
    const auto A = rows(model, p);
    assembly::NodeNumbers<double> contact;
    double wrong = 0, largest = 0;
    Eigen::Index column = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      contact.chains.push_back(answer.loads[i] - answer.free_loads[i]);
      for (Eigen::Index k = 0; k < p[i].nodes; ++k)
        for (int j = 0; j < 6; ++j, ++column) {
          wrong = std::max(wrong, std::abs(contact[i](k, j) - A.col(column).dot(answer.multiplier)));
          largest = std::max(largest, std::abs(contact[i](k, j)));
        }
    }
    CHECK(largest > 1e-3);
    CHECK(wrong < 1e-12 * largest);
    CHECK(total(p, contact).norm() < 1e-12 * largest);

    V3 on_rod1 = V3::Zero();
    for (Eigen::Index k = 0; k < p[0].nodes; ++k) on_rod1 += rod::at3<0>(contact[0], k);
    CHECK((on_rod1 - answer.force).norm() < 1e-12 * largest);
  });
}

TEST_CASE(
    "the rows have full rank in the metric of the masses, and the velocity projection is the orthogonal "
    "one") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, false);
    const auto A = rows(model, p);
    Eigen::VectorXd inverse_mass(A.cols()), before(A.cols()), after(A.cols());
    State q = p;
    const auto projection = model.project(q);
    Eigen::Index column = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < p[i].nodes; ++k)
        for (int j = 0; j < 6; ++j, ++column) {
          inverse_mass[column] = model.rods[i].inverse_mass(k, j);
          before[column] = p[i].velocity(k, j);
          after[column] = q[i].velocity(k, j);
        }
    const Mat<double, 3> gram = A * inverse_mass.asDiagonal() * A.transpose();
    CHECK(gram.llt().info() == Eigen::Success);
    const Eigen::VectorXd wanted =
        before - Eigen::VectorXd(inverse_mass.asDiagonal() * A.transpose() * gram.llt().solve(A * before));
    CHECK((after - wanted).cwiseAbs().maxCoeff() < 1e-11);
    CHECK(model.slip(q).norm() < 1e-12);
    const double moved = std::sqrt((after - before).cwiseAbs2().cwiseQuotient(inverse_mass).sum());
    CHECK(std::abs(projection.moved - moved) < 1e-10 * moved);
  });
}

TEST_CASE("the tangency has the Jacobian it says, and is solved") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, false);
    const auto at = [&](double d, int i) {
      State q = p;
      q.z[i] += d;
      return model.tangency(q).value;
    };
    const auto tangency = model.tangency(p);
    CHECK(tangency.value.norm() < 1e-14);
    for (int i = 0; i < 2; ++i)
      CHECK((difference([&](double d) { return at(d, i); }, 1e-6) - tangency.jacobian.col(i)).norm() < 1e-7);
  });
}

TEST_CASE(
    "along the motion the slip stays zero and the tangency is kept: A a + dA/dt v = 0, J ds/dt + dF/dt = 0") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, true);
    const auto answer = model.answer(p);
    CHECK(answer.rate.norm() > 1e-2);
    const auto slip = [&](double h) { return model.slip(moved(p, answer, h)); };
    const auto tangency = [&](double h) { return model.tangency(moved(p, answer, h)).value; };
    // the scale is that of a single term of the sum, which the difference takes as large numbers away from each other
    const double scale = answer.acceleration[0].abs().maxCoeff() + answer.acceleration[1].abs().maxCoeff();
    CHECK(slip(0.0).norm() < 1e-13);
    CHECK(difference(slip, 1e-5).norm() < 1e-9 * scale);
    CHECK(difference(tangency, 1e-5).norm() < 1e-9);
  });
}

TEST_CASE("contact forces do no work") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, true);
    const auto answer = model.answer(p);
    double work = 0, size = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto rows = p[i].nodes;
      const auto power = ((answer.loads[i] - answer.free_loads[i]) * p[i].velocity).topRows(rows).eval();
      work += power.sum();
      size += power.abs().sum();
    }
    CHECK(std::abs(work) < 1e-12 * size);
    CHECK(std::abs(model.power(p).constraint) < 1e-12 * size);
    // with slip they do, and `power` tells it
    const State q = model.pair(random, false);
    const auto with_slip = model.answer(q);
    work = 0;
    for (std::size_t i = 0; i < 2; ++i)
      work += ((with_slip.loads[i] - with_slip.free_loads[i]) * q[i].velocity).topRows(q[i].nodes).sum();
    CHECK(std::abs(model.power(q).constraint - work) < 1e-11 * std::abs(work));
  });
}

TEST_CASE(
    "the gap is stationary along the motion for spatial averaging with the centreline tangency, and for "
    "nothing else") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, true);
    const auto answer = model.answer(p);
    const double rate = difference([&](double h) { return model.gap(moved(p, answer, h)); }, 1e-5);
    if (model.keeps_gap)
      CHECK(std::abs(rate) < 1e-10);
    else
      CHECK(std::abs(rate) > 1e-6);
  });
}

TEST_CASE(
    "where the gap is kept a projection closes it, keeps the centre of mass and tells the velocities; "
    "elsewhere it moves nothing") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    State p = model.pair(random, false);
    const V3 normal = model.between(p).normalized();
    const V3 off = 0.02 * model.target_gap * random.vector<double>() + 0.05 * model.target_gap * normal;
    test::transform<double>(p[1], Mat<double, 3>::Identity(), off);
    model.solve_algebraic(p);
    CHECK(std::abs(model.gap(p)) > 1e-2 * model.target_gap);
    State q = p;
    const double h = 1e-3;
    const auto projection = model.close(q, h);
    CHECK(projection.converged);
    CHECK(largest(model.tangency(q).value) < 1e-13);
    V3 weighted = V3::Zero();
    double square = 0, velocity = 0, turned = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < p[i].nodes; ++k) {
        const V3 step = q[i].position(k) - p[i].position(k);
        weighted += model.rods[i].node_mass() * step;
        square += model.rods[i].node_mass() * step.squaredNorm();
        velocity = std::max(velocity, (q[i].linear_velocity(k) - p[i].linear_velocity(k) - step / h).norm());
        turned = std::max(turned, (q[i].angular_velocity(k) - p[i].angular_velocity(k)).norm());
      }
    CHECK(weighted.norm() < 1e-14);
    CHECK(velocity < 1e-11);
    CHECK(turned == 0);
    if (!model.keeps_gap) {
      CHECK(square == 0);
      return;
    }
    CHECK(std::abs(model.gap(q)) < 3e-14);
    CHECK(square > 0);
    CHECK(projection.moved >= 0.99 * std::sqrt(square));
    CHECK(projection.moved < 1.5 * std::sqrt(square));
  });
}

TEST_CASE("contact does not care where and how the pair lies in space") {
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State p = model.pair(random, true);
    State q = p;
    const Mat<double, 3> turn = test::rotation_matrix<double>(2.0 * random.vector<double>());
    for (auto& c : q.chains) test::transform<double>(c, turn, V3(20, -30, 10));
    model.solve_algebraic(q);
    const auto before = model.answer(p);
    const auto after = model.answer(q);
    const double force = before.force.norm();
    CHECK((after.force - turn * before.force).norm() < 1e-9 * force);
    CHECK((after.rate - before.rate).norm() < 1e-9);
    test::transform<double>(q[1], Mat<double, 3>::Identity(), V3(1e-4 * model.between(q).normalized()));
    CHECK(model.project(q).converged);  // also far from the origin, where positions have fewer digits
    CHECK(model.slip(q).norm() < 1e-11);
    if (model.keeps_gap) CHECK(std::abs(model.gap(q)) < 1e-12);
  });
}

TEST_CASE(
    "the motion keeps energy, momenta and constraints to the order of the integrator; most tangencies let "
    "the gap drift") {
  struct Drift {
    double energy, momentum, angular_momentum, slip, tangency, gap;
  };
  for_each(cases(), [](const RollingCase& model, Random& random) {
    const State start = model.pair(random, true);
    const auto momentum = [&](const State& p) {
      return Vec<double, 6>(rod::momentum(model.rods[0], p[0]) + rod::momentum(model.rods[1], p[1]));
    };
    const auto run = [&](double h, int steps) {
      State p = start;
      model.run(p, h, steps);
      const Vec<double, 6> change = momentum(p) - momentum(start);
      return Drift{std::abs(model.energy(p) - model.energy(start)) / model.energy(start),
                   change.head<3>().norm(),
                   change.tail<3>().norm(),
                   model.slip(p).norm(),
                   largest(model.tangency(p).value),
                   model.gap(p)};
    };
    const Drift coarse = run(1e-4, 100);
    const Drift fine = run(0.5e-4, 200);
    CHECK(fine.energy < 2e-7);
    CHECK(fine.energy < coarse.energy / 16);
    CHECK(fine.momentum < 1e-13);
    CHECK(fine.angular_momentum < 1e-9);
    CHECK(fine.angular_momentum < coarse.angular_momentum / 6);
    CHECK(fine.slip < 1e-6);
    CHECK(fine.slip < coarse.slip / 1.5);
    CHECK(fine.tangency < 3e-14);
    if (model.keeps_gap) {
      CHECK(std::abs(coarse.gap) < 2e-10);
      CHECK(std::abs(fine.gap) < 2e-11);
    } else {
      CHECK(std::abs(fine.gap) > 1e-7);
      CHECK(std::abs(fine.gap - coarse.gap) < 1e-2 * std::abs(fine.gap));
    }
  });
}

TEST_CASE("contact positions that are integrated follow those that are solved") {
  const test::RollingOptions options{.radius1 = 0.05, .radius2 = 0.03};
  auto integrating = options;
  integrating.integrate_positions = true;
  const auto solved = contact_cases(options);
  const auto integrated = contact_cases(integrating);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    INFO(solved[i]->name);
    Random random(test::seed());
    State p = solved[i]->pair(random, true);
    State q = p;
    const Vec<double, 2> before = p.z;
    solved[i]->run(p, 0.5e-4, 200);
    integrated[i]->run(q, 0.5e-4, 200);
    CHECK((p.z - before).norm() > 1e-4);
    CHECK((p.z - q.z).norm() < 1e-8);
    const double left = largest(integrated[i]->tangency(q).value);
    CHECK(left > largest(solved[i]->tangency(p).value));
    CHECK(left < 1e-9);
  }
}

}  // namespace contact_laws_test
