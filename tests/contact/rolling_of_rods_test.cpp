// The variants of the rolling contact as constraints of an assembly.

#include <dalembert/contact/rolling_of_rods.hpp>

#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace rolling_of_rods_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Chains = std::vector<rod::Chain<double>>;
using State = assembly::State<double>;
using Catch::Matchers::ContainsSubstring;

constexpr double radius1 = 0.05, radius2 = 0.03;

/// Two rods of different lengths and masses, deformed and moving, that cross near their middles.
struct Rods {
  std::vector<Rod> rods;
  Chains chains;

  explicit Rods(unsigned seed, double apart = radius1 + radius2) {
    Rod::Parameters damped;
    damped.damping.rate = 0.3;
    damped.end_mass_fraction = 1;
    rods = {test::soft_rod<Rod>(radius1, 22, damped), test::soft_rod<Rod>(radius2, 25, damped)};
    test::Random random(seed);
    Mat<double, 3> across;
    across << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    chains = {test::random_chain(rods[0], across, random),
              test::random_chain(
                  rods[1], Mat<double, 3>(test::rotation_matrix<double>(Vec3(0, 0, 1.2)) * across), random)};
    const auto tangent = [&](std::size_t i) {
      const Eigen::Index k = rods[i].nodes() / 2;
      return Vec3(chains[i].position(k + 1) - chains[i].position(k - 1));
    };
    test::transform<double>(chains[1], Mat<double, 3>::Identity(),
                            Vec3(apart * tangent(0).cross(tangent(1)).normalized()));
  }
  [[nodiscard]] Vec<double, 2> middle() const { return {0.5, 0.5}; }
};

/// A variant as a constraint: a crossing where it is one.
template <class K, class Averaging, class Rule>
struct ConstraintOf {
  using type = contact::RollingOfRods<double, K, Averaging, Rule>;
};
template <class K>
struct ConstraintOf<K, contact::SpatialAveraging, contact::CentrelineTangency> {
  using type = contact::RollingContact<double, K>;
};

/// A known answer: s where the tangency holds, the multiplier and ṡ there; and both at other positions, given as integrated ones.
struct Known {
  Vec<double, 2> s;
  Vec3 multiplier;
  Vec<double, 2> rate;
  Vec3 multiplier_beside;
  Vec<double, 2> rate_beside;
};

/// The pair of seed 1 has this answer: another implementation, with sums over the nodes of its own, gave the same.
template <class K, class Averaging, class Rule>
void check_known(const char* name, const Known& known) {
  using Constraint = typename ConstraintOf<K, Averaging, Rule>::type;
  const Rods made(1);
  const auto& rods = made.rods;
  for (const bool integrated : {false, true}) {
    CAPTURE(name, integrated);
    const assembly::Assembly problem{
        assembly::bodies(rods),
        assembly::constraints(std::vector{
            Constraint{{0, rods[0], 0.1}, {1, rods[1], 0.1}, radius1, radius2, true, integrated}})};
    auto x = problem.state(made.chains, made.middle());
    if (integrated) {
      CHECK(x.z == made.middle());
      problem.solve_tangencies(x);
    }
    CHECK((x.z - known.s).norm() < 1e-12);
    if (integrated) {  // anywhere
      x.z += Vec<double, 2>(0.013, -0.021);
      const State before = x;
      problem.solve_algebraic(x);
      CHECK(x.z == before.z);
    }
    auto rates = problem.make_rates();
    problem.rates(x, rates);
    const Vec3 multiplier = integrated ? known.multiplier_beside : known.multiplier;
    CHECK((rates.lambda - multiplier).norm() < 1e-10 * multiplier.norm());
    CHECK((rates.zdot - (integrated ? known.rate_beside : known.rate)).norm() < 1e-10);

    // what is left of the equations for other multipliers, accelerations and ṡ
    Vec<double, Eigen::Dynamic> left, changed;
    problem.residual(x, rates, left);
    CHECK(left.lpNorm<Eigen::Infinity>() < 1e-11 * rates.xidot[0].abs().maxCoeff());
    rates.lambda += Vec3(0.1, -0.2, 0.3);
    problem.residual(x, rates, changed);
    CHECK((changed - left).norm() > 1e-2);
    rates.zdot += Vec<double, 2>(0.3, 0.1);
    problem.residual(x, rates, changed);
    CHECK((changed.segment<2>(changed.size() - 5) - Vec<double, 2>(0.3, 0.1)).norm() < 1e-12);
  }
}
template <class K, class Averaging>
void check_tangencies(const char* name, const std::vector<Known>& known) {
  check_known<K, Averaging, contact::MaterialTangency>(name, known[0]);
  check_known<K, Averaging, contact::ElementTangency>(name, known[1]);
  check_known<K, Averaging, contact::CentredTangency>(name, known[2]);
  check_known<K, Averaging, contact::CentrelineTangency>(name, known[3]);
}

