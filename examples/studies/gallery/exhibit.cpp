#include "gallery/exhibit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <dalembert/io/viewer.hpp>

#include "support/picture.hpp"
#include "support/table.hpp"

namespace gallery {

namespace {

using namespace dalembert;

constexpr long most_rows = 2000;

/// Columns of the table: the time, what is seen, and the errors.
std::vector<io::Column> table_columns(const Text& text) {
  auto list = example::columns("t [s], " + text.columns);
  for (const Figure& error : text.errors) list.push_back({error.name, error.unit});
  return list;
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const auto& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::vector<std::string> names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.name);
  return names;
}

/// The units of figures, each once.
std::string units_of(const std::vector<Figure>& figures) {
  std::vector<std::string> units;
  for (const Figure& figure : figures)
    if (std::find(units.begin(), units.end(), figure.unit) == units.end()) units.push_back(figure.unit);
  std::string all;
  for (const auto& unit : units) all += (all.empty() ? "" : ", ") + unit;
  return all;
}

}  // namespace

Recorder::Recorder(const Text& text, example::Run& run)
    : text_(text),
      run_(run),
      csv_(run.out / (text.name + ".csv"), table_columns(text)),
      series_panel_(scene_.panel(text.series_title, text.series_unit, text.series)),
      error_panel_(scene_.panel("errors", units_of(text.errors), names_of(text.errors), true)),
      largest_(text.errors.size(), 0.0),
      every_(std::max(1L, std::lround(std::ceil(std::min(text.t_end / text.dt / most_rows, 1e15))))) {
  const auto columns = example::columns(text.columns);
  for (const auto& name : text.series) {
    const auto place =
        std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
    series_.push_back(static_cast<std::size_t>(place - columns.begin()));
  }
  if (text.surroundings) text.surroundings(scene_);
  for (const Body& body : text.bodies)
    bodies_.push_back(scene_.body(body.name, body.parts, {.colour = body.colour, .path = body.path}));
}

bool Recorder::due(double time) { return count_++ % every_ == 0 || time >= text_.t_end; }

void Recorder::judge(const std::vector<double>& errors) {
  for (std::size_t i = 0; i < largest_.size(); ++i)
    largest_[i] = std::max(largest_[i], std::abs(errors.at(i)));
}

void Recorder::add(double time, const Sight& sight) {
  std::vector<double> row{time};
  row.insert(row.end(), sight.numbers.begin(), sight.numbers.end());
  row.insert(row.end(), sight.errors.begin(), sight.errors.end());
  csv_.row(row);
  ++rows_;
  std::vector<double> series;
  for (const std::size_t place : series_) series.push_back(sight.numbers.at(place));
  scene_.row(series_panel_, time, series);
  scene_.row(error_panel_, time, sight.errors);
  if (!scene_.frame(time)) return;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    scene_.put(bodies_[i], sight.poses.at(i).rotation, sight.poses.at(i).position);
}

void Recorder::figure(const Figure& figure, double value) {
  run_.summary.figure(text_.name + "_" + figure.name, value, figure.unit, figure.meaning);
}

void Recorder::finish(const std::string& error) {
  csv_.close();
  for (std::size_t i = 0; i < largest_.size(); ++i) figure(text_.errors[i], largest_[i]);
  if (rows_ > 1) draw();
  io::ViewText said{.title = text_.title,
                    .caption = text_.caption,
                    .parameters = text_.parameters,
                    .planned = text_.t_end,
                    .error = error,
                    .flat = text_.flat,
                    .up = text_.up,
                    .yaw = text_.yaw,
                    .pitch = text_.pitch,
                    .zoom = text_.zoom,
                    .follow = text_.follow,
                    .pictures = {run_.out / (text_.name + ".png")}};
  io::write_view(run_.out / (text_.name + ".html"), scene_, said);
}

void Recorder::draw() const {
  example::Variables given;
  given("file", text_.name + ".csv")("title", text_.title)("path_title", text_.path_title);
  given("path_x", text_.path_x)("path_y", text_.path_y)("downwards", text_.downwards ? 1 : 0);
  for (const auto& column : example::columns(text_.columns)) {
    if (column.name == text_.path_x) given("unit_x", column.unit);
    if (column.name == text_.path_y) given("unit_y", column.unit);
  }
  given("series_title", text_.series_title)("series_unit", text_.series_unit)("series", joined(text_.series));
  given("errors", joined(names_of(text_.errors)))("error_unit", units_of(text_.errors));
  example::draw(run_, {.name = text_.name, .width = 2000, .height = 1050, .script = "path"}, given);
}

}  // namespace gallery
