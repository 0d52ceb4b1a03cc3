// Laws of rolling contact, for every combination of kernel, smearing and tangency.

#include "laws/contact_cases.hpp"
#include "support/catch.hpp"

namespace contact_laws_test {

using namespace dalembert;
using rod::Columns;
using test::Pair;
using test::Random;

template <class S>
using V3 = Vec<S, 3>;

/// Every combination of kernel, smearing and tangency.
test::ContactCases<double> contact_cases(const test::PairOptions& options) {
  test::ContactCases<double> all;
  add_spatial(all, options);
  add_body(all, options);
  return all;
}

/// Two sets of every combination: rods of different radii and a wide kernel, and equal rods with the narrowest one.
const test::ContactCases<double>& cases() {
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
template <class S>
void for_each(const test::ContactCases<S>& all, void (*law)(const test::ContactCase<S>&, Random&)) {
  for (const auto& one : all) {
    Random random(test::seed());
    for (int trial = 0; trial < 3; ++trial) {
      INFO(one->name << ", trial " << trial);
      law(*one, random);
    }
  }
}

/// The state after h of the motion that the rates of `at` describe, to first order: internals and velocities too.
template <class S>
Pair<S> moved(const test::ContactCase<S>& model, const Pair<S>& at, const test::Answer<S>& answer, S h) {
  Pair<S> p = at;
  for (std::size_t i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < at.chains[i].nodes; ++k) {
      const auto& c = at.chains[i];
      const Mat<S, 3> turn =
          test::matrix(c.rotation(k)) * test::rotation_matrix<S>(h * c.angular_velocity(k));
      p.chains[i].set_frame(k, test::rotation<S>(turn), c.position(k) + h * c.linear_velocity(k));
      p.chains[i].set_velocity(k, c.linear_velocity(k) + h * rod::at3<0>(answer.acceleration[i], k),
                               c.angular_velocity(k) + h * rod::at3<3>(answer.acceleration[i], k));
    }
  p.contact.s += h * answer.force.rate;
  model.place(p);
  return p;
}

/// Fourth-order central difference of f at 0.
template <class F, class S>
auto difference(F&& f, S h) {
  using Value = decltype(f(h));
  const Value near = f(h) - f(-h);
  const Value far = f(2 * h) - f(-2 * h);
  return Value((S(8) * near - far) / (12 * h));
}

/// Sum of loads, and their moment about the origin, over both rods.
template <class S>
Vec<S, 6> total(const Pair<S>& p, const std::vector<Columns<S, 6>>& loads) {
  Vec<S, 6> sum = Vec<S, 6>::Zero();
  for (std::size_t i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < p.chains[i].nodes; ++k) {
      const V3<S> force = rod::at3<0>(loads[i], k);
      sum.template head<3>() += force;
      sum.template tail<3>() +=
          p.chains[i].position(k).cross(force) + p.chains[i].rotation(k).act(V3<S>(rod::at3<3>(loads[i], k)));
    }
  return sum;
}

/// A, column by column: slips of unit velocities.
template <class S>
Eigen::Matrix<S, 3, Eigen::Dynamic> rows(const test::ContactCase<S>& model, const Pair<S>& at) {
  Pair<S> p = at;
  Eigen::Matrix<S, 3, Eigen::Dynamic> A(3, 6 * (at.chains[0].nodes + at.chains[1].nodes));
  for (auto& c : p.chains) c.velocity.setZero();
  Eigen::Index column = 0;
  for (auto& c : p.chains)
    for (Eigen::Index k = 0; k < c.nodes; ++k)
      for (int i = 0; i < 6; ++i, ++column) {
        c.velocity(k, i) = S(1);
        A.col(column) = model.slip(p);
        c.velocity(k, i) = S(0);
      }
  return A;
}

TEST_CASE("the slip is linear in the velocities and vanishes for rigid motions of the pair") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, false);
    Pair<double> q = model.pair(random, false);
    Pair<double> sum = p;
    q.contact = p.contact;
    for (std::size_t i = 0; i < 2; ++i) {
      q.chains[i].configuration = p.chains[i].configuration;
      sum.chains[i].velocity = 2.0 * p.chains[i].velocity - 3.0 * q.chains[i].velocity;
    }
    CHECK((model.slip(sum) - (2.0 * model.slip(p) - 3.0 * model.slip(q))).norm() < 1e-13);
    CHECK(model.slip(p).norm() > 1e-2);

    const V3<double> v = random.vector<double>(), w = random.vector<double>();
    for (auto& c : sum.chains) test::move_rigidly(c, v, w);
    CHECK(model.slip(sum).norm() < 1e-14);
  });
}

