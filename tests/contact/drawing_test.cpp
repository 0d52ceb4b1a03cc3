#include <dalembert/contact/drawing.hpp>

#include <map>
#include <string>

#include "support/catch.hpp"

namespace contact_drawing_test {

using namespace dalembert;
using V = Vec<double, 3>;

/// The numbers and the vectors that a drawn contact has, by name.
struct Node {
  std::map<std::string, double> numbers;
  std::map<std::string, V> vectors_;
  void put(const char* name, double x) { numbers[name] = x; }
  void put(const char* name, const V& x) { vectors_[name] = x; }
  void operator()(const char* name, const auto& x) { put(name, x); }
  void scalars(const char* name, const auto& x) { put(name, x); }
  void vectors(const char* name, const auto& x) { put(name, x); }
  void normals(const char* name, const auto& x) { put(name, x); }
};

TEST_CASE("the force of a drawn contact is the sum of its components", "[contact]") {
  // rod 1 along t₁, rod 2 beyond it along n
  const V n = V(1, 2, 2) / 3, t1 = V(2, 1, -2) / 3, t2 = n.cross(t1), force(0.3, -1.4, 0.8);
  contact::ContactEvaluation<double> view;
  view.s = {0.4, 0.7};
  view.place = {1, 2, 3};
  view.normal = n;
  view.force = force;
  view.components = contact::components<double>(force, 0.02 * n, 1.1 * t1 + 0.1 * n);
  const contact::DrawnContact<double> drawn(view);
  CHECK(drawn.nodes() == 1);
  CHECK(drawn.position(0) == V(1, 2, 3));
  Node node;
  drawn.visit_node(0, node);
  CHECK(node.vectors_.at("force") == force);
  CHECK(node.vectors_.at("normal") == n);
  const V sum = -node.numbers.at("lambda_n") * n + node.numbers.at("lambda_t1") * t1 +
                node.numbers.at("lambda_t2") * t2;
  CHECK((sum - force).norm() < 1e-14);
  CHECK(node.numbers.at("s1") == 0.4);
  CHECK(node.numbers.at("s2") == 0.7);
}

}  // namespace contact_drawing_test
