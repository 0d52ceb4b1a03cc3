// VTK files hold what was put into them, to the bit, and appear whole or not at all.

#include <dalembert/io/vtk.hpp>
#include <dalembert/io/vtk_rods.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <locale>
#include <map>
#include <string>
#include <vector>

#include <dalembert/contact/rolling.hpp>
#include <dalembert/rod/problem.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/rods.hpp"

namespace vtk_test {

using namespace dalembert;
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Predicate;
using test::Folder;
using test::put_text;
using test::text_of;
using Ids = std::vector<std::int64_t>;
using V3 = Vec<double, 3>;

std::string decode(const std::string& text) {
  REQUIRE(text.size() % 4 == 0);
  std::string bytes;
  const auto digit = [](char c) -> unsigned {
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
    REQUIRE((c == '+' || c == '/'));
    return c == '+' ? 62 : 63;
  };
  for (std::size_t i = 0; i < text.size(); i += 4) {
    unsigned group = 0;
    const int missing = text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    REQUIRE((missing == 0 || i + 4 == text.size()));
    for (std::size_t j = 0; j < 4; ++j) group = group << 6 | (text[i + j] == '=' ? 0 : digit(text[i + j]));
    for (int j = 0; j < 3 - missing; ++j) bytes += static_cast<char>(group >> (16 - 8 * j) & 255);
  }
  return bytes;
}

using Attributes = std::map<std::string, std::string>;

struct Element {
  std::string path;  ///< names of the elements down to this one
  Attributes attributes;
  std::string text;
};

std::string unescaped(std::string text) {
  for (const auto& [entity, c] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (auto at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::strlen(entity), c);
  return text;
}

/// The elements of an XML text, in the order of their starts; fails if it is not well-formed.
std::vector<Element> parse(const std::string& xml) {
  std::vector<Element> elements;
  std::vector<std::pair<std::string, std::size_t>> open;
  const std::string declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  REQUIRE(xml.starts_with(declaration));
  std::size_t at = declaration.size();
  int roots = 0;
  while ((at = xml.find('<', at)) != std::string::npos) {
    const std::size_t end = xml.find('>', at);
    REQUIRE(end != std::string::npos);
    std::string tag = xml.substr(at + 1, end - at - 1);
    const std::size_t next = std::min(xml.find('<', end), xml.size());
    REQUIRE(tag.find('<') == std::string::npos);
    if (tag.starts_with('/')) {
      REQUIRE(!open.empty());
      REQUIRE(tag.substr(1) == open.back().first);
      open.pop_back();
    } else {
      const bool closed = tag.ends_with('/');
      if (closed) tag.pop_back();
      const std::string name = tag.substr(0, tag.find(' '));
      roots += open.empty();
      Element element{open.empty() ? name : elements[open.back().second].path + "/" + name,
                      {},
                      xml.substr(end + 1, next - end - 1)};
      std::size_t from = name.size();
      while (from < tag.size()) {
        REQUIRE(tag[from] == ' ');
        const std::size_t equals = tag.find("=\"", from), quote = tag.find('"', equals + 2);
        REQUIRE(quote != std::string::npos);
        const std::string key = tag.substr(from + 1, equals - from - 1);
        REQUIRE(
            element.attributes.emplace(key, unescaped(tag.substr(equals + 2, quote - equals - 2))).second);
        from = quote + 1;
      }
      elements.push_back(element);
      if (!closed) open.emplace_back(name, elements.size() - 1);
    }
    at = end;
  }
  REQUIRE(open.empty());
  REQUIRE(roots == 1);
  return elements;
}

/// What a .vtp file says.
class Parsed {
 public:
  explicit Parsed(const std::string& xml) {
    for (const Element& element : parse(xml)) {
      if (element.path.ends_with("/DataArray")) {
        REQUIRE(element.attributes.at("format") == "binary");
        const auto slash = element.path.rfind('/');
        const auto before = element.path.rfind('/', slash - 1);
        const std::string section = element.path.substr(before + 1, slash - before - 1);
        REQUIRE(arrays_.emplace(section + "/" + element.attributes.at("Name"), element).second);
      } else {
        const auto name = element.path.substr(element.path.rfind('/') + 1);
        sections_[name] = element.attributes;
      }
    }
    REQUIRE(sections_.at("VTKFile") == Attributes{{"type", "PolyData"},
                                                  {"version", "1.0"},
                                                  {"byte_order", "LittleEndian"},
                                                  {"header_type", "UInt64"}});
  }

  const Attributes& section(const std::string& name) const { return sections_.at(name); }
  bool has(const std::string& name) const { return arrays_.contains(name); }
  int components(const std::string& name) const {
    return std::stoi(arrays_.at(name).attributes.at("NumberOfComponents"));
  }
  /// The numbers of the array section/name.
  template <class T = double>
  std::vector<T> values(const std::string& name) const {
    const Element& array = arrays_.at(name);
    const std::string type = std::is_same_v<T, double>  ? "Float64"
                             : std::is_same_v<T, float> ? "Float32"
                                                        : "Int64";
    REQUIRE(array.attributes.at("type") == type);
    const std::string bytes = decode(array.text);
    REQUIRE(bytes.size() >= 8);
    REQUIRE(number<std::uint64_t>(bytes, 0) == bytes.size() - 8);
    std::vector<T> all;
    for (std::size_t i = 8; i < bytes.size(); i += sizeof(T)) all.push_back(number<T>(bytes, i));
    return all;
  }
  /// Three numbers of a point.
  V3 vector(const std::string& name, std::int64_t k) const {
    REQUIRE(components("PointData/" + name) == 3);
    const auto all = values("PointData/" + name);
    return {all.at(static_cast<std::size_t>(3 * k)), all.at(static_cast<std::size_t>(3 * k + 1)),
            all.at(static_cast<std::size_t>(3 * k + 2))};
  }
  V3 point(std::int64_t k) const {
    const auto all = values("Points/Points");
    return {all.at(static_cast<std::size_t>(3 * k)), all.at(static_cast<std::size_t>(3 * k + 1)),
            all.at(static_cast<std::size_t>(3 * k + 2))};
  }

 private:
  template <class T>
  static T number(const std::string& bytes, std::size_t at) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits |= std::uint64_t{static_cast<unsigned char>(bytes.at(at + i))} << 8 * i;
    if constexpr (sizeof(T) == 8)
      return std::bit_cast<T>(bits);
    else
      return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  }

  std::map<std::string, Attributes> sections_;
  std::map<std::string, Element> arrays_;
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Whether an error's text has all these parts.
auto says(const std::vector<std::string>& parts) {
  std::string all;
  for (const auto& part : parts) all += "'" + part + "' ";
  return Predicate<std::exception>(
      [parts](const std::exception& error) {
        return std::all_of(parts.begin(), parts.end(), [&](auto& part) {
          return std::string(error.what()).find(part) != std::string::npos;
        });
      },
      "says " + all);
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
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };
  const Folder folder;
  const auto write = [&](const std::string& directory) {
    io::PvdSeries series(folder / directory, "rod");
    for (const double time : {0.0, 0.5, 12345.25}) series.add(time, three_points());
    return text_of(series.path());
  };
  const std::string expected = write("classic");
  CHECK_THAT(expected, ContainsSubstring("timestep=\"0.5\"") && ContainsSubstring("timestep=\"12345.25\""));
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string other = write("comma");
  std::locale::global(before);
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

using Rod = rod::ElasticRod<double>;
using Contact = contact::RollingContact<double>;

static_assert(io::DrawnRod<Rod> && io::DrawnRod<rod::ElasticRod<float>>);
static_assert(!io::DrawnRod<Contact> && !io::DrawnRod<rod::LinearElastic<double>>);
static_assert(io::DrawnContact<Contact> && !io::DrawnContact<Rod> &&
              !io::DrawnContact<rod::Uncoupled<double>>);
static_assert(io::DrawnContact<contact::RollingContact<float, contact::QuinticSpline, contact::BodySmearing,
                                                       contact::MaterialTangency>>);

/// The arrays of `file` at the points from `first` on are those of the chain.
template <class R, class S = typename R::Scalar>
void check_nodes(const Parsed& file, std::int64_t first, const R& model, const rod::Chain<S>& chain,
                 std::int64_t number, S radius) {
  const double tolerance = 50 * static_cast<double>(std::numeric_limits<S>::epsilon());
  const auto near = [&](const V3& a, const Vec<S, 3>& b, double scale = 1.0) {
    return (a - b.template cast<double>()).norm() <= tolerance * scale;
  };
  const auto quaternions = file.values("PointData/quaternion");
  const auto radii = file.values("PointData/radius");
  const auto lengths = file.values("PointData/arc_length");
  const auto numbers = file.values<std::int64_t>("PointData/rod");
  REQUIRE(file.components("PointData/quaternion") == 4);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    INFO("node " << k);
    const std::int64_t p = first + k;
    const auto at = static_cast<std::size_t>(p);
    CHECK(file.point(p) == V3(chain.position(k).template cast<double>()));
    const Mat<S, 3> axes = test::matrix(chain.rotation(k));
    for (int i = 0; i < 3; ++i) CHECK(near(file.vector("e" + std::to_string(i + 1), p), axes.col(i)));
    const Eigen::Quaterniond q(quaternions[4 * at], quaternions[4 * at + 1], quaternions[4 * at + 2],
                               quaternions[4 * at + 3]);
    CHECK((q.toRotationMatrix() - axes.template cast<double>()).norm() < tolerance);
    CHECK(near(file.vector("velocity", p), chain.linear_velocity(k)));
    CHECK(near(file.vector("angular_velocity", p), axes * chain.angular_velocity(k), 10.0));
    CHECK(radii[at] == static_cast<double>(radius));
    CHECK(lengths[at] ==
          Approx(static_cast<double>(k) / static_cast<double>(chain.nodes - 1)).epsilon(1e-6).margin(1e-12));
    CHECK(numbers[at] == number);
    std::vector<Eigen::Index> elements;
    if (k > 0) elements.push_back(k - 1);
    if (k + 1 < chain.nodes) elements.push_back(k);
    Mat<S, 3, 4> mean = Mat<S, 3, 4>::Zero();
    for (const Eigen::Index e : elements) {
      const auto strain = model.strain(chain, e);
      const auto stress = model.stress(chain, e);
      mean.col(0) += strain.stretch / S(elements.size());
      mean.col(1) += strain.curvature / S(elements.size());
      mean.col(2) += stress.force / S(elements.size());
      mean.col(3) += stress.moment / S(elements.size());
    }
    const std::array<const char*, 4> names = {"stretch", "curvature", "force", "moment"};
    for (int i = 0; i < 4; ++i)
      CHECK(near(file.vector(names[static_cast<std::size_t>(i)], p), mean.col(i),
                 static_cast<double>(mean.col(i).norm())));
  }
}

TEST_CASE("a rod is a line with what its nodes and elements have", "[vtk]") {
  test::Random random(test::seed());
  const Rod model = test::soft_rod<Rod>(0.03, 17);
  const auto chain =
      test::random_chain(model, test::rotation_matrix<double>({0.3, -1.1, 0.7}), random, {.bend = 1.5});
  const Parsed file(io::rod_polydata(model, chain, 0.03).xml());
  CHECK(file.section("Piece") == Attributes{{"NumberOfPoints", "18"},
                                            {"NumberOfVerts", "0"},
                                            {"NumberOfLines", "1"},
                                            {"NumberOfStrips", "0"},
                                            {"NumberOfPolys", "0"}});
  CHECK(file.section("PointData") ==
        Attributes{{"Scalars", "radius"}, {"Vectors", "velocity"}, {"Normals", "e1"}});
  CHECK(file.values<std::int64_t>("CellData/rod") == Ids{0});
  Ids line(18);
  for (std::size_t i = 0; i < 18; ++i) line[i] = static_cast<std::int64_t>(i);
  CHECK(file.values<std::int64_t>("Lines/connectivity") == line);
  CHECK(file.values<std::int64_t>("Lines/offsets") == Ids{18});
  check_nodes(file, 0, model, chain, 0, 0.03);
}

TEST_CASE("a twisted, stretched rod that turns shows known strains, stresses and velocities", "[vtk]") {
  const Rod model = test::soft_rod<Rod>(0.02, 20);
  const V3 v(0.2, -0.5, 1.0), w(1.0, 2.0, -3.0);
  const double stretch = 1.25, twist = 2.0;  // [1, rad/m]
  const Mat<double, 3> frame = test::rotation_matrix<double>({0.4, 0.9, -0.2});
  auto chain = model.straight({1.0, 2.0, 3.0}, test::rotation<double>(frame), stretch);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double angle = twist * static_cast<double>(k) / 20.0;
    chain.set_frame(k, test::rotation<double>(frame * test::rotation_matrix<double>({0.0, 0.0, angle})),
                    chain.position(k));
  }
  test::move_rigidly(chain, v, w);
  const Parsed file(io::rod_polydata(model, chain, 0.02).xml());
  const auto section = test::soft_section<double>(0.02);
  const V3 n(0.0, 0.0, 1e6 * section.area() * (stretch - 1.0));
  const V3 m(0.0, 0.0, section.shear_modulus() * 2.0 * section.second_moment() * twist);
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const double angle = twist * static_cast<double>(k) / 20.0;
    CHECK((file.vector("stretch", k) - V3(0.0, 0.0, stretch)).norm() < 1e-13);
    CHECK((file.vector("curvature", k) - V3(0.0, 0.0, twist)).norm() < 1e-13);
    CHECK((file.vector("force", k) - n).norm() < 1e-11 * n.norm());
    CHECK((file.vector("moment", k) - m).norm() < 1e-12 * m.norm());
    CHECK((file.vector("velocity", k) - (v + w.cross(file.point(k)))).norm() < 1e-13);
    CHECK((file.vector("angular_velocity", k) - w).norm() < 1e-13);
    CHECK((file.vector("e1", k) - (cos(angle) * frame.col(0) + sin(angle) * frame.col(1))).norm() < 1e-14);
    CHECK((file.vector("e3", k) - frame.col(2)).norm() < 1e-14);
  }
}

