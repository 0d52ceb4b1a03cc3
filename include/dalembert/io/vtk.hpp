#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <locale>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/io/detail/vtk_text.hpp>

/// Shapes in VTK's XML files, and series of them in time, for ParaView and any other program with VTK ≥ 8
/// inside. Numbers are written in binary, bit for bit, as base64 within the XML (little-endian, uncompressed,
/// 64-bit headers).
namespace dalembert::io {

/// What a reader takes an array for until a person chooses another; one array for each role but `plain`, in
/// each section.
enum class Role {
  plain,    ///< nothing in particular
  scalars,  ///< 1 component: the colour, and the radius of ParaView's Tube filter
  vectors,  ///< 3 components: the direction of glyphs
  normals   ///< 3 components: the way that the sides of a tube face
};

/// Points, vertices and poly-lines, with named arrays of numbers on them. What does not fit together is
/// refused when the text is made, so that arrays, cells and points may come in any order.
class PolyData {
 public:
  /// Written as Float64, Float32 or Int64.
  using Values = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>>;

  /// Append a point [m]; its number.
  std::int64_t add_point(const Vec<double, 3>& position) {
    points_.insert(points_.end(), {position[0], position[1], position[2]});
    return point_count() - 1;
  }
  /// Append a vertex cell at a point.
  void add_vertex(std::int64_t point) { vertices_.add(std::span(&point, 1)); }
  /// Append a poly-line through points, at least two.
  void add_line(std::span<const std::int64_t> points) {
    require(points.size() >= 2, "PolyData", "points of a line", points.size(),
            "a line needs at least 2 points");
    lines_.add(points);
  }
  /// Append a poly-line through `count` points, at least two, with numbers from `first` on.
  void add_line(std::int64_t first, std::int64_t count) {
    std::vector<std::int64_t> points;
    for (std::int64_t k = 0; k < count; ++k) points.push_back(first + k);
    add_line(points);
  }

  /// An array on the points: `components` numbers to each point, together and in the order of the points.
  /// Readers take 3 components for a vector and 9 for a tensor (row by row). Any numbers are written, also
  /// NaN and infinity. Names are UTF-8. Throws std::invalid_argument for a name that XML cannot hold, for no
  /// components, and for a role that they cannot have.
  void point_data(std::string name, int components, Values values, Role role = Role::plain) {
    put(0, std::move(name), components, std::move(values), role);
  }
  /// An array on the cells: first the vertices, then the lines, each in the order of their appending.
  /// Otherwise as `point_data`.
  void cell_data(std::string name, int components, Values values, Role role = Role::plain) {
    put(1, std::move(name), components, std::move(values), role);
  }
  /// An array on the whole. Otherwise as `point_data`; readers take one number of the name TimeValue for the
  /// time.
  void field_data(std::string name, int components, Values values) {
    put(2, std::move(name), components, std::move(values), Role::plain);
  }

  /// How many points there are.
  [[nodiscard]] std::int64_t point_count() const noexcept {
    return static_cast<std::int64_t>(points_.size() / 3);
  }
  /// How many vertices and lines there are.
  [[nodiscard]] std::int64_t cell_count() const noexcept { return vertices_.count() + lines_.count(); }

  /// The text of a .vtp file. Throws std::invalid_argument naming the array whose length does not fit the
  /// points or cells, or that has the name or the role of another; the cell that uses a point which does not
  /// exist; or the point that is not finite: readers have no use for a place that is no number, and some of
  /// their filters end in a crash.
  [[nodiscard]] std::string xml() const {
    check();
    const auto count = [](const char* what, std::int64_t n) {
      return std::string(" NumberOf").append(what).append("=\"").append(std::to_string(n)).append("\"");
    };
    std::string text = detail::vtk_head("PolyData") + "<PolyData>\n";
    if (!arrays_[2].empty()) append_section(text, 2);
    text += "<Piece" + count("Points", point_count()) + count("Verts", vertices_.count()) +
            count("Lines", lines_.count()) + count("Strips", 0) + count("Polys", 0) + ">\n";
    append_section(text, 0);
    append_section(text, 1);
    text += "<Points>\n";
    append_array(text, {"Points", 3, points_, Role::plain}, false);
    text += "</Points>\n";
    append_cells(text, "Verts", vertices_);
    append_cells(text, "Lines", lines_);
    return text + "</Piece>\n</PolyData>\n</VTKFile>\n";
  }

