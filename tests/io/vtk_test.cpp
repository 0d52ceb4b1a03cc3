// VTK files hold what was put into them, to the bit, and appear whole or not at all.

#include <dalembert/io/vtk.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/comma.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"
#include "support/vtk_file.hpp"

namespace vtk_test {
using namespace dalembert;
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using namespace test::vtk;
using test::Folder;
using test::put_text;
using test::text_of;
using Ids = std::vector<std::int64_t>;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Three points and a line through them.
io::PolyData three_points() {
  io::PolyData shape;
  shape.add_point({1.0, -2.0, 0.5});
  shape.add_point({2.0, -2.0, 0.5});
  shape.add_point({2.0, 3.0, 0.25});
  shape.add_line(0, 3);
  return shape;
}

const double no_number = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("base64 is that of RFC 4648", "[vtk]") {
  CHECK(io::detail::base64("").empty());
  CHECK(io::detail::base64("f") == "Zg==");
  CHECK(io::detail::base64("fo") == "Zm8=");
  CHECK(io::detail::base64("foo") == "Zm9v");
  CHECK(io::detail::base64("foobar") == "Zm9vYmFy");
  CHECK(io::detail::base64("\xff\xfe\xfb") == "//77");
}

TEST_CASE("a small shape has the text that it should", "[vtk]") {
  io::PolyData shape;
  shape.add_vertex(shape.add_point({1.0, -2.0, 0.5}));
  shape.point_data("a<b", 1, std::vector{1.5F}, io::Role::scalars);
  CHECK(shape.xml() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n"
        "<Piece NumberOfPoints=\"1\" NumberOfVerts=\"1\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"0\">\n"
        "<PointData Scalars=\"a&lt;b\">\n"
        "<DataArray type=\"Float32\" Name=\"a&lt;b\" NumberOfComponents=\"1\" "
        "format=\"binary\">BAAAAAAAAAAAAMA/</DataArray>\n"
        "</PointData>\n"
        "<CellData>\n</CellData>\n"
        "<Points>\n"
        "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" "
        "format=\"binary\">GAAAAAAAAAAAAAAAAADwPwAAAAAAAADAAAAAAAAA4D8=</DataArray>\n"
        "</Points>\n"
        "<Verts>\n"
        "<DataArray type=\"Int64\" Name=\"connectivity\" NumberOfComponents=\"1\" "
        "format=\"binary\">CAAAAAAAAAAAAAAAAAAAAA==</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"offsets\" NumberOfComponents=\"1\" "
        "format=\"binary\">CAAAAAAAAAABAAAAAAAAAA==</DataArray>\n"
        "</Verts>\n"
        "<Lines>\n"
        "<DataArray type=\"Int64\" Name=\"connectivity\" NumberOfComponents=\"1\" "
        "format=\"binary\">AAAAAAAAAAA=</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"offsets\" NumberOfComponents=\"1\" "
        "format=\"binary\">AAAAAAAAAAA=</DataArray>\n"
        "</Lines>\n"
        "</Piece>\n</PolyData>\n</VTKFile>\n");
}

TEST_CASE("a shape is read back to the bit", "[vtk]") {
  const std::vector<double> odd = {-0.0,      5e-324,    std::numeric_limits<double>::max(),
                                   0.1,       no_number, -infinity,
                                   1.0 / 3.0, infinity,  -1e-300};
  const std::vector<float> floats = {0.1F, -0.0F, 1e-45F};
  const Ids whole = {-1, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  std::vector<double> tensors(27);
  test::Random random(test::seed());
  for (double& x : tensors) x = random();

  io::PolyData shape = three_points();
  shape.add_line(Ids{2, 0});
  shape.add_vertex(1);
  shape.add_vertex(2);
  shape.add_vertex(0);
  CHECK(shape.point_count() == 3);
  CHECK(shape.cell_count() == 5);
  shape.point_data("scalar & \"more\" <µ>", 1, floats, io::Role::scalars);
  shape.point_data("vector", 3, odd, io::Role::vectors);
  shape.point_data("normal", 3, std::vector<double>(9, 1.0), io::Role::normals);
  shape.point_data("tensor", 9, tensors);
  shape.cell_data("number", 1, Ids{7, 8, 9, -3, -4}, io::Role::scalars);
  shape.cell_data("pair", 2, std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  shape.field_data("whole", 1, whole);
  shape.field_data("two", 2, std::vector{1.0, 2.0});

  const Folder folder;
  shape.write(folder / "shape.vtp");
  CHECK(folder.names() == std::vector<std::string>{"shape.vtp"});
  const Parsed file(text_of(folder / "shape.vtp"));
  CHECK(file.section("Piece") == Attributes{{"NumberOfPoints", "3"},
                                            {"NumberOfVerts", "3"},
                                            {"NumberOfLines", "2"},
                                            {"NumberOfStrips", "0"},
                                            {"NumberOfPolys", "0"}});
  CHECK(file.section("PointData") ==
        Attributes{{"Scalars", "scalar & \"more\" <µ>"}, {"Vectors", "vector"}, {"Normals", "normal"}});
  CHECK(file.section("CellData") == Attributes{{"Scalars", "number"}});
  CHECK(file.values("Points/Points") == std::vector{1.0, -2.0, 0.5, 2.0, -2.0, 0.5, 2.0, 3.0, 0.25});
  CHECK(file.values<std::int64_t>("Verts/connectivity") == Ids{1, 2, 0});
  CHECK(file.values<std::int64_t>("Verts/offsets") == Ids{1, 2, 3});
  CHECK(file.values<std::int64_t>("Lines/connectivity") == Ids{0, 1, 2, 2, 0});
  CHECK(file.values<std::int64_t>("Lines/offsets") == Ids{3, 5});
  CHECK(same_bits(file.values<float>("PointData/scalar & \"more\" <µ>"), floats));
  CHECK(same_bits(file.values("PointData/vector"), odd));
  CHECK(same_bits(file.values("PointData/tensor"), tensors));
  CHECK(file.components("PointData/tensor") == 9);
  CHECK(file.values<std::int64_t>("CellData/number") == Ids{7, 8, 9, -3, -4});
  CHECK(file.components("CellData/pair") == 2);
  CHECK(file.values<std::int64_t>("FieldData/whole") == whole);
  CHECK(file.components("FieldData/two") == 2);
  CHECK_THAT(shape.xml(), ContainsSubstring("Name=\"two\" NumberOfComponents=\"2\" NumberOfTuples=\"1\""));
  CHECK_THAT(shape.xml(), ContainsSubstring("Name=\"whole\" NumberOfComponents=\"1\" NumberOfTuples=\"3\""));
}

TEST_CASE("a shape of nothing is a file as well", "[vtk]") {
  const Parsed file(io::PolyData{}.xml());
  CHECK(file.section("Piece").at("NumberOfPoints") == "0");
  CHECK(file.values("Points/Points").empty());
  CHECK(file.values<std::int64_t>("Lines/connectivity").empty());
}

TEST_CASE("what does not fit together is refused by name", "[vtk]") {
  io::PolyData shape = three_points();
  SECTION("point data") {
    shape.point_data("speed", 3, std::vector<double>(8));
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument,
                         says({"PolyData", "point data speed", "= 8", "needs 9"}));
  }
  SECTION("cell data") {
    shape.cell_data("rod", 1, Ids(3));
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"cell data rod", "= 3", "needs 1"}));
  }
  SECTION("field data") {
    shape.field_data("pairs", 2, Ids(3));
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"field data pairs", "= 3", "2 to each"}));
  }
  SECTION("a name twice") {
    shape.point_data("a", 1, std::vector<double>(3));
    shape.cell_data("a", 1, std::vector<double>(1));
    CHECK_NOTHROW(shape.xml());
    shape.point_data("a", 1, std::vector<double>(3));
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"point data = a", "already"}));
  }
  SECTION("a role twice") {
    shape.point_data("a", 1, std::vector<double>(3), io::Role::scalars);
    shape.point_data("b", 1, std::vector<double>(3), io::Role::scalars);
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"point data = b", "a has its role"}));
  }
  SECTION("a role for the wrong components") {
    CHECK_THROWS_MATCHES(shape.point_data("a", 3, std::vector<double>(9), io::Role::scalars),
                         std::invalid_argument, says({"components of a = 3"}));
    CHECK_THROWS_MATCHES(shape.point_data("a", 1, std::vector<double>(3), io::Role::vectors),
                         std::invalid_argument, says({"components of a = 1"}));
    CHECK_THROWS_MATCHES(shape.point_data("a", 9, std::vector<double>(9), io::Role::normals),
                         std::invalid_argument, says({"components of a = 9"}));
  }
  SECTION("no components, no name") {
    CHECK_THROWS_MATCHES(shape.point_data("a", 0, std::vector<double>{}), std::invalid_argument,
                         says({"components of a = 0"}));
    CHECK_THROWS_MATCHES(shape.point_data("", 1, std::vector<double>(3)), std::invalid_argument,
                         says({"name of an array = ''"}));
    CHECK_THROWS_MATCHES(shape.cell_data("a\nb", 1, std::vector<double>(1)), std::invalid_argument,
                         says({"control character"}));
  }
  SECTION("cells") {
    CHECK_THROWS_MATCHES(shape.add_line(0, 1), std::invalid_argument, says({"points of a line = 1"}));
    CHECK_THROWS_MATCHES(shape.add_line(0, -1), std::invalid_argument, says({"points of a line = 0"}));
    CHECK_THROWS_AS(shape.add_line(Ids{}), std::invalid_argument);
    shape.add_line(1, 3);
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"point of a cell = 3", "3 points"}));
  }
  SECTION("a vertex before the first point") {
    shape.add_vertex(-1);
    CHECK_THROWS_MATCHES(shape.xml(), std::invalid_argument, says({"point of a cell = -1"}));
  }
  SECTION("points that are nowhere") {
    for (const double bad : {no_number, infinity, -infinity}) {
      io::PolyData more = shape;
      more.add_point({0.0, bad, 0.0});
      const Folder folder;
      CHECK_THROWS_MATCHES(more.write(folder / "x.vtp"), std::invalid_argument,
                           says({"coordinate of point 3", "finite"}));
      CHECK(folder.names().empty());
    }
  }
}

