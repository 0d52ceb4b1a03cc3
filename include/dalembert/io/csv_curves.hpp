#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk_curves.hpp>

/// Curves as tables: what `io::polydata` makes a shape of, `io::write_csv` writes with a row per node.
///   io::write_csv("rod.csv", rod::drawn(rods, chains, radii));
namespace dalembert::io {

/// A curve that says the unit of what a node has under a name.
template <class C>
concept CurveWithUnits = Curve<C> && requires(const C& curve, const std::string& name) {
  { curve.unit(name) } -> std::convertible_to<std::string>;
};

namespace detail {

/// Takes what a node has, as `NodeNumbers` does, and puts numbers into one row and names into another.
struct NodeRow {
  std::vector<std::string> names{};     // of each number's column
  std::vector<std::string> of_whole{};  // the names that were given
  std::vector<double> values{};

  template <class X>
  void operator()(const char* name, const X& x) {
    if constexpr (std::integral<X> || std::floating_point<X>) {
      put(name, name, static_cast<double>(x));
    } else {
      for (int i = 0; i < static_cast<int>(x.size()); ++i)
        put(std::string(name) + "_" + std::to_string(i + 1), name, static_cast<double>(x[i]));
    }
  }
  template <class X>
  void scalars(const char* name, const X& x) {
    (*this)(name, x);
  }
  template <class X>
  void vectors(const char* name, const X& x) {
    (*this)(name, x);
  }
  template <class X>
  void normals(const char* name, const X& x) {
    (*this)(name, x);
  }

 private:
  void put(std::string name, const char* whole, double value) {
    names.push_back(std::move(name));
    of_whole.emplace_back(whole);
    values.push_back(value);
  }
};

}  // namespace detail

/// Write curves as a table: a row per node, with the number of its curve as `body`, its position x, y, z [m] and all that it has, the components of a
/// column as name_1, name_2, … Units are those that the curve says, "1" where it says none. Throws std::invalid_argument if there are no nodes or they
/// have different things, std::runtime_error naming the path if the file cannot be written.
template <Curve C>
void write_csv(const std::filesystem::path& path, const std::vector<C>& curves) {
  std::vector<std::vector<double>> rows;
  std::vector<Column> columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(curves[i].nodes()); ++k) {
      detail::NodeRow node;
      curves[i].visit_node(k, node);
      if (rows.empty()) {
        names = node.names;
        columns = {{"body", "1"}, {"x", "m"}, {"y", "m"}, {"z", "m"}};
        for (std::size_t j = 0; j < names.size(); ++j) {
          if constexpr (CurveWithUnits<C>)
            columns.push_back({names[j], std::string(curves[i].unit(node.of_whole[j]))});
          else
            columns.push_back({names[j], "1"});
        }
      }
      require(node.names == names, "write_csv", "nodes of curve", i,
              "all nodes must have the same, in the same order");
      const auto& r = curves[i].position(k);
      std::vector<double> row{static_cast<double>(i), static_cast<double>(r[0]), static_cast<double>(r[1]),
                              static_cast<double>(r[2])};
      row.insert(row.end(), node.values.begin(), node.values.end());
      rows.push_back(std::move(row));
    }
  require(!rows.empty(), "write_csv", "nodes", rows.size(), "there must be some");
  CsvWriter file(path, columns);
  for (const std::vector<double>& row : rows) file.row(row);
  file.close();
}

}  // namespace dalembert::io
