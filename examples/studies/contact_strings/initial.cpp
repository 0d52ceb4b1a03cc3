#include "contact_strings/initial.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace contact_strings {

namespace {

using dalembert::strings::Profile;

constexpr std::string_view file_prefix = "file:";

/// Cubics between points, x rising.
class Curve {
 public:
  Curve(std::shared_ptr<const std::vector<double>> x, std::vector<double> y)
      : x_(std::move(x)), y_(std::move(y)), slopes_(y_.size()) {
    const auto& at = *x_;
    const std::size_t last = y_.size() - 1;
    const auto chord = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / (at[i + 1] - at[i]); };
    for (std::size_t i = 1; i < last; ++i) {
      const double before = at[i] - at[i - 1], after = at[i + 1] - at[i];
      slopes_[i] = (after * chord(i - 1) + before * chord(i)) / (before + after);
    }
    slopes_[0] = 2 * chord(0) - slopes_[1];
    slopes_[last] = 2 * chord(last - 1) - slopes_[last - 1];
  }

  double operator()(double x) const { return at(x, false); }
  double slope(double x) const { return at(x, true); }

 private:
  double at(double x, bool slope) const {
    const auto above = std::upper_bound(x_->begin() + 1, x_->end() - 1, x);
    const auto i = static_cast<std::size_t>(above - x_->begin()) - 1;
    const double h = (*x_)[i + 1] - (*x_)[i], s = (x - (*x_)[i]) / h;
    const double rise = y_[i + 1] - y_[i], a = h * slopes_[i] - rise, b = rise - h * slopes_[i + 1];
    // y_i + s rise + s(1 − s)(a(1 − s) + b s)
    if (!slope) return y_[i] + s * rise + s * (1 - s) * (a * (1 - s) + b * s);
    return (rise + (1 - 2 * s) * (a * (1 - s) + b * s) + s * (1 - s) * (b - a)) / h;
  }

  std::shared_ptr<const std::vector<double>> x_;
  std::vector<double> y_, slopes_;
};

class Table {
 public:
  explicit Table(const std::filesystem::path& path) : name_(path.string()) {
    std::ifstream file(path);
    if (!file) throw std::invalid_argument("cannot read " + name_);
    bool header = false;
    for (std::string line; std::getline(file, line);) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.empty() && line.front() == '#') continue;
      if (header) {
        add(line);
        continue;
      }
      if (line != "x,u,ut,v,vt") refuse("the header must be x,u,ut,v,vt");
      header = true;
    }
    if (columns_[0].size() < 4) refuse("a string needs 4 points or more");
  }

  void require_length(double length) const {
    const auto& x = columns_[0];
    if (std::abs(x.front()) > 1e-9 * length || std::abs(x.back() - length) > 1e-9 * length)
      throw std::invalid_argument(
          name_ + ": x must go from 0 to the length " + dalembert::shortest_text(length) + ", not from " +
          dalembert::shortest_text(x.front()) + " to " + dalembert::shortest_text(x.back()));
  }
  [[nodiscard]] const std::vector<double>& column(std::size_t i) const { return columns_[i]; }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(name_ + ":" + std::to_string(line_) + ": " + why);
  }

  void add(const std::string& line) {
    std::string_view rest = line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t comma = rest.find(',');
      if ((comma == std::string_view::npos) != (i + 1 == columns_.size()))
        refuse("a line must have five numbers");
      columns_[i].push_back(number(rest.substr(0, comma)));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    const auto& x = columns_[0];
    if (x.size() > 1 && !(x.back() > x[x.size() - 2])) refuse("x must rise from line to line");
  }

  double number(std::string_view text) const {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (text.empty()) refuse("a number is missing");
    if (error != std::errc() || last != end || !std::isfinite(value))
      refuse("'" + std::string(text) + "' is not a finite number");
    return value;
  }

  std::string name_;
  long line_ = 0;
  std::array<std::vector<double>, 5> columns_{};
};

}  // namespace

bool names_start(const std::string& word) {
  return word == "sine" || word == "pluck" || word == "gaussian" ||
         (word.starts_with(file_prefix) && word.size() > file_prefix.size());
}

Start read_start(const std::filesystem::path& path, double length) {
  const Table table(path);
  table.require_length(length);
  const auto x = std::make_shared<const std::vector<double>>(table.column(0));
  Start start;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto u = std::make_shared<Curve>(x, table.column(1 + 2 * i));
    const auto velocity = std::make_shared<Curve>(x, table.column(2 + 2 * i));
    start[i].displacement = [u](double at) { return (*u)(at); };
    start[i].slope = [u](double at) { return u->slope(at); };
    start[i].velocity = [velocity](double at) { return (*velocity)(at); };
  }
  return start;
}

Start start_of(const std::string& word, double length) {
  if (word.starts_with(file_prefix)) return read_start(word.substr(file_prefix.size()), length);
  Start start;
  Profile<double>& first = start[0];
  const double middle = 0.3 * length;
  if (word == "sine") {
    const double k = 2 * std::acos(-1.0) / length;
    // The argument is reduced, so that the end is zero like the beginning.
    first.displacement = [k, length](double x) {
      return x < length / 2 ? std::sin(k * x) : -std::sin(k * (length - x));
    };
    first.slope = [k](double x) { return k * std::cos(k * x); };
  } else if (word == "pluck") {
    first.displacement = [=](double x) { return x < middle ? x / middle : (length - x) / (length - middle); };
    first.slope = [=](double x) { return x < middle ? 1 / middle : -1 / (length - middle); };
    first.kinks = {middle};
  } else {
    const double width = length / 25;
    const auto bell = [=](double x) {
      return 0.4 * std::exp(-(x - middle) * (x - middle) / (2 * width * width));
    };
    first.displacement = bell;
    first.slope = [=](double x) { return -(x - middle) / (width * width) * bell(x); };
  }
  return start;
}

}  // namespace contact_strings