TEST_CASE("a file that cannot be written is named, with the reason", "[vtk]") {
  const Folder folder;
  const io::PolyData shape = three_points();
  SECTION("no such folder") {
    const fs::path path = folder / "nowhere/shape.vtp";
    CHECK_THROWS_MATCHES(
        shape.write(path), std::runtime_error,
        says({path.string() + ": ", std::make_error_code(std::errc::no_such_file_or_directory).message()}));
  }
  SECTION("a file for a folder") {
    put_text(folder / "file", "x");
    CHECK_THROWS_MATCHES(shape.write(folder / "file/shape.vtp"), std::runtime_error,
                         says({std::make_error_code(std::errc::not_a_directory).message()}));
  }
  SECTION("a folder for a file: nothing stays behind") {
    fs::create_directories(folder / "shape.vtp/inner");
    CHECK_THROWS_MATCHES(shape.write(folder / "shape.vtp"), std::runtime_error,
                         says({(folder / "shape.vtp").string() + ": "}));
    CHECK(folder.names() == std::vector<std::string>{"shape.vtp"});
    CHECK(fs::exists(folder / "shape.vtp/inner"));
  }
  SECTION("the old file stays if the new one fails") {
    put_text(folder / "shape.vtp", "old");
    fs::create_directories(folder / "shape.vtp.part");  // the temporary name is taken
    CHECK_THROWS_AS(shape.write(folder / "shape.vtp"), std::runtime_error);
    CHECK(text_of(folder / "shape.vtp") == "old");
    CHECK(fs::is_directory(folder / "shape.vtp.part"));
  }
  SECTION("the old file is replaced, and a temporary one left by a killed run too") {
    put_text(folder / "shape.vtp", "old");
    put_text(folder / "shape.vtp.part", std::string(100000, 'x'));
    shape.write(folder / "shape.vtp");
    CHECK(text_of(folder / "shape.vtp") == shape.xml());
    CHECK(folder.names() == std::vector<std::string>{"shape.vtp"});
  }
}