TEST_CASE("contact forces are those of the rows, and keep momentum and angular momentum") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, true);
    const auto answer = model.answer(p);
    const auto A = rows(model, p);
    std::vector<Columns<double, 6>> contact;
    double wrong = 0, largest = 0;
    Eigen::Index column = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      contact.push_back(answer.loads[i] - answer.free_loads[i]);
      for (Eigen::Index k = 0; k < p.chains[i].nodes; ++k)
        for (int j = 0; j < 6; ++j, ++column) {
          wrong = std::max(wrong, std::abs(contact[i](k, j) - A.col(column).dot(answer.force.multiplier)));
          largest = std::max(largest, std::abs(contact[i](k, j)));
        }
    }
    CHECK(largest > 1e-3);
    CHECK(wrong < 1e-12 * largest);
    CHECK(total(p, contact).norm() < 1e-12 * largest);

    V3<double> on_rod1 = V3<double>::Zero();
    for (Eigen::Index k = 0; k < p.chains[0].nodes; ++k) on_rod1 += rod::at3<0>(contact[0], k);
    CHECK((on_rod1 - answer.force.force).norm() < 1e-12 * largest);
    const V3<double> kappa = p.contact.point[1].R - p.contact.point[0].R;
    CHECK(std::abs(answer.force.components[0] + kappa.dot(on_rod1) / kappa.norm()) < 1e-12 * largest);
    CHECK(std::abs(answer.force.components.norm() - on_rod1.norm()) < 1e-12 * largest);
  });
}

TEST_CASE(
    "the rows have full rank in the metric of the masses, and the velocity projection is the orthogonal "
    "one") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, false);
    const auto A = rows(model, p);
    Eigen::VectorXd inverse_mass(A.cols()), before(A.cols()), after(A.cols());
    Pair<double> q = p;
    const auto projection = model.project_velocity(q);
    Eigen::Index column = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < p.chains[i].nodes; ++k)
        for (int j = 0; j < 6; ++j, ++column) {
          inverse_mass[column] = model.rods[i].inverse_mass(k, j);
          before[column] = p.chains[i].velocity(k, j);
          after[column] = q.chains[i].velocity(k, j);
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
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, false);
    const auto at = [&](double d, int i) {
      Pair<double> q = p;
      q.contact.s[i] += d;
      model.place(q);
      return model.tangency(q).value;
    };
    const auto tangency = model.tangency(p);
    CHECK(tangency.value.norm() < 1e-14);
    for (int i = 0; i < 2; ++i)
      CHECK((difference([&](double d) { return at(d, i); }, 1e-6) - tangency.jacobian.col(i)).norm() < 1e-7);
    CHECK(model.error(p).tangency < 1e-14);
  });
}

TEST_CASE(
    "along the motion the slip stays zero and the tangency is kept: A a + dA/dt v = 0, J ds/dt + dF/dt = 0") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, true);
    const auto answer = model.answer(p);
    CHECK(answer.force.rate.norm() > 1e-2);
    const auto slip = [&](double h) { return model.slip(moved(model, p, answer, h)); };
    const auto tangency = [&](double h) { return model.tangency(moved(model, p, answer, h)).value; };
    // the scale is that of a single term of the sum, which the difference takes as large numbers away from each other
    const double scale = answer.acceleration[0].abs().maxCoeff() + answer.acceleration[1].abs().maxCoeff();
    CHECK(slip(0.0).norm() < 1e-13);
    CHECK(difference(slip, 1e-5).norm() < 1e-9 * scale);
    CHECK(difference(tangency, 1e-5).norm() < 1e-9);
  });
}

TEST_CASE("contact forces do no work") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, true);
    const auto answer = model.answer(p);
    double work = 0, size = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto rows = p.chains[i].nodes;
      const auto power =
          ((answer.loads[i] - answer.free_loads[i]) * p.chains[i].velocity).topRows(rows).eval();
      work += power.sum();
      size += power.abs().sum();
    }
    CHECK(std::abs(work) < 1e-12 * size);
    CHECK(std::abs(model.power(p).constraint) < 1e-12 * size);
    // with slip they do, and `power` tells it
    const Pair<double> q = model.pair(random, false);
    const auto with_slip = model.answer(q);
    work = 0;
    for (std::size_t i = 0; i < 2; ++i)
      work += ((with_slip.loads[i] - with_slip.free_loads[i]) * q.chains[i].velocity)
                  .topRows(q.chains[i].nodes)
                  .sum();
    CHECK(std::abs(model.power(q).constraint - work) < 1e-11 * std::abs(work));
  });
}

TEST_CASE(
    "the gap is stationary along the motion for spatial smearing with the centreline tangency, and for "
    "nothing else") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, true);
    const auto answer = model.answer(p);
    const double rate =
        difference([&](double h) { return model.error(moved(model, p, answer, h)).gap; }, 1e-5);
    if (model.keeps_gap)
      CHECK(std::abs(rate) < 1e-10);
    else
      CHECK(std::abs(rate) > 1e-6);
  });
}