TEST_CASE("every variant of the rolling contact has its known positions, forces and rates",
          "[contact][assembly]") {
  check_tangencies<contact::CubicSpline, contact::SpatialAveraging>(
      "cubic, spatial", {{{0.49235063862125, 0.51802302827792},
                          {229.2247601013, 8.7424994215021, -28.91419008148},
                          {0.027422412557664, 0.497714198904},
                          {162.5652383272, 119.71061457117, 20.07502762809},
                          {0.0011253790350549, 0.4378518433662}},
                         {{0.49825986152418, 0.51777618128333},
                          {233.18672597074, 32.90285884845, -13.959878385426},
                          {0.15008933832286, 0.54027532918749},
                          {162.75942157285, 136.41887734139, 33.641676668852},
                          {0.11153270321003, 0.45111883119782}},
                         {{0.49868491359569, 0.5191775070475},
                          {237.79450231088, 30.051644889549, -13.354341737091},
                          {0.15249371191301, 0.53896362622286},
                          {167.73153451098, 134.58944221326, 33.300303886587},
                          {0.11348959183005, 0.4492029026333}},
                         {{0.49873660122273, 0.51922799474657},
                          {237.98074119327, 30.092731910449, -13.237644766724},
                          {0.15348577640297, 0.53905449306155},
                          {167.9125955847, 134.61458060955, 33.370484538922},
                          {0.11421569712266, 0.44898350808917}}});
  check_tangencies<contact::CubicSpline, contact::BodyAveraging>(
      "cubic, body", {{{0.4923418467361, 0.51793263153193},
                       {-109.46488072866, 84.192840521647, 184.09927413036},
                       {0.029202132660727, 0.49840620690378},
                       {-113.08621536552, 141.72811442501, 106.43067079982},
                       {0.0032694293892685, 0.43923043628864}},
                      {{0.49800281012452, 0.51699281817211},
                       {-115.75051064124, 103.69614778748, 176.77746233827},
                       {0.14960620080375, 0.52523246248951},
                       {-116.01043704183, 156.38694642018, 100.94896440917},
                       {0.11278861213792, 0.44060113014359}},
                      {{0.49844294778187, 0.51842727792496},
                       {-116.9273151537, 103.95529109264, 180.94720693775},
                       {0.15275058254015, 0.52720412642864},
                       {-116.93484554126, 156.70196899511, 104.96075390312},
                       {0.11556973297622, 0.442190100822}},
                      {{0.49873660122273, 0.51922799474657},
                       {-117.64764586462, 104.26050742162, 183.19862475491},
                       {0.15348577640297, 0.53905449306155},
                       {-117.49299533748, 156.9761726363, 107.18085063343},
                       {0.11421569712266, 0.44898350808917}}});
  check_tangencies<contact::Gaussian, contact::SpatialAveraging>(
      "Gaussian, spatial", {{{0.49099545422322, 0.5175641694038},
                             {343.06303515965, -3.7108993442588, -31.343234015791},
                             {0.021272685904793, 0.48593239011914},
                             {235.49334602894, 156.97933762691, 35.666054016719},
                             {-0.0044983339228507, 0.43009577420678}},
                            {{0.496862592731, 0.51741807718413},
                             {348.06336930212, 30.218872078039, -9.1410550135324},
                             {0.14351954707381, 0.52813540518766},
                             {235.36480353424, 181.46867618212, 54.733582169804},
                             {0.10747483484133, 0.44476477151436}},
                            {{0.49730259290642, 0.51877757453837},
                             {355.00432042803, 26.460812031192, -7.9248700598596},
                             {0.14569826922555, 0.52678753780629},
                             {242.77313098422, 178.91399144888, 54.730609682873},
                             {0.10919974505535, 0.4429383386009}},
                            {{0.49735554579651, 0.51882848525779},
                             {355.28648375565, 26.527767394913, -7.7372655291187},
                             {0.14662898640605, 0.5269385238888},
                             {243.04848172203, 178.95655443192, 54.848760719753},
                             {0.10985736528063, 0.44266591636603}}});
  check_tangencies<contact::Gaussian, contact::BodyAveraging>(
      "Gaussian, body", {{{0.49105995865004, 0.51749154942626},
                          {-217.23680407716, 147.65145522354, 233.14037051897},
                          {0.027439731312136, 0.4876916824937},
                          {-202.84878111341, 205.24296766636, 129.42303489763},
                          {0.0025564986889575, 0.43305128255998}},
                         {{0.49645034185689, 0.51593799752677},
                          {-220.54455488834, 169.16160709565, 220.52733102059},
                          {0.1508943396654, 0.50268885777218},
                          {-203.12351023452, 222.15894683744, 119.7289194577},
                          {0.11848927573175, 0.42825117449217}},
                         {{0.49692452222924, 0.51738131589919},
                          {-222.65492186497, 170.4104779648, 226.18061721052},
                          {0.15390139954747, 0.50766050827646},
                          {-204.94675467447, 223.1216045178, 125.0843979774},
                          {0.12120090144457, 0.4331399029683}},
                         {{0.49735554579651, 0.51882848525779},
                          {-224.75089971799, 171.51883464652, 231.81347537429},
                          {0.14662898640605, 0.5269385238888},
                          {-206.79580678327, 223.9470526315, 130.49791612258},
                          {0.10985736528063, 0.44266591636603}}});
}