  /// Write a .vtp file: under a temporary name, which is then renamed, so that no reader meets half a file.
  /// Throws what `xml` throws, and std::runtime_error naming the path and the reason if the file cannot be
  /// written.
  void write(const std::filesystem::path& path) const { detail::replace_file(path, xml()); }

 private:
  struct Array {
    std::string name;
    int components;
    Values values;
    Role role;
  };
  struct Cells {
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> offsets;

    void add(std::span<const std::int64_t> points) {
      connectivity.insert(connectivity.end(), points.begin(), points.end());
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(offsets.size()); }
  };
  static constexpr std::array<const char*, 3> sections = {"PointData", "CellData", "FieldData"};

  [[nodiscard]] static std::size_t size(const Array& array) {
    return std::visit([](const auto& values) { return values.size(); }, array.values);
  }

  void put(std::size_t section, std::string name, int components, Values values, Role role) {
    detail::require_name("PolyData", "name of an array", name);
    require(components >= 1, "PolyData", "components of " + name, components,
            "an array has at least 1 component");
    require(role == Role::plain || components == (role == Role::scalars ? 1 : 3), "PolyData",
            "components of " + name, components, "scalars have 1 component, vectors and normals have 3");
    arrays_[section].push_back({std::move(name), components, std::move(values), role});
  }

  void check() const {
    for (std::size_t i = 0; i < points_.size(); ++i)
      require(std::isfinite(points_[i]), "PolyData", "coordinate of point " + std::to_string(i / 3),
              points_[i], "a point must be finite");
    for (const Cells* cells : {&vertices_, &lines_})
      for (const std::int64_t point : cells->connectivity)
        require(point >= 0 && point < point_count(), "PolyData", "point of a cell", point,
                "there are " + std::to_string(point_count()) + " points");
    check_section(0, "point data", point_count());
    check_section(1, "cell data", cell_count());
    check_section(2, "field data", -1);
  }
  void check_section(std::size_t section, const std::string& what, std::int64_t tuples) const {
    const std::vector<Array>& arrays = arrays_[section];
    for (auto array = arrays.begin(); array != arrays.end(); ++array) {
      const auto width = static_cast<std::size_t>(array->components);
      const std::size_t wanted =
          tuples < 0 ? size(*array) / width * width : static_cast<std::size_t>(tuples) * width;
      require(size(*array) == wanted, "PolyData", "length of " + what + " " + array->name, size(*array),
              "it needs " + std::to_string(wanted) + " numbers, " + std::to_string(width) + " to each");
      for (auto other = arrays.begin(); other != array; ++other) {
        require(other->name != array->name, "PolyData", what, array->name,
                "there is an array of this name already");
        require(other->role == Role::plain || other->role != array->role, "PolyData", what, array->name,
                other->name + " has its role already");
      }
    }
  }

  void append_section(std::string& text, std::size_t section) const {
    constexpr std::array<const char*, 4> roles = {"", " Scalars=\"", " Vectors=\"", " Normals=\""};
    text.append("<").append(sections[section]);
    for (const Array& array : arrays_[section])
      if (array.role != Role::plain)
        text.append(roles[static_cast<std::size_t>(array.role)])
            .append(detail::xml_escaped(array.name))
            .append("\"");
    text += ">\n";
    for (const Array& array : arrays_[section]) append_array(text, array, section == 2);
    text.append("</").append(sections[section]).append(">\n");
  }