TEST_CASE("several rods are lines of one shape", "[vtk]") {
  test::Random random(test::seed());
  const std::vector<Rod> rods = {test::soft_rod<Rod>(0.05, 9), test::soft_rod<Rod>(0.03, 4),
                                 test::soft_rod<Rod>(0.02, 6)};
  std::vector<rod::Chain<double>> chains;
  chains.reserve(rods.size());
  for (const Rod& model : rods)
    chains.push_back(test::random_chain(model, Mat<double, 3>::Identity(), random));
  const std::vector<double> radii = {0.05, 0.03, 0.02};
  const Parsed file(io::rod_polydata(rods, chains, radii).xml());
  CHECK(file.values<std::int64_t>("Lines/offsets") == Ids{10, 15, 22});
  CHECK(file.values<std::int64_t>("Lines/connectivity").back() == 21);
  CHECK(file.values<std::int64_t>("CellData/rod") == Ids{0, 1, 2});
  check_nodes(file, 0, rods[0], chains[0], 0, 0.05);
  check_nodes(file, 10, rods[1], chains[1], 1, 0.03);
  check_nodes(file, 15, rods[2], chains[2], 2, 0.02);

  CHECK_THROWS_MATCHES(io::rod_polydata(rods, chains, {0.05, 0.03}), std::invalid_argument,
                       says({"radii = 2", "one radius per rod"}));
  CHECK_THROWS_MATCHES(io::rod_polydata(rods, {chains[0]}, radii), std::invalid_argument,
                       says({"chains = 1"}));
  CHECK_THROWS_MATCHES(io::rod_polydata(rods, {chains[0], chains[2], chains[1]}, radii),
                       std::invalid_argument, says({"nodes of the chain of rod 1 = 7"}));
  CHECK_THROWS_MATCHES(io::rod_polydata(rods, chains, {0.05, 0.03, -0.02}), std::invalid_argument,
                       says({"radius of rod 2"}));
  CHECK_THROWS_AS(io::rod_polydata(rods[0], chains[0], no_number), std::invalid_argument);
  CHECK_THROWS_AS(io::rod_polydata(rods[0], chains[0], infinity), std::invalid_argument);
}

