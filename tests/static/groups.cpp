// What is a group and what is not.

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/retraction.hpp>

using namespace dalembert;

static_assert(LieGroup<SO2<float>> && LieGroup<SE2<long double>> && LieGroup<SO3<double>> &&
              LieGroup<SE3<double>>);
static_assert(LieGroup<SE3<Dual<double, 12>>> && LieGroup<SE3<Dual<Dual<double, 2>, 2>>>);
static_assert(LieGroup<SE3<NativePack<double>>> && LieGroup<SE3<NativePack<float>>>);
static_assert(LieGroup<Product<SE3d, Product<Rn<double, 3>, SO2d>>> &&
              LieGroup<Power<Product<SE2d, SO2d>, 4>>);
static_assert(Product<SE3d, Power<SO3d, 2>>::dof == 12);
template <class S>
inline constexpr bool are_groups = LieGroup<SO2<S>>&& LieGroup<SE2<S>>&& LieGroup<SO3<S>>&& LieGroup<SE3<S>>&&
    LieGroup<Rn<S, 2>>&& LieGroup<Rn<S, 0>>;
static_assert(are_groups<float> && are_groups<double> && are_groups<long double> &&
              are_groups<Pack<double, 4>>);
static_assert(LieGroup<Power<Rn<double, 2>, 3>> && LieGroup<Product<Rn<double, 2>, Rn<double, 1>>>);
static_assert(LieGroup<CayleyOf<SE3d>::G>);
static_assert(RetractionOf<Exponential, SE3d> && RetractionOf<Cayley, SE3d> &&
              RetractionOf<Cayley, Product<SE2d, Power<Rn<double, 1>, 2>>>);

// Scalars, vectors and matrices are no groups.
static_assert(!LieGroup<double> && !LieGroup<Vec<double, 3>> && !LieGroup<Mat<double, 3>>);

// A group without a bracket, and one whose twists have a wrong size.
struct NoBracket : SO2d {
  static void ad(const Tangent&) = delete;
};
struct WrongTwist : SO2d {
  static constexpr int dof = 2;
};
static_assert(!LieGroup<NoBracket> && !LieGroup<WrongTwist>);

// Two groups over different scalars have no product.
template <class G, class H>
concept HasProduct = requires {
  typename Product<G, H>;
};
static_assert(HasProduct<SE2d, SO2d> && !HasProduct<SE2d, SO2<float>> && !HasProduct<SE2d, double>);
template <class G, int N>
concept HasPower = requires {
  typename Power<G, N>;
};
static_assert(HasPower<SE2d, 1> && !HasPower<SE2d, 0>);

// The scalars of a group are floating-point numbers, packs of them, or duals.
template <class S>
concept HasRotations = requires {
  typename SO3<S>;
};
static_assert(HasRotations<float> && HasRotations<Dual<float, 3>> && !HasRotations<int> &&
              !HasRotations<const double>);

// The same group over another scalar.
static_assert(std::same_as<SE3d::rebind<float>, SE3f>);
static_assert(std::same_as<Product<SE2d, Rn<double, 2>>::rebind<Dual<double, 5>>,
                           Product<SE2<Dual<double, 5>>, Rn<Dual<double, 5>, 2>>>);

// Retractions.
static_assert(RetractionOf<Exponential, Power<SE3d, 3>> && RetractionOf<Cayley, Power<SE3d, 3>>);
static_assert(!RetractionOf<double, SE3d> && !RetractionOf<Exponential, double>);
