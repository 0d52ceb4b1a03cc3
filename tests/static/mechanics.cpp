// What the concepts of mechanics accept and refuse.

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

namespace {

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
};
struct OnRail : Particle {
  template <class T>
  T position_constraint(const Rn<T, 2>& q) const {
    return q.coordinates()[1];
  }
};
struct OnTwoRails : OnRail {
  template <class T>
  Vec<T, 2> velocity_constraint(const Rn<T, 2>&, const Vec<T, 2>& v, const T& t) const {
    return Vec<T, 2>(v[0] - t, v[1]);
  }
};
struct WithInternal {
  using Group = Rn<double, 1>;
  static constexpr int internal = 3;
  template <class T>
  T lagrangian(const Rn<T, 1>&, const Vec<T, 1>& v, const Vec<T, 3>& z, const T& t) const {
    return v[0] * v[0] / 2 - z[0] * t;
  }
};
struct NotDifferentiable {
  using Group = Rn<double, 2>;
  double lagrangian(const Vec<double, 2>& v) const { return v.squaredNorm() / 2; }
};
struct WithoutLagrangian {
  using Group = Rn<double, 2>;
};
struct WithoutGroup {
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return v[0];
  }
};
struct WrongForce : Particle {
  double force(int, int, int, int, int) const { return 0; }
};

static_assert(MechanicalSystem<Particle> && !NonholonomicSystem<Particle>);
static_assert(NonholonomicSystem<OnRail> && position_rows<OnRail> == 1 && velocity_rows<OnRail> == 0);
static_assert(kinematic_rows<OnTwoRails> == 3 && variational_rows<OnTwoRails> == 3);
static_assert(MechanicalSystem<WithInternal> && internal_size<WithInternal> == 3);
static_assert(internal_size<Particle> == 0);
static_assert(!MechanicalSystem<NotDifferentiable>);
static_assert(!MechanicalSystem<WithoutLagrangian>);
static_assert(!MechanicalSystem<WithoutGroup>);
static_assert(!MechanicalSystem<int>);
static_assert(!MechanicalSystem<WrongForce>);

template <class System>
using Model = LagrangeDAlembert<System>;
static_assert(Problem<Model<Particle>> && ResidualProblem<Model<OnTwoRails>> &&
              !SplitProblem<Model<Particle>>);
static_assert(ResidualProblem<Model<systems::ChaplyginSleigh<long double>>>);
static_assert(Model<OnTwoRails>::Residual::RowsAtCompileTime == 5);

}  // namespace