using Body =
    contact::RollingOfRods<double, contact::CubicSpline, contact::BodyAveraging, contact::CentredTangency>;

TEST_CASE("rolling rods that would have to pull on each other are refused", "[contact][assembly]") {
  int pulled = 0, pushed = 0;
  for (unsigned seed = 1; seed < 9; ++seed) {
    const Rods made(seed);
    const auto& rods = made.rods;
    const auto with = [&](bool bilateral) {
      return assembly::Assembly{assembly::bodies(rods),
                                assembly::constraints(std::vector{Body{
                                    {0, rods[0], 0.1}, {1, rods[1], 0.1}, radius1, radius2, bilateral}})};
    };
    const auto may = with(true), may_not = with(false);
    const auto x = may.state(made.chains, made.middle());
    auto r = may.make_rates();
    auto free = may.make_loads();
    may.loads(x, free);
    may.rates(x, r);
    // the force on rod 1, from all loads
    Vec3 force = Vec3::Zero();
    for (Eigen::Index k = 0; k < rods[0].nodes(); ++k)
      force += rod::at3<0>(r.loads[0], k) - rod::at3<0>(free.forces[0], k);
    const Body& contact = may.constraints<0>()[0];
    const Vec3 kappa =
        contact.second.average.at(x[1], x.z[1], 0, 2).R - contact.first.average.at(x[0], x.z[0], 0, 1).R;
    if (force.dot(kappa) > 0) {
      ++pulled;
      CHECK_THROWS_AS(may_not.rates(x, r), ContactOpened);
    } else {
      ++pushed;
      CHECK_NOTHROW(may_not.rates(x, r));
    }
  }
  CHECK(pulled > 0);
  CHECK(pushed > 0);
}

TEST_CASE("a rolling contact and a crossing whose nodes are neighbours are solved together",
          "[contact][assembly]") {
  const Rod rod = test::soft_rod<Rod>(0.005, 20);
  const auto along_x = SO3<double>::exp(Vec3(0, M_PI / 2, 0)),
             along_y = SO3<double>::exp(Vec3(-M_PI / 2, 0, 0));
  const auto clusters = [&](double apart) {
    const Chains chains{rod.straight({-0.5, 0, 0}, along_x), rod.straight({-0.02, -0.5, 0.01}, along_y),
                        rod.straight({-0.02 + apart, -0.5, -0.01}, along_y)};
    const assembly::Assembly problem{
        assembly::bodies(std::vector{rod, rod, rod}),
        assembly::constraints(std::vector{Body{{0, rod, 0.05}, {1, rod, 0.05}, 0.005, 0.005, true}},
                              std::vector{contact::RollingContact<double>{
                                  {0, rod, 0.05}, {2, rod, 0.05}, 0.005, 0.005, true}})};
    Vec<double, Eigen::Dynamic> s(4);
    s << 0.48, 0.5, 0.48 + apart, 0.5;
    const auto x = problem.state(chains, s);
    auto r = problem.make_rates();
    problem.rates(x, r);
    return r.report.clusters;
  };
  CHECK(clusters(0.15) == 1);  // windows overlap by one node
  CHECK(clusters(0.20) == 1);  // they do not, but the tangents of one take a node of the other
  CHECK(clusters(0.25) == 2);
}

TEST_CASE("rolling rods in wrong places are refused", "[contact][assembly]") {
  const Rods made(test::seed());
  const auto& rods = made.rods;
  const auto make = [&](std::size_t second, double radius) {
    return assembly::Assembly{
        assembly::bodies(rods),
        assembly::constraints(std::vector{Body{{0, rods[0], 0.1}, {second, rods[1], 0.1}, radius1, radius}})};
  };
  CHECK_NOTHROW(make(1, radius2));
  CHECK_THROWS_WITH(make(2, radius2), ContainsSubstring("RollingOfRods 0: body of a marker = 2"));
  CHECK_THROWS_WITH(make(1, 0), ContainsSubstring("RollingOfRods: radius2 = 0"));
  CHECK_THROWS_WITH(make(1, 0.6), ContainsSubstring("RollingOfRods: radius2 = 0.6"));
  const Body one{{0, rods[0], 0.1}, {0, rods[0], 0.1}, radius1, radius1};
  CHECK_THROWS_WITH(one.check_parameters(), ContainsSubstring("body of the second marker = 0"));
  const auto problem = make(1, radius2);
  CHECK_THROWS_AS(problem.state(made.chains, Vec<double, 2>(-0.1, 0.5)), ContactAtEnd);
}

}  // namespace rolling_of_rods_test
