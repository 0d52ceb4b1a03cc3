// Discrete strands against trajectories of quadruple precision.

#include <dalembert/contact/strands.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace strands_reference_test {

using namespace dalembert;
using test::Json;
using Numbers = Eigen::VectorXd;
using Chains = std::vector<rod::Chain<double>>;

constexpr std::size_t per_node = 18;  // r, Λ row by row, γ, ω

contact::StrandParameters<double> parameters(const Json& set) {
  const Json& p = set.at("params");
  return {.nodes = p.at("N"),
          .spacing = p.at("h"),
          .mass = p.at("m_per_length"),
          .rotary1 = p.at("j1_per_length"),
          .rotary3 = p.at("j3_per_length"),
          .shear_stiffness = p.at("GA"),
          .axial_stiffness = p.at("EA"),
          .bending_stiffness = p.at("EI"),
          .torsional_stiffness = p.at("GJ"),
          .kernel_width = p.at("sigma"),
          .gap = set.at("diagnostics").contains("smeared_gap_|R2-R1|")
                     ? set.at("diagnostics").at("smeared_gap_|R2-R1|")[0].get<double>()
                     : 1.0};
}

Chains chains(const Json& y, int nodes) {
  Chains both(2, rod::Chain<double>(nodes));
  for (std::size_t strand = 0; strand < 2; ++strand)
    for (int k = 0; k < nodes; ++k) {
      const std::size_t at =
          per_node * (strand * static_cast<std::size_t>(nodes) + static_cast<std::size_t>(k));
      Mat<double, 3> frame;
      for (std::size_t i = 0; i < 3; ++i)
        frame.row(static_cast<Eigen::Index>(i)) = test::vector3(y, at + 3 + 3 * i).transpose();
      both[strand].set_frame(k, SO3<double>::from_matrix(frame), test::vector3(y, at));
      both[strand].set_velocity(k, frame * test::vector3(y, at + 12), test::vector3(y, at + 15));
    }
  return both;
}

Mat<double, 3> matrix(const SO3<double>& rotation) {
  Mat<double, 3> m;
  for (int j = 0; j < 3; ++j) m.col(j) = rotation.act(Vec<double, 3>::Unit(j));
  return m;
}

void put(Numbers& y, Eigen::Index at, const Vec<double, 3>& r, const Mat<double, 3>& frame,
         const Vec<double, 3>& a, const Vec<double, 3>& b) {
  y.segment<3>(at) = r;
  for (int i = 0; i < 3; ++i) y.segment<3>(at + 3 + 3 * i) = frame.row(i).transpose();
  y.segment<3>(at + 12) = a;
  y.segment<3>(at + 15) = b;
}

/// The numbers of the reference for a state of ours, without s.
Numbers numbers(const Chains& both) {
  Numbers y(2 * both[0].nodes * static_cast<Eigen::Index>(per_node));
  Eigen::Index at = 0;
  for (const auto& chain : both)
    for (Eigen::Index k = 0; k < chain.nodes; ++k, at += per_node)
      put(y, at, chain.position(k), matrix(chain.rotation(k)), chain.twist(k).head<3>(),
          chain.angular_velocity(k));
  return y;
}

/// Their time derivatives: γ̇ = Λᵀr̈ − ω × γ.
template <class Rates>
Numbers derivatives(const Chains& both, const Rates& rates) {
  Numbers y(2 * both[0].nodes * static_cast<Eigen::Index>(per_node));
  Eigen::Index at = 0;
  for (std::size_t strand = 0; strand < 2; ++strand)
    for (Eigen::Index k = 0; k < both[strand].nodes; ++k, at += per_node) {
      const auto& chain = both[strand];
      const Mat<double, 3> frame = matrix(chain.rotation(k));
      const Vec<double, 3> omega = chain.angular_velocity(k);
      Mat<double, 3> turning;
      for (int i = 0; i < 3; ++i) turning.row(i) = frame.row(i).transpose().cross(omega).transpose();
      put(y, at, chain.linear_velocity(k), turning,
          frame.transpose() * rod::at3<0>(rates.xidot[strand], k) - omega.cross(chain.twist(k).head<3>()),
          rod::at3<3>(rates.xidot[strand], k));
    }
  return y;
}

Numbers vector(const Json& y, Eigen::Index size) {
  Numbers x(size);
  for (Eigen::Index i = 0; i < size; ++i) x[i] = y[static_cast<std::size_t>(i)];
  return x;
}

template <class Problem>
void check_momenta(const Problem& problem, const typename Problem::State& x, const Json& diagnostics,
                   std::size_t i) {
  Vec<double, 6> total = Vec<double, 6>::Zero();
  for (std::size_t k = 0; k < 2; ++k) total += rod::momentum(problem.template bodies<0>()[k], x[k]);
  for (int j = 0; j < 3; ++j) {
    CHECK(std::abs(total[j] -
                   diagnostics.at("linear_momentum_" + std::to_string(j + 1))[i].template get<double>()) <
          1e-12);
    CHECK(std::abs(total[3 + j] -
                   diagnostics.at("angular_momentum_" + std::to_string(j + 1))[i].template get<double>()) <
          1e-12);
  }
  CHECK(std::abs(problem.energy(x) - diagnostics.at("energy")[i].template get<double>()) < 1e-10);
}

