#include <dalembert/assembly/row_labels.hpp>

#include <string_view>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"

namespace row_labels_test {

using namespace dalembert;
using namespace dalembert::assembly;

/// A constraint that says no names.
struct Plain {
  using Scalar = double;
  static constexpr std::string_view name = "Plain";
  FrameMarker<double> place;
  auto markers() const { return std::tuple{place}; }
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
};

TEST_CASE("rows are called by name, unit, constraint and bodies, in the order of their multipliers",
          "[assembly]") {
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  using Marker = FrameMarker<double>;
  const Assembly problem{assembly::bodies(std::vector{body, body}),
                         assembly::constraints(std::vector{Hinge<double>{{0}, {1}},
                                                           Hinge<double>{{1}, Marker::in_space({0, 0, 0})}},
                                               std::vector{Plain{{1}}})};
  const auto labels = row_labels(problem);
  REQUIRE(static_cast<int>(labels.size()) == problem.row_count());
  CHECK(labels[0] == "row x [m] of Hinge 0 (body 0, body 1)");
  CHECK(labels[4] == "row axis 2 [rad] of Hinge 0 (body 0, body 1)");
  CHECK(labels[static_cast<std::size_t>(problem.first_row<0>(1)) + 3] ==
        "row axis 1 [rad] of Hinge 1 (body 1, space)");
  CHECK(labels[static_cast<std::size_t>(problem.first_row<1>(0)) + 1] == "row 1 [m] of Plain 0 (body 1)");
  const Assembly<Kinds<RigidBody<double>>> free{assembly::bodies(std::vector{body})};
  CHECK(row_labels(free).empty());
}

TEST_CASE("every row of a joint has a unit", "[assembly]") {
  const auto check = []<class K>(const K*) {
    if constexpr (requires { K::row_units; }) CHECK(K::row_units.size() == ConstraintTraits<K>::rows);
    CHECK(K::row_names.size() == ConstraintTraits<K>::rows);
  };
  check(static_cast<const SphericalJoint<double>*>(nullptr));
  check(static_cast<const Hinge<double>*>(nullptr));
  check(static_cast<const Weld<double>*>(nullptr));
}

}  // namespace row_labels_test