TEST_CASE("the position projection closes the gap, keeps the centre of mass and tells the velocities") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    Pair<double> p = model.pair(random, false);
    const V3<double> off =
        0.02 * model.target_gap * random.vector<double>() + 0.05 * model.target_gap * p.contact.normal;
    test::transform<double>(p.chains[1], Mat<double, 3>::Identity(), off);
    model.solve_algebraic(p);
    CHECK(std::abs(model.error(p).gap) > 1e-2 * model.target_gap);
    Pair<double> q = p;
    const double h = 1e-3;
    const auto projection = model.project_position(q, h);
    CHECK(projection.converged);
    CHECK(std::abs(model.error(q).gap) < 1e-14);
    CHECK(model.error(q).tangency < 1e-13);
    V3<double> weighted = V3<double>::Zero();
    double square = 0, velocity = 0, turned = 0;
    for (std::size_t i = 0; i < 2; ++i)
      for (Eigen::Index k = 0; k < p.chains[i].nodes; ++k) {
        const V3<double> step = q.chains[i].position(k) - p.chains[i].position(k);
        weighted += model.rods[i].node_mass() * step;
        square += model.rods[i].node_mass() * step.squaredNorm();
        velocity = std::max(
            velocity, (q.chains[i].linear_velocity(k) - p.chains[i].linear_velocity(k) - step / h).norm());
        turned = std::max(turned, (q.chains[i].angular_velocity(k) - p.chains[i].angular_velocity(k)).norm());
      }
    CHECK(square > 0);
    CHECK(weighted.norm() < 1e-14);
    CHECK(velocity < 1e-11);
    CHECK(turned == 0);
    CHECK(projection.moved >= 0.99 * std::sqrt(square));
    CHECK(projection.moved < 1.5 * std::sqrt(square));
  });
}

TEST_CASE("contact does not care where and how the pair lies in space") {
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> p = model.pair(random, true);
    Pair<double> q = p;
    const Mat<double, 3> turn = test::rotation_matrix<double>(2.0 * random.vector<double>());
    for (auto& c : q.chains) test::transform<double>(c, turn, V3<double>(20, -30, 10));
    q.contact.normal = turn * p.contact.normal;
    model.solve_algebraic(q);
    const auto before = model.answer(p);
    const auto after = model.answer(q);
    const double force = before.force.force.norm();
    CHECK((after.force.force - turn * before.force.force).norm() < 1e-9 * force);
    CHECK((after.force.components - before.force.components).norm() < 1e-9 * force);
    CHECK((after.force.rate - before.force.rate).norm() < 1e-9);
    test::transform<double>(q.chains[1], Mat<double, 3>::Identity(), 1e-4 * q.contact.normal);
    CHECK(model.project_position(q, 0.0)
              .converged);  // also far from the origin, where positions have fewer digits
    CHECK(std::abs(model.error(q).gap) < 1e-12);
  });
}

TEST_CASE(
    "the motion keeps energy, momenta and constraints to the order of the integrator; most tangencies let "
    "the gap drift") {
  struct Drift {
    double energy, momentum, angular_momentum, slip, tangency, gap;
  };
  for_each<double>(cases(), [](const test::ContactCase<double>& model, Random& random) {
    const Pair<double> start = model.pair(random, true);
    const auto momentum = [&](const Pair<double>& p) {
      return Vec<double, 6>(rod::momentum(model.rods[0], p.chains[0]) +
                            rod::momentum(model.rods[1], p.chains[1]));
    };
    const auto run = [&](double h, int steps) {
      Pair<double> p = start;
      model.run(p, h, steps);
      const Vec<double, 6> change = momentum(p) - momentum(start);
      const auto error = model.error(p);
      return Drift{std::abs(model.energy(p) - model.energy(start)) / model.energy(start),
                   change.head<3>().norm(),
                   change.tail<3>().norm(),
                   error.slip,
                   error.tangency,
                   error.gap};
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
    CHECK(fine.tangency < 1e-14);
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
  const test::PairOptions options{.radius1 = 0.05, .radius2 = 0.03};
  auto integrating = options;
  integrating.integrate_positions = true;
  const auto solved = contact_cases(options);
  const auto integrated = contact_cases(integrating);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    INFO(solved[i]->name);
    Random random(test::seed());
    Pair<double> p = solved[i]->pair(random, true);
    Pair<double> q = p;
    const Vec<double, 2> before = p.contact.s;
    solved[i]->run(p, 0.5e-4, 200);
    integrated[i]->run(q, 0.5e-4, 200);
    CHECK((p.contact.s - before).norm() > 1e-4);
    CHECK((p.contact.s - q.contact.s).norm() < 1e-8);
    CHECK(integrated[i]->error(q).tangency > solved[i]->error(p).tangency);
    CHECK(integrated[i]->error(q).tangency < 1e-9);
  }
}

}  // namespace contact_laws_test