TEST_CASE("a rod in single precision is written too", "[vtk]") {
  using Single = rod::ElasticRod<float>;
  test::Random random(test::seed());
  const Single model = test::soft_rod<Single>(0.03, 8);
  const auto chain = test::random_chain(model, Mat<float, 3>(Mat<float, 3>::Identity()), random);
  check_nodes(Parsed(io::rod_polydata(model, chain, 0.03F).xml()), 0, model, chain, 0, 0.03F);
}

TEST_CASE("a velocity that is no number is written, a position is refused", "[vtk]") {
  const Rod model = test::soft_rod<Rod>(0.03, 5);
  auto chain = model.straight(V3::Zero(), SO3<double>::identity());
  chain.velocity(2, 1) = no_number;
  const Parsed file(io::rod_polydata(model, chain, 0.03).xml());
  CHECK(std::isnan(file.vector("velocity", 2)[1]));
  CHECK(file.vector("velocity", 3) == V3::Zero());
  chain.configuration(4, 0) = no_number;
  CHECK_THROWS_MATCHES(io::rod_polydata(model, chain, 0.03).xml(), std::invalid_argument,
                       says({"coordinate of point 4"}));
  chain.configuration.row(3).setZero();
  CHECK_THROWS_MATCHES(io::rod_polydata(model, chain, 0.03), std::invalid_argument,
                       says({"node 3", "quaternion"}));
}