TEST_CASE("a series is valid after each step", "[vtk]") {
  const Folder folder;
  io::PvdSeries series(folder / "deep/er", "a & b");
  CHECK(series.path() == folder / "deep/er/a & b.pvd");
  std::vector<double> times = {0.0, 0.1, 1.0 / 3.0, -2e-300, 1e21};
  while (times.size() < 12) times.push_back(static_cast<double>(times.size()));
  for (std::size_t k = 0; k < times.size(); ++k) {
    io::PolyData shape = three_points();
    shape.field_data("step", 1, Ids{static_cast<std::int64_t>(k)});
    series.add(times[k], shape);
    REQUIRE(series.size() == k + 1);
    const auto elements = parse(text_of(series.path()));
    REQUIRE(elements.size() == k + 3);
    CHECK(elements[0].attributes.at("type") == "Collection");
    CHECK(elements[1].path == "VTKFile/Collection");
    for (std::size_t i = 0; i <= k; ++i) {
      const Element& entry = elements[i + 2];
      REQUIRE(entry.path == "VTKFile/Collection/DataSet");
      CHECK(std::stod(entry.attributes.at("timestep")) == times[i]);
      const Parsed file(text_of(series.path().parent_path() / entry.attributes.at("file")));
      CHECK(file.values<std::int64_t>("FieldData/step") == Ids{static_cast<std::int64_t>(i)});
      CHECK(file.values("FieldData/TimeValue") == std::vector{times[i]});
    }
  }
  CHECK(fs::exists(folder / "deep/er/a & b_000011.vtp"));
  CHECK(std::distance(fs::directory_iterator(folder / "deep/er"), {}) == 13);
}

