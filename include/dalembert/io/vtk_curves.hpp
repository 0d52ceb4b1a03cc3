#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <dalembert/io/vtk.hpp>

/// Curves and single points as VTK shapes, with numbers at their nodes. What a curve is made of is its own
/// affair: rods and rigid bodies say it in rod/drawing.hpp, assemblies in assembly/drawing.hpp, contacts in
/// contact/drawing.hpp.
///   series.add(state.time, io::polydata(assembly::drawn(problem, state, radii)));
namespace dalembert::io {

/// Takes what nodes have, one node after the other: the same names in the same order at every node, or
/// std::invalid_argument is thrown that names the one that is not.
class NodeNumbers {
 public:
  /// A number, or a column of numbers.
  template <class X>
  void operator()(const char* name, const X& x) {
    put(name, x, Role::plain);
  }
  /// The number that colours the shape, and the radius of a tube about it.
  template <class X>
  void scalars(const char* name, const X& x) {
    put(name, x, Role::scalars);
  }
  /// The column that glyphs point along.
  template <class X>
  void vectors(const char* name, const X& x) {
    put(name, x, Role::vectors);
  }
  /// The column that the sides of a tube face.
  template <class X>
  void normals(const char* name, const X& x) {
    put(name, x, Role::normals);
  }

  /// What follows is of the next node.
  void next_node() noexcept {
    at_ = 0;
    first_ = false;
  }
  /// Hand everything over to a shape.
  void put_into(PolyData& shape) && {
    for (Array& array : arrays_)
      shape.point_data(std::move(array.name), array.components, std::move(array.values), array.role);
  }

 private:
  struct Array {
    std::string name;
    int components;
    Role role;
    PolyData::Values values;
  };

  template <class X>
  void put(const char* name, const X& x, Role role) {
    if constexpr (std::integral<X>) {
      std::get<std::vector<std::int64_t>>(array(name, 1, role, std::vector<std::int64_t>{}).values)
          .push_back(static_cast<std::int64_t>(x));
    } else if constexpr (std::floating_point<X>) {
      std::get<std::vector<double>>(array(name, 1, role, std::vector<double>{}).values)
          .push_back(static_cast<double>(x));
    } else {
      auto& values = std::get<std::vector<double>>(
          array(name, static_cast<int>(x.size()), role, std::vector<double>{}).values);
      for (int i = 0; i < static_cast<int>(x.size()); ++i) values.push_back(static_cast<double>(x[i]));
    }
  }

  Array& array(const char* name, int components, Role role, PolyData::Values empty) {
    if (first_) arrays_.push_back({name, components, role, std::move(empty)});
    require(at_ < arrays_.size() && arrays_[at_].name == name && arrays_[at_].components == components,
            "polydata", "what a node has", name, "all nodes must have the same, in the same order");
    return arrays_[at_++];
  }

  std::vector<Array> arrays_;
  std::size_t at_ = 0;
  bool first_ = true;
};

/// What is drawn as a line through its nodes, or as a vertex if it has but one: it says where they are [m],
/// and calls a visitor as `NodeNumbers` is called with the name and the value of everything else that node k
/// has.
template <class C>
concept Curve = requires(const C& curve, std::int64_t k, NodeNumbers& visit) {
  { curve.nodes() } -> std::convertible_to<std::int64_t>;
  { curve.position(k)[2] } -> std::convertible_to<double>;
  curve.visit_node(k, visit);
};

/// Curves as one shape. Points and cells have the number of their curve as `body`.
template <Curve C>
[[nodiscard]] PolyData polydata(const std::vector<C>& curves) {
  PolyData shape;
  NodeNumbers numbers;
  std::vector<std::int64_t> vertices, lines;  // numbers of the curves: the cells of a shape are in this order
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const std::int64_t first = shape.point_count(), nodes = curves[i].nodes();
    for (std::int64_t k = 0; k < nodes; ++k) {
      const auto& x = curves[i].position(k);
      shape.add_point({static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])});
      curves[i].visit_node(k, numbers);
      numbers("body", number);
      numbers.next_node();
    }
    if (nodes == 1)
      shape.add_vertex(first);
    else
      shape.add_line(first, nodes);
    (nodes == 1 ? vertices : lines).push_back(number);
  }
  std::move(numbers).put_into(shape);
  vertices.insert(vertices.end(), lines.begin(), lines.end());
  shape.cell_data("body", 1, std::move(vertices));
  return shape;
}

}  // namespace dalembert::io