  /// One DataArray: base64 of its length in bytes and its numbers.
  static void append_array(std::string& text, const Array& array, bool counted) {
    constexpr std::array<const char*, 3> types = {"Float64", "Float32", "Int64"};
    text.append("<DataArray type=\"").append(types[array.values.index()]);
    text.append("\" Name=\"").append(detail::xml_escaped(array.name));
    text.append("\" NumberOfComponents=\"").append(std::to_string(array.components)).append("\"");
    if (counted) {
      const std::size_t tuples = size(array) / static_cast<std::size_t>(array.components);
      text.append(" NumberOfTuples=\"").append(std::to_string(tuples)).append("\"");
    }
    std::string bytes;
    std::visit(
        [&bytes](const auto& values) {
          bytes.reserve(8 * (values.size() + 1));
          detail::append_bytes(bytes, std::uint64_t{sizeof(values[0]) * values.size()});
          for (const auto& value : values) detail::append_bytes(bytes, value);
        },
        array.values);
    text.append(" format=\"binary\">").append(detail::base64(bytes)).append("</DataArray>\n");
  }

  static void append_cells(std::string& text, const std::string& kind, const Cells& cells) {
    text += "<" + kind + ">\n";
    append_array(text, {"connectivity", 1, cells.connectivity, Role::plain}, false);
    append_array(text, {"offsets", 1, cells.offsets, Role::plain}, false);
    text += "</" + kind + ">\n";
  }

  std::vector<double> points_;
  Cells vertices_;
  Cells lines_;
  std::array<std::vector<Array>, 3> arrays_;  // of the points, the cells, the whole
};

/// Shapes in time: name_000000.vtp, name_000001.vtp, … and name.pvd, the collection that ParaView opens.
/// The collection is written anew after each shape, so that a run which is killed leaves a valid series of
/// all it had; older files of the same names are replaced.
class PvdSeries {
 public:
  /// A series of that name in a directory, which is created if it does not exist. Throws
  /// std::invalid_argument for a name that is empty or holds a separator, std::runtime_error naming the
  /// directory and the reason if it cannot be created.
  PvdSeries(std::filesystem::path directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {
    detail::require_name("PvdSeries", "name", name_);
    require(name_.find_first_of("/\\") == std::string::npos, "PvdSeries", "name", name_,
            "it names files in the directory, not below it");
    std::error_code why;
    std::filesystem::create_directories(directory_, why);
    if (!why && !std::filesystem::is_directory(directory_)) why = make_error_code(std::errc::not_a_directory);
    if (why) throw std::runtime_error("cannot create " + directory_.string() + ": " + why.message());
  }

  /// Write the shape at a time [s], with the time as its field data TimeValue, and the collection. Throws
  /// std::invalid_argument for a time that is not finite, and what `PolyData::write` throws; the series is
  /// then as it was before.
  void add(double time, PolyData shape) {
    require(std::isfinite(time), "PvdSeries", "time", time, "a time must be finite [s]");
    const std::string number = std::to_string(count_);
    const std::string file =
        name_ + "_" + std::string(6 - std::min<std::size_t>(6, number.size()), '0') + number + ".vtp";
    shape.field_data("TimeValue", 1, std::vector{time});
    shape.write(directory_ / file);
    std::ostringstream entry;
    entry.imbue(std::locale::classic());
    entry.precision(17);
    entry << "<DataSet timestep=\"" << time << "\" file=\"" << detail::xml_escaped(file) << "\"/>\n";
    const std::string entries = entries_ + entry.str();
    detail::replace_file(
        path(), detail::vtk_head("Collection") + "<Collection>\n" + entries + "</Collection>\n</VTKFile>\n");
    entries_ = entries;
    ++count_;
  }

  /// Where the collection is.
  [[nodiscard]] std::filesystem::path path() const { return directory_ / (name_ + ".pvd"); }
  /// How many shapes there are.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  std::filesystem::path directory_;
  std::string name_;
  std::string entries_;
  std::size_t count_ = 0;
};

}  // namespace dalembert::io