TEST_CASE("a series has the same files whatever the program's locale", "[vtk]") {
  const Folder folder;
  const auto write = [&](const std::string& directory) {
    io::PvdSeries series(folder / directory, "rod");
    for (const double time : {0.0, 0.5, 12345.25}) series.add(time, three_points());
    return text_of(series.path());
  };
  const std::string expected = write("classic");
  CHECK_THAT(expected, ContainsSubstring("timestep=\"0.5\"") && ContainsSubstring("timestep=\"12345.25\""));
  const std::string other = [&] {
    const test::Comma comma;
    return write("comma");
  }();
  CHECK(other == expected);
  CHECK(text_of(folder / "comma/rod_000001.vtp") == text_of(folder / "classic/rod_000001.vtp"));
}

TEST_CASE("a step that fails leaves the series as it was", "[vtk]") {
  const Folder folder;
  io::PvdSeries series(folder / "out", "rod");
  series.add(0.0, three_points());
  const std::string before = text_of(series.path());
  io::PolyData nowhere = three_points();
  nowhere.add_point({no_number, 0.0, 0.0});
  CHECK_THROWS_AS(series.add(1.0, nowhere), std::invalid_argument);
  CHECK_THROWS_MATCHES(series.add(no_number, three_points()), std::invalid_argument,
                       says({"PvdSeries", "time"}));
  fs::create_directories(folder / "out/rod.pvd.part");
  CHECK_THROWS_MATCHES(series.add(1.0, three_points()), std::runtime_error, says({"rod.pvd"}));
  CHECK(text_of(series.path()) == before);
  CHECK(series.size() == 1);
  fs::remove(folder / "out/rod.pvd.part");
  series.add(2.0, three_points());
  const auto elements = parse(text_of(series.path()));
  REQUIRE(elements.size() == 4);
  CHECK(elements[3].attributes == Attributes{{"timestep", "2"}, {"file", "rod_000001.vtp"}});
}

TEST_CASE("a series needs a directory and a name for its files", "[vtk]") {
  const Folder folder;
  put_text(folder / "file", "x");
  CHECK_THROWS_MATCHES(io::PvdSeries(folder / "file", "rod"), std::runtime_error,
                       says({(folder / "file").string() + ": "}));
  CHECK_THROWS_MATCHES(io::PvdSeries(folder / "file/below", "rod"), std::runtime_error,
                       says({(folder / "file/below").string() + ": "}));
  CHECK_THROWS_AS(io::PvdSeries(folder / "a", ""), std::invalid_argument);
  CHECK_THROWS_MATCHES(io::PvdSeries(folder / "a", "b/c"), std::invalid_argument, says({"b/c"}));
}

}  // namespace vtk_test
