// Which types are bodies, and which are not.

#include <dalembert/assembly/body.hpp>

#include "support/catch.hpp"
#include "support/loose_nodes.hpp"

namespace body_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Numbers = Columns<double, 6>;

static_assert(Body<test::LooseNodes> && ChainBody<test::LooseNodes> && !LineBody<test::LooseNodes>);
static_assert(Body<test::LooseMasses> && LineBody<test::LooseMasses> && !ChainBody<test::LooseMasses>);
static_assert(!Body<int> && !Body<Chain<double>>);

// what every body must say
struct WithoutForces : test::LooseNodes {
  bool forces() const { return true; }
};
struct WithSilentForces : test::LooseNodes {
  void forces(const Chain<double>&, Numbers&) const {}
};
struct WithoutNodes : test::LooseNodes {
  void nodes() const {}
};
static_assert(!Body<WithoutForces> && !Body<WithSilentForces> && !Body<WithoutNodes>);
struct WithoutInverseMass : test::LooseMasses {};
void inverse_mass(const WithoutInverseMass&, Eigen::Index) {}
static_assert(!LineBody<WithoutInverseMass> && !Body<WithoutInverseMass>);
struct OfOtherInertia : test::LooseNodes {};
double node_inertia(const OfOtherInertia&, Eigen::Index) { return 1; }
static_assert(!Body<OfOtherInertia>);

// what bodies may say
struct Sprung : test::LooseNodes {};
template <class Add>
void add_stiffness(const Sprung&, const Chain<double>&, const Add&) {}
static_assert(StaticBody<Sprung> && !StaticBody<test::LooseNodes>);

struct Bounded : test::LooseNodes {};
double frequency_bound(const Bounded&, const Chain<double>&) { return 1; }
struct BoundedString : test::LooseMasses {};
double frequency_bound(const BoundedString&, const Line<double>&) { return 1; }
static_assert(FrequencyBoundedBody<Bounded> && FrequencyBoundedBody<BoundedString>);
static_assert(!FrequencyBoundedBody<test::LooseNodes> && !FrequencyBoundedBody<test::LooseMasses>);

// a body that steps in one pass says so itself: one that is derived from it may have other forces
struct Swept : test::LooseNodes {
  using OnePass = Swept;
  bool step(const Chain<double>&, Numbers&, double, double, Chain<double>&) const { return true; }
};
struct Derived : Swept {};
struct SaysAgain : Swept {
  using OnePass = SaysAgain;
};
struct WithoutStep : test::LooseNodes {
  using OnePass = WithoutStep;
};
static_assert(OnePassBody<Swept> && OnePassBody<SaysAgain> && !OnePassBody<Derived>);
static_assert(SweptChain<Swept> && SweptChain<SaysAgain> && !SweptChain<Derived> && !SweptChain<WithoutStep>);
static_assert(!SweptBody<Swept>);

TEST_CASE("a node is held unless its inertia says otherwise", "[assembly]") {
  const NodeInertia<double> none;
  for (int i = 0; i < 6; ++i) CHECK(none.inverse[i] == 0);
  for (int i = 0; i < 3; ++i) CHECK(none.rotary[i] == 0);
}

}  // namespace body_test