TEST_CASE("a contact is a vertex between the rods with its force", "[vtk]") {
  // Rod 1 along x through the origin, rod 2 along y above it; rod 2 weighs on rod 1.
  Rod::Parameters heavy;
  heavy.loads.gravity = V3(0.0, 0.0, -9.81);
  const std::vector<Rod> rods = {test::soft_rod<Rod>(0.05, 40), test::soft_rod<Rod>(0.03, 43, heavy)};
  Contact::Parameters parameters;
  parameters.radius1 = 0.05;
  parameters.radius2 = 0.03;
  parameters.kernel_width = 0.05;
  const rod::RodProblem<Rod, Contact> problem(rods, Contact(parameters, rods[0], rods[1]));
  Mat<double, 3> along_x, along_y;
  along_x << 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0;
  along_y << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
  const std::vector<rod::Chain<double>> chains = {
      rods[0].straight({-0.5, 0.0, 0.0}, test::rotation<double>(along_x)),
      rods[1].straight({0.125, -0.375, 0.08}, test::rotation<double>(along_y))};
  const auto internal = problem.coupling().locate(rods, chains, {0.6, 0.4}, 0.0);
  const auto state = problem.state(chains, internal);
  auto rates = problem.make_rates();
  problem.rates(state, rates);

  const Parsed file(io::contact_polydata(problem.coupling(), state.internal, rates.multiplier).xml());
  CHECK(file.section("Piece").at("NumberOfPoints") == "1");
  CHECK(file.values<std::int64_t>("Verts/connectivity") == Ids{0});
  CHECK(file.section("PointData") ==
        Attributes{{"Scalars", "lambda_n"}, {"Vectors", "force"}, {"Normals", "normal"}});
  CHECK((file.point(0) - V3(0.125, 0.0, 0.05)).norm() < 1e-13);
  CHECK((file.vector("normal", 0) - V3::UnitZ()).norm() < 1e-13);
  CHECK(file.values("PointData/s1").at(0) == Approx(0.625));
  CHECK(file.values("PointData/s2").at(0) == Approx(0.375));
  const V3 force = file.vector("force", 0);
  CHECK(force == rates.multiplier.force);
  CHECK(force[2] < -0.1);
  CHECK(file.values("PointData/lambda_n").at(0) == Approx(-force[2]));

  contact::ContactForce<double> answer;
  answer.force = V3(3.0, no_number, -4.0);
  answer.components = V3(5.0, 6.0, 7.0);
  const Parsed given(io::contact_polydata(problem.coupling(), state.internal, answer).xml());
  CHECK(given.vector("force", 0)[0] == 3.0);
  CHECK(std::isnan(given.vector("force", 0)[1]));
  CHECK(given.values("PointData/lambda_n") == std::vector{5.0});
  CHECK(given.values("PointData/lambda_t1") == std::vector{6.0});
  CHECK(given.values("PointData/lambda_t2") == std::vector{7.0});
}

}  // namespace vtk_test