template <class Tangency>
void check_contact(const Json& set) {
  using Strands = contact::DiscreteStrands<double, Tangency>;
  const auto p = parameters(set);
  const auto problem = Strands::problem(p);
  const Json& y0 = set.at("y0");
  const Json& diagnostics = set.at("diagnostics");
  const auto positions = [&](const Json& y) {
    return Vec<double, 2>(y[y.size() - 2].template get<double>(), y[y.size() - 1].template get<double>());
  };
  auto x = Strands::state(problem, chains(y0, p.nodes), positions(y0));
  CHECK((x.z - positions(y0)).cwiseAbs().maxCoeff() < 1e-13);

  auto rates = problem.make_rates();
  problem.rates(x, rates);
  const Numbers rhs = derivatives(x.chains, rates);
  const double rhs_error = (rhs - vector(set.at("rhs_at_t0"), rhs.size())).cwiseAbs().maxCoeff();
  CHECK(rhs_error < 1e-10);
  CHECK((rates.zdot - positions(set.at("rhs_at_t0"))).cwiseAbs().maxCoeff() < 1e-10);

  std::size_t i = 0;
  drive(
      DormandPrince54{}, problem, x, {.step = 0.0002, .until = 2.0, .output_interval = 0.25},
      [&](const auto&, const auto& now) {
        if (i >= set.at("times").size() ||
            std::abs(now.time - set.at("times")[i].template get<double>()) > 1e-12)
          return;
        CAPTURE(now.time);
        const Numbers y = numbers(now.chains);
        const double error = (y - vector(set.at("states")[i], y.size())).cwiseAbs().maxCoeff();
        CHECK(error < 1e-10);
        CHECK((now.z - positions(set.at("states")[i])).cwiseAbs().maxCoeff() < 1e-10);
        check_momenta(problem, now, diagnostics, i);
        CHECK(problem.row_velocities(now).norm() < 1e-10);
        CHECK(Strands::tangency(problem, now).norm() < 1e-10);
        CHECK(std::abs(Strands::gap(problem, now) -
                       diagnostics.at("smeared_gap_|R2-R1|")[i].template get<double>()) < 1e-10);
        problem.rates(now, rates);
        for (int j = 0; j < 3; ++j)
          CHECK(std::abs(rates.lambda[j] -
                         diagnostics.at("mu_" + std::to_string(j + 1))[i].template get<double>()) < 1e-9);
        for (int j = 0; j < 2; ++j)
          CHECK(std::abs(rates.zdot[j] -
                         diagnostics.at("sdot_" + std::to_string(j + 1))[i].template get<double>()) < 1e-10);
        ++i;
      });
  CHECK(i == set.at("times").size());
}

TEST_CASE("discrete strands in contact follow the reference") {
  const Json reference = test::data("discrete_strands_contact.json");
  for (const Json& set : reference.at("sets")) {
    INFO(set.at("label").get<std::string>());
    if (set.at("params").at("tangency_kind") == 0)
      check_contact<contact::MaterialTangency>(set);
    else
      check_contact<contact::CentrelineTangency>(set);
  }
}

TEST_CASE("discrete strands without contact follow the reference") {
  const Json reference = test::data("discrete_strands_free.json");
  for (const Json& set : reference.at("sets")) {
    INFO(set.at("label").get<std::string>());
    const auto p = parameters(set);
    const auto strand = contact::DiscreteStrands<double>::strand(p);
    const assembly::Assembly problem{assembly::bodies(std::vector{strand, strand})};
    auto x = problem.state(chains(set.at("y0"), p.nodes));
    auto rates = problem.make_rates();
    problem.rates(x, rates);
    const Numbers rhs = derivatives(x.chains, rates);
    CHECK((rhs - vector(set.at("rhs_at_t0"), rhs.size())).cwiseAbs().maxCoeff() < 1e-10);
    std::size_t i = 0;
    drive(DormandPrince54{}, problem, x, {.step = 0.0002, .until = 2.0, .output_interval = 0.25},
          [&](const auto&, const auto& now) {
            if (std::abs(now.time - set.at("times")[i].get<double>()) > 1e-12) return;
            CAPTURE(now.time);
            const Numbers y = numbers(now.chains);
            CHECK((y - vector(set.at("states")[i], y.size())).cwiseAbs().maxCoeff() < 1e-10);
            check_momenta(problem, now, set.at("diagnostics"), i);
            ++i;
          });
    CHECK(i == set.at("times").size());
  }
}

}  // namespace strands_reference_test
